//! A*, weighted A*, greedy best-first and Dijkstra's algorithm: one loop, ordered differently.

use crate::broken_promise::Watch;
use crate::chores::Chores;
use crate::front::Entry;
use crate::nodes::{Listing, Marks, Met, NodeId, Nodes};
use crate::open_list::{Compact, OpenList};
use crate::priority::Priority;
use crate::search::{Enter, Standing, run_by_search};
use crate::{
    Because, Blind, Budget, Cost, Guarantee, Heuristic, NoBound, Observer, Path, Problem, Promise,
    Search, Statistics, Status, Weight,
};

/// Expands the most promising state first.
///
/// | constructor | order | bound |
/// |---|---|---|
/// | [`astar`](BestFirst::astar) | `g + h` | the optimum, if `h` is consistent |
/// | [`weighted_astar`](BestFirst::weighted_astar) | `g + w·h` | `w` times the optimum, likewise |
/// | [`dijkstra`](BestFirst::dijkstra) | `g` | the optimum |
/// | [`greedy`](BestFirst::greedy) | `h` | none |
///
/// ```
/// use apprentice_search::{BestFirst, Blind, Budget, Cost, Search, Status};
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
/// let mut search = BestFirst::astar(Blind);
/// assert_eq!(search.run(&Line, &mut Budget::units(3)), Status::Paused);
/// assert_eq!(search.run(&Line, &mut Budget::unlimited()), Status::Finished);
/// assert_eq!(search.path().unwrap().cost, Cost::from_seconds(5.0));
/// ```
pub struct BestFirst<P: Problem, H> {
    heuristic: H,
    order: Order,
    reopening: Reopening,
    nodes: Nodes<P>,
    listing: Listing<P>,
    open: OpenList<Compact>,
    chores: Chores,
    goal: Option<NodeId>,
    watch: Watch,
    standing: Standing,
    statistics: Statistics,
}

/// Whether a state is expanded again when a cheaper way to it is found.
///
/// ```
/// use apprentice_search::{BestFirst, Budget, Cost, Estimate, Promise, Reopening, Search};
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
/// // It knows how far it is from the start, and nothing about any other cell.
/// let hunch = || {
///     Estimate::new(Promise::Admissible, |cell: &u32| {
///         Cost::from_seconds(if *cell == 0 { 5.0 } else { 0.0 })
///     })
/// };
/// let mut search = BestFirst::astar(hunch());
/// search.run(&Line, &mut Budget::unlimited());
/// assert_eq!(search.guarantee().factor(), None);
///
/// let mut search = BestFirst::astar(hunch()).with_reopening(Reopening::Always);
/// search.run(&Line, &mut Budget::unlimited());
/// assert_eq!(search.guarantee().factor(), Some(1.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reopening {
    /// Never. A consistent heuristic needs no more for its bound.
    #[default]
    Never,
    /// Always. An admissible heuristic that is not consistent needs it for its bound.
    Always,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Weighted(Weight),
    Greedy,
}

/// How states are ordered: in a way that is known when a search is compiled, or not before it runs.
trait Ranking: Copy {
    fn priority(self, cost: Cost, estimate: Cost) -> Priority;
    /// The whole priority of a state that costs `cost`, from its upper half.
    fn priority_again(self, cost: Cost, whole: u64) -> Priority;
}

/// `g + h`, which most searches go by.
#[derive(Clone, Copy)]
struct Plain;

impl Ranking for Plain {
    #[inline]
    fn priority(self, cost: Cost, estimate: Cost) -> Priority {
        Priority::weighted(cost, Weight::ONE, estimate)
    }
    #[inline]
    fn priority_again(self, cost: Cost, whole: u64) -> Priority {
        Priority::weighted_again(cost, Weight::ONE, whole)
    }
}

impl Ranking for Order {
    #[inline]
    fn priority(self, cost: Cost, estimate: Cost) -> Priority {
        match self {
            Order::Weighted(weight) => Priority::weighted(cost, weight, estimate),
            Order::Greedy => Priority::deepest(cost, estimate),
        }
    }

    #[inline]
    fn priority_again(self, cost: Cost, whole: u64) -> Priority {
        match self {
            Order::Weighted(weight) => Priority::weighted_again(cost, weight, whole),
            Order::Greedy => Priority::deepest(cost, Cost::from_ticks(whole)),
        }
    }
}

impl<P: Problem, H: Heuristic<P>> BestFirst<P, H> {
    /// A*: the cheapest way, if the heuristic is consistent.
    ///
    /// ```
    /// # use apprentice_search::{BestFirst, Blind, Budget, Search};
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
    /// let mut search = BestFirst::astar(Blind);
    /// search.run(&Line, &mut Budget::unlimited());
    /// assert_eq!(search.path().unwrap().cost, Cost::from_seconds(5.0));
    /// ```
    pub fn astar(heuristic: H) -> Self {
        BestFirst::ordered(heuristic, Order::Weighted(Weight::ONE))
    }

