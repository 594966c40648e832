//! What programs read: a plan, as it is written and as it is checked by living through it.

use std::collections::BTreeMap;
use std::time::Duration;

use apprentice_behavior::{Parameter, Planner};
use apprentice_world::{
    AgentId, AnyQuest, Event, Gait, Goal, Invalid, Order, Quest, Scenario, Stance, Thing, Verified,
    Why, World, verify,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Number;

use crate::events;
use crate::explanation::{self, ExplanationDocument};
use crate::numbers::{coordinate, finite};
use crate::report::Report;

/// A plan: what `apprentice plan --format json` prints, what the studio shows and saves, and what
/// [`ClaimedPlan`] reads. Fields may be added; those that are here stay.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PlanDocument {
    /// The name of the scenario's file, without its ending.
    pub scenario: String,
    /// Whom it was made for; only if that is not the character at `start`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The style the player is taken to follow; only if a model of one decides for the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player_model: Option<String>,
    /// The planner, as `--planner` calls it.
    pub planner: String,
    /// The numbers that mattered to it.
    pub parameters: BTreeMap<String, ParameterValue>,
    /// Whether there is a plan.
    pub status: PlanStatus,
    /// How many seconds the plan takes; null without one.
    pub cost: Option<f64>,
    /// How many times the best plan's cost this one's is at most; null if nothing is proven.
    pub bound: Option<f64>,
    /// The same in a sentence, with the reason.
    pub guarantee: String,
    /// Units of budget: those for getting ready, those for expansions, and those for upkeep.
    pub budget_spent: u64,
    /// The units for getting ready.
    pub preparation: u64,
    /// How many states were expanded, a unit each.
    pub expansions: u64,
    /// The units for other work of the search.
    pub upkeep: u64,
    /// How many states were expanded for the second time or more.
    pub reexpansions: u64,
    /// How many successors were made.
    pub generated: u64,
    /// How many different states were met.
    pub states: u64,
    /// How much memory each of them took.
    pub bytes_per_state: f64,
    /// For each heuristic by its name, how many states it expanded; the first is the one that proves.
    #[serde(serialize_with = "as_object")]
    #[schemars(with = "BTreeMap<String, u64>")]
    pub expanded_by: Vec<(String, u64)>,
    /// How long it took in all.
    pub time_ms: f64,
    /// The part before the first state was met.
    pub preparation_ms: f64,
    /// The start, and the plan; empty without one.
    pub steps: Vec<StepDocument>,
    /// The part of the demonstrations that the plan follows, from 0 to 1.
    pub followed: f64,
    /// Why the plan is as it is; only if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<ExplanationDocument>,
}

/// Whether there is a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlanStatus {
    /// There is one.
    Found,
    /// It is proven that there is none.
    Impossible,
    /// There is none yet, because the budget was spent.
    Budget,
}

/// The value of a planner's parameter.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ParameterValue {
    /// A weight, or another number.
    Number(f64),
    /// How many.
    Count(u64),
    /// Whether.
    Switch(bool),
    /// Which.
    Word(String),
    /// What, by name.
    Names(Vec<String>),
    /// It was not given.
    None,
}

/// A step of a plan, and how the world is when it has been carried out. The first is the start.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StepDocument {
    /// When it is over, in seconds.
    pub t: Option<f64>,
    /// The order; `start` at the start.
    pub action: String,
    /// How far east the character is then.
    #[schemars(with = "f64")]
    pub x: Number,
    /// How far south.
    #[schemars(with = "f64")]
    pub y: Number,
    /// How high; only on levels that are not flat.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub z: Option<Number>,
    /// `walk`, `sneak` or `run`.
    pub gait: String,
    /// How well the character is then, up to 100.
    pub health: Option<f64>,
    /// The ids of what it carries.
    pub holding: Vec<String>,
    /// What happened during the step, each in one word.
    pub events: Vec<String>,
}

