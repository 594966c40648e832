//! What happens at the edges: each case is defined, for every search, and none hangs or panics.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use apprentice_search::*;

use crate::graph::{Graph, Named, every_search, run_out};

/// A chain 0, 1, 2 … to a goal at its end.
fn chain(length: usize) -> Graph {
    let mut steps: Vec<Vec<(usize, u64)>> = (0..length).map(|node| vec![(node + 1, 10)]).collect();
    steps.push(vec![]);
    let goals = (0..=length).map(|node| node == length).collect();
    Graph {
        steps,
        goals,
        start: 0,
        indexed: false,
        revision: 0,
    }
}

/// Every search, with every mix of advisers and weights that a few seeds give.
fn for_every_search(graph: &Graph, mut check: impl FnMut(Named)) {
    for seed in 0..24 {
        every_search(graph, seed).into_iter().for_each(&mut check);
    }
}

#[track_caller]
fn must_end(named: &mut Named, graph: &Graph, status: Status) {
    let ended = run_out(&mut *named.search, graph);
    assert_eq!(ended, status, "{}", named.name);
}

#[test]
fn a_goal_that_cannot_be_reached_is_proven_so() {
    let mut graph = chain(5);
    graph.steps[2].clear();
    for_every_search(&graph, |mut named| {
        must_end(&mut named, &graph, Status::Unsolvable);
        assert!(named.search.path().is_none(), "{}", named.name);
        assert_eq!(
            named.search.guarantee(),
            Guarantee::Impossible,
            "{}",
            named.name
        );
        // And asking again changes nothing.
        must_end(&mut named, &graph, Status::Unsolvable);
    });
}

#[test]
fn a_start_that_is_a_goal_takes_no_steps() {
    let mut graph = chain(5);
    graph.goals[0] = true;
    for_every_search(&graph, |mut named| {
        must_end(&mut named, &graph, Status::Finished);
        let path = named.search.path().expect("a path of no steps");
        assert!(
            path.steps.is_empty() && path.cost == Cost::ZERO,
            "{}",
            named.name
        );
        assert_eq!(
            named.search.guarantee().factor(),
            Some(1.0),
            "{}",
            named.name
        );
        assert_eq!(named.search.statistics().expanded, 0, "{}", named.name);
    });
}

#[test]
fn a_start_without_steps_is_no_trouble() {
    let graph = Graph {
        steps: vec![vec![]],
        goals: vec![false],
        start: 0,
        indexed: true,
        revision: 0,
    };
    for_every_search(&graph, |mut named| {
        must_end(&mut named, &graph, Status::Unsolvable);
    });
}

#[test]
fn steps_that_cost_nothing_end() {
    // A circle of nothing, with a way out.
    let graph = Graph {
        steps: vec![
            vec![(1, 0)],
            vec![(2, 0), (0, 0)],
            vec![(0, 0), (3, 0)],
            vec![(3, 0)],
        ],
        goals: vec![false, false, false, true],
        start: 0,
        indexed: false,
        revision: 0,
    };
    for_every_search(&graph, |mut named| {
        must_end(&mut named, &graph, Status::Finished);
        graph.check_path(&named.search.path().expect("a path"));
    });
}

#[test]
fn a_forbidden_step_is_never_taken() {
    let mut graph = chain(3);
    graph.steps[0].push((3, u64::MAX));
    for_every_search(&graph, |mut named| {
        must_end(&mut named, &graph, Status::Finished);
        let path = named.search.path().expect("a path");
        assert_eq!(path.cost, Cost::from_ticks(30), "{}", named.name);
    });
    graph.steps[2] = vec![(3, u64::MAX)];
    for_every_search(&graph, |mut named| {
        must_end(&mut named, &graph, Status::Unsolvable);
    });
}

#[test]
fn costs_beyond_all_bounds_count_as_forbidden() {
    let mut graph = chain(3);
    graph.steps[1] = vec![(2, u64::MAX - 5)];
    for_every_search(&graph, |mut named| {
        must_end(&mut named, &graph, Status::Unsolvable);
    });
}

#[test]
fn a_budget_of_nothing_does_nothing() {
    let graph = chain(5);
    for_every_search(&graph, |mut named| {
        let mut nothing = Budget::units(0);
        for _ in 0..3 {
            assert_eq!(
                named.search.run(&graph, &mut nothing),
                Status::Paused,
                "{}",
                named.name
            );
        }
        assert_eq!(nothing.spent_by(), Some(Spent::Expansions));
        assert_eq!(named.search.statistics().expanded, 0, "{}", named.name);
        must_end(&mut named, &graph, Status::Finished);
    });
}

