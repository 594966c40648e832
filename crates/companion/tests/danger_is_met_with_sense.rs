//! Who is hunted by somebody it cannot beat draws away, and lives.

use std::time::Duration;

use apprentice_companion::{Cave, Said, Watched};
use apprentice_search::Budget;
use apprentice_world::{AgentId, Direction, Gait, Order, Orders, Scenario, Stance, World};

/// A bear that only two can defeat notices the companion, and the player is far away.
#[test]
fn alone_nobody_walks_up_to_a_killer_bear() {
    let floor = ".".repeat(60);
    let text = format!(
        r#"
format = 1
start = [31, 1]
goal = {{ within = {{ at = [58, 1], radius = 1.0 }} }}
rules = {{ walk = 2.0 }}
map = {{ rows = ["{floor}", "{floor}", "{floor}"] }}
player = {{ at = [2, 1] }}
enemy = [{{ id = "bear", kind = "killer_bear", at = [40, 1] }}]
style = [
    {{ id = "fight", points = [[2, 1], [58, 1]] }},
    {{ id = "sneak", points = [[2, 0], [58, 0]], gait = "sneak", fights = false }},
]
"#
    );
    let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let cave = Cave::of("hall", &scenario).expect("all of it is drawn");
    let mut companion = cave.companion().expect("somebody is accompanied");
    let (mut world, mut events) = (World::new(&scenario), Vec::new());
    let mut was_in_danger = false;
    while world.time() < Duration::from_secs(25) {
        let watched = Watched {
            world: &world,
            events: &events,
        };
        let mut budget = Budget::units(2_000);
        let order = companion.decide(&scenario, watched, &mut budget);
        assert!(budget.taken() <= 2_000);
        was_in_danger |= matches!(companion.said(), Said::InDanger { .. });
        events.clear();
        let orders = Orders::new(order).with_player(Order::WAIT);
        world.advance(&scenario, &orders, Duration::from_millis(33), &mut events);
    }
    assert!(was_in_danger, "it was noticed");
    assert!(!world.is_dead(AgentId::NPC, &scenario));
    assert!(world.position(AgentId::NPC, &scenario).x < 26.0);
}

/// Three superwolves are at the companion's side, and later after the player.
#[test]
fn the_dead_meet_no_danger() {
    let floor = ".".repeat(30);
    let text = format!(
        r#"
format = 1
start = [16, 1]
goal = {{ within = {{ at = [28, 1], radius = 1.0 }} }}
map = {{ rows = ["{floor}", "{floor}", "{floor}"] }}
player = {{ at = [1, 1] }}
enemy = [
    {{ id = "grey", kind = "superwolf", at = [17, 0] }},
    {{ id = "white", kind = "superwolf", at = [17, 1] }},
    {{ id = "black", kind = "superwolf", at = [17, 2] }},
]
style = [
    {{ id = "fight", points = [[1, 1], [28, 1]] }},
    {{ id = "sneak", points = [[1, 0], [28, 0]], gait = "sneak", fights = false }},
]
"#
    );
    let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let cave = Cave::of("hall", &scenario).expect("all of it is drawn");
    let mut companion = cave.companion().expect("somebody is accompanied");
    let (mut world, mut events) = (World::new(&scenario), Vec::new());
    let east = Order::Step(Direction::East, Stance::new(Gait::Walk));
    let mut frames_after = 0;
    while world.time() < Duration::from_secs(90) && frames_after < 10 {
        let watched = Watched {
            world: &world,
            events: &events,
        };
        let mut budget = Budget::units(2_000);
        let order = companion.decide(&scenario, watched, &mut budget);
        let is_dead = world.is_dead(AgentId::NPC, &scenario);
        let mut enemies = (0..3).map(AgentId::Enemy);
        let is_after_player = |enemy| world.target(enemy, &scenario) == Some(AgentId::PLAYER);
        if is_dead && enemies.any(is_after_player) {
            frames_after += 1;
            assert_eq!(*companion.said(), Said::Dead);
            // It only looks where the player goes.
            assert!(budget.taken() < 10, "{}", budget.taken());
        }
        events.clear();
        let player = if is_dead { east } else { Order::WAIT };
        let orders = Orders::new(order).with_player(player);
        world.advance(&scenario, &orders, Duration::from_millis(33), &mut events);
    }
    assert_eq!(frames_after, 10, "it died, and the player was hunted then");
}
