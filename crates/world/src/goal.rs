//! What is to be achieved.

use std::borrow::Cow;
use std::fmt;

use apprentice_search::Cost;

use crate::map::is_same_floor;
use crate::{AgentId, DoorId, ItemId, LeverId, Peril, Point, Scenario, Thing};

/// What is to be achieved: anything that can be said about places, items, levers, doors and the
/// dead. Partially specified: whatever it doesn't mention doesn't matter.
///
/// ```
/// use apprentice_world::{Goal, ItemId, Point};
///
/// let escape_with_the_amulet = Goal::All(vec![
///     Goal::Holds(ItemId::new(0)),
///     Goal::Within { at: Point::new(2.0, 3.0), height: None, radius: 1.0 },
/// ]);
/// # let _ = escape_with_the_amulet;
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        into = "Vec<crate::saved::GoalPart>",
        try_from = "Vec<crate::saved::GoalPart>"
    )
)]
pub enum Goal {
    /// The planned agent is at most `radius` away from a point.
    Within {
        /// The point.
        at: Point,
        /// How high the floor is on which it lies; `None` if it may be any floor there.
        height: Option<f64>,
        /// How far is near enough.
        radius: f64,
    },
    /// Somebody is, whoever is planned for.
    AgentWithin {
        /// Who.
        agent: AgentId,
        /// The point.
        at: Point,
        /// How high the floor is on which it lies; `None` if it may be any floor there.
        height: Option<f64>,
        /// How far is near enough.
        radius: f64,
    },
    /// The planned agent is at most `radius` away from somebody, on the same floor: near enough to talk
    /// to a character, who may walk about.
    Near {
        /// Whom.
        agent: AgentId,
        /// How far is near enough.
        radius: f64,
    },
    /// An agent is dead.
    Dead(AgentId),
    /// The planned agent holds something.
    Holds(ItemId),
    /// A lever was pulled.
    LeverOn(LeverId),
    /// A door is open.
    DoorOpen(DoorId),
    /// All of these; nothing to do if there are none.
    All(Vec<Goal>),
    /// At least one of these; impossible if there are none.
    Any(Vec<Goal>),
    /// Not this.
    Not(Box<Goal>),
    /// These one after the other: each is met once, after the one before it was, and need not stay so;
    /// the last one is met in the end if this is the whole goal. There is at most one such list in a goal, which is the goal or a part of what all, or any, are
    /// about; [`Goal::check`] says so.
    InOrder(Vec<Goal>),
}

/// What a goal, and an estimate, may ask about a moment in the world.
pub trait Situation {
    /// Whose situation this is: the planned agent.
    fn agent(&self) -> AgentId {
        AgentId::NPC
    }
    /// Whether there is such a thing. Nothing is true of what there is not.
    fn has(&self, thing: Thing) -> bool;
    /// Whether there is everything a goal is about. Whoever has seen to that beforehand need not
    /// look.
    fn has_all_of(&self, goal: &Goal) -> bool {
        let mut has_all = true;
        goal.for_each_leaf(&mut |leaf| {
            has_all &= leaf.thing().is_none_or(|thing| self.has(thing));
        });
        has_all
    }
    /// Where an agent is; [`Point::NOWHERE`] if there is no such agent.
    fn position(&self, agent: AgentId) -> Point;
    /// How high the floor is on which an agent is.
    fn height(&self, agent: AgentId) -> f64;
    /// Whether an agent is dead.
    fn is_dead(&self, agent: AgentId) -> bool;
    /// Whether the planned agent holds an item.
    fn holds(&self, item: ItemId) -> bool;
    /// Whether a lever was pulled.
    fn is_on(&self, lever: LeverId) -> bool;
    /// Whether a door is open.
    fn is_open(&self, door: DoorId) -> bool;
    /// The time until the planned agent can strike, and the time an enemy lives at least after the
    /// first blow.
    fn fight_left(&self, enemy: AgentId) -> (Cost, Cost);
    /// How the planned agent fares against whoever is after it.
    fn peril(&self) -> Peril;
    /// How many parts of a goal that has an order were met one after the other on the way here, as far
    /// as anybody remembers.
    fn parts_met(&self) -> usize {
        0
    }
}

impl Goal {
    /// A goal has at most so many parts that are to be met one after the other.
    pub const MOST_PARTS: usize = 15;

