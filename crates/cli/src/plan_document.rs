//! The JSON document of a plan: written by `plan`, read by `verify`.

use std::path::Path;
use std::time::Duration;

use apprentice::search::Status;
use apprentice::world::{
    AgentId, AnyQuest, Branching, Event, Gait, Goal, Invalid, Order, Quest, Scenario, Stance,
    Thing, Verified, Why, World, verify,
};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Number, Value, json};

use crate::exit::Failure;
use crate::explanation;
use crate::input_file::{Kind, text_of, unreadable};
use crate::numbers::{coordinate, finite, short};
use crate::planner;
use crate::report::Report;
use crate::scenario_source::Source;

/// What is written. Fields may be added; those that are here stay.
#[derive(Serialize)]
struct Written<'a> {
    scenario: &'a str,
    /// Only if it is not the character at `start`.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'a str>,
    planner: String,
    parameters: Map<String, Value>,
    status: &'static str,
    cost: Option<f64>,
    bound: Option<f64>,
    guarantee: String,
    /// Units of budget: those for getting ready, those for expansions, and those for upkeep.
    budget_spent: u64,
    preparation: u64,
    expansions: u64,
    upkeep: u64,
    reexpansions: u64,
    generated: u64,
    states: u64,
    bytes_per_state: f64,
    #[serde(serialize_with = "as_object")]
    expanded_by: Vec<(&'a str, u64)>,
    /// All of it, and the part before the first state was met.
    time_ms: f64,
    preparation_ms: f64,
    steps: Vec<WrittenStep<'a>>,
    followed: f64,
    /// Only if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Value>,
}

#[derive(Serialize)]
struct WrittenStep<'a> {
    t: Option<f64>,
    action: String,
    x: Number,
    y: Number,
    /// Only on levels that are not flat.
    #[serde(skip_serializing_if = "Option::is_none")]
    z: Option<Number>,
    gait: String,
    health: Option<f64>,
    holding: Vec<&'a str>,
    events: Vec<String>,
}

/// The document of a report, and a line end.
pub(crate) fn write(report: &Report<'_>) -> Result<String, Failure> {
    let outcome = report.outcome;
    let status = match (&outcome.plan, outcome.status) {
        (Some(_), _) => "found",
        (None, Status::Unsolvable) => "impossible",
        (None, _) => "budget",
    };
    let (statistics, spending) = (&outcome.statistics, &outcome.spending);
    let milliseconds = |time: Duration| time.as_micros() as f64 / 1e3;
    let names = outcome.heuristics.iter().map(String::as_str);
    let cost = outcome
        .plan
        .as_ref()
        .and_then(|plan| finite(plan.cost.as_seconds()));
    let document = Written {
        scenario: report.scenario_id,
        agent: (report.scenario.agent() != AgentId::NPC)
            .then(|| report.scenario.id_of(Thing::Agent(report.scenario.agent()))),
        planner: report.planner.name().to_string(),
        parameters: parameters(report),
        status,
        cost,
        bound: outcome.guarantee.factor(),
        guarantee: outcome.proven.clone(),
        budget_spent: spending.preparation + statistics.expanded + statistics.upkeep,
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
        explanation: report.explanation().map(explanation::json),
    };
    let text = serde_json::to_string_pretty(&document);
    text.map(|text| text + "\n")
        .map_err(|error| Failure::Bug(error.to_string()))
}

fn parameters(report: &Report<'_>) -> Map<String, Value> {
    let mut parameters = planner::parameters(report.planner, report.scenario);
    let branching = match report.branching {
        Branching::Sixteen => 16,
        Branching::TwoHundredFiftySix => 256,
    };
    for (name, value) in [
        ("branching", json!(branching)),
        ("expansions", json!(report.expansions)),
        ("time_ms", json!(report.time)),
        ("memory_bytes", json!(report.memory)),
    ] {
        parameters.insert(name.to_owned(), value);
    }
    parameters
}

fn steps<'a>(report: &Report<'a>) -> Vec<WrittenStep<'a>> {
    let scenario = report.scenario;
    if report.outcome.plan.is_none() {
        return Vec::new();
    }
    let start = &report.outcome.start;
    let first = written_step(scenario, START.to_owned(), start, &[]);
    let rest = report.steps().iter().map(|step| WrittenStep {
        t: finite(step.time.as_seconds()),
        ..written_step(scenario, step.order.to_string(), &step.world, &step.events)
    });
    std::iter::once(first).chain(rest).collect()
}

/// The action of the first step, which is none.
const START: &str = "start";

