//! Whatever players do, a companion has an order in every frame, within the budget, and says why it
//! waits.

use apprentice_companion::{Cave, Terms, Trial};

use crate::coop_cave::coop_cave;

fn play(cave: &Cave, seed: u64) -> Trial {
    let terms = Terms {
        seed,
        ..Terms::default()
    };
    let trial = Trial::play(cave, &terms);
    trial.unwrap_or_else(|error| panic!("{}: {error}", cave.name))
}

#[test]
fn every_frame_has_an_order_within_its_budget_and_a_reason() {
    let mut caves = vec![coop_cave()];
    caves.extend((1..=3).map(Cave::with_two_routes));
    for cave in &caves {
        for seed in 0..2 {
            let trial = play(cave, seed);
            println!("{}, {seed}: {trial:?}", cave.name);
            assert_eq!(trial.over_budget, 0);
            assert_eq!(trial.speechless, 0);
        }
    }
}

/// Same player, same companion: same play.
#[test]
fn the_same_play_goes_the_same_way() {
    let cave = Cave::with_two_routes(1);
    let twice = [(); 2].map(|()| play(&cave, 7));
    assert_eq!(twice[0], twice[1]);
}
