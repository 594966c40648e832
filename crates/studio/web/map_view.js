// The map: ground, things, what was shown, the plan, and everything a hand does on it.
//
// Coordinates are cells; the middle of the first cell is (0, 0). What is large and still (ground,
// shades) is painted; what people touch is drawn, so that it can be focused, pointed at and named.

import { Emitter, button, el, svg } from './elements.js';
import { keyColor, symbol } from './symbols.js';
import { People, circlesOf } from './people.js';
import { PAINTING, Stroke } from './strokes.js';
import { isDark } from './theme.js';
import { Floors } from './floors.js';
import { Shades } from './shades.js';
import { path, runs, simplified, walked } from './ways.js';
import * as words from './words.js';

/** Pixels of a cell. The whole of a large level is seen however small its cells get. */
const SMALLEST = 3;
const LARGEST = 90;
/** What covers places and stays where it is. */
const PATCHES = ['trap', 'liked', 'avoided'];
/** Symbols never get smaller than this, in pixels. */
const SYMBOL = 21;
/** Letters of a name on the map: longer ones would lie over everything beside them. All of it is said where one points. */
const LONGEST_LABEL = 22;
/** Lines with more points than this are drawn anew rather than bent. */
const MOST_GRIPS = 80;
/** Points of a drawn line are at least this far apart, in cells. */
const APART = 0.4;

export class MapView extends Emitter {
  scene = null;
  tool = 'move';
  #view = { x: 0, y: 0, scale: 12 };
  #shades;
  #fitted = false;
  /** Of a level with floors above each other; null elsewhere. */
  #floors = null;
  /** The thing whose floor can be chosen. */
  #chosen = null;
  /** Where the map is on the screen. Asking the page every time would make it lay itself out anew. */
  #box = null;
  #pointers = new Map();
  #gesture = null;
  #plan = null;
  #lines = [];
  #selected = null;
  #ghost = null;
  /** The things that are looked at. */
  #looked = [];
  /** Those who move in a game. */
  #people = new People(this);

