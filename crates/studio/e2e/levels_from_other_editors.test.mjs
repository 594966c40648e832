// Levels come from other editors, lie over pictures, and change under the hands of whoever has them open.

import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { FIELD, Studio, inProgramOnly, run } from './harness.mjs';

let studio;
before(async () => { studio = await Studio.start(); });
after(async () => { await studio.stop(); });

const withPage = (options, act) => studio.withPage(options, act);

const wall = '0,0,0,1,0,0,0,0';
const TILED = `<map orientation="orthogonal" width="8" height="3" tilewidth="16" tileheight="16">
 <layer name="walls" width="8" height="3"><data encoding="csv">${[wall, wall, wall].join(',\n')}</data></layer>
 <objectgroup name="things">
  <object name="red" class="key" x="16" y="0" width="16" height="16"><properties><property name="opens" value="gate"/></properties></object>
  <object name="gate" class="door" x="48" y="16" width="16" height="16"/>
  <object name="old tom" class="bear" x="104" y="40"><point/><properties><property name="radius" value="1"/></properties></object>
  <object class="start" x="8" y="24"><point/></object>
  <object class="goal" x="112" y="0" width="16" height="16"/>
  <object name="mystery" x="0" y="0"/>
 </objectgroup>
</map>`;

const LDTK = JSON.stringify({
  levels: [{
    identifier: 'Cellar',
    layerInstances: [
      { __identifier: 'Things', __type: 'Entities', __gridSize: 8, __cWid: 5, __cHei: 2, entityInstances: [
        { __identifier: 'Start', px: [0, 0], width: 8, height: 8, __pivot: [0, 0], fieldInstances: [] },
        { __identifier: 'Item', px: [16, 8], width: 8, height: 8, __pivot: [0, 0], fieldInstances: [{ __identifier: 'id', __value: 'gem' }] },
      ] },
      { __identifier: 'Walls', __type: 'IntGrid', __gridSize: 8, __cWid: 5, __cHei: 2, intGridCsv: [0, 0, 1, 0, 0, 0, 0, 0, 0, 0] },
    ],
  }],
});

const things = (page) => page.evaluate(() => globalThis.studio.work.scene.things.map(({ id }) => id));

test('a map of Tiled becomes a level with the things of its object layers, and what is left out is said', () => withPage({ files: { 'old_mill.tmx': TILED, 'field.toml': FIELD }, path: 'field.toml' }, async (page) => {
  await page.evaluate(() => globalThis.studio.refreshFiles());
  await page.click('#new-level');
  await page.selectOption('#new-source', 'old_mill.tmx');
  await page.click('dialog >> text=Make it');
  await page.waitForSelector('#import-notes');
  assert.match(await page.innerText('#import-notes'), /mystery/);
  await page.click('dialog >> text=OK');
  assert.deepEqual((await things(page)).sort(), ['gate', 'goal', 'old_tom', 'red', 'start']);
  await studio.settled(page);
  assert.match(await page.innerText('#make-plan'), /gets there/);
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !globalThis.studio.work.changed);
  const planned = await run(['plan', path.join(studio.folder, 'old_mill.toml')]);
  assert.match(planned.said, /pick up the red key|red/);
  assert.equal(planned.code, 0);
}));

test('a level of LDtk is taken from a file on this computer', () => withPage({}, async (page) => {
  await page.click('#new-level');
  await page.selectOption('#new-source', 'disk');
  await page.setInputFiles('#new-file', { name: 'cellar.ldtk', mimeType: 'application/json', buffer: Buffer.from(LDTK) });
  await page.click('dialog >> text=Make it');
  await page.waitForFunction(() => globalThis.studio.work.path === 'cellar.toml');
  assert.ok((await things(page)).includes('gem'));
  assert.equal(await page.evaluate(() => globalThis.studio.work.scene.ground.rows[0]), '..#..');
  // What is none says so, and leaves the level that is open.
  await page.click('#new-level');
  await page.selectOption('#new-source', 'disk');
  await page.setInputFiles('#new-file', { name: 'broken.tmx', mimeType: 'text/xml', buffer: Buffer.from('<map') });
  await page.click('dialog >> text=Make it');
  await page.waitForSelector('.toast.wrong');
  assert.match(await page.innerText('.toast.wrong'), /broken\.tmx.*line 1/s);
  assert.equal(await page.evaluate(() => globalThis.studio.work.path), 'cellar.toml');
}));

