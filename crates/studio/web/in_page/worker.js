// Plans beside the page, so that drawing never waits. Between two slices of planning it hears what else the page wants.

import { Planner } from './planner.js';

let planner = null;
let isPlanning = false;

/** Timers are held back by browsers when there are many; messages are not. */
const next = new MessageChannel();
next.port1.onmessage = () => orFail(() => {
  const { said, more } = planner.goOn();
  isPlanning = more;
  if (said.length > 0) postMessage({ said });
  if (more) next.port2.postMessage(null);
});

const CALLS = {
  start({ module, files }) {
    planner = new Planner(module);
    for (const [path, text] of files) planner.put(path, text);
    postMessage({ started: true });
  },
  hear({ question }) {
    const { said, wrote } = planner.hear(question);
    if (said.length > 0) postMessage({ said, wrote });
    if (isPlanning) return;
    isPlanning = true;
    next.port2.postMessage(null);
  },
  put({ path, text, number }) {
    const wrong = planner.put(path, text);
    if (number) postMessage({ number, wrong });
  },
  remove({ path }) {
    planner.remove(path);
  },
};

// For people at the console, and for tests.
globalThis.heldBytes = () => planner?.bytes ?? 0;

addEventListener('message', ({ data }) => orFail(() => CALLS[data.call](data)));

/** After a failure nothing more is done here: the page starts another worker. */
function orFail(act) {
  try {
    act();
  } catch (error) {
    postMessage({ failed: error.message });
    close();
  }
}
