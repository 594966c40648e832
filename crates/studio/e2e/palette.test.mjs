// Pictures with fewer colours are still the same pictures.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Studio } from './harness.mjs';
import { withPalette } from './palette.mjs';

let studio;
before(async () => { studio = await Studio.start(); });
after(async () => { await studio.stop(); });

/** How much two pictures differ, as a browser sees them. */
const compared = (page, pictures) => page.evaluate(async (all) => {
  const [a, b] = await Promise.all(all.map(async (base) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  }));
  const off = a.data.map((value, index) => Math.abs(value - b.data[index]));
  return { sizes: [a.width, a.height, b.width, b.height], most: off.reduce((most, one) => Math.max(most, one), 0), mean: off.reduce((sum, one) => sum + one, 0) / off.length };
}, pictures.map((picture) => picture.toString('base64')));

test('a picture with a palette looks like the one it was made from, and is smaller', async () => {
  const page = await studio.page({ path: 'built-in:quest_compound.toml' });
  await page.selectOption('#estimate', 'path');
  await page.waitForSelector('.scale');
  const picture = await page.screenshot();
  const small = withPalette(picture);
  // The page of the studio itself fetches nothing from elsewhere.
  const other = await page.context().newPage();
  const { sizes, mean, most } = await compared(other, [picture, small]);
  assert.deepEqual(sizes, [1280, 720, 1280, 720]);
  assert.ok(mean < 0.5 && most < 64, `off by ${mean}, at most ${most}`);
  assert.ok(small.length < picture.length / 2, `${small.length} of ${picture.length} bytes`);
  await page.context().close();
});
