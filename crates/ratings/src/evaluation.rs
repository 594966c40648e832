//! Rates all matches by one system: in several orders, with intervals.

use crate::resampling::{drawn_counts, mean_and_deviation, middle_of};
use crate::seeded::Seeded;
use crate::{
    BradleyTerry, Ending, Interval, Match, Matches, PlayerId, Rating, RatingSystem, SystemKind,
};

/// How matches are gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Procedure {
    /// How often each match is rated; ratings carry over from pass to pass. More than once makes
    /// ratings settle, and deviations smaller than they should be.
    pub passes: u32,
    /// In which order.
    pub order: Order,
    /// In how many orders, to see how much that matters. Only where the order is shuffled.
    pub orders: u32,
    /// How often matches are drawn anew, for intervals where a system has none of its own.
    pub resamples: u32,
}

impl Default for Procedure {
    fn default() -> Procedure {
        Procedure {
            passes: 1,
            order: Order::Shuffled { seed: 1 },
            orders: 10,
            resamples: 200,
        }
    }
}

/// In which order matches are rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As they were played.
    AsPlayed,
    /// In any order, another one in every pass.
    Shuffled {
        /// The same seed makes the same orders.
        seed: u64,
    },
}

impl Order {
    fn seed(self) -> u64 {
        match self {
            Order::AsPlayed => 0,
            Order::Shuffled { seed } => seed,
        }
    }
}

/// What came out for one player.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Who.
    pub player: PlayerId,
    /// Their name.
    pub name: String,
    /// The rating, with a deviation and an interval: the system's own, or from matches drawn anew.
    pub rating: Rating,
    /// How many matches they played.
    pub matches: u64,
    /// How many of these they won.
    pub wins: u64,
    /// How many were drawn.
    pub draws: u64,
    /// Their rating over several orders of the same matches; `None` where the order is given, or makes
    /// no difference.
    pub over_orders: Option<Spread>,
}

/// How a rating varies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Its mean.
    pub mean: f64,
    /// Its standard deviation.
    pub deviation: f64,
}

/// All matches rated by one system.
pub struct Evaluation<'m> {
    /// By which.
    pub kind: SystemKind,
    /// What came out, the strongest first; who is as strong as another, by name.
    pub standings: Vec<Standing>,
    pub(crate) matches: &'m Matches,
    pub(crate) system: Box<dyn RatingSystem>,
    /// The same from matches drawn anew.
    pub(crate) resampled: Vec<Box<dyn RatingSystem>>,
}

