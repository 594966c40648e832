// Levels that are tests, and logs that games have written.

import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { FIELD, Studio, inProgramOnly, run } from './harness.mjs';

let studio;
before(async () => { studio = await Studio.start(); });
after(async () => { await studio.stop(); });

/** Writes into a box what is to be in it, as a person does: to Firefox nothing else is a change. */
async function write(page, box, value) {
  await page.click(box);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(value);
  await page.keyboard.press('Tab');
}

test('what is expected of a level is said, saved and run, here and on the command line', () => studio.withPage({ files: { 'field.toml': FIELD }, path: 'field.toml' }, async (page) => {
  await page.click('#tab-tests');
  await page.check('#expect-any');
  await page.waitForSelector('#expect-within');
  await write(page, '#expect-within', '2');
  await page.waitForFunction(() => globalThis.studio.work.scene.expects?.within === 2);
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !globalThis.studio.work.changed);
  await page.click('#run-tests');
  await page.waitForSelector('#tests .failed');
  assert.match(await page.locator('#tests .failed').innerText(), /It takes .* s, more than 2 s/);
  const failed = await run(['verify', '--all', studio.folder]);
  assert.equal(failed.code, 1, failed.said);
  assert.match(failed.said, /FAILED .*field\.toml: it takes/);
  await write(page, '#expect-within', '60');
  await page.waitForFunction(() => globalThis.studio.work.scene.expects?.within === 60);
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !globalThis.studio.work.changed);
  await page.click('#run-tests');
  await page.waitForSelector('#tests .passed');
  const passed = await run(['verify', '--all', studio.folder]);
  assert.equal(passed.code, 0, passed.said);
  await page.uncheck('#expect-any');
  await page.waitForFunction(() => globalThis.studio.work.scene.expects === null);
}));

const line = (what) => `${JSON.stringify(what)}\n`;

test('the log of a game is a timeline, and one that grows is watched', inProgramOnly, () => studio.withPage({ path: 'built-in:quest_key.toml' }, async (page) => {
  const file = path.join(studio.folder, 'game.jsonl');
  await writeFile(file, [
    { format: 1, log: 'decisions', level: 'quest_key' },
    { t: 0, who: 'anna', what: 'plan', plans: 1, why: null, from: [6, 12], ahead: [[6, 20], [10, 24]] },
    { t: 0, who: 'anna', what: 'at', x: 6, y: 12, health: 100 },
    { t: 1, who: 'anna', what: 'at', x: 6, y: 16, health: 100 },
  ].map(line).join(''));
  await writeFile(path.join(studio.folder, 'walk.jsonl'), '{"format":1,"unit":"cell"}\n');
  await page.click('#tab-play');
  await page.click('#open-log');
  await page.waitForSelector('#choose-log .choices button');
  assert.deepEqual(await page.locator('#choose-log .choices button').allInnerTexts(), ['game.jsonl']);
  await page.click('#choose-log >> text=game.jsonl');
  await page.waitForFunction(() => document.querySelectorAll('#watch-log li').length === 1);
  assert.match(await page.locator('#watch-log').innerText(), /has a plan/);
  await appendFile(file, [
    { t: 2, who: 'anna', what: 'event', event: 'picked_up:key' },
    { t: 3, who: 'anna', what: 'plan', plans: 2, why: { thing: 'gate', text: 'gate is shut' }, from: [10, 24], ahead: [[14, 24], [20, 30]] },
  ].map(line).join(''));
  await page.waitForFunction(() => /has a new plan: gate is shut/.test(document.getElementById('watch-log').textContent));
  assert.match(await page.locator('#watch-log').innerText(), /takes key/);
  await page.locator('#watch-log button', { hasText: 'has a new plan' }).click();
  assert.equal(await page.locator('.way-before').count(), 1);
  assert.equal(await page.locator('.way-after').count(), 1);
  await page.locator('#watch-log button', { hasText: 'takes key' }).click();
  const at = () => page.evaluate(() => {
    const { x, y } = document.querySelector('[data-thing="watched:anna"]').dataset;
    return [Number(x), Number(y)];
  });
  assert.deepEqual(await at(), [6, 16]);
  // A game that is started anew begins its log anew.
  await writeFile(file, [
    { format: 1, log: 'decisions', level: 'quest_key' },
    { t: 0, who: 'bert', what: 'at', x: 8, y: 8, health: null },
  ].map(line).join(''));
  await page.waitForFunction(() => document.querySelector('[data-thing="watched:bert"]'));
  assert.equal(await page.locator('[data-thing="watched:anna"]').count(), 0);
  await page.click('#watch-close');
  await page.waitForSelector('#play');
  assert.equal(await page.locator('[data-thing^="watched:"]').count(), 0);
}));
