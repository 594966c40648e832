//! A scenario as the page has it: its text, with changes that are being tried.

use apprentice::world::{Scenario, ScenarioError};

use crate::folder::Folder;
use crate::protocol::{Level, Refusal, TextPlace};
use crate::scenario_text::{self, Edited};

/// A level that could be read.
pub(crate) struct ReadLevel {
    pub(crate) path: String,
    /// With the changes.
    pub(crate) text: String,
    pub(crate) scenario: Scenario,
    /// What else had to be changed, or was left as it was, in words.
    pub(crate) notes: Vec<String>,
}

/// Makes the changes and reads what comes out.
pub(crate) fn read(folder: &Folder, level: &Level) -> Result<ReadLevel, Refusal> {
    let Edited { text, notes } = scenario_text::edited(&level.text, &level.edits)?;
    let scenario = parse(folder, &level.path, &text)?;
    Ok(ReadLevel {
        path: level.path.clone(),
        text,
        scenario,
        notes,
    })
}

/// The scenario in a text. Files it names are looked for beside it, inside the folder.
pub(crate) fn parse(folder: &Folder, path: &str, text: &str) -> Result<Scenario, Refusal> {
    let read = |name: &str| folder.read_beside(path, name);
    if let Some(same) = folder.kept.level(path, text, read) {
        return Ok(same);
    }
    let mut files = Vec::new();
    let beside = |name: &str| {
        let found = read(name)?;
        files.push((name.to_owned(), found.clone()));
        Ok(found)
    };
    let scenario = Scenario::parse_keeping(text, beside, &mut folder.kept.maps());
    let scenario = scenario.map_err(|error| refusal(&error))?;
    folder.kept.keep_level((path, text), files, &scenario);
    Ok(scenario)
}

fn refusal(error: &ScenarioError) -> Refusal {
    let (line, column) = (error.line, error.column);
    Refusal {
        message: error.wrong.to_string(),
        place: Some(TextPlace { line, column }),
    }
}

/// What a scenario goes by: the name of its file without its end.
pub(crate) fn short_name(path: &str) -> &str {
    let name = path.rsplit(['/', ':']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
