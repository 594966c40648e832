// A recording is not lost, whatever goes away in the middle of it: the studio, the page, or the person.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FIELD, Studio, YARD, holdingBack, inProgramOnly } from './harness.mjs';

let studio;
before(async () => { studio = await Studio.start(); });
after(async () => { await studio.stop(); });

/** What browsers say about a studio that is not there is no mistake of the page. */
const isMistake = (text) => !/ERR_CONNECTION|WebSocket|NetworkError|403|can’t establish|was interrupted/.test(text);

const withPage = (options, act) => studio.withPage({ files: { 'field.toml': FIELD }, path: 'field.toml', ...options }, act, isMistake);

const place = (page) => page.evaluate(() => globalThis.studio.panels.teach.place);
const clock = (page) => page.locator('#clock').innerText();
const logs = (page) => page.evaluate(() => globalThis.studio.work.lines.map(({ log }) => log));

async function record(page) {
  await page.keyboard.press('r');
  await page.waitForSelector('#record-keep');
}

/** Goes on until the character has come so far; the key stays down. */
async function go(page, key, isThere) {
  await page.keyboard.down(key);
  while (!isThere(await place(page))) await page.waitForTimeout(20);
}

/** The one log there is, which must tell of one way without a gap. */
async function oneWay(page) {
  await page.waitForFunction(() => globalThis.studio.work.lines.length === 1);
  const [log] = await logs(page);
  const samples = log.trimEnd().split('\n').slice(1).map((line) => JSON.parse(line));
  const [first, last] = [samples[0], samples.at(-1)];
  assert.deepEqual([first.t, first.x, first.y], [0, 2, 2]);
  samples.slice(1).forEach((sample, index) => {
    const past = samples[index];
    assert.ok(sample.t > past.t && sample.t - past.t < 0.61, `${past.t} to ${sample.t}`);
    assert.ok(Math.hypot(sample.x - past.x, sample.y - past.y) < 4 * 0.61, `from ${past.x}, ${past.y} to ${sample.x}, ${sample.y}`);
  });
  return [last.x, last.y];
}

test('time passes from the first key on', () => withPage({}, async (page) => {
  await record(page);
  await page.waitForTimeout(400);
  assert.equal(await clock(page), '0.0 s');
  await page.click('#record-keep');
  await page.waitForSelector('.toast >> text=Nothing was played');
  assert.deepEqual(await logs(page), []);
}));

test('time stands still while nobody moves, Space waits, and time can go faster', () => withPage({}, async (page) => {
  const isResting = () => page.waitForFunction(() => /Time stands still/.test(document.querySelector('#panel .state').textContent));
  await record(page);
  await go(page, 'ArrowDown', ([, y]) => y >= 4);
  await page.keyboard.up('ArrowDown');
  await isResting();
  const [still, there] = [await clock(page), await place(page)];
  // How one would go is no going.
  await page.keyboard.down('Shift');
  await page.waitForTimeout(400);
  await page.keyboard.up('Shift');
  assert.equal(await clock(page), still);
  await page.keyboard.down(' ');
  await page.waitForFunction((was) => Number.parseFloat(document.getElementById('clock').textContent) >= Number.parseFloat(was) + 0.3, still);
  await page.keyboard.up(' ');
  await isResting();
  // A step that was begun is ended, and no other is taken.
  const [x, y] = await place(page);
  assert.ok(x === there[0] && y - there[1] < 1, `from ${there} to ${x}, ${y}`);
  await page.selectOption('#record-speed', '4');
  await page.evaluate(() => {
    globalThis.passed = [];
    new MutationObserver(() => globalThis.passed.push(performance.now())).observe(document.getElementById('clock'), { childList: true });
  });
  await go(page, 'ArrowRight', ([x]) => x >= 14);
  await page.keyboard.up('ArrowRight');
  await isResting();
  const shortest = await page.evaluate(() => Math.min(...globalThis.passed.slice(1).map((time, index) => time - globalThis.passed[index])));
  assert.ok(shortest < 90, `a tenth of a second takes ${shortest} ms`);
  await page.click('#record-keep');
  assert.ok((await oneWay(page))[0] >= 14);
}));

