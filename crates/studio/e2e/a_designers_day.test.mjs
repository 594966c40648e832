// What was found when designers tried the studio: each of it was otherwise before.

import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { FIELD, Studio, TWO_GATES, drag, inChromiumOnly, placeOf, plan, run } from './harness.mjs';

let studio;
before(async () => { studio = await Studio.start(); });
after(async () => { await studio.stop(); });

const withPage = (options, act) => studio.withPage(options, act);

const saved = (page) => page.waitForFunction(() => !globalThis.studio.work.changed);
const opened = (page, file) => page.waitForFunction((name) => globalThis.studio.work.path === name, file);
const file = (page) => page.locator('#file').innerText();

/** Lets moments pass, as the button for one moment does. */
const pass = (page, moments) => page.evaluate(async (count) => {
  const button = document.getElementById('single');
  for (let moment = 0; moment < count; moment += 1) {
    const { number } = globalThis.studio.panels.play.frame;
    button.click();
    while (globalThis.studio.panels.play.frame.number === number) await new Promise((done) => { setTimeout(done, 5); });
  }
}, moments);

const begun = (page) => page.waitForFunction(() => globalThis.studio.panels.play.frame);

test('the slider and the planner are saved with the level, and the command line plans with them', () => withPage({ files: { 'kept.toml': FIELD }, path: 'kept.toml' }, async (page) => {
  await page.evaluate(() => {
    const { work } = globalThis.studio;
    work.change({ lines: [{ id: 1, name: 'Round', points: [[2, 2], [10, 15], [30, 15], [38, 2]], log: null, hidden: false }] });
  });
  await page.fill('#faithful', '85');
  await studio.settled(page);
  const before_ = await plan(page);
  assert.match(await file(page), /not saved/);
  await page.keyboard.press('Control+s');
  await saved(page);
  assert.match(await studio.read('kept.toml'), /faithful = 0\.85/);
  await page.selectOption('#scenario', 'built-in:quest_key.toml');
  await opened(page, 'built-in:quest_key.toml');
  assert.equal(await page.inputValue('#faithful'), '50', 'another level has its own');
  await page.selectOption('#scenario', 'kept.toml');
  await opened(page, 'kept.toml');
  await studio.settled(page);
  assert.equal(await page.inputValue('#faithful'), '85');
  const after_ = await plan(page);
  assert.deepEqual([after_.cost, after_.steps], [before_.cost, before_.steps]);
  const planned = await run(['plan', path.join(studio.folder, 'kept.toml'), '--format', 'json']);
  const document = JSON.parse(planned.said.slice(planned.said.indexOf('{')));
  assert.deepEqual([document.cost, document.steps], [before_.cost, before_.steps]);
}));

test('no circles are drawn around an enemy that notices nobody', () => withPage({ path: 'built-in:bear_lever.toml' }, async (page) => {
  assert.equal(await page.locator('#left .notice').count(), 0);
  await page.selectOption('#scenario', 'built-in:quest_compound.toml');
  await opened(page, 'built-in:quest_compound.toml');
  assert.ok(await page.locator('#left .notice').count() > 0);
}));

test('whoever comes back to a level finds what was not saved, and what is undone is saved', () => withPage({ files: { 'field.toml': FIELD }, path: 'field.toml' }, async (page) => {
  await drag(page, [[38, 2], [30, 10]]);
  await page.waitForFunction(() => globalThis.studio.work.text.includes('[30, 10]'));
  await studio.settled(page);
  assert.match(await file(page), /^field.toml · not saved$/);
  await page.selectOption('#scenario', 'built-in:quest_key.toml');
  await opened(page, 'built-in:quest_key.toml');
  await page.selectOption('#scenario', 'field.toml');
  await opened(page, 'field.toml');
  await page.waitForFunction(() => globalThis.studio.work.text.includes('[30, 10]'));
  await page.keyboard.press('Control+z');
  await saved(page);
  assert.equal(await file(page), 'field.toml');
}));

