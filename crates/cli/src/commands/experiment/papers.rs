//! Runs experiments of the papers, or of files, and reports on them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use apprentice::experiments::{
    Catalogue, Cell, Definition, Extent, Header, Journal, JournalError, Pictures, Progress, Report,
    Results, Row, RunError, Runner, UnknownExperiment, Verdict,
};
use apprentice::report::numbers::grouped;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use super::{Part, Run};
use crate::commands::plan::Format;
use crate::exit::{Failure, note, print, print_exactly};
use crate::output_file;

/// Where results go unless somebody says otherwise.
const FOLDER: &str = "apprentice-experiments";

/// The file that says what a folder was asked for, so that it can be reported on again.
const ASKED: &str = "asked.json";

/// Report again on what is in a folder.
#[derive(clap::Args)]
pub(crate) struct ReportArguments {
    /// The folder of the results
    #[arg(value_name = "DIR", default_value = FOLDER)]
    folder: PathBuf,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// What a folder was asked for.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Asked {
    ids: Vec<String>,
    quick: bool,
    seed: u64,
    command: String,
    machine: String,
}

pub(super) fn run(run: &Run) -> Result<(), Failure> {
    let others = run
        .ids
        .iter()
        .find(|id| ["starcraft", "grid-goals"].contains(&&***id));
    if let Some(id) = others {
        return Err(Failure::input(format!(
            "`{id}` measures on data of others and is run by itself: apprentice experiment run {id} --data FILE"
        )));
    }
    if !run.data.is_empty() {
        note("note: --data is for starcraft and grid-goals; it means nothing here");
    }
    let folder = run.out.clone().unwrap_or_else(|| PathBuf::from(FOLDER));
    let (catalogue, ids) = catalogue(&run.ids)?;
    let definitions = catalogue.chosen(&ids).map_err(|error| unknown(&error))?;
    let cells = cells(&definitions, &catalogue, run)?;
    let mut journal = Journal::open(&folder).map_err(|error| broken(&error))?;
    let threads = match run.jobs {
        Some(jobs) => jobs as usize,
        None => std::thread::available_parallelism().map_or(1, |count| count.get()),
    };
    let asked = Asked {
        ids: run.ids.clone(),
        quick: run.quick,
        seed: run.seed,
        command: std::env::args().collect::<Vec<_>>().join(" "),
        machine: machine(),
    };
    let text = serde_json::to_string_pretty(&asked);
    let text = text.map_err(|error| Failure::Bug(error.to_string()))? + "\n";
    output_file::replace(&folder.join(ASKED), &text)?;
    say_what_is_ahead(&definitions, run, &cells, &journal, threads);
    let bar = ProgressBar::new(cells.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{elapsed} {bar:24} {wide_msg}") {
        bar.set_style(style);
    }
    let runner = Runner {
        levels: catalogue.levels(),
        threads,
    };
    let cells: Vec<&Cell> = cells.iter().collect();
    let ended = runner.run(&cells, &mut journal, |progress| {
        bar.set_position(progress.done as u64);
        bar.set_message(told(progress));
    });
    bar.finish_and_clear();
    ended.map_err(|error| match error {
        RunError::Journal(error) => broken(&error),
        RunError::Cell(error) => Failure::input(error.to_string()),
        other => Failure::Bug(other.to_string()),
    })?;
    if let Some(Part { number, of }) = run.cells {
        return print(&format!(
            "part {number} of {of} is done, in {}\n`apprentice experiment merge --out DIR` gathers all parts\n",
            folder.display()
        ));
    }
    let rows = journal.rows().to_vec();
    finish(&folder, &catalogue, &definitions, asked, &rows, run.format)
}

/// Reports again, without running anything.
pub(super) fn report(arguments: &ReportArguments) -> Result<(), Failure> {
    let folder = &arguments.folder;
    let path = folder.join(ASKED);
    let text = std::fs::read_to_string(&path).map_err(|error| {
        Failure::input(format!(
            "`{}` cannot be read: {error}; name the folder of a run, or run something into it first",
            path.display()
        ))
    })?;
    let asked: Asked = serde_json::from_str(&text).map_err(|error| {
        Failure::input(format!(
            "`{}` is not what a run wrote: {error}",
            path.display()
        ))
    })?;
    let (catalogue, ids) = catalogue(&asked.ids)?;
    let definitions = catalogue.chosen(&ids).map_err(|error| unknown(&error))?;
    let rows = Journal::read(folder).map_err(|error| broken(&error))?;
    finish(
        folder,
        &catalogue,
        &definitions,
        asked,
        &rows,
        arguments.format,
    )
}

