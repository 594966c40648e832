//! Which steps over a map follow a demonstration.

use std::sync::{Arc, Mutex, PoisonError};

use apprentice_experience::{Demonstration, Place, distance_to_line};
use apprentice_search::{Budget, Cost, Heuristic};
use apprentice_world::{Map, Quest};

use crate::Following;
use crate::following::{Approach, Approaching};
use crate::ground::{place_in, place_of, spot_of};

/// Which steps over a map follow a demonstration, and how well. Steps along it count once, steps
/// far from it or against it many times, and there is a slope between, so that whoever goes where
/// steps are cheap is drawn to the demonstration and then along it.
///
/// The slope reaches the line itself: of the ways along an oblique line, which on a grid take the
/// same time, the one that keeps closest to it is cheapest.
///
/// ```
/// use apprentice_behavior::Trail;
/// use apprentice_experience::{Demonstration, Place};
/// use apprentice_search::{Budget, Cost};
/// use apprentice_world::{GridMap, Map};
///
/// let map = Map::Grid(GridMap::from_rows(&["......"])?);
/// let eastward = Demonstration::drawn("east", [Place::flat(0.0, 0.0), Place::flat(5.0, 0.0)], 1.0);
/// let trail = Trail::new(&map, &[eastward], 3.0);
/// let second = Cost::from_seconds(1.0);
/// assert_eq!(trail.price(&map, 2, 3, second), second);
/// assert_eq!(trail.price(&map, 3, 2, second), Cost::from_seconds(3.0));
/// # Ok::<(), apprentice_world::MapError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trail {
    rates: Rates,
    /// For each demonstration, whether it is.
    within_reach: Vec<bool>,
    /// For each place, where in `footmarks` its own are.
    first: Vec<u32>,
    footmarks: Vec<Footmark>,
}

/// How many times steps count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rates {
    /// Along a demonstration that is within reach; along others, once.
    pub(crate) along: f64,
    /// Far from it, or against it.
    pub(crate) off: f64,
}

impl Rates {
    /// Steps along a demonstration count once.
    pub(crate) fn with_inflation(inflation: f64) -> Rates {
        Rates {
            along: 1.0,
            off: inflation.max(1.0),
        }
    }

    /// The same for a demonstration that may be beyond reach.
    fn of(self, is_within_reach: bool) -> Rates {
        if is_within_reach {
            self
        } else {
            Rates { along: 1.0, ..self }
        }
    }

    /// At some distance from the line of a demonstration, by a step of which so much goes along it.
    fn at(&self, distance: f64, along: f64) -> f64 {
        let beside = (distance / NEAR).min(1.0);
        let contrast = (self.off / self.along - 1.0).min(MOST_CONTRAST);
        let near = self.along * (1.0 + BESIDE * contrast * beside * beside);
        // Steep, or a small room would be near everywhere, and its corners cut.
        let far = ((FAR - distance) / (FAR - NEAR)).clamp(0.0, 1.0);
        self.off - (self.off - near) * far * far * far * along
    }
}

/// A demonstration passes by a place.
#[derive(Clone, Copy, Debug)]
struct Footmark {
    /// At this distance from its line.
    distance: f32,
    /// In this direction, of length one.
    x: f32,
    y: f32,
    is_within_reach: bool,
}

/// Whoever is nearer than this is on the trail, in cells or metres.
const NEAR: f64 = 1.0;
/// Whoever is this far is off it.
pub(crate) const FAR: f64 = 7.0;
/// The part of what steps count more off the trail that they count more at its rim than on the line
/// itself. It grows with the square of the distance, so that half a cell beside an oblique line,
/// which nobody can help on a grid, costs next to nothing, and a whole one as much as it should.
const BESIDE: f64 = 0.35;
/// How much more steps off the trail count than those along it, as far as that matters on it: or
/// half a cell would, where demonstrations lead far.
const MOST_CONTRAST: f64 = 9.0;
/// Nothing is further than this from the nearest of places that are one apart, if it lies among
/// them: half a diagonal.
const ON_THE_SPOT: f64 = 0.75;
/// The distance between two samples of a demonstration.
const BETWEEN_SAMPLES: f64 = 0.5;
/// Directions that are at most this far apart (as a cosine) are one.
const SAME_DIRECTION: f32 = 0.9;
/// From this cosine on a step goes along. Grids have only eight directions: along an oblique line
/// some steps are up to an eighth of a turn off, and those have no part in leaving it.
const ALONG: f64 = 0.7;
/// Directions remembered at a place; crossings have two or three.
const MOST_AT_A_PLACE: usize = 4;

impl Trail {
    /// The trail of some demonstrations: steps off it count `inflation` times.
    pub fn new(map: &Map, demonstrations: &[Demonstration], inflation: f64) -> Trail {
        let within_reach = vec![true; demonstrations.len()];
        let mut laying = Laying::new(map, Rates::with_inflation(inflation), within_reach);
        laying.go_on(map, demonstrations, &mut Budget::unlimited());
        laying.finish()
    }

