//! Which steps over a map follow a demonstration.

use std::sync::{Arc, Mutex};

use apprentice_experience::{Demonstration, Place, distance_to_line};
use apprentice_game::{Aim, Game, Ground, Pace, Step};
use apprentice_search::{Budget, Cost, Heuristic};

use crate::TGraphHeuristic;
use crate::ground::{around, level_of};
use crate::place_table::PlaceTable;
use crate::shelf::{Shelf, open};
use crate::tgraph_heuristic::{Approach, Approaching};

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
    /// The places that demonstrations pass by.
    marked: PlaceTable<Marked>,
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

/// A place that demonstrations pass by.
#[derive(Clone, Debug)]
struct Marked {
    footmarks: Footmarks,
    /// How many times a step to a neighbour counts, by its direction.
    factors: [f64; Step::EXITS],
}

/// Directions in which demonstrations pass by a place.
#[derive(Clone, Debug, Default)]
struct Footmarks {
    count: usize,
    marks: [Footmark; MOST_AT_A_PLACE],
}

/// A demonstration passes by a place.
#[derive(Clone, Copy, Debug, Default)]
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
    pub fn new<G: Ground>(ground: &G, demonstrations: &[Demonstration], inflation: f64) -> Trail {
        let within_reach = vec![true; demonstrations.len()];
        let mut laying = TrailBuilder::new(ground, Rates::with_inflation(inflation), within_reach);
        laying.go_on(ground, demonstrations, &mut Budget::unlimited());
        laying.finish()
    }

    /// What a step that costs `cost` counts.
    #[cold]
    pub fn price<G: Ground>(&self, ground: &G, from: usize, to: usize, cost: Cost) -> Cost {
        let factor = match self.marked.get(from) {
            Some(marked) => marked
                .footmarks
                .factor(self.rates, vector(ground, from, to)),
            None => self.rates.off,
        };
        Cost::round_up(cost.as_seconds() * factor)
    }

    /// How many times a step to a neighbour counts; `None` if no demonstration passes by there, so
    /// that it counts as much as anywhere off the trail.
    #[inline]
    pub(crate) fn factor(&self, from: usize, exit: u8) -> Option<f64> {
        let marked = self.marked.get(from)?;
        Some(marked.factors[usize::from(exit)])
    }

    /// How many times steps count, along the trail and off it.
    pub(crate) fn range(&self) -> [f64; 2] {
        [self.rates.along.min(1.0), self.rates.off]
    }

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

/// How a step leads over the ground.
fn vector<G: Ground>(ground: &G, from: usize, to: usize) -> (f64, f64) {
    let (start, end) = (ground.at(from), ground.at(to));
    (end.x - start.x, end.y - start.y)
}

/// A trail that is being laid, a little at a time.
#[derive(Clone, Debug)]
pub(crate) struct TrailBuilder {
    trail: Trail,
    next: Mark,
    /// The piece of a line around which places are being marked.
    piece: Option<Piece>,
    /// How many places know what steps count.
    priced: usize,
}

/// What is marked next.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    demonstration: usize,
    /// The samples between which its line is straight, as far as that matters. The second is not
    /// known yet if it is not behind the first.
    from: usize,
    to: usize,
    /// The point between them.
    point: u32,
}

/// A piece of a line, and the places around it.
#[derive(Clone, Debug)]
struct Piece {
    direction: (f32, f32),
    /// How far each of them is from it.
    places: Vec<(usize, f64)>,
    /// How far it is at least from any of them, because of the rock around it.
    rock: f64,
    /// How many are marked.
    marked: usize,
}

/// So many places are marked, or priced, for a unit of budget.
const PLACES_AT_ONCE: usize = 128;
const PRICED_AT_ONCE: usize = 16;

impl TrailBuilder {
    pub(crate) fn new<G: Ground>(
        ground: &G,
        rates: Rates,
        within_reach: Vec<bool>,
    ) -> TrailBuilder {
        TrailBuilder {
            trail: Trail {
                rates,
                within_reach,
                marked: PlaceTable::new(ground.places()),
            },
            next: Mark::default(),
            piece: None,
            priced: 0,
        }
    }

