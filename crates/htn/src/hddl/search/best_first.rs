//! Goes where least seems to be left to do.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::FxHashSet;
use super::Answer;
use super::estimate::{Estimate, NEVER};
use super::facts::scatter;
use super::grounded::{Grounded, Method};
use super::grounding::{Grounding, Stage};
use super::instances::{DONE, Instances, List, Lists};
use super::lifted::Lifted;
use super::outline::{Choice, Outline};

pub(crate) struct BestFirst {
    grounding: Option<Grounding>,
    ready: Option<Ready>,
    pub(crate) iterations: u64,
}

/// What there is once everything is listed.
struct Ready {
    instances: Instances,
    grounded: Grounded,
    estimate: Estimate,
    lists: Lists,
    nodes: Vec<Node>,
    open: BinaryHeap<(Reverse<u32>, u32)>,
    visited: FxHashSet<u128>,
    states: Vec<u64>,
    found: Option<u32>,
}

#[derive(Clone, Copy)]
struct Node {
    parent: u32,
    choice: Choice,
    list: List,
    /// Where its state is kept, in states.
    state: u32,
}

const NONE: u32 = u32::MAX;

/// So many steps of listing, or operators of an estimate, take about as long as an iteration.
const STEPS_AN_ITERATION: u64 = 64;

/// More memory than this, in things kept, is not used.
const LARGEST: usize = 60_000_000;

impl BestFirst {
    pub(crate) fn new(lifted: &Lifted) -> Self {
        Self {
            grounding: Some(Grounding::new(lifted)),
            ready: None,
            iterations: 0,
        }
    }

    pub(crate) fn run(&mut self, lifted: &Lifted, most: u64) -> Answer {
        let limit = self.iterations.saturating_add(most);
        while self.iterations < limit {
            if let Some(ready) = &mut self.ready {
                let before = ready.estimate.work;
                let answer = ready.step();
                self.iterations += 1 + (ready.estimate.work - before) / STEPS_AN_ITERATION;
                if answer != Answer::NotYet {
                    return answer;
                }
                continue;
            }
            let Some(grounding) = &mut self.grounding else {
                return Answer::GaveUp;
            };
            let steps = grounding.run(lifted, STEPS_AN_ITERATION * 16);
            self.iterations += 1 + steps / STEPS_AN_ITERATION;
            match grounding.stage {
                Stage::Listing => {}
                Stage::GaveUp => {
                    self.grounding = None;
                    return Answer::GaveUp;
                }
                Stage::Done => {
                    let Some(mut grounding) = self.grounding.take() else {
                        return Answer::GaveUp;
                    };
                    self.iterations += grounding.methods.len() as u64 / STEPS_AN_ITERATION;
                    match Grounded::new(lifted, &mut grounding) {
                        None => return Answer::Impossible,
                        Some(grounded) => {
                            self.ready = Some(Ready::new(grounded, grounding.instances));
                        }
                    }
                }
            }
        }
        Answer::NotYet
    }

    pub(crate) fn outline(&self) -> Option<Outline> {
        let ready = self.ready.as_ref()?;
        let mut at = ready.found?;
        let mut choices = Vec::new();
        while at != NONE {
            let node = ready.nodes[at as usize];
            choices.push(node.choice);
            at = node.parent;
        }
        choices.reverse();
        Some(Outline::new(&ready.instances, choices.into_iter()))
    }
}

impl Ready {
    fn new(grounded: Grounded, instances: Instances) -> Self {
        let mut ready = Self {
            estimate: Estimate::new(&grounded),
            instances,
            lists: Lists::new(),
            nodes: Vec::new(),
            open: BinaryHeap::new(),
            visited: FxHashSet::default(),
            states: Vec::new(),
            found: None,
            grounded,
        };
        let start = ready.grounded.start.clone();
        ready.states.extend(&start);
        let first = ready.grounded.first.clone();
        for method in first {
            if method.condition.holds(&start) {
                let list = ready.put(&method, DONE);
                ready.open_node(NONE, Choice::FIRST_NETWORK, list, 0, 0);
            }
        }
        ready
    }

