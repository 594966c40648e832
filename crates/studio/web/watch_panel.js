// The log of a game: what its characters saw, planned and did, and why, on the same timeline as a game that is played
// here. A file that grows is watched.

import { button, el, openDialog, refill, toast } from './elements.js';
import * as words from './words.js';

/** Milliseconds between two looks at a file that may grow. */
const EVERY = 500;
/** Lines of the timeline that are shown. */
const MOST_LINES = 200;

const DOINGS = { following: 'follows its plan', thinking: 'leaves its plan', done: 'has reached the goal', stuck: 'knows no way, and waits for one', dead: 'is dead' };
const KINDS = { thinking: 'replan', stuck: 'danger', dead: 'danger', done: 'replan' };

/** Lets a person choose the log of a game, and opens it. */
export async function chooseLog(app) {
  let paths = [];
  try {
    ({ paths } = await app.connection.ask({ ask: 'decision_logs' }));
  } catch (error) {
    toast(error.message, 'wrong');
    return;
  }
  const item = (path) => el('button', { type: 'button', onclick: () => { box.close(); app.panels.watch.open(path); } }, el('span', {}, path));
  const box = el(
    'dialog',
    { class: 'ask', id: 'choose-log', onclose: () => box.remove() },
    el('h2', {}, 'Open a game’s log'),
    paths.length > 0 ? el('div', { class: 'choices column' }, ...paths.map(item)) : el('p', {}, 'There is none in this folder. A game writes one with DecisionLog, into a file that ends in .jsonl.'),
    el('div', { class: 'row end' }, button(null, 'Cancel', 'Open none', () => box.close())),
  );
  openDialog(box);
}

export class WatchPanel {
  #app;
  #path = null;
  #read = 0;
  #level = '';
  #lines = [];
  #time = 0;
  #follows = true;
  #chosen = null;
  #timer = 0;

  constructor(app) {
    this.#app = app;
  }

