//! Who plays how: the style of StarCraft games, told from their first minutes.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use apprentice::playstyle::{
    Activity, Growing, Method, Playstyles, Recogniser, cross_validate, read_first_times,
};
use serde_json::{Map, Value, json};

use super::Run;
use crate::commands::plan::Format;
use crate::exit::{Failure, note, print, print_exactly};
use crate::input_file::{Kind, text_of};
use apprentice::report::numbers::{counted, finite};

/// Frames in a second.
const A_SECOND: f64 = 23.81;

/// Minutes after which games are looked at.
const MINUTES: [u32; 6] = [3, 4, 5, 6, 8, 10];
const MINUTES_QUICK: [u32; 2] = [5, 8];

/// What came out for one table.
struct Table {
    file: String,
    games: usize,
    classes: usize,
    /// By method, then by minute: ours, the formula of the dissertation, nearest neighbours.
    accuracies: [Vec<f64>; 3],
    ms_per_update: f64,
    learning_ms: f64,
}

pub(super) fn run(run: &Run) -> Result<(), Failure> {
    let minutes: &[u32] = if run.quick { &MINUTES_QUICK } else { &MINUTES };
    let mut tables = Vec::new();
    for path in &run.data {
        tables.push(measure(path, minutes, run)?);
        if run.format == Format::Text && run.data.len() > 1 {
            note(&format!("{} done", path.display()));
        }
    }
    match run.format {
        Format::Text => print(&text(minutes, &tables)),
        Format::Json => print_exactly(&format!("{:#}\n", document(minutes, &tables))),
    }
}

fn measure(path: &Path, minutes: &[u32], run: &Run) -> Result<Table, Failure> {
    let wrong =
        |error: &dyn std::fmt::Display| Failure::input(format!("`{}`: {error}", path.display()));
    let text = text_of(path, Kind::Plays)?;
    let plays = read_first_times(&text, A_SECOND).map_err(|error| wrong(&error))?;
    let (folds, growing) = if run.quick {
        let trees = 30;
        (
            4,
            Growing {
                trees,
                ..Growing::default()
            },
        )
    } else {
        (10, Growing::default())
    };
    let accuracies = |method: Method| {
        let accuracies = minutes.iter().map(|minutes| {
            let age = f64::from(*minutes) * 60.0;
            let told = cross_validate(&plays, method, age, folds, run.seed);
            told.map(|told| told.accuracy())
        });
        accuracies
            .collect::<Result<Vec<f64>, _>>()
            .map_err(|error| wrong(&error))
    };
    let accuracies = [
        accuracies(Method::Recogniser(growing))?,
        accuracies(Method::Formula)?,
        accuracies(Method::Neighbours)?,
    ];
    let styles = Playstyles::learn_labelled(&plays).map_err(|error| wrong(&error))?;
    let classes = styles.classes().len();
    let (learning_ms, ms_per_update) = times(styles, &plays);
    Ok(Table {
        file: path.display().to_string(),
        games: plays.len(),
        classes,
        accuracies,
        ms_per_update,
        learning_ms,
    })
}

/// So many games are followed to see how long an update takes.
const FOLLOWED: usize = 50;

/// How long it takes to learn from all plays, and to hear of one event, in milliseconds.
fn times(styles: Playstyles, plays: &[Activity]) -> (f64, f64) {
    let begun = Instant::now();
    let watching = Recogniser::new(styles).watch();
    let learning = begun.elapsed();
    let mut updates = 0;
    let begun = Instant::now();
    for play in plays.iter().take(FOLLOWED) {
        let mut watching = watching.anew();
        for event in &play.events {
            watching.observe(event.time, &event.name);
            updates += 1;
        }
    }
    let each = begun.elapsed().as_secs_f64() / f64::from(updates.max(1));
    (learning.as_secs_f64() * 1e3, each * 1e3)
}

const METHODS: [&str; 3] = [
    "recogniser",
    "formula of the dissertation",
    "1-3-grams, TF-IDF, 7 nearest",
];

fn text(minutes: &[u32], tables: &[Table]) -> String {
    let mut text = String::new();
    let row = |text: &mut String, name: &str, accuracies: &[f64]| {
        let _ = write!(text, "  {name:<30}");
        for accuracy in accuracies {
            let _ = write!(text, "{:>7.1} %", accuracy * 100.0);
        }
        text.push('\n');
    };
    let head = |text: &mut String| {
        let _ = write!(text, "  {:<30}", "right after");
        for minutes in minutes {
            let _ = write!(text, "{minutes:>5} min");
        }
        text.push('\n');
    };
    for table in tables {
        let _ = writeln!(
            text,
            "{}: {}, {} styles; learned in {:.0} ms, {:.3} ms an update",
            table.file,
            counted(table.games, "game"),
            table.classes,
            table.learning_ms,
            table.ms_per_update
        );
        head(&mut text);
        for (name, accuracies) in METHODS.iter().zip(&table.accuracies) {
            row(&mut text, name, accuracies);
        }
    }
    if tables.len() > 1 {
        let _ = writeln!(text, "mean of {} tables", tables.len());
        head(&mut text);
        for (method, name) in METHODS.iter().enumerate() {
            row(&mut text, name, &mean(tables, method, minutes.len()));
        }
    }
    text
}

fn mean(tables: &[Table], method: usize, ages: usize) -> Vec<f64> {
    let ages = (0..ages).map(|age| {
        let all = tables.iter().map(|table| table.accuracies[method][age]);
        all.sum::<f64>() / tables.len() as f64
    });
    ages.collect()
}

fn document(minutes: &[u32], tables: &[Table]) -> Value {
    let by_minute = |accuracies: &[f64]| -> Map<String, Value> {
        let pairs = minutes.iter().zip(accuracies);
        pairs
            .map(|(minutes, it)| (minutes.to_string(), json!(finite(*it))))
            .collect()
    };
    let one = |table: &Table| {
        json!({
            "games": table.games,
            "classes": table.classes,
            "accuracy": by_minute(&table.accuracies[0]),
            "ms_per_update": finite(table.ms_per_update),
            "formula": by_minute(&table.accuracies[1]),
            "neighbours": by_minute(&table.accuracies[2]),
            "learning_ms": finite(table.learning_ms),
        })
    };
    if let [table] = tables {
        return one(table);
    }
    let files = tables.iter().map(|table| {
        let mut document = one(table);
        document["file"] = json!(table.file);
        document
    });
    json!({
        "tables": files.collect::<Vec<_>>(),
        "accuracy": by_minute(&mean(tables, 0, minutes.len())),
        "formula": by_minute(&mean(tables, 1, minutes.len())),
        "neighbours": by_minute(&mean(tables, 2, minutes.len())),
    })
}
