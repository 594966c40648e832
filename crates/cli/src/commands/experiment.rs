//! `apprentice experiment`: measures on data of others, and what was published.

mod cooperation;
mod grid_goals;
mod starcraft;

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

use crate::commands::plan::Format;
use crate::exit::{Exit, Failure, print};

/// Measure on data of others, and what was published.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Say which experiments there are
    List,
    /// Run one
    Run(Run),
}

#[derive(clap::Args)]
pub(crate) struct Run {
    /// Which one
    #[arg(value_enum)]
    id: Id,

    /// The data: an `.arff` table for `starcraft`, a `.jsonl` file for `grid-goals`; may be given again
    /// for several tables
    #[arg(long, value_name = "FILE", required_if_eq_any([("id", "starcraft"), ("id", "grid-goals")]))]
    data: Vec<PathBuf>,

    /// Fewer folds, ages and trees; less patience with searches that take long
    #[arg(long)]
    quick: bool,

    /// What shuffles the plays
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Id {
    /// Who plays how, by the first minutes of games of people
    Starcraft,
    /// Whose goal is it, on grids with keys
    GridGoals,
    /// Table 6.1: plans for a companion and its player
    #[value(name = "table-6.1")]
    Cooperation,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    match &arguments.command {
        Command::List => print(LIST)?,
        Command::Run(run) => match run.id {
            Id::Starcraft => starcraft::run(run)?,
            Id::GridGoals => grid_goals::run(run)?,
            Id::Cooperation => cooperation::run(run)?,
        },
    }
    Ok(Exit::Done)
}

const LIST: &str = "\
starcraft   who plays how, by the first minutes of games of people: --data FILE.arff
grid-goals  whose goal is it, on grids with keys: --data FILE.jsonl
table-6.1   plans for a companion and its player, beside what was published
";
