// The planner inside the page makes the same plans as the program, to the byte; and it is small.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { run } from './harness.mjs';

const PAGE = process.env.STUDIO_PAGE && path.resolve(process.env.STUDIO_PAGE);
const inPageOnly = { skip: PAGE ? false : 'this is about the page without the program: STUDIO_PAGE=target/web' };
const SHIPPED = fileURLToPath(new URL('../../../scenarios/', import.meta.url));
/** Compressed, as web servers send it. */
const LARGEST = 2_000_000;

let planner;
let levels;

before(async () => {
  if (!PAGE) return;
  const { Planner } = await import(pathToFileURL(path.join(PAGE, 'planner.js')));
  planner = new Planner(await WebAssembly.compile(await readFile(path.join(PAGE, 'apprentice.wasm'))));
  const files = await readdir(SHIPPED);
  for (const file of files) {
    const wrong = planner.put(file, await readFile(path.join(SHIPPED, file), 'utf8'));
    assert.equal(wrong, null, file);
  }
  levels = files.filter((file) => file.endsWith('.toml'));
});

let asked = 0;

/** All that is answered. */
function ask(question) {
  asked += 1;
  const { said } = planner.hear(JSON.stringify({ id: asked, ...question }));
  for (let more = true; more;) {
    const next = planner.goOn();
    said.push(...next.said);
    more = next.more;
  }
  const answers = said.map((text) => JSON.parse(text));
  assert.ok(answers.every(({ id, answer }) => id === asked && answer !== 'refused'), said.join('\n'));
  return answers;
}

/** What the page plans in a level as it comes. */
function planned(level) {
  const [{ text, demonstrations, planning }] = ask({ ask: 'open', path: level });
  const shown = demonstrations.filter(({ hidden }) => !hidden).map(({ name, points, log }) => (log ? { name, log } : { name, points }));
  const settings = { planner: planning.planner ?? 'auto', faithful: planning.faithful ?? 0.5 };
  const answers = ask({ ask: 'plan', path: level, text, demonstrations: shown, settings, detail: 'live' });
  return answers.at(-1).plan;
}

/** The plan, and all that is proven of it and was counted: what clocks say differs from run to run. */
const withoutClocks = (plan) => JSON.stringify(Object.entries(plan).filter(([name]) => !name.endsWith('_ms')));

test('plans of every shipped level are those of the program, to the byte', inPageOnly, async () => {
  assert.ok(levels.length >= 18);
  for (const level of levels) {
    const { said } = await run(['plan', path.join(SHIPPED, level), '--format', 'json']);
    assert.equal(withoutClocks(planned(level)), withoutClocks(JSON.parse(said)), level);
  }
});

test('the page is small enough to be opened by whoever is curious', inPageOnly, async () => {
  const files = await Promise.all((await readdir(PAGE)).map((file) => readFile(path.join(PAGE, file))));
  const sizes = files.map((bytes) => gzipSync(bytes, { level: 9 }).length);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(all < LARGEST, `${all} bytes`);
});

test('what cannot be a file is refused in words', inPageOnly, () => {
  assert.match(planner.put('../level.toml', ''), /no path inside/);
  assert.match(planner.put('level.exe', ''), /no file the studio knows/);
});
