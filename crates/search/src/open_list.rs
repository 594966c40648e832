//! Which state comes next: a priority queue with a total order.
//!
//! A heap over all open states touches a dozen cache lines for every pop. Most open states of a
//! heuristic search are never expanded, so sorting them is wasted work. This queue sorts only what
//! is about to be popped: a small heap, the *front*, holds everything below a limit; what lies
//! beyond is thrown into buckets by magnitude, and a bucket is looked into when its turn comes.
//! Where far more is pushed than ever comes to the front, most of it lies in one pile beyond the
//! buckets. (The idea is that of the ladder queue: Tang, Goh and Thng, 2005.) The order in which entries
//! come out is exact: the same as that of one big heap.
//!
//! Nothing is ever removed from the middle. An entry carries the version its state had when it was
//! pushed; if the state has moved on, the entry is stale and dropped when it surfaces.

use crate::Problem;
use crate::front::{Entry, Front, SMALL};
use crate::nodes::{NodeId, Nodes};

/// What is kept of an entry while it is far from the front.
pub(crate) trait Far: Copy {
    fn of(entry: &Entry) -> Self;
    /// Where it lies; never decreases when the priority increases.
    fn position(self) -> u64;
}

impl Far for Entry {
    #[inline]
    fn of(entry: &Entry) -> Self {
        *entry
    }
    #[inline]
    fn position(self) -> u64 {
        self.priority.whole
    }
}

/// An entry without the lower half of its priority, which can be worked out again from the upper
/// half and the cost of the node, as long as the entry is not stale. For searches with one open
/// list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compact {
    /// The upper half of the priority.
    pub(crate) whole: u64,
    pub(crate) node: NodeId,
    pub(crate) version: u32,
}

impl Far for Compact {
    #[inline]
    fn of(entry: &Entry) -> Self {
        Compact {
            whole: entry.priority.whole,
            node: entry.node,
            version: entry.version,
        }
    }
    #[inline]
    fn position(self) -> u64 {
        self.whole
    }
}

/// Buckets in a rung.
const BUCKETS: usize = 256;
/// Where there are this many times as many entries as ever came to the front, most never will.
const SELDOM: usize = 32;
/// How many entries are looked at to tell where the lowest part of many ends.
const SAMPLE: usize = 32;
/// The lowest part is one in so many.
const PART: usize = 4;

/// The priority queue.
#[derive(Debug)]
pub(crate) struct OpenList<F> {
    /// What lies before `front_end`.
    front: Front,
    front_end: u64,
    /// The coarsest rung first; each covers one bucket of the one before it. The first `depth` are
    /// in use, the others keep their memory.
    rungs: Vec<Rung<F>>,
    depth: usize,
    /// The first position beyond the coarsest rung, or nothing while there is none.
    top_start: u64,
    /// Everything beyond the coarsest rung.
    top: Vec<F>,
    len: usize,
    /// How many entries were taken from buckets to the front.
    taken: usize,
    /// How many there were beyond the coarsest rung when it was last looked there.
    topmost: usize,
}

/// A stretch of positions cut into equal buckets.
#[derive(Debug)]
struct Rung<F> {
    start: u64,
    /// The first position beyond.
    end: u64,
    /// A bucket is 2^shift positions wide.
    shift: u32,
    /// The first bucket that was not emptied yet.
    next: usize,
    buckets: Box<[Vec<F>; BUCKETS]>,
}

impl<F: Far> Rung<F> {
    fn new() -> Self {
        let buckets = Box::new([const { Vec::new() }; BUCKETS]);
        Rung {
            start: 0,
            end: 0,
            shift: 0,
            next: 0,
            buckets,
        }
    }

    /// Covers `lowest..end`, with buckets fit to spread what lies in `lowest..=highest`. The last
    /// bucket takes all the rest.
    fn cover(&mut self, lowest: u64, highest: u64, end: u64) {
        let bits = u64::BITS - (highest - lowest).leading_zeros();
        self.shift = bits.saturating_sub(BUCKETS.trailing_zeros());
        (self.start, self.end) = (lowest, end);
        self.next = 0;
    }

    #[inline]
    fn push(&mut self, far: F, position: u64) {
        let bucket = ((position - self.start) >> self.shift).min(BUCKETS as u64 - 1) as usize;
        self.buckets[bucket].push(far);
    }

    fn push_all(&mut self, contents: &[F]) {
        for far in contents {
            self.push(*far, far.position());
        }
    }

