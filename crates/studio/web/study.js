// The study, step by step: the program says what comes next, the page shows it and hands on what people do.

import { Connection } from './connection.js';
import { el } from './elements.js';
import { play } from './study_game.js';
import { StudyMap } from './study_map.js';

const SCALE = [[-2, 'Strongly disagree'], [-1, 'Disagree'], [0, 'Neither'], [1, 'Agree'], [2, 'Strongly agree']];
/** How long a comment rests before it is kept, in milliseconds. */
const REST = 400;

const main = document.getElementById('main');
const where = document.getElementById('where');
const progress = document.getElementById('progress');
const stop = document.getElementById('stop');
const trouble = document.getElementById('trouble');

const connection = new Connection();
let state = null;
/** Rises with every page that is shown, so that what belongs to an earlier one is left alone. */
let shown = 0;

async function ask(question) {
  const answer = await connection.ask(question);
  if (answer.answer === 'elsewhere') throw new Error('The study goes on in another window. Load this page again to go on here.');
  return answer;
}

function complain(error) {
  trouble.textContent = error.message;
  trouble.hidden = false;
}

/** Asks, and goes on with what comes next. */
async function goOn(question) {
  try {
    trouble.hidden = true;
    await next(await ask(question));
  } catch (error) {
    complain(error);
  }
}

const button = (text, act, properties = {}) => el('button', { className: 'main', onclick: act, ...properties }, text);

function card(...parts) {
  const made = el('section', { className: 'card' }, ...parts);
  main.replaceChildren(made);
  main.scrollTop = 0;
  return made;
}

/** How far somebody has come, of everything there is to do. */
function share({ step, trial, trials }) {
  const all = trials * 2 + 4;
  const drawn = (trial ?? 0) > trials / 2 ? 1 : 0;
  const steps = { consent: 0, practice: 1, drawing: 2 + trials, farewell: all - 1, over: all, withdrawn: all };
  return (steps[step] ?? 2 + drawn + (trial - 1) * 2 + (step === 'questions' ? 1 : 0)) / all;
}

const STEPS = {
  consent: 'Welcome', practice: 'Practice', drawing: 'Show the way', farewell: 'The end', over: 'The end', withdrawn: 'The end',
};

async function next(answer) {
  state = answer;
  shown += 1;
  const { step, trial, trials } = state;
  where.textContent = STEPS[step] ?? `Round ${trial} of ${trials}`;
  progress.hidden = false;
  progress.value = share(state);
  stop.hidden = ['over', 'withdrawn'].includes(step);
  await PAGES[step]();
}

