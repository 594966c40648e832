//! Everything that `hddl` promises, in one program: linking one takes longer than running most of it.
//! Tests that count allocations have programs of their own.

#[path = "../../search/tests/published_data/mod.rs"]
mod published_data;

mod competition_instances;
mod every_run_returns;
mod mistakes_are_explained;
mod plans_are_checked;
mod plans_are_found;