    /// Weighted A*: estimates count `weight` times, so that the search hurries to the goal and the
    /// way it finds costs at most `weight` times the optimum.
    ///
    /// ```
    /// # use apprentice_search::{BestFirst, Blind, Budget, Search, Weight};
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
    /// let mut search = BestFirst::weighted_astar(Blind, Weight::new(2.0)?);
    /// search.run(&Line, &mut Budget::unlimited());
    /// assert_eq!(search.guarantee().factor(), Some(2.0));
    /// # Ok::<(), apprentice_search::BadWeight>(())
    /// ```
    pub fn weighted_astar(heuristic: H, weight: Weight) -> Self {
        BestFirst::ordered(heuristic, Order::Weighted(weight))
    }

    /// Greedy best-first search: follows the estimate and forgets what the way has cost.
    ///
    /// ```
    /// # use apprentice_search::{BestFirst, Budget, Cost, Estimate, Promise, Search};
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
    /// let steps_left = Estimate::new(Promise::None, |cell: &u32| {
    ///     Cost::from_ticks(u64::from(cell.abs_diff(5)))
    /// });
    /// let mut search = BestFirst::greedy(steps_left);
    /// search.run(&Line, &mut Budget::unlimited());
    /// assert_eq!(search.path().unwrap().steps.len(), 5);
    /// assert_eq!(search.guarantee().factor(), None);
    /// ```
    pub fn greedy(heuristic: H) -> Self {
        BestFirst::ordered(heuristic, Order::Greedy)
    }

    /// Says whether states are expanded again when a cheaper way to them is found.
    ///
    /// ```
    /// # use apprentice_search::{BestFirst, Blind, Budget, Reopening, Search};
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
    /// let mut search = BestFirst::astar(Blind).with_reopening(Reopening::Always);
    /// search.run(&Line, &mut Budget::unlimited());
    /// // With a consistent heuristic there is never a reason to.
    /// assert_eq!(search.statistics().reexpanded, 0);
    /// ```
    #[must_use]
    pub fn with_reopening(mut self, reopening: Reopening) -> Self {
        self.reopening = reopening;
        self
    }

