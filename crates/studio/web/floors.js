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
  at([x, y]) {
    const here = [];
    this.#places.forEach(([px, py], index) => {
      if (Math.hypot(px - x, py - y) <= this.#near) here.push(this.#heights[index]);
    });
    here.sort((a, b) => a - b);
    return here.filter((height, index) => index === 0 || height - here[index - 1] > STOREY);
  }

  /** The floor at a spot that one reaches from a height without a leap; the height itself where there is none. */
  nearest(at, height) {
    const far = (floor) => Math.abs(floor - height);
    return this.at(at).reduce((best, floor) => (best === null || far(floor) < far(best) ? floor : best), null) ?? height;
  }
}
