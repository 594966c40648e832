// Puts the page together.

import { AfterPicture, by, button, el, toast } from './elements.js';
import { Connection } from './connection.js';
import { Work } from './document.js';
import { Planning, Quickest } from './planning.js';
import { MapView } from './map_view.js';
import { FileWatch } from './file_watch.js';
import { newLevel } from './level_import.js';
import { MakePanel } from './make_panel.js';
import { PlanPanel } from './plan_panel.js';
import { TeachPanel } from './teach_panel.js';
import { PlayPanel } from './play_panel.js';
import { TasksPanel } from './tasks_panel.js';
import { TestsPanel } from './tests_panel.js';
import { WatchPanel } from './watch_panel.js';
import { WhyCard } from './why_card.js';
import { Tour } from './tour.js';
import { Underlay } from './underlay.js';
import { mend } from './broken_level.js';
import { openSaveMenu, save } from './files.js';
import { startTheme, switchTheme } from './theme.js';
import * as words from './words.js';

startTheme();

const FIRST = 'built-in:quest_key.toml';

/** Milliseconds until people wonder whether anything happens. Shorter, and it would only flicker. */
const WONDERING = 250;

/** Mode, name, what it is for, and its key. */
const MODES = [
  ['make', 'Make', 'Make a level: walls, things, and what they are like (M)', 'm'],
  ['plan', 'Plan', 'Move things about and watch the plan adapt (1)', '1'],
  ['teach', 'Teach', 'Show how it is done: draw a line or play (2)', '2'],
  ['play', 'Play', 'Let the character carry out its plan, and get in its way (3)', '3'],
  ['tasks', 'Tasks', 'Say in words how things are done (4)', '4'],
  ['tests', 'Tests', 'Say what is expected of levels, and see whether it is so (5)', '5'],
];

class App {
  connection = new Connection();
  work = new Work();
  files = { scenarios: [], tasks: [], planners: [], planner: 'mha' };
  plans = {
    left: new Planning(this.connection, this.work, 'left'),
    right: new Planning(this.connection, this.work, 'right'),
  };
  quickest = new Quickest(this.connection, this.work);
  maps = { left: new MapView(by('left'), 'Map'), right: new MapView(by('right'), 'Second map') };
  /** The step that is explained; null if none is. */
  step = null;
  line = null;
  telling = new AfterPicture();
  /** Changes are made one after the other, each on what came of the one before. */
  #changing = Promise.resolve();

  constructor() {
    this.panels = {
      make: new MakePanel(this), plan: new PlanPanel(this), teach: new TeachPanel(this), play: new PlayPanel(this), tasks: new TasksPanel(this), tests: new TestsPanel(this), watch: new WatchPanel(this),
    };
    this.underlays = Object.values(this.maps).map((map) => new Underlay(this, map));
    this.watch = new FileWatch(this.connection, () => this.#watched());
    this.why = new WhyCard(this);
    this.tour = new Tour(this);
    this.#buildHeader();
    this.#buildZoom();
    this.#listen();
  }

  get panel() {
    return this.panels[this.work.view.mode];
  }

  #buildHeader() {
    this.tabs = MODES.map(([mode, text, title]) => {
      const tab = button(null, text, title, () => this.setMode(mode), { role: 'tab', id: `tab-${mode}` });
      by('tabs').append(tab);
      return [mode, tab];
    });
    by('tabs').addEventListener('keydown', (event) => {
      const by_ = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by_) return;
      event.stopPropagation();
      const at = this.tabs.findIndex(([mode]) => mode === this.work.view.mode);
      const [mode, tab] = this.tabs.at((at + by_) % this.tabs.length);
      this.setMode(mode);
      tab.focus();
    });
    this.undoButton = button('undo', '', 'Undo (Ctrl+Z)', () => this.#undo(), { class: 'bare', id: 'undo' });
    this.redoButton = button('redo', '', 'Redo (Ctrl+Shift+Z)', () => this.#redo(), { class: 'bare', id: 'redo' });
    by('tools').append(
      this.undoButton,
      this.redoButton,
      button('save', '', 'Save… (Ctrl+S)', () => openSaveMenu(this), { class: 'bare', id: 'save' }),
      button('sun', '', 'Light or dark', switchTheme, { class: 'bare', id: 'theme' }),
      button('help', '', 'Show the first steps again', () => this.tour.start(), { class: 'bare', id: 'help' }),
    );
    by('scenario').addEventListener('change', (event) => this.open(event.target.value));
    by('scenario').closest('label').after(button('plus', '', 'New level…', () => newLevel(this), { class: 'bare', id: 'new-level' }));
  }

  #buildZoom() {
    const zoom = (factor) => () => this.#eachMap((map) => map.zoom(factor));
    by('zoom').append(
      button('plus', '', 'Nearer (+)', zoom(1.3)),
      button('minus', '', 'Farther (−)', zoom(1 / 1.3)),
      button('fit', '', 'The whole map (0)', () => this.#eachMap((map) => map.fit())),
    );
  }

  #eachMap(act) {
    act(this.maps.left);
    if (this.work.view.compare) act(this.maps.right);
  }

