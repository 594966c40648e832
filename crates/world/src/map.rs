//! Where one can stand: the map itself.

mod direction;
mod drawn_map;
mod grid;
mod ground;
mod ldtk_file;
mod movingai_file;
mod navmesh;
#[cfg(feature = "obj")]
mod obj_file;
mod point;
mod polyanya_file;
mod tiled_file;

use std::fmt;

use apprentice_experience::Place;
use apprentice_game::Pace;
use apprentice_search::Cost;

use crate::digest::Digest;
use crate::world::Footing;

pub use direction::Direction;
pub use drawn_map::{DrawnMap, DrawnObject};
pub use grid::{GridMap, MapError};
pub use navmesh::{Ledge, Link, MeshError, NavMesh, NavMeshParts};
pub use point::{Cell, Point, Spot};

/// The level's geometry.
///
/// ```
/// use apprentice_world::{GridMap, Map, Point};
///
/// let map = Map::Grid(GridMap::from_rows(&["..#.", "...."])?);
/// assert_eq!(map.places(), 8);
/// assert!(!map.is_walkable(2));
/// assert_eq!(map.point_of(5), Point::new(1.0, 1.0));
/// assert_eq!(map.place_at(Point::new(1.2, 0.9)), Some(5));
/// assert_eq!(map.steps_from(5).count(), 4);
/// # Ok::<(), apprentice_world::MapError>(())
/// ```
// A map is made once and then lent: its size doesn't matter.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
pub enum Map {
    /// Square cells, each a wall or free.
    Grid(GridMap),
    /// Convex polygons, walked at any angle.
    Mesh(NavMesh),
}

/// What is wrong with the text of a map file, and where. Lines and columns count from 1.
///
/// ```
/// use apprentice_world::GridMap;
///
/// let error = GridMap::from_movingai("type octile\nheight 2\nwidth x\nmap\n").unwrap_err();
/// assert_eq!(error.line, 3);
/// assert_eq!(error.to_string(), "line 3, column 1: \"width x\" is not a width; write `width` and a number");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapFileError {
    /// The line it was found in.
    pub line: usize,
    /// The column it was found in.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for MapFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.message
        )
    }
}

impl std::error::Error for MapFileError {}

/// A step from one place of a map to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The place at its other end.
    pub place: usize,
    /// How far it is, in cells or metres.
    pub length: f64,
    /// Seconds it takes beyond what its length takes, however fast one is: a fall, a climb.
    pub delay: f64,
}

impl Step {
    /// How long it takes at `speed`.
    #[inline]
    pub fn cost(&self, speed: f64) -> Cost {
        Cost::round_up(self.length / speed + self.delay)
    }

    /// The same step at a pace.
    #[inline]
    fn paced(&self, pace: &Pace, exit: Option<u8>) -> apprentice_game::Step {
        apprentice_game::Step {
            place: self.place,
            cost: pace.cost(self.length, self.delay),
            exit,
        }
    }
}

/// The steps from a place to its eight neighbours.
struct Exits<'m> {
    map: &'m Map,
    place: usize,
    /// The directions that are still to come, a bit each.
    left: u8,
}

impl<'m> Exits<'m> {
    #[inline]
    fn new(map: &'m Map, place: usize) -> Exits<'m> {
        let left = match map {
            Map::Grid(grid) => grid.exits(place),
            Map::Mesh(_) => 0xFF,
        };
        Exits { map, place, left }
    }
}

impl Exits<'_> {
    /// The steps, each with the number of its direction unless it is a fall.
    fn numbered(mut self) -> impl Iterator<Item = (Step, Option<u8>)> {
        std::iter::from_fn(move || {
            let (step, direction) = self.step_on()?;
            let exit = (step.delay == 0.0).then_some(direction as u8);
            Some((step, exit))
        })
    }

    #[inline]
    fn step_on(&mut self) -> Option<(Step, Direction)> {
        while self.left != 0 {
            let direction = Direction::ALL[self.left.trailing_zeros() as usize];
            self.left &= self.left - 1;
            let step = self.map.follow(self.place, Move::Step(direction));
            if let Some(step) = step {
                return Some((step, direction));
            }
        }
        None
    }
}

