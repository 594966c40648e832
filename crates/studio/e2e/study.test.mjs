// A scripted participant takes part in the study from consent to thanks: eight rounds, a line, every statement.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { launch, run } from './harness.mjs';

/** How many times faster than people the participant plays. */
const HURRY = 6;
/** Where the bear does not hear who waits for the lever to be pulled. */
const WAITS_AT = [24, 5];
const ARROWS = { x: { '-1': 'ArrowLeft', 1: 'ArrowRight' }, y: { '-1': 'ArrowUp', 1: 'ArrowDown' } };

let browser;
let folder;
let study;

async function open(out) {
  const child = spawn(process.env.APPRENTICE ?? 'apprentice', ['study', '--no-open', '--port', '0', '--out', out]);
  const address = await new Promise((resolve, reject) => {
    let said = '';
    child.on('exit', (code) => reject(new Error(`the study ended with ${code}: ${said}`)));
    child.stdout.on('data', (text) => {
      said += text;
      const found = said.match(/at (http:\S+)\n/);
      if (found) resolve(found[1]);
    });
  });
  child.removeAllListeners('exit');
  return { child, address };
}

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'apprentice-study-'));
  study = await open(folder);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  study?.child.kill();
  await rm(folder, { recursive: true, force: true });
});

/** A picture for whoever wants to look: STUDY_PICTURES=folder node --test … */
async function picture(page, name) {
  if (!process.env.STUDY_PICTURES) return;
  await mkdir(process.env.STUDY_PICTURES, { recursive: true });
  await page.screenshot({ path: path.join(process.env.STUDY_PICTURES, `${name}.png`) });
}

async function newPage(address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.complaints = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) page.complaints.push(message.text()); });
  page.on('pageerror', (error) => page.complaints.push(String(error.stack ?? error)));
  await page.goto(address);
  return page;
}

/** The next cell on a shortest way, or none. */
function towards(isFree, from, to) {
  const name = ([x, y]) => `${x},${y}`;
  const before_ = new Map([[name(to), null]]);
  const queue = [to];
  while (queue.length) {
    const at = queue.shift();
    if (name(at) === name(from)) return before_.get(name(at));
    for (const [x, y] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      const next = [at[0] + x, at[1] + y];
      if (!before_.has(name(next)) && isFree(next)) {
        before_.set(name(next), at);
        queue.push(next);
      }
    }
  }
  return undefined;
}

/** Where a player goes who looks at the map: to the goal, or to a key, or to where one waits for the lever. */
function wish({ room, moment }) {
  const here = [Math.round(moment.player.x), Math.round(moment.player.y)];
  const doors = room.things.filter(({ kind }) => kind === 'door');
  const keys = room.things.filter(({ kind }) => kind === 'key');
  const colors = keys.filter(({ id }) => moment.player.holding.includes(id)).map(({ color }) => color);
  const shut = doors.filter(({ id, color }) => !moment.open.includes(id) && !(color !== null && colors.includes(color)));
  const isShut = ([x, y]) => shut.some(({ at }) => at.some(([a, b]) => a === x && b === y));
  const isFree = ([x, y]) => (room.rows[y]?.[x] ?? '#') !== '#' && !isShut([x, y]);
  const lying = keys.filter(({ id }) => moment.lying.includes(id)).map(({ at }) => at[0]);
  const goal = room.things.find(({ kind }) => kind === 'goal').at[0];
  for (const to of [goal, ...lying, WAITS_AT]) {
    const next = towards(isFree, here, to);
    if (next === null) return [0, 0];
    if (next) return [next[0] - here[0], next[1] - here[1]];
  }
  return [0, 0];
}

/** Plays a round with the keys, until the game is left. */
async function playRound(page) {
  await page.click('button:has-text("Begin")');
  await page.waitForSelector('#map');
  const held = new Set();
  for (;;) {
    const seen = await page.evaluate(() => (document.getElementById('map') ? { room: globalThis.study.room, moment: globalThis.study.map.moment } : null));
    if (!seen) break;
    const [x, y] = wish(seen);
    const wanted = new Set([ARROWS.x[x], ARROWS.y[y]].filter(Boolean));
    for (const key of held) if (!wanted.has(key)) { await page.keyboard.up(key); held.delete(key); }
    for (const key of wanted) if (!held.has(key)) { await page.keyboard.down(key); held.add(key); }
    assert.equal(await page.locator('.over').count(), 0, 'the bear caught the player');
  }
  for (const key of held) await page.keyboard.up(key);
}

/** Agrees more or less, by chance that is the same every time. */
const opinion = (round, statement) => ((round * 7 + statement * 3) % 5) - 2;

async function answerAll(page, round, count) {
  assert.equal(await page.locator('fieldset').count(), count);
  // Whoever forgets one is told which.
  await page.click('button.main');
  assert.equal(await page.locator('fieldset.missing').count(), count);
  for (let statement = 1; statement <= count; statement += 1) {
    await page.check(`input[name=q${statement}][value="${opinion(round, statement)}"]`);
    await page.waitForSelector(`#statement-${statement}[data-kept="${opinion(round, statement)}"]`);
  }
  await page.fill('#comment', `Round ${round}, with "quotes", and a comma`);
}

