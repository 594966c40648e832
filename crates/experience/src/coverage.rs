//! How much of a demonstration a way follows, and where along it.

use crate::demonstration::is_time;
use crate::{Demonstration, Place, Sample};

/// How near a way comes to what it follows, in cells or metres.
pub const NEAR: f64 = 2.0;

/// The distance between the points at which a demonstration is looked at.
const BETWEEN_SAMPLES: f64 = 0.5;

/// A demonstration is looked at in about so many points at most: in a line half a million cells long
/// they are as near to each other as that, and farther apart in longer ones.
const MOST_SAMPLES: f64 = 1e6;

/// Which part of the demonstrations lies within two cells or metres of a way, on the same floor,
/// looked at every half; 0 if there is no way or no demonstration.
///
/// ```
/// use apprentice_experience::{Demonstration, Place, coverage};
///
/// let shown = Demonstration::drawn("east", [Place::flat(0.0, 0.0), Place::flat(10.0, 0.0)], 1.0);
/// let half = [Place::flat(0.0, 1.0), Place::flat(3.0, 1.0)];
/// let covered = coverage([&shown], &half);
/// assert!(covered > 0.4 && covered < 0.5, "{covered}");
/// ```
pub fn coverage<'d>(
    demonstrations: impl IntoIterator<Item = &'d Demonstration>,
    way: &[Place],
) -> f64 {
    let (mut near, mut all) = (0u64, 0u64);
    // Whoever follows a demonstration is near the next point where it was near the last one.
    let mut nearby = 0;
    for demonstration in demonstrations {
        for sample in points_along(demonstration) {
            all += 1;
            if let Some(piece) = piece_nearby(sample, way, nearby) {
                near += 1;
                nearby = piece;
            }
        }
    }
    if all == 0 {
        0.0
    } else {
        near as f64 / all as f64
    }
}

/// Points along a demonstration, half a cell or metre apart, its end included.
fn points_along(demonstration: &Demonstration) -> Vec<Place> {
    let places = demonstration.places().filter(|place| place.is_anywhere());
    let places: Vec<Place> = places.collect();
    let lengths = places.windows(2).map(|pair| pair[0].distance_to(pair[1]));
    let apart = BETWEEN_SAMPLES.max(lengths.sum::<f64>() / MOST_SAMPLES);
    let mut points = Vec::new();
    for pair in places.windows(2) {
        let length = pair[0].distance_to(pair[1]);
        let count = (length / apart).ceil().max(1.0) as u32;
        points.extend((0..count).map(|number| {
            let part = f64::from(number) / f64::from(count);
            pair[0].toward(pair[1], part)
        }));
    }
    points.extend(places.last());
    points
}

/// The number of a piece of a way that is near a place, looked for from `first` on and around; a way
/// of one place is one piece.
fn piece_nearby(place: Place, way: &[Place], first: usize) -> Option<usize> {
    let follows = |point: Place| place.distance_to(point) <= NEAR && place.is_on_floor_of(point);
    if let [only] = way {
        return follows(*only).then_some(0);
    }
    let is_near = |piece: &usize| follows(nearest_on(place, way[*piece], way[piece + 1]));
    let pieces = way.len().saturating_sub(1);
    (first..pieces).chain(0..first.min(pieces)).find(is_near)
}

/// How far a place is from the piece of a line between two others.
///
/// ```
/// # use apprentice_experience::{Place, distance_to_line};
/// let (from, to) = (Place::flat(0.0, 0.0), Place::flat(4.0, 0.0));
/// assert_eq!(distance_to_line(Place::flat(2.0, 3.0), from, to), 3.0);
/// assert_eq!(distance_to_line(Place::flat(7.0, 4.0), from, to), 5.0);
/// ```
pub fn distance_to_line(place: Place, from: Place, to: Place) -> f64 {
    place.distance_to(nearest_on(place, from, to))
}

/// The point of the piece of a line between two places that is nearest to a third.
fn nearest_on(place: Place, from: Place, to: Place) -> Place {
    from.toward(to, part_along(place, from, to))
}

/// How far along the piece of a line between two places a third is: 0 at its beginning, 1 at its
/// end.
fn part_along(place: Place, from: Place, to: Place) -> f64 {
    let (x, y, z) = (to.x - from.x, to.y - from.y, to.z - from.z);
    let length = x * x + y * y + z * z;
    if length == 0.0 {
        return 0.0;
    }
    let along = (place.x - from.x) * x + (place.y - from.y) * y + (place.z - from.z) * z;
    (along / length).clamp(0.0, 1.0)
}

