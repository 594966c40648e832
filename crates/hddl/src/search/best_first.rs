//! Searches a problem in which every variable has its value, in two ways that take turns: one goes
//! where least seems to be left to do, the other into the depth. Both turn back where something is
//! missing that the tasks still to do need and cannot bring about. Where what is still to do can
//! grow without end, a third way comes to an end nevertheless.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::FxHashSet;
use super::Answer;
use super::estimate::{Estimate, NEVER};
use super::facts::scatter;
use super::grounded::{Action, Grounded, Method};
use super::grounding::{Grounding, Stage};
use super::instances::{DONE, Instance, Instances, List, Lists};
use super::lifted::Lifted;
use super::necessities::Necessities;
use super::outline::{Choice, Outline};
use super::summaries::{Summaries, can_grow};

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
    necessities: Necessities,
    lists: Lists,
    guided: Frontier,
    deep: Frontier,
    /// None if no task can be put off for ever by itself.
    summaries: Option<Summaries>,
    found: Option<Vec<Choice>>,
}

/// Where a search is.
struct Frontier {
    is_guided: bool,
    nodes: Vec<Node>,
    open: BinaryHeap<(Reverse<u32>, u32)>,
    visited: FxHashSet<u128>,
    states: Vec<u64>,
    /// What is being done without a choice.
    run: ForcedRun,
    /// Iterations it took.
    spent: u64,
}

/// A row of nodes of which each leaves no choice but the next. It may be longer than a budget, or
/// have no end at all, so it is walked a piece at a time.
#[derive(Default)]
struct ForcedRun {
    /// The node it has come to; none if nothing is being walked.
    at: Option<u32>,
    /// How many nodes it has.
    length: u64,
    state: Vec<u64>,
    /// Whether the state is another one than that which was kept for its first node.
    is_new_state: bool,
    /// Tasks that were begun in this very state and are not finished, and how many tasks will be
    /// left when each is.
    begun: Vec<(Instance, u32)>,
    /// The same, by task.
    is_begun: Vec<bool>,
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

/// So many nodes without a choice are walked in one step.
const FORCED_A_STEP: u32 = 64;

/// After so many nodes without a choice, and again each time they have become twice as many, it is
/// asked whether there is still hope. Asking takes as long as many of them.
const FORCED_UNASKED: u64 = 256;

/// So many steps of listing, or operators of an estimate, take about as long as an iteration.
const STEPS_AN_ITERATION: u64 = 64;

/// The guided search may take so many times as much as the one into the depth.
const GUIDED_SHARE: u64 = 3;

/// The other two may take so many times as much as the one that always comes to an end: where they
/// come to an end as well, they mostly do so sooner.
const SEARCHING_SHARE: u64 = 7;

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
                if !ready.necessities.is_ready() {
                    let most = STEPS_AN_ITERATION * 16;
                    let steps = ready.necessities.prepare(&ready.grounded, most);
                    self.iterations += 1 + steps / STEPS_AN_ITERATION;
                    continue;
                }
                let (answer, spent) = ready.step();
                self.iterations += spent;
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
                            let instances = grounding.instances;
                            self.ready = Ready::new(grounded, instances, can_grow(lifted));
                        }
                    }
                }
            }
        }
        Answer::NotYet
    }

    pub(crate) fn outline(&self) -> Option<Outline> {
        let ready = self.ready.as_ref()?;
        let choices = ready.found.as_ref()?.iter().copied();
        Some(Outline::new(&ready.instances, choices))
    }
}

impl Ready {
    /// None if that would take too much memory.
    fn new(grounded: Grounded, instances: Instances, can_grow: bool) -> Option<Self> {
        let necessities = Necessities::new(&grounded)?;
        let mut ready = Self {
            estimate: Estimate::new(&grounded),
            necessities,
            instances,
            lists: Lists::new(),
            guided: Frontier::new(true),
            deep: Frontier::new(false),
            summaries: can_grow.then(Summaries::new),
            found: None,
            grounded,
        };
        let start = ready.grounded.start.clone();
        for frontier in [&mut ready.guided, &mut ready.deep] {
            frontier.states.extend(&start);
            for method in ready.grounded.first.iter().rev() {
                if method.condition.holds(&start) {
                    let list = put(&mut ready.lists, method, DONE);
                    frontier.open_node(NONE, Choice::FIRST_NETWORK, list, 0, 0);
                }
            }
        }
        Some(ready)
    }