test('a studio that is killed in the middle of a recording loses nothing of it', inProgramOnly, () => withPage({}, async (page) => {
  await record(page);
  await go(page, 'ArrowDown', ([, y]) => y >= 8);
  await studio.kill();
  await page.waitForSelector('body.offline');
  await page.keyboard.up('ArrowDown');
  assert.match(await page.locator('#status').innerText(), /not running.*nothing is lost/);
  assert.match(await page.locator('#panel').innerText(), /What you have played is kept/);
  const [there, when] = [await place(page), await clock(page)];
  await page.click('#record-keep');
  await page.waitForSelector('.toast.wrong >> text=kept');
  // The new studio has another token, and opens a tab.
  await studio.open(studio.port);
  const other = await page.context().newPage();
  await other.goto(studio.address);
  await studio.settled(other);
  await page.bringToFront();
  await page.waitForSelector('.toast.good >> text=interrupted');
  assert.deepEqual([await place(page), await clock(page)], [there, when]);
  assert.equal(await other.locator('body.recording').count(), 0, 'it is not the other tab’s');
  assert.equal(await page.locator('.layer.sketch .line').count(), 1, 'the way so far is seen');
  await go(page, 'ArrowRight', ([x]) => x >= 8);
  await page.keyboard.up('ArrowRight');
  await page.click('#record-keep');
  const [x, y] = await oneWay(page);
  assert.ok(x >= 8 && y >= 8, `${x}, ${y}`);
}));

test('a page that is reloaded in the middle of a recording finds it again', () => withPage({}, async (page) => {
  await record(page);
  await go(page, 'ArrowDown', ([, y]) => y >= 6);
  const there = await place(page);
  await page.reload();
  await page.waitForSelector('.toast.good >> text=interrupted');
  await page.keyboard.up('ArrowDown');
  const [, y] = await place(page);
  assert.ok(y >= there[1], `${y} after ${there[1]}`);
  await page.keyboard.press('Enter');
  assert.ok((await oneWay(page))[1] >= there[1]);
  await studio.settled(page);
  await page.reload();
  await studio.settled(page);
  assert.equal((await logs(page)).length, 1);
  assert.equal(await page.locator('#record-keep').count(), 0, 'it is taken up once');
}));

test('a recording is found again in another tab once its own is gone, and not before', () => withPage({}, async (page) => {
  const other = await page.context().newPage();
  await page.bringToFront();
  await record(page);
  await go(page, 'ArrowDown', ([, y]) => y >= 4);
  const visit = async () => {
    await other.goto(studio.home);
    await studio.settled(other);
  };
  await visit();
  await other.waitForTimeout(1500);
  assert.equal(await other.locator('body.recording').count(), 0, 'it is still being made');
  await page.close();
  await other.reload();
  await studio.settled(other);
  await other.waitForSelector('.toast.good >> text=interrupted');
  await other.click('#record-discard');
  await other.waitForSelector('.toast >> text=Ctrl+Z');
  await other.reload();
  await studio.settled(other);
  await other.waitForTimeout(300);
  assert.equal(await other.locator('body.recording').count(), 0, 'it was not wanted');
}));

