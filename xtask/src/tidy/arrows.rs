//! Crates depend on each other as the arrows say, and on nothing else.
//!
//! ARCHITECTURE.md holds exactly one fenced block with the tag `arrows`. Each line of it that is
//! not blank is one arrow: who depends, `->`, on whom. A reason may follow after at least two
//! spaces. Crates go by the name of their folder, so `search` is the package `apprentice-search`
//! in `crates/search/`.
//!
//! ````text
//! ```arrows
//! experience -> search
//! world -> search        only to implement Problem and Heuristic
//! apprentice -> search
//! ```
//! ````
//!
//! The arrows are compared with the normal dependencies in both directions. Dependencies of tests
//! and build scripts are free.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::Finding;
use super::markdown;
use super::tree::Tree;
use super::workspace::{Origin, Package, Workspace};

const FILE: &str = "ARCHITECTURE.md";

/// What a crate may take from outside the workspace. Crates that are not listed are free.
///
/// `search` is the crate that others take without the rest, so it brings along only what its hot
/// loop needs, a fast hash table, and `serde` behind a feature, for saves.
const ALLOWED_OUTSIDE: [(&str, &[&str]); 1] = [("search", &["hashbrown", "rustc-hash", "serde"])];

/// Crates that only some others may depend on, with those others.
///
/// Integrations are where the project ends: each has its own weight or way of building, and
/// nobody who wants another one should pay for it. What only tests use ends there, too.
const RESTRICTED: [(&str, &[&str]); 7] = [
    ("bevy_apprentice", &[]),
    ("capi", &[]),
    ("python", &[]),
    ("cli", &[]),
    ("page", &[]),
    ("studio", &["cli", "page"]),
    ("testkit", &[]),
];

/// What a crate must never depend on, by whatever way, and why.
const FORBIDDEN: [(&str, &str, &str); 1] = [(
    "behavior",
    "world",
    "a game of one's own must get whatever ours does, through `game`",
)];

/// Packages in `crates/` that are called like their folder. All others are `apprentice-FOLDER`.
const NAMED_AS_FOLDER: [&str; 2] = ["apprentice", "bevy_apprentice"];

type Arrow<'a> = (&'a str, &'a str);

pub(crate) fn check(tree: &Tree, workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(check_names(tree, workspace));
    findings.extend(check_restrictions(tree, workspace));
    findings.extend(check_forbidden(tree, workspace));
    match read_arrows(tree) {
        Ok(arrows) => findings.extend(compare(tree, workspace, &arrows)),
        Err(found) => findings.extend(found),
    }
    findings
}

/// The arrows of ARCHITECTURE.md, each with its line.
fn read_arrows(tree: &Tree) -> Result<BTreeMap<Arrow<'_>, usize>, Vec<Finding>> {
    let Some(text) = tree.text(FILE) else {
        let remedy = "write it, with an `arrows` block";
        return Err(vec![Finding::new(FILE, 1, "the file is missing", remedy)]);
    };
    let mut blocks = markdown::blocks(text);
    blocks.retain(|block| block.tag == "arrows");
    let [block] = blocks.as_slice() else {
        let line = blocks.get(1).map_or(1, |second| second.line);
        let what = format!("there are {} blocks with the tag `arrows`", blocks.len());
        return Err(vec![Finding::new(FILE, line, what, "keep exactly one")]);
    };

    let mut arrows = BTreeMap::new();
    let mut findings = Vec::new();
    for &(number, line) in &block.lines {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let arrow = line.split_once("  ").map_or(line, |(arrow, _reason)| arrow);
        let words: Vec<&str> = arrow.split(' ').collect();
        let [from, "->", to] = words.as_slice() else {
            let what = format!("`{arrow}` is not an arrow");
            let remedy = "write `crate -> crate`, then two spaces before any reason";
            findings.push(Finding::new(FILE, number, what, remedy));
            continue;
        };
        if let Some(first) = arrows.insert((*from, *to), number) {
            let what = format!("`{arrow}` already stands at line {first}");
            findings.push(Finding::new(
                FILE,
                number,
                what,
                "keep one of the two lines",
            ));
        }
    }
    if findings.is_empty() {
        Ok(arrows)
    } else {
        Err(findings)
    }
}

