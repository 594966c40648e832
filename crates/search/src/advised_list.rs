//! An adviser's open list: one number for each state, and the least of every stretch of them.
//!
//! Many advisers have open lists over the same states, and most states they hear of are expanded on
//! somebody else's behalf long before they get near the front. So hearing of a state must cost next
//! to nothing. Here it is one number written where the state's node has its place, in the order in
//! which states are met; what is the least number of a stretch of nodes, and of a group of stretches,
//! is kept beside. The numbers that lie near are taken out together and kept in no order; of those, the
//! first few make up the front, and only then are their priorities worked out in full.
//!
//! The least numbers are lower bounds. A state that is no longer on offer keeps its number, and is
//! passed over when its stretch is looked at: a stretch is as long as a word of the set of those that
//! are on offer.

use crate::front::{Entry, Front};
use crate::nodes::NodeId;

/// Roughly where an entry lies: never decreases when the priority increases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position(u32);

impl Position {
    /// Beyond everything: there is no entry.
    pub(crate) const NONE: Position = Position(u32::MAX);

    /// Integer parts of priorities from here on all lie at the same position.
    pub(crate) const ENORMOUS: u64 = 1 << 63;

    const FIRST: Position = Position(0);

    /// From the integer part of a priority.
    #[inline]
    pub(crate) fn of(whole: u64) -> Position {
        Position::of_moderate(whole.min(Position::ENORMOUS - 1))
    }

    /// From one that is not enormous: the bits of the nearest float, whose order is that of the
    /// numbers. Converting a signed number takes one instruction, an unsigned one many.
    #[inline]
    pub(crate) fn of_moderate(whole: u64) -> Position {
        debug_assert!(whole < Position::ENORMOUS);
        Position((whole as i64 as f32).to_bits())
    }
}

/// Nodes in a stretch: as many as a word has bits.
const STRETCH: usize = u64::BITS as usize;
/// Stretches in a group, groups in a larger group, and so on.
const GROUP: usize = 16;
/// Of what lies near, about this many at a time go to the front.
const FEW: usize = 24;
/// A front of more than this many takes longer to keep in order than it helps.
const LONG: usize = 56;
/// Fewer than this many at a time are not worth the way to where they lie far away.
const ENOUGH: usize = 48;
/// More than this many are not near: looking through them would take too long.
const MANY: usize = 160;

/// The open list.
#[derive(Debug)]
pub(crate) struct AdvisedList {
    /// What lies before `front_end`.
    front: Front,
    front_end: Position,
    /// The front is too long when it has more than this many entries.
    too_long: usize,
    /// What lies from the front's end to `near_end`, in no order. Some of it may be stale.
    near: Vec<Near>,
    near_end: Position,
    /// Where each node lies that is in the list and farther away.
    positions: Vec<Position>,
    /// The least position of each stretch.
    stretches: Vec<Position>,
    /// The least position of each group of stretches, of each group of groups, and so on. The first
    /// `depth` are in use, the others keep their memory.
    groups: Vec<Vec<Position>>,
    depth: usize,
    /// How far beyond the least position was near the last time.
    reach: u32,
    /// What is being moved to the front.
    moving: Vec<Near>,
}

/// An entry near the front.
#[derive(Clone, Copy, Debug)]
struct Near {
    position: Position,
    node: NodeId,
    version: u32,
}

/// The nodes that advisers may expand, a bit for each: so small that it stays at hand where the nodes
/// themselves do not.
#[derive(Debug, Default)]
pub(crate) struct Offer {
    words: Vec<u64>,
    len: usize,
}

impl Offer {
    /// How many nodes there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn insert(&mut self, node: NodeId) {
        let (word, bit) = (node.index() / STRETCH, 1 << (node.index() % STRETCH));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.len += usize::from(self.words[word] & bit == 0);
        self.words[word] |= bit;
    }

    #[inline]
    pub(crate) fn remove(&mut self, node: NodeId) {
        let (word, bit) = (node.index() / STRETCH, 1 << (node.index() % STRETCH));
        if let Some(word) = self.words.get_mut(word) {
            self.len -= usize::from(*word & bit != 0);
            *word &= !bit;
        }
    }

    /// The nodes of a stretch, a bit for each.
    #[inline]
    fn in_stretch(&self, stretch: usize) -> u64 {
        self.words.get(stretch).copied().unwrap_or(0)
    }

    /// There are none; keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.len = 0;
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.words.as_slice())
    }
}

