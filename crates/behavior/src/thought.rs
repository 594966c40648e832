//! A plan that is being made: searched for, rehearsed, and made again with more care.

use std::time::Duration;

use apprentice_search::{BoxedSearch, Budget, Search, Spent, Status};
use apprentice_world::{
    Goal, Margins, Order, Quest, QuestProblem, Rehearsal, Scenario, StillQuest, VerifiedStep,
    World, verify,
};

use crate::plan::{Plan, is_standing, spot};

/// How much more than its margin says enemies are taken to hurt by somebody who is careful: what
/// was one blow is two, so that a plan that gets away by a moment is no plan.
const CAREFUL: f64 = 2.0;

/// A plan that is being made.
pub(crate) struct Thought {
    /// The world it began in.
    pub(crate) began: World,
    /// The world the plan will begin in: where the character gets to until then.
    pub(crate) from: World,
    /// What it does until then.
    pub(crate) lead: Option<Plan>,
    pub(crate) work: Work,
    /// How enemies are taken to be, by number, and which of these were tried.
    pub(crate) caution: usize,
    pub(crate) tried: u32,
    /// The plan, once it is found.
    pub(crate) found: Option<Found>,
    /// The first plan that was found, if it did not stand the rehearsal.
    pub(crate) fallback: Option<Found>,
    /// Units of budget that were spent on searching: for the first plan, and then for others.
    pub(crate) spent: u64,
    /// How many may be spent for others, before the first plan is better than none.
    pub(crate) patience: u64,
}

/// A plan that stands its rehearsal may cost so many times what the first one did, and so many
/// units of budget more.
pub(crate) const PATIENCE: (u64, u64) = (4, 20_000);

/// A plan that was found.
#[derive(Clone)]
pub(crate) struct Found {
    /// The world it begins in.
    pub(crate) start: World,
    pub(crate) steps: Vec<VerifiedStep>,
    /// Lives through it in the game's world and ticks; none if that is over, or not needed.
    pub(crate) rehearsal: Option<Rehearsal>,
}

/// A quest and the search for it.
// There is one of these at a time.
#[allow(clippy::large_enum_variant)]
pub(crate) enum Work {
    Still(StillQuest, BoxedSearch<StillQuest>),
    Moving(QuestProblem, BoxedSearch<QuestProblem>),
}

impl Thought {
    pub(crate) fn search(&mut self, budget: &mut Budget<'_>) -> Thinking {
        match &mut self.work {
            Work::Still(quest, search) => run(quest, &mut **search, budget),
            Work::Moving(quest, search) => run(quest, &mut **search, budget),
        }
    }

    /// Keeps a plan that was found. Where others move it is lived through before it is followed.
    pub(crate) fn keep(
        &mut self,
        scenario: &Scenario,
        world: &World,
        steps: Vec<VerifiedStep>,
        tick: Duration,
    ) {
        self.found = Some(match self.work {
            Work::Still(..) => Found {
                start: self.from,
                steps,
                rehearsal: None,
            },
            Work::Moving(..) => {
                let start = self.start(scenario, world);
                Found {
                    start,
                    steps,
                    rehearsal: Some(Rehearsal::new(&start, tick)),
                }
            }
        });
    }

    /// The world in which a plan would begin that is found now: thinking takes time, and nobody
    /// waits for it.
    pub(crate) fn start(&self, scenario: &Scenario, world: &World) -> World {
        let is_there = spot(scenario, world) == spot(scenario, &self.from);
        if is_there && is_standing(world) && self.is_near(world) {
            *world
        } else {
            self.from
        }
    }

    /// Whether the next order is the first of the plan.
    pub(crate) fn is_near(&self, world: &World) -> bool {
        let lead = self.lead.as_ref();
        lead.is_none_or(|lead| lead.is_ending(world))
    }

    /// Whether the character will not get to where the plan begins.
    pub(crate) fn is_lost(&self, scenario: &Scenario, world: &World) -> bool {
        let here = spot(scenario, world);
        let Some(lead) = &self.lead else {
            let is_there = here == spot(scenario, &self.from);
            let is_coming = here == spot(scenario, &self.began) && !is_standing(world);
            return !is_there && !is_coming;
        };
        let last = lead.done.checked_sub(1).map(|last| &lead.steps[last].world);
        here != spot(scenario, last.unwrap_or(&lead.start))
    }
}

impl Found {
    /// Goes on with the rehearsal. Whether the plan stands it; `None` if the budget is spent first.
    /// What was expected of the world with all margins gives way to what is going to happen.
    pub(crate) fn rehearse(
        &mut self,
        scenario: &Scenario,
        goal: &Goal,
        budget: &mut Budget<'_>,
    ) -> Option<bool> {
        let Some(rehearsal) = &mut self.rehearsal else {
            return Some(true);
        };
        let orders: Vec<Order> = self.steps.iter().map(|step| step.order).collect();
        let outcome = rehearsal.go_on(scenario, &orders, goal, budget)?;
        self.rehearsal = None;
        let stands = outcome.is_ok();
        if let Ok(lived) = outcome {
            self.steps = lived.steps;
        }
        Some(stands)
    }
}

/// How much worse than they are enemies are taken to be, in the order in which it is tried: as the
/// scenario says, then so that nobody gets away by a moment; and both again with the radii enemies
/// have, because whoever is to be lured comes only from there.
pub(crate) fn cautions(margins: Margins) -> Vec<Margins> {
    let careful = |margins: Margins| Margins {
        damage: margins.damage * CAREFUL,
        ..margins
    };
    let luring = Margins {
        radius: 1.0,
        ..margins
    };
    let mut cautions = vec![margins, careful(margins)];
    if luring != margins {
        cautions.extend([luring, careful(luring)]);
    }
    cautions
}

/// What became of a slice of thinking.
pub(crate) enum Thinking {
    Found(Vec<VerifiedStep>),
    NotYet,
    Hopeless,
}

fn run<Q: Quest>(quest: &Q, search: &mut dyn Search<Q>, budget: &mut Budget<'_>) -> Thinking {
    let status = search.run(quest, budget);
    let Some(path) = search.path() else {
        // More of the same budget brings nothing where the memory is spent.
        let is_full = status == Status::Paused && budget.spent_by() == Some(Spent::Memory);
        return match status {
            Status::Paused | Status::Improved if !is_full => Thinking::NotYet,
            _ => Thinking::Hopeless,
        };
    };
    let orders: Vec<Order> = path.actions().copied().collect();
    let lived = verify(quest.scenario(), quest.start_world(), &orders, quest.goal());
    // A search only finds what can be lived through.
    lived.map_or(Thinking::Hopeless, |lived| Thinking::Found(lived.steps))
}
