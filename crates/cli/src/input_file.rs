//! Files that are read: what is in them, or why nobody can say and what to try.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use apprentice::hddl::PlanFile;

use crate::exit::Failure;

/// What a file should be. Its name tells, and where others of the kind are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Scenario,
    Demonstration,
    Plan,
    Tasks,
    Hddl,
    /// A plan with its decomposition.
    TaskPlan,
    /// A level's geometry, of any program.
    Map,
    /// What happened in plays, or what was learned from it.
    Plays,
    /// Matches, or results of planners, as comma-separated values.
    Matches,
    /// Something a scenario names, of any kind.
    Named,
}

impl Kind {
    /// What a file is by its name.
    pub(crate) fn of(path: &Path) -> Kind {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let kinds = [
            Kind::Scenario,
            Kind::Demonstration,
            Kind::Plan,
            Kind::Tasks,
            Kind::Hddl,
            Kind::Map,
            Kind::Matches,
        ];
        let is_kind = |kind: &Kind| ending.is_some_and(|ending| kind.endings().contains(&ending));
        kinds.into_iter().find(is_kind).unwrap_or(Kind::Named)
    }

    /// How names of such files end, the usual one first.
    fn endings(self) -> &'static [&'static str] {
        match self {
            Kind::Scenario => &["toml"],
            Kind::Demonstration => &["jsonl"],
            Kind::Plan => &["json"],
            Kind::Tasks => &["htn"],
            Kind::Hddl => &["hddl"],
            Kind::Map => &["map", "mesh", "obj", "tmx", "tmj", "tsx", "tsj"],
            Kind::Matches => &["csv"],
            Kind::TaskPlan | Kind::Plays | Kind::Named => &[],
        }
    }

    /// What it is.
    fn noun(self) -> &'static str {
        match self {
            Kind::Scenario => "a scenario",
            Kind::Demonstration => "a demonstration",
            Kind::Plan => "a plan",
            Kind::Tasks => "a file of tasks",
            Kind::Hddl => "HDDL",
            Kind::TaskPlan => "a plan with its decomposition",
            Kind::Map => "a map",
            Kind::Plays => "a log of plays",
            Kind::Matches => "a table of matches",
            Kind::Named => "another file",
        }
    }

    /// Which command takes such a file.
    fn taken_by(self, file: &str) -> String {
        match self {
            Kind::Scenario => format!("`apprentice plan {file}` plans it"),
            Kind::Demonstration => format!(
                "`apprentice demo inspect {file}` says what is in it, and `--demo {file}` plans a scenario with it"
            ),
            Kind::Plan => format!("`apprentice verify SCENARIO {file}` checks it"),
            Kind::Tasks => format!("`apprentice htn plan {file}` plans them"),
            Kind::Hddl => {
                "`apprentice htn plan DOMAIN PROBLEM` plans it, from two files".to_owned()
            }
            Kind::Map => format!("a scenario names it: `map = {{ file = \"{file}\" }}`"),
            Kind::Matches => format!("`apprentice rate {file}` rates who played"),
            Kind::TaskPlan => {
                format!("`apprentice htn verify DOMAIN PROBLEM {file}` checks it")
            }
            Kind::Plays => format!("`apprentice playstyle learn {file}` learns from it"),
            Kind::Named => "name another one".to_owned(),
        }
    }

    /// Larger files are not read. Of our own, the largest map there can be takes a quarter of this;
    /// HDDL comes from programs, and plans are as large as the planner makes them.
    fn largest(self) -> u64 {
        match self {
            Kind::Hddl | Kind::TaskPlan => PlanFile::LARGEST as u64,
            // A million lines of JSON.
            Kind::Plays => 256 << 20,
            // Ten million matches.
            Kind::Matches => 256 << 20,
            _ => 16 << 20,
        }
    }

    /// The folder in which those are that come with Apprentice.
    fn shipped(self) -> Option<&'static str> {
        match self {
            Kind::Scenario => Some("scenarios"),
            Kind::Tasks => Some("domains"),
            _ => None,
        }
    }
}

/// What is wrong with a file that cannot be read as what is wanted. If its name tells that it is of
/// another kind, that comes first, with the command that takes it: what a reader of the wanted kind
/// has to say is of no help then. But a name may mislead, so that is said, too.
pub(crate) fn unreadable(path: &Path, wanted: Kind, wrong: &str) -> Failure {
    let other = other_kind(path, wanted, wrong);
    other.unwrap_or_else(|| Failure::input(wrong))
}

/// The same, only if the name tells that it is of another kind.
pub(crate) fn other_kind(path: &Path, wanted: Kind, wrong: &str) -> Option<Failure> {
    let kind = Kind::of(path);
    if kind == wanted || kind == Kind::Named {
        return None;
    }
    let shown = path.display().to_string();
    Some(Failure::input(format!(
        "by its name, `{shown}` is {}, and {wanted} is needed here; {}\nread as {wanted}: {wrong}",
        kind.noun(),
        kind.taken_by(&shown),
        wanted = wanted.noun(),
    )))
}

/// The text of a file that should be of this kind.
pub(crate) fn text_of(path: &Path, kind: Kind) -> Result<String, Failure> {
    read_text(path, kind).map_err(|why| cannot_be_read(path, &why))
}

/// The content of a file that should be of this kind.
pub(crate) fn bytes_of(path: &Path, kind: Kind) -> Result<Vec<u8>, Failure> {
    read_bytes(path, kind).map_err(|why| cannot_be_read(path, &why))
}

fn cannot_be_read(path: &Path, why: &str) -> Failure {
    Failure::input(format!("`{}` cannot be read: {why}", path.display()))
}

