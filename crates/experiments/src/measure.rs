//! Does what a cell says.

use std::fmt;

use apprentice_behavior::{ConnectedQuest, Estimate, PlannerName, Settings};
use apprentice_experience::{
    Demonstration, ExperienceMode, Fidelity, Lookup, Place, Remember, coverage,
};
use apprentice_game::Ground;
use apprentice_report::run::{Ending, Outcome, Reasons, Run};
use apprentice_search::{Budget, Weight};
use apprentice_world::{
    Abilities, AgentId, AnyQuest, Branching, Drawn, Event, Manner, Quest, Scenario, Thing,
    drawn_line,
};

use crate::cell::{Cell, PlannerSpec, Planning, Task};
use crate::levels::{Digest, Level, Levels};
use crate::measured::{Clocks, Measured, Row};
use crate::probe;
use crate::stopwatch::Stopwatch;

/// Bytes that a search may hold for its states: what is larger is a gap, on every machine.
const MEMORY: u64 = 1 << 30;

/// Why a cell came to nothing: a mistake in its definition, or one of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureError {
    /// Which cell.
    pub cell: String,
    /// What went wrong.
    pub why: String,
}

impl fmt::Display for MeasureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.cell, self.why)
    }
}

impl std::error::Error for MeasureError {}

/// Does what a cell says.
///
/// # Errors
///
/// If its numbers do not fit its level, or a plan turns out not to work.
pub fn measure(levels: &Levels, cell: &Cell) -> Result<Row, MeasureError> {
    let wrong = |why: String| MeasureError {
        cell: cell.in_words(),
        why,
    };
    let level = levels.find(&cell.scenario);
    let (measured, clocks) = match &cell.task {
        Task::Plan(planning) => {
            let level = level.ok_or_else(|| wrong("there is no such level".to_owned()))?;
            plan(level, planning).map_err(wrong)?
        }
        Task::Probe(probing) => probe::measure(level, probing).map_err(wrong)?,
    };
    Ok(Row {
        cell: cell.clone(),
        measured,
        clocks,
    })
}

/// A quest that was planned, with everything that a picture needs.
pub(crate) struct Planned {
    pub(crate) scenario: Scenario,
    pub(crate) demonstrations: Vec<Demonstration>,
    pub(crate) planner: apprentice_behavior::Planner,
    pub(crate) outcome: Outcome,
}

fn plan(level: &Level, planning: &Planning) -> Result<(Measured, Clocks), String> {
    let planned = planned(level, planning, Footprints::No)?;
    let spending = planned.outcome.spending;
    let clocks = Clocks {
        time_ms: (spending.preparing + spending.searching).as_secs_f64() * 1e3,
        preparing_ms: spending.preparing.as_secs_f64() * 1e3,
    };
    Ok((planned.measured(planning.branching), clocks))
}

/// Whether it is noted where a search looked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Footprints {
    Yes,
    No,
}

/// Plans a quest as it is varied.
pub(crate) fn planned(
    level: &Level,
    planning: &Planning,
    footprints: Footprints,
) -> Result<Planned, String> {
    let scenario = match planning.items {
        Some(seed) if !planning.moves.is_empty() => level.scattered(&planning.moves, seed)?,
        Some(seed) => level.scenario.with_random_items(seed),
        None => level.scenario.clone(),
    };
    let model = planning.planner.player_model.as_deref();
    let (scenario, shown) = match model {
        Some(style) => together(level, &scenario, style)?,
        None => (scenario, level.demonstrations.clone()),
    };
    let shown: Vec<Demonstration> = if planning.planner.untaught {
        Vec::new()
    } else {
        let shown = shown.iter();
        shown
            .map(|shown| finely_cut(shown, planning.cuts))
            .collect()
    };
    let settings = settings(&scenario, planning)?;
    let checked = settings.check(&scenario, &shown[..]);
    let planner = checked.map_err(|error| error.to_string())?.planner;
    let abilities = Abilities {
        branching: Branching::of(planning.branching).unwrap_or(Branching::Sixteen),
        // Whoever accompanies somebody may have to wait for them.
        waits: model.is_some(),
        ..Abilities::default()
    };
    let limit = planning.limit;
    let outcome = match scenario.quest_with(abilities) {
        AnyQuest::Still(quest) => connected(quest, &planner, limit, footprints)?,
        AnyQuest::Moving(quest) => connected(quest, &planner, limit, footprints)?,
    };
    Ok(Planned {
        scenario,
        demonstrations: shown,
        planner,
        outcome,
    })
}

/// The level with the player as players of a style are, and what was shown to those who accompany one.
fn together(
    level: &Level,
    scenario: &Scenario,
    style: &str,
) -> Result<(Scenario, Vec<Demonstration>), String> {
    let style = scenario.style(style).map_err(|error| error.to_string())?;
    let Drawn::Points(points) = &style.shown else {
        return Err(format!(
            "the style `{}` is shown by a recording; experiments take lines that are drawn in the level",
            style.id
        ));
    };
    let exemplar = drawn_line(scenario, style.id.clone(), points);
    let modelled = scenario.with_player_model(style, &exemplar);
    let own = style.demonstrations.iter();
    let own = own.filter_map(|number| level.demonstrations.get(*number));
    let shown = match style.demonstrations.is_empty() {
        true => level.demonstrations.clone(),
        false => own.cloned().collect(),
    };
    Ok((modelled.map_err(|error| error.to_string())?, shown))
}

