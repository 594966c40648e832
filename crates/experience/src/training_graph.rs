//! An estimate that follows demonstrations to their end (T-Graph): whoever is beside a demonstrated
//! way is drawn to it and along it, wherever it leads, and then to the goal.
//!
//! After Drake, Safonova and Likhachev, "Demonstration-based training of non-player character
//! tactical behaviors" (AIIDE 2016), with the projection corrected (see [`Foot`](crate::Foot)).
//!
//! # What can be relied on
//!
//! Let ε be the inflation, and h the straight line to the goal. Every configuration keeps
//! h ≤ estimate ≤ ε·h, so that with ε = 1 nothing is followed, and a search that re-opens states
//! keeps the bound ε times its own weight. A search that does not re-open needs more, namely that a
//! move lowers the estimate by no more than a factor times its cost:
//!
//! | configuration | factor |
//! | --- | --- |
//! | [`Projection::Consistent`] and [`Corridor::Path`] | ε |
//! | [`Projection::Perpendicular`] and [`Corridor::Path`] | √(ε² + r²), r the slowest way's cost for each second of its length |
//! | [`Corridor::Field`], or [`StartEdge::Query`] | none: fields of shortest ways have corners |
//!
//! The first holds because such an estimate is the least of many, each of which is ε times the
//! distance to a point plus a constant. The second because beside a way the estimate changes by ε
//! across it and by r along it, for each second.

use std::sync::Arc;

use apprentice_search::{Budget, Cost, Weight};

use crate::corridor::{
    FieldLine, FieldsFromStart, FieldsToGoal, Origin, Polyline, at_least_nothing,
};
use crate::graph_ends::OpenWays;
use crate::segment::Attraction;
use crate::segment_bvh::{GuideSegments, Hint, Lookup, NOWHERE};
use crate::track_builder::{Laid, Site, TrackBuilder};
use crate::{
    Corridor, DemonstrationGraph, Distance, Place, Projection, Relevance, StartEdge, Straight,
    Ways, WaysTo,
};

/// How demonstrations are followed.
///
/// ```
/// use apprentice_experience::{Corridor, Projection, TrainingSettings};
/// use apprentice_search::Weight;
///
/// // By default everything can be proven; published results need this instead:
/// let published = TrainingSettings {
///     projection: Projection::Perpendicular,
///     corridor: Corridor::Field,
///     ..TrainingSettings::with_inflation(Weight::new(10.0)?)
/// };
/// # let _ = published;
/// # Ok::<(), apprentice_search::BadWeight>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrainingSettings {
    /// How many times the time off the demonstrations counts. With 1, nothing is followed.
    pub inflation: Weight,
    /// Where on a way somebody beside it is thought to join it.
    pub projection: Projection,
    /// How one is drawn from the end of a demonstration to the goal.
    pub corridor: Corridor,
    /// How one is drawn from the start to the beginning of a demonstration.
    pub start_edge: StartEdge,
    /// Whether to look at every way, every time.
    pub lookup: Lookup,
    /// Whether straight ways that were cut into pieces are put together again.
    pub pieces: Pieces,
}

/// Whether a straight way that was cut into pieces, as by recording it at regular intervals, is
/// followed as one. In the consistent projection that changes nothing but rounding, and there is
/// less to look at; in the other one pieces are never joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pieces {
    /// As one.
    #[default]
    Joined,
    /// Piece by piece, for experiments that show what pieces cost.
    Apart,
}

impl TrainingSettings {
    /// Settings for which everything can be proven.
    pub fn with_inflation(inflation: Weight) -> TrainingSettings {
        TrainingSettings {
            inflation,
            ..TrainingSettings::default()
        }
    }

    /// The factor that makes an estimate with this inflation comparable to one without, for
    /// advisers beside an anchor: it undoes the inflation, and allows for demonstrations that take
    /// `detour` times as long as they could.
    ///
    /// ```
    /// # use apprentice_experience::TrainingSettings;
    /// # use apprentice_search::Weight;
    /// let settings = TrainingSettings::with_inflation(Weight::new(10.0)?);
    /// assert_eq!(settings.calibration(2.0), 0.05);
    /// # Ok::<(), apprentice_search::BadWeight>(())
    /// ```
    pub fn calibration(&self, detour: f64) -> f64 {
        1.0 / (detour.max(1.0) * self.inflation.as_f64())
    }