/** A recording in another tab, which is about to let go of it; and a page that waits for that. */
async function waitingFor(page, act) {
  const other = await page.context().newPage();
  await other.goto(String(new URL('icon.svg', studio.home)));
  await page.evaluate(() => {
    const { path: level, text } = globalThis.studio.work;
    localStorage.setItem('apprentice-studio-recording:other', JSON.stringify({ path: level, text }));
  });
  await other.evaluate(() => {
    globalThis.play = (moments) => localStorage.setItem('apprentice-studio-recording-orders:other', JSON.stringify({ orders: [['wait', moments]], place: [2, 2] }));
    globalThis.play(10);
    return new Promise((isHeld) => {
      navigator.locks.request('apprentice-studio-recording-other', () => new Promise((letGo) => {
        globalThis.letGo = letGo;
        isHeld();
      }));
    });
  });
  // However slow the machine is, the page waits long enough.
  await page.addInitScript(() => { AbortSignal.timeout = () => new AbortController().signal; });
  await page.reload();
  await other.waitForFunction(async () => (await navigator.locks.query()).pending.length > 0);
  await act(other);
  await other.evaluate(() => globalThis.letGo());
  await other.close();
}

test('a recording is taken up as its tab has left it, not as it was when somebody first looked', () => withPage({}, async (page) => {
  await waitingFor(page, (other) => other.evaluate(() => globalThis.play(20)));
  await page.waitForSelector('.toast.good >> text=interrupted');
  assert.equal(await clock(page), '2.0 s');
  await page.click('#record-discard');
  await page.waitForSelector('#record');
}));

test('a recording that its tab has kept, or thrown away, is not taken up by another that waited for it', () => withPage({}, async (page) => {
  const isFree = () => page.waitForFunction(async () => {
    const { held, pending } = await navigator.locks.query();
    return held.length + pending.length === 0;
  });
  await waitingFor(page, (other) => other.evaluate(() => localStorage.removeItem('apprentice-studio-recording-orders:other')));
  await isFree();
  await page.waitForTimeout(300);
  assert.equal(await page.locator('#record-keep').count(), 0);
}));

test('a recording that is found when another was begun leaves that one alone', () => withPage({}, async (page) => {
  await waitingFor(page, async () => {
    await studio.settled(page);
    await record(page);
  });
  await page.waitForFunction(async () => (await navigator.locks.query()).pending.length === 0);
  await go(page, 'ArrowDown', ([, y]) => y >= 4);
  await page.keyboard.up('ArrowDown');
  await page.click('#record-keep');
  assert.ok((await oneWay(page))[1] >= 4);
  // The other one is still there.
  await page.reload();
  await page.waitForSelector('.toast.good >> text=interrupted');
  assert.equal(await clock(page), '1.0 s');
}));

test('Escape ends a recording and keeps it', () => withPage({}, async (page) => {
  await record(page);
  await go(page, 'ArrowDown', ([, y]) => y >= 4);
  await page.keyboard.up('ArrowDown');
  await page.keyboard.press('Escape');
  await page.waitForSelector('.toast.good >> text=Recorded');
  assert.equal(await page.locator('#record-keep').count(), 0);
  assert.ok((await oneWay(page))[1] >= 4);
}));

test('a recording that is discarded can be brought back, also after a reload', () => withPage({}, async (page) => {
  await record(page);
  await go(page, 'ArrowDown', ([, y]) => y >= 4);
  await page.keyboard.up('ArrowDown');
  await page.click('#record-discard');
  await page.waitForSelector('.toast >> text=Ctrl+Z brings it back');
  assert.deepEqual(await logs(page), []);
  await page.reload();
  await studio.settled(page);
  assert.equal(await page.locator('#record-keep').count(), 0, 'it is not taken up');
  await page.keyboard.press('Control+z');
  assert.ok((await oneWay(page))[1] >= 4);
}));

