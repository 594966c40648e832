//! Prints what A* does on every shipped scenario: expansions, states, bytes for each state, speed.

use std::path::Path;
use std::time::Instant;

use apprentice_search::{BestFirst, Budget, Heuristic, Search};
use apprentice_world::{
    Abilities, AnyQuest, Branching, Quest, Scenario, ShortestPath, StraightLine,
};

/// Enough for every scenario with sixteen successors.
const MOST_EXPANSIONS: u64 = 20_000_000;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the scenarios are there")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.sort();
    println!(
        "| scenario | branching | estimate | status | cost s | expansions | states | bytes/state | time ms | expansions/s |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for path in files {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let beside = |name: &str| {
            std::fs::read_to_string(path.with_file_name(name)).map_err(|error| error.to_string())
        };
        let scenario = Scenario::parse_with(&text, beside).expect("the scenario is valid");
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        for branching in [Branching::Sixteen, Branching::TwoHundredFiftySix] {
            let abilities = Abilities {
                branching,
                ..Abilities::default()
            };
            match scenario.quest_with(abilities) {
                AnyQuest::Still(quest) => both(&name, branching, &quest),
                AnyQuest::Moving(quest) if branching == Branching::Sixteen => {
                    both(&name, branching, &quest);
                }
                // Whole worlds with 256 successors each are more than a table is worth.
                AnyQuest::Moving(_) => {}
            }
        }
    }
}

fn both<Q: Quest>(name: &str, branching: Branching, quest: &Q) {
    measure(name, branching, quest, "straight", StraightLine);
    measure(name, branching, quest, "path", ShortestPath::default());
}

fn measure<Q: Quest>(
    name: &str,
    branching: Branching,
    quest: &Q,
    kind: &str,
    estimate: impl Heuristic<Q>,
) {
    let mut search = BestFirst::astar(estimate);
    search.run(quest, &mut Budget::units(MOST_EXPANSIONS));
    // Once more, so that memory is there and the caches know it. Enough runs for a steady figure.
    let (mut runs, start) = (0, Instant::now());
    let mut status = apprentice_search::Status::Paused;
    while runs == 0 || start.elapsed().as_millis() < 300 {
        search.restart();
        status = search.run(quest, &mut Budget::units(MOST_EXPANSIONS));
        runs += 1;
    }
    let seconds = start.elapsed().as_secs_f64() / f64::from(runs);
    let statistics = search.statistics();
    let branching = branching.number();
    println!(
        "| {name} | {branching} | {kind} | {status:?} | {:.3} | {} | {} | {:.1} | {:.2} | {:.0} |",
        search
            .path()
            .map_or(f64::NAN, |path| path.cost.as_seconds()),
        statistics.expanded,
        statistics.states,
        statistics.bytes_per_state(),
        seconds * 1e3,
        statistics.expanded as f64 / seconds,
    );
}
