//! Plays many games, each from a seed, and says how they ended and which laws were broken.

use std::process::ExitCode;
use std::time::Duration;

use apprentice_testkit::dice::Dice;
use apprentice_testkit::kept_seeds::{self, KeptSeed};
use apprentice_testkit::measure::each;
use apprentice_testkit::simulation::{
    Ending, Extent, Fault, FrameBudget, Law, Played, frames, play,
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
    let extent = if arguments.short {
        Extent::Short
    } else {
        Extent::Full
    };
    println!("{} {extent} games from seed {first}\n", arguments.seeds);
    let kept = match kept_seeds::read() {
        Ok(kept) => kept,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let is_known = |seed: u64, fault: &Fault| {
        let known = |kept: &KeptSeed| (kept.seed, kept.extent) == (seed, extent) && kept.is_open;
        !fault.law.is_hard() && kept.iter().any(known)
    };
    let games = each(arguments.seeds as usize, arguments.threads, |number| {
        let seed = first + number as u64;
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
        (seed, played)
    });
    println!("how they ended");
    for ending in Ending::ALL {
        let those = games.iter().filter(|(_, game)| game.ending == ending);
        println!("  {ending:26}{:5}", those.count());
    }
    println!("\nlaws that were broken");
    for law in Law::ALL {
        let faults: Vec<(u64, &Played, &Fault)> = games
            .iter()
            .filter_map(|(seed, game)| {
                let fault = game.faults.iter().find(|fault| fault.law == law)?;
                Some((*seed, game, fault))
            })
            .collect();
        println!("  {law:26}{:5}", faults.len());
        for (seed, game, fault) in faults {
            let known = if is_known(seed, fault) { ", known" } else { "" };
            println!(
                "      seed {seed} at {:.2} s{known}: {} ({})",
                fault.at.as_secs_f64(),
                fault.what,
                game.about
            );
        }
    }
    for kept in kept.iter().filter(|kept| kept.is_open) {
        let mut those = games.iter().filter(|(seed, _)| *seed == kept.seed);
        let is_mended = those.any(|(_, game)| kept.extent == extent && game.faults.is_empty());
        if is_mended {
            println!("\nseed {} is mended: take `open` off its line", kept.seed);
        }
    }
    let unknown = games
        .iter()
        .flat_map(|(seed, game)| game.faults.iter().filter(|fault| !is_known(*seed, fault)));
    match unknown.count() {
        0 => ExitCode::SUCCESS,
        faults => {
            println!("\n{faults} that are not in {}", kept_seeds::FILE);
            ExitCode::FAILURE
        }
    }
}
