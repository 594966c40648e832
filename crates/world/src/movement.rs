//! How those who take orders move: steps from place to place, gaits and stamina.

use crate::order::PlayerOrder;
use crate::scenario::{FULL_HEALTH, marks};
use crate::world::MOST_ACTORS;
use crate::{
    AgentId, Direction, Event, Gait, Order, Orders, Scenario, Script, Witness, World, doors,
};

/// Stamina lost in a second of running.
const EXHAUSTION: f64 = 10.0;
/// Stamina gained in a second of anything else.
const RECOVERY: f64 = 5.0;

/// An actor has ended a step in a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    /// The nanoseconds the step took.
    pub(crate) took: u64,
    /// How it was made.
    pub(crate) gait: Gait,
}

/// Who ended a step in this moment.
pub(crate) type Arrivals = [Option<Arrival>; MOST_ACTORS];

/// Where a step leads, if walls, doors and obstacles allow it now.
#[inline]
pub(crate) fn step_leads_to(
    world: &World,
    scenario: &Scenario,
    actor: usize,
    direction: Direction,
) -> Option<usize> {
    let from = world.actors[actor].place as usize;
    let to = scenario.map.step(from, direction)?;
    if scenario.marks_at(from) & marks::NEAR_SHUTS == 0 {
        return Some(to);
    }
    let holding = world.actors[actor].holding;
    let lets_in = |place| doors::lets_in(world, scenario, place, holding);
    let corners = scenario.map.corners(from, direction);
    (lets_in(to) && corners.into_iter().flatten().all(lets_in)).then_some(to)
}

/// Everybody who stands still hears the next order.
pub(crate) fn set_out(world: &mut World, scenario: &Scenario, orders: &Orders<'_>) {
    for actor in 0..scenario.actors.len() {
        if world.actor_is_alive(actor) && world.actors[actor].step.is_none() {
            follow_next_order(world, scenario, orders, actor);
        }
    }
}

fn follow_next_order(world: &mut World, scenario: &Scenario, orders: &Orders<'_>, actor: usize) {
    let order = next_order(world, scenario, orders, actor);
    let mut stance = order.stance();
    let state = &world.actors[actor];
    let cannot_run = state.stamina <= 0.0 || scenario.rules.speed(Gait::Run) == 0.0;
    if stance.gait() == Gait::Run && cannot_run {
        stance = stance.at(Gait::Walk);
    }
    world.actors[actor].stance = stance;
    if let Order::Step(direction, _) = order
        && step_leads_to(world, scenario, actor, direction).is_some()
    {
        world.actors[actor].step = Some(direction);
    }
}

fn next_order(world: &mut World, scenario: &Scenario, orders: &Orders<'_>, actor: usize) -> Order {
    if actor == 0 {
        return orders.npc;
    }
    let script: &dyn Script = match orders.player {
        PlayerOrder::Given(order) => return order,
        PlayerOrder::Script(script) => script,
        PlayerOrder::Scenario => &scenario.actors[actor],
    };
    let mut memory = world.actors[actor].memory;
    let order = script.order(scenario, world, AgentId::Actor(actor as u8), &mut memory);
    world.actors[actor].memory = memory;
    order
}

/// Everybody under way goes on. Returns those who arrived somewhere.
pub(crate) fn go_on<W: Witness + ?Sized>(
    world: &mut World,
    scenario: &Scenario,
    orders: &Orders<'_>,
    moment: u64,
    witness: &mut W,
) -> Arrivals {
    let mut arrivals = [None; MOST_ACTORS];
    for (actor, ended) in arrivals.iter_mut().enumerate().take(scenario.actors.len()) {
        if !world.actor_is_alive(actor) {
            continue;
        }
        breathe(world, actor, moment);
        let state = &mut world.actors[actor];
        let Some(direction) = state.step else {
            continue;
        };
        state.moved += moment;
        let takes = scenario.rules.step_time(direction, state.stance);
        if state.moved < takes {
            continue;
        }
        let left_over = state.moved - takes;
        let arrival = Arrival {
            took: takes,
            gait: state.stance.gait(),
        };
        if arrive(world, scenario, actor, direction) {
            *ended = Some(arrival);
        } else {
            witness.saw(Event::TurnedBack {
                agent: AgentId::Actor(actor as u8),
            });
        }
        // Who keeps walking loses no time between two steps. Very short steps still take a moment
        // each, so that nobody passes a cell without being in it.
        if left_over > 0 {
            follow_next_order(world, scenario, orders, actor);
            let state = &mut world.actors[actor];
            if let Some(direction) = state.step {
                let takes = scenario.rules.step_time(direction, state.stance);
                state.moved = left_over.min(takes - 1);
            }
        }
    }
    arrivals
}

/// Ends a step. False: what shut meanwhile turns the actor back.
fn arrive(world: &mut World, scenario: &Scenario, actor: usize, direction: Direction) -> bool {
    let to = step_leads_to(world, scenario, actor, direction);
    let state = &mut world.actors[actor];
    state.moved = 0;
    state.step = None;
    if let Some(place) = to {
        state.place = place as u32;
    }
    to.is_some()
}

fn breathe(world: &mut World, actor: usize, moment: u64) {
    let state = &mut world.actors[actor];
    let runs = state.stance.gait() == Gait::Run && state.step.is_some();
    if !runs && state.stamina >= FULL_HEALTH as f32 {
        return;
    }
    let seconds = moment as f64 / 1e9;
    let change = if runs {
        -EXHAUSTION * seconds
    } else {
        RECOVERY * seconds
    };
    state.stamina = (f64::from(state.stamina) + change).clamp(0.0, FULL_HEALTH) as f32;
}
