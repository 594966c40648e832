//! A bounding volume hierarchy (BVH), sixteen wide, over segments.
//!
//! Which of many segments draws most: by looking at all of them, or only at those in boxes that can
//! hold it. Both give the same, to the bit.
//!
//! Sixteen segments are a bundle, estimated together in small floats (as SIMD lanes), and sixteen
//! bundles a strand, in the same way (see [`lanes`]). Around sixteen strands there are sixteen boxes, a
//! fan (see [`node`]), and so on up to one around everything. From where to look at which strands
//! first is known for each tile of the ground (see [`start_grid`]), so that as a rule one or two
//! strands, bundles and segments are looked at, however many there are.
//!
//! For each segment that takes about 195 bytes: 128 for itself, 48 in its bundle, 3 in its strand and
//! 16 in tiles.

mod build;
mod lanes;
mod node;
mod start_grid;

use crate::segment::{Attraction, GuideSegment};
use crate::{Distance, Place};

pub(crate) use build::BvhBuilder;
use lanes::Bundle;
use node::{Fan, ROUNDING};
use start_grid::Tiles;

/// Coordinates beyond this are looked at one by one, because their squares would not fit the
/// boxes' small floats.
const FARTHEST: f64 = 1e15;

/// Whether to look only where it is worth it, or everywhere. Values are the same; the second exists
/// for experiments that reproduce what looking everywhere costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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
/// assert_eq!(Hint::default().segments, 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hint {
    nearest: u32,
    /// Pieces of demonstrations estimated so far.
    pub segments: u64,
    /// Groups of sixteen boxes, pieces, or pieces that stand for others, compared so far.
    pub fans: u64,
}

impl Default for Hint {
    fn default() -> Hint {
        Hint {
            nearest: NOWHERE,
            segments: 0,
            fans: 0,
        }
    }
}

/// The number of no segment.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// The least estimate, and which segment gave it; the first among equals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Least {
    pub estimate: f64,
    pub segment: u32,
}

impl Least {
    /// Nothing found yet that is less than `bound`.
    #[inline]
    pub(crate) fn below(bound: f64) -> Least {
        Least {
            estimate: bound,
            segment: NOWHERE,
        }
    }

