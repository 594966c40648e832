// What the file says about a thing, field by field, in the words of the file. Whatever is typed is
// changed in the file's text; what makes no sense is refused with the file's own error.

import { button, el, refill } from './elements.js';
import { badge } from './symbols.js';
import { underlayPart } from './underlay.js';
import * as words from './words.js';

export class Inspector {
  #app;
  #asked = 0;
  /** Whose fields are shown, and the number of things that were looked at. */
  #shown = null;
  element = el('section', { class: 'inspector', id: 'inspector' });

  constructor(app) {
    this.#app = app;
  }

  /** Shows what is said about a thing now; about the level if there is none. */
  async show(thing) {
    const { connection, work } = this.#app;
    if (!work.scene || !connection.isOpen) return;
    this.#asked += 1;
    const mine = this.#asked;
    try {
      const { fields } = await connection.ask({ ask: 'inspect', ...work.level, thing: thing ?? '' });
      if (mine === this.#asked) this.#fill(thing, fields);
    } catch (error) {
      if (mine === this.#asked) this.element.replaceChildren(el('p', { class: 'field-wrong' }, words.sentence(error.message)));
    }
  }

  /** Several things have no fields in common; they can be copied and deleted together. */
  showSeveral(count) {
    this.#asked += 1;
    this.#shown = null;
    this.element.dataset.thing = '';
    this.element.replaceChildren(
      el('div', { class: 'row apart heading' }, el('h2', {}, `${count} things`), this.#acts(false)),
      el('p', { class: 'quiet small' }, 'Drag one of them, and all move.'),
    );
  }

  /** What can be done with what is looked at. */
  #acts(isOne) {
    const { make } = this.#app.panels;
    return el(
      'span',
      { class: 'row tight' },
      button('copy', '', isOne ? 'There is one of it in a level' : 'Another one like this (Ctrl+D)', () => make.duplicate(), { class: 'bare', id: 'duplicate', disabled: isOne }),
      button('delete', '', 'Delete it (Del)', () => make.remove(), { class: 'bare', id: 'delete-thing' }),
    );
  }

  #fill(thing, fields) {
    const known = this.#app.work.scene.things.find(({ id }) => id === thing);
    const own = fields.filter((field) => field.of_kind === null);
    const kind = fields.filter((field) => field.of_kind !== null);
    const isOther = this.#shown !== thing;
    this.#shown = thing;
    this.element.dataset.thing = thing ?? '';
    const parts = [
      this.#heading(known),
      ...own.map((field) => this.#row(thing, field)),
      ...(kind.length > 0 ? this.#kind(thing, kind) : []),
      ...(known ? [] : [underlayPart(this.#app)]),
    ];
    // Who has just selected another thing is at none of its fields yet.
    if (isOther) this.element.replaceChildren(...parts);
    else refill(this.element, ...parts);
  }

  #heading(thing) {
    if (!thing) return el('h2', {}, 'This level');
    const isOne = ['start', 'goal', 'player', 'obstacle', 'trap', 'liked', 'avoided'].includes(thing.kind);
    return el(
      'div',
      { class: 'row apart heading' },
      el('span', { class: 'row name' }, badge(thing), el('h2', { title: thing.title }, thing.title)),
      this.#acts(isOne),
    );
  }

  #kind(thing, fields) {
    const [{ of_kind: kind }] = fields;
    const isOwn = this.#app.work.scene.kinds.findIndex(({ name }) => name === kind) >= KNOWN_KINDS;
    const text = isOwn ? 'All of this kind change together.' : 'Change a number, and it becomes a kind of its own.';
    return [
      el('h3', { title: text }, `Every ${words.name(kind)}`),
      el('p', { class: 'quiet small' }, text),
      ...fields.map((field) => this.#row(thing, field)),
    ];
  }

  #row(thing, field) {
    const { name, about } = field;
    const wrong = el('div', { class: 'field-wrong', role: 'alert', hidden: true });
    const write = async (value) => {
      const refused = await this.#app.panels.make.set(name, value);
      wrong.textContent = refused ? words.sentence(refused) : '';
      wrong.hidden = !refused;
    };
    const control = (CONTROLS[field.sort] ?? typed)({ ...field, id: `field-${name}` }, write);
    const label = el(field.sort === 'several' ? 'div' : 'label', { class: 'field', title: about, dataset: { field: name } }, el('span', { class: 'word' }, name), control);
    return el('div', { class: 'field-row' }, label, wrong);
  }
}

/** How many kinds of enemies every level knows: they come first in the list. */
const KNOWN_KINDS = 5;

const CONTROLS = {
  flag: ({ id, value, usual, about }, write) => el('input', {
    id, type: 'checkbox', checked: (value || usual) === 'true', 'aria-label': about, onchange: ({ target }) => write(String(target.checked)),
  }),
  choice: ({ id, value, usual, options, about }, write) => {
    const select = el('select', { id, 'aria-label': about, onchange: ({ target }) => write(target.value) }, ...options.map((option) => el('option', { value: option }, words.name(option))));
    select.value = value || usual;
    return select;
  },
  several: ({ id, value, options, about }, write) => {
    const chosen = value.split(', ').filter(Boolean);
    const toggle = (option) => write(options.filter((one) => chosen.includes(one) !== (one === option)).join(', '));
    const chips = options.map((option) => button(null, words.name(option), about, () => toggle(option), { class: 'choice', 'aria-pressed': String(chosen.includes(option)), dataset: { option } }));
    return el('span', { id, class: 'choices', role: 'group', 'aria-label': about }, ...(chips.length > 0 ? chips : [el('span', { class: 'quiet' }, 'none in the level yet')]));
  },
};

/** Everything that is typed: numbers, names, places, and whatever else the file may say. */
function typed({ id, value, usual, about, sort }, write) {
  return el('input', {
    id, type: 'text', value, placeholder: usual ?? '', 'aria-label': about, spellcheck: false, autocomplete: 'off', class: sort,
    onchange: ({ target }) => write(target.value),
    onkeydown: (event) => {
      if (event.key === 'Enter' && !event.isComposing) event.target.blur();
      if (event.key !== 'Escape') return;
      event.target.value = value;
      event.target.blur();
    },
  });
}
