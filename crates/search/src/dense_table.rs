//! From the number of a key to the node that stands for it.

use crate::nodes::NodeId;
use crate::shelves::{Anywhere, Shelves, Whereabouts};

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
    /// The same for stretches from [`NEAR`] on, where something was met in their neighbourhood: for
    /// them there may be too many others to list.
    far: Vec<Option<Box<Neighbourhood>>>,
    /// One after the other.
    pages: Shelves<NodeId>,
    /// In how many stretches something was met.
    used: usize,
    /// The stretches before [`NEAR`] up to the last one in which something was met.
    extent: usize,
    /// The neighbourhoods from there on, likewise, and in how many of them something was met.
    far_extent: usize,
    far_used: usize,
}

/// Stretches next to each other, far beyond most others.
struct Neighbourhood {
    ways: [u32; NEIGHBOURS],
    /// Whether something was met there since the table was cleared.
    is_met: bool,
}

/// Indices on a page: a cache line of them. Longer pages would be emptier, and shorter ones make the
/// directory longer.
const PAGE: usize = 16;
/// A place that no page reaches.
const NOWHERE: u32 = u32::MAX - (PAGE as u32 - 1);
/// Stretches in the directory, at most: so few that it can be got all at once, or moved, and that all
/// their indices can be in one piece.
const NEAR: usize = 1 << 16;
/// Stretches in a neighbourhood.
const NEIGHBOURS: usize = 1 << 12;
/// With at most so many indices for each state that was met, a piece is worth its memory.
const INDICES_A_STATE: usize = 4;
/// Stretches whose bits are in one word.
const IN_WORD: usize = u64::BITS as usize;

/// What leads from the indices of a stretch to a page that begins at `first`.
#[inline]
fn way_to(first: u32, stretch: usize) -> u32 {
    first.wrapping_sub((stretch * PAGE) as u32)
}

/// The ways of a neighbourhood in which nothing was met.
fn no_ways(neighbourhood: usize) -> [u32; NEIGHBOURS] {
    let first = NEAR + neighbourhood * NEIGHBOURS;
    std::array::from_fn(|neighbour| way_to(NOWHERE, first + neighbour))
}

impl DenseTable {
    pub(crate) const fn new() -> Self {
        DenseTable {
            piece: Vec::new(),
            met: Vec::new(),
            directory: Vec::new(),
            far: Vec::new(),
            pages: Shelves::new(),
            used: 0,
            extent: 0,
            far_extent: 0,
            far_used: 0,
        }
    }

    /// The place of an index on the pages, or one beyond them.
    #[inline]
    fn place(&self, index: u32) -> usize {
        match self.directory.get(index as usize / PAGE) {
            Some(way) => index.wrapping_add(*way) as usize,
            None => self.far_place(index),
        }
    }

