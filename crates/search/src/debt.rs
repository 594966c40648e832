//! Work that takes longer than a unit of budget pays for, and how it is paid.

use crate::Budget;

/// Work that is paid by how long it takes, about and by count, never by the clock: so the same budget
/// in units allows the same on every machine.
///
/// Nearly everything that takes a unit of budget takes about as long as it should. Where something may
/// take a hundred times as long, such as what a pack of wolves does while somebody makes a step, it is
/// noted here and paid before the next piece of work begins.
///
/// ```
/// use apprentice_search::{Budget, Debt};
///
/// let mut debt = Debt::default();
/// debt.add(Debt::A_UNIT - 1); // still within the unit it belongs to
/// assert!(debt.pay(&mut Budget::units(0)));
///
/// debt.add(2 * Debt::A_UNIT);
/// assert!(!debt.pay(&mut Budget::units(1)));
/// assert!(debt.pay(&mut Budget::units(1))); // and one more in the next frame
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Debt {
    nanoseconds: u64,
}

impl Debt {
    /// So many nanoseconds of work a unit pays for: about as long as an expansion takes where nobody
    /// else moves, with all its estimates. So a budget of 200 units is about a millisecond, whatever is
    /// done with it.
    ///
    /// ```
    /// # use apprentice_search::Debt;
    /// assert_eq!(200 * Debt::A_UNIT, 1_000_000);
    /// ```
    pub const A_UNIT: u64 = 5_000;

    /// Notes work that takes so many nanoseconds, about.
    ///
    /// ```
    /// # use apprentice_search::Debt;
    /// let mut debt = Debt::default();
    /// debt.add(300);
    /// assert_ne!(debt, Debt::default());
    /// ```
    #[inline]
    pub fn add(&mut self, nanoseconds: u64) {
        self.nanoseconds = self.nanoseconds.saturating_add(nanoseconds);
    }

    /// Pays all that is a whole unit or more; what is less is left until there is more. False: the
    /// budget is spent, and the rest is still owed.
    ///
    /// ```
    /// # use apprentice_search::{Budget, Debt};
    /// let (mut debt, mut budget) = (Debt::default(), Budget::units(9));
    /// debt.add(3 * Debt::A_UNIT + 1);
    /// assert!(debt.pay(&mut budget));
    /// assert_eq!(budget.taken(), 3);
    /// ```
    pub fn pay(&mut self, budget: &mut Budget<'_>) -> bool {
        while self.nanoseconds >= Debt::A_UNIT {
            if !budget.take_overtime() {
                return false;
            }
            self.nanoseconds -= Debt::A_UNIT;
        }
        true
    }
}
