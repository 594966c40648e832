//! A plan that is being made: searched for, rehearsed, and made again with more care.

use std::time::Duration;

use apprentice_search::{Budget, Cost};
use apprentice_world::{
    AnyQuest, Goal, Invalid, Margins, Rehearsal, Scenario, VerifiedStep, Why, World,
};

use crate::Deviation;
use crate::deviation::{enemy_that_noticed, hurt, is_hunted, lasting_flag_that_differs};
use crate::plan::{Plan, is_standing, spot};
use crate::searches::{Searches, Searching};

/// How much more than its margin says enemies are taken to hurt by somebody who is careful: what
/// was one blow is two, so that a plan that gets away by a moment is no plan.
const CAREFUL: f64 = 2.0;

/// Whoever would die stops this long before somebody comes after it: who stops within sight of an
/// enemy is noticed a moment later.
const AWAY: Duration = Duration::from_secs(3);

/// A plan that is being made.
pub(crate) struct Thought {
    /// The world it began in.
    pub(crate) began: World,
    /// The world the plan will begin in: where the character gets to until then.
    pub(crate) from: World,
    /// What it does until then.
    pub(crate) lead: Option<Plan>,
    pub(crate) quest: AnyQuest,
    /// How enemies are taken to be, by number, and which of these were tried.
    pub(crate) caution: usize,
    pub(crate) tried: u32,
    /// The plan, once it is found.
    pub(crate) found: Option<Found>,
    /// Of the plans that came to grief in their rehearsal, the one that leaves least undone; the
    /// first of these.
    pub(crate) fallback: Option<Found>,
    /// Whether everything was tried, so that what is found is followed as far as it goes.
    pub(crate) is_last: bool,
    /// How many expansions the search may make.
    pub(crate) patience: u64,
    /// How many were made by searches that came to no end.
    pub(crate) in_vain: u64,
}

/// All plans that are made after the first one came to grief may take so many times its expansions
/// together, and so many more, but no more than the first might have. Getting ready does not count: it takes what it takes, and how much
/// depends on what was known before.
const PATIENCE: (u64, u64) = (4, 20_000);

/// How long a character looks for a plan before it [waits](crate::Doing::Stuck) and looks again later.
///
/// ```
/// use apprentice_behavior::Patience;
///
/// let hasty = Patience { expansions: 5_000, ..Patience::default() };
/// # let _ = hasty;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// How many states a first search may expand where others move; fifty times as many where nobody
    /// does, because there that is as much work.
    pub expansions: u64,
    /// How many bytes any search may hold.
    pub bytes: u64,
}

impl Default for Patience {
    /// Twenty thousand states, and 64 MiB.
    fn default() -> Patience {
        Patience {
            expansions: 20_000,
            bytes: 64 << 20,
        }
    }
}

/// So many expansions where nobody moves are as much work as one where others do.
const WHERE_NOBODY_MOVES: u64 = 50;

/// A search that has not expanded anything is lent at least so many units, however little patience is
/// left: each time it goes on, everything it gets ready is looked at.
const LENT: u64 = 4_096;

/// A plan that was found.
#[derive(Clone)]
pub(crate) struct Found {
    /// The world it begins in.
    pub(crate) start: World,
    pub(crate) steps: Vec<VerifiedStep>,
    /// How enemies were taken to be, by number.
    pub(crate) caution: usize,
    /// Lives through it in the game's world and ticks; none if that is over, or not needed.
    rehearsal: Option<Rehearsal>,
    /// How it came to grief there, if it did.
    pub(crate) doubt: Option<Doubt>,
}

/// How a plan came to grief when it was rehearsed.
#[derive(Clone)]
pub(crate) struct Doubt {
    pub(crate) why: Invalid,
    /// What is done before that.
    pub(crate) lived: Vec<VerifiedStep>,
    /// How long the rest was to take; forever, where nothing was left to do and the goal is not met.
    pub(crate) undone: Cost,
}

impl Thought {
    /// Goes on with the search, as far as the budget and the patience last. `None`: whatever may
    /// still be found has taken too long, or too much memory.
    pub(crate) fn search(
        &mut self,
        searches: &mut Searches,
        bytes: u64,
        budget: &mut Budget<'_>,
    ) -> Option<Searching> {
        let patience = self.patience;
        // What a search takes to get ready is not known beforehand, so it is lent what it may expand
        // until it has expanded that much.
        loop {
            let expanded = searches.expanded(&self.quest);
            let left = patience.saturating_sub(expanded);
            if left == 0 {
                return None;
            }
            let lent = if expanded == 0 { left.max(LENT) } else { left };
            let outcome = budget.at_most(lent, |budget| {
                budget.holding_at_most(bytes, |budget| searches.run(&self.quest, budget))
            });
            if matches!(outcome, Searching::Full) {
                return None;
            }
            // Whatever was found with what was lent too much would not be found in smaller slices.
            if searches.expanded(&self.quest) >= patience {
                return None;
            }
            if !matches!(outcome, Searching::NotYet) || budget.spent_by().is_some() {
                return Some(outcome);
            }
        }
    }

