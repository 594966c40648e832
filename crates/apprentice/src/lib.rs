//! Apprentice trains game characters by showing them. This crate only gathers the others.

pub use apprentice_search as search;
pub use apprentice_world as world;
