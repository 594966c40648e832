// What lies flat on the ground, a colour a cell: walls, estimates, and where a search has been.

const LIGHT = { floor: [250, 249, 245], wall: [85, 86, 90], grid: 'rgba(60,55,40,.055)' };
const DARK = { floor: [33, 36, 43], wall: [86, 92, 105], grid: 'rgba(255,255,255,.035)' };

/** From near to far: lightness falls all the way, so that it also reads in black and white. */
const NEAR_TO_FAR = [
  [255, 255, 217], [213, 239, 178], [140, 209, 185], [72, 178, 197], [52, 122, 182], [49, 74, 148],
];

/** Who looked: the anchor first, then its advisers. */
export const ADVISERS = [
  [233, 171, 69], [86, 180, 233], [0, 158, 115], [204, 121, 167], [153, 153, 51], [213, 94, 0], [136, 34, 85], [68, 170, 153],
];

export class Shades {
  #rows = [];
  #mesh = null;
  #heat = null;
  #range = [0, 1];
  #explored = null;
  #count = 0;
  #picture = null;
  #theme = null;

  setGround(ground) {
    this.#mesh = ground.kind === 'mesh' ? ground : null;
    this.#rows = ground.rows ?? [];
    this.#picture = null;
  }

  get hasHeat() {
    return this.#heat !== null;
  }

  get hasExplored() {
    return this.#explored !== null;
  }

