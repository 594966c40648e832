//! A level with the short name it goes by, as the command line has it.

use std::path::Path;

use apprentice::Level;
use apprentice::experience::{DemonstrationLog, Place};
use apprentice::report::visible;
use apprentice::world::{Spot, drawn_line};

use crate::{Code, Refusal};

/// A level, what was shown in it, and the short name it goes by.
#[derive(Clone, Debug)]
pub struct NamedLevel {
    /// That of its file, without its ending; or whatever it was called.
    pub id: String,
    /// The scenario, and what was shown.
    pub level: Level,
}

impl NamedLevel {
    /// Reads a level from a file, with whatever it names from beside it.
    ///
    /// # Errors
    ///
    /// If a file is not there, or has a mistake in it.
    pub fn load(path: &Path) -> Result<NamedLevel, Refusal> {
        let level = Level::load(path).map_err(|error| Refusal::new(Code::BadFile, error))?;
        let id = path.file_stem().unwrap_or(path.as_os_str());
        Ok(NamedLevel::of(&id.to_string_lossy(), level))
    }

    /// Reads a level from a text; `files` is asked for whatever it names.
    ///
    /// # Errors
    ///
    /// If there is a mistake in it, or a file is not there.
    pub fn read(
        id: &str,
        text: &str,
        files: impl FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<NamedLevel, Refusal> {
        let level = Level::read(text, files).map_err(|error| Refusal::new(Code::BadFile, error))?;
        Ok(NamedLevel::of(id, level))
    }

    fn of(id: &str, mut level: Level) -> NamedLevel {
        let id = visible::only(id).into_owned();
        if level.scenario.name().is_empty() {
            level.scenario = level.scenario.named(&id);
        }
        NamedLevel { id, level }
    }

    /// The same level with something more that was shown: a log, as `apprentice demo record` writes it.
    ///
    /// # Errors
    ///
    /// If there is a mistake in the log.
    pub fn show_log(&mut self, name: &str, log: &[u8]) -> Result<(), Refusal> {
        let read = DemonstrationLog::read(log)
            .map_err(|error| Refusal::new(Code::BadFile, format!("the log: {error}")))?;
        let shown = read.log.demonstration(visible::only(name));
        self.level.demonstrations.push(shown);
        Ok(())
    }

    /// The same with a line that was drawn: points of two coordinates, or of three.
    ///
    /// # Errors
    ///
    /// If there are no points, or one has no sense.
    pub fn show_line(&mut self, name: &str, points: &[Vec<f64>]) -> Result<(), Refusal> {
        let mut line = Vec::new();
        for point in points {
            line.push(spot(point)?);
        }
        if line.is_empty() {
            let wrong = "a line has points; give two of them or more";
            return Err(Refusal::new(Code::BadValue, wrong));
        }
        let shown = drawn_line(&self.level.scenario, visible::only(name), &line);
        self.level.demonstrations.push(shown);
        Ok(())
    }
}

/// Two coordinates, or three with a height, none of them beyond everything.
pub(crate) fn spot(point: &[f64]) -> Result<Spot, Refusal> {
    let (x, y, height) = match *point {
        [x, y] => (x, y, None),
        [x, y, z] => (x, y, Some(z)),
        _ => {
            let wrong = "a point has two coordinates, or three with its height";
            return Err(Refusal::new(Code::BadValue, wrong));
        }
    };
    if !Place::new(x, y, height.unwrap_or(0.0)).is_anywhere() {
        let wrong = format!(
            "{point:?} is nowhere; give coordinates between -{0:e} and {0:e}",
            Place::FARTHEST
        );
        return Err(Refusal::new(Code::BadValue, wrong));
    }
    Ok(Spot { x, y, height })
}
