//! Many rails, and the one that draws most: by looking at all of them, or only at those in boxes
//! that can hold it. Both give the same, to the bit.
//!
//! Trees from elsewhere find what is nearest. Here what remains counts as well, so that each box
//! must say both how far it is and how little remains in it at least.

use crate::rail::{Pull, Rail};
use crate::{Distance, Place};

/// How many boxes are looked at together. Measured: eight make the tree too high, 32 the look too
/// long.
const FAN: usize = 16;

/// Coordinates beyond this are looked at one by one, because their squares would not fit the
/// boxes' small floats.
const FARTHEST: f64 = 1e15;

/// Boxes are compared with small floats, each rounded a few times. A box is ruled out only if it is
/// worse by more than this part of itself.
const ROUNDING: f64 = 1e-6;

/// Whether to look only where it is worth it, or everywhere. Values are the same; the second exists
/// for experiments that reproduce what looking everywhere costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lookup {
    /// By boxes around neighbouring ways, and boxes around boxes.
    #[default]
    Boxes,
    /// Each way, every time.
    Scan,
}

/// Where the last question was answered, which is likely where the next one will be; and how much
/// was looked at.
///
/// ```
/// use apprentice_experience::Hint;
///
/// assert_eq!(Hint::default().rails, 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hint {
    nearest: u32,
    /// Pieces of demonstrations estimated so far.
    pub rails: u64,
    /// Groups of sixteen boxes compared so far.
    pub fans: u64,
}

impl Default for Hint {
    fn default() -> Hint {
        Hint {
            nearest: NOWHERE,
            rails: 0,
            fans: 0,
        }
    }
}

/// The number of no rail.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// The least estimate, and which rail gave it; the first among equals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Least {
    pub estimate: f64,
    pub rail: u32,
}

impl Least {
    /// Nothing found yet that is less than `bound`.
    #[inline]
    pub(crate) fn below(bound: f64) -> Least {
        Least {
            estimate: bound,
            rail: NOWHERE,
        }
    }

