// Making a level by mouse, from an empty page to one that is played, saved and planned by the command line.

import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { FIELD, Studio, drag, onScreen, plan, run } from './harness.mjs';

let studio;
before(async () => { studio = await Studio.start(); });
after(async () => { await studio.stop(); });

const withPage = (options, act) => studio.withPage(options, act);

const click = async (page, x, y) => page.mouse.click(...(await onScreen(page, x, y)));
const things = (page) => page.evaluate(() => Object.fromEntries(globalThis.studio.work.scene.things.map(({ id, at }) => [id, at[0]])));
const rows = (page) => page.evaluate(() => globalThis.studio.work.scene.ground.rows);
const text = (page) => page.evaluate(() => globalThis.studio.work.text);

/** Does something that changes the level, and waits until it has. */
async function changes(page, act) {
  const was = await text(page);
  await act();
  await page.waitForFunction((old) => globalThis.studio.work.text !== old, was);
  await studio.settled(page);
}

/** Chooses from the palette, and clicks on the map. */
async function put(page, what, x, y) {
  await page.click(`#palette [data-what="${what}"]`);
  await changes(page, () => click(page, x, y));
  await page.waitForFunction(() => document.getElementById('inspector').dataset.thing === globalThis.studio.panels.make.selected);
}

async function make(page, { name, width, height }) {
  await page.click('#new-level');
  for (const [field, value] of Object.entries({ name, width, height })) await write(page, `#new-${field}`, String(value));
  await page.click('dialog[open] >> text=Make it');
  await page.waitForFunction((title) => globalThis.studio.work.scene.name === title, name);
  await studio.settled(page);
}

/** Writes into a box what is to be in it, as a person does. */
async function write(page, box, value) {
  await page.click(box);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(value);
}

/** Writes into a field of the inspector. */
async function type(page, field, value) {
  await write(page, `#field-${field}`, value);
  await page.keyboard.press('Enter');
}

test('from an empty page to a level that is taught, played, saved and planned by the command line', { timeout: 120_000 }, () => withPage({ first: true }, async (page) => {
  await page.click('#tour >> text=Skip');
  await make(page, { name: 'The old mill', width: 24, height: 12 });
  assert.equal(await page.locator('#tab-make').getAttribute('aria-selected'), 'true');
  assert.deepEqual(await things(page), { start: [1, 6], goal: [22, 6] });
  assert.ok((await plan(page)).cost > 0, 'there is a way through an empty level');

  // A wall from top to bottom: nobody gets through.
  await page.click('#make-rectangle');
  await changes(page, () => drag(page, [[12, 0], [12, 11]]));
  assert.ok((await rows(page)).every((row) => row[12] === '#'));
  assert.equal((await plan(page)).status, 'impossible');
  assert.ok(await page.locator('#make-plan.wrong').isVisible());

  // A key, and a door in the wall that it opens.
  await put(page, 'key', 4, 2);
  await page.click('#palette [data-what="door"]');
  assert.equal(await page.inputValue('#opened-by'), 'key');
  await changes(page, () => click(page, 12, 6));
  assert.equal((await rows(page))[6][12], '.', 'the door has made an opening');
  const through = await plan(page);
  assert.equal(through.status, 'found');
  assert.ok(through.steps.some(({ events }) => events.includes('picked_up:key')), 'it takes the key first');

  // Dragged along the wall, it makes another.
  await changes(page, () => drag(page, [[12, 6], [12, 4]]));
  assert.deepEqual((await things(page)).door, [12, 4]);
  assert.equal((await rows(page))[4][12], '.');
  await page.click('#undo');
  await page.waitForFunction(() => globalThis.studio.work.scene.ground.rows[4][12] === '#');
  await studio.settled(page);

  // A bear beside the way, with worse ears than others.
  await put(page, 'bear', 18, 1);
  await changes(page, () => type(page, 'radius', '3'));
  assert.match(await text(page), /\[kinds\.bear_2\]\nlike = "bear"\nradius = 3\n/);

  // Somebody shows how it is done.
  await page.click('#tab-teach');
  await drag(page, [[1, 6], [2, 3], [4, 2], [6, 8], [12, 6], [16, 9], [22, 6]]);
  await page.waitForFunction(() => globalThis.studio.work.lines.length === 1);
  await studio.settled(page);
  assert.ok((await plan(page)).followed > 0.7, 'the plan follows the line');

  // It is played to its end.
  await page.click('#tab-play');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame);
  await page.selectOption('#speed', '8');
  await page.click('#play');
  await page.waitForFunction(() => document.getElementById('mind').dataset.state === 'done', null, { timeout: 60_000 });
  assert.equal(await page.evaluate(() => globalThis.studio.panels.play.frame.npc.health), 100);

  // It is saved, and the command line plans in it.
  await page.click('#save');
  await page.click('#save-level');
  await page.waitForSelector('.toast.good >> text=Saved the_old_mill.toml');
  assert.ok((await studio.files()).includes('the_old_mill.toml'));
  const planned = await run(['plan', path.join(studio.folder, 'the_old_mill.toml')]);
  assert.equal(planned.code, 0, planned.said);
  assert.match(planned.said, /key/);
  // What was saved is what is opened again.
  const kept = await text(page);
  await page.selectOption('#scenario', 'built-in:quest_key.toml');
  await page.waitForFunction(() => globalThis.studio.work.path === 'built-in:quest_key.toml');
  await page.selectOption('#scenario', 'the_old_mill.toml');
  await page.waitForFunction(() => globalThis.studio.work.path === 'the_old_mill.toml');
  assert.equal(await text(page), kept);
}));

