// Making a level: its walls, what is in it, and what the file says about each thing.

import { button, el, refill, toast } from './elements.js';
import { Inspector } from './inspector.js';
import { badge } from './symbols.js';
import * as words from './words.js';

/** Tool, picture, name, what it does, its key, and what to do with it. */
const TOOLS = [
  ['select', 'hand', 'Select', 'Select things and move them (V)', 'v', null],
  ['brush', 'draw', 'Wall', 'Paint walls (B)', 'b', 'Press and paint walls'],
  ['erase', 'erase', 'Erase', 'Paint floor (E)', 'e', 'Press and paint floor'],
  ['rectangle', 'rectangle', 'Rectangle', 'A rectangle of wall; begun on a wall, of floor (U)', 'u', 'Drag a rectangle of wall. Begin on a wall to clear one'],
  ['fill', 'fill', 'Fill', 'Fill a room with wall; clicked on a wall, clear it (F)', 'f', 'Click a room to fill it with wall. Click a wall to clear it'],
];

/** What can be put into a level, besides the kinds of enemies. */
const THINGS = ['key', 'door', 'shield', 'item', 'pack', 'lever', 'player', 'character'];

/** What it is, where the word alone does not say it. */
const ABOUT = {
  key: 'opens doors', door: 'shut until something opens it; makes an opening in a wall', shield: 'guards no longer hurt who holds it', item: 'something to fetch',
  pack: 'gives health back', lever: 'opens doors from afar', player: 'somebody you play', character: 'somebody else, with a goal or a route of its own',
};

export class MakePanel {
  #app;
  #tool = 'select';
  /** What the next click puts onto the map. */
  #armed = null;
  /** Which key opens the next door. */
  #opener = null;
  /** The ids of the things that are looked at; none for the level itself. */
  #chosen = [];

  constructor(app) {
    this.#app = app;
    this.inspector = new Inspector(app);
  }

  /** The thing that is looked at, if it is one. */
  get selected() {
    return this.#chosen.length === 1 ? this.#chosen[0] : null;
  }

  show() {
    const { work } = this.#app;
    if (!work.scene) return;
    this.#chosen = this.#things().map(({ id }) => id);
    this.#applyTool();
    this.status = el('p', { class: 'plan-line', id: 'make-plan', role: 'status' });
    refill(document.getElementById('panel'), el('section', {}, this.status), this.#walls(), this.#palette(), this.inspector.element);
    const { plan } = this.#app.plans.left;
    if (plan) this.planned('left', plan);
    this.#showSelected();
  }

  enter() {
    this.#tool = 'select';
    this.#armed = null;
  }

  leave() {
    this.#app.maps.left.tool = 'move';
    this.#app.maps.left.select([]);
    this.#app.hint(null);
    document.body.classList.remove('drawing');
  }

  changed(what) {
    if (what === 'level') this.#chosen = [];
  }

  planned(side, { plan, no_way: obstacle }) {
    if (side !== 'left') return;
    const isFound = plan.status === 'found';
    this.#tell(isFound ? 'good' : 'wrong', isFound ? `The character gets there in ${words.seconds(words.duration(plan))}.` : obstacle ?? 'The character does not get there like this.');
  }

  refused(side, message) {
    if (side !== 'left') return;
    this.#tell('wrong', words.sentence(message));
  }

  #tell(kind, text) {
    this.status.className = `plan-line ${kind}`;
    this.status.textContent = text;
    this.status.title = text;
  }

  // Tools.

  setTool(tool) {
    this.#tool = tool;
    this.#armed = null;
    this.show();
  }

