//! What it costs to come near enemies, place by place.

use std::sync::Arc;
use std::time::Duration;

use apprentice_search::{Budget, Cost};
use apprentice_world::{
    AgentId, Beast, DoorId, FULL_HEALTH, Gait, Manner, Mode, Point, Rules, Scenario, World,
};

use crate::deviation::living_enemies;
use crate::place_table::PlaceTable;

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
    /// How many enemies were looked at.
    seen: usize,
    /// The places around the one that comes next, and how many of them were looked at.
    around: Option<(Vec<usize>, usize)>,
}

/// What it is made for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DangerKey {
    level: u64,
    waiting: Vec<Waiting>,
    /// Whether doors stand open that may hide somebody from those who wait.
    doors: Vec<(DoorId, bool)>,
    /// What time it is, where something moves that may hide somebody.
    time: Option<Duration>,
}

/// Who waits.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Waiting {
    enemy: AgentId,
    at: Point,
    place: usize,
    /// From how far it notices somebody.
    radius: f64,
    /// What a step counts that nobody makes unnoticed.
    price: Cost,
}

/// What steps count, by the place they lead to.
#[derive(Clone, Debug)]
pub(crate) struct Prices {
    /// How many times a step takes that is sneaked.
    slower: f64,
    near: PlaceTable<Near>,
}

/// What steps to a place count besides their time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Near {
    is_sneaked: bool,
    extra: Cost,
}

/// So many places are looked at for a unit of budget: whether somebody there is in sight takes a
/// while.
const PLACES_AT_ONCE: usize = 16;

/// What hides somebody who is that near is not farther than this from the line between.
const BESIDE_LINES: f64 = 6.0;

impl DangerKey {
    pub(crate) fn of(scenario: &Scenario, world: &World) -> DangerKey {
        let waits = living_enemies(scenario, world).filter(|enemy| {
            let mode = world.mode(*enemy, scenario);
            !scenario_enemy(scenario, *enemy).ignores(AgentId::NPC)
                && !mode.is_some_and(Mode::is_hostile)
        });
        let waiting: Vec<Waiting> = waits
            .map(|enemy| {
                let (radius, price) = reach_and_price(scenario, enemy);
                Waiting {
                    enemy,
                    at: world.position(enemy, scenario),
                    place: world.place(enemy, scenario),
                    radius,
                    price,
                }
            })
            .collect();
        let hides = scenario.rules().line_of_sight() && !waiting.is_empty();
        let is_near = |place: &usize| {
            let point = scenario.map().point_of(*place);
            let mut near = waiting.iter();
            near.any(|enemy| enemy.at.distance_to(point) <= enemy.radius + BESIDE_LINES)
        };
        let doors = (0..).map(DoorId::new).zip(scenario.doors());
        let near = doors.filter(|(_, door)| hides && door.places.iter().any(is_near));
        let doors = near.map(|(id, _)| (id, world.is_open(id))).collect();
        let moves = scenario.obstacles().iter();
        let moves = moves.filter(|obstacle| hides && obstacle.path.iter().any(is_near));
        let time = moves.map(|_| world.time()).next();
        DangerKey {
            level: scenario.layout_digest(),
            waiting,
            doors,
            time,
        }
    }

    /// Whether nobody waits anywhere.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

impl Danger {
    pub(crate) fn new(scenario: &Scenario, key: DangerKey) -> Danger {
        let rules = scenario.rules();
        let prices = Prices {
            slower: rules.speed(Gait::Walk) / rules.speed(Gait::Sneak),
            near: PlaceTable::new(scenario.map().places()),
        };
        Danger {
            key,
            prices: Arc::new(prices),
            seen: 0,
            around: None,
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
        while let Some(waiting) = self.key.waiting.get(self.seen).copied() {
            // Nobody reads prices before they are all known.
            let Some(prices) = Arc::get_mut(&mut self.prices) else {
                return true;
            };
            let at = map.spot_of(waiting.place);
            let found = || {
                (
                    map.places_on_floor(at.point(), at.height, waiting.radius),
                    0,
                )
            };
            let (places, looked_at) = self.around.get_or_insert_with(found);
            while *looked_at < places.len() {
                if !budget.take() {
                    return false;
                }
                let next = places.len().min(*looked_at + PLACES_AT_ONCE);
                for near in &places[*looked_at..next] {
                    prices.add(scenario, world, &waiting, *near);
                }
                *looked_at = next;
            }
            self.around = None;
            self.seen += 1;
        }
        true
    }
}

impl Prices {
    /// Adds what steps to a place count because of an enemy.
    fn add(&mut self, scenario: &Scenario, world: &World, waiting: &Waiting, place: usize) {
        let would_notice = |gait| world.would_notice(scenario, waiting.enemy, place, gait);
        if would_notice(Gait::Sneak) {
            let near = self.near.get_or_insert_with(place, Near::default);
            near.extra = near.extra + waiting.price;
        } else if would_notice(Gait::Walk) {
            let near = self.near.get_or_insert_with(place, Near::default);
            near.is_sneaked = true;
        }
    }

    /// What steps to a place count besides their time, if anything.
    #[inline]
    pub(crate) fn near(&self, place: usize) -> Option<Near> {
        self.near.get(place).copied()
    }

    /// What a step counts that leads there.
    #[inline]
    pub(crate) fn of(&self, near: Near, cost: Cost) -> Cost {
        let cost = if near.is_sneaked {
            Cost::round_up(cost.as_seconds() * self.slower)
        } else {
            cost
        };
        cost + near.extra
    }

    /// How many times a step takes that is sneaked.
    pub(crate) fn slower(&self) -> f64 {
        self.slower
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
