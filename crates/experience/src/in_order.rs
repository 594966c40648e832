//! One demonstration followed in order: where it crosses itself or circles back, as when a bear is
//! lured out and away before the cave is entered, the loop is not cut short.
//!
//! A [`TrainingGraph`](crate::TrainingGraph) gives credit for wherever on a demonstration one is; at
//! a crossing, for the later time. Here a state knows how far it has come, and only what lies up to
//! a little ahead of that can be joined.
//!
//! # What can be relied on
//!
//! Let ε be the inflation, and let progress be measured in seconds of walking at top speed along the
//! demonstration, with the shortest ways to it and from it to the goal at its ends. At progress p
//! the estimate is the least of ε times the straight line, and of ε·|a − x(s)| + R(s) over all
//! points x(s) with s ≤ p + w, where w is how far ahead one may join and R is what remains.
//!
//! - For every p it lies between the straight line and ε times that. So a search that re-opens
//!   states keeps its bound times ε, and an adviser keeps whatever bound there is.
//! - With p fixed, no move lowers it by more than ε times the move.
//! - When p grows by δ, the points that become joinable are at most δ from x(p + w), and what remains
//!   there is at most r·δ less, r being the slowest way's cost for each second of its length. So the
//!   estimate falls by at most (ε + r)·δ.
//! - [`InOrder::advance`] lets p grow by at most the pace λ times what a step costs.
//!
//! Together: no step lowers the estimate by more than **ε + λ·(ε + r)** times its cost, which is the
//! factor [`InOrder::consistency`] states. Times of rest are left out of R: they would let it fall at
//! once.

use std::cell::RefCell;
use std::sync::Arc;

use apprentice_search::{Budget, Cost, Problem, Successors, Weight};

use crate::corridor::{Polyline, at_least_nothing};
use crate::graph_ends::WAYS_FOR_AN_EXPANSION;
use crate::segment::{Attraction, Ends, GuideSegment};
use crate::segment_bvh::{BvhBuilder, GuideSegments, Hint, Lookup};
use crate::training_graph::combined;
use crate::{DemonstrationGraph, Distance, Journey, Line, Place, Projection, Straight, Trace};

/// How a demonstration is followed in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InOrderSettings {
    /// How many times the time off the demonstration counts.
    pub inflation: Weight,
    /// How far ahead of one's progress the demonstration may be joined, in seconds. Loops shorter
    /// than this are cut short.
    pub ahead: f64,
    /// How far off the demonstration one still makes progress, in seconds.
    pub tolerance: f64,
    /// How many seconds of progress a second of plan may bring. More than 1 lets somebody catch up
    /// who has cut a corner.
    pub pace: f64,
}

impl InOrderSettings {
    /// Settings for demonstrations that are followed to within three seconds.
    pub fn with_inflation(inflation: Weight) -> InOrderSettings {
        InOrderSettings {
            inflation,
            ahead: 6.0,
            tolerance: 3.0,
            pace: 2.0,
        }
    }
}

/// An estimate that follows one demonstration in order.
///
/// ```
/// use apprentice_experience::*;
/// use apprentice_search::Weight;
///
/// // Out to the right, back to where it began, and then up.
/// let points = [(0.0, 0.0), (20.0, 0.0), (20.0, 9.0), (0.0, 0.0), (0.0, 30.0)];
/// let mut graph = DemonstrationGraph::default();
/// graph.add(&Demonstration::drawn("lure", points.map(|(x, y)| Place::flat(x, y)), 1.0));
/// let ground = OpenGround { top_speed: 1.0 };
/// let (start, goal) = (Place::flat(0.0, 0.0), Place::flat(0.0, 30.0));
/// let lure = InOrder::new(
///     &graph, 0, Straight::default(),
///     InOrderSettings::with_inflation(Weight::new(10.0)?),
///     &Journey { start: Some(start), goal: ground.to(goal), ways: &ground },
/// );
/// // At the crossing, it matters whether one has been around.
/// let fresh = lure.seconds(start, 30.0, 0.0);
/// let been_around = lure.seconds(start, 30.0, 50.0);
/// assert!(fresh > been_around + 40.0);
/// # Ok::<(), apprentice_search::BadWeight>(())
/// ```
#[derive(Clone, Debug)]
pub struct InOrder<D = Straight> {
    distance: D,
    settings: InOrderSettings,
    pieces: Vec<Piece>,
    segments: GuideSegments,
    /// Progress at the end.
    length: f64,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    line: Line,
    /// Progress where it begins.
    begins: f64,
    /// What remains at its end.
    at_end: f64,
    rate: f64,
}

