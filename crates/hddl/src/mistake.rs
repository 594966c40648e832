//! What is wrong with an HDDL file, and where: said so that it can be put right.

use std::fmt;

/// A place in a text; lines and columns count from one, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// Something wrong in a file, with its place and what to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The file as the caller named it.
    pub file: String,
    /// Where in the file.
    pub place: Place,
    /// What is wrong.
    pub message: String,
    /// What to try; empty if nothing better than the message is known.
    pub hint: String,
    /// The line of the text the place is in.
    pub source_line: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { line, column } = self.place;
        write!(f, "{}:{line}:{column}: {}", self.file, self.message)?;
        if !self.source_line.trim().is_empty() {
            // Long lines (generated files have some) are cut around the place.
            let from = (column as usize).saturating_sub(60);
            let cut: String = self.source_line.chars().skip(from).take(100).collect();
            let before: String = cut
                .chars()
                .take((column as usize).saturating_sub(1 + from))
                .map(|c| if c == '\t' { '\t' } else { ' ' })
                .collect();
            write!(f, "\n  | {cut}\n  | {before}^")?;
        }
        if !self.hint.is_empty() {
            write!(f, "\n  = {}", self.hint)?;
        }
        Ok(())
    }
}

/// Mistakes of one file, in the order of the text. Never empty when returned as an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistakes(pub Vec<Mistake>);

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, mistake) in self.0.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            write!(f, "{mistake}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Mistakes {}

/// More mistakes than this are not reported: the first ones usually cause the others.
const MOST_MISTAKES: usize = 20;

/// Collects the mistakes of one text.
pub(crate) struct Ledger<'text> {
    file: &'text str,
    text: &'text str,
    mistakes: Vec<Mistake>,
}

/// A mistake before it is entered: place, message, hint.
pub(crate) type Complaint = (Place, String, String);

impl<'text> Ledger<'text> {
    pub(crate) fn new(file: &'text str, text: &'text str) -> Self {
        Self {
            file,
            text,
            mistakes: Vec::new(),
        }
    }

    pub(crate) fn enter(&mut self, (place, message, hint): Complaint) {
        if self.mistakes.len() >= MOST_MISTAKES {
            return;
        }
        let line = (place.line as usize).saturating_sub(1);
        self.mistakes.push(Mistake {
            file: self.file.to_owned(),
            place,
            message,
            hint,
            source_line: self.text.lines().nth(line).unwrap_or("").to_owned(),
        });
    }

    /// Keeps the value, or enters the complaint.
    pub(crate) fn take<T>(&mut self, outcome: Result<T, Complaint>) -> Option<T> {
        match outcome {
            Ok(value) => Some(value),
            Err(complaint) => {
                self.enter(complaint);
                None
            }
        }
    }

    pub(crate) fn close(mut self) -> Result<(), Mistakes> {
        if self.mistakes.is_empty() {
            return Ok(());
        }
        self.mistakes
            .sort_by_key(|mistake| (mistake.place.line, mistake.place.column));
        Err(Mistakes(self.mistakes))
    }
}

/// The name most like `wanted`, if one is close enough to be a slip of the pen.
pub(crate) fn nearest<'a>(
    wanted: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let wanted = wanted.to_lowercase();
    names
        .into_iter()
        .map(|name| (distance(&wanted, &name.to_lowercase()), name))
        .filter(|(distance, _)| {
            let length = wanted.chars().count();
            // With every letter changed, two short names have nothing in common.
            *distance < length && *distance <= 1 + length / 4
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// How many letters must be put in, taken out or changed to turn one word into the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
