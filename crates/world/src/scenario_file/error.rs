//! What can be wrong with a scenario file, said so that it can be put right.

use std::fmt;

use crate::{MapError, MeshError, Point};

/// What is wrong with a scenario file, and where. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioError {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
    /// What is wrong.
    pub wrong: ScenarioErrorKind,
}

/// What can be wrong with a scenario file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ScenarioErrorKind {
    /// It is no TOML.
    Syntax {
        /// What the parser says.
        message: String,
    },
    /// It is of a format this reader doesn't know.
    Format {
        /// The number it gives.
        found: String,
    },
    /// A key nobody asked for.
    UnknownKey {
        /// The key.
        key: String,
        /// The table it is in.
        table: String,
        /// What it probably should be.
        suggestion: Option<String>,
        /// What it may be.
        known: String,
    },
    /// A key that must be there is not.
    Missing {
        /// The key.
        key: &'static str,
        /// The table it belongs to.
        table: String,
    },
    /// A value is of the wrong type.
    Type {
        /// The key it belongs to.
        key: String,
        /// What it should be.
        expected: String,
        /// What it is.
        found: &'static str,
    },
    /// A number makes no sense.
    Number {
        /// The key it belongs to.
        key: String,
        /// The number as written.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// An id or a name that nothing has.
    UnknownId {
        /// The id.
        id: String,
        /// What it should be the id of.
        sort: &'static str,
        /// What it probably should be.
        suggestion: Option<String>,
        /// What it may be.
        known: String,
    },
    /// An id that something else has.
    TakenId {
        /// The id.
        id: String,
        /// Where it was given first; `None` for the ids every scenario has.
        line: Option<usize>,
    },
    /// A kind of enemy that every scenario has.
    TakenKind {
        /// Its name.
        id: String,
    },
    /// A coordinate that is not on the map.
    OffTheMap {
        /// What is to be there.
        what: String,
        /// The place.
        at: Point,
        /// The least coordinates on the map.
        first: Point,
        /// The greatest.
        last: Point,
    },
    /// Something is inside a wall.
    InAWall {
        /// What.
        what: String,
        /// Where.
        at: Point,
    },
    /// A cell has whole coordinates.
    NotACell {
        /// The key.
        key: String,
        /// The place.
        at: Point,
    },
    /// No cell of the goal can be entered.
    NowhereToStand {
        /// The middle.
        at: Point,
        /// The radius.
        radius: f64,
    },
    /// Styles of players where there is no player.
    NeedsPlayer,
    /// A demonstration is named where there are none.
    NoDemonstrations,
    /// Two keys that exclude each other.
    Both {
        /// One.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// Exactly one key was expected.
    OneOf {
        /// Which ones there are.
        keys: String,
    },
    /// Something is at a height where there is no floor.
    NoFloor {
        /// What it is called.
        what: String,
        /// Where it is said to be.
        at: Point,
        /// How high it is said to be.
        height: f64,
        /// How high the nearest floor is.
        floor: f64,
    },
    /// A text that is no order, or one that cannot be carried out.
    Order {
        /// The key it belongs to.
        key: &'static str,
        /// What is wrong with it.
        message: String,
    },
    /// One place where a list of places is needed.
    OnePlace {
        /// The key it belongs to.
        key: String,
    },
    /// A key of the whole file in one of its sections.
    BelongsAbove {
        /// The key.
        key: String,
        /// Where it is.
        table: String,
    },
    /// A list or text with nothing in it.
    Empty {
        /// The key it belongs to.
        key: String,
    },
    /// More than there is room for.
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// Goals within goals within goals.
    TooDeep {
        /// How deep they may be.
        most: usize,
    },
    /// Something only navmeshes have.
    NoMesh {
        /// The key.
        key: &'static str,
    },
    /// The parts make no navmesh.
    Mesh(MeshError),
    /// The rows are no map.
    Map(MapError),
    /// A file it names cannot be used.
    File {
        /// Its name.
        name: String,
        /// Why not.
        message: String,
    },
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.wrong
        )
    }
}

