//! Every search keeps its bound on random graphs, whatever its advisers say, and expands no state
//! more often than it promises (S1, S2, S3, S5, S8).

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use apprentice_search::*;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::graph::{Company, Graph, Hostile, every_search, graphs, hostile, run_out};

/// Counts how often each state is expanded.
#[derive(Default)]
struct Counter(HashMap<usize, u64>);

impl Observer<Graph> for Counter {
    fn expanded(&mut self, expansion: Expansion<'_, Graph>) {
        *self.0.entry(*expansion.state).or_default() += 1;
    }
}

/// How many graphs there were on which a search had a bound to keep, and could have broken it.
#[derive(Default)]
struct Tally {
    by_search: BTreeMap<String, u64>,
    by_company: BTreeMap<(String, Company), u64>,
}

/// The dearest solution that somebody finds who follows one of the hostile advisers and nothing else.
fn dearest_by_hostile_advice(graph: &Graph, seed: u64) -> Cost {
    let found = hostile(graph, seed).into_iter().filter_map(|table| {
        let mut search = BestFirst::greedy(table);
        run_out(&mut search, graph);
        search.path().map(|path| path.cost)
    });
    found.max().unwrap_or(Cost::ZERO)
}

fn check(graph: &Graph, seed: u64, tally: &mut Tally) {
    let optimum = graph.optimum();
    let dearest = dearest_by_hostile_advice(graph, seed);
    for mut named in every_search(graph, seed) {
        // Following bad advice would have broken the bound, or missed the best where there is none.
        let bound = named.bound.unwrap_or(Weight::ONE);
        if optimum > Cost::ZERO && optimum.is_finite() && !bound.allows(dearest, optimum) {
            *tally.by_search.entry(named.name.clone()).or_default() += 1;
            if let Some(company) = named.company {
                let entry = tally.by_company.entry((named.name.clone(), company));
                *entry.or_default() += 1;
            }
        }
        let name = &named.name;
        let search = &mut named.search;
        let mut counter = Counter::default();
        let status = loop {
            let status = search.run_observed(graph, &mut Budget::unlimited(), &mut counter);
            if !status.is_unfinished() {
                break status;
            }
            // What is proven on the way holds as well.
            let path = search.path().expect("an improved search has a path");
            graph.check_path(&path);
            if let Guarantee::Within { factor, .. } = search.guarantee() {
                assert!(
                    factor.allows(path.cost, optimum),
                    "{name}: {:?} of {optimum:?}, {}",
                    path.cost,
                    search.guarantee()
                );
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

/// A bound says nothing where the best costs nothing, where there is no way, or where whatever one finds
/// is good enough. On this many graphs it must say something, for every search.
const INFORMATIVE: u64 = 2_000;
/// On this many of them, the advisers are the same.
const FAIR_SHARE: u64 = INFORMATIVE / 9;

#[test]
fn every_search_keeps_its_bound() {
    let config = ProptestConfig {
        cases: 8_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let tally = RefCell::new(Tally::default());
    let checked = TestRunner::new(config).run(&(graphs(), any::<u64>()), |(graph, seed)| {
        check(&graph, seed, &mut tally.borrow_mut());
        Ok(())
    });
    checked.unwrap_or_else(|error| panic!("{error}"));

    let Tally {
        by_search,
        by_company,
    } = tally.into_inner();
    let alone = Hostile::ALL.map(Company::Only);
    let companies = alone
        .into_iter()
        .chain([Company::Everybody, Company::Nobody]);
    let companies: Vec<Company> = companies.collect();
    for (name, graphs) in by_search {
        println!("{graphs:>6}  {name}");
        assert!(graphs >= INFORMATIVE, "{name}: {graphs}");
        let takes_advisers = by_company.keys().any(|(advised, _)| *advised == name);
        for company in companies.iter().filter(|_| takes_advisers) {
            let graphs = by_company.get(&(name.clone(), *company)).copied();
            let graphs = graphs.unwrap_or(0);
            println!("{graphs:>6}  {name}, {company:?}");
            assert!(graphs >= FAIR_SHARE, "{name}, {company:?}: {graphs}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// S4: without advisers, shared MHA* is weighted A*.
    #[test]
    fn mha_without_advisers_is_weighted_astar(graph in graphs(), percent in 0u64..=100) {
        let anchor = crate::graph::consistent(&graph, percent);
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
    fn ara_star_only_gets_better(graph in graphs(), seed: u64) {
        only_gets_better(&graph, crate::graph::consistent(&graph, seed % 101));
        only_gets_better(&graph, crate::graph::admissible(&graph, seed));
    }
}

fn only_gets_better(graph: &Graph, heuristic: crate::graph::Table) {
    let schedule = AraSchedule::new(8.0, 0.75, 1.0).expect("a schedule");
    let mut search = AraStar::new(heuristic, schedule);
    let (mut cost, mut factor) = (Cost::INFINITE, f64::INFINITY);
    while search.run(graph, &mut Budget::unlimited()) == Status::Improved {
        let path = search.path().expect("improved");
        // Where a solution may be free for all that is known, nothing is proven yet.
        let proven = search.guarantee().factor().unwrap_or(f64::INFINITY);
        assert!(path.cost <= cost && proven <= factor);
        assert!(path.cost < cost || proven < factor);
        (cost, factor) = (path.cost, proven);
    }
    let best = search.path().map_or(Cost::INFINITE, |path| path.cost);
    assert_eq!(best, graph.optimum());
}

/// A cheaper solution comes with a weaker proof of its own. What was proven of the dearer one holds.
#[test]
fn what_was_proven_of_a_dearer_solution_holds_for_a_cheaper_one() {
    let steps = vec![
        vec![(2, 8), (4, 5)],
        vec![(4, 8), (3, 2)],
        vec![(3, 1)],
        vec![(2, 1), (1, 7), (5, 9)],
        vec![(3, 3), (2, 2), (1, 5)],
        vec![],
    ];
    let graph = Graph {
        goals: (0..6).map(|node| node == 5).collect(),
        steps,
        start: 0,
        indexed: false,
        revision: 0,
    };
    let heuristic = crate::graph::Table {
        estimates: [17, 1, 10, 9, 12, 0].map(Cost::from_ticks).into(),
        promise: Promise::Admissible,
    };
    let mut search = AraStar::new(heuristic, AraSchedule::default());
    let mut factors = Vec::new();
    while search.run(&graph, &mut Budget::unlimited()).is_unfinished() {
        factors.push(search.guarantee().factor().expect("proven"));
    }
    assert!(factors.len() >= 2, "{factors:?}");
    assert!(
        factors.is_sorted_by(|before, after| before >= after),
        "{factors:?}"
    );
    assert_eq!(search.path().map(|path| path.cost), Some(graph.optimum()));
}
