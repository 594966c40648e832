// Made from the types of Apprentice; `UPDATE_GOLDEN=1 cargo test` makes it anew.

/** Tasks that are done in a level when it is played. */
export interface BoundTasks {
  /** Their file, as seen from that of the level. */
  file: string;
  /** What is to be done; empty: what the file itself asks for. */
  goal: string;
  /** Who does it; without it, the character at `start`. */
  who: string | null;
}

/** Why a plan was left. */
export interface Cause {
  /** In words. */
  text: string;
  /** The thing it is about, as the level calls it. */
  thing: string | null;
}

/** What a cell can be. */
export type Cover = "wall" | "floor";

/** One line of a log: when, who, and what. */
export type DecisionLine = {
  /** Seconds since the game began. */
  t: number;
  /** Whom the game calls so. */
  who: string;
} & ({
  /** Health, where a game has any. */
  health: number | null;
  what: "at";
  /** To the east. */
  x: number;
  /** To the south. */
  y: number;
} | {
  /** The way ahead. */
  ahead: ([number, number])[];
  /** Where it is. */
  from: [number, number];
  /** How many it has had. */
  plans: number;
  what: "plan";
  /** Why the one before was left. */
  why: Cause | null;
} | {
  /** Where it is. */
  at: [number, number];
  /** What. */
  doing: DoingWord;
  what: "doing";
  /** Why, if a plan was left. */
  why: Cause | null;
} | {
  /** What. */
  event: string;
  what: "event";
} | {
  /** Plans that broke so far. */
  broken: number;
  /** How that came about: `do`, `done`, `impossible`, `gave_up`, `thinking`. */
  outcome: TaskOutcome;
  /** What to do; nothing where there is no task. */
  task: string | null;
  what: "task";
});

/** What a game has written down. */
export interface Decisions {
  /** The level it was played in, where the file is read from its beginning. */
  level: string | null;
  lines: DecisionLine[];
  path: string;
  /** From which byte on to ask the next time. */
  read: number;
}

/** How much is wanted. */
export type Detail = "live" | "full";

/** Something that nobody planned for. */
export type Disturb = {
  disturbance: "open";
  thing: string;
} | {
  disturbance: "shut";
  thing: string;
} | {
  disturbance: "remove";
  thing: string;
} | {
  disturbance: "return";
  thing: string;
} | Held & {
  disturbance: "move";
} | Held & {
  disturbance: "settle";
};

/** What a character is at, in one word. */
export type DoingWord = "following" | "thinking" | "done" | "stuck" | "dead";

/** A point of a line: x, y and, where floors lie above each other, how high. */
export type Dot = [number, number] | [number, number, number];

/** A change of a scenario. */
export type Edit = {
  edit: "move";
  /** On which floor; without it, on the one it is on. */
  height?: number | null;
  /** How high each of its cells is then, of a door on uneven ground. */
  heights?: number[];
  thing: string;
  x: number;
  y: number;
} | {
  edit: "door";
  open: boolean;
  thing: string;
} | {
  edit: "add_player";
  height?: number | null;
  x: number;
  y: number;
} | {
  edit: "remove_player";
} | {
  cells: ([number, number])[];
  edit: "paint";
  with: Cover;
} | {
  edit: "paint_rectangle";
  from: [number, number];
  to: [number, number];
  with: Cover;
} | {
  at: [number, number];
  edit: "paint_fill";
  with: Cover;
} | {
  edit: "add";
  height?: number | null;
  /** Of a door: the key that opens it. */
  opened_by?: string | null;
  /** key, door, shield, item, pack, lever, player, character, or a kind of enemy. */
  what: string;
  x: number;
  y: number;
} | {
  edit: "copy";
  height?: number | null;
  thing: string;
  x: number;
  y: number;
} | {
  edit: "remove";
  thing: string;
} | {
  edit: "expect";
  expect?: ShownExpectation | null;
} | {
  edit: "price";
  harm: number;
} | {
  edit: "underlay";
  picture?: Underlay | null;
} | {
  edit: "bind";
  tasks?: BoundTasks | null;
} | {
  edit: "set";
  field: string;
  thing: string;
  value?: string | null;
};

