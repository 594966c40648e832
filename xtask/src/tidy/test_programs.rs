//! Every test file is part of a program.
//!
//! Where a crate does not let cargo look for its tests (`autotests = false`), a file that nobody lists
//! would never run, and nobody would notice.

use super::finding::Finding;
use super::rust_tokens::tokens;
use super::tree::Tree;

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (manifest, text) in tree.texts() {
        let Some(folder) = manifest.strip_suffix("Cargo.toml") else {
            continue;
        };
        if !text.lines().any(|line| line.trim() == "autotests = false") {
            continue;
        }
        let listed = listed(tree, folder, text);
        let tests = format!("{folder}tests/");
        for path in tree.paths() {
            let name = path
                .strip_prefix(&tests)
                .and_then(|it| it.strip_suffix(".rs"));
            let Some(name) = name.filter(|name| !name.contains('/')) else {
                continue;
            };
            if !listed.iter().any(|listed| listed == name) {
                let what = "no program runs these tests".to_owned();
                let remedy = format!("add `mod {name};` to {tests}all.rs");
                findings.push(Finding::new(path, 1, what, remedy));
            }
        }
    }
    findings
}

/// The files that are programs of their own, and those that programs gather.
fn listed(tree: &Tree, folder: &str, manifest: &str) -> Vec<String> {
    let programs = manifest.split("[[test]]").skip(1);
    let names = programs.filter_map(|program| {
        let mut lines = program.lines().map(str::trim);
        let name = lines.find_map(|line| line.strip_prefix("name = \""))?;
        name.strip_suffix('"').map(str::to_owned)
    });
    let programs: Vec<String> = names.collect();
    let mut listed = programs.clone();
    for program in programs {
        let text = tree.text(&format!("{folder}tests/{program}.rs"));
        let tokens = text.map(tokens).unwrap_or_default();
        for pair in tokens.windows(2) {
            let [keyword, name] = pair else { continue };
            if keyword.word() == Some("mod") {
                listed.extend(name.word().map(str::to_owned));
            }
        }
    }
    listed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_nobody_lists_is_found() {
        let manifest = "[package]\nautotests = false\n\n[[test]]\nname = \"all\"\n\n[[test]]\nname = \"alone\"\n";
        let tree = Tree::of(&[
            ("crates/a/Cargo.toml", manifest),
            ("crates/a/tests/all.rs", "mod gathered;\n"),
            ("crates/a/tests/gathered.rs", ""),
            ("crates/a/tests/alone.rs", "mod gathered_alone;\n"),
            ("crates/a/tests/gathered_alone.rs", ""),
            ("crates/a/tests/forgotten.rs", ""),
            ("crates/b/Cargo.toml", "[package]\n"),
            ("crates/b/tests/found_by_cargo.rs", ""),
        ]);
        let findings = check(&tree);
        assert_eq!(findings.len(), 1, "{findings:?}");
        let finding = format!("{:?}", findings[0]);
        assert!(finding.contains("forgotten"), "{finding}");
    }
}
