// Made from the types of Apprentice; `UPDATE_GOLDEN=1 cargo test` makes it anew.

/** An explanation for programs. Fields are written in the order of their names. */
export interface ExplanationDocument {
  /** Demonstrations that nothing follows. */
  ignored: IgnoredDocument[];
  /** Where the plan sneaks. */
  sneaking: SneakingDocument[];
  /** The plan from beginning to end, cut where what is followed changes. */
  stretches: StretchDocument[];
}

/** Something that may be wrong with a demonstration. */
export interface FindingDocument {
  /** What it is, in a word that stays. */
  code: string;
  /** The same in words, with its numbers. */
  message: string;
  /** The number of the sample, if it is about one. */
  sample: number | null;
  /** `warning` or `note`. */
  severity: string;
  /** When. */
  t: number | null;
  /** What to try. */
  try: string;
  /** Where. */
  x: number | null;
  /** Where. */
  y: number | null;
  /** Where. */
  z: number | null;
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

/** What is held from a moment on. */
export interface HoldingDocument {
  /** The ids. */
  holding: string[];
  /** From when on. */
  t: number;
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

/** What may be wrong with demonstrations: what `apprentice demo lint --format json` prints. */
export interface Lint {
  /** Each of them. */
  demonstrations: LookedOverDocument[];
  /** How many times as much steps away from them count. */
  epsilon: number;
  /** The name of the scenario's file, without its ending. */
  scenario: string;
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

/** What is in a recorded demonstration: what `apprentice demo inspect --format json` prints. */
export interface Log {
  /** The line that was cut off, if one was. */
  cut_line: number | null;
  /** How long it takes. */
  duration: number | null;
  /** What happened in it. */
  events: LoggedEventDocument[];
  /** The file. */
  file: string;
  /** Where it begins. */
  from: [number, number, number] | null;
  /** Seconds at each gait. */
  gaits: { [name: string]: number | null };
  /** What is held from when on. */
  holdings: HoldingDocument[];
  /** Seconds between two samples, if the log says so. */
  interval: number | null;
  /** How long its way is. */
  length: number | null;
  /** What it is called. */
  name: string;
  /** How many samples it has. */
  samples: number;
  /** The scenario it was recorded in, if the log says so. */
  scenario: string | null;
  /** Where it ends. */
  to: [number, number, number] | null;
  /** What its coordinates are in, if the log says so. */
  unit: string | null;
}

/** Something that happened in a recorded demonstration. */
export interface LoggedEventDocument {
  /** What, in one word. */
  event: string;
  /** When. */
  t: number;
}

/** A demonstration that was looked over. */
export interface LookedOverDocument {
  /** How long it takes. */
  duration: number | null;
  /** What may be wrong with it. */
  findings: FindingDocument[];
  /** What it is called. */
  name: string;
  /** Its place among those that attract a search, from 1. */
  rank: number | null;
  /** Whether it can help at the start, with its numbers. */
  relevance: RelevanceDocument | null;
  /** How many samples it has. */
  samples: number;
}

/** The value of a planner's parameter. */
export type ParameterValue = number | boolean | string | string[] | null;

/** A plan: what `apprentice plan --format json` prints, what the studio shows and saves, and what [`ClaimedPlan`] reads. Fields may be added; those that are here stay. */
export interface Plan {
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

/** What a heuristic estimates at a place: `apprentice heuristic --format json` prints a list of these. */
export interface ReadingDocument {
  /** Seconds to the goal, before any weight; null where no way leads there. */
  value: number | null;
  /** How far east the place is. */
  x: number;
  /** How far south. */
  y: number;
  /** How high, where floors lie above each other. */
  z?: number | null;
}

export type Readings = ReadingDocument[];

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

/** Whether a demonstration can help, in seconds. */
export interface RelevanceDocument {
  /** Along it. */
  along: number | null;
  /** To it. */
  approach: number | null;
  /** Whether it attracts a search. */
  attracts: boolean;
  /** What it is worth to follow it. */
  benefit: number | null;
  /** How many times the direct way the way along it takes. */
  detour: number | null;
  /** From its end to the goal. */
  onward: number | null;
  /** The direct way. */
  straight: number | null;
  /** All of the way along it. */
  total: number | null;
}

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

/** A plan of tasks that was found. */
export interface TaskImprovementDocument {
  /** What it costs. */
  cost: number | null;
  /** After how many iterations. */
  iterations: number;
  /** After how many microseconds. */
  time_us: number;
}

/** A plan of tasks: what `apprentice htn plan --format json` prints. Fields are written in the order of their names, here and below. */
export interface TaskPlan {
  /** What the plan costs; null without one. */
  cost: number | null;
  /** The plans that were found, one after the other, each better than the one before. */
  improvements: TaskImprovementDocument[];
  /** How many iterations the planner made. */
  iterations: number;
  /** The limit that cut branches off, if one did. */
  limit: string | null;
  /** The steps: the name of a task, and then its arguments. */
  plan: string[][];
  /** Whether there is a plan. */
  status: TaskPlanStatus;
  /** How long it took, in microseconds. */
  time_us: number;
}

/** Whether there is a plan of tasks. */
export type TaskPlanStatus = "found" | "impossible" | "limit" | "budget";
