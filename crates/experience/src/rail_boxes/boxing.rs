//! Puts rails into boxes, a little at a time.

use apprentice_search::Budget;

use super::bundle::{Bundle, FAN, Lane};
use super::fan::{Bounds, Fan, ROUNDING, fan_length};
use super::tiles::{Tiles, Tree};
use super::{FARTHEST, Lookup, Rails};
use crate::rail::{Pull, Rail};
use crate::{Distance, Place};

/// Putting so many rails into boxes takes about as long as a search takes to expand a state.
const RAILS_FOR_AN_EXPANSION: usize = 64;

/// [`Rails`] that are being put into boxes.
#[derive(Clone, Debug)]
pub(crate) struct Boxing {
    /// What is ready.
    rails: Rails,
    /// What each rail belongs to.
    groups: Vec<u32>,
    /// Boxes around what was made last, in the order of the rails.
    boxes: Vec<Bounds>,
    /// What stands for each bundle in a strand.
    lanes: Vec<Lane>,
    /// What is done next.
    step: Step,
}

/// Each with how far it has come.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Looks whether rails are where boxes are of use.
    Survey {
        rail: usize,
    },
    /// Makes bundles of rails.
    Bundle {
        rail: usize,
    },
    /// Makes strands of bundles.
    Strand {
        inside: usize,
    },
    /// Finds out what remains at least in a box.
    Base {
        inside: usize,
        rail: usize,
    },
    /// Makes fans of boxes.
    Fan {
        inside: usize,
    },
    /// Lists for each tile what promises most.
    Tile,
    Done,
}

impl Boxing {
    /// Rails that belong together follow each other, and have the same group. Where there is a
    /// choice, boxes hold rails of one group only, because others are elsewhere.
    pub(crate) fn new(
        distance: &impl Distance,
        pull: Pull,
        rails: Vec<Rail>,
        groups: Vec<u32>,
        lookup: Lookup,
    ) -> Boxing {
        // No time at all for each unit of length says nothing about where a rail is.
        let scale = distance.straight_at().map_or(0.0, |speed| 1.0 / speed);
        let pays = lookup == Lookup::Boxes && rails.len() > FAN;
        let fits = scale > 0.0 && scale < FARTHEST;
        Boxing {
            rails: Rails {
                pull,
                rails,
                bundles: Vec::new(),
                strands: Vec::new(),
                levels: Vec::new(),
                tiles: None,
                scale,
                // Boxes are in seconds.
                farthest: FARTHEST / scale.max(1.0),
                inflation: pull.inflation.min(FARTHEST) as f32,
                spread: ((pull.inflation - 1.0) * (1.0 - ROUNDING)).min(FARTHEST) as f32,
                is_flat: true,
            },
            groups,
            boxes: Vec::new(),
            lanes: Vec::new(),
            step: if pays && fits {
                Step::Survey { rail: 0 }
            } else {
                Step::Done
            },
        }
    }

    /// Goes on; one unit of budget for every 64 rails that are looked at, and for every strand,
    /// fan and tile. False: the budget is spent, call again.
    pub(crate) fn go_on(&mut self, budget: &mut Budget<'_>) -> bool {
        while !matches!(self.step, Step::Done) {
            if !budget.take() {
                return false;
            }
            self.step = match self.step {
                Step::Survey { rail } => self.survey(rail),
                Step::Bundle { rail } => self.bundle(rail),
                Step::Strand { inside } => self.strand(inside),
                Step::Base { inside, rail } => self.lower_bases(inside, rail),
                Step::Fan { inside } => self.fan(inside),
                Step::Tile => self.tile(),
                Step::Done => Step::Done,
            };
        }
        true
    }

    /// The rails, with all that is still to be done.
    pub(crate) fn finish(mut self) -> Rails {
        self.go_on(&mut Budget::unlimited());
        self.rails
    }