const PAGES = {
  consent() {
    const agree = button('I agree and take part', () => goOn({ ask: 'consent' }), { disabled: true });
    const box = el('input', { type: 'checkbox', id: 'agree', onchange: () => { agree.disabled = !box.checked; } });
    card(
      el('h1', {}, 'Welcome'),
      el('p', { className: 'consent' }, state.consent),
      el('label', { className: 'check' }, box, 'I have read this, and I am willing to take part.'),
      el('div', { className: 'row' }, agree),
    );
  },

  practice() {
    card(
      el('h1', {}, 'First, a room to practise in'),
      el('p', {}, 'You are the blue disc. Walk with the arrow keys; hold two for diagonals. Walk to the green circle.'),
      el('div', { className: 'row' }, button('Begin', () => round(false), { autofocus: true })),
    ).querySelector('button').focus();
  },

  trial() {
    const isFirst = state.trial === 1;
    const isAtBear = state.trial > state.trials / 2;
    const how = isAtBear
      ? [
        el('p', {}, `You and ${state.label} must both get to the green circle. Two doors are in the way. A lever opens them, and a bear guards it.`),
        el('p', {}, `The bear hears you inside the dashed circle, and it is faster than you are. It does not mind ${state.label}, who has seen your line.`),
      ]
      : [
        el('p', {}, `You and ${state.label} must both get to the green circle. A key opens the door of its colour, whoever of you takes it through.`),
      ];
    if (isFirst) how.push(el('p', {}, 'You can walk at once. The other one sets out as soon as it knows what to do.'));
    card(
      el('h1', {}, `Round ${state.trial}: you and ${state.label}`), ...how,
      el('div', { className: 'row' }, button('Begin', () => round(true))),
    ).querySelector('button').focus();
  },

  questions() {
    const { trial, label, statements, answers, seconds } = state;
    const given = [...answers];
    const missing = () => given.flatMap((answer, number) => (answer === null ? [number] : []));
    const fields = statements.map((statement, number) => {
      const choices = SCALE.map(([value, word]) => el('label', {}, el('input', {
        type: 'radio', name: `q${number + 1}`, value: String(value), checked: given[number] === value, onchange: () => choose(number, value),
      }), word));
      return el('fieldset', { id: `statement-${number + 1}` }, el('legend', {}, statement), el('div', { className: 'scale' }, ...choices));
    });
    // What was chosen is kept at once; the program answers when it is on the disk.
    const kept = new Set();
    async function choose(number, value) {
      given[number] = value;
      fields[number].classList.remove('missing');
      const waits = ask({ ask: 'answer', trial, statement: number + 1, answer: value });
      kept.add(waits);
      try {
        await waits;
        fields[number].dataset.kept = String(value);
      } catch (error) {
        given[number] = null;
        for (const input of fields[number].querySelectorAll('input')) input.checked = false;
        complain(error);
      } finally {
        kept.delete(waits);
      }
    }
    given.forEach((answer, number) => { if (answer !== null) fields[number].dataset.kept = String(answer); });
    const comment = el('textarea', { rows: 3, id: 'comment', value: state.comment, oninput: () => rest() });
    let timer = null;
    const keep = () => {
      clearTimeout(timer);
      timer = null;
      return ask({ ask: 'comment', trial, text: comment.value });
    };
    function rest() {
      clearTimeout(timer);
      timer = setTimeout(() => keep().catch(complain), REST);
    }
    async function done() {
      const open = missing();
      for (const number of open) fields[number].classList.add('missing');
      if (open.length) {
        fields[open[0]].scrollIntoView({ block: 'center' });
        fields[open[0]].querySelector('input').focus();
        return;
      }
      try {
        await Promise.all(kept);
        if (timer !== null) await keep();
      } catch (error) {
        complain(error);
        return;
      }
      await goOn({ ask: 'questions_done', trial });
    }
    const took = state.times_shown && seconds !== null ? `That took ${seconds.toFixed(1)} seconds. ` : '';
    card(
      el('h1', {}, `What do you think of ${label}?`),
      el('p', { className: 'quiet' }, `${took}Say how much you agree. There is no right or wrong.`),
      ...fields,
      el('label', { htmlFor: 'comment' }, el('h2', {}, 'Anything else about it?')),
      comment,
      el('div', { className: 'row' }, button('Done', done)),
    );
  },

  drawing() {
    const canvas = el('canvas', { id: 'map', className: 'drawing', ariaLabel: 'The map to draw on' });
    const done = button('Done', () => goOn({ ask: 'drawing_done' }), { disabled: state.drawn.length < 2 });
    main.replaceChildren(el('div', { className: 'game' },
      el('div', { className: 'told' }, el('span', {}, 'Show the other one the way: draw a line with the mouse from the yellow disc by the lever to the goal, as on a map for a friend. Draw again to change it.'), done),
      canvas));
    const map = new StudyMap(canvas, state.room);
    // For tests, which draw where things are.
    globalThis.study = { map, room: state.room };
    map.drawn = state.drawn;
    map.draw();
    let points = null;
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      points = [map.toMap(event.clientX, event.clientY)];
    });
    canvas.addEventListener('pointermove', (event) => {
      if (!points) return;
      const [x, y] = map.toMap(event.clientX, event.clientY);
      const [lastX, lastY] = points.at(-1);
      if (Math.hypot(x - lastX, y - lastY) < 0.5) return;
      points.push([x, y]);
      map.drawn = points;
      map.draw();
    });
    const lift = async () => {
      const line = points;
      points = null;
      if (!line || line.length < 2) return;
      try {
        await ask({ ask: 'draw', points: line });
        state.drawn = line;
        done.disabled = false;
      } catch (error) {
        complain(error);
      }
      map.drawn = state.drawn;
      map.draw();
    };
    canvas.addEventListener('pointerup', lift);
    canvas.addEventListener('pointercancel', lift);
  },

  farewell() {
    const comment = el('textarea', { rows: 4, id: 'comment' });
    card(
      el('h1', {}, 'That was the last round'),
      el('label', { htmlFor: 'comment' }, el('p', {}, 'Is there anything you would like to say about all of it?')),
      comment,
      el('div', { className: 'row' }, button('Done', () => goOn({ ask: 'end', comment: comment.value }))),
    );
  },

  over() {
    card(
      el('h1', {}, 'Thank you!'),
      el('p', {}, 'Everything is kept. Please tell the experimenter that you are done.'),
      el('p', { className: 'quiet' }, `Your number: ${state.participant}`),
    );
  },

  withdrawn() {
    card(el('h1', {}, 'You have stopped'), el('p', {}, 'Thank you all the same. Your results are left out.'));
  },
};

