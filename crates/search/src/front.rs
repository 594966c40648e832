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

/// The entries at the head of an open list.
#[derive(Debug)]
pub(crate) struct Front {
    /// The first entry last.
    sorted: Vec<Entry>,
    /// What was pushed later and is not among the very first.
    crowd: BinaryHeap<Reverse<Entry>>,
    /// The crowd is too large when it has this many entries.
    too_large: usize,
}

impl Front {
    pub(crate) const fn new() -> Self {
        Front {
            sorted: Vec::new(),
            crowd: BinaryHeap::new(),
            too_large: LARGE,
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.sorted.len() + self.crowd.len()
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.sorted.is_empty() && self.crowd.is_empty()
    }

    /// Whether so many were pushed that it is no longer what a front should be.
    #[inline]
    pub(crate) fn is_overgrown(&self) -> bool {
        self.crowd.len() >= self.too_large
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
        if before == NEAR {
            self.crowd.push(Reverse(entry));
        } else {
            self.sorted.insert(last - before, entry);
        }
    }

    #[inline]
    pub(crate) fn first(&self) -> Option<&Entry> {
        if self.crowd_is_first() {
            self.crowd.peek().map(|Reverse(entry)| entry)
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
        match self.crowd.peek() {
            None => false,
            Some(Reverse(other)) => self.sorted.last().is_none_or(|first| other < first),
        }
    }

    /// Removes the first entry, if there is one.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Entry> {
        if self.crowd_is_first() {
            self.pop_crowd()
        } else {
            self.sorted.pop()
        }
    }

    #[inline(never)]
    fn pop_crowd(&mut self) -> Option<Entry> {
        self.crowd.pop().map(|Reverse(entry)| entry)
    }

    /// Fills an empty front.
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

    /// Takes all entries out, in no particular order.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = Entry> {
        self.too_large = LARGE;
        let crowd = self.crowd.drain().map(|Reverse(entry)| entry);
        self.sorted.drain(..).chain(crowd)
    }

    /// A crowd that cannot be told apart any better may grow.
    pub(crate) fn tolerate_crowd(&mut self) {
        self.too_large = self.crowd.len() * 2;
    }

    /// Looks at every entry, in no particular order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Entry> {
        let crowd = self.crowd.iter().map(|Reverse(entry)| entry);
        self.sorted.iter().chain(crowd)
    }

    /// Drops what `keep` says is stale.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&Entry) -> bool) {
        self.sorted.retain(&mut keep);
        self.crowd.retain(|Reverse(entry)| keep(entry));
    }

    /// Forgets all entries, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.sorted.clear();
        self.crowd.clear();
        self.too_large = LARGE;
    }
}