fn compare(
    tree: &Tree,
    workspace: &Workspace,
    arrows: &BTreeMap<Arrow<'_>, usize>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut dependencies: BTreeSet<Arrow<'_>> = BTreeSet::new();
    for (package, target) in dependencies_inside(workspace) {
        let arrow = (package.short_name(), target.short_name());
        let is_new = dependencies.insert(arrow);
        if is_new && !arrows.contains_key(&arrow) {
            let what = format!("`{} -> {}` is not among the arrows", arrow.0, arrow.1);
            let remedy = format!("remove the dependency, or add the arrow to {FILE} with its why");
            findings.push(at_dependency(tree, package, &target.name, what, remedy));
        }
    }
    for (&(from, to), &line) in arrows {
        let stranger = [from, to].into_iter().find(|name| {
            !workspace
                .packages
                .iter()
                .any(|package| package.short_name() == *name)
        });
        if let Some(stranger) = stranger {
            let what = format!("there is no crate `{stranger}`");
            findings.push(Finding::new(
                FILE,
                line,
                what,
                "use the name of a folder in crates/",
            ));
        } else if !dependencies.contains(&(from, to)) {
            let what = format!("`{from}` does not depend on `{to}`");
            findings.push(Finding::new(FILE, line, what, "remove the arrow"));
        }
    }
    findings
}

/// Packages in `crates/` that are not called as they should.
fn check_names(tree: &Tree, workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &workspace.packages {
        let folder = package.short_name();
        if package.folder != format!("crates/{folder}") {
            continue;
        }
        let expected = if NAMED_AS_FOLDER.contains(&folder) {
            folder.to_owned()
        } else {
            format!("apprentice-{folder}")
        };
        if package.name != expected {
            let what = format!(
                "the package in {} is called `{}`",
                package.folder, package.name
            );
            let manifest = package.manifest();
            let line = line_that_starts_with(tree, &manifest, "name");
            findings.push(Finding::new(
                &manifest,
                line,
                what,
                format!("call it `{expected}`"),
            ));
        }
    }
    findings
}

/// Dependencies that no arrow could allow.
fn check_restrictions(tree: &Tree, workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (package, target) in dependencies_inside(workspace) {
        let (from, to) = (package.short_name(), target.short_name());
        let restriction = RESTRICTED.iter().find(|(name, _)| *name == to);
        let Some((_, allowed)) = restriction.filter(|(_, allowed)| !allowed.contains(&from)) else {
            continue;
        };
        let what = match allowed {
            [] => format!("`{from}` depends on `{to}`, on which nothing may depend"),
            _ => format!(
                "`{from}` depends on `{to}`, which is only for {}",
                allowed.join(", ")
            ),
        };
        let remedy = "move what is needed into a crate below both";
        findings.push(at_dependency(tree, package, &target.name, what, remedy));
    }
    for package in &workspace.packages {
        let rule = ALLOWED_OUTSIDE
            .iter()
            .find(|(name, _)| *name == package.short_name());
        let Some((_, allowed)) = rule else { continue };
        for dependency in &package.dependencies {
            let name = dependency.package.as_str();
            if dependency.origin == Origin::Outside && !allowed.contains(&name) {
                let what = format!(
                    "`{}` may not take `{name}` from outside",
                    package.short_name()
                );
                let remedy = "do without it, or allow it in xtask/src/tidy/arrows.rs with a reason";
                findings.push(at_dependency(tree, package, name, what, remedy));
            }
        }
    }
    findings
}

