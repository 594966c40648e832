//! `apprentice study`: people play beside four kinds of characters and say what they think of them.

use std::path::PathBuf;

use apprentice_studio::{Studio, StudyOptions, study};
use clap::{Subcommand, ValueEnum};

use super::studio;
use crate::exit::{Exit, Failure, print, print_exactly};

/// Let people play beside four kinds of characters and say what they think, or print what came of it.
#[derive(clap::Args)]
#[command(after_help = HELP, args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    /// The folder of the results; it is made if it is not there
    #[arg(long, value_name = "DIR", default_value = "study")]
    out: PathBuf,

    /// The port to listen on [default: the first free one from 7307 on]
    #[arg(long, value_name = "N")]
    port: Option<u16>,

    /// Don't open a browser
    #[arg(long)]
    no_open: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Print the table of the published study with ours beside it, and write answers.csv and remarks.csv
    Report(Report),
}

#[derive(clap::Args)]
struct Report {
    /// The folder of the results
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// For people, or one JSON document
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

const HELP: &str = "\
A participant takes about twenty minutes: a room to practise in, two maps four times each, and a few
statements after each game. Everything is written down at once, one file a participant; whoever is
interrupted goes on where they were. A text of your own to agree to goes into consent.txt in DIR.
The study is reachable from this machine only. It stops when you press Ctrl+C.
Exit codes: 3 the folder cannot be used or holds something else, or the port is taken, 4 a bug in apprentice.";

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    match &arguments.command {
        Some(Command::Report(arguments)) => report(arguments),
        None => open(arguments),
    }
}

fn open(arguments: &Arguments) -> Result<Exit, Failure> {
    let options = StudyOptions {
        out: arguments.out.clone(),
        port: arguments.port,
    };
    let studio = Studio::open_study(&options).map_err(|error| {
        let what = match arguments.port {
            Some(port) => format!(
                "on port {port} with results in `{}`; try another one, or none",
                arguments.out.display()
            ),
            None => format!("with results in `{}`", arguments.out.display()),
        };
        Failure::input(format!("the study cannot be opened {what}: {error}"))
    })?;
    let address = studio.address();
    let text = format!(
        "The study is open at {address}\nNotes of the experimenter: {}\nThe results go to {}\n",
        address.replace("/?", "/study_notes.html?"),
        arguments.out.display()
    );
    print(&text)?;
    studio::serve(&studio, arguments.no_open);
    Ok(Exit::Done)
}

fn report(arguments: &Report) -> Result<Exit, Failure> {
    let document =
        study::report(&arguments.folder).map_err(|error| Failure::input(error.to_string()))?;
    match arguments.format {
        Format::Text => print(&document.to_string())?,
        Format::Json => {
            let text = serde_json::to_string_pretty(&document);
            let text = text.map_err(|error| Failure::Bug(error.to_string()))?;
            print_exactly(&format!("{text}\n"))?;
        }
    }
    Ok(Exit::Done)
}
