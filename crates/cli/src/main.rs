//! The command line of Apprentice: plans quests, checks plans, and draws both.

mod commands;
mod demonstrations;
mod exit;
mod explanation;
mod input_file;
mod numbers;
mod output_file;
mod phrases;
mod picture;
mod plan_document;
mod planner;
mod report;
mod scenario_source;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use exit::Exit;

/// Plans for game characters that learn from demonstrations.
#[derive(Parser)]
#[command(name = "apprentice", version, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plan one quest, say what was found and what is proven about it, and draw it
    Plan(Box<commands::plan::Arguments>),
    /// Say what a heuristic estimates, cell by cell or as a picture
    Heuristic(commands::heuristic::Arguments),
    /// Check a scenario, or live through a plan without any search code
    Verify(commands::verify::Arguments),
    /// Draw, plan and play in the browser
    Studio(commands::studio::Arguments),
    /// Record demonstrations, look into them, simplify them, and find out what is wrong with them
    Demo(commands::demo::Arguments),
    /// Plan, check and format what designers wrote: tasks and the methods that do them
    Htn(commands::htn::Arguments),
}

const EXIT_CODES: &str = "\
Exit codes:
  0  a plan was found, or is valid
  1  it is proven that there is no plan, or the plan is invalid
  2  the budget ran out without a plan
  3  bad input: a broken file, an unknown option, a number that makes no sense
  4  a bug in apprentice";

fn main() -> ExitCode {
    exit::without_panics(run).into()
}

fn run() -> Exit {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return exit::explain_usage(&error),
    };
    let outcome = match arguments.command {
        Command::Plan(arguments) => commands::plan::run(&arguments),
        Command::Heuristic(arguments) => commands::heuristic::run(&arguments),
        Command::Verify(arguments) => commands::verify::run(&arguments),
        Command::Studio(arguments) => commands::studio::run(&arguments),
        Command::Demo(arguments) => commands::demo::run(&arguments),
        Command::Htn(arguments) => commands::htn::run(&arguments),
    };
    outcome.unwrap_or_else(|failure| failure.tell())
}
