//! `apprentice playstyle`: learns styles from logs of plays, and tells the style of a play.

mod chart;
mod classify;
mod learn;
mod watch;

use std::path::Path;

use apprentice::playstyle::{Activity, Playstyles, read_model, read_plays};
use clap::Subcommand;

use crate::demonstrations::name_of;
use crate::exit::{Exit, Failure, note};
use crate::input_file::{Kind, text_of};
use apprentice::report::numbers::counted;

/// Find out how people play.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Find styles among plays, or learn those that are named, and keep them in a file
    Learn(learn::Arguments),
    /// Tell the style of plays
    Classify(classify::Arguments),
    /// Follow one play event by event, and draw what is believed of it over time
    Watch(watch::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    match &arguments.command {
        Command::Learn(arguments) => learn::run(arguments),
        Command::Classify(arguments) => classify::run(arguments),
        Command::Watch(arguments) => watch::run(arguments),
    }
}

/// The plays in a log.
fn plays_in(path: &Path) -> Result<Vec<Activity>, Failure> {
    let text = text_of(path, Kind::Plays)?;
    read_plays(&text, &name_of(path))
        .map_err(|error| Failure::input(format!("`{}`: {error}", path.display())))
}

/// The styles in a model.
pub(crate) fn styles_in(path: &Path) -> Result<Playstyles, Failure> {
    let text = text_of(path, Kind::Plays)?;
    read_model(&text).map_err(|error| Failure::input(format!("`{}`: {error}", path.display())))
}

/// Names that are listed in a note.
const LISTED: usize = 5;

/// Mentions events that the styles were not learned with: they tell nothing, and may be misspelled.
fn mention_strangers(styles: &Playstyles, plays: &[Activity]) {
    let mut strangers: Vec<(&str, usize)> = Vec::new();
    let mut met = std::collections::BTreeMap::new();
    for event in plays.iter().flat_map(|play| &play.events) {
        if styles.vocabulary().get(&event.name).is_none() {
            let at = *met.entry(event.name.as_str()).or_insert_with(|| {
                strangers.push((&event.name, 0));
                strangers.len() - 1
            });
            strangers[at].1 += 1;
        }
    }
    if strangers.is_empty() {
        return;
    }
    let named = strangers.iter().take(LISTED);
    let named: Vec<String> = named
        .map(|(name, times)| format!("`{name}` ({times})"))
        .collect();
    let more = match strangers.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    note(&format!(
        "note: {} that no play had which was learned from: {}{more}; compare the names with those of the \
         model",
        counted(strangers.len(), "name"),
        named.join(", ")
    ));
}
