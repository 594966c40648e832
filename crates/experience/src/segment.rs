//! A straight piece of a demonstration, with what remains to the goal at both its ends: somebody
//! beside it is drawn to it and along it.

use crate::{Distance, Foot, Line, Place};

/// Where on a way somebody beside it is thought to join it.
///
/// ```
/// use apprentice_experience::Projection;
///
/// // What bounds are proven for, unless asked otherwise.
/// assert_eq!(Projection::default(), Projection::Consistent);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Projection {
    /// At the nearest point, as published. Moves that approach the way and follow it at once lower
    /// the estimate by more than the inflation allows.
    Perpendicular,
    /// Wherever joining it is cheapest, so that no move lowers the estimate by more than the
    /// inflation allows. Does not change when a way is cut into pieces.
    #[default]
    Consistent,
}

/// How strongly, and where, somebody is drawn to a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Attraction {
    /// How many times the time to a segment counts.
    pub inflation: f64,
    pub projection: Projection,
}

impl Attraction {
    /// The estimate for a way of that length and cost, from how far somebody is from its ends; for
    /// metrics in which ways are not lines. `None` if neither end can be reached.
    pub(crate) fn estimate_by_distances(
        self,
        to_beginning: f64,
        to_end: f64,
        length: f64,
        ends: Ends,
    ) -> Option<f64> {
        let by_end = self.inflation * to_end + ends.at_end;
        let by_beginning = self.inflation * to_beginning + ends.at_beginning;
        match (to_beginning.is_finite(), to_end.is_finite()) {
            (false, false) => return None,
            (false, true) => return Some(by_end),
            (true, false) => return Some(by_beginning),
            (true, true) if length <= Line::SHORTEST => return Some(by_end),
            (true, true) => {}
        }
        let foot = Foot::from_distances(to_beginning, to_end, length);
        let tilt = self.tilt(ends.cost / length);
        Some(match self.join(foot, length, tilt) {
            Join::AtEnd => by_end,
            Join::AtBeginning => by_beginning,
            Join::Between(above_end) => above_end + ends.at_end,
        })
    }

    fn tilt(self, rate: f64) -> Tilt {
        let steepness = self.inflation * self.inflation - rate * rate;
        let across = match self.projection {
            Projection::Perpendicular => self.inflation,
            // Following the way costs more than flying to its end, wherever one is.
            Projection::Consistent if steepness <= 0.0 => 0.0,
            Projection::Consistent => steepness.sqrt(),
        };
        let lead = match self.projection {
            Projection::Perpendicular => 0.0,
            Projection::Consistent if across == 0.0 => f64::INFINITY,
            Projection::Consistent => rate / across,
        };
        Tilt { rate, across, lead }
    }

    /// Where to join a way, and what the estimate then is above what remains at its end.
    #[inline]
    fn join(self, foot: Foot, length: f64, tilt: Tilt) -> Join {
        let join = match self.projection {
            Projection::Perpendicular => foot.along,
            Projection::Consistent if tilt.across == 0.0 => return Join::AtEnd,
            Projection::Consistent => foot.along - foot.across_squared.sqrt() * tilt.lead,
        };
        // Published: joins at the end include neither end of the way; the values agree there.
        if join < 0.0 {
            Join::AtEnd
        } else if join > length {
            Join::AtBeginning
        } else {
            Join::Between(foot.across_squared.sqrt() * tilt.across + foot.along * tilt.rate)
        }
    }
}

/// What remains at the ends of a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ends {
    pub at_beginning: f64,
    pub at_end: f64,
    /// What the way itself costs.
    pub cost: f64,
}

enum Join {
    AtEnd,
    AtBeginning,
    Between(f64),
}

/// How an estimate changes beside a way.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tilt {
    /// Along the way: its cost for each second of its length.
    rate: f64,
    /// Across the way, for each second of distance.
    across: f64,
    /// How far nearer to the end than the foot it is best to join, for each second of distance.
    lead: f64,
}

/// Where a segment comes from and how it rises.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Slope {
    /// The direction from its end back to its beginning; none for a point.
    pub back: Place,
    pub length: f64,
    /// Its cost for each second of its length.
    pub rate: f64,
    /// How far nearer to the end than the foot it is best to join, for each second of distance.
    pub lead: f64,
}