impl PlanDocument {
    /// The document of a report.
    pub fn of(report: &Report<'_>) -> PlanDocument {
        let outcome = report.outcome;
        let status = if outcome.plan.is_some() {
            PlanStatus::Found
        } else if outcome.is_impossible() {
            PlanStatus::Impossible
        } else {
            PlanStatus::Budget
        };
        let (statistics, spending) = (&outcome.statistics, &outcome.spending);
        let milliseconds = |time: Duration| time.as_micros() as f64 / 1e3;
        let names = outcome.heuristics.iter().cloned();
        let plan = outcome.plan.as_ref();
        PlanDocument {
            scenario: report.scenario_id.to_owned(),
            agent: (report.scenario.agent() != AgentId::NPC).then(|| {
                let agent = Thing::Agent(report.scenario.agent());
                report.scenario.id_of(agent).to_owned()
            }),
            player_model: report.scenario.player_model().map(str::to_owned),
            planner: report.planner.name().to_string(),
            parameters: parameters(report),
            status,
            cost: plan.and_then(|plan| finite(plan.cost.as_seconds())),
            bound: outcome.guarantee.factor(),
            guarantee: outcome.proven.clone(),
            budget_spent: spending.units,
            preparation: spending.preparation,
            expansions: statistics.expanded,
            upkeep: statistics.upkeep,
            reexpansions: statistics.reexpanded,
            generated: statistics.generated,
            states: statistics.states,
            bytes_per_state: statistics.bytes_per_state(),
            expanded_by: names.zip(statistics.expanded_by.iter().copied()).collect(),
            time_ms: milliseconds(spending.preparing + spending.searching),
            preparation_ms: milliseconds(spending.preparing),
            steps: steps(report),
            followed: report.followed(),
            explanation: report.explanation().map(explanation::document),
        }
    }

    /// As it stands in a file: over several lines, with a line end.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// The numbers that matter to a planner.
pub fn planner_parameters(
    planner: &Planner,
    scenario: &Scenario,
) -> BTreeMap<String, ParameterValue> {
    let value = |parameter| match parameter {
        Parameter::Number(number) => ParameterValue::Number(number),
        Parameter::Switch(switch) => ParameterValue::Switch(switch),
        Parameter::Word(word) => ParameterValue::Word(word.to_owned()),
        Parameter::Names(names) => ParameterValue::Names(names),
    };
    let parameters = planner.parameters(scenario.landmarks()).into_iter();
    parameters
        .map(|(name, parameter)| (name.to_owned(), value(parameter)))
        .collect()
}

fn parameters(report: &Report<'_>) -> BTreeMap<String, ParameterValue> {
    let mut parameters = planner_parameters(report.planner, report.scenario);
    let Some(limits) = report.limits else {
        return parameters;
    };
    let branching = u64::from(limits.branching.number());
    let time = limits.time.map(ParameterValue::Count);
    for (name, value) in [
        ("branching", ParameterValue::Count(branching)),
        ("expansions", ParameterValue::Count(limits.units)),
        ("time_ms", time.unwrap_or(ParameterValue::None)),
        ("memory_bytes", ParameterValue::Count(limits.memory)),
    ] {
        parameters.insert(name.to_owned(), value);
    }
    parameters
}

fn steps(report: &Report<'_>) -> Vec<StepDocument> {
    let scenario = report.scenario;
    if report.outcome.plan.is_none() {
        return Vec::new();
    }
    let start = &report.outcome.start;
    let first = step_document(scenario, START.to_owned(), start, &[]);
    let rest = report.steps().iter().map(|step| StepDocument {
        t: finite(step.time.as_seconds()),
        ..step_document(scenario, step.order.to_string(), &step.world, &step.events)
    });
    std::iter::once(first).chain(rest).collect()
}

/// The action of the first step, which is none.
const START: &str = "start";

fn step_document(
    scenario: &Scenario,
    action: String,
    world: &World,
    events: &[Event],
) -> StepDocument {
    let at = world.position(scenario.agent(), scenario);
    let holding = world.holding(scenario.agent());
    StepDocument {
        t: Some(0.0),
        action,
        x: coordinate(at.x),
        y: coordinate(at.y),
        z: height(scenario, world).map(coordinate),
        gait: gait(scenario, world).to_string(),
        health: finite(world.health(scenario.agent(), scenario)),
        holding: holding
            .map(|item| scenario.id_of(Thing::Item(item)).to_owned())
            .collect(),
        events: events::words(scenario, events),
    }
}

/// How high the planned agent stands, on levels that are not flat.
fn height(scenario: &Scenario, world: &World) -> Option<f64> {
    let map = scenario.map();
    (!map.is_flat()).then(|| map.height_of(world.place(scenario.agent(), scenario)))
}

fn gait(scenario: &Scenario, world: &World) -> Gait {
    let stance = world.stance(scenario.agent());
    stance.map_or(Gait::Walk, Stance::gait)
}

fn as_object<S: Serializer>(pairs: &[(String, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, count)| (name, count)))
}

