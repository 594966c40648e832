//! Plays many games, each from a seed, and says how they ended and which laws were broken.

use std::process::ExitCode;

use apprentice_testkit::dice::Dice;
use apprentice_testkit::kept_seeds::{self, KeptSeed};
use apprentice_testkit::measure::each;
use apprentice_testkit::simulation::{Ending, Extent, Fault, Law, Played, play};
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
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let of_version = || Dice::new(0, env!("CARGO_PKG_VERSION")).bits() >> 44;
    let first = arguments.first_seed.unwrap_or_else(of_version);
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
                    at: std::time::Duration::ZERO,
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
