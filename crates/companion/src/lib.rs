//! A character that accompanies a player.
//!
//! A level tells how players of each style go about it ([`Style`](apprentice_world::Style)). A
//! [`Companion`] watches what the player does ([`Deeds`]) and where they are going, believes which
//! style that is, takes the player to go on so, and plans for both; when it comes to believe otherwise,
//! it changes its plan and says why. [`Follower`] is the companion of rules it has to be better than,
//! and a recording that is [replayed](apprentice_world::Replayed) the other.

mod aims;
mod companion;
mod courses;
mod deeds;
mod follower;
mod ghost;
mod prepared_style;
mod reflexes;
mod said;

mod cave;
mod noisy_player;
mod time_machine;
mod trial;

pub use cave::Cave;
pub use companion::{Companion, CompanionError, Watched};
pub use deeds::{Deeds, plays_of};
pub use follower::Follower;
pub use noisy_player::NoisyPlayer;
pub use said::Said;
pub use trial::{Escort, Terms, Trial};
