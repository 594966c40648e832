// Playing: the character carries out its plan, and whatever gets in its way makes it plan anew. All that happens is on
// a timeline, and every moment of it can be gone back to.

import { askFor, button, el, icon, refill, tell, toast } from './elements.js';
import { Hands, KEYS_HELP } from './hands.js';
import { badge } from './symbols.js';
import { ErrandPart } from './errand_part.js';
import { chooseLog } from './watch_panel.js';
import * as words from './words.js';

const STATES = {
  following: 'Follows its plan', thinking: 'Replanning…', done: 'Has reached the goal', stuck: 'Knows no way; waits for one', dead: 'Is dead',
};

/** What the person at the page does to things, as the log tells it. */
const DOINGS = {
  open: (thing) => `you open ${thing}`,
  shut: (thing) => `you shut ${thing}`,
  remove: (thing) => `you take ${thing} away`,
  return: (thing) => `you put ${thing} back`,
  move: (thing) => `you move ${thing}`,
};

/** Lines of the timeline that are kept. */
const MOST_LINES = 200;

/** Letters of a level's name in that of a test: the name of a file has room for sixty. */
const LONGEST_NAME = 40;

export class PlayPanel {
  #app;
  #hands = null;
  #log = [];
  #mind = null;
  #opening = null;
  #newest = null;
  #putting = null;
  /** Where the character was in each moment so far. */
  #been = [];
  /** The line of the log whose ways are on the map. */
  #chosen = null;
  #pausesAtPlans = false;
  /** Whether an earlier moment is being looked at: it is not news. */
  #isSeeking = false;
  /** The way ahead that was left, as long as there is no other. */
  #left = null;

  /** What the others were at, by id, and what tasks were, when that was last told. */
  #minds = new Map();
  #errand = null;

  constructor(app) {
    this.#app = app;
    this.errand = new ErrandPart(app);
  }

  /** The moment that is shown; null if nothing is played. */
  get frame() {
    return this.#hands?.frame ?? null;
  }