impl<D: Distance> InOrder<D> {
    /// Makes ready to follow one trace of the graph, all at once; see [`InOrderBuilder`].
    pub fn new(
        graph: &DemonstrationGraph,
        trace: u32,
        distance: D,
        settings: InOrderSettings,
        journey: &Journey<'_>,
    ) -> InOrder<D> {
        let mut learning = InOrderBuilder::new(trace, distance, settings);
        learning.go_on(graph, journey, &mut Budget::unlimited());
        learning.finish()
    }

    /// The cost from `at` to the goal, to which it is `straight` as the crow flies, with that much
    /// progress behind one.
    pub fn estimate(&self, at: Place, straight: Cost, progress: f64, hint: &mut Hint) -> Cost {
        if self.settings.inflation == Weight::ONE || !straight.is_finite() {
            return straight;
        }
        let highest = self.settings.inflation.inflate(straight);
        let bound = highest.as_seconds() * (1.0 + 1e-9) + 1e-8;
        let guided = self.guided_below(at, bound, progress, hint);
        Cost::round_down(guided).min(highest).max(straight)
    }

    /// The estimate in seconds, not rounded.
    pub fn seconds(&self, at: Place, straight: f64, progress: f64) -> f64 {
        combined(self.settings.inflation.as_f64(), straight, || {
            self.guided_below(at, f64::INFINITY, progress, &mut Hint::default())
        })
    }

    fn guided_below(&self, at: Place, bound: f64, progress: f64, hint: &mut Hint) -> f64 {
        if !at.is_finite() || self.pieces.is_empty() {
            return f64::INFINITY;
        }
        let limit = known(progress) + self.settings.ahead.max(0.0);
        // Pieces that end before the limit, and the one the limit is in, up to there.
        let whole = self.pieces.partition_point(|piece| piece.ends() <= limit);
        let least = self
            .segments
            .least_of_first(whole, &self.distance, at, bound, hint);
        let Some(piece) = self.pieces.get(whole) else {
            return least.estimate;
        };
        let attraction = self.segments.attraction();
        let rest = piece.ends() - limit.max(piece.begins);
        let cut = piece.segment(&self.distance, attraction, rest);
        least
            .estimate
            .min(cut.estimate(&self.distance, attraction, at))
    }

    /// The progress after a step that took `seconds` and ended at `at`: never less, never more than
    /// the step can bring, and only where one is near the demonstration.
    pub fn advance(&self, progress: f64, at: Place, seconds: f64) -> f64 {
        let progress = known(progress);
        if !at.is_finite() || seconds.is_nan() {
            return progress;
        }
        let limit = progress + self.settings.ahead.max(0.0);
        let tolerance = self.settings.tolerance;
        let first = self.pieces.partition_point(|piece| piece.ends() < progress);
        let near = self.pieces[first..]
            .iter()
            .take_while(|piece| piece.begins <= limit);
        let mut farthest = progress;
        for piece in near {
            let foot = self.distance.foot(&piece.line, at);
            let room = tolerance * tolerance - foot.across_squared;
            if room < 0.0 {
                continue;
            }
            // How far before the end of the piece one is near enough, at the latest and at the
            // earliest.
            let (latest, earliest) = (foot.along - room.sqrt(), foot.along + room.sqrt());
            let before_end = latest.max(0.0).max(piece.ends() - limit);
            if before_end <= earliest.min(piece.line.length) {
                farthest = farthest.max(piece.ends() - before_end);
            }
        }
        farthest.min(progress + self.settings.pace.max(0.0) * seconds.max(0.0))
    }

