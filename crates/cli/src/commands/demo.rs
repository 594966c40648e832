//! `apprentice demo`: records demonstrations, looks into them, simplifies them and looks them over.

mod compare;
mod inspect;
mod lint;
mod log_file;
mod record;
mod simplify;

use std::path::Path;

use clap::Subcommand;

use crate::exit::{Exit, Failure};
use crate::output_file;

/// Record demonstrations, look into them, simplify them, and find out what is wrong with them.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Record a demonstration by carrying out a plan, or orders from the standard input
    Record(record::Arguments),
    /// Say what is in a recorded demonstration
    Inspect(inspect::Arguments),
    /// Leave out samples that say nothing new
    Simplify(simplify::Arguments),
    /// Say how much a way is like what was shown
    Compare(compare::Arguments),
    /// Say what may be wrong with demonstrations, and whether a search would follow them here
    Lint(lint::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    match &arguments.command {
        Command::Record(arguments) => record::run(arguments),
        Command::Inspect(arguments) => inspect::run(arguments),
        Command::Simplify(arguments) => simplify::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::Lint(arguments) => lint::run(arguments),
    }
}

/// Demonstrations are work: none is overwritten by accident.
fn refuse_to_overwrite(path: &Path, instead: &str) -> Result<(), Failure> {
    if path.is_dir() {
        return Err(output_file::is_a_folder(path));
    }
    if path.exists() {
        return Err(Failure::input(format!(
            "`{}` is already there; {instead}",
            path.display()
        )));
    }
    Ok(())
}
