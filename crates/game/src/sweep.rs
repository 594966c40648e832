//! How cheaply one comes from everywhere to some places, or from some places everywhere.

use apprentice_search::{Budget, Cost};

use crate::buckets::{Buckets, RING};
use crate::{Ground, Pace, Step};

/// Dijkstra's algorithm over all places of a ground, a little at a time.
///
/// What steps count, and through which places nobody passes, says a [`Pricing`]: it has to be the same
/// one from the beginning to the end of a sweep, on the same ground.
///
/// ```
/// use apprentice_search::{Budget, Cost};
/// use apprentice_experience::Place;
/// use apprentice_game::{ByTime, Sweep, Waypoints};
///
/// let points = (0..4).map(|x| Place::flat(f64::from(x), 0.0));
/// let mut ground = Waypoints::new(points)?;
/// ground.connect(0, 1)?;
/// ground.connect(1, 2)?;
/// let mut sweep = Sweep::to([(2, Cost::ZERO)]);
/// assert!(sweep.go_on(&ground, 2.0, &ByTime, &mut Budget::unlimited()));
/// assert_eq!(sweep.at(0), Cost::from_seconds(1.0));
/// assert_eq!(sweep.at(3), Cost::INFINITE); // no way leads there
/// # Ok::<(), apprentice_game::WaypointError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    heading: Heading,
    /// Where it begins, as far as it has not.
    seeds: std::vec::IntoIter<(usize, Cost)>,
    /// For each place; fewer as long as there is not enough memory for all.
    costs: Vec<Cost>,
    stage: Stage,
}

/// Which way round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Heading {
    /// From everywhere to some places.
    #[default]
    To,
    /// From some places everywhere.
    From,
}

#[derive(Clone, Debug, Default)]
enum Stage {
    /// It gets its memory.
    #[default]
    Before,
    Under(Box<Buckets>),
    Done,
}

/// What steps count in a [`Sweep`], and through which places nobody passes.
///
/// ```
/// use apprentice_search::{Budget, Cost};
/// use apprentice_experience::Place;
/// use apprentice_game::{Pricing, Sweep, Waypoints};
///
/// /// Steps into the bog count three times, and nobody passes through the gate.
/// struct Bog { bog: usize, gate: usize }
///
/// impl Pricing for Bog {
///     type There = u32;
///
///     fn there(&self, place: usize) -> u32 {
///         if place == self.bog { 3 } else { 1 }
///     }
///
///     fn price(&self, _: usize, times: u32, _: Option<u8>, cost: Cost) -> Cost {
///         (0..times).map(|_| cost).sum()
///     }
///
///     fn is_barred(&self, place: usize, _: Cost) -> bool {
///         place == self.gate
///     }
/// }
///
/// let mut ground = Waypoints::new((0..5).map(|x| Place::flat(f64::from(x), 0.0)))?;
/// (0..4).try_for_each(|place| ground.connect(place, place + 1))?;
/// let mut sweep = Sweep::to([(3, Cost::ZERO)]);
/// sweep.go_on(&ground, 1.0, &Bog { bog: 2, gate: 1 }, &mut Budget::unlimited());
/// let costs: Vec<Cost> = (0..5).map(|place| sweep.at(place)).collect();
/// let seconds = Cost::from_seconds;
/// assert_eq!(costs, [Cost::INFINITE, seconds(4.0), seconds(1.0), Cost::ZERO, seconds(1.0)]);
/// # Ok::<(), apprentice_game::WaypointError>(())
/// ```
pub trait Pricing {
    /// What is the same for all steps that lead to one place.
    type There: Copy;

    /// What is the same for all steps that lead to this place.
    fn there(&self, place: usize) -> Self::There;

    /// What a step from a place counts that takes `cost`; never less than nothing. Which of the steps
    /// it is that leave the place is said if the ground says so, see [`Step::exit`].
    fn price(&self, from: usize, there: Self::There, exit: Option<u8>, cost: Cost) -> Cost;

    /// Whether nobody passes through a place where it costs so much. It can be reached all the same,
    /// and a sweep can begin there; where it begins it mostly costs nothing.
    fn is_barred(&self, place: usize, cost: Cost) -> bool;

    /// How many times their time most steps count, at least and at most. Whatever this says the sweep
    /// is right; if it is about right the sweep is fast.
    fn usual(&self) -> [f64; 2] {
        [1.0, 1.0]
    }
}

/// Steps count the time they take, and nothing is barred.
///
/// ```
/// use apprentice_search::Cost;
/// use apprentice_game::{ByTime, Pricing};
///
/// let second = Cost::from_seconds(1.0);
/// assert_eq!(ByTime.price(7, (), None, second), second);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ByTime;

impl Pricing for ByTime {
    type There = ();

    #[inline]
    fn there(&self, _: usize) {}

    #[inline]
    fn price(&self, _: usize, (): (), _: Option<u8>, cost: Cost) -> Cost {
        cost
    }

    #[inline]
    fn is_barred(&self, _: usize, _: Cost) -> bool {
        false
    }
}

/// So many places get their memory at once; more would take longer than a unit of budget should.
const PLACES_AT_ONCE: usize = 4096;

