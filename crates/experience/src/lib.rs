//! Demonstrations, and heuristics that follow them.
//!
//! A [`Demonstration`] is how someone did it: timed samples of places. It need not be reachable,
//! nor lie on any map. This crate knows no game: it sees places and the time between them.

mod demonstration;
mod demonstration_file;
mod lint;
mod place;
mod recorder;
mod relevance;
mod simplify;

pub use demonstration::{Demonstration, Sample, Stance};
pub use demonstration_file::{
    DemonstrationLog, Json, LogError, LogHeader, LogWrong, LoggedAgent, LoggedSample, ReadLog, Unit,
};
pub use lint::{Finding, Flaw, Ground, Lint, Severity};
pub use place::Place;
pub use recorder::Recorder;
pub use relevance::{Relevance, RelevanceFilter};
pub use simplify::{Kept, Simplification, TooManyChanges};
