//! From a planner's name and numbers to a search and the heuristics it follows.

use apprentice_search::{
    AraSchedule, AraStar, BestFirst, Heuristic, ImprovedMhaStar, IndependentMhaStar, MhaForm,
    MhaStar, MhaWeights, Reopening, Scaled, Search, WeakAnchor, Weight,
};
use apprentice_world::{Quest, Scenario, ShortestPath, StraightLine, Thing};

use crate::{BadSetting, ByEvent, PlannerName};

/// What calibrated advisers count. A way that passes by an event may well be twice as long as the
/// straight line, and an adviser beyond the anchor is not heard.
const CALIBRATION: f64 = 0.5;

/// A planner with all its numbers, checked against a scenario.
#[derive(Clone, Debug)]
pub struct Planner {
    pub(crate) name: PlannerName,
    pub(crate) w: Weight,
    pub(crate) weights: MhaWeights,
    pub(crate) reopening: Reopening,
    pub(crate) events: Vec<Thing>,
    pub(crate) calibrates: bool,
}

/// A search, and what the heuristics it follows are called: the anchor first.
pub struct NamedSearch<Q: Quest> {
    /// The search.
    pub search: Box<dyn Search<Q>>,
    /// The names of its heuristics, in the order of `Statistics::expanded_by`.
    pub heuristics: Vec<String>,
}

/// A number of a planner, for documents.
#[derive(Clone, Debug, PartialEq)]
pub enum Parameter {
    /// A number.
    Number(f64),
    /// Yes or no.
    Switch(bool),
    /// Names.
    Names(Vec<String>),
}

impl Planner {
    /// What it is called.
    pub fn name(&self) -> PlannerName {
        self.name
    }

    /// The search for a quest.
    ///
    /// # Errors
    ///
    /// If the numbers make no search.
    pub fn search<Q: Quest + 'static>(&self, quest: &Q) -> Result<NamedSearch<Q>, BadSetting> {
        let scenario = quest.scenario();
        let mut names = vec!["straight".to_owned()];
        let search: Box<dyn Search<Q>> = match self.name {
            PlannerName::Astar => {
                Box::new(BestFirst::astar(StraightLine).with_reopening(self.reopening))
            }
            PlannerName::Wastar => Box::new(
                BestFirst::weighted_astar(StraightLine, self.w).with_reopening(self.reopening),
            ),
            PlannerName::Ara => Box::new(AraStar::new(StraightLine, self.schedule()?)),
            PlannerName::Mha => {
                let advisers = self.advisers(scenario, &mut names);
                let search = MhaStar::new(StraightLine, advisers, self.weights);
                Box::new(search.map_err(|error| weak(&error))?)
            }
            PlannerName::MhaIndependent => {
                let advisers = self.advisers(scenario, &mut names);
                let search = IndependentMhaStar::new(StraightLine, advisers, self.weights);
                Box::new(search.map_err(|error| weak(&error))?)
            }
            PlannerName::MhaPlus | PlannerName::MhaFocal | PlannerName::MhaUnconstrained => {
                let form = match self.name {
                    PlannerName::MhaPlus => MhaForm::PlusPlus,
                    PlannerName::MhaFocal => MhaForm::Focal,
                    _ => MhaForm::Unconstrained,
                };
                let advisers = self.advisers(scenario, &mut names);
                let search = ImprovedMhaStar::new(form, StraightLine, advisers, self.w);
                Box::new(search.map_err(|error| weak(&error))?)
            }
        };
        Ok(NamedSearch {
            search,
            heuristics: names,
        })
    }

    /// The numbers that matter to the planner, for documents.
    pub fn parameters(&self, scenario: &Scenario) -> Vec<(&'static str, Parameter)> {
        let number = |weight: Weight| Parameter::Number(weight.as_f64());
        let mut parameters = vec![("bound", number(self.proves()))];
        match self.name {
            PlannerName::Astar => {}
            name if name.weighs_advisers() => {
                parameters.push(("w1", number(self.weights.inflation)));
                parameters.push(("w2", number(self.weights.trust)));
                parameters.push(("calibration", Parameter::Switch(self.calibrates)));
            }
            _ => parameters.push(("w", number(self.w))),
        }
        if matches!(self.name, PlannerName::Astar | PlannerName::Wastar) {
            let reopens = self.reopening == Reopening::Always;
            parameters.push(("reopen", Parameter::Switch(reopens)));
        }
        if self.name.has_advisers() {
            let ids = self.events.iter().map(|event| scenario.id_of(*event));
            let ids = ids.map(str::to_owned).collect();
            parameters.push(("events", Parameter::Names(ids)));
        }
        parameters
    }

    /// How many times the best its first plan may cost.
    pub fn proves(&self) -> Weight {
        match self.name {
            PlannerName::Astar => Weight::ONE,
            PlannerName::Mha | PlannerName::MhaIndependent => self.weights.bound(),
            _ => self.w,
        }
    }

    /// From the bound to the best in eight steps, or in steps of a quarter where that is fewer.
    fn schedule(&self) -> Result<AraSchedule, BadSetting> {
        let first = self.w.as_f64();
        let step = ((first - 1.0) / 8.0).max(0.25);
        AraSchedule::new(first, step, 1.0).map_err(|error| BadSetting(error.to_string()))
    }

    /// One adviser for the shortest way and one for each event.
    fn advisers<Q: Quest + 'static>(
        &self,
        scenario: &Scenario,
        names: &mut Vec<String>,
    ) -> Vec<Box<dyn Heuristic<Q>>> {
        let mut advisers = vec![self.calibrated(ShortestPath::default())];
        names.push("path".to_owned());
        for event in &self.events {
            advisers.push(self.calibrated(ByEvent::new(scenario, *event)));
            names.push(format!("event:{}", scenario.id_of(*event)));
        }
        advisers
    }

    /// Improved MHA* only compares the estimates of one adviser with each other, so that their
    /// scale does not matter; the others weigh them against the anchor.
    fn calibrated<Q, H>(&self, adviser: H) -> Box<dyn Heuristic<Q>>
    where
        Q: Quest + 'static,
        H: Heuristic<Q> + Clone + 'static,
    {
        let scaled = Scaled::new(adviser.clone(), CALIBRATION)
            .filter(|_| self.name.weighs_advisers() && self.calibrates);
        match scaled {
            Some(scaled) => Box::new(scaled),
            None => Box::new(adviser),
        }
    }
}

fn weak(error: &WeakAnchor) -> BadSetting {
    BadSetting(error.to_string())
}
