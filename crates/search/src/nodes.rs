//! Every state a search has met, the cheapest way to it, and the one relax step all searches share.
//!
//! A state becomes a number, its [`NodeId`], on first sight; everything else is an array by that
//! number. Once a node is expanded it never changes: a cheaper way found later makes a new node for
//! the same state. So every node's parent is exactly the node it was generated from, a path's cost
//! is exactly the sum of its steps, and in continuous worlds every step of a path really leads to
//! the next state.

use std::hint::black_box;
use std::ops::Range;

use crate::dense_table::DenseTable;
use crate::hashed_table::{Buckets, Candidate, HashedTable, hash};
use crate::in_parts::InParts;
use crate::problem::{Successor, Taking};
use crate::shelves::{Anywhere, InOne, OnShelves, Shelves, Whereabouts};
use crate::{Budget, Cost, Expansion, Path, Problem, Status, Successors};

/// The number a search gives a state when it meets it.
///
/// ```
/// use apprentice_search::{BestFirst, Blind, Budget, Expansion, NodeId, Observer, Search};
/// # use apprentice_search::{Cost, Problem, Successors};
/// # struct Line;
/// # impl Problem for Line {
/// #     type State = u32; type Key = u32; type Action = ();
/// #     fn start(&self) -> u32 { 0 }
/// #     fn key(&self, s: &u32) -> u32 { *s }
/// #     fn is_goal(&self, s: &u32) -> bool { *s == 3 }
/// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
/// #         out.push((), s + 1, Cost::from_seconds(1.0));
/// #     }
/// # }
///
/// /// Remembers which state came from which.
/// #[derive(Default)]
/// struct Tree(Vec<(NodeId, Option<NodeId>)>);
///
/// impl Observer<Line> for Tree {
///     fn expanded(&mut self, expansion: Expansion<'_, Line>) {
///         self.0.push((expansion.node, expansion.parent));
///     }
/// }
///
/// let mut tree = Tree::default();
/// BestFirst::astar(Blind).run_observed(&Line, &mut Budget::unlimited(), &mut tree);
/// assert_eq!(tree.0[0].1, None);
/// assert_eq!(tree.0[1].1, Some(tree.0[0].0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    pub(crate) const NONE: NodeId = NodeId(NodeId::FROZEN - 1);
    /// Set in the table that finds nodes, never in a node's own number: this node is left alone
    /// from now on, so there is no need to look at it.
    pub(crate) const FROZEN: u32 = 1 << 31;

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
    /// # use apprentice_search::{BestFirst, Blind, Budget, Expansion, Observer, Search};
    /// # use apprentice_search::{Cost, Problem, Successors};
    /// # struct Line;
    /// # impl Problem for Line {
    /// #     type State = u32; type Key = u32; type Action = ();
    /// #     fn start(&self) -> u32 { 0 }
    /// #     fn key(&self, s: &u32) -> u32 { *s }
    /// #     fn is_goal(&self, s: &u32) -> bool { *s == 3 }
    /// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
    /// #         out.push((), s + 1, Cost::from_seconds(1.0));
    /// #     }
    /// # }
    /// #[derive(Default)]
    /// struct Numbers(Vec<usize>);
    ///
    /// impl Observer<Line> for Numbers {
    ///     fn expanded(&mut self, expansion: Expansion<'_, Line>) {
    ///         self.0.push(expansion.node.index());
    ///     }
    /// }
    ///
    /// let mut numbers = Numbers::default();
    /// BestFirst::astar(Blind).run_observed(&Line, &mut Budget::unlimited(), &mut numbers);
    /// assert_eq!(numbers.0, [0, 1, 2]);
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
    /// Another node stands for its state.
    const OUTDATED: Marks = Marks(8);

    const BITS: u32 = 4;
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

/// A node that was met, or to which a cheaper way was found.
pub(crate) struct Met<'a, S> {
    pub(crate) state: &'a S,
    pub(crate) cost: Cost,
    pub(crate) version: u32,
}

/// The buffers an expansion fills.
pub(crate) struct Listing<P: Problem> {
    steps: Successors<P::State, P::Action>,
    in_parts: InParts,
    /// The hash of the state each step leads to. What is left from longer expansions stays behind
    /// and is overwritten, so that nothing needs to be pushed.
    hashes: Vec<u32>,
    /// The nodes a cheaper way was found to, except for those that are new.
    improved: Vec<NodeId>,
}

