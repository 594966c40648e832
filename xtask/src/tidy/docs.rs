//! Every chapter is in the book and its code runs, every example is registered and explains
//! itself, every link leads somewhere.

use std::collections::BTreeSet;

use super::finding::Finding;
use super::markdown;
use super::rust_tokens::{Kind, tokens};
use super::tree::{Tree, resolve};
use super::workspace::Workspace;

const SUMMARY: &str = "book/src/SUMMARY.md";

/// Includes the chapters of the book, so that rustdoc runs their code.
const FACADE: &str = "crates/apprentice/src/lib.rs";

/// Registers the examples.
const FACADE_PACKAGE: &str = "apprentice";

pub(crate) fn check(tree: &Tree, workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(check_chapters(tree));
    findings.extend(check_examples(tree, workspace));
    findings.extend(check_links(tree));
    findings
}

fn check_chapters(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let summary = tree.text(SUMMARY).unwrap_or_default();
    let linked: BTreeSet<String> = markdown::links(summary)
        .iter()
        .filter_map(|link| resolve(SUMMARY, link.target))
        .collect();
    let included = included_files(tree);
    for (path, text) in tree.texts() {
        let is_chapter = path.starts_with("book/src/") && path.ends_with(".md") && path != SUMMARY;
        if !is_chapter {
            continue;
        }
        if !linked.contains(path) {
            let remedy = format!("link it from {SUMMARY}, or delete it");
            findings.push(Finding::new(
                path,
                1,
                "the chapter is not in the book",
                remedy,
            ));
        }
        let code = markdown::blocks(text)
            .into_iter()
            .find(|block| block.tag == "rust");
        if let Some(block) = code
            && !included.contains(path)
        {
            let remedy = format!("add `#[doc = include_str!(\"../../../{path}\")]` to {FACADE}");
            findings.push(Finding::new(
                path,
                block.line,
                "the code is never run",
                remedy,
            ));
        }
    }
    findings
}

/// Every file that the façade includes with `include_str!("…")`.
fn included_files(tree: &Tree) -> BTreeSet<String> {
    let tokens = tokens(tree.text(FACADE).unwrap_or_default());
    let mut files = BTreeSet::new();
    for window in tokens.windows(4) {
        let [name, mark, bracket, path] = window else {
            continue;
        };
        if name.word() == Some("include_str")
            && mark.is('!')
            && bracket.is('(')
            && let Kind::Text(path) = &path.kind
        {
            files.extend(resolve(FACADE, path));
        }
    }
    files
}

fn check_examples(tree: &Tree, workspace: &Workspace) -> Vec<Finding> {
    let registered = workspace
        .package(FACADE_PACKAGE)
        .map_or(&[][..], |facade| &facade.examples);
    let mut findings = Vec::new();
    for (path, text) in tree.texts() {
        let name = path
            .strip_prefix("examples/")
            .and_then(|file| file.strip_suffix(".rs"));
        let Some(name) = name.filter(|name| !name.contains('/')) else {
            continue;
        };
        if !begins_with_a_sentence(text) {
            let remedy = "begin it with `//!` and what it shows, ending with a full stop";
            findings.push(Finding::new(
                path,
                1,
                "the example does not say what it shows",
                remedy,
            ));
        }
        if !registered
            .iter()
            .any(|example| example.file == path && example.name == name)
        {
            let remedy = format!(
                "add an [[example]] with name = \"{name}\" and path = \"../../{path}\" to \
                 crates/apprentice/Cargo.toml"
            );
            findings.push(Finding::new(
                path,
                1,
                "the example is not registered",
                remedy,
            ));
        }
    }
    findings
}

/// Whether the first paragraph of the file's documentation ends as sentences do.
fn begins_with_a_sentence(text: &str) -> bool {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    let paragraph: Vec<&str> = lines
        .map(str::trim)
        .take_while(|line| !line.is_empty())
        .collect();
    paragraph
        .last()
        .is_some_and(|line| line.ends_with(['.', '?', '!', ':']))
}

