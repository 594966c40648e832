//! From a key to the node that stands for it: by its number, or by its hash.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::nodes::NodeId;

/// Node numbers by index, a page at a time: indices far beyond what a search comes to cost it only
/// their place in a directory.
pub(crate) struct DenseTable {
    /// For each stretch of indices what must be added to one to get its place on the pages, which is
    /// [`NOWHERE`] or beyond where nothing was met.
    directory: Vec<u32>,
    /// One after the other.
    pages: Vec<NodeId>,
}

/// Indices on a page: a cache line of them. Longer pages would be emptier, and shorter ones make the
/// directory longer.
const PAGE: usize = 16;
/// A place that no page reaches.
const NOWHERE: u32 = u32::MAX - (PAGE as u32 - 1);

/// What leads from the indices of a stretch to a page that begins at `first`.
#[inline]
fn way_to(first: u32, stretch: usize) -> u32 {
    first.wrapping_sub((stretch * PAGE) as u32)
}

impl DenseTable {
    pub(crate) const fn new() -> Self {
        DenseTable {
            directory: Vec::new(),
            pages: Vec::new(),
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
        let node = self.pages.get(self.place(index));
        node.copied().unwrap_or(NodeId::NONE)
    }

    #[inline]
    pub(crate) fn insert(&mut self, index: u32, node: NodeId) {
        let place = self.place(index);
        match self.pages.get_mut(place) {
            Some(at) => *at = node,
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
    }

    /// What stands at this index is left alone from now on.
    #[inline]
    pub(crate) fn freeze(&mut self, index: u32) {
        let place = self.place(index);
        if let Some(node) = self.pages.get_mut(place)
            && *node != NodeId::NONE
        {
            node.0 |= NodeId::FROZEN;
        }
    }

    /// Nothing is left alone any more.
    pub(crate) fn thaw(&mut self) {
        for node in &mut self.pages {
            node.0 &= !NodeId::FROZEN;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.directory.as_slice()) + size_of_val(self.pages.as_slice())
    }

    /// Forgets all nodes, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.directory.clear();
        self.pages.clear();
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
    /// In which groups of buckets something may be. A short search in a large table clears only
    /// these.
    touched: Vec<bool>,
}

/// The node that a hash stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Candidate {
    /// There was none.
    None,
    /// There is one that may have the same hash, mostly the one that is looked for.
    Perhaps(NodeId),
    /// That would take a closer look.
    Unclear,
}

/// A cache line of nodes. Those that find it full go to the next.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket {
    /// The [`tag`] of each lane that is used, zero for the others. The last byte is the number of
    /// lanes in use.
    tags: [u8; TAGS],
    nodes: [NodeId; LANES],
}

const LANES: usize = 12;
/// Two words, which are compared byte by byte at once.
const TAGS: usize = 16;
/// Where the number of lanes in use stands.
const USED: usize = TAGS - 1;
/// Buckets in a group; no more than the smallest table has.
const GROUP: usize = 8;
/// Groups that are looked at together.
const GROUPS: usize = 64;

impl Bucket {
    const FREE: Bucket = Bucket {
        tags: [0; TAGS],
        nodes: [NodeId::NONE; LANES],
    };

    /// The lanes that may have this hash, a bit each: see [`lane_of`].
    #[inline]
    fn lanes_like(&self, hash: u32) -> u64 {
        const EACH: u64 = 0x0101_0101_0101_0101;
        let [low, high] = self.tags.as_chunks().0 else {
            unreachable!("two words of eight bytes");
        };
        let sought = u64::from(tag(hash)) * EACH;
        // A byte of the difference is zero where the tag is the same, and only a byte that is zero,
        // or comes after one that is, can borrow.
        let like = |tags: &[u8; 8]| {
            let difference = u64::from_le_bytes(*tags) ^ sought;
            difference.wrapping_sub(EACH) & !difference
        };
        like(low) & (EACH << 7) | (like(high) & (EACH << 7) & u64::from(u32::MAX)) >> 1
    }

    #[inline]
    fn used(&self) -> usize {
        usize::from(self.tags[USED])
    }

    /// The node in the first of some lanes.
    #[inline]
    fn first_of(&self, lanes: u64) -> Option<NodeId> {
        if lanes == 0 {
            return None;
        }
        self.nodes.get(lane_of(lanes.trailing_zeros())).copied()
    }

