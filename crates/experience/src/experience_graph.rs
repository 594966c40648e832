//! An estimate that may jump between demonstrated places at a price (E-Graph): the cheapest mix of
//! inflated straight lines and demonstrated ways.
//!
//! After Phillips, Cohen, Chitta and Likhachev, "E-Graphs: bootstrapping planning with experience
//! graphs" (RSS 2012).
//!
//! Every straight line counts ε times, every demonstrated way what it took, but never less than the
//! straight line and never more than ε times that. So h ≤ estimate ≤ ε·h for the straight line h,
//! and no move lowers the estimate by more than ε times its cost.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use apprentice_search::{Budget, Cost, Weight};

use crate::graph_ends::{OpenWays, Seconds};
use crate::segment::{Attraction, Ends, GuideSegment};
use crate::segment_bvh::{BvhBuilder, GuideSegments, Hint, Lookup};
use crate::training_graph::combined;
use crate::{DemonstrationGraph, Distance, Place, Projection, Straight};

/// How a search uses demonstrated places and ways beside being guided by them.
///
/// ```
/// use apprentice_experience::ExperienceMode;
///
/// assert_eq!(ExperienceMode::default(), ExperienceMode::ProjectNodes);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ExperienceMode {
    /// It may go to demonstrated places and along demonstrated ways, where nothing is in the way:
    /// see [`WithShortcuts`](crate::WithShortcuts).
    Connect,
    /// Demonstrated places are first moved to where a character can be: see
    /// [`DemonstrationGraph::moved`].
    #[default]
    ProjectNodes,
    /// Not at all. Between two demonstrated places the nearer one is then the most attractive, be
    /// it behind or ahead, so that a search along a sparse demonstration is drawn backwards.
    HeuristicOnly,
}

/// The cheapest mix of inflated straight lines and demonstrated ways to one goal.
///
/// ```
/// use std::sync::Arc;
/// use apprentice_experience::*;
/// use apprentice_search::Weight;
///
/// let mut graph = DemonstrationGraph::default();
/// let points = [Place::flat(2.0, 0.0), Place::flat(8.0, 0.0)];
/// graph.add(&Demonstration::drawn("middle", points, 1.0));
/// let goal = Place::flat(10.0, 0.0);
/// let experience = ExperienceGraph::new(
///     Arc::new(graph), Straight::default(), Weight::new(5.0)?, |place| place.distance_to(goal),
/// );
/// // Two to the demonstration and two from it, five times; six along it, once.
/// assert_eq!(experience.seconds(Place::flat(0.0, 0.0), 10.0), 26.0);
/// # Ok::<(), apprentice_search::BadWeight>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExperienceGraph<D = Straight> {
    graph: Arc<DemonstrationGraph>,
    distance: D,
    inflation: Weight,
    /// What remains at each place of the graph.
    remaining: Vec<f64>,
    /// The places worth jumping to, as segments without length.
    targets: GuideSegments,
}

impl<D: Distance> ExperienceGraph<D> {
    /// Makes ready to estimate the time to a goal that is `to_goal` away as the crow flies. Takes
    /// time with the square of the number of places, and memory with their number.
    pub fn new(
        graph: Arc<DemonstrationGraph>,
        distance: D,
        inflation: Weight,
        to_goal: impl Fn(Place) -> f64,
    ) -> ExperienceGraph<D> {
        let mut pairing = Pairing::new(graph, distance, inflation, to_goal);
        pairing.go_on(&mut Budget::unlimited());
        pairing.finish()
    }

    /// The same by the definition, word for word: a virtual way between every two places, and every
    /// place looked at for every estimate. Slow, and right; what the other is tested against.
    pub fn by_definition(
        graph: Arc<DemonstrationGraph>,
        distance: D,
        inflation: Weight,
        to_goal: impl Fn(Place) -> f64,
    ) -> ExperienceGraph<D> {
        let open = OpenWays::new(&graph, &distance);
        let places = graph.places();
        let factor = inflation.as_f64();
        let jump = |from: usize, to: usize| factor * distance.between(places[from], places[to]);
        let count = places.len();
        let mut virtual_ways: Vec<Vec<f64>> = (0..count)
            .map(|from| (0..count).map(|to| jump(from, to)).collect())
            .collect();
        for way in &open.ways {
            let cost = &mut virtual_ways[way.from as usize][way.to as usize];
            *cost = cost.min(way.cost);
        }
        let mut remaining = vec![f64::INFINITY; count];
        let mut heap = BinaryHeap::new();
        for (place, at) in places.iter().enumerate() {
            remaining[place] = factor * to_goal(*at);
            heap.push(Reverse((Seconds(remaining[place]), place)));
        }
        while let Some(Reverse((Seconds(value), place))) = heap.pop() {
            if value > remaining[place] || !value.is_finite() {
                continue;
            }
            for from in 0..count {
                let through = virtual_ways[from][place] + value;
                if through < remaining[from] {
                    remaining[from] = through;
                    heap.push(Reverse((Seconds(through), from)));
                }
            }
        }
        let attraction = attraction(inflation);
        let places = graph.places().iter().zip(&remaining);
        let targets = places.filter(|(_, remaining)| remaining.is_finite());
        let segments =
            targets.map(|(at, remaining)| target(&distance, attraction, *at, *remaining));
        let segments: Vec<GuideSegment> = segments.collect();
        let groups = vec![0; segments.len()];
        ExperienceGraph {
            targets: GuideSegments::new(&distance, attraction, segments, groups, Lookup::Scan),
            graph,
            distance,
            inflation,
            remaining,
        }
    }