test('a broken level is in the list, opens with its mistake, and is mended there', async () => {
  const files = { 'broken.toml': `${FIELD}\n[[key]]\nid = "red\nat = [3, 3]\n`, 'typo.toml': FIELD.replace('start', 'strat') };
  await withPage({ files }, async (page) => {
    const options = await page.locator('#scenario option').allInnerTexts();
    for (const name of ['broken', 'typo']) assert.ok(options.includes(`${name} (broken)`), options.join());
    await page.selectOption('#scenario', 'typo.toml');
    await page.waitForSelector('#broken-why');
    assert.match(await page.locator('#broken-why').innerText(), /^Line 3, column 1.*strat.*start/i);
    const selected = await page.evaluate(() => {
      const area = document.getElementById('broken-text');
      return area.value.slice(area.selectionStart, area.selectionEnd);
    });
    assert.match(selected, /^strat/);
    assert.ok(await page.locator('#broken-save').isDisabled());
    await page.fill('#broken-text', FIELD.replace('A wide field', 'Mended'));
    await page.waitForSelector('#broken-why.good');
    await page.click('#broken-save');
    await opened(page, 'typo.toml');
    assert.match(await studio.read('typo.toml'), /Mended/);
  });
});

/** A log of somebody who stands about most of the time. */
const pausing = () => {
  const lines = ['{"format":1,"scenario":"field","interval":0.5,"unit":"cell"}'];
  let t = 0;
  for (let x = 2; x <= 38; x += 2) {
    lines.push(JSON.stringify({ t, x, y: 2, gait: 'walk', health: 100, stamina: 100, holding: [], flags: {}, agents: {}, events: [] }));
    for (let wait = 0; wait < 30; wait += 1) {
      t += 1;
      lines.push(JSON.stringify({ t, x, y: 2, gait: 'walk', health: 100, stamina: 100, holding: [], flags: {}, agents: {}, events: [] }));
    }
    t += 0.5;
  }
  return `${lines.join('\n')}\n`;
};

test('what Teach says of a line is what Plan says, and pauses can be removed', () => withPage({ files: { 'field.toml': FIELD }, path: 'field.toml' }, async (page) => {
  await page.click('#tab-teach');
  await page.evaluate((text) => globalThis.studio.panels.teach.take('pausing.jsonl', text), pausing());
  await studio.settled(page);
  await page.waitForSelector('.remove-pauses');
  const covered = await page.evaluate(() => globalThis.studio.plans.left.plan.covered[0]);
  const told = await page.locator('.findings').innerText();
  assert.equal(/too long/i.test(told), covered < 0.5, `${covered}: ${told}`);
  const ignored = await page.evaluate(() => globalThis.studio.plans.left.plan.ignored.length);
  assert.equal(ignored > 0, covered < 0.5);
  await page.click('.remove-pauses');
  await page.waitForFunction(() => !document.querySelector('.remove-pauses'));
  const [line] = await page.evaluate(() => globalThis.studio.work.lines);
  const samples = line.log.trim().split('\n').slice(1).map((text) => JSON.parse(text));
  assert.ok(samples.at(-1).t < 20, `${samples.at(-1).t} s are left`);
  assert.equal(samples.at(-1).x, 38);
}));

test('the panel of the plan says first whether it works, then how alike, then what it costs', () => withPage({ path: 'built-in:quest_compound.toml' }, async (page) => {
  const told = (await page.locator('.result').innerText()).split('\n');
  const at = (word) => told.findIndex((line) => line.includes(word));
  assert.ok(at('It works') >= 0 && at('It works') < at('Like what you showed') && at('Like what you showed') < at('Guaranteed'), told.join('|'));
  await page.waitForFunction(() => globalThis.studio.quickest.isDone && /quickest/.test(document.getElementById('price').textContent));
  const { cost } = await plan(page);
  const { cost: best } = await page.evaluate(() => globalThis.studio.quickest.plan);
  assert.ok(best <= cost + 1e-9);
  const price = await page.locator('#price').innerText();
  if (cost - best >= 0.05) assert.ok(price.includes(`${Math.round((100 * (cost - best)) / best)} % slower`), price);
  assert.match(await page.locator('#bound').innerText(), /^(Guaranteed at most [\d.]+× the best|The best there is)$/);
  // What is said twice is said alike.
  const implied = await page.locator('#implied').innerText();
  const bound = await page.locator('#bound').innerText();
  const [a, b] = [implied, bound].map((text) => text.match(/[\d.]+×/)?.[0]);
  if (b) assert.ok(Number.parseFloat(b) <= Number.parseFloat(a), `${bound} beside ${implied}`);
  await page.click('#legend summary');
  assert.ok((await page.locator('#legend li').count()) >= 8);
}));