test('a participant takes part from consent to thanks, is interrupted once, and every answer is in the table', { timeout: 900_000 }, async () => {
  let page = await newPage(`${study.address}&hurry=${HURRY}`);
  const openNotes = () => newPage(study.address.replace('/?', '/study_notes.html?'));
  let notes = await openNotes();
  await page.waitForSelector('text=New participant');
  await picture(page, 'experimenter');
  await page.click('text=New participant');
  await page.waitForSelector('text=Welcome');
  await picture(page, 'consent');
  assert.ok(await page.isDisabled('button.main'), 'nobody takes part who has not agreed');
  await page.check('#agree');
  await page.click('button.main');
  await page.waitForSelector('text=a room to practise in');
  await playRound(page);
  for (let round = 1; round <= 8; round += 1) {
    if (round === 5) {
      await page.waitForSelector('canvas.drawing');
      assert.ok(await page.isDisabled('button.main'));
      for (const line of [[[2, 14], [20, 14]], [[2, 14], [23, 14], [23, 5], [26, 3], [24, 8], [24, 15], [31, 14], [37, 14]]]) {
        const places = await page.evaluate((points) => points.map(([x, y]) => globalThis.study.map.toScreen(x, y)), line);
        await page.mouse.move(...places[0]);
        await page.mouse.down();
        for (const place of places) await page.mouse.move(...place, { steps: 6 });
        await page.mouse.up();
        await page.waitForSelector('button.main:not([disabled])');
      }
      await picture(page, 'drawing');
      await page.click('button.main');
    }
    await page.waitForSelector(`h1:has-text("Round ${round}:")`);
    if (round === 5) await picture(page, 'bear-before');
    const playing = playRound(page);
    if (round === 1 || round === 5) {
      await page.waitForFunction(() => globalThis.study?.map?.moment?.seconds > 6);
      await picture(page, round === 1 ? 'five-doors' : 'bear');
      await notes.fill('#text', `said in round ${round}`);
      await notes.click('button.main');
    }
    await playing;
    await page.waitForSelector('fieldset');
    const count = round > 4 ? 7 : 4;
    if (round === 3) {
      // Interrupted in the middle of a questionnaire: the program is killed, and started again.
      await page.check('input[name=q1][value="2"]');
      await page.waitForSelector('#statement-1[data-kept="2"]');
      study.child.kill('SIGKILL');
      await new Promise((resolve) => { study.child.on('exit', resolve); });
      await Promise.all([page.context().close(), notes.context().close()]);
      study = await open(folder);
      notes = await openNotes();
      page = await newPage(`${study.address}&hurry=${HURRY}`);
      await page.click('ul.people button');
      await page.waitForSelector('fieldset');
      assert.ok(await page.isChecked('input[name=q1][value="2"]'), 'what was answered is still there');
      for (let statement = 1; statement <= count; statement += 1) {
        await page.check(`input[name=q${statement}][value="${opinion(round, statement)}"]`);
        await page.waitForSelector(`#statement-${statement}[data-kept="${opinion(round, statement)}"]`);
      }
      await page.fill('#comment', `Round ${round}, with "quotes", and a comma`);
    } else await answerAll(page, round, count);
    if (round === 1 || round === 8) await picture(page, `questions-${round}`);
    await page.click('button.main');
  }
  await page.waitForSelector('text=That was the last round');
  await page.fill('#comment', 'Fun!');
  await page.click('button.main');
  await page.waitForSelector('text=Thank you!');
  await picture(page, 'thanks');
  assert.deepEqual(page.complaints, []);

  const files = await readdir(folder);
  const journal = files.find((name) => name.endsWith('.jsonl'));
  const lines = (await readFile(path.join(folder, journal), 'utf8')).trim().split('\n').map((line) => JSON.parse(line));
  const begun = lines[0];
  for (let round = 1; round <= 8; round += 1) {
    const count = round > 4 ? 7 : 4;
    for (let statement = 1; statement <= count; statement += 1) {
      const last = lines.findLast((line) => line.entry === 'answered' && line.trial === round && line.statement === statement);
      assert.equal(last.answer, opinion(round, statement), `round ${round}, statement ${statement}`);
    }
    const done = lines.find((line) => line.entry === 'trial_done' && line.trial === round);
    assert.ok(done.seconds > 5 && !done.given_up && done.player_seconds > 0 && done.npc_seconds > 0);
    const { npc } = begun.trials[round - 1];
    const ready = lines.find((line) => line.entry === 'plan_ready' && line.trial === round);
    assert.equal(Boolean(ready), npc !== 'rule-based', `${npc} in round ${round}`);
  }
  const remarks = lines.filter((line) => line.entry === 'remarked');
  assert.deepEqual(remarks.map(({ trial, text }) => [trial, text]), [[1, 'said in round 1'], [5, 'said in round 5']]);
  assert.ok(remarks[0].seconds > 5);

  const { code, said } = await run(['study', 'report', folder, '--format', 'json']);
  assert.equal(code, 0, said);
  const report = JSON.parse(said);
  assert.equal(report.participants, 1);
  assert.equal(report.rehearsals, 1);
  for (const row of report.rows) {
    const rounds = begun.trials.filter(({ npc }) => npc === row.npc).map(({ trial }) => trial);
    const mean = (rounds_, statement) => rounds_.reduce((sum, round) => sum + opinion(round, statement), 0) / rounds_.length;
    row.answers.forEach((cell, index) => {
      const asked = index < 4 ? rounds : rounds.filter((round) => round > 4);
      assert.equal(cell.mean, mean(asked, index + 1), `${row.npc}, statement ${index + 1}`);
    });
    assert.equal(row.time.n, 2);
  }
  const positions = (await readFile(path.join(folder, journal.replace('.jsonl', '.positions.csv')), 'utf8')).trim().split('\n');
  assert.ok(positions.length > 500, `${positions.length} positions`);
});

