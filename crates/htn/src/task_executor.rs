//! Carries plans out: makes them a piece at a time, watches, and repairs where they break.

#[cfg(feature = "serde")]
pub(crate) mod saved;

use apprentice_search::{Budget, Status};

use crate::domain::{ChoiceKind, Domain, Fault, Refinements};
use crate::network::{Network, Piece};
use crate::plan::Origin;
use crate::planner::Planner;
use crate::prefix::{Lookahead, Prefix, cut};
use crate::request::{Aim, Limit};

/// What a character does next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next<T> {
    /// This.
    Do(T),
    /// Everything is done.
    Done,
    /// It cannot be done, however it is tried.
    Impossible,
    /// Nobody knows whether it can be done: the domain has a [fault](TaskExecutor::fault), or a
    /// [limit](TaskExecutor::limit) ended the planning.
    GaveUp,
    /// Nobody knows yet: the budget is spent. Asked again, it goes on where it stopped.
    Thinking,
}

/// Carries out a plan: makes it a piece at a time, checks each step before it is taken, and when
/// one cannot be taken repairs as little as possible.
///
/// ```
/// use apprentice_htn::language::read;
/// use apprentice_htn::{TaskExecutor, LoadedDomain, Lookahead, Next};
/// use apprentice_search::Budget;
///
/// let text = "fluent bool open;
///             task Open() { { open == false :-> true; } }
///             task Enter() { { open; } }
///             problem p { goal ordered(Open(), Enter()); }";
/// let domain = LoadedDomain::new(read("p.htn", text).model.expect("no mistakes"))?;
/// let mut executor = TaskExecutor::new(domain.goal(), 0, Lookahead::None);
/// let mut observed = domain.initial_state();
/// let mut done = Vec::new();
/// loop {
///     // A little in every frame.
///     match executor.next(&domain, &observed, &mut Budget::units(1)) {
///         Next::Thinking => {}
///         Next::Do(task) => {
///             done.push(domain.show(&task));
///             domain.write(&mut observed, "open", &[], "true");
///         }
///         Next::Done => break,
///         Next::Impossible | Next::GaveUp => panic!("it can be done"),
///     }
/// }
/// assert_eq!(done, ["Open()", "Enter()"]);
/// # Ok::<(), apprentice_htn::CannotLoad>(())
/// ```
#[derive(Clone, Debug)]
pub struct TaskExecutor<D: Domain> {
    goal: Network<D::Task>,
    /// Steps in hand, each with the compound task it is a part of.
    steps: Vec<(D::Task, Option<usize>)>,
    /// How many of them are done.
    done: usize,
    /// What is still to be done after them, and the compound tasks its tasks are parts of.
    rest: Network<D::Task>,
    rest_parents: Vec<Option<usize>>,
    /// The compound tasks that were taken apart and are not finished, each with the one it is a
    /// part of, which comes before it.
    history: Vec<(D::Task, Option<usize>)>,
    /// How many steps to plan at a time.
    at_a_time: usize,
    lookahead: Lookahead,
    thought: Option<Thought<D>>,
    /// Makes the plans, in memory that is kept from one to the next.
    planner: Option<Planner<D>>,
    repairs: Repairs,
    out: Refinements<D::State, D::Task>,
}

/// A plan that is being made.
#[derive(Clone, Debug)]
struct Thought<D: Domain> {
    /// The state that was observed when it began.
    state: D::State,
    /// What is planned, and the compound tasks its tasks are parts of.
    goal: Network<D::Task>,
    parents: Vec<Option<usize>>,
    otherwise: Otherwise,
    attempt: Attempt,
}

/// How often the same was tried because the world changed meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Attempt {
    First,
    /// Whoever is disturbed all the time tries something else.
    Second,
}

/// What is tried if there is no such plan.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Otherwise {
    /// What was planned so far is broken: this part of it, or everything, is tried again.
    Repair(Option<usize>),
    /// The part above, or everything.
    Above(Option<usize>),
    /// Everything was tried.
    Nothing,
}

/// How often a plan had to be repaired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Repairs {
    /// Plans that broke.
    pub broken: u64,
    /// How many tasks above the broken step were tried again, in all.
    pub levels: u64,
    /// How often everything was planned again.
    pub from_scratch: u64,
}

impl<D: Domain> TaskExecutor<D> {
    /// Does what `goal` says, planning `steps` steps at a time; 0 means all at once.
    pub fn new(goal: impl Into<Network<D::Task>>, steps: usize, lookahead: Lookahead) -> Self {
        let goal = goal.into();
        TaskExecutor {
            rest_parents: vec![None; goal.tasks().count()],
            rest: goal.clone(),
            goal,
            steps: Vec::new(),
            done: 0,
            history: Vec::new(),
            at_a_time: if steps == 0 { usize::MAX } else { steps },
            lookahead,
            thought: None,
            planner: None,
            repairs: Repairs::default(),
            out: Refinements::new(),
        }
    }

