// The files that the browser keeps, where the studio is inside the page: brought in, carried out, removed.

import { button, chooseFiles, confirmThat, download, el, openDialog, toast } from './elements.js';
import * as words from './words.js';

/** What levels, and all that belongs to them, are kept in. */
const KINDS = '.toml,.jsonl,.json,.htn,.map,.mesh,.obj,.tmx,.tmj,.tsx,.tsj';

/** Where files go, in words that follow “File, ”. */
export const whereFilesAre = (connection) => (connection.files ? 'kept by this browser' : 'in the folder the studio was started in');

export function openBrowserFiles(app) {
  const { files } = app.connection;
  const list = el('ul', { class: 'files' });
  const show = () => {
    const rows = files.all.map(([path, text]) => el(
      'li',
      { dataset: { id: path } },
      el('span', {}, path),
      button('export', '', `Export ${path}`, () => download(path.split('/').at(-1), text), { class: 'bare export' }),
      button('delete', '', `Remove ${path}`, () => remove(path), { class: 'bare remove' }),
    ));
    list.replaceChildren(...(rows.length > 0 ? rows : [el('li', { class: 'quiet' }, 'None yet: what you save is kept here.')]));
  };
  const changed = async () => {
    show();
    await app.refreshFiles();
  };
  const remove = async (path) => {
    if (!(await confirmThat('Remove the file?', `${path} is removed from this browser for good. Export it first if you want to keep it.`, 'Remove'))) return;
    try {
      await files.remove(path);
    } catch (error) {
      toast(words.sentence(error.message), 'wrong');
    }
    await changed();
  };
  const bring = async (path, text) => {
    if (files.has(path) && !(await confirmThat('Replace the file?', `There is a file ${path} already.`, 'Replace'))) return;
    const wrong = await files.bring(path, text);
    if (wrong) toast(words.sentence(wrong), 'wrong');
    await changed();
  };
  const box = el(
    'dialog',
    { class: 'ask', id: 'browser-files', onclose: () => box.remove() },
    el('h2', {}, 'Files in this browser'),
    el('p', { class: 'quiet' }, 'They are on this computer only, and gone when you clear what the browser keeps for this page. A level that names a map needs that file, too.'),
    list,
    el(
      'div',
      { class: 'row end' },
      button('import', 'Import…', 'Take files from your disk', () => chooseFiles(KINDS, bring), { id: 'import-files' }),
      button(null, 'Done', 'Shut this', () => box.close(), { class: 'primary' }),
    ),
  );
  show();
  openDialog(box);
}