#[test]
fn a_deadline_that_has_passed_and_a_raised_flag_stop_at_once() {
    let graph = chain(5);
    let raised = AtomicBool::new(true);
    let clock = || Duration::from_secs(1);
    for_every_search(&graph, |mut named| {
        let mut late = Budget::unlimited().until_by(&clock, Duration::from_secs(1));
        assert_eq!(
            named.search.run(&graph, &mut late),
            Status::Paused,
            "{}",
            named.name
        );
        let mut cancelled = Budget::unlimited()
            .until_by(&clock, Duration::from_secs(2))
            .unless(&raised);
        assert_eq!(
            named.search.run(&graph, &mut cancelled),
            Status::Paused,
            "{}",
            named.name
        );
        assert_eq!(cancelled.spent_by(), Some(Spent::Cancelled));
        assert_eq!(named.search.statistics().expanded, 0, "{}", named.name);
    });
}

#[test]
fn a_memory_limit_pauses_and_more_memory_continues() {
    let graph = chain(500);
    for_every_search(&graph, |mut named| {
        let mut little = Budget::unlimited().within_memory(2_000);
        let status = named.search.run(&graph, &mut little);
        assert_eq!(status, Status::Paused, "{}", named.name);
        assert_eq!(little.spent_by(), Some(Spent::Memory), "{}", named.name);
        // One expansion may go beyond, not more; the first meets the start and its table.
        assert!(
            named.search.statistics().bytes < 12_000,
            "{}: {:?}",
            named.name,
            named.search.statistics()
        );
        must_end(&mut named, &graph, Status::Finished);
    });
}

#[test]
fn a_problem_that_changed_under_a_paused_search_is_noticed() {
    let graph = chain(50);
    // Dearer steps break no promise.
    let mut changed = Graph {
        revision: 1,
        ..chain(50)
    };
    for (_, cost) in changed.steps.iter_mut().flatten() {
        *cost *= 2;
    }
    for_every_search(&graph, |mut named| {
        assert_eq!(
            named.search.run(&graph, &mut Budget::units(3)),
            Status::Paused
        );
        let before = named.search.statistics().clone();
        let status = named.search.run(&changed, &mut Budget::unlimited());
        assert_eq!(status, Status::ProblemChanged, "{}", named.name);
        assert_eq!(*named.search.statistics(), before, "{}", named.name);
        // Going back to the old problem is fine, and so is a restart.
        must_end(&mut named, &graph, Status::Finished);
        must_end(&mut named, &changed, Status::ProblemChanged);
        named.search.restart();
        must_end(&mut named, &changed, Status::Finished);
        let path = named.search.path().expect("a path");
        assert_eq!(path.cost, changed.optimum(), "{}", named.name);
        assert!(path.cost > graph.optimum(), "{}", named.name);
    });
}

#[test]
fn a_goal_may_be_any_of_many_states() {
    let mut graph = chain(9);
    graph.goals = vec![
        false, false, false, true, false, true, true, false, true, true,
    ];
    for_every_search(&graph, |mut named| {
        must_end(&mut named, &graph, Status::Finished);
        graph.check_path(&named.search.path().expect("a path"));
    });
}

/// A heuristic that has to sweep the graph first, one unit of budget a node.
struct Sweeping {
    swept: usize,
    nodes: usize,
}

impl Heuristic<Graph> for Sweeping {
    fn estimate(&mut self, _: &Graph, _: &usize) -> Cost {
        assert_eq!(self.swept, self.nodes, "asked before it was prepared");
        Cost::ZERO
    }
    fn promise(&self) -> Promise {
        Promise::Consistent
    }
    fn prepare(&mut self, _: &Graph, budget: &mut Budget<'_>) -> bool {
        while self.swept < self.nodes {
            if !budget.take() {
                return false;
            }
            self.swept += 1;
        }
        true
    }
}

