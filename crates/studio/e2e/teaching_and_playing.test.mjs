// What a designer does in the first hour, in a real browser.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Studio, TWO_GATES, YARD, downloaded, drag, holdingBack, inChromiumOnly, inProgramOnly, onScreen, placeOf, plan, run, whereHappens } from './harness.mjs';

let studio;
before(async () => { studio = await Studio.start(); });
after(async () => { await studio.stop(); });

const withPage = (options, act) => studio.withPage(options, act);

async function draw(page, places) {
  await page.click('#tab-teach');
  await page.click('#tool-draw');
  await drag(page, places);
  await studio.settled(page);
}

test('the first visit is three steps that are done by doing them', () => withPage({ first: true }, async (page) => {
  const title = () => page.locator('#tour h2').innerText();
  assert.match(await title(), /^1/);
  await drag(page, [[6, 12], [5, 24], [11, 34], [24, 25], [34, 40], [44, 43]]);
  await page.waitForFunction(() => document.querySelector('#tour h2').textContent.startsWith('2'));
  await drag(page, [await placeOf(page, 'key'), [14, 40]]);
  await page.waitForFunction(() => document.querySelector('#tour h2').textContent.startsWith('3'));
  await page.click('#play');
  await page.waitForFunction(() => document.getElementById('mind').dataset.state === 'following');
  await page.waitForFunction(() => document.getElementById('tour').hidden);
  await page.reload();
  await studio.settled(page);
  assert.ok(await page.locator('#tour').isHidden(), 'it is shown once');
}));

test('a line that is drawn is followed', () => withPage({ path: 'built-in:empty_tutorial.toml' }, async (page) => {
  await page.click('#tab-teach');
  await page.click('.line-card [title="Delete"]');
  await studio.settled(page);
  const straight = await plan(page);
  await draw(page, [[4, 10], [3, 16], [10, 18], [20, 18], [26, 15], [25, 10]]);
  const shown = await plan(page);
  assert.ok(shown.followed >= 0.8, `only ${shown.followed} of the line is followed`);
  assert.ok(shown.cost > straight.cost, 'the line is a detour');
  assert.equal(Number(await page.locator('#coverage').getAttribute('data-value')), shown.followed);
  await page.keyboard.press('Control+z');
  await studio.settled(page);
  assert.equal((await plan(page)).cost, straight.cost, 'undone');
  await page.keyboard.press('Control+Shift+z');
  await studio.settled(page);
  assert.equal((await plan(page)).followed, shown.followed, 'and done again');
}));

test('a key that is dragged is fetched from its new place, also while it is dragged', () => withPage({}, async (page) => {
  const from = await placeOf(page, 'key');
  assert.deepEqual(whereHappens(await plan(page), 'picked_up:key'), from);
  await drag(page, [from, [20, 40]], { steps: 25, hold: true });
  await page.waitForFunction(() => {
    const step = globalThis.studio.plans.left.plan?.plan.steps.find(({ events }) => events.includes('picked_up:key'));
    return step?.x === 20 && step?.y === 40;
  });
  await page.mouse.up();
  await page.waitForFunction(() => globalThis.studio.work.text.includes('[20, 40]'));
  await studio.settled(page);
  assert.deepEqual(whereHappens(await plan(page), 'picked_up:key'), [20, 40]);
  assert.deepEqual(await placeOf(page, 'key'), [20, 40]);
  await page.click('#undo');
  await studio.settled(page);
  assert.deepEqual(await placeOf(page, 'key'), from);
}));

test('things are moved with the keyboard, and not into walls', () => withPage({}, async (page) => {
  const [x, y] = await placeOf(page, 'key');
  await page.focus('[data-thing="key"]');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(([a, b]) => String(globalThis.studio.work.scene.things.find((thing) => thing.id === 'key').at[0]) === String([a, b]), [x + 1, y]);
  const before = await page.evaluate(() => globalThis.studio.work.text);
  await drag(page, [await placeOf(page, 'key'), [25, 3]]);
  await page.waitForSelector('.toast.wrong');
  assert.equal(await page.evaluate(() => globalThis.studio.work.text), before);
}));

test('doors open and shut when they are clicked, with the mouse or the keyboard', () => withPage({}, async (page) => {
  const shut = await plan(page);
  assert.ok(whereHappens(shut, 'picked_up:key'));
  const isOpen = (open) => page.waitForFunction((is) => globalThis.studio.work.scene.things.find(({ id }) => id === 'room').open === is, open);
  await drag(page, [await placeOf(page, 'room')]);
  await isOpen(true);
  await studio.settled(page);
  assert.ok((await plan(page)).cost < shut.cost, 'nobody needs the key');
  await page.focus('[data-thing="room"]');
  await page.keyboard.press('Enter');
  await isOpen(false);
  // In a game it is the game's door.
  await page.focus('#tab-plan');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame);
  await drag(page, [await placeOf(page, 'room')]);
  await page.waitForFunction(() => globalThis.studio.panels.play.frame.open.includes('room'));
  await isOpen(false);
}));

const HALL = `format = 1
name = "A quick hall"
start = [2, 2]
goal = { within = { at = [16, 2], radius = 0.0 } }
rules = { walk = 5.0, run = 8.0 }

[map]
rows = [${Array(12).fill('"..................."').join(', ')}]
`;

/** A wolf beside the way to a key and a lever. */
const FRAY = `format = 1
name = "A fray"
start = [2, 2]
goal = { within = { at = [22, 2], radius = 0.0 } }

[map]
rows = [${Array(5).fill('"........................"').join(', ')}]

[[key]]
id = "red"
at = [4, 2]
opens = ["gate"]

[[lever]]
id = "crank"
at = [6, 2]
opens = ["gate"]

[[door]]
id = "gate"
at = [[20, 0], [20, 1], [20, 2], [20, 3], [20, 4]]

[[enemy]]
id = "grey"
kind = "wolf"
at = [9, 2]
`;

