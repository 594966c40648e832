//! Improved MHA*: MHA*++, Focal-MHA* and Unconstrained-MHA*, which trust uncalibrated advisers.

use crate::advisers::{Advisers, Limit, Rank};
use crate::front::Entry;
use crate::nodes::{Listing, Marks, NodeId, Nodes};
use crate::open_list::OpenList;
use crate::priority::Priority;
use crate::search::{Enter, Standing, run_by_search};
use crate::turns::Turn;
use crate::{
    BoxedHeuristic, Budget, Cost, Guarantee, Heuristic, Observer, Path, Problem, Search,
    Statistics, Status, Turns, WeakAnchor, Weight,
};

/// Improved Multi-Heuristic A*: advisers need not be of the anchor's scale, because they only rank
/// states among those that the anchor says may still lead to a good enough solution.
///
/// Turns go round: each adviser expands the candidate it likes best, then the anchor expands its own
/// first. A state is expanded at most twice, and the solution costs at most `weight` times the
/// optimum.
///
/// ```
/// use apprentice_search::{Blind, Budget, Cost, Estimate, ImprovedMhaStar, MhaForm, Promise, Search, Weight};
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
/// let steps_left = Estimate::new(Promise::None, |cell: &u32| Cost::from_ticks(u64::from(5 - cell)));
/// let mut search =
///     ImprovedMhaStar::new(MhaForm::Focal, Blind, vec![Box::new(steps_left)], Weight::new(2.0)?)?;
/// search.run(&Line, &mut Budget::unlimited());
/// assert_eq!(search.guarantee().factor(), Some(2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ImprovedMhaStar<P: Problem, A> {
    turns: Turns,
    nodes: Nodes<P>,
    listing: Listing<P>,
    frontier: Frontier<P, A>,
    standing: Standing,
}

/// The three forms of [`ImprovedMhaStar`]. `g` is the cost so far, `h` the anchor's estimate, `w` the
/// weight, and the lower bound the greatest value that the anchor's first priority ever had.
///
/// ```
/// use apprentice_search::MhaForm;
///
/// assert_eq!(MhaForm::ALL.len(), 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MhaForm {
    /// MHA*++: the anchor goes by `g + w·h`; advisers choose where `g + h` is within the lower bound.
    PlusPlus,
    /// Focal-MHA*: the anchor goes by `g + h`; advisers choose where that is within `w` times the
    /// lower bound.
    Focal,
    /// Unconstrained-MHA*: the anchor goes by `g + w·h`; advisers choose freely, except goals.
    Unconstrained,
}

impl MhaForm {
    /// All three.
    pub const ALL: [MhaForm; 3] = [MhaForm::PlusPlus, MhaForm::Focal, MhaForm::Unconstrained];
}

/// What an adviser of [`ImprovedMhaStar`] likes best.
///
/// ```
/// use apprentice_search::Ranking;
///
/// assert_eq!(Ranking::default(), Ranking::Uncalibrated);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ranking {
    /// The smallest estimate, then the smallest cost so far: for estimates of any scale.
    #[default]
    Uncalibrated,
    /// The smallest `g + w·h`: for estimates of the anchor's scale.
    Calibrated,
}

/// What is open, and for whom. Apart from the nodes, so that it can be told of them while they are
/// being expanded.
struct Frontier<P: Problem, A> {
    anchor: A,
    advisers: Advisers<P>,
    form: MhaForm,
    order: Order,
    /// The anchor's.
    open: OpenList<Entry>,
    /// States the advisers may not have yet, by `g + h`.
    waiting: OpenList<Entry>,
    /// The greatest value that the anchor's first priority ever had, exactly.
    lower_bound: u128,
    /// The most entries the lists above have held.
    longest: usize,
    /// The cheapest goal met so far, and its cost.
    goal: Option<(NodeId, Cost)>,
    statistics: Statistics,
}

/// By what the advisers rank.
#[derive(Clone, Copy)]
struct Order {
    weight: Weight,
    ranking: Ranking,
}

/// Who may have a state is settled before the advisers hear of it.
impl Rank for Order {
    #[inline]
    fn priority(&self, cost: Cost, estimate: Cost) -> Priority {
        match self.ranking {
            Ranking::Uncalibrated => Priority::nearest(cost, estimate),
            Ranking::Calibrated => Priority::weighted(cost, self.weight, estimate),
        }
    }

    #[inline]
    fn whole(&self, cost: Cost, estimate: Cost) -> u128 {
        match self.ranking {
            Ranking::Uncalibrated => u128::from(estimate.ticks()),
            Ranking::Calibrated => Priority::weighted_whole(cost, self.weight, estimate),
        }
    }

