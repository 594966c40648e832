//! What is to be achieved.

use apprentice_search::Cost;

use crate::map::is_same_floor;
use crate::{AgentId, DoorId, ItemId, LeverId, Peril, Point};

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
    /// Another agent is.
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
}

/// What a goal, and an estimate, may ask about a moment in the world.
pub trait Situation {
    /// Where an agent is.
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
}

impl Goal {
    /// Whether it is achieved in this situation.
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
        match self {
            Goal::Within { at, height, radius } => {
                situation.position(AgentId::NPC).distance_to(*at) <= *radius
                    && is_on_floor(situation, AgentId::NPC, *height)
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
            Goal::Dead(agent) => situation.is_dead(*agent),
            Goal::Holds(item) => situation.holds(*item),
            Goal::LeverOn(lever) => situation.is_on(*lever),
            Goal::DoorOpen(door) => situation.is_open(*door),
            Goal::All(goals) => goals.iter().all(|goal| goal.is_met(situation)),
            Goal::Any(goals) => goals.iter().any(|goal| goal.is_met(situation)),
            Goal::Not(goal) => !goal.is_met(situation),
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
            Goal::All(goals) | Goal::Any(goals) => {
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
