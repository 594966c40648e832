//! Everything that `report` promises, in one program.

#[path = "../../behavior/tests/quests/mod.rs"]
mod quests;

mod plans_are_explained;
mod schemas_are_up_to_date;
