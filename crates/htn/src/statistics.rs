//! What a planner did, and what came of it.

use apprentice_search::Cost;

/// What a planner did. There is no clock in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Decisions looked at; where very many values of variables were tried, or very many tasks can be
    /// done next, one counts as several.
    pub iterations: u64,
    /// Those of them that could not become better than the best plan.
    pub pruned: u64,
    /// Those of them that were known to lead nowhere.
    pub dead_ends: u64,
    /// Those of them that a limit cut off.
    pub limited: u64,
    /// Plans found.
    pub plans: u64,
}

/// A plan that was better than all before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Improvement {
    /// Its cost.
    pub cost: Cost,
    /// How many iterations it took.
    pub iterations: u64,
    /// How many steps it has.
    pub steps: usize,
}
