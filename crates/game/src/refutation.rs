//! Refutation: a proof that a quest has no plan, looked for a little at a time.

use apprentice_search::Budget;

/// Looks for a proof that a quest has no plan, a little at a time: mostly in an easier game, in which
/// everything can be done that can be done in this one, and which has far fewer states. Whoever gets
/// nowhere there gets nowhere here.
pub trait Refutation<Q: ?Sized>: Send + Sync {
    /// Goes on. Everything it does is paid by the budget.
    fn go_on(&mut self, quest: &Q, budget: &mut Budget<'_>) -> Refuted;

    /// How many bytes it holds, about.
    fn bytes(&self) -> u64;
}

/// What came of looking for a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refuted {
    /// Nothing yet: the budget is spent.
    NotYet,
    /// There is no plan.
    Proven,
    /// The easier game can be won, so it proves nothing.
    No,
}
