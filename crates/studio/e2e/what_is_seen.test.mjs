// What people see when: nothing that matters is hidden, and what is out of date looks like it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Studio, drag, holdingBack, onScreen, placeOf, plan, whereHappens } from './harness.mjs';

let studio;
before(async () => { studio = await Studio.start(); });
after(async () => { await studio.stop(); });

const withPage = (options, act) => studio.withPage(options, act);

const strength = (page, selector) => page.evaluate((one) => {
  const style = getComputedStyle(document.querySelector(one));
  return style.display === 'none' ? 0 : Number(style.opacity);
}, selector);

test('over a wall the plan fades, and is back where the thing can be put', () => withPage({}, async (page) => {
  assert.equal(await strength(page, '.layer.plan'), 1);
  await drag(page, [await placeOf(page, 'key'), [25, 3]], { hold: true });
  await page.waitForSelector('.thing.refused');
  assert.ok(await strength(page, '.layer.plan') < 0.5);
  assert.match(await page.locator('#panel .result').innerText(), /Can't go here/);
  assert.ok(await page.locator('#story').isVisible(), 'what happened before stays where it was');
  await page.mouse.move(...(await onScreen(page, 20, 40)), { steps: 8 });
  await page.mouse.up();
  await studio.settled(page);
  assert.equal(await strength(page, '.layer.plan'), 1);
  assert.deepEqual(whereHappens(await plan(page), 'picked_up:key'), [20, 40]);
}));

test('words about a plan never come after words about a newer one', () => withPage({}, async (page) => {
  const told = await page.evaluate(async () => {
    const { plans } = globalThis.studio;
    const first = plans.left.plan;
    const { steps } = first.plan;
    const lasting = (seconds) => ({ ...first, plan: { ...first.plan, steps: [...steps.slice(0, -1), { ...steps.at(-1), t: seconds }] } });
    plans.left.emit('plan', lasting(1), 'live');
    plans.left.emit('plan', lasting(2), 'full');
    await new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve, 50)); });
    return document.getElementById('cost').textContent;
  });
  assert.equal(told, '2.0 s');
}));

test('what getting ready took is said beside what the search took', () => withPage({}, async (page) => {
  const { preparation, expansions } = await page.evaluate(() => globalThis.studio.plans.left.plan.plan);
  assert.ok(preparation > 0 && expansions > 0);
  // It is for experts.
  const effort = () => page.locator('#effort').textContent();
  const told = await effort();
  const counts = told.match(/Studied the map in ([\d\u202f]+) looks and [\d.]+ ms, then looked at ([\d\u202f]+) states in [\d.]+ ms/)?.slice(1);
  assert.deepEqual(counts?.map((count) => Number(count.replaceAll('\u202f', ''))), [preparation, expansions], told);
  // A planner that looks ahead in a straight line has nothing to get ready.
  await page.evaluate(() => globalThis.studio.work.setSettings('left', { planner: 'wastar' }));
  await studio.settled(page);
  assert.match(await effort(), /^Looked at/);
  assert.ok(!(await page.locator('#effort').isVisible()));
}));

test('where there is no plan it is said what is in the way', () => {
  const level = (rows, more = '') => `format = 1\nstart = [0, 0]\ngoal = { within = { at = [8, 0], radius = 0.0 } }\nmap = { rows = ["${rows}"] }\n${more}`;
  const files = {
    'walled.toml': level('....#....'),
    'locked.toml': level('.........', '[[door]]\nid = "iron_gate"\nat = [[4, 0]]\n'),
  };
  return withPage({ files, path: 'walled.toml' }, async (page) => {
    assert.match(await page.locator('.result').innerText(), /No plan/);
    assert.match(await page.locator('#told').innerText(), /What is in the way\s.*look at the walls/s);
    await page.selectOption('#scenario', 'locked.toml');
    await page.waitForFunction(() => /No key and no lever opens iron gate/.test(document.getElementById('told').innerText));
    // The door opens by hand, and there is a plan again.
    await page.evaluate(() => globalThis.studio.edit([{ edit: 'door', thing: 'iron_gate', open: true }]));
    await page.waitForSelector('#cost');
    assert.equal(await page.locator('#obstacle').count(), 0);
  });
});

test('before a game begins the plan is seen, then the way ahead', () => withPage({ path: 'built-in:bear_bypass.toml' }, async (page) => {
  await page.click('#tab-play');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame);
  assert.equal(await strength(page, '.layer.plan'), 1);
  await page.click('#single');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame.mind.ahead.length > 0);
  assert.equal(await strength(page, '.layer.plan'), 0);
  assert.equal(await page.locator('.layer.ahead .way').count(), 1);
  // While somebody is recorded, no plan tells what to do.
  await page.keyboard.press('r');
  await page.waitForSelector('#record-keep');
  assert.equal(await strength(page, '.layer.plan'), 0);
}));

