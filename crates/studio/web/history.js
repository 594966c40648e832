// What can be undone and redone, as a text that a reload finds again.
//
// Levels that were snapped one after the other have most of their texts and lines in common: each is
// written once. How a level looks is not written at all, because its text tells, and pictures of caves are large.

/** Characters. A browser has room for some five million, and recordings need theirs. */
const MOST = 1_500_000;

/** The text of two lists of snapshots: the newest of them, as far as there is room. */
export function write(undo, redo) {
  for (let left = undo.length; ; left = Math.floor(left / 2)) {
    const text = together(left > 0 ? undo.slice(-left) : [], left > 0 ? redo : []);
    if (text.length <= MOST || left === 0) return text;
  }
}

function together(undo, redo) {
  const [texts, lines] = [new Shelf(), new Shelf()];
  const packed = ({ path, text, was, changed, lines: shown }) => ({
    path, changed, text: texts.put(text), was: texts.put(was), lines: shown.map((line) => lines.put(line)),
  });
  const lists = { undo: undo.map(packed), redo: redo.map(packed) };
  return JSON.stringify({ ...lists, texts: texts.things, lines: lines.things });
}

/** The lists of such a text; empty ones if it is none. Their levels have no scene yet. */
export function read(text) {
  try {
    const { undo, redo, texts, lines } = JSON.parse(text);
    const unpacked = (snapshot) => ({
      ...snapshot, scene: null, text: texts[snapshot.text], was: texts[snapshot.was], lines: snapshot.lines.map((number) => lines[number]),
    });
    return [undo.map(unpacked), redo.map(unpacked)];
  } catch {
    return [[], []];
  }
}

/** Things with numbers; the same thing has the same number. */
class Shelf {
  things = [];
  #numbers = new Map();

  put(thing) {
    const known = this.#numbers.get(thing);
    if (known !== undefined) return known;
    this.#numbers.set(thing, this.things.length);
    return this.things.push(thing) - 1;
  }
}
