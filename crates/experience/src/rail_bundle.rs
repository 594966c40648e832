//! Sixteen rails that are estimated together, in small floats and a little too low, so that as a
//! rule only the one that draws most is estimated exactly.
//!
//! With `x` the way from a rail's end to who is asked for, `along` and `across` its parts, and ε the
//! inflation, a rail's estimate is
//!
//! ε·√(across² + (along − u)²) + rate·u + what remains at its end,
//!
//! with `u`, the part that is still ahead when it is joined, between 0 and its length. That is one
//! formula for all three cases of [`Rail::estimate`].
//!
//! # How much too low
//!
//! Coordinates count from a point near the rails, in seconds. If none is above `M`, each step of the
//! computation loses a few times 2⁻²⁴ of `M`, `u` up to 35·lead of those, and the estimate changes by
//! no more than ε + rate for each second any of them changes. All together that is less than
//! 80·(1 + lead)·(ε + rate)·M of them.

use crate::Place;
use crate::rail::{Pull, Rail};

/// How many rails are looked at together.
pub(crate) const FAN: usize = 16;

/// What small floats lose, for each second of distance; see above.
const LOSS: f64 = 5e-6;

/// Where rails cost more than so many times the inflation, as where somebody waited, how far along
/// one is says little about where one is, and much is lost. They are then taken for free.
const STEEPEST: f64 = 16.0;

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
    /// The number of the first rail.
    pub first: u32,
    /// The fan this bundle is in.
    pub parent: u32,
}

impl Bundle {
    /// Up to sixteen rails, the first of which has that number. One unit of length takes `scale`
    /// seconds.
    pub(crate) fn of(first: usize, rails: &[Rail], pull: Pull, scale: f64) -> Bundle {
        let origin = coordinates(rails[0].to()).map(|x| x * scale);
        let base = rails.iter().map(Rail::at_end).fold(f64::INFINITY, f64::min);
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
            parent: 0,
        };
        for (number, rail) in rails.iter().enumerate() {
            let slope = rail.slope();
            for (axis, origin) in origin.iter().enumerate() {
                let end = coordinates(rail.to())[axis] * scale - origin;
                bundle.farthest = bundle.farthest.max(end.abs());
                bundle.end[axis][number] = end as f32;
                bundle.back[axis][number] = coordinates(slope.back)[axis] as f32;
            }
            let is_steep = slope.rate > STEEPEST * pull.inflation;
            let rate = if is_steep { 0.0 } else { slope.rate };
            bundle.length[number] = slope.length as f32;
            bundle.rate[number] = rate as f32;
            bundle.lead[number] = slope.lead as f32;
            // Somebody before the beginning may know a shorter way on from there.
            let shorter = rail.at_end() + rate * slope.length - rail.at_beginning();
            let remaining = rail.at_end() - base - shorter.max(0.0);
            bundle.remaining[number] = (remaining - remaining.abs() * LOSS) as f32;
            bundle.loss[number] = (LOSS * (1.0 + slope.lead) * (pull.inflation + rate)) as f32;
        }
        bundle
    }

    /// What an estimate at `at` (in seconds) is at least, less the base, for each of the rails, and
    /// a bit for each that may be no more than `most`.
    #[inline(always)]
    pub(crate) fn open<const AXES: usize>(
        &self,
        at: [f64; 3],
        inflation: f32,
        most: f64,
        bounds: &mut [f32; FAN],
    ) -> u32 {
        let offsets: [f64; AXES] = std::array::from_fn(|axis| at[axis] - self.origin[axis]);
        let far = |far: f64, x: &f64| if x.abs() > far { x.abs() } else { far };
        let far = (offsets.iter().fold(self.farthest, far) * 2.0) as f32;
        let small = offsets.map(|x| x as f32);
        for (number, bound) in bounds.iter_mut().enumerate() {
            let offset: [f32; AXES] =
                std::array::from_fn(|axis| small[axis] - self.end[axis][number]);
            let mut along = 0f32;
            for (axis, offset) in offset.iter().enumerate() {
                along += offset * self.back[axis][number];
            }
            let mut across_squared = 0f32;
            for (axis, offset) in offset.iter().enumerate() {
                let across = offset - along * self.back[axis][number];
                across_squared += across * across;
            }
            let ahead = along - across_squared.sqrt() * self.lead[number];
            // Comparisons instead of `clamp`, which would make sure of what cannot be here.
            let length = self.length[number];
            let ahead = if ahead > 0.0 { ahead } else { 0.0 };
            let ahead = if ahead < length { ahead } else { length };
            let beyond = along - ahead;
            let off = (across_squared + beyond * beyond).sqrt() * inflation;
            let rest = ahead * self.rate[number] + self.remaining[number];
            *bound = off + rest - far * self.loss[number];
        }
        bits_up_to(bounds, self.most(most))
    }

    /// As an estimate less the base compares with bounds, a little more.
    #[inline(always)]
    pub(crate) fn most(&self, most: f64) -> f32 {
        let most = most - self.base;
        let most = (most + most.abs() * LOSS) as f32;
        if most < f32::MAX { most } else { f32::MAX }
    }
}

/// A bit for each bound that is no more than `most`.
#[inline(always)]
pub(crate) fn bits_up_to(bounds: &[f32; FAN], most: f32) -> u32 {
    // Four lanes at a time, which the smallest machine compares at once.
    let mut lanes = [0u32; 4];
    for (bounds, bits) in bounds.chunks_exact(4).zip(BITS.chunks_exact(4)) {
        for lane in 0..4 {
            lanes[lane] |= if bounds[lane] <= most { bits[lane] } else { 0 };
        }
    }
    lanes[0] | lanes[1] | lanes[2] | lanes[3]
}

/// Takes the bit of the least bound out of those that are open.
#[inline(always)]
pub(crate) fn take_least(bounds: &[f32; FAN], open: &mut u32) -> usize {
    let mut least = open.trailing_zeros() as usize;
    let mut others = *open & (*open - 1);
    while others != 0 {
        let other = others.trailing_zeros() as usize;
        others &= others - 1;
        if bounds[other] < bounds[least] {
            least = other;
        }
    }
    *open &= !(1 << least);
    least
}

fn coordinates(place: Place) -> [f64; 3] {
    [place.x, place.y, place.z]
}

/// A bit for each rail or box that is looked at together.
const BITS: [u32; FAN] = {
    let mut bits = [0; FAN];
    let mut number = 0;
    while number < FAN {
        bits[number] = 1 << number;
        number += 1;
    }
    bits
};
