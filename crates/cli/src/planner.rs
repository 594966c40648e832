//! From options on the command line to a search and the heuristics it follows.

use apprentice::search::{
    AraSchedule, AraStar, BestFirst, Budget, Cost, Heuristic, ImprovedMhaStar, IndependentMhaStar,
    MhaForm, MhaStar, MhaWeights, Promise, Reopening, Scaled, Search, WeakAnchor, Weight,
};
use apprentice::world::{
    AgentId, Point, Quest, Scenario, ShortestPath, Situation, StraightLine, Thing,
};
use clap::ValueEnum;
use serde_json::{Map, Value, json};

use crate::exit::Failure;
use crate::standpoint::Standpoint;

/// Which search, and how far from the best its plans may be.
#[derive(clap::Args)]
pub(crate) struct PlannerArguments {
    /// The search to use
    #[arg(long, value_enum, default_value_t = PlannerName::Ara)]
    planner: PlannerName,

    /// Plans may cost at most B times the best; sets the weights that are not given
    #[arg(long, value_name = "B", value_parser = weight)]
    bound: Option<Weight>,

    /// How many times estimates count [default: B]
    #[arg(long, value_name = "W", value_parser = weight)]
    w: Option<Weight>,

    /// How many times estimates count in mha and mha-independent [default: B / W2]
    #[arg(long, value_name = "W1", value_parser = weight)]
    w1: Option<Weight>,

    /// How far advisers may exceed the anchor in mha and mha-independent [default: 1]
    #[arg(long, value_name = "W2", value_parser = weight)]
    w2: Option<Weight>,

    /// Expand states again when a cheaper way to them is found (astar and wastar)
    #[arg(long)]
    reopen: bool,

    /// The events that get an adviser each in the mha family [default: those of the scenario]
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    events: Option<Vec<String>>,

    /// Let advisers of mha and mha-independent count in full, not by half
    #[arg(long)]
    no_calibration: bool,
}

/// The searches there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlannerName {
    /// The best plan, by the straight-line estimate
    Astar,
    /// Weighted A*: sooner, at most W times the best
    Wastar,
    /// ARA*: a plan soon, better ones while the budget lasts
    Ara,
    /// Shared MHA*: shortest ways and quest events advise, the straight line keeps the bound
    Mha,
    /// Independent MHA*: the same, but advisers share nothing
    MhaIndependent,
    /// MHA*++: advisers need not be calibrated
    MhaPlus,
    /// Focal-MHA*: the same, within a focal list
    MhaFocal,
    /// Unconstrained-MHA*: the same, advisers choose freely
    MhaUnconstrained,
}

/// Plans may cost this many times the best unless something else is asked for.
const DEFAULT_BOUND: f64 = 10.0;

/// What calibrated advisers count. A way that passes by an event may well be twice as long as the
/// straight line, and an adviser beyond the anchor is not heard.
const CALIBRATION: f64 = 0.5;

fn weight(text: &str) -> Result<Weight, String> {
    let number: f64 = text
        .parse()
        .map_err(|_| "write a number, at least 1".to_owned())?;
    Weight::new(number).map_err(|error| error.to_string())
}

/// Planners that the documentation knows and this version doesn't.
const STILL_TO_COME: [&str; 3] = ["egraph", "tgraph", "auto"];

/// What to use instead of a value that is not known.
pub(crate) fn hint_for_value(option: &str, value: &str) -> Option<&'static str> {
    let is_planned = STILL_TO_COME.contains(&value);
    (is_planned && option.contains("--planner")).then_some(
        "Planners that follow demonstrations (egraph, tgraph, auto) are not available yet. \
         Use `--planner mha`, which advises the search by shortest ways and quest events.",
    )
}

/// What to say about an option that is not known.
pub(crate) fn hint_for_option(option: &str) -> Option<&'static str> {
    let about_demonstrations = [
        "--epsilon",
        "--projection",
        "--corridor",
        "--start-edge",
        "--demo",
        "--no-demos",
        "--extra-turns",
    ];
    let name = option.split(['=', ' ']).next().unwrap_or(option);
    if about_demonstrations.contains(&name) {
        Some("Options for planners that follow demonstrations are not available yet.")
    } else if name == "--explain" {
        Some("Explanations are not available yet.")
    } else {
        None
    }
}

/// A planner with all its numbers, checked against a scenario.
pub(crate) struct Planner {
    pub(crate) name: PlannerName,
    w: Weight,
    weights: MhaWeights,
    reopening: Reopening,
    events: Vec<Thing>,
    calibrates: bool,
}

