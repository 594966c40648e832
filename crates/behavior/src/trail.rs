//! Which steps over a map follow a demonstration.

use apprentice_experience::{Demonstration, Place, distance_to_line};
use apprentice_search::{Budget, Cost};
use apprentice_world::{Map, Point};

use crate::ground::place_of;

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
    inflation: f64,
    /// For each place, where in `footmarks` its own are.
    first: Vec<u32>,
    footmarks: Vec<Footmark>,
}

/// A demonstration passes by a place.
#[derive(Clone, Copy, Debug)]
struct Footmark {
    /// At this distance from its line.
    distance: f32,
    /// In this direction, of length one.
    x: f32,
    y: f32,
}

/// Whoever is nearer than this is on the trail, in cells or metres.
const NEAR: f64 = 1.0;
/// Whoever is this far is off it.
const FAR: f64 = 7.0;
/// The part of the credit that goes to whoever is on the line itself rather than beside it. It
/// grows with the square of the distance, so that half a cell beside an oblique line, which
/// nobody can help on a grid, costs next to nothing, and a whole one as much as it should.
const ON_THE_LINE: f64 = 0.35;
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
        let mut laying = Laying::new(map, inflation);
        laying.go_on(map, demonstrations, &mut Budget::unlimited());
        laying.finish()
    }

    /// What a step that costs `cost` counts.
    pub fn price(&self, map: &Map, from: usize, to: usize, cost: Cost) -> Cost {
        let (start, end) = (map.point_of(from), map.point_of(to));
        let (x, y) = (end.x - start.x, end.y - start.y);
        let length = (x * x + y * y).sqrt();
        let range = self.first[from] as usize..self.first[from + 1] as usize;
        let mut best: f64 = 0.0;
        if length > 0.0 {
            for mark in &self.footmarks[range] {
                let cosine = (x * f64::from(mark.x) + y * f64::from(mark.y)) / length;
                let along = (cosine / ALONG).clamp(0.0, 1.0);
                best = best.max(mark.nearness() * along);
            }
        }
        let factor = self.inflation - (self.inflation - 1.0) * best;
        Cost::round_up(cost.as_seconds() * factor)
    }
}

/// A trail that is being laid, a little at a time.
#[derive(Clone, Debug)]
pub(crate) struct Laying {
    inflation: f64,
    marks: Vec<Vec<Footmark>>,
    /// The demonstration, its sample and the point behind it that come next.
    next: (usize, usize, u32),
}

impl Laying {
    pub(crate) fn new(map: &Map, inflation: f64) -> Laying {
        Laying {
            inflation: inflation.max(1.0),
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
                    let part = f64::from(self.next.2) / f64::from(count);
                    let at = Point::new(from.x + x * part, from.y + y * part);
                    self.mark(map, at, (from, to), (x / length, y / length));
                    self.next.2 += 1;
                }
                self.next = (self.next.0, self.next.1 + 1, 0);
            }
            self.next = (self.next.0 + 1, 0, 0);
        }
        true
    }

    /// Marks the places around a point of a line.
    fn mark(&mut self, map: &Map, at: Point, (from, to): (Place, Place), (x, y): (f64, f64)) {
        for place in map.places_within(at, FAR) {
            let mark = Footmark {
                distance: distance_to_line(place_of(map.point_of(place)), from, to) as f32,
                x: x as f32,
                y: y as f32,
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
            inflation: self.inflation,
            first,
            footmarks,
        }
    }
}

/// A longer stretch is a mistake of the demonstration; following it would take forever.
const LONGEST: f64 = 1e5;

impl Footmark {
    /// How much a place has of the demonstration: 1 on its line, 0 far from it.
    fn nearness(&self) -> f64 {
        let distance = f64::from(self.distance);
        let beside = (distance / NEAR).min(1.0);
        let far = ((FAR - distance) / (FAR - NEAR)).clamp(0.0, 1.0);
        // Steep, or a small room would be near everywhere, and its corners cut.
        (1.0 - ON_THE_LINE * beside * beside) * far * far * far
    }

    /// Adds itself to those of a place, unless one that is as good is there.
    fn join(self, marks: &mut Vec<Footmark>) {
        let same = |other: &&mut Footmark| self.x * other.x + self.y * other.y > SAME_DIRECTION;
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
