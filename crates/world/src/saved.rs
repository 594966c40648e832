//! Worlds as they are saved, with `serde` in any format, and what a level looks at before it takes one
//! up.

use std::vec::IntoIter;

use apprentice_game::Savable;
use apprentice_search::saved::{LoadError, Version, unsound};
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::packed_world::can_be_told;
use crate::world::{ActorState, BeastState};
use crate::{
    AgentId, Branching, DoorId, Goal, ItemId, Leap, LeverId, Performer, Point, Scenario, Stance,
    World,
};

/// A world as it is saved: with the number of its level, in a format that has a version. Unlike
/// [`World::snapshot`] it tells everything, also in the middle of a step, and is not meant to be read by
/// people.
///
/// ```
/// use std::time::Duration;
/// use apprentice_world::{Direction, Gait, Order, Orders, SavedWorld, Scenario, Stance, World};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { within = { at = [4, 0], radius = 0.0 } }
///     map = { rows = ["....."] }
/// "#)?;
/// let mut world = World::new(&scenario);
/// let east = Orders::new(Order::Step(Direction::East, Stance::new(Gait::Walk)));
/// world.advance(&scenario, &east, Duration::from_millis(1_500), &mut ());
///
/// let text = serde_json::to_string(&world.save(&scenario))?;
/// let saved: SavedWorld = serde_json::from_str(&text)?;
/// assert_eq!(saved.load(&scenario)?, world);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedWorld {
    version: Version<1>,
    level: u64,
    world: World,
}

impl World {
    /// This world, to be written down.
    pub fn save(&self, scenario: &Scenario) -> SavedWorld {
        SavedWorld {
            version: Version,
            level: scenario.digest(),
            world: self.clone(),
        }
    }
}

impl SavedWorld {
    /// The world that was saved.
    ///
    /// # Errors
    ///
    /// If it is of another level, or cannot be a world of this one.
    pub fn load(self, scenario: &Scenario) -> Result<World, LoadError> {
        let (saved, given) = (self.level, scenario.digest());
        if saved != given {
            return Err(LoadError::AnotherLevel { saved, given });
        }
        scenario.check(&self.world).map_err(unsound)?;
        Ok(self.world)
    }
}

/// No game lasts longer, in nanoseconds: 146 years.
const LONGEST: u64 = 1 << 62;
/// The same in milliseconds.
const LATEST: u64 = LONGEST / 1_000_000;
/// No step takes longer, in nanoseconds: 13 days.
const LONGEST_STEP: u64 = 1 << 50;
/// No enemy is further than this from the place it is in or about to reach, in distances between
/// places.
const FARTHEST: f64 = 64.0;
/// Nobody is in better health.
const HEALTHIEST: f32 = 1e9;

impl Savable for Scenario {
    fn digest(&self) -> u64 {
        Scenario::digest(self)
    }

    fn digest_of(&self, who: &Performer) -> u64 {
        let mut digest = Digest::new();
        let role = who.role_in(self);
        digest.text(&format!("{:?}", role.agent));
        digest.number(role.others.digest());
        let abilities = who.abilities;
        let all_modes = abilities.branching == Branching::TwoHundredFiftySix;
        for switch in [all_modes, abilities.fights, abilities.waits] {
            digest.number(u64::from(switch));
        }
        if abilities.in_level(self).runs {
            digest.text("runs");
        }
        if abilities.branching == Branching::ThirtyTwo {
            digest.number(u64::from(abilities.branching.number()));
        }
        digest.value()
    }

    fn check(&self, world: &World) -> Result<(), String> {
        let counts = [
            ("who take orders", world.actors.len(), self.actors.len()),
            ("enemies", world.beasts.len(), self.tables.beasts.len()),
        ];
        for (what, saved, there_are) in counts {
            if saved != there_are {
                return Err(format!("it has {saved} {what}, and the level {there_are}"));
            }
        }
        let sets = [
            ("doors", world.doors, self.doors.len()),
            ("levers", world.levers, self.levers.len()),
            ("items", world.taken, self.items.len()),
            ("traps", world.sprung, self.bits_of_traps() as usize),
        ];
        for (what, set, count) in sets {
            if u64::from(set) >> count != 0 {
                return Err(format!("it has more {what} than the {count} of the level"));
            }
        }
        if world.time > LONGEST {
            return Err("it has lasted for more than a hundred years".to_owned());
        }
        world
            .actors
            .iter()
            .try_for_each(|it| self.check_actor(it))?;
        world.beasts.iter().try_for_each(|it| self.check_beast(it))
    }
}

