// A studio in an empty folder, and a browser that looks at it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, firefox } from 'playwright-core';
import { checker } from './schema.mjs';
import { StaticServer } from './static_server.mjs';

const PROGRAM = process.env.APPRENTICE ?? 'apprentice';

/** The browser that is tested in: BROWSER=firefox node --test … */
export const BROWSER = process.env.BROWSER ?? 'chromium';

/** The folder that `cargo xtask web` makes, if the studio inside a page is to be tested: STUDIO_PAGE=target/web node --test … */
const PAGE = process.env.STUDIO_PAGE;

/** For tests of sockets, of what starts and ends a program, and of files that change on the disk: left out where there are none. */
export const inProgramOnly = { skip: PAGE ? 'there is no program behind this page' : false };

/** For tests of what only Chromium can be asked for: why they are left out elsewhere. */
export const inChromiumOnly = (why) => ({ skip: BROWSER === 'chromium' ? false : `${why}; tested in Chromium` });

const LAUNCH = {
  chromium: () => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] }),
  // This channel is Firefox as Mozilla and Debian ship it, driven by WebDriver BiDi.
  firefox: () => firefox.launch({ channel: 'moz-firefox', executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr' }),
};

/** A browser of that kind. */
export const launch = () => LAUNCH[BROWSER]();

/** A program that runs, with what it says. What was saved in a page is on the disk by then. */
export async function run(arguments_, options = {}) {
  await Studio.now?.carryOut();
  return new Promise((resolve) => {
    const child = spawn(PROGRAM, arguments_, options);
    let said = '';
    child.stdout.on('data', (text) => { said += text; });
    child.stderr.on('data', (text) => { said += text; });
    child.on('close', (code) => resolve({ code, said }));
  });
}

export class Studio {
  /** The one that keeps its files in browsers, if there is one. */
  static now = null;
  /** Its pages. */
  #pages = [];

  /** Starts the program, or serves the page without it, and waits until it is known where it is. */
  static async start() {
    const studio = new Studio();
    studio.folder = await mkdtemp(path.join(tmpdir(), 'apprentice-e2e-'));
    if (PAGE) {
      studio.server = await StaticServer.start(PAGE);
      studio.address = studio.server.address;
      Studio.now = studio;
    } else await studio.open(0);
    studio.browser = await LAUNCH[BROWSER]();
    return studio;
  }

  async open(port) {
    this.child = spawn(PROGRAM, ['studio', '--no-open', '--port', String(port), '--folder', this.folder]);
    this.child.stderr.on('data', (text) => process.stderr.write(text));
    this.address = await new Promise((resolve, reject) => {
      let said = '';
      this.child.on('error', reject);
      this.child.on('exit', (code) => reject(new Error(`the studio ended with ${code}: ${said}`)));
      this.child.stdout.on('data', (text) => {
        said += text;
        const found = said.match(/http:\S+/);
        if (found) resolve(found[0]);
      });
    });
  }

  /** Ends the program without a warning, as a crash would. */
  kill() {
    this.child.removeAllListeners('exit');
    this.child.kill('SIGKILL');
    return new Promise((resolve) => { this.child.on('exit', resolve); });
  }

  /** The address without what lets one in. */
  get home() {
    return String(new URL('.', this.address));
  }

  get port() {
    return Number(new URL(this.address).port);
  }

  async stop() {
    await this.browser.close();
    this.server?.stop();
    this.child?.removeAllListeners('exit');
    this.child?.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** A page of somebody who was here before; with `first`, of somebody who was not. `line` gets between it and the studio. */
  async page({ first = false, path: level = 'built-in:quest_key.toml', files = {}, line = null, ...options } = {}) {
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(this.folder, name), text);
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 720 }, acceptDownloads: true, ...options });
    const page = await context.newPage();
    // To work on the page without building the program anew: STUDIO_WEB=../web node --test …
    if (process.env.STUDIO_WEB) {
      await context.route(/\.(js|css)$/, (route) => route.fulfill({ path: path.join(process.env.STUDIO_WEB, new URL(route.request().url()).pathname) }));
    }
    if (line && !PAGE) await page.routeWebSocket(/\/socket/, line);
    page.complaints = [];
    page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) page.complaints.push(message.text()); });
    page.on('pageerror', (error) => page.complaints.push(String(error.stack ?? error)));
    // Whatever the page and the studio say to each other is what their schemas say.
    const [question, answer] = await Promise.all([checker('studio-question'), checker('studio-answer')]);
    page.on('websocket', (socket) => {
      for (const [event, check] of [['framesent', question], ['framereceived', answer]]) {
        socket.on(event, ({ payload }) => {
          const wrong = check(JSON.parse(payload));
          if (wrong) page.complaints.push(`a message is not what the schema says: ${wrong}`);
        });
      }
    });
    if (PAGE) await listenToWorkers(page, { question, answer, line });
    await page.goto(this.address);
    await this.settled(page);
    if (PAGE) await this.#bringIn(page);
    if (!first) {
      await page.click('#tour >> text=Skip');
      await page.selectOption('#scenario', level);
      await page.waitForFunction((path_) => globalThis.studio.work.path === path_, level);
      await page.click('#tab-plan');
      await this.settled(page);
    }
    return page;
  }

  /** A page for one test; in the end nobody may have complained on it of anything that is a mistake. */
  async withPage(options, act, isMistake = () => true) {
    const page = await this.page(options);
    page.setDefaultTimeout(20_000);
    await act(page);
    assert.deepEqual(page.complaints.filter(isMistake), []);
    await this.carryOut();
    await page.context().close();
  }

  /** Puts the files of the folder where the browser keeps files: each test begins with what was saved before, as in a program. */
  async #bringIn(page) {
    this.#pages = this.#pages.filter((other) => !other.isClosed());
    this.#pages.push(page);
    const found = await readdir(this.folder, { recursive: true, withFileTypes: true });
    const names = found.filter((entry) => entry.isFile()).map((entry) => path.relative(this.folder, path.join(entry.parentPath ?? entry.path, entry.name)));
    const files = await Promise.all(names.map(async (name) => [name, await this.#onDisk(name)]));
    await page.evaluate(async (brought) => {
      const { files: kept } = globalThis.studio.connection;
      for (const [name, text] of brought) await kept.bring(name, text);
      await globalThis.studio.refreshFiles();
    }, files);
  }

  /** Puts the files that browsers keep into the folder, where others can read them. */
  async carryOut() {
    for (const page of this.#pages.filter((one) => !one.isClosed())) {
      const files = await page.evaluate(() => globalThis.studio?.connection.files?.all ?? []);
      for (const [name, text] of files) {
        await mkdir(path.dirname(path.join(this.folder, name)), { recursive: true });
        await writeFile(path.join(this.folder, name), text);
      }
    }
  }

  #onDisk(file) {
    return readFile(path.join(this.folder, file), 'utf8');
  }

  /** Waits until there is a plan and nothing better is being looked for. */
  async settled(page) {
    await page.waitForFunction(() => {
      const { plans, work } = globalThis.studio ?? {};
      return work?.scene && (plans.left.plan?.done ?? false) && !plans.left.isBusy && !plans.right.isBusy;
    });
  }

  async files(folder = '.') {
    await this.carryOut();
    return (await readdir(path.join(this.folder, folder)).catch(() => [])).sort();
  }

  async read(file) {
    await this.carryOut();
    return this.#onDisk(file);
  }
}

