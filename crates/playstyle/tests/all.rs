//! Everything that is promised about playstyles, in one program.

mod bad_logs_are_explained;
mod beliefs_follow_the_player;
mod fast_equals_plain;
mod made_up_players;
mod published_vectors;
mod starcraft;
mod styles_are_told_apart;
