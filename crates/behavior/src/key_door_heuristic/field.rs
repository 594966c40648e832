//! How far it is from everywhere to some places, past doors that are shut.

use apprentice_game::{Ground, Pace, Pricing, Sweep};
use apprentice_search::{Budget, Cost};

use crate::Trail;
use crate::danger::{Near, Prices};
use crate::place_table::PlaceTable;

/// The cost from everywhere to the nearest of some places, through no door that is shut.
#[derive(Default)]
pub(super) struct Field {
    /// The places; `None` if being anywhere will do.
    pub(super) places: Option<Vec<usize>>,
    /// Other places from which there is a way at this cost.
    pub(super) shortcuts: Vec<(usize, Cost)>,
    sweep: Option<Sweep>,
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

    /// One that leads to the same places by the same shortcuts, and is not swept yet.
    pub(super) fn like(&self) -> Field {
        Field {
            places: self.places.clone(),
            shortcuts: self.shortcuts.clone(),
            sweep: None,
            is_door: self.is_door,
        }
    }

    /// Sweeps it, one unit of budget for each place. False: the budget is spent, call again.
    pub(super) fn sweep<G: Ground>(
        &mut self,
        prices: &StepPrices<'_, G>,
        budget: &mut Budget<'_>,
    ) -> bool {
        let Some(places) = &self.places else {
            return true;
        };
        let sweep = self.sweep.get_or_insert_with(|| {
            let there = places.iter().map(|place| (*place, Cost::ZERO));
            Sweep::to(there.chain(self.shortcuts.iter().copied()))
        });
        let prices = prices.of_field(self.is_door);
        let steps = prices.steps;
        sweep.go_on(steps.ground, steps.pace.speed(), &prices, budget)
    }

    #[inline]
    pub(super) fn at(&self, place: usize) -> Cost {
        match (&self.sweep, &self.places) {
            (Some(sweep), _) => sweep.at(place),
            (None, None) => Cost::ZERO,
            (None, Some(_)) => Cost::INFINITE,
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

    /// What the best way from a place comes to next, once everything is swept. Of ways that are
    /// equally good it is the one whose next place is nearest, and then the first.
    pub(super) fn onward<G: Ground>(
        &self,
        ground: &G,
        prices: &StepPrices<'_, G>,
        from: usize,
    ) -> Onward {
        let here = self.at(from);
        let is_there = || {
            self.places
                .as_ref()
                .is_none_or(|places| places.contains(&from))
        };
        if !here.is_finite() || here == Cost::ZERO && is_there() {
            return Onward::End;
        }
        let is_taken = |(place, cost): &(usize, Cost)| *place == from && *cost == here;
        if let Some(number) = self.shortcuts.iter().position(is_taken) {
            return Onward::Shortcut(number as u32);
        }
        let prices = prices.of_field(self.is_door);
        let mut best: Option<(Cost, usize)> = None;
        ground.each_step_from(from, &prices.steps.pace, |step| {
            let there = self.at(step.place);
            let price = prices.price(from, prices.there(step.place), None, step.cost);
            // A step that takes no time leads nowhere.
            let is_best =
                there < here && !prices.is_barred(step.place, there) && there + price == here;
            if is_best && best.is_none_or(|least| (there, step.place) < least) {
                best = Some((there, step.place));
            }
        });
        best.map_or(Onward::End, |(_, place)| Onward::Step(place))
    }
}

/// How a best way goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Onward {
    /// It is where it leads, or nowhere.
    End,
    /// By the shortcut of this number.
    Shortcut(u32),
    /// To this place.
    Step(usize),
}

/// What steps count besides the time they take, and which doors are shut.
pub(super) struct StepPrices<'a, G> {
    ground: &'a G,
    pace: Pace,
    trail: Option<TrailPrices<'a>>,
    danger: Option<&'a Prices>,
    is_shut: &'a PlaceTable<()>,
}

/// What steps to neighbours count off the trail, and the seconds they take: straight ones, and
/// diagonal ones.
struct TrailPrices<'a> {
    trail: &'a Trail,
    usual: [Usual; 2],
}

#[derive(Clone, Copy)]
struct Usual {
    cost: Cost,
    seconds: f64,
    off: Cost,
}

impl<'a, G: Ground> StepPrices<'a, G> {
    pub(super) fn new(
        ground: &'a G,
        speed: f64,
        trail: Option<&'a Trail>,
        danger: Option<&'a Prices>,
        is_shut: &'a PlaceTable<()>,
    ) -> StepPrices<'a, G> {
        let pace = Pace::new(speed, ground.spacing());
        let trail = trail.map(|trail| {
            let usual = |cost: Cost| {
                let [_, off] = trail.range();
                Usual {
                    cost,
                    seconds: cost.as_seconds(),
                    off: Cost::round_up(cost.as_seconds() * off),
                }
            };
            TrailPrices {
                trail,
                usual: [pace.straight(), pace.diagonal()].map(usual),
            }
        });
        StepPrices {
            ground,
            pace,
            trail,
            danger,
            is_shut,
        }
    }

    fn of_field(&self, is_door: bool) -> FieldPrices<'_, G> {
        FieldPrices {
            steps: self,
            is_door,
        }
    }
}

/// The same for one field.
struct FieldPrices<'a, G> {
    steps: &'a StepPrices<'a, G>,
    /// Whether it leads to a door.
    is_door: bool,
}

impl TrailPrices<'_> {
    /// What a step counts that takes `cost`.
    #[inline]
    fn of<G: Ground>(
        &self,
        ground: &G,
        (from, to): (usize, usize),
        exit: Option<u8>,
        cost: Cost,
    ) -> Cost {
        let [straight, diagonal] = &self.usual;
        let usual = if cost == straight.cost {
            straight
        } else {
            diagonal
        };
        match exit {
            Some(exit) if cost == usual.cost => match self.trail.factor(from, exit) {
                Some(factor) => Cost::round_up(usual.seconds * factor),
                None => usual.off,
            },
            _ => self.trail.price(ground, from, to, cost),
        }
    }
}

impl<G: Ground> Pricing for FieldPrices<'_, G> {
    type There = (usize, Option<Near>);

    #[inline]
    fn there(&self, place: usize) -> (usize, Option<Near>) {
        let danger = self.steps.danger;
        (place, danger.and_then(|danger| danger.near(place)))
    }

    #[inline]
    fn price(
        &self,
        from: usize,
        (to, near): (usize, Option<Near>),
        exit: Option<u8>,
        cost: Cost,
    ) -> Cost {
        let StepPrices {
            ground,
            trail,
            danger,
            ..
        } = self.steps;
        let plain = cost;
        let cost = match trail {
            Some(trail) => trail.of(*ground, (from, to), exit, cost),
            None => cost,
        };
        match (danger, near) {
            // Whoever showed the way went there all the same.
            (Some(_), Some(_)) if trail.is_some() && cost <= plain => cost,
            (Some(danger), Some(near)) => danger.of(near, cost),
            _ => cost,
        }
    }

    /// Into a door one only comes by opening it, which is a stop by itself. What lies in it is
    /// reached from there.
    #[inline]
    fn is_barred(&self, place: usize, cost: Cost) -> bool {
        self.steps.is_shut.contains(place) && !(self.is_door && cost == Cost::ZERO)
    }

    fn usual(&self) -> [f64; 2] {
        let StepPrices { trail, danger, .. } = self.steps;
        let trail = trail.as_ref();
        let [least, most] = trail.map_or([1.0, 1.0], |prices| prices.trail.range());
        [least, most * danger.map_or(1.0, Prices::slower)]
    }
}