    /// The node with this hash that is the one looked for.
    #[inline]
    fn find(&self, hash: u32, is_it: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let mut lanes = self.lanes_like(hash);
        while let Some(node) = self.first_of(lanes) {
            // A lane after the right one may be taken for it though it is free.
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

/// The lane that a bit stands for: the highest bit of a byte for the first eight, the one below it for
/// the others.
#[inline]
fn lane_of(bit: u32) -> usize {
    (bit / 8 + (bit + 1) % 2 * 8) as usize
}

/// The byte of a hash that tells lanes apart; never that of a lane that is free. The bits that
/// choose the bucket are others, except in enormous tables.
#[inline]
fn tag(hash: u32) -> u8 {
    ((hash >> 24) as u8).max(1)
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
            touched: Vec::new(),
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
        Self::buckets_for(used) * size_of::<Bucket>() + Self::buckets_for(used) / GROUP
    }

    /// Looks at where a hash belongs, to have it at hand. There must be buckets, as there are once the
    /// start was met.
    #[inline]
    pub(crate) fn touch(&self, hash: u32) -> usize {
        self.buckets[hash as usize & (self.buckets.len() - 1)].used()
    }

    /// What a look at the bucket where a hash belongs tells. If it tells that there is no node, `new`
    /// is put there.
    #[inline]
    pub(crate) fn look_or_insert(&mut self, hash: u32, new: NodeId) -> Candidate {
        let at = hash as usize & (self.buckets.len() - 1);
        let bucket = &mut self.buckets[at];
        if let Some(node) = bucket.first_of(bucket.lanes_like(hash)) {
            Candidate::Perhaps(node)
        } else if bucket.push(hash, new) {
            self.touched[at / GROUP] = true;
            Candidate::None
        } else {
            Candidate::Unclear
        }
    }

    #[inline(never)]
    pub(crate) fn find(&self, hash: u32, is_it: impl Fn(NodeId) -> bool) -> NodeId {
        let mask = self.buckets.len().wrapping_sub(1);
        let mut at = hash as usize;
        while let Some(bucket) = self.buckets.get(at & mask) {
            if let Some(node) = bucket.find(hash, &is_it) {
                return node;
            }
            if bucket.used() < LANES {
                break;
            }
            at += 1;
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
                self.touched[at / GROUP] = true;
                return new;
            }
            at = (at + 1) & mask;
        }
    }

    /// Lets `new` stand for the state that `old` stood for.
    pub(crate) fn replace(&mut self, hash: u32, old: NodeId, new: NodeId) {
        let mask = self.buckets.len() - 1;
        let mut at = hash as usize;
        loop {
            let nodes = &mut self.buckets[at & mask].nodes;
            if let Some(node) = nodes.iter_mut().find(|node| **node == old) {
                *node = new;
                return;
            }
            at += 1;
        }
    }

    /// Makes room for `used` nodes. Those it holds must be put there again.
    pub(crate) fn grow(
        &mut self,
        used: usize,
        nodes_and_hashes: impl Iterator<Item = (NodeId, u32)>,
    ) {
        // The old buckets go first, so that there are never both.
        drop(std::mem::take(&mut self.buckets));
        self.buckets = vec![Bucket::FREE; Self::buckets_for(used)];
        self.touched.clear();
        self.touched.resize(self.buckets.len() / GROUP, false);
        for (node, hash) in nodes_and_hashes {
            self.find_or_insert(hash, node, |_| false);
        }
    }

    pub(crate) fn clear(&mut self) {
        // Looking at many groups at once is quick where nothing was touched.
        for (buckets, touched) in self
            .buckets
            .chunks_mut(GROUP * GROUPS)
            .zip(self.touched.chunks_mut(GROUPS))
        {
            if touched.contains(&true) {
                for (buckets, touched) in buckets.chunks_mut(GROUP).zip(touched) {
                    if std::mem::take(touched) {
                        buckets.fill(Bucket::FREE);
                    }
                }
            }
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
            let is_it = |node: NodeId| states[node.index()].0 == state;
            // The first candidate may stand for another state.
            let found = match self.table.look_or_insert(hash, new) {
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
            self.table.clear();
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
        fn pages_hold_what_was_put_on_them(
            deeds in prop::collection::vec((0u8..100, prop_oneof![0u32..300, 0u32..50_000]), 0..1_000),
        ) {
            let mut table = DenseTable::new();
            let mut nodes: HashMap<u32, NodeId> = HashMap::new();
            for (number, (deed, index)) in deeds.into_iter().enumerate() {
                match deed {
                    0 => {
                        table.clear();
                        nodes.clear();
                    }
                    1 => {
                        table.thaw();
                        nodes.values_mut().for_each(|node| node.0 &= !NodeId::FROZEN);
                    }
                    2..20 => {
                        table.freeze(index);
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
            let most = nodes.len() * PAGE * size_of::<NodeId>() + 50_000 / PAGE * size_of::<u32>();
            prop_assert!(table.bytes() <= most + 2 * PAGE * size_of::<NodeId>());
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
    fn a_large_table_is_cleared_of_a_few_nodes() {
        let mut tested = Tested::new();
        let hash = |state: u32| state.wrapping_mul(0x9E37_79B9);
        for state in 0..10_000 {
            tested.meet(state, hash(state));
        }
        let buckets = tested.table.buckets.len();
        for round in 0..5 {
            tested.clear();
            for state in 0..20 {
                tested.meet(state + round, hash(state + round));
            }
            (0..100).for_each(|state| tested.check(state, hash(state)));
        }
        assert_eq!(tested.table.buckets.len(), buckets, "the memory is kept");
        tested.clear();
        let free = |bucket: &Bucket| bucket.tags == Bucket::FREE.tags;
        assert!(tested.table.buckets.iter().all(free));
    }
}