/** An explanation for programs. Fields are written in the order of their names. */
export interface ExplanationDocument {
  /** Demonstrations that nothing follows. */
  ignored: IgnoredDocument[];
  /** Where the plan sneaks. */
  sneaking: SneakingDocument[];
  /** The plan from beginning to end, cut where what is followed changes. */
  stretches: StretchDocument[];
}

export interface Explored {
  /** How many there were; more than are listed if there were very many. */
  all: number;
  by: number[];
  places: number[];
}

/** Something the file says about a thing, or may say, in its own word. */
export interface Field {
  /** In words, for people. */
  about: string;
  name: string;
  /** Of a kind of enemy: its name. It is the same for all of that kind. */
  of_kind: string | null;
  /** What can be chosen from. */
  options: string[];
  sort: FieldSort;
  /** What it is if the file says nothing. */
  usual: string | null;
  /** As a person would type it; empty if the file says nothing. */
  value: string;
}

/** How a field is changed. */
export type FieldSort = "number" | "text" | "flag" | "choice" | "several" | "place" | "written";

export interface Files {
  /** Maps of level editors, of which levels can be made. */
  maps: string[];
  /** Pictures that can lie under a level. */
  pictures: string[];
  /** The planner that is used unless another is chosen. */
  planner: string;
  planners: ListedPlanner[];
  scenarios: ListedFile[];
  tasks: ListedFile[];
  version: string;
}

/** A part of a demonstration that is followed. */
export interface FollowsDocument {
  /** Its name. */
  demonstration: string;
  /** Where the part begins, in its own seconds. */
  from_s: number;
  /** Which demonstration it is, counted from 0. */
  number: number;
  /** How long all of it is. */
  of_s: number;
  /** Where the part ends. */
  to_s: number;
}

/** The world at one moment of playing. */
export interface Frame {
  /** How many there are. */
  count: number;
  enemies: ShownEnemy[];
  /** How far the tasks are that are carried out, if any are. */
  errand: ShownErrand | null;
  events: string[];
  goal_met: boolean;
  /** Whether no moment fits after this one: an hour has been played. */
  hour_is_up: boolean;
  lying: string[];
  /** All others who take orders, but for the player. */
  members: ShownMember[];
  mind: Mind | null;
  npc: ShownActor;
  number: number;
  /** Ids of doors that are open, items that lie around, levers that were pulled. */
  open: string[];
  player: ShownActor | null;
  pulled: string[];
  /** The level, if it has changed. */
  scene: Scene | null;
  time: number;
}

/** Lets time pass, in tenths of a second. */
export interface Go {
  /** Whom the person holds in its hand meanwhile. */
  held?: Held | null;
  moments: number;
  /** What the person wants: of the character while recording, of the player otherwise. */
  order?: string | null;
}

/** Where one can stand. */
export type Ground = {
  kind: "grid";
  rows: string[];
} | {
  /** Left, top, right, bottom. */
  bounds: [number, number, number, number];
  /** How high each of the places is, where they are not all the same. */
  heights: number[] | null;
  kind: "mesh";
  places: ([number, number])[];
  polygons: (([number, number])[])[];
  spacing: number;
  /** How high the middle of each polygon is, where they are not all the same. */
  storeys: number[] | null;
};

/** Somebody who is carried about. */
export interface Held {
  height?: number | null;
  thing: string;
  x: number;
  y: number;
}

/** A demonstration that is hardly followed. */
export type IgnoredDocument = {
  /** Its name. */
  demonstration: string;
  /** Which it is, counted from 0. */
  number: number;
  /** The same in words. */
  text: string;
} & ({
  /** How many times the direct way it takes. */
  detour: number;
  /** How many times the direct way it may take. */
  epsilon: number;
  kind: "too-long";
} | {
  kind: "leads-nowhere";
} | {
  kind: "empty";
} | {
  kind: "not-asked";
} | {
  kind: "better";
});

/** How plans in a level are to be made, as its file says. */
export interface LevelPlanning {
  /** From 0, the best plan, to 1, what was shown. */
  faithful: number | null;
  /** The name of a planner; without it, the one that is used unless another is chosen. */
  planner: string | null;
}