    #[inline]
    fn offer(&mut self, estimate: f64, segment: u32) {
        if estimate < self.estimate || (estimate == self.estimate && segment < self.segment) {
            *self = Least { estimate, segment };
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct GuideSegments {
    attraction: Attraction,
    segments: Vec<GuideSegment>,
    /// Sixteen segments each; none where scanning is all that can be done.
    bundles: Vec<Bundle>,
    /// Sixteen bundles each.
    strands: Vec<Bundle>,
    /// The boxes of strands first, the one fan around everything last; none around one strand.
    levels: Vec<Vec<Fan>>,
    /// Where to begin; none where there is one strand only.
    tiles: Option<Tiles>,
    /// Seconds for each unit of length.
    scale: f64,
    /// Coordinates from here on are not looked up in boxes.
    farthest: f64,
    /// How much the way to a segment counts, and how much more than once.
    inflation: f32,
    spread: f32,
    /// All at one height, which is then no reason to rule anything out.
    is_flat: bool,
}

impl GuideSegments {
    /// See [`BvhBuilder::new`], all at once.
    pub(crate) fn new(
        distance: &impl Distance,
        attraction: Attraction,
        segments: Vec<GuideSegment>,
        groups: Vec<u32>,
        lookup: Lookup,
    ) -> GuideSegments {
        BvhBuilder::new(distance, attraction, segments, groups, lookup).finish()
    }

    pub(crate) fn len(&self) -> usize {
        self.segments.len()
    }

    pub(crate) fn get(&self, segment: u32) -> Option<&GuideSegment> {
        self.segments.get(segment as usize)
    }

    /// The greatest cost of any segment for each second of its length; 1 if there are none.
    pub(crate) fn greatest_rate(&self) -> f64 {
        self.segments
            .iter()
            .map(GuideSegment::rate)
            .fold(1.0, f64::max)
    }

    pub(crate) fn attraction(&self) -> Attraction {
        self.attraction
    }

    /// What [`least`](GuideSegments::least) says, by looking at every segment.
    pub(crate) fn least_by_scan(&self, distance: &impl Distance, at: Place, bound: f64) -> Least {
        self.least_of_first_by_scan(self.segments.len(), distance, at, bound)
    }

    fn least_of_first_by_scan(
        &self,
        count: usize,
        distance: &impl Distance,
        at: Place,
        bound: f64,
    ) -> Least {
        let mut least = Least::below(bound);
        for (number, segment) in self.segments[..count].iter().enumerate() {
            least.offer(
                segment.estimate(distance, self.attraction, at),
                number as u32,
            );
        }
        least
    }

    /// The segment with the least estimate at `at`, if that is not above `bound`.
    #[inline]
    pub(crate) fn least(
        &self,
        distance: &impl Distance,
        at: Place,
        bound: f64,
        hint: &mut Hint,
    ) -> Least {
        self.least_of_first(self.segments.len(), distance, at, bound, hint)
    }

    /// The same among the first `count` segments.
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
            hint.segments += count as u64;
            return self.least_of_first_by_scan(count, distance, at, bound);
        }
        let seconds = [at.x, at.y, at.z].map(|x| x * self.scale);
        let mut question = Question {
            distance,
            count,
            at,
            seconds,
            small: seconds.map(|x| x as f32),
            least: Least::below(bound),
            segments: 0,
            fans: 0,
        };
        if self.is_flat {
            self.look_around::<2, _>(&mut question, hint.nearest);
        } else {
            self.look_around::<3, _>(&mut question, hint.nearest);
        }
        let least = question.least;
        if least.segment != NOWHERE {
            hint.nearest = least.segment;
        }
        hint.segments += question.segments;
        hint.fans += question.fans;
        least
    }

    /// Looks where the tile says, and where that is not enough, everywhere.
    #[inline]
    fn look_around<const AXES: usize, D: Distance>(
        &self,
        question: &mut Question<'_, D>,
        nearest: u32,
    ) {
        let tiles = self.tiles.as_ref();
        if let Some((tile, off)) = tiles.and_then(|tiles| tiles.at::<AXES>(question.seconds)) {
            let off = off * self.attraction.inflation * (1.0 + ROUNDING);
            for (strand, bound) in tile.strands() {
                if bound - off > question.least.estimate {
                    return;
                }
                self.look_along::<AXES, D>(question, &self.strands[strand as usize]);
            }
            if tile.rest() - off > question.least.estimate {
                return;
            }
        } else if let Some(segment) = self.segments[..question.count].get(nearest as usize) {
            // Where the last answer was is better than knowing nothing.
            question.offer(self.attraction, nearest, segment);
        }
        self.look::<AXES, D>(question, self.levels.len(), 0);
    }

    /// Looks into a fan of that level, down to the segments. Level 0 is that of the strands.
    fn look<const AXES: usize, D: Distance>(
        &self,
        question: &mut Question<'_, D>,
        level: usize,
        number: usize,
    ) {
        let Some(below) = level.checked_sub(1) else {
            return self.look_along::<AXES, D>(question, &self.strands[number]);
        };
        let fan = &self.levels[below][number];
        if fan.first_rail as usize >= question.count {
            return;
        }
        question.fans += 1;
        let promises = fan.promises::<AXES>(question.small, self.spread);
        promises.look(
            question,
            |question| Fan::most(question.least.estimate),
            |question, child| self.look::<AXES, D>(question, below, fan.first as usize + child),
        );
    }

    /// Looks at the bundles of a strand.
    fn look_along<const AXES: usize, D: Distance>(
        &self,
        question: &mut Question<'_, D>,
        strand: &Bundle,
    ) {
        question.fans += 1;
        let promises = strand.promises::<AXES>(question.seconds, self.inflation);
        promises.look(
            question,
            |question| strand.most(question.least.estimate),
            |question, child| {
                let bundle = &self.bundles[strand.first as usize + child];
                self.look_into::<AXES, D>(question, bundle);
            },
        );
    }

    /// Looks at the segments of a bundle.
    #[inline]
    fn look_into<const AXES: usize, D: Distance>(
        &self,
        question: &mut Question<'_, D>,
        bundle: &Bundle,
    ) {
        if bundle.first as usize >= question.count {
            return;
        }
        question.fans += 1;
        let promises = bundle.promises::<AXES>(question.seconds, self.inflation);
        promises.look(
            question,
            |question| bundle.most(question.least.estimate),
            |question, child| {
                let number = bundle.first as usize + child;
                if number < question.count {
                    question.offer(self.attraction, number as u32, &self.segments[number]);
                }
            },
        );
    }
}

/// What is asked for, and what was found so far.
struct Question<'a, D> {
    distance: &'a D,
    /// Only so many segments are asked for, the first ones. Boxes with others in them are no reason
    /// to rule anything out.
    count: usize,
    at: Place,
    /// The same place with coordinates in seconds, and again in small floats.
    seconds: [f64; 3],
    small: [f32; 3],
    least: Least,
    /// What was looked at; see [`Hint`].
    segments: u64,
    fans: u64,
}

