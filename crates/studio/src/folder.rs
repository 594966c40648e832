//! The working folder, and nothing outside it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use crate::kept::Kept;
use crate::{scenario_text, whole_file};
use apprentice::report::visible::{self, is_invisible};

/// Larger files are no scenarios: the largest map there can be takes a quarter of this.
const LARGEST_FILE: u64 = 16 << 20;
/// Deeper folders are not looked through.
const DEEPEST: usize = 3;
/// More files are not listed.
const MOST_FILES: usize = 500;

/// What the studio writes, by how their names end.
const WRITTEN: &[&str] = &["toml", "jsonl", "json", "htn", "mesh"];
/// What it reads: the same, and maps that scenarios name.
const READ: &[&str] = &[
    "toml", "jsonl", "json", "htn", "map", "mesh", "obj", "tmx", "tmj", "tsx", "tsj",
];

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

/// A folder that nothing leads out of.
#[derive(Debug)]
pub(crate) struct Folder {
    root: PathBuf,
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
    pub(crate) fn open(root: &Path) -> io::Result<Folder> {
        let root = root.canonicalize()?;
        if !root.is_dir() {
            return Err(io::Error::new(
                io::ErrorKind::NotADirectory,
                "the working folder is no folder",
            ));
        }
        Ok(Folder {
            root,
            kept: Kept::default(),
        })
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
        let inside = self.inside(path, READ)?;
        let real = inside
            .canonicalize()
            .map_err(|error| format!("`{path}` cannot be read: {error}"))?;
        if !real.starts_with(&self.root) {
            return Err(format!("`{path}` leads out of the working folder"));
        }
        read_text(&real).map_err(|why| format!("`{path}` cannot be read: {why}"))
    }

    /// The text of a file that the scenario at `path` names.
    pub(crate) fn read_beside(&self, path: &str, name: &str) -> Result<String, String> {
        if Folder::is_built_in(path) {
            return self.read(&format!("{BUILT_IN_MARK}{name}"));
        }
        let beside = scenario_text::beside(path, name);
        let beside = beside.ok_or_else(|| format!("`{name}` leads out of the working folder"))?;
        self.read(&beside)
    }

    /// Whether a path is of something built in.
    pub(crate) fn is_built_in(path: &str) -> bool {
        path.starts_with(BUILT_IN_MARK)
    }

    /// Writes a file of the folder, whole or not at all.
    pub(crate) fn write(&self, path: &str, text: &str) -> Result<(), String> {
        let inside = self.inside(path, WRITTEN)?;
        let parent = inside.parent().unwrap_or(&self.root);
        self.make_folders(parent)
            .map_err(|why| format!("`{path}` cannot be written: {why}"))?;
        // What is there may be replaced if it is a file; a link could lead anywhere.
        if let Ok(about) = fs::symlink_metadata(&inside)
            && !about.is_file()
        {
            return Err(format!("`{path}` is there already and no file"));
        }
        whole_file::write(&inside, text.as_bytes())
            .map_err(|error| format!("`{path}` cannot be written: {error}"))
    }

    /// Makes the folders of a path, one by one, and follows no link out.
    fn make_folders(&self, folder: &Path) -> Result<(), String> {
        let below = folder.strip_prefix(&self.root).unwrap_or(Path::new(""));
        let mut at = self.root.clone();
        for name in below.components() {
            at.push(name);
            if fs::symlink_metadata(&at).is_err() {
                fs::create_dir(&at).map_err(|error| error.to_string())?;
            }
            let real = at.canonicalize().map_err(|error| error.to_string())?;
            if !real.starts_with(&self.root) || !real.is_dir() {
                return Err("its folder leads out of the working folder".to_owned());
            }
        }
        Ok(())
    }

    /// Whether there is such a file.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.inside(path, READ)
            .is_ok_and(|inside| fs::symlink_metadata(inside).is_ok())
    }

    /// Whether there is such a file, and anything but this text is in it.
    pub(crate) fn has_other_than(&self, path: &str, text: Option<&str>) -> bool {
        self.has(path) && (text.is_none() || self.read(path).ok().as_deref() != text)
    }

    /// The files whose names end like this, in the order of their paths.
    pub(crate) fn list(&self, kind: &str) -> Vec<Found> {
        let mut paths = Vec::new();
        self.look_through(&self.root, "", 0, kind, &mut paths);
        paths.sort();
        let found = paths.into_iter().filter_map(|path| {
            let text = self.read(&path).ok()?;
            Some(Found { path, text })
        });
        found.collect()
    }

    fn look_through(
        &self,
        folder: &Path,
        below: &str,
        depth: usize,
        kind: &str,
        paths: &mut Vec<String>,
    ) {
        let Ok(entries) = fs::read_dir(folder) else {
            return;
        };
        for entry in entries.flatten() {
            let (Ok(about), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else {
                continue;
            };
            let path = format!("{below}{name}");
            let is_hidden = name.starts_with('.') || name == "target" || name == "node_modules";
            if is_hidden || paths.len() >= MOST_FILES {
                continue;
            }
            if about.is_dir() && depth < DEEPEST {
                self.look_through(&entry.path(), &format!("{path}/"), depth + 1, kind, paths);
            } else if about.is_file() && ends_like(&name, kind) {
                paths.push(path);
            }
        }
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

    /// The place of a path that stays below the root and names a kind of file we know.
    fn inside(&self, path: &str, kinds: &[&str]) -> Result<PathBuf, String> {
        let is_plain = Path::new(path).components().all(
            |part| matches!(part, Component::Normal(name) if is_plain(&name.to_string_lossy())),
        );
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
        Ok(self.root.join(path))
    }
}

fn built_in((name, text): (&str, &str)) -> Found {
    Found {
        path: format!("{BUILT_IN_MARK}{name}"),
        text: text.to_owned(),
    }
}

fn ends_like(name: &str, kind: &str) -> bool {
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

/// The text of a file, or why there is none.
fn read_text(path: &Path) -> Result<String, String> {
    let about = fs::metadata(path).map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("it is no file".to_owned());
    }
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(format!("it is larger than {} MiB", LARGEST_FILE >> 20));
    }
    String::from_utf8(bytes).map_err(|_| "it is no text".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saving_takes_nothing_else_away_and_keeps_rights() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = Folder::open(root.path()).expect("it is one");
        let file = |name: &str| root.path().join(name);
        fs::write(file("a.toml"), "old").expect("there is room");
        fs::write(file(".a.toml.draft"), "somebody's own").expect("there is room");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let rights = fs::Permissions::from_mode(0o640);
            fs::set_permissions(file("a.toml"), rights).expect("it is ours");
        }
        folder.write("a.toml", "new").expect("it can be written");
        let read = |name: &str| fs::read_to_string(file(name)).expect("it is there");
        assert_eq!(read("a.toml"), "new");
        assert_eq!(read(".a.toml.draft"), "somebody's own");
        assert_eq!(fs::read_dir(root.path()).expect("a folder").count(), 2);
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let about = fs::metadata(file("a.toml")).expect("it is there");
            assert_eq!(about.mode() & 0o7777, 0o640);
        }
    }
}
