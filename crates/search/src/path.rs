//! What a search found.

use std::fmt;

use crate::Cost;

/// The way from the start to a goal: every step with the state it leads to.
///
/// ```
/// use apprentice_search::{Cost, Path};
///
/// let path = Path { start: 0, steps: vec![("east", 1), ("east", 2)], cost: Cost::from_seconds(2.0) };
/// assert_eq!(path.states().copied().collect::<Vec<_>>(), [0, 1, 2]);
/// assert_eq!(path.end(), &2);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Path<S, A> {
    /// Where it starts.
    pub start: S,
    /// What is done, and where that leads.
    pub steps: Vec<(A, S)>,
    /// What all steps cost together.
    pub cost: Cost,
}

impl<S, A> Path<S, A> {
    /// Every state along the way, the start first.
    ///
    /// ```
    /// # use apprentice_search::{Cost, Path};
    /// let stay = Path { start: 'x', steps: Vec::<((), char)>::new(), cost: Cost::ZERO };
    /// assert_eq!(stay.states().count(), 1);
    /// ```
    pub fn states(&self) -> impl Iterator<Item = &S> {
        std::iter::once(&self.start).chain(self.steps.iter().map(|(_, state)| state))
    }

    /// Every action, in order.
    ///
    /// ```
    /// # use apprentice_search::{Cost, Path};
    /// let path = Path { start: 0, steps: vec![("east", 1)], cost: Cost::ZERO };
    /// assert_eq!(path.actions().copied().collect::<Vec<_>>(), ["east"]);
    /// ```
    pub fn actions(&self) -> impl Iterator<Item = &A> {
        self.steps.iter().map(|(action, _)| action)
    }

    /// Where it ends; the start if there is nothing to do.
    ///
    /// ```
    /// # use apprentice_search::{Cost, Path};
    /// let path = Path { start: 0, steps: vec![("east", 1)], cost: Cost::ZERO };
    /// assert_eq!(path.end(), &1);
    /// ```
    pub fn end(&self) -> &S {
        self.steps.last().map_or(&self.start, |(_, state)| state)
    }
}

impl<S: fmt::Display, A: fmt::Display> fmt::Display for Path<S, A> {
    /// One line a step, numbered.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (action, state)) in (1..).zip(&self.steps) {
            writeln!(f, "{number:>4}  {action}  {state}")?;
        }
        write!(f, "      {:.3} altogether", self.cost)
    }
}
