//! `apprentice demo simplify`: leaves out samples that say nothing new.

use std::path::PathBuf;

use apprentice::experience::Simplification;

use super::refuse_to_overwrite;
use crate::demonstrations::read_log;
use crate::exit::{Exit, Failure, print};
use crate::output_file;
use apprentice::report::numbers::{counted, grouped, short};

/// Leave out samples that say nothing new. Kept are the ends, events, and where the gait, a flag or
/// what is held changes; the time between two samples stays what it was.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The log (.jsonl)
    file: PathBuf,

    /// The log to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Leave out samples nearer than this to the line between their neighbours
    #[arg(long, value_name = "DISTANCE", default_value_t = 0.5, value_parser = distance, allow_hyphen_values = true)]
    tolerance: f64,

    /// Leave out samples nearer than this to the one before
    #[arg(long, value_name = "DISTANCE", default_value_t = 0.25, value_parser = distance, allow_hyphen_values = true)]
    min_step: f64,

    /// Keep at most N segments, with whatever tolerance that takes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    segments: Option<u32>,

    /// Overwrite a log that is already there
    #[arg(long)]
    force: bool,
}

fn distance(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "write a number".to_owned())?;
    if (0.0..=1e6).contains(&number) {
        Ok(number)
    } else {
        Err("write a distance from 0 to 1000000".to_owned())
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if !arguments.force {
        refuse_to_overwrite(&arguments.output, "--force overwrites it")?;
    }
    let log = read_log(&arguments.file)?.log;
    let simplification = Simplification {
        min_step: arguments.min_step,
        tolerance: arguments.tolerance,
        segments: arguments.segments.map(|segments| segments as usize),
    };
    let (simple, tolerance) = simplification.apply_to_log(&log).map_err(|error| {
        Failure::input(format!(
            "{error}; allow --segments {} or more",
            error.needed
        ))
    })?;
    let text = simple
        .write()
        .map_err(|error| Failure::Bug(format!("a log that cannot be written: {error}")))?;
    // With --force, a log may take its own place.
    output_file::replace(&arguments.output, &text)?;
    print(&format!(
        "{} of {}, tolerance {}, written to {}\n",
        grouped(simple.samples.len() as u64),
        counted(log.samples.len(), "sample"),
        short(tolerance, 3),
        arguments.output.display()
    ))?;
    Ok(Exit::Done)
}