    /// Whether the ways to the start are asked for, so that they should be at hand.
    ///
    /// ```
    /// # use apprentice_experience::{Corridor, TrainingSettings};
    /// # use apprentice_search::Weight;
    /// let proven = TrainingSettings::with_inflation(Weight::new(10.0)?);
    /// assert!(!proven.asks_for_the_start());
    /// assert!(TrainingSettings { corridor: Corridor::Field, ..proven }.asks_for_the_start());
    /// # Ok::<(), apprentice_search::BadWeight>(())
    /// ```
    pub fn asks_for_the_start(&self) -> bool {
        self.start_edge == StartEdge::Start && !self.lays_from_start()
    }

    pub(crate) fn attraction(&self) -> Attraction {
        Attraction {
            inflation: self.inflation.as_f64(),
            projection: self.projection,
        }
    }
}

/// Between what demonstrations are to be followed.
#[derive(Clone)]
pub struct Journey<'a> {
    /// Where the search starts; `None` if there is nothing to be drawn from.
    pub start: Option<Place>,
    /// The shortest ways to the goal, which may be more than one place.
    pub goal: Arc<dyn WaysTo>,
    /// The shortest ways to anywhere else.
    pub ways: &'a dyn Ways,
}

/// An estimate that follows demonstrations to their end, from wherever one is, to one goal.
///
/// ```
/// use std::sync::Arc;
/// use apprentice_experience::*;
/// use apprentice_search::{Cost, Weight};
///
/// // Somebody went around.
/// let mut graph = DemonstrationGraph::default();
/// let around = [(0.0, 0.0), (5.0, 9.0), (10.0, 0.0)].map(|(x, y)| Place::flat(x, y));
/// graph.add(&Demonstration::drawn("around", around, 1.0));
///
/// let ground = OpenGround { top_speed: 1.0 };
/// let goal = Place::flat(10.0, 0.0);
/// let training = TrainingGraph::new(
///     Arc::new(graph),
///     Straight::default(),
///     TrainingSettings::with_inflation(Weight::new(10.0)?),
///     &Journey { start: Some(Place::flat(0.0, 0.0)), goal: ground.to(goal), ways: &ground },
/// );
///
/// let estimate = |at: Place| training.estimate(at, Cost::round_down(at.distance_to(goal)));
/// // It falls along the demonstration, also where that leads away from the goal ...
/// assert!(estimate(Place::flat(5.0, 9.0)) < estimate(Place::flat(2.5, 4.5)));
/// // ... and the direct way is no longer tempting.
/// assert!(estimate(Place::flat(5.0, 0.0)) > estimate(Place::flat(5.0, 9.0)));
/// # Ok::<(), apprentice_search::BadWeight>(())
/// ```
#[derive(Clone)]
pub struct TrainingGraph<D = Straight> {
    graph: Arc<DemonstrationGraph>,
    distance: D,
    settings: TrainingSettings,
    /// What remains at each place of the graph.
    remaining: Vec<f64>,
    segments: GuideSegments,
    /// What each segment is part of.
    origins: Vec<Origin>,
    to_goal: Option<FieldsToGoal>,
    from_start: Option<FieldsFromStart>,
}

/// What the least of all estimates at a place came from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guide {
    /// Nothing demonstrated: straight to the goal.
    Straight,
    /// A demonstrated way.
    Way {
        /// Its number in the graph.
        way: u32,
        /// The part of it that lies ahead: 1 at its beginning, 0 at its end.
        part_ahead: f64,
    },
    /// The corridor from the end of a demonstration to the goal.
    ToGoal {
        /// The place of the graph it begins at.
        end: u32,
    },
    /// The corridor from the start to the beginning of a demonstration.
    FromStart {
        /// The place of the graph it ends at.
        beginning: u32,
    },
}

/// Why an estimate is what it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attribution {
    /// The estimate in seconds.
    pub estimate: f64,
    /// What it came from.
    pub guide: Guide,
    /// The demonstration it belongs to, if one.
    pub trace: Option<u32>,
    /// Seconds since that demonstration began: how far along it one is.
    pub time: Option<f64>,
}