/// What a heuristic estimates at a place: `apprentice heuristic --format json` prints a list of these.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReadingDocument {
    /// How far east the place is.
    #[schemars(with = "f64")]
    pub x: Number,
    /// How far south.
    #[schemars(with = "f64")]
    pub y: Number,
    /// How high, where floors lie above each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub z: Option<Number>,
    /// Seconds to the goal, before any weight; null where no way leads there.
    pub value: Option<f64>,
}

/// A plan of tasks: what `apprentice htn plan --format json` prints. Fields are written in the order
/// of their names, here and below.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TaskPlanDocument {
    /// What the plan costs; null without one.
    #[schemars(with = "Option<f64>")]
    pub cost: Option<Number>,
    /// The plans that were found, one after the other, each better than the one before.
    pub improvements: Vec<TaskImprovementDocument>,
    /// How many iterations the planner made.
    pub iterations: u64,
    /// The limit that cut branches off, if one did.
    pub limit: Option<&'static str>,
    /// The steps: the name of a task, and then its arguments.
    pub plan: Vec<Vec<String>>,
    /// Whether there is a plan.
    pub status: TaskPlanStatus,
    /// How long it took, in microseconds.
    pub time_us: u64,
}

/// A plan of tasks that was found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TaskImprovementDocument {
    /// What it costs.
    #[schemars(with = "Option<f64>")]
    pub cost: Option<Number>,
    /// After how many iterations.
    pub iterations: u64,
    /// After how many microseconds.
    pub time_us: u64,
}

/// Whether there is a plan of tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaskPlanStatus {
    /// There is one.
    Found,
    /// It is proven that there is none.
    Impossible,
    /// There may be one beyond a limit.
    Limit,
    /// There is none yet, because the budget was spent.
    Budget,
}

/// What may be wrong with demonstrations: what `apprentice demo lint --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LintDocument {
    /// Each of them.
    pub demonstrations: Vec<LookedOverDocument>,
    /// How many times as much steps away from them count.
    pub epsilon: f64,
    /// The name of the scenario's file, without its ending.
    pub scenario: String,
}

/// A demonstration that was looked over.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LookedOverDocument {
    /// How long it takes.
    pub duration: Option<f64>,
    /// What may be wrong with it.
    pub findings: Vec<FindingDocument>,
    /// What it is called.
    pub name: String,
    /// Its place among those that attract a search, from 1.
    pub rank: Option<usize>,
    /// Whether it can help at the start, with its numbers.
    pub relevance: Option<RelevanceDocument>,
    /// How many samples it has.
    pub samples: usize,
}

/// Something that may be wrong with a demonstration.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FindingDocument {
    /// What it is, in a word that stays.
    pub code: &'static str,
    /// The same in words, with its numbers.
    pub message: String,
    /// The number of the sample, if it is about one.
    pub sample: Option<usize>,
    /// `warning` or `note`.
    pub severity: String,
    /// When.
    pub t: Option<f64>,
    /// What to try.
    pub r#try: String,
    /// Where.
    pub x: Option<f64>,
    /// Where.
    pub y: Option<f64>,
    /// Where.
    pub z: Option<f64>,
}

