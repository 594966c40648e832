//! The planner does what the textbook says: networks are sets with a strict order, frames are
//! copied, and every alternative is tried in order. The textbook's version is slow and obvious.

use std::collections::BTreeSet;

use apprentice_htn::{Aim, Domain, Improving, Memory, Network, Plan, Planner, Refinements};
use apprentice_search::{Budget, Cost, Status};
use proptest::prelude::*;

/// A random domain over eight truth values. Methods lead to later tasks only, so that it ends.
#[derive(Clone, Debug)]
struct Random {
    tasks: Vec<Kind>,
}

#[derive(Clone, Debug)]
enum Kind {
    Primitive {
        needs: u8,
        forbids: u8,
        adds: u8,
        removes: u8,
        cost: u64,
    },
    Compound(Vec<(u8, Net)>),
}

#[derive(Clone, Debug)]
enum Net {
    Task(usize),
    Ordered(Vec<Net>),
    Unordered(Vec<Net>),
}

impl Net {
    fn network(&self) -> Network<usize> {
        match self {
            Net::Task(task) => Network::from(*task),
            Net::Ordered(nets) => Network::ordered(nets.iter().map(Net::network)),
            Net::Unordered(nets) => Network::unordered(nets.iter().map(Net::network)),
        }
    }
}

impl Domain for Random {
    type State = u8;
    type Task = usize;

