//! How much a way is like a demonstration: dynamic time warping and the discrete Fréchet distance.
//!
//! Coverage says how much of a demonstration a way comes by; these mind the order as well, and how far
//! off the way is.

use crate::{Demonstration, Place, coverage};

/// Both lines are looked at every half cell or metre …
const APART: f64 = 0.5;

/// … in so many points at most: the work is the product of both numbers. Lines that are longer than two
/// thousand cells are looked at in points farther apart.
const MOST_POINTS: f64 = 4096.0;

/// So far off on the average, in cells or metres, a way has lost all but a third of its score.
const FAR_OFF: f64 = 2.0;

/// How much a way is like the demonstration it is most like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fidelity {
    /// From 0 to 1, where 1 is the same line: the exponential of minus the mean distance by warping,
    /// over two cells or metres.
    pub score: f64,
    /// Which demonstration, counted from 0.
    pub demonstration: usize,
    /// The distance by dynamic time warping: the sum over the points of both lines.
    pub warping: f64,
    /// The mean of the same over the points of both lines.
    pub mean_distance: f64,
    /// How far apart two walkers must come at least, one on each line, who never turn back.
    pub frechet: f64,
    /// The part of that demonstration that the way comes by.
    pub coverage: f64,
}

impl Fidelity {
    /// Who has at least this score has followed a demonstration.
    pub const FOLLOWED: f64 = 0.5;

    /// How much a way is like the demonstration it is most like; `None` if there is no way, or none was
    /// shown.
    ///
    /// ```
    /// use apprentice_experience::{Demonstration, Fidelity, Place};
    ///
    /// let shown = Demonstration::drawn("east", [Place::flat(0.0, 0.0), Place::flat(10.0, 0.0)], 1.0);
    /// let beside = [Place::flat(0.0, 0.5), Place::flat(10.0, 0.5)];
    /// let fidelity = Fidelity::of([&shown], &beside).expect("both are there");
    /// assert!(fidelity.score > 0.8 && fidelity.is_followed());
    /// assert_eq!(fidelity.frechet, 0.5);
    ///
    /// let back = [Place::flat(10.0, 0.5), Place::flat(0.0, 0.5)];
    /// assert!(!Fidelity::of([&shown], &back).expect("both are there").is_followed());
    /// ```
    pub fn of<'d>(
        demonstrations: impl IntoIterator<Item = &'d Demonstration>,
        way: &[Place],
    ) -> Option<Fidelity> {
        let way: Vec<Place> = way.iter().copied().filter(|it| it.is_anywhere()).collect();
        let points = every_so_far(&way);
        let mut best: Option<Fidelity> = None;
        for (number, shown) in demonstrations.into_iter().enumerate() {
            let places: Vec<Place> = shown.places().filter(|it| it.is_anywhere()).collect();
            let shown_points = every_so_far(&places);
            let Some(warping) = warping_distance(&points, &shown_points, Band::Whole) else {
                continue;
            };
            let Some(frechet) = frechet_distance(&points, &shown_points) else {
                continue;
            };
            let mean_distance = warping / (points.len() + shown_points.len()) as f64;
            let score = exponential_of_minus(mean_distance / FAR_OFF);
            if best.is_none_or(|best| score > best.score) {
                best = Some(Fidelity {
                    score,
                    demonstration: number,
                    warping,
                    mean_distance,
                    frechet,
                    coverage: coverage([shown], &way),
                });
            }
        }
        best
    }

    /// Whether the demonstration was followed.
    pub fn is_followed(&self) -> bool {
        self.score >= Fidelity::FOLLOWED
    }
}

/// Points along a line, as far apart as each other measured along it, with its beginning and its end.
/// How densely it was sampled, and where somebody stood still, makes no difference.
fn every_so_far(line: &[Place]) -> Vec<Place> {
    let lengths = || line.windows(2).map(|pair| pair[0].distance_to(pair[1]));
    let total: f64 = lengths().sum();
    let apart = APART.max(total / MOST_POINTS);
    let mut points: Vec<Place> = line.first().copied().into_iter().collect();
    let (mut gone, mut next) = (0.0, apart);
    for (pair, length) in line.windows(2).zip(lengths()) {
        while next <= gone + length && next < total {
            points.push(pair[0].toward(pair[1], (next - gone) / length));
            next = apart * (points.len() as f64);
        }
        gone += length;
    }
    if total > 0.0 {
        points.extend(line.last());
    }
    points
}

/// How far apart the numbers of two points may be that are held against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    /// Any two.
    Whole,
    /// So far, or as far as the lengths of both lines differ (Sakoe and Chiba, 1978).
    Within(usize),
}

/// The distance of two lines by dynamic time warping: both are gone along, on one of them or on both a
/// point at a time, so that the sum of distances is least. `None` if one of them has no points.
///
/// ```
/// use apprentice_experience::{Band, Place, warping_distance};
///
/// let way = [Place::flat(0.0, 0.0), Place::flat(1.0, 0.0), Place::flat(2.0, 0.0)];
/// let shown = [Place::flat(0.0, 1.0), Place::flat(2.0, 1.0)];
/// let distance = warping_distance(&way, &shown, Band::Whole).expect("both have points");
/// assert!((distance - (2.0 + 2.0_f64.sqrt())).abs() < 1e-12);
/// ```
pub fn warping_distance(one: &[Place], other: &[Place], band: Band) -> Option<f64> {
    swept(one, other, band, |before, distance| before + distance)
}

