//! Keys, doors, levers, packs and everything that goes by the clock.

use std::time::Duration;

use apprentice_search::astar;
use apprentice_world::{
    Abilities, AgentId, AnyQuest, Direction, Event, Gait, Order, Orders, Point, QuestProblem,
    Scenario, Stance, StraightLine, Thing, World,
};

fn scenario(text: &str) -> Scenario {
    let text = format!("format = 1\n{text}");
    Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Walks along a string of compass letters and tells what happened, by ids.
fn walk(scenario: &Scenario, way: &str) -> (World, Vec<String>) {
    let mut world = World::new(scenario);
    let mut told = Vec::new();
    for letter in way.chars() {
        let direction = match letter {
            'e' => Direction::East,
            'n' => Direction::North,
            'w' => Direction::West,
            's' => Direction::South,
            'x' => Direction::SouthEast,
            _ => panic!("no such direction: {letter}"),
        };
        let step = Order::Step(direction, Stance::new(Gait::Walk));
        let duration = if letter == 'x' {
            1_414_213_563
        } else {
            1_000_000_000
        };
        let mut events = Vec::new();
        world.advance(
            scenario,
            &Orders::new(step),
            Duration::from_nanos(duration),
            &mut events,
        );
        told.extend(events.iter().map(|event| match *event {
            Event::PickedUp { item, .. } => format!("took {}", scenario.id_of(Thing::Item(item))),
            Event::DoorOpened { door } => format!("{} opened", scenario.id_of(Thing::Door(door))),
            Event::DoorClosed { door } => format!("{} shut", scenario.id_of(Thing::Door(door))),
            Event::LeverPulled { lever, .. } => {
                format!("pulled {}", scenario.id_of(Thing::Lever(lever)))
            }
            Event::TurnedBack { .. } => "turned back".to_owned(),
            other => format!("{other:?}"),
        }));
    }
    (world, told)
}

fn check(scenario: &Scenario, way: &str, end: [u16; 2], told: &[&str]) {
    let (world, events) = walk(scenario, way);
    assert_eq!(
        scenario.map().point_of(world.place(AgentId::NPC, scenario)),
        Point::new(end[0].into(), end[1].into()),
        "after {way}"
    );
    assert_eq!(events, told, "along {way}");
}

const GATE: &str = r#"
    start = [1, 0]
    goal = { within = { at = [4, 0], radius = 0.0 } }
    map = { rows = ["....."] }
    key = [{ id = "red", at = [0, 0], opens = ["gate"] }]
"#;

#[test]
fn a_locked_door_is_no_way() {
    check(
        &scenario(&format!(
            "{GATE}\ndoor = [{{ id = \"gate\", at = [[3, 0]] }}]"
        )),
        "eeee",
        [2, 0],
        &[],
    );
}

#[test]
fn a_key_opens_its_door_and_is_kept() {
    let scenario = scenario(&format!(
        "{GATE}\ndoor = [{{ id = \"gate\", at = [[3, 0]] }}]"
    ));
    check(&scenario, "weeee", [4, 0], &["took red", "gate opened"]);
    let (world, _) = walk(&scenario, "weeee");
    assert_eq!(world.holding(AgentId::NPC).count(), 1);
}

#[test]
fn a_key_that_is_used_up_is_gone() {
    let door = "door = [{ id = \"gate\", at = [[3, 0]], consume_key = true }]";
    let scenario = scenario(&format!("{GATE}\n{door}"));
    let (world, _) = walk(&scenario, "weeee");
    assert_eq!(
        world.position(AgentId::NPC, &scenario),
        Point::new(4.0, 0.0)
    );
    assert_eq!(world.holding(AgentId::NPC).count(), 0);
    let AnyQuest::Moving(quest) = scenario.quest() else {
        panic!("what is held is not what was taken")
    };
    assert_eq!(
        astar(&quest, StraightLine).map(|path| path.steps.len()),
        Some(5)
    );
}

#[test]
fn corners_of_locked_doors_are_not_cut_and_those_of_open_ones_are() {
    let room = |key: &str| {
        scenario(&format!(
            "start = [0, 0]\ngoal = {{ within = {{ at = [1, 1], radius = 0.0 }} }}\n\
             map = {{ rows = [\"..\", \"..\"] }}\n\
             door = [{{ id = \"gate\", at = [[1, 0]] }}]\n{key}"
        ))
    };
    check(&room(""), "x", [0, 0], &[]);
    let key = "key = [{ id = \"red\", at = [0, 0], opens = [\"gate\"] }]";
    check(&room(key), "x", [1, 1], &[]);
}

#[test]
fn what_lies_on_the_start_is_held_from_the_beginning() {
    let scenario = scenario(
        "start = [0, 0]\ngoal = { holds = \"ring\" }\nmap = { rows = [\"..\"] }\n\
         item = [{ id = \"ring\", at = [0, 0] }]",
    );
    let world = World::new(&scenario);
    assert!(scenario.goal().is_met(&world.seen_in(&scenario)));
}

#[test]
fn a_lever_is_pulled_from_right_beside_it() {
    let hall = scenario(
        "start = [0, 0]\ngoal = { open = \"gate\" }\nmap = { rows = [\"......\", \"......\"] }\n\
         door = [{ id = \"gate\", at = [[5, 0]] }]\n\
         lever = [{ id = \"handle\", at = [3, 1], opens = [\"gate\"] }]",
    );
    check(&hall, "ee", [2, 0], &[]);
    check(&hall, "eee", [3, 0], &["pulled handle", "gate opened"]);
    check(&hall, "seew", [1, 1], &["pulled handle", "gate opened"]);
    check(&hall, "eeeee", [5, 0], &["pulled handle", "gate opened"]);
}

#[test]
fn a_toggle_shuts_what_is_open() {
    let hall = scenario(
        "start = [0, 0]\ngoal = { not = { open = \"gate\" } }\nmap = { rows = [\"....\"] }\n\
         door = [{ id = \"gate\", at = [[3, 0]], open = true }]\n\
         lever = [{ id = \"handle\", at = [2, 0], toggles = [\"gate\"] }]",
    );
    check(&hall, "eee", [2, 0], &["pulled handle", "gate shut"]);
}

#[test]
fn a_health_pack_heals_once_and_not_beyond_full_health() {
    let hall = |health: u32| {
        scenario(&format!(
            "start = [0, 0]\nhealth = {health}\ngoal = {{ all = [] }}\nmap = {{ rows = [\"...\"] }}\n\
             pack = [{{ id = \"herbs\", at = [1, 0], health = 30 }}]"
        ))
    };
    for (before, after) in [(50, 80.0), (90, 100.0)] {
        let scenario = hall(before);
        let (world, told) = walk(&scenario, "ewe");
        assert_eq!(told, ["took herbs"]);
        assert_eq!(world.health(AgentId::NPC, &scenario), after);
        assert_eq!(world.holding(AgentId::NPC).count(), 0);
    }
}

const AUTOMATIC: &str = r#"
    start = [0, 0]
    goal = { within = { at = [4, 0], radius = 0.0 } }
    map = { rows = ["....."] }
    door = [{ id = "gate", at = [[2, 0]], cycle = { open = 3.0, closed = 4.0, offset = 3.0 } }]
"#;

#[test]
fn an_automatic_door_opens_and_shuts_by_the_clock() {
    // Shut until 4 s, open until 7 s.
    let hall = scenario(AUTOMATIC);
    check(&hall, "eee", [1, 0], &[]);
    check(&hall, "eeeee", [2, 0], &["gate opened"]);
    check(&hall, "ewewewewee", [1, 0], &["gate opened", "gate shut"]);
}

#[test]
fn a_door_that_shuts_before_one_is_through_turns_one_back() {
    let hall = scenario(
        "start = [0, 0]\ngoal = { all = [] }\nmap = { rows = [\"...\"] }\n\
         door = [{ id = \"gate\", at = [[1, 0]], cycle = { open = 0.5, closed = 9.0 } }]",
    );
    check(&hall, "e", [0, 0], &["gate shut", "turned back"]);
}

#[test]
fn plans_wait_for_automatic_doors_if_they_may() {
    let hall = scenario(AUTOMATIC);
    let world = World::new(&hall);
    let plan = |waits| {
        let abilities = Abilities {
            waits,
            ..Abilities::default()
        };
        let quest = QuestProblem::new(&hall, &world, hall.goal(), abilities);
        astar(&quest, StraightLine).expect("the door opens")
    };
    let patient = plan(true);
    assert!(
        patient
            .actions()
            .any(|order| matches!(order, Order::Wait(_)))
    );
    // Into the door from 4 s on at the earliest, and two cells from there.
    assert_eq!(patient.cost.as_seconds(), 7.0);
    assert!(plan(false).cost >= patient.cost);
}

#[test]
fn a_moving_obstacle_is_in_the_way_where_it_is() {
    let hall = scenario(
        "start = [0, 0]\ngoal = { all = [] }\nmap = { rows = [\"....\"] }\n\
         obstacle = [{ id = \"cart\", path = [[1, 0], [2, 0]], seconds = 2.0 }]",
    );
    check(&hall, "e", [0, 0], &[]);
    check(&hall, "eee", [1, 0], &[]);
    check(&hall, "eeeee", [2, 0], &[]);
}

#[test]
fn the_player_follows_the_scenarios_route() {
    let hall = scenario(
        "start = [0, 2]\ngoal = { agent_within = { agent = \"player\", at = [4, 0], radius = 0.0 } }\n\
         map = { rows = [\".....\", \".....\", \".....\"] }\n\
         player = { at = [0, 0], gait = \"sneak\", route = [[2, 1], [4, 0]] }",
    );
    let mut world = World::new(&hall);
    world.advance(
        &hall,
        &Orders::new(Order::WAIT),
        Duration::from_secs(12),
        &mut (),
    );
    assert_eq!(world.position(AgentId::PLAYER, &hall), Point::new(4.0, 0.0));
    assert_eq!(
        world.stance(AgentId::PLAYER).map(Stance::gait),
        Some(Gait::Sneak)
    );
    assert!(hall.goal().is_met(&world.seen_in(&hall)));
}

#[test]
fn plans_count_on_what_the_player_does() {
    // The player opens the gate on the way to the lever; the agent only has to be there in time.
    let hall = scenario(
        "start = [0, 0]\ngoal = { within = { at = [4, 0], radius = 0.0 } }\n\
         map = { rows = [\"...#.\", \"####.\", \".....\"] }\n\
         door = [{ id = \"gate\", at = [[2, 0]] }]\n\
         lever = [{ id = \"handle\", at = [4, 2], opens = [\"gate\"] }]\n\
         player = { at = [0, 2], route = [[4, 2]] }",
    );
    let AnyQuest::Moving(quest) = hall.quest() else {
        panic!("the player moves")
    };
    assert!(
        astar(&quest, StraightLine).is_none(),
        "there is a wall behind the gate"
    );
    let hall = scenario(
        "start = [0, 0]\ngoal = { within = { at = [3, 0], radius = 0.0 } }\n\
         map = { rows = [\"....\", \"####\", \"....\"] }\n\
         door = [{ id = \"gate\", at = [[2, 0]] }]\n\
         lever = [{ id = \"handle\", at = [3, 2], opens = [\"gate\"] }]\n\
         player = { at = [0, 2], route = [[3, 2]] }",
    );
    let AnyQuest::Moving(quest) = hall.quest() else {
        panic!("the player moves")
    };
    let path = astar(&quest, StraightLine).expect("the player opens the gate");
    // The player reaches the lever after two seconds.
    assert_eq!(path.cost.as_seconds(), 4.0);
}
