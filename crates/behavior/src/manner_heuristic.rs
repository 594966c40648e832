//! An adviser that wants to go as was gone: to sneak where the demonstration sneaks.

use apprentice_experience::{Demonstration, Hint};
use apprentice_game::{Game, Ground};
use apprentice_search::{Budget, Cost, Heuristic, Promise};

use crate::TGraphHeuristic;

/// The T-Graph estimate, and a little more for whoever walks where the demonstration sneaks, or the
/// other way round. It promises nothing.
#[derive(Clone)]
pub struct MannerHeuristic<G> {
    following: TGraphHeuristic<G>,
    hint: Hint,
}

/// What going otherwise than shown counts. More than a step takes longer when it is sneaked.
const PENALTY: Cost = Cost::from_ticks(2_000_000_000);

impl<G: Ground> MannerHeuristic<G> {
    /// Imitates what is followed.
    pub fn new(following: TGraphHeuristic<G>) -> MannerHeuristic<G> {
        MannerHeuristic {
            following,
            hint: Hint::default(),
        }
    }

    /// Whether a demonstration says anything about gaits that is worth imitating.
    pub fn is_worthwhile<Q: Game>(game: &Q, demonstrations: &[Demonstration]) -> bool {
        let mut samples = demonstrations.iter().flat_map(|shown| &shown.samples);
        samples.any(|sample| !game.is_usual(&sample.stance))
    }
}

impl<Q: Game> Heuristic<Q> for MannerHeuristic<Q::Ground> {
    fn estimate(&mut self, game: &Q, state: &Q::State) -> Cost {
        let Some(training) = self.following.training() else {
            return self.following.estimate(game, state);
        };
        training.estimate_in_stance(
            game.at(state),
            game.straight(state),
            PENALTY,
            |shown| game.goes_as(state, shown),
            &mut self.hint,
        )
    }

    fn promise(&self) -> Promise {
        Promise::None
    }

    fn prepare(&mut self, game: &Q, budget: &mut Budget<'_>) -> bool {
        // It is about what was learned before.
        self.hint = Hint::default();
        self.following.prepare(game, budget)
    }
}
