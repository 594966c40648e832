//! Bradley and Terry's model (1952), fitted to all matches at once: the order in which they were
//! played makes no difference.
//!
//! The odds of a side are the exponential of the difference of the sums of strengths. The fit is the
//! most likely one, found by Newton's method; each of its steps solves a linear system by conjugate
//! gradients, so that nothing grows with the square of the number of players.

use std::cell::OnceCell;

use crate::elo::START;
use crate::{Match, PlayerId, Rating, RatingSystem, Seat};

/// All matches at once. A player's part of a match counts as that part of their strength.
///
/// Ratings are on Elo's scale. Before any match everybody is at 1500, give or take 350, as in Glicko:
/// that keeps those finite who never lost, and decides between planners and levels that never met.
///
/// ```
/// use apprentice_ratings::{BradleyTerry, Matches, Played, RatingSystem};
///
/// let mut matches = Matches::new();
/// for _ in 0..3 {
///     matches.add(&Played::won(&["anna"], &["ben"]))?;
/// }
/// matches.add(&Played::won(&["ben"], &["anna"]))?;
/// let mut system = BradleyTerry::new();
/// for game in matches.iter() {
///     system.rate(game);
/// }
/// let [anna, ben] = ["anna", "ben"].map(|name| matches.find(name).unwrap());
/// let anna_wins = system.win_probability(&[anna], &[ben]).unwrap();
/// assert!(anna_wins > 0.6 && anna_wins < 0.75);
/// # Ok::<(), apprentice_ratings::MatchWrong>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct BradleyTerry {
    matches: Vec<Match>,
    /// What they say, worked out when somebody asks.
    fitted: OnceCell<Vec<f64>>,
}

/// Points of Elo for one unit of strength.
const POINTS: f64 = 400.0 / std::f64::consts::LN_10;

/// How strengths are spread before any match, in units of strength.
const SPREAD: f64 = 350.0 / POINTS;

/// Newton's method is done when no strength changes by more than this: a hundredth of a millionth of
/// a point.
const SETTLED: f64 = 1e-10;

/// Newton's method takes a handful of steps; whatever needs more is at the end of what numbers can do.
const MOST_STEPS: usize = 60;

impl BradleyTerry {
    /// No matches yet.
    pub fn new() -> BradleyTerry {
        BradleyTerry::default()
    }

    /// Already fitted to these matches, each as often as its count says, beginning near another fit.
    pub(crate) fn fitted_to(
        matches: &[&Match],
        counts: &[f64],
        near: Option<&BradleyTerry>,
    ) -> BradleyTerry {
        let start = near.map_or(&[][..], BradleyTerry::strengths);
        let strengths = fit(matches, counts, start);
        BradleyTerry {
            matches: Vec::new(),
            fitted: OnceCell::from(strengths),
        }
    }

    fn strengths(&self) -> &[f64] {
        self.fitted.get_or_init(|| {
            let matches: Vec<&Match> = self.matches.iter().collect();
            fit(&matches, &vec![1.0; matches.len()], &[])
        })
    }

    fn strength(&self, player: PlayerId) -> f64 {
        self.strengths().get(player.index()).copied().unwrap_or(0.0)
    }
}

impl RatingSystem for BradleyTerry {
    fn rate(&mut self, game: &Match) {
        self.fitted.take();
        self.matches.push(game.clone());
    }

    /// Without a deviation: [`Evaluation`](crate::Evaluation) finds it by drawing the matches anew.
    fn rating(&self, player: PlayerId) -> Rating {
        Rating::bare(START + POINTS * self.strength(player))
    }

    fn win_probability(&self, one: &[PlayerId], other: &[PlayerId]) -> Option<f64> {
        let sum = |side: &[PlayerId]| {
            side.iter()
                .map(|player| self.strength(*player))
                .sum::<f64>()
        };
        Some(likelihood(sum(one) - sum(other)))
    }
}

/// How likely who is ahead by so much wins.
fn likelihood(ahead: f64) -> f64 {
    1.0 / (1.0 + (-ahead).exp())
}

/// The logarithm of that, also where it is beyond what can be told from 0 or 1.
fn log_likelihood(ahead: f64) -> f64 {
    ahead.min(0.0) - (-ahead.abs()).exp().ln_1p()
}

/// Matches as the fit sees them.
struct Fitting<'a> {
    matches: &'a [&'a Match],
    counts: &'a [f64],
}

