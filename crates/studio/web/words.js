// Plans and events in words people use.

/** Seconds, short. */
export function seconds(number) {
  return `${number.toFixed(number < 100 ? 1 : 0)} s`;
}

/** What enemies do. */
export const MODES = {
  idle: 'at rest', pursue: 'comes after somebody', attack: 'strikes', return: 'goes home', dead: 'dead',
};

/** A count, with thin spaces. */
export function grouped(number) {
  return number.toLocaleString('en').replaceAll(',', '\u202f');
}

export function percent(part) {
  return `${Math.round(part * 100)} %`;
}

/** A refusal with its place, for those who have the file. On the map nobody sees that file, and the message is enough. */
export function inFile({ message, place }) {
  return place ? `line ${place.line}, column ${place.column}: ${message}` : message;
}

/** What is written like a message of a program, as a sentence. */
export function sentence(text) {
  return `${sentenceCase(text)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** The same with a capital letter. */
export function sentenceCase(text) {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}

/** How far from the best, in words. */
export function bound(factor) {
  if (factor === null || factor === undefined) return 'no bound is proven';
  if (factor <= 1) return 'the best there is';
  return `guaranteed at most ${times(factor)} the best`;
}

/** A bound, upwards: one that looks lower than it is would be none. Numbers that only look longer by counting in twos are as they are. */
export function times(factor) {
  const digits = factor < 10 ? 100 : 10;
  return `${Math.ceil(factor * digits - 1e-9) / digits}×`;
}

/** The seconds a plan takes. Its cost is more, where harm has a price. */
export function duration({ steps }) {
  return steps.at(-1)?.t ?? 0;
}

/**
 * What a plan costs beside the quickest way that is known: more seconds, and health. Nothing about seconds if no
 * other way is known.
 */
export function price(plan, quickest) {
  const lost = Math.round(plan.steps[0].health - plan.steps.at(-1).health);
  const health = lost > 0 ? `−${lost} health` : null;
  const later = quickest ? duration(plan) - duration(quickest) : null;
  const time = later === null ? null : later < 0.05 ? 'no slower than the quickest' : `+${seconds(later)} (${Math.round((100 * later) / duration(quickest))} % slower than the quickest)`;
  return [time, health ?? 'no harm'].filter(Boolean).join(', ');
}

/** What a point of health is worth to who plans. */
export function worth(harm) {
  return harm > 0 ? `A point of health is worth ${harm} s.` : 'Health is worth nothing, as long as it lasts.';
}

/** What it took to find a plan: first to get ready for it, then to look for it. */
export function effort({ preparation, preparation_ms: ready, expansions, time_ms: all }) {
  const looked = `looked at ${grouped(expansions)} states in ${milliseconds(all - ready)}`;
  return preparation > 0 ? `studied the map in ${grouped(preparation)} looks and ${milliseconds(ready)}, then ${looked}` : looked;
}

export const EFFORT = 'Getting ready looks at places of the map; searching looks at states: a place, a time, and what is held and open then. Budgets count both.';

function milliseconds(number) {
  return `${Math.max(0, number).toFixed(1)} ms`;
}

/** What happened, by the word for it, in the words of the page: the thing, how much, and how much it matters. */
const EVENTS = {
  picked_up: { text: (thing) => `takes ${thing}`, kind: 'take', main: true },
  door_opened: { text: (thing) => `${thing} opens`, kind: 'door', main: true, always: true },
  door_closed: { text: (thing) => `${thing} shuts`, kind: 'door', main: false },
  lever_pulled: { text: (thing) => `pulls ${thing}`, kind: 'lever', main: true },
  noticed_by: { text: (thing) => `is noticed by ${thing}`, kind: 'danger', main: true },
  hurt_by: { text: (thing, amount) => `loses ${amount} health to ${thing}`, kind: 'danger', main: true },
  died: { text: () => 'dies', kind: 'danger', main: true, always: true },
  turned_back: { text: () => 'finds the way shut', kind: 'door', main: false },
};

/**
 * An event in words, and how much it matters: `main` ones are numbered on the map. Events come as ids between colons: who, unless it
 * is the character, what, to or with what, and how much.
 */
export function event(word) {
  const parts = word.split(':');
  const who = parts[0] in EVENTS ? null : parts.shift();
  const [what, thing = '', amount] = parts;
  const known = EVENTS[what];
  if (!known) return { text: word, main: false, kind: 'other', what };
  const text = known.text(name(thing), amount);
  return {
    text: who ? `${name(who)} ${text}` : text, main: known.main && (!who || Boolean(known.always)), kind: known.kind, what, amount,
  };
}

/** Whose event it is; nothing if it is the character's. */
export function whom(word) {
  const [first] = word.split(':');
  return first in EVENTS ? '' : first;
}

/** Events of the same kind in a row, told once. */
export function story(plan) {
  const chapters = [];
  plan.steps.forEach((step, index) => {
    for (const word of step.events) {
      const told = event(word);
      const last = chapters.at(-1);
      const isFight = told.what === 'hurt_by';
      if (isFight && last?.fight && index - last.until < 12) {
        last.until = index;
        last.count += 1;
        last.text = `a fight: ${last.count} blows`;
        continue;
      }
      chapters.push({ ...told, index, until: index, t: step.t, fight: isFight, count: 1 });
    }
  });
  return chapters;
}

/** What an adviser is called among people. */
export function adviser(id) {
  if (id === 'straight') return 'the straight line';
  if (id === 'path') return 'the shortest way';
  if (id.startsWith('first:')) return `${name(id.slice(6))} first`;
  if (id.startsWith('event:')) return `by way of ${name(id.slice(6))}`;
  if (id.includes('graph')) return 'what you showed';
  if (id === 'trail') return 'the trail you showed';
  if (id === 'gaits') return 'sneaking where you sneaked';
  if (id.startsWith('errands')) return 'keys and doors in order';
  return id;
}

/** What it does, for whoever points at its name. */
export function adviserHelp(id) {
  if (id === 'straight') return 'Looks towards the goal as the crow flies';
  if (id === 'path') return 'Looks along the shortest way, as if every door stood open';
  if (id.startsWith('first:') || id.startsWith('event:')) return 'Looks for ways that go by this first, and to the goal from there';
  if (id.includes('graph') || id === 'trail') return 'Looks along what you drew or recorded';
  if (id === 'gaits') return 'Looks for ways that sneak where you sneaked';
  if (id.startsWith('errands')) return 'Looks for the quickest order in which keys, levers and doors can be had';
  return '';
}

/** A name in a few words; the beginning of one that has many. */
export function short(name, most) {
  return name.length <= most ? name : `${name.slice(0, most - 1).trimEnd()}…`;
}

/** Ids are written for files; people read words. */
export function name(id) {
  return id.replaceAll('_', ' ');
}

/** Several of them. */
export function names(ids) {
  return ids.map(name).join(', ');
}

/** Stances that are said apart from the rest of an order. */
const STANCES = { fighting: ', ready to fight', blocking: ', blocking' };

/** An order as people say it. It comes as one word after the other, each with its own meaning. */
export function order(action) {
  return action.split(' ').map((word) => STANCES[word] ?? ` ${word}`).join('').trimStart();
}

/** Planners by what they do, for the list. */
export const PLANNERS = {
  auto: 'Automatic: follows what you showed',
  astar: 'A*: the best plan',
  wastar: 'Weighted A*: sooner',
  ara: 'ARA*: soon, then better',
  mha: 'MHA*: with advisers',
  'mha-independent': 'Independent MHA*',
  'mha-plus': 'MHA*++',
  'mha-focal': 'Focal MHA*',
  'mha-unconstrained': 'Unconstrained MHA*',
  egraph: 'E-Graph: along recorded ways',
  tgraph: 'T-Graph: along what you showed',
};
