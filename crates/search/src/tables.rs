//! From a key to the node that stands for it: by its number, or by its hash.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::nodes::NodeId;

/// Node numbers by index, a page at a time: indices far beyond what a search comes to cost it only
/// their place in a directory.
///
/// A search that came to a good part of the indices there are finds them in one piece when it runs
/// again, which spares it the directory.
pub(crate) struct DenseTable {
    /// The place of each of the lowest indices, in one piece.
    piece: Vec<NodeId>,
    /// In which stretches of that something was met, a bit each.
    met: Vec<u64>,
    /// For each stretch of indices what must be added to one to get its place on the pages, which is
    /// [`NOWHERE`] or beyond where nothing was met.
    directory: Vec<u32>,
    /// One after the other.
    pages: Vec<NodeId>,
    /// The stretches up to the last one in which something was met, and how many of them there was
    /// something in.
    extent: usize,
    used: usize,
}

/// Indices on a page: a cache line of them. Longer pages would be emptier, and shorter ones make the
/// directory longer.
const PAGE: usize = 16;
/// A place that no page reaches.
const NOWHERE: u32 = u32::MAX - (PAGE as u32 - 1);
/// With at most so many indices for each state that was met, a piece is worth its memory.
const INDICES_A_STATE: usize = 4;

/// What leads from the indices of a stretch to a page that begins at `first`.
#[inline]
fn way_to(first: u32, stretch: usize) -> u32 {
    first.wrapping_sub((stretch * PAGE) as u32)
}

impl DenseTable {
    pub(crate) const fn new() -> Self {
        DenseTable {
            piece: Vec::new(),
            met: Vec::new(),
            directory: Vec::new(),
            pages: Vec::new(),
            extent: 0,
            used: 0,
        }
    }

    /// The place of an index on the pages, or one beyond them.
    #[inline]
    fn place(&self, index: u32) -> usize {
        let way = self.directory.get(index as usize / PAGE);
        way.map_or(usize::MAX, |way| index.wrapping_add(*way) as usize)
    }

    #[inline]
    pub(crate) fn find(&self, index: u32) -> NodeId {
        let node = match self.piece.get(index as usize) {
            None => self.pages.get(self.place(index)),
            node => node,
        };
        node.copied().unwrap_or(NodeId::NONE)
    }

    /// Whether there is a piece.
    #[inline]
    pub(crate) fn has_piece(&self) -> bool {
        !self.piece.is_empty()
    }

    /// What stands at this index, if there is a place for it. Whether there is a piece is said by
    /// those who ask often, so that they need not ask it every time.
    #[inline]
    pub(crate) fn at<const PIECE: bool>(&mut self, index: u32) -> Option<&mut NodeId> {
        if PIECE && (index as usize) < self.piece.len() {
            return self.piece.get_mut(index as usize);
        }
        self.on_page(index)
    }

    #[inline]
    fn on_page(&mut self, index: u32) -> Option<&mut NodeId> {
        let place = self.place(index);
        self.pages.get_mut(place)
    }

    /// Something was put at this index where there was nothing, and there was a place for it.
    #[inline]
    pub(crate) fn note(&mut self, index: u32) {
        let stretch = index as usize / PAGE;
        if let Some(word) = self.met.get_mut(stretch / 64) {
            let bit = 1 << (stretch % 64);
            if *word & bit == 0 {
                *word |= bit;
                self.used += 1;
                self.extent = self.extent.max(stretch + 1);
            }
        }
    }

    /// Puts a node at an index.
    #[inline]
    pub(crate) fn insert(&mut self, index: u32, node: NodeId) {
        match self.at::<true>(index) {
            Some(at) => {
                *at = node;
                self.note(index);
            }
            None => self.insert_on_new_page(index, node),
        }
    }

    #[cold]
    fn insert_on_new_page(&mut self, index: u32, node: NodeId) {
        let (stretch, first) = (index as usize / PAGE, self.pages.len());
        let unmet = self.directory.len()..=stretch;
        self.directory
            .extend(unmet.map(|stretch| way_to(NOWHERE, stretch)));
        self.directory[stretch] = way_to(first as u32, stretch);
        self.pages.resize(first + PAGE, NodeId::NONE);
        self.pages[first + index as usize % PAGE] = node;
        self.used += 1;
        self.extent = self.extent.max(stretch + 1);
    }

