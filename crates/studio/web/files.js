// Saving: the scenario with what was shown, or the plan.

import { askFor, confirmThat, el, toast } from './elements.js';

export function openSaveMenu(app) {
  const item = (text, about, act, id) => el('button', { type: 'button', id, onclick: () => { dialog.close(); act(); } }, el('span', {}, text, el('small', {}, about)));
  const dialog = el(
    'dialog',
    { class: 'menu', onclose: () => dialog.remove(), onclick: (event) => { if (event.target === dialog) dialog.close(); } },
    item('Save the level', 'Into its file, with what you showed (Ctrl+S)', () => save(app), 'save-level'),
    item('Save the level as…', 'Into another file of this folder', () => saveAs(app), 'save-as'),
    item('Save the plan…', 'As `apprentice verify` reads it (.json)', () => savePlan(app), 'save-plan'),
  );
  document.body.append(dialog);
  dialog.showModal();
}

export async function save(app) {
  if (app.work.view.mode === 'tasks') return app.panels.tasks.save();
  if (app.work.path.startsWith('built-in:')) return saveAs(app);
  return write(app, app.work.path, true);
}

async function saveAs(app) {
  const name = app.work.path.replace('built-in:', 'scenarios/');
  const path = await askFor('Save the level as', 'File, in the folder the studio was started in', name);
  if (path) await write(app, path.endsWith('.toml') ? path : `${path}.toml`, false);
}

async function write(app, path, replace) {
  const { work, connection } = app;
  const demonstrations = work.lines.map(({ name, points, log }) => ({ name, points, log }));
  await attempt(async () => {
    const question = { ask: 'save_scenario', ...work.level, save_as: path, demonstrations };
    let saved = await connection.ask({ ...question, replace });
    if (saved.answer === 'exists') {
      if (!(await confirmThat('Replace the file?', `There is a file ${path} already.`, 'Replace'))) return;
      saved = await connection.ask({ ...question, replace: true });
    }
    const opened = await connection.ask({ ask: 'open', path });
    work.saved(path, opened.text);
    await app.refreshFiles();
    toast(`Saved ${saved.paths.join(', ')}`, 'good');
  });
}

async function savePlan(app) {
  const plan = app.plans.left.plan?.plan;
  if (plan?.status !== 'found') {
    toast('There is no plan to save.', 'wrong');
    return;
  }
  const path = await askFor('Save the plan as', 'File, in the folder the studio was started in', `plans/${plan.scenario}.plan.json`);
  if (!path) return;
  await attempt(async () => {
    const text = `${JSON.stringify(plan, null, 2)}\n`;
    let saved = await app.connection.ask({ ask: 'save', path, text });
    if (saved.answer === 'exists') {
      if (!(await confirmThat('Replace the file?', `There is a file ${path} already.`, 'Replace'))) return;
      saved = await app.connection.ask({ ask: 'save', path, text, replace: true });
    }
    toast(`Saved ${saved.paths[0]}`, 'good');
  });
}

async function attempt(act) {
  try {
    await act();
  } catch (error) {
    toast(error.message, 'wrong');
  }
}
