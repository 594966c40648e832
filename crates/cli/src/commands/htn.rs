//! `apprentice htn`: plans for tasks.

use std::path::PathBuf;
use std::time::Duration;

use super::{htn_hddl, htn_verify};
use crate::exit::{Exit, Failure};

/// Plan tasks, and check such plans.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Plan a problem: domain.hddl problem.hddl
    Plan(PlanArguments),
    /// Check a plan for an HDDL problem, without any planning code
    Verify(htn_verify::Arguments),
    /// Plan every HDDL problem below a folder, check every plan, and print a table
    Coverage(htn_hddl::CoverageArguments),
}

#[derive(clap::Args)]
struct PlanArguments {
    /// The domain and the problem (.hddl)
    #[arg(num_args = 2, required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Stop after so many iterations
    #[arg(long)]
    iterations: Option<u64>,

    /// Stop after so many milliseconds
    #[arg(long, value_name = "MS")]
    time: Option<u64>,

    /// How the plan is printed
    #[arg(long, value_enum, default_value = "text")]
    format: htn_hddl::Format,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    match &arguments.command {
        Command::Plan(arguments) => {
            let [domain, problem] = arguments.files.as_slice() else {
                return Err(Failure::input("give a domain and a problem"));
            };
            htn_hddl::plan(&htn_hddl::Request {
                domain,
                problem,
                iterations: arguments.iterations,
                time: arguments.time.map(Duration::from_millis),
                format: arguments.format,
            })
        }
        Command::Verify(arguments) => htn_verify::run(arguments),
        Command::Coverage(arguments) => htn_hddl::coverage(arguments),
    }
}
