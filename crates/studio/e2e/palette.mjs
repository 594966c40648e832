// A PNG with at most 256 colours: a third of the size of what browsers write, and on a page of a book the same to see.

import { deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST_COLORS = 256;

/** The same picture with fewer colours. */
export function withPalette(png) {
  const { width, height, colors } = decoded(png);
  const palette = chosen(colors);
  const nearest = new Map();
  const rows = Buffer.alloc((width + 1) * height);
  colors.forEach((color, index) => {
    if (!nearest.has(color)) nearest.set(color, indexOfNearest(color, palette));
    // Each row begins with the number of its filter: none.
    rows[index + Math.floor(index / width) + 1] = nearest.get(color);
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const parts = [['IHDR', head], ['PLTE', Buffer.from(palette.flatMap(channels))], ['IDAT', deflateSync(rows, { level: 9 })], ['IEND', Buffer.alloc(0)]];
  return Buffer.concat([SIGNATURE, ...parts.map(([kind, bytes]) => chunk(kind, bytes))]);
}

const channels = (color) => [color >> 16, (color >> 8) & 255, color & 255];

/** Size and colours of a picture as browsers write it: eight bits a channel, not interlaced. */
function decoded(png) {
  const data = [];
  let [width, height, size] = [0, 0, 0];
  for (let at = SIGNATURE.length; at < png.length;) {
    const [length, kind] = [png.readUInt32BE(at), png.toString('latin1', at + 4, at + 8)];
    const bytes = png.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') {
      [width, height] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)];
      size = { 2: 3, 6: 4 }[bytes[9]];
      if (bytes[8] !== 8 || !size || bytes[12] !== 0) throw new Error('no browser writes such a PNG');
    } else if (kind === 'IDAT') data.push(bytes);
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(data));
  const stride = width * size;
  const colors = new Uint32Array(width * height);
  let above = Buffer.alloc(stride);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)];
    const row = raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1));
    for (let x = 0; x < stride; x += 1) {
      const [left, up, corner] = [x < size ? 0 : row[x - size], above[x], x < size ? 0 : above[x - size]];
      row[x] += [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
    }
    above = row;
    for (let x = 0; x < width; x += 1) colors[y * width + x] = row.readUIntBE(x * size, 3);
  }
  return { width, height, colors };
}

function paeth(left, up, corner) {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** The colours that are kept: those that are there, or the middles of boxes around them, the widest cut again and again. */
function chosen(colors) {
  const counts = new Map();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const all = [...counts].map(([color, count]) => ({ parts: channels(color), color, count }));
  const boxes = [boxAround(all)];
  while (boxes.length < MOST_COLORS) {
    const widest = boxes.reduce((best, box) => (box.weight > best.weight ? box : best));
    if (widest.weight === 0) break;
    const sorted = widest.members.sort((a, b) => a.parts[widest.channel] - b.parts[widest.channel] || a.color - b.color);
    const half = sorted.reduce((sum, { count }) => sum + count, 0) / 2;
    let [cut, sum] = [0, 0];
    while (cut < sorted.length - 1 && (cut === 0 || sum + sorted[cut].count <= half)) sum += sorted[cut++].count;
    boxes.splice(boxes.indexOf(widest), 1, boxAround(sorted.slice(0, cut)), boxAround(sorted.slice(cut)));
  }
  // The commonest colour of a box stays exactly as it is: large plain areas don't change.
  return boxes.map(({ members }) => members.reduce((best, one) => (one.count > best.count ? one : best)).color);
}

/** Colours that become one: along which channel they differ most, and how much it matters. */
function boxAround(members) {
  const widths = [0, 1, 2].map((channel) => {
    const values = members.map(({ parts }) => parts[channel]);
    return values.reduce((most, value) => Math.max(most, value), 0) - values.reduce((least, value) => Math.min(least, value), 255);
  });
  const channel = widths.indexOf(Math.max(...widths));
  const count = members.reduce((sum, one) => sum + one.count, 0);
  return { members, channel, weight: widths[channel] ** 2 * Math.sqrt(count) };
}

function indexOfNearest(color, palette) {
  const parts = channels(color);
  let [best, least] = [0, Infinity];
  palette.forEach((other, index) => {
    const far = channels(other).reduce((sum, part, channel) => sum + (part - parts[channel]) ** 2, 0);
    if (far < least) [best, least] = [index, far];
  });
  return best;
}

function chunk(kind, bytes) {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), bytes]);
  const length = Buffer.alloc(4);
  const check = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  check.writeUInt32BE(crc(named));
  return Buffer.concat([length, named, check]);
}

function crc(bytes) {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return (rest ^ 0xffffffff) >>> 0;
}