fn written_step<'a>(
    scenario: &'a Scenario,
    action: String,
    world: &World,
    events: &[Event],
) -> WrittenStep<'a> {
    let at = world.position(scenario.agent(), scenario);
    let holding = world.holding(scenario.agent());
    WrittenStep {
        t: Some(0.0),
        action,
        x: coordinate(at.x),
        y: coordinate(at.y),
        z: height(scenario, world).map(coordinate),
        gait: gait(scenario, world).to_string(),
        health: finite(world.health(scenario.agent(), scenario)),
        holding: holding
            .map(|item| scenario.id_of(Thing::Item(item)))
            .collect(),
        events: events
            .iter()
            .map(|event| event_name(scenario, *event))
            .collect(),
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

/// An event as one word: what happened, and to or with what; in front of it who, unless it is the
/// planned agent.
pub(crate) fn event_name(scenario: &Scenario, event: Event) -> String {
    let id = |thing: Thing| scenario.id_of(thing);
    let (agent, text) = match event {
        Event::PickedUp { agent, item } => (agent, format!("picked_up:{}", id(Thing::Item(item)))),
        Event::DoorOpened { door } => (
            scenario.agent(),
            format!("door_opened:{}", id(Thing::Door(door))),
        ),
        Event::DoorClosed { door } => (
            scenario.agent(),
            format!("door_closed:{}", id(Thing::Door(door))),
        ),
        Event::LeverPulled { agent, lever } => {
            (agent, format!("lever_pulled:{}", id(Thing::Lever(lever))))
        }
        Event::NoticedBy { agent, enemy } => {
            (agent, format!("noticed_by:{}", id(Thing::Agent(enemy))))
        }
        Event::Hurt { agent, by, damage } => (
            agent,
            format!("hurt_by:{}:{}", id(Thing::Agent(by)), short(damage, 3)),
        ),
        Event::Died { agent } => (agent, "died".to_owned()),
        Event::TurnedBack { agent } => (agent, "turned_back".to_owned()),
    };
    match agent {
        agent if agent == scenario.agent() => text,
        other => format!("{}:{text}", id(Thing::Agent(other))),
    }
}

fn as_object<S: Serializer>(pairs: &[(&str, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().copied())
}

/// What is read. Only the actions are needed; whatever else the document says must be true.
#[derive(Deserialize)]
pub(crate) struct PlanDocument {
    #[serde(default)]
    scenario: Option<String>,
    /// Whom it was made for, if not for the character at `start`.
    #[serde(default)]
    pub(crate) agent: Option<String>,
    #[serde(default)]
    pub(crate) status: Option<String>,
    #[serde(default)]
    cost: Option<f64>,
    steps: Vec<ReadStep>,
}

#[derive(Deserialize)]
struct ReadStep {
    action: String,
    t: Option<f64>,
    x: Option<f64>,
    y: Option<f64>,
    z: Option<f64>,
    gait: Option<String>,
    health: Option<f64>,
    holding: Option<Vec<String>>,
}

/// Whether this is what `apprentice htn plan --format json` writes.
fn is_of_tasks(text: &str) -> bool {
    let document: Option<Value> = serde_json::from_str(text).ok();
    document.is_some_and(|document| document["plan"].is_array() && document.get("steps").is_none())
}

/// The world that plans for a scenario are made in, which may be worse than it is, and how they
/// begin: a quest knows in which stance.
pub(crate) fn start_of_plans(scenario: &Scenario) -> (Scenario, World) {
    match &scenario.quest() {
        AnyQuest::Still(quest) => (quest.scenario().clone(), quest.start_world().clone()),
        AnyQuest::Moving(quest) => (quest.scenario().clone(), quest.start_world().clone()),
    }
}

/// Numbers in a document and in a run may differ by this much: documents round.
const ROUNDING: f64 = 1e-6;

impl PlanDocument {
    /// Reads the document in a file.
    pub(crate) fn load(path: &Path) -> Result<PlanDocument, Failure> {
        let shown = path.display();
        let text = text_of(path, Kind::Plan)?;
        serde_json::from_str(&text).map_err(|error| {
            if is_of_tasks(&text) {
                let wrong = format!(
                    "`{shown}` is a plan of tasks, and a plan of orders is needed here; of tasks, `apprentice htn verify DOMAIN PROBLEM PLAN` checks those that `apprentice htn plan DOMAIN PROBLEM --format ipc` writes"
                );
                return unreadable(path, Kind::Plan, &wrong);
            }
            // It ends with its place, which is said already.
            let (line, column) = (error.line(), error.column());
            let why = error.to_string();
            let place = format!(" at line {line} column {column}");
            let why = why.strip_suffix(&place).unwrap_or(&why);
            let (line, column) = (line.max(1), column.max(1));
            let wrong = format!(
                "{shown}:{line}:{column}: this is no plan: {why}; `apprentice plan --format json` writes one"
            );
            unreadable(path, Kind::Plan, &wrong)
        })
    }

    /// The orders of the plan; or which step, counted from 0, has an action that is none.
    pub(crate) fn orders(&self) -> Result<Vec<Order>, String> {
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
    pub(crate) fn other_scenario(&self, source: &Source) -> Option<&str> {
        self.scenario.as_deref().filter(|name| *name != source.id)
    }

    /// Follows the orders and compares how it goes with what the document says, step by step; then
    /// asks whether the goal is met. The first thing that is wrong is the answer.
    pub(crate) fn live_through(
        &self,
        scenario: &Scenario,
        orders: &[Order],
    ) -> Result<Verified, String> {
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

impl ReadStep {
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
