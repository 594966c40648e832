//! What planning came to, told once for everybody: the command line, the studio, experiments and
//! bindings bring arguments and transport, and nothing else.
//!
//! [`run`] runs a search a slice at a time, by a clock that is handed in, and lives through what was
//! found. [`document`] is what programs read, [`schema`] says what such documents look like.
//! [`decision_log`] is what
//! games write of their characters. [`explanation`] and [`events`] are facts with ids, numbers and places; [`phrases`] is where they
//! become English. [`picture`] draws. [`trial`] lets a level be
//! played and holds it against what is expected.

pub mod decision_log;
pub mod document;
pub mod events;
pub mod explanation;
pub mod numbers;
pub mod phrases;
pub mod picture;
mod report;
pub mod run;
pub mod schema;
pub mod trial;
pub mod visible;

pub use report::{Limits, Report};
