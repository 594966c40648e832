//! Comma-separated values with a header, every row with the line it stands on.

use std::fmt;

use crate::{MatchWrong, trials::TrialsWrong};

/// What is wrong with a file of comma-separated values, and where. Lines count from 1.
#[derive(Clone, Debug, PartialEq)]
pub struct CsvError {
    /// The line.
    pub line: u64,
    /// What is wrong.
    pub wrong: CsvWrong,
}

/// What can be wrong with such a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CsvWrong {
    /// There is nothing in it.
    Empty,
    /// A column is missing, or the header is.
    MissingColumn {
        /// Which.
        column: String,
        /// What the header should be.
        expected: String,
    },
    /// A column means nothing.
    UnknownColumn {
        /// Which.
        column: String,
        /// Those that mean something.
        known: String,
    },
    /// A column is there twice.
    ColumnTwice {
        /// Which.
        column: String,
    },
    /// A row is shorter or longer than the header.
    FieldCount {
        /// How many fields the header has.
        header: usize,
        /// How many the row has.
        row: usize,
    },
    /// A field goes over several lines: most likely a quote is never closed.
    OpenQuote,
    /// Something should be a number.
    Number {
        /// In which column.
        column: String,
        /// What it is.
        text: String,
    },
    /// Something should be `yes` or `no`.
    YesOrNo {
        /// In which column.
        column: String,
        /// What it is.
        text: String,
    },
    /// The row is no match.
    NoMatch(MatchWrong),
    /// The rows are no results of planners.
    NoTrials(TrialsWrong),
    /// What the reader of such files says.
    Unreadable(String),
}

impl fmt::Display for CsvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.wrong)
    }
}

impl fmt::Display for CsvWrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CsvWrong::Empty => write!(
                f,
                "there is nothing in it; the first line names the columns"
            ),
            CsvWrong::MissingColumn { column, expected } => write!(
                f,
                "there is no column `{column}`; the first line names the columns: {expected}"
            ),
            CsvWrong::UnknownColumn { column, known } => write!(
                f,
                "nobody knows what the column `{column}` means; leave it out, or call it {known}"
            ),
            CsvWrong::ColumnTwice { column } => {
                write!(f, "the column `{column}` is there twice; leave one out")
            }
            CsvWrong::FieldCount { header, row } => write!(
                f,
                "the number of fields is {row}, of columns {header}; a field that holds a comma \
                 stands in quotes"
            ),
            CsvWrong::OpenQuote => write!(
                f,
                "a field goes on over the end of the line; close the quote that it begins with"
            ),
            CsvWrong::Number { column, text } => {
                write!(f, "`{text}` in the column `{column}` is no number")
            }
            CsvWrong::YesOrNo { column, text } => write!(
                f,
                "`{text}` in the column `{column}` should be `yes`, `no` or nothing"
            ),
            CsvWrong::NoMatch(wrong) => write!(f, "{wrong}"),
            CsvWrong::NoTrials(wrong) => write!(f, "{wrong}"),
            CsvWrong::Unreadable(why) => write!(f, "it cannot be read: {why}"),
        }
    }
}

impl std::error::Error for CsvError {}

/// A file taken apart.
pub(crate) struct Rows {
    /// The line of the header.
    pub(crate) line: u64,
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Row>,
}

pub(crate) struct Row {
    pub(crate) line: u64,
    fields: Vec<String>,
}

impl Row {
    /// A field without the blanks around it; nothing for a column that is not there.
    pub(crate) fn field(&self, column: Option<usize>) -> &str {
        column.map_or("", |column| self.fields[column].trim())
    }
}

/// Takes a file apart. Lines before the header that begin with `#` say how it came about, and are
/// skipped; behind it, nothing is: a name may begin so.
pub(crate) fn rows(text: &str) -> Result<Rows, Vec<CsvError>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rest = text;
    let mut skipped = 0;
    while rest.starts_with('#') {
        let (_, after) = rest.split_once('\n').unwrap_or((rest, ""));
        rest = after;
        skipped += 1;
    }
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(rest.as_bytes());
    let mut records = Vec::new();
    let mut errors = Vec::new();
    for record in reader.records() {
        let line = |position: Option<&csv::Position>| {
            // A row is said to begin where the one before ended: blank lines come in between.
            let (line, begin) = position.map_or((1, 0), |it| (it.line(), it.byte() as usize));
            let blank = rest.as_bytes()[begin.min(rest.len())..].iter();
            let blank = blank.take_while(|byte| matches!(byte, b'\r' | b'\n'));
            skipped + line + blank.filter(|byte| **byte == b'\n').count() as u64
        };
        match record {
            Ok(record) => {
                let line = line(record.position());
                if record.iter().any(|field| field.contains('\n')) {
                    let wrong = CsvWrong::OpenQuote;
                    errors.push(CsvError { line, wrong });
                }
                let fields = record.iter().map(str::to_owned).collect();
                records.push(Row { line, fields });
            }
            Err(error) => {
                let line = line(error.position());
                let wrong = CsvWrong::Unreadable(error.to_string());
                errors.push(CsvError { line, wrong });
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut records = records.into_iter();
    let Some(header) = records.next() else {
        let wrong = CsvWrong::Empty;
        return Err(vec![CsvError { line: 1, wrong }]);
    };
    let line = header.line;
    let names = header.fields.iter().map(|name| name.trim().to_owned());
    let header: Vec<String> = names.collect();
    for (place, column) in header.iter().enumerate() {
        if header[..place].contains(column) {
            let column = column.clone();
            let wrong = CsvWrong::ColumnTwice { column };
            errors.push(CsvError { line, wrong });
        }
    }
    let rows: Vec<Row> = records.collect();
    for row in &rows {
        if row.fields.len() != header.len() {
            errors.push(CsvError {
                line: row.line,
                wrong: CsvWrong::FieldCount {
                    header: header.len(),
                    row: row.fields.len(),
                },
            });
        }
    }
    if errors.is_empty() {
        Ok(Rows { line, header, rows })
    } else {
        Err(errors)
    }
}

impl Rows {
    /// Which column is called so.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }
}

/// A number, as people write it in tables.
pub(crate) fn number(column: &str, text: &str) -> Result<f64, CsvWrong> {
    text.parse().map_err(|_| CsvWrong::Number {
        column: column.to_owned(),
        text: text.to_owned(),
    })
}
