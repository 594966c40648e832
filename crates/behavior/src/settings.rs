//! A planner and its numbers, before they are held against a scenario.

use std::fmt;
use std::sync::Arc;

use apprentice_experience::{
    Corridor, Demonstration, ExperienceMode, Lookup, Projection, Remember, StartEdge,
    TrainingSettings,
};
use apprentice_game::{Game, LandmarkId, Live};
use apprentice_search::{Budget, MhaWeights, Reopening, Weight};

use crate::sound::{GroundCheck, check_landmarks, check_start};
use crate::{Estimate, EventGuide, EventMetric, Planner, PlannerName};

/// A planner and its numbers. What is not given follows from the bound, as the papers found best.
///
/// ```
/// use apprentice_behavior::{PlannerName, Settings};
/// use apprentice_search::Weight;
///
/// let settings = Settings {
///     planner: PlannerName::Wastar,
///     bound: Some(Weight::new(3.0)?),
///     ..Settings::default()
/// };
/// # let _ = settings;
/// # Ok::<(), apprentice_search::BadWeight>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Settings {
    /// The planner.
    pub planner: PlannerName,
    /// Plans may cost at most this many times the best.
    pub bound: Option<Weight>,
    /// From 0, the best plan, to 1, what was shown: sets the bound and what follows from it.
    #[cfg_attr(
        feature = "serde",
        serde(with = "apprentice_search::saved::maybe_real")
    )]
    pub faithful: Option<f64>,
    /// How many times estimates count.
    pub w: Option<Weight>,
    /// How many times whatever is not shown counts.
    pub epsilon: Option<Weight>,
    /// How many times estimates count in `mha`, `mha-independent` and `auto`.
    pub w1: Option<Weight>,
    /// How far advisers may exceed the anchor in `mha`, `mha-independent` and `auto`.
    pub w2: Option<Weight>,
    /// Whether states are expanded again when a cheaper way to them is found.
    pub reopen: bool,
    /// Where on a demonstrated way somebody beside it is thought to join it.
    pub projection: Option<Projection>,
    /// How one is drawn from the end of a demonstration to the goal.
    pub corridor: Option<Corridor>,
    /// How one is drawn from the start to the beginning of a demonstration.
    pub start_edge: Option<StartEdge>,
    /// How demonstrated ways that are not on the graph are used by `egraph`, and where events are followed
    /// by demonstrated ways.
    pub experience_mode: Option<ExperienceMode>,
    /// Further turns in each round for the adviser that follows demonstrations.
    pub extra_turns: Option<u32>,
    /// The events that get an adviser each; those of the scenario if not given.
    pub events: Option<Vec<String>>,
    /// Places that get an adviser each in the MHA* family although nothing happens there, to see what
    /// advice costs that is of no use.
    pub extra_events: Vec<usize>,
    /// How the way to an event is measured by its adviser.
    pub event_metric: Option<EventMetric>,
    /// What leads from an event to the goal.
    pub event_guide: Option<EventGuide>,
    /// What `astar`, `wastar`, `ara` and the anchor of the published MHA* family go by.
    pub estimate: Option<Estimate>,
    /// Whether advisers are scaled down so that the anchor lets them be heard.
    pub calibrate: bool,
    /// Whether `auto` goes on to better plans once it has one.
    pub improve: bool,
    /// Whether estimates are kept by place. They are the same, only slower if not.
    pub remember: Remember,
    /// Whether estimates look at every piece of the demonstrations. They are the same, only slower.
    #[cfg_attr(feature = "serde", serde(default))]
    pub lookup: Lookup,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            planner: PlannerName::Auto,
            bound: None,
            faithful: None,
            w: None,
            epsilon: None,
            w1: None,
            w2: None,
            reopen: false,
            projection: None,
            corridor: None,
            start_edge: None,
            experience_mode: None,
            extra_turns: None,
            events: None,
            extra_events: Vec::new(),
            event_metric: None,
            event_guide: None,
            estimate: None,
            calibrate: true,
            improve: false,
            remember: Remember::Places,
            lookup: Lookup::Boxes,
        }
    }
}

/// Settings that fit a scenario.
pub struct Checked {
    /// The planner they name.
    pub planner: Planner,
    /// What people should know about settings that do nothing, or less than they seem to.
    pub notes: Vec<String>,
}

/// Settings that don't fit the scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BadSetting(pub(crate) String);

impl fmt::Display for BadSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadSetting {}

/// Plans may cost this many times the best unless something else is asked for.
const DEFAULT_BOUND: f64 = 10.0;

