//! Whatever players do, a companion has an order in every frame, within the budget, and says why it
//! waits.

use crate::caves::{coop_cave, two_routes};
use crate::play::{UNITS, play};

#[test]
fn every_frame_has_an_order_within_its_budget_and_a_reason() {
    let mut caves = vec![coop_cave()];
    caves.extend((1..=3).map(two_routes));
    for cave in &caves {
        for seed in 0..2 {
            let ran = play(cave, seed);
            println!("{}, {seed}: {ran:?}", cave.name);
            assert!(ran.most_units <= UNITS);
        }
    }
}

/// Same player, same companion: same play.
#[test]
fn the_same_play_goes_the_same_way() {
    let cave = two_routes(1);
    let twice = [(); 2].map(|()| format!("{:?}", play(&cave, 7)));
    assert_eq!(twice[0], twice[1]);
}
