//! Plans in rooms, each with what is proven about it.

use apprentice_search::{
    BoxedHeuristic, Budget, Guarantee, MhaStar, MhaWeights, Path, Problem, Search, Weight,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::guide::{Guide, HOPELESS};
use crate::imitation::Imitation;
use crate::lower_bound::LowerBound;
use crate::rooms::{After, Ground, Inside, TICKS};
use crate::{Action, Facing, RoomState, Rooms};

/// What is asked of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Asked {
    /// A plan takes at most this many times the moves of the best.
    pub bound: f64,
    /// Units of budget: states expanded, for each of the searches that are tried in turn.
    pub units: u64,
}

impl Default for Asked {
    fn default() -> Asked {
        Asked {
            // What is proven of a plan is nearly always far better, by the lower bound at the start. A
            // tight one makes the search prove it on the way, through every place a thing could lie in.
            bound: 1000.0,
            units: 200_000,
        }
    }
}

/// Of the bound, so much is for greed; the rest is for trust in the guide, which knows of keys and of
/// things in the way, and so says more than the lower bound.
const GREED: f64 = 3.0;

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// There is a plan.
    Found,
    /// There is none, in what is known.
    Impossible,
    /// None was found for the budget.
    Budget,
}

/// A plan, or that there is none.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RoomPlan {
    /// Whether there is one.
    pub status: Status,
    /// Whether it only leads to a look at what nobody has looked at yet, because the goal cannot be
    /// planned for by what is known.
    pub explores: bool,
    /// How many moves it takes; null without one.
    pub cost: Option<f64>,
    /// How many times the moves of the best plan it takes at most, if what is known is all there is;
    /// null if nothing is proven.
    pub bound: Option<f64>,
    /// The same in a sentence, with the reason.
    pub guarantee: String,
    /// How many states were expanded.
    pub expansions: u64,
    /// How much of what was shown it does, in order; null if nothing was shown.
    pub followed: Option<f64>,
    /// What to do, move by move.
    pub steps: Vec<RoomStep>,
}

/// A move of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RoomStep {
    /// What is done.
    pub action: Action,
    /// Where one stands afterwards: column and row.
    pub at: [u32; 2],
    /// Where one looks afterwards.
    pub facing: Facing,
    /// What is carried afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carries: Option<String>,
    /// How many parts of the goal are done afterwards.
    pub done: u32,
}

/// Plans for the goal; where nobody knows how, for a look at what has not been seen, and then at what is
/// inside things.
///
/// The same rooms and the same budget give the same plan.
pub fn plan(rooms: &Rooms, asked: &Asked) -> RoomPlan {
    let mut expansions = 0;
    let mut attempt = |rooms: &Rooms| {
        let mut plan = search(rooms, asked);
        expansions += plan.expansions;
        plan.expansions = expansions;
        plan
    };
    let is_known = !rooms.wants_unseen();
    let looks_possible = is_known && Guide::new().moves_left(rooms, &rooms.start()) < HOPELESS;
    let mut first = None;
    if looks_possible {
        let plan = attempt(rooms);
        if plan.status == Status::Found {
            return plan;
        }
        first = Some(plan);
    }
    let has_unseen = rooms.ground.contains(&Ground::Unseen);
    let has_closed = rooms.things.iter().any(|it| it.inside == Inside::Unseen);
    for (is_there, after) in [
        (has_unseen, After::UnseenCell),
        (has_closed, After::UnseenInside),
    ] {
        if !is_there {
            continue;
        }
        let mut plan = attempt(&rooms.seeking(after));
        if plan.status == Status::Found {
            plan.explores = true;
            return plan;
        }
    }
    match first {
        Some(plan) => plan,
        None if is_known => attempt(rooms),
        None => RoomPlan {
            status: Status::Impossible,
            explores: false,
            cost: None,
            bound: None,
            guarantee: "something is wanted that is not there, and everything was looked at"
                .to_owned(),
            expansions,
            followed: None,
            steps: Vec::new(),
        },
    }
}

fn search(rooms: &Rooms, asked: &Asked) -> RoomPlan {
    let bound = if asked.bound.is_finite() {
        asked.bound.max(1.0)
    } else {
        f64::MAX
    };
    let greed = GREED.min(bound);
    let weight = |factor: f64| Weight::new(factor).unwrap_or(Weight::MAX);
    let weights = MhaWeights {
        inflation: weight(greed),
        trust: weight((bound / greed).min(1e6)),
    };
    let mut advisers: Vec<BoxedHeuristic<Rooms>> = vec![Box::new(Guide::new())];
    if rooms.shown.len() > rooms.followed(&rooms.start()) {
        advisers.push(Box::new(Imitation::new()));
    }
    // The lower bound promises to be consistent, which is all that can be wrong with an anchor.
    let Ok(mut search) = MhaStar::new(LowerBound::new(), advisers, weights) else {
        unreachable!("the anchor is consistent");
    };
    let status = search.run(rooms, &mut Budget::units(asked.units));
    let (path, guarantee) = (search.path(), search.guarantee());
    let mut plan = RoomPlan {
        status: match &path {
            Some(_) => Status::Found,
            None if status.is_unfinished() => Status::Budget,
            None => Status::Impossible,
        },
        explores: false,
        cost: None,
        bound: guarantee.factor(),
        guarantee: guarantee.to_string(),
        expansions: search.statistics().expanded,
        followed: None,
        steps: Vec::new(),
    };
    if let Some(path) = path {
        tell(rooms, &path, &guarantee, &mut plan);
    }
    plan
}

fn tell(rooms: &Rooms, path: &Path<RoomState, Action>, guarantee: &Guarantee, plan: &mut RoomPlan) {
    let cost = path.cost.ticks() as f64 / TICKS as f64;
    plan.cost = Some(cost);
    let least = LowerBound::new().moves_left(rooms, &path.start);
    // Nothing takes fewer moves than the lower bound at the start says, which is often the better proof.
    if let Some(least) = least.filter(|least| *least > 0) {
        let factor = cost / f64::from(least);
        if guarantee.factor().is_none_or(|proven| factor < proven) {
            plan.bound = Some(factor);
            plan.guarantee = match factor {
                1.0 => format!("the best there is: nothing takes fewer than {least} moves"),
                _ => format!(
                    "at most {factor:.2} times the best: nothing takes fewer than {least} moves"
                ),
            };
        }
    }
    if !rooms.shown.is_empty() {
        let followed = rooms.followed(path.end()) as f64;
        plan.followed = Some(followed / rooms.shown.len() as f64);
    }
    let steps = path.steps.iter().map(|(action, state)| RoomStep {
        action: *action,
        at: rooms.at(state),
        facing: rooms.facing(state),
        carries: rooms.carries(state).map(str::to_owned),
        done: rooms.done(state).count_ones(),
    });
    plan.steps = steps.collect();
}
