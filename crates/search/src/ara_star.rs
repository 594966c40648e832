//! ARA*: a solution soon, better ones later.

use crate::broken_promise::Watch;
use crate::chores::Chores;
use crate::front::Entry;
use crate::nodes::{Listing, Marks, NodeId, Nodes};
use crate::open_list::OpenList;
use crate::priority::Priority;
use crate::search::{Enter, Standing, run_by_search};
use crate::shelves::Shelves;
use crate::{
    Because, Budget, Cost, Guarantee, Heuristic, NoBound, Observer, Path, Problem, Promise, Search,
    Statistics, Status, Weight,
};

/// Anytime Repairing A* (Likhachev, Gordon and Thrun, 2003): finds a solution in a hurry, then
/// improves it while the budget lasts, and knows at every moment how far from the best it can be.
///
/// `run` returns [`Status::Improved`] whenever the solution, or what is proven about it, got better,
/// and [`Status::Finished`] when the last weight of the schedule is proven.
///
/// Between two weights everything that is open is looked at and sorted anew. That takes a unit of
/// budget for every sixteen states, besides those for expansions.
///
/// ```
/// use apprentice_search::{AraSchedule, AraStar, Blind, Budget, Search, Status};
/// # use apprentice_search::{Cost, Problem, Successors};
/// # struct Line;
/// # impl Problem for Line {
/// #     type State = u32; type Key = u32; type Action = ();
/// #     fn start(&self) -> u32 { 0 }
/// #     fn key(&self, s: &u32) -> u32 { *s }
/// #     fn is_goal(&self, s: &u32) -> bool { *s == 5 }
/// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
/// #         out.push((), s + 1, Cost::from_seconds(1.0));
/// #     }
/// # }
/// let mut search = AraStar::new(Blind, AraSchedule::default());
/// while search.run(&Line, &mut Budget::units(100)).is_unfinished() {
///     if let Some(path) = search.path() {
///         println!("{} so far, {}", path.cost, search.guarantee());
///     }
/// }
/// assert_eq!(search.guarantee().factor(), Some(1.0));
/// ```
pub struct AraStar<P: Problem, H> {
    heuristic: H,
    schedule: AraSchedule,
    weight: Weight,
    stage: Stage,
    /// What is proven about the present solution, and why.
    proven: Option<(Weight, Because)>,
    nodes: Nodes<P>,
    listing: Listing<P>,
    /// What the last expansion improved. Kept for its memory.
    improved: Vec<NodeId>,
    /// The estimate of each node.
    estimates: Shelves<Cost>,
    open: OpenList<Entry>,
    chores: Chores,
    /// Nodes a cheaper way was found to after they were closed; they wait for the next round.
    inconsistent: Shelves<(NodeId, u32)>,
    /// What is open when a new round begins, between two rounds.
    waiting: Shelves<(NodeId, u32)>,
    /// The cheapest continuation of what waits.
    lowest: Cost,
    /// The cheapest goal met so far, and its cost.
    goal: Option<(NodeId, Cost)>,
    watch: Watch,
    /// The cost that was last reported.
    reported: Option<Cost>,
    standing: Standing,
    statistics: Statistics,
}

/// What a search is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Expands until the solution is good enough for the present weight.
    Expanding,
    /// Gathers what is open and inconsistent, to see how cheap a solution can be at least.
    Gathering {
        /// Whether there will be no further round, whatever comes out.
        is_last: bool,
    },
    /// Opens nodes that were closed in the last round, from this one on.
    Unclosing(usize),
    /// Puts what was gathered where it belongs by the new weight.
    Sorting,
}

/// So many states are gathered or sorted for a unit of budget: about as much work as an expansion.
const STATES_A_UNIT: usize = 16;
/// So many nodes are opened again for a unit of budget.
const NODES_A_UNIT: usize = 512;

