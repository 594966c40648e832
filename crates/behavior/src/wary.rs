//! An adviser that would rather go round enemies than fight them, and rather fight than die.

use apprentice_search::{Budget, Cost, Heuristic, Promise};
use apprentice_world::{AgentId, FULL_HEALTH, Peril, Quest, Situation};

use crate::Errands;
use crate::danger::SECONDS_FOR_HEALTH;

/// The round of errands that keeps away from enemies, and what has become of whoever goes it: health
/// that is lost, and health that those who are after it are going to cost.
///
/// So a search it leads leaves whoever was noticed alone as long as others are unnoticed, and whoever
/// is doomed until nobody else is left. It is stretched so that it begins at what the plain round
/// promises; or it would not be heard. It promises nothing itself.
#[derive(Clone)]
pub struct Wary {
    plain: Errands,
    wary: Errands,
    /// How healthy somebody is who has lost nothing.
    whole: f64,
    /// What its own seconds count.
    scale: f64,
}

/// Somebody who is going to die counts as if it lost this much: more than any fight costs.
const DOOMED: f64 = 4.0 * FULL_HEALTH;

impl Wary {
    /// The wary form of a round. It shares what `plain` gets ready, the shortest round of all.
    pub fn new(plain: Errands, round: Errands) -> Wary {
        Wary {
            plain,
            wary: round.wary(),
            whole: 0.0,
            scale: 1.0,
        }
    }

    fn unscaled<Q: Quest>(&mut self, quest: &Q, state: &Q::State) -> Cost {
        let left = self.wary.estimate(quest, state);
        if !left.is_finite() {
            return left;
        }
        let peril = quest.view(state).peril();
        let lost = (self.whole - peril.health).max(0.0);
        let seconds = (lost + self.harm(quest, state, &peril)) * SECONDS_FOR_HEALTH;
        left + Cost::from_seconds(seconds)
    }

    /// The health that those who are after somebody are going to cost.
    fn harm<Q: Quest>(&mut self, quest: &Q, state: &Q::State, peril: &Peril) -> f64 {
        if peril.harm < peril.health {
            return peril.harm;
        }
        // Whoever is there before it is dead has won.
        let left = self.plain.estimate(quest, state);
        if peril.is_deadly_within(left.as_seconds()) {
            DOOMED
        } else {
            peril.rate * left.as_seconds()
        }
    }
}

impl<Q: Quest> Heuristic<Q> for Wary {
    fn estimate(&mut self, quest: &Q, state: &Q::State) -> Cost {
        let estimate = self.unscaled(quest, state);
        if estimate.is_finite() {
            Cost::from_seconds(estimate.as_seconds() * self.scale)
        } else {
            estimate
        }
    }

    fn promise(&self) -> Promise {
        Promise::None
    }

    fn prepare(&mut self, quest: &Q, budget: &mut Budget<'_>) -> bool {
        if !self.plain.prepare(quest, budget) || !self.wary.prepare(quest, budget) {
            return false;
        }
        let start = quest.start();
        self.whole = quest.start_world().health(AgentId::NPC, quest.scenario());
        let (plain, wary) = (
            self.plain.estimate(quest, &start),
            self.unscaled(quest, &start),
        );
        let is_comparable = plain.is_finite() && wary.is_finite() && wary > plain;
        self.scale = if is_comparable {
            plain.as_seconds() / wary.as_seconds()
        } else {
            1.0
        };
        true
    }
}