test('what is played with the keyboard is recorded, and followed', () => withPage({ files: { 'hall.toml': HALL }, path: 'hall.toml' }, async (page) => {
  const straight = await plan(page);
  await page.keyboard.press('r');
  await page.waitForSelector('#record-keep');
  const at = () => page.evaluate(() => globalThis.studio.panels.teach.place);
  const go = async (key, isThere) => {
    await page.keyboard.down(key);
    while (!isThere(await at())) await page.waitForTimeout(20);
    await page.keyboard.up(key);
  };
  await go('ArrowDown', ([, y]) => y >= 8);
  await go('ArrowRight', ([x]) => x >= 15.5);
  await go('ArrowUp', ([, y]) => y <= 3);
  assert.ok(await page.locator('.layer.sketch .line').isVisible(), 'the way so far is seen');
  await page.click('#record-keep');
  await page.waitForFunction(() => globalThis.studio.work.lines.length === 1);
  await studio.settled(page);
  const [line] = await page.evaluate(() => globalThis.studio.work.lines);
  assert.ok(line.log.startsWith('{"format":1'));
  const [first, last] = [line.points[0], line.points.at(-1)];
  assert.ok(last[0] - first[0] >= 13, `${first} to ${last}`);
  await page.click('#tab-plan');
  await page.fill('#faithful', '100');
  await studio.settled(page);
  const followed = await plan(page);
  await page.click('#tab-teach');
  assert.ok(followed.followed >= 0.8, `only ${followed.followed} of the recording is followed`);
  assert.ok(followed.cost > straight.cost, 'the recording is a detour');
  // Other programs can read it.
  const exported = path.join(studio.folder, 'exported.jsonl');
  await writeFile(exported, await downloaded(page, () => page.click('.line-card [title^="Save as a file"]')));
  assert.equal((await run(['demo', 'inspect', exported])).code, 0);
  await page.click('.line-card [title="Keep only a part"]');
  await page.fill('.trim-1', '50');
  await page.click('#trim-keep');
  await studio.settled(page);
  const [kept] = await page.evaluate(() => globalThis.studio.work.lines);
  assert.ok(kept.points.length < line.points.length && kept.log.length < line.log.length);
}));

test('a line that was drawn can be cut anywhere', () => withPage({ path: 'built-in:empty_tutorial.toml' }, async (page) => {
  await page.evaluate(() => globalThis.studio.work.change({ lines: [{ id: 90, name: 'straight', points: [[4, 10], [24, 10]], log: null, hidden: false }] }));
  await page.click('#tab-teach');
  await page.click('.line-card [title="Keep only a part"]');
  await page.fill('.trim-0', '25');
  await page.fill('.trim-1', '75');
  assert.equal(await page.locator('.shown .kept').getAttribute('d'), 'M9 10L19 10');
  // However far the ends are pushed, something is left.
  await page.fill('.trim-0', '100');
  assert.equal(await page.inputValue('.trim-0'), '74');
  await page.fill('.trim-0', '25');
  await page.click('#trim-keep');
  assert.deepEqual(await page.evaluate(() => globalThis.studio.work.lines[0].points), [[9, 10], [19, 10]]);
  await studio.settled(page);
}));

test('a line that says only here and there how high it is can be cut anywhere', () => withPage({ files: YARD, path: 'yard.toml' }, async (page) => {
  const points = [[2, 4, 0], [8, 4, 3], [12, 1], [16, 1], [18, 4, 3]];
  const cut = async (from, to) => {
    await page.evaluate((way) => globalThis.studio.work.change({ lines: [{ id: 90, name: 'up and down', points: way, log: null, hidden: false }] }), points);
    await page.click('.line-card [title="Keep only a part"]');
    await page.fill('.trim-0', String(from));
    await page.fill('.trim-1', String(to));
    await page.click('#trim-keep');
    await studio.settled(page);
    return page.evaluate(() => globalThis.studio.work.lines[0].points.map((point) => point.map((value) => Math.round(value * 100) / 100)));
  };
  await page.click('#tab-teach');
  // It is 6, 5, 4 and 3.6 long: between an end with a height and one without, nobody knows how high it is.
  assert.deepEqual(await cut(0, 50), [[2, 4, 0], [8, 4, 3], [10.64, 2.02]]);
  assert.deepEqual(await cut(10, 100), [[3.86, 4, 0.93], ...points.slice(1)]);
  assert.deepEqual(await cut(40, 90), [[9.15, 3.13], [12, 1], [16, 1], [16.97, 2.45]]);
  assert.deepEqual(await cut(0, 100), points);
  assert.ok((await plan(page)).steps.length > 0);
}));

test('what would be kept of a line is not shown on another one', () => withPage({ path: 'built-in:empty_tutorial.toml' }, async (page) => {
  const line = (id, y) => ({ id, name: `line ${id}`, points: [[4, y], [24, y]], log: null, hidden: false });
  await page.evaluate((lines) => globalThis.studio.work.change({ lines }), [line(90, 10), line(91, 12)]);
  await page.click('#tab-teach');
  await page.click('.line-card[data-id="90"] [title="Keep only a part"]');
  await page.fill('.trim-0', '25');
  assert.equal(await page.locator('.shown .kept').count(), 1);
  await page.focus('.line-card[data-id="91"] .name');
  assert.equal(await page.locator('.trim-0').count(), 0);
  assert.equal(await page.locator('.shown .kept').count(), 0);
  await studio.settled(page);
}));

