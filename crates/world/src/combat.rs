//! Blows, shields, blocking, guards and death.

use crate::movement::{Arrival, Arrivals};
use crate::scenario::marks;
use crate::world::MOST_ACTORS;
use crate::{AgentId, Event, Gait, Manner, Scenario, Witness, World};

/// What a shield leaves of any damage, and what blocking leaves.
pub(crate) const SHIELDED: f64 = 0.5;
const BLOCKED: f64 = 0.5;
/// The blows of a flanked enemy do a fifth.
const FLANKED: f64 = 5.0;
/// After a guard's blow, health is a multiple of this.
const GUARD_STEP: f64 = 20.0;

/// Everybody who can strikes. All blows count from the healths before any of them.
pub(crate) fn strike<W: Witness + ?Sized>(
    world: &mut World,
    scenario: &Scenario,
    arrivals: &Arrivals,
    witness: &mut W,
) {
    if !scenario.tables.beasts.is_empty() {
        exchange_blows(world, scenario, witness);
    }
    if scenario.tables.guards.is_empty() {
        return;
    }
    for (actor, arrival) in arrivals.iter().enumerate() {
        if let Some(arrival) = arrival {
            strike_by_guards(world, scenario, actor, *arrival, witness);
        }
    }
}

/// The enemy each actor fights: the nearest within reach, the first of them among equals.
fn opponents(world: &World, scenario: &Scenario) -> [Option<usize>; MOST_ACTORS] {
    let mut opponents = [None; MOST_ACTORS];
    for (actor, opponent) in opponents.iter_mut().enumerate().take(scenario.actors.len()) {
        let stance = world.actors[actor].stance;
        if !world.actor_is_alive(actor) || !stance.fights() || stance.blocks() {
            continue;
        }
        let at = world.actor_footing(scenario, actor);
        let mut nearest = scenario.actors[actor].reach;
        let beasts = &world.beasts[..scenario.tables.beasts.len()];
        for (slot, beast) in beasts.iter().enumerate() {
            let distance = scenario.map.apart(beast.footing(), at);
            let is_nearer = distance < nearest || opponent.is_none() && distance == nearest;
            if beast.is_alive() && is_nearer {
                nearest = distance;
                *opponent = Some(slot);
            }
        }
    }
    opponents
}

fn exchange_blows<W: Witness + ?Sized>(world: &mut World, scenario: &Scenario, witness: &mut W) {
    let opponents = opponents(world, scenario);
    let is_attacked = world.beasts.iter().any(|beast| beast.mode.is_hostile());
    if !is_attacked && opponents.iter().all(Option::is_none) {
        return;
    }
    let before = *world;
    let attackers_of = |slot: usize| {
        opponents
            .iter()
            .filter(|other| **other == Some(slot))
            .count()
    };
    for (actor, opponent) in opponents.iter().enumerate() {
        let Some(slot) = *opponent else { continue };
        if !before.has_come(before.actors[actor].ready_at) {
            continue;
        }
        let rules = &scenario.actors[actor];
        world.actors[actor].ready_at = before.in_seconds(rules.period);
        if attackers_of(slot) < usize::from(scenario.beast(slot).1.attackers) {
            continue;
        }
        let beast = &mut world.beasts[slot];
        beast.health = (f64::from(beast.health) - rules.damage) as f32;
        witness.saw(Event::Hurt {
            agent: AgentId::Enemy(scenario.tables.beasts[slot]),
            by: AgentId::Actor(actor as u8),
            damage: rules.damage,
        });
    }
    for slot in 0..scenario.tables.beasts.len() {
        let state = &before.beasts[slot];
        let (_, beast) = scenario.beast(slot);
        let target = usize::from(state.target);
        let target_at = before.actor_footing(scenario, target);
        let can_strike = state.is_alive()
            && state.mode.is_hostile()
            && before.actor_is_alive(target)
            && scenario.map.apart(state.footing(), target_at) <= beast.reach
            && before.has_come(state.ready_at);
        if !can_strike {
            continue;
        }
        world.beasts[slot].ready_at = before.in_seconds(beast.period);
        let is_flanked = beast.attackers > 1 && attackers_of(slot) >= usize::from(beast.attackers);
        let damage = if is_flanked {
            beast.damage / FLANKED
        } else {
            beast.damage
        };
        for actor in 0..scenario.actors.len() {
            let from_target = scenario
                .map
                .apart(before.actor_footing(scenario, actor), target_at);
            let is_hit = actor == target || beast.splash > 0.0 && from_target <= beast.splash;
            if !is_hit || !before.actor_is_alive(actor) {
                continue;
            }
            let mut damage = damage;
            if before.actors[actor].holding & scenario.tables.shields != 0 {
                damage *= SHIELDED;
            }
            if before.actors[actor].stance.blocks() {
                damage *= BLOCKED;
            }
            let state = &mut world.actors[actor];
            state.health = (f64::from(state.health) - damage) as f32;
            let by = AgentId::Enemy(scenario.tables.beasts[slot]);
            witness.saw(Event::Hurt {
                agent: AgentId::Actor(actor as u8),
                by,
                damage,
            });
        }
    }
}

