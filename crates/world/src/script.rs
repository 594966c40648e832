//! Deterministic behaviour of agents nobody plans for.

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
/// }
/// ```
pub trait Script {
    /// The next order, asked for whenever the last step is over.
    fn order(&self, scenario: &Scenario, world: &World, agent: AgentId, memory: &mut u32) -> Order;
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
}