impl<D: Distance> TrainingGraph<D> {
    /// Makes ready to follow the graph's demonstrations to one goal, all at once; see [`TrainingGraphBuilder`].
    pub fn new(
        graph: Arc<DemonstrationGraph>,
        distance: D,
        settings: TrainingSettings,
        journey: &Journey<'_>,
    ) -> TrainingGraph<D> {
        let mut learning = TrainingGraphBuilder::new(graph, distance, settings, journey);
        learning.go_on(journey.ways, &mut Budget::unlimited());
        learning.finish()
    }

    /// The cost from `at` to the goal, to which it is `straight` as the crow flies (with everything
    /// the goal says taken into account). Never less than `straight`, and never more than that
    /// times the inflation.
    #[inline]
    pub fn estimate(&self, at: Place, straight: Cost) -> Cost {
        self.estimate_near(at, straight, &mut Hint::default())
    }

    /// The same estimate, faster if the last question with this hint was about a place near by.
    #[inline]
    pub fn estimate_near(&self, at: Place, straight: Cost, hint: &mut Hint) -> Cost {
        if self.settings.inflation == Weight::ONE || !straight.is_finite() {
            return straight;
        }
        let highest = self.settings.inflation.inflate(straight);
        // A little more than the direct option, so that rounding rules nothing out.
        let bound = highest.as_seconds() * (1.0 + 1e-9) + 1e-8;
        self.rounded(self.guided_below(at, bound, hint), straight)
    }

    /// An estimate from what the demonstrations alone say, as [`guided`](TrainingGraph::guided)
    /// does, and the straight way.
    #[inline]
    pub fn rounded(&self, guided: f64, straight: Cost) -> Cost {
        if !straight.is_finite() {
            return straight;
        }
        let highest = self.settings.inflation.inflate(straight);
        // In whole ticks, so that with inflation 1 not a single tie is broken differently.
        Cost::round_down(guided).min(highest).max(straight)
    }

    /// The estimate in seconds, not rounded.
    pub fn seconds(&self, at: Place, straight: f64) -> f64 {
        combined(self.settings.inflation.as_f64(), straight, || {
            self.guided(at, &mut Hint::default())
        })
    }

    /// What the demonstrations alone say: seconds from `at` to the goal by way of some
    /// demonstration, infinite if there is none. Depends on the place only, so that whoever asks
    /// often can keep it.
    #[inline]
    pub fn guided(&self, at: Place, hint: &mut Hint) -> f64 {
        self.guided_below(at, f64::INFINITY, hint)
    }

    /// What [`guided`](TrainingGraph::guided) says, by looking at everything.
    pub fn guided_by_scan(&self, at: Place) -> f64 {
        if !at.is_finite() {
            return f64::INFINITY;
        }
        let least = self
            .segments
            .least_by_scan(&self.distance, at, f64::INFINITY);
        self.least_by_fields(at, least.estimate).0
    }

    /// Exact if it is less than `bound`, and not less than `bound` otherwise.
    #[inline]
    fn guided_below(&self, at: Place, bound: f64, hint: &mut Hint) -> f64 {
        if !at.is_finite() {
            return f64::INFINITY;
        }
        let least = self
            .segments
            .least(&self.distance, at, bound, hint)
            .estimate;
        if self.to_goal.is_none() && self.from_start.is_none() {
            return least;
        }
        self.least_by_fields(at, least).0
    }

    /// The least of `least` and all corridors by fields, and the place of the corridor if it is one.
    fn least_by_fields(&self, at: Place, least: f64) -> (f64, Option<Origin>) {
        let attraction = self.settings.attraction();
        let mut best = (least, None);
        if let Some(fields) = &self.to_goal {
            let (seconds, end) = fields.least(attraction, at);
            if seconds < best.0 {
                best = (seconds, Some(Origin::ToGoal { end }));
            }
        }
        if let Some(fields) = &self.from_start {
            let (seconds, beginning) = fields.least(attraction, at, |line| line.remaining);
            if seconds < best.0 {
                best = (seconds, Some(Origin::FromStart { beginning }));
            }
        }
        best
    }

