//! Every state a search has met, the cheapest way to it, and the one relax step all searches share.
//!
//! A state becomes a number, its [`NodeId`], on first sight; everything else is an array by that
//! number. Once a node is expanded it never changes: a cheaper way found later makes a new node for
//! the same state. So every node's parent is exactly the node it was generated from, a path's cost
//! is exactly the sum of its steps, and in continuous worlds every step of a path really leads to
//! the next state.

use std::hash::{Hash, Hasher};
use std::hint::select_unpredictable;

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
struct Record<S> {
    cost: Cost,
    parent: NodeId,
    /// The version in the upper bits, marks in the lower ones.
    stamp: u32,
    state: S,
}

/// Where a step leads.
#[derive(Clone, Copy, Debug)]
struct Found {
    /// The hash of the state's key.
    hash: u32,
    /// The tags in the bucket it belongs to.
    tags: u64,
    /// The node that stands for the state.
    node: NodeId,
    /// What that costs.
    cost: Cost,
}

/// The buffers an expansion fills.
pub(crate) struct Listing<P: Problem> {
    steps: Successors<P::State, P::Action>,
    /// Where each step leads.
    found: Vec<Found>,
    /// Which steps lead to a state by a cheaper way than the known one.
    cheaper: Vec<u32>,
    /// The nodes a cheaper way was found to.
    improved: Vec<NodeId>,
}

impl<P: Problem> Listing<P> {
    pub(crate) const fn new() -> Self {
        Listing {
            steps: Successors::new(),
            found: Vec::new(),
            cheaper: Vec::new(),
            improved: Vec::new(),
        }
    }

    /// Makes room for what there is to say of so many steps. It is never taken back: what is left
    /// there from earlier expansions is overwritten, and nothing needs to be pushed.
    #[inline]
    fn grow(&mut self, steps: usize) {
        if self.found.len() < steps {
            let nothing = Found {
                hash: 0,
                tags: 0,
                node: NodeId::NONE,
                cost: Cost::INFINITE,
            };
            self.found.resize(steps, nothing);
            self.cheaper.resize(steps, 0);
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
    records: Vec<Record<P::State>>,
    /// What was done to get to each node. Nothing was done to get to the start, which is the first
    /// node: the action of node i is number i - 1.
    actions: Vec<P::Action>,
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
            actions: Vec::new(),
            lookup: Lookup::Hashed,
            dense: DenseTable {
                nodes: Vec::new(),
                given: Vec::new(),
                highest: 0,
            },
            hashed: HashedTable::new(),
            renewed: 0,
            expanded: 0,
        }
    }

    /// Forgets all nodes, keeps the memory.
    pub(crate) fn clear(&mut self) {
        match self.lookup {
            Lookup::Dense => self.dense.clear(),
            Lookup::Hashed => self.hashed.clear(),
        }
        self.records.clear();
        self.actions.clear();
        (self.renewed, self.expanded) = (0, 0);
    }

    /// Meets the start. The store must be empty.
    pub(crate) fn insert_start(&mut self, problem: &P) -> NodeId {
        let state = problem.start();
        let key = problem.key(&state);
        let node = self.next_node();
        match problem.index(&key) {
            Some(index) => {
                self.lookup = Lookup::Dense;
                self.dense.insert(index, node);
            }
            None => {
                self.lookup = Lookup::Hashed;
                self.hashed.reserve(1);
                self.hashed.find_or_insert(hash(&key), node, |_| false);
            }
        }
        self.records.push(Record {
            cost: Cost::ZERO,
            parent: NodeId::NONE,
            stamp: 0,
            state,
        });
        node
    }

    /// The node of a state, if it was met.
    pub(crate) fn find(&self, problem: &P, state: &P::State) -> Option<NodeId> {
        let key = problem.key(state);
        let node = match self.lookup {
            Lookup::Dense => NodeId(self.dense.find(problem.index(&key)?).0 & !NodeId::FROZEN),
            Lookup::Hashed => self.find_hashed(problem, hash(&key), state).0,
        };
        (node != NodeId::NONE).then_some(node)
    }

