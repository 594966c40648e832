//! What a planner found: steps, their cost, and which method led to each.

use std::fmt;

use apprentice_search::Cost;

use crate::domain::Label;

/// Steps that do what was asked, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan<T> {
    /// What is to be done, in order.
    pub steps: Vec<Step<T>>,
    /// What all steps cost.
    pub cost: Cost,
    /// Every compound task that was taken apart, in the order in which that happened. A parent
    /// stands before its children.
    pub decompositions: Vec<Decomposition<T>>,
    /// Which choice was taken at each decision, from the first to the last: enough to find the plan
    /// again without any search.
    pub choices: Vec<Taken>,
}

/// A task that is done by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<T> {
    /// The task.
    pub task: T,
    /// What it costs.
    pub cost: Cost,
    /// Where it came from.
    pub origin: Origin,
}

/// A compound task and the method that was used for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decomposition<T> {
    /// The task.
    pub task: T,
    /// The method.
    pub method: Label,
    /// Where the task came from.
    pub origin: Origin,
    /// How many steps of the plan come before it was taken apart.
    pub before: usize,
}

/// Where a task came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The decomposition it is a part of, as a place in [`Plan::decompositions`]. `None`: it was
    /// asked for.
    pub parent: Option<usize>,
    /// Which of the tasks of that network it is, from 0.
    pub position: usize,
}

/// A decision: which of the tasks that could be done was looked at, and which of its ways taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Which of the tasks that could be done then.
    pub ready: u32,
    /// Which of all choices at that point.
    pub choice: u32,
}

impl<T> Plan<T> {
    /// What is to be done, in order.
    pub fn tasks(&self) -> impl Iterator<Item = &T> {
        self.steps.iter().map(|step| &step.task)
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether nothing needs to be done.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The compound tasks and methods a step came from, the nearest first.
    ///
    /// # Panics
    ///
    /// If the plan has no such step.
    pub fn chain(&self, step: usize) -> impl Iterator<Item = &Decomposition<T>> {
        let mut at = self.steps[step].origin.parent;
        std::iter::from_fn(move || {
            let decomposition = &self.decompositions[at?];
            at = decomposition.origin.parent;
            Some(decomposition)
        })
    }
}

impl<T: fmt::Display> fmt::Display for Plan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            writeln!(f, "{:3}  {}", index + 1, step.task)?;
        }
        Ok(())
    }
}
