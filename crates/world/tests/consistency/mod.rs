//! Whether an estimate is what it swears to be.

use apprentice_search::{Budget, Heuristic};
use apprentice_world::Quest;

/// States looked at in each quest.
pub(crate) const MOST_STATES: u64 = 600;

/// Checks that an estimate is zero at goals and never drops by more than a step costs.
pub(crate) fn check_consistency<Q: Quest>(quest: &Q, estimate: &mut impl Heuristic<Q>, text: &str) {
    let mut budget = Budget::unlimited();
    assert!(estimate.prepare(quest, &mut budget), "it gets ready");
    let mut budget = Budget::units(MOST_STATES);
    if let Err(broken) = apprentice_search::check_consistency(quest, estimate, &mut budget) {
        panic!("{broken}\n{text}");
    }
}