impl<P: Problem> Listing<P> {
    pub(crate) fn new() -> Self {
        Listing {
            steps: Successors::new(),
            in_parts: InParts::default(),
            hashes: Vec::new(),
            improved: Vec::new(),
        }
    }

    /// Lists the steps that leave a node of one of several searches ahead of its expansion, if that
    /// takes long. False: the budget is spent, ask again.
    #[inline]
    pub(crate) fn get_ready(
        &mut self,
        problem: &P,
        (by, node): (usize, NodeId),
        nodes: &Nodes<P>,
        budget: &mut Budget<'_>,
        upkeep: &mut u64,
    ) -> bool {
        if !P::LISTS_IN_PARTS {
            return true;
        }
        let (of, state, steps) = ((by, node), nodes.state(node), &mut self.steps);
        (self.in_parts).list(problem, of, state, steps, budget, upkeep)
    }

    /// Whatever was listed ahead is of no use any more.
    pub(crate) fn forget(&mut self) {
        self.in_parts.forget();
        self.steps.clear();
    }
}

/// Where the steps of an expansion come from, and what they leave alone.
#[derive(Clone, Copy)]
struct From {
    node: NodeId,
    cost: Cost,
    frozen: Marks,
    /// The first node that was met on the way.
    first_new: NodeId,
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
    tree: Tree<P>,
    lookup: Lookup,
    dense: DenseTable,
    hashed: HashedTable,
    /// So many nodes are in one piece, as far as it is known. Less than there are: not all are.
    one_until: usize,
    /// How many nodes were looked at again because a step was left out.
    reviewed: usize,
}

/// The nodes themselves. Each has the one it was generated from.
struct Tree<P: Problem> {
    records: Shelves<Record<P::State>>,
    /// What was done to get to each node. Nothing was done to get to the start, which is the first
    /// node: the action of node i is number i - 1.
    actions: Shelves<P::Action>,
    /// Nodes that stand for a state another node stood for before.
    renewed: usize,
    /// Whether a step was left out because the cost of the way cannot be counted.
    overflowed: bool,
}

impl<P: Problem> Nodes<P> {
    pub(crate) const fn new() -> Self {
        Nodes {
            tree: Tree {
                records: Shelves::new(),
                actions: Shelves::new(),
                renewed: 0,
                overflowed: false,
            },
            lookup: Lookup::Hashed,
            dense: DenseTable::new(),
            hashed: HashedTable::new(),
            one_until: 0,
            reviewed: 0,
        }
    }

    /// Forgets all nodes, keeps the memory.
    pub(crate) fn clear(&mut self) {
        // What was cleared already knows from the search before how much memory to keep at hand.
        if self.tree.records.is_empty() {
            return;
        }
        match self.lookup {
            Lookup::Dense => self.dense.clear(self.states()),
            Lookup::Hashed => self.hashed.clear(self.states()),
        }
        self.tree.records.clear_into_one();
        self.tree.actions.clear_into_one();
        (self.tree.renewed, self.tree.overflowed) = (0, false);
        (self.one_until, self.reviewed) = (0, 0);
    }

