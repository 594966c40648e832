//! Sixteen lanes that are estimated together, in small floats and a little too low, so that as a
//! rule only the one that draws most is looked at. A lane is a segment, or stands for sixteen segments in a
//! row that are a bundle themselves.
//!
//! With `x` the way from a segment's end to who is asked for, `along` and `across` its parts, and ε the
//! inflation, a segment's estimate is
//!
//! ε·√(across² + (along − u)²) + rate·u + what remains at its end,
//!
//! with `u`, the part that is still ahead when it is joined, between 0 and its length. That is one
//! formula for all three cases of [`GuideSegment::estimate`].
//!
//! # How much too low
//!
//! Coordinates count from a point near the segments, in seconds. If none is above `M`, each step of the
//! computation loses a few times 2⁻²⁴ of `M`, `u` up to 35·lead of those, and the estimate changes by
//! no more than ε + rate for each second any of them changes. All together that is less than
//! 80·(1 + lead)·(ε + rate)·M of them.

use crate::segment::{Attraction, GuideSegment};
use crate::{Line, Place};

/// How many lanes or boxes are looked at together.
pub(crate) const FAN: usize = 16;

/// What small floats lose, for each second of distance; see above.
const LOSS: f64 = 5e-6;

/// Where segments cost more than so many times the inflation, as where somebody waited, how far along
/// one is says little about where one is, and much is lost. They are then taken for free.
const STEEPEST: f64 = 16.0;

// In whole lines of the cache.
#[repr(align(64))]
#[derive(Clone, Debug)]
pub(crate) struct Bundle {
    /// Where coordinates count from, and what is taken off all that remains, so that small floats
    /// have small numbers.
    origin: [f64; 3],
    base: f64,
    end: [[f32; FAN]; 3],
    back: [[f32; FAN]; 3],
    length: [f32; FAN],
    rate: [f32; FAN],
    lead: [f32; FAN],
    remaining: [f32; FAN],
    /// What is lost for each second the farthest coordinate is away.
    loss: [f32; FAN],
    /// No coordinate of an end is farther.
    farthest: f64,
    /// The number of the first segment, or of the first bundle of segments.
    pub first: u32,
}

impl Bundle {
    /// Up to sixteen lanes, the first of which has that number. One unit of length takes `scale`
    /// seconds.
    pub(crate) fn of(first: usize, lanes: &[Lane], attraction: Attraction, scale: f64) -> Bundle {
        let origin = coordinates(lanes[0].end).map(|x| x * scale);
        let least = lanes.iter().map(|lane| lane.least);
        let base = least.fold(f64::INFINITY, f64::min);
        let mut bundle = Bundle {
            origin,
            base,
            end: [[0.0; FAN]; 3],
            back: [[0.0; FAN]; 3],
            length: [0.0; FAN],
            rate: [0.0; FAN],
            lead: [0.0; FAN],
            remaining: [f32::INFINITY; FAN],
            loss: [0.0; FAN],
            // Far from where all coordinates count from, large floats lose something, too.
            farthest: origin.iter().fold(0.0, |far: f64, x| far.max(x.abs())) * 1e-9,
            first: first as u32,
        };
        for (number, lane) in lanes.iter().enumerate() {
            for (axis, origin) in origin.iter().enumerate() {
                let end = coordinates(lane.end)[axis] * scale - origin;
                bundle.farthest = bundle.farthest.max(end.abs());
                bundle.end[axis][number] = end as f32;
                bundle.back[axis][number] = coordinates(lane.back)[axis] as f32;
            }
            bundle.length[number] = lane.length as f32;
            bundle.rate[number] = lane.rate as f32;
            bundle.lead[number] = lane.lead as f32;
            let remaining = lane.remaining - base;
            bundle.remaining[number] = (remaining - remaining.abs() * LOSS) as f32;
            bundle.loss[number] =
                (LOSS * (1.0 + lane.lead) * (attraction.inflation + lane.rate)) as f32;
        }
        bundle
    }

