//! After any change, what LPA* mends costs the same as what a new search finds; and on real maps it
//! does so with a small part of the work.

use std::cell::RefCell;

use apprentice_search::*;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::graph::{Graph, Table, admissible, consistent, graphs, hostile, mix};
use crate::grid::{Cell, Grid, Octile, Published, Walk, published};

/// One thing that happens to a graph, chosen by a number.
#[derive(Clone, Copy, Debug)]
enum Change {
    Steps,
    Goals,
    Start,
    StartAndSteps,
}

fn changes() -> impl Strategy<Value = Vec<(Change, u64)>> {
    let kind = prop_oneof![
        4 => Just(Change::Steps),
        1 => Just(Change::Goals),
        2 => Just(Change::Start),
        1 => Just(Change::StartAndSteps),
    ];
    prop::collection::vec((kind, any::<u64>()), 1..8)
}

/// Changes what leaves up to three nodes: other costs, steps that are gone, steps that are new.
fn change_steps(graph: &mut Graph, seed: u64) -> Vec<usize> {
    let nodes = graph.steps.len();
    let mut changed = Vec::new();
    for round in 0..1 + seed % 3 {
        let random = |salt: u64| mix(seed ^ salt ^ round << 8);
        let node = random(1) as usize % nodes;
        changed.push(node);
        let steps = &mut graph.steps[node];
        match random(2) % 4 {
            0 if !steps.is_empty() => {
                let gone = random(3) as usize % steps.len();
                steps.remove(gone);
            }
            1 => steps.push((random(4) as usize % nodes, random(5) % 20)),
            _ => {
                for (number, (_, cost)) in steps.iter_mut().enumerate() {
                    *cost = match random(6 + number as u64) % 5 {
                        0 => u64::MAX,
                        1 => *cost,
                        cheap => random(cheap) % 12,
                    };
                }
            }
        }
    }
    changed
}

/// What a graph becomes, and which nodes' steps have changed each time.
fn versions(graph: Graph, changes: &[(Change, u64)]) -> Vec<(Graph, Vec<usize>)> {
    let mut all = vec![(graph, vec![])];
    for (change, seed) in changes {
        let mut graph = all[all.len() - 1].0.clone();
        graph.revision += 1;
        if matches!(change, Change::Goals) {
            for goal in 0..graph.goals.len() {
                graph.goals[goal] ^= mix(seed ^ goal as u64).is_multiple_of(8);
            }
        }
        let steps = matches!(change, Change::Steps | Change::StartAndSteps);
        let changed = if steps {
            change_steps(&mut graph, *seed)
        } else {
            vec![]
        };
        all.push((graph, changed));
    }
    all
}

/// The graph with every step and goal that any version has.
fn union(versions: &[(Graph, Vec<usize>)]) -> Graph {
    let mut all = versions[0].0.clone();
    for (graph, _) in versions {
        for (node, steps) in graph.steps.iter().enumerate() {
            all.steps[node].extend(steps);
            all.goals[node] |= graph.goals[node];
        }
    }
    all
}

/// Whether the heuristic is told of changes, or holds for all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Told {
    Anew,
    Once,
}

fn check(
    graph: Graph,
    changes: &[(Change, u64)],
    told: Told,
    heuristic: impl Fn(&Graph) -> Table,
    slice: u64,
) {
    let mut versions = versions(graph, changes);
    let once = heuristic(&union(&versions));
    let heuristic = |graph: &Graph| {
        if told == Told::Once {
            once.clone()
        } else {
            heuristic(graph)
        }
    };
    let mut search = LpaStar::new(heuristic(&versions[0].0));
    let run = |search: &mut LpaStar<Graph, Table>, graph: &Graph| loop {
        let status = search.run(graph, &mut Budget::units(slice));
        if !status.is_unfinished() {
            break status;
        }
    };
    let mut status = run(&mut search, &versions[0].0);
    let mut start = 0;
    for ((change, seed), (graph, changed)) in changes.iter().zip(&mut versions[1..]) {
        let moves = matches!(change, Change::Start | Change::StartAndSteps);
        if moves {
            // Usually along the way that was found, as a character walks.
            let path = search.path();
            let ahead = path
                .as_ref()
                .and_then(|path| path.states().nth(*seed as usize % 3));
            start = *ahead.unwrap_or(&(mix(*seed) as usize % graph.steps.len()));
        }
        graph.start = start;
        assert_eq!(
            run(&mut search, graph),
            Status::ProblemChanged,
            "after {status:?}"
        );
        if told == Told::Anew {
            *search.heuristic() = heuristic(graph);
        }
        // In either order.
        if moves && seed.is_multiple_of(2) {
            let _ = search.start_changed(graph);
        }
        if !changed.is_empty() {
            let _ = search.steps_changed(graph, changed);
        }
        if moves && seed % 2 == 1 {
            let _ = search.start_changed(graph);
        }
        if matches!(change, Change::Goals) {
            let _ = search.goal_changed(graph);
        }
        assert!(search.path().is_none(), "a way from before the change");
        status = run(&mut search, graph);
        check_answer(&search, graph, status);
    }
}

