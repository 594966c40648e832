//! Doors, levers and everything that goes by the clock.

use crate::map::is_same_floor;
use crate::scenario::marks;
use crate::{DoorId, Event, Map, Scenario, Witness, World};

/// Opens and shuts what opens and shuts by itself.
pub(crate) fn follow_the_clock<W: Witness + ?Sized>(
    world: &mut World,
    scenario: &Scenario,
    witness: &mut W,
) {
    if scenario.tables.repeats_after == 1 {
        return;
    }
    for (number, door) in scenario.doors.iter().enumerate() {
        let Some(cycle) = door.cycle else { continue };
        let door = DoorId::new(number as u8);
        if cycle.is_open_at(world.time) {
            open(world, door, witness);
        } else if world.is_open(door) {
            world.doors &= !door.bit();
            witness.saw(Event::DoorClosed { door });
        }
    }
}

pub(crate) fn open<W: Witness + ?Sized>(world: &mut World, door: DoorId, witness: &mut W) {
    if !world.is_open(door) {
        world.doors |= door.bit();
        witness.saw(Event::DoorOpened { door });
    }
}

/// Whether an actor that carries `holding` may enter a place that is no wall. A door whose key is
/// held counts as open.
#[inline]
pub(crate) fn lets_in(world: &World, scenario: &Scenario, place: usize, holding: u32) -> bool {
    if scenario.marks_at(place) & marks::SHUTS == 0 {
        return true;
    }
    let doors = scenario.doors.iter().enumerate();
    let mut doors_here = doors.filter(|(_, door)| door.places.contains(&place));
    let all_open =
        doors_here.all(|(number, door)| world.doors >> number & 1 == 1 || door.keys & holding != 0);
    all_open && !is_obstructed(scenario, place, world.time)
}

fn is_obstructed(scenario: &Scenario, place: usize, time: u64) -> bool {
    scenario.obstacles.iter().any(|obstacle| {
        let at = obstacle.place_at(time);
        at == place || obstacle.radius > 0.0 && is_near(&scenario.map, at, place, obstacle.radius)
    })
}

/// Whether two places of one floor are at most so far from each other.
fn is_near(map: &Map, one: usize, other: usize, distance: f64) -> bool {
    map.point_of(one).distance_to(map.point_of(other)) <= distance
        && is_same_floor(map.height_of(one), map.height_of(other))
}
