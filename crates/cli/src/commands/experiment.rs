//! `apprentice experiment`: every table and figure of the papers by one command, and measures on data of others.

mod export;
mod grid_goals;
mod merge;
mod noisy_players;
mod papers;
mod starcraft;

use std::path::PathBuf;

use apprentice::experiments::{Catalogue, Extent};
use clap::Subcommand;

use crate::commands::plan::Format;
use crate::exit::{Exit, Failure, print};

/// Measure: every table and figure of the papers, experiments of your own, and data of others.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Say which experiments there are
    List,
    /// Run some, and report on them; what was done before is not done again
    Run(Run),
    /// Report again on what is in a folder
    Report(papers::ReportArguments),
    /// Gather what parts of an experiment came to
    Merge(merge::Arguments),
    /// Write scripts that run the same on many machines
    Export(export::Arguments),
}

#[derive(clap::Args)]
pub(crate) struct Run {
    /// Which: their names, `all` for those of the papers, or files that end in `.toml`
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,

    /// Where results go, and where those of a run that was interrupted are [default: apprentice-experiments]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// The data: an `.arff` table for `starcraft`, a `.jsonl` file for `grid-goals`; may be given again
    /// for several tables
    #[arg(long, value_name = "FILE")]
    data: Vec<PathBuf>,

    /// What says the most in little time: fewer repeats, bounds, folds and trees
    #[arg(long)]
    quick: bool,

    /// What draws layouts and places, and shuffles plays
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// On how many threads [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: Option<u32>,

    /// Only the K-th of N parts, for several machines; `merge` gathers them
    #[arg(long, value_name = "K/N", value_parser = part)]
    cells: Option<Part>,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// One of several parts of the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    /// From 1.
    number: usize,
    of: usize,
}

fn part(text: &str) -> Result<Part, String> {
    let parts = text.split_once('/');
    let parts = parts.and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    match parts {
        Some((number, of)) if (1..=of).contains(&number) => Ok(Part { number, of }),
        _ => Err("write which part of how many, as in 1/4".to_owned()),
    }
}

impl Run {
    fn extent(&self) -> Extent {
        if self.quick {
            Extent::Quick
        } else {
            Extent::Full
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    match &arguments.command {
        Command::List => print(&list())?,
        Command::Run(run) => match run.ids.iter().map(|id| &**id).collect::<Vec<_>>()[..] {
            ["starcraft"] => starcraft::run(with_data(run)?)?,
            ["grid-goals"] => grid_goals::run(with_data(run)?)?,
            ["noisy-players"] => noisy_players::run(run)?,
            _ => papers::run(run)?,
        },
        Command::Report(report) => papers::report(report)?,
        Command::Merge(merge) => merge::run(merge)?,
        Command::Export(export) => export::run(export)?,
    }
    Ok(Exit::Done)
}

fn with_data(run: &Run) -> Result<&Run, Failure> {
    if run.data.is_empty() {
        return Err(Failure::input(format!(
            "`{}` measures on data of others, which are not part of Apprentice; name them with --data FILE",
            run.ids[0]
        )));
    }
    Ok(run)
}

fn list() -> String {
    let catalogue = Catalogue::shipped();
    let definitions = catalogue.definitions();
    let longest = definitions.iter().map(|it| it.id.len()).max().unwrap_or(0);
    let mut text = String::new();
    for definition in definitions {
        let cells = |extent| {
            let cells = definition.cells(catalogue.levels(), extent, 1);
            cells.map_or(0, |cells| cells.len())
        };
        text += &format!(
            "{:longest$}  {} ({}): {} cells, {} with --quick\n",
            definition.id,
            definition.title,
            definition.source,
            cells(Extent::Full),
            cells(Extent::Quick),
        );
    }
    for (id, about) in OF_OTHERS {
        text += &format!("{id:longest$}  {about}\n");
    }
    text
}

const OF_OTHERS: [(&str, &str); 3] = [
    (
        "noisy-players",
        "companions of players who change their style, wander and stand still",
    ),
    (
        "starcraft",
        "who plays how, by the first minutes of games of people: --data FILE.arff",
    ),
    (
        "grid-goals",
        "whose goal is it, on grids with keys: --data FILE.jsonl",
    ),
];
