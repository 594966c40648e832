//! Whether the rest of a plan still works although the world is otherwise than expected.

use std::sync::Arc;
use std::time::Duration;

use apprentice_game::{Live, Rehearsing};
use apprentice_search::Budget;

use crate::Deviation;
use crate::eyes::Eyes;
use crate::plan::{Plan, Way};

/// The rest of a plan, lived through once more from the world as it is: first with the margins the
/// plan was made with, then as things are. If it leads to the goal both times, and it is as well
/// there as was expected, whatever has changed does not matter to it: a door it does not pass, an enemy out of reach of the way, a body that walks
/// a little slower.
pub(crate) struct Check<L: Live> {
    /// What gave rise to it.
    pub(crate) why: Deviation,
    start: L::World,
    /// How well it is at the end of the plan, as far as anybody knew.
    health: f64,
    others_move: bool,
    careful: Option<Box<dyn Rehearsing<L>>>,
    plain: Box<dyn Rehearsing<L>>,
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
        why: Deviation,
        plan: &Plan<L>,
        quest: &L::Quest,
        eyes: Eyes<'_, L>,
        world: &L::World,
        tick: Duration,
    ) -> Check<L> {
        let (level, who) = (eyes.level, eyes.who);
        let orders = || -> Vec<L::Order> { plan.orders_ahead().cloned().collect() };
        // Where nobody moves there are no margins.
        let others_move = level.others_move(quest);
        let careful = if others_move {
            level.rehearsal(who, world, orders(), tick, Some(quest))
        } else {
            None
        };
        let plain = level.rehearsal(who, world, orders(), tick, None);
        Check {
            why,
            start: world.clone(),
            health: plan.health(),
            others_move,
            careful,
            plain: plain.unwrap_or_else(|| level.expectation(who, quest, world, orders())),
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
                Some(Err(_)) => return (None, Checked::Fails(self.why)),
            }
        }
        match self.plain.go_on(level, goal, budget) {
            None => (Some(self), Checked::NotYet),
            Some(Err(_)) => (None, Checked::Fails(self.why)),
            Some(Ok(())) => {
                let steps = self.plain.into_lived();
                let end = steps.last().map_or(&self.start, |end| &end.world);
                // Whoever arrives worse off had better look for another way.
                let is_worse = !steps.is_empty() && eyes.health(end) < self.health;
                if is_worse || !level.is_met(eyes.who, goal, end) {
                    return (None, Checked::Fails(self.why));
                }
                let way = if self.others_move {
                    Way::whole(eyes, self.start, steps)
                } else {
                    Way::new(eyes, self.start, steps)
                };
                let way = Arc::new(way);
                let plan = Plan::new(way).begun(Duration::ZERO);
                (None, Checked::Holds(Box::new(plan)))
            }
        }
    }
}
