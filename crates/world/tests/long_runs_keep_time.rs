//! A world that runs for months, as on a server, goes on as on its first day; and however long it is
//! asked to go on, it returns.

use std::time::Duration;

use apprentice_world::{
    AgentId, Direction, Event, Gait, Observation, Order, Orders, Point, Scenario, Stance, World,
};

/// Milliseconds in a word of 32 bits last for 49.7 days.
const MONTHS: Duration = Duration::from_secs(4_294_960);
const STEP_EAST: Order = Order::Step(Direction::East, Stance::new(Gait::Walk));

fn level(more: &str) -> String {
    let hall = ".".repeat(60);
    format!(
        "format = 1\nstart = [0, 0]\ngoal = {{ all = [] }}\nmap = {{ rows = ['{hall}', '{hall}'] }}\n{more}"
    )
}

const WOLF: &str = "enemy = [{ id = 'grey', kind = 'wolf', at = [59, 0] }]";

/// When blows fall, in milliseconds after the beginning: a wolf fights somebody who fights back.
fn blows(scenario: &Scenario, world: &mut World) -> Vec<(u128, Event)> {
    let (began, mut seen) = (world.time(), Vec::new());
    let beside = Point::new(58.0, 0.0);
    world.observe(scenario, Observation::Move(AgentId::NPC, beside, None));
    let fight = Orders::new(Order::Wait(Stance::new(Gait::Walk).fighting()));
    for _ in 0..200 {
        let mut events = Vec::new();
        world.advance(scenario, &fight, Duration::from_millis(100), &mut events);
        let at = (world.time() - began).as_millis();
        seen.extend(events.into_iter().map(|event| (at, event)));
    }
    seen
}

#[test]
fn after_fifty_days_blows_fall_as_on_the_first() {
    let scenario = Scenario::parse(&level(WOLF)).unwrap();
    let mut world = World::new(&scenario);
    let first = blows(&scenario, &mut World::new(&scenario));
    assert!(first.len() > 5, "{first:?}");
    world.advance(&scenario, &Orders::new(Order::WAIT), MONTHS, &mut ());
    assert_eq!(world.time(), MONTHS);
    assert_eq!(blows(&scenario, &mut world), first);
}

#[test]
fn a_run_of_any_age_is_saved_to_the_nanosecond() {
    let text = level(WOLF);
    let scenario = Scenario::parse(&text).unwrap();
    for seconds in [3, 4_294_967, 90_000_000, 999_999_998] {
        let mut world = World::new(&scenario);
        let age = Duration::new(seconds, 123_456_789);
        world.advance(&scenario, &Orders::new(Order::WAIT), age, &mut ());
        let later = format!("{text}{}", world.snapshot(&scenario));
        let later = Scenario::parse(&later).unwrap_or_else(|error| panic!("{error}\n{later}"));
        let mut again = World::new(&later);
        assert_eq!(again.time(), age);
        assert_eq!(blows(&later, &mut again), blows(&scenario, &mut world));
    }
}

#[test]
fn however_long_it_is_asked_to_go_on_it_returns() {
    let beyond_a_wall = "enemy = [{ id = 'grey', kind = 'wolf', at = [3, 0] }]";
    let shut = ["...#".to_owned() + &".".repeat(9), "#".repeat(13)];
    let shut = format!(
        "format = 1\nstart = [5, 0]\ngoal = {{ all = [] }}\nmap = {{ rows = {shut:?} }}\n{}",
        beyond_a_wall.replace("[3, 0]", "[2, 0]")
    );
    for (text, may_end_early) in [
        (level(""), false),
        (level(WOLF), false),
        // It hears somebody whom it cannot reach, and never gives up.
        (shut, true),
        (
            level("door = [{ id = 'gate', at = [[5, 1]], cycle = { open = 1.0, closed = 2.0 } }]"),
            true,
        ),
    ] {
        let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        for order in [Order::WAIT, STEP_EAST] {
            let mut world = World::new(&scenario);
            let orders = Orders::new(order);
            world.advance(&scenario, &orders, Duration::MAX, &mut ());
            let day = Duration::from_secs(24 * 3600);
            assert!(world.time() > day, "{:?}\n{text}", world.time());
            if !may_end_early {
                assert_eq!(world.time(), Duration::from_nanos(u64::MAX), "{text}");
                // Where time ends nothing wraps.
                let end = world.clone();
                world.advance(&scenario, &orders, Duration::MAX, &mut ());
                assert_eq!(world, end);
            }
        }
    }
}
