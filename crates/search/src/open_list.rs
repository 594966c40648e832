//! Which state comes next: a priority queue with a total order.
//!
//! A heap over all open states touches a dozen cache lines for every pop. Most open states of a
//! heuristic search are never expanded, so sorting them is wasted work. This queue sorts only what
//! is about to be popped: a small heap, the *front*, holds everything below a limit; what lies
//! beyond is thrown into buckets by magnitude, and a bucket is looked into when its turn comes.
//! (The idea is that of the ladder queue: Tang, Goh and Thng, 2005.) The order in which entries
//! come out is exact: the same as that of one big heap.
//!
//! Nothing is ever removed from the middle. An entry carries the version its state had when it was
//! pushed; if the state has moved on, the entry is stale and dropped when it surfaces.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::nodes::NodeId;
use crate::{Cost, Weight};

/// What entries are ordered by: smaller priority first; among equals the smaller estimate, hence
/// the larger cost so far. Entries with equal priorities go by the state that was met first.
///
/// A priority is `g + w·h` without rounding: `whole` is its integer part, and `rest` holds the
/// fraction in its upper 16 bits and the estimate in its lower 48. Estimates beyond three days
/// (2⁴⁸ ns) count as equal there, which affects ties only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Priority {
    whole: u64,
    rest: u64,
}

const ESTIMATE_BITS: u32 = 48;
const ESTIMATE_MASK: u64 = (1 << ESTIMATE_BITS) - 1;
/// The largest integer part: one less than any bucket limit can be.
const LAST: u64 = u64::MAX - 1;

impl Priority {
    /// `cost + weight · estimate`. An infinite estimate comes after every finite one.
    #[inline]
    pub(crate) fn weighted(cost: Cost, weight: Weight, estimate: Cost) -> Priority {
        let inflated = u128::from(estimate.ticks()) * u128::from(weight.steps());
        let whole = u64::try_from(inflated >> Weight::FRACTION_BITS).unwrap_or(LAST);
        let fraction = inflated as u64 & ((1 << Weight::FRACTION_BITS) - 1);
        Priority {
            whole: whole.saturating_add(cost.ticks()).min(LAST),
            rest: fraction << ESTIMATE_BITS | estimate.ticks().min(ESTIMATE_MASK),
        }
    }

    /// The estimate alone; among equals the larger cost so far.
    #[inline]
    pub(crate) fn deepest(cost: Cost, estimate: Cost) -> Priority {
        Priority {
            whole: estimate.ticks().min(LAST),
            rest: !cost.ticks(),
        }
    }

    /// The estimate first, then the *smaller* cost so far.
    #[inline]
    pub(crate) fn nearest(cost: Cost, estimate: Cost) -> Priority {
        Priority {
            whole: estimate.ticks().min(LAST),
            rest: cost.ticks(),
        }
    }

    /// Two costs, compared one after the other.
    #[inline]
    pub(crate) fn pair(first: Cost, second: Cost) -> Priority {
        Priority {
            whole: first.ticks().min(LAST),
            rest: second.ticks(),
        }
    }

    /// The integer part, for comparing with costs.
    #[inline]
    pub(crate) fn whole(self) -> Cost {
        Cost::from_ticks(self.whole)
    }

    /// The estimate a weighted priority was made from.
    #[inline]
    pub(crate) fn estimate(self) -> Cost {
        Cost::from_ticks(self.rest & ESTIMATE_MASK)
    }

    /// A weighted priority in steps of 1/65536, without the estimate.
    #[inline]
    pub(crate) fn exact(self) -> u128 {
        u128::from(self.whole) << Weight::FRACTION_BITS | u128::from(self.rest >> ESTIMATE_BITS)
    }

    #[inline]
    fn as_u128(self) -> u128 {
        u128::from(self.whole) << 64 | u128::from(self.rest)
    }
}

impl Ord for Priority {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_u128().cmp(&other.as_u128())
    }
}

impl PartialOrd for Priority {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A state waiting to be expanded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) priority: Priority,
    pub(crate) node: NodeId,
    /// The version of the node when this was pushed.
    pub(crate) version: u32,
}

