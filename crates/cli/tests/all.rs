//! Everything that `cli` promises, in one program: linking one takes longer than running most of it.
//! Tests that count allocations have programs of their own.

mod command;

mod demonstrations_are_recorded_and_used;
mod engines_are_served;
mod every_ending_has_its_exit_code;
mod every_plan_passes_verify;
mod experiments_are_run;
mod files_are_whole;
mod golden_record;
mod hddl_problems_are_planned;
mod mistakes_say_what_where_and_what_to_try;
mod pictures_are_well_formed;
mod players_are_understood;
mod ratings_are_told;
mod task_networks;
mod the_book_is_right;
mod the_study_loses_no_answer;