/// The text of a file, or why there is none.
pub(crate) fn read_text(path: &Path, kind: Kind) -> Result<String, String> {
    String::from_utf8(read_bytes(path, kind)?).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        format!("it is no text: line {line} is not UTF-8")
    })
}

/// Every file that was read.
static READ: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Whether a file was read in this run, by any name.
pub(crate) fn was_read(path: &Path) -> bool {
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    path.canonicalize().is_ok_and(|path| read.contains(&path))
}

/// The content of a file, or why there is none.
pub(crate) fn read_bytes(path: &Path, kind: Kind) -> Result<Vec<u8>, String> {
    let file = File::open(path).map_err(|error| why_not(path, kind, &error))?;
    if let Ok(real) = path.canonicalize() {
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        read.push(real);
    }
    if file.metadata().is_ok_and(|about| about.is_dir()) {
        let there = Folder::new(path.to_owned(), path, kind).list();
        return Err(format!("it is a folder; name a file in it{there}"));
    }
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that is too large, also where it has no length.
    file.take(kind.largest() + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| why_not(path, kind, &error))?;
    if bytes.len() as u64 > kind.largest() {
        return Err(format!("it is larger than {} MiB", kind.largest() >> 20));
    }
    Ok(bytes)
}

fn why_not(path: &Path, kind: Kind, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => missing(path, kind),
        io::ErrorKind::PermissionDenied => {
            let remedy = if cfg!(unix) {
                format!("`chmod u+r {}` gives its owner the right", path.display())
            } else {
                "ask its owner for the right".to_owned()
            };
            format!("you have no right to read it; {remedy}")
        }
        _ => error.to_string(),
    }
}

/// That a file is not there, and which one may be meant: the nearest one in its folder, or among
/// those that come with Apprentice. Without any that is near, what there is.
fn missing(path: &Path, kind: Kind) -> String {
    let parent = path.parent().unwrap_or(Path::new(""));
    let parent_is_there = parent.as_os_str().is_empty() || parent.is_dir();
    let own = Folder::new(parent.to_owned(), path, kind);
    let shipped = kind
        .shipped()
        .map(|shipped| Folder::new(PathBuf::from(shipped), path, kind))
        .filter(|shipped| shipped.path != own.path);
    let folders: Vec<Folder> = std::iter::once(own).chain(shipped).collect();
    let what = if parent_is_there {
        "there is no such file".to_owned()
    } else {
        format!("there is no folder `{}`", parent.display())
    };
    let near = folders.iter().filter_map(|folder| folder.nearest(path));
    if let Some((_, meant)) = near.min_by_key(|(distance, _)| *distance) {
        return format!("{what}; did you mean `{}`?", meant.display());
    }
    let there: String = folders.iter().map(Folder::list).collect();
    format!("{what}{there}")
}

/// A folder, and the names of those files in it that may be meant.
struct Folder {
    path: PathBuf,
    names: Vec<PathBuf>,
}

/// Names that are listed of a folder.
const LISTED: usize = 20;

impl Folder {
    fn new(path: PathBuf, wanted: &Path, kind: Kind) -> Folder {
        let here = Path::new(".");
        let looked_in = if path.as_os_str().is_empty() {
            here
        } else {
            &path
        };
        let ending = kind.endings().first().map(std::ffi::OsStr::new);
        let ending = ending.or(wanted.extension());
        let files = std::fs::read_dir(looked_in).into_iter().flatten().flatten();
        let paths = files.map(|file| file.path());
        let alike = paths.filter(|path| path.extension() == ending && path.is_file());
        let mut names: Vec<PathBuf> = alike
            .filter_map(|path| path.file_name().map(PathBuf::from))
            .collect();
        // The system lists files in any order.
        names.sort();
        Folder { path, names }
    }

    /// The file whose name is most like the wanted one, if it is, and how many letters differ.
    fn nearest(&self, wanted: &Path) -> Option<(usize, PathBuf)> {
        let wanted = stem_of(wanted);
        let length = wanted.chars().count();
        let near = self.names.iter().filter_map(|name| {
            let stem = stem_of(name);
            let distance = match stem.strip_prefix(&wanted) {
                Some(rest) => rest.chars().count().min(1),
                None => strsim::osa_distance(&wanted, &stem),
            };
            (distance < length && distance <= 1 + length / 4).then_some((distance, name))
        });
        let (distance, name) = near.min_by_key(|(distance, _)| *distance)?;
        Some((distance, self.path.join(name)))
    }

    /// What there is, as the end of a sentence.
    fn list(&self) -> String {
        if self.names.is_empty() {
            return String::new();
        }
        let names = self.names.iter().take(LISTED);
        let names: Vec<String> = names.map(|name| format!("`{}`", name.display())).collect();
        let place = match self.path.display().to_string() {
            here if here.is_empty() => "here".to_owned(),
            folder => format!("in `{folder}`"),
        };
        let more = match self.names.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("; {place} there is {}{more}", names.join(", "))
    }
}

fn stem_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or(path.as_os_str());
    stem.to_string_lossy().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Here, because those who may read everything cannot be refused a file.
    #[test]
    fn a_file_nobody_may_read_has_a_remedy() {
        let refused = io::Error::from(io::ErrorKind::PermissionDenied);
        let why = why_not(Path::new("secret.toml"), Kind::Scenario, &refused);
        assert!(why.starts_with("you have no right to read it; "), "{why}");
        if cfg!(unix) {
            assert!(why.contains("`chmod u+r secret.toml`"), "{why}");
        }
    }
}