    /// How often the plan had to be repaired.
    pub fn repairs(&self) -> Repairs {
        self.repairs
    }

    /// What is wrong with the domain, if that ended the planning.
    pub fn fault(&self) -> Option<&Fault> {
        self.planner.as_ref().and_then(Planner::fault)
    }

    /// Which limit cut off branches of the plan that was made last, if one did.
    pub fn limit(&self) -> Option<Limit> {
        self.planner.as_ref().and_then(Planner::limit)
    }

    /// How many unfinished compound tasks it keeps in mind, to try them again if a step breaks.
    pub fn unfinished(&self) -> usize {
        self.history.len()
    }
}

impl<D: Domain> TaskExecutor<D>
where
    D::State: PartialEq,
    D::Task: PartialEq,
{
    /// What to do in the state that was observed. The step that is given is taken to be done when
    /// this is asked the next time.
    ///
    /// A plan that takes several asks to be made is made for the state in which it was begun; its
    /// first step is checked in the state that is observed by then.
    pub fn next(
        &mut self,
        domain: &D,
        observed: &D::State,
        budget: &mut Budget<'_>,
    ) -> Next<D::Task> {
        if self.thought.is_some() {
            return self.think(domain, observed, budget);
        }
        if self.done == self.steps.len() {
            if self.rest.is_empty() {
                return Next::Done;
            }
            let otherwise = Otherwise::Repair(self.rest_parents.first().copied().flatten());
            let (rest, parents) = (self.rest.clone(), self.rest_parents.clone());
            self.begin(observed, rest, parents, otherwise, Attempt::First);
            return self.think(domain, observed, budget);
        }
        let (task, parent) = self.steps[self.done].clone();
        if self.is_possible(domain, &task, observed) {
            self.done += 1;
            return Next::Do(task);
        }
        self.repairs.broken += 1;
        self.retry(observed, parent);
        self.think(domain, observed, budget)
    }

    /// Whether the task can be done by itself in the state.
    fn is_possible(&mut self, domain: &D, task: &D::Task, state: &D::State) -> bool {
        self.out.pieces.clear();
        self.out.begin_task(0);
        domain.refine(task, state, &mut self.out);
        // A fault is met again, and reported, by whoever plans instead.
        let is_faulty = self.out.fault.take().is_some();
        let mut is_possible = false;
        for choice in self.out.choices.drain(..) {
            if let ChoiceKind::Act { state, .. } = choice.kind {
                is_possible = !is_faulty;
                self.out.spare.push(state);
            }
        }
        is_possible
    }

    /// Begins to plan for a network whose tasks are parts of `parents`.
    fn begin(
        &mut self,
        observed: &D::State,
        goal: Network<D::Task>,
        parents: Vec<Option<usize>>,
        otherwise: Otherwise,
        attempt: Attempt,
    ) {
        let mut planner = match self.planner.take() {
            Some(mut planner) => {
                planner.restart(observed.clone(), goal.clone());
                planner
            }
            None => Planner::new(observed.clone(), goal.clone()).aim(Aim::First),
        };
        planner.prefix = (self.lookahead == Lookahead::None).then_some(self.at_a_time);
        self.planner = Some(planner);
        self.thought = Some(Thought {
            state: observed.clone(),
            goal,
            parents,
            otherwise,
            attempt,
        });
    }

    /// What comes next cannot be done: tries the nearest unfinished task it is a part of again,
    /// and if there is none, everything.
    fn retry(&mut self, observed: &D::State, part: Option<usize>) {
        let Some(part) = part else {
            self.repairs.from_scratch += 1;
            let goal = self.goal.clone();
            let parents = vec![None; goal.tasks().count()];
            return self.begin(observed, goal, parents, Otherwise::Nothing, Attempt::First);
        };
        self.repairs.levels += 1;
        let (task, above) = self.history[part].clone();
        let (after, mut parents) = self.after(part);
        let goal = Network::ordered([Network::from(task), after]);
        parents.insert(0, above);
        self.begin(
            observed,
            goal,
            parents,
            Otherwise::Above(above),
            Attempt::First,
        );
    }

    /// Goes on with the plan that is being made, and with the next one if there is none.
    fn think(&mut self, domain: &D, observed: &D::State, budget: &mut Budget<'_>) -> Next<D::Task> {
        while let (Some(thought), Some(planner)) = (self.thought.take(), self.planner.as_mut()) {
            let status = planner.run(domain, budget);
            if status == Status::Paused {
                self.thought = Some(thought);
                return Next::Thinking;
            }
            if planner.fault().is_some() {
                return Next::GaveUp;
            }
            let is_limited = status == Status::GaveUp;
            let is_fresh = thought.state == *observed;
            let plan = planner.plan().filter(|_| status == Status::Finished);
            let prefix = plan.and_then(|plan| {
                let state = thought.state.clone();
                cut(domain, state, &thought.goal, plan, self.at_a_time)
            });
            match (prefix, thought.otherwise) {
                // Nothing to do is no answer for a state that is over, unless one is always late.
                (Some(empty), otherwise)
                    if empty.plan.is_empty() && !is_fresh && thought.attempt == Attempt::First =>
                {
                    let Thought { goal, parents, .. } = thought;
                    self.begin(observed, goal, parents, otherwise, Attempt::Second);
                }
                (Some(prefix), _) => {
                    self.adopt(prefix, thought.parents);
                    // In a state that is over, the first step was possible: it is looked at again.
                    return if is_fresh {
                        self.first()
                    } else {
                        self.next(domain, observed, budget)
                    };
                }
                // What could not be done then may be possible now.
                (None, otherwise) if !is_fresh && thought.attempt == Attempt::First => {
                    let Thought { goal, parents, .. } = thought;
                    self.begin(observed, goal, parents, otherwise, Attempt::Second);
                }
                (None, Otherwise::Repair(part)) => {
                    self.repairs.broken += 1;
                    self.retry(observed, part);
                }
                (None, Otherwise::Above(part)) => self.retry(observed, part),
                (None, Otherwise::Nothing) if is_limited => return Next::GaveUp,
                (None, Otherwise::Nothing) if is_fresh => return Next::Impossible,
                // Nothing is proven for the state there is by now: all of it again.
                (None, Otherwise::Nothing) => return self.next(domain, observed, budget),
            }
        }
        Next::Thinking
    }

    /// What is to be done beside a compound task: steps in hand and tasks of the rest that are no
    /// part of it, with what they are parts of.
    fn after(&self, part: usize) -> (Network<D::Task>, Vec<Option<usize>>) {
        let is_inside = |at: Option<usize>| self.chain(at).any(|above| above == part);
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

    /// A compound task, the one it is a part of, and so on.
    fn chain(&self, part: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(part, |&part| self.history[part].1)
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

    /// Takes a plan for tasks that are parts of `parents` into its hands.
    fn adopt(&mut self, prefix: Prefix<D>, mut parents: Vec<Option<usize>>) {
        self.forget_all_but(&mut parents);
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
    }

    /// Forgets the compound tasks that nothing is a part of any more, so that a character can live
    /// long. A task that ends with itself, as a patrol does, is kept once: whoever fails to do the
    /// inner one fails to do the outer one.
    fn forget_all_but(&mut self, parents: &mut [Option<usize>]) {
        let mut distinct = parents.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        // How many of them are inside each task. What is beside one of two nested tasks with the
        // same number is beside the other. Outer tasks come before inner ones.
        let mut inside = vec![0_u32; self.history.len()];
        for &part in distinct.iter().flatten() {
            inside[part] += 1;
        }
        for part in (0..self.history.len()).rev() {
            if let Some(above) = self.history[part].1 {
                inside[above] += inside[part];
            }
        }
        let mut is_kept = vec![false; self.history.len()];
        let mut is_seen = vec![false; self.history.len()];
        for &parent in &distinct {
            // Those with the same number, from the inside out.
            let mut kept: Vec<usize> = Vec::new();
            for part in self.chain(parent) {
                // All further out were looked at before, together with their own.
                if std::mem::replace(&mut is_seen[part], true) {
                    break;
                }
                if kept
                    .last()
                    .is_some_and(|&inner| inside[inner] != inside[part])
                {
                    kept.clear();
                }
                let is_same = |&inner: &usize| self.history[inner].0 == self.history[part].0;
                if !kept.iter().any(is_same) {
                    kept.push(part);
                    is_kept[part] = true;
                }
            }
        }
        // Where each kept one goes, and for the others where the next kept one above goes.
        let mut moved: Vec<Option<usize>> = Vec::with_capacity(self.history.len());
        let mut count = 0;
        for (part, &is_kept) in is_kept.iter().enumerate() {
            let above = self.history[part].1.and_then(|above| moved[above]);
            if !is_kept {
                moved.push(above);
                continue;
            }
            self.history.swap(count, part);
            self.history[count].1 = above;
            moved.push(Some(count));
            count += 1;
        }
        self.history.truncate(count);
        for parent in parents {
            *parent = parent.and_then(|parent| moved[parent]);
        }
    }
}