    /// The cost from `at` to the goal, which is `straight` away as the crow flies. Never less than
    /// `straight`, and never more than that times the inflation.
    #[inline]
    pub fn estimate(&self, at: Place, straight: Cost) -> Cost {
        self.estimate_near(at, straight, &mut Hint::default())
    }

    /// The same estimate, faster if the last question with this hint was about a place near by.
    #[inline]
    pub fn estimate_near(&self, at: Place, straight: Cost, hint: &mut Hint) -> Cost {
        if self.inflation == Weight::ONE || !straight.is_finite() {
            return straight;
        }
        let highest = self.inflation.inflate(straight);
        let bound = highest.as_seconds() * (1.0 + 1e-9) + 1e-8;
        let guided = self.guided_below(at, bound, hint);
        Cost::round_down(guided).min(highest).max(straight)
    }

    /// The estimate in seconds, not rounded.
    pub fn seconds(&self, at: Place, straight: f64) -> f64 {
        combined(self.inflation.as_f64(), straight, || {
            self.guided_below(at, f64::INFINITY, &mut Hint::default())
        })
    }

    #[inline]
    fn guided_below(&self, at: Place, bound: f64, hint: &mut Hint) -> f64 {
        if !at.is_finite() {
            return f64::INFINITY;
        }
        self.targets.least(&self.distance, at, bound, hint).estimate
    }

    /// Seconds that remain at a place of the graph.
    pub fn remaining(&self, place: u32) -> f64 {
        self.remaining[place as usize]
    }

    /// The factor for which the estimate is consistent, where the straight line to the goal is.
    pub fn inflation(&self) -> Weight {
        self.inflation
    }

    /// The demonstrations it knows.
    pub fn graph(&self) -> &Arc<DemonstrationGraph> {
        &self.graph
    }
}

fn attraction(inflation: Weight) -> Attraction {
    Attraction {
        inflation: inflation.as_f64(),
        projection: Projection::Consistent,
    }
}

/// A place worth jumping to, as a segment without length.
fn target(
    distance: &impl Distance,
    attraction: Attraction,
    at: Place,
    remaining: f64,
) -> GuideSegment {
    let ends = Ends {
        at_beginning: remaining,
        at_end: remaining,
        cost: 0.0,
    };
    GuideSegment::new(distance, attraction, at, at, ends)
}

/// An [`ExperienceGraph`] that is being made, a little at a time.
///
/// ```
/// # use std::sync::Arc;
/// # use apprentice_experience::*;
/// # use apprentice_search::{Budget, Weight};
/// # let mut graph = DemonstrationGraph::default();
/// # graph.add(&Demonstration::drawn("x", [Place::flat(2.0, 0.0), Place::flat(8.0, 0.0)], 1.0));
/// # let goal = Place::flat(10.0, 0.0);
/// let mut pairing = Pairing::new(
///     Arc::new(graph), Straight::default(), Weight::new(5.0)?, |place| place.distance_to(goal),
/// );
/// while !pairing.go_on(&mut Budget::units(1)) {
///     // Time for something else.
/// }
/// let experience = pairing.finish();
/// # assert_eq!(experience.seconds(Place::flat(0.0, 0.0), 10.0), 26.0);
/// # Ok::<(), apprentice_search::BadWeight>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pairing<D = Straight> {
    graph: Arc<DemonstrationGraph>,
    distance: D,
    inflation: Weight,
    open: OpenWays,
    /// What remains at each place, straight and as far as known.
    direct: Vec<f64>,
    remaining: Vec<f64>,
    /// The places whose value may still fall.
    waiting: Vec<u32>,
    /// The last place that became final, if it is worth jumping to.
    target: Option<u32>,
    /// How many of those that wait have been looked at for it, and which of them has least.
    looked: usize,
    least: Option<usize>,
    /// The places worth jumping to, as far as they are found, and being put into boxes.
    segments: Vec<GuideSegment>,
    next_target: usize,
    boxing: Option<BvhBuilder>,
}

/// Looking at so many pairs takes about as long as a search takes to expand a state.
const PAIRS_FOR_AN_EXPANSION: usize = 64;

