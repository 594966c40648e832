//! Advisers: heuristics that may say anything, each with an open list of its own over the same
//! states, and what they have yet to hear of.
//!
//! Telling every adviser of every state the moment it is met would cost one estimate and one
//! insertion for each adviser and each state. Instead, what is new goes to one list, the *news*, and
//! an adviser reads it when its turn comes: states that were expanded or improved in the meantime
//! need no estimate any more. What it then takes out is exactly what it would have taken out.

use crate::advised_list::{AdvisedList, Offer, Position};
use crate::chores::{A_UNIT, Chores, Unfinished};
use crate::front::Entry;
use crate::news::News;
use crate::nodes::{NodeId, Nodes};
use crate::priority::Priority;
use crate::{BoxedHeuristic, Budget, Cost, Heuristic, Problem};

/// The advisers of one search.
pub(crate) struct Advisers<P: Problem> {
    heuristics: Vec<BoxedHeuristic<P>>,
    queues: Vec<Queue>,
    news: News<Notice>,
    /// The number of the first news that came of the last expansion.
    before: usize,
    /// The states they may expand.
    offer: Offer,
    /// How often an adviser was asked for an estimate.
    pub(crate) evaluated: u64,
}

/// What one adviser knows.
struct Queue {
    /// Whether its heuristic is ready. It gets ready when its first turn comes: many never have one.
    is_ready: bool,
    open: AdvisedList,
    /// The number of the first news that it has not read.
    read: usize,
    /// The smallest estimate of the states it has expanded.
    nearest: Cost,
}

/// A state that is worth an adviser's while.
#[derive(Clone, Copy)]
struct Notice {
    node: NodeId,
    version: u32,
    cost: Cost,
    limit: Limit,
    /// What [`Limit::surely_below`] says, which every adviser asks.
    surely_below: u64,
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

    /// All priorities with an integer part below this one are admitted, and none is enormous.
    #[inline]
    fn surely_below(self) -> u64 {
        self.0.whole.min(Position::ENORMOUS)
    }
}

/// What advisers make of a state.
pub(crate) trait Rank {
    /// Its priority, given the cost so far and the adviser's estimate.
    fn priority(&self, cost: Cost, estimate: Cost) -> Priority;

    /// The integer part of its priority, unless that is enormous.
    fn whole(&self, cost: Cost, estimate: Cost) -> u128;

    /// The estimate a priority was made from.
    fn estimate(&self, priority: Priority) -> Cost;

    /// Whether an adviser with that estimate may have a state at that priority.
    fn admits(&self, priority: Priority, estimate: Cost, limit: Limit) -> bool;

    /// Where an adviser has a state, if it may, where the integer part of the priority does not
    /// settle it.
    #[inline(never)]
    fn position_closely(&self, cost: Cost, estimate: Cost, limit: Limit) -> Position {
        let priority = self.priority(cost, estimate);
        if self.admits(priority, estimate, limit) {
            Position::of(priority.whole)
        } else {
            Position::NONE
        }
    }
}

