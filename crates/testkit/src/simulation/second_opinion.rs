//! What others say: whether there is a plan where a character has given up, and whether what is
//! proven about plans is true.

use std::time::Duration;

use apprentice_behavior::{PlannerName, Settings};
use apprentice_search::{Budget, Cost, Guarantee, Status};
use apprentice_world::{
    Abilities, AnyQuest, Goal, Margins, Order, Quest, Scenario, World, rehearse,
};

use super::laws::{Fault, Law};
use crate::dice::Dice;
use crate::stranger::Stranger;

/// What somebody else says about a character that has given up.
pub(super) enum Opinion {
    /// There is no plan.
    Agrees,
    /// There is one, and it stands its rehearsal.
    Disagrees(String),
    /// Nobody knows: it takes too long to find out, or plans come to grief.
    Unknown,
}

/// Looks for a plan that stands in this very world, with the margins of the level and without any.
pub(super) fn about_giving_up(
    scenario: &Scenario,
    world: &World,
    goal: &Goal,
    tick: Duration,
    expansions: u64,
) -> Opinion {
    for margins in [scenario.margins(), Margins::NONE] {
        let careful = scenario.clone().with_margins(margins);
        let (status, orders) = match AnyQuest::new(&careful, world, goal, Abilities::default()) {
            AnyQuest::Still(quest) => search(&quest, expansions),
            AnyQuest::Moving(quest) => search(&quest, expansions),
        };
        if status == Status::Unsolvable && margins == Margins::NONE {
            return Opinion::Agrees;
        }
        // What stands in one tick may come to grief in another; what stands in all is sound.
        let ticks = [tick, Duration::from_millis(16), Duration::from_millis(50)];
        let stands = |orders: &Vec<Order>| {
            let mut ticks = ticks.iter();
            ticks.all(|tick| rehearse(scenario, world, orders, goal, *tick).is_ok())
        };
        if let Some(orders) = orders.filter(stands) {
            let steps = orders.len();
            return Opinion::Disagrees(format!(
                "a plan of {steps} steps stands, made with margins {} and {}",
                margins.damage, margins.radius
            ));
        }
    }
    Opinion::Unknown
}

fn search<Q: Quest + 'static>(quest: &Q, expansions: u64) -> (Status, Option<Vec<Order>>) {
    let checked = Settings::default().check(quest.scenario(), []);
    let planner = checked.unwrap_or_else(|error| panic!("{error}")).planner;
    let mut search = planner
        .search(quest)
        .unwrap_or_else(|error| panic!("{error}"))
        .search;
    let mut left = expansions;
    let status = loop {
        let mut budget = Budget::units(left);
        let status = search.run(quest, &mut budget);
        // However long each state takes.
        left -= budget.taken() - budget.overtime();
        if status != Status::Paused || left == 0 {
            break status;
        }
    };
    let path = search.path().filter(|_| status != Status::Paused);
    let orders = path.map(|path| path.actions().copied().collect());
    (status, orders)
}

/// So many expansions are enough for many small levels in which nothing moves.
const EXPANSIONS: u64 = 20_000;

/// Plans a level at once, in slices and with A*, and compares.
pub(super) fn about_plans(level: &Stranger) -> Vec<Fault> {
    match level.scenario.quest_with(Abilities::default()) {
        AnyQuest::Still(quest) => compare(&quest, level),
        AnyQuest::Moving(quest) => compare(&quest, level),
    }
}

/// What a planner came to: its status, expansions, the cost of its plan, and what it has proven.
type Result = (Status, u64, Option<Cost>, Guarantee);

fn compare<Q: Quest + 'static>(quest: &Q, level: &Stranger) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut fault = |law, what| faults.push(Fault::new(law, Duration::ZERO, what));
    let most = if quest.coarseness().is_none() {
        EXPANSIONS
    } else {
        EXPANSIONS / 10
    };
    let mut dice = Dice::new(level.seed, "slices");
    let whole = plan(quest, level, PlannerName::Auto, most, || most);
    let sliced = plan(quest, level, PlannerName::Auto, most, || {
        dice.between(1, 300) as u64
    });
    if whole != sliced {
        fault(
            Law::SlicedOtherwise,
            format!("{whole:?}, in slices {sliced:?}"),
        );
    }
    // Where enemies move, worlds that are nearly alike count as one, so that A* may miss the best.
    let (status, _, cost, guarantee) = whole;
    if quest.coarseness().is_some() || status == Status::Paused {
        return faults;
    }
    let best = plan(quest, level, PlannerName::Astar, 4 * most, || most);
    let (best_status, _, best_cost, _) = best;
    if best_status == Status::Paused {
        return faults;
    }
    match (cost, best_cost, guarantee) {
        (None, None, Guarantee::Impossible) => {}
        (Some(cost), Some(best), Guarantee::Within { factor, .. }) => {
            // A tick of rounding for each step.
            let most = factor.as_f64() * best.as_seconds() + 1e-5;
            if cost.as_seconds() > most || cost < best {
                let what = format!("{cost} where the best is {best} and {factor} is proven");
                fault(Law::BoundBroken, what);
            }
        }
        other => fault(Law::BoundBroken, format!("{other:?}")),
    }
    faults
}

fn plan<Q: Quest + 'static>(
    quest: &Q,
    level: &Stranger,
    planner: PlannerName,
    most: u64,
    mut slice: impl FnMut() -> u64,
) -> Result {
    let settings = Settings {
        planner,
        ..Settings::default()
    };
    let checked = settings.check(quest.scenario(), level.demonstrations.clone());
    let planner = checked.unwrap_or_else(|error| panic!("{error}")).planner;
    let mut search = planner
        .search(quest)
        .unwrap_or_else(|error| panic!("{error}"))
        .search;
    let mut left = most;
    let status = loop {
        let mut budget = Budget::units(slice().min(left));
        let status = search.run(quest, &mut budget);
        left -= budget.taken() - budget.overtime();
        if status != Status::Paused || left == 0 {
            break status;
        }
    };
    let cost = search.path().map(|path| path.cost);
    (
        status,
        search.statistics().expanded,
        cost,
        search.guarantee(),
    )
}