/// The bound of whoever wants nothing but what was shown.
const MOST_FAITHFUL: f64 = 100.0;

/// The bound that goes with how faithful a plan shall be, from 0 to 1: from the best plan to one
/// that may cost a hundred times as much if that was shown, and equal factors between.
///
/// ```
/// use apprentice_behavior::bound_of_faithful;
///
/// assert_eq!(bound_of_faithful(0.0).as_f64(), 1.0);
/// assert_eq!(bound_of_faithful(0.5).as_f64(), 10.0);
/// assert_eq!(bound_of_faithful(1.0).as_f64(), 100.0);
/// ```
pub fn bound_of_faithful(faithful: f64) -> Weight {
    // 100^f = 10^(2f), by halving: the same on every machine.
    let mut bound = 1.0;
    let mut factor = MOST_FAITHFUL;
    let mut rest = faithful.clamp(0.0, 1.0);
    for _ in 0..20 {
        if rest >= 1.0 {
            bound *= factor;
            rest -= 1.0;
        }
        rest *= 2.0;
        factor = factor.sqrt();
    }
    Weight::new(bound).unwrap_or(Weight::ONE)
}

impl Settings {
    /// Checks the settings against each other, the level and the demonstrations to follow.
    ///
    /// # Errors
    ///
    /// If the level knows none of the events by their names, a number makes no sense, or a
    /// demonstration has times or places that are none.
    pub fn check<L: Live>(
        &self,
        level: &L,
        demonstrations: impl Into<Arc<[Demonstration]>>,
    ) -> Result<Checked, BadSetting> {
        let mut demonstrations = sound(demonstrations.into())?;
        if let Some(on_ground) = level.on_ground(&demonstrations) {
            demonstrations = on_ground.into();
        }
        let events = match &self.events {
            None => level.events(),
            Some(names) => {
                let names = names.iter().map(|name| name.trim());
                let names = names.filter(|name| !name.is_empty());
                names
                    .map(|name| event(level, name))
                    .collect::<Result<_, _>>()?
            }
        };
        self.build(demonstrations, events)
    }

    /// Holds the settings against a game of any kind. Without a choice of events, whatever can be
    /// fetched or pulled is one. Looks at every step of the ground; where that takes too long at one go,
    /// [`check_for_within`](Settings::check_for_within) does it a little at a time.
    ///
    /// # Errors
    ///
    /// If an event is not there, or a number or a demonstration makes no sense.
    pub fn check_for<G: Game>(
        &self,
        game: &G,
        demonstrations: impl Into<Arc<[Demonstration]>>,
    ) -> Result<Checked, BadSetting> {
        let demonstrations = sound(demonstrations.into())?;
        let mut ground = GroundCheck::default();
        loop {
            let unlimited = &mut Budget::unlimited();
            if let Some(events) = self.checked_for(game, &mut ground, unlimited)? {
                return self.build(demonstrations, events);
            }
        }
    }

