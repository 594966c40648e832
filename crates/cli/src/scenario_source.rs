//! Where scenarios come from: a file, or the one built in.

use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use apprentice::world::Scenario;

use crate::exit::Failure;

/// The quest that is planned when none is named: it takes two items to get past a guard and
/// through a door.
const BUILT_IN: (&str, &str) = (
    "quest_compound",
    include_str!("../../../scenarios/quest_compound.toml"),
);

/// Larger files are no scenarios: the largest map there can be takes a quarter of this.
const LARGEST_FILE: u64 = 16 << 20;

/// A scenario and the short name it goes by: that of its file.
pub(crate) struct Source {
    pub(crate) id: String,
    pub(crate) scenario: Scenario,
    /// The file it is from; the built-in one has none.
    path: Option<PathBuf>,
}

impl Source {
    /// Where a file is that the scenario names.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        let path = self.path.as_deref();
        path.map_or_else(|| PathBuf::from(name), |path| path.with_file_name(name))
    }
}

/// The scenario in a file, or the built-in one.
pub(crate) fn load(path: Option<&Path>) -> Result<Source, Failure> {
    let Some(path) = path else {
        let (id, text) = BUILT_IN;
        let parsed = Scenario::parse(text);
        let scenario =
            parsed.map_err(|error| Failure::Bug(format!("built-in scenario: {error}")))?;
        return Ok(Source {
            id: id.to_owned(),
            scenario,
            path: None,
        });
    };
    let text = read_text(path).map_err(|why| {
        let meant = meant_by(path).map(|meant| format!("; did you mean `{}`?", meant.display()));
        let meant = meant.unwrap_or_default();
        Failure::input(format!("`{}` cannot be read: {why}{meant}", path.display()))
    })?;
    let beside = |name: &str| {
        let file = path.with_file_name(name);
        let missing = if file.exists() {
            ""
        } else {
            "; it is looked for beside the scenario"
        };
        read_text(&file).map_err(|why| why + missing)
    };
    let scenario = Scenario::parse_with(&text, beside).map_err(|error| {
        let (line, column) = (error.line, error.column);
        Failure::Input(point_out(path, &text, line, column, &error.wrong))
    })?;
    let id = path.file_stem().unwrap_or(path.as_os_str());
    let id = id.to_string_lossy().into_owned();
    let has_name = !scenario.name().is_empty();
    Ok(Source {
        scenario: if has_name {
            scenario
        } else {
            scenario.named(&id)
        },
        id,
        path: Some(path.to_owned()),
    })
}

/// The scenario somebody meant who named a file that is not there: the same with the ending that
/// scenarios have, or the one of this name in the folder of scenarios.
fn meant_by(path: &Path) -> Option<PathBuf> {
    if path.exists() {
        return None;
    }
    let stem = path.file_stem()?;
    let shipped = Path::new("scenarios").join(stem);
    [path, &shipped]
        .map(|candidate| candidate.with_extension("toml"))
        .into_iter()
        .find(|candidate| candidate.is_file())
}

/// The text of a file, or why there is none.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    String::from_utf8(read_bytes(path)?).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        format!("it is no text: line {line} is not UTF-8")
    })
}

/// The content of a file, or why there is none.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    if file.metadata().is_ok_and(|about| about.is_dir()) {
        return Err("it is a folder; name a file in it".to_owned());
    }
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that is too large, also where it has no length.
    file.take(LARGEST_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(format!("it is larger than {} MiB", LARGEST_FILE >> 20));
    }
    Ok(bytes)
}

/// The mistake with its place, its line, and a mark below it.
pub(crate) fn point_out(
    path: &Path,
    text: &str,
    line: usize,
    column: usize,
    wrong: &dyn Display,
) -> String {
    let mut message = format!("{}:{line}:{column}: {wrong}", path.display());
    if let Some(source) = text.lines().nth(line - 1) {
        // A line may be a whole map; what is near the mistake is enough.
        let first = column.saturating_sub(60);
        let near: String = source.chars().skip(first).take(100).map(plain).collect();
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        let before = " ".repeat(column - 1 - first);
        message += &format!("\n  {number} | {near}\n  {margin} | {before}^");
    }
    message
}

/// Tabs and control characters would move the mark, or the cursor.
fn plain(character: char) -> char {
    if character.is_control() {
        ' '
    } else {
        character
    }
}