  /** Returns the least and the greatest estimate. */
  setHeat(values) {
    this.#heat = values;
    this.#picture = null;
    if (!values) return null;
    let [low, high] = [Infinity, 0];
    values.forEach((value, index) => {
      if (value === null || this.#isWall(index)) return;
      low = Math.min(low, value);
      high = Math.max(high, value);
    });
    this.#range = [low, Math.max(high, low + 1e-9)];
    return this.#range;
  }

  setExplored(explored, count) {
    this.#explored = explored;
    this.#count = count;
    this.#picture = null;
  }

  #isWall(index) {
    if (this.#mesh) return false;
    const width = this.#rows[0].length;
    return this.#rows[Math.floor(index / width)][index % width] === '#';
  }

  #draw(dark) {
    const [width, height] = [this.#rows[0].length, this.#rows.length];
    const picture = new OffscreenCanvas(width, height);
    const context = picture.getContext('2d');
    const image = context.createImageData(width, height);
    const colors = dark ? DARK : LIGHT;
    const put = (index, color, alpha = 1) => {
      const at = index * 4;
      for (let channel = 0; channel < 3; channel += 1) {
        const under = image.data[at + 3] ? image.data[at + channel] : 0;
        image.data[at + channel] = under * (1 - alpha) + color[channel] * alpha;
      }
      image.data[at + 3] = 255;
    };
    // There may be a million cells: each of the two colours is one number.
    const cells = new Uint32Array(image.data.buffer);
    const [wall, floor] = [colors.wall, colors.floor].map((color) => new Uint32Array(new Uint8Array([...color, 255]).buffer)[0]);
    cells.fill(floor);
    this.#rows.forEach((row, number) => {
      for (let at = row.indexOf('#'); at >= 0; at = row.indexOf('#', at + 1)) cells[number * width + at] = wall;
    });
    this.#heat?.forEach((value, index) => {
      if (value !== null && !this.#isWall(index)) put(index, this.#heatColor(value), dark ? 0.75 : 1);
    });
    this.#putExplored(put);
    context.putImageData(image, 0, 0);
    return picture;
  }

  #heatColor(value) {
    const [low, high] = this.#range;
    // Bands, so that equal estimates make lines.
    const bands = 14;
    const band = Math.min(bands - 1, Math.floor(((value - low) / (high - low)) * bands)) / (bands - 1);
    const place = band * (NEAR_TO_FAR.length - 1);
    const first = Math.min(Math.floor(place), NEAR_TO_FAR.length - 2);
    return NEAR_TO_FAR[first].map((from, channel) => from + (NEAR_TO_FAR[first + 1][channel] - from) * (place - first));
  }

  #putExplored(put) {
    if (!this.#explored) return;
    const { places, by } = this.#explored;
    const times = new Map();
    for (let index = 0; index < Math.min(this.#count, places.length); index += 1) {
      const seen = times.get(places[index]) ?? { count: 0, by: 0 };
      times.set(places[index], { count: seen.count + 1, by: by[index] });
    }
    for (const [place, seen] of times) {
      const strength = Math.min(0.3 + 0.13 * Math.log2(seen.count + 1), 0.8);
      put(place, ADVISERS[seen.by % ADVISERS.length], strength);
    }
  }

  /** A navmesh: its polygons, and a square for every foothold that has a shade. */
  #paintMesh(canvas, view, ratio, dark) {
    const context = canvas.getContext('2d');
    const colors = dark ? DARK : LIGHT;
    const css = (color) => `rgb(${color.map(Math.round).join(' ')})`;
    const x = (value) => (view.x + value * view.scale) * ratio;
    const y = (value) => (view.y + value * view.scale) * ratio;
    context.clearRect(0, 0, canvas.width, canvas.height);
    const [left, top, right, bottom] = this.#mesh.bounds;
    context.fillStyle = css(colors.wall);
    context.fillRect(x(left), y(top), x(right) - x(left), y(bottom) - y(top));
    context.lineWidth = ratio;
    for (const [polygon, color] of this.#storeys(colors)) {
      context.fillStyle = css(color);
      context.strokeStyle = css(color);
      context.beginPath();
      polygon.forEach(([px, py], index) => (index === 0 ? context.moveTo(x(px), y(py)) : context.lineTo(x(px), y(py))));
      context.closePath();
      context.fill();
      context.stroke();
    }
    const { places, spacing } = this.#mesh;
    const size = spacing * view.scale * ratio;
    const put = (index, color, alpha = 1) => {
      const [px, py] = places[index] ?? [0, 0];
      context.globalAlpha = alpha;
      context.fillStyle = css(color);
      context.fillRect(x(px) - size / 2, y(py) - size / 2, size, size);
    };
    this.#heat?.forEach((value, index) => { if (value !== null) put(index, this.#heatColor(value), 0.85); });
    this.#putExplored(put);
    context.globalAlpha = 1;
  }

  /** Polygons and their colours, the lowest first: what is lower lies in the shade of what is higher. */
  #storeys(colors) {
    const { polygons, storeys } = this.#mesh;
    if (!storeys) return polygons.map((polygon) => [polygon, colors.floor]);
    const [low, high] = [Math.min(...storeys), Math.max(...storeys)];
    const order = polygons.map((_, index) => index).sort((a, b) => storeys[a] - storeys[b]);
    return order.map((index) => {
      const part = (high - storeys[index]) / (high - low || 1);
      return [polygons[index], colors.floor.map((light, channel) => light + (colors.wall[channel] - light) * 0.35 * part)];
    });
  }

  paint(canvas, view, ratio, dark) {
    if (this.#mesh) this.#paintMesh(canvas, view, ratio, dark);
    if (this.#rows.length === 0 || canvas.width === 0) return;
    if (!this.#picture || this.#theme !== dark) {
      this.#picture = this.#draw(dark);
      this.#theme = dark;
    }
    const context = canvas.getContext('2d');
    const [width, height] = [this.#rows[0].length, this.#rows.length];
    const scale = view.scale * ratio;
    const [left, top] = [(view.x - view.scale / 2) * ratio, (view.y - view.scale / 2) * ratio];
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingEnabled = false;
    // Only what is seen is drawn, however large the level is.
    const seen = (start, all, size) => [Math.max(0, Math.floor(-start / scale)), Math.min(all, Math.ceil((size - start) / scale))];
    const [[first, last], [upper, lower]] = [seen(left, width, canvas.width), seen(top, height, canvas.height)];
    if (first >= last || upper >= lower) return;
    const [columns, rows] = [last - first, lower - upper];
    context.drawImage(this.#picture, first, upper, columns, rows, left + first * scale, top + upper * scale, columns * scale, rows * scale);
    if (view.scale < 7) return;
    context.strokeStyle = (dark ? DARK : LIGHT).grid;
    context.lineWidth = ratio;
    context.beginPath();
    for (let column = Math.max(1, first); column < last; column += 1) {
      const x = Math.round(left + column * scale) + 0.5;
      context.moveTo(x, top + upper * scale);
      context.lineTo(x, top + lower * scale);
    }
    for (let row = Math.max(1, upper); row < lower; row += 1) {
      const y = Math.round(top + row * scale) + 0.5;
      context.moveTo(left + first * scale, y);
      context.lineTo(left + last * scale, y);
    }
    context.stroke();
  }
}