impl PlannerArguments {
    /// Checks the options against each other and the scenario. Also returns what people should
    /// know about options that do nothing.
    pub(crate) fn check(&self, scenario: &Scenario) -> Result<(Planner, Vec<String>), Failure> {
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
            calibrates: !self.no_calibration,
        };
        let mut notes = self.idle_options();
        if self.bound.is_some_and(|asked| planner.proves() > asked) {
            let (asked, proves) = (bound, planner.proves());
            notes.push(format!(
                "these weights prove {proves} times the best, not the {asked} asked for by --bound"
            ));
        }
        Ok((planner, notes))
    }

    fn events(&self, scenario: &Scenario) -> Result<Vec<Thing>, Failure> {
        let Some(ids) = &self.events else {
            return Ok(scenario.events().to_vec());
        };
        let ids = ids.iter().map(|id| id.trim()).filter(|id| !id.is_empty());
        ids.map(|id| event(scenario, id)).collect()
    }

    /// Options that were given and mean nothing to the planner.
    fn idle_options(&self) -> Vec<String> {
        use PlannerName::{Ara, Astar, Mha, MhaIndependent, Wastar};
        let is_mha = !matches!(self.planner, Astar | Wastar | Ara);
        let is_weighted = matches!(self.planner, Mha | MhaIndependent);
        let options = [
            (
                "--w",
                self.w.is_some(),
                self.planner != Astar && !is_weighted,
            ),
            ("--w1", self.w1.is_some(), is_weighted),
            ("--w2", self.w2.is_some(), is_weighted),
            (
                "--reopen",
                self.reopen,
                matches!(self.planner, Astar | Wastar),
            ),
            ("--events", self.events.is_some(), is_mha),
            ("--no-calibration", self.no_calibration, is_weighted),
        ];
        let idle = options
            .into_iter()
            .filter(|(_, given, used)| *given && !used);
        idle.map(|(option, ..)| {
            format!(
                "{option} means nothing to --planner {}",
                self.planner.text()
            )
        })
        .collect()
    }
}

/// The thing of this id, as a quest event.
pub(crate) fn event(scenario: &Scenario, id: &str) -> Result<Thing, Failure> {
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
        Failure::input(format!(
            "nothing in the scenario is called `{id}`; its events are `{known}`"
        ))
    })
}

/// A search, and what the heuristics it follows are called: the anchor first.
pub(crate) struct NamedSearch<Q: Quest> {
    pub(crate) search: Box<dyn Search<Q>>,
    pub(crate) heuristics: Vec<String>,
}

impl PlannerName {
    /// What the option calls it.
    pub(crate) fn text(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

impl Planner {
    /// The search for a quest.
    pub(crate) fn search<Q: Quest + 'static>(
        &self,
        scenario: &Scenario,
    ) -> Result<NamedSearch<Q>, Failure> {
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
    pub(crate) fn parameters(&self, scenario: &Scenario) -> Map<String, Value> {
        use PlannerName::{Ara, Astar, Mha, MhaIndependent, Wastar};
        let mut parameters = Map::new();
        let mut put = |name: &str, value: Value| parameters.insert(name.to_owned(), value);
        put("bound", json!(self.proves().as_f64()));
        match self.name {
            Astar => {}
            Mha | MhaIndependent => {
                put("w1", json!(self.weights.inflation.as_f64()));
                put("w2", json!(self.weights.trust.as_f64()));
                put("calibration", json!(self.calibrates));
            }
            _ => {
                put("w", json!(self.w.as_f64()));
            }
        }
        if matches!(self.name, Astar | Wastar) {
            put("reopen", json!(self.reopening == Reopening::Always));
        }
        if !matches!(self.name, Astar | Wastar | Ara) {
            let ids = self.events.iter().map(|event| scenario.id_of(*event));
            put("events", ids.collect());
        }
        parameters
    }

    /// How many times the best its first plan may cost.
    fn proves(&self) -> Weight {
        match self.name {
            PlannerName::Astar => Weight::ONE,
            PlannerName::Mha | PlannerName::MhaIndependent => self.weights.bound(),
            _ => self.w,
        }
    }

    /// From the bound to the best in eight steps, or in steps of a quarter where that is fewer.
    fn schedule(&self) -> Result<AraSchedule, Failure> {
        let first = self.w.as_f64();
        let step = ((first - 1.0) / 8.0).max(0.25);
        AraSchedule::new(first, step, 1.0).map_err(|error| Failure::Bug(error.to_string()))
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
        let weighs = matches!(self.name, PlannerName::Mha | PlannerName::MhaIndependent);
        let scaled =
            Scaled::new(adviser.clone(), CALIBRATION).filter(|_| weighs && self.calibrates);
        match scaled {
            Some(scaled) => Box::new(scaled),
            None => Box::new(adviser),
        }
    }
}

fn weak(error: &WeakAnchor) -> Failure {
    Failure::Bug(error.to_string())
}

/// An estimate that passes by an event: straight to its place and from there straight to the goal,
/// as long as the event has not happened; straight to the goal after that. It promises nothing,
/// because plans may do without the event.
#[derive(Clone)]
pub(crate) struct ByEvent {
    event: Thing,
    place: Point,
    /// The time from there to the goal, once prepared.
    onward: Cost,
}

impl ByEvent {
    pub(crate) fn new(scenario: &Scenario, event: Thing) -> ByEvent {
        let place = scenario.position_of(event);
        ByEvent {
            event,
            place,
            onward: Cost::ZERO,
        }
    }
}

impl<Q: Quest> Heuristic<Q> for ByEvent {
    fn estimate(&mut self, quest: &Q, state: &Q::State) -> Cost {
        let view = quest.view(state);
        if self.event.is_settled(&view) {
            return StraightLine.estimate(quest, state);
        }
        let distance = view.position(AgentId::NPC).distance_to(self.place);
        Cost::round_down(distance / quest.top_speed()) + self.onward
    }

    fn promise(&self) -> Promise {
        Promise::None
    }

    fn prepare(&mut self, quest: &Q, _: &mut Budget<'_>) -> bool {
        let there = Standpoint {
            scenario: quest.scenario(),
            world: quest.start_world(),
            goal: quest.goal(),
        };
        if let Some(place) = there.scenario.map().place_at(self.place) {
            self.onward = StraightLine.estimate(&there, &place);
        }
        true
    }
}
