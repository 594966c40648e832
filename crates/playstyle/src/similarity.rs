//! How alike two activities are.

use std::collections::BTreeMap;

use crate::exactly;
use crate::{Activity, Gram, Histogram, Vocabulary};

/// What is compared of an n-gram.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Frequencies {
    /// How often it occurs.
    #[default]
    Counts,
    /// Which share of all n-grams of its length it is, so that long and short plays compare.
    Shares,
}

/// How much each n-gram counts. The weights of a comparison add up to 1.
#[derive(Clone, Debug, Default)]
pub enum Weights {
    /// All the same.
    #[default]
    Uniform,
    /// Each length of n-grams as much as any other, and within it all the same.
    ByLength,
    /// The rarer, the more.
    ByRarity(Rarity),
}

/// In how many of some plays each n-gram occurs.
#[derive(Clone, Debug, Default)]
pub struct Rarity {
    plays: usize,
    containing: BTreeMap<Gram, u32>,
}

impl Rarity {
    /// How rare n-grams are among these plays.
    pub fn among<'a>(histograms: impl IntoIterator<Item = &'a Histogram>) -> Rarity {
        let mut rarity = Rarity::default();
        for histogram in histograms {
            rarity.plays += 1;
            for (gram, _) in histogram.counts() {
                *rarity.containing.entry(*gram).or_default() += 1;
            }
        }
        rarity
    }

    /// ln(1 + M / df): M plays, df of which have it. What none has is as rare as what one has.
    fn weight(&self, gram: Gram) -> f64 {
        let containing = self.containing.get(&gram).copied().unwrap_or(1).max(1);
        exactly::ln(1.0 + self.plays.max(1) as f64 / f64::from(containing))
    }
}

/// How activities are compared.
#[derive(Clone, Debug, Default)]
pub struct Weighing {
    /// What is compared.
    pub frequencies: Frequencies,
    /// How much each counts.
    pub weights: Weights,
}

impl Weighing {
    /// How alike two histograms are, from 0, nothing in common, to 1, the same. Equation 6.1 of the
    /// dissertation: the sum runs over the n-grams of the one and over those of the other, so what
    /// both have counts twice. Nothing is like nothing, and unlike everything else.
    pub fn similarity(&self, a: &Histogram, b: &Histogram) -> f64 {
        if a.counts().is_empty() || b.counts().is_empty() {
            return if a.counts().len() == b.counts().len() {
                1.0
            } else {
                0.0
            };
        }
        let by_length = self.by_length(a, b);
        let weight = |gram: Gram| match &self.weights {
            Weights::Uniform => 1.0,
            Weights::ByLength => by_length[gram.length() - 1],
            Weights::ByRarity(rarity) => rarity.weight(gram),
        };
        let mut unlike = 0.0;
        let mut whole = 0.0;
        let (mut left, mut right) = (a.counts(), b.counts());
        loop {
            let (gram, terms, difference) = match (left.first(), right.first()) {
                (Some((gram, count)), Some((other, count_there))) if gram == other => {
                    let here = self.frequency(a, *gram, *count);
                    let there = self.frequency(b, *gram, *count_there);
                    (left, right) = (&left[1..], &right[1..]);
                    (*gram, 2.0, (here - there).abs() / (here + there))
                }
                (Some((gram, _)), other) if other.is_none_or(|(other, _)| gram < other) => {
                    left = &left[1..];
                    (*gram, 1.0, 1.0)
                }
                (_, Some((gram, _))) => {
                    right = &right[1..];
                    (*gram, 1.0, 1.0)
                }
                (_, None) => break,
            };
            let weight = terms * weight(gram);
            unlike += weight * difference;
            whole += weight;
        }
        (1.0 - unlike / whole).clamp(0.0, 1.0)
    }

    fn frequency(&self, histogram: &Histogram, gram: Gram, count: u32) -> f64 {
        match self.frequencies {
            Frequencies::Counts => f64::from(count),
            Frequencies::Shares => f64::from(count) / f64::from(histogram.total(gram.length())),
        }
    }

    /// What one n-gram of each length counts if all lengths count the same.
    fn by_length(&self, a: &Histogram, b: &Histogram) -> [f64; Gram::LONGEST] {
        let mut terms = [0.0_f64; Gram::LONGEST];
        if matches!(self.weights, Weights::ByLength) {
            for (gram, _) in a.counts().iter().chain(b.counts()) {
                terms[gram.length() - 1] += 1.0;
            }
        }
        terms.map(|terms| if terms > 0.0 { 1.0 / terms } else { 0.0 })
    }
}

/// How alike two activities are, from 0 to 1, with counts and uniform weights.
///
/// ```
/// use apprentice_playstyle::{Activity, similarity};
///
/// let sneaked = Activity::of_letters("SSSG");
/// assert!((similarity(&sneaked, &Activity::of_letters("SSG")) - 0.812).abs() < 1e-3);
/// ```
pub fn similarity(a: &Activity, b: &Activity) -> f64 {
    let mut vocabulary = Vocabulary::default();
    let mut histogram = |activity: &Activity| {
        let events = activity.events.iter();
        let numbers: Vec<u32> = events.map(|event| vocabulary.number(&event.name)).collect();
        Histogram::of(&numbers)
    };
    let (a, b) = (histogram(a), histogram(b));
    Weighing::default().similarity(&a, &b)
}
