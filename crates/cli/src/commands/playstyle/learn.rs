//! `apprentice playstyle learn`: finds styles among plays, and says which plays formed them.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

use apprentice::playstyle::{Activity, Playstyles, write_model};
use serde_json::json;

use super::plays_in;
use crate::commands::plan::Format;
use crate::exit::{Exit, Failure, print, print_exactly};
use crate::output_file;
use apprentice::report::numbers::{counted, finite, short};

/// Find styles among plays, or learn those that are named, and keep them in a file.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Logs of plays: JSON Lines, or CSV with the columns `time` and `event`
    #[arg(required = true, value_name = "PLAYS")]
    plays: Vec<PathBuf>,

    /// The styles are the labels of the plays, instead of groups of plays that are alike
    #[arg(long)]
    labelled: bool,

    /// Keep what was learned in this file
    #[arg(short, long = "out", value_name = "MODEL")]
    out: Option<PathBuf>,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut plays: Vec<Activity> = Vec::new();
    let mut ids = BTreeSet::new();
    for path in &arguments.plays {
        for play in plays_in(path)? {
            if !ids.insert(play.id.clone()) {
                return Err(Failure::input(format!(
                    "`{}`: there was a play `{}` in another file; give each a name of its own",
                    path.display(),
                    play.id
                )));
            }
            plays.push(play);
        }
    }
    if let Some(path) = &arguments.out {
        output_file::check(path)?;
    }
    let styles = if arguments.labelled {
        Playstyles::learn_labelled(&plays)
    } else {
        Playstyles::learn(&plays)
    };
    let styles = styles.map_err(|error| Failure::input(error.to_string()))?;
    if let Some(path) = &arguments.out {
        output_file::write(path, &write_model(&styles))?;
    }
    match arguments.format {
        Format::Text => print(&text(&styles))?,
        Format::Json => print_exactly(&format!("{:#}\n", document(&styles)))?,
    }
    Ok(Exit::Done)
}

/// So many n-grams are told of each class.
const TELLING: usize = 5;

/// So many plays are named of each class.
const NAMED: usize = 12;

fn text(styles: &Playstyles) -> String {
    let mut text = format!(
        "{}, {}\n",
        counted(styles.plays().len(), "play"),
        match styles.classes().len() {
            1 => "1 style".to_owned(),
            more => format!("{more} styles"),
        }
    );
    for (number, class) in styles.classes().iter().enumerate() {
        let _ = writeln!(
            text,
            "\n{}: {}, {} alike",
            class.name,
            counted(class.members.len(), "play"),
            short(class.cohesion, 2)
        );
        let mut members: Vec<(usize, f64)> = class
            .members
            .iter()
            .copied()
            .zip(class.participation.iter().copied())
            .collect();
        members.sort_by(|a, b| b.1.total_cmp(&a.1));
        let named = members
            .iter()
            .take(NAMED)
            .map(|(play, share)| format!("{} ({})", styles.plays()[*play].id, short(*share, 3)));
        let more = match members.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let _ = writeln!(
            text,
            "  formed by {}{more}",
            named.collect::<Vec<_>>().join(", ")
        );
        for telling in styles.telling(number, TELLING) {
            let _ = writeln!(
                text,
                "  telling: {} (in {} % of them, {} % of others)",
                telling.events.join(", "),
                short(telling.here * 100.0, 0),
                short(telling.elsewhere * 100.0, 0)
            );
        }
    }
    if !styles.unclassified().is_empty() {
        let alone = styles.unclassified().iter();
        let alone = alone.map(|play| styles.plays()[*play].id.as_str());
        let _ = writeln!(
            text,
            "\nlike no other: {}",
            alone.collect::<Vec<_>>().join(", ")
        );
    }
    text
}

fn document(styles: &Playstyles) -> serde_json::Value {
    let classes = styles.classes().iter().enumerate().map(|(number, class)| {
        let plays = class.members.iter().zip(&class.participation).map(|(play, share)| {
            json!({"id": styles.plays()[*play].id, "participation": finite(*share)})
        });
        let telling = styles.telling(number, TELLING).into_iter().map(|telling| {
            json!({
                "events": telling.events,
                "here": finite(telling.here),
                "elsewhere": finite(telling.elsewhere),
            })
        });
        json!({
            "name": class.name,
            "cohesion": finite(class.cohesion),
            "plays": plays.collect::<Vec<_>>(),
            "telling": telling.collect::<Vec<_>>(),
        })
    });
    let alone = styles.unclassified().iter();
    let alone: Vec<&String> = alone.map(|play| &styles.plays()[*play].id).collect();
    json!({
        "plays": styles.plays().len(),
        "classes": classes.collect::<Vec<_>>(),
        "unclassified": alone,
    })
}
