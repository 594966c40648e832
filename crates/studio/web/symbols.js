// What things look like. The same shapes as in the pictures the command line draws.

import { svg } from './elements.js';

const KEY = 'M-.08 0H.5M.3 0V.22M.47 0V.26M-.08 0A.2 .2 0 1 0 -.48 0A.2 .2 0 1 0 -.08 0Z';

/** Colours of keys and the doors they open: told apart also by people who see fewer colours. */
export const KEYS = ['#e69f00', '#009e73', '#56b4e9', '#cc79a7', '#f0e442', '#44aa99', '#999933'];

export const keyColor = (number) => KEYS[number % KEYS.length];

function person(letter, kind) {
  return [
    svg('circle', { r: 0.5, class: `person ${kind}` }),
    svg('text', { y: 0.245, class: 'letter' }, letter),
  ];
}

/** The symbol of a thing, around (0, 0), one unit wide. */
export function symbol(thing) {
  switch (thing.kind) {
    case 'key': {
      const color = thing.color === null ? '#d9d9d9' : keyColor(thing.color);
      return [
        svg('path', { d: KEY, class: 'rim' }),
        svg('path', { d: KEY, class: 'fill', stroke: color }),
      ];
    }
    case 'shield':
      return [
        svg('path', { d: 'M-.4 -.45H.4V-.02C.4 .27 .18 .42 0 .5C-.18 .42 -.4 .27 -.4 -.02Z', class: 'metal' }),
        svg('path', { d: 'M0 -.45V.48M-.4 -.08H.4', class: 'thin' }),
      ];
    case 'item':
      return [
        svg('path', { d: 'M-.25 -.4H.25L.5 -.08L0 .48L-.5 -.08Z', class: 'gold' }),
        svg('path', { d: 'M-.5 -.08H.5M-.18 -.08L0 .48L.18 -.08', class: 'thin' }),
      ];
    case 'pack':
      return [
        svg('rect', { x: -0.45, y: -0.45, width: 0.9, height: 0.9, rx: 0.14, class: 'pack' }),
        svg('path', { d: 'M0 -.28V.28M-.28 0H.28', class: 'cross' }),
      ];
    case 'lever':
      return [
        svg('path', { d: 'M0 .3L.3 -.28', class: 'stick' }),
        svg('circle', { cx: 0.32, cy: -0.32, r: 0.15, class: 'gold' }),
        svg('rect', { x: -0.42, y: 0.22, width: 0.84, height: 0.26, rx: 0.06, class: 'metal' }),
      ];
    case 'guard':
    case 'beast':
      return person(thing.title.slice(0, 1).toUpperCase(), 'enemy');
    case 'player':
      return person('P', 'player');
    case 'actor':
      return person((thing.id ?? '').slice(0, 1).toUpperCase(), 'npc other');
    case 'npc':
      return person(thing.letter ?? '', 'npc');
    case 'start':
      return [svg('circle', { r: 0.36, class: 'start' })];
    case 'goal':
      return [
        svg('circle', { r: 0.5, class: 'goal-ring' }),
        svg('circle', { r: 0.22, class: 'goal-dot' }),
      ];
    default:
      return [svg('circle', { r: 0.4, class: 'thin' })];
  }
}

/** A small picture of a thing, for lists. */
export function badge(thing) {
  const box = svg('svg', { class: 'badge', viewBox: '-.7 -.7 1.4 1.4', 'aria-hidden': 'true' });
  if (thing.kind === 'door') {
    const color = thing.color === null ? '#d9d9d9' : keyColor(thing.color);
    box.append(svg('rect', { x: -0.45, y: -0.45, width: 0.9, height: 0.9, rx: 0.08, class: 'door', fill: color }));
  } else {
    box.append(svg('g', { class: 'symbol' }, ...symbol(thing)));
  }
  return box;
}