    /// What stands at this index is left alone from now on.
    #[inline]
    pub(crate) fn freeze<const PIECE: bool>(&mut self, index: u32) {
        if let Some(node) = self.at::<PIECE>(index)
            && *node != NodeId::NONE
        {
            node.0 |= NodeId::FROZEN;
        }
    }

    /// What the nodes need on pages, wherever they are: what a search needs must not depend on those
    /// before it.
    pub(crate) fn bytes(&self) -> usize {
        self.extent * size_of::<u32>() + self.used * PAGE * size_of::<NodeId>()
    }

    /// Forgets the nodes of so many states, and keeps the memory.
    pub(crate) fn clear(&mut self, states: usize) {
        // Whole words of stretches, so that a stretch whose bit there is lies in the piece.
        let indices = self.extent.next_multiple_of(64) * PAGE;
        let in_one = if indices <= INDICES_A_STATE * states {
            indices
        } else {
            0
        };
        self.piece.clear();
        self.piece.resize(in_one, NodeId::NONE);
        self.met.clear();
        self.met.resize(in_one / (64 * PAGE), 0);
        self.directory.clear();
        self.pages.clear();
        (self.extent, self.used) = (0, 0);
    }
}

/// An open-addressing hash table of node numbers.
///
/// Its buckets are cache lines, whose lanes are compared all at once. So a look-up touches one line
/// of the table and then, nearly always, only the record it is after; and there is no chain of
/// probes to mispredict. Of a hash a bucket keeps a byte, which leaves room for many nodes: a table
/// that is small stays in the cache. What it costs is that growing needs all hashes again.
pub(crate) struct HashedTable {
    /// A power of two of them, or none.
    buckets: Vec<Bucket>,
}

/// The buckets of a table, a power of two of them.
pub(crate) struct Buckets<'a>(&'a mut [Bucket]);

/// The node that a hash stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Candidate {
    /// There was none.
    None,
    /// There is one that may have the same hash, mostly the one that is looked for. It may also be
    /// [`NodeId::NONE`].
    Perhaps(NodeId),
    /// That would take a closer look.
    Unclear,
}

/// A cache line of nodes. Those that find it full go to the next.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket {
    /// The [`tag`] of each lane that is used. The last byte is the number of lanes in use.
    tags: [u8; TAGS],
    nodes: [NodeId; LANES],
}

const LANES: usize = 12;
/// Bytes that are compared at once.
const TAGS: usize = 16;
/// Where the number of lanes in use stands.
const USED: usize = TAGS - 1;

impl Bucket {
    const FREE: Bucket = Bucket {
        tags: [0; TAGS],
        nodes: [NodeId::NONE; LANES],
    };

    /// The lanes that may have this hash, a bit each.
    #[inline]
    fn lanes_like(&self, hash: u32) -> u32 {
        bytes_equal(&self.tags, tag(hash)) & ((1 << LANES) - 1)
    }

    #[inline]
    fn used(&self) -> usize {
        usize::from(self.tags[USED])
    }

    /// The node in the first of some lanes.
    #[inline]
    fn first_of(&self, lanes: u32) -> Option<NodeId> {
        self.nodes.get(lanes.trailing_zeros() as usize).copied()
    }

    /// The node with this hash that is the one looked for.
    #[inline]
    fn find(&self, hash: u32, is_it: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let mut lanes = self.lanes_like(hash);
        while let Some(node) = self.first_of(lanes) {
            // A lane that is free looks like one whose tag is zero.
            if node != NodeId::NONE && is_it(node) {
                return Some(node);
            }
            lanes &= lanes - 1;
        }
        None
    }

    /// Adds a node, if a lane is free.
    #[inline]
    fn push(&mut self, hash: u32, node: NodeId) -> bool {
        let used = self.used();
        let Some(lane) = self.nodes.get_mut(used) else {
            return false;
        };
        *lane = node;
        self.tags[used] = tag(hash);
        self.tags[USED] += 1;
        true
    }
}

