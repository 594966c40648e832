//! The choices that make a plan, and the plan with its decomposition made of them.

use super::super::model::Domain;
use super::super::plan_file::{Decomposition, PlanFile, Step};
use super::instances::{Instance, Instances};
use super::lifted::Lifted;

/// What was done with the first of the tasks still to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) instance: Instance,
    /// A method, or one of the numbers below.
    pub(crate) method: u32,
}

const ACTION: u32 = u32::MAX;
const FIRST: u32 = u32::MAX - 1;
const NOTHING: u32 = u32::MAX - 2;

impl Choice {
    /// Nothing was chosen yet.
    pub(crate) const START: Self = Self {
        instance: Instance::MAX,
        method: NOTHING,
    };
    /// The first task network was given values.
    pub(crate) const FIRST_NETWORK: Self = Self {
        instance: Instance::MAX,
        method: FIRST,
    };

    pub(crate) fn action(instance: Instance) -> Self {
        Self {
            instance,
            method: ACTION,
        }
    }

    pub(crate) fn method(instance: Instance, method: usize) -> Self {
        Self {
            instance,
            method: method as u32,
        }
    }

    pub(crate) fn is_action(self) -> bool {
        self.method == ACTION
    }

    pub(crate) fn is_method(self) -> bool {
        self.method < NOTHING
    }
}

/// The tasks a plan did, in the order they were begun, each with its method if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outline(pub(crate) Vec<(usize, Vec<u32>, Option<usize>)>);

impl Outline {
    pub(crate) fn new(instances: &Instances, choices: impl Iterator<Item = Choice>) -> Self {
        Self(
            choices
                .filter(|choice| choice.is_action() || choice.is_method())
                .map(|choice| {
                    (
                        instances.task(choice.instance),
                        instances.arguments(choice.instance).to_vec(),
                        choice.is_method().then_some(choice.method as usize),
                    )
                })
                .collect(),
        )
    }

    /// How many tasks there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Numbers the tasks and says which is part of which.
    pub(crate) fn plan(&self, lifted: &Lifted) -> PlanFile {
        let domain = &lifted.problem.domain;
        let mut plan = PlanFile::default();
        let steps = self
            .0
            .iter()
            .filter(|(_, _, method)| method.is_none())
            .count();
        let (mut next_step, mut next_task) = (0, steps as u64);
        // Where the ids of tasks still to come belong: a decomposition, or the first network.
        let mut awaited: Vec<Option<usize>> = vec![None; lifted.first.subtasks.len()];
        for (task, arguments, method) in &self.0 {
            let Some(parent) = awaited.pop() else { break };
            if *task >= domain.tasks.len() {
                // A task for late values, which the domain does not have: its subtask stands for it.
                awaited.push(parent);
                continue;
            }
            let id = if method.is_some() {
                next_task += 1;
                next_task - 1
            } else {
                next_step += 1;
                next_step - 1
            };
            match parent {
                None => plan.roots.push(id),
                Some(parent) => plan.decompositions[parent].subtasks.push(id),
            }
            let name = domain.tasks[*task].name.clone();
            let arguments = names(domain, arguments);
            let Some(method) = method else {
                plan.steps.push(Step {
                    id,
                    action: name,
                    arguments,
                });
                continue;
            };
            let this = plan.decompositions.len();
            plan.decompositions.push(Decomposition {
                id,
                task: name,
                arguments,
                method: domain.methods[*method].name.clone(),
                subtasks: Vec::new(),
            });
            awaited.extend(lifted.methods[*method].subtasks.iter().map(|_| Some(this)));
        }
        plan
    }
}

fn names(domain: &Domain, arguments: &[u32]) -> Vec<String> {
    arguments
        .iter()
        .map(|object| domain.objects[*object as usize].name.clone())
        .collect()
}