    /// What an estimate at `at` (in seconds) is at least, less the base, for each of the lanes.
    #[inline(always)]
    pub(crate) fn promises<const AXES: usize>(&self, at: [f64; 3], inflation: f32) -> Promises {
        let offsets: [f64; AXES] = std::array::from_fn(|axis| at[axis] - self.origin[axis]);
        let far = |far: f64, x: &f64| if x.abs() > far { x.abs() } else { far };
        let far = (offsets.iter().fold(self.farthest, far) * 2.0) as f32;
        let small = offsets.map(|x| x as f32);
        let mut bounds = [0f32; FAN];
        for (number, bound) in bounds.iter_mut().enumerate() {
            let offset: [f32; AXES] =
                std::array::from_fn(|axis| small[axis] - self.end[axis][number]);
            let back: [f32; AXES] = std::array::from_fn(|axis| self.back[axis][number]);
            let mut along = offset[0] * back[0];
            for axis in 1..AXES {
                along += offset[axis] * back[axis];
            }
            let across = across(offset, back, along);
            let ahead = along - across * self.lead[number];
            // Comparisons instead of `clamp`, which would make sure of what cannot be here.
            let length = self.length[number];
            let ahead = if ahead > 0.0 { ahead } else { 0.0 };
            let ahead = if ahead < length { ahead } else { length };
            let beyond = along - ahead;
            let off = (across * across + beyond * beyond).sqrt() * inflation;
            let rest = ahead * self.rate[number] + self.remaining[number];
            *bound = off + rest - far * self.loss[number];
        }
        Promises::new(bounds)
    }

    /// What an estimate at `at` (in seconds) is at least by way of any of the lanes.
    pub(crate) fn least<const AXES: usize>(&self, at: [f64; 3], inflation: f32) -> f64 {
        let least = f64::from(self.promises::<AXES>(at, inflation).least());
        self.base + least * (1.0 - 2.0 * LOSS)
    }

    /// As an estimate compares with these bounds, a little more.
    #[inline(always)]
    pub(crate) fn most(&self, most: f64) -> f32 {
        let most = most - self.base;
        let most = (most + most.abs() * LOSS) as f32;
        if most < f32::MAX { most } else { f32::MAX }
    }
}

/// What a bundle knows of a segment, or of sixteen segments in a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lane {
    end: Place,
    /// The direction from its end back to its beginning; any for a point.
    back: Place,
    length: f64,
    rate: f64,
    lead: f64,
    /// What remains at its end at least.
    remaining: f64,
    /// What remains anywhere on it at least.
    least: f64,
}

/// How far one is from a point is the same in any direction.
const ANYWHERE: Place = Place {
    x: 1.0,
    y: 0.0,
    z: 0.0,
};

impl Lane {
    pub(crate) fn of(segment: &GuideSegment, attraction: Attraction) -> Lane {
        let slope = segment.slope();
        let is_steep = slope.rate > STEEPEST * attraction.inflation;
        let rate = if is_steep { 0.0 } else { slope.rate };
        // Somebody before the beginning may know a shorter way on from there.
        let shorter = segment.at_end() + rate * slope.length - segment.at_beginning();
        Lane {
            end: segment.to(),
            back: if slope.length == 0.0 {
                ANYWHERE
            } else {
                slope.back
            },
            length: slope.length,
            rate,
            lead: slope.lead,
            remaining: segment.at_end() - shorter.max(0.0),
            least: segment.at_end().min(segment.at_beginning()),
        }
    }

