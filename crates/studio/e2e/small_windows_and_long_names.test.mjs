// However small the window is, and however long names are, everything can be reached and read.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Studio, plan } from './harness.mjs';

let studio;
before(async () => { studio = await Studio.start(); });
after(async () => { await studio.stop(); });

const withPage = (options, act) => studio.withPage(options, act);

const TALE = `format = 1
name = "The very long and winding tale of how the apprentice came to the castle of the seven doors, and what befell there"
start = [2, 2]
goal = { all = [{ holds = "the_crown_of_the_last_king_under_the_mountain" }, { within = { at = [26, 9], radius = 1.0 } }] }

[map]
rows = [${Array(14).fill('"..............................."').join(', ')}]

[[item]]
id = "the_crown_of_the_last_king_under_the_mountain"
at = [12, 11]

[[key]]
id = "the_rusty_key_that_nobody_has_ever_found"
at = [6, 9]
opens = ["the_great_gate_of_the_northern_watch"]

[[door]]
id = "the_great_gate_of_the_northern_watch"
at = [${Array.from({ length: 14 }, (_, y) => `[18, ${y}]`).join(', ')}]
`;

/** What of the page is cut off at the side, or cannot be reached by scrolling up and down. */
const cutOff = (page) => page.evaluate(() => {
  const inside = (box, { left, right }) => box.left >= left - 1 && box.right <= right + 1;
  const window_ = { left: 0, right: innerWidth };
  return [...document.querySelectorAll('button, select, input, summary, .chip, .cost, .meter, #why dd')]
    .filter((one) => one.checkVisibility() && !one.closest('.code'))
    .filter((one) => {
      const box = one.getBoundingClientRect();
      const around = one.closest('#why, #panel')?.getBoundingClientRect() ?? window_;
      return !inside(box, around) || (one.closest('.steady') && box.bottom > one.closest('.steady').getBoundingClientRect().bottom + 1);
    })
    .map((one) => one.id || one.title || one.className || one.textContent);
});

/** Whether everything is there that comes after a click on the tab. */
const IS_THERE = {
  make: () => document.getElementById('field-name'),
  plan: () => globalThis.studio.plans.left.plan?.done,
  teach: () => document.getElementById('record'),
  play: () => globalThis.studio.panels.play.frame,
  tasks: () => document.getElementById('problems')?.dataset.count !== undefined,
};

for (const [width, height] of [[1280, 720], [1000, 600], [820, 1180], [760, 500], [640, 480], [640, 360], [390, 844]]) {
  test(`nothing is cut off in a window of ${width} × ${height}`, () => withPage({ path: 'built-in:quest_compound.toml', viewport: { width, height } }, async (page) => {
    for (const mode of ['make', 'plan', 'teach', 'play', 'tasks']) {
      await page.click(`#tab-${mode}`);
      await page.waitForFunction(IS_THERE[mode]);
      assert.deepEqual(await cutOff(page), [], mode);
    }
    const map = await page.evaluate(() => {
      document.getElementById('tab-plan').click();
      const { width: wide, height: high } = document.getElementById('maps').getBoundingClientRect();
      return Math.min(wide, high);
    });
    assert.ok(map >= 180, `${map} pixels are left for the map`);
  }));
}

test('long names are short on the map, and whole where there is room', () => withPage({ files: { 'tale.toml': TALE }, path: 'tale.toml' }, async (page) => {
  const labels = await page.locator('#left .label').allTextContents();
  assert.ok(labels.every((label) => label.length <= 22), String(labels));
  assert.match(await page.locator('[data-thing="the_rusty_key_that_nobody_has_ever_found"] title').textContent(), /nobody has ever found/);
  await page.click('#story li:nth-child(1) button');
  assert.match(await page.locator('#why dl').innerText(), /holds\s+the rusty key that nobody has ever found/);
  assert.deepEqual(await cutOff(page), []);
}));

test('a moment of a level with a long name is saved under the name that is offered', () => withPage({ files: { 'tale.toml': TALE }, path: 'tale.toml' }, async (page) => {
  await page.click('#tab-play');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame);
  await page.click('#single');
  await page.click('#save-moment');
  await page.click('dialog .primary');
  await page.waitForSelector('dialog >> text=The moment is a test now');
  const [name] = (await studio.files('moments')).filter((file) => file.endsWith('.toml'));
  assert.match(name, /^the_very_long.*after_0_1_s\.toml$/);
  await page.click('dialog .primary');
  // One that nobody could store says so.
  await page.click('#save-moment');
  await page.fill('dialog input', 'on and '.repeat(20));
  await page.click('dialog .primary');
  await page.waitForSelector('.toast.wrong >> text=too long');
}));

test('Escape ends the first steps', () => withPage({ first: true }, async (page) => {
  assert.ok(await page.locator('#tour').isVisible());
  await page.keyboard.press('Escape');
  assert.ok(await page.locator('#tour').isHidden());
}));

test('why a line is left alone is said in the words of the page', () => withPage({ path: 'built-in:empty_tutorial.toml' }, async (page) => {
  // Far off the way: much longer than the direct one.
  await page.evaluate(() => globalThis.studio.work.change({ lines: [{ id: 90, name: 'far', points: [[28, 1], [1, 1], [1, 18], [28, 18]], log: null, hidden: false }] }));
  await studio.settled(page);
  await page.evaluate(() => globalThis.studio.work.setSettings('left', { faithful: 0.1 }));
  await studio.settled(page);
  const { followed } = await plan(page);
  const told = await page.locator('#ignored').innerText();
  assert.ok(followed < 0.5, String(followed));
  assert.match(told, /the slider towards Faithful follows more/);
  assert.doesNotMatch(told, /epsilon/);
}));
