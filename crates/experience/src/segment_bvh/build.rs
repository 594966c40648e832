//! Puts segments into boxes, a little at a time.

use apprentice_search::Budget;

use super::lanes::{Bundle, FAN, Lane};
use super::node::{Bounds, Fan, ROUNDING, fan_length};
use super::start_grid::{Tiles, Tree};
use super::{FARTHEST, GuideSegments, Lookup};
use crate::segment::{Attraction, GuideSegment};
use crate::{Distance, Place};

/// Putting so many segments into boxes takes about as long as a search takes to expand a state.
const RAILS_FOR_AN_EXPANSION: usize = 64;

/// [`GuideSegments`] that are being put into boxes.
#[derive(Clone, Debug)]
pub(crate) struct BvhBuilder {
    /// What is ready.
    segments: GuideSegments,
    /// What each segment belongs to.
    groups: Vec<u32>,
    /// Boxes around what was made last, in the order of the segments.
    boxes: Vec<Bounds>,
    /// What stands for each bundle in a strand.
    lanes: Vec<Lane>,
    /// What is done next.
    step: Step,
}

/// Each with how far it has come.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Looks whether segments are where boxes are of use.
    Survey {
        segment: usize,
    },
    /// Makes bundles of segments.
    Bundle {
        segment: usize,
    },
    /// Makes strands of bundles.
    Strand {
        inside: usize,
    },
    /// Finds out what remains at least in a box.
    Base {
        inside: usize,
        segment: usize,
    },
    /// Makes fans of boxes.
    Fan {
        inside: usize,
    },
    /// Lists for each tile what promises most.
    Tile,
    Done,
}

impl BvhBuilder {
    /// Segments that belong together follow each other, and have the same group. Where there is a
    /// choice, boxes hold segments of one group only, because others are elsewhere.
    pub(crate) fn new(
        distance: &impl Distance,
        attraction: Attraction,
        segments: Vec<GuideSegment>,
        groups: Vec<u32>,
        lookup: Lookup,
    ) -> BvhBuilder {
        // No time at all for each unit of length says nothing about where a segment is.
        let scale = distance.straight_at().map_or(0.0, |speed| 1.0 / speed);
        let pays = lookup == Lookup::Boxes && segments.len() > FAN;
        let fits = scale > 0.0 && scale < FARTHEST;
        BvhBuilder {
            segments: GuideSegments {
                attraction,
                segments,
                bundles: Vec::new(),
                strands: Vec::new(),
                levels: Vec::new(),
                tiles: None,
                scale,
                // Boxes are in seconds.
                farthest: FARTHEST / scale.max(1.0),
                inflation: attraction.inflation.min(FARTHEST) as f32,
                spread: ((attraction.inflation - 1.0) * (1.0 - ROUNDING)).min(FARTHEST) as f32,
                is_flat: true,
            },
            groups,
            boxes: Vec::new(),
            lanes: Vec::new(),
            step: if pays && fits {
                Step::Survey { segment: 0 }
            } else {
                Step::Done
            },
        }
    }

    /// Goes on; one unit of budget for every 64 segments that are looked at, and for every strand,
    /// fan and tile. False: the budget is spent, call again.
    pub(crate) fn go_on(&mut self, budget: &mut Budget<'_>) -> bool {
        while !matches!(self.step, Step::Done) {
            if !budget.take() {
                return false;
            }
            self.step = match self.step {
                Step::Survey { segment } => self.survey(segment),
                Step::Bundle { segment } => self.bundle(segment),
                Step::Strand { inside } => self.strand(inside),
                Step::Base { inside, segment } => self.lower_bases(inside, segment),
                Step::Fan { inside } => self.fan(inside),
                Step::Tile => self.tile(),
                Step::Done => Step::Done,
            };
        }
        true
    }

    /// The segments, with all that is still to be done.
    pub(crate) fn finish(mut self) -> GuideSegments {
        self.go_on(&mut Budget::unlimited());
        self.segments
    }

    fn survey(&mut self, first: usize) -> Step {
        let segments = &mut self.segments;
        let farthest = segments.farthest;
        let is_near = |place: Place| {
            let coordinates = [place.x, place.y, place.z];
            coordinates.iter().all(|x| x.abs() < farthest)
        };
        let height = segments.segments[0].to().z;
        let end = (first + RAILS_FOR_AN_EXPANSION).min(segments.segments.len());
        for segment in &segments.segments[first..end] {
            let remains = segment.at_beginning().max(segment.at_end());
            if !is_near(segment.from()) || !is_near(segment.to()) || remains > FARTHEST {
                return Step::Done;
            }
            segments.is_flat &= segment.from().z == height && segment.to().z == height;
        }
        if end < segments.segments.len() {
            return Step::Survey { segment: end };
        }
        // Growing would take a long time at one go.
        segments
            .bundles
            .reserve(segments.segments.len().div_ceil(FAN));
        Step::Bundle { segment: 0 }
    }

