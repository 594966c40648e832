//! How long it takes at least from anywhere on a map to the nearest of some places, and the way
//! there.

use apprentice_search::{Budget, Cost};

use super::sweep::{ByTime, Sweep};
use crate::{Map, Spot, Step};

/// The cost of the shortest way from every place to the nearest target, by one sweep of Dijkstra's
/// algorithm from the targets backwards. Walls count; doors, enemies and everything else that
/// changes doesn't.
///
/// ```
/// use apprentice_search::{Budget, Cost};
/// use apprentice_world::{DistanceField, GridMap, Map, Point};
///
/// let map = Map::Grid(GridMap::from_rows(&["...", ".#.", "..."])?);
/// let (west, east) = (Point::new(0.0, 1.0), Point::new(2.0, 1.0));
/// let mut field = DistanceField::to(&map, map.place_at(east), 1.0);
/// assert!(field.sweep(&map, &mut Budget::unlimited()));
/// assert_eq!(field.from(&map, west), 4.0);
/// assert_eq!(field.way(&map, west).len(), 5);
/// # Ok::<(), apprentice_world::MapError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DistanceField {
    sweep: Sweep,
    speed: f64,
    target: Option<Spot>,
}

/// The cost of the shortest way to every place from the nearest of some: the same the other way
/// round. Ways need not lead back, so it is another field.
///
/// ```
/// use apprentice_search::{Budget, Cost};
/// use apprentice_world::{GridMap, Map, OutwardField, Point};
///
/// let map = Map::Grid(GridMap::from_rows(&["...", ".#.", "..."])?);
/// let mut field = OutwardField::from([(3, 0.0)], 1.0);
/// assert!(field.sweep(&map, &mut Budget::unlimited()));
/// assert_eq!(field.at(5), Cost::from_seconds(4.0));
/// assert_eq!(field.way(&map, 5), [3, 0, 1, 2, 5]);
/// # Ok::<(), apprentice_world::MapError>(())
/// ```
#[derive(Clone, Debug)]
pub struct OutwardField {
    sweep: Sweep,
    speed: f64,
}

impl OutwardField {
    /// Begins a field from these places, each after so many seconds, at `speed` cells or metres a
    /// second. Nothing is known before the [`sweep`](OutwardField::sweep).
    pub fn from(places: impl IntoIterator<Item = (usize, f64)>, speed: f64) -> Self {
        let places = places.into_iter();
        let sweep = Sweep::from(places.map(|(place, seconds)| (place, Cost::round_up(seconds))));
        OutwardField { sweep, speed }
    }

    /// Goes on with the sweep; one unit of budget for each place. False: the budget is spent, call
    /// again.
    pub fn sweep(&mut self, map: &Map, budget: &mut Budget<'_>) -> bool {
        self.sweep.go_on(map, self.speed, &ByTime, budget)
    }

    /// The cost to a place; infinite to walls and to where no way leads.
    #[inline]
    pub fn at(&self, place: usize) -> Cost {
        self.sweep.at(place)
    }

    /// The places of the shortest way to one, both ends included; the one by the first of them among
    /// equals. Empty if no way leads there.
    pub fn way(&self, map: &Map, to: usize) -> Vec<usize> {
        if !self.at(to).is_finite() {
            return Vec::new();
        }
        let mut way = vec![to];
        let mut place = to;
        let before = |place: usize| {
            let reached = |step: &Step| self.at(step.place) + step.cost(self.speed);
            let mut steps = map.steps_to(place);
            // A way that takes no time leads nowhere.
            let is_earlier = |step: &Step| self.at(step.place) < self.at(place);
            steps.find(|step| is_earlier(step) && reached(step) == self.at(place))
        };
        while let Some(step) = before(place) {
            place = step.place;
            way.push(place);
        }
        way.reverse();
        way
    }
}

/// How many places near a point off the map are tried.
const PLACES_TRIED: usize = 4;

