//! Matches drawn anew, with repetition, from those that were played (Efron's bootstrap, 1979): how much
//! ratings vary from one such draw to the next says how far they can be trusted.

use crate::seeded::Seeded;
use crate::{Interval, Matches};

/// How often each match is in a draw. Groups are drawn as wholes, because what is in them stands and
/// falls together.
pub(crate) fn drawn_counts(matches: &Matches, groups: &[Vec<usize>], seed: u64) -> Vec<f64> {
    let mut seeded = Seeded::new(seed);
    let mut counts = vec![0.0; matches.len()];
    for _ in 0..groups.len() {
        for place in &groups[seeded.below(groups.len())] {
            counts[*place] += 1.0;
        }
    }
    counts
}

/// The middle 95 of 100 of some numbers; `None` if there are none.
pub(crate) fn middle_of(mut numbers: Vec<f64>) -> Option<Interval> {
    numbers.sort_by(f64::total_cmp);
    let last = numbers.len().checked_sub(1)? as f64;
    let at = |part: f64| {
        let place = part * last;
        let (low, high) = (
            numbers[place.floor() as usize],
            numbers[place.ceil() as usize],
        );
        low + (high - low) * (place - place.floor())
    };
    Some(Interval {
        low: at(0.025),
        high: at(0.975),
    })
}

/// The mean of some numbers and their standard deviation.
pub(crate) fn mean_and_deviation(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares = numbers.iter().map(|it| (it - mean) * (it - mean));
    (mean, (squares.sum::<f64>() / (count - 1.0).max(1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Played;

    #[test]
    fn the_middle_leaves_out_as_much_on_both_sides() {
        let interval = middle_of((0..=1000).map(f64::from).collect()).unwrap();
        assert_eq!((interval.low, interval.high), (25.0, 975.0));
        assert_eq!(middle_of(Vec::new()), None);
    }

    #[test]
    fn groups_are_drawn_as_wholes() {
        let mut matches = Matches::new();
        for group in ["a", "b", "a", "c", "b"] {
            let played = Played {
                group: Some(group),
                ..Played::won(&["x"], &["y"])
            };
            matches.add(&played).unwrap();
        }
        for seed in 0..20 {
            let counts = drawn_counts(&matches, &matches.groups(), seed);
            assert_eq!((counts[0], counts[1]), (counts[2], counts[4]));
            assert_eq!(counts[0] + counts[1] + counts[3], 3.0);
        }
    }
}
