//! What must be true for a list of tasks to be done: facts that every way to do them needs and that
//! nothing before could bring about.
//!
//! A state in which such a fact is missing is a dead end, however far in the future the fact is
//! needed. For a list it takes no more than a comparison of bits, because what a list needs follows
//! from its first task and from what the rest needs.

use super::grounded::{Fluent, Grounded, Method};
use super::instances::{DONE, Instance, List, Lists};

/// A set of fluents, or one for each task in a row.
type Words = Vec<u64>;

pub(crate) struct Necessities {
    words: usize,
    /// For each task: what it needs to be true, what it needs to be false, what it may make true,
    /// what it may make false.
    tasks: [Words; 4],
    /// For each list, as far as worked out: what it needs to be true, and to be false.
    lists: Words,
    listed: usize,
    /// For each method: what it needs to be true and to be false, with all its subtasks.
    methods: Words,
    goal: Words,
    stage: Stage,
    /// The task or method that is looked at next, and whether this time round anything changed.
    next: usize,
    has_changed: bool,
}

/// What is being worked out, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Effects,
    Needs,
    Methods,
    Ready,
}

/// Larger tables than this, in words, are not made.
const LARGEST: usize = 64_000_000;

const TRUE: usize = 0;
const FALSE: usize = 1;
const RISING: usize = 2;
const FALLING: usize = 3;

fn bits(words: usize, fluents: &[Fluent]) -> Words {
    let mut set = vec![0; words];
    for fluent in fluents {
        set[*fluent as usize / 64] |= 1 << (fluent % 64);
    }
    set
}

impl Necessities {
    /// Tables to be filled by [`prepare`](Self::prepare). None if they would be too large.
    pub(crate) fn new(grounded: &Grounded) -> Option<Self> {
        let words = grounded.start.len();
        let count = grounded.actions.len();
        if words * (4 * count + 2 * grounded.methods.len()) > LARGEST {
            return None;
        }
        let mut goal = bits(words, &grounded.goal.needed);
        goal.extend(bits(words, &grounded.goal.forbidden));
        let mut all = Self {
            words,
            tasks: [
                // The greatest solution is wanted, because what never ends needs everything.
                vec![u64::MAX; words * count],
                vec![u64::MAX; words * count],
                vec![0; words * count],
                vec![0; words * count],
            ],
            lists: goal.clone(),
            listed: 1,
            methods: Vec::new(),
            goal,
            stage: Stage::Effects,
            next: 0,
            has_changed: false,
        };
        for (task, action) in grounded.actions.iter().enumerate() {
            let Some(action) = action else { continue };
            let (mut rising, mut falling) = (action.added.clone(), action.removed.clone());
            for (_, fluent, becomes) in &action.conditional {
                if *becomes {
                    rising.push(*fluent);
                } else {
                    falling.push(*fluent);
                }
            }
            for (kind, fluents) in [
                (TRUE, &action.condition.needed),
                (FALSE, &action.condition.forbidden),
                (RISING, &rising),
                (FALLING, &falling),
            ] {
                let range = task * words..(task + 1) * words;
                all.tasks[kind][range].copy_from_slice(&bits(words, fluents));
            }
        }
        Some(all)
    }

    pub(crate) fn is_ready(&self) -> bool {
        self.stage == Stage::Ready
    }

    /// Works for about so many steps; says how many it took. A step is a few words.
    pub(crate) fn prepare(&mut self, grounded: &Grounded, most: u64) -> u64 {
        let mut steps = 0;
        while self.stage != Stage::Ready && steps < most {
            let next = self.next;
            self.next += 1;
            let (after, count) = match self.stage {
                Stage::Effects => (Stage::Needs, grounded.methods_of.len()),
                Stage::Needs => (Stage::Methods, grounded.methods_of.len()),
                Stage::Methods | Stage::Ready => (Stage::Ready, grounded.methods.len()),
            };
            if next < count {
                steps += match self.stage {
                    Stage::Effects => self.close_effects(grounded, next),
                    Stage::Needs => self.close_needs(grounded, next),
                    Stage::Methods | Stage::Ready => {
                        let needs = self.of_method(&grounded.methods[next]);
                        self.methods.extend(needs);
                        self.work(&grounded.methods[next])
                    }
                };
                continue;
            }
            self.next = 0;
            // What changed in one task may change others.
            if !std::mem::take(&mut self.has_changed) {
                self.stage = after;
            }
        }
        steps
    }

