//! After any change, what LPA* mends costs the same as what a new search finds; and on real maps it
//! does so with a small part of the work.

mod graph;
mod grid;

use apprentice_search::*;
use proptest::prelude::*;

use graph::{Graph, Table, consistent, graphs, hostile, mix};
use grid::{Cell, Grid, Octile, Published, Walk, published};

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

fn check(mut graph: Graph, changes: &[(Change, u64)], heuristic: impl Fn(&Graph) -> Table, slice: u64) {
    let mut search = LpaStar::new(heuristic(&graph));
    let run = |search: &mut LpaStar<Graph, Table>, graph: &Graph| loop {
        let status = search.run(graph, &mut Budget::expansions(slice));
        if !status.is_unfinished() {
            break status;
        }
    };
    let mut status = run(&mut search, &graph);
    for (change, seed) in changes {
        graph.revision += 1;
        if matches!(change, Change::Goals) {
            for goal in 0..graph.goals.len() {
                graph.goals[goal] ^= mix(seed ^ goal as u64) % 8 == 0;
            }
        }
        let moves = matches!(change, Change::Start | Change::StartAndSteps);
        if moves {
            // Usually along the way that was found, as a character walks.
            let path = search.path();
            let ahead = path.as_ref().and_then(|path| path.states().nth(*seed as usize % 3));
            graph.start = *ahead.unwrap_or(&(mix(*seed) as usize % graph.steps.len()));
        }
        let steps = matches!(change, Change::Steps | Change::StartAndSteps);
        let changed = if steps { change_steps(&mut graph, *seed) } else { vec![] };
        assert_eq!(run(&mut search, &graph), Status::ProblemChanged, "after {status:?}");
        *search.heuristic() = heuristic(&graph);
        if moves {
            let _ = search.start_changed(&graph);
        }
        if steps {
            let _ = search.steps_changed(&graph, &changed);
        }
        if matches!(change, Change::Goals) {
            let _ = search.goal_changed(&graph);
        }
        assert!(search.path().is_none(), "a way from before the change");
        status = run(&mut search, &graph);
        let optimum = graph.optimum();
        if optimum.is_finite() {
            assert_eq!(status, Status::Finished, "{change:?}");
            let path = search.path().expect("a finished search has a path");
            graph.check_path(&path);
            if search.guarantee().factor() == Some(1.0) {
                assert_eq!(path.cost, optimum, "{change:?}");
            }
        } else {
            assert_eq!(status, Status::Unsolvable, "{change:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_random_graphs(graph in graphs(), changes in changes(), percent in 0u64..=100) {
        check(graph, &changes, |graph| consistent(graph, percent), u64::MAX);
    }

    #[test]
    fn on_random_graphs_in_slices(graph in graphs(), changes in changes(), percent in 0u64..=100) {
        check(graph, &changes, |graph| consistent(graph, percent), 1);
    }

    /// A heuristic that promises nothing gets no bound, but real ways all the same.
    #[test]
    fn with_a_hostile_heuristic(graph in graphs(), changes in changes(), seed: u64) {
        let number = seed as usize % 6;
        check(graph, &changes, |graph| hostile(graph, seed).swap_remove(number), u64::MAX);
    }
}

/// A circle of steps that cost nothing must not hold itself up when the way to it is gone.
#[test]
fn a_circle_that_costs_nothing_falls_with_the_way_to_it() {
    let mut graph = Graph {
        steps: vec![vec![(1, 5), (3, 100)], vec![(2, 0)], vec![(1, 0), (3, 1)], vec![]],
        goals: vec![false, false, false, true],
        start: 0,
        indexed: false,
        revision: 0,
    };
    let mut search = LpaStar::new(Blind);
    search.run(&graph, &mut Budget::unlimited());
    assert_eq!(search.path().map(|path| path.cost), Some(Cost::from_ticks(6)));
    graph.steps[0].remove(0);
    graph.revision += 1;
    assert_eq!(search.steps_changed(&graph, &[0]), Reuse::Kept);
    search.run(&graph, &mut Budget::unlimited());
    assert_eq!(search.path().map(|path| path.cost), Some(Cost::from_ticks(100)));
}

/// What one trial took, as parts of the expansions of a new A*.
struct Trial {
    part: f64,
    new: u64,
}

/// Toggles a patch of 9 by 9 cells near the way and plans again.
fn trial(map: &Published, seed: u64) -> Option<Trial> {
    let line = map.lines[mix(seed) as usize % map.lines.len()];
    let mut grid: Grid = map.grid.clone();
    let mut search = LpaStar::new(Octile);
    let walk = Walk::new(&map.grid, line.from, line.to);
    search.run(&walk, &mut Budget::unlimited());
    let cells: Vec<Cell> = search.path()?.states().copied().collect();
    let (x, y) = grid.place(cells[mix(seed ^ 1) as usize % cells.len()]);
    let patch = (y.saturating_sub(4)..(y + 5).min(grid.height))
        .flat_map(|y| (x.saturating_sub(4)..(x + 5).min(map.grid.width)).map(move |x| (x, y)));
    let mut changed: Vec<Cell> = Vec::new();
    for (x, y) in patch {
        let cell = grid.cell(x, y);
        if cell != line.from && cell != line.to {
            grid.toggle(cell);
            changed.extend(grid.around(cell));
        }
    }
    changed.sort_unstable();
    changed.dedup();

    let walk = Walk { grid: &grid, revision: 1, ..Walk::new(&grid, line.from, line.to) };
    let before = search.statistics().expanded;
    let kept = search.steps_changed(&walk, &changed);
    let before = if kept == Reuse::Kept { before } else { 0 };
    search.run(&walk, &mut Budget::unlimited());
    let mended = search.statistics().expanded - before;

    let mut anew = BestFirst::astar(Octile);
    anew.run(&walk, &mut Budget::unlimited());
    let costs = (search.path().map(|path| path.cost), anew.path().map(|path| path.cost));
    assert_eq!(costs.0, costs.1, "{}, seed {seed}", map.name);
    let new = anew.statistics().expanded;
    (new > 0).then(|| Trial { part: mended as f64 / new as f64, new })
}

#[test]
fn a_patch_near_the_way_takes_a_small_part_of_a_new_search() {
    let Some(maps) = published() else { return };
    let trials: Vec<Trial> =
        (0..200).filter_map(|seed| trial(&maps[seed as usize % maps.len()], seed)).collect();
    let mut parts: Vec<f64> = trials.iter().map(|trial| trial.part).collect();
    parts.sort_unstable_by(f64::total_cmp);
    let mean = parts.iter().sum::<f64>() / parts.len() as f64;
    let new: u64 = trials.iter().map(|trial| trial.new).sum();
    let mended: f64 = trials.iter().map(|trial| trial.part * trial.new as f64).sum();
    println!("{} trials, expansions as a part of those of a new A*:", parts.len());
    for percent in [0, 10, 25, 50, 75, 90, 95, 99, 100] {
        let at = (parts.len() - 1) * percent / 100;
        println!("  {percent:>3} % of trials: at most {:.3}", parts[at]);
    }
    println!("  mean {mean:.3}; of all expansions together {:.3}", mended / new as f64);
    assert!(parts.len() > 190, "only {} trials found a way to begin with", parts.len());
    assert!(mean <= 0.4, "mean {mean}");
}
