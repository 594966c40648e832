//! What is true of every world, whatever happens in it.

use std::time::Duration;

use crate::dungeon::{Dice, Inhabitants};
use apprentice_world::{
    AgentId, Direction, DoorId, Event, Gait, Mode, Observation, Order, Orders, Point, Scenario,
    Stance, World,
};
use proptest::prelude::*;

const MOMENT: Duration = Duration::from_millis(100);

fn random_order(dice: &mut Dice) -> Order {
    let mut stance = Stance::new(Gait::ALL[dice.below(3)]).heading_to(dice.below(4) as u8);
    if dice.once_in(2) {
        stance = stance.fighting();
    }
    if dice.once_in(4) {
        stance = stance.blocking();
    }
    match dice.below(9) {
        8 => Order::Wait(stance),
        number => Order::Step(Direction::ALL[number], stance),
    }
}

/// Lets a world advance under random orders and hands every step to `look`.
fn live(
    seed: u64,
    scenario: &Scenario,
    mut look: impl FnMut(&World, &Orders<'_>, Duration, &World, &[Event]),
) {
    let mut dice = Dice::new(seed);
    let mut world = World::new(scenario);
    for _ in 0..40 {
        // Anybody may be asked for anything, or left to its route.
        let all = agents(scenario).into_iter().take(scenario.actors().len());
        let asked = all.filter(|_| dice.once_in(2)).collect::<Vec<_>>();
        let others: Vec<_> = asked
            .into_iter()
            .map(|agent| (agent, random_order(&mut dice)))
            .collect();
        let first = AgentId::Actor(dice.below(scenario.actors().len()) as u16);
        let orders = Orders::of(first, random_order(&mut dice)).with_orders(&others);
        let duration = Duration::from_nanos(dice.below(3_000_000_000) as u64);
        let before = world.clone();
        let mut events = Vec::new();
        world.advance(scenario, &orders, duration, &mut events);
        look(&before, &orders, duration, &world, &events);
    }
}

/// Few or many.
fn about(seed: u64) -> Inhabitants {
    match seed % 3 {
        0 => Inhabitants::Crowded,
        _ => Inhabitants::Moving,
    }
}

fn agents(scenario: &Scenario) -> Vec<AgentId> {
    let actors = (0..scenario.actors().len() as u16).map(AgentId::Actor);
    actors
        .chain((0..scenario.enemies().len() as u16).map(AgentId::Enemy))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_time_changes_nothing(seed: u64) {
        let (text, scenario) = crate::dungeon::random(seed, about(seed));
        live(seed, &scenario, |_, orders, _, world, _| {
            let mut same = world.clone();
            same.advance(&scenario, orders, Duration::ZERO, &mut ());
            assert_eq!(same, *world, "{text}");
        });
    }

    #[test]
    fn parts_equal_the_whole(seed: u64, cut in 0u32..30, scattered: bool) {
        let inhabitants = if scattered { Inhabitants::Scattered } else { Inhabitants::Moving };
        let (text, scenario) = crate::dungeon::random(seed, inhabitants);
        live(seed, &scenario, |before, orders, duration, after, events| {
            let first = (MOMENT * cut).min(Duration::from_millis(duration.as_millis() as u64 / 100 * 100));
            let (mut world, mut seen) = (before.clone(), Vec::new());
            world.advance(&scenario, orders, first, &mut seen);
            world.advance(&scenario, orders, duration - first, &mut seen);
            assert_eq!(world, *after, "cut after {first:?} of {duration:?}\n{text}");
            assert_eq!(seen, events, "{text}");
        });
    }

    #[test]
    fn moment_by_moment_is_the_same_as_at_once(seed: u64, kind in 0..3usize) {
        let kinds = [Inhabitants::Still, Inhabitants::Moving, Inhabitants::Scattered];
        let inhabitants = kinds[kind];
        let (text, scenario) = crate::dungeon::random(seed, inhabitants);
        live(seed, &scenario, |before, orders, duration, after, _| {
            let mut world = before.clone();
            let mut left = duration;
            while !left.is_zero() {
                let moment = left.min(MOMENT);
                world.advance(&scenario, orders, moment, &mut ());
                left -= moment;
            }
            assert_eq!(world, *after, "{text}");
        });
    }

    #[test]
    fn the_same_causes_have_the_same_effects(seed: u64) {
        let (_, scenario) = crate::dungeon::random(seed, about(seed));
        let mut digests = Vec::new();
        live(seed, &scenario, |_, _, _, world, _| digests.push(world.digest()));
        let mut again = digests.iter();
        live(seed, &scenario, |_, _, _, world, _| {
            assert_eq!(again.next(), Some(&world.digest()));
        });
    }

    #[test]
    fn the_dead_stay_dead_and_do_nothing(seed: u64) {
        let (text, scenario) = crate::dungeon::random(seed, about(seed));
        live(seed, &scenario, |before, _, _, after, events| {
            for agent in agents(&scenario) {
                if !before.is_dead(agent, &scenario) {
                    continue;
                }
                assert!(after.is_dead(agent, &scenario), "{agent:?} came back\n{text}");
                let (was, is) = (before.position(agent, &scenario), after.position(agent, &scenario));
                assert_eq!(was, is, "{agent:?} moved\n{text}");
                let acts = events.iter().any(|event| match *event {
                    Event::Hurt { agent: hurt, by, .. } => by == agent || hurt == agent,
                    Event::NoticedBy { agent: noticed, enemy } => enemy == agent || noticed == agent,
                    Event::PickedUp { agent: by, .. } | Event::LeverPulled { agent: by, .. } => by == agent,
                    Event::Died { agent: dead } => dead == agent,
                    _ => false,
                });
                assert!(!acts, "{agent:?} acts: {events:?}\n{text}");
            }
        });
    }

    #[test]
    fn health_and_stamina_stay_within_bounds(seed: u64) {
        let (text, scenario) = crate::dungeon::random(seed, about(seed));
        live(seed, &scenario, |_, _, _, world, _| {
            for agent in agents(&scenario) {
                let most = match agent {
                    AgentId::Actor(_) => 100.0,
                    AgentId::Enemy(_) => f64::INFINITY,
                };
                let health = world.health(agent, &scenario);
                assert!((0.0..=most).contains(&health), "{agent:?} has {health}\n{text}");
                assert!((0.0..=100.0).contains(&world.stamina(agent)), "{text}");
            }
        });
    }

    #[test]
    fn nobody_is_ever_inside_a_wall(seed: u64) {
        let (text, scenario) = crate::dungeon::random(seed, about(seed));
        live(seed, &scenario, |_, _, _, world, _| {
            for agent in agents(&scenario) {
                let place = world.place(agent, &scenario);
                assert!(scenario.map().is_walkable(place), "{agent:?} is at {place}\n{text}");
            }
        });
    }

    #[test]
    fn no_enemy_enters_what_is_shut(seed: u64) {
        let (text, scenario) = crate::dungeon::random(seed, about(seed));
        let grid = scenario.grid().expect("dungeons are grids");
        let is_shut = |world: &World, place: usize| {
            let doors = (0..).map(DoorId::new).zip(scenario.doors());
            let mut here = doors.filter(|(_, door)| door.places.contains(&place));
            here.any(|(door, _)| !world.is_open(door))
        };
        live(seed, &scenario, |before, orders, duration, _, _| {
            let (mut world, mut left) = (before.clone(), duration);
            while !left.is_zero() {
                let (was, moment) = (world.clone(), left.min(MOMENT));
                world.advance(&scenario, orders, moment, &mut ());
                left -= moment;
                for enemy in (0..scenario.enemies().len() as u16).map(AgentId::Enemy) {
                    let cell = |world: &World| grid.cell_at(world.position(enemy, &scenario)).expect("a cell");
                    let place = grid.index(cell(&world));
                    let enters = cell(&was) != cell(&world);
                    let was_shut = is_shut(&was, place) && is_shut(&world, place);
                    assert!(!(enters && was_shut), "{enemy:?} enters {}\n{text}", cell(&world));
                }
            }
        });
    }

    #[test]
    fn what_is_held_was_taken_and_held_by_one(seed: u64) {
        let (text, scenario) = crate::dungeon::random(seed, about(seed));
        live(seed, &scenario, |_, _, _, world, _| {
            for agent in agents(&scenario) {
                for item in world.holding(agent) {
                    assert!(!world.is_lying(item), "{text}");
                    let holders = agents(&scenario).into_iter().filter(|it| world.holds(*it, item));
                    assert_eq!(holders.count(), 1, "{text}");
                }
            }
        });
    }

    #[test]
    fn guards_never_change(seed: u64) {
        let (_, scenario) = crate::dungeon::random(seed, Inhabitants::Still);
        live(seed, &scenario, |_, _, _, world, _| {
            for number in 0..scenario.enemies().len() as u16 {
                let guard = AgentId::Enemy(number);
                assert_eq!(world.mode(guard, &scenario), Some(Mode::Idle));
                assert!(!world.is_dead(guard, &scenario));
            }
        });
    }
}

/// Positions are rounded at every moment, and whoever is slow in short ticks goes where rounding
/// lets it. Corridors lead from one another, so that corners are cut.
#[test]
fn slow_enemies_stay_out_of_walls() {
    for seed in 0..30 {
        let mut dice = Dice::new(seed);
        let (width, height) = (30, 12);
        let mut rows = vec![vec!['#'; width]; height];
        for _ in 0..3 {
            rows[dice.below(height)].fill('.');
            let column = dice.below(width);
            rows.iter_mut().for_each(|row| row[column] = '.');
        }
        let free = |dice: &mut Dice| loop {
            let (x, y) = (dice.below(width), dice.below(height));
            if rows[y][x] == '.' {
                return (x, y);
            }
        };
        let (start, home) = (free(&mut dice), free(&mut dice));
        let speed = [0.15, 0.2, 0.3, 0.4, 0.7][dice.below(5)];
        let map: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
        let text = format!(
            "format = 1\nstart = [{}, {}]\ngoal = {{ all = [] }}\nmap = {{ rows = {map:?} }}
             kinds.slug = {{ like = 'wolf', speed = {speed}, radius = 60.0, leash = 60.0, damage = 0.01 }}
             enemy = [{{ id = 'slug', kind = 'slug', at = [{}, {}] }}]",
            start.0, start.1, home.0, home.1
        );
        let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let grid = scenario.grid().expect("it is a grid");
        let tick = Duration::from_millis([5, 8, 16][dice.below(3)]);
        let mut world = World::new(&scenario);
        for round in 0..6_000 {
            if round % 300 == 0 {
                let (x, y) = free(&mut dice);
                let there = Point::new(x as f64, y as f64);
                world.observe(&scenario, Observation::Move(AgentId::NPC, there, None));
            }
            world.advance(&scenario, &Orders::new(Order::WAIT), tick, &mut ());
            let at = world.position(AgentId::Enemy(0), &scenario);
            let cell = grid.cell_at(at).expect("it is on the map");
            assert!(grid.is_free(cell), "{at} after {:?}\n{text}", world.time());
        }
    }
}
