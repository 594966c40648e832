//! A world that is written into a file and read back has the digest it had, and keeps it as long as
//! both go on alike: in every shipped level, and in random ones. Written by `serde` it is the same to the
//! last bit, also in the middle of a step, and what cannot be a world of the level is refused.

use std::time::Duration;

use crate::dungeon::{Dice, Inhabitants};
use apprentice_search::saved::LoadError;
use apprentice_world::{
    AgentId, Direction, DoorId, Gait, Goal, ItemId, LeverId, Observation, Order, Orders, Point,
    SavedWorld, Scenario, Stance, World,
};
use proptest::prelude::*;

/// How many worlds are saved.
const WORLDS: usize = 500;

/// A level: its text, and where its maps come from.
struct Level {
    text: String,
    scenario: Scenario,
}

fn parse(text: &str) -> Scenario {
    let beside = |name: &str| {
        Ok(crate::golden::read(
            &crate::golden::root().join("scenarios").join(name),
        ))
    };
    Scenario::parse_with(text, beside).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The shipped levels, and as many random ones of each sort.
fn levels() -> Vec<Level> {
    let shipped = crate::golden::files("scenarios", "toml");
    let mut texts: Vec<String> = shipped
        .iter()
        .map(|path| crate::golden::read(path))
        .collect();
    for seed in 0..shipped.len() as u64 {
        for inhabitants in [Inhabitants::Moving, Inhabitants::Scattered] {
            texts.push(crate::dungeon::random(seed, inhabitants).0);
        }
    }
    let level = |text: String| Level {
        scenario: parse(&text),
        text,
    };
    texts.into_iter().map(level).collect()
}

/// The file that begins in a world: everybody who takes orders starts where it stands.
fn saved(level: &Level, world: &World) -> String {
    let map = level.scenario.map();
    let at = |agent| {
        let place = world.place(agent, &level.scenario);
        let at = map.point_of(place);
        match map.is_flat() {
            true => format!("[{:?}, {:?}]", at.x, at.y),
            false => format!("[{:?}, {:?}, {:?}]", at.x, at.y, map.height_of(place)),
        }
    };
    let mut in_player = false;
    let lines = level.text.lines().map(|line| {
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
    format!("{}\n{}", lines.join("\n"), world.snapshot(&level.scenario))
}

fn random_order(dice: &mut Dice) -> Order {
    let mut stance = Stance::new(Gait::ALL[dice.below(3)]).heading_to(dice.below(4) as u8);
    if dice.once_in(2) {
        stance = stance.fighting();
    }
    if dice.once_in(5) {
        stance = stance.blocking();
    }
    match dice.below(10) {
        number @ 0..8 => Order::Step(Direction::ALL[number], stance),
        8 => Order::Use(stance),
        _ => Order::Wait(stance),
    }
}

/// Lives in a level for a while, mostly near one of its enemies, until the agent stands.
fn live(level: &Level, dice: &mut Dice) -> World {
    let scenario = &level.scenario;
    let mut world = World::new(scenario);
    let tick = Duration::from_millis([5, 16, 33, 100, 170][dice.below(5)]);
    let (mut npc, mut player) = (random_order(dice), random_order(dice));
    let mut left = 20 + dice.below(400);
    while left > 0 || world.is_under_way(AgentId::NPC) {
        left = left.saturating_sub(1);
        if dice.once_in(12) {
            (npc, player) = (random_order(dice), random_order(dice));
        }
        if dice.once_in(80) && !scenario.enemies().is_empty() {
            let enemy = &scenario.enemies()[dice.below(scenario.enemies().len())];
            let mut near = enemy.home;
            near.x += dice.below(13) as f64 - 6.0;
            near.y += dice.below(13) as f64 - 6.0;
            world.observe(scenario, Observation::Move(AgentId::NPC, near, None));
        }
        if world.is_dead(AgentId::NPC, scenario) {
            world.observe(scenario, Observation::Health(AgentId::NPC, 70.0));
        }
        let orders = Orders::new(npc);
        let orders = match dice.once_in(2) {
            true => orders.with_player(player),
            false => orders,
        };
        world.advance(scenario, &orders, tick, &mut ());
    }
    world
}

#[test]
fn from_any_moment_on() {
    let levels = levels();
    let (mut number, mut seed, mut at_odds) = (0, 0, 0);
    while number < WORLDS {
        let level = &levels[seed as usize % levels.len()];
        let mut dice = Dice::new(seed);
        seed += 1;
        let mut here = live(level, &mut dice);
        if here.is_dead(AgentId::NPC, &level.scenario) {
            continue;
        }
        number += 1;
        let text = saved(level, &here);
        let loaded = parse(&text);
        let mut there = World::new(&loaded);
        at_odds += usize::from(here != there);
        assert_eq!(here.digest(), there.digest(), "{here:?}\n{there:?}\n{text}");
        for _ in 0..20 {
            let orders = Orders::new(random_order(&mut dice));
            let orders = match dice.once_in(2) {
                true => orders.with_player(random_order(&mut dice)),
                false => orders,
            };
            let duration = Duration::from_millis(dice.below(900) as u64);
            let mut events = [Vec::new(), Vec::new()];
            here.advance(&level.scenario, &orders, duration, &mut events[0]);
            there.advance(&loaded, &orders, duration, &mut events[1]);
            assert_eq!(events[0], events[1], "{text}");
            assert_eq!(here.digest(), there.digest(), "{here:?}\n{there:?}\n{text}");
        }
    }
    // What lies in the past was left out, and made no difference.
    assert!(at_odds > WORLDS / 10, "{at_odds}");
}

/// What becomes of a world that is written and read in two formats.
fn through_formats(world: &World, scenario: &Scenario) -> [World; 2] {
    let saved = world.save(scenario);
    let text = serde_json::to_string(&saved).expect("it can be written");
    let bytes = postcard::to_stdvec(&saved).expect("it can be written");
    let read: SavedWorld = serde_json::from_str(&text).expect("it can be read");
    let unpacked: SavedWorld = postcard::from_bytes(&bytes).expect("it can be read");
    [read, unpacked].map(|saved| {
        saved
            .load(scenario)
            .unwrap_or_else(|error| panic!("{error}"))
    })
}

#[test]
fn by_serde_to_the_last_bit() {
    let levels = levels();
    let mut under_way = 0;
    for seed in 0..200 {
        let level = &levels[seed as usize % levels.len()];
        let scenario = &level.scenario;
        let mut dice = Dice::new(seed);
        let mut world = live(level, &mut dice);
        // On into a step.
        let orders = Orders::new(random_order(&mut dice));
        let duration = Duration::from_nanos(dice.below(2_000_000_000) as u64);
        world.advance(scenario, &orders, duration, &mut ());
        under_way += usize::from(world.is_under_way(AgentId::NPC));
        for loaded in through_formats(&world, scenario) {
            assert_eq!(loaded, world);
        }
        let other = &levels[(seed as usize + 1) % levels.len()].scenario;
        let elsewhere = world.save(scenario).load(other).err();
        let (saved, given) = (scenario.digest(), other.digest());
        // Levels that differ only in what is shown in them are one to a world.
        let refusal = LoadError::AnotherLevel { saved, given };
        assert_eq!(elsewhere, (saved != given).then_some(refusal));
    }
    assert!(under_way > 50, "{under_way}");
}

/// Goals as deep as anybody could read.
fn goals() -> impl Strategy<Value = Goal> {
    let real = prop_oneof![
        Just(f64::INFINITY),
        any::<f64>().prop_filter("a number", |it| !it.is_nan())
    ];
    let part = prop_oneof![
        (
            real.clone(),
            real.clone(),
            prop::option::of(real.clone()),
            real
        )
            .prop_map(|(x, y, height, radius)| Goal::Within {
                at: Point::new(x, y),
                height,
                radius
            }),
        (any::<u16>(), -9.0..9.0).prop_map(|(actor, x)| Goal::AgentWithin {
            agent: AgentId::Actor(actor),
            at: Point::new(x, 0.1),
            height: None,
            radius: 0.3,
        }),
        any::<u16>().prop_map(|enemy| Goal::Dead(AgentId::Enemy(enemy))),
        any::<u8>().prop_map(|item| Goal::Holds(ItemId::new(item))),
        any::<u8>().prop_map(|lever| Goal::LeverOn(LeverId::new(lever))),
        any::<u8>().prop_map(|door| Goal::DoorOpen(DoorId::new(door))),
    ];
    part.prop_recursive(8, 40, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Goal::All),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Goal::Any),
            inner.prop_map(|goal| Goal::Not(Box::new(goal))),
        ]
    })
}

