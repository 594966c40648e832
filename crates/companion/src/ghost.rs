//! Where the player would be by now, if they went on as was thought.

use std::time::Duration;

use apprentice_world::{AgentId, Order, Role, Scenario, World};

/// A copy of the world in which the player goes as a model does, so that it shows when the real one
/// does not.
#[derive(Clone, Debug)]
pub(crate) struct Ghost {
    world: World,
}

/// A player who is farther from where it was expected has gone another way, or at another pace: what
/// one walks in a second, about. Whoever counts on a player who is not there meets enemies alone.
const ASTRAY: f64 = 2.0;

/// Longer pauses are no ticks of a game.
const LONGEST_TICK: Duration = Duration::from_secs(1);

impl Ghost {
    /// From this world on.
    pub(crate) fn of(world: &World) -> Ghost {
        Ghost {
            world: world.clone(),
        }
    }

    /// Lets it go on until now, while the companion does as it does.
    pub(crate) fn follow(&mut self, scenario: &Scenario, role: &Role, order: Order, now: Duration) {
        let tick = now.saturating_sub(self.world.time());
        if tick > LONGEST_TICK || tick.is_zero() {
            return;
        }
        let orders = apprentice_world::Orders::of(role.agent, order).with_conduct(&role.others);
        self.world.advance(scenario, &orders, tick, &mut ());
    }

    /// How far the player is from where it was expected, if that is too far.
    pub(crate) fn astray(&self, scenario: &Scenario, world: &World) -> Option<f64> {
        let expected = self.world.position(AgentId::PLAYER, scenario);
        let distance = expected.distance_to(world.position(AgentId::PLAYER, scenario));
        (distance > ASTRAY).then_some(distance)
    }
}
