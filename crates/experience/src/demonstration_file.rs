//! Reads and writes demonstration logs: JSON Lines, a header and then one line a sample.
//!
//! Each line is complete in itself, so that a recorder that dies in the middle of a line loses one
//! sample and no more. Fields that nobody here knows are kept as they are.

mod error;
mod fields;

use std::fmt;

use crate::{Demonstration, Place, Sample, Stance};
pub use error::{LogError, LogErrorKind};
use fields::{Line, Reading, put, put_list, put_object, put_text, put_unknown};

/// Everything a demonstration log says.
///
/// ```
/// use apprentice_experience::{DemonstrationLog, Place};
///
/// let text = concat!(
///     r#"{"format":1,"scenario":"k1d1","interval":0.5,"unit":"cell"}"#, "\n",
///     r#"{"t":0,"x":4,"y":25,"gait":"walk","mood":"curious"}"#, "\n",
///     r#"{"t":0.5,"x":4.5,"y":25,"gait":"walk"}"#, "\n",
/// );
/// let log = DemonstrationLog::read(text)?.log;
/// assert_eq!(log.samples[1].place, Place::flat(4.5, 25.0));
/// assert_eq!(log.demonstration("anna").duration(), 0.5);
/// // What is not known here is kept.
/// assert!(log.write()?.contains(r#""mood":"curious""#));
/// # Ok::<(), apprentice_experience::LogError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DemonstrationLog {
    /// What holds for all of it.
    pub header: LogHeader,
    /// What was seen, earliest first.
    pub samples: Vec<LoggedSample>,
}

/// The first line of a log: what holds for all samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogHeader {
    /// The level it was recorded in.
    pub scenario: Option<String>,
    /// Seconds between two samples.
    pub interval: Option<f64>,
    /// What coordinates are given in.
    pub unit: Option<Unit>,
    /// Whatever else the header says.
    pub unknown: Vec<(String, Json)>,
}

/// What coordinates are given in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Cells of a grid; cell centres have whole numbers.
    Cell,
    /// Metres.
    Metre,
}

impl Unit {
    const ALL: [Unit; 2] = [Unit::Cell, Unit::Metre];
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::Cell => "cell",
            Unit::Metre => "metre",
        })
    }
}

/// A line of a log: what was seen at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoggedSample {
    /// Seconds since the demonstration began.
    pub time: f64,
    /// Where the demonstrator was.
    pub place: Place,
    /// `walk`, `sneak`, `run`, or what else a game knows.
    pub gait: Option<String>,
    /// The demonstrator's health.
    pub health: Option<f64>,
    /// The demonstrator's stamina.
    pub stamina: Option<f64>,
    /// The ids of what was held.
    pub holding: Vec<String>,
    /// Whatever else a game wants to tell apart: texts, numbers, true or false.
    pub flags: Vec<(String, Json)>,
    /// Where others were, by id.
    pub agents: Vec<(String, LoggedAgent)>,
    /// What has happened since the sample before.
    pub events: Vec<String>,
    /// Whatever else the line says.
    pub unknown: Vec<(String, Json)>,
}

/// Another agent, as a sample saw it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoggedAgent {
    /// Where it was.
    pub place: Place,
    /// Its health.
    pub health: Option<f64>,
    /// What it was about, in the words of the game.
    pub mode: Option<String>,
    /// Whatever else is said about it.
    pub unknown: Vec<(String, Json)>,
}

/// A JSON value, kept as it was written.
///
/// ```
/// use apprentice_experience::Json;
///
/// assert_eq!(Json::parse("[1, 2.50]").unwrap().text(), "[1, 2.50]");
/// assert_eq!(Json::string("say \"hi\"").text(), r#""say \"hi\"""#);
/// assert_eq!(Json::parse("[1,"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Json(String);