impl std::error::Error for ScenarioError {}

impl fmt::Display for ScenarioErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_else = |suggestion: &Option<String>, known: &str| match suggestion {
            Some(word) => format!("did you mean `{word}`?"),
            None if known.is_empty() => "there is none: add one".to_owned(),
            None => format!("there is `{known}`"),
        };
        match self {
            ScenarioErrorKind::Syntax { message } => write!(f, "this is not TOML: {message}"),
            ScenarioErrorKind::Format { found } => {
                write!(f, "format {found} is not known here; write `format = 1`")
            }
            ScenarioErrorKind::UnknownKey {
                key,
                table,
                suggestion,
                known,
            } => {
                write!(
                    f,
                    "unknown key `{key}` in {table}; {}",
                    or_else(suggestion, known)
                )
            }
            ScenarioErrorKind::OnePlace { key } => write!(
                f,
                "`{key}` is one place; write a list of places, like [[3, 4], [5, 4]]"
            ),
            ScenarioErrorKind::BelongsAbove { key, table } => write!(
                f,
                "`{key}` is in {table} here; move it to the top of the file, above the first line in brackets"
            ),
            ScenarioErrorKind::Missing { key, table } => match example(key, table) {
                Some(example) => write!(f, "`{key}` is missing in {table}; write {example}"),
                None => write!(f, "`{key}` is missing in {table}; add it"),
            },
            ScenarioErrorKind::Type {
                key,
                expected,
                found,
            } => {
                write!(f, "`{key}` is of type {found}; write {expected}")
            }
            ScenarioErrorKind::Number {
                key,
                found,
                expected,
            } => {
                write!(f, "`{key}` is {found}; write {expected}")
            }
            ScenarioErrorKind::UnknownId {
                id,
                sort,
                suggestion,
                known,
            } => {
                write!(
                    f,
                    "no {sort} is called `{id}`; {}",
                    or_else(suggestion, known)
                )
            }
            ScenarioErrorKind::TakenId {
                id,
                line: Some(line),
            } => {
                write!(
                    f,
                    "`{id}` is already the id of what line {line} describes; choose another"
                )
            }
            ScenarioErrorKind::TakenId { id, line: None } => {
                write!(
                    f,
                    "`{id}` means somebody in every scenario; choose another id"
                )
            }
            ScenarioErrorKind::TakenKind { id } => {
                write!(
                    f,
                    "every scenario has a kind `{id}`; give yours another name"
                )
            }
            ScenarioErrorKind::OffTheMap {
                what,
                at,
                first,
                last,
            } => write!(
                f,
                "{what} is at {at}, off the map; x goes from {} to {}, y from {} to {}",
                first.x, last.x, first.y, last.y
            ),
            ScenarioErrorKind::InAWall { what, at } => {
                write!(
                    f,
                    "{what} is at {at}, inside a wall; move it, or open the wall there"
                )
            }
            ScenarioErrorKind::NotACell { key, at } => {
                write!(f, "`{key}` is {at}, which is no cell; use whole numbers")
            }
            ScenarioErrorKind::NowhereToStand { at, radius } => write!(
                f,
                "the goal is within {radius} of {at}, where there is only wall; move it or widen it"
            ),
            ScenarioErrorKind::NoFloor {
                what,
                at,
                height,
                floor,
            } => write!(
                f,
                "{what} is at {at} and {height} high, where there is no floor; the nearest one there is {floor} high: write [{}, {}, {floor}]",
                at.x, at.y
            ),
            ScenarioErrorKind::NeedsPlayer => f.write_str(
                "a style is how players go, and there is no player; give the level a [player]",
            ),
            ScenarioErrorKind::NoDemonstrations => f.write_str(
                "the level has no demonstrations; leave the key out, or add a [[demonstration]]",
            ),
            ScenarioErrorKind::Both { first, second } => {
                write!(
                    f,
                    "there are both `{first}` and `{second}`; keep one of them"
                )
            }
            ScenarioErrorKind::OneOf { keys } => {
                write!(f, "a goal says one thing: one of `{keys}`")
            }
            ScenarioErrorKind::Order { key, message } => write!(f, "`{key}`: {message}"),
            ScenarioErrorKind::Empty { key } => {
                write!(f, "`{key}` is empty; write at least one into it")
            }
            ScenarioErrorKind::TooMany { what, most } => {
                write!(f, "there are too many {what}; at most {most} fit")
            }
            ScenarioErrorKind::TooDeep { most } => {
                write!(f, "goals are nested more than {most} deep; flatten them")
            }
            ScenarioErrorKind::NoMesh { key } => write!(
                f,
                "`{key}` needs a navmesh, and this map is a grid; leave it out, or use a .mesh or .obj file"
            ),
            ScenarioErrorKind::Mesh(error) => error.fmt(f),
            ScenarioErrorKind::Map(error) => error.fmt(f),
            ScenarioErrorKind::File { name, message } => {
                write!(f, "`{name}` cannot be used: {message}")
            }
        }
    }
}

