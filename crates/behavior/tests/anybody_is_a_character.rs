//! Anybody who takes orders can be a character: each plans for itself, in one and the same world.

use std::time::Duration;

use apprentice_behavior::{Character, Doing, Settings};
use apprentice_search::Budget;
use apprentice_world::{AgentId, Orders, Role, Scenario, Thing, World};

/// Two who change places, and a door that only one of them can open.
fn level() -> Scenario {
    Scenario::parse(
        "format = 1
        start = [0, 0]
        goal = { within = { at = [6, 0], radius = 0.0 } }
        map = { rows = ['...#...',
                        '.......',
                        '...#...'] }
        key = [{ id = 'red', at = [6, 2], opens = ['gate'] }]
        door = [{ id = 'gate', at = [[3, 1]] }]
        [[actor]]
        id = 'anna'
        at = [6, 0]
        goal = { within = { at = [0, 2], radius = 0.0 } }",
    )
    .expect("the level is sound")
}

#[test]
fn two_characters_share_a_world() {
    let level = level();
    let anna = level.actor("anna").expect("she is there");
    let planner = || {
        let checked = Settings::default().check(&level, []);
        checked.expect("the settings fit").planner
    };
    let mut characters =
        [AgentId::NPC, anna].map(|agent| (agent, Character::new(planner(), Role::of(agent))));
    let mut world = World::new(&level);
    let tick = Duration::from_millis(100);
    for _ in 0..600 {
        let orders = characters.each_mut().map(|(agent, character)| {
            let order = character.decide(&level, &world, &mut Budget::units(200));
            (*agent, order)
        });
        let all = Orders::new(orders[0].1).with_orders(&orders[1..]);
        world.advance(&level, &all, tick, &mut ());
    }
    // The first has no key and gets through behind her.
    for (agent, character) in &characters {
        assert_eq!(character.doing(), Doing::Done, "{agent:?}");
    }
    let Some(Thing::Item(key)) = level.thing("red") else {
        panic!("there is a key");
    };
    assert!(world.holds(anna, key));
}

#[test]
fn whoever_is_not_in_the_level_takes_no_orders() {
    let level = level();
    let checked = Settings::default().check(&level, []);
    let nobody = Role::of(AgentId::Actor(7));
    let mut character = Character::new(checked.expect("the settings fit").planner, nobody);
    character.decide(&level, &World::new(&level), &mut Budget::units(200));
    assert_eq!(character.doing(), Doing::Stuck);
    let why = character.why_stuck().map(ToString::to_string);
    assert_eq!(
        why.as_deref(),
        Some(
            "the game makes no sense: nobody of number 7 takes orders here; those who do have the \
             numbers 0 to 1"
        )
    );
}
