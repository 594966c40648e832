//! Shared MHA*: many advisers, one sworn anchor.

use crate::advisers::{Advisers, Limit, Rank};
use crate::front::Entry;
use crate::nodes::{Listing, Marks, NodeId, Nodes};
use crate::open_list::OpenList;
use crate::priority::Priority;
use crate::search::{Enter, Standing, run_by_search};
use crate::turns::Turn;
use crate::{
    Because, BoxedHeuristic, Budget, Cost, Guarantee, Heuristic, Observer, Path, Problem, Promise,
    Search, Statistics, Status, Turns, Weight,
};

/// Shared Multi-Heuristic A* (Aine et al., 2014): any number of advisers pull the search where they
/// think best, and one consistent anchor keeps what they find within `inflation · trust` times the
/// optimum, whatever they say.
///
/// All advisers share what is known of a state, so that a way found by one is continued by another.
/// A state is expanded at most twice: once for an adviser, once for the anchor.
///
/// ```
/// use apprentice_search::{Blind, Budget, Cost, Estimate, MhaStar, MhaWeights, Promise, Search, Weight};
/// # use apprentice_search::{Problem, Successors};
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
/// let hunch = Estimate::new(Promise::None, |cell: &u32| Cost::from_seconds(f64::from(5 - cell)));
/// let weights = MhaWeights { inflation: Weight::new(10.0)?, trust: Weight::ONE };
/// let mut search = MhaStar::new(Blind, vec![Box::new(hunch)], weights)?;
/// search.run(&Line, &mut Budget::unlimited());
/// assert_eq!(search.guarantee().factor(), Some(10.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MhaStar<P: Problem, A> {
    turns: Turns,
    nodes: Nodes<P>,
    listing: Listing<P>,
    frontier: Frontier<P, A>,
    standing: Standing,
}

/// What is open, and for whom. Apart from the nodes, so that it can be told of them while they are
/// being expanded.
struct Frontier<P: Problem, A> {
    anchor: A,
    advisers: Advisers<P>,
    weights: MhaWeights,
    /// The anchor's.
    open: OpenList<Entry>,
    /// The most entries it has held.
    longest: usize,
    /// The cheapest goal met so far, and its cost.
    goal: Option<(NodeId, Cost)>,
    statistics: Statistics,
}

/// How much [`MhaStar`] and [`IndependentMhaStar`](crate::IndependentMhaStar) may exceed the
/// optimum: by the product of the two.
///
/// ```
/// use apprentice_search::{MhaWeights, Weight};
///
/// let weights = MhaWeights { inflation: Weight::new(10.0)?, trust: Weight::ONE };
/// assert_eq!(weights.bound().as_f64(), 10.0);
/// # Ok::<(), apprentice_search::BadWeight>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MhaWeights {
    /// How many times estimates count (w₁ in the literature).
    pub inflation: Weight,
    /// How far an adviser's priority may exceed the anchor's (w₂). Calibrated advisers need no more
    /// than 1.
    pub trust: Weight,
}

impl MhaWeights {
    /// The product of both.
    ///
    /// ```
    /// # use apprentice_search::MhaWeights;
    /// assert_eq!(MhaWeights::default().bound().as_f64(), 1.0);
    /// ```
    pub fn bound(&self) -> Weight {
        self.inflation.times(self.trust)
    }

    /// How high an adviser's priority may be beside the anchor's, without rounding.
    #[inline]
    fn trusted(&self, anchor: Priority) -> Limit {
        let limit = anchor.exact() * u128::from(self.trust.steps());
        Limit::up_to(limit >> Weight::FRACTION_BITS)
    }

    /// Whether an adviser's priority is close enough to the anchor's.
    #[inline]
    pub(crate) fn trusts(&self, adviser: Priority, anchor: Priority) -> bool {
        self.trusted(anchor).admits(adviser)
    }
}

/// An adviser has a state at `g + w₁·h` if that is at most `w₂` times the anchor's priority.
/// (The test is on the successor's own anchor priority; the dissertation's listing prints that of
/// the expanded state.)
impl Rank for MhaWeights {
    #[inline]
    fn priority(&self, cost: Cost, estimate: Cost) -> Priority {
        Priority::weighted(cost, self.inflation, estimate)
    }

