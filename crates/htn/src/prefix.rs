//! Beginnings of plans, and whether the rest of one can still be done.

use apprentice_search::{Budget, Cost, Status};

use crate::agenda::{Agenda, DONE, ROOT};
use crate::domain::{ChoiceKind, Domain, Refinements};
use crate::network::Network;
use crate::plan::{Origin, Plan};
use crate::planner::Planner;
use crate::request::Aim;

/// The beginning of a plan, and what is left to do after it.
#[derive(Clone, Debug)]
pub struct Prefix<D: Domain> {
    /// The first steps.
    pub plan: Plan<D::Task>,
    /// The state they lead to, if nothing else happens.
    pub state: D::State,
    /// What is still to be done then, not taken apart yet.
    pub rest: Network<D::Task>,
    /// Where each task of the rest came from, from left to right.
    pub origins: Vec<Origin>,
}

/// Whether somebody looked at what comes after the beginning of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Lookahead {
    /// Nobody did: the rest may turn out to be impossible.
    None,
    /// A whole plan was found that begins like this. It was not kept.
    Full,
}

/// The first `steps` steps of a plan, or all of it if it is shorter. `None`: there is none, or the
/// budget was spent before one was found.
///
/// ```
/// use apprentice_htn::language::read;
/// use apprentice_htn::{LoadedDomain, Lookahead, find_prefix};
/// use apprentice_search::Budget;
///
/// let text = "task A() { { true; } } task B() { method m { ordered(A(), A()); } }
///             problem p { goal ordered(A(), B()); }";
/// let domain = LoadedDomain::new(read("p.htn", text).model.expect("no mistakes"))?;
/// let prefix = find_prefix(&domain, domain.initial_state(), domain.goal(), 1, Lookahead::None, &mut Budget::unlimited());
/// let prefix = prefix.expect("there is a plan");
/// assert_eq!(prefix.plan.len(), 1);
/// assert_eq!(prefix.rest.map(|task| domain.show(&task)).to_string(), "ordered(B())");
/// # Ok::<(), apprentice_htn::CannotLoad>(())
/// ```
pub fn find_prefix<D: Domain>(
    domain: &D,
    state: D::State,
    goal: impl Into<Network<D::Task>>,
    steps: usize,
    lookahead: Lookahead,
    budget: &mut Budget<'_>,
) -> Option<Prefix<D>> {
    let goal = goal.into();
    let mut planner = Planner::<D>::new(state.clone(), goal.clone()).aim(Aim::First);
    match lookahead {
        Lookahead::None => planner.prefix = Some(steps),
        Lookahead::Full => {}
    }
    if planner.run(domain, budget) != Status::Finished {
        return None;
    }
    // The decisions, lived through again up to the wanted number of steps.
    cut(domain, state, &goal, planner.plan()?, steps)
}

/// Follows the decisions of a plan until it has that many steps.
pub(crate) fn cut<D: Domain>(
    domain: &D,
    mut state: D::State,
    goal: &Network<D::Task>,
    plan: &Plan<D::Task>,
    steps: usize,
) -> Option<Prefix<D>> {
    let mut agenda = Agenda::new();
    let mut network = agenda.build(domain, &goal.pieces, ROOT, DONE);
    let mut out = Refinements::<D::State, D::Task>::new();
    let (mut done, mut parts, mut decisions) = (0, 0, 0);
    let mut cost = Cost::ZERO;
    while done < steps && decisions < plan.choices.len() {
        let taken = plan.choices[decisions];
        decisions += 1;
        agenda.find_ready(network);
        out.choices.clear();
        out.pieces.clear();
        for at in 0..agenda.ready.len() {
            out.begin_task(at as u32);
            domain.refine(agenda.task(agenda.ready[at].node), &state, &mut out);
        }
        let ready = *agenda.ready.get(taken.ready as usize)?;
        match out.choices.get(taken.choice as usize)?.kind.clone() {
            ChoiceKind::Act {
                state: next,
                cost: added,
            } => {
                state = next;
                cost = cost + added;
                network = agenda.replace(domain, ready, &[], ROOT);
                done += 1;
            }
            ChoiceKind::Replace { start, end, .. } => {
                network = agenda.replace(domain, ready, &out.pieces[start..end], parts);
                parts += 1;
            }
        }
    }
    let rest = agenda.to_network(network);
    let origins = rest.tasks().map(|(_, origin)| *origin);
    Some(Prefix {
        plan: Plan {
            steps: plan.steps[..done].to_vec(),
            cost,
            decompositions: plan.decompositions[..parts as usize].to_vec(),
            choices: plan.choices[..decisions].to_vec(),
        },
        state,
        origins: origins.collect(),
        rest: rest.map(|(task, _)| task),
    })
}

/// Whether all steps of a plan can still be taken one after the other, from `state` on. Much cheaper
/// than planning: what a game asks before it plans again.
///
/// It does not ask whether other methods would now be taken.
pub fn is_still_possible<D: Domain>(
    domain: &D,
    state: &D::State,
    plan: &Plan<D::Task>,
    out: &mut Refinements<D::State, D::Task>,
) -> bool {
    let mut state = out.copy_of(state);
    for task in plan.tasks() {
        out.choices.clear();
        out.pieces.clear();
        out.begin_task(0);
        domain.refine(task, &state, out);
        let done = out.choices.pop().map(|choice| choice.kind);
        let Some(ChoiceKind::Act { state: next, .. }) = done else {
            out.recycle(state);
            out.fault = None;
            return false;
        };
        out.recycle(std::mem::replace(&mut state, next));
    }
    out.recycle(state);
    true
}
