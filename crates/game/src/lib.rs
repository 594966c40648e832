//! What a game tells those who plan in it.
//!
//! Whoever implements [`Game`] for a game of their own gets everything that plans with
//! demonstrations, keys and doors; `apprentice-world` implements it for ours.

mod buckets;
mod distance_field;
mod estimates;
mod game;
mod ground;
mod landmark;
mod peril;
mod sweep;
mod waypoints;

pub use distance_field::{DistanceField, OutwardField};
pub use estimates::{ShortestPath, StraightLine};
pub use game::{FULL_HEALTH, Game, Others, Survey};
pub use ground::{ENTRANCES, Ground, Pace, Step};
pub use landmark::{Aim, Landmark, LandmarkId};
pub use peril::{Danger, Foes, Peril, SECONDS_FOR_HEALTH};
pub use sweep::{ByTime, Pricing, Sweep};
pub use waypoints::{WaypointError, Waypoints};