test('a recording that has become an hour long is kept, and says so', () => withPage({}, async (page) => {
  // Nobody waits for an hour: all but the last second of it was played before the page was reloaded.
  await page.evaluate((moments) => {
    const { path: level, text } = globalThis.studio.work;
    const store = 'apprentice-studio-recording';
    localStorage.setItem(`${store}:long`, JSON.stringify({ path: level, text }));
    localStorage.setItem(`${store}-orders:long`, JSON.stringify({ orders: [['wait', moments]], place: [2, 2] }));
  }, 36_000 - 10);
  await page.reload();
  await page.waitForSelector('.toast.good >> text=interrupted');
  await page.keyboard.down('ArrowDown');
  await page.waitForSelector('.toast.good >> text=/hour is recorded.*kept as “Recording 1”/');
  await page.keyboard.up('ArrowDown');
  assert.equal(await page.locator('#record-keep').count(), 0, 'it has ended');
  const [log] = await logs(page);
  const last = JSON.parse(log.trimEnd().split('\n').at(-1));
  assert.ok(last.t >= 3599 && last.y > 2, JSON.stringify(last));
  assert.equal(await page.locator('.toast.wrong').count(), 0);
}));

test('whoever goes elsewhere in the middle of a recording keeps it', () => withPage({}, async (page) => {
  await record(page);
  await go(page, 'ArrowDown', ([, y]) => y >= 4);
  await page.keyboard.up('ArrowDown');
  await page.click('#tab-play');
  await page.waitForSelector('.toast.good >> text=Recorded');
  await oneWay(page);
  await page.waitForFunction(() => globalThis.studio.panels.play.frame?.count === 1);
}));

test('the level stays as it is while it is recorded', () => withPage({}, async (page) => {
  await record(page);
  const text = () => page.evaluate(() => globalThis.studio.work.text);
  const before = await text();
  await page.focus('[data-thing="goal"]');
  await page.evaluate(() => globalThis.studio.maps.left.emit('drop', 'goal', { x: 5, y: 5 }));
  await go(page, 'ArrowDown', ([, y]) => y >= 3);
  await page.keyboard.up('ArrowDown');
  assert.equal(await text(), before);
  await page.keyboard.press('Escape');
}));

test('the level stays as it is from the moment a recording is asked for', () => {
  const hold = holdingBack('"npc"');
  return withPage({ line: hold.line }, async (page) => {
    const state = () => page.evaluate(() => [globalThis.studio.work.lines.length, globalThis.studio.work.text, globalThis.studio.work.canRedo]);
    await page.evaluate(() => globalThis.studio.work.change({ lines: [{ id: 90, name: 'line', points: [[2, 2], [5, 5]], log: null, hidden: false }] }));
    const before = await state();
    hold.isOn = true;
    await page.keyboard.press('r');
    await hold.until(1);
    await page.keyboard.press('Control+z');
    await page.evaluate(() => {
      const { left } = globalThis.studio.maps;
      left.emit('drag', 'goal', { x: 5, y: 5 });
      left.emit('drop', 'goal', { x: 5, y: 5 });
      left.emit('touched', 'goal');
    });
    await page.evaluate(() => globalThis.studio.connection.ask({ ask: 'files' }));
    assert.deepEqual(await state(), before);
    hold.letGo();
    await page.waitForSelector('#record-keep');
    await page.click('#record-keep');
    await page.waitForSelector('.toast >> text=Nothing was played');
  });
});

test('a recording whose level was changed before it was there is let go, and kept', () => {
  const hold = holdingBack('"npc"');
  return withPage({ line: hold.line }, async (page) => {
    // Whatever was under way when the recording was asked for, such as a thing that was just put down.
    const change = () => page.evaluate(() => {
      const { work } = globalThis.studio;
      work.change({ text: `${work.text}\n`, scene: { ...work.scene } });
    });
    const undo = async () => {
      const text = await page.evaluate(() => globalThis.studio.work.text);
      await page.keyboard.press('Control+z');
      await page.waitForFunction((before) => globalThis.studio.work.text !== before, text);
    };
    hold.isOn = true;
    await page.keyboard.press('r');
    await hold.until(1);
    await change();
    hold.letGo();
    await page.waitForSelector('.toast.wrong >> text=Press R to begin anew');
    await undo();
    await record(page);
    await go(page, 'ArrowDown', ([, y]) => y >= 4);
    await page.keyboard.up('ArrowDown');
    hold.isOn = true;
    await page.reload();
    await page.waitForFunction(() => globalThis.studio?.panels.teach.holdsLevel);
    await change();
    hold.letGo();
    await page.waitForSelector('.toast.wrong >> text=It is kept');
    assert.equal(await page.locator('body.recording').count(), 0);
    await undo();
    await studio.settled(page);
    await page.reload();
    await page.waitForSelector('.toast.good >> text=interrupted');
    await page.click('#record-keep');
    assert.ok((await oneWay(page))[1] >= 4);
  });
});

