//! What to expect of a match, whether or not those who play it ever met.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::matches::check;
use crate::resampling::middle_of;
use crate::{Ending, Evaluation, Interval, MatchWrong, Played, PlayerId, Seat};

/// What to expect of one side against another.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// One side.
    pub one: Vec<String>,
    /// The other.
    pub other: Vec<String>,
    /// How likely the one side wins; a draw counts half. `None` if the system predicts nothing.
    pub probability: Option<f64>,
    /// Where that is in 95 of 100 draws of the matches; only where ratings come with such draws.
    pub interval: Option<Interval>,
    /// How good a match it would be, from 0 to 1.
    pub quality: Option<f64>,
    /// What both sides can be relied on for: the sums of the conservative ratings. The dissertation
    /// compares these; the probability is what the model says.
    pub conservative: Option<[f64; 2]>,
    /// How often just these sides have met.
    pub met: u64,
    /// How many of these matches the one side won; draws count half.
    pub won: f64,
}

/// Why nothing can be expected.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum UnknownPlayer {
    /// Nobody is called so.
    Nobody {
        /// The name.
        name: String,
    },
    /// There could be no such match.
    NoMatch(MatchWrong),
}

impl fmt::Display for UnknownPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownPlayer::Nobody { name } => {
                write!(f, "nobody called `{name}` is in these matches")
            }
            UnknownPlayer::NoMatch(wrong) => write!(f, "{wrong}"),
        }
    }
}

impl std::error::Error for UnknownPlayer {}

/// No more sides than this are paired with each other: their pairs are a million.
const MOST_SIDES: usize = 1_500;

impl Evaluation<'_> {
    /// What to expect of one side against another.
    ///
    /// ```
    /// use apprentice_ratings::{Evaluation, Matches, Played, Procedure, SystemKind};
    ///
    /// let mut matches = Matches::new();
    /// matches.add(&Played::won(&["anna"], &["ben"]))?;
    /// let evaluation = Evaluation::of(&matches, SystemKind::default(), &Procedure::default());
    /// let again = evaluation.predict(&["anna"], &["ben"])?;
    /// assert_eq!((again.met, again.won), (1, 1.0));
    /// assert!(evaluation.predict(&["anna"], &["zoe"]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn predict(&self, one: &[&str], other: &[&str]) -> Result<Prediction, UnknownPlayer> {
        check(&Played::won(one, other)).map_err(UnknownPlayer::NoMatch)?;
        let players = |names: &[&str]| -> Result<Vec<PlayerId>, UnknownPlayer> {
            let player = |name: &&str| {
                let nobody = || UnknownPlayer::Nobody {
                    name: (*name).to_owned(),
                };
                self.matches.find(name).ok_or_else(nobody)
            };
            names.iter().map(player).collect()
        };
        Ok(self.prediction(&players(one)?, &players(other)?))
    }

    /// The best matches among those that were never played: sides that have played, but not against
    /// each other, the best match first. `may_meet` says who could.
    pub fn untried(
        &self,
        most: usize,
        may_meet: impl Fn(&[PlayerId], &[PlayerId]) -> bool,
    ) -> Vec<Prediction> {
        let mut played: BTreeMap<Vec<PlayerId>, u64> = BTreeMap::new();
        let mut met: BTreeSet<[Vec<PlayerId>; 2]> = BTreeSet::new();
        for game in self.matches.iter() {
            let mut sides = [players_of(&game.winners), players_of(&game.losers)];
            sides.sort();
            for side in &sides {
                *played.entry(side.clone()).or_default() += 1;
            }
            met.insert(sides);
        }
        let mut sides: Vec<(&Vec<PlayerId>, &u64)> = played.iter().collect();
        sides.sort_by_key(|(side, count)| (std::cmp::Reverse(**count), *side));
        sides.truncate(MOST_SIDES);
        let mut sides: Vec<&Vec<PlayerId>> = sides.into_iter().map(|(side, _)| side).collect();
        sides.sort();
        let mut pairs = Vec::new();
        for (place, one) in sides.iter().enumerate() {
            for other in &sides[place + 1..] {
                let apart = one.iter().all(|player| !other.contains(player));
                let pair = [(*one).clone(), (*other).clone()];
                if apart && !met.contains(&pair) && may_meet(one, other) {
                    let quality = self.system.match_quality(one, other).unwrap_or(0.0);
                    pairs.push((quality, pair));
                }
            }
        }
        pairs.sort_by(|(one, a), (other, b)| other.total_cmp(one).then_with(|| a.cmp(b)));
        pairs.truncate(most);
        let prediction =
            |(_, [one, other]): (f64, [Vec<PlayerId>; 2])| self.prediction(&one, &other);
        pairs.into_iter().map(prediction).collect()
    }

    fn prediction(&self, one: &[PlayerId], other: &[PlayerId]) -> Prediction {
        let names = |side: &[PlayerId]| {
            let names = side
                .iter()
                .map(|player| self.matches.name(*player).to_owned());
            names.collect()
        };
        let draws = self.resampled.iter();
        let draws = draws.filter_map(|system| system.win_probability(one, other));
        let (met, won) = self.meetings(one, other);
        Prediction {
            one: names(one),
            other: names(other),
            probability: self.system.win_probability(one, other),
            interval: middle_of(draws.collect()),
            quality: self.system.match_quality(one, other),
            conservative: self
                .conservative(one)
                .zip(self.conservative(other))
                .map(<[f64; 2]>::from),
            met,
            won,
        }
    }

    fn conservative(&self, side: &[PlayerId]) -> Option<f64> {
        let parts = side
            .iter()
            .map(|player| self.system.rating(*player).conservative());
        parts.sum()
    }

    /// How often two sides met, and how often the one won.
    fn meetings(&self, one: &[PlayerId], other: &[PlayerId]) -> (u64, f64) {
        let sorted = |side: &[PlayerId]| {
            let mut side = side.to_vec();
            side.sort();
            side
        };
        let (one, other) = (sorted(one), sorted(other));
        let (mut met, mut won) = (0, 0.0);
        for game in self.matches.iter() {
            let (winners, losers) = (players_of(&game.winners), players_of(&game.losers));
            let as_winners = winners == one && losers == other;
            if !(as_winners || winners == other && losers == one) {
                continue;
            }
            met += 1;
            won += match game.ending {
                Ending::Drawn => 0.5,
                Ending::Won => f64::from(u8::from(as_winners)),
            };
        }
        (met, won)
    }
}

fn players_of(seats: &[Seat]) -> Vec<PlayerId> {
    let mut players: Vec<PlayerId> = seats.iter().map(|seat| seat.player).collect();
    players.sort();
    players
}
