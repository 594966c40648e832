//! What the papers say about planners, held against what was measured: whether it holds, by how much it
//! does or does not, and what was not looked at.

mod adaptation;
mod advice;
mod company;
mod keys;
mod rated;
mod training;
mod unpublished;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cell::PlannerSpec;
use crate::measured::Row;
use crate::results::{Question, Results};

pub use rated::{Measure, Table, rating_tables};

/// Whether an assertion holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Its name: A1 to A38 and B1 to B6 are the papers'; C, S and R are ours.
    pub id: String,
    /// Whether it holds; `None` if nobody has looked.
    pub holds: Option<bool>,
    /// What was measured.
    pub measured: String,
    /// What was published, or is asserted.
    pub published: String,
    /// What it means, by how much it fails, or why it was not looked at.
    pub why: String,
}

/// What an assertion comes to.
pub(crate) struct Judged {
    holds: bool,
    measured: String,
    why: String,
}

/// What an assertion would need and nobody has measured.
pub(crate) struct Missing(String);

type Judge = fn(&Results<'_>) -> Result<Judged, Missing>;

/// An assertion: its name, what it says, and how it is looked at.
pub(crate) struct Assertion {
    id: &'static str,
    published: &'static str,
    judge: Judge,
}

const fn assertion(id: &'static str, published: &'static str, judge: Judge) -> Assertion {
    Assertion {
        id,
        published,
        judge,
    }
}

/// Looks at every assertion there is, in order.
pub fn verdicts(results: &Results<'_>) -> Vec<Verdict> {
    let all = training::ASSERTIONS
        .iter()
        .chain(&adaptation::ASSERTIONS)
        .chain(&keys::ASSERTIONS)
        .chain(&advice::ASSERTIONS)
        .chain(&company::ASSERTIONS)
        .chain(&rated::ASSERTIONS)
        .chain(&unpublished::ASSERTIONS);
    let mut verdicts: Vec<Verdict> = all.map(|assertion| judged(assertion, results)).collect();
    verdicts.sort_by_key(|verdict| {
        let (letter, number) = verdict.id.split_at(1);
        let order = "ABCSR".find(letter).unwrap_or(usize::MAX);
        (order, number.parse::<u32>().unwrap_or(u32::MAX))
    });
    verdicts
}

fn judged(assertion: &Assertion, results: &Results<'_>) -> Verdict {
    let (holds, measured, why) = match (assertion.judge)(results) {
        Err(Missing(what)) => (None, String::new(), format!("not measured: {what}")),
        Ok(judged) => (Some(judged.holds), judged.measured, judged.why),
    };
    Verdict {
        id: assertion.id.to_owned(),
        holds,
        measured,
        published: assertion.published.to_owned(),
        why,
    }
}

/// Asks for what must have been measured.
trait Needed {
    fn needed(self, question: &Question<'_>) -> Result<f64, Missing>;
}

impl Needed for Option<f64> {
    fn needed(self, question: &Question<'_>) -> Result<f64, Missing> {
        self.ok_or_else(|| Missing(question.in_words().to_owned()))
    }
}

/// A planner in a level as it is.
fn run<'r>(
    results: &'r Results<'r>,
    scenario: &str,
    branching: u32,
    spec: &PlannerSpec,
) -> Question<'r> {
    let question = results.ask().scenario(scenario).branching(branching);
    question.unvaried().planner(spec)
}

fn expansions(
    results: &Results<'_>,
    scenario: &str,
    branching: u32,
    spec: &PlannerSpec,
) -> Result<f64, Missing> {
    let question = run(results, scenario, branching, spec);
    question.expansions().needed(&question)
}

/// What a planner came to where things lie elsewhere, by the seed that put them there.
fn elsewhere<'r>(
    results: &'r Results<'r>,
    scenario: &str,
    branching: u32,
    spec: &PlannerSpec,
) -> BTreeMap<u64, &'r Row> {
    let question = results.ask().scenario(scenario).branching(branching);
    let question = question.planner(spec);
    let rows = question.rows().iter().filter_map(|row| {
        let planning = row.cell.planning()?;
        let seed = planning.items.filter(|_| row.cell.repeat == 0)?;
        Some((seed, *row))
    });
    rows.collect()
}

/// Expansions of a row, if it has a plan.
fn expanded(row: &Row) -> Option<f64> {
    let measured = &row.measured;
    measured.is_found().then_some(measured.expansions as f64)
}

fn first<'r>(question: &Question<'r>) -> Result<&'r Row, Missing> {
    let row = question.rows().first().copied();
    row.ok_or_else(|| Missing(question.in_words().to_owned()))
}

fn named(planner: &str) -> PlannerSpec {
    PlannerSpec {
        planner: planner.to_owned(),
        ..PlannerSpec::default()
    }
}

/// A planner at a bound, its other numbers as the papers found best.
fn at(planner: &str, bound: f64) -> PlannerSpec {
    PlannerSpec {
        bound: Some(bound),
        ..named(planner)
    }
}

fn listed<T: std::fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(", ")
}