proptest! {
    #[test]
    fn goals_come_back(goal in goals()) {
        let text = serde_json::to_string(&goal).expect("it can be written");
        prop_assert_eq!(&serde_json::from_str::<Goal>(&text).expect("it is one"), &goal);
        let bytes = postcard::to_stdvec(&goal).expect("it can be written");
        prop_assert_eq!(&postcard::from_bytes::<Goal>(&bytes).expect("it is one"), &goal);
    }

    /// Whatever bytes there are, a goal or an order is read from them, or none; nothing is lost in the
    /// depth.
    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200), deep in 0..20_000usize) {
        let _ = postcard::from_bytes::<Goal>(&bytes);
        let _ = postcard::from_bytes::<Order>(&bytes);
        let _ = postcard::from_bytes::<World>(&bytes);
        let nested = format!("[{}{{\"Holds\":1}}]", "\"Not\",".repeat(deep));
        let read = serde_json::from_str::<Goal>(&nested);
        prop_assert_eq!(read.is_ok(), deep <= 100);
    }

    #[test]
    fn orders_come_back(bits in 0..64u8, number in 0..11usize) {
        let stance = Stance::new(Gait::ALL[usize::from(bits % 3)]).heading_to(bits >> 4);
        let order = match number {
            8 => Order::Use(stance.fighting()),
            9 => Order::Wait(stance.blocking()),
            10 => Order::Leap(apprentice_world::Leap::new(bits % 4, stance)),
            number => Order::Step(Direction::ALL[number], stance),
        };
        let bytes = postcard::to_stdvec(&order).expect("it can be written");
        prop_assert_eq!(postcard::from_bytes::<Order>(&bytes), Ok(order));
    }
}