/// A search that is at its end has found what a new one would.
fn check_answer(search: &LpaStar<Graph, Table>, graph: &Graph, status: Status) {
    let optimum = graph.optimum();
    if !optimum.is_finite() {
        assert_eq!(status, Status::Unsolvable);
        return;
    }
    assert_eq!(status, Status::Finished);
    let path = search.path().expect("a finished search has a path");
    graph.check_path(&path);
    if search.guarantee().factor() == Some(1.0) {
        assert_eq!(path.cost, optimum);
    }
}

/// How often a search was told of changes while it was busy.
#[derive(Debug, Default)]
struct Interruptions {
    /// It was on its way to a goal, and what it had learned was kept: changes of steps, of goals, of
    /// the start.
    kept: [u64; 3],
    /// It had been told of another change, and had not run since.
    in_a_row: u64,
    /// It was told of several changes together.
    together: u64,
}

/// Remembers which states were expanded.
#[derive(Default)]
struct Expanded(Vec<usize>);

impl Observer<Graph> for Expanded {
    fn expanded(&mut self, expansion: Expansion<'_, Graph>) {
        self.0.push(*expansion.state);
    }
}

/// The graph changes whenever it likes: the search is at its end, on its way or has not gone on since
/// the last change, and now and then hears of a change only together with the next one.
fn check_interrupted(
    graph: Graph,
    changes: &[(Change, u64)],
    told: Told,
    heuristic: impl Fn(&Graph) -> Table,
    interruptions: &mut Interruptions,
) {
    let mut versions = versions(graph, changes);
    let once = heuristic(&union(&versions));
    let heuristic = |graph: &Graph| match told {
        Told::Once => once.clone(),
        Told::Anew => heuristic(graph),
    };
    let mut search = LpaStar::new(heuristic(&versions[0].0));
    let mut start = 0;
    // What it said when it last ran, unless it was told of a change since.
    let mut said = None;
    let mut unsaid: Vec<(Change, Vec<usize>)> = Vec::new();
    for (number, (change, seed)) in changes.iter().enumerate() {
        let random = |salt: u64| mix(seed ^ salt << 32);
        let mut seen = Expanded::default();
        let budget = match random(1) % 4 {
            0 => None,
            1 => Some(Budget::unlimited()),
            _ => Some(Budget::units(seed % 8)),
        };
        if let Some(mut budget) = budget.filter(|_| unsaid.is_empty()) {
            let graph = &versions[number].0;
            let status = search.run_observed(graph, &mut budget, &mut seen);
            said = Some(status);
            if status != Status::Paused {
                check_answer(&search, graph, status);
            }
        }

        let (graph, changed) = &mut versions[number + 1];
        if matches!(change, Change::Start | Change::StartAndSteps) {
            // Usually to where the search has just been.
            let anywhere = random(2) as usize % graph.steps.len();
            start = match seen.0.len() {
                0 => anywhere,
                _ if random(3).is_multiple_of(4) => anywhere,
                some => seen.0[random(4) as usize % some],
            };
        }
        graph.start = start;
        unsaid.push((*change, changed.clone()));
        let is_last = number + 1 == changes.len();
        if !is_last && random(5).is_multiple_of(4) {
            continue;
        }

        let is_under_way = said == Some(Status::Paused) && search.statistics().expanded > 0;
        if said.is_some() {
            let status = search.run(graph, &mut Budget::units(1));
            assert_eq!(status, Status::ProblemChanged);
        } else if search.statistics().expanded > 0 {
            interruptions.in_a_row += 1;
        }
        interruptions.together += u64::from(unsaid.len() > 1);
        if told == Told::Anew {
            *search.heuristic() = heuristic(graph);
        }
        for (change, changed) in unsaid.drain(..) {
            let mut note = |kind: usize, reuse: Reuse| {
                interruptions.kept[kind] += u64::from(is_under_way && reuse == Reuse::Kept);
            };
            if !changed.is_empty() {
                note(0, search.steps_changed(graph, &changed));
            }
            match change {
                Change::Goals => note(1, search.goal_changed(graph)),
                Change::Start | Change::StartAndSteps => note(2, search.start_changed(graph)),
                Change::Steps => {}
            }
        }
        said = None;
        assert!(search.path().is_none(), "a way from before the change");
    }
    let graph = &versions[changes.len()].0;
    let status = crate::graph::run_out(&mut search, graph);
    check_answer(&search, graph, status);
}

