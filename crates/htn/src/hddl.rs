//! HDDL, the language of the planning competitions' task networks: reading, planning, checking.

mod compile;
mod expression;
mod mistake;
mod model;
mod plan_file;
mod read;
mod scope;
mod search;
mod verify;

pub use compile::{compile, plan_file};
pub use mistake::{Mistake, Mistakes, Place};
pub use model::{
    Body, Domain, Effect, Formula, Id, Method, OBJECT, Object, Parameter, Predicate, Problem,
    Subtask, Task, Term, Type,
};
pub use plan_file::{Decomposition, PlanFile, Step};
pub use read::{read_domain, read_problem};
pub use search::{Outcome, Planner};
pub use verify::{Refusal, Verdict, verify};

/// Tables with a fast hash. Their order is never looked at.
type FxHashMap<K, V> = std::collections::HashMap<K, V, rustc_hash::FxBuildHasher>;
type FxHashSet<K> = std::collections::HashSet<K, rustc_hash::FxBuildHasher>;
