// Lines on the map: what was drawn, with fewer points, and what is walked, without sharp corners.

/** A line through points. */
export function path(points) {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
}

/** Runs of equal values, from `first` on: value, first index, last index. */
export function runs(values, first) {
  const found = [];
  for (let index = first; index < values.length; index += 1) {
    const last = found.at(-1);
    if (last && last[0] === values[index]) last[2] = index;
    else found.push([values[index], index, index]);
  }
  return found;
}

/** A line with fewer points, nowhere farther than `tolerance` from the old one. */
export function simplified(points, tolerance) {
  if (points.length < 3) return points;
  const keep = new Set([0, points.length - 1]);
  const pieces = [[0, points.length - 1]];
  while (pieces.length > 0) {
    const [from, to] = pieces.pop();
    let [far, where] = [0, -1];
    for (let index = from + 1; index < to; index += 1) {
      const off = offLine(points[index], points[from], points[to]);
      if (off > far) [far, where] = [off, index];
    }
    if (far > tolerance) {
      keep.add(where);
      pieces.push([from, where], [where, to]);
    }
  }
  return [...keep].sort((a, b) => a - b).map((index) => points[index]);
}

/** The share of a piece that lengths are off by when they are added up: whoever is so near its end is there. */
const NEAR = 1e-9;

/** The part of a line from one share of its length to another: 0 is where it begins, 1 where it ends. */
export function part(points, from, to) {
  const lengths = points.slice(1).map((point, index) => distance(points[index], point));
  const all = lengths.reduce((sum, length) => sum + length, 0);
  const kept = [];
  let begun = 0;
  lengths.forEach((length, index) => {
    const [a, b] = [points[index], points[index + 1]];
    const [first, last] = [from, to].map((share) => clamp(length === 0 ? 0 : (share * all - begun) / length, 0, 1));
    begun += length;
    if (last <= first) return;
    // A third number, where both ends have one, says how high it is between them.
    const known = a.slice(0, b.length);
    const at = (share) => {
      if (share < NEAR) return a;
      return share > 1 - NEAR ? b : known.map((value, axis) => value + (b[axis] - value) * share);
    };
    if (kept.length === 0) kept.push(at(first));
    kept.push(at(last));
  });
  return kept.length > 1 ? kept : points;
}

function offLine(point, from, to) {
  const [x, y] = [to[0] - from[0], to[1] - from[1]];
  const length = x * x + y * y;
  const along = length === 0 ? 0 : clamp(((point[0] - from[0]) * x + (point[1] - from[1]) * y) / length, 0, 1);
  return distance(point, [from[0] + x * along, from[1] + y * along]);
}

const between = (a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/**
 * The way somebody walks from point to point, as a line: all of it, or from one point of it to another. Nobody turns
 * on the spot: around each point it is bent, and nowhere farther from it than a fifth of a step. A slanting way over
 * squares is a gentle wave then, not a staircase.
 */
export function walked(points) {
  const last = points.length - 1;
  const bend = (index) => {
    const at = points[index];
    if (index === 0 || index === last) return { middle: at };
    const [before, after] = [between(points[index - 1], at), between(at, points[index + 1])];
    const [ax, ay, bx, by] = [at[0] - before[0], at[1] - before[1], after[0] - at[0], after[1] - at[1]];
    // Whoever turns back has been there.
    if (ax * bx + ay * by < 0 || Math.abs(ax * by - ay * bx) < 1e-9) return { middle: at };
    const [into, out] = [between(before, at), between(at, after)];
    return { before, into, middle: between(into, out), out, after };
  };
  return (from = 0, to = last) => {
    let d = '';
    for (let index = from; index <= to; index += 1) {
      const { before, into, middle, out, after } = bend(index);
      if (index === from) d = `M${middle.join(' ')}`;
      else d += before ? `L${before.join(' ')}Q${into.join(' ')} ${middle.join(' ')}` : `L${middle.join(' ')}`;
      if (after && index < to) d += `Q${out.join(' ')} ${after.join(' ')}`;
    }
    return d;
  };
}