test('where an enemy blocks every way it is named', () => {
  const level = `format = 1\nstart = [0, 1]\nhealth = 1\ngoal = { within = { at = [12, 1], radius = 0.0 } }\nmap = { rows = ["#############", ".............", "#############"] }\n[[enemy]]\nid = "gate_guard"\nkind = "guard"\nat = [6, 1]\n`;
  return withPage({ files: { 'corridor.toml': level }, path: 'corridor.toml' }, async (page) => {
    await page.waitForSelector('#obstacle');
    assert.equal(await page.locator('#obstacle').innerText(), 'The gate guard blocks every way, and there is no shield.');
  });
});

test('an enemy that was moved is the reason, in those words', () => withPage({ path: 'built-in:bear_bypass.toml' }, async (page) => {
  await page.click('#tab-play');
  await begun(page);
  await pass(page, 30);
  const ahead = await page.evaluate(() => globalThis.studio.panels.play.frame.mind.ahead);
  const [x, y] = ahead[Math.min(12, ahead.length - 1)];
  const [bear] = await page.evaluate(() => globalThis.studio.panels.play.frame.enemies);
  await drag(page, [[bear.x, bear.y], [Math.round(x), Math.round(y)]]);
  await pass(page, 20);
  await page.waitForFunction(() => /was moved/.test(document.getElementById('log').textContent));
  assert.ok(!/away from where/.test(await page.locator('#panel').innerText()));
}));

test('the timeline is clicked to go to a moment, and shows the way before and after', () => withPage(TWO_GATES, async (page) => {
  await page.click('#tab-play');
  await begun(page);
  await page.check('#pause-at-plans');
  await pass(page, 5);
  await page.click('#play');
  await page.click('#disturb [data-id="near_gate"] button');
  await page.waitForFunction(() => document.getElementById('play').getAttribute('aria-pressed') === 'false' && document.querySelector('#log .replan'));
  await page.uncheck('#pause-at-plans');
  await pass(page, 20);
  await page.waitForFunction(() => /has a new plan/.test(document.getElementById('log').textContent));
  const { number } = await page.evaluate(() => globalThis.studio.panels.play.frame);
  await page.locator('#log li.replan button', { hasText: 'has a new plan' }).first().click();
  await page.waitForFunction((was) => globalThis.studio.panels.play.frame.number < was, number);
  await page.waitForSelector('.way-before');
  assert.ok(await page.locator('.been-way').count() > 0, 'where it has been is seen');
  assert.ok(await page.locator('#marks .replan').count() > 0);
  assert.ok(await page.locator('.nose').count() > 0, 'where it looks is seen');
}));

test('a line is bent by its points, a stretch drawn anew, and walls are warned of', () => withPage({ path: 'built-in:quest_key.toml' }, async (page) => {
  await page.click('#tab-teach');
  await page.evaluate(() => {
    const { work } = globalThis.studio;
    work.change({ lines: [{ id: 7, name: 'Mine', points: [[6, 12], [6, 24], [12, 30], [20, 36], [24, 25]], log: null, hidden: false }] });
    globalThis.studio.selectLine(7);
  });
  await studio.settled(page);
  await drag(page, [[12, 30], [14, 34]]);
  const points = () => page.evaluate(() => globalThis.studio.work.lines.find(({ id }) => id === 7).points);
  await page.waitForFunction(() => globalThis.studio.work.lines.find(({ id }) => id === 7).points[2][0] > 13);
  assert.equal((await points()).length, 5);
  await page.evaluate(() => globalThis.studio.selectLine(7));
  await page.evaluate(() => globalThis.studio.panels.teach.setTool('draw'));
  await drag(page, [[6, 17], [9, 20], [9, 28], [16.6, 35]]);
  await page.waitForFunction(() => globalThis.studio.work.lines.find(({ id }) => id === 7).points.length > 5);
  assert.equal(await page.evaluate(() => globalThis.studio.work.lines.length), 1);
  await page.click('#tool-draw');
  await drag(page, [[6, 14], [25, 3], [26, 3]], { hold: true });
  await page.waitForSelector('.in-wall');
  assert.match(await page.locator('#hint').innerText(), /through a wall/);
  await page.mouse.up();
}));