    #[inline]
    fn admits(&self, _priority: Priority, _estimate: Cost, _limit: Limit) -> bool {
        true
    }
}

impl<P: Problem, A: Heuristic<P>> ImprovedMhaStar<P, A> {
    /// A search of that form. Without advisers it is weighted A* or, for [`MhaForm::Focal`], an A*
    /// that stops at a good enough solution.
    ///
    /// ```
    /// # use apprentice_search::{Blind, ImprovedMhaStar, MhaForm, Problem, Weight};
    /// # fn for_any<P: Problem>() {
    /// let search = ImprovedMhaStar::<P, _>::new(MhaForm::PlusPlus, Blind, vec![], Weight::ONE);
    /// assert!(search.is_ok());
    /// # }
    /// ```
    pub fn new(
        form: MhaForm,
        anchor: A,
        advisers: Vec<BoxedHeuristic<P>>,
        weight: Weight,
    ) -> Result<Self, WeakAnchor> {
        WeakAnchor::check(&anchor)?;
        let statistics = Statistics {
            expanded_by: vec![0; advisers.len() + 1],
            ..Statistics::default()
        };
        let frontier = Frontier {
            anchor,
            advisers: Advisers::new(advisers),
            form,
            order: Order {
                weight,
                ranking: Ranking::default(),
            },
            open: OpenList::new(),
            waiting: OpenList::new(),
            lower_bound: 0,
            longest: 0,
            goal: None,
            statistics,
        };
        Ok(ImprovedMhaStar {
            turns: Turns::each_once(),
            nodes: Nodes::new(),
            listing: Listing::new(),
            frontier,
            standing: Standing::default(),
        })
    }

    /// Says how turns are shared among the advisers; the anchor always has the last of a round.
    ///
    /// ```
    /// # use apprentice_search::{Blind, ImprovedMhaStar, MhaForm, Problem, Turns, Weight};
    /// # fn for_any<P: Problem>() -> Result<(), apprentice_search::WeakAnchor> {
    /// let search = ImprovedMhaStar::<P, _>::new(MhaForm::Focal, Blind, vec![], Weight::ONE)?
    ///     .with_turns(Turns::adaptive(1));
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn with_turns(mut self, turns: Turns) -> Self {
        self.turns = turns;
        self
    }

    /// Says what advisers like best.
    ///
    /// ```
    /// # use apprentice_search::{Blind, ImprovedMhaStar, MhaForm, Problem, Ranking, Weight};
    /// # fn for_any<P: Problem>() -> Result<(), apprentice_search::WeakAnchor> {
    /// let search = ImprovedMhaStar::<P, _>::new(MhaForm::Focal, Blind, vec![], Weight::ONE)?
    ///     .with_ranking(Ranking::Calibrated);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn with_ranking(mut self, ranking: Ranking) -> Self {
        self.frontier.order.ranking = ranking;
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
            let Some(anchored) = self.frontier.anchored(&self.nodes) else {
                let solved = self.frontier.goal.is_some();
                return self.standing.end(if solved {
                    Status::Finished
                } else {
                    self.nodes.without_solution(problem, &mut self.listing)
                });
            };
            if self.frontier.is_good_enough() {
                return self.standing.end(Status::Finished);
            }
            let turn = self.turns.whose();
            let next = match turn {
                Turn::Anchor => anchored,
                Turn::Adviser(adviser) => {
                    match self.frontier.advised(adviser, problem, &self.nodes) {
                        Some(entry) => entry,
                        None => {
                            // Nothing it may choose from, and the anchor must go on before there is.
                            self.turns.pass();
                            continue;
                        }
                    }
                }
            };
            if self.nodes.is_full() && budget.is_out_of_numbers()
                || !budget.allows_memory(|| self.bytes())
                || !budget.take()
            {
                return Status::Paused;
            }
            let by = match turn {
                Turn::Anchor => {
                    self.frontier.open.pop();
                    self.turns.taken(false);
                    0
                }
                Turn::Adviser(adviser) => {
                    let estimate = self.frontier.order.estimate(next.priority);
                    let progress = self.frontier.advisers.take(adviser, estimate);
                    self.turns.taken(progress);
                    adviser + 1
                }
            };
            self.expand(problem, next.node, by, observer);
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
            .tidy(problem, &self.nodes, &frontier.order);
        let nodes = &self.nodes;
        for open in [&mut frontier.open, &mut frontier.waiting] {
            if open.len() > 4 * nodes.len() {
                open.retain(|entry| nodes.version(entry.node) == entry.version);
            }
        }
        let open = frontier.open.len() + frontier.waiting.len();
        frontier.longest = frontier.longest.max(open);
        let open = open as u64 + frontier.advisers.open();
        frontier.statistics.peak_open = frontier.statistics.peak_open.max(open);
    }

    fn bytes(&self) -> u64 {
        let anchored = self.frontier.longest * size_of::<Entry>();
        let advised = self.frontier.advisers.bytes(self.nodes.len());
        self.nodes.bytes() + anchored as u64 + advised
    }
}

