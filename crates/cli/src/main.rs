//! The command line of Apprentice: plans quests, checks plans, and draws both.

mod commands;
mod demonstrations;
mod exit;
mod input_file;
mod output_file;
mod plan_file;
mod planner;
mod player_model;
mod progress;
mod scenario_source;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

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
    /// Rate players from their matches, or planners and levels from results, and draw the ratings
    Rate(commands::rate::Arguments),
    /// Draw, plan and play in the browser
    Studio(commands::studio::Arguments),
    /// Let people play beside four kinds of characters and say what they think, or print what came of it
    Study(commands::study::Arguments),
    /// Answer another program line by line: levels and observations in, orders and reasons out
    Serve(commands::serve::Arguments),
    /// Record demonstrations, look into them, simplify them, and find out what is wrong with them
    Demo(commands::demo::Arguments),
    /// Plan, check and format what designers wrote: tasks and the methods that do them
    Htn(commands::htn::Arguments),
    /// Find out how people play: learn styles from logs, and tell the style of a play
    Playstyle(commands::playstyle::Arguments),
    /// Say what somebody is after, from where they were seen
    Recognise(commands::recognise::Arguments),
    /// Measure on data of others
    Experiment(commands::experiment::Arguments),
    /// Print what a document looks like, as JSON Schema or as types of TypeScript
    Schema(commands::schema::Arguments),
}

const EXIT_CODES: &str = "\
Exit codes:
  0  a plan was found, or is valid
  1  it is proven that there is no plan, or the plan is invalid
  2  the budget ran out without a plan, or a limit was reached
  3  bad input: a broken file, an unknown option, a number that makes no sense
  4  a bug in apprentice";

fn main() -> ExitCode {
    exit::without_panics(run).into()
}

/// A number below zero is never an option: whoever writes one is told which numbers are allowed.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    command
        .allow_negative_numbers(true)
        .mut_subcommands(with_negative_numbers)
}

fn run() -> Exit {
    let parsed = with_negative_numbers(Arguments::command()).try_get_matches();
    let parsed = parsed.and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => return exit::explain_usage(&error),
    };
    let outcome = match arguments.command {
        Command::Plan(arguments) => commands::plan::run(&arguments),
        Command::Heuristic(arguments) => commands::heuristic::run(&arguments),
        Command::Verify(arguments) => commands::verify::run(&arguments),
        Command::Rate(arguments) => commands::rate::run(&arguments),
        Command::Studio(arguments) => commands::studio::run(&arguments),
        Command::Study(arguments) => commands::study::run(&arguments),
        Command::Serve(arguments) => commands::serve::run(&arguments),
        Command::Demo(arguments) => commands::demo::run(&arguments),
        Command::Htn(arguments) => commands::htn::run(&arguments),
        Command::Playstyle(arguments) => commands::playstyle::run(&arguments),
        Command::Recognise(arguments) => commands::recognise::run(&arguments),
        Command::Experiment(arguments) => commands::experiment::run(&arguments),
        Command::Schema(arguments) => commands::schema::run(&arguments),
    };
    outcome.unwrap_or_else(|failure| failure.tell())
}