/// By which weights [`AraStar`] proceeds.
///
/// ```
/// use apprentice_search::{AraSchedule, AraStar, Blind};
/// # use apprentice_search::{Cost, Problem, Successors};
/// # struct Line;
/// # impl Problem for Line {
/// #     type State = u32; type Key = u32; type Action = ();
/// #     fn start(&self) -> u32 { 0 }
/// #     fn key(&self, s: &u32) -> u32 { *s }
/// #     fn is_goal(&self, s: &u32) -> bool { *s == 5 }
/// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
/// #         out.push((), s + 1, Cost::from_seconds(1.0));
/// #     }
/// # }
/// let schedule = AraSchedule::new(5.0, 1.0, 1.0)?; // 5, 4, 3, 2, 1
/// let search = AraStar::<Line, _>::new(Blind, schedule);
/// assert_eq!(search.weight().as_f64(), 5.0);
/// # Ok::<(), apprentice_search::BadSchedule>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AraSchedule {
    first: Weight,
    /// In steps of 1/65536, at least one.
    step: u64,
    last: Weight,
}

impl AraSchedule {
    /// Begins with the weight `first`, lowers it by `step` after every round, ends with `last`.
    ///
    /// ```
    /// # use apprentice_search::AraSchedule;
    /// assert!(AraSchedule::new(3.0, 0.5, 1.0).is_ok());
    /// assert!(AraSchedule::new(1.0, 0.5, 3.0).is_err());
    /// ```
    pub fn new(first: f64, step: f64, last: f64) -> Result<AraSchedule, BadSchedule> {
        let error = BadSchedule { first, step, last };
        let (Ok(first), Ok(last)) = (Weight::new(first), Weight::new(last)) else {
            return Err(error);
        };
        let steps = step * f64::from(1u32 << Weight::FRACTION_BITS);
        if steps.is_nan() || steps < 1.0 || last > first {
            return Err(error);
        }
        Ok(AraSchedule {
            first,
            step: steps as u64,
            last,
        })
    }

    /// The weight after `proven` was shown with `weight`.
    fn next(&self, weight: Weight, proven: Weight) -> Weight {
        let lower = weight.min(proven).steps().saturating_sub(self.step);
        Weight::from_steps(lower).max(self.last)
    }
}

impl Default for AraSchedule {
    /// 3, 2.5, 2, 1.5, 1: a first answer at most three times the best, then halves of a whole.
    fn default() -> Self {
        let whole = 1 << Weight::FRACTION_BITS;
        AraSchedule {
            first: Weight::from_steps(3 * whole),
            step: whole / 2,
            last: Weight::ONE,
        }
    }
}

/// Numbers that are no [`AraSchedule`].
///
/// ```
/// # use apprentice_search::AraSchedule;
/// let error = AraSchedule::new(3.0, 0.0, 1.0).unwrap_err();
/// assert!(error.to_string().contains("step"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BadSchedule {
    /// The first weight.
    pub first: f64,
    /// The step.
    pub step: f64,
    /// The last weight.
    pub last: f64,
}

impl std::fmt::Display for BadSchedule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let BadSchedule { first, step, last } = self;
        write!(
            f,
            "weights must go down from at least 1 by a step greater than 0, but these go from {first} by a step of {step} to {last}; try 3, 0.5 and 1"
        )
    }
}

impl std::error::Error for BadSchedule {}

impl<P: Problem, H: Heuristic<P>> AraStar<P, H> {
    /// An anytime search by `heuristic`.
    ///
    /// ```
    /// # use apprentice_search::{AraSchedule, AraStar, Blind, Budget, Search};
    /// # use apprentice_search::{Cost, Problem, Successors};
    /// # struct Line;
    /// # impl Problem for Line {
    /// #     type State = u32; type Key = u32; type Action = ();
    /// #     fn start(&self) -> u32 { 0 }
    /// #     fn key(&self, s: &u32) -> u32 { *s }
    /// #     fn is_goal(&self, s: &u32) -> bool { *s == 5 }
    /// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
    /// #         out.push((), s + 1, Cost::from_seconds(1.0));
    /// #     }
    /// # }
    /// let mut search = AraStar::new(Blind, AraSchedule::default());
    /// while search.run(&Line, &mut Budget::unlimited()).is_unfinished() {}
    /// assert_eq!(search.path().unwrap().cost, Cost::from_seconds(5.0));
    /// ```
    pub fn new(heuristic: H, schedule: AraSchedule) -> Self {
        AraStar {
            heuristic,
            schedule,
            weight: schedule.first,
            stage: Stage::Expanding,
            proven: None,
            nodes: Nodes::new(),
            listing: Listing::new(),
            improved: Vec::new(),
            estimates: Shelves::new(),
            open: OpenList::new(),
            chores: Chores::new(),
            inconsistent: Shelves::new(),
            waiting: Shelves::new(),
            lowest: Cost::INFINITE,
            goal: None,
            watch: Watch::default(),
            reported: None,
            standing: Standing::default(),
            statistics: Statistics {
                expanded_by: vec![0],
                ..Statistics::default()
            },
        }
    }

