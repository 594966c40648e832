//! A character that walks keeps its plan and little else: every byte is counted.

use std::path::Path;

use apprentice_behavior::{Character, Doing, Prepared, Settings};
use apprentice_experience::{Demonstration, Place};
use apprentice_search::Budget;
use apprentice_world::{Abilities, AgentId, Drawn, Observation, Scenario, World};

/// What a character may take that walks.
const MOST: u64 = 16 << 10;

fn quest_compound() -> (Scenario, Vec<Demonstration>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/quest_compound.toml");
    let text = std::fs::read_to_string(path).expect("the scenario is there");
    let scenario = Scenario::parse(&text).expect("the scenario is sound");
    let shown = (1..).zip(scenario.demonstrations()).map(|(number, drawn)| {
        let Drawn::Points(points) = drawn else {
            panic!("only drawn ones")
        };
        let places = points.iter().map(|at| Place::flat(at.x, at.y));
        Demonstration::drawn(format!("drawn {number}"), places, 1.0)
    });
    let shown = shown.collect();
    (scenario, shown)
}

#[test]
fn on_quest_compound() {
    let (scenario, shown) = quest_compound();
    let checked = Settings::default().check(&scenario, shown);
    let planner = checked.expect("the settings fit").planner;
    let (prepared, map) = (Prepared::default(), scenario.map());
    let plan = |place: usize| {
        let mut world = World::new(&scenario);
        let at = map.point_of(place);
        world.observe(&scenario, Observation::Move(AgentId::NPC, at, None));
        let character = Character::new(planner.clone(), Abilities::default());
        let mut character = character.sharing(&prepared);
        character.decide(&scenario, &world, &mut Budget::unlimited());
        assert_eq!(character.doing(), Doing::Following, "from {place}");
        assert!(!character.is_busy(), "there is nothing left to do");
        character
    };
    let west = |place: &usize| map.is_walkable(*place) && map.point_of(*place).x < 19.0;
    let mut places = (0..map.places()).filter(west).step_by(2);
    // What is shared by all is ready, and what is kept of other quests is as much as it ever is.
    let first: Vec<Character<Scenario>> = places.by_ref().take(80).map(plan).collect();
    let mut crowd: Vec<Character<Scenario>> = Vec::with_capacity(300);
    let taken = allocation_counter::measure(|| crowd.extend(places.take(300).map(plan)));
    let longest = crowd.iter().map(Character::steps_ahead).max();
    assert_eq!(crowd.len(), 300);
    let inside = u64::try_from(taken.bytes_current).expect("something is kept") / 300;
    let bytes = inside + size_of::<Character<Scenario>>() as u64;
    println!("{bytes} bytes a character, with up to {longest:?} steps ahead");
    assert!(bytes <= MOST, "{bytes}");
    drop(first);
}