  #listen() {
    this.connection.on('open', () => this.#connected());
    this.connection.on('closed', (why) => {
      const kept = this.panel.lost?.() ?? 'nothing is lost';
      const told = {
        strange: `Open the address that \`apprentice studio\` has printed: it lets you in; ${kept}.`,
        gone: `The studio is not running. Start \`apprentice studio\` again; ${kept}.`,
        broken: `The planner inside this page could not be started. Reload the page, or use another browser; ${kept}.`,
      };
      by('status').textContent = told[why];
      document.body.classList.add('offline');
      this.panel.disconnected?.();
    });
    this.work.lookUp = async (level) => (await this.connection.ask({ ask: 'edit', ...level, edits: [] })).scene;
    this.work.isHeld = () => this.panels.teach.holdsLevel;
    this.work.on('not undone', (error) => toast(`That cannot be undone now: ${error.message}. It is kept.`, 'wrong'));
    this.work.on('too large', () => toast('This level is too large for the browser to remember. Save it before you reload the page.', 'wrong'));
    this.work.on('change', (what, detail) => this.#changed(what, detail));
    for (const [side, planning] of Object.entries(this.plans)) {
      planning.on('plan', (answer, detail) => this.#planned(side, answer, detail));
      planning.on('refused', (message) => this.#refused(side, message));
      planning.on('busy', () => this.#showBusy());
    }
    this.quickest.on('plan', () => this.panel.compared?.());
    for (const [side, map] of Object.entries(this.maps)) this.#listenToMap(side, map);
    addEventListener('keydown', (event) => this.#key(event));
  }

  #listenToMap(side, map) {
    map.capturesKeys = (key) => this.panel.capturesKeys?.(key) ?? false;
    map.on('pointed', (at) => {
      by('pointed').textContent = at ? `${Math.round(at[0])}, ${Math.round(at[1])}` : '';
    });
    map.on('drag', (thing, spot) => {
      if (this.panel.drag?.(thing, spot)) return;
      if (this.work.view.compare) this.#otherMap(side).put(thing, [spot.x, spot.y]);
      this.livePlans(this.#moving(thing, spot));
    });
    map.on('dropped back', async (thing, spot) => {
      if (!(await this.panel.drop?.(thing, spot, true))) this.#fullPlans();
    });
    map.on('drop', (thing, spot) => this.#drop(thing, spot));
    map.on('touched', (thing, isMore) => this.#touched(thing, isMore));
    map.on('drawn', (points) => this.panels.teach.drawn(points));
    map.on('drawing', (points) => this.panels.teach.drawing(points));
    map.on('sketched', (isInWall) => this.panels.teach.sketched(isInWall));
    map.on('bending', (...bend) => this.panels.teach.bending(...bend));
    map.on('bent', (...bend) => this.panels.teach.bent(...bend));
    map.on('undrawn', () => {
      this.panels.teach.sketched(false);
      this.#fullPlans();
    });
    map.on('painted', (stroke) => this.panels.make.painted(stroke));
    map.on('put', (at) => this.panels.make.put(at));
    map.on('step', (index) => this.explain(index));
    map.on('line', (id) => this.selectLine(id));
    map.on('nothing', () => {
      this.explain(null);
      this.selectLine(null);
      this.panel.nothing?.();
    });
  }

  #otherMap(side) {
    return side === 'left' ? this.maps.right : this.maps.left;
  }

  async #drop(thing, spot) {
    if (await this.panel.drop?.(thing, spot)) return;
    await this.edit(this.#moving(thing, spot));
    this.tour.did('move', thing);
  }

  /** What changes when a thing is moved. */
  #moving(thing, spot) {
    return this.panel.moving?.(thing, spot) ?? [{ edit: 'move', thing, ...spot }];
  }

  /** Doors open and shut when they are clicked. */
  #touched(id, isMore) {
    if (this.panel.touched?.(id, isMore)) return;
    const thing = this.work.scene.things.find((one) => one.id === id);
    if (thing?.kind === 'door') this.edit([{ edit: 'door', thing: id, open: !thing.open }]);
  }

  /** Changes the level; says why if that cannot be, and returns whether it could. */
  async edit(edits) {
    try {
      await this.change(edits);
      return true;
    } catch (error) {
      toast(words.sentence(error.message), 'wrong');
      this.#eachMap((map) => map.setScene(this.work.scene));
      this.#fullPlans();
      return false;
    }
  }

  /** Changes the level, after what is being changed already. */
  change(edits) {
    const change = async () => {
      const { path } = this.work;
      const { text, scene, notes } = await this.connection.ask({ ask: 'edit', ...this.work.level, edits });
      // Who has opened another level meanwhile changes nothing in it.
      if (this.work.path !== path) return;
      for (const note of notes) toast(words.sentence(note));
      // What is as it was is no step to go back to.
      if (text !== this.work.text) this.work.change({ text, scene });
      else this.#eachMap((map) => map.setScene(this.work.scene));
    };
    const mine = this.#changing.then(change);
    this.#changing = mine.catch(() => {});
    return mine;
  }

  async #connected() {
    document.body.classList.remove('offline');
    by('status').textContent = 'Ready';
    this.files = await this.connection.ask({ ask: 'files' });
    const { settings } = this.work;
    this.work.usualPlanner = this.files.planner;
    if (!this.work.scene && !this.work.restore()) {
      await this.open(FIRST, true);
      this.tour.start();
    }
    for (const side of ['left', 'right']) {
      const known = this.files.planners.some((planner) => planner.name === settings[side].planner);
      if (!known) settings[side].planner = side === 'left' ? this.files.planner : 'astar';
    }
    this.#listScenarios();
    this.panel.show();
    this.#fullPlans();
    this.panel.connected?.();
    await this.panels.teach.takeUp();
  }

  #listScenarios() {
    const select = by('scenario');
    const names = this.files.scenarios.map(({ name }) => name);
    // Copies are called the same: by their files they can be told apart.
    const called = ({ path, name }) => (names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} · ${path.replace('built-in:', 'built in, ')}`);
    const option = (file) => el('option', { value: file.path, title: file.wrong ?? file.path }, file.wrong ? `${called(file)} (broken)` : called(file));
    const groups = [
      [this.connection.files ? 'In this browser' : 'In this folder', this.files.scenarios.filter((file) => !file.built_in)],
      ['Built in', this.files.scenarios.filter((file) => file.built_in)],
    ];
    const filled = groups.filter(([, files]) => files.length > 0);
    select.replaceChildren(...filled.map(([label, files]) => el('optgroup', { label }, ...files.map(option))));
    if (!this.files.scenarios.some((file) => file.path === this.work.path)) {
      select.prepend(el('option', { value: this.work.path }, this.work.scene?.name || this.work.path));
    }
    select.value = this.work.path;
    const isBuiltIn = this.work.path.startsWith('built-in:');
    by('file').textContent = `${isBuiltIn ? `built in: ${this.work.path.slice('built-in:'.length)}` : this.work.path}${this.work.changed ? ' · not saved' : ''}`;
    document.title = `${this.work.changed ? '• ' : ''}${this.work.scene?.name ?? ''} – Apprentice studio`;
  }

  /** The files that are open, and what to do when somebody else has changed one. */
  #watched() {
    const { work, panels } = this;
    const tasks = panels.play.errand.path;
    return [
      [work.path, () => this.#changedElsewhere()],
      [work.view.tasks?.path, async () => {
        await panels.tasks.reloaded();
        if (tasks === work.view.tasks?.path) panels.play.tasksChanged();
      }],
      ...(tasks && tasks !== work.view.tasks?.path ? [[tasks, () => panels.play.tasksChanged()]] : []),
    ];
  }

  /** The file of the level is another: it is opened again, unless something would be lost. */
  async #changedElsewhere() {
    const { work } = this;
    if (work.changed || this.panels.teach.holdsLevel) {
      toast(`${work.path} was changed elsewhere. What you changed stays; saving asks before the file is replaced.`);
      return;
    }
    try {
      const opened = await this.connection.ask({ ask: 'open', path: work.path });
      if (opened.text === work.was || opened.path !== work.path || work.changed) return;
      if (opened.answer === 'broken') {
        await mend(this, opened);
        return;
      }
      await this.panel.leave?.();
      work.open(opened);
      toast(`${work.path} was changed elsewhere, and is read again.`);
    } catch (error) {
      toast(words.inFile(error), 'wrong');
    }
  }

  async refreshFiles() {
    this.files = await this.connection.ask({ ask: 'files' });
    this.#listScenarios();
  }

  /** Opens a level; on a first visit without what others have shown in it. */
  async open(path, first = false) {
    try {
      const opened = await this.connection.ask({ ask: 'open', path });
      if (opened.answer === 'broken') {
        this.#listScenarios();
        await mend(this, opened);
        return;
      }
      if (first) opened.demonstrations = [];
      await this.panel.leave?.();
      const unsaved = this.work.unsaved(opened);
      if (this.work.changed) toast(`What you changed in “${this.work.scene.name || this.work.path}” is not saved, and is here again once you open it.`);
      this.work.open(opened);
      await this.#takeUp(unsaved);
      for (const note of opened.notes) toast(note, 'wrong');
      // Whoever chooses a level wants to see it.
      if (this.work.view.mode === 'tasks') this.setMode('plan');
      await this.panels.teach.takeUp();
    } catch (error) {
      toast(words.inFile(error), 'wrong');
    }
    this.#listScenarios();
  }

  /** What was changed in a level before another was opened, and not saved. */
  async #takeUp(unsaved) {
    if (!unsaved) return;
    const { text, lines } = unsaved;
    const scene = unsaved.scene ?? (await this.work.lookUp({ path: this.work.path, text }));
    this.work.change({ text, scene, lines });
    this.work.setSettings('left', unsaved.planned ?? {});
    toast('What you had not saved is here again. Ctrl+Z shows the file as it is.');
  }

  /** A level that was just made, and is in no file yet. */
  async begin(opened) {
    await this.panel.leave?.();
    if (this.tour.isOpen) this.tour.end();
    if (this.work.changed) toast(`What you changed in “${this.work.scene.name || this.work.path}” is not saved, and is here again once you open it.`);
    this.work.open(opened, true);
    this.setMode('make');
    this.#listScenarios();
  }

  setMode(mode) {
    if (mode === this.work.view.mode) return;
    this.panel.leave?.();
    this.work.set('view', { mode });
    this.panel.enter?.();
    this.drawLines();
  }

  #changed(what, detail) {
    const { work, maps } = this;
    if (['level', 'scene'].includes(what)) this.#eachMap((map) => map.setScene(work.scene));
    if (what === 'level' || what === 'scene') this.quickest.forget();
    if (what === 'level') {
      this.explain(null);
      this.line = null;
      for (const side of Object.keys(maps)) {
        this.plans[side].forget();
        this.telling.forget(side);
        maps[side].setPlan(null);
      }
    }
    if (['level', 'scene', 'lines'].includes(what)) {
      this.drawLines();
      this.panel.changed?.(what);
      this.#fullPlans();
    }
    if (['level', 'scene'].includes(what)) for (const underlay of this.underlays) underlay.show();
    if (what === 'settings') this.plans[detail].retuned();
    if (what === 'saved') this.panels.teach.saved(detail);
    this.#showView();
    this.#listScenarios();
    this.undoButton.disabled = !this.panel.undo && !work.canUndo;
    this.redoButton.disabled = !this.panel.redo && !work.canRedo;
    if (what !== 'settings') this.panel.show();
  }

  #showView() {
    const { view } = this.work;
    for (const [mode, tab] of this.tabs) {
      tab.setAttribute('aria-selected', String(mode === view.mode));
      tab.tabIndex = mode === view.mode ? 0 : -1;
    }
    const isMap = view.mode !== 'tasks';
    by('file').hidden = !isMap;
    by('maps').hidden = !isMap;
    by('zoom').hidden = !isMap;
    by('editor').hidden = isMap;
    const compares = view.compare && view.mode === 'plan';
    by('stage').classList.toggle('compared', compares);
    if (by('right').hidden === compares) {
      by('right').hidden = !compares;
      if (compares) {
        this.maps.right.setScene(this.work.scene);
        this.drawLines();
        this.plans.right.full();
      }
      requestAnimationFrame(() => this.#eachMap((map) => map.fit()));
    }
    this.#eachMap((map) => map.setOptions({ lines: view.lines, radii: view.radii }));
  }

  drawLines() {
    const isTeaching = this.work.view.mode === 'teach';
    this.#eachMap((map) => map.setLines(this.work.lines, isTeaching ? this.line : null, isTeaching ? this.panels.teach.kept : null));
  }

  selectLine(id) {
    if (this.line === id) return;
    this.line = id;
    this.panel.selected?.();
    this.drawLines();
  }

  /** Plans while something is being dragged. */
  livePlans(edits) {
    this.plans.left.live(edits);
    if (this.work.view.compare) this.plans.right.live(edits);
  }

  #fullPlans() {
    if (!this.work.scene || !this.connection.isOpen) return;
    this.plans.left.full();
    if (this.work.view.compare) this.plans.right.full();
  }

  /** Says that the studio is at work, once it has been for so long that somebody may wonder. */
  #showBusy() {
    const waiting = Object.values(this.plans).filter((planning) => planning.isBusy);
    clearTimeout(this.wondering);
    if (waiting.length === 0) {
      by('status').classList.remove('busy');
      if (this.connection.isOpen) by('status').textContent = 'Ready';
      return;
    }
    // One side may be quick while the other is not.
    const left = WONDERING - (performance.now() - Math.min(...waiting.map((planning) => planning.since)));
    if (left <= 0) {
      by('status').classList.add('busy');
      by('status').textContent = 'Planning…';
    } else this.wondering = setTimeout(() => this.#showBusy(), left);
  }

  /** The way is drawn at once. While something is dragged, words about it follow after the picture. */
  #planned(side, answer, detail) {
    const map = this.maps[side];
    map.setRefused(false);
    if (side === 'left' && this.step !== null && this.step >= answer.plan.steps.length) this.step = null;
    map.setPlan(answer, side === 'left' ? this.step : null);
    if (detail === 'live') this.telling.say(side, () => this.#tell(side, answer));
    else {
      this.telling.forget(side);
      this.#tell(side, answer);
    }
  }

  #tell(side, answer) {
    if (side === 'left') {
      if (!this.plans.left.isBusy) by('status').textContent = 'Ready';
      this.why.show();
      if (answer.done && this.work.view.mode === 'plan') this.quickest.want();
    }
    this.panel.planned?.(side, answer);
  }

  #refused(side, message) {
    this.telling.forget(side);
    this.maps[side].setRefused(true);
    this.panel.refused?.(side, message);
  }

  /** Opens the explanation of a step, or shuts it. */
  explain(index) {
    this.step = index;
    this.maps.left.selectStep(index);
    this.why.show();
  }

  hint(text) {
    by('hint').hidden = !text || this.tour.isOpen;
    by('hint').textContent = text ?? '';
  }

  /** What is seen is undone: the text of tasks where that is written, the level elsewhere. */
  #undo() {
    if (this.panel.undo) this.panel.undo();
    else this.work.undo();
  }

  #redo() {
    if (this.panel.redo) this.panel.redo();
    else this.work.redo();
  }

  #key(event) {
    const writes = event.target.closest('input:not([type=checkbox]), textarea, select, dialog');
    const control = event.ctrlKey || event.metaKey;
    if (control && event.key.toLowerCase() === 's') {
      event.preventDefault();
      save(this);
    } else if (control && event.key.toLowerCase() === 'z' && !writes) {
      event.preventDefault();
      if (event.shiftKey) this.#redo();
      else this.#undo();
    } else if (control && event.key.toLowerCase() === 'y' && !writes) {
      event.preventDefault();
      this.#redo();
    } else if (control && event.key.toLowerCase() === 'd' && !writes && this.panel.duplicate) {
      event.preventDefault();
      this.panel.duplicate();
    } else if (!control && !event.altKey && (!writes || event.target.type === 'range')) {
      if (this.panel.key?.(event)) event.preventDefault();
      else if (event.type === 'keydown') this.#shortcut(event);
    }
  }

  #shortcut(event) {
    const mode = MODES.find(([, , , key]) => key === event.key.toLowerCase());
    if (mode) this.setMode(mode[0]);
    else if (event.key === 'r' || event.key === 'R') {
      this.setMode('teach');
      this.panels.teach.record();
    } else if (event.key === 'd' || event.key === 'D') {
      this.setMode('teach');
      this.panels.teach.setTool('draw');
    } else if (event.key === '0') this.#eachMap((map) => map.fit());
    else if (event.key === '+' || event.key === '=') this.#eachMap((map) => map.zoom(1.25));
    else if (event.key === '-') this.#eachMap((map) => map.zoom(0.8));
    else if (event.key === ' ' && this.work.view.mode === 'plan' && !event.target.closest('button, input, summary')) {
      this.setMode('play');
      this.panels.play.toggle();
      event.preventDefault();
    } else if (event.key === 'Escape') {
      if (this.tour.isOpen) this.tour.end();
      this.explain(null);
    } else if (this.step !== null && (event.key === 'n' || event.key === 'p')) this.why.move(event.key === 'n' ? 1 : -1);
  }
}

const app = new App();
// For people at the console, and for tests.
globalThis.studio = app;
