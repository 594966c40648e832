// Questions to the studio, each with a number, and their answers.

import { Emitter } from './elements.js';
import { Transport } from './transport.js';

/** The studio says no: why, in words that are finished, and where in the level's text, if it is there. */
export class Refused extends Error {
  constructor(message, place = null) {
    super(message);
    this.place = place;
  }
}

export class Connection extends Emitter {
  #next = 1;
  #open = new Map();
  #transport = new Transport({
    opened: () => this.emit('open'),
    heard: (reply) => this.#hear(reply),
    lost: () => this.#lose(),
    closed: (why) => this.emit('closed', why),
  });

  get isOpen() {
    return this.#transport.isOpen;
  }

  /** The files that the browser keeps; null where they are on a disk. */
  get files() {
    return this.#transport.files;
  }

  /** How many questions were asked. */
  get asked() {
    return this.#next - 1;
  }

  /** How many questions wait for an answer. */
  get unanswered() {
    return this.#open.size;
  }

  #lose() {
    const unanswered = [...this.#open.values()];
    this.#open.clear();
    for (const { wrong } of unanswered) wrong(new Refused('the studio is not running'));
  }

  #hear(reply) {
    const question = this.#open.get(reply.id);
    if (!question) return;
    const isPart = question.stream && reply.answer === 'plan';
    const isLast = !isPart || reply.done;
    if (isLast) this.#open.delete(reply.id);
    if (isPart) question.stream(reply, reply.id);
    if (reply.answer === 'refused') question.wrong(new Refused(reply.message, reply.place));
    else if (isLast) question.right(reply);
  }

  /** Asks; the promise is kept by the last answer. `stream` hears every one. Returns the number. */
  send(question, stream = null) {
    const id = this.#next++;
    const answer = new Promise((right, wrong) => {
      if (!this.isOpen) {
        wrong(new Refused('the studio is not running'));
        return;
      }
      this.#open.set(id, { right, wrong, stream });
      this.#transport.send({ id, ...question });
    });
    return { id, answer };
  }

  ask(question) {
    return this.send(question).answer;
  }
}
