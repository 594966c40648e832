//! How often which events followed each other: n-grams of an activity, counted.

use std::collections::BTreeMap;

use crate::Activity;

/// The names of events as numbers.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    names: Vec<String>,
    numbers: BTreeMap<String, u32>,
}

impl Vocabulary {
    /// As many names as there can be: an n-gram keeps three of them in one number.
    pub const LARGEST: usize = (1 << 21) - 2;

    /// The names in the order in which they were first met.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of a name, which gets one if it has none. Names beyond [`LARGEST`](Self::LARGEST)
    /// all have the same number.
    pub fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        if self.names.len() >= Vocabulary::LARGEST {
            return Vocabulary::LARGEST as u32;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// The number of a name, if it has one.
    pub fn get(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// The events of an activity as numbers. Names that nobody knows have numbers of their own, above
    /// all others, in the order in which they come.
    pub(crate) fn numbers_of(&self, activity: &Activity) -> Vec<u32> {
        let mut strangers: BTreeMap<&str, u32> = BTreeMap::new();
        let events = activity.events.iter();
        let numbers = events.map(|event| {
            self.get(&event.name).unwrap_or_else(|| {
                let next = self.names.len() + strangers.len();
                let next = next.min(Vocabulary::LARGEST) as u32;
                *strangers.entry(&event.name).or_insert(next)
            })
        });
        numbers.collect()
    }
}

/// One to three events, one right after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gram(u64);

impl Gram {
    /// The most events in one. Three were found best; above five recognition gets worse.
    pub const LONGEST: usize = 3;

    /// The gram of these events.
    ///
    /// # Panics
    ///
    /// Panics if there are none, or more than [`LONGEST`](Self::LONGEST).
    pub fn of(events: &[u32]) -> Gram {
        assert!(
            (1..=Gram::LONGEST).contains(&events.len()),
            "an n-gram has one to three events"
        );
        // A digit is an event plus one, so that a missing event is no event.
        Gram(
            events
                .iter()
                .fold(0, |digits, event| (digits << 21) | (u64::from(*event) + 1)),
        )
    }

    /// The numbers of its events.
    pub fn events(self) -> impl Iterator<Item = u32> {
        let digits = (0..Gram::LONGEST)
            .rev()
            .map(move |digit| self.0 >> (21 * digit));
        let digits = digits.map(|digits| (digits & ((1 << 21) - 1)) as u32);
        digits.filter(|digit| *digit > 0).map(|digit| digit - 1)
    }

    /// How many events it has.
    pub fn length(self) -> usize {
        1 + usize::from(self.0 >> 21 > 0) + usize::from(self.0 >> 42 > 0)
    }
}

/// How often each n-gram of one to three events occurs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    /// Sorted by gram.
    counts: Vec<(Gram, u32)>,
    /// How many grams there are of each length, counted as often as they occur.
    totals: [u32; Gram::LONGEST],
}

impl Histogram {
    /// Counts the n-grams of these events.
    pub fn of(events: &[u32]) -> Histogram {
        let lengths = 1..=Gram::LONGEST;
        let mut grams: Vec<Gram> = lengths
            .flat_map(|length| events.windows(length).map(Gram::of))
            .collect();
        grams.sort_unstable();
        let mut counts: Vec<(Gram, u32)> = Vec::new();
        let mut totals = [0; Gram::LONGEST];
        for gram in grams {
            totals[gram.length() - 1] += 1;
            match counts.last_mut() {
                Some((last, count)) if *last == gram => *count += 1,
                _ => counts.push((gram, 1)),
            }
        }
        Histogram { counts, totals }
    }

    /// Counts what the latest of these events completes: itself, and what it ends with those before it.
    ///
    /// # Panics
    ///
    /// Panics if there are none, or more than [`Gram::LONGEST`].
    pub fn push(&mut self, latest: &[u32]) {
        for begin in 0..latest.len() {
            let gram = Gram::of(&latest[begin..]);
            self.totals[gram.length() - 1] += 1;
            match self.counts.binary_search_by_key(&gram, |(gram, _)| *gram) {
                Ok(at) => self.counts[at].1 += 1,
                Err(at) => self.counts.insert(at, (gram, 1)),
            }
        }
    }

    /// Every gram that occurs, in order, and how often.
    pub fn counts(&self) -> &[(Gram, u32)] {
        &self.counts
    }

    /// How many grams of a length there are, counted as often as they occur.
    pub fn total(&self, length: usize) -> u32 {
        self.totals
            .get(length.wrapping_sub(1))
            .copied()
            .unwrap_or(0)
    }
}
