//! Everything that `htn` promises, in one program: linking one takes longer than running most of it.
//! Tests that count allocations have programs of their own.

mod semantics;
mod simplefps;

mod every_run_returns;
mod formatting_keeps_everything;
mod generated_is_up_to_date;
mod hopeless_is_hopeless;
mod mistakes_are_explained;
mod planning;
mod plans_are_carried_out;
mod plans_get_better_soon;
mod same_as_the_textbook;
mod saved_executors_go_on;
mod semantics_by_hand;
mod semantics_pages;
mod simplefps_plans;
mod tracing_stops_when_full;