/// A log that was read, and how far it went.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadLog {
    /// What it says.
    pub log: DemonstrationLog,
    /// How many bytes of the text are whole lines. Whoever appends to the file cuts it here first.
    pub intact: usize,
    /// The line that was dropped because it ends in the middle, counted from 1.
    pub cut_line: Option<usize>,
}

/// Longer lines are no samples: a crowd of a thousand agents takes a tenth of this.
const LONGEST_LINE: usize = 1 << 20;
/// Six days at two samples a second.
const MOST_SAMPLES: usize = 1 << 20;
/// Far beyond any map, near enough for every distance to be exact to the millimetre.
const FARTHEST: f64 = 1e6;
/// Costs are kept in nanoseconds; a thousand demonstrations of four months still fit.
const LATEST: f64 = 1e7;
/// Healths and staminas are the game's affair, as long as they are numbers.
const LARGEST: f64 = 1e12;

impl DemonstrationLog {
    /// Reads a log. An incomplete last line is dropped, and `cut_line` says so; anything else that
    /// is broken is an error. Takes bytes, because a line may have been cut in the middle of a
    /// character.
    pub fn read(text: impl AsRef<[u8]>) -> Result<ReadLog, LogError> {
        let text = text.as_ref();
        let mut read = ReadLog {
            log: DemonstrationLog::default(),
            intact: 0,
            cut_line: None,
        };
        let mut header = None;
        for line in Line::all(text) {
            if line.is_blank() {
                read.intact = line.end;
                continue;
            }
            let content = match line.text(LONGEST_LINE).and_then(Reading::object) {
                Ok(content) => content,
                Err(error) if header.is_none() && line.is_of_no_log(&error.wrong) => {
                    return Err(line.error(LogErrorKind::NoLog));
                }
                Err(_) if line.is_last && line.is_cut(LONGEST_LINE) => {
                    read.cut_line = Some(line.number);
                    break;
                }
                Err(error) => return Err(error),
            };
            match header {
                None => header = Some(read_header(content)?),
                Some(_) if read.log.samples.len() == MOST_SAMPLES => {
                    let most = MOST_SAMPLES;
                    return Err(line.error(LogErrorKind::TooManySamples { most }));
                }
                Some(_) => {
                    let before = read.log.samples.last().map(|sample| sample.time);
                    read.log.samples.push(read_sample(content, before)?);
                }
            }
            read.intact = line.end;
        }
        read.log.header = header.ok_or(LogError {
            line: 1,
            column: 1,
            wrong: match read.cut_line {
                Some(_) => LogErrorKind::HeaderCut,
                None => LogErrorKind::Empty,
            },
        })?;
        Ok(read)
    }

    /// The text of the log: a header line and a line for each sample. Numbers that could not be
    /// read back are an error.
    pub fn write(&self) -> Result<String, LogError> {
        let mut text = self.header.line()?;
        let mut before = None;
        for (number, sample) in (2..).zip(&self.samples) {
            let line = sample.line_after(before);
            text += &line.map_err(|wrong| LogError {
                line: number,
                column: 1,
                wrong,
            })?;
            before = Some(sample.time);
        }
        Ok(text)
    }

    /// What is needed to follow it: times, places and stances.
    pub fn demonstration(&self, name: impl Into<String>) -> Demonstration {
        Demonstration {
            name: name.into(),
            samples: self.samples.iter().map(LoggedSample::sample).collect(),
        }
    }
}

