//! What came of a study: the published table's form with ours beside it, how sure that is, and whether
//! the characters differ.

use std::fmt;

use serde::Serialize;

use super::design::{Npc, STATEMENTS};
use super::friedman::{Friedman, friedman};
use super::participant::Record;
use super::published;

/// What came of a study.
#[derive(Clone, Debug, Serialize)]
pub struct StudyDocument {
    /// How many are counted.
    pub participants: usize,
    /// How many of them have not come to the end.
    pub unfinished: usize,
    /// How many stopped taking part. They are not counted.
    pub withdrawn: usize,
    /// How many were programs that rehearsed the study. They are counted only where there is nobody else.
    pub rehearsals: usize,
    /// A row for each character.
    pub rows: Vec<RowDocument>,
    /// Whether the characters differ, for the time and each statement.
    pub friedman: Vec<FriedmanDocument>,
}

/// A character.
#[derive(Clone, Debug, Serialize)]
pub struct RowDocument {
    /// Who.
    pub npc: Npc,
    /// Seconds until both were at the goal.
    pub time: CellDocument,
    /// The answers to each statement, from -2 to 2; those to 2, 6 and 7 are good where they are low.
    pub answers: Vec<CellDocument>,
}

/// A cell of the table.
#[derive(Clone, Debug, Serialize)]
pub struct CellDocument {
    /// How many trials are counted.
    pub n: usize,
    /// The mean; none of nothing.
    pub mean: Option<f64>,
    /// The median.
    pub median: Option<f64>,
    /// The standard deviation of the sample; none of fewer than two.
    pub deviation: Option<f64>,
    /// The mean that was published.
    pub published: f64,
}

/// Whether the characters differ.
#[derive(Clone, Debug, Serialize)]
pub struct FriedmanDocument {
    /// `time`, or `q1` to `q7`.
    pub what: String,
    /// How many people said something about all four.
    pub n: usize,
    /// Friedman's statistic, corrected for ties; none if there is nothing to compare.
    pub statistic: Option<f64>,
    /// The degrees of freedom.
    pub degrees: Option<usize>,
    /// How probable that or more is if there is no difference.
    pub p: Option<f64>,
    /// Kendall's W.
    pub agreement: Option<f64>,
}

/// What is counted of a trial.
#[derive(Clone, Copy)]
enum Measure {
    Time,
    Statement(usize),
}

impl Measure {
    fn all() -> impl Iterator<Item = Measure> {
        let statements = (1..=STATEMENTS).map(Measure::Statement);
        std::iter::once(Measure::Time).chain(statements)
    }

    fn name(self) -> String {
        match self {
            Measure::Time => "time".to_owned(),
            Measure::Statement(number) => format!("q{number}"),
        }
    }

    /// What somebody has of it beside a character, trial by trial.
    fn of(self, record: &Record, npc: Npc) -> Vec<f64> {
        let planned = record.plan.iter().filter(|planned| planned.npc == npc);
        let trials = planned.filter_map(|planned| record.trials.get(&planned.trial));
        let values = trials.filter_map(|trial| match self {
            Measure::Time => {
                let done = trial.done.filter(|done| !done.given_up);
                done.map(|done| done.seconds)
            }
            // What was not handed in may still change.
            Measure::Statement(number) => {
                let answer = trial.answers.get(&number).filter(|_| trial.questions_done);
                answer.map(|answer| f64::from(*answer))
            }
        });
        values.collect()
    }
}

/// Counts everybody together.
pub(crate) fn document(all: &[Record]) -> StudyDocument {
    let (withdrawn, taking_part): (Vec<&Record>, Vec<&Record>) =
        all.iter().partition(|record| record.withdrawn);
    let (people, programs): (Vec<&Record>, Vec<&Record>) = taking_part
        .into_iter()
        .partition(|record| record.hurried == 1.0);
    let rehearsals = programs.len();
    let counted = if people.is_empty() { programs } else { people };
    let cell = |measure: Measure, npc: Npc, published: f64| {
        let values = counted.iter().flat_map(|record| measure.of(record, npc));
        CellDocument::of(values.collect(), published)
    };
    let rows = Npc::ALL.into_iter().map(|npc| {
        let published = published::row(npc);
        let answers = (1..).zip(published.answers);
        RowDocument {
            npc,
            time: cell(Measure::Time, npc, published.seconds),
            answers: answers
                .map(|(number, published)| cell(Measure::Statement(number), npc, published))
                .collect(),
        }
    });
    StudyDocument {
        participants: counted.len(),
        unfinished: (counted.iter())
            .filter(|record| record.comment.is_none())
            .count(),
        withdrawn: withdrawn.len(),
        rehearsals,
        rows: rows.collect(),
        friedman: Measure::all()
            .map(|measure| compare(&counted, measure))
            .collect(),
    }
}

