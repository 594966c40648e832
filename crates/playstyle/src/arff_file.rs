//! Reads tables of when something was first done, in the format of the machine-learning program Weka
//! (`.arff`): a column of numbers for each event, and the label of the play in the last column.

use std::collections::BTreeSet;
use std::fmt;

use crate::Activity;

/// What is wrong with a table, and in which line, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadTable {
    /// The line; 0 if it is about the whole.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for BadTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        write!(
            f,
            "{}; a table has lines `@attribute NAME numeric`, a last attribute with labels in braces, \
             `@data`, and a line of numbers and a label for each play",
            self.what
        )
    }
}

impl std::error::Error for BadTable {}

/// Reads plays from such a table. Numbers below 0 mean never; `a_second` of them are a second. Rows that
/// are repeated are one play.
///
/// ```
/// use apprentice_playstyle::read_first_times;
///
/// let table = "@attribute Pylon numeric\n@attribute Gate numeric\n@attribute style {rush, grow}\n\
///              @data\n48,24,rush\n48,24,rush\n24,-1,grow\n";
/// let plays = read_first_times(table, 24.0)?;
/// assert_eq!(plays.len(), 2);
/// assert_eq!(plays[0].events[0].name, "Gate"); // after one second
/// assert_eq!(plays[1].label.as_deref(), Some("grow"));
/// # Ok::<(), apprentice_playstyle::BadTable>(())
/// ```
pub fn read_first_times(text: &str, a_second: f64) -> Result<Vec<Activity>, BadTable> {
    let mut columns: Vec<String> = Vec::new();
    let mut in_data = false;
    let mut met = BTreeSet::new();
    let mut plays = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let bad = |what: String| BadTable {
            line: number + 1,
            what,
        };
        let line = line.trim();
        if line.is_empty() || line.starts_with('%') {
            continue;
        }
        if in_data {
            if met.insert(line) {
                plays.push(row(line, &columns, a_second, plays.len()).map_err(bad)?);
            }
            continue;
        }
        let mut words = line.split_whitespace();
        match words.next().map(str::to_ascii_lowercase).as_deref() {
            Some("@attribute") => {
                let name = words
                    .next()
                    .ok_or_else(|| bad("an attribute has no name".to_owned()))?;
                columns.push(name.trim_matches(['\'', '"']).to_owned());
            }
            Some("@data") => in_data = true,
            Some("@relation") => {}
            _ => return Err(bad(format!("`{line}` is not expected here"))),
        }
    }
    if plays.is_empty() {
        let what = "there are no plays in it".to_owned();
        return Err(BadTable { line: 0, what });
    }
    Ok(plays)
}

fn row(line: &str, columns: &[String], a_second: f64, play: usize) -> Result<Activity, String> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let (Some((label, times)), Some((_, events))) = (fields.split_last(), columns.split_last())
    else {
        return Err("there are no attributes before it".to_owned());
    };
    if times.len() != events.len() {
        return Err(format!(
            "there are {} fields, and {} attributes",
            fields.len(),
            columns.len()
        ));
    }
    let mut happened: Vec<(f64, &String)> = Vec::new();
    for (time, event) in times.iter().zip(events) {
        let number: Result<f64, _> = time.parse();
        match number {
            Ok(number) if number.is_finite() => {
                if number >= 0.0 {
                    happened.push((number / a_second, event));
                }
            }
            _ => return Err(format!("`{time}` is no number, and `{event}` is one")),
        }
    }
    // The sort is stable: what happened at the same time stays in the order of the columns.
    happened.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut activity = Activity::new(format!("play {}", play + 1)).labelled(*label);
    for (time, event) in happened {
        activity.push(time, event.as_str());
    }
    Ok(activity)
}
