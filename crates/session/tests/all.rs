//! Everything that `session` promises, in one program.

mod characters_do_what_they_do_elsewhere;
mod sessions_survive_anything;
