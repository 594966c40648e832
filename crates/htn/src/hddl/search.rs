//! Finds plans for HDDL problems.

mod binding;
mod conditions;
mod depth_first;
mod facts;
mod instances;
mod lifted;
mod outline;

use super::model::Problem;
use super::plan_file::PlanFile;
use binding::{View, evaluate};
use depth_first::DepthFirst;
use facts::{Facts, State};
use instances::{Instances, List, Lists};
use lifted::{Lifted, LiftedMethod};

/// What one search says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Found,
    Impossible,
    /// It has nothing left to try, but has not tried everything.
    GaveUp,
    NotYet,
}

/// What a planner says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A plan was found.
    Found,
    /// It is proven that there is none.
    Impossible,
    /// The budget ran out; run again to go on.
    Interrupted,
    /// Every search it has gave up. There may be a plan.
    GaveUp,
}

/// Plans for an HDDL problem; can be paused and continued.
pub struct Planner {
    lifted: Lifted,
    depth_first: DepthFirst,
    plan: Option<PlanFile>,
}

impl Planner {
    /// Prepares to plan.
    #[must_use]
    pub fn new(problem: &Problem) -> Self {
        let lifted = Lifted::new(problem);
        Self {
            depth_first: DepthFirst::new(&lifted),
            lifted,
            plan: None,
        }
    }

    /// Looks at most at so many nodes: states with tasks still to do.
    pub fn run(&mut self, nodes: u64) -> Outcome {
        match self.depth_first.run(&self.lifted, nodes) {
            Answer::Found => {
                self.plan = Some(self.depth_first.outline().plan(&self.lifted));
                Outcome::Found
            }
            Answer::Impossible => Outcome::Impossible,
            Answer::GaveUp => Outcome::GaveUp,
            Answer::NotYet => Outcome::Interrupted,
        }
    }

    /// How many nodes were looked at.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.depth_first.entered
    }

    /// The plan found.
    #[must_use]
    pub fn plan(&self) -> Option<&PlanFile> {
        self.plan.as_ref()
    }
}

/// The facts a problem begins with, and the state in which they hold.
fn first_state(lifted: &Lifted) -> (Facts, State) {
    let domain = &lifted.problem.domain;
    let arities: Vec<usize> = domain
        .predicates
        .iter()
        .map(|predicate| predicate.parameters.len())
        .collect();
    let mut facts = Facts::new(domain.objects.len(), &arities);
    let mut state = State::default();
    for (predicate, arguments) in &lifted.problem.init {
        let arguments: Vec<u32> = arguments.iter().map(|object| *object as u32).collect();
        let fact = facts.meet(*predicate, &arguments);
        state.set(fact, true);
    }
    (facts, state)
}

fn goal_holds(lifted: &Lifted, facts: &Facts, state: &State) -> bool {
    let view = View {
        domain: &lifted.problem.domain,
        facts,
        state,
    };
    evaluate(view, &lifted.problem.goal, &mut Vec::new())
}

/// The list of a method's subtasks with these values before the rest.
fn put_subtasks(
    instances: &mut Instances,
    lists: &mut Lists,
    method: &LiftedMethod,
    values: &[u32],
    rest: List,
) -> List {
    use super::model::Term;
    method
        .subtasks
        .iter()
        .rev()
        .fold(rest, |list, (task, arguments)| {
            let arguments = arguments.iter().map(|term| match term {
                Term::Object(object) => *object as u32,
                Term::Variable(variable) => values[*variable],
            });
            let instance = instances.meet(*task, arguments);
            lists.put(instance, list)
        })
}
