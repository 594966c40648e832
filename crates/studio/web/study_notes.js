// The experimenter's window: what the participant is at, and notes with their moment.

import { Connection } from './connection.js';
import { el } from './elements.js';

/** How often is looked what the participant is at, in milliseconds. */
const OFTEN = 1000;

const now = document.getElementById('now');
const text = document.getElementById('text');
const wrong = document.getElementById('wrong');
const remarks = document.getElementById('remarks');
const connection = new Connection();

const DOING = { thinking: 'plans', following: 'follows its plan', waiting: 'waits', wandering: 'wanders', done: 'is there' };
const STEPS = {
  consent: 'reads the consent', practice: 'practises', drawing: 'draws the line', farewell: 'is at the end', over: 'is done', withdrawn: 'has stopped',
};

const moment = ({ trial, seconds }) => [trial ? `round ${trial}` : '', seconds === null ? '' : `${seconds.toFixed(1)} s`].filter(Boolean).join(', ');

function tell({ participant, step, seconds, doing, remarks: kept }) {
  const trial = step?.trial;
  const at = step?.step === 'questions' ? `answers about round ${trial}` : STEPS[step?.step] ?? `plays round ${trial}`;
  const clock = seconds === null ? '' : `, ${seconds.toFixed(1)} s`;
  const other = DOING[doing] ? `; the character ${DOING[doing]}` : '';
  now.textContent = participant ? `${participant} ${at}${clock}${other}.` : 'Nobody takes part yet.';
  remarks.replaceChildren(...kept.map((remark) => el('li', {}, el('span', { className: 'quiet' }, moment(remark)), remark.text)).reverse());
}

async function look() {
  if (connection.isOpen) tell(await connection.ask({ ask: 'watch' }));
}

document.getElementById('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  wrong.hidden = true;
  try {
    await connection.ask({ ask: 'remark', text: text.value });
    text.value = '';
    text.focus();
    await look();
  } catch (error) {
    wrong.textContent = error.message;
    wrong.hidden = false;
  }
});

connection.on('open', () => look().catch(() => {}));
connection.on('closed', () => { now.textContent = 'The program is not running.'; });
setInterval(() => look().catch(() => {}), OFTEN);