    #[cold]
    #[inline(never)]
    fn far_place(&self, index: u32) -> usize {
        let beyond = (index as usize / PAGE).wrapping_sub(NEAR);
        match self.far.get(beyond / NEIGHBOURS) {
            Some(Some(far)) => index.wrapping_add(far.ways[beyond % NEIGHBOURS]) as usize,
            _ => usize::MAX,
        }
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

    /// How many more pages will lie together, if all do. As many are wanted.
    pub(crate) fn room_in_one(&mut self, wanted: usize) -> usize {
        self.pages.room_in_one(wanted * PAGE) / PAGE
    }

    /// What stands at this index, if there is a place for it. Whether there is a piece, and whether
    /// the pages lie together, is said by those who ask often, so that they need not ask it every
    /// time.
    #[inline(always)]
    pub(crate) fn at<const PIECE: bool, W: Whereabouts>(
        &mut self,
        index: u32,
    ) -> Option<&mut NodeId> {
        if PIECE && (index as usize) < self.piece.len() {
            return self.piece.get_mut(index as usize);
        }
        let place = self.place(index);
        W::get_mut(&mut self.pages, place)
    }

    /// Something was put at this index where there was nothing, and there was a place for it.
    #[inline]
    pub(crate) fn note(&mut self, index: u32) {
        let stretch = index as usize / PAGE;
        if let Some(word) = self.met.get_mut(stretch / IN_WORD) {
            let bit = 1 << (stretch % IN_WORD);
            if *word & bit == 0 {
                self.count(stretch);
            }
        }
    }

    /// Something is met in a stretch for the first time.
    #[cold]
    fn count(&mut self, stretch: usize) {
        if let Some(word) = self.met.get_mut(stretch / IN_WORD) {
            *word |= 1 << (stretch % IN_WORD);
        }
        self.used += 1;
        match stretch.checked_sub(NEAR) {
            None => self.extent = self.extent.max(stretch + 1),
            Some(beyond) => self.far_extent = self.far_extent.max(beyond / NEIGHBOURS + 1),
        }
    }

    /// Puts a node at an index.
    #[inline]
    pub(crate) fn insert(&mut self, index: u32, node: NodeId) {
        match self.at::<true, Anywhere>(index) {
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
        let way = way_to(first as u32, stretch);
        if let Some(beyond) = stretch.checked_sub(NEAR) {
            let neighbourhood = beyond / NEIGHBOURS;
            if neighbourhood >= self.far.len() {
                self.far.resize_with(neighbourhood + 1, || None);
            }
            let far = self.far[neighbourhood].get_or_insert_with(|| {
                let (ways, is_met) = (no_ways(neighbourhood), false);
                Box::new(Neighbourhood { ways, is_met })
            });
            self.far_used += usize::from(!far.is_met);
            far.is_met = true;
            far.ways[beyond % NEIGHBOURS] = way;
        } else {
            let unmet = self.directory.len()..=stretch;
            if stretch >= self.directory.capacity() {
                let room = (2 * self.directory.capacity()).clamp(stretch + 1, NEAR);
                self.directory.reserve_exact(room - unmet.start());
            }
            self.directory
                .extend(unmet.map(|stretch| way_to(NOWHERE, stretch)));
            self.directory[stretch] = way;
        }
        let mut page = [NodeId::NONE; PAGE];
        page[index as usize % PAGE] = node;
        self.pages.extend(&page);
        self.count(stretch);
    }

    /// What stands at this index is left alone from now on.
    #[inline(always)]
    pub(crate) fn freeze<const PIECE: bool>(&mut self, index: u32) {
        if let Some(node) = self.at::<PIECE, Anywhere>(index)
            && *node != NodeId::NONE
        {
            node.0 |= NodeId::FROZEN;
        }
    }

    /// What the nodes need on pages, wherever they are: what a search needs must not depend on those
    /// before it.
    pub(crate) fn bytes(&self) -> usize {
        let near = self.extent * size_of::<u32>();
        let far = self.far_extent * size_of::<Option<Box<Neighbourhood>>>()
            + self.far_used * size_of::<Neighbourhood>();
        near + far + self.used * PAGE * size_of::<NodeId>()
    }

    /// Forgets the nodes of so many states, and keeps the memory. That takes time for what was met
    /// and not for all there is.
    pub(crate) fn clear(&mut self, states: usize) {
        for (number, word) in self.met.iter_mut().enumerate() {
            while *word != 0 {
                let stretch = number * IN_WORD + word.trailing_zeros() as usize;
                self.piece[stretch * PAGE..][..PAGE].fill(NodeId::NONE);
                *word &= *word - 1;
            }
        }
        // Whole words of stretches, so that a stretch whose bit there is lies in the piece.
        let indices = self.extent.next_multiple_of(IN_WORD) * PAGE;
        if indices > self.piece.len() && indices <= INDICES_A_STATE * states {
            self.piece = Vec::new();
            self.piece.resize(indices, NodeId::NONE);
            self.met.resize(indices / (IN_WORD * PAGE), 0);
        }
        self.directory.clear();
        for (neighbourhood, far) in self.far.iter_mut().enumerate() {
            if let Some(far) = far.as_mut().filter(|far| far.is_met) {
                (far.ways, far.is_met) = (no_ways(neighbourhood), false);
            }
        }
        self.pages.clear_into_one();
        (self.used, self.extent, self.far_extent, self.far_used) = (0, 0, 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pages_hold_what_was_put_on_them(
            deeds in prop::collection::vec((0u8..100, prop_oneof![4 => 0u32..300, 4 => 0u32..50_000, 1 => 1_000_000..1_100_000u32, 1 => any::<u32>()]), 0..1_000),
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
                for near in index.saturating_sub(20)..index.saturating_add(20) {
                    let known = nodes.get(&near).copied().unwrap_or(NodeId::NONE);
                    prop_assert_eq!(table.find(near), known);
                }
            }
            // It counts the same as one that was never cleared.
            let mut fresh = DenseTable::new();
            nodes.iter().for_each(|(index, node)| fresh.insert(*index, *node));
            prop_assert_eq!(table.bytes(), fresh.bytes());
            let far = fresh.far.iter().flatten().map(|far| size_of_val(&**far));
            let directory = size_of_val(fresh.directory.as_slice()) + size_of_val(fresh.far.as_slice());
            let pages = fresh.pages.len() * size_of::<NodeId>();
            prop_assert_eq!(fresh.bytes(), directory + far.sum::<usize>() + pages);
        }
    }
}
