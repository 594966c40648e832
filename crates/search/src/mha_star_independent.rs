//! Independent MHA*: every adviser searches for itself, and one sworn anchor keeps the bound.

use crate::broken_promise::Watch;
use crate::chores::{Chores, Unfinished};
use crate::front::Entry;
use crate::nodes::{Listing, Marks, NodeId, Nodes};
use crate::open_list::OpenList;
use crate::priority::Priority;
use crate::search::{Enter, Standing, run_by_search};
use crate::turns::Turn;
use crate::{
    BoxedHeuristic, Budget, Cost, Guarantee, Heuristic, MhaWeights, Observer, Path, Problem,
    Search, Statistics, Status, Turns, WeakAnchor,
};

/// Independent Multi-Heuristic A* (Aine et al., 2014): as [`MhaStar`](crate::MhaStar), but nobody
/// shares what is known of a state. Each adviser follows its own estimate to the end; a way found by
/// one is not continued by another. A state is expanded at most once for each of them. An adviser
/// never goes on from a state that it estimates to be infinitely far from the goal.
///
/// ```
/// use apprentice_search::{Blind, Budget, IndependentMhaStar, MhaWeights, Search, Status};
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
/// let mut search = IndependentMhaStar::new(Blind, vec![Box::new(Blind)], MhaWeights::default())?;
/// assert_eq!(search.run(&Line, &mut Budget::unlimited()), Status::Finished);
/// assert_eq!(search.guarantee().factor(), Some(1.0));
/// # Ok::<(), apprentice_search::WeakAnchor>(())
/// ```
pub struct IndependentMhaStar<P: Problem, A> {
    anchor: A,
    advisers: Vec<BoxedHeuristic<P>>,
    weights: MhaWeights,
    turns: Turns,
    /// The anchor's search first.
    lanes: Vec<Lane<P>>,
    chores: Chores,
    listing: Listing<P>,
    /// What the last expansion improved. Kept for its memory.
    improved: Vec<NodeId>,
    /// The cheapest goal met so far, and whose it is.
    goal: Option<(usize, NodeId, Cost)>,
    watch: Watch,
    standing: Standing,
    statistics: Statistics,
}

/// One search among the others.
struct Lane<P: Problem> {
    nodes: Nodes<P>,
    open: OpenList<Entry>,
    /// What its own cheapest way to a goal costs.
    goal: Option<Cost>,
    nearest: Cost,
}

impl<P: Problem> Lane<P> {
    fn first(&mut self, chores: &mut Chores) -> Result<Option<Entry>, Unfinished> {
        self.open.first(&self.nodes, chores)
    }

    fn clear(&mut self) {
        self.nodes.clear();
        self.open.clear();
        (self.goal, self.nearest) = (None, Cost::INFINITE);
    }

    fn bytes(&self) -> u64 {
        self.nodes.bytes()
    }
}

impl<P: Problem, A: Heuristic<P>> IndependentMhaStar<P, A> {
    /// A search that `advisers` pull, each for itself, and `anchor` holds.
    ///
    /// # Errors
    ///
    /// If the anchor does not promise to be consistent.
    ///
    /// ```
    /// # use apprentice_search::{Blind, Budget, IndependentMhaStar, MhaWeights, Search};
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
    /// let mut search = IndependentMhaStar::new(Blind, vec![], MhaWeights::default())?;
    /// search.run(&Line, &mut Budget::unlimited());
    /// assert_eq!(search.path().unwrap().cost, Cost::from_seconds(5.0));
    /// # Ok::<(), apprentice_search::WeakAnchor>(())
    /// ```
    pub fn new(
        anchor: A,
        advisers: Vec<BoxedHeuristic<P>>,
        weights: MhaWeights,
    ) -> Result<Self, WeakAnchor> {
        WeakAnchor::check(&anchor)?;
        let count = advisers.len() + 1;
        let lane = || Lane {
            nodes: Nodes::new(),
            open: OpenList::new(),
            goal: None,
            nearest: Cost::INFINITE,
        };
        Ok(IndependentMhaStar {
            anchor,
            advisers,
            weights,
            turns: Turns::each_once(),
            lanes: (0..count).map(|_| lane()).collect(),
            chores: Chores::new(),
            listing: Listing::new(),
            improved: Vec::new(),
            goal: None,
            standing: Standing::default(),
            watch: Watch::default(),
            statistics: Statistics::by(count),
        })
    }

