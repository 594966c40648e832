//! What is wrong with a text, said so that it can be put right.

use std::fmt::Write;

use crate::model::{File, Span};

/// Something that is wrong, or looks wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its code, which never changes: `E044`. Those of warnings begin with `W`.
    pub code: &'static str,
    /// Whether the text can be used nevertheless.
    pub severity: Severity,
    /// Where it is.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to try; empty if nobody knows.
    pub hint: String,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The text cannot be used.
    Error,
    /// It can be used, but is probably not what was meant.
    Warning,
}

impl Diagnostic {
    pub(crate) fn error(
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            span,
            message: message.into(),
            hint: hint.into(),
        }
    }

    pub(crate) fn warning(
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(code, span, message, hint)
        }
    }

    /// The message with its place, the line it is about, a mark under it, and the hint.
    ///
    /// ```
    /// use apprentice_htn::language::read;
    ///
    /// let reading = read("guard.htn", "task Guard() { method m { ordered(Wlk()); } }\ntask Walk() { { true; } }");
    /// let text = reading.diagnostics[0].render(&reading.files);
    /// assert_eq!(text, "\
    /// guard.htn:1:35  E044  there is no task called `Wlk`
    ///     1 | task Guard() { method m { ordered(Wlk()); } }
    ///       |                                   ^^^  did you mean `Walk`?
    /// ");
    /// ```
    pub fn render(&self, files: &[File]) -> String {
        let mut text = String::new();
        let word = match self.severity {
            Severity::Error => "",
            Severity::Warning => "warning: ",
        };
        let Some(place) = place(files, self.span) else {
            let _ = writeln!(text, "{}  {word}{}", self.code, self.message);
            if !self.hint.is_empty() {
                let _ = writeln!(text, "      {}", self.hint);
            }
            return text;
        };
        let _ = writeln!(
            text,
            "{}:{}:{}  {}  {word}{}",
            place.file, place.line, place.column, self.code, self.message
        );
        // A very long line would hide its message.
        let shown: String = place.text.chars().take(200).collect();
        let _ = writeln!(text, "{:5} | {}", place.line, shown.trim_end());
        let before: String = place
            .text
            .chars()
            .take(place.column - 1)
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        let length = (self.span.end.saturating_sub(self.span.start) as usize)
            .min(place.text.chars().count().saturating_sub(place.column - 1))
            .max(1);
        let hint = if self.hint.is_empty() {
            String::new()
        } else {
            format!("  {}", self.hint)
        };
        if place.column <= 200 {
            let _ = writeln!(text, "      | {before}{}{hint}", "^".repeat(length));
        } else {
            let _ = writeln!(text, "      |{hint}");
        }
        text
    }
}

fn place(files: &[File], span: Span) -> Option<crate::model::Place<'_>> {
    crate::model::place_in(files.get(span.file as usize)?, span)
}

/// The name among `known` that is spelled most like `name`, if one is near.
pub(crate) fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let lower = name.to_lowercase();
    let length = name.chars().count();
    // With every letter changed, two short names have nothing in common.
    let allowed = (length / 3).max(1).min(length.saturating_sub(1));
    known
        .filter(|candidate| *candidate != name)
        .map(|candidate| {
            let distance = strsim::osa_distance(&lower, &candidate.to_lowercase());
            (distance, candidate)
        })
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
