//! A run that was interrupted goes on from its `[midway]` table as if nothing had happened.

use std::fmt::Write;
use std::time::Duration;

use crate::dungeon::{Dice, Inhabitants};
use apprentice_world::{
    AgentId, Direction, DoorId, Gait, ItemId, LeverId, Mode, Observation, Order, Orders, Point,
    Scenario, Stance, World,
};
use proptest::prelude::*;

fn random_order(dice: &mut Dice) -> Order {
    let mut stance = Stance::new(Gait::ALL[dice.below(3)]).heading_to(dice.below(4) as u8);
    if dice.once_in(2) {
        stance = stance.fighting();
    }
    match dice.below(9) {
        8 => Order::Wait(stance),
        number => Order::Step(Direction::ALL[number], stance),
    }
}

/// All there is to see of a world.
fn seen(scenario: &Scenario, world: &World) -> String {
    let mut text = format!("{:?}", world.time());
    let actors = (0..scenario.actors().len() as u16).map(AgentId::Actor);
    let enemies = (0..scenario.enemies().len() as u16).map(AgentId::Enemy);
    for agent in actors.chain(enemies) {
        let position = world.position(agent, scenario);
        let (health, stamina) = (world.health(agent, scenario), world.stamina(agent));
        let (stance, mode) = (world.stance(agent), world.mode(agent, scenario));
        let holding: Vec<ItemId> = world.holding(agent).collect();
        write!(
            text,
            "\n{agent:?} {position} {health} {stamina} {stance:?} {mode:?} {holding:?}"
        )
        .unwrap();
    }
    let lying = (0..scenario.items().len() as u8).map(|item| world.is_lying(ItemId::new(item)));
    let open = (0..scenario.doors().len() as u8).map(|door| world.is_open(DoorId::new(door)));
    let on = (0..scenario.levers().len() as u8).map(|lever| world.is_on(LeverId::new(lever)));
    let sets = [lying.collect::<Vec<_>>(), open.collect(), on.collect()];
    write!(text, "\n{sets:?}").unwrap();
    text
}

/// The file that begins in a world: everybody who takes orders starts where it stands.
fn interrupted(text: &str, scenario: &Scenario, world: &World) -> String {
    let at = |agent| {
        let point = scenario.map().point_of(world.place(agent, scenario));
        format!("[{}, {}]", point.x, point.y)
    };
    let mut in_player = false;
    let lines = text.lines().map(|line| {
        if line.starts_with('[') {
            in_player = line == "[player]";
        }
        match line.split_once(" = ") {
            Some(("start", _)) => format!("start = {}", at(AgentId::NPC)),
            Some(("at", _)) if in_player => format!("at = {}", at(AgentId::PLAYER)),
            _ => line.to_owned(),
        }
    });
    let lines: Vec<String> = lines.collect();
    format!("{}\n{}", lines.join("\n"), world.snapshot(scenario))
}

