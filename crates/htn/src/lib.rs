//! A task planner: from what should be done to the steps that do it.

pub mod hddl;
