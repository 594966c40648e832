//! Dynamic time warping and the discrete Fréchet distance are what trying every walk finds.

use apprentice_experience::{Band, Place, frechet_distance, warping_distance};
use proptest::prelude::*;

/// Every walk along both lines, one after another: the least of what `grown` makes of their distances.
fn tried(
    one: &[Place],
    other: &[Place],
    so_far: f64,
    grown: fn(f64, f64) -> f64,
    allowed: &dyn Fn(usize, usize) -> bool,
    at: (usize, usize),
) -> f64 {
    let (row, column) = at;
    if row >= one.len() || column >= other.len() || !allowed(row, column) {
        return f64::INFINITY;
    }
    let so_far = grown(so_far, one[row].distance_to(other[column]));
    if row + 1 == one.len() && column + 1 == other.len() {
        return so_far;
    }
    [(row + 1, column), (row, column + 1), (row + 1, column + 1)]
        .into_iter()
        .map(|next| tried(one, other, so_far, grown, allowed, next))
        .fold(f64::INFINITY, f64::min)
}

fn any_line() -> impl Strategy<Value = Vec<Place>> {
    let place = (-3..4i32, -3..4i32, 0..2i32);
    let place = place.prop_map(|(x, y, z)| Place::new(x.into(), y.into(), z.into()));
    prop::collection::vec(place, 1..7)
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

proptest! {
    #[test]
    fn are_what_every_walk_finds(one in any_line(), other in any_line()) {
        let anything = |_, _| true;
        let sum = tried(&one, &other, 0.0, |sum, distance| sum + distance, &anything, (0, 0));
        prop_assert!(is_near(warping_distance(&one, &other, Band::Whole).unwrap(), sum));
        let most = tried(&one, &other, 0.0, f64::max, &anything, (0, 0));
        prop_assert!(is_near(frechet_distance(&one, &other).unwrap(), most));
    }

    #[test]
    fn are_within_a_band_what_walks_within_it_find(
        one in any_line(), other in any_line(), band in 0..4usize,
    ) {
        let reach = band.max(one.len().abs_diff(other.len()));
        let inside = move |row: usize, column: usize| row.abs_diff(column) <= reach;
        let sum = tried(&one, &other, 0.0, |sum, distance| sum + distance, &inside, (0, 0));
        let found = warping_distance(&one, &other, Band::Within(band)).unwrap();
        prop_assert!(is_near(found, sum));
        prop_assert!(found >= warping_distance(&one, &other, Band::Whole).unwrap() - 1e-9);
    }

    #[test]
    fn are_the_same_from_both_sides_and_none_to_oneself(one in any_line(), other in any_line()) {
        let there = warping_distance(&one, &other, Band::Whole).unwrap();
        let back = warping_distance(&other, &one, Band::Whole).unwrap();
        prop_assert!(is_near(there, back));
        let (there, back) = (frechet_distance(&one, &other), frechet_distance(&other, &one));
        prop_assert!(is_near(there.unwrap(), back.unwrap()));
        prop_assert_eq!(warping_distance(&one, &one, Band::Whole), Some(0.0));
        prop_assert_eq!(frechet_distance(&one, &one), Some(0.0));
    }
}
