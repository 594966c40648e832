//! Plays cut into stretches, so that what was done lately is compared with as much of them.

use crate::{Distribution, Histogram, Playstyles};

/// Stretches of the plays that fit their classes best.
#[derive(Clone, Debug)]
pub(crate) struct Stretches {
    /// By class, then by play: how much it counts, and its stretches.
    classes: Vec<Vec<(f64, Vec<Histogram>)>>,
}

impl Stretches {
    /// Stretches of so many events, each beginning in the middle of the one before.
    pub(crate) fn of(styles: &Playstyles, events: usize) -> Stretches {
        let events = events.max(1);
        let classes = styles.exemplars().into_iter().map(|exemplars| {
            let plays = exemplars.into_iter().map(|(play, share)| {
                let numbers = styles.numbers_of_play(play);
                let last = numbers.len().saturating_sub(events);
                let begins = (0..last).step_by(events.div_ceil(2)).chain([last]);
                let ends = begins.map(|begin| &numbers[begin..numbers.len().min(begin + events)]);
                (share, ends.map(Histogram::of).collect())
            });
            plays.collect()
        });
        Stretches {
            classes: classes.collect(),
        }
    }

    /// How like each class these events are: to a play, as much as to that stretch of it which is most
    /// like them.
    pub(crate) fn distribution(&self, styles: &Playstyles, events: &[u32]) -> Distribution {
        let histogram = Histogram::of(events);
        let likenesses = self.classes.iter().map(|plays| {
            let terms = plays.iter().map(|(share, stretches)| {
                let alike = stretches
                    .iter()
                    .map(|stretch| styles.weighing().similarity(&histogram, stretch));
                share * alike.fold(0.0, f64::max)
            });
            terms.sum()
        });
        Distribution::in_proportion(likenesses.collect())
    }
}
