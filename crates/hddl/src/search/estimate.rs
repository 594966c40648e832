//! Estimates how much is still to do, by pretending that nothing ever becomes false and that no two
//! things ever help each other.
//!
//! Tasks are treated as facts that become true when the task is done: an action makes its own fact
//! true besides its effects, a method makes that of its task true once those of its subtasks are.
//! (Höller, Bercher, Behnke and Biundo, 2018, call this relaxed composition; the sums are those of
//! the additive heuristic of Bonet and Geffner, 2001.)

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::grounded::{Condition, Fluent, Grounded, is_true};
use super::instances::{DONE, Instance, List, Lists};

/// What is known to cost more than anything.
pub(crate) const NEVER: u32 = u32::MAX;

/// So many entries of the tables are made ready in the time it takes to look at an operator.
const CLEARED_AN_OPERATOR: u64 = 16;

/// What makes facts true, in the pretence.
struct Operator {
    /// Conditions that are not yet true, at first.
    conditions: u32,
    cost: u32,
    /// What becomes true: a range of `effects`.
    effects: (u32, u32),
}

pub(crate) struct Estimate {
    fluents: usize,
    /// The proposition for a fluent being false, if anything needs it.
    opposite: Vec<u32>,
    operators: Vec<Operator>,
    effects: Vec<u32>,
    /// For each proposition the operators that need it: ranges of `needed_by`.
    needed_from: Vec<u32>,
    needed_by: Vec<u32>,
    without_conditions: Vec<u32>,
    tasks_from: usize,
    propositions: usize,
    // Scratch.
    costs: Vec<u32>,
    missing: Vec<u32>,
    sums: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    wanted: Vec<bool>,
    /// Operators looked at in all, and what else takes time, in operators.
    pub(crate) work: u64,
}

impl Estimate {
    pub(crate) fn new(grounded: &Grounded) -> Self {
        let fluents = grounded.fluents;
        // Only where something asks for a fact to be false, that is a proposition of its own.
        let mut opposite = vec![u32::MAX; fluents];
        let mut propositions = fluents as u32;
        let mut oppose = |condition: &Condition| {
            for fluent in &condition.forbidden {
                if opposite[*fluent as usize] == u32::MAX {
                    opposite[*fluent as usize] = propositions;
                    propositions += 1;
                }
            }
        };
        for action in grounded.actions.iter().flatten() {
            oppose(&action.condition);
            for (condition, _, _) in &action.conditional {
                oppose(condition);
            }
        }
        for method in &grounded.methods {
            oppose(&method.condition);
        }
        oppose(&grounded.goal);
        let tasks_from = propositions as usize;
        let propositions = tasks_from + grounded.actions.len();

        let mut estimate = Self {
            fluents,
            opposite,
            operators: Vec::new(),
            effects: Vec::new(),
            needed_from: Vec::new(),
            needed_by: Vec::new(),
            without_conditions: Vec::new(),
            tasks_from,
            propositions,
            costs: Vec::new(),
            missing: Vec::new(),
            sums: Vec::new(),
            queue: BinaryHeap::new(),
            wanted: Vec::new(),
            work: 0,
        };
        let mut needs: Vec<Vec<u32>> = Vec::new();
        for (instance, action) in grounded.actions.iter().enumerate() {
            let Some(action) = action else { continue };
            let needed = estimate.propositions_of(&action.condition);
            let mut effects = vec![(tasks_from + instance) as u32];
            effects.extend(&action.added);
            effects.extend(estimate.opposites(&action.removed));
            estimate.add(&needed, effects, 1, &mut needs);
            for (condition, fluent, becomes) in &action.conditional {
                let mut needed = needed.clone();
                needed.extend(estimate.propositions_of(condition));
                needed.sort_unstable();
                needed.dedup();
                let effect = if *becomes {
                    vec![*fluent]
                } else {
                    estimate.opposites(&[*fluent])
                };
                estimate.add(&needed, effect, 1, &mut needs);
            }
        }
        for (task, methods) in grounded.methods_of.iter().enumerate() {
            for method in methods {
                let method = &grounded.methods[*method as usize];
                let mut needed = estimate.propositions_of(&method.condition);
                needed.extend(
                    method
                        .subtasks
                        .iter()
                        .map(|subtask| tasks_from as u32 + subtask),
                );
                // A task needed twice is needed once in the pretence.
                needed.sort_unstable();
                needed.dedup();
                estimate.add(&needed, vec![(tasks_from + task) as u32], 1, &mut needs);
            }
        }
        let mut by: Vec<Vec<u32>> = vec![Vec::new(); propositions];
        for (operator, needed) in needs.iter().enumerate() {
            for proposition in needed {
                by[*proposition as usize].push(operator as u32);
            }
        }
        for list in by {
            estimate.needed_from.push(estimate.needed_by.len() as u32);
            estimate.needed_by.extend(list);
        }
        estimate.needed_from.push(estimate.needed_by.len() as u32);
        estimate.wanted = vec![false; propositions];
        estimate
    }

