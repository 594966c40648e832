//! Reads plays from logs: JSON Lines or CSV, from any game.
//!
//! A line of JSON is a whole play, `{"id": "anna-3", "label": "sneaks", "events": [{"t": 1.5, "e":
//! "pick_up"}]}`, or one event, `{"t": 1.5, "e": "pick_up"}`, also with `"time"` and `"event"`. A CSV
//! file has a header with the columns `time` and `event`. Events may name their `play` and its `label`;
//! without, they are all of one play.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

use crate::{Activity, Event};

/// What is wrong with a log.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PlaysErrorKind {
    /// There is nothing in it.
    Empty,
    /// A line is no JSON, or not what is expected.
    Line(String),
    /// A time is no number, or infinite.
    Time(String),
    /// An event has no name.
    NoName,
    /// Times run backwards within a play.
    Backwards {
        /// Which play.
        play: String,
        /// The time before.
        from: f64,
        /// The time after.
        to: f64,
    },
    /// Two plays have the same name.
    Twice(String),
    /// A CSV file has no such column.
    NoColumn {
        /// Which one is missing.
        missing: &'static str,
        /// Those that are there.
        there: String,
    },
    /// A line of a CSV file has fewer fields than its header.
    Fields {
        /// So many it has.
        found: usize,
        /// So many the header has.
        expected: usize,
    },
}

/// What is wrong with a log, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct BadPlays {
    /// The line, from 1; 0 if it is about the whole.
    pub line: usize,
    /// What is wrong.
    pub wrong: PlaysErrorKind,
}

impl fmt::Display for BadPlays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        match &self.wrong {
            PlaysErrorKind::Empty => write!(
                f,
                "there is no event in it; a log has lines such as {{\"t\": 1.5, \"e\": \"pick_up\"}}, \
                 or is CSV with the header `time,event`"
            ),
            PlaysErrorKind::Line(why) => write!(
                f,
                "{why}; a line is a play, {{\"id\": \"anna-3\", \"events\": [{{\"t\": 1.5, \"e\": \
                 \"pick_up\"}}]}}, or an event, {{\"t\": 1.5, \"e\": \"pick_up\"}}"
            ),
            PlaysErrorKind::Time(found) => write!(
                f,
                "`{found}` is no time; times are seconds since the play began, such as 12.5"
            ),
            PlaysErrorKind::NoName => write!(f, "an event has no name; say what happened"),
            PlaysErrorKind::Backwards { play, from, to } => write!(
                f,
                "times run backwards in the play `{play}`, from {from} s to {to} s; sort its events, \
                 or give plays that begin anew names of their own"
            ),
            PlaysErrorKind::Twice(id) => {
                write!(f, "there are two plays `{id}`; give each a name of its own")
            }
            PlaysErrorKind::NoColumn { missing, there } => write!(
                f,
                "there is no column `{missing}` among {there}; the header needs `time` and `event`, \
                 and may have `play` and `label`"
            ),
            PlaysErrorKind::Fields { found, expected } => write!(
                f,
                "there are {found} fields, and the header has {expected}; put names with commas \
                 between quotes"
            ),
        }
    }
}

impl std::error::Error for BadPlays {}

/// Reads all plays of a log. `name` is what a play is called that has no name.
///
/// ```
/// use apprentice_playstyle::read_plays;
///
/// let plays = read_plays("time,event\n0.5,pick_up\n2,open_door\n", "anna")?;
/// assert_eq!(plays[0].id, "anna");
/// assert_eq!(plays[0].events[1].name, "open_door");
/// # Ok::<(), apprentice_playstyle::BadPlays>(())
/// ```
pub fn read_plays(text: &str, name: &str) -> Result<Vec<Activity>, BadPlays> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader {
        name,
        plays: Vec::new(),
        numbers: BTreeMap::new(),
    };
    let first = text.lines().find(|line| !line.trim().is_empty());
    match first {
        None => {}
        Some(line) if line.trim_start().starts_with('{') => reader.json_lines(text)?,
        Some(_) => reader.csv(text)?,
    }
    if reader.plays.is_empty() {
        let wrong = PlaysErrorKind::Empty;
        return Err(BadPlays { line: 0, wrong });
    }
    Ok(reader.plays)
}

/// One line of JSON: a play, or an event.
#[derive(Deserialize)]
struct Line {
    id: Option<Name>,
    label: Option<Name>,
    events: Option<Vec<Timed>>,
    play: Option<Name>,
    #[serde(flatten)]
    event: Timed,
}

#[derive(Deserialize)]
struct Timed {
    #[serde(alias = "time")]
    t: Option<serde_json::Value>,
    #[serde(alias = "event")]
    e: Option<Name>,
}

/// Names may be written as numbers.
#[derive(Deserialize)]
#[serde(untagged)]
enum Name {
    Text(String),
    Number(serde_json::Number),
}

impl Name {
    fn text(self) -> String {
        match self {
            Name::Text(text) => text,
            Name::Number(number) => number.to_string(),
        }
    }
}

struct Reader<'a> {
    name: &'a str,
    plays: Vec<Activity>,
    numbers: BTreeMap<String, usize>,
}