    /// Progress at the goal.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The factor for which the estimate is admissible.
    pub fn inflation(&self) -> Weight {
        self.settings.inflation
    }

    /// The factor for which the estimate is consistent, if progress is what
    /// [`advance`](InOrder::advance) makes it and no two states with the same key differ in it.
    pub fn consistency(&self) -> Option<Weight> {
        if self.settings.inflation == Weight::ONE {
            return Some(Weight::ONE);
        }
        let inflation = self.settings.inflation.as_f64();
        let rates = self.pieces.iter().map(|piece| piece.rate);
        let slowest = rates.fold(1.0, f64::max);
        let factor = inflation + self.settings.pace.max(0.0) * (inflation + slowest);
        Weight::new(factor + 2.0 / 65536.0).ok()
    }
}

/// An [`InOrder`] that is being made, a little at a time.
///
/// ```
/// # use apprentice_experience::*;
/// # use apprentice_search::{Budget, Weight};
/// # let mut graph = DemonstrationGraph::default();
/// # graph.add(&Demonstration::drawn("x", [Place::flat(2.0, 0.0), Place::flat(8.0, 0.0)], 1.0));
/// # let ground = OpenGround { top_speed: 1.0 };
/// # let settings = InOrderSettings::with_inflation(Weight::new(5.0)?);
/// let goal = ground.to(Place::flat(10.0, 0.0));
/// let journey = Journey { start: None, goal, ways: &ground };
/// let mut learning = InOrderBuilder::new(0, Straight::default(), settings);
/// while !learning.go_on(&graph, &journey, &mut Budget::units(1)) {
///     // Time for something else.
/// }
/// assert_eq!(learning.finish().length(), 8.0);
/// # Ok::<(), apprentice_search::BadWeight>(())
/// ```
#[derive(Clone, Debug)]
pub struct InOrderBuilder<D = Straight> {
    trace: u32,
    distance: D,
    settings: InOrderSettings,
    step: Step,
    /// The ways there, along the demonstration and on from it, each with what it costs, and their
    /// length.
    legs: Vec<(Line, f64)>,
    length: f64,
    /// The same from the end, as far as they are made, and where the next one ends.
    pieces: Vec<Piece>,
    segments: Vec<GuideSegment>,
    ends: f64,
    remaining: f64,
}

/// Each with how far it has come.
#[derive(Clone, Debug)]
enum Step {
    /// From the start to the demonstration.
    Approach,
    /// Along the demonstration.
    Along { way: usize },
    /// From there to the goal.
    Onward,
    /// What remains, from the end.
    Pieces,
    /// Everything into boxes.
    Boxes(Box<BvhBuilder>),
}

impl<D: Distance> InOrderBuilder<D> {
    /// Begins with one trace of a graph, which is followed by its open ways, from the start and on to
    /// the goal. Without such a trace, or a way on from its end, there is nothing to follow.
    pub fn new(trace: u32, distance: D, settings: InOrderSettings) -> InOrderBuilder<D> {
        InOrderBuilder {
            trace,
            distance,
            settings,
            step: Step::Approach,
            legs: Vec::new(),
            length: 0.0,
            pieces: Vec::new(),
            segments: Vec::new(),
            ends: 0.0,
            remaining: f64::INFINITY,
        }
    }

    /// Goes on, with the same graph and journey each time; one unit of budget for every 64 ways.
    /// False: the budget is spent, call again.
    ///
    /// What is done at one go is whatever the journey's ways do when they are asked for the ways to
    /// where the demonstration begins.
    pub fn go_on(
        &mut self,
        graph: &DemonstrationGraph,
        journey: &Journey<'_>,
        budget: &mut Budget<'_>,
    ) -> bool {
        loop {
            if let Step::Boxes(boxing) = &mut self.step {
                return boxing.go_on(budget);
            }
            if !budget.take() {
                return false;
            }
            self.step = match (graph.traces().get(self.trace as usize), &self.step) {
                (Some(trace), Step::Approach) => self.approach(graph, trace, journey),
                (Some(trace), Step::Along { way }) => self.follow(graph, trace, *way),
                (Some(trace), Step::Onward) => self.lead_on(graph, trace, journey),
                _ => self.measure(),
            };
        }
    }