/// Which of the bytes are this one, a bit each.
///
/// The one place in this crate that talks to the processor itself: without it, a step to a hashed
/// state takes an eighth more instructions.
#[cfg(target_arch = "x86_64")]
#[inline]
#[allow(unsafe_code)]
fn bytes_equal(bytes: &[u8; TAGS], byte: u8) -> u32 {
    use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_set1_epi32};
    // The same byte four times: spreading them by fours takes fewer steps than one by one.
    let fours = u32::from(byte) * 0x0101_0101;
    // SAFETY: every processor of this architecture has SSE2, and sixteen bytes are there to be read.
    unsafe {
        let bytes = _mm_loadu_si128(bytes.as_ptr().cast());
        let equal = _mm_cmpeq_epi8(bytes, _mm_set1_epi32(fours as i32));
        _mm_movemask_epi8(equal) as u32
    }
}

#[cfg(not(target_arch = "x86_64"))]
use bytes_equal_by_words as bytes_equal;

/// The same on any processor.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline]
fn bytes_equal_by_words(bytes: &[u8; TAGS], byte: u8) -> u32 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    /// Brings the lowest bits of all bytes together in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let equal = |word: u128| {
        let difference = word as u64 ^ (u64::from(byte) * EACH);
        // The highest bit of a byte, unless the byte is zero.
        let differs = ((difference & (EACH * 0x7F)) + EACH * 0x7F) | difference;
        ((!differs >> 7 & EACH).wrapping_mul(GATHER) >> 56) as u32
    };
    let bytes = u128::from_le_bytes(*bytes);
    equal(bytes) | equal(bytes >> 64) << 8
}

/// The byte of a hash that tells lanes apart. The bits that choose the bucket are others, except in
/// enormous tables.
#[inline]
fn tag(hash: u32) -> u8 {
    (hash >> 24) as u8
}

/// A hash of which every bit depends on the whole key.
#[inline]
pub(crate) fn hash<K: Hash>(key: &K) -> u32 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    // The hasher's own last step is meant for tables that use the lowest and the highest bits. The
    // upper half of another product mixes what this one needs: 32 bits that are all good.
    (hasher.finish().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
}

impl HashedTable {
    const FIRST_BUCKETS: usize = 8;

    pub(crate) const fn new() -> Self {
        HashedTable {
            buckets: Vec::new(),
        }
    }

    /// The size of a table with `used` nodes: at most three quarters full, so that few buckets are.
    pub(crate) fn buckets_for(used: usize) -> usize {
        (used * 4)
            .div_ceil(3 * LANES)
            .next_power_of_two()
            .max(Self::FIRST_BUCKETS)
    }

    /// Bytes needed for a table with `used` nodes.
    pub(crate) fn bytes(used: usize) -> usize {
        Self::buckets_for(used) * size_of::<Bucket>()
    }

    /// The buckets themselves, for those who look into many one after the other. There are some once
    /// the start was met.
    #[inline]
    pub(crate) fn buckets(&mut self) -> Buckets<'_> {
        Buckets(&mut self.buckets)
    }

    #[inline(never)]
    pub(crate) fn find(&self, hash: u32, is_it: impl Fn(NodeId) -> bool) -> NodeId {
        let mask = self.buckets.len().wrapping_sub(1);
        let mut at = hash as usize & mask;
        while let Some(bucket) = self.buckets.get(at) {
            if let Some(node) = bucket.find(hash, &is_it) {
                return node;
            }
            if bucket.used() < LANES {
                break;
            }
            at = (at + 1) & mask;
        }
        NodeId::NONE
    }

    /// Whether it must grow before it holds so many nodes.
    #[inline]
    pub(crate) fn is_small_for(&self, used: usize) -> bool {
        used * 4 > self.buckets.len() * LANES * 3
    }

    /// The node with this hash that is the one looked for, or else `new`, which is put there. There
    /// must be room.
    #[inline]
    pub(crate) fn find_or_insert(
        &mut self,
        hash: u32,
        new: NodeId,
        is_it: impl Fn(NodeId) -> bool,
    ) -> NodeId {
        let mask = self.buckets.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let bucket = &mut self.buckets[at];
            if let Some(node) = bucket.find(hash, &is_it) {
                return node;
            }
            if bucket.push(hash, new) {
                return new;
            }
            at = (at + 1) & mask;
        }
    }

    /// Lets `new` stand for the state that `old` stood for.
    pub(crate) fn replace(&mut self, hash: u32, old: NodeId, new: NodeId) {
        let mask = self.buckets.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let nodes = &mut self.buckets[at].nodes;
            if let Some(node) = nodes.iter_mut().find(|node| **node == old) {
                *node = new;
                return;
            }
            at = (at + 1) & mask;
        }
    }

    /// Makes room for `used` nodes. Those it holds must be put there again.
    pub(crate) fn grow(
        &mut self,
        used: usize,
        nodes_and_hashes: impl Iterator<Item = (NodeId, u32)>,
    ) {
        let buckets = Self::buckets_for(used);
        if self.buckets.capacity() < buckets {
            // The old buckets go first, so that there are never both.
            drop(std::mem::take(&mut self.buckets));
        }
        self.buckets.clear();
        self.buckets.resize(buckets, Bucket::FREE);
        for (node, hash) in nodes_and_hashes {
            self.find_or_insert(hash, node, |_| false);
        }
    }

    /// Forgets all nodes, of which there were `used`, and keeps the memory. After a search that was
    /// much shorter than those before it, the table becomes smaller: so clearing never costs much
    /// more than the searches did.
    pub(crate) fn clear(&mut self, used: usize) {
        if Self::buckets_for(used) * 2 < self.buckets.len() {
            self.buckets.truncate(self.buckets.len() / 2);
        }
        self.buckets.fill(Bucket::FREE);
    }
}

