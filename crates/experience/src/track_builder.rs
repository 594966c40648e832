//! Lays segments along the ways of demonstrations and the corridors at their ends, a little at a time.

use apprentice_search::Budget;

use crate::corridor::{FieldLine, Origin, Polyline, to_beginning};
use crate::graph_ends::{OpenWay, OpenWays, Sweep, WAYS_FOR_AN_EXPANSION};
use crate::segment::{Attraction, Ends, GuideSegment};
use crate::segment_bvh::{BvhBuilder, GuideSegments};
use crate::{
    Corridor, DemonstrationGraph, Distance, Pieces, Place, Projection, StartEdge, TrainingSettings,
    Ways,
};

/// All that is asked while segments are laid.
pub(crate) struct Site<'a, D> {
    pub graph: &'a DemonstrationGraph,
    pub open: &'a OpenWays,
    pub distance: &'a D,
    pub settings: &'a TrainingSettings,
    /// Where the corridors to the beginnings come from, if there are any.
    pub start: Option<Place>,
    pub ways: &'a dyn Ways,
}

/// The segments that lead to some ends of a graph, being laid.
#[derive(Clone)]
pub(crate) struct TrackBuilder {
    sweep: Sweep,
    laid: Laid,
    /// Corridors from the start that are no segments.
    fields: Vec<FieldLine>,
    step: Step,
}

/// Each with how far it has come.
#[derive(Clone)]
enum Step {
    /// Works out what remains at each place.
    Sweep,
    /// Lays corridors to where demonstrations begin.
    Beginnings { places: Vec<u32>, next: usize },
    /// Lays the ways.
    Ways,
    /// Puts everything into boxes.
    Boxes(Box<BvhBuilder>),
}

/// What was laid.
pub(crate) struct Track {
    pub segments: GuideSegments,
    /// What each segment is part of.
    pub origins: Vec<Origin>,
    /// What remains at each place of the graph.
    pub remaining: Vec<f64>,
    /// Corridors from the start that are no segments.
    pub fields: Vec<FieldLine>,
}

impl TrackBuilder {
    /// Begins with ends, what remains at each, and the corridors that lead on from them.
    pub(crate) fn new(
        graph: &DemonstrationGraph,
        ends: impl IntoIterator<Item = (u32, f64)>,
        laid: Laid,
    ) -> TrackBuilder {
        let mut sweep = Sweep::new(graph.places().len());
        for (end, remaining) in ends {
            sweep.begin_at(end, remaining);
        }
        TrackBuilder {
            sweep,
            laid,
            fields: Vec::new(),
            step: Step::Sweep,
        }
    }

    /// Goes on; one unit of budget for every 64 ways. False: the budget is spent, call again.
    pub(crate) fn go_on<D: Distance>(
        &mut self,
        site: &Site<'_, D>,
        budget: &mut Budget<'_>,
    ) -> bool {
        loop {
            match &mut self.step {
                Step::Sweep => {
                    if !self.sweep.go_on(site.open, budget) {
                        return false;
                    }
                    // How far it is to a beginning matters only among those that go round in
                    // circles.
                    let places = site.start.map_or_else(Vec::new, |start| {
                        let distance = |place: u32| site.graph.place(place).distance_to(start);
                        site.open.beginnings(site.graph, distance)
                    });
                    self.step = Step::Beginnings { places, next: 0 };
                }
                Step::Beginnings { places, next } => {
                    while let (Some(place), Some(start)) = (places.get(*next), site.start) {
                        if !budget.take() {
                            return false;
                        }
                        *next += 1;
                        let remaining = self.sweep.remaining[*place as usize];
                        let line = to_beginning(site.graph, *place, start, site.ways, remaining);
                        let Some(line) = line else { continue };
                        if site.settings.lays_from_start() {
                            self.laid.lay_from_start(site, start, &line);
                        } else {
                            self.fields.push(line);
                        }
                    }
                    self.laid.order_corridors(site.open);
                    self.step = Step::Ways;
                }
                Step::Ways => {
                    if !self.laid.lay_ways(site, &self.sweep.remaining, budget) {
                        return false;
                    }
                    let mut segments = std::mem::take(&mut self.laid.segments);
                    // Where each of many ends has its own ways, the room for all would add up.
                    if segments.capacity() / 2 > segments.len() {
                        segments.shrink_to_fit();
                    }
                    self.step = Step::Boxes(Box::new(BvhBuilder::new(
                        site.distance,
                        site.settings.attraction(),
                        segments,
                        std::mem::take(&mut self.laid.groups),
                        site.settings.lookup,
                    )));
                }
                Step::Boxes(boxing) => return boxing.go_on(budget),
            }
        }
    }

    /// The segments, once [`go_on`](TrackBuilder::go_on) has said that all is done; `None` before.
    pub(crate) fn finish(self) -> Option<Track> {
        let Step::Boxes(boxing) = self.step else {
            return None;
        };
        Some(Track {
            segments: boxing.finish(),
            origins: self.laid.origins,
            remaining: self.sweep.remaining,
            fields: self.fields,
        })
    }
}

impl TrainingSettings {
    /// Whether corridors from the start are ways, and so segments.
    pub(crate) fn lays_from_start(&self) -> bool {
        self.start_edge == StartEdge::Start && self.corridor == Corridor::Path
    }
}

/// Segments as they are laid, and what each is part of. What belongs to one demonstration lies
/// together, from the start to the goal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Laid {
    pub segments: Vec<GuideSegment>,
    pub origins: Vec<Origin>,
    /// The demonstration each belongs to.
    pub groups: Vec<u32>,
    /// Segments of corridors, which are put between those of the ways.
    corridors: Vec<Piece>,
    next_corridor: usize,
    next_way: usize,
    run: Option<Run>,
}

