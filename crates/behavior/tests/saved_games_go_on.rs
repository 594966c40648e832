//! A game is saved as its world, without what its characters think: whoever makes a new character in
//! the world as it was gets the same orders, from a copy and from a file.

use std::time::Duration;

use crate::quests::drawn;
use apprentice_behavior::{Character, Doing, PlannerName, Settings};
use apprentice_search::Budget;
use apprentice_world::{
    Abilities, AgentId, DoorId, Goal, Observation, Order, Orders, Scenario, World,
};
use proptest::prelude::*;

const TICK: Duration = Duration::from_millis(50);

/// A level that begins somewhere, with a key, a door, a wolf and a demonstration.
fn text(start: [f64; 2]) -> String {
    format!(
        "format = 1
        start = {start:?}
        goal = {{ within = {{ at = [20, 3], radius = 0.0 }} }}
        key = [{{ id = 'red', at = [2, 0], opens = ['north'] }}]
        door = [{{ id = 'north', at = [[8, 1]] }}, {{ id = 'south', at = [[8, 9]], open = true }}]
        demonstration = [{{ points = [[0, 3], [2, 0], [6, 1], [12, 1], [18, 2]] }}]
        enemy = [{{ id = 'grey', kind = 'wolf', at = [20, 11] }}]
        [map]
        rows = [
            '........#.............',
            '......................',
            '........#.............',
            '........#.............',
            '........#.............',
            '........#.............',
            '........#.............',
            '........#.............',
            '........#.............',
            '......................',
            '........#.............',
            '........#.............',
        ]"
    )
}

fn parse(text: &str) -> Scenario {
    Scenario::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn character(scenario: &Scenario, planner: PlannerName, goal: &Goal) -> Character<Scenario> {
    let settings = Settings {
        planner,
        ..Settings::default()
    };
    let checked = settings.check(scenario, drawn(scenario));
    let planner = checked.expect("the settings fit").planner;
    let mut character = Character::new(planner, Abilities::default()).with_tick(TICK);
    character.pursue(goal.clone());
    character
}

/// The orders until it has nothing more to do, and what it is at then.
fn play(
    scenario: &Scenario,
    world: &mut World,
    character: &mut Character<Scenario>,
    ticks: u32,
    units: u64,
) -> (Vec<Order>, Doing) {
    let mut orders = Vec::new();
    for _ in 0..ticks {
        let order = character.decide(scenario, world, &mut Budget::units(units));
        orders.push(order);
        if matches!(character.doing(), Doing::Done | Doing::Dead) {
            break;
        }
        world.advance(scenario, &Orders::new(order), TICK, &mut ());
    }
    (orders, character.doing())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn with_a_new_character_in_the_world_as_it_was(
        ticks in 0..500u32,
        units in prop_oneof![Just(30u64), Just(1_000)],
        planner in prop::sample::select(PlannerName::ALL.to_vec()),
        shuts in any::<bool>(),
    ) {
        let scenario = parse(&text([0.0, 3.0]));
        let goal = scenario.goal().clone();
        let mut world = World::new(&scenario);
        let mut before = character(&scenario, planner, &goal);
        play(&scenario, &mut world, &mut before, ticks / 2, units);
        if shuts {
            world.observe(&scenario, Observation::Shut(DoorId::new(1)));
        }
        play(&scenario, &mut world, &mut before, ticks / 2, units);

        // A character in a file stands, so it is let end its step.
        while world.is_under_way(AgentId::NPC) {
            world.advance(&scenario, &Orders::new(Order::WAIT), TICK, &mut ());
        }
        // A checkpoint is a copy.
        let mut copy = world.clone();
        let mut again = character(&scenario, planner, &goal);
        let from_copy = play(&scenario, &mut copy, &mut again, 3_000, units);
        // A file begins midway, where everybody stood.
        let at = scenario.map().point_of(world.place(AgentId::NPC, &scenario));
        let saved = format!("{}{}", text([at.x, at.y]), world.snapshot(&scenario));
        let loaded = parse(&saved);
        let mut later = World::new(&loaded);
        let mut other = character(&loaded, planner, &goal);
        let from_file = play(&loaded, &mut later, &mut other, 3_000, units);
        prop_assert_eq!(&from_file, &from_copy);
        prop_assert_eq!(from_copy.1, Doing::Done);
        prop_assert_eq!(again.plans(), other.plans());
    }
}
