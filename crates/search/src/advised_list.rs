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

use crate::chores::{A_LOOK, AN_ESTIMATE, Chores, Unfinished};
use crate::front::{Entry, Front, SHEAF};
use crate::nodes::NodeId;
use crate::shelves::Shelves;

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
/// Nodes in a group.
const GROUPED: usize = GROUP * STRETCH;
/// Room is made for so many groups at once, at most.
const AT_ONCE: usize = 32;
/// Of what lies near, about this many at a time go to the front.
const FEW: usize = 24;
/// A front of more than this many takes longer to keep in order than it helps.
const LONG: usize = 56;
/// Fewer than this many at a time are not worth the way to where they lie far away.
const ENOUGH: usize = 48;
/// More than this many are not near: looking through them would take too long.
const MANY: usize = 160;
/// So many are taken from far away at once, at most.
const MOST: usize = 2 * SHEAF;
/// After so many estimates at once it is asked whether there is time.
const BETWEEN_LOOKS: usize = 32;

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
    /// Where each node lies that is in the list and farther away. The first `covered` are in use, the
    /// others keep their memory.
    groups: Vec<Box<Group>>,
    covered: usize,
    /// The least position of each group, of each group of groups, and so on. The first `depth` are in
    /// use, the others keep their memory.
    least: Vec<Vec<Position>>,
    depth: usize,
    /// How far beyond the least position was near the last time.
    reach: u32,
    /// Very many lie at one position, and are being taken to the front.
    is_gathering: bool,
    /// What is being moved to the front.
    moving: Vec<Near>,
}

/// Nodes that were met one after the other: in one place, however many there are.
#[derive(Debug)]
struct Group {
    positions: [Position; GROUPED],
    /// The least position of each stretch.
    stretches: [Position; GROUP],
}

impl Group {
    const EMPTY: Group = Group {
        positions: [Position::NONE; GROUPED],
        stretches: [Position::NONE; GROUP],
    };
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
#[derive(Debug)]
pub(crate) struct Offer {
    words: Shelves<u64>,
    len: usize,
}

impl Offer {
    pub(crate) const fn new() -> Self {
        Offer {
            words: Shelves::new(),
            len: 0,
        }
    }

    /// How many nodes there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn insert(&mut self, node: NodeId) {
        let (word, bit) = (node.index() / STRETCH, 1 << (node.index() % STRETCH));
        while word >= self.words.len() {
            self.words.push(0);
        }
        let word = &mut self.words[word];
        self.len += usize::from(*word & bit == 0);
        *word |= bit;
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
        self.words.clear_into_one();
        self.len = 0;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }
}

/// The parts of an open list that change when nodes are put into it. Many are put in at once, and
/// these are then at hand.
pub(crate) struct Places<'a> {
    front: &'a mut Front,
    front_end: Position,
    near: &'a mut Vec<Near>,
    near_end: Position,
    groups: &'a mut [Box<Group>],
    least: &'a mut [Vec<Position>],
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
        self.groups[node.index() / GROUPED].positions[node.index() % GROUPED] = Position::NONE;
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
        let (number, within) = (node.index() / GROUPED, node.index() % GROUPED);
        let group = &mut self.groups[number];
        group.positions[within] = position;
        let least = &mut group.stretches[within / STRETCH];
        if position < *least {
            *least = position;
            put_least(self.least, number, position);
        }
    }
}

