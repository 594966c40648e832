//! What every rating system can do.

use crate::{Match, Matches, PlayerId};

/// What a system thinks of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating itself: more is stronger.
    pub value: f64,
    /// How uncertain it is, as a standard deviation; `None` where a system keeps none.
    pub deviation: Option<f64>,
    /// Where the truth is in 95 of 100 cases, as far as the system knows.
    pub interval: Option<Interval>,
}

/// From here to there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// From here.
    pub low: f64,
    /// To there.
    pub high: f64,
}

/// As many standard deviations to both sides hold 95 % of a normal distribution.
pub(crate) const NINETY_FIVE_PERCENT: f64 = 1.959_963_984_540_054;

/// As many standard deviations below a rating are taken for certain: at least 99 % of a normal
/// distribution are above.
const CONSERVATIVE: f64 = 3.0;

impl Rating {
    /// A rating that is distributed normally.
    pub(crate) fn normal(value: f64, deviation: f64) -> Rating {
        let reach = NINETY_FIVE_PERCENT * deviation;
        Rating {
            value,
            deviation: Some(deviation),
            interval: Some(Interval {
                low: value - reach,
                high: value + reach,
            }),
        }
    }

    /// A rating of which nobody knows how uncertain it is.
    pub(crate) fn bare(value: f64) -> Rating {
        Rating {
            value,
            deviation: None,
            interval: None,
        }
    }

    /// What the player can be relied on for: three deviations below the rating.
    pub fn conservative(&self) -> Option<f64> {
        let deviation = self.deviation?;
        Some(self.value - CONSERVATIVE * deviation)
    }
}

/// Learns from matches how strong players are. Whoever it has not heard of is a newcomer.
///
/// ```
/// use apprentice_ratings::{Elo, Matches, Played, RatingSystem};
///
/// let mut matches = Matches::new();
/// matches.add(&Played::won(&["anna"], &["ben"]))?;
/// let mut elo = Elo::new();
/// for game in matches.iter() {
///     elo.rate(game);
/// }
/// let anna = matches.find("anna").expect("she played");
/// assert_eq!(elo.rating(anna).value, 1516.0);
/// # Ok::<(), apprentice_ratings::MatchWrong>(())
/// ```
pub trait RatingSystem {
    /// Learns from one match.
    fn rate(&mut self, game: &Match);

    /// Learns from matches that were played at the same time, each with the ratings from before all
    /// of them. Systems that know no periods take one after another.
    fn rate_period(&mut self, games: &[&Match]) {
        for game in games {
            self.rate(game);
        }
    }

    /// What is known about a player.
    fn rating(&self, player: PlayerId) -> Rating;

    /// How likely one side wins against another, whether or not they ever met; a draw counts half.
    /// `None` for systems that predict nothing.
    fn win_probability(&self, one: &[PlayerId], other: &[PlayerId]) -> Option<f64>;

    /// How good a match these sides would make, from 0 to 1. By default how even it is: 1 if both are
    /// as likely to win, 0 if one of them certainly does. Systems that keep normal distributions say
    /// how likely a draw is, relative to two sides that are known to be equal.
    fn match_quality(&self, one: &[PlayerId], other: &[PlayerId]) -> Option<f64> {
        let wins = self.win_probability(one, other)?;
        Some(2.0 * wins.min(1.0 - wins))
    }

    /// The ratings of all who were named in some matches, in the order of their numbers.
    fn table(&self, matches: &Matches) -> Vec<Rating> {
        matches.ids().map(|player| self.rating(player)).collect()
    }
}
