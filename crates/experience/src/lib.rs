//! Demonstrations, and heuristics that follow them.
//!
//! A [`Demonstration`] is how someone did it: timed samples of places. It need not be reachable,
//! nor lie on any map. This crate knows no game: it sees places and the time between them.

mod corridor;
mod coverage;
mod demonstration;
mod demonstration_file;
mod distance;
mod down_projected;
mod experience_graph;
mod fidelity;
mod graph;
mod graph_ends;
mod in_order;
mod laying;
mod lint;
mod memo;
mod moving_goal;
mod neighbors;
mod place;
mod rail;
mod rail_boxes;
mod recorder;
mod relevance;
mod shortcuts;
mod simplify;
mod stance;
mod training_graph;

pub use corridor::{Corridor, StartEdge};
pub use coverage::{NEAR, Whereabouts, coverage, distance_to_line};
pub use demonstration::{BadSample, Demonstration, Sample, SampleWrong, Stance};
pub use demonstration_file::{
    DemonstrationLog, Json, LogError, LogHeader, LogWrong, LoggedAgent, LoggedSample, ReadLog, Unit,
};
pub use distance::{Distance, Foot, Line, OpenGround, Straight, Ways, WaysTo};
pub use down_projected::{Cells, DownProjected};
pub use experience_graph::{ExperienceGraph, ExperienceMode, Pairing};
pub use fidelity::{Band, Fidelity, frechet_distance, warping_distance};
pub use graph::{Adding, DemonstrationGraph, Merging, Sighting, Trace, Way};
pub use in_order::{InOrder, InOrderSettings, LearningInOrder, ProgressState, WithProgress};
pub use lint::{Finding, Flaw, Ground, Lint, Severity};
pub use memo::{Memo, Remember};
pub use moving_goal::{GoalPlace, GoalPlaces, LearningToChase, MovingGoal, MovingHint};
pub use place::Place;
pub use rail::Projection;
pub use rail_boxes::{Hint, Lookup};
pub use recorder::Recorder;
pub use relevance::{Relevance, RelevanceFilter};
pub use shortcuts::{Grounded, OnShortcuts, Shortcut, ShortcutState, WithShortcuts};
pub use simplify::{Kept, Simplification, TooManyChanges};
pub use training_graph::{
    Attribution, Guide, Journey, Learning, Pieces, TrainingGraph, TrainingSettings,
};