    /// The same within a budget: a unit for each place of the ground. `None`: the budget is spent, call
    /// again with the same ground check and more. One that has come to its end serves all further
    /// settings for the same ground.
    ///
    /// # Errors
    ///
    /// As [`check_for`](Settings::check_for).
    pub fn check_for_within<G: Game>(
        &self,
        game: &G,
        demonstrations: impl Into<Arc<[Demonstration]>>,
        ground: &mut GroundCheck,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Checked>, BadSetting> {
        let demonstrations = sound(demonstrations.into())?;
        let Some(events) = self.checked_for(game, ground, budget)? else {
            return Ok(None);
        };
        self.build(demonstrations, events).map(Some)
    }

    /// The events there are in a game that makes sense; `None` if the budget is spent first.
    fn checked_for<G: Game>(
        &self,
        game: &G,
        ground: &mut GroundCheck,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Vec<LandmarkId>>, BadSetting> {
        check_start(game)?;
        check_landmarks(game)?;
        match ground.go_on(game, budget) {
            Some(outcome) => outcome?,
            None => return Ok(None),
        }
        let landmarks = (0..).map(LandmarkId::new).zip(game.landmarks());
        let events = match &self.events {
            None => {
                let fetched = landmarks.filter(|(_, mark)| !mark.bars && !mark.moves);
                fetched.map(|(id, _)| id).collect()
            }
            Some(names) => {
                let names = names.iter().map(|name| name.trim());
                let named = names.filter(|name| !name.is_empty()).map(|name| {
                    let mut named = landmarks.clone().filter(|(_, mark)| mark.name == name);
                    let known = || game.landmarks().iter().map(|mark| &*mark.name);
                    let (id, _) = named.next().ok_or_else(|| unknown(name, known()))?;
                    Ok(id)
                });
                named.collect::<Result<_, _>>()?
            }
        };
        Ok(Some(events))
    }

    fn build(
        &self,
        demonstrations: Arc<[Demonstration]>,
        events: Vec<LandmarkId>,
    ) -> Result<Checked, BadSetting> {
        if let Some(faithful) = self.faithful
            && !(0.0..=1.0).contains(&faithful)
        {
            return Err(BadSetting(format!(
                "how faithful a plan shall be goes from 0 to 1, and this is {faithful}"
            )));
        }
        let default = Weight::new(DEFAULT_BOUND).unwrap_or(Weight::ONE);
        let of_faithful = self.faithful.map(bound_of_faithful);
        let bound = self.bound.or(of_faithful).unwrap_or(default);
        let root = Weight::new(bound.as_f64().sqrt()).unwrap_or(Weight::ONE);
        // `auto` trusts its advisers as far as the bound allows.
        let trusts = self.planner == PlannerName::Auto && self.w1.is_none();
        let trust = self.w2.unwrap_or(if trusts { bound } else { Weight::ONE });
        // Whoever asks for a bound and one weight gets the other weight that keeps the bound.
        let divided = |by: Weight| Weight::new(bound.as_f64() / by.as_f64()).unwrap_or(Weight::ONE);
        let (w, epsilon) = if self.planner.is_led() {
            let epsilon = self.epsilon.or_else(|| self.w.map(divided)).unwrap_or(root);
            let w = self.w.or_else(|| self.epsilon.map(divided));
            (w.unwrap_or(root), epsilon)
        } else {
            (self.w.unwrap_or(bound), self.epsilon.unwrap_or(root))
        };
        let planner = Planner {
            name: self.planner,
            w,
            weights: MhaWeights {
                inflation: self.w1.unwrap_or_else(|| divided(trust)),
                trust,
            },
            reopening: if self.reopen {
                Reopening::Always
            } else {
                Reopening::Never
            },
            training: self.training(epsilon),
            reach: self.reach(epsilon),
            experience_mode: self.experience_mode.unwrap_or(ExperienceMode::ProjectNodes),
            extra_turns: self.extra_turns,
            events,
            extra_events: self.extra_events.clone(),
            event_metric: self.event_metric.unwrap_or_default(),
            event_guide: self.event_guide.unwrap_or_default(),
            estimate: self.estimate.unwrap_or_default(),
            calibrates: self.calibrate,
            improves: self.improve,
            remember: self.remember,
            demonstrations,
        };
        let mut notes = self.idle(&planner);
        let asked = self.bound.is_some() || self.faithful.is_some();
        if asked && planner.proves() > bound {
            let proves = planner.proves();
            notes.push(format!(
                "these weights prove {proves} times the best, not the {bound} that was asked for"
            ));
        }
        Ok(Checked { planner, notes })
    }

    /// How many times the shortest way a demonstration may take for `auto` to follow it: epsilon,
    /// and more for whoever wants it more faithful than that, up to the bound itself for whoever
    /// wants nothing but what was shown.
    fn reach(&self, epsilon: Weight) -> f64 {
        let epsilon = epsilon.as_f64();
        match (self.faithful, self.bound, self.epsilon) {
            // The bound to the power of how faithful it shall be.
            (Some(faithful), None, None) => {
                let bound = bound_of_faithful(faithful * faithful);
                bound.as_f64().max(epsilon)
            }
            _ => epsilon,
        }
    }

    /// How demonstrations are followed: as published, or as can be proven.
    fn training(&self, epsilon: Weight) -> TrainingSettings {
        let is_auto = self.planner == PlannerName::Auto;
        let projection = self.projection.unwrap_or(if is_auto {
            Projection::Consistent
        } else {
            Projection::Perpendicular
        });
        // The consistent projection alone proves nothing.
        let corridor = self.corridor.unwrap_or(match projection {
            Projection::Consistent => Corridor::Path,
            Projection::Perpendicular => Corridor::Field,
        });
        TrainingSettings {
            projection,
            corridor,
            start_edge: self.start_edge.unwrap_or_default(),
            lookup: self.lookup,
            ..TrainingSettings::with_inflation(epsilon)
        }
    }

    /// The options that were given, by the names they have on the command line.
    pub fn given(&self) -> impl Iterator<Item = &'static str> {
        let settings = [
            ("--bound", self.bound.is_some()),
            ("--faithful", self.faithful.is_some()),
            ("--no-memo", self.remember == Remember::Nothing),
            ("--scan", self.lookup == Lookup::Scan),
            ("--w", self.w.is_some()),
            ("--w1", self.w1.is_some()),
            ("--w2", self.w2.is_some()),
            ("--epsilon", self.epsilon.is_some()),
            ("--projection", self.projection.is_some()),
            ("--corridor", self.corridor.is_some()),
            ("--start-edge", self.start_edge.is_some()),
            ("--egraph-mode", self.experience_mode.is_some()),
            ("--extra-turns", self.extra_turns.is_some()),
            ("--reopen", self.reopen),
            ("--events", self.events.is_some()),
            ("--extra-event", !self.extra_events.is_empty()),
            ("--event-metric", self.event_metric.is_some()),
            ("--event-guide", self.event_guide.is_some()),
            ("--estimate", self.estimate.is_some()),
            ("--no-calibration", !self.calibrate),
            ("--improve", self.improve),
        ];
        let given = settings.into_iter().filter(|(_, given)| *given);
        given.map(|(option, _)| option)
    }

    /// Settings that were given and mean nothing to the planner.
    fn idle(&self, checked: &Planner) -> Vec<String> {
        use PlannerName::{Astar, Auto, Egraph, Wastar};
        let planner = self.planner;
        let is_used = |option: &str| match option {
            "--bound" | "--faithful" => planner != Astar,
            "--w" => planner != Astar && !planner.weighs_advisers(),
            "--w1" | "--w2" | "--no-calibration" => planner.weighs_advisers(),
            "--epsilon" => planner.follows(),
            "--no-memo" | "--scan" | "--projection" | "--corridor" | "--start-edge" => {
                planner.follows() && planner != Egraph
            }
            "--reopen" => matches!(planner, Astar | Wastar) || planner.is_led(),
            "--estimate" => planner.goes_by_estimate(),
            "--improve" => planner == Auto,
            "--egraph-mode" => {
                let recalls = self.event_guide == Some(EventGuide::Experience);
                planner == Egraph || (recalls && planner.has_advisers())
            }
            "--extra-event" => planner.has_advisers() && planner != Auto,
            _ => planner.has_advisers(),
        };
        let mut notes: Vec<String> = self
            .given()
            .filter(|option| !is_used(option))
            .map(|option| format!("{option} means nothing to --planner {planner}"))
            .collect();
        if planner.is_led() && checked.demonstrations.is_empty() {
            notes.push(
                "there is no demonstration to follow, so this is weighted A* with a straight line"
                    .to_owned(),
            );
        }
        notes
    }
}

/// The landmark of this name, as a quest event.
///
/// # Errors
///
/// If there is none; the error names those there are.
pub fn event<L: Live>(level: &L, name: &str) -> Result<LandmarkId, BadSetting> {
    level.named(name).ok_or_else(|| {
        let things = level.things();
        let events = level.events();
        unknown(
            name,
            events.iter().map(|event| &*things[event.index()].name),
        )
    })
}

fn unknown<'a>(id: &str, known: impl Iterator<Item = &'a str>) -> BadSetting {
    let known: Vec<&str> = known.collect();
    let known = if known.is_empty() {
        "none".to_owned()
    } else {
        known.join("`, `")
    };
    BadSetting(format!(
        "nothing in the scenario is called `{id}`; its events are `{known}`"
    ))
}

/// Demonstrations whose times and places make sense.
fn sound(demonstrations: Arc<[Demonstration]>) -> Result<Arc<[Demonstration]>, BadSetting> {
    for shown in demonstrations.iter() {
        let name = &shown.name;
        let named = |bad| BadSetting(format!("the demonstration {name:?}: {bad}"));
        shown.check().map_err(named)?;
    }
    Ok(demonstrations)
}

#[cfg(test)]
mod tests {
    use apprentice_experience::{Place, Sample};
    use apprentice_world::Scenario;

    use super::*;

    #[test]
    fn demonstrations_that_are_none_are_refused_by_name() {
        let text = "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['..'] }";
        let scenario = Scenario::parse(text).expect("the scenario is sound");
        let sample = |x| Sample {
            place: Place::flat(x, 0.0),
            ..Sample::default()
        };
        let shown = Demonstration {
            name: "anna".to_owned(),
            samples: vec![sample(0.0), sample(f64::NAN)],
        };
        let refused = Settings::default().check(&scenario, [shown]).err();
        let message = refused.expect("nobody can follow it").to_string();
        assert!(
            message.starts_with("the demonstration \"anna\": sample 2 is at (NaN, 0)"),
            "{message}"
        );
    }
}
