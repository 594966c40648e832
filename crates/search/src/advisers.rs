//! Advisers: heuristics that may say anything, each with an open list of its own over the same
//! states, and what they have yet to hear of.
//!
//! Telling every adviser of every state the moment it is met would cost one estimate and one
//! insertion for each adviser and each state. Instead, what is new goes to one list, the *news*, and
//! an adviser reads it when its turn comes: states that were expanded or improved in the meantime
//! need no estimate any more. What it then takes out is exactly what it would have taken out.

use crate::nodes::{Marks, NodeId, Nodes};
use crate::open_list::{Brief, Entry, Far, OpenList};
use crate::priority::Priority;
use crate::{BoxedHeuristic, Budget, Cost, Heuristic, Problem};

/// The advisers of one search.
pub(crate) struct Advisers<P: Problem> {
    heuristics: Vec<BoxedHeuristic<P>>,
    queues: Vec<Queue>,
    news: Vec<News>,
    /// What an adviser has just heard of, and its estimates.
    heard: Vec<(News, Cost)>,
    /// How often an adviser was asked for an estimate.
    pub(crate) evaluated: u64,
}

/// What one adviser knows.
struct Queue {
    open: OpenList<Brief>,
    /// How much of the news it has read.
    read: usize,
    /// The smallest estimate of the states it has expanded.
    nearest: Cost,
}

/// A state that is worth an adviser's while.
#[derive(Clone, Copy)]
struct News {
    node: NodeId,
    version: u32,
    cost: Cost,
    limit: Limit,
}

/// The highest priority an adviser may have a state at.
#[derive(Clone, Copy)]
pub(crate) struct Limit(Priority);

impl Limit {
    /// Any priority will do.
    pub(crate) const NONE: Limit = Limit(Priority::HIGHEST);

    /// All weighted priorities up to `exact`, in steps of 1/65536.
    #[inline]
    pub(crate) fn up_to(exact: u128) -> Limit {
        Limit(Priority::last_of(exact))
    }

    #[inline]
    pub(crate) fn admits(self, priority: Priority) -> bool {
        priority <= self.0
    }

    /// Whether all priorities with that integer part are admitted. Infinite ones are only where any
    /// will do.
    #[inline]
    fn surely_admits(self, whole: Cost) -> bool {
        whole < self.0.whole()
    }
}

/// What advisers make of a state.
pub(crate) trait Rank {
    /// Its priority, given the cost so far and the adviser's estimate.
    fn priority(&self, cost: Cost, estimate: Cost) -> Priority;

    /// The limit for a state, given the cost so far and the anchor's estimate.
    fn limit(&self, cost: Cost, anchor: Cost) -> Limit;

    /// Whether an adviser with that estimate may have a state at that priority.
    fn admits(&self, priority: Priority, estimate: Cost, limit: Limit) -> bool;

    /// The same, where the integer part of the priority does not settle it.
    #[inline(never)]
    fn admits_closely(&self, cost: Cost, estimate: Cost, limit: Limit) -> bool {
        self.admits(self.priority(cost, estimate), estimate, limit)
    }
}

