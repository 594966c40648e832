// Questions to the studio, each with a number, and their answers.

import { Emitter } from './elements.js';

const STORE = 'apprentice-studio-token';

/** The token in the address the studio prints, or none. */
function takeToken() {
  const address = new URL(location);
  const token = address.searchParams.get('token');
  if (!token) return null;
  // Nobody should have to look at it, or pass it on in a screenshot.
  address.searchParams.delete('token');
  history.replaceState(null, '', address);
  return token;
}

/** Longer waits between attempts would look like nothing is being tried. */
const LONGEST_WAIT = 3000;

/** The studio says no: why, in words that are finished, and where in the level's text, if it is there. */
export class Refused extends Error {
  constructor(message, place = null) {
    super(message);
    this.place = place;
  }
}

export class Connection extends Emitter {
  #socket = null;
  #next = 1;
  #open = new Map();
  #wait = 250;
  /**
   * The token of this page's address, until the studio has answered to it. Any page can open the studio with
   * one of its own making, so only one that is good goes where other tabs find it.
   */
  #offered = takeToken();

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
    // A studio that was started anew has another token, and whichever tab it opened has left it here.
    const token = this.#offered ?? localStorage.getItem(STORE) ?? '';
    const socket = new WebSocket(`ws://${location.host}/socket?token=${encodeURIComponent(token)}`);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.#wait = 250;
      if (this.#offered) localStorage.setItem(STORE, this.#offered);
      this.#offered = null;
      this.emit('open');
    });
    socket.addEventListener('message', (message) => this.#hear(JSON.parse(message.data)));
    socket.addEventListener('close', () => {
      const unanswered = [...this.#open.values()];
      this.#open.clear();
      this.#tellWhy(token);
      for (const { wrong } of unanswered) wrong(new Refused('the studio is not running'));
      setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    });
  }

  /** Says whether the studio is gone, or does not know this page. */
  async #tellWhy(token) {
    const answer = await fetch(`admits?token=${encodeURIComponent(token)}`).catch(() => null);
    const isStrange = answer?.status === 403;
    if (isStrange && token === this.#offered) {
      // The next attempt is made with the one that was good before, if there is one.
      this.#offered = null;
      if (localStorage.getItem(STORE)) return;
    }
    if (!this.isOpen) this.emit('closed', isStrange ? 'strange' : 'gone');
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
      this.#socket.send(JSON.stringify({ id, ...question }));
    });
    return { id, answer };
  }

  ask(question) {
    return this.send(question).answer;
  }
}
