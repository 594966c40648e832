//! Whether the rest of a plan still works although the world is otherwise than expected.

use std::time::Duration;

use apprentice_search::Budget;
use apprentice_world::{AnyQuest, Goal, Order, Quest, Rehearsal, Scenario, World};

use crate::Deviation;
use crate::plan::Plan;

/// The rest of a plan, lived through once more from the world as it is: first with the margins the
/// plan was made with, then as things are. If it leads to the goal both times, and it is as well
/// there as was expected, whatever has changed does not matter to it: a door it does not pass, an enemy out of reach of the way, a body that walks
/// a little slower.
pub(crate) struct Check {
    /// What gave rise to it.
    pub(crate) why: Deviation,
    start: World,
    /// How well it is at the end of the plan, as far as anybody knew.
    health: f64,
    careful: Option<(Scenario, Rehearsal)>,
    plain: Rehearsal,
}

/// What came of it.
pub(crate) enum Checked {
    /// The budget is spent.
    NotYet,
    /// The plan leads to the goal: this one, with what is to be expected now.
    Holds(Box<Plan>),
    /// It doesn't.
    Fails(Deviation),
}

impl Check {
    /// Of what is left of a plan that was made for `quest` in the world as it is.
    pub(crate) fn new(
        why: Deviation,
        plan: &Plan,
        quest: &AnyQuest,
        world: &World,
        tick: Duration,
    ) -> Check {
        let orders = || -> Vec<Order> {
            let left = plan.steps[plan.done..].iter();
            left.map(|step| step.order).collect()
        };
        let careful = match quest {
            // Where nobody moves there are no margins.
            AnyQuest::Still(_) => None,
            AnyQuest::Moving(quest) => {
                let rehearsal = Rehearsal::new(world, orders(), tick);
                Some((quest.scenario().clone(), rehearsal))
            }
        };
        Check {
            why,
            start: world.clone(),
            health: plan.steps.last().map_or(0.0, |step| step.health),
            careful,
            plain: Rehearsal::new(world, orders(), tick),
        }
    }

    /// Goes on.
    pub(crate) fn go_on(
        mut self,
        scenario: &Scenario,
        goal: &Goal,
        budget: &mut Budget<'_>,
    ) -> (Option<Check>, Checked) {
        if let Some((careful, rehearsal)) = &mut self.careful {
            match rehearsal.go_on(careful, goal, budget) {
                None => return (Some(self), Checked::NotYet),
                Some(Ok(_)) => self.careful = None,
                Some(Err(_)) => return (None, Checked::Fails(self.why)),
            }
        }
        match self.plain.go_on(scenario, goal, budget) {
            None => (Some(self), Checked::NotYet),
            Some(Err(_)) => (None, Checked::Fails(self.why)),
            // Whoever arrives worse off had better look for another way.
            Some(Ok(lived))
                if lived
                    .steps
                    .last()
                    .is_some_and(|end| end.health < self.health) =>
            {
                (None, Checked::Fails(self.why))
            }
            Some(Ok(lived)) => {
                let plan = Plan {
                    start: self.start,
                    steps: lived.steps,
                    done: 0,
                    begun: true,
                    delay: Duration::ZERO,
                };
                (None, Checked::Holds(Box::new(plan)))
            }
        }
    }
}
