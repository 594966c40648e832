//! One demonstration, and the key somewhere else, two hundred times: a table of what becomes of it.
//! `cargo run --release -p apprentice-cli --example moved_key`.

#[path = "measuring/processor_time.rs"]
mod processor_time;

use std::path::Path;

use apprentice::behavior::{PlannerName, Settings};
use apprentice::experience::{Demonstration, Place, coverage};
use apprentice::search::{Budget, Search, Status};
use apprentice::world::{AnyQuest, Drawn, Order, Quest, Scenario, verify};
use processor_time::Working;

/// So many places for the key.
const TRIALS: u64 = 200;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/k1d1_exact.toml");
    let scenario = Scenario::parse(&std::fs::read_to_string(file)?)?;
    let Some(Drawn::Points(points)) = scenario.demonstrations().first() else {
        return Err("the scenario has no drawn demonstration".into());
    };
    let places = points.iter().map(|point| Place::flat(point.x, point.y));
    let shown = Demonstration::drawn("over the key", places, scenario.rules().top_speed());
    // Wherever the key is, the way from the door to the goal is as shown; so is the way to it from
    // the turning point, unless the key lies elsewhere.
    let after = Demonstration {
        name: "after the key".to_owned(),
        samples: shown.samples[1..].to_vec(),
    };
    println!(
        "| planner | success | expansions, median | worst | units of budget, median | worst | ms, median | worst | followed, mean | after the key, mean | times the best, mean |"
    );
    println!("|---|{}", "---:|".repeat(10));
    for planner in [
        PlannerName::Auto,
        PlannerName::Mha,
        PlannerName::Tgraph,
        PlannerName::Wastar,
    ] {
        let mut rows = Vec::new();
        for seed in 1..=TRIALS {
            let moved = scenario.with_random_items(seed);
            let AnyQuest::Still(quest) = moved.quest() else {
                return Err("nothing moves in this scenario".into());
            };
            rows.extend(trial(&quest, planner, &shown, &after));
        }
        let middle = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            (values[values.len() / 2], values[values.len() - 1])
        };
        let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        let expansions = middle(rows.iter().map(|row| row.expansions).collect());
        let units = middle(rows.iter().map(|row| row.units).collect());
        let ms = middle(rows.iter().map(|row| row.ms).collect());
        println!(
            "| {planner} | {:.0} % | {:.0} | {:.0} | {:.0} | {:.0} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} |",
            100.0 * rows.len() as f64 / TRIALS as f64,
            expansions.0,
            expansions.1,
            units.0,
            units.1,
            ms.0,
            ms.1,
            mean(rows.iter().map(|row| row.followed).collect()),
            mean(rows.iter().map(|row| row.after).collect()),
            mean(rows.iter().map(|row| row.ratio).collect()),
        );
    }
    Ok(())
}

struct Row {
    expansions: f64,
    /// With what it took to get ready.
    units: f64,
    ms: f64,
    followed: f64,
    after: f64,
    ratio: f64,
}

fn trial<Q: Quest + 'static>(
    quest: &Q,
    planner: PlannerName,
    shown: &Demonstration,
    after: &Demonstration,
) -> Option<Row> {
    let search = |planner: PlannerName| {
        let settings = Settings {
            planner,
            ..Settings::default()
        };
        let checked = settings.check(quest.scenario(), vec![shown.clone()]).ok()?;
        let begun = Working::now();
        let mut search = checked.planner.search(quest).ok()?.search;
        let mut budget = Budget::unlimited();
        let status = search.run(quest, &mut budget);
        let ms = begun.ms();
        (status == Status::Finished).then_some((search, budget.taken(), ms))
    };
    let (found, units, ms) = search(planner)?;
    let (best, ..) = search(PlannerName::Astar)?;
    let path = found.path()?;
    let orders: Vec<Order> = path.actions().copied().collect();
    let lived = verify(quest.scenario(), quest.start_world(), &orders, quest.goal()).ok()?;
    let way: Vec<Place> = lived
        .steps
        .iter()
        .map(|step| Place::flat(step.at.x, step.at.y))
        .collect();
    Some(Row {
        expansions: found.statistics().expanded as f64,
        units: units as f64,
        ms,
        followed: coverage([shown], &way),
        after: coverage([after], &way),
        ratio: lived.cost.as_seconds() / best.path()?.cost.as_seconds(),
    })
}