impl<P: Problem> Advisers<P> {
    pub(crate) fn new(heuristics: Vec<BoxedHeuristic<P>>) -> Self {
        let queue = || Queue {
            is_ready: false,
            open: AdvisedList::new(),
            read: 0,
            nearest: Cost::INFINITE,
        };
        let queues = heuristics.iter().map(|_| queue()).collect();
        Advisers {
            heuristics,
            queues,
            news: News::new(),
            before: 0,
            offer: Offer::new(),
            evaluated: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.heuristics.len()
    }

    /// Forgets all states, keeps the memory.
    pub(crate) fn clear(&mut self) {
        for queue in &mut self.queues {
            queue.is_ready = false;
            queue.open.clear();
            (queue.read, queue.nearest) = (0, Cost::INFINITE);
        }
        self.news.clear();
        self.before = 0;
        self.offer.clear();
        self.evaluated = 0;
    }

    /// Lets all advisers know of a state, sooner or later.
    #[inline]
    pub(crate) fn tell(&mut self, node: NodeId, version: u32, cost: Cost, limit: Limit) {
        if !self.queues.is_empty() {
            self.offer.insert(node);
            self.news.push(Notice {
                node,
                version,
                cost,
                limit,
                surely_below: limit.surely_below(),
            });
        }
    }

    /// No adviser may have this state, unless they are told of it again: it is expanded, or was
    /// replaced by one of the same key that is none of their business.
    #[inline]
    pub(crate) fn withdraw(&mut self, node: NodeId) {
        self.offer.remove(node);
    }

    /// The state this adviser would expand next.
    pub(crate) fn first(
        &mut self,
        adviser: usize,
        problem: &P,
        nodes: &Nodes<P>,
        rank: &impl Rank,
        budget: &mut Budget<'_>,
        chores: &mut Chores,
    ) -> Result<Option<Entry>, Unfinished> {
        if !self.queues[adviser].is_ready {
            if !self.heuristics[adviser].prepare(problem, budget) {
                return Err(Unfinished::Spent);
            }
            budget.change_pace();
            self.queues[adviser].is_ready = true;
        }
        let end = self.news.end();
        let goes_on = |read: usize| {
            // Those who are behind by no more than they may be owe nothing.
            chores.note(read * A_UNIT / (4 * BEHIND));
            chores.go_on().is_ok() && budget.has_time()
        };
        if !self.read(adviser, end, problem, nodes, rank, goes_on) {
            return Err(Unfinished::More);
        }
        let (queue, heuristic) = (&mut self.queues[adviser], &mut self.heuristics[adviser]);
        let mut evaluated = 0;
        let first = queue.open.peek(
            &self.offer,
            |node| nodes.version(node),
            |node| {
                evaluated += 1;
                let estimate = heuristic.estimate(problem, nodes.state(node));
                Entry {
                    priority: rank.priority(nodes.cost(node), estimate),
                    node,
                    version: nodes.version(node),
                }
            },
            || budget.has_time(),
            chores,
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

    /// Reads the news up to the one with the number `end`, while it may go on after so many more. Says
    /// whether it came so far; otherwise it goes on from there when it is asked again.
    fn read(
        &mut self,
        adviser: usize,
        end: usize,
        problem: &P,
        nodes: &Nodes<P>,
        rank: &impl Rank,
        mut goes_on: impl FnMut(usize) -> bool,
    ) -> bool {
        let (queue, heuristic) = (&mut self.queues[adviser], &mut *self.heuristics[adviser]);
        let Some(first) = self
            .news
            .from(queue.read)
            .first()
            .filter(|_| queue.read < end)
        else {
            return true;
        };
        while !queue.open.cover(nodes.len()) {
            if !goes_on(4 * BEHIND) {
                return false;
            }
        }
        // One round picks, the next asks, the last works out what follows and puts it away: so none
        // has more at hand than it needs.
        let mut states = [nodes.state(first.node); BATCH];
        let mut estimates = [Cost::ZERO; BATCH];
        while queue.read < end {
            let batch = self.news.from(queue.read);
            let batch = &batch[..batch.len().min(BATCH).min(end - queue.read)];
            queue.read += batch.len();
            let mut all_current = true;
            for (news, state) in batch.iter().zip(&mut states) {
                *state = nodes.state(news.node);
                all_current &= nodes.version(news.node) == news.version;
            }
            if all_current {
                let estimates = &mut estimates[..batch.len()];
                heuristic.estimate_all(problem, &states[..batch.len()], estimates);
                self.evaluated += batch.len() as u64;
                queue.note(batch, estimates, rank);
            } else {
                let mut picked = [*first; BATCH];
                let mut current = 0;
                for news in batch {
                    (picked[current], states[current]) = (*news, nodes.state(news.node));
                    current += usize::from(nodes.version(news.node) == news.version);
                }
                let estimates = &mut estimates[..current];
                heuristic.estimate_all(problem, &states[..current], estimates);
                self.evaluated += current as u64;
                queue.note(&picked[..current], estimates, rank);
            }
            if queue.open.is_crowded() {
                queue.open.clear_way(|node| nodes.version(node));
            }
            if queue.read < end && !goes_on(batch.len()) {
                return false;
            }
        }
        true
    }

    /// A state is expanded now, and what comes of it will be news.
    #[inline]
    pub(crate) fn begin_expansion(&mut self) {
        self.before = self.news.end();
    }

    /// After an expansion: drops the news that everybody has read. An adviser that has not been asked
    /// for long is made to read some of it, so that few turns have much to catch up with.
    pub(crate) fn tidy(&mut self, problem: &P, nodes: &Nodes<P>, rank: &impl Rank) {
        if self.news.len() <= BEHIND {
            return;
        }
        let now = self.news.end();
        // Twice as much as has come of the expansion: so nobody falls further behind for it.
        let some = BATCH.max(2 * (now - self.before));
        for adviser in 0..self.queues.len() {
            let Queue { is_ready, read, .. } = self.queues[adviser];
            if is_ready && now - read > BEHIND {
                let (end, mut left) = (now.min(read + some), some);
                let goes_on = |read: usize| {
                    left = left.saturating_sub(read);
                    left > 0
                };
                self.read(adviser, end, problem, nodes, rank, goes_on);
            }
        }
        if self.news.len() >= 4 * BEHIND {
            let read = self.queues.iter().map(|queue| queue.read).min();
            self.news.drop_before(read.unwrap_or(now));
        }
    }

    /// How many entries the open lists hold, or will when everybody has read the news.
    #[inline]
    pub(crate) fn open(&self) -> u64 {
        (self.queues.len() * self.offer.len()) as u64
    }

    /// Bytes of the open lists over so many nodes, of what is on offer, and of the news that somebody
    /// has yet to read.
    pub(crate) fn bytes(&self, nodes: usize) -> u64 {
        let open = self.queues.len() * AdvisedList::bytes_for(nodes);
        (open + self.offer.bytes() + self.news.len() * size_of::<Notice>()) as u64
    }
}

impl Queue {
    /// Puts states away where they belong by these estimates.
    #[inline(never)]
    fn note(&mut self, news: &[Notice], estimates: &[Cost], rank: &impl Rank) {
        let mut places = self.open.places();
        for (news, estimate) in news.iter().zip(estimates) {
            // The integer part is nearly always enough: to see that the adviser may have it, and
            // that it lies far away.
            let whole = rank.whole(news.cost, *estimate);
            let position = if whole < u128::from(news.surely_below) {
                Position::of_moderate(whole as u64)
            } else {
                rank.position_closely(news.cost, *estimate, news.limit)
            };
            places.push(news.node, news.version, position, || {
                worked_out(rank, *news, *estimate)
            });
        }
    }
}

#[inline(never)]
fn worked_out(rank: &impl Rank, news: Notice, estimate: Cost) -> Entry {
    Entry {
        priority: rank.priority(news.cost, estimate),
        node: news.node,
        version: news.version,
    }
}

/// So many states an adviser is asked about at once.
const BATCH: usize = 32;
/// An adviser that has more than this many news to read is made to read some. Those who wait that long
/// are spared most estimates: of what is met, most is expanded or improved before.
const BEHIND: usize = 1 << 10;
