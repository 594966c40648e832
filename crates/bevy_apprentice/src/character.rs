//! What an entity has that is a character: what the game says of it, and what it is told.

use std::fmt;
use std::time::Duration;

use apprentice::behavior::Doing;
use apprentice::world::Order as Deed;
use apprentice_session::{AskedGoal, AskedSettings, Near};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;

/// Makes an entity a character of the level. Without it, or without the entity, it leaves; changed, it
/// begins anew.
///
/// Where it begins is where it is [`Observed`] to be; otherwise where the level says. It is after the
/// goal of the level, unless it [`Pursues`] another or has a [`Task`].
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[require(Order, PlanState)]
pub struct Character {
    /// Who it is in the level: the character at `start` if not given. Any number of entities may be the
    /// same one, each in a world of its own.
    pub agent: Option<String>,
    /// The planner and its numbers.
    pub settings: AskedSettings,
    /// How long it walks before it looks whether its plan still holds; a sixth of a second if not given.
    pub looks_every: Option<Duration>,
    /// Whether nothing that was shown counts.
    pub no_demos: bool,
}

/// What a character is after, if that is not the goal of the level. May be changed at any time.
///
/// ```
/// use bevy_apprentice::{AskedGoal, Pursues};
///
/// let thief = Pursues(AskedGoal::Holds("amulet".to_owned()));
/// let guest = Pursues::within(bevy_math::Vec2::new(4.0, 1.0), 0.5);
/// # let _ = (thief, guest);
/// ```
#[derive(Component, Clone, Debug, PartialEq)]
pub struct Pursues(pub AskedGoal);

impl Pursues {
    /// To be within a radius of a point, in the coordinates of the level.
    pub fn within(at: Vec2, radius: f32) -> Pursues {
        Pursues(AskedGoal::Within(Near {
            at: vec![f64::from(at.x), f64::from(at.y)],
            radius: f64::from(radius),
        }))
    }
}

/// What a character is to do, in the words of the [domain of tasks](crate::Apprentices::with_tasks). One
/// step after the other becomes its goal, and whatever it [`Pursues`] waits. Inserted again, it begins
/// again.
///
/// ```
/// use bevy_apprentice::Task;
///
/// let heist = Task::new("ordered(Heist())");
/// assert_ne!(heist, Task::default());
/// ```
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Task {
    /// What is to be done; the goal of the domain's own problem if not given. A domain that has a
    /// problem has no other goal.
    pub goal: Option<String>,
}

impl Task {
    /// To do this: `ordered(Heist())`.
    pub fn new(goal: &str) -> Task {
        let goal = Some(goal.to_owned());
        Task { goal }
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.goal {
            Some(goal) => write!(f, "`{goal}`"),
            None => f.write_str("the problem of the tasks"),
        }
    }
}

/// How many times as much a character may spend as others, and how many times sooner its turn comes.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Importance(pub u32);

/// What the game sees of a character, in the coordinates of the level. To be kept right by the game: in
/// every frame, everything that is given counts, whatever the plugin thought. What is not given is
/// taken to go as it was ordered.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// Where it is. On the way from place to place it need not be exact: less than three quarters of a
    /// step off is taken for on its way.
    pub at: Option<Vec2>,
    /// How high it stands, where floors lie above each other.
    pub height: Option<f32>,
    /// From 0, which is dead.
    pub health: Option<f32>,
    /// The ids of all it holds.
    pub holding: Option<Vec<String>>,
}

impl Observed {
    /// Somewhere, and nothing else is known.
    pub fn at(at: Vec2) -> Observed {
        Observed {
            at: Some(at),
            ..Observed::default()
        }
    }
}

/// What a character is to do now. Written by the plugin, and only when it changes; read by whatever
/// moves the game's bodies.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Order {
    /// The order itself, as plans have it, with how it is done: walking, sneaking, fighting. Its
    /// `Display` is what plans print: `walk east`. In the middle of a step it is already the next.
    pub deed: Deed,
    /// Where to be next, in the coordinates of the level: the place that its step leads to, or its own
    /// where it stays. None as long as it has not joined.
    pub to: Option<Vec2>,
    /// How high that is.
    pub height: f32,
    /// How fast to go there, in the level's units a second.
    pub speed: f32,
}

impl Default for Order {
    /// To wait.
    fn default() -> Order {
        Order {
            deed: Deed::WAIT,
            to: None,
            height: 0.0,
            speed: 0.0,
        }
    }
}

/// What a character is at. Written by the plugin, and only when it changes.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
pub struct PlanState {
    /// Whether it follows a plan, makes one, has arrived, is stuck or dead.
    pub doing: Doing,
    /// How many plans it has made so far.
    pub plans: u32,
    /// How many steps of its plan are still ahead.
    pub steps_ahead: usize,
    /// Why it is stuck, or left its last plan, or was refused.
    pub why: Option<String>,
    /// The step of its [`Task`] that it is at.
    pub task: Option<String>,
}

impl Default for PlanState {
    /// It has just come.
    fn default() -> PlanState {
        PlanState {
            doing: Doing::Thinking,
            plans: 0,
            steps_ahead: 0,
            why: None,
            task: None,
        }
    }
}
