//! A character plays every shipped level as a game would, tick by tick, and arrives alive.

use std::time::Duration;

use crate::quests::{drawn, shipped, shipped_names};
use apprentice_behavior::{Character, Doing, Settings};
use apprentice_search::Budget;
use apprentice_world::{Abilities, AgentId, Margins, Orders, Scenario, World};

/// How a level was played.
#[derive(Debug)]
struct Played {
    doing: Doing,
    seconds: f64,
    health: f64,
    plans: u32,
    /// Why plans were left.
    deviations: Vec<String>,
}

/// Nobody takes longer than this for a shipped level, in seconds of the game.
const LONGEST: u64 = 300;

fn play(scenario: &Scenario, tick: u64, expansions: u64) -> Played {
    let settings = Settings::default();
    let planner = settings
        .check(scenario, drawn(scenario))
        .expect("the settings fit")
        .planner;
    let mut character = Character::new(planner, Abilities::default());
    let mut world = World::new(scenario);
    let mut deviations = Vec::new();
    let mut last = None;
    for _ in 0..LONGEST * 1000 / tick {
        let order = character.decide(scenario, &world, &mut Budget::units(expansions));
        let deviation = character.deviation();
        let deviation = deviation.map(|why| why.in_words(scenario.landmarks()));
        if deviation != last {
            deviations.extend(deviation.clone());
            last = deviation;
        }
        if matches!(character.doing(), Doing::Done | Doing::Dead) {
            break;
        }
        let tick = Duration::from_millis(tick);
        world.advance(scenario, &Orders::new(order), tick, &mut ());
    }
    Played {
        doing: character.doing(),
        seconds: world.time().as_secs_f64(),
        health: world.health(AgentId::NPC, scenario),
        plans: character.plans(),
        deviations,
    }
}

/// Plays a level to its goal.
#[track_caller]
fn check(name: &str, scenario: &Scenario, tick: u64, expansions: u64) -> Played {
    let played = play(scenario, tick, expansions);
    let arrives = played.doing == Doing::Done && played.health > 0.0;
    assert!(arrives, "{name}, ticks of {tick} ms: {played:?}");
    played
}

#[test]
fn every_level_is_played_to_its_goal() {
    for name in shipped_names() {
        let played = check(&name, &shipped(&name), 16, 20_000);
        // What was rehearsed is what happens, so that nothing is left and planned again.
        assert_eq!(played.plans, 1, "{name}: {played:?}");
        assert_eq!(played.deviations, [""; 0], "{name}");
    }
}

/// The plan that is best with whole steps leaves the bear's ground a tenth of a second before its
/// second bite; in ticks it is bitten first.
#[test]
fn a_plan_that_gets_away_by_a_moment_is_no_plan() {
    let scenario = shipped("lured_bear");
    for tick in [5, 16, 33, 100, 250] {
        check("lured_bear", &scenario, tick, 20_000);
    }
}

/// With the margins of other levels plans expect the bear to come from further away than it does.
#[test]
fn who_does_not_come_when_lured_is_not_lured_for_ever() {
    let scenario = shipped("lured_bear").with_margins(Margins::default());
    for expansions in [300, 20_000] {
        let played = check("lured_bear with margins", &scenario, 16, expansions);
        assert!(played.plans <= 3, "{played:?}");
        assert!(played.seconds < 60.0, "{played:?}");
    }
}
