//! What is told on a terminal while something takes long: how far it is, and how it would end sooner.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Work shorter than this needs no word.
const LONG: Duration = Duration::from_secs(1);

/// How long to work between two looks.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// A line on the terminal, once the work turns out to be long. Where the standard error output is no
/// terminal, there is none.
pub(crate) struct Progress {
    begun: Instant,
    /// Units of budget, if they are limited.
    most: Option<u64>,
    /// How it would end sooner.
    ends_by: Option<&'static str>,
    line: Option<ProgressBar>,
}

impl Progress {
    /// Of work that has begun, and has so many units of budget at most. `ends_by` says how it would
    /// end sooner, if nobody has said that yet.
    pub(crate) fn new(begun: Instant, most: Option<u64>, ends_by: Option<&'static str>) -> Self {
        Progress {
            begun,
            most,
            ends_by,
            line: None,
        }
    }

    /// When to look up from the work again.
    pub(crate) fn next_look() -> Instant {
        Instant::now() + BETWEEN_LOOKS
    }

    /// Tells how far it is, in units of budget, and what else there is to tell.
    pub(crate) fn show(&mut self, spent: u64, besides: &str) {
        let Some(told) = self.told(self.begun.elapsed(), spent, besides) else {
            return;
        };
        let line = self.line.get_or_insert_with(|| {
            // Hidden unless the standard error output is a terminal.
            let (line, template) = match self.most {
                Some(most) => (ProgressBar::new(most), "{elapsed} {bar:16} {wide_msg}"),
                None => (ProgressBar::new_spinner(), "{elapsed} {wide_msg}"),
            };
            if let Ok(style) = ProgressStyle::with_template(template) {
                line.set_style(style);
            }
            line
        });
        line.set_position(spent);
        line.set_message(told);
    }

    /// What is told after so long, if anything.
    fn told(&self, elapsed: Duration, spent: u64, besides: &str) -> Option<String> {
        if elapsed < LONG {
            return None;
        }
        let grouped = apprentice::report::numbers::grouped;
        let mut told = grouped(spent);
        if let Some(most) = self.most {
            told += &format!(" of at most {}", grouped(most));
        }
        told += &format!(" units of budget{besides}");
        if let Some(ends_by) = self.ends_by {
            told += &format!("; {ends_by} ends it sooner");
        }
        Some(told)
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_work_is_told_with_how_to_end_it() {
        let progress = Progress::new(Instant::now(), Some(5000), Some("--time MS"));
        let short = Duration::from_millis(999);
        assert_eq!(progress.told(short, 10, ", 3 states"), None);
        let told = progress.told(Duration::from_secs(1), 1234, ", 3 states");
        let expected = "1,234 of at most 5,000 units of budget, 3 states; --time MS ends it sooner";
        assert_eq!(told.as_deref(), Some(expected));
        // Whoever has said when it shall end is not told how to.
        let progress = Progress::new(Instant::now(), None, None);
        let told = progress.told(Duration::from_secs(60), 12, "");
        assert_eq!(told.as_deref(), Some("12 units of budget"));
    }
}