    /// The same trail with other rates: where demonstrations pass by is known.
    fn like(trail: &Trail, rates: Rates) -> TrailBuilder {
        TrailBuilder {
            trail: Trail {
                rates,
                ..trail.clone()
            },
            next: Mark {
                demonstration: trail.within_reach.len(),
                ..Mark::default()
            },
            piece: None,
            priced: 0,
        }
    }

    /// Goes on; one unit of budget for each point of a demonstration, more where there are many
    /// places around it, and one for every sixteen places to be priced. False: the budget is spent,
    /// call again.
    pub(crate) fn go_on<G: Ground>(
        &mut self,
        ground: &G,
        demonstrations: &[Demonstration],
        budget: &mut Budget<'_>,
    ) -> bool {
        while let Some(shown) = demonstrations.get(self.next.demonstration) {
            while self.next.from + 1 < shown.samples.len() {
                if self.next.to <= self.next.from {
                    self.next.to = end_of_stretch(shown, self.next.from);
                }
                let samples = [self.next.from, self.next.to];
                let [from, to] = samples.map(|sample| shown.samples[sample].place);
                let (x, y) = (to.x - from.x, to.y - from.y);
                let length = (x * x + y * y).sqrt();
                let count = (length / BETWEEN_SAMPLES).ceil().max(1.0) as u32;
                while (1e-9..=LONGEST).contains(&length) && self.next.point <= count {
                    if !budget.take() {
                        return false;
                    }
                    // The piece of the line that is nearer to this point than to the next ones.
                    let part = |number: f64| {
                        let part = (number / f64::from(count)).clamp(0.0, 1.0);
                        from.toward(to, part)
                    };
                    let number = f64::from(self.next.point);
                    let points = [part(number - 0.5), part(number), part(number + 0.5)];
                    let piece = self.piece.take();
                    let direction = (x / length, y / length);
                    let piece = piece.unwrap_or_else(|| Piece::new(ground, points, direction));
                    self.piece = self.mark(piece);
                    if self.piece.is_none() {
                        self.next.point += 1;
                    }
                }
                (self.next.from, self.next.point) = (self.next.to, 0);
            }
            self.next = Mark {
                demonstration: self.next.demonstration + 1,
                ..Mark::default()
            };
        }
        self.price(ground, budget)
    }

    /// Marks some of the places around a piece of a line. The piece, if some are left.
    fn mark(&mut self, mut piece: Piece) -> Option<Piece> {
        let within_reach = self.trail.within_reach.get(self.next.demonstration);
        let is_within_reach = within_reach.is_some_and(|is| *is);
        let (x, y) = piece.direction;
        let places = piece.places[piece.marked..].iter();
        for (place, distance) in places.take(PLACES_AT_ONCE) {
            let mark = Footmark {
                distance: (distance - piece.rock).max(0.0) as f32,
                x,
                y,
                is_within_reach,
            };
            let marked = || Marked {
                footmarks: Footmarks::default(),
                factors: [0.0; Step::EXITS],
            };
            let marked = self.trail.marked.get_or_insert_with(*place, marked);
            marked.footmarks.add(mark);
        }
        piece.marked += PLACES_AT_ONCE;
        (piece.marked < piece.places.len()).then_some(piece)
    }

    /// Works out what steps to neighbours count.
    fn price<G: Ground>(&mut self, ground: &G, budget: &mut Budget<'_>) -> bool {
        let Trail { rates, marked, .. } = &mut self.trail;
        // Only where steps lead matters here.
        let pace = Pace::new(1.0, ground.spacing());
        while self.priced < marked.len() {
            if !budget.take() {
                return false;
            }
            let last = marked.len().min(self.priced + PRICED_AT_ONCE);
            for (place, marked) in marked.entries_mut(self.priced..last) {
                let Marked { footmarks, factors } = marked;
                ground.each_step_from(place, &pace, |step| {
                    if let Some(exit) = step.exit {
                        let vector = vector(ground, place, step.place);
                        factors[usize::from(exit)] = footmarks.factor(*rates, vector);
                    }
                });
            }
            self.priced = last;
        }
        true
    }

    pub(crate) fn finish(self) -> Trail {
        self.trail
    }
}

