//! Tree: every file that belongs to the project, with its text.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Every file that git tracks or would track, by its path from the root.
///
/// Paths use `/` on every platform.
pub(crate) struct Tree {
    /// `None` for files that are not text.
    files: BTreeMap<String, Option<String>>,
}

impl Tree {
    /// Asks git which files there are, and reads them.
    pub(crate) fn read(root: &Path) -> Result<Tree, String> {
        let output = Command::new("git")
            .args([
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ])
            .current_dir(root)
            .output()
            .map_err(|error| format!("cannot start git: {error}"))?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            return Err(format!("git ls-files failed: {}", message.trim()));
        }
        let list = String::from_utf8(output.stdout)
            .map_err(|_| "git lists a path that is not UTF-8, rename that file".to_owned())?;
        let mut files = BTreeMap::new();
        for path in list.split('\0').filter(|path| !path.is_empty()) {
            // A file that is tracked but deleted is no longer part of the tree.
            let Ok(bytes) = std::fs::read(root.join(path)) else {
                continue;
            };
            files.insert(path.to_owned(), String::from_utf8(bytes).ok());
        }
        Ok(Tree { files })
    }

    /// A tree of these paths and texts, for tests.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Tree {
        let files = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), Some((*text).to_owned())));
        Tree {
            files: files.collect(),
        }
    }

    /// All paths, sorted.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Path and text of every text file, sorted by path.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files
            .iter()
            .filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// The text of one file, if it exists and is text.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.as_deref()
    }

    /// Whether there is a file at this path.
    pub(crate) fn has_file(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Whether some file lies under this folder, given without a slash at its end.
    ///
    /// The empty path is the root, which always exists.
    pub(crate) fn has_folder(&self, path: &str) -> bool {
        if path.is_empty() {
            return true;
        }
        let inside = format!("{path}/");
        self.files
            .range(inside.clone()..)
            .next()
            .is_some_and(|(file, _)| file.starts_with(&inside))
    }

    /// Path and text of every Rust file under `crates/NAME/src/` of the named crates.
    pub(crate) fn sources_of(&self, crates: &[&str]) -> impl Iterator<Item = (&str, &str)> {
        self.texts().filter(|(path, _)| {
            let is_named = |rest: &str| match rest.split_once('/') {
                Some((name, inside)) => crates.contains(&name) && inside.starts_with("src/"),
                None => false,
            };
            path.ends_with(".rs") && path.strip_prefix("crates/").is_some_and(is_named)
        })
    }
}

/// The path that `target` means when it is written in the file `from`.
///
/// `None` if it leaves the workspace.
pub(crate) fn resolve(from: &str, target: &str) -> Option<String> {
    let mut components: Vec<&str> = from.split('/').collect();
    components.pop();
    for component in target.split('/') {
        match component {
            "" | "." => {}
            ".." => {
                components.pop()?;
            }
            name => components.push(name),
        }
    }
    Some(components.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_exists_if_a_file_lies_under_it() {
        let tree = Tree::of(&[("book-old/a.md", ""), ("crates/search/src/lib.rs", "")]);
        assert!(tree.has_folder("crates"));
        assert!(tree.has_folder("crates/search/src"));
        assert!(!tree.has_folder("book"));
        assert!(!tree.has_folder("crates/search/src/lib.rs"));
        assert!(tree.has_folder(""));
    }

    #[test]
    fn sources_are_the_rust_files_under_src_of_the_named_crates() {
        let tree = Tree::of(&[
            ("crates/search/src/nodes/arena.rs", ""),
            ("crates/search/src/notes.md", ""),
            ("crates/search/tests/bounds_hold.rs", ""),
            ("crates/world/src/lib.rs", ""),
        ]);
        let sources: Vec<&str> = tree.sources_of(&["search"]).map(|(path, _)| path).collect();
        assert_eq!(sources, ["crates/search/src/nodes/arena.rs"]);
    }

    #[test]
    fn targets_are_resolved_from_the_folder_of_the_file() {
        assert_eq!(
            resolve("README.md", "book/src").as_deref(),
            Some("book/src")
        );
        assert_eq!(
            resolve("book/src/a.md", "./b.md").as_deref(),
            Some("book/src/b.md")
        );
        assert_eq!(
            resolve("book/src/a.md", "../../README.md").as_deref(),
            Some("README.md")
        );
        assert_eq!(resolve("README.md", "../elsewhere"), None);
    }
}
