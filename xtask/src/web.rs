//! The studio as a folder that any web server can serve: the page, and the planner in WebAssembly inside
//! it (`crates/page`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::wasm::{cargo, is_installed, target_folder};

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "page";
/// As much as threads of the program have; what Rust gives a program in a page is a quarter of it.
const STACK: &str = "link-arg=-zstack-size=4194304";
/// What the page fetches.
const PROGRAM: &str = "apprentice.wasm";

/// What Rust takes for granted of browsers; nothing else may be made of it.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// What came of it.
pub(crate) enum Outcome {
    /// The folder, and how many bytes are in it.
    Made(PathBuf, u64),
    /// What is missing, and how to get it.
    Skipped(String),
}

/// Makes the folder, or puts a newer page into one that has one.
pub(crate) fn run(root: &Path, out: Option<&str>) -> Result<Outcome, String> {
    if !is_installed(TARGET) {
        let hint = format!("the target is missing: rustup target add {TARGET}");
        return Ok(Outcome::Skipped(hint));
    }
    let out = out.map_or_else(|| target_folder(root).join("web"), PathBuf::from);
    may_be_filled(&out)?;
    let build = [
        "rustc",
        "--package",
        "apprentice-page",
        "--lib",
        "--crate-type",
        "cdylib",
        "--profile",
        PROFILE,
        "--target",
        TARGET,
        "--",
        "-C",
        STACK,
    ];
    cargo(root, build.into_iter())?;
    let built = target_folder(root)
        .join(TARGET)
        .join(PROFILE)
        .join("apprentice_page.wasm");

    let wrong = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    fs::create_dir_all(&out).map_err(|error| wrong(&out, error))?;
    let web = root.join("crates/studio/web");
    // What is in there for pages with a planner inside takes the place of what is for the program.
    for folder in [web.clone(), web.join("in_page")] {
        for file in files(&folder)? {
            let name = file.file_name().unwrap_or_default();
            // Who takes part in a study needs somebody who keeps the answers.
            if !name.to_string_lossy().starts_with("study") {
                fs::copy(&file, out.join(name)).map_err(|error| wrong(&file, error))?;
            }
        }
    }
    let program = out.join(PROGRAM);
    if !is_made_smaller(&built, &program) {
        fs::copy(&built, &program).map_err(|error| wrong(&built, error))?;
    }
    let sizes = files(&out)?.into_iter().map(|file| {
        let about = fs::metadata(&file).map_err(|error| wrong(&file, error))?;
        Ok(about.len())
    });
    let bytes = sizes.sum::<Result<u64, String>>()?;
    Ok(Outcome::Made(out, bytes))
}

/// A folder with anything but a page in it is left alone: somebody may have mistyped its name.
fn may_be_filled(out: &Path) -> Result<(), String> {
    let is_empty = fs::read_dir(out).is_ok_and(|mut inside| inside.next().is_none());
    if !out.exists() || is_empty || out.join(PROGRAM).is_file() {
        return Ok(());
    }
    let name = out.display();
    Err(format!(
        "{name} has other files in it; name a folder that is empty or not there yet"
    ))
}

/// What Binaryen can take off, where it is installed; it is no part of Rust.
fn is_made_smaller(from: &Path, to: &Path) -> bool {
    let status = Command::new("wasm-opt")
        .arg("-O2")
        .args(FEATURES)
        .arg(from)
        .arg("-o")
        .arg(to)
        .status();
    status.is_ok_and(|status| status.success())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let wrong = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_others_are_left_alone() {
        let root = std::env::temp_dir().join(format!("apprentice-web-{}", std::process::id()));
        fs::create_dir_all(&root).expect("there is room");
        assert_eq!(may_be_filled(&root), Ok(()));
        assert_eq!(may_be_filled(&root.join("none")), Ok(()));
        fs::create_dir(root.join("folder")).expect("there is room");
        assert!(may_be_filled(&root).is_err());
        fs::write(root.join("index.html"), "mine").expect("there is room");
        assert!(may_be_filled(&root).is_err());
        fs::write(root.join(PROGRAM), "").expect("there is room");
        assert_eq!(may_be_filled(&root), Ok(()));
        fs::remove_dir_all(&root).expect("it is ours");
    }
}
