//! Wherever an estimate breaks its promise, on random graphs, it is found and told; where it keeps
//! it, nothing is found.

use crate::graph::{Graph, Table, admissible, consistent, graphs, mix};
use apprentice_search::*;
use proptest::prelude::*;

/// The nodes that can be reached from the start.
fn reachable(graph: &Graph) -> Vec<bool> {
    let mut reached = vec![false; graph.steps.len()];
    let mut open = vec![graph.start];
    reached[graph.start] = true;
    while let Some(node) = open.pop() {
        for (to, cost) in &graph.steps[node] {
            if *cost != u64::MAX && !reached[*to] {
                reached[*to] = true;
                open.push(*to);
            }
        }
    }
    reached
}

/// Whether every step that can be reached, and every goal, keeps what consistency asks for.
fn is_consistent(graph: &Graph, estimates: &[Cost]) -> bool {
    let reached = reachable(graph);
    (0..graph.steps.len())
        .filter(|node| reached[*node])
        .all(|node| {
            let is_zero_at_goals = !graph.goals[node] || estimates[node] == Cost::ZERO;
            let mut steps = graph.steps[node].iter();
            let is_even = steps.all(|(to, cost)| {
                *cost == u64::MAX || estimates[node] <= Cost::from_ticks(*cost) + estimates[*to]
            });
            is_zero_at_goals && is_even
        })
}

