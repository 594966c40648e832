// What designers found, as far as no other file holds it: words, what a plan costs, what is said while one waits.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Studio, plan, run } from './harness.mjs';

const SCENARIOS = new URL('../../../scenarios/', import.meta.url);

let studio;
before(async () => { studio = await Studio.start(); });
after(async () => { await studio.stop(); });

const withPage = (options, act) => studio.withPage(options, act);

/** A shipped level with its mesh, as files of the folder. */
async function shipped(...names) {
  const files = names.map(async (name) => [name, await readFile(new URL(name, SCENARIOS), 'utf8')]);
  return Object.fromEntries(await Promise.all(files));
}

const saved = (page) => page.waitForFunction(() => !globalThis.studio.work.changed);
const lost = ({ steps }) => Math.round(steps[0].health - steps.at(-1).health);

/** Plays to the end, a second at a time; the last moment. */
const playedOut = (page) => page.evaluate(async () => {
  const { connection } = globalThis.studio;
  for (let second = 0; second < 600; second += 1) {
    const frame = await connection.ask({ ask: 'go', moments: 10 });
    if (frame.goal_met || frame.npc.health <= 0) return { time: frame.time, health: frame.npc.health };
  }
  return null;
});

test('the plan and the game agree about time and health', async () => {
  const files = await shipped('multi_demo.toml', 'bear_bypass.toml', 'quest_shield.toml', 'quest_compound.toml', 'bear_lever.toml', 'quest_key.toml');
  for (const name of Object.keys(files).filter((file) => file.endsWith('.toml'))) {
    await withPage({ files, path: name }, async (page) => {
      page.setDefaultTimeout(60_000);
      const { steps } = await plan(page);
      await page.click('#tab-play');
      await page.waitForFunction(() => globalThis.studio.panels.play.frame);
      const { time, health } = await playedOut(page);
      assert.equal(Math.round(health), Math.round(steps.at(-1).health), `${name}: health`);
      // A game is asked ten times a second, and a second at a time here; the character may stand while it thinks.
      assert.ok(Math.abs(time - steps.at(-1).t) < 2.5, `${name}: planned ${steps.at(-1).t} s, played ${time} s`);
    });
  }
});

const CORRIDOR = `format = 1
start = [1, 1]
goal = { within = { at = [18, 1], radius = 0.0 } }

[map]
rows = [${Array(9).fill(`"${'.'.repeat(20)}"`).join(', ')}]

[[enemy]]
id = "sentry"
kind = "guard"
at = [10, 1]

[[key]]
id = "red"
at = [10, 8]
`;

test('how much health is worth is chosen, seen in the plan, and saved with the level', () => withPage({ files: { 'corridor.toml': CORRIDOR }, path: 'corridor.toml' }, async (page) => {
  await page.fill('#caution', '0');
  await studio.settled(page);
  const reckless = await plan(page);
  await page.fill('#caution', '10');
  await page.waitForFunction(() => globalThis.studio.work.scene.harm === 10);
  await studio.settled(page);
  const cautious = await plan(page);
  assert.ok(lost(reckless) > 0 && lost(cautious) === 0, `${lost(reckless)}, ${lost(cautious)}`);
  assert.match(await page.innerText('#price'), /no harm/i);
  assert.ok([reckless, cautious].every(({ steps }) => steps.every(({ events }) => !events.some((event) => event.includes('red')))), 'a key that opens nothing is left where it is');
  await page.keyboard.press('Control+s');
  await saved(page);
  assert.match(await studio.read('corridor.toml'), /harm = 10/);
}));

test('a level with ten demonstrations and both sliders is planned by the command line as it is here', () => withPage({ files: { 'ten.toml': CORRIDOR.replace('name =', '# name =') }, path: 'ten.toml' }, async (page) => {
  await page.evaluate(() => {
    const lines = Array.from({ length: 10 }, (_, number) => ({ id: number + 1, name: `Way ${number}`, points: [[1, 1], [3 + number, 2 + (number % 6)], [12, 2 + ((number * 5) % 7)], [18, 1]], log: null, hidden: number === 4 }));
    globalThis.studio.work.change({ lines });
  });
  await page.fill('#faithful', '73');
  await page.fill('#caution', '6');
  await page.waitForFunction(() => globalThis.studio.work.scene.harm === 0.5);
  await studio.settled(page);
  const before_ = await plan(page);
  await page.keyboard.press('Control+s');
  await saved(page);
  await page.selectOption('#scenario', 'built-in:quest_key.toml');
  await page.waitForFunction(() => globalThis.studio.work.path === 'built-in:quest_key.toml');
  await page.selectOption('#scenario', 'ten.toml');
  await page.waitForFunction(() => globalThis.studio.work.path === 'ten.toml');
  await studio.settled(page);
  const after_ = await plan(page);
  const told = ({ cost, steps }) => [cost, steps];
  assert.deepEqual(told(after_), told(before_));
  assert.deepEqual(await page.evaluate(() => globalThis.studio.work.lines.map(({ hidden }) => Boolean(hidden)).indexOf(true)), 4);
  const planned = await run(['plan', path.join(studio.folder, 'ten.toml'), '--format', 'json']);
  assert.deepEqual(told(JSON.parse(planned.said.slice(planned.said.indexOf('{')))), told(before_));
}));