test('walls are painted stroke by stroke, each of which can be undone, and never on a thing', () => withPage({ path: 'field.toml', files: { 'field.toml': FIELD } }, async (page) => {
  await page.click('#tab-make');
  const first = await rows(page);
  await page.click('#make-brush');
  await changes(page, () => drag(page, [[6, 5], [6, 9], [10, 9]]));
  const painted = await rows(page);
  assert.deepEqual([painted[5][6], painted[9][6], painted[9][10], painted[9][11]], ['#', '#', '#', '.']);
  // A room, filled and cleared again: what begins on a wall clears.
  await page.click('#make-rectangle');
  await changes(page, () => drag(page, [[14, 8], [20, 14]]));
  await changes(page, () => drag(page, [[15, 9], [19, 13]]));
  const room = await rows(page);
  assert.deepEqual([room[8][14], room[9][15], room[13][19], room[14][20]], ['#', '.', '.', '#']);
  await page.click('#make-fill');
  await changes(page, () => click(page, 17, 11));
  assert.equal((await rows(page))[11][17], '#');
  await page.click('#make-erase');
  await changes(page, () => drag(page, [[17, 14], [17, 8]]));
  assert.equal((await rows(page))[11][17], '.');
  // Where somebody stands there is floor, and that is said.
  await page.click('#make-brush');
  await changes(page, () => drag(page, [[1, 2], [4, 2]]));
  assert.equal((await rows(page))[2].slice(0, 6), '.#.##.');
  await page.waitForSelector('.toast >> text=No wall was put where `start` stands');
  const kept = await text(page);
  await click(page, 2, 2);
  await page.waitForSelector('.toast.wrong >> text=`start` stands there');
  assert.equal(await text(page), kept);
  for (let step = 0; step < 6; step += 1) await page.click('#undo');
  await page.waitForFunction((old) => globalThis.studio.work.text === old, FIELD);
  assert.deepEqual(await rows(page), first);
  await page.click('#redo');
  assert.deepEqual(await rows(page), painted);
}));

test('whatever comes of a stroke, the tools and the palette stay where they are', () => withPage({ path: 'field.toml', files: { 'field.toml': FIELD } }, async (page) => {
  await page.click('#tab-make');
  await page.waitForSelector('#field-name');
  await page.click('#make-rectangle');
  const places = () => page.locator('#panel :is(button, input, select)').evaluateAll((all) => all.map((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return `${one.id || one.textContent} ${[left, top, width, height].map(Math.round)}`;
  }));
  // What is said about the level is asked for again; what was there until then is nowhere.
  const controls = async () => {
    for (let tries = 0; tries < 200; tries += 1) {
      const all = await places();
      if (!all.some((place) => place.endsWith(' 0,0,0,0'))) return all;
    }
    return places();
  };
  const before_ = await controls();
  await changes(page, () => drag(page, [[20, 0], [20, 19]]));
  assert.equal((await plan(page)).status, 'impossible');
  assert.deepEqual(await controls(), before_);
  await page.click('#make-erase');
  await changes(page, () => drag(page, [[20, 4], [20, 6]]));
  assert.equal((await plan(page)).status, 'found');
  assert.deepEqual(await controls(), before_);
}));

