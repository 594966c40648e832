//! From the start to a demonstration, and from its end to the goal: along shortest ways, or by how
//! far one is from them.

use std::sync::Arc;

use crate::segment::{Attraction, Ends};
use crate::segment_bvh::NOWHERE;
use crate::{DemonstrationGraph, Distance, Line, Place, Ways, WaysTo};

/// How one is drawn from the end of a demonstration to the goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Corridor {
    /// As published: as along a line, but with all three distances taken along shortest ways.
    Field,
    /// Along the shortest way itself, which is added to the demonstration. Bounds are proven for
    /// this one.
    #[default]
    Path,
}

/// How one is drawn from the start of a search to the beginning of a demonstration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum StartEdge {
    /// Along a corridor from the start, of the same kind as the one to the goal.
    #[default]
    Start,
    /// From wherever one is, without inflation: the literal reading of what was published. With
    /// much inflation, the search is drawn back to the beginning from everywhere.
    Query,
    /// Not at all.
    Off,
}

/// What a segment is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Ways with consecutive numbers.
    Ways {
        first: u32,
        count: u32,
    },
    ToGoal {
        end: u32,
    },
    FromStart {
        beginning: u32,
    },
}

/// Corridors to the goal, by fields of shortest ways.
#[derive(Clone)]
pub(crate) struct FieldsToGoal {
    pub goal: Arc<dyn WaysTo>,
    /// From the ends of demonstrations.
    pub from: Vec<FieldLine>,
}

/// Corridors from the start, by fields of shortest ways.
#[derive(Clone)]
pub(crate) struct FieldsFromStart {
    /// `None`: from wherever one is.
    pub start: Option<Arc<dyn WaysTo>>,
    /// To the beginnings of demonstrations.
    pub to: Vec<FieldLine>,
}

/// A corridor between a place of the graph and another place.
#[derive(Clone)]
pub(crate) struct FieldLine {
    /// The place of the graph, by number.
    pub place: u32,
    /// The ways to it.
    pub ways: Arc<dyn WaysTo>,
    /// From end to end.
    pub length: f64,
    /// What remains at the place of the graph.
    pub remaining: f64,
}

/// Seconds somebody else worked out, which may be no number.
pub(crate) fn at_least_nothing(seconds: f64) -> f64 {
    if seconds.is_nan() {
        f64::INFINITY
    } else {
        seconds.max(0.0)
    }
}

/// The corridor to a beginning that can be reached from the start and leads to the goal, at which
/// that much remains.
pub(crate) fn to_beginning(
    graph: &DemonstrationGraph,
    place: u32,
    start: Place,
    ways: &dyn Ways,
    remaining: f64,
) -> Option<FieldLine> {
    if !remaining.is_finite() {
        return None;
    }
    let ways = ways.to(graph.place(place));
    let length = at_least_nothing(ways.from(start));
    length.is_finite().then_some(FieldLine {
        place,
        ways,
        length,
        remaining,
    })
}

impl FieldsToGoal {
    /// The least estimate by any of these corridors, and which.
    pub(crate) fn least(&self, attraction: Attraction, at: Place) -> (f64, u32) {
        let to_goal = at_least_nothing(self.goal.from(at));
        let mut best = (f64::INFINITY, NOWHERE);
        for line in &self.from {
            let ends = Ends {
                at_beginning: line.length,
                at_end: 0.0,
                cost: line.length,
            };
            let to_line = at_least_nothing(line.ways.from(at));
            let estimate = attraction.estimate_by_distances(to_line, to_goal, line.length, ends);
            if let Some(estimate) = estimate.filter(|estimate| *estimate < best.0) {
                best = (estimate, line.place);
            }
        }
        best
    }
}

impl FieldsFromStart {
    /// The least estimate by any of these corridors, and which.
    pub(crate) fn least(
        &self,
        attraction: Attraction,
        at: Place,
        remaining: impl Fn(&FieldLine) -> f64,
    ) -> (f64, u32) {
        let to_start = self
            .start
            .as_ref()
            .map(|start| at_least_nothing(start.from(at)));
        let mut best = (f64::INFINITY, NOWHERE);
        for line in &self.to {
            let to_line = at_least_nothing(line.ways.from(at));
            let at_end = remaining(line);
            let estimate = match to_start {
                Some(to_start) => {
                    let ends = Ends {
                        at_beginning: line.length + at_end,
                        at_end,
                        cost: line.length,
                    };
                    attraction.estimate_by_distances(to_start, to_line, line.length, ends)
                }
                None => Some(to_line + at_end),
            };
            if let Some(estimate) = estimate.filter(|estimate| *estimate < best.0) {
                best = (estimate, line.place);
            }
        }
        best
    }
}

/// A way from place to place, with as few legs as it can have.
pub(crate) struct Polyline {
    pub legs: Vec<Leg>,
}

pub(crate) struct Leg {
    pub from: Place,
    pub to: Place,
    pub cost: f64,
}

impl Polyline {
    /// The way along these places, which takes `seconds`, or longer if that is less than its
    /// length. Steps in the same direction become one leg: on a grid that leaves a tenth of them.
    pub(crate) fn new(distance: &impl Distance, places: &[Place], seconds: f64) -> Polyline {
        let mut corners: Vec<Place> = Vec::new();
        for place in places.iter().filter(|place| place.is_finite()) {
            if let [.., before, corner] = corners[..]
                && goes_straight_on(before, corner, *place)
            {
                corners.pop();
            }
            if corners.last() != Some(place) {
                corners.push(*place);
            }
        }
        let mut legs: Vec<Leg> = corners
            .windows(2)
            .map(|leg| Leg {
                from: leg[0],
                to: leg[1],
                cost: distance.between(leg[0], leg[1]),
            })
            .collect();
        let length: f64 = legs.iter().map(|leg| leg.cost).sum();
        let slowness = (seconds / length).max(1.0);
        if slowness.is_finite() {
            for leg in &mut legs {
                leg.cost *= slowness;
            }
        }
        Polyline { legs }
    }

    /// Its legs as lines, each with what it costs.
    pub(crate) fn lines(&self, distance: &impl Distance) -> impl Iterator<Item = (Line, f64)> {
        let lines = self
            .legs
            .iter()
            .map(|leg| (Line::new(distance, leg.from, leg.to), leg.cost));
        lines.filter_map(|(line, cost)| line.map(|line| (line, cost)))
    }
}

fn goes_straight_on(before: Place, corner: Place, after: Place) -> bool {
    let first = [
        corner.x - before.x,
        corner.y - before.y,
        corner.z - before.z,
    ];
    let second = [after.x - corner.x, after.y - corner.y, after.z - corner.z];
    let parallel = |a: usize, b: usize| first[a] * second[b] == first[b] * second[a];
    let onward: f64 = (0..3).map(|axis| first[axis] * second[axis]).sum();
    parallel(0, 1) && parallel(1, 2) && parallel(0, 2) && onward > 0.0
}
