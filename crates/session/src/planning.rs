//! Plans one quest, as `apprentice plan` does.

use std::time::Duration;

use apprentice::behavior::{Checked, NamedSearch, NoWay, OrderedQuest, Planner, PlannerName};
use apprentice::experience::Demonstration;
use apprentice::report::document::PlanDocument;
use apprentice::report::run::{Outcome, Reasons, Run};
use apprentice::report::{Limits, Report};
use apprentice::search::{BoxedHeuristic, Budget, Weight};
use apprentice::world::{Abilities, AnyQuest, Branching, Quest, Scenario};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{AskedSettings, Clock, Code, NamedLevel, Refusal};

/// What a plan may cost if nothing else is said: more than ten times what A* needs for any scenario
/// that comes with Apprentice.
pub const DEFAULT_UNITS: u64 = 50_000_000;

/// What a search may hold for its states: small enough for any machine that games run on, large enough
/// for some forty million states.
pub const MEMORY: u64 = 2 << 30;

/// What plan is asked for. Everything may be left out.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct PlanAsk {
    /// Whom it is for; the character at `start` if not given.
    pub agent: Option<String>,
    /// The planner and its numbers.
    pub settings: AskedSettings,
    /// How many successors a state has in the open: 16, 32 or 256.
    pub branching: Option<u32>,
    /// So many units of budget may be spent.
    pub expansions: Option<u64>,
    /// Whether the document says why the plan is as it is.
    pub explain: bool,
    /// Whether the first demonstration is followed in order, also where it crosses itself (`auto`).
    pub in_order: bool,
    /// Whether nothing that was shown counts.
    pub no_demos: bool,
}

/// Plans, and returns the document that `apprentice plan --format json` prints.
///
/// The clock is asked how much time has passed since some moment; it changes nothing but the
/// milliseconds in the document.
///
/// ```
/// use std::time::Duration;
/// use apprentice_session::{NamedLevel, PlanAsk, plan};
///
/// let text = "format = 1\nstart = [0, 0]\ngoal = { within = { at = [2, 0], radius = 0.0 } }\nmap = { rows = ['...'] }";
/// let level = NamedLevel::read("hall", text, |_| Err(String::new()))?;
/// let document = plan(&level, &PlanAsk::default(), &|| Duration::ZERO)?;
/// assert_eq!(document.cost, Some(2.0));
/// # Ok::<(), apprentice_session::Refusal>(())
/// ```
///
/// # Errors
///
/// If nobody has that name, or settings make no sense in the level.
pub fn plan(level: &NamedLevel, ask: &PlanAsk, clock: Clock<'_>) -> Result<PlanDocument, Refusal> {
    plan_with(level, ask, clock, PlanDocument::of)
}

/// Plans, and lets somebody look at all of what it came to: to draw it, or to tell it to people.
///
/// # Errors
///
/// As [`plan`].
pub fn plan_with<T>(
    level: &NamedLevel,
    ask: &PlanAsk,
    clock: Clock<'_>,
    tell: impl FnOnce(&Report<'_>) -> T,
) -> Result<T, Refusal> {
    let planned = planned(level, ask, clock)?;
    Ok(tell(&Report {
        scenario_id: &level.id,
        scenario: &planned.scenario,
        demonstrations: shown(level, ask),
        planner: &planned.planner,
        limits: Some(planned.limits),
        explains: ask.explain,
        outcome: &planned.outcome,
    }))
}

/// What a plan came to, with what it came from.
struct Planned {
    scenario: Scenario,
    planner: Planner,
    limits: Limits,
    outcome: Outcome,
}

fn shown<'l>(level: &'l NamedLevel, ask: &PlanAsk) -> &'l [Demonstration] {
    match ask.no_demos {
        true => &[],
        false => &level.level.demonstrations,
    }
}

/// Everything but the telling, so that it is compiled once and not for everybody who tells it otherwise.
fn planned(level: &NamedLevel, ask: &PlanAsk, clock: Clock<'_>) -> Result<Planned, Refusal> {
    let began = clock();
    let clock = || clock().saturating_sub(began);
    let mut scenario = level.level.scenario.clone();
    if let Some(name) = &ask.agent {
        let planned = (scenario.actor(name)).and_then(|agent| scenario.for_agent(agent));
        scenario = planned.map_err(|error| Refusal::new(Code::NoSuch, error))?;
    }
    let settings = ask.settings.in_level(&scenario).settings()?;
    let Checked { planner, .. } = settings
        .check(&scenario, shown(level, ask))
        .map_err(|error| Refusal::new(Code::BadSettings, error))?;
    let number = ask.branching.unwrap_or(16);
    let branching = Branching::of(number).ok_or_else(|| {
        let wrong = format!("states have 16, 32 or 256 successors, not {number}");
        Refusal::new(Code::BadSettings, wrong)
    })?;
    let abilities = Abilities {
        branching,
        ..Abilities::default()
    };
    let units = ask.expansions.unwrap_or(DEFAULT_UNITS);
    let job = Job {
        planner: &planner,
        ask,
        units,
        clock: &clock,
    };
    let outcome = match scenario.quest_with(abilities) {
        AnyQuest::Still(quest) => job.in_order(quest)?,
        AnyQuest::Moving(quest) => job.in_order(quest)?,
    };
    let limits = Limits {
        branching,
        units,
        time: None,
        memory: MEMORY,
    };
    Ok(Planned {
        scenario,
        planner,
        limits,
        outcome,
    })
}

struct Job<'a> {
    planner: &'a Planner,
    ask: &'a PlanAsk,
    units: u64,
    clock: &'a dyn Fn() -> Duration,
}

impl Job<'_> {
    /// In the order of the first demonstration, if that was asked for and makes sense.
    fn in_order<Q: Quest + 'static>(&self, quest: Q) -> Result<Outcome, Refusal> {
        let planner = self.planner;
        let mut shown = planner.demonstrations().iter();
        let shown = shown.find(|shown| shown.samples.len() > 1);
        let listens = planner.name() == PlannerName::Auto && planner.epsilon() > Weight::ONE;
        let unsound = |error| Refusal::new(Code::BadSettings, error);
        match shown {
            Some(shown) if self.ask.in_order && listens => {
                let ordered = OrderedQuest::new(quest, shown, planner.epsilon());
                let adviser: BoxedHeuristic<_> = Box::new(ordered.adviser());
                let more = vec![("in-order".to_owned(), adviser)];
                let named = planner.advised_by(&ordered, more).map_err(unsound)?;
                self.run(&ordered, named)
            }
            _ => {
                let named = planner.search(&quest).map_err(unsound)?;
                self.run(&quest, named)
            }
        }
    }

    fn run<Q: Quest + 'static>(
        &self,
        quest: &Q,
        named: NamedSearch<Q>,
    ) -> Result<Outcome, Refusal> {
        let mut run = Run::new(quest, named, self.clock);
        let ending = loop {
            let left = self.units - run.taken();
            let mut budget = Budget::units(left).within_memory(MEMORY);
            if let Some(ending) = run.slice(&mut budget, None).ending(None) {
                break ending;
            }
        };
        let reasons = match self.ask.explain {
            true => Reasons::OfDemonstrations,
            false => Reasons::OfPlan,
        };
        let outcome = run.outcome(self.planner, ending, reasons);
        let mut outcome = outcome.map_err(|error| Refusal::new(Code::Bug, error))?;
        if outcome.is_impossible() {
            outcome.no_way = NoWay::of(quest, &mut Budget::unlimited());
        }
        Ok(outcome)
    }
}
