//! A plan that is being made: searched for, rehearsed, and made again with more care.

use std::sync::Arc;
use std::time::Duration;

use apprentice_game::{Live, Severity, StepIn};
use apprentice_search::{Budget, Cost};

use crate::Deviation;
use crate::eyes::Eyes;
use crate::plan::{Plan, Way};
use crate::searches::{Searches, Searching};
use crate::tried::Tried;

/// Whoever would die stops this long before somebody comes after it: who stops within sight of an
/// enemy is noticed a moment later.
const AWAY: Duration = Duration::from_secs(3);

/// A plan that is being made.
pub(crate) struct Replanning<L: Live> {
    /// The world it began in.
    pub(crate) began: L::World,
    /// The world the plan will begin in: where the character gets to until then.
    pub(crate) from: L::World,
    /// What it does until then.
    pub(crate) lead: Option<Plan<L>>,
    /// The plan that held when it began, if only time had passed.
    pub(crate) kept: Option<Plan<L>>,
    pub(crate) quest: L::Quest,
    /// How enemies are taken to be, by number, and which of these were tried.
    pub(crate) margin_level: usize,
    pub(crate) tried: u32,
    /// The plan, once it is found.
    pub(crate) found: Option<Found<L>>,
    /// Of the plans that came to grief in their rehearsal, the one that leaves least undone; the
    /// first of these.
    pub(crate) fallback: Option<Found<L>>,
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
pub(crate) struct Found<L: Live> {
    /// The world it begins in.
    pub(crate) start: L::World,
    pub(crate) way: Arc<Way<L>>,
    /// How enemies were taken to be, by number.
    pub(crate) margin_level: usize,
    /// Lives through it in the game's world and ticks; none if that is over, or not needed.
    pub(crate) rehearsal: Option<Tried<L>>,
    /// The ticks it is rehearsed in. Only saves ask for it.
    #[cfg_attr(not(feature = "serde"), allow(dead_code))]
    pub(crate) tick: Duration,
    /// How it came to grief there, if it did.
    pub(crate) failure: Option<RehearsalFailure<L>>,
}

/// How a plan came to grief when it was rehearsed.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "L: apprentice_game::Savable"))]
pub(crate) struct RehearsalFailure<L: Live> {
    pub(crate) why: L::Failure,
    /// What is done before that.
    pub(crate) lived: Vec<StepIn<L>>,
    /// How long the rest was to take; forever, where nothing was left to do and the goal is not met.
    pub(crate) undone: Cost,
}

impl<L: Live> Replanning<L> {
    /// Goes on with the search, as far as the budget and the patience last. `None`: whatever may
    /// still be found has taken too long, or too much memory.
    pub(crate) fn search(
        &mut self,
        searches: &mut Searches<L>,
        eyes: Eyes<'_, L>,
        goal: &L::Goal,
        bytes: u64,
        budget: &mut Budget<'_>,
    ) -> Option<Searching<L>> {
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
                budget.holding_at_most(bytes, |budget| {
                    searches.run(eyes, &self.quest, &self.from, goal, budget)
                })
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
    pub(crate) fn first_patience(
        level: &L,
        quest: &L::Quest,
        margin_level: usize,
        patience: Patience,
    ) -> u64 {
        if !level.others_move(quest) {
            patience.expansions.saturating_mul(WHERE_NOBODY_MOVES)
        } else if margin_level > 0 {
            patience.expansions.min(PATIENCE.1)
        } else {
            patience.expansions
        }
    }

    /// Whatever may still be found takes too long.
    pub(crate) fn lose_patience(&mut self, searches: &Searches<L>) {
        self.in_vain += searches.expanded(&self.quest);
        // Other plans are looked for as long as there is patience for all of them together.
        if self.fallback.is_some() {
            self.tried = u32::MAX;
        }
    }

    /// How else to go about it, if anything else was not tried: as enemies were not taken to be yet.
    /// Where nothing was found, being more careful finds nothing either.
    pub(crate) fn next_margin_level(&self, level: &L) -> Option<usize> {
        let levels = level.margin_levels().min(u32::BITS as usize);
        let was_tried = |number: &usize| self.tried >> number & 1 == 1;
        let is_easier = |number: usize| {
            let mut tried = (0..levels).filter(was_tried);
            tried.all(|other| !level.is_as_careful(number, other))
        };
        let untried = (0..levels).filter(|number| !was_tried(number));
        let mut worth = untried.filter(|number| self.fallback.is_some() || is_easier(*number));
        worth.next()
    }

    /// Ends the search for a quest. Once a plan came to grief there is an end to patience, and what
    /// was expanded since then is off it.
    pub(crate) fn end_search(&mut self, searches: &Searches<L>) {
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
    pub(crate) fn begin_anew(&mut self, quest: L::Quest, margin_level: usize) {
        self.quest = quest;
        self.tried |= 1 << margin_level;
        self.margin_level = margin_level;
    }

    /// Keeps a plan that was found. Where others move it is lived through before it is followed.
    pub(crate) fn keep(
        &mut self,
        eyes: Eyes<'_, L>,
        world: &L::World,
        way: Arc<Way<L>>,
        tick: Duration,
    ) {
        self.found = Some(if eyes.level.others_move(&self.quest) {
            Found::new(eyes, self.start(eyes, world), way, self.margin_level, tick)
        } else {
            Found {
                start: self.from.clone(),
                way,
                margin_level: self.margin_level,
                rehearsal: None,
                tick,
                failure: None,
            }
        });
    }

    /// What was found came to grief.
    pub(crate) fn put_aside(&mut self) {
        let undone = |plan: &Found<L>| plan.failure.as_ref().map(|failure| failure.undone);
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
    pub(crate) fn make_do(&mut self, eyes: Eyes<'_, L>, world: &L::World, tick: Duration) -> bool {
        self.is_last = true;
        let Some(found) = self.fallback.take() else {
            self.found = None;
            return false;
        };
        let start = self.start(eyes, world);
        self.found = Some(if eyes.time(&found.start) == eyes.time(start) {
            found
        } else {
            Found::new(eyes, start, found.way, found.margin_level, tick)
        });
        true
    }

    /// The world in which a plan would begin that is found now: thinking takes time, and nobody
    /// waits for it.
    pub(crate) fn start<'a>(&'a self, eyes: Eyes<'_, L>, world: &'a L::World) -> &'a L::World {
        let is_there = eyes.spot(world) == eyes.spot(&self.from);
        if is_there && eyes.is_standing(world) && self.is_near(eyes, world) {
            world
        } else {
            &self.from
        }
    }

    /// What has changed for good that the plan will rest on.
    pub(crate) fn news(&self, eyes: Eyes<'_, L>, world: &L::World) -> Option<Deviation> {
        let news = eyes.lasting_change(world, &[&self.began, &self.from])?;
        let mut lead = self.lead.iter().flat_map(Plan::kept_worlds);
        let is_new = |then| eyes.lasting_change(world, &[then]).is_some();
        lead.all(is_new).then_some(news)
    }

    /// Whether the next order is the first of the plan.
    pub(crate) fn is_near(&self, eyes: Eyes<'_, L>, world: &L::World) -> bool {
        let lead = self.lead.as_ref();
        lead.is_none_or(|lead| lead.is_ending(eyes, world))
    }

    /// Whether the character will not get to where the plan begins.
    pub(crate) fn is_lost(&self, eyes: Eyes<'_, L>, world: &L::World) -> bool {
        let here = eyes.spot(world);
        let Some(lead) = &self.lead else {
            let is_there = here == eyes.spot(&self.from);
            let is_coming = here == eyes.spot(&self.began) && !eyes.is_standing(world);
            return !is_there && !is_coming;
        };
        !lead.is_in_place(eyes, world)
    }
}

impl<L: Live> Found<L> {
    /// A plan that is to be rehearsed from `start` on.
    fn new(
        eyes: Eyes<'_, L>,
        start: &L::World,
        way: Arc<Way<L>>,
        margin_level: usize,
        tick: Duration,
    ) -> Found<L> {
        let orders = way.orders().cloned().collect();
        let rehearsal = eyes.level.rehearsal(eyes.who, start, orders, tick, None);
        Found {
            start: start.clone(),
            // Where nothing is rehearsed it begins later than was thought.
            way: if rehearsal.is_none() {
                Arc::new(way.beginning_in(eyes, start))
            } else {
                way
            },
            margin_level,
            rehearsal: rehearsal.map(Tried::new),
            tick,
            failure: None,
        }
    }

