//! Everything that is promised about companions, in one program.

mod belief_is_told_by_ways;
mod coop_cave;
mod danger_is_met_with_sense;
mod levels_change_under_a_companion;
mod noisy_runs;
mod the_cave_is_passed_together;