/// Compares the characters within each person who met all four; where somebody met one twice, the mean
/// counts.
fn compare(people: &[&Record], measure: Measure) -> FriedmanDocument {
    let blocks = people.iter().filter_map(|record| {
        let means = Npc::ALL.map(|npc| mean(&measure.of(record, npc)));
        let whole: Option<Vec<f64>> = means.into_iter().collect();
        whole?.try_into().ok()
    });
    let blocks: Vec<[f64; 4]> = blocks.collect();
    let test: Option<Friedman> = friedman(&blocks);
    FriedmanDocument {
        what: measure.name(),
        n: blocks.len(),
        statistic: test.map(|test| test.statistic),
        degrees: test.map(|test| test.degrees),
        p: test.map(|test| test.p),
        agreement: test.map(|test| test.agreement),
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    let sum: f64 = values.iter().sum();
    (!values.is_empty()).then(|| sum / values.len() as f64)
}

impl CellDocument {
    fn of(mut values: Vec<f64>, published: f64) -> CellDocument {
        values.sort_by(f64::total_cmp);
        let n = values.len();
        let mean = mean(&values);
        let median = (n > 0).then(|| f64::midpoint(values[(n - 1) / 2], values[n / 2]));
        let deviation = mean.filter(|_| n > 1).map(|mean| {
            let squares: f64 = values.iter().map(|it| (it - mean) * (it - mean)).sum();
            (squares / (n - 1) as f64).sqrt()
        });
        CellDocument {
            n,
            mean,
            median,
            deviation,
            published,
        }
    }
}

/// What each statement is about, in two words.
const ABOUT: [&str; STATEMENTS] = [
    "like a human",
    "took too long",
    "fine in a game",
    "efficient",
    "followed",
    "follow more",
    "follow less",
];

impl fmt::Display for StudyDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StudyDocument {
            participants,
            unfinished,
            withdrawn,
            rehearsals,
            ..
        } = self;
        let took = if participants == rehearsals && *rehearsals > 0 {
            "rehearsed, all of them programs"
        } else {
            "took part"
        };
        write!(f, "{participants} {took}")?;
        if *unfinished > 0 {
            write!(f, ", {unfinished} of them not to the end yet")?;
        }
        if *withdrawn > 0 {
            write!(f, "; {withdrawn} stopped and are left out")?;
        }
        if rehearsals != participants && *rehearsals > 0 {
            write!(f, "; {rehearsals} rehearsals by programs are left out")?;
        }
        writeln!(f, "\n")?;
        writeln!(
            f,
            "Mean, and in brackets the published mean. Seconds; answers from -2 (strongly disagree) to 2 (strongly agree)."
        )?;
        self.table(f, |cell| {
            format!("{} ({:.1})", number(cell.mean, 1), cell.published)
        })?;
        writeln!(
            f,
            "\nMedian ± standard deviation, and how many trials are counted."
        )?;
        self.table(f, |cell| {
            let (median, deviation) = (number(cell.median, 1), number(cell.deviation, 1));
            format!("{median} ±{deviation} n={}", cell.n)
        })?;
        let about = (1..)
            .zip(ABOUT)
            .map(|(number, about)| format!("Q{number} {about}"));
        let about: Vec<String> = about.collect();
        writeln!(f, "\n{}.", about.join(", "))?;
        writeln!(f, "Low is good for Q2, Q6 and Q7; nothing is turned round.")?;
        writeln!(
            f,
            "\nDo the characters differ? Friedman's test, for people who met all four."
        )?;
        for test in &self.friedman {
            write!(f, "  {:<5} n={:<3} ", test.what, test.n)?;
            match (test.statistic, test.degrees, test.p, test.agreement) {
                (Some(statistic), Some(degrees), Some(p), Some(agreement)) => writeln!(
                    f,
                    "χ²({degrees}) = {statistic:.2}, p = {p:.3}, Kendall's W = {agreement:.2}"
                )?,
                _ => writeln!(f, "nothing to compare yet")?,
            }
        }
        if self.friedman.iter().any(|test| test.n < 10) {
            writeln!(f, "With fewer than ten people, p is only a hint.")?;
        }
        Ok(())
    }
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"))
}

impl StudyDocument {
    fn table(
        &self,
        f: &mut fmt::Formatter<'_>,
        show: impl Fn(&CellDocument) -> String,
    ) -> fmt::Result {
        let mut rows = vec![vec![String::new(), "time".to_owned()]];
        rows[0].extend((1..=STATEMENTS).map(|number| format!("Q{number}")));
        for row in &self.rows {
            let mut cells = vec![row.npc.title().to_owned(), show(&row.time)];
            cells.extend(row.answers.iter().map(&show));
            rows.push(cells);
        }
        let widths = (0..rows[0].len()).map(|column| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0)
        });
        let widths: Vec<usize> = widths.collect();
        for row in &rows {
            let cells = row.iter().zip(&widths).map(|(cell, width)| {
                let gap = " ".repeat(width - cell.chars().count());
                format!("{cell}{gap}")
            });
            let cells: Vec<String> = cells.collect();
            writeln!(f, "  {}", cells.join("  ").trim_end())?;
        }
        Ok(())
    }
}
