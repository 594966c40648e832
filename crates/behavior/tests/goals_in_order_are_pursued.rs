//! A character with a goal whose parts have an order meets one after the other, whatever happens on the
//! way, and every planner keeps its bound.

use std::time::Duration;

use crate::quests::{plan_with, weight, within};
use apprentice_behavior::{Character, Doing, PlannerName, Settings};
use apprentice_experience::Projection;
use apprentice_search::Budget;
use apprentice_world::{
    Abilities, AgentId, Branching, Observation, Orders, Point, Scenario, World,
};

/// Out to the lamp in the west, to the bell in the east, where the key lies, and home through the door it
/// opens.
const ERRAND: &str = r##"
    format = 1
    start = [6, 1]
    goal = { in_order = [
        { within = { at = [0, 1], radius = 0.5 } },
        { within = { at = [12, 1], radius = 0.5 } },
        { within = { at = [6, 3], radius = 0.0 } },
    ] }
    map = { rows = ['#############', '.............', '######.######', '#####...#####'] }
    key = [{ id = "red", at = [12, 1], opens = ["gate"] }]
    door = [{ id = "gate", at = [[6, 2]] }]
"##;

fn level() -> Scenario {
    Scenario::parse(ERRAND).unwrap_or_else(|error| panic!("{error}"))
}

/// Plays until the character is done, with a change from outside now and then. Where it was.
fn played(scenario: &Scenario, mut disturb: impl FnMut(u32, &mut World)) -> Vec<Point> {
    let planner = Settings::default()
        .check(scenario, [])
        .expect("it can be")
        .planner;
    let mut character = Character::new(planner, Abilities::default());
    let mut world = World::new(scenario);
    let mut way = Vec::new();
    for tick in 0..6_000 {
        disturb(tick, &mut world);
        let order = character.decide(scenario, &world, &mut Budget::units(400));
        way.push(world.position(AgentId::NPC, scenario));
        if character.doing() == Doing::Done {
            return way;
        }
        world.advance(
            scenario,
            &Orders::new(order),
            Duration::from_millis(33),
            &mut (),
        );
    }
    panic!(
        "it never arrives: {:?}, {:?}",
        character.doing(),
        way.last()
    );
}

fn first_at(way: &[Point], x: f64, y: f64) -> Option<usize> {
    let near = |at: &Point| at.distance_to(Point::new(x, y)) <= 0.6;
    way.iter().position(near)
}

#[test]
fn one_part_after_the_other() {
    let way = played(&level(), |_, _| {});
    let lamp = first_at(&way, 0.0, 1.0).expect("it goes to the lamp");
    // It may have fetched the key before.
    let bell = first_at(&way[lamp..], 12.0, 1.0);
    assert!(bell.is_some(), "and to the bell after that");
    assert_eq!(way.last(), Some(&Point::new(6.0, 3.0)));
}

/// Whoever is carried off after the first part goes on with the second.
#[test]
fn what_was_met_is_not_met_again() {
    let scenario = level();
    let (mut was_there, mut carried_off) = (false, None);
    let way = played(&scenario, |tick, world| {
        let at = world.position(AgentId::NPC, &scenario);
        was_there |= at.x < 0.1;
        // On its way from the lamp to the bell it is put back, but not to the lamp.
        if carried_off.is_none() && was_there && at.x > 8.0 {
            carried_off = Some(tick as usize);
            let back = Observation::Move(AgentId::NPC, Point::new(3.0, 1.0), None);
            world.observe(&scenario, back);
        }
    });
    let after = &way[carried_off.expect("it went on to the bell")..];
    assert_eq!(
        first_at(after, 0.0, 1.0),
        None,
        "it need not go there again"
    );
    assert!(first_at(after, 12.0, 1.0).is_some());
}

#[test]
fn every_planner_keeps_its_bound() {
    let scenario = level();
    let plan = |planner: PlannerName| {
        let settings = Settings {
            planner,
            bound: weight(3.0),
            projection: Some(Projection::Consistent),
            ..Settings::default()
        };
        plan_with(&scenario, &[], &settings, Branching::Sixteen)
    };
    let least = plan(PlannerName::Astar).cost();
    assert_eq!(least.round(), 26.0);
    for planner in PlannerName::ALL {
        let found = plan(planner);
        let factor = found.guarantee.factor().expect("it states a bound");
        assert!(
            within(found.cost(), factor, least),
            "{}: {}",
            planner.name(),
            found.cost()
        );
    }
}
