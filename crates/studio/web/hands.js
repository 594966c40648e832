// A person at the keyboard, in a game that is played on the map: time passes by the clock, and the
// pictures in between are filled in.

import { el } from './elements.js';

/** A moment of the world, in milliseconds. */
const MOMENT = 100;

const ARROWS = {
  ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0],
  w: [0, -1], s: [0, 1], a: [-1, 0], d: [1, 0],
};
const NAMES = {
  '0,-1': 'north', '1,-1': 'north-east', '1,0': 'east', '1,1': 'south-east', '0,1': 'south', '-1,1': 'south-west', '-1,0': 'west', '-1,-1': 'north-west',
};

/** Keys that say how somebody goes, and do nothing by themselves. */
const MANNERS = ['Shift', 'e'];

/** What the keys do; where time stands still unless one is pressed, there is one to wait with. */
export function KEYS_HELP(canRun, stands = false) {
  const rows = [
    [['↑', '↓', '←', '→'], 'go; hold two for diagonals'],
    [['Shift'], 'sneak'],
    canRun ? [['E'], 'run'] : null,
    [['F'], 'fight'],
    [['B'], 'block'],
    stands ? [['Space'], 'wait'] : null,
  ].filter(Boolean);
  return el('div', { class: 'keys' }, ...rows.flatMap(([keys, text]) => [el('span', {}, ...keys.flatMap((key) => [el('kbd', {}, key), ' '])), el('span', {}, text)]));
}

/** Runs a game: asks for moment after moment while it is not paused. */
export class Hands {
  #connection;
  #map;
  #options;
  #pressed = new Set();
  #running = false;
  #stopped = false;
  /** Whether time begins to pass with the next key. */
  #waits = false;
  #timer = 0;
  #drawn = 0;
  #asking = null;
  #before;
  #pad = null;
  frame;
  speed = 1;
  /** Whom the person carries about while time passes, and where: thing, x, y. */
  held = null;

  constructor(connection, map, frame, options) {
    this.#connection = connection;
    this.#map = map;
    this.#options = options;
    this.frame = frame;
    this.#before = frame;
    this.down = (event) => this.#key(event, true);
    this.up = (event) => this.#key(event, false);
    this.blur = () => this.release();
    this.asked = () => {
      this.release();
      this.#options.onasked?.();
    };
    addEventListener('keydown', this.down);
    addEventListener('keyup', this.up);
    addEventListener('blur', this.blur);
    addEventListener('asked', this.asked);
    map.setFrame(frame);
  }

  get isRunning() {
    return this.#running;
  }

