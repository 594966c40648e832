//! What is worked out fast is what the formulas say, word by word.

use std::collections::{BTreeMap, BTreeSet};

use apprentice_playstyle::{
    Activity, Frequencies, Histogram, Peeling, Playstyles, Rarity, Recogniser, Similarities,
    Weighing, Weights, dominant_sets, exactly, read_model, write_model,
};
use proptest::prelude::*;

type Counts = BTreeMap<Vec<u32>, f64>;

/// Every n-gram of one to three events, counted as the words say.
fn plain_counts(events: &[u32]) -> Counts {
    let mut counts = Counts::new();
    for length in 1..=3 {
        for gram in events.windows(length) {
            *counts.entry(gram.to_vec()).or_default() += 1.0;
        }
    }
    counts
}

/// Equation 6.1 as it is printed: a sum over the n-grams of the one, and one over those of the other.
fn plain_similarity(
    a: &Counts,
    b: &Counts,
    frequency: impl Fn(&Counts, &[u32]) -> f64,
    weight: impl Fn(&[u32]) -> f64,
) -> f64 {
    if a.is_empty() || b.is_empty() {
        return f64::from(u8::from(a.len() == b.len()));
    }
    let both: Vec<&Vec<u32>> = a.keys().chain(b.keys()).collect();
    let whole: f64 = both.iter().map(|gram| weight(gram)).sum();
    let unlike: f64 = both
        .iter()
        .map(|gram| {
            let (here, there) = (frequency(a, gram), frequency(b, gram));
            weight(gram) / whole * (here - there).abs() / (here + there)
        })
        .sum();
    1.0 - unlike
}

fn count(counts: &Counts, gram: &[u32]) -> f64 {
    counts.get(gram).copied().unwrap_or(0.0)
}

fn share(counts: &Counts, gram: &[u32]) -> f64 {
    let of_length = counts.iter().filter(|(other, _)| other.len() == gram.len());
    let all: f64 = of_length.map(|(_, count)| count).sum();
    if all == 0.0 {
        0.0
    } else {
        count(counts, gram) / all
    }
}

fn events() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(0_u32..5, 0..12)
}

fn letters() -> impl Strategy<Value = String> {
    "[a-e]{1,12}"
}

proptest! {
    #[test]
    fn likeness_is_what_the_equation_says(a in events(), b in events()) {
        let (fast_a, fast_b) = (Histogram::of(&a), Histogram::of(&b));
        let (plain_a, plain_b) = (plain_counts(&a), plain_counts(&b));
        let lengths: BTreeSet<usize> =
            plain_a.keys().chain(plain_b.keys()).map(Vec::len).collect();
        let of_length = |length: usize| {
            let both = plain_a.keys().chain(plain_b.keys());
            both.filter(|gram| gram.len() == length).count() as f64
        };
        let by_length = |gram: &[u32]| 1.0 / lengths.len() as f64 / of_length(gram.len());
        let rarity = Rarity::among([&fast_a, &fast_b]);
        let by_rarity = |gram: &[u32]| {
            let having = [&plain_a, &plain_b].iter().filter(|it| it.contains_key(gram)).count();
            exactly::ln(1.0 + 2.0 / having as f64)
        };
        for (weights, plain_weight) in [
            (Weights::Uniform, &(|_: &[u32]| 1.0) as &dyn Fn(&[u32]) -> f64),
            (Weights::ByLength, &by_length),
            (Weights::ByRarity(rarity), &by_rarity),
        ] {
            for (frequencies, plain_frequency) in [
                (Frequencies::Counts, &count as &dyn Fn(&Counts, &[u32]) -> f64),
                (Frequencies::Shares, &share),
            ] {
                let weighing = Weighing { frequencies, weights: weights.clone() };
                let fast = weighing.similarity(&fast_a, &fast_b);
                let plain = plain_similarity(&plain_a, &plain_b, plain_frequency, plain_weight);
                prop_assert!((fast - plain).abs() < 1e-9, "{fast} {plain} {weighing:?}");
                prop_assert!((0.0..=1.0).contains(&fast));
                let back = weighing.similarity(&fast_b, &fast_a);
                prop_assert!((fast - back).abs() < 1e-12);
                prop_assert!((weighing.similarity(&fast_a, &fast_a) - 1.0).abs() < 1e-12);
                let stranger = Histogram::of(&[77, 78]);
                let nothing = weighing.similarity(&fast_a, &stranger);
                prop_assert!(nothing.abs() < 1e-12);
            }
        }
    }

    /// A histogram that grows event by event is the one of all events.
    #[test]
    fn counting_event_by_event_counts_the_same(events in events()) {
        let mut growing = Histogram::default();
        for end in 1..=events.len() {
            growing.push(&events[end.saturating_sub(3)..end]);
        }
        prop_assert_eq!(growing, Histogram::of(&events));
    }

    /// Replicator dynamics without leaving anybody out come to the same set.
    #[test]
    fn dominant_sets_are_those_of_plain_replicator_dynamics(
        values in prop::collection::vec(0.0_f64..1.0, 64),
        count in 2_usize..8,
    ) {
        let alike = Similarities::of(count, |a, b| values[a * 8 + b]);
        let clusters = dominant_sets(&alike, &Peeling::default());
        let mut everybody: Vec<usize> =
            clusters.sets.iter().flat_map(|set| set.members.clone()).collect();
        everybody.extend(&clusters.unclassified);
        everybody.sort_unstable();
        prop_assert_eq!(everybody, (0..count).collect::<Vec<_>>());

        let mut shares = vec![1.0 / count as f64; count];
        let fitness = |shares: &[f64], one: usize| -> f64 {
            (0..count).map(|other| alike.of_pair(one, other) * shares[other]).sum()
        };
        let mean = |shares: &[f64]| -> f64 {
            (0..count).map(|one| shares[one] * fitness(shares, one)).sum()
        };
        let mut before = mean(&shares);
        for _ in 0..10_000 {
            let all = mean(&shares);
            if all <= 0.0 {
                break;
            }
            prop_assert!(all >= before - 1e-12, "what holds together never falls apart");
            before = all;
            let next: Vec<f64> =
                (0..count).map(|one| shares[one] * fitness(&shares, one) / all).collect();
            shares = next;
        }
        if let Some(first) = clusters.sets.first().filter(|set| set.members.len() > 1) {
            prop_assert!((first.participation.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assert!((first.cohesion - mean(&shares)).abs() < 1e-3, "{} {}", first.cohesion, mean(&shares));
        }
    }

    /// Whatever was learned: verdicts add up, come back from a file, and are the same every time.
    #[test]
    fn models_come_back_as_they_were(
        plays in prop::collection::vec(letters(), 2..8),
        asked in letters(),
    ) {
        let plays: Vec<Activity> = plays.iter().map(|it| Activity::of_letters(it)).collect();
        let asked = Activity::of_letters(&asked);
        let styles = Playstyles::learn(&plays).expect("plays");
        let again = read_model(&write_model(&styles)).expect("a model");
        prop_assert_eq!(again.classes(), styles.classes());
        prop_assert_eq!(again.unclassified(), styles.unclassified());
        let verdict = styles.classify(&asked);
        prop_assert_eq!(&again.classify(&asked), &verdict);
        prop_assert!((verdict.distribution.probabilities().iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let recogniser = Recogniser::new(styles);
        let verdict = recogniser.as_of(3.0).classify(&asked);
        prop_assert_eq!(&Recogniser::new(again).as_of(3.0).classify(&asked), &verdict);
        prop_assert!((verdict.distribution.probabilities().iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
