//! Everything that `behavior` promises, in one program: linking one takes longer than running most of it.
//! Tests that count allocations have programs of their own.

#[path = "../../world/tests/consistency/mod.rs"]
mod consistency;
#[path = "../../world/tests/dungeon/mod.rs"]
mod dungeon;
mod quests;

mod anybody_is_a_character;
mod bounds_hold_with_demonstrations;
mod characters_carry_on;
mod demonstrated_ways_are_gone_at_once;
mod demonstrations_are_followed_in_order;
mod drawn_lines_are_kept_to;
mod floors_are_followed;
mod goals_in_order_are_pursued;
mod goals_of_other_levels;
mod harm_is_worth_a_detour;
mod heuristics_keep_their_promise;
mod nobody_stands_still_without_a_reason;
mod nothing_kept_is_stale;
mod own_games_are_planned_alike;
mod own_games_are_played;
mod plans_come_to_grief;
mod published_relations;
mod saved_games_go_on;
mod saves_go_on_to_the_same;
mod shipped_levels_are_played;
mod slices_prepare_the_same;
mod the_level_is_shared;
mod thinking_apart_from_orders;