    /// What a step that costs `cost` counts.
    pub fn price(&self, map: &Map, from: usize, to: usize, cost: Cost) -> Cost {
        let (start, end) = (map.point_of(from), map.point_of(to));
        let (x, y) = (end.x - start.x, end.y - start.y);
        let length = (x * x + y * y).sqrt();
        let range = self.first[from] as usize..self.first[from + 1] as usize;
        let mut factor = self.rates.off;
        if length > 0.0 {
            for mark in &self.footmarks[range] {
                let cosine = (x * f64::from(mark.x) + y * f64::from(mark.y)) / length;
                let along = (cosine / ALONG).clamp(0.0, 1.0);
                let rates = self.rates.of(mark.is_within_reach);
                factor = factor.min(rates.at(f64::from(mark.distance), along));
            }
        }
        Cost::round_up(cost.as_seconds() * factor)
    }
}

impl Trail {
    /// Whether the same demonstrations laid with these numbers would be this trail.
    fn is_laid_so(&self, rates: Rates, within_reach: &[bool]) -> bool {
        self.rates == rates && self.within_reach == within_reach
    }

    /// What a way to a demonstration or from it counts that takes so many seconds: as much as along
    /// it.
    pub(crate) fn price_along(&self, seconds: f64, is_within_reach: bool) -> Cost {
        Cost::round_up(seconds * self.rates.of(is_within_reach).along)
    }
}

/// A trail that is being laid, a little at a time.
#[derive(Clone, Debug)]
pub(crate) struct Laying {
    rates: Rates,
    /// For each demonstration, whether it is.
    within_reach: Vec<bool>,
    marks: Vec<Vec<Footmark>>,
    /// The demonstration, its sample and the point behind it that come next.
    next: (usize, usize, u32),
}

impl Laying {
    pub(crate) fn new(map: &Map, rates: Rates, within_reach: Vec<bool>) -> Laying {
        Laying {
            rates,
            within_reach,
            marks: vec![Vec::new(); map.places()],
            next: (0, 0, 0),
        }
    }

    /// Goes on; one unit of budget for each point of a demonstration. False: the budget is spent,
    /// call again.
    pub(crate) fn go_on(
        &mut self,
        map: &Map,
        demonstrations: &[Demonstration],
        budget: &mut Budget<'_>,
    ) -> bool {
        while let Some(shown) = demonstrations.get(self.next.0) {
            while let Some([before, after]) = shown.samples.get(self.next.1..self.next.1 + 2) {
                let (from, to) = (before.place, after.place);
                let (x, y) = (to.x - from.x, to.y - from.y);
                let length = (x * x + y * y).sqrt();
                let count = (length / BETWEEN_SAMPLES).ceil().max(1.0) as u32;
                while (1e-9..=LONGEST).contains(&length) && self.next.2 <= count {
                    if !budget.take() {
                        return false;
                    }
                    // The piece of the line that is nearer to this point than to the next ones.
                    let part = |number: f64| {
                        let part = (number / f64::from(count)).clamp(0.0, 1.0);
                        from.toward(to, part)
                    };
                    let number = f64::from(self.next.2);
                    let piece = [part(number - 0.5), part(number), part(number + 0.5)];
                    self.mark(map, piece, (x / length, y / length));
                    self.next.2 += 1;
                }
                self.next = (self.next.0, self.next.1 + 1, 0);
            }
            self.next = (self.next.0 + 1, 0, 0);
        }
        true
    }

    /// Marks the places around a piece of a line, on its floor; given by its beginning, middle and
    /// end.
    fn mark(&mut self, map: &Map, [from, middle, to]: [Place; 3], (x, y): (f64, f64)) {
        let spot = spot_of(map, middle);
        let places = map.places_on_floor(spot.point(), spot.height, FAR);
        let is_within_reach = self.within_reach.get(self.next.0).is_some_and(|is| *is);
        let distance = |place: &usize| distance_to_line(place_in(map, *place), from, to);
        // Where the line leads through rock, nobody can come nearer than the rock is thick, and
        // whoever walks along it is on the trail.
        let nearest = places.iter().map(distance).fold(FAR, f64::min);
        let rock = (nearest - ON_THE_SPOT * map.spacing()).max(0.0);
        for place in places {
            let mark = Footmark {
                distance: (distance(&place) - rock).max(0.0) as f32,
                x: x as f32,
                y: y as f32,
                is_within_reach,
            };
            mark.join(&mut self.marks[place]);
        }
    }

    pub(crate) fn finish(self) -> Trail {
        let mut first = vec![0];
        let mut footmarks = Vec::new();
        for marks in self.marks {
            footmarks.extend(marks);
            first.push(footmarks.len() as u32);
        }
        Trail {
            rates: self.rates,
            within_reach: self.within_reach,
            first,
            footmarks,
        }
    }
}

/// A trail that several advisers keep to, laid once, with the ways to it and from it.
#[derive(Clone)]
pub(crate) struct SharedTrail {
    following: Following,
    inflation: f64,
    reach: f64,
    state: Arc<Mutex<TrailState>>,
}

