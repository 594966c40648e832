//! The working folder, and nothing outside it.

use std::path::{Component, Path};

use crate::kept::Kept;
use crate::neighbours;
use apprentice::report::visible::{self, is_invisible};

/// Larger files are no scenarios: the largest map there can be takes a quarter of this.
pub(crate) const LARGEST_FILE: u64 = 16 << 20;

/// What the studio writes, by how their names end.
const WRITTEN: &[&str] = &["toml", "jsonl", "json", "htn", "mesh"];
/// What it reads: the same, and maps that scenarios name.
const READ: &[&str] = &[
    "toml", "jsonl", "json", "htn", "map", "mesh", "obj", "tmx", "tmj", "tsx", "tsj", "ldtk", "svg",
];
/// What it reads that is no text.
const SEEN: &[&str] = &["png", "jpg", "jpeg", "webp", "svg"];

/// The first of the scenarios that come with the program, by its file's name: it takes two items to
/// get past a guard and through a door.
pub const FIRST_SCENARIO: (&str, &str) = (
    "quest_compound.toml",
    include_str!("../shipped/quest_compound.toml"),
);

/// The scenarios that come with the program, so that there is always one to begin with. They are
/// copies of those in `scenarios/`, so that they travel with the package; `cargo xtask tidy` compares.
const BUILT_IN: [(&str, &str); 8] = [
    FIRST_SCENARIO,
    ("quest_key.toml", include_str!("../shipped/quest_key.toml")),
    (
        "k1d1_close.toml",
        include_str!("../shipped/k1d1_close.toml"),
    ),
    (
        "bear_lever.toml",
        include_str!("../shipped/bear_lever.toml"),
    ),
    (
        "bear_bypass.toml",
        include_str!("../shipped/bear_bypass.toml"),
    ),
    ("cave_left.toml", include_str!("../shipped/cave_left.toml")),
    ("grotto.toml", include_str!("../shipped/grotto.toml")),
    (
        "empty_tutorial.toml",
        include_str!("../shipped/empty_tutorial.toml"),
    ),
];

/// The meshes that built-in scenarios name.
const BUILT_IN_MAPS: [(&str, &str); 2] = [
    ("cave_left.mesh", include_str!("../shipped/cave_left.mesh")),
    ("grotto.mesh", include_str!("../shipped/grotto.mesh")),
];

/// The domains of tasks that come with the program.
const BUILT_IN_TASKS: [(&str, &str); 1] = [("guard.htn", include_str!("../shipped/guard.htn"))];

/// In front of the names of built-in scenarios, which are no paths.
const BUILT_IN_MARK: &str = "built-in:";

/// Where the files are: on a disk, or in the memory of a page. Asked only for paths that are plain.
pub(crate) trait Files: Send + Sync {
    /// The text of a file, or why there is none.
    fn read(&self, path: &str) -> Result<String, String>;

    /// Writes a file, whole or not at all, or says why not.
    fn write(&self, path: &str, text: &str) -> Result<(), String>;

    /// What is in a file that need not be a text, or why there is nothing.
    fn read_bytes(&self, path: &str) -> Result<Vec<u8>, String>;

    /// What is another when the file is another; none if there is no such file.
    fn stamp(&self, path: &str) -> Option<String>;

    /// Whether there is something of this name.
    fn has(&self, path: &str) -> bool;

    /// The paths of the files whose names end like this, in any order.
    fn list(&self, kind: &str) -> Vec<String>;
}

/// A folder that nothing leads out of.
pub(crate) struct Folder {
    files: Box<dyn Files>,
    /// What was read from it, and what became of that.
    pub(crate) kept: Kept,
}

