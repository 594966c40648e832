//! Which methods the best plan took, and with what: to be preferred. Most of a good plan is good:
//! whoever looks for a better one takes the same ways first, also where other decisions before have
//! changed everything around them.

use std::collections::HashSet;

use rustc_hash::FxBuildHasher;

use crate::agenda::mix;
use crate::domain::{Choice, ChoiceKind, Domain};
use crate::network::Piece;
use crate::plan::Plan;

/// Ways: a task and the tasks it was done by, as one number.
#[derive(Clone, Debug, Default)]
pub(crate) struct PreferredMethods {
    ways: HashSet<u64, FxBuildHasher>,
}

impl PreferredMethods {
    pub(crate) fn clear(&mut self) {
        self.ways.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ways.is_empty()
    }

    /// Takes the ways of a plan, instead of those it knew.
    pub(crate) fn learn<D: Domain>(&mut self, domain: &D, plan: &Plan<D::Task>) {
        let steps = plan.steps.iter().map(|step| (step.origin, &step.task));
        let parts = plan.decompositions.iter();
        let mut tasks: Vec<_> = steps
            .chain(parts.map(|part| (part.origin, &part.task)))
            .filter_map(|(origin, task)| Some((origin.parent?, origin.position, task)))
            .collect();
        tasks.sort_by_key(|(parent, position, _)| (*parent, *position));
        let mut ways: Vec<Option<u64>> = plan
            .decompositions
            .iter()
            .map(|part| domain.task_digest(&part.task))
            .collect();
        for (parent, _, task) in tasks {
            ways[parent] = ways[parent].and_then(|way| extended(domain, way, task));
        }
        self.ways.clear();
        self.ways.extend(ways.into_iter().flatten());
    }

    /// Puts those first of the choices for a task that are known; otherwise their order stays.
    pub(crate) fn put_first<D: Domain>(
        &self,
        domain: &D,
        task: u64,
        choices: &mut [Choice<D::State>],
        pieces: &[Piece<D::Task>],
    ) {
        let mut place = 0;
        for at in 0..choices.len() {
            let ChoiceKind::Replace { start, end, .. } = choices[at].kind else {
                continue;
            };
            let way = pieces[start..end]
                .iter()
                .try_fold(task, |way, piece| match piece {
                    Piece::Task(task) => extended(domain, way, task),
                    Piece::Open(_) | Piece::Close(_) => Some(way),
                });
            if way.is_some_and(|way| self.ways.contains(&way)) {
                choices[place..=at].rotate_right(1);
                place += 1;
            }
        }
    }
}

/// A way with one task more. `None`: the task cannot be told from others.
fn extended<D: Domain>(domain: &D, way: u64, task: &D::Task) -> Option<u64> {
    Some(mix(way, domain.task_digest(task)?))
}
