// The panel of the plan, in the order in which people ask: does it work, how much is it like what was shown, what
// does it cost, and what happens. How it was found is for experts.

import { button, el, refill, svg } from './elements.js';
import { ADVISERS } from './shades.js';
import * as words from './words.js';

/** The seconds a point of health can be worth. */
const HARM = [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

export class PlanPanel {
  #app;
  #explored = 100;
  #heatRange = null;
  /** The story that is told, to tell it anew only if it is another. */
  #story = null;

  constructor(app) {
    this.#app = app;
    this.element = el('div', { class: 'panel-parts' });
  }

  show() {
    const { work } = this.#app;
    this.#app.maps.left.tool = 'move';
    document.body.classList.remove('drawing');
    this.#app.hint(null);
    const panel = document.getElementById('panel');
    this.result = el('section', { class: 'result steady', 'aria-live': 'polite' });
    this.chapters = el('section');
    this.ignored = el('section', { class: 'small quiet', id: 'ignored' });
    this.legend = el('section', { class: 'legend' });
    this.heat = el('div', { class: `legend heat ${work.view.estimate ? 'reserved' : ''}` });
    // Whatever a plan makes longer or shorter is between controls that keep their places: it scrolls by itself.
    this.told = el('div', { class: 'told', id: 'told' }, this.chapters, this.ignored, this.legend);
    this.#story = null;
    const { scrollTop } = panel;
    refill(panel, this.result, this.#slider(), this.#caution(), this.told, this.#layers(), legend(), this.#experts());
    for (const side of ['left', 'right']) this.#caption(side);
    const { plan } = this.#app.plans.left;
    if (plan) this.planned('left', plan);
    // It may have been made while another panel was open.
    if (plan?.done) this.#app.quickest.want();
    if (work.view.compare && this.#app.plans.right.plan) this.planned('right', this.#app.plans.right.plan);
    this.#showHeat();
    // What is told makes the panel longer: only now can it be where it was.
    panel.scrollTop = scrollTop;
  }

  leave() {
    for (const map of Object.values(this.#app.maps)) {
      map.setHeat(null);
      map.setExplored(null);
    }
    for (const side of ['left', 'right']) document.querySelector(`#${side} .caption`)?.remove();
  }

  planned(side, answer) {
    this.#captionText(side, answer);
    this.#showExplored();
    if (side !== 'left') return;
    this.#showResult(answer);
    this.#showStory(answer);
    this.chapters.classList.remove('outdated');
    this.boundText.textContent = boundText(answer);
    this.boundText.dataset.value = answer.implied_bound;
    this.effort.textContent = words.sentence(words.effort(answer.plan));
    if (this.#app.work.view.estimate && answer.done) this.#showHeat();
  }

  refused(side, message) {
    if (side !== 'left') return;
    this.result.replaceChildren(verdict('wrong', "Can't go here"), why(words.sentence(message)));
    this.chapters.classList.add('outdated');
  }

  #showResult({ plan, ignored }) {
    const { lines } = this.#app.work;
    if (plan.status !== 'found') {
      const text = plan.status === 'impossible'
        ? 'Every way was tried: the goal cannot be reached like this.'
        : 'No plan yet: the search has used up what it may take.';
      this.result.replaceChildren(verdict('wrong', 'No plan'), why(text));
      this.ignored.replaceChildren();
      return;
    }
    const isShown = lines.some((line) => !line.hidden);
    this.price = el('p', { class: 'price', id: 'price' });
    this.result.replaceChildren(
      el('div', { class: 'row apart' }, verdict('good', 'It works'), el('span', { class: 'cost', id: 'cost', title: 'How long it takes to the goal' }, words.seconds(words.duration(plan)))),
      isShown
        ? el(
          'div',
          { class: 'meter', title: 'How much of what you showed lies within two steps of the plan' },
          el('span', {}, 'Like what you showed'),
          el('span', { id: 'followed', dataset: { value: plan.followed } }, words.percent(plan.followed)),
          el('span', { class: 'bar' }, bar(plan.followed)),
        )
        : el('p', { class: 'meter quiet' }, 'Nothing was shown yet.'),
      this.price,
      el('p', { class: 'quiet small', id: 'bound', title: plan.guarantee }, words.sentenceCase(words.bound(plan.bound))),
    );
    this.#showPrice();
    this.ignored.replaceChildren(...ignored.map(({ text }) => el('p', { class: 'ignored' }, words.sentence(text))));
  }

  /** The quickest way is known now, or not any more. */
  compared() {
    if (this.price?.isConnected) this.#showPrice();
  }

  #showPrice() {
    const { plans, quickest } = this.#app;
    const plan = plans.left.plan?.plan;
    if (plan?.status !== 'found') return;
    const known = quickest.plan;
    this.price.textContent = words.sentenceCase(words.price(plan, known));
    this.price.title = known
      ? `Beside the quickest way that is known, which takes ${words.seconds(words.duration(known))} and leaves ${Math.round(known.steps.at(-1).health)} health`
      : 'The quickest way is being looked for';
  }

  #showStory({ plan, no_way: obstacle }) {
    const chapters = words.story(plan).filter((chapter) => chapter.main);
    // A button that is being pressed would be gone before it is let go.
    const story = JSON.stringify([chapters, obstacle, plan.status, plan.cost, plan.steps.length, this.#app.work.view.compare]);
    if (story === this.#story) return;
    this.#story = story;
    if (obstacle) {
      refill(this.chapters, el('h2', {}, 'What is in the way'), el('p', { id: 'obstacle' }, obstacle));
      return;
    }
    const items = chapters.map((chapter, number) => el(
      'li',
      {},
      el(
        'button',
        { type: 'button', class: chapter.kind, title: 'Why? Look at this step', onclick: () => this.#app.explain(chapter.index) },
        el('span', { class: 'no' }, String(number + 1)),
        el('span', { class: 'what' }, chapter.text),
        el('span', { class: 'when' }, words.seconds(chapter.t)),
      ),
    ));
    if (plan.status === 'found') {
      items.push(el('li', {}, el(
        'button',
        { type: 'button', onclick: () => this.#app.explain(plan.steps.length - 1) },
        el('span', { class: 'no' }, '⚑'),
        el('span', { class: 'what' }, 'reaches the goal'),
        el('span', { class: 'when' }, words.seconds(words.duration(plan))),
      )));
    }
    refill(this.chapters, el('h2', {}, this.#app.work.view.compare ? 'What happens on the left' : 'What happens'), el('ol', { class: 'story', id: 'story' }, ...items));
  }

  #slider() {
    const settings = this.#app.work.settings.left;
    const input = el('input', {
      type: 'range', min: 0, max: 100, step: 1, value: Math.round(100 * (settings.faithful ?? 0.5)), id: 'faithful',
      'aria-label': 'From efficient to faithful', title: 'How closely plans keep to what you showed; saved with the level',
    });
    this.boundText = el('p', { class: 'quiet small', id: 'implied' });
    input.addEventListener('input', () => {
      this.#app.work.setSettings('left', { faithful: Number(input.value) / 100 });
    });
    return el(
      'section',
      {},
      el('div', { class: 'ends' }, el('b', {}, 'Efficient'), el('b', {}, 'Faithful')),
      input,
      this.boundText,
    );
  }

  /** What health is worth: it is a part of the level, so it is undone and saved with it. */
  #caution() {
    const app = this.#app;
    const harm = app.work.scene?.harm ?? 0;
    const input = el('input', {
      type: 'range', min: 0, max: HARM.length - 1, step: 1, value: nearest(HARM, harm), id: 'caution',
      'aria-label': 'From reckless to cautious', title: 'How many seconds a point of health is worth in plans; saved with the level',
    });
    const told = el('p', { class: 'quiet small', id: 'harm' }, words.worth(harm));
    const edits = () => [{ edit: 'price', harm: HARM[input.value] }];
    input.addEventListener('input', () => {
      told.textContent = words.worth(HARM[input.value]);
      app.livePlans(edits());
    });
    input.addEventListener('change', () => app.edit(edits()));
    return el('section', {}, el('div', { class: 'ends' }, el('b', {}, 'Reckless'), el('b', {}, 'Cautious')), input, told);
  }

  #layers() {
    const { work } = this.#app;
    const change = (values) => {
      work.set('view', values);
      // What explains the colours must be seen with them.
      if (!values.search) return;
      this.count.scrollIntoView({ block: 'nearest' });
      this.told.scrollTop = this.legend.offsetTop - this.told.offsetTop;
    };
    const check = (key, text, title) => el(
      'label',
      { title },
      el('input', { type: 'checkbox', checked: work.view[key], id: `show-${key}`, onchange: (event) => change({ [key]: event.target.checked }) }),
      text,
    );
    const estimates = work.scene?.estimates ?? [];
    const select = el(
      'select',
      { id: 'estimate', 'aria-label': 'Estimate', onchange: (event) => work.set('view', { estimate: event.target.value }) },
      el('option', { value: '' }, 'not shown'),
      ...estimates.map(({ id, about }) => el('option', { value: id }, about)),
    );
    select.value = estimates.some(({ id }) => id === work.view.estimate) ? work.view.estimate : '';
    return el(
      'section',
      {},
      el('h2', {}, 'Show'),
      el(
        'div',
        { class: 'checks' },
        check('lines', 'What you showed', 'The lines that were drawn or recorded'),
        check('radii', 'Where enemies notice', 'Outer circle: walking; inner circle: sneaking'),
        check('search', 'Where the search looked', 'Every place that was looked at, in order'),
        this.#scrubber(),
        el('label', { class: 'above', title: 'How long the way to the goal is estimated to be, from everywhere' }, 'Estimated time to the goal', select),
        this.heat,
      ),
    );
  }

  #showExplored() {
    const { work, plans, maps } = this.#app;
    this.legend.replaceChildren();
    this.count.textContent = '';
    for (const side of ['left', 'right']) {
      const explored = work.view.search ? plans[side].plan?.explored : null;
      if (!explored) {
        maps[side].setExplored(null);
        continue;
      }
      maps[side].setExplored(explored, Math.ceil((explored.places.length * this.#explored) / 100));
      if (side === 'left') this.#exploredLegend(explored, plans.left.plan);
    }
    this.#heatLegend();
  }

  /** Goes through the search, from its first look to its last. */
  #scrubber() {
    const scrub = el('input', {
      type: 'range', min: 0, max: 100, value: this.#explored, id: 'scrub', 'aria-label': 'How far the search has come', title: 'Replay where the search looked',
      oninput: (event) => {
        this.#explored = Number(event.target.value);
        this.#showExplored();
      },
    });
    this.count = el('span', { class: 'quiet small' });
    return el('div', { class: 'scrubber', hidden: !this.#app.work.view.search }, scrub, this.count);
  }

  #exploredLegend(explored, answer) {
    const shown = Math.ceil((explored.places.length * this.#explored) / 100);
    this.count.textContent = `${words.grouped(shown)} of ${words.grouped(explored.all)} looked at`;
    const counts = answer.plan.expanded_by;
    const names = answer.heuristics.map((name, number) => el(
      'span',
      { title: words.adviserHelp(name) },
      square(ADVISERS[number % ADVISERS.length]),
      `${words.adviser(name)}: ${words.grouped(counts[name] ?? 0)}`,
    ));
    this.legend.append(el('h2', {}, 'Who looked where'), ...names);
  }

  async #showHeat() {
    const { work, connection, maps } = this.#app;
    const { view: { estimate }, scene } = work;
    const known = scene?.estimates.some(({ id }) => id === estimate);
    if (!estimate || !known) {
      for (const map of Object.values(maps)) map.setHeat(null);
      this.#heatRange = null;
      this.#showExplored();
      return;
    }
    try {
      const { values } = await connection.ask({ ask: 'heat', ...work.level, estimate, demonstrations: work.shown, settings: work.settings.left });
      if (work.scene !== scene || work.view.estimate !== estimate || work.view.mode !== 'plan') return;
      const isNew = this.#heatRange === null;
      for (const map of Object.values(maps)) if (map.scene) this.#heatRange = map.setHeat(values) ?? this.#heatRange;
      this.#showExplored();
      if (isNew) this.heat.scrollIntoView({ block: 'nearest' });
    } catch {
      this.#heatRange = null;
      this.#showExplored();
    }
  }

  #heatLegend() {
    this.heat.replaceChildren();
    if (!this.#heatRange) return;
    const [low, high] = this.#heatRange;
    this.heat.append(
      el('div', { class: 'scale' }),
      el('div', { class: 'ends small quiet' }, el('span', {}, words.seconds(low)), el('span', {}, words.seconds(high))),
    );
  }

  #experts() {
    const { work } = this.#app;
    const settings = work.settings.left;
    const number = (key, label, title) => el(
      'label',
      { class: 'field', title },
      label,
      el('input', {
        type: 'number', min: 1, step: 0.1, value: settings[key] ?? '', placeholder: 'auto', id: `setting-${key}`,
        onchange: (event) => work.setSettings('left', { [key]: event.target.value === '' ? null : Math.max(1, Number(event.target.value)) }),
      }),
    );
    this.effort = el('p', { class: 'quiet small', id: 'effort', title: words.EFFORT });
    return el(
      'details',
      { id: 'experts', open: work.view.experts ?? false, ontoggle: (event) => { work.view.experts = event.target.open; } },
      // It is the last on the panel, and would open where nobody sees it.
      el('summary', { onclick: ({ target }) => requestAnimationFrame(() => target.parentNode.scrollIntoView({ block: 'nearest' })) }, 'For experts'),
      el('label', { class: 'field' }, 'Planner', this.#plannerSelect('left')),
      number('w', 'Weight', 'How many times estimates count'),
      number('epsilon', 'Pull of what you showed', 'How many times whatever was not shown counts'),
      number('w1', 'Weight of estimates', 'How many times estimates count, in MHA*'),
      number('w2', 'Trust in advisers', 'How far advisers may exceed the anchor, in MHA*'),
      this.effort,
      button('compare', work.view.compare ? 'One plan only' : 'Compare two planners', 'Two plans for the same level, side by side', () => work.set('view', { compare: !work.view.compare }), { id: 'compare', 'aria-pressed': String(work.view.compare) }),
    );
  }

  #plannerSelect(side) {
    const { work, files } = this.#app;
    const select = el(
      'select',
      { id: `planner-${side}`, 'aria-label': 'Planner', onchange: (event) => work.setSettings(side, { planner: event.target.value }) },
      ...files.planners.map(({ name, about }) => el('option', { value: name, title: about }, words.PLANNERS[name] ?? name)),
    );
    select.value = work.settings[side].planner || files.planner;
    return select;
  }

  #caption(side) {
    document.querySelector(`#${side} .caption`)?.remove();
    if (!this.#app.work.view.compare) return;
    const figures = el('span', { class: 'figures' });
    document.getElementById(side).append(el('div', { class: 'caption' }, this.#plannerSelect(side), figures));
  }

  #captionText(side, { plan }) {
    const figures = document.querySelector(`#${side} .caption .figures`);
    if (!figures) return;
    const found = plan.status === 'found' ? `${words.seconds(words.duration(plan))}, ${words.bound(plan.bound)}` : 'no plan';
    const followed = this.#app.work.lines.some((line) => !line.hidden) && plan.status === 'found' ? `${words.percent(plan.followed)} like what you showed; ` : '';
    figures.textContent = `${followed}${found}`;
    figures.title = words.sentence(words.effort(plan));
  }
}

/** The place of the number that is nearest to one. */
function nearest(numbers, one) {
  return numbers.reduce((best, number, place) => (Math.abs(number - one) < Math.abs(numbers[best] - one) ? place : best), 0);
}

function boundText({ implied_bound: bound }) {
  if (bound <= 1) return 'The best plan there is, whatever you showed.';
  return `Follows you up to ${words.times(bound)} the time of the best plan.`;
}

/** Whether it works, at a glance. */
const verdict = (kind, text) => el('span', { class: `verdict ${kind}` }, el('i', { 'aria-hidden': 'true' }, kind === 'good' ? '✓' : '✕'), text);

/** What is drawn how on the map. */
const DRAWN = [
  ['M2 8H34', 'way', 'walks'],
  ['M2 8H34', 'way sneak', 'sneaks'],
  ['M2 8H34', 'way run', 'runs'],
  ['M2 8H34', 'line', 'what you showed'],
  ['M2 8H34', 'followed', 'where the plan follows it'],
];
const AROUND = [
  ['notice', 7, 3.5, 'where an enemy notices walkers, and sneakers inside'],
  ['leash', 7, null, 'how far it follows anybody'],
  ['near-enough', 6, null, 'near enough to the goal'],
];

function legend() {
  const picture = (...children) => svg('svg', { viewBox: '0 0 36 16', class: 'map sample', 'aria-hidden': 'true' }, ...children);
  const ways = DRAWN.map(([d, kind, text]) => el('li', {}, picture(svg('g', { class: kind === 'line' ? 'shown' : '' }, svg('path', { d, class: kind }))), text));
  const circles = AROUND.map(([kind, r, inner, text]) => el('li', {}, picture(
    svg('circle', { cx: 18, cy: 8, r, class: kind }),
    ...(inner ? [svg('circle', { cx: 18, cy: 8, r: inner, class: `${kind} sneaking` })] : []),
  ), text));
  const number = el('li', {}, el('span', { class: 'no' }, '1'), 'something happens here: click it for why');
  return el('details', { id: 'legend' }, el('summary', {}, 'What the lines mean'), el('ul', { class: 'samples' }, ...ways, ...circles, number));
}

/** A reason as long as there is room for; pointing at it, or hearing it, tells all of it. */
const why = (text) => el('p', { class: 'reason', title: text }, text);

function bar(part) {
  const element = el('i');
  element.style.width = `${Math.round(part * 100)}%`;
  return element;
}

function square(color) {
  const element = el('i');
  element.style.background = `rgb(${color.join(' ')})`;
  return element;
}
