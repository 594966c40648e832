//! Works out where doing a task from a state can lead, once for each task and state, whatever is to
//! be done afterwards.
//!
//! Searches that keep what is still to do never come to an end where a task can begin with itself:
//! what is still to do grows and is never the same twice. Here a task that is met again in the same
//! state waits for what the first such meeting leads to, so that there is an end as soon as there
//! are finitely many states: a plan, or the proof that there is none. (This is how reachability in
//! pushdown systems is decided, and how tabling treats left recursion in logic programs.)

use super::super::{FxHashMap, FxHashSet};
use super::Answer;
use super::best_first::digest;
use super::grounded::{Grounded, Method};
use super::instances::Instance;
use super::lifted::Lifted;
use super::necessities::Necessities;
use super::outline::Choice;

pub(crate) struct Summaries {
    /// States met, one after the other, and their numbers by their digests.
    states: Vec<u64>,
    numbers: FxHashMap<u128, u32>,
    calls: Vec<Call>,
    call_of: FxHashMap<(Instance, u32), u32>,
    moments: Vec<Moment>,
    known: FxHashSet<(u32, u32, u32, u32)>,
    work: Vec<Work>,
    /// How many numbers calls keep.
    kept: usize,
    scratch: Vec<u64>,
    has_begun: bool,
    /// Iterations it took.
    pub(crate) spent: u64,
}

/// A task to be done from a state.
struct Call {
    task: Instance,
    /// Where it can lead: the state, and the moment in which the last subtask was done.
    outcomes: Vec<(u32, u32)>,
    /// Who waits for that: moments, and which of its method's subtasks each has come to.
    waiting: Vec<(u32, u32)>,
}

/// A method that is under way: subtasks before `position` are done, and led to `state`.
#[derive(Clone, Copy)]
struct Moment {
    call: u32,
    /// A method, or one of the ways to begin.
    method: u32,
    position: u32,
    state: u32,
    /// The moment before, and what led from there to here: an outcome of a call.
    from: u32,
    through: (u32, u32),
}

/// What is left to do; the last first.
enum Work {
    Advance(u32),
    /// An outcome of a call goes to those who have been waiting for it.
    Deliver {
        call: u32,
        outcome: u32,
        next: u32,
        end: u32,
    },
    /// One who has begun to wait gets the outcomes there are.
    Receive {
        call: u32,
        waiting: u32,
        next: u32,
        end: u32,
    },
}

const NONE: u32 = u32::MAX;

/// The task that stands for the first network.
const ROOT: Instance = Instance::MAX;

/// More memory than this, in numbers, is not used.
const LARGEST: usize = 30_000_000;

/// So much of one kind of work is done in a step.
const AT_A_TIME: u32 = 32;

/// Longer plans are not written out: where a task leads is known long before all its steps are.
const LONGEST_PLAN: usize = 4_000_000;

/// So many deliveries take about as long as an iteration.
const DELIVERIES_AN_ITERATION: u64 = 4;

/// Whether what is still to do can grow without end: some task contains itself, and something is to
/// be done after that.
pub(crate) fn can_grow(lifted: &Lifted) -> bool {
    let subtasks = |task: usize| {
        let methods = lifted.tasks[task].methods.iter();
        methods.map(|method| &lifted.methods[*method].subtasks)
    };
    let mut is_met = vec![NONE; lifted.tasks.len()];
    let mut round = 0;
    for task in 0..lifted.tasks.len() {
        for list in subtasks(task) {
            let before_others = list.iter().rev().skip(1);
            for (first, _) in before_others {
                // From there back to the task.
                let mut stack = vec![*first];
                while let Some(at) = stack.pop() {
                    if at == task {
                        return true;
                    }
                    if std::mem::replace(&mut is_met[at], round) != round {
                        stack.extend(subtasks(at).flatten().map(|(next, _)| *next));
                    }
                }
                round += 1;
            }
        }
    }
    false
}

impl Summaries {
    pub(crate) fn new() -> Self {
        Self {
            states: Vec::new(),
            numbers: FxHashMap::default(),
            calls: Vec::new(),
            call_of: FxHashMap::default(),
            moments: Vec::new(),
            known: FxHashSet::default(),
            work: Vec::new(),
            kept: 0,
            scratch: Vec::new(),
            has_begun: false,
            spent: 0,
        }
    }