/// Crates that depend, directly or by way of others, on what they must never see.
fn check_forbidden(tree: &Tree, workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (from, to, why) in FORBIDDEN {
        let mut seen = BTreeSet::from([from]);
        let mut open = vec![from];
        while let Some(name) = open.pop() {
            let next = dependencies_inside(workspace).filter(|(it, _)| it.short_name() == name);
            for (package, target) in next {
                if target.short_name() == to {
                    let what = format!("`{from}` sees `{to}` by way of `{name}`: {why}");
                    let remedy = "ask through the port instead";
                    findings.push(at_dependency(tree, package, &target.name, what, remedy));
                } else if seen.insert(target.short_name()) {
                    open.push(target.short_name());
                }
            }
        }
    }
    findings
}

/// Every normal dependency between two packages of the workspace.
fn dependencies_inside(workspace: &Workspace) -> impl Iterator<Item = (&Package, &Package)> {
    workspace.packages.iter().flat_map(move |package| {
        let inside = package
            .dependencies
            .iter()
            .filter(|dependency| dependency.origin == Origin::Workspace);
        inside
            .filter_map(move |dependency| Some((package, workspace.package(&dependency.package)?)))
    })
}

/// A finding at the line of the manifest that declares the dependency.
fn at_dependency(
    tree: &Tree,
    package: &Package,
    dependency: &str,
    what: impl Into<String>,
    remedy: impl Into<String>,
) -> Finding {
    let manifest = package.manifest();
    let line = line_that_starts_with(tree, &manifest, dependency);
    Finding::new(&manifest, line, what, remedy)
}

