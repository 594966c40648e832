//! Everything that `experience` promises, in one program: linking one takes longer than running most of it.
//! Tests that count allocations have programs of their own.

mod map;

mod broken_logs_are_errors;
mod distances_of_lines;
mod experience_graph;
mod fast_equals_plain;
mod golden_estimates;
mod heuristics_keep_their_promise;
mod hostile_demonstrations;
mod in_order;
mod lint_finds_what_is_wrong;
mod simplified_demonstrations_keep_what_matters;
mod slices_learn_the_same;
mod training_graph;