  #applyTool() {
    const isGrid = this.#app.work.scene.ground.kind === 'grid';
    if (!isGrid && this.#tool !== 'select') this.#tool = 'select';
    const tool = this.#armed ? 'put' : this.#tool;
    this.#app.maps.left.tool = tool === 'select' ? 'move' : tool;
    document.body.classList.toggle('drawing', tool !== 'select');
    const [, , , , , hint] = TOOLS.find(([name]) => name === this.#tool);
    this.#app.hint(this.#armed ? `Click where to put the ${words.name(this.#armed)}` : hint);
  }

  #walls() {
    const isGrid = this.#app.work.scene.ground.kind === 'grid';
    const tools = TOOLS.map(([name, symbol, text, title]) => button(symbol, text, title, () => this.setTool(name), {
      id: `make-${name}`, disabled: !isGrid && name !== 'select', 'aria-pressed': String(!this.#armed && this.#tool === name),
    }));
    const note = isGrid ? null : el('p', { class: 'quiet small' }, 'The ground of this level is a navmesh, which is made by other programs. Things can be put on it.');
    return el('section', {}, el('h2', {}, 'Walls'), el('div', { class: 'tool-grid' }, ...tools), note);
  }

  #palette() {
    const { things, kinds } = this.#app.work.scene;
    const hasPlayer = things.some(({ kind }) => kind === 'player');
    const entry = (what, kind, title, isDisabled = false) => el(
      'button',
      {
        type: 'button', title, disabled: isDisabled, 'aria-pressed': String(this.#armed === what), dataset: { what }, onclick: () => this.#arm(what),
      },
      badge({ kind, id: what, title: what, color: kind === 'key' || kind === 'door' ? 0 : null }),
      el('span', {}, words.sentenceCase(words.name(what))),
    );
    const parts = [
      ...THINGS.map((what) => entry(what, what === 'character' ? 'actor' : what, what === 'player' && hasPlayer ? 'There is a player already' : `${words.sentenceCase(what)}: ${ABOUT[what]}`, what === 'player' && hasPlayer)),
      ...kinds.map(({ name, kind }) => entry(name, kind, `${words.sentenceCase(words.name(name))}: ${kind === 'guard' ? 'stands still and strikes who comes too near' : 'notices, pursues and attacks'}`)),
    ];
    return el('section', {}, el('h2', {}, 'Put into the level'), el('div', { class: 'palette', id: 'palette' }, ...parts), this.#armed === 'door' ? this.#openerPart() : null);
  }

  #openerPart() {
    const openers = this.#openers();
    const select = el(
      'select',
      { id: 'opened-by', onchange: ({ target }) => { this.#opener = target.value; } },
      el('option', { value: '' }, 'nothing yet'),
      ...openers.map(({ id, title }) => el('option', { value: id }, title)),
    );
    select.value = this.#opener ?? '';
    return el('label', { class: 'field' }, 'Opened by', select);
  }

  #openers() {
    return this.#app.work.scene.things.filter(({ kind }) => ['key', 'lever'].includes(kind));
  }

  #arm(what) {
    this.#armed = this.#armed === what ? null : what;
    this.#tool = 'select';
    // A key that opens nothing yet is probably meant for the next door.
    this.#opener = this.#openers().findLast(({ kind, color }) => kind === 'key' && color === null)?.id ?? null;
    this.show();
  }

  /** A stroke on the map: one change, and one step back. */
  async painted({ tool, with: cover, cells, from, to }) {
    const edit = {
      rectangle: { edit: 'paint_rectangle', with: cover, from, to },
      fill: { edit: 'paint_fill', with: cover, at: from },
    }[tool] ?? { edit: 'paint', with: cover, cells };
    await this.#app.edit([edit]);
    this.#app.maps.left.clearStroke();
  }

  /** A click on the map: what was chosen is put there, and looked at. */
  async put([x, y, height]) {
    const what = this.#armed;
    if (!what) return;
    const spot = height === undefined ? { x, y } : { x, y, height };
    const opened = what === 'door' && this.#opener ? { opened_by: this.#opener } : {};
    const ids = await this.#addedBy({ edit: 'add', what, ...spot, ...opened });
    if (ids === null) return;
    this.#armed = null;
    this.select(...ids);
    this.show();
  }

  // Things.

  /** Makes changes that add things; their ids, or null if that was refused. */
  async #addedBy(...edits) {
    const before = new Set(this.#app.work.scene.things.map(({ id }) => id));
    if (!(await this.#app.edit(edits))) return null;
    return this.#app.work.scene.things.map(({ id }) => id).filter((id) => !before.has(id));
  }

  select(...ids) {
    this.#chosen = ids;
    this.#showSelected();
  }

  #showSelected() {
    this.#app.maps.left.select(this.#chosen);
    if (this.#chosen.length > 1) this.inspector.showSeveral(this.#chosen.length);
    else this.inspector.show(this.selected);
  }

  /** Those of the chosen things that are there. */
  #things() {
    return this.#chosen.map((id) => this.#app.work.scene.things.find((one) => one.id === id)).filter(Boolean);
  }

  /** What changes when a thing is moved: those that are chosen with it go along. */
  moving(id, spot) {
    const { things } = this.#app.work.scene;
    const [[left, top]] = things.find((one) => one.id === id).at;
    const others = this.#chosen.includes(id) ? this.#things().filter((one) => one.id !== id) : [];
    const along = others.map(({ id: other, at: [[x, y]] }) => this.#movingOne(other, { x: x + spot.x - left, y: y + spot.y - top }));
    return [...this.#movingOne(id, spot), ...along.flat()];
  }

  /** A door makes an opening in the wall it is moved into. */
  #movingOne(id, spot) {
    const move = { edit: 'move', thing: id, ...spot };
    const { things, ground } = this.#app.work.scene;
    const thing = things.find((one) => one.id === id);
    if (thing?.kind !== 'door' || ground.kind !== 'grid') return [move];
    const [[left, top]] = thing.at;
    const cells = thing.at.map(([x, y]) => [x - left + spot.x, y - top + spot.y]);
    const walls = cells.filter(([x, y]) => ground.rows[y]?.[x] === '#');
    return walls.length > 0 ? [{ edit: 'paint', with: 'floor', cells: walls }, move] : [move];
  }

  /** Who drags a thing looks at it. */
  drag(thing) {
    if (!this.#chosen.includes(thing)) this.select(thing);
    return false;
  }

  /** Who holds Shift or Ctrl chooses one more, or one less. */
  touched(thing, isMore) {
    const others = this.#chosen.filter((id) => id !== thing);
    if (!isMore) this.select(thing);
    else if (others.length < this.#chosen.length) this.select(...others);
    else this.select(...others, thing);
    return true;
  }

  nothing() {
    if (this.#chosen.length > 0) this.select();
  }

  async remove() {
    const things = this.#things();
    if (things.length === 0) return;
    const what = things.length === 1 ? `${words.sentenceCase(things[0].title)} is` : `${things.length} things are`;
    if (await this.#app.edit(things.map(({ id }) => ({ edit: 'remove', thing: id })))) toast(`${what} deleted. Ctrl+Z takes that back.`);
  }

  async duplicate() {
    const taken = [];
    const copies = this.#things().map((thing) => {
      const spot = this.#app.work.beside(thing, taken);
      taken.push([spot.x, spot.y]);
      return { edit: 'copy', thing: thing.id, ...spot };
    });
    if (copies.length > 0) this.select(...(await this.#addedBy(...copies) ?? this.#chosen));
  }

  /** Writes a field of what is looked at; returns why not, if it is refused. */
  async set(field, value) {
    const thing = this.selected ?? '';
    try {
      await this.#app.change([{ edit: 'set', thing, field, value }]);
    } catch (error) {
      return error.message;
    }
    if (field === 'id') this.select(value.trim());
    return null;
  }

  key(event) {
    const tool = TOOLS.find(([, , , , key]) => key === event.key.toLowerCase());
    if (['Delete', 'Backspace'].includes(event.key) && this.#chosen.length > 0) this.remove();
    else if (event.key === 'Escape' && (this.#armed || this.#tool !== 'select')) this.setTool('select');
    else if (tool && this.#app.work.scene.ground.kind === 'grid') this.setTool(tool[0]);
    else return false;
    return true;
  }
}