fn is_standing(scenario: &Scenario, world: &World) -> bool {
    let place = world.place(AgentId::NPC, scenario);
    world.position(AgentId::NPC, scenario) == scenario.map().point_of(place)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// Also what nobody has lived through is read or refused, and goes on: in rock, through walls,
    /// on the way to the other end of the level.
    #[test]
    fn whatever_is_said_of_an_enemy_goes_on(
        x in -1.0..21.0, y in -1.0..9.0, place in 0_u32..900, mode in 0..4_usize,
    ) {
        let enemy = format!(
            "[[midway.enemy]]\nid = \"grey\"\nat = [{x}, {y}]\nplace = {place}\nmode = \"{}\"\n",
            Mode::ALL[mode].name()
        );
        let rows = ["....#.........#.....", ".#.........#........"].repeat(4);
        let grid = format!(
            "format = 1\nstart = [0, 0]\ngoal = {{ all = [] }}\nmap = {{ rows = {rows:?} }}\n\
             enemy = [{{ id = \"grey\", kind = \"wolf\", at = [6, 2] }}]\n{enemy}"
        );
        let mesh = Scenario::parse_with(&format!("{YARD}{enemy}"), |_| Ok(BRIDGE.to_owned()));
        for scenario in [Scenario::parse(&grid), mesh].into_iter().flatten() {
            let mut world = World::new(&scenario);
            for _ in 0..50 {
                let orders = Orders::new(Order::Step(Direction::East, Stance::new(Gait::Walk)));
                world.advance(&scenario, &orders, Duration::from_millis(170), &mut ());
            }
            assert!(scenario.map().is_walkable(world.place(AgentId::Enemy(0), &scenario)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_goes_on_as_if_nothing_had_happened(seed: u64) {
        let (text, scenario) = crate::dungeon::random(seed, Inhabitants::Moving);
        let mut dice = Dice::new(seed);
        let mut world = World::new(&scenario);
        for _ in 0..30 {
            let orders = Orders::new(random_order(&mut dice)).with_player(random_order(&mut dice));
            let moments = 1 + dice.below(12) as u32;
            world.advance(&scenario, &orders, Duration::from_millis(100) * moments, &mut ());
            // Who is about to arrive does, so that there is something to begin with.
            for _ in 0..60 {
                if !is_standing(&scenario, &world) {
                    world.advance(&scenario, &Orders::new(Order::WAIT), Duration::from_millis(50), &mut ());
                }
            }
            if world.is_dead(AgentId::NPC, &scenario) || !is_standing(&scenario, &world) {
                break;
            }
            let later = interrupted(&text, &scenario, &world);
            let begun = Scenario::parse(&later).unwrap_or_else(|error| panic!("{error}\n{later}"));
            let (mut here, mut there) = (world.clone(), World::new(&begun));
            assert_eq!(seen(&scenario, &here), seen(&begun, &there), "{later}");
            for _ in 0..6 {
                let npc = random_order(&mut dice);
                let duration = Duration::from_millis(dice.below(2000) as u64);
                let mut events = [Vec::new(), Vec::new()];
                here.advance(&scenario, &Orders::new(npc), duration, &mut events[0]);
                there.advance(&begun, &Orders::new(npc), duration, &mut events[1]);
                assert_eq!(events[0], events[1], "{later}");
                assert_eq!(seen(&scenario, &here), seen(&begun, &there), "{later}");
            }
        }
    }
}

const HALL: &str = r#"format = 1
start = [0, 0]
goal = { within = { at = [4, 0], radius = 0.0 } }
map = { rows = [".....", "....."] }
door = [{ id = "gate", at = [[3, 0], [3, 1]] }]
key = [{ id = "red", at = [1, 0], opens = ["gate"] }]
lever = [{ id = "crank", at = [0, 1], opens = [] }]
enemy = [{ id = "grey", kind = "wolf", at = [4, 1] }, { id = "guard", kind = "guard", at = [4, 0] }]
"#;

#[test]
fn what_is_not_mentioned_is_as_at_the_beginning() {
    let scenario = Scenario::parse(&format!(
        "{HALL}[midway]\nnpc = {{ holding = [\"red\"] }}\n"
    ));
    let scenario = scenario.expect("it is sound");
    let world = World::new(&scenario);
    assert!(world.holds(AgentId::NPC, ItemId::new(0)) && !world.is_lying(ItemId::new(0)));
    assert_eq!(world.time(), Duration::ZERO);
    assert_eq!(world.health(AgentId::Enemy(0), &scenario), 40.0);
    // Without the item nobody holds it.
    let without = scenario.without(ItemId::new(0));
    assert!(!World::new(&without).holds(AgentId::NPC, ItemId::new(0)));
}

/// On the start lie a key, a pack and a lever; the gate is open, and a hatch goes by the clock.
const CAMP: &str = r#"format = 1
start = [0, 0]
goal = { within = { at = [4, 0], radius = 0.0 } }
map = { rows = ["......", "......"] }
health = 50
player = { at = [2, 1] }
door = [{ id = "gate", at = [[3, 0]], open = true }, { id = "hatch", at = [[3, 1]], cycle = { open = 3.0, closed = 2.0 } }]
key = [{ id = "red", at = [0, 0], opens = [] }, { id = "blue", at = [2, 1], opens = [] }]
pack = [{ id = "herbs", at = [0, 0], health = 30 }]
lever = [{ id = "crank", at = [0, 0], opens = [] }]
"#;

#[test]
fn what_lies_on_the_start_is_as_at_the_beginning() {
    let begun = |midway: &str| {
        let scenario = Scenario::parse(&format!("{CAMP}{midway}")).expect("it is sound");
        (World::new(&scenario), scenario)
    };
    let (beginning, scenario) = begun("");
    let (npc, player) = (AgentId::NPC, AgentId::PLAYER);
    let (red, blue, herbs) = (ItemId::new(0), ItemId::new(1), ItemId::new(2));
    let (gate, hatch) = (DoorId::new(0), DoorId::new(1));
    assert!(beginning.holds(npc, red) && beginning.holds(player, blue));
    assert!(!beginning.is_lying(herbs) && beginning.health(npc, &scenario) == 80.0);
    assert!(beginning.is_on(LeverId::new(0)) && beginning.is_open(gate));
    for nothing in ["[midway]\n", "[midway.npc]\n[midway.player]\n"] {
        let (world, midway) = begun(nothing);
        assert_eq!(
            seen(&midway, &world),
            seen(&scenario, &beginning),
            "{nothing}"
        );
    }

    // What goes by the clock goes by the clock of the run.
    let (world, _) = begun("[midway]\ntime = 4.0\n");
    assert!(beginning.is_open(hatch) && !world.is_open(hatch) && world.is_open(gate));
    // What is mentioned is so, and moves nothing else.
    let (world, _) = begun("[midway]\nopen = []\n");
    assert!(!world.is_open(gate) && world.holds(npc, red) && world.is_on(LeverId::new(0)));
    let (world, _) = begun("[midway]\nnpc = { holding = [] }\n");
    assert!(!world.holds(npc, red) && world.is_lying(red));
    assert!(world.holds(player, blue) && !world.is_lying(herbs));
    let (world, _) = begun("[midway]\nplayer = { holding = [\"red\"] }\n");
    assert!(world.holds(player, red) && !world.holds(npc, red));
    assert!(world.is_lying(blue) && !world.is_lying(red));
    let (world, _) = begun("[midway]\ngone = [\"red\"]\n");
    assert!(!world.holds(npc, red) && !world.is_lying(red) && world.is_lying(herbs));
}

#[test]
fn an_enemy_may_be_dead_for_long() {
    let scenario = Scenario::parse(HALL).expect("it is sound");
    let mut world = World::new(&scenario);
    let wolf = AgentId::Enemy(0);
    let second = Duration::from_secs(1);
    world.observe(&scenario, Observation::Open(DoorId::new(0)));
    for _ in 0..9 {
        world.advance(&scenario, &Orders::new(Order::WAIT), second, &mut ());
    }
    assert!(world.mode(wolf, &scenario).is_some_and(Mode::is_hostile));
    world.observe(&scenario, Observation::Health(wolf, 0.0));
    world.advance(&scenario, &Orders::new(Order::WAIT), 90 * second, &mut ());
    let text = format!("{HALL}{}", world.snapshot(&scenario));
    let later = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(seen(&later, &World::new(&later)), seen(&scenario, &world));
}

#[test]
fn nonsense_is_an_error_with_its_place() {
    for (table, message) in [
        (
            "tme = 3",
            "line 10, column 1: unknown key `tme` in [midway]; did you mean `time`?",
        ),
        (
            "time = -1",
            "line 10, column 8: `time` is -1; write a number from 0 to 1000000000",
        ),
        (
            "open = [\"red\"]",
            "line 10, column 9: no door is called `red`; there is `gate`",
        ),
        (
            "gone = [\"rad\"]",
            "line 10, column 9: no item is called `rad`; did you mean `red`?",
        ),
        (
            "npc = { health = 0 }",
            "line 10, column 18: `health` is 0; write more than 0, up to 100: nobody plans for a dead character",
        ),
        (
            "npc = { does = \"fly\" }",
            "line 10, column 16: `does`: `fly` is no part of an order; write for example `sneak north-east fighting` or `wait`",
        ),
        (
            "npc = { does = \"walk east\" }",
            "line 10, column 16: `does`: plans begin with a character that stands; write `wait`",
        ),
        (
            "player = { health = 3 }",
            "line 10, column 10: `player` is missing in the file, and [midway] mentions one; add it",
        ),
        (
            "enemy = [{ id = \"guard\" }]",
            "line 10, column 17: no enemy that moves is called `guard`; there is `grey`",
        ),
        (
            "enemy = [{ id = \"grey\", mode = \"sleep\" }]",
            "line 10, column 32: no mode is called `sleep`; there is `idle`, `pursue`, `attack`, `return`",
        ),
        (
            "enemy = [{ id = \"grey\", at = [99, 0] }]",
            "line 10, column 30: grey is at (99, 0), off the map; x goes from 0 to 4, y from 0 to 1",
        ),
        (
            "enemy = [{ id = \"grey\", at = [1, 1e6], place = 6 }]",
            "line 10, column 30: grey is at (1, 1000000), off the map; x goes from 0 to 4, y from 0 to 1",
        ),
        (
            "enemy = [{ id = \"grey\", at = [1, 1], place = 10 }]",
            "line 10, column 46: `place` is 10; write a number from 0 to 9",
        ),
        (
            "enemy = [{ id = \"grey\", seen_at = 7 }]",
            "line 10, column 35: `seen_at` is 7; write a number from 0 to 0",
        ),
    ] {
        let error = Scenario::parse(&format!("{HALL}[midway]\n{table}\n")).expect_err(table);
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn an_enemy_midway_is_near_a_place_it_can_stand_in() {
    // The ground on which it hunts ends before the east end.
    let room = format!("{}#{}", ".".repeat(19), ".".repeat(19));
    let hall = format!(
        "format = 1\nstart = [0, 0]\ngoal = {{ all = [] }}\nmap = {{ rows = [\"{room}\"] }}\n\
         enemy = [{{ id = \"grey\", kind = \"wolf\", at = [1, 0] }}]\n[midway]\n"
    );
    for (at, place, message) in [
        (
            18,
            19,
            "line 7, column 47: `place` is 19; write a place one can stand in near (18, 0), or leave it out",
        ),
        (
            0,
            38,
            "line 7, column 46: `place` is 38; write a place one can stand in near (0, 0), or leave it out",
        ),
    ] {
        let text = format!("{hall}enemy = [{{ id = \"grey\", at = [{at}, 0], place = {place} }}]");
        let error = Scenario::parse(&text).expect_err(&text);
        assert_eq!(error.to_string(), message);
    }
    let sound = format!("{hall}enemy = [{{ id = \"grey\", at = [17.5, 0], place = 18 }}]");
    let scenario = Scenario::parse(&sound).expect("it is sound");
    assert_eq!(
        World::new(&scenario).place(AgentId::Enemy(0), &scenario),
        18
    );
}

/// The world with every change a file can tell, and that the file tells all of them.
#[track_caller]
fn check_is_read_back(text: &str, scenario: &Scenario, world: &World) {
    let later = interrupted(text, scenario, world);
    let begun = Scenario::parse(&later).unwrap_or_else(|error| panic!("{error}\n{later}"));
    let again = World::new(&begun);
    assert_eq!(again.snapshot(&begun), world.snapshot(scenario), "{later}");
}

/// A slow enemy looks a step further at every moment, so that the place it is about to reach comes to
/// be far ahead of it.
#[test]
fn an_enemy_may_be_about_to_reach_a_place_far_ahead() {
    let open = ".".repeat(60);
    let wall = format!("{}..", "#".repeat(58));
    let text = format!(
        "format = 1\nstart = [40, 3]\ngoal = {{ all = [] }}\n\
         map = {{ rows = [\"{open}\", \"{wall}\", \"{wall}\", \"{open}\"] }}\n\
         enemy = [{{ id = \"slow\", kind = \"snail\", at = [0, 0] }}]\n\
         rules = {{ line_of_sight = false }}\n\
         [kinds.snail]\nlike = \"wolf\"\nspeed = 1.0\nradius = 200\nleash = 200\n"
    );
    let scenario = Scenario::parse(&text).expect("it is sound");
    let (mut world, snail) = (World::new(&scenario), AgentId::Enemy(0));
    let mut farthest = 0.0_f64;
    for _ in 0..300 {
        let moment = Duration::from_millis(100);
        world.advance(&scenario, &Orders::new(Order::WAIT), moment, &mut ());
        check_is_read_back(&text, &scenario, &world);
        let ahead = scenario.map().point_of(world.place(snail, &scenario));
        farthest = farthest.max(ahead.distance_to(world.position(snail, &scenario)));
    }
    assert!(farthest > 20.0, "{farthest} m");
}

/// What is far ahead of an enemy is straight ahead of it: it never looks round a corner, nor goes
/// through a wall to get there. Doors shut and open while it is on its way.
#[test]
fn an_enemy_is_not_about_to_reach_a_place_far_beyond_a_wall() {
    let (open, wall) = (".".repeat(40), format!("{}.", "#".repeat(39)));
    let text = format!(
        "format = 1\nstart = [0, 0]\ngoal = {{ all = [] }}\n\
         map = {{ rows = [\"{open}\", \"{wall}\", \"{open}\"] }}\n\
         door = [{{ id = \"gate\", at = [[8, 0]] }}]\n\
         enemy = [{{ id = \"grey\", kind = \"hound\", at = [5, 0] }}]\n\
         [kinds.hound]\nlike = \"wolf\"\nleash = 200\n"
    );
    let read = |place: usize| {
        let begun = format!(
            "{text}[[midway.enemy]]\nid = \"grey\"\nat = [5, 0]\nplace = {place}\nmode = \"return\"\n"
        );
        Scenario::parse(&begun).map_err(|error| error.to_string())
    };
    let straight_ahead = read(25).unwrap_or_else(|error| panic!("{error}"));
    let world = World::new(&straight_ahead);
    assert_eq!(world.place(AgentId::Enemy(0), &straight_ahead), 25);
    let error = read(2 * 40 + 25).expect_err("there is a wall");
    let expected = "a place one can stand in near (5, 0), or leave it out";
    assert!(error.contains(expected), "{error}");
}

/// The same on a mesh: two halls beside each other, joined at their ends.
#[test]
fn an_enemy_on_a_mesh_is_not_about_to_reach_a_place_far_beyond_rock() {
    let mesh = "mesh\n2\n10 3\n0 0 0\n36 0 0\n36 2 0\n0 2 0\n40 0 0\n40 6 0\n36 6 0\n36 4 0\n0 4 0\n0 6 0\n\
                4 0 1 2 3 -1 1 -1 -1\n6 1 4 5 6 7 2 -1 -1 -1 2 -1 0\n4 8 7 6 9 -1 1 -1 -1\n";
    let text = "format = 1\nstart = [2, 1]\ngoal = { all = [] }\nmap = { file = \"halls.mesh\" }\n\
                enemy = [{ id = \"grey\", kind = \"hound\", at = [2, 1] }]\n\
                [kinds.hound]\nlike = \"wolf\"\nleash = 200\n";
    let read = |text: &str| Scenario::parse_with(text, |_| Ok(mesh.to_owned()));
    let halls = read(text).expect("it is sound");
    let begun = |x: f64, y: f64| {
        let place = halls.map().place_on_floor(Point::new(x, y), None);
        let place = place.expect("there are footholds");
        read(&format!(
            "{text}[[midway.enemy]]\nid = \"grey\"\nat = [2, 1]\nplace = {place}\n"
        ))
    };
    begun(20.0, 1.0).unwrap_or_else(|error| panic!("{error}"));
    begun(20.0, 5.0).expect_err("there is rock");
}

/// Slow enemies and short ticks: positions are rounded at every moment, so that an enemy comes to be
/// beside the line it went along, and pillars come to be on it.
#[test]
fn whatever_an_enemy_hunts_among_pillars_can_be_written_down() {
    let mut dice = Dice::new(11);
    let mut far = 0;
    for round in 0..24 {
        let mut rows = vec![vec!['.'; 48]; 24];
        for _ in 0..60 {
            rows[dice.below(24)][dice.below(48)] = '#';
        }
        let place = |dice: &mut Dice, rows: &mut Vec<Vec<char>>| {
            let (x, y) = (dice.below(48), dice.below(24));
            rows[y][x] = '.';
            (x, y)
        };
        let (home, start) = (place(&mut dice, &mut rows), place(&mut dice, &mut rows));
        let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
        let speed = [0.3, 0.7, 1.5, 3.0][round % 4];
        let text = format!(
            "format = 1\nstart = [{}, {}]\ngoal = {{ all = [] }}\nmap = {{ rows = {rows:?} }}\n\
             enemy = [{{ id = \"slow\", kind = \"snail\", at = [{}, {}] }}]\n\
             rules = {{ line_of_sight = false }}\n\
             [kinds.snail]\nlike = \"wolf\"\nspeed = {speed}\nradius = 200\nleash = 200\ndamage = 0.0\n",
            start.0, start.1, home.0, home.1
        );
        let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let tick = Duration::from_millis([1, 16, 33, 100][dice.below(4)]);
        let (mut world, snail) = (World::new(&scenario), AgentId::Enemy(0));
        for _ in 0..60 {
            for _ in 0..8 {
                world.advance(&scenario, &Orders::new(Order::WAIT), tick, &mut ());
            }
            check_is_read_back(&text, &scenario, &world);
            let ahead = scenario.map().point_of(world.place(snail, &scenario));
            far += u32::from(ahead.distance_to(world.position(snail, &scenario)) > 10.0);
        }
    }
    assert!(far > 50, "{far} times far ahead");
}

/// On its way an enemy may pass where nobody could stand: no foothold is near.
#[test]
fn an_enemy_on_its_way_needs_no_place_to_stand() {
    // A hall, and a tip that is too narrow for footholds.
    let mesh = "mesh\n2\n5 2\n0 0 0\n8 0 0\n8 8 0\n0 8 0\n40 0.1 0\n\
                4 0 1 2 3 -1 1 -1 -1\n3 1 4 2 -1 -1 0\n";
    let begun = |place: &str| {
        let text = format!(
            "format = 1\nstart = [2, 2]\ngoal = {{ all = [] }}\nmap = {{ file = \"hall.mesh\" }}\n\
             enemy = [{{ id = \"grey\", kind = \"wolf\", at = [4, 4] }}]\n\
             [[midway.enemy]]\nid = \"grey\"\nat = [39.9, 0.1]\n{place}"
        );
        Scenario::parse_with(&text, |_| Ok(mesh.to_owned()))
    };
    let text = "format = 1\nstart = [2, 2]\ngoal = { all = [] }\nmap = { file = \"hall.mesh\" }\n";
    let hall = Scenario::parse_with(text, |_| Ok(mesh.to_owned())).expect("it is sound");
    let near = hall.map().place_on_floor(Point::new(36.0, 0.5), None);
    let near = near.expect("there are footholds");
    assert!(begun("").is_err(), "there is none at the tip");
    let scenario = begun(&format!("place = {near}")).unwrap_or_else(|error| panic!("{error}"));
    let world = World::new(&scenario);
    assert_eq!(world.place(AgentId::Enemy(0), &scenario), near);
}

/// The longest wait begins with the next whole millisecond, so that it can end later than a minute
/// from now.
#[test]
fn the_longest_memory_and_the_longest_wait_can_be_written_down() {
    let text = "format = 1\nstart = [0, 0]\ngoal = { all = [] }\n\
                map = { rows = [\"............\"] }\n\
                enemy = [{ id = \"grey\", kind = \"elephant\", at = [11, 0] }]\n\
                [kinds.elephant]\nlike = \"wolf\"\nspeed = 0\nreach = 11\nleash = 30\nmemory = 60\n\
                period = 60\ndamage = 1\n";
    let scenario = Scenario::parse(text).expect("it is sound");
    for microseconds in [130, 3_170, 77_000] {
        let (mut world, mut struck) = (World::new(&scenario), false);
        for _ in 0..1000 {
            let time = Duration::from_micros(microseconds);
            world.advance(&scenario, &Orders::new(Order::WAIT), time, &mut ());
            check_is_read_back(text, &scenario, &world);
            struck |= world.health(AgentId::NPC, &scenario) < 100.0;
        }
        assert!(struck);
    }
}

/// However little health is left, it is some.
#[test]
fn who_is_nearly_dead_can_be_written_down() {
    let scenario = Scenario::parse(HALL).expect("it is sound");
    let mut world = World::new(&scenario);
    world.observe(&scenario, Observation::Health(AgentId::NPC, 1e-7));
    check_is_read_back(HALL, &scenario, &world);
}

/// Positions are kept to two millimetres, which may be beyond the edge of the map.
#[test]
fn an_enemy_midway_may_be_at_the_very_edge_of_a_mesh() {
    let mesh = "mesh\n2\n4 1\n0 0 0\n30.0015 0 0\n30.0015 30 0\n0 30 0\n4 0 1 2 3 -1 -1 -1 -1\n";
    let with = |at: f64| {
        let text = format!(
            "format = 1\nstart = [2, 2]\ngoal = {{ all = [] }}\nmap = {{ file = \"hall.mesh\" }}\n\
             enemy = [{{ id = \"grey\", kind = \"wolf\", at = [29, 9] }}]\n\
             [midway]\nenemy = [{{ id = \"grey\", at = [{at}, 9] }}]\n"
        );
        Scenario::parse_with(&text, |_| Ok(mesh.to_owned()))
    };
    let scenario = with(30.0015).expect("it is on the map");
    let at = World::new(&scenario).position(AgentId::Enemy(0), &scenario);
    assert!((30.0015..30.003).contains(&at.x), "{at}");
    let error = with(30.01).expect_err("it is off the map");
    assert!(error.to_string().contains("off the map"), "{error}");
}

/// A yard, and a bridge three metres above it.
const YARD: &str = r#"format = 1
start = [1, 1]
goal = { within = { at = [17, 4, 3], radius = 0.5 } }
map = { file = "yard.obj", falls = 4.0 }
enemy = [{ id = "grey", kind = "wolf", at = [3, 6] }]
"#;
const BRIDGE: &str = "v 0 0 0\nv 20 0 0\nv 20 0 8\nv 0 0 8\nf 4 3 2 1\n\
                      v 10 3 3\nv 18 3 3\nv 18 3 5\nv 10 3 5\nf 8 7 6 5\n";

#[test]
fn an_enemy_midway_is_on_the_floor_that_is_said() {
    let begun = |at: &str| {
        let text = format!("{YARD}[[midway.enemy]]\nid = \"grey\"\nat = {at}\n");
        Scenario::parse_with(&text, |_| Ok(BRIDGE.to_owned()))
    };
    for (at, height) in [("[14, 4]", 0.0), ("[14, 4, 3]", 3.0), ("[14, 4, 0.2]", 0.0)] {
        let scenario = begun(at).unwrap_or_else(|error| panic!("{error}"));
        let place = World::new(&scenario).place(AgentId::Enemy(0), &scenario);
        assert_eq!(scenario.map().height_of(place).round(), height, "{at}");
    }
    let error = begun("[14, 4, 8]")
        .expect_err("nothing is that high")
        .to_string();
    assert!(error.contains("write [14, 4, 3"), "{error}");
}

/// Unless its `place` is said, an enemy is midway only where it could be at home.
#[test]
fn an_enemy_midway_is_where_it_could_be_at_home() {
    let read = |text: &str| Scenario::parse_with(text, |_| Ok(BRIDGE.to_owned()));
    let without_place = |error: String| {
        let (_, what) = error.split_once(": ").expect("a place comes first");
        what.to_owned()
    };
    for at in [
        "[14, 4, 3]",
        "[14, 4, 8]",
        // Beside the bridge, at its height.
        "[14, 7, 3]",
        "[14, 1.2, 3]",
        "[14, 7]",
        "[40, 4]",
        "[40, 4, 3]",
    ] {
        let home = read(&YARD.replace("at = [3, 6]", &format!("at = {at}")));
        let midway = read(&format!(
            "{YARD}[[midway.enemy]]\nid = \"grey\"\nat = {at}\n"
        ));
        match (home, midway) {
            (Ok(home), Ok(midway)) => {
                let place =
                    |scenario: &Scenario| World::new(scenario).place(AgentId::Enemy(0), scenario);
                assert_eq!(place(&home), place(&midway), "{at}");
            }
            (Err(home), Err(midway)) => {
                let [home, midway] = [home, midway].map(|error| without_place(error.to_string()));
                assert_eq!(home, midway, "{at}");
            }
            (home, midway) => panic!("{at}: {:?} and {:?}", home.err(), midway.err()),
        }
    }
    // In a wall of a grid, too.
    let hall = HALL.replace(r#"[".....", "....."]"#, r#"["...#.", "....."]"#);
    let hall = hall.replace("[[3, 0], [3, 1]]", "[[3, 1]]");
    let text = format!("{hall}[midway]\nenemy = [{{ id = \"grey\", at = [3, 0] }}]\n");
    let error = Scenario::parse(&text)
        .expect_err("it is in a wall")
        .to_string();
    let message =
        "line 10, column 30: grey is at (3, 0), inside a wall; move it, or open the wall there";
    assert_eq!(error, message);
}

#[test]
fn the_place_of_an_enemy_midway_is_on_the_floor_that_is_said() {
    let read = |at: &str, place: usize| {
        let text = format!("{YARD}[[midway.enemy]]\nid = \"grey\"\nat = {at}\nplace = {place}\n");
        Scenario::parse_with(&text, |_| Ok(BRIDGE.to_owned()))
    };
    let yard = Scenario::parse_with(YARD, |_| Ok(BRIDGE.to_owned())).expect("it is sound");
    let middle = Point::new(14.0, 4.0);
    let on = |height| {
        yard.map()
            .place_on_floor(middle, Some(height))
            .expect("a floor")
    };
    for (at, place, is_sound) in [
        ("[14, 4]", on(0.0), true),
        ("[14, 4]", on(3.0), true),
        ("[14, 4, 3]", on(3.0), true),
        ("[14, 4, 3]", on(0.0), false),
        ("[14, 4, 0]", on(3.0), false),
        // Eleven metres away, and on the ground on which it hunts.
        ("[3, 4]", on(0.0), true),
    ] {
        match read(at, place) {
            Ok(scenario) => {
                assert!(is_sound, "{at}");
                assert_eq!(
                    World::new(&scenario).place(AgentId::Enemy(0), &scenario),
                    place
                );
            }
            Err(error) => {
                assert!(!is_sound, "{at}: {error}");
                let spot = at.replace('[', "(").replace(']', ")");
                let expected = format!("a place one can stand in near {spot}, or leave it out");
                assert!(error.to_string().contains(&expected), "{error}");
            }
        }
    }
}

/// An enemy that hunts over a mesh with floors is always where a file may say it is.
#[test]
fn whatever_an_enemy_does_on_a_mesh_can_be_written_down() {
    let ramp = format!("{BRIDGE}v 4 0 3\nv 4 0 5\nf 10 8 5 9\n");
    let text = YARD.replace("at = [3, 6]", "at = [12, 4, 3]");
    let scenario = Scenario::parse_with(&text, |_| Ok(ramp.clone())).expect("it is sound");
    let mut dice = Dice::new(7);
    let (mut world, mut moved, mut high) = (World::new(&scenario), 0, 0);
    for round in 0..400 {
        if round % 40 == 0 {
            world = World::new(&scenario);
            // Half of the time on the bridge.
            let (x, y, height) = match dice.below(2) {
                0 => (
                    2.0 + dice.below(14) as f64,
                    1.0 + dice.below(6) as f64,
                    None,
                ),
                _ => (10.5 + dice.below(7) as f64, 4.0, Some(3.0)),
            };
            world.observe(
                &scenario,
                Observation::Move(AgentId::NPC, Point::new(x, y), height),
            );
        }
        let order = Orders::new(random_order(&mut dice));
        world.advance(&scenario, &order, Duration::from_millis(170), &mut ());
        let wolf = AgentId::Enemy(0);
        let place = world.place(wolf, &scenario);
        moved += u32::from(world.position(wolf, &scenario) != scenario.map().point_of(place));
        high += u32::from(scenario.map().height_of(place) > 1.5);
        let world = world.snapshot(&scenario);
        let enemy = &world[world.find("\n[[midway.enemy]]").expect("there is one")..];
        let enemy: Vec<&str> = enemy
            .lines()
            .filter(|line| !line.starts_with("seen") && !line.starts_with("ready"))
            .collect();
        let later = format!("{text}{}\n", enemy.join("\n"));
        let begun = Scenario::parse_with(&later, |_| Ok(ramp.clone()));
        let begun = begun.unwrap_or_else(|error| panic!("{error}\n{later}"));
        assert_eq!(World::new(&begun).place(wolf, &begun), place);
    }
    assert!(
        moved > 50 && high > 10,
        "{moved} times between places, {high} times up"
    );
}
