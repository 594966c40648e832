// Other pages in the same browser get nothing.

import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { Studio, inProgramOnly } from './harness.mjs';

let studio;
let foreign;
before(async () => {
  studio = await Studio.start();
  foreign = http.createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<p>A page of somebody else.'));
  await new Promise((resolve) => { foreign.listen(0, '127.0.0.1', resolve); });
});
after(async () => {
  foreign.close();
  await studio.stop();
});

const attack = (address) => {
  const opens = new Promise((resolve) => {
    const socket = new WebSocket(new URL(`/socket${new URL(address).search}`, address.replace('http', 'ws')));
    socket.onopen = () => resolve('open');
    socket.onerror = () => resolve('refused');
  });
  const reads = fetch(address).then((answer) => answer.text(), () => 'refused');
  return Promise.all([opens, reads]);
};

test('a page from another origin can neither talk to the studio nor read it', inProgramOnly, async () => {
  const page = await (await studio.browser.newContext()).newPage();
  await page.goto(`http://127.0.0.1:${foreign.address().port}/`);
  assert.deepEqual(await page.evaluate(attack, studio.address), ['refused', 'refused']);
});

test('a foreign name that leads to this machine leads nowhere', inProgramOnly, async () => {
  const { port } = studio;
  const ask = (host) => new Promise((resolve) => {
    http.get({ host: '127.0.0.1', port, headers: { Host: host } }, (answer) => resolve(answer.statusCode));
  });
  assert.equal(await ask(`127.0.0.1:${port}`), 200);
  assert.equal(await ask(`evil.example:${port}`), 421);
  assert.equal(await ask('evil.example'), 421);
});

test('who does not know the token is told where to find it, and let in with it', inProgramOnly, async () => {
  const page = await (await studio.browser.newContext()).newPage();
  await page.goto(studio.home);
  await page.waitForFunction(() => document.getElementById('status').textContent.includes('address that `apprentice studio` has printed'));
  assert.equal(await page.evaluate(() => globalThis.studio.work.scene), null);
  await page.goto(studio.address);
  await studio.settled(page);
  assert.ok(!page.url().includes('token'), 'nobody has to look at it');
  // Another tab, and a reload, know it too.
  const other = await page.context().newPage();
  await other.goto(studio.home);
  await studio.settled(other);
  await page.reload();
  await studio.settled(page);
});

test('a strange page that opens the studio with a token of its own making spoils nothing', inProgramOnly, async () => {
  const page = await (await studio.browser.newContext()).newPage();
  await page.goto(studio.address);
  await studio.settled(page);
  const lured = await page.context().newPage();
  await lured.goto(String(new URL('/?token=x', studio.address)));
  await studio.settled(lured);
  assert.ok(!lured.url().includes('token'));
  await page.reload();
  await studio.settled(page);
  // Who knows none is told so, as without a token.
  const stranger = await (await studio.browser.newContext()).newPage();
  await stranger.goto(String(new URL('/?token=x', studio.address)));
  await stranger.waitForFunction(() => document.getElementById('status').textContent.includes('address that `apprentice studio` has printed'));
});

test('the page may not be framed, and loads nothing from elsewhere', inProgramOnly, async () => {
  const answer = await fetch(studio.address);
  const rules = answer.headers.get('content-security-policy');
  assert.match(rules, /frame-ancestors 'none'/);
  assert.match(rules, /default-src 'none'/);
  const page = await studio.page();
  const foreignRequests = [];
  page.on('request', (request) => { if (!request.url().startsWith(studio.home)) foreignRequests.push(request.url()); });
  await page.reload();
  await studio.settled(page);
  assert.deepEqual(foreignRequests.filter((url) => !url.startsWith('data:') && !url.startsWith('blob:')), []);
});