    #[inline]
    fn whole(&self, cost: Cost, estimate: Cost) -> u128 {
        Priority::weighted_whole(cost, self.inflation, estimate)
    }

    #[inline]
    fn admits(&self, priority: Priority, estimate: Cost, limit: Limit) -> bool {
        estimate.is_finite() && limit.admits(priority)
    }
}

/// An anchor that does not promise to be consistent proves nothing.
///
/// ```
/// use apprentice_search::{Cost, Estimate, MhaStar, MhaWeights, Promise};
/// # use apprentice_search::{Problem, Successors};
/// # struct Line;
/// # impl Problem for Line {
/// #     type State = u32; type Key = u32; type Action = ();
/// #     fn start(&self) -> u32 { 0 }
/// #     fn key(&self, s: &u32) -> u32 { *s }
/// #     fn is_goal(&self, s: &u32) -> bool { *s == 5 }
/// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {}
/// # }
/// let hunch = Estimate::new(Promise::None, |_: &u32| Cost::ZERO);
/// let refused = MhaStar::<Line, _>::new(hunch, vec![], MhaWeights::default());
/// assert!(refused.err().unwrap().to_string().contains("consistent"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeakAnchor {
    /// What the anchor promises.
    pub promise: Promise,
}

impl WeakAnchor {
    pub(crate) fn check<P: Problem>(anchor: &impl Heuristic<P>) -> Result<(), WeakAnchor> {
        let promise = anchor.promise();
        if promise == Promise::Consistent {
            Ok(())
        } else {
            Err(WeakAnchor { promise })
        }
    }
}

impl std::fmt::Display for WeakAnchor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let promise = match self.promise {
            Promise::None => "nothing",
            Promise::Admissible => "only to be admissible",
            Promise::Consistent => "to be consistent",
        };
        write!(
            f,
            "an anchor must promise to be consistent, but this one promises {promise}; make it an adviser, and use a straight-line estimate or `Blind` as the anchor"
        )
    }
}

impl std::error::Error for WeakAnchor {}

impl<P: Problem, A: Heuristic<P>> MhaStar<P, A> {
    /// A search that `advisers` pull and `anchor` holds. Without advisers it is weighted A*.
    ///
    /// ```
    /// # use apprentice_search::{Blind, MhaStar, MhaWeights, Problem};
    /// # fn for_any<P: Problem>() {
    /// let search = MhaStar::<P, _>::new(Blind, vec![Box::new(Blind)], MhaWeights::default());
    /// assert!(search.is_ok());
    /// # }
    /// ```
    pub fn new(
        anchor: A,
        advisers: Vec<BoxedHeuristic<P>>,
        weights: MhaWeights,
    ) -> Result<Self, WeakAnchor> {
        WeakAnchor::check(&anchor)?;
        let statistics = Statistics {
            expanded_by: vec![0; advisers.len() + 1],
            ..Statistics::default()
        };
        let frontier = Frontier {
            anchor,
            advisers: Advisers::new(advisers),
            weights,
            open: OpenList::new(),
            longest: 0,
            goal: None,
            statistics,
        };
        Ok(MhaStar {
            turns: Turns::each_once(),
            nodes: Nodes::new(),
            listing: Listing::new(),
            frontier,
            standing: Standing::default(),
        })
    }

    /// Says how turns are shared among the advisers.
    ///
    /// ```
    /// # use apprentice_search::{Blind, MhaStar, MhaWeights, Problem, Turns};
    /// # fn for_any<P: Problem>() -> Result<(), apprentice_search::WeakAnchor> {
    /// let search = MhaStar::<P, _>::new(Blind, vec![Box::new(Blind)], MhaWeights::default())?
    ///     .with_turns(Turns::adaptive(1));
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn with_turns(mut self, turns: Turns) -> Self {
        self.turns = turns;
        self
    }

    pub(crate) fn weights(&self) -> MhaWeights {
        self.frontier.weights
    }

    /// What the cheapest solution met so far costs.
    pub(crate) fn cost(&self) -> Option<Cost> {
        self.frontier.goal.map(|(_, cost)| cost)
    }