#[test]
fn preparing_a_heuristic_takes_from_the_budget() {
    let graph = chain(5);
    let sweeping = || Sweeping {
        swept: 0,
        nodes: 100,
    };
    let advisers = || -> Vec<BoxedHeuristic<Graph>> { vec![Box::new(sweeping())] };
    let searches: Vec<Box<dyn Search<Graph>>> = vec![
        Box::new(BestFirst::astar(sweeping())),
        Box::new(AraStar::new(sweeping(), AraSchedule::default())),
        Box::new(LpaStar::new(sweeping())),
        Box::new(MhaStar::new(sweeping(), advisers(), MhaWeights::default()).expect("an anchor")),
        Box::new(
            IndependentMhaStar::new(Blind, advisers(), MhaWeights::default()).expect("an anchor"),
        ),
        Box::new(
            ImprovedMhaStar::new(MhaForm::Focal, Blind, advisers(), Weight::ONE)
                .expect("an anchor"),
        ),
    ];
    for mut search in searches {
        assert_eq!(search.run(&graph, &mut Budget::units(60)), Status::Paused);
        assert_eq!(search.statistics().expanded, 0);
        let mut slices = 0;
        while search.run(&graph, &mut Budget::units(7)).is_unfinished() {
            slices += 1;
        }
        assert!(slices > 5);
        assert_eq!(search.path().expect("a path").steps.len(), 5);
    }
}

/// Every search that takes advisers, without any; its name, and how many times the best it may cost.
fn searches_without_advisers(
    anchor: &crate::graph::Table,
) -> Vec<(String, Weight, Box<dyn Search<Graph>>)> {
    let (inflation, trust) = (Weight::new(2.5).unwrap(), Weight::new(1.5).unwrap());
    let weights = MhaWeights { inflation, trust };
    let mut all: Vec<(String, Weight, Box<dyn Search<Graph>>)> = Vec::new();
    for (turns, kind) in [
        (Turns::each_once(), "each once"),
        (Turns::with_repeats([3, 0]), "repeats"),
        (Turns::with_repeats([3]).led_by(1), "led"),
        (Turns::adaptive(5), "adaptive"),
    ] {
        let turns = || turns.clone();
        let shared = || MhaStar::new(anchor.clone(), vec![], weights).unwrap();
        let independent = IndependentMhaStar::new(anchor.clone(), vec![], weights).unwrap();
        let bound = weights.bound();
        let mut add =
            |name: &str, bound, search| all.push((format!("{name}, {kind}"), bound, search));
        add("shared", bound, Box::new(shared().with_turns(turns())));
        add(
            "anytime",
            Weight::ONE,
            Box::new(AnytimeMhaStar::from(shared().with_turns(turns()))),
        );
        add(
            "independent",
            bound,
            Box::new(independent.with_turns(turns())),
        );
        for form in MhaForm::ALL {
            for ranking in [Ranking::Uncalibrated, Ranking::Calibrated] {
                let search = ImprovedMhaStar::new(form, anchor.clone(), vec![], inflation).unwrap();
                let search = search.with_turns(turns()).with_ranking(ranking);
                add(
                    &format!("{form:?}, {ranking:?}"),
                    inflation,
                    Box::new(search),
                );
            }
        }
    }
    all
}

#[test]
fn without_advisers_the_anchor_keeps_the_bound_alone() {
    // The direct way is 18 times the best one.
    let graph = graph_of(vec![
        vec![(3, 90), (1, 1)],
        vec![(3, 30), (2, 1)],
        vec![(1, 1), (3, 3)],
        vec![],
    ]);
    let mut blocked = graph.clone();
    blocked.steps[0].remove(0);
    blocked.steps[1].remove(0);
    blocked.steps[2].remove(1);
    for percent in [0, 50, 100] {
        let anchor = crate::graph::consistent(&graph, percent);
        for (name, bound, mut search) in searches_without_advisers(&anchor) {
            let status = run_out(&mut *search, &graph);
            assert_eq!(status, Status::Finished, "{name}");
            let path = search.path().expect("a path");
            graph.check_path(&path);
            assert!(bound.allows(path.cost, graph.optimum()), "{name}: {path:?}");
            assert_eq!(search.guarantee().factor(), Some(bound.as_f64()), "{name}");
            let statistics = search.statistics();
            assert_eq!(statistics.expanded_by, [statistics.expanded], "{name}");

            // The estimates still hold where there are fewer steps.
            search.restart();
            let status = run_out(&mut *search, &blocked);
            assert_eq!(status, Status::Unsolvable, "{name}");
            assert!(search.path().is_none(), "{name}");
            assert_eq!(search.guarantee(), Guarantee::Impossible, "{name}");
            assert_eq!(search.statistics().expanded, 3, "{name}");
        }
    }
}

/// A graph from its steps, with the last node as its goal.
fn graph_of(steps: Vec<Vec<(usize, u64)>>) -> Graph {
    let mut goals = vec![false; steps.len()];
    *goals.last_mut().expect("at least one node") = true;
    Graph {
        steps,
        goals,
        start: 0,
        indexed: false,
        revision: 0,
    }
}

