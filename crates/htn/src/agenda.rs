//! What is still to be done, in memory that many branches of a search share: networks that never
//! change once they are made, in stores that are cut back when a branch is left.

use apprentice_search::Cost;

use crate::domain::Domain;
use crate::network::{Network, Order, Piece};
use crate::plan::Origin;

/// A network. [`DONE`]: nothing is left to do.
pub(crate) type NodeId = u32;
pub(crate) const DONE: NodeId = u32::MAX;
const NO_CELL: u32 = u32::MAX;

/// Which decomposition a task came from. [`ROOT`]: it was asked for.
pub(crate) const ROOT: u32 = u32::MAX;

/// A network: something to do first, and then another network.
#[derive(Clone, Debug)]
pub(crate) struct Node<T> {
    pub(crate) first: First<T>,
    pub(crate) next: NodeId,
    /// How many tasks there are in all.
    pub(crate) len: u32,
    /// What all of them cost at least.
    pub(crate) bound: Cost,
    pub(crate) digest: u64,
}

#[derive(Clone, Debug)]
pub(crate) enum First<T> {
    Task {
        task: T,
        parent: u32,
        /// Which of its parent's subtasks it is.
        position: u32,
        /// The digest of the task alone.
        digest: u64,
    },
    /// Networks that do not wait for each other: at least two, none of them done.
    Branches(u32),
}

/// One of several networks that do not wait for each other, and the others after it.
#[derive(Clone, Copy, Debug)]
struct Cell {
    network: NodeId,
    rest: u32,
}

/// A way from a network down to one of its branches.
#[derive(Clone, Copy, Debug)]
struct Visit {
    node: NodeId,
    branch: u32,
    up: u32,
}

/// A task that can be done now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ready {
    pub(crate) node: NodeId,
    up: u32,
}

/// How much of the stores is in use.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    nodes: usize,
    cells: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Agenda<T> {
    nodes: Vec<Node<T>>,
    cells: Vec<Cell>,
    /// Tasks without a digest so far.
    unknown: u64,
    // Scratch memory.
    visits: Vec<Visit>,
    pub(crate) ready: Vec<Ready>,
    walk: Vec<(NodeId, u32)>,
    contexts: Vec<Context>,
    chain: Vec<NodeId>,
    branches: Vec<NodeId>,
}

/// A group of tasks that is being read from its end.
#[derive(Clone, Copy, Debug)]
struct Context {
    order: Order,
    /// What comes after the group.
    next: NodeId,
    /// Ordered: what is read so far, with what comes after. Unordered: unused.
    built: NodeId,
    /// Unordered: the branches read so far.
    cells: u32,
}

/// The digest of nothing to do.
const DONE_DIGEST: u64 = 0x9E37_79B9_7F4A_7C15;

