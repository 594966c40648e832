// What is being worked on: a level, what was shown in it, and how plans are made. Every change can
// be undone, and a reload finds everything as it was.

import { Emitter } from './elements.js';
import * as history from './history.js';

const STORE = 'apprentice-studio';
/** Each is a few kilobytes, */
const MOST_UNDO = 100;
/** but for those of large levels: letters of their texts, all together. */
const MOST_LETTERS = 20_000_000;

let lastLine = 0;

/** A demonstration with a number of its own, so that lists can tell them apart. */
export function newLine(name, points, log = null, hidden = false) {
  lastLine += 1;
  return { id: lastLine, name, points, log, hidden };
}

/** What was shown, in a few digits: to see whether it is what is in the file. */
const known = new WeakMap();
function digestOf(lines) {
  if (known.has(lines)) return known.get(lines);
  const text = JSON.stringify(lines.map(({ name, points, log, hidden }) => [name, points, log ?? null, Boolean(hidden)]));
  let digest = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193);
  const told = `${text.length}:${digest >>> 0}`;
  known.set(lines, told);
  return told;
}

/** How plans are made unless somebody says otherwise. */
const USUAL = { planner: '', faithful: 0.5 };

export class Work extends Emitter {
  path = '';
  text = '';
  scene = null;
  lines = [];
  /** Whether something was changed since it was opened or saved. */
  changed = false;
  /** What was in the file when it was opened or saved: its text, what was shown, and how plans are made. */
  was = '';
  wasShown = '';
  wasPlanned = { ...USUAL };
  settings = { left: { planner: '', faithful: 0.5 }, right: { planner: 'astar', faithful: 0.5 } };
  view = {
    mode: 'plan', lines: true, radii: true, search: false, estimate: '', compare: false, toured: false, tasks: null,
  };
  #undo = [];
  #redo = [];
  /** Tabs share what a new one begins with: by this, what is undone is told from what others have done. */
  #owner = crypto.randomUUID();
  /** Whether there is more, or less, to be undone than the browser knows of. */
  #hasNewHistory = false;
  /** How a level looks from which a reload has left only the text: set by whoever can ask the studio. */
  lookUp = null;
  /** Whether the level has to stay as it is, because it is being recorded in: set by whoever knows. */
  isHeld = () => false;
  /** Undoing and redoing that has to wait for such a look. */
  #waiting = Promise.resolve();
  #isWaiting = false;
  /** Whether a reload finds everything as it was. */
  #isRemembered = true;

  /** How plans are to be made, as the file says it: only what is not usual. */
  get planning() {
    const { planner, faithful } = this.settings.left;
    const usual = this.usualPlanner;
    return { planner: planner && planner !== usual ? planner : null, faithful: faithful === USUAL.faithful ? null : faithful };
  }

  /** The planner that is used unless another is chosen: set by whoever knows. */
  usualPlanner = 'auto';

