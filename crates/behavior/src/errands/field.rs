//! How far it is from everywhere to some places, past doors that are shut.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use apprentice_search::{Budget, Cost};
use apprentice_world::Map;

use crate::Trail;
use crate::danger::Prices;

/// The cost from everywhere to the nearest of some places, through no door that is shut.
#[derive(Default)]
pub(super) struct Field {
    /// The places; `None` if being anywhere will do.
    pub(super) places: Option<Vec<usize>>,
    /// Other places from which there is a way at this cost.
    pub(super) shortcuts: Vec<(usize, Cost)>,
    costs: Vec<Cost>,
    /// For each place the number of the shortcut it is best to take; only if there are any.
    pub(super) by: Vec<u32>,
    open: BinaryHeap<Reverse<(Cost, u32)>>,
    /// Whether the places are a door, which one comes to although it is shut.
    is_door: bool,
}

impl Field {
    pub(super) fn to(places: Option<Vec<usize>>) -> Field {
        Field {
            places,
            ..Field::default()
        }
    }

    /// To a door.
    pub(super) fn to_door(places: Vec<usize>) -> Field {
        Field {
            is_door: true,
            ..Field::to(Some(places))
        }
    }

    /// Whether it leads to the same places by the same shortcuts.
    pub(super) fn leads_like(&self, other: &Field) -> bool {
        self.places == other.places
            && self.shortcuts == other.shortcuts
            && self.is_door == other.is_door
    }

    /// Whether its sweep has not begun.
    pub(super) fn is_untouched(&self) -> bool {
        self.costs.is_empty()
    }

    /// Sweeps it, one unit of budget for each place. False: the budget is spent, call again.
    pub(super) fn sweep(
        &mut self,
        map: &Map,
        prices: &StepPrices<'_>,
        is_shut: &[bool],
        budget: &mut Budget<'_>,
    ) -> bool {
        let Some(places) = &self.places else {
            return true;
        };
        if self.costs.is_empty() {
            self.costs.resize(map.places(), Cost::INFINITE);
            if !self.shortcuts.is_empty() {
                self.by.resize(map.places(), NO_SHORTCUT);
            }
            let there = places.iter().map(|place| (*place, Cost::ZERO, NO_SHORTCUT));
            let shortcuts = (0..).zip(&self.shortcuts);
            let shortcuts = shortcuts.map(|(number, (place, cost))| (*place, *cost, number));
            for (place, cost, number) in there.chain(shortcuts) {
                if map.is_walkable(place) && cost < self.costs[place] {
                    self.costs[place] = cost;
                    self.open.push(Reverse((cost, place as u32)));
                    if let Some(by) = self.by.get_mut(place) {
                        *by = number;
                    }
                }
            }
        }
        while let Some(Reverse((cost, place))) = self.open.peek().copied() {
            let place = place as usize;
            // Into a door one only comes by opening it, which is a stop by itself. What lies in it is
            // reached from there.
            let is_barred = is_shut[place] && !(self.is_door && cost == Cost::ZERO);
            if cost > self.costs[place] || is_barred {
                self.open.pop();
                continue;
            }
            if !budget.take() {
                return false;
            }
            self.open.pop();
            for step in map.steps_to(place) {
                let price = step.cost(prices.speed);
                let total = cost + prices.of(map, step.place, place, price);
                if total < self.costs[step.place] {
                    self.costs[step.place] = total;
                    self.open.push(Reverse((total, step.place as u32)));
                    if !self.by.is_empty() {
                        self.by[step.place] = self.by[place];
                    }
                }
            }
        }
        true
    }

    #[inline]
    pub(super) fn at(&self, place: usize) -> Cost {
        match &self.places {
            Some(_) => self.costs.get(place).copied().unwrap_or(Cost::INFINITE),
            None => Cost::ZERO,
        }
    }

    /// The cost from the nearest of some places; nothing from anywhere.
    pub(super) fn least_from(&self, places: Option<&[usize]>) -> Cost {
        let Some(places) = places else {
            return Cost::ZERO;
        };
        let costs = places.iter().map(|place| self.at(*place));
        costs.min().unwrap_or(Cost::INFINITE)
    }
}

/// In [`Field::by`]: straight to the places themselves.
const NO_SHORTCUT: u32 = u32::MAX;

/// What steps count besides the time they take.
pub(super) struct StepPrices<'a> {
    pub(super) trail: Option<&'a Trail>,
    pub(super) danger: Option<&'a Prices>,
    pub(super) speed: f64,
}

impl StepPrices<'_> {
    /// What a step counts that takes `cost`.
    #[inline]
    fn of(&self, map: &Map, from: usize, to: usize, cost: Cost) -> Cost {
        let plain = cost;
        let cost = match self.trail {
            Some(trail) => trail.price(map, from, to, cost),
            None => cost,
        };
        match (self.danger, self.trail) {
            // Whoever showed the way went there all the same.
            (Some(_), Some(_)) if cost <= plain => cost,
            (Some(danger), _) => danger.of(to, cost),
            (None, _) => cost,
        }
    }
}
