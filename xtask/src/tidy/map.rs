//! The map equals the tree.
//!
//! ARCHITECTURE.md holds exactly one fenced block with the tag `map`. Each line of it that is not
//! blank is one entry: a path from the root, at least two spaces, a description. Space before the
//! path is free, so entries may be indented. A folder ends with `/`, a file does not.
//!
//! ````text
//! ```map
//! crates/                      the libraries
//!   crates/search/             finds cheap ways through anything that can list its successors
//!     crates/search/src/lib.rs     the vocabulary, re-exported; one example
//!     crates/search/src/cost.rs    Cost, Weight: integers every ordering rests on
//! examples/                    the manual: one idea each, in reading order
//!   examples/01_first_path.rs  finds a way through a small map
//! xtask/                       chores
//!   xtask/src/main.rs          the commands
//! ```
//! ````
//!
//! These must be in the map: every folder at the top (also those that start with a dot), every
//! folder `crates/NAME/`, every `.rs` file under `crates/NAME/src/` and `xtask/src/`, and every
//! `.rs` file in `examples/`. Anything else that exists may be in it.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::Finding;
use super::markdown;
use super::tree::Tree;

const FILE: &str = "ARCHITECTURE.md";

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let Some(text) = tree.text(FILE) else {
        return vec![Finding::new(
            FILE,
            1,
            "the file is missing",
            "write it, with a `map` block",
        )];
    };
    let blocks = markdown::blocks(text);
    let maps: Vec<_> = blocks.iter().filter(|block| block.tag == "map").collect();
    let [map] = maps.as_slice() else {
        let line = maps.get(1).map_or(1, |second| second.line);
        let what = format!("there are {} blocks with the tag `map`", maps.len());
        return vec![Finding::new(FILE, line, what, "keep exactly one")];
    };

    let mut findings = Vec::new();
    let mut entries: BTreeMap<&str, usize> = BTreeMap::new();
    for &(number, line) in &map.lines {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let (path, description) = line.split_once("  ").unwrap_or((line, ""));
        if description.trim().is_empty() {
            let what = format!("`{path}` has no description");
            findings.push(Finding::new(
                FILE,
                number,
                what,
                "add one after two spaces or more",
            ));
        }
        if let Some(first) = entries.insert(path, number) {
            let what = format!("`{path}` is already in the map at line {first}");
            findings.push(Finding::new(
                FILE,
                number,
                what,
                "keep one of the two lines",
            ));
        }
        findings.extend(entry_that_does_not_exist(tree, path, number));
    }

    for path in wanted(tree) {
        if !entries.contains_key(path.as_str()) {
            let remedy = format!("add `{path}  WHAT IT IS` to the `map` block of {FILE}");
            let what = format!("`{path}` is not in the map");
            findings.push(Finding::new(path.trim_end_matches('/'), 1, what, remedy));
        }
    }
    findings
}

fn entry_that_does_not_exist(tree: &Tree, path: &str, line: usize) -> Option<Finding> {
    let (what, remedy) = match path.strip_suffix('/') {
        Some(folder) if tree.has_folder(folder) => return None,
        None if tree.has_file(path) => return None,
        None if tree.has_folder(path) => {
            (format!("`{path}` is a folder"), format!("write `{path}/`"))
        }
        _ => (
            format!("`{path}` does not exist"),
            "remove the line, or write the path from the root".to_owned(),
        ),
    };
    Some(Finding::new(FILE, line, what, remedy))
}

/// Every path that must be in the map.
fn wanted(tree: &Tree) -> BTreeSet<String> {
    let mut wanted = BTreeSet::new();
    for path in tree.paths() {
        let components: Vec<&str> = path.split('/').collect();
        if let [top, _, ..] = components.as_slice() {
            wanted.insert(format!("{top}/"));
        }
        if let ["crates", name, _, ..] = components.as_slice() {
            wanted.insert(format!("crates/{name}/"));
        }
        let is_listed = matches!(
            components.as_slice(),
            ["crates", _, "src", _, ..] | ["xtask", "src", _, ..] | ["examples", _]
        );
        if is_listed && path.ends_with(".rs") {
            wanted.insert(path.to_owned());
        }
    }
    wanted
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::*;

    const SOURCES: [&str; 5] = [
        "crates/search/src/lib.rs",
        "crates/search/src/nodes/arena.rs",
        "crates/search/tests/bounds_hold.rs",
        "examples/01_first_path.rs",
        ".ci/run",
    ];

    const MAP: &str = "\
# Architecture

```map
.ci/                                what a change must pass
crates/                             the libraries

  crates/search/                    finds ways
    crates/search/src/lib.rs        the vocabulary
    crates/search/src/nodes/arena.rs  where states live
examples/                           the manual
  examples/01_first_path.rs         a first path
```
";

    fn findings(map: &str) -> Vec<Finding> {
        let mut files: Vec<(&str, &str)> = SOURCES.iter().map(|path| (*path, "")).collect();
        files.push((FILE, map));
        check(&Tree::of(&files))
    }

    /// The map with one more line at its end.
    fn with_entry(line: &str) -> String {
        let open = MAP.strip_suffix("```\n").unwrap();
        format!("{open}{line}\n```\n")
    }

    #[test]
    fn a_map_that_equals_the_tree_is_clean() {
        assert_eq!(findings(MAP), []);
    }

    #[test]
    fn a_file_that_is_not_in_the_map_is_found() {
        let map = MAP.replace(
            "    crates/search/src/nodes/arena.rs  where states live\n",
            "",
        );
        assert_eq!(
            places(&findings(&map)),
            ["crates/search/src/nodes/arena.rs:1"]
        );
    }

    #[test]
    fn a_folder_that_is_not_in_the_map_is_found() {
        let map = MAP
            .replace(".ci/   ", "")
            .replace("  crates/search/   ", "");
        let found = findings(&map);
        assert!(
            found
                .iter()
                .any(|finding| finding.what == "`.ci/` is not in the map")
        );
        assert!(
            found
                .iter()
                .any(|finding| finding.what == "`crates/search/` is not in the map")
        );
    }

    #[test]
    fn an_entry_that_does_not_exist_is_found() {
        let map = with_entry("examples/02_gone.rs  was here");
        assert_eq!(places(&findings(&map)), ["ARCHITECTURE.md:12"]);
    }

    #[test]
    fn an_entry_may_be_anything_that_exists() {
        let map = with_entry("crates/search/tests/bounds_hold.rs  the promise");
        assert_eq!(findings(&map), []);
    }

    #[test]
    fn a_folder_without_its_slash_is_found() {
        let map = MAP.replace(".ci/ ", ".ci  ");
        let found = findings(&map);
        assert_eq!(
            found[0].to_string(),
            "ARCHITECTURE.md:4: `.ci` is a folder, write `.ci/`"
        );
    }

    #[test]
    fn entries_twice_or_without_a_description_are_found() {
        let map = MAP.replace("the libraries", "\ncrates/  again");
        assert_eq!(
            places(&findings(&map)),
            ["ARCHITECTURE.md:5", "ARCHITECTURE.md:6"]
        );
    }

    #[test]
    fn there_is_exactly_one_map() {
        assert_eq!(places(&findings("no map here")), ["ARCHITECTURE.md:1"]);
        assert_eq!(
            places(&findings(&format!("{MAP}\n{MAP}"))),
            ["ARCHITECTURE.md:16"]
        );
        assert_eq!(places(&check(&Tree::of(&[]))), ["ARCHITECTURE.md:1"]);
    }
}
