// Tasks in words: an editor that says what is wrong while one writes, and what comes of it.

import { whereFilesAre } from './browser_files.js';
import { askFor, button, by, confirmThat, el, refill, toast } from './elements.js';
import { unlessItExists } from './files.js';
import { taskTree } from './task_tree.js';
import { highlighted } from './task_words.js';

/** Pauses shorter than this belong to the same thought. */
const PAUSE = 120;

export class TasksPanel {
  #app;
  #timer = 0;
  #asked = 0;
  #answer = null;
  #leaves = false;

  constructor(app) {
    this.#app = app;
  }

  /** The file that is being written: path, text, goal. */
  get file() {
    return this.#app.work.view.tasks;
  }

  show() {
    this.#app.hint(null);
    if (!this.file) {
      this.#open('built-in:guard.htn');
      by('panel').replaceChildren();
      return;
    }
    if (!this.area?.isConnected) this.#build();
    this.#showAnswer();
    if (!this.#answer) this.#check();
  }

  connected() {
    this.#check();
  }

  leave() {
    clearTimeout(this.#timer);
  }

  #build() {
    const { files } = this.#app;
    const select = el(
      'select',
      { id: 'tasks-file', 'aria-label': 'File of tasks', onchange: (event) => this.#change(event.target.value) },
      ...files.tasks.map(({ path, name, built_in }) => el('option', { value: path }, built_in ? `${name} (built in)` : path)),
    );
    if (!files.tasks.some(({ path }) => path === this.file.path)) select.prepend(el('option', { value: this.file.path }, this.file.path));
    select.value = this.file.path;
    this.area = el('textarea', {
      spellcheck: false, autocapitalize: 'off', autocomplete: 'off', wrap: 'off', id: 'tasks-text', 'aria-label': 'Tasks', value: this.file.text, title: 'Escape, then Tab, leaves the text',
      oninput: () => this.#typed(), onkeydown: (event) => this.#key(event),
    });
    this.back = el('pre', { 'aria-hidden': 'true' });
    this.numbers = el('div', { class: 'numbers', 'aria-hidden': 'true' });
    this.problems = el('div', { class: 'problems', id: 'problems', role: 'status' });
    this.goal = el('input', {
      type: 'text', value: this.file.goal, placeholder: 'what the file asks for', id: 'tasks-goal', spellcheck: false, 'aria-label': 'Goal',
      title: 'For example: ordered(Enter(office), Enter(vault))', oninput: () => this.#set({ goal: this.goal.value }),
    });
    by('editor').replaceChildren(
      el(
        'div',
        { class: 'bar' },
        select,
        button('format', 'Tidy up', 'Put the text into its best layout', () => this.#format(), { id: 'tasks-format' }),
        button('plus', 'For this level', 'Tasks for what is in the level that is open, to begin with', () => this.#forLevel(), { id: 'tasks-for-level' }),
        button('save', 'Save', 'Save the file (Ctrl+S)', () => this.save(), { id: 'tasks-save' }),
        el('label', { class: 'row grow' }, el('span', { class: 'quiet' }, 'Goal'), this.goal),
      ),
      el('div', { class: 'code' }, this.numbers, el('div', { class: 'text' }, this.back, this.area)),
      this.problems,
    );
    this.#paint();
  }

  #typed() {
    this.#set({ text: this.area.value, changed: true });
  }

  #set(values) {
    Object.assign(this.file, values);
    this.#paint();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#app.work.set('view', {});
      this.#check();
    }, PAUSE);
  }