    /// What the estimate at `at` came from: which demonstration is followed there, and how far
    /// along it one is.
    pub fn attribute(&self, at: Place, straight: f64) -> Attribution {
        self.attribute_near(at, straight, &mut Hint::default())
    }

    /// The same, faster if the last question with this hint was about a place near by.
    pub fn attribute_near(&self, at: Place, straight: f64, hint: &mut Hint) -> Attribution {
        let direct = self.settings.inflation.as_f64() * straight;
        let mut found = (direct, None);
        let mut segment = NOWHERE;
        if at.is_finite() && self.settings.inflation > Weight::ONE {
            let bound = if direct.is_nan() {
                f64::INFINITY
            } else {
                direct
            };
            let least = self.segments.least(&self.distance, at, bound, hint);
            segment = least.segment;
            let origin = self.origins.get(segment as usize).copied();
            let (seconds, field) = self.least_by_fields(at, least.estimate);
            found = (seconds, field.or(origin));
            if field.is_some() {
                segment = NOWHERE;
            }
        }
        let estimate = combined(1.0, straight, || found.0).max(found.0);
        self.attributed(at, estimate, found.1, segment)
    }

    fn attributed(
        &self,
        at: Place,
        estimate: f64,
        origin: Option<Origin>,
        segment: u32,
    ) -> Attribution {
        let mut attribution = Attribution {
            estimate,
            guide: Guide::Straight,
            trace: None,
            time: None,
        };
        match origin {
            None => {}
            Some(Origin::Ways { first, count }) => {
                let attraction = self.segments.attraction();
                let segment = self.segments.get(segment);
                let part_ahead = segment.map_or(0.0, |segment| {
                    segment.part_ahead(&self.distance, attraction, at)
                });
                let (way, part_ahead) = self.way_within(first, count, part_ahead);
                attribution.guide = Guide::Way { way, part_ahead };
                if let Some(seen) = self.graph.ways()[way as usize].seen {
                    attribution.trace = Some(seen.trace);
                    attribution.time = Some(seen.ends - part_ahead * (seen.ends - seen.begins));
                }
            }
            Some(Origin::ToGoal { end }) => {
                attribution.guide = Guide::ToGoal { end };
                let mut traces = self.graph.traces().iter();
                if let Some(trace) = traces.position(|trace| trace.last() == end) {
                    attribution.trace = Some(trace as u32);
                    attribution.time = Some(self.graph.traces()[trace].duration);
                }
            }
            Some(Origin::FromStart { beginning }) => {
                attribution.guide = Guide::FromStart { beginning };
                let mut traces = self.graph.traces().iter();
                if let Some(trace) = traces.position(|trace| trace.first() == beginning) {
                    attribution.trace = Some(trace as u32);
                    attribution.time = Some(0.0);
                }
            }
        }
        attribution
    }

    /// Which of several joined ways has the point from which that part of them all lies ahead, and
    /// the part of this way that does.
    fn way_within(&self, first: u32, count: u32, part_ahead: f64) -> (u32, f64) {
        if count == 1 {
            return (first, part_ahead);
        }
        let length = |way: u32| {
            let way = &self.graph.ways()[way as usize];
            self.distance
                .between(self.graph.place(way.from), self.graph.place(way.to))
        };
        let ways = first..first + count;
        let mut ahead = part_ahead * ways.clone().map(length).sum::<f64>();
        for way in ways.rev() {
            let length = length(way);
            if ahead <= length {
                let part = if length > 0.0 { ahead / length } else { 0.0 };
                return (way, part);
            }
            ahead -= length;
        }
        (first, 1.0)
    }

    /// The factor for which the estimate is admissible: divided by it, it is never more than the
    /// cost that remains.
    pub fn inflation(&self) -> Weight {
        self.settings.inflation
    }

    /// The factor for which the estimate is consistent, if that can be proven: divided by it, no
    /// move lowers the estimate by more than the move costs. Holds where the straight line to the
    /// goal is consistent itself.
    pub fn consistency(&self) -> Option<Weight> {
        self.settings.consistency(self.segments.greatest_rate())
    }

    /// Seconds that remain at a place of the graph; infinite where no end is reached.
    pub fn remaining(&self, place: u32) -> f64 {
        self.remaining[place as usize]
    }

