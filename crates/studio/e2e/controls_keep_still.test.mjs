// Whoever is about to press something finds it where it was, whatever the plan does meanwhile.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Studio, TWO_GATES, drag, onScreen, placeOf } from './harness.mjs';

let studio;
before(async () => { studio = await Studio.start(); });
after(async () => { await studio.stop(); });

const withPage = (options, act) => studio.withPage(options, act);

/** Where everything on the panel is that can be pressed, but for what tells of the plan itself. */
const controls = (page) => page.evaluate(() => {
  const all = [...document.querySelectorAll('#panel :is(button, input, select, summary)')].filter((one) => !one.closest('.told, .pad, .log') && one.checkVisibility());
  return all.map((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return `${one.id || one.closest('[data-id]')?.dataset.id || one.textContent} ${[left, top, width, height].map(Math.round)}`;
  });
});

/** The middle of something on the panel. */
async function middle(page, selector) {
  const { x, y, width, height } = await page.locator(selector).first().boundingBox();
  return [x + width / 2, y + height / 2];
}

for (const viewport of [{ width: 1280, height: 720 }, { width: 1000, height: 600 }, { width: 820, height: 1180 }]) {
  test(`plans come and go, and nothing on their panel moves: ${viewport.width} × ${viewport.height}`, () => withPage({ path: 'built-in:quest_compound.toml', viewport }, async (page) => {
    await page.check('#show-search');
    await page.selectOption('#estimate', 'path');
    await page.waitForSelector('.scale');
    const before = await controls(page);
    const story = () => page.locator('#story li').count();
    const stays = async (when) => assert.deepEqual(await controls(page), before, when);
    const long = await story();
    // Over a wall, and beside it; with the door open there is less to tell.
    await drag(page, [await placeOf(page, 'key'), [26, 3]], { hold: true });
    await page.waitForSelector('.result >> text=Can\'t go here');
    await stays('over a wall');
    await page.mouse.move(...(await onScreen(page, 20, 30)));
    await page.waitForSelector('#cost');
    await stays('beside it');
    await page.mouse.up();
    await studio.settled(page);
    await page.evaluate(() => globalThis.studio.edit([{ edit: 'door', thing: 'room', open: true }]));
    await page.waitForFunction((count) => document.querySelectorAll('#story li').length !== count, long);
    await studio.settled(page);
    await stays('with less to tell');
    // No plan at all, and one with a long reason why a line is left alone.
    await page.evaluate(() => {
      const { plans: { left: planning } } = globalThis.studio;
      const { plan } = planning;
      planning.emit('plan', { ...plan, plan: { ...plan.plan, status: 'impossible', steps: [] }, drawn: [], stretches: [] }, 'full');
    });
    await page.waitForSelector('.result >> text=No plan');
    await stays('without a plan');
    await page.evaluate(() => {
      const { plans: { left: planning } } = globalThis.studio;
      planning.emit('plan', { ...planning.plan, ignored: Array(4).fill({ demonstration: 0, text: `“a line” is hardly followed: ${'it leads elsewhere and '.repeat(6)}back` }) }, 'full');
    });
    assert.equal(await page.locator('.ignored').count(), 4);
    await stays('with a lot to say');
    // Nothing shown at all.
    await page.evaluate(() => globalThis.studio.work.change({ lines: [] }));
    await studio.settled(page);
    await stays('with nothing shown');
  }));
}

test('while a game goes on, nothing on its panel moves', () => withPage(TWO_GATES, async (page) => {
  await page.click('#tab-play');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame);
  const before = await controls(page);
  await page.selectOption('#speed', '8');
  // As a hand does, which does not scroll.
  await page.mouse.click(...(await middle(page, '#play')));
  await page.waitForFunction(() => Number(document.getElementById('timeline').value) > 20);
  assert.deepEqual(await controls(page), before);
  const gap = '#disturb [data-id="near_gate"] button';
  const button = await page.locator(gap).elementHandle();
  await page.mouse.click(...(await middle(page, gap)));
  await page.waitForFunction(() => document.getElementById('replan-why').textContent !== '');
  await page.waitForFunction(() => document.getElementById('mind').dataset.state === 'done', null, { timeout: 60_000 });
  assert.ok(await page.locator('#log li').count() > 3, 'a lot has happened');
  assert.deepEqual(await controls(page), before);
  await page.evaluate(() => { document.getElementById('play-clock').textContent += ' · holds the red key, the blue key and a shield'; });
  assert.deepEqual(await controls(page), before);
  assert.ok(await button.evaluate((element) => element.isConnected), 'the button stays the same one');
}));