/// The parts of an open list that change when nodes are put into it. Many are put in at once, and
/// these are then at hand.
pub(crate) struct Places<'a> {
    front: &'a mut Front,
    front_end: Position,
    near: &'a mut Vec<Near>,
    near_end: Position,
    positions: &'a mut [Position],
    stretches: &'a mut [Position],
    groups: &'a mut [Vec<Position>],
}

impl Places<'_> {
    /// The node in that version lies at `position` from now on, or is not in the list if that is
    /// [`Position::NONE`]. There must be room for it. `entry` is asked for if it goes to the front.
    #[inline(always)]
    pub(crate) fn push(
        &mut self,
        node: NodeId,
        version: u32,
        position: Position,
        entry: impl FnOnce() -> Entry,
    ) {
        if position >= self.near_end {
            self.put(node, position);
            return;
        }
        self.positions[node.index()] = Position::NONE;
        if position >= self.front_end {
            self.near.push(Near {
                position,
                node,
                version,
            });
        } else {
            self.front.push(entry());
        }
    }

    #[inline(always)]
    fn put(&mut self, node: NodeId, position: Position) {
        self.positions[node.index()] = position;
        let stretch = node.index() / STRETCH;
        let least = &mut self.stretches[stretch];
        if position < *least {
            *least = position;
            put_least(self.groups, stretch, position);
        }
    }
}

/// A stretch has got a lower least position.
#[inline(never)]
fn put_least(groups: &mut [Vec<Position>], stretch: usize, position: Position) {
    let mut at = stretch;
    for level in groups {
        at /= GROUP;
        if position >= level[at] {
            return;
        }
        level[at] = position;
    }
}

impl AdvisedList {
    pub(crate) const fn new() -> Self {
        AdvisedList {
            front: Front::new(),
            front_end: Position::FIRST,
            too_long: LONG,
            near: Vec::new(),
            near_end: Position::FIRST,
            positions: Vec::new(),
            stretches: Vec::new(),
            groups: Vec::new(),
            depth: 0,
            reach: 0,
            moving: Vec::new(),
        }
    }

    /// Bytes of a list that covers so many nodes. Few of them are near.
    pub(crate) fn bytes_for(nodes: usize) -> usize {
        let stretches = nodes.div_ceil(STRETCH);
        // With the groups, the groups of groups, and so on.
        let least = stretches * GROUP / (GROUP - 1);
        (stretches * STRETCH + least) * size_of::<Position>()
    }

    /// Makes room for so many nodes.
    #[inline]
    pub(crate) fn cover(&mut self, nodes: usize) {
        if nodes > self.positions.len() {
            self.grow(nodes);
        }
    }

    #[inline(never)]
    fn grow(&mut self, nodes: usize) {
        let mut len = nodes.div_ceil(STRETCH);
        self.positions.resize(len * STRETCH, Position::NONE);
        self.stretches.resize(len, Position::NONE);
        for level in 0.. {
            if len <= GROUP {
                return;
            }
            len = len.div_ceil(GROUP);
            if level == self.groups.len() {
                self.groups.push(Vec::new());
            }
            self.groups[level].resize(len, Position::NONE);
            if level == self.depth {
                // It is new. So far there were few enough below it to make one group.
                let least = self.below(level).iter().take(GROUP).min().copied();
                self.groups[level][0] = least.unwrap_or(Position::NONE);
                self.depth += 1;
            }
        }
    }

    /// The least positions of the members of the groups of a level.
    #[inline]
    fn below(&mut self, level: usize) -> &mut [Position] {
        match level.checked_sub(1) {
            None => &mut self.stretches,
            Some(below) => &mut self.groups[below],
        }
    }

