//! Levels as strangers make them, and what characters do in them.
//!
//! Nobody who plays with Apprentice depends on this crate: `cargo xtask` runs its programs, and its
//! tests hold planners and characters to what they promise on levels nobody made for them.

pub mod dice;
pub mod furnishing;
pub mod ground;
pub mod hand;
pub mod kept_seeds;
pub mod measure;
pub mod processor_time;
pub mod published;
pub mod results;
pub mod shape;
pub mod simulation;
pub mod stranger;
