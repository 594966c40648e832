//! The engine of multi-heuristic A*: an anchor and its advisers, which may be inadmissible heuristics,
//! expand the same states in turn. What shared and improved MHA* have in common; a [`MhaPolicy`] says what they don't.

use crate::advisers::{Advisers, Rank};
use crate::broken_promise::Watch;
use crate::chores::{Chores, Unfinished};
use crate::front::Entry;
use crate::nodes::{Listing, Marks, NodeId, Nodes};
use crate::open_list::OpenList;
use crate::priority::Priority;
use crate::search::{Enter, Standing, run_by_search};
use crate::{
    BoxedHeuristic, Budget, Cost, Guarantee, Heuristic, Observer, Path, Problem, Search,
    Statistics, Status, Turns, WeakAnchor, Weight,
};

/// A search by an anchor and its advisers, which share all they know of a state.
pub(crate) struct MhaEngine<P: Problem, A, R> {
    turns: Turns,
    nodes: Nodes<P>,
    listing: Listing<P>,
    chores: Chores,
    frontier: Frontier<P, A, R>,
    standing: Standing,
}

/// What is open, and for whom. Apart from the nodes, so that it can be told of them while they are
/// being expanded.
struct Frontier<P: Problem, A, R> {
    anchor: A,
    advisers: Advisers<P>,
    policy: R,
    /// The anchor's.
    open: OpenList<Entry>,
    /// The most entries that the anchor's list has held, with what waits for the advisers.
    longest: usize,
    /// The cheapest goal met so far, and its cost.
    goal: Option<(NodeId, Cost)>,
    watch: Watch,
    statistics: Statistics,
}

/// Which states advisers may expand, whose turn counts, and when a solution is good enough.
pub(crate) trait MhaPolicy: Rank {
    /// How many times the anchor's estimates count.
    fn anchor_weight(&self) -> Weight;

    /// How many times the optimum a good enough solution costs, at most.
    fn bound(&self) -> Weight;

    /// A state that no adviser has expanded was met, or a cheaper way to it was found: it lies at
    /// `priority` for the anchor, who thinks `estimate` remains. Tells the advisers of it, or
    /// withdraws it from them.
    fn offer<P: Problem>(
        &mut self,
        advisers: &mut Advisers<P>,
        problem: &P,
        nodes: &Nodes<P>,
        node: NodeId,
        priority: Priority,
        estimate: Cost,
    );

    /// Which state comes next.
    fn next<P: Problem>(
        &mut self,
        advisers: &mut Advisers<P>,
        turns: &mut Turns,
        outlook: Outlook<'_, P>,
        budget: &mut Budget<'_>,
        chores: &mut Chores,
    ) -> Result<Next, Unfinished>;

    /// How many entries wait until the advisers may have them.
    fn waiting(&self) -> usize {
        0
    }

    /// Drops entries that are stale, if there are too many of them.
    fn tidy<P: Problem>(&mut self, _nodes: &Nodes<P>) {}

    /// Back to the beginning of a search, keeping the memory.
    fn clear(&mut self) {}
}

/// What is known when it is decided what happens next.
pub(crate) struct Outlook<'a, P: Problem> {
    pub(crate) problem: &'a P,
    pub(crate) nodes: &'a Nodes<P>,
    /// The anchor's first state.
    pub(crate) anchored: Entry,
    /// The cost of the best solution.
    pub(crate) solution: Option<Cost>,
}

/// What happens next.
pub(crate) enum Next {
    /// A state is expanded, on behalf of the anchor (0) or of an adviser (counting from 1).
    Expand { by: usize, entry: Entry },
    /// Nothing in this turn, which has passed.
    Nothing,
    /// The solution is good enough.
    Enough,
}

impl<P: Problem, A: Heuristic<P>, R: MhaPolicy> MhaEngine<P, A, R> {
    pub(crate) fn new(
        anchor: A,
        advisers: Vec<BoxedHeuristic<P>>,
        policy: R,
    ) -> Result<Self, WeakAnchor> {
        WeakAnchor::check(&anchor)?;
        let statistics = Statistics::by(advisers.len() + 1);
        let frontier = Frontier {
            anchor,
            advisers: Advisers::new(advisers),
            policy,
            open: OpenList::new(),
            longest: 0,
            goal: None,
            watch: Watch::default(),
            statistics,
        };
        Ok(MhaEngine {
            turns: Turns::each_once(),
            nodes: Nodes::new(),
            listing: Listing::new(),
            chores: Chores::new(),
            frontier,
            standing: Standing::default(),
        })
    }