    /// What looking at a method takes, in steps.
    fn work(&self, method: &Method) -> u64 {
        1 + (self.words * (method.subtasks.len() + 1)) as u64 / 4
    }

    fn close_effects(&mut self, grounded: &Grounded, task: usize) -> u64 {
        let words = self.words;
        let mut steps = 1;
        for method in &grounded.methods_of[task] {
            let method = &grounded.methods[*method as usize];
            steps += self.work(method);
            for subtask in &method.subtasks {
                for kind in [RISING, FALLING] {
                    for word in 0..words {
                        let theirs = self.tasks[kind][*subtask as usize * words + word];
                        let mine = &mut self.tasks[kind][task * words + word];
                        self.has_changed |= theirs & !*mine != 0;
                        *mine |= theirs;
                    }
                }
            }
        }
        steps
    }

    fn close_needs(&mut self, grounded: &Grounded, task: usize) -> u64 {
        let words = self.words;
        let methods = &grounded.methods_of[task];
        if methods.is_empty() {
            return 1;
        }
        let mut steps = 1;
        let mut common = vec![u64::MAX; 2 * words];
        for method in methods {
            let method = &grounded.methods[*method as usize];
            steps += self.work(method);
            for (word, need) in common.iter_mut().zip(self.of_method(method)) {
                *word &= need;
            }
        }
        for kind in [TRUE, FALSE] {
            let range = task * words..(task + 1) * words;
            let mine = &mut self.tasks[kind][range];
            let new = &common[kind * words..(kind + 1) * words];
            if mine != new {
                mine.copy_from_slice(new);
                self.has_changed = true;
            }
        }
        steps
    }

    /// What a method needs: true, then false.
    fn of_method(&self, method: &Method) -> Words {
        let mut needs = vec![0; 2 * self.words];
        for task in method.subtasks.iter().rev() {
            self.before(*task, &mut needs);
        }
        let condition = &method.condition;
        for (kind, fluents) in [(TRUE, &condition.needed), (FALSE, &condition.forbidden)] {
            for fluent in fluents {
                needs[kind * self.words + *fluent as usize / 64] |= 1 << (fluent % 64);
            }
        }
        needs
    }

    /// From what is needed after a task to what is needed before it.
    fn before(&self, task: Instance, needs: &mut [u64]) {
        let words = self.words;
        for (kind, changes) in [(TRUE, RISING), (FALSE, FALLING)] {
            for word in 0..words {
                let at = task as usize * words + word;
                let need = &mut needs[kind * words + word];
                *need = *need & !self.tasks[changes][at] | self.tasks[kind][at];
            }
        }
    }

    /// Works out what lists made since the last time need.
    fn catch_up(&mut self, lists: &Lists) {
        let row = 2 * self.words;
        while self.listed < lists.count() {
            let list = self.listed as List;
            let rest = lists.rest(list) as usize;
            // The rest of a list was made before it.
            let mut needs = self.lists[rest * row..(rest + 1) * row].to_vec();
            self.before(lists.first(list), &mut needs);
            self.lists.extend(needs);
            self.listed += 1;
        }
    }

    /// False if the list certainly cannot be done from the state so that the goal holds.
    pub(crate) fn allow(&mut self, lists: &Lists, list: List, state: &[u64]) -> bool {
        self.catch_up(lists);
        if list == DONE {
            return fits(&self.goal, state);
        }
        let row = 2 * self.words;
        fits(
            &self.lists[list as usize * row..(list as usize + 1) * row],
            state,
        )
    }

    /// False if the method certainly cannot be done from the state.
    pub(crate) fn allow_method(&self, method: u32, state: &[u64]) -> bool {
        let row = 2 * self.words;
        fits(
            &self.methods[method as usize * row..(method as usize + 1) * row],
            state,
        )
    }

    /// How much memory the lists take.
    pub(crate) fn size(&self) -> usize {
        self.lists.len()
    }
}

fn fits(needs: &[u64], state: &[u64]) -> bool {
    let (needed, forbidden) = needs.split_at(state.len());
    needed
        .iter()
        .zip(state)
        .all(|(need, word)| need & !word == 0)
        && forbidden
            .iter()
            .zip(state)
            .all(|(need, word)| need & word == 0)
}
