//! Plays many games, each from a seed, and says how they ended and which laws were broken.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use apprentice_testkit::dice::Dice;
use apprentice_testkit::kept_seeds::{self, KeptSeed};
use apprentice_testkit::measure::each;
use apprentice_testkit::results::Results;
use apprentice_testkit::simulation::{
    Ending, Extent, Fault, FrameBudget, Law, Played, Took, frames, play,
};
use clap::Parser;

/// Play games in levels of strangers, each from a seed, and hold laws against every tick
#[derive(Parser)]
struct Arguments {
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 100)]
    seeds: u64,

    /// The seed of the first [default: one for each version, so that each tries others]
    #[arg(long, value_name = "S")]
    first_seed: Option<u64>,

    /// Half a minute each, in small levels
    #[arg(long)]
    short: bool,

    /// Of a hundred games two full ones, 23 short ones, and a quarter of a minute each in tiny levels
    #[arg(long, conflicts_with = "short")]
    mixed: bool,

    /// Keep each game in this file as soon as it is over; those that are in it are not played again
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,

    /// Play on so many threads at once
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,

    /// Play every game twice, to see whether it is the same
    #[arg(long)]
    twice: bool,

    /// Say how long deciding takes in so many frames of a sixtieth of a second, instead
    #[arg(long, value_name = "N")]
    frames: Option<usize>,
}

