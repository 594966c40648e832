// What a person has played so far, to have it recorded. It is kept from moment to moment where neither a
// reload nor a studio that goes away can reach it; the studio makes the log from it.

import { keepRather } from './history.js';

const STORE = 'apprentice-studio-recording';

/** Milliseconds in which a page that is being reloaded lets go of what it had. */
const LETTING_GO = 1000;

export class Recording {
  /** The level it is played in: path and text. */
  level;
  /** Orders, and for how many moments each was given. */
  orders = [];
  /** Where the character was last. */
  place = null;
  /** Whether a reload would find it. */
  isKept = true;
  /** While it becomes a demonstration: what comes of it. */
  keeping = null;
  /** What the person is told of it then: that it is kept, that it had to end because it is full, or that it is discarded. */
  fate = 'kept';
  #id;
  #isStored = false;
  #release = null;

  constructor(level, id = crypto.randomUUID()) {
    this.level = level;
    this.#id = id;
  }

  /** A recording of a level that was broken off, here or in a tab that is gone; null if there is none. */
  static async find(path) {
    for (const store of [sessionStorage, localStorage]) {
      for (const id of idsIn(store)) {
        if (!playedIn(path, store, id)) continue;
        const recording = new Recording(null, id);
        // Whoever is still playing it is another tab.
        if (!(await recording.#hold(LETTING_GO))) continue;
        // Until it was let go, it may have been played on, kept or thrown away.
        const played = playedIn(path, store, id);
        if (played) return Object.assign(recording, played);
        recording.letGo();
      }
    }
    return null;
  }

  /** Moments have passed, by this order; the character is now at a place. */
  note(order, moments, place) {
    const last = this.orders.at(-1);
    if (last?.[0] === order) last[1] += moments;
    else this.orders.push([order, moments]);
    this.place = place;
    if (!this.#release) this.#hold();
    // A level may be large, and does not change any more.
    if (!this.#isStored) this.#storeLevel();
    this.#store('-orders', { orders: this.orders, place });
  }

  /** The level it is played in was saved as another file: there it is found again. */
  moveTo(level) {
    this.level = level;
    // Also one that was taken up, and not played on yet.
    if (this.orders.length > 0) this.#storeLevel();
  }

  /** It has become a demonstration, or nobody wants it. */
  forget() {
    for (const store of [sessionStorage, localStorage]) {
      for (const part of ['', '-orders']) store.removeItem(name(part, this.#id));
    }
    this.letGo();
  }

  /** It stays where it is, for whoever finds it. */
  letGo() {
    this.#release?.();
    this.#release = null;
  }

  #storeLevel() {
    this.#store('', this.level);
    this.#isStored = true;
  }

  #store(part, value) {
    const text = JSON.stringify(value);
    let isKept = false;
    for (const store of [sessionStorage, localStorage]) {
      // Where one is full, there is another.
      if (keepRather(store, name(part, this.#id), text)) isKept = true;
    }
    this.isKept &&= isKept;
  }

  /** Keeps other tabs from taking it for one that was broken off, as long as this page is there. False if one of them has it. */
  #hold(patience = null) {
    this.#release = () => {};
    return new Promise((resolve) => {
      const options = patience === null ? {} : { signal: AbortSignal.timeout(patience) };
      const held = navigator.locks.request(`${STORE}-${this.#id}`, options, () => {
        resolve(true);
        return new Promise((release) => { this.#release = release; });
      });
      held.catch(() => resolve(false));
    });
  }
}

const name = (part, id) => `${STORE}${part}:${id}`;

function idsIn(store) {
  const begin = name('', '');
  return Object.keys(store).filter((key) => key.startsWith(begin)).map((key) => key.slice(begin.length));
}

/** Level, orders and place of a recording, if it was played in this level; otherwise null. */
function playedIn(path, store, id) {
  const level = read(store, '', id);
  const played = read(store, '-orders', id);
  return level?.path === path && played?.orders.length > 0 ? { level, orders: played.orders, place: played.place } : null;
}

function read(store, part, id) {
  try {
    return JSON.parse(store.getItem(name(part, id)));
  } catch {
    return null;
  }
}
