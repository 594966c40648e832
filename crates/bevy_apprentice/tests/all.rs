//! All tests of the crate, in one program.

mod bodies;

mod a_thousand_in_one_budget;
mod orders_and_reasons;
mod plans_are_drawn;
mod reloads_keep_what_works;
mod tasks_lead_characters;