    /// One step of the search that has taken less so far, and what it took.
    fn step(&mut self) -> (Answer, u64) {
        let searching = self.guided.spent + self.deep.spent;
        if let Some(summaries) = &mut self.summaries
            && summaries.spent * SEARCHING_SHARE <= searching
        {
            let (answer, spent, choices) = summaries.step(&self.grounded, &self.necessities);
            return match answer {
                Answer::Found => {
                    self.found = Some(choices);
                    (answer, spent)
                }
                Answer::GaveUp => {
                    self.summaries = None;
                    (Answer::NotYet, spent)
                }
                Answer::Impossible | Answer::NotYet => (answer, spent),
            };
        }
        let work = self.estimate.work;
        let frontier = if self.guided.spent <= self.deep.spent * GUIDED_SHARE {
            &mut self.guided
        } else {
            &mut self.deep
        };
        let before = frontier.nodes.len();
        let step = frontier.step(
            &self.grounded,
            &mut self.estimate,
            &mut self.necessities,
            &mut self.lists,
        );
        let spent = 1
            + (self.estimate.work - work) / STEPS_AN_ITERATION
            + (frontier.nodes.len() - before) as u64 / 4;
        frontier.spent += spent;
        let size = self.necessities.size() / 2 + self.guided.size() + self.deep.size();
        let answer = match step {
            Step::Found(choices) => {
                self.found = Some(choices);
                Answer::Found
            }
            Step::Exhausted => Answer::Impossible,
            Step::Taken if size > LARGEST => Answer::GaveUp,
            Step::Taken => Answer::NotYet,
        };
        (answer, spent)
    }
}

enum Step {
    Taken,
    Exhausted,
    Found(Vec<Choice>),
}

fn put(lists: &mut Lists, method: &Method, rest: List) -> List {
    let subtasks = method.subtasks.iter().rev();
    subtasks.fold(rest, |list, task| lists.put(*task, list))
}

impl Frontier {
    fn new(is_guided: bool) -> Self {
        Self {
            is_guided,
            nodes: Vec::new(),
            open: BinaryHeap::new(),
            visited: FxHashSet::default(),
            states: Vec::new(),
            run: ForcedRun::default(),
            spent: 0,
        }
    }

