//! Game characters that learn from demonstrations, as a plugin for [Bevy](https://bevy.org).
//!
//! The game tells what is so ([`Observed`], [`Seen`]), the plugin tells what everybody is to do
//! ([`Order`]) and what became of its plan ([`PlanState`], and messages). All characters together think
//! within one budget a frame. Nothing here moves anybody: bodies are the game's, and a `Transform` is
//! never read nor written.
//!
//! ```
//! use bevy_app::{App, Update};
//! use bevy_apprentice::{ApprenticePlugin, ApprenticeSystems, Apprentices, Arrived, Character};
//! use bevy_apprentice::{Observed, Order};
//! use bevy_ecs::prelude::*;
//! use bevy_math::Vec2;
//! use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
//! use std::time::Duration;
//!
//! const LEVEL: &str = "
//!     format = 1
//!     start = [0, 0]
//!     goal = { within = { at = [4, 1], radius = 0.0 } }
//!     map = { rows = ['.....', '.....'] }";
//!
//! /// Bodies walk as they are told, and say where they are.
//! fn walk(time: Res<Time>, mut bodies: Query<(&Order, &mut Observed)>) {
//!     for (order, mut body) in &mut bodies {
//!         let at = body.at.unwrap_or_default();
//!         let to = order.to.unwrap_or(at);
//!         body.at = Some(at.move_towards(to, order.speed * time.delta_secs()));
//!     }
//! }
//!
//! let mut app = App::new();
//! app.add_plugins((TimePlugin, ApprenticePlugin::default()))
//!     .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(16)))
//!     .insert_resource(Apprentices::read("hall", LEVEL)?)
//!     .add_systems(Update, walk.after(ApprenticeSystems::Report));
//! app.world_mut().spawn((Character::default(), Observed::at(Vec2::ZERO)));
//! while app.world().resource::<Messages<Arrived>>().is_empty() {
//!     app.update();
//! }
//! # Ok::<(), bevy_apprentice::Refusal>(())
//! ```

mod apprentices;
mod character;
mod drawing;
mod errand;
mod messages;
mod plugin;
mod watching;

pub use apprentices::Apprentices;
pub use character::{Character, Importance, Observed, Order, PlanState, Pursues, Task};
pub use drawing::{ApprenticeDrawingPlugin, Drawing, Line, LineOf};
pub use messages::{
    Arrived, NoPlan, Part, PlanBroke, PlanChanged, Refused, Reload, Reloaded, Seen, TaskBegun,
    TaskDone,
};
pub use plugin::{ApprenticePlugin, ApprenticeSystems};
pub use watching::ApprenticeWatchPlugin;

pub use apprentice::behavior::Doing;
pub use apprentice::world::Order as Deed;
pub use apprentice_session::{
    AskedGoal, AskedSettings, Cast, Near, Observation, Refusal, SomebodyNear, Spent,
};

/// What the README shows is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