    pub(crate) fn set_turns(&mut self, turns: Turns) {
        self.turns = turns;
    }

    pub(crate) fn policy(&mut self) -> &mut R {
        &mut self.frontier.policy
    }

    /// What the cheapest solution met so far costs.
    pub(crate) fn cost(&self) -> Option<Cost> {
        self.frontier.goal.map(|(_, cost)| cost)
    }

    /// The cheapest solution met so far, in memory that was used before.
    pub(crate) fn path_in(
        &self,
        steps: Vec<(P::Action, P::State)>,
    ) -> Option<Path<P::State, P::Action>> {
        let (goal, _) = self.frontier.goal?;
        Some(self.nodes.path_in(steps, goal))
    }

    /// Back to the start of the same problem, with another policy.
    pub(crate) fn begin_anew(&mut self, policy: R) {
        let mut standing = self.standing;
        self.restart();
        standing.anew();
        self.standing = standing;
        self.frontier.policy = policy;
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
                if !frontier.anchor.prepare(problem, budget) {
                    return Status::Paused;
                }
                budget.change_pace();
                self.turns.begin(frontier.advisers.len());
                let start = self.nodes.insert_start(problem);
                frontier.met(problem, &self.nodes, start, observer);
                self.standing.begin();
            }
            Enter::Continue => {}
        }
        let status = self.take_turns(problem, budget, observer);
        let bytes = self.bytes();
        let Frontier {
            advisers,
            statistics,
            ..
        } = &mut self.frontier;
        statistics.evaluated += std::mem::take(&mut advisers.evaluated);
        (statistics.states, statistics.bytes) = (self.nodes.states_met(), bytes);
        status
    }

    fn take_turns<O: Observer<P> + ?Sized>(
        &mut self,
        problem: &P,
        budget: &mut Budget<'_>,
        observer: &mut O,
    ) -> Status {
        loop {
            let solution = self.cost();
            let next = match self.look(problem, solution, budget) {
                Ok(next) => next,
                Err(Unfinished::Spent) => return Status::Paused,
                Err(Unfinished::More) => {
                    let upkeep = &mut self.frontier.statistics.upkeep;
                    if !self.chores.pay(budget, upkeep) {
                        return Status::Paused;
                    }
                    continue;
                }
            };
            let (by, entry) = match next {
                Some(Next::Expand { by, entry }) => (by, entry),
                Some(Next::Nothing) => continue,
                Some(Next::Enough) => return self.standing.end(Status::Finished),
                None if solution.is_some() => return self.standing.end(Status::Finished),
                None => {
                    let listing = &mut self.listing;
                    let upkeep = &mut self.frontier.statistics.upkeep;
                    let answer = (self.nodes).without_solution(problem, listing, budget, upkeep);
                    return self.standing.end_with(answer);
                }
            };
            let (listing, upkeep) = (&mut self.listing, &mut self.frontier.statistics.upkeep);
            if !listing.get_ready(problem, (0, entry.node), &self.nodes, budget, upkeep) {
                return Status::Paused;
            }
            if !budget.take_holding(self.nodes.has_numbers(), || self.bytes()) {
                return Status::Paused;
            }
            self.chores.renew();
            let frontier = &mut self.frontier;
            let progress = match by.checked_sub(1) {
                None => {
                    frontier.open.pop();
                    false
                }
                Some(adviser) => {
                    let estimate = frontier.policy.estimate(entry.priority);
                    frontier.advisers.take(adviser, estimate)
                }
            };
            self.turns.taken(progress);
            self.expand(problem, entry.node, by, observer);
        }
    }

    /// What happens next, unless the anchor has no state left.
    #[inline]
    fn look(
        &mut self,
        problem: &P,
        solution: Option<Cost>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Next>, Unfinished> {
        let (nodes, frontier, chores) = (&self.nodes, &mut self.frontier, &mut self.chores);
        let Some(anchored) = frontier.open.first(nodes, chores)? else {
            return Ok(None);
        };
        let (policy, advisers) = (&mut frontier.policy, &mut frontier.advisers);
        let outlook = Outlook {
            problem,
            nodes,
            anchored,
            solution,
        };
        let next = policy.next(advisers, &mut self.turns, outlook, budget, chores)?;
        Ok(Some(next))
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
        let again = self.nodes.is_marked(node, Marks::ADVISED);
        frontier.statistics.count_expansion(by, again);
        let closed = if by == 0 {
            Marks::CLOSED
        } else {
            Marks::ADVISED
        };
        // What the anchor has closed is good enough, and is never improved.
        frontier.advisers.withdraw(node);
        frontier.advisers.begin_expansion();
        let listing = &mut self.listing;
        let generated = self.nodes.expand(
            problem,
            node,
            closed,
            Marks::CLOSED,
            listing,
            |nodes, child| frontier.met(problem, nodes, child, observer),
        );
        frontier.statistics.generated += generated;
        frontier.tidy(problem, &self.nodes);
    }

    fn bytes(&self) -> u64 {
        let anchored = self.frontier.longest * size_of::<Entry>();
        let advised = self.frontier.advisers.bytes(self.nodes.len());
        self.nodes.bytes() + anchored as u64 + advised
    }
}

