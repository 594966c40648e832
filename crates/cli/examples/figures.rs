//! Prints what plans take for every scenario that comes with Apprentice: what A* costs, how many
//! expansions each planner needs for a step of its plan, and what `auto` costs from nothing to a
//! plan, with everything it gets ready first; the same for large maps.
//! `cargo run --release -p apprentice-cli --example figures`; with `-- costs`, only the last of it.

#[path = "measuring/processor_time.rs"]
mod processor_time;

use std::path::Path;
use std::time::Duration;

use apprentice::Level;
use apprentice::behavior::{Character, PlannerName, Settings};
use apprentice::experience::Demonstration;
use apprentice::search::{BestFirst, Budget, Search, Status, Weight};
use apprentice::world::{Abilities, AnyQuest, Orders, Quest, Scenario, StraightLine, World};
use processor_time::Working;

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
    if std::env::args().nth(1).as_deref() == Some("costs") {
        return all_whole_costs(&scenarios);
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
    all_whole_costs(&scenarios)
}

/// The third table.
fn all_whole_costs(scenarios: &[(String, Scenario)]) -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "\nThe whole cost of a first plan with bound {BOUND}, and of another plan three seconds later.\n"
    );
    println!(
        "| level | `auto`: units of budget | of them to get ready | ms | frames at {A_FRAME} units | another plan: units | if nothing were kept | `wastar`: units | ms |"
    );
    println!("|---|{}", "---:|".repeat(8));
    for (name, scenario) in scenarios {
        whole_costs(name, scenario);
    }
    for side in [128, 512, 1024] {
        let (name, level) = (format!("{side} by {side}"), large(side));
        whole_costs(&name, &Scenario::parse(&level)?);
        let last = side - 1;
        let line = format!("points = [[0, 0], [{last}, 0], [{last}, {last}]]");
        let shown = format!("{level}[[demonstration]]\n{line}\n");
        whole_costs(&format!("{name}, shown a way"), &Scenario::parse(&shown)?);
    }
    Ok(())
}

/// A large map: fifteen of a hundred cells are walls, at random, and the way leads from corner to
/// corner.
fn large(side: usize) -> String {
    let mut random = 1_u64;
    let mut cell = |x: usize, y: usize| {
        // Knuth's numbers: the same walls on every machine.
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let is_corner = (x < 2 && y < 2) || (x + 2 >= side && y + 2 >= side);
        let is_wall = (random >> 33) % 100 < 15 && !is_corner;
        if is_wall { '#' } else { '.' }
    };
    let rows: Vec<String> = (0..side)
        .map(|y| (0..side).map(|x| cell(x, y)).collect())
        .collect();
    let last = side - 1;
    format!(
        "format = 1\nstart = [0, 0]\ngoal = {{ within = {{ at = [{last}, {last}], radius = 0.0 }} }}\nmap = {{ rows = {rows:?} }}\n"
    )
}

/// A line of the third table.
fn whole_costs(name: &str, scenario: &Scenario) {
    let costs = |planner| match &scenario.quest() {
        AnyQuest::Still(quest) => whole_cost(quest, planner),
        AnyQuest::Moving(quest) => whole_cost(quest, planner),
    };
    let [auto, wastar] = [PlannerName::Auto, PlannerName::Wastar].map(costs);
    let later = [Kept::Everything, Kept::Nothing].map(|kept| later_plan(scenario, kept));
    println!(
        "| {name} | {} | {} | {:.1} | {} | {} | {} | {} | {:.1} |",
        auto.units,
        auto.preparation,
        auto.ms,
        auto.units.div_ceil(A_FRAME),
        later[0],
        later[1],
        wastar.units,
        wastar.ms,
    );
}

/// Units of budget in a frame: so many are given in the README's loop.
const A_FRAME: u64 = 100;

struct WholeCost {
    units: u64,
    preparation: u64,
    ms: f64,
}