impl Iterator for Exits<'_> {
    type Item = Step;

    #[inline]
    fn next(&mut self) -> Option<Step> {
        self.step_on().map(|(step, _)| step)
    }
}

/// One way to leave a place, or to spend time in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Move {
    /// To a neighbour.
    Step(Direction),
    /// Along one of the links that begin here.
    Leap(u8),
    /// Pulls the levers within reach.
    Use,
}

/// Seconds it takes to pull a lever on a navmesh. On grids they are pulled in passing.
pub(crate) const USE_TIME: f64 = 1.0;

/// Heights farther apart than this belong to different floors: nobody stands upright between them.
pub(crate) const STOREY: f64 = 1.5;

/// A point off the map belongs to the nearest of its places within this distance.
pub(crate) const REACH_OFF_THE_MAP: f64 = 5.0;

impl Map {
    /// A number no place has.
    ///
    /// ```
    /// # use apprentice_world::{GridMap, Map};
    /// let map = Map::Grid(GridMap::from_rows(&["..."])?);
    /// assert!(!map.is_walkable(Map::NO_PLACE));
    /// # Ok::<(), apprentice_world::MapError>(())
    /// ```
    pub const NO_PLACE: usize = u32::MAX as usize;

    /// How many places there are to be in, numbered from 0: the cells of a grid, walls included, or
    /// the footholds of a navmesh.
    #[inline]
    pub fn places(&self) -> usize {
        match self {
            Map::Grid(grid) => grid.len(),
            Map::Mesh(mesh) => mesh.footholds.len(),
        }
    }

    /// Whether one can stand there; false for walls, and for numbers no place has.
    #[inline]
    pub fn is_walkable(&self, place: usize) -> bool {
        match self {
            Map::Grid(grid) => grid.is_free_index(place),
            Map::Mesh(mesh) => place < mesh.footholds.len(),
        }
    }

    /// Where a place is.
    ///
    /// # Panics
    ///
    /// If there is no such place.
    #[inline]
    pub fn point_of(&self, place: usize) -> Point {
        match self {
            Map::Grid(grid) => grid.cell(place).center(),
            Map::Mesh(mesh) => mesh.footholds.point_of(place),
        }
    }

    /// The walkable place nearest to a point, if there is one within five cells or metres; the
    /// first of them among equals.
    pub fn place_at(&self, point: Point) -> Option<usize> {
        if let Map::Grid(grid) = self
            && let Some(cell) = grid.cell_at(point).filter(|cell| grid.is_free(*cell))
        {
            return Some(grid.index(cell));
        }
        self.nearest_places::<1>(point)[0].map(|(_, place)| place)
    }

    /// The same, but on the floor of this height, if one is given; `None` if there is no such floor.
    ///
    /// ```
    /// use apprentice_world::{Map, NavMeshParts, Point};
    ///
    /// // A bridge three metres above a floor.
    /// let mesh = NavMeshParts {
    ///     vertices: vec![
    ///         [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0],
    ///         [1.0, 0.0, 3.0], [2.0, 0.0, 3.0], [2.0, 4.0, 3.0], [1.0, 4.0, 3.0],
    ///     ],
    ///     polygons: vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]],
    ///     ..NavMeshParts::default()
    /// };
    /// let map = Map::Mesh(mesh.build()?);
    /// let on = |height| map.place_on_floor(Point::new(1.5, 2.0), height);
    /// assert_eq!(on(Some(3.0)).map(|place| map.height_of(place)), Some(3.0));
    /// assert_eq!(on(Some(0.0)).map(|place| map.height_of(place)), Some(0.0));
    /// assert_eq!(on(Some(9.0)), None);
    /// # Ok::<(), apprentice_world::MeshError>(())
    /// ```
    pub fn place_on_floor(&self, point: Point, height: Option<f64>) -> Option<usize> {
        let Some(height) = height else {
            return self.place_at(point);
        };
        let mut nearest: Option<(f64, usize)> = None;
        self.for_each_within(point, REACH_OFF_THE_MAP, |place, distance| {
            let is_nearer = nearest.is_none_or(|(least, _)| distance < least);
            if is_nearer && is_same_floor(self.height_of(place), height) {
                nearest = Some((distance, place));
            }
        });
        nearest.map(|(_, place)| place)
    }