impl Scenario {
    fn check_actor(&self, actor: &ActorState) -> Result<(), String> {
        let place = self.check_place(actor.place)?;
        if let Some(action) = actor.step {
            if self.map.follow(place, action).is_none() {
                return Err(format!("somebody leaves place {place} for nowhere"));
            }
            let takes = self.time_of(place, action, actor.stance);
            if actor.moved >= takes.min(LONGEST_STEP) {
                return Err(format!("somebody is beyond the end of a step from {place}"));
            }
        } else if actor.moved != 0 {
            return Err(format!("somebody stands in place {place} and goes on"));
        }
        if u64::from(actor.holding) >> self.items.len() != 0 {
            return Err("somebody holds more than there is".to_owned());
        }
        check_health(actor.health)?;
        check_health(actor.stamina)?;
        check_moment(actor.ready_at)
    }

    fn check_beast(&self, beast: &BeastState) -> Result<(), String> {
        let place = self.check_place(beast.place)?;
        // Not a number is not near either.
        let far = beast.at().distance_to(self.map.point_of(place));
        let is_near = far <= FARTHEST * self.map.spacing();
        if !is_near || !can_be_told(self, beast.at()) {
            return Err(format!(
                "an enemy is far from place {place}, where it should be"
            ));
        }
        if usize::from(beast.target) >= self.actors.len() {
            return Err("an enemy is after nobody there is".to_owned());
        }
        check_health(beast.health)?;
        check_moment(beast.ready_at)?;
        check_moment(beast.seen_at)
    }

    fn check_place(&self, place: u32) -> Result<usize, String> {
        let place = place as usize;
        match place < self.map.places() && self.map.is_walkable(place) {
            true => Ok(place),
            false => Err(format!("somebody is in place {place}, where nobody can be")),
        }
    }
}

fn check_health(health: f32) -> Result<(), String> {
    match health.abs() <= HEALTHIEST {
        true => Ok(()),
        false => Err(format!("somebody has a health of {health}")),
    }
}

fn check_moment(moment: u64) -> Result<(), String> {
    match moment <= LATEST {
        true => Ok(()),
        false => Err("somebody waits for more than a hundred years".to_owned()),
    }
}

impl From<Stance> for u8 {
    fn from(stance: Stance) -> u8 {
        stance.bits()
    }
}

/// A number that is no stance.
const NO_STANCE: &str = "nobody carries itself so";

impl TryFrom<u8> for Stance {
    type Error = &'static str;

    fn try_from(bits: u8) -> Result<Stance, &'static str> {
        let stance = Stance::from_bits(bits);
        // Running and sneaking at once is none, nor is what has bits besides.
        let gait = Stance::new(stance.gait()).heading_to(stance.heading());
        let gait = if stance.fights() {
            gait.fighting()
        } else {
            gait
        };
        let known = if stance.blocks() {
            gait.blocking()
        } else {
            gait
        };
        (known == stance).then_some(stance).ok_or(NO_STANCE)
    }
}

impl From<Leap> for u8 {
    fn from(leap: Leap) -> u8 {
        leap.number() << 6 | leap.stance().bits()
    }
}

impl TryFrom<u8> for Leap {
    type Error = &'static str;

    fn try_from(bits: u8) -> Result<Leap, &'static str> {
        Ok(Leap::new(bits >> 6, Stance::try_from(bits & 63)?))
    }
}

/// A part of a goal. A goal is saved as a list of them, each before those it is made of, so that no
/// format gets lost in the depth of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum GoalPart {
    Within {
        at: Point,
        #[serde(with = "apprentice_search::saved::maybe_real")]
        height: Option<f64>,
        #[serde(with = "apprentice_search::saved::real")]
        radius: f64,
    },
    AgentWithin {
        agent: AgentId,
        at: Point,
        #[serde(with = "apprentice_search::saved::maybe_real")]
        height: Option<f64>,
        #[serde(with = "apprentice_search::saved::real")]
        radius: f64,
    },
    Near {
        agent: AgentId,
        #[serde(with = "apprentice_search::saved::real")]
        radius: f64,
    },
    Dead(AgentId),
    Holds(ItemId),
    LeverOn(LeverId),
    DoorOpen(DoorId),
    /// Of so many that follow.
    All(u32),
    Any(u32),
    Not,
    InOrder(u32),
}

