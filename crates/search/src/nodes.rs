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
use crate::{Cost, Path, Problem, Successors};

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
    const NONE: NodeId = NodeId(u32::MAX);

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
    /// It satisfies the goal.
    pub(crate) const GOAL: Marks = Marks(8);

    const BITS: u32 = 4;
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

/// What is known of a successor before it is relaxed.
#[derive(Clone, Copy, Debug)]
struct Found<K> {
    key: K,
    /// The key's index, or its hash.
    place: u32,
    node: NodeId,
}

/// The buffers an expansion fills.
struct Listing<P: Problem> {
    steps: Successors<P::State, P::Action>,
    found: Vec<Found<P::Key>>,
}

impl<P: Problem> Default for Listing<P> {
    fn default() -> Self {
        Listing { steps: Successors::new(), found: Vec::new() }
    }
}

/// The node store.
pub(crate) struct Nodes<P: Problem> {
    records: Vec<Record<P::Key>>,
    states: Vec<P::State>,
    actions: Vec<Option<P::Action>>,
    table: Table,
    /// Nodes that stand for a state another node stood for before.
    renewed: usize,
    listing: Listing<P>,
}

impl<P: Problem> Nodes<P> {
    pub(crate) const fn new() -> Self {
        Nodes {
            records: Vec::new(),
            states: Vec::new(),
            actions: Vec::new(),
            table: Table::Empty,
            renewed: 0,
            listing: Listing { steps: Successors::new(), found: Vec::new() },
        }
    }

