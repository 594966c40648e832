//! Everything that is promised about companions, in one program.

mod caves;
mod noisy_players;
mod noisy_runs;
mod play;
mod the_cave_is_passed_together;