fn table(estimates: &[u64], promise: Promise) -> crate::graph::Table {
    let estimates = estimates
        .iter()
        .map(|ticks| Cost::from_ticks(*ticks))
        .collect();
    crate::graph::Table { estimates, promise }
}

#[test]
fn an_anytime_search_goes_on_until_nothing_is_inconsistent() {
    let graph = graph_of(vec![
        vec![(1, 1), (2, 5)],
        vec![(2, 1)],
        vec![(3, 10)],
        vec![],
    ]);
    let schedule = AraSchedule::new(1.0, 1.0, 1.0).expect("a schedule");
    let heuristic = table(&[0, 11, 0, 0], Promise::Admissible);
    let mut search = AraStar::new(heuristic, schedule);
    assert_eq!(run_out(&mut search, &graph), Status::Finished);
    assert_eq!(
        search.path().map(|path| path.cost),
        Some(Cost::from_ticks(12))
    );
    assert_eq!(search.guarantee().factor(), Some(1.0));
}

#[test]
fn every_better_solution_is_observed() {
    #[derive(Default)]
    struct Solutions(Vec<u64>);
    impl Observer<Graph> for Solutions {
        fn solved(&mut self, cost: Cost) {
            self.0.push(cost.ticks());
        }
    }
    let graph = graph_of(vec![vec![(1, 1), (2, 10)], vec![(2, 1)], vec![]]);
    let mut search = AraStar::new(Blind, AraSchedule::default());
    let mut solutions = Solutions::default();
    while search
        .run_observed(&graph, &mut Budget::unlimited(), &mut solutions)
        .is_unfinished()
    {}
    assert_eq!(solutions.0, [10, 2]);
}

#[test]
fn a_cost_that_grew_beyond_all_bounds_is_no_way_either() {
    let mut graph = graph_of(vec![vec![(1, 1 << 63)], vec![(2, 1)], vec![]]);
    let mut search = LpaStar::new(Blind);
    assert_eq!(run_out(&mut search, &graph), Status::Finished);
    graph.steps[1][0].1 = 1 << 63;
    graph.revision += 1;
    assert_eq!(search.steps_changed(&graph, &[1]), Reuse::Kept);
    assert_eq!(run_out(&mut search, &graph), Status::Unsolvable);
}

/// The direct way to 1 is so dear that it cannot be continued, the one by way of 2 can.
#[test]
fn a_way_too_dear_to_be_counted_is_no_proof_that_there_is_none() {
    let dear = 1 << 63;
    let steps = vec![
        vec![(1, dear), (2, 1)],
        vec![(3, dear)],
        vec![(1, 1)],
        vec![],
    ];
    let graph = graph_of(steps);
    let run = |mut search: BestFirst<Graph, crate::graph::Table>| {
        let status = run_out(&mut search, &graph);
        (status, search.path().map(|path| path.cost.ticks()))
    };
    // Misled to 1 first, and told not to look back.
    let misled = || table(&[0, 0, 1 << 62, 0], Promise::None);
    let heavy = Weight::new(1_000.0).expect("a weight");
    assert_eq!(run(BestFirst::greedy(misled())), (Status::GaveUp, None));
    let weighted = || BestFirst::weighted_astar(misled(), heavy);
    assert_eq!(run(weighted()), (Status::GaveUp, None));
    let cheapest = (Status::Finished, Some(dear + 2));
    let looking_back = weighted().with_reopening(Reopening::Always);
    assert_eq!(run(looking_back), cheapest);
    let blind = table(&[0; 4], Promise::Consistent);
    assert_eq!(run(BestFirst::astar(blind)), cheapest);
    // Where no way can be counted, there is none.
    let graph = graph_of(vec![vec![(1, dear)], vec![(2, dear)], vec![]]);
    let mut search = BestFirst::astar(Blind);
    assert_eq!(run_out(&mut search, &graph), Status::Unsolvable);
}

/// A graph that counts how often somebody asked for the steps that leave a state.
struct Counted {
    graph: Graph,
    asked: Cell<u64>,
}

impl Problem for Counted {
    type State = usize;
    type Key = usize;
    type Action = usize;

