//! Glickman's systems (1999, 2012): Elo's ratings with a deviation, and with a volatility beside it.
//!
//! They are made for one against one. In teams, each player meets one opponent that stands for all the
//! others: the sum of its opponents without its mates, as uncertain as all of them together.

use skillratings::Outcomes;
use skillratings::glicko::{GlickoConfig, GlickoRating, glicko_rating_period};
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

use crate::elo::START;
use crate::roll::Roll;
use crate::{Ending, Match, PlayerId, Rating, RatingSystem, Seat};

/// Glicko.
///
/// ```
/// use apprentice_ratings::{Glicko, Matches, Played, RatingSystem};
///
/// let mut matches = Matches::new();
/// matches.add(&Played::won(&["anna"], &["ben"]))?;
/// let mut system = Glicko::new();
/// for game in matches.iter() {
///     system.rate(game);
/// }
/// let anna = system.rating(matches.find("anna").expect("she played"));
/// assert!((anna.value - 1662.2).abs() < 0.1);
/// # Ok::<(), apprentice_ratings::MatchWrong>(())
/// ```
#[derive(Clone, Debug)]
pub struct Glicko {
    roll: Roll<GlickoRating>,
}

impl Glicko {
    /// Everybody is a newcomer: 1500, with a deviation of 350.
    pub fn new() -> Glicko {
        Glicko::starting_from([])
    }

    /// The first players have these ratings and deviations already.
    pub fn starting_from(known: impl IntoIterator<Item = (f64, f64)>) -> Glicko {
        let known = known.into_iter();
        let known = known.map(|(rating, deviation)| GlickoRating { rating, deviation });
        Glicko {
            roll: Roll::starting_from(GlickoRating::new(), known.collect()),
        }
    }
}

impl Default for Glicko {
    fn default() -> Glicko {
        Glicko::new()
    }
}

/// A rating and how uncertain it is.
#[derive(Clone, Copy)]
struct Strength {
    rating: f64,
    deviation: f64,
}

/// All of one side without all of the other, above the start.
fn together(ones: &[Strength], others: &[Strength]) -> Strength {
    let above = |side: &[Strength]| -> f64 { side.iter().map(|it| it.rating - START).sum() };
    let both = ones.iter().chain(others);
    let variance: f64 = both.map(|it| it.deviation * it.deviation).sum();
    Strength {
        rating: START + above(ones) - above(others),
        deviation: variance.sqrt(),
    }
}

/// Whom each player of a match meets, and how that ends for the player.
fn meetings(
    game: &Match,
    strength: impl Fn(PlayerId) -> Strength,
) -> Vec<(PlayerId, Strength, Outcomes)> {
    let (won, lost) = match game.ending {
        Ending::Won => (Outcomes::WIN, Outcomes::LOSS),
        Ending::Drawn => (Outcomes::DRAW, Outcomes::DRAW),
    };
    let strengths = |seats: &[Seat]| -> Vec<Strength> {
        seats.iter().map(|seat| strength(seat.player)).collect()
    };
    let mut meetings = Vec::new();
    let sides = [
        (&game.winners, &game.losers, won),
        (&game.losers, &game.winners, lost),
    ];
    for (own, opponents, outcome) in sides {
        let opponents = strengths(opponents);
        for seat in own {
            let mates = own.iter().filter(|mate| mate.player != seat.player);
            let mates: Vec<Strength> = mates.map(|mate| strength(mate.player)).collect();
            meetings.push((seat.player, together(&opponents, &mates), outcome));
        }
    }
    meetings
}

/// What each player met in a period, players in order.
fn met_in_period<R>(
    games: &[&Match],
    strength: impl Fn(PlayerId) -> Strength,
    opponent: impl Fn(Strength) -> R,
) -> Vec<(PlayerId, Vec<(R, Outcomes)>)> {
    let all = games.iter().flat_map(|game| meetings(game, &strength));
    let mut all: Vec<(PlayerId, Strength, Outcomes)> = all.collect();
    all.sort_by_key(|(player, ..)| *player);
    let chunks = all.chunk_by(|one, next| one.0 == next.0);
    let met = |chunk: &[(PlayerId, Strength, Outcomes)]| {
        let met = chunk
            .iter()
            .map(|(_, it, outcome)| (opponent(*it), *outcome));
        (chunk[0].0, met.collect())
    };
    chunks.map(met).collect()
}

/// Glickman's expectation of one side against another, whose uncertainty is that of both.
fn expected(one: &[Strength], other: &[Strength]) -> f64 {
    let both = together(one, other);
    let per_point = 10.0_f64.ln() / 400.0;
    let spread = per_point * both.deviation / std::f64::consts::PI;
    let damping = 1.0 / (1.0 + 3.0 * spread * spread).sqrt();
    1.0 / (1.0 + (-damping * per_point * (both.rating - START)).exp())
}

