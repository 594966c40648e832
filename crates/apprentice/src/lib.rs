//! Apprentice trains game characters by showing them. This crate gathers the others, so that one
//! dependency and one version are enough, and loads a [`Level`] with what was shown in it.
//!
//! [`search`] finds cheap ways through anything that can list its successors: searches that can be
//! paused and continued, say what they did, and prove how good their answer is. [`world`] is a game
//! world to plan in: scenarios, one deterministic step, and quests as search problems.
//! [`experience`] holds demonstrations and the heuristics that follow them. [`behavior`] is where
//! they meet: planners by name. [`htn`] plans what to do: tasks and methods, written in a designer's
//! language or in Rust. With the features of those names there are `hddl`, the language of the planning
//! competitions, `report`, what planning came to in documents, words and pictures, and `ratings`, which
//! says how strong planners are and how hard levels.
//!
//! `playstyle` tells how somebody plays, `recognition` what they are after, and `companion` accompanies
//! them; all three are there with the feature `companions`.
//!
//! Features, all on unless switched off: `companions`, `hddl`, `ratings`, `report`, and `obj`, which
//! reads level geometry. A game that needs none of them takes this crate with
//! `default-features = false`. Off unless switched on: `serde`, with which worlds, characters, crews and
//! executors of tasks are saved in the middle of whatever they do, and `experiments`, every table and
//! figure of the papers by one command.

mod level;

pub use level::{Level, LevelError};

#[doc(inline)]
pub use apprentice_behavior as behavior;
#[cfg(feature = "companions")]
#[doc(inline)]
pub use apprentice_companion as companion;
#[doc(inline)]
pub use apprentice_experience as experience;
#[cfg(feature = "experiments")]
#[doc(inline)]
pub use apprentice_experiments as experiments;
#[doc(inline)]
pub use apprentice_game as game;
#[cfg(feature = "hddl")]
#[doc(inline)]
pub use apprentice_hddl as hddl;
#[doc(inline)]
pub use apprentice_htn as htn;
#[cfg(feature = "companions")]
#[doc(inline)]
pub use apprentice_playstyle as playstyle;
#[cfg(feature = "ratings")]
#[doc(inline)]
pub use apprentice_ratings as ratings;
#[cfg(feature = "companions")]
#[doc(inline)]
pub use apprentice_recognition as recognition;
#[cfg(feature = "report")]
#[doc(inline)]
pub use apprentice_report as report;
#[cfg(feature = "rooms")]
#[doc(inline)]
pub use apprentice_rooms as rooms;
#[doc(inline)]
pub use apprentice_search as search;
#[doc(inline)]
pub use apprentice_world as world;

// The README and every chapter of the book are compiled and run as tests.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../../README.md")]
    mod readme {}
    #[doc = include_str!("../../../book/src/searching.md")]
    mod searching {}
    #[doc = include_str!("../../../book/src/bounds.md")]
    mod bounds {}
    #[doc = include_str!("../../../book/src/replanning.md")]
    mod replanning {}
    #[doc = include_str!("../../../book/src/levels.md")]
    mod levels {}
    #[doc = include_str!("../../../book/src/teach.md")]
    mod teach {}
    #[doc = include_str!("../../../book/src/demonstrations.md")]
    mod demonstrations {}
    #[doc = include_str!("../../../book/src/tasks.md")]
    mod tasks {}
    #[doc = include_str!("../../../book/src/in_your_game.md")]
    mod in_your_game {}
    #[doc = include_str!("../../../book/src/your_own_game.md")]
    mod your_own_game {}
    #[cfg(feature = "companions")]
    #[doc = include_str!("../../../book/src/companions.md")]
    mod companions {}
    #[cfg(feature = "report")]
    #[doc = include_str!("../../../book/src/studio.md")]
    mod studio {}
    #[doc = include_str!("../../../book/src/numbers.md")]
    mod numbers {}
}
