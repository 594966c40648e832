// The first visit: three short steps, each done by doing it.

import { by, button, el } from './elements.js';

const STEPS = [
  {
    mode: 'teach',
    title: '1. Show it the way',
    text: 'Press on the dot, where the character starts, and draw a line to the ring, where it is to go. It follows your line as far as it makes sense: it still has to fetch the key.',
    done: (what) => what === 'draw',
  },
  {
    mode: 'plan',
    title: '2. Move the key',
    text: 'Drag the key somewhere else. The plan adapts while you drag: nothing has to be learned again.',
    done: (what) => what === 'move',
  },
  {
    mode: 'play',
    title: '3. Press play',
    text: 'Watch the character carry out its plan. Take the key away or shut a door, and it thinks again.',
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
    const dots = STEPS.map((_, index) => el('i', { class: index === this.#at ? 'now' : '' }));
    const isLast = this.#at === STEPS.length - 1;
    by('tour').replaceChildren(
      el('h2', {}, step.title),
      el('p', {}, step.text),
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
  }
}