fn fit(matches: &[&Match], counts: &[f64], start: &[f64]) -> Vec<f64> {
    let seats = matches.iter().flat_map(|game| game.seats());
    let players = seats.map(|seat| seat.player.index() + 1).max().unwrap_or(0);
    let mut strengths = start.to_vec();
    strengths.resize(players.max(start.len()), 0.0);
    let fitting = Fitting { matches, counts };
    let mut quality = fitting.quality(&strengths);
    for _ in 0..MOST_STEPS {
        let mut step = fitting.step(&strengths);
        let largest = step.iter().fold(0.0, |most: f64, by| most.max(by.abs()));
        if !largest.is_finite() || largest <= SETTLED {
            break;
        }
        // What is sought has one summit, but the whole step may lead beyond it.
        loop {
            let tried: Vec<f64> = strengths
                .iter()
                .zip(&step)
                .map(|(it, by)| it + by)
                .collect();
            let better = fitting.quality(&tried);
            if better >= quality {
                (strengths, quality) = (tried, better);
                break;
            }
            let still = step.iter().fold(0.0, |most: f64, by| most.max(by.abs()));
            if still <= SETTLED {
                return strengths;
            }
            step.iter_mut().for_each(|by| *by *= 0.5);
        }
    }
    strengths
}

impl Fitting<'_> {
    /// The logarithm of how likely the matches and the strengths are.
    fn quality(&self, strengths: &[f64]) -> f64 {
        let squares: f64 = strengths.iter().map(|it| it * it).sum();
        let mut sum = -squares / (2.0 * SPREAD * SPREAD);
        for (game, count) in self.counted() {
            let ahead = ahead(game, strengths);
            let points = game.points();
            sum +=
                count * (points * log_likelihood(ahead) + (1.0 - points) * log_likelihood(-ahead));
        }
        sum
    }

    /// Newton's step from these strengths.
    fn step(&self, strengths: &[f64]) -> Vec<f64> {
        let mut slope: Vec<f64> = strengths.iter().map(|it| -it / (SPREAD * SPREAD)).collect();
        let mut curvatures = Vec::with_capacity(self.matches.len());
        for (game, count) in self.counted() {
            let likely = likelihood(ahead(game, strengths));
            spread(game, count * (game.points() - likely), &mut slope);
            curvatures.push(count * likely * (1.0 - likely));
        }
        self.solve(&curvatures, &slope)
    }

    /// Conjugate gradients (Hestenes and Stiefel, 1952) for the curvature's matrix.
    fn solve(&self, curvatures: &[f64], right: &[f64]) -> Vec<f64> {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut solution = vec![0.0; right.len()];
        let mut residual = right.to_vec();
        let mut direction = right.to_vec();
        let mut error = dot(&residual, &residual);
        let enough = error * 1e-24;
        // In exact numbers as many rounds as players would do.
        for _ in 0..(2 * right.len() + 10).min(2_000) {
            if error <= enough || error == 0.0 {
                break;
            }
            let mut image: Vec<f64> = direction.iter().map(|it| it / (SPREAD * SPREAD)).collect();
            for (game, curvature) in self.matches.iter().zip(curvatures) {
                if *curvature > 0.0 {
                    spread(game, curvature * ahead(game, &direction), &mut image);
                }
            }
            let along = error / dot(&direction, &image);
            for place in 0..right.len() {
                solution[place] += along * direction[place];
                residual[place] -= along * image[place];
            }
            let next = dot(&residual, &residual);
            let turn = next / error;
            for (to, residual) in direction.iter_mut().zip(&residual) {
                *to = residual + turn * *to;
            }
            error = next;
        }
        solution
    }

    fn counted(&self) -> impl Iterator<Item = (&Match, f64)> {
        let counted = self.matches.iter().zip(self.counts);
        counted.map(|(game, count)| (*game, *count))
    }
}

/// By how much the winners are ahead.
fn ahead(game: &Match, strengths: &[f64]) -> f64 {
    let sum = |seats: &[Seat]| -> f64 {
        let parts = seats
            .iter()
            .map(|seat| seat.weight * strengths[seat.player.index()]);
        parts.sum()
    };
    sum(&game.winners) - sum(&game.losers)
}

/// Adds something to the winners and takes it from the losers, each by their part.
fn spread(game: &Match, amount: f64, over: &mut [f64]) {
    for (seats, amount) in [(&game.winners, amount), (&game.losers, -amount)] {
        for seat in seats {
            over[seat.player.index()] += seat.weight * amount;
        }
    }
}
