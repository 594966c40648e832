//! How the program ends: exit codes that scripts rely on, and messages that help.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use apprentice::report::visible;
use clap::error::ErrorKind;

/// How a run ended. The numbers are the exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// A plan was found, or is valid, or nothing else was asked.
    Done = 0,
    /// There is no plan, or it is invalid.
    Refuted = 1,
    /// The budget ran out without a plan.
    BudgetSpent = 2,
    /// Something is wrong with what was given.
    BadInput = 3,
    /// Something is wrong with this program.
    Bug = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a command could not do what it was told.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something is wrong with what was given.
    Input(String),
    /// Something is wrong with this program.
    Bug(String),
}

impl Failure {
    pub(crate) fn input(message: impl Into<String>) -> Failure {
        Failure::Input(message.into())
    }

    /// Says it to people, and how to end.
    pub(crate) fn tell(&self) -> Exit {
        match self {
            Failure::Input(message) => {
                note(&format!("error: {message}"));
                Exit::BadInput
            }
            Failure::Bug(message) => {
                note(&format!("error: {message}\n{PLEASE_REPORT}"));
                Exit::Bug
            }
        }
    }
}

const PLEASE_REPORT: &str =
    "This is a bug in apprentice. Please report it, with the command and the files it was given.";

/// Says something to people. Nobody listening is no error.
pub(crate) fn note(message: &str) {
    let _ = writeln!(io::stderr(), "{}", visible::all(message));
}

/// Prints a result for people, who see every character of it: names come from files of anybody, and
/// a terminal takes some characters for orders.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_exactly(&visible::all(text))
}

/// Prints a result for programs, as it is. A reader that has heard enough, as `head` has, is no
/// error.
pub(crate) fn print_exactly(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::input(format!(
            "the result cannot be written: {error}"
        ))),
        _ => Ok(()),
    }
}

/// Runs the program; a panic becomes a message and an exit code.
pub(crate) fn without_panics(run: impl FnOnce() -> Exit) -> Exit {
    std::panic::set_hook(Box::new(|panic| {
        note(&format!("error: {panic}\n{PLEASE_REPORT}"));
    }));
    // Nothing is looked at after a panic, so nothing half-changed can be seen.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or(Exit::Bug)
}

/// Prints help, or says what is wrong with the command line.
pub(crate) fn explain_usage(error: &clap::Error) -> Exit {
    let _ = error.print();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Done,
        _ => Exit::BadInput,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_with_the_code_of_a_bug() {
        assert_eq!(
            without_panics(|| panic!("on purpose, for a test")),
            Exit::Bug
        );
        assert_eq!(without_panics(|| Exit::Done), Exit::Done);
    }

    #[test]
    fn a_bug_that_was_noticed_ends_like_a_panic() {
        assert_eq!(
            Failure::Bug("on purpose, for a test".to_owned()).tell(),
            Exit::Bug
        );
    }
}