impl Ord for Entry {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.priority
            .cmp(&other.priority)
            .then(self.node.cmp(&other.node))
    }
}

impl PartialOrd for Entry {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
    #[inline]
    fn lt(&self, other: &Self) -> bool {
        let (left, right) = (self.priority.as_u128(), other.priority.as_u128());
        left < right || left == right && self.node < other.node
    }
}

impl PartialEq for Entry {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Entry {}

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

/// Eight bytes of an entry: roughly where it lies, and which node it is. The rest is worked out
/// again when it nears the front. For searches with many open lists over the same states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Brief {
    position: u32,
    pub(crate) node: NodeId,
}

/// A 64-bit number as a 32-bit one that orders alike: 6 bits of magnitude, then the 26 bits after
/// the leading one.
#[inline]
fn shorten(number: u64) -> u32 {
    const MANTISSA: u32 = 26;
    let magnitude = 63 - (number | 1).leading_zeros();
    if magnitude < MANTISSA {
        return number as u32;
    }
    let shift = magnitude - MANTISSA;
    ((shift + 1) << MANTISSA) | ((number >> shift) as u32 & ((1 << MANTISSA) - 1))
}

impl Far for Brief {
    #[inline]
    fn of(entry: &Entry) -> Self {
        Brief {
            position: shorten(entry.priority.whole),
            node: entry.node,
        }
    }
    #[inline]
    fn position(self) -> u64 {
        u64::from(self.position)
    }
}

/// Buckets in a rung: as many as one word of occupancy bits.
const BUCKETS: usize = 64;
/// This many entries are sorted at once; more are spread over buckets first.
const SMALL: usize = 32;
/// How many entries of the sorted front a new one may overtake from the end.
const NEAR: usize = 16;
/// A crowd that has grown to this many is spread over buckets, together with the front.
const LARGE: usize = 64;

/// The priority queue.
#[derive(Debug)]
pub(crate) struct OpenList<F> {
    /// What lies before `front_end`, sorted, the first entry last.
    front: Vec<Entry>,
    /// What lies before `front_end` too, but was pushed later and is not among the very first.
    crowd: BinaryHeap<Reverse<Entry>>,
    front_end: u64,
    /// Spread both when the crowd has this many entries.
    spread_at: usize,
    /// The coarsest rung first; each covers one bucket of the one before it. The first `depth` are
    /// in use, the others keep their memory.
    rungs: Vec<Rung<F>>,
    depth: usize,
    /// Everything beyond the coarsest rung.
    top: Vec<F>,
    top_lowest: u64,
    top_highest: u64,
    len: usize,
}

/// A stretch of positions cut into equal buckets.
#[derive(Debug)]
struct Rung<F> {
    start: u64,
    /// The first position beyond.
    end: u64,
    /// A bucket is 2^shift positions wide.
    shift: u32,
    /// Bit i: bucket i holds something.
    occupied: u64,
    buckets: Vec<Vec<F>>,
}

impl<F: Far> Rung<F> {
    fn new() -> Self {
        let buckets = (0..BUCKETS).map(|_| Vec::new()).collect();
        Rung {
            start: 0,
            end: 0,
            shift: 0,
            occupied: 0,
            buckets,
        }
    }

    /// Covers `lowest..end`, with buckets fit to spread what lies in `lowest..=highest`. The last
    /// bucket takes all the rest.
    fn cover(&mut self, lowest: u64, highest: u64, end: u64) {
        let bits = u64::BITS - (highest - lowest).leading_zeros();
        self.shift = bits.saturating_sub(BUCKETS.trailing_zeros());
        (self.start, self.end) = (lowest, end);
    }

