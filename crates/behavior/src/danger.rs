//! What it costs to come near enemies, place by place.

use std::sync::Arc;

use apprentice_search::{Budget, Cost};
use apprentice_world::{AgentId, Beast, FULL_HEALTH, Gait, Manner, Mode, Rules, Scenario, World};

use crate::deviation::living_enemies;

/// A point of health is worth so many seconds to whoever is wary.
pub(crate) const SECONDS_FOR_HEALTH: f64 = 0.5;

/// Somebody who cannot be beaten costs as many points of health as this: more than one has, so that
/// no fight that can be won is dearer.
const DEADLY: f64 = 2.0 * FULL_HEALTH;

/// What steps count near enemies, as far as they keep still: those that are after somebody come along
/// anyway.
///
/// Where walking would be noticed and sneaking would not, steps count as if sneaked. Nearer than that,
/// what the fight would cost is spread over the way past.
pub(crate) struct Danger {
    key: DangerKey,
    prices: Arc<Prices>,
    /// How many enemies were looked at, and what was paid for the next.
    seen: usize,
    paid: usize,
}

/// What it is made for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DangerKey {
    level: u64,
    /// Who waits, where, and from how far it notices somebody.
    waiting: Vec<(AgentId, usize, f64)>,
}

/// What steps count, by the place they lead to.
#[derive(Clone, Debug)]
pub(crate) struct Prices {
    /// How many times a step takes that is sneaked.
    slower: f64,
    near: Vec<Near>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Near {
    is_sneaked: bool,
    extra: Cost,
}

impl DangerKey {
    pub(crate) fn of(scenario: &Scenario, world: &World) -> DangerKey {
        let waiting = living_enemies(scenario, world).filter(|enemy| {
            let mode = world.mode(*enemy, scenario);
            !scenario_enemy(scenario, *enemy).ignores(AgentId::NPC)
                && !mode.is_some_and(Mode::is_hostile)
        });
        DangerKey {
            level: scenario.layout_digest(),
            waiting: waiting
                .map(|enemy| {
                    let (radius, _) = reach_and_price(scenario, enemy);
                    (enemy, world.place(enemy, scenario), radius)
                })
                .collect(),
        }
    }
}

impl Danger {
    pub(crate) fn new(scenario: &Scenario, key: DangerKey) -> Danger {
        let rules = scenario.rules();
        let prices = Prices {
            slower: rules.speed(Gait::Walk) / rules.speed(Gait::Sneak),
            near: vec![Near::default(); scenario.map().places()],
        };
        Danger {
            key,
            prices: Arc::new(prices),
            seen: 0,
            paid: 0,
        }
    }

    pub(crate) fn key(&self) -> &DangerKey {
        &self.key
    }

    pub(crate) fn prices(&self) -> Arc<Prices> {
        Arc::clone(&self.prices)
    }

    /// Goes on; a unit of budget for every sixteen places near an enemy. False: the budget is spent,
    /// call again.
    pub(crate) fn go_on(
        &mut self,
        scenario: &Scenario,
        world: &World,
        budget: &mut Budget<'_>,
    ) -> bool {
        let map = scenario.map();
        while let Some((enemy, place, radius)) = self.key.waiting.get(self.seen).copied() {
            let (_, price) = reach_and_price(scenario, enemy);
            let at = map.spot_of(place);
            let places = map.places_on_floor(at.point(), at.height, radius);
            while self.paid <= places.len() / 16 {
                if !budget.take() {
                    return false;
                }
                self.paid += 1;
            }
            (self.seen, self.paid) = (self.seen + 1, 0);
            // Nobody reads prices before they are all known.
            let Some(prices) = Arc::get_mut(&mut self.prices) else {
                return true;
            };
            for near in places {
                let would_notice = |gait| world.would_notice(scenario, enemy, near, gait);
                if would_notice(Gait::Sneak) {
                    let extra = &mut prices.near[near].extra;
                    *extra = *extra + price;
                } else if would_notice(Gait::Walk) {
                    prices.near[near].is_sneaked = true;
                }
            }
        }
        true
    }
}

impl Prices {
    /// What a step to a place counts.
    #[inline]
    pub(crate) fn of(&self, to: usize, cost: Cost) -> Cost {
        let near = self.near[to];
        let cost = if near.is_sneaked {
            Cost::round_up(cost.as_seconds() * self.slower)
        } else {
            cost
        };
        cost + near.extra
    }
}

/// How far from an enemy one may have to do with it, and what each step counts among those that
/// nobody makes unnoticed.
fn reach_and_price(scenario: &Scenario, enemy: AgentId) -> (f64, Cost) {
    let spacing = scenario.map().spacing();
    match &scenario_enemy(scenario, enemy).kind.manner {
        Manner::Guard(guard) => {
            let seconds = spacing / scenario.rules().speed(Gait::Walk);
            let harm = guard.damage * seconds.max(1.0);
            (guard.radius, Cost::from_seconds(harm * SECONDS_FOR_HEALTH))
        }
        Manner::Beast(beast) => {
            let price = harm_of_passing(scenario, beast) * SECONDS_FOR_HEALTH;
            let quiet = (beast.radius * Rules::noise(Gait::Sneak)).max(beast.reach);
            let steps = (2.0 * quiet / spacing).max(1.0);
            let price = Cost::from_seconds(price / steps);
            (beast.radius.max(beast.reach), price)
        }
    }
}

/// What it counts to pass each enemy that moves, in the order of the scenario.
pub(crate) fn prices_of_passing(scenario: &Scenario) -> Vec<Cost> {
    let beasts = scenario.enemies().iter().filter_map(|enemy| {
        let Manner::Beast(beast) = &enemy.kind.manner else {
            return None;
        };
        let harm = harm_of_passing(scenario, beast);
        Some(Cost::from_seconds(harm * SECONDS_FOR_HEALTH))
    });
    beasts.collect()
}

/// The health that the fight with an enemy costs somebody it has noticed.
fn harm_of_passing(scenario: &Scenario, beast: &Beast) -> f64 {
    let npc = &scenario.actors()[0];
    let lasts = (beast.health / npc.damage).ceil() * npc.period;
    let harm = beast.damage / beast.period * lasts;
    let is_beatable = harm < FULL_HEALTH && beast.attackers <= 1 && npc.damage > 0.0;
    if is_beatable { harm } else { DEADLY }
}

fn scenario_enemy(scenario: &Scenario, enemy: AgentId) -> &apprentice_world::Enemy {
    match enemy {
        AgentId::Enemy(number) => &scenario.enemies()[usize::from(number)],
        AgentId::Actor(_) => unreachable!("enemies are listed by `living_enemies`"),
    }
}
