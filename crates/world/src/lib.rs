//! A game world to plan in: scenarios, one deterministic step, and quests as search problems.
//!
//! A [`Scenario`] says what is fixed, a [`World`] what changes. [`World::advance`] is the one step:
//! same world, orders and duration, same next world, on every machine. [`Scenario::quest`] makes a
//! search problem of the scenario's goal, in which everybody else acts while the planned agent moves.
//!
//! ```
//! use apprentice_search::{BestFirst, Budget, Search, Status};
//! use apprentice_world::{AnyQuest, Scenario, StraightLine};
//!
//! let scenario = Scenario::parse(r#"
//!     format = 1
//!     start = [0, 0]
//!     goal = { within = { at = [4, 0], radius = 0.0 } }
//!
//!     [map]
//!     rows = ["...#.",
//!             "....."]
//!
//!     [[key]]
//!     id = "red"
//!     at = [0, 1]
//!     opens = ["gate"]
//!
//!     [[door]]
//!     id = "gate"
//!     at = [[3, 1]]
//! "#)?;
//! let AnyQuest::Still(quest) = scenario.quest() else { panic!("nothing moves here") };
//! let mut search = BestFirst::astar(StraightLine);
//! assert_eq!(search.run(&quest, &mut Budget::unlimited()), Status::Finished);
//! let path = search.path().expect("it is finished");
//! assert_eq!(path.steps.len(), 6); // south for the key, east through the gate, north-east is no way
//! # Ok::<(), apprentice_world::ScenarioError>(())
//! ```

mod abilities;
mod advance;
mod combat;
mod delete_relaxation;
mod digest;
mod doors;
mod enemies;
mod estimates;
mod game;
mod goal;
mod hunting_ground;
mod items;
mod level_ground;
mod live;
mod lived_plan;
mod map;
mod movement;
mod number_set;
mod observation;
mod on_floors;
mod order;
mod packed_world;
mod perception;
mod peril;
mod player_model;
mod player_reach;
mod quest_at_place;
mod quest_problem;
mod random_items;
mod recording;
mod regions;
mod rehearsal;
mod role;
#[cfg(feature = "serde")]
mod saved;
mod scenario;
mod scenario_file;
mod script;
mod snapshot;
mod still_quest;
mod string_pulling;
mod text_place;
mod toll;
mod traps;
mod verify;
mod walk_problem;
mod world;

pub use abilities::{Abilities, Branching};
pub use apprentice_game::{BadPrice, Peril, Prices, ShortestPath, StraightLine};
pub use goal::{Goal, GoalError, Situation};
pub use level_ground::LevelGround;
pub use live::{Performer, WorldStep};
pub use lived_plan::LivedPlan;
pub use map::{
    Cell, Direction, DrawnMap, DrawnObject, GridMap, Ledge, Link, Map, MapError, MapFileError,
    MeshError, NavMesh, NavMeshParts, Point, Spot, Step,
};
pub use observation::Observation;
pub use on_floors::{drawn_line, on_floors, where_is};
pub use order::{BadOrder, Event, Gait, Leap, Order, Orders, Stance, Witness};
pub use packed_world::PackedWorld;
pub use player_model::{PlayerModel, PlayerModelError};
pub use player_reach::PlayerReach;
pub use quest_at_place::{QuestAtPlace, ViewAtPlace};
pub use quest_problem::{AnyQuest, Quest, QuestProblem, QuestView, WorldKey};
pub use recording::{BadRecording, Moment, Recording, ReplayError};
pub use rehearsal::{Rehearsal, rehearse, rehearse_as};
pub use role::{Conduct, Role, RoleError};
#[cfg(feature = "serde")]
pub use saved::SavedWorld;
pub use scenario::{
    Actor, AgentId, Area, Beast, Cycle, Door, DoorId, Drawing, Drawn, Enemy, Expectation,
    FULL_HEALTH, Guard, Item, ItemId, ItemKind, Kind, Lever, LeverId, Manner, Margins, NoStyle,
    Obstacle, Planning, Rules, Scenario, Style, Thing, Trap, TrapId,
};
pub use scenario_file::{KeptMaps, ScenarioError, ScenarioErrorKind};
pub use script::{Replayed, Script, Standing};
pub use still_quest::{StillQuest, StillState, StillView};
pub use verify::{Invalid, Verification, Verified, VerifiedStep, Why, verify, verify_as};
pub use walk_problem::{WalkProblem, WalkView};
pub use world::{Mode, View, World};