impl<D: Distance> Pairing<D> {
    /// Begins with a goal that is `to_goal` away as the crow flies, which is asked for each place at
    /// once.
    pub fn new(
        graph: Arc<DemonstrationGraph>,
        distance: D,
        inflation: Weight,
        to_goal: impl Fn(Place) -> f64,
    ) -> Pairing<D> {
        let factor = inflation.as_f64();
        let direct = graph.places().iter().map(|at| factor * to_goal(*at));
        let direct: Vec<f64> = direct.collect();
        Pairing {
            waiting: (0..direct.len() as u32).collect(),
            remaining: direct.clone(),
            direct,
            open: OpenWays::of(&graph),
            graph,
            distance,
            inflation,
            target: None,
            looked: 0,
            least: None,
            segments: Vec::new(),
            next_target: 0,
            boxing: None,
        }
    }

    /// Goes on; one unit of budget for every 64 pairs of places, ways or targets. False: the budget
    /// is spent, call again.
    pub fn go_on(&mut self, budget: &mut Budget<'_>) -> bool {
        self.open.go_on(&self.graph, &self.distance, budget)
            && self.pair(budget)
            && self.make_targets(budget)
            && self.fill_boxes(budget)
    }

    fn pair(&mut self, budget: &mut Budget<'_>) -> bool {
        while !self.waiting.is_empty() {
            while self.looked < self.waiting.len() {
                if !budget.take() {
                    return false;
                }
                self.look_at_some();
            }
            // The least of those that wait is final. A heap would not pay: each improves all others.
            let Some(least) = self.least.take() else {
                break;
            };
            let settled = self.waiting.swap_remove(least);
            if !self.settle(settled) {
                break;
            }
            self.looked = 0;
        }
        self.waiting.clear();
        true
    }

    /// Whether jumps to the place that became final make those that wait cheaper, and which of them
    /// is the cheapest.
    fn look_at_some(&mut self) {
        let places = self.graph.places();
        let factor = self.inflation.as_f64();
        let end = (self.looked + PAIRS_FOR_AN_EXPANSION).min(self.waiting.len());
        let target = self.target.map(|target| {
            let target = target as usize;
            (places[target], self.remaining[target])
        });
        for index in self.looked..end {
            let place = self.waiting[index];
            let value = &mut self.remaining[place as usize];
            if let Some((there, remaining)) = target {
                let jump = factor * self.distance.between(places[place as usize], there);
                *value = value.min(jump + remaining);
            }
            let value = *value;
            let is_less = self.least.is_none_or(|least| {
                let other = self.waiting[least];
                let order = value.total_cmp(&self.remaining[other as usize]);
                order.then(place.cmp(&other)).is_lt()
            });
            if is_less {
                self.least = Some(index);
            }
        }
        self.looked = end;
    }

    /// Makes a place final. False: nothing leads from there, or from any that waits.
    fn settle(&mut self, settled: u32) -> bool {
        let places = self.graph.places();
        let (there, value) = (places[settled as usize], self.remaining[settled as usize]);
        if !value.is_finite() {
            return false;
        }
        for way in self.open.arriving(settled) {
            let from = way.from as usize;
            let jump = self.inflation.as_f64() * self.distance.between(places[from], there);
            self.remaining[from] = self.remaining[from].min(way.cost.min(jump) + value);
        }
        // Jumping to where nothing demonstrated leaves, or from where the straight line is as
        // good, is never better than jumping on at once.
        let is_worthwhile = self.is_target(settled) && value < self.direct[settled as usize];
        self.target = is_worthwhile.then_some(settled);
        true
    }

    /// Whether something demonstrated leaves a place.
    fn is_target(&self, place: u32) -> bool {
        self.open.leaving(place).next().is_some()
    }

    fn make_targets(&mut self, budget: &mut Budget<'_>) -> bool {
        let attraction = attraction(self.inflation);
        while self.next_target < self.remaining.len() {
            if !budget.take() {
                return false;
            }
            let end = (self.next_target + PAIRS_FOR_AN_EXPANSION).min(self.remaining.len());
            for place in self.next_target..end {
                let remaining = self.remaining[place];
                if self.is_target(place as u32) && remaining.is_finite() {
                    let at = self.graph.places()[place];
                    let target = target(&self.distance, attraction, at, remaining);
                    self.segments.push(target);
                }
            }
            self.next_target = end;
        }
        true
    }

    fn fill_boxes(&mut self, budget: &mut Budget<'_>) -> bool {
        let boxing = self.boxing.get_or_insert_with(|| {
            let segments = std::mem::take(&mut self.segments);
            let groups = vec![0; segments.len()];
            let attraction = attraction(self.inflation);
            BvhBuilder::new(&self.distance, attraction, segments, groups, Lookup::Boxes)
        });
        boxing.go_on(budget)
    }

    /// The estimate, once [`go_on`](Pairing::go_on) has said that all is done.
    ///
    /// # Panics
    ///
    /// If it has not.
    pub fn finish(self) -> ExperienceGraph<D> {
        let boxing = self.boxing.expect("go_on comes before finish");
        ExperienceGraph {
            targets: boxing.finish(),
            graph: self.graph,
            distance: self.distance,
            inflation: self.inflation,
            remaining: self.remaining,
        }
    }
}