    fn size(&self) -> usize {
        self.nodes.len() + self.states.len() / 2 + self.visited.len() * 4
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

    /// Takes the most promising node, does what leaves no choice, and opens what follows. Where
    /// very much leaves no choice, that takes several steps.
    fn step(
        &mut self,
        grounded: &Grounded,
        estimate: &mut Estimate,
        necessities: &mut Necessities,
        lists: &mut Lists,
    ) -> Step {
        let words = grounded.start.len();
        let mut number = match self.run.at.take() {
            Some(number) => number,
            None => {
                let Some((_, number)) = self.open.pop() else {
                    return Step::Exhausted;
                };
                let from = self.nodes[number as usize].state as usize * words;
                let kept = &self.states[from..from + words];
                self.run.begin(kept, grounded.actions.len());
                number
            }
        };
        let mut walked = 0;
        let (methods, rest) = loop {
            let node = self.nodes[number as usize];
            if walked == FORCED_A_STEP {
                return self.go_on_later(number, grounded, estimate, lists);
            }
            if !necessities.allow(lists, node.list, &self.run.state)
                || !self.visited.insert(digest(&self.run.state, node.list))
            {
                return Step::Taken;
            }
            if node.list == DONE {
                // Nothing is needed any more but the goal, which was asked for.
                return Step::Found(self.choices(number));
            }
            let (task, rest) = (lists.first(node.list), lists.rest(node.list));
            let (choice, list) = if let Some(action) = &grounded.actions[task as usize] {
                if !action.condition.holds(&self.run.state) {
                    return Step::Taken;
                }
                self.run.act(action);
                (Choice::action(task), rest)
            } else {
                let mut methods: Vec<u32> = grounded.methods_of[task as usize]
                    .iter()
                    .copied()
                    .filter(|method| necessities.allow_method(*method, &self.run.state))
                    .collect();
                match methods.len() {
                    0 => return Step::Taken,
                    1 => {
                        if !self.run.begin_task(task, lists, node.list) {
                            return Step::Taken;
                        }
                        let method = &grounded.methods[methods.remove(0) as usize];
                        (
                            Choice::method(task, method.number),
                            put(lists, method, rest),
                        )
                    }
                    _ => break (methods, rest),
                }
            };
            let parent = number;
            number = self.nodes.len() as u32;
            self.nodes.push(Node {
                parent,
                choice,
                list,
                state: NONE,
            });
            walked += 1;
            self.run.length += 1;
        };
        let list = self.nodes[number as usize].list;
        let left = if self.is_guided {
            estimate.of(grounded, lists, &self.run.state, list)
        } else {
            0
        };
        if left == NEVER {
            return Step::Taken;
        }
        let kept = self.keep_state(number);
        let task = lists.first(list);
        // What is opened last is taken first among equals: the first method of the text.
        for method in methods.into_iter().rev() {
            let method = &grounded.methods[method as usize];
            let list = put(lists, method, rest);
            let choice = Choice::method(task, method.number);
            self.open_node(number, choice, list, kept, left);
        }
        Step::Taken
    }

    /// Leaves a long row of nodes without a choice where it is. Once in a while it asks whether the
    /// row leads anywhere, and lets others go first to whom less seems to be left.
    fn go_on_later(
        &mut self,
        number: u32,
        grounded: &Grounded,
        estimate: &mut Estimate,
        lists: &Lists,
    ) -> Step {
        let length = self.run.length;
        if length >= FORCED_UNASKED && length.is_power_of_two() {
            let list = self.nodes[number as usize].list;
            let left = estimate.of(grounded, lists, &self.run.state, list);
            if left == NEVER {
                return Step::Taken;
            }
            let is_less = |(Reverse(least), _): &(Reverse<u32>, u32)| *least < left;
            if self.is_guided && self.open.peek().is_some_and(is_less) {
                self.nodes[number as usize].state = self.keep_state(number);
                self.open.push((Reverse(left), number));
                return Step::Taken;
            }
        }
        self.run.at = Some(number);
        Step::Taken
    }

    /// Where the state of a node is kept, in states.
    fn keep_state(&mut self, number: u32) -> u32 {
        let node = self.nodes[number as usize];
        if !self.run.is_new_state && node.state != NONE {
            return node.state;
        }
        let words = self.run.state.len();
        let kept = (self.states.len() / words.max(1)) as u32;
        self.states.extend(&self.run.state);
        kept
    }

    fn choices(&self, number: u32) -> Vec<Choice> {
        let mut at = number;
        let mut choices = Vec::new();
        while at != NONE {
            let node = self.nodes[at as usize];
            choices.push(node.choice);
            at = node.parent;
        }
        choices.reverse();
        choices
    }
}

impl ForcedRun {
    fn begin(&mut self, state: &[u64], tasks: usize) {
        self.length = 0;
        self.state.clear();
        self.state.extend(state);
        self.is_new_state = false;
        self.is_begun.resize(tasks, false);
        self.forget_begun();
    }

    fn forget_begun(&mut self) {
        for (task, _) in self.begun.drain(..) {
            self.is_begun[task as usize] = false;
        }
    }

    fn act(&mut self, action: &Action) {
        if action.apply(&mut self.state) {
            self.is_new_state = true;
            self.forget_begun();
        }
    }

    /// Begins the first task of a list. False if it is begun already, in the same state, and not
    /// finished: what led from it to itself without a choice will do so for ever.
    fn begin_task(&mut self, task: Instance, lists: &Lists, list: List) -> bool {
        let length = lists.length(list);
        while let Some((finished, left)) = self.begun.last().copied()
            && left >= length
        {
            self.is_begun[finished as usize] = false;
            self.begun.pop();
        }
        if std::mem::replace(&mut self.is_begun[task as usize], true) {
            return false;
        }
        self.begun.push((task, length - 1));
        true
    }
}

/// A number that stands for a state with tasks still to do.
pub(crate) fn digest(state: &[u64], list: List) -> u128 {
    let start = scatter(u64::from(list) | 1 << 40);
    state.iter().enumerate().fold(start, |hash, (index, word)| {
        let mixed = scatter(word ^ (hash as u64) ^ ((index as u64) << 56));
        hash ^ mixed.rotate_left(index as u32 % 128)
    })
}
