// What designers do after ten minutes: go back in time, get in the way, take things back, import, write tasks.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { Studio } from './harness.mjs';

/** A domain that asks for nothing by itself. */
const SIMPLEFPS = await readFile(new URL('../../../domains/simplefps.htn', import.meta.url), 'utf8');

let studio;
before(async () => { studio = await Studio.start(); });
after(async () => { await studio.stop(); });

const withPage = (options, act) => studio.withPage(options, act);

/** The game as it is seen now, without its clocks. */
const seen = (page) => page.evaluate(() => {
  const { number, npc, enemies, mind: { state, plans, ahead } } = globalThis.studio.panels.play.frame;
  return { number, npc, enemies, state, plans, ahead };
});

/** Lets moments pass, as the button for one moment does. */
const pass = (page, moments) => page.evaluate(async (count) => {
  const button = document.getElementById('single');
  for (let moment = 0; moment < count; moment += 1) {
    const { number } = globalThis.studio.panels.play.frame;
    button.click();
    while (globalThis.studio.panels.play.frame.number === number) await new Promise((done) => { setTimeout(done, 5); });
  }
}, moments);

const opened = (page) => page.waitForFunction(() => globalThis.studio.panels.play.frame);

const log = (page) => page.locator('#log li').allInnerTexts();

test('a game that was gone back in goes on exactly as it went', { timeout: 240_000 }, () => withPage({ path: 'built-in:bear_bypass.toml' }, async (page) => {
  await page.click('#tab-play');
  await opened(page);
  await pass(page, 40);
  const middle = await seen(page);
  await pass(page, 40);
  const end = await seen(page);
  const told = await log(page);
  for (const moment of [40, 3, 77]) {
    await page.fill('#timeline', String(moment));
    await page.waitForFunction((number) => globalThis.studio.panels.play.frame.number === number, moment);
    if (moment === 40) {
      await page.waitForFunction(() => globalThis.studio.panels.play.frame.mind.ahead.length > 0);
      assert.deepEqual(await seen(page), middle, 'it is as it was then, with the way that was ahead');
    }
    await pass(page, 80 - moment);
    assert.deepEqual(await seen(page), end, `from moment ${moment}`);
    assert.deepEqual(await log(page), told, 'nothing is told twice');
  }
}));

test('what is told of a game is what happened, and why it happened', () => withPage({ path: 'built-in:k1d1_close.toml' }, async (page) => {
  await page.click('#tab-play');
  await opened(page);
  await pass(page, 3);
  await page.click('#disturb [data-id="red"] button');
  await page.waitForFunction(() => document.querySelector('#log li')?.textContent.includes('you take red away'));
  await pass(page, 3);
  const taken = (await log(page)).join('\n');
  assert.match(taken, /leaves its plan|has a new plan|knows no way/);
  await page.click('#disturb [data-id="red"] button');
  await page.waitForFunction(() => document.querySelector('#log li')?.textContent.includes('you put red back'));
  await pass(page, 40);
  const lines = await log(page);
  const since = lines.slice(0, lines.findIndex((line) => line.includes('you put red back')));
  assert.ok(since.every((line) => !line.includes('gone')), since.join('\n'));
  // What was done after a moment that was gone back to has not happened.
  await page.fill('#timeline', '2');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame.number === 2);
  await pass(page, 1);
  assert.ok((await log(page)).every((line) => !line.includes('you ')), (await log(page)).join('\n'));
}));

test('a recording that was cut off is imported without its last line', () => withPage({ path: 'built-in:empty_tutorial.toml' }, async (page) => {
  const samples = [0, 1, 2, 3].map((x) => JSON.stringify({ t: x, x: x + 1, y: 1 }));
  const text = [JSON.stringify({ format: 1, unit: 'cell' }), ...samples].join('\n');
  await page.click('#tab-teach');
  const lines = () => page.evaluate(() => globalThis.studio.work.lines.length);
  const before_ = await lines();
  await page.evaluate((cut) => globalThis.studio.panels.teach.take('cut.jsonl', cut), `${text}\n{"t":4,"x`);
  await page.waitForSelector('.toast >> text=was cut off and is left out');
  assert.equal(await lines(), before_ + 1);
  assert.equal(await page.evaluate(() => globalThis.studio.work.lines.at(-1).points.length), 4);
  assert.equal(await page.locator('.toast.wrong').count(), 0);
}));

test('tasks without a goal say what could be asked for, and a mistake in the goal is one of the goal', () => withPage({ files: { 'simplefps.htn': SIMPLEFPS } }, async (page) => {
  await page.click('#tab-tasks');
  await page.waitForSelector('#tasks-file');
  await page.selectOption('#tasks-file', 'simplefps.htn');
  await page.waitForFunction(() => document.querySelector('#panel .result')?.textContent.includes('write a goal'));
  const told = await page.locator('#panel').innerText();
  assert.doesNotMatch(told, /null/);
  const [, task] = told.match(/ordered\((\w+)\(/);
  assert.ok((await page.inputValue('#tasks-text')).includes(task), `${task} is a task of the file`);
  await page.fill('#tasks-goal', 'Fly()');
  await page.waitForFunction(() => document.getElementById('problems').dataset.count !== '0');
  assert.match(await page.locator('#problems button').first().innerText(), /^Goal: /);
  await page.locator('#problems button').first().click();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tasks-goal');
}));

test('undo takes back what is seen: in tasks the text, and never the level', () => withPage({}, async (page) => {
  const levels = () => page.evaluate(() => [globalThis.studio.work.path, globalThis.studio.work.text]);
  await page.click('#tab-tasks');
  await page.waitForSelector('#tasks-text');
  const [level, text] = [await levels(), await page.inputValue('#tasks-text')];
  await page.focus('#tasks-text');
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('// mine');
  assert.ok((await page.inputValue('#tasks-text')).startsWith('// mine'));
  for (let step = 0; step < 7 && (await page.inputValue('#tasks-text')) !== text; step += 1) await page.click('#undo');
  assert.equal(await page.inputValue('#tasks-text'), text);
  await page.click('#redo');
  assert.notEqual(await page.inputValue('#tasks-text'), text);
  assert.deepEqual(await levels(), level);
  // Tab indents; after Escape it leaves.
  await page.focus('#tasks-text');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  assert.notEqual(await page.evaluate(() => document.activeElement.id), 'tasks-text');
}));

test('names and what is left out are saved with the level', () => withPage({ path: 'built-in:quest_compound.toml' }, async (page) => {
  await page.click('#tab-teach');
  const lines = () => page.evaluate(() => globalThis.studio.work.lines.map(({ name, hidden }) => ({ name, hidden })));
  const count = (await lines()).length;
  assert.ok(count > 1);
  await page.evaluate(() => {
    const { work } = globalThis.studio;
    work.change({ lines: work.lines.map((line, index) => (index === 0 ? { ...line, name: 'by the river' } : { ...line, hidden: true })) });
  });
  const mine = await lines();
  await page.keyboard.press('Control+s');
  await page.fill('dialog[open] input', 'kept.toml');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.toast.good >> text=Saved');
  await page.selectOption('#scenario', 'built-in:quest_key.toml');
  await page.waitForFunction(() => globalThis.studio.work.path === 'built-in:quest_key.toml');
  await page.selectOption('#scenario', 'kept.toml');
  await page.waitForFunction(() => globalThis.studio.work.path === 'kept.toml');
  await studio.settled(page);
  assert.deepEqual(await lines(), mine);
}));