test('things are put in, copied, renamed and taken out, and whoever refers to them is told', () => withPage({ path: 'field.toml', files: { 'field.toml': FIELD } }, async (page) => {
  await page.click('#tab-make');
  await put(page, 'key', 6, 6);
  await put(page, 'door', 10, 6);
  await put(page, 'item', 14, 6);
  assert.match(await text(page), /opens = \["door"\]/);
  // Everything on the palette is something the file knows.
  const palette = await page.locator('#palette button').evaluateAll((all) => all.map(({ dataset }) => dataset.what));
  for (const [number, what] of palette.entries()) await put(page, what, 4 + 2 * number, 16);
  assert.equal(Object.keys(await things(page)).length, 5 + palette.length);
  assert.ok(await page.locator('#palette [data-what="player"]').isDisabled());
  // A copy lies beside, and a name is changed wherever it is mentioned.
  await click(page, 6, 6);
  await page.waitForSelector('#inspector[data-thing="key"]');
  await changes(page, () => page.keyboard.press('Control+d'));
  assert.equal((await text(page)).match(/opens = \["door"\]/g).length, 2);
  await click(page, 10, 6);
  await page.waitForSelector('#inspector[data-thing="door"]');
  await changes(page, () => type(page, 'id', 'gate'));
  assert.equal((await text(page)).match(/opens = \["gate"\]/g).length, 2);
  await page.waitForSelector('#inspector[data-thing="gate"]');
  assert.equal(await page.locator('#field-opened_by [aria-pressed=true]').count(), 2);
  await changes(page, () => page.click('#field-opened_by [data-option="key"]'));
  assert.equal((await text(page)).match(/opens = \["gate"\]/g).length, 1);
  // What the goal asks for stays; what else refers to something is mended, and said.
  await page.mouse.click(...(await onScreen(page, 30, 10)));
  await page.waitForSelector('#inspector[data-thing=""]');
  await changes(page, () => type(page, 'goal', '{ holds = "item" }'));
  await click(page, 14, 6);
  await page.waitForSelector('#inspector[data-thing="item"]');
  await page.keyboard.press('Delete');
  await page.waitForSelector('.toast.wrong >> text=The goal asks for `item`');
  assert.ok('item' in (await things(page)));
  await click(page, 10, 6);
  await page.waitForSelector('#inspector[data-thing="gate"]');
  await changes(page, () => page.click('#delete-thing'));
  await page.waitForSelector('.toast >> text=no longer opens `gate`');
  assert.ok(!('gate' in (await things(page))));
  await page.click('#undo');
  await page.waitForFunction(() => globalThis.studio.work.scene.things.some(({ id }) => id === 'gate'));
}));

test('what makes no sense in a field is refused in the words of the file, and stays to be put right', () => withPage({ path: 'built-in:quest_compound.toml' }, async (page) => {
  await page.click('#tab-make');
  const guard = await page.evaluate(() => globalThis.studio.work.scene.things.find(({ kind }) => kind === 'guard'));
  await click(page, ...guard.at[0]);
  await page.waitForSelector(`#inspector[data-thing="${guard.id}"]`);
  const was = await text(page);
  await type(page, 'damage', 'much');
  await page.waitForSelector('.field-wrong >> text=`damage` is of type string; write a number');
  assert.equal(await page.inputValue('#field-damage'), 'much');
  assert.equal(await text(page), was);
  await changes(page, () => type(page, 'damage', '15'));
  assert.equal(await page.locator('.field-wrong:visible').count(), 0);
  assert.match(await text(page), /like = "guard"\ndamage = 15/);
  await page.click('#undo');
  await page.waitForFunction((old) => globalThis.studio.work.text === old, was);
  await page.waitForFunction(() => document.getElementById('field-damage').value === '40');
}));