test('a line whose name is wiped out keeps it, and shows it', () => withPage({ path: 'built-in:empty_tutorial.toml' }, async (page) => {
  await page.evaluate(() => globalThis.studio.work.change({ lines: [{ id: 90, name: 'straight', points: [[4, 10], [24, 10]], log: null, hidden: false }] }));
  await page.click('#tab-teach');
  await page.fill('.line-card .name', ' ');
  await page.press('.line-card .name', 'Enter');
  assert.equal(await page.inputValue('.line-card .name'), 'straight');
  await page.fill('.line-card .name', 'direct');
  await page.press('.line-card .name', 'Enter');
  assert.equal(await page.inputValue('.line-card .name'), 'direct');
  assert.equal(await page.evaluate(() => globalThis.studio.work.lines[0].name), 'direct');
  await studio.settled(page);
}));

test('what was found wrong with lines is gone with it, in whatever order the studio answers', () => {
  const hold = holdingBack('"findings"');
  return withPage({ path: 'built-in:empty_tutorial.toml', line: hold.line }, async (page) => {
    const change = (points) => page.evaluate((way) => globalThis.studio.work.change({ lines: [{ id: 90, name: 'line', points: way, log: null, hidden: false }] }), points);
    await change([[4, 10], [24, 10]]);
    await page.click('#tab-teach');
    await change([[4, 10], [25, 10]]);
    await studio.settled(page);
    const told = page.locator('.line-card .finding-text');
    const fine = await told.count();
    hold.isOn = true;
    // Off the map, and back at once.
    await change([[4, 10], [-30, 10], [24, 10]]);
    await change([[4, 10], [24, 10]]);
    await hold.until(2);
    hold.letGo();
    await page.evaluate(() => globalThis.studio.connection.ask({ ask: 'files' }));
    assert.equal(await told.count(), fine);
    await studio.settled(page);
  });
});

test('what is said to be wrong with lines is true of them as they are, also if they were changed elsewhere', () => {
  const hold = holdingBack('"findings"');
  return withPage({ path: 'built-in:empty_tutorial.toml', line: hold.line }, async (page) => {
    const change = (points) => page.evaluate((way) => globalThis.studio.work.change({ lines: [{ id: 90, name: 'line', points: way, log: null, hidden: false }] }), points);
    const told = page.locator('.line-card .finding-text');
    await change([[4, 10], [-30, 10], [24, 10]]);
    await page.click('#tab-teach');
    await told.first().waitFor();
    await page.click('#tab-plan');
    await change([[4, 10], [24, 10]]);
    hold.isOn = true;
    await page.click('#tab-teach');
    await hold.until(1);
    assert.equal(await told.count(), 0, 'nothing is known yet');
    // Gone again before the answer has come, and back.
    await page.click('#tab-plan');
    await change([[4, 10], [-30, 10], [24, 10]]);
    await page.click('#tab-teach');
    await hold.until(2);
    hold.letGo();
    await told.first().waitFor();
    await page.evaluate(() => globalThis.studio.connection.ask({ ask: 'files' }));
    assert.ok(await told.count() > 0);
    // Who is writing its name goes on in the same box.
    hold.isOn = true;
    await change([[4, 10], [24, 10]]);
    await hold.until(1);
    const box = await page.locator('.line-card .name').elementHandle();
    hold.letGo();
    await page.waitForFunction(() => !document.querySelector('.finding-text'));
    assert.ok(await box.evaluate((input) => input.isConnected));
    await studio.settled(page);
  });
});

test('the slider changes the bound', () => withPage({}, async (page) => {
  const implied = async (place) => {
    await page.fill('#faithful', String(place));
    await page.waitForFunction((faithful) => globalThis.studio.work.settings.left.faithful === faithful, place / 100);
    await studio.settled(page);
    return Number(await page.locator('#implied').getAttribute('data-value'));
  };
  assert.equal(await implied(0), 1);
  const best = await plan(page);
  assert.equal(await page.locator('#bound').innerText(), 'The best there is');
  assert.equal(await implied(100), 100);
  assert.equal(await implied(50), 10);
  assert.ok((await plan(page)).cost <= 10 * best.cost);
}));

test('two planners are compared side by side', () => withPage({}, async (page) => {
  await page.click('#experts summary');
  await page.click('#compare');
  await page.waitForFunction(() => globalThis.studio.plans.right.plan?.done);
  const [left, right] = await page.evaluate(() => [globalThis.studio.plans.left.plan.plan, globalThis.studio.plans.right.plan.plan]);
  assert.notEqual(left.planner, right.planner);
  assert.ok(right.cost <= left.cost, 'the right one is A*');
  assert.match(await page.locator('#right .caption').innerText(), /the best there is/);
}));

test('a step says why it is as it is', () => withPage({ path: 'built-in:k1d1_close.toml' }, async (page) => {
  await page.click('#story li:nth-child(1) button');
  await page.waitForSelector('#why-text');
  assert.match(await page.locator('#why-text').innerText(), /fetch key/i);
  assert.match(await page.locator('#why dl').innerText(), /holds\s+red/);
  const before = await page.locator('#why h2').innerText();
  await page.click('#why [title^="The next step"]');
  assert.notEqual(await page.locator('#why h2').innerText(), before);
  await page.keyboard.press('Escape');
  assert.ok(await page.locator('#why').isHidden());
  // Where the search looked, and what an estimate says.
  await page.check('#show-search');
  await page.fill('#scrub', '50');
  await page.selectOption('#estimate', 'tgraph');
  await page.waitForSelector('.scale');
}));

