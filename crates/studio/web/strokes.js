// A stroke of walls or floor that is being painted, cell by cell.

/** Tools that paint walls and floor. */
export const PAINTING = ['brush', 'erase', 'rectangle', 'fill'];

export class Stroke {
  kind = 'paint';
  #rows;
  #tool;
  #from;
  #to;
  #cells = new Map();
  #drawn = [];

  /** Begun in a cell of these rows. */
  constructor(rows, tool, cell) {
    this.#rows = rows;
    this.#tool = tool;
    const under = rows[cell[1]]?.[cell[0]];
    // What begins beside the map paints nothing; who goes on may come upon it.
    const opposite = under === '#' ? 'floor' : 'wall';
    this.with = { brush: 'wall', erase: 'floor' }[tool] ?? opposite;
    [this.#from, this.#to] = [cell, cell];
    this.#add(cell);
  }

  /** The hand is in another cell. */
  go(cell) {
    if (cell[0] === this.#to[0] && cell[1] === this.#to[1]) return;
    if (this.#tool === 'fill') this.#from = cell;
    this.#add(cell);
    this.#to = cell;
  }

  /** How it is drawn. */
  get d() {
    if (this.#tool === 'rectangle') return square(...this.#corners);
    return this.#tool === 'fill' ? square(this.#to, this.#to) : this.#drawn.join('');
  }

  /** What is to be painted; null if that is nothing. */
  get painted() {
    const [first, last] = this.#corners;
    const tool = this.#tool;
    const isAnywhere = tool === 'fill' ? this.#isOnGrid(this.#from) : tool === 'rectangle' || this.#cells.size > 0;
    return isAnywhere ? { tool, with: this.with, cells: [...this.#cells.values()], from: tool === 'fill' ? this.#from : first, to: last } : null;
  }

  #isOnGrid([x, y]) {
    return this.#rows[y]?.[x] !== undefined;
  }

  /** All cells from where the hand was to where it is. */
  #add(to) {
    const [x, y] = this.#to;
    const far = Math.max(Math.abs(to[0] - x), Math.abs(to[1] - y), 1);
    for (let step = 0; step <= far; step += 1) {
      const cell = [Math.round(x + ((to[0] - x) * step) / far), Math.round(y + ((to[1] - y) * step) / far)];
      const name = cell.join();
      if (this.#cells.has(name) || !this.#isOnGrid(cell)) continue;
      this.#cells.set(name, cell);
      this.#drawn.push(square(cell, cell));
    }
  }

  /** The corners of a rectangle, as far as it is on the map. */
  get #corners() {
    const inside = ([x, y]) => [clamp(x, 0, this.#rows[0].length - 1), clamp(y, 0, this.#rows.length - 1)];
    const [a, b] = [inside(this.#from), inside(this.#to)];
    return [[Math.min(a[0], b[0]), Math.min(a[1], b[1])], [Math.max(a[0], b[0]), Math.max(a[1], b[1])]];
  }
}

/** All cells between two of them, as a path. */
function square([left, top], [right, bottom]) {
  const [width, height] = [right - left + 1, bottom - top + 1];
  return `M${left - 0.5} ${top - 0.5}h${width}v${height}h${-width}z`;
}

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
