//! Many plays with players who change their style, wander and stand still: who arrives, who dies, how
//! often a companion changes its mind, and what its worst frame took.
//!
//! `cargo bench -p apprentice-companion --bench noisy_players -- 100` plays a hundred times.

#[path = "../tests/caves.rs"]
// Tests use more of it.
#[allow(dead_code)]
mod caves;
#[path = "../tests/noisy_players.rs"]
mod noisy_players;
#[path = "../tests/play.rs"]
mod play;

use caves::{coop_cave, two_routes};
use play::{Ran, play};

/// Plays of the shared cave unless another number is given, and a tenth as many of each random one.
const PLAYS: u64 = 100;
const CAVES: u64 = 10;

fn main() {
    let given = std::env::args().skip(1).find_map(|text| text.parse().ok());
    let plays: u64 = given.unwrap_or(PLAYS);
    let mut caves = vec![(coop_cave(), plays)];
    caves.extend((1..=CAVES).map(|seed| (two_routes(seed), plays.div_ceil(10))));
    println!(
        "cave            plays  both there  companion dead  player dead  changes  frames stuck  worst frame"
    );
    let mut all = Ran::default();
    let mut count = 0;
    for (cave, plays) in &caves {
        let mut of_cave = Ran::default();
        for seed in 0..*plays {
            of_cave.add(&play(cave, seed));
        }
        row(&cave.name, *plays, &of_cave);
        all.add(&of_cave);
        count += plays;
    }
    row("all", count, &all);
}

fn row(name: &str, plays: u64, ran: &Ran) {
    println!(
        "{name:<14} {plays:>6} {:>11} {:>15} {:>12} {:>8} {:>13} {:>12}",
        ran.together,
        ran.companion_deaths,
        ran.player_deaths,
        ran.changes,
        ran.stuck,
        ran.most_units
    );
}
