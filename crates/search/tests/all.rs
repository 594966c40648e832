//! Everything that `search` promises, in one program: linking one takes longer than running most of it.
//! Tests that count allocations have programs of their own.

mod graph;
mod grid;

mod bounds_hold;
mod broken_promises_are_found;
mod deadlines_are_kept;
mod dear_listings_are_paid;
mod edge_cases;
mod published_lengths;
mod replanning_equals_planning;
mod same_as_a_plain_scan;
mod slices_match_whole;