    /// Whether it is achieved in this situation. A goal about something that is not there never is,
    /// whatever else it says: [`Goal::check`] tells beforehand.
    ///
    /// ```
    /// use apprentice_world::{Goal, Scenario, World};
    ///
    /// let scenario = Scenario::parse(r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { within = { at = [2, 0], radius = 2.0 } }
    ///     [map]
    ///     rows = ["..."]
    /// "#)?;
    /// let world = World::new(&scenario);
    /// assert!(scenario.goal().is_met(&world.seen_in(&scenario)));
    /// assert!(!Goal::Any(vec![]).is_met(&world.seen_in(&scenario)));
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    #[inline]
    pub fn is_met<S: Situation>(&self, situation: &S) -> bool {
        situation.has_all_of(self) && self.is_true(situation)
    }

    #[inline]
    pub(crate) fn is_true<S: Situation>(&self, situation: &S) -> bool {
        match self {
            Goal::Within { at, height, radius } => {
                let agent = situation.agent();
                situation.position(agent).distance_to(*at) <= *radius
                    && is_on_floor(situation, agent, *height)
            }
            Goal::AgentWithin {
                agent,
                at,
                height,
                radius,
            } => {
                situation.position(*agent).distance_to(*at) <= *radius
                    && is_on_floor(situation, *agent, *height)
            }
            Goal::Near { agent, radius } => {
                let own = situation.agent();
                let distance = situation
                    .position(own)
                    .distance_to(situation.position(*agent));
                distance <= *radius
                    && is_same_floor(situation.height(own), situation.height(*agent))
            }
            Goal::Dead(agent) => situation.is_dead(*agent),
            Goal::Holds(item) => situation.holds(*item),
            Goal::LeverOn(lever) => situation.is_on(*lever),
            Goal::DoorOpen(door) => situation.is_open(*door),
            Goal::All(goals) => goals.iter().all(|goal| goal.is_true(situation)),
            Goal::Any(goals) => goals.iter().any(|goal| goal.is_true(situation)),
            Goal::Not(goal) => !goal.is_true(situation),
            // What is next may be met at once, and so may what comes then.
            Goal::InOrder(goals) => goals
                .iter()
                .skip(situation.parts_met())
                .all(|goal| goal.is_true(situation)),
        }
    }

    /// The parts that are to be met one after the other, if the goal has such.
    ///
    /// ```
    /// use apprentice_world::{Goal, ItemId};
    ///
    /// let first_this = Goal::InOrder(vec![Goal::Holds(ItemId::new(0)), Goal::Holds(ItemId::new(1))]);
    /// assert_eq!(first_this.order().map(<[Goal]>::len), Some(2));
    /// assert_eq!(Goal::All(vec![first_this]).order().map(<[Goal]>::len), Some(2));
    /// ```
    pub fn order(&self) -> Option<&[Goal]> {
        match self {
            Goal::InOrder(goals) => Some(goals),
            Goal::All(goals) | Goal::Any(goals) => goals.iter().find_map(Goal::order),
            _ => None,
        }
    }

    /// How many of its parts were met one after the other in a moment before which so many were. Where
    /// all of it is in order, the last part is met in the end, as any other goal is, and not counted.
    #[inline]
    pub(crate) fn parts_met_in(&self, before: usize, is_met: impl Fn(&Goal) -> bool) -> usize {
        let Some(goals) = self.order() else {
            return 0;
        };
        let counted = match self {
            Goal::InOrder(_) => goals.len().saturating_sub(1),
            _ => goals.len(),
        };
        let onward = goals[..counted].iter().skip(before);
        before + onward.take_while(|goal| is_met(goal)).count()
    }

    /// What is left of it once so many of its parts were met one after the other.
    pub(crate) fn without_parts(&self, met: usize) -> Goal {
        let inside = |goals: &[Goal]| {
            let left = goals.iter().map(|goal| goal.without_parts(met));
            left.collect::<Vec<Goal>>()
        };
        match self {
            Goal::InOrder(goals) => Goal::InOrder(goals.iter().skip(met).cloned().collect()),
            Goal::All(goals) => Goal::All(inside(goals)),
            Goal::Any(goals) => Goal::Any(inside(goals)),
            other => other.clone(),
        }
    }

