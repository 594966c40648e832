//! Goes into the depth: the first task, its first method, the first values, and back where that
//! fails. Never enters a state with the same tasks still to do twice, and never does a task within
//! itself without a change of the state.

use super::super::FxHashSet;

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
    order: Order,
    /// Nodes entered, and what listing many alternatives and asking about many facts took, in
    /// nodes.
    pub(crate) iterations: u64,
    /// Some branch was left although not proven to fail.
    is_incomplete: bool,
}

/// Which alternatives are tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Methods in the order of the text.
    Text,
    /// The last method first.
    Reversed,
    /// Methods with few subtasks first.
    Shortest,
    /// Any order, by a number that decides it.
    Shuffled(u64),
}

/// A state with tasks still to do, and the alternatives not yet tried.
#[derive(Clone, Copy)]
struct Frame {
    /// What is still to do.
    list: List,
    /// More alternatives exist than were listed at first.
    has_more: bool,
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

/// So many alternatives are listed at first; most nodes never need the others.
const FEW_BRANCHES: usize = 24;
/// More alternatives than this are not listed for one task.
const MOST_BRANCHES: usize = 1 << 18;
/// More work than this is not spent on listing the alternatives of one task.
const MOST_STEPS: u64 = 1 << 19;
/// So many steps each method may take, even where those before it took all: one that asks about very
/// much must not hide the next.
const LEAST_STEPS: u64 = 1 << 10;
/// So many steps of listing alternatives take about as long as entering a node.
const STEPS_A_NODE: u64 = 32;

impl DepthFirst {
    pub(crate) fn new(lifted: &Lifted, order: Order) -> Self {
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
            order,
            iterations: 0,
            is_incomplete: false,
        };
        search.binding.most_steps = MOST_STEPS;
        let all = MOST_BRANCHES;
        search.is_incomplete =
            !search.list_method(lifted, &lifted.first, Choice::FIRST_NETWORK, &[], DONE, all);
        search.frames.push(Frame {
            list: DONE,
            has_more: false,
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
        // A state with tasks takes about as much as eight numbers.
        let numbers = self.instances.size() / 8;
        self.visited.len() + self.lists.count() + self.branches.len() + numbers
    }

    /// Runs for so many iterations, or a few more.
    pub(crate) fn run(&mut self, lifted: &Lifted, most: u64) -> Answer {
        let limit = self.iterations.saturating_add(most);
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
                if frame.has_more {
                    let (list, open) = (frame.list, frame.open);
                    self.is_incomplete |= self.list_branches(lifted, list, open, MOST_BRANCHES);
                    let end = self.branches.len();
                    if let Some(frame) = self.frames.last_mut() {
                        frame.has_more = false;
                        // Those listed at first come again; they were entered and are passed over.
                        frame.next = frame.start;
                        frame.end = end;
                    }
                    continue;
                }
                self.open.truncate(frame.opened);
                self.frames.pop();
                continue;
            }
            if self.iterations >= limit {
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
        self.iterations += 1;
        let mut asked = 0;
        let Branch { list, choice } = branch;
        if choice.is_action() {
            let action = self
                .instances
                .action(lifted, &mut self.facts, choice.instance);
            action.apply(lifted, &self.facts, &mut self.state, &mut asked);
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
            asked += 1;
        }
        let start = self.branches.len();
        let found = list == DONE && goal_holds(lifted, &self.facts, &self.state, &mut asked);
        self.iterations += asked / STEPS_A_NODE;
        let has_more = list != DONE && self.list_branches(lifted, list, open, FEW_BRANCHES);
        self.frames.push(Frame {
            list,
            has_more,
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

    /// Lists what can be done with the first task. True if there may be more than was listed.
    fn list_branches(&mut self, lifted: &Lifted, list: List, open: u32, most: usize) -> bool {
        let (first, rest) = (self.lists.first(list), self.lists.rest(list));
        let task = self.instances.task(first);
        if lifted.tasks[task].action.is_some() {
            let action = self.instances.action(lifted, &mut self.facts, first);
            let view = View {
                domain: &lifted.problem.domain,
                facts: &self.facts,
                state: &self.state,
            };
            let mut asked = 0;
            if action.is_possible(view, &mut asked) {
                self.branches.push(Branch {
                    list: rest,
                    choice: Choice::action(first),
                });
            }
            self.iterations += asked / STEPS_A_NODE;
            return false;
        }
        let mut outer = open;
        for _ in 0..FARTHEST {
            let Some(around) = self.open.get(outer as usize) else {
                break;
            };
            if around.task == first && around.state == self.state.hash {
                self.is_incomplete = true;
                return false;
            }
            outer = around.outer;
        }
        let arguments = self.instances.arguments(first).to_vec();
        let start = self.branches.len();
        (self.binding.steps, self.binding.most_steps) = (0, MOST_STEPS);
        let mut has_more = false;
        for method in self.ordered(lifted, task) {
            let choice = Choice::method(first, method);
            let left = most.saturating_sub(self.branches.len() - start);
            let method = &lifted.methods[method];
            let least = self.binding.steps + LEAST_STEPS;
            self.binding.most_steps = self.binding.most_steps.max(least);
            has_more |= !self.list_method(lifted, method, choice, &arguments, rest, left);
        }
        self.iterations += self.binding.steps / STEPS_A_NODE;
        if let Order::Shuffled(seed) = self.order {
            let mut random = seed ^ self.iterations;
            for index in (start + 1..self.branches.len()).rev() {
                random = scatter(random) as u64;
                let other = start + (random % (index - start + 1) as u64) as usize;
                self.branches.swap(index, other);
            }
        }
        has_more
    }

    fn ordered(&self, lifted: &Lifted, task: usize) -> Vec<usize> {
        let mut methods = lifted.tasks[task].methods.clone();
        match self.order {
            Order::Text => {}
            Order::Reversed => methods.reverse(),
            Order::Shortest => {
                methods.sort_by_key(|method| lifted.methods[*method].subtasks.len());
            }
            Order::Shuffled(seed) => {
                methods
                    .sort_by_key(|method| scatter(seed ^ self.iterations ^ (*method as u64) << 32));
            }
        }
        methods
    }

    /// Lists at most so many ways to use a method. False if there may be more.
    fn list_method(
        &mut self,
        lifted: &Lifted,
        method: &LiftedMethod,
        choice: Choice,
        arguments: &[u32],
        rest: List,
        most: usize,
    ) -> bool {
        if method.hopeless {
            return true;
        }
        let Self {
            facts,
            state,
            instances,
            lists,
            branches,
            binding,
            ..
        } = self;
        let view = View {
            domain: &lifted.problem.domain,
            facts,
            state,
        };
        let end = branches.len() + most;
        binding.each(view, method, arguments, &mut |values| {
            if branches.len() >= end {
                return false;
            }
            let list = super::put_subtasks(instances, lists, method, values, rest);
            // Values of variables that no subtask uses make no difference.
            if branches
                .last()
                .is_none_or(|last| last.list != list || last.choice != choice)
            {
                branches.push(Branch { list, choice });
            }
            true
        })
    }
}