    /// The node of a state, which is met now if it wasn't before. Its cost means nothing, and it has
    /// no action. `None` if the problem breaks its contract and has no index for this state.
    pub(crate) fn meet(&mut self, problem: &P, state: P::State) -> Option<NodeId> {
        if let Some(node) = self.find(problem, &state) {
            return Some(node);
        }
        let (key, node) = (problem.key(&state), self.next_node());
        match self.lookup {
            Lookup::Dense => self.dense.insert(problem.index(&key)?, node),
            Lookup::Hashed => {
                self.hashed.reserve(1);
                self.hashed.find_or_insert(hash(&key), node, |_| false);
            }
        }
        let (cost, parent) = (Cost::INFINITE, NodeId::NONE);
        self.records.push(Record {
            cost,
            parent,
            stamp: 0,
            state,
        });
        Some(node)
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
        let node = size_of::<Record<P::State>>() + size_of::<P::Action>();
        let table = match self.lookup {
            Lookup::Dense => self.dense.bytes(),
            Lookup::Hashed => self.hashed.bytes(),
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
        &self.records[node.index()].state
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
    /// and relaxes each; nodes that carry one of the marks `frozen` are left alone. Then `improved`
    /// is called once for every node a cheaper way was found to. Returns the number of steps.
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
        list(problem, &record.state, &mut listing.steps);
        let generated = listing.steps.len() as u64;
        let from = From { node, cost, frozen };
        listing.improved.clear();
        match self.lookup {
            Lookup::Dense => {
                if frozen.0 & marks.0 != 0 {
                    let key = problem.key(self.state(node));
                    self.dense.freeze(problem.index(&key));
                }
                self.relax_dense(problem, from, listing);
            }
            Lookup::Hashed => {
                let cheaper = self.cheaper_hashed(problem, from, listing);
                self.relax_hashed(problem, from, listing, cheaper);
            }
        }
        for child in &listing.improved {
            improved(self, *child);
        }
        generated
    }

    // These are functions of their own so that what each needs in its loop fits into registers.

    #[inline(never)]
    fn relax_dense(&mut self, problem: &P, from: From, listing: &mut Listing<P>) {
        for step in listing.steps.drain() {
            // A key without an index breaks the contract; its step is as good as forbidden.
            let Some(index) = problem.index(&problem.key(&step.state)) else {
                debug_assert!(false, "all keys have an index, or none has");
                continue;
            };
            let known = self.dense.find(index);
            // Most steps lead back to where the search has been.
            if known.is_frozen() {
                continue;
            }
            if known == NodeId::NONE {
                let cost = from.cost + step.cost;
                if cost.is_finite() {
                    let child = self.push(from, cost, 0, step);
                    self.dense.insert(index, child);
                    listing.improved.push(child);
                }
            } else if let Some(child) = self.improve(from, step, known, &mut listing.improved)
                && child != known
            {
                self.dense.nodes[index as usize] = child;
            }
        }
    }

    /// Relaxes the first `cheaper` of the steps that were found to be cheaper.
    #[inline(never)]
    fn relax_hashed(&mut self, problem: &P, from: From, listing: &mut Listing<P>, cheaper: usize) {
        let cheaper = &listing.cheaper[..cheaper];
        let renewed = self.renewed;
        listing.steps.take_at(cheaper, |step, at| {
            let Found { hash, mut node, .. } = listing.found[at];
            if self.renewed != renewed {
                // An earlier step of the same expansion may have renewed what was here.
                node = self.find_hashed(problem, hash, &step.state).0;
            }
            if node == NodeId::NONE {
                // An earlier step of the same expansion may have led here.
                let new = self.next_node();
                let (key, records) = (problem.key(&step.state), &self.records);
                node = self.hashed.find_or_insert(hash, new, |node| {
                    problem.key(&records[node.index()].state) == key
                });
                if node == new {
                    self.push(from, from.cost + step.cost, 0, step);
                    listing.improved.push(new);
                    return;
                }
            }
            if let Some(child) = self.improve(from, step, node, &mut listing.improved)
                && child != node
            {
                self.hashed.replace(hash, node, child);
            }
        });
    }

    /// Finds the steps that lead to a state by a cheaper way than the known one, and returns how
    /// many there are. It takes several rounds, each of which hardly does more than to look
    /// somewhere for all steps: so the cache misses overlap. And as it is impossible to predict
    /// which states are known and which steps are cheaper, no branch depends on it.
    #[inline(never)]
    fn cheaper_hashed(&mut self, problem: &P, from: From, listing: &mut Listing<P>) -> usize {
        listing.grow(listing.steps.len());
        let steps = listing.steps.as_slice();
        let all = &mut listing.found[..steps.len()];
        let cheaper = &mut listing.cheaper[..steps.len()];
        let (table, records) = (&self.hashed, self.records.as_slice());
        for (step, found) in steps.iter().zip(&mut *all) {
            found.hash = hash(&problem.key(&step.state));
            found.tags = table.bucket(found.hash).words[0];
        }
        for found in &mut *all {
            let bucket = table.bucket(found.hash);
            found.node = table.first_candidate(found.hash, found.tags, bucket);
        }
        for found in &mut *all {
            let (is_known, record) = known(records, found.node);
            found.cost = select_unpredictable(is_known, record.cost, Cost::INFINITE);
        }
        let mut count = 0;
        for (at, (step, found)) in steps.iter().zip(all).enumerate() {
            let (is_known, record) = known(records, found.node);
            // An unknown state is compared with itself, so that the outcome is always the same.
            let state = select_unpredictable(is_known, &record.state, &step.state);
            if problem.key(state) != problem.key(&step.state) {
                (found.node, found.cost) = self.find_hashed(problem, found.hash, &step.state);
            }
            cheaper[count] = at as u32;
            count += usize::from(from.cost + step.cost < found.cost);
        }
        self.hashed.reserve(count);
        count
    }

    /// The slow way, for the rare case that two states have the same hash.
    #[cold]
    #[inline(never)]
    fn find_hashed(&self, problem: &P, hash: u32, state: &P::State) -> (NodeId, Cost) {
        let key = problem.key(state);
        let node = self.hashed.find(hash, |node| {
            problem.key(&self.records[node.index()].state) == key
        });
        let record = self.records.get(node.index());
        (node, record.map_or(Cost::INFINITE, |record| record.cost))
    }

    /// The relax step for a state that is known: goes there by way of `from` if that is cheaper.
    /// Returns the node that stands for the state from now on, if it is, and notes it.
    #[inline(always)]
    fn improve(
        &mut self,
        from: From,
        step: Successor<P::State, P::Action>,
        known: NodeId,
        improved: &mut Vec<NodeId>,
    ) -> Option<NodeId> {
        let cost = from.cost + step.cost;
        let record = &mut self.records[known.index()];
        if cost >= record.cost || record.stamp & from.frozen.0 != 0 {
            return None;
        }
        if record.stamp & Marks::EXPANDED.0 != 0 {
            // What was generated from this node must stay true, so a new one takes over its marks.
            let marks = record.stamp & Marks::ALL & !Marks::EXPANDED.0;
            let child = self.push(from, cost, marks, step);
            self.renewed += 1;
            improved.push(child);
            return Some(child);
        }
        // Two steps of one expansion may lead to the same state. It is noted once.
        if record.parent != from.node || !improved.contains(&known) {
            improved.push(known);
        }
        record.cost = cost;
        record.parent = from.node;
        record.stamp = record.stamp.wrapping_add(1 << Marks::BITS);
        record.state = step.state;
        // Only the start has no action, and no way to it is cheaper than none.
        self.actions[known.index() - 1] = step.action;
        Some(known)
    }

    #[inline]
    fn push(
        &mut self,
        from: From,
        cost: Cost,
        stamp: u32,
        step: Successor<P::State, P::Action>,
    ) -> NodeId {
        let node = self.next_node();
        self.records.push(Record {
            cost,
            parent: from.node,
            stamp,
            state: step.state,
        });
        self.actions.push(step.action);
        node
    }

    /// The way from the start to `node`.
    pub(crate) fn path_to(&self, node: NodeId) -> Path<P::State, P::Action> {
        let mut steps = Vec::new();
        let mut at = node;
        while let Some(parent) = self.parent(at) {
            let action = &self.actions[at.index() - 1];
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

    #[inline]
    fn next_node(&self) -> NodeId {
        NodeId(self.records.len() as u32)
    }
}

#[inline(never)]
fn list<P: Problem>(problem: &P, state: &P::State, out: &mut Successors<P::State, P::Action>) {
    problem.successors(state, out);
}

/// Whether there is such a node, and its record, or any record if there is no such node.
#[inline]
fn known<S>(records: &[Record<S>], node: NodeId) -> (bool, &Record<S>) {
    let is_known = node.index() < records.len();
    let at = select_unpredictable(is_known, node.index(), 0);
    (is_known, &records[at])
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
    #[cold]
    fn grow(&mut self, index: u32) {
        // Doubling keeps the cost of growing in proportion to what it is used for.
        let len = (index as usize + 1).next_power_of_two();
        self.nodes.resize(len, NodeId::NONE);
    }

    #[inline]
    fn find(&self, index: u32) -> NodeId {
        let node = self.nodes.get(index as usize);
        node.copied().unwrap_or(NodeId::NONE)
    }

    #[inline]
    fn insert(&mut self, index: u32, node: NodeId) {
        if index as usize >= self.nodes.len() {
            self.grow(index);
        }
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

    fn bytes(&self) -> usize {
        self.highest * size_of::<NodeId>() + self.given.len() * size_of::<u32>()
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
/// Its buckets are cache lines, whose lanes are compared all at once. So a look-up touches one line
/// of the table and then, nearly always, only the record it is after; there is no chain of probes
/// to mispredict; and growing needs no keys.
struct HashedTable {
    /// A power of two of them, or none.
    buckets: Vec<Bucket>,
    /// Which buckets hold something. A short search in a large table clears only these.
    touched: Vec<u32>,
    used: usize,
}

/// A cache line of nodes and their hashes. Those that find it full go to the next.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket {
    /// The first word has a byte for each lane that is used, a part of its hash, and in its highest
    /// byte their number. The others are the lanes: the hash in the upper half, the node in the
    /// lower one.
    words: [u64; LANES + 1],
}

const LANES: usize = 7;

impl Bucket {
    const FREE: Bucket = Bucket {
        words: [0, FREE, FREE, FREE, FREE, FREE, FREE, FREE],
    };

    /// The lanes that may have this hash: the highest bit of the byte of each.
    #[inline]
    fn lanes_like(tags: u64, hash: u32) -> u64 {
        const EACH: u64 = 0x0001_0101_0101_0101;
        // A byte of the difference is zero where the tag is the same, and only a byte that is zero,
        // or comes after one that is, can borrow.
        let difference = tags ^ (tag(hash) * EACH);
        difference.wrapping_sub(EACH) & !difference & (EACH << 7)
    }

    #[inline]
    fn used(&self) -> usize {
        (self.words[0] >> 56) as usize
    }

    /// The word of the first of some lanes; of any if there are none.
    #[inline]
    fn first_of(&self, lanes: u64) -> u64 {
        self.words[(lanes.trailing_zeros() as usize / 8 + 1) % (LANES + 1)]
    }

    /// The node with this hash that is the one looked for.
    #[inline]
    fn find(&self, hash: u32, is_it: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let mut lanes = Bucket::lanes_like(self.words[0], hash);
        while lanes != 0 {
            let word = self.first_of(lanes);
            if hash_in(word) == hash && word != FREE && is_it(node_in(word)) {
                return Some(node_in(word));
            }
            lanes &= lanes - 1;
        }
        None
    }

    /// Adds a node, in a lane that is free.
    #[inline]
    fn push(&mut self, hash: u32, node: NodeId) {
        let lane = self.used() % LANES;
        self.words[0] = (self.words[0] | tag(hash) << (lane * 8)) + (1 << 56);
        self.words[lane + 1] = u64::from(hash) << 32 | u64::from(node.0);
    }
}

/// The byte of a hash that tells lanes apart. The bits that choose the bucket are others, except in
/// enormous tables. It may be zero, as in lanes that are free.
#[inline]
fn tag(hash: u32) -> u64 {
    u64::from(hash >> 24)
}

/// A lane without a node.
const FREE: u64 = NodeId::NONE.0 as u64;

#[inline]
fn hash_in(word: u64) -> u32 {
    (word >> 32) as u32
}

#[inline]
fn node_in(word: u64) -> NodeId {
    NodeId(word as u32)
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
    const FIRST_BUCKETS: usize = 8;

    const fn new() -> Self {
        HashedTable {
            buckets: Vec::new(),
            touched: Vec::new(),
            used: 0,
        }
    }

    /// The size of a table with `used` nodes: at most three quarters full, so that few buckets are.
    fn buckets_for(used: usize) -> usize {
        (used * 4)
            .div_ceil(3 * LANES)
            .next_power_of_two()
            .max(Self::FIRST_BUCKETS)
    }

    /// Bytes needed for what it holds.
    fn bytes(&self) -> usize {
        Self::buckets_for(self.used) * size_of::<Bucket>() + self.touched.len() * size_of::<u32>()
    }

    /// The bucket where a hash belongs. There must be one, as there is once the start was met.
    #[inline]
    fn bucket(&self, hash: u32) -> &Bucket {
        &self.buckets[hash as usize & (self.buckets.len() - 1)]
    }

    /// The first node with this hash, in the bucket where it belongs or where those go that found
    /// it full: nearly always the one that is looked for.
    #[inline]
    fn first_candidate(&self, hash: u32, tags: u64, bucket: &Bucket) -> NodeId {
        let lanes = Bucket::lanes_like(tags, hash);
        let word = bucket.first_of(lanes);
        // If no lane is like it, neither is the one that is looked at instead.
        let is_there = hash_in(word) == hash;
        let is_full = u64::from(tags >> 56 == LANES as u64);
        // Whether it is there is impossible to predict. That it isn't, and yet there is more to
        // look at, is rare.
        if select_unpredictable(is_there, 0, lanes | is_full) != 0 {
            return self.find(hash, |_| true);
        }
        select_unpredictable(is_there, node_in(word), NodeId::NONE)
    }

    #[inline(never)]
    fn find(&self, hash: u32, is_it: impl Fn(NodeId) -> bool) -> NodeId {
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

    /// Makes room for so many more.
    #[inline]
    fn reserve(&mut self, more: usize) {
        if (self.used + more) * 4 > self.buckets.len() * LANES * 3 {
            self.grow(self.used + more);
        }
    }

    /// The node with this hash that is the one looked for, or else `new`, which is put there. There
    /// must be room.
    #[inline]
    fn find_or_insert(&mut self, hash: u32, new: NodeId, is_it: impl Fn(NodeId) -> bool) -> NodeId {
        let mask = self.buckets.len() - 1;
        let mut at = hash as usize;
        loop {
            let bucket = &mut self.buckets[at & mask];
            if let Some(node) = bucket.find(hash, &is_it) {
                return node;
            }
            if bucket.used() < LANES {
                if bucket.used() == 0 {
                    self.touched.push((at & mask) as u32);
                }
                bucket.push(hash, new);
                self.used += 1;
                return new;
            }
            at += 1;
        }
    }

    /// Lets `new` stand for the state that `old` stood for.
    fn replace(&mut self, hash: u32, old: NodeId, new: NodeId) {
        let mask = self.buckets.len() - 1;
        let mut at = hash as usize;
        loop {
            let lanes = &mut self.buckets[at & mask].words[1..];
            if let Some(word) = lanes.iter_mut().find(|word| node_in(**word) == old) {
                *word = u64::from(hash) << 32 | u64::from(new.0);
                return;
            }
            at += 1;
        }
    }

    #[cold]
    fn grow(&mut self, used: usize) {
        let buckets = vec![Bucket::FREE; Self::buckets_for(used)];
        let old = std::mem::replace(&mut self.buckets, buckets);
        self.touched.clear();
        self.used = 0;
        for bucket in &old {
            for word in &bucket.words[1..=bucket.used()] {
                self.find_or_insert(hash_in(*word), node_in(*word), |_| false);
            }
        }
    }

    fn clear(&mut self) {
        if self.touched.len() > self.buckets.len() / 4 {
            self.buckets.fill(Bucket::FREE);
        } else {
            for bucket in &self.touched {
                self.buckets[*bucket as usize] = Bucket::FREE;
            }
        }
        self.touched.clear();
        self.used = 0;
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
        /// The state of each node.
        states: Vec<u32>,
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
            self.table.reserve(1);
            let states = &self.states;
            let found = self
                .table
                .find_or_insert(hash, new, |node| states[node.index()] == state);
            if found == new {
                self.states.push(state);
            }
            assert_eq!(found, *self.nodes.entry(state).or_insert(new));
        }

        fn renew(&mut self, state: u32, hash: u32) {
            let new = NodeId(self.states.len() as u32);
            if let Some(node) = self.nodes.get_mut(&state) {
                self.table.replace(hash, *node, new);
                *node = new;
                self.states.push(state);
            }
        }

        fn clear(&mut self) {
            self.table.clear();
            self.nodes.clear();
            self.states.clear();
        }

        fn candidate(&self, hash: u32) -> NodeId {
            if self.table.buckets.is_empty() {
                return NodeId::NONE;
            }
            let bucket = self.table.bucket(hash);
            self.table.first_candidate(hash, bucket.words[0], bucket)
        }

        fn check(&self, state: u32, hash: u32) {
            let known = self.nodes.get(&state).copied().unwrap_or(NodeId::NONE);
            let found = self
                .table
                .find(hash, |node| self.states[node.index()] == state);
            assert_eq!(found, known);
            // The first candidate may stand for another state, but only for one with that hash.
            let candidate = self.candidate(hash);
            assert!(known == NodeId::NONE || candidate != NodeId::NONE);
            assert_eq!(self.table.used, self.nodes.len());
        }
    }

    proptest! {
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
        let free = |bucket: &Bucket| bucket.words == Bucket::FREE.words;
        assert!(tested.table.buckets.iter().all(free));
    }
}
