//! From the hash of a key to the node that stands for it.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::nodes::NodeId;
use crate::shelves::{AT_ONCE, SHELF, Shelves};

/// An open-addressing hash table of node numbers.
///
/// Its buckets are cache lines, whose lanes are compared all at once. So a look-up touches one line
/// of the table and then, nearly always, only the record it is after; and there is no chain of
/// probes to mispredict. Of a hash a bucket keeps a byte, which leaves room for many nodes: a table
/// that is small stays in the cache.
///
/// It grows a little at a time (the idea is that of linear hashing: Litwin, 1980). Eight buckets are a
/// family, and whenever some more nodes were met, the first family that was not parted yet is parted
/// in two. Those that find their bucket full go to another of the same family, so that nobody else is
/// concerned. What it costs is that the hashes of nodes are kept, as long as it grows.
pub(crate) struct HashedTable {
    /// The first buckets, in one piece.
    piece: Vec<Bucket>,
    /// The piece that is being made.
    next_piece: Vec<Bucket>,
    /// The others.
    others: Vec<Box<[Bucket; TOGETHER]>>,
    /// How many buckets there are: a power of two of them and, while it grows, as many more as were
    /// parted.
    len: usize,
    /// The bits of a hash that tell buckets apart, but for one more where a family was parted.
    narrow: usize,
    /// How many nodes it may hold before it grows.
    fits: usize,
    /// Whether all is in one piece and nothing was parted since the table was cleared.
    is_one: bool,
    /// Buckets of other generations are empty, unless all is in one piece: so a large table is cleared
    /// in no time.
    generation: u16,
    /// Nodes whose family is full, with their hashes. Hardly ever are there any.
    spilled: Vec<(u32, NodeId)>,
    /// The hashes of the nodes from this one on.
    hashes: Shelves<u32>,
    hashes_from: usize,
}

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

/// A cache line of nodes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket {
    /// The [`tag`] of each lane that is used, then the generation, then the number of lanes in use.
    tags: [u8; TAGS],
    nodes: [NodeId; LANES],
}

const LANES: usize = 12;
/// Bytes that are compared at once.
const TAGS: usize = 16;
/// Where the generation stands.
const GENERATION: usize = LANES;
/// Where the number of lanes in use stands.
const USED: usize = TAGS - 1;
/// Buckets in a family: so few that it is parted in no time, and so many that hardly ever all of them
/// are full.
const FAMILY: usize = 8;
/// Buckets that are kept in one piece, at most. It is emptied whenever the table is cleared, which
/// should take less than a millisecond.
const PIECE: usize = (8 << 20) / size_of::<Bucket>();
/// Buckets that are got together: a shelf of them. With fewer, the processor would have to look up
/// many more addresses.
const TOGETHER: usize = SHELF / size_of::<Bucket>();
/// How many nodes there are for each family when the first of them is parted, and when the last one
/// is. So one is parted for every twelve nodes, and at most three quarters of its lanes are in use on
/// average.
const BEGIN: usize = 60;
const END: usize = 72;

impl Bucket {
    fn free(generation: u16) -> Bucket {
        let mut tags = [0; TAGS];
        tags[GENERATION..][..2].copy_from_slice(&generation.to_ne_bytes());
        Bucket {
            tags,
            nodes: [NodeId::NONE; LANES],
        }
    }

    #[inline]
    fn is_of(&self, generation: u16) -> bool {
        u16::from_ne_bytes([self.tags[GENERATION], self.tags[GENERATION + 1]]) == generation
    }

    /// Makes it one of this generation, which is free if it wasn't.
    #[inline]
    fn renew(&mut self, generation: u16) {
        if !self.is_of(generation) {
            self.empty(generation);
        }
    }

    #[cold]
    #[inline(never)]
    fn empty(&mut self, generation: u16) {
        *self = Bucket::free(generation);
    }

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

    #[inline(always)]
    fn look_or_insert(&mut self, hash: u32, new: NodeId) -> Candidate {
        if let Some(node) = self.first_of(self.lanes_like(hash)) {
            Candidate::Perhaps(node)
        } else if self.push(hash, new) {
            Candidate::None
        } else {
            Candidate::Unclear
        }
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

/// The buckets of a table, for those who look into many one after the other.
pub(crate) trait Buckets {
    /// Looks at where a hash belongs, to have it at hand.
    fn touch(&mut self, hash: u32) -> usize;

    /// What a look at the bucket where a hash belongs tells. If it tells that there is no node, `new`
    /// is put there.
    fn look_or_insert(&mut self, hash: u32, new: NodeId) -> Candidate;
}

/// All of them in one piece, a power of two of them.
pub(crate) struct InOne<'a>(&'a mut [Bucket]);

/// They may be anywhere.
pub(crate) struct Anywhere<'a>(&'a mut HashedTable);

