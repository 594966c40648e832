// Keeps the plans on the page up to date: one question at a time while something is dragged, and
// never an older answer over a newer one.

import { Emitter } from './elements.js';
import { Refused } from './connection.js';

/** Milliseconds in which nothing changes before the quickest way is looked for: whoever drags has the processor for himself. */
const QUIET = 300;

/** The quickest way there is in a level, whatever was shown: what others cost is told beside it. */
export class Quickest extends Emitter {
  #connection;
  #work;
  #timer = 0;
  /** The text it is about. */
  #text = null;
  plan = null;
  /** Whether a quicker one is no longer looked for. */
  isDone = false;

  constructor(connection, work) {
    super();
    this.#connection = connection;
    this.#work = work;
  }

  /** Looks for it once the level has been left alone for a moment, unless it is known. */
  want() {
    clearTimeout(this.#timer);
    if (this.#text === this.#work.text) return;
    this.plan = null;
    this.#timer = setTimeout(() => this.#ask(), QUIET);
  }

  /** Something is being changed: it would be the quickest way of a level that is no more. */
  forget() {
    clearTimeout(this.#timer);
    if (this.#text !== this.#work.text) [this.#text, this.plan] = [null, null];
  }

  async #ask() {
    const { level: { path, text } } = this.#work;
    this.#text = text;
    this.isDone = false;
    const question = { ask: 'plan', side: 'best', detail: 'full', path, text, edits: [], demonstrations: [], settings: { planner: 'auto' } };
    const { answer } = this.#connection.send(question, ({ plan, done }) => {
      if (this.#text !== text) return;
      this.isDone = done;
      if (plan.status !== 'found') return;
      this.plan = plan;
      this.emit('plan');
    });
    try {
      await answer;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (this.#text === text) this.#text = null;
    }
  }
}

/** The plan of one side. */
export class Planning extends Emitter {
  #connection;
  #work;
  #side;
  /** The number of the newest answer that was shown. */
  #shown = 0;
  /** The number of the oldest question whose answers are still about the work as it is. */
  #oldest = 0;
  #underWay = null;
  #waiting = null;
  /** When the page began to wait for the next answer. */
  since = 0;
  plan = null;

  constructor(connection, work, side) {
    super();
    this.#connection = connection;
    this.#work = work;
    this.#side = side;
  }

  /** Whether a question waits for its last answer. */
  get isBusy() {
    return this.#underWay !== null;
  }

  /** Something is being dragged, or drawn: the newest state, with what would be `shown` then, is planned as soon as the last is answered. */
  live(edits, shown = null) {
    if (this.#underWay?.live) {
      this.#waiting = [edits, shown];
      return;
    }
    this.#ask(edits, 'live', shown);
  }

  /** Something has changed: whatever is under way is out of date. */
  full() {
    this.#outdate();
    this.#ask([], 'full');
  }

  /** Only the settings have changed: until there is a newer answer, older ones still are about this level. */
  retuned() {
    this.#waiting = null;
    this.#ask([], 'full');
  }

  /** Another level: the plan was for the old one. */
  forget() {
    this.#outdate();
    this.plan = null;
  }

  #outdate() {
    this.#waiting = null;
    this.#oldest = this.#connection.asked + 1;
  }

  async #ask(edits, detail, shown = null) {
    const work = this.#work;
    const question = {
      ask: 'plan', side: this.#side, detail, ...work.level, edits, demonstrations: shown ?? work.shown, settings: work.settings[this.#side],
    };
    const mine = { live: detail === 'live' };
    const { id, answer } = this.#connection.send(question, (reply, number) => {
      // What waits is asked before the answer is drawn: the studio plans while the page draws.
      if (reply.done) this.#finish(mine);
      this.#show(reply, number, detail);
    });
    if (!this.isBusy) this.since = performance.now();
    this.#underWay = mine;
    this.emit('busy');
    try {
      await answer;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (id > this.#shown && id >= this.#oldest) {
        this.#shown = id;
        this.plan = null;
        this.emit('refused', error.message);
      }
    }
    this.#finish(mine);
  }

  /** The question under way is answered: whatever has come up meanwhile is asked. */
  #finish(mine) {
    if (this.#underWay !== mine) return;
    this.#underWay = null;
    const next = this.#waiting;
    this.#waiting = null;
    if (next) this.#ask(next[0], 'live', next[1]);
    else this.emit('busy');
  }

  #show(reply, number, detail) {
    if (number < this.#shown || number < this.#oldest) return;
    this.#shown = number;
    this.since = performance.now();
    this.plan = reply;
    this.emit('plan', reply, detail);
  }
}