    /// A lane from the first to the last of some segments in a row, by which no estimate is more than
    /// by way of any of them.
    ///
    /// Let c(u) be its point u seconds before its end, and x a point of a segment, for which we choose
    /// some u. Then ε·|a − x| + what remains at x is at least ε·|a − c(u)| + rate·u plus the least of
    /// what remains at x − rate·u − ε·|x − c(u)|. If u changes evenly along a segment, that is least at
    /// one of its ends.
    pub(crate) fn along(segments: &[GuideSegment], attraction: Attraction, scale: f64) -> Lane {
        let (first, last) = (&segments[0], &segments[segments.len() - 1]);
        let (from, to) = (first.from(), last.to());
        let length = from.distance_to(to) * scale;
        let is_line = length > Line::SHORTEST;
        let way = |from: f64, to: f64| (from - to) * scale / length;
        let back = if is_line {
            Place::new(way(from.x, to.x), way(from.y, to.y), way(from.z, to.z))
        } else {
            ANYWHERE
        };
        let length = if is_line { length } else { 0.0 };
        let rate = (first.at_beginning() - last.at_end()) / length;
        // Any will do; where it is near the inflation, much is lost by rounding.
        let rate = if is_line && rate > 0.0 {
            rate.min(0.5 * attraction.inflation)
        } else {
            0.0
        };
        let mut lane = Lane {
            end: to,
            back,
            length,
            rate,
            lead: rate / (attraction.inflation * attraction.inflation - rate * rate).sqrt(),
            remaining: f64::INFINITY,
            least: f64::INFINITY,
        };
        for segment in segments {
            let ends = [
                (segment.from(), segment.at_beginning()),
                (segment.to(), segment.at_end()),
            ];
            for (place, remaining) in ends {
                let off = [place.x - to.x, place.y - to.y, place.z - to.z].map(|x| x * scale);
                let back = coordinates(back);
                let along: f64 = off.iter().zip(back).map(|(x, back)| x * back).sum();
                let along = along.clamp(0.0, length);
                let across = off.iter().zip(back).map(|(x, back)| x - along * back);
                let across = across.map(|x| x * x).sum::<f64>().sqrt();
                let at_end = remaining - rate * along - attraction.inflation * across;
                lane.remaining = lane.remaining.min(at_end);
                lane.least = lane.least.min(remaining);
            }
        }
        lane
    }
}

/// How far `offset` leads off a line in direction `back`, along which it leads so far. On flat
/// ground that takes no root.
#[inline(always)]
fn across<const AXES: usize>(offset: [f32; AXES], back: [f32; AXES], along: f32) -> f32 {
    if AXES == 2 {
        return (offset[0] * back[1] - offset[1] * back[0]).abs();
    }
    let mut square = 0f32;
    for axis in 0..AXES {
        let across = offset[axis] - along * back[axis];
        square += across * across;
    }
    square.sqrt()
}

/// Sixteen lower bounds, each with its number in it, so that finding the least finds whose it is.
///
/// Bounds are no less than nothing, and such floats compare as the whole numbers with the same bits.
/// The last four bits become the number, and are left out of comparisons with what was found.
pub(crate) struct Promises([i32; FAN]);

const NUMBER: i32 = FAN as i32 - 1;

impl Promises {
    #[inline(always)]
    pub(crate) fn new(bounds: [f32; FAN]) -> Promises {
        Promises(std::array::from_fn(|number| {
            let bound = bounds[number];
            let bound = if bound > 0.0 { bound } else { 0.0 };
            bound.to_bits() as i32 & !NUMBER | number as i32
        }))
    }

    /// Looks at what has these bounds, the most promising first because it may rule out the others.
    /// `most` is the greatest bound that is not ruled out by what was `found` so far. Returns the
    /// least that was ruled out.
    #[inline(always)]
    pub(crate) fn look<T>(
        &self,
        found: &mut T,
        most: impl Fn(&T) -> f32,
        mut look: impl FnMut(&mut T, usize),
    ) -> f32 {
        let mut last = -1;
        loop {
            let next = self.after(last);
            if next <= last {
                return f32::INFINITY;
            }
            if next & !NUMBER > most(found).to_bits() as i32 {
                return bound_of(next);
            }
            look(found, (next & NUMBER) as usize);
            last = next;
        }
    }

    /// The least bound.
    pub(crate) fn least(&self) -> f32 {
        bound_of(self.after(-1))
    }

    /// The least that is more than `last`; not more if there is none.
    ///
    /// Not inlined, because numbers that are still at hand are compared one by one, and those in
    /// memory four at a time.
    #[inline(never)]
    fn after(&self, last: i32) -> i32 {
        // As seen from there, what was before comes last.
        let origin = last.wrapping_add(1).wrapping_sub(i32::MIN);
        let later = self.0.iter().map(|promise| promise.wrapping_sub(origin));
        later.fold(i32::MAX, i32::min).wrapping_add(origin)
    }
}

fn bound_of(promise: i32) -> f32 {
    f32::from_bits((promise & !NUMBER) as u32)
}

fn coordinates(place: Place) -> [f64; 3] {
    [place.x, place.y, place.z]
}