    /// How much it keeps in memory, in numbers.
    fn size(&self) -> usize {
        let tables = self.moments.len() * 16 + self.calls.len() * 16 + self.numbers.len() * 8;
        self.states.len() * 2 + tables + self.kept * 2 + self.work.len() * 4
    }

    /// A little work, and what it took. The choices of a plan, if that is the answer. It gives up
    /// where more memory, or a longer plan, would be needed than is allowed.
    pub(crate) fn step(
        &mut self,
        grounded: &Grounded,
        necessities: &Necessities,
    ) -> (Answer, u64, Vec<Choice>) {
        if !self.has_begun {
            self.has_begun = true;
            let state = self.number_of(&grounded.start);
            self.call(grounded, necessities, ROOT, state);
        }
        let mut spent = 1;
        let mut found = None;
        match self.work.pop() {
            None => return (Answer::Impossible, spent, Vec::new()),
            Some(Work::Advance(moment)) => {
                let (walked, outcome) = self.advance(grounded, necessities, moment);
                spent += walked / DELIVERIES_AN_ITERATION;
                found = outcome;
            }
            Some(Work::Deliver {
                call,
                outcome,
                next,
                end,
            }) => {
                let stop = end.min(next + AT_A_TIME);
                if stop < end {
                    self.work.push(Work::Deliver {
                        call,
                        outcome,
                        next: stop,
                        end,
                    });
                }
                for waiting in (next..stop).rev() {
                    self.meet(call, waiting, outcome);
                }
                spent += u64::from(stop - next) / DELIVERIES_AN_ITERATION;
            }
            Some(Work::Receive {
                call,
                waiting,
                next,
                end,
            }) => {
                let stop = end.min(next + AT_A_TIME);
                if stop < end {
                    self.work.push(Work::Receive {
                        call,
                        waiting,
                        next: stop,
                        end,
                    });
                }
                for outcome in (next..stop).rev() {
                    self.meet(call, waiting, outcome);
                }
                spent += u64::from(stop - next) / DELIVERIES_AN_ITERATION;
            }
        }
        let plan = found.map(|outcome| self.plan(grounded, outcome));
        let answer = match &plan {
            Some(Some(_)) => Answer::Found,
            Some(None) => Answer::GaveUp,
            None if self.size() > LARGEST => Answer::GaveUp,
            None => Answer::NotYet,
        };
        self.spent += spent;
        (answer, spent, plan.flatten().unwrap_or_default())
    }

    fn number_of(&mut self, state: &[u64]) -> u32 {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(digest(state, 0)).or_insert(next);
        if number == next {
            self.states.extend(state);
        }
        number
    }

    fn take_state(&mut self, number: u32, words: usize) -> Vec<u64> {
        let mut state = std::mem::take(&mut self.scratch);
        let from = number as usize * words;
        state.clear();
        state.extend(&self.states[from..from + words]);
        state
    }

    /// A task to be done from a state, which is begun if it was not before.
    fn call(
        &mut self,
        grounded: &Grounded,
        necessities: &Necessities,
        task: Instance,
        state: u32,
    ) -> u32 {
        let next = self.calls.len() as u32;
        let call = *self.call_of.entry((task, state)).or_insert(next);
        if call < next {
            return call;
        }
        self.calls.push(Call {
            task,
            outcomes: Vec::new(),
            waiting: Vec::new(),
        });
        let facts = self.take_state(state, grounded.start.len());
        let begin = |method: u32| Moment {
            call,
            method,
            position: 0,
            state,
            from: NONE,
            through: (NONE, NONE),
        };
        // What is put there last is taken first: the first method of the text.
        if task == ROOT {
            for (method, first) in grounded.first.iter().enumerate().rev() {
                if first.condition.holds(&facts) {
                    self.add(begin(method as u32));
                }
            }
        } else {
            for method in grounded.methods_of[task as usize].iter().rev() {
                if necessities.allow_method(*method, &facts) {
                    self.add(begin(*method));
                }
            }
        }
        self.scratch = facts;
        call
    }

    fn add(&mut self, moment: Moment) {
        let key = (moment.call, moment.method, moment.position, moment.state);
        if self.known.insert(key) {
            self.work.push(Work::Advance(self.moments.len() as u32));
            self.moments.push(moment);
        }
    }

