//! Everything that is promised about goal recognition, in one program.

mod costs_equal_plain_search;
mod goals_are_recognised;
mod published_grid_problems;
