// Saving: the scenario with what was shown, or the plan.

import { openBrowserFiles, whereFilesAre } from './browser_files.js';
import { askFor, confirmThat, el, openDialog, toast } from './elements.js';
import * as words from './words.js';

export function openSaveMenu(app) {
  const item = (text, about, act, id) => el('button', { type: 'button', id, onclick: () => { dialog.close(); act(); } }, el('span', {}, text, el('small', {}, about)));
  const dialog = el(
    'dialog',
    { class: 'menu', onclose: () => dialog.remove(), onclick: (event) => { if (event.target === dialog) dialog.close(); } },
    item('Save the level', 'Into its file, with what you showed (Ctrl+S)', () => save(app), 'save-level'),
    item('Save the level as…', app.connection.files ? 'Into another file' : 'Into another file of this folder', () => saveAs(app), 'save-as'),
    item('Save the plan…', 'A .json file that “apprentice verify” checks', () => savePlan(app), 'save-plan'),
    app.connection.files ? item('Files in this browser…', 'Import, export, remove', () => openBrowserFiles(app), 'open-browser-files') : null,
  );
  openDialog(dialog);
}

export async function save(app) {
  if (app.work.view.mode === 'tasks') return app.panels.tasks.save();
  if (app.work.path.startsWith('built-in:')) return saveAs(app);
  return write(app, app.work.path);
}

/** Asks until it is saved, or nothing is wanted any more: what was typed is not lost with what is wrong with it. */
async function saveAs(app) {
  let typed = app.work.path.replace('built-in:', 'scenarios/');
  let wrong = null;
  do {
    typed = await askFor('Save the level as', `File, ${whereFilesAre(app.connection)}`, typed, wrong);
    if (!typed) return;
    wrong = await write(app, typed.endsWith('.toml') ? typed : `${typed}.toml`, true);
  } while (wrong);
}

/** Saves the level; says why if that cannot be, or, if that `isAsked`, returns it. */
async function write(app, path, isAsked = false) {
  const { work, connection } = app;
  const { planning } = work;
  const sent = { ...work.level, lines: work.lines, planning };
  const demonstrations = sent.lines.map(({ name, points, log, hidden }) => ({ name, points, log, hidden }));
  const act = async () => {
    const isOwn = path === work.path;
    const question = { ask: 'save_scenario', ...work.level, save_as: path, demonstrations, planning, was: isOwn ? work.was : null };
    const saved = await unlessItExists(connection, question, isOwn);
    if (!saved) return;
    app.watch.forget(path);
    const opened = await connection.ask({ ask: 'open', path });
    work.saved(sent, path, opened.text);
    await app.refreshFiles();
    toast(`Saved ${saved.paths.join(', ')}`, 'good');
  };
  if (!isAsked) {
    await attempt(act);
    return null;
  }
  try {
    await act();
    return null;
  } catch (error) {
    return words.sentence(words.inFile(error));
  }
}

async function savePlan(app) {
  const plan = app.plans.left.plan?.plan;
  if (plan?.status !== 'found') {
    toast('There is no plan to save.', 'wrong');
    return;
  }
  const path = await askFor('Save the plan as', `File, ${whereFilesAre(app.connection)}`, `plans/${plan.scenario}.plan.json`);
  if (!path) return;
  await attempt(async () => {
    const text = `${JSON.stringify(plan, null, 2)}\n`;
    const saved = await unlessItExists(app.connection, { ask: 'save', path, text }, false);
    if (saved) toast(`Saved ${saved.paths[0]}`, 'good');
  });
}

/** Saves; asks first before a file is replaced. Null if it is not to be. `isOwn`: it came from there. */
export async function unlessItExists(connection, question, isOwn) {
  const saved = await connection.ask(question);
  if (saved.answer !== 'exists') return saved;
  const why = isOwn
    ? `${saved.path} was changed by somebody else since you opened it: in another tab, or by another program.`
    : `There is a file ${saved.path} already.`;
  if (!(await confirmThat('Replace the file?', why, 'Replace'))) return null;
  return connection.ask({ ...question, replace: true });
}

async function attempt(act) {
  try {
    await act();
  } catch (error) {
    toast(words.inFile(error), 'wrong');
  }
}