    /// The estimate, once [`go_on`](InOrderBuilder::go_on) has said that all is done.
    ///
    /// # Panics
    ///
    /// If it has not.
    pub fn finish(self) -> InOrder<D> {
        let Step::Boxes(boxing) = self.step else {
            panic!("go_on comes before finish");
        };
        InOrder {
            segments: boxing.finish(),
            distance: self.distance,
            settings: self.settings,
            pieces: self.pieces,
            length: self.length,
        }
    }

    fn add_leg(&mut self, line: Line, cost: f64) {
        self.length += line.length;
        self.legs.push((line, cost));
    }

    fn add_legs(&mut self, way: &Polyline) {
        let lines: Vec<(Line, f64)> = way.lines(&self.distance).collect();
        for (line, cost) in lines {
            self.add_leg(line, cost);
        }
    }

    fn forget_legs(&mut self) {
        self.legs.clear();
        self.length = 0.0;
    }

    fn approach(
        &mut self,
        graph: &DemonstrationGraph,
        trace: &Trace,
        journey: &Journey<'_>,
    ) -> Step {
        if let Some(start) = journey.start {
            let ways = journey.ways.to(graph.place(trace.first()));
            let seconds = at_least_nothing(ways.from(start));
            if seconds.is_finite() {
                self.add_legs(&Polyline::new(&self.distance, &ways.way(start), seconds));
            }
        }
        Step::Along { way: 0 }
    }

    fn follow(&mut self, graph: &DemonstrationGraph, trace: &Trace, first: usize) -> Step {
        let end = (first + WAYS_FOR_AN_EXPANSION).min(trace.ways.len());
        for way in &trace.ways[first..end] {
            let way = &graph.ways()[*way as usize];
            let line = Line::new(&self.distance, graph.place(way.from), graph.place(way.to));
            if let Some(line) = line {
                self.add_leg(line, way.cost.max(line.length));
            }
            if !way.is_open {
                // What was shown up to here leads nowhere now.
                self.forget_legs();
            }
        }
        if end < trace.ways.len() {
            return Step::Along { way: end };
        }
        Step::Onward
    }

    fn lead_on(
        &mut self,
        graph: &DemonstrationGraph,
        trace: &Trace,
        journey: &Journey<'_>,
    ) -> Step {
        let last = graph.place(trace.last());
        self.remaining = at_least_nothing(journey.goal.from(last));
        if self.remaining.is_finite() {
            let to_goal = Polyline::new(&self.distance, &journey.goal.way(last), self.remaining);
            let before = self.legs.len();
            self.add_legs(&to_goal);
            if self.legs.len() > before {
                self.remaining = 0.0;
            }
        } else {
            self.forget_legs();
        }
        self.ends = self.length;
        // Growing would take a long time at one go.
        self.segments.reserve(self.legs.len());
        Step::Pieces
    }

    fn measure(&mut self) -> Step {
        let attraction = Attraction {
            inflation: self.settings.inflation.as_f64(),
            projection: Projection::Consistent,
        };
        let first = self.legs.len().saturating_sub(WAYS_FOR_AN_EXPANSION);
        for (line, cost) in self.legs.drain(first..).rev() {
            self.ends -= line.length;
            let piece = Piece {
                line,
                begins: self.ends.max(0.0),
                at_end: self.remaining,
                rate: cost / line.length,
            };
            self.remaining += cost;
            self.segments
                .push(piece.segment(&self.distance, attraction, 0.0));
            self.pieces.push(piece);
        }
        if !self.legs.is_empty() {
            return Step::Pieces;
        }
        self.pieces.reverse();
        self.segments.reverse();
        let segments = std::mem::take(&mut self.segments);
        let groups = vec![0; segments.len()];
        let boxing = BvhBuilder::new(&self.distance, attraction, segments, groups, Lookup::Boxes);
        Step::Boxes(Box::new(boxing))
    }
}