test('a recording that leads elsewhere because the level has changed says so', inProgramOnly, () => withPage({ files: YARD, path: 'yard.toml' }, async (page) => {
  await record(page);
  await go(page, 'ArrowRight', ([x]) => x >= 4);
  await page.keyboard.up('ArrowRight');
  // A ditch is across the way now.
  const ditch = 'v 0 0 0\nv 3 0 0\nv 3 0 8\nv 0 0 8\nv 5 0 0\nv 20 0 0\nv 20 0 8\nv 5 0 8\nf 1 4 3 2\nf 5 8 7 6\n';
  await writeFile(path.join(studio.folder, 'yard.obj'), ditch);
  await page.reload();
  await page.waitForSelector('.toast.wrong >> text=the level has changed');
  await page.keyboard.press('Escape');
}));

test('a game that the studio takes along begins anew, and says so', inProgramOnly, () => withPage({}, async (page) => {
  await page.click('#tab-play');
  await page.click('#play');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame?.count > 2);
  await studio.kill();
  await page.waitForSelector('body.offline');
  assert.match(await page.locator('#status').innerText(), /the game begins anew/);
  await studio.open(studio.port);
  const other = await page.context().newPage();
  await other.goto(studio.address);
  await page.bringToFront();
  await page.waitForSelector('.toast >> text=begins anew');
  await page.waitForFunction(() => globalThis.studio.panels.play.frame?.count === 1);
}));

test('work that is too large to be remembered says so, and an older state is not taken for it', () => withPage({}, async (page) => {
  await page.evaluate(() => {
    const { work } = globalThis.studio;
    work.change({ lines: [], text: `${work.text}\n# ${'x'.repeat(6 << 20)}` });
  });
  await page.waitForSelector('.toast.wrong >> text=too large');
  assert.equal(await page.evaluate(() => localStorage.getItem('apprentice-studio')), null);
}));

test('whoever stops twice has one recording', () => withPage({}, async (page) => {
  await record(page);
  await go(page, 'ArrowRight', ([x]) => x > 6);
  await page.keyboard.up('ArrowRight');
  await page.dblclick('#record-keep');
  await page.waitForFunction(() => globalThis.studio.work.lines.length > 0);
  await page.waitForTimeout(300);
  assert.equal((await logs(page)).length, 1);
}));

test('recordings of one level in two tabs do not get in each other\'s way', () => withPage({}, async (page) => {
  const other = await page.context().newPage();
  await other.goto(page.url());
  await studio.settled(other);
  for (const tab of [page, other, page]) {
    await tab.bringToFront();
    if (!(await tab.locator('#record-keep').count())) await record(tab);
    const [x] = await place(tab);
    await go(tab, 'ArrowRight', ([now]) => now > x + 1);
    await tab.keyboard.up('ArrowRight');
  }
  const kept = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('apprentice-studio-recording:')).length);
  assert.equal(kept, 2);
  await other.close();
}));

