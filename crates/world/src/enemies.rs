//! How enemies that move decide and move: idle, pursue, attack, return.

use crate::hunting_ground::towards;
use crate::map::whole;
use crate::number_set::NumberSet;
use crate::packed_world::GRAIN;
use crate::perception;
use crate::world::{Footing, Footings};
use crate::{AgentId, Event, Map, Mode, Point, Scenario, Witness, World, doors};

/// Lets every enemy decide what to do next, in ascending order.
pub(crate) fn decide<W: Witness + ?Sized>(
    world: &mut World,
    scenario: &Scenario,
    awake: &NumberSet,
    noticing: &NumberSet,
    actors_at: &Footings,
    witness: &mut W,
) {
    for slot in awake {
        let state = world.beasts[slot];
        if state.mode == Mode::Idle && !noticing.contains(slot) {
            continue;
        }
        let (enemy, beast) = scenario.beast(slot);
        let home = enemy.home;
        let target = usize::from(state.target);
        let target_at = actors_at[target];
        let is_in_range =
            world.actor_is_alive(target) && target_at.0.distance_to(home) <= beast.leash;
        let close_up = || {
            let is_near = (scenario.map).is_within(state.footing(), target_at, beast.reach);
            if is_near { Mode::Attack } else { Mode::Pursue }
        };
        world.beasts[slot].mode = match state.mode {
            Mode::Idle if is_in_range => {
                let agent = AgentId::Actor(state.target);
                let enemy = AgentId::Enemy(scenario.tables.beasts[slot]);
                witness.saw(Event::NoticedBy { agent, enemy });
                close_up()
            }
            Mode::Idle => Mode::Idle,
            Mode::Pursue | Mode::Attack => {
                let unnoticed = world.milliseconds().saturating_sub(state.seen_at);
                if !is_in_range || unnoticed as f64 >= beast.memory * 1000.0 {
                    Mode::Return
                } else {
                    close_up()
                }
            }
            Mode::Return if state.at() == kept(home) => Mode::Idle,
            Mode::Return => Mode::Return,
        };
    }
}

/// Lets every enemy go where it wants to.
pub(crate) fn move_on(
    world: &mut World,
    scenario: &Scenario,
    awake: &NumberSet,
    actors_at: &Footings,
    moment: u64,
) {
    for slot in awake {
        let state = world.beasts[slot];
        let (enemy, beast) = scenario.beast(slot);
        let far = beast.speed * (moment as f64 / 1e9);
        let (to, far) = match state.mode {
            Mode::Idle => continue,
            // It goes on closing in while it strikes: whoever walks away is not out of reach.
            Mode::Pursue | Mode::Attack => {
                let target = actors_at[usize::from(state.target)];
                let gap = scenario.map.apart(state.footing(), target) - CLOSE * beast.reach;
                if gap <= 0.0 {
                    continue;
                }
                (target, far.min(gap))
            }
            Mode::Return => ((enemy.home, enemy.place as usize), far),
        };
        let (at, place) = go(world, scenario, slot, to, far);
        let beast = &mut world.beasts[slot];
        beast.x = at.x as f32;
        beast.y = at.y as f32;
        beast.place = place as u32;
    }
}

/// How much of its reach an enemy wants to be between itself and its target.
const CLOSE: f64 = 0.5;
/// Farther than this many places ahead, rounding may matter.
const FAR_AHEAD: f64 = 4.0;
/// How many places an enemy passes in a moment at most.
const MOST_STRIDES: usize = 32;

/// Goes towards a point: straight if nothing is in between, else along the shortest way over its
/// hunting ground. Doors that are shut stop it.
fn go(world: &World, scenario: &Scenario, slot: usize, to: Footing, far: f64) -> Footing {
    let map = &*scenario.map;
    let (mut at, mut place) = world.beasts[slot].footing();
    if let Some(footing) = go_straight(world, scenario, (at, place), to, far) {
        return footing;
    }
    let Some(ground) = scenario.beast(slot).0.ground.as_deref() else {
        return (at, place);
    };
    let mut left = far;
    for _ in 0..MOST_STRIDES {
        if left <= 0.0 {
            break;
        }
        place = unless_shut(world, scenario, at, place);
        let next = ground.next(place, to.1);
        let next = next.filter(|next| doors::lets_in(world, scenario, *next, 0));
        let is_there = at == kept(map.point_of(place));
        // Whoever has left the lattice cuts the corner if it can, or comes back to it first.
        let heads_on = next.filter(|next| {
            let ahead = (map.point_of(*next), *next);
            is_there || perception::is_clear(world, scenario, (at, place), ahead)
        });
        if is_there && heads_on.is_none() {
            break;
        }
        place = heads_on.unwrap_or(place);
        let goal = map.point_of(place);
        let distance = at.distance_to(goal);
        let there = kept(towards(at, goal, left));
        if let Map::Grid(grid) = map
            && !grid.cell_at(there).is_some_and(|cell| grid.is_free(cell))
        {
            // Rounding would carry it into a wall: it comes back to the lattice first.
            place = place_around(map, at, place);
            at = kept(towards(at, map.point_of(place), left));
            break;
        }
        at = there;
        left -= distance;
    }
    (at, place)
}

/// The place an enemy is heading for or, if something has been shut before it since, or it has gone
/// astray far from there, the place it is in. Positions are rounded, so that whoever is slow may
/// come to where a wall is in between.
fn unless_shut(world: &World, scenario: &Scenario, at: Point, place: usize) -> usize {
    let ahead = scenario.map.point_of(place);
    let nothing_shuts = scenario.doors.is_empty() && scenario.obstacles.is_empty();
    let astray = FAR_AHEAD * scenario.map.spacing();
    if nothing_shuts && scenario.map.is_within((at, place), (ahead, place), astray) {
        return place;
    }
    if at == kept(ahead) || perception::is_clear(world, scenario, (at, place), (ahead, place)) {
        return place;
    }
    place_around(&scenario.map, at, place)
}

/// The place an enemy is in that is on its way to another.
fn place_around(map: &Map, at: Point, place: usize) -> usize {
    let here = match map {
        Map::Grid(grid) => grid.cell_at(at).map(|cell| grid.index(cell)),
        Map::Mesh(mesh) => mesh.place_in_sight(place, map.point_of(place), at),
    };
    here.filter(|here| map.is_walkable(*here)).unwrap_or(place)
}

fn go_straight(
    world: &World,
    scenario: &Scenario,
    from: Footing,
    to: Footing,
    far: f64,
) -> Option<Footing> {
    if !perception::is_clear(world, scenario, from, to) {
        return None;
    }
    let at = kept(towards(from.0, to.0, far));
    let place = match &*scenario.map {
        Map::Grid(grid) => {
            let cell = grid.cell_at(at).filter(|cell| grid.is_free(*cell))?;
            grid.index(cell)
        }
        Map::Mesh(mesh) => mesh.place_in_sight(from.1, from.0, at)?,
    };
    doors::lets_in(world, scenario, place, 0).then_some((at, place))
}

/// A point as the world keeps it: to two millimetres. Rounding may carry it across the border of a
/// cell, so it comes before the look at what is there.
pub(crate) fn kept(point: Point) -> Point {
    let round = |value: f64| whole(value / GRAIN + 0.5) * GRAIN;
    Point::new(round(point.x), round(point.y))
}
