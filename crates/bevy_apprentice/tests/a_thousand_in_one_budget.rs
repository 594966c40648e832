//! A thousand characters, 600 ticks: the same orders twice, and the budget is kept in every tick.

use std::hash::{DefaultHasher, Hash, Hasher};

use bevy_app::App;
use bevy_apprentice::{Apprentices, Doing, Order, PlanState, Seen};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;

use crate::bodies::{Log, body, frames, game, position};

const CHARACTERS: usize = 1_000;
const TICKS: usize = 600;
const UNITS: u64 = 2_000;

/// Rooms one after the other, each with two doors; the northern ones are shown.
fn level() -> String {
    let wall = "...........#...........#...........";
    let door = "...................................";
    let mut rows = vec![wall; 30];
    (rows[7], rows[22]) = (door, door);
    let rows = rows.join("', '");
    format!(
        "format = 1
        start = [0, 0]
        goal = {{ within = {{ at = [30, 15], radius = 4.0 }} }}
        map = {{ rows = ['{rows}'] }}
        demonstration = [{{ points = [[3, 15], [11, 7], [23, 7], [30, 15]] }}]
        door = [
            {{ id = 'north', at = [[23, 7]], open = true }},
            {{ id = 'south', at = [[23, 22]], open = true }},
        ]"
    )
}

/// What became of a run.
#[derive(Debug, PartialEq)]
struct Run {
    /// Of everybody's orders in every tick.
    orders: u64,
    /// In each tick.
    units: Vec<u64>,
    bodies: Vec<Vec2>,
    log: Vec<(Entity, String)>,
}

fn run() -> (Run, App, Vec<Entity>) {
    let apprentices = Apprentices::read("rooms", &level());
    let mut apprentices = apprentices.unwrap_or_else(|error| panic!("{error}"));
    apprentices.units = UNITS;
    let mut app = game(apprentices);
    let everybody: Vec<Entity> = (0..CHARACTERS)
        .map(|number| {
            let at = Vec2::new((number % 11) as f32, (number / 11 % 30) as f32);
            app.world_mut().spawn(body(at)).id()
        })
        .collect();
    let mut hasher = DefaultHasher::new();
    let mut units = Vec::new();
    for tick in 0..TICKS {
        if tick == TICKS / 2 {
            app.world_mut().write_message(Seen::door("north", false));
        }
        frames(&mut app, 1);
        let spent = app.world().resource::<Apprentices>().spent();
        assert!(spent.units <= UNITS, "tick {tick}: {spent:?}");
        units.push(spent.units);
        for entity in &everybody {
            let order = app.world().get::<Order>(*entity).expect("an order");
            order.deed.hash(&mut hasher);
            let to = order.to.map(|to| [to.x.to_bits(), to.y.to_bits()]);
            to.hash(&mut hasher);
        }
    }
    let run = Run {
        orders: hasher.finish(),
        units,
        bodies: everybody.iter().map(|it| position(&app, *it)).collect(),
        log: std::mem::take(&mut app.world_mut().resource_mut::<Log>().0),
    };
    (run, app, everybody)
}

#[test]
fn the_same_orders_twice() {
    let (first, app, everybody) = run();
    let most = first.units.iter().max().expect("there are ticks");
    let all: u64 = first.units.iter().sum();
    let broke = first.log.iter().filter(|(_, it)| it.starts_with("broke"));
    let for_the_door = broke
        .filter(|(_, it)| it == "broke: `north` is shut")
        .count();
    let arrived = first.log.iter().filter(|(_, it)| it == "arrived").count();
    println!("at most {most} units in a tick, {all} in all");
    println!("{for_the_door} plans broke at the door, {arrived} characters arrived");
    assert_eq!(app.world().resource::<Apprentices>().len(), CHARACTERS);
    // Nobody is left out: each has made a plan, and nobody is refused or stuck.
    for entity in &everybody {
        let state = app.world().get::<PlanState>(*entity).expect("a state");
        assert!(state.plans >= 1, "{entity} {state:?}");
        assert_ne!(state.doing, Doing::Stuck, "{entity} {state:?}");
    }
    // A budget that nobody reaches would show nothing.
    assert_eq!(*most, UNITS);
    assert!(for_the_door >= 1, "the door is in somebody's way");
    assert!(arrived >= 1, "somebody is near enough");

    let (second, ..) = run();
    assert_eq!(first.orders, second.orders);
    assert_eq!(first, second);
}
