//! Below the edge nothing reads a clock, a file, a path or the environment, or starts a thread.
//!
//! What these crates compute depends on their arguments alone. That makes every run repeatable,
//! and lets the crates be built where there is no operating system.

use super::finding::Finding;
use super::rust_tokens::{Kind, Token, is_path_separator, tokens};
use super::tree::Tree;

/// Crates below the edge.
const CRATES: [&str; 9] = [
    "playstyle",
    "recognition",
    "search",
    "experience",
    "world",
    "htn",
    "behavior",
    "report",
    "ratings",
];

const DENIED: [&str; 7] = [
    "std::time::Instant",
    "std::time::SystemTime",
    "std::fs",
    "std::env",
    "std::path",
    "std::thread",
    "std::net",
];

/// A file that may use what is denied elsewhere.
struct Exception {
    file: &'static str,
    path: &'static str,
    /// Printed when the exception is no longer needed, so that one knows what it was for.
    reason: &'static str,
}

const EXCEPTIONS: [Exception; 1] = [Exception {
    file: "crates/search/src/budget.rs",
    path: "std::time::Instant",
    reason: "the one place where a deadline is read, and only if the caller set one",
}];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, text) in tree.sources_of(&CRATES) {
        let tokens = tokens(text);
        let mut exceptions: Vec<&Exception> = EXCEPTIONS
            .iter()
            .filter(|exception| exception.file == file)
            .collect();
        let allowed: Vec<&str> = exceptions.iter().map(|exception| exception.path).collect();
        for (line, path) in standard_paths(&tokens) {
            let Some(denied) = DENIED.iter().find(|denied| reaches(&path, denied)) else {
                continue;
            };
            exceptions.retain(|exception| exception.path != *denied);
            if allowed.contains(denied) && is_inside(&path, denied) {
                continue;
            }
            let what = format!("`{path}` belongs to the crates at the edge");
            let remedy = if is_inside(&path, denied) {
                "take what you need as an argument".to_owned()
            } else {
                format!("name what you use, so that one sees it is not `{denied}`")
            };
            findings.push(Finding::new(file, line, what, remedy));
        }
        for unused in exceptions {
            let what = format!("the exception for `{}` is not used", unused.path);
            let remedy = format!(
                "remove it from xtask/src/tidy/boundaries.rs (it was for: {})",
                unused.reason
            );
            findings.push(Finding::new(file, 1, what, remedy));
        }
    }
    findings
}

/// Whether a path names the denied one, something inside it, or a module it could be reached by.
fn reaches(path: &str, denied: &str) -> bool {
    is_inside(path, denied) || is_inside(denied, path.trim_end_matches("::*"))
}

fn is_inside(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Every path that starts with `std::`, with its line. Groups in braces are written out.
fn standard_paths(tokens: &[Token]) -> Vec<(usize, String)> {
    let mut paths = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.word() == Some("std") && is_path_separator(tokens, at + 1) {
            write_out(tokens, at + 3, "std", &mut paths);
        }
    }
    paths
}

/// Reads what follows `prefix::` from `at`, and returns where it ended.
fn write_out(tokens: &[Token], at: usize, prefix: &str, paths: &mut Vec<(usize, String)>) -> usize {
    let Some(token) = tokens.get(at) else {
        return at;
    };
    match &token.kind {
        Kind::Word(word) => {
            let path = if word == "self" {
                prefix.to_owned()
            } else {
                format!("{prefix}::{word}")
            };
            let continues = tokens
                .get(at + 3)
                .is_some_and(|next| next.word().is_some() || next.is('{') || next.is('*'));
            if is_path_separator(tokens, at + 1) && continues {
                return write_out(tokens, at + 3, &path, paths);
            }
            paths.push((token.line, path));
            at + 1
        }
        Kind::Mark('*') => {
            paths.push((token.line, format!("{prefix}::*")));
            at + 1
        }
        Kind::Mark('{') => {
            let mut at = at + 1;
            while let Some(token) = tokens.get(at) {
                if token.is('}') {
                    return at + 1;
                }
                if token.is(',') {
                    at += 1;
                } else if token.word() == Some("as") {
                    // The new name is no path.
                    at += 2;
                } else {
                    at = write_out(tokens, at, prefix, paths).max(at + 1);
                }
            }
            at
        }
        _ => at,
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::*;

    fn check_source(source: &str, expected: &[&str]) {
        let findings = check(&Tree::of(&[("crates/world/src/world.rs", source)]));
        let found: Vec<String> = findings
            .iter()
            .map(|finding| {
                format!(
                    "{} {}",
                    finding.line,
                    finding.what.split('`').nth(1).unwrap()
                )
            })
            .collect();
        assert_eq!(found, expected, "in {source}");
    }

    #[test]
    fn the_rest_of_the_standard_library_is_clean() {
        check_source(
            "use std::time::Duration;\nuse std::{fmt, sync::atomic::AtomicBool};",
            &[],
        );
        check_source("std::mem::size_of::<u8>(); std::thread_local! {}", &[]);
    }

    #[test]
    fn clocks_files_and_threads_are_found() {
        check_source("use std::time::Instant;", &["1 std::time::Instant"]);
        check_source(
            "let t = std::time::SystemTime::now();",
            &["1 std::time::SystemTime::now"],
        );
        check_source("\nlet s = std::fs::read(p);", &["2 std::fs::read"]);
        check_source(
            "::std::thread::spawn(f); std::env::var(x)",
            &["1 std::thread::spawn", "1 std::env::var"],
        );
    }

    #[test]
    fn groups_are_looked_into() {
        check_source(
            "use std::{\n    fmt,\n    time::{Duration as D, Instant as I},\n    net,\n};",
            &["3 std::time::Instant", "4 std::net"],
        );
    }

    #[test]
    fn a_whole_module_that_could_reach_them_is_found() {
        check_source("use std::time;", &["1 std::time"]);
        check_source("use std::time::{self, Duration};", &["1 std::time"]);
        check_source("use std::time::*;", &["1 std::time::*"]);
    }

    #[test]
    fn comments_and_our_own_names_do_not_count() {
        check_source("/// Not std::fs.\nuse crate::path::Path; // std::path", &[]);
    }

    #[test]
    fn edge_crates_and_tests_are_free() {
        let source = "use std::fs;";
        let tree = Tree::of(&[
            ("crates/cli/src/main.rs", source),
            ("crates/htn/src/domain.rs", source),
            ("crates/htn/tests/domains_load.rs", source),
        ]);
        assert_eq!(places(&check(&tree)), ["crates/htn/src/domain.rs:1"]);
    }

    #[test]
    fn the_budget_may_read_the_clock_and_nothing_else() {
        let check = |source: &str| check(&Tree::of(&[("crates/search/src/budget.rs", source)]));
        assert_eq!(check("use std::time::{Duration, Instant};"), []);
        let found = check("use std::time::Instant;\nuse std::time::SystemTime;\nuse std::time;");
        assert_eq!(
            places(&found),
            [
                "crates/search/src/budget.rs:2",
                "crates/search/src/budget.rs:3",
            ]
        );
    }

    #[test]
    fn an_exception_nobody_uses_is_found() {
        let found = check(&Tree::of(&[(
            "crates/search/src/budget.rs",
            "pub struct Budget;",
        )]));
        assert_eq!(
            found[0].what,
            "the exception for `std::time::Instant` is not used"
        );
    }
}