test('a game that is paused shows the moment it is in', () => withPage({ path: 'built-in:quest_key.toml' }, async (page) => {
  await page.click('#tab-play');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame);
  await page.click('#play');
  await page.waitForFunction(() => Number(document.getElementById('timeline').value) > 3);
  await page.click('#play');
  await page.waitForFunction(() => document.getElementById('play').textContent.includes('Play'));
  const [shown, now] = await page.evaluate(async () => {
    const { frame: { npc: { x, y }, number } } = globalThis.studio.panels.play;
    const { dataset } = document.getElementById('character');
    return [[Number(dataset.x), Number(dataset.y), Number(document.getElementById('timeline').value)], [x, y, number]];
  });
  assert.deepEqual(shown, now);
}));

test('in a game, what cannot be put down goes back and leaves nothing faded', () => withPage({}, async (page) => {
  await page.click('#tab-play');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame);
  await drag(page, [await placeOf(page, 'key'), [25, 3]], { hold: true });
  await page.waitForSelector('.outdated .thing.refused');
  await page.mouse.up();
  await page.waitForSelector('.toast.wrong');
  assert.equal(await page.locator('.refused').count(), 0);
  assert.equal(await page.locator('.outdated').count(), 0);
  await page.click('#tab-plan');
  assert.equal(await strength(page, '.layer.plan'), 1);
}));

test('no plan is seen in a game that is no longer the one it was made for', () => withPage({}, async (page) => {
  await page.click('#tab-play');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame);
  assert.equal(await strength(page, '.layer.plan'), 1);
  await drag(page, [await placeOf(page, 'room')]);
  await page.waitForFunction(() => globalThis.studio.panels.play.frame.open.includes('room'));
  assert.equal(await strength(page, '.layer.plan'), 0);
  await page.click('#restart');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame?.open.length === 0);
  assert.equal(await strength(page, '.layer.plan'), 1, 'a new game is the one that was planned for');
}));

test('who joins in stands beside the character', () => withPage({ path: 'built-in:bear_bypass.toml' }, async (page) => {
  await page.click('#tab-play');
  await page.click('#join');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame?.player);
  const { npc, player } = await page.evaluate(() => globalThis.studio.panels.play.frame);
  const far = Math.hypot(player.x - npc.x, player.y - npc.y);
  assert.ok(far >= 1 && far < 4, `${far} away`);
}));

test('what explains a step hides neither the way nor anything on the map', () => withPage({ path: 'built-in:quest_compound.toml' }, async (page) => {
  for (const chapter of [1, 2, 4]) {
    await page.click(`#story li:nth-child(${chapter}) button`);
    const hidden = await page.evaluate(() => {
      const { left, right, top, bottom } = document.getElementById('why').getBoundingClientRect();
      return globalThis.studio.maps.left.places.filter(([x, y]) => x > left && x < right && y > top && y < bottom).length;
    });
    assert.equal(hidden, 0, `chapter ${chapter}`);
  }
}));

test('what explains colours is seen as soon as there are colours', () => withPage({ path: 'built-in:quest_compound.toml' }, async (page) => {
  const isInSight = (selector) => page.waitForFunction((one) => {
    const { top, bottom, height } = document.querySelector(one)?.getBoundingClientRect() ?? {};
    const panel = document.getElementById('panel').getBoundingClientRect();
    return height > 0 && top >= panel.top && bottom <= panel.bottom;
  }, selector);
  await page.check('#show-search');
  await isInSight('#scrub');
  await page.uncheck('#show-search');
  await page.selectOption('#estimate', 'path');
  await isInSight('.scale');
}));

test('how much was looked at is told of the plan that is seen, or not at all', () => withPage({}, async (page) => {
  await page.check('#show-search');
  const isTold = (pattern) => page.waitForFunction((words) => new RegExp(words).test(document.querySelector('.scrubber span').textContent), pattern);
  await isTold('looked at$');
  // While something is dragged, nobody says where the search looked.
  await drag(page, [await placeOf(page, 'key'), [20, 40]], { hold: true });
  await page.waitForFunction(() => !document.querySelector('.told .legend').textContent);
  await isTold('^$');
  await page.mouse.up();
  await studio.settled(page);
  await isTold('looked at$');
}));