/// A straight piece of a demonstration, with what remains at both its ends.
// In two lines of the cache, because they are looked at here and there.
#[repr(align(64))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GuideSegment {
    /// Without length: a point, where somebody waited; only its end counts.
    line: Line,
    tilt: Tilt,
    at_beginning: f64,
    at_end: f64,
}

impl GuideSegment {
    /// A segment from one place to another. What remains at the ends is finite.
    pub(crate) fn new(
        distance: &impl Distance,
        attraction: Attraction,
        from: Place,
        to: Place,
        ends: Ends,
    ) -> GuideSegment {
        let line = Line::new(distance, from, to);
        let rate = line.map_or(1.0, |line| ends.cost / line.length);
        let at_beginning = match attraction.projection {
            Projection::Perpendicular => ends.at_beginning,
            // What this way alone offers, so that each segment for itself changes no faster than the
            // inflation. A shorter way on from its beginning is another segment.
            Projection::Consistent => ends.cost + ends.at_end,
        };
        GuideSegment {
            line: line.unwrap_or(Line {
                from: to,
                to,
                length: 0.0,
                back: Place::default(),
            }),
            tilt: attraction.tilt(rate),
            at_beginning,
            at_end: ends.at_end,
        }
    }

    fn is_point(&self) -> bool {
        self.line.length == 0.0
    }

    #[inline]
    pub(crate) fn estimate(
        &self,
        distance: &impl Distance,
        attraction: Attraction,
        at: Place,
    ) -> f64 {
        let line = &self.line;
        if self.is_point() {
            return attraction.inflation * distance.between(at, line.to) + self.at_end;
        }
        let foot = distance.foot(line, at);
        match attraction.join(foot, line.length, self.tilt) {
            Join::AtEnd => attraction.inflation * distance.between(at, line.to) + self.at_end,
            Join::AtBeginning => {
                attraction.inflation * distance.between(at, line.from) + self.at_beginning
            }
            Join::Between(above_end) => above_end + self.at_end,
        }
    }

    /// The part of the segment that lies ahead of where somebody at `at` joins it: 1 at its
    /// beginning, 0 at its end.
    pub(crate) fn part_ahead(
        &self,
        distance: &impl Distance,
        attraction: Attraction,
        at: Place,
    ) -> f64 {
        if self.is_point() {
            return 0.0;
        }
        let foot = distance.foot(&self.line, at);
        let join = match attraction.projection {
            _ if self.tilt.across == 0.0 => 0.0,
            Projection::Perpendicular => foot.along,
            Projection::Consistent => foot.along - foot.across_squared.sqrt() * self.tilt.lead,
        };
        (join / self.line.length).clamp(0.0, 1.0)
    }

    /// Cost for each second of length.
    pub(crate) fn rate(&self) -> f64 {
        self.tilt.rate
    }

    /// The segment as seen from its end. One that is joined nowhere but there is a point.
    pub(crate) fn slope(&self) -> Slope {
        if self.is_point() || self.tilt.across == 0.0 {
            return Slope::default();
        }
        Slope {
            back: self.line.back,
            length: self.line.length,
            rate: self.tilt.rate,
            lead: self.tilt.lead,
        }
    }

    pub(crate) fn from(&self) -> Place {
        self.line.from
    }

    pub(crate) fn to(&self) -> Place {
        self.line.to
    }

    /// What remains at its beginning.
    pub(crate) fn at_beginning(&self) -> f64 {
        self.at_beginning
    }