/// The first line that starts with this text, or the first of all.
fn line_that_starts_with(tree: &Tree, file: &str, start: &str) -> usize {
    let mut lines = tree.text(file).unwrap_or_default().lines();
    lines
        .position(|line| line.starts_with(start))
        .map_or(1, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::super::workspace::Dependency;
    use super::*;

    /// A package of the workspace from `name: dependency dependency …`, all names those of folders
    /// except that `+name` comes from outside.
    fn package(line: &str) -> Package {
        let (folder, dependencies) = line.split_once(':').unwrap();
        let name = |folder: &str| match folder {
            "apprentice" | "bevy_apprentice" | "xtask" => folder.to_owned(),
            _ => format!("apprentice-{folder}"),
        };
        let dependency = |word: &str| match word.strip_prefix('+') {
            Some(outside) => Dependency {
                package: outside.to_owned(),
                origin: Origin::Outside,
            },
            None => Dependency {
                package: name(word),
                origin: Origin::Workspace,
            },
        };
        let dependencies = dependencies.split_whitespace().map(dependency).collect();
        let path = if folder == "xtask" {
            folder.to_owned()
        } else {
            format!("crates/{folder}")
        };
        Package {
            name: name(folder),
            folder: path,
            dependencies,
            examples: Vec::new(),
        }
    }

    fn findings(packages: &[&str], arrows: &str) -> Vec<Finding> {
        let workspace = Workspace {
            packages: packages.iter().map(|line| package(line)).collect(),
        };
        let architecture = format!("```arrows\n{arrows}\n```\n");
        check(&Tree::of(&[(FILE, &architecture)]), &workspace)
    }

    fn messages(packages: &[&str], arrows: &str) -> Vec<String> {
        findings(packages, arrows)
            .into_iter()
            .map(|finding| finding.what)
            .collect()
    }

    #[test]
    fn arrows_that_equal_the_dependencies_are_clean() {
        let packages = [
            "search: +hashbrown",
            "world: search +glam",
            "xtask: +serde_json",
        ];
        assert_eq!(
            findings(&packages, "\nworld -> search  implements Problem"),
            []
        );
    }

    #[test]
    fn a_dependency_without_an_arrow_is_found() {
        let packages = ["search:", "world: search", "htn: search world"];
        let found = messages(&packages, "world -> search\nhtn -> search");
        assert_eq!(found, ["`htn -> world` is not among the arrows"]);
    }

    #[test]
    fn behavior_sees_no_world_by_any_way() {
        let why = "a game of one's own must get whatever ours does, through `game`";
        let direct = messages(&["world:", "behavior: world"], "behavior -> world");
        assert_eq!(
            direct,
            [format!(
                "`behavior` sees `world` by way of `behavior`: {why}"
            )]
        );
        let packages = ["world:", "scenery: world", "behavior: scenery"];
        let round = messages(&packages, "scenery -> world\nbehavior -> scenery");
        assert_eq!(
            round,
            [format!(
                "`behavior` sees `world` by way of `scenery`: {why}"
            )]
        );
    }

    #[test]
    fn a_dependency_declared_twice_is_found_once() {
        let found = messages(&["search:", "world: search search"], "");
        assert_eq!(found, ["`world -> search` is not among the arrows"]);
    }

    #[test]
    fn an_arrow_without_a_dependency_is_found() {
        let found = findings(&["search:", "world:"], "world -> search");
        assert_eq!(places(&found), ["ARCHITECTURE.md:2"]);
        assert_eq!(found[0].what, "`world` does not depend on `search`");
    }

    #[test]
    fn an_arrow_to_a_stranger_is_found() {
        let found = messages(&["search:"], "search -> stars");
        assert_eq!(found, ["there is no crate `stars`"]);
    }

    #[test]
    fn a_line_that_is_no_arrow_is_found() {
        let found = messages(&["search:", "world: search"], "world --> search");
        assert_eq!(found, ["`world --> search` is not an arrow"]);
    }

    #[test]
    fn arrows_stand_once_in_one_block() {
        let found = messages(
            &["search:", "world: search"],
            "world -> search\nworld -> search",
        );
        assert_eq!(found, ["`world -> search` already stands at line 2"]);
        let found = messages(&["search:"], "```\n```arrows");
        assert_eq!(found, ["there are 2 blocks with the tag `arrows`"]);
    }

    #[test]
    fn search_takes_from_outside_only_what_is_allowed() {
        let found = messages(&["search: +hashbrown +rand", "world: +rand"], "");
        assert_eq!(found, ["`search` may not take `rand` from outside"]);
    }

    #[test]
    fn nothing_may_depend_on_an_integration() {
        let found = messages(&["capi:", "world: capi"], "world -> capi");
        assert_eq!(
            found,
            ["`world` depends on `capi`, on which nothing may depend"]
        );
    }

    #[test]
    fn only_the_command_line_and_the_page_may_depend_on_the_studio() {
        let packages = ["studio:", "cli: studio", "world: studio"];
        let found = messages(&packages, "cli -> studio\nworld -> studio");
        assert_eq!(
            found,
            ["`world` depends on `studio`, which is only for cli, page"]
        );
    }

    #[test]
    fn findings_are_at_the_line_of_the_dependency() {
        let workspace = Workspace {
            packages: vec![package("search: +rand")],
        };
        let manifest = "[package]\nname = \"apprentice-search\"\n\n[dependencies]\nrand = \"1\"\n";
        let tree = Tree::of(&[
            (FILE, "```arrows\n```\n"),
            ("crates/search/Cargo.toml", manifest),
        ]);
        assert_eq!(
            places(&check(&tree, &workspace)),
            ["crates/search/Cargo.toml:5"]
        );
    }

    #[test]
    fn a_package_is_called_after_its_folder() {
        let mut wrong = package("search:");
        wrong.name = "search".to_owned();
        let workspace = Workspace {
            packages: vec![wrong, package("bevy_apprentice:")],
        };
        let found = check(&Tree::of(&[(FILE, "```arrows\n```\n")]), &workspace);
        assert_eq!(places(&found), ["crates/search/Cargo.toml:1"]);
        assert_eq!(found[0].remedy, "call it `apprentice-search`");
    }
}
