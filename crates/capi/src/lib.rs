//! Apprentice for C: the functions of `apprentice.h`.
//!
//! Everything is asked for by handles (`handles.rs`), goes in and out by pointers with lengths
//! (`borders.rs`), and no panic leaves (`guard.rs`). What is done is done by `apprentice-session`, as
//! for everybody else.

mod borders;
mod guard;
mod handles;

mod cast;
mod game;
mod level;
mod status;
mod tasks;
mod text;

pub use cast::*;
pub use game::*;
pub use handles::{ApprenticeHandle, apprentice_free, apprentice_handles};
pub use level::*;
pub use status::*;
pub use tasks::*;
pub use text::*;
