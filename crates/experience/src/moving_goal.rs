//! Demonstrations followed to a goal that moves, such as somebody who runs away.
//!
//! What remains at a place of a demonstration is what remains of the demonstration, plus the way
//! from its end to the goal. Only the second depends on where the goal is. So the demonstrations
//! that lead to one end are prepared once, and each place the goal can be at adds one number for
//! each end.

use std::sync::Arc;

use apprentice_search::{Budget, Cost, Weight};

use crate::corridor::{
    FieldLine, FieldsFromStart, FieldsToGoal, Origin, Polyline, at_least_nothing, to_beginning,
};
use crate::graph_ends::OpenWays;
use crate::segment_bvh::{GuideSegments, Hint};
use crate::track_builder::{Laid, Site, TrackBuilder};
use crate::training_graph::combined;
use crate::{
    Corridor, DemonstrationGraph, Distance, Place, StartEdge, Straight, TrainingSettings, Ways,
    WaysTo,
};

/// A [`TrainingGraph`](crate::TrainingGraph) to a goal that may be elsewhere in each state.
///
/// ```
/// use apprentice_experience::*;
/// use apprentice_search::{Budget, Cost, Weight};
///
/// let mut graph = DemonstrationGraph::default();
/// let points = [(0.0, 0.0), (0.0, 5.0), (8.0, 5.0)].map(|(x, y)| Place::flat(x, y));
/// graph.add(&Demonstration::drawn("chase", points, 1.0));
/// let ground = OpenGround { top_speed: 1.0 };
/// let settings = TrainingSettings::with_inflation(Weight::new(5.0)?);
/// let chase = MovingGoal::new(&graph, Straight::default(), settings, None, &ground);
///
/// let fox = Place::flat(9.0, 1.0);
/// let goal = chase.goal_at(ground.to(fox));
/// let here = Place::flat(0.0, 5.0);
/// let straight = Cost::round_down(here.distance_to(fox));
/// assert!(chase.estimate(here, straight, &goal, &mut MovingHint::default()) > straight);
/// # Ok::<(), apprentice_search::BadWeight>(())
/// ```
#[derive(Clone)]
pub struct MovingGoal<D = Straight> {
    distance: D,
    settings: TrainingSettings,
    ends: Vec<End>,
    from_start: Option<FieldsFromStart>,
}

/// One end of demonstrations, and what leads to it.
#[derive(Clone)]
struct End {
    place: Place,
    number: u32,
    /// With nothing remaining at the end.
    segments: GuideSegments,
    /// What remains to this end at each place of the graph.
    remaining: Vec<f64>,
    /// The ways to this end, where corridors need them.
    ways: Option<Arc<dyn WaysTo>>,
}

/// Where the goal is, for a [`MovingGoal`].
#[derive(Clone)]
pub struct GoalPlace {
    /// Seconds from each end to the goal.
    from_ends: Vec<f64>,
    fields: Option<FieldsToGoal>,
    /// Corridors from the ends, where they are ways.
    segments: GuideSegments,
}

/// Where the last questions were answered; see [`Hint`].
#[derive(Clone, Debug, Default)]
pub struct MovingHint {
    ends: Vec<Hint>,
    corridors: Hint,
}

impl<D: Distance> MovingGoal<D> {
    /// Makes ready to follow the graph's demonstrations, wherever the goal will be, all at once; see
    /// [`MovingGoalBuilder`].
    pub fn new(
        graph: &DemonstrationGraph,
        distance: D,
        settings: TrainingSettings,
        start: Option<Place>,
        ways: &dyn Ways,
    ) -> MovingGoal<D> {
        let mut learning = MovingGoalBuilder::new(graph, distance, settings, start);
        learning.go_on(graph, ways, &mut Budget::unlimited());
        learning.finish()
    }

    /// What there is to know about a goal to which these are the shortest ways. Worth keeping for
    /// as long as states with the goal at that place are asked for; see [`GoalPlaces`].
    pub fn goal_at(&self, goal: Arc<dyn WaysTo>) -> GoalPlace {
        let attraction = self.settings.attraction();
        let mut laid = Laid::default();
        let mut from_ends = Vec::new();
        let mut fields = Vec::new();
        for end in &self.ends {
            let mut seconds = at_least_nothing(goal.from(end.place));
            if seconds.is_finite() {
                if let Some(ways) = &end.ways {
                    fields.push(FieldLine {
                        place: end.number,
                        ways: ways.clone(),
                        length: seconds,
                        remaining: seconds,
                    });
                } else {
                    let way = Polyline::new(&self.distance, &goal.way(end.place), seconds);
                    let origin = Origin::ToGoal { end: end.number };
                    let laid = laid.lay(&self.distance, attraction, &way, 0.0, origin);
                    seconds = laid.unwrap_or(seconds);
                }
            }
            from_ends.push(seconds);
        }
        let (segments, groups) = laid.corridors();
        GoalPlace {
            from_ends,
            fields: (!fields.is_empty()).then_some(FieldsToGoal { goal, from: fields }),
            segments: GuideSegments::new(
                &self.distance,
                attraction,
                segments,
                groups,
                self.settings.lookup,
            ),
        }
    }

