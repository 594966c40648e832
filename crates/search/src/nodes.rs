//! Every state a search has met, the cheapest way to it, and the one relax step all searches share.
//!
//! A state becomes a number, its [`NodeId`], on first sight; everything else is an array by that
//! number. Once a node is expanded it never changes: a cheaper way found later makes a new node for
//! the same state. So every node's parent is exactly the node it was generated from, a path's cost
//! is exactly the sum of its steps, and in continuous worlds every step of a path really leads to
//! the next state.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::problem::Successor;
use crate::{Cost, Expansion, Path, Problem, Successors};

/// The number a search gives a state when it meets it.
///
/// ```
/// use apprentice_search::NodeId;
///
/// fn remember(node: NodeId) -> usize {
///     node.index()
/// }
/// # let _ = remember;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    const NONE: NodeId = NodeId(NodeId::FROZEN - 1);
    /// Set in the table that finds nodes, never in a node's own number: this node is left alone
    /// from now on, so there is no need to look at it.
    const FROZEN: u32 = 1 << 31;

    #[inline]
    pub(crate) const fn from_index(index: usize) -> NodeId {
        NodeId(index as u32)
    }

    #[inline]
    const fn is_frozen(self) -> bool {
        self.0 & NodeId::FROZEN != 0
    }

    /// The number, counting from 0 in the order states were met.
    ///
    /// ```
    /// # use apprentice_search::NodeId;
    /// # fn for_any(node: NodeId) {
    /// let position_in_my_own_table = node.index();
    /// # }
    /// ```
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Something true of a node. Marks are combined with `|`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Marks(u32);

impl Marks {
    pub(crate) const NOTHING: Marks = Marks(0);
    /// Its successors were listed.
    pub(crate) const EXPANDED: Marks = Marks(1);
    /// The anchor, or the only search there is, has closed it.
    pub(crate) const CLOSED: Marks = Marks(2);
    /// An adviser has closed it.
    pub(crate) const ADVISED: Marks = Marks(4);

    const BITS: u32 = 3;
    const ALL: u32 = (1 << Marks::BITS) - 1;

    pub(crate) const fn and(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }
}

/// What is looked at for every successor that leads to a node. Kept small and in one place.
#[derive(Clone, Copy, Debug)]
struct Record<K> {
    cost: Cost,
    parent: NodeId,
    /// The version in the upper bits, marks in the lower ones.
    stamp: u32,
    key: K,
}

/// A state, and what was done to get there; nothing at the start.
struct Arrival<P: Problem> {
    state: P::State,
    action: Option<P::Action>,
}

impl<P: Problem> Arrival<P> {
    #[inline]
    fn by(step: Successor<P::State, P::Action>) -> Self {
        Arrival {
            state: step.state,
            action: Some(step.action),
        }
    }
}

/// What is known of a successor before it is relaxed.
#[derive(Clone, Copy, Debug)]
struct Found<K> {
    key: K,
    /// The key's index, or its hash.
    place: u32,
    node: NodeId,
}

/// The buffers an expansion fills.
pub(crate) struct Listing<P: Problem> {
    steps: Successors<P::State, P::Action>,
    found: Vec<Found<P::Key>>,
}

impl<P: Problem> Listing<P> {
    pub(crate) const fn new() -> Self {
        Listing {
            steps: Successors::new(),
            found: Vec::new(),
        }
    }
}

/// Where the steps of an expansion come from, and what they leave alone.
#[derive(Clone, Copy)]
struct From {
    node: NodeId,
    cost: Cost,
    frozen: Marks,
}

/// How a key is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lookup {
    /// The problem numbers its keys.
    Dense,
    /// It doesn't.
    Hashed,
}

/// The node store.
pub(crate) struct Nodes<P: Problem> {
    records: Vec<Record<P::Key>>,
    arrivals: Vec<Arrival<P>>,
    lookup: Lookup,
    dense: DenseTable,
    hashed: HashedTable,
    /// Nodes that stand for a state another node stood for before.
    renewed: usize,
    /// Nodes that were expanded.
    expanded: usize,
}