    /// The next bucket that holds something. Nothing is pushed into those before it any more.
    fn take_next(&mut self) -> Option<usize> {
        let next = (self.next..BUCKETS).find(|bucket| !self.buckets[*bucket].is_empty())?;
        self.next = next + 1;
        Some(next)
    }

    /// The first position beyond a bucket.
    fn end_of(&self, bucket: usize) -> u64 {
        if bucket == BUCKETS - 1 {
            return self.end;
        }
        self.start
            .saturating_add((bucket as u64 + 1) << self.shift)
            .min(self.end)
    }
}

/// Where about the lowest quarter of many entries begins and ends, unless they are few, or crowded
/// so that a sample does not tell.
fn low_part<F: Far>(entries: &[F]) -> Option<(u64, u64)> {
    if entries.len() <= SMALL {
        return None;
    }
    let step = entries.len() / SAMPLE;
    let mut sample: [u64; SAMPLE] = std::array::from_fn(|at| entries[at * step].position());
    sample.sort_unstable();
    let end = sample[SAMPLE / PART].saturating_add(1);
    let (mut lowest, mut count) = (u64::MAX, 0);
    for entry in entries {
        lowest = lowest.min(entry.position());
        count += usize::from(entry.position() < end);
    }
    let is_fair = end - lowest > 1 && count >= entries.len() / (4 * PART);
    is_fair.then_some((lowest, end))
}

impl<F: Far> OpenList<F> {
    pub(crate) const fn new() -> Self {
        OpenList {
            front: Front::new(),
            front_end: 0,
            rungs: Vec::new(),
            depth: 0,
            top_start: 0,
            top: Vec::new(),
            len: 0,
            taken: 0,
            topmost: 0,
        }
    }

