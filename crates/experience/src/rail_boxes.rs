//! Many rails, and the one that draws most: by looking at all of them, or only at those in boxes
//! that can hold it. Both give the same, to the bit.
//!
//! Sixteen rails are a bundle, estimated together in small floats (see [`crate::rail_bundle`]);
//! around sixteen bundles there are sixteen boxes, a fan, and so on.
//!
//! Trees from elsewhere find what is nearest. Here what remains counts as well. Each box knows an
//! anchor `e`, the place in it with least remaining, and the greatest `b` such that at least
//! `b + |x − e|` remains at every place `x` in it. Along a demonstration that is nearly exact. So
//! with inflation ε, and `d` the distance from `a` to the box, an estimate by way of any `x` in it is
//!
//! ε·|a − x| + b + |x − e| ≥ (ε − 1)·d + |a − x| + |x − e| + b ≥ (ε − 1)·d + |a − e| + b.

use std::ops::Range;

use crate::rail::{Pull, Rail};
use crate::rail_bundle::{Bundle, FAN, bits_up_to, take_least};
use crate::{Distance, Place};

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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hint {
    nearest: u32,
    place: Place,
    /// Pieces of demonstrations estimated so far.
    pub rails: u64,
    /// Groups of sixteen boxes, or of sixteen pieces in small floats, compared so far.
    pub fans: u64,
}