/// Searches a quest, with what was shown connected to it if that is asked for.
fn connected<Q: Quest + 'static>(
    quest: Q,
    planner: &apprentice_behavior::Planner,
    limit: u64,
    footprints: Footprints,
) -> Result<Outcome, String> {
    if planner.experience_mode() == ExperienceMode::Connect {
        let connected = ConnectedQuest::new(quest, planner.demonstrations());
        return search(&connected, planner, limit, footprints);
    }
    search(&quest, planner, limit, footprints)
}

fn search<Q: Quest + 'static>(
    quest: &Q,
    planner: &apprentice_behavior::Planner,
    limit: u64,
    footprints: Footprints,
) -> Result<Outcome, String> {
    let begun = Stopwatch::start();
    let clock = || begun.elapsed();
    let named = planner.search(quest).map_err(|error| error.to_string())?;
    let mut marks =
        (footprints == Footprints::Yes).then(|| apprentice_report::run::Footprints::new(quest));
    let mut run = Run::new(quest, named, &clock);
    let ending: Ending = loop {
        let left = limit.saturating_sub(run.taken());
        let mut budget = Budget::units(left).within_memory(MEMORY);
        let observer = marks
            .as_mut()
            .map(|it| it as &mut dyn apprentice_search::Observer<Q>);
        if let Some(ending) = run.slice(&mut budget, observer).ending(None) {
            break ending;
        }
    };
    let outcome = run.outcome(planner, ending, Reasons::OfPlan);
    let mut outcome = outcome.map_err(|error| error.to_string())?;
    outcome.footprints = marks.map(apprentice_report::run::Footprints::into_counts);
    Ok(outcome)
}

/// The settings a cell asks for.
fn settings(scenario: &Scenario, planning: &Planning) -> Result<Settings, String> {
    let spec = &planning.planner;
    let weight = |number: Option<f64>| {
        let weight = number.map(Weight::new).transpose();
        weight.map_err(|error| error.to_string())
    };
    let known = || {
        let things = scenario_events(scenario);
        things.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let events = (planning.repeated_events > 0).then(|| {
        let known = known();
        let again = known.iter().cycle().take(planning.repeated_events as usize);
        let again: Vec<String> = again.cloned().collect();
        known.iter().cloned().chain(again).collect()
    });
    Ok(Settings {
        planner: planner_name(spec)?,
        bound: weight(spec.bound)?,
        w: weight(spec.w)?,
        epsilon: weight(spec.epsilon)?,
        w1: weight(spec.w1)?,
        w2: weight(spec.w2)?,
        extra_turns: spec.extra_turns,
        experience_mode: spec.experience_mode()?,
        estimate: spec.estimate()?,
        reopen: spec.reopen,
        calibrate: !spec.uncalibrated,
        remember: if spec.forgetful {
            Remember::Nothing
        } else {
            Remember::Places
        },
        lookup: if spec.scan {
            Lookup::Scan
        } else {
            Lookup::Boxes
        },
        events,
        extra_events: random_places(scenario, planning),
        ..Settings::default()
    })
}

/// The names of the events of a level.
fn scenario_events(scenario: &Scenario) -> Vec<&str> {
    let events = scenario.events().iter();
    events.map(|event| scenario.id_of(*event)).collect()
}

impl PlannerSpec {
    pub(crate) fn experience_mode(&self) -> Result<Option<ExperienceMode>, String> {
        Ok(match self.egraph_mode.as_deref() {
            None => None,
            Some("connect") => Some(ExperienceMode::Connect),
            Some("project") => Some(ExperienceMode::ProjectNodes),
            Some("heuristic") => Some(ExperienceMode::HeuristicOnly),
            Some(other) => {
                return Err(format!(
                    "egraph_mode = \"{other}\"; it is connect, project or heuristic"
                ));
            }
        })
    }

    pub(crate) fn estimate(&self) -> Result<Option<Estimate>, String> {
        Ok(match self.estimate.as_deref() {
            None => None,
            Some("straight") => Some(Estimate::Straight),
            Some("path") => Some(Estimate::Path),
            Some(other) => return Err(format!("estimate = \"{other}\"; it is straight or path")),
        })
    }
}

fn planner_name(spec: &PlannerSpec) -> Result<PlannerName, String> {
    let name = PlannerName::from_name(&spec.planner);
    name.ok_or_else(|| format!("there is no planner `{}`", spec.planner))
}

/// Places to stand, drawn with the seed: those for fewer events are the first of those for more.
fn random_places(scenario: &Scenario, planning: &Planning) -> Vec<usize> {
    let map = scenario.map();
    let free: Vec<usize> = (0..map.places())
        .filter(|place| map.is_walkable(*place))
        .collect();
    let mut random = Seeded(planning.seed.unwrap_or(1));
    if free.is_empty() {
        return Vec::new();
    }
    let drawn = (0..planning.random_events).map(|_| free[random.below(free.len())]);
    drawn.collect()
}

/// Numbers from a seed (SplitMix64).
pub(crate) struct Seeded(pub(crate) u64);

impl Seeded {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(mixed ^ mixed >> 31) * limit as u128) >> 64) as usize
    }
}

