//! A run that can be replayed: which scenario, and who was asked to do what for how long.

use std::fmt::{self, Write};
use std::time::Duration;

use crate::{AgentId, BadOrder, Order, Orders, Replayed, Scenario, Witness, World};

/// A run that can be replayed to the same digest on every machine.
///
/// ```
/// use std::time::Duration;
/// use apprentice_world::{Direction, Gait, Order, Recording, Scenario, Stance, World};
///
/// # let scenario = Scenario::parse("format = 1\nname = 'hall'\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['...'] }").unwrap();
/// let mut world = World::new(&scenario);
/// let mut recording = Recording::begin(&scenario);
/// let east = Order::Step(Direction::East, Stance::new(Gait::Walk));
/// recording.advance(&mut world, &scenario, east, None, Duration::from_secs(1), &mut ());
///
/// let read_back: Recording = recording.to_string().parse()?;
/// assert_eq!(read_back.replay(&scenario).unwrap(), world);
/// # Ok::<(), apprentice_world::BadRecording>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// The version of its text: [`Recording::VERSION`] when it was made.
    pub version: u32,
    /// The scenario's name.
    pub name: String,
    /// The scenario's digest, as it was told in that version.
    pub scenario: u64,
    /// The scenario's seed.
    pub seed: u64,
    /// What was asked, in order.
    pub moments: Vec<Moment>,
    /// The digest of the world in the end.
    pub digest: u64,
}

/// Orders that were followed for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// For how long.
    pub duration: Duration,
    /// The planned agent's order.
    pub npc: Order,
    /// The player's; without one, the player follows the scenario's route.
    pub player: Option<Order>,
}

impl Moment {
    fn orders(&self) -> Orders<'static> {
        let orders = Orders::new(self.npc);
        self.player
            .map_or(orders, |player| orders.with_player(player))
    }
}

impl Recording {
    /// The version recordings have that are made now. The first named its scenario in a way that
    /// changed from program to program; the second told of its end also what lay in the past then.
    pub const VERSION: u32 = 3;

    /// Which of the [versions](Scenario::DIGEST_VERSION) of digests names its scenario.
    fn names_scenario_by(&self) -> u32 {
        self.version.min(2)
    }

    /// The recording of a run that has just begun.
    pub fn begin(scenario: &Scenario) -> Recording {
        Recording {
            version: Recording::VERSION,
            name: scenario.name().to_owned(),
            scenario: scenario.digest(),
            seed: scenario.seed(),
            moments: Vec::new(),
            digest: World::new(scenario).digest(),
        }
    }

    /// Advances a world and remembers how.
    pub fn advance<W: Witness + ?Sized>(
        &mut self,
        world: &mut World,
        scenario: &Scenario,
        npc: Order,
        player: Option<Order>,
        duration: Duration,
        witness: &mut W,
    ) {
        let moment = Moment {
            duration,
            npc,
            player,
        };
        world.advance(scenario, &moment.orders(), duration, witness);
        self.moments.push(moment);
        self.digest = world.digest();
    }

    /// What somebody was asked for, to be done again while others are planned for: `None` if it was
    /// asked for nothing, as all are but the first and the player.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use apprentice_world::{AgentId, Direction, Gait, Order, Recording, Scenario, Stance, World};
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['...'] }").unwrap();
    /// let mut world = World::new(&scenario);
    /// let mut recording = Recording::begin(&scenario);
    /// let east = Order::Step(Direction::East, Stance::new(Gait::Walk));
    /// recording.advance(&mut world, &scenario, east, None, Duration::from_secs(2), &mut ());
    /// let script = recording.script_of(AgentId::NPC, Duration::ZERO).expect("it was asked to go");
    /// assert_eq!(script.order_at(Duration::from_secs(1)), east);
    /// assert_eq!(recording.script_of(AgentId::PLAYER, Duration::ZERO), None);
    /// ```
    ///
    /// `began` is when the run that was recorded began.
    pub fn script_of(&self, agent: AgentId, began: Duration) -> Option<Replayed> {
        let (mut time, mut orders) = (began, Vec::new());
        for moment in &self.moments {
            orders.extend(match agent {
                AgentId::NPC => Some((time, moment.npc)),
                AgentId::PLAYER => moment.player.map(|order| (time, order)),
                _ => None,
            });
            time += moment.duration;
        }
        // Whoever was recorded has done what it did, and rests.
        let rest = Order::Wait(orders.last()?.1.stance());
        orders.push((time, rest));
        Some(Replayed::new(orders))
    }

    /// Lives through it again. The world it ends in has the digest it had.
    ///
    /// A recording that names its scenario in an older way cannot say beforehand that it was made
    /// in another one; it is held to its end alone.
    pub fn replay(&self, scenario: &Scenario) -> Result<World, ReplayError> {
        let digest = scenario.digest();
        let is_old = self.names_scenario_by() < Scenario::DIGEST_VERSION;
        if digest != self.scenario && !is_old {
            return Err(ReplayError::OtherScenario {
                name: self.name.clone(),
                recorded: self.scenario,
                found: digest,
            });
        }
        let mut world = World::new(scenario);
        for moment in &self.moments {
            world.advance(scenario, &moment.orders(), moment.duration, &mut ());
        }
        let digest = match self.version {
            ..=2 => world.digest_with_past(),
            _ => world.digest(),
        };
        match digest == self.digest {
            true => Ok(world),
            false if is_old => Err(ReplayError::OldRecording {
                name: self.name.clone(),
                version: self.version,
            }),
            false => Err(ReplayError::OtherEnd {
                recorded: self.digest,
                found: digest,
            }),
        }
    }
}