    /// Meets the start. The store must be empty.
    pub(crate) fn insert_start(&mut self, problem: &P) -> NodeId {
        let state = problem.start();
        let key = problem.key(&state);
        let node = self.tree.next_node();
        match problem.index(&key) {
            Some(index) => {
                self.lookup = Lookup::Dense;
                self.dense.insert(index, node);
            }
            None => {
                self.lookup = Lookup::Hashed;
                self.make_room(problem, 1);
                self.hashed.find_or_insert(hash(&key), node, |_| false);
                self.hashed.keep_hash(hash(&key));
            }
        }
        self.tree.records.push(Record {
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
            Lookup::Hashed => self.find_hashed(problem, hash(&key), state),
        };
        (node != NodeId::NONE).then_some(node)
    }

    /// The node of a state, which is met now if it wasn't before. Its cost means nothing, and it has
    /// no action. `None` if the problem breaks its contract and has no index for this state.
    pub(crate) fn meet(&mut self, problem: &P, state: P::State) -> Option<NodeId> {
        if let Some(node) = self.find(problem, &state) {
            return Some(node);
        }
        let (key, node) = (problem.key(&state), self.tree.next_node());
        match self.lookup {
            Lookup::Dense => self.dense.insert(problem.index(&key)?, node),
            Lookup::Hashed => {
                self.make_room(problem, 1);
                self.hashed.find_or_insert(hash(&key), node, |_| false);
                self.hashed.keep_hash(hash(&key));
            }
        }
        let (cost, parent) = (Cost::INFINITE, NodeId::NONE);
        self.tree.records.push(Record {
            cost,
            parent,
            stamp: 0,
            state,
        });
        Some(node)
    }

    /// How many different states were met.
    pub(crate) fn states_met(&self) -> u64 {
        self.states() as u64
    }

    #[inline]
    fn states(&self) -> usize {
        self.tree.records.len() - self.tree.renewed
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.tree.records.len()
    }

    /// Bytes needed for the nodes there are.
    pub(crate) fn bytes(&self) -> u64 {
        let node = size_of::<Record<P::State>>() + size_of::<P::Action>();
        let table = match self.lookup {
            Lookup::Dense => self.dense.bytes(),
            Lookup::Hashed => HashedTable::bytes(self.states(), self.tree.records.len()),
        };
        (self.tree.records.len() * node + table) as u64
    }

    /// Whether there are numbers left for the new nodes of one more expansion.
    #[inline]
    pub(crate) fn has_numbers(&self) -> bool {
        self.tree.records.len() <= (NodeId::FROZEN - (1 << 24)) as usize
    }

    #[inline]
    pub(crate) fn state(&self, node: NodeId) -> &P::State {
        &self.tree.records[node.index()].state
    }

    #[inline]
    pub(crate) fn cost(&self, node: NodeId) -> Cost {
        self.tree.records[node.index()].cost
    }

    pub(crate) fn parent(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.tree.records[node.index()].parent;
        (parent != NodeId::NONE).then_some(parent)
    }

    /// What those ask who put a node into an open list, all at once.
    #[inline]
    pub(crate) fn met(&self, node: NodeId) -> Met<'_, P::State> {
        let record = self.tree.records.get(node.index());
        let record = record.expect("a node that was met");
        Met {
            state: &record.state,
            cost: record.cost,
            version: record.stamp >> Marks::BITS,
        }
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
        self.tree.records[node.index()].stamp >> Marks::BITS
    }

    /// Whether any of these marks is set.
    #[inline]
    pub(crate) fn is_marked(&self, node: NodeId, marks: Marks) -> bool {
        self.tree.records[node.index()].stamp & marks.0 != 0
    }

    /// Takes a mark from the nodes in a range, as far as there are any. Not for marks that freeze.
    pub(crate) fn unmark(&mut self, marks: Marks, range: Range<usize>) {
        let end = range.end.min(self.tree.records.len());
        for node in range.start..end {
            self.tree.records[node].stamp &= !marks.0;
        }
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
        let first_new = self.tree.records.len();
        let generated = match self.lookup {
            Lookup::Dense if self.dense.has_piece() => {
                self.expand_dense::<true>(problem, node, marks, frozen, listing)
            }
            Lookup::Dense => self.expand_dense::<false>(problem, node, marks, frozen, listing),
            Lookup::Hashed => self.expand_hashed(problem, node, marks, frozen, listing),
        };
        let end = self.tree.records.len();
        let (mut new, mut cheaper) = (first_new, listing.improved.iter());
        // One loop, so that there is one place where `improved` is called and made part of it.
        loop {
            let child = if new < end {
                new += 1;
                NodeId::from_index(new - 1)
            } else if let Some(child) = cheaper.next() {
                *child
            } else {
                break;
            };
            improved(self, child);
        }
        generated as u64
    }

    /// Marks `node` and lists the steps that leave it. Returns where they come from.
    #[inline(always)]
    fn list<const PIECE: bool>(
        &mut self,
        problem: &P,
        node: NodeId,
        marks: Marks,
        frozen: Marks,
        listing: &mut Listing<P>,
    ) -> From {
        let record = &mut self.tree.records[node.index()];
        record.stamp = record.stamp.wrapping_add(1 << Marks::BITS) | marks.0 | Marks::EXPANDED.0;
        let cost = record.cost;
        if self.lookup == Lookup::Dense && frozen.0 & marks.0 != 0 {
            let key = problem.key(&record.state);
            if let Some(index) = problem.index(&key) {
                self.dense.freeze::<PIECE>(index);
            }
        }
        listing.improved.clear();
        if !P::LISTS_IN_PARTS {
            problem.successors(&record.state, &mut listing.steps);
        } else if !listing.in_parts.take(node) {
            // Whatever is there was listed for another.
            listing.steps.clear();
            problem.successors(&record.state, &mut listing.steps);
        }
        From {
            node,
            cost,
            frozen,
            first_new: self.tree.next_node(),
        }
    }