test('what is undone after saving under another name is undone there', () => withPage({}, async (page) => {
  await page.evaluate(() => {
    const { work } = globalThis.studio;
    for (const id of [90, 91]) {
      work.change({ lines: [...work.lines, { id, name: `line ${id}`, points: [[2, 2], [5, id - 85]], log: null, hidden: false }] });
    }
  });
  await studio.settled(page);
  await page.click('#save');
  await page.click('#save-as');
  await page.fill('dialog input', 'copy.toml');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => globalThis.studio.work.path === 'copy.toml');
  await page.evaluate(() => globalThis.studio.work.undo());
  assert.equal(await page.evaluate(() => globalThis.studio.work.path), 'copy.toml');
  await page.keyboard.press('Control+s');
  await page.waitForFunction(() => !globalThis.studio.work.changed);
  assert.equal(await studio.read('field.toml'), FIELD);
  assert.equal((await studio.read('copy.toml')).match(/points/g).length, 1);
}));

test('what is undone or done while a level is being saved is neither overwritten nor called saved', () => {
  const hold = holdingBack('"paths"');
  return withPage({ files: { 'slow.toml': FIELD }, path: 'slow.toml', line: hold.line }, async (page) => {
    const line = (id) => page.evaluate((number) => {
      const { work } = globalThis.studio;
      work.change({ lines: [...work.lines, { id: number, name: `line ${number}`, points: [[2, 2], [5, number - 85]], log: null, hidden: false }] });
    }, id);
    const state = () => page.evaluate(() => {
      const { work } = globalThis.studio;
      return [work.path, work.lines.length, work.changed, (work.text.match(/points/g) ?? []).length];
    });
    const save = async (meanwhile) => {
      hold.isOn = true;
      await page.keyboard.press('Control+s');
      await hold.until(1);
      await meanwhile();
      hold.letGo();
      await page.waitForSelector('.toast.good >> text=Saved');
      await page.evaluate(() => document.getElementById('toasts').replaceChildren());
    };
    const written = async (file) => ((await studio.read(file)).match(/points/g) ?? []).length;
    await line(90);
    await save(() => page.keyboard.press('Control+z'));
    assert.deepEqual(await state(), ['slow.toml', 0, true, 0], 'what was undone stays undone, and is not saved');
    assert.match(await page.title(), /^•/);
    assert.equal(await written('slow.toml'), 1);
    // The file is as it was saved: nobody else has changed it.
    await save(() => line(91));
    assert.deepEqual(await state(), ['slow.toml', 1, true, 0]);
    assert.equal(await written('slow.toml'), 0);
    // Whoever has gone elsewhere stays there.
    await save(async () => {
      await page.selectOption('#scenario', 'field.toml');
      await page.waitForFunction(() => globalThis.studio.work.path === 'field.toml');
    });
    assert.deepEqual(await state(), ['field.toml', 0, false, 0]);
    await page.evaluate(() => globalThis.studio.work.undo());
    assert.deepEqual((await state()).slice(0, 2), ['slow.toml', 1]);
    await save(() => {});
    assert.deepEqual(await state(), ['slow.toml', 1, false, 1]);
  });
});

test('a level that was left without saving can be gone back to after a reload', () => withPage({}, async (page) => {
  const state = () => page.evaluate(() => {
    const { path: from, text, lines, scene, changed, was } = globalThis.studio.work;
    return JSON.stringify({ from, text, lines, scene, changed, was });
  });
  const undo = async (level) => {
    await page.click('#undo');
    await page.waitForFunction((path_) => globalThis.studio.work.path === path_, level);
  };
  await page.evaluate(() => {
    const { work } = globalThis.studio;
    work.change({ lines: [{ id: 90, name: 'line', points: [[2, 2], [5, 5]], log: null, hidden: false }] });
  });
  await page.evaluate(() => globalThis.studio.edit([{ edit: 'move', thing: 'goal', x: 30, y: 9 }]));
  const left = await state();
  await page.selectOption('#scenario', 'built-in:bear_bypass.toml');
  await page.waitForFunction(() => globalThis.studio.work.path === 'built-in:bear_bypass.toml');
  await studio.settled(page);
  const opened = await state();
  await page.reload();
  await studio.settled(page);
  await undo('field.toml');
  assert.equal(await state(), left, 'as it was left');
  await studio.settled(page);
  // Before that, and there and back again, each time with a reload.
  await page.click('#undo');
  await page.waitForFunction(() => globalThis.studio.work.scene.things.find(({ id }) => id === 'goal').at[0][0] === 38);
  await studio.settled(page);
  await page.reload();
  await studio.settled(page);
  await page.evaluate(() => { globalThis.studio.work.redo(); globalThis.studio.work.redo(); });
  await page.waitForFunction(() => globalThis.studio.work.path === 'built-in:bear_bypass.toml');
  assert.equal(await state(), opened);
  await studio.settled(page);
  await undo('field.toml');
  assert.equal(await state(), left, 'and there again');
  await page.evaluate(() => { globalThis.studio.work.undo(); globalThis.studio.work.undo(); });
  await page.waitForFunction(() => globalThis.studio.work.lines.length === 0);
  assert.equal(await page.locator('#undo').isDisabled(), true);
}));