impl<D: Distance> Question<'_, D> {
    #[inline]
    fn offer(&mut self, attraction: Attraction, number: u32, segment: &GuideSegment) {
        self.segments += 1;
        let estimate = segment.estimate(self.distance, attraction, self.at);
        self.least.offer(estimate, number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::Ends;
    use crate::{Projection, Straight};
    use proptest::prelude::*;

    /// Segments from place to place, in groups, some of which cost more than they must.
    fn segments(
        distance: &Straight,
        attraction: Attraction,
        walk: &[Step],
    ) -> (Vec<GuideSegment>, Vec<u32>) {
        let mut at = Place::default();
        let length = |step: &Step| step.by.map(|x| x * x).iter().sum::<f64>().sqrt();
        let cost = |step: &Step| length(step) / distance.top_speed * step.slowness;
        let costs = walk.iter().map(|step| cost(step) * step.repeats as f64);
        let mut remaining = costs.sum::<f64>() + 1.0;
        let (mut segments, mut groups) = (Vec::new(), Vec::new());
        for step in walk {
            for _ in 0..step.repeats {
                let to = Place::new(at.x + step.by[0], at.y + step.by[1], at.z + step.by[2]);
                let cost = cost(step);
                let ends = Ends {
                    at_beginning: remaining,
                    at_end: remaining - cost,
                    cost,
                };
                segments.push(GuideSegment::new(distance, attraction, at, to, ends));
                groups.push(step.group);
                (at, remaining) = (to, remaining - cost);
            }
        }
        (segments, groups)
    }

    #[derive(Clone, Debug)]
    struct Step {
        by: [f64; 3],
        slowness: f64,
        repeats: usize,
        group: u32,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let by = (
            -0.3..0.3f64,
            -0.3..0.3f64,
            prop_oneof![Just(0.0), -0.1..0.1f64],
        );
        let step = (by, 1.0..3.0f64, 1..60usize, 0..3u32);
        let step = step.prop_map(|((x, y, z), slowness, repeats, group)| Step {
            by: [x, y, z],
            slowness,
            repeats,
            group,
        });
        prop::collection::vec(step, 1..30)
    }

    proptest! {
        /// Also among the first ones only, as somebody asks who follows in order.
        #[test]
        fn boxes_find_what_a_scan_finds(
            walk in steps(), flat: bool, perpendicular: bool, inflation in 1.0..20.0f64,
            top_speed in prop_oneof![Just(1.0), 0.1..10.0f64],
            questions in prop::collection::vec(
                (-20.0..20.0f64, -20.0..20.0f64, -2.0..2.0f64, 0.0..1.0f64, 0.0..2.0f64), 1..20,
            ),
        ) {
            let projection = if perpendicular { Projection::Perpendicular } else { Projection::Consistent };
            let (distance, attraction) = (Straight { top_speed }, Attraction { inflation, projection });
            let walk: Vec<Step> = walk.into_iter().map(|mut step| {
                if flat { step.by[2] = 0.0; }
                step
            }).collect();
            let (segments, groups) = segments(&distance, attraction, &walk);
            let boxes = GuideSegments::new(&distance, attraction, segments, groups, Lookup::Boxes);
            let mut hint = Hint::default();
            for (x, y, z, part, tightness) in questions {
                let at = Place::new(x, y, z);
                let count = (part * 1.2 * boxes.len() as f64) as usize;
                let count = count.min(boxes.len());
                let all = boxes.least_of_first_by_scan(count, &distance, at, f64::INFINITY);
                let found = boxes.least_of_first(count, &distance, at, f64::INFINITY, &mut hint);
                prop_assert_eq!(found, all);
                let bound = all.estimate * tightness;
                let plain = boxes.least_of_first_by_scan(count, &distance, at, bound);
                let found = boxes.least_of_first(count, &distance, at, bound, &mut hint);
                prop_assert_eq!(found, plain);
            }
        }
    }
}