impl Default for Hint {
    fn default() -> Hint {
        Hint {
            nearest: NOWHERE,
            place: Place::default(),
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
    /// Sixteen rails each; none where scanning is all that can be done.
    bundles: Vec<Bundle>,
    /// The boxes of bundles first, the one fan around everything last.
    levels: Vec<Vec<Fan>>,
    /// How far from the last question it is still worth to begin where that was answered: a few
    /// bundles.
    near: f64,
    /// The bundle each rail is in.
    bundle_of: Vec<u32>,
    /// Seconds for each unit of length.
    scale: f64,
    /// Coordinates from here on are not looked up in boxes.
    farthest: f64,
    /// How much the way to a rail counts, and how much more than once.
    inflation: f32,
    spread: f32,
    /// All at one height, which is then no reason to rule anything out.
    is_flat: bool,
}

impl Rails {
    /// Rails that belong together follow each other, and have the same group. Where there is a
    /// choice, boxes hold rails of one group only, because others are elsewhere.
    pub(crate) fn new(
        distance: &impl Distance,
        pull: Pull,
        rails: Vec<Rail>,
        groups: &[u32],
        lookup: Lookup,
    ) -> Rails {
        // No time at all for each unit of length says nothing about where a rail is.
        let scale = distance.straight_at().map_or(0.0, |speed| 1.0 / speed);
        let mut bundles: Vec<Bundle> = Vec::new();
        let mut levels: Vec<Vec<Fan>> = Vec::new();
        let mut bundle_of: Vec<u32> = Vec::new();
        // Boxes are in seconds.
        let farthest = FARTHEST / scale.max(1.0);
        let is_near = |place: Place| {
            [place.x, place.y, place.z]
                .iter()
                .all(|x| x.abs() < farthest)
        };
        let fits = scale > 0.0
            && scale < FARTHEST
            && rails
                .iter()
                .all(|rail| is_near(rail.from()) && is_near(rail.to()));
        if lookup == Lookup::Boxes && fits && rails.len() > FAN {
            let numbered = rails.iter().zip(groups).enumerate();
            let mut boxes: Vec<Bounds> = numbered
                .map(|(number, (rail, group))| Bounds::of(rail, number, *group))
                .collect();
            while boxes.len() > 1 {
                let fans = fans_of(&boxes);
                if bundles.is_empty() {
                    for (number, fan) in fans.iter().enumerate() {
                        bundle_of.extend(fan.clone().map(|_| number as u32));
                        bundles.push(Bundle::of(fan.start, &rails[fan.clone()], pull, scale));
                    }
                } else {
                    let fan = |fan: &Range<usize>| {
                        let bounds = boxes[fan.clone()].iter();
                        let bases = bounds.map(|bounds| bounds.base(&rails, scale));
                        Fan::of(fan.start, &boxes[fan.clone()], bases, scale)
                    };
                    let outer: Vec<Fan> = fans.iter().map(fan).collect();
                    for (number, fan) in fans.iter().enumerate() {
                        for inner in fan.clone() {
                            match levels.last_mut() {
                                None => bundles[inner].parent = number as u32,
                                Some(level) => level[inner].parent = number as u32,
                            }
                        }
                    }
                    levels.push(outer);
                }
                boxes = fans
                    .into_iter()
                    .map(|fan| Bounds::around(&boxes[fan]))
                    .collect();
            }
        }
        let spread = ((pull.inflation - 1.0) * (1.0 - ROUNDING)).min(FARTHEST) as f32;
        look_outside(&mut levels, spread);
        let lengths = rails.iter().map(|rail| rail.from().distance_to(rail.to()));
        let near = 4.0 * FAN as f64 * lengths.sum::<f64>() / rails.len() as f64;
        let height = rails.first().map(|rail| rail.to().z);
        let is_flat = |rail: &Rail| Some(rail.from().z) == height && Some(rail.to().z) == height;
        Rails {
            pull,
            is_flat: rails.iter().all(is_flat),
            rails,
            bundles,
            levels,
            bundle_of,
            near,
            scale,
            farthest,
            inflation: pull.inflation.min(FARTHEST) as f32,
            spread,
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
        let is_far = [at.x, at.y, at.z].iter().any(|x| x.abs() >= self.farthest);
        if self.bundles.is_empty() || is_far {
            hint.rails += count as u64;
            return self.least_of_first_by_scan(count, distance, at, bound);
        }
        let mut least = Least::below(bound);
        let seconds = [at.x, at.y, at.z].map(|x| x * self.scale);
        let question = Question {
            count,
            at,
            seconds,
            small: seconds.map(|x| x as f32),
        };
        if self.is_flat {
            self.look_near::<2>(distance, &question, &mut least, hint);
        } else {
            self.look_near::<3>(distance, &question, &mut least, hint);
        }
        if least.rail != NOWHERE {
            hint.nearest = least.rail;
        }
        hint.place = at;
        least
    }

    /// Looks where the last answer was, and from there outwards. As a rule nothing is open on the way
    /// out, and because that way is known, its fans do not wait for each other.
    #[inline]
    fn look_near<const AXES: usize>(
        &self,
        distance: &impl Distance,
        question: &Question,
        least: &mut Least,
        hint: &mut Hint,
    ) {
        let is_near = question.at.distance_to(hint.place) <= self.near;
        let seed = self.bundle_of.get(hint.nearest as usize);
        let Some(seed) = seed.filter(|_| is_near) else {
            // Where the last answer was is still better than knowing nothing.
            let rail = self.rails[..question.count].get(hint.nearest as usize);
            if let Some(rail) = rail {
                hint.rails += 1;
                let estimate = rail.estimate(distance, self.pull, question.at);
                least.offer(estimate, hint.nearest);
            }
            self.look::<AXES>(distance, question, (self.levels.len(), 0), 0, least, hint);
            return;
        };
        let bundle = &self.bundles[*seed as usize];
        self.look_into::<AXES>(distance, question, bundle, least, hint);
        let (mut inner, mut outer) = (*seed, bundle.parent);
        for (level, fans) in self.levels.iter().enumerate() {
            let fan = &fans[outer as usize];
            let seen = 1 << (inner - fan.first);
            let place = (level + 1, outer as usize);
            self.look::<AXES>(distance, question, place, seen, least, hint);
            if least.estimate < fan.outside(question.seconds, self.pull.inflation) {
                return;
            }
            (inner, outer) = (outer, fan.parent);
        }
    }

    /// Looks into the boxes of a fan, without those that were already `seen`. Level 0 is that of
    /// the bundles.
    fn look<const AXES: usize>(
        &self,
        distance: &impl Distance,
        question: &Question,
        (level, number): (usize, usize),
        seen: u32,
        least: &mut Least,
        hint: &mut Hint,
    ) {
        let Some(outer) = level.checked_sub(1) else {
            let bundle = &self.bundles[number];
            return self.look_into::<AXES>(distance, question, bundle, least, hint);
        };
        hint.fans += 1;
        let mut bounds = [0f32; FAN];
        let fan = &self.levels[outer][number];
        let mut open =
            fan.open::<AXES>(question.small, self.spread, least.estimate, &mut bounds) & !seen;
        while open != 0 {
            // The most promising first, because it may rule out the others.
            let child = take_least(&bounds, &mut open);
            if f64::from(bounds[child]) * (1.0 - ROUNDING) > least.estimate {
                return;
            }
            let place = (outer, fan.first as usize + child);
            self.look::<AXES>(distance, question, place, 0, least, hint);
        }
    }

    /// Looks at the rails of a bundle.
    #[inline]
    fn look_into<const AXES: usize>(
        &self,
        distance: &impl Distance,
        question: &Question,
        bundle: &Bundle,
        least: &mut Least,
        hint: &mut Hint,
    ) {
        hint.fans += 1;
        let mut bounds = [0f32; FAN];
        let (at, inflation) = (question.seconds, self.inflation);
        let mut open = bundle.open::<AXES>(at, inflation, least.estimate, &mut bounds);
        while open != 0 {
            let child = take_least(&bounds, &mut open);
            if bounds[child] > bundle.most(least.estimate) {
                return;
            }
            let number = bundle.first as usize + child;
            if number < question.count {
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
    /// The same place with coordinates in seconds, and again in small floats.
    seconds: [f64; 3],
    small: [f32; 3],
}

/// Which boxes go together into a fan: neighbours, of the same group unless they are all there is
/// of theirs.
fn fans_of(boxes: &[Bounds]) -> Vec<Range<usize>> {
    let is_alone = |number: usize| {
        let group = boxes[number].group;
        let is_same = |other: Option<&Bounds>| other.is_some_and(|other| other.group == group);
        !is_same(boxes.get(number + 1))
            && !is_same(number.checked_sub(1).map(|before| &boxes[before]))
    };
    let mut fans: Vec<Range<usize>> = Vec::new();
    for number in 0..boxes.len() {
        let goes_on = fans.last().is_some_and(|fan| {
            let fits = fan.len() < FAN;
            let before = number - 1;
            let is_same = boxes[before].group == boxes[number].group;
            fits && (is_same || (is_alone(before) && is_alone(number)))
        });
        match fans.last_mut() {
            Some(fan) if goes_on => fan.end = number + 1,
            _ => fans.push(number..number + 1),
        }
    }
    fans
}

/// A box around rails, the least that remains on any of them, and where that is.
#[derive(Clone, Debug)]
struct Bounds {
    low: [f64; 3],
    high: [f64; 3],
    least: f64,
    anchor: Place,
    rails: Range<usize>,
    group: u32,
}

impl Bounds {
    fn of(rail: &Rail, number: usize, group: u32) -> Bounds {
        let (from, to) = (rail.from(), rail.to());
        let is_to = rail.at_end() <= rail.at_beginning();
        Bounds {
            low: [from.x.min(to.x), from.y.min(to.y), from.z.min(to.z)],
            high: [from.x.max(to.x), from.y.max(to.y), from.z.max(to.z)],
            least: rail.at_end().min(rail.at_beginning()),
            anchor: if is_to { to } else { from },
            rails: number..number + 1,
            group,
        }
    }

    fn around(boxes: &[Bounds]) -> Bounds {
        let mut around = boxes[0].clone();
        for other in &boxes[1..] {
            for axis in 0..3 {
                around.low[axis] = around.low[axis].min(other.low[axis]);
                around.high[axis] = around.high[axis].max(other.high[axis]);
            }
            if other.least < around.least {
                (around.least, around.anchor) = (other.least, other.anchor);
            }
            around.rails.end = other.rails.end;
        }
        around
    }

    fn middle(&self) -> [f64; 3] {
        std::array::from_fn(|axis| (self.low[axis] + self.high[axis]) / 2.0)
    }

    /// What remains at least at any place on the rails, less the way from there to the anchor.
    /// Along a rail that is least at one of its ends.
    fn base(&self, rails: &[Rail], scale: f64) -> f64 {
        let less =
            |place: Place, remaining: f64| remaining - place.distance_to(self.anchor) * scale;
        let ends = rails[self.rails.clone()]
            .iter()
            .map(|rail| less(rail.from(), rail.at_beginning()).min(less(rail.to(), rail.at_end())));
        ends.fold(self.least, f64::min)
    }
}

/// Notes for each fan what an estimate in its middle is at least by all that is not in it.
fn look_outside(levels: &mut [Vec<Fan>], spread: f32) {
    for level in 0..levels.len() {
        let (below, above) = levels.split_at_mut(level + 1);
        for (number, fan) in below[level].iter_mut().enumerate() {
            let small = fan.middle.map(|x| x as f32);
            let mut outside = f64::INFINITY;
            let (mut inner, mut outer) = (number as u32, fan.parent);
            for fans in above.iter() {
                let around = &fans[outer as usize];
                let mut bounds = [0f32; FAN];
                around.open::<3>(small, spread, f64::INFINITY, &mut bounds);
                bounds[(inner - around.first) as usize] = f32::INFINITY;
                let least = bounds.into_iter().fold(f32::INFINITY, f32::min);
                outside = outside.min(f64::from(least));
                (inner, outer) = (outer, around.parent);
            }
            fan.outside = outside - outside.abs() * ROUNDING;
        }
    }
}

/// Some boxes, coordinate by coordinate, so that they are compared together. Coordinates are in
/// seconds.
#[derive(Clone, Debug)]
struct Fan {
    low: [[f32; FAN]; 3],
    high: [[f32; FAN]; 3],
    anchor: [[f32; FAN]; 3],
    base: [f32; FAN],
    /// The number of the first one, a bundle or a fan of the level below; the others follow.
    first: u32,
    /// The fan of the level above that this one is in.
    parent: u32,
    /// A place among the boxes, in seconds, and what an estimate there is at least by way of
    /// anything that is not in them.
    middle: [f64; 3],
    outside: f64,
}

impl Fan {
    /// What an estimate at `at` is at least by way of anything that is not in these boxes: no bound
    /// changes by more than the inflation for each second.
    #[inline]
    fn outside(&self, at: [f64; 3], inflation: f64) -> f64 {
        let squares = at.iter().zip(&self.middle).map(|(x, y)| (x - y) * (x - y));
        self.outside - squares.sum::<f64>().sqrt() * inflation * (1.0 + ROUNDING)
    }

    fn of(first: usize, boxes: &[Bounds], bases: impl Iterator<Item = f64>, scale: f64) -> Fan {
        let mut fan = Fan {
            low: [[0.0; FAN]; 3],
            high: [[0.0; FAN]; 3],
            anchor: [[0.0; FAN]; 3],
            base: [f32::INFINITY; FAN],
            first: first as u32,
            parent: 0,
            middle: Bounds::around(boxes).middle().map(|x| x * scale),
            outside: f64::NEG_INFINITY,
        };
        for (number, (bounds, base)) in boxes.iter().zip(bases).enumerate() {
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
            fan.base[number] = (base - base.abs() * ROUNDING - wider * scale) as f32;
        }
        fan
    }

    /// What an estimate at `at` is at least, for each of the boxes, and a bit for each box in which
    /// it may be no more than `most`. Empty boxes are infinitely far.
    #[inline(always)]
    fn open<const AXES: usize>(
        &self,
        at: [f32; 3],
        spread: f32,
        most: f64,
        bounds: &mut [f32; FAN],
    ) -> u32 {
        // Rounded towards more.
        let most = (most + most.abs() * ROUNDING) as f32;
        let most = if most < f32::MAX { most } else { f32::MAX };
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
        for number in 0..FAN {
            let way = anchors[number].sqrt() + squares[number].sqrt() * spread;
            bounds[number] = self.base[number] + way * (1.0 - 4.0 * ROUNDING as f32);
        }
        bits_up_to(bounds, most)
    }
}
