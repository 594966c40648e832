// Levels that are tests: what is expected of whoever plays in them, and whether it is so.

import { button, el, refill, toast } from './elements.js';
import * as words from './words.js';

/** What can be expected: its word, what is said of it, and how many of it there are in a unit people use. */
const NUMBERS = [
  ['within', 'arrives in', 's at most', 1],
  ['health', 'has', 'health at least', 1],
  ['followed', 'follows', '% of what you showed at least', 100],
];

export class TestsPanel {
  #app;
  #tests = null;
  /** How each went, by path. */
  #results = new Map();
  #isRunning = false;

  constructor(app) {
    this.#app = app;
  }

  show() {
    this.#app.maps.left.tool = 'move';
    document.body.classList.remove('drawing');
    this.#app.hint(null);
    this.list = el('ol', { class: 'tests', id: 'tests' });
    this.summary = el('p', { class: 'quiet small', id: 'tests-summary', role: 'status' });
    refill(
      document.getElementById('panel'),
      this.#expectations(),
      el(
        'section',
        {},
        el('div', { class: 'row apart' }, el('h2', {}, 'Tests in this folder'), button('play', 'Run all', 'Play every test, and say what is not as expected', () => this.runAll(), { id: 'run-tests', class: 'primary' })),
        this.summary,
        this.list,
        el('p', { class: 'quiet small' }, 'The same on the command line:'),
        el('pre', { class: 'command' }, 'apprentice verify --all'),
      ),
    );
    this.#showList();
  }

  enter() {
    this.#look();
  }

  connected() {
    this.#look();
  }

  changed() {
    this.#look();
  }

  async #look() {
    try {
      const { tests } = await this.#app.connection.ask({ ask: 'tests' });
      this.#tests = tests;
    } catch {
      // The list is looked at again when the studio is back.
    }
    this.#showList();
  }

  /** What is expected of the level that is open. */
  #expectations() {
    const { work } = this.#app;
    const expects = work.scene?.expects ?? null;
    const change = (values) => this.#app.edit([{ edit: 'expect', expect: values }]);
    const usual = { arrives: true, within: null, health: null, unnoticed: false, followed: null };
    const check = (key, text, isOn, act) => el('label', {}, el('input', { type: 'checkbox', id: `expect-${key}`, checked: isOn, onchange: ({ target }) => act(target.checked) }), text);
    const number = ([key, before, after, unit]) => el(
      'label',
      { class: 'expectation' },
      before,
      el('input', {
        type: 'number', min: 0, step: 'any', id: `expect-${key}`, placeholder: 'any', value: expects[key] === null ? '' : Math.round(100 * unit * expects[key]) / 100,
        onchange: ({ target }) => change({ ...expects, [key]: target.value === '' ? null : Number(target.value) / unit }),
      }),
      after,
    );
    return el(
      'section',
      {},
      el('h2', {}, 'What is expected in this level'),
      el(
        'div',
        { class: 'checks' },
        check('any', 'It is a test', expects !== null, (isOn) => change(isOn ? usual : null)),
        ...(expects
          ? [
            check('arrives', 'it reaches the goal', expects.arrives, (arrives) => change({ ...expects, arrives })),
            ...NUMBERS.map(number),
            check('unnoticed', 'nobody notices it', expects.unnoticed, (unnoticed) => change({ ...expects, unnoticed })),
          ]
          : []),
      ),
      work.changed && expects ? el('p', { class: 'quiet small' }, 'Save the level (Ctrl+S), and it is in the list.') : null,
    );
  }

  #showList() {
    if (!this.list?.isConnected) return;
    const tests = this.#tests ?? [];
    this.list.replaceChildren(...tests.map((test) => this.#row(test)));
    const done = tests.map(({ path }) => this.#results.get(path)).filter((result) => typeof result === 'object');
    const failed = done.filter(({ passed }) => !passed).length;
    this.summary.textContent = tests.length === 0
      ? 'None yet: say above what is expected of a level, or save a moment of a game as a test.'
      : done.length === 0 ? `${tests.length} to run` : failed > 0 ? `${failed} of ${done.length} failed` : `${done.length} of ${tests.length} as expected`;
  }

  #row(test) {
    const { path, name, expects, has_plan: hasPlan } = test;
    const result = this.#results.get(path);
    const state = result === 'running' ? 'running' : !result ? 'unknown' : result.passed ? 'passed' : 'failed';
    const sign = { running: '…', unknown: '·', passed: '✓', failed: '✕' }[state];
    const figures = result?.time !== undefined && result?.time !== null
      ? [words.seconds(result.time), `${Math.round(result.health)} health`, result.followed === null ? null : `${words.percent(result.followed)} followed`].filter(Boolean).join(', ')
      : '';
    return el(
      'li',
      { class: state, dataset: { id: path } },
      el('span', { class: 'sign', 'aria-label': state }, sign),
      el(
        'div',
        {},
        el('button', { type: 'button', class: 'bare name', title: `Open ${path}`, onclick: () => this.#app.open(path) }, el('span', {}, name)),
        el('div', { class: 'quiet small' }, expected(expects, hasPlan)),
        figures ? el('div', { class: 'quiet small figures' }, figures) : null,
        ...(result?.unmet ?? []).map((text) => el('div', { class: 'unmet small' }, words.sentence(words.sentenceCase(text)))),
      ),
      button('play', '', `Run ${name}`, () => this.#run(path), { class: 'bare' }),
    );
  }

  async #run(path) {
    this.#results.set(path, 'running');
    this.#showList();
    try {
      this.#results.set(path, await this.#app.connection.ask({ ask: 'run_test', path }));
    } catch (error) {
      this.#results.set(path, { passed: false, unmet: [words.inFile(error)] });
    }
    this.#showList();
  }

  async runAll() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    await this.#look();
    for (const { path } of this.#tests ?? []) await this.#run(path);
    this.#isRunning = false;
    if ((this.#tests ?? []).length === 0) toast('There are no tests in this folder yet.');
  }
}

function expected(expects, hasPlan) {
  const told = expects
    ? [
      expects.arrives ? 'arrives' : 'does not arrive',
      expects.within === null ? null : `in ${words.seconds(expects.within)}`,
      expects.health === null ? null : `${expects.health} health or more`,
      expects.unnoticed ? 'unnoticed' : null,
      expects.followed === null ? null : `follows ${words.percent(expects.followed)}`,
    ]
    : [];
  return [...told, hasPlan ? 'its plan works' : null].filter(Boolean).join(' · ');
}