test('while something is recorded, the buttons stay where they are', () => withPage({ path: 'built-in:k1d1_close.toml' }, async (page) => {
  await page.keyboard.press('r');
  await page.waitForSelector('#record-keep');
  const before = await controls(page);
  await page.keyboard.down('ArrowUp');
  await page.waitForFunction(() => document.getElementById('clock').textContent >= '1');
  assert.deepEqual(await controls(page), before);
  await page.evaluate(() => { document.querySelector('.state').textContent = 'health 100 · sneak · holds the red key, the blue key and a shield '.repeat(2); });
  assert.deepEqual(await controls(page), before);
  await page.keyboard.up('ArrowUp');
}));

test('what is pressed while a plan comes is pressed', () => withPage({ path: 'built-in:quest_compound.toml' }, async (page) => {
  const another = async () => {
    await page.evaluate(() => globalThis.studio.plans.left.full());
    await studio.settled(page);
  };
  const press = async (selector) => {
    await page.mouse.move(...(await middle(page, selector)));
    await page.mouse.down();
    await another();
    await page.mouse.up();
  };
  await press('#story li:nth-child(2) button');
  assert.ok(await page.locator('#why').isVisible());
  await page.click('#tab-teach');
  await another();
  await press('.line-card [aria-label="Follow it"]');
  await page.waitForFunction(() => globalThis.studio.work.lines[0].hidden);
}));

test('who goes through the panel by keyboard stays at the same control', () => withPage({ path: 'built-in:quest_compound.toml' }, async (page) => {
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.title);
  await page.focus('#show-radii');
  await page.keyboard.press('Space');
  assert.equal(await focused(), 'show-radii');
  await page.click('#tab-teach');
  await page.focus('.line-card [aria-label="Follow it"]');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => globalThis.studio.work.lines[0].hidden);
  assert.equal(await focused(), 'Left out: let the plan follow it again');
  // A name that is half written stays, also when what may be wrong with the line comes in.
  const name = page.locator('.line-card .name').first();
  const input = await name.elementHandle();
  await name.focus();
  assert.ok(await input.evaluate((element) => element.isConnected && element.closest('.selected')), 'who begins to write writes into the same box');
  await name.fill('Past the gua');
  await page.evaluate(() => globalThis.studio.panel.show());
  await page.keyboard.type('rd');
  assert.equal(await name.inputValue(), 'Past the guard');
}));

test('a name that was being written when the panel was filled anew is taken, however the writing ends', () => withPage({ path: 'built-in:quest_compound.toml' }, async (page) => {
  await page.click('#tab-teach');
  const name = page.locator('.line-card .name').first();
  const known = () => page.evaluate(() => globalThis.studio.work.lines[0].name);
  const first = await known();
  const write = async (text, more = '') => {
    await name.fill(text);
    // Twice, because what was carried over once may be carried over again.
    for (let time = 0; time < 2; time += 1) await page.evaluate(() => globalThis.studio.panel.show());
    assert.equal(await known(), first, 'nobody has left the box yet');
    await page.keyboard.type(more);
  };
  const undo = async () => {
    await page.click('#undo');
    assert.equal(await known(), first);
  };
  await write('Past the guard');
  await page.click('#panel h2 >> nth=0');
  assert.equal(await known(), 'Past the guard');
  await undo();
  await write('Past the gua', 'rd');
  await page.keyboard.press('Tab');
  assert.equal(await known(), 'Past the guard');
  await undo();
  await write('Past the guard');
  await page.keyboard.press('Enter');
  assert.equal(await known(), 'Past the guard');
  await undo();
  // Enter that only ends the choice of a word says nothing about the name.
  await write('Past');
  await name.evaluate((input) => input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })));
  assert.equal(await known(), first);
  await page.keyboard.type(' the guard');
  await page.click('#panel h2 >> nth=0');
  assert.equal(await known(), 'Past the guard');
  await undo();
  // The box goes away.
  await write('Past the guard');
  await page.evaluate(() => globalThis.studio.panels.teach.record());
  await page.waitForSelector('#record-keep');
  assert.equal(await known(), 'Past the guard');
  await page.click('#record-keep');
  await studio.settled(page);
}));

test('what explains a step stays where it is from step to step', () => withPage({ path: 'built-in:quest_compound.toml' }, async (page) => {
  await page.click('#story li:nth-child(1) button');
  const place = () => middle(page, '#why [title^="The next step"]');
  const before = await place();
  for (let step = 0; step < 90; step += 1) {
    await page.mouse.click(...before);
    assert.deepEqual(await place(), before, `after ${step + 1} steps`);
  }
}));
