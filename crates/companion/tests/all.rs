//! Everything that is promised about companions, in one program.

mod coop_cave;
mod noisy_runs;
mod the_cave_is_passed_together;