    fn start(&self) -> usize {
        self.graph.start()
    }
    fn key(&self, node: &usize) -> usize {
        *node
    }
    fn is_goal(&self, node: &usize) -> bool {
        self.graph.is_goal(node)
    }
    fn successors(&self, node: &usize, out: &mut Successors<usize, usize>) {
        self.asked.set(self.asked.get() + 1);
        self.graph.successors(node, out);
    }
}

/// Telling "too dear to be counted" from "impossible" takes another look at every state. That is work
/// like any other.
#[test]
fn a_second_look_at_what_is_too_dear_keeps_to_the_budget() {
    let dear = 1 << 63;
    let mut steps: Vec<_> = (0..60).map(|node| vec![(node + 1, 10)]).collect();
    steps.extend([vec![(61, dear)], vec![(62, dear)], vec![]]);
    let impossible = graph_of(steps);
    // Another way to 61, which is cheap enough; its first state looks so bad that 61 comes first.
    let mut dead_end = impossible.clone();
    dead_end.steps.push(vec![(61, 1)]);
    dead_end.steps[0].push((63, 1));
    dead_end.goals.push(false);
    let hunch = || Estimate::new(Promise::None, |node: &usize| far_if(*node == 63));
    let one = || -> Vec<BoxedHeuristic<Counted>> { vec![Box::new(Blind)] };
    let weights = MhaWeights::default();
    let mut searches: Vec<(Graph, Status, Box<dyn Search<Counted>>)> = vec![
        (
            dead_end,
            Status::GaveUp,
            Box::new(BestFirst::greedy(hunch())),
        ),
        (
            impossible.clone(),
            Status::Unsolvable,
            Box::new(BestFirst::astar(Blind)),
        ),
        (
            impossible.clone(),
            Status::Unsolvable,
            Box::new(MhaStar::new(Blind, one(), weights).unwrap()),
        ),
        (
            impossible.clone(),
            Status::Unsolvable,
            Box::new(IndependentMhaStar::new(Blind, one(), weights).unwrap()),
        ),
    ];
    for form in MhaForm::ALL {
        let search = ImprovedMhaStar::new(form, Blind, one(), Weight::ONE).unwrap();
        searches.push((impossible.clone(), Status::Unsolvable, Box::new(search)));
    }
    for (graph, expected, mut search) in searches {
        let problem = Counted {
            graph,
            asked: Cell::new(0),
        };
        let whole = search.run(&problem, &mut Budget::unlimited());
        assert_eq!(whole, expected);
        let (statistics, asked) = (search.statistics().clone(), problem.asked.take());
        assert!(
            asked > statistics.expanded,
            "{asked}, and no state was looked at again"
        );
        search.restart();
        for slice in 1.. {
            let before = problem.asked.get();
            let status = search.run(&problem, &mut Budget::units(7));
            assert!(problem.asked.get() - before <= 7, "slice {slice}");
            if status != Status::Paused {
                assert_eq!(status, expected);
                break;
            }
        }
        assert_eq!(problem.asked.get(), asked);
        assert_eq!(search.statistics(), &statistics);
    }
}

fn far_if(far: bool) -> Cost {
    Cost::from_ticks(if far { 1 << 62 } else { 0 })
}

#[test]
fn what_a_budget_ran_out_of_is_known() {
    let graph = chain(60);
    let pauses = |budget: &mut Budget<'_>| {
        let mut search = BestFirst::astar(Blind);
        assert_eq!(search.run(&graph, budget), Status::Paused);
        budget.spent_by()
    };
    let expansions = pauses(&mut Budget::units(3));
    assert_eq!(expansions, Some(Spent::Expansions));
    let memory = pauses(&mut Budget::unlimited().within_memory(500));
    assert_eq!(memory, Some(Spent::Memory));
    // A clock that is a second further at every look.
    let looks = AtomicU64::new(0);
    let clock = || Duration::from_secs(looks.fetch_add(1, Ordering::Relaxed));
    let late = pauses(&mut Budget::unlimited().until_by(&clock, Duration::from_secs(3)));
    assert_eq!(late, Some(Spent::Deadline));
    let stop = AtomicBool::new(true);
    let cancelled = pauses(&mut Budget::unlimited().unless(&stop));
    assert_eq!(cancelled, Some(Spent::Cancelled));
}

