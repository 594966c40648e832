// A picture under the level, to paint walls over it.

import { el, svg, toast } from './elements.js';
import * as words from './words.js';

/** What the inspector of a level has about it: which picture, where, and how wide. */
export function underlayPart(app) {
  const { picture } = app.work.scene;
  const folder = folderOf(app.work.path);
  const beside = (app.files.pictures ?? []).filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length));
  const [left, top, width] = boundsOf(app.work.scene);
  const write = (values) => app.edit([{ edit: 'underlay', picture: values }]);
  const select = el(
    'select',
    { id: 'underlay', onchange: () => write(select.value ? { file: select.value, x: picture?.x ?? left, y: picture?.y ?? top, width: picture?.width ?? width } : null) },
    el('option', { value: '' }, beside.length > 0 || picture ? 'none' : 'none: put a .png, .jpg or .svg beside the level'),
    ...[...new Set([...beside, ...(picture ? [picture.file] : [])])].map((file) => el('option', { value: file }, file)),
  );
  select.value = picture?.file ?? '';
  const number = (key, text) => el('label', {}, text, el('input', {
    type: 'number', id: `underlay-${key}`, step: 0.5, value: picture[key],
    onchange: ({ target }) => {
      const value = Number(target.value);
      if (Number.isFinite(value) && (key !== 'width' || value > 0)) write({ ...picture, [key]: value });
      else target.value = picture[key];
    },
  }));
  return el(
    'section',
    { id: 'underlay-part' },
    el('h3', {}, 'Picture under it'),
    select,
    picture ? el('div', { class: 'row sides' }, number('x', 'Left'), number('y', 'Top'), number('width', 'Cells wide')) : null,
  );
}

const folderOf = (path) => (path.startsWith('built-in:') ? '' : path.slice(0, path.lastIndexOf('/') + 1));

function boundsOf({ ground }) {
  if (ground.kind === 'mesh') return [ground.bounds[0], ground.bounds[1], ground.bounds[2] - ground.bounds[0]];
  return [-0.5, -0.5, ground.rows[0].length];
}

/** Draws it on a map; asks for each picture once. */
export class Underlay {
  #app;
  #layer;
  #shown = null;
  #known = new Map();

  constructor(app, map) {
    this.#app = app;
    this.#layer = map.layers.underlay;
  }

  async show() {
    const { scene, path } = this.#app.work;
    const picture = scene?.picture ?? null;
    const key = picture && JSON.stringify([path, picture]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#layer.replaceChildren();
    if (!picture) return;
    try {
      const data = await this.#read(`${folderOf(path)}${picture.file}`);
      const size = await sizeOf(data);
      if (this.#shown !== key) return;
      const { x, y, width } = picture;
      this.#layer.replaceChildren(svg('image', { href: data, x, y, width, height: (width * size[1]) / size[0], preserveAspectRatio: 'none' }));
    } catch (error) {
      toast(words.sentence(error.message), 'wrong');
    }
  }

  async #read(path) {
    if (!this.#known.has(path)) {
      const asked = this.#app.connection.ask({ ask: 'picture', path }).then(({ data }) => data);
      asked.catch(() => this.#known.delete(path));
      this.#known.set(path, asked);
    }
    return this.#known.get(path);
  }
}

function sizeOf(data) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.addEventListener('load', () => resolve([image.naturalWidth || 1, image.naturalHeight || 1]));
    image.addEventListener('error', () => reject(new Error('the picture cannot be shown; save it anew as .png')));
    image.src = data;
  });
}