    /// What remains at its end.
    pub(crate) fn at_end(&self) -> f64 {
        self.at_end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Straight;
    use proptest::prelude::*;

    const METRES: Straight = Straight { top_speed: 1.0 };

    fn segment(
        projection: Projection,
        inflation: f64,
        length: f64,
        cost: f64,
    ) -> (Attraction, GuideSegment) {
        let attraction = Attraction {
            inflation,
            projection,
        };
        let ends = Ends {
            at_beginning: cost,
            at_end: 0.0,
            cost,
        };
        let (from, to) = (Place::flat(0.0, 0.0), Place::flat(length, 0.0));
        (
            attraction,
            GuideSegment::new(&METRES, attraction, from, to, ends),
        )
    }

    proptest! {
        /// The closed form against trying every point of the way.
        #[test]
        fn the_consistent_projection_joins_where_it_is_cheapest(
            inflation in 1.0..20.0f64, length in 0.1..30.0f64, slowness in 1.0..30.0f64,
            x in -20.0..40.0f64, y in -20.0..20.0f64,
        ) {
            let (attraction, segment) = segment(Projection::Consistent, inflation, length, length * slowness);
            let at = Place::flat(x, y);
            let estimate = segment.estimate(&METRES, attraction, at);
            let mut least = f64::INFINITY;
            for step in 0..=2000 {
                let joined = length * f64::from(step) / 2000.0;
                let there = at.distance_to(Place::flat(joined, 0.0));
                least = least.min(inflation * there + (length - joined) * slowness);
            }
            prop_assert!(estimate <= least + 1e-9, "{estimate} {least}");
            let grain = length / 2000.0 * (inflation + slowness);
            prop_assert!(estimate >= least - grain - 1e-9, "{estimate} {least}");
        }

        #[test]
        fn the_consistent_projection_is_never_above_the_perpendicular_one(
            inflation in 1.0..20.0f64, length in 0.1..30.0f64, slowness in 1.0..5.0f64,
            x in -20.0..40.0f64, y in -20.0..20.0f64,
        ) {
            let at = Place::flat(x, y);
            let estimate = |projection| {
                let (attraction, segment) = segment(projection, inflation, length, length * slowness);
                segment.estimate(&METRES, attraction, at)
            };
            let (consistent, perpendicular) =
                (estimate(Projection::Consistent), estimate(Projection::Perpendicular));
            prop_assert!(consistent <= perpendicular + 1e-9);
        }

        /// Distances alone give what coordinates give.
        #[test]
        fn distances_and_coordinates_agree(
            inflation in 1.0..20.0f64, length in 0.1..30.0f64, slowness in 1.0..5.0f64,
            x in -20.0..40.0f64, y in -20.0..20.0f64, perpendicular: bool,
        ) {
            let projection = if perpendicular { Projection::Perpendicular } else { Projection::Consistent };
            let cost = length * slowness;
            let (attraction, segment) = segment(projection, inflation, length, cost);
            let at = Place::flat(x, y);
            let ends = Ends { at_beginning: cost, at_end: 0.0, cost };
            let by_distances = attraction.estimate_by_distances(
                METRES.between(at, segment.from()), METRES.between(at, segment.to()), length, ends,
            ).unwrap();
            let exact = segment.estimate(&METRES, attraction, at);
            prop_assert!((by_distances - exact).abs() < 1e-3, "{by_distances} {exact}");
        }
    }

    #[test]
    fn approaching_and_following_at_once_breaks_the_perpendicular_inflation() {
        let step = 0.4;
        let fifth = 1.0 / 5f64.sqrt();
        let (before, after) = (
            Place::flat(5.0, 1.0),
            Place::flat(5.0 + step * fifth, 1.0 - step * 2.0 * fifth),
        );
        let drop = |projection| {
            let (attraction, segment) = segment(projection, 2.0, 10.0, 10.0);
            segment.estimate(&METRES, attraction, before)
                - segment.estimate(&METRES, attraction, after)
        };
        assert!((drop(Projection::Perpendicular) - 0.894_427).abs() < 1e-6);
        assert!(drop(Projection::Consistent) <= 2.0 * step + 1e-12);
    }

    #[test]
    fn an_end_that_cannot_be_reached_is_left_out() {
        let attraction = Attraction {
            inflation: 2.0,
            projection: Projection::Perpendicular,
        };
        let ends = Ends {
            at_beginning: 9.0,
            at_end: 5.0,
            cost: 4.0,
        };
        let never = f64::INFINITY;
        assert_eq!(
            attraction.estimate_by_distances(never, never, 4.0, ends),
            None
        );
        assert_eq!(
            attraction.estimate_by_distances(never, 1.0, 4.0, ends),
            Some(7.0)
        );
        assert_eq!(
            attraction.estimate_by_distances(1.0, never, 4.0, ends),
            Some(11.0)
        );
    }
}
