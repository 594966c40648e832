// Small pieces every part of the page is made of.

/** An element with properties, listeners (`onclick`) and children. */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  assign(element, properties);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Fills a panel anew. Who was at one of its controls with the keyboard is at the same one again, also in the middle of a word. */
export function refill(panel, ...parts) {
  const focused = panel.contains(document.activeElement) ? document.activeElement : null;
  const name = focused && nameOf(focused, panel);
  const { scrollTop } = panel;
  // To some browsers, who is in a box that is taken away has left it, and what was written is done.
  for (const event of ['change', 'blur']) panel.addEventListener(event, keepQuiet, true);
  panel.replaceChildren(...parts.filter((part) => part !== null));
  for (const event of ['change', 'blur']) panel.removeEventListener(event, keepQuiet, true);
  panel.scrollTop = scrollTop;
  if (!focused) return;
  const again = [...panel.querySelectorAll(focused.tagName)].find((one) => nameOf(one, panel) === name);
  if (isWritten(again) && again.value !== focused.value) {
    again.value = focused.value;
    // What was not typed into this box is no change to the browser.
    again.addEventListener('blur', tellChange, { once: true });
  }
  // Where it is no more, Tab goes on from here, and not from the top of the page.
  panel.tabIndex = -1;
  (again ?? panel).focus({ preventScroll: true });
  if (again?.type === 'text') again.setSelectionRange(focused.selectionStart, focused.selectionEnd);
  // Whose box is gone is done with writing.
  if (!again && isWritten(focused)) tellChange({ target: focused });
}

const isWritten = (control) => ['text', 'number'].includes(control?.type);
const keepQuiet = (event) => event.stopPropagation();
const tellChange = ({ target }) => target.dispatchEvent(new Event('change', { bubbles: true }));

/** By what a control is known again: its id, or what it does to which of many. */
function nameOf(control, panel) {
  if (control.id) return control.id;
  const one = control.closest('[data-id]');
  const kind = control.tagName + (control.type ?? '') + control.classList;
  const which = one && panel.contains(one) ? one.dataset.id : '';
  return [kind, which, control.querySelector('path')?.getAttribute('d') ?? control.textContent].join(' ');
}

const SVG = 'http://www.w3.org/2000/svg';

/** An element of a picture. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat());
  return element;
}

function assign(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = value;
    else if (name === 'dataset') Object.assign(element.dataset, value);
    else if (name in element && name !== 'list' && name !== 'form') element[name] = value;
    else element.setAttribute(name, value);
  }
}

/** The element with this id. */
export const by = (id) => document.getElementById(id);

const ICONS = {
  undo: 'M8 5 4 9l4 4M4 9h9a5 5 0 0 1 0 10h-3',
  redo: 'm16 5 4 4-4 4M20 9h-9a5 5 0 0 0 0 10h3',
  save: 'M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5',
  help: 'M9.2 9a3 3 0 1 1 4.3 2.7c-.9.5-1.5 1.1-1.5 2.3M12 17.5v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18',
  draw: 'm4 20 1-5L16 4l4 4L9 19zM14 6l4 4',
  hand: 'M5 3l6 16 2-7 7-2z',
  record: 'M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12',
  stop: 'M7 7h10v10H7z',
  play: 'M8 5v14l11-7z',
  pause: 'M8 5v14M16 5v14',
  step: 'M6 5v14l9-7zM18 5v14',
  back: 'M18 5v14L9 12zM6 5v14',
  import: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  export: 'M12 16V4M7 8l5-5 5 5M4 20h16',
  delete: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  trim: 'M6 4l12 12M18 4 6 16M6 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4M18 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  close: 'M6 6l12 12M18 6 6 18',
  lock: 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3',
  unlock: 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 7.5-2',
  flag: 'M6 21V4h11l-2 4 2 4H6',
  next: 'm9 5 7 7-7 7',
  up: 'm5 15 7-7 7 7',
  down: 'm5 9 7 7 7-7',
  previous: 'm15 5-7 7 7 7',
  compare: 'M4 5h7v14H4zM13 5h7v14h-7z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  rectangle: 'M4 6h16v12H4z',
  fill: 'M5 12l7-7 7 7-7 7zM12 5V2M20 15c1.5 2 2 3 2 4a2 2 0 0 1-4 0c0-1 .5-2 2-4',
  erase: 'M8 20h12M5 15 14 6l5 5-9 9H8z',
  format: 'M4 6h16M8 11h12M8 16h12M4 11v.1M4 16v.1',
};