    fn method<'g>(&self, grounded: &'g Grounded, moment: Moment) -> &'g Method {
        if self.calls[moment.call as usize].task == ROOT {
            &grounded.first[moment.method as usize]
        } else {
            &grounded.methods[moment.method as usize]
        }
    }

    /// Does actions up to the next compound task, and asks where that leads. Says how many subtasks
    /// that were, and which outcome of the first network fulfils the goal, if one does.
    fn advance(
        &mut self,
        grounded: &Grounded,
        necessities: &Necessities,
        at: u32,
    ) -> (u64, Option<u32>) {
        let moment = self.moments[at as usize];
        let method = self.method(grounded, moment);
        let mut state = self.take_state(moment.state, grounded.start.len());
        let mut position = moment.position as usize;
        while let Some(task) = method.subtasks.get(position)
            && let Some(action) = &grounded.actions[*task as usize]
        {
            if !action.condition.holds(&state) {
                self.scratch = state;
                return (position as u64 - u64::from(moment.position), None);
            }
            action.apply(&mut state);
            position += 1;
        }
        let walked = position as u64 - u64::from(moment.position);
        let reached = self.number_of(&state);
        let is_goal = grounded.goal.holds(&state);
        self.scratch = state;
        let Some(task) = method.subtasks.get(position) else {
            let outcome = self.outcome(moment.call, reached, at);
            let is_root = self.calls[moment.call as usize].task == ROOT;
            return (walked, outcome.filter(|_| is_root && is_goal));
        };
        let call = self.call(grounded, necessities, *task, reached);
        let Call {
            outcomes, waiting, ..
        } = &mut self.calls[call as usize];
        let place = waiting.len() as u32;
        waiting.push((at, position as u32));
        let end = outcomes.len() as u32;
        self.kept += 2;
        if end > 0 {
            self.work.push(Work::Receive {
                call,
                waiting: place,
                next: 0,
                end,
            });
        }
        (walked, None)
    }

    /// A way to do a task was found. Its number, unless another one led to the same state.
    fn outcome(&mut self, call: u32, state: u32, by: u32) -> Option<u32> {
        let key = (call, NONE, NONE, state);
        if !self.known.insert(key) {
            return None;
        }
        let Call {
            outcomes, waiting, ..
        } = &mut self.calls[call as usize];
        let outcome = outcomes.len() as u32;
        outcomes.push((state, by));
        self.kept += 6;
        let end = waiting.len() as u32;
        if end > 0 {
            self.work.push(Work::Deliver {
                call,
                outcome,
                next: 0,
                end,
            });
        }
        Some(outcome)
    }

    /// One who waits for a call goes on with one of its outcomes.
    fn meet(&mut self, call: u32, waiting: u32, outcome: u32) {
        let Call {
            outcomes,
            waiting: all,
            ..
        } = &self.calls[call as usize];
        let (from, position) = all[waiting as usize];
        let (state, _) = outcomes[outcome as usize];
        let Moment {
            call: of, method, ..
        } = self.moments[from as usize];
        self.add(Moment {
            call: of,
            method,
            position: position + 1,
            state,
            from,
            through: (call, outcome),
        });
    }

    /// The choices that lead to an outcome of the first network. None if these are too many.
    fn plan(&self, grounded: &Grounded, outcome: u32) -> Option<Vec<Choice>> {
        /// A method that is told: its moments, and which of its subtasks comes next.
        struct Telling {
            moments: Vec<Moment>,
            next: usize,
            position: usize,
        }
        let tell = |call: u32, outcome: u32| {
            let (_, mut at) = self.calls[call as usize].outcomes[outcome as usize];
            let mut moments = Vec::new();
            while at != NONE {
                moments.push(self.moments[at as usize]);
                at = self.moments[at as usize].from;
            }
            moments.reverse();
            Telling {
                moments,
                next: 1,
                position: 0,
            }
        };
        let mut choices = vec![Choice::FIRST_NETWORK];
        let mut stack = vec![tell(0, outcome)];
        while let Some(top) = stack.last_mut() {
            let method = self.method(grounded, top.moments[0]);
            let Some(task) = method.subtasks.get(top.position) else {
                stack.pop();
                continue;
            };
            top.position += 1;
            if grounded.actions[*task as usize].is_some() {
                choices.push(Choice::action(*task));
            } else {
                let (call, outcome) = top.moments[top.next].through;
                top.next += 1;
                let below = tell(call, outcome);
                let method = self.method(grounded, below.moments[0]);
                choices.push(Choice::method(*task, method.number));
                stack.push(below);
            }
            if choices.len() > LONGEST_PLAN {
                return None;
            }
        }
        Some(choices)
    }
}
