//! The part of their matches that players won: no model at all.

use crate::roll::Roll;
use crate::system::NINETY_FIVE_PERCENT;
use crate::{Interval, Match, PlayerId, Rating, RatingSystem};

/// The empirical win rate: won matches of all matches, where a draw is half won. It predicts nothing,
/// because it does not mind against whom somebody won.
///
/// ```
/// use apprentice_ratings::{Matches, Played, RatingSystem, WinRate};
///
/// let mut matches = Matches::new();
/// matches.add(&Played::won(&["anna"], &["ben"]))?;
/// matches.add(&Played::drawn(&["anna"], &["ben"]))?;
/// let mut rate = WinRate::new();
/// for game in matches.iter() {
///     rate.rate(game);
/// }
/// assert_eq!(rate.rating(matches.find("anna").unwrap()).value, 0.75);
/// # Ok::<(), apprentice_ratings::MatchWrong>(())
/// ```
#[derive(Clone, Debug)]
pub struct WinRate {
    roll: Roll<Tally>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    points: f64,
    matches: u64,
}

impl WinRate {
    /// Nobody has played.
    pub fn new() -> WinRate {
        WinRate {
            roll: Roll::new(Tally::default()),
        }
    }
}

impl Default for WinRate {
    fn default() -> WinRate {
        WinRate::new()
    }
}

impl RatingSystem for WinRate {
    fn rate(&mut self, game: &Match) {
        let points = game.points();
        for (seats, points) in [(&game.winners, points), (&game.losers, 1.0 - points)] {
            for seat in seats {
                let tally = self.roll.of(seat.player);
                let tally = Tally {
                    points: tally.points + points,
                    matches: tally.matches + 1,
                };
                self.roll.set(seat.player, tally);
            }
        }
    }

    /// The interval is Wilson's (1927), which is never empty: who won three of three need not win the
    /// next. The deviation is a part of its width, as it would be for a normal distribution.
    fn rating(&self, player: PlayerId) -> Rating {
        let Tally { points, matches } = self.roll.of(player);
        let matches = matches as f64;
        let rate = if matches == 0.0 {
            0.5
        } else {
            points / matches
        };
        let square = NINETY_FIVE_PERCENT * NINETY_FIVE_PERCENT;
        let middle = (points + square / 2.0) / (matches + square);
        let inside = matches * rate * (1.0 - rate) + square / 4.0;
        let reach = NINETY_FIVE_PERCENT / (matches + square) * inside.sqrt();
        Rating {
            value: rate,
            deviation: Some(reach / NINETY_FIVE_PERCENT),
            interval: Some(Interval {
                low: (middle - reach).max(0.0),
                high: (middle + reach).min(1.0),
            }),
        }
    }

    fn win_probability(&self, _: &[PlayerId], _: &[PlayerId]) -> Option<f64> {
        None
    }
}
