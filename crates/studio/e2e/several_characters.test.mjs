// Several characters in one level: made, seen, played and gone back in.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FIELD, Studio, drag } from './harness.mjs';

let studio;
before(async () => { studio = await Studio.start(); });
after(async () => { await studio.stop(); });

const TWO = `${FIELD}
[[actor]]
id = "anna"
at = [2, 10]
goal = { within = { at = [10, 10], radius = 0.0 } }

[[actor]]
id = "bob"
at = [2, 15]
`;

const members = (page) => page.evaluate(() => globalThis.studio.panels.play.frame.members.map(({ id, actor, mind }) => [id, Math.round(actor.x), mind?.state ?? null]));
const pass = (page, moments) => page.evaluate(async (count) => {
  for (let moment = 0; moment < count; moment += 1) {
    const { number } = globalThis.studio.panels.play.frame;
    document.getElementById('single').click();
    while (globalThis.studio.panels.play.frame.number === number) await new Promise((done) => { setTimeout(done, 2); });
  }
}, moments);

test('everybody with a goal of their own goes there, beside a player', () => studio.withPage({ files: { 'two.toml': TWO }, path: 'two.toml' }, async (page) => {
  await page.click('#tab-play');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame);
  assert.deepEqual(await members(page), [['anna', 2, 'thinking'], ['bob', 2, null]]);
  assert.equal(await page.locator('#left .person-at.other').count(), 2);
  assert.equal(await page.evaluate(() => globalThis.studio.panels.play.frame.player), null, 'nobody is taken for a player');
  await pass(page, 25);
  const [[, x, state], bob] = await members(page);
  assert.deepEqual([x, state], [10, 'done']);
  assert.deepEqual(bob, ['bob', 2, null], 'who has no goal waits');
  assert.match(await page.innerText('#log'), /anna has reached its goal/i);
  // A moment that is gone back to goes on as it did.
  const seen = () => page.evaluate(() => JSON.stringify(globalThis.studio.panels.play.frame.members.map(({ actor }) => [actor.x, actor.y])));
  const last = await seen();
  await page.evaluate(() => { const line = document.getElementById('timeline'); line.value = 7; line.dispatchEvent(new Event('input')); line.dispatchEvent(new Event('change')); });
  await page.waitForFunction(() => globalThis.studio.panels.play.frame.number === 7);
  await pass(page, 18);
  assert.equal(await seen(), last);
  // Somebody at the keyboard joins in.
  await page.click('#join');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame?.player);
  assert.equal((await members(page)).length, 2);
}));

test('a character is put into a level, given a goal, and moved', () => studio.withPage({ files: { 'one.toml': FIELD }, path: 'one.toml' }, async (page) => {
  await page.click('#tab-make');
  await page.click('[data-what="character"]');
  const [x, y] = await page.evaluate(() => globalThis.studio.maps.left.toScreen(5, 12));
  await page.mouse.click(x, y);
  await page.waitForSelector('#field-goal');
  await page.locator('#field-goal').pressSequentially('{ within = { at = [9, 12], radius = 0.0 } }');
  await page.press('#field-goal', 'Enter');
  await page.waitForFunction(() => globalThis.studio.work.text.includes('at = [9, 12]'));
  await drag(page, [[5, 12], [6, 13]]);
  await page.waitForFunction(() => globalThis.studio.work.scene.things.find(({ id }) => id === 'character').at[0][1] === 13);
  await page.click('#tab-play');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame?.members.length === 1);
}));
