//! How a world differs from what was expected of it.

use std::fmt;

use apprentice_world::{AgentId, Door, DoorId, ItemId, LeverId, Scenario, Thing, World};

/// An enemy farther than this from where it was expected has made the plan worthless.
pub(crate) const ELSEWHERE: f64 = 3.0;

/// How the world differs from what a plan expected.
///
/// ```
/// use apprentice_behavior::Deviation;
///
/// assert_eq!(Deviation::Blocked.to_string(), "the way is blocked");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Deviation {
    /// A step came to nothing.
    Blocked,
    /// The character is not where it should be by now.
    Astray {
        /// How far from there it is.
        distance: f64,
    },
    /// A thing is not as it should be: held, lying, open, pulled or alive.
    Flag {
        /// What the scenario calls it.
        id: String,
        /// How it is.
        is: &'static str,
    },
    /// An enemy is not where it was expected.
    EnemyElsewhere {
        /// What the scenario calls it.
        id: String,
        /// How far from there it is.
        distance: f64,
    },
    /// An enemy is after the character earlier than expected.
    Noticed {
        /// What the scenario calls it.
        id: String,
    },
    /// The character has less health than expected.
    Hurt {
        /// How much less.
        lost: f64,
    },
    /// The plan has been carried out and the goal is not met.
    NotThere,
    /// Something that never changes in a run was changed.
    LevelChanged,
    /// It was told to do something else.
    NewGoal,
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Deviation::Blocked => f.write_str("the way is blocked"),
            Deviation::Astray { distance } => {
                write!(f, "{distance:.1} away from where it should be")
            }
            Deviation::Flag { id, is } => write!(f, "`{id}` is {is}"),
            Deviation::EnemyElsewhere { id, distance } => {
                write!(f, "`{id}` is {distance:.1} away from where it was expected")
            }
            Deviation::Noticed { id } => write!(f, "`{id}` attacks earlier than expected"),
            Deviation::Hurt { lost } => write!(f, "it has {lost:.0} health less than expected"),
            Deviation::NotThere => f.write_str("the plan is over and the goal is not met"),
            Deviation::LevelChanged => f.write_str("the level has changed"),
            Deviation::NewGoal => f.write_str("there is something else to do"),
        }
    }
}

/// The first thing that is as none of the expected worlds says, and stays so by itself: doors that go
/// by the clock don't count.
pub(crate) fn lasting_flag_that_differs(
    scenario: &Scenario,
    world: &World,
    expected: &[&World],
) -> Option<Deviation> {
    flag_among(scenario, world, expected, |door| door.cycle.is_none())
}

/// The first thing that is as none of the expected worlds says.
pub(crate) fn flag_that_differs(
    scenario: &Scenario,
    world: &World,
    expected: &[&World],
) -> Option<Deviation> {
    flag_among(scenario, world, expected, |_| true)
}

fn flag_among(
    scenario: &Scenario,
    world: &World,
    expected: &[&World],
    counts: impl Fn(&Door) -> bool,
) -> Option<Deviation> {
    let flag = |id: &str, is: &'static str| {
        Some(Deviation::Flag {
            id: id.to_owned(),
            is,
        })
    };
    for (number, item) in (0..).zip(scenario.items()) {
        let item_id = ItemId::new(number);
        let look = |world: &World| (world.holds(AgentId::NPC, item_id), world.is_lying(item_id));
        if expected
            .iter()
            .all(|world_then| look(world_then) != look(world))
        {
            return flag(
                &item.id,
                match look(world) {
                    (true, _) => "held",
                    (_, true) => "lying where it lay",
                    _ => "gone",
                },
            );
        }
    }
    for (number, door) in (0..).zip(scenario.doors()) {
        let door_id = DoorId::new(number);
        let is_open = world.is_open(door_id);
        if counts(door) && expected.iter().all(|then| then.is_open(door_id) != is_open) {
            return flag(&door.id, if is_open { "open" } else { "shut" });
        }
    }
    for (number, lever) in (0..).zip(scenario.levers()) {
        let lever_id = LeverId::new(number);
        let is_on = world.is_on(lever_id);
        if expected.iter().all(|then| then.is_on(lever_id) != is_on) {
            return flag(&lever.id, if is_on { "pulled" } else { "not pulled" });
        }
    }
    let enemies = (0..scenario.enemies().len() as u16).map(AgentId::Enemy);
    let actors = (0..scenario.actors().len() as u16).map(AgentId::Actor);
    for agent in actors.chain(enemies) {
        let is_dead = world.is_dead(agent, scenario);
        if expected
            .iter()
            .all(|then| then.is_dead(agent, scenario) != is_dead)
        {
            let id = scenario.id_of(Thing::Agent(agent));
            return flag(id, if is_dead { "dead" } else { "alive" });
        }
    }
    None
}

/// The first enemy that is far from where it was in another world.
pub(crate) fn enemy_elsewhere(scenario: &Scenario, world: &World, then: &World) -> Option<AgentId> {
    living_enemies(scenario, world).find(|enemy| {
        let (is, was) = (
            world.position(*enemy, scenario),
            then.position(*enemy, scenario),
        );
        is.distance_to(was) > ELSEWHERE
    })
}

/// The first enemy that is after the character, as in none of the expected worlds.
pub(crate) fn enemy_that_noticed(
    scenario: &Scenario,
    world: &World,
    expected: &[&World],
) -> Option<Deviation> {
    let enemy = hunters(scenario, world).find(|enemy| {
        let mut then = expected.iter();
        !then.any(|then| hunts(scenario, then, *enemy))
    })?;
    let id = scenario.id_of(Thing::Agent(enemy)).to_owned();
    Some(Deviation::Noticed { id })
}

/// Whether an enemy is after the character.
pub(crate) fn is_hunted(scenario: &Scenario, world: &World) -> bool {
    hunters(scenario, world).next().is_some()
}

/// The enemies that are after the character.
fn hunters<'w>(scenario: &'w Scenario, world: &'w World) -> impl Iterator<Item = AgentId> + 'w {
    living_enemies(scenario, world).filter(|enemy| hunts(scenario, world, *enemy))
}

fn hunts(scenario: &Scenario, world: &World, enemy: AgentId) -> bool {
    world.target(enemy, scenario) == Some(AgentId::NPC)
}

/// Less health than in any of the expected worlds.
pub(crate) fn hurt(scenario: &Scenario, world: &World, expected: &[&World]) -> Option<Deviation> {
    let health = |world: &World| world.health(AgentId::NPC, scenario);
    let least = expected.iter().map(|then| health(then)).reduce(f64::min)?;
    let lost = least - health(world);
    (lost > 0.0).then_some(Deviation::Hurt { lost })
}

pub(crate) fn living_enemies<'w>(
    scenario: &'w Scenario,
    world: &'w World,
) -> impl Iterator<Item = AgentId> + 'w {
    (0..scenario.enemies().len() as u16)
        .map(AgentId::Enemy)
        .filter(|enemy| !world.is_dead(*enemy, scenario))
}
