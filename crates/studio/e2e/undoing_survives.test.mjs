// What was done can be undone, and what was undone can be redone, also after a reload and beside other tabs.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FIELD, Studio, holdingBack } from './harness.mjs';

let studio;
before(async () => { studio = await Studio.start(); });
after(async () => { await studio.stop(); });

const withPage = (options, act) => studio.withPage({ files: { 'field.toml': FIELD }, path: 'field.toml', ...options }, act);

/** Draws lines, each of which can be undone; with a log of its own, of so many characters. */
const addLines = (page, names, size = 0) => page.evaluate(([all, characters]) => {
  const { work } = globalThis.studio;
  for (const name of all) {
    const log = characters > 0 ? name.padEnd(characters, 'x') : null;
    const id = 90 + work.lines.length;
    work.change({ lines: [...work.lines, { id, name, points: [[2, 2], [5, 5]], log, hidden: true }] });
  }
}, [names, size]);

const names = (page) => page.evaluate(() => globalThis.studio.work.lines.map(({ name }) => name));

const until = (page, count) => page.waitForFunction((lines) => globalThis.studio.work.lines.length === lines, count);

async function reload(page) {
  await page.reload();
  await studio.settled(page);
}

test('what was undone to the very beginning can be redone after a reload', () => withPage({}, async (page) => {
  await addLines(page, ['one']);
  await page.keyboard.press('Control+z');
  assert.deepEqual(await names(page), []);
  await studio.settled(page);
  await reload(page);
  await page.keyboard.press('Control+Shift+z');
  await until(page, 1);
  assert.deepEqual(await names(page), ['one']);
}));

test('what is too large for the rest to be remembered can itself be undone after a reload', () => withPage({}, async (page) => {
  await addLines(page, ['one', 'two']);
  await addLines(page, ['large'], 1_600_000);
  await addLines(page, ['last']);
  await reload(page);
  await page.click('#undo');
  await until(page, 3);
  assert.deepEqual(await names(page), ['one', 'two', 'large']);
}));

test('of what can be undone, as much is remembered as there is room for', () => withPage({}, async (page) => {
  for (let number = 1; number <= 8; number += 1) await addLines(page, [`line ${number}`], 200_000);
  const room = () => page.evaluate(() => sessionStorage.getItem('apprentice-studio-past').length);
  assert.ok(await room() <= 1_500_000, String(await room()));
  await page.evaluate(() => { for (let one = 0; one < 3; one += 1) globalThis.studio.work.undo(); });
  assert.ok(await room() <= 1_500_000, String(await room()));
  await reload(page);
  // Forth and back, each as far as the newest are.
  await page.evaluate(() => globalThis.studio.work.redo());
  await until(page, 6);
  await page.evaluate(() => { globalThis.studio.work.undo(); globalThis.studio.work.undo(); });
  await until(page, 4);
  assert.deepEqual(await names(page), ['line 1', 'line 2', 'line 3', 'line 4']);
}));

test('a long recording takes its room once, however often the page is reloaded and the line renamed', () => withPage({}, async (page) => {
  const lines = () => page.evaluate(() => JSON.stringify(globalThis.studio.work.lines));
  await addLines(page, ['large'], 400_000);
  const states = [await lines()];
  for (let number = 1; number <= 6; number += 1) {
    await reload(page);
    await page.evaluate((name) => {
      const { work } = globalThis.studio;
      work.change({ lines: work.lines.map((line) => ({ ...line, name })) });
    }, `large ${number}`);
    states.push(await lines());
  }
  const room = await page.evaluate(() => sessionStorage.getItem('apprentice-studio-past').length);
  assert.ok(room < 500_000, String(room));
  await reload(page);
  assert.equal(await lines(), states.pop());
  for (const before of states.reverse()) {
    await page.click('#undo');
    await page.waitForFunction((text) => JSON.stringify(globalThis.studio.work.lines) === text, before);
  }
  await page.click('#undo');
  await until(page, 0);
}));

test('a new tab goes on with what one tab did, and not with what another could undo', () => withPage({}, async (page) => {
  const other = await page.context().newPage();
  await other.goto(page.url());
  await studio.settled(other);
  await other.selectOption('#scenario', 'built-in:bear_bypass.toml');
  await other.waitForFunction(() => globalThis.studio.work.path === 'built-in:bear_bypass.toml');
  await studio.settled(other);
  await addLines(page, ['one']);
  await studio.settled(page);
  // It has nothing new to undo, and is the last that was worked in.
  await other.click('#tab-teach');
  const third = await page.context().newPage();
  await third.goto(page.url());
  await studio.settled(third);
  assert.equal(await third.evaluate(() => globalThis.studio.work.path), 'built-in:bear_bypass.toml');
  assert.equal(await third.evaluate(() => globalThis.studio.work.canUndo), false, 'what is undone is another tab’s');
  // That one still has it.
  await reload(page);
  await page.evaluate(() => globalThis.studio.work.undo());
  await until(page, 0);
}));

test('what waits to be undone is not undone in a level that is being recorded', () => {
  const hold = holdingBack('"scene"');
  return withPage({ line: hold.line }, async (page) => {
    await addLines(page, ['one', 'two']);
    await reload(page);
    hold.isOn = true;
    await page.evaluate(() => { globalThis.studio.work.undo(); globalThis.studio.work.undo(); });
    await hold.until(1);
    // The person begins to record before the studio has said how the level looked.
    await page.keyboard.press('r');
    hold.letGo();
    await page.waitForSelector('#record-keep');
    await page.evaluate(() => globalThis.studio.connection.ask({ ask: 'files' }));
    assert.deepEqual(await names(page), ['one', 'two']);
    await page.keyboard.press('Escape');
  });
});

test('nothing is undone or redone in a level that is being recorded', () => withPage({}, async (page) => {
  await addLines(page, ['one', 'two', 'three']);
  await page.click('#undo');
  await until(page, 2);
  await page.keyboard.press('r');
  await page.waitForSelector('#record-keep');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+Shift+z');
  await page.keyboard.press('Control+y');
  assert.deepEqual(await names(page), ['one', 'two']);
  await page.click('#undo');
  assert.deepEqual(await names(page), ['one', 'two']);
  await page.click('#redo');
  assert.deepEqual(await names(page), ['one', 'two']);
  assert.equal(await page.locator('#record-keep').count(), 1, 'it is still being recorded');
  await page.keyboard.press('Escape');
  await page.waitForSelector('#record');
  await page.click('#redo');
  await until(page, 3);
}));

test('a mistake in the middle of undoing does not keep anything from being undone later', () => withPage({}, async (page) => {
  await addLines(page, ['one', 'two', 'three']);
  await reload(page);
  await page.evaluate(() => {
    const { work } = globalThis.studio;
    let isFirst = true;
    work.on('change', () => {
      if (!isFirst) return;
      isFirst = false;
      throw new Error('on purpose');
    });
    work.undo();
  });
  await until(page, 2);
  await page.evaluate(() => globalThis.studio.work.undo());
  await until(page, 1);
  page.complaints = page.complaints.filter((text) => !text.includes('on purpose'));
}));