impl Glicko {
    fn strength(&self, player: PlayerId) -> Strength {
        let GlickoRating { rating, deviation } = self.roll.of(player);
        Strength { rating, deviation }
    }
}

impl RatingSystem for Glicko {
    fn rate(&mut self, game: &Match) {
        self.rate_period(&[game]);
    }

    fn rate_period(&mut self, games: &[&Match]) {
        let opponent = |Strength { rating, deviation }| GlickoRating { rating, deviation };
        // Time passes between seasons, not between matches.
        let config = GlickoConfig { c: 0.0 };
        for (player, met) in met_in_period(games, |player| self.strength(player), opponent) {
            let updated = glicko_rating_period(&self.roll.of(player), &met, &config);
            if updated.rating.is_finite() && updated.deviation.is_finite() {
                self.roll.set(player, updated);
            }
        }
    }

    fn rating(&self, player: PlayerId) -> Rating {
        let rating = self.roll.of(player);
        Rating::normal(rating.rating, rating.deviation)
    }

    fn win_probability(&self, one: &[PlayerId], other: &[PlayerId]) -> Option<f64> {
        let side = |players: &[PlayerId]| -> Vec<Strength> {
            players
                .iter()
                .map(|player| self.strength(*player))
                .collect()
        };
        Some(expected(&side(one), &side(other)))
    }
}

/// Glicko-2: besides, how steady a player is.
///
/// ```
/// use apprentice_ratings::{GlickoTwo, Matches, Played, RatingSystem};
///
/// let mut matches = Matches::new();
/// matches.add(&Played::drawn(&["anna"], &["ben"]))?;
/// let mut system = GlickoTwo::new();
/// for game in matches.iter() {
///     system.rate(game);
/// }
/// let anna = system.rating(matches.find("anna").expect("she played"));
/// assert_eq!(anna.value, 1500.0);
/// # Ok::<(), apprentice_ratings::MatchWrong>(())
/// ```
#[derive(Clone, Debug)]
pub struct GlickoTwo {
    config: Glicko2Config,
    roll: Roll<Glicko2Rating>,
}

impl GlickoTwo {
    /// Everybody is a newcomer: 1500, with a deviation of 350 and a volatility of 0.06.
    pub fn new() -> GlickoTwo {
        GlickoTwo::starting_from([])
    }

    /// The first players have these ratings, deviations and volatilities already.
    pub fn starting_from(known: impl IntoIterator<Item = (f64, f64, f64)>) -> GlickoTwo {
        let known = known.into_iter().map(Glicko2Rating::from);
        GlickoTwo {
            config: Glicko2Config::new(),
            roll: Roll::starting_from(Glicko2Rating::new(), known.collect()),
        }
    }

    /// How much the results of a player vary beyond what the deviation explains.
    pub fn volatility(&self, player: PlayerId) -> f64 {
        self.roll.of(player).volatility
    }

    fn strength(&self, player: PlayerId) -> Strength {
        let Glicko2Rating {
            rating, deviation, ..
        } = self.roll.of(player);
        Strength { rating, deviation }
    }
}

impl Default for GlickoTwo {
    fn default() -> GlickoTwo {
        GlickoTwo::new()
    }
}

impl RatingSystem for GlickoTwo {
    fn rate(&mut self, game: &Match) {
        self.rate_period(&[game]);
    }

    fn rate_period(&mut self, games: &[&Match]) {
        let opponent = |Strength { rating, deviation }| Glicko2Rating {
            rating,
            deviation,
            ..Glicko2Rating::new()
        };
        for (player, met) in met_in_period(games, |player| self.strength(player), opponent) {
            let mut updated = glicko2_rating_period(&self.roll.of(player), &met, &self.config);
            // Matches that say nothing make ratings less certain, match by match and without end;
            // but of nobody is less known than of a newcomer.
            updated.deviation = updated.deviation.min(Glicko2Rating::new().deviation);
            let numbers = [updated.rating, updated.deviation, updated.volatility];
            if numbers.iter().all(|number| number.is_finite()) {
                self.roll.set(player, updated);
            }
        }
    }

    fn rating(&self, player: PlayerId) -> Rating {
        let rating = self.roll.of(player);
        Rating::normal(rating.rating, rating.deviation)
    }

    fn win_probability(&self, one: &[PlayerId], other: &[PlayerId]) -> Option<f64> {
        let side = |players: &[PlayerId]| -> Vec<Strength> {
            players
                .iter()
                .map(|player| self.strength(*player))
                .collect()
        };
        Some(expected(&side(one), &side(other)))
    }
}