  constructor(container, label) {
    super();
    this.container = container;
    this.#shades = new Shades();
    this.canvas = el('canvas', { class: 'ground', 'aria-hidden': 'true' });
    this.world = svg('g');
    this.layers = {};
    for (const name of ['underlay', 'radii', 'lines', 'halo', 'plan', 'been', 'ahead', 'things', 'events', 'sketch', 'people', 'steps']) {
      this.layers[name] = svg('g', { class: `layer ${name}` });
      this.world.append(this.layers[name]);
    }
    const clip = `inside-${container.id}`;
    this.frame = svg('rect', { x: -0.5, y: -0.5 });
    this.layers.radii.setAttribute('clip-path', `url(#${clip})`);
    this.picture = svg(
      'svg',
      { class: 'map', role: 'group', 'aria-label': label, tabindex: 0 },
      svg('clipPath', { id: clip }, this.frame),
      this.world,
    );
    this.storey = el('span', { role: 'status' });
    this.above = button('up', '', 'A floor up (Page up)', () => this.#climb(1));
    this.below = button('down', '', 'A floor down (Page down)', () => this.#climb(-1));
    this.storeys = el('div', { class: 'storeys float card', hidden: true }, this.storey, this.above, this.below);
    container.append(this.canvas, this.picture, this.storeys);
    new ResizeObserver(() => this.#resized()).observe(container);
    addEventListener('themechange', () => this.#paint());
    this.#listen();
  }

  // What is shown.

  setScene(scene) {
    const isOther = !this.scene || size(this.scene) !== size(scene) || this.scene.name !== scene.name;
    this.scene = scene;
    this.#shades.setGround(scene.ground);
    this.#floors = scene.ground.heights ? new Floors(scene.ground) : null;
    const [left, top, width, height] = edges(scene);
    for (const [name, value] of Object.entries({ x: left, y: top, width, height })) this.frame.setAttribute(name, value);
    if (isOther) this.fit();
    this.#drawThings();
    this.#paint();
    this.clearStroke();
  }

  /** Marks things that are looked at, with how far they go. */
  select(ids) {
    this.#looked = ids;
    this.#markLooked();
  }

  #markLooked() {
    for (const marked of this.world.querySelectorAll('.looked-at, .leash')) {
      if (marked.classList.contains('leash')) marked.remove();
      else marked.classList.remove('looked-at');
    }
    for (const thing of this.scene?.things ?? []) if (this.#looked.includes(thing.id)) this.#mark(thing);
  }

  #mark(thing) {
    this.#element(thing.id)?.classList.add('looked-at');
    const [cx, cy] = thing.at[0];
    if (thing.leash) this.layers.radii.append(svg('circle', { cx, cy, r: thing.leash, class: 'leash', 'data-of': thing.id }, svg('title', {}, 'How far it follows anybody')));
  }

  setLines(lines, selected, kept = null) {
    this.#lines = lines;
    this.selectedLine = selected;
    const layer = this.layers.lines;
    layer.replaceChildren();
    for (const line of lines) {
      if (line.hidden || line.points.length === 0) continue;
      const isSelected = line.id === selected;
      const d = path(line.points);
      const group = svg('g', { class: `shown ${isSelected ? 'selected' : ''}`, 'data-line': line.id });
      group.append(svg('path', { d, class: 'casing' }), svg('path', { d, class: 'line' }), svg('path', { d, class: 'hit' }));
      if (isSelected && kept) {
        group.classList.add('trimming');
        group.append(svg('path', { d: path(kept), class: 'kept' }));
      }
      const [x, y] = line.points[0];
      group.append(svg('circle', { cx: x, cy: y, r: 0.22, class: 'end' }));
      group.append(svg('title', {}, line.name));
      layer.append(group);
      if (isSelected && !line.log && !kept && line.points.length <= MOST_GRIPS) layer.append(...this.#grips(line));
    }
    this.layers.lines.append(...this.#warnings());
  }

  /** What a line can be bent by. */
  #grips(line) {
    return line.points.map(([x, y], number) => this.symbolAt(
      [svg('circle', { r: 0.5, class: 'touch' }), svg('circle', { r: 0.24, class: 'grip-dot' }), svg('title', {}, 'Drag to bend the line')],
      x,
      y,
      { class: 'grip', 'data-grip': number, 'data-of-line': line.id },
      15,
    ));
  }

  /** What may be wrong with lines, where it is. */
  setFindings(findings) {
    this.findings = findings;
    this.setLines(this.#lines, this.selectedLine);
  }

  #warnings() {
    return (this.findings ?? []).filter((finding) => finding.at).map((finding) => {
      const [x, y] = finding.at;
      const size = this.#size(15);
      return svg(
        'g',
        { class: `finding ${finding.severity}`, transform: `translate(${x} ${y}) scale(${size})` },
        svg('path', { d: 'M0 -.55L.6 .5H-.6Z' }),
        svg('text', { y: 0.38 }, '!'),
        svg('title', {}, finding.message),
      );
    });
  }

  setPlan(answer, selectedStep = null) {
    this.picture.classList.remove('outdated');
    this.#plan = answer;
    this.#selected = selectedStep;
    this.#drawPlan();
  }

  setOptions({ lines, radii }) {
    this.layers.lines.classList.toggle('gone', !lines);
    this.layers.radii.classList.toggle('gone', !radii);
  }

  /** What a heuristic estimates; null for nothing. */
  setHeat(values) {
    if (!values && !this.#shades.hasHeat) return null;
    const range = this.#shades.setHeat(values);
    this.#paint();
    return range;
  }

  /** The first `count` places a search looked at; null for nothing. */
  setExplored(explored, count = 0) {
    if (!explored && !this.#shades.hasExplored) return;
    this.#shades.setExplored(explored, count);
    this.#paint();
  }

  /** A moment of a game; null when nothing is played. `part` says how far to the next one. */
  setFrame(frame, next = null, part = 0) {
    const wasPlaying = this.#people.frame !== null;
    this.picture.classList.toggle('playing', frame !== null);
    // Before the first moment the character has no way ahead yet: the plan says where it will go.
    this.picture.classList.toggle('begun', frame !== null && (frame.count > 1 || !frame.mind));
    this.#people.show(frame, next, part);
    if (frame === null && wasPlaying) this.#drawThings();
  }

  /** Where the character has been in a game, and two ways it had ahead: before it planned anew, and after. */
  setBeen(been, before = null, after = null) {
    this.#people.showBeen(been, before, after);
  }

  /** Those of a game whose log is looked at, with where they have been and are going; null for nobody. */
  setWatched(people, before = null, after = null) {
    this.picture.classList.toggle('begun', people !== null);
    this.#people.showWatched(people, before, after);
  }

  /** Somebody was hit: that is seen for a moment. */
  showHit(id, amount) {
    this.#people.showHit(id, amount);
  }

  /** Where somebody who is being recorded has been; nothing for nobody. */
  setTrail(points) {
    this.layers.sketch.replaceChildren(...(points.length > 1 ? [svg('path', { d: path(points), class: 'line' })] : []));
  }

  /** A spot where something cannot be put, while it is dragged. The way from before is still seen, faintly. */
  setRefused(isRefused) {
    this.#ghost?.classList.toggle('refused', isRefused);
    // What was let go where it could not be is in nobody's hand any more.
    if (!isRefused) for (const element of this.world.querySelectorAll('.refused')) element.classList.remove('refused');
    this.picture.classList.toggle('outdated', isRefused);
  }

  /** Somebody got in the way before the first moment of a game: the plan is of a level that is no more. */
  setDisturbed(isDisturbed) {
    this.picture.classList.toggle('disturbed', isDisturbed);
  }

  fit() {
    const { clientWidth: width, clientHeight: height } = this.container;
    if (!this.scene || width === 0) return;
    const [left, top, columns, rows] = edges(this.scene);
    const margin = 36;
    const scale = Math.min((width - margin) / columns, (height - margin) / rows);
    this.#view.scale = clamp(scale, Math.min(scale, SMALLEST), LARGEST);
    this.#view.x = width / 2 - (left + columns / 2) * this.#view.scale;
    this.#view.y = height / 2 - (top + rows / 2) * this.#view.scale;
    this.#fitted = true;
    this.#moved();
  }

  zoom(factor, x = this.container.clientWidth / 2, y = this.container.clientHeight / 2) {
    const view = this.#view;
    const [, , columns, rows] = this.scene ? edges(this.scene) : [0, 0, 1, 1];
    const { clientWidth: width, clientHeight: height } = this.container;
    const scale = clamp(view.scale * factor, Math.min(SMALLEST, width / columns / 1.2, height / rows / 1.2), LARGEST);
    view.x = x - ((x - view.x) * scale) / view.scale;
    view.y = y - ((y - view.y) * scale) / view.scale;
    view.scale = scale;
    this.#fitted = false;
    this.#moved();
  }

  pan(x, y) {
    this.#view.x += x;
    this.#view.y += y;
    this.#fitted = false;
    this.#moved();
  }

  /** Where on the screen the way leads, and all things are. */
  get places() {
    const places = [...(this.#plan?.drawn ?? []), ...(this.scene?.things ?? []).flatMap(({ at }) => at)];
    return places.map(([x, y]) => this.toScreen(x, y));
  }

  /** Where on the screen a place is. */
  toScreen(x, y) {
    const box = this.container.getBoundingClientRect();
    return [box.left + this.#view.x + x * this.#view.scale, box.top + this.#view.y + y * this.#view.scale];
  }

  #toWorld(event) {
    this.#box ??= this.container.getBoundingClientRect();
    const box = this.#box;
    const { x, y, scale } = this.#view;
    return [(event.clientX - box.left - x) / scale, (event.clientY - box.top - y) / scale];
  }

  // Drawing.

  #resized() {
    const { clientWidth: width, clientHeight: height } = this.container;
    const ratio = devicePixelRatio || 1;
    this.#box = null;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    if (this.#fitted || this.#view.scale === 12) this.fit();
    else this.#moved();
  }

  #moved() {
    const { x, y, scale } = this.#view;
    this.world.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`);
    this.picture.style.setProperty('--cell', `${scale}px`);
    for (const element of this.world.querySelectorAll('[data-size]')) this.#place(element);
    this.#paint();
    this.emit('moved', scale);
  }

  #paint() {
    const ratio = devicePixelRatio || 1;
    this.#shades.paint(this.canvas, this.#view, ratio, isDark());
  }

  /** How large something is in cells that should be `pixels` wide at least, and not twice as wide. */
  #size(pixels, cells = 1.25) {
    const { scale } = this.#view;
    return Math.min(Math.max(cells, pixels / scale), (1.8 * pixels) / scale);
  }

  /** Puts a symbol at its place, in its size. */
  #place(element) {
    const { x, y, size, cells } = element.dataset;
    const scale = this.#size(Number(size), Number(cells ?? 1.25));
    element.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`);
  }

  /** Something that is as large as can be seen, however far away one is. */
  symbolAt(children, x, y, attributes = {}, size = SYMBOL) {
    const group = svg('g', { 'data-x': x, 'data-y': y, 'data-size': size, ...attributes }, ...children);
    this.#place(group);
    return group;
  }

  #drawThings() {
    const { things, radii } = this.layers;
    // Those who move in a game are drawn elsewhere, and keep who is at them with the keyboard.
    const focused = things.contains(document.activeElement) ? document.activeElement.dataset.thing : null;
    things.replaceChildren();
    radii.replaceChildren();
    for (const thing of this.scene.things) {
      if (thing.radius) radii.append(...circlesOf(thing));
      things.append(thing.kind === 'door' ? this.#door(thing) : PATCHES.includes(thing.kind) ? this.#patch(thing) : this.#thing(thing));
    }
    if (focused) this.#element(focused)?.focus();
    this.#markLooked();
    this.#gripAgain();
    this.#showStoreys();
  }

  /** What is being dragged stays in the hand when it is drawn anew. */
  #gripAgain() {
    const gesture = this.#gesture;
    if (gesture?.kind !== 'thing') return;
    const element = this.#people.get(gesture.id) ?? this.#element(gesture.id);
    if (!element) return;
    if (element !== gesture.element && gesture.element.classList.contains('refused')) element.classList.add('refused');
    gesture.element = element;
    this.#ghost = element;
    element.classList.add('dragged');
    this.putElement(element, gesture.to);
    this.#putCircles(gesture.id, gesture.to);
  }

  /** Where a hand holds somebody; null if it is in none. */
  held(id) {
    return this.#gesture?.kind === 'thing' && this.#gesture.id === id ? this.#gesture.to : null;
  }

  #element(id) {
    return this.world.querySelector(`[data-thing="${CSS.escape(id)}"]`);
  }

  #named(thing) {
    return {
      class: `thing ${thing.kind} ${thing.movable ? 'movable' : ''}`,
      'data-thing': thing.id,
      tabindex: thing.movable ? 0 : null,
      role: 'button',
      'aria-label': `${thing.title} at ${thing.at[0].join(', ')}`,
    };
  }

  #thing(thing) {
    const [x, y] = thing.at[0];
    const hint = thing.movable ? `${thing.title}: drag to move it` : thing.title;
    const label = thing.kind === 'goal' ? 'goal' : words.short(thing.id.replaceAll('_', ' '), LONGEST_LABEL);
    const children = [
      svg('circle', { r: 0.75, class: 'touch' }),
      ...symbol(thing),
      svg('text', { y: 1.02, class: 'label' }, label),
      svg('title', {}, hint),
    ];
    return this.symbolAt(children, x, y, this.#named(thing));
  }

  #door(thing) {
    const color = thing.color === null ? '#d9d9d9' : keyColor(thing.color);
    const [x, y] = thing.at[0];
    const side = thing.closes ? this.scene.ground.spacing : 1;
    const cells = (thing.closes ?? thing.at).map(([cx, cy]) => svg('rect', { x: cx - side / 2 - x, y: cy - side / 2 - y, width: side, height: side, rx: 0.08 * side }));
    const group = svg(
      'g',
      { ...this.#named(thing), 'data-x': x, 'data-y': y, transform: `translate(${x} ${y})` },
      svg('g', { class: 'panels', fill: color }, ...cells),
      svg('title', {}, `${thing.title}, ${thing.open ? 'open' : 'shut'}: drag to move it, click to ${thing.open ? 'shut' : 'open'} it`),
    );
    group.classList.toggle('open', thing.open);
    return group;
  }

  /** Places that only say something about themselves: they cannot be dragged. */
  #patch(thing) {
    const [x, y] = thing.at[0];
    const side = this.scene.ground.spacing ?? 1;
    const cells = thing.at.map(([cx, cy]) => svg('rect', { x: cx - side / 2 - x, y: cy - side / 2 - y, width: side, height: side }));
    const place = { 'data-x': x, 'data-y': y, transform: `translate(${x} ${y})` };
    return svg('g', { ...this.#named(thing), ...place }, svg('g', { class: 'patch' }, ...cells), svg('title', {}, thing.title));
  }

  #drawPlan() {
    const { plan: layer, halo, events, steps: marks } = this.layers;
    for (const one of [layer, halo, events, marks]) one.replaceChildren();
    const steps = this.#plan?.plan.steps ?? [];
    if (steps.length < 2) return;
    const points = this.#plan.drawn;
    const way = walked(points);
    layer.append(svg('path', { d: way(), class: 'casing' }));
    for (const [gait, from, to] of runs(steps.map((step) => step.gait), 1)) {
      layer.append(svg('path', { d: way(from - 1, to), class: `way ${gait}` }));
    }
    for (const { first, last, follows } of this.#plan.stretches) {
      if (follows !== null) halo.append(svg('path', { d: way(first - 1, last), class: 'followed' }));
    }
    layer.append(svg('path', { d: way(), class: 'hit' }));
    this.#drawEvents();
    this.selectStep(this.#selected);
  }

  #drawEvents() {
    const told = words.story(this.#plan.plan).filter((chapter) => chapter.main);
    const taken = [];
    told.forEach((chapter, number) => {
      const at = this.#plan.drawn[chapter.index];
      const [x, y] = this.#freeSpot(at, taken);
      const children = [
        svg('circle', { cx: x, cy: y, r: 0.52 }),
        svg('text', { x, y: y + 0.24 }, String(number + 1)),
        svg('title', {}, `${chapter.text}, after ${words.seconds(chapter.t)}`),
      ];
      this.layers.events.append(
        this.symbolAt(children, ...at, { class: `number ${chapter.kind}`, 'data-step': chapter.index, 'data-cells': 0.9 }, 15),
      );
    });
  }

  /** Where a number stands: beside what it is about, not on things and not on other numbers. */
  #freeSpot([left, top], taken) {
    const size = this.#size(15, 0.9);
    // Names stand below their things.
    const below = this.#size(SYMBOL) * 0.85;
    const named = this.scene.things.filter((thing) => thing.kind !== 'door' && !PATCHES.includes(thing.kind));
    const things = [...this.scene.things.flatMap((thing) => thing.at), ...named.map(({ at: [[x, y]] }) => [x, y + below])];
    const spots = [[0.95, -0.95], [1.3, 0], [0.95, 0.95], [-0.95, -0.95], [-1.3, 0], [-0.95, 0.95], [0, -1.4], [0, 1.4], [2, -0.95], [3, -0.95], [4, -0.95]];
    const isFree = ([x, y]) => {
      const at = [left + x * size, top + y * size];
      return taken.every((other) => distance(other, at) > size) && things.every((thing) => distance(thing, at) > this.#size(SYMBOL) * 0.85);
    };
    const spot = spots.find(isFree) ?? spots[0];
    taken.push([left + spot[0] * size, top + spot[1] * size]);
    return spot;
  }

  selectStep(index) {
    this.#selected = index;
    this.layers.steps.replaceChildren();
    const at = this.#plan?.drawn[index];
    if (index === null || !at) return;
    const children = [svg('circle', { r: 0.55, class: 'picked' }), svg('circle', { r: 0.2, class: 'picked-dot' })];
    this.layers.steps.append(this.symbolAt(children, ...at, {}, 20));
    const others = this.#plan.others?.[index] ?? [];
    for (const [x, y] of others) {
      this.layers.steps.append(this.symbolAt([svg('circle', { r: 0.45, class: 'expected' })], x, y, {}, 18));
    }
  }

  // Hands.

  #listen() {
    const picture = this.picture;
    picture.addEventListener('pointerdown', (event) => this.#down(event));
    picture.addEventListener('pointermove', (event) => this.#move(event));
    for (const end of ['pointerup', 'pointercancel']) picture.addEventListener(end, (event) => this.#up(event));
    picture.addEventListener('wheel', (event) => {
      event.preventDefault();
      const box = this.container.getBoundingClientRect();
      const factor = Math.exp(-clamp(event.deltaY, -120, 120) * 0.0022);
      this.zoom(factor, event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    picture.addEventListener('keydown', (event) => this.#key(event));
    picture.addEventListener('pointerenter', () => { this.#box = null; });
    picture.addEventListener('pointerleave', () => this.emit('pointed', null));
  }

  #down(event) {
    if (event.button > 1) return;
    this.#box = null;
    // A hand that presses again without having let go: whatever it held goes back.
    if (this.#pointers.has(event.pointerId)) this.#cancel();
    this.#pointers.set(event.pointerId, event);
    this.picture.setPointerCapture(event.pointerId);
    if (this.#pointers.size === 2) {
      this.#cancel();
      this.#gesture = { kind: 'pinch' };
      return;
    }
    const at = this.#toWorld(event);
    const thing = event.target.closest('[data-thing]');
    const isHand = event.button === 1 || event.shiftKey;
    const grip = event.target.closest('[data-grip]');
    if (grip && !isHand) {
      this.#gesture = { kind: 'bend', element: grip, id: Number(grip.dataset.ofLine), number: Number(grip.dataset.grip), to: null };
      return;
    }
    if (this.tool === 'draw' && !isHand) {
      this.#gesture = { kind: 'draw', points: [at] };
      this.#sketch();
    } else if (PAINTING.includes(this.tool) && !isHand) {
      this.#gesture = new Stroke(this.scene.ground.rows, this.tool, at.map(Math.round));
      this.#sketchStroke();
    } else if (this.tool === 'put' && !isHand) {
      this.#gesture = { kind: 'put' };
    } else if (thing && this.#canDrag(thing)) {
      const [x, y] = [Number(thing.dataset.x), Number(thing.dataset.y)];
      const id = thing.dataset.thing;
      const height = this.#heightOf(id);
      this.#gesture = { kind: 'thing', id, from: [x, y], to: [x, y], wasAt: height, height, grab: [at[0] - x, at[1] - y], element: thing };
      this.#choose(id);
      thing.focus?.({ preventScroll: true });
      thing.classList.add('dragged');
      this.#ghost = thing;
      this.picture.addEventListener('pointerrawupdate', this.#raw);
    } else {
      this.#gesture = { kind: 'pan', moved: 0, target: event.target, at };
    }
    this.picture.classList.toggle('grabbing', this.tool === 'move' || isHand);
  }

  #canDrag(element) {
    return element.classList.contains('movable') || element.hasAttribute('tabindex');
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (before) this.#pointers.set(event.pointerId, event);
    this.emit('pointed', this.#toWorld(event));
    if (!before || !this.#gesture) return;
    const gesture = this.#gesture;
    if (gesture.kind === 'pinch') this.#pinch(event, before);
    else if (gesture.kind === 'pan') {
      gesture.moved += Math.abs(event.clientX - before.clientX) + Math.abs(event.clientY - before.clientY);
      if (gesture.moved > 3) this.pan(event.clientX - before.clientX, event.clientY - before.clientY);
    } else if (gesture.kind === 'thing') this.#drag(gesture, event);
    else if (gesture.kind === 'draw') {
      for (const one of fine(event)) {
        const at = this.#toWorld(one);
        if (distance(at, gesture.points.at(-1)) >= APART) gesture.points.push(at);
      }
      this.#sketch();
      this.emit('drawing', gesture.points);
    } else if (gesture.kind === 'paint') {
      for (const one of fine(event)) gesture.go(this.#toWorld(one).map(Math.round));
      this.#sketchStroke();
    } else if (gesture.kind === 'bend') this.#bend(gesture, event);
  }

  /** A point of a line goes along with the hand. */
  #bend(gesture, event) {
    gesture.to = this.#onFloor(this.#toWorld(event).map(rounded));
    this.putElement(gesture.element, gesture.to);
    const line = this.#lines.find(({ id }) => id === gesture.id);
    const d = path(line.points.map((point, number) => (number === gesture.number ? gesture.to : point)));
    for (const one of this.layers.lines.querySelectorAll(`[data-line="${gesture.id}"] path`)) one.setAttribute('d', d);
    this.emit('bending', gesture.id, gesture.number, gesture.to);
  }

  #sketchStroke() {
    this.layers.sketch.replaceChildren(svg('path', { d: this.#gesture.d, class: `stroke ${this.#gesture.with}` }));
  }

  /** What was painted is on the map now, or will not be. Whoever is painting goes on. */
  clearStroke() {
    if (this.#gesture?.kind !== 'paint') this.layers.sketch.querySelector('.stroke')?.remove();
  }

  /**
   * Moves come once a picture, just before it is drawn. Where the browser says sooner where the hand is, the
   * plan is asked for sooner, and may be there for that very picture.
   */
  #raw = (event) => {
    if (this.#gesture?.kind === 'thing' && this.#pointers.has(event.pointerId)) this.#drag(this.#gesture, event);
  };

  #pinch(event, before) {
    const others = [...this.#pointers.values()].filter((one) => one.pointerId !== event.pointerId);
    const other = others[0];
    if (!other) return;
    const far = (a) => Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY);
    const box = this.container.getBoundingClientRect();
    const x = (event.clientX + other.clientX) / 2 - box.left;
    const y = (event.clientY + other.clientY) / 2 - box.top;
    this.pan((event.clientX - before.clientX) / 2, (event.clientY - before.clientY) / 2);
    if (far(before) > 10) this.zoom(far(event) / far(before), x, y);
  }

  #drag(gesture, event) {
    const at = this.#toWorld(event);
    // Those who move in a game stand anywhere.
    const isMoving = this.#people.has(gesture.id) && this.scene.things.every((thing) => thing.id !== gesture.id || thing.kind !== 'guard');
    const isFree = this.scene.ground.kind === 'mesh' || isMoving;
    const snap = (value) => (isFree ? rounded(value) : Math.round(value));
    const to = [snap(at[0] - gesture.grab[0]), snap(at[1] - gesture.grab[1])];
    if (to[0] === gesture.to[0] && to[1] === gesture.to[1]) return;
    if (this.#floors) gesture.height = this.#floors.landing({ from: gesture.to, height: gesture.height }, to);
    gesture.to = to;
    this.putElement(gesture.element, to);
    this.#putCircles(gesture.id, to);
    this.#takeAlong(gesture);
    this.#showStoreys();
    this.emit('drag', gesture.id, this.#spot(gesture.id, gesture.to, gesture.height));
  }

  // Floors above each other.

  /** How high a thing is now: in the game, or in the level. */
  #heightOf(id) {
    const thing = this.scene.things.find((one) => one.id === id);
    return (this.#people.inGame(id) ?? thing)?.height ?? undefined;
  }

  /** A point of a line, with the height of the floor one sees there, if there is more than one. */
  #onFloor(at) {
    const height = this.#floors?.seen(at);
    return height === undefined ? at : [...at, height];
  }

  /** Where a thing is put; how high, where floors lie above each other, and how high each of its cells. */
  #spot(id, [x, y], height) {
    if (height === undefined) return { x, y };
    const cells = this.scene.things.find((thing) => thing.id === id)?.at ?? [];
    if (!this.#floors || cells.length < 2) return { x, y, height };
    const moved = cells.map((cell) => [cell[0] - cells[0][0] + x, cell[1] - cells[0][1] + y]);
    return { x, y, height, heights: this.#floors.along(moved, height) };
  }

  /** Offers the floors at the place of a thing, for it to be put on. */
  #choose(id) {
    this.#chosen = id;
    this.#showStoreys();
  }

  /** Where the chosen thing is, the floors there, and the number of its own. */
  #storey() {
    const gesture = this.#gesture?.kind === 'thing' ? this.#gesture : null;
    const element = gesture?.element ?? this.#people.get(this.#chosen) ?? (this.#chosen && this.#element(this.#chosen));
    if (!this.#floors || !element) return null;
    const at = gesture?.to ?? [Number(element.dataset.x), Number(element.dataset.y)];
    const height = this.#floors.nearest(at, gesture?.height ?? this.#heightOf(this.#chosen) ?? 0);
    const floors = this.#floors.at(at);
    return { at, floors, number: floors.findLastIndex((floor) => floor <= height) };
  }

  #showStoreys() {
    const storey = this.#storey();
    this.storeys.hidden = !storey || storey.floors.length < 2;
    if (this.storeys.hidden) return;
    const { floors, number } = storey;
    this.above.disabled = number + 1 >= floors.length;
    this.below.disabled = number <= 0;
    const text = `${this.scene.things.find((thing) => thing.id === this.#chosen)?.title ?? 'this'}: floor ${number + 1} of ${floors.length}`;
    // What is written anew is read out anew.
    if (this.storey.textContent !== text) this.storey.textContent = text;
  }

  /** Puts the chosen thing on the floor above or below. */
  #climb(by) {
    const storey = this.#storey();
    const height = storey?.floors[storey.number + by];
    if (height === undefined) return;
    const gesture = this.#gesture?.kind === 'thing' ? this.#gesture : null;
    if (gesture) {
      gesture.height = height;
      this.#showStoreys();
    }
    this.emit(gesture ? 'drag' : 'drop', this.#chosen, this.#spot(this.#chosen, storey.at, height));
  }

  /** Shows a thing where a hand holds it on the other map. */
  put(id, place) {
    const element = this.#element(id);
    if (!element) return;
    this.putElement(element, place);
    this.#putCircles(id, place);
  }

  /** Puts what is drawn of something at a place. */
  putElement(element, [x, y]) {
    Object.assign(element.dataset, { x, y });
    if (element.dataset.size) this.#place(element);
    else element.setAttribute('transform', `translate(${x} ${y})`);
  }

  /** What is looked at together is moved together. */
  #takeAlong({ id, from, to }) {
    if (!this.#looked.includes(id)) return;
    for (const thing of this.scene.things) {
      const element = thing.id !== id && this.#looked.includes(thing.id) ? this.#element(thing.id) : null;
      if (!element) continue;
      const [x, y] = thing.at[0];
      const place = [x + to[0] - from[0], y + to[1] - from[1]];
      this.putElement(element, place);
      this.#putCircles(thing.id, place);
    }
  }

  /** What is drawn around a thing goes along with it. */
  #putCircles(id, [cx, cy]) {
    for (const circle of this.layers.radii.querySelectorAll(`[data-of="${CSS.escape(id)}"]`)) {
      circle.setAttribute('cx', cx);
      circle.setAttribute('cy', cy);
    }
  }

  #up(event) {
    const gesture = this.#gesture;
    this.picture.removeEventListener('pointerrawupdate', this.#raw);
    this.#pointers.delete(event.pointerId);
    this.picture.classList.remove('grabbing');
    if (!gesture) return;
    this.#gesture = null;
    if (event.type === 'pointercancel') {
      this.#gesture = gesture;
      this.#cancel();
    } else if (gesture.kind === 'thing') {
      gesture.element.classList.remove('dragged');
      this.#ghost = null;
      const moved = gesture.to[0] !== gesture.from[0] || gesture.to[1] !== gesture.from[1] || gesture.height !== gesture.wasAt;
      if (moved) this.emit('drop', gesture.id, this.#spot(gesture.id, gesture.to, gesture.height));
      else this.emit('touched', gesture.id, event.shiftKey || event.ctrlKey || event.metaKey);
    } else if (gesture.kind === 'draw') {
      this.layers.sketch.replaceChildren();
      const points = simplified(gesture.points, 0.3).map(([x, y]) => this.#onFloor([rounded(x), rounded(y)]));
      if (gesture.points.length > 3) this.emit('drawn', points);
    } else if (gesture.kind === 'paint') {
      if (gesture.painted) this.emit('painted', gesture.painted);
      else this.clearStroke();
    } else if (gesture.kind === 'bend') {
      if (gesture.to) this.emit('bent', gesture.id, gesture.number, gesture.to);
    } else if (gesture.kind === 'put') this.#put(event);
    else if (gesture.kind === 'pan' && gesture.moved <= 3) this.#click(gesture);
  }

  /** A place for something new, where the hand let go. */
  #put(event) {
    const isGrid = this.scene.ground.kind === 'grid';
    const at = this.#toWorld(event).map(isGrid ? Math.round : rounded);
    this.emit('put', isGrid ? at : this.#onFloor(at));
  }

  #click({ target, at }) {
    const number = target.closest('[data-step]');
    if (number) this.emit('step', Number(number.dataset.step));
    else if (target.closest('.layer.plan')) this.emit('step', this.#nearestStep(at));
    else if (target.closest('[data-line]')) this.emit('line', Number(target.closest('[data-line]').dataset.line));
    else {
      this.#choose(null);
      this.emit('nothing');
    }
  }

  #nearestStep(at) {
    const far = this.#plan.drawn.map((point) => distance(at, point));
    return far.indexOf(Math.min(...far));
  }

  #cancel() {
    const gesture = this.#gesture;
    this.picture.removeEventListener('pointerrawupdate', this.#raw);
    this.#gesture = null;
    this.layers.sketch.replaceChildren();
    if (gesture?.kind === 'bend') this.setLines(this.#lines, this.selectedLine);
    if (['bend', 'draw'].includes(gesture?.kind)) this.emit('undrawn');
    if (gesture?.kind === 'thing') {
      gesture.element.classList.remove('dragged');
      this.putElement(gesture.element, gesture.from);
      this.#putCircles(gesture.id, gesture.from);
      this.#takeAlong({ ...gesture, to: gesture.from });
      this.#ghost = null;
      this.emit('dropped back', gesture.id, this.#spot(gesture.id, gesture.from, gesture.wasAt));
    }
  }

  #sketch() {
    const { points } = this.#gesture;
    const walls = this.#wallsAlong(points);
    this.layers.sketch.replaceChildren(
      svg('path', { d: path(points), class: 'line' }),
      ...walls.map(([a, b]) => svg('path', { d: path([a, b]), class: 'line in-wall' })),
    );
    this.emit('sketched', walls.length > 0);
  }

  /** The pieces of a line that lead through walls of a grid. */
  #wallsAlong(points) {
    const { rows } = this.scene.ground;
    if (!rows) return [];
    const isWall = ([x, y]) => rows[Math.round(y)]?.[Math.round(x)] !== '.';
    const pieces = points.slice(1).map((point, number) => [points[number], point]);
    return pieces.filter(([a, b]) => isWall(a) || isWall(b));
  }

  #key(event) {
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const arrow = arrows[event.key];
    const thing = event.target.closest('[data-thing]');
    if (event.key === 'Escape' && this.#gesture) this.#cancel();
    else if (event.ctrlKey || event.metaKey || event.altKey || this.capturesKeys?.(event.key)) return;
    else if (arrow && thing) {
      const id = thing.dataset.thing;
      const from = [Number(thing.dataset.x), Number(thing.dataset.y)];
      const to = [from[0] + arrow[0], from[1] + arrow[1]];
      this.emit('drop', id, this.#spot(id, to, this.#floors?.landing({ from, height: this.#heightOf(id) }, to)));
    } else if (thing && this.#floors && ['PageUp', 'PageDown'].includes(event.key)) {
      this.#choose(thing.dataset.thing);
      this.#climb(event.key === 'PageUp' ? 1 : -1);
    } else if (thing && (event.key === 'Enter')) this.emit('touched', thing.dataset.thing);
    else if (arrow) this.pan(-60 * arrow[0], -60 * arrow[1]);
    else if (event.key === '+' || event.key === '=') this.zoom(1.25);
    else if (event.key === '-') this.zoom(0.8);
    else if (event.key === '0') this.fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Where a hand was since the last picture. */
function fine(event) {
  const points = event.getCoalescedEvents?.() ?? [];
  return points.length > 0 ? points : [event];
}

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
const rounded = (value) => Math.round(value * 20) / 20;
const size = (scene) => edges(scene).join(' ');

/** Left, top, width and height of a level. */
function edges({ ground }) {
  if (ground.kind === 'mesh') {
    const [left, top, right, bottom] = ground.bounds;
    return [left, top, right - left, bottom - top];
  }
  return [-0.5, -0.5, ground.rows[0].length, ground.rows.length];
}