test('nobody is told that the studio is busy as long as it is quick', () => withPage({}, async (page) => {
  await page.evaluate(() => {
    // How long somebody has waited who is told, on a machine of any speed.
    globalThis.waited = [];
    const status = document.getElementById('status');
    let was = false;
    new MutationObserver(() => {
      const isBusy = status.classList.contains('busy');
      const { left, right } = globalThis.studio.plans;
      if (isBusy && !was) globalThis.waited.push(performance.now() - Math.min(...[left, right].filter((side) => side.isBusy).map(({ since }) => since)));
      was = isBusy;
    }).observe(status, { attributes: true });
  });
  await drag(page, [await placeOf(page, 'key'), [20, 40], [10, 30]], { steps: 20 });
  await studio.settled(page);
  const [waited, asked] = await page.evaluate(() => [globalThis.waited, globalThis.studio.connection.asked]);
  assert.ok(asked > 5);
  assert.ok(waited.every((time) => time >= 250), `told after ${waited.join(', ')} ms`);
}));

test('that one side is slow is told, however quick the other is', () => {
  const hold = holdingBack('"side":"right"');
  return withPage({ line: hold.line }, async (page) => {
    await page.click('summary >> text=For experts');
    await page.click('#compare');
    await studio.settled(page);
    hold.isOn = true;
    const [x, y] = await placeOf(page, 'key');
    await drag(page, [[x, y]], { hold: true });
    const isTold = () => page.locator('#status.busy').count();
    // The hand never rests for so long that somebody would wonder.
    for (let move = 1; move <= 200 && !(await isTold()); move += 1) {
      await page.mouse.move(...(await onScreen(page, x + (move % 5), y)));
      await page.waitForTimeout(20);
    }
    assert.equal(await isTold(), 1);
    hold.letGo();
    await page.mouse.up();
    await studio.settled(page);
    assert.equal(await isTold(), 0);
  });
});

for (const level of ['quest_key', 'bear_bypass', 'grotto']) {
  test(`a way is drawn without sharp corners, and where it leads: ${level}`, () => withPage({ path: `built-in:${level}.toml` }, async (page) => {
    const seen = await page.evaluate(() => {
      const { drawn } = globalThis.studio.plans.left.plan;
      const along = (line) => {
        const points = [];
        for (let at = 0; at <= line.getTotalLength(); at += 0.1) points.push(line.getPointAtLength(at));
        return points.map(({ x, y }) => [x, y]);
      };
      const off = ([x, y], [ax, ay], [bx, by]) => {
        const length = (bx - ax) ** 2 + (by - ay) ** 2;
        const part = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
        return Math.hypot(x - ax - part * (bx - ax), y - ay - part * (by - ay));
      };
      const offAll = (point, line) => Math.min(...line.slice(1).map((end, index) => off(point, line[index], end)));
      const way = along(document.querySelector('#left .layer.plan .casing'));
      const pieces = [...document.querySelectorAll('#left .layer.plan .way')].map(along);
      const turns = way.slice(2).map(([x, y], index) => {
        const [[ax, ay], [bx, by]] = [way[index], way[index + 1]];
        const turn = Math.abs(Math.atan2(y - by, x - bx) - Math.atan2(by - ay, bx - ax));
        return Math.min(turn, 2 * Math.PI - turn);
      });
      return {
        fromWay: Math.max(...way.map((point) => offAll(point, drawn))),
        fromSteps: Math.max(...drawn.map((point) => offAll(point, way))),
        gaps: pieces.slice(1).map((piece, index) => Math.hypot(piece[0][0] - pieces[index].at(-1)[0], piece[0][1] - pieces[index].at(-1)[1])),
        fromPieces: Math.max(...pieces.flat().map((point) => offAll(point, way))),
        sharp: turns.filter((turn) => turn > 0.6 && turn < 1.7).length,
        bends: turns.filter((turn) => turn > 0.05).length,
      };
    });
    assert.ok(seen.bends > 0, 'it is no straight line');
    assert.ok(seen.fromWay < 0.2 && seen.fromSteps < 0.2, JSON.stringify(seen));
    assert.ok(seen.fromPieces < 0.02 && seen.gaps.every((gap) => gap < 0.15), JSON.stringify(seen));
    assert.equal(seen.sharp, 0, JSON.stringify(seen));
  }));
}

test('what is opened for experts is seen', () => withPage({ path: 'built-in:quest_compound.toml', viewport: { width: 1366, height: 768 } }, async (page) => {
  await page.click('#experts summary');
  await page.waitForFunction(() => {
    const [panel, last] = ['panel', 'compare'].map((id) => document.getElementById(id).getBoundingClientRect());
    // Less than a pixel is not seen.
    return last.bottom < panel.bottom + 1;
  });
}));
