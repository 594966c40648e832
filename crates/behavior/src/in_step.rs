//! An adviser that sneaks when the one sneaks whom it accompanies.

use apprentice_game::Game;
use apprentice_search::{Budget, Cost, Heuristic, Promise};

/// Another estimate, and more for whoever goes about otherwise than the one it accompanies
/// ([`Game::is_in_step`]). It promises nothing.
///
/// It is never less than what remains as the crow flies: a character that is there before the other has
/// nothing to do but wait, and only that estimate says that the other comes nearer.
#[derive(Clone, Debug)]
pub struct InStep<H> {
    plain: H,
}

/// What being out of step counts: twenty seconds, about what it takes to sneak past a sleeping enemy, so
/// that a whole such passage in step comes before any that is not.
const OUT_OF_STEP: Cost = Cost::from_ticks(20_000_000_000);

impl<H> InStep<H> {
    /// By this estimate.
    pub fn new(plain: H) -> InStep<H> {
        InStep { plain }
    }
}

impl<Q: Game, H: Heuristic<Q>> Heuristic<Q> for InStep<H> {
    fn estimate(&mut self, game: &Q, state: &Q::State) -> Cost {
        let plain = self.plain.estimate(game, state).max(game.straight(state));
        match game.is_in_step(state) {
            Some(false) => plain + OUT_OF_STEP,
            _ => plain,
        }
    }

    fn promise(&self) -> Promise {
        Promise::None
    }

    fn prepare(&mut self, game: &Q, budget: &mut Budget<'_>) -> bool {
        self.plain.prepare(game, budget)
    }
}
