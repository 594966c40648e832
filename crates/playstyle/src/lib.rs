//! How somebody plays, told from the order and the times of what they do.
//!
//! What was done in one play is an [`Activity`]: names of events, each with its time, from any game.
//! Plays that are alike form classes, the [`Playstyles`], found without labels or taken from them. A
//! play that goes on is held against them in two ways: [`StyleBelief`] listens to what was done lately, so
//! that a change of style is noticed, and to where the player is going; a [`Recogniser`] knows when
//! things are usually done for the first time, and which of them comes first.
//!
//! ```
//! use apprentice_playstyle::{Activity, Playstyles};
//!
//! let plays: Vec<Activity> = ["SSSG", "SSG", "SSSSG", "CCG", "CCCG", "CG"]
//!     .iter()
//!     .map(|letters| Activity::of_letters(letters))
//!     .collect();
//! let styles = Playstyles::learn(&plays)?;
//! assert_eq!(styles.classes().len(), 2);
//! let verdict = styles.classify(&Activity::of_letters("SSSSSG"));
//! assert_eq!(verdict.class, 0); // the class of those who sneak
//! assert!(verdict.known);
//! # Ok::<(), apprentice_playstyle::TooFewPlays>(())
//! ```

mod activity;
mod anticipation;
mod arff_file;
mod cross_validation;
mod dice;
mod distribution;
mod dominant_sets;
pub mod exactly;
mod forest;
mod histogram;
mod milestones;
mod model_file;
mod plays_file;
mod playstyles;
mod recogniser;
mod similarity;
mod stretches;
mod style_belief;

pub use activity::{Activity, Event};
pub use anticipation::{Anticipation, PotentialEvent};
pub use arff_file::{BadTable, read_first_times};
pub use cross_validation::{Method, Told, cross_validate};
pub use dice::Dice;
pub use distribution::Distribution;
pub use dominant_sets::{Clusters, DominantSet, Peeling, Similarities, dominant_sets};
pub use forest::Growing;
pub use histogram::{Gram, Histogram, Vocabulary};
pub use model_file::{BadModel, read_model, write_model};
pub use plays_file::{BadPlays, PlaysErrorKind, read_plays};
pub use playstyles::{Class, Playstyles, Telling, TooFewPlays, Verdict};
pub use recogniser::{AsOf, Recogniser, Watching};
pub use similarity::{Frequencies, Rarity, Weighing, Weights, similarity};
pub use style_belief::{Listening, StyleBelief};