/** A line drawing, the size of the text around it. */
export function icon(name) {
  return svg(
    'svg',
    { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' },
    svg('path', { d: ICONS[name] }),
  );
}

/** A button. `title` is what it does, for people who point at it or hear it. */
export function button(name, text, title, onclick, properties = {}) {
  const children = [name ? icon(name) : null, text ? el('span', {}, text) : null];
  return el(
    'button',
    { type: 'button', title, 'aria-label': text ? null : title, onclick, ...properties },
    ...children,
  );
}

/** Says something for a moment. */
export function toast(message, kind = 'note') {
  const box = by('toasts');
  const note = el('div', { class: `toast ${kind}`, role: kind === 'wrong' ? 'alert' : 'status' }, message);
  box.append(note);
  while (box.children.length > 3) box.firstChild.remove();
  setTimeout(() => note.remove(), kind === 'wrong' ? 8000 : 4000);
}

/** Opens a dialog. Whoever listens to keys hears that they are for the dialog now. */
export function openDialog(box) {
  document.body.append(box);
  dispatchEvent(new Event('asked'));
  box.showModal();
}

/** A question with these parts; true if the answer is `yes`. Without `no` it is none, but a message. */
function dialog(title, parts, yes, no) {
  return new Promise((resolve) => {
    const box = el(
      'dialog',
      { class: 'ask' },
      el(
        'form',
        { method: 'dialog' },
        el('h2', {}, title),
        ...parts,
        el(
          'div',
          { class: 'row end' },
          no ? el('button', { type: 'button', onclick: () => box.close('') }, no) : null,
          el('button', { type: 'submit', class: 'primary', value: 'yes' }, yes),
        ),
      ),
    );
    box.addEventListener('close', () => {
      resolve(box.returnValue === 'yes');
      box.remove();
    });
    openDialog(box);
    box.querySelector('input')?.select();
  });
}

/** Asks for one line of text; null if nothing is wanted. */
export async function askFor(title, label, text, wrong = null) {
  const input = el('input', { type: 'text', value: text, 'aria-label': label, spellcheck: false });
  const parts = [el('label', {}, label, input), wrong ? el('p', { class: 'field-wrong', role: 'alert' }, wrong) : null].filter(Boolean);
  return (await dialog(title, parts, 'OK', 'Cancel')) ? input.value.trim() : null;
}

/** Asks with these parts; false if nothing is wanted. */
export function askThat(title, parts, yes) {
  return dialog(title, parts, yes, 'Cancel');
}

/** Asks yes or no. */
export function confirmThat(title, text, yes, no = 'Cancel') {
  return dialog(title, [el('p', {}, text)], yes, no);
}

/** Says something that stays until it was read. */
export function tell(title, ...parts) {
  return dialog(title, parts.filter(Boolean), 'OK', null);
}

/** Offers a text as a file. */
export function download(name, text) {
  const link = el('a', { href: URL.createObjectURL(new Blob([text])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Lets a person choose files, and reads them. */
export function chooseFiles(accept, take) {
  const input = el('input', { type: 'file', accept, multiple: true });
  input.addEventListener('change', async () => {
    for (const file of input.files) take(file.name, await file.text());
  });
  input.click();
}

/**
 * What can wait until the next picture is on the screen: of everything that bears the same name only
 * the newest is done, once the picture is out.
 */
export class AfterPicture {
  #acts = new Map();
  #waits = false;

  /** Of what bears this name nothing is done any more: something newer has been done at once. */
  forget(name) {
    this.#acts.delete(name);
  }

  say(name, act) {
    this.#acts.set(name, act);
    if (this.#waits) return;
    this.#waits = true;
    requestAnimationFrame(() => setTimeout(() => {
      this.#waits = false;
      const acts = [...this.#acts.values()];
      this.#acts.clear();
      for (const one of acts) one();
    }));
  }
}

/** Something others can listen to. */
export class Emitter {
  #listeners = new Map();

  on(event, listener) {
    const listeners = this.#listeners.get(event) ?? [];
    this.#listeners.set(event, [...listeners, listener]);
  }

  emit(event, ...details) {
    for (const listener of this.#listeners.get(event) ?? []) listener(...details);
  }
}
