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

/** Reasons come with the line of the file; on the map nobody sees that file. */
export function reason(message) {
  return message.replace(/^line \d+, column \d+: /, '');
}

/** What is written like a message of a program, as a sentence. */
export function sentence(text) {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** What may be wrong with a line. */
export function finding(message) {
  return sentence(plain(message));
}

/** How far from the best, in words. */
export function bound(factor) {
  if (factor === null || factor === undefined) return 'no bound is proven';
  if (factor <= 1) return 'the best there is';
  // Upwards, because a bound that looks lower than it is would be none.
  const digits = factor < 10 ? 100 : 10;
  return `at most ${times(Math.ceil(factor * digits) / digits)} the best`;
}

export function times(factor) {
  const digits = factor < 10 ? 2 : 1;
  return `${Number(factor.toFixed(digits))}×`;
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

/** An event in words, and how much it matters: `main` ones are numbered on the map. */
export function event(word) {
  const parts = word.split(':');
  const known = ['picked_up', 'door_opened', 'door_closed', 'lever_pulled', 'noticed_by', 'hurt_by', 'died', 'turned_back'];
  let who = null;
  if (!known.includes(parts[0])) who = parts.shift();
  const [what, thing, amount] = parts;
  const name = thing?.replaceAll('_', ' ');
  const said = (own, other) => (who ? `${who.replaceAll('_', ' ')} ${other}` : own);
  switch (what) {
    case 'picked_up': return { text: said(`takes ${name}`, `takes ${name}`), main: !who, kind: 'take' };
    case 'door_opened': return { text: `${name} opens`, main: true, kind: 'door' };
    case 'door_closed': return { text: `${name} shuts`, main: false, kind: 'door' };
    case 'lever_pulled': return { text: said(`pulls ${name}`, `pulls ${name}`), main: !who, kind: 'lever' };
    case 'noticed_by': return { text: said(`is noticed by ${name}`, `is noticed by ${name}`), main: !who, kind: 'danger' };
    case 'hurt_by': return { text: said(`loses ${amount} health to ${name}`, `loses ${amount} health to ${name}`), main: !who, kind: 'danger' };
    case 'died': return { text: said('dies', 'dies'), main: true, kind: 'danger' };
    case 'turned_back': return { text: said('finds the way shut', 'finds the way shut'), main: false, kind: 'door' };
    default: return { text: word, main: false, kind: 'other' };
  }
}

/** Events of the same kind in a row, told once. */
export function story(plan) {
  const chapters = [];
  plan.steps.forEach((step, index) => {
    for (const word of step.events) {
      const told = event(word);
      const last = chapters.at(-1);
      const isFight = word.includes('hurt_by');
      if (isFight && last?.fight && index - last.until < 12) {
        last.until = index;
        last.losses[told.text.split(' to ').pop()] = true;
        last.count += 1;
        last.text = `a fight: ${last.count} blows`;
        continue;
      }
      chapters.push({ ...told, index, until: index, t: step.t, fight: isFight, count: 1, losses: {} });
    }
  });
  return chapters;
}

/** What an adviser is called among people. */
export function adviser(name) {
  if (name === 'straight') return 'the straight line';
  if (name === 'path') return 'the shortest way';
  if (name.startsWith('first:')) return `the way by ${name.slice(6).replaceAll('_', ' ')} first`;
  if (name.startsWith('event:')) return `the way by ${name.slice(6).replaceAll('_', ' ')}`;
  if (name.includes('graph')) return 'what you showed';
  if (name === 'trail') return 'the trail you showed';
  if (name === 'gaits') return 'sneaking where you sneaked';
  if (name.startsWith('errands')) return 'the round of errands';
  return name;
}

/** A name in a few words; the beginning of one that has many. */
export function short(name, most) {
  return name.length <= most ? name : `${name.slice(0, most - 1).trimEnd()}…`;
}

/** Ids are written for files; people read words. */
export function plain(text) {
  return text.replaceAll('`', '').replaceAll('_', ' ').replaceAll(/\b(\w+) \1\b/g, '$1');
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