    /// How many expansions a first search may make. Whoever begins with care does so only because the
    /// last plan was made with it.
    pub(crate) fn first_patience(quest: &AnyQuest, caution: usize, patience: Patience) -> u64 {
        if matches!(quest, AnyQuest::Still(_)) {
            patience.expansions.saturating_mul(WHERE_NOBODY_MOVES)
        } else if caution > 0 {
            patience.expansions.min(PATIENCE.1)
        } else {
            patience.expansions
        }
    }

    /// Whatever may still be found takes too long.
    pub(crate) fn lose_patience(&mut self, searches: &Searches) {
        self.in_vain += searches.expanded(&self.quest);
        // Other plans are looked for as long as there is patience for all of them together.
        if self.fallback.is_some() {
            self.tried = u32::MAX;
        }
    }

    /// How else to go about it, if anything else was not tried: as enemies were not taken to be yet.
    /// Where nothing was found, being more careful finds nothing either.
    pub(crate) fn next_caution(&self, cautions: &[Caution]) -> Option<usize> {
        let is_easier = |number: usize| {
            let tried = cautions.iter().enumerate();
            let mut tried = tried.filter(|(other, _)| self.tried >> other & 1 == 1);
            tried.all(|(_, other)| !cautions[number].is_as_careful_as(other))
        };
        let untried = (0..cautions.len()).filter(|number| self.tried >> number & 1 == 0);
        let mut worth = untried.filter(|number| self.fallback.is_some() || is_easier(*number));
        worth.next()
    }

    /// Ends the search for a quest. Once a plan came to grief there is an end to patience, and what
    /// was expanded since then is off it.
    pub(crate) fn end_search(&mut self, searches: &Searches) {
        let (times, more) = PATIENCE;
        let expanded = searches.expanded(&self.quest);
        let is_first = self.tried.is_power_of_two();
        self.patience = match self.fallback {
            // Nothing was found yet: what is easier is found soon, or not at all.
            None => self.patience.min(more) / 2,
            Some(_) if !is_first => self.patience.saturating_sub(expanded),
            // `patience` is what a first search may expand at most: all others together take no more.
            Some(_) => {
                let rest = expanded.saturating_mul(times).saturating_add(more);
                rest.min(self.patience)
            }
        };
    }

    /// Goes about it otherwise.
    pub(crate) fn begin_anew(&mut self, quest: AnyQuest, caution: usize) {
        self.quest = quest;
        self.tried |= 1 << caution;
        self.caution = caution;
    }

    /// Keeps a plan that was found. Where others move it is lived through before it is followed.
    pub(crate) fn keep(
        &mut self,
        scenario: &Scenario,
        world: &World,
        steps: Vec<VerifiedStep>,
        tick: Duration,
    ) {
        self.found = Some(match self.quest {
            AnyQuest::Still(_) => Found {
                start: self.from.clone(),
                steps,
                caution: self.caution,
                rehearsal: None,
                doubt: None,
            },
            AnyQuest::Moving(_) => {
                Found::new(&self.start(scenario, world), steps, self.caution, tick)
            }
        });
    }

    /// What was found came to grief.
    pub(crate) fn put_aside(&mut self) {
        let undone = |plan: &Found| plan.doubt.as_ref().map(|doubt| doubt.undone);
        let Some(found) = self.found.take() else {
            return;
        };
        let best = self.fallback.as_ref();
        if best.is_none_or(|best| undone(&found) < undone(best)) {
            self.fallback = Some(found);
        }
    }

    /// Takes up the best of what came to grief, as far as it goes. Whoever has thought for a while
    /// rehearses it again, in the world as it has become. False: nothing was found.
    pub(crate) fn make_do(&mut self, scenario: &Scenario, world: &World, tick: Duration) -> bool {
        let start = self.start(scenario, world);
        self.is_last = true;
        self.found = self.fallback.take().map(|found| {
            if found.start.time() == start.time() {
                found
            } else {
                Found::new(&start, found.steps, found.caution, tick)
            }
        });
        self.found.is_some()
    }

