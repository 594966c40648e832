//! Tables that stand beside published ones: a line says what it wants to know in braces, and gets it as a number.
//!
//! `{found}` of `{count}` runs have a plan. `{expansions}`, `{work}`, `{cost}`, `{ratio}` (of the best cost), `{time_ms}`,
//! `{proven}` and `{coverage}` are means over those that have one, `{spread}` is the standard deviation of their
//! expansions, and `{worst}` the highest of their ratios.

use crate::cell::PlannerSpec;
use crate::definition::MeasuredLine;
use crate::measured::Row;
use crate::results::Results;

/// What can be asked for.
pub(crate) const NAMES: [&str; 11] = [
    "found",
    "count",
    "expansions",
    "spread",
    "work",
    "cost",
    "ratio",
    "worst",
    "time_ms",
    "proven",
    "coverage",
];

/// What stands before the names that are about somebody else.
const BESIDE: &str = "beside.";

/// What stands where nothing was measured.
const NOTHING: &str = "–";

/// A name in braces that means nothing.
pub(crate) fn unknown_name(cell: &str) -> Option<&str> {
    let mut names = names(cell);
    names.find(|name| !NAMES.contains(&name.strip_prefix(BESIDE).unwrap_or(name)))
}

/// The names in braces.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    let after = cell.split('{').skip(1);
    after.filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

/// The cells of a line, with numbers instead of names.
pub(crate) fn filled(line: &MeasuredLine, results: &Results<'_>) -> Vec<String> {
    let own = rows(line, &line.planner, results);
    let beside = line.beside.as_ref();
    let beside = beside.map_or_else(Vec::new, |spec| rows(line, spec, results));
    let fill = |cell: &String| {
        let mut text = cell.clone();
        for name in names(cell) {
            let number = match name.strip_prefix(BESIDE) {
                Some(name) => number(name, &beside, results),
                None => number(name, &own, results),
            };
            text = text.replace(&format!("{{{name}}}"), number.as_deref().unwrap_or(NOTHING));
        }
        text
    };
    line.cells.iter().map(fill).collect()
}

/// The rows that a line is about. Where things lie elsewhere is another level, unless nothing else was run.
fn rows<'r>(line: &MeasuredLine, spec: &PlannerSpec, results: &'r Results<'r>) -> Vec<&'r Row> {
    let spec = PlannerSpec {
        label: None,
        ..spec.clone()
    };
    let question = || {
        let question = results.ask().scenario(&line.scenario);
        question.branching(line.branching).planner(&spec)
    };
    let as_it_is = question().unvaried().rows().to_vec();
    match as_it_is.is_empty() {
        true => question().rows().to_vec(),
        false => as_it_is,
    }
}

fn number(name: &str, rows: &[&Row], results: &Results<'_>) -> Option<String> {
    if rows.is_empty() {
        return None;
    }
    let found: Vec<&Row> = rows
        .iter()
        .copied()
        .filter(|row| row.measured.is_found())
        .collect();
    let numbers = |of: &dyn Fn(&Row) -> Option<f64>| {
        let numbers = found.iter().map(|row| of(row));
        numbers.collect::<Option<Vec<f64>>>()
    };
    let mean = |of: &dyn Fn(&Row) -> Option<f64>| {
        let numbers = numbers(of).filter(|it| !it.is_empty())?;
        Some(numbers.iter().sum::<f64>() / numbers.len() as f64)
    };
    let expansions = |row: &Row| Some(row.measured.expansions as f64);
    let ratio = |row: &Row| Some(row.measured.cost? / results.optimum(row)?);
    Some(match name {
        "found" => found.len().to_string(),
        "count" => rows.len().to_string(),
        "expansions" => format!("{:.0}", mean(&expansions)?),
        "spread" => {
            let middle = mean(&expansions)?;
            let square = |row: &Row| Some((row.measured.expansions as f64 - middle).powi(2));
            format!("{:.0}", mean(&square)?.sqrt())
        }
        "work" => format!("{:.0}", mean(&|row: &Row| Some(row.measured.work as f64))?),
        "cost" => format!("{:.1}", mean(&|row: &Row| row.measured.cost)?),
        "ratio" => format!("{:.2}", mean(&ratio)?),
        "worst" => {
            let ratios = numbers(&ratio).filter(|it| !it.is_empty())?;
            format!("{:.2}", ratios.into_iter().fold(0.0, f64::max))
        }
        "time_ms" => format!("{:.2}", mean(&|row: &Row| Some(row.clocks.time_ms))?),
        "proven" => format!("{:.1}", mean(&|row: &Row| row.measured.proven)?),
        "coverage" => format!("{:.0} %", mean(&|row: &Row| row.measured.coverage)? * 100.0),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_mean_nothing_are_found() {
        assert_eq!(unknown_name("{found} of {count}"), None);
        assert_eq!(unknown_name("{beside.time_ms} ms"), None);
        assert_eq!(unknown_name("{fuond} of {count}"), Some("fuond"));
        assert_eq!(unknown_name("no braces }{"), None);
    }
}
