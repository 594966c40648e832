//! When something was done for the first time, for the second time, and so on.

use std::collections::BTreeMap;

use crate::Gram;

/// A moment that plays reach or not: an n-gram is complete for the first, second, … time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Milestone {
    pub(crate) gram: Gram,
    /// 0: for the first time.
    pub(crate) occurrence: u32,
}

/// The milestones by which plays are told apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Milestones {
    list: Vec<Milestone>,
    numbers: BTreeMap<Milestone, u16>,
    /// So many of the list are of single events.
    singles: usize,
}

/// Not yet, or never.
pub(crate) const NEVER: f32 = f32::INFINITY;

/// How often something is done is told up to so many times.
const OCCURRENCES: u32 = 8;

/// At most so many milestones of single events are looked at, and of two or three in a row.
const SINGLES: usize = 256;
const LONGER: usize = 128;

impl Milestones {
    /// Those that plays have in common, the most frequent first.
    pub(crate) fn of(plays: &[Vec<(f64, u32)>]) -> Milestones {
        let mut reached: BTreeMap<Milestone, usize> = BTreeMap::new();
        for play in plays {
            let mut progress = Progress::default();
            for (_, event) in play {
                for milestone in progress.after(*event) {
                    *reached.entry(milestone).or_default() += 1;
                }
            }
        }
        // What only one play has tells that play apart and nobody else.
        let mut shared: Vec<(Milestone, usize)> = reached
            .into_iter()
            .filter(|(_, plays)| *plays > 1)
            .collect();
        shared.sort_by_key(|(milestone, plays)| (std::cmp::Reverse(*plays), *milestone));
        let of_length = |single: bool, most: usize| {
            let fitting = shared.iter().map(|(milestone, _)| *milestone);
            let fitting = fitting.filter(move |it| (it.gram.length() == 1) == single);
            fitting.take(most)
        };
        let mut list: Vec<Milestone> = of_length(true, SINGLES).collect();
        let singles = list.len();
        list.extend(of_length(false, LONGER));
        let numbered = list.iter().enumerate();
        let numbers = numbered.map(|(number, it)| (*it, number as u16)).collect();
        Milestones {
            list,
            numbers,
            singles,
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn singles(&self) -> usize {
        self.singles
    }

    /// When a play reached each of them.
    pub(crate) fn times_of(&self, play: &[(f64, u32)]) -> Vec<f32> {
        let mut times = vec![NEVER; self.list.len()];
        let mut progress = Progress::default();
        for (time, event) in play {
            self.note(&mut progress, *time, *event, &mut times);
        }
        times
    }

    /// Notes what is reached by an event.
    pub(crate) fn note(&self, progress: &mut Progress, time: f64, event: u32, times: &mut [f32]) {
        for milestone in progress.after(event) {
            if let Some(number) = self.numbers.get(&milestone) {
                times[usize::from(*number)] = time as f32;
            }
        }
    }
}

/// How far a play has come: what was done last, and what how often.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    last: Vec<u32>,
    counts: BTreeMap<Gram, u32>,
}

impl Progress {
    /// What the next event completes, as far as it counts.
    fn after(&mut self, event: u32) -> impl Iterator<Item = Milestone> {
        if self.last.len() == Gram::LONGEST {
            self.last.remove(0);
        }
        self.last.push(event);
        let mut completed: [Option<Milestone>; Gram::LONGEST] = [None; Gram::LONGEST];
        for (length, slot) in completed.iter_mut().enumerate().take(self.last.len()) {
            let gram = Gram::of(&self.last[self.last.len() - 1 - length..]);
            let count = self.counts.entry(gram).or_default();
            if *count < OCCURRENCES {
                *slot = Some(Milestone {
                    gram,
                    occurrence: *count,
                });
                *count += 1;
            }
        }
        completed.into_iter().flatten()
    }
}
