//! Many rails, and the one that draws most: by looking at all of them, or only at those in boxes
//! that can hold it. Both give the same, to the bit.
//!
//! Trees from elsewhere find what is nearest. Here what remains counts as well, so that each box
//! must say both how far it is and how little remains in it at least.

use crate::rail::{Pull, Rail};
use crate::{Distance, Place};

/// How many boxes are looked at together. Eight floats fill two vector registers of the smallest
/// machine.
const FAN: usize = 8;

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
    /// Groups of eight boxes compared so far.
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
    scale: f32,
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
                let fans: Vec<Fan> = boxes.chunks(FAN).map(Fan::of).collect();
                boxes = boxes.chunks(FAN).map(Bounds::around).collect();
                levels.push(fans);
            }
        }
        Rails {
            pull,
            rails,
            levels,
            // Rounded towards less, so that nothing is ruled out by it.
            scale: (scale * (1.0 - ROUNDING)) as f32,
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
        let mut least = Least::below(bound);
        for (number, rail) in self.rails.iter().enumerate() {
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
        let Some(top) = self.levels.len().checked_sub(1) else {
            hint.rails += self.rails.len() as u64;
            return self.least_by_scan(distance, at, bound);
        };
        if [at.x, at.y, at.z].iter().any(|x| x.abs() >= FARTHEST) {
            hint.rails += self.rails.len() as u64;
            return self.least_by_scan(distance, at, bound);
        }
        let mut least = Least::below(bound);
        if let Some(rail) = self.rails.get(hint.nearest as usize) {
            hint.rails += 1;
            least.offer(rail.estimate(distance, self.pull, at), hint.nearest);
        }
        let seed = hint.nearest;
        let question = Question {
            at,
            small: [at.x as f32, at.y as f32, at.z as f32],
            seed,
        };
        self.look(distance, &question, top, 0, &mut least, hint);
        if least.rail != NOWHERE {
            hint.nearest = least.rail;
        }
        least
    }

    fn look(
        &self,
        distance: &impl Distance,
        question: &Question,
        level: usize,
        fan: usize,
        least: &mut Least,
        hint: &mut Hint,
    ) {
        hint.fans += 1;
        let mut bounds = self.levels[level][fan].bounds(question.small, self.scale);
        loop {
            // The most promising first, because it may rule out the others.
            let (mut child, mut bound) = (0, bounds[0]);
            for (number, other) in bounds.iter().enumerate().skip(1) {
                if *other < bound {
                    (child, bound) = (number, *other);
                }
            }
            // Empty boxes are infinitely far.
            if bound == f32::INFINITY || f64::from(bound) > least.estimate {
                return;
            }
            bounds[child] = f32::INFINITY;
            let number = fan * FAN + child;
            if level > 0 {
                self.look(distance, question, level - 1, number, least, hint);
            } else if number as u32 != question.seed {
                hint.rails += 1;
                let estimate = self.rails[number].estimate(distance, self.pull, question.at);
                least.offer(estimate, number as u32);
            }
        }
    }
}

struct Question {
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

/// Eight boxes, coordinate by coordinate, so that they are compared together.
#[derive(Clone, Debug)]
struct Fan {
    low: [[f32; FAN]; 3],
    high: [[f32; FAN]; 3],
    least: [f32; FAN],
}

impl Fan {
    fn of(boxes: &[Bounds]) -> Fan {
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
                fan.low[axis][number] = (bounds.low[axis] - wider) as f32;
                fan.high[axis][number] = (bounds.high[axis] + wider) as f32;
            }
            fan.least[number] = (bounds.least * (1.0 - ROUNDING)) as f32;
        }
        fan
    }

    /// What an estimate at `at` is at least, for each of the boxes.
    #[inline]
    fn bounds(&self, at: [f32; 3], scale: f32) -> [f32; FAN] {
        let mut squares = [0f32; FAN];
        for axis in 0..3 {
            let (low, high, at) = (&self.low[axis], &self.high[axis], at[axis]);
            for number in 0..FAN {
                let outside = (low[number] - at).max(at - high[number]).max(0.0);
                squares[number] += outside * outside;
            }
        }
        let mut bounds = [0f32; FAN];
        for number in 0..FAN {
            let bound = self.least[number] + squares[number].sqrt() * scale;
            bounds[number] = bound * (1.0 - ROUNDING as f32);
        }
        bounds
    }
}
