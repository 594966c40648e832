//! Prints what plans take for every scenario that comes with Apprentice: what A* costs, and how
//! many expansions each planner needs for a step of its plan.
//! `cargo run --release -p apprentice-cli --example figures`.

use std::path::Path;
use std::time::Instant;

use apprentice::behavior::{PlannerName, Settings};
use apprentice::experience::{Demonstration, Place};
use apprentice::search::{BestFirst, Budget, Search, Status, Weight};
use apprentice::world::{AnyQuest, Drawn, Quest, Scenario, StraightLine};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let files = std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut files = files.collect::<Result<Vec<_>, _>>()?;
    files.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "toml")
    });
    files.sort();
    let mut scenarios = Vec::new();
    for path in files {
        let beside = |name: &str| {
            std::fs::read_to_string(path.with_file_name(name)).map_err(|error| error.to_string())
        };
        let scenario = Scenario::parse_with(&std::fs::read_to_string(&path)?, beside)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        scenarios.push((name.into_owned(), scenario));
    }
    println!(
        "| scenario | cost, s | expansions | states | bytes per state | ms | expansions per s |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for (name, scenario) in &scenarios {
        match &scenario.quest() {
            AnyQuest::Still(quest) => measure(name, quest),
            AnyQuest::Moving(quest) => measure(name, quest),
        }
    }
    let names = PlannerName::ALL.map(PlannerName::name);
    println!("\nExpansions for each step of the plan, with bound {BOUND}; 1 is the limit.\n");
    println!("| scenario | {} |", names.join(" | "));
    println!("|---|{}", "---:|".repeat(names.len()));
    for (name, scenario) in &scenarios {
        let ratios = match &scenario.quest() {
            AnyQuest::Still(quest) => expansions_a_step(quest),
            AnyQuest::Moving(quest) => expansions_a_step(quest),
        };
        println!("| {name} | {} |", ratios.join(" | "));
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

/// The bound of the second table.
const BOUND: f64 = 10.0;

/// No planner is given more expansions than this.
const MOST: u64 = 2_000_000;

/// Expansions for each step of the first plan of every planner, following the scenario's own
/// demonstrations.
fn expansions_a_step<Q: Quest + 'static>(quest: &Q) -> Vec<String> {
    let scenario = quest.scenario();
    let speed = scenario.rules().top_speed();
    let shown: Vec<Demonstration> = scenario
        .demonstrations()
        .iter()
        .filter_map(|drawn| match drawn {
            Drawn::Points(points) => {
                let places = points.iter().map(|point| Place::flat(point.x, point.y));
                Some(Demonstration::drawn("drawn", places, speed))
            }
            Drawn::File { .. } => None,
        })
        .collect();
    let ratio = |planner: PlannerName| {
        let settings = Settings {
            planner,
            bound: Weight::new(BOUND).ok(),
            ..Settings::default()
        };
        let checked = settings.check(scenario, &shown[..]).ok()?;
        let mut search = checked.planner.search(quest).ok()?.search;
        search.run(quest, &mut Budget::expansions(MOST));
        let steps = search.path()?.steps.len();
        let expanded = search.statistics().expanded as f64;
        Some(format!("{:.1}", expanded / steps.max(1) as f64))
    };
    let ratios = PlannerName::ALL.into_iter().map(ratio);
    ratios
        .map(|ratio| ratio.unwrap_or_else(|| "none".to_owned()))
        .collect()
}
