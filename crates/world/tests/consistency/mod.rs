//! Whether an estimate is what it swears to be.

use std::collections::HashSet;

use apprentice_search::{Cost, Heuristic, Successors};
use apprentice_world::Quest;

/// States looked at in each quest.
pub(crate) const MOST_STATES: usize = 600;

/// Checks that an estimate is zero at goals and never drops by more than a step costs.
pub(crate) fn check_consistency<Q: Quest>(quest: &Q, estimate: &mut impl Heuristic<Q>, text: &str) {
    let mut met = HashSet::from([quest.key(&quest.start())]);
    let mut open = vec![quest.start()];
    let mut next = 0;
    let mut steps = Successors::new();
    while let Some(state) = open.get(next).cloned() {
        next += 1;
        let here = estimate.estimate(quest, &state);
        if quest.is_goal(&state) {
            assert_eq!(here, Cost::ZERO, "at a goal\n{text}");
        }
        steps.clear();
        quest.successors(&state, &mut steps);
        for step in &steps {
            let there = estimate.estimate(quest, &step.state);
            assert!(
                here <= step.cost + there,
                "{here} before {:?} of {}, {there} after it at {}\n{text}",
                step.action,
                step.cost,
                quest.place(&step.state),
            );
            if open.len() < MOST_STATES && met.insert(quest.key(&step.state)) {
                open.push(step.state.clone());
            }
        }
    }
}
