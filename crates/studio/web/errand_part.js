// What somebody does in a game: what the level asks for, or tasks of a file.

import { el, toast } from './elements.js';
import * as words from './words.js';

const STATES = { doing: 'Does', done: 'Has done everything', failed: 'Cannot go on' };

export class ErrandPart {
  #app;
  /** The text of the file when it was given to the game, and what it was asked with. */
  given = null;
  element = el('section', { id: 'errand' });

  constructor(app) {
    this.#app = app;
  }

  /** The tasks that are bound to the level, with their text; null if there are none. */
  async read() {
    const bound = this.#app.work.scene?.tasks;
    if (!bound) return null;
    const path = this.path;
    const written = this.#app.work.view.tasks;
    // Whoever is writing them wants to see what was written.
    const text = written?.path === path ? written.text : (await this.#app.connection.ask({ ask: 'open_tasks', path })).text;
    return { path, text, goal: bound.goal, who: bound.who };
  }

  /** The path of the file of the tasks. */
  get path() {
    const { work } = this.#app;
    const file = work.scene?.tasks?.file;
    if (!file || file.startsWith('built-in:')) return file ?? null;
    const parts = work.path.startsWith('built-in:') ? [] : work.path.split('/').slice(0, -1);
    for (const part of file.split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '.') parts.push(part);
    }
    return parts.join('/');
  }

  show(frame) {
    const { files, work } = this.#app;
    const bound = work.scene?.tasks ?? null;
    const paths = [...new Set([...files.tasks.map(({ path }) => path), ...(this.path ? [this.path] : [])])];
    const select = el(
      'select',
      { id: 'errand-tasks', title: 'Saved with the level', onchange: () => this.#bind(select.value) },
      el('option', { value: '' }, 'what the level asks for'),
      ...paths.map((path) => el('option', { value: path }, path.replace('built-in:', 'built in: '))),
    );
    select.value = bound ? this.path : '';
    const { errand } = frame ?? {};
    const told = errand ? [STATES[errand.state], errand.step ?? errand.why].filter(Boolean).join(errand.state === 'failed' ? ': ' : ' ') : '';
    const key = JSON.stringify([paths, select.value, told]);
    if (this.element.dataset.key === key) return;
    this.element.dataset.key = key;
    const focused = document.activeElement?.id === 'errand-tasks';
    this.element.replaceChildren(
      el('label', { class: 'field' }, 'It does', select),
      ...(told ? [el('p', { class: `small ${errand.state === 'failed' ? 'field-wrong' : 'quiet'}`, id: 'errand-state', role: 'status', title: told }, told)] : []),
    );
    if (focused) select.focus();
  }

  async #bind(path) {
    const { work } = this.#app;
    const from = work.path.startsWith('built-in:') ? [] : work.path.split('/').slice(0, -1);
    const to = path.split('/');
    while (from.length > 0 && to.length > 1 && from[0] === to[0]) {
      from.shift();
      to.shift();
    }
    const file = path.startsWith('built-in:') ? path : [...from.map(() => '..'), ...to].join('/');
    await this.#app.edit([{ edit: 'bind', tasks: path ? { file, goal: '' } : null }]);
  }

  /** The file was changed while the game goes on: it goes on by what is written now, unless there is a mistake in it. */
  async changed(take) {
    try {
      const tasks = await this.read();
      if (!tasks || !this.given || tasks.text === this.given.text) return;
      const frame = await this.#app.connection.ask({ ask: 'retask', tasks });
      this.given = tasks;
      take(frame);
    } catch (error) {
      toast(`The tasks stay as they were: ${words.sentence(error.message)}`, 'wrong');
    }
  }
}