    #[inline]
    fn offer(&mut self, estimate: f64, rail: u32) {
        if estimate < self.estimate || (estimate == self.estimate && rail < self.rail) {
            *self = Least { estimate, rail };
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Rails {
    pull: Pull,
    rails: Vec<Rail>,
    /// The boxes of single rails first, the one fan around everything last; none where scanning is
    /// all that can be done.
    levels: Vec<Vec<Fan>>,
    /// Seconds, inflated, for each unit of length.
    scale: f64,
    /// All at one height, which is then no reason to rule anything out.
    is_flat: bool,
}

impl Rails {
    pub(crate) fn new(
        distance: &impl Distance,
        pull: Pull,
        rails: Vec<Rail>,
        lookup: Lookup,
    ) -> Rails {
        let speed = distance.top_speed();
        let scale = if speed > 0.0 {
            pull.inflation / speed
        } else {
            0.0
        };
        let mut levels: Vec<Vec<Fan>> = Vec::new();
        let is_near = |place: Place| {
            [place.x, place.y, place.z]
                .iter()
                .all(|x| x.abs() < FARTHEST)
        };
        let fits = rails
            .iter()
            .all(|rail| is_near(rail.from()) && is_near(rail.to()));
        if lookup == Lookup::Boxes && fits && rails.len() > FAN && scale < FARTHEST {
            let mut boxes: Vec<Bounds> = rails.iter().map(Bounds::of).collect();
            while levels.last().is_none_or(|top| top.len() > 1) {
                let fans: Vec<Fan> = boxes
                    .chunks(FAN)
                    .map(|boxes| Fan::of(boxes, scale))
                    .collect();
                boxes = boxes.chunks(FAN).map(Bounds::around).collect();
                levels.push(fans);
            }
        }
        let height = rails.first().map(|rail| rail.to().z);
        let is_flat = |rail: &Rail| Some(rail.from().z) == height && Some(rail.to().z) == height;
        Rails {
            pull,
            is_flat: rails.iter().all(is_flat),
            rails,
            levels,
            scale,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.rails.len()
    }

    pub(crate) fn get(&self, rail: u32) -> Option<&Rail> {
        self.rails.get(rail as usize)
    }

    /// The greatest cost of any rail for each second of its length; 1 if there are none.
    pub(crate) fn greatest_rate(&self) -> f64 {
        self.rails.iter().map(Rail::rate).fold(1.0, f64::max)
    }

    pub(crate) fn pull(&self) -> Pull {
        self.pull
    }

    /// What [`least`](Rails::least) says, by looking at every rail.
    pub(crate) fn least_by_scan(&self, distance: &impl Distance, at: Place, bound: f64) -> Least {
        self.least_of_first_by_scan(self.rails.len(), distance, at, bound)
    }

    fn least_of_first_by_scan(
        &self,
        count: usize,
        distance: &impl Distance,
        at: Place,
        bound: f64,
    ) -> Least {
        let mut least = Least::below(bound);
        for (number, rail) in self.rails[..count].iter().enumerate() {
            least.offer(rail.estimate(distance, self.pull, at), number as u32);
        }
        least
    }

    /// The rail with the least estimate at `at`, if that is not above `bound`.
    #[inline]
    pub(crate) fn least(
        &self,
        distance: &impl Distance,
        at: Place,
        bound: f64,
        hint: &mut Hint,
    ) -> Least {
        self.least_of_first(self.rails.len(), distance, at, bound, hint)
    }

    /// The same among the first `count` rails.
    #[inline]
    pub(crate) fn least_of_first(
        &self,
        count: usize,
        distance: &impl Distance,
        at: Place,
        bound: f64,
        hint: &mut Hint,
    ) -> Least {
        let is_far = [at.x, at.y, at.z].iter().any(|x| x.abs() >= FARTHEST);
        let Some(top) = self.levels.len().checked_sub(1).filter(|_| !is_far) else {
            hint.rails += count as u64;
            return self.least_of_first_by_scan(count, distance, at, bound);
        };
        let mut least = Least::below(bound);
        if let Some(rail) = self.rails[..count].get(hint.nearest as usize) {
            hint.rails += 1;
            least.offer(rail.estimate(distance, self.pull, at), hint.nearest);
        }
        let seed = hint.nearest;
        let question = Question {
            count,
            at,
            small: [at.x, at.y, at.z].map(|x| (x * self.scale) as f32),
            seed,
        };
        if self.is_flat {
            self.look::<2>(distance, &question, top, 0, &mut least, hint);
        } else {
            self.look::<3>(distance, &question, top, 0, &mut least, hint);
        }
        if least.rail != NOWHERE {
            hint.nearest = least.rail;
        }
        least
    }

    fn look<const AXES: usize>(
        &self,
        distance: &impl Distance,
        question: &Question,
        level: usize,
        fan: usize,
        least: &mut Least,
        hint: &mut Hint,
    ) {
        hint.fans += 1;
        let mut bounds = [0f32; FAN];
        let boxes = &self.levels[level][fan];
        let mut open = boxes.open::<AXES>(question.small, least.estimate, &mut bounds);
        while open != 0 {
            // The most promising first, because it may rule out the others.
            let mut child = open.trailing_zeros() as usize;
            let mut others = open & (open - 1);
            while others != 0 {
                let other = others.trailing_zeros() as usize;
                others &= others - 1;
                if bounds[other] < bounds[child] {
                    child = other;
                }
            }
            open &= !(1 << child);
            if f64::from(bounds[child]) > least.estimate {
                return;
            }
            let number = fan * FAN + child;
            if level > 0 {
                self.look::<AXES>(distance, question, level - 1, number, least, hint);
            } else if number as u32 != question.seed && number < question.count {
                hint.rails += 1;
                let estimate = self.rails[number].estimate(distance, self.pull, question.at);
                least.offer(estimate, number as u32);
            }
        }
    }
}

struct Question {
    /// Only so many rails are asked for, the first ones. Boxes with others in them are no reason
    /// to rule anything out.
    count: usize,
    at: Place,
    /// The same place in small floats.
    small: [f32; 3],
    /// The rail that was looked at first.
    seed: u32,
}

/// A box around rails, and the least that remains on any of them.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: [f64; 3],
    high: [f64; 3],
    least: f64,
}

impl Bounds {
    fn of(rail: &Rail) -> Bounds {
        let (from, to) = (rail.from(), rail.to());
        Bounds {
            low: [from.x.min(to.x), from.y.min(to.y), from.z.min(to.z)],
            high: [from.x.max(to.x), from.y.max(to.y), from.z.max(to.z)],
            least: rail.least(),
        }
    }

    fn around(boxes: &[Bounds]) -> Bounds {
        let mut around = boxes[0];
        for other in &boxes[1..] {
            for axis in 0..3 {
                around.low[axis] = around.low[axis].min(other.low[axis]);
                around.high[axis] = around.high[axis].max(other.high[axis]);
            }
            around.least = around.least.min(other.least);
        }
        around
    }
}

/// Some boxes, coordinate by coordinate, so that they are compared together. Coordinates are in
/// inflated seconds.
#[derive(Clone, Debug)]
struct Fan {
    low: [[f32; FAN]; 3],
    high: [[f32; FAN]; 3],
    least: [f32; FAN],
}

impl Fan {
    fn of(boxes: &[Bounds], scale: f64) -> Fan {
        let mut fan = Fan {
            low: [[0.0; FAN]; 3],
            high: [[0.0; FAN]; 3],
            least: [f32::INFINITY; FAN],
        };
        for (number, bounds) in boxes.iter().enumerate() {
            // As wide as rounding these coordinates, and one up to twice as far from the origin, can
            // make it.
            let coordinates = bounds.low.iter().chain(&bounds.high);
            let wider = coordinates.fold(0.0, |far: f64, x| far.max(x.abs())) * (2.0 * ROUNDING);
            for axis in 0..3 {
                fan.low[axis][number] = ((bounds.low[axis] - wider) * scale) as f32;
                fan.high[axis][number] = ((bounds.high[axis] + wider) * scale) as f32;
            }
            fan.least[number] = (bounds.least * (1.0 - ROUNDING)) as f32;
        }
        fan
    }

    /// What an estimate at `at` is at least, for each of the boxes, and a bit for each box in which
    /// it may be no more than `most`. Empty boxes are infinitely far.
    #[inline(always)]
    fn open<const AXES: usize>(&self, at: [f32; 3], most: f64, bounds: &mut [f32; FAN]) -> u32 {
        // Rounded towards more.
        let most = (most * (1.0 + ROUNDING)) as f32;
        let most = if most < f32::MAX { most } else { f32::MAX };
        let mut squares = [0f32; FAN];
        for axis in 0..AXES {
            let (low, high, at) = (&self.low[axis], &self.high[axis], at[axis]);
            for number in 0..FAN {
                // Comparisons instead of `max`, which would make sure of what cannot be here.
                let (below, above) = (low[number] - at, at - high[number]);
                let outside = if below > above { below } else { above };
                let outside = if outside > 0.0 { outside } else { 0.0 };
                squares[number] += outside * outside;
            }
        }
        for number in 0..FAN {
            let bound = self.least[number] + squares[number].sqrt();
            bounds[number] = bound * (1.0 - 2.0 * ROUNDING as f32);
        }
        let mut open = 0;
        for (number, bound) in bounds.iter().enumerate() {
            open |= u32::from(*bound <= most) << number;
        }
        open
    }
}
