// The first visit: three short steps, each done by doing it.

import { by, button, el } from './elements.js';

/** Where the card may lie; where several hide as little, the first. */
const CORNERS = ['top right', 'bottom right', 'top left', 'bottom left'];

const STEPS = [
  {
    mode: 'teach',
    title: '1. Show it the way',
    text: ({ key }) => `Press on the dot, where the character starts, and draw a line to the ring, where it is to go. It follows your line as far as it makes sense${key ? ': it still has to fetch the key' : ''}.`,
    done: (what) => what === 'draw',
  },
  {
    mode: 'plan',
    title: ({ thing }) => `2. Move the ${thing}`,
    text: ({ thing }) => `Drag the ${thing} somewhere else. The plan adapts while you drag: nothing has to be learned again.`,
    done: (what) => what === 'move',
  },
  {
    mode: 'play',
    title: '3. Press play',
    text: ({ key, door }) => `Watch the character carry out its plan. ${key ? 'Take the key away' : door ? 'Shut a door' : 'Drag something in its way'}, and it plans anew.`,
    done: (what) => what === 'play',
  },
];

export class Tour {
  #app;
  #at = null;

  constructor(app) {
    this.#app = app;
  }

  get isOpen() {
    return this.#at !== null;
  }

  start() {
    this.#at = 0;
    this.#show();
  }

  /** Something was done; the step that asked for it is over. */
  did(what) {
    if (this.#at === null || !STEPS[this.#at].done(what)) return;
    setTimeout(() => this.#next(), 900);
  }

  #next() {
    if (this.#at === null) return;
    this.#at += 1;
    if (this.#at >= STEPS.length) this.end();
    else this.#show();
  }

  end() {
    this.#at = null;
    by('tour').hidden = true;
    this.#app.work.set('view', { toured: true });
  }

  #show() {
    const step = STEPS[this.#at];
    this.#app.setMode(step.mode);
    if (step.mode === 'teach') this.#app.panels.teach.setTool('draw');
    const { things } = this.#app.work.scene;
    const has = (kind) => things.some((thing) => thing.kind === kind);
    const kinds = ['key', 'shield', 'item', 'lever', 'door', 'beast', 'guard'];
    const named = { beast: 'enemy', guard: 'guard' };
    const kind = kinds.find(has) ?? 'goal';
    const about = { key: has('key'), door: has('door'), thing: named[kind] ?? kind };
    const told = (text) => (typeof text === 'function' ? text(about) : text);
    const dots = STEPS.map((_, index) => el('i', { class: index === this.#at ? 'now' : '' }));
    const isLast = this.#at === STEPS.length - 1;
    by('tour').replaceChildren(
      el('h2', {}, told(step.title)),
      el('p', {}, told(step.text)),
      el(
        'div',
        { class: 'row apart' },
        el('span', { class: 'dots' }, ...dots),
        el(
          'span',
          { class: 'row' },
          isLast ? null : button(null, 'Skip', 'I know this already (Esc)', () => this.end(), { class: 'bare' }),
          button(null, isLast ? 'Done' : 'Next', isLast ? 'Begin' : 'The next step', () => this.#next(), { id: 'tour-next' }),
        ),
      ),
    );
    by('tour').hidden = false;
    this.#settle();
  }

  /** Lies in the corner where it hides least of the way and of things, because some of them are to be dragged. */
  #settle() {
    const card = by('tour');
    const { places } = this.#app.maps.left;
    const hides = (corner) => {
      card.dataset.corner = corner;
      const { left, right, top, bottom } = card.getBoundingClientRect();
      return places.filter(([x, y]) => x > left - 16 && x < right + 16 && y > top - 16 && y < bottom + 16).length;
    };
    const counts = CORNERS.map((corner) => [corner, hides(corner)]);
    [card.dataset.corner] = counts.reduce((least, one) => (one[1] < least[1] ? one : least));
  }
}