fn finish(
    folder: &Path,
    catalogue: &Catalogue,
    definitions: &[&Definition],
    asked: Asked,
    rows: &[Row],
    format: Format,
) -> Result<(), Failure> {
    let extent = if asked.quick {
        Extent::Quick
    } else {
        Extent::Full
    };
    let header = Header {
        command: asked.command,
        seed: asked.seed,
        machine: asked.machine,
    };
    let results = Results::of(definitions, catalogue.levels(), extent, rows, header);
    let results = results.map_err(|error| Failure::input(error.to_string()))?;
    let report = Report::of(&results, catalogue.levels(), Pictures::Drawn);
    for (name, text) in report.files() {
        let path = folder.join(&name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)
                .map_err(|error| output_file::cannot_write(parent, &error))?;
        }
        output_file::replace(&path, &text)?;
    }
    match format {
        Format::Json => print_exactly(&report.verdicts_json()),
        Format::Text => print(&summary(&report.verdicts, definitions, folder)),
    }
}

/// The experiments there are with those of files, and the names of those that were asked for.
pub(super) fn catalogue(ids: &[String]) -> Result<(Catalogue, Vec<String>), Failure> {
    let mut catalogue = Catalogue::shipped();
    let mut names = Vec::new();
    for id in ids {
        if id.ends_with(".toml") {
            let added = catalogue
                .add_file(Path::new(id))
                .map_err(|error| unknown(&error))?;
            names.push(added.id.clone());
        } else {
            names.push(id.clone());
        }
    }
    Ok((catalogue, names))
}

pub(super) fn unknown(error: &UnknownExperiment) -> Failure {
    Failure::input(error.to_string())
}

pub(super) fn broken(error: &JournalError) -> Failure {
    Failure::input(error.to_string())
}

/// Every cell once, or those of a part.
fn cells(
    definitions: &[&Definition],
    catalogue: &Catalogue,
    run: &Run,
) -> Result<Vec<Cell>, Failure> {
    let mut seen = std::collections::BTreeSet::new();
    let mut cells = Vec::new();
    for definition in definitions {
        let planned = definition.cells(catalogue.levels(), run.extent(), run.seed);
        let planned =
            planned.map_err(|error| Failure::input(format!("{}: {error}", definition.id)))?;
        cells.extend(
            planned
                .into_iter()
                .map(|it| it.cell)
                .filter(|cell| seen.insert(cell.key())),
        );
    }
    if let Some(Part { number, of }) = run.cells {
        let numbered = cells.into_iter().enumerate();
        let chosen = numbered.filter(|(place, _)| place % of == number - 1);
        cells = chosen.map(|(_, cell)| cell).collect();
    }
    Ok(cells)
}

fn say_what_is_ahead(
    definitions: &[&Definition],
    run: &Run,
    cells: &[Cell],
    journal: &Journal,
    threads: usize,
) {
    let done = cells
        .iter()
        .filter(|cell| journal.find(&cell.key()).is_some())
        .count();
    let which = usize::from(!run.quick);
    let seconds: f64 = definitions.iter().map(|it| it.core_seconds[which]).sum();
    let left = (cells.len() - done) as f64 / cells.len().max(1) as f64;
    let parts = run.cells.map_or(1, |part| part.of);
    let ahead = seconds * left / threads as f64 / parts as f64;
    let mut told = format!("{} cells", grouped(cells.len() as u64));
    if done > 0 {
        told += &format!(", {} of them done before", grouped(done as u64));
    }
    if seconds > 0.0 && done < cells.len() {
        let ahead = lasting(Duration::from_secs_f64(ahead));
        told += &format!(
            "; about {ahead} on {threads} cores as fast as those they were last measured on"
        );
    }
    note(&told);
}

fn told(progress: &Progress) -> String {
    let Progress {
        done,
        all,
        remaining,
        last,
        ..
    } = progress;
    let left = remaining.map_or_else(String::new, |left| {
        format!(", about {} left", lasting(left))
    });
    format!("{done} of {all}{left}; {last}")
}

/// A time as people say it.
fn lasting(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{} s", seconds.max(1)),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

/// What this machine is, as far as anybody says.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, |count| count.get());
    let system = format!(
        "{} {}, {cores} cores",
        std::env::consts::OS,
        std::env::consts::ARCH
    );
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = told
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    match model.map(|line| line.trim_start_matches(['\t', ' ', ':']).trim()) {
        Some(model) if !model.is_empty() => format!("{system}, {model}"),
        _ => system,
    }
}

fn summary(verdicts: &[Verdict], definitions: &[&Definition], folder: &Path) -> String {
    let asked = |verdict: &&Verdict| {
        let mut all = definitions.iter().flat_map(|it| &it.asserts);
        all.any(|id| *id == verdict.id)
    };
    let mut text = String::new();
    for verdict in verdicts.iter().filter(asked) {
        let (word, what) = match verdict.holds {
            Some(true) => ("holds", &verdict.measured),
            Some(false) => ("fails", &verdict.measured),
            None => ("open", &verdict.why),
        };
        text += &format!("{:4} {word:6} {what}\n", verdict.id);
    }
    let report = folder.join("report.html");
    text + &format!("\neverything about it is in {}\n", report.display())
}
