//! What engines without Rust are told by Apprentice: levels, characters and tasks, asked for by name.
//!
//! The command line's `apprentice serve --stdio` speaks to a [`Session`], one JSON document a line; the
//! bindings for C and Python use the parts behind it. All of them plan by [`plan`] and play by
//! [`Cast`], so that they answer alike.
//!
//! ```
//! use std::time::Duration;
//! use apprentice_session::Session;
//!
//! let clock = || Duration::ZERO;
//! let mut session = Session::new(&clock);
//! let level = r#"{"n":1,"do":"level","level":"hall","text":"format = 1\nstart = [0, 0]\ngoal = { within = { at = [2, 0], radius = 0.0 } }\nmap = { rows = ['...'] }"}"#;
//! assert!(session.answer(level).starts_with(r#"{"n":1,"is":"level","level":"hall""#));
//! session.answer(r#"{"do":"character","level":"hall","character":"anna"}"#);
//! let orders = session.answer(r#"{"do":"tick","level":"hall","seconds":0.1,"units":500}"#);
//! assert!(orders.contains(r#""order":"walk east fighting""#), "{orders}");
//! // What makes no sense is answered, too, and the session goes on.
//! assert!(session.answer("hello").contains(r#""is":"error""#));
//! ```

mod cast;
mod goals;
mod levels;
mod own_game;
mod planning;
mod protocol;
mod recognising;
mod refusal;
mod rooms;
mod session;
mod settings;
mod tasks;
mod verifying;

/// How much time has passed since some moment. Nothing but the times in documents depends on it.
pub type Clock<'c> = &'c (dyn Fn() -> std::time::Duration + Sync);

pub use cast::{Cast, Intention, Observation, Recruit, Spent, Told};
pub use goals::{AskedGoal, Near, SomebodyNear};
pub use levels::NamedLevel;
pub use own_game::{Lock, OwnGame, OwnPlan, OwnRules, OwnStep, Pushed, Way, plan_own_game};
pub use planning::{DEFAULT_UNITS, MEMORY, PlanAsk, plan, plan_with};
pub use protocol::{Answer, LINES, Question, Reply, Request, Seen};
pub use recognising::Sightings;
pub use refusal::{Code, Refusal};
pub use rooms::{ExplorerAsk, LookAsk, PlanRoomsAsk, RoomsPlanAnswer, StepAnswer};
pub use session::Session;
pub use settings::AskedSettings;
pub use tasks::{TaskAsk, Tasks};
pub use verifying::{Verdict, verify};