    /// The weight the search is working with.
    ///
    /// ```
    /// # use apprentice_search::{AraSchedule, AraStar, Blind};
    /// # use apprentice_search::{Cost, Problem, Successors};
    /// # struct Line;
    /// # impl Problem for Line {
    /// #     type State = u32; type Key = u32; type Action = ();
    /// #     fn start(&self) -> u32 { 0 }
    /// #     fn key(&self, s: &u32) -> u32 { *s }
    /// #     fn is_goal(&self, s: &u32) -> bool { *s == 5 }
    /// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
    /// #         out.push((), s + 1, Cost::from_seconds(1.0));
    /// #     }
    /// # }
    /// let search = AraStar::<Line, _>::new(Blind, AraSchedule::default());
    /// assert_eq!(search.weight().as_f64(), 3.0);
    /// ```
    pub fn weight(&self) -> Weight {
        self.weight
    }

    fn search<O: Observer<P> + ?Sized>(
        &mut self,
        problem: &P,
        budget: &mut Budget<'_>,
        observer: &mut O,
    ) -> Status {
        match self.standing.enter(problem) {
            Enter::Answer(status) => return status,
            Enter::Begin if !self.heuristic.prepare(problem, budget) => return Status::Paused,
            Enter::Begin => {
                budget.change_pace();
                let start = self.nodes.insert_start(problem);
                self.met(problem, start, observer);
                self.standing.begin();
            }
            Enter::Continue => {}
        }
        let status = self.improve(problem, budget, observer);
        self.statistics.states = self.nodes.states_met();
        self.statistics.bytes = self.bytes();
        status
    }

    /// Rounds of ever smaller weights, until there is something to say.
    fn improve<O: Observer<P> + ?Sized>(
        &mut self,
        problem: &P,
        budget: &mut Budget<'_>,
        observer: &mut O,
    ) -> Status {
        loop {
            if self.stage != Stage::Expanding {
                if !budget.take() {
                    return Status::Paused;
                }
                self.statistics.upkeep += 1;
            }
            match self.stage {
                Stage::Expanding => {
                    if let Some(status) = self.finish_round(problem, budget, observer) {
                        return status;
                    }
                    if self.is_best() {
                        self.proven = Some((Weight::ONE, Because::Consistent));
                        return self.standing.end(Status::Finished);
                    }
                    self.lowest = Cost::INFINITE;
                    let is_last = self.weight <= self.schedule.last && self.inconsistent.is_empty();
                    self.stage = Stage::Gathering { is_last };
                }
                Stage::Gathering { is_last } => {
                    if self.gather()
                        && let Some(status) = self.end_round(is_last)
                    {
                        return status;
                    }
                }
                Stage::Unclosing(from) => {
                    let to = from + NODES_A_UNIT;
                    self.nodes.unmark(Marks::CLOSED, from..to);
                    self.stage = if to < self.nodes.len() {
                        Stage::Unclosing(to)
                    } else {
                        Stage::Sorting
                    };
                }
                Stage::Sorting => self.sort(),
            }
        }
    }

    /// Whether a round that is over has proven that its solution is the best, which needs no further
    /// look: its weight was 1, and the heuristic is consistent.
    fn is_best(&self) -> bool {
        let is_consistent = self.heuristic.promise() == Promise::Consistent;
        self.goal.is_some() && self.weight == Weight::ONE && is_consistent
    }