impl Reader<'_> {
    fn json_lines(&mut self, text: &str) -> Result<(), BadPlays> {
        for (number, line) in text.lines().enumerate() {
            let wrong = |wrong: PlaysErrorKind| BadPlays {
                line: number + 1,
                wrong,
            };
            if line.trim().is_empty() {
                continue;
            }
            let line: Line = serde_json::from_str(line)
                .map_err(|error| wrong(PlaysErrorKind::Line(in_one_line(&error))))?;
            self.line(line).map_err(wrong)?;
        }
        Ok(())
    }

    fn line(&mut self, line: Line) -> Result<(), PlaysErrorKind> {
        let Some(events) = line.events else {
            if line.event.t.is_none() && line.event.e.is_none() {
                return Err(PlaysErrorKind::Line(
                    "it is neither a play nor an event".to_owned(),
                ));
            }
            let play = line.play.or(line.id).map(Name::text);
            let play = self.play(
                play.as_deref().unwrap_or(self.name),
                line.label.map(Name::text),
            );
            return self.add(play, line.event);
        };
        let id = line.id.map_or_else(
            || format!("{} {}", self.name, self.plays.len() + 1),
            Name::text,
        );
        if self.numbers.contains_key(&id) {
            return Err(PlaysErrorKind::Twice(id));
        }
        let play = self.play(&id, line.label.map(Name::text));
        for event in events {
            self.add(play, event)?;
        }
        Ok(())
    }

    /// The number of a play, which may be new.
    fn play(&mut self, id: &str, label: Option<String>) -> usize {
        let number = match self.numbers.get(id) {
            Some(number) => *number,
            None => {
                self.plays.push(Activity::new(id));
                self.numbers.insert(id.to_owned(), self.plays.len() - 1);
                self.plays.len() - 1
            }
        };
        if label.is_some() {
            self.plays[number].label = label;
        }
        number
    }

    fn add(&mut self, play: usize, event: Timed) -> Result<(), PlaysErrorKind> {
        let time = match event.t {
            Some(value) => value
                .as_f64()
                .filter(|time| time.is_finite())
                .ok_or_else(|| PlaysErrorKind::Time(value.to_string()))?,
            None => return Err(PlaysErrorKind::Time("nothing".to_owned())),
        };
        self.push(play, time, event.e.map(Name::text).unwrap_or_default())
    }

    fn push(&mut self, play: usize, time: f64, name: String) -> Result<(), PlaysErrorKind> {
        if name.is_empty() {
            return Err(PlaysErrorKind::NoName);
        }
        let play = &mut self.plays[play];
        if let Some(last) = play.events.last().filter(|last| last.time > time) {
            return Err(PlaysErrorKind::Backwards {
                play: play.id.clone(),
                from: last.time,
                to: time,
            });
        }
        play.events.push(Event { time, name });
        Ok(())
    }

    fn csv(&mut self, text: &str) -> Result<(), BadPlays> {
        let mut header: Option<Header> = None;
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let wrong = |wrong: PlaysErrorKind| BadPlays {
                line: number + 1,
                wrong,
            };
            let fields = fields(line);
            match &header {
                None => header = Some(Header::of(&fields).map_err(wrong)?),
                Some(header) => self.row(header, &fields).map_err(wrong)?,
            }
        }
        Ok(())
    }

    fn row(&mut self, header: &Header, fields: &[String]) -> Result<(), PlaysErrorKind> {
        if fields.len() < header.columns {
            return Err(PlaysErrorKind::Fields {
                found: fields.len(),
                expected: header.columns,
            });
        }
        let time = &fields[header.time];
        let seconds = time.parse().ok().filter(|time: &f64| time.is_finite());
        let seconds = seconds.ok_or_else(|| PlaysErrorKind::Time(time.clone()))?;
        let label = header.label.map(|label| fields[label].clone());
        let id = header
            .play
            .map_or(self.name, |play| &fields[play])
            .to_owned();
        let play = self.play(&id, label.filter(|label| !label.is_empty()));
        self.push(play, seconds, fields[header.event].clone())
    }
}

/// Which column is what.
struct Header {
    columns: usize,
    time: usize,
    event: usize,
    play: Option<usize>,
    label: Option<usize>,
}

impl Header {
    fn of(names: &[String]) -> Result<Header, PlaysErrorKind> {
        let column = |wanted: &[&str]| {
            let mut lower = names.iter().map(|name| name.to_lowercase());
            lower.position(|name| wanted.contains(&name.as_str()))
        };
        let missing = |missing| PlaysErrorKind::NoColumn {
            missing,
            there: names
                .iter()
                .map(|name| format!("`{name}`"))
                .collect::<Vec<_>>()
                .join(", "),
        };
        Ok(Header {
            columns: names.len(),
            time: column(&["time", "t"]).ok_or_else(|| missing("time"))?,
            event: column(&["event", "e"]).ok_or_else(|| missing("event"))?,
            play: column(&["play", "id"]),
            label: column(&["label"]),
        })
    }
}

/// The fields of a line: between commas, quoted where they have commas or quotes in them.
fn fields(line: &str) -> Vec<String> {
    let mut fields = Vec::new();
    let mut rest = line.trim_end_matches('\r');
    loop {
        rest = rest.trim_start_matches([' ', '\t']);
        let field = match rest.strip_prefix('"') {
            Some(quoted) => {
                let mut field = String::new();
                let mut letters = quoted.char_indices().peekable();
                let mut end = quoted.len();
                while let Some((at, letter)) = letters.next() {
                    if letter != '"' {
                        field.push(letter);
                    } else if letters.peek().is_some_and(|(_, next)| *next == '"') {
                        letters.next();
                        field.push('"');
                    } else {
                        end = at + 1;
                        break;
                    }
                }
                rest = &quoted[end..];
                field
            }
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                let field = rest[..end].trim_end().to_owned();
                rest = &rest[end..];
                field
            }
        };
        fields.push(field);
        match rest.find(',') {
            Some(comma) => rest = &rest[comma + 1..],
            None => return fields,
        }
    }
}

/// What a JSON reader says, without its own idea of the line.
fn in_one_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => format!("{} (column {})", &text[..end], error.column()),
        None => text,
    }
}