/// A segment that lies somewhere else than it was laid.
#[derive(Clone, Copy, Debug)]
struct Piece {
    segment: GuideSegment,
    origin: Origin,
    /// The number of the way it belongs to, and whether it comes before or after that.
    place: (u32, Side),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Before,
    Along,
    After,
}

impl Laid {
    /// Lays a corridor at whose end something remains, and returns what remains at its beginning.
    pub(crate) fn lay(
        &mut self,
        distance: &impl Distance,
        attraction: Attraction,
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
            self.corridors.push(Piece {
                segment: GuideSegment::new(distance, attraction, leg.from, leg.to, ends),
                origin,
                place: (u32::MAX, Side::After),
            });
            remaining = ends.at_beginning;
        }
        (!way.legs.is_empty()).then_some(remaining)
    }

    fn lay_from_start<D: Distance>(&mut self, site: &Site<'_, D>, start: Place, line: &FieldLine) {
        let way = Polyline::new(site.distance, &line.ways.way(start), line.length);
        let beginning = line.place;
        let origin = Origin::FromStart { beginning };
        let attraction = site.settings.attraction();
        self.lay(site.distance, attraction, &way, line.remaining, origin);
    }

    /// Finds out which way each corridor belongs to.
    fn order_corridors(&mut self, open: &OpenWays) {
        for corridor in &mut self.corridors {
            corridor.place = match corridor.origin {
                Origin::FromStart { beginning } => {
                    let first = open.leaving(beginning).last();
                    (first.map_or(u32::MAX, |way| way.number), Side::Before)
                }
                Origin::Ways { first, .. } => (first, Side::Along),
                Origin::ToGoal { end } => {
                    let last = open.arriving(end).next();
                    (last.map_or(u32::MAX, |way| way.number), Side::After)
                }
            };
        }
        self.corridors.sort_by_key(|corridor| corridor.place);
        // Growing would take a long time at one go. What is not used is never touched.
        self.segments
            .reserve(open.ways.len() + self.corridors.len());
    }

    /// Puts a segment to the others.
    fn push(&mut self, graph: &DemonstrationGraph, piece: &Piece) {
        let way = graph.ways().get(piece.place.0 as usize);
        let seen = way.and_then(|way| way.seen);
        self.segments.push(piece.segment);
        self.origins.push(piece.origin);
        self.groups.push(seen.map_or(u32::MAX, |seen| seen.trace));
    }

    /// Puts those corridors to the others that come before `place`.
    fn push_corridors(&mut self, graph: &DemonstrationGraph, place: (u32, Side)) {
        while let Some(corridor) = self.corridors.get(self.next_corridor).copied() {
            if corridor.place > place {
                return;
            }
            self.next_corridor += 1;
            self.push(graph, &corridor);
        }
    }

    /// Lays the ways from which the goal can be reached, and joins those that are pieces of one
    /// straight way where asked; one unit of budget for every 64. False: the budget is spent, call
    /// again.
    fn lay_ways<D: Distance>(
        &mut self,
        site: &Site<'_, D>,
        remaining: &[f64],
        budget: &mut Budget<'_>,
    ) -> bool {
        // Elsewhere, pieces and the whole are not the same.
        let joins = site.settings.pieces == Pieces::Joined
            && site.settings.projection == Projection::Consistent
            && site.settings.attraction().inflation > 1.0;
        while self.next_way < site.open.ways.len() {
            if !budget.take() {
                return false;
            }
            let end = (self.next_way + WAYS_FOR_AN_EXPANSION).min(site.open.ways.len());
            for way in &site.open.ways[self.next_way..end] {
                if !(remaining[way.to as usize].is_finite() && way.cost.is_finite()) {
                    continue;
                }
                if let Some(run) = &mut self.run
                    && joins
                    && run.extend(site.graph, way, remaining)
                {
                    continue;
                }
                let finished = self.run.replace(Run::new(site.graph, way, remaining));
                self.lay_run(site, finished, remaining);
            }
            self.next_way = end;
        }
        let last = self.run.take();
        self.lay_run(site, last, remaining);
        self.push_corridors(site.graph, (u32::MAX, Side::After));
        true
    }

    fn lay_run<D: Distance>(&mut self, site: &Site<'_, D>, run: Option<Run>, remaining: &[f64]) {
        let Some(run) = run else { return };
        let (from, to) = (site.graph.place(run.from), site.graph.place(run.to));
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
        let piece = Piece {
            segment: GuideSegment::new(site.distance, site.settings.attraction(), from, to, ends),
            origin: Origin::Ways {
                first: run.first,
                count: run.count,
            },
            place: (run.first, Side::Along),
        };
        self.push_corridors(site.graph, piece.place);
        self.push(site.graph, &piece);
    }

    /// The segments of the corridors alone, each with the place of the graph it begins or ends at.
    pub(crate) fn corridors(self) -> (Vec<GuideSegment>, Vec<u32>) {
        let ends = |corridor: &Piece| match corridor.origin {
            Origin::ToGoal { end } => end,
            Origin::FromStart { beginning } => beginning,
            Origin::Ways { .. } => u32::MAX,
        };
        let corridors = self.corridors.iter();
        corridors.map(|piece| (piece.segment, ends(piece))).unzip()
    }
}

/// Ways that follow each other in one direction and at one speed: one straight way that was cut
/// into pieces.
#[derive(Clone, Debug)]
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