    /// Looks at what the round has proven, once everything is gathered. `None`: nothing to speak of.
    fn end_round(&mut self, is_last: bool) -> Option<Status> {
        self.stage = Stage::Unclosing(0);
        let Some((_, cost)) = self.goal else {
            // A state that was closed too dear to go on from may be cheap enough by now.
            if self.waiting.is_empty() {
                return Some(self.standing.end(Status::Unsolvable));
            }
            self.weight = self.schedule.next(self.weight, self.weight);
            return None;
        };
        let now = self.prove(cost);
        // What was proven of a dearer solution holds for a cheaper one.
        let before = self.proven.filter(|before| before.0 <= now.0);
        let is_better = before.is_none() || self.reported.is_none_or(|before| cost < before);
        let proven = before.unwrap_or(now);
        self.proven = Some(proven);
        self.reported = Some(cost);
        if is_last || proven.0 <= self.schedule.last {
            return Some(self.standing.end(Status::Finished));
        }
        self.weight = self.schedule.next(self.weight, proven.0);
        is_better.then_some(Status::Improved)
    }

    /// Expands until the solution is good enough for the present weight. `None`: it is, or there
    /// is nothing left to expand.
    fn finish_round<O: Observer<P> + ?Sized>(
        &mut self,
        problem: &P,
        budget: &mut Budget<'_>,
        observer: &mut O,
    ) -> Option<Status> {
        loop {
            let Ok(first) = self.open.first(&self.nodes, &mut self.chores) else {
                if !self.chores.pay(budget, &mut self.statistics.upkeep) {
                    return Some(Status::Paused);
                }
                continue;
            };
            let Entry { node, priority, .. } = first?;
            if self.goal.is_some_and(|(_, cost)| cost <= priority.whole()) {
                return None;
            }
            let (listing, upkeep) = (&mut self.listing, &mut self.statistics.upkeep);
            if !listing.get_ready(problem, (0, node), &self.nodes, budget, upkeep) {
                return Some(Status::Paused);
            }
            if !budget.take_holding(self.nodes.has_numbers(), || self.bytes()) {
                return Some(Status::Paused);
            }
            self.chores.renew();
            self.open.pop();
            observer.expanded(self.nodes.expansion(node, 0));
            self.statistics
                .count_expansion(0, self.nodes.is_marked(node, Marks::ADVISED));
            self.expand(problem, node, observer);
        }
    }

    fn expand<O: Observer<P> + ?Sized>(&mut self, problem: &P, node: NodeId, observer: &mut O) {
        let mut improved = std::mem::take(&mut self.improved);
        // Closed holds for a round; advised means here: expanded, in this round or an earlier one.
        let (marks, listing) = (Marks::CLOSED.and(Marks::ADVISED), &mut self.listing);
        let nodes = &mut self.nodes;
        self.statistics.generated +=
            nodes.expand(problem, node, marks, Marks::NOTHING, listing, |_, child| {
                improved.push(child);
            });
        for child in improved.drain(..) {
            self.met(problem, child, observer);
        }
        self.improved = improved;
        let open = (self.open.len() + self.inconsistent.len()) as u64;
        self.statistics.peak_open = self.statistics.peak_open.max(open);
        self.open.tidy(&self.nodes);
    }

    /// A node was met, or a cheaper way to it was found.
    fn met<O: Observer<P> + ?Sized>(&mut self, problem: &P, node: NodeId, observer: &mut O) {
        let state = self.nodes.state(node);
        let cost = self.nodes.cost(node);
        observer.improved(state, cost);
        let estimate = self.heuristic.estimate(problem, state);
        (self.watch).met(problem, &self.heuristic, &self.nodes, node, estimate);
        self.statistics.evaluated += 1;
        while self.estimates.len() <= node.index() {
            self.estimates.push(Cost::INFINITE);
        }
        self.estimates[node.index()] = estimate;
        if !estimate.is_finite() && self.heuristic.promise() >= Promise::Admissible {
            return;
        }
        if self.goal.is_none_or(|(_, cheapest)| cost < cheapest) && problem.is_goal(state) {
            self.goal = Some((node, cost));
            observer.solved(cost);
        }
        let version = self.nodes.version(node);
        if self.nodes.is_marked(node, Marks::CLOSED) {
            self.inconsistent.push((node, version));
        } else {
            let priority = Priority::weighted(cost, self.weight, estimate);
            self.open.push(Entry {
                priority,
                node,
                version,
            });
        }
    }

