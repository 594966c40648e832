// Tasks are carried out in a level: what is so in the world is so for them, and what they change there is done there.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { FIELD, Studio, inProgramOnly } from './harness.mjs';

let studio;
before(async () => { studio = await Studio.start(); });
after(async () => { await studio.stop(); });

const withPage = (options, act) => studio.withPage(options, act);

const LEVEL = `${FIELD}
[[item]]
id = "pearl"
at = [8, 8]

[[item]]
id = "coin"
at = [2, 12]

[editor]
tasks = { file = "chores.htn" }
`;
const chores = (goal) => `type Item;
instance Item pearl, coin;
fluent bool holding(Item it);
task Take(Item it) { { holding(it) := true; } }
problem today { goal ordered(${goal}); }
`;

const begun = (page) => page.waitForFunction(() => globalThis.studio.panels.play.frame);

/** Lets moments pass until something is so of the one that is shown. */
const passUntil = (page, is) => page.evaluate(async (text) => {
  // eslint-disable-next-line no-new-func
  const isSo = new Function('frame', `return ${text}`);
  for (let moment = 0; moment < 600; moment += 1) {
    const { frame } = globalThis.studio.panels.play;
    if (isSo(frame)) return true;
    document.getElementById('single').click();
    while (globalThis.studio.panels.play.frame.number === frame.number) await new Promise((done) => { setTimeout(done, 2); });
  }
  return false;
}, is);

test('tasks that are bound to a level are what the character does in Play', () => withPage({ files: { 'yard.toml': LEVEL, 'chores.htn': chores('Take(pearl), Take(coin)') }, path: 'yard.toml' }, async (page) => {
  await page.evaluate(() => globalThis.studio.refreshFiles());
  await page.click('#tab-play');
  await begun(page);
  assert.equal(await page.inputValue('#errand-tasks'), 'chores.htn');
  assert.ok(await passUntil(page, "frame.errand.step === 'Take(pearl)'"));
  await page.waitForSelector('#errand-state >> text=Take(pearl)');
  assert.ok(await passUntil(page, "frame.errand.step === 'Take(coin)'"));
  assert.deepEqual(await page.evaluate(() => globalThis.studio.panels.play.frame.npc.holding), ['pearl']);
  assert.ok(await passUntil(page, "frame.errand.state === 'done'"));
  assert.deepEqual((await page.evaluate(() => globalThis.studio.panels.play.frame.npc.holding)).sort(), ['coin', 'pearl']);
  assert.match(await page.innerText('#log'), /begins Take\(coin\)/);
  // A moment that is gone back to goes on as it did.
  await page.evaluate(() => { const line = document.getElementById('timeline'); line.value = 3; line.dispatchEvent(new Event('input')); line.dispatchEvent(new Event('change')); });
  await page.waitForFunction(() => globalThis.studio.panels.play.frame.number === 3);
  assert.equal(await page.evaluate(() => globalThis.studio.panels.play.frame.errand.step), 'Take(pearl)');
  // Without tasks it does what the level asks for.
  await page.selectOption('#errand-tasks', '');
  await page.waitForFunction(() => globalThis.studio.work.scene.tasks === null && globalThis.studio.panels.play.frame?.errand === null);
  await page.click('#undo');
  await page.waitForFunction(() => globalThis.studio.work.scene.tasks?.file === 'chores.htn');
}));

test('a file of tasks that is changed while a character runs takes effect, a broken one does not', inProgramOnly, () => withPage({ files: { 'yard.toml': LEVEL, 'chores.htn': chores('Take(pearl)') }, path: 'yard.toml' }, async (page) => {
  await page.click('#tab-play');
  await begun(page);
  assert.ok(await passUntil(page, "frame.errand.step === 'Take(pearl)' && frame.number > 4"));
  await page.evaluate(() => globalThis.studio.watch.look());
  const file = path.join(studio.folder, 'chores.htn');
  await writeFile(file, chores('Take(pearl').replace('Take(pearl);', 'Take(pearl)'));
  await page.waitForSelector('.toast >> text=The tasks stay as they were');
  assert.equal(await page.evaluate(() => globalThis.studio.panels.play.frame.errand.step), 'Take(pearl)');
  await writeFile(file, chores('Take(coin)'));
  await page.waitForFunction(() => [...document.querySelectorAll('#log li')].some(({ textContent }) => textContent.includes('has other tasks now')));
  assert.ok(await passUntil(page, "frame.errand.state === 'done'"));
  assert.deepEqual(await page.evaluate(() => globalThis.studio.panels.play.frame.npc.holding), ['coin']);
}));

test('a level has tasks to begin with, which are done there', () => withPage({ path: 'built-in:k1d1_close.toml' }, async (page) => {
  await page.click('#tab-tasks');
  await page.click('#tasks-for-level');
  await page.waitForFunction(() => document.getElementById('tasks-text').value.includes('in_this_level') && document.querySelector('#task-steps')?.textContent.includes('Go(destination)'));
  assert.equal(await page.getAttribute('#problems', 'data-count'), '0');
  assert.match(await page.inputValue('#tasks-text'), /opens\(\w+, \w+\) := true/);
}));

test('the tree of tasks is folded, and a click goes to the line that says so', () => withPage({}, async (page) => {
  await page.click('#tab-tasks');
  await page.waitForSelector('#task-tree .refused');
  const line = () => page.evaluate(() => {
    const area = document.getElementById('tasks-text');
    return area.value.slice(0, area.selectionStart).split('\n').length;
  });
  const refused = page.locator('#task-tree .refused').first();
  const [, number] = (await refused.innerText()).match(/line (\d+)/);
  await refused.click();
  assert.equal(await line(), Number(number));
  const taken = page.locator('#task-tree .taken').first();
  const [, method] = (await taken.innerText()).match(/`(\w+)`/);
  await taken.click();
  const said = await page.evaluate(() => { const area = document.getElementById('tasks-text'); return area.value.slice(area.selectionStart, area.selectionEnd); });
  assert.match(said, new RegExp(`method ${method}`));
  const inside = page.locator('#task-tree details details').first();
  assert.ok(await inside.isVisible());
  await page.evaluate(() => { document.querySelector('#task-tree details').open = false; });
  assert.ok(!(await inside.isVisible()));
}));
