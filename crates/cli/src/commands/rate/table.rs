//! Ratings as people read them.

use std::fmt::Write;

use apprentice::ratings::{Order, Prediction, Standing};

use super::Outcome;
use super::input::Source;
use apprentice::report::numbers::{counted, short};

/// What the published data say of the shortest limit, for comparison.
const PUBLISHED: &str = "published 42 of 60";

pub(super) fn text(outcome: &Outcome<'_>) -> String {
    let evaluation = outcome.evaluation;
    let kind = evaluation.kind;
    let profile = kind
        .profile()
        .map_or(String::new(), |it| format!(" ({})", it.name));
    let matches = match outcome.input.matches.len() {
        1 => "1 match".to_owned(),
        count => format!("{}es", counted(count, "match").trim_end_matches('s')),
    };
    let players = counted(outcome.input.matches.players(), "player");
    let mut text = format!("{}{profile}: {matches}, {players}\n", kind.name());
    if let Source::Results { trials, limits } = &outcome.input.source
        && let [shortest, .., longest] = &limits[..]
    {
        let (beyond, all) = (trials.beyond(*shortest), trials.trials.len());
        let _ = writeln!(
            text,
            "{} from {} to {}: {beyond} of {all} trials exceed the shortest ({PUBLISHED}), {} the longest",
            counted(limits.len(), "limit"),
            short(*shortest, 6),
            short(*longest, 6),
            trials.beyond(*longest),
        );
    }
    if kind.minds_order() {
        let order = match outcome.procedure.order {
            Order::AsPlayed => "in the order of the file".to_owned(),
            Order::Shuffled { seed } => format!("in any order, seed {seed}"),
        };
        let passes = match outcome.procedure.passes {
            1 => "each match once".to_owned(),
            count => format!("each match {count} times"),
        };
        let _ = writeln!(text, "{passes}, {order}");
    }
    if !kind.knows_deviations() && outcome.procedure.resamples > 0 {
        let count = outcome.procedure.resamples as usize;
        let _ = writeln!(text, "intervals from {}", counted(count, "draw"));
    }
    text.push('\n');
    text.push_str(&rows(outcome));
    predictions(&mut text, "Expected", &outcome.predictions);
    predictions(&mut text, "Never played, the best first", &outcome.untried);
    text
}

/// The ratings, in columns as wide as what is in them.
fn rows(outcome: &Outcome<'_>) -> String {
    let standings = &outcome.evaluation.standings;
    if standings.is_empty() {
        return "Nobody has played.\n".to_owned();
    }
    let largest = standings.iter().map(|row| row.rating.value.abs());
    // Win rates need their hundredths, Elo's thousands no more than tenths.
    let decimals = if largest.fold(0.0, f64::max) <= 1.5 {
        3
    } else {
        1
    };
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |it| format!("{it:.decimals$}"));
    let mut table =
        vec![["player", "rating", "95 %", "conservative", "won", "orders"].map(str::to_owned)];
    for row in standings {
        let interval = row.rating.interval;
        let interval = interval.map_or("-".to_owned(), |it| {
            format!("{:.decimals$} to {:.decimals$}", it.low, it.high)
        });
        let over = row.over_orders;
        table.push([
            row.name.clone(),
            number(Some(row.rating.value)),
            interval,
            number(row.rating.conservative()),
            won(row),
            over.map_or("-".to_owned(), |it| {
                format!("{:.decimals$} ± {:.*}", it.mean, decimals + 1, it.deviation)
            }),
        ]);
    }
    let width = |column: usize| {
        let widths = table.iter().map(|row| row[column].chars().count());
        widths.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..6).map(width).collect();
    let mut text = String::new();
    for row in &table {
        let mut line = format!("{:<1$}", row[0], widths[0]);
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            let _ = write!(line, "  {cell:>width$}");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

fn won(row: &Standing) -> String {
    let draws = match row.draws {
        0 => String::new(),
        draws => format!(", {draws} drawn"),
    };
    format!("{} of {}{draws}", row.wins, row.matches)
}

fn predictions(text: &mut String, heading: &str, predictions: &[Prediction]) {
    if predictions.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{heading}");
    for prediction in predictions {
        let _ = writeln!(text, "{}", sentence(prediction));
    }
}

/// What to expect, in a sentence. The probability is what the model says; the conservative sums are
/// another view, and may say otherwise.
fn sentence(prediction: &Prediction) -> String {
    let (one, other) = (prediction.one.join("+"), prediction.other.join("+"));
    let mut words = match prediction.probability {
        Some(wins) => format!(
            "{one} wins against {other} in {} of 100",
            short(wins * 100.0, 1)
        ),
        None => format!("{one} against {other}: win rates predict nothing"),
    };
    if let Some(interval) = prediction.interval {
        let [low, high] = [interval.low, interval.high].map(|it| short(it * 100.0, 1));
        let _ = write!(words, " ({low} to {high})");
    }
    if let Some([one, other]) = prediction.conservative {
        let _ = write!(
            words,
            "; conservative {} against {}",
            short(one, 1),
            short(other, 1)
        );
    }
    if let Some(quality) = prediction.quality {
        let _ = write!(words, "; quality {}", short(quality, 2));
    }
    let _ = match prediction.met {
        0 => write!(words, "; they never met"),
        met => write!(words, "; won {} of {met}", short(prediction.won, 1)),
    };
    words
}
