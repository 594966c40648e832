//! Planners against levels: what each took, and the matches that makes.

use std::collections::BTreeSet;
use std::fmt;

use crate::{MatchWrong, Matches, Played};

/// What one planner took for one level, in work or in time.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Which planner.
    pub planner: String,
    /// Which level.
    pub scenario: String,
    /// Under which circumstances: the bound, say.
    pub circumstances: String,
    /// How much it took; `None` if it never came to an end.
    pub took: Option<f64>,
}

/// Trials of several planners on several levels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trials {
    /// One after another.
    pub trials: Vec<Trial>,
}

/// Which limits planners are held to.
#[derive(Clone, Debug, PartialEq)]
pub enum LimitRule {
    /// These.
    Given(Vec<f64>),
    /// Ten, equally far apart, up to one that 2 in 60 trials exceed, as in the published data: on
    /// today's machines every planner would keep the published ones.
    LikePublished,
}

/// Of so many trials …
const PUBLISHED_TRIALS: f64 = 60.0;

/// … so many exceeded the longest limit.
const PUBLISHED_BEYOND: f64 = 2.0;

/// How much a planner wins by that takes no time at all; one that just keeps its limit wins by
/// nothing.
const FULL_SCORE: f64 = 10.0;

/// By how much a level and its limit win. How long it would have taken is not known.
const SCORE_OF_LEVELS: f64 = 1.0;

/// Why trials make no matches.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TrialsWrong {
    /// A limit or a measurement is no amount.
    Amount {
        /// What it is.
        amount: f64,
    },
    /// Nothing took anything, so there are no limits between much and little.
    NothingTaken,
    /// A planner is called as a level, or as a limit.
    SameName {
        /// The name.
        name: String,
    },
    /// Something is no match.
    NoMatch(MatchWrong),
}

impl fmt::Display for TrialsWrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrialsWrong::Amount { amount } => {
                write!(
                    f,
                    "{amount} is no limit and no measurement; it must be a number, more than 0 for a limit"
                )
            }
            TrialsWrong::NothingTaken => write!(
                f,
                "nothing took anything, so no limit lies between much and little; measure something else"
            ),
            TrialsWrong::SameName { name } => write!(
                f,
                "`{name}` is a planner, and a level or a limit as well; give one another name"
            ),
            TrialsWrong::NoMatch(wrong) => write!(f, "{wrong}"),
        }
    }
}

impl std::error::Error for TrialsWrong {}

impl Trials {
    /// The limits by a rule, the shortest first.
    ///
    /// ```
    /// use apprentice_ratings::{LimitRule, Trial, Trials};
    ///
    /// let trial = |took: u32| Trial {
    ///     planner: "auto".to_owned(),
    ///     scenario: "cave".to_owned(),
    ///     circumstances: took.to_string(),
    ///     took: Some(f64::from(took)),
    /// };
    /// let trials = Trials { trials: (1..=60).map(trial).collect() };
    /// let limits = trials.limits(&LimitRule::LikePublished)?;
    /// assert_eq!((limits.len(), limits[0], limits[9]), (10, 5.8, 58.0));
    /// assert_eq!(trials.beyond(limits[9]), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn limits(&self, rule: &LimitRule) -> Result<Vec<f64>, TrialsWrong> {
        let mut limits = match rule {
            LimitRule::Given(limits) => limits.clone(),
            LimitRule::LikePublished => {
                let longest = self.longest_limit()?;
                (1..=10)
                    .map(|part| longest * f64::from(part) / 10.0)
                    .collect()
            }
        };
        if let Some(amount) = limits
            .iter()
            .find(|limit| !(**limit > 0.0 && limit.is_finite()))
        {
            return Err(TrialsWrong::Amount { amount: *amount });
        }
        limits.sort_by(f64::total_cmp);
        limits.dedup();
        Ok(limits)
    }

    fn longest_limit(&self) -> Result<f64, TrialsWrong> {
        let took = self.trials.iter();
        let mut took: Vec<f64> = took
            .map(|trial| trial.took.unwrap_or(f64::INFINITY))
            .collect();
        took.sort_by(|one, other| other.total_cmp(one));
        let beyond = (took.len() as f64 * PUBLISHED_BEYOND / PUBLISHED_TRIALS).round() as usize;
        // Those that never came to an end may be more than that.
        let longest = took.iter().skip(beyond).find(|took| took.is_finite());
        match longest {
            Some(longest) if *longest > 0.0 => Ok(*longest),
            _ => Err(TrialsWrong::NothingTaken),
        }
    }

    /// How many trials exceed a limit.
    pub fn beyond(&self, limit: f64) -> usize {
        let took = self.trials.iter().map(|trial| trial.took);
        took.filter(|took| took.is_none_or(|took| took > limit))
            .count()
    }

    /// A match for every trial and limit: the planner against the level and the limit. It wins if it
    /// was done within the limit, by ten times the part that it did not need. All matches of a trial
    /// were decided by one measurement, so they are one group.
    pub fn matches(&self, limits: &[f64]) -> Result<Matches, TrialsWrong> {
        let limit_names: Vec<String> = limits.iter().map(|limit| limit_name(*limit)).collect();
        let planners = self.planners();
        let others = self.scenarios().into_iter();
        let others: BTreeSet<&str> = others
            .chain(limit_names.iter().map(|name| &**name))
            .collect();
        if let Some(name) = planners.iter().find(|name| others.contains(**name)) {
            return Err(TrialsWrong::SameName {
                name: (*name).to_owned(),
            });
        }
        let mut matches = Matches::new();
        for (number, trial) in self.trials.iter().enumerate() {
            let planner = [&*trial.planner];
            let group = number.to_string();
            for (limit, name) in limits.iter().zip(&limit_names) {
                let level = [&*trial.scenario, &**name];
                let in_time = trial.took.filter(|took| took <= limit);
                let played = match in_time {
                    Some(took) => Played {
                        score: Some(FULL_SCORE * (limit - took) / limit),
                        ..Played::won(&planner, &level)
                    },
                    None => Played {
                        score: Some(SCORE_OF_LEVELS),
                        ..Played::won(&level, &planner)
                    },
                };
                let played = Played {
                    group: Some(&group),
                    ..played
                };
                matches.add(&played).map_err(TrialsWrong::NoMatch)?;
            }
        }
        Ok(matches)
    }

    /// The planners, by name.
    pub fn planners(&self) -> BTreeSet<&str> {
        self.trials.iter().map(|trial| &*trial.planner).collect()
    }

    /// The levels, by name.
    pub fn scenarios(&self) -> BTreeSet<&str> {
        self.trials.iter().map(|trial| &*trial.scenario).collect()
    }
}

/// What a limit is called among the players: with six digits, as nobody tells more apart.
fn limit_name(limit: f64) -> String {
    let digits = 5 - limit.abs().log10().floor().clamp(-300.0, 5.0) as i32;
    let text = format!("{limit:.*}", digits.max(0) as usize);
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    format!("limit {text}")
}
