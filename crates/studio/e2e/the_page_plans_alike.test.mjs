// The planner inside the page makes the same plans as the program, to the byte; and it is small.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Studio, run } from './harness.mjs';
import { SocketClient } from './socket_client.mjs';

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

/** All that the page answers. */
function askPage(question) {
  const { said } = planner.hear(JSON.stringify(question));
  for (let more = true; more;) {
    const next = planner.goOn();
    said.push(...next.said);
    more = next.more;
  }
  return said;
}

/** All that the program answers. */
async function askProgram(socket, question) {
  socket.send(JSON.stringify(question));
  const said = [];
  for (;;) {
    said.push(await socket.next());
    const { answer, done } = JSON.parse(said.at(-1));
    if (answer !== 'plan' || done) return said;
  }
}

/** What is left of an answer, to the byte, without what it took: clocks differ from run to run, and so does the size of a pointer in WebAssembly. */
const withoutWhatItTook = (text) => text.replaceAll(/"(\w+_ms|bytes_per_state)":[^,}]+/g, '"$1":0');

/** How plans are made: as the level says, and as somebody at the sliders may want them. */
const settingsOf = ({ planner: name, faithful }) => [
  { planner: name ?? 'auto', faithful: faithful ?? 0.5 },
  { planner: 'auto', faithful: 0.9 },
  { planner: 'mha', faithful: 0.5 },
];

test('every shipped level is read and planned as by the program, to the byte', inPageOnly, async () => {
  const program = new Studio();
  program.folder = SHIPPED;
  await program.open(0);
  const socket = await SocketClient.open(program.address);
  let id = 0;
  const alike = async (what, question) => {
    id += 1;
    const [ours, theirs] = [askPage({ id, ...question }), await askProgram(socket, { id, ...question })];
    const last = [ours, theirs].map((said) => JSON.parse(said.at(-1)));
    // Whose time was up on a busy machine has no plan to compare.
    if (last.every(({ plan }) => plan?.status !== 'budget')) assert.deepEqual(ours.map(withoutWhatItTook), theirs.map(withoutWhatItTook), what);
    return last[0];
  };
  let found = 0;
  try {
    assert.ok(levels.length >= 18);
    for (const level of levels) {
      const { text, demonstrations, planning } = await alike(level, { ask: 'open', path: level });
      const shown = demonstrations.filter(({ hidden }) => !hidden).map(({ name, points, log }) => (log ? { name, log } : { name, points }));
      for (const settings of settingsOf(planning)) {
        const what = `${level} with ${JSON.stringify(settings)}`;
        const question = { ask: 'plan', path: level, text, demonstrations: shown, settings, detail: 'live' };
        const { answer, plan } = await alike(what, question);
        assert.equal(answer, 'plan', what);
        if (plan.status === 'found') found += 1;
      }
    }
  } finally {
    socket.close();
    await program.kill();
  }
  assert.ok(found >= 2 * levels.length, `${found} plans`);
});

test('the steps are those that the command line prints', inPageOnly, async () => {
  for (const level of levels) {
    const [opened] = askPage({ id: 1, ask: 'open', path: level }).map((text) => JSON.parse(text));
    const shown = opened.demonstrations.filter(({ hidden }) => !hidden).map(({ name, points, log }) => (log ? { name, log } : { name, points }));
    const { planner: name, faithful } = opened.planning;
    const settings = { planner: name ?? 'auto', faithful: faithful ?? 0.5 };
    const answers = askPage({ id: 2, ask: 'plan', path: level, text: opened.text, demonstrations: shown, settings, detail: 'live' });
    const ours = JSON.parse(answers.at(-1)).plan;
    const { said } = await run(['plan', path.join(SHIPPED, level), '--format', 'json']);
    const theirs = JSON.parse(said);
    assert.equal(JSON.stringify([ours.cost, ours.steps]), JSON.stringify([theirs.cost, theirs.steps]), level);
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