/// What was found is so.
fn check_broken(graph: &Graph, table: &Table, broken: &BrokenPromise<usize, usize>) {
    match *broken {
        BrokenPromise::Step {
            from,
            action,
            to,
            cost,
            before,
            after,
        } => {
            assert_eq!(
                (table.estimates[from], table.estimates[to]),
                (before, after)
            );
            assert_eq!(graph.steps[from][action], (to, cost.ticks()));
            assert!(before > cost + after);
        }
        BrokenPromise::TooHigh {
            state,
            estimate,
            remains,
        } => {
            assert_eq!(table.estimates[state], estimate);
            assert!(estimate > remains && graph.remaining()[state] <= remains);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn of_consistent_estimates(graph in graphs(), percent in 0..=100u64, seed: u64, slips in 0..3u64) {
        let mut table = consistent(&graph, percent);
        let all = &mut Budget::unlimited();
        let kept = check_consistency(&graph, &mut consistent(&graph, percent), all).unwrap();
        let reached = reachable(&graph).iter().filter(|is| **is).count();
        prop_assert!(kept.everywhere);
        prop_assert_eq!(kept.states, reached as u64);
        for slip in 0..slips {
            let node = mix(seed ^ slip) as usize % table.estimates.len();
            let more = Cost::from_ticks(mix(seed ^ slip ^ 77) % 1000);
            table.estimates[node] = table.estimates[node] + more;
        }
        let is_consistent = is_consistent(&graph, &table.estimates);
        match check_consistency(&graph, &mut table, all) {
            Ok(kept) => prop_assert!(is_consistent && kept.everywhere),
            Err(broken) => {
                prop_assert!(!is_consistent, "{broken}");
                check_broken(&graph, &table, &broken);
            }
        }
    }

    #[test]
    fn of_admissible_ones(graph in graphs(), seed: u64) {
        let all = &mut Budget::unlimited();
        prop_assert!(check_consistency(&graph, &mut admissible(&graph, seed), all).is_ok());
        // The start is on every way, so that a lie there is found wherever there is a way.
        let mut table = admissible(&graph, seed);
        table.estimates[graph.start] = graph.optimum() + Cost::from_ticks(1);
        let found = check_consistency(&graph, &mut table, all);
        prop_assert_eq!(found.is_err(), graph.optimum().is_finite());
        if let Err(broken) = found {
            check_broken(&graph, &table, &broken);
        }
        table.promise = Promise::None;
        prop_assert!(check_consistency(&graph, &mut table, all).is_ok(), "nothing was promised");
    }

    #[test]
    fn inflation_is_allowed_for(graph in graphs(), percent in 0..=100u64, factor in 1.0..9.0f64) {
        let mut scaled = Scaled::new(consistent(&graph, percent), factor).unwrap();
        let kept = check_consistency(&graph, &mut scaled, &mut Budget::unlimited());
        prop_assert!(kept.is_ok(), "{}", kept.unwrap_err());
    }
}

/// A budget ends the look, and it says so.
#[test]
fn a_budget_ends_it() {
    let steps = (0..50).map(|node| vec![((node + 1) % 50, 1)]).collect();
    let graph = Graph {
        steps,
        goals: (0..50).map(|node| node == 49).collect(),
        start: 0,
        indexed: false,
        revision: 0,
    };
    let kept = check_consistency(&graph, &mut Blind, &mut Budget::units(10)).unwrap();
    assert!(!kept.everywhere && kept.states == 10 && kept.goals == 0);
}

/// The lie that a search swears by: it is found, and what the search says is void.
#[test]
fn a_lying_anchor_is_found() {
    // Two ways: the dear one looks near, the cheap one far.
    let graph = Graph {
        steps: vec![vec![(1, 10), (2, 1)], vec![(3, 10)], vec![(3, 1)], vec![]],
        goals: vec![false, false, false, true],
        start: 0,
        indexed: false,
        revision: 0,
    };
    let estimates = [0, 0, 100, 0].map(Cost::from_ticks).to_vec();
    let table = || Table {
        estimates: estimates.clone(),
        promise: Promise::Consistent,
    };
    let path = astar(&graph, table()).expect("there is a way");
    assert_eq!(
        (path.cost, graph.optimum()),
        (Cost::from_ticks(20), Cost::from_ticks(2))
    );
    let broken = check_consistency(&graph, &mut table(), &mut Budget::unlimited()).unwrap_err();
    check_broken(&graph, &table(), &broken);
}

/// What a search says that relies on this estimate, in debug builds, on a line of five steps.
#[cfg(debug_assertions)]
fn check_watched(estimates: [u64; 6], promise: Promise, expected: &str) {
    let graph = Graph {
        steps: (0..6)
            .map(|node| (node < 5).then_some((node + 1, 10)))
            .map(Vec::from_iter)
            .collect(),
        goals: (0..6).map(|node| node == 5).collect(),
        start: 0,
        indexed: false,
        revision: 0,
    };
    let table = || Table {
        estimates: estimates.map(Cost::from_ticks).to_vec(),
        promise,
    };
    let two = Weight::new(2.0).expect("it is more than one");
    let weights = MhaWeights::default();
    let mut searches: Vec<BoxedSearch<Graph>> = vec![
        Box::new(BestFirst::astar(table()).with_reopening(Reopening::Always)),
        Box::new(BestFirst::weighted_astar(table(), two).with_reopening(Reopening::Always)),
    ];
    if promise == Promise::Consistent {
        let improved = |form| ImprovedMhaStar::new(form, table(), vec![Box::new(Blind)], two);
        searches.extend([
            Box::new(AraStar::new(table(), AraSchedule::default())) as BoxedSearch<Graph>,
            Box::new(MhaStar::new(table(), vec![Box::new(Blind)], weights).unwrap()),
            Box::new(IndependentMhaStar::new(table(), vec![], weights).unwrap()),
            Box::new(improved(MhaForm::PlusPlus).unwrap()),
            Box::new(improved(MhaForm::Focal).unwrap()),
            Box::new(improved(MhaForm::Unconstrained).unwrap()),
        ]);
    }
    for (number, mut search) in searches.into_iter().enumerate() {
        let run = || search.run(&graph, &mut Budget::unlimited());
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
        let said = ended.expect_err("nobody certifies a lie");
        let said = said.downcast_ref::<String>().expect("it says something");
        assert!(said.starts_with(expected), "search {number}: {said}");
        assert!(said.contains("check_consistency"), "{said}");
    }
}

/// Debug builds stop at the first step that shows the lie.
#[test]
#[cfg(debug_assertions)]
fn debug_builds_certify_no_lie() {
    let twice = [100, 80, 60, 40, 20, 0];
    let drops = "the estimate drops from 0.0000001 s to 0.00000008 s with a step that costs 0.00000001 s; \
                 it may drop by that at most";
    check_watched(twice, Promise::Consistent, drops);
    let at_goal = "the estimate at a goal is 0.000000003 s; nothing remains there";
    check_watched([53, 43, 33, 23, 13, 3], Promise::Consistent, at_goal);
    check_watched([0, 0, 0, 0, 0, 3], Promise::Admissible, at_goal);
    let too_high = "the estimate is 0.000000031 s, and a way to a goal costs 0.00000003 s from there; \
                    it must not be more";
    check_watched([0, 0, 31, 0, 0, 0], Promise::Admissible, too_high);
}