impl<P: Problem> Nodes<P> {
    pub(crate) const fn new() -> Self {
        Nodes {
            records: Vec::new(),
            arrivals: Vec::new(),
            lookup: Lookup::Hashed,
            dense: DenseTable {
                nodes: Vec::new(),
                given: Vec::new(),
                highest: 0,
            },
            hashed: HashedTable {
                slots: Vec::new(),
                used: 0,
            },
            renewed: 0,
            expanded: 0,
        }
    }

    /// Forgets all nodes, keeps the memory.
    pub(crate) fn clear(&mut self) {
        match self.lookup {
            Lookup::Dense => self.dense.clear(),
            Lookup::Hashed => self
                .hashed
                .clear(self.records.iter().map(|record| hash(&record.key))),
        }
        self.records.clear();
        self.arrivals.clear();
        (self.renewed, self.expanded) = (0, 0);
    }

    /// Meets the start. The store must be empty.
    pub(crate) fn insert_start(&mut self, problem: &P) -> NodeId {
        let state = problem.start();
        let key = problem.key(&state);
        let place = match problem.index(&key) {
            Some(index) => {
                self.lookup = Lookup::Dense;
                self.dense.find(index);
                index
            }
            None => {
                self.lookup = Lookup::Hashed;
                hash(&key)
            }
        };
        self.insert(
            place,
            Record {
                cost: Cost::ZERO,
                parent: NodeId::NONE,
                stamp: 0,
                key,
            },
            Arrival {
                state,
                action: None,
            },
        )
    }

    /// The node of a state, if it was met.
    pub(crate) fn find(&mut self, problem: &P, state: &P::State) -> Option<NodeId> {
        let (_, node) = self.look_for(problem, state)?;
        node
    }

    /// The node of a state, which is met now if it wasn't before. Its cost means nothing. `None` if
    /// the problem breaks its contract and has no index for this state.
    pub(crate) fn meet(&mut self, problem: &P, state: P::State) -> Option<NodeId> {
        let (found, node) = self.look_for(problem, &state)?;
        Some(node.unwrap_or_else(|| {
            let record = Record {
                cost: Cost::INFINITE,
                parent: NodeId::NONE,
                stamp: 0,
                key: found.key,
            };
            self.insert(
                found.place,
                record,
                Arrival {
                    state,
                    action: None,
                },
            )
        }))
    }

    fn look_for(
        &mut self,
        problem: &P,
        state: &P::State,
    ) -> Option<(Found<P::Key>, Option<NodeId>)> {
        let key = problem.key(state);
        let (place, node) = match self.lookup {
            Lookup::Dense => {
                let index = problem.index(&key)?;
                (index, NodeId(self.dense.find(index).0 & !NodeId::FROZEN))
            }
            Lookup::Hashed => {
                let found = Found {
                    key,
                    place: hash(&key),
                    node: NodeId::NONE,
                };
                (found.place, self.find_hashed(&found))
            }
        };
        Some((
            Found { key, place, node },
            (node != NodeId::NONE).then_some(node),
        ))
    }

    /// How many different states were met.
    pub(crate) fn states_met(&self) -> u64 {
        (self.records.len() - self.renewed) as u64
    }

    /// How many nodes are not expanded.
    pub(crate) fn open(&self) -> usize {
        self.records.len() - self.expanded
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// Bytes needed for the nodes there are.
    pub(crate) fn bytes(&self) -> u64 {
        let node = size_of::<Record<P::Key>>() + size_of::<Arrival<P>>();
        let table = match self.lookup {
            Lookup::Dense => self.dense.highest * size_of::<NodeId>(),
            Lookup::Hashed => HashedTable::slots_for(self.hashed.used) * size_of::<Slot>(),
        };
        (self.records.len() * node + table) as u64
    }

    /// Whether there are no numbers left for new nodes: one expansion might need more than remain.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.records.len() > (NodeId::FROZEN - (1 << 24)) as usize
    }

    #[inline]
    pub(crate) fn state(&self, node: NodeId) -> &P::State {
        &self.arrivals[node.index()].state
    }

    #[inline]
    pub(crate) fn cost(&self, node: NodeId) -> Cost {
        self.records[node.index()].cost
    }

