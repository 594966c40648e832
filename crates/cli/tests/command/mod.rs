//! Runs the real program.

// Every test file uses a part of this.
#![allow(dead_code)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// How a run ended and what it said.
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ended {
    fn of(output: Output) -> Ended {
        Ended {
            code: output.status.code().expect("it was not killed"),
            out: String::from_utf8(output.stdout).expect("text"),
            err: String::from_utf8(output.stderr).expect("text"),
        }
    }

    /// Runs the program with these arguments and something to read.
    pub(crate) fn of_input(arguments: &[&str], input: impl AsRef<[u8]>) -> Ended {
        Ended::of(given(apprentice().args(arguments), input))
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

/// The program, ready to be given arguments.
pub(crate) fn apprentice() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_apprentice"));
    command.stdin(Stdio::null()).current_dir(folder("anywhere"));
    command
}

/// Runs the program with these arguments.
pub(crate) fn run<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> Ended {
    Ended::of(apprentice().args(arguments).output().expect("it runs"))
}

/// A scenario that comes with Apprentice.
pub(crate) fn scenario(name: &str) -> String {
    // Those that only tests need are elsewhere.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["scenarios", "testdata/scenarios"];
    let paths = folders.map(|folder| root.join(folder).join(name).with_extension("toml"));
    let path = &paths[usize::from(!paths[0].exists())];
    path.to_str().expect("text").to_owned()
}

/// A folder for what a test writes.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// Writes a file and returns its path.
pub(crate) fn file(folder_name: &str, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder(folder_name).join(name);
    std::fs::write(&path, content).expect("it can be written");
    path.to_str().expect("text").to_owned()
}

/// Every planner there is.
pub(crate) const PLANNERS: [&str; 11] = [
    "astar",
    "wastar",
    "ara",
    "egraph",
    "tgraph",
    "mha",
    "mha-independent",
    "mha-plus",
    "mha-focal",
    "mha-unconstrained",
    "auto",
];

/// Scenarios of every sort: doors, a guard, a bear, a lever.
pub(crate) const SCENARIOS: [&str; 5] = [
    "k1d1_close",
    "quest_compound",
    "k5d1",
    "bear_bypass",
    "bear_lever",
];

/// A small quest that every test can change.
pub(crate) const VAULT: &str = r##"format = 1
name = "The vault"
start = [1, 3]
goal = { within = { at = [10, 1], radius = 0.0 } }

[map]
rows = [
    "............",
    "........#...",
    "........#...",
    "........####",
    "............",
]

[[key]]
id = "red"
at = [10, 4]
opens = ["vault"]

[[door]]
id = "vault"
at = [[8, 0]]

[[demonstration]]
points = [[1, 3], [9, 4], [8, 0]]
"##;

/// Writes a level that is not flat: from a yard, up a ramp, to a bridge three metres above it.
pub(crate) fn yard(folder_name: &str) -> String {
    let bridge = "v 0 0 0\nv 20 0 0\nv 20 0 8\nv 0 0 8\nf 4 3 2 1\n\
                  v 10 3 3\nv 18 3 3\nv 18 3 5\nv 10 3 5\nf 8 7 6 5\n\
                  v 4 0 3\nv 4 0 5\nf 10 8 5 9\n";
    file(folder_name, "yard.obj", bridge);
    let text = "format = 1\nstart = [1, 1]\nmap = { file = \"yard.obj\" }\n\
                goal = { within = { at = [17, 4, 3], radius = 0.5 } }\n";
    file(folder_name, "yard.toml", text)
}

/// Compares a picture with the one that is kept.
#[track_caller]
pub(crate) fn compare(picture: &str, golden: &str) {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join(golden);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&golden, picture).expect("it can be written");
    }
    let kept = std::fs::read_to_string(&golden).unwrap_or_default();
    // Checked out on Windows, the file may have other line ends.
    assert!(
        picture == kept.replace("\r\n", "\n"),
        "{} is another picture; draw it with UPDATE_GOLDEN=1 if that is meant",
        golden.display(),
    );
}

/// Runs a command that is given something to read.
pub(crate) fn given(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut stdin = child.stdin.take().expect("an input");
    let input = input.as_ref();
    std::thread::scope(|scope| {
        // Whoever answers while it reads is listened to meanwhile.
        scope.spawn(move || {
            // It may have heard enough before the end.
            let _ = stdin.write_all(input);
        });
        child.wait_with_output().expect("it ends")
    })
}
