//! Plans that are made a piece at a time, carried out, watched, and repaired where they break.

use apprentice_search::{Budget, Cost, Status};

use crate::agenda::{Agenda, DONE, ROOT};
use crate::domain::{ChoiceKind, Domain, Refinements};
use crate::network::{Network, Piece};
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
fn cut<D: Domain>(
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

/// What a character does next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next<T> {
    /// This.
    Do(T),
    /// Everything is done.
    Done,
    /// It cannot be done, however it is tried.
    Impossible,
    /// Nobody knows yet: the budget is spent. Ask again.
    Thinking,
}

/// Carries out a plan: makes it a piece at a time, checks each step before it is taken, and when
/// one cannot be taken repairs as little as possible.
#[derive(Clone, Debug)]
pub struct Executor<D: Domain> {
    goal: Network<D::Task>,
    /// Steps in hand, each with the compound task it is a part of.
    steps: Vec<(D::Task, Option<usize>)>,
    /// How many of them are done.
    done: usize,
    /// What is still to be done after them, and the compound tasks its tasks are parts of.
    rest: Network<D::Task>,
    rest_parents: Vec<Option<usize>>,
    /// Every compound task that was taken apart so far, and the one it is a part of.
    history: Vec<(D::Task, Option<usize>)>,
    /// How many steps to plan at a time.
    at_a_time: usize,
    lookahead: Lookahead,
    repairs: Repairs,
    out: Refinements<D::State, D::Task>,
}

/// How often a plan had to be repaired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Plans that broke.
    pub broken: u64,
    /// How many tasks above the broken step were tried again, in all.
    pub levels: u64,
    /// How often everything was planned again.
    pub from_scratch: u64,
}

impl<D: Domain> Executor<D> {
    /// Does what `goal` says, planning `steps` steps at a time; 0 means all at once.
    pub fn new(goal: impl Into<Network<D::Task>>, steps: usize, lookahead: Lookahead) -> Self {
        let goal = goal.into();
        Executor {
            rest_parents: vec![None; goal.tasks().count()],
            rest: goal.clone(),
            goal,
            steps: Vec::new(),
            done: 0,
            history: Vec::new(),
            at_a_time: if steps == 0 { usize::MAX } else { steps },
            lookahead,
            repairs: Repairs::default(),
            out: Refinements::new(),
        }
    }

    /// What to do in the state that was observed. The step that is given is taken to be done when
    /// this is asked the next time.
    pub fn next(
        &mut self,
        domain: &D,
        observed: &D::State,
        budget: &mut Budget<'_>,
    ) -> Next<D::Task> {
        if self.done == self.steps.len() {
            if self.rest.is_empty() {
                return Next::Done;
            }
            let (rest, parents) = (self.rest.clone(), self.rest_parents.clone());
            match self.plan(domain, observed, rest, &parents, budget) {
                Some(true) => return self.first(),
                Some(false) => {
                    let at = self.rest_parents.first().copied().flatten();
                    return self.repair(domain, observed, at, budget);
                }
                None => return Next::Thinking,
            }
        }
        let (task, parent) = self.steps[self.done].clone();
        if self.is_possible(domain, &task, observed) {
            self.done += 1;
            return Next::Do(task);
        }
        self.repair(domain, observed, parent, budget)
    }

    /// Whether the task can be done by itself in the state.
    fn is_possible(&mut self, domain: &D, task: &D::Task, state: &D::State) -> bool {
        self.out.choices.clear();
        self.out.pieces.clear();
        self.out.fault = None;
        self.out.begin_task(0);
        domain.refine(task, state, &mut self.out);
        self.out
            .choices
            .iter()
            .any(|choice| matches!(choice.kind, ChoiceKind::Act { .. }))
    }

    /// What comes next cannot be done: tries the nearest unfinished task it is a part of again,
    /// then the one above that, and at last everything.
    fn repair(
        &mut self,
        domain: &D,
        observed: &D::State,
        mut at: Option<usize>,
        budget: &mut Budget<'_>,
    ) -> Next<D::Task> {
        self.repairs.broken += 1;
        while let Some(part) = at {
            self.repairs.levels += 1;
            let (task, above) = self.history[part].clone();
            let (after, mut parents) = self.after(part);
            let goal = Network::ordered([Network::from(task), after]);
            parents.insert(0, above);
            match self.plan(domain, observed, goal, &parents, budget) {
                Some(true) => return self.first(),
                Some(false) => at = above,
                None => return Next::Thinking,
            }
        }
        self.repairs.from_scratch += 1;
        let goal = self.goal.clone();
        let parents = vec![None; goal.tasks().count()];
        match self.plan(domain, observed, goal, &parents, budget) {
            Some(true) => self.first(),
            Some(false) => Next::Impossible,
            None => Next::Thinking,
        }
    }

    /// What is to be done beside a compound task: steps in hand and tasks of the rest that are no
    /// part of it, with what they are parts of.
    fn after(&self, part: usize) -> (Network<D::Task>, Vec<Option<usize>>) {
        let is_inside = |mut at: Option<usize>| {
            while let Some(parent) = at {
                if parent == part {
                    return true;
                }
                at = self.history[parent].1;
            }
            false
        };
        let mut parents = Vec::new();
        let mut pieces = Vec::new();
        for (task, parent) in &self.steps[self.done..] {
            if !is_inside(*parent) {
                pieces.push(Piece::Task(task.clone()));
                parents.push(*parent);
            }
        }
        let mut tasks = self.rest_parents.iter();
        for piece in &self.rest.pieces {
            if matches!(piece, Piece::Task(_)) {
                let parent = tasks.next().copied().flatten();
                if is_inside(parent) {
                    continue;
                }
                parents.push(parent);
            }
            pieces.push(piece.clone());
        }
        let after = Network { pieces };
        (Network::ordered([after]), parents)
    }

    fn first(&mut self) -> Next<D::Task> {
        match self.steps.first() {
            Some((task, _)) => {
                self.done = 1;
                Next::Do(task.clone())
            }
            None => Next::Done,
        }
    }

    /// Plans the next steps for a network whose tasks are parts of `parents`. `None`: the budget is
    /// spent, and nothing changed.
    fn plan(
        &mut self,
        domain: &D,
        observed: &D::State,
        goal: Network<D::Task>,
        parents: &[Option<usize>],
        budget: &mut Budget<'_>,
    ) -> Option<bool> {
        let state = observed.clone();
        let prefix = find_prefix(domain, state, goal, self.at_a_time, self.lookahead, budget);
        let Some(prefix) = prefix else {
            return match budget.spent_by() {
                Some(_) => None,
                None => Some(false),
            };
        };
        let base = self.history.len();
        let of = |origin: Origin| match origin.parent {
            Some(parent) => Some(base + parent),
            None => parents.get(origin.position).copied().flatten(),
        };
        for part in prefix.plan.decompositions {
            self.history.push((part.task, of(part.origin)));
        }
        let steps = prefix.plan.steps.into_iter();
        self.steps = steps.map(|step| (step.task, of(step.origin))).collect();
        self.rest_parents = prefix.origins.into_iter().map(of).collect();
        self.rest = prefix.rest;
        self.done = 0;
        Some(true)
    }

    /// How often the plan had to be repaired.
    pub fn repairs(&self) -> Repairs {
        self.repairs
    }
}
