//! Players who are no models: they change their style, wander, and stand still.

use std::time::Duration;

use apprentice_playstyle::Dice;
use apprentice_world::{
    AgentId, Direction, Gait, Order, PlayerModel, Scenario, Script, Stance, World,
};

/// A player who mostly plays as somebody of a style would, and now and then does not: three times in ten
/// it wanders about or stands still for some seconds, and once in ten it takes to another style.
///
/// Companions are tried with it: it is no model that they plan with.
#[derive(Clone, Debug)]
pub struct NoisyPlayer {
    models: Vec<PlayerModel>,
    style: usize,
    doing: Whim,
    until: Duration,
    memory: u32,
    dice: Dice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whim {
    Plays,
    Wanders,
    StandsStill,
}

impl NoisyPlayer {
    /// One who knows how these styles are played; the same for the same seed.
    pub fn new(models: Vec<PlayerModel>, seed: u64) -> NoisyPlayer {
        let mut dice = Dice::new(seed);
        NoisyPlayer {
            style: dice.below(models.len()),
            models,
            doing: Whim::Plays,
            until: Duration::from_secs(4 + dice.below(10) as u64),
            memory: 0,
            dice,
        }
    }

    /// The number of the style it takes to now.
    pub fn style(&self) -> usize {
        self.style
    }

    /// What it does now.
    pub fn order(&mut self, scenario: &Scenario, world: &World) -> Order {
        if world.time() >= self.until {
            let (doing, seconds) = match self.dice.below(10) {
                0 | 1 => (Whim::Wanders, 1 + self.dice.below(4)),
                2 => (Whim::StandsStill, 1 + self.dice.below(6)),
                3 => {
                    self.style = self.dice.below(self.models.len());
                    (Whim::Plays, 5)
                }
                _ => (Whim::Plays, 3 + self.dice.below(8)),
            };
            self.doing = doing;
            self.until = world.time() + Duration::from_secs(seconds as u64);
        }
        match self.doing {
            _ if world.is_under_way(AgentId::PLAYER) => under_way(world),
            Whim::StandsStill => Order::Wait(Stance::new(Gait::Walk).fighting()),
            Whim::Wanders => {
                let direction = Direction::ALL[self.dice.below(8)];
                Order::Step(direction, Stance::new(Gait::Walk).fighting())
            }
            Whim::Plays => as_shown(&self.models[self.style], scenario, world, &mut self.memory),
        }
    }
}

/// What a player does who plays as was shown, for those who have to give orders.
pub(crate) fn as_shown(
    model: &PlayerModel,
    scenario: &Scenario,
    world: &World,
    memory: &mut u32,
) -> Order {
    match world.is_under_way(AgentId::PLAYER) {
        true => under_way(world),
        false => model.order(scenario, world, AgentId::PLAYER, memory),
    }
}

/// Who is on the way is not asked, but must say something.
fn under_way(world: &World) -> Order {
    let stance = world.stance(AgentId::PLAYER);
    Order::Wait(stance.unwrap_or(Stance::new(Gait::Walk)))
}
