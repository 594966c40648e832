// The colours of tasks in the editor, and the marks under what is wrong.

import { el } from './elements.js';

const WORDS = new Set([
  'type', 'instance', 'fluent', 'constant', 'task', 'method', 'branch', 'problem', 'init', 'goal', 'ordered', 'unordered', 'first', 'exists', 'forall',
  'sort-by', 'when', 'not', 'and', 'or', 'include', 'cost', 'bool', 'int', 'float', 'true', 'false', 'none',
]);
const TOKEN = /\/\/[^\n]*|"[^"\n]*"|[A-Za-z_][\w-]*|\s+|./gu;

/** A text as coloured pieces, with marks of mistakes. */
export function highlighted(text, marks) {
  const cuts = new Set([0, text.length]);
  for (const { from, to } of marks) cuts.add(from).add(Math.max(to, from + 1));
  const pieces = [];
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    const inner = [...cuts].filter((cut) => cut > match.index && cut < match.index + token.length).sort((a, b) => a - b);
    let from = match.index;
    for (const cut of [...inner, match.index + token.length]) {
      pieces.push(piece(token, text.slice(from, cut), markAt(marks, from)));
      from = cut;
    }
  }
  return pieces;
}

function piece(token, text, mark) {
  const kind = kindOf(token);
  const wrong = mark ? (mark.severity === 'error' ? 'bad' : 'warned') : '';
  if (!kind && !wrong) return text;
  return el('span', { class: `${kind} ${wrong}`.trim() }, text);
}

function markAt(marks, place) {
  return marks.find(({ from, to }) => from <= place && place < Math.max(to, from + 1));
}

function kindOf(token) {
  if (token.startsWith('//')) return 'note';
  if (token.startsWith('"')) return 'string';
  if (WORDS.has(token)) return 'word';
  if (/^[A-Z]/.test(token)) return 'type';
  return '';
}
