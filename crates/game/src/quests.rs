//! Quests of one kind or of several.

use crate::Game;

/// A quest in the representation that serves it best. A game with one kind of quests has nothing to do
/// here: every [`Game`] is one. A game with several makes them an enum, and shows each variant to
/// whoever asks.
///
/// ```
/// use apprentice_game::{Game, Quests, Visit};
///
/// enum Either<A, B> { One(A), Other(B) }
///
/// impl<A, B> Quests for Either<A, B>
/// where
///     A: Game + 'static,
///     B: Game<Action = A::Action> + 'static,
/// {
///     type Order = A::Action;
///
///     fn visit<V: Visit<A::Action>>(&self, visit: V) -> V::Answer {
///         match self {
///             Either::One(quest) => visit.visit(quest),
///             Either::Other(quest) => visit.visit(quest),
///         }
///     }
/// }
/// ```
pub trait Quests {
    /// What plans consist of.
    type Order;

    /// Shows the quest to somebody.
    fn visit<V: Visit<Self::Order>>(&self, visit: V) -> V::Answer;
}

/// Somebody who wants to see a quest, of whatever kind it is.
pub trait Visit<O> {
    /// What comes of it.
    type Answer;

    /// Looks at it.
    fn visit<G: Game<Action = O> + 'static>(self, game: &G) -> Self::Answer;
}

impl<G: Game + 'static> Quests for G {
    type Order = G::Action;

    fn visit<V: Visit<G::Action>>(&self, visit: V) -> V::Answer {
        visit.visit(self)
    }
}
