//! Enemies, as far as plans mind them.

use apprentice_search::Cost;

/// How many seconds of detour a point of health is worth to whoever keeps away from enemies.
pub const SECONDS_FOR_HEALTH: f64 = 0.5;

/// Whether there are enemies in a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foes {
    /// None.
    None,
    /// Only such as stay where they are: whether they let one by shows at once.
    Still,
    /// Such as come along.
    Moving,
}

/// How somebody fares who goes on fighting whoever is after it: a forecast for estimates that may be
/// wrong, never a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peril {
    /// The health that is left.
    pub health: f64,
    /// What those who are after it cost until the last of them is dead; infinite if one of them
    /// never will be.
    pub harm: f64,
    /// What they cost a second as long as all of them live.
    pub rate: f64,
    /// Who they are, a bit each.
    pub hunters: u32,
}

impl Peril {
    /// Nobody is after it.
    pub const fn none(health: f64) -> Peril {
        Peril {
            health,
            harm: 0.0,
            rate: 0.0,
            hunters: 0,
        }
    }

    /// Whether it dies if it goes on for this many seconds, whether it fights or not.
    pub fn is_deadly_within(&self, seconds: f64) -> bool {
        self.harm >= self.health && self.rate * seconds >= self.health
    }
}

/// An enemy who waits, and what coming near it costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Danger {
    /// Which one, as the game numbers them.
    pub number: u32,
    /// Where it is.
    pub x: f64,
    /// Where it is.
    pub y: f64,
    /// The place it is in.
    pub place: usize,
    /// Whoever is farther away is not noticed however loud.
    pub radius: f64,
    /// What a step costs on which it notices somebody.
    pub price: Cost,
}