impl Piece {
    /// The piece between two points, and the places around one in its middle, on the same floor.
    fn new<G: Ground>(ground: &G, [from, middle, to]: [Place; 3], (x, y): (f64, f64)) -> Piece {
        let places = around(ground, middle, FAR).into_iter();
        let places: Vec<(usize, f64)> = places
            .map(|place| (place, distance_to_line(ground.at(place), from, to)))
            .collect();
        // Where the line leads through rock, nobody can come nearer than the rock is thick, and
        // whoever walks along it is on the trail.
        let distances = places.iter().map(|(_, distance)| *distance);
        let nearest = distances.fold(FAR, f64::min);
        Piece {
            direction: (x as f32, y as f32),
            places,
            rock: (nearest - ON_THE_SPOT * ground.spacing()).max(0.0),
            marked: 0,
        }
    }
}

/// A trail that several advisers keep to, laid once, with the ways to it and from it.
#[derive(Clone)]
pub(crate) struct SharedTrail<G> {
    following: TGraphHeuristic<G>,
    inflation: f64,
    reach: f64,
    state: Arc<Mutex<TrailState<G>>>,
    /// The trails of all searches. From another start a trail may well be the same, with other ways to
    /// it.
    trails: Arc<Trails>,
}

/// Trails of the same demonstrations, each with the level it lies in.
#[derive(Default)]
struct Trails {
    laying: Mutex<Shelf<(u64, TrailBuilder)>>,
    laid: Mutex<Shelf<(u64, Arc<Trail>)>>,
}

impl Trails {
    /// The trail with these numbers; `None` if the budget is spent before it is laid.
    fn laid<G: Ground>(
        &self,
        (level, ground): (u64, &G),
        demonstrations: &[Demonstration],
        (rates, within_reach): (Rates, Vec<bool>),
        budget: &mut Budget<'_>,
    ) -> Option<Arc<Trail>> {
        let mut laid = open(&self.laid);
        let is_it = |in_level: u64, trail: &Trail| {
            in_level == level && trail.is_laid_so(rates, &within_reach)
        };
        if let Some((_, trail)) = laid.find(|(level, trail)| is_it(*level, trail)) {
            return Some(trail.clone());
        }
        let mut half_laid = open(&self.laying);
        let begun = half_laid.take(|(level, laying)| is_it(*level, &laying.trail));
        let begun = begun.map(|(_, laying)| laying);
        let begin = |laid: &mut Shelf<(u64, Arc<Trail>)>| {
            let is_alike =
                |trail: &Trail| trail.rates != rates && trail.within_reach == within_reach;
            match laid.find(|(other, trail)| *other == level && is_alike(trail)) {
                Some((_, trail)) => TrailBuilder::like(trail, rates),
                None => TrailBuilder::new(ground, rates, within_reach.clone()),
            }
        };
        let mut laying = begun.unwrap_or_else(|| begin(&mut laid));
        if !laying.go_on(ground, demonstrations, budget) {
            half_laid.put((level, laying));
            return None;
        }
        let trail = Arc::new(laying.finish());
        laid.put((level, trail.clone()));
        Some(trail)
    }
}

/// What there is of it.
struct TrailState<G> {
    /// What it is made for: scenario, goal and start.
    key: Option<(u64, Aim, Place)>,
    approaching: Approaching<G>,
    laid: Option<Arc<LaidTrail>>,
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

/// What steps along demonstrations count goes down in steps of this factor. What is exactly enough is
/// something else from every place, and each needs a trail and fields of its own: the coarser, the more
/// share one, and the further beyond enough it may be, by which less can be followed where sneaking
/// aside and fighting on the line are nearly as dear.
const STEP_OF_RATES: f64 = 0.8;

impl<G> Default for TrailState<G> {
    fn default() -> TrailState<G> {
        TrailState {
            key: None,
            approaching: Approaching::default(),
            laid: None,
        }
    }
}

impl<G: Ground> SharedTrail<G> {
    /// The trail of what is followed. Steps off it count `inflation` times, and steps along it
    /// once, or less where the way along a demonstration takes more than `inflation` times the
    /// shortest, but less than `reach` times.
    pub(crate) fn new(following: TGraphHeuristic<G>, inflation: f64, reach: f64) -> SharedTrail<G> {
        SharedTrail {
            following,
            inflation,
            reach,
            state: Arc::default(),
            trails: Arc::default(),
        }
    }

