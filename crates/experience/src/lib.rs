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
mod lint;
mod memo;
mod moving_goal;
mod neighbors;
mod place;
mod recorder;
mod relevance;
mod segment;
mod segment_bvh;
mod shortcuts;
mod simplify;
mod stance;
mod track_builder;
mod training_graph;

pub use corridor::{Corridor, StartEdge};
pub use coverage::{NEAR, Whereabouts, coverage, distance_to_line};
pub use demonstration::{BadSample, Demonstration, Sample, SampleWrong, Stance};
pub use demonstration_file::{
    DemonstrationLog, Json, LogError, LogErrorKind, LogHeader, LoggedAgent, LoggedSample, ReadLog,
    Unit,
};
pub use distance::{Distance, Foot, Line, OpenGround, Straight, Ways, WaysTo};
pub use down_projected::{Cells, DownProjected};
pub use experience_graph::{ExperienceGraph, ExperienceMode, Pairing};
pub use fidelity::{Band, Fidelity, frechet_distance, warping_distance};
pub use graph::{DemonstrationGraph, DemonstrationGraphBuilder, Merging, Sighting, Trace, Way};
pub use in_order::{InOrder, InOrderBuilder, InOrderSettings, ProgressState, WithProgress};
pub use lint::{Finding, Flaw, Ground, Lint, Severity};
pub use memo::{Memo, Remember};
pub use moving_goal::{GoalPlace, GoalPlaces, MovingGoal, MovingGoalBuilder, MovingHint};
pub use place::Place;
pub use recorder::Recorder;
pub use relevance::{Relevance, RelevanceFilter};
pub use segment::Projection;
pub use segment_bvh::{Hint, Lookup};
pub use shortcuts::{Grounded, OnShortcuts, Shortcut, ShortcutState, WithShortcuts};
pub use simplify::{Kept, Simplification, TooManyChanges};
pub use training_graph::{
    Attribution, Guide, Journey, Pieces, TrainingGraph, TrainingGraphBuilder, TrainingSettings,
};
