//! `apprentice experiment export`: scripts that run the same experiments on many machines.

use std::path::PathBuf;

use apprentice::experiments::{Extent, hyperqueue_script, lab_script};

use super::papers::{catalogue, unknown};
use crate::exit::{Failure, print};
use crate::output_file;

/// Write scripts that run the same on many machines.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write them here: `lab_experiment.py` for Downward Lab, on one machine or by Slurm, and
    /// `hyperqueue_run.py` for HyperQueue
    #[arg(long, value_name = "DIR")]
    lab: PathBuf,

    /// Which experiments
    #[arg(value_name = "ID", default_values_t = ["all".to_owned()])]
    ids: Vec<String>,

    /// In how many parts
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    parts: u32,

    /// What says the most in little time
    #[arg(long)]
    quick: bool,

    /// What draws layouts and places
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (catalogue, ids) = catalogue(&arguments.ids)?;
    catalogue.chosen(&ids).map_err(|error| unknown(&error))?;
    let extent = if arguments.quick {
        Extent::Quick
    } else {
        Extent::Full
    };
    let (seed, parts) = (arguments.seed, arguments.parts);
    // Files of experiments must be found from wherever the scripts run them.
    let mut named = Vec::new();
    for id in &arguments.ids {
        named.push(if id.ends_with(".toml") {
            let whole = std::path::absolute(id);
            let whole = whole.map_err(|error| Failure::input(format!("`{id}`: {error}")))?;
            whole.display().to_string()
        } else {
            id.clone()
        });
    }
    let folder = &arguments.lab;
    std::fs::create_dir_all(folder).map_err(|error| output_file::cannot_write(folder, &error))?;
    let lab = folder.join("lab_experiment.py");
    let queue = folder.join("hyperqueue_run.py");
    output_file::write(&lab, &lab_script(&named, extent, seed, parts))?;
    output_file::write(&queue, &hyperqueue_script(&named, extent, seed, parts))?;
    print(&format!(
        "Downward Lab: python3 {} --all\nHyperQueue: python3 {}\n",
        lab.display(),
        queue.display()
    ))
}
