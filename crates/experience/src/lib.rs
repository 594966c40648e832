//! Demonstrations, and heuristics that follow them.
//!
//! A [`Demonstration`] is how someone did it: timed samples of places. It need not be reachable,
//! nor lie on any map. This crate knows no game: it sees places and the time between them.

mod coverage;
mod demonstration;
mod demonstration_file;
mod place;

pub use coverage::{NEAR, Whereabouts, coverage, distance_to_line};
pub use demonstration::{Demonstration, Sample, Stance};
pub use demonstration_file::{
    DemonstrationLog, Json, LogError, LogHeader, LogWrong, LoggedAgent, LoggedSample, ReadLog, Unit,
};
pub use place::Place;
