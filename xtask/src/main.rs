//! Chores of the workspace, run as `cargo xtask COMMAND`.

mod caves;
mod tidy;
mod wasm;
mod web;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask COMMAND

commands:
  caves      carve the meshes of the caves in scenarios/ out of the rock
  simulate   play games in such levels as strangers make, and hold laws against every tick (--help tells more)
  strangers  plan levels as strangers make them, and say how often there is an answer (--help tells more)
  tidy       compare the map with the tree, the arrows with Cargo, and look for what must not be there
  wasm       build the libraries for browsers, and compare what they plan there with what they plan here
  web        make the studio a folder that any web server can serve, with the planner inside (--out DIR, otherwise target/web)

exit codes: 0 nothing found, 1 something found, 2 the command could not run";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["caves"] => caves(),
        ["simulate", options @ ..] => testkit("simulate", options),
        ["strangers", options @ ..] => testkit("strangers", options),
        ["tidy"] => tidy(),
        ["wasm"] => wasm(),
        ["web"] => web(None),
        ["web", "--out", out] => web(Some(out)),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn caves() -> ExitCode {
    let written = workspace_root().and_then(|root| {
        caves::carve().into_iter().try_for_each(|(name, text)| {
            let path = root.join("scenarios").join(&name);
            std::fs::write(path, text).map_err(|error| format!("{name}: {error}"))
        })
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("the caves could not be written: {reason}");
            ExitCode::from(2)
        }
    }
}

/// Runs a program of the crate testkit, optimised. It is none of xtask itself, which has to be built
/// before anything else can be done.
fn testkit(program: &str, options: &[&str]) -> ExitCode {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = std::process::Command::new(cargo)
        .args(["run", "--release", "--quiet", "-p", "apprentice-testkit"])
        .args(["--bin", program, "--"])
        .args(options)
        .status();
    match status {
        Ok(status) => ExitCode::from(status.code().map_or(2, |code| code.clamp(0, 255) as u8)),
        Err(error) => {
            eprintln!("cargo could not be started: {error}");
            ExitCode::from(2)
        }
    }
}

fn tidy() -> ExitCode {
    match workspace_root().and_then(|root| tidy::run(&root)) {
        Ok(findings) if findings.is_empty() => {
            println!("tidy: nothing found");
            ExitCode::SUCCESS
        }
        Ok(findings) => {
            for finding in &findings {
                println!("{finding}");
            }
            let plural = if findings.len() == 1 { "" } else { "s" };
            println!("tidy: {} finding{plural}", findings.len());
            ExitCode::FAILURE
        }
        Err(reason) => {
            eprintln!("tidy could not run: {reason}");
            ExitCode::from(2)
        }
    }
}

fn wasm() -> ExitCode {
    match workspace_root().and_then(|root| wasm::run(&root)) {
        Ok(wasm::Outcome::Same(answers)) => {
            println!("wasm: {answers} answers are the same as here");
            ExitCode::SUCCESS
        }
        Ok(wasm::Outcome::Differs(here, there)) => {
            println!("wasm: a plan is not the same\n  here: {here}\n  wasm: {there}");
            ExitCode::FAILURE
        }
        Ok(wasm::Outcome::Skipped(why)) => {
            println!("SKIPPED: plans in WebAssembly, because {why}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("wasm could not run: {reason}");
            ExitCode::from(2)
        }
    }
}

fn web(out: Option<&str>) -> ExitCode {
    match workspace_root().and_then(|root| web::run(&root, out)) {
        Ok(web::Outcome::Made(folder, bytes)) => {
            println!("web: {} ({bytes} bytes)", folder.display());
            ExitCode::SUCCESS
        }
        Ok(web::Outcome::Skipped(why)) => {
            println!("SKIPPED: the studio as a folder, because {why}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("web could not run: {reason}");
            ExitCode::from(2)
        }
    }
}

/// The folder above xtask/.
///
/// Asked for when running, not when compiling: two checkouts that share a target folder also share
/// the compiled program.
fn workspace_root() -> Result<PathBuf, String> {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let root = manifest
        .as_deref()
        .and_then(Path::parent)
        .map(Path::to_owned);
    root.ok_or_else(|| "cargo did not say where it is, start it as `cargo xtask tidy`".to_owned())
}