impl<P: Problem> Advisers<P> {
    pub(crate) fn new(heuristics: Vec<BoxedHeuristic<P>>) -> Self {
        let queue = || Queue {
            open: OpenList::new(),
            read: 0,
            nearest: Cost::INFINITE,
        };
        let queues = heuristics.iter().map(|_| queue()).collect();
        Advisers {
            heuristics,
            queues,
            news: Vec::new(),
            heard: Vec::new(),
            evaluated: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.heuristics.len()
    }

    /// Prepares all of them. False: the budget is spent.
    pub(crate) fn prepare(&mut self, problem: &P, budget: &mut Budget<'_>) -> bool {
        self.heuristics
            .iter_mut()
            .all(|heuristic| heuristic.prepare(problem, budget))
    }

    /// Forgets all states, keeps the memory.
    pub(crate) fn clear(&mut self) {
        for queue in &mut self.queues {
            queue.open.clear();
            (queue.read, queue.nearest) = (0, Cost::INFINITE);
        }
        self.news.clear();
        self.evaluated = 0;
    }

    /// Lets all advisers know of a state, sooner or later.
    #[inline]
    pub(crate) fn tell(&mut self, node: NodeId, version: u32, cost: Cost, limit: Limit) {
        if !self.queues.is_empty() {
            self.news.push(News {
                node,
                version,
                cost,
                limit,
            });
        }
    }

    /// The state this adviser would expand next. `anchor` estimates as the search's anchor does;
    /// it is asked again when a state nears the front.
    pub(crate) fn first(
        &mut self,
        adviser: usize,
        problem: &P,
        nodes: &Nodes<P>,
        rank: &impl Rank,
        mut anchor: impl FnMut(&P::State) -> Cost,
    ) -> Option<Entry> {
        self.catch_up(adviser, problem, nodes, rank);
        let (queue, heuristic) = (&mut self.queues[adviser], &mut self.heuristics[adviser]);
        let mut evaluated = 0;
        let first = queue.open.peek(
            |entry| nodes.version(entry.node) == entry.version,
            |brief| {
                if nodes.is_marked(brief.node, GONE) {
                    return None;
                }
                let state = nodes.state(brief.node);
                evaluated += 1;
                let estimate = heuristic.estimate(problem, state);
                let cost = nodes.cost(brief.node);
                let priority = rank.priority(cost, estimate);
                let entry = Entry {
                    priority,
                    node: brief.node,
                    version: nodes.version(brief.node),
                };
                // Elsewhere now: a cheaper way was found, and the news had it.
                if Brief::of(&entry) != brief {
                    return None;
                }
                let limit = rank.limit(cost, anchor(state));
                rank.admits(priority, estimate, limit).then_some(entry)
            },
        );
        self.evaluated += evaluated;
        first
    }

    /// The adviser expands what it was last asked for, which it thinks `estimate` away from the
    /// goal. Says whether that is progress: nearer than anything it has expanded before.
    pub(crate) fn take(&mut self, adviser: usize, estimate: Cost) -> bool {
        let queue = &mut self.queues[adviser];
        queue.open.pop();
        let progress = estimate < queue.nearest;
        queue.nearest = queue.nearest.min(estimate);
        progress
    }

    /// Reads the news.
    fn catch_up(&mut self, adviser: usize, problem: &P, nodes: &Nodes<P>, rank: &impl Rank) {
        let (queue, heuristic) = (&mut self.queues[adviser], &mut *self.heuristics[adviser]);
        // One round asks, the next one works out what follows and puts it away: so neither has more
        // at hand than it needs.
        self.heard.clear();
        for news in &self.news[queue.read..] {
            if nodes.version(news.node) == news.version {
                let estimate = heuristic.estimate(problem, nodes.state(news.node));
                self.heard.push((*news, estimate));
            }
        }
        self.evaluated += self.heard.len() as u64;
        for (news, estimate) in &self.heard {
            let News {
                node,
                version,
                cost,
                limit,
            } = *news;
            // The integer part is nearly always enough: to see that the adviser may have it, and
            // that it lies far away.
            let whole = rank.priority(cost, *estimate).whole();
            if !limit.surely_admits(whole) && !rank.admits_closely(cost, *estimate, limit) {
                continue;
            }
            queue.open.push_lazily(Brief::new(whole, node), || Entry {
                priority: rank.priority(cost, *estimate),
                node,
                version,
            });
        }
        queue.read = self.news.len();
        // Sixteen lists of states that are long gone would be most of a search's memory. Looking
        // through them when two in three are gone costs each push a few entries looked at.
        if queue.open.len() > 3 * nodes.open() + 256 {
            queue
                .open
                .retain(|brief| !nodes.is_marked(brief.node, GONE));
        }
    }

    /// Drops the news that everybody has read. When some adviser has not been asked for long, it is
    /// made to read now, so that the list stays short.
    pub(crate) fn tidy(&mut self, problem: &P, nodes: &Nodes<P>, rank: &impl Rank) {
        if self.news.len() < 1 << 12 {
            return;
        }
        if self.news.len() >= 1 << 16 {
            for adviser in 0..self.queues.len() {
                self.catch_up(adviser, problem, nodes, rank);
            }
        }
        let read = self
            .queues
            .iter()
            .map(|queue| queue.read)
            .min()
            .unwrap_or(self.news.len());
        if read * 2 >= self.news.len() {
            self.news.drain(..read);
            self.queues.iter_mut().for_each(|queue| queue.read -= read);
        }
    }

    /// How many entries the open lists hold.
    pub(crate) fn open(&self) -> u64 {
        self.queues
            .iter()
            .map(|queue| queue.open.len() as u64)
            .sum()
    }

    /// Bytes of the news that somebody has yet to read.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(self.news.as_slice()) as u64
    }

    /// Bytes of an entry in an open list, far from the front as nearly all are.
    pub(crate) const ENTRY_BYTES: u64 = size_of::<Brief>() as u64;
}

/// A state that no adviser may expand any more.
const GONE: Marks = Marks::EXPANDED.and(Marks::CLOSED).and(Marks::ADVISED);
