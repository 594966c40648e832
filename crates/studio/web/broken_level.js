// A level whose file cannot be read: its text, with the mistake where it is, to be mended here.

import { button, el, openDialog, toast } from './elements.js';
import * as words from './words.js';

/** Milliseconds after a key until the text is looked at. */
const PAUSE = 250;

/** Lets a person mend a level, and opens it once it can be read. */
export function mend(app, { path, text, message, place }) {
  return new Promise((resolve) => {
    const area = el('textarea', { class: 'level-text', spellcheck: false, 'aria-label': `The text of ${path}`, wrap: 'off', value: text, id: 'broken-text' });
    const wrong = el('button', { type: 'button', class: 'mistake', id: 'broken-why', title: 'Go to the mistake' });
    const save = button('save', 'Save and open', 'Write the file, and open the level', () => write(), { class: 'primary', id: 'broken-save', disabled: true });
    const box = el(
      'dialog',
      { class: 'ask wide', onclose: () => { box.remove(); resolve(); } },
      el('h2', {}, `${path} cannot be read`),
      wrong,
      area,
      el('div', { class: 'row end' }, button(null, 'Leave it', 'Leave the file as it is', () => box.close()), save),
    );
    let at = place;
    const show = (error) => {
      at = error?.place ?? null;
      wrong.textContent = error ? words.sentence(words.inFile(error)) : 'It can be read now.';
      wrong.classList.toggle('good', !error);
      save.disabled = Boolean(error);
    };
    const go = () => {
      if (!at) return;
      const lines = area.value.split('\n');
      const before = lines.slice(0, at.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
      const from = before + Math.min(at.column - 1, lines[at.line - 1]?.length ?? 0);
      area.focus();
      area.setSelectionRange(from, before + (lines[at.line - 1]?.length ?? 0));
      const height = area.scrollHeight / lines.length;
      area.scrollTop = Math.max(0, (at.line - 4) * height);
    };
    let timer = 0;
    area.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(look, PAUSE);
    });
    async function look() {
      const looked = area.value;
      let error = null;
      try {
        await app.connection.ask({ ask: 'edit', path, text: looked, edits: [] });
      } catch (refused) {
        error = refused;
      }
      if (area.value === looked) show(error);
    }
    async function write() {
      try {
        const saved = await app.connection.ask({ ask: 'save', path, text: area.value, was: text });
        if (saved.answer === 'exists') {
          toast(`${path} was changed by another program meanwhile. Open it again.`, 'wrong');
          return;
        }
        box.close();
        await app.refreshFiles();
        await app.open(path);
      } catch (error) {
        toast(error.message, 'wrong');
      }
    }
    wrong.addEventListener('click', go);
    show({ message, place });
    openDialog(box);
    go();
  });
}
