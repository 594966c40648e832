//! Blows, shields, blocking, guards, traps and death.

use crate::movement::{Arrival, Arrivals};
use crate::number_set::NumberSet;
use crate::scenario::marks;
use crate::world::{Footings, OfActors};
use crate::{AgentId, Event, Gait, Manner, Scenario, Witness, World, traps};

/// What a shield leaves of any damage, and what blocking leaves.
pub(crate) const SHIELDED: f64 = 0.5;
const BLOCKED: f64 = 0.5;
/// The blows of a flanked enemy do a fifth.
pub(crate) const FLANKED: f64 = 5.0;
/// After a guard's blow, health is a multiple of this.
const GUARD_STEP: f64 = 20.0;

/// Everybody who can strikes. All blows count from the healths before any of them. Returns whether
/// there was a blow.
pub(crate) fn strike<W: Witness + ?Sized>(
    world: &mut World,
    scenario: &Scenario,
    awake: &NumberSet,
    actors_at: &Footings,
    living: &Living<'_>,
    arrivals: &Arrivals,
    witness: &mut W,
) -> bool {
    let mut is_struck = false;
    if !awake.is_empty() {
        is_struck = exchange_blows(world, scenario, awake, actors_at, living, witness);
    }
    if scenario.tables.guards.is_empty() && scenario.traps.is_empty() {
        return is_struck;
    }
    for (actor, arrival) in arrivals {
        is_struck |= strike_by_guards(world, scenario, *actor, *arrival, witness);
        is_struck |= traps::spring(world, scenario, *actor, witness);
    }
    is_struck
}

/// The enemy each actor fights: the nearest within reach, the first of them among equals.
fn opponents(
    world: &World,
    scenario: &Scenario,
    awake: &NumberSet,
    actors_at: &Footings,
) -> OfActors<Option<usize>> {
    let mut opponents = OfActors::from_elem(None, scenario.actors.len());
    for (actor, opponent) in opponents.iter_mut().enumerate() {
        let stance = world.actors[actor].stance;
        if !world.actor_is_alive(actor) || !stance.fights() || stance.blocks() {
            continue;
        }
        let mut nearest = scenario.actors[actor].reach;
        for slot in awake {
            let at = world.beasts[slot].footing();
            if !scenario.map.is_within(at, actors_at[actor], nearest) {
                continue;
            }
            let distance = scenario.map.apart(at, actors_at[actor]);
            if distance < nearest || opponent.is_none() && distance == nearest {
                nearest = distance;
                *opponent = Some(slot);
            }
        }
    }
    opponents
}

/// The enemies that strike now.
fn strikers(
    world: &World,
    scenario: &Scenario,
    awake: &NumberSet,
    actors_at: &Footings,
) -> NumberSet {
    let mut strikers = NumberSet::default();
    for slot in awake {
        let state = &world.beasts[slot];
        let target = usize::from(state.target);
        if state.mode.is_hostile()
            && world.actor_is_alive(target)
            && world.has_come(state.ready_at)
            && (scenario.map).is_within(
                state.footing(),
                actors_at[target],
                scenario.beast(slot).1.reach,
            )
        {
            strikers.insert(slot);
        }
    }
    strikers
}

