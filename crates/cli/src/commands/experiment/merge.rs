//! `apprentice experiment merge`: gathers what parts of an experiment came to.

use std::path::PathBuf;

use apprentice::experiments::Journal;

use super::papers::broken;
use crate::exit::{Failure, print};

/// Gather what parts of an experiment came to.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Where everything goes; what is there already stays
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// The folders of the parts
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut journal = Journal::open(&arguments.out).map_err(|error| broken(&error))?;
    let mut added = 0;
    for part in &arguments.parts {
        added += journal.merge(part).map_err(|error| broken(&error))?;
    }
    print(&format!(
        "{added} cells gathered, {} in all; run the same experiments with --out {} for what is missing, and for the report\n",
        journal.rows().len(),
        arguments.out.display()
    ))
}
