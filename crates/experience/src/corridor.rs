//! From the start to a demonstration, and from its end to the goal: along shortest ways, or by how
//! far one is from them.

use std::sync::Arc;

use crate::graph_ends::{OpenWay, OpenWays};
use crate::rail::{Ends, Pull, Rail};
use crate::rail_boxes::NOWHERE;
use crate::{
    DemonstrationGraph, Distance, Line, Pieces, Place, Projection, TrainingSettings, Ways, WaysTo,
};

/// How one is drawn from the end of a demonstration to the goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Corridor {
    /// As published: as along a line, but with all three distances taken along shortest ways.
    Field,
    /// Along the shortest way itself, which is added to the demonstration. Bounds are proven for
    /// this one.
    #[default]
    Path,
}

/// How one is drawn from the start of a search to the beginning of a demonstration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// What a rail is part of.
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

/// Where demonstrations begin that can be reached from the start and lead to the goal.
pub(crate) fn beginnings(
    graph: &DemonstrationGraph,
    open: &OpenWays,
    start: Place,
    ways: &dyn Ways,
    remaining: &[f64],
) -> Vec<FieldLine> {
    // How far it is to a beginning matters only among those that go round in circles.
    let distance = |place: u32| graph.place(place).distance_to(start);
    let mut lines = Vec::new();
    for place in open.beginnings(graph, distance) {
        let remaining = remaining[place as usize];
        if !remaining.is_finite() {
            continue;
        }
        let ways = ways.to(graph.place(place));
        let length = at_least_nothing(ways.from(start));
        if length.is_finite() {
            lines.push(FieldLine {
                place,
                ways,
                length,
                remaining,
            });
        }
    }
    lines
}

