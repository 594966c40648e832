//! Why a character waits, and when it looks again.

use std::fmt;
use std::time::Duration;

use apprentice_world::{AgentId, Invalid, Scenario, World};

use crate::deviation::{enemy_elsewhere, flag_that_differs, living_enemies};
use crate::plan::{is_standing, spot};

/// Why a character waits.
///
/// ```
/// use apprentice_behavior::WhyStuck;
///
/// assert_eq!(WhyStuck::NoPlan.to_string(), "there is no plan");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum WhyStuck {
    /// It was proven that there is no plan. [`NoWay`](crate::NoWay) says what stands in the way.
    NoPlan,
    /// Every plan there is comes to grief when it is rehearsed; the best of them like this.
    Doubtful(Invalid),
    /// There may be a plan, but looking for it took more than the character has
    /// [patience](crate::Executor::with_patience) for.
    GaveUp {
        /// So many states were looked at.
        expanded: u64,
    },
    /// It went to and fro and came no nearer to its goal.
    Pacing,
}

impl fmt::Display for WhyStuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhyStuck::NoPlan => f.write_str("there is no plan"),
            WhyStuck::Doubtful(why) => write!(f, "the best plan comes to grief: {why}"),
            WhyStuck::GaveUp { expanded } => {
                write!(f, "no plan was found among {expanded} states")
            }
            WhyStuck::Pacing => f.write_str("it went to and fro and came no nearer"),
        }
    }
}

/// A character that waits for the world to change.
pub(crate) struct Stuck {
    pub(crate) why: WhyStuck,
    /// The world that was thought about.
    pub(crate) world: World,
    /// When small changes are worth another look.
    again_at: Duration,
    /// Whether enemies moved while it thought, again and again: where they are is a small change then.
    pub(crate) enemies_move: bool,
}

/// How the world has changed since a character got stuck.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// Not at all, or not yet long enough.
    None,
    /// In something that is never the same again by itself.
    Small,
    /// In something that plans depend on.
    Great,
}

/// After the first time somebody looks again for small changes after this, then after twice as long,
/// and so on.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(16);

impl Stuck {
    /// Somebody who is stuck for the `times`th time without anything great having changed.
    pub(crate) fn new(why: WhyStuck, thought_about: World, now: Duration, times: u32) -> Stuck {
        let pause = FIRST_PAUSE.saturating_mul(1 << times.min(10));
        Stuck {
            why,
            world: thought_about,
            again_at: now + pause.min(LONGEST_PAUSE),
            enemies_move: false,
        }
    }

    /// How the world has changed.
    pub(crate) fn change(&self, scenario: &Scenario, world: &World) -> Change {
        let then = &self.world;
        let is_elsewhere = is_standing(world) && spot(scenario, world) != spot(scenario, then);
        let health = |world: &World, agent| world.health(agent, scenario);
        let weaker = |enemy: &AgentId| health(world, *enemy) < health(then, *enemy);
        if is_elsewhere
            || flag_that_differs(scenario, world, &[then]).is_some()
            || health(world, AgentId::NPC) != health(then, AgentId::NPC)
            || living_enemies(scenario, world).any(|enemy| weaker(&enemy))
            || !self.enemies_move && enemy_elsewhere(scenario, world, then).is_some()
        {
            return Change::Great;
        }
        if world.time() < self.again_at {
            return Change::None;
        }
        // Whoever goes to and fro stops for a while; then it may well be over.
        let was_pacing = self.why == WhyStuck::Pacing;
        if was_pacing || goes_by_the_clock(scenario) || has_moved(scenario, world, then) {
            Change::Small
        } else {
            Change::None
        }
    }
}

/// Whether something opens, shuts or moves by itself.
fn goes_by_the_clock(scenario: &Scenario) -> bool {
    !scenario.obstacles().is_empty() || scenario.doors().iter().any(|door| door.cycle.is_some())
}

/// Whether anybody else is elsewhere, or up to something else.
fn has_moved(scenario: &Scenario, world: &World, then: &World) -> bool {
    let actors = (1..scenario.actors().len() as u16).map(AgentId::Actor);
    let mut others = actors.chain(living_enemies(scenario, world));
    others.any(|agent| {
        world.position(agent, scenario) != then.position(agent, scenario)
            || world.mode(agent, scenario) != then.mode(agent, scenario)
    })
}
