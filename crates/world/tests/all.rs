//! Everything that `world` promises, in one program: linking one takes longer than running most of it.
//! Tests that count allocations have programs of their own.

mod consistency;
mod dungeon;
mod golden;
#[path = "../../search/tests/published_data/mod.rs"]
mod published_data;

mod anybody_is_planned_for;
mod areas_count;
mod benchmark_maps_have_their_published_costs;
mod broken_scenarios_are_errors;
mod enemies_behave;
mod floors_are_apart;
mod goals_in_order;
mod goals_of_two;
mod harm_has_a_price;
mod heuristics_keep_their_promise;
mod hunts_are_paid;
mod ids_of_other_levels;
mod level_files_are_read;
mod long_runs_keep_time;
mod navmeshes_are_walked;
mod plans_pass_verification;
mod plans_run;
mod recordings_replay;
mod runs_begin_midway;
mod same_world_everywhere;
mod saved_worlds_are_the_same;
mod scenarios_keep_their_digests;
mod shipped_scenarios_are_sound;
mod still_quests_follow_the_rules;
mod successors_are_counted;
mod sweeps_find_the_cheapest;
mod the_world_keeps_its_laws;
mod things_work;
mod traps_hurt;
