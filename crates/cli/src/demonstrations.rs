//! Where demonstrations come from: the scenario's own, drawn or recorded, and files named beside it.

use std::path::{Path, PathBuf};

use apprentice::experience::{Demonstration, DemonstrationLog, Flaw, LogHeader, ReadLog, Unit};
use apprentice::report::visible;
use apprentice::world::{Drawn, Map, drawn_line};

use crate::exit::{Failure, note};
use crate::input_file::{Kind, bytes_of, read_bytes, unreadable};
use crate::scenario_source::{Source, looked_for_beside, point_out};

/// Which demonstrations there are.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct DemonstrationArguments {
    /// A recorded demonstration (.jsonl), beside the scenario's own; may be given again and again
    #[arg(long = "demo", value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Leave out the scenario's own demonstrations
    #[arg(long)]
    no_demos: bool,
}

impl DemonstrationArguments {
    /// Whether the scenario's own are left out.
    pub(crate) fn leaves_own_out(&self) -> bool {
        self.no_demos
    }

    /// The options that were given.
    pub(crate) fn given(&self) -> impl Iterator<Item = &'static str> {
        let demo = (!self.files.is_empty()).then_some("--demo");
        demo.into_iter()
            .chain(self.no_demos.then_some("--no-demos"))
    }
}

/// A demonstration, and what its log says beside it.
pub(crate) struct Loaded {
    pub(crate) demonstration: Demonstration,
    /// Drawn demonstrations have none.
    pub(crate) header: Option<LogHeader>,
}

/// The demonstrations of a scenario, and those named on the command line.
pub(crate) fn load(
    source: &Source,
    arguments: &DemonstrationArguments,
) -> Result<Vec<Demonstration>, Failure> {
    let own = if arguments.no_demos {
        Vec::new()
    } else {
        load_own(source)?
    };
    let named = arguments.files.iter().map(|path| load_file(path));
    let named = named.collect::<Result<Vec<_>, _>>()?;
    let all: Vec<Loaded> = own.into_iter().chain(named).collect();
    for loaded in &all {
        if let Some(flaw) = other_unit(source, loaded) {
            note(&format!(
                "note: the demonstration `{}`: {flaw}, so it may lead where nobody went; {}",
                loaded.demonstration.name,
                flaw.remedy()
            ));
        }
    }
    let all: Vec<Demonstration> = all.into_iter().map(|loaded| loaded.demonstration).collect();
    for demonstration in all.iter().filter(|it| it.samples.is_empty()) {
        note(&format!(
            "note: the demonstration `{}` has no samples, so there is nothing to follow; record it again",
            demonstration.name
        ));
    }
    Ok(all)
}

/// That a log counts in metres and the level in cells, or the other way round.
fn other_unit(source: &Source, loaded: &Loaded) -> Option<Flaw> {
    let recorded = loaded.header.as_ref()?.unit?;
    let here = match source.scenario.map() {
        Map::Grid(_) => Unit::Cell,
        Map::Mesh(_) => Unit::Metre,
    };
    (recorded != here).then_some(Flaw::OtherUnit { recorded, here })
}

/// The scenario's own demonstrations. Those without a name go by their number if they are drawn, and by
/// their file if they are recorded.
pub(crate) fn load_own(source: &Source) -> Result<Vec<Loaded>, Failure> {
    let numbered = (1..).zip(source.scenario.demonstrations());
    numbered
        .map(|(number, shown)| {
            let mut loaded = load_drawn(source, &format!("drawn {number}"), shown)?;
            if let Some(name) = source.scenario.demonstration_name(number - 1) {
                loaded.demonstration.name = visible::only(name).into_owned();
            }
            Ok(loaded)
        })
        .collect()
}

/// What a scenario has of a demonstration: a line, which gets this name, or a file.
pub(crate) fn load_drawn(source: &Source, name: &str, shown: &Drawn) -> Result<Loaded, Failure> {
    match shown {
        Drawn::Points(points) => Ok(Loaded {
            demonstration: drawn_line(&source.scenario, name, points),
            header: None,
        }),
        Drawn::File { name, line, column } => {
            let path = source.beside(name);
            let bytes = read_bytes(&path, Kind::Demonstration).map_err(|why| {
                let why = looked_for_beside(&path, why);
                let wrong = format!("`{name}` cannot be read: {why}");
                source.wrong_at(*line, *column, &wrong)
            })?;
            Ok(loaded(&path, read_log_in(&path, &bytes)?.log))
        }
    }
}

/// A recorded demonstration, by the name of its file.
pub(crate) fn load_file(path: &Path) -> Result<Loaded, Failure> {
    Ok(loaded(path, read_log(path)?.log))
}

fn loaded(path: &Path, log: DemonstrationLog) -> Loaded {
    Loaded {
        demonstration: log.demonstration(name_of(path)),
        header: Some(log.header),
    }
}

/// What a file's demonstration is called.
pub(crate) fn name_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or(path.as_os_str());
    visible::only(&stem.to_string_lossy()).into_owned()
}

/// Everything a log says. A last line that was cut off is mentioned.
pub(crate) fn read_log(path: &Path) -> Result<ReadLog, Failure> {
    read_log_in(path, &bytes_of(path, Kind::Demonstration)?)
}

fn read_log_in(path: &Path, bytes: &[u8]) -> Result<ReadLog, Failure> {
    let read = DemonstrationLog::read(bytes).map_err(|error| {
        let text = String::from_utf8_lossy(bytes);
        let (line, column) = (error.line, error.column);
        let wrong = point_out(path, &text, line, column, &error.wrong);
        unreadable(path, Kind::Demonstration, &wrong)
    })?;
    if let Some(line) = read.cut_line {
        note(&format!(
            "note: {}:{line}: the last line ends in the middle and is left out",
            path.display()
        ));
    }
    Ok(read)
}
