// What can be undone and redone, as a text that a reload finds again.
//
// Levels that were snapped one after the other have most of their texts and lines in common: each is
// written once. How a level looks is not written at all, because its text tells, and pictures of caves are large.

const STORE = 'apprentice-studio-past';

/** Characters. A browser has room for some five million, and recordings need theirs. */
const MOST = 1_500_000;

/** Remembers a text of `write`; without one, nothing. */
export function keep(store, text) {
  if (text === null || !put(store, STORE, text)) store.removeItem(STORE);
}

/** Remembers something that matters more than how things were, which makes room for it if need be. False if there is too little of it. */
export function keepRather(store, name, text) {
  if (put(store, name, text)) return true;
  keep(store, null);
  return put(store, name, text);
}

function put(store, name, text) {
  try {
    store.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

/** The text of two lists of snapshots: the newest of them, as far as there is room. `owner` is whose they are. */
export function write(owner, undo, redo) {
  const [texts, lines] = [new Shelf(), new Shelf()];
  const packed = { undo: [], redo: [] };
  let size = 0;
  /** False if there is no room for it. The last step can be undone however large it is, if the browser lets it. */
  const pack = (list, { path, text, was, changed, lines: shown }) => {
    const marks = [texts.things.length, lines.things.length];
    const numbers = { text: texts.put(text), was: texts.put(was), lines: shown.map((line) => lines.put(line)) };
    const one = JSON.stringify({ path, changed, ...numbers });
    const added = one.length + texts.sizeFrom(marks[0]) + lines.sizeFrom(marks[1]);
    if (size > 0 && size + added > MOST) {
      texts.cut(marks[0]);
      lines.cut(marks[1]);
      return false;
    }
    size += added;
    list.unshift(one);
    return true;
  };
  // From the newest ones on: behind one for which there is no room, nothing can be gone back to.
  let [undoing, redoing] = [true, true];
  for (let back = 1; back <= Math.max(undo.length, redo.length); back += 1) {
    undoing &&= back <= undo.length && pack(packed.undo, undo.at(-back));
    redoing &&= back <= redo.length && pack(packed.redo, redo.at(-back));
  }
  const list = (parts) => `[${parts.join(',')}]`;
  return `{"owner":${JSON.stringify(owner)},"undo":${list(packed.undo)},"redo":${list(packed.redo)},"texts":${list(texts.things)},"lines":${list(lines.things)}}`;
}

/** The lists that were remembered, if they are this owner's; otherwise empty ones. Their levels have no scene yet. */
export function read(store, of) {
  try {
    const { owner, undo, redo, texts, lines } = JSON.parse(store.getItem(STORE));
    const unpacked = (snapshot) => ({
      ...snapshot, scene: null, text: texts[snapshot.text], was: texts[snapshot.was], lines: snapshot.lines.map((number) => lines[number]),
    });
    return owner === of ? [undo.map(unpacked), redo.map(unpacked)] : [[], []];
  } catch {
    return [[], []];
  }
}

/** Things as JSON, with numbers; the same thing has the same number. */
class Shelf {
  things = [];
  #numbers = new Map();

  put(thing) {
    const known = this.#numbers.get(thing);
    if (known !== undefined) return known;
    this.#numbers.set(thing, this.things.length);
    return this.things.push(JSON.stringify(thing)) - 1;
  }

  /** Characters of the things from a number on. */
  sizeFrom(first) {
    return this.things.slice(first).reduce((size, thing) => size + thing.length, 0);
  }

  /** Takes away the things from a number on. */
  cut(first) {
    this.things.length = first;
    for (const [thing, number] of this.#numbers) {
      if (number >= first) this.#numbers.delete(thing);
    }
  }
}