test('a level of a thousand by a thousand cells is made, painted and seen as a whole', { timeout: 180_000 }, () => withPage({ first: true }, async (page) => {
  page.setDefaultTimeout(60_000);
  await page.click('#tour >> text=Skip');
  await make(page, { name: 'A continent', width: 1000, height: 1000 });
  for (const corner of [[0, 0], [999, 999]]) {
    const [x, y] = await onScreen(page, ...corner);
    const box = await page.locator('#left').boundingBox();
    assert.ok(x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height, `${corner} is seen`);
  }
  await page.click('#make-rectangle');
  await changes(page, () => drag(page, [[500, 100], [510, 900]]));
  assert.ok((await rows(page))[500].includes('#'));
  await page.click('#undo');
  await page.waitForFunction(() => !globalThis.studio.work.text.includes('#'));
}));

test('an enemy that is put down in a game lives there from then on', () => withPage({ path: 'built-in:bear_bypass.toml' }, async (page) => {
  await page.click('#tab-play');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame);
  const pass = (moments) => page.evaluate(async (count) => {
    for (let moment = 0; moment < count; moment += 1) {
      const { number } = globalThis.studio.panels.play.frame;
      document.getElementById('single').click();
      while (globalThis.studio.panels.play.frame.number === number) await new Promise((done) => { setTimeout(done, 5); });
    }
  }, moments);
  await pass(20);
  // Far from where it lived, and in front of the character.
  await drag(page, [[30, 29], [14, 29]], { steps: 10 });
  await page.waitForFunction(() => globalThis.studio.panels.play.frame.enemies[0].x < 15);
  // It is told a moment after it is there.
  await page.waitForFunction(() => /you move bear/.test(document.querySelector('#log li')?.innerText));
  const seen = new Set();
  for (let moment = 0; moment < 20; moment += 1) {
    await pass(1);
    seen.add(await page.evaluate(() => globalThis.studio.panels.play.frame.enemies[0].mode));
  }
  assert.ok(seen.has('pursue') || seen.has('attack'), [...seen].join());
  assert.ok(!seen.has('return'), 'it is at home here');
}));

test('what is drawn around an enemy goes along while it is dragged', () => withPage({ path: 'built-in:bear_bypass.toml' }, async (page) => {
  await page.click('#tab-make');
  await drag(page, [[30, 29], [20, 29]], { hold: true });
  const middles = () => page.locator('#left [data-of="bear"]').evaluateAll((all) => all.map((circle) => [circle.getAttribute('cx'), circle.getAttribute('cy')].map(Number)));
  assert.deepEqual(await middles(), [[20, 29], [20, 29], [20, 29]], 'where it notices somebody, walking and sneaking, and its leash');
  await page.keyboard.press('Escape');
  assert.deepEqual(await middles(), [[30, 29], [30, 29], [30, 29]]);
  await page.mouse.up();
}));

test('several things are moved, copied and deleted together, each in one step', () => withPage({ path: 'field.toml', files: { 'field.toml': FIELD } }, async (page) => {
  await page.click('#tab-make');
  await put(page, 'key', 6, 6);
  await put(page, 'wolf', 20, 10);
  await put(page, 'item', 10, 6);
  const three = await text(page);
  await click(page, 6, 6);
  for (const [x, y] of [[10, 6], [20, 10]]) {
    await page.keyboard.down('Shift');
    await click(page, x, y);
    await page.keyboard.up('Shift');
  }
  await page.waitForSelector('#inspector >> text=3 things');
  await changes(page, () => drag(page, [[10, 6], [12, 9]]));
  const moved = await things(page);
  assert.deepEqual([moved.key, moved.item, moved.wolf], [[8, 9], [12, 9], [22, 13]]);
  await changes(page, () => page.click('#duplicate'));
  assert.equal(Object.keys(await things(page)).length, 8);
  await page.waitForSelector('#inspector >> text=3 things');
  await changes(page, () => page.keyboard.press('Delete'));
  assert.deepEqual(await things(page), moved);
  for (let step = 0; step < 3; step += 1) await page.click('#undo');
  await page.waitForFunction((old) => globalThis.studio.work.text === old, three);
}));