    /// The cost from `at` to the goal, as [`TrainingGraph::estimate`](crate::TrainingGraph::estimate)
    /// would have it.
    pub fn estimate(
        &self,
        at: Place,
        straight: Cost,
        goal: &GoalPlace,
        hint: &mut MovingHint,
    ) -> Cost {
        if self.settings.inflation == Weight::ONE || !straight.is_finite() {
            return straight;
        }
        let highest = self.settings.inflation.inflate(straight);
        let bound = highest.as_seconds() * (1.0 + 1e-9) + 1e-8;
        let guided = self.guided_below(at, bound, goal, hint);
        Cost::round_down(guided).min(highest).max(straight)
    }

    /// The estimate in seconds, not rounded.
    pub fn seconds(&self, at: Place, straight: f64, goal: &GoalPlace) -> f64 {
        let mut hint = MovingHint::default();
        combined(self.settings.inflation.as_f64(), straight, || {
            self.guided_below(at, f64::INFINITY, goal, &mut hint)
        })
    }

    /// The factor for which the estimate is admissible. Nothing more can be promised: as the goal
    /// moves, so does the way to it, and not evenly.
    pub fn inflation(&self) -> Weight {
        self.settings.inflation
    }

    fn guided_below(&self, at: Place, bound: f64, goal: &GoalPlace, hint: &mut MovingHint) -> f64 {
        if !at.is_finite() {
            return f64::INFINITY;
        }
        hint.ends.resize(self.ends.len(), Hint::default());
        let mut least = bound;
        let ends = self.ends.iter().zip(&goal.from_ends);
        for ((end, from_end), hint) in ends.zip(&mut hint.ends) {
            // Ends from which there is no way, or only a long one, need not be asked.
            if *from_end < least {
                let found = end
                    .segments
                    .least(&self.distance, at, least - from_end, hint);
                least = least.min(found.estimate + from_end);
            }
        }
        let corridors = goal
            .segments
            .least(&self.distance, at, least, &mut hint.corridors);
        least = least.min(corridors.estimate);
        let attraction = self.settings.attraction();
        if let Some(fields) = &goal.fields {
            least = least.min(fields.least(attraction, at).0);
        }
        if let Some(fields) = &self.from_start {
            let remaining = |line: &FieldLine| self.remaining(line.place, goal);
            least = least.min(fields.least(attraction, at, remaining).0);
        }
        least
    }

    /// What remains at a place of the graph, by the best of its ends.
    fn remaining(&self, place: u32, goal: &GoalPlace) -> f64 {
        let ends = self.ends.iter().zip(&goal.from_ends);
        let by_end = ends.map(|(end, from_end)| end.remaining[place as usize] + from_end);
        by_end.fold(f64::INFINITY, f64::min)
    }
}

/// A [`MovingGoal`] that is being made, a little at a time.
///
/// ```
/// # use apprentice_experience::*;
/// # use apprentice_search::{Budget, Weight};
/// # let mut graph = DemonstrationGraph::default();
/// # graph.add(&Demonstration::drawn("x", [Place::flat(2.0, 0.0), Place::flat(8.0, 0.0)], 1.0));
/// # let ground = OpenGround { top_speed: 1.0 };
/// # let settings = TrainingSettings::with_inflation(Weight::new(5.0)?);
/// let mut learning = MovingGoalBuilder::new(&graph, Straight::default(), settings, None);
/// while !learning.go_on(&graph, &ground, &mut Budget::units(1)) {
///     // Time for something else.
/// }
/// let chase = learning.finish();
/// # let goal = chase.goal_at(ground.to(Place::flat(10.0, 0.0)));
/// # assert_eq!(chase.seconds(Place::flat(2.0, 0.0), 8.0, &goal), 8.0);
/// # Ok::<(), apprentice_search::BadWeight>(())
/// ```
#[derive(Clone)]
pub struct MovingGoalBuilder<D = Straight> {
    distance: D,
    settings: TrainingSettings,
    start: Option<Place>,
    open: OpenWays,
    /// Where demonstrations end, once that is known.
    places: Option<Vec<u32>>,
    /// Those that are ready, and the segments of the next.
    ends: Vec<End>,
    laying: Option<TrackBuilder>,
    from_start: Option<FieldsFromStart>,
}

