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
//!
//! Whatever is done with many entries is done a sheaf of them at a time, and what is left of it is
//! remembered: so a search can stop in between, and no list of entries ever moves because it grows.

mod pile;
mod rung;

use crate::Problem;
use crate::chores::{A_LOOK, Chores, Unfinished};
use crate::front::{Entry, Front, SHEAF, SMALL};
use crate::nodes::{NodeId, Nodes};

use pile::{Pile, Sheaves, put_by};
use rung::Rung;

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
    top: Pile<F>,
    len: usize,
    /// How many entries were taken from buckets to the front.
    taken: usize,
    /// How many there were beyond the coarsest rung when it was last looked there.
    topmost: usize,
    /// What is being opened.
    opening: Opening<F>,
    /// Empty sheaves, all with the same room.
    spare: Sheaves<F>,
    /// Where stale entries were last looked for.
    swept: usize,
}

/// Many entries that are being looked through, a sheaf at a time.
#[derive(Debug)]
struct Opening<F> {
    sheaves: Sheaves<F>,
    /// The next one.
    at: usize,
    step: Step,
    /// The first position beyond them, unless nothing lies beyond them.
    end: Option<u64>,
    /// The lowest and the highest position so far.
    lowest: u64,
    highest: u64,
    /// How many lie before the end of the lowest part.
    count: usize,
}

/// What is done with many entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// It is found out where the lowest and the highest lie, and how many before this position.
    Measure { part_end: Option<u64> },
    /// They are spread over the finest rung.
    Spread,
    /// Those before this position are spread over the finest rung, and the others stay in the pile.
    Part { end: u64 },
    /// All of them lie at one position and go to the front.
    Crowd,
}

/// Where about the lowest quarter of many entries ends, unless they are few.
fn low_part_end<F: Far>(sheaves: &Sheaves<F>, len: usize) -> Option<u64> {
    if len <= SMALL {
        return None;
    }
    // One of each stretch, which is found by its sheaf: all but the last may have as many.
    let step = len / SAMPLE;
    let mut sample: [u64; SAMPLE] = std::array::from_fn(|at| {
        let entry = pile::nth(sheaves, at * step);
        entry.map_or(u64::MAX, |entry| entry.position())
    });
    sample.sort_unstable();
    Some(sample[SAMPLE / PART].saturating_add(1))
}

