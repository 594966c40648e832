//! Sixteen boxes around segments, compared together: how little an estimate by way of anything in each
//! of them can be.
//!
//! Trees from elsewhere find what is nearest. Here what remains counts as well. Each box knows an
//! anchor `e`, the place in it with least remaining, and the greatest `b` such that at least
//! `b + |x − e|` remains at every place `x` in it. Along a demonstration that is nearly exact. So
//! with inflation ε, and `d` the distance from `a` to the box, an estimate by way of any `x` in it is
//!
//! ε·|a − x| + b + |x − e| ≥ (ε − 1)·d + |a − x| + |x − e| + b ≥ (ε − 1)·d + |a − e| + b.
//!
//! From one `a` to another this bound changes by no more than ε times the distance.

use std::ops::Range;

use super::lanes::{FAN, Promises};
use crate::Place;
use crate::segment::GuideSegment;

/// Boxes are compared with small floats, each rounded a few times. A box is ruled out only if it is
/// worse by more than this part of itself.
pub(crate) const ROUNDING: f64 = 1e-6;

/// A box around segments, the least that remains on any of them, and where that is.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    low: [f64; 3],
    high: [f64; 3],
    least: f64,
    anchor: Place,
    pub segments: Range<usize>,
    pub group: u32,
    /// What remains at least at any place on the segments, less the way from there to the anchor, as
    /// far as it is known; see [`Bounds::lower_base`].
    base: f64,
}

impl Bounds {
    pub(crate) fn of(segment: &GuideSegment, number: usize, group: u32) -> Bounds {
        let (from, to) = (segment.from(), segment.to());
        let is_to = segment.at_end() <= segment.at_beginning();
        let least = segment.at_end().min(segment.at_beginning());
        Bounds {
            low: [from.x.min(to.x), from.y.min(to.y), from.z.min(to.z)],
            high: [from.x.max(to.x), from.y.max(to.y), from.z.max(to.z)],
            least,
            anchor: if is_to { to } else { from },
            segments: number..number + 1,
            group,
            base: least,
        }
    }

    /// Boxes whose segments follow each other.
    pub(crate) fn around(boxes: impl IntoIterator<Item = Bounds>) -> Option<Bounds> {
        let mut boxes = boxes.into_iter();
        let mut around = boxes.next()?;
        for other in boxes {
            for axis in 0..3 {
                around.low[axis] = around.low[axis].min(other.low[axis]);
                around.high[axis] = around.high[axis].max(other.high[axis]);
            }
            if other.least < around.least {
                (around.least, around.anchor) = (other.least, other.anchor);
            }
            around.segments.end = other.segments.end;
        }
        around.base = around.least;
        Some(around)
    }

    /// Takes some of its segments into account; the base holds once it has seen all of them. One unit
    /// of length takes `scale` seconds.
    pub(crate) fn lower_base(&mut self, segments: &[GuideSegment], scale: f64) {
        let less =
            |place: Place, remaining: f64| remaining - place.distance_to(self.anchor) * scale;
        // Along a segment it is least at one of its ends.
        let ends = segments.iter().map(|segment| {
            less(segment.from(), segment.at_beginning()).min(less(segment.to(), segment.at_end()))
        });
        self.base = ends.fold(self.base, f64::min);
    }

    /// From its lowest to its highest coordinates.
    pub(crate) fn extent(&self) -> ([f64; 3], [f64; 3]) {
        (self.low, self.high)
    }
}

/// How many of these boxes go together into the next fan: neighbours, of the same group unless they
/// are all there is of theirs.
pub(crate) fn fan_length<T>(boxes: &[T], first: usize, group: impl Fn(&T) -> u32) -> usize {
    let group = |number: usize| boxes.get(number).map(&group);
    let is_alone = |number: usize| {
        let before = number.checked_sub(1).and_then(group);
        group(number + 1) != group(number) && before != group(number)
    };
    let goes_on = |number: usize| {
        group(number - 1) == group(number) || (is_alone(number - 1) && is_alone(number))
    };
    let most = (boxes.len() - first).min(FAN);
    (1..most)
        .find(|length| !goes_on(first + length))
        .unwrap_or(most)
}

/// Some boxes, coordinate by coordinate, so that they are compared together. Coordinates are in
/// seconds.
// In whole lines of the cache.
#[repr(align(64))]
#[derive(Clone, Debug)]
pub(crate) struct Fan {
    low: [[f32; FAN]; 3],
    high: [[f32; FAN]; 3],
    anchor: [[f32; FAN]; 3],
    base: [f32; FAN],
    /// The number of the first one, around a strand or a fan of the level below; the others follow.
    pub first: u32,
    /// The number of the first segment in them.
    pub first_rail: u32,
}

impl Fan {
    /// Up to sixteen boxes, the first of which has that number, with their bases known.
    pub(crate) fn of(first: usize, boxes: &[Bounds], scale: f64) -> Fan {
        let mut fan = Fan {
            low: [[0.0; FAN]; 3],
            high: [[0.0; FAN]; 3],
            anchor: [[0.0; FAN]; 3],
            base: [f32::INFINITY; FAN],
            first: first as u32,
            first_rail: boxes[0].segments.start as u32,
        };
        for (number, bounds) in boxes.iter().enumerate() {
            // As wide as rounding these coordinates, and one up to twice as far from the origin, can
            // make it.
            let coordinates = bounds.low.iter().chain(&bounds.high);
            let wider = coordinates.fold(0.0, |far: f64, x| far.max(x.abs())) * (4.0 * ROUNDING);
            let anchor = [bounds.anchor.x, bounds.anchor.y, bounds.anchor.z];
            for (axis, anchor) in anchor.into_iter().enumerate() {
                fan.low[axis][number] = ((bounds.low[axis] - wider) * scale) as f32;
                fan.high[axis][number] = ((bounds.high[axis] + wider) * scale) as f32;
                fan.anchor[axis][number] = (anchor * scale) as f32;
            }
            let base = bounds.base - bounds.base.abs() * ROUNDING - wider * scale;
            fan.base[number] = base as f32;
        }
        fan
    }

    /// What an estimate at `at` is at least by way of anything in each of the boxes. Empty boxes are
    /// infinitely far. `spread` is how much more than once the way to a segment counts.
    #[inline(always)]
    pub(crate) fn promises<const AXES: usize>(&self, at: [f32; 3], spread: f32) -> Promises {
        let mut squares = [0f32; FAN];
        let mut anchors = [0f32; FAN];
        for axis in 0..AXES {
            let (low, high, at) = (&self.low[axis], &self.high[axis], at[axis]);
            let anchor = &self.anchor[axis];
            for number in 0..FAN {
                // Comparisons instead of `max`, which would make sure of what cannot be here.
                let (below, above) = (low[number] - at, at - high[number]);
                let outside = if below > above { below } else { above };
                let outside = if outside > 0.0 { outside } else { 0.0 };
                squares[number] += outside * outside;
                let to_anchor = anchor[number] - at;
                anchors[number] += to_anchor * to_anchor;
            }
        }
        let mut bounds = [0f32; FAN];
        for number in 0..FAN {
            let way = anchors[number].sqrt() + squares[number].sqrt() * spread;
            bounds[number] = self.base[number] + way * (1.0 - 4.0 * ROUNDING as f32);
        }
        Promises::new(bounds)
    }

    /// As an estimate compares with these bounds, a little more.
    #[inline(always)]
    pub(crate) fn most(estimate: f64) -> f32 {
        let most = (estimate + estimate.abs() * ROUNDING) as f32;
        if most < f32::MAX { most } else { f32::MAX }
    }
}
