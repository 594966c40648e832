//! Something about a few of the places of a map.

/// What there is to know about some places, looked up by their numbers. It takes hardly any memory for
/// the places about which there is nothing to know, so that it is made in no time on any map.
#[derive(Clone, Debug)]
pub(crate) struct PlaceTable<T> {
    /// For every so many places, the number of their page. The first page is empty.
    pages: Vec<u32>,
    /// For each place of a page, the number of its entry.
    slots: Vec<[u32; PAGE]>,
    entries: Vec<(u32, T)>,
}

/// Places of a page.
const PAGE: usize = 64;
/// No entry has this number.
const NOTHING: u32 = u32::MAX;

impl<T> PlaceTable<T> {
    /// With nothing in it, for a map of so many places.
    pub(crate) fn new(places: usize) -> PlaceTable<T> {
        PlaceTable {
            pages: vec![0; places.div_ceil(PAGE)],
            slots: vec![[NOTHING; PAGE]],
            entries: Vec::new(),
        }
    }

    /// Nothing is known about numbers that no place has.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> Option<&T> {
        let page = *self.pages.get(place / PAGE)?;
        let entry = self.slots[page as usize][place % PAGE];
        self.entries.get(entry as usize).map(|(_, entry)| entry)
    }

    #[inline]
    pub(crate) fn contains(&self, place: usize) -> bool {
        self.get(place).is_some()
    }

    pub(crate) fn get_or_insert_with(&mut self, place: usize, made: impl FnOnce() -> T) -> &mut T {
        let page = &mut self.pages[place / PAGE];
        if *page == 0 {
            *page = self.slots.len() as u32;
            self.slots.push([NOTHING; PAGE]);
        }
        let slot = &mut self.slots[*page as usize][place % PAGE];
        if *slot == NOTHING {
            *slot = self.entries.len() as u32;
            self.entries.push((place as u32, made()));
        }
        &mut self.entries[*slot as usize].1
    }

    /// How many places there is something about.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Some of the places there is something about, in the order in which they came to be.
    pub(crate) fn entries_mut(
        &mut self,
        range: std::ops::Range<usize>,
    ) -> impl Iterator<Item = (usize, &mut T)> {
        let entries = self.entries[range].iter_mut();
        entries.map(|(place, entry)| (*place as usize, entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// It holds what a plain map from numbers holds.
        #[test]
        fn a_table_is_a_map_from_numbers(
            places in 1..500usize,
            added in prop::collection::vec((0..500usize, 0..9u32), 0..80),
        ) {
            let mut table = PlaceTable::new(places);
            let mut plain: BTreeMap<usize, u32> = BTreeMap::new();
            for (place, more) in added {
                let place = place % places;
                *table.get_or_insert_with(place, || 100) += more;
                *plain.entry(place).or_insert(100) += more;
            }
            for place in 0..places {
                prop_assert_eq!(table.get(place), plain.get(&place));
                prop_assert_eq!(table.contains(place), plain.contains_key(&place));
            }
            prop_assert_eq!(table.len(), plain.len());
            let all = 0..table.len();
            let mut listed: Vec<(usize, u32)> =
                table.entries_mut(all).map(|(place, entry)| (place, *entry)).collect();
            listed.sort_unstable();
            prop_assert_eq!(listed, plain.into_iter().collect::<Vec<_>>());
        }
    }
}