impl<F: Far> OpenList<F> {
    pub(crate) const fn new() -> Self {
        OpenList {
            front: Front::new(),
            front_end: 0,
            rungs: Vec::new(),
            depth: 0,
            top_start: 0,
            top: Pile::new(),
            len: 0,
            taken: 0,
            topmost: 0,
            opening: Opening {
                sheaves: Vec::new(),
                at: 0,
                step: Step::Spread,
                end: None,
                lowest: 0,
                highest: 0,
                count: 0,
            },
            spare: Vec::new(),
            swept: 0,
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

    /// Pushes an entry of which nothing but `far` is worked out unless it lies near the front. Not
    /// while a look at the first entry is [`Unfinished`].
    #[inline(always)]
    pub(crate) fn push_lazily(&mut self, far: F, entry: impl FnOnce() -> Entry) {
        debug_assert!(self.opening.sheaves.is_empty(), "it is being opened");
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
            self.top.push(far, &mut self.spare);
            return;
        }
        for rung in self.rungs[..self.depth].iter_mut().rev() {
            if position < rung.end {
                rung.push(far, position, &mut self.spare);
                return;
            }
        }
        self.top.push(far, &mut self.spare);
    }

    /// The first entry that is not stale. `resolve` turns what was kept of an entry into the entry
    /// itself, or `None` if it is stale; `is_current` says whether an entry is not stale.
    #[inline]
    pub(crate) fn peek(
        &mut self,
        is_current: impl Fn(&Entry) -> bool,
        mut resolve: impl FnMut(F) -> Option<Entry>,
        chores: &mut Chores,
    ) -> Result<Option<Entry>, Unfinished> {
        loop {
            if let Some(first) = self.front.first() {
                if is_current(first) {
                    return Ok(Some(*first));
                }
                chores.note(A_LOOK);
                chores.go_on()?;
                self.pop();
            } else if self.len == 0 {
                return Ok(None);
            }
            if self.front.is_empty() || self.front.is_overgrown() {
                self.refill(&mut resolve, chores)?;
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
    fn refill(
        &mut self,
        resolve: &mut impl FnMut(F) -> Option<Entry>,
        chores: &mut Chores,
    ) -> Result<(), Unfinished> {
        if !self.opening.sheaves.is_empty() {
            self.go_on(resolve, chores)?;
        } else if !self.front.is_empty() {
            self.spread_front();
        }
        while self.front.is_empty() && self.len > 0 {
            chores.go_on()?;
            let Some(level) = self.depth.checked_sub(1) else {
                self.open_top(resolve, chores)?;
                continue;
            };
            let rung = &mut self.rungs[level];
            let Some(bucket) = rung.next() else {
                self.front_end = rung.end;
                self.depth -= 1;
                if self.depth == 0 {
                    self.top_start = 0;
                }
                continue;
            };
            let end = rung.end_of(bucket);
            let contents = rung.take(bucket, &mut self.opening.sheaves, &mut self.spare);
            if let Some(mut contents) = contents {
                self.open(&mut contents, Some(end), resolve, chores);
                // The emptied bucket keeps its memory for the next time.
                self.rungs[level].keep(bucket, contents);
            } else {
                self.open_many(Some(end), None, resolve, chores)?;
            }
        }
        Ok(())
    }

    /// Opens what lies beyond all rungs: all of it, or, where most is never asked for, the lowest
    /// part, so that the rest lies in one pile and is added to without further thought.
    fn open_top(
        &mut self,
        resolve: &mut impl FnMut(F) -> Option<Entry>,
        chores: &mut Chores,
    ) -> Result<(), Unfinished> {
        let len = self.top.len();
        let before = std::mem::replace(&mut self.topmost, len);
        // Looking through the pile must be rare beside adding to it.
        let is_seldom = len > SELDOM * self.taken && len > 2 * before;
        if !is_seldom && let Some(mut contents) = self.top.take_only() {
            self.open(&mut contents, None, resolve, chores);
            self.top.keep(contents);
            return Ok(());
        }
        self.top.take(&mut self.opening.sheaves, &mut self.spare);
        let part_end = if is_seldom {
            low_part_end(&self.opening.sheaves, len)
        } else {
            None
        };
        self.open_many(None, part_end, resolve, chores)
    }

    /// Begins to open many entries. Nothing else lies before `end`, or anywhere if there is no end.
    fn open_many(
        &mut self,
        end: Option<u64>,
        part_end: Option<u64>,
        resolve: &mut impl FnMut(F) -> Option<Entry>,
        chores: &mut Chores,
    ) -> Result<(), Unfinished> {
        let opening = &mut self.opening;
        (opening.at, opening.step) = (0, Step::Measure { part_end });
        (opening.lowest, opening.highest, opening.count) = (u64::MAX, 0, 0);
        opening.end = end;
        self.go_on(resolve, chores)
    }

    /// Goes on opening.
    fn go_on(
        &mut self,
        resolve: &mut impl FnMut(F) -> Option<Entry>,
        chores: &mut Chores,
    ) -> Result<(), Unfinished> {
        while let Some(sheaf) = self.opening.sheaves.get_mut(self.opening.at) {
            chores.go_on()?;
            self.opening.at += 1;
            if let Step::Measure { part_end } = self.opening.step {
                // Looking is several times as fast as moving.
                chores.note(sheaf.len() / 4);
                let (mut lowest, mut highest, mut count) = (u64::MAX, 0, 0);
                for far in sheaf.iter() {
                    lowest = lowest.min(far.position());
                    highest = highest.max(far.position());
                    count += usize::from(part_end.is_some_and(|end| far.position() < end));
                }
                self.opening.note(lowest, highest, count);
                if self.opening.at == self.opening.sheaves.len() {
                    self.begin_moving(part_end);
                }
                continue;
            }
            let sheaf = std::mem::take(sheaf);
            chores.note(sheaf.len());
            match self.opening.step {
                Step::Measure { .. } | Step::Spread => {
                    self.rungs[self.depth - 1].push_all(&sheaf, &mut self.spare);
                }
                Step::Part { end } => {
                    for far in &sheaf {
                        if far.position() < end {
                            let (rung, position) =
                                (&mut self.rungs[self.depth - 1], far.position());
                            rung.push(*far, position, &mut self.spare);
                        } else {
                            self.top.push(*far, &mut self.spare);
                        }
                    }
                }
                Step::Crowd => {
                    chores.note(A_LOOK * sheaf.len());
                    let entries = sheaf.iter().filter_map(|far| resolve(*far));
                    let moved = self.front.await_more(entries);
                    self.len -= sheaf.len() - moved;
                    self.taken += moved;
                }
            }
            put_by(sheaf, &mut self.spare);
        }
        self.opening.sheaves.clear();
        self.front.have_all();
        Ok(())
    }

    /// It is known where all entries lie that are being opened.
    fn begin_moving(&mut self, part_end: Option<u64>) {
        let Opening {
            lowest,
            highest,
            count,
            end,
            ..
        } = self.opening;
        let len: usize = self.opening.sheaves.iter().map(Vec::len).sum();
        self.opening.at = 0;
        // A sample may mislead where many are crowded together.
        let is_fair = |end: &u64| end - lowest > 1 && count >= len / (4 * PART);
        if let Some(end) = part_end.filter(is_fair) {
            self.front_end = lowest;
            self.new_rung(lowest, end - 1, end);
            self.opening.step = Step::Part { end };
            return;
        }
        let end = end.unwrap_or(highest.saturating_add(1));
        if lowest == highest || len <= SMALL {
            self.front_end = end;
            self.opening.step = Step::Crowd;
        } else {
            self.front_end = lowest;
            self.new_rung(lowest, highest, end);
            self.opening.step = Step::Spread;
        }
    }

    /// Sorts a sheaf at most to the front, if they are few or all at one position, or spreads them over
    /// a new finest rung. Nothing else lies before `end`.
    fn open(
        &mut self,
        contents: &mut Vec<F>,
        end: Option<u64>,
        resolve: &mut impl FnMut(F) -> Option<Entry>,
        chores: &mut Chores,
    ) {
        debug_assert!(contents.len() <= SHEAF, "more are opened a sheaf at a time");
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
            chores.note(A_LOOK * contents.len());
            self.take_to_front(contents, resolve);
            return;
        }
        self.front_end = lowest;
        chores.note(contents.len());
        self.new_rung(lowest, highest, end);
        let rung = &mut self.rungs[self.depth - 1];
        rung.push_all(contents, &mut self.spare);
        contents.clear();
    }

    /// A new finest rung.
    fn new_rung(&mut self, lowest: u64, highest: u64, end: u64) {
        if self.depth == self.rungs.len() {
            self.rungs.push(Rung::new());
        }
        self.depth += 1;
        if self.depth == 1 {
            self.top_start = end;
        }
        self.rungs[self.depth - 1].cover(lowest, highest, end);
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

    /// Turns the front into a rung, unless all of it lies at one position, or it is so long that a
    /// rung would not help.
    fn spread_front(&mut self) {
        let extremes = self.front.extremes(|entry| F::of(entry).position());
        let Some((lowest, highest)) = extremes.filter(|(lowest, highest)| lowest < highest) else {
            self.front.tolerate_crowd();
            return;
        };
        self.new_rung(lowest, highest, self.front_end);
        let (rung, spare) = (&mut self.rungs[self.depth - 1], &mut self.spare);
        self.front.drain(|entry| {
            let far = F::of(&entry);
            rung.push(far, far.position(), spare);
        });
        self.front_end = lowest;
    }

    /// Takes out up to `most` entries, whichever.
    pub(crate) fn take_any(&mut self, most: usize, mut visit: impl FnMut(F)) {
        let mut left = most.min(self.len);
        self.len -= left;
        let rungs = self.rungs[..self.depth].iter_mut();
        let buckets = rungs.flat_map(Rung::sheaves);
        let opening = self.opening.sheaves.iter_mut();
        for contents in opening.chain(self.top.sheaves()).chain(buckets) {
            if left == 0 {
                break;
            }
            let rest = contents.len().saturating_sub(left);
            left -= contents.len() - rest;
            contents.drain(rest..).for_each(&mut visit);
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

    /// Drops some of what `keep` says is stale, a sheaf at most.
    pub(crate) fn sweep(&mut self, keep: impl Fn(F) -> bool) {
        let (in_top, rungs) = (self.top.sheaves().count(), &mut self.rungs[..self.depth]);
        let in_rungs = rungs.iter_mut().flat_map(Rung::sheaves).count();
        self.swept = (self.swept + 1) % (in_top + in_rungs);
        let in_rungs = rungs.iter_mut().flat_map(Rung::sheaves);
        let mut all = self.top.sheaves().chain(in_rungs);
        if let Some(sheaf) = all.nth(self.swept) {
            // One stays, whatever it is: a bucket whose last sheaf is empty looks empty.
            let (before, mut is_first) = (sheaf.len(), true);
            sheaf.retain(|far| std::mem::take(&mut is_first) || keep(*far));
            self.len -= before - sheaf.len();
        }
    }

    /// Forgets all entries, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.front.clear();
        self.front_end = 0;
        for rung in &mut self.rungs[..self.depth] {
            rung.clear(&mut self.spare);
        }
        (self.depth, self.top_start) = (0, 0);
        self.top.clear(&mut self.spare);
        // Those that were opened are elsewhere already.
        let opening = self.opening.sheaves.drain(..);
        let unopened = opening.filter(|sheaf| sheaf.capacity() > 0);
        unopened.for_each(|sheaf| put_by(sheaf, &mut self.spare));
        self.len = 0;
        (self.taken, self.topmost, self.swept) = (0, 0, 0);
    }
}

impl<F> Opening<F> {
    fn note(&mut self, lowest: u64, highest: u64, count: usize) {
        self.lowest = self.lowest.min(lowest);
        self.highest = self.highest.max(highest);
        self.count += count;
    }
}

impl OpenList<Entry> {
    /// The first entry that is not stale.
    #[inline]
    pub(crate) fn first<P: Problem>(
        &mut self,
        nodes: &Nodes<P>,
        chores: &mut Chores,
    ) -> Result<Option<Entry>, Unfinished> {
        let is_current = |entry: &Entry| nodes.version(entry.node) == entry.version;
        self.peek(
            is_current,
            |entry| is_current(&entry).then_some(entry),
            chores,
        )
    }

    /// Drops some stale entries, if there are so many that most must be.
    #[inline]
    pub(crate) fn tidy<P: Problem>(&mut self, nodes: &Nodes<P>) {
        if self.len() > 4 * nodes.len() {
            self.sweep(|entry| nodes.version(entry.node) == entry.version);
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
        let (number, mut chores) = (|node: NodeId| node.index() as u16, Chores::new());
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
                    for _ in 0..600 {
                        queue.sweep(|far| {
                            let (node, version) = node_of(far);
                            let entry = current.get(&number(node));
                            entry.is_some_and(|entry| version == entry.version)
                        });
                    }
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
                let mut resolve = |far| {
                    let (node, version) = node_of(far);
                    let entry = current.get(&number(node)).copied();
                    entry.filter(|entry| version == entry.version)
                };
                let next = loop {
                    let next = queue.peek(is_current, &mut resolve, &mut chores);
                    chores.renew();
                    if let Ok(next) = next {
                        break next;
                    }
                };
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
        let first = |queue: &mut OpenList<Entry>| {
            let first = queue.peek(|_| true, Some, &mut Chores::new());
            first.expect("it is little to do").expect("an entry")
        };
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
            queue.top.len() == 0,
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