    // These are functions of their own so that what each needs in its loop fits into registers. There
    // are two of each: where all nodes are in one piece, nobody need ask where one is.

    #[inline(never)]
    fn expand_dense<const PIECE: bool>(
        &mut self,
        problem: &P,
        node: NodeId,
        marks: Marks,
        frozen: Marks,
        listing: &mut Listing<P>,
    ) -> usize {
        let from = self.list::<PIECE>(problem, node, marks, frozen, listing);
        let generated = listing.steps.len();
        if self.fits_in_one(generated) {
            self.relax_dense::<PIECE, InOne>(problem, from, listing);
        } else {
            self.relax_dense_beyond(problem, from, listing);
        }
        generated
    }

    #[inline(never)]
    fn relax_dense_beyond(&mut self, problem: &P, from: From, listing: &mut Listing<P>) {
        self.relax_dense::<true, OnShelves>(problem, from, listing);
    }

    #[inline(always)]
    fn relax_dense<const PIECE: bool, W: Whereabouts>(
        &mut self,
        problem: &P,
        from: From,
        listing: &mut Listing<P>,
    ) {
        let (steps, improved) = (&mut listing.steps, &mut listing.improved);
        if const { std::mem::needs_drop::<Successor<P::State, P::Action>>() } {
            for step in steps.drain() {
                self.relax_one_dense::<PIECE, W>(problem, from, step, improved);
            }
        } else {
            for step in steps.iter() {
                self.relax_one_dense::<PIECE, W>(problem, from, step, improved);
            }
            steps.clear();
        }
    }

    #[inline(always)]
    fn relax_one_dense<const PIECE: bool, W: Whereabouts>(
        &mut self,
        problem: &P,
        from: From,
        step: impl Taking<P::State, P::Action>,
        improved: &mut Vec<NodeId>,
    ) {
        // A key without an index breaks the contract; its step is as good as forbidden.
        let Some(index) = problem.index(&problem.key(&step.step().state)) else {
            debug_assert!(false, "all keys have an index, or none has");
            return;
        };
        let Some(known) = self.dense.at::<PIECE, W>(index) else {
            self.meet_on_new_page(from, index, step.take());
            return;
        };
        // Most steps lead back to where the search has been.
        if known.is_frozen() {
            return;
        }
        if *known != NodeId::NONE {
            if let Some(child) = self.tree.improve::<W>(from, step, *known, improved) {
                *known = child;
            }
        } else if let Some(child) = self.tree.push_if_finite::<W>(from, step) {
            *known = child;
            if PIECE {
                self.dense.note(index);
            }
        }
    }

    /// Relaxes a step to a state that is new, and the first on its page.
    #[cold]
    #[inline(never)]
    fn meet_on_new_page(&mut self, from: From, index: u32, step: Successor<P::State, P::Action>) {
        if let Some(child) = self.tree.push_if_finite::<Anywhere>(from, step) {
            self.dense.insert(index, child);
        }
    }

    /// Whether all nodes are in one piece and so many more will be, with whatever finds them by number.
    #[inline]
    fn fits_in_one(&mut self, more: usize) -> bool {
        let records = &self.tree.records;
        records.len() + more <= self.one_until || records.is_one() && self.finds_room_in_one(more)
    }

    #[cold]
    #[inline(never)]
    fn finds_room_in_one(&mut self, wanted: usize) -> bool {
        let room = self.tree.records.room_in_one(wanted);
        let mut room = room.min(self.tree.actions.room_in_one(wanted));
        if self.lookup == Lookup::Dense {
            // A node needs a page at most.
            room = room.min(self.dense.room_in_one(wanted));
        }
        let fits = wanted <= room;
        // Whatever does not fit goes on shelves, and then not all are in one piece any more.
        self.one_until = if fits {
            self.tree.records.len() + room
        } else {
            0
        };
        fits
    }

