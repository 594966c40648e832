//! `apprentice studio`: serves the studio to a browser on this machine.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use apprentice_studio::{Options, Studio};

use crate::exit::{Exit, Failure, note, print};

/// Draw, plan and play in the browser.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The port to listen on [default: the first free one from 7307 on]
    #[arg(long, value_name = "N")]
    port: Option<u16>,

    /// Don't open a browser
    #[arg(long)]
    no_open: bool,

    /// The folder to work in; nothing outside it is read or written
    #[arg(long, value_name = "DIR", default_value = ".")]
    folder: PathBuf,
}

const HELP: &str = "\
The studio is reachable from this machine only, and only with the token in the address it prints.
It stops when you press Ctrl+C.
Exit codes: 3 the folder does not exist or the port is taken, 4 a bug in apprentice.";

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let options = Options {
        folder: arguments.folder.clone(),
        port: arguments.port,
    };
    let studio = Studio::open(&options).map_err(|error| {
        let what = match arguments.port {
            Some(port) => format!("on port {port}; try another one, or none"),
            None => format!("in `{}`", arguments.folder.display()),
        };
        Failure::input(format!("the studio cannot be opened {what}: {error}"))
    })?;
    print(&format!("The studio is open at {}\n", studio.address()))?;
    serve(&studio, arguments.no_open);
    Ok(Exit::Done)
}

/// Opens a browser unless told not to, says how it goes on, and answers until the process ends.
pub(crate) fn serve(studio: &Studio, no_open: bool) {
    // Everybody on this machine can see what programs are started with.
    let opened = !no_open
        && studio
            .address_for_one_visit()
            .is_ok_and(|address| open_browser(&address));
    note(match (opened, no_open) {
        (true, _) => {
            "Your browser was asked to open it; if none does, open the address yourself. Press Ctrl+C to stop."
        }
        (false, true) => "Open this address in a browser. Press Ctrl+C to stop.",
        (false, false) => {
            "No browser could be started: open this address in one. Press Ctrl+C to stop."
        }
    });
    studio.serve();
}

/// Asks the system to open an address. False: it doesn't know how.
fn open_browser(address: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "windows") {
        ("cmd", &["/C", "start", ""])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    Command::new(program)
        .args(arguments)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .is_ok()
}
