//! What somebody is after, in the words of scenario files.

use apprentice::world::{AgentId, DoorId, Goal, GoalError, ItemId, LeverId, Scenario, Thing};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::levels::spot;
use crate::{Code, Refusal};

/// A goal, as scenario files write it: `{"holds":"amulet"}`, `{"all":[{"open":"vault"}, …]}`.
///
/// ```
/// use apprentice_session::{AskedGoal, NamedLevel};
///
/// let text = "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['...'] }";
/// let level = NamedLevel::read("hall", text, |_| Err(String::new()))?.level.scenario;
/// let goal = AskedGoal::Holds("amulet".to_owned()).goal(&level);
/// assert_eq!(goal.unwrap_err().to_string(), "there is no item `amulet`, nor any other");
/// # Ok::<(), apprentice_session::Refusal>(())
/// ```
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum AskedGoal {
    /// It is near a point.
    Within(Near),
    /// Somebody else is.
    AgentWithin(SomebodyNear),
    /// Somebody is dead.
    Dead(String),
    /// It holds an item.
    Holds(String),
    /// A lever was pulled.
    Lever(String),
    /// A door is open.
    Open(String),
    /// All of these.
    All(Vec<AskedGoal>),
    /// One of these.
    Any(Vec<AskedGoal>),
    /// Not this.
    Not(Box<AskedGoal>),
    /// These one after the other, each met once.
    InOrder(Vec<AskedGoal>),
}

/// A point, and how far is near enough.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Near {
    /// Two coordinates, or three with the height of the floor.
    pub at: Vec<f64>,
    /// In cells or metres; 2 if not given.
    #[serde(default = "usual_radius")]
    pub radius: f64,
}

/// Somebody, a point, and how far is near enough.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct SomebodyNear {
    /// Who.
    pub agent: String,
    /// Two coordinates, or three with the height of the floor.
    pub at: Vec<f64>,
    /// In cells or metres; 2 if not given.
    #[serde(default = "usual_radius")]
    pub radius: f64,
}

/// As in scenario files.
fn usual_radius() -> f64 {
    2.0
}

impl AskedGoal {
    /// The goal in a level.
    ///
    /// # Errors
    ///
    /// If something it is about is not there, or nobody can stand where it says.
    pub fn goal(&self, scenario: &Scenario) -> Result<Goal, Refusal> {
        let all = |goals: &[AskedGoal]| {
            let goals = goals.iter().map(|goal| goal.goal(scenario));
            goals.collect::<Result<Vec<Goal>, Refusal>>()
        };
        Ok(match self {
            AskedGoal::Within(near) => {
                let (at, height) = stands(scenario, &near.at, near.radius)?;
                let radius = near.radius;
                Goal::Within { at, height, radius }
            }
            AskedGoal::AgentWithin(near) => {
                let (at, height) = stands(scenario, &near.at, near.radius)?;
                Goal::AgentWithin {
                    agent: agent(scenario, &near.agent)?,
                    at,
                    height,
                    radius: near.radius,
                }
            }
            AskedGoal::Dead(name) => Goal::Dead(agent(scenario, name)?),
            AskedGoal::Holds(name) => Goal::Holds(item(scenario, name)?),
            AskedGoal::Lever(name) => Goal::LeverOn(lever(scenario, name)?),
            AskedGoal::Open(name) => Goal::DoorOpen(door(scenario, name)?),
            AskedGoal::All(goals) => Goal::All(all(goals)?),
            AskedGoal::Any(goals) => Goal::Any(all(goals)?),
            AskedGoal::InOrder(goals) => {
                let goal = Goal::InOrder(all(goals)?);
                let wrong = |error: GoalError| Refusal::new(Code::BadValue, error.to_string());
                goal.check(scenario).map_err(wrong)?;
                goal
            }
            AskedGoal::Not(goal) => Goal::Not(Box::new(goal.goal(scenario)?)),
        })
    }
}

fn stands(
    scenario: &Scenario,
    at: &[f64],
    radius: f64,
) -> Result<(apprentice::world::Point, Option<f64>), Refusal> {
    let spot = spot(at)?;
    if !(0.0..=1e6).contains(&radius) {
        let wrong = format!("a radius of {radius} makes no sense; give one from 0 to 1000000");
        return Err(Refusal::new(Code::BadValue, wrong));
    }
    let (point, height) = (spot.point(), spot.height);
    if scenario
        .map()
        .places_on_floor(point, height, radius)
        .is_empty()
    {
        let wrong = format!("nobody can stand within {radius} of {at:?}; try a larger radius");
        return Err(Refusal::new(Code::BadValue, wrong));
    }
    Ok((point, height))
}

/// The ids of all things of a kind.
fn ids(scenario: &Scenario, things: impl Iterator<Item = Thing>) -> Vec<String> {
    things
        .map(|thing| scenario.id_of(thing).to_owned())
        .collect()
}

fn missing(what: &str, name: &str, known: &[String]) -> Refusal {
    Refusal::no_such(what, name, known.iter().map(String::as_str))
}

/// Whoever goes by a name: those who take orders, and enemies.
pub(crate) fn agent(scenario: &Scenario, name: &str) -> Result<AgentId, Refusal> {
    match scenario.thing(name) {
        Some(Thing::Agent(agent)) => Ok(agent),
        _ => {
            let actors = (0..scenario.actors().len() as u16).map(AgentId::Actor);
            let enemies = (0..scenario.enemies().len() as u16).map(AgentId::Enemy);
            let known = ids(scenario, actors.chain(enemies).map(Thing::Agent));
            Err(missing("agent", name, &known))
        }
    }
}

pub(crate) fn item(scenario: &Scenario, name: &str) -> Result<ItemId, Refusal> {
    match scenario.thing(name) {
        Some(Thing::Item(item)) => Ok(item),
        _ => {
            let items = (0..scenario.items().len() as u8).map(ItemId::new);
            Err(missing(
                "item",
                name,
                &ids(scenario, items.map(Thing::Item)),
            ))
        }
    }
}

pub(crate) fn door(scenario: &Scenario, name: &str) -> Result<DoorId, Refusal> {
    match scenario.thing(name) {
        Some(Thing::Door(door)) => Ok(door),
        _ => {
            let doors = (0..scenario.doors().len() as u8).map(DoorId::new);
            Err(missing(
                "door",
                name,
                &ids(scenario, doors.map(Thing::Door)),
            ))
        }
    }
}

pub(crate) fn lever(scenario: &Scenario, name: &str) -> Result<LeverId, Refusal> {
    match scenario.thing(name) {
        Some(Thing::Lever(lever)) => Ok(lever),
        _ => {
            let levers = (0..scenario.levers().len() as u8).map(LeverId::new);
            Err(missing(
                "lever",
                name,
                &ids(scenario, levers.map(Thing::Lever)),
            ))
        }
    }
}