test('a broken domain is explained, the last good one goes on working, and mending it helps', () => withPage({}, async (page) => {
  await page.click('#tab-tasks');
  const steps = () => page.locator('#task-steps li').allInnerTexts();
  await page.waitForSelector('#task-steps li');
  const good = await steps();
  assert.deepEqual(good, ['GoTo(office)', 'Take(red)', 'Unlock(vault, red)', 'GoTo(vault)']);
  const text = await page.inputValue('#tasks-text');
  await page.fill('#tasks-text', text.replace('ordered(Unlock(r, k), GoTo(r));', 'ordered(Unlok(r, k), GoTo(r));'));
  await page.waitForSelector('#problems .error');
  assert.match(await page.locator('#problems').innerText(), /Unlok.*Unlock/s);
  assert.equal(await page.locator('.code .bad').innerText(), 'Unlok');
  assert.deepEqual(await steps(), good, 'the last good one goes on working');
  assert.ok(await page.locator('#stale').isVisible());
  await page.fill('#tasks-text', text);
  await page.waitForFunction(() => document.getElementById('problems').dataset.count === '0');
  await page.fill('#tasks-goal', 'ordered(Enter(office))');
  await page.waitForFunction(() => document.querySelectorAll('#task-steps li').length === 1);
  assert.match(await page.locator('#task-tree').innerText(), /already_there/);
  // The canonical layout.
  await page.fill('#tasks-text', text.replaceAll('\n  ', '\n      '));
  await page.click('#tasks-format');
  await page.waitForFunction((tidy) => document.getElementById('tasks-text').value === tidy, text);
}));

test('a door that shuts in its way makes the character think again', () => withPage(TWO_GATES, async (page) => {
  await page.click('#tab-play');
  await page.selectOption('#speed', '8');
  await page.click('#play');
  await page.waitForFunction(() => globalThis.studio.maps.left.container.querySelector('#character') && Number(document.getElementById('timeline').value) > 20);
  await page.click('#disturb [data-id="near_gate"] button');
  await page.waitForFunction(() => Number(document.getElementById('mind').dataset.plans) >= 2);
  assert.match(await page.locator('#replan-why').innerText(), /near gate.*shut/);
  await page.waitForFunction(() => document.getElementById('mind').dataset.state === 'done', null, { timeout: 60_000 });
  // Back in time, and one moment further.
  await page.fill('#timeline', '10');
  await page.waitForFunction(() => document.getElementById('play-clock').textContent.startsWith('1.0 s'));
  await page.click('#single');
  await page.waitForFunction(() => document.getElementById('play-clock').textContent.startsWith('1.1 s'));
}));

test('a game that is an hour long is paused, and looks like it', () => {
  const level = 'format = 1\nname = "No way"\nstart = [0, 0]\ngoal = { within = { at = [8, 0], radius = 0.0 } }\nmap = { rows = ["....#...."] }\n';
  return withPage({ files: { 'no_way.toml': level }, path: 'no_way.toml' }, async (page) => {
    await page.click('#tab-play');
    await page.waitForFunction(() => globalThis.studio.panels.play.frame);
    // Nobody waits for an hour: it passes as fast as it can.
    await page.evaluate(async () => {
      const { connection } = globalThis.studio;
      let frame;
      do frame = await connection.ask({ ask: 'go', moments: 600, order: 'wait', held: null }); while (!frame.hour_is_up);
    });
    await page.click('#play');
    await page.waitForSelector('.toast.wrong >> text=an hour has been played');
    assert.equal(await page.locator('#play').innerText(), 'Play');
    assert.equal(await page.locator('#play').getAttribute('aria-pressed'), 'false');
    // From an earlier moment it goes on.
    await page.evaluate(() => { document.getElementById('timeline').max = 20; });
    await page.fill('#timeline', '10');
    await page.waitForFunction(() => globalThis.studio.panels.play.frame.number === 10);
    await page.click('#play');
    await page.waitForFunction(() => globalThis.studio.panels.play.frame.number > 12);
    assert.equal(await page.locator('#play').innerText(), 'Pause');
    await page.click('#play');
  });
});

test('a key taken away, and a player beside', () => withPage({ path: 'built-in:k1d1_close.toml' }, async (page) => {
  await page.click('#tab-play');
  await page.click('#join');
  await page.waitForSelector('#leave');
  await page.selectOption('#speed', '8');
  await page.click('#play');
  await page.waitForFunction(() => Number(document.getElementById('timeline').value) > 10);
  await page.click('#disturb [data-id="red"] button');
  await page.waitForFunction(() => document.getElementById('mind').dataset.state === 'stuck');
  await page.keyboard.down('ArrowDown');
  await page.waitForFunction(() => globalThis.studio.maps.left.container.querySelector('.person-at.player'));
  await page.waitForTimeout(500);
  await page.keyboard.up('ArrowDown');
  await page.click('#disturb [data-id="red"] button');
  await page.waitForFunction(() => ['following', 'thinking'].includes(document.getElementById('mind').dataset.state));
}));

test('a bear is carried off while the game is paused', () => withPage({ path: 'built-in:bear_bypass.toml' }, async (page) => {
  await page.click('#tab-play');
  await page.waitForSelector('.person-at.enemy');
  const bear = () => page.evaluate(() => {
    const { x, y } = document.querySelector('.person-at.enemy').dataset;
    return [Number(x), Number(y)];
  });
  const [x, y] = await bear();
  await drag(page, [[x, y], [x + 2, y]]);
  await page.click('#single');
  await page.waitForFunction(() => Number(document.getElementById('timeline').value) === 1);
  const [now] = await bear();
  assert.ok(Math.abs(now - (x + 2)) < 0.6, `it is at ${now}`);
}));

