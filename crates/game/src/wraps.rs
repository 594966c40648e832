//! A game around another.

use apprentice_search::{Path, Problem};

use crate::Game;

/// A game around another that tells its states apart more finely, or makes several steps at once: the
/// same costs, and a state of the other inside each of its own.
///
/// Whoever knows more about the game inside, such as how to show its states, knows it about this one.
pub trait Wraps: Game {
    /// The game inside.
    type Inside: Game;

    /// The game inside.
    fn inside(&self) -> &Self::Inside;

    /// The state of the game inside.
    fn state_inside<'a>(&self, state: &'a Self::State) -> &'a <Self::Inside as Problem>::State;

    /// What a path here does in the game inside, action by action.
    fn actions(&self, path: &Path<Self::State, Self::Action>) -> Vec<Self::Action> {
        path.actions().cloned().collect()
    }
}