/// Returns whether there was a blow.
fn exchange_blows<W: Witness + ?Sized>(
    world: &mut World,
    scenario: &Scenario,
    awake: &NumberSet,
    actors_at: &Footings,
    living: &Living<'_>,
    witness: &mut W,
) -> bool {
    let is_near = |slot: usize| {
        let (at, reach) = (world.beasts[slot].footing(), scenario.beast(slot).1.reach);
        let mut actors = scenario.actors.iter().zip(actors_at);
        actors.any(|(actor, near)| scenario.map.is_within(at, *near, reach.max(actor.reach)))
    };
    if !awake.iter().any(is_near) {
        return false;
    }
    // Found before the first blow: whoever dies of one still strikes.
    let strikers = strikers(world, scenario, awake, actors_at);
    if strikers.is_empty()
        && !world
            .actors
            .iter()
            .any(|actor| world.has_come(actor.ready_at))
    {
        return false;
    }
    let opponents = opponents(world, scenario, awake, actors_at);
    let attackers_of = |slot: usize| {
        opponents
            .iter()
            .filter(|other| **other == Some(slot))
            .count()
    };
    let mut is_struck = false;
    for (actor, opponent) in opponents.iter().enumerate() {
        let Some(slot) = *opponent else { continue };
        if !world.has_come(world.actors[actor].ready_at) {
            continue;
        }
        let rules = &scenario.actors[actor];
        world.actors[actor].ready_at = world.in_seconds(rules.period);
        if attackers_of(slot) < usize::from(scenario.beast(slot).1.attackers) {
            continue;
        }
        let beast = &mut world.beasts[slot];
        beast.health = (f64::from(beast.health) - rules.damage) as f32;
        is_struck = true;
        witness.saw(Event::Hurt {
            agent: AgentId::Enemy(scenario.tables.beasts[slot]),
            by: AgentId::Actor(actor as u16),
            damage: rules.damage,
        });
    }
    for slot in &strikers {
        let (_, beast) = scenario.beast(slot);
        let target = usize::from(world.beasts[slot].target);
        world.beasts[slot].ready_at = world.in_seconds(beast.period);
        let is_flanked = beast.attackers > 1 && attackers_of(slot) >= usize::from(beast.attackers);
        let damage = if is_flanked {
            beast.damage / FLANKED
        } else {
            beast.damage
        };
        for actor in 0..scenario.actors.len() {
            let from_target = scenario.map.apart(actors_at[actor], actors_at[target]);
            let is_hit = actor == target || beast.splash > 0.0 && from_target <= beast.splash;
            if !is_hit || !living.has_actor(actor) {
                continue;
            }
            let state = &mut world.actors[actor];
            let mut damage = damage;
            if state.holding & scenario.tables.shields != 0 {
                damage *= SHIELDED;
            }
            if state.stance.blocks() {
                damage *= BLOCKED;
            }
            state.health = (f64::from(state.health) - damage) as f32;
            is_struck = true;
            let by = AgentId::Enemy(scenario.tables.beasts[slot]);
            witness.saw(Event::Hurt {
                agent: AgentId::Actor(actor as u16),
                by,
                damage,
            });
        }
    }
    is_struck
}

/// Guards strike whoever ends a step within their radius: once a step, and harder the longer it
/// took. Only a shield helps against them. Returns whether there was a blow.
fn strike_by_guards<W: Witness + ?Sized>(
    world: &mut World,
    scenario: &Scenario,
    actor: usize,
    arrival: Arrival,
    witness: &mut W,
) -> bool {
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
                agent: AgentId::Actor(actor as u16),
                by,
                damage,
            });
            total += damage;
        },
    );
    let is_struck = total > 0.0;
    if is_struck {
        world.actors[actor].health = after_guards(state.health, total);
    }
    is_struck
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
        if !enemy.ignores(AgentId::Actor(actor as u16)) && enemy.home.distance_to(at) <= radius {
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

/// Who is alive: a bit for each actor, and those of the enemies that may do anything.
#[derive(Clone, Debug)]
pub(crate) struct Living<'a> {
    actors: NumberSet,
    beasts: &'a NumberSet,
}

impl Living<'_> {
    fn has_actor(&self, actor: usize) -> bool {
        self.actors.contains(actor)
    }
}

pub(crate) fn living<'a>(world: &World, awake: &'a NumberSet) -> Living<'a> {
    let mut actors = NumberSet::default();
    for number in 0..world.actors.len() {
        if world.actor_is_alive(number) {
            actors.insert(number);
        }
    }
    Living {
        actors,
        // Only the living are awake.
        beasts: awake,
    }
}

/// Whoever of the living has no health left lies down and stays there.
pub(crate) fn bury<W: Witness + ?Sized>(
    world: &mut World,
    scenario: &Scenario,
    living: &Living<'_>,
    witness: &mut W,
) {
    for (actor, state) in world.actors.iter_mut().enumerate() {
        if living.has_actor(actor) && state.health <= 0.0 {
            state.health = 0.0;
            witness.saw(Event::Died {
                agent: AgentId::Actor(actor as u16),
            });
        }
    }
    for slot in living.beasts {
        let state = &mut world.beasts[slot];
        if !state.is_alive() {
            state.health = 0.0;
            witness.saw(Event::Died {
                agent: AgentId::Enemy(scenario.tables.beasts[slot]),
            });
        }
    }
}