pub(crate) fn mix(a: u64, b: u64) -> u64 {
    // The finaliser of SplitMix64 over both, with odd constants between them.
    let mut x = a
        .wrapping_mul(0xBF58_476D_1CE4_E5B9)
        .wrapping_add(b ^ 0x94D0_49BB_1331_11EB);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

impl<T: Clone> Agenda<T> {
    pub(crate) fn new() -> Agenda<T> {
        Agenda {
            nodes: Vec::new(),
            cells: Vec::new(),
            unknown: 0,
            visits: Vec::new(),
            ready: Vec::new(),
            walk: Vec::new(),
            contexts: Vec::new(),
            chain: Vec::new(),
            branches: Vec::new(),
        }
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            nodes: self.nodes.len(),
            cells: self.cells.len(),
        }
    }

    pub(crate) fn cut_back(&mut self, mark: Mark) {
        self.nodes.truncate(mark.nodes);
        self.cells.truncate(mark.cells);
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node<T> {
        &self.nodes[id as usize]
    }

    pub(crate) fn task(&self, id: NodeId) -> &T {
        match &self.nodes[id as usize].first {
            First::Task { task, .. } => task,
            First::Branches(_) => unreachable!("only tasks are ready"),
        }
    }

    /// Where a task came from.
    pub(crate) fn origin(&self, id: NodeId) -> Origin {
        match self.nodes[id as usize].first {
            First::Task {
                parent, position, ..
            } => Origin {
                parent: (parent != ROOT).then_some(parent as usize),
                position: position as usize,
            },
            First::Branches(_) => unreachable!("only tasks come from somewhere"),
        }
    }

    /// The decomposition a task is a part of.
    pub(crate) fn parent(&self, id: NodeId) -> Option<u32> {
        match self.nodes[id as usize].first {
            First::Task { parent, .. } if parent != ROOT => Some(parent),
            _ => None,
        }
    }

    pub(crate) fn len(&self, id: NodeId) -> u32 {
        if id == DONE { 0 } else { self.node(id).len }
    }

    pub(crate) fn bound(&self, id: NodeId) -> Cost {
        if id == DONE {
            Cost::ZERO
        } else {
            self.node(id).bound
        }
    }

    pub(crate) fn digest(&self, id: NodeId) -> u64 {
        if id == DONE {
            DONE_DIGEST
        } else {
            self.node(id).digest
        }
    }

    /// Lists the tasks of a network that can be done now, from left to right.
    pub(crate) fn find_ready(&mut self, network: NodeId) {
        self.ready.clear();
        self.visits.clear();
        if network == DONE {
            return;
        }
        self.walk.clear();
        self.walk.push((network, u32::MAX));
        while let Some((node, up)) = self.walk.pop() {
            let First::Branches(first) = self.nodes[node as usize].first else {
                self.ready.push(Ready { node, up });
                continue;
            };
            let begin = self.walk.len();
            let (mut cell, mut branch) = (first, 0);
            while cell != NO_CELL {
                let Cell { network, rest } = self.cells[cell as usize];
                let visit = self.visits.len() as u32;
                self.visits.push(Visit { node, branch, up });
                self.walk.push((network, visit));
                (cell, branch) = (rest, branch + 1);
            }
            self.walk[begin..].reverse();
        }
    }

    /// The network without the task that is ready at place `ready`, which [`find_ready`] listed,
    /// and with `instead` in its place.
    ///
    /// [`find_ready`]: Agenda::find_ready
    pub(crate) fn replace<D: Domain<Task = T>>(
        &mut self,
        domain: &D,
        ready: Ready,
        instead: &[Piece<T>],
        parent: u32,
    ) -> NodeId {
        let next = self.node(ready.node).next;
        let mut network = self.build(domain, instead, parent, next);
        let mut up = ready.up;
        while up != u32::MAX {
            let visit = self.visits[up as usize];
            network = self.replace_branch(visit, network);
            up = visit.up;
        }
        network
    }

    /// The node of `visit` with another network as the branch that was visited.
    fn replace_branch(&mut self, visit: Visit, network: NodeId) -> NodeId {
        let Node { first, next, .. } = &self.nodes[visit.node as usize];
        let next = *next;
        let First::Branches(mut cell) = *first else {
            unreachable!("only branches are visited")
        };
        self.branches.clear();
        for _ in 0..visit.branch {
            let Cell { network, rest } = self.cells[cell as usize];
            self.branches.push(network);
            cell = rest;
        }
        let mut cells = self.cells[cell as usize].rest;
        cells = self.add_branch(network, cells);
        for at in (0..self.branches.len()).rev() {
            cells = self.push_cell(self.branches[at], cells);
        }
        self.join(cells, next)
    }

    /// Puts a network in front of branches; if it consists of branches itself, all of them.
    fn add_branch(&mut self, network: NodeId, mut cells: u32) -> u32 {
        if network == DONE {
            return cells;
        }
        let node = self.node(network);
        let First::Branches(first) = node.first else {
            return self.push_cell(network, cells);
        };
        if node.next != DONE {
            return self.push_cell(network, cells);
        }
        if cells == NO_CELL {
            return first;
        }
        self.chain.clear();
        let mut cell = first;
        while cell != NO_CELL {
            self.chain.push(self.cells[cell as usize].network);
            cell = self.cells[cell as usize].rest;
        }
        for at in (0..self.chain.len()).rev() {
            cells = self.push_cell(self.chain[at], cells);
        }
        cells
    }

    fn push_cell(&mut self, network: NodeId, rest: u32) -> u32 {
        self.cells.push(Cell { network, rest });
        (self.cells.len() - 1) as u32
    }

    /// Branches, and then `next`.
    fn join(&mut self, cells: u32, next: NodeId) -> NodeId {
        if cells == NO_CELL {
            return next;
        }
        let Cell { network, rest } = self.cells[cells as usize];
        if rest == NO_CELL {
            return self.append(network, next);
        }
        let (mut len, mut bound) = (self.len(next), self.bound(next));
        let mut digest = mix(self.digest(next), 0x5D);
        let mut cell = cells;
        while cell != NO_CELL {
            let Cell { network, rest } = self.cells[cell as usize];
            len += self.len(network);
            bound = bound + self.bound(network);
            digest = mix(digest, self.digest(network));
            cell = rest;
        }
        self.push(Node {
            first: First::Branches(cells),
            next,
            len,
            bound,
            digest,
        })
    }

    fn push(&mut self, node: Node<T>) -> NodeId {
        self.nodes.push(node);
        (self.nodes.len() - 1) as NodeId
    }

    /// `network`, and then `next`.
    fn append(&mut self, network: NodeId, next: NodeId) -> NodeId {
        if next == DONE || network == DONE {
            return if network == DONE { next } else { network };
        }
        self.chain.clear();
        let mut at = network;
        while at != DONE {
            self.chain.push(at);
            at = self.node(at).next;
        }
        let mut built = next;
        for at in (0..self.chain.len()).rev() {
            let node = self.node(self.chain[at]);
            // What the node adds to what comes after it stays the same.
            let after = node.next;
            let own_len = node.len - self.len(after);
            let own_bound = node.bound.less(self.bound(after));
            let first = node.first.clone();
            let digest = match &first {
                First::Task { digest, .. } => mix(self.digest(built), *digest),
                First::Branches(cells) => self.digest_branches(*cells, built),
            };
            built = self.push(Node {
                first,
                next: built,
                len: own_len + self.len(built),
                bound: own_bound + self.bound(built),
                digest,
            });
        }
        built
    }

    fn digest_branches(&self, cells: u32, next: NodeId) -> u64 {
        let mut digest = mix(self.digest(next), 0x5D);
        let mut cell = cells;
        while cell != NO_CELL {
            let Cell { network, rest } = self.cells[cell as usize];
            digest = mix(digest, self.digest(network));
            cell = rest;
        }
        digest
    }

    /// The network that `pieces` describe, and then `next`.
    pub(crate) fn build<D: Domain<Task = T>>(
        &mut self,
        domain: &D,
        pieces: &[Piece<T>],
        parent: u32,
        next: NodeId,
    ) -> NodeId {
        let mut position = pieces
            .iter()
            .filter(|piece| matches!(piece, Piece::Task(_)))
            .count() as u32;
        self.contexts.clear();
        let mut context = Context {
            order: Order::Ordered,
            next,
            built: next,
            cells: NO_CELL,
        };
        for piece in pieces.iter().rev() {
            match piece {
                Piece::Task(task) => {
                    position -= 1;
                    let next = match context.order {
                        Order::Ordered => context.built,
                        Order::Unordered => DONE,
                    };
                    let digest = match domain.task_digest(task) {
                        Some(digest) => digest,
                        // Different from all others, also from itself.
                        None => {
                            self.unknown += 1;
                            mix(0x0DD, self.unknown)
                        }
                    };
                    let node = self.push(Node {
                        first: First::Task {
                            task: task.clone(),
                            parent,
                            position,
                            digest,
                        },
                        next,
                        len: 1 + self.len(next),
                        bound: domain.least_cost(task) + self.bound(next),
                        digest: mix(self.digest(next), digest),
                    });
                    match context.order {
                        Order::Ordered => context.built = node,
                        Order::Unordered => context.cells = self.push_cell(node, context.cells),
                    }
                }
                // Read from its end, a group begins with its closing parenthesis.
                Piece::Close(order) => {
                    let next = match context.order {
                        Order::Ordered => context.built,
                        Order::Unordered => DONE,
                    };
                    self.contexts.push(context);
                    context = Context {
                        order: *order,
                        next,
                        built: next,
                        cells: NO_CELL,
                    };
                }
                Piece::Open(_) => {
                    let network = match context.order {
                        Order::Ordered => context.built,
                        Order::Unordered => self.join(context.cells, context.next),
                    };
                    context = self.contexts.pop().expect("parentheses match");
                    match context.order {
                        Order::Ordered => context.built = network,
                        Order::Unordered => {
                            context.cells = self.add_branch(network, context.cells);
                        }
                    }
                }
            }
        }
        context.built
    }

    /// The network as a value of its own: tasks with the decompositions they are a part of.
    pub(crate) fn to_network(&self, network: NodeId) -> Network<(T, Origin)> {
        enum Next {
            Node(NodeId),
            Close(Order),
        }
        let mut pieces = Vec::new();
        let mut stack = vec![Next::Node(network)];
        while let Some(next) = stack.pop() {
            match next {
                Next::Close(order) => pieces.push(Piece::Close(order)),
                Next::Node(DONE) => {}
                Next::Node(at) => {
                    pieces.push(Piece::Open(Order::Ordered));
                    stack.push(Next::Close(Order::Ordered));
                    let mut at = at;
                    // Tasks up to the first group, the group, and what comes after it.
                    while at != DONE {
                        let node = self.node(at);
                        match &node.first {
                            First::Task { task, .. } => {
                                pieces.push(Piece::Task((task.clone(), self.origin(at))));
                            }
                            First::Branches(cells) => {
                                stack.push(Next::Node(node.next));
                                stack.push(Next::Close(Order::Unordered));
                                pieces.push(Piece::Open(Order::Unordered));
                                let begin = stack.len();
                                let mut cell = *cells;
                                while cell != NO_CELL {
                                    let Cell { network, rest } = self.cells[cell as usize];
                                    stack.push(Next::Node(network));
                                    cell = rest;
                                }
                                stack[begin..].reverse();
                                break;
                            }
                        }
                        at = node.next;
                    }
                }
            }
        }
        Network { pieces }
    }
}