/** Hears what a page and its workers say to each other, as it hears sockets: `line` gets between them in the same way. */
async function listenToWorkers(page, { question, answer, line }) {
  const note = (wrong) => { if (wrong) page.complaints.push(`a message is not what the schema says: ${wrong}`); };
  let pass = null;
  const waiting = new Map();
  line?.({
    connectToServer: () => ({ onMessage: (hear) => { pass = hear; } }),
    send: (text) => waiting.get(text)?.(),
  });
  await page.exposeFunction('saidToWorker', (text) => note(question(JSON.parse(text))));
  // Answered when the page may hear it.
  await page.exposeFunction('saidByWorker', (text) => {
    note(answer(JSON.parse(text)));
    return pass ? new Promise((resolve) => { waiting.set(text, resolve); pass(text); }) : null;
  });
  await page.addInitScript((isHeldBack) => {
    globalThis.Worker = class extends Worker {
      postMessage(what) {
        if (what.question) globalThis.saidToWorker(what.question);
        super.postMessage(what);
      }

      addEventListener(kind, listener) {
        super.addEventListener(kind, async (event) => {
          const said = event.data?.said ?? [];
          if (!isHeldBack) {
            for (const text of said) globalThis.saidByWorker(text);
            listener(event);
            return;
          }
          const { wrote } = event.data ?? {};
          if (said.length === 0) listener(event);
          for (const text of said) globalThis.saidByWorker(text).then(() => listener({ data: { said: [text], wrote } }));
        });
      }
    };
  }, Boolean(line));
}