    #[inline]
    fn push(&mut self, far: F, position: u64) {
        let bucket = ((position - self.start) >> self.shift).min(BUCKETS as u64 - 1) as usize;
        self.occupied |= 1 << bucket;
        self.buckets[bucket].push(far);
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

impl<F: Far> OpenList<F> {
    pub(crate) const fn new() -> Self {
        OpenList {
            front: Vec::new(),
            crowd: BinaryHeap::new(),
            front_end: 0,
            spread_at: LARGE,
            rungs: Vec::new(),
            depth: 0,
            top: Vec::new(),
            top_lowest: u64::MAX,
            top_highest: 0,
            len: 0,
        }
    }

    /// How many entries there are, stale ones included.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn push(&mut self, entry: Entry) {
        self.len += 1;
        let far = F::of(&entry);
        let position = far.position();
        if position < self.front_end {
            self.push_front(entry);
        } else {
            self.push_far(far, position);
        }
    }

    /// New entries tend to come first: a child is as promising as its parent and nearer the goal.
    /// So the place of one is looked for from the end.
    #[inline]
    fn push_front(&mut self, entry: Entry) {
        let last = self.front.len();
        let first = last.saturating_sub(NEAR);
        let before = self.front[first..]
            .iter()
            .rev()
            .take_while(|other| **other < entry)
            .count();
        if before == NEAR {
            self.crowd.push(Reverse(entry));
        } else {
            self.front.insert(last - before, entry);
        }
    }

    #[inline]
    fn push_far(&mut self, far: F, position: u64) {
        for rung in self.rungs[..self.depth].iter_mut().rev() {
            if position < rung.end {
                rung.push(far, position);
                return;
            }
        }
        self.top_lowest = self.top_lowest.min(position);
        self.top_highest = self.top_highest.max(position);
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
            if let Some(first) = self.first() {
                if is_current(first) {
                    return Some(*first);
                }
                self.pop();
            } else if self.len == 0 {
                return None;
            }
            if self.front.is_empty() && self.crowd.is_empty() || self.crowd.len() >= self.spread_at
            {
                self.refill(&mut resolve);
            }
        }
    }

    #[inline]
    fn first(&self) -> Option<&Entry> {
        let first = self.front.last();
        match (first, self.crowd.peek()) {
            (Some(first), Some(Reverse(other))) if other < first => Some(other),
            (None, Some(Reverse(other))) => Some(other),
            _ => first,
        }
    }

    /// Removes the entry that `peek` has just returned.
    #[inline]
    pub(crate) fn pop(&mut self) {
        let crowd_first = match (self.front.last(), self.crowd.peek()) {
            (_, None) => false,
            (Some(first), Some(Reverse(other))) => other < first,
            (None, Some(_)) => true,
        };
        let removed = if crowd_first {
            self.crowd.pop().is_some()
        } else {
            self.front.pop().is_some()
        };
        self.len -= usize::from(removed);
    }

    /// Spreads an overgrown front, or fills an empty one from the next bucket that holds something.
    #[inline(never)]
    fn refill(&mut self, resolve: &mut impl FnMut(F) -> Option<Entry>) {
        if !self.crowd.is_empty() {
            self.spread_front();
            if !self.crowd.is_empty() {
                return;
            }
        }
        self.spread_at = LARGE;
        while self.front.is_empty() && self.crowd.is_empty() && self.len > 0 {
            let Some(level) = self.depth.checked_sub(1) else {
                let mut contents = std::mem::take(&mut self.top);
                let (lowest, highest) = (self.top_lowest, self.top_highest);
                (self.top_lowest, self.top_highest) = (u64::MAX, 0);
                self.open(
                    &mut contents,
                    lowest,
                    highest,
                    highest.saturating_add(1),
                    resolve,
                );
                self.top = contents;
                continue;
            };
            let rung = &mut self.rungs[level];
            if rung.occupied == 0 {
                self.front_end = rung.end;
                self.depth -= 1;
                continue;
            }
            let bucket = rung.occupied.trailing_zeros() as usize;
            rung.occupied &= rung.occupied - 1;
            let end = rung.end_of(bucket);
            let mut contents = std::mem::take(&mut rung.buckets[bucket]);
            let positions = || contents.iter().map(|far| far.position());
            if let (Some(lowest), Some(highest)) = (positions().min(), positions().max()) {
                self.open(&mut contents, lowest, highest, end, resolve);
            }
            // The emptied bucket keeps its memory for the next time.
            self.rungs[level].buckets[bucket] = contents;
        }
    }

