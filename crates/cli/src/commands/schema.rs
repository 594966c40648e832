//! `apprentice schema`: prints what a document looks like, as JSON Schema or as types of TypeScript.

use apprentice::report::numbers::counted;
use apprentice::report::schema::{DOCUMENTS, Described, to_text, typescript};
use apprentice_session::LINES;
use apprentice_studio::MESSAGES;
use clap::ValueEnum;

use crate::exit::{Exit, Failure, print, print_exactly};

/// Print what a document looks like.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The document; without one, all there are are listed
    document: Option<String>,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Json)]
    format: Format,
}

/// What to print.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// JSON Schema (2020-12)
    Json,
    /// Types of TypeScript
    Typescript,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let all: Vec<Described> = DOCUMENTS.into_iter().chain(MESSAGES).chain(LINES).collect();
    let Some(name) = &arguments.document else {
        if arguments.format == Format::Typescript {
            print_exactly(&typescript(&all))?;
            return Ok(Exit::Done);
        }
        let lines = all
            .iter()
            .map(|it| format!("{:<16}{}\n", it.name, it.about));
        print(&lines.collect::<String>())?;
        return Ok(Exit::Done);
    };
    let Some(document) = all.iter().find(|it| it.name == name) else {
        let names: Vec<&str> = all.iter().map(|it| it.name).collect();
        return Err(Failure::input(format!(
            "there is no document `{name}`; there are {}: {}",
            counted(names.len(), "document"),
            names.join(", ")
        )));
    };
    print_exactly(&match arguments.format {
        Format::Json => to_text(&document.schema()),
        Format::Typescript => typescript(&[*document]),
    })?;
    Ok(Exit::Done)
}