test('a bear is carried about while the game goes on', () => withPage({ path: 'built-in:bear_bypass.toml' }, async (page) => {
  await page.click('#tab-play');
  await page.waitForSelector('.person-at.enemy');
  await page.click('#play');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame.number > 3);
  const game = () => page.evaluate(() => {
    const { number, enemies: [{ x, y }] } = globalThis.studio.panels.play.frame;
    return { number, x, y, asked: globalThis.studio.connection.asked, unanswered: globalThis.studio.connection.unanswered };
  });
  const before = await game();
  const { x, y } = before;
  await drag(page, [[x, y], [x + 3, y]], { steps: 60, hold: true });
  await page.waitForFunction(([from, at]) => {
    const { number, enemies: [bear] } = globalThis.studio.panels.play.frame;
    return number > from && Math.abs(bear.x - at) < 0.6;
  }, [before.number, x + 3]);
  await page.mouse.move(...(await onScreen(page, x + 1, y + 2)), { steps: 60 });
  const held = await game();
  assert.ok(held.number > before.number, 'time goes on');
  assert.ok(held.unanswered <= 2, 'one question at a time');
  assert.ok(held.asked - before.asked <= held.number - before.number + 4, `${held.asked - before.asked} questions in ${held.number - before.number} moments`);
  // It is shown in the hand, not where it was a moment ago.
  const shown = await page.evaluate(() => Number(document.querySelector('.person-at.enemy').dataset.x));
  assert.ok(Math.abs(shown - (x + 1)) < 0.2, `it is shown at ${shown}`);
  await page.mouse.up();
  await page.click('#play');
}));

test('a key is carried off while the game goes on, and the character goes after it', () => withPage({}, async (page) => {
  await page.click('#tab-play');
  await page.click('#play');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame?.number > 3);
  const asked = () => page.evaluate(() => [globalThis.studio.connection.asked, globalThis.studio.panels.play.frame.number]);
  const [askedBefore, numberBefore] = await asked();
  await drag(page, [await placeOf(page, 'key'), [20, 40], [5, 26]], { steps: 50 });
  await page.waitForFunction(() => {
    const { mind } = globalThis.studio.panels.play.frame;
    return mind.plans >= 2 && mind.ahead.some(([x, y]) => x === 5 && y === 26);
  });
  const [askedAfter, numberAfter] = await asked();
  // A question for every moment, and no more than one at a time for a hundred movements of the hand.
  assert.ok(askedAfter - askedBefore <= 2 * (numberAfter - numberBefore) + 45, `${askedAfter - askedBefore} questions`);
  await page.selectOption('#speed', '8');
  await page.waitForFunction(() => document.getElementById('play-holds').textContent.includes('holds key'));
  // Into a wall it cannot be put, and stays where it was.
  await page.click('#restart');
  await drag(page, [await placeOf(page, 'key'), [25, 3]]);
  await page.waitForSelector('.toast.wrong');
}));

test('levels, plans and moments are saved as files others can use', () => withPage({}, async (page) => {
  await draw(page, [[6, 12], [5, 24], [11, 34], [24, 25], [34, 40], [44, 43]]);
  await page.keyboard.press('Control+s');
  await page.fill('dialog input', 'levels/castle');
  await page.click('dialog .primary');
  await page.waitForSelector('.toast.good');
  assert.deepEqual(await studio.files('levels'), ['castle.toml']);
  assert.match(await studio.read('levels/castle.toml'), /\[\[demonstration\]\]\npoints/);
  await page.click('#save');
  await page.click('#save-plan');
  await page.fill('dialog input', 'plans/castle.plan.json');
  await page.click('dialog .primary');
  await page.waitForFunction(() => [...document.querySelectorAll('.toast.good')].some((toast) => toast.textContent.includes('castle.plan')));
  const check = (...files) => run(['verify', ...files], { cwd: studio.folder });
  let verdict = await check('levels/castle.toml', 'plans/castle.plan.json');
  assert.equal(verdict.code, 0, verdict.said);
  await page.click('#tab-play');
  await page.selectOption('#speed', '8');
  await page.click('#play');
  await page.waitForFunction(() => document.getElementById('play-holds').textContent.includes('holds key'));
  await page.click('#save-moment');
  await page.fill('dialog input', 'With the key!');
  await page.click('dialog .primary');
  await page.waitForSelector('dialog .command');
  assert.equal(await page.locator('dialog .command').innerText(), 'apprentice verify moments/with_the_key.toml moments/with_the_key.plan.json');
  verdict = await check('moments/with_the_key.toml', 'moments/with_the_key.plan.json');
  assert.equal(verdict.code, 0, verdict.said);
}));

test('a saved moment begins as it was: wounds, levers, what is held, and who is after whom', () => withPage({ files: { 'fray.toml': FRAY }, path: 'fray.toml' }, async (page) => {
  await page.click('#tab-play');
  await page.waitForSelector('.person-at.enemy');
  // Into the wolf's arms, until both have been hurt.
  const sum = ({ npc, enemies: [wolf], open, pulled }) => ({ health: npc.health, holding: npc.holding, wolf: [wolf.health, wolf.mode], open, pulled });
  const frame = () => page.evaluate(() => globalThis.studio.panels.play.frame);
  for (let moment = 0; moment < 200; moment += 1) {
    await page.click('#single');
    await page.waitForFunction((count) => globalThis.studio.panels.play.frame.number === count, moment + 1);
    const now = await frame();
    if (now.npc.health < 100 && now.npc.holding.length > 0 && now.pulled.length > 0) break;
  }
  await page.click('#save-moment');
  await page.fill('dialog input', 'In the fray');
  await page.click('dialog .primary');
  await page.waitForSelector('dialog .command');
  const notes = await page.locator('#moment-notes').innerText();
  await page.click('dialog .primary');
  const now = await frame();
  assert.ok(now.npc.health < 100 && now.npc.holding.includes('red') && now.pulled.includes('crank'), JSON.stringify(sum(now)));
  const verdict = await run(['verify', 'moments/in_the_fray.toml', 'moments/in_the_fray.plan.json'], { cwd: studio.folder });
  assert.equal(verdict.code, 0, verdict.said);
  await page.selectOption('#scenario', 'moments/in_the_fray.toml');
  await page.waitForFunction(() => globalThis.studio.work.path === 'moments/in_the_fray.toml' && globalThis.studio.panels.play.frame?.number === 0);
  const begun = await frame();
  // A step that had begun is finished first, and that is said.
  if (!/middle of a step/.test(notes)) {
    assert.equal(begun.time, now.time);
    assert.deepEqual(sum(begun), sum(now));
  } else {
    assert.ok(begun.time > now.time && begun.time < now.time + 3);
  }
  assert.ok(begun.npc.health < 100 && begun.npc.holding.includes('red') && begun.pulled.includes('crank'));
  assert.notEqual(begun.enemies[0].mode, 'idle');
}));

