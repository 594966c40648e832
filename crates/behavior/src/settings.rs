//! A planner and its numbers, before they are held against a scenario.

use std::fmt;

use apprentice_search::{MhaWeights, Reopening, Weight};
use apprentice_world::{AgentId, Scenario, Thing};

use crate::{Planner, PlannerName};

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
pub struct Settings {
    /// The planner.
    pub planner: PlannerName,
    /// Plans may cost at most this many times the best.
    pub bound: Option<Weight>,
    /// How many times estimates count.
    pub w: Option<Weight>,
    /// How many times they count in `mha` and `mha-independent`.
    pub w1: Option<Weight>,
    /// How far advisers may exceed the anchor in `mha` and `mha-independent`.
    pub w2: Option<Weight>,
    /// Whether states are expanded again when a cheaper way to them is found.
    pub reopen: bool,
    /// The events that get an adviser each; those of the scenario if not given.
    pub events: Option<Vec<String>>,
    /// Whether advisers are scaled down so that the anchor lets them be heard.
    pub calibrate: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            planner: PlannerName::Ara,
            bound: None,
            w: None,
            w1: None,
            w2: None,
            reopen: false,
            events: None,
            calibrate: true,
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
pub struct BadSetting(pub(crate) String);

impl fmt::Display for BadSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadSetting {}

/// Plans may cost this many times the best unless something else is asked for.
const DEFAULT_BOUND: f64 = 10.0;

impl Settings {
    /// Checks the settings against each other and the scenario.
    ///
    /// # Errors
    ///
    /// If the scenario knows none of the events by their ids.
    pub fn check(&self, scenario: &Scenario) -> Result<Checked, BadSetting> {
        let default = Weight::new(DEFAULT_BOUND).unwrap_or(Weight::ONE);
        let bound = self.bound.unwrap_or(default);
        let trust = self.w2.unwrap_or(Weight::ONE);
        // Whoever asks for a bound and one weight gets the other weight that keeps the bound.
        let rest = Weight::new(bound.as_f64() / trust.as_f64()).unwrap_or(Weight::ONE);
        let planner = Planner {
            name: self.planner,
            w: self.w.unwrap_or(bound),
            weights: MhaWeights {
                inflation: self.w1.unwrap_or(rest),
                trust,
            },
            reopening: if self.reopen {
                Reopening::Always
            } else {
                Reopening::Never
            },
            events: self.events(scenario)?,
            calibrates: self.calibrate,
        };
        let mut notes = self.idle();
        if self.bound.is_some_and(|asked| planner.proves() > asked) {
            let proves = planner.proves();
            notes.push(format!(
                "these weights prove {proves} times the best, not the {bound} asked for by --bound"
            ));
        }
        Ok(Checked { planner, notes })
    }

    fn events(&self, scenario: &Scenario) -> Result<Vec<Thing>, BadSetting> {
        let Some(ids) = &self.events else {
            return Ok(scenario.events().to_vec());
        };
        let ids = ids.iter().map(|id| id.trim()).filter(|id| !id.is_empty());
        ids.map(|id| event(scenario, id)).collect()
    }

    /// Settings that were given and mean nothing to the planner.
    fn idle(&self) -> Vec<String> {
        use PlannerName::{Astar, Wastar};
        let planner = self.planner;
        let weighs = planner.weighs_advisers();
        let can_reopen = matches!(planner, Astar | Wastar);
        let settings = [
            ("--w", self.w.is_some(), planner != Astar && !weighs),
            ("--w1", self.w1.is_some(), weighs),
            ("--w2", self.w2.is_some(), weighs),
            ("--reopen", self.reopen, can_reopen),
            ("--events", self.events.is_some(), planner.has_advisers()),
            ("--no-calibration", !self.calibrate, weighs),
        ];
        let idle = settings
            .into_iter()
            .filter(|(_, given, used)| *given && !used);
        idle.map(|(option, ..)| format!("{option} means nothing to --planner {planner}"))
            .collect()
    }
}

/// The thing of this id, as a quest event.
///
/// # Errors
///
/// If there is none; the error names those there are.
pub fn event(scenario: &Scenario, id: &str) -> Result<Thing, BadSetting> {
    let found = scenario
        .thing(id)
        .filter(|thing| *thing != Thing::Agent(AgentId::NPC));
    found.ok_or_else(|| {
        let known: Vec<&str> = scenario
            .events()
            .iter()
            .map(|event| scenario.id_of(*event))
            .collect();
        let known = if known.is_empty() {
            "none".to_owned()
        } else {
            known.join("`, `")
        };
        BadSetting(format!(
            "nothing in the scenario is called `{id}`; its events are `{known}`"
        ))
    })
}
