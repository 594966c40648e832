//! How those who take orders move: steps from place to place, gaits and stamina.

use crate::map::Move;
use crate::order::Decider;
use crate::scenario::{FULL_HEALTH, marks};
use crate::world::OfActors;
use crate::{AgentId, Event, Gait, Order, Orders, Scenario, Script, Witness, World, doors};

/// Stamina lost in a second of running.
pub(crate) const EXHAUSTION: f64 = 10.0;
/// Stamina gained in a second of anything else.
const RECOVERY: f64 = 5.0;

/// An actor has ended a step in a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    /// The nanoseconds the step took.
    pub(crate) took: u64,
    /// How it was made.
    pub(crate) gait: Gait,
    /// Whether levers within reach are pulled: in passing, or because it was asked for.
    pub(crate) pulls: bool,
}

/// Who ended a step in this moment.
pub(crate) type Arrivals = OfActors<(usize, Arrival)>;

/// Where a move leads, if walls, doors and obstacles allow it now.
#[inline]
pub(crate) fn step_leads_to(
    world: &World,
    scenario: &Scenario,
    actor: usize,
    action: Move,
) -> Option<usize> {
    let from = world.actors[actor].place as usize;
    let to = match action {
        Move::Step(direction) => scenario.map.step(from, direction)?,
        _ => scenario.map.follow(from, action)?.place,
    };
    if scenario.marks_at(from) & marks::NEAR_SHUTS == 0 {
        return Some(to);
    }
    let holding = world.actors[actor].holding;
    let lets_in = |place| doors::lets_in(world, scenario, place, holding);
    let corners = match action {
        Move::Step(direction) => scenario.map.corners(from, direction),
        _ => [None; 2],
    };
    (lets_in(to) && corners.into_iter().flatten().all(lets_in)).then_some(to)
}

/// Everybody who stands still hears the next order.
pub(crate) fn set_out(world: &mut World, scenario: &Scenario, orders: &Orders<'_>) {
    for actor in 0..scenario.actors.len() {
        let hears = world.actor_is_alive(actor) && world.actors[actor].step.is_none();
        // Whoever rests is asked to rest.
        if hears && (orders.are_of(actor) || !world.rests(scenario, orders, actor)) {
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
    world.actors[actor].step = order
        .action()
        .filter(|action| step_leads_to(world, scenario, actor, *action).is_some());
}

fn next_order(world: &mut World, scenario: &Scenario, orders: &Orders<'_>, actor: usize) -> Order {
    if orders.are_of(actor) {
        return orders.order();
    }
    let script: &dyn Script = match orders.decider(actor) {
        Decider::Given(order) => return order,
        Decider::Script(script) => script,
        Decider::Route => &scenario.actors[actor],
    };
    let mut memory = world.actors[actor].memory;
    let order = script.order(scenario, world, AgentId::Actor(actor as u16), &mut memory);
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
    let mut arrivals = Arrivals::new();
    for actor in 0..scenario.actors.len() {
        if !world.actor_is_alive(actor) {
            continue;
        }
        breathe(world, actor, moment);
        let state = &mut world.actors[actor];
        let Some(action) = state.step else {
            continue;
        };
        state.moved += moment;
        let takes = scenario.time_of(state.place as usize, action, state.stance);
        if state.moved < takes {
            continue;
        }
        let left_over = state.moved - takes;
        let arrival = Arrival {
            took: takes,
            gait: state.stance.gait(),
            pulls: action == Move::Use || scenario.map.grid().is_some(),
        };
        if arrive(world, scenario, actor, action) {
            arrivals.push((actor, arrival));
        } else {
            witness.saw(Event::TurnedBack {
                agent: AgentId::Actor(actor as u16),
            });
        }
        // Who keeps walking loses no time between two steps. Very short steps still take a moment
        // each, so that nobody passes a cell without being in it.
        if left_over > 0 {
            follow_next_order(world, scenario, orders, actor);
            let state = &mut world.actors[actor];
            if let Some(action) = state.step {
                let takes = scenario.time_of(state.place as usize, action, state.stance);
                state.moved = left_over.min(takes - 1);
            }
        }
    }
    arrivals
}

/// Ends a step. False: what shut meanwhile turns the actor back.
fn arrive(world: &mut World, scenario: &Scenario, actor: usize, action: Move) -> bool {
    let to = step_leads_to(world, scenario, actor, action);
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
