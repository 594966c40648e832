//! What the game and the plugin tell each other, each once.

use std::collections::BTreeMap;

use apprentice_session::Observation;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;

/// Something in the level is so, says the game: a door, an item, a lever, somebody else. Whoever joins
/// later is told, too, and saying it again changes nothing.
///
/// ```
/// use bevy_apprentice::Seen;
///
/// let shut = Seen::door("gate", false);
/// assert_eq!(shut.by, None);
/// ```
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Seen {
    /// Who sees it; everybody if not given.
    pub by: Option<Entity>,
    /// What is so.
    pub what: Observation,
}

impl Seen {
    /// Everybody sees it.
    pub fn by_all(what: Observation) -> Seen {
        Seen { by: None, what }
    }

    /// Everybody sees whether a door is open.
    pub fn door(id: &str, open: bool) -> Seen {
        let id = id.to_owned();
        Seen::by_all(Observation::Door { id, open })
    }

    /// Everybody sees whether an item lies where it lay at the beginning.
    pub fn item(id: &str, lies: bool) -> Seen {
        let id = id.to_owned();
        Seen::by_all(Observation::Item { id, lies })
    }

    /// Everybody sees whether a lever was pulled.
    pub fn lever(id: &str, pulled: bool) -> Seen {
        let id = id.to_owned();
        Seen::by_all(Observation::Lever { id, pulled })
    }
}

/// The level, or the domain of tasks, is another from now on, says the game. If there is a mistake in
/// it, everything stays as it is, and [`Refused`] says what is wrong.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum Reload {
    /// The level, as a text, with the files it names.
    Level {
        /// That of a scenario file.
        text: String,
        /// What is in the files it names.
        files: BTreeMap<String, Vec<u8>>,
    },
    /// The domain of tasks, as texts with their names.
    Tasks(Vec<(String, String)>),
    /// The level, from the file it was [loaded](crate::Apprentices::load) from.
    LevelFile,
    /// The domain of tasks, from its files.
    TaskFiles,
}

/// A character has a plan, and follows it from now on.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct PlanChanged {
    /// Who.
    pub entity: Entity,
    /// How many plans it has made so far.
    pub plans: u32,
    /// How many steps this one has.
    pub steps: usize,
}

/// A character has left its plan.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct PlanBroke {
    /// Who.
    pub entity: Entity,
    /// Why, in words: "`gate` is shut".
    pub why: String,
}

/// A character is stuck: it has no plan, and waits for something to change.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct NoPlan {
    /// Who.
    pub entity: Entity,
    /// Why, in words.
    pub why: String,
}

/// A character has done what it was after.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// Who.
    pub entity: Entity,
}

/// A character begins a step of its [`Task`](crate::Task).
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct TaskBegun {
    /// Who.
    pub entity: Entity,
    /// The step: `Fetch(red)`.
    pub task: String,
}

/// A character has done all of its [`Task`](crate::Task).
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskDone {
    /// Who.
    pub entity: Entity,
}

/// What a refusal, or a reload, is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The level.
    Level,
    /// The domain of tasks.
    Tasks,
    /// A [`Character`](crate::Character): it has not joined.
    Character,
    /// A goal: the former one stays.
    Goal,
    /// A [`Task`](crate::Task): it has ended.
    Task,
    /// Something [`Seen`] or [`Observed`](crate::Observed): nobody has heard of it.
    Observation,
}

/// Something made no sense, or cannot be; everything else goes on.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What it is about.
    pub part: Part,
    /// Whom it is about, if it is about somebody.
    pub entity: Option<Entity>,
    /// What is wrong, and what to try.
    pub why: String,
}

/// The level, or the domain of tasks, was read anew.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reloaded {
    /// Which.
    pub part: Part,
}

/// All that the plugin tells.
#[derive(SystemParam)]
pub(crate) struct Tell<'w> {
    pub(crate) changed: MessageWriter<'w, PlanChanged>,
    pub(crate) broke: MessageWriter<'w, PlanBroke>,
    pub(crate) no_plan: MessageWriter<'w, NoPlan>,
    pub(crate) arrived: MessageWriter<'w, Arrived>,
    pub(crate) begun: MessageWriter<'w, TaskBegun>,
    pub(crate) done: MessageWriter<'w, TaskDone>,
    pub(crate) refused: MessageWriter<'w, Refused>,
    pub(crate) reloaded: MessageWriter<'w, Reloaded>,
}

impl Tell<'_> {
    pub(crate) fn refuse(&mut self, part: Part, entity: Option<Entity>, why: impl ToString) {
        let why = why.to_string();
        self.refused.write(Refused { part, entity, why });
    }
}