test('a picture lies under a level, is moved, saved with it and found again', inProgramOnly, () => withPage({ files: { 'field.toml': FIELD, 'sketch.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="tan"/></svg>' }, path: 'field.toml' }, async (page) => {
  await page.evaluate(() => globalThis.studio.refreshFiles());
  await page.click('#tab-make');
  await page.waitForSelector('#underlay');
  await page.selectOption('#underlay', 'sketch.svg');
  await page.waitForSelector('#left .underlay image');
  await page.waitForSelector('#underlay-width');
  await page.locator('#underlay-width').selectText();
  await page.keyboard.type('20');
  await page.press('#underlay-width', 'Tab');
  await page.waitForFunction(() => document.querySelector('#left .underlay image')?.getAttribute('width') === '20');
  assert.equal(await page.getAttribute('#left .underlay image', 'height'), '10', 'it keeps its shape');
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !globalThis.studio.work.changed);
  assert.match(await studio.read('field.toml'), /\[editor\]\s+picture = \{ file = "sketch\.svg"/);
  const checked = await run(['verify', path.join(studio.folder, 'field.toml')]);
  assert.equal(checked.code, 0, checked.said);
  await page.reload();
  await page.waitForSelector('#left .underlay image');
}));

test('a file that is changed elsewhere is read again, and what was not saved here is not lost', inProgramOnly, () => withPage({ files: { 'watched.toml': FIELD }, path: 'watched.toml' }, async (page) => {
  const onDisk = path.join(studio.folder, 'watched.toml');
  await page.evaluate(() => globalThis.studio.watch.look());
  await appendFile(onDisk, '\n[[item]]\nid = "pearl"\nat = [5, 5]\n');
  await page.waitForFunction(() => globalThis.studio.work.scene.things.some(({ id }) => id === 'pearl'));
  assert.equal(await page.evaluate(() => globalThis.studio.work.changed), false);
  // With something that is not saved, it stays, and that is said.
  await page.evaluate(() => globalThis.studio.edit([{ edit: 'add', what: 'key', x: 7, y: 7 }]));
  await page.waitForFunction(() => globalThis.studio.work.changed);
  await page.evaluate(() => globalThis.studio.watch.look());
  await writeFile(onDisk, FIELD);
  await page.waitForSelector('.toast >> text=changed elsewhere');
  await page.waitForFunction(() => [...document.querySelectorAll('.toast')].some(({ textContent }) => textContent.includes('What you changed stays')));
  assert.ok((await things(page)).includes('key'));
  // One that is broken elsewhere opens with its mistake.
  await page.keyboard.press('Control+s');
  await page.click('dialog button:text-is("Replace")');
  await page.waitForFunction(() => !globalThis.studio.work.changed);
  await page.evaluate(() => globalThis.studio.watch.look());
  await writeFile(onDisk, FIELD.replace('start =', 'strat ='));
  await page.waitForSelector('dialog >> text=strat');
}));

test('what is typed while tasks that were changed elsewhere are read again is not lost', inProgramOnly, () => withPage({ files: { 'own.htn': '# mine\n' } }, async (page) => {
  await page.click('#tab-tasks');
  await page.waitForSelector('#tasks-text');
  await page.evaluate(() => globalThis.studio.refreshFiles());
  await page.evaluate(async () => {
    const { connection, work } = globalThis.studio;
    const { text, path } = await connection.ask({ ask: 'open_tasks', path: 'own.htn' });
    globalThis.studio.panels.tasks.area = null;
    work.set('view', { tasks: { path, text, was: text, goal: '', changed: false } });
  });
  await page.waitForFunction(() => document.getElementById('tasks-text').value === '# mine\n');
  await writeFile(path.join(studio.folder, 'own.htn'), '# theirs\n');
  const kept = await page.evaluate(async () => {
    const { panels: { tasks } } = globalThis.studio;
    const reading = tasks.reloaded();
    const area = document.getElementById('tasks-text');
    area.value = '# mine, and more\n';
    area.dispatchEvent(new Event('input'));
    await reading;
    return [tasks.file.text, document.getElementById('tasks-text').value, tasks.file.changed];
  });
  assert.deepEqual(kept, ['# mine, and more\n', '# mine, and more\n', true]);
}));