/// What could be written for a key of a table.
pub(crate) fn example(key: &str, table: &str) -> Option<&'static str> {
    Some(match (key, table) {
        ("format", _) => "`format = 1`",
        ("start", _) => "`start = [3, 4]`",
        ("goal", _) => "`goal = { within = { at = [3, 4] } }`",
        ("within", _) => "`within = { at = [3, 4], radius = 2.0 }`",
        ("agent_within", _) => "`agent_within = { agent = \"player\", at = [3, 4] }`",
        ("map", _) => "`map = { rows = [\"...\", \"...\"] }`",
        ("rows", _) => "`rows = [\"...\", \"...\"]`, or `file` and the name of a file",
        ("id", _) => "`id = \"a_name\"`",
        ("at", "[[door]]") => "`at = [[3, 4]]`",
        ("at", _) => "`at = [3, 4]`",
        ("kind", _) => "`kind = \"wolf\"`",
        ("points", _) => "`points = [[3, 4], [5, 4]]`, or `file` and the name of a file",
        ("path", _) => "`path = [[3, 4], [5, 4]]`",
        ("cycle", _) => "`cycle = { open = 3.0, closed = 2.0 }`",
        _ => return None,
    })
}

/// The candidate a word was probably meant to be: the nearest one, if it is near.
pub(crate) fn nearest(word: &str, candidates: &[&str]) -> Option<String> {
    let near = |candidate: &&&str| {
        let distance = edits(word, candidate);
        // With every letter changed, two short names have nothing in common.
        let is_alike = distance < word.chars().count();
        (is_alike && distance <= 1 + candidate.chars().count() / 4).then_some(distance)
    };
    let best = candidates
        .iter()
        .filter_map(|candidate| Some((near(&candidate)?, *candidate)));
    best.min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate.to_owned())
}

/// How many letters must be changed, added, left out or swapped with their neighbour.
fn edits(from: &str, to: &str) -> usize {
    // Nobody misspells a word of three by thirty letters.
    let from: Vec<char> = from.chars().take(64).collect();
    let to: Vec<char> = to.chars().take(64).collect();
    let mut rows = vec![(0..=to.len()).collect::<Vec<usize>>()];
    for i in 1..=from.len() {
        let mut row = vec![i];
        for j in 1..=to.len() {
            let change = rows[i - 1][j - 1] + usize::from(from[i - 1] != to[j - 1]);
            let mut least = change.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_pen_are_understood() {
        let keys = ["opens", "at", "id", "start", "killer_bear"];
        for (word, meant) in [
            ("open", Some("opens")),
            ("strat", Some("start")),
            ("killerbear", Some("killer_bear")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, &keys).as_deref(), meant, "{word}");
        }
    }
}
