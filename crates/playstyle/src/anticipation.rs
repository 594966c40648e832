//! What a player seems about to do, told from where they are going.

use crate::exactly;

/// Something the player might do next, and how far away it is.
#[derive(Clone, Debug, PartialEq)]
pub struct PotentialEvent {
    /// The event that would happen there: `sneak_past` if the player comes sneaking, `initiate_combat`
    /// if not. The game knows which.
    pub name: String,
    /// The shortest way there now, in metres.
    pub distance: f64,
    /// The same a moment ago.
    pub distance_before: f64,
}

/// How motion is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anticipation {
    /// How much going straight towards something counts.
    pub approach: f64,
    /// Beyond so many metres things count less.
    pub reach: f64,
    /// Metres that the player could have come nearer since the moment ago.
    pub stride: f64,
}

impl Default for Anticipation {
    /// A player who walks three metres a second, looked at every second.
    fn default() -> Anticipation {
        Anticipation {
            approach: 4.0,
            reach: 15.0,
            stride: 3.0,
        }
    }
}

impl Anticipation {
    /// How likely each of them is next; empty if there are none.
    pub fn probabilities(&self, events: &[PotentialEvent]) -> Vec<f64> {
        let scores: Vec<f64> = events.iter().map(|event| self.score(event)).collect();
        // Taking the highest off changes no proportion, and no power is too large then.
        let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut weights: Vec<f64> = scores
            .iter()
            .map(|score| exactly::exp(score - highest))
            .map(|weight| if weight.is_finite() { weight } else { 0.0 })
            .collect();
        let sum: f64 = weights.iter().sum();
        let count = weights.len() as f64;
        for weight in &mut weights {
            *weight = if sum > 0.0 {
                *weight / sum
            } else {
                1.0 / count
            };
        }
        weights
    }

    fn score(&self, event: &PotentialEvent) -> f64 {
        let nearer = (event.distance_before - event.distance) / self.stride;
        let nearer = if nearer.is_nan() {
            0.0
        } else {
            nearer.clamp(-1.0, 1.0)
        };
        self.approach * nearer - event.distance.max(0.0) / self.reach
    }
}