    /// Where nodes are put.
    #[inline]
    pub(crate) fn places(&mut self) -> Places<'_> {
        Places {
            front: &mut self.front,
            front_end: self.front_end,
            near: &mut self.near,
            near_end: self.near_end,
            positions: &mut self.positions,
            stretches: &mut self.stretches,
            groups: &mut self.groups[..self.depth],
        }
    }

    /// The first entry that is not stale. `resolve` works out the entry of a node, `version` says
    /// which version it has.
    #[inline]
    pub(crate) fn peek(
        &mut self,
        offer: &Offer,
        version: impl Fn(NodeId) -> u32,
        mut resolve: impl FnMut(NodeId) -> Entry,
    ) -> Option<Entry> {
        if self.front.len() > self.too_long {
            self.shorten_front(&version);
        }
        loop {
            if let Some(first) = self.front.first() {
                if version(first.node) == first.version {
                    return Some(*first);
                }
                self.front.pop();
            }
            if self.front.is_empty() && !self.refill(offer, &version, &mut resolve) {
                return None;
            }
        }
    }

    /// Removes the entry that `peek` has just returned.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.front.pop();
    }

    /// Fills an empty front. False: there is nothing to fill it with.
    #[inline(never)]
    fn refill(
        &mut self,
        offer: &Offer,
        version: &impl Fn(NodeId) -> u32,
        resolve: &mut impl FnMut(NodeId) -> Entry,
    ) -> bool {
        while self.front.is_empty() {
            if self.near.is_empty() && !self.fetch(offer, version) {
                return false;
            }
            if self.near.len() > MANY {
                self.put_most_back(version);
            }
            self.front_end = if self.near.len() > FEW {
                self.end_of_first(FEW)
            } else {
                self.near_end
            };
            let (moving, end) = (&mut self.moving, self.front_end);
            self.near.retain(|near| {
                let stays = near.position >= end;
                if !stays && version(near.node) == near.version {
                    moving.push(*near);
                }
                stays
            });
            // What was met first mostly comes first, and the front has its first entry last.
            let entries = moving.drain(..).rev().map(|near| resolve(near.node));
            self.front.fill(entries);
        }
        self.allow_for_front();
        true
    }

    /// Says when the front will be too long: not before it has doubled, or the same entries would be
    /// moved to and fro.
    fn allow_for_front(&mut self) {
        self.too_long = LONG.max(self.front.len() * 2);
    }

    /// The first position beyond that many of what is near, and beyond what lies at the same one.
    fn end_of_first(&mut self, count: usize) -> Position {
        let by_position = |near: &Near| near.position;
        let (_, last, _) = self.near.select_nth_unstable_by_key(count, by_position);
        Position(last.position.0 + 1)
    }

    /// Takes what is near from far away. False: there is nothing.
    fn fetch(&mut self, offer: &Offer, version: &impl Fn(NodeId) -> u32) -> bool {
        while self.near.is_empty() {
            let least = self.below(self.depth).iter().min().copied();
            let Some(least) = least.filter(|least| *least != Position::NONE) else {
                return false;
            };
            self.near_end = Position(least.0.saturating_add(self.reach).saturating_add(1));
            self.take_before(self.near_end, self.depth, 0, offer);
            if self.near.len() < ENOUGH {
                self.reach = self.reach.saturating_mul(2).saturating_add(1);
            }
        }
        for near in &mut self.near {
            near.version = version(near.node);
        }
        true
    }

    /// Takes out what lies before `end` in a group of that level, and returns the least of what
    /// remains.
    fn take_before(&mut self, end: Position, level: usize, at: usize, offer: &Offer) -> Position {
        let mut least = Position::NONE;
        let members = at * GROUP..((at + 1) * GROUP).min(self.below(level).len());
        for member in members {
            let mut its_least = self.below(level)[member];
            if its_least < end {
                its_least = match level.checked_sub(1) {
                    None => self.take_from_stretch(end, member, offer),
                    Some(below) => self.take_before(end, below, member, offer),
                };
                self.below(level)[member] = its_least;
            }
            least = least.min(its_least);
        }
        least
    }

    fn take_from_stretch(&mut self, end: Position, stretch: usize, offer: &Offer) -> Position {
        let mut least = Position::NONE;
        let first = stretch * STRETCH;
        let positions = &mut self.positions[first..first + STRETCH];
        let mut remaining = offer.in_stretch(stretch);
        while remaining != 0 {
            let member = remaining.trailing_zeros() as usize;
            remaining &= remaining - 1;
            let position = &mut positions[member];
            if *position < end {
                let node = NodeId::from_index(first + member);
                // `fetch` knows the version.
                let (position, version) = (std::mem::replace(position, Position::NONE), 0);
                self.near.push(Near {
                    position,
                    node,
                    version,
                });
            } else {
                least = least.min(*position);
            }
        }
        least
    }

    /// Too much is near: all but the first go back to where they lie far away, unless they lie at the
    /// same position.
    fn put_most_back(&mut self, version: &impl Fn(NodeId) -> u32) {
        self.near_end = self.end_of_first(ENOUGH);
        let first = self.near.iter().map(|near| near.position).min();
        self.reach = self.near_end.0 - first.unwrap_or(Position::FIRST).0 - 1;
        let mut near = std::mem::take(&mut self.near);
        let mut places = self.places();
        near.retain(|near| {
            let stays = near.position < places.near_end;
            if !stays && version(near.node) == near.version {
                places.put(near.node, near.position);
            }
            stays
        });
        self.near = near;
    }

    /// All but the first of a long front are only near, unless they lie at one position.
    #[inline(never)]
    fn shorten_front(&mut self, version: &impl Fn(NodeId) -> u32) {
        let position = |entry: &Entry| Position::of(entry.priority.whole);
        let first = self.front.first().map(position);
        let beyond = self.front.beyond(FEW).map(position);
        let Some(end) = beyond.filter(|end| Some(*end) > first) else {
            self.allow_for_front();
            return;
        };
        let near = &mut self.near;
        self.front.retain(|entry| {
            let stays = position(entry) < end;
            if !stays {
                near.push(Near {
                    position: position(entry),
                    node: entry.node,
                    version: entry.version,
                });
            }
            stays
        });
        self.front_end = end;
        self.allow_for_front();
        if self.near.len() > MANY {
            self.put_most_back(version);
        }
    }

    /// Forgets all entries, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.front.clear();
        self.near.clear();
        (self.front_end, self.near_end) = (Position::FIRST, Position::FIRST);
        self.positions.clear();
        self.stretches.clear();
        self.groups.iter_mut().for_each(Vec::clear);
        (self.depth, self.reach, self.too_long) = (0, 0, LONG);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use proptest::prelude::*;

    use super::*;
    use crate::priority::{LAST, Priority};

    /// What is done to a list.
    #[derive(Clone, Copy, Debug)]
    enum Deed {
        /// Meets so many nodes that are not in the list.
        Meet(u16),
        /// A node lies there from now on, one of the latest or any.
        Push {
            node: usize,
            priority: Priority,
        },
        /// This adviser may not have it.
        Refuse(usize),
        /// It is no longer on offer, but may be again.
        Withdraw(usize),
        /// It was expanded for somebody else.
        Expand(usize),
        Pop,
        PopMany(u8),
        Clear,
    }

    /// The version of nodes that were expanded.
    const EXPANDED: u32 = u32::MAX;

    /// A list under test, and what it should hold.
    struct Tested {
        list: AdvisedList,
        offer: Offer,
        current: HashMap<NodeId, Entry>,
        sorted: BTreeSet<Entry>,
        /// By node; nodes that were expanded have none.
        versions: Vec<Option<u32>>,
    }

    impl Tested {
        fn new() -> Tested {
            Tested {
                list: AdvisedList::new(),
                offer: Offer::default(),
                current: HashMap::new(),
                sorted: BTreeSet::new(),
                versions: Vec::new(),
            }
        }

        fn forget(&mut self, node: NodeId) {
            if let Some(entry) = self.current.remove(&node) {
                self.sorted.remove(&entry);
            }
        }

        /// The node a deed is done to, unless it was expanded.
        fn node(&mut self, node: usize) -> Option<(NodeId, u32)> {
            let index = node % self.versions.len().max(1);
            let version = self.versions.get_mut(index)?.as_mut()?;
            *version += 1;
            Some((NodeId::from_index(index), *version))
        }

        fn place(&mut self, node: NodeId, position: Position, entry: Option<Entry>) {
            self.offer.insert(node);
            let version = self.versions[node.index()].unwrap_or(EXPANDED);
            let entry = || entry.expect("what may be had has a priority");
            self.list.places().push(node, version, position, entry);
        }

        fn expand(&mut self, node: NodeId) {
            self.forget(node);
            self.offer.remove(node);
            self.versions[node.index()] = None;
        }

        fn pop(&mut self) -> bool {
            let (current, versions) = (&self.current, &self.versions);
            let next = self.list.peek(
                &self.offer,
                |node| versions[node.index()].unwrap_or(EXPANDED),
                |node| current[&node],
            );
            assert_eq!(next, self.sorted.first().copied());
            if let Some(entry) = next {
                self.list.pop();
                self.expand(entry.node);
            }
            next.is_some()
        }

        fn done(&mut self, deed: Deed) {
            match deed {
                Deed::Meet(nodes) => {
                    let nodes = self.versions.len() + usize::from(nodes);
                    self.versions.resize(nodes, Some(0));
                    self.list.cover(nodes);
                }
                Deed::Push { node, priority } => {
                    if let Some((node, version)) = self.node(node) {
                        self.forget(node);
                        let entry = Entry {
                            priority,
                            node,
                            version,
                        };
                        self.current.insert(node, entry);
                        self.sorted.insert(entry);
                        self.place(node, Position::of(priority.whole), Some(entry));
                    }
                }
                Deed::Refuse(node) => {
                    if let Some((node, _)) = self.node(node) {
                        self.forget(node);
                        self.place(node, Position::NONE, None);
                    }
                }
                Deed::Withdraw(node) => {
                    if let Some((node, _)) = self.node(node) {
                        self.forget(node);
                        self.offer.remove(node);
                    }
                }
                Deed::Expand(node) => {
                    if let Some((node, _)) = self.node(node) {
                        self.expand(node);
                    }
                }
                Deed::Pop => {
                    self.pop();
                }
                Deed::PopMany(pops) => {
                    (0..pops).all(|_| self.pop());
                }
                Deed::Clear => {
                    self.list.clear();
                    self.offer.clear();
                    self.current.clear();
                    self.sorted.clear();
                    self.versions.clear();
                }
            }
            assert!(self.offer.len() >= self.sorted.len());
        }
    }

    fn check(deeds: impl IntoIterator<Item = Deed>) {
        let mut tested = Tested::new();
        deeds.into_iter().for_each(|deed| tested.done(deed));
        while tested.pop() {}
        assert_eq!(tested.list.front.len(), 0);
    }

    /// Priorities as searches have them, and as they might have them at worst.
    fn priorities() -> impl Strategy<Value = Priority> {
        let rest = prop_oneof![Just(0), 0u64..4, any::<u64>()];
        let whole = prop_oneof![
            Just(7_000_000_000),
            0u64..10,
            1_000_000_000u64..1_000_200_000,
            1_000_000_000u64..9_000_000_000,
            (LAST - 50)..=LAST,
            0..=LAST,
        ];
        (whole, rest).prop_map(|(whole, rest)| Priority { whole, rest })
    }

    fn deeds() -> impl Strategy<Value = Vec<Deed>> {
        let push = (any::<usize>(), priorities());
        let deed = prop_oneof![
            8 => (1u16..200).prop_map(Deed::Meet),
            1 => (1_000u16..20_000).prop_map(Deed::Meet),
            60 => push.prop_map(|(node, priority)| Deed::Push { node, priority }),
            3 => any::<usize>().prop_map(Deed::Refuse),
            3 => any::<usize>().prop_map(Deed::Withdraw),
            10 => any::<usize>().prop_map(Deed::Expand),
            25 => Just(Deed::Pop),
            4 => any::<u8>().prop_map(Deed::PopMany),
            1 => Just(Deed::Clear),
        ];
        prop::collection::vec(deed, 0..1_500)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

        #[test]
        fn entries_come_out_as_if_all_were_sorted(deeds in deeds()) {
            check(deeds);
        }

        #[test]
        fn positions_are_in_the_order_of_priorities(a in any::<u64>(), b in any::<u64>(), shift in 0u32..64) {
            let (low, high) = (a.min(b) >> shift, a.max(b) >> shift);
            prop_assert!(Position::of(low) <= Position::of(high));
            prop_assert!(Position::of(low) <= Position::of(low.saturating_add(1)));
            prop_assert!(Position::of(high) < Position::NONE);
        }
    }

    /// Many entries at once, at one position and at positions that are close together: more than a
    /// front takes, and more than it is filled with.
    #[test]
    fn crowds_come_out_in_order() {
        for width in [1, 3, 100_000] {
            let push = |node: u64| Deed::Push {
                node: (node * 7_919 % 5_000) as usize,
                priority: Priority {
                    whole: 1_000_000_000 + node * 31 % width,
                    rest: node % 3,
                },
            };
            let rounds = (0..5_000).flat_map(|node| {
                let pop = (node % 4 == 3).then_some(Deed::Pop);
                [push(node)].into_iter().chain(pop)
            });
            check([Deed::Meet(5_000)].into_iter().chain(rounds));
        }
    }
}
