//! Shipped scenarios, planned by name.

// Every test uses some of it.
#![allow(dead_code, unreachable_pub)]

use std::path::Path;

use apprentice_behavior::{PlannerName, Settings};
use apprentice_experience::{Demonstration, Place, coverage};
use apprentice_game::Ground;
use apprentice_search::{Budget, Cost, Guarantee, Statistics, Status, Successors, Weight};
use apprentice_world::{
    Abilities, AnyQuest, Branching, Drawn, Gait, Order, Quest, Scenario, Spot, Verified, World,
    verify,
};

/// About so many states of a quest, from the start on.
pub fn states<Q: Quest>(quest: &Q, most: usize) -> Vec<Q::State> {
    let mut open = vec![quest.start()];
    let mut next = 0;
    let mut steps = Successors::new();
    while let Some(state) = open.get(next).cloned() {
        next += 1;
        steps.clear();
        quest.successors(&state, &mut steps);
        // Some of them, so that it soon gets far.
        open.extend(steps.iter().step_by(3).map(|step| step.state.clone()));
        if open.len() >= most {
            break;
        }
    }
    open
}

/// A scenario that comes with Apprentice.
pub fn shipped(name: &str) -> Scenario {
    // Those that only tests need are elsewhere.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["scenarios", "testdata/scenarios"];
    let paths = folders.map(|folder| root.join(folder).join(format!("{name}.toml")));
    let path = &paths[usize::from(!paths[0].exists())];
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let beside = |file: &str| {
        std::fs::read_to_string(path.with_file_name(file)).map_err(|error| error.to_string())
    };
    Scenario::parse_with(&text, beside).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What the shipped scenarios are called, in order.
pub fn shipped_names() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios");
    let files = std::fs::read_dir(folder).expect("the scenarios are there");
    let mut names: Vec<String> = files
        .map(|file| file.expect("it can be looked at").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .map(|path| {
            path.file_stem()
                .expect("it has a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}

/// The demonstrations drawn in a scenario.
pub fn drawn(scenario: &Scenario) -> Vec<Demonstration> {
    let speed = scenario.rules().speed(Gait::Walk);
    let numbered = (1..).zip(scenario.demonstrations());
    numbered
        .map(|(number, drawn)| {
            let Drawn::Points(points) = drawn else {
                panic!("only drawn ones")
            };
            let height = |point: &Spot| point.height.unwrap_or(0.0);
            let places = points.iter().map(|at| Place::new(at.x, at.y, height(at)));
            Demonstration::drawn(format!("drawn {number}"), places, speed)
        })
        .collect()
}

/// What a planner came to.
pub struct Outcome {
    pub status: Status,
    pub statistics: Statistics,
    pub guarantee: Guarantee,
    pub plan: Option<Verified>,
    pub way: Vec<Place>,
}

impl Outcome {
    pub fn cost(&self) -> f64 {
        let plan = self.plan.as_ref().expect("there is a plan");
        plan.cost.as_seconds()
    }

    pub fn expanded(&self) -> u64 {
        self.statistics.expanded
    }

    pub fn covers(&self, demonstrations: &[Demonstration]) -> f64 {
        coverage(demonstrations, &self.way)
    }
}

pub fn weight(number: f64) -> Option<Weight> {
    Some(Weight::new(number).expect("a weight"))
}

/// Plans a scenario's own quest with its own demonstrations.
pub fn plan(scenario: &Scenario, settings: &Settings) -> Outcome {
    plan_with(scenario, &drawn(scenario), settings, Branching::Sixteen)
}

pub fn plan_with(
    scenario: &Scenario,
    demonstrations: &[Demonstration],
    settings: &Settings,
    branching: Branching,
) -> Outcome {
    plan_within(MOST, scenario, demonstrations, settings, branching)
}

/// The same with at most so many expansions at a time.
pub fn plan_within(
    most: u64,
    scenario: &Scenario,
    demonstrations: &[Demonstration],
    settings: &Settings,
    branching: Branching,
) -> Outcome {
    let abilities = Abilities {
        branching,
        ..Abilities::default()
    };
    match &scenario.quest_with(abilities) {
        AnyQuest::Still(quest) => run(most, quest, demonstrations, settings),
        AnyQuest::Moving(quest) => run(most, quest, demonstrations, settings),
    }
}

fn run<Q: Quest + 'static>(
    most: u64,
    quest: &Q,
    demonstrations: &[Demonstration],
    settings: &Settings,
) -> Outcome {
    let checked = settings.check(quest.scenario(), demonstrations);
    let planner = checked.unwrap_or_else(|error| panic!("{error}")).planner;
    let mut search = planner
        .search(quest)
        .expect("numbers that make a search")
        .search;
    let mut left = most;
    let status = loop {
        let mut budget = Budget::units(left);
        let status = search.run(quest, &mut budget);
        // However long each state takes where others move.
        left -= budget.taken() - budget.overtime();
        match status {
            Status::Improved => left = most,
            Status::Paused if left > 0 => {}
            status => break status,
        }
    };
    let plan = search.path().map(|path| {
        let orders: Vec<Order> = path.actions().copied().collect();
        let lived = verify(quest.scenario(), quest.start_world(), &orders, quest.goal());
        let lived = lived.unwrap_or_else(|why| panic!("{}: {why}", planner.name()));
        assert_eq!(lived.cost, path.cost);
        lived
    });
    let start: &World = quest.start_world();
    let first = start.place(apprentice_world::AgentId::NPC, quest.scenario());
    let steps = plan.iter().flat_map(|plan| &plan.steps);
    let way = std::iter::once(first).chain(steps.map(|step| step.place));
    let map = quest.scenario().map();
    Outcome {
        status,
        statistics: search.statistics().clone(),
        guarantee: search.guarantee(),
        way: way.map(|place| map.at(place)).collect(),
        plan,
    }
}

/// More than any planner here may need.
const MOST: u64 = 5_000_000;

/// Settings of the planners as the papers have them.
pub fn wastar(bound: f64) -> Settings {
    Settings {
        planner: PlannerName::Wastar,
        w: weight(bound),
        ..Settings::default()
    }
}

pub fn tgraph(w: f64, epsilon: f64) -> Settings {
    Settings {
        planner: PlannerName::Tgraph,
        w: weight(w),
        epsilon: weight(epsilon),
        ..Settings::default()
    }
}

pub fn tgraph_of(bound: f64) -> Settings {
    tgraph(bound.sqrt(), bound.sqrt())
}

pub fn mha(bound: f64) -> Settings {
    Settings {
        planner: PlannerName::Mha,
        bound: weight(bound),
        ..Settings::default()
    }
}

pub fn auto(bound: f64) -> Settings {
    Settings {
        planner: PlannerName::Auto,
        bound: weight(bound),
        ..Settings::default()
    }
}

pub fn optimum(scenario: &Scenario) -> f64 {
    let astar = Settings {
        planner: PlannerName::Astar,
        ..Settings::default()
    };
    plan(scenario, &astar).cost()
}

/// Whether a cost is allowed, to the tick for each step that rounding may add.
pub fn within(cost: f64, bound: f64, optimum: f64) -> bool {
    cost <= bound * optimum + Cost::from_ticks(1_000).as_seconds()
}