/// What the first plan costs, or the proof that there is none, if nothing was got ready before.
fn whole_cost<Q: Quest + 'static>(quest: &Q, planner: PlannerName) -> WholeCost {
    let settings = Settings {
        planner,
        bound: Weight::new(BOUND).ok(),
        ..Settings::default()
    };
    let shown = drawn_in(quest.scenario());
    let mut cost = WholeCost {
        units: 0,
        preparation: 0,
        ms: f64::INFINITY,
    };
    for _ in 0..RUNS {
        let checked = settings.check(quest.scenario(), &shown[..]);
        let planner = checked.expect("it fits every scenario").planner;
        let mut budget = Budget::unlimited();
        let begun = Working::now();
        let mut search = planner.search(quest).expect("it has a search").search;
        search.run(quest, &mut budget);
        cost.ms = cost.ms.min(begun.ms());
        cost.units = budget.taken();
        let statistics = search.statistics();
        cost.preparation = budget.taken() - statistics.expanded - statistics.upkeep;
        if cost.ms > LONG_MS {
            break;
        }
    }
    cost
}

/// What a character has of its first plan when it makes another.
#[derive(Clone, Copy, PartialEq)]
enum Kept {
    Everything,
    Nothing,
}

/// The units of budget of a plan that a character makes after it has followed its first for three
/// seconds, rehearsed where others move.
fn later_plan(scenario: &Scenario, kept: Kept) -> u64 {
    let settings = Settings {
        bound: Weight::new(BOUND).ok(),
        ..Settings::default()
    };
    let checked = settings.check(scenario, drawn_in(scenario));
    let planner = checked.expect("it fits every scenario").planner;
    let mut character = Character::new(planner, Abilities::default()).with_tick(TICK);
    let mut world = World::new(scenario);
    while world.time() < Duration::from_secs(3) {
        let order = character.decide(scenario, &world, &mut Budget::unlimited());
        world.advance(scenario, &Orders::new(order), TICK, &mut ());
    }
    if kept == Kept::Nothing {
        character.forget();
    }
    character.level_changed();
    let mut budget = Budget::unlimited();
    character.decide(scenario, &world, &mut budget);
    budget.taken()
}

/// A sixtieth of a second, nearly.
const TICK: Duration = Duration::from_millis(16);

/// The demonstrations that are drawn in a scenario itself.
fn drawn_in(scenario: &Scenario) -> Vec<Demonstration> {
    let level = Level::of(scenario.clone(), |_| Err("no recordings here".to_owned()));
    level.map_or_else(|_| Vec::new(), |level| level.demonstrations)
}

/// How often each quest is planned; the fastest run counts, because the others were disturbed.
const RUNS: u32 = 5;

fn measure<Q: Quest>(name: &str, quest: &Q) {
    let mut search = BestFirst::astar(StraightLine);
    let mut ms = f64::INFINITY;
    let mut status = Status::Paused;
    for _ in 0..RUNS {
        search.restart();
        let begun = Working::now();
        status = search.run(quest, &mut Budget::unlimited());
        ms = ms.min(begun.ms());
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
        ms,
        statistics.expanded as f64 / ms * 1e3,
    );
}

/// What takes so long is measured once: little can disturb it.
const LONG_MS: f64 = 100.0;

/// The bound of the second table.
const BOUND: f64 = 10.0;

/// No planner is given more expansions than this.
const MOST: u64 = 2_000_000;

/// Expansions for each step of the first plan of every planner, following the scenario's own
/// demonstrations.
fn expansions_a_step<Q: Quest + 'static>(quest: &Q) -> Vec<String> {
    let scenario = quest.scenario();
    let shown = drawn_in(scenario);
    let ratio = |planner: PlannerName| {
        let settings = Settings {
            planner,
            bound: Weight::new(BOUND).ok(),
            ..Settings::default()
        };
        let checked = settings.check(scenario, &shown[..]).ok()?;
        let mut search = checked.planner.search(quest).ok()?.search;
        search.run(quest, &mut Budget::units(MOST));
        let steps = search.path()?.steps.len();
        let expanded = search.statistics().expanded as f64;
        Some(format!("{:.1}", expanded / steps.max(1) as f64))
    };
    let ratios = PlannerName::ALL.into_iter().map(ratio);
    ratios
        .map(|ratio| ratio.unwrap_or_else(|| "none".to_owned()))
        .collect()
}
