//! Which of many places are near one: places by the cells of a grid as wide as what counts as near.

use std::collections::HashMap;

use crate::{Merging, Place};

/// Places by the cells they lie in. Cells are a little wider than what counts as near, so that
/// whatever is near is in the same cell or beside it.
///
/// Places that merge are farther apart than that, so few share a cell: a question costs the same,
/// however many places there are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Neighbors {
    width: f64,
    /// The place that was added last in each cell. Looked up, never gone through.
    latest: HashMap<Cell, u32>,
    /// For each place the one in its cell that was added before it.
    before: Vec<u32>,
    /// The least and the greatest cells there are, so that a flat world is asked about one layer.
    bounds: Option<[Cell; 2]>,
}

type Cell = [i64; 3];

/// No place.
const NONE: u32 = u32::MAX;
/// More than what quotients that are not beyond the farthest cell are rounded by.
const ROUNDING: f64 = 1e-3;
/// Everything beyond is in one cell: what is that far is rounded by more than a cell.
const FARTHEST: f64 = (1i64 << 40) as f64;

impl Neighbors {
    /// For places of which others at most `radius` away are near.
    fn within(radius: f64) -> Neighbors {
        let width = radius * (1.0 + ROUNDING);
        Neighbors {
            // Places in exactly the same spot are in the same cell, however wide it is.
            width: if width > 0.0 { width } else { 1.0 },
            latest: HashMap::new(),
            before: Vec::new(),
            bounds: None,
        }
    }

    /// These places, if they merge.
    pub(crate) fn of(merging: Merging, places: &[Place]) -> Option<Neighbors> {
        let Merging::Within(radius) = merging else {
            return None;
        };
        let mut neighbors = Neighbors::within(radius);
        places.iter().for_each(|place| neighbors.push(*place));
        Some(neighbors)
    }

    /// Adds the place with the next number.
    pub(crate) fn push(&mut self, place: Place) {
        let cell = self.cell(place);
        let number = self.before.len() as u32;
        let before = self.latest.insert(cell, number);
        self.before.push(before.unwrap_or(NONE));
        let [least, most] = self.bounds.get_or_insert([cell, cell]);
        for axis in 0..3 {
            least[axis] = least[axis].min(cell[axis]);
            most[axis] = most[axis].max(cell[axis]);
        }
    }

    /// Calls `found` with the numbers of all places that may be near, in no order.
    pub(crate) fn for_each(&self, place: Place, mut found: impl FnMut(u32)) {
        let Some([least, most]) = self.bounds else {
            return;
        };
        let cell = self.cell(place);
        let around = |axis: usize| {
            let (first, last) = (cell[axis] - 1, cell[axis] + 1);
            first.max(least[axis])..=last.min(most[axis])
        };
        for x in around(0) {
            for y in around(1) {
                for z in around(2) {
                    let mut next = self.latest.get(&[x, y, z]).copied().unwrap_or(NONE);
                    while next != NONE {
                        found(next);
                        next = self.before[next as usize];
                    }
                }
            }
        }
    }

    fn cell(&self, place: Place) -> Cell {
        let along = |value: f64| (value / self.width).floor().clamp(-FARTHEST, FARTHEST) as i64;
        [along(place.x), along(place.y), along(place.z)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers that meet often, and numbers that are hard on arithmetic.
    fn coordinate() -> impl Strategy<Value = f64> {
        prop_oneof![
            8 => (-20i32..20).prop_map(|number| f64::from(number) / 4.0),
            2 => -6.0..6.0f64,
            1 => prop_oneof![Just(1e300), Just(-1e300), Just(1e17), Just(1e17 + 16.0), Just(5e-324)],
        ]
    }

    fn place() -> impl Strategy<Value = Place> {
        let height = prop_oneof![4 => Just(0.0), 1 => coordinate()];
        (coordinate(), coordinate(), height).prop_map(|(x, y, z)| Place::new(x, y, z))
    }

    proptest! {
        #[test]
        fn whatever_is_near_is_found(
            places in prop::collection::vec(place(), 0..60),
            asked in place(),
            radius in prop_oneof![
                Just(0.0), Just(0.25), Just(1.0), 0.0..3.0f64, Just(1e-300), Just(1e18), Just(f64::INFINITY),
            ],
        ) {
            let mut neighbors = Neighbors::within(radius);
            places.iter().for_each(|place| neighbors.push(*place));
            let mut found = Vec::new();
            neighbors.for_each(asked, |number| found.push(number));
            for (number, place) in (0..).zip(&places) {
                if place.distance_to(asked) <= radius {
                    prop_assert!(found.contains(&number), "{place} from {asked}");
                }
            }
            let all = found.len();
            found.sort_unstable();
            found.dedup();
            prop_assert_eq!(found.len(), all, "each once");
        }
    }
}