/// Relative links of the documents at the top and in the book.
fn check_links(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts() {
        let is_document = !path.contains('/') || path.starts_with("book/src/");
        if !is_document || !path.ends_with(".md") {
            continue;
        }
        for link in markdown::links(text) {
            let target = link.target.split('#').next().unwrap_or_default();
            let is_relative = !target.contains("://") && !target.starts_with("mailto:");
            if target.is_empty() || !is_relative {
                continue;
            }
            let exists = resolve(path, target)
                .is_some_and(|target| tree.has_file(&target) || tree.has_folder(&target));
            if !exists {
                let what = format!("the link to `{target}` leads nowhere");
                findings.push(Finding::new(
                    path,
                    link.line,
                    what,
                    "correct it, or remove it",
                ));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::super::workspace::{Example, Package};
    use super::*;

    /// A workspace whose façade registers these names with these files.
    fn workspace(examples: &[(&str, &str)]) -> Workspace {
        let example = |(name, file): &(&str, &str)| Example {
            name: (*name).into(),
            file: (*file).into(),
        };
        let facade = Package {
            name: FACADE_PACKAGE.into(),
            folder: "crates/apprentice".into(),
            dependencies: Vec::new(),
            examples: examples.iter().map(example).collect(),
        };
        Workspace {
            packages: vec![facade],
        }
    }

    fn check_files(files: &[(&str, &str)], expected: &[&str]) {
        assert_eq!(places(&check(&Tree::of(files), &workspace(&[]))), expected);
    }

    const CHAPTER: &str = "# Searching\n\n```rust,no_run\nlet x = 1;\n```\n";

    #[test]
    fn a_chapter_that_is_linked_and_run_is_clean() {
        check_files(
            &[
                (SUMMARY, "- [Searching](searching.md)\n"),
                ("book/src/searching.md", CHAPTER),
                (
                    FACADE,
                    "#[doc = include_str!(\"../../../book/src/searching.md\")]\nstruct A;",
                ),
            ],
            &[],
        );
    }

    #[test]
    fn a_chapter_without_code_need_not_be_included() {
        check_files(
            &[
                (SUMMARY, "[A](a.md)"),
                ("book/src/a.md", "```text\nx\n```\n"),
            ],
            &[],
        );
    }

    #[test]
    fn a_chapter_outside_the_book_is_found() {
        check_files(
            &[(SUMMARY, "# Summary"), ("book/src/a.md", "")],
            &["book/src/a.md:1"],
        );
    }

    #[test]
    fn code_that_is_never_run_is_found() {
        check_files(
            &[
                (SUMMARY, "- [Searching](searching.md)\n"),
                ("book/src/searching.md", CHAPTER),
                (
                    FACADE,
                    "// include_str!(\"../../../book/src/searching.md\")",
                ),
            ],
            &["book/src/searching.md:3"],
        );
    }

    #[test]
    fn an_example_that_is_registered_and_explains_itself_is_clean() {
        let tree = Tree::of(&[(
            "examples/01_a.rs",
            "//! Finds\n//! a path.\n\nfn main() {}\n",
        )]);
        assert_eq!(
            check(&tree, &workspace(&[("01_a", "examples/01_a.rs")])),
            []
        );
    }

    #[test]
    fn an_example_without_a_sentence_is_found() {
        for text in [
            "fn main() {}",
            "//!\n//! Late.\n",
            "//! No full stop\nfn main() {}",
        ] {
            let tree = Tree::of(&[("examples/01_a.rs", text)]);
            let found = check(&tree, &workspace(&[("01_a", "examples/01_a.rs")]));
            assert_eq!(places(&found), ["examples/01_a.rs:1"], "for {text}");
        }
    }

    #[test]
    fn an_example_that_is_not_registered_under_its_name_is_found() {
        let tree = Tree::of(&[("examples/01_a.rs", "//! A path.\n")]);
        for registered in [&[][..], &[("first", "examples/01_a.rs")]] {
            let found = check(&tree, &workspace(registered));
            assert_eq!(found[0].what, "the example is not registered");
        }
    }

    #[test]
    fn links_to_what_exists_are_clean() {
        check_files(
            &[
                (
                    "README.md",
                    "[a](STYLE.md#names) [b](book/src) [c](#here) [d](https://x.org/y)",
                ),
                ("STYLE.md", ""),
                (SUMMARY, "[up](../../README.md)"),
            ],
            &[],
        );
    }

    #[test]
    fn links_that_lead_nowhere_are_found() {
        check_files(
            &[
                ("README.md", "[a](GONE.md)\n[b](../outside)"),
                ("ARCHITECTURE.md", "[c](crates/x)"),
            ],
            &["ARCHITECTURE.md:1", "README.md:1", "README.md:2"],
        );
    }
}
