//! The shortest ways to demonstrations and from them, for those who keep to a trail.

use apprentice_search::{Budget, Cost};

use crate::place_table::PlaceTable;

/// Ways to demonstrations and from them to the goal, and where they pass.
///
/// Whoever is on one is drawn on to where it leads, and nowhere else: such a way is no road that could
/// be used for a part of it, or it would be a shortcut past what was shown.
pub(super) struct Corridors {
    ways: Vec<Corridor>,
    /// The way, and its place, that are laid next.
    next: (usize, usize),
    /// So many places may be laid before the next unit of budget.
    paid: usize,
    passing: PlaceTable<Vec<Passing>>,
}

/// One of them.
pub(super) struct Corridor {
    pub(super) leads_to: LeadsTo,
    /// Its places, each with what the rest of the way counts.
    pub(super) places: Vec<(u32, Cost)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeadsTo {
    /// The place where a demonstration begins.
    Beginning(u32),
    /// The finish of this number, from the end of a demonstration: its shortcut of this number.
    Finish { finish: u32, shortcut: u32 },
}

/// A way passes by a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passing {
    pub(super) leads_to: LeadsTo,
    /// What the rest of the way counts.
    pub(super) cost: Cost,
}

/// What is paid for when ways are laid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PayFor {
    /// Each way, and more for long ones.
    Ways,
    /// Their places, whichever way they belong to.
    Places,
}

/// So many places are laid for a unit of budget.
const PLACES_AT_ONCE: usize = 64;

impl Corridors {
    /// None yet, on a map of so many places.
    pub(super) fn new(places: usize) -> Corridors {
        Corridors {
            ways: Vec::new(),
            next: (0, 0),
            paid: 0,
            passing: PlaceTable::new(places),
        }
    }

    pub(super) fn add(&mut self, corridor: Corridor) {
        self.ways.push(corridor);
    }

    /// The ways that were added, until they are laid.
    pub(super) fn ways(&self) -> &[Corridor] {
        &self.ways
    }

    /// Leaves out those for which this is not so.
    pub(super) fn retain(&mut self, is_needed: impl Fn(LeadsTo) -> bool) {
        self.ways.retain(|way| is_needed(way.leads_to));
    }

    /// Lays them where they pass; a unit of budget for every so many places of each, or of all. False:
    /// the budget is spent, call again.
    pub(super) fn lay(&mut self, pay: PayFor, budget: &mut Budget<'_>) -> bool {
        while let Some(way) = self.ways.get(self.next.0) {
            let left = &way.places[self.next.1..];
            if left.is_empty() {
                self.next = (self.next.0 + 1, 0);
                continue;
            }
            if self.paid == 0 || pay == PayFor::Ways {
                if !budget.take() {
                    return false;
                }
                self.paid = PLACES_AT_ONCE;
            }
            let count = left.len().min(self.paid);
            self.paid -= count;
            for (place, cost) in &left[..count] {
                let passing = Passing {
                    leads_to: way.leads_to,
                    cost: *cost,
                };
                let here = self.passing.get_or_insert_with(*place as usize, Vec::new);
                // Many demonstrations begin in the same place.
                if !here.contains(&passing) {
                    here.push(passing);
                }
            }
            self.next.1 += count;
        }
        (self.ways, self.next) = (Vec::new(), (0, 0));
        true
    }

    /// Those that pass by a place.
    #[inline]
    pub(super) fn passing(&self, place: usize) -> &[Passing] {
        self.passing.get(place).map_or(&[], Vec::as_slice)
    }
}
