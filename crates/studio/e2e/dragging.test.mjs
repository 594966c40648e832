// The plan keeps up with the hand: on every level of squares that is shipped, whatever is dragged.
// Milliseconds are printed, for people; what is asserted are counts, which are the same on every machine.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { BROWSER, Studio, onScreen } from './harness.mjs';

const SHIPPED = new URL('../../../scenarios/', import.meta.url);
/** Movements of the hand in a drag; a mouse makes one in so many milliseconds. */
const MOVES = 24;
const PACE = 16;
/** How far the hand goes around the place of a thing, in cells. */
const REACH = 4;
/** A plan of two hundred steps, with others about, takes thirty thousand bytes. */
const MOST_BYTES = 64 * 1024;

let studio;
before(async () => { studio = await Studio.start(); });
after(async () => { await studio.stop(); });

/** Watches from inside the page: from the movement of the hand to the picture with the plan for that very place. */
const watch = (page) => page.evaluate(() => {
  const { connection, maps: { left: map } } = globalThis.studio;
  const seen = { moved: 0, asked: 0, refused: 0, mostAtOnce: 0, mostBytes: 0, painted: 0, pictures: [] };
  globalThis.seen = seen;
  /** When the hand was at a place. */
  const hand = new Map();
  let stamp = 0;
  /** Questions about the thing in the hand that are not answered. What is asked once, beside them, is none. */
  let unanswered = 0;
  for (const kind of ['pointermove', 'pointerrawupdate']) addEventListener(kind, (event) => { stamp = event.timeStamp; }, { capture: true });
  map.on('drag', (thing, { x, y }) => {
    seen.moved += 1;
    hand.set(`${thing} ${x} ${y}`, stamp);
  });
  const send = connection.send.bind(connection);
  connection.send = (question, stream) => {
    const [edit] = question.edits ?? [];
    if (question.ask !== 'plan' || !edit) return send(question, stream);
    const place = `${edit.thing} ${edit.x} ${edit.y}`;
    const sent = send(question, (reply, id) => {
      seen.mostBytes = Math.max(seen.mostBytes, JSON.stringify(reply).length);
      // The page asks what has come up meanwhile as soon as it hears the last answer.
      if (reply.done) unanswered -= 1;
      stream(reply, id);
      const { time_ms: search } = reply.plan;
      const way = map.container.querySelector('.layer.plan .casing')?.getAttribute('d') ?? '';
      requestAnimationFrame(() => {
        // What comes after the picture that is drawn now.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => seen.pictures.push({ place, search, steps: reply.plan.steps.length, way, latency: performance.now() - hand.get(place) });
        port2.postMessage(null);
      });
    });
    seen.asked += 1;
    unanswered += 1;
    seen.mostAtOnce = Math.max(seen.mostAtOnce, unanswered);
    sent.answer.catch(() => {
      unanswered -= 1;
      seen.refused += 1;
    });
    return sent;
  };
  const { drawImage } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.drawImage = function paint(...details) {
    seen.painted += 1;
    return drawImage.apply(this, details);
  };
});

/** The first movable thing of every kind there is. */
const oneOfEach = (page) => page.evaluate(() => {
  const movable = globalThis.studio.work.scene.things.filter((thing) => thing.movable);
  return movable.filter(({ kind }, index) => movable.findIndex((other) => other.kind === kind) === index);
});

/** The nearest place on the screen: no hand leaves it, and Firefox lets none. */
const withinScreen = (page, [x, y]) => {
  const { width, height } = page.viewportSize();
  return [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
};

/** Goes around the place of a thing with the thing in the hand, and puts it back. */
async function dragAround(page, { at: [[x, y]] }) {
  await page.mouse.move(...(await onScreen(page, x, y)));
  await page.mouse.down();
  for (let move = 1; move <= MOVES; move += 1) {
    const begun = performance.now();
    const angle = (move / MOVES) * 2 * Math.PI;
    const to = await onScreen(page, x + REACH * Math.sin(angle), y + REACH * (1 - Math.cos(angle)));
    await page.mouse.move(...withinScreen(page, to));
    await page.waitForTimeout(Math.max(0, PACE - (performance.now() - begun)));
  }
  await page.waitForFunction(() => !globalThis.studio.plans.left.isBusy);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await studio.settled(page);
}

const part = (values, share) => values[Math.min(values.length - 1, Math.floor(values.length * share))];

/** What people want to know of many figures. */
function summary(figures) {
  const sorted = figures.map((figure) => Math.round(figure)).sort((a, b) => a - b);
  return `median ${part(sorted, 0.5)}, 95 % ${part(sorted, 0.95)}, slowest ${sorted.at(-1)} ms of ${sorted.length}`;
}

test('whatever is dragged on a level of squares, the plan follows the hand', { timeout: 300_000 }, async () => {
  const names = (await readdir(SHIPPED)).filter((name) => name.endsWith('.toml'));
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, SHIPPED), 'utf8')));
  const levels = names.map((name, index) => [name, texts[index]]).filter(([, text]) => !/^map\s*=.*\.mesh"|^file\s*=.*\.mesh"/m.test(text));
  assert.ok(levels.length >= 10, String(names));
  const all = [];
  for (const [name, text] of levels) {
    const page = await studio.page({ path: name, files: { [name]: text } });
    const things = await oneOfEach(page);
    await watch(page);
    for (const thing of things) await dragAround(page, thing);
    const { moved, asked, refused, mostAtOnce, mostBytes, painted, pictures } = await page.evaluate(() => globalThis.seen);
    assert.ok(asked > 0 && asked <= moved, `${name}: ${asked} questions for ${moved} places`);
    assert.equal(pictures.length + refused, asked, `${name}: every question becomes a picture, or is refused`);
    assert.equal(mostAtOnce, 1, `${name}: one question at a time`);
    assert.ok(mostBytes < MOST_BYTES, `${name}: an answer of ${mostBytes} bytes`);
    // The ground is painted when a level is opened, and when a thing is dropped; not for every plan.
    assert.ok(painted <= 2 * things.length, `${name}: the ground was painted ${painted} times for ${asked} plans`);
    for (const { place, steps, way } of pictures) assert.ok(steps < 2 || way.startsWith('M'), `${name}: nothing was drawn for ${place}`);
    assert.deepEqual(page.complaints, []);
    all.push(...pictures);
    console.log(`  ${name.padEnd(22)} ${summary(pictures.map(({ latency }) => latency))}; the search itself ${summary(pictures.map(({ search }) => search))}`);
    await page.context().close();
  }
  console.log(`  ${BROWSER}, from the hand to the picture with its plan: ${summary(all.map(({ latency }) => latency))}`);
});
