// Showing how it is done: drawing a line, or playing the level and having it recorded.

import { button, chooseFiles, confirmThat, download, el, refill, toast } from './elements.js';
import { newLine } from './document.js';
import { Hands, KEYS_HELP } from './hands.js';
import { Recording } from './recording.js';
import { part } from './ways.js';
import * as words from './words.js';

/** What is passed by less of than this is hardly followed. */
const HARDLY = 0.5;
/** Findings about the whole of a line that say why it is not followed. */
const TOO_LONG = ['irrelevant', 'pauses'];
/** Who goes less far than this between two moments stands still. */
const STILL = 0.02;
/** Lines that tell what happened during a recording. */
const MOST_HAPPENED = 30;

export class TeachPanel {
  #app;
  #tool = 'draw';
  /** What is being recorded, and who plays it. Without the studio there is nobody to play. */
  #recording = null;
  #hands = null;
  #findings = [];
  /** How often the lines were looked over: only what was found last is true of them. */
  #lints = 0;
  /** How fast time passes while something is recorded. */
  #speed = 1;
  /** What happened to who is being recorded, the newest first. */
  #happened = [];
  /** Where the person who is being recorded has been. */
  #trail = [];
  /** From where to where the selected line would be kept, in percent; null if nothing is being trimmed. */
  #trimmed = null;
  #isWarned = false;
  /** Why a line is hardly followed, by its number. */
  #ignored = new Map();

  constructor(app) {
    this.#app = app;
  }

  get isRecording() {
    return this.#hands !== null;
  }

  /** Whether the level has to stay as it is: it is recorded, or about to be. */
  get holdsLevel() {
    return this.#recording !== null;
  }

  /** Where the person is who is being recorded. */
  get place() {
    const { x, y } = this.#hands.frame.npc;
    return [x, y];
  }

  capturesKeys() {
    return this.isRecording;
  }