/** A demonstration as the page has it. */
export interface Line {
  /** Whether it is left out for now. Only what is saved can be. */
  hidden?: boolean;
  /** A recorded log; its samples count instead of the points. */
  log?: string | null;
  name: string;
  /** A drawn line. */
  points?: Dot[];
}

export interface LintFinding {
  at: [number, number] | null;
  /** What it is, in one word for programs: `pauses`, `irrelevant`, `in-a-wall`… */
  code: string;
  /** The number of the demonstration. */
  demonstration: number;
  message: string;
  severity: string;
}

export interface ListedEstimate {
  about: string;
  id: string;
}

export interface ListedFile {
  built_in: boolean;
  name: string;
  path: string;
  /** What is wrong with it, if it cannot be read. */
  wrong: string | null;
}

export interface ListedKind {
  /** guard or beast. */
  kind: string;
  name: string;
}

export interface ListedPlanner {
  about: string;
  /** Whether demonstrations draw it. */
  follows: boolean;
  /** Whether it listens to advisers. */
  has_advisers: boolean;
  name: string;
}

export interface ListedTest {
  expects: ShownExpectation | null;
  /** Whether a plan lies beside it that must work. */
  has_plan: boolean;
  name: string;
  path: string;
}

/** Somebody who would notice a walker. */
export interface ListenerDocument {
  /** Who. */
  agent: string;
  /** How near the plan comes. */
  distance: number;
  /** From how far they notice somebody who sneaks. */
  notices_sneaking: number;
  /** From how far they notice somebody who walks. */
  notices_walking: number;
}

/** What the character is thinking. */
export interface Mind {
  /** The way still ahead. */
  ahead: ([number, number])[];
  /** How many plans were made so far. */
  plans: number;
  /** following, thinking, done, stuck, dead. */
  state: string;
  /** Why the last one was left. */
  why: string | null;
}

export interface Opened {
  demonstrations: OwnLine[];
  /** What could not be read, in words. */
  notes: string[];
  path: string;
  planning: LevelPlanning;
  scene: Scene;
  text: string;
}

/** An order, and for how many moments it was given. */
export type Ordered = [string, number];

/** A demonstration that came with a scenario. */
export interface OwnLine {
  /** Whether it is left out for now. */
  hidden: boolean;
  log: string | null;
  name: string;
  points: Dot[];
}

/** The value of a planner's parameter. */
export type ParameterValue = number | boolean | string | string[] | null;

export interface PlanAnswer {
  /** How much of each demonstration the plan passes by, from 0 to 1. */
  covered: number[];
  /** Whether no better answer follows. */
  done: boolean;
  /** Where the character is drawn at each step. */
  drawn: ([number, number])[];
  /** On whose behalf each step's state was looked at. */
  expanded_by: (number | null)[];
  /** What the search looked at, in order: the place, and on whose behalf. */
  explored: Explored | null;
  heuristics: string[];
  /** What is hardly followed, and why. */
  ignored: ShownIgnored[];
  /** How far from the best this planner's plans may be, as far as its numbers say. */
  implied_bound: number;
  improvements: ShownImprovement[];
  /** What stands in the way, if it is proven that there is no plan; in words. */
  no_way: string | null;
  notes: string[];
  /** Where others are at each step. */
  others: (([number, number])[])[];
  plan: PlanDocument;
  side: Side;
  /** What is followed where, and why it is left. */
  stretches: ShownStretch[];
}

/** A scenario as the page has it. */
export interface PlanAsk {
  demonstrations: Line[];
  detail?: Detail;
  /** Changes that are being tried. */
  edits?: Edit[];
  /** Where it came from, so that files it names are found. */
  path: string;
  settings: PlannerSettings;
  /** Which of the two plans side by side. */
  side?: Side;
  text: string;
}