    pub(crate) fn parent(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.records[node.index()].parent;
        (parent != NodeId::NONE).then_some(parent)
    }

    /// The expansion of `node` on behalf of `by`, as an observer sees it.
    #[inline]
    pub(crate) fn expansion(&self, node: NodeId, by: usize) -> Expansion<'_, P> {
        let (state, cost) = (self.state(node), self.cost(node));
        Expansion {
            state,
            cost,
            by,
            node,
            parent: self.parent(node),
        }
    }

    /// Changes whenever entries made for the node become stale: when a cheaper way is found and
    /// when it is expanded.
    #[inline]
    pub(crate) fn version(&self, node: NodeId) -> u32 {
        self.records[node.index()].stamp >> Marks::BITS
    }

    /// Whether any of these marks is set.
    #[inline]
    pub(crate) fn is_marked(&self, node: NodeId, marks: Marks) -> bool {
        self.records[node.index()].stamp & marks.0 != 0
    }

    /// Takes a mark from all nodes.
    pub(crate) fn unmark_all(&mut self, marks: Marks) {
        for record in &mut self.records {
            record.stamp &= !marks.0;
        }
        self.dense.thaw();
    }

    /// Expands `node`: sets `marks`, makes all entries for it stale, lists the steps that leave it
    /// and relaxes each. `improved` is called for every node a cheaper way was found to; nodes that
    /// carry one of the marks `frozen` are left alone. Returns the number of steps.
    #[inline]
    pub(crate) fn expand(
        &mut self,
        problem: &P,
        node: NodeId,
        marks: Marks,
        frozen: Marks,
        listing: &mut Listing<P>,
        mut improved: impl FnMut(&mut Self, NodeId),
    ) -> u64 {
        let record = &mut self.records[node.index()];
        record.stamp = record.stamp.wrapping_add(1 << Marks::BITS) | marks.0 | Marks::EXPANDED.0;
        let cost = record.cost;
        self.expanded += 1;
        problem.successors(&self.arrivals[node.index()].state, &mut listing.steps);
        let generated = listing.steps.len() as u64;
        let from = From { node, cost, frozen };
        match self.lookup {
            Lookup::Dense => {
                if frozen.0 & marks.0 != 0 {
                    let index = problem.index(&self.records[node.index()].key);
                    self.dense.freeze(index);
                }
                self.relax_dense(problem, from, &mut listing.steps, &mut improved);
            }
            Lookup::Hashed => self.relax_hashed(problem, from, listing, &mut improved),
        }
        generated
    }

    #[inline]
    fn relax_dense(
        &mut self,
        problem: &P,
        from: From,
        steps: &mut Successors<P::State, P::Action>,
        improved: &mut impl FnMut(&mut Self, NodeId),
    ) {
        for step in steps.drain() {
            let key = problem.key(&step.state);
            // A key without an index breaks the contract; its step is as good as forbidden.
            let Some(index) = problem.index(&key) else {
                debug_assert!(false, "all keys have an index, or none has");
                continue;
            };
            let node = self.dense.find(index);
            if node.is_frozen() {
                continue;
            }
            let found = Found {
                key,
                place: index,
                node,
            };
            if let Some(child) = self.improve(from, step, found) {
                improved(self, child);
            }
        }
    }

    #[inline]
    fn relax_hashed(
        &mut self,
        problem: &P,
        from: From,
        listing: &mut Listing<P>,
        improved: &mut impl FnMut(&mut Self, NodeId),
    ) {
        self.look_up(problem, listing);
        let renewed = self.renewed;
        for (step, mut found) in listing.steps.drain().zip(listing.found.drain(..)) {
            // An earlier step of the same expansion may have led here, or renewed what was here.
            if found.node == NodeId::NONE || self.renewed != renewed {
                found.node = self.find_hashed(&found);
            }
            if let Some(child) = self.improve(from, step, found) {
                improved(self, child);
            }
        }
    }

    /// Finds the nodes that all steps of a listing lead to. Doing this before anything is changed
    /// lets the cache misses overlap.
    #[inline]
    fn look_up(&self, problem: &P, listing: &mut Listing<P>) {
        for step in &listing.steps {
            let key = problem.key(&step.state);
            listing.found.push(Found {
                key,
                place: hash(&key),
                node: NodeId::NONE,
            });
        }
        for found in &mut listing.found {
            found.node = self.find_hashed(found);
        }
    }

    #[inline]
    fn find_hashed(&self, found: &Found<P::Key>) -> NodeId {
        self.hashed.find(found.place, |node| {
            self.records[node.index()].key == found.key
        })
    }

    /// The relax step: goes to `step.state` by way of `from` if that is cheaper than what is known.
    /// Returns the node if it is.
    #[inline]
    fn improve(
        &mut self,
        from: From,
        step: Successor<P::State, P::Action>,
        found: Found<P::Key>,
    ) -> Option<NodeId> {
        let cost = from.cost + step.cost;
        if found.node == NodeId::NONE {
            if !cost.is_finite() {
                return None;
            }
            let record = Record {
                cost,
                parent: from.node,
                stamp: 0,
                key: found.key,
            };
            return Some(self.insert(found.place, record, Arrival::by(step)));
        }
        let record = &mut self.records[found.node.index()];
        if cost >= record.cost || record.stamp & from.frozen.0 != 0 {
            return None;
        }
        if record.stamp & Marks::EXPANDED.0 != 0 {
            // What was generated from this node must stay true, so a new one takes over its marks.
            let stamp = record.stamp & Marks::ALL & !Marks::EXPANDED.0;
            let record = Record {
                cost,
                parent: from.node,
                stamp,
                key: found.key,
            };
            return Some(self.renew(found, record, Arrival::by(step)));
        }
        record.cost = cost;
        record.parent = from.node;
        record.stamp = record.stamp.wrapping_add(1 << Marks::BITS);
        self.arrivals[found.node.index()] = Arrival::by(step);
        Some(found.node)
    }

    /// The way from the start to `node`.
    pub(crate) fn path_to(&self, node: NodeId) -> Path<P::State, P::Action> {
        let mut steps = Vec::new();
        let mut at = node;
        while let (Some(parent), Some(action)) =
            (self.parent(at), &self.arrivals[at.index()].action)
        {
            steps.push((action.clone(), self.state(at).clone()));
            at = parent;
        }
        steps.reverse();
        Path {
            start: self.state(at).clone(),
            steps,
            cost: self.cost(node),
        }
    }

    fn insert(&mut self, place: u32, record: Record<P::Key>, arrival: Arrival<P>) -> NodeId {
        let node = self.next_node();
        match self.lookup {
            Lookup::Hashed => self.hashed.insert(place, node),
            Lookup::Dense => self.dense.insert(place, node),
        }
        self.records.push(record);
        self.arrivals.push(arrival);
        node
    }

    #[cold]
    #[inline(never)]
    fn renew(
        &mut self,
        found: Found<P::Key>,
        record: Record<P::Key>,
        arrival: Arrival<P>,
    ) -> NodeId {
        let node = self.next_node();
        match self.lookup {
            Lookup::Hashed => self.hashed.replace(found.place, found.node, node),
            Lookup::Dense => self.dense.nodes[found.place as usize] = node,
        }
        self.records.push(record);
        self.arrivals.push(arrival);
        self.renewed += 1;
        node
    }

    #[inline]
    fn next_node(&self) -> NodeId {
        NodeId(self.records.len() as u32)
    }
}