    fn refine(&self, &task: &usize, &state: &u8, out: &mut Refinements<u8, usize>) {
        match &self.tasks[task] {
            Kind::Primitive {
                needs,
                forbids,
                adds,
                removes,
                cost,
            } => {
                if state & needs == *needs && state & forbids == 0 {
                    out.act(state & !removes | adds, Cost::from_ticks(*cost));
                }
            }
            Kind::Compound(methods) => {
                for (needs, net) in methods {
                    if state & needs == *needs {
                        out.replace_by_network(net.network());
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

/// Tasks in order of creation, each with those that must come first.
#[derive(Clone)]
struct Textbook {
    items: Vec<(u64, usize, BTreeSet<u64>)>,
    next: u64,
}

impl Textbook {
    /// Adds a network before place `at`; gives its sources, its sinks and how many items it has.
    fn add(&mut self, at: usize, net: &Net) -> (Vec<u64>, Vec<u64>, usize) {
        match net {
            Net::Task(task) => {
                self.next += 1;
                self.items.insert(at, (self.next, *task, BTreeSet::new()));
                (vec![self.next], vec![self.next], 1)
            }
            Net::Ordered(nets) => {
                let (mut sources, mut sinks, mut size) = (vec![], vec![], 0);
                for net in nets {
                    let (first, last, added) = self.add(at + size, net);
                    if added == 0 {
                        continue;
                    }
                    if size == 0 {
                        sources = first;
                    } else {
                        self.precede(&sinks, &first);
                    }
                    sinks = last;
                    size += added;
                }
                (sources, sinks, size)
            }
            Net::Unordered(nets) => {
                let (mut sources, mut sinks, mut size) = (vec![], vec![], 0);
                for net in nets {
                    let (first, last, added) = self.add(at + size, net);
                    sources.extend(first);
                    sinks.extend(last);
                    size += added;
                }
                (sources, sinks, size)
            }
        }
    }

    fn precede(&mut self, before: &[u64], after: &[u64]) {
        for item in &mut self.items {
            if after.contains(&item.0) {
                item.2.extend(before);
            }
        }
    }

    /// Without the item at `at`, with `net` in its place.
    fn replace(&self, at: usize, net: &Net) -> Textbook {
        let mut new = self.clone();
        let (id, _, _) = new.items.remove(at);
        let (_, sinks, _) = new.add(at, net);
        for item in &mut new.items {
            if item.2.remove(&id) {
                item.2.extend(&sinks);
            }
        }
        new
    }
}

/// All plans, in order, as lists of tasks with their cost.
fn every(
    domain: &Random,
    state: u8,
    network: &Textbook,
    done: &mut Vec<usize>,
    cost: u64,
    plans: &mut Vec<(Vec<usize>, u64)>,
) {
    if plans.len() > 3000 {
        return;
    }
    if network.items.is_empty() {
        plans.push((done.clone(), cost));
    }
    for at in 0..network.items.len() {
        let (_, task, before) = &network.items[at];
        if !before.is_empty() {
            continue;
        }
        match &domain.tasks[*task] {
            Kind::Primitive {
                needs,
                forbids,
                adds,
                removes,
                cost: added,
            } => {
                if state & needs == *needs && state & forbids == 0 {
                    done.push(*task);
                    let rest = network.replace(at, &Net::Ordered(vec![]));
                    every(
                        domain,
                        state & !removes | adds,
                        &rest,
                        done,
                        cost + added,
                        plans,
                    );
                    done.pop();
                }
            }
            Kind::Compound(methods) => {
                for (needs, net) in methods {
                    if state & needs == *needs {
                        every(domain, state, &network.replace(at, net), done, cost, plans);
                    }
                }
            }
        }
    }
}

fn net(tasks: std::ops::Range<usize>) -> impl Strategy<Value = Net> {
    let leaf = tasks.prop_map(Net::Task);
    leaf.prop_recursive(2, 5, 3, |inner| {
        prop_oneof![
            2 => prop::collection::vec(inner.clone(), 0..4).prop_map(Net::Ordered),
            1 => prop::collection::vec(inner, 0..3).prop_map(Net::Unordered),
        ]
    })
}

fn mask() -> impl Strategy<Value = u8> {
    prop_oneof![2 => Just(0u8), 2 => (0u8..8).prop_map(|bit| 1 << bit), 1 => any::<u8>().prop_map(|a| a & 0x11)]
}

fn random() -> impl Strategy<Value = Random> {
    let primitive = || {
        (mask(), mask(), mask(), mask(), 0u64..4).prop_map(
            |(needs, forbids, adds, removes, cost)| Kind::Primitive {
                needs,
                forbids: forbids & !needs,
                adds,
                removes,
                cost,
            },
        )
    };
    let compound = |first: usize| {
        prop::collection::vec((mask(), net(first..8)), 1..4).prop_map(Kind::Compound)
    };
    (
        compound(1),
        compound(2),
        compound(3),
        prop::collection::vec(primitive(), 5),
    )
        .prop_map(|(a, b, c, rest)| {
            let mut tasks = vec![a, b, c];
            tasks.extend(rest);
            Random { tasks }
        })
}

fn tasks(plan: &Plan<usize>) -> (Vec<usize>, u64) {
    (plan.tasks().copied().collect(), plan.cost.ticks())
}

/// Runs in slices of `slice` iterations.
fn collect(
    domain: &Random,
    state: u8,
    aim: Aim,
    manner: (Memory, Improving),
    slice: u64,
) -> (Vec<(Vec<usize>, u64)>, Status, u64) {
    let (memory, improving) = manner;
    let mut planner = Planner::new(state, 0usize)
        .aim(aim)
        .memory(memory)
        .improving(improving);
    let mut plans = Vec::new();
    loop {
        let status = planner.run(domain, &mut Budget::units(slice));
        match status {
            Status::Paused => {}
            Status::Improved => plans.push(tasks(planner.plan().expect("improved"))),
            status => {
                if aim == Aim::First {
                    plans.extend(planner.plan().map(tasks));
                }
                return (plans, status, planner.statistics().iterations);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_planner_equals_the_textbook(domain in random(), state in any::<u8>(), slice in 1u64..7) {
        let mut start = Textbook { items: vec![], next: 0 };
        start.add(0, &Net::Task(0));
        let mut plans = Vec::new();
        every(&domain, state, &start, &mut Vec::new(), 0, &mut plans);
        prop_assume!(plans.len() <= 3000);

        for manner in [
            (Memory::Nothing, Improving::AtTheEnd),
            (Memory::Nothing, Improving::Everywhere),
            (Memory::Branch, Improving::AtTheEnd),
            (Memory::DeadEnds, Improving::AtTheEnd),
            (Memory::DeadEnds, Improving::Everywhere),
        ] {
            let (all, status, whole) = collect(&domain, state, Aim::Every, manner, u64::MAX);
            prop_assert_eq!(&all, &plans);
            prop_assert_eq!(status, if plans.is_empty() { Status::Unsolvable } else { Status::Finished });
            prop_assert_eq!((all, status, whole), collect(&domain, state, Aim::Every, manner, slice));

            let (first, _, whole) = collect(&domain, state, Aim::First, manner, u64::MAX);
            prop_assert_eq!(first.first(), plans.first());
            prop_assert_eq!(whole, collect(&domain, state, Aim::First, manner, slice).2);

            let (better, _, whole) = collect(&domain, state, Aim::Best, manner, u64::MAX);
            prop_assert_eq!(better.first(), plans.first());
            prop_assert!(better.windows(2).all(|pair| pair[1].1 < pair[0].1));
            prop_assert_eq!(better.last().map(|plan| plan.1), plans.iter().map(|plan| plan.1).min());
            let sliced = collect(&domain, state, Aim::Best, manner, slice);
            prop_assert_eq!((better, whole), (sliced.0, sliced.2));
        }
    }
}
