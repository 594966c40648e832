// Draws a level of the study: the map, who is where, and a line somebody draws on it.

import { keyColor } from './symbols.js';

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** A level on a canvas, as large as there is room for. */
export class StudyMap {
  #canvas;
  #context;
  #room;
  #watch;
  #walls = null;
  /** What changes: set it and call `draw`. */
  moment = null;
  before = null;
  drawn = [];
  label = '';

  constructor(canvas, room) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d');
    this.#room = room;
    this.#watch = new ResizeObserver(() => this.#fit());
    this.#watch.observe(canvas);
    this.#fit();
  }

  close() {
    this.#watch.disconnect();
  }

  get #size() {
    const { rows } = this.#room;
    return [rows[0].length, rows.length];
  }

  #fit() {
    const ratio = devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.#canvas;
    this.#canvas.width = Math.max(1, Math.round(clientWidth * ratio));
    this.#canvas.height = Math.max(1, Math.round(clientHeight * ratio));
    const [columns, rows] = this.#size;
    // A cell of wall around everything.
    this.scale = Math.min(this.#canvas.width / (columns + 1), this.#canvas.height / (rows + 1));
    this.left = (this.#canvas.width - this.scale * columns) / 2;
    this.top = (this.#canvas.height - this.scale * rows) / 2;
    this.#walls = null;
    this.draw();
  }

  /** Where on the map something on the screen is. */
  toMap(x, y) {
    const ratio = devicePixelRatio || 1;
    const box = this.#canvas.getBoundingClientRect();
    return [((x - box.left) * ratio - this.left) / this.scale - 0.5, ((y - box.top) * ratio - this.top) / this.scale - 0.5];
  }

  /** Where on the screen a place of the map is. */
  toScreen(x, y) {
    const ratio = devicePixelRatio || 1;
    const box = this.#canvas.getBoundingClientRect();
    return [(this.left + (x + 0.5) * this.scale) / ratio + box.left, (this.top + (y + 0.5) * this.scale) / ratio + box.top];
  }

  /** Draws. `share` is how much of the way from the moment before has been gone. */
  draw(share = 1) {
    const context = this.#context;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.#ground(), 0, 0);
    context.setTransform(this.scale, 0, 0, this.scale, this.left + this.scale / 2, this.top + this.scale / 2);
    context.lineCap = 'round';
    context.lineJoin = 'round';
    for (const thing of this.#room.things) this.#thing(thing);
    this.#line();
    const { moment, before } = this;
    if (!moment) {
      const start = this.#room.things.find(({ kind }) => kind === 'start');
      if (start) this.#person(start.at[0], color('npc'), '');
      return;
    }
    const between = (now, was) => (was ? [was.x + (now.x - was.x) * share, was.y + (now.y - was.y) * share] : [now.x, now.y]);
    moment.enemies.forEach((enemy, number) => this.#bear(between(enemy, before?.enemies[number]), enemy.mode));
    if (moment.npc) this.#person(between(moment.npc, before?.npc), color('npc'), this.label);
    this.#person(between(moment.player, before?.player), color('player'), 'You');
  }

  /** Walls and floor, which are painted once. */
  #ground() {
    if (this.#walls) return this.#walls;
    const image = document.createElement('canvas');
    image.width = this.#canvas.width;
    image.height = this.#canvas.height;
    const context = image.getContext('2d');
    context.fillStyle = color('paper');
    context.fillRect(0, 0, image.width, image.height);
    const { scale, left, top } = this;
    const [columns, rows] = this.#size;
    context.fillStyle = color('wall');
    context.fillRect(left - scale / 2, top - scale / 2, scale * (columns + 1), scale * (rows + 1));
    context.fillStyle = color('floor');
    this.#room.rows.forEach((row, y) => {
      for (let x = 0; x < row.length; x += 1) {
        // A hair wider, so that no wall shines through between two cells.
        if (row[x] !== '#') context.fillRect(left + x * scale, top + y * scale, scale + 0.6, scale + 0.6);
      }
    });
    this.#walls = image;
    return image;
  }

  #thing(thing) {
    const context = this.#context;
    const { moment } = this;
    const [x, y] = thing.at[0];
    const text = (word, size, style) => {
      context.fillStyle = style;
      context.font = `600 ${size}px system-ui, sans-serif`;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.fillText(word, x, y);
    };
    switch (thing.kind) {
      case 'goal':
        context.fillStyle = color('goal');
        context.globalAlpha = 0.22;
        this.#disc(x, y, this.#room.near_goal + 0.5);
        context.globalAlpha = 1;
        context.strokeStyle = color('goal');
        context.lineWidth = 0.12;
        context.setLineDash([]);
        context.stroke();
        text('Goal', 0.8, color('goal'));
        break;
      case 'door': {
        const isOpen = moment ? moment.open.includes(thing.id) : thing.open;
        context.globalAlpha = isOpen ? 0.25 : 1;
        context.fillStyle = thing.color === null ? color('wall') : keyColor(thing.color);
        for (const [column, row] of thing.at) {
          context.fillRect(column - 0.5, row - 0.5, 1, 1);
          if (!isOpen) {
            context.fillStyle = '#20211f';
            this.#disc(column, row, 0.16);
            context.fillStyle = thing.color === null ? color('wall') : keyColor(thing.color);
          }
        }
        context.globalAlpha = 1;
        break;
      }
      case 'key':
        if (moment && !moment.lying.includes(thing.id)) break;
        for (const [width, style] of [[0.5, '#20211f'], [0.26, keyColor(thing.color ?? 0)]]) {
          context.strokeStyle = style;
          context.lineWidth = width;
          context.setLineDash([]);
          context.beginPath();
          context.arc(x - 0.45, y, 0.42, 0, 7);
          context.moveTo(x - 0.03, y);
          context.lineTo(x + 0.95, y);
          context.lineTo(x + 0.95, y + 0.4);
          context.moveTo(x + 0.55, y);
          context.lineTo(x + 0.55, y + 0.3);
          context.stroke();
        }
        break;
      case 'lever': {
        const isPulled = moment?.pulled.includes(thing.id);
        context.strokeStyle = color('ink');
        context.lineWidth = 0.22;
        context.setLineDash([]);
        context.beginPath();
        context.moveTo(x, y + 0.35);
        context.lineTo(x + (isPulled ? -0.4 : 0.4), y - 0.4);
        context.stroke();
        context.fillStyle = color('npc');
        this.#disc(x + (isPulled ? -0.42 : 0.42), y - 0.45, 0.24);
        context.fillStyle = color('quiet');
        context.fillRect(x - 0.55, y + 0.25, 1.1, 0.35);
        break;
      }
      case 'beast':
        context.strokeStyle = color('bear');
        context.lineWidth = 0.1;
        context.setLineDash([0.5, 0.5]);
        context.globalAlpha = 0.7;
        context.beginPath();
        context.arc(x, y, thing.radius, 0, 7);
        context.stroke();
        context.setLineDash([]);
        context.globalAlpha = 1;
        if (!moment) this.#bear([x, y], 'idle');
        break;
      default:
    }
  }

  #disc(x, y, radius) {
    this.#context.beginPath();
    this.#context.arc(x, y, radius, 0, 7);
    this.#context.fill();
  }

  #line() {
    if (this.drawn.length < 2) return;
    const context = this.#context;
    context.strokeStyle = color('line-drawn');
    context.lineWidth = 0.3;
    context.globalAlpha = this.moment ? 0.35 : 0.9;
    context.setLineDash([]);
    context.beginPath();
    this.drawn.forEach(([x, y], number) => (number ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.stroke();
    context.globalAlpha = 1;
  }

  #person([x, y], style, name) {
    const context = this.#context;
    context.fillStyle = style;
    context.strokeStyle = color('card');
    context.lineWidth = 0.16;
    context.setLineDash([]);
    this.#disc(x, y, 0.62);
    context.stroke();
    if (!name) return;
    context.font = '600 0.95px system-ui, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    context.lineWidth = 0.3;
    context.strokeStyle = color('floor');
    context.strokeText(name, x, y - 0.85);
    context.fillStyle = color('ink');
    context.fillText(name, x, y - 0.85);
  }

  #bear([x, y], mode) {
    const context = this.#context;
    context.fillStyle = color('bear');
    this.#disc(x - 0.5, y - 0.5, 0.28);
    this.#disc(x + 0.5, y - 0.5, 0.28);
    this.#disc(x, y, 0.75);
    context.fillStyle = '#20211f';
    this.#disc(x - 0.25, y - 0.12, 0.1);
    this.#disc(x + 0.25, y - 0.12, 0.1);
    this.#disc(x, y + 0.22, mode === 'idle' ? 0.12 : 0.26);
  }
}