    /// Parts in order within parts in order, straight within each other, are one list.
    pub(crate) fn in_order(goals: Vec<Goal>) -> Goal {
        let mut flat = Vec::with_capacity(goals.len());
        for goal in goals {
            match goal {
                Goal::InOrder(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        Goal::InOrder(flat)
    }

    /// How many lists of parts in order it has, and whether one of them is where none may be.
    fn orders(&self) -> (usize, bool) {
        let inside = |goals: &[Goal]| {
            let orders = goals.iter().map(Goal::orders);
            orders.fold((0, false), |(count, wrong), (more, also)| {
                (count + more, wrong || also)
            })
        };
        match self {
            Goal::All(goals) | Goal::Any(goals) => inside(goals),
            Goal::Not(goal) => {
                let (count, wrong) = goal.orders();
                (count, wrong || count > 0)
            }
            Goal::InOrder(goals) => {
                let (count, wrong) = inside(goals);
                (
                    count + 1,
                    wrong || count > 0 || goals.len() > Goal::MOST_PARTS,
                )
            }
            _ => (0, false),
        }
    }

    /// Whether a level has everything the goal is about, and all its numbers are numbers. What a file
    /// says was checked when it was read; this is for goals that a game makes.
    ///
    /// ```
    /// use apprentice_world::{AgentId, Goal, ItemId, Scenario};
    ///
    /// let scenario = Scenario::parse(r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { holds = "ring" }
    ///     map = { rows = ["..."] }
    ///     item = [{ id = "ring", at = [2, 0] }]
    /// "#)?;
    /// assert!(scenario.goal().check(&scenario).is_ok());
    /// let error = Goal::Holds(ItemId::new(7)).check(&scenario).unwrap_err();
    /// assert_eq!(error.to_string(), "the goal is about item 7, and the only item here is number 0");
    /// let error = Goal::Dead(AgentId::PLAYER).check(&scenario).unwrap_err();
    /// assert_eq!(error.to_string(), "the goal is about the player, and there is none here; give the level a [player]");
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    pub fn check(&self, scenario: &Scenario) -> Result<(), GoalError> {
        self.check_order()?;
        let mut result = Ok(());
        self.for_each_leaf(&mut |leaf| {
            if result.is_ok() {
                result = leaf.check_leaf(scenario);
            }
        });
        result
    }

    /// Whether it has one list of parts in order at most, where one may be.
    pub(crate) fn check_order(&self) -> Result<(), GoalError> {
        let (orders, is_wrong) = self.orders();
        match is_wrong || orders > 1 {
            true => Err(GoalError::Order),
            false => Ok(()),
        }
    }

    fn check_leaf(&self, scenario: &Scenario) -> Result<(), GoalError> {
        if let Some(thing) = self.thing().filter(|thing| !scenario.has(*thing)) {
            let count = scenario.count_of(thing);
            return Err(GoalError::Missing { thing, count });
        }
        let numbers = match self {
            Goal::Within { at, height, radius }
            | Goal::AgentWithin {
                at, height, radius, ..
            } => Some([at.x, at.y, height.unwrap_or(0.0), *radius]),
            Goal::Near { radius, .. } => Some([0.0, 0.0, 0.0, *radius]),
            _ => None,
        };
        if let Some(numbers) = numbers {
            let radius = numbers[3];
            let names = ["x", "y", "height", "radius"];
            let mut named = names.into_iter().zip(numbers);
            if let Some((what, found)) = named.find(|(_, number)| number.is_nan()) {
                return Err(GoalError::Number { what, found });
            }
            if radius < 0.0 {
                let (what, found) = ("radius", radius);
                return Err(GoalError::Number { what, found });
            }
        }
        Ok(())
    }

    /// What plans are made for: the goal, or one that nobody can achieve if it fails its check.
    pub(crate) fn checked(&self, scenario: &Scenario) -> Cow<'_, Goal> {
        match self.check(scenario) {
            Ok(()) => Cow::Borrowed(self),
            Err(_) => Cow::Owned(Goal::Any(Vec::new())),
        }
    }

    /// Whether it can no longer be achieved once somebody is dead, whatever else happens: the dead stay
    /// dead.
    pub(crate) fn needs_alive(&self, agent: AgentId) -> bool {
        match self {
            Goal::All(goals) => goals.iter().any(|goal| goal.needs_alive(agent)),
            Goal::Any(goals) => goals.iter().all(|goal| goal.needs_alive(agent)),
            Goal::Not(goal) => **goal == Goal::Dead(agent),
            // What was met once need not stay so.
            _ => false,
        }
    }

    /// What a part that is not made of others is about, if that is more than a place.
    fn thing(&self) -> Option<Thing> {
        match self {
            Goal::AgentWithin { agent, .. } | Goal::Near { agent, .. } | Goal::Dead(agent) => {
                Some(Thing::Agent(*agent))
            }
            Goal::Holds(item) => Some(Thing::Item(*item)),
            Goal::LeverOn(lever) => Some(Thing::Lever(*lever)),
            Goal::DoorOpen(door) => Some(Thing::Door(*door)),
            Goal::Within { .. } | Goal::All(_) | Goal::Any(_) | Goal::Not(_) | Goal::InOrder(_) => {
                None
            }
        }
    }

    /// Every part that is not made of others.
    pub fn leaves(&self) -> Vec<&Goal> {
        let mut leaves = Vec::new();
        self.for_each_leaf(&mut |leaf| leaves.push(leaf));
        leaves
    }

    /// Visits every part that is not made of others.
    pub(crate) fn for_each_leaf<'g>(&'g self, visit: &mut impl FnMut(&'g Goal)) {
        match self {
            Goal::All(goals) | Goal::Any(goals) | Goal::InOrder(goals) => {
                goals.iter().for_each(|goal| goal.for_each_leaf(visit));
            }
            Goal::Not(goal) => goal.for_each_leaf(visit),
            leaf => visit(leaf),
        }
    }
}

#[inline]
fn is_on_floor<S: Situation>(situation: &S, agent: AgentId, height: Option<f64>) -> bool {
    height.is_none_or(|height| is_same_floor(situation.height(agent), height))
}

/// Why nobody can achieve a goal in a level.
///
/// ```
/// use apprentice_world::{GoalError, DoorId, Thing};
///
/// let error = GoalError::Missing { thing: Thing::Door(DoorId::new(4)), count: 3 };
/// assert_eq!(error.to_string(), "the goal is about door 4, and the doors here have the numbers 0 to 2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GoalError {
    /// It is about something the level does not have.
    Missing {
        /// What it is about.
        thing: Thing,
        /// How many of the sort there are.
        count: usize,
    },
    /// A coordinate, a height or a radius is no number, or a radius is less than nothing.
    Number {
        /// Which of them.
        what: &'static str,
        /// What it is.
        found: f64,
    },
    /// It has more than one list of parts in order, or one that is too long, or where none may be.
    Order,
}

impl fmt::Display for GoalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (thing, count) = match self {
            GoalError::Number { what, found } => {
                let expected = match *what {
                    "radius" => "a number from 0 on",
                    _ => "a number",
                };
                return write!(f, "the {what} of the goal is {found}; give it {expected}");
            }
            GoalError::Order => {
                return write!(
                    f,
                    "a goal has one list of up to {} parts in order, and none within `not` or within \
                     one of those parts; name them in one list",
                    Goal::MOST_PARTS
                );
            }
            GoalError::Missing { thing, count } => (thing, *count),
        };
        if *thing == Thing::Agent(AgentId::PLAYER) {
            return f.write_str(
                "the goal is about the player, and there is none here; give the level a [player]",
            );
        }
        let (sort, sorts, number) = match thing {
            Thing::Item(item) => ("item", "items", item.index()),
            Thing::Door(door) => ("door", "doors", door.index()),
            Thing::Lever(lever) => ("lever", "levers", lever.index()),
            Thing::Agent(AgentId::Actor(actor)) => ("actor", "actors", usize::from(*actor)),
            Thing::Agent(AgentId::Enemy(enemy)) => ("enemy", "enemies", usize::from(*enemy)),
        };
        write!(f, "the goal is about {sort} {number}, and ")?;
        match count {
            0 => write!(f, "there are no {sorts} here"),
            1 => write!(f, "the only {sort} here is number 0"),
            _ => write!(f, "the {sorts} here have the numbers 0 to {}", count - 1),
        }
    }
}

impl std::error::Error for GoalError {}
