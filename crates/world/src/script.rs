//! Deterministic behaviour of agents nobody plans for.

use std::time::Duration;

use crate::digest::Digest;
use crate::map::Move;
use crate::{Actor, AgentId, Direction, Gait, Order, Scenario, Stance, World};

/// Decides for an agent nobody plans for, such as a model of the player.
///
/// A search simulates many futures at once, so a script itself never changes: what it must
/// remember it keeps in `memory`, which is part of the world.
///
/// ```
/// use apprentice_world::{AgentId, Direction, Gait, Order, Scenario, Script, Stance, World};
///
/// /// Walks east and back, three cells each way.
/// struct Sentry;
///
/// impl Script for Sentry {
///     fn order(&self, _: &Scenario, _: &World, _: AgentId, memory: &mut u32) -> Order {
///         let direction = if *memory % 6 < 3 { Direction::East } else { Direction::West };
///         *memory += 1;
///         Order::Step(direction, Stance::new(Gait::Walk))
///     }
///
///     // There is only one, and it has no settings.
///     fn digest(&self) -> u64 {
///         0x5E17_4E5E
///     }
/// }
/// ```
pub trait Script {
    /// The next order, asked for whenever the last step is over.
    fn order(&self, scenario: &Scenario, world: &World, agent: AgentId, memory: &mut u32) -> Order;

    /// A number that two scripts share only if they always decide alike, the same on every machine.
    /// What is kept from one plan to the next is kept as long as it does not change.
    fn digest(&self) -> u64;
}

impl Script for Actor {
    /// Follows the actor's route: always to the neighbouring place that is nearest to the next
    /// point of it, as the crow flies; waits at its end and where every step leads away. A point on
    /// a bridge is not reached under it.
    fn order(&self, scenario: &Scenario, world: &World, agent: AgentId, memory: &mut u32) -> Order {
        let AgentId::Actor(actor) = agent else {
            return Order::WAIT;
        };
        let map = &scenario.map;
        // It is asked whenever a step is over, and so stands in a place.
        let here = world.place(agent, scenario);
        while let Some(next) = self.route.get(*memory as usize) {
            let is_there = map.point_of(here).distance_to(next.point())
                <= NEAR_ENOUGH * map.spacing()
                && next.is_on_floor(map.height_of(here));
            if is_there {
                *memory += 1;
                continue;
            }
            let distance = map.spot_of(here).distance_to(*next);
            let mut best: Option<(f64, Direction)> = None;
            for direction in Direction::ALL {
                let to = crate::movement::step_leads_to(
                    world,
                    scenario,
                    usize::from(actor),
                    Move::Step(direction),
                );
                let Some(to) = to else { continue };
                let left = map.spot_of(to).distance_to(*next);
                if left < best.map_or(distance, |(least, _)| least) {
                    best = Some((left, direction));
                }
            }
            return match best {
                Some((_, direction)) => Order::Step(direction, self.stance),
                None => Order::Wait(self.stance),
            };
        }
        Order::Wait(self.stance)
    }

    fn digest(&self) -> u64 {
        let mut digest = Digest::new();
        digest.number(u64::from(self.stance.bits()));
        for spot in &self.route {
            digest.real(spot.x);
            digest.real(spot.y);
            digest.real(spot.height.unwrap_or(f64::INFINITY));
        }
        digest.value()
    }
}

/// Half a cell's diagonal, in distances between places: the cell that contains the point counts as
/// the point.
pub(crate) const NEAR_ENOUGH: f64 = 0.71;

/// Always the same order.
///
/// ```
/// use apprentice_world::{Order, Orders, Standing};
///
/// let orders = Orders::new(Order::WAIT).with_script(&Standing::STILL);
/// # let _ = orders;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing(pub Order);

impl Standing {
    /// Waits.
    pub const STILL: Standing = Standing(Order::Wait(Stance::new(Gait::Walk)));
}

impl Script for Standing {
    fn order(&self, _: &Scenario, _: &World, _: AgentId, _: &mut u32) -> Order {
        self.0
    }

    fn digest(&self) -> u64 {
        let mut digest = Digest::new();
        digest.text(&self.0.to_string());
        digest.value()
    }
}

/// Orders that were given once, each from a moment of a run on: what somebody did is done again, by
/// the clock. [`Recording::script_of`](crate::Recording::script_of) makes one.
///
/// ```
/// use std::time::Duration;
/// use apprentice_world::{Direction, Gait, Order, Replayed, Stance};
///
/// let east = Order::Step(Direction::East, Stance::new(Gait::Walk));
/// let script = Replayed::new([(Duration::ZERO, east), (Duration::from_secs(3), Order::WAIT)]);
/// assert_eq!(script.order_at(Duration::from_secs(2)), east);
/// assert_eq!(script.order_at(Duration::from_secs(9)), Order::WAIT);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// In the order of the moments.
    orders: Vec<(Duration, Order)>,
}

impl Replayed {
    /// Each order is followed from its moment on, until there is another one; before the first,
    /// whoever this decides for waits.
    pub fn new(orders: impl IntoIterator<Item = (Duration, Order)>) -> Replayed {
        let mut orders: Vec<_> = orders.into_iter().collect();
        orders.sort_by_key(|(from, _)| *from);
        Replayed { orders }
    }

    /// The order that is followed at a moment of a run.
    pub fn order_at(&self, time: Duration) -> Order {
        let begun = self.orders.partition_point(|(from, _)| *from <= time);
        let last = self.orders[..begun].last();
        last.map_or(Order::WAIT, |(_, order)| *order)
    }
}

impl Script for Replayed {
    fn order(&self, _: &Scenario, world: &World, _: AgentId, _: &mut u32) -> Order {
        self.order_at(world.time())
    }

    fn digest(&self) -> u64 {
        let mut digest = Digest::new();
        for (from, order) in &self.orders {
            digest.number(from.as_nanos() as u64);
            digest.text(&order.to_string());
        }
        digest.value()
    }
}
