// Why a step is as it is: what it follows, who found it, and what is expected then.

import { by, button, el } from './elements.js';
import * as words from './words.js';

/** Where the card may lie; where several hide as little, the first. */
const CORNERS = ['bottom right', 'top right', 'top left', 'bottom left'];

export class WhyCard {
  #app;

  constructor(app) {
    this.#app = app;
  }

  move(by_) {
    const steps = this.#app.plans.left.plan?.plan.steps ?? [];
    const next = Math.min(Math.max(0, this.#app.step + by_), steps.length - 1);
    this.#app.explain(next);
  }

  show() {
    const card = by('why');
    const answer = this.#app.plans.left.plan;
    const index = this.#app.step;
    const isMap = ['plan', 'teach'].includes(this.#app.work.view.mode);
    const step = answer?.plan.steps[index];
    card.hidden = index === null || !step || !isMap;
    if (card.hidden) {
      delete card.dataset.corner;
      return;
    }
    const events = step.events.map((word) => words.event(word).text);
    card.replaceChildren(
      el(
        'div',
        { class: 'row apart' },
        el('h2', {}, index === 0 ? 'The start' : `Step ${index} of ${answer.plan.steps.length - 1}`),
        el(
          'span',
          { class: 'row buttons' },
          button('previous', '', 'The step before (P)', () => this.move(-1), { class: 'bare' }),
          button('next', '', 'The next step (N)', () => this.move(1), { class: 'bare' }),
          button('close', '', 'Close (Esc)', () => this.#app.explain(null), { class: 'bare' }),
        ),
      ),
      el('p', { id: 'why-text' }, this.#reason(answer, index)),
      this.#facts(answer, index, step, events),
    );
    this.#settle(card);
  }

  /** Lies in the corner where it hides least of the way and of things. */
  #settle(card) {
    const places = this.#app.maps.left.places;
    const hides = (corner) => {
      card.dataset.corner = corner;
      const { left, right, top, bottom } = card.getBoundingClientRect();
      return places.filter(([x, y]) => x > left - 16 && x < right + 16 && y > top - 16 && y < bottom + 16).length;
    };
    // Whoever goes from step to step has the pointer on its buttons: it stays as long as it hides nothing.
    const now = card.dataset.corner;
    if (now && hides(now) === 0) return;
    const counts = CORNERS.map((corner) => [corner, hides(corner)]);
    const [best] = counts.reduce((least, one) => (one[1] < least[1] ? one : least));
    card.dataset.corner = best;
  }

  #reason(answer, index) {
    const here = answer.stretches.filter(({ first, last }) => first <= Math.max(1, index) && index <= last);
    const text = here.map((stretch) => stretch.text).join('. ');
    if (!text) return 'Nothing was shown here, so the plan is its own.';
    return `${text[0].toUpperCase()}${text.slice(1)}.`;
  }

  #facts(answer, index, step, events) {
    const by_ = answer.expanded_by?.[index];
    const finder = by_ === null || by_ === undefined ? null : words.adviser(answer.heuristics[by_] ?? '');
    const rows = [
      ['does', index === 0 ? 'begins' : words.order(step.action)],
      ['at', `${step.x}, ${step.y}, after ${words.seconds(step.t)}`],
      events.length > 0 ? ['then', events.join('; ')] : null,
      ['health', String(Math.round(step.health))],
      step.holding.length > 0 ? ['holds', words.names(step.holding)] : null,
      finder ? ['found by', finder] : null,
    ].filter(Boolean);
    return el('dl', { class: 'facts' }, ...rows.flatMap(([term, text]) => [el('dt', {}, term), el('dd', {}, text)]));
  }
}
