//! Plays of a noisy player and whoever accompanies it, and what became of both.

use std::time::Duration;

use apprentice_behavior::Doing;
use apprentice_search::Budget;
use apprentice_world::{AgentId, Order, Orders, PlayerModel, World};

use crate::{Cave, Companion, CompanionError, Follower, NoisyPlayer, Said, Watched};

/// Who accompanies a player in a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escort {
    /// A [`Companion`].
    Companion,
    /// A [`Follower`], which knows rules and nothing else.
    Follower,
    /// What a companion did beside a player who went exactly as was shown of the style that this one sets
    /// out with, done again by the clock.
    Replay,
    /// Somebody who stays where it is.
    Nobody,
}

/// What a trial is played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Who accompanies the player.
    pub escort: Escort,
    /// What draws the player's whims.
    pub seed: u64,
    /// The tick of the game.
    pub tick: Duration,
    /// Units of budget for a frame.
    pub units: u64,
    /// How long is played at most.
    pub longest: Duration,
}

impl Default for Terms {
    /// With a companion, in ticks of 33 milliseconds of 2,000 units each, for five minutes.
    fn default() -> Terms {
        Terms {
            escort: Escort::Companion,
            seed: 1,
            tick: Duration::from_millis(33),
            units: 2_000,
            longest: Duration::from_secs(300),
        }
    }
}

/// What became of both in some trials.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trial {
    /// How many there were.
    pub plays: u64,
    /// In how many both arrived alive.
    pub together: u64,
    /// In how many the companion died.
    pub companion_deaths: u64,
    /// In how many the player died.
    pub player_deaths: u64,
    /// How often the companion changed its mind.
    pub changes: u64,
    /// Frames in which it knew no way, and said why.
    pub stuck: u64,
    /// Frames in which it knew no way, and did not say why.
    pub speechless: u64,
    /// The most units of budget that a frame took.
    pub most_units: u64,
    /// Frames that took more than they had.
    pub over_budget: u64,
    /// Seconds of the game, in all.
    pub seconds: f64,
}

impl Trial {
    /// Plays a level once.
    ///
    /// # Errors
    ///
    /// If nobody can be accompanied in it.
    pub fn play(cave: &Cave, terms: &Terms) -> Result<Trial, CompanionError> {
        let scenario = &cave.scenario;
        let mut companion = match terms.escort {
            Escort::Companion => Some(cave.companion()?),
            _ => None,
        };
        let mut follower = Follower::default();
        let mut models = Vec::new();
        for (style, shown) in scenario.styles().iter().zip(&cave.exemplars) {
            let model = PlayerModel::new(scenario, shown, style.stance);
            models.push(model.map_err(|error| CompanionError::Style {
                style: style.id.clone(),
                why: error.to_string(),
            })?);
        }
        let mut player = NoisyPlayer::new(models, terms.seed);
        let recording = match terms.escort {
            Escort::Replay => cave.recordings()?.get(player.style()),
            _ => None,
        };
        let (mut world, mut events) = (World::new(scenario), Vec::new());
        let mut trial = Trial {
            plays: 1,
            ..Trial::default()
        };
        while world.time() < terms.longest {
            let order = match (&mut companion, recording) {
                (Some(companion), _) => {
                    let mut budget = Budget::units(terms.units);
                    let watched = Watched {
                        world: &world,
                        events: &events,
                    };
                    let order = companion.decide(scenario, watched, &mut budget);
                    trial.look_at(companion, budget.taken(), terms.units);
                    order
                }
                (None, Some(recorded)) => recorded.order_at(world.time()),
                (None, None) if terms.escort == Escort::Follower => {
                    follower.decide(scenario, &world)
                }
                (None, None) => Order::WAIT,
            };
            if cave.is_over(&world) {
                break;
            }
            let asked = player.order(scenario, &world);
            events.clear();
            let orders = Orders::new(order).with_player(asked);
            world.advance(scenario, &orders, terms.tick, &mut events);
        }
        let is_dead = |agent| u64::from(world.is_dead(agent, scenario));
        trial.companion_deaths = is_dead(AgentId::NPC);
        trial.player_deaths = is_dead(AgentId::PLAYER);
        trial.changes = companion.map_or(0, |companion| u64::from(companion.changes()));
        trial.seconds = world.time().as_secs_f64();
        let both = [AgentId::NPC, AgentId::PLAYER];
        let are_there = both
            .into_iter()
            .all(|agent| cave.has_arrived(&world, agent));
        trial.together = u64::from(are_there);
        Ok(trial)
    }

    /// Counts what others came to, too.
    pub fn add(&mut self, other: &Trial) {
        self.plays += other.plays;
        self.together += other.together;
        self.companion_deaths += other.companion_deaths;
        self.player_deaths += other.player_deaths;
        self.changes += other.changes;
        self.stuck += other.stuck;
        self.speechless += other.speechless;
        self.most_units = self.most_units.max(other.most_units);
        self.over_budget += other.over_budget;
        self.seconds += other.seconds;
    }

    /// Looks at a frame.
    fn look_at(&mut self, companion: &Companion, taken: u64, units: u64) {
        self.most_units = self.most_units.max(taken);
        self.over_budget += u64::from(taken > units);
        if companion.character().doing() != Doing::Stuck {
            return;
        }
        let says = match companion.said() {
            Said::Stuck { why } | Said::NoWay { why, .. } => !why.is_empty(),
            Said::InDanger { .. } => true,
            _ => false,
        };
        if says {
            self.stuck += 1;
        } else {
            self.speechless += 1;
        }
    }
}
