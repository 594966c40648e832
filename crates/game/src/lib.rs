//! What a game tells those who plan in it.
//!
//! Whoever implements [`Game`] for a game of their own gets everything that plans with
//! demonstrations, keys and doors; with [`Live`], characters that carry plans out, notice when the
//! world goes another way, and make others; with [`Story`], explanations. `apprentice-world` implements
//! them for ours.

mod buckets;
mod condition;
mod distance_field;
mod estimates;
mod game;
mod ground;
mod landmark;
mod live;
mod peril;
mod prices;
mod quests;
mod refutation;
mod rehearsing;
#[cfg(feature = "serde")]
mod savable;
mod story;
mod sweep;
mod waypoints;
mod wraps;

pub use condition::Condition;
pub use distance_field::{DistanceField, OutwardField};
pub use estimates::{ShortestPath, StraightLine};
pub use game::{FULL_HEALTH, Game, Others, Survey};
pub use ground::{ENTRANCES, Ground, Pace, Step};
pub use landmark::{Aim, Landmark, LandmarkId};
pub use live::{Live, Severity, StepIn};
pub use peril::{Danger, Foes, Peril, SECONDS_FOR_HEALTH};
pub use prices::{BadPrice, Prices};
pub use quests::{Quests, Visit};
pub use refutation::{Refutation, Refuted};
pub use rehearsing::{PlannedStep, Rehearsing};
#[cfg(feature = "serde")]
pub use savable::Savable;
pub use story::{Because, Deed, Ears, Obstacle, PathStory, Story, Verb};
pub use sweep::{ByTime, Pricing, Sweep};
pub use waypoints::{WaypointError, Waypoints};
pub use wraps::Wraps;
