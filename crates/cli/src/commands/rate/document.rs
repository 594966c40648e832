//! Ratings as one JSON document.

use apprentice::ratings::{Interval, Order, Prediction, Standing};
use serde::Serialize;

use super::Outcome;
use super::input::Source;
use crate::exit::Failure;
use apprentice::report::numbers::finite;

#[derive(Serialize)]
struct Document<'a> {
    system: &'a str,
    profile: Option<&'a str>,
    ratings: Vec<Row<'a>>,
    matches: usize,
    passes: Option<u32>,
    /// `None` in the order of the file, and where no order is minded and nothing drawn.
    seed: Option<u64>,
    limits: Option<Vec<f64>>,
    beyond_shortest: Option<usize>,
    trials: Option<usize>,
    predictions: Vec<Expected<'a>>,
    untried: Vec<Expected<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    rating: Option<f64>,
    deviation: Option<f64>,
    conservative: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    matches: u64,
    wins: u64,
    draws: u64,
    mean_over_orders: Option<f64>,
    deviation_over_orders: Option<f64>,
}

#[derive(Serialize)]
struct Expected<'a> {
    one: &'a [String],
    other: &'a [String],
    probability: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    quality: Option<f64>,
    conservative: Option<[f64; 2]>,
    met: u64,
    won: f64,
}

pub(super) fn json(outcome: &Outcome<'_>) -> Result<String, Failure> {
    let kind = outcome.evaluation.kind;
    let (limits, beyond, trials) = match &outcome.input.source {
        Source::Matches => (None, None, None),
        Source::Results { trials, limits } => (
            Some(limits.clone()),
            limits.first().map(|shortest| trials.beyond(*shortest)),
            Some(trials.trials.len()),
        ),
    };
    let document = Document {
        system: kind.name(),
        profile: kind.profile().map(|profile| profile.name),
        ratings: outcome.evaluation.standings.iter().map(row).collect(),
        matches: outcome.input.matches.len(),
        passes: kind.minds_order().then_some(outcome.procedure.passes),
        seed: match outcome.procedure.order {
            Order::AsPlayed => None,
            Order::Shuffled { seed } => Some(seed),
        },
        limits,
        beyond_shortest: beyond,
        trials,
        predictions: outcome.predictions.iter().map(expected).collect(),
        untried: outcome.untried.iter().map(expected).collect(),
    };
    let text = serde_json::to_string_pretty(&document);
    Ok(text.map_err(|error| Failure::Bug(error.to_string()))? + "\n")
}

fn row(standing: &Standing) -> Row<'_> {
    let rating = standing.rating;
    let (low, high) = ends(rating.interval);
    let over = standing.over_orders;
    Row {
        name: &standing.name,
        rating: finite(rating.value),
        deviation: rating.deviation.and_then(finite),
        conservative: rating.conservative().and_then(finite),
        low,
        high,
        matches: standing.matches,
        wins: standing.wins,
        draws: standing.draws,
        mean_over_orders: over.and_then(|it| finite(it.mean)),
        deviation_over_orders: over.and_then(|it| finite(it.deviation)),
    }
}

fn expected(prediction: &Prediction) -> Expected<'_> {
    let (low, high) = ends(prediction.interval);
    Expected {
        one: &prediction.one,
        other: &prediction.other,
        probability: prediction.probability.and_then(finite),
        low,
        high,
        quality: prediction.quality.and_then(finite),
        conservative: prediction.conservative,
        met: prediction.met,
        won: prediction.won,
    }
}

fn ends(interval: Option<Interval>) -> (Option<f64>, Option<f64>) {
    let end = |of: fn(Interval) -> f64| interval.map(of).and_then(finite);
    (end(|it| it.low), end(|it| it.high))
}