impl LogHeader {
    /// The header as a line, with its end.
    ///
    /// ```
    /// use apprentice_experience::{LogHeader, Unit};
    ///
    /// let header = LogHeader { interval: Some(0.5), unit: Some(Unit::Cell), ..LogHeader::default() };
    /// assert_eq!(header.line()?, "{\"format\":1,\"interval\":0.5,\"unit\":\"cell\"}\n");
    /// # Ok::<(), apprentice_experience::LogError>(())
    /// ```
    pub fn line(&self) -> Result<String, LogError> {
        if let Some(interval) = self.interval {
            let checked = check_number("interval", interval, SHORTEST_INTERVAL, LONGEST_INTERVAL);
            checked.map_err(|wrong| LogError {
                line: 1,
                column: 1,
                wrong,
            })?;
        }
        let mut line = String::from("{");
        put(&mut line, "format", 1);
        if let Some(scenario) = &self.scenario {
            put_text(&mut line, "scenario", scenario);
        }
        if let Some(interval) = self.interval {
            put(&mut line, "interval", interval);
        }
        if let Some(unit) = self.unit {
            put_text(&mut line, "unit", &unit.to_string());
        }
        put_unknown(&mut line, &self.unknown);
        Ok(line + "}\n")
    }
}

/// A thousand samples a second.
const SHORTEST_INTERVAL: f64 = 1e-3;
/// An hour.
const LONGEST_INTERVAL: f64 = 3600.0;

impl LoggedSample {
    /// What is needed to follow a demonstration.
    pub fn sample(&self) -> Sample {
        let flag = |(name, value): &(String, Json)| (name.clone(), value.plain());
        Sample {
            time: self.time,
            place: self.place,
            stance: Stance {
                gait: self.gait.clone(),
                holding: self.holding.clone(),
                flags: self.flags.iter().map(flag).collect(),
            },
        }
    }

    /// The sample as a line, with its end. `before` is the time of the sample before it.
    pub(crate) fn line_after(&self, before: Option<f64>) -> Result<String, LogErrorKind> {
        let Place { x, y, z } = self.place;
        check_number("t", self.time, 0.0, LATEST)?;
        check_order(self.time, before)?;
        let mut line = String::from("{");
        put(&mut line, "t", self.time);
        put_place(&mut line, "", x, y, z)?;
        if let Some(gait) = &self.gait {
            put_text(&mut line, "gait", gait);
        }
        for (name, value) in [("health", self.health), ("stamina", self.stamina)] {
            if let Some(value) = value {
                check_number(name, value, -LARGEST, LARGEST)?;
                put(&mut line, name, value);
            }
        }
        put_list(&mut line, "holding", &self.holding);
        if !self.flags.is_empty() {
            put_object(&mut line, "flags", |flags| {
                put_unknown(flags, &self.flags);
                Ok(())
            })?;
        }
        if !self.agents.is_empty() {
            put_object(&mut line, "agents", |agents| {
                for (id, agent) in &self.agents {
                    put_object(agents, id, |line| agent.put(line, id))?;
                }
                Ok(())
            })?;
        }
        put_list(&mut line, "events", &self.events);
        put_unknown(&mut line, &self.unknown);
        Ok(line + "}\n")
    }
}

impl LoggedAgent {
    fn put(&self, line: &mut String, id: &str) -> Result<(), LogErrorKind> {
        let Place { x, y, z } = self.place;
        let owner = format!("agents.{id}.");
        put_place(line, &owner, x, y, z)?;
        if let Some(health) = self.health {
            check_number(&format!("{owner}health"), health, -LARGEST, LARGEST)?;
            put(line, "health", health);
        }
        if let Some(mode) = &self.mode {
            put_text(line, "mode", mode);
        }
        put_unknown(line, &self.unknown);
        Ok(())
    }
}

fn put_place(line: &mut String, owner: &str, x: f64, y: f64, z: f64) -> Result<(), LogErrorKind> {
    for (name, value) in [("x", x), ("y", y), ("z", z)] {
        check_number(&format!("{owner}{name}"), value, -FARTHEST, FARTHEST)?;
        // Flat worlds don't speak of heights.
        if name != "z" || value != 0.0 {
            put(line, name, value);
        }
    }
    Ok(())
}