    /// How many entries there are, stale ones included.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn push(&mut self, entry: Entry) {
        self.push_lazily(F::of(&entry), || entry);
    }

    /// Pushes an entry of which nothing but `far` is worked out unless it lies near the front.
    #[inline(always)]
    pub(crate) fn push_lazily(&mut self, far: F, entry: impl FnOnce() -> Entry) {
        self.len += 1;
        let position = far.position();
        if position < self.front_end {
            self.front.push(entry());
        } else {
            self.push_far(far, position);
        }
    }

    #[inline(always)]
    fn push_far(&mut self, far: F, position: u64) {
        // Most of what lies far away lies beyond all rungs.
        if position >= self.top_start {
            self.top.push(far);
            return;
        }
        for rung in self.rungs[..self.depth].iter_mut().rev() {
            if position < rung.end {
                rung.push(far, position);
                return;
            }
        }
        self.top.push(far);
    }

    /// The first entry that is not stale. `resolve` turns what was kept of an entry into the entry
    /// itself, or `None` if it is stale; `is_current` says whether an entry is not stale.
    #[inline]
    pub(crate) fn peek(
        &mut self,
        is_current: impl Fn(&Entry) -> bool,
        mut resolve: impl FnMut(F) -> Option<Entry>,
    ) -> Option<Entry> {
        loop {
            if let Some(first) = self.front.first() {
                if is_current(first) {
                    return Some(*first);
                }
                self.pop();
            } else if self.len == 0 {
                return None;
            }
            if self.front.is_empty() || self.front.is_overgrown() {
                self.refill(&mut resolve);
            }
        }
    }

    /// Removes the entry that `peek` has just returned.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.len -= usize::from(self.front.pop().is_some());
    }

    /// Spreads an overgrown front, or fills an empty one from the next bucket that holds something.
    #[inline(never)]
    fn refill(&mut self, resolve: &mut impl FnMut(F) -> Option<Entry>) {
        if !self.front.is_empty() {
            self.spread_front();
        }
        while self.front.is_empty() && self.len > 0 {
            let Some(level) = self.depth.checked_sub(1) else {
                self.open_top(resolve);
                continue;
            };
            let rung = &mut self.rungs[level];
            let Some(bucket) = rung.take_next() else {
                self.front_end = rung.end;
                self.depth -= 1;
                if self.depth == 0 {
                    self.top_start = 0;
                }
                continue;
            };
            let end = rung.end_of(bucket);
            let mut contents = std::mem::take(&mut rung.buckets[bucket]);
            self.open(&mut contents, Some(end), resolve);
            // The emptied bucket keeps its memory for the next time.
            self.rungs[level].buckets[bucket] = contents;
        }
    }

    /// Opens what lies beyond all rungs: all of it, or, where most is never asked for, the lowest
    /// part, so that the rest lies in one pile and is added to without further thought.
    fn open_top(&mut self, resolve: &mut impl FnMut(F) -> Option<Entry>) {
        let mut contents = std::mem::take(&mut self.top);
        let before = std::mem::replace(&mut self.topmost, contents.len());
        // Looking through the pile must be rare beside adding to it.
        let is_seldom = contents.len() > SELDOM * self.taken && contents.len() > 2 * before;
        if is_seldom && let Some((lowest, end)) = low_part(&contents) {
            self.front_end = lowest;
            let rung = self.new_rung(lowest, end - 1, end);
            contents.retain(|far| {
                let stays = far.position() >= end;
                if !stays {
                    rung.push(*far, far.position());
                }
                stays
            });
        } else {
            self.open(&mut contents, None, resolve);
        }
        self.top = contents;
    }

    /// Sorts `contents` to the front, if they are few or all at one position, or spreads them over
    /// a new finest rung. Nothing else lies before `end`, or anywhere if there is no end.
    fn open(
        &mut self,
        contents: &mut Vec<F>,
        end: Option<u64>,
        resolve: &mut impl FnMut(F) -> Option<Entry>,
    ) {
        let (mut lowest, mut highest) = (u64::MAX, 0);
        if contents.len() > SMALL || end.is_none() {
            for far in contents.iter() {
                lowest = lowest.min(far.position());
                highest = highest.max(far.position());
            }
        }
        let end = end.unwrap_or(highest.saturating_add(1));
        if contents.len() <= SMALL || lowest == highest {
            self.front_end = end;
            self.take_to_front(contents, resolve);
            return;
        }
        self.front_end = lowest;
        self.new_rung(lowest, highest, end).push_all(contents);
        contents.clear();
    }

    /// A new finest rung.
    fn new_rung(&mut self, lowest: u64, highest: u64, end: u64) -> &mut Rung<F> {
        if self.depth == self.rungs.len() {
            self.rungs.push(Rung::new());
        }
        self.depth += 1;
        if self.depth == 1 {
            self.top_start = end;
        }
        let rung = &mut self.rungs[self.depth - 1];
        rung.cover(lowest, highest, end);
        rung
    }

    fn take_to_front(
        &mut self,
        contents: &mut Vec<F>,
        resolve: &mut impl FnMut(F) -> Option<Entry>,
    ) {
        // What was pushed first mostly comes first, and the front has its first entry last.
        self.front
            .fill(contents.iter().rev().filter_map(|far| resolve(*far)));
        self.len -= contents.len() - self.front.len();
        self.taken += self.front.len();
        contents.clear();
    }

    /// Turns the front into a rung, unless all of it lies at one position.
    fn spread_front(&mut self) {
        let positions = || self.front.iter().map(|entry| F::of(entry).position());
        let (Some(lowest), Some(highest)) = (positions().min(), positions().max()) else {
            return;
        };
        if lowest == highest {
            self.front.tolerate_crowd();
            return;
        }
        let mut front = std::mem::replace(&mut self.front, Front::new());
        let rung = self.new_rung(lowest, highest, self.front_end);
        for entry in front.drain() {
            let far = F::of(&entry);
            rung.push(far, far.position());
        }
        self.front = front;
        self.front_end = lowest;
    }

    /// Takes out up to `most` entries, whichever.
    pub(crate) fn take_any(&mut self, most: usize, mut visit: impl FnMut(F)) {
        let mut left = most.min(self.len);
        self.len -= left;
        let rungs = self.rungs[..self.depth].iter_mut();
        // Nothing lies in buckets that were opened.
        let buckets = rungs.flat_map(|rung| &mut rung.buckets[rung.next..]);
        for contents in std::iter::once(&mut self.top).chain(buckets) {
            let rest = contents.len().saturating_sub(left);
            left -= contents.len() - rest;
            contents.drain(rest..).for_each(&mut visit);
            if left == 0 {
                break;
            }
        }
        for _ in 0..left {
            if let Some(entry) = self.front.pop() {
                visit(F::of(&entry));
            }
        }
        if self.len == 0 {
            self.clear();
        }
    }

    /// Drops what `keep` says is stale.
    pub(crate) fn retain(&mut self, keep: impl Fn(F) -> bool) {
        self.front.retain(|entry| keep(F::of(entry)));
        let mut len = self.front.len();
        for rung in &mut self.rungs[..self.depth] {
            for contents in rung.buckets.iter_mut() {
                contents.retain(|far| keep(*far));
                len += contents.len();
            }
        }
        self.top.retain(|far| keep(*far));
        self.len = len + self.top.len();
    }

    /// Forgets all entries, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.front.clear();
        self.front_end = 0;
        for rung in &mut self.rungs[..self.depth] {
            rung.buckets.iter_mut().for_each(Vec::clear);
        }
        (self.depth, self.top_start) = (0, 0);
        self.top.clear();
        self.len = 0;
        (self.taken, self.topmost) = (0, 0);
    }
}