test('a study that is killed at ten moments, and begun again each time, has lost no answer', { timeout: 600_000 }, async () => {
  const out = await mkdtemp(path.join(tmpdir(), 'apprentice-study-'));
  let own = await open(out);
  let page = await newPage(`${own.address}&hurry=${HURRY}`);
  let random = 18;
  const any = (below) => {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((random / 2_147_483_648) * below);
  };
  let kills = 0;
  /** Killed some time from now, whatever is under way then; begun again, and gone on with. */
  const killed = async (most) => {
    await new Promise((resolve) => { setTimeout(resolve, any(most)); });
    own.child.kill('SIGKILL');
    await new Promise((resolve) => { own.child.on('exit', resolve); });
    await page.context().close();
    kills += 1;
    own = await open(out);
    page = await newPage(`${own.address}&hurry=${HURRY}`);
    await page.click('ul.people button');
  };
  await page.click('text=New participant');
  await page.waitForSelector('text=Welcome');
  await page.check('#agree');
  await page.click('button.main');
  await page.waitForSelector('text=a room to practise in');
  await killed(200);
  await page.waitForSelector('text=a room to practise in');
  await page.click('button:has-text("Begin")');
  await page.waitForSelector('#map');
  await killed(900);
  await page.waitForSelector('text=a room to practise in');
  await playRound(page);
  await page.waitForSelector('h1:has-text("Round 1:")');
  await page.click('button:has-text("Begin")');
  await page.waitForSelector('#map');
  await killed(2000);
  await page.waitForSelector('h1:has-text("Round 1:")');
  await playRound(page);
  await page.waitForSelector('fieldset');
  const kept = new Map();
  const given = [];
  for (let turn = 0; turn < 7; turn += 1) {
    const [statement, answer] = [1 + (turn % 4), any(5) - 2];
    await page.check(`input[name=q${statement}][value="${answer}"]`);
    await page.waitForSelector(`#statement-${statement}[data-kept="${answer}"]`);
    if (kept.get(statement) !== answer) given.push([statement, answer]);
    kept.set(statement, answer);
    await killed(150);
    await page.waitForSelector('fieldset');
    for (const [known, value] of kept) assert.ok(await page.isChecked(`input[name=q${known}][value="${value}"]`), `statement ${known} after ${kills} kills`);
  }
  assert.equal(kills, 10);
  const journal = (await readdir(out)).find((name) => name.endsWith('.jsonl'));
  const lines = (await readFile(path.join(out, journal), 'utf8')).trim().split('\n').map((line) => JSON.parse(line));
  const answered = lines.filter(({ entry }) => entry === 'answered').map(({ statement, answer }) => [statement, answer]);
  assert.deepEqual(answered.filter((one, number) => number === 0 || String(one) !== String(answered[number - 1])), given);
  const { code } = await run(['study', 'report', out, '--format', 'json']);
  assert.equal(code, 0);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
  own.child.kill();
  await rm(out, { recursive: true, force: true });
});

test('whoever stops taking part is asked, and left out', async () => {
  const out = await mkdtemp(path.join(tmpdir(), 'apprentice-study-'));
  const { child, address } = await open(out);
  const page = await newPage(address, { viewport: { width: 420, height: 800 } });
  await page.click('text=New participant');
  await page.waitForSelector('text=Welcome');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is cut off on a telephone');
  await picture(page, 'consent-phone');
  await page.click('#stop');
  await page.click('.over button:has-text("Go on")');
  await page.waitForSelector('text=Welcome');
  await page.click('#stop');
  await page.click('.over button.main');
  await page.waitForSelector('text=You have stopped');
  const { said } = await run(['study', 'report', out, '--format', 'json']);
  assert.deepEqual([JSON.parse(said).participants, JSON.parse(said).withdrawn], [0, 1]);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
  child.kill();
  await rm(out, { recursive: true, force: true });
});
