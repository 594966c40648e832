//! Lists the steps that leave a state ahead of its expansion, a part at a time, where that takes long.

use crate::nodes::NodeId;
use crate::{Budget, Debt, Problem, Successors};

/// A listing of steps that is under way, or complete.
///
/// Whatever is to be expanded next is found out again after a pause, and is the same; so nothing but
/// this has to be kept of an expansion that has not begun.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct InParts {
    /// Whose steps: which of several searches, and its node.
    of: Option<(usize, NodeId)>,
    /// The part that comes next; none if all were listed.
    next: Option<usize>,
    debt: Debt,
}

impl InParts {
    /// Goes on listing the steps of a state, and pays for what takes longer than the unit the expansion
    /// is going to take. False: the budget is spent.
    pub(crate) fn list<P: Problem>(
        &mut self,
        problem: &P,
        of: (usize, NodeId),
        state: &P::State,
        out: &mut Successors<P::State, P::Action>,
        budget: &mut Budget<'_>,
        upkeep: &mut u64,
    ) -> bool {
        if self.of != Some(of) {
            out.clear();
            *self = InParts {
                of: Some(of),
                next: Some(0),
                debt: Debt::default(),
            };
        }
        let before = budget.overtime();
        let is_paid = loop {
            if !self.debt.pay(budget) {
                break false;
            }
            let Some(from) = self.next else {
                break true;
            };
            // Work is paid as it is done, so whoever cannot pay does not begin.
            if !budget.has_a_unit() {
                break false;
            }
            let debt = &mut self.debt;
            let mut go_on = |nanoseconds| {
                debt.add(nanoseconds);
                debt.pay(budget)
            };
            self.next = problem.successors_from(state, from, out, &mut go_on);
        };
        *upkeep += budget.overtime() - before;
        is_paid
    }

    /// Whether all steps that leave a node were listed, which are taken now.
    #[inline]
    pub(crate) fn take(&mut self, node: NodeId) -> bool {
        let is_ready = self.next.is_none() && self.of.is_some_and(|(_, of)| of == node);
        self.of = None;
        is_ready
    }

    /// Whatever was listed is of no use any more.
    pub(crate) fn forget(&mut self) {
        self.of = None;
    }
}