    /// Says how turns are shared among the advisers.
    ///
    /// ```
    /// # use apprentice_search::{Blind, BoxedHeuristic, Budget, IndependentMhaStar, MhaWeights, Search, Turns};
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
    /// let advisers: Vec<BoxedHeuristic<Line>> = vec![Box::new(Blind), Box::new(Blind)];
    /// let mut search = IndependentMhaStar::new(Blind, advisers, MhaWeights::default())?
    ///     .with_turns(Turns::with_repeats([0, 1])); // the first is never asked
    /// search.run(&Line, &mut Budget::unlimited());
    /// assert_eq!(search.statistics().expanded_by[1], 0);
    /// # Ok::<(), apprentice_search::WeakAnchor>(())
    /// ```
    #[must_use]
    pub fn with_turns(mut self, turns: Turns) -> Self {
        self.turns = turns;
        self
    }

    fn search<O: Observer<P> + ?Sized>(
        &mut self,
        problem: &P,
        budget: &mut Budget<'_>,
        observer: &mut O,
    ) -> Status {
        match self.standing.enter(problem) {
            Enter::Answer(status) => return status,
            Enter::Begin => {
                let mut advisers = self.advisers.iter_mut();
                if !self.anchor.prepare(problem, budget)
                    || !advisers.all(|adviser| adviser.prepare(problem, budget))
                {
                    return Status::Paused;
                }
                budget.change_pace();
                self.turns.begin(self.advisers.len());
                for by in 0..self.lanes.len() {
                    let start = self.lanes[by].nodes.insert_start(problem);
                    self.met(problem, by, start, observer);
                }
                self.standing.begin();
            }
            Enter::Continue => {}
        }
        let status = self.take_turns(problem, budget, observer);
        self.statistics.states = self.lanes.iter().map(|lane| lane.nodes.states_met()).sum();
        self.statistics.bytes = self.bytes();
        status
    }

    fn take_turns<O: Observer<P> + ?Sized>(
        &mut self,
        problem: &P,
        budget: &mut Budget<'_>,
        observer: &mut O,
    ) -> Status {
        loop {
            let Ok(next) = self.next() else {
                if !self.chores.pay(budget, &mut self.statistics.upkeep) {
                    return Status::Paused;
                }
                continue;
            };
            let Some((by, next)) = next else {
                if self.goal.is_some() {
                    return self.standing.end(Status::Finished);
                }
                let (nodes, listing) = (&mut self.lanes[0].nodes, &mut self.listing);
                let upkeep = &mut self.statistics.upkeep;
                let answer = nodes.without_solution(problem, listing, budget, upkeep);
                return self.standing.end_with(answer);
            };
            if self.lanes[by]
                .goal
                .is_some_and(|cost| cost <= next.priority.whole())
            {
                return self.standing.end(Status::Finished);
            }
            let (nodes, of) = (&self.lanes[by].nodes, (by, next.node));
            let (listing, upkeep) = (&mut self.listing, &mut self.statistics.upkeep);
            if !listing.get_ready(problem, of, nodes, budget, upkeep) {
                return Status::Paused;
            }
            if !budget.take_holding(self.lanes[by].nodes.has_numbers(), || self.bytes()) {
                return Status::Paused;
            }
            self.chores.renew();
            let lane = &mut self.lanes[by];
            lane.open.pop();
            let estimate = next.priority.estimate();
            let progress = by > 0 && estimate < lane.nearest;
            lane.nearest = lane.nearest.min(estimate);
            if self.turns.whose() != Turn::Anchor {
                self.turns.taken(progress);
            }
            self.expand(problem, by, next.node, observer);
        }
    }