fn read_header(mut line: Reading<'_>) -> Result<LogHeader, LogError> {
    let format = line.need("format")?;
    if format.text().parse() != Ok(1.0) {
        let found = format.describe();
        return Err(format.error(LogErrorKind::Format { found }));
    }
    let unit = match line.string("unit")? {
        None => None,
        Some((name, at)) => {
            let known = Unit::ALL.into_iter().find(|unit| unit.to_string() == name);
            Some(known.ok_or_else(|| at.wrong_type("`cell` or `metre`"))?)
        }
    };
    Ok(LogHeader {
        scenario: line.string("scenario")?.map(|(name, _)| name),
        interval: line.number("interval", SHORTEST_INTERVAL, LONGEST_INTERVAL)?,
        unit,
        unknown: line.rest(),
    })
}

fn read_sample(mut line: Reading<'_>, before: Option<f64>) -> Result<LoggedSample, LogError> {
    let at = line.need("t")?;
    let time = at.number(0.0, LATEST)?;
    check_order(time, before).map_err(|wrong| at.error(wrong))?;
    let place = read_place(&mut line)?;
    let gait = line.string("gait")?.map(|(gait, _)| gait);
    let health = line.number("health", -LARGEST, LARGEST)?;
    let stamina = line.number("stamina", -LARGEST, LARGEST)?;
    let holding = line.strings("holding")?;
    let mut flags = Vec::new();
    if let Some(mut inner) = line.inner("flags")? {
        for (name, value) in inner.take_all() {
            if value.is_list_or_object() || value.text() == "null" {
                return Err(value.wrong_type("a text, a number, true or false"));
            }
            flags.push((name, value.keep()));
        }
    }
    let mut agents = Vec::new();
    if let Some(mut inner) = line.inner("agents")? {
        for (id, value) in inner.take_all() {
            agents.push((id, read_agent(value.into_object()?)?));
        }
    }
    Ok(LoggedSample {
        time,
        place,
        gait,
        health,
        stamina,
        holding,
        flags,
        agents,
        events: line.strings("events")?,
        unknown: line.rest(),
    })
}

fn read_agent(mut agent: Reading<'_>) -> Result<LoggedAgent, LogError> {
    Ok(LoggedAgent {
        place: read_place(&mut agent)?,
        health: agent.number("health", -LARGEST, LARGEST)?,
        mode: agent.string("mode")?.map(|(mode, _)| mode),
        unknown: agent.rest(),
    })
}

fn read_place(line: &mut Reading<'_>) -> Result<Place, LogError> {
    let x = line.need("x")?.number(-FARTHEST, FARTHEST)?;
    let y = line.need("y")?.number(-FARTHEST, FARTHEST)?;
    let z = line.number("z", -FARTHEST, FARTHEST)?;
    Ok(Place::new(x, y, z.unwrap_or(0.0)))
}

/// NaN is outside of everything.
fn check_number(field: &str, found: f64, least: f64, most: f64) -> Result<(), LogErrorKind> {
    if (least..=most).contains(&found) {
        return Ok(());
    }
    Err(LogErrorKind::Number {
        field: field.to_owned(),
        found: found.to_string(),
        least,
        most,
    })
}

fn check_order(time: f64, before: Option<f64>) -> Result<(), LogErrorKind> {
    match before {
        Some(before) if time < before => Err(LogErrorKind::Backwards { time, before }),
        _ => Ok(()),
    }
}

impl Json {
    /// The value, if this text is one, in one line.
    pub fn parse(text: &str) -> Option<Json> {
        let value: &serde_json::value::RawValue = serde_json::from_str(text).ok()?;
        let text = value.get();
        (!text.contains('\n')).then(|| Json(text.to_owned()))
    }

    /// A text as a value.
    pub fn string(text: &str) -> Json {
        Json(serde_json::Value::from(text).to_string())
    }

    /// The value as it was written.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// A text without its quotes; anything else as it was written.
    pub fn plain(&self) -> String {
        serde_json::from_str(&self.0).unwrap_or_else(|_| self.0.clone())
    }
}