  show() {
    const panel = document.getElementById('panel');
    this.#applyTool();
    if (this.isRecording) {
      refill(panel, ...this.#recordingParts());
      this.#showRecorded(this.#hands.frame);
    } else {
      refill(panel, ...this.#parts());
      this.#showFollowed();
    }
  }

  /** What was changed elsewhere is looked over here. */
  enter() {
    this.#lint();
  }

  /** Whoever goes elsewhere in the middle of a recording keeps what was played. */
  async leave() {
    const recording = this.#recording;
    const hands = this.#hands;
    this.#stop();
    this.#trimmed = null;
    this.#forgetFindings();
    this.#app.hint(null);
    document.body.classList.remove('drawing');
    this.#app.maps.left.tool = 'move';
    await hands?.finish();
    if (recording && !(await this.#keep(recording))) recording.letGo();
  }

  changed() {
    this.#trimmed = null;
    this.#lint();
  }

  connected() {
    this.#lint();
  }

  /** The level was saved, and was another file before: what is being recorded is recorded in the new one. */
  saved(from) {
    if (this.#recording?.level.path === from) this.#recording.moveTo(this.#app.work.level);
  }

  /** The studio is gone; whatever was played is here. */
  disconnected() {
    if (!this.isRecording) return;
    this.#hands.pause();
    this.state.textContent = 'The studio is not running. What you have played is kept, and goes on from here once it is back.';
  }

  drag() {
    return this.holdsLevel;
  }

  drop() {
    if (this.holdsLevel) this.#app.maps.left.setScene(this.#app.work.scene);
    return this.holdsLevel;
  }

  touched() {
    return this.holdsLevel;
  }

  planned(side) {
    if (side === 'left' && !this.isRecording) this.#showFollowed();
  }

  /** Another line is selected: its card says so, and is the same one, because somebody may be writing its name. */
  selected() {
    const isTrimming = this.#trimmed !== null;
    this.#trimmed = null;
    if (isTrimming) this.show();
    for (const card of document.querySelectorAll('#lines .line-card')) card.classList.toggle('selected', Number(card.dataset.id) === this.#app.line);
  }

  /** How much of each line the plan follows. Nothing else on the panel depends on the plan, so nothing else moves. */
  #showFollowed() {
    const { work, plans } = this.#app;
    const answer = plans.left.plan;
    const followed = work.lines.length > 0 ? answer?.plan.followed : undefined;
    this.coverage.textContent = followed === undefined ? '' : `${words.percent(followed)} followed`;
    this.coverage.dataset.value = followed ?? '';
    const visible = work.lines.filter((line) => !line.hidden);
    for (const line of work.lines) {
      const covered = line.hidden ? null : answer?.covered?.[visible.indexOf(line)];
      const card = document.querySelector(`#lines [data-id="${line.id}"]`);
      if (!card) continue;
      card.querySelector('.about').textContent = about(line, covered);
      const ignored = line.hidden ? null : answer?.ignored.find(({ demonstration }) => demonstration === visible.indexOf(line));
      if (answer?.done) {
        this.#ignored.set(line.id, ignored?.text);
        card.querySelector('.findings').replaceChildren(...this.#told(line));
      }
    }
  }

  /** How much of a line the plan follows; null if nobody knows. */
  #coveredOf(line) {
    const visible = this.#app.work.lines.filter((one) => !one.hidden);
    return this.#app.plans.left.plan?.covered?.[visible.indexOf(line)] ?? null;
  }

  setTool(tool) {
    this.#tool = tool;
    this.show();
  }

  #applyTool() {
    const draws = this.#tool === 'draw' && !this.isRecording;
    this.#app.maps.left.tool = draws ? 'draw' : 'move';
    document.body.classList.toggle('drawing', draws);
    const { lines } = this.#app.work;
    if (this.isRecording) this.#app.hint('You are the character. Use the arrows, then stop.');
    else this.#app.hint(draws && lines.length === 0 ? 'Press on the map and draw the way you would go' : null);
  }

  #parts() {
    const { work } = this.#app;
    const tool = (name, symbol, text, title) => button(symbol, text, title, () => this.setTool(name), { 'aria-pressed': String(this.#tool === name), id: `tool-${name}` });
    const cards = work.lines.map((line, number) => this.#card(line, number));
    this.coverage = el('span', { class: 'quiet small', id: 'coverage' });
    const empty = el('p', { class: 'quiet' }, 'Nothing yet. Draw a line from start to goal, or press R and play the level yourself: the character will do it your way, and adapt when things have moved.');
    return [
      el(
        'section',
        {},
        el('h2', {}, 'Show how it is done'),
        el(
          'div',
          { class: 'row' },
          tool('draw', 'draw', 'Draw', 'Draw lines on the map (D)'),
          tool('move', 'hand', 'Move', 'Move things and the map'),
          button('record', 'Record', 'Play the level with the keyboard and have it recorded (R)', () => this.record(), { id: 'record' }),
        ),
      ),
      el(
        'section',
        {},
        el('div', { class: 'row apart' }, el('h2', {}, 'What you showed'), this.coverage),
        work.lines.length > 0 ? el('div', { class: 'lines', id: 'lines' }, ...cards) : empty,
        el(
          'div',
          { class: 'row' },
          button('import', 'Import…', 'Add recorded demonstrations (.jsonl)', () => this.#import(), { id: 'import' }),
        ),
      ),
    ];
  }

  #card(line, number) {
    const isSelected = line.id === this.#app.line;
    let known = line.name;
    const rename = ({ target }) => {
      // A line has a name, also if it is not a new one.
      target.value = target.value.trim() || known;
      if (target.value === known) return;
      known = target.value;
      this.#replace(line, { name: known });
    };
    const name = el('input', {
      type: 'text', class: 'name', value: line.name, title: line.name, 'aria-label': 'Name', spellcheck: false,
      onchange: rename,
      // A name that was half written when the panel was filled anew is no change to the browser.
      onkeydown: (event) => event.key === 'Enter' && !event.isComposing && rename(event),
      onfocus: () => this.#app.selectLine(line.id),
    });
    const card = el(
      'div',
      { class: `line-card ${isSelected ? 'selected' : ''}`, dataset: { id: line.id, number } },
      el('div', { class: 'row' }, el('span', { class: 'swatch' }), name),
      el(
        'div',
        { class: 'row apart tight' },
        el('span', { class: 'small quiet about', title: `${line.log ? 'Recorded' : 'Drawn'}; how much of it the plan follows` }),
        el(
          'span',
          { class: 'row tight' },
          button('eye', '', line.hidden ? 'Left out: let the plan follow it again' : 'Followed: leave it out for now', () => this.#replace(line, { hidden: !line.hidden }), { class: 'bare', 'aria-label': 'Follow it', 'aria-pressed': String(!line.hidden) }),
          button('up', '', 'Before the one above it', () => this.#raise(number), { class: 'bare raise', disabled: number === 0 }),
          button('trim', '', 'Keep only a part', () => this.#trim(line), { class: 'bare', 'aria-pressed': String(isSelected && this.#trimmed !== null) }),
          button('export', '', 'Save as a file (.jsonl)', () => this.#export(line), { class: 'bare' }),
          button('delete', '', 'Delete', () => this.#delete(line), { class: 'bare' }),
        ),
      ),
      el('div', { class: 'findings' }, ...this.#told(line)),
    );
    if (isSelected && this.#trimmed) card.append(this.#trimmer(line));
    return card;
  }

  // Changing lines.

  #replace(line, values) {
    const lines = this.#app.work.lines.map((one) => (one.id === line.id ? { ...one, ...values } : one));
    this.#app.work.change({ lines });
  }

  /** The order is that of the file, and that in which planners hear of them. */
  #raise(number) {
    const lines = [...this.#app.work.lines];
    [lines[number - 1], lines[number]] = [lines[number], lines[number - 1]];
    this.#app.work.change({ lines });
  }

  #delete(line) {
    this.#app.work.change({ lines: this.#app.work.lines.filter((one) => one.id !== line.id) });
    toast(`“${line.name}” is deleted. Ctrl+Z brings it back.`);
  }

  #trim(line) {
    const isOn = this.#app.line === line.id && this.#trimmed;
    this.#app.line = line.id;
    this.#trimmed = isOn ? null : [0, 100];
    this.#app.drawLines();
    this.show();
  }

  /** The points that would be kept of the line that is being trimmed; null if none is. */
  get kept() {
    const line = this.#trimmed && this.#app.work.lines.find(({ id }) => id === this.#app.line);
    return line ? this.#partOf(line).points : null;
  }

  /** A drawn line can be cut anywhere, a recorded one between two of its moments. */
  #partOf({ points, log }) {
    const [from, to] = this.#trimmed.map((percent) => percent / 100);
    if (!log) return { points: part(points, from, to) };
    const last = points.length - 1;
    const first = Math.max(0, Math.min(Math.round(from * last), last - 1));
    const end = Math.max(Math.round(to * last), first + 1) + 1;
    const [header, ...samples] = log.trimEnd().split('\n');
    return { points: points.slice(first, end), log: `${[header, ...samples.slice(first, end)].join('\n')}\n` };
  }

  #trimmer(line) {
    const slide = (end, label) => el('input', {
      type: 'range', min: 0, max: 100, value: this.#trimmed[end], 'aria-label': label, class: `trim-${end}`,
      oninput: ({ target }) => {
        // Something is left of it, however far the two are pushed.
        const [from, to] = this.#trimmed;
        this.#trimmed[end] = end === 0 ? Math.min(Number(target.value), to - 1) : Math.max(Number(target.value), from + 1);
        target.value = this.#trimmed[end];
        this.#app.drawLines();
      },
    });
    const keep = () => {
      const values = this.#partOf(line);
      this.#trimmed = null;
      this.#replace(line, values);
    };
    return el(
      'div',
      {},
      el('label', { class: 'field' }, 'From', slide(0, 'Where it begins')),
      el('label', { class: 'field' }, 'To', slide(1, 'Where it ends')),
      el('div', { class: 'row end' }, button(null, 'Keep this part', 'Cut off the rest', keep, { class: 'primary', id: 'trim-keep' })),
    );
  }

  /** While a line is drawn, the plan that would follow it. */
  drawing(points) {
    const { plans, work } = this.#app;
    if (points.length < 4) return;
    plans.left.live([], [...work.shown, { name: 'this line', points }]);
  }

  /** A line that is being drawn leads through a wall, or no longer. */
  sketched(isInWall) {
    if (this.#isWarned === isInWall) return;
    this.#isWarned = isInWall;
    this.#app.hint(isInWall ? 'This leads through a wall: the plan will go round it' : null);
  }

  bending(id, number, at) {
    const { plans, work } = this.#app;
    const bent = work.lines.map((line) => (line.id === id ? { ...line, points: line.points.map((point, index) => (index === number ? at : point)) } : line));
    plans.left.live([], bent.filter((line) => !line.hidden).map(({ name, points, log }) => (log ? { name, log } : { name, points })));
  }

  /** A point of a line was dragged elsewhere. */
  bent(id, number, at) {
    const line = this.#app.work.lines.find((one) => one.id === id);
    if (!line || line.log) return;
    this.#replace(line, { points: line.points.map((point, index) => (index === number ? at : point)) });
  }

  /** A line that was drawn from the selected one and back to it goes there instead of the part between. */
  #redrawn(points) {
    const line = this.#app.work.lines.find(({ id, log, hidden }) => id === this.#app.line && !log && !hidden);
    if (!line) return null;
    const [from, to] = [nearest(line.points, points[0]), nearest(line.points, points.at(-1))];
    if (Math.max(from.far, to.far) > JOINS || Math.abs(to.along - from.along) < 1) return null;
    const [first, last, way] = from.along < to.along ? [from, to, points] : [to, from, points.toReversed()];
    return { line, points: [...line.points.slice(0, Math.ceil(first.along)), ...way, ...line.points.slice(Math.floor(last.along) + 1)] };
  }

  drawn(points) {
    this.sketched(false);
    const redrawn = this.#redrawn(points);
    if (redrawn) {
      this.#replace(redrawn.line, { points: redrawn.points });
      toast(`A part of “${redrawn.line.name}” goes another way now. Ctrl+Z brings it back.`);
      return;
    }
    const lines = [...this.#app.work.lines, newLine(this.#freeName('Line'), points)];
    this.#app.line = lines.at(-1).id;
    this.#app.work.change({ lines });
    this.#app.tour.did('draw');
  }

  #freeName(word) {
    const names = new Set(this.#app.work.lines.map((line) => line.name));
    let number = 1;
    while (names.has(`${word} ${number}`)) number += 1;
    return `${word} ${number}`;
  }

  #import() {
    chooseFiles('.jsonl', (name, text) => this.take(name, text));
  }

  /** A log from a file. */
  async take(name, text) {
    try {
      const read = await this.#app.connection.ask({ ask: 'read_log', text });
      if (read.note) toast(`${name}: ${read.note}`);
      this.#add(name.replace(/\.jsonl$/, ''), read.text);
    } catch (error) {
      toast(`${name}: ${error.message}`, 'wrong');
    }
  }

  #add(name, log) {
    const lines = [...this.#app.work.lines, newLine(name, pointsOf(log), log)];
    this.#app.line = lines.at(-1).id;
    this.#app.work.change({ lines });
  }

  async #export(line) {
    const { connection, work } = this.#app;
    const { name, points, log } = line;
    const written = await connection.ask({ ask: 'write_log', ...work.level, demonstration: { name, points, log } });
    download(`${name.replaceAll(/[^\w-]+/g, '_')}.jsonl`, written.text);
  }

  async #lint() {
    const { connection, work } = this.#app;
    if (work.lines.length === 0) {
      this.#forgetFindings();
      return;
    }
    this.#lints += 1;
    const mine = this.#lints;
    let found = [];
    try {
      const demonstrations = work.lines.map(({ name, points, log }) => ({ name, points, log }));
      const ids = work.lines.map((line) => line.id);
      const { findings } = await connection.ask({ ask: 'lint', ...work.level, demonstrations, settings: work.settings.left });
      found = findings.map((finding) => ({ ...finding, line: ids[finding.demonstration] }));
    } catch {
      // What cannot be looked over is looked over once it has changed, or the studio is back.
    }
    if (this.#lints !== mine) return;
    this.#findings = found;
    this.#app.maps.left.setFindings(found.filter((finding) => finding.severity === 'warning'));
    for (const line of work.lines) document.querySelector(`#lines [data-id="${line.id}"] .findings`)?.replaceChildren(...this.#told(line));
  }

  /** Nothing is known to be wrong with any line, whatever is still being looked over. */
  #forgetFindings() {
    this.#lints += 1;
    this.#findings = [];
    this.#app.maps.left.setFindings([]);
  }

  /** What may be wrong with a line, in words. */
  #told(line) {
    const isFollowed = (this.#coveredOf(line) ?? 0) >= HARDLY;
    // What is followed is not too long to be followed.
    const findings = this.#findings.filter((finding) => finding.line === line.id && !(isFollowed && TOO_LONG.includes(finding.code) && finding.at === null));
    // Where one stands still again and again is said once; each place is marked on the map.
    const pauses = findings.filter(({ code, at }) => code === 'pauses' && at !== null);
    const single = pauses.length > 1 ? findings.filter((finding) => !pauses.includes(finding)) : findings;
    const told = single.map(({ severity, message }) => el('div', { class: `finding-text ${severity}` }, words.sentence(words.sentenceCase(message))));
    if (pauses.length > 1) told.push(el('div', { class: 'finding-text note' }, `It stands still in ${pauses.length} places.`));
    const isSaid = findings.some(({ code, at }) => TOO_LONG.includes(code) && at === null);
    const ignored = this.#ignored.get(line.id);
    if (ignored && !isSaid) told.push(el('div', { class: 'finding-text note' }, words.sentence(ignored)));
    if (line.log && findings.some(({ code }) => code === 'pauses')) {
      told.push(button(null, 'Remove pauses', 'Take out all moments in which nobody moves', () => this.#removePauses(line), { class: 'remove-pauses' }));
    }
    return told;
  }

  /** The same without the moments in which nobody moves and nothing happens. */
  #removePauses(line) {
    const { log, gone } = withoutPauses(line.log);
    this.#replace(line, { log, points: pointsOf(log) });
    toast(`${words.seconds(gone)} of pauses are gone. Ctrl+Z brings them back.`);
  }

  // Recording.

  record() {
    if (this.holdsLevel) return;
    this.#app.selectLine(null);
    const recording = new Recording(this.#app.work.level);
    this.#recording = recording;
    this.#play(recording);
  }

  /** Goes on with a recording that was broken off, because the studio or the page went away. */
  async takeUp() {
    const { work } = this.#app;
    const recording = this.#recording ?? await Recording.find(work.path);
    if (!recording) return;
    const isAnother = this.#recording !== null && this.#recording !== recording;
    if (isAnother || recording.level.path !== work.path) {
      // Something else is recorded, or another level was opened meanwhile: this one is for whoever opens its level again.
      if (recording !== this.#recording) recording.letGo();
      return;
    }
    this.#app.setMode('teach');
    this.#recording = recording;
    if (!(await this.#play(recording)) || recording.orders.length === 0) return;
    const [x, y] = recording.place;
    const isSame = Math.hypot(this.place[0] - x, this.place[1] - y) < 1e-6;
    const { frame } = this.#hands;
    if (recording.level.text !== work.text) toast('Your recording is back as it was played, but the level has been changed since: it may lead through walls now.', 'wrong');
    else if (!isSame) toast('Your recording is back, but the level has changed since: by the same keys the character is elsewhere now.', 'wrong');
    else if (!isOver(frame)) toast(`Your recording was interrupted. All ${words.seconds(frame.time)} of it are here: go on with any key, or stop and keep it.`, 'good');
    if (isOver(frame)) this.#over(frame);
  }

  /** Plays again what was played, and lets the person go on; false if that cannot be. */
  async #play(recording) {
    const { connection, work, maps } = this.#app;
    const { level, orders } = recording;
    const { scene } = work;
    const questions = [
      connection.ask({ ask: 'play', ...level, demonstrations: [], settings: work.settings.left, recording: orders }),
      connection.ask({ ask: 'recorded', ...level, recording: orders }),
    ];
    try {
      const [frame, { text }] = await Promise.all(questions);
      // Whoever has gone elsewhere meanwhile is not recorded.
      if (this.#recording !== recording) return false;
      if (work.scene !== scene) {
        this.#stop();
        recording.letGo();
        toast(orders.length > 0
          ? 'The level was changed before your recording was back. It is kept, and is here again when you open the level the next time.'
          : 'The level was changed before the recording began. Press R to begin anew.', 'wrong');
        return false;
      }
      this.#hands?.stop();
      this.#hands = new Hands(connection, maps.left, frame, {
        canRun: work.scene.can_run,
        stands: true,
        onframe: (now, isNew = true) => (isNew ? this.#recorded(now) : this.#showRecorded(now)),
        onpassed: (order, moments, { npc }) => recording.note(order, moments, [npc.x, npc.y]),
        onwrong: (error) => this.#failed(error),
        onasked: () => this.#rest(),
      });
      this.#hands.speed = this.#speed;
      this.#trail = pointsOf(text);
      this.#happened = [];
      this.#hands.startWithKey();
      this.show();
      document.body.classList.add('recording');
      maps.left.picture.focus();
      return true;
    } catch (error) {
      if (this.#recording === recording) this.#stop();
      await this.#leaveAlone(recording, error);
      return false;
    }
  }

  /** What cannot be played on stays where it is, unless the person does not want it any more. */
  async #leaveAlone(recording, { message }) {
    const isPlayed = recording.orders.length > 0;
    if (isPlayed && this.#app.connection.isOpen) {
      const why = `${message}. If you keep it, it is here again when you open the level the next time.`;
      if (!(await confirmThat('Your recording cannot be played on now', why, 'Discard it', 'Keep it'))) recording.letGo();
      else recording.forget();
      return;
    }
    recording.letGo();
    toast(isPlayed ? `Your recording is kept, but cannot be played on now: ${message}` : message, 'wrong');
  }

  #recordingParts() {
    this.clock = el('div', { class: 'cost', id: 'clock' }, '0.0 s');
    this.state = el('p', { class: 'quiet state' });
    this.happened = el('ol', { class: 'log', id: 'record-log' });
    this.#showHappened();
    const speed = el('select', { id: 'record-speed', 'aria-label': 'Speed', title: 'How fast time passes while you play; what is recorded is the same', onchange: () => {
      this.#speed = Number(speed.value);
      if (this.#hands) this.#hands.speed = this.#speed;
      this.#app.maps.left.picture.focus();
    } }, ...[1, 2, 4].map((factor) => el('option', { value: factor }, `${factor}×`)));
    speed.value = String(this.#speed);
    return [
      el('section', { class: 'result' }, el('div', { class: 'row apart' }, el('h2', { class: 'on-air' }, 'Recording'), speed), this.clock),
      el(
        'div',
        { class: 'row' },
        button('stop', 'Stop and keep', 'Keep what was recorded (Enter or Esc)', () => this.keep(), { class: 'primary', id: 'record-keep' }),
        button(null, 'Discard', 'Stop without keeping what was recorded; Ctrl+Z brings it back', () => this.discard(), { id: 'record-discard' }),
      ),
      this.state,
      el('section', { class: 'with-keys' }, el('h2', {}, 'Keys'), KEYS_HELP(this.#app.work.scene.can_run, true)),
      this.#hands.pad(),
      this.happened,
    ];
  }

  #recorded(frame) {
    if (!this.clock) return;
    this.#trail.push(this.place);
    for (const word of frame.events) {
      const { text, kind, what, amount } = words.event(word);
      this.#happened.unshift({ time: frame.time, text, kind });
      if (what === 'hurt_by') this.#app.maps.left.showHit(words.whom(word), amount);
    }
    if (frame.events.length > 0) this.#showHappened();
    this.#showRecorded(frame);
    if (isOver(frame)) this.#over(frame);
  }

  #showHappened() {
    this.#happened.length = Math.min(this.#happened.length, MOST_HAPPENED);
    this.happened.replaceChildren(...this.#happened.map(({ time, text, kind }) => el('li', { class: kind === 'danger' ? 'danger' : '' }, el('time', {}, words.seconds(time)), el('span', {}, text))));
  }

  /** Nobody plays on while something else is asked. */
  #rest() {
    if (!this.#hands.isRunning) return;
    this.#hands.rest();
    this.#showRecorded(this.#hands.frame);
  }

  /** There is nothing more to play. */
  #over(frame) {
    if (frame.hour_is_up) this.#recording.fate = 'full';
    this.keep();
  }

  #showRecorded(frame) {
    this.#app.maps.left.setTrail(this.#trail);
    this.clock.textContent = words.seconds(frame.time);
    const holding = words.names(frame.npc.holding);
    const parts = [`health ${Math.round(frame.npc.health)}`, frame.npc.gait, holding ? `holds ${holding}` : null];
    if (this.#hands.isRunning) this.state.textContent = parts.filter(Boolean).join(' · ');
    else this.state.textContent = frame.count > 1 ? 'Time stands still. Any key goes on.' : 'The clock starts with your first key press.';
    if (!this.#recording.isKept) this.state.textContent += ' This level is too large for the browser to remember: a reload would lose the recording.';
  }

  /** Stops; true if what was played is a demonstration now, or nothing was. */
  async keep() {
    const recording = this.#recording;
    if (!this.isRecording) return false;
    if (!this.#app.connection.isOpen) {
      if (recording.fate !== 'discarded') toast('The studio is not running. What you have played is kept: start `apprentice studio` again, then keep it.', 'wrong');
      return false;
    }
    await this.#hands.finish();
    const isKept = await this.#keep(recording);
    if (this.#recording !== recording) return isKept;
    if (isKept) this.#stop();
    else if (this.#app.connection.isOpen) this.#hands.startWithKey();
    if (isKept) this.show();
    return isKept;
  }

  /** Makes a demonstration of what was played, once. False if that cannot be; it is not forgotten then. */
  #keep(recording) {
    recording.keeping ??= this.#makeDemonstration(recording).then((isKept) => {
      if (!isKept) recording.keeping = null;
      return isKept;
    });
    return recording.keeping;
  }

  async #makeDemonstration(recording) {
    const { connection, work } = this.#app;
    const { level, orders } = recording;
    if (orders.length === 0) {
      recording.forget();
      toast('Nothing was played, so nothing was recorded.');
      return true;
    }
    try {
      const { text } = await connection.ask({ ask: 'recorded', ...level, recording: orders });
      if (work.path !== recording.level.path) {
        toast('Your recording is kept, and is here again once you open the level it was played in.');
        return false;
      }
      const name = this.#freeName('Recording');
      this.#add(name, text);
      recording.forget();
      const { fate } = recording;
      if (fate === 'discarded') this.#delete(this.#app.work.lines.at(-1));
      else toast(fate === 'full' ? `An hour is recorded, and a recording takes no more. It is kept as “${name}”.` : 'Recorded. The plan follows it now.', 'good');
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  #failed(error) {
    if (this.#app.connection.isOpen) toast(error.message, 'wrong');
    else this.disconnected();
  }

  /**
   * Nothing is lost by it: the recording is a demonstration for a moment, and undoing brings it back. One that
   * cannot become a demonstration is lost, so the person is asked.
   */
  async discard() {
    const recording = this.#recording;
    if (!recording) return;
    recording.fate = 'discarded';
    if (await this.keep()) return;
    // What was refused is still being recorded.
    recording.fate = 'kept';
    const why = 'The studio cannot make a demonstration of it now, so nothing would bring it back.';
    const isUnwanted = this.#recording === recording && (await confirmThat('Discard the recording for good?', why, 'Discard'));
    if (!isUnwanted || this.#recording !== recording) return;
    this.#stop();
    recording.forget();
    this.show();
  }

  #stop() {
    this.#recording = null;
    this.#hands?.stop();
    this.#hands = null;
    this.#trail = [];
    this.#app.maps.left.setTrail([]);
    document.body.classList.remove('recording');
    this.#app.maps.left.setFrame(null);
  }

  key(event) {
    if (!this.isRecording) return false;
    // Whoever wants out has not said that the work of an hour is to be lost.
    if (event.key === 'Escape') this.keep();
    else if (event.key === 'Enter' && event.target.tagName !== 'BUTTON') this.keep();
    else return this.#hands.handles(event.key) && !(event.key === ' ' && event.target.matches('button, select'));
    return true;
  }
}

/** Cells from a line within which a stroke begins or ends on it. */
const JOINS = 1.2;

/** Where on a line the place nearest to a point is, in points from its beginning, and how far that is. */
function nearest(points, [x, y]) {
  let best = { far: Infinity, along: 0 };
  for (let index = 0; index + 1 < points.length; index += 1) {
    const [[ax, ay], [bx, by]] = [points[index], points[index + 1]];
    const length = (bx - ax) ** 2 + (by - ay) ** 2;
    const part = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
    const far = Math.hypot(ax + part * (bx - ax) - x, ay + part * (by - ay) - y);
    if (far < best.far) best = { far, along: index + part };
  }
  return best;
}

function about(line, covered) {
  if (line.hidden) return 'left out';
  if (covered !== null && covered !== undefined) return `${words.percent(covered)} followed`;
  return line.log ? 'recorded' : 'drawn';
}

/** The places of a log. */
function pointsOf(log) {
  const samples = log.split('\n').filter((line) => line.trim() !== '').slice(1).map((line) => JSON.parse(line));
  return samples.map(({ x, y }) => [x, y]);
}

/** A log without the moments in which nobody moves and nothing happens, and how many seconds those were. */
function withoutPauses(log) {
  const [header, ...samples] = log.trimEnd().split('\n');
  const kept = [];
  let [gone, last] = [0, null];
  for (const text of samples) {
    const sample = JSON.parse(text);
    const isStill = last && Math.hypot(sample.x - last.x, sample.y - last.y) < STILL && (sample.z ?? 0) === (last.z ?? 0);
    const isEventful = (sample.events ?? []).length > 0 || String(sample.holding) !== String(last?.holding) || sample.gait !== last?.gait;
    if (isStill && !isEventful) gone += sample.t - last.t;
    else kept.push(JSON.stringify({ ...sample, t: Math.round(1000 * (sample.t - gone)) / 1000 }));
    last = sample;
  }
  return { log: `${[header, ...kept].join('\n')}\n`, gone };
}

/** Whether there is nothing more to play. */
const isOver = (frame) => frame.goal_met || frame.npc.health <= 0 || frame.hour_is_up;
