// Long use: memory stays flat, every question is answered, nothing complains.
// SOAK_SECONDS=1800 node --test long_use.test.mjs is the long version.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { BROWSER, Studio, drag, placeOf } from './harness.mjs';

const SECONDS = Number(process.env.SOAK_SECONDS ?? 45);

let studio;
before(async () => { studio = await Studio.start(); });
after(async () => { await studio.stop(); });

/** Megabytes of the page, after cleaning up, and of the studio. Firefox says nothing of its pages. */
async function memory(page) {
  return { page: BROWSER === 'chromium' ? await heap(page) : 0, studio: await (studio.child ? resident() : held(page)) };
}

async function heap(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 2 ** 20;
}

async function resident() {
  const status = await readFile(`/proc/${studio.child.pid}/status`, 'utf8').catch(() => '');
  return Number(status.match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) / 1024;
}

/** What the workers of a page without the program hold. */
async function held(page) {
  const bytes = await Promise.all(page.workers().map((worker) => worker.evaluate(() => globalThis.heldBytes())));
  return bytes.reduce((sum, one) => sum + one, 0) / 2 ** 20;
}

async function round(page, number) {
  await page.click('#tab-plan');
  const [x, y] = await placeOf(page, 'key');
  await drag(page, [[x, y], [5 + (number % 12), 38], [14, 33]], { steps: 12 });
  await studio.settled(page);
  await page.fill('#faithful', String((number * 37) % 101));
  await page.check('#show-search');
  await page.selectOption('#estimate', number % 2 ? 'path' : '');
  await studio.settled(page);
  await page.uncheck('#show-search');
  await page.click('#tab-teach');
  await drag(page, [[6, 12], [5, 24], [11, 34], [24, 25], [34, 40], [44, 43]]);
  await studio.settled(page);
  await page.click('.line-card:last-child [title="Delete"]');
  await page.click('#tab-play');
  await page.selectOption('#speed', '8');
  await page.click('#play');
  await page.waitForFunction(() => Number(document.getElementById('timeline').value) > 15);
  await page.click('#tab-tasks');
  await page.fill('#tasks-goal', number % 2 ? 'ordered(Enter(office))' : 'ordered(Nonsense())');
  await page.waitForFunction((broken) => (document.querySelectorAll('#problems .error').length > 0) === broken, number % 2 === 0);
}

test(`${SECONDS} seconds of use`, { timeout: (SECONDS + 120) * 1000 }, async () => {
  const page = await studio.page();
  // The first rounds fill what is filled once: the undo list, the caches of the allocator.
  let number = 0;
  for (; number < 3; number += 1) await round(page, number);
  const first = await memory(page);
  const until = Date.now() + SECONDS * 1000;
  for (; Date.now() < until; number += 1) await round(page, number);
  const last = await memory(page);
  console.log(`  ${number} rounds; page ${first.page.toFixed(1)} to ${last.page.toFixed(1)} MB, studio ${first.studio.toFixed(1)} to ${last.studio.toFixed(1)} MB`);
  assert.deepEqual(page.complaints, []);
  assert.equal(await page.evaluate(() => globalThis.studio.connection.unanswered), 0, 'a question was lost');
  // Undo keeps up to a hundred small steps; anything beyond that is a leak.
  assert.ok(last.page < first.page + 12, 'the page grows');
  assert.ok(last.studio < first.studio + 40, 'the studio grows');
});
