//! Names say what a thing is.

use super::finding::Finding;
use super::rust_tokens::tokens;
use super::tree::Tree;

/// Names of drawers, not of things.
const DENIED: [&str; 7] = [
    "util", "utils", "common", "helpers", "misc", "core", "manager",
];

/// Folders with numbered files: what they hold is data, or is read in order.
const NUMBERED: [&str; 5] = ["examples", "testdata", "scenarios", "shipped", "golden"];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for path in tree.paths() {
        findings.extend(check_path(path));
    }
    for (path, text) in tree.texts().filter(|(path, _)| path.ends_with(".rs")) {
        for pair in tokens(text).windows(2) {
            let [keyword, name] = pair else { continue };
            let Some(name) = name.word().filter(|_| keyword.word() == Some("mod")) else {
                continue;
            };
            if is_denied(name) {
                let what = format!("a module is called `{name}`");
                let remedy = "name it after the noun inside";
                findings.push(Finding::new(path, keyword.line, what, remedy));
            }
        }
    }
    findings
}

fn check_path(path: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for component in path.split('/') {
        if let Some(name) = component.split('.').find(|name| is_denied(name)) {
            let what = format!("`{name}` says nothing about what is inside");
            let remedy = "name it after the noun or the promise inside";
            findings.push(Finding::new(path, 1, what, remedy));
        }
    }
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    // A dot at the front hides the file, it does not start an extension.
    let stem = match file.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => file,
    };
    let may_be_numbered = folder.split('/').any(|name| NUMBERED.contains(&name));
    if !may_be_numbered && stem.ends_with(|character: char| character.is_ascii_digit()) {
        let what = format!("the name of `{file}` ends in a digit");
        findings.push(Finding::new(
            path,
            1,
            what,
            "say what tells it from the others",
        ));
    }
    findings
}

fn is_denied(name: &str) -> bool {
    DENIED.contains(&name.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::*;

    fn check_paths(paths: &[&str], expected: &[&str]) {
        let files: Vec<(&str, &str)> = paths.iter().map(|path| (*path, "")).collect();
        assert_eq!(places(&check(&Tree::of(&files))), expected);
    }

    #[test]
    fn names_that_say_something_are_clean() {
        check_paths(
            &[
                ".ci/run",
                ".gitignore",
                "crates/search/src/cost.rs",
                "crates/htn/src/cores.rs",
            ],
            &[],
        );
    }

    #[test]
    fn drawers_are_found_as_folder_and_as_file() {
        check_paths(
            &[
                "crates/core/src/lib.rs",
                "crates/search/src/Utils.rs",
                "web/tree.helpers.js",
            ],
            &[
                "crates/core/src/lib.rs:1",
                "crates/search/src/Utils.rs:1",
                "web/tree.helpers.js:1",
            ],
        );
    }

    #[test]
    fn drawers_are_found_as_modules() {
        let source = "mod cost;\n// mod misc;\npub mod common {}\n";
        let tree = Tree::of(&[("crates/search/src/lib.rs", source)]);
        assert_eq!(places(&check(&tree)), ["crates/search/src/lib.rs:3"]);
    }

    #[test]
    fn digits_at_the_end_are_found() {
        check_paths(
            &["crates/search/src/nodes2.rs", "notes/plan3"],
            &["crates/search/src/nodes2.rs:1", "notes/plan3:1"],
        );
    }

    #[test]
    fn data_and_examples_may_be_numbered() {
        check_paths(
            &[
                "crates/search/testdata/graph_7.toml",
                "crates/search/tests/golden/run_1.txt",
                "examples/01_part2.rs",
                "scenarios/level3.toml",
            ],
            &[],
        );
    }
}
