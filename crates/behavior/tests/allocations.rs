//! What counts allocations, in a program of its own: all that it runs is counted.

mod paused_rehearsals_allocate_nothing;
mod whoever_walks_takes_little;