impl DistanceField {
    /// Begins a field for these targets at `speed` cells or metres a second. Nothing is known
    /// before the [`sweep`](DistanceField::sweep). Targets where nobody can stand are left out.
    pub fn to(map: &Map, targets: impl IntoIterator<Item = usize>, speed: f64) -> Self {
        let mut last = None;
        let targets = targets.into_iter().inspect(|target| {
            if map.is_walkable(*target) {
                last = Some(*target);
            }
        });
        let sweep = Sweep::to(targets.map(|target| (target, Cost::ZERO)));
        DistanceField {
            sweep,
            speed,
            target: last.map(|target| map.spot_of(target)),
        }
    }

    /// Goes on with the sweep; one unit of budget for each place. False: the budget is spent, call
    /// again.
    pub fn sweep(&mut self, map: &Map, budget: &mut Budget<'_>) -> bool {
        self.sweep.go_on(map, self.speed, &ByTime, budget)
    }

    /// The cost from a place to the nearest target; infinite from walls and from where no way leads.
    #[inline]
    pub fn at(&self, place: usize) -> Cost {
        self.sweep.at(place)
    }

    /// The seconds from any point, also off the map or inside a wall: by way of the best of the
    /// four nearest places within five cells or metres, on the floor that is meant if one is; as the
    /// crow flies if there is none.
    ///
    /// ```
    /// # use apprentice_search::Budget;
    /// # use apprentice_world::{DistanceField, GridMap, Map, Point};
    /// let map = Map::Grid(GridMap::from_rows(&["..."])?);
    /// let mut field = DistanceField::to(&map, [2], 1.0);
    /// field.sweep(&map, &mut Budget::unlimited());
    /// assert_eq!(field.from(&map, Point::new(2.0, -3.0)), 3.0); // north of the map
    /// assert_eq!(field.from(&map, Point::new(2.0, -9.0)), 9.0); // too far from any cell
    /// # Ok::<(), apprentice_world::MapError>(())
    /// ```
    pub fn from(&self, map: &Map, from: impl Into<Spot>) -> f64 {
        let from = from.into();
        match (self.entrance(map, from), self.target) {
            (Some((seconds, _)), _) => seconds,
            (None, Some(target)) => from.distance_to(target) / self.speed,
            (None, None) => f64::INFINITY,
        }
    }

    /// The shortest way from a point to the nearest target, from place to place; it begins with
    /// the point itself if that is no place. Empty if no way leads there.
    pub fn way(&self, map: &Map, from: impl Into<Spot>) -> Vec<Spot> {
        let from = from.into();
        let Some((seconds, mut place)) = self.entrance(map, from) else {
            return Vec::new();
        };
        if !seconds.is_finite() {
            return Vec::new();
        }
        let mut way = vec![from];
        if map.point_of(place) != from.point() {
            way.push(map.spot_of(place));
        }
        while self.at(place) > Cost::ZERO {
            let Some(next) = self.next(map, place) else {
                return Vec::new();
            };
            place = next;
            way.push(map.spot_of(place));
        }
        way
    }

    /// The place after this one on the shortest way; the first of them among equals. `None` at a
    /// target, and where no way leads on.
    pub fn next(&self, map: &Map, place: usize) -> Option<usize> {
        let here = self.at(place);
        if here == Cost::ZERO || !here.is_finite() {
            return None;
        }
        let onward = |step: &Step| self.at(step.place) + step.cost(self.speed);
        let best = map.steps_from(place).min_by_key(onward)?;
        self.at(best.place).is_finite().then_some(best.place)
    }

