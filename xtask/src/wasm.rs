//! Whether Apprentice builds for browsers, and plans there as it does here.
//!
//! The libraries are checked for `wasm32-unknown-unknown`, as a page would have them. What they answer is
//! compared with the help of `wasm32-wasip1`, where a program can read files and print: the same program
//! runs on this machine and in node, and must print the same.

use std::path::Path;
use std::process::{Command, Output};

/// What a page or a game in a browser builds on.
const LIBRARIES: [&str; 7] = [
    "apprentice-search",
    "apprentice-experience",
    "apprentice-game",
    "apprentice-world",
    "apprentice-behavior",
    "apprentice-htn",
    "apprentice",
];

const BROWSER: &str = "wasm32-unknown-unknown";
const COMPARED: &str = "wasm32-wasip1";

/// Runs a program of WebAssembly in node: its path, the folder it may read, what it is told.
const RUN_IN_NODE: &str = "
    const { readFile } = require('node:fs/promises');
    const { WASI } = require('node:wasi');
    const [program, folder, ...told] = process.argv.slice(1);
    const wasi = new WASI({
        version: 'preview1',
        args: ['answers', ...told],
        preopens: { '/levels': folder },
    });
    readFile(program)
        .then((bytes) => WebAssembly.instantiate(bytes, wasi.getImportObject()))
        .then(({ instance }) => { process.exitCode = wasi.start(instance); });
";

/// What came of it.
pub(crate) enum Outcome {
    /// So many answers are the same.
    Same(usize),
    /// The first that is not: here, and there.
    Differs(String, String),
    /// What is missing, and how to get it.
    Skipped(String),
}

/// Builds, runs and compares. An error is the text of what did not even run.
pub(crate) fn run(root: &Path) -> Result<Outcome, String> {
    if Command::new("node").arg("--version").output().is_err() {
        return Ok(Outcome::Skipped("node is missing".to_owned()));
    }
    for target in [BROWSER, COMPARED] {
        if !is_installed(target) {
            let hint = format!("the target is missing: rustup target add {target}");
            return Ok(Outcome::Skipped(hint));
        }
    }
    let libraries = LIBRARIES.iter().flat_map(|name| ["-p", name]);
    cargo(
        root,
        ["check", "--release", "--target", BROWSER]
            .into_iter()
            .chain(libraries),
    )?;
    let program = ["-p", "apprentice-testkit", "--bin", "answers"];
    let build = ["build", "--release", "--target", COMPARED];
    cargo(root, build.into_iter().chain(program))?;

    let levels = root.join("scenarios");
    let levels = levels.to_str().ok_or("the path of the folder is no text")?;
    let run = ["run", "--release", "--quiet"].into_iter().chain(program);
    let here = cargo(root, run.chain(["--", levels]))?;
    let built = target_folder(root)
        .join(COMPARED)
        .join("release/answers.wasm");
    let there = Command::new("node")
        .args(["--no-warnings", "-e", RUN_IN_NODE, "--"])
        .arg(built)
        .args([levels, "/levels"])
        .output()
        .map_err(|error| format!("node could not be started: {error}"));
    Ok(compare(&here, &printed("node", there?)?))
}

fn compare(here: &str, there: &str) -> Outcome {
    let (mut here, mut there) = (here.lines(), there.lines());
    let mut same = 0;
    loop {
        match (here.next(), there.next()) {
            (None, None) => return Outcome::Same(same),
            (one, other) if one == other => same += 1,
            (one, other) => {
                let told = |line: Option<&str>| line.unwrap_or("nothing").to_owned();
                return Outcome::Differs(told(one), told(other));
            }
        }
    }
}

pub(crate) fn is_installed(target: &str) -> bool {
    let libraries = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", target])
        .output();
    libraries.is_ok_and(|output| {
        let path = String::from_utf8_lossy(&output.stdout);
        Path::new(path.trim()).is_dir()
    })
}

pub(crate) fn target_folder(root: &Path) -> std::path::PathBuf {
    let told = std::env::var_os("CARGO_TARGET_DIR").map(std::path::PathBuf::from);
    told.map_or_else(|| root.join("target"), |told| root.join(told))
}

pub(crate) fn cargo<'a>(
    root: &Path,
    arguments: impl Iterator<Item = &'a str>,
) -> Result<String, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(root)
        .args(arguments)
        .output()
        .map_err(|error| format!("cargo could not be started: {error}"))?;
    printed("cargo", output)
}

/// What a program printed, unless it failed.
fn printed(program: &str, output: Output) -> Result<String, String> {
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{program} failed:\n{errors}"));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("{program} printed no text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_told() {
        assert!(matches!(compare("a\nb\n", "a\nb\n"), Outcome::Same(2)));
        let Outcome::Differs(here, there) = compare("a\nb\n", "a\n") else {
            panic!("they differ");
        };
        assert_eq!((&*here, &*there), ("b", "nothing"));
    }
}
