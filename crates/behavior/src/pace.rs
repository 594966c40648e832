//! Notices when a character goes to and fro and comes no nearer to its goal.

use std::time::Duration;

use apprentice_search::Cost;

/// How long the shortest plan was that was followed lately, and how often none was shorter.
#[derive(Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Pace {
    shortest: Option<(Cost, Duration)>,
    in_vain: u32,
}

/// Whoever follows this many plans in a row, for this long, and none of them leaves less to do than
/// one before, paces to and fro.
const IN_VAIN: u32 = 4;
const LONG: Duration = Duration::from_secs(20);

impl Pace {
    /// A plan is taken up that leaves this much to do. Whether that is pacing.
    pub(crate) fn takes_up(&mut self, left: Cost, now: Duration) -> bool {
        match self.shortest {
            Some((shortest, since)) if left >= shortest => {
                self.in_vain += 1;
                self.in_vain >= IN_VAIN && now.saturating_sub(since) >= LONG
            }
            _ => {
                *self = Pace {
                    shortest: Some((left, now)),
                    in_vain: 0,
                };
                false
            }
        }
    }

    /// Whether it can be, after it was saved.
    #[cfg(feature = "serde")]
    pub(crate) fn check(&self) -> Result<(), apprentice_search::saved::LoadError> {
        if self.in_vain > 1 << 30 {
            return Err(apprentice_search::saved::unsound("somebody paced for ever"));
        }
        let since = self.shortest.map_or(Duration::ZERO, |(_, since)| since);
        crate::plan::saved::check_duration(since)
    }

    /// Something has changed that makes other plans necessary.
    pub(crate) fn forget(&mut self) {
        *self = Pace::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_that_get_no_shorter_for_long_are_pacing() {
        let seconds = |seconds| Duration::from_secs(seconds);
        let cost = Cost::from_seconds;
        let mut pace = Pace::default();
        for (time, left) in [(0, 30.0), (5, 29.0), (10, 29.0), (15, 30.0), (20, 31.0)] {
            assert!(!pace.takes_up(cost(left), seconds(time)), "{time}");
        }
        assert!(pace.takes_up(cost(29.0), seconds(26)));
        assert!(!pace.takes_up(cost(28.0), seconds(27)));
        pace.forget();
        assert!(!pace.takes_up(cost(99.0), seconds(28)));
    }
}