/// A file that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// From the working folder, with `/` between folders.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Folder {
    /// A folder of the disk.
    #[cfg(any(feature = "server", test))]
    pub(crate) fn open(root: &std::path::Path) -> std::io::Result<Folder> {
        crate::disk::Disk::open(root).map(Folder::of)
    }

    pub(crate) fn of(files: impl Files + 'static) -> Folder {
        Folder {
            files: Box::new(files),
            kept: Kept::default(),
        }
    }

    /// The text of a file of the folder, or of a built-in scenario.
    pub(crate) fn read(&self, path: &str) -> Result<String, String> {
        if let Some(name) = path.strip_prefix(BUILT_IN_MARK) {
            let mut known = BUILT_IN.iter().chain(&BUILT_IN_MAPS).chain(&BUILT_IN_TASKS);
            let known = known.find(|(is, _)| *is == name);
            return known
                .map(|(_, text)| (*text).to_owned())
                .ok_or_else(|| format!("nothing built in is called `{name}`"));
        }
        check(path, READ)?;
        self.files.read(path)
    }

    /// What is in a picture of the folder.
    pub(crate) fn read_picture(&self, path: &str) -> Result<Vec<u8>, String> {
        check(path, SEEN)?;
        self.files.read_bytes(path)
    }

    /// What is another when a file is another; none if there is no such file. What is built in stays.
    pub(crate) fn stamp(&self, path: &str) -> Option<String> {
        check(path, READ).ok()?;
        self.files.stamp(path)
    }

    /// The paths of the files whose names end like this, in order.
    pub(crate) fn names(&self, kind: &str) -> Vec<String> {
        let mut paths = self.files.list(kind);
        paths.sort();
        paths
    }

    /// The text of a file that the scenario at `path` names.
    pub(crate) fn read_beside(&self, path: &str, name: &str) -> Result<String, String> {
        if Folder::is_built_in(path) {
            return self.read(&format!("{BUILT_IN_MARK}{name}"));
        }
        let beside = neighbours::beside(path, name);
        let beside = beside.ok_or_else(|| format!("`{name}` leads out of the working folder"))?;
        self.read(&beside)
    }

    /// Whether a path is of something built in.
    pub(crate) fn is_built_in(path: &str) -> bool {
        path.starts_with(BUILT_IN_MARK)
    }

    /// Writes a file of the folder, whole or not at all.
    pub(crate) fn write(&self, path: &str, text: &str) -> Result<(), String> {
        check(path, WRITTEN)?;
        self.files.write(path, text)
    }

    /// Whether there is such a file.
    pub(crate) fn has(&self, path: &str) -> bool {
        check(path, READ).is_ok() && self.files.has(path)
    }

    /// Whether there is such a file, and anything but this text is in it.
    pub(crate) fn has_other_than(&self, path: &str, text: Option<&str>) -> bool {
        self.has(path) && (text.is_none() || self.read(path).ok().as_deref() != text)
    }

    /// The files whose names end like this, in the order of their paths.
    pub(crate) fn list(&self, kind: &str) -> Vec<Found> {
        let found = self.names(kind).into_iter().filter_map(|path| {
            let text = self.read(&path).ok()?;
            Some(Found { path, text })
        });
        found.collect()
    }

    /// The built-in scenarios.
    pub(crate) fn built_in() -> Vec<Found> {
        BUILT_IN.iter().map(|found| built_in(*found)).collect()
    }

    /// The built-in domains of tasks.
    pub(crate) fn built_in_tasks() -> Vec<Found> {
        BUILT_IN_TASKS
            .iter()
            .map(|found| built_in(*found))
            .collect()
    }
}

/// Whether a path stays inside a folder and names one of these kinds of file; if not, why.
fn check(path: &str, kinds: &[&str]) -> Result<(), String> {
    let is_plain = Path::new(path)
        .components()
        .all(|part| matches!(part, Component::Normal(name) if is_plain(&name.to_string_lossy())));
    if let Some(hidden) = path.chars().find(|&letter| is_invisible(letter)) {
        return Err(format!(
            "`{}` has a character in it that nobody can see ({}); write the name anew",
            visible::only(path),
            hidden.escape_unicode()
        ));
    }
    let is_known = kinds.iter().any(|kind| ends_like(path, kind));
    if path.is_empty() || path.len() > 200 || !is_plain || path.contains('\\') {
        return Err(format!(
            "`{path}` is no path inside the working folder; write for example `scenarios/castle.toml`"
        ));
    }
    if !is_known {
        return Err(format!(
            "`{path}` is no file the studio knows; it may end in .{}",
            kinds.join(", .")
        ));
    }
    Ok(())
}

/// Whether a path can be one of the studio's files; if not, why.
pub(crate) fn may_be_read(path: &str) -> Result<(), String> {
    check(path, READ)
}

fn built_in((name, text): (&str, &str)) -> Found {
    Found {
        path: format!("{BUILT_IN_MARK}{name}"),
        text: text.to_owned(),
    }
}

pub(crate) fn ends_like(name: &str, kind: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(stem, end)| end == kind && !stem.is_empty() && !stem.ends_with('/'))
}

/// Names of devices on some systems, whatever they end in.
const RESERVED: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Names that mean the same on every system.
fn is_plain(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end();
    let stem = stem.to_ascii_lowercase();
    let is_port = ["com", "lpt"].iter().any(|kind| {
        let number = stem.strip_prefix(kind).map(|rest| rest.chars().count());
        number == Some(1)
    });
    !RESERVED.contains(&stem.as_str())
        && !is_port
        && !name.starts_with(['.', '~'])
        && !name.ends_with(['.', ' '])
        && name
            .chars()
            .all(|letter| !is_invisible(letter) && !"<>:\"|?*\\".contains(letter))
}
