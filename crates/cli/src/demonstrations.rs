//! Where demonstrations come from: the scenario's own, drawn or recorded, and files named beside it.

use std::path::{Path, PathBuf};

use apprentice::experience::{Demonstration, DemonstrationLog, Place, ReadLog};
use apprentice::world::{Drawn, Gait, Scenario};

use crate::exit::{Failure, note};
use crate::scenario_source::{Source, point_out, read_bytes};

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
    Ok(own.into_iter().chain(named).collect())
}

/// The scenario's own demonstrations. Drawn ones go by their number, recorded ones by their file.
pub(crate) fn load_own(source: &Source) -> Result<Vec<Demonstration>, Failure> {
    let scenario = &source.scenario;
    let numbered = (1..).zip(scenario.demonstrations());
    numbered
        .map(|(number, demonstration)| match demonstration {
            Drawn::Points(points) => {
                let places = points.iter().map(|point| Place::flat(point.x, point.y));
                let name = format!("drawn {number}");
                Ok(Demonstration::drawn(name, places, top_speed(scenario)))
            }
            Drawn::File(name) => load_file(&source.beside(name)),
        })
        .collect()
}

/// The greatest speed a plan can have.
pub(crate) fn top_speed(scenario: &Scenario) -> f64 {
    scenario.rules().speed(Gait::Walk)
}

/// A recorded demonstration, by the name of its file.
pub(crate) fn load_file(path: &Path) -> Result<Demonstration, Failure> {
    Ok(read_log(path)?.log.demonstration(name_of(path)))
}

/// What a file's demonstration is called.
pub(crate) fn name_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or(path.as_os_str());
    stem.to_string_lossy().into_owned()
}

/// Everything a log says. A last line that was cut off is mentioned.
pub(crate) fn read_log(path: &Path) -> Result<ReadLog, Failure> {
    let bytes = read_bytes(path)
        .map_err(|why| Failure::input(format!("`{}` cannot be read: {why}", path.display())))?;
    let read = DemonstrationLog::read(&bytes).map_err(|error| {
        let text = String::from_utf8_lossy(&bytes);
        let (line, column) = (error.line, error.column);
        Failure::Input(point_out(path, &text, line, column, &error.wrong))
    })?;
    if let Some(line) = read.cut_line {
        note(&format!(
            "note: {}:{line}: the last line ends in the middle and is left out",
            path.display()
        ));
    }
    Ok(read)
}