/// An array of node numbers by index.
struct DenseTable {
    nodes: Vec<NodeId>,
    /// Which indices were given a node. A short search on a large map clears only these.
    given: Vec<u32>,
    /// One more than the highest index met.
    highest: usize,
}

impl DenseTable {
    #[inline]
    fn find(&mut self, index: u32) -> NodeId {
        match self.nodes.get(index as usize) {
            Some(node) => *node,
            None => {
                self.grow(index);
                NodeId::NONE
            }
        }
    }

    #[cold]
    fn grow(&mut self, index: u32) {
        // Doubling keeps the cost of growing in proportion to what it is used for.
        let len = (index as usize + 1).next_power_of_two();
        self.nodes.resize(len, NodeId::NONE);
    }

    #[inline]
    fn insert(&mut self, index: u32, node: NodeId) {
        self.nodes[index as usize] = node;
        self.given.push(index);
        self.highest = self.highest.max(index as usize + 1);
    }

    /// What stands at this index is left alone from now on.
    #[inline]
    fn freeze(&mut self, index: Option<u32>) {
        if let Some(node) = index.and_then(|index| self.nodes.get_mut(index as usize)) {
            node.0 |= NodeId::FROZEN;
        }
    }

    /// Nothing is left alone any more.
    fn thaw(&mut self) {
        for index in &self.given {
            self.nodes[*index as usize].0 &= !NodeId::FROZEN;
        }
    }