    /// Back to the start of the same problem, with other weights.
    pub(crate) fn begin_anew(&mut self, weights: MhaWeights) {
        let mut standing = self.standing;
        self.restart();
        standing.anew();
        self.standing = standing;
        self.frontier.weights = weights;
    }

    pub(crate) fn search<O: Observer<P> + ?Sized>(
        &mut self,
        problem: &P,
        budget: &mut Budget<'_>,
        observer: &mut O,
    ) -> Status {
        match self.standing.enter(problem) {
            Enter::Answer(status) => return status,
            Enter::Begin => {
                let frontier = &mut self.frontier;
                if !frontier.anchor.prepare(problem, budget)
                    || !frontier.advisers.prepare(problem, budget)
                {
                    return Status::Paused;
                }
                self.turns.begin(frontier.advisers.len());
                let start = self.nodes.insert_start(problem);
                frontier.met(problem, &self.nodes, start, observer);
                self.standing.begin();
            }
            Enter::Continue => {}
        }
        let status = self.take_turns(problem, budget, observer);
        let Frontier {
            advisers,
            statistics,
            ..
        } = &mut self.frontier;
        statistics.evaluated += std::mem::take(&mut advisers.evaluated);
        statistics.states = self.nodes.states_met();
        self.frontier.statistics.bytes = self.bytes();
        status
    }

    fn take_turns<O: Observer<P> + ?Sized>(
        &mut self,
        problem: &P,
        budget: &mut Budget<'_>,
        observer: &mut O,
    ) -> Status {
        loop {
            let nodes = &self.nodes;
            let is_current = |entry: &Entry| nodes.version(entry.node) == entry.version;
            let open = &mut self.frontier.open;
            let Some(anchored) = open.peek(is_current, |entry| is_current(&entry).then_some(entry))
            else {
                let solved = self.frontier.goal.is_some();
                return self.standing.end(if solved {
                    Status::Finished
                } else {
                    self.nodes.without_solution(problem, &mut self.listing)
                });
            };
            // The anchor has no turn of its own here: it works when an adviser may not.
            if self.turns.whose() == Turn::Anchor {
                self.turns.taken(false);
            }
            let advised = match self.turns.whose() {
                Turn::Adviser(adviser) => {
                    let entry = self
                        .frontier
                        .advised(adviser, problem, nodes, anchored.priority);
                    entry.map(|entry| (adviser, entry))
                }
                Turn::Anchor => None,
            };
            let next = advised.map_or(anchored, |(_, entry)| entry);
            if self
                .frontier
                .goal
                .is_some_and(|(_, cost)| cost <= next.priority.whole())
            {
                return self.standing.end(Status::Finished);
            }
            if self.nodes.is_full() && budget.is_out_of_numbers()
                || !budget.allows_memory(|| self.bytes())
                || !budget.take()
            {
                return Status::Paused;
            }
            let progress = match advised {
                Some((adviser, entry)) => self
                    .frontier
                    .advisers
                    .take(adviser, entry.priority.estimate()),
                None => {
                    self.frontier.open.pop();
                    false
                }
            };
            if self.turns.whose() != Turn::Anchor {
                self.turns.taken(progress);
            }
            self.expand(
                problem,
                next.node,
                advised.map_or(0, |(adviser, _)| adviser + 1),
                observer,
            );
        }
    }

    fn expand<O: Observer<P> + ?Sized>(
        &mut self,
        problem: &P,
        node: NodeId,
        by: usize,
        observer: &mut O,
    ) {
        observer.expanded(self.nodes.expansion(node, by));
        let frontier = &mut self.frontier;
        frontier
            .statistics
            .count_expansion(by, self.nodes.is_marked(node, Marks::ADVISED));
        let closed = if by == 0 {
            Marks::CLOSED
        } else {
            Marks::ADVISED
        };
        // What the anchor has closed is good enough, and is never improved.
        frontier.advisers.withdraw(node);
        let listing = &mut self.listing;
        let generated = self.nodes.expand(
            problem,
            node,
            closed,
            Marks::CLOSED,
            listing,
            |nodes, child| {
                frontier.met(problem, nodes, child, observer);
            },
        );
        frontier.statistics.generated += generated;
        frontier
            .advisers
            .tidy(problem, &self.nodes, &frontier.weights);
        frontier.longest = frontier.longest.max(frontier.open.len());
        let open = frontier.open.len() as u64 + frontier.advisers.open();
        frontier.statistics.peak_open = frontier.statistics.peak_open.max(open);
        if frontier.open.len() > 4 * self.nodes.len() {
            let nodes = &self.nodes;
            frontier
                .open
                .retain(|entry| nodes.version(entry.node) == entry.version);
        }
    }

