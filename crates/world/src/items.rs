//! What happens to an actor, and to things, where it arrives: items, levers and doors.

use crate::scenario::{FULL_HEALTH, marks};
use crate::{AgentId, DoorId, Event, ItemId, ItemKind, LeverId, Scenario, Witness, World, doors};

/// An actor has arrived in a place: it takes what lies there, pulls the levers within reach and
/// opens the door it stands in.
pub(crate) fn reach_out<W: Witness + ?Sized>(
    world: &mut World,
    scenario: &Scenario,
    actor: usize,
    pulls: bool,
    witness: &mut W,
) {
    let marks = scenario.marks_at(world.actors[actor].place as usize);
    if !world.actor_is_alive(actor) {
        return;
    }
    if marks & marks::ITEM != 0 {
        pick_up(world, scenario, actor, witness);
    }
    if pulls && marks & marks::LEVER != 0 {
        pull_levers(world, scenario, actor, witness);
    }
    if marks & marks::SHUTS != 0 {
        open_doors(world, scenario, actor, witness);
    }
}

fn pick_up<W: Witness + ?Sized>(
    world: &mut World,
    scenario: &Scenario,
    actor: usize,
    witness: &mut W,
) {
    let place = world.actors[actor].place;
    for (number, item) in scenario.items.iter().enumerate() {
        let id = ItemId::new(number as u8);
        if !item.is_at_hand(&scenario.map, place) || !world.is_lying(id) {
            continue;
        }
        world.taken |= id.bit();
        receive(world, scenario, actor, id);
        witness.saw(Event::PickedUp {
            agent: AgentId::Actor(actor as u16),
            item: id,
        });
    }
}

/// An actor keeps an item, or uses it at once.
pub(crate) fn receive(world: &mut World, scenario: &Scenario, actor: usize, item: ItemId) {
    let state = &mut world.actors[actor];
    match scenario.items[item.index()].kind {
        ItemKind::Pack { health } => state.health = restored(state.health, health),
        ItemKind::Key | ItemKind::Shield | ItemKind::Treasure => state.holding |= item.bit(),
    }
}

/// The health of somebody who used a health pack.
pub(crate) fn restored(health: f32, by: f64) -> f32 {
    (f64::from(health) + by).min(FULL_HEALTH) as f32
}

fn pull_levers<W: Witness + ?Sized>(
    world: &mut World,
    scenario: &Scenario,
    actor: usize,
    witness: &mut W,
) {
    let place = world.actors[actor].place as usize;
    for (number, lever) in scenario.levers.iter().enumerate() {
        let id = LeverId::new(number as u8);
        if world.is_on(id) || !lever.is_at_hand(&scenario.map, place) {
            continue;
        }
        world.levers |= id.bit();
        witness.saw(Event::LeverPulled {
            agent: AgentId::Actor(actor as u16),
            lever: id,
        });
        for door in (0..scenario.doors.len() as u8).map(DoorId::new) {
            if (lever.opens | lever.toggles) & door.bit() == 0 {
                continue;
            }
            if lever.opens & door.bit() != 0 || !world.is_open(door) {
                doors::open(world, door, witness);
            } else {
                world.doors &= !door.bit();
                witness.saw(Event::DoorClosed { door });
            }
        }
    }
}

fn open_doors<W: Witness + ?Sized>(
    world: &mut World,
    scenario: &Scenario,
    actor: usize,
    witness: &mut W,
) {
    let place = world.actors[actor].place as usize;
    for (number, door) in scenario.doors.iter().enumerate() {
        let id = DoorId::new(number as u8);
        let fitting = door.keys & world.actors[actor].holding;
        if world.is_open(id) || fitting == 0 || !door.places.contains(&place) {
            continue;
        }
        if door.consumes_key {
            // The first of the keys that fit.
            world.actors[actor].holding &= !(fitting & fitting.wrapping_neg());
        }
        doors::open(world, id, witness);
    }
}