impl Buckets<'_> {
    #[inline]
    fn place(&self, hash: u32) -> usize {
        hash as usize & (self.0.len() - 1)
    }

    /// Looks at where a hash belongs, to have it at hand.
    #[inline]
    pub(crate) fn touch(&self, hash: u32) -> usize {
        self.0[self.place(hash)].used()
    }

    /// What a look at the bucket where a hash belongs tells. If it tells that there is no node, `new`
    /// is put there.
    #[inline]
    pub(crate) fn look_or_insert(&mut self, hash: u32, new: NodeId) -> Candidate {
        let at = self.place(hash);
        let bucket = &mut self.0[at];
        if let Some(node) = bucket.first_of(bucket.lanes_like(hash)) {
            Candidate::Perhaps(node)
        } else if bucket.push(hash, new) {
            Candidate::None
        } else {
            Candidate::Unclear
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    /// A table under test, and what it should hold: for each node its hash.
    struct Tested {
        table: HashedTable,
        /// The node that stands for each state.
        nodes: HashMap<u32, NodeId>,
        /// The state of each node, and its hash.
        states: Vec<(u32, u32)>,
    }

    impl Tested {
        fn new() -> Tested {
            Tested {
                table: HashedTable::new(),
                nodes: HashMap::new(),
                states: Vec::new(),
            }
        }

        /// Meets a state. Many states share a hash, and many hashes a bucket.
        fn meet(&mut self, state: u32, hash: u32) {
            let new = NodeId(self.states.len() as u32);
            let states = &self.states;
            let used = self.nodes.len() + 1;
            if self.table.is_small_for(used) {
                let held = self.nodes.values();
                let hashed = held.map(|node| (*node, states[node.index()].1));
                self.table.grow(used, hashed);
            }
            let is_it = |node: NodeId| states.get(node.index()).is_some_and(|held| held.0 == state);
            // The first candidate may stand for another state.
            let found = match self.table.buckets().look_or_insert(hash, new) {
                Candidate::None => new,
                Candidate::Perhaps(node) if is_it(node) => node,
                Candidate::Perhaps(_) | Candidate::Unclear => {
                    self.table.find_or_insert(hash, new, is_it)
                }
            };
            if found == new {
                self.states.push((state, hash));
            }
            assert_eq!(found, *self.nodes.entry(state).or_insert(new));
        }

        fn renew(&mut self, state: u32, hash: u32) {
            let new = NodeId(self.states.len() as u32);
            if let Some(node) = self.nodes.get_mut(&state) {
                self.table.replace(hash, *node, new);
                *node = new;
                self.states.push((state, hash));
            }
        }

        fn clear(&mut self) {
            self.table.clear(self.nodes.len());
            self.nodes.clear();
            self.states.clear();
        }

        fn check(&self, state: u32, hash: u32) {
            let known = self.nodes.get(&state).copied().unwrap_or(NodeId::NONE);
            let found = self
                .table
                .find(hash, |node| self.states[node.index()].0 == state);
            assert_eq!(found, known);
        }
    }

    proptest! {
        #[test]
        fn bytes_are_compared_alike_on_all_processors(
            bytes in prop_oneof![any::<[u8; TAGS]>(), prop::array::uniform16(0u8..3)],
            byte in prop_oneof![any::<u8>(), 0u8..3],
        ) {
            let plainly = (0..TAGS).filter(|at| bytes[*at] == byte).map(|at| 1 << at).sum::<u32>();
            prop_assert_eq!(bytes_equal(&bytes, byte), plainly);
            prop_assert_eq!(bytes_equal_by_words(&bytes, byte), plainly);
        }

        #[test]
        fn pages_hold_what_was_put_on_them(
            deeds in prop::collection::vec((0u8..100, prop_oneof![0u32..300, 0u32..50_000]), 0..1_000),
        ) {
            let mut table = DenseTable::new();
            let mut nodes: HashMap<u32, NodeId> = HashMap::new();
            for (number, (deed, index)) in deeds.into_iter().enumerate() {
                match deed {
                    0 => {
                        // As many as it takes for all of them to be in one piece, or as there were.
                        let states = if index % 2 == 0 { 50_000 } else { nodes.len() };
                        table.clear(states);
                        nodes.clear();
                    }
                    1..20 => {
                        table.freeze::<true>(index);
                        nodes.entry(index).and_modify(|node| node.0 |= NodeId::FROZEN);
                    }
                    _ => {
                        let node = NodeId::from_index(number);
                        table.insert(index, node);
                        nodes.insert(index, node);
                    }
                }
                for near in index.saturating_sub(20)..index + 20 {
                    let known = nodes.get(&near).copied().unwrap_or(NodeId::NONE);
                    prop_assert_eq!(table.find(near), known);
                }
            }
            // It counts the same as one that was never cleared.
            let mut fresh = DenseTable::new();
            nodes.iter().for_each(|(index, node)| fresh.insert(*index, *node));
            prop_assert_eq!(table.bytes(), fresh.bytes());
            let held = size_of_val(fresh.directory.as_slice()) + size_of_val(fresh.pages.as_slice());
            prop_assert_eq!(fresh.bytes(), held);
        }

        #[test]
        fn the_table_finds_what_was_put_into_it(
            deeds in prop::collection::vec((0u8..100, 0u32..2_000), 0..3_000),
            spread in prop_oneof![Just(0u32), Just(1), Just(1 << 24), Just(0x9E37_79B9)],
        ) {
            let mut tested = Tested::new();
            // Hashes from all alike to all different, with tags that are zero among them.
            let hash = |state: u32| (state / 2).wrapping_mul(spread);
            // All alike is slow: every look-up passes all nodes.
            let limit = if spread == 0 { 60 } else { 2_000 };
            for (deed, state) in deeds {
                let state = state % limit;
                match deed {
                    0 => tested.clear(),
                    1..10 => tested.renew(state, hash(state)),
                    _ => tested.meet(state, hash(state)),
                }
                tested.check(state, hash(state));
            }
            for state in 0..limit {
                tested.check(state, hash(state));
            }
        }
    }

    #[test]
    fn a_table_that_is_too_large_becomes_smaller_bit_by_bit() {
        let mut tested = Tested::new();
        let hash = |state: u32| state.wrapping_mul(0x9E37_79B9);
        for state in 0..10_000 {
            tested.meet(state, hash(state));
        }
        let (buckets, memory) = (tested.table.buckets.len(), tested.table.buckets.capacity());
        tested.clear();
        assert_eq!(
            tested.table.buckets.len(),
            buckets,
            "the next search may be as long"
        );
        for round in 0..20 {
            let before = tested.table.buckets.len();
            for state in 0..20 {
                tested.meet(state + round, hash(state + round));
            }
            (0..100).for_each(|state| tested.check(state, hash(state)));
            tested.clear();
            assert!(tested.table.buckets.len() >= before / 2);
            let free = |bucket: &Bucket| bucket.used() == 0;
            assert!(tested.table.buckets.iter().all(free));
        }
        assert!(tested.table.buckets.len() <= 2 * HashedTable::FIRST_BUCKETS);
        for state in 0..10_000 {
            tested.meet(state, hash(state));
        }
        assert_eq!(
            tested.table.buckets.capacity(),
            memory,
            "the memory is kept"
        );
    }
}
