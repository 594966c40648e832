//! Elo's ratings, for teams, and with margins of victory.

use skillratings::elo::{EloRating, expected_score};

use crate::roll::Roll;
use crate::{Ending, Match, PlayerId, Rating, RatingSystem};

/// Where everybody begins.
pub(crate) const START: f64 = 1500.0;

/// Whether winning by much counts more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Margins {
    /// A win is a win.
    #[default]
    Ignored,
    /// It does, in the form FiveThirtyEight uses for American football: as the logarithm of the
    /// margin, and less the more a favourite won. A win without a score counts as one by 1, a draw as
    /// ever.
    Counted,
}

/// Elo's ratings. A team is as strong as its members above the start, together; what it wins or loses
/// is shared among them.
///
/// ```
/// use apprentice_ratings::{Elo, Margins, Matches, Played, RatingSystem};
///
/// let mut matches = Matches::new();
/// matches.add(&Played { score: Some(7.0), ..Played::won(&["anna"], &["ben"]) })?;
/// let mut elo = Elo::with_margins(Margins::Counted);
/// for game in matches.iter() {
///     elo.rate(game);
/// }
/// let anna = matches.find("anna").expect("she played");
/// assert!((elo.rating(anna).value - 1500.0 - 16.0 * 8.0_f64.ln()).abs() < 1e-9);
/// # Ok::<(), apprentice_ratings::MatchWrong>(())
/// ```
#[derive(Clone, Debug)]
pub struct Elo {
    margins: Margins,
    roll: Roll<f64>,
}

/// The most that one match can change.
const MOST: f64 = 32.0;

/// How surprising a win was, in the margin's form, at least. The published form divides by a number
/// that is zero when somebody wins against a rating 2200 points higher; with this, no upset counts
/// more than ten times.
const LEAST_SURPRISE: f64 = 0.22;

impl Elo {
    /// Everybody begins at 1500; margins are ignored.
    pub fn new() -> Elo {
        Elo::with_margins(Margins::Ignored)
    }

    /// Everybody begins at 1500.
    pub fn with_margins(margins: Margins) -> Elo {
        Elo {
            margins,
            roll: Roll::new(START),
        }
    }

    fn team(&self, players: impl IntoIterator<Item = PlayerId>) -> EloRating {
        let above = players
            .into_iter()
            .map(|player| self.roll.of(player) - START);
        EloRating {
            rating: START + above.sum::<f64>(),
        }
    }

    /// How much more than usual a match counts.
    fn factor(&self, game: &Match, ahead: f64) -> f64 {
        match (self.margins, game.ending) {
            (Margins::Ignored, _) | (_, Ending::Drawn) => 1.0,
            (Margins::Counted, Ending::Won) => {
                let margin = game.score.unwrap_or(1.0);
                (margin + 1.0).ln() * 2.2 / (ahead * 0.001 + 2.2).max(LEAST_SURPRISE)
            }
        }
    }
}

impl Default for Elo {
    fn default() -> Elo {
        Elo::new()
    }
}

impl RatingSystem for Elo {
    fn rate(&mut self, game: &Match) {
        let winners = self.team(game.winners.iter().map(|seat| seat.player));
        let losers = self.team(game.losers.iter().map(|seat| seat.player));
        let (expected, _) = expected_score(&winners, &losers);
        let factor = self.factor(game, winners.rating - losers.rating);
        let gain = MOST * factor * (game.points() - expected);
        for (seats, gain) in [(&game.winners, gain), (&game.losers, -gain)] {
            let share = gain / seats.len() as f64;
            for seat in seats {
                self.roll
                    .set(seat.player, self.roll.of(seat.player) + share);
            }
        }
    }

    fn rating(&self, player: PlayerId) -> Rating {
        Rating::bare(self.roll.of(player))
    }

    fn win_probability(&self, one: &[PlayerId], other: &[PlayerId]) -> Option<f64> {
        let one = self.team(one.iter().copied());
        let other = self.team(other.iter().copied());
        Some(expected_score(&one, &other).0)
    }
}