/// Says how long deciding takes in each frame, with a budget in units and with one in time.
fn measure_frames(first_seed: u64, count: usize) {
    println!("{count} frames at 60 Hz from seed {first_seed}, disturbed every two seconds or so\n");
    println!("allowed     median     99 %   99.9 %    worst   over 0.5 ms  over 2 ms");
    let budgets = [
        ("200 units", FrameBudget::Units(200)),
        ("0.5 ms", FrameBudget::Time(Duration::from_micros(500))),
    ];
    for (name, budget) in budgets {
        let mut took = frames(first_seed, count, budget);
        took.sort_unstable();
        let part = |part: f64| {
            let number = (took.len() as f64 * part) as usize;
            let took = took.get(number.min(took.len().saturating_sub(1)));
            took.map_or(0.0, |took| took.as_secs_f64() * 1e3)
        };
        let over = |most: u64| {
            let most = Duration::from_micros(most);
            took.iter().filter(|took| **took > most).count()
        };
        println!(
            "{name:9} {:8.3} {:8.3} {:8.3} {:8.3} ms {:9} {:10}",
            part(0.5),
            part(0.99),
            part(0.999),
            part(1.0),
            over(500),
            over(2_000)
        );
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let of_version = || Dice::new(0, env!("CARGO_PKG_VERSION")).bits() >> 44;
    let first = arguments.first_seed.unwrap_or_else(of_version);
    if let Some(count) = arguments.frames {
        measure_frames(first, count);
        return ExitCode::SUCCESS;
    }
    let extent_of = |seed: u64| match seed % 100 {
        0 | 50 if arguments.mixed => Extent::Full,
        part if arguments.mixed && part % 4 != 0 => Extent::Tiny,
        _ if arguments.mixed || arguments.short => Extent::Short,
        _ => Extent::Full,
    };
    let kept = match kept_seeds::read() {
        Ok(kept) => kept,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let results = match arguments.results.as_deref().map(Results::open).transpose() {
        Ok(results) => results,
        Err(error) => {
            eprintln!("the results cannot be kept: {error}");
            return ExitCode::from(2);
        }
    };
    let (mut known, results) = match results {
        Some(mut results) => (std::mem::take(&mut results.known), Some(results)),
        None => (Vec::new(), None),
    };
    let wanted = first..first + arguments.seeds;
    known.retain(|(extent, seed, _)| wanted.contains(seed) && extent_of(*seed) == *extent);
    let played: BTreeSet<u64> = known.iter().map(|(_, seed, _)| *seed).collect();
    let left: Vec<u64> = wanted.filter(|seed| !played.contains(seed)).collect();
    println!("{} games from seed {first}\n", arguments.seeds);
    if !played.is_empty() {
        println!("{} of them were played before\n", played.len());
    }
    let progress = Mutex::new((0, results));
    let games = each(left.len(), arguments.threads, |number| {
        let (seed, extent) = (left[number], extent_of(left[number]));
        let mut played = play(seed, extent);
        if arguments.twice || seed.is_multiple_of(10) {
            let again = play(seed, extent);
            if (again.digest, again.units) != (played.digest, played.units) {
                played.faults.push(Fault {
                    law: Law::PlayedOtherwise,
                    at: Duration::ZERO,
                    what: format!("{:x} and {:x}", played.digest, again.digest),
                });
            }
        }
        let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
        let (done, results) = &mut *progress;
        if let Some(results) = results
            && let Err(error) = results.add(extent, seed, &played)
        {
            eprintln!("seed {seed} was not kept: {error}");
        }
        *done += 1;
        if *done % PROGRESS == 0 {
            eprintln!("{done} of {}", left.len());
        }
        (extent, seed, played)
    });
    let mut games: Vec<Game> = known.into_iter().chain(games).collect();
    games.sort_by_key(|(_, seed, _)| *seed);
    report(&games, &kept)
}

/// After so many games somebody is told how far it is.
const PROGRESS: usize = 100;

/// A game that was played.
type Game = (Extent, u64, Played);

/// Says how games ended and which laws were broken.
fn report(games: &[Game], kept: &[KeptSeed]) -> ExitCode {
    let is_known = |extent: Extent, seed: u64, fault: &Fault| {
        let known = |kept: &KeptSeed| (kept.seed, kept.extent) == (seed, extent) && kept.is_open;
        !fault.law.is_hard() && kept.iter().any(known)
    };
    println!("how they ended               tiny short  full   all");
    for ending in Ending::ALL {
        let counts = Extent::ALL.map(|extent| {
            let those = games.iter().filter(|(of, ..)| *of == extent);
            those.filter(|(.., game)| game.ending == ending).count()
        });
        let [tiny, short, full] = counts;
        let all = tiny + short + full;
        println!("  {ending:26}{tiny:5} {short:5} {full:5} {all:5}");
    }
    for (_, seed, game) in games {
        if game.ending == Ending::UnderWay && game.faults.is_empty() {
            println!("      seed {seed}: {}", game.about);
        }
    }
    println!("\nlaws that were broken");
    for law in Law::ALL {
        let faults: Vec<(&Game, &Fault)> = games
            .iter()
            .filter_map(|game| {
                let fault = game.2.faults.iter().find(|fault| fault.law == law)?;
                Some((game, fault))
            })
            .collect();
        println!("  {law:26}{:5}", faults.len());
        for ((extent, seed, game), fault) in faults {
            let known = if is_known(*extent, *seed, fault) {
                ", known"
            } else {
                ""
            };
            println!(
                "      {extent} seed {seed} at {:.2} s{known}: {} ({})",
                fault.at.as_secs_f64(),
                fault.what,
                game.about
            );
        }
    }
    println!("\nseconds of processor time, the second time some are played not counted");
    let parts = Took::default().parts();
    for (number, (name, _)) in parts.iter().enumerate() {
        let took: Duration = games
            .iter()
            .map(|(.., game)| game.took.parts()[number].1)
            .sum();
        println!("  {name:26}{:8.1}", took.as_secs_f64());
    }
    for kept in kept.iter().filter(|kept| kept.is_open) {
        let mut those = games.iter().filter(|(_, seed, _)| *seed == kept.seed);
        let is_mended =
            those.any(|(extent, _, game)| kept.extent == *extent && game.faults.is_empty());
        if is_mended {
            println!("\nseed {} is mended: take `open` off its line", kept.seed);
        }
    }
    let unknown = games.iter().flat_map(|(extent, seed, game)| {
        let faults = game.faults.iter();
        faults.filter(|fault| !is_known(*extent, *seed, fault))
    });
    match unknown.count() {
        0 => ExitCode::SUCCESS,
        faults => {
            println!("\n{faults} that are not in {}", kept_seeds::FILE);
            ExitCode::FAILURE
        }
    }
}