  /** Tab indents. After Escape it goes on to the next control, as everywhere else. */
  #key(event) {
    const leaves = this.#leaves;
    this.#leaves = event.key === 'Escape';
    if (event.key !== 'Tab' || event.shiftKey || leaves) return;
    event.preventDefault();
    this.#write('  ');
  }

  /** Writes over what is selected, so that the browser can undo it. */
  #write(text) {
    this.area.focus();
    if (!document.execCommand('insertText', false, text)) {
      this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, 'end');
      this.#typed();
    }
  }

  /** What was written is undone and redone by the browser, which knows it letter by letter. */
  undo() {
    this.area?.focus();
    document.execCommand('undo');
  }

  redo() {
    this.area?.focus();
    document.execCommand('redo');
  }

  #paint() {
    const marks = this.#answer && this.#answer.text === this.file.text ? this.#answer.diagnostics : [];
    this.back.replaceChildren(...highlighted(this.file.text, marks.filter((mark) => !mark.file && !mark.in_goal)), '\n');
    const lines = this.file.text.split('\n').length;
    this.numbers.textContent = Array.from({ length: lines }, (_, index) => index + 1).join('\n');
  }

  async #check(format = false) {
    if (!this.file) return;
    // Whatever was about to be asked is asked now.
    clearTimeout(this.#timer);
    const { path, text, goal } = this.file;
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const answer = await this.#app.connection.ask({ ask: 'tasks', path, text, goal, format });
      if (asked !== this.#asked) return;
      const last = this.#answer;
      this.#answer = { ...answer, text };
      // A broken text that was never whole has nothing to show; one that was keeps what it had.
      if (answer.stale && answer.steps.length === 0 && last) Object.assign(this.#answer, { steps: last.steps, why: last.why, status: last.status, found: last.found });
      if (format && answer.formatted !== null) this.#replace(answer.formatted);
      else if (format) toast('A text with mistakes is left as it is.');
      if (this.#app.panel === this) this.#showAnswer();
    } catch {
      // The page says that the studio is gone.
    }
  }

  #replace(text) {
    if (text === this.area.value) return;
    this.area.select();
    this.#write(text);
  }

  #format() {
    this.#check(true);
  }

  #showAnswer() {
    this.#paint();
    const answer = this.#answer;
    if (!answer) return;
    const rows = answer.diagnostics.map((one) => el(
      'button',
      { type: 'button', class: one.severity, title: 'Go there', onclick: () => this.#jump(one) },
      `${one.in_goal ? 'Goal' : `${one.file ?? 'Line'} ${one.line}`}: ${one.message}${one.hint ? ` — ${one.hint}` : ''}`,
    ));
    this.problems.replaceChildren(...rows);
    this.problems.dataset.count = rows.length;
    const stale = answer.stale ? el('p', { class: 'small quiet', id: 'stale' }, 'The text has mistakes; this is from the last version without any.') : null;
    refill(
      by('panel'),
      el(
        'section',
        { class: 'result' },
        el('h2', {}, 'Plan'),
        stale,
        answer.found ? null : el('p', { class: answer.status ? 'none' : 'quiet' }, answer.status || 'Nothing yet.'),
        el('ol', { class: 'task-steps', id: 'task-steps' }, ...answer.steps.map((step) => el('li', {}, step))),
      ),
      answer.why.length === 0 ? null : el('section', {}, el('h2', {}, answer.found ? 'Why' : 'What was tried'), taskTree(answer.why, (line) => this.#goTo(line))),
    );
  }

  #jump({ from, to, file, in_goal: isInGoal }) {
    if (file) return;
    if (isInGoal) {
      this.goal.focus();
      return;
    }
    this.area.focus();
    this.area.setSelectionRange(from, Math.max(to, from + 1));
    const line = this.file.text.slice(0, from).split('\n').length;
    this.area.closest('.code').scrollTop = Math.max(0, (line - 6) * 21);
  }

  /** Goes to a line of the text, counted from 1, and marks it. */
  #goTo(line) {
    const rows = this.file.text.split('\n');
    const from = rows.slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0);
    this.#jump({ from, to: from + (rows[line - 1]?.length ?? 0), file: null, in_goal: false });
  }

  /** Tasks for what is in the level, to begin with. */
  async #forLevel() {
    const { connection, work } = this.#app;
    if (this.file?.changed && !(await confirmThat('Leave this file?', 'What you changed in it was not saved.', 'Leave'))) return;
    try {
      const { text, path } = await connection.ask({ ask: 'tasks_for', ...work.level });
      this.#answer = null;
      this.area = null;
      work.set('view', { tasks: { path, text, was: null, goal: '', changed: true } });
    } catch (error) {
      toast(error.message, 'wrong');
    }
  }

  /** The file was changed by somebody else: what is written here stays, if anything is. */
  async reloaded() {
    const { file } = this;
    if (!file) return;
    const { path, was } = file;
    const keeps = () => toast(`${path} was changed elsewhere. Saving asks before it is replaced.`);
    if (file.changed) {
      keeps();
      return;
    }
    const { text } = await this.#app.connection.ask({ ask: 'open_tasks', path });
    // Meanwhile another may have been chosen, or this one saved.
    if (this.file !== file || file.was !== was || text === was) return;
    if (file.changed) {
      keeps();
      return;
    }
    Object.assign(file, { text, was: text });
    this.#answer = null;
    this.area = null;
    this.#app.work.set('view', {});
    toast(`${path} was changed elsewhere, and is read again.`);
  }

  async #change(path) {
    if (this.file?.changed && !(await confirmThat('Leave this file?', 'What you changed in it was not saved.', 'Leave'))) {
      by('tasks-file').value = this.file.path;
      return;
    }
    this.#open(path);
  }

  async #open(path) {
    try {
      const { text } = await this.#app.connection.ask({ ask: 'open_tasks', path });
      this.#answer = null;
      this.area = null;
      this.#app.work.set('view', { tasks: { path, text, was: text, goal: '', changed: false } });
    } catch (error) {
      toast(error.message, 'wrong');
    }
  }

  async save() {
    const isBuiltIn = this.file.path.startsWith('built-in:');
    let path = this.file.path;
    if (isBuiltIn) path = await askFor('Save the tasks as', `File, ${whereFilesAre(this.#app.connection)}`, path.replace('built-in:', 'domains/'));
    if (!path) return;
    if (!path.endsWith('.htn')) path += '.htn';
    try {
      const { text, was } = this.file;
      const question = { ask: 'save', path, text, was: isBuiltIn ? null : was };
      const saved = await unlessItExists(this.#app.connection, question, !isBuiltIn);
      if (!saved) return;
      Object.assign(this.file, { path, changed: false, was: text });
      this.#app.watch.forget(path);
      await this.#app.refreshFiles();
      this.area = null;
      this.#app.work.set('view', {});
      toast(`Saved ${saved.paths[0]}`, 'good');
    } catch (error) {
      toast(error.message, 'wrong');
    }
  }
}
