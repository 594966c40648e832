//! How long it takes at least from one place to another: as the crow flies, and along the ways
//! there are.

use std::sync::Arc;

use crate::Place;

/// The least time between two places: a lower bound of what going there takes, and a metric (the
/// way there takes as long as the way back, and no detour is shorter).
///
/// ```
/// use apprentice_experience::{Distance, Place, Straight};
///
/// let walking = Straight { top_speed: 2.0 };
/// assert_eq!(walking.between(Place::flat(0.0, 0.0), Place::flat(6.0, 8.0)), 5.0);
/// ```
pub trait Distance {
    /// Seconds from `from` to `to`, at least.
    fn between(&self, from: Place, to: Place) -> f64;

    /// The speed, if this is the straight line at one speed. Lets far ways be ruled out without
    /// asking for them.
    fn straight_at(&self) -> Option<f64> {
        None
    }

    /// Where on `line` somebody at `at` is nearest to it. Follows from the three distances
    /// between the places, so that any metric will do; one that knows coordinates can be more
    /// exact.
    #[inline]
    fn foot(&self, line: &Line, at: Place) -> Foot {
        Foot::from_distances(
            self.between(at, line.from),
            self.between(at, line.to),
            line.length,
        )
    }
}

/// As the crow flies, at top speed.
///
/// ```
/// use apprentice_experience::Straight;
///
/// let metres_are_seconds = Straight::default();
/// assert_eq!(metres_are_seconds.top_speed, 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Straight {
    /// The greatest speed anybody for whom this is asked can ever reach.
    pub top_speed: f64,
}

impl Default for Straight {
    fn default() -> Straight {
        Straight { top_speed: 1.0 }
    }
}

impl Distance for Straight {
    #[inline]
    fn between(&self, from: Place, to: Place) -> f64 {
        from.distance_to(to) / self.top_speed
    }

    #[inline]
    fn straight_at(&self) -> Option<f64> {
        Some(self.top_speed)
    }

    /// By coordinates: the three distances alone lose half the digits where somebody is close to
    /// a long line, and bounds are sworn to the nanosecond.
    #[inline]
    fn foot(&self, line: &Line, at: Place) -> Foot {
        let (x, y, z) = (at.x - line.to.x, at.y - line.to.y, at.z - line.to.z);
        let back = line.back;
        let along = x * back.x + y * back.y + z * back.z;
        let (x, y, z) = (x - along * back.x, y - along * back.y, z - along * back.z);
        let seconds = 1.0 / self.top_speed;
        Foot {
            along: along * seconds,
            across_squared: (x * x + y * y + z * z) * (seconds * seconds),
        }
    }
}

/// A straight way between two places that are not the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Where it begins.
    pub from: Place,
    /// Where it ends.
    pub to: Place,
    /// Seconds from end to end, at least.
    pub length: f64,
    /// The direction from the end back to the beginning, one unit of length long.
    pub(crate) back: Place,
}

impl Line {
    /// Lines shorter than this many seconds are points: somebody waited or fought on the spot.
    pub const SHORTEST: f64 = 1e-12;

    /// The line between two places; `None` if they are the same, or not on any map.
    ///
    /// ```
    /// use apprentice_experience::{Line, Place, Straight};
    ///
    /// let (here, there) = (Place::flat(0.0, 0.0), Place::flat(4.0, 0.0));
    /// assert_eq!(Line::new(&Straight::default(), here, there).unwrap().length, 4.0);
    /// assert_eq!(Line::new(&Straight::default(), here, here), None);
    /// ```
    pub fn new(distance: &impl Distance, from: Place, to: Place) -> Option<Line> {
        let length = distance.between(from, to);
        let metres = from.distance_to(to);
        let is_line = length > Line::SHORTEST && length.is_finite() && metres > 0.0;
        (is_line && metres.is_finite()).then(|| Line {
            from,
            to,
            length,
            back: Place {
                x: (from.x - to.x) / metres,
                y: (from.y - to.y) / metres,
                z: (from.z - to.z) / metres,
            },
        })
    }
}

/// Where somebody is relative to a line.
///
/// ```
/// use apprentice_experience::Foot;
///
/// // One to the side of a line of length 4, three quarters along it.
/// let foot = Foot::from_distances(10f64.sqrt(), 2f64.sqrt(), 4.0);
/// assert!((foot.along - 1.0).abs() < 1e-12 && (foot.across_squared - 1.0).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foot {
    /// Seconds from the end of the line back to the foot; negative beyond the end, and more than
    /// the line's length before its beginning.
    pub along: f64,
    /// The square of the seconds between the foot and who is asked for.
    pub across_squared: f64,
}