/** A plan: what `apprentice plan --format json` prints, what the studio shows and saves, and what [`ClaimedPlan`] reads. Fields may be added; those that are here stay. */
export interface PlanDocument {
  /** Whom it was made for; only if that is not the character at `start`. */
  agent?: string | null;
  /** How many times the best plan's cost this one's is at most; null if nothing is proven. */
  bound: number | null;
  /** Units of budget: those for getting ready, those for expansions, and those for upkeep. */
  budget_spent: number;
  /** How much memory each of them took. */
  bytes_per_state: number;
  /** How many seconds the plan takes; null without one. */
  cost: number | null;
  /** For each heuristic by its name, how many states it expanded; the first is the one that proves. */
  expanded_by: { [name: string]: number };
  /** How many states were expanded, a unit each. */
  expansions: number;
  /** Why the plan is as it is; only if asked for. */
  explanation?: ExplanationDocument | null;
  /** The part of the demonstrations that the plan follows, from 0 to 1. */
  followed: number;
  /** How many successors were made. */
  generated: number;
  /** The same in a sentence, with the reason. */
  guarantee: string;
  /** The numbers that mattered to it. */
  parameters: { [name: string]: ParameterValue };
  /** The planner, as `--planner` calls it. */
  planner: string;
  /** The style the player is taken to follow; only if a model of one decides for the player. */
  player_model?: string | null;
  /** The units for getting ready. */
  preparation: number;
  /** The part before the first state was met. */
  preparation_ms: number;
  /** How many states were expanded for the second time or more. */
  reexpansions: number;
  /** The name of the scenario's file, without its ending. */
  scenario: string;
  /** How many different states were met. */
  states: number;
  /** Whether there is a plan. */
  status: PlanStatus;
  /** The start, and the plan; empty without one. */
  steps: StepDocument[];
  /** How long it took in all. */
  time_ms: number;
  /** The units for other work of the search. */
  upkeep: number;
}

/** Whether there is a plan. */
export type PlanStatus = "found" | "impossible" | "budget";

/** A planner and its numbers; what is missing follows from the bound. */
export interface PlannerSettings {
  epsilon?: number | null;
  events?: string[] | null;
  /** From 0, the best plan, to 1, what was shown. */
  faithful?: number | null;
  no_calibration?: boolean;
  planner: string;
  reopen?: boolean;
  w?: number | null;
  w1?: number | null;
  w2?: number | null;
}

/** A scenario as the page has it. */
export interface PlayAsk {
  demonstrations: Line[];
  /** Changes that are being tried. */
  edits?: Edit[];
  /** Where it came from, so that files it names are found. */
  path: string;
  /** If the person plays the character, to have it recorded: all it was ordered to do so far. */
  recording?: Ordered[] | null;
  settings: PlannerSettings;
  /** The tasks somebody is to do instead of what the level asks for. */
  tasks?: PlayedTasks | null;
  text: string;
}

/** Tasks that are carried out in a level. */
export interface PlayedTasks {
  /** What is to be done; empty: what the file itself asks for. */
  goal?: string;
  path: string;
  text: string;
  /** Who is to do it, as the level calls it; without it, the character at `start`. */
  who?: string | null;
}

/** Why a plan is not where a demonstration is, or what it does there. */
export type ReasonDocument = {
  /** The same in words. */
  text: string;
} & ({
  /** In which direction from there. */
  direction: string | null;
  kind: "does";
  /** How far from the nearest demonstration that is; null if it lies on one. */
  off: number | null;
} & ({
  deed: "fetch";
  /** Which. */
  id: string;
  /** The doors that need it. */
  opens: string[];
} | {
  deed: "pull";
  /** Which. */
  id: string;
  /** The doors that it opens. */
  opens: string[];
} | {
  deed: "open";
  /** Which. */
  id: string;
  /** The key. */
  with: string;
} | {
  deed: "defeat";
  /** Who. */
  id: string;
} | {
  deed: "do";
  /** To what. */
  id: string;
}) | {
  kind: "wall";
  /** Where it begins. */
  x: number;
  /** Where it begins. */
  y: number;
  /** Where it begins. */
  z: number;
} | {
  kind: "off-map";
  /** Where. */
  x: number;
  /** Where. */
  y: number;
  /** Where. */
  z: number;
} | {
  /** How near it passes. */
  distance: number;
  /** Who. */
  id: string;
  kind: "enemy";
  /** From how far they notice somebody who walks. */
  notices: number;
} | {
  kind: "shorter";
  /** So many seconds less. */
  saves: number;
} | {
  /** The demonstration. */
  demonstration: string;
  /** Where the part begins, in its own seconds. */
  from_s: number;
  kind: "left-out";
  /** Where the part ends. */
  to_s: number;
} | {
  kind: "begins";
} | {
  kind: "ends";
});

