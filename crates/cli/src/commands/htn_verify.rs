//! `apprentice htn verify`: checks a plan with its decomposition, without any planning code.

use std::path::{Path, PathBuf};

use apprentice::hddl::{Domain, PlanFile, Problem, read_domain, read_problem, verify};

use crate::exit::{Exit, Failure, print};
use crate::input_file::{Kind, text_of, unreadable};
use apprentice::report::numbers::counted;

/// Check a plan for an HDDL problem, without any planning code.
#[derive(clap::Args)]
#[command(after_help = "Exit codes: 0 valid, 1 the plan is invalid, 3 a file is broken.")]
pub(crate) struct Arguments {
    /// The domain (.hddl)
    domain: PathBuf,

    /// The problem (.hddl)
    problem: PathBuf,

    /// The plan with its decomposition, as `apprentice htn plan --format ipc` writes it
    plan: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let problem = read(&arguments.domain, &arguments.problem)?;
    let text = text_of(&arguments.plan, Kind::TaskPlan)?;
    let shown = arguments.plan.display().to_string();
    let plan = PlanFile::read(&shown, &text).map_err(|mistakes| match Kind::of(&arguments.plan) {
        Kind::Named => Failure::input(mistakes.to_string()),
        _ => Failure::input(format!(
            "`{shown}` is no plan with its decomposition; `apprentice htn plan DOMAIN PROBLEM --format ipc` writes one\n{mistakes}"
        )),
    })?;
    match verify(&problem, &plan) {
        Ok(verdict) => {
            print(&format!(
                "valid: {} from {}, the goal holds\n",
                counted(verdict.steps, "step"),
                counted(verdict.decompositions, "decomposition")
            ))?;
            Ok(Exit::Done)
        }
        Err(refusal) => {
            print(&format!("invalid: {refusal}\n"))?;
            Ok(Exit::Refuted)
        }
    }
}

/// Reads a domain and a problem of it.
pub(crate) fn read(domain: &Path, problem: &Path) -> Result<Problem, Failure> {
    let domain = read_alone(domain)?;
    let text = text_of(problem, Kind::Hddl)?;
    let read = read_problem(&domain, &problem.display().to_string(), &text);
    read.map_err(|mistakes| unreadable(problem, Kind::Hddl, &mistakes.to_string()))
}

/// Reads a domain.
pub(crate) fn read_alone(domain: &Path) -> Result<Domain, Failure> {
    let read = read_domain(&domain.display().to_string(), &text_of(domain, Kind::Hddl)?);
    read.map_err(|mistakes| unreadable(domain, Kind::Hddl, &mistakes.to_string()))
}
