//! Where scenarios come from: a file, or the one built in.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use apprentice::report::visible::{self, is_invisible};
use apprentice::world::Scenario;
use apprentice_studio::FIRST_SCENARIO;

use crate::exit::Failure;
use crate::input_file::{Kind, read_text, text_of, unreadable};

/// The quest that is planned when none is named: its name and its text.
const BUILT_IN: (&str, &str) = ("quest_compound", FIRST_SCENARIO.1);

/// A scenario and the short name it goes by: that of its file.
pub(crate) struct Source {
    pub(crate) id: String,
    pub(crate) scenario: Scenario,
    /// The file it is from; the built-in one has none.
    file: Option<ScenarioFile>,
}

struct ScenarioFile {
    path: PathBuf,
    text: String,
}

impl Source {
    /// Where a file is that the scenario names.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        let file = self.file.as_ref();
        file.map_or_else(
            || PathBuf::from(name),
            |file| file.path.with_file_name(name),
        )
    }

    /// What is wrong with something the scenario says there.
    pub(crate) fn wrong_at(&self, line: usize, column: usize, wrong: &str) -> Failure {
        Failure::Input(match &self.file {
            Some(file) => point_out(&file.path, &file.text, line, column, &wrong),
            None => wrong.to_owned(),
        })
    }
}

/// A scenario in which somebody is planned for who goes by a name.
pub(crate) fn planned_for(scenario: &Scenario, name: &str) -> Result<Scenario, Failure> {
    let planned = (scenario.actor(name)).and_then(|agent| scenario.for_agent(agent));
    planned.map_err(|error| Failure::input(error.to_string()))
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
            file: None,
        });
    };
    let text = text_of(path, Kind::Scenario)?;
    let beside = |name: &str| {
        let file = path.with_file_name(name);
        read_text(&file, Kind::Named).map_err(|why| looked_for_beside(&file, why))
    };
    let scenario = Scenario::parse_with(&text, beside).map_err(|error| {
        let (line, column) = (error.line, error.column);
        let wrong = point_out(path, &text, line, column, &error.wrong);
        unreadable(path, Kind::Scenario, &wrong)
    })?;
    let id = path.file_stem().unwrap_or(path.as_os_str());
    let id = visible::only(&id.to_string_lossy()).into_owned();
    let has_name = !scenario.name().is_empty();
    Ok(Source {
        scenario: if has_name {
            scenario
        } else {
            scenario.named(&id)
        },
        id,
        file: Some(ScenarioFile {
            path: path.to_owned(),
            text,
        }),
    })
}

/// Why a file cannot be read that a scenario names; if it is not there, where that should be.
pub(crate) fn looked_for_beside(file: &Path, why: String) -> String {
    if file.exists() {
        why
    } else {
        format!("{why}; it is looked for beside the scenario")
    }
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
    if is_invisible(character) {
        ' '
    } else {
        character
    }
}