impl<'m> Evaluation<'m> {
    /// Rates all matches.
    ///
    /// ```
    /// use apprentice_ratings::{Evaluation, Matches, Order, Played, Procedure, SystemKind};
    ///
    /// let mut matches = Matches::new();
    /// for (winner, loser) in [("anna", "ben"), ("ben", "carl"), ("anna", "carl")] {
    ///     matches.add(&Played::won(&[winner], &[loser]))?;
    /// }
    /// let refit = Evaluation::of(&matches, SystemKind::BradleyTerry, &Procedure::default());
    /// let anna = &refit.standings[0];
    /// assert_eq!((&*anna.name, anna.wins, anna.matches), ("anna", 2, 2));
    /// assert!(anna.rating.interval.is_some(), "from 200 draws of the matches");
    /// # Ok::<(), apprentice_ratings::MatchWrong>(())
    /// ```
    pub fn of(matches: &'m Matches, kind: SystemKind, procedure: &Procedure) -> Evaluation<'m> {
        let system = rated(matches, kind, procedure, procedure.order);
        let resampled = if kind.knows_deviations() {
            Vec::new()
        } else {
            resampled(matches, kind, procedure)
        };
        let over_orders = over_orders(matches, kind, procedure, &*system);
        let mut standings = standings(matches, &*system, &resampled);
        for standing in &mut standings {
            standing.over_orders = over_orders.get(standing.player.index()).copied();
        }
        standings.sort_by(|one, other| {
            let by_rating = other.rating.value.total_cmp(&one.rating.value);
            by_rating.then_with(|| one.name.cmp(&other.name))
        });
        Evaluation {
            kind,
            standings,
            matches,
            system,
            resampled,
        }
    }
}

/// A system that has gone through all matches.
fn rated(
    matches: &Matches,
    kind: SystemKind,
    procedure: &Procedure,
    order: Order,
) -> Box<dyn RatingSystem> {
    let places: Vec<usize> = (0..matches.len()).collect();
    gone_through(matches, places, kind, procedure, order)
}

fn gone_through(
    matches: &Matches,
    mut places: Vec<usize>,
    kind: SystemKind,
    procedure: &Procedure,
    order: Order,
) -> Box<dyn RatingSystem> {
    let mut system = kind.start();
    let passes = if kind.minds_order() {
        procedure.passes
    } else {
        1
    };
    let mut seeded = Seeded::new(order.seed());
    for _ in 0..passes {
        if kind.minds_order() && order != Order::AsPlayed {
            seeded.shuffle(&mut places);
        }
        for place in &places {
            system.rate(matches.at(*place));
        }
    }
    system
}

/// The same system, for matches drawn anew.
fn resampled(
    matches: &Matches,
    kind: SystemKind,
    procedure: &Procedure,
) -> Vec<Box<dyn RatingSystem>> {
    let groups = matches.groups();
    let played: Vec<&Match> = matches.iter().collect();
    let whole = match kind {
        SystemKind::BradleyTerry => Some(BradleyTerry::fitted_to(
            &played,
            &vec![1.0; played.len()],
            None,
        )),
        _ => None,
    };
    // Far from the seeds of orders, so that no draw goes with an order.
    let mut seeds = Seeded::new(procedure.order.seed() ^ 0x5bf0_3635_dcf6_2b6a);
    let draw = |seed: u64| -> Box<dyn RatingSystem> {
        let counts = drawn_counts(matches, &groups, seed);
        if let Some(whole) = &whole {
            return Box::new(BradleyTerry::fitted_to(&played, &counts, Some(whole)));
        }
        let places = counts.iter().enumerate();
        let places = places.flat_map(|(place, count)| std::iter::repeat_n(place, *count as usize));
        gone_through(matches, places.collect(), kind, procedure, procedure.order)
    };
    (0..procedure.resamples)
        .map(|_| draw(seeds.next()))
        .collect()
}

/// How ratings vary over orders, by player; nothing if there is only one.
fn over_orders(
    matches: &Matches,
    kind: SystemKind,
    procedure: &Procedure,
    first: &dyn RatingSystem,
) -> Vec<Spread> {
    let Order::Shuffled { seed } = procedure.order else {
        return Vec::new();
    };
    if !kind.minds_order() || procedure.orders < 2 {
        return Vec::new();
    }
    let mut values: Vec<Vec<f64>> = first
        .table(matches)
        .iter()
        .map(|rating| vec![rating.value])
        .collect();
    for number in 1..u64::from(procedure.orders) {
        let order = Order::Shuffled {
            seed: seed.wrapping_add(number),
        };
        let system = rated(matches, kind, procedure, order);
        for (values, rating) in values.iter_mut().zip(system.table(matches)) {
            values.push(rating.value);
        }
    }
    let spread = |values: &Vec<f64>| {
        let (mean, deviation) = mean_and_deviation(values);
        Spread { mean, deviation }
    };
    values.iter().map(spread).collect()
}

fn standings(
    matches: &Matches,
    system: &dyn RatingSystem,
    resampled: &[Box<dyn RatingSystem>],
) -> Vec<Standing> {
    let standing = |player: PlayerId| {
        let mut rating = system.rating(player);
        if rating.deviation.is_none() && !resampled.is_empty() {
            let values = resampled.iter().map(|system| system.rating(player).value);
            let values: Vec<f64> = values.collect();
            rating.deviation = Some(mean_and_deviation(&values).1);
            // The rating belongs to its interval, also where few draws are near it.
            rating.interval = middle_of(values).map(|middle| Interval {
                low: middle.low.min(rating.value),
                high: middle.high.max(rating.value),
            });
        }
        Standing {
            player,
            name: matches.name(player).to_owned(),
            rating,
            matches: 0,
            wins: 0,
            draws: 0,
            over_orders: None,
        }
    };
    let mut standings: Vec<Standing> = matches.ids().map(standing).collect();
    for game in matches.iter() {
        for seat in game.seats() {
            let standing = &mut standings[seat.player.index()];
            standing.matches += 1;
            standing.draws += u64::from(game.ending == Ending::Drawn);
        }
        if game.ending == Ending::Won {
            for seat in &game.winners {
                standings[seat.player.index()].wins += 1;
            }
        }
    }
    standings
}