/// Whether a demonstration can help, in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RelevanceDocument {
    /// Along it.
    pub along: Option<f64>,
    /// To it.
    pub approach: Option<f64>,
    /// Whether it attracts a search.
    pub attracts: bool,
    /// What it is worth to follow it.
    pub benefit: Option<f64>,
    /// How many times the direct way the way along it takes.
    pub detour: Option<f64>,
    /// From its end to the goal.
    pub onward: Option<f64>,
    /// The direct way.
    pub straight: Option<f64>,
    /// All of the way along it.
    pub total: Option<f64>,
}

/// What is in a recorded demonstration: what `apprentice demo inspect --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LogDocument {
    /// The line that was cut off, if one was.
    pub cut_line: Option<usize>,
    /// How long it takes.
    pub duration: Option<f64>,
    /// What happened in it.
    pub events: Vec<LoggedEventDocument>,
    /// The file.
    pub file: String,
    /// Where it begins.
    pub from: Option<[f64; 3]>,
    /// Seconds at each gait.
    pub gaits: BTreeMap<String, Option<f64>>,
    /// What is held from when on.
    pub holdings: Vec<HoldingDocument>,
    /// Seconds between two samples, if the log says so.
    pub interval: Option<f64>,
    /// How long its way is.
    pub length: Option<f64>,
    /// What it is called.
    pub name: String,
    /// How many samples it has.
    pub samples: usize,
    /// The scenario it was recorded in, if the log says so.
    pub scenario: Option<String>,
    /// Where it ends.
    pub to: Option<[f64; 3]>,
    /// What its coordinates are in, if the log says so.
    pub unit: Option<String>,
}

/// Something that happened in a recorded demonstration.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LoggedEventDocument {
    /// What, in one word.
    pub event: String,
    /// When.
    pub t: f64,
}

/// What is held from a moment on.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HoldingDocument {
    /// The ids.
    pub holding: Vec<String>,
    /// From when on.
    pub t: f64,
}

/// What is read. Only the actions are needed; whatever else the document says must be true.
#[derive(Clone, Debug, Deserialize)]
pub struct ClaimedPlan {
    #[serde(default)]
    scenario: Option<String>,
    /// Whom it was made for, if not for the character at `start`.
    #[serde(default)]
    pub agent: Option<String>,
    /// The style the player was taken to follow, if any was.
    #[serde(default)]
    pub player_model: Option<String>,
    /// Whether it says that there is a plan.
    #[serde(default)]
    pub status: Option<String>,
    #[serde(default)]
    cost: Option<f64>,
    steps: Vec<ClaimedStep>,
}

#[derive(Clone, Debug, Deserialize)]
struct ClaimedStep {
    action: String,
    t: Option<f64>,
    x: Option<f64>,
    y: Option<f64>,
    z: Option<f64>,
    gait: Option<String>,
    health: Option<f64>,
    holding: Option<Vec<String>>,
}

/// The world that plans for a scenario are made in, which may be worse than it is, and how they
/// begin: a quest knows in which stance.
pub fn start_of_plans(scenario: &Scenario) -> (Scenario, World) {
    match &scenario.quest() {
        AnyQuest::Still(quest) => (quest.scenario().clone(), quest.start_world().clone()),
        AnyQuest::Moving(quest) => (quest.scenario().clone(), quest.start_world().clone()),
    }
}

/// Numbers in a document and in a run may differ by this much: documents round.
const ROUNDING: f64 = 1e-6;

