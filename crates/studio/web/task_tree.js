// How a goal was taken apart, as a tree: what is in a task folds with it, and a click goes to the line that says so.

import { button, el } from './elements.js';

/** The tree of what was told, line by line; `go` leads to a line of the text, counted from 1. */
export function taskTree(lines, go) {
  const root = { depth: -1, parts: [] };
  const above = [root];
  for (const line of lines) {
    // What is said of a task's methods is in it.
    const depth = line.kind === 'task' ? line.depth : line.depth + 0.5;
    while (above.at(-1).depth >= depth) above.pop();
    const node = { ...line, depth, parts: [] };
    above.at(-1).parts.push(node);
    above.push(node);
  }
  return el('div', { class: 'tree', id: 'task-tree' }, ...root.parts.map((node) => branch(node, go)));
}

function branch({ kind, text, line, parts }, go) {
  const said = button(null, text, line ? `Go to line ${line}` : text, () => go(line), { class: `bare ${kind}`, disabled: !line });
  if (parts.length === 0) return el('div', { class: 'leaf' }, said);
  return el('details', { open: true }, el('summary', { title: 'Fold or unfold what is in it' }, said), ...parts.map((part) => branch(part, go)));
}
