// Those who move in a game, on the map: where they are, how they go, what they mean to do and where they have been.

import { svg } from './elements.js';
import { symbol } from './symbols.js';
import { path, walked } from './ways.js';
import * as words from './words.js';

/** Symbols never get smaller than this, in pixels. */
const SYMBOL = 21;

export class People {
  /** Of those who are on the map, by id; the character at the start has none. */
  #shown = new Map();
  #fullHealth = new Map();
  #map;
  /** The moment that is shown; null if nothing is played. */
  frame = null;

  /** `map` says what is drawn where: layers, a scene, symbols, and who is in a hand. */
  constructor(map) {
    this.#map = map;
  }

  /** How somebody is drawn. */
  get(id) {
    return this.#shown.get(id);
  }

  has(id) {
    return this.#shown.has(id);
  }

  /** Somebody as it is in the moment that is shown, if it is in it. */
  inGame(id) {
    const { player, enemies = [], members = [] } = this.frame ?? {};
    const others = [...enemies, ...members.map(({ id: name, actor }) => ({ ...actor, id: name }))];
    return id === 'player' ? player : others.find((one) => one.id === id);
  }

  #clear() {
    const { layers } = this.#map;
    layers.people.replaceChildren();
    this.#shown.clear();
    layers.ahead.replaceChildren();
    layers.been.replaceChildren();
  }

  /** A moment of a game; null when nothing is played. `part` says how far to the next one. */
  show(frame, next, part) {
    this.frame = frame;
    if (frame === null) this.#clear();
    else this.#draw(frame, next ?? frame, part);
  }

  /** Where the character has been in a game, and two ways it had ahead: before it planned anew, and after. */
  showBeen(been, before = null, after = null) {
    const line = (points, kind) => (points && points.length > 1 ? [svg('path', { d: path(points), class: kind })] : []);
    this.#map.layers.been.replaceChildren(...line(been, 'been-way'), ...line(before, 'way-before'), ...line(after, 'way-after'));
  }

  /** Those of a game whose log is looked at, with where they have been and are going; null for nobody. */
  showWatched(people, before = null, after = null) {
    for (const [id, element] of this.#shown) {
      if (people?.some(({ who }) => `watched:${who}` === id)) continue;
      element.remove();
      this.#shown.delete(id);
    }
    const line = (points, kind) => (points && points.length > 1 ? [svg('path', { d: path(points), class: kind })] : []);
    this.#map.layers.been.replaceChildren(...(people ?? []).flatMap(({ been, ahead }) => [...line(been, 'been-way'), ...line(ahead, 'been-way ahead-way')]), ...line(before, 'way-before'), ...line(after, 'way-after'));
    for (const { who, at, health, doing } of people ?? []) {
      this.#personAt(`watched:${who}`, at, { thing: { kind: 'npc' }, kind: `npc ${doing === 'dead' ? 'dead' : ''}`, title: words.name(who), health: health === null ? 1 : Math.min(1, health / 100) }, 23);
    }
  }

  /** Somebody was hit: that is seen for a moment. */
  showHit(id, amount) {
    const element = this.#shown.get(id);
    if (!element) return;
    const mark = svg('text', { y: -1.05, class: 'hit-mark' }, `−${amount}`);
    element.append(mark);
    element.classList.add('hit-now');
    setTimeout(() => {
      mark.remove();
      element.classList.remove('hit-now');
    }, 700);
  }

  #draw(frame, next, part) {
    const between = (a, b) => [a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part];
    const radii = this.#map.layers.radii;
    radii.replaceChildren();
    const kinds = new Map(this.#map.scene.things.map((thing) => [thing.id, thing]));
    frame.enemies.forEach((enemy, number) => {
      const thing = kinds.get(enemy.id);
      if (!thing) return;
      const isAlive = enemy.mode !== 'dead';
      const at = this.#personAt(enemy.id, between(enemy, next.enemies[number] ?? enemy), {
        thing, kind: `enemy ${enemy.mode}`, title: `${thing.title}: ${words.MODES[enemy.mode]}`,
        health: isAlive && enemy.health !== null ? enemy.health / (this.#full(enemy) || 1) : 1,
      });
      if (isAlive) radii.append(...circlesOf({ ...thing, at: [at] }));
    });
    if (frame.player) {
      const thing = { kind: 'player', movable: true };
      this.#personAt('player', between(frame.player, next.player ?? frame.player), { thing, kind: 'player', title: 'the player', health: frame.player.health / 100 });
    }
    const others = frame.members ?? [];
    others.forEach(({ id, actor }, number) => {
      const to = next.members?.[number]?.actor ?? actor;
      const isDead = actor.health <= 0;
      this.#personAt(id, between(actor, to), { thing: { kind: 'actor', id, movable: true }, kind: `npc other ${actor.gait}${isDead ? ' dead' : ''}`, title: `${words.name(id)}: ${actor.gait}s`, health: actor.health / 100 });
      this.#face(this.#shown.get(id), actor, to, others[number].mind?.ahead?.[0]);
    });
    const isDead = frame.npc.health <= 0;
    const [x, y] = this.#personAt('', between(frame.npc, next.npc), {
      thing: { kind: 'npc' }, kind: `npc ${frame.npc.gait}${isDead ? ' dead' : ''}`, title: `the character: ${frame.npc.gait}s`, health: frame.npc.health / 100,
    }, 23);
    this.#face(this.#shown.get(''), frame.npc, next.npc, frame.mind?.ahead?.[0]);
    for (const thing of this.#map.scene.things) {
      const element = this.#map.layers.things.querySelector(`[data-thing="${CSS.escape(thing.id)}"]`);
      if (!element) continue;
      if (['guard', 'beast', 'player', 'actor', 'start'].includes(thing.kind)) element.classList.add('gone');
      if (['key', 'shield', 'item', 'pack'].includes(thing.kind)) element.classList.toggle('gone', !frame.lying.includes(thing.id));
      if (thing.kind === 'door') element.classList.toggle('open', frame.open.includes(thing.id));
      if (thing.kind === 'lever') element.classList.toggle('pulled', frame.pulled.includes(thing.id));
    }
    this.#map.layers.ahead.replaceChildren();
    for (const { actor, mind } of others) {
      if (mind?.ahead?.length > 0) this.#map.layers.ahead.append(svg('path', { d: path([[actor.x, actor.y], ...mind.ahead]), class: 'been-way ahead-way' }));
    }
    const ahead = frame.mind?.ahead ?? [];
    if (ahead.length > 0) {
      const d = walked([[x, y], ...ahead])();
      this.#map.layers.ahead.append(svg('path', { d, class: 'casing' }), svg('path', { d, class: 'way walk' }));
    }
  }

  /** Turns somebody to where it goes; who stands looks where it went. */
  #face(element, from, to, ahead) {
    const [dx, dy] = to.x !== from.x || to.y !== from.y ? [to.x - from.x, to.y - from.y] : ahead ? [ahead[0] - from.x, ahead[1] - from.y] : [0, 0];
    if (Math.hypot(dx, dy) < 1e-3) return;
    let nose = element.querySelector('.nose');
    if (!nose) {
      nose = svg('path', { d: 'M.52 -.26L.9 0L.52 .26Z', class: 'nose' });
      element.insertBefore(nose, element.querySelector('.health-bar'));
    }
    nose.setAttribute('transform', `rotate(${(Math.atan2(dy, dx) * 180) / Math.PI})`);
  }

  /** Draws somebody where it is now, or where a hand holds it; returns where that is. */
  #personAt(id, at, { thing, kind, title, health: part }, size = SYMBOL) {
    const held = this.#map.held(id);
    const place = held ?? at;
    let element = this.#shown.get(id);
    if (!element) {
      const isMovable = kind.startsWith('enemy') || thing.kind === 'actor' ? thing.movable : id === 'player';
      const attributes = id === '' ? { id: 'character' } : { 'data-thing': id, tabindex: isMovable ? 0 : null, role: 'button' };
      element = this.#map.symbolAt([svg('circle', { r: 0.75, class: 'touch' }), ...symbol(thing), svg('g', { class: 'health-bar' }), svg('title')], ...place, attributes, size);
      this.#shown.set(id, element);
      this.#map.layers.people.append(element);
    }
    this.#map.putElement(element, place);
    const looks = `${kind} ${part.toFixed(3)}`;
    if (element.dataset.looks !== looks) {
      element.dataset.looks = looks;
      element.setAttribute('class', `person-at ${kind}${held ? ' dragged' : ''}`);
      element.querySelector('.health-bar').replaceChildren(...health(part));
      element.querySelector('title').textContent = title;
      if (id !== '') element.setAttribute('aria-label', title);
    }
    return place;
  }

  #full(enemy) {
    const known = Math.max(this.#fullHealth.get(enemy.id) ?? 0, enemy.health);
    this.#fullHealth.set(enemy.id, known);
    return known;
  }
}

/** What is drawn around a thing: how near is near. */
export function circlesOf(thing) {
  const [x, y] = thing.at[0];
  const kind = thing.kind === 'goal' ? 'near-enough' : 'notice';
  const around = { cx: x, cy: y, 'data-of': thing.id };
  const walk = svg('circle', { ...around, r: thing.radius, class: kind });
  if (!thing.sneak_radius) return [walk];
  return [walk, svg('circle', { ...around, r: thing.sneak_radius, class: `${kind} sneaking` })];
}

function health(part) {
  if (part >= 1) return [];
  const width = 1.1;
  return [
    svg('rect', { x: -width / 2, y: -0.92, width, height: 0.2, rx: 0.08, class: 'health-box' }),
    svg('rect', { x: -width / 2, y: -0.92, width: width * clamp(part, 0, 1), height: 0.2, rx: 0.08, class: 'health' }),
  ];
}

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