test('while a slow level is planned, that is said, and nothing is told of the one before', async () => {
  const files = await shipped('coop_cave.toml', 'coop_cave.mesh');
  await withPage({ files, path: 'built-in:quest_key.toml' }, async (page) => {
    await page.evaluate(() => globalThis.studio.refreshFiles());
    const told = await page.evaluate(async () => {
      const { studio: app } = globalThis;
      globalThis.seen = [];
      app.plans.left.on('plan', ({ plan: { scenario } }) => globalThis.seen.push(scenario));
      await app.open('coop_cave.toml');
      const cost = document.getElementById('cost')?.textContent ?? null;
      return { cost, isBusy: app.plans.left.isBusy, plan: app.plans.left.plan };
    });
    if (told.isBusy && told.plan === null) assert.equal(told.cost, null, 'the time of the former level');
    await studio.settled(page);
    assert.equal((await plan(page)).scenario, 'coop_cave');
    const seen = await page.evaluate(() => globalThis.seen);
    assert.ok(seen.length > 0 && seen.every((scenario) => scenario === 'coop_cave'), `plans of ${seen.join(', ')}`);
  });
});

test('choosing a level while tasks are written shows that level', () => withPage({}, async (page) => {
  await page.click('#tab-tasks');
  await page.waitForSelector('#tasks-text');
  await page.selectOption('#scenario', 'built-in:bear_bypass.toml');
  await page.waitForFunction(() => globalThis.studio.work.view.mode === 'plan');
  assert.ok(await page.locator('#left').isVisible());
}));

test('what somebody holds is not cut off on a laptop', () => withPage({ path: 'built-in:quest_key.toml', viewport: { width: 1440, height: 900 } }, async (page) => {
  await page.click('#tab-play');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame);
  await page.evaluate(async () => {
    for (let second = 0; second < 120; second += 1) {
      const frame = await globalThis.studio.connection.ask({ ask: 'go', moments: 10 });
      if (frame.npc.holding.length > 0) {
        await globalThis.studio.panels.play.key({ key: '', target: document.body });
        break;
      }
    }
    document.getElementById('single').click();
  });
  await page.waitForFunction(() => document.getElementById('play-holds').textContent.includes('holds key'));
  const { scrollWidth, clientWidth } = await page.evaluate(() => { const { scrollWidth: all, clientWidth: seen } = document.getElementById('play-holds'); return { scrollWidth: all, clientWidth: seen }; });
  assert.ok(scrollWidth <= clientWidth, `${scrollWidth} > ${clientWidth}`);
}));

test('Tab leaves the editor of tasks after Escape', () => withPage({}, async (page) => {
  await page.click('#tab-tasks');
  await page.click('#tasks-text');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  assert.notEqual(await page.evaluate(() => document.activeElement.id), 'tasks-text');
}));

test('no words are left that nobody understood', async () => {
  const web = new URL('../web/', import.meta.url);
  const names = (await readdir(web)).filter((name) => /\.(js|html)$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, web), 'utf8')));
  for (const words of ['That cannot be', 'slantwise', 'two at once', 'As far as walls, doors', 'round of errands', 'by shield first', 'A search ignores it', 'Time passes from your first key', 'What should work from here', 'Thinks again']) {
    texts.forEach((text, number) => assert.ok(!text.replaceAll('That cannot be undone', '').includes(words), `${names[number]}: ${words}`));
  }
});

/** How long pictures take while something is done in each. */
const pictures = (page, act) => page.evaluate(async (text) => {
  // eslint-disable-next-line no-new-func
  const move = new Function('map', 'number', text);
  const map = globalThis.studio.maps.left;
  const spans = [];
  const scripts = [];
  let last = await new Promise(requestAnimationFrame);
  for (let number = 0; number < 60; number += 1) {
    const begun = performance.now();
    move(map, number);
    scripts.push(performance.now() - begun);
    const now = await new Promise(requestAnimationFrame);
    spans.push(now - last);
    last = now;
  }
  const middle = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  return { picture: middle(spans), script: middle(scripts) };
}, act);

test('a map of a thousand by a thousand cells is panned and zoomed fluently', { timeout: 180_000 }, () => withPage({}, async (page) => {
  page.setDefaultTimeout(60_000);
  await page.evaluate(async () => {
    const { studio: app } = globalThis;
    const opened = await app.connection.ask({ ask: 'new', name: 'A continent', width: 1000, height: 1000 });
    await app.begin(opened);
    const edits = Array.from({ length: 40 }, (_, number) => ({ edit: 'paint_rectangle', with: 'wall', from: [20 + 24 * number, 40 + (number % 5) * 90], to: [30 + 24 * number, 240 + (number % 5) * 90] }));
    await app.edit(edits);
  });
  await studio.settled(page);
  for (const [what, act] of [['panned', 'map.pan(number % 20 < 10 ? 9 : -9, 4)'], ['zoomed', 'map.zoom(number % 20 < 10 ? 1.12 : 1 / 1.12)']]) {
    const { picture, script } = await pictures(page, act);
    console.log(`  1,000 × 1,000 cells, ${what}: a picture takes ${picture.toFixed(1)} ms, of which the page ${script.toFixed(1)}`);
    assert.ok(script < 33, `${what}: the page alone takes ${script} ms a picture`);
  }
}));
