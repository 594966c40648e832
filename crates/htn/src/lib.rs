//! Plans for characters whose designers say how things are done: tasks, the methods that do them,
//! and a planner that can be paused, improved and asked why.

mod agenda;
pub mod compiled;
mod domain;
mod explain;
mod in_words;
pub mod language;
mod loaded_domain;
pub mod model;
mod network;
mod plan;
mod planner;
mod preferred_methods;
mod prefix;
mod request;
pub mod simplefps;
mod states;
mod statistics;
mod task_executor;
mod trace;

pub use domain::{
    Direction, Domain, Fault, Label, Note, Refinements, SortedWays, Verdict, digest_of,
};
pub use explain::{Explanation, explain};
pub use in_words::{Line, LineKind, explained_in_words, trace_in_words};
pub use loaded_domain::{
    CannotLoad, HostFunction, LoadedDomain, LoadedState, LoadedTask, generate_rust,
};
pub use network::Network;
pub use plan::{Decomposition, Origin, Plan, Step, Taken};
pub use planner::Planner;
pub use prefix::{Lookahead, Prefix, find_prefix, is_still_possible};
pub use request::{Aim, Improving, Limit, Limits, Memory};
pub use statistics::{Improvement, Statistics};
#[cfg(feature = "serde")]
pub use task_executor::saved::{SavableDomain, SavedExecutor};
pub use task_executor::{Next, Repairs, TaskExecutor};
pub use trace::{Event, Happened, Trace};