    /// Whether a demonstration attracts a search that starts at `start`, from where the goal is
    /// `straight` seconds away by the way it is measured against; `None` if there is no such trace.
    pub fn relevance(
        &self,
        trace: u32,
        start: Place,
        straight: f64,
        ways: &dyn Ways,
    ) -> Option<Relevance> {
        let trace = self.graph.traces().get(trace as usize)?;
        let (whole, onward) = (self.remaining(trace.first()), self.remaining(trace.last()));
        // Where another demonstration branches off towards the goal, the rest of this one is not on
        // the way.
        let (along, onward) = if !whole.is_finite() {
            (trace.duration, onward)
        } else if onward <= whole {
            (whole - onward, onward)
        } else {
            (whole, 0.0)
        };
        Some(Relevance {
            approach: ways.to(self.graph.place(trace.first())).from(start),
            along,
            onward,
            straight,
            epsilon: self.settings.inflation.as_f64(),
        })
    }

    /// The demonstrations that are followed.
    pub fn graph(&self) -> &Arc<DemonstrationGraph> {
        &self.graph
    }

    /// How they are followed.
    pub fn settings(&self) -> &TrainingSettings {
        &self.settings
    }

    /// How many straight pieces are looked through: of demonstrations, and of corridors along
    /// paths.
    pub fn pieces(&self) -> usize {
        self.segments.len()
    }
}

/// A [`TrainingGraph`] that is being made, a little at a time. Sixteen thousand ways take some three
/// milliseconds, or six thousand units of budget.
///
/// ```
/// # use std::sync::Arc;
/// # use apprentice_experience::*;
/// # use apprentice_search::{Budget, Weight};
/// # let mut graph = DemonstrationGraph::default();
/// # graph.add(&Demonstration::drawn("x", [Place::flat(2.0, 0.0), Place::flat(8.0, 0.0)], 1.0));
/// # let ground = OpenGround { top_speed: 1.0 };
/// # let settings = TrainingSettings::with_inflation(Weight::new(5.0)?);
/// let goal = ground.to(Place::flat(10.0, 0.0));
/// let journey = Journey { start: None, goal, ways: &ground };
/// let mut learning = TrainingGraphBuilder::new(Arc::new(graph), Straight::default(), settings, &journey);
/// while !learning.go_on(&ground, &mut Budget::units(1)) {
///     // Time for something else.
/// }
/// let training = learning.finish();
/// # assert_eq!(training.seconds(Place::flat(2.0, 0.0), 8.0), 8.0);
/// # Ok::<(), apprentice_search::BadWeight>(())
/// ```
#[derive(Clone)]
pub struct TrainingGraphBuilder<D = Straight> {
    graph: Arc<DemonstrationGraph>,
    distance: D,
    settings: TrainingSettings,
    start: Option<Place>,
    goal: Arc<dyn WaysTo>,
    open: OpenWays,
    /// Where demonstrations end, once that is known, and how many corridors lead on from there.
    ends: Option<Vec<u32>>,
    next_end: usize,
    /// What remains at those from which there is a way on.
    remaining: Vec<(u32, f64)>,
    corridors: Laid,
    fields: Vec<FieldLine>,
    laying: Option<TrackBuilder>,
    /// The ways to the start, where corridors need them.
    start_ways: Option<Arc<dyn WaysTo>>,
}

impl<D: Distance> TrainingGraphBuilder<D> {
    /// Begins. The ways of the journey are asked later.
    pub fn new(
        graph: Arc<DemonstrationGraph>,
        distance: D,
        settings: TrainingSettings,
        journey: &Journey<'_>,
    ) -> TrainingGraphBuilder<D> {
        let is_off = settings.start_edge == StartEdge::Off;
        TrainingGraphBuilder {
            open: OpenWays::of(&graph),
            graph,
            distance,
            settings,
            start: journey.start.filter(|_| !is_off),
            goal: journey.goal.clone(),
            ends: None,
            next_end: 0,
            remaining: Vec::new(),
            corridors: Laid::default(),
            fields: Vec::new(),
            laying: None,
            start_ways: None,
        }
    }