/// Guards strike whoever ends a step within their radius: once a step, and harder the longer it
/// took. Only a shield helps against them.
fn strike_by_guards<W: Witness + ?Sized>(
    world: &mut World,
    scenario: &Scenario,
    actor: usize,
    arrival: Arrival,
    witness: &mut W,
) {
    let state = world.actors[actor];
    let shielded = state.holding & scenario.tables.shields != 0;
    let mut total = 0.0;
    for_each_guard_blow(
        scenario,
        actor,
        state.place as usize,
        arrival,
        shielded,
        |guard, damage| {
            let by = AgentId::Enemy(guard);
            witness.saw(Event::Hurt {
                agent: AgentId::Actor(actor as u8),
                by,
                damage,
            });
            total += damage;
        },
    );
    if total > 0.0 {
        world.actors[actor].health = after_guards(state.health, total);
    }
}

/// Every blow that guards deal to an actor who arrives in `place`.
pub(crate) fn for_each_guard_blow(
    scenario: &Scenario,
    actor: usize,
    place: usize,
    arrival: Arrival,
    shielded: bool,
    mut blow: impl FnMut(u16, f64),
) {
    if scenario.marks_at(place) & marks::DANGER == 0 {
        return;
    }
    let seconds = ((arrival.took + 500_000_000) / 1_000_000_000).max(1) as f64;
    let at = scenario.map.point_of(place);
    for number in &scenario.tables.guards {
        let enemy = &scenario.enemies[usize::from(*number)];
        let Manner::Guard(guard) = &enemy.kind.manner else {
            continue;
        };
        let radius = match arrival.gait {
            Gait::Sneak => guard.sneak_radius,
            Gait::Walk | Gait::Run => guard.radius,
        };
        if !enemy.ignores(AgentId::Actor(actor as u8)) && enemy.home.distance_to(at) <= radius {
            let damage = guard.damage * seconds;
            blow(*number, if shielded { damage * SHIELDED } else { damage });
        }
    }
}

/// The health after guards took `damage` from it: rounded down to a multiple of 20.
pub(crate) fn after_guards(health: f32, damage: f64) -> f32 {
    let left = ((f64::from(health) - damage) / GUARD_STEP).floor() * GUARD_STEP;
    left.max(0.0) as f32
}

/// Who is alive: a bit for each actor, and above them one for each enemy that moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Living(u32);

pub(crate) fn living(world: &World) -> Living {
    let actors = world.actors.iter().map(|actor| actor.health > 0.0);
    let beasts = world.beasts.iter().map(|beast| beast.is_alive());
    let all = actors.chain(beasts).enumerate();
    Living(all.fold(0, |bits, (number, alive)| bits | u32::from(alive) << number))
}

/// Whoever of the living has no health left lies down and stays there.
pub(crate) fn bury<W: Witness + ?Sized>(
    world: &mut World,
    scenario: &Scenario,
    living: Living,
    witness: &mut W,
) {
    let lived = |number: usize| living.0 >> number & 1 == 1;
    for (actor, state) in world.actors.iter_mut().enumerate() {
        if lived(actor) && state.health <= 0.0 {
            state.health = 0.0;
            witness.saw(Event::Died {
                agent: AgentId::Actor(actor as u8),
            });
        }
    }
    for (slot, state) in world.beasts.iter_mut().enumerate() {
        if lived(MOST_ACTORS + slot) && !state.is_alive() {
            state.health = 0.0;
            witness.saw(Event::Died {
                agent: AgentId::Enemy(scenario.tables.beasts[slot]),
            });
        }
    }
}