    fn clear(&mut self) {
        if self.given.len() > self.nodes.len() / 16 {
            self.nodes.fill(NodeId::NONE);
        } else {
            for index in &self.given {
                self.nodes[*index as usize] = NodeId::NONE;
            }
        }
        self.given.clear();
        self.highest = 0;
    }
}

/// An open-addressing hash table of node numbers.
///
/// Half of each slot is the hash, so that a look-up touches one cache line of the table and then,
/// nearly always, only the record it is after; and growing needs no keys.
struct HashedTable {
    /// A power of two of them, or none.
    slots: Vec<Slot>,
    used: usize,
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    node: NodeId,
}

impl Slot {
    const FREE: Slot = Slot {
        hash: 0,
        node: NodeId::NONE,
    };
}

/// A hash of which every bit depends on the whole key.
#[inline]
fn hash<K: Hash>(key: &K) -> u32 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    // The hasher's own last step is meant for tables that use the lowest and the highest bits. The
    // upper half of another product mixes what this one needs: 32 bits that are all good.
    (hasher.finish().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
}

impl HashedTable {
    const FIRST_SLOTS: usize = 64;

    /// The size of a table with `used` nodes: at most two thirds full, so that probes stay short.
    fn slots_for(used: usize) -> usize {
        (used * 3)
            .div_ceil(2)
            .next_power_of_two()
            .max(Self::FIRST_SLOTS)
    }

    #[inline]
    fn find(&self, hash: u32, is_it: impl Fn(NodeId) -> bool) -> NodeId {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash as usize;
        // An empty table has no slot to look at; any other has a free one to stop at.
        while let Some(slot) = self.slots.get(at & mask) {
            if slot.node == NodeId::NONE || slot.hash == hash && is_it(slot.node) {
                return slot.node;
            }
            at += 1;
        }
        NodeId::NONE
    }

    /// Adds a node that is not in the table.
    #[inline]
    fn insert(&mut self, hash: u32, node: NodeId) {
        if (self.used + 1) * 3 > self.slots.len() * 2 {
            self.grow();
        }
        self.used += 1;
        Self::place(&mut self.slots, Slot { hash, node });
    }

    #[inline]
    fn place(slots: &mut [Slot], slot: Slot) {
        let mask = slots.len() - 1;
        let mut at = slot.hash as usize;
        while slots[at & mask].node != NodeId::NONE {
            at += 1;
        }
        slots[at & mask] = slot;
    }

    /// Lets `new` stand for the state that `old` stood for.
    fn replace(&mut self, hash: u32, old: NodeId, new: NodeId) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize;
        while self.slots[at & mask].node != old {
            at += 1;
        }
        self.slots[at & mask].node = new;
    }

    #[cold]
    fn grow(&mut self) {
        let mut slots = vec![Slot::FREE; Self::slots_for(self.used + 1)];
        for slot in self.slots.iter().filter(|slot| slot.node != NodeId::NONE) {
            Self::place(&mut slots, *slot);
        }
        self.slots = slots;
    }

    /// Frees all slots; where few are used, only those that the hashes lead to.
    fn clear(&mut self, hashes: impl ExactSizeIterator<Item = u32>) {
        if hashes.len() > self.slots.len() / 16 {
            self.slots.fill(Slot::FREE);
        } else {
            let mask = self.slots.len().wrapping_sub(1);
            for hash in hashes {
                let mut at = hash as usize;
                while self.slots[at & mask].node != NodeId::NONE {
                    self.slots[at & mask] = Slot::FREE;
                    at += 1;
                }
            }
        }
        self.used = 0;
    }
}
