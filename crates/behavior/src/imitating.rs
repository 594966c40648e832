//! An adviser that wants to go as was gone: to sneak where the demonstration sneaks.

use apprentice_experience::{Demonstration, Hint};
use apprentice_search::{Budget, Cost, Heuristic, Promise};
use apprentice_world::{Gait, Quest, StraightLine};

use crate::Following;
use crate::ground::place_of;

/// The T-Graph estimate, and a little more for whoever walks where the demonstration sneaks, or the
/// other way round. It promises nothing.
#[derive(Clone)]
pub struct Imitating {
    following: Following,
    hint: Hint,
}

/// What going otherwise than shown counts. More than a step takes longer when it is sneaked.
const PENALTY: Cost = Cost::from_ticks(2_000_000_000);

impl Imitating {
    /// Imitates what is followed.
    pub fn new(following: Following) -> Imitating {
        Imitating {
            following,
            hint: Hint::default(),
        }
    }

    /// Whether a demonstration says anything about gaits that is worth imitating.
    pub fn is_worthwhile(demonstrations: &[Demonstration]) -> bool {
        let samples = demonstrations.iter().flat_map(|shown| &shown.samples);
        let mut gaits = samples.filter_map(|sample| sample.stance.gait.as_deref());
        gaits.any(|gait| gait != Gait::Walk.name())
    }
}

impl<Q: Quest> Heuristic<Q> for Imitating {
    fn estimate(&mut self, quest: &Q, state: &Q::State) -> Cost {
        let Some(training) = self.following.training() else {
            return self.following.estimate(quest, state);
        };
        let straight = StraightLine.estimate(quest, state);
        let gait = quest.gait(state);
        let at = place_of(quest, state);
        let agrees = |shown: Option<&str>| shown.is_none_or(|shown| gait.name() == shown);
        training.estimate_in_stance(
            at,
            straight,
            PENALTY,
            |shown| agrees(shown.gait.as_deref()),
            &mut self.hint,
        )
    }

    fn promise(&self) -> Promise {
        Promise::None
    }

    fn prepare(&mut self, quest: &Q, budget: &mut Budget<'_>) -> bool {
        // It is about what was learned before.
        self.hint = Hint::default();
        self.following.prepare(quest, budget)
    }
}