#[test]
fn in_the_middle_of_a_search() {
    let config = ProptestConfig {
        cases: 6_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let interruptions = RefCell::new(Interruptions::default());
    let input = (graphs(), changes(), any::<u64>());
    let checked = TestRunner::new(config).run(&input, |(graph, changes, seed)| {
        let interruptions = &mut *interruptions.borrow_mut();
        for told in [Told::Once, Told::Anew] {
            let percent = seed % 101;
            let consistent = |graph: &Graph| consistent(graph, percent);
            check_interrupted(graph.clone(), &changes, told, consistent, interruptions);
            let admissible = |graph: &Graph| admissible(graph, seed);
            check_interrupted(graph.clone(), &changes, told, admissible, interruptions);
        }
        let number = seed as usize % 6;
        let hostile = |graph: &Graph| hostile(graph, seed).swap_remove(number);
        check_interrupted(graph, &changes, Told::Anew, hostile, interruptions);
        Ok(())
    });
    checked.unwrap_or_else(|error| panic!("{error}"));
    let interruptions = interruptions.into_inner();
    println!("{interruptions:?}");
    let Interruptions {
        kept,
        in_a_row,
        together,
    } = interruptions;
    assert!(
        kept.iter()
            .chain([&in_a_row, &together])
            .all(|times| *times > 1_000)
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_random_graphs(graph in graphs(), changes in changes(), percent in 0u64..=100) {
        for told in [Told::Once, Told::Anew] {
            check(graph.clone(), &changes, told, |graph| consistent(graph, percent), u64::MAX);
        }
    }

    #[test]
    fn on_random_graphs_in_slices(graph in graphs(), changes in changes(), percent in 0u64..=100) {
        for told in [Told::Once, Told::Anew] {
            check(graph.clone(), &changes, told, |graph| consistent(graph, percent), 1);
        }
    }

    #[test]
    fn with_a_heuristic_that_is_only_admissible(
        graph in graphs(), changes in changes(), seed: u64,
    ) {
        for told in [Told::Once, Told::Anew] {
            check(graph.clone(), &changes, told, |graph| admissible(graph, seed), u64::MAX);
        }
    }

    /// A heuristic that promises nothing gets no bound, but real ways all the same.
    #[test]
    fn with_a_hostile_heuristic(graph in graphs(), changes in changes(), seed: u64) {
        let number = seed as usize % 6;
        let heuristic = |graph: &Graph| hostile(graph, seed).swap_remove(number);
        check(graph, &changes, Told::Anew, heuristic, u64::MAX);
    }
}

/// A circle of steps that cost nothing must not hold itself up when the way to it is gone.
#[test]
fn a_circle_that_costs_nothing_falls_with_the_way_to_it() {
    let mut graph = Graph {
        steps: vec![
            vec![(1, 5), (3, 100)],
            vec![(2, 0)],
            vec![(1, 0), (3, 1)],
            vec![],
        ],
        goals: vec![false, false, false, true],
        start: 0,
        indexed: false,
        revision: 0,
    };
    let mut search = LpaStar::new(Blind);
    search.run(&graph, &mut Budget::unlimited());
    assert_eq!(
        search.path().map(|path| path.cost),
        Some(Cost::from_ticks(6))
    );
    graph.steps[0].remove(0);
    graph.revision += 1;
    assert_eq!(search.steps_changed(&graph, &[0]), Reuse::Kept);
    search.run(&graph, &mut Budget::unlimited());
    assert_eq!(
        search.path().map(|path| path.cost),
        Some(Cost::from_ticks(100))
    );
}

/// What one trial took.
struct Trial {
    /// Expansions of a new A*.
    new: u64,
    /// Expansions for mending.
    mended: u64,
    /// States that were withdrawn for it, which is less work than expanding them, but work.
    withdrawn: u64,
    /// Whether there is still a way.
    solvable: bool,
}

impl Trial {
    fn part(&self) -> f64 {
        self.mended as f64 / self.new as f64
    }
}

/// Toggles a patch of 9 by 9 cells near the way and plans again.
fn trial(map: &Published, seed: u64) -> Option<Trial> {
    let line = map.lines[mix(seed) as usize % map.lines.len()];
    let mut grid: Grid = map.grid.clone();
    let mut search = LpaStar::new(Octile);
    let walk = Walk::new(&map.grid, line.from, line.to);
    search.run(&walk, &mut Budget::unlimited());
    // Around a cell of the way, far enough from both ends that neither is walled in by the patch.
    let far = |a: (u32, u32), b: (u32, u32)| a.0.abs_diff(b.0).max(a.1.abs_diff(b.1)) > 4;
    let ends = [grid.place(line.from), grid.place(line.to)];
    let path = search.path()?;
    let places = path.states().map(|cell| grid.place(*cell));
    let places: Vec<_> = places
        .filter(|place| ends.iter().all(|end| far(*place, *end)))
        .collect();
    let (x, y) = *places.get(mix(seed ^ 1) as usize % places.len().max(1))?;
    let patch = (y.saturating_sub(4)..(y + 5).min(grid.height))
        .flat_map(|y| (x.saturating_sub(4)..(x + 5).min(map.grid.width)).map(move |x| (x, y)));
    let mut changed: Vec<Cell> = Vec::new();
    for (x, y) in patch {
        let cell = grid.cell(x, y);
        grid.toggle(cell);
        changed.extend(grid.around(cell));
    }
    changed.sort_unstable();
    changed.dedup();

    let walk = Walk {
        grid: &grid,
        revision: 1,
        ..Walk::new(&grid, line.from, line.to)
    };
    let before = search.statistics().expanded;
    let kept = search.steps_changed(&walk, &changed);
    let before = if kept == Reuse::Kept { before } else { 0 };
    search.run(&walk, &mut Budget::unlimited());
    let mended = search.statistics().expanded - before;

    let mut anew = BestFirst::astar(Octile);
    anew.run(&walk, &mut Budget::unlimited());
    let costs = (
        search.path().map(|path| path.cost),
        anew.path().map(|path| path.cost),
    );
    assert_eq!(costs.0, costs.1, "{}, seed {seed}", map.name);
    let new = anew.statistics().expanded;
    (new > 0).then(|| Trial {
        new,
        mended,
        withdrawn: search.withdrawn(),
        solvable: costs.0.is_some(),
    })
}

#[test]
fn a_patch_near_the_way_takes_a_small_part_of_a_new_search() {
    let Some(maps) = published() else { return };
    // Ways too short for a patch between their ends are passed over.
    let seeds = (0..).filter_map(|seed| trial(&maps[seed as usize % maps.len()], seed));
    let trials: Vec<Trial> = seeds.take(200).collect();
    let mut parts: Vec<f64> = trials.iter().map(Trial::part).collect();
    parts.sort_unstable_by(f64::total_cmp);
    let mean = parts.iter().sum::<f64>() / parts.len() as f64;
    let sum = |count: fn(&Trial) -> u64| trials.iter().map(count).sum::<u64>();
    let (new, mended) = (sum(|trial| trial.new), sum(|trial| trial.mended));
    println!(
        "{} trials, expansions as a part of those of a new A*:",
        parts.len()
    );
    for percent in [0, 10, 25, 50, 75, 90, 95, 99, 100] {
        let at = (parts.len() - 1) * percent / 100;
        println!("  {percent:>3} % of trials: at most {:.3}", parts[at]);
    }
    println!(
        "  mean {mean:.3}; all trials together: {new} expansions anew, {mended} to mend ({:.3}), {} states withdrawn",
        mended as f64 / new as f64,
        sum(|trial| trial.withdrawn),
    );
    let cut_off: Vec<f64> = trials
        .iter()
        .filter(|trial| !trial.solvable)
        .map(Trial::part)
        .collect();
    println!(
        "  of these, {} where the patch left no way at all: mean {:.3}",
        cut_off.len(),
        cut_off.iter().sum::<f64>() / cut_off.len().max(1) as f64
    );
    assert!(mean <= 0.4, "mean {mean}");
}
