//! Plans of loaded domains in the competition's form.

use super::compile::{GOAL, NETWORK};
use super::plan_file::{self, PlanFile};
use apprentice_htn::{Domain, Label, LoadedDomain, LoadedTask, Plan};

/// Whether a task is none of the HDDL domain: [`compile`](super::compile) adds one for the goal on
/// the state, and one for a first network with variables.
///
/// ```
/// assert!(!apprentice_hddl::is_added("drive"));
/// ```
#[must_use]
pub fn is_added(name: &str) -> bool {
    name == GOAL || name == NETWORK
}

/// A plan of a loaded domain with its decomposition, in the competition's form.
#[must_use]
pub fn plan_file(domain: &LoadedDomain, plan: &Plan<LoadedTask>) -> PlanFile {
    let words = |task: &LoadedTask| {
        let mut words = domain.words(task);
        let name = if words.is_empty() {
            String::new()
        } else {
            words.remove(0)
        };
        (name, words)
    };
    let mut file = PlanFile::default();
    // For each decomposition its place in the file; none for one that HDDL does not have.
    let mut places: Vec<Option<usize>> = Vec::new();
    // Parent, position, whether a step, place in its list.
    let mut parts: Vec<(Option<usize>, usize, u64)> = Vec::new();
    for step in &plan.steps {
        let (action, arguments) = words(&step.task);
        if is_added(&action) {
            continue;
        }
        let id = file.steps.len() as u64;
        parts.push((step.origin.parent, step.origin.position, id));
        file.steps.push(plan_file::Step {
            id,
            action,
            arguments,
        });
    }
    for decomposition in &plan.decompositions {
        let (task, arguments) = words(&decomposition.task);
        if is_added(&task) {
            places.push(None);
            continue;
        }
        let id = (file.steps.len() + file.decompositions.len()) as u64;
        parts.push((
            decomposition.origin.parent,
            decomposition.origin.position,
            id,
        ));
        places.push(Some(file.decompositions.len()));
        file.decompositions.push(plan_file::Decomposition {
            id,
            task,
            arguments,
            method: match decomposition.method {
                Label::Named(name) => name.to_owned(),
                Label::Number(number) => domain.method_name(&decomposition.task, number),
            },
            subtasks: Vec::new(),
        });
    }
    parts.sort();
    for (parent, _, id) in parts {
        match parent.and_then(|parent| places[parent]) {
            Some(place) => file.decompositions[place].subtasks.push(id),
            None => file.roots.push(id),
        }
    }
    file
}