async function round(canGiveUp) {
  const mine = shown;
  try {
    trouble.hidden = true;
    await play(main, { ask, timesShown: state.times_shown, hurried: state.hurried, canGiveUp });
    if (mine === shown) await resume(state.participant);
  } catch (error) {
    complain(error);
  }
}

const resume = (participant) => goOn({ ask: 'resume', participant });

stop.addEventListener('click', () => {
  const over = el('div', { className: 'over' }, el('div', { className: 'card', role: 'dialog', ariaLabel: 'Stop taking part' },
    el('h1', {}, 'Stop taking part?'),
    el('p', {}, 'Your results are then left out. You cannot go on later.'),
    el('div', { className: 'row' },
      el('button', { onclick: () => over.remove() }, 'Go on'),
      button('Stop', () => {
        over.remove();
        goOn({ ask: 'withdraw' });
      }))));
  document.body.append(over);
  over.querySelector('button').focus();
});

/** What the experimenter sees first: who takes part. */
function people({ folder, participants, wrong }) {
  state = null;
  shown += 1;
  where.textContent = 'Before a participant comes';
  progress.hidden = true;
  stop.hidden = true;
  const times = el('input', { type: 'checkbox', id: 'times', checked: true });
  const seventh = el('input', { type: 'checkbox', id: 'seventh' });
  // Programs that rehearse the study are in a hurry; what they leave is marked.
  const hurried = Number(new URLSearchParams(location.search).get('hurry')) || null;
  const begin = () => goOn({ ask: 'begin', times_shown: times.checked, seventh: seventh.checked ? 'less_closely' : 'too_exactly', hurried });
  const open = participants.filter(({ step }) => !['over', 'withdrawn'].includes(step));
  const finished = participants.length - open.length;
  const list = open.map(({ id, step, trial, begun_at: begun }) => el('li', {},
    el('b', {}, id), el('span', { className: 'quiet' }, `${trial ? `round ${trial}` : STEPS[step]}, begun ${new Date(begun).toLocaleString()}`),
    el('button', { onclick: () => resume(id) }, 'Go on')));
  card(
    el('h1', {}, 'A study with a game of two'),
    el('p', {}, 'Prepare here, then hand over to the participant. Your own notes go into a second window.'),
    el('label', { className: 'check' }, times, 'Show how long a round takes. Some people race when they see it.'),
    el('label', { className: 'check' }, seventh, 'Word the seventh statement as “should have kept less closely to my line”. People found that harder to understand than ours.'),
    el('div', { className: 'row' }, button('New participant', begin), el('button', { onclick: () => window.open('study_notes.html', 'apprentice-notes', 'width=560,height=640') }, 'Open the notes')),
    ...(list.length ? [el('h2', {}, 'Interrupted'), el('ul', { className: 'people' }, ...list)] : []),
    ...wrong.map((text) => el('p', { role: 'alert' }, text)),
    el('p', { className: 'quiet' }, `${finished} finished so far. The results are in ${folder}.`),
  );
}

connection.on('open', async () => {
  trouble.hidden = true;
  try {
    // Whoever was interrupted in the middle goes on by itself.
    if (state && !['over', 'withdrawn'].includes(state.step)) await resume(state.participant);
    else if (!state) people(await ask({ ask: 'who' }));
  } catch (error) {
    complain(error);
  }
});
connection.on('closed', () => complain(new Error('The program is not running. Please call the experimenter; nothing you answered is lost.')));