impl Order {
    /// The estimate a priority was made from.
    fn estimate(&self, priority: Priority) -> Cost {
        match self.ranking {
            Ranking::Uncalibrated => priority.whole(),
            Ranking::Calibrated => priority.estimate(),
        }
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
        let is_goal = problem.is_goal(state);
        if is_goal && self.goal.is_none_or(|(_, cheapest)| cost < cheapest) {
            self.goal = Some((node, cost));
            observer.solved(cost);
        }
        let weight = if self.form == MhaForm::Focal {
            Weight::ONE
        } else {
            self.order.weight
        };
        let priority = Priority::weighted(cost, weight, estimate);
        self.open.push(Entry {
            priority,
            node,
            version,
        });
        if nodes.is_marked(node, Marks::ADVISED) {
            return;
        }
        let through = cost + estimate;
        match self.form {
            MhaForm::Unconstrained if is_goal => {}
            MhaForm::Unconstrained => self.advisers.tell(node, version, cost, Limit::NONE),
            _ if self.is_candidate(through) => {
                self.advisers.tell(node, version, cost, Limit::NONE);
            }
            _ => {
                self.advisers.withdraw(node);
                self.waiting.push(Entry {
                    priority: Priority::pair(through, cost),
                    node,
                    version,
                });
            }
        }
    }

    /// The anchor's first state. Raises the lower bound, and lets the advisers have what that allows.
    fn anchored(&mut self, nodes: &Nodes<P>) -> Option<Entry> {
        let is_current = |entry: &Entry| nodes.version(entry.node) == entry.version;
        let resolve = |entry: Entry| is_current(&entry).then_some(entry);
        let first = self.open.peek(is_current, resolve)?;
        if first.priority.exact() > self.lower_bound {
            self.lower_bound = first.priority.exact();
            while let Some(entry) = self.waiting.peek(is_current, resolve)
                && self.is_candidate(entry.priority.whole())
            {
                self.waiting.pop();
                let Entry { node, version, .. } = entry;
                self.advisers
                    .tell(node, version, nodes.cost(node), Limit::NONE);
            }
        }
        Some(first)
    }

    /// The candidate this adviser likes best.
    fn advised(&mut self, adviser: usize, problem: &P, nodes: &Nodes<P>) -> Option<Entry> {
        self.advisers.first(adviser, problem, nodes, &self.order)
    }

    /// Whether a state with that `g + h` may lead to a good enough solution.
    fn is_candidate(&self, through: Cost) -> bool {
        match self.form {
            MhaForm::PlusPlus => exactly(through) <= self.lower_bound,
            MhaForm::Focal => self.is_within_weight(through),
            MhaForm::Unconstrained => true,
        }
    }

    /// Whether the cheapest solution met is within the bound.
    fn is_good_enough(&self) -> bool {
        self.goal.is_some_and(|(_, cost)| match self.form {
            MhaForm::Focal => self.is_within_weight(cost),
            MhaForm::PlusPlus | MhaForm::Unconstrained => exactly(cost) <= self.lower_bound,
        })
    }

    /// Whether a cost is at most the weight times the lower bound, compared without rounding.
    fn is_within_weight(&self, cost: Cost) -> bool {
        let bound = self.lower_bound * u128::from(self.order.weight.steps());
        exactly(cost) << Weight::FRACTION_BITS <= bound
    }
}

/// A cost in the steps that exact priorities are counted in.
fn exactly(cost: Cost) -> u128 {
    u128::from(cost.ticks()) << Weight::FRACTION_BITS
}

impl<P: Problem, A: Heuristic<P>> Search<P> for ImprovedMhaStar<P, A> {
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
            order,
            goal,
            ..
        } = &self.frontier;
        let factor = order.weight.times(anchor.inflation());
        Guarantee::anchored(factor, goal.map(|(_, cost)| cost), &self.standing)
    }

    fn restart(&mut self) {
        self.nodes.clear();
        let frontier = &mut self.frontier;
        frontier.open.clear();
        frontier.waiting.clear();
        frontier.advisers.clear();
        (frontier.lower_bound, frontier.longest, frontier.goal) = (0, 0, None);
        frontier.statistics.clear();
        self.standing = Standing::default();
    }
}