    fn bytes(&self) -> u64 {
        let anchored = self.frontier.longest * size_of::<Entry>();
        let advised = self.frontier.advisers.bytes(self.nodes.len());
        self.nodes.bytes() + anchored as u64 + advised
    }
}

impl<P: Problem, A: Heuristic<P>> Frontier<P, A> {
    /// A node was met, or a cheaper way to it was found.
    #[inline]
    fn met<O: Observer<P> + ?Sized>(
        &mut self,
        problem: &P,
        nodes: &Nodes<P>,
        node: NodeId,
        observer: &mut O,
    ) {
        let (state, cost) = (nodes.state(node), nodes.cost(node));
        observer.improved(state, cost);
        let estimate = self.anchor.estimate(problem, state);
        self.statistics.evaluated += 1;
        let version = nodes.version(node);
        if !estimate.is_finite() {
            self.advisers.withdraw(node);
            return;
        }
        if self.goal.is_none_or(|(_, cheapest)| cost < cheapest) && problem.is_goal(state) {
            self.goal = Some((node, cost));
            observer.solved(cost);
        }
        let priority = Priority::weighted(cost, self.weights.inflation, estimate);
        self.open.push(Entry {
            priority,
            node,
            version,
        });
        if !nodes.is_marked(node, Marks::ADVISED) {
            let limit = self.weights.trusted(priority);
            self.advisers.tell(node, version, cost, limit);
        }
    }

    /// The state this adviser would expand next, if the anchor's first priority allows it.
    fn advised(
        &mut self,
        adviser: usize,
        problem: &P,
        nodes: &Nodes<P>,
        anchored: Priority,
    ) -> Option<Entry> {
        let first = self.advisers.first(adviser, problem, nodes, &self.weights);
        first.filter(|entry| self.weights.trusts(entry.priority, anchored))
    }
}

impl<P: Problem, A: Heuristic<P>> Search<P> for MhaStar<P, A> {
    run_by_search!();

    /// The cheapest solution met so far, also before its bound is proven.
    fn path(&self) -> Option<Path<P::State, P::Action>> {
        self.frontier.goal.map(|(goal, _)| self.nodes.path_to(goal))
    }

    fn statistics(&self) -> &Statistics {
        &self.frontier.statistics
    }

    fn guarantee(&self) -> Guarantee {
        let Frontier {
            anchor,
            weights,
            goal,
            ..
        } = &self.frontier;
        let factor = weights.bound().times(anchor.inflation());
        Guarantee::anchored(factor, goal.map(|(_, cost)| cost), &self.standing)
    }

    fn restart(&mut self) {
        self.nodes.clear();
        self.frontier.open.clear();
        self.frontier.advisers.clear();
        (self.frontier.longest, self.frontier.goal) = (0, None);
        self.frontier.statistics.clear();
        self.standing = Standing::default();
    }
}

impl Guarantee {
    /// What a consistent anchor proves about a solution of that cost.
    pub(crate) fn anchored(factor: Weight, cost: Option<Cost>, standing: &Standing) -> Guarantee {
        match cost {
            None => Guarantee::without_solution(standing.is_unsolvable()),
            Some(Cost::ZERO) => Guarantee::Within {
                factor: Weight::ONE,
                because: Because::Free,
            },
            Some(_) if standing.has_ended() => Guarantee::within(factor, Because::Anchored),
            Some(_) => Guarantee::None {
                because: crate::NoBound::Unfinished,
            },
        }
    }
}