    fn survey(&mut self, first: usize) -> Step {
        let rails = &mut self.rails;
        let farthest = rails.farthest;
        let is_near = |place: Place| {
            let coordinates = [place.x, place.y, place.z];
            coordinates.iter().all(|x| x.abs() < farthest)
        };
        let height = rails.rails[0].to().z;
        let end = (first + RAILS_FOR_AN_EXPANSION).min(rails.rails.len());
        for rail in &rails.rails[first..end] {
            let remains = rail.at_beginning().max(rail.at_end());
            if !is_near(rail.from()) || !is_near(rail.to()) || remains > FARTHEST {
                return Step::Done;
            }
            rails.is_flat &= rail.from().z == height && rail.to().z == height;
        }
        if end < rails.rails.len() {
            return Step::Survey { rail: end };
        }
        // Growing would take a long time at one go.
        rails.bundles.reserve(rails.rails.len().div_ceil(FAN));
        Step::Bundle { rail: 0 }
    }

    fn bundle(&mut self, mut first: usize) -> Step {
        let rails = &mut self.rails;
        let (pull, scale) = (rails.pull, rails.scale);
        let until = first + RAILS_FOR_AN_EXPANSION;
        let mut lanes: Vec<Lane> = Vec::with_capacity(FAN);
        while first < until.min(rails.rails.len()) {
            let end = first + fan_length(&self.groups, first, |group| *group);
            let bundled = &rails.rails[first..end];
            lanes.clear();
            lanes.extend(bundled.iter().map(|rail| Lane::of(rail, pull)));
            rails.bundles.push(Bundle::of(first, &lanes, pull, scale));
            self.lanes.push(Lane::along(bundled, pull, scale));
            let numbered = (first..).zip(bundled);
            let bounds =
                numbered.map(|(number, rail)| Bounds::of(rail, number, self.groups[number]));
            self.boxes.extend(Bounds::around(bounds));
            first = end;
        }
        if first < rails.rails.len() {
            return Step::Bundle { rail: first };
        }
        Step::Strand { inside: 0 }
    }

    fn strand(&mut self, first: usize) -> Step {
        let rails = &mut self.rails;
        let end = first + fan_length(&self.boxes, first, |bounds| bounds.group);
        let lanes = &self.lanes[first..end];
        let strand = Bundle::of(first, lanes, rails.pull, rails.scale);
        rails.strands.push(strand);
        if end < self.boxes.len() {
            return Step::Strand { inside: end };
        }
        self.lanes = Vec::new();
        let firsts: Vec<u32> = rails.strands.iter().map(|strand| strand.first).collect();
        self.go_outside(&firsts)
    }

    fn lower_bases(&mut self, mut inside: usize, mut rail: usize) -> Step {
        let until = rail + RAILS_FOR_AN_EXPANSION;
        while let Some(bounds) = self.boxes.get_mut(inside) {
            let end = bounds.rails.end.min(until);
            bounds.lower_base(&self.rails.rails[rail..end], self.rails.scale);
            rail = end;
            if rail < bounds.rails.end {
                return Step::Base { inside, rail };
            }
            inside += 1;
        }
        self.rails.levels.push(Vec::new());
        Step::Fan { inside: 0 }
    }

    fn fan(&mut self, first: usize) -> Step {
        let levels = &mut self.rails.levels;
        let end = first + fan_length(&self.boxes, first, |bounds| bounds.group);
        let level = levels.len() - 1;
        let fan = Fan::of(first, &self.boxes[first..end], self.rails.scale);
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
            return Step::Base { inside: 0, rail: 0 };
        }
        // Where there is one strand, it is all there is to look at.
        if self.rails.levels.is_empty() {
            return Step::Done;
        }
        let around = &self.boxes[0];
        self.rails.tiles = Some(Tiles::new(self.rails.rails.len(), around, self.rails.scale));
        Step::Tile
    }

    fn tile(&mut self) -> Step {
        let rails = &mut self.rails;
        let Some(tiles) = &mut rails.tiles else {
            return Step::Done;
        };
        let tree = Tree {
            strands: &rails.strands,
            levels: &rails.levels,
            inflation: rails.inflation,
            spread: rails.spread,
        };
        let has_more = if rails.is_flat {
            tiles.add::<2>(&tree)
        } else {
            tiles.add::<3>(&tree)
        };
        if has_more { Step::Tile } else { Step::Done }
    }
}
