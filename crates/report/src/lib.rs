//! What planning came to, told once for everybody: the command line, the studio, experiments and
//! bindings bring arguments and transport, and nothing else.
//!
//! [`run`] runs a search a slice at a time, by a clock that is handed in, and lives through what was
//! found. [`document`] is what programs read, [`schema`] says what such documents look like.
//! [`explanation`] and [`events`] are facts with ids, numbers and places; [`phrases`] is where they
//! become English. [`picture`] draws.

pub mod document;
pub mod events;
pub mod explanation;
pub mod numbers;
pub mod phrases;
pub mod picture;
mod report;
pub mod run;
pub mod schema;
pub mod visible;

pub use report::{Limits, Report};
