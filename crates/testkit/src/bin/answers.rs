//! Says what every build of Apprentice must answer alike: a line for each level and planner.
//!
//! `cargo xtask wasm` runs it twice, as a program of this machine and as WebAssembly, and compares.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use apprentice::Level;
use apprentice_behavior::{PlannerName, Settings};
use apprentice_search::Budget;
use apprentice_world::{Abilities, AnyQuest, Order, Quest, verify};
use clap::Parser;

/// Plan all levels of a folder with every planner, and print what can be compared
#[derive(Parser)]
struct Arguments {
    /// The folder with the levels
    folder: PathBuf,

    /// Units of budget for each plan
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    units: u64,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match levels(&arguments.folder).and_then(|levels| {
        let mut levels = levels.iter();
        levels.try_for_each(|level| answer_all(level, arguments.units))
    }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

/// The files of the levels, by name.
fn levels(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let told = |error: std::io::Error| format!("`{}`: {error}", folder.display());
    let mut paths = Vec::new();
    for file in std::fs::read_dir(folder).map_err(told)? {
        let path = file.map_err(told)?.path();
        if path.extension().is_some_and(|end| end == "toml") {
            paths.push(path);
        }
    }
    paths.sort();
    if paths.is_empty() {
        return Err(format!("there are no levels in `{}`", folder.display()));
    }
    Ok(paths)
}

fn answer_all(path: &Path, units: u64) -> Result<(), String> {
    let level = Level::load(path).map_err(|error| error.to_string())?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    for planner in PlannerName::ALL {
        let settings = Settings {
            planner,
            ..Settings::default()
        };
        let answer = match settings.check(&level.scenario, level.demonstrations.clone()) {
            Ok(checked) => match level.scenario.quest_with(Abilities::default()) {
                AnyQuest::Still(quest) => answer(&quest, &checked.planner, units),
                AnyQuest::Moving(quest) => answer(&quest, &checked.planner, units),
            },
            Err(refused) => refused.to_string(),
        };
        println!("{name} {}: {answer}", planner.name());
    }
    Ok(())
}

/// How a search ends, what it counts, and the world its plan leads to.
fn answer<Q: Quest + 'static>(
    quest: &Q,
    planner: &apprentice_behavior::Planner,
    units: u64,
) -> String {
    let mut search = match planner.search(quest) {
        Ok(named) => named.search,
        Err(refused) => return refused.to_string(),
    };
    let status = search.run(quest, &mut Budget::units(units));
    let statistics = search.statistics();
    let counted = format!(
        "{status:?}, {} expanded, {} states",
        statistics.expanded, statistics.states
    );
    let Some(path) = search.path() else {
        return counted;
    };
    let orders: Vec<Order> = path.actions().copied().collect();
    let scenario = quest.scenario();
    match verify(scenario, quest.start_world(), &orders, quest.goal()) {
        Ok(lived) => {
            let end = lived.steps.last();
            let digest = end.map_or(quest.start_world().digest(), |step| step.world.digest());
            let (steps, cost) = (orders.len(), path.cost);
            format!("{counted}, {steps} steps, cost {cost}, world {digest:016x}")
        }
        Err(why) => format!("{counted}, a plan that does not hold: {why}"),
    }
}
