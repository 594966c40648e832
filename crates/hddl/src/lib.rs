//! HDDL, the language of the planning competitions' task networks: reading, planning, checking.
//!
//! [`read_domain`] and [`read_problem`] read files, [`Planner`] plans, [`PlanFile`] is a plan with
//! its decomposition, and [`verify`] checks one without any planning code. [`compile`] turns a
//! problem into the form that all front ends meet, for the planner of
//! [`apprentice_htn`](apprentice_htn::Planner).
//!
//! Networks must be totally ordered; types may be `either`; conditions may use `and`, `or`, `not`,
//! `imply`, `forall`, `exists` and `=`; effects may be conditional and universal. Numbers are not
//! read: every step counts one.

mod compile;
mod compiled_plan;
mod expression;
mod extent;
mod mistake;
mod model;
mod plan_file;
mod read;
mod scope;
mod search;
mod verify;

pub use compile::compile;
pub use compiled_plan::{is_added, plan_file};
pub use mistake::{Mistake, Mistakes, Place};
pub use model::{
    Body, Domain, Effect, Formula, Id, Method, OBJECT, Object, Parameter, Predicate, Problem,
    Subtask, Task, Term, Type,
};
pub use plan_file::{Decomposition, PlanFile, Step};
pub use read::{read_domain, read_problem};
pub use search::{CannotPlan, Planner};
pub use verify::{Refusal, Verdict, verify};

/// Tables with a fast hash. Their order is never looked at.
type FxHashMap<K, V> = std::collections::HashMap<K, V, rustc_hash::FxBuildHasher>;
type FxHashSet<K> = std::collections::HashSet<K, rustc_hash::FxBuildHasher>;
