// What a person has played so far, to have it recorded. It is kept from moment to moment where neither a
// reload nor a studio that goes away can reach it; the studio makes the log from it.

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
      const found = read(store, '', path);
      const played = read(store, '-orders', path);
      if (!found || found.id !== played?.id || played.orders.length === 0) continue;
      const recording = new Recording(found.level, found.id);
      Object.assign(recording, { orders: played.orders, place: played.place });
      // Whoever is still playing it is another tab.
      if (await recording.#hold(LETTING_GO)) return recording;
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
    if (!this.#isStored) this.#store('', { id: this.#id, level: this.level });
    this.#isStored = true;
    this.#store('-orders', { id: this.#id, orders: this.orders, place });
  }

  /** It has become a demonstration, or nobody wants it. */
  forget() {
    for (const store of [sessionStorage, localStorage]) {
      // Another tab may have left one of its own there meanwhile.
      if (read(store, '', this.level.path)?.id !== this.#id) continue;
      for (const part of ['', '-orders']) store.removeItem(name(part, this.level.path));
    }
    this.letGo();
  }

  /** It stays where it is, for whoever finds it. */
  letGo() {
    this.#release?.();
    this.#release = null;
  }

  #store(part, value) {
    const text = JSON.stringify(value);
    let isKept = false;
    for (const store of [sessionStorage, localStorage]) {
      try {
        store.setItem(name(part, this.level.path), text);
        isKept = true;
      } catch {
        // Full; there is another.
      }
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

const name = (part, path) => `${STORE}${part}:${path}`;

function read(store, part, path) {
  try {
    return JSON.parse(store.getItem(name(part, path)));
  } catch {
    return null;
  }
}
