//! How much there is to look at in conditions and effects that speak of all objects: what nobody
//! could ever look through is refused when a problem is read, not begun and never ended.

use super::FxHashMap;
use super::model::{Body, Domain, Formula, Id, Problem};

/// Facts that a condition may ask about, or an action change. A hundred times what is in use, and
/// looked through in about a tenth of a second.
const MOST_FACTS: u64 = 1_000_000;

/// Conditions and effects that speak of too many facts, and of how many.
pub(crate) fn too_much(problem: &Problem) -> Vec<(String, u64)> {
    let domain = &problem.domain;
    let mut extent = Extent {
        domain,
        counts: FxHashMap::default(),
    };
    let mut all: Vec<(String, u64)> = Vec::new();
    for task in &domain.tasks {
        if let Body::Action {
            precondition,
            effects,
        } = &task.body
        {
            let asked = extent.of(precondition);
            all.push((format!("the precondition of {}", task.name), asked));
            let changed = effects.iter().fold(0_u64, |sum, effect| {
                let each = extent.of(&effect.condition).max(1);
                let types = effect.variables.iter().map(|(_, types)| types);
                let facts = types.fold(each, |facts, types| {
                    facts.saturating_mul(extent.count(types))
                });
                sum.saturating_add(facts)
            });
            all.push((format!("the effect of {}", task.name), changed));
        }
    }
    for method in &domain.methods {
        let asked = extent.of(&method.precondition);
        all.push((format!("the precondition of {}", method.name), asked));
    }
    all.push(("the goal".to_owned(), extent.of(&problem.goal)));
    let constraints = extent.of(&problem.constraints);
    all.push(("the first network".to_owned(), constraints));
    all.retain(|(_, facts)| *facts > MOST_FACTS);
    all
}

struct Extent<'d> {
    domain: &'d Domain,
    /// How many objects there are of some types.
    counts: FxHashMap<Vec<Id>, u64>,
}

impl Extent<'_> {
    fn count(&mut self, types: &[Id]) -> u64 {
        if let Some(count) = self.counts.get(types) {
            return *count;
        }
        let count = self.domain.objects_of(types).len() as u64;
        self.counts.insert(types.to_vec(), count);
        count
    }

    /// How many facts a condition asks about at most.
    fn of(&mut self, formula: &Formula) -> u64 {
        match formula {
            Formula::And(parts) | Formula::Or(parts) => parts
                .iter()
                .fold(0, |sum, part| self.of(part).saturating_add(sum)),
            Formula::Not(inner) => self.of(inner),
            Formula::Forall(_, types, inner) | Formula::Exists(_, types, inner) => {
                self.of(inner).max(1).saturating_mul(self.count(types))
            }
            Formula::Fact(..) | Formula::Same(..) => 1,
        }
    }
}