    /// What is expanded next, and on whose behalf, if the anchor has anything left.
    fn next(&mut self) -> Result<Option<(usize, Entry)>, Unfinished> {
        let Some(anchored) = self.lanes[0].first(&mut self.chores)? else {
            return Ok(None);
        };
        // The anchor has no turn of its own: it works when an adviser may not.
        if self.turns.whose() == Turn::Anchor {
            self.turns.taken(false);
        }
        let Turn::Adviser(adviser) = self.turns.whose() else {
            return Ok(Some((0, anchored)));
        };
        let first = self.lanes[adviser + 1].first(&mut self.chores)?;
        let is_trusted = |entry: &Entry| self.weights.trusts(entry.priority, anchored.priority);
        let advised = first.filter(is_trusted).map(|entry| (adviser + 1, entry));
        Ok(Some(advised.unwrap_or((0, anchored))))
    }

    fn expand<O: Observer<P> + ?Sized>(
        &mut self,
        problem: &P,
        by: usize,
        node: NodeId,
        observer: &mut O,
    ) {
        let nodes = &mut self.lanes[by].nodes;
        observer.expanded(nodes.expansion(node, by));
        self.statistics.count_expansion(by, false);
        let mut improved = std::mem::take(&mut self.improved);
        let (closed, listing) = (Marks::CLOSED, &mut self.listing);
        self.statistics.generated +=
            nodes.expand(problem, node, closed, closed, listing, |_, child| {
                improved.push(child);
            });
        for child in improved.drain(..) {
            self.met(problem, by, child, observer);
        }
        self.improved = improved;
        let open = self.lanes.iter().map(|lane| lane.open.len() as u64).sum();
        self.statistics.peak_open = self.statistics.peak_open.max(open);
        let lane = &mut self.lanes[by];
        lane.open.tidy(&lane.nodes);
    }

    /// One of the searches met a node, or found a cheaper way to it.
    fn met<O: Observer<P> + ?Sized>(
        &mut self,
        problem: &P,
        by: usize,
        node: NodeId,
        observer: &mut O,
    ) {
        let lane = &mut self.lanes[by];
        let (state, cost) = (lane.nodes.state(node), lane.nodes.cost(node));
        observer.improved(state, cost);
        let estimate = match by.checked_sub(1) {
            None => self.anchor.estimate(problem, state),
            Some(adviser) => self.advisers[adviser].estimate(problem, state),
        };
        if by == 0 {
            (self.watch).met(problem, &self.anchor, &lane.nodes, node, estimate);
        }
        self.statistics.evaluated += 1;
        if !estimate.is_finite() {
            return;
        }
        if lane.goal.is_none_or(|cheapest| cost < cheapest) && problem.is_goal(state) {
            lane.goal = Some(cost);
            if self.goal.is_none_or(|(_, _, cheapest)| cost < cheapest) {
                self.goal = Some((by, node, cost));
                observer.solved(cost);
            }
        }
        let priority = Priority::weighted(cost, self.weights.inflation, estimate);
        lane.open.push(Entry {
            priority,
            node,
            version: lane.nodes.version(node),
        });
    }

    fn bytes(&self) -> u64 {
        let nodes: u64 = self.lanes.iter().map(Lane::bytes).sum();
        nodes + self.statistics.peak_open * size_of::<Entry>() as u64
    }
}

impl<P: Problem, A: Heuristic<P>> Search<P> for IndependentMhaStar<P, A> {
    run_by_search!();

    /// The cheapest solution met so far, also before its bound is proven.
    fn path(&self) -> Option<Path<P::State, P::Action>> {
        self.goal
            .map(|(by, goal, _)| self.lanes[by].nodes.path_to(goal))
    }

    /// `states` counts a state once for every search that met it, because each keeps its own.
    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn guarantee(&self) -> Guarantee {
        let factor = self.weights.bound().times(self.anchor.inflation());
        Guarantee::anchored(factor, self.goal.map(|(_, _, cost)| cost), &self.standing)
    }

    fn restart(&mut self) {
        self.lanes.iter_mut().for_each(Lane::clear);
        self.listing.forget();
        self.chores.renew();
        self.goal = None;
        self.standing = Standing::default();
        self.statistics.clear();
    }
}