test('caves are walked at any angle, in metres, and saved with their mesh', () => withPage({ path: 'built-in:cave_left.toml' }, async (page) => {
  const { drawn, plan: { steps } } = await page.evaluate(() => globalThis.studio.plans.left.plan);
  assert.equal(drawn.length, steps.length);
  const bends = (points) => points.slice(2).filter(([x, y], index) => {
    const [[ax, ay], [bx, by]] = [points[index], points[index + 1]];
    return Math.abs((bx - ax) * (y - by) - (by - ay) * (x - bx)) > 1e-6;
  }).length;
  const zigzag = bends(steps.map(({ x, y }) => [x, y]));
  assert.ok(bends(drawn) < zigzag / 2, `${bends(drawn)} bends of ${zigzag}`);
  await page.keyboard.press('r');
  await page.waitForSelector('#record-keep');
  await page.keyboard.down('ArrowLeft');
  await page.waitForFunction(() => document.getElementById('clock').textContent >= '2');
  await page.keyboard.up('ArrowLeft');
  await page.click('#record-keep');
  await page.waitForFunction(() => globalThis.studio.work.lines.length === 2);
  const log = await page.evaluate(() => globalThis.studio.work.lines[1].log);
  assert.equal(JSON.parse(log.split('\n')[0]).unit, 'metre');
  await studio.settled(page);
  await page.keyboard.press('Control+s');
  await page.fill('dialog input', 'caves/left');
  await page.click('dialog .primary');
  await page.waitForSelector('.toast.good:has-text("caves/left.toml")');
  assert.deepEqual(await studio.files('caves'), ['cave_left.mesh', 'left-2.jsonl', 'left.toml']);
  assert.equal((await run(['verify', 'caves/left.toml'], { cwd: studio.folder })).code, 0);
}));

test('plans that are saved tell the same as those of the command line, and as exactly', () => withPage({ files: YARD, path: 'yard.toml' }, async (page) => {
  await page.click('#save');
  await page.click('#save-plan');
  await page.fill('dialog input', 'yard.plan.json');
  await page.click('dialog .primary');
  await page.waitForSelector('.toast.good:has-text("yard.plan.json")');
  const verdict = await run(['verify', 'yard.toml', 'yard.plan.json'], { cwd: studio.folder });
  assert.equal(verdict.code, 0, verdict.said);
  const ours = JSON.parse(await studio.read('yard.plan.json'));
  const { said } = await run(['plan', 'yard.toml', '--format', 'json'], { cwd: studio.folder });
  const theirs = JSON.parse(said);
  assert.deepEqual(Object.keys(ours), Object.keys(theirs));
  assert.deepEqual(Object.keys(ours.steps[0]), Object.keys(theirs.steps[0]));
  assert.ok(ours.steps.every(({ z }) => typeof z === 'number'));
}));

test('what is dragged lands on the floor one sees, and goes up and down where there are several', () => withPage({ files: YARD, path: 'yard.toml' }, async (page) => {
  // What is beside a thing, such as the number of what happens there, has to have followed it.
  const pull = async (places, options) => {
    await studio.settled(page);
    await drag(page, places, options);
  };
  const floor = () => page.locator('#left .storeys span').innerText();
  const isUp = (id, metres) => page.waitForFunction(([name, far]) => Math.round(globalThis.studio.work.scene.things.find((thing) => thing.id === name).height) === far, [id, metres]);
  const isAt = (id, x) => page.waitForFunction(([name, there]) => globalThis.studio.work.scene.things.find((thing) => thing.id === name).at[0][0] === there, [id, x]);
  // From the ground onto the bridge, and under it while it is in the hand.
  await pull([await placeOf(page, 'star'), [14, 4]], { hold: true });
  assert.match(await floor(), /floor 2 of 2/);
  await page.keyboard.press('PageDown');
  assert.match(await floor(), /floor 1 of 2/);
  await page.mouse.up();
  await isUp('star', 0);
  await studio.settled(page);
  const below = (await plan(page)).cost;
  // What is beneath the bridge stays beneath it, until it comes out.
  await pull([[14, 4], [12, 4]]);
  await isAt('star', 12);
  await isUp('star', 0);
  await pull([[12, 4], [12, 1], [14, 4]]);
  await isUp('star', 3);
  await studio.settled(page);
  assert.ok((await plan(page)).cost > below, 'somebody has to go up the ramp');
  // Along the bridge it stays on the bridge, and goes down the ramp with it.
  await pull([[14, 4], [12, 4]]);
  await isAt('star', 12);
  await isUp('star', 3);
  await pull([[12, 4], [4, 4]]);
  await isUp('star', 1);
  // From the ground onto the ramp, also where it is so low that nobody could stand below.
  await pull([[4, 4], [4, 1]]);
  await isUp('star', 0);
  await pull([[4, 1], [4, 4]]);
  await isUp('star', 1);
  await pull([[4, 4], [12, 1]]);
  await isUp('star', 0);
  await pull([[12, 1], [6, 4]]);
  await isUp('star', 2);
  // By the keyboard too.
  await page.focus('[data-thing="star"]');
  await page.keyboard.press('ArrowLeft');
  await isAt('star', 5);
  await page.waitForFunction(() => globalThis.studio.work.scene.things.find(({ id }) => id === 'star').height === 1.32);
  // Down again with a finger, or the mouse.
  await pull([[5, 4], [12, 4]]);
  await isUp('star', 3);
  const down = page.locator('#left .storeys [title^="A floor down"]');
  const button = await down.elementHandle();
  await down.click();
  await isUp('star', 0);
  assert.ok(await button.evaluate((element) => element.isConnected && element.disabled), 'the button stays the same one');
  // Enemies go up and down in a game too.
  await page.click('#tab-play');
  await page.waitForSelector('.person-at.enemy');
  await drag(page, [[18, 7], [15, 4]], { hold: true });
  await page.keyboard.press('PageDown');
  await page.mouse.up();
  await page.waitForFunction(() => globalThis.studio.panels.play.frame.enemies[0].x === 15 && globalThis.studio.panels.play.frame.enemies[0].height === 0.1);
  // Also beside a player, who needs other keys.
  await page.click('#join');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame?.player);
  await drag(page, [[18, 7], [15, 4]]);
  await page.waitForFunction(() => globalThis.studio.panels.play.frame.enemies[0].x === 15);
  const wolfIsUp = (metres) => page.waitForFunction((far) => Math.round(globalThis.studio.panels.play.frame.enemies[0].height) === far, metres);
  await wolfIsUp(3);
  await page.focus('.person-at.enemy');
  await page.keyboard.press('PageDown');
  await wolfIsUp(0);
  await page.keyboard.press('PageUp');
  await wolfIsUp(3);
}));

