//! Plans for characters whose designers say how things are done: tasks, the methods that do them,
//! and a planner that can be paused, improved and asked why.

mod agenda;
mod domain;
pub mod hddl;
mod loaded_domain;
pub mod model;
mod network;
mod plan;
mod planner;
mod trace;

pub use domain::{Domain, Fault, Label, Note, Refinements, Verdict};
pub use loaded_domain::{CannotLoad, HostFunction, LoadedDomain, LoadedState, LoadedTask};
pub use network::Network;
pub use plan::{Decomposition, Origin, Plan, Step, Taken};
pub use planner::{Aim, Effort, Improvement, Limit, Limits, Memory, Planner};
pub use trace::{Event, Happened, Trace};