    /// The walkable places nearest to a point within five cells or metres, with their distances;
    /// nearest first, and the one with the smaller number first among equals.
    ///
    /// Where a height is given, only those on its floor, and their distances are as the crow flies.
    ///
    /// ```
    /// use apprentice_world::{Map, NavMeshParts, Point, Spot};
    ///
    /// // A bridge three metres above a floor.
    /// let mesh = NavMeshParts {
    ///     vertices: vec![
    ///         [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0],
    ///         [1.0, 0.0, 3.0], [2.0, 0.0, 3.0], [2.0, 4.0, 3.0], [1.0, 4.0, 3.0],
    ///     ],
    ///     polygons: vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]],
    ///     ..NavMeshParts::default()
    /// };
    /// let map = Map::Mesh(mesh.build()?);
    /// let middle = Point::new(1.5, 2.0);
    /// let heights = |found: [Option<(f64, usize)>; 2]| found.map(|it| map.height_of(it.unwrap().1));
    /// assert_eq!(heights(map.nearest_places(middle)), [0.0, 3.0]);
    /// let above = Spot { height: Some(3.0), ..middle.into() };
    /// assert_eq!(heights(map.nearest_places(above)), [3.0, 3.0]);
    /// # Ok::<(), apprentice_world::MeshError>(())
    /// ```
    pub fn nearest_places<const N: usize>(
        &self,
        spot: impl Into<Spot>,
    ) -> [Option<(f64, usize)>; N] {
        self.nearest_places_within(spot.into(), REACH_OFF_THE_MAP)
    }

    fn nearest_places_within<const N: usize>(
        &self,
        spot: Spot,
        radius: f64,
    ) -> [Option<(f64, usize)>; N] {
        let mut nearest = [None; N];
        self.for_each_within(spot.point(), radius, |place, distance| {
            let Some(distance) = spot.distance_on_floor(distance, self.height_of(place)) else {
                return;
            };
            let is_nearer =
                |other: &Option<(f64, usize)>| other.is_none_or(|(other, _)| distance < other);
            if let Some(rank) = nearest.iter().position(is_nearer) {
                nearest[rank..].rotate_right(1);
                nearest[rank] = Some((distance, place));
            }
        });
        nearest
    }

    /// The walkable places at most `radius` from a point, in the order of their numbers.
    pub fn places_within(&self, at: Point, radius: f64) -> Vec<usize> {
        let mut places = Vec::new();
        self.for_each_within(at, radius, |place, _| places.push(place));
        places
    }

    /// The same, but only those on the floor of this height, if one is given.
    ///
    /// ```
    /// use apprentice_world::{Map, NavMeshParts, Point};
    ///
    /// // A bridge three metres above a floor.
    /// let mesh = NavMeshParts {
    ///     vertices: vec![
    ///         [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0],
    ///         [1.0, 0.0, 3.0], [2.0, 0.0, 3.0], [2.0, 4.0, 3.0], [1.0, 4.0, 3.0],
    ///     ],
    ///     polygons: vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]],
    ///     ..NavMeshParts::default()
    /// };
    /// let map = Map::Mesh(mesh.build()?);
    /// let middle = Point::new(1.5, 2.0);
    /// assert_eq!(map.places_within(middle, 0.1).len(), 2);
    /// assert_eq!(map.places_on_floor(middle, Some(3.0), 0.1).len(), 1);
    /// # Ok::<(), apprentice_world::MeshError>(())
    /// ```
    pub fn places_on_floor(&self, at: Point, height: Option<f64>, radius: f64) -> Vec<usize> {
        let mut places = self.places_within(at, radius);
        if let Some(height) = height {
            places.retain(|place| is_same_floor(self.height_of(*place), height));
        }
        places
    }

