//! An adviser brought down to what the anchor promises at the start, so that it is heard.

use apprentice_game::{Game, Ground};
use apprentice_search::{Budget, Cost, Heuristic, Promise};

use crate::KeyDoorHeuristic;

/// An adviser whose estimates are scaled so that the one of the start is no more than what lower
/// bounds say of it. Advisers beyond the anchor are not heard, and those that know of enemies, or of
/// somebody who must be found and fought, may be many times beyond it.
#[derive(Clone)]
pub(crate) struct Matched<H, G> {
    adviser: H,
    /// The anchor's own round.
    plain: KeyDoorHeuristic<G>,
    scale: f64,
}

impl<H, G: Ground> Matched<H, G> {
    pub(crate) fn new(adviser: H, plain: KeyDoorHeuristic<G>) -> Matched<H, G> {
        Matched {
            adviser,
            plain,
            scale: 1.0,
        }
    }
}

impl<Q: Game, H: Heuristic<Q>> Heuristic<Q> for Matched<H, Q::Ground> {
    fn estimate(&mut self, game: &Q, state: &Q::State) -> Cost {
        let estimate = self.adviser.estimate(game, state);
        if estimate.is_finite() && self.scale < 1.0 {
            Cost::from_seconds(estimate.as_seconds() * self.scale)
        } else {
            estimate
        }
    }

    fn promise(&self) -> Promise {
        Promise::None
    }

    fn prepare(&mut self, game: &Q, budget: &mut Budget<'_>) -> bool {
        if !self.plain.prepare(game, budget) || !self.adviser.prepare(game, budget) {
            return false;
        }
        let start = game.start();
        let straight = game.straight(&start);
        let least = self.plain.estimate(game, &start).max(straight);
        let estimate = self.adviser.estimate(game, &start);
        let is_beyond = least > Cost::ZERO && least.is_finite() && estimate > least;
        self.scale = if is_beyond && estimate.is_finite() {
            least.as_seconds() / estimate.as_seconds()
        } else {
            1.0
        };
        true
    }
}