    /// The world in which a plan would begin that is found now: thinking takes time, and nobody
    /// waits for it.
    pub(crate) fn start(&self, scenario: &Scenario, world: &World) -> World {
        let is_there = spot(scenario, world) == spot(scenario, &self.from);
        if is_there && is_standing(world) && self.is_near(world) {
            world.clone()
        } else {
            self.from.clone()
        }
    }

    /// What has changed for good that the plan will rest on.
    pub(crate) fn news(&self, scenario: &Scenario, world: &World) -> Option<Deviation> {
        let news = lasting_flag_that_differs(scenario, world, &[&self.began, &self.from])?;
        let mut lead = self.lead.iter().flat_map(|lead| &lead.steps);
        let is_new = |then| lasting_flag_that_differs(scenario, world, &[then]).is_some();
        lead.all(|step| is_new(&step.world)).then_some(news)
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
    /// A plan that is to be rehearsed from `start` on.
    fn new(start: &World, steps: Vec<VerifiedStep>, caution: usize, tick: Duration) -> Found {
        let orders = steps.iter().map(|step| step.order).collect();
        Found {
            start: start.clone(),
            steps,
            caution,
            rehearsal: Some(Rehearsal::new(start, orders, tick)),
            doubt: None,
        }
    }

    /// Goes on with the rehearsal. Whether the plan stands it; `None` if the budget is spent first.
    /// What was expected of the world with all margins gives way to what is going to happen.
    pub(crate) fn rehearse(
        &mut self,
        scenario: &Scenario,
        goal: &Goal,
        budget: &mut Budget<'_>,
    ) -> Option<bool> {
        let Some(mut rehearsal) = self.rehearsal.take() else {
            return Some(self.doubt.is_none());
        };
        match rehearsal.go_on(scenario, goal, budget) {
            None => {
                self.rehearsal = Some(rehearsal);
                return None;
            }
            Some(Ok(lived)) => self.steps = lived.steps,
            Some(Err(why)) => {
                let time =
                    |steps: &[VerifiedStep]| steps.last().map_or(0, |step| step.time.ticks());
                let mut lived = rehearsal.into_lived();
                // Nobody goes knowingly to where it dies, as long as nobody is after it.
                if matches!(why.why, Why::Dies { .. }) && !is_hunted(scenario, &self.start) {
                    let start = [&self.start];
                    let is_in_danger = |step: &VerifiedStep| {
                        enemy_that_noticed(scenario, &step.world, &start).is_some()
                            || hurt(scenario, &step.world, &start).is_some()
                    };
                    // Who comes after it and kills it in one step was not there before that step.
                    let danger = lived.iter().find(|step| is_in_danger(step));
                    if let Some(danger) = danger.or(lived.last()) {
                        let until = danger.world.time().saturating_sub(AWAY);
                        let safe = lived.partition_point(|step| step.world.time() <= until);
                        lived.truncate(safe);
                    }
                }
                // Nothing is left of a plan that does not lead to the goal, and it is no better for it.
                let undone = match why.why {
                    Why::GoalNotMet { .. } => Cost::INFINITE,
                    _ => Cost::from_ticks(time(&self.steps).saturating_sub(time(&lived))),
                };
                self.doubt = Some(Doubt { why, lived, undone });
            }
        }
        Some(self.doubt.is_none())
    }
}

/// How much worse than they are enemies are taken to be.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Caution(pub(crate) Margins);

impl Caution {
    /// Whether whoever finds nothing with the other finds nothing with this.
    fn is_as_careful_as(&self, other: &Caution) -> bool {
        let (Caution(this), Caution(other)) = (self, other);
        this.damage >= other.damage && this.radius >= other.radius
    }
}

/// How much worse than they are enemies are taken to be, in the order in which it is tried: as the
/// scenario says, then so that nobody gets away by a moment; both again with the radii enemies have,
/// because whoever is to be lured comes only from there, and because a margin may leave no way where
/// there is one; at last as they are.
pub(crate) fn cautions(margins: Margins) -> Vec<Caution> {
    let careful = |margins: Margins| Margins {
        damage: margins.damage * CAREFUL,
        ..margins
    };
    let luring = Margins {
        radius: 1.0,
        ..margins
    };
    let mut cautions = Vec::with_capacity(5);
    for margins in [
        margins,
        careful(margins),
        luring,
        careful(luring),
        Margins::NONE,
    ] {
        if !cautions.contains(&Caution(margins)) {
            cautions.push(Caution(margins));
        }
    }
    cautions
}