    fn propositions_of(&self, condition: &Condition) -> Vec<u32> {
        let mut all = condition.needed.clone();
        all.extend(self.opposites(&condition.forbidden));
        all.sort_unstable();
        all.dedup();
        all
    }

    fn opposites(&self, fluents: &[Fluent]) -> Vec<u32> {
        fluents
            .iter()
            .map(|fluent| self.opposite[*fluent as usize])
            .filter(|opposite| *opposite != u32::MAX)
            .collect()
    }

    fn add(&mut self, needed: &[u32], effects: Vec<u32>, cost: u32, needs: &mut Vec<Vec<u32>>) {
        if needed.is_empty() {
            self.without_conditions.push(self.operators.len() as u32);
        }
        let from = self.effects.len() as u32;
        self.effects.extend(effects);
        self.operators.push(Operator {
            conditions: needed.len() as u32,
            cost,
            effects: (from, self.effects.len() as u32),
        });
        needs.push(needed.to_vec());
    }

    /// How much is to do from this state; [`NEVER`] if it cannot be done.
    pub(crate) fn of(
        &mut self,
        grounded: &Grounded,
        lists: &Lists,
        state: &[u64],
        list: List,
    ) -> u32 {
        self.costs.clear();
        self.costs.resize(self.propositions, NEVER);
        self.missing.clear();
        self.missing
            .extend(self.operators.iter().map(|operator| operator.conditions));
        self.sums.clear();
        self.sums.resize(self.operators.len(), 0);
        self.queue.clear();
        self.wanted.fill(false);
        let tables = self.propositions + self.operators.len();
        self.work += tables as u64 / CLEARED_AN_OPERATOR + u64::from(lists.length(list));
        let mut left = 0;
        let mut want = |proposition: usize, wanted: &mut Vec<bool>| {
            if !wanted[proposition] {
                wanted[proposition] = true;
                left += 1;
            }
        };
        let mut at = list;
        while at != DONE {
            want(self.tasks_from + lists.first(at) as usize, &mut self.wanted);
            at = lists.rest(at);
        }
        for proposition in self.propositions_of(&grounded.goal) {
            want(proposition as usize, &mut self.wanted);
        }
        for fluent in 0..self.fluents {
            if is_true(state, fluent as Fluent) {
                self.costs[fluent] = 0;
                self.queue.push(Reverse((0, fluent as u32)));
            } else if self.opposite[fluent] != u32::MAX {
                self.costs[self.opposite[fluent] as usize] = 0;
                self.queue.push(Reverse((0, self.opposite[fluent])));
            }
        }
        for index in 0..self.without_conditions.len() {
            let operator = self.without_conditions[index];
            self.fire(operator);
        }
        while left > 0 {
            let Some(Reverse((cost, proposition))) = self.queue.pop() else {
                return NEVER;
            };
            let proposition = proposition as usize;
            if cost > self.costs[proposition] {
                continue;
            }
            if self.wanted[proposition] {
                self.wanted[proposition] = false;
                left -= 1;
            }
            let (from, to) = (
                self.needed_from[proposition] as usize,
                self.needed_from[proposition + 1] as usize,
            );
            self.work += (to - from) as u64;
            for index in from..to {
                let operator = self.needed_by[index];
                self.sums[operator as usize] = self.sums[operator as usize].saturating_add(cost);
                self.missing[operator as usize] -= 1;
                if self.missing[operator as usize] == 0 {
                    self.fire(operator);
                }
            }
        }
        let mut sum: u32 = 0;
        let mut at = list;
        while at != DONE {
            sum = sum.saturating_add(self.cost_of(lists.first(at)));
            at = lists.rest(at);
        }
        for proposition in self.propositions_of(&grounded.goal) {
            sum = sum.saturating_add(self.costs[proposition as usize]);
        }
        sum.min(NEVER - 1)
    }

    fn cost_of(&self, task: Instance) -> u32 {
        self.costs[self.tasks_from + task as usize]
    }

    fn fire(&mut self, operator: u32) {
        let Operator {
            cost,
            effects: (from, to),
            ..
        } = self.operators[operator as usize];
        let cost = self.sums[operator as usize].saturating_add(cost);
        for index in from..to {
            let proposition = self.effects[index as usize];
            if cost < self.costs[proposition as usize] {
                self.costs[proposition as usize] = cost;
                self.queue.push(Reverse((cost, proposition)));
            }
        }
    }
}
