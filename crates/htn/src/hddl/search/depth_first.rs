//! Goes into the depth: the first task, its first method, the first values, and back where that
//! fails. Never enters a state with the same tasks still to do twice, and never does a task within
//! itself without a change of the state.

use rustc_hash::FxHashSet;

use super::binding::{Binding, View};
use super::facts::{Facts, State, scatter};
use super::instances::{DONE, Instance, Instances, List, Lists};
use super::lifted::{Lifted, LiftedMethod};
use super::outline::{Choice, Outline};
use super::{Answer, first_state, goal_holds};

pub(crate) struct DepthFirst {
    facts: Facts,
    state: State,
    instances: Instances,
    lists: Lists,
    visited: FxHashSet<u128>,
    frames: Vec<Frame>,
    branches: Vec<Branch>,
    open: Vec<Open>,
    binding: Binding,
    /// Nodes entered.
    pub(crate) entered: u64,
    /// Some branch was left although not proven to fail.
    is_incomplete: bool,
}

/// A state with tasks still to do, and the alternatives not yet tried.
#[derive(Clone, Copy)]
struct Frame {
    /// What was chosen to come here.
    choice: Choice,
    /// The changes of the state when it was entered.
    mark: usize,
    /// Its alternatives: where they start in `branches`, the next to try, the end.
    start: usize,
    next: usize,
    end: usize,
    /// The innermost task that is not finished, with those around it.
    open: u32,
    opened: usize,
}

#[derive(Clone, Copy)]
struct Branch {
    list: List,
    choice: Choice,
}

/// A task that was begun, the tasks around it, and the state in which it was begun.
#[derive(Clone, Copy)]
struct Open {
    outer: u32,
    /// It is finished when no more tasks than this are left.
    left: u32,
    task: Instance,
    state: u128,
}

const NONE: u32 = u32::MAX;

/// So many enclosing tasks are looked at for one that is the same. Deeper nesting is mostly the
/// tail recursion of loops, which changes the state.
const FARTHEST: usize = 64;

/// More alternatives than this are not listed for one task.
const MOST_BRANCHES: usize = 1 << 20;

impl DepthFirst {
    pub(crate) fn new(lifted: &Lifted) -> Self {
        let (facts, state) = first_state(lifted);
        let mut search = Self {
            facts,
            state,
            instances: Instances::default(),
            lists: Lists::new(),
            visited: FxHashSet::default(),
            frames: Vec::new(),
            branches: Vec::new(),
            open: Vec::new(),
            binding: Binding::default(),
            entered: 0,
            is_incomplete: false,
        };
        search.list_method(lifted, &lifted.first, Choice::FIRST_NETWORK, &[], DONE);
        search.frames.push(Frame {
            choice: Choice::START,
            mark: search.state.mark(),
            start: 0,
            next: 0,
            end: search.branches.len(),
            open: NONE,
            opened: 0,
        });
        search
    }

    /// How many things it keeps in memory, to compare with a limit.
    pub(crate) fn size(&self) -> usize {
        self.visited.len() + self.lists.count() + self.branches.len()
    }

    /// Enters at most so many nodes.
    pub(crate) fn run(&mut self, lifted: &Lifted, most: u64) -> Answer {
        let limit = self.entered.saturating_add(most);
        loop {
            let Some(frame) = self.frames.last_mut() else {
                return if self.is_incomplete {
                    Answer::GaveUp
                } else {
                    Answer::Impossible
                };
            };
            self.state.undo(frame.mark);
            if frame.next == frame.end {
                self.branches.truncate(frame.start);
                self.open.truncate(frame.opened);
                self.frames.pop();
                continue;
            }
            if self.entered >= limit {
                return Answer::NotYet;
            }
            let branch = self.branches[frame.next];
            let open = frame.open;
            frame.next += 1;
            if self.enter(lifted, branch, open) {
                return Answer::Found;
            }
        }
    }

    /// The choices that led to where it is: after `Found`, the plan.
    pub(crate) fn outline(&self) -> Outline {
        Outline::new(
            &self.instances,
            self.frames.iter().skip(1).map(|frame| frame.choice),
        )
    }

    /// True if there is nothing left to do and the goal holds.
    fn enter(&mut self, lifted: &Lifted, branch: Branch, mut open: u32) -> bool {
        self.entered += 1;
        let Branch { list, choice } = branch;
        if choice.is_action() {
            let action = self
                .instances
                .action(lifted, &mut self.facts, choice.instance);
            action.apply(lifted, &self.facts, &mut self.state);
        }
        let key = self.state.hash ^ scatter(u64::from(list) | 1 << 40);
        if !self.visited.insert(key) {
            return false;
        }
        let opened = self.open.len();
        if choice.is_method() {
            let left = self.length_without(choice, lifted, list);
            self.open.push(Open {
                outer: open,
                left,
                task: choice.instance,
                state: self.state.hash,
            });
            open = opened as u32;
        }
        let length = self.lists.length(list);
        while open != NONE && self.open[open as usize].left >= length {
            open = self.open[open as usize].outer;
        }
        let start = self.branches.len();
        let found = list == DONE && goal_holds(lifted, &self.facts, &self.state);
        if list != DONE {
            self.list_branches(lifted, list, open);
        }
        self.frames.push(Frame {
            choice,
            mark: self.state.mark(),
            start,
            next: start,
            end: self.branches.len(),
            open,
            opened,
        });
        found
    }

    /// How many tasks are left when the task that was just begun is finished.
    fn length_without(&self, choice: Choice, lifted: &Lifted, list: List) -> u32 {
        let subtasks = lifted.methods[choice.method as usize].subtasks.len();
        self.lists.length(list) - subtasks as u32
    }

    fn list_branches(&mut self, lifted: &Lifted, list: List, open: u32) {
        let (first, rest) = (self.lists.first(list), self.lists.rest(list));
        let task = self.instances.task(first);
        if lifted.tasks[task].action.is_some() {
            let action = self.instances.action(lifted, &mut self.facts, first);
            let view = View {
                domain: &lifted.problem.domain,
                facts: &self.facts,
                state: &self.state,
            };
            if action.is_possible(view) {
                self.branches.push(Branch {
                    list: rest,
                    choice: Choice::action(first),
                });
            }
            return;
        }
        let mut outer = open;
        for _ in 0..FARTHEST {
            let Some(around) = self.open.get(outer as usize) else {
                break;
            };
            if around.task == first && around.state == self.state.hash {
                self.is_incomplete = true;
                return;
            }
            outer = around.outer;
        }
        let arguments = self.instances.arguments(first).to_vec();
        for method in &lifted.tasks[task].methods {
            let choice = Choice::method(first, *method);
            self.list_method(lifted, &lifted.methods[*method], choice, &arguments, rest);
        }
    }

    fn list_method(
        &mut self,
        lifted: &Lifted,
        method: &LiftedMethod,
        choice: Choice,
        arguments: &[u32],
        rest: List,
    ) {
        if method.hopeless {
            return;
        }
        let Self {
            facts,
            state,
            instances,
            lists,
            branches,
            binding,
            is_incomplete,
            ..
        } = self;
        let view = View {
            domain: &lifted.problem.domain,
            facts,
            state,
        };
        let start = branches.len();
        binding.each(view, method, arguments, &mut |values| {
            let list = super::put_subtasks(instances, lists, method, values, rest);
            branches.push(Branch { list, choice });
            let goes_on = branches.len() - start < MOST_BRANCHES;
            *is_incomplete |= !goes_on;
            goes_on
        });
    }
}