    /// Goes on, with the ways of the journey it was begun with; one unit of budget for every 64 ways,
    /// and for every corridor. False: the budget is spent, call again.
    ///
    /// What is done at one go: a few nanoseconds for each place of the graph, and whatever `ways`
    /// does when it is asked for the ways to where a demonstration begins or ends.
    pub fn go_on(&mut self, ways: &dyn Ways, budget: &mut Budget<'_>) -> bool {
        if !self.open.go_on(&self.graph, &self.distance, budget) {
            return false;
        }
        let (graph, goal) = (&self.graph, &self.goal);
        let to_goal = |place: u32| at_least_nothing(goal.from(graph.place(place)));
        let ends = self
            .ends
            .get_or_insert_with(|| self.open.ends(graph, to_goal));
        // What remains at the ends comes first; the rest follows from it.
        while let Some(end) = ends.get(self.next_end).copied() {
            if !budget.take() {
                return false;
            }
            self.next_end += 1;
            let (place, mut seconds) = (graph.place(end), to_goal(end));
            if !seconds.is_finite() {
                continue;
            }
            match self.settings.corridor {
                Corridor::Path => {
                    let (attraction, origin) = (self.settings.attraction(), Origin::ToGoal { end });
                    let way = Polyline::new(&self.distance, &goal.way(place), seconds);
                    let laid = &mut self.corridors;
                    let remaining = laid.lay(&self.distance, attraction, &way, 0.0, origin);
                    seconds = remaining.unwrap_or(seconds);
                }
                Corridor::Field => self.fields.push(FieldLine {
                    place: end,
                    ways: ways.to(place),
                    length: seconds,
                    remaining: seconds,
                }),
            }
            self.remaining.push((end, seconds));
        }
        let site = Site {
            graph,
            open: &self.open,
            distance: &self.distance,
            settings: &self.settings,
            start: self.start,
            ways,
        };
        let laying = self.laying.get_or_insert_with(|| {
            let ends = self.remaining.iter().copied();
            TrackBuilder::new(graph, ends, std::mem::take(&mut self.corridors))
        });
        if !laying.go_on(&site, budget) {
            return false;
        }
        if self.start_ways.is_none() && self.settings.asks_for_the_start() {
            self.start_ways = self.start.map(|start| ways.to(start));
        }
        true
    }

    /// The estimate, once [`go_on`](TrainingGraphBuilder::go_on) has said that all is done.
    ///
    /// # Panics
    ///
    /// If it has not.
    pub fn finish(self) -> TrainingGraph<D> {
        let track = self.laying.and_then(TrackBuilder::finish);
        let track = track.expect("go_on comes before finish");
        let to_goal = FieldsToGoal {
            goal: self.goal,
            from: self.fields,
        };
        let from_start = FieldsFromStart {
            start: self.start_ways,
            to: track.fields,
        };
        TrainingGraph {
            graph: self.graph,
            distance: self.distance,
            settings: self.settings,
            remaining: track.remaining,
            segments: track.segments,
            origins: track.origins,
            to_goal: Some(to_goal).filter(|fields| !fields.from.is_empty()),
            from_start: Some(from_start).filter(|fields| !fields.to.is_empty()),
        }
    }
}

impl TrainingSettings {
    pub(crate) fn consistency(&self, greatest_rate: f64) -> Option<Weight> {
        if self.inflation == Weight::ONE {
            return Some(Weight::ONE);
        }
        if self.corridor != Corridor::Path || self.start_edge == StartEdge::Query {
            return None;
        }
        let inflation = self.inflation.as_f64();
        match self.projection {
            Projection::Consistent => Some(self.inflation),
            Projection::Perpendicular => {
                let factor = (inflation * inflation + greatest_rate * greatest_rate).sqrt();
                // Weights are rounded down, and this one must not be.
                Weight::new(factor + 2.0 / 65536.0).ok()
            }
        }
    }
}

/// The direct option, what demonstrations say, and the straight line as the least there can be.
pub(crate) fn combined(inflation: f64, straight: f64, guided: impl FnOnce() -> f64) -> f64 {
    // What is no number says nothing.
    let straight = if straight.is_nan() { 0.0 } else { straight };
    if inflation == 1.0 || straight == f64::INFINITY {
        return straight;
    }
    guided().min(inflation * straight).max(straight)
}
