//! A rehearsal that is under way, and how far it has come.

use apprentice_game::{Live, Rehearsing, StepIn};
use apprentice_search::Budget;
#[cfg(feature = "serde")]
use apprentice_search::saved::LoadError;

/// A rehearsal that is under way. How far it has come is a number of units: whoever begins with the same
/// and spends as many is as far.
pub(crate) struct Tried<L: Live> {
    rehearsing: Box<dyn Rehearsing<L>>,
    pub(crate) units: u64,
}

impl<L: Live> Tried<L> {
    /// One that has not begun.
    pub(crate) fn new(rehearsing: Box<dyn Rehearsing<L>>) -> Tried<L> {
        Tried {
            rehearsing,
            units: 0,
        }
    }

    /// Goes on. `None`: the budget is spent, call again.
    pub(crate) fn go_on(
        &mut self,
        level: &L,
        goal: &L::Goal,
        budget: &mut Budget<'_>,
    ) -> Option<Result<(), L::Failure>> {
        let before = budget.taken();
        let outcome = self.rehearsing.go_on(level, goal, budget);
        self.units += budget.taken() - before;
        outcome
    }

    /// The steps that were lived through.
    pub(crate) fn into_lived(self) -> Vec<StepIn<L>> {
        self.rehearsing.into_lived()
    }

    /// Gets as far as one that was saved.
    #[cfg(feature = "serde")]
    pub(crate) fn repeat(
        &mut self,
        level: &L,
        goal: &L::Goal,
        units: u64,
        budget: &mut Budget<'_>,
    ) -> Result<(), LoadError> {
        if units == 0 {
            return Ok(());
        }
        let outcome = budget.at_most(units, |budget| self.go_on(level, goal, budget));
        if outcome.is_none() && self.units == units {
            return Ok(());
        }
        Err(match budget.spent_by() {
            Some(_) => LoadError::Spent { units },
            None => LoadError::Otherwise {
                what: "a rehearsal",
            },
        })
    }
}