  async open(path) {
    clearTimeout(this.#timer);
    [this.#path, this.#read, this.#lines, this.#time, this.#follows, this.#chosen] = [path, 0, [], 0, true, null];
    this.#app.setMode('watch');
    await this.#look();
  }

  show() {
    this.#app.maps.left.tool = 'move';
    document.body.classList.remove('drawing');
    this.#app.hint(null);
    this.state = el('p', { class: 'quiet small', id: 'watch-state', role: 'status' });
    this.slider = el('input', { type: 'range', min: 0, max: 1, step: 'any', value: 0, id: 'watch-time', 'aria-label': 'Moment', oninput: ({ target }) => this.#goTo(Number(target.value), null) });
    this.marks = el('div', { class: 'marks', 'aria-hidden': 'true' });
    this.who = el('div', { class: 'facts', id: 'watch-who' });
    this.list = el('ol', { class: 'log', id: 'watch-log', reversed: true });
    const follow = el('input', { type: 'checkbox', id: 'watch-follow', checked: this.#follows, onchange: ({ target }) => { this.#follows = target.checked; if (target.checked) this.#goToEnd(); } });
    refill(
      document.getElementById('panel'),
      el(
        'section',
        {},
        el('div', { class: 'row apart' }, el('h2', {}, 'A game’s log'), button('close', '', 'Back to playing', () => this.#app.setMode('play'), { class: 'bare', id: 'watch-close' })),
        this.state,
        this.slider,
        this.marks,
        el('div', { class: 'checks' }, el('label', {}, follow, 'Stay with what happens now')),
      ),
      el('section', {}, el('h2', {}, 'Who does what'), this.who),
      el('section', {}, el('h2', {}, 'What happened'), this.list),
    );
    this.#show();
  }

  leave() {
    clearTimeout(this.#timer);
    this.#app.maps.left.setWatched(null);
  }

  connected() {
    this.#look();
  }

  drag() {
    return true;
  }

  drop() {
    return true;
  }

  touched() {
    return true;
  }

  async #look() {
    clearTimeout(this.#timer);
    const path = this.#path;
    if (path === null || this.#app.panel !== this) return;
    try {
      const { level, lines, read } = await this.#app.connection.ask({ ask: 'decisions', path, from: this.#read });
      if (this.#path !== path || this.#app.panel !== this) return;
      // A file that is read from its beginning again was begun anew.
      if (level !== null) [this.#level, this.#lines] = [level, []];
      this.#read = read;
      if (lines.length > 0 || level !== null) {
        this.#lines.push(...lines);
        if (this.#follows) this.#goToEnd();
        this.#show();
      }
    } catch (error) {
      if (this.#app.connection.isOpen) {
        toast(words.sentenceCase(error.message), 'wrong');
        return;
      }
    }
    this.#timer = setTimeout(() => this.#look(), EVERY);
  }

  get #end() {
    return this.#lines.reduce((last, { t }) => Math.max(last, t), 0);
  }

  #goToEnd() {
    this.#time = this.#end;
    this.#chosen = null;
    this.#show();
  }

  #goTo(time, line) {
    this.#time = time;
    this.#chosen = line;
    this.#follows = false;
    const follow = document.getElementById('watch-follow');
    if (follow) follow.checked = false;
    this.#show();
  }

  /** Everybody as they were at the moment that is looked at. */
  #people() {
    const people = new Map();
    for (const line of this.#lines) {
      if (line.t > this.#time + 1e-9) continue;
      const known = people.get(line.who) ?? { who: line.who, at: null, been: [], doing: null, task: null, health: null, ahead: null };
      const at = { at: [line.x, line.y], plan: line.from, doing: line.at }[line.what];
      if (at) {
        known.at = at;
        known.been.push(at);
      }
      if (line.what === 'at') known.health = line.health;
      if (line.what === 'plan') [known.doing, known.ahead] = ['following', line.ahead];
      if (line.what === 'doing') known.doing = line.doing;
      if (line.what === 'task') known.task = line.task ?? line.outcome;
      people.set(line.who, known);
    }
    return [...people.values()];
  }

  #show() {
    if (!this.list?.isConnected) return;
    const people = this.#people();
    const end = Math.max(this.#end, 0.001);
    this.slider.max = end;
    this.slider.value = this.#time;
    this.state.textContent = `${this.#path} · ${this.#level} · ${words.seconds(this.#time)} of ${words.seconds(end)}`;
    const several = new Set(this.#lines.map(({ who }) => who)).size > 1;
    const told = this.#lines.filter(({ what }) => what !== 'at').map((line) => ({ line, ...inWords(line, several) }));
    this.marks.replaceChildren(...told.map(({ line, kind }) => {
      const mark = el('i', { class: kind });
      mark.style.left = `${(100 * line.t) / end}%`;
      return mark;
    }));
    this.list.replaceChildren(...told.slice(-MOST_LINES).reverse().map(({ line, text, kind }) => el('li', { class: kind }, el(
      'button',
      { type: 'button', class: 'bare', title: 'Go to this moment', 'aria-pressed': String(line === this.#chosen), onclick: () => this.#goTo(line.t, line) },
      el('time', {}, words.seconds(line.t)),
      el('span', {}, text),
    ))));
    this.who.replaceChildren(...people.flatMap(({ who, doing, task, health }) => [
      el('dt', {}, words.name(who)),
      el('dd', {}, [doing ? DOINGS[doing] : null, task ? `task: ${words.name(task)}` : null, health === null ? null : `health ${Math.round(health)}`].filter(Boolean).join(' · ')),
    ]));
    const before = this.#chosen ? this.#wayBefore(this.#chosen) : null;
    const after = this.#chosen?.what === 'plan' ? [this.#chosen.from, ...this.#chosen.ahead] : null;
    this.#app.maps.left.setWatched(people.filter(({ at }) => at), before, after);
  }

  /** The way that somebody had before a line. */
  #wayBefore(line) {
    const earlier = this.#lines.slice(0, this.#lines.indexOf(line)).findLast(({ who, what }) => who === line.who && what === 'plan');
    return earlier ? earlier.ahead : null;
  }
}

function inWords(line, several) {
  const who = several ? `${words.name(line.who)} ` : '';
  const why = line.why ? `: ${line.why.text}` : '';
  if (line.what === 'plan') return { text: `${who}${line.plans > 1 ? 'has a new plan' : 'has a plan'}${why}`, kind: 'replan' };
  if (line.what === 'doing') return { text: `${who}${DOINGS[line.doing]}${why}`, kind: KINDS[line.doing] ?? '' };
  if (line.what === 'task') return { text: line.task ? `${who}task: ${line.task}` : `${who}tasks: ${words.name(line.outcome)}`, kind: 'yours' };
  const { text, kind } = words.event(line.event);
  return { text: `${who}${text}`, kind: kind === 'danger' ? 'danger' : '' };
}