    fn ordered(heuristic: H, order: Order) -> Self {
        BestFirst {
            heuristic,
            order,
            reopening: Reopening::Never,
            nodes: Nodes::new(),
            listing: Listing::new(),
            open: OpenList::new(),
            chores: Chores::new(),
            goal: None,
            watch: Watch::default(),
            standing: Standing::default(),
            statistics: Statistics {
                expanded_by: vec![0],
                ..Statistics::default()
            },
        }
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
                self.begin(problem, observer);
            }
            Enter::Continue => {}
        }
        let status = match self.order {
            Order::Weighted(Weight::ONE) => {
                self.expand_until_done(Plain, problem, budget, observer)
            }
            order => self.expand_until_done(order, problem, budget, observer),
        };
        self.statistics.expanded_by[0] = self.statistics.expanded;
        self.statistics.states = self.nodes.states_met();
        self.statistics.bytes = self.bytes();
        status
    }

    fn begin<O: Observer<P> + ?Sized>(&mut self, problem: &P, observer: &mut O) {
        let start = self.nodes.insert_start(problem);
        observer.improved(self.nodes.state(start), Cost::ZERO);
        self.statistics.evaluated += 1;
        let estimate = self.heuristic.estimate(problem, self.nodes.state(start));
        (self.watch).met(problem, &self.heuristic, &self.nodes, start, estimate);
        let drops = self.heuristic.promise() >= Promise::Admissible;
        if estimate.is_finite() || !drops {
            let priority = self.order.priority(Cost::ZERO, estimate);
            self.open.push(Entry {
                priority,
                node: start,
                version: self.nodes.version(start),
            });
        }
        self.standing.begin();
    }

    fn expand_until_done<O: Observer<P> + ?Sized>(
        &mut self,
        order: impl Ranking,
        problem: &P,
        budget: &mut Budget<'_>,
        observer: &mut O,
    ) -> Status {
        let drops_infinite = self.heuristic.promise() >= Promise::Admissible;
        let (closed, frozen) = match self.reopening {
            Reopening::Never => (Marks::CLOSED, Marks::CLOSED),
            Reopening::Always => (Marks::CLOSED, Marks::NOTHING),
        };
        loop {
            let nodes = &self.nodes;
            let next = self.open.peek(
                |entry| nodes.version(entry.node) == entry.version,
                |Compact {
                     whole,
                     node,
                     version,
                 }| {
                    let met = nodes.met(node);
                    (met.version == version).then(|| Entry {
                        priority: order.priority_again(met.cost, whole),
                        node,
                        version,
                    })
                },
                &mut self.chores,
            );
            let Ok(next) = next else {
                if !self.chores.pay(budget, &mut self.statistics.upkeep) {
                    return Status::Paused;
                }
                continue;
            };
            let Some(Entry { node, .. }) = next else {
                let (listing, upkeep) = (&mut self.listing, &mut self.statistics.upkeep);
                let answer = (self.nodes).without_solution(problem, listing, budget, upkeep);
                return self.standing.end_with(answer);
            };
            if problem.is_goal(self.nodes.state(node)) {
                self.goal = Some(node);
                self.watch.solved(&self.heuristic, &self.nodes, node);
                observer.solved(self.nodes.cost(node));
                return self.standing.end(Status::Finished);
            }
            let (listing, upkeep) = (&mut self.listing, &mut self.statistics.upkeep);
            if !listing.get_ready(problem, (0, node), &self.nodes, budget, upkeep) {
                return Status::Paused;
            }
            if !budget.take_holding(self.nodes.has_numbers(), || self.bytes()) {
                return Status::Paused;
            }
            self.chores.renew();
            self.open.pop();
            observer.expanded(self.nodes.expansion(node, 0));
            self.statistics.expanded += 1;
            // Otherwise nothing is ever expanded again.
            if frozen == Marks::NOTHING {
                let again = self.nodes.is_marked(node, Marks::CLOSED);
                self.statistics.reexpanded += u64::from(again);
            }
            let (heuristic, open) = (&mut self.heuristic, &mut self.open);
            let watch = &mut self.watch;
            let mut evaluated = 0;
            let generated = self.nodes.expand(
                problem,
                node,
                closed,
                frozen,
                &mut self.listing,
                |nodes, child| {
                    let Met {
                        state,
                        cost,
                        version,
                    } = nodes.met(child);
                    observer.improved(state, cost);
                    evaluated += 1;
                    let estimate = heuristic.estimate(problem, state);
                    watch.met(problem, heuristic, nodes, child, estimate);
                    if estimate.is_finite() || !drops_infinite {
                        let far = Compact {
                            whole: order.priority(cost, estimate).whole().ticks(),
                            node: child,
                            version,
                        };
                        open.push_lazily(far, || Entry {
                            priority: order.priority(cost, estimate),
                            node: child,
                            version,
                        });
                    }
                },
            );
            self.statistics.generated += generated;
            self.statistics.evaluated += evaluated;
            self.statistics.peak_open = self.statistics.peak_open.max(self.open.len() as u64);
            if self.open.len() > 4 * self.nodes.len() {
                let nodes = &self.nodes;
                self.open
                    .sweep(|entry| nodes.version(entry.node) == entry.version);
            }
        }
    }

    /// What the states met need, with the open list at its longest.
    fn bytes(&self) -> u64 {
        self.nodes.bytes() + self.statistics.peak_open * size_of::<Compact>() as u64
    }
}

impl<P: Problem> BestFirst<P, Blind> {
    /// Dijkstra's algorithm: A* without an estimate.
    ///
    /// ```
    /// # use apprentice_search::{BestFirst, Budget, Search};
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
    /// let mut search = BestFirst::dijkstra();
    /// search.run(&Line, &mut Budget::unlimited());
    /// assert_eq!(search.path().unwrap().cost, Cost::from_seconds(5.0));
    /// ```
    pub fn dijkstra() -> Self {
        BestFirst::astar(Blind)
    }
}

impl<P: Problem, H: Heuristic<P>> Search<P> for BestFirst<P, H> {
    run_by_search!();

    fn path(&self) -> Option<Path<P::State, P::Action>> {
        self.goal.map(|goal| self.nodes.path_to(goal))
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn guarantee(&self) -> Guarantee {
        let Some(goal) = self.goal else {
            return Guarantee::without_solution(self.standing.is_unsolvable());
        };
        if self.nodes.cost(goal) == Cost::ZERO {
            return Guarantee::Within {
                factor: Weight::ONE,
                because: Because::Free,
            };
        }
        let Order::Weighted(weight) = self.order else {
            return Guarantee::None {
                because: NoBound::Greedy,
            };
        };
        let factor = weight.times(self.heuristic.inflation());
        match (self.heuristic.promise(), self.reopening) {
            (Promise::None, _) => Guarantee::None {
                because: NoBound::NoPromise,
            },
            (Promise::Consistent, _) => Guarantee::within(factor, Because::Consistent),
            (Promise::Admissible, Reopening::Always) => {
                Guarantee::within(factor, Because::AdmissibleAndReopened)
            }
            (Promise::Admissible, Reopening::Never) => Guarantee::None {
                because: NoBound::NotReopened,
            },
        }
    }

    fn restart(&mut self) {
        self.nodes.clear();
        self.listing.forget();
        self.open.clear();
        self.chores.renew();
        self.goal = None;
        self.standing = Standing::default();
        self.statistics.clear();
    }
}
