//! The systems there are, by name.

use std::fmt;
use std::str::FromStr;

use crate::{
    BradleyTerry, Elo, Glicko, GlickoTwo, Margins, Profile, RatingSystem, ScoreBased, TrueSkill,
    WengLin, WinRate,
};

/// Which system, with its profile where it has one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SystemKind {
    /// Weng and Lin's: free, for teams.
    WengLin(Profile),
    /// TrueSkill: for teams, with partial play.
    TrueSkill(Profile),
    /// From scores.
    ScoreBased(Profile),
    /// Elo's.
    Elo(Margins),
    /// Elo's with a deviation.
    Glicko,
    /// The same with a volatility.
    GlickoTwo,
    /// All matches at once.
    BradleyTerry,
    /// Won matches of all matches.
    WinRate,
}

impl SystemKind {
    /// How they are called.
    pub const NAMES: [&'static str; 9] = [
        "weng-lin",
        "trueskill",
        "score",
        "elo",
        "elo-margin",
        "glicko",
        "glicko2",
        "bradley-terry",
        "win-rate",
    ];

    /// How it is called.
    pub fn name(self) -> &'static str {
        match self {
            SystemKind::WengLin(_) => "weng-lin",
            SystemKind::TrueSkill(_) => "trueskill",
            SystemKind::ScoreBased(_) => "score",
            SystemKind::Elo(Margins::Ignored) => "elo",
            SystemKind::Elo(Margins::Counted) => "elo-margin",
            SystemKind::Glicko => "glicko",
            SystemKind::GlickoTwo => "glicko2",
            SystemKind::BradleyTerry => "bradley-terry",
            SystemKind::WinRate => "win-rate",
        }
    }

    /// The numbers it begins with, if that is for its user to say.
    pub fn profile(self) -> Option<Profile> {
        match self {
            SystemKind::WengLin(profile)
            | SystemKind::TrueSkill(profile)
            | SystemKind::ScoreBased(profile) => Some(profile),
            _ => None,
        }
    }

    /// The same with other numbers; unchanged if it has none.
    #[must_use]
    pub fn with_profile(self, profile: Profile) -> SystemKind {
        match self {
            SystemKind::WengLin(_) => SystemKind::WengLin(profile),
            SystemKind::TrueSkill(_) => SystemKind::TrueSkill(profile),
            SystemKind::ScoreBased(_) => SystemKind::ScoreBased(profile),
            other => other,
        }
    }

    /// A system to which everybody is a newcomer.
    pub fn start(self) -> Box<dyn RatingSystem> {
        match self {
            SystemKind::WengLin(profile) => Box::new(WengLin::new(profile)),
            SystemKind::TrueSkill(profile) => Box::new(TrueSkill::new(profile)),
            SystemKind::ScoreBased(profile) => Box::new(ScoreBased::new(profile)),
            SystemKind::Elo(margins) => Box::new(Elo::with_margins(margins)),
            SystemKind::Glicko => Box::new(Glicko::new()),
            SystemKind::GlickoTwo => Box::new(GlickoTwo::new()),
            SystemKind::BradleyTerry => Box::new(BradleyTerry::new()),
            SystemKind::WinRate => Box::new(WinRate::new()),
        }
    }

    /// Whether the order of matches makes a difference. To those to whom it makes none, the same
    /// matches a second time are only the same matches.
    pub fn minds_order(self) -> bool {
        !matches!(self, SystemKind::BradleyTerry | SystemKind::WinRate)
    }

    /// Whether it says how uncertain its ratings are.
    pub fn knows_deviations(self) -> bool {
        !matches!(self, SystemKind::BradleyTerry | SystemKind::Elo(_))
    }

    /// Whether it minds which part of a match somebody played.
    pub fn minds_weights(self) -> bool {
        matches!(self, SystemKind::BradleyTerry | SystemKind::TrueSkill(_))
    }

    /// Whether it minds by how much somebody won.
    pub fn minds_scores(self) -> bool {
        matches!(
            self,
            SystemKind::ScoreBased(_) | SystemKind::Elo(Margins::Counted)
        )
    }
}

/// What is free, fast, and made for teams.
impl Default for SystemKind {
    fn default() -> SystemKind {
        SystemKind::WengLin(Profile::default())
    }
}

impl FromStr for SystemKind {
    type Err = UnknownSystem;

    fn from_str(name: &str) -> Result<SystemKind, UnknownSystem> {
        let profile = Profile::default();
        Ok(match name {
            "weng-lin" => SystemKind::WengLin(profile),
            "trueskill" => SystemKind::TrueSkill(profile),
            "score" => SystemKind::ScoreBased(profile),
            "elo" => SystemKind::Elo(Margins::Ignored),
            "elo-margin" => SystemKind::Elo(Margins::Counted),
            "glicko" => SystemKind::Glicko,
            "glicko2" => SystemKind::GlickoTwo,
            "bradley-terry" => SystemKind::BradleyTerry,
            "win-rate" => SystemKind::WinRate,
            _ => return Err(UnknownSystem(name.to_owned())),
        })
    }
}

/// No system is called so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSystem(pub String);

impl fmt::Display for UnknownSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = SystemKind::NAMES.join(", ");
        write!(
            f,
            "no rating system is called `{}`; there are {names}",
            self.0
        )
    }
}

impl std::error::Error for UnknownSystem {}