    /// The walkable places at most `radius` from a line through some spots, or exactly these spots
    /// if there is no radius.
    pub(crate) fn places_along(&self, spots: &[(Point, u32)], radius: f64) -> Vec<usize> {
        if radius <= 0.0 {
            return spots.iter().map(|(_, place)| *place as usize).collect();
        }
        let mut places = std::collections::BTreeSet::new();
        for pair in [spots, &spots[spots.len() - 1..]].concat().windows(2) {
            let ((from, near), (to, _)) = (pair[0], pair[1]);
            let reach = radius + from.distance_to(to);
            for place in self.places_within(from, reach) {
                let is_level = is_same_floor(self.height_of(place), self.height_of(near as usize));
                let at = self.point_of(place);
                if is_level && at.distance_to_line(from, to) <= radius {
                    places.insert(place);
                }
            }
        }
        places.into_iter().collect()
    }

    fn for_each_within(&self, at: Point, radius: f64, mut visit: impl FnMut(usize, f64)) {
        match self {
            Map::Grid(grid) => {
                for cell in grid.cells_within(at, radius) {
                    visit(grid.index(cell), cell.center().distance_to(at));
                }
            }
            Map::Mesh(mesh) => mesh.footholds.for_each_within(at, radius, visit),
        }
    }

    /// Every step that walls allow from a place.
    #[inline]
    pub fn steps_from(&self, place: usize) -> impl Iterator<Item = Step> + '_ {
        let exits = Exits::new(self, place);
        let leaps = match self {
            Map::Grid(_) => 0,
            Map::Mesh(_) => NavMesh::MOST_LEAPS as u8,
        };
        exits.chain((0..leaps).map_while(move |number| self.follow(place, Move::Leap(number))))
    }

    /// Every step that leads to a place, each with the place it comes from.
    #[inline]
    pub fn steps_to(&self, place: usize) -> impl Iterator<Item = Step> + '_ {
        // Most steps lead both ways. Those that don't take longer, and are kept apart.
        let exits = Exits::new(self, place);
        let one_way = match self {
            Map::Grid(_) => None,
            Map::Mesh(mesh) => Some(mesh.footholds.arrivals(place)),
        };
        exits
            .filter(|step| step.delay == 0.0)
            .chain(one_way.into_iter().flatten())
    }

    /// The steps on which one neither falls nor leaps, which are those enemies take: their
    /// directions, and the places they lead to.
    ///
    /// ```
    /// # use apprentice_world::{Direction, GridMap, Map};
    /// let map = Map::Grid(GridMap::from_rows(&["..", ".#"])?);
    /// let steps: Vec<_> = map.level_steps(0).collect();
    /// assert_eq!(steps, [(Direction::East, 1), (Direction::South, 2)]);
    /// # Ok::<(), apprentice_world::MapError>(())
    /// ```
    pub fn level_steps(&self, place: usize) -> impl Iterator<Item = (Direction, usize)> + '_ {
        Direction::ALL.into_iter().filter_map(move |direction| {
            let step = self.follow(place, Move::Step(direction));
            let step = step.filter(|step| step.delay == 0.0)?;
            Some((direction, step.place))
        })
    }

    /// Where a move leads, as far as walls are concerned.
    #[inline]
    pub(crate) fn follow(&self, place: usize, action: Move) -> Option<Step> {
        match (action, self) {
            (Move::Step(direction), Map::Grid(_)) => Some(Step {
                place: self.step(place, direction)?,
                length: direction.length(),
                delay: 0.0,
            }),
            (Move::Step(direction), Map::Mesh(mesh)) => mesh.footholds.measured(place, direction),
            (Move::Leap(_), Map::Grid(_)) => None,
            (Move::Leap(number), Map::Mesh(mesh)) => mesh.footholds.leap(place, number),
            (Move::Use, _) => Some(Step {
                place,
                length: 0.0,
                delay: USE_TIME,
            }),
        }
    }

    /// Where a step in this direction leads, as far as walls are concerned.
    #[inline]
    pub(crate) fn step(&self, place: usize, direction: Direction) -> Option<usize> {
        match self {
            Map::Grid(grid) => (grid.exits(place) >> direction as u8 & 1 == 1)
                .then(|| grid.beside(place, direction)),
            Map::Mesh(mesh) => mesh.footholds.step(place, direction),
        }
    }

    /// The places beside a diagonal step, which must be open too: nobody cuts corners.
    #[inline]
    pub(crate) fn corners(&self, place: usize, direction: Direction) -> [Option<usize>; 2] {
        match self {
            Map::Grid(grid) if direction.is_diagonal() => [direction.left(), direction.right()]
                .map(|direction| Some(grid.beside(place, direction))),
            _ => [None; 2],
        }
    }

    /// The distance between a place and its nearest neighbours.
    #[inline]
    pub const fn spacing(&self) -> f64 {
        match self {
            Map::Grid(_) => 1.0,
            Map::Mesh(mesh) => mesh.footholds.spacing(),
        }
    }

    /// How far somebody can be from a thing to pick it up: on grids one walks over it.
    pub(crate) const fn reach_of_hands(&self) -> f64 {
        match self {
            Map::Grid(_) => 0.0,
            Map::Mesh(_) => 1.0,
        }
    }

    /// The places next to one, whether or not walls are between them.
    pub(crate) fn places_beside(&self, place: usize) -> Vec<usize> {
        match self {
            Map::Grid(grid) => {
                let cell = grid.cell(place);
                let beside = Direction::ALL.into_iter();
                let beside = beside.filter_map(|direction| cell.neighbor(direction));
                let beside = beside.filter(|near| grid.contains(*near));
                beside.map(|near| grid.index(near)).collect()
            }
            // Leaps, too, may begin beside a door that is beyond a wall.
            Map::Mesh(_) => self.steps_to(place).map(|step| step.place).collect(),
        }
    }

    /// A number that tells this map from others; part of the digest of a scenario, and as lasting.
    pub(crate) fn digest(&self) -> u64 {
        let mut digest = Digest::new();
        match self {
            Map::Grid(grid) => {
                digest.number(0);
                grid.rows().for_each(|row| digest.text(&row));
            }
            Map::Mesh(mesh) => {
                digest.number(1);
                mesh.for_each_number(|number| digest.real(number));
            }
        }
        digest.value()
    }

    /// The map as a grid, if it is one.
    #[inline]
    pub const fn grid(&self) -> Option<&GridMap> {
        match self {
            Map::Grid(grid) => Some(grid),
            Map::Mesh(_) => None,
        }
    }

    /// The map as a navmesh, if it is one.
    #[inline]
    pub const fn mesh(&self) -> Option<&NavMesh> {
        match self {
            Map::Grid(_) => None,
            Map::Mesh(mesh) => Some(mesh),
        }
    }

    /// How high a place lies, in metres; all cells of a grid lie at 0.
    #[inline]
    pub fn height_of(&self, place: usize) -> f64 {
        match self {
            Map::Grid(_) => 0.0,
            Map::Mesh(mesh) => mesh.height_of(place),
        }
    }

    /// Where a place is, and on a navmesh how high.
    #[inline]
    pub fn spot_of(&self, place: usize) -> Spot {
        Spot {
            height: self.mesh().map(|mesh| mesh.height_of(place)),
            ..self.point_of(place).into()
        }
    }

    /// How high the floor is at a spot: the one nearest to its height, or else the lowest. `None` off
    /// the map, and in the rock of a mesh; a grid is as high in its walls as everywhere, 0, because
    /// a line through them is still on its one floor.
    ///
    /// ```
    /// use apprentice_world::{Point, Scenario};
    ///
    /// let text = "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['.#'] }";
    /// let scenario = Scenario::parse(text)?;
    /// let floor_at = |x: f64| scenario.map().floor_at(Point::new(x, 0.0).into());
    /// assert_eq!([floor_at(0.0), floor_at(1.0), floor_at(2.0)], [Some(0.0), Some(0.0), None]);
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    pub fn floor_at(&self, spot: Spot) -> Option<f64> {
        match self {
            Map::Grid(grid) => grid.cell_at(spot.point()).map(|_| 0.0),
            Map::Mesh(mesh) => {
                // The height says which floor, and the nearest place of it how high that is here.
                let floor = mesh.footholds.near(spot)?;
                let place = self.place_on_floor(spot.point(), Some(mesh.height_of(floor)))?;
                let under = mesh.height_under((spot.point(), place));
                Some(under.unwrap_or_else(|| mesh.height_of(place)))
            }
        }
    }

    /// A spot of the map where something was shown: on a flat map heights mean nothing.
    pub fn spot_at(&self, place: Place) -> Spot {
        Spot {
            x: place.x,
            y: place.y,
            height: (!self.is_flat()).then_some(place.z),
        }
    }

    /// Whether all its places are as high as each other.
    pub const fn is_flat(&self) -> bool {
        match self {
            Map::Grid(_) => true,
            Map::Mesh(mesh) => mesh.is_flat(),
        }
    }

    /// The greatest speed through space of anybody who goes at `speed` over the ground: up a ramp
    /// the way is longer than it looks from above, and a fall is faster than any walk. So nobody
    /// comes from one place to another, as the crow flies, any faster.
    pub fn speed_through_space(&self, speed: f64) -> f64 {
        match self {
            Map::Grid(_) => speed,
            Map::Mesh(mesh) => mesh.footholds.speed_through_space(speed),
        }
    }

    /// How far two points are from each other, as the crow flies from one place's height to the
    /// other's.
    #[inline]
    pub(crate) fn apart(&self, (a, at_a): Footing, (b, at_b): Footing) -> f64 {
        let distance = a.distance_to(b);
        let Map::Mesh(mesh) = self else {
            return distance;
        };
        let high = mesh.height_of(at_a) - mesh.height_of(at_b);
        (distance * distance + high * high).sqrt()
    }

    /// Whether two points are [`apart`](Map::apart) by at most this distance, which is not negative:
    /// to the last bit, but mostly without a square root.
    #[inline]
    pub(crate) fn is_within(&self, a: Footing, b: Footing, distance: f64) -> bool {
        let (x, y) = (b.0.x - a.0.x, b.0.y - a.0.y);
        let high = match self {
            Map::Grid(_) => 0.0,
            Map::Mesh(mesh) => mesh.height_of(a.1) - mesh.height_of(b.1),
        };
        let (square, most) = (x * x + y * y + high * high, distance * distance);
        // Rounding changes neither by a millionth.
        if (square - most).abs() > most * 1e-6 {
            return square < most;
        }
        self.apart(a, b) <= distance
    }

    /// Whether a point is on the map; walls, and the rock between the parts of a mesh, are.
    pub fn is_on(&self, point: Point) -> bool {
        match self {
            Map::Grid(grid) => grid.cell_at(point).is_some(),
            Map::Mesh(mesh) => {
                let (first, last) = mesh.bounds();
                (first.x..=last.x).contains(&point.x) && (first.y..=last.y).contains(&point.y)
            }
        }
    }

    /// The least and the greatest coordinates of its places.
    pub fn bounds(&self) -> (Point, Point) {
        match self {
            Map::Grid(grid) => (
                Point::new(0.0, 0.0),
                Point::new(f64::from(grid.width() - 1), f64::from(grid.height() - 1)),
            ),
            Map::Mesh(mesh) => mesh.bounds(),
        }
    }
}

/// The largest whole number that is not larger, for coordinates: where the processor has no
/// instruction for it, `floor` is a call.
#[inline]
pub(crate) fn whole(coordinate: f64) -> f64 {
    let whole = coordinate as i64 as f64;
    if whole > coordinate {
        whole - 1.0
    } else {
        whole
    }
}

/// Whether somebody at one height is on the same floor as something at the other.
#[inline]
pub(crate) fn is_same_floor(height: f64, other: f64) -> bool {
    (height - other).abs() <= STOREY
}