/** Gets between page and studio: holds back answers with a word in them, from when it is told to until it lets them go. */
export function holdingBack(word) {
  const held = [];
  const hold = {
    held,
    isOn: false,
    line: (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => {
        if (hold.isOn && String(message).includes(word)) held.push(() => socket.send(message));
        else socket.send(message);
      });
    },
    async until(count) {
      while (held.length < count) await new Promise((resolve) => { setTimeout(resolve, 10); });
    },
    /** The newest comes first: whoever relies on an order finds out. */
    letGo() {
      hold.isOn = false;
      for (const send of held.splice(0).reverse()) send();
    },
  };
  return hold;
}

/** Where on the screen a place of the map is. */
export const onScreen = (page, x, y) => page.evaluate(([a, b]) => globalThis.studio.maps.left.toScreen(a, b), [x, y]);

/** Presses at the first place, moves over the others and, unless told otherwise, lets go. */
export async function drag(page, places, { steps = 8, hold = false } = {}) {
  const [first, ...rest] = places;
  await page.mouse.move(...(await onScreen(page, ...first)));
  await page.mouse.down();
  for (const place of rest) await page.mouse.move(...(await onScreen(page, ...place)), { steps });
  if (!hold) await page.mouse.up();
}

/** Where a thing is. */
export const placeOf = (page, id) => page.evaluate((name) => globalThis.studio.work.scene.things.find((thing) => thing.id === name).at[0], id);

/** The text of the file that is downloaded when something is done. */
export async function downloaded(page, act) {
  // Which downloads there are, Firefox does not say; so what is about to be one is read.
  await page.evaluate(() => {
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      URL.createObjectURL = create;
      globalThis.downloaded = blob.text();
      return create.call(URL, blob);
    };
  });
  await act();
  await page.waitForFunction(() => globalThis.downloaded);
  return page.evaluate(() => globalThis.downloaded);
}

/** The plan that is shown. */
export const plan = (page) => page.evaluate(() => globalThis.studio.plans.left.plan?.plan);

/** Where in the plan something happens. */
export const whereHappens = (shown, word) => {
  const step = shown.steps.find(({ events }) => events.includes(word));
  return step ? [step.x, step.y] : null;
};

/** A level with floors above each other: a yard with a ramp up to a bridge three metres above it. */
export const YARD = {
  'yard.obj': 'v 0 0 0\nv 20 0 0\nv 20 0 8\nv 0 0 8\nv 2 0 3\nv 2 0 5\nv 8 3 5\nv 8 3 3\nv 18 3 3\nv 18 3 5\nf 1 4 3 2\nf 5 6 7 8\nf 8 7 10 9\n',
  'yard.toml': `format = 1
name = "A yard with a bridge"
start = [1, 1]
goal = { all = [{ holds = "star" }, { within = { at = [1, 7], radius = 0.5 } }] }
map = { file = "yard.obj", falls = 4.0 }

[[item]]
id = "star"
at = [12, 1]

[[enemy]]
id = "grey"
kind = "wolf"
at = [18, 7]
`,
};

/** A level in which nothing was shown yet, and nothing is in the way. */
export const FIELD = `format = 1
name = "A wide field"
start = [2, 2]
goal = { within = { at = [38, 2], radius = 0.0 } }
rules = { walk = 4.0 }

[map]
rows = [${Array(20).fill(`"${'.'.repeat(40)}"`).join(', ')}]
`;

const gate = (id, y) => `[[door]]\nid = "${id}"\nat = [[40, ${y}], [40, ${y + 1}]]\nopen = true\n`;
const gates = (y) => `"${'.'.repeat(40)}${y % 8 === 2 || y % 8 === 3 ? '.' : '#'}${'.'.repeat(8)}"`;

/** A level with a way through a gate and a longer one through another, far ahead of who starts; both are open. */
export const TWO_GATES = {
  path: 'two_gates.toml',
  files: {
    'two_gates.toml': `format = 1
name = "Two gates"
start = [2, 2]
goal = { all = [{ holds = "coin" }, { holds = "pearl" }, { within = { at = [46, 2], radius = 0.0 } }] }

[map]
rows = [${Array.from({ length: 12 }, (_, y) => gates(y)).join(', ')}]

${gate('near_gate', 2)}
${gate('far_gate', 10)}
[[item]]
id = "coin"
at = [6, 2]

[[item]]
id = "pearl"
at = [46, 6]
`,
  },
};
