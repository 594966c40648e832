//! Checks that what the documents say about the code is true, and that the code keeps the rules
//! no compiler knows.
//!
//! Each check is one file with one function `check`. It takes data, never reads the disk itself,
//! and returns its findings.

mod finding;
mod tree;
mod workspace;

mod map;

mod arrows;
mod boundaries;
mod docs;
mod floats;
mod names;
mod page_words;
mod shipped;
mod test_programs;
mod unfinished;

mod markdown;
mod rust_tokens;

use std::path::Path;

use finding::Finding;
use tree::Tree;
use workspace::Workspace;

/// Runs every check on the workspace at `root`.
///
/// An error means that git or cargo did not answer, so that nothing was checked.
pub(crate) fn run(root: &Path) -> Result<Vec<Finding>, String> {
    let tree = Tree::read(root)?;
    let workspace = Workspace::read(root)?;
    let mut findings = Vec::new();
    findings.extend(map::check(&tree));
    findings.extend(arrows::check(&tree, &workspace));
    findings.extend(floats::check(&tree));
    findings.extend(boundaries::check(&tree));
    findings.extend(names::check(&tree));
    findings.extend(page_words::check(&tree));
    findings.extend(test_programs::check(&tree));
    findings.extend(shipped::check(&tree));
    findings.extend(unfinished::check(&tree));
    findings.extend(docs::check(&tree, &workspace));
    findings.sort();
    Ok(findings)
}
