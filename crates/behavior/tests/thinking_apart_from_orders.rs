//! Whoever thinks at another moment than it asks for orders is told the same orders, and whoever thinks
//! about the world of the last frame arrives, too.

use std::time::Duration;

use apprentice_behavior::{Character, Doing, Settings};
use apprentice_search::Budget;
use apprentice_world::{Abilities, AgentId, DoorId, Observation, Orders, Point, Scenario, World};
use proptest::prelude::*;

const TICK: Duration = Duration::from_millis(50);

/// A key, two doors, and a wolf in a corner.
fn level() -> Scenario {
    let text = "format = 1
        start = [0, 3]
        goal = { within = { at = [14, 3], radius = 0.0 } }
        key = [{ id = 'red', at = [2, 0], opens = ['north'] }]
        door = [{ id = 'north', at = [[8, 1]] }, { id = 'south', at = [[8, 5]], open = true }]
        enemy = [{ id = 'grey', kind = 'wolf', at = [14, 7] }]
        [map]
        rows = [
            '........#......',
            '...............',
            '........#......',
            '........#......',
            '........#......',
            '...............',
            '........#......',
            '........#......',
        ]";
    Scenario::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn character(scenario: &Scenario) -> Character<Scenario> {
    let checked = Settings::default().check(scenario, []);
    let planner = checked.expect("the settings fit").planner;
    Character::new(planner, Abilities::default()).with_tick(TICK)
}

/// What nobody planned for.
fn mischief() -> impl Strategy<Value = Vec<(usize, Observation)>> {
    let what = prop_oneof![
        Just(Observation::Shut(DoorId::new(1))),
        Just(Observation::Open(DoorId::new(0))),
        (0..8u8, 0..8u8).prop_map(|(x, y)| {
            let at = Point::new(f64::from(x), f64::from(y));
            Observation::Move(AgentId::NPC, at, None)
        }),
    ];
    prop::collection::vec((0..200usize, what), 0..4)
}

/// It would go on to where it is already, into a wall.
#[test]
fn who_is_pushed_along_its_way_is_not_told_to_make_the_same_step_again() {
    let text = "format = 1
        start = [0, 0]
        goal = { within = { at = [2, 3], radius = 0.0 } }
        map = { rows = ['...', '##.', '##.', '##.'] }";
    let scenario = Scenario::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let mut character = character(&scenario);
    let mut world = World::new(&scenario);
    let corner = Point::new(2.0, 0.0);
    for _ in 0..100 {
        let order = character.decide(&scenario, &world, &mut Budget::units(1_000));
        let stands = !world.is_under_way(AgentId::NPC);
        if stands && world.position(AgentId::NPC, &scenario) == Point::new(1.0, 0.0) {
            assert_eq!(order.to_string(), "walk east fighting");
            break;
        }
        world.advance(&scenario, &Orders::new(order), TICK, &mut ());
    }
    world.observe(&scenario, Observation::Move(AgentId::NPC, corner, None));
    assert_eq!(world.position(AgentId::NPC, &scenario), corner);
    let order = character.order(&scenario, &world).to_string();
    assert_ne!(order, "walk east fighting");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn in_parts_it_is_the_same(
        units in 1..400u64,
        first_part in 0.0..1.0f64,
        mischief in mischief(),
    ) {
        let scenario = level();
        let (mut whole, mut parts) = (character(&scenario), character(&scenario));
        let mut world = World::new(&scenario);
        for tick in 0..600 {
            for (_, what) in mischief.iter().filter(|(when, _)| *when == tick) {
                world.observe(&scenario, *what);
            }
            let mut budget = Budget::units(units);
            let order = whole.decide(&scenario, &world, &mut budget);
            let first = (units as f64 * first_part) as u64;
            let mut taken = 0;
            for part in [first, units - first] {
                let mut budget = Budget::units(part);
                parts.think(&scenario, &world, &mut budget);
                taken += budget.taken();
            }
            prop_assert_eq!(taken, budget.taken(), "tick {}", tick);
            prop_assert_eq!(parts.order(&scenario, &world), order, "tick {}", tick);
            prop_assert_eq!(parts.doing(), whole.doing(), "tick {}", tick);
            prop_assert_eq!(parts.deviation(), whole.deviation(), "tick {}", tick);
            prop_assert_eq!(parts.steps_ahead(), whole.steps_ahead(), "tick {}", tick);
            if matches!(whole.doing(), Doing::Done | Doing::Dead) {
                break;
            }
            world.advance(&scenario, &Orders::new(order), TICK, &mut ());
        }
        prop_assert_ne!(whole.doing(), Doing::Thinking);
    }

    #[test]
    fn who_thinks_a_frame_late_arrives_and_it_is_the_same_every_time(
        units in 20..400u64,
        mischief in mischief(),
    ) {
        let scenario = level();
        let play = || {
            let mut character = character(&scenario);
            let mut world = World::new(&scenario);
            let mut digests = Vec::new();
            for tick in 0..4_000 {
                for (_, what) in mischief.iter().filter(|(when, _)| *when == tick) {
                    world.observe(&scenario, *what);
                }
                let order = character.order(&scenario, &world);
                if matches!(character.doing(), Doing::Done | Doing::Dead) {
                    break;
                }
                let shown = world.clone();
                world.advance(&scenario, &Orders::new(order), TICK, &mut ());
                let mut budget = Budget::units(units);
                character.think(&scenario, &shown, &mut budget);
                assert!(budget.taken() <= units);
                digests.push(world.digest());
            }
            (character.doing(), digests)
        };
        let (doing, digests) = play();
        prop_assert_eq!(doing, Doing::Done);
        prop_assert!(play().1 == digests);
    }
}
