//! The steps that were listed, and what is known of the states they connect.

use std::ops::Index;

use crate::Cost;
use crate::nodes::NodeId;
use crate::shelves::Shelves;

pub(super) type StepId = u32;
pub(super) const NO_STEP: StepId = StepId::MAX;

/// How long a way is: its cost, then its number of steps. The steps see to it that no circle of
/// steps that cost nothing can hold itself up when the way to it is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Length(u128);

impl Length {
    pub(super) const ZERO: Length = Length(0);
    pub(super) const INFINITE: Length = Length(u128::MAX);
    const STEP_BITS: u32 = 32;

    #[inline]
    pub(super) fn plus(self, cost: Cost) -> Length {
        if self == Length::INFINITE || !cost.is_finite() {
            return Length::INFINITE;
        }
        let step = (u128::from(cost.ticks()) << Length::STEP_BITS) | 1;
        let sum = Length(self.0.saturating_add(step));
        if sum.cost().is_finite() {
            sum
        } else {
            Length::INFINITE
        }
    }

    /// The rest of a way, when its beginning is left out.
    pub(super) fn less(self, beginning: Length) -> Length {
        Length(self.0 - beginning.0)
    }

    #[inline]
    pub(super) fn cost(self) -> Cost {
        Cost::from_ticks(u64::try_from(self.0 >> Length::STEP_BITS).unwrap_or(u64::MAX))
    }
}

/// What is known of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// What its neighbours have been told it costs to get here.
    pub(super) told: Length,
    /// What it does cost, by what its neighbours have told.
    pub(super) real: Length,
    /// The step that `real` comes by.
    pub(super) by: StepId,
    /// The first step that leaves, and the first that arrives.
    pub(super) leaving: StepId,
    pub(super) arriving: StepId,
    pub(super) version: u32,
    /// Its steps are among those that are kept.
    pub(super) listed: bool,
    /// Its steps have changed, and that has not been worked in.
    pub(super) is_changed: bool,
}

impl Place {
    pub(super) const UNREACHED: Place = Place {
        told: Length::INFINITE,
        real: Length::INFINITE,
        by: NO_STEP,
        leaving: NO_STEP,
        arriving: NO_STEP,
        version: 0,
        listed: false,
        is_changed: false,
    };

    /// What it costs is known, and its neighbours have been told.
    #[inline]
    pub(super) fn is_settled(&self) -> bool {
        self.told == self.real && self.told != Length::INFINITE
    }
}

/// A step that was listed: a link in two chains, of those that leave `from` and those that arrive at
/// `to`.
#[derive(Clone, Debug)]
pub(super) struct Step<A> {
    pub(super) from: NodeId,
    pub(super) to: NodeId,
    pub(super) cost: Cost,
    pub(super) next_leaving: StepId,
    pub(super) next_arriving: StepId,
    pub(super) action: A,
}

/// The steps that were listed.
#[derive(Debug)]
pub(super) struct Steps<A> {
    steps: Shelves<Step<A>>,
    /// The first step that is no longer used.
    free: StepId,
}

impl<A> Index<StepId> for Steps<A> {
    type Output = Step<A>;

    #[inline]
    fn index(&self, number: StepId) -> &Step<A> {
        &self.steps[number as usize]
    }
}

impl<A> Steps<A> {
    pub(super) const fn new() -> Self {
        Steps {
            steps: Shelves::new(),
            free: NO_STEP,
        }
    }

    pub(super) fn get(&self, number: StepId) -> Option<&Step<A>> {
        self.steps.get(number as usize)
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.steps.len() * size_of::<Step<A>>()) as u64
    }

    pub(super) fn clear(&mut self) {
        self.steps.clear_into_one();
        self.free = NO_STEP;
    }

    /// Adds a step to the chains of the states it connects.
    pub(super) fn link(
        &mut self,
        places: &mut Shelves<Place>,
        from: NodeId,
        to: NodeId,
        cost: Cost,
        action: A,
    ) {
        let step = Step {
            from,
            to,
            cost,
            next_leaving: places[from.index()].leaving,
            next_arriving: places[to.index()].arriving,
            action,
        };
        let number = match self.free {
            NO_STEP => {
                self.steps.push(step);
                (self.steps.len() - 1) as StepId
            }
            free => {
                self.free = self[free].next_leaving;
                self.steps[free as usize] = step;
                free
            }
        };
        places[from.index()].leaving = number;
        places[to.index()].arriving = number;
    }

    /// Takes a step out of the chain of those that arrive, and marks it free.
    pub(super) fn unlink(&mut self, places: &mut Shelves<Place>, number: StepId) {
        let Step {
            to, next_arriving, ..
        } = self[number];
        let first = &mut places[to.index()].arriving;
        if *first == number {
            *first = next_arriving;
        } else {
            let mut at = *first;
            while self[at].next_arriving != number {
                at = self[at].next_arriving;
            }
            self.steps[at as usize].next_arriving = next_arriving;
        }
        self.steps[number as usize].next_leaving = self.free;
        self.free = number;
    }

    /// The cheapest way to a state by what its neighbours have told, and its last step.
    pub(super) fn cheapest_way(&self, places: &Shelves<Place>, node: NodeId) -> (Length, StepId) {
        let mut best = (Length::INFINITE, NO_STEP);
        let mut at = places[node.index()].arriving;
        while at != NO_STEP {
            let step = &self[at];
            let length = places[step.from.index()].told.plus(step.cost);
            if length < best.0 {
                best = (length, at);
            }
            at = step.next_arriving;
        }
        best
    }
}