/** Why something cannot be done. */
export interface Refusal {
  /** In words, without the place. */
  message: string;
  /** Where in the text of the level, if that is where the mistake is. */
  place: TextPlace | null;
}

/** A level as the page draws it. */
export interface Scene {
  can_run: boolean;
  /** What estimates there are to show. */
  estimates: ListedEstimate[];
  /** What is expected of whoever plays in it. */
  expects: ShownExpectation | null;
  /** The goal in words. */
  goal: string;
  ground: Ground;
  /** How many seconds a point of lost health counts in plans. */
  harm: number;
  /** The kinds of enemies there are: those every level knows, and its own. */
  kinds: ListedKind[];
  name: string;
  /** The picture under it. */
  picture: Underlay | null;
  /** The tasks that are done in it when it is played. */
  tasks: BoundTasks | null;
  things: ShownThing[];
}

export interface ShownActor {
  gait: string;
  health: number;
  height: number | null;
  holding: string[];
  stamina: number;
  x: number;
  y: number;
}

export interface ShownEnemy {
  /** None: it cannot be hurt. */
  health: number | null;
  height: number | null;
  id: string;
  mode: string;
  x: number;
  y: number;
}

/** How far somebody has come with tasks. */
export interface ShownErrand {
  /** doing, done, failed. */
  state: string;
  /** The task that is being done. */
  step: string | null;
  /** Why it cannot be done. */
  why: string | null;
}

/** What is expected of whoever plays in a level. */
export interface ShownExpectation {
  arrives: boolean;
  /** How much of what was shown it passes by at least, from 0 to 1. */
  followed: number | null;
  /** With so much health at least. */
  health: number | null;
  unnoticed: boolean;
  /** In so many seconds at most. */
  within: number | null;
}

/** A demonstration that is hardly followed. */
export interface ShownIgnored {
  /** Its number among those that were asked with. */
  demonstration: number | null;
  /** Why, in words. */
  text: string;
}

export interface ShownImprovement {
  bound: number | null;
  cost: number;
  expansions: number;
}

/** One of the others who take orders, at a moment. */
export interface ShownMember {
  actor: ShownActor;
  id: string;
  /** What it is thinking, if it decides for itself. */
  mind: Mind | null;
}

/** Steps in a row that follow the same demonstration, or none; or that are sneaked. */
export interface ShownStretch {
  /** The numbers of its first and its last step, counting from 1. */
  first: number;
  /** The number of the demonstration. */
  follows: number | null;
  last: number;
  /** Why, in words. */
  text: string;
}

/** Something on the map. */
export interface ShownThing {
  /** Where the scenario puts it; a door may have several cells, of which the first counts. */
  at: ([number, number])[];
  /** The places it closes, if they are others. */
  closes: ([number, number])[] | null;
  /** Which colour tells what belongs together: keys and their doors. */
  color: number | null;
  /** How high it is, where not all is at the same height. */
  height: number | null;
  /** What edits and disturbances call it. */
  id: string;
  /** start, goal, player, actor, key, shield, item, pack, door, lever, guard, beast, obstacle, trap, liked, avoided. */
  kind: string;
  /** How far from its home it follows anybody. */
  leash: number | null;
  /** Whether it can be dragged. */
  movable: boolean;
  /** Of a door. */
  open: boolean | null;
  /** How near is too near, walking; of a goal, how near is near enough. */
  radius: number | null;
  sneak_radius: number | null;
  /** In words, for people. */
  title: string;
}

/** Which of two plans side by side, or the best plan there is, to hold the others against. */
export type Side = "left" | "right" | "best";