    /// Sorts `contents` to the front, if they are few or all at one position, or spreads them over
    /// a new finest rung. Nothing else lies before `end`.
    fn open(
        &mut self,
        contents: &mut Vec<F>,
        lowest: u64,
        highest: u64,
        end: u64,
        resolve: &mut impl FnMut(F) -> Option<Entry>,
    ) {
        if contents.len() <= SMALL || lowest == highest {
            self.front_end = end;
            self.take_to_front(contents, resolve);
            return;
        }
        self.front_end = lowest;
        let rung = self.new_rung(lowest, highest, end);
        for far in contents.drain(..) {
            rung.push(far, far.position());
        }
    }

    /// A new finest rung.
    fn new_rung(&mut self, lowest: u64, highest: u64, end: u64) -> &mut Rung<F> {
        if self.depth == self.rungs.len() {
            self.rungs.push(Rung::new());
        }
        self.depth += 1;
        let rung = &mut self.rungs[self.depth - 1];
        rung.cover(lowest, highest, end);
        rung
    }

    fn take_to_front(
        &mut self,
        contents: &mut Vec<F>,
        resolve: &mut impl FnMut(F) -> Option<Entry>,
    ) {
        let before = contents.len();
        self.front.extend(contents.drain(..).filter_map(resolve));
        self.len -= before - self.front.len();
        // Fronts are short and often nearly sorted already; the general sort is for the others.
        if self.front.len() > 20 {
            self.front.sort_unstable_by(|a, b| b.cmp(a));
            return;
        }
        for end in 1..self.front.len() {
            let entry = self.front[end];
            let mut at = end;
            while at > 0 && self.front[at - 1] < entry {
                self.front[at] = self.front[at - 1];
                at -= 1;
            }
            self.front[at] = entry;
        }
    }

    /// Turns the front into a rung, unless all of it lies at one position.
    fn spread_front(&mut self) {
        let entries = || {
            self.front
                .iter()
                .chain(self.crowd.iter().map(|Reverse(entry)| entry))
        };
        let positions = || entries().map(|entry| F::of(entry).position());
        let (Some(lowest), Some(highest)) = (positions().min(), positions().max()) else {
            return;
        };
        if lowest == highest {
            self.spread_at = self.crowd.len() * 2;
            return;
        }
        let mut entries = std::mem::take(&mut self.front);
        entries.extend(self.crowd.drain().map(|Reverse(entry)| entry));
        let rung = self.new_rung(lowest, highest, self.front_end);
        for entry in entries.drain(..) {
            let far = F::of(&entry);
            rung.push(far, far.position());
        }
        self.front = entries;
        self.front_end = lowest;
    }

    /// Looks at every entry, in no particular order.
    pub(crate) fn for_each_far(&self, mut visit: impl FnMut(F)) {
        self.front.iter().for_each(|entry| visit(F::of(entry)));
        self.crowd
            .iter()
            .for_each(|Reverse(entry)| visit(F::of(entry)));
        for rung in &self.rungs[..self.depth] {
            rung.buckets.iter().flatten().for_each(|far| visit(*far));
        }
        self.top.iter().for_each(|far| visit(*far));
    }

    /// Drops what `keep` says is stale.
    pub(crate) fn retain(&mut self, keep: impl Fn(F) -> bool) {
        self.front.retain(|entry| keep(F::of(entry)));
        self.crowd.retain(|Reverse(entry)| keep(F::of(entry)));
        let mut len = self.front.len() + self.crowd.len();
        for rung in &mut self.rungs[..self.depth] {
            for (bucket, contents) in rung.buckets.iter_mut().enumerate() {
                contents.retain(|far| keep(*far));
                len += contents.len();
                if contents.is_empty() {
                    rung.occupied &= !(1 << bucket);
                }
            }
        }
        self.top.retain(|far| keep(*far));
        self.len = len + self.top.len();
    }

    /// Forgets all entries, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.front.clear();
        self.crowd.clear();
        self.front_end = 0;
        self.spread_at = LARGE;
        for rung in &mut self.rungs[..self.depth] {
            rung.buckets.iter_mut().for_each(Vec::clear);
            rung.occupied = 0;
        }
        self.depth = 0;
        self.top.clear();
        (self.top_lowest, self.top_highest) = (u64::MAX, 0);
        self.len = 0;
    }
}
