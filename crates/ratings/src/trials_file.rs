//! Reads what planners took from comma-separated values, as experiments write them.

use std::collections::BTreeMap;

use crate::csv_rows::{CsvError, CsvWrong, Row, Rows, number, rows};
use crate::trials::TrialsWrong;
use crate::{Trial, Trials};

/// Which part of the results counts, and what is measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// The column with what a planner took; without one, the first there is of `work`, `units` and
    /// `time_ms`.
    pub measure: Option<String>,
    /// Only rows that have one of these values in this column.
    pub only: Vec<(String, Vec<String>)>,
    /// A row counts as done only if what stands in this column is at least so much. With the fidelity
    /// of plans to what was shown, ratings say how well planners can be trained, and how hard levels
    /// are to be taught in.
    pub at_least: Vec<(String, f64)>,
}

/// What is measured, if nobody says: work is the same on every machine.
const MEASURES: [&str; 3] = ["work", "units", "time_ms"];

/// Under which circumstances a planner ran. Rows that differ in nothing else are repeats.
const CIRCUMSTANCES: [&str; 2] = ["bound", "branching"];

/// Reads results: a header with `planner`, `scenario` and what was measured, perhaps `bound`,
/// `branching` and `status`, and any other columns. Where the status is not `found`, the planner came
/// to no end. Repeats become one trial with the mean of what they took.
///
/// ```
/// use apprentice_ratings::{Selection, read_trials};
///
/// let text = "planner,scenario,bound,status,work\n\
///             auto,cave,10,found,40\n\
///             auto,cave,10,found,60\n\
///             wastar,cave,10,budget,900\n";
/// let trials = read_trials(text, &Selection::default()).expect("two trials");
/// let took: Vec<Option<f64>> = trials.trials.iter().map(|trial| trial.took).collect();
/// assert_eq!(took, [Some(50.0), None]);
///
/// let text = "planner,scenario,work,fidelity\nauto,cave,40,0.9\nwastar,cave,30,0.2\n";
/// let followed = Selection {
///     at_least: vec![("fidelity".to_owned(), 0.5)],
///     ..Selection::default()
/// };
/// let trials = read_trials(text, &followed).expect("two trials");
/// assert_eq!(trials.trials[1].took, None, "it was done soon, but not as shown");
/// ```
pub fn read_trials(text: &str, selection: &Selection) -> Result<Trials, Vec<CsvError>> {
    let rows = rows(text)?;
    let at_header = |wrong| {
        let line = rows.line;
        vec![CsvError { line, wrong }]
    };
    let missing = |column: &str| {
        at_header(CsvWrong::MissingColumn {
            column: column.to_owned(),
            expected: format!(
                "planner, scenario, and one of {}; this one has {}",
                MEASURES.join(", "),
                rows.header.join(", ")
            ),
        })
    };
    let needed = |column: &str| rows.column(column).ok_or_else(|| missing(column));
    let (planner, scenario) = (needed("planner")?, needed("scenario")?);
    let measure = match &selection.measure {
        Some(measure) => measure.as_str(),
        None => {
            let found = MEASURES.iter().find(|name| rows.column(name).is_some());
            found.copied().unwrap_or(MEASURES[0])
        }
    };
    let measured = needed(measure)?;
    let mut wanted = Vec::new();
    for (column, values) in &selection.only {
        wanted.push((needed(column)?, values));
    }
    let mut least = Vec::new();
    for (column, amount) in &selection.at_least {
        least.push((needed(column)?, column.as_str(), *amount));
    }
    let is_wanted = |row: &&Row| {
        let mut conditions = wanted.iter();
        conditions.all(|(column, values)| values.iter().any(|it| it == row.field(Some(*column))))
    };

    let mut repeats: BTreeMap<[String; 3], usize> = BTreeMap::new();
    let mut found: Vec<(Trial, u32)> = Vec::new();
    let mut errors = Vec::new();
    for row in rows.rows.iter().filter(is_wanted) {
        let took = match took(&rows, row, measure, measured)
            .and_then(|took| is_enough(row, &least).map(|enough| took.filter(|_| enough)))
        {
            Ok(took) => took,
            Err(wrong) => {
                let line = row.line;
                errors.push(CsvError { line, wrong });
                continue;
            }
        };
        let circumstances = CIRCUMSTANCES.iter().filter_map(|name| {
            let value = row.field(rows.column(name));
            (!value.is_empty()).then(|| format!("{name} {value}"))
        });
        let circumstances = circumstances.collect::<Vec<_>>().join(", ");
        let [planner, scenario] =
            [planner, scenario].map(|column| row.field(Some(column)).to_owned());
        let key = [planner.clone(), scenario.clone(), circumstances.clone()];
        let place = *repeats.entry(key).or_insert(found.len());
        match found.get_mut(place) {
            Some((trial, count)) => {
                trial.took = trial.took.zip(took).map(|(before, now)| before + now);
                *count += 1;
            }
            None => {
                let trial = Trial {
                    planner,
                    scenario,
                    circumstances,
                    took,
                };
                found.push((trial, 1));
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mean = |(trial, count): (Trial, u32)| Trial {
        took: trial.took.map(|sum| sum / f64::from(count)),
        ..trial
    };
    Ok(Trials {
        trials: found.into_iter().map(mean).collect(),
    })
}

/// Whether what was done is good enough.
fn is_enough(row: &Row, least: &[(usize, &str, f64)]) -> Result<bool, CsvWrong> {
    for (column, name, least) in least {
        let text = row.field(Some(*column));
        if text.is_empty() {
            return Ok(false);
        }
        // What is no number is not enough.
        let amount = number(name, text)?;
        if amount.is_nan() || amount < *least {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What a row says that was taken.
fn took(rows: &Rows, row: &Row, measure: &str, column: usize) -> Result<Option<f64>, CsvWrong> {
    let status = row.field(rows.column("status"));
    let text = row.field(Some(column));
    if !status.is_empty() && status != "found" || text.is_empty() {
        return Ok(None);
    }
    let amount = number(measure, text)?;
    if amount >= 0.0 && amount.is_finite() {
        Ok(Some(amount))
    } else {
        Err(CsvWrong::NoTrials(TrialsWrong::Amount { amount }))
    }
}
