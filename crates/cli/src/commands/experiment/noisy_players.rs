//! Companions of players who change their style, wander and stand still: who arrives, who dies, how
//! often a companion changes its mind, and what its worst frame takes; beside a companion of rules, what
//! one did before by the clock, and nobody.

use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use apprentice::Level;
use apprentice::companion::{Cave, Escort, Terms, Trial};
use serde_json::{Value, json};

use super::Run;
use crate::commands::plan::Format;
use crate::exit::{Failure, print, print_exactly};

/// Plays of the shipped cave, and of each random one; with --quick a tenth of them.
const PLAYS: u64 = 1_000;
const PLAYS_OF_OTHERS: u64 = 100;
/// Random caves.
const CAVES: u64 = 10;

const ESCORTS: [(Escort, &str); 4] = [
    (Escort::Companion, "companion"),
    (Escort::Follower, "rules"),
    (Escort::Replay, "replay"),
    (Escort::Nobody, "nobody"),
];

/// The level, as it travels with the program.
const LEVEL: &str = include_str!("../../../shipped/coop_cave.toml");
const MESH: &str = include_str!("../../../shipped/coop_cave.mesh");

/// What became of the plays of a level.
struct Row {
    cave: String,
    escort: &'static str,
    trial: Trial,
}

pub(super) fn run(run: &Run) -> Result<(), Failure> {
    let cut = if run.quick { 10 } else { 1 };
    let Level { scenario, .. } = shipped_cave()?;
    let shipped = Cave::of("coop_cave", &scenario);
    let shipped = shipped.ok_or_else(|| Failure::Bug("the shipped cave is drawn".to_owned()))?;
    let mut caves = vec![(shipped, PLAYS / cut)];
    let seeds = (0..CAVES).map(|number| run.seed + number);
    caves.extend(seeds.map(|seed| (Cave::with_two_routes(seed), PLAYS_OF_OTHERS / cut)));
    let mut rows = Vec::new();
    for (escort, name) in ESCORTS {
        for (cave, plays) in &caves {
            let trial = play_all(run, cave, *plays, escort)?;
            rows.push(Row {
                cave: cave.name.clone(),
                escort: name,
                trial,
            });
        }
        let mut all = Trial::default();
        let of_escort = rows.iter().filter(|row| row.escort == name);
        of_escort.for_each(|row| all.add(&row.trial));
        rows.push(Row {
            cave: "all".to_owned(),
            escort: name,
            trial: all,
        });
    }
    match run.format {
        Format::Text => print(&text(&rows)),
        Format::Json => {
            let rows: Vec<Value> = rows.iter().map(document).collect();
            print_exactly(&format!("{:#}\n", Value::from(rows)))
        }
    }
}

/// Plays a level so often, on as many threads as were asked for. What comes of it does not depend on
/// them.
fn play_all(run: &Run, cave: &Cave, plays: u64, escort: Escort) -> Result<Trial, Failure> {
    let next = AtomicUsize::new(0);
    let (sum, failed) = (Mutex::new(Trial::default()), Mutex::new(None));
    let work = || loop {
        let number = next.fetch_add(1, Ordering::Relaxed) as u64;
        if number >= plays {
            return;
        }
        let terms = Terms {
            escort,
            seed: run.seed + number,
            ..Terms::default()
        };
        match Trial::play(cave, &terms) {
            Ok(trial) => {
                if let Ok(mut sum) = sum.lock() {
                    sum.add(&trial);
                }
            }
            Err(error) => {
                if let Ok(mut failed) = failed.lock() {
                    failed.get_or_insert(format!("{}: {error}", cave.name));
                }
                return;
            }
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = run.jobs.map_or(cores, |jobs| jobs as usize);
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(work);
        }
    });
    if let Ok(Some(why)) = failed.into_inner() {
        return Err(Failure::Bug(why));
    }
    sum.into_inner()
        .map_err(|_| Failure::Bug("a play came to grief".to_owned()))
}

fn text(rows: &[Row]) -> String {
    let mut text = "with       cave            plays  both there  companion dead  player dead  \
                    changes  frames stuck  mute  worst frame  over budget\n"
        .to_owned();
    for Row {
        cave,
        escort,
        trial,
    } in rows
    {
        let _ = writeln!(
            text,
            "{escort:<10} {cave:<14} {:>6} {:>11} {:>15} {:>12} {:>8} {:>13} {:>5} {:>12} {:>12}",
            trial.plays,
            trial.together,
            trial.companion_deaths,
            trial.player_deaths,
            trial.changes,
            trial.stuck,
            trial.speechless,
            trial.most_units,
            trial.over_budget,
        );
    }
    text
}

fn document(row: &Row) -> Value {
    let Row {
        cave,
        escort,
        trial,
    } = row;
    json!({
        "escort": escort,
        "cave": cave,
        "plays": trial.plays,
        "both_there": trial.together,
        "companion_deaths": trial.companion_deaths,
        "player_deaths": trial.player_deaths,
        "changes_of_mind": trial.changes,
        "frames_stuck": trial.stuck,
        "frames_stuck_without_reason": trial.speechless,
        "worst_frame_units": trial.most_units,
        "frames_over_budget": trial.over_budget,
    })
}

/// The cave that travels with the program.
fn shipped_cave() -> Result<Level, Failure> {
    let level = Level::read(LEVEL, |name| match name {
        "coop_cave.mesh" => Ok(MESH.as_bytes().to_vec()),
        _ => Err("there is no such file".to_owned()),
    });
    level.map_err(|error| Failure::Bug(format!("the shipped level: {error}")))
}
