//! How strong each player is, and how hard each quest, from who won against whom.
//!
//! A match has two sides, each of one player or several. Players need not be people: a planner that
//! has so long for a level plays against the level and the limit, and wins if it is done in time
//! (after Sarkar and Cooper, 2017). Levels never meet each other, nor do planners, and still all get
//! ratings that can be compared.
//!
//! [`Matches`] holds who played and how it ended. A [`RatingSystem`] learns from them, one match at a
//! time; [`SystemKind`] names those there are. An [`Evaluation`] does all of it: orders of matches
//! that are shuffled over seeds, intervals, predictions, and a [`chart`](Chart).
//!
//! ```
//! use apprentice_ratings::{Evaluation, Matches, Played, Procedure, SystemKind};
//!
//! let mut matches = Matches::new();
//! for _ in 0..4 {
//!     matches.add(&Played::won(&["anna"], &["ben"]))?;
//!     matches.add(&Played::won(&["ben"], &["carl"]))?;
//! }
//! let evaluation = Evaluation::of(&matches, SystemKind::default(), &Procedure::default());
//! let names: Vec<&str> = evaluation.standings.iter().map(|row| &*row.name).collect();
//! assert_eq!(names, ["anna", "ben", "carl"]);
//!
//! // They never met.
//! let prediction = evaluation.predict(&["anna"], &["carl"])?;
//! assert_eq!(prediction.met, 0);
//! assert!(prediction.probability.is_some_and(|anna_wins| anna_wins > 0.75));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod csv_rows;
mod matches;
mod matches_file;
mod trials;
mod trials_file;

mod bradley_terry;
mod elo;
mod glicko;
mod profile;
mod roll;
mod score_based;
mod system;
mod system_kind;
mod trueskill;
mod weng_lin;
mod win_rate;

mod chart;
mod evaluation;
mod prediction;
mod resampling;
mod seeded;

pub use bradley_terry::BradleyTerry;
pub use chart::{Chart, Section};
pub use csv_rows::{CsvError, CsvWrong};
pub use elo::{Elo, Margins};
pub use evaluation::{Evaluation, Order, Procedure, Spread, Standing};
pub use glicko::{Glicko, GlickoTwo};
pub use matches::{Ending, Match, MatchWrong, Matches, Played, PlayerId, Seat, Side};
pub use matches_file::{MATCH_COLUMNS, read_matches};
pub use prediction::{Prediction, UnknownPlayer};
pub use profile::Profile;
pub use score_based::ScoreBased;
pub use system::{Interval, Rating, RatingSystem};
pub use system_kind::{SystemKind, UnknownSystem};
pub use trials::{LimitRule, Trial, Trials, TrialsWrong};
pub use trials_file::{Selection, read_trials};
pub use trueskill::TrueSkill;
pub use weng_lin::WengLin;
pub use win_rate::WinRate;