/** Steps in a row that are sneaked. */
export interface SneakingDocument {
  /** Who would notice somebody who walks; null if nobody would. */
  because_of: ListenerDocument | null;
  /** The number of the first step, counted from 1. */
  from_step: number;
  /** When it begins. */
  from_t: number;
  /** The number of the last step. */
  to_step: number;
  /** When it ends. */
  to_t: number;
}

/** A step of a plan, and how the world is when it has been carried out. The first is the start. */
export interface StepDocument {
  /** The order; `start` at the start. */
  action: string;
  /** What happened during the step, each in one word. */
  events: string[];
  /** `walk`, `sneak` or `run`. */
  gait: string;
  /** How well the character is then, up to 100. */
  health: number | null;
  /** The ids of what it carries. */
  holding: string[];
  /** When it is over, in seconds. */
  t: number | null;
  /** How far east the character is then. */
  x: number;
  /** How far south. */
  y: number;
  /** How high; only on levels that are not flat. */
  z?: number | null;
}

/** Steps in a row that follow the same demonstration, or none. */
export interface StretchDocument {
  /** The demonstration; null where the plan goes its own way. */
  follows: FollowsDocument | null;
  /** The number of its first step, counted from 1. */
  from_step: number;
  /** When it begins. */
  from_t: number;
  /** Why. */
  reasons: ReasonDocument[];
  /** The number of its last step. */
  to_step: number;
  /** When it ends. */
  to_t: number;
}

/** An answer, with the number of its question. */
export type StudioAnswer = {
  id: number;
} & (Files & {
  answer: "files";
} | Opened & {
  answer: "opened";
} | {
  answer: "broken";
  message: string;
  path: string;
  place: TextPlace | null;
  text: string;
} | {
  answer: "stamps";
  /** In the order of the question; null for what is not there. */
  stamps: (string | null)[];
} | {
  answer: "picture";
  /** All of it, as the address of an image. */
  data: string;
  path: string;
} | {
  answer: "edited";
  /** What else had to be changed, or was left as it was, in words. */
  notes: string[];
  scene: Scene;
  text: string;
} | {
  answer: "inspected";
  fields: Field[];
  thing: string;
} | PlanAnswer & {
  answer: "plan";
} | {
  answer: "heat";
  estimate: string;
  /** Seconds, place by place; null where no way leads to the goal. */
  values: (number | null)[];
} | {
  answer: "lint";
  findings: LintFinding[];
} | {
  answer: "log";
  name: string;
  /** What was cut off, if something was. */
  note: string | null;
  text: string;
} | Frame & {
  answer: "frame";
} | {
  answer: "tests";
  tests: ListedTest[];
} | Tested & {
  answer: "tested";
} | {
  answer: "decision_logs";
  paths: string[];
} | Decisions & {
  answer: "decisions";
} | {
  answer: "saved";
  /** What could not be kept, or is different, in words. */
  notes: string[];
  paths: string[];
} | {
  answer: "exists";
  path: string;
} | TasksAnswer & {
  answer: "tasks";
} | {
  answer: "tasks_file";
  path: string;
  text: string;
} | Refusal & {
  answer: "refused";
} | {
  answer: "superseded";
});

