//! Finding: one thing that is not as it should be.

use std::fmt;

/// One thing that is not as it should be, where it is, and what to do about it.
///
/// Ordered by file and line, which is the order in which one repairs them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// Path from the root of the workspace.
    pub(crate) file: String,
    /// Counted from 1. Findings about a whole file are at its first line.
    pub(crate) line: usize,
    pub(crate) what: String,
    pub(crate) remedy: String,
}

impl Finding {
    pub(crate) fn new(
        file: &str,
        line: usize,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Finding {
        Finding {
            file: file.to_owned(),
            line,
            what: what.into(),
            remedy: remedy.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}:{}: {}, {}",
            self.file, self.line, self.what, self.remedy
        )
    }
}

/// The places of all findings as `file:line`, for tests that care about nothing else.
#[cfg(test)]
pub(crate) fn places(findings: &[Finding]) -> Vec<String> {
    findings
        .iter()
        .map(|finding| format!("{}:{}", finding.file, finding.line))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_names_the_place_the_trouble_and_the_remedy() {
        let finding = Finding::new("a/b.rs", 7, "`x` is odd", "make it even");
        assert_eq!(finding.to_string(), "a/b.rs:7: `x` is odd, make it even");
    }
}