impl Sweep {
    /// The cheapest ways from everywhere to the nearest of some places, each of which costs so much.
    /// Those where nobody can stand are left out.
    pub fn to(places: impl IntoIterator<Item = (usize, Cost)>) -> Sweep {
        Sweep {
            seeds: places.into_iter().collect::<Vec<_>>().into_iter(),
            ..Sweep::default()
        }
    }

    /// The cheapest ways from the nearest of some places everywhere: the same the other way round.
    pub fn from(places: impl IntoIterator<Item = (usize, Cost)>) -> Sweep {
        Sweep {
            heading: Heading::From,
            ..Sweep::to(places)
        }
    }

    /// The cost at a place, as far as it is known; infinite in walls, and where no way leads.
    #[inline]
    pub fn at(&self, place: usize) -> Cost {
        self.costs.get(place).copied().unwrap_or(Cost::INFINITE)
    }

    /// Goes on at `speed` cells or metres a second. One unit of budget for each place, one for the
    /// memory of every four thousand after the first, and one for every four thousand to begin at
    /// after the first. False: the budget is spent, call again.
    pub fn go_on<G: Ground, P: Pricing>(
        &mut self,
        ground: &G,
        speed: f64,
        pricing: &P,
        budget: &mut Budget<'_>,
    ) -> bool {
        let pace = Pace::new(speed, ground.spacing());
        if matches!(self.stage, Stage::Before) {
            if !self.get_memory(ground.places(), budget) {
                return false;
            }
            let open = Buckets::of_width(width(&pace, pricing.usual()));
            self.stage = Stage::Under(Box::new(open));
            self.begin(ground);
        }
        while !self.seeds.as_slice().is_empty() {
            if !budget.take() {
                return false;
            }
            self.begin(ground);
        }
        let Stage::Under(open) = &mut self.stage else {
            return true;
        };
        let ahead = Ahead {
            pricing,
            costs: &mut self.costs,
            open,
        };
        let is_done = match self.heading {
            Heading::To => ahead.go_on(budget, |ahead, place, cost| {
                let there = pricing.there(place);
                ground.each_step_into(place, &pace, |step| {
                    ahead.relax(&step, cost, |pricing| {
                        pricing.price(step.place, there, step.exit, step.cost)
                    });
                });
            }),
            Heading::From => ahead.go_on(budget, |ahead, place, cost| {
                ground.each_step_from(place, &pace, |step| {
                    ahead.relax(&step, cost, |pricing| {
                        pricing.price(place, pricing.there(step.place), step.exit, step.cost)
                    });
                });
            }),
        };
        if is_done {
            self.stage = Stage::Done;
        }
        is_done
    }

    fn get_memory(&mut self, places: usize, budget: &mut Budget<'_>) -> bool {
        if self.costs.is_empty() {
            self.costs.reserve_exact(places);
        }
        while self.costs.len() < places {
            if !self.costs.is_empty() && !budget.take() {
                return false;
            }
            let more = PLACES_AT_ONCE.min(places - self.costs.len());
            self.costs.resize(self.costs.len() + more, Cost::INFINITE);
        }
        true
    }

    /// Begins at some more places.
    fn begin<G: Ground>(&mut self, ground: &G) {
        let Stage::Under(open) = &mut self.stage else {
            return;
        };
        for (place, cost) in self.seeds.by_ref().take(PLACES_AT_ONCE) {
            if ground.is_walkable(place) && cost < self.costs[place] {
                self.costs[place] = cost;
                open.push(cost, place as u32);
            }
        }
    }
}

/// How wide buckets should be where steps count so many times their time: no wider than the least
/// step, so that whatever is in a bucket cannot become cheaper, and wide enough for the others to
/// be within the ring. Nothing else depends on it.
fn width(pace: &Pace, [least, most]: [f64; 2]) -> Cost {
    let [straight, diagonal] = [pace.straight(), pace.diagonal()].map(Cost::as_seconds);
    let widest = diagonal * most / (RING / 2) as f64;
    Cost::round_down((straight * least).max(widest))
}

/// A sweep under way.
struct Ahead<'a, P> {
    pricing: &'a P,
    costs: &'a mut [Cost],
    open: &'a mut Buckets,
}

impl<P: Pricing> Ahead<'_, P> {
    fn go_on(mut self, budget: &mut Budget<'_>, relax: impl Fn(&mut Self, usize, Cost)) -> bool {
        while let Some((cost, place)) = self.open.peek() {
            let place = place as usize;
            if cost > self.costs[place] || self.pricing.is_barred(place, cost) {
                self.open.pop();
                continue;
            }
            if !budget.take() {
                return false;
            }
            self.open.pop();
            relax(&mut self, place, cost);
        }
        true
    }

    #[inline]
    fn relax(&mut self, step: &Step, cost: Cost, price: impl Fn(&P) -> Cost) {
        // Most neighbours were there before, whatever the step counts.
        let near = step.place;
        if self.costs[near] <= cost {
            return;
        }
        let total = cost + price(self.pricing);
        if total < self.costs[near] {
            self.costs[near] = total;
            self.open.push(total, near as u32);
        }
    }
}