/** A question of the page. */
export type StudioQuestion = {
  /** Its number. */
  id: number;
} & ({
  ask: "files";
} | {
  ask: "open";
  path: string;
} | {
  ask: "new";
  height: number;
  name: string;
  width: number;
} | {
  ask: "import";
  path: string;
  text?: string | null;
} | {
  ask: "stamps";
  paths: string[];
} | {
  ask: "picture";
  path: string;
} | {
  ask: "edit";
  /** Changes that are being tried. */
  edits?: Edit[];
  /** Where it came from, so that files it names are found. */
  path: string;
  text: string;
} | {
  ask: "inspect";
  /** Changes that are being tried. */
  edits?: Edit[];
  /** Where it came from, so that files it names are found. */
  path: string;
  text: string;
  thing: string;
} | PlanAsk & {
  ask: "plan";
} | {
  ask: "heat";
  demonstrations: Line[];
  /** Changes that are being tried. */
  edits?: Edit[];
  estimate: string;
  /** Where it came from, so that files it names are found. */
  path: string;
  settings: PlannerSettings;
  text: string;
} | {
  ask: "lint";
  demonstrations: Line[];
  /** Changes that are being tried. */
  edits?: Edit[];
  /** Where it came from, so that files it names are found. */
  path: string;
  settings?: PlannerSettings;
  text: string;
} | {
  ask: "read_log";
  text: string;
} | {
  ask: "write_log";
  demonstration: Line;
  /** Changes that are being tried. */
  edits?: Edit[];
  /** Where it came from, so that files it names are found. */
  path: string;
  text: string;
} | PlayAsk & {
  ask: "play";
} | Go & {
  ask: "go";
} | {
  ask: "seek";
  frame: number;
  stays?: boolean;
} | Disturb & {
  ask: "disturb";
} | {
  ask: "rearrange";
  edits: Edit[];
} | {
  ask: "retask";
  tasks?: PlayedTasks | null;
} | {
  ask: "tasks_for";
  /** Changes that are being tried. */
  edits?: Edit[];
  /** Where it came from, so that files it names are found. */
  path: string;
  text: string;
} | {
  ask: "recorded";
  /** Changes that are being tried. */
  edits?: Edit[];
  /** Where it came from, so that files it names are found. */
  path: string;
  recording: Ordered[];
  text: string;
} | {
  ask: "save";
  path: string;
  replace?: boolean;
  text: string;
  was?: string | null;
} | {
  ask: "save_scenario";
  demonstrations: Line[];
  /** Changes that are being tried. */
  edits?: Edit[];
  /** Where it came from, so that files it names are found. */
  path: string;
  /** How plans are to be made; without it, as the text says. */
  planning?: LevelPlanning | null;
  replace?: boolean;
  save_as: string;
  text: string;
  was?: string | null;
} | {
  ask: "save_moment";
  name: string;
} | {
  ask: "tests";
} | {
  ask: "run_test";
  path: string;
} | {
  ask: "decision_logs";
} | {
  ask: "decisions";
  from?: number;
  path: string;
} | TasksAsk & {
  ask: "tasks";
} | {
  ask: "open_tasks";
  path: string;
});

/** Something wrong with a text; places are counted in UTF-16 units, as browsers do. */
export interface TaskDiagnostic {
  code: string;
  /** The file, if it is another than the one that is written. */
  file: string | null;
  from: number;
  hint: string;
  /** Whether it is about the goal that was asked for beside the file. */
  in_goal: boolean;
  line: number;
  message: string;
  severity: string;
  to: number;
}

export interface TaskLine {
  depth: number;
  /** task, refused, taken. */
  kind: string;
  /** The line of the text it is about, counted from 1. */
  line: number | null;
  text: string;
}

/** What came of asking for the next task. */
export type TaskOutcome = "do" | "done" | "impossible" | "gave_up" | "thinking";

export interface TasksAnswer {
  cost: number | null;
  diagnostics: TaskDiagnostic[];
  formatted: string | null;
  found: boolean;
  /** Whether what follows comes from the last text without mistakes. */
  stale: boolean;
  status: string;
  steps: string[];
  /** How the goal was taken apart, and why each method was refused or taken. */
  why: TaskLine[];
}

export interface TasksAsk {
  /** Whether the canonical layout is wanted. */
  format?: boolean;
  /** What is to be done; empty: what the file itself asks for. */
  goal?: string;
  path: string;
  text: string;
}

/** How a test went. */
export interface Tested {
  followed: number | null;
  health: number | null;
  passed: boolean;
  path: string;
  time: number | null;
  /** What was expected and did not happen, in words. */
  unmet: string[];
}

/** A place in a text, counted from 1. */
export interface TextPlace {
  column: number;
  line: number;
}

/** A picture that lies under a level, so that it can be painted over. */
export interface Underlay {
  /** Its file, as seen from that of the level. */
  file: string;
  /** How wide it is, in the same. */
  width: number;
  /** Where its left upper corner is, in cells or metres. */
  x: number;
  y: number;
}