    /// The seconds from a point and the place at which it enters the map.
    fn entrance(&self, map: &Map, from: Spot) -> Option<(f64, usize)> {
        let nearest = map.nearest_places::<PLACES_TRIED>(from);
        if let Some((0.0, place)) = nearest[0] {
            return Some((self.at(place).as_seconds(), place));
        }
        let mut best: Option<(f64, usize)> = None;
        for (distance, place) in nearest.into_iter().flatten() {
            let seconds = distance / self.speed + self.at(place).as_seconds();
            if best.is_none_or(|(least, _)| seconds < least) {
                best = Some((seconds, place));
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GridMap, Point};

    fn map(rows: &[&str]) -> Map {
        Map::Grid(GridMap::from_rows(rows).unwrap())
    }

    #[test]
    fn a_sweep_in_slices_is_the_same_sweep() {
        let map = map(&[".....", ".###.", "...#.", "..#.."]);
        let target = [19];
        let mut whole = DistanceField::to(&map, target, 1.0);
        assert!(whole.sweep(&map, &mut Budget::unlimited()));
        let mut sliced = DistanceField::to(&map, target, 1.0);
        let mut slices = 0;
        while !sliced.sweep(&map, &mut Budget::expansions(3)) {
            slices += 1;
        }
        assert!(slices >= 4);
        assert!((0..20).all(|place| whole.at(place) == sliced.at(place)));
    }

    #[test]
    fn outwards_is_the_same_the_other_way_round() {
        // On a mesh there are ways that don't lead back: over a ledge, and from a bridge.
        let mesh = crate::NavMeshParts {
            vertices: vec![
                [0.0, 0.0, 0.0],
                [6.0, 0.0, 0.0],
                [6.0, 4.0, 0.0],
                [0.0, 4.0, 0.0],
                [2.0, 1.0, 2.0],
                [4.0, 1.0, 2.0],
                [4.0, 3.0, 2.0],
                [2.0, 3.0, 2.0],
            ],
            polygons: vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]],
            ledges: vec![crate::Ledge {
                from: crate::Point::new(5.0, 0.0),
                to: crate::Point::new(5.0, 4.0),
                height: 1.0,
            }],
            highest_fall: 3.0,
            ..crate::NavMeshParts::default()
        };
        let grid = map(&[".....", ".###.", "...#.", "..#.."]);
        for map in [grid, Map::Mesh(mesh.build().unwrap())] {
            for from in 0..map.places() {
                let mut outward = OutwardField::from([(from, 0.0)], 2.0);
                let mut slices = 0;
                while !outward.sweep(&map, &mut Budget::expansions(3)) {
                    slices += 1;
                }
                assert!(slices > 1 || !map.is_walkable(from));
                for to in (0..map.places()).step_by(3) {
                    let mut inward = DistanceField::to(&map, [to], 2.0);
                    inward.sweep(&map, &mut Budget::unlimited());
                    assert_eq!(outward.at(to), inward.at(from), "{from} to {to}");
                    let way = outward.way(&map, to);
                    let mut cost = Cost::ZERO;
                    for pair in way.windows(2) {
                        let steps = map.steps_from(pair[0]);
                        let steps = steps.filter(|step| step.place == pair[1]);
                        cost = cost + steps.map(|step| step.cost(2.0)).min().unwrap();
                    }
                    assert_eq!(way.is_empty(), !outward.at(to).is_finite());
                    assert!(way.is_empty() || (way[0], cost) == (from, outward.at(to)));
                }
            }
        }
    }

    #[test]
    fn no_way_is_infinite() {
        let map = map(&[".#."]);
        let mut field = DistanceField::to(&map, [2], 1.0);
        field.sweep(&map, &mut Budget::unlimited());
        assert_eq!(field.at(0), Cost::INFINITE);
        assert_eq!(field.at(77), Cost::INFINITE);
        assert!(field.way(&map, Point::new(0.0, 0.0)).is_empty());
    }

    #[test]
    fn the_way_costs_what_the_field_says() {
        let map = map(&[".....", ".###.", "...#.", "..#.."]);
        let mut field = DistanceField::to(&map, [19], 1.0);
        field.sweep(&map, &mut Budget::unlimited());
        for place in (0..20).filter(|place| map.is_walkable(*place)) {
            let way = field.way(&map, map.point_of(place));
            let length: f64 = way
                .windows(2)
                .map(|pair| pair[0].distance_to(pair[1]))
                .sum();
            assert!(
                (length - field.at(place).as_seconds()).abs() < 1e-6,
                "{place}"
            );
        }
    }
}