impl InOne<'_> {
    #[inline(always)]
    fn home(&mut self, hash: u32) -> &mut Bucket {
        let at = hash as usize & (self.0.len() - 1);
        &mut self.0[at]
    }
}

impl Buckets for InOne<'_> {
    #[inline(always)]
    fn touch(&mut self, hash: u32) -> usize {
        self.home(hash).used()
    }

    #[inline(always)]
    fn look_or_insert(&mut self, hash: u32, new: NodeId) -> Candidate {
        self.home(hash).look_or_insert(hash, new)
    }
}

impl Buckets for Anywhere<'_> {
    #[inline(always)]
    fn touch(&mut self, hash: u32) -> usize {
        self.0.bucket(self.0.place(hash)).used()
    }

    #[inline(always)]
    fn look_or_insert(&mut self, hash: u32, new: NodeId) -> Candidate {
        let (at, generation) = (self.0.place(hash), self.0.generation);
        let bucket = self.0.bucket_mut(at);
        bucket.renew(generation);
        bucket.look_or_insert(hash, new)
    }
}

/// Some buckets that are being filled.
struct Family([Bucket; FAMILY]);

impl Family {
    /// Adds a node, if there is room.
    #[inline]
    fn push(&mut self, hash: u32, node: NodeId) -> bool {
        let first = hash as usize;
        (first..first + FAMILY).any(|at| self.0[at % FAMILY].push(hash, node))
    }
}

/// The buckets of a family, beginning with this one.
#[inline]
fn family_of(bucket: usize) -> impl Iterator<Item = usize> {
    let first = bucket / FAMILY * FAMILY;
    (bucket..bucket + FAMILY).map(move |member| first + member % FAMILY)
}

impl HashedTable {
    pub(crate) const fn new() -> Self {
        HashedTable {
            piece: Vec::new(),
            next_piece: Vec::new(),
            others: Vec::new(),
            len: 0,
            narrow: 0,
            fits: 0,
            is_one: false,
            generation: 0,
            spilled: Vec::new(),
            hashes: Shelves::new(),
            hashes_from: 0,
        }
    }

    /// How many buckets a table with `used` nodes has.
    fn buckets_for(used: usize) -> usize {
        let families = used.div_ceil(END).max(1).next_power_of_two();
        let parted = used.saturating_sub(BEGIN * families).div_ceil(END - BEGIN);
        (families + parted) * FAMILY
    }

    /// Bytes needed for a table with `used` of so many nodes.
    pub(crate) fn bytes(used: usize, nodes: usize) -> usize {
        Self::buckets_for(used) * size_of::<Bucket>() + nodes * size_of::<u32>()
    }

    /// Whether all is in one piece and nothing was parted since the table was cleared.
    #[inline]
    pub(crate) fn is_one(&self) -> bool {
        self.is_one
    }