impl ClaimedPlan {
    /// The orders of the plan; or which step, counted from 0, has an action that is none.
    pub fn orders(&self) -> Result<Vec<Order>, String> {
        let steps = self.steps.iter().enumerate();
        let acting = steps.filter(|(place, step)| *place > 0 || step.action != START);
        acting
            .map(|(place, step)| {
                step.action
                    .parse()
                    .map_err(|why| format!("step {place}: {why}"))
            })
            .collect()
    }

    /// The scenario it was made for, if that is another one. A copy under another name is no other
    /// scenario to a plan that works in it, so that only those should ask for whom it does not.
    pub fn other_scenario(&self, id: &str) -> Option<&str> {
        self.scenario.as_deref().filter(|name| *name != id)
    }

    /// Follows the orders and compares how it goes with what the document says, step by step; then
    /// asks whether the goal is met. The first thing that is wrong is the answer.
    pub fn live_through(&self, scenario: &Scenario, orders: &[Order]) -> Result<Verified, String> {
        let (scenario, start) = start_of_plans(scenario);
        let outcome = verify(&scenario, &start, orders, scenario.goal());
        let possible = match &outcome {
            Err(Invalid {
                why: Why::GoalNotMet { .. },
                ..
            })
            | Ok(_) => orders,
            Err(Invalid { step, .. }) => &orders[..step - 1],
        };
        let nothing = Goal::All(Vec::new());
        let lived = verify(&scenario, &start, possible, &nothing).map_err(|why| why.to_string())?;
        let after = lived
            .steps
            .iter()
            .map(|step| (step.time.as_seconds(), step.world.clone()));
        let worlds: Vec<(f64, World)> = std::iter::once((0.0, start)).chain(after).collect();
        self.check_steps(&scenario, &worlds)?;
        let lived = outcome.map_err(|why| why.to_string())?;
        self.check_cost(lived.cost.as_seconds())?;
        Ok(lived)
    }

    /// Compares what the document says about the steps with how they went, as far as they went.
    /// `worlds` begins with the start. Returns the first difference.
    fn check_steps(&self, scenario: &Scenario, worlds: &[(f64, World)]) -> Result<(), String> {
        let begins = self.steps.first().is_some_and(|step| step.action == START);
        let from = usize::from(!begins);
        for (place, (step, (time, world))) in (from..).zip(self.steps.iter().zip(&worlds[from..])) {
            step.check(scenario, *time, world)
                .map_err(|why| format!("step {place}: {why}"))?;
        }
        Ok(())
    }

    /// Compares what the document says about the cost with what the plan really costs.
    fn check_cost(&self, is: f64) -> Result<(), String> {
        match self.cost {
            Some(said) if (said - is).abs() > ROUNDING => Err(format!(
                "the plan is said to cost {said} s and costs {is} s"
            )),
            _ => Ok(()),
        }
    }
}

impl ClaimedStep {
    fn check(&self, scenario: &Scenario, time: f64, world: &World) -> Result<(), String> {
        let at = world.position(scenario.agent(), scenario);
        let place = world.place(scenario.agent(), scenario);
        let numbers = [
            ("t", self.t, time),
            ("x", self.x, at.x),
            ("y", self.y, at.y),
            ("z", self.z, scenario.map().height_of(place)),
            (
                "health",
                self.health,
                world.health(scenario.agent(), scenario),
            ),
        ];
        for (name, said, is) in numbers {
            if let Some(said) = said
                && (said - is).abs() > ROUNDING
            {
                return Err(format!("`{name}` is said to be {said} and is {is}"));
            }
        }
        let is = gait(scenario, world).to_string();
        if let Some(said) = &self.gait
            && *said != is
        {
            return Err(format!("`gait` is said to be {said} and is {is}"));
        }
        if let Some(said) = &self.holding {
            let holding = world.holding(scenario.agent());
            let is: Vec<&str> = holding
                .map(|item| scenario.id_of(Thing::Item(item)))
                .collect();
            if *said != is {
                let (said, is) = (said.join(", "), is.join(", "));
                return Err(format!("`holding` is said to be [{said}] and is [{is}]"));
            }
        }
        Ok(())
    }
}