#[test]
fn an_answer_by_other_estimates_is_looked_at_again() {
    let graph = graph_of(vec![vec![(1, 1), (2, 5)], vec![(2, 1)], vec![]]);
    let bad = table(&[0, 1_000, 0], Promise::None);
    let mut search: LpaStar<Graph, crate::graph::Table> = LpaStar::new(bad);
    assert_eq!(run_out(&mut search, &graph), Status::Finished);
    *search.heuristic() = table(&[0, 0, 0], Promise::Consistent);
    assert_eq!(search.guarantee().factor(), None);
    assert_eq!(run_out(&mut search, &graph), Status::Finished);
    assert_eq!(
        search.path().map(|path| path.cost),
        Some(Cost::from_ticks(2))
    );
}

#[test]
fn an_adviser_without_candidates_does_not_hold_the_others_up() {
    let graph = chain(60);
    for form in MhaForm::ALL {
        let advisers: Vec<BoxedHeuristic<Graph>> = vec![Box::new(Blind)];
        let search = ImprovedMhaStar::new(form, Blind, advisers, Weight::ONE).expect("an anchor");
        // Were its turns passed one by one, this would take hours.
        let mut search = search.with_turns(Turns::with_repeats([u32::MAX]));
        assert_eq!(run_out(&mut search, &graph), Status::Finished, "{form:?}");
    }
}

#[test]
fn the_highest_of_several_estimates_changes_with_any_of_them() {
    struct Revised(u64);
    impl Heuristic<Graph> for Revised {
        fn estimate(&mut self, _: &Graph, _: &usize) -> Cost {
            Cost::ZERO
        }
        fn revision(&self) -> u64 {
            self.0
        }
    }
    let revision =
        |a, b| Highest::<Graph>::new(vec![Box::new(Revised(a)), Box::new(Revised(b))]).revision();
    assert_ne!(revision(1, 2), revision(2, 1));
    assert_ne!(revision(1, 2), revision(1, 3));
}

/// States with coarse keys: a cheaper way to a key may lead to a state that is farther from the goal.
struct Coarse;

impl Problem for Coarse {
    /// Its key, its cost to come and to go in tenths, and what the adviser makes of it.
    type State = (char, u32, u32);
    type Key = char;
    type Action = ();

    fn start(&self) -> Self::State {
        ('s', 110, 9)
    }
    fn key(&self, state: &Self::State) -> char {
        state.0
    }
    fn is_goal(&self, state: &Self::State) -> bool {
        state.0 == 'g'
    }
    fn successors(&self, state: &Self::State, out: &mut Successors<Self::State, ()>) {
        let mut step = |key, remaining, hunch, cost| {
            let cost = Cost::from_seconds(f64::from(cost) / 10.0);
            out.push((), (key, remaining, hunch), cost);
        };
        match *state {
            ('s', ..) => {
                step('a', 12, 500, 100);
                step('b', 100, 0, 10);
                // Enough to keep what the adviser thinks far away out of what it has at hand.
                for hunch in 1..=400 {
                    let blind_alley = char::from_u32(0x4E00 + hunch).unwrap();
                    step(blind_alley, 110, hunch, 0);
                }
                step('c', 110, 900, 0);
            }
            ('b', ..) => step('a', 18, 500, 89),
            ('c', ..) => step('g', 0, 0, 110),
            ('a', remaining, _) => step('g', 0, 0, remaining),
            _ => {}
        }
    }
}

#[test]
fn no_adviser_expands_what_is_no_candidate_any_more() {
    /// Notes what was expanded.
    #[derive(Default)]
    struct Keys(String);
    impl Observer<Coarse> for Keys {
        fn expanded(&mut self, expansion: Expansion<'_, Coarse>) {
            self.0.push(expansion.state.0);
        }
    }
    let seconds = |tenths: u32| Cost::from_seconds(f64::from(tenths) / 10.0);
    let anchor = Estimate::new(Promise::Consistent, move |state: &(char, u32, u32)| {
        seconds(state.1)
    });
    let hunch = Estimate::new(Promise::None, move |state: &(char, u32, u32)| {
        seconds(state.2)
    });
    let weight = Weight::new(1.05).unwrap();
    let mut search = ImprovedMhaStar::new(MhaForm::Focal, anchor, vec![Box::new(hunch)], weight)
        .unwrap()
        .with_turns(Turns::with_repeats(vec![1000]));
    let mut keys = Keys::default();
    search.run_observed(&Coarse, &mut Budget::unlimited(), &mut keys);
    // The cheaper state of `a` is 11.7 from start to goal, more than 1.05 times 11.
    assert!(keys.0.starts_with("sb") && keys.0.ends_with('c'));
    assert!(!keys.0.contains('a'));
    assert_eq!(search.path().unwrap().cost, Cost::from_seconds(11.0));
}