test('a door that is dragged stays in the hand, and on a ramp each of its cells is as high as the ramp', () => {
  const text = `${YARD['yard.toml']}
[[door]]
id = "gate"
at = [[12, 6], [12.5, 6], [13, 6]]
`;
  return withPage({ files: { ...YARD, 'gate.toml': text }, path: 'gate.toml' }, async (page) => {
    const cells = async (first) => {
      await page.waitForFunction((start) => globalThis.studio.work.text.includes(start), first);
      const written = (await page.evaluate(() => globalThis.studio.work.text)).match(/id = "gate"\nat = (.*)/)[1];
      return JSON.parse(written);
    };
    // Taken by its end, it moves as far as the hand does.
    await drag(page, [[13, 6], [15, 7]]);
    assert.deepEqual((await cells('[[14, 7')).map(([x, y]) => [x, y]), [[14, 7], [14.5, 7], [15, 7]]);
    await drag(page, [[14, 7], [5, 4]]);
    assert.deepEqual(await cells('[[5, 4'), [[5, 4, 1.32], [5.5, 4, 1.5], [6, 4, 1.68]]);
    await drag(page, [[5, 4], [15, 1]]);
    assert.deepEqual(await cells('[[15, 1'), [[15, 1, 0.1], [15.5, 1, 0.1], [16, 1, 0.1]]);
  });
});

test('a reload loses nothing', () => withPage({}, async (page) => {
  await draw(page, [[6, 12], [5, 24], [11, 34], [24, 25], [34, 40], [44, 43]]);
  await page.click('#tab-plan');
  await drag(page, [await placeOf(page, 'key'), [14, 40]]);
  await studio.settled(page);
  await page.fill('#faithful', '30');
  await studio.settled(page);
  const state = () => page.evaluate(() => {
    const { path, text, lines, settings, view } = globalThis.studio.work;
    const { steps, cost } = globalThis.studio.plans.left.plan.plan;
    return JSON.stringify({ path, text, lines, settings, mode: view.mode, steps, cost });
  });
  const before = await state();
  await page.reload();
  await studio.settled(page);
  assert.equal(await state(), before);
}));

test('a level that was left without saving can be gone back to', () => withPage({}, async (page) => {
  await draw(page, [[6, 12], [5, 24], [11, 34], [24, 25], [34, 40], [44, 43]]);
  const state = () => page.evaluate(() => {
    const { path: from, text, lines, changed, was } = globalThis.studio.work;
    return JSON.stringify({ from, text, lines, changed, was });
  });
  const before = await state();
  await page.selectOption('#scenario', 'built-in:bear_bypass.toml');
  await page.waitForSelector('.toast >> text=not saved');
  await page.waitForFunction(() => globalThis.studio.work.path === 'built-in:bear_bypass.toml');
  await studio.settled(page);
  await page.click('#undo');
  assert.equal(await state(), before);
  await studio.settled(page);
  assert.match((await plan(page)).scenario, /quest_key/);
  assert.equal(await page.locator('#scenario').inputValue(), 'built-in:quest_key.toml');
  await page.click('#undo');
  await page.click('#redo');
  assert.equal(await state(), before, 'what was done before is still undone');
  await page.click('#redo');
  await page.waitForFunction(() => globalThis.studio.work.path === 'built-in:bear_bypass.toml');
  await studio.settled(page);
}));

test('two tabs keep their own work, and neither overwrites what the other has saved', () => withPage({ files: { 'shared.toml': HALL }, path: 'shared.toml' }, async (page) => {
  const other = await page.context().newPage();
  await other.goto(studio.home);
  await studio.settled(other);
  await other.selectOption('#scenario', 'shared.toml');
  await other.click('#tab-plan');
  await studio.settled(other);
  const move = async (tab, to) => {
    await drag(tab, [await placeOf(tab, 'goal'), to]);
    await tab.waitForFunction(([x, y]) => String(globalThis.studio.work.scene.things.find(({ id }) => id === 'goal').at[0]) === `${x},${y}`, to);
  };
  await page.bringToFront();
  await move(page, [10, 5]);
  await other.bringToFront();
  await move(other, [12, 7]);
  await page.reload();
  await studio.settled(page);
  assert.deepEqual(await placeOf(page, 'goal'), [10, 5], 'a reload finds the work of this tab');
  await page.keyboard.press('Control+s');
  await page.waitForSelector('.toast.good');
  await other.bringToFront();
  await other.keyboard.press('Control+s');
  await other.waitForSelector('dialog p');
  assert.match(await other.locator('dialog p').innerText(), /changed by somebody else/);
  await other.click('dialog button:not(.primary)');
  assert.match(await studio.read('shared.toml'), /at = \[10, 5\]/);
  await other.keyboard.press('Control+s');
  await other.click('dialog .primary');
  await other.waitForSelector('.toast.good');
  assert.match(await studio.read('shared.toml'), /at = \[12, 7\]/);
}));