    /// The same for another search, which may begin elsewhere.
    pub(crate) fn apart(&self) -> SharedTrail<G> {
        SharedTrail {
            following: self.following.apart(),
            state: Arc::default(),
            ..self.clone()
        }
    }

    /// The same with something else that is followed.
    pub(crate) fn with_following(self, following: TGraphHeuristic<G>) -> SharedTrail<G> {
        SharedTrail::new(following, self.inflation, self.reach)
    }

    /// What is followed.
    pub(crate) fn following(&self) -> &TGraphHeuristic<G> {
        &self.following
    }

    /// The trail; `None` if the budget is spent first.
    pub(crate) fn laid<Q: Game<Ground = G>>(
        &mut self,
        game: &Q,
        budget: &mut Budget<'_>,
    ) -> Option<Arc<LaidTrail>> {
        if !self.following.prepare(game, budget) {
            return None;
        }
        let mut state = open(&self.state);
        let start = game.at(&game.start());
        let level = level_of(game);
        let key = (level, game.aim().clone(), start);
        if state.key.as_ref() != Some(&key) {
            *state = TrailState {
                key: Some(key),
                ..TrailState::default()
            };
        }
        if let Some(laid) = &state.laid {
            return Some(laid.clone());
        }
        if !state.approaching.go_on(&self.following, self.reach, budget) {
            return None;
        }
        let rates = self.rates(game, state.approaching.found());
        let within_reach = state.approaching.within_reach();
        let ground = &**game.ground();
        let shown = self.following.demonstrations();
        let numbers = (rates, within_reach);
        let trail = (self.trails).laid((level, ground), &shown, numbers, budget)?;
        let approaches = std::mem::take(&mut state.approaching).finish();
        let laid = LaidTrail { trail, approaches };
        state.laid = Some(Arc::new(laid));
        state.laid.clone()
    }

    /// As much less for steps along demonstrations as it takes to prefer the longest of those
    /// within reach to the shortest way, rounded down so that neighbours share a trail.
    fn rates<'a, Q: Game<Ground = G>>(
        &self,
        game: &Q,
        approaches: impl Iterator<Item = &'a Approach>,
    ) -> Rates {
        let rates = Rates::with_inflation(self.inflation);
        let start = game.at(&game.start());
        let Some(shortest) = self.following.shortest(start) else {
            return rates;
        };
        let longest = approaches
            .filter(|approach| approach.is_within_reach)
            .map(|approach| approach.seconds)
            .fold(0.0, f64::max);
        // Whoever decides is a step nearer to the goal already if they decide otherwise.
        let diagonal = 2f64.sqrt() * game.ground().spacing();
        let otherwise = shortest - diagonal / game.top_speed();
        if !(otherwise > 0.0 && otherwise.is_finite()) {
            return rates;
        }
        let enough = rates.off * otherwise / (longest * ALLOWANCE);
        let mut along = rates.along;
        while along > enough {
            along *= STEP_OF_RATES;
        }
        Rates { along, ..rates }
    }
}

/// A longer stretch is a mistake of the demonstration; following it would take forever.
const LONGEST: f64 = 1e5;

/// The sample at which a line that is marked ends: the first that is not within half a cell of where
/// it begins, or the last of all. Somebody who is recorded sixty times a second shows no more by that.
fn end_of_stretch(shown: &Demonstration, from: usize) -> usize {
    let begins = shown.samples[from].place;
    let behind = from + 1..shown.samples.len();
    let mut behind = behind
        .skip_while(|sample| begins.distance_to(shown.samples[*sample].place) < BETWEEN_SAMPLES);
    behind.next().unwrap_or(shown.samples.len() - 1)
}

