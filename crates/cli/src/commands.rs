//! What `apprentice` can be told to do.

pub(crate) mod demo;
pub(crate) mod experiment;
pub(crate) mod heuristic;
pub(crate) mod htn;
pub(crate) mod htn_hddl;
pub(crate) mod htn_verify;
pub(crate) mod plan;
pub(crate) mod playstyle;
pub(crate) mod rate;
pub(crate) mod recognise;
pub(crate) mod schema;
pub(crate) mod serve;
pub(crate) mod studio;
pub(crate) mod study;
pub(crate) mod verify;
pub(crate) mod verify_all;
