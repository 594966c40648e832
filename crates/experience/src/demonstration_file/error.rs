//! What can be wrong with a demonstration log, said so that it can be put right.

use std::fmt;

/// What is wrong with a demonstration log, and where. Lines and columns count from 1.
///
/// ```
/// use apprentice_experience::DemonstrationLog;
///
/// let error = DemonstrationLog::read("{\"format\":1}\n{\"t\":0,\"x\":\"far\",\"y\":2}\n").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 2, column 12: `x` must be a number, not the text \"far\"",
/// );
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LogError {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
    /// What is wrong.
    pub wrong: LogErrorKind,
}

/// What can be wrong with a demonstration log.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LogErrorKind {
    /// There is nothing in it.
    Empty,
    /// The first line ends in the middle, so nothing was recorded.
    HeaderCut,
    /// It does not begin as a log does: it is something else.
    NoLog,
    /// A line is no text.
    NotText,
    /// A line is no JSON.
    Syntax {
        /// What the parser says.
        message: String,
    },
    /// A line, or a part of it, is JSON but no object.
    NotAnObject {
        /// Which part: empty for the whole line.
        field: String,
        /// What it is.
        found: String,
    },
    /// It is of a format this reader doesn't know.
    Format {
        /// What it says.
        found: String,
    },
    /// A field that must be there is not.
    Missing {
        /// Which.
        field: String,
    },
    /// A field is there twice.
    Twice {
        /// Which.
        field: String,
    },
    /// A field is of the wrong type.
    Type {
        /// Which.
        field: String,
        /// What it should be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// A number makes no sense.
    Number {
        /// The field it belongs to.
        field: String,
        /// The number.
        found: String,
        /// The least that does.
        least: f64,
        /// The most that does.
        most: f64,
    },
    /// A sample is earlier than the one before it.
    Backwards {
        /// Its time.
        time: f64,
        /// The time of the one before it.
        before: f64,
    },
    /// A line is longer than any sample.
    LineTooLong {
        /// How long it may be, in bytes.
        most: usize,
    },
    /// There are more samples than can be followed.
    TooManySamples {
        /// How many there may be.
        most: usize,
    },
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LogError {
            line,
            column,
            wrong,
        } = self;
        write!(f, "line {line}, column {column}: {wrong}")
    }
}

impl std::error::Error for LogError {}

impl fmt::Display for LogErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogErrorKind::Empty => write!(
                f,
                "there is nothing in this log; its first line must be a header like {HEADER}"
            ),
            LogErrorKind::HeaderCut => write!(
                f,
                "the header ends in the middle, so nothing was recorded; record it again"
            ),
            LogErrorKind::NoLog => write!(
                f,
                "this is no demonstration log; one is text, and its first line a header like {HEADER}"
            ),
            LogErrorKind::NotText => write!(
                f,
                "this line is no text (UTF-8); restore it, or delete the line"
            ),
            LogErrorKind::Syntax { message } => write!(
                f,
                "this line is no JSON: {message}; put it right, or delete the line"
            ),
            LogErrorKind::NotAnObject { field, found } if field.is_empty() => write!(
                f,
                "a line must be an object in braces, as {SAMPLE}, not {found}"
            ),
            LogErrorKind::NotAnObject { field, found } => {
                write!(f, "`{field}` must be an object in braces, not {found}")
            }
            LogErrorKind::Format { found } => write!(
                f,
                "the format is {found}, and this reader knows only 1; update it, or record again"
            ),
            LogErrorKind::Missing { field } if field == "format" => write!(
                f,
                "`format` is missing; the first line must be a header like {HEADER}"
            ),
            LogErrorKind::Missing { field } => {
                write!(f, "`{field}` is missing; a sample needs at least {SAMPLE}")
            }
            LogErrorKind::Twice { field } => {
                write!(f, "`{field}` is there twice; keep one of them")
            }
            LogErrorKind::Type {
                field,
                expected,
                found,
            } => write!(f, "`{field}` must be {expected}, not {found}"),
            LogErrorKind::Number {
                field,
                found,
                least,
                most,
            } => write!(
                f,
                "`{field}` is {found} and must be between {least} and {most}"
            ),
            LogErrorKind::Backwards { time, before } => write!(
                f,
                "`t` is {time}, before the {before} of the sample above; time must not go backwards, so sort the lines or give this run a file of its own"
            ),
            LogErrorKind::LineTooLong { most } => write!(
                f,
                "this line is longer than {most} bytes; is it a demonstration log?"
            ),
            LogErrorKind::TooManySamples { most } => write!(
                f,
                "there are more than {most} samples; cut the log, or record with a longer interval"
            ),
        }
    }
}

const HEADER: &str = "{\"format\":1,\"scenario\":\"k1d1\",\"interval\":0.5,\"unit\":\"cell\"}";
const SAMPLE: &str = "{\"t\":0.5,\"x\":3,\"y\":4}";
