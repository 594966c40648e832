//! What solutions have taught about the cost that remains.

use crate::Cost;
use crate::nodes::NodeId;

/// What solutions have taught about the cost that remains.
#[derive(Clone, Debug, Default)]
pub(super) struct LearnedH {
    /// A lower bound for each state.
    pub(super) remains: Vec<Cost>,
    /// The revision of the heuristic it rests on.
    pub(super) revision: u64,
}

impl LearnedH {
    pub(super) fn remains(&self, node: NodeId) -> Cost {
        self.remains
            .get(node.index())
            .copied()
            .unwrap_or(Cost::ZERO)
    }

    /// Lowers what was learned so far that it holds although there are ways now by some states from
    /// which `estimates` is all that is known; paired with what was learned of these states.
    ///
    /// From a state that was thought to be `l` away to one that was thought to be `k` away it is at
    /// least `l - k`, and at least nothing.
    pub(super) fn discount(&mut self, mut estimates: Vec<(Cost, Cost)>) {
        estimates.sort_unstable();
        // By what was learned: how much too high it is, at most, up to here; and the lowest estimate
        // from here on.
        let mut too_high = Cost::ZERO;
        let too_high: Vec<Cost> = estimates
            .iter()
            .map(|(learned, estimate)| {
                too_high = too_high.max(learned.less(*estimate));
                too_high
            })
            .collect();
        let mut lowest: Vec<Cost> = estimates.iter().map(|(_, estimate)| *estimate).collect();
        for at in (1..lowest.len()).rev() {
            lowest[at - 1] = lowest[at - 1].min(lowest[at]);
        }
        for remains in &mut self.remains {
            let nearer = estimates.partition_point(|(learned, _)| learned < remains);
            let by_nearer = nearer
                .checked_sub(1)
                .map_or(*remains, |at| remains.less(too_high[at]));
            let by_farther = lowest.get(nearer).copied().unwrap_or(Cost::INFINITE);
            *remains = (*remains).min(by_nearer).min(by_farther);
        }
    }
}
