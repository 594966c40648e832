//! Reads how players of each style go about a level.

use super::error::{ScenarioError, ScenarioErrorKind};
use super::tables::{Limits, Table};
use super::things::Things;
use crate::{Drawing, Drawn, Gait, Stance, Style};

const KEYS: [&str; 8] = [
    "id",
    "points",
    "file",
    "gait",
    "fights",
    "demonstrations",
    "goal",
    "plays",
];

impl Things<'_> {
    /// The styles of a level with these demonstrations.
    pub(super) fn styles(&self, drawings: &[Drawing]) -> Result<Vec<Style>, ScenarioError> {
        let reader = self.file.reader;
        let mut styles: Vec<Style> = Vec::new();
        for table in self.file.tables("style")? {
            table.allow(&KEYS)?;
            if self.file.get("player").is_none() {
                return Err(table.error(ScenarioErrorKind::NeedsPlayer));
            }
            let value = table.need("id")?;
            let id = reader.string("id", value)?.to_owned();
            let place = value.span().start;
            if id.is_empty() {
                let key = "id".to_owned();
                return Err(reader.error(place, ScenarioErrorKind::Empty { key }));
            }
            if styles.iter().any(|style| style.id == id) {
                return Err(reader.error(place, ScenarioErrorKind::TakenId { id, line: None }));
            }
            let goal = table
                .get("goal")
                .map(|goal| self.whole_goal(goal))
                .transpose()?;
            styles.push(Style {
                id,
                shown: self.shown(&table, "the style")?,
                stance: self.stance_of(&table)?,
                demonstrations: self.numbers(&table, drawings)?,
                goal,
                plays: self.names(&table, "plays")?,
            });
        }
        Ok(styles)
    }

    /// A line that is drawn, or the name of a recorded one.
    pub(super) fn shown(&self, table: &Table<'_>, what: &str) -> Result<Drawn, ScenarioError> {
        let reader = self.file.reader;
        match (table.get("points"), table.get("file")) {
            (Some(_), Some(file)) => {
                let wrong = ScenarioErrorKind::Both {
                    first: "points",
                    second: "file",
                };
                Err(reader.error(file.span().start, wrong))
            }
            (None, None) => Err(table.missing("points")),
            (Some(value), None) => Ok(Drawn::Points(self.points("points", what, value)?)),
            (None, Some(value)) => {
                let name = reader.string("file", value)?.to_owned();
                let (line, column) = reader.place(value.span().start);
                Ok(Drawn::File { name, line, column })
            }
        }
    }

    /// How somebody carries itself: its gait, and whether it fights.
    pub(super) fn stance_of(&self, table: &Table<'_>) -> Result<Stance, ScenarioError> {
        let gait = match table.get("gait") {
            None => Gait::Walk,
            Some(value) => {
                let name = self.file.reader.string("gait", value)?;
                let names = ["walk", "sneak", "run"];
                let unknown = || self.file.reader.unknown_id(value, name, "gait", &names);
                Gait::from_name(name).ok_or_else(unknown)?
            }
        };
        let stance = Stance::new(gait);
        Ok(if table.flag("fights", true)? {
            stance.fighting()
        } else {
            stance
        })
    }

    /// Which of so many demonstrations, counted from 0; the file counts from 1.
    fn numbers(
        &self,
        table: &Table<'_>,
        drawings: &[Drawing],
    ) -> Result<Vec<usize>, ScenarioError> {
        let Some(value) = table.get("demonstrations") else {
            return Ok(Vec::new());
        };
        let reader = self.file.reader;
        let most = drawings.len();
        let limits = Limits::new(1.0, most.max(1) as f64);
        let list = reader.list("demonstrations", value)?;
        let numbers: Result<Vec<usize>, ScenarioError> = list
            .iter()
            .map(|value| {
                let number = reader.whole("demonstrations", value, limits)?;
                if number as usize > most {
                    let wrong = ScenarioErrorKind::NoDemonstrations;
                    return Err(reader.error(value.span().start, wrong));
                }
                Ok(number as usize - 1)
            })
            .collect();
        // They are counted in the file; whoever follows them counts those that are not left out.
        let is_used = |number: &usize| drawings[*number].is_used;
        let before = |number: usize| drawings[..number].iter().filter(|it| it.is_used).count();
        Ok(numbers?.into_iter().filter(is_used).map(before).collect())
    }

    fn names(&self, table: &Table<'_>, key: &str) -> Result<Vec<String>, ScenarioError> {
        let Some(value) = table.get(key) else {
            return Ok(Vec::new());
        };
        let reader = self.file.reader;
        let list = reader.list(key, value)?.iter();
        list.map(|value| Ok(reader.string(key, value)?.to_owned()))
            .collect()
    }
}
