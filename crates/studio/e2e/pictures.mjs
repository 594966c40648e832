// Draws the pictures of the book: node pictures.mjs ../../../book/src/pictures

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withPalette } from './palette.mjs';
import { Studio, YARD, drag, placeOf } from './harness.mjs';

const folder = process.argv[2] ?? '.';
const studio = await Studio.start();

const options = { viewport: { width: 1280, height: 720 } };
const shoot = async (page, name) => writeFile(path.join(folder, `studio-${name}.png`), withPalette(await page.screenshot()));
const settle = async (page) => {
  await studio.settled(page);
  await page.mouse.move(2, 700);
  await page.waitForTimeout(300);
};

let page = await studio.page({ ...options, first: true });
await settle(page);
await shoot(page, 'first');

page = await studio.page({ ...options, path: 'built-in:quest_compound.toml' });
await settle(page);
await shoot(page, 'plan');
await page.click('#story li:nth-child(2) button');
await settle(page);
await shoot(page, 'why');
await page.keyboard.press('Escape');
await page.check('#show-search');
await page.fill('#scrub', '70');
await settle(page);
await shoot(page, 'search');
await page.fill('#scrub', '100');
await page.uncheck('#show-search');
await page.selectOption('#estimate', 'path');
await page.waitForSelector('.scale');
await settle(page);
await shoot(page, 'estimate');
await page.selectOption('#estimate', '');
await page.click('#experts summary');
await page.click('#compare');
await page.waitForFunction(() => globalThis.studio.plans.right.plan?.done);
await settle(page);
await shoot(page, 'compare');

page = await studio.page({ ...options });
await page.click('#new-level');
await page.fill('#new-name', 'The old mill');
await page.fill('#new-width', '24');
await page.fill('#new-height', '12');
await page.click('dialog[open] >> text=Make it');
await page.waitForSelector('#palette');
await settle(page);
await page.click('#make-rectangle');
await drag(page, [[12, 0], [12, 11]]);
for (const [what, x, y] of [['key', 4, 2], ['door', 12, 6], ['bear', 18, 1]]) {
  await settle(page);
  await page.click(`#palette [data-what="${what}"]`);
  await page.mouse.click(...(await page.evaluate(([a, b]) => globalThis.studio.maps.left.toScreen(a, b), [x, y])));
}
await page.waitForSelector('#inspector[data-thing="bear"]');
await settle(page);
await shoot(page, 'make');

page = await studio.page({ ...options, path: 'built-in:quest_key.toml' });
await page.click('#tab-teach');
await page.click('.line-card [title="Delete"]');
await page.waitForTimeout(4500);
await drag(page, [[6, 12], [4, 20], [6, 30], [11, 35], [18, 33], [24, 25], [30, 25], [33, 34], [35, 42], [44, 43]]);
await settle(page);
await shoot(page, 'teach');

page = await studio.page({ ...options, path: 'built-in:k1d1_close.toml' });
await page.keyboard.press('r');
await page.waitForSelector('#record-keep');
for (const [key, isThere] of [['ArrowUp', () => globalThis.studio.panels.teach.place[1] <= 20], ['ArrowRight', () => globalThis.studio.panels.teach.place[0] >= 9]]) {
  await page.keyboard.down(key);
  await page.waitForFunction(isThere);
  await page.keyboard.up(key);
}
await page.mouse.move(2, 700);
await shoot(page, 'record');

page = await studio.page({ ...options, files: YARD, path: 'yard.toml' });
await drag(page, [await placeOf(page, 'star'), [14, 4]]);
await page.waitForTimeout(300);
await settle(page);
await shoot(page, 'floors');
await page.click('#save');
await page.waitForTimeout(300);
await shoot(page, 'save');

page = await studio.page({ ...options, path: 'built-in:k1d1_close.toml' });
await page.click('#tab-play');
await page.selectOption('#speed', '2');
await page.click('#play');
await page.waitForFunction(() => Number(document.getElementById('timeline').value) > 20);
await page.click('#disturb [data-id="red"] button');
await page.waitForFunction(() => document.getElementById('mind').dataset.state !== 'following');
await page.click('#disturb [data-id="red"] button');
await page.waitForFunction(() => Number(document.getElementById('mind').dataset.plans) >= 2);
await page.click('#play');
await page.mouse.move(2, 700);
await page.waitForTimeout(300);
await shoot(page, 'play');

page = await studio.page(options);
await page.click('#tab-tasks');
await page.waitForSelector('#task-steps li');
const text = await page.inputValue('#tasks-text');
await page.fill('#tasks-text', text.replace('    open(r);\n    at := r;', '    opn(r);\n    at := r;'));
await page.click('#problems .error');
await page.mouse.move(2, 700);
await page.waitForTimeout(200);
await shoot(page, 'tasks');

page = await studio.page({ ...options, colorScheme: 'dark', path: 'built-in:k1d1_close.toml' });
await settle(page);
await shoot(page, 'dark');

page = await studio.page({ ...options, path: 'built-in:grotto.toml' });
await settle(page);
await shoot(page, 'cave');

page = await studio.page({ viewport: { width: 820, height: 1180 }, hasTouch: true, path: 'built-in:bear_bypass.toml' });
await page.click('#tab-play');
await page.click('#join');
await page.waitForSelector('#leave');
await page.selectOption('#speed', '8');
await page.click('#play');
await page.waitForFunction(() => Number(document.getElementById('timeline').value) > 60);
await page.click('#play');
await page.waitForTimeout(300);
await shoot(page, 'tablet');

await studio.stop();
