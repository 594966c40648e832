//! Prints a table of what A* takes for every scenario that comes with Apprentice:
//! `cargo run --release -p apprentice-cli --example figures`.

use std::path::Path;
use std::time::Instant;

use apprentice::search::{BestFirst, Budget, Search, Status};
use apprentice::world::{AnyQuest, Quest, Scenario, StraightLine};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let files = std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut files = files.collect::<Result<Vec<_>, _>>()?;
    files.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "toml")
    });
    files.sort();
    println!(
        "| scenario | cost, s | expansions | states | bytes per state | ms | expansions per s |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for path in files {
        let beside = |name: &str| {
            std::fs::read_to_string(path.with_file_name(name)).map_err(|error| error.to_string())
        };
        let scenario = Scenario::parse_with(&std::fs::read_to_string(&path)?, beside)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        match &scenario.quest() {
            AnyQuest::Still(quest) => measure(&name, quest),
            AnyQuest::Moving(quest) => measure(&name, quest),
        }
    }
    Ok(())
}

/// How often each quest is planned; the fastest run counts, because the others were disturbed.
const RUNS: u32 = 5;

fn measure<Q: Quest>(name: &str, quest: &Q) {
    let mut search = BestFirst::astar(StraightLine);
    let mut seconds = f64::INFINITY;
    let mut status = Status::Paused;
    for _ in 0..RUNS {
        search.restart();
        let begun = Instant::now();
        status = search.run(quest, &mut Budget::unlimited());
        seconds = seconds.min(begun.elapsed().as_secs_f64());
    }
    let cost = match (status, search.path()) {
        (Status::Finished, Some(path)) => format!("{:.1}", path.cost.as_seconds()),
        _ => "impossible".to_owned(),
    };
    let statistics = search.statistics();
    println!(
        "| {name} | {cost} | {} | {} | {:.0} | {:.2} | {:.0} |",
        statistics.expanded,
        statistics.states,
        statistics.bytes_per_state(),
        seconds * 1e3,
        statistics.expanded as f64 / seconds,
    );
}
