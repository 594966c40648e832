// The studio as a folder of files: it opens from any web server, and the browser keeps what is saved.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { FIELD, Studio, downloaded, drag } from './harness.mjs';

const inPageOnly = { skip: process.env.STUDIO_PAGE ? false : 'this is about the page without the program: STUDIO_PAGE=target/web' };

let studio;
before(async () => { if (process.env.STUDIO_PAGE) studio = await Studio.start(); });
after(() => studio?.stop());

const saveAs = async (page, name) => {
  await page.click('#save');
  await page.click('#save-as');
  await page.fill('dialog input', name);
  await page.click('dialog .primary');
  await page.waitForSelector(`.toast.good:has-text("${name}")`);
};

const openFiles = async (page) => {
  await page.click('#save');
  await page.click('#open-browser-files');
};

const listed = (page) => page.locator('#browser-files li span').allInnerTexts();

test('it opens from a folder somewhere on a server, asks nothing of it but files, and plans at once', inPageOnly, async () => {
  const page = await (await studio.browser.newContext()).newPage();
  const asked = [];
  page.on('request', (request) => asked.push(request));
  const begun = performance.now();
  await page.goto(studio.address);
  await page.waitForFunction(() => globalThis.studio?.plans.left.plan?.plan.status === 'found');
  const took = performance.now() - begun;
  console.log(`the first plan is there ${Math.round(took)} ms after the page was asked for`);
  await studio.settled(page);
  const strange = asked.filter((request) => request.method() !== 'GET' || !request.url().startsWith(studio.home));
  assert.deepEqual(strange.map((request) => request.url()), []);
  assert.equal(await page.evaluate(() => globalThis.crossOriginIsolated), false, 'nothing is asked of the server’s headers');
});

test('what is saved is there after a reload and in another tab, and plans are made in it', inPageOnly, () => studio.withPage({ path: 'built-in:empty_tutorial.toml' }, async (page) => {
  await saveAs(page, 'levels/mine.toml');
  await page.reload();
  await studio.settled(page);
  const paths = (one) => one.evaluate(() => globalThis.studio.files.scenarios.filter((file) => !file.built_in).map((file) => file.path));
  assert.deepEqual(await paths(page), ['levels/mine.toml']);
  const other = await page.context().newPage();
  await other.goto(studio.home);
  await studio.settled(other);
  assert.deepEqual(await paths(other), ['levels/mine.toml']);
  await other.selectOption('#scenario', 'levels/mine.toml');
  await studio.settled(other);
  // What one tab saves the other is asked about before it is replaced.
  await page.selectOption('#scenario', 'levels/mine.toml');
  await page.waitForFunction(() => globalThis.studio.work.path === 'levels/mine.toml');
  const goal = async (one) => (await one.evaluate(() => globalThis.studio.work.scene.things.find(({ kind }) => kind === 'start').at[0]));
  const [x, y] = await goal(page);
  await page.click('#tab-plan');
  await drag(page, [[x, y], [x + 3, y + 3]]);
  await page.waitForFunction(() => globalThis.studio.work.changed);
  await page.keyboard.press('Control+s');
  await page.waitForSelector('.toast.good:has-text("levels/mine.toml")');
  await other.bringToFront();
  await other.click('#tab-plan');
  const [ox, oy] = await goal(other);
  await drag(other, [[ox, oy], [ox + 5, oy + 1]]);
  await other.waitForFunction(() => globalThis.studio.work.changed);
  await other.keyboard.press('Control+s');
  await other.waitForSelector('dialog >> text=changed by somebody else');
  await other.close();
  await page.bringToFront();
}));

test('files are brought in, carried out and removed', inPageOnly, () => studio.withPage({ path: 'built-in:quest_key.toml' }, async (page) => {
  const file = path.join(studio.folder, 'field.toml');
  await writeFile(file, FIELD);
  const bring = async () => {
    const chooser = page.waitForEvent('filechooser');
    await page.click('#import-files');
    await (await chooser).setFiles(file);
  };
  await openFiles(page);
  await bring();
  await page.waitForSelector('#browser-files li >> text=field.toml');
  await bring();
  await page.waitForSelector('dialog >> text=There is a file field.toml already');
  await page.click('dialog[open]:last-of-type button >> text=Cancel');
  assert.equal(await downloaded(page, () => page.click('[data-id="field.toml"] .export')), FIELD);
  await page.click('#browser-files .primary');
  await page.selectOption('#scenario', 'field.toml');
  await page.waitForFunction(() => globalThis.studio.work.path === 'field.toml');
  await studio.settled(page);
  await openFiles(page);
  await page.click('[data-id="field.toml"] .remove');
  await page.click('dialog[open]:last-of-type .primary');
  await page.waitForFunction(() => !document.querySelector('[data-id="field.toml"]'));
  assert.ok(!(await listed(page)).includes('field.toml'));
  await page.click('#browser-files .primary');
  await page.reload();
  await studio.settled(page);
  assert.ok(await page.evaluate(() => globalThis.studio.files.scenarios.every((known) => known.path !== 'field.toml')));
}));

test('a newer question stops an older one, and the page draws meanwhile', inPageOnly, () => studio.withPage({ path: 'built-in:cave_left.toml' }, async (page) => {
  const came = await page.evaluate(async () => {
    const { connection, work } = globalThis.studio;
    const question = (detail, planner) => ({ ask: 'plan', side: 'right', detail, ...work.level, edits: [], demonstrations: [], settings: { planner } });
    let pictures = 0;
    let isOver = false;
    const draw = () => {
      pictures += 1;
      if (!isOver) requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
    // Nobody lives to see the end of this one.
    const old = connection.send(question('full', 'astar'), () => {}).answer;
    await new Promise((resolve) => { setTimeout(resolve, 60); });
    const newer = connection.send(question('live', 'auto'), () => {}).answer;
    const said = [(await old).answer, (await newer).answer, (await newer).plan.status];
    isOver = true;
    return { said, pictures };
  });
  assert.deepEqual(came.said, ['superseded', 'plan', 'found']);
  assert.ok(came.pictures >= 2, `${came.pictures}`);
}));

test('a planner that fails costs what was under way, not the studio', inPageOnly, async () => {
  const page = await studio.page({ files: { 'field.toml': FIELD }, path: 'field.toml' });
  await page.addInitScript(() => {
    globalThis.workers = [];
    globalThis.Worker = class extends Worker {
      constructor(...how) {
        super(...how);
        globalThis.workers.push(this);
      }
    };
  });
  await page.reload();
  await studio.settled(page);
  const said = await page.evaluate(async () => {
    const { connection, work } = globalThis.studio;
    const ask = () => connection.ask({ ask: 'edit', ...work.level, edits: [] }).then(({ answer }) => answer, ({ message }) => message);
    const before = await ask();
    // No worker knows this.
    for (const worker of globalThis.workers) worker.postMessage({ call: 'fall over' });
    return [before, await ask(), await ask(), (await connection.ask({ ask: 'open', path: 'field.toml' })).answer];
  });
  assert.deepEqual(said, ['edited', 'the planner has failed; this is a bug of ours', 'edited', 'opened']);
  await page.context().close();
});