/// The same line, every piece of it cut so many times: it says nothing new, in more pieces.
///
/// ```
/// use apprentice_experience::{Demonstration, Place};
/// use apprentice_experiments::finely_cut;
///
/// let shown = Demonstration::drawn("east", [Place::flat(0.0, 0.0), Place::flat(4.0, 0.0)], 1.0);
/// let cut = finely_cut(&shown, 3);
/// assert_eq!(cut.places().map(|at| at.x).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0, 4.0]);
/// assert_eq!(cut.duration(), shown.duration());
/// ```
pub fn finely_cut(shown: &Demonstration, cuts: u32) -> Demonstration {
    if cuts == 0 {
        return shown.clone();
    }
    let mut samples = Vec::new();
    for pair in shown.samples.windows(2) {
        let (from, to) = (&pair[0], &pair[1]);
        for piece in 0..=cuts {
            let part = f64::from(piece) / f64::from(cuts + 1);
            let mut sample = from.clone();
            sample.time = from.time + (to.time - from.time) * part;
            sample.place = from.place.toward(to.place, part);
            samples.push(sample);
        }
    }
    samples.extend(shown.samples.last().cloned());
    Demonstration {
        name: shown.name.clone(),
        samples,
    }
}

impl Planned {
    /// The way of the plan, from where it begins.
    pub(crate) fn way(&self) -> Vec<Place> {
        let Some(plan) = &self.outcome.plan else {
            return Vec::new();
        };
        let map = self.scenario.map();
        let first = self.outcome.start.place(AgentId::NPC, &self.scenario);
        let steps = plan.steps.iter().map(|step| step.place);
        std::iter::once(first)
            .chain(steps)
            .map(|place| map.at(place))
            .collect()
    }

    fn measured(&self, branching: u32) -> Measured {
        let outcome = &self.outcome;
        let statistics = &outcome.statistics;
        let status = match &outcome.plan {
            Some(_) => "found",
            None if outcome.is_impossible() => "impossible",
            None => "budget",
        };
        let mut measured = Measured {
            status: status.to_owned(),
            expansions: statistics.expanded,
            reexpansions: statistics.reexpanded,
            generated: statistics.generated,
            units: outcome.spending.units,
            work: outcome.spending.units.saturating_mul(u64::from(branching)),
            ..Measured::default()
        };
        if let Some(plan) = &outcome.plan {
            let way = self.way();
            let shown = &self.demonstrations;
            let fidelity = Fidelity::of(shown, &way);
            let mut digest = Digest::default();
            for step in &plan.steps {
                digest.add(&step.place.to_le_bytes());
            }
            let happened = plan.steps.iter().flat_map(|step| &step.events);
            measured = Measured {
                cost: Some(plan.cost.as_seconds()),
                proven: outcome.guarantee.factor(),
                steps: plan.steps.len() as u64,
                coverage: (!shown.is_empty()).then(|| rounded(coverage(shown, &way))),
                fidelity: fidelity.map(|it| rounded(it.score)),
                warping: fidelity.map(|it| rounded(it.warping)),
                frechet: fidelity.map(|it| rounded(it.frechet)),
                taken: happened.filter_map(|event| self.done(event)).collect(),
                nearest: self.nearest(&way).map(rounded),
                way: digest.to_string(),
                ..measured
            };
        }
        measured
    }

    /// What was fetched, pulled or opened.
    fn done(&self, event: &Event) -> Option<String> {
        let thing = match event {
            Event::PickedUp {
                agent: AgentId::NPC,
                item,
            } => Thing::Item(*item),
            Event::LeverPulled {
                agent: AgentId::NPC,
                lever,
            } => Thing::Lever(*lever),
            Event::DoorOpened { door } => Thing::Door(*door),
            _ => return None,
        };
        Some(self.scenario.id_of(thing).to_owned())
    }

    fn nearest(&self, way: &[Place]) -> Option<f64> {
        let beasts = self
            .scenario
            .enemies()
            .iter()
            .filter_map(|enemy| match &enemy.kind.manner {
                Manner::Beast(beast) => {
                    Some((Place::flat(enemy.home.x, enemy.home.y), beast.radius))
                }
                _ => None,
            });
        let near = beasts.flat_map(|(home, radius)| {
            way.iter()
                .map(move |at| Place::flat(at.x, at.y).distance_to(home) / radius)
        });
        near.reduce(f64::min)
    }
}

/// With as many digits as anybody reads: the last ones would depend on the platform's own functions.
pub(crate) fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
