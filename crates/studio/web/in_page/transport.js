// The way to the studio inside this page: workers that plan, and the files that the browser keeps. One worker answers
// what is quick, and each side has one for its plans, as it has a thread in the program.

import { Storage } from './storage.js';

const PROGRAM = 'apprentice.wasm';
/** The worker of whatever is no plan. */
const QUICK = 'quick';

async function compile() {
  const answer = await fetch(new URL(PROGRAM, import.meta.url));
  if (!answer.ok) throw new Error(`${PROGRAM} cannot be fetched: ${answer.status}`);
  // While it comes in; but not all servers know what kind of file it is.
  const isKnown = answer.headers.get('content-type') === 'application/wasm';
  return isKnown ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

export class Transport {
  #tell;
  #module = null;
  #workers = new Map();
  isOpen = false;
  files = null;

  /** Tells when it is `opened`, what is `heard`, and why it is `closed`. */
  constructor(tell) {
    this.#tell = tell;
    this.#start();
  }

  async #start() {
    try {
      const opening = Storage.open((path, text) => this.files?.heard(path, text));
      const [module, storage] = await Promise.all([compile(), opening]);
      this.#module = module;
      this.files = new Files(storage, await storage.all(), {
        worker: () => this.#worker(QUICK),
        workers: () => this.#workers.values(),
      });
    } catch (error) {
      console.error(error);
      this.#tell.closed('broken');
      return;
    }
    // Two that are needed at once.
    const workers = [QUICK, 'left'].map((name) => this.#worker(name));
    const started = await Promise.all(workers.map((worker) => worker.isStarted));
    this.isOpen = started.every(Boolean);
    if (this.isOpen) this.#tell.opened();
    else this.#tell.closed('broken');
  }

  send(question) {
    const worker = this.#worker(question.ask === 'plan' ? question.side : QUICK);
    worker.ask(question);
  }

  #worker(name) {
    if (!this.#workers.has(name)) {
      const worker = new PlanningWorker(this.#module, this.files.all, {
        said: (replies, wrote) => this.#hear(replies, wrote, worker),
        failed: () => this.#workers.delete(name),
      });
      this.#workers.set(name, worker);
    }
    return this.#workers.get(name);
  }

  /** Whoever is told that something was saved finds it after a reload. */
  async #hear(replies, wrote, writer) {
    let told = replies;
    try {
      for (const [path, text] of wrote) await this.files.keep(path, text, writer);
    } catch (error) {
      const message = `the browser has not kept it (${error.message}); it is gone once this page is closed`;
      told = replies.map(({ id }) => ({ id, answer: 'refused', message, place: null }));
    }
    for (const reply of told) this.#tell.heard(reply);
  }
}

/** A worker and the questions it has not answered yet. */
class PlanningWorker {
  #worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
  #open = new Set();
  #puts = new Map();
  #lastPut = 0;
  #started = null;
  /** Becomes true, or false where it cannot be started. */
  isStarted = new Promise((resolve) => { this.#started = resolve; });
  #tell;

  constructor(module, files, tell) {
    this.#tell = tell;
    this.#worker.addEventListener('message', ({ data }) => this.#hear(data));
    this.#worker.addEventListener('error', ({ message }) => this.#fail(message ?? 'a worker could not be started'));
    this.call({ call: 'start', module, files });
  }

  call(what) {
    this.#worker.postMessage(what);
  }

  ask(question) {
    this.#open.add(question.id);
    this.call({ call: 'hear', question: JSON.stringify(question) });
  }

  /** Puts a file in; says why if that cannot be. */
  put(path, text) {
    this.#lastPut += 1;
    const number = this.#lastPut;
    return new Promise((resolve) => {
      this.#puts.set(number, resolve);
      this.call({ call: 'put', path, text, number });
    });
  }

  #hear({ started, said, wrote = [], failed, number, wrong }) {
    if (started) this.#started(true);
    if (failed !== undefined) this.#fail(failed);
    if (number) {
      this.#puts.get(number)(wrong);
      this.#puts.delete(number);
    }
    if (!said) return;
    const replies = said.map((text) => JSON.parse(text));
    for (const { id, answer, done } of replies) if (answer !== 'plan' || done) this.#open.delete(id);
    this.#tell.said(replies, wrote);
  }

  /** A mistake of ours costs what was under way, not the studio. */
  #fail(why) {
    console.error(why);
    this.#worker.terminate();
    this.#started(false);
    this.#tell.failed();
    const message = 'the planner has failed; this is a bug of ours';
    this.#tell.said([...this.#open].map((id) => ({ id, answer: 'refused', message, place: null })), []);
    for (const put of this.#puts.values()) put(message);
  }
}

/** The files that the browser keeps: the same in its storage, here, and with every worker. */
export class Files {
  #storage;
  #texts;
  #planning;

  constructor(storage, files, planning) {
    this.#storage = storage;
    this.#texts = new Map(files);
    this.#planning = planning;
  }

  /** Paths and texts, in the order of paths. */
  get all() {
    return [...this.#texts].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  has(path) {
    return this.#texts.has(path);
  }

  /** Takes a file that a person has brought along; says why if that cannot be, and otherwise null. */
  async bring(path, text) {
    const worker = this.#planning.worker();
    const wrong = await worker.put(path, text);
    if (wrong) return wrong;
    try {
      await this.keep(path, text, worker);
      return null;
    } catch (error) {
      return `the browser has not kept it: ${error.message}`;
    }
  }

  async remove(path) {
    this.heard(path, null);
    await this.#storage.remove(path);
  }

  /** Keeps what was written; a worker that wrote it has it. */
  async keep(path, text, writer) {
    this.heard(path, text, writer);
    await this.#storage.put(path, text);
  }

  /** A file was written, or removed if there is no text. */
  heard(path, text, writer = null) {
    if (text === null) this.#texts.delete(path);
    else this.#texts.set(path, text);
    for (const worker of this.#planning.workers()) {
      if (worker !== writer) worker.call(text === null ? { call: 'remove', path } : { call: 'put', path, text });
    }
  }
}