/// Longer moments would let a short text keep a machine busy for years.
const LONGEST: Duration = Duration::from_secs(3600);

/// Why a recording did not replay.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReplayError {
    /// It was made in another scenario, or in another version of this one.
    OtherScenario {
        /// The name of the scenario it was made in.
        name: String,
        /// The digest of the scenario it was made in.
        recorded: u64,
        /// The digest of this one.
        found: u64,
    },
    /// It is of a version that names its scenario otherwise, and the world ended differently: it was made in
    /// another scenario or version of it, or the rules have changed since.
    OldRecording {
        /// The name of the scenario it was made in.
        name: String,
        /// Its version.
        version: u32,
    },
    /// The world ended differently: the rules have changed since it was made.
    OtherEnd {
        /// The digest it ended with.
        recorded: u64,
        /// The digest it ends with now.
        found: u64,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::OtherScenario {
                name,
                recorded,
                found,
            } => write!(
                f,
                "the recording was made in the scenario {name:?} as it was then ({recorded:016x}), and this one differs ({found:016x}); use the file it was made with, or record it anew"
            ),
            ReplayError::OldRecording { name, version } => write!(
                f,
                "the recording, made in the scenario {name:?}, ends differently here; it is of an older version ({version}, now {}) that names its scenario otherwise, so that nobody can say whether the scenario or the rules have changed: use the file and the program it was made with, or record it anew",
                Recording::VERSION
            ),
            ReplayError::OtherEnd { recorded, found } => write!(
                f,
                "the recording ended in world {recorded:016x} and now ends in {found:016x}; the rules have changed since: use the program it was made with, or record it anew"
            ),
        }
    }
}

impl std::error::Error for ReplayError {}

/// A text that is no recording, with the line, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRecording {
    /// The line.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for BadRecording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for BadRecording {}

impl fmt::Display for Recording {
    /// One line for each moment: nanoseconds, the agent's order and, after a bar, the player's.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "recording {}", self.version)?;
        writeln!(
            f,
            "scenario {:016x} {}",
            self.scenario,
            self.name.replace('\n', " ")
        )?;
        writeln!(f, "seed {}", self.seed)?;
        for moment in &self.moments {
            write!(f, "{} {}", moment.duration.as_nanos(), moment.npc)?;
            if let Some(player) = moment.player {
                write!(f, " | {player}")?;
            }
            f.write_char('\n')?;
        }
        writeln!(f, "end {:016x}", self.digest)
    }
}

impl std::str::FromStr for Recording {
    type Err = BadRecording;

    /// Reads what `Display` writes.
    fn from_str(text: &str) -> Result<Recording, BadRecording> {
        let bad = |line: usize, message: &str| BadRecording {
            line: line + 1,
            message: message.to_owned(),
        };
        let mut lines = text.lines().enumerate();
        let mut next = |what: &str| lines.next().ok_or_else(|| bad(text.lines().count(), what));
        let (number, line) = next("the text is empty")?;
        let newest = Recording::VERSION;
        let version = line.strip_prefix("recording ");
        let version: Option<u32> = version.and_then(|version| version.parse().ok());
        let version = match version {
            Some(version) if version > newest => {
                let message = format!(
                    "this is a recording of version {version}, and the newest known here is {newest}; use a newer Apprentice"
                );
                return Err(bad(number, &message));
            }
            Some(version) if version > 0 => version,
            _ => {
                let message = format!("a recording begins with `recording {newest}`");
                return Err(bad(number, &message));
            }
        };
        let (number, line) = next("the scenario is missing")?;
        let scenario = line.strip_prefix("scenario ").and_then(|rest| {
            let (digest, name) = rest.split_once(' ').unwrap_or((rest, ""));
            Some((u64::from_str_radix(digest, 16).ok()?, name.to_owned()))
        });
        let (scenario, name) =
            scenario.ok_or_else(|| bad(number, "write `scenario`, its digest and its name"))?;
        let (number, line) = next("the seed is missing")?;
        let seed = line
            .strip_prefix("seed ")
            .and_then(|seed| seed.parse().ok());
        let seed = seed.ok_or_else(|| bad(number, "write `seed` and a whole number"))?;
        let mut moments = Vec::new();
        loop {
            let (number, line) = next("the line that begins with `end` is missing")?;
            if let Some(digest) = line.strip_prefix("end ") {
                let digest = u64::from_str_radix(digest, 16);
                let digest = digest.map_err(|_| bad(number, "write `end` and a digest"))?;
                return Ok(Recording {
                    version,
                    name,
                    scenario,
                    seed,
                    moments,
                    digest,
                });
            }
            let (duration, orders) = line.split_once(' ').unwrap_or((line, ""));
            let duration = duration.parse().map(Duration::from_nanos);
            let duration = duration.map_err(|_| bad(number, "write nanoseconds and an order"))?;
            if duration > LONGEST {
                return Err(bad(
                    number,
                    "an order lasts at most an hour; write it several times",
                ));
            }
            let (npc, player) = match orders.split_once('|') {
                Some((npc, player)) => (npc, Some(player)),
                None => (orders, None),
            };
            let order = |text: &str| {
                text.parse::<Order>()
                    .map_err(|error: BadOrder| bad(number, &error.to_string()))
            };
            moments.push(Moment {
                duration,
                npc: order(npc)?,
                player: player.map(order).transpose()?,
            });
        }
    }
}