impl FieldsToGoal {
    /// The least estimate by any of these corridors, and which.
    pub(crate) fn least(&self, pull: Pull, at: Place) -> (f64, u32) {
        let to_goal = at_least_nothing(self.goal.from(at));
        let mut best = (f64::INFINITY, NOWHERE);
        for line in &self.from {
            let ends = Ends {
                at_beginning: line.length,
                at_end: 0.0,
                cost: line.length,
            };
            let to_line = at_least_nothing(line.ways.from(at));
            let estimate = pull.estimate_by_distances(to_line, to_goal, line.length, ends);
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
        pull: Pull,
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
                    pull.estimate_by_distances(to_start, to_line, line.length, ends)
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

/// Rails as they are laid, and what each is part of.
#[derive(Default)]
pub(crate) struct Laid {
    pub rails: Vec<Rail>,
    pub origins: Vec<Origin>,
}

impl Laid {
    /// Puts what belongs to one demonstration together, from the start to the goal, and says which
    /// that is.
    pub(crate) fn by_trace(self, graph: &DemonstrationGraph) -> (Vec<Rail>, Vec<Origin>, Vec<u32>) {
        let ways = graph.ways();
        let (mut first_from, mut last_to) = (
            vec![u32::MAX; graph.places().len()],
            vec![u32::MAX; graph.places().len()],
        );
        for (number, way) in ways.iter().enumerate() {
            let first = &mut first_from[way.from as usize];
            *first = (*first).min(number as u32);
            last_to[way.to as usize] = number as u32;
        }
        let trace = |way: u32| {
            let seen = ways.get(way as usize).and_then(|way| way.seen);
            seen.map_or(u32::MAX, |seen| seen.trace)
        };
        let place = |origin: &Origin| match *origin {
            Origin::FromStart { beginning } => (first_from[beginning as usize], 0),
            Origin::Ways { first, .. } => (first, 1),
            Origin::ToGoal { end } => (last_to[end as usize], 2),
        };
        let mut order: Vec<usize> = (0..self.rails.len()).collect();
        order.sort_by_key(|number| place(&self.origins[*number]));
        let rails = order.iter().map(|number| self.rails[*number]).collect();
        let origins: Vec<Origin> = order.iter().map(|number| self.origins[*number]).collect();
        let groups = origins
            .iter()
            .map(|origin| trace(place(origin).0))
            .collect();
        (rails, origins, groups)
    }

    /// Lays the ways from which the goal can be reached, and joins those that are pieces of one
    /// straight way where asked.
    pub(crate) fn lay_ways(
        &mut self,
        graph: &DemonstrationGraph,
        distance: &impl Distance,
        settings: &TrainingSettings,
        open: &OpenWays,
        remaining: &[f64],
    ) {
        let pull = settings.pull();
        // Elsewhere, pieces and the whole are not the same.
        let joins = settings.pieces == Pieces::Joined
            && settings.projection == Projection::Consistent
            && pull.inflation > 1.0;
        let mut run: Option<Run> = None;
        for way in &open.ways {
            if !(remaining[way.to as usize].is_finite() && way.cost.is_finite()) {
                continue;
            }
            if let Some(run) = &mut run
                && joins
                && run.extend(graph, way, remaining)
            {
                continue;
            }
            let finished = run.replace(Run::new(graph, way, remaining));
            self.lay_run(graph, distance, pull, finished, remaining);
        }
        self.lay_run(graph, distance, pull, run, remaining);
    }

    fn lay_run(
        &mut self,
        graph: &DemonstrationGraph,
        distance: &impl Distance,
        pull: Pull,
        run: Option<Run>,
        remaining: &[f64],
    ) {
        let Some(run) = run else { return };
        let (from, to) = (graph.place(run.from), graph.place(run.to));
        let at_end = remaining[run.to as usize];
        let ends = Ends {
            at_beginning: remaining[run.from as usize],
            at_end,
            cost: if run.count == 1 {
                run.cost
            } else {
                run.at_beginning - at_end
            },
        };
        self.rails.push(Rail::new(distance, pull, from, to, ends));
        self.origins.push(Origin::Ways {
            first: run.first,
            count: run.count,
        });
    }

    /// Lays a way at whose end something remains, and returns what remains at its beginning.
    pub(crate) fn lay(
        &mut self,
        distance: &impl Distance,
        pull: Pull,
        way: &Polyline,
        at_end: f64,
        origin: Origin,
    ) -> Option<f64> {
        let mut remaining = at_end;
        for leg in way.legs.iter().rev() {
            let ends = Ends {
                at_beginning: remaining + leg.cost,
                at_end: remaining,
                cost: leg.cost,
            };
            self.rails
                .push(Rail::new(distance, pull, leg.from, leg.to, ends));
            self.origins.push(origin);
            remaining = ends.at_beginning;
        }
        (!way.legs.is_empty()).then_some(remaining)
    }
}

/// Ways that follow each other in one direction and at one speed: one straight way that was cut
/// into pieces.
struct Run {
    first: u32,
    count: u32,
    from: u32,
    to: u32,
    /// Of the first way.
    cost: f64,
    /// What remains at the beginning by this way.
    at_beginning: f64,
    direction: Place,
    /// Between which rates all places of the run fit one straight line, nearly.
    rates: (f64, f64),
}

impl Run {
    /// How much what remains may change at a place that is left out, in seconds: a tenth of what
    /// costs are rounded to.
    const TOLERANCE: f64 = 1e-10;

    fn new(graph: &DemonstrationGraph, way: &OpenWay, remaining: &[f64]) -> Run {
        let mut run = Run {
            first: way.number,
            count: 1,
            from: way.from,
            to: way.to,
            cost: way.cost,
            at_beginning: way.cost + remaining[way.to as usize],
            direction: Place::default(),
            rates: (0.0, f64::INFINITY),
        };
        if let Some((direction, length)) = direction(graph.place(way.from), graph.place(way.to)) {
            run.direction = direction;
            run.rates = run.rates_at(length, remaining[way.to as usize]);
        }
        run
    }

    /// Takes in the next way if it is a piece of the same straight way.
    fn extend(&mut self, graph: &DemonstrationGraph, way: &OpenWay, remaining: &[f64]) -> bool {
        let at_end = remaining[way.to as usize];
        let goes_on = way.from == self.to && way.number == self.first + self.count;
        // Otherwise something better leaves the place between.
        if !goes_on || remaining[way.from as usize] != way.cost + at_end {
            return false;
        }
        let way_on = direction(graph.place(self.from), graph.place(way.to));
        let Some((direction, length)) = way_on else {
            return false;
        };
        let (x, y, z) = (
            direction.x - self.direction.x,
            direction.y - self.direction.y,
            direction.z - self.direction.z,
        );
        let leg = graph.place(way.from).distance_to(graph.place(way.to));
        let so_far = graph.place(self.from).distance_to(graph.place(way.from));
        let is_straight = x * x + y * y + z * z < 1e-24 && so_far + leg <= length * (1.0 + 1e-12);
        // The last point fixes the rate; all before it must agree.
        let rate = (self.at_beginning - at_end) / length;
        if !is_straight || rate < self.rates.0 || rate > self.rates.1 {
            return false;
        }
        let rates = self.rates_at(length, at_end);
        self.rates = (self.rates.0.max(rates.0), self.rates.1.min(rates.1));
        self.to = way.to;
        self.count += 1;
        true
    }

    fn rates_at(&self, length: f64, at_end: f64) -> (f64, f64) {
        let cost = self.at_beginning - at_end;
        (
            (cost - Run::TOLERANCE) / length,
            (cost + Run::TOLERANCE) / length,
        )
    }
}

/// The direction from one place to another, and how far that is.
fn direction(from: Place, to: Place) -> Option<(Place, f64)> {
    let length = from.distance_to(to);
    (length > 0.0 && length.is_finite()).then(|| {
        let part = |from: f64, to: f64| (to - from) / length;
        let (x, y, z) = (part(from.x, to.x), part(from.y, to.y), part(from.z, to.z));
        (Place::new(x, y, z), length)
    })
}

/// A way from place to place, with as few legs as it can have.
pub(crate) struct Polyline {
    legs: Vec<Leg>,
}

struct Leg {
    from: Place,
    to: Place,
    cost: f64,
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
