//! What comes next: the few states at the head of an open list, sorted.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::nodes::NodeId;
use crate::priority::Priority;

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

/// This many entries are sorted at once; more are sorted roughly first.
pub(crate) const SMALL: usize = 64;
/// How many entries of the sorted ones a new one may overtake from the end.
const NEAR: usize = 16;
/// A crowd that has grown to this many is too large.
const LARGE: usize = 64;
/// So many entries are a sheaf: as many as are handled at once.
pub(crate) const SHEAF: usize = 512;

/// The entries at the head of an open list.
#[derive(Debug)]
pub(crate) struct Front {
    /// The first entry last.
    sorted: Vec<Entry>,
    /// What was pushed later and is not among the very first.
    crowd: Crowd,
    /// The crowd is too large when it has this many entries.
    too_large: usize,
    /// Sheaves of entries, all but the last sorted, that will belong to the crowd when there are all.
    awaited: Vec<Vec<Entry>>,
}

impl Front {
    pub(crate) const fn new() -> Self {
        Front {
            sorted: Vec::new(),
            crowd: Crowd::new(),
            too_large: LARGE,
            awaited: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.sorted.len() + self.crowd.len
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.sorted.is_empty() && self.crowd.len == 0
    }

    /// Whether so many were pushed that it is no longer what a front should be.
    #[inline]
    pub(crate) fn is_overgrown(&self) -> bool {
        self.crowd.len >= self.too_large
    }

    /// New entries tend to come first: a child is as promising as its parent and nearer the goal.
    /// So the place of one is looked for from the end.
    #[inline(never)]
    pub(crate) fn push(&mut self, entry: Entry) {
        let last = self.sorted.len();
        let first = last.saturating_sub(NEAR);
        let before = self.sorted[first..]
            .iter()
            .rev()
            .take_while(|other| **other < entry)
            .count();
        // The sorted ones are a sheaf at most, so that there is never much to move.
        if before == NEAR || last >= SHEAF {
            self.crowd.push(entry);
        } else {
            self.sorted.insert(last - before, entry);
        }
    }

    #[inline]
    pub(crate) fn first(&self) -> Option<&Entry> {
        if self.crowd_is_first() {
            self.crowd.first()
        } else {
            self.sorted.last()
        }
    }

    /// An entry that comes after at least `count` others, if there is one and it is easily found.
    pub(crate) fn beyond(&self, count: usize) -> Option<&Entry> {
        let index = self.sorted.len().checked_sub(count + 1)?;
        self.sorted.get(index)
    }

    #[inline]
    fn crowd_is_first(&self) -> bool {
        // Nearly always there is no crowd.
        self.crowd.len > 0 && self.crowd.is_before(self.sorted.last())
    }

    /// Removes the first entry, if there is one.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Entry> {
        if self.crowd_is_first() {
            self.crowd.pop()
        } else {
            self.sorted.pop()
        }
    }

    /// Fills an empty front with a sheaf at most.
    pub(crate) fn fill(&mut self, entries: impl Iterator<Item = Entry>) {
        self.too_large = LARGE;
        self.sorted.extend(entries);
        // Fronts are short and often nearly sorted already; the general sort is for the others.
        if self.sorted.len() > SMALL {
            self.sorted.sort_unstable_by(|a, b| b.cmp(a));
            return;
        }
        for end in 1..self.sorted.len() {
            let entry = self.sorted[end];
            let mut at = end;
            while at > 0 && self.sorted[at - 1] < entry {
                self.sorted[at] = self.sorted[at - 1];
                at -= 1;
            }
            self.sorted[at] = entry;
        }
    }

    /// Takes a sheaf at most of the many that are to fill it. They do not count before there
    /// [are all](Self::have_all). Returns how many there were.
    pub(crate) fn await_more(&mut self, entries: impl Iterator<Item = Entry>) -> usize {
        if self.awaited.last().is_none_or(|last| last.len() >= SHEAF) {
            self.sort_awaited();
            self.awaited.push(self.crowd.empty_sheaf());
        }
        let last = self.awaited.len() - 1;
        let sheaf = &mut self.awaited[last];
        let before = sheaf.len();
        sheaf.extend(entries);
        sheaf.len() - before
    }

    /// Sorts the last of those it waits for; the others are.
    fn sort_awaited(&mut self) {
        if let Some(last) = self.awaited.last_mut() {
            last.sort_unstable_by(|a, b| b.cmp(a));
        }
    }

    /// All are there that are to fill it.
    pub(crate) fn have_all(&mut self) {
        self.sort_awaited();
        for sheaf in self.awaited.drain(..) {
            self.crowd.add(sheaf);
        }
        self.too_large = LARGE.max(self.crowd.len * 2);
    }

    /// Takes all entries out, in no particular order.
    pub(crate) fn drain(&mut self, mut visit: impl FnMut(Entry)) {
        self.too_large = LARGE;
        self.sorted.drain(..).for_each(&mut visit);
        self.crowd.drain(visit);
    }

    /// A crowd that cannot be told apart any better may grow.
    pub(crate) fn tolerate_crowd(&mut self) {
        self.too_large = self.crowd.len * 2;
    }

