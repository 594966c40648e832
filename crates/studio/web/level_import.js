// New levels: of a size, or of a map that was drawn with Tiled or LDtk, with the objects on it.

import { askThat, el, tell, toast } from './elements.js';
import * as words from './words.js';

/** Asks what a new level is to be, and makes it. */
export async function newLevel(app) {
  const name = el('input', { type: 'text', value: 'New level', id: 'new-name', spellcheck: false });
  const side = (id, value) => el('input', { type: 'number', id, min: 3, max: 1000, step: 1, value, required: true });
  const [width, height] = [side('new-width', 32), side('new-height', 20)];
  const size = el(
    'div',
    {},
    el('label', {}, 'Name', name),
    el('div', { class: 'row sides' }, el('label', {}, 'Cells wide', width), el('label', {}, 'Cells high', height)),
    el('p', { class: 'quiet small' }, 'From 3 to 1,000 cells on a side. It begins as an empty floor with a start and a goal.'),
  );
  const maps = app.files.maps ?? [];
  const source = el('select', { id: 'new-source', onchange: () => { size.hidden = source.value !== ''; chosen.hidden = source.value !== 'disk'; } }, el('option', { value: '' }, 'an empty floor'), ...maps.map((path) => el('option', { value: path }, path)), el('option', { value: 'disk' }, 'a map of Tiled or LDtk on this computer…'));
  const chosen = el('input', { type: 'file', accept: '.tmx,.tmj,.ldtk', id: 'new-file', hidden: true, 'aria-label': 'Map of Tiled or LDtk' });
  const parts = [
    el('label', { title: 'Walls, and the objects of its layers: keys, doors, enemies, a start and a goal' }, 'Made from', source),
    chosen,
    size,
  ];
  if (!(await askThat('New level', parts, 'Make it'))) return;
  try {
    const [file] = chosen.files;
    if (source.value === 'disk' && !file) {
      toast('Choose a map first: a .tmx, .tmj or .ldtk file.', 'wrong');
      return;
    }
    const question = {
      '': async () => ({ ask: 'new', name: name.value, width: Number(width.value), height: Number(height.value) }),
      disk: async () => ({ ask: 'import', path: file.name, text: await file.text() }),
    }[source.value] ?? (async () => ({ ask: 'import', path: source.value }));
    const opened = await app.connection.ask(await question());
    await app.begin(opened);
    if (opened.notes.length > 0) {
      tell('The level is made', el('p', {}, 'Not everything could be taken along:'), el('ul', { class: 'small', id: 'import-notes' }, ...opened.notes.map((note) => el('li', {}, words.sentence(note)))));
    }
  } catch (error) {
    toast(words.sentence(error.message), 'wrong');
  }
}
