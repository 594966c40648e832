//! Whatever was demonstrated, through walls, off the map, in circles: every planner keeps the bound
//! it states, and its plans pass verification.

#[path = "../../world/tests/dungeon/mod.rs"]
mod dungeon;
mod quests;

use apprentice_behavior::{PlannerName, Settings};
use apprentice_experience::{Demonstration, Place, Projection};
use apprentice_search::Status;
use apprentice_world::Branching;
use dungeon::{Dice, Inhabitants};
use proptest::prelude::*;
use quests::{plan_with, weight, within};

/// Lines that were drawn with closed eyes.
fn scribbles(seed: u64) -> Vec<Demonstration> {
    let mut dice = Dice::new(seed ^ 0x5eed);
    let count = dice.below(4);
    (0..count)
        .map(|number| {
            let length = 1 + dice.below(7);
            let mut points: Vec<Place> = (0..length)
                .map(|_| {
                    // From well off the map to well off the map, in halves of a cell.
                    let x = dice.below(36) as f64 / 2.0 - 4.0;
                    let y = dice.below(36) as f64 / 2.0 - 4.0;
                    Place::flat(x, y)
                })
                .collect();
            if dice.once_in(3) {
                points.push(points[0]);
            }
            Demonstration::drawn(format!("scribble {number}"), points, 1.0)
        })
        .collect()
}

fn check(seed: u64, inhabitants: Inhabitants) {
    let (text, scenario) = dungeon::random(seed, inhabitants);
    let shown = scribbles(seed);
    let plain = Settings {
        planner: PlannerName::Astar,
        ..Settings::default()
    };
    let best = plan_with(&scenario, &shown, &plain, Branching::Sixteen);
    let bound = [1.0, 1.5, 3.0, 10.0, 100.0][(seed % 5) as usize];
    for planner in PlannerName::ALL {
        for proven in [false, true] {
            // Whoever wants nothing but what was shown has the same bound, and is drawn further.
            let by_faith = planner == PlannerName::Auto && !proven && bound == 100.0;
            let settings = Settings {
                planner,
                bound: weight(bound).filter(|_| !by_faith),
                faithful: by_faith.then_some(1.0),
                projection: proven.then_some(Projection::Consistent),
                reopen: !proven && planner == PlannerName::Tgraph,
                extra_turns: proven.then_some(3),
                improve: proven && planner == PlannerName::Auto && seed.is_multiple_of(3),
                ..Settings::default()
            };
            let found = plan_with(&scenario, &shown, &settings, Branching::Sixteen);
            let name = planner.name();
            let Some(plan) = &best.plan else {
                assert_eq!(found.status, Status::Unsolvable, "{name}\n{text}");
                assert!(found.plan.is_none(), "{name}\n{text}");
                continue;
            };
            assert_eq!(found.status, Status::Finished, "{name}\n{text}");
            let factor = found.guarantee.factor();
            let factor = factor.unwrap_or_else(|| panic!("{name} states no bound\n{text}"));
            assert!(
                factor <= bound + 1e-6,
                "{name}: {factor} of {bound}\n{text}"
            );
            let (cost, least) = (found.cost(), plan.cost.as_seconds());
            assert!(
                within(cost, factor, least),
                "{name}: {cost} s, at most {factor} times {least} s\n{text}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 490, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn where_nothing_moves(seed: u64) {
        check(seed, Inhabitants::Still);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn where_others_move(seed: u64) {
        check(seed, Inhabitants::Moving);
    }
}