    /// Forgets all nodes, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.table.clear(&self.records);
        self.records.clear();
        self.states.clear();
        self.actions.clear();
        self.renewed = 0;
    }

    /// Meets the start. The store must be empty.
    pub(crate) fn insert_start(&mut self, problem: &P) -> NodeId {
        let state = problem.start();
        let key = problem.key(&state);
        self.table.choose(problem, &key);
        let place = problem.index(&key).unwrap_or_else(|| hash(&key));
        if let Table::Dense(table) = &mut self.table {
            table.find(place);
        }
        self.insert(place, Record { cost: Cost::ZERO, parent: NodeId::NONE, stamp: 0, key }, state, None)
    }

    /// How many different states were met.
    pub(crate) fn states_met(&self) -> u64 {
        (self.records.len() - self.renewed) as u64
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// Bytes needed for the nodes there are.
    pub(crate) fn bytes(&self) -> u64 {
        let node = size_of::<Record<P::Key>>()
            + size_of::<P::State>()
            + size_of::<Option<P::Action>>();
        (self.records.len() * node) as u64 + self.table.bytes()
    }

    /// Whether there are no numbers left for new nodes: one expansion might need more than remain.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.records.len() > (u32::MAX - (1 << 24)) as usize
    }

    #[inline]
    pub(crate) fn state(&self, node: NodeId) -> &P::State {
        &self.states[node.index()]
    }

    #[inline]
    pub(crate) fn cost(&self, node: NodeId) -> Cost {
        self.records[node.index()].cost
    }

    pub(crate) fn parent(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.records[node.index()].parent;
        (parent != NodeId::NONE).then_some(parent)
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

    #[inline]
    pub(crate) fn mark(&mut self, node: NodeId, marks: Marks) {
        self.records[node.index()].stamp |= marks.0;
    }

    /// Takes a mark from all nodes.
    pub(crate) fn unmark_all(&mut self, marks: Marks) {
        for record in &mut self.records {
            record.stamp &= !marks.0;
        }
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
        mut improved: impl FnMut(&mut Self, NodeId),
    ) -> u64 {
        let record = &mut self.records[node.index()];
        record.stamp = record.stamp.wrapping_add(1 << Marks::BITS) | marks.0 | Marks::EXPANDED.0;
        let cost = record.cost;
        let mut listing = std::mem::take(&mut self.listing);
        problem.successors(&self.states[node.index()], &mut listing.steps);
        // All look-ups come before all changes, so that their cache misses overlap.
        match &mut self.table {
            Table::Dense(table) => {
                for step in &listing.steps {
                    let key = problem.key(&step.state);
                    // A key without an index breaks the contract; its step is as good as forbidden.
                    let place = problem.index(&key);
                    debug_assert!(place.is_some(), "all keys have an index, or none has");
                    let node = place.map_or(NodeId::NONE, |index| table.find(index));
                    listing.found.push(Found { key, place: place.unwrap_or(u32::MAX), node });
                }
            }
            Table::Hashed(table) => {
                for step in &listing.steps {
                    let key = problem.key(&step.state);
                    listing.found.push(Found { key, place: hash(&key), node: NodeId::NONE });
                }
                let records = &self.records;
                for found in &mut listing.found {
                    let is_it = |node: NodeId| records[node.index()].key == found.key;
                    found.node = table.find(found.place, is_it);
                }
            }
            Table::Empty => {}
        }
        let generated = listing.steps.len() as u64;
        for (step, found) in listing.steps.drain().zip(listing.found.drain(..)) {
            if let Some(child) = self.improve(node, cost, step, found, frozen) {
                improved(self, child);
            }
        }
        self.listing = listing;
        generated
    }

    /// The relax step: goes to `step.state` by way of `from` if that is cheaper than what is known.
    /// Returns the node if it is. Nodes that carry one of the marks `frozen` are left alone.
    #[inline]
    fn improve(
        &mut self,
        from: NodeId,
        from_cost: Cost,
        step: Successor<P::State, P::Action>,
        mut found: Found<P::Key>,
        frozen: Marks,
    ) -> Option<NodeId> {
        let cost = from_cost + step.cost;
        if found.node == NodeId::NONE {
            if !cost.is_finite() {
                return None;
            }
            // An earlier step of the same expansion may have led here.
            found.node = self.find(&found);
        }
        if found.node == NodeId::NONE {
            let record = Record { cost, parent: from, stamp: 0, key: found.key };
            if found.place == u32::MAX && matches!(self.table, Table::Dense(_)) {
                return None;
            }
            return Some(self.insert(found.place, record, step.state, Some(step.action)));
        }
        let record = &mut self.records[found.node.index()];
        if cost >= record.cost || record.stamp & frozen.0 != 0 {
            return None;
        }
        if record.stamp & Marks::EXPANDED.0 != 0 {
            // What was generated from this node must stay true, so a new one takes over its marks.
            let stamp = record.stamp & Marks::ALL & !Marks::EXPANDED.0;
            let record = Record { cost, parent: from, stamp, key: found.key };
            return Some(self.renew(found, record, step.state, Some(step.action)));
        }
        record.cost = cost;
        record.parent = from;
        record.stamp = record.stamp.wrapping_add(1 << Marks::BITS);
        self.states[found.node.index()] = step.state;
        self.actions[found.node.index()] = Some(step.action);
        Some(found.node)
    }

    /// The way from the start to `node`.
    pub(crate) fn path_to(&self, node: NodeId) -> Path<P::State, P::Action> {
        let mut steps = Vec::new();
        let mut at = node;
        while let (Some(parent), Some(action)) = (self.parent(at), &self.actions[at.index()]) {
            steps.push((action.clone(), self.state(at).clone()));
            at = parent;
        }
        steps.reverse();
        Path { start: self.state(at).clone(), steps, cost: self.cost(node) }
    }

    fn insert(
        &mut self,
        place: u32,
        record: Record<P::Key>,
        state: P::State,
        action: Option<P::Action>,
    ) -> NodeId {
        let node = self.next_node();
        match &mut self.table {
            Table::Hashed(table) => table.insert(place, node),
            Table::Dense(table) => table.insert(place, node),
            Table::Empty => unreachable!("looking a key up chooses the table"),
        }
        self.push(record, state, action);
        node
    }

    #[cold]
    #[inline(never)]
    fn renew(
        &mut self,
        found: Found<P::Key>,
        record: Record<P::Key>,
        state: P::State,
        action: Option<P::Action>,
    ) -> NodeId {
        let node = self.next_node();
        match &mut self.table {
            Table::Hashed(table) => table.replace(found.place, found.node, node),
            Table::Dense(table) => table.nodes[found.place as usize] = node,
            Table::Empty => unreachable!("looking a key up chooses the table"),
        }
        self.push(record, state, action);
        self.renewed += 1;
        node
    }

    #[inline]
    fn push(&mut self, record: Record<P::Key>, state: P::State, action: Option<P::Action>) {
        self.records.push(record);
        self.states.push(state);
        self.actions.push(action);
    }

    #[inline]
    fn next_node(&self) -> NodeId {
        NodeId(self.records.len() as u32)
    }

    #[inline]
    fn find(&self, found: &Found<P::Key>) -> NodeId {
        match &self.table {
            Table::Hashed(table) => {
                table.find(found.place, |node| self.records[node.index()].key == found.key)
            }
            Table::Dense(table) => {
                table.nodes.get(found.place as usize).copied().unwrap_or(NodeId::NONE)
            }
            Table::Empty => NodeId::NONE,
        }
    }
}

/// From a key to the node that stands for it.
enum Table {
    /// Nothing was looked up yet.
    Empty,
    /// The problem numbers its keys.
    Dense(DenseTable),
    /// It doesn't.
    Hashed(HashedTable),
}

impl Table {
    /// Settles which kind of table it is.
    fn choose<P: Problem>(&mut self, problem: &P, key: &P::Key) {
        match (&self, problem.index(key)) {
            (Table::Dense(_), Some(_)) | (Table::Hashed(_), None) => {}
            (_, Some(_)) => *self = Table::Dense(DenseTable::default()),
            (_, None) => *self = Table::Hashed(HashedTable::default()),
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            Table::Empty => 0,
            Table::Dense(table) => (table.highest * size_of::<NodeId>()) as u64,
            Table::Hashed(table) => (HashedTable::slots_for(table.used) * size_of::<Slot>()) as u64,
        }
    }

    fn clear<K: Hash>(&mut self, records: &[Record<K>]) {
        match self {
            Table::Empty => {}
            Table::Dense(table) => table.clear(),
            Table::Hashed(table) => table.clear(records.iter().map(|record| hash(&record.key))),
        }
    }
}

/// An array of node numbers by index.
#[derive(Default)]
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
#[derive(Default)]
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
    const FREE: Slot = Slot { hash: 0, node: NodeId::NONE };
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
        (used * 3).div_ceil(2).next_power_of_two().max(Self::FIRST_SLOTS)
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