    /// Goes on with the rehearsal. Whether the plan stands it; `None` if the budget is spent first.
    /// What was expected of the world with all margins gives way to what is going to happen.
    pub(crate) fn rehearse(
        &mut self,
        eyes: Eyes<'_, L>,
        goal: &L::Goal,
        budget: &mut Budget<'_>,
    ) -> Option<bool> {
        let Some(mut rehearsal) = self.rehearsal.take() else {
            return Some(self.failure.is_none());
        };
        match rehearsal.go_on(eyes.level, goal, budget) {
            None => {
                self.rehearsal = Some(rehearsal);
                return None;
            }
            Some(Ok(())) => {
                let lived = rehearsal.into_lived();
                self.way = Arc::new(Way::whole(eyes, self.start.clone(), lived));
            }
            Some(Err(why)) => {
                let mut lived = rehearsal.into_lived();
                let severity = eyes.level.severity(&why);
                // Nobody goes knowingly to where it dies, as long as nobody is after it.
                if severity == Severity::Kills && !eyes.is_hunted(&self.start) {
                    let start = [&self.start];
                    let is_in_danger = |step: &StepIn<L>| {
                        eyes.noticed(&step.world, &start).is_some()
                            || eyes.hurt(&step.world, &start).is_some()
                    };
                    // Who comes after it and kills it in one step was not there before that step.
                    let danger = lived.iter().find(|step| is_in_danger(step));
                    if let Some(danger) = danger.or(lived.last()) {
                        let until = eyes.time(&danger.world).saturating_sub(AWAY);
                        let safe = lived.partition_point(|step| eyes.time(&step.world) <= until);
                        lived.truncate(safe);
                    }
                }
                // Nothing is left of a plan that does not lead to the goal, and it is no better for it.
                let undone = match severity {
                    Severity::FallsShort => Cost::INFINITE,
                    _ => {
                        let lived = lived.last().map_or(0, |step| step.time.ticks());
                        Cost::from_ticks(self.way.time().ticks().saturating_sub(lived))
                    }
                };
                self.failure = Some(RehearsalFailure { why, lived, undone });
            }
        }
        Some(self.failure.is_none())
    }
}
