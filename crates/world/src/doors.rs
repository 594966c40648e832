//! Doors, levers and everything that goes by the clock.

use crate::scenario::marks;
use crate::{DoorId, Event, Scenario, Witness, World};

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
        let points = [at, place].map(|place| scenario.map.point_of(place));
        at == place || obstacle.radius > 0.0 && points[0].distance_to(points[1]) <= obstacle.radius
    })
}