    /// Makes room in the table for so many more states.
    #[inline(always)]
    fn make_room(&mut self, problem: &P, more: usize) {
        let used = self.states() + more;
        if self.hashed.is_small_for(used) {
            self.grow_table(problem, used);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow_table(&mut self, problem: &P, used: usize) {
        let records = &self.tree.records;
        let hash_of = |node: NodeId| hash(&problem.key(&records[node.index()].state));
        while self.hashed.is_small_for(used) {
            self.hashed.grow(records.len(), hash_of);
        }
    }

    #[inline(never)]
    fn expand_hashed(
        &mut self,
        problem: &P,
        node: NodeId,
        marks: Marks,
        frozen: Marks,
        listing: &mut Listing<P>,
    ) -> usize {
        let from = self.list::<false>(problem, node, marks, frozen, listing);
        let generated = listing.steps.len();
        if listing.hashes.len() < generated {
            listing.hashes.resize(generated, 0);
        }
        self.make_room(problem, generated);
        if self.hashed.is_one() && self.fits_in_one(generated) {
            look_ahead(problem, listing, self.hashed.in_one());
            self.relax_hashed::<InOne>(problem, from, listing);
        } else {
            look_ahead(problem, listing, self.hashed.anywhere());
            self.relax_hashed::<OnShelves>(problem, from, listing);
        }
        generated
    }

    #[inline(never)]
    fn relax_hashed<W: Whereabouts>(&mut self, problem: &P, from: From, listing: &mut Listing<P>) {
        let (steps, improved) = (&mut listing.steps, &mut listing.improved);
        if const { std::mem::needs_drop::<Successor<P::State, P::Action>>() } {
            for (step, hash) in steps.drain().zip(&listing.hashes) {
                self.relax_one_hashed::<W>(problem, from, step, *hash, improved);
            }
        } else {
            for (step, hash) in steps.iter().zip(&listing.hashes) {
                self.relax_one_hashed::<W>(problem, from, step, *hash, improved);
            }
            steps.clear();
        }
    }

    #[inline(always)]
    fn relax_one_hashed<W: Whereabouts>(
        &mut self,
        problem: &P,
        from: From,
        step: impl Taking<P::State, P::Action>,
        hash: u32,
        improved: &mut Vec<NodeId>,
    ) {
        let cost = from.cost + step.step().cost;
        if !cost.is_finite() {
            self.tree.leave_out(step.step().cost);
            return;
        }
        let new = NodeId::from_index(W::len(&self.tree.records));
        let candidate = if W::ONE {
            self.hashed.in_one().look_or_insert(hash, new)
        } else {
            self.hashed.anywhere().look_or_insert(hash, new)
        };
        match candidate {
            Candidate::None => {
                self.tree.push::<W>(from, cost, 0, step.take());
                if !W::ONE {
                    self.hashed.keep_hash(hash);
                }
            }
            // Most of the states that are known are known by a cheaper way.
            Candidate::Perhaps(node)
                if W::get(&self.tree.records, node.index()).is_some_and(|record| {
                    cost >= record.cost
                        && problem.key(&record.state) == problem.key(&step.step().state)
                }) => {}
            _ => self.relax_closely(problem, from, step.take(), hash, improved),
        }
    }

    /// Relaxes a step of which the first look at the table did not tell enough.
    #[inline(never)]
    fn relax_closely(
        &mut self,
        problem: &P,
        from: From,
        step: Successor<P::State, P::Action>,
        hash: u32,
        improved: &mut Vec<NodeId>,
    ) {
        let cost = from.cost + step.cost;
        let new = self.tree.next_node();
        let (key, records) = (problem.key(&step.state), &self.tree.records);
        let known = self.hashed.find_or_insert(hash, new, |node| {
            problem.key(&records[node.index()].state) == key
        });
        if known == new {
            self.tree.push::<Anywhere>(from, cost, 0, step);
        } else if let Some(child) = self.tree.improve::<Anywhere>(from, step, known, improved)
            && child != known
        {
            self.hashed.replace(hash, known, child);
        }
        if self.tree.next_node() != new {
            self.hashed.keep_hash(hash);
        }
    }

    /// What a search has to say that has nothing left to expand and found no solution. Where a way
    /// was left out because it costs too much, and there is a cheaper one to a state on it that was
    /// expanded too early, nothing is proven. To find that out, states are looked at again, for one
    /// unit of budget each. `None`: the budget is spent, ask again.
    pub(crate) fn without_solution(
        &mut self,
        problem: &P,
        listing: &mut Listing<P>,
        budget: &mut Budget<'_>,
        upkeep: &mut u64,
    ) -> Option<Status> {
        if !self.tree.overflowed {
            return Some(Status::Unsolvable);
        }
        while let Some(record) = self.tree.records.get(self.reviewed) {
            if record.stamp & Marks::EXPANDED.0 != 0 {
                if !budget.take() {
                    return None;
                }
                *upkeep += 1;
                problem.successors(&record.state, &mut listing.steps);
                let has_cheaper = listing.steps.iter().any(|step| {
                    let known = self.find(problem, &step.state);
                    known.is_some_and(|known| record.cost + step.cost < self.cost(known))
                });
                listing.steps.clear();
                if has_cheaper {
                    return Some(Status::GaveUp);
                }
            }
            self.reviewed += 1;
        }
        Some(Status::Unsolvable)
    }

    #[inline(never)]
    fn find_hashed(&self, problem: &P, hash: u32, state: &P::State) -> NodeId {
        let key = problem.key(state);
        self.hashed.find(hash, |node| {
            problem.key(&self.tree.records[node.index()].state) == key
        })
    }

    /// The way from the start to `node`.
    pub(crate) fn path_to(&self, node: NodeId) -> Path<P::State, P::Action> {
        self.path_in(Vec::new(), node)
    }

    /// The way from the start to `node`, in memory that was used before.
    pub(crate) fn path_in(
        &self,
        mut steps: Vec<(P::Action, P::State)>,
        node: NodeId,
    ) -> Path<P::State, P::Action> {
        steps.clear();
        let mut at = node;
        while let Some(parent) = self.parent(at) {
            let action = &self.tree.actions[at.index() - 1];
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
}

/// Hashes all states the steps lead to, and looks at where they belong: so the cache misses overlap.
#[inline(always)]
fn look_ahead<P: Problem>(problem: &P, listing: &mut Listing<P>, mut buckets: impl Buckets) {
    let mut seen = 0;
    for (step, hashed) in listing.steps.iter().zip(&mut listing.hashes) {
        *hashed = hash(&problem.key(&step.state));
        seen |= buckets.touch(*hashed);
    }
    // Otherwise the compiler would see that nobody asks what was seen.
    black_box(seen);
}

impl<P: Problem> Tree<P> {
    #[inline]
    fn next_node(&self) -> NodeId {
        NodeId::from_index(self.records.len())
    }

    /// The relax step for a state that is known: goes there by way of `from` if that is cheaper.
    /// Returns the node that stands for the state from now on, if it is, and notes it unless it is
    /// new.
    #[inline(always)]
    fn improve<W: Whereabouts>(
        &mut self,
        from: From,
        step: impl Taking<P::State, P::Action>,
        known: NodeId,
        improved: &mut Vec<NodeId>,
    ) -> Option<NodeId> {
        let cost = from.cost + step.step().cost;
        let record = W::get_mut(&mut self.records, known.index())?;
        if cost >= record.cost || record.stamp & from.frozen.0 != 0 {
            return None;
        }
        if record.stamp & Marks::EXPANDED.0 != 0 {
            // What was generated from this node must stay true, so a new one takes over its marks.
            let marks = record.stamp & Marks::ALL & !Marks::EXPANDED.0;
            record.stamp |= Marks::OUTDATED.0;
            let child = self.push::<W>(from, cost, marks, step.take());
            self.renewed += 1;
            return Some(child);
        }
        // Two steps of one expansion may lead to the same state. It is noted once.
        if known < from.first_new && (record.parent != from.node || !improved.contains(&known)) {
            improved.push(known);
        }
        record.cost = cost;
        record.parent = from.node;
        record.stamp = record.stamp.wrapping_add(1 << Marks::BITS);
        let step = step.take();
        record.state = step.state;
        // Only the start has no action, and no way to it is cheaper than none.
        self.actions[known.index() - 1] = step.action;
        Some(known)
    }

    #[inline]
    fn push<W: Whereabouts>(
        &mut self,
        from: From,
        cost: Cost,
        stamp: u32,
        step: Successor<P::State, P::Action>,
    ) -> NodeId {
        let node = NodeId::from_index(W::len(&self.records));
        let record = Record {
            cost,
            parent: from.node,
            stamp,
            state: step.state,
        };
        W::push(&mut self.records, record);
        W::push(&mut self.actions, step.action);
        node
    }

    /// A new node, unless the way to it is none.
    #[inline(always)]
    fn push_if_finite<W: Whereabouts>(
        &mut self,
        from: From,
        step: impl Taking<P::State, P::Action>,
    ) -> Option<NodeId> {
        let cost = from.cost + step.step().cost;
        if cost.is_finite() {
            Some(self.push::<W>(from, cost, 0, step.take()))
        } else {
            self.leave_out(step.step().cost);
            None
        }
    }

    /// A way of infinite cost is none: because its last step is forbidden, or because it costs more
    /// than can be counted.
    #[cold]
    fn leave_out(&mut self, step: Cost) {
        self.overflowed |= step.is_finite();
    }
}