impl Piece {
    fn ends(&self) -> f64 {
        self.begins + self.line.length
    }

    /// The piece without its last `rest` seconds.
    fn segment(&self, distance: &impl Distance, attraction: Attraction, rest: f64) -> GuideSegment {
        let Line {
            from, to, length, ..
        } = self.line;
        let part = (rest / length).clamp(0.0, 1.0);
        let to = if part > 0.0 {
            to.toward(from, part)
        } else {
            to
        };
        let at_end = self.at_end + part * length * self.rate;
        let cost = (1.0 - part) * length * self.rate;
        let ends = Ends {
            at_beginning: cost + at_end,
            at_end,
            cost,
        };
        GuideSegment::new(distance, attraction, from, to, ends)
    }
}

fn known(progress: f64) -> f64 {
    if progress.is_nan() {
        0.0
    } else {
        progress.max(0.0)
    }
}

/// A problem whose states know how far they have come along a demonstration.
///
/// The costs and the goals are those of the problem itself, so that a bound for one is a bound for
/// the other. Two states that differ only in progress are the same if it falls into the same
/// stretch of `quantum` seconds; the cheapest then stands for both.
pub struct WithProgress<P: Problem, F, D = Straight> {
    problem: P,
    in_order: Arc<InOrder<D>>,
    place: F,
    quantum: f64,
    /// The problem's own steps, kept so that no expansion allocates.
    steps: RefCell<Successors<P::State, P::Action>>,
}

/// A state of a problem with progress.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgressState<S> {
    /// The problem's own state.
    pub state: S,
    /// How far along the demonstration one has come, in seconds.
    pub progress: f64,
}

impl<P, F, D> WithProgress<P, F, D>
where
    P: Problem,
    F: Fn(&P, &P::State) -> Place,
    D: Distance,
{
    /// Adds progress along a demonstration to a problem, in which `place` says where one is.
    pub fn new(problem: P, in_order: Arc<InOrder<D>>, place: F, quantum: f64) -> Self {
        WithProgress {
            problem,
            in_order,
            place,
            quantum,
            steps: RefCell::new(Successors::new()),
        }
    }

    /// The problem without progress.
    pub fn problem(&self) -> &P {
        &self.problem
    }

    /// The demonstration.
    pub fn in_order(&self) -> &Arc<InOrder<D>> {
        &self.in_order
    }
}

impl<P, F, D> Problem for WithProgress<P, F, D>
where
    P: Problem,
    F: Fn(&P, &P::State) -> Place,
    D: Distance,
{
    type State = ProgressState<P::State>;
    type Key = (P::Key, u32);
    type Action = P::Action;
    const LISTS_IN_PARTS: bool = P::LISTS_IN_PARTS;

    fn start(&self) -> Self::State {
        ProgressState {
            state: self.problem.start(),
            progress: 0.0,
        }
    }

    fn key(&self, state: &Self::State) -> Self::Key {
        let stretch = (state.progress / self.quantum) as u32;
        (self.problem.key(&state.state), stretch)
    }

    fn is_goal(&self, state: &Self::State) -> bool {
        self.problem.is_goal(&state.state)
    }

    fn successors(&self, state: &Self::State, out: &mut Successors<Self::State, Self::Action>) {
        self.successors_from(state, 0, out, &mut |_| true);
    }

    fn successors_from(
        &self,
        state: &Self::State,
        from: usize,
        out: &mut Successors<Self::State, Self::Action>,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Option<usize> {
        let mut own = self.steps.borrow_mut();
        own.clear();
        let next = (self.problem).successors_from(&state.state, from, &mut own, go_on);
        for step in &*own {
            let at = (self.place)(&self.problem, &step.state);
            let seconds = step.cost.as_seconds();
            let then = ProgressState {
                state: step.state.clone(),
                progress: self.in_order.advance(state.progress, at, seconds),
            };
            out.push(step.action.clone(), then, step.cost);
        }
        next
    }

    fn revision(&self) -> u64 {
        self.problem.revision()
    }
}
