//! How a search stands when it hands control back.

/// What a search, or a planner, has to say when it hands control back.
///
/// ```
/// use apprentice_search::Status;
///
/// assert!(Status::Paused.is_unfinished());
/// assert!(!Status::Finished.is_unfinished());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The budget is spent. Run again to continue; unless it was the memory that was spent
    /// ([`Budget::spent_by`](crate::Budget::spent_by)): more of the same brings nothing more.
    Paused,
    /// There is a solution, or a better one than before. Run again to look for a better one yet.
    Improved,
    /// There is a solution, and this search will not find a better one.
    Finished,
    /// There is no solution, and that is proven.
    Unsolvable,
    /// The problem's [`revision`](crate::Problem::revision) is not the one this search began with, so
    /// nothing was done. Restart, or tell a replanning search what changed.
    ProblemChanged,
    /// A limit the search was given, or a mistake in the problem, ended it before anything was
    /// proven. Running again brings nothing more; the search says what it was. A search for a path
    /// gives up where ways became too dear to be counted (584 years) and a cheaper one might do.
    GaveUp,
}

impl Status {
    /// Whether running again can bring more.
    ///
    /// ```
    /// # use apprentice_search::Status;
    /// assert!(Status::Improved.is_unfinished());
    /// assert!(!Status::Unsolvable.is_unfinished());
    /// ```
    pub const fn is_unfinished(self) -> bool {
        matches!(self, Status::Paused | Status::Improved)
    }
}
