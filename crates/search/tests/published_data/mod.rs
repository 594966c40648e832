//! Maps, meshes and problems that others have published. They are no part of the project; tests and
//! benchmarks that need them look for them in one folder, and say so where it is not there.

// Every test uses some of it.
#![allow(dead_code, unreachable_pub)]

use std::io::Write;
use std::path::{Path, PathBuf};

/// The variable that says where the folder is. Without it, it is looked for beside the project.
pub const VARIABLE: &str = "APPRENTICE_DATA";

/// A file or folder of the published data, if it is there.
pub fn find(what: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os(VARIABLE).map_or(beside, PathBuf::from);
    Some(folder.join(what)).filter(|path| path.exists())
}

/// The same. If it is not there, that is said, also in runs in which every test passes.
pub fn find_or_say(what: &str) -> Option<PathBuf> {
    let found = find(what);
    if found.is_none() {
        // Not by a macro: of a test that passes, what those print is not shown.
        let _ = writeln!(std::io::stderr(), "{}", missing(what));
    }
    found
}

/// What is said where something is not there.
pub fn missing(what: &str) -> String {
    format!(
        "SKIPPED: there is no published `{what}` here; CONTRIBUTING.md says where it comes from, and {VARIABLE} in which folder to look"
    )
}
