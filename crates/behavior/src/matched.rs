//! An adviser brought down to what the anchor promises at the start, so that it is heard.

use apprentice_search::{Budget, Cost, Heuristic, Promise};
use apprentice_world::{Quest, StraightLine};

use crate::Errands;

/// An adviser whose estimates are scaled so that the one of the start is no more than what lower
/// bounds say of it. Advisers beyond the anchor are not heard, and those that know of enemies, or of
/// somebody who must be found and fought, may be many times beyond it.
#[derive(Clone)]
pub(crate) struct Matched<H> {
    adviser: H,
    /// The anchor's own round.
    plain: Errands,
    scale: f64,
}

impl<H> Matched<H> {
    pub(crate) fn new(adviser: H, plain: Errands) -> Matched<H> {
        Matched {
            adviser,
            plain,
            scale: 1.0,
        }
    }
}

impl<Q: Quest, H: Heuristic<Q>> Heuristic<Q> for Matched<H> {
    fn estimate(&mut self, quest: &Q, state: &Q::State) -> Cost {
        let estimate = self.adviser.estimate(quest, state);
        if estimate.is_finite() && self.scale < 1.0 {
            Cost::from_seconds(estimate.as_seconds() * self.scale)
        } else {
            estimate
        }
    }

    fn promise(&self) -> Promise {
        Promise::None
    }

    fn prepare(&mut self, quest: &Q, budget: &mut Budget<'_>) -> bool {
        if !self.plain.prepare(quest, budget) || !self.adviser.prepare(quest, budget) {
            return false;
        }
        let start = quest.start();
        let straight = StraightLine.estimate(quest, &start);
        let least = self.plain.estimate(quest, &start).max(straight);
        let estimate = self.adviser.estimate(quest, &start);
        let is_beyond = least > Cost::ZERO && least.is_finite() && estimate > least;
        self.scale = if is_beyond && estimate.is_finite() {
            least.as_seconds() / estimate.as_seconds()
        } else {
            1.0
        };
        true
    }
}