    /// What can be proven about a solution of that cost: no way can be cheaper than the cheapest
    /// continuation of what is open or inconsistent.
    fn prove(&self, cost: Cost) -> (Weight, Because) {
        if cost == Cost::ZERO {
            return (Weight::ONE, Because::Free);
        }
        let ratio = Weight::ratio(cost, self.lowest);
        // That the weight bounds the cost needs more than a lower bound: nothing is expanded twice
        // in a round.
        if self.heuristic.promise() == Promise::Consistent && self.weight < ratio {
            (self.weight, Because::Consistent)
        } else {
            (ratio, Because::LowerBound)
        }
    }

    /// Gathers some of what is open or inconsistent. Says whether that is all.
    fn gather(&mut self) -> bool {
        let (nodes, estimates) = (&self.nodes, &self.estimates);
        let (waiting, lowest) = (&mut self.waiting, &mut self.lowest);
        let mut gather = |node: NodeId, version: u32| {
            if nodes.version(node) == version {
                *lowest = (*lowest).min(nodes.cost(node) + estimates[node.index()]);
                waiting.push((node, version));
            }
        };
        let open = &mut self.open;
        open.take_any(STATES_A_UNIT, |entry| gather(entry.node, entry.version));
        if open.len() > 0 {
            return false;
        }
        let inconsistent = std::iter::from_fn(|| self.inconsistent.pop());
        for (node, version) in inconsistent.take(STATES_A_UNIT) {
            gather(node, version);
        }
        self.inconsistent.is_empty()
    }

    /// Sorts some of what was gathered, and begins the next round when that is all.
    fn sort(&mut self) {
        let waiting = std::iter::from_fn(|| self.waiting.pop());
        for (node, version) in waiting.take(STATES_A_UNIT) {
            let (cost, estimate) = (self.nodes.cost(node), self.estimates[node.index()]);
            let priority = Priority::weighted(cost, self.weight, estimate);
            self.open.push(Entry {
                priority,
                node,
                version,
            });
        }
        if self.waiting.is_empty() {
            self.stage = Stage::Expanding;
        }
    }

    fn bytes(&self) -> u64 {
        self.nodes.bytes()
            + (self.estimates.len() * size_of::<Cost>()) as u64
            + self.statistics.peak_open * size_of::<Entry>() as u64
    }
}

impl<P: Problem, H: Heuristic<P>> Search<P> for AraStar<P, H> {
    run_by_search!();

    /// The best solution so far, also in the middle of a round.
    fn path(&self) -> Option<Path<P::State, P::Action>> {
        self.goal.map(|(goal, _)| self.nodes.path_to(goal))
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// What the last round that ended has proven. A better solution found since is at least as good.
    fn guarantee(&self) -> Guarantee {
        let Some((_, cost)) = self.goal else {
            return Guarantee::without_solution(self.standing.is_unsolvable());
        };
        if cost == Cost::ZERO {
            return Guarantee::within(Weight::ONE, Because::Free);
        }
        if self.heuristic.promise() == Promise::None {
            return Guarantee::None {
                because: NoBound::NoPromise,
            };
        }
        let Some((proven, because)) = self.proven else {
            return Guarantee::None {
                because: NoBound::Unfinished,
            };
        };
        Guarantee::within(proven.times(self.heuristic.inflation()), because)
    }

    fn restart(&mut self) {
        self.nodes.clear();
        self.listing.forget();
        self.estimates.clear_into_one();
        self.open.clear();
        self.chores.renew();
        self.inconsistent.clear();
        self.waiting.clear();
        (self.weight, self.stage) = (self.schedule.first, Stage::Expanding);
        (self.proven, self.goal, self.reported) = (None, None, None);
        self.standing = Standing::default();
        self.statistics.clear();
    }
}