    fn bundle(&mut self, mut first: usize) -> Step {
        let segments = &mut self.segments;
        let (attraction, scale) = (segments.attraction, segments.scale);
        let until = first + RAILS_FOR_AN_EXPANSION;
        let mut lanes: Vec<Lane> = Vec::with_capacity(FAN);
        while first < until.min(segments.segments.len()) {
            let end = first + fan_length(&self.groups, first, |group| *group);
            let bundled = &segments.segments[first..end];
            lanes.clear();
            lanes.extend(bundled.iter().map(|segment| Lane::of(segment, attraction)));
            segments
                .bundles
                .push(Bundle::of(first, &lanes, attraction, scale));
            self.lanes.push(Lane::along(bundled, attraction, scale));
            let numbered = (first..).zip(bundled);
            let bounds =
                numbered.map(|(number, segment)| Bounds::of(segment, number, self.groups[number]));
            self.boxes.extend(Bounds::around(bounds));
            first = end;
        }
        if first < segments.segments.len() {
            return Step::Bundle { segment: first };
        }
        Step::Strand { inside: 0 }
    }

    fn strand(&mut self, first: usize) -> Step {
        let segments = &mut self.segments;
        let end = first + fan_length(&self.boxes, first, |bounds| bounds.group);
        let lanes = &self.lanes[first..end];
        let strand = Bundle::of(first, lanes, segments.attraction, segments.scale);
        segments.strands.push(strand);
        if end < self.boxes.len() {
            return Step::Strand { inside: end };
        }
        self.lanes = Vec::new();
        let firsts: Vec<u32> = segments.strands.iter().map(|strand| strand.first).collect();
        self.go_outside(&firsts)
    }

    fn lower_bases(&mut self, mut inside: usize, mut segment: usize) -> Step {
        let until = segment + RAILS_FOR_AN_EXPANSION;
        while let Some(bounds) = self.boxes.get_mut(inside) {
            let end = bounds.segments.end.min(until);
            bounds.lower_base(&self.segments.segments[segment..end], self.segments.scale);
            segment = end;
            if segment < bounds.segments.end {
                return Step::Base { inside, segment };
            }
            inside += 1;
        }
        self.segments.levels.push(Vec::new());
        Step::Fan { inside: 0 }
    }

    fn fan(&mut self, first: usize) -> Step {
        let levels = &mut self.segments.levels;
        let end = first + fan_length(&self.boxes, first, |bounds| bounds.group);
        let level = levels.len() - 1;
        let fan = Fan::of(first, &self.boxes[first..end], self.segments.scale);
        levels[level].push(fan);
        if end < self.boxes.len() {
            return Step::Fan { inside: end };
        }
        let firsts: Vec<u32> = levels[level].iter().map(|fan| fan.first).collect();
        self.go_outside(&firsts)
    }

    /// All boxes are in strands or fans now, those from the `firsts` on, and what is around these is
    /// next.
    fn go_outside(&mut self, firsts: &[u32]) -> Step {
        let mut boxes = std::mem::take(&mut self.boxes).into_iter();
        for (number, first) in firsts.iter().enumerate() {
            let next = firsts.get(number + 1);
            let inside = next.map_or(FAN, |next| (next - first) as usize);
            self.boxes
                .extend(Bounds::around(boxes.by_ref().take(inside)));
        }
        if self.boxes.len() > 1 {
            return Step::Base {
                inside: 0,
                segment: 0,
            };
        }
        // Where there is one strand, it is all there is to look at.
        if self.segments.levels.is_empty() {
            return Step::Done;
        }
        let around = &self.boxes[0];
        self.segments.tiles = Some(Tiles::new(
            self.segments.segments.len(),
            around,
            self.segments.scale,
        ));
        Step::Tile
    }

    fn tile(&mut self) -> Step {
        let segments = &mut self.segments;
        let Some(tiles) = &mut segments.tiles else {
            return Step::Done;
        };
        let tree = Tree {
            strands: &segments.strands,
            levels: &segments.levels,
            inflation: segments.inflation,
            spread: segments.spread,
        };
        let has_more = if segments.is_flat {
            tiles.add::<2>(&tree)
        } else {
            tiles.add::<3>(&tree)
        };
        if has_more { Step::Tile } else { Step::Done }
    }
}
