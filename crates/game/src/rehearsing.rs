//! A plan that is lived through before it is followed, and what to expect of it.

use apprentice_search::{Budget, Cost};

use crate::Live;
use crate::live::StepIn;

/// A step of a plan: what is asked, and how the world is expected to be when it is over.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlannedStep<O, W, E = ()> {
    /// When it is over, from the beginning of the plan.
    pub time: Cost,
    /// What is asked.
    pub order: O,
    /// What happens meanwhile.
    pub events: Vec<E>,
    /// The world as it is then.
    pub world: W,
}

/// A plan that is being lived through, a little at a time.
pub trait Rehearsing<L: Live>: Send + Sync {
    /// Goes on. `None`: the budget is spent, call again.
    fn go_on(
        &mut self,
        level: &L,
        goal: &L::Goal,
        budget: &mut Budget<'_>,
    ) -> Option<Result<(), L::Failure>>;

    /// The steps that were lived through, once it is over: all of them, or those before it came to
    /// grief.
    fn into_lived(self: Box<Self>) -> Vec<StepIn<L>>;
}

/// Lives through a plan by asking for the world after each order; a unit of budget each.
pub(crate) struct StepByStep<L: Live> {
    who: L::Who,
    world: L::World,
    orders: std::vec::IntoIter<L::Order>,
    cost: Cost,
    steps: Vec<StepIn<L>>,
}

impl<L: Live> StepByStep<L> {
    pub(crate) fn new(who: &L::Who, from: &L::World, orders: Vec<L::Order>) -> StepByStep<L> {
        StepByStep {
            who: who.clone(),
            world: from.clone(),
            steps: Vec::with_capacity(orders.len()),
            orders: orders.into_iter(),
            cost: Cost::ZERO,
        }
    }
}

impl<L: Live> Rehearsing<L> for StepByStep<L> {
    fn go_on(
        &mut self,
        level: &L,
        _goal: &L::Goal,
        budget: &mut Budget<'_>,
    ) -> Option<Result<(), L::Failure>> {
        while let Some(order) = self.orders.as_slice().first() {
            if !budget.take() {
                return None;
            }
            let (world, takes) = match level.after(&self.who, &self.world, order) {
                Ok(after) => after,
                Err(failure) => return Some(Err(failure)),
            };
            self.cost = self.cost + takes;
            self.world.clone_from(&world);
            let Some(order) = self.orders.next() else {
                break;
            };
            self.steps.push(PlannedStep {
                time: self.cost,
                order,
                events: Vec::new(),
                world,
            });
        }
        Some(Ok(()))
    }

    fn into_lived(self: Box<Self>) -> Vec<StepIn<L>> {
        self.steps
    }
}