/// Where along a demonstration somebody is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Whereabouts {
    /// How far from it.
    pub distance: f64,
    /// The nearest point of it.
    pub nearest: Place,
    /// At which second of it, counted from its first sample.
    pub time: f64,
    /// Between which sample and the next.
    pub sample: usize,
}

impl Demonstration {
    /// Where along the demonstration a place is: at the nearest point of it, and at the one that
    /// comes soonest at or after `since` if it passes by several times equally near. `None` if it
    /// has no sample with a time and a place.
    ///
    /// ```
    /// # use apprentice_experience::{Demonstration, Place};
    /// let shown = Demonstration::drawn("east", [Place::flat(0.0, 0.0), Place::flat(8.0, 0.0)], 2.0);
    /// let here = shown.whereabouts(Place::flat(4.0, 1.0), 0.0).expect("it has samples");
    /// assert_eq!((here.distance, here.time), (1.0, 2.0));
    /// ```
    pub fn whereabouts(&self, place: Place, since: f64) -> Option<Whereabouts> {
        let is_sound = |sample: &Sample| sample.place.is_anywhere() && is_time(sample.time);
        let begins = self.samples.iter().position(is_sound)?;
        let first = &self.samples[begins];
        let mut best = Whereabouts {
            distance: place.distance_to(first.place),
            nearest: first.place,
            time: 0.0,
            sample: begins,
        };
        let is_later = |time: f64| time + 1e-9 >= since;
        let pairs = self.samples.windows(2).enumerate();
        for (sample, pair) in pairs.filter(|(_, pair)| pair.iter().all(is_sound)) {
            let part = part_along(place, pair[0].place, pair[1].place);
            let point = pair[0].place.toward(pair[1].place, part);
            let here = Whereabouts {
                distance: place.distance_to(point),
                nearest: point,
                time: pair[0].time - first.time + (pair[1].time - pair[0].time) * part,
                sample,
            };
            let nearer = here.distance < best.distance - 1e-9;
            let as_near = here.distance < best.distance + 1e-9;
            if nearer || as_near && !is_later(best.time) && is_later(here.time) {
                best = here;
            }
        }
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(points: &[(f64, f64)]) -> Demonstration {
        let places = points.iter().map(|(x, y)| Place::flat(*x, *y));
        Demonstration::drawn("line", places, 1.0)
    }

    #[test]
    fn points_are_half_a_cell_apart_and_reach_the_end() {
        let points = points_along(&line(&[(0.0, 0.0), (2.0, 0.0)]));
        let xs: Vec<f64> = points.iter().map(|point| point.x).collect();
        assert_eq!(xs, [0.0, 0.5, 1.0, 1.5, 2.0]);
        assert_eq!(points_along(&line(&[(0.0, 0.0)])).len(), 1);
    }

    #[test]
    fn a_way_under_a_bridge_covers_nothing_on_it() {
        let bridge = |z| [Place::new(0.0, 0.0, z), Place::new(9.0, 0.0, z)];
        let shown = Demonstration::drawn("over it", bridge(1.8), 1.0);
        assert_eq!(coverage([&shown], &bridge(1.8)), 1.0);
        // Nearer than what counts as near, were it on the same floor.
        assert_eq!(coverage([&shown], &bridge(0.0)), 0.0);
        assert_eq!(coverage([&shown], &bridge(0.0)[..1]), 0.0);
    }

    #[test]
    fn nothing_covers_nothing() {
        assert_eq!(coverage([], &[Place::flat(0.0, 0.0)]), 0.0);
        assert_eq!(coverage([&line(&[(0.0, 0.0), (1.0, 0.0)])], &[]), 0.0);
    }

    #[test]
    fn a_demonstration_that_returns_is_passed_twice() {
        let there_and_back = line(&[(0.0, 0.0), (4.0, 0.0), (0.0, 0.0)]);
        let at = Place::flat(1.0, 0.0);
        assert_eq!(there_and_back.whereabouts(at, 0.0).unwrap().time, 1.0);
        assert_eq!(there_and_back.whereabouts(at, 5.0).unwrap().time, 7.0);
    }
}