impl Footmarks {
    /// Adds one, unless one that is as good is there.
    fn add(&mut self, mark: Footmark) {
        let marks = &mut self.marks[..self.count];
        let same = |other: &&mut Footmark| {
            mark.is_within_reach == other.is_within_reach
                && mark.x * other.x + mark.y * other.y > SAME_DIRECTION
        };
        if let Some(other) = marks.iter_mut().find(same) {
            if mark.distance < other.distance {
                *other = mark;
            }
        } else if self.count < MOST_AT_A_PLACE {
            self.marks[self.count] = mark;
            self.count += 1;
        } else if let Some(worst) = marks
            .iter_mut()
            .max_by(|a, b| a.distance.total_cmp(&b.distance))
            && mark.distance < worst.distance
        {
            *worst = mark;
        }
    }

    /// How many times a step counts that leads so.
    fn factor(&self, rates: Rates, (x, y): (f64, f64)) -> f64 {
        let length = (x * x + y * y).sqrt();
        let mut factor = rates.off;
        if length > 0.0 {
            for mark in &self.marks[..self.count] {
                let cosine = (x * f64::from(mark.x) + y * f64::from(mark.y)) / length;
                let along = (cosine / ALONG).clamp(0.0, 1.0);
                let rates = rates.of(mark.is_within_reach);
                factor = factor.min(rates.at(f64::from(mark.distance), along));
            }
        }
        factor
    }
}

#[cfg(test)]
mod tests {
    use apprentice_experience::Sample;
    use apprentice_world::{GridMap, Map};

    use super::*;

    fn laid(map: &Map, shown: &Demonstration) -> (Trail, u64) {
        let mut laying = TrailBuilder::new(map, Rates::with_inflation(3.0), vec![true]);
        let mut budget = Budget::unlimited();
        assert!(laying.go_on(map, std::slice::from_ref(shown), &mut budget));
        (laying.finish(), budget.taken())
    }

    /// An hour of somebody who walks to and fro, sixty times a second or at every turn.
    #[test]
    fn an_hour_of_samples_takes_no_longer_than_its_line() {
        let map = Map::Grid(GridMap::from_rows(&[&".".repeat(100); 9]).expect("a map"));
        let at = |second: f64| {
            let along = second * 2.0 % 160.0;
            Place::flat(10.0 + along.min(160.0 - along), 4.0)
        };
        let shown = |moments: &mut dyn Iterator<Item = f64>| Demonstration {
            name: "to and fro".to_owned(),
            samples: moments
                .map(|time| Sample {
                    time,
                    place: at(time),
                    ..Sample::default()
                })
                .collect(),
        };
        let dense = shown(&mut (0..216_000).map(|frame| f64::from(frame) / 60.0));
        let sparse = shown(&mut (0..=90).map(|turn| f64::from(turn) * 40.0));
        let [(dense, units), (sparse, fewest)] = [&dense, &sparse].map(|shown| laid(&map, shown));
        // The line is 7,200 cells long.
        assert!((14_400..15_000).contains(&fewest), "{fewest}");
        assert!(units < 3 * fewest, "{units} instead of {fewest}");
        let second = Cost::from_seconds(1.0);
        for place in 405..480 {
            for to in [place + 1, place - 1, place + 100] {
                let [dense, sparse] = [&dense, &sparse].map(|it| it.price(&map, place, to, second));
                assert_eq!(dense, sparse, "from {place} to {to}");
            }
        }
    }

    /// In the smallest slices it is the same trail.
    #[test]
    fn a_trail_that_is_laid_bit_by_bit_is_the_same() {
        let map = Map::Grid(GridMap::from_rows(&["............"; 12]).expect("a map"));
        let round = (0..500u32).map(|number| {
            let number = f64::from(number);
            Place::flat(5.0 + number % 7.3 * 0.4, 5.0 + number % 5.1 * 0.7)
        });
        let shown = Demonstration::drawn("about", round, 1.0);
        let (whole, units) = laid(&map, &shown);
        let mut laying = TrailBuilder::new(&map, Rates::with_inflation(3.0), vec![true]);
        let mut slices = 1;
        while !laying.go_on(&map, std::slice::from_ref(&shown), &mut Budget::units(1)) {
            slices += 1;
        }
        assert_eq!(slices, units);
        assert_eq!(format!("{:?}", laying.finish()), format!("{whole:?}"));
    }
}