  start() {
    if (this.#running) return;
    this.#running = true;
    this.#tick();
  }

  /** Lets time pass as soon as a key says what to do in it. */
  startWithKey() {
    this.#waits = true;
    if (this.#acts) this.#begin();
  }

  /** Whether a key is pressed that needs time. */
  get #acts() {
    return [...this.#pressed].some((key) => !this.#options.stands || !MANNERS.includes(key));
  }

  #begin() {
    if (!this.#waits || this.#stopped) return;
    this.#waits = false;
    this.start();
  }

  pause() {
    // What was half drawn is the moment that is told of.
    if (this.#running && !this.#stopped) this.#map.setFrame(this.frame);
    this.#running = false;
    this.#waits = false;
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#drawn);
  }

  /** Lets go of all keys, and of those for fingers too. */
  release() {
    this.#pressed.clear();
    for (const button of this.#pad?.querySelectorAll('[aria-pressed=true]') ?? []) button.setAttribute('aria-pressed', 'false');
  }

  /** Time stands still until the next key. */
  rest() {
    this.pause();
    this.release();
    this.startWithKey();
  }

  /** Stops for good. */
  stop() {
    this.#stopped = true;
    this.pause();
    removeEventListener('keydown', this.down);
    removeEventListener('keyup', this.up);
    removeEventListener('blur', this.blur);
    removeEventListener('asked', this.asked);
  }

  /** Stops, and waits for the answer that is under way. */
  async finish() {
    this.pause();
    await this.#asking?.catch(() => {});
  }

  handles(key) {
    return key in ARROWS || ['Shift', 'e', 'E', 'f', 'F', 'b', 'B'].includes(key) || (key === ' ' && Boolean(this.#options.stands));
  }

  #key(event, isDown) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!this.handles(key)) return;
    // A key that is let go is up, wherever that happens.
    if (isDown && isForOthers(event)) return;
    this.#press(key, isDown);
  }

  #press(key, isDown) {
    if (isDown) this.#pressed.add(key);
    else this.#pressed.delete(key);
    if (isDown && this.#acts) this.#begin();
  }

  /** What the pressed keys ask for. */
  order() {
    let [x, y] = [0, 0];
    for (const key of this.#pressed) {
      const arrow = ARROWS[key];
      if (arrow) [x, y] = [x + arrow[0], y + arrow[1]];
    }
    const direction = NAMES[[Math.sign(x), Math.sign(y)].join(',')];
    const gait = this.#pressed.has('Shift') ? 'sneak' : this.#pressed.has('e') && this.#options.canRun ? 'run' : 'walk';
    const modes = `${this.#pressed.has('f') ? ' fighting' : ''}${this.#pressed.has('b') ? ' blocking' : ''}`;
    return direction ? `${gait} ${direction}${modes}` : `wait${gait === 'walk' ? '' : ` ${gait}`}${modes}`;
  }

  /** Keys for fingers. */
  pad() {
    const key = (name, text, title) => {
      const button = el('button', { type: 'button', title, 'aria-label': title, class: 'bare' }, text);
      // Keys that say how stay down until they are touched again; arrows as long as they are touched.
      const holds = name in ARROWS || name === ' ';
      const press = (isDown) => {
        this.#press(name, isDown);
        button.setAttribute('aria-pressed', String(isDown));
      };
      button.addEventListener('pointerdown', (event) => {
        event.preventDefault();
        press(holds || !this.#pressed.has(name));
      });
      if (holds) for (const end of ['pointerup', 'pointercancel', 'pointerleave']) button.addEventListener(end, () => press(false));
      return button;
    };
    const { canRun, stands } = this.#options;
    this.#pad = el(
      'div',
      { class: 'pad' },
      el('div', { class: 'arrows' }, key('ArrowUp', '↑', 'Up'), key('ArrowLeft', '←', 'Left'), key('ArrowRight', '→', 'Right'), key('ArrowDown', '↓', 'Down')),
      el('div', { class: 'manners' }, key('Shift', 'Sneak', 'Sneak'), canRun ? key('e', 'Run', 'Run') : null, key('f', 'Fight', 'Fight'), key('b', 'Block', 'Block'), stands ? key(' ', 'Wait', 'Wait') : null),
    );
    return this.#pad;
  }

  async #tick() {
    if (!this.#running) return;
    if (this.#options.stands && !this.#acts) {
      this.pause();
      this.#waits = true;
      this.#map.setFrame(this.frame);
      this.#options.onframe?.(this.frame, false);
      return;
    }
    const begun = performance.now();
    try {
      await this.go(1);
    } catch (error) {
      this.pause();
      if (!this.#stopped) this.#options.onwrong?.(error);
      return;
    }
    if (!this.#running) return;
    const length = MOMENT / this.speed;
    this.#animate(begun, length);
    this.#timer = setTimeout(() => this.#tick(), Math.max(0, length - (performance.now() - begun)));
  }

  /** Lets moments pass. */
  async go(moments) {
    const [order, before] = [this.order(), this.frame.number];
    this.#asking = this.#connection.ask({ ask: 'go', moments, order, held: this.held });
    const frame = await this.#asking;
    this.#options.onpassed?.(order, frame.number - before, frame);
    this.take(frame);
    return frame;
  }

  /** Another moment, however it came about. One that was still under way when the game was left is nobody's. */
  take(frame) {
    if (this.#stopped) return;
    const follows = frame.number === this.frame.number + 1;
    this.#before = follows ? this.frame : frame;
    this.frame = frame;
    if (frame.scene) this.#map.setScene(frame.scene);
    if (!this.#running) this.#map.setFrame(frame);
    this.#options.onframe?.(frame);
  }

  #animate(begun, length) {
    cancelAnimationFrame(this.#drawn);
    const draw = () => {
      const part = Math.min(1, (performance.now() - begun) / length);
      this.#map.setFrame(this.#before, this.frame, part);
      if (part < 1 && this.#running) this.#drawn = requestAnimationFrame(draw);
    };
    draw();
  }
}

/** Whether a key is a shortcut, or goes to somebody who writes or is asked something. */
function isForOthers({ ctrlKey, metaKey, altKey, key, target }) {
  return ctrlKey || metaKey || altKey || Boolean(target.closest?.('input:not([type=range]), textarea')) || document.querySelector('dialog[open]') !== null || (target.matches?.('button, select') && key === ' ');
}