/// The discrete Fréchet distance (Eiter and Mannila, 1994): both lines are gone along in the same manner
/// so that the greatest distance is least. `None` if one of them has no points.
///
/// ```
/// use apprentice_experience::{Place, frechet_distance};
///
/// let way = [Place::flat(0.0, 0.0), Place::flat(5.0, 4.0), Place::flat(9.0, 0.0)];
/// let shown = [Place::flat(0.0, 0.0), Place::flat(5.0, 0.0), Place::flat(9.0, 0.0)];
/// assert_eq!(frechet_distance(&way, &shown), Some(4.0));
/// ```
pub fn frechet_distance(one: &[Place], other: &[Place]) -> Option<f64> {
    swept(one, other, Band::Whole, f64::max)
}

/// Fills the table of both distances row by row and keeps two rows. `grown` is what becomes of the
/// least of those before by a pair of points at some distance.
fn swept(
    one: &[Place],
    other: &[Place],
    band: Band,
    grown: impl Fn(f64, f64) -> f64,
) -> Option<f64> {
    let (rows, columns) = (one.len(), other.len());
    if rows == 0 || columns == 0 {
        return None;
    }
    let reach = match band {
        Band::Whole => rows.max(columns),
        Band::Within(reach) => reach.max(rows.abs_diff(columns)),
    };
    let mut before = vec![f64::INFINITY; columns];
    let mut row = vec![f64::INFINITY; columns];
    for (number, place) in one.iter().enumerate() {
        row.fill(f64::INFINITY);
        let first = number.saturating_sub(reach);
        let last = (number + reach).min(columns - 1);
        for column in first..=last {
            let distance = place.distance_to(other[column]);
            let least = match (number, column) {
                (0, 0) => 0.0,
                (_, 0) => before[0],
                _ => before[column].min(before[column - 1]).min(row[column - 1]),
            };
            row[column] = grown(least, distance);
        }
        std::mem::swap(&mut before, &mut row);
    }
    Some(before[columns - 1])
}

/// The exponential of minus a number that is not below zero, by nothing but sums and products, which
/// are the same on every machine: of a small part of it by its series, and squared as often as it was
/// halved.
fn exponential_of_minus(number: f64) -> f64 {
    let mut part = number;
    let mut halvings = 0;
    // Beyond this nothing is left that could be told from nothing.
    if number > 700.0 {
        return f64::MIN_POSITIVE;
    }
    while part > 0.0625 {
        part *= 0.5;
        halvings += 1;
    }
    // Nine terms of a sixteenth leave less than the last digit.
    let mut sum = 1.0;
    for term in (1..=9).rev() {
        sum = 1.0 - part / f64::from(term) * sum;
    }
    for _ in 0..halvings {
        sum *= sum;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_right() {
        // Known to many digits: e^-1, e^-0.5, e^-10, and 1.
        for (number, known) in [
            (0.0, 1.0),
            (0.5, 0.606_530_659_712_633_4),
            (1.0, 0.367_879_441_171_442_33),
            (10.0, 4.539_992_976_248_485e-5),
        ] {
            let found = exponential_of_minus(number);
            assert!(
                (found / known - 1.0).abs() < 1e-13,
                "{number}: {found} {known}"
            );
        }
        assert!(exponential_of_minus(1e9) > 0.0);
    }

    #[test]
    fn points_are_half_a_cell_apart_however_a_line_was_sampled() {
        let xs =
            |line: &[Place]| -> Vec<f64> { every_so_far(line).iter().map(|it| it.x).collect() };
        let dense = [0.0, 0.1, 0.1, 0.1, 0.3, 0.9, 1.2].map(|x| Place::flat(x, 0.0));
        for line in [&dense[..], &[dense[0], dense[6]]] {
            let found = xs(line);
            assert_eq!(found.len(), 4, "{found:?}");
            for (found, expected) in found.iter().zip([0.0, 0.5, 1.0, 1.2]) {
                assert!((found - expected).abs() < 1e-12);
            }
        }
        assert_eq!(
            xs(&[dense[0]; 5]),
            [0.0],
            "whoever stands still is at one point"
        );
        let far = [Place::flat(0.0, 0.0), Place::flat(1e9, 0.0)];
        assert!(every_so_far(&far).len() <= MOST_POINTS as usize + 2);
    }

    #[test]
    fn a_way_of_nothing_is_like_nothing() {
        let shown = Demonstration::drawn("dot", [Place::flat(1.0, 1.0)], 1.0);
        assert_eq!(Fidelity::of([&shown], &[]), None);
        assert_eq!(Fidelity::of([], &[Place::flat(0.0, 0.0)]), None);
        let nowhere = [Place::flat(f64::NAN, 0.0)];
        assert_eq!(Fidelity::of([&shown], &nowhere), None);
        let same = Fidelity::of([&shown], &[Place::flat(1.0, 1.0)]).unwrap();
        assert_eq!((same.score, same.warping, same.frechet), (1.0, 0.0, 0.0));
    }

    #[test]
    fn the_best_of_several_demonstrations_counts() {
        let line =
            |y: f64| Demonstration::drawn("line", [Place::flat(0.0, y), Place::flat(9.0, y)], 1.0);
        let way = [Place::flat(0.0, 0.0), Place::flat(9.0, 0.0)];
        let fidelity = Fidelity::of([&line(5.0), &line(1.0), &line(-3.0)], &way).unwrap();
        assert_eq!((fidelity.demonstration, fidelity.coverage), (1, 1.0));
    }
}
