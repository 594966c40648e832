//! Every search keeps its bound on random graphs, whatever its advisers say, and expands no state
//! more often than it promises (S1, S2, S3, S5, S8).

mod graph;

use std::collections::HashMap;

use apprentice_search::*;
use proptest::prelude::*;

use graph::{Graph, every_search, graphs, run_out};

/// Counts how often each state is expanded.
#[derive(Default)]
struct Counter(HashMap<usize, u64>);

impl Observer<Graph> for Counter {
    fn expanded(&mut self, expansion: Expansion<'_, Graph>) {
        *self.0.entry(*expansion.state).or_default() += 1;
    }
}

fn check(graph: &Graph, seed: u64) {
    let optimum = graph.optimum();
    for mut named in every_search(graph, seed) {
        let name = &named.name;
        let search = &mut named.search;
        let mut counter = Counter::default();
        let status = loop {
            let status = search.run_observed(graph, &mut Budget::unlimited(), &mut counter);
            if !status.is_unfinished() {
                break status;
            }
        };
        let most = counter.0.values().max().copied().unwrap_or(0);
        assert!(
            most <= named.expansions,
            "{name} expanded a state {most} times"
        );
        let statistics = search.statistics();
        assert_eq!(
            statistics.expanded,
            counter.0.values().sum::<u64>(),
            "{name}"
        );
        assert_eq!(
            statistics.expanded,
            statistics.expanded_by.iter().sum::<u64>(),
            "{name}"
        );

        if !optimum.is_finite() {
            assert_eq!(status, Status::Unsolvable, "{name}");
            assert!(search.path().is_none(), "{name}");
            assert_eq!(search.guarantee(), Guarantee::Impossible, "{name}");
            continue;
        }
        assert_eq!(status, Status::Finished, "{name}");
        let path = search.path().expect("a finished search has a path");
        graph.check_path(&path);
        if let Some(bound) = named.bound {
            assert!(
                bound.allows(path.cost, optimum),
                "{name}: {:?} of {:?}",
                path.cost,
                optimum
            );
        }
        let guarantee = search.guarantee();
        match guarantee.factor() {
            Some(factor) => {
                assert!(
                    named.bound.is_none_or(|bound| factor <= bound.as_f64()),
                    "{name}: {guarantee}"
                );
                let factor = Weight::new(factor).expect("a factor is a weight");
                assert!(factor.allows(path.cost, optimum), "{name}: {guarantee}");
            }
            None => assert!(
                named.bound.is_none() || path.cost == Cost::ZERO,
                "{name}: {guarantee}"
            ),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_search_keeps_its_bound(graph in graphs(), seed: u64) {
        check(&graph, seed);
    }

    /// S4: without advisers, shared MHA* is weighted A*.
    #[test]
    fn mha_without_advisers_is_weighted_astar(graph in graphs(), percent in 0u64..=100) {
        let anchor = graph::consistent(&graph, percent);
        let weight = Weight::new(3.0).expect("a weight");
        let weights = MhaWeights { inflation: weight, trust: Weight::new(2.0).expect("a weight") };
        let mut mha = MhaStar::new(anchor.clone(), vec![], weights).expect("an anchor");
        let mut wastar = BestFirst::weighted_astar(anchor, weight);
        prop_assert_eq!(run_out(&mut mha, &graph), run_out(&mut wastar, &graph));
        // One stops when a goal is met that nothing can beat, the other when it comes up.
        prop_assert!(mha.statistics().expanded <= wastar.statistics().expanded);
        prop_assert_eq!(mha.path().map(|path| path.cost), wastar.path().map(|path| path.cost));
    }

    /// S10: what an anytime search reports only gets better, and ends with the best.
    #[test]
    fn ara_star_only_gets_better(graph in graphs(), percent in 0u64..=100) {
        let schedule = AraSchedule::new(8.0, 0.75, 1.0).expect("a schedule");
        let mut search = AraStar::new(graph::consistent(&graph, percent), schedule);
        let (mut cost, mut factor) = (Cost::INFINITE, f64::INFINITY);
        while search.run(&graph, &mut Budget::unlimited()) == Status::Improved {
            let path = search.path().expect("improved");
            let proven = search.guarantee().factor().expect("proven");
            prop_assert!(path.cost <= cost && proven <= factor);
            (cost, factor) = (path.cost, proven);
        }
        let best = search.path().map_or(Cost::INFINITE, |path| path.cost);
        prop_assert_eq!(best, graph.optimum());
    }
}
