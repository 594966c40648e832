//! Nothing is left unfinished, and nothing knows the machine it was written on.

use super::finding::Finding;
use super::tree::Tree;

/// Marks of unfinished work in Rust files, each with what to do about it.
const MARKS: [(&str, &str); 6] = [
    ("todo!(", "finish it, or leave it out"),
    ("unimplemented!(", "finish it, or leave it out"),
    ("dbg!(", "remove it"),
    ("#[ignore", "repair the test, or delete it"),
    ("FIXME", "repair it, or open an issue"),
    ("XXX", "repair it, or open an issue"),
];

/// Where folders of a particular machine start.
const MACHINE_PATHS: [&str; 5] = ["/home/", "/root/", "/tmp/", "/work/", "/Users/"];

/// This file, which has to spell the patterns out.
const PATTERNS: &str = "xtask/src/tidy/unfinished.rs";

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts() {
        let may_be_unfinished = !path.ends_with(".rs") || path.starts_with("xtask/");
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            if !may_be_unfinished {
                for (mark, remedy) in MARKS.iter().filter(|(mark, _)| has_mark(line, mark)) {
                    let what = format!("`{mark}` marks unfinished work");
                    findings.push(Finding::new(path, number, what, *remedy));
                }
            }
            if path != PATTERNS {
                for pattern in MACHINE_PATHS
                    .iter()
                    .filter(|pattern| has_path(line, pattern))
                {
                    let what = format!("`{pattern}` is a folder of one machine");
                    findings.push(Finding::new(path, number, what, "use a relative path"));
                }
            }
        }
    }
    findings
}

/// Whether the mark stands in the line, not as a part of a longer word.
fn has_mark(line: &str, mark: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    line.match_indices(mark).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + mark.len()..].chars().next();
        let starts_inside = mark.starts_with(is_word) && before.is_some_and(is_word);
        let ends_inside = mark.ends_with(is_word) && after.is_some_and(is_word);
        !starts_inside && !ends_inside
    })
}

/// Whether an absolute path starts with this in the line. `some/tmp/file` is relative and fine.
fn has_path(line: &str, start: &str) -> bool {
    let is_name = |character: char| character.is_alphanumeric() || "_-.".contains(character);
    line.match_indices(start)
        .any(|(at, _)| !line[..at].ends_with(is_name))
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::*;

    fn check_file(path: &str, text: &str, expected: &[usize]) {
        let findings = check(&Tree::of(&[(path, text)]));
        let lines: Vec<usize> = findings.iter().map(|finding| finding.line).collect();
        assert_eq!(lines, expected, "in {text}");
    }

    #[test]
    fn finished_code_is_clean() {
        check_file(
            "crates/search/src/cost.rs",
            "fn todo() {}\nlet XXXX = ignore;\n",
            &[],
        );
    }

    #[test]
    fn marks_of_unfinished_work_are_found() {
        let text =
            "todo!()\nunimplemented!(\"x\")\ndbg!(x)\n#[ignore = \"slow\"]\n// FIXME: y\n// XXX\n";
        check_file("crates/search/src/cost.rs", text, &[1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn documents_and_chores_may_speak_of_unfinished_work() {
        check_file("STYLE.md", "Write no `todo!()`.", &[]);
        check_file("xtask/src/tidy/names.rs", "// FIXME", &[]);
    }

    #[test]
    fn folders_of_one_machine_are_found_in_any_text() {
        let text = "open(\"/home/anna/map.tmx\")\n/tmp/x\nfile:///root/y\n";
        check_file("notes.txt", text, &[1, 2, 3]);
        check_file("xtask/src/main.rs", "/Users/x", &[1]);
    }

    #[test]
    fn relative_paths_and_addresses_are_clean() {
        check_file(
            "README.md",
            "build/tmp/x https://example.org/home/page ../work/",
            &[],
        );
    }

    #[test]
    fn only_the_list_of_patterns_may_spell_them_out() {
        let tree = Tree::of(&[
            (PATTERNS, "\"/home/\""),
            ("xtask/src/main.rs", "\"/home/\""),
        ]);
        assert_eq!(places(&check(&tree)), ["xtask/src/main.rs:1"]);
    }
}
