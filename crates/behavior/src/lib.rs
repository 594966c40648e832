//! Who decides: planners that follow demonstrations, and say how.
//!
//! This is where searches, games and demonstrations meet. [`Settings`] name a planner and its
//! numbers; [`Settings::check`] holds them against a level; the [`Planner`] that comes out makes
//! searches for its quests, and a [`Character`] carries out what they find. Which game it is, nobody
//! here knows: whatever implements [`Game`](apprentice_game::Game) is planned in, and whatever
//! implements [`Live`](apprentice_game::Live) is played.
//!
//! ```
//! use apprentice_behavior::{PlannerName, Settings};
//! use apprentice_search::{Budget, Search, Status};
//! use apprentice_world::{AnyQuest, Scenario};
//!
//! let scenario = Scenario::parse(r#"
//!     format = 1
//!     start = [0, 0]
//!     goal = { within = { at = [4, 0], radius = 0.0 } }
//!     map = { rows = ["....."] }
//! "#)?;
//! let settings = Settings { planner: PlannerName::Mha, ..Settings::default() };
//! let planner = settings.check(&scenario, vec![])?.planner;
//! let AnyQuest::Still(quest) = scenario.quest() else { panic!("nothing moves here") };
//! let mut search = planner.search(&quest)?.search;
//! assert_eq!(search.run(&quest, &mut Budget::unlimited()), Status::Finished);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod character;
mod check;
mod connected_quest;
mod crew;
mod danger;
mod deviation;
mod egraph_heuristic;
mod estimate;
mod event_heuristic;
mod explain;
mod eyes;
mod ground;
mod in_step;
mod key_door_heuristic;
mod kit;
mod manner_heuristic;
mod matched;
mod no_way;
mod novelty;
mod ordered_quest;
mod pace;
mod place_table;
mod plan;
mod planner;
mod planner_name;
mod prepared;
#[cfg(feature = "serde")]
mod record;
mod refuting;
mod replanning;
mod searches;
mod settings;
mod shelf;
mod sound;
mod stuck;
mod tgraph_heuristic;
mod trail;
mod tried;
mod wary;

pub use character::obeying::Intent;
#[cfg(feature = "serde")]
pub use character::saved::{Cast, SaveError, SavedCharacter, SavedCharacters};
pub use character::{Character, Doing, Patience};
pub use connected_quest::ConnectedQuest;
#[cfg(feature = "serde")]
pub use crew::saved::SavedCrew;
pub use crew::{Crew, Frame, Lane, MemberId, Membership};
pub use deviation::Deviation;
pub use egraph_heuristic::EGraphHeuristic;
pub use estimate::Estimate;
pub use event_heuristic::{EventGuide, EventHeuristic, EventMetric};
pub use explain::{
    Explained, Explanation, Followed, Ignored, Listener, NamedDeed, Purpose, Reason, Sneaking,
    Stretch, WhyIgnored,
};
pub use in_step::InStep;
pub use key_door_heuristic::KeyDoorHeuristic;
pub use manner_heuristic::MannerHeuristic;
pub use no_way::{Hindrance, NoWay};
pub use ordered_quest::{FollowingInOrder, OrderedQuest, OrderedQuestBuilder};
pub use planner::{NamedSearch, Parameter, Planner};
pub use planner_name::PlannerName;
pub use prepared::Prepared;
pub use settings::{BadSetting, Checked, Settings, bound_of_faithful, event};
pub use sound::GroundCheck;
pub use stuck::WhyStuck;
pub use tgraph_heuristic::TGraphHeuristic;
pub use trail::Trail;
pub use wary::Wary;
