//! How enemies that move decide and move: idle, pursue, attack, return.

use crate::perception::Noticing;
use crate::{AgentId, Event, Map, Mode, Point, Scenario, Witness, World, doors};

/// Lets every enemy decide what to do next, in ascending order.
pub(crate) fn decide<W: Witness + ?Sized>(
    world: &mut World,
    scenario: &Scenario,
    noticing: Noticing,
    witness: &mut W,
) {
    for slot in 0..scenario.tables.beasts.len() {
        let state = world.beasts[slot];
        if !state.is_alive() {
            continue;
        }
        let (enemy, beast) = scenario.beast(slot);
        let home = enemy.home;
        let target = usize::from(state.target);
        let target_at = world.actor_position(scenario, target);
        let is_in_range =
            world.actor_is_alive(target) && target_at.distance_to(home) <= beast.leash;
        let close_up = || {
            let is_near = state.at().distance_to(target_at) <= beast.reach;
            if is_near { Mode::Attack } else { Mode::Pursue }
        };
        world.beasts[slot].mode = match state.mode {
            Mode::Idle if noticing.contains(slot) && is_in_range => {
                let agent = AgentId::Actor(state.target);
                let enemy = AgentId::Enemy(scenario.tables.beasts[slot]);
                witness.saw(Event::NoticedBy { agent, enemy });
                close_up()
            }
            Mode::Idle => Mode::Idle,
            Mode::Pursue | Mode::Attack => {
                let unnoticed = world.milliseconds().saturating_sub(state.seen_at);
                if !is_in_range || f64::from(unnoticed) >= beast.memory * 1000.0 {
                    Mode::Return
                } else {
                    close_up()
                }
            }
            Mode::Return if state.at() == home => Mode::Idle,
            Mode::Return => Mode::Return,
        };
    }
}

/// Lets every enemy go where it wants to.
pub(crate) fn move_on(world: &mut World, scenario: &Scenario, moment: u64) {
    for slot in 0..scenario.tables.beasts.len() {
        let state = world.beasts[slot];
        if !state.is_alive() {
            continue;
        }
        let (enemy, beast) = scenario.beast(slot);
        let far = beast.speed * (moment as f64 / 1e9);
        let to = match state.mode {
            Mode::Idle => continue,
            // It goes on closing in while it strikes: whoever walks away is not out of reach.
            Mode::Pursue | Mode::Attack => {
                let target_at = world.actor_position(scenario, usize::from(state.target));
                let gap = state.at().distance_to(target_at) - CLOSE * beast.reach;
                if gap <= 0.0 {
                    continue;
                }
                slide(world, scenario, state.at(), target_at, far.min(gap))
            }
            Mode::Return => go_home(world, scenario, slot, enemy.home, far),
        };
        world.beasts[slot].x = to.x as f32;
        world.beasts[slot].y = to.y as f32;
    }
}

/// How much of its reach an enemy wants to be between itself and its target.
const CLOSE: f64 = 0.5;

/// Goes straight towards a point. Animals find no ways: in front of a wall they slide along it, or
/// stop.
fn slide(world: &World, scenario: &Scenario, from: Point, to: Point, far: f64) -> Point {
    let distance = from.distance_to(to);
    if distance <= far {
        let to = kept(to);
        return if is_open(world, scenario, to) {
            to
        } else {
            from
        };
    }
    let (x, y) = (
        (to.x - from.x) / distance * far,
        (to.y - from.y) / distance * far,
    );
    let straight = kept(Point::new(from.x + x, from.y + y));
    let along_x = kept(Point::new(from.x + x, from.y));
    let along_y = kept(Point::new(from.x, from.y + y));
    // The wider side of the way first.
    let tries = if (x * x) >= (y * y) {
        [straight, along_x, along_y]
    } else {
        [straight, along_y, along_x]
    };
    tries
        .into_iter()
        .find(|point| is_open(world, scenario, *point))
        .unwrap_or(from)
}

/// A point as the world keeps it. Rounding may carry it across the border of a cell, so it comes
/// before the look at what is there.
fn kept(point: Point) -> Point {
    Point::new(f64::from(point.x as f32), f64::from(point.y as f32))
}

/// Goes from place to place down the field of distances to its home.
fn go_home(world: &World, scenario: &Scenario, slot: usize, home: Point, far: f64) -> Point {
    let at = world.beasts[slot].at();
    let place = scenario.place_of_beast(&world.beasts[slot]);
    let field = scenario.beast(slot).0.way_home.as_deref();
    let next = field.and_then(|field| field.next(&scenario.map, place));
    let next = next.map_or(home, |next| scenario.map.point_of(next));
    slide(world, scenario, at, next, far)
}

fn is_open(world: &World, scenario: &Scenario, point: Point) -> bool {
    let Map::Grid(grid) = &*scenario.map;
    let cell = grid.cell_at(point).filter(|cell| grid.is_free(*cell));
    cell.is_some_and(|cell| doors::lets_in(world, scenario, grid.index(cell), 0))
}