/// Goals may be nested this deeply.
const DEEPEST: u32 = 100;

impl From<Goal> for Vec<GoalPart> {
    fn from(goal: Goal) -> Vec<GoalPart> {
        let mut parts = Vec::new();
        write_down(goal, &mut parts);
        parts
    }
}

fn write_down(goal: Goal, parts: &mut Vec<GoalPart>) {
    let (part, inside) = match goal {
        Goal::Within { at, height, radius } => (GoalPart::Within { at, height, radius }, vec![]),
        Goal::AgentWithin {
            agent,
            at,
            height,
            radius,
        } => {
            let part = GoalPart::AgentWithin {
                agent,
                at,
                height,
                radius,
            };
            (part, vec![])
        }
        Goal::Near { agent, radius } => (GoalPart::Near { agent, radius }, vec![]),
        Goal::Dead(agent) => (GoalPart::Dead(agent), vec![]),
        Goal::Holds(item) => (GoalPart::Holds(item), vec![]),
        Goal::LeverOn(lever) => (GoalPart::LeverOn(lever), vec![]),
        Goal::DoorOpen(door) => (GoalPart::DoorOpen(door), vec![]),
        Goal::All(goals) => (GoalPart::All(goals.len() as u32), goals),
        Goal::Any(goals) => (GoalPart::Any(goals.len() as u32), goals),
        Goal::Not(goal) => (GoalPart::Not, vec![*goal]),
        Goal::InOrder(goals) => (GoalPart::InOrder(goals.len() as u32), goals),
    };
    parts.push(part);
    inside.into_iter().for_each(|goal| write_down(goal, parts));
}

impl TryFrom<Vec<GoalPart>> for Goal {
    type Error = &'static str;

    fn try_from(parts: Vec<GoalPart>) -> Result<Goal, &'static str> {
        let mut parts = parts.into_iter();
        let goal = read_back(&mut parts, 0)?;
        match parts.next() {
            None => Ok(goal),
            Some(_) => Err("a goal has parts that belong to nothing"),
        }
    }
}

fn read_back(parts: &mut IntoIter<GoalPart>, depth: u32) -> Result<Goal, &'static str> {
    if depth > DEEPEST {
        return Err("a goal is nested too deeply");
    }
    let Some(part) = parts.next() else {
        return Err("a goal ends too early");
    };
    let mut several = |count: u32| -> Result<Vec<Goal>, &'static str> {
        (0..count).map(|_| read_back(parts, depth + 1)).collect()
    };
    Ok(match part {
        GoalPart::Within { at, height, radius } => Goal::Within { at, height, radius },
        GoalPart::AgentWithin {
            agent,
            at,
            height,
            radius,
        } => Goal::AgentWithin {
            agent,
            at,
            height,
            radius,
        },
        GoalPart::Near { agent, radius } => Goal::Near { agent, radius },
        GoalPart::Dead(agent) => Goal::Dead(agent),
        GoalPart::Holds(item) => Goal::Holds(item),
        GoalPart::LeverOn(lever) => Goal::LeverOn(lever),
        GoalPart::DoorOpen(door) => Goal::DoorOpen(door),
        GoalPart::All(count) => Goal::All(several(count)?),
        GoalPart::Any(count) => Goal::Any(several(count)?),
        GoalPart::InOrder(count) => Goal::InOrder(several(count)?),
        GoalPart::Not => Goal::Not(Box::new(read_back(parts, depth + 1)?)),
    })
}

/// Something of which there are mostly few, for `#[serde(with = "…")]`.
pub(crate) mod few {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use smallvec::{Array, SmallVec};

    pub(crate) fn serialize<S: Serializer, A: Array<Item: Serialize>>(
        few: &SmallVec<A>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        few.as_slice().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, A: Array<Item: Deserialize<'de>>>(
        deserializer: D,
    ) -> Result<SmallVec<A>, D::Error> {
        // A list believes nobody who says how long it will be.
        let list = Vec::deserialize(deserializer)?;
        Ok(list.into_iter().collect())
    }
}
