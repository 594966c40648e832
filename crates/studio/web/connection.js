// Questions to the studio, each with a number, and their answers.

import { Emitter } from './elements.js';

/** Longer waits between attempts would look like nothing is being tried. */
const LONGEST_WAIT = 3000;

export class Refused extends Error {}

export class Connection extends Emitter {
  #socket = null;
  #next = 1;
  #open = new Map();
  #wait = 250;

  constructor() {
    super();
    this.#connect();
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** How many questions were asked. */
  get asked() {
    return this.#next - 1;
  }

  /** How many questions wait for an answer. */
  get unanswered() {
    return this.#open.size;
  }

  #connect() {
    const socket = new WebSocket(`ws://${location.host}/socket`);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.#wait = 250;
      this.emit('open');
    });
    socket.addEventListener('message', (message) => this.#hear(JSON.parse(message.data)));
    socket.addEventListener('close', () => {
      const unanswered = [...this.#open.values()];
      this.#open.clear();
      this.emit('closed');
      for (const { wrong } of unanswered) wrong(new Refused('the studio is not running'));
      setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    });
  }

  #hear(reply) {
    const question = this.#open.get(reply.id);
    if (!question) return;
    if (reply.answer === 'refused') {
      this.#open.delete(reply.id);
      question.wrong(new Refused(reply.message));
    } else if (question.stream && reply.answer === 'plan') {
      question.stream(reply, reply.id);
      if (reply.done) {
        this.#open.delete(reply.id);
        question.right(reply);
      }
    } else {
      this.#open.delete(reply.id);
      question.right(reply);
    }
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
      this.#socket.send(JSON.stringify({ id, ...question }));
    });
    return { id, answer };
  }

  ask(question) {
    return this.send(question).answer;
  }
}
