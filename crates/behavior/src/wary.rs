//! An adviser that would rather go round enemies than fight them, and rather fight than die.

use apprentice_search::{Budget, Cost, Heuristic, Promise};
use apprentice_world::{AgentId, FULL_HEALTH, Peril, Quest, Situation};

use crate::Errands;
use crate::danger::SECONDS_FOR_HEALTH;

/// A round of errands that keeps away from enemies, and what has become of whoever goes it: health
/// that is lost, and health that those who are after it are going to cost.
///
/// So a search it leads leaves whoever was noticed alone as long as others are unnoticed, and whoever
/// is doomed until nobody else is left. It promises nothing.
#[derive(Clone)]
pub struct Wary {
    round: Errands,
    /// How healthy somebody is who has lost nothing.
    whole: f64,
}

/// Somebody who is going to die counts as if it lost this much: more than any fight costs.
const DOOMED: f64 = 4.0 * FULL_HEALTH;

impl Wary {
    /// The wary form of a round.
    pub fn new(round: Errands) -> Wary {
        Wary {
            round: round.wary(),
            whole: 0.0,
        }
    }
}

/// The health that those who are after somebody are going to cost, who has so much left to do.
fn harm(peril: &Peril, left: Cost) -> f64 {
    if peril.harm < peril.health {
        peril.harm
    } else if peril.is_deadly_within(left.as_seconds()) {
        DOOMED
    } else {
        // Whoever is there before it is dead has won.
        peril.rate * left.as_seconds()
    }
}

impl<Q: Quest> Heuristic<Q> for Wary {
    fn estimate(&mut self, quest: &Q, state: &Q::State) -> Cost {
        let left = self.round.estimate(quest, state);
        if !left.is_finite() {
            return left;
        }
        let peril = quest.view(state).peril();
        let lost = (self.whole - peril.health).max(0.0);
        left + Cost::from_seconds((lost + harm(&peril, left)) * SECONDS_FOR_HEALTH)
    }

    fn promise(&self) -> Promise {
        Promise::None
    }

    fn prepare(&mut self, quest: &Q, budget: &mut Budget<'_>) -> bool {
        self.whole = quest.start_world().health(AgentId::NPC, quest.scenario());
        self.round.prepare(quest, budget)
    }
}
