// Floors above each other: how high one can stand somewhere.

/** Heights farther apart than this, in metres, are of different floors. The studio counts them the same way. */
const STOREY = 1.5;

/** Closer than this, in metres, is the same: heights come in hundredths. */
const SAME = 0.02;

export class Floors {
  #places;
  #heights;
  #near;

  /** Of a level in which not everything is at the same height. */
  constructor({ places, heights, spacing }) {
    this.#places = places;
    this.#heights = heights;
    // Around every spot of a floor there is a foothold at most this far away.
    this.#near = spacing * 0.75;
  }

  /** How high the floors are that lie above each other at a spot, from below. */
  at(spot) {
    const here = this.#around(spot).map(({ height }) => height).sort((a, b) => a - b);
    return here.filter((height, index) => index === 0 || height - here[index - 1] > STOREY);
  }

  /** The footholds around a spot: how high, and how far away. On ramps they are of one floor, and yet not of one height. */
  #around([x, y]) {
    const far = (index) => Math.hypot(this.#places[index][0] - x, this.#places[index][1] - y);
    const all = this.#heights.map((height, index) => ({ height, far: far(index) }));
    return all.filter((foothold) => foothold.far <= this.#near);
  }

  /** The height of the foothold at a spot that is nearest to a height; the height itself where there is none. */
  nearest(spot, height) {
    return least(this.#around(spot), (foothold) => Math.hypot(foothold.far, foothold.height - height))?.height ?? height;
  }

  /** How high the floor is that is seen at a spot, looking from above; undefined where there is none. */
  seen(spot) {
    const around = this.#around(spot);
    const here = Math.min(...around.map(({ far }) => far));
    return least(around.filter(({ far }) => far < here + SAME), ({ height }) => -height)?.height;
  }

  /** Whether something so high at a spot is hidden beneath another floor. */
  isBeneath(spot, height) {
    const seen = this.seen(spot);
    return seen !== undefined && seen - this.nearest(spot, height) > SAME;
  }

  /**
   * Where something lands that is moved: on the floor one sees. Only what was beneath one, or was put there, stays
   * beneath until it comes out.
   */
  landing({ from, height }, to) {
    if (this.isBeneath(from, height)) return this.nearest(to, height);
    return this.seen(to) ?? height;
  }

  /** How high each of some cells is that belong together, the first of them on this height. */
  along(cells, height) {
    let last = height;
    return cells.map((cell) => {
      last = this.nearest(cell, last);
      return last;
    });
  }
}

function least(list, value) {
  return list.reduce((best, one) => (best === null || value(one) < value(best) ? one : best), null);
}