  get #isChanged() {
    if (this.was === null) return true;
    const { planner, faithful } = this.planning;
    const planned = this.wasPlanned ?? {};
    return this.text !== this.was || digestOf(this.lines) !== this.wasShown || planner !== (planned.planner ?? null) || faithful !== (planned.faithful ?? null);
  }

  /** What was changed in a level that is about to be opened again, if its file is still the same. */
  unsaved({ path, text }) {
    if (path === this.path) return null;
    const found = this.#undo.findLast((level) => level.path === path);
    return found?.changed && found.was === text ? found : null;
  }

  get level() {
    return { path: this.path, text: this.text };
  }

  /** The demonstrations planners see. */
  get shown() {
    const shown = this.lines.filter((line) => !line.hidden);
    return shown.map(({ name, points, log }) => (log ? { name, log } : { name, points }));
  }

  get canUndo() {
    return this.#undo.length > 0;
  }

  get canRedo() {
    return this.#redo.length > 0;
  }

  /** Where somebody stands who joins in: beside the start, so that both are seen. */
  get besideStart() {
    return this.beside(this.scene.things.find(({ kind }) => kind === 'start'));
  }

  /** Where something else can be, beside a thing, so that both are seen. */
  beside({ at: [[x, y]], height }, others = []) {
    const { ground, things } = this.scene;
    const taken = [...things.flatMap(({ at }) => at), ...others];
    const isFree = ([px, py]) => taken.every(([tx, ty]) => Math.hypot(tx - px, ty - py) >= 1);
    const isLevel = (index) => !ground.heights || Math.abs(ground.heights[index] - height) < 0.5;
    const isFloor = (px, py) => ground.rows?.[py]?.[px] === '.';
    const around = [[0, 1], [1, 0], [0, -1], [-1, 0], [1, 1], [1, -1], [-1, -1], [-1, 1]];
    const steps = around.filter(([dx, dy]) => isFloor(x + dx, y + dy));
    const near = ground.kind === 'grid'
      ? [...steps.map(([dx, dy]) => [x + 2 * dx, y + 2 * dy]), ...steps.map(([dx, dy]) => [x + dx, y + dy])].filter((at) => isFloor(...at))
      : ground.places.filter(([px, py], index) => Math.abs(Math.hypot(px - x, py - y) - 2) < 0.5 && isLevel(index));
    const [px, py] = near.find(isFree) ?? [x, y];
    return height === null ? { x: px, y: py } : { x: px, y: py, height };
  }

  /** Another level. Whoever had not saved the one before can go back to it. A new one is in no file yet. */
  open({ path, text, scene, demonstrations, planning }, isNew = false) {
    const lines = demonstrations.map(({ name, points, log, hidden }) => newLine(name, points, log, hidden));
    const isUnsaved = (level) => level.path !== this.path && level.changed;
    if (this.changed || this.#undo.some(isUnsaved)) this.#snap();
    else {
      [this.#undo, this.#redo] = [[], []];
      this.#hasNewHistory = true;
    }
    Object.assign(this, { path, text, scene, lines, was: isNew ? null : text, wasShown: digestOf(lines), wasPlanned: planning });
    this.settings.left = { ...this.settings.left, planner: planning.planner ?? this.usualPlanner, faithful: planning.faithful ?? USUAL.faithful };
    this.#tell('level');
  }

  /** The same level with something changed. */
  change(what) {
    this.#snap();
    Object.assign(this, what);
    this.#tell('scene' in what ? 'scene' : 'lines');
  }

  undo() {
    this.#inTurn(() => this.#swap(this.#undo, this.#redo));
  }

  redo() {
    this.#inTurn(() => this.#swap(this.#redo, this.#undo));
  }

  /** At once if that can be; otherwise after what waits already. */
  #inTurn(swap) {
    if (!this.#isWaiting && !swap()) return;
    this.#isWaiting = true;
    // Whatever has come of the one before.
    const mine = this.#waiting.catch(() => {}).then(async () => {
      try {
        const unseen = swap();
        if (unseen) await this.#look(unseen, swap);
      } finally {
        if (this.#waiting === mine) this.#isWaiting = false;
      }
    });
    this.#waiting = mine;
  }

  /** Finds out how the level looks that is to be gone back to, and goes there. */
  async #look(snapshot, swap) {
    try {
      snapshot.scene = await this.lookUp({ path: snapshot.path, text: snapshot.text });
    } catch (error) {
      this.emit('not undone', error);
      return;
    }
    // Whoever has done something meanwhile does not want to go back any more.
    if ([this.#undo.at(-1), this.#redo.at(-1)].includes(snapshot)) swap();
  }

  /** Returns the level to go back to if it has to be found out first how it looks, and null if that is done. */
  #swap(from, to) {
    const snapshot = from.at(-1);
    if (!snapshot || this.isHeld()) return null;
    if (!snapshot.scene) return snapshot;
    from.pop();
    to.push(this.#snapshot());
    this.#hasNewHistory = true;
    const { path, text, scene, lines, was, wasShown, wasPlanned } = snapshot;
    if (path === this.path) {
      // What is in the file may be newer.
      Object.assign(this, { text, scene, lines });
      this.#tell('scene');
    } else {
      Object.assign(this, { path, text, scene, lines, was, wasShown, wasPlanned });
      Object.assign(this.settings.left, snapshot.planned);
      this.#tell('level');
    }
    return null;
  }

  /** From here on, there is a way back to how things are. */
  #snap() {
    this.#undo.push(this.#snapshot());
    let letters = this.#undo.reduce((sum, { text }) => sum + text.length, 0);
    while (this.#undo.length > MOST_UNDO || (letters > MOST_LETTERS && this.#undo.length > 1)) letters -= this.#undo.shift().text.length;
    this.#redo = [];
    this.#hasNewHistory = true;
  }

  #snapshot() {
    const { path, text, scene, lines, changed, was, wasShown, wasPlanned } = this;
    const { planner, faithful } = this.settings.left;
    return { path, text, scene, lines, changed, was, wasShown, wasPlanned, planned: { planner, faithful } };
  }

  /** A level, as it was sent, is in a file now; `text` is what is in it. What was done meanwhile is not. */
  saved(sent, path, text) {
    const isHere = this.path === sent.path;
    const isSame = isHere && this.text === sent.text && this.lines === sent.lines;
    // What is undone is undone in the file it was saved as, not in the one it came from.
    for (const level of [this, ...this.#undo, ...this.#redo]) {
      if (level.path === sent.path) Object.assign(level, { path, was: text, wasShown: digestOf(sent.lines), wasPlanned: sent.planning });
    }
    if (isSame) this.text = text;
    this.#hasNewHistory = true;
    this.#tell('saved', isHere ? sent.path : null);
  }

  /** How plans are made, and what is looked at. These are not undone. */
  set(part, values) {
    Object.assign(this[part], values);
    this.#tell(part);
  }

  setSettings(side, values) {
    this.settings[side] = { ...this.settings[side], ...values };
    this.#tell('settings', side);
  }

  #tell(what, detail) {
    this.changed = this.scene !== null && this.#isChanged;
    this.emit('change', what, detail);
    this.#remember();
  }

  #remember() {
    const { path, text, scene, lines, changed, was, wasShown, wasPlanned, settings, view } = this;
    const state = JSON.stringify({ path, text, scene, lines, changed, was, wasShown, wasPlanned, settings, view, owner: this.#owner });
    const past = this.#hasNewHistory ? history.write(this.#owner, this.#undo, this.#redo) : null;
    let isRemembered = false;
    // Every tab finds its own again; a new one goes on where the last one was.
    for (const store of [sessionStorage, localStorage]) {
      if (history.keepRather(store, STORE, state)) isRemembered = true;
      // What is older is not what anybody would look for.
      else store.removeItem(STORE);
      if (past !== null) history.keep(store, past);
    }
    this.#hasNewHistory = false;
    if (this.#isRemembered && !isRemembered) this.emit('too large');
    this.#isRemembered = isRemembered;
  }

  /** What was remembered; false if nothing was. */
  restore() {
    try {
      const store = sessionStorage.getItem(STORE) === null ? localStorage : sessionStorage;
      const stored = JSON.parse(store.getItem(STORE));
      if (!stored?.scene) return false;
      const { settings, view, owner, ...rest } = stored;
      Object.assign(this, rest);
      Object.assign(this.settings, settings);
      Object.assign(this.view, view);
      // Whose log was watched is not known any more.
      if (this.view.mode === 'watch') this.view.mode = 'play';
      [this.#undo, this.#redo] = history.read(store, owner);
      this.#hasNewHistory = true;
      const all = [this, ...this.#undo, ...this.#redo].flatMap(({ lines }) => lines);
      lastLine = all.reduce((last, { id }) => Math.max(last, id), 0);
      this.emit('change', 'level');
      return true;
    } catch {
      return false;
    }
  }
}
