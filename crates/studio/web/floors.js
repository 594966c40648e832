// Floors above each other: how high one can stand somewhere.

/** Heights farther apart than this, in metres, are of different floors. The studio counts them the same way. */
const STOREY = 1.5;

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
    const here = this.#around(spot).sort((a, b) => a - b);
    return here.filter((height, index) => index === 0 || height - here[index - 1] > STOREY);
  }

  /** How high every foothold around a spot is. On ramps they are of one floor, and yet not of one height. */
  #around([x, y]) {
    return this.#heights.filter((_, index) => Math.hypot(this.#places[index][0] - x, this.#places[index][1] - y) <= this.#near);
  }

  /** The height of the foothold at a spot that is nearest to a height; the height itself where there is none. */
  nearest(spot, height) {
    const far = (floor) => Math.abs(floor - height);
    return this.#around(spot).reduce((best, floor) => (best === null || far(floor) < far(best) ? floor : best), null) ?? height;
  }
}