    /// The buckets, where they are [in one piece](Self::is_one).
    #[inline(always)]
    pub(crate) fn in_one(&mut self) -> InOne<'_> {
        InOne(&mut self.piece)
    }

    /// The buckets, wherever they are.
    #[inline(always)]
    pub(crate) fn anywhere(&mut self) -> Anywhere<'_> {
        Anywhere(self)
    }

    /// Where a hash belongs.
    #[inline]
    fn place(&self, hash: u32) -> usize {
        let wide = 2 * self.narrow + 1;
        let at = hash as usize & wide;
        // Nobody could predict this, so it is no branch: beyond the last bucket, one bit less counts.
        at & wide >> u32::from(at >= self.len)
    }

    #[inline(always)]
    fn bucket(&self, at: usize) -> &Bucket {
        match self.piece.get(at) {
            Some(bucket) => bucket,
            None => {
                let beyond = at - self.piece.len();
                &self.others[beyond / TOGETHER][beyond % TOGETHER]
            }
        }
    }

    #[inline(always)]
    fn bucket_mut(&mut self, at: usize) -> &mut Bucket {
        let in_piece = self.piece.len();
        if at < in_piece {
            &mut self.piece[at]
        } else {
            let beyond = at - in_piece;
            &mut self.others[beyond / TOGETHER][beyond % TOGETHER]
        }
    }

    #[inline(never)]
    pub(crate) fn find(&self, hash: u32, is_it: impl Fn(NodeId) -> bool) -> NodeId {
        if self.len == 0 {
            return NodeId::NONE;
        }
        for at in family_of(self.place(hash)) {
            let bucket = self.bucket(at);
            if !bucket.is_of(self.generation) {
                return NodeId::NONE;
            }
            if let Some(node) = bucket.find(hash, &is_it) {
                return node;
            }
            if bucket.used() < LANES {
                return NodeId::NONE;
            }
        }
        self.find_spilled(hash, is_it).unwrap_or(NodeId::NONE)
    }

    fn find_spilled(&self, hash: u32, is_it: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let alike = self.spilled.iter().filter(|(other, _)| *other == hash);
        let mut nodes = alike.map(|(_, node)| *node);
        nodes.find(|node| is_it(*node))
    }

    /// Whether it must grow before it holds so many nodes.
    #[inline]
    pub(crate) fn is_small_for(&self, used: usize) -> bool {
        used > self.fits
    }

    /// The node with this hash that is the one looked for, or else `new`, which is put there.
    #[inline]
    pub(crate) fn find_or_insert(
        &mut self,
        hash: u32,
        new: NodeId,
        is_it: impl Fn(NodeId) -> bool,
    ) -> NodeId {
        let generation = self.generation;
        for at in family_of(self.place(hash)) {
            let bucket = self.bucket_mut(at);
            bucket.renew(generation);
            if let Some(node) = bucket.find(hash, &is_it) {
                return node;
            }
            if bucket.push(hash, new) {
                return new;
            }
        }
        if let Some(node) = self.find_spilled(hash, is_it) {
            return node;
        }
        self.spilled.push((hash, new));
        new
    }

    /// Lets `new` stand for the state that `old` stood for.
    pub(crate) fn replace(&mut self, hash: u32, old: NodeId, new: NodeId) {
        for at in family_of(self.place(hash)) {
            let bucket = self.bucket_mut(at);
            let used = bucket.used();
            if let Some(node) = bucket.nodes[..used].iter_mut().find(|node| **node == old) {
                *node = new;
                return;
            }
        }
        if let Some((_, node)) = self.spilled.iter_mut().find(|(_, node)| *node == old) {
            *node = new;
        }
    }

    /// Keeps the hash of the node that was made last, if the table grows. It must be told of all of
    /// them.
    #[inline]
    pub(crate) fn keep_hash(&mut self, hash: u32) {
        if !self.is_one {
            self.hashes.push(hash);
        }
    }

    /// Grows by a family, where there are so many nodes. Some change places for it, and it is asked
    /// for their hashes if they were not kept.
    pub(crate) fn grow(&mut self, nodes: usize, hash_of: impl Fn(NodeId) -> u32) {
        if self.is_one || self.len == 0 {
            (self.is_one, self.hashes_from) = (false, nodes);
        }
        let (new, bit) = (self.len, self.narrow as u32 + 1);
        self.add_family();
        if let Some(first) = new.checked_sub(self.narrow + 1) {
            self.part(first, new, bit, hash_of);
        }
        if self.len >= 2 * (self.narrow + 1) {
            self.narrow = self.len - 1;
        }
        self.note_size();
    }

    /// Adds some buckets, whatever is in them.
    fn add_family(&mut self) {
        let beyond = self.len - self.piece.len();
        let free = Bucket::free(self.generation);
        if beyond == 0 && self.len < TOGETHER {
            self.piece.extend([free; FAMILY]);
        } else if beyond / TOGETHER == self.others.len() {
            if self.len == TOGETHER && self.others.is_empty() {
                // Where some are in a piece and others are not, nobody can predict where one is.
                let piece = std::mem::take(&mut self.piece);
                self.others.extend(piece.into_boxed_slice().try_into());
            }
            let more = vec![free; TOGETHER];
            self.others.extend(more.into_boxed_slice().try_into());
        }
        self.len += FAMILY;
    }

    /// Parts the family that begins at `first`: nodes that have this bit in their hash go to the one
    /// that begins at `new`.
    fn part(&mut self, first: usize, new: usize, bit: u32, hash_of: impl Fn(NodeId) -> u32) {
        let generation = self.generation;
        let mut staying = Family([Bucket::free(generation); FAMILY]);
        let mut leaving = Family([Bucket::free(generation); FAMILY]);
        for at in first..first + FAMILY {
            let bucket = *self.bucket(at);
            if !bucket.is_of(generation) {
                continue;
            }
            for node in &bucket.nodes[..bucket.used()] {
                let kept = node.index().checked_sub(self.hashes_from);
                let kept = kept.and_then(|number| self.hashes.get(number));
                let hash = kept.copied().unwrap_or_else(|| hash_of(*node));
                let family = if hash & bit == 0 {
                    &mut staying
                } else {
                    &mut leaving
                };
                // There is room for all that were together before.
                family.push(hash, *node);
            }
        }
        for member in 0..FAMILY {
            *self.bucket_mut(first + member) = staying.0[member];
            *self.bucket_mut(new + member) = leaving.0[member];
        }
        if !self.spilled.is_empty() {
            for (hash, node) in std::mem::take(&mut self.spilled) {
                self.find_or_insert(hash, node, |_| false);
            }
        }
    }

    fn note_size(&mut self) {
        let families = (self.narrow + 1) / FAMILY;
        let parted = self.len / FAMILY - families;
        self.fits = BEGIN * families + (END - BEGIN) * parted;
    }

    /// Forgets all nodes, of which there were `used`, and keeps the memory. After a search that was
    /// much shorter than those before it, the table becomes smaller, so that short searches find it in
    /// the cache.
    pub(crate) fn clear(&mut self, used: usize) {
        if self.len == 0 {
            return;
        }
        self.spilled.clear();
        self.hashes.clear();
        if Self::buckets_for(used) * 2 < self.len {
            self.len = self.len.next_power_of_two() / 2;
            self.narrow = self.len - 1;
            self.piece.truncate(self.len);
        }
        let mut whole = self.len.next_power_of_two();
        if whole == 2 * PIECE && self.len < whole {
            whole = PIECE;
        }
        if whole <= PIECE && self.has_piece_for(whole) {
            self.piece.clear();
            self.piece.resize(whole, Bucket::free(self.generation));
            (self.len, self.narrow, self.is_one) = (whole, whole - 1, true);
            let kept = self.others.len().saturating_sub(AT_ONCE / SHELF);
            self.others.truncate(kept);
        } else {
            (self.is_one, self.hashes_from) = (false, 0);
            self.begin_generation();
        }
        self.note_size();
    }

    /// Whether the piece has room for so many buckets. What has grown may be needed again, and is then
    /// found in one piece. A large one is made bit by bit, whenever the table is cleared.
    fn has_piece_for(&mut self, buckets: usize) -> bool {
        if self.piece.capacity() >= buckets {
            return true;
        }
        if self.next_piece.capacity() < buckets {
            self.next_piece = Vec::with_capacity(buckets);
        }
        let len = self.next_piece.len() + AT_ONCE / size_of::<Bucket>();
        let free = Bucket::free(self.generation);
        self.next_piece.resize(len.min(buckets), free);
        let is_made = self.next_piece.len() == buckets;
        if is_made {
            self.piece = std::mem::take(&mut self.next_piece);
        }
        is_made
    }

    /// Makes all buckets old, and so empty.
    fn begin_generation(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            // There must be none left from when it was 0 before.
            let free = Bucket::free(0);
            self.piece.fill(free);
            self.others.iter_mut().for_each(|others| others.fill(free));
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
            while self.table.is_small_for(used) {
                let nodes = states.len();
                self.table.grow(nodes, |node| states[node.index()].1);
            }
            let is_it = |node: NodeId| states.get(node.index()).is_some_and(|held| held.0 == state);
            // The first candidate may stand for another state.
            let mut buckets = self.table.anywhere();
            buckets.touch(hash);
            let found = match buckets.look_or_insert(hash, new) {
                Candidate::None => new,
                Candidate::Perhaps(node) if is_it(node) => node,
                Candidate::Perhaps(_) | Candidate::Unclear => {
                    self.table.find_or_insert(hash, new, is_it)
                }
            };
            if found == new {
                self.push(state, hash);
            }
            assert_eq!(found, *self.nodes.entry(state).or_insert(new));
        }

        fn renew(&mut self, state: u32, hash: u32) {
            let new = NodeId(self.states.len() as u32);
            if let Some(node) = self.nodes.get_mut(&state) {
                self.table.replace(hash, *node, new);
                *node = new;
                self.push(state, hash);
            }
        }

        fn push(&mut self, state: u32, hash: u32) {
            self.states.push((state, hash));
            self.table.keep_hash(hash);
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
        let buckets = tested.table.len;
        tested.clear();
        let whole = tested.table.len;
        assert_eq!(
            whole,
            buckets.next_power_of_two(),
            "the next search may be as long"
        );
        for round in 0..20 {
            let before = tested.table.len;
            for state in 0..20 {
                tested.meet(state + round, hash(state + round));
            }
            (0..100).for_each(|state| tested.check(state, hash(state)));
            tested.clear();
            assert!(tested.table.len >= before / 2);
            (0..100).for_each(|state| tested.check(state, hash(state)));
        }
        assert!(tested.table.len <= 2 * FAMILY);
    }
}