test('an older answer never overwrites a newer one', inProgramOnly, async () => {
  const context = await studio.browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  // Answers to plans are held back, each for another while, so that they overtake each other.
  let count = 0;
  await page.routeWebSocket(/\/socket/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      count += 1;
      const wait = String(message).includes('"answer":"plan"') ? [90, 5, 60, 1, 30][count % 5] : 0;
      setTimeout(() => socket.send(message), wait);
    });
  });
  await page.goto(studio.address);
  await page.waitForFunction(() => globalThis.studio?.plans.left.plan?.done);
  await page.click('#tour >> text=Skip');
  await page.click('#tab-plan');
  await page.evaluate(async () => {
    const { plans, work } = globalThis.studio;
    globalThis.seen = [];
    plans.left.on('plan', (answer) => globalThis.seen.push(answer.plan.steps.find(({ events }) => events.includes('picked_up:key'))?.x));
    for (let x = 5; x <= 20; x += 1) {
      const { text, scene } = await globalThis.studio.connection.ask({ ask: 'edit', ...work.level, edits: [{ edit: 'move', thing: 'key', x, y: 40 }] });
      work.change({ text, scene });
      await new Promise((resolve) => { setTimeout(resolve, 15); });
    }
  });
  await page.waitForTimeout(600);
  const seen = await page.evaluate(() => globalThis.seen);
  assert.equal(seen.at(-1), 20);
  assert.deepEqual(seen, [...seen].sort((a, b) => a - b), 'nothing went back');
  await context.close();
});

test('the plan of another level is neither shown nor kept, however late it comes', () => {
  const hold = holdingBack('"answer":"plan"');
  return withPage({ line: hold.line }, async (page) => {
    hold.isOn = true;
    await page.evaluate(() => globalThis.studio.plans.left.full());
    await hold.until(1);
    await page.selectOption('#scenario', 'built-in:bear_bypass.toml');
    await page.waitForFunction(() => globalThis.studio.work.path === 'built-in:bear_bypass.toml');
    assert.equal(await plan(page), undefined, 'the plan of the level before is gone');
    await page.evaluate(() => {
      globalThis.seen = [];
      globalThis.studio.plans.left.on('plan', (answer) => globalThis.seen.push(answer.plan.scenario));
    });
    hold.letGo();
    await studio.settled(page);
    const seen = await page.evaluate(() => globalThis.seen);
    assert.ok(seen.length > 0 && seen.every((scenario) => scenario.startsWith('bear_bypass')), String(seen));
  });
});

test('a game that was left does not come back with an answer that was under way', () => {
  const hold = holdingBack('"npc"');
  return withPage({ line: hold.line }, async (page) => {
    await page.click('#tab-play');
    await page.waitForFunction(() => globalThis.studio.panels.play.frame);
    hold.isOn = true;
    await page.click('#play');
    await hold.until(1);
    await page.click('#tab-plan');
    hold.letGo();
    await page.evaluate(() => globalThis.studio.connection.ask({ ask: 'files' }));
    assert.equal(await page.locator('.map.playing').count(), 0);
    assert.equal(await page.locator('#character').count(), 0);
  });
});

test('fingers can draw and pinch on a tablet', inChromiumOnly('fingers cannot be feigned'), () => withPage({ path: 'built-in:empty_tutorial.toml', viewport: { width: 1024, height: 768 }, hasTouch: true }, async (page) => {
  await page.click('#tab-teach');
  const session = await page.context().newCDPSession(page);
  const touch = (type, points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const lines = await page.evaluate(() => globalThis.studio.work.lines.length);
  const places = [[4, 10], [4, 14], [8, 16], [16, 16], [24, 14]];
  const points = await Promise.all(places.map((place) => onScreen(page, ...place)));
  await touch('touchStart', [points[0]]);
  for (const point of points.slice(1)) await touch('touchMove', [point]);
  await touch('touchEnd', []);
  await page.waitForFunction((count) => globalThis.studio.work.lines.length === count + 1, lines);
  const [a] = await onScreen(page, 10, 10);
  await touch('touchStart', [[300, 300], [400, 300]]);
  await touch('touchMove', [[200, 300], [500, 300]]);
  await touch('touchEnd', []);
  const [b] = await onScreen(page, 10, 10);
  assert.notEqual(a, b, 'it was zoomed');
}));

test('on a tablet a level is played, and recorded, with fingers', inChromiumOnly('fingers cannot be feigned'), () => withPage({ files: { 'hall.toml': HALL }, path: 'hall.toml', viewport: { width: 820, height: 1180 }, hasTouch: true }, async (page) => {
  await page.click('#tab-teach');
  await page.tap('#record');
  await page.waitForSelector('.pad');
  const session = await page.context().newCDPSession(page);
  const hold = async (name, isThere) => {
    const { x, y, width, height } = await page.locator(`.pad [title="${name}"]`).boundingBox();
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: x + width / 2, y: y + height / 2 }] });
    await page.waitForFunction(isThere);
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await hold('Down', () => globalThis.studio.panels.teach.place[1] >= 5);
  await page.tap('.pad [title="Sneak"]');
  await hold('Right', () => globalThis.studio.panels.teach.place[0] >= 5);
  await page.tap('#record-keep');
  await page.waitForFunction(() => globalThis.studio.work.lines.length === 1);
  const log = await page.evaluate(() => globalThis.studio.work.lines[0].log);
  assert.match(log, /"gait":"sneak"/);
  await studio.settled(page);
}));