    /// The lowest and the highest of something that never decreases when the priority increases, for a
    /// front that is a sheaf or two at most.
    pub(crate) fn extremes<K: Ord>(&self, key: impl Fn(&Entry) -> K) -> Option<(K, K)> {
        if self.len() > 2 * SHEAF {
            return None;
        }
        let keys = || self.sorted.iter().chain(self.crowd.iter()).map(&key);
        keys().min().zip(keys().max())
    }

    /// Drops what `keep` says is stale, in a front that is a sheaf or two at most.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&Entry) -> bool) {
        if self.len() <= 2 * SHEAF {
            self.sorted.retain(&mut keep);
            self.crowd.retain(keep);
        }
    }

    /// Forgets all entries, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.sorted.clear();
        self.have_all();
        self.crowd.clear();
        self.too_large = LARGE;
    }
}

/// Entries of which the first is known: a heap, and sheaves that are sorted. A heap alone would have to
/// be moved as a whole when it grows.
#[derive(Debug)]
struct Crowd {
    heap: BinaryHeap<Reverse<Entry>>,
    /// Each with its first entry last.
    sheaves: Vec<Vec<Entry>>,
    /// The first entry of each that is not empty, and its number.
    heads: BinaryHeap<Reverse<(Entry, usize)>>,
    /// Empty sheaves, all with the same room.
    spare: Vec<Vec<Entry>>,
    len: usize,
}

impl Crowd {
    const fn new() -> Self {
        Crowd {
            heap: BinaryHeap::new(),
            sheaves: Vec::new(),
            heads: BinaryHeap::new(),
            spare: Vec::new(),
            len: 0,
        }
    }

    #[inline(never)]
    fn push(&mut self, entry: Entry) {
        self.len += 1;
        self.heap.push(Reverse(entry));
        if self.heap.len() == SHEAF {
            let mut sheaf = self.empty_sheaf();
            sheaf.extend(self.heap.drain().map(|Reverse(entry)| entry));
            sheaf.sort_unstable_by(|a, b| b.cmp(a));
            self.len -= SHEAF;
            self.add(sheaf);
        }
    }

    /// A sheaf with room for those of which another sheaf is added while it is not quite full.
    fn empty_sheaf(&mut self) -> Vec<Entry> {
        self.spare
            .pop()
            .unwrap_or_else(|| Vec::with_capacity(2 * SHEAF))
    }

    /// Adds a sheaf that is sorted.
    fn add(&mut self, sheaf: Vec<Entry>) {
        self.len += sheaf.len();
        match sheaf.last() {
            None => self.spare.push(sheaf),
            Some(first) => {
                self.heads.push(Reverse((*first, self.sheaves.len())));
                self.sheaves.push(sheaf);
            }
        }
    }

    #[inline(never)]
    fn is_before(&self, other: Option<&Entry>) -> bool {
        self.first()
            .is_some_and(|first| other.is_none_or(|other| first < other))
    }

    fn first(&self) -> Option<&Entry> {
        let head = self.heads.peek().map(|Reverse((entry, _))| entry);
        match (self.heap.peek(), head) {
            (Some(Reverse(entry)), Some(head)) => Some(entry.min(head)),
            (Some(Reverse(entry)), None) => Some(entry),
            (None, head) => head,
        }
    }

    #[inline(never)]
    fn pop(&mut self) -> Option<Entry> {
        let first = *self.first()?;
        self.len -= 1;
        if self
            .heap
            .peek()
            .is_some_and(|Reverse(entry)| *entry == first)
        {
            return self.heap.pop().map(|Reverse(entry)| entry);
        }
        let Reverse((first, number)) = self.heads.pop()?;
        let sheaf = &mut self.sheaves[number];
        sheaf.pop();
        if let Some(next) = sheaf.last() {
            self.heads.push(Reverse((*next, number)));
        } else if self.heads.is_empty() {
            self.spare.append(&mut self.sheaves);
        }
        Some(first)
    }

    fn iter(&self) -> impl Iterator<Item = &Entry> {
        let heap = self.heap.iter().map(|Reverse(entry)| entry);
        heap.chain(self.sheaves.iter().flatten())
    }

    fn drain(&mut self, mut visit: impl FnMut(Entry)) {
        self.heap.drain().for_each(|Reverse(entry)| visit(entry));
        for mut sheaf in self.sheaves.drain(..) {
            sheaf.drain(..).for_each(&mut visit);
            self.spare.push(sheaf);
        }
        self.heads.clear();
        self.len = 0;
    }

    fn retain(&mut self, mut keep: impl FnMut(&Entry) -> bool) {
        self.heap.retain(|Reverse(entry)| keep(entry));
        self.len = self.heap.len();
        self.heads.clear();
        for (number, sheaf) in self.sheaves.iter_mut().enumerate() {
            sheaf.retain(&mut keep);
            self.len += sheaf.len();
            let head = sheaf.last().map(|first| Reverse((*first, number)));
            self.heads.extend(head);
        }
    }

    fn clear(&mut self) {
        self.drain(|_| {});
    }
}