impl<P: Problem, A: Heuristic<P>, R: MhaPolicy> Frontier<P, A, R> {
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
        (self.watch).met(problem, &self.anchor, nodes, node, estimate);
        self.statistics.evaluated += 1;
        if !estimate.is_finite() {
            self.advisers.withdraw(node);
            return;
        }
        if self.goal.is_none_or(|(_, cheapest)| cost < cheapest) && problem.is_goal(state) {
            self.goal = Some((node, cost));
            observer.solved(cost);
        }
        let priority = Priority::weighted(cost, self.policy.anchor_weight(), estimate);
        self.open.push(Entry {
            priority,
            node,
            version: nodes.version(node),
        });
        if !nodes.is_marked(node, Marks::ADVISED) {
            let advisers = &mut self.advisers;
            self.policy
                .offer(advisers, problem, nodes, node, priority, estimate);
        }
    }

    /// Keeps count of what is open, and drops what nobody needs any more.
    #[inline]
    fn tidy(&mut self, problem: &P, nodes: &Nodes<P>) {
        self.advisers.tidy(problem, nodes, &self.policy);
        let open = self.open.len() + self.policy.waiting();
        self.longest = self.longest.max(open);
        let open = open as u64 + self.advisers.open();
        self.statistics.peak_open = self.statistics.peak_open.max(open);
        self.open.tidy(nodes);
        self.policy.tidy(nodes);
    }
}

impl<P: Problem, A: Heuristic<P>, R: MhaPolicy> Search<P> for MhaEngine<P, A, R> {
    run_by_search!();

    fn path(&self) -> Option<Path<P::State, P::Action>> {
        self.path_in(Vec::new())
    }

    fn statistics(&self) -> &Statistics {
        &self.frontier.statistics
    }

    fn guarantee(&self) -> Guarantee {
        let Frontier { anchor, policy, .. } = &self.frontier;
        let factor = policy.bound().times(anchor.inflation());
        Guarantee::anchored(factor, self.cost(), &self.standing)
    }

    fn restart(&mut self) {
        self.nodes.clear();
        self.listing.forget();
        self.chores.renew();
        let frontier = &mut self.frontier;
        frontier.open.clear();
        frontier.advisers.clear();
        frontier.policy.clear();
        (frontier.longest, frontier.goal) = (0, None);
        frontier.statistics.clear();
        self.standing = Standing::default();
    }
}

/// A search that leaves everything to its `engine`.
macro_rules! search_by_mha_engine {
    () => {
        fn run(&mut self, problem: &P, budget: &mut Budget<'_>) -> Status {
            self.engine.run(problem, budget)
        }

        fn run_observed(
            &mut self,
            problem: &P,
            budget: &mut Budget<'_>,
            observer: &mut dyn Observer<P>,
        ) -> Status {
            self.engine.run_observed(problem, budget, observer)
        }

        /// The cheapest solution met so far, also before its bound is proven.
        fn path(&self) -> Option<Path<P::State, P::Action>> {
            self.engine.path()
        }

        fn statistics(&self) -> &Statistics {
            self.engine.statistics()
        }

        fn guarantee(&self) -> Guarantee {
            self.engine.guarantee()
        }

        fn restart(&mut self) {
            self.engine.restart();
        }
    };
}
pub(crate) use search_by_mha_engine;
