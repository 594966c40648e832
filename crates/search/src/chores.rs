//! What a search does besides expanding, a little for each unit of its budget.

use crate::Budget;

/// Work besides expansions that is still allowed before the budget is asked.
///
/// Nearly all chores are small and come with an expansion, which pays for them. Where there is more to
/// do at once, such as sorting a hundred thousand open states, every four thousand cost a unit of their
/// own: so no unit takes much longer than another, and a search can be stopped in the middle of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chores {
    left: usize,
}

/// Why something was not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfinished {
    /// There is more to do. Whoever asked pays for it, and asks again.
    More,
    /// The budget is spent, on something that was paid as it went.
    Spent,
}

/// How many entries of an open list a unit pays for: moving one takes some nanoseconds.
pub(crate) const A_UNIT: usize = 4_096;
/// Looking up the state of an entry takes as long as moving so many, because it is far away.
pub(crate) const A_LOOK: usize = 4;
/// And so does an estimate.
pub(crate) const AN_ESTIMATE: usize = 16;

impl Chores {
    pub(crate) const fn new() -> Self {
        Chores { left: A_UNIT }
    }

    /// A unit was paid.
    #[inline]
    pub(crate) fn renew(&mut self) {
        self.left = A_UNIT;
    }

    /// That many entries are handled now.
    #[inline]
    pub(crate) fn note(&mut self, entries: usize) {
        self.left = self.left.saturating_sub(entries);
    }

    /// Whether there may be more.
    #[inline]
    pub(crate) fn go_on(&self) -> Result<(), Unfinished> {
        if self.left > 0 {
            Ok(())
        } else {
            Err(Unfinished::More)
        }
    }

    /// Pays for what is unfinished: a unit, which is counted, unless it was only the time that was
    /// asked for. False: the budget is spent.
    pub(crate) fn pay(&mut self, budget: &mut Budget<'_>, upkeep: &mut u64) -> bool {
        if !budget.has_time() {
            return false;
        }
        if self.left == 0 {
            if !budget.take() {
                return false;
            }
            *upkeep += 1;
            self.renew();
        }
        true
    }
}
