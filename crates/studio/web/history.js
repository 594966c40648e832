// What can be undone and redone, as a text that a reload finds again.
//
// Levels that were snapped one after the other have most of their texts and lines in common, and a line
// that has another name now has the same points and the same log: each is written once. How a level looks
// is not written at all, because its text tells, and pictures of caves are large.

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
  const shelves = { texts: new Shelf(), points: new Shelf(), lines: new Shelf() };
  const { texts, points, lines } = shelves;
  const packed = { undo: [], redo: [] };
  let size = 0;
  /** False if there is no room for it. The last step can be undone however large it is, if the browser lets it. */
  const pack = (list, { path, text, was, changed, wasShown, wasPlanned, planned, lines: shown }) => {
    const marks = Object.values(shelves).map((shelf) => [shelf, shelf.things.length]);
    const packedLine = (line) => lines.put({ ...line, points: points.put(line.points), log: texts.put(line.log) });
    const numbers = { text: texts.put(text), was: texts.put(was), lines: shown.map(packedLine) };
    const one = JSON.stringify({ path, changed, wasShown, wasPlanned, planned, ...numbers });
    const added = marks.reduce((sum, [shelf, mark]) => sum + shelf.sizeFrom(mark), one.length);
    if (size > 0 && size + added > MOST) {
      for (const [shelf, mark] of marks) shelf.cut(mark);
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
  const shelved = Object.entries(shelves).map(([name, { things }]) => `"${name}":${list(things)}`);
  return `{"owner":${JSON.stringify(owner)},"undo":${list(packed.undo)},"redo":${list(packed.redo)},${shelved.join(',')}}`;
}

/** The lists that were remembered, if they are this owner's; otherwise empty ones. Their levels have no scene yet. */
export function read(store, of) {
  try {
    const { owner, undo, redo, texts, points, lines: packed } = JSON.parse(store.getItem(STORE));
    const lines = packed.map((line) => ({ ...line, points: points[line.points], log: texts[line.log] }));
    const unpacked = (snapshot) => ({
      ...snapshot, scene: null, text: texts[snapshot.text], was: texts[snapshot.was], lines: snapshot.lines.map((number) => lines[number]),
    });
    return owner === of ? [undo.map(unpacked), redo.map(unpacked)] : [[], []];
  } catch {
    return [[], []];
  }
}

/** Things as JSON, with numbers; what reads the same has the same number, because a reload makes copies of everything. */
class Shelf {
  things = [];
  /** By the JSON of things, and by the things themselves, so that most of them are not written again to be compared. */
  #numbers = new Map();
  #known = new Map();

  put(thing) {
    const known = this.#known.get(thing);
    if (known !== undefined) return known;
    const json = JSON.stringify(thing);
    const number = this.#numbers.get(json) ?? this.things.push(json) - 1;
    this.#numbers.set(json, number);
    this.#known.set(thing, number);
    return number;
  }

  /** Characters of the things from a number on. */
  sizeFrom(first) {
    return this.things.slice(first).reduce((size, thing) => size + thing.length, 0);
  }

  /** Takes away the things from a number on. */
  cut(first) {
    this.things.length = first;
    for (const numbers of [this.#numbers, this.#known]) {
      for (const [thing, number] of numbers) {
        if (number >= first) numbers.delete(thing);
      }
    }
  }
}