impl Foot {
    /// By the law of cosines, from how far it is to the beginning, to the end, and between them.
    /// The published formula divides by twice the *square* of the length, which is right only for
    /// lines one second long; this one fits for all.
    #[inline]
    pub fn from_distances(to_beginning: f64, to_end: f64, length: f64) -> Foot {
        let end_squared = to_end * to_end;
        let along = (end_squared - to_beginning * to_beginning + length * length) / (2.0 * length);
        Foot {
            along,
            // Negative by rounding, or where the distances are no metric.
            across_squared: (end_squared - along * along).max(0.0),
        }
    }
}

/// Shortest ways to one target, from anywhere. Somebody else knows the map; here it is only asked.
///
/// Lower bounds, no less than the straight line: doors count as open, nobody is in the way.
pub trait WaysTo: Send + Sync {
    /// Seconds from `place` to the target; infinite if there is no way, never NaN.
    fn from(&self, place: Place) -> f64;

    /// The way itself, from `place` to the target, both included; empty if there is none.
    fn way(&self, place: Place) -> Vec<Place>;
}

/// Shortest ways on one map.
///
/// ```
/// use apprentice_experience::{OpenGround, Place, Ways, WaysTo};
///
/// let well = OpenGround { top_speed: 1.0 }.to(Place::flat(3.0, 4.0));
/// assert_eq!(well.from(Place::flat(0.0, 0.0)), 5.0);
/// ```
pub trait Ways {
    /// The ways to `target`. Asked once for each end of a demonstration; whoever asks for the same
    /// target often keeps the answer.
    fn to(&self, target: Place) -> Arc<dyn WaysTo>;
}

/// Ground without obstacles: the shortest way is the straight one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpenGround {
    /// The greatest speed there is.
    pub top_speed: f64,
}

impl Ways for OpenGround {
    fn to(&self, target: Place) -> Arc<dyn WaysTo> {
        Arc::new(StraightTo {
            target,
            straight: Straight {
                top_speed: self.top_speed,
            },
        })
    }
}

struct StraightTo {
    target: Place,
    straight: Straight,
}

impl WaysTo for StraightTo {
    fn from(&self, place: Place) -> f64 {
        self.straight.between(place, self.target)
    }
    fn way(&self, place: Place) -> Vec<Place> {
        vec![place, self.target]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn place() -> impl Strategy<Value = Place> {
        let coordinate = || -50.0..50.0f64;
        (coordinate(), coordinate(), coordinate()).prop_map(|(x, y, z)| Place::new(x, y, z))
    }

    /// A metric that knows nothing of coordinates beyond what it must.
    struct ByDistances(Straight);

    impl Distance for ByDistances {
        fn between(&self, from: Place, to: Place) -> f64 {
            self.0.between(from, to)
        }
    }

    proptest! {
        #[test]
        fn three_distances_give_the_vector_projection(
            from in place(), to in place(), at in place(), top_speed in 0.5..8.0f64,
        ) {
            let straight = Straight { top_speed };
            let Some(line) = Line::new(&straight, from, to) else { return Ok(()) };
            prop_assume!(line.length > 1e-3);
            let exact = straight.foot(&line, at);
            let cosines = ByDistances(straight).foot(&line, at);
            prop_assert!((exact.along - cosines.along).abs() < 1e-6);
            prop_assert!((exact.across_squared - cosines.across_squared).abs() < 1e-6 * 1e3);
            // And the definition, written out.
            let (ux, uy, uz) = (from.x - to.x, from.y - to.y, from.z - to.z);
            let (x, y, z) = (at.x - to.x, at.y - to.y, at.z - to.z);
            let length = (ux * ux + uy * uy + uz * uz).sqrt();
            let along = (x * ux + y * uy + z * uz) / length;
            prop_assert!((exact.along * top_speed - along).abs() < 1e-9);
            let across = ((x * x + y * y + z * z) - along * along).max(0.0).sqrt();
            prop_assert!((exact.across_squared.sqrt() * top_speed - across).abs() < 1e-4);
        }
    }

    #[test]
    fn the_published_denominator_would_be_wrong() {
        let straight = Straight::default();
        let line = Line::new(&straight, Place::flat(0.0, 0.0), Place::flat(4.0, 0.0)).unwrap();
        let foot = straight.foot(&line, Place::flat(3.0, 1.0));
        assert_eq!(foot.along / line.length, 0.25);
        assert_eq!(foot.across_squared, 1.0);
    }

    #[test]
    fn distances_that_are_no_metric_give_no_nan() {
        let foot = Foot::from_distances(10.0, 1.0, 2.0);
        assert_eq!(foot.across_squared, 0.0);
    }
}