/// What there is of it.
#[derive(Default)]
struct TrailState {
    /// What it is made for: scenario, goal and start.
    key: Option<(u64, String, Place)>,
    approaching: Approaching,
    laying: Option<Laying>,
    laid: Option<Arc<LaidTrail>>,
    /// The last trail that was laid, and the level it lies in. From another start it may well be the
    /// same, with other ways to it.
    last: Option<(u64, Arc<Trail>)>,
}

/// A trail, and the ways to it and from it.
pub(crate) struct LaidTrail {
    pub(crate) trail: Arc<Trail>,
    /// Of the demonstrations that show a way.
    pub(crate) approaches: Vec<Approach>,
}

/// A demonstration is worth following if the way along it takes less than the inflation times the
/// shortest. Steps beside its line count a little more than once, so this much more is allowed for.
const ALLOWANCE: f64 = 1.3;

impl SharedTrail {
    /// The trail of what is followed. Steps off it count `inflation` times, and steps along it
    /// once, or less where the way along a demonstration takes more than `inflation` times the
    /// shortest, but less than `reach` times.
    pub(crate) fn new(following: Following, inflation: f64, reach: f64) -> SharedTrail {
        SharedTrail {
            following,
            inflation,
            reach,
            state: Arc::default(),
        }
    }

    /// The trail; `None` if the budget is spent first.
    pub(crate) fn laid<Q: Quest>(
        &mut self,
        quest: &Q,
        budget: &mut Budget<'_>,
    ) -> Option<Arc<LaidTrail>> {
        if !self.following.prepare(quest, budget) {
            return None;
        }
        // Nothing is left half done by a panic that would matter to anybody else.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let scenario = quest.scenario();
        let start = place_of(quest, &quest.start());
        let level = scenario.layout_digest();
        let key = (level, format!("{:?}", quest.goal()), start);
        if state.key.as_ref() != Some(&key) {
            *state = TrailState {
                key: Some(key),
                last: state.last.take().filter(|(other, _)| *other == level),
                ..TrailState::default()
            };
        }
        if let Some(laid) = &state.laid {
            return Some(laid.clone());
        }
        if !state.approaching.go_on(&self.following, self.reach, budget) {
            return None;
        }
        let rates = self.rates(quest, state.approaching.found());
        let within_reach = state.approaching.within_reach();
        let last = state.last.as_ref().map(|(_, last)| last);
        let trail = match last.filter(|last| last.is_laid_so(rates, &within_reach)) {
            Some(last) => last.clone(),
            None => {
                let map = scenario.map();
                let begun = || Laying::new(map, rates, within_reach);
                let laying = state.laying.get_or_insert_with(begun);
                if !laying.go_on(map, &self.following.demonstrations(), budget) {
                    return None;
                }
                Arc::new(state.laying.take()?.finish())
            }
        };
        state.last = Some((level, trail.clone()));
        let approaches = std::mem::take(&mut state.approaching).finish();
        let laid = LaidTrail { trail, approaches };
        state.laid = Some(Arc::new(laid));
        state.laid.clone()
    }

    /// As much less for steps along demonstrations as it takes to prefer the longest of those
    /// within reach to the shortest way.
    fn rates<'a, Q: Quest>(
        &self,
        quest: &Q,
        approaches: impl Iterator<Item = &'a Approach>,
    ) -> Rates {
        let rates = Rates::with_inflation(self.inflation);
        let start = place_of(quest, &quest.start());
        let Some(shortest) = self.following.shortest(start) else {
            return rates;
        };
        let longest = approaches
            .filter(|approach| approach.is_within_reach)
            .map(|approach| approach.seconds)
            .fold(0.0, f64::max);
        // Whoever decides is a step nearer to the goal already if they decide otherwise.
        let diagonal = 2f64.sqrt() * quest.scenario().map().spacing();
        let otherwise = shortest - diagonal / quest.top_speed();
        if !(otherwise > 0.0 && otherwise.is_finite()) {
            return rates;
        }
        let along = rates.off * otherwise / (longest * ALLOWANCE);
        Rates {
            along: along.min(rates.along),
            ..rates
        }
    }
}

/// A longer stretch is a mistake of the demonstration; following it would take forever.
const LONGEST: f64 = 1e5;

impl Footmark {
    /// Adds itself to those of a place, unless one that is as good is there.
    fn join(self, marks: &mut Vec<Footmark>) {
        let same = |other: &&mut Footmark| {
            self.is_within_reach == other.is_within_reach
                && self.x * other.x + self.y * other.y > SAME_DIRECTION
        };
        if let Some(other) = marks.iter_mut().find(same) {
            if self.distance < other.distance {
                *other = self;
            }
        } else if marks.len() < MOST_AT_A_PLACE {
            marks.push(self);
        } else if let Some(worst) = marks
            .iter_mut()
            .max_by(|a, b| a.distance.total_cmp(&b.distance))
            && self.distance < worst.distance
        {
            *worst = self;
        }
    }
}