/// A stretch of this group has got a lower least position.
#[inline(never)]
fn put_least(least: &mut [Vec<Position>], group: usize, position: Position) {
    let mut at = group;
    for level in least {
        if position >= level[at] {
            return;
        }
        level[at] = position;
        at /= GROUP;
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
            groups: Vec::new(),
            covered: 0,
            least: Vec::new(),
            depth: 0,
            reach: 0,
            is_gathering: false,
            moving: Vec::new(),
        }
    }

    /// Bytes of a list that covers so many nodes. Few of them are near.
    pub(crate) fn bytes_for(nodes: usize) -> usize {
        let stretches = nodes.div_ceil(STRETCH);
        // With the groups, the groups of groups, and so on.
        let least = stretches * GROUP / (GROUP - 1);
        let groups = nodes.div_ceil(GROUPED) * size_of::<Box<Group>>();
        (stretches * STRETCH + least) * size_of::<Position>() + groups
    }

    /// Makes room for so many nodes, or for some of them: false, there is more to do.
    #[inline]
    pub(crate) fn cover(&mut self, nodes: usize) -> bool {
        if nodes > self.covered * GROUPED {
            self.grow(nodes);
        }
        nodes <= self.covered * GROUPED
    }

    #[inline(never)]
    fn grow(&mut self, nodes: usize) {
        let mut len = nodes.div_ceil(GROUPED).min(self.covered + AT_ONCE);
        for number in self.covered..len {
            match self.groups.get_mut(number) {
                Some(group) => **group = Group::EMPTY,
                None => self.groups.push(Box::new(Group::EMPTY)),
            }
        }
        self.covered = len;
        for level in 0.. {
            if level == self.least.len() {
                self.least.push(Vec::new());
            }
            self.least[level].resize(len, Position::NONE);
            if level == self.depth {
                if let Some(below) = level.checked_sub(1) {
                    // It is new. So far there were few enough below it to make one group.
                    let least = self.least[below].iter().take(GROUP).min().copied();
                    self.least[level][0] = least.unwrap_or(Position::NONE);
                }
                self.depth += 1;
            }
            if len <= GROUP {
                return;
            }
            len = len.div_ceil(GROUP);
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
            groups: &mut self.groups[..self.covered],
            least: &mut self.least[..self.depth],
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
        mut has_time: impl FnMut() -> bool,
        chores: &mut Chores,
    ) -> Result<Option<Entry>, Unfinished> {
        if self.front.len() > self.too_long {
            self.shorten_front(&version);
        }
        loop {
            if let Some(first) = self.front.first() {
                if version(first.node) == first.version {
                    return Ok(Some(*first));
                }
                chores.note(A_LOOK);
                chores.go_on()?;
                self.front.pop();
            }
            if self.front.is_empty()
                && !self.refill(offer, &version, &mut resolve, &mut has_time, chores)?
            {
                return Ok(None);
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
        has_time: &mut impl FnMut() -> bool,
        chores: &mut Chores,
    ) -> Result<bool, Unfinished> {
        while self.front.is_empty() {
            chores.go_on()?;
            if self.near.is_empty() && !self.is_gathering && !self.fetch(offer, version, chores) {
                return Ok(false);
            }
            if self.is_gathering {
                self.gather(offer, version, resolve, has_time, chores)?;
                continue;
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
            chores.note(AN_ESTIMATE * self.moving.len());
            // What was met first mostly comes first, and the front has its first entry last.
            let entries = self.moving.drain(..).rev().map(|near| resolve(near.node));
            self.front.fill(entries);
        }
        self.allow_for_front();
        Ok(true)
    }

    /// Takes all that lie at one position to the front, some at a time: they are very many.
    fn gather(
        &mut self,
        offer: &Offer,
        version: &impl Fn(NodeId) -> u32,
        resolve: &mut impl FnMut(NodeId) -> Entry,
        has_time: &mut impl FnMut() -> bool,
        chores: &mut Chores,
    ) -> Result<(), Unfinished> {
        loop {
            while !self.near.is_empty() {
                chores.go_on()?;
                if !has_time() {
                    return Err(Unfinished::More);
                }
                let rest = self.near.len().saturating_sub(BETWEEN_LOOKS);
                chores.note(AN_ESTIMATE * (self.near.len() - rest));
                let some = self.near.drain(rest..).map(|near| near.node);
                self.front.await_more(some.map(&mut *resolve));
            }
            chores.go_on()?;
            self.take_all_before(self.near_end, offer);
            chores.note(A_LOOK * self.near.len());
            if self.near.is_empty() {
                self.is_gathering = false;
                self.front.have_all();
                return Ok(());
            }
            for near in &mut self.near {
                near.version = version(near.node);
            }
        }
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
    fn fetch(
        &mut self,
        offer: &Offer,
        version: &impl Fn(NodeId) -> u32,
        chores: &mut Chores,
    ) -> bool {
        while self.near.is_empty() {
            let top = self.depth.checked_sub(1).map(|top| &self.least[top]);
            let least = top.and_then(|top| top.iter().min().copied());
            let Some(least) = least.filter(|least| *least != Position::NONE) else {
                return false;
            };
            self.near_end = Position(least.0.saturating_add(self.reach).saturating_add(1));
            self.take_all_before(self.near_end, offer);
            chores.note(A_LOOK * self.near.len());
            if self.near.len() < ENOUGH {
                self.reach = self.reach.saturating_mul(2).saturating_add(1);
            } else if self.near.len() >= MOST && self.reach > 0 {
                // There are more, and too many.
                self.put_back_from(least);
                self.reach /= 16;
            } else if self.near.len() >= MOST {
                (self.is_gathering, self.front_end) = (true, self.near_end);
            }
        }
        for near in &mut self.near {
            near.version = version(near.node);
        }
        true
    }

    /// Takes out what lies before `end`, or [`MOST`] of it.
    fn take_all_before(&mut self, end: Position, offer: &Offer) {
        if let Some(top) = self.depth.checked_sub(1) {
            for member in 0..self.least[top].len() {
                self.take_before(end, top, member, offer);
            }
        }
    }

    /// Takes out what lies before `end` in a member of that level, and returns the least of what
    /// remains.
    fn take_before(&mut self, end: Position, level: usize, at: usize, offer: &Offer) -> Position {
        let mut least = self.least[level][at];
        if least < end && self.near.len() < MOST {
            least = match level.checked_sub(1) {
                None => self.take_from_group(end, at, offer),
                Some(below) => {
                    let members = at * GROUP..((at + 1) * GROUP).min(self.least[below].len());
                    let least = members.map(|member| self.take_before(end, below, member, offer));
                    least.min().unwrap_or(Position::NONE)
                }
            };
            self.least[level][at] = least;
        }
        least
    }

    fn take_from_group(&mut self, end: Position, number: usize, offer: &Offer) -> Position {
        let group = &mut *self.groups[number];
        let mut least = Position::NONE;
        for (stretch, its_least) in group.stretches.iter_mut().enumerate() {
            if *its_least < end && self.near.len() < MOST {
                *its_least = Position::NONE;
                let mut remaining = offer.in_stretch(number * GROUP + stretch);
                while remaining != 0 {
                    let member = stretch * STRETCH + remaining.trailing_zeros() as usize;
                    remaining &= remaining - 1;
                    let position = &mut group.positions[member];
                    if *position < end {
                        let node = NodeId::from_index(number * GROUPED + member);
                        // `fetch` knows the version.
                        let (position, version) = (std::mem::replace(position, Position::NONE), 0);
                        self.near.push(Near {
                            position,
                            node,
                            version,
                        });
                    } else {
                        *its_least = (*its_least).min(*position);
                    }
                }
            }
            least = least.min(*its_least);
        }
        least
    }

    /// Too much is near: all but the first go back to where they lie far away, unless they lie at the
    /// same position.
    fn put_most_back(&mut self, version: &impl Fn(NodeId) -> u32) {
        let end = self.end_of_first(ENOUGH);
        let first = self.near.iter().map(|near| near.position).min();
        let first = first.unwrap_or(Position::FIRST);
        self.reach = end.0 - first.0 - 1;
        self.near
            .retain(|near| version(near.node) == near.version || near.position < end);
        self.put_back_from(end);
        if self.near.len() > MOST {
            // They will be gathered when their turn comes.
            self.put_back_from(first);
        }
    }

    /// What lies there or beyond is no longer near.
    fn put_back_from(&mut self, end: Position) {
        self.near_end = end;
        let mut near = std::mem::take(&mut self.near);
        let mut places = self.places();
        near.retain(|near| {
            let stays = near.position < end;
            if !stays {
                places.put(near.node, near.position);
            }
            stays
        });
        self.near = near;
    }

    /// Whether so much was put near that most of it should go back.
    #[inline]
    pub(crate) fn is_crowded(&self) -> bool {
        self.near.len() > MOST
    }

    /// Puts most of it back.
    #[inline(never)]
    pub(crate) fn clear_way(&mut self, version: impl Fn(NodeId) -> u32) {
        self.put_most_back(&version);
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
        if self.front.len() > MOST {
            self.allow_for_front();
            return;
        }
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
        self.least.iter_mut().for_each(Vec::clear);
        (self.covered, self.depth) = (0, 0);
        (self.reach, self.too_long, self.is_gathering) = (0, LONG, false);
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
                offer: Offer::new(),
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
            let mut chores = Chores::new();
            let next = loop {
                let next = self.list.peek(
                    &self.offer,
                    |node| versions[node.index()].unwrap_or(EXPANDED),
                    |node| current[&node],
                    || true,
                    &mut chores,
                );
                chores.renew();
                if let Ok(next) = next {
                    break next;
                }
            };
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
                    while !self.list.cover(nodes) {}
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