test('the level before the last can be gone back to, if it was not saved', () => withPage({ files: { 'field.toml': FIELD } }, async (page) => {
  await page.evaluate(() => {
    const { work } = globalThis.studio;
    work.change({ lines: [{ id: 90, name: 'line', points: [[2, 2], [5, 5]], log: null, hidden: false }] });
  });
  for (const level of ['built-in:bear_bypass.toml', 'built-in:k1d1_close.toml']) {
    await page.selectOption('#scenario', level);
    await page.waitForFunction((path_) => globalThis.studio.work.path === path_, level);
  }
  await page.evaluate(() => { globalThis.studio.work.undo(); globalThis.studio.work.undo(); });
  const { path: now, lines } = await page.evaluate(() => ({ path: globalThis.studio.work.path, lines: globalThis.studio.work.lines.length }));
  assert.deepEqual([now, lines], ['field.toml', 1]);
}));

test('a level can be saved under another name while it is recorded, and the recording goes on there', () => withPage({}, async (page) => {
  await record(page);
  await go(page, 'ArrowDown', ([, y]) => y >= 4);
  await page.keyboard.up('ArrowDown');
  await page.click('#save');
  await page.click('#save-as');
  await page.fill('dialog input', 'elsewhere.toml');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => globalThis.studio.work.path === 'elsewhere.toml');
  await page.waitForSelector('.toast.good >> text=Saved');
  // Whoever reloads finds it in the new file.
  await page.reload();
  await page.waitForSelector('.toast.good >> text=interrupted');
  await page.click('#record-keep');
  await page.waitForSelector('.toast.good >> text=Recorded');
  assert.ok((await oneWay(page))[1] >= 4);
  assert.equal(await page.evaluate(() => globalThis.studio.work.path), 'elsewhere.toml');
}));

test('a recording that was taken up, and not played on, goes along when the level is saved under another name', () => withPage({}, async (page) => {
  await record(page);
  await go(page, 'ArrowDown', ([, y]) => y >= 4);
  await page.keyboard.up('ArrowDown');
  const isBack = () => page.waitForSelector('.toast.good >> text=interrupted');
  await page.reload();
  await isBack();
  await page.click('#save');
  await page.click('#save-as');
  await page.fill('dialog input', 'taken_along.toml');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.toast.good >> text=Saved');
  await page.reload();
  await isBack();
  assert.equal(await page.evaluate(() => globalThis.studio.work.path), 'taken_along.toml');
  await page.click('#record-keep');
  await page.waitForSelector('.toast.good >> text=Recorded');
  assert.ok((await oneWay(page))[1] >= 4);
}));

