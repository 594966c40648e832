// A game of the study: the arrow keys, the clock, and what happens.

import { el } from './elements.js';
import { StudyMap } from './study_map.js';

/** How often time passes, in milliseconds. */
const TICK = 100;

const KEYS = {
  ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0],
};
const WISHES = {
  '1,0': 'east', '1,-1': 'north_east', '0,-1': 'north', '-1,-1': 'north_west', '-1,0': 'west', '-1,1': 'south_west', '0,1': 'south', '1,1': 'south_east',
};

/** What happened, in a few words for the player; nothing for what they see anyway. */
function happened(word, label) {
  const parts = word.split(':');
  const isYou = parts[0] === 'player';
  const what = parts[isYou ? 1 : 0];
  if (what === 'picked_up') return isYou ? 'You have a key.' : `${label} has a key.`;
  if (what === 'lever_pulled') return isYou ? 'You pulled the lever.' : `${label} pulled the lever.`;
  if (what === 'door_opened') return 'A door is open.';
  if (what === 'noticed_by' && isYou) return 'The bear has heard you!';
  return '';
}

/**
 * Plays a game in `place` until it is over. Asks by `ask`; the promise is kept when the next state is to be looked at.
 * `hurried` is how many times faster than people it is played.
 */
export function play(place, { ask, timesShown, hurried, canGiveUp }) {
  return new Promise((resolve, reject) => {
    const game = new Playing(place, { ask, timesShown, hurried, canGiveUp }, resolve, reject);
    game.begin();
  });
}

class Playing {
  #held = new Set();
  /** Pressed since the last tick, so that a short press is not lost. */
  #tapped = new Set();
  #isOver = false;
  #last = 0;
  #busy = false;

  constructor(place, options, resolve, reject) {
    Object.assign(this, options, { place, resolve, reject });
    this.onKey = (event) => this.#key(event);
    this.onBlur = () => this.#held.clear();
  }

  async begin() {
    try {
      const game = await this.ask({ ask: 'start' });
      this.#show(game);
      addEventListener('keydown', this.onKey);
      addEventListener('keyup', this.onKey);
      addEventListener('blur', this.onBlur);
      this.timer = setInterval(() => this.#tick(), TICK / this.hurried);
      const paint = () => {
        if (this.#isOver) return;
        const share = Math.min(1, (performance.now() - this.#last) / (TICK / this.hurried));
        this.map.draw(share);
        requestAnimationFrame(paint);
      };
      requestAnimationFrame(paint);
    } catch (error) {
      this.#end();
      this.reject(error);
    }
  }

  #show(game) {
    this.label = game.label ?? '';
    this.clock = el('b', {}, '0.0 s');
    this.news = el('span', { className: 'quiet' }, game.label ? `${this.label} thinks about what to do.` : 'Walk to the green circle with the arrow keys.');
    const who = [el('span', {}, el('i', { className: 'dot player' }), 'You')];
    if (game.label) who.push(el('span', {}, el('i', { className: 'dot npc' }), this.label));
    const giveUp = el('button', { className: 'plain', hidden: true, onclick: () => this.#giveUp() }, 'I cannot get any further');
    this.giveUp = giveUp;
    const canvas = el('canvas', { id: 'map', tabIndex: 0, ariaLabel: 'The map of the game. Walk with the arrow keys.' });
    this.place.replaceChildren(el('div', { className: 'game' },
      el('div', { className: 'told' }, ...who, this.timesShown ? this.clock : null, this.news, giveUp), canvas));
    this.canvas = canvas;
    this.map?.close();
    this.map = new StudyMap(canvas, game.room);
    this.map.label = this.label;
    this.map.drawn = game.drawn;
    this.map.moment = game.moment;
    // For tests, which play by what can be seen.
    globalThis.study = { map: this.map, room: game.room };
    this.#tell(game.moment);
    this.map.draw();
    canvas.focus();
  }

  #key(event) {
    if (!(event.key in KEYS) || this.#isOver) return;
    event.preventDefault();
    if (event.type === 'keydown') {
      this.#held.add(event.key);
      this.#tapped.add(event.key);
    } else this.#held.delete(event.key);
  }

  #wish() {
    const sum = [0, 0];
    for (const key of new Set([...this.#held, ...this.#tapped])) {
      sum[0] += KEYS[key][0];
      sum[1] += KEYS[key][1];
    }
    this.#tapped.clear();
    return WISHES[sum.map(Math.sign).join()] ?? null;
  }

  async #tick() {
    // One at a time: whoever answers late lets time pass more slowly, not in leaps.
    if (this.#busy || this.#isOver) return;
    this.#busy = true;
    try {
      const moment = await this.ask({ ask: 'tick', wish: this.#wish() });
      if (this.#isOver) return;
      this.map.before = this.map.moment;
      this.map.moment = moment;
      this.#last = performance.now();
      this.#tell(moment);
      if (moment.is_done) this.#arrived();
      else if (moment.is_lost) this.#lost();
    } catch (error) {
      this.#end();
      this.reject(error);
    } finally {
      this.#busy = false;
    }
  }

  #tell(moment) {
    this.clock.textContent = `${moment.seconds.toFixed(1)} s`;
    const words = moment.events.map((word) => happened(word, this.label)).filter(Boolean);
    if (words.length) this.news.textContent = words.join(' ');
    else if (moment.player_is_there && !moment.is_done && this.label) this.news.textContent = `You are there. ${this.label} must get there, too.`;
    else if (moment.doing === 'following' && this.wasThinking) this.news.textContent = `${this.label} sets out.`;
    this.wasThinking = moment.doing === 'thinking';
    // Nobody should be stuck for good.
    this.giveUp.hidden = !this.canGiveUp || moment.seconds < 120;
  }

  #arrived() {
    this.#end();
    this.resolve();
  }

  async #giveUp() {
    this.#end();
    try {
      await this.ask({ ask: 'give_up' });
      this.resolve();
    } catch (error) {
      this.reject(error);
    }
  }

  #lost() {
    this.#end();
    const again = el('button', { className: 'main', onclick: () => {
      over.remove();
      this.#isOver = false;
      this.#held.clear();
      this.begin();
    } }, 'Try again');
    const over = el('div', { className: 'over' }, el('div', { className: 'card', role: 'dialog', ariaLabel: 'The bear caught you' },
      el('h1', {}, 'The bear caught you'),
      el('p', {}, `It hears you inside the dashed circle, and nobody outruns it. It does not mind ${this.label}.`),
      el('div', { className: 'row' }, again)));
    document.body.append(over);
    again.focus();
  }

  #end() {
    this.#isOver = true;
    clearInterval(this.timer);
    removeEventListener('keydown', this.onKey);
    removeEventListener('keyup', this.onKey);
    removeEventListener('blur', this.onBlur);
    this.map?.close();
  }
}
