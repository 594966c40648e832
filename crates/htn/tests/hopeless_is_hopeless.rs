//! What the planner remembers as hopeless is: in domains that lead back to themselves it finds a
//! plan exactly if there is one.

use std::collections::BTreeSet;

use apprentice_htn::{Aim, Domain, Limits, Memory, Planner, Refinements};
use apprentice_search::{Budget, Cost, Status};
use proptest::prelude::*;

/// Methods may lead to any task, also back. States are four truth values.
#[derive(Clone, Debug)]
struct Circular {
    tasks: Vec<Kind>,
}

#[derive(Clone, Debug)]
enum Kind {
    Primitive {
        needs: u8,
        forbids: u8,
        sets: u8,
        clears: u8,
    },
    Compound(Vec<(u8, Vec<usize>)>),
}

impl Domain for Circular {
    type State = u8;
    type Task = usize;

    fn refine(&self, &task: &usize, &state: &u8, out: &mut Refinements<u8, usize>) {
        match &self.tasks[task] {
            Kind::Primitive {
                needs,
                forbids,
                sets,
                clears,
            } => {
                if state & needs == *needs && state & forbids == 0 {
                    out.act(state & !clears | sets, Cost::from_ticks(1));
                }
            }
            Kind::Compound(methods) => {
                for (needs, subtasks) in methods {
                    if state & needs == *needs {
                        out.replace_by(subtasks.iter().copied());
                    }
                }
            }
        }
    }

    fn state_digest(&self, state: &u8) -> Option<u64> {
        Some(u64::from(*state))
    }

    fn task_digest(&self, task: &usize) -> Option<u64> {
        Some(*task as u64)
    }

    fn situation(&self, task: &usize, state: &u8) -> Option<u64> {
        Some((*task as u64) << 8 | u64::from(*state))
    }
}

/// All states in which each task can end, for each state it begins in: nothing at first, more and
/// more until nothing is new.
fn outcomes(domain: &Circular) -> Vec<Vec<BTreeSet<u8>>> {
    let mut ends = vec![vec![BTreeSet::new(); 16]; domain.tasks.len()];
    loop {
        let before = ends.clone();
        for (task, kind) in domain.tasks.iter().enumerate() {
            for state in 0..16u8 {
                match kind {
                    Kind::Primitive {
                        needs,
                        forbids,
                        sets,
                        clears,
                    } => {
                        if state & needs == *needs && state & forbids == 0 {
                            ends[task][state as usize].insert(state & !clears | sets);
                        }
                    }
                    Kind::Compound(methods) => {
                        for (needs, subtasks) in methods {
                            if state & needs != *needs {
                                continue;
                            }
                            let mut states = BTreeSet::from([state]);
                            for subtask in subtasks {
                                states = states
                                    .iter()
                                    .flat_map(|state| before[*subtask][*state as usize].clone())
                                    .collect();
                            }
                            ends[task][state as usize].extend(states);
                        }
                    }
                }
            }
        }
        if ends == before {
            return ends;
        }
    }
}

fn mask() -> impl Strategy<Value = u8> {
    prop_oneof![Just(0u8), (0u8..4).prop_map(|bit| 1 << bit)]
}

fn circular() -> impl Strategy<Value = Circular> {
    let compound = || {
        let subtasks = prop::collection::vec(0usize..7, 0..4);
        prop::collection::vec((mask(), subtasks), 1..4).prop_map(Kind::Compound)
    };
    let primitive = || {
        (mask(), mask(), mask(), mask()).prop_map(|(needs, forbids, sets, clears)| {
            Kind::Primitive {
                needs,
                forbids,
                sets,
                clears,
            }
        })
    };
    (
        prop::collection::vec(compound(), 4),
        prop::collection::vec(primitive(), 3),
    )
        .prop_map(|(mut tasks, primitives)| {
            tasks.extend(primitives);
            Circular { tasks }
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn there_is_a_plan_exactly_if_one_is_found(domain in circular(), state in 0u8..16, tail in prop::collection::vec(0usize..7, 0..3)) {
        let ends = outcomes(&domain);
        let mut states = BTreeSet::from([state]);
        let mut goal = vec![0];
        goal.extend(tail);
        for task in &goal {
            states = states.iter().flat_map(|state| ends[*task][*state as usize].clone()).collect();
        }
        let limits = Limits { depth: 60, ..Limits::default() };
        for aim in [Aim::First, Aim::Best] {
            let mut planner = Planner::new(state, apprentice_htn::Network::ordered(goal.clone()))
                .aim(aim)
                .memory(Memory::DeadEnds)
                .limits(limits);
            let mut budget = Budget::units(20_000);
            let mut status = planner.run(&domain, &mut budget);
            while status == Status::Improved {
                status = planner.run(&domain, &mut budget);
            }
            if planner.plan().is_some() {
                prop_assert!(!states.is_empty());
            }
            if status == Status::Unsolvable {
                prop_assert!(states.is_empty());
            }
        }
    }
}
