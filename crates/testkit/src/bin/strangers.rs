//! Plans levels of strangers and says how often, how soon and at what price there is an answer.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use apprentice_behavior::Settings;
use apprentice_testkit::measure::{Answer, Measured, Summary, each, plan};
use apprentice_testkit::published;
use apprentice_testkit::stranger::{Company, Shown, Stranger};
use clap::Parser;

/// Plan levels of strangers, up to the first plan or the proof that there is none
#[derive(Parser)]
struct Arguments {
    /// Levels in each of six groups
    #[arg(long, value_name = "N", default_value_t = 100)]
    levels: usize,

    /// Levels on each of the maps that others have published [default: an eighth of N]
    #[arg(long, value_name = "N")]
    maps: Option<usize>,

    /// The seed of the first level
    #[arg(long, value_name = "S", default_value_t = 0)]
    first_seed: u64,

    /// Milliseconds of processor time for each level
    #[arg(long, value_name = "MS", default_value_t = 2_000)]
    time: u64,

    /// Plan on so many threads at once
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,

    /// Write levels without an answer into this folder, to be planned by hand
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

/// What is shown, and who else is about.
const GROUPS: [(Shown, Company); 6] = [
    (Shown::Something, Company::Nobody),
    (Shown::Something, Company::Stands),
    (Shown::Something, Company::Walks),
    (Shown::Nothing, Company::Nobody),
    (Shown::Nothing, Company::Stands),
    (Shown::Nothing, Company::Walks),
];

/// A level, and what a planner came to on it.
struct Tried {
    /// What its ground looks like.
    terrain: String,
    shown: Shown,
    company: Company,
    about: String,
    measured: Measured,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    println!(
        "levels of strangers: {} in each group from seed {}, {} ms of processor time for each\n",
        arguments.levels, arguments.first_seed, arguments.time
    );
    println!("{:8} {:8} {}", "shown", "player", Summary::HEADING);
    let mut all: Vec<Tried> = Vec::new();
    for (shown, company) in GROUPS {
        let tried = each(arguments.levels, arguments.threads, |number| {
            let seed = arguments.first_seed + number as u64;
            try_out(&Stranger::new(seed, shown, company), &arguments)
        });
        let summary = Summary::of(tried.iter().map(|tried| &tried.measured));
        println!("{:8} {company:8} {}", name(shown), summary.row());
        all.extend(tried);
    }
    by_terrain("ground", &all);
    let maps = arguments.maps.unwrap_or(arguments.levels.div_ceil(8));
    if maps > 0 {
        let (terrains, notes) = published::terrains();
        println!();
        notes.iter().for_each(|note| println!("{note}"));
        let on_maps = each(terrains.len() * maps, arguments.threads, |number| {
            let terrain = terrains[number / maps].clone();
            // The seeds of a map are far from those of others, so that each is another level.
            let seed = arguments.first_seed + 1_000 * (number / maps + 1) as u64;
            let (shown, company) = GROUPS[number % GROUPS.len()];
            let seed = seed + (number % maps) as u64;
            try_out(&Stranger::on(terrain, seed, shown, company), &arguments)
        });
        by_terrain("published map", &on_maps);
        all.extend(on_maps);
    }

    println!("\nwithout an answer:");
    let mut is_broken = false;
    for tried in &all {
        let fault = match &tried.measured.answer {
            Answer::Nothing => "",
            Answer::Broken(why) => {
                is_broken = true;
                why
            }
            _ => continue,
        };
        println!(
            "{}, {}, {}: {}, {} expansions {fault}",
            tried.terrain,
            name(tried.shown),
            tried.company,
            tried.about,
            tried.measured.expanded
        );
    }
    if is_broken {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// A row for each ground, and one for all.
fn by_terrain(heading: &str, tried: &[Tried]) {
    let mut terrains: Vec<&str> = tried.iter().map(|tried| tried.terrain.as_str()).collect();
    terrains.sort_unstable();
    terrains.dedup();
    println!("\n{heading:17} {}", Summary::HEADING);
    for terrain in terrains {
        let those = tried.iter().filter(|tried| tried.terrain == terrain);
        let summary = Summary::of(those.map(|tried| &tried.measured));
        println!("{terrain:17} {}", summary.row());
    }
    let all = Summary::of(tried.iter().map(|tried| &tried.measured));
    println!("{:17} {}", "all", all.row());
}

fn try_out(level: &Stranger, arguments: &Arguments) -> Tried {
    let most = Duration::from_millis(arguments.time);
    let measured = plan(level, &Settings::default(), most);
    let is_answered = matches!(measured.answer, Answer::Plan { .. } | Answer::Proof);
    if let Some(folder) = arguments.keep.as_deref().filter(|_| !is_answered)
        && let Err(error) = level.write(folder)
    {
        eprintln!("{}: {error}", folder.display());
    }
    Tried {
        terrain: level.terrain.clone(),
        shown: level.shown,
        company: level.company,
        about: format!(
            "seed {}, enemies {}, keys {}, doors {}",
            level.seed, level.enemies, level.keys, level.doors
        ),
        measured,
    }
}

fn name(shown: Shown) -> &'static str {
    match shown {
        Shown::Nothing => "nothing",
        Shown::Something => "shown",
    }
}