impl OpenList<Entry> {
    /// The first entry that is not stale.
    #[inline]
    pub(crate) fn first<P: Problem>(&mut self, nodes: &Nodes<P>) -> Option<Entry> {
        let is_current = |entry: &Entry| nodes.version(entry.node) == entry.version;
        self.peek(is_current, |entry| is_current(&entry).then_some(entry))
    }

    /// Drops stale entries, if there are so many that most must be.
    #[inline]
    pub(crate) fn tidy<P: Problem>(&mut self, nodes: &Nodes<P>) {
        if self.len() > 4 * nodes.len() {
            self.retain(|entry| nodes.version(entry.node) == entry.version);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use proptest::prelude::*;

    use super::*;
    use crate::priority::{LAST, Priority};

    /// What is done to a queue.
    #[derive(Clone, Copy, Debug)]
    enum Deed {
        /// Pushes an entry for a node, which makes its earlier one stale.
        Push {
            node: u16,
            whole: u64,
            rest: u64,
        },
        Pop,
        /// Pops that many times, so that the queue moves on to later buckets.
        PopMany(u8),
        /// Forgets stale entries.
        Tidy,
        /// Takes out that many, whichever.
        TakeAny(usize),
        Clear,
    }

    /// Does the same to a queue and to a sorted set, and compares every entry that comes out.
    fn check<F: Far>(deeds: &[Deed], node_of: fn(F) -> (NodeId, u32)) {
        let mut queue = OpenList::<F>::new();
        let mut sorted = BTreeSet::new();
        let mut current: HashMap<u16, Entry> = HashMap::new();
        let mut versions: HashMap<u16, u32> = HashMap::new();
        let number = |node: NodeId| node.index() as u16;
        for deed in deeds {
            let pops = match *deed {
                Deed::Push { node, whole, rest } => {
                    let version = versions.entry(node).or_default();
                    *version += 1;
                    let entry = Entry {
                        priority: Priority {
                            whole: whole.min(LAST),
                            rest,
                        },
                        node: NodeId::from_index(usize::from(node)),
                        version: *version,
                    };
                    if let Some(stale) = current.insert(node, entry) {
                        sorted.remove(&stale);
                    }
                    sorted.insert(entry);
                    queue.push(entry);
                    0
                }
                Deed::Pop => 1,
                Deed::PopMany(pops) => usize::from(pops),
                Deed::Tidy => {
                    queue.retain(|far| {
                        let (node, version) = node_of(far);
                        let entry = current.get(&number(node));
                        entry.is_some_and(|entry| version == entry.version)
                    });
                    0
                }
                Deed::TakeAny(most) => {
                    let (before, mut taken) = (queue.len(), 0);
                    queue.take_any(most, |far| {
                        taken += 1;
                        let (node, version) = node_of(far);
                        let is_it = |entry: &&Entry| entry.version == version;
                        if current.get(&number(node)).filter(is_it).is_some() {
                            sorted.remove(&current.remove(&number(node)).unwrap());
                        }
                    });
                    assert_eq!((taken, queue.len()), (most.min(before), before - taken));
                    0
                }
                Deed::Clear => {
                    queue.clear();
                    sorted.clear();
                    current.clear();
                    assert_eq!(queue.len(), 0);
                    0
                }
            };
            for _ in 0..pops {
                let is_current = |entry: &Entry| {
                    let current = current.get(&number(entry.node));
                    current.is_some_and(|current| current.version == entry.version)
                };
                let next = queue.peek(is_current, |far| {
                    let (node, version) = node_of(far);
                    let entry = current.get(&number(node)).copied();
                    entry.filter(|entry| version == entry.version)
                });
                let expected = sorted.pop_first();
                assert_eq!(
                    next.map(|entry| (entry.priority, entry.node)),
                    expected.map(|entry| (entry.priority, entry.node))
                );
                let Some(next) = next else { break };
                queue.pop();
                current.remove(&number(next.node));
            }
        }
    }

    fn check_all(deeds: &[Deed]) {
        check::<Entry>(deeds, |entry| (entry.node, entry.version));
        check::<Compact>(deeds, |far| (far.node, far.version));
    }

    /// Priorities as searches have them, and as they might have them at worst.
    fn priorities() -> impl Strategy<Value = (u64, u64)> {
        let clustered = (0u64..40, 0u64..1_000).prop_map(|(cluster, at)| cluster << 33 | at);
        let rest = prop_oneof![Just(0), 0u64..4, any::<u64>()];
        let whole = prop_oneof![
            clustered,
            Just(7_000_000_000),
            0u64..10,
            1_000_000_000u64..1_000_200_000,
            (LAST - 50)..=u64::MAX,
            any::<u64>(),
        ];
        (whole, rest)
    }

    fn deeds() -> impl Strategy<Value = Vec<Deed>> {
        let push = (0u16..300, priorities()).prop_map(|(node, (whole, rest))| Deed::Push {
            node,
            whole,
            rest,
        });
        let deed = prop_oneof![
            60 => push,
            25 => Just(Deed::Pop),
            4 => (0u8..100).prop_map(Deed::PopMany),
            1 => Just(Deed::Tidy),
            1 => (0usize..40).prop_map(Deed::TakeAny),
            1 => Just(Deed::TakeAny(usize::MAX)),
            1 => Just(Deed::Clear),
        ];
        prop::collection::vec(deed, 0..1_500)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

        #[test]
        fn entries_come_out_as_if_all_were_sorted(deeds in deeds()) {
            check_all(&deeds);
        }
    }

    /// Much is pushed and little popped, then the rest is popped all the same.
    fn piles() -> impl Strategy<Value = Vec<Deed>> {
        let pile = (prop::collection::vec(priorities(), 100..600), 0u8..6);
        prop::collection::vec(pile, 1..6).prop_map(|piles| {
            let (mut deeds, mut node) = (Vec::new(), 0);
            for (pile, pops) in piles {
                for (whole, rest) in pile {
                    deeds.push(Deed::Push { node, whole, rest });
                    node += 1;
                }
                deeds.push(Deed::PopMany(pops));
            }
            deeds.extend([Deed::PopMany(255); 12]);
            deeds
        })
    }

    proptest! {
        #[test]
        fn piles_of_which_little_is_asked_for_come_out_in_order(deeds in piles()) {
            check_all(&deeds);
        }
    }

    #[test]
    fn what_is_seldom_asked_for_stays_in_one_pile() {
        let mut queue = OpenList::<Entry>::new();
        let entry = |number: u64| Entry {
            priority: Priority {
                whole: number * 7_919 % 1_000,
                rest: 0,
            },
            node: NodeId::from_index(number as usize),
            version: 0,
        };
        let first = |queue: &mut OpenList<Entry>| queue.peek(|_| true, Some).unwrap();
        (0..1_000).for_each(|number| queue.push(entry(number)));
        assert_eq!(first(&mut queue).priority.whole, 0);
        let left = queue.top.len();
        assert!(
            (500..900).contains(&left),
            "{left} of 1000 left where they were"
        );
        (1_000..1_900).for_each(|number| queue.push(entry(number)));
        assert!(queue.top.len() > left + 450, "most goes where most is");
        let mut last = 0;
        for _ in 0..1_000 {
            let next = first(&mut queue).priority.whole;
            assert!(next >= last);
            last = next;
            queue.pop();
        }
        assert!(
            queue.top.is_empty(),
            "once much is asked for, all is sorted roughly"
        );
    }

    /// As in A*: what is pushed lies at or beyond what was popped.
    #[test]
    fn entries_that_rise_come_out_in_order() {
        for step in [1, 1_000, 1 << 30, 1 << 50] {
            let mut deeds = Vec::new();
            for round in 0..2_000u64 {
                for child in 0..3 {
                    deeds.push(Deed::Push {
                        node: (round * 3 + child) as u16,
                        whole: round / 5 * step + child * child * (step / 2),
                        rest: (round * 7 + child) % 11,
                    });
                }
                deeds.push(Deed::Pop);
            }
            deeds.push(Deed::PopMany(255));
            check_all(&deeds);
        }
    }

    /// Many at one position: nothing to tell them apart but the estimate and the node.
    #[test]
    fn equal_entries_come_out_by_estimate_and_node() {
        let mut deeds = Vec::new();
        for node in 0..3_000u64 {
            deeds.push(Deed::Push {
                node: (node * 7_919 % 3_000) as u16,
                whole: 5,
                rest: node % 3,
            });
            if node % 4 == 3 {
                deeds.push(Deed::Pop);
            }
        }
        deeds.extend([Deed::PopMany(255); 12]);
        check_all(&deeds);
    }
}