impl<D: Distance> MovingGoalBuilder<D> {
    /// Begins. Ways that belong to no demonstration end where no way leaves; where all of them go
    /// round in circles, at the oldest place.
    pub fn new(
        graph: &DemonstrationGraph,
        distance: D,
        settings: TrainingSettings,
        start: Option<Place>,
    ) -> MovingGoalBuilder<D> {
        MovingGoalBuilder {
            distance,
            settings,
            start: start.filter(|_| settings.start_edge != StartEdge::Off),
            open: OpenWays::of(graph),
            places: None,
            ends: Vec::new(),
            laying: None,
            from_start: None,
        }
    }

    /// Goes on with the graph it was begun with; one unit of budget for every 64 ways that lead to
    /// each end, and for every corridor. False: the budget is spent, call again.
    ///
    /// What is done at one go: a few nanoseconds for each place of the graph, and whatever `ways`
    /// does when it is asked for the ways to where a demonstration begins or ends.
    pub fn go_on(
        &mut self,
        graph: &DemonstrationGraph,
        ways: &dyn Ways,
        budget: &mut Budget<'_>,
    ) -> bool {
        if !self.open.go_on(graph, &self.distance, budget) {
            return false;
        }
        let is_laid = self.settings.lays_from_start();
        let places = self
            .places
            .get_or_insert_with(|| self.open.ends(graph, |_| 0.0));
        while let Some(end) = places.get(self.ends.len()).copied() {
            let site = Site {
                graph,
                open: &self.open,
                distance: &self.distance,
                settings: &self.settings,
                start: self.start.filter(|_| is_laid),
                ways,
            };
            let laying = self
                .laying
                .get_or_insert_with(|| TrackBuilder::new(graph, [(end, 0.0)], Laid::default()));
            if !laying.go_on(&site, budget) {
                return false;
            }
            let Some(track) = self.laying.take().and_then(TrackBuilder::finish) else {
                return false;
            };
            let needs_ways = self.settings.corridor == Corridor::Field;
            self.ends.push(End {
                place: graph.place(end),
                number: end,
                segments: track.segments,
                remaining: track.remaining,
                ways: needs_ways.then(|| ways.to(graph.place(end))),
            });
        }
        if let Some(start) = self.start.filter(|_| !is_laid)
            && self.from_start.is_none()
        {
            let distance = |place: u32| graph.place(place).distance_to(start);
            let beginnings = self.open.beginnings(graph, distance).into_iter();
            // What remains is asked for each goal; here only that something leads on.
            let lines = beginnings.filter_map(|place| to_beginning(graph, place, start, ways, 0.0));
            let asks_start = self.settings.asks_for_the_start();
            self.from_start = Some(FieldsFromStart {
                start: asks_start.then(|| ways.to(start)),
                to: lines.collect(),
            });
        }
        true
    }

    /// The estimate, once [`go_on`](MovingGoalBuilder::go_on) has said that all is done.
    ///
    /// # Panics
    ///
    /// If it has not.
    pub fn finish(self) -> MovingGoal<D> {
        let ends = self.places.map(|places| places.len());
        assert_eq!(ends, Some(self.ends.len()), "go_on comes before finish");
        MovingGoal {
            distance: self.distance,
            settings: self.settings,
            ends: self.ends,
            from_start: self.from_start,
        }
    }
}

/// The places a goal was at lately, so that they need not be worked out again.
///
/// ```
/// use apprentice_experience::GoalPlaces;
///
/// let places = GoalPlaces::keeping(64);
/// assert_eq!(places.made, 0);
/// ```
#[derive(Clone, Default)]
pub struct GoalPlaces {
    /// The latest first.
    kept: Vec<(u64, Arc<GoalPlace>)>,
    most: usize,
    /// How many were worked out so far.
    pub made: u64,
}

impl GoalPlaces {
    /// Keeps that many at most, and one at least.
    pub fn keeping(most: usize) -> GoalPlaces {
        GoalPlaces {
            most,
            ..GoalPlaces::default()
        }
    }

    /// What is known about the goal at the place with that number, made if it is not.
    pub fn at(&mut self, place: u64, make: impl FnOnce() -> GoalPlace) -> Arc<GoalPlace> {
        let known = self.kept.iter().position(|(kept, _)| *kept == place);
        let entry = match known {
            Some(0) => return self.kept[0].1.clone(),
            Some(known) => self.kept.remove(known),
            None => {
                self.made += 1;
                self.kept.truncate(self.most.max(1) - 1);
                (place, Arc::new(make()))
            }
        };
        self.kept.insert(0, entry.clone());
        entry.1
    }

    /// Forgets all of them, as when the map or the demonstrations have changed.
    pub fn clear(&mut self) {
        self.kept.clear();
    }
}
