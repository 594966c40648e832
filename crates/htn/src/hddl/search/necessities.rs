//! What must be true for a list of tasks to be done: facts that every way to do them needs and that
//! nothing before could bring about.
//!
//! A state in which such a fact is missing is a dead end, however far in the future the fact is
//! needed. For a list it takes no more than a comparison of bits, because what a list needs follows
//! from its first task and from what the rest needs.

use super::grounded::{Fluent, Grounded};
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
}

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
    pub(crate) fn new(grounded: &Grounded) -> Self {
        let words = grounded.start.len();
        let count = grounded.actions.len();
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
        all.close_effects(grounded);
        all.close_needs(grounded);
        for method in &grounded.methods {
            let needs = all.of_method(
                &method.condition.needed,
                &method.condition.forbidden,
                &method.subtasks,
            );
            all.methods.extend(needs);
        }
        all
    }

    fn close_effects(&mut self, grounded: &Grounded) {
        let words = self.words;
        loop {
            let mut changed = false;
            for (task, methods) in grounded.methods_of.iter().enumerate() {
                for method in methods {
                    for subtask in &grounded.methods[*method as usize].subtasks {
                        for kind in [RISING, FALLING] {
                            for word in 0..words {
                                let theirs = self.tasks[kind][*subtask as usize * words + word];
                                let mine = &mut self.tasks[kind][task * words + word];
                                changed |= theirs & !*mine != 0;
                                *mine |= theirs;
                            }
                        }
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn close_needs(&mut self, grounded: &Grounded) {
        let words = self.words;
        loop {
            let mut changed = false;
            for (task, methods) in grounded.methods_of.iter().enumerate() {
                if methods.is_empty() {
                    continue;
                }
                let mut common = vec![u64::MAX; 2 * words];
                for method in methods {
                    let method = &grounded.methods[*method as usize];
                    let needs = self.of_method(
                        &method.condition.needed,
                        &method.condition.forbidden,
                        &method.subtasks,
                    );
                    for (word, need) in common.iter_mut().zip(needs) {
                        *word &= need;
                    }
                }
                for kind in [TRUE, FALSE] {
                    let range = task * words..(task + 1) * words;
                    let mine = &mut self.tasks[kind][range];
                    let new = &common[kind * words..(kind + 1) * words];
                    if mine != new {
                        mine.copy_from_slice(new);
                        changed = true;
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// What a method needs: true, then false.
    fn of_method(&self, needed: &[Fluent], forbidden: &[Fluent], subtasks: &[Instance]) -> Words {
        let mut needs = vec![0; 2 * self.words];
        for task in subtasks.iter().rev() {
            self.before(*task, &mut needs);
        }
        for (kind, fluents) in [(TRUE, needed), (FALSE, forbidden)] {
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