  capturesKeys(key) {
    return Boolean(this.#hands?.frame.player) && this.#hands.handles(key);
  }

  show() {
    this.#app.maps.left.tool = 'move';
    this.#app.hint(null);
    const panel = document.getElementById('panel');
    this.state = el('div', { class: 'mind', id: 'mind', role: 'status' }, el('i'), el('span', {}, 'Not begun'));
    this.why = el('p', { class: 'quiet small reason', id: 'replan-why' });
    this.clock = el('span', { class: 'quiet', id: 'play-clock' });
    this.scrub = el('input', { type: 'range', min: 0, max: 0, value: 0, id: 'timeline', 'aria-label': 'Moment', title: 'Go back to an earlier moment', oninput: (event) => this.#seek(Number(event.target.value), false), onchange: (event) => this.#seek(Number(event.target.value), true) });
    this.marks = el('div', { class: 'marks', id: 'marks', 'aria-hidden': 'true' });
    this.holds = el('p', { class: 'quiet small', id: 'play-holds' });
    this.toggleButton = button('play', 'Play', 'Play or pause (Space)', () => this.toggle(), { class: 'primary', id: 'play' });
    this.things = el('section', { id: 'disturb' });
    this.fingers = el('div', {}, this.#hands?.pad() ?? null);
    this.list = el('ol', { class: 'log', id: 'log', reversed: true });
    const pauses = el('input', { type: 'checkbox', id: 'pause-at-plans', checked: this.#pausesAtPlans, onchange: (event) => { this.#pausesAtPlans = event.target.checked; } });
    const speed = el('select', { 'aria-label': 'Speed', id: 'speed', title: 'How fast time passes', onchange: () => { if (this.#hands) this.#hands.speed = Number(speed.value); } }, ...[0.5, 1, 2, 4, 8].map((factor) => el('option', { value: factor }, `${factor}×`)));
    speed.value = String(this.#hands?.speed ?? 1);
    this.speed = speed;
    refill(
      panel,
      el(
        'section',
        {},
        el(
          'div',
          { class: 'transport' },
          button('back', '', 'Back to the beginning', () => this.#restart(), { id: 'restart' }),
          this.toggleButton,
          button('step', '', 'One moment further', () => this.#single(), { id: 'single' }),
          speed,
        ),
        this.scrub,
        this.marks,
        el('div', { class: 'row tight' }, this.clock, button('flag', 'Save as test', 'Save this moment as a scenario and the plan that must work in it', () => this.#saveMoment(), { id: 'save-moment', class: 'bare' })),
        this.holds,
        this.state,
        this.why,
        this.errand.element,
        el('div', { class: 'checks' }, el('label', { title: 'Stop whenever the character leaves its plan or has a new one' }, pauses, 'Pause when it replans')),
      ),
      this.things,
      this.#playerPart(),
      // It grows while one plays: nothing that can be pressed is below it.
      el(
        'section',
        {},
        el('div', { class: 'row apart' }, el('h2', {}, 'What happened'), button('import', 'A game’s log…', 'Open what a game that uses the library has written down, also while it runs', () => chooseLog(this.#app), { class: 'bare', id: 'open-log' })),
        this.list,
      ),
    );
    this.#showLog();
    if (this.#hands) this.#show(this.#hands.frame);
    else this.#open();
  }

  leave() {
    this.#end();
  }

  changed() {
    this.#end();
  }

  /** A game is in the studio, and only there. */
  lost() {
    return this.#isBegun ? 'the game begins anew then, everything else is still here' : null;
  }

  get #isBegun() {
    return (this.frame?.count ?? 1) > 1;
  }

  connected() {
    if (this.#isBegun) toast('The studio was away, and the game with it: it begins anew.');
    this.#end();
    this.#open();
  }

  #end() {
    this.#stop();
    this.#app.maps.left.setFrame(null);
    if (this.#app.work.scene) this.#app.maps.left.setScene(this.#app.work.scene);
  }

  /** Nothing of the game that is over reaches the next one, or the map. */
  #stop() {
    this.#hands?.stop();
    this.#hands = null;
    this.#newest = null;
    this.#app.maps.left.setRefused(false);
    this.#app.maps.left.setDisturbed(false);
  }

  /** Begins a game: with the tasks that are bound to the level, unless they cannot be done. */
  async #begin() {
    const { connection, work } = this.#app;
    const question = { ask: 'play', ...work.level, demonstrations: work.shown, settings: work.settings.left };
    let tasks = null;
    try {
      tasks = await this.errand.read();
      const frame = await connection.ask({ ...question, tasks });
      this.errand.given = tasks;
      return frame;
    } catch (error) {
      if (!work.scene?.tasks) throw error;
      toast(`${words.sentence(error.message)} The character does what the level asks for.`, 'wrong');
      this.errand.given = null;
      return connection.ask(question);
    }
  }

  /** The file of the tasks was changed while they are carried out. */
  tasksChanged() {
    const hands = this.#hands;
    if (!hands) return;
    this.errand.changed((frame) => {
      if (this.#hands !== hands) return;
      this.#forgetLater();
      this.#note(frame, 'has other tasks now', 'yours');
      hands.take(frame);
    });
  }

  async #open() {
    const { connection, work, maps } = this.#app;
    if (!work.scene || !connection.isOpen) return;
    const opening = this.#begin();
    this.#opening = opening;
    try {
      const frame = await opening;
      if (this.#opening !== opening || this.#app.panel !== this) return;
      this.#stop();
      this.#log = [];
      this.#been = [[frame.npc.x, frame.npc.y]];
      this.#chosen = null;
      this.#mind = frame.mind;
      this.#minds = new Map((frame.members ?? []).map(({ id, mind }) => [id, mind]));
      this.#errand = frame.errand;
      // What was moved in the game before is where it was.
      maps.left.setScene(work.scene);
      this.#hands = new Hands(connection, maps.left, frame, {
        canRun: work.scene.can_run,
        onframe: (now) => this.#heard(now),
        onpassed: () => this.#forgetLater(),
        onwrong: (error) => {
          toast(error.message, 'wrong');
          this.#show(this.#hands.frame);
        },
      });
      this.#hands.speed = Number(this.speed.value);
      this.fingers.replaceChildren(this.#hands.pad());
      this.#showLog();
      this.#show(frame);
    } catch (error) {
      toast(error.message, 'wrong');
    }
  }

  async toggle() {
    if (!this.#hands) await this.#open();
    if (!this.#hands) return;
    if (this.#hands.isRunning) this.#hands.pause();
    else this.#hands.start();
    this.#app.tour.did('play');
    this.#show(this.#hands.frame);
  }

  async #restart() {
    this.#stop();
    await this.#open();
  }

  async #single() {
    if (!this.#hands) return;
    this.#hands.pause();
    await this.#ask(() => this.#hands.go(1));
  }

  /** Whoever has let go of the slider stays, and sees what the character was about to do then. */
  async #seek(frame, stays) {
    if (!this.#hands) return;
    this.#hands.pause();
    await this.#ask(async () => {
      const moment = await this.#app.connection.ask({ ask: 'seek', frame, stays });
      this.#mind = moment.mind;
      this.#minds = new Map(moment.members.map(({ id, mind }) => [id, mind]));
      this.#errand = moment.errand;
      this.#isSeeking = true;
      this.#hands.take(moment);
      this.#isSeeking = false;
    });
  }

  /** What happened after the moment from which it goes on has not happened. */
  #forgetLater() {
    if (!this.#hands) return;
    const { number } = this.#hands.frame;
    this.#log = this.#log.filter((line) => line.number <= number);
    this.#been.length = Math.min(this.#been.length, number + 1);
    if (this.#chosen && !this.#log.includes(this.#chosen)) this.#chosen = null;
  }

  /** Goes to the moment of a line of the log, and shows the ways it is about. */
  async #jump(line) {
    await this.#seek(line.number, true);
    this.#chosen = line;
    if (this.#hands) this.#show(this.#hands.frame);
    this.#showLog();
  }

  async #ask(act) {
    try {
      await act();
    } catch (error) {
      toast(error.message, 'wrong');
    }
    if (this.#hands) this.#show(this.#hands.frame);
  }

  #heard(frame) {
    this.#been[frame.number] = [frame.npc.x, frame.npc.y];
    if (!this.#isSeeking) this.#chosen = null;
    for (const word of frame.events) {
      const { text, kind, what, amount } = words.event(word);
      this.#note(frame, text, kind === 'danger' ? 'danger' : '');
      if (what === 'hurt_by') this.#app.maps.left.showHit(words.whom(word), amount);
    }
    this.#noteErrand(frame);
    this.#noteMind(frame);
    this.#noteOthers(frame);
    const ended = frame.goal_met || frame.npc.health <= 0;
    if ((ended || frame.hour_is_up) && this.#hands?.isRunning) {
      this.#hands.pause();
      if (ended) this.#note(frame, frame.goal_met ? 'reaches the goal' : 'has failed', frame.goal_met ? 'replan' : 'danger');
      else toast('An hour has been played, and a game takes no more. The slider goes back to any moment of it, to look at it or to go on from there.');
    }
    this.#show(frame);
  }

  /** Why a plan was left is told when it is left: when there is a new one, that may be long ago. */
  #noteMind(frame) {
    const [before, now] = [this.#mind, frame.mind];
    this.#mind = now;
    if (!before || !now) return;
    const isNew = now.plans > before.plans && now.plans > 1;
    const reason = now.why ? `: ${now.why}` : '';
    const isLeft = before.state === 'following' && ['thinking', 'stuck'].includes(now.state);
    if (isLeft) this.#left = before.ahead;
    const ways = { before: this.#left ?? before.ahead, after: now.ahead };
    if (isNew) this.#note(frame, before.state === 'following' ? `has a new plan${reason}` : 'has a new plan', 'replan', ways);
    else if (isLeft) this.#note(frame, `leaves its plan${reason}`, 'replan', { before: before.ahead, after: null });
    if (isNew) this.#left = null;
    if (now.state === 'stuck' && before.state !== 'stuck') this.#note(frame, 'knows no way, and waits for one', 'danger');
    if ((isNew || isLeft) && this.#pausesAtPlans && this.#hands?.isRunning) {
      this.#hands.pause();
      [this.#chosen] = this.#log.filter(({ kind }) => kind === 'replan');
    }
  }

  /** Which task is begun, and when all are done. */
  #noteErrand(frame) {
    const [before, now] = [this.#errand, frame.errand];
    this.#errand = now;
    if (!now || this.#isSeeking) return;
    if (now.step && now.step !== before?.step) this.#note(frame, `begins ${now.step}`, '');
    if (now.state === 'failed' && before?.state !== 'failed') this.#note(frame, `cannot go on: ${now.why}`, 'danger');
  }

  /** The others' plans are news, too. */
  #noteOthers(frame) {
    for (const { id, mind } of frame.members ?? []) {
      const before = this.#minds.get(id);
      this.#minds.set(id, mind);
      if (!mind || !before || this.#isSeeking) continue;
      const reason = mind.why ? `: ${mind.why}` : '';
      if (mind.plans > before.plans && mind.plans > 1) this.#note(frame, `${words.name(id)} has a new plan${reason}`, 'replan');
      if (mind.state === 'done' && before.state !== 'done') this.#note(frame, `${words.name(id)} has reached its goal`, 'replan');
      if (mind.state === 'stuck' && before.state !== 'stuck') this.#note(frame, `${words.name(id)} knows no way, and waits for one`, 'danger');
    }
  }

  #note({ time, number }, text, kind, ways = null) {
    this.#log.unshift({ time, number, text, kind, ways });
    if (this.#log.length > MOST_LINES) this.#log.pop();
    this.#showLog();
  }

  #showLog() {
    const shown = this.#log.map((line) => el('li', { class: line.kind }, el(
      'button',
      { type: 'button', class: 'bare', title: 'Go to this moment', 'aria-pressed': String(line === this.#chosen), onclick: () => this.#jump(line) },
      el('time', {}, words.seconds(line.time)),
      el('span', {}, line.text),
    )));
    const last = Math.max(1, (this.frame?.count ?? 1) - 1);
    this.marks?.replaceChildren(...this.#log.map(({ number, kind }) => {
      const mark = el('i', { class: kind });
      mark.style.left = `${(100 * Math.min(number, last)) / last}%`;
      return mark;
    }));
    this.list.replaceChildren(...(shown.length > 0 ? shown : [el('li', { class: 'quiet' }, this.frame?.count > 1 ? 'Nothing so far.' : 'Nothing yet. Press play.')]));
  }

  #show(frame) {
    if (!this.state?.isConnected) return;
    const { mind } = frame;
    // Who has arrived, or died, has not been asked for another order.
    const ended = frame.goal_met ? 'done' : frame.npc.health <= 0 ? 'dead' : null;
    const state = ended ?? mind?.state ?? 'thinking';
    const isFresh = frame.count === 1;
    this.state.className = `mind ${isFresh ? '' : state}`;
    this.state.dataset.state = state;
    this.state.dataset.plans = mind?.plans ?? 0;
    this.state.lastChild.textContent = isFresh ? 'Ready to go' : STATES[state];
    const why = mind?.why && !isFresh ? `Last changed its mind because ${mind.why}.` : '';
    this.why.textContent = why;
    this.why.title = why;
    this.clock.textContent = `${words.seconds(frame.time)} · health ${Math.round(frame.npc.health)}`;
    this.holds.textContent = `${words.sentenceCase(frame.npc.gait)}s, holds ${words.names(frame.npc.holding) || 'nothing'}`;
    this.holds.title = this.holds.textContent;
    const { before, after } = this.#chosen?.ways ?? {};
    this.#app.maps.left.setBeen(this.#been.slice(0, frame.number + 1).filter(Boolean), before, after);
    this.scrub.max = Math.max(1, frame.count - 1);
    this.scrub.value = frame.number;
    const running = this.#hands?.isRunning;
    this.toggleButton.firstChild.replaceWith(icon(running ? 'pause' : 'play'));
    this.toggleButton.lastChild.textContent = running ? 'Pause' : 'Play';
    this.toggleButton.setAttribute('aria-pressed', String(Boolean(running)));
    this.#showThings(frame);
    this.errand.show(frame);
    if (this.#log.length === 0) this.#showLog();
  }

  /** Who has a row keeps it: only what its button does changes with the game. */
  #showThings(frame) {
    const rows = this.#app.work.scene.things.filter(({ kind }) => ['door', 'key', 'shield', 'item'].includes(kind));
    const key = JSON.stringify(rows.map(({ id, title }) => [id, title]));
    if (this.things.dataset.key !== key) {
      this.things.dataset.key = key;
      refill(
        this.things,
        el('h2', {}, 'Get in its way'),
        el('p', { class: 'quiet small' }, rows.length > 0 ? 'Drag enemies, keys or doors on the map while it walks, or:' : 'Drag enemies or the goal on the map while it walks.'),
        ...rows.map((thing) => el(
          'div',
          { class: 'thing-row', dataset: { id: thing.id } },
          badge(thing),
          el('span', { class: 'title', title: thing.title }, thing.title),
          el('button', { type: 'button', onclick: (event) => this.#disturb({ disturbance: event.currentTarget.dataset.does, thing: thing.id }) }, el('span')),
        )),
      );
    }
    for (const thing of rows) {
      const control = this.things.querySelector(`[data-id="${CSS.escape(thing.id)}"] button`);
      const [does, text, title] = disturbanceOf(thing, frame);
      if (control.dataset.does === does) continue;
      control.dataset.does = does;
      control.title = title;
      control.lastChild.textContent = text;
    }
  }

  async #disturb(disturbance) {
    const hands = this.#hands;
    if (!hands) return;
    await this.#ask(async () => {
      const frame = await this.#app.connection.ask({ ask: 'disturb', ...disturbance });
      this.#disturbed(hands, frame, DOINGS[disturbance.disturbance](words.name(disturbance.thing)));
    });
  }

  /** The moment after somebody got in the way, and what was done. */
  #disturbed(hands, frame, doing) {
    if (this.#hands !== hands) return;
    this.#forgetLater();
    if (doing) this.#note(frame, doing, 'yours');
    this.#app.maps.left.setDisturbed(true);
    hands.take(frame);
  }

  /** A door that is clicked opens or shuts in the game. */
  touched(thing) {
    const isDoor = this.#app.work.scene.things.some((one) => one.id === thing && one.kind === 'door');
    if (isDoor && this.#hands) this.#disturb({ disturbance: this.#hands.frame.open.includes(thing) ? 'shut' : 'open', thing });
    return true;
  }

  /** Things on the map belong to the game while it is played, and move in it while they are dragged. */
  drag(thing, spot) {
    if (!this.#hands) return true;
    const { isRunning } = this.#hands;
    // Somebody who is carried goes along with every moment that passes.
    if (this.#isSomebody(thing) && isRunning) this.#hands.held = { thing, ...spot };
    else this.#put({ thing, spot, isDropped: false, disturbance: 'move' });
    return true;
  }

  /** Who is put down lives there; who is `back` where it was taken from, where it always did. */
  async drop(thing, spot, back = false) {
    if (!this.#hands) return false;
    this.#hands.held = null;
    await this.#put({ thing, spot, isDropped: true, disturbance: back ? 'move' : 'settle' });
    if (this.#hands) this.#app.maps.left.setFrame(this.#hands.frame);
    return true;
  }

  #isSomebody(thing) {
    const known = this.#app.work.scene.things.find((one) => one.id === thing);
    return ['beast', 'player', 'actor'].includes(known?.kind);
  }

  /** Puts a thing somewhere. While one is being put, only the newest place is remembered. */
  async #put(what) {
    this.#newest = what;
    this.#putting ??= this.#putNewest();
    await this.#putting;
  }

  async #putNewest() {
    while (this.#newest && this.#hands) {
      const { thing, spot, isDropped, disturbance } = this.#newest;
      this.#newest = null;
      const question = this.#isSomebody(thing)
        ? { ask: 'disturb', disturbance, thing, ...spot }
        : { ask: 'rearrange', edits: [{ edit: 'move', thing, ...spot }] };
      const map = this.#app.maps.left;
      const hands = this.#hands;
      try {
        const frame = await this.#app.connection.ask(question);
        if (this.#hands !== hands) continue;
        map.setRefused(false);
        this.#disturbed(hands, frame, isDropped ? DOINGS.move(words.name(thing)) : null);
      } catch (error) {
        if (this.#hands !== hands) continue;
        // Over a wall one may drag, but not let go.
        map.setRefused(!isDropped);
        if (isDropped) {
          toast(error.message, 'wrong');
          map.setScene(map.scene);
        }
      }
    }
    this.#putting = null;
    if (this.#hands) this.#show(this.#hands.frame);
  }

  #playerPart() {
    const { work } = this.#app;
    const hasPlayer = work.scene?.things.some((thing) => thing.kind === 'player');
    return el(
      'section',
      {},
      el('h2', {}, 'Join in'),
      hasPlayer
        ? [KEYS_HELP(work.scene.can_run), this.fingers]
        : el('p', { class: 'quiet small' }, 'Walk beside the character yourself, with the arrow keys.'),
      el('div', { class: 'row' }, hasPlayer
        ? button(null, 'Leave', 'Take the player out of the level', () => this.#app.edit([{ edit: 'remove_player' }]), { id: 'leave' })
        : button(null, 'Join as player', 'Put a player into the level', () => this.#app.edit([{ edit: 'add_player', ...work.besideStart }]), { id: 'join' })),
    );
  }

  async #saveMoment() {
    if (!this.#hands) return;
    this.#hands.pause();
    this.#show(this.#hands.frame);
    const name = await askFor('Save this moment as a test', 'Name of this test', `${words.short(this.#app.work.scene.name, LONGEST_NAME)} after ${words.seconds(this.#hands.frame.time)}`);
    if (!name) return;
    await this.#ask(async () => {
      const saved = await this.#app.connection.ask({ ask: 'save_moment', name });
      if (saved.answer === 'exists') {
        toast(`There is a test of that name already: ${saved.path}`, 'wrong');
        return;
      }
      await this.#app.refreshFiles();
      const [scenario, plan] = saved.paths;
      tell(
        'The moment is a test now',
        el('p', {}, `It begins ${saved.notes.length > 0 ? 'like this, but for what is said below' : 'exactly like this'}, and expects the plan the character has from here. Check it with:`),
        el('pre', { class: 'command' }, `apprentice verify ${scenario} ${plan}`),
        saved.notes.length > 0 ? el('p', {}, 'What is different in the test:') : null,
        el('ul', { class: 'small', id: 'moment-notes' }, ...saved.notes.map((note) => el('li', {}, `${note}.`))),
      );
    });
  }

  key(event) {
    if (event.key === ' ' && event.target.tagName !== 'BUTTON') {
      this.toggle();
      return true;
    }
    if (this.#hands?.frame.player && this.#hands.handles(event.key)) return true;
    return false;
  }
}

/** What can be done to a thing now: the disturbance, and what people call it. */
function disturbanceOf({ id, kind, title }, { open, lying, npc }) {
  if (kind === 'door') return open.includes(id) ? ['shut', 'Shut', `Shut ${title}`] : ['open', 'Open', `Open ${title}`];
  const isThere = lying.includes(id) || npc.holding.includes(id);
  return isThere ? ['remove', 'Take away', `Take ${title} away`] : ['return', 'Put back', `Put ${title} back where it lay`];
}