test('small things: Space, 0, names of copies, toasts, saving elsewhere, the eye, the tour', async () => {
  const files = { 'one.toml': FIELD, 'two.toml': FIELD };
  await withPage({ files, path: 'one.toml' }, async (page) => {
    const options = await page.locator('#scenario option').allInnerTexts();
    assert.ok(options.includes('A wide field · one.toml') && options.includes('A wide field · two.toml'), options.join());
    await page.click('#tab-teach');
    await page.keyboard.press(' ');
    assert.equal(await page.evaluate(() => globalThis.studio.work.view.mode), 'teach');
    await page.click('#tab-plan');
    await page.click('#zoom button >> nth=0');
    const scale = () => page.evaluate(() => document.querySelector('svg.map').style.getPropertyValue('--cell'));
    const nearer = await scale();
    await page.focus('#show-radii');
    await page.keyboard.press('0');
    assert.notEqual(await scale(), nearer);
    await page.evaluate(() => globalThis.studio.edit([{ edit: 'move', thing: 'nobody', x: 1, y: 1 }]));
    await page.waitForSelector('.toast');
    const [toast, map] = await page.evaluate(() => ['.toast', '#left'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
    assert.ok(toast.left >= map.right, 'a message lies beside the map');
    // What was typed is not lost with what is wrong with it.
    await page.click('#save');
    await page.click('#save-as');
    await page.fill('dialog input', '../outside');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog .field-wrong');
    assert.equal(await page.inputValue('dialog input'), '../outside');
    assert.match(await page.locator('dialog .field-wrong').innerText(), /\.\.\/outside/);
    await page.keyboard.press('Escape');
    await page.click('#tab-tasks');
    await page.selectOption('#scenario', 'two.toml');
    await opened(page, 'two.toml');
    await page.waitForSelector('#left', { state: 'visible' });
    await page.evaluate(() => {
      const { work } = globalThis.studio;
      work.change({ lines: [{ id: 1, name: 'Mine', points: [[2, 2], [20, 9], [38, 2]], log: null, hidden: false }] });
    });
    await page.click('#tab-teach');
    assert.equal(await page.locator('.line-card [aria-label="Follow it"]').getAttribute('aria-pressed'), 'true');
    await page.click('#help');
    await page.click('#tour-next');
    assert.ok(!/key/.test(await page.locator('#tour').innerText()), 'there is no key here');
  });
});

test('on a telephone the keys for fingers are seen while one records', inChromiumOnly('fingers cannot be feigned'), () => withPage({ files: { 'field.toml': FIELD }, path: 'field.toml', viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true }, async (page) => {
  await page.click('#tab-teach');
  await page.click('#record');
  await page.waitForSelector('.pad .arrows');
  const box = await page.locator('.pad .arrows').boundingBox();
  assert.ok(box.y + box.height <= 780, JSON.stringify(box));
}));

test('in Compare, what is dragged on one map is dragged on the other', () => withPage({}, async (page) => {
  await page.evaluate(() => globalThis.studio.work.set('view', { compare: true }));
  await studio.settled(page);
  const key = await placeOf(page, 'key');
  await drag(page, [key, [20, 40]], { hold: true });
  const shown = await page.evaluate(() => {
    const { x, y } = document.querySelector('#right [data-thing="key"]').dataset;
    return [Number(x), Number(y)];
  });
  assert.deepEqual(shown, [20, 40]);
  await page.mouse.up();
}));