    fn put(&mut self, method: &Method, rest: List) -> List {
        let subtasks = method.subtasks.iter().rev();
        subtasks.fold(rest, |list, task| self.lists.put(*task, list))
    }

    fn open_node(&mut self, parent: u32, choice: Choice, list: List, state: u32, estimate: u32) {
        let number = self.nodes.len() as u32;
        self.nodes.push(Node {
            parent,
            choice,
            list,
            state,
        });
        self.open.push((Reverse(estimate), number));
    }

    fn words(&self) -> usize {
        self.grounded.start.len()
    }

    fn state(&self, number: u32) -> &[u64] {
        let from = number as usize * self.words();
        &self.states[from..from + self.words()]
    }

    /// Takes the most promising node, does all that leaves no choice, and opens what follows.
    fn step(&mut self) -> Answer {
        let Some((_, mut number)) = self.open.pop() else {
            return Answer::Impossible;
        };
        if self.nodes.len() + self.states.len() / 2 + self.visited.len() * 4 > LARGEST {
            return Answer::GaveUp;
        }
        let mut state = self.state(self.nodes[number as usize].state).to_vec();
        let mut is_new_state = false;
        let (methods, rest) = loop {
            let node = self.nodes[number as usize];
            let hash = state.iter().enumerate().fold(
                scatter(u64::from(node.list) | 1 << 40),
                |hash, (index, word)| {
                    hash ^ scatter(word ^ (hash as u64) ^ (index as u64) << 56)
                        .rotate_left(index as u32 % 128)
                },
            );
            if !self.visited.insert(hash) {
                return Answer::NotYet;
            }
            if node.list == DONE {
                if self.grounded.goal.holds(&state) {
                    self.found = Some(number);
                    return Answer::Found;
                }
                return Answer::NotYet;
            }
            let (task, rest) = (self.lists.first(node.list), self.lists.rest(node.list));
            let next = if let Some(action) = &self.grounded.actions[task as usize] {
                if !action.condition.holds(&state) {
                    return Answer::NotYet;
                }
                action.apply(&mut state);
                is_new_state = true;
                (Choice::action(task), rest)
            } else {
                let mut methods: Vec<u32> = self.grounded.methods_of[task as usize]
                    .iter()
                    .copied()
                    .filter(|method| {
                        self.grounded.methods[*method as usize]
                            .condition
                            .holds(&state)
                    })
                    .collect();
                match methods.len() {
                    0 => return Answer::NotYet,
                    1 => {
                        let method = self.grounded.methods[methods.remove(0) as usize].clone();
                        let list = self.put(&method, rest);
                        (Choice::method(task, method.number), list)
                    }
                    _ => break (methods, rest),
                }
            };
            let parent = number;
            number = self.nodes.len() as u32;
            self.nodes.push(Node {
                parent,
                choice: next.0,
                list: next.1,
                state: NONE,
            });
        };
        let list = self.nodes[number as usize].list;
        let estimate = self.estimate.of(&self.grounded, &self.lists, &state, list);
        if estimate == NEVER {
            return Answer::NotYet;
        }
        let kept = if is_new_state || self.nodes[number as usize].state == NONE {
            let kept = (self.states.len() / self.words().max(1)) as u32;
            self.states.extend(&state);
            kept
        } else {
            self.nodes[number as usize].state
        };
        let task = self.lists.first(list);
        // What is opened last is taken first among equals: the first method of the text.
        for method in methods.into_iter().rev() {
            let method = self.grounded.methods[method as usize].clone();
            let list = self.put(&method, rest);
            self.open_node(
                number,
                Choice::method(task, method.number),
                list,
                kept,
                estimate,
            );
        }
        Answer::NotYet
    }
}
