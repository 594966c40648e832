//! Whether the rest of a plan still works although the world is otherwise than expected.

use std::sync::Arc;
use std::time::Duration;

use apprentice_game::Live;
use apprentice_search::Budget;
#[cfg(feature = "serde")]
use apprentice_search::saved::{LoadError, unsound};

use crate::Deviation;
use crate::eyes::Eyes;
use crate::plan::{Plan, Way};
use crate::tried::Tried;

/// The rest of a plan, lived through once more from the world as it is: first with the margins the
/// plan was made with, then as things are. If it leads to the goal both times, and it is as well
/// there as was expected, whatever has changed does not matter to it: a door it does not pass, an enemy out of reach of the way, a body that walks
/// a little slower.
pub(crate) struct Check<L: Live> {
    pub(crate) terms: Terms<L>,
    /// How well it is at the end of the plan, as far as anybody knew.
    health: f64,
    others_move: bool,
    careful: Option<Tried<L>>,
    plain: Tried<L>,
}

/// What such a look begins with.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "L: apprentice_game::Savable"))]
pub(crate) struct Terms<L: Live> {
    /// What gave rise to it.
    pub(crate) why: Deviation,
    pub(crate) start: L::World,
    /// The step of the plan that is the first of the rest.
    pub(crate) first: usize,
    pub(crate) tick: Duration,
}

/// What came of it.
pub(crate) enum Checked<L: Live> {
    /// The budget is spent.
    NotYet,
    /// The plan leads to the goal: this one, with what is to be expected now.
    Holds(Box<Plan<L>>),
    /// It doesn't.
    Fails(Deviation),
}

impl<L: Live> Check<L> {
    /// Of what is left of a plan that was made for `quest` in the world as it is.
    pub(crate) fn new(
        terms: Terms<L>,
        plan: &Plan<L>,
        quest: &L::Quest,
        eyes: Eyes<'_, L>,
    ) -> Check<L> {
        let (level, who, world, tick) = (eyes.level, eyes.who, &terms.start, terms.tick);
        let orders = || -> Vec<L::Order> { plan.orders_from(terms.first).cloned().collect() };
        // Where nobody moves there are no margins.
        let others_move = level.others_move(quest);
        let careful = if others_move {
            level.rehearsal(who, world, orders(), tick, Some(quest))
        } else {
            None
        };
        let plain = level.rehearsal(who, world, orders(), tick, None);
        let plain = plain.unwrap_or_else(|| level.expectation(who, quest, world, orders()));
        Check {
            health: plan.health(),
            others_move,
            careful: careful.map(Tried::new),
            plain: Tried::new(plain),
            terms,
        }
    }

    /// Goes on.
    pub(crate) fn go_on(
        mut self,
        eyes: Eyes<'_, L>,
        goal: &L::Goal,
        budget: &mut Budget<'_>,
    ) -> (Option<Check<L>>, Checked<L>) {
        let level = eyes.level;
        if let Some(rehearsal) = &mut self.careful {
            match rehearsal.go_on(level, goal, budget) {
                None => return (Some(self), Checked::NotYet),
                Some(Ok(())) => self.careful = None,
                Some(Err(_)) => return (None, Checked::Fails(self.terms.why)),
            }
        }
        match self.plain.go_on(level, goal, budget) {
            None => (Some(self), Checked::NotYet),
            Some(Err(_)) => (None, Checked::Fails(self.terms.why)),
            Some(Ok(())) => {
                let steps = self.plain.into_lived();
                let start = self.terms.start;
                let end = steps.last().map_or(&start, |end| &end.world);
                // Whoever arrives worse off had better look for another way.
                let is_worse = !steps.is_empty() && eyes.health(end) < self.health;
                // Where parts of the goal have an order, the rehearsal has seen to it.
                let is_there = level.has_order(goal) || level.is_met(eyes.who, goal, end);
                if is_worse || !is_there {
                    return (None, Checked::Fails(self.terms.why));
                }
                let way = if self.others_move {
                    Way::whole(eyes, start, steps)
                } else {
                    Way::new(eyes, start, steps)
                };
                let way = Arc::new(way);
                let plan = Plan::new(way).begun(Duration::ZERO);
                (None, Checked::Holds(Box::new(plan)))
            }
        }
    }
}

#[cfg(feature = "serde")]
impl<L: Live> Check<L> {
    /// What it takes to get as far again: the units of the careful rehearsal, unless it is over, and
    /// those of the other.
    pub(crate) fn spent(&self) -> (Option<u64>, u64) {
        let careful = self.careful.as_ref();
        (careful.map(|tried| tried.units), self.plain.units)
    }

    /// Gets as far again.
    pub(crate) fn repeat(
        &mut self,
        eyes: Eyes<'_, L>,
        goal: &L::Goal,
        (careful, plain): (Option<u64>, u64),
        budget: &mut Budget<'_>,
    ) -> Result<(), LoadError> {
        match (careful, &mut self.careful) {
            (Some(units), Some(tried)) => tried.repeat(eyes.level, goal, units, budget)?,
            (None, _) => self.careful = None,
            (Some(_), None) => return Err(unsound("a rehearsal is under way that nobody needs")),
        }
        self.plain.repeat(eyes.level, goal, plain, budget)
    }
}
