//! What travels inside a package is what stands in the repository.
//!
//! Packages hold no file from outside their folder, so what is built into a program is a copy in the
//! `shipped/` folder of its crate. Each copy has a namesake in `scenarios/` or `domains/`.

use super::finding::Finding;
use super::tree::Tree;

/// Where the originals are.
const ORIGINALS: [&str; 2] = ["scenarios", "domains"];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts() {
        let is_shipped = path.starts_with("crates/") && path.contains("/shipped/");
        let Some((_, name)) = path.rsplit_once('/').filter(|_| is_shipped) else {
            continue;
        };
        let originals = ORIGINALS.map(|folder| format!("{folder}/{name}"));
        let original = originals
            .iter()
            .find_map(|original| Some((original, tree.text(original)?)));
        match original {
            None => {
                let what = format!("there is no `{name}` in `scenarios/` or `domains/`");
                let remedy = "remove it, or put the original there";
                findings.push(Finding::new(path, 1, what, remedy));
            }
            Some((original, it)) if it != text => {
                let what = format!("it differs from `{original}`");
                let remedy = format!("`cp {original} {path}`");
                findings.push(Finding::new(path, 1, what, remedy));
            }
            Some(_) => {}
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_that_differ_or_have_no_original_are_found() {
        let tree = Tree::of(&[
            ("crates/studio/shipped/a.toml", "a"),
            ("crates/studio/shipped/b.htn", "b"),
            ("crates/studio/shipped/c.toml", "c"),
            ("scenarios/a.toml", "a"),
            ("scenarios/unshipped.toml", ""),
            ("domains/b.htn", "changed"),
        ]);
        let findings = check(&tree);
        let found: Vec<String> = findings.iter().map(Finding::to_string).collect();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("cp domains/b.htn crates/studio/shipped/b.htn"));
        assert!(found[1].contains("crates/studio/shipped/c.toml"));
    }
}
