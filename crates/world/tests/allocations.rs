//! What counts allocations, in a program of its own: all that it runs is counted.

mod golden;

mod layers_are_not_kept;
mod quests_are_made_cheaply;
mod warm_quests_allocate_nothing;
