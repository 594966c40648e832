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

use apprentice_search::{Cost, Problem, Successors, Weight};

use crate::corridor::{Polyline, at_least_nothing};
use crate::rail::{Ends, Pull, Rail};
use crate::rail_boxes::{Hint, Lookup, Rails};
use crate::training_graph::combined;
use crate::{DemonstrationGraph, Distance, Journey, Line, Place, Projection, Straight};

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
    rails: Rails,
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
    /// Makes ready to follow one trace of the graph: by its open ways, from the start and on to the
    /// goal. Without such a trace, or a way on from its end, there is nothing to follow.
    pub fn new(
        graph: &DemonstrationGraph,
        trace: u32,
        distance: D,
        settings: InOrderSettings,
        journey: &Journey<'_>,
    ) -> InOrder<D> {
        let mut legs: Vec<(Line, f64)> = Vec::new();
        let mut remaining = f64::INFINITY;
        if let Some(trace) = graph.traces().get(trace as usize) {
            let (first, last) = (graph.place(trace.first()), graph.place(trace.last()));
            if let Some(start) = journey.start {
                let ways = journey.ways.to(first);
                let seconds = at_least_nothing(ways.from(start));
                if seconds.is_finite() {
                    legs.extend(
                        Polyline::new(&distance, &ways.way(start), seconds).lines(&distance),
                    );
                }
            }
            for way in trace.ways.iter().map(|way| &graph.ways()[*way as usize]) {
                let line = Line::new(&distance, graph.place(way.from), graph.place(way.to));
                if let Some(line) = line {
                    legs.push((line, way.cost.max(line.length)));
                }
                if !way.is_open {
                    // What was shown up to here leads nowhere now.
                    legs.clear();
                }
            }
            remaining = at_least_nothing(journey.goal.from(last));
            let to_goal = Polyline::new(&distance, &journey.goal.way(last), remaining);
            let to_goal: Vec<(Line, f64)> = to_goal.lines(&distance).collect();
            if remaining.is_finite() && !to_goal.is_empty() {
                legs.extend(to_goal);
                remaining = 0.0;
            }
        }
        if !remaining.is_finite() {
            legs.clear();
        }
        let pull = Pull {
            inflation: settings.inflation.as_f64(),
            projection: Projection::Consistent,
        };
        let mut length: f64 = legs.iter().map(|(line, _)| line.length).sum();
        let whole = length;
        let mut pieces = Vec::new();
        for (line, cost) in legs.iter().rev() {
            length -= line.length;
            pieces.push(Piece {
                line: *line,
                begins: length.max(0.0),
                at_end: remaining,
                rate: cost / line.length,
            });
            remaining += cost;
        }
        pieces.reverse();
        let rails = pieces.iter().map(|piece| piece.rail(&distance, pull, 0.0));
        let groups = vec![0; pieces.len()];
        let rails = Rails::new(&distance, pull, rails.collect(), groups, Lookup::Boxes);
        InOrder {
            rails,
            distance,
            settings,
            pieces,
            length: whole,
        }
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
            .rails
            .least_of_first(whole, &self.distance, at, bound, hint);
        let Some(piece) = self.pieces.get(whole) else {
            return least.estimate;
        };
        let pull = self.rails.pull();
        let rest = piece.ends() - limit.max(piece.begins);
        let cut = piece.rail(&self.distance, pull, rest);
        least.estimate.min(cut.estimate(&self.distance, pull, at))
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

impl Piece {
    fn ends(&self) -> f64 {
        self.begins + self.line.length
    }

    /// The piece without its last `rest` seconds.
    fn rail(&self, distance: &impl Distance, pull: Pull, rest: f64) -> Rail {
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
        Rail::new(distance, pull, from, to, ends)
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
        let mut own = self.steps.borrow_mut();
        own.clear();
        self.problem.successors(&state.state, &mut own);
        for step in &*own {
            let at = (self.place)(&self.problem, &step.state);
            let seconds = step.cost.as_seconds();
            let next = ProgressState {
                state: step.state.clone(),
                progress: self.in_order.advance(state.progress, at, seconds),
            };
            out.push(step.action.clone(), next, step.cost);
        }
    }

    fn revision(&self) -> u64 {
        self.problem.revision()
    }
}