test('a recording can be discarded without the studio, but not by mistake', inProgramOnly, () => withPage({}, async (page) => {
  await record(page);
  await go(page, 'ArrowDown', ([, y]) => y >= 4);
  await page.keyboard.up('ArrowDown');
  await studio.kill();
  await page.waitForSelector('body.offline');
  await page.click('#record-discard');
  await page.click('dialog >> text=Cancel');
  assert.equal(await page.locator('#record-discard').count(), 1, 'it is still there');
  await page.click('#record-discard');
  await page.click('dialog .primary');
  await page.waitForSelector('#record');
  const left = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('recording')));
  assert.deepEqual(left, []);
  await studio.open(studio.port);
}));

test('a recording in a level that is broken now can be kept for later, or discarded', inProgramOnly, () => withPage({ files: YARD, path: 'yard.toml' }, async (page) => {
  await record(page);
  await go(page, 'ArrowRight', ([x]) => x >= 3);
  await page.keyboard.up('ArrowRight');
  await writeFile(path.join(studio.folder, 'yard.obj'), 'no mesh');
  const recordings = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('recording:')).length);
  await page.reload();
  await page.click('dialog >> text=Keep it');
  assert.equal(await recordings(), 1);
  await page.reload();
  await page.click('dialog >> text=Discard it');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  assert.equal(await recordings(), 0);
}));

test('a recording has room before what can be undone', () => withPage({}, async (page) => {
  await page.evaluate(() => {
    const { work } = globalThis.studio;
    const line = (id) => ({ id, name: 'large', points: [[2, 2], [5, 5]], log: 'x'.repeat(1_000_000), hidden: true });
    work.change({ lines: [line(90)] });
    work.change({ lines: [] });
    // Others, too, have something here; as much as fits.
    for (const store of [localStorage, sessionStorage]) {
      for (let size = 1 << 22; size >= 1; size >>= 1) {
        try {
          store.setItem('others', (store.getItem('others') ?? '') + 'x'.repeat(size));
        } catch {
          // Less, then.
        }
      }
    }
  });
  await record(page);
  await go(page, 'ArrowDown', ([, y]) => y >= 4);
  await page.keyboard.up('ArrowDown');
  assert.doesNotMatch(await page.locator('#panel .state').innerText(), /too large/);
  await page.reload();
  await page.waitForSelector('.toast.good >> text=interrupted');
  await page.click('#record-discard');
}));

test('Ctrl+S is no key to walk by, and whoever is asked something stands still', () => withPage({}, async (page) => {
  const orders = () => page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('apprentice-studio-recording-orders')).flatMap(([, text]) => JSON.parse(text).orders));
  const isResting = () => page.waitForFunction(() => /Time stands still/.test(document.querySelector('#panel .state').textContent));
  await record(page);
  await page.keyboard.press('Control+s');
  await page.waitForSelector('.toast.good >> text=Saved');
  await page.waitForTimeout(300);
  assert.equal(await clock(page), '0.0 s');
  assert.deepEqual(await orders(), []);
  // The key that was down when the dialog came is let go in it.
  await go(page, 'ArrowDown', ([, y]) => y >= 4);
  await page.click('#save');
  await page.keyboard.up('ArrowDown');
  await isResting();
  await page.click('#save-as');
  await page.keyboard.press('s');
  await page.click('dialog >> text=Cancel');
  const there = await place(page);
  await page.waitForTimeout(300);
  assert.deepEqual(await place(page), there);
  // Nor does it count where it came from with Ctrl.
  await page.keyboard.down('Control');
  await page.keyboard.down('s');
  await page.keyboard.up('Control');
  await page.waitForTimeout(300);
  await page.keyboard.up('s');
  assert.deepEqual(await place(page), there);
  // Any key goes on, by itself.
  await go(page, 'ArrowRight', ([x]) => x >= there[0] + 1);
  await page.keyboard.up('ArrowRight');
  assert.ok((await orders()).some(([order]) => order === 'walk east'));
  assert.ok((await orders()).every(([order]) => ['walk south', 'walk east', 'wait'].includes(order)), JSON.stringify(await orders()));
  await page.keyboard.press('Escape');
}));
