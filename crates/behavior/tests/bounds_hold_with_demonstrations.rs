//! Whatever was demonstrated, through walls, off the map, in circles: every planner keeps the bound
//! it states, and its plans pass verification.

use crate::dungeon::{Dice, Inhabitants};
use crate::quests::{plan_with, plan_within, weight, within};
use apprentice_behavior::{PlannerName, Settings};
use apprentice_experience::{Demonstration, Place, Projection};
use apprentice_search::Status;
use apprentice_world::{Branching, Scenario};
use proptest::prelude::*;

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

/// What becomes of the planners' word in a random level.
enum Word {
    Kept,
    /// What the first of them has done that breaks it.
    Broken(String),
    /// A* takes more than so many expansions.
    LeftOut,
}

fn word_in(seed: u64, inhabitants: Inhabitants, most: u64) -> Word {
    word_of(seed, crate::dungeon::random(seed, inhabitants), most)
}

fn word_of(seed: u64, (text, scenario): (String, Scenario), most: u64) -> Word {
    let shown = scribbles(seed);
    let plain = Settings {
        planner: PlannerName::Astar,
        ..Settings::default()
    };
    let best = plan_within(most, &scenario, &shown, &plain, Branching::Sixteen);
    if best.status == Status::Paused {
        return Word::LeftOut;
    }
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
                if found.status != Status::Unsolvable || found.plan.is_some() {
                    return Word::Broken(format!("{name} has a plan where there is none\n{text}"));
                }
                continue;
            };
            if found.status != Status::Finished {
                return Word::Broken(format!("{name} has no plan: {:?}\n{text}", found.status));
            }
            let factor = found.guarantee.factor();
            let factor = factor.unwrap_or_else(|| panic!("{name} states no bound\n{text}"));
            assert!(
                factor <= bound + 1e-6,
                "{name}: {factor} of {bound}\n{text}"
            );
            let (cost, least) = (found.cost(), plan.cost.as_seconds());
            if !within(cost, factor, least) {
                return Word::Broken(format!(
                    "{name}: {cost} s, at most {factor} times {least} s\n{text}"
                ));
            }
        }
    }
    Word::Kept
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 490, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn where_nothing_moves(seed: u64) {
        if let Word::Broken(how) = word_in(seed, Inhabitants::Still, u64::MAX) {
            prop_assert!(false, "{how}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, failure_persistence: None, ..ProptestConfig::default() })]

    /// Among traps, and areas in which a second counts as more or less.
    #[test]
    fn where_places_matter(seed: u64) {
        let level = crate::dungeon::furnished(seed, Inhabitants::Still);
        if let Word::Broken(how) = word_of(seed, level, u64::MAX) {
            prop_assert!(false, "{how}");
        }
    }
}

/// Where others move, worlds that are nearly the same count as one, and the one reached soonest
/// stands for the others ([`QuestProblem`](apprentice_world::QuestProblem)). So no law holds without
/// exception: now and then another planner finds what A* missed. Exceptions must be rare. The levels
/// are the same in every run, for the same reason; all plans pass verification.
#[test]
fn where_others_move() {
    const LEVELS: u64 = 80;
    // One of these would take millions, longer than all others together.
    const MOST: u64 = 3_000;
    let seeds = (1..=LEVELS).map(|number| number.wrapping_mul(0xD134_2543_DE82_EF95));
    let (mut left_out, mut broken) = (0, Vec::new());
    for seed in seeds {
        match word_in(seed, Inhabitants::Moving, MOST) {
            Word::Kept => {}
            Word::Broken(how) => broken.push(how),
            Word::LeftOut => left_out += 1,
        }
    }
    assert!(left_out <= 10, "{left_out} of {LEVELS} levels left out");
    let first = broken.first().map_or("", String::as_str);
    assert!(
        broken.len() <= 1,
        "{} of {LEVELS} levels: {first}",
        broken.len()
    );
}
