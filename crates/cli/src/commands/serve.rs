//! `apprentice serve`: answers another program, a line at a time.

use std::io::{self, BufRead, Read, Write};
use std::time::Instant;

use apprentice_session::Session;

use crate::exit::{Exit, Failure, note};

/// Answer another program line by line.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Read questions from standard input and write answers to standard output: one JSON document a
    /// line each
    #[arg(long, required = true)]
    stdio: bool,
}

const HELP: &str = "\
Every line is answered by one line, in order; what makes no sense, by one with \"is\":\"error\".
It ends when its input does. `apprentice schema serve-question` and `serve-answer` print what lines
look like, and the chapter \"In your engine\" of the book tells what they mean.
Exit codes: 0 the input has ended, 3 it cannot be read, 4 a bug in apprentice.";

/// No line is longer; whoever sends one has forgotten to end it.
const LONGEST: u64 = 64 << 20;

pub(crate) fn run(_arguments: &Arguments) -> Result<Exit, Failure> {
    // A panic is answered, and told to people besides; it does not end the session.
    let began = Instant::now();
    let clock = || began.elapsed();
    let mut session = Session::new(&clock);
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        let unreadable = |error| Failure::input(format!("the input cannot be read: {error}"));
        if read.map_err(unreadable)? == 0 {
            return Ok(Exit::Done);
        }
        if line.len() as u64 == LONGEST && line.last() != Some(&b'\n') {
            note("error: a line is longer than 64 MiB, so its end was never looked for");
            return Ok(Exit::BadInput);
        }
        // Nothing between two line ends is no question.
        if line.trim_ascii().is_empty() {
            continue;
        }
        // What is no text is no JSON either, and is answered like that.
        let answer = session.answer(&String::from_utf8_lossy(&line)) + "\n";
        let written = output.write_all(answer.as_bytes());
        match written.and_then(|()| output.flush()) {
            Ok(()) => {}
            // Nobody listens any more.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(Exit::Done),
            Err(error) => {
                let wrong = format!("the answer cannot be written: {error}");
                return Err(Failure::input(wrong));
            }
        }
    }
}
