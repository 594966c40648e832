//! Who decides: planners that follow demonstrations, and say how.
//!
//! This is where searches, worlds and demonstrations meet. [`Settings`] name a planner and its
//! numbers; [`Settings::check`] holds them against a scenario; the [`Planner`] that comes out makes
//! searches for its quests.
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

mod by_event;
mod check;
mod danger;
mod deviation;
mod errands;
mod execution;
mod explain;
mod following;
mod ground;
mod imitating;
mod level_ground;
mod matched;
mod no_way;
mod on_floors;
mod ordered_quest;
mod pace;
mod place_table;
mod plan;
mod planner;
mod planner_name;
mod recalling;
mod searches;
mod settings;
mod stuck;
mod thought;
mod trail;
mod wary;

pub use by_event::{ByEvent, EventGuide, EventMetric};
pub use deviation::Deviation;
pub use errands::Errands;
pub use execution::{Doing, Executor, Patience};
pub use explain::{
    Deed, Explained, Explanation, Followed, Ignored, Listener, Reason, Sneaking, Stretch,
    WhyIgnored,
};
pub use following::Following;
pub use ground::{place_in, where_is};
pub use imitating::Imitating;
pub use level_ground::LevelGround;
pub use no_way::{Hindrance, NoWay};
pub use on_floors::{drawn_line, on_floors};
pub use ordered_quest::{FollowingInOrder, OrderedQuest, OrderingQuest};
pub use planner::{NamedSearch, Parameter, Planner};
pub use planner_name::PlannerName;
pub use recalling::Recalling;
pub use settings::{BadSetting, Checked, Settings, bound_of_faithful, event};
pub use stuck::WhyStuck;
pub use trail::Trail;
pub use wary::Wary;
