//! Points, spots on a floor, and cells.

use std::fmt;

use super::{Direction, is_same_floor};

/// A place in the world: x to the east, y to the south. On grids cell centres have whole numbers.
///
/// ```
/// use apprentice_world::Point;
///
/// assert_eq!(Point::new(0.0, 0.0).distance_to(Point::new(3.0, 4.0)), 5.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Point {
    /// To the east.
    #[cfg_attr(feature = "serde", serde(with = "apprentice_search::saved::real"))]
    pub x: f64,
    /// To the south.
    #[cfg_attr(feature = "serde", serde(with = "apprentice_search::saved::real"))]
    pub y: f64,
}

/// A point of the map and, where floors lie above each other, how high the one is that is meant.
///
/// ```
/// use apprentice_world::{Point, Spot};
///
/// let anywhere = Spot::from(Point::new(14.0, 4.0));
/// assert_eq!(anywhere.height, None);
/// let bridge = Spot { height: Some(3.0), ..anywhere };
/// assert_eq!(bridge.to_string(), "(14, 4, 3)");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spot {
    /// To the east.
    pub x: f64,
    /// To the south.
    pub y: f64,
    /// Upwards; `None` if no floor in particular is meant.
    pub height: Option<f64>,
}

impl Spot {
    /// Where it is, seen from above.
    #[inline]
    pub const fn point(self) -> Point {
        Point::new(self.x, self.y)
    }

    /// How far it is to another as the crow flies; as it looks from above if no floor is meant.
    pub fn distance_to(self, other: Spot) -> f64 {
        let distance = self.point().distance_to(other.point());
        match (self.height, other.height) {
            (Some(one), Some(two)) => (distance * distance + (one - two) * (one - two)).sqrt(),
            _ => distance,
        }
    }

    /// Whether somebody at this height is on the floor that is meant.
    #[inline]
    pub fn is_on_floor(self, height: f64) -> bool {
        self.height.is_none_or(|own| is_same_floor(height, own))
    }

    /// How far something is that is so far seen from above and so high, if it is on the same floor.
    #[inline]
    pub(super) fn distance_on_floor(self, distance: f64, height: f64) -> Option<f64> {
        let high = height - self.height.unwrap_or(height);
        self.is_on_floor(height)
            .then(|| (distance * distance + high * high).sqrt())
    }
}

impl From<Point> for Spot {
    fn from(point: Point) -> Spot {
        Spot {
            x: point.x,
            y: point.y,
            height: None,
        }
    }
}

impl From<(Point, Option<f64>)> for Spot {
    fn from((point, height): (Point, Option<f64>)) -> Spot {
        Spot {
            height,
            ..point.into()
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.height {
            None => self.point().fmt(f),
            Some(height) => write!(f, "({}, {}, {height})", self.x, self.y),
        }
    }
}

impl Point {
    /// Where what does not exist is: its coordinates are not numbers, so that it is near nothing.
    ///
    /// ```
    /// # use apprentice_world::Point;
    /// let distance = Point::NOWHERE.distance_to(Point::new(0.0, 0.0));
    /// assert!(!(distance <= 1e9) && !(distance > 1e9));
    /// ```
    pub const NOWHERE: Point = Point::new(f64::NAN, f64::NAN);

    /// The point at `x`, `y`.
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// How far it is to `other` as the crow flies.
    #[inline]
    pub fn distance_to(self, other: Point) -> f64 {
        let (x, y) = (other.x - self.x, other.y - self.y);
        (x * x + y * y).sqrt()
    }
}

impl Point {
    /// How far it is to the nearest point of the line between two others.
    ///
    /// ```
    /// # use apprentice_world::Point;
    /// let (from, to) = (Point::new(0.0, 0.0), Point::new(4.0, 0.0));
    /// assert_eq!(Point::new(1.0, 2.0).distance_to_line(from, to), 2.0);
    /// assert_eq!(Point::new(7.0, 4.0).distance_to_line(from, to), 5.0);
    /// ```
    pub fn distance_to_line(self, from: Point, to: Point) -> f64 {
        let (x, y) = (to.x - from.x, to.y - from.y);
        let length = x * x + y * y;
        if length == 0.0 {
            return self.distance_to(from);
        }
        let part = ((self.x - from.x) * x + (self.y - from.y) * y) / length;
        let part = part.clamp(0.0, 1.0);
        self.distance_to(Point::new(from.x + x * part, from.y + y * part))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// A square of a grid: (0, 0) is the north-western corner.
///
/// ```
/// use apprentice_world::{Cell, Direction};
///
/// let cell = Cell::new(2, 1);
/// assert_eq!(cell.neighbor(Direction::SouthEast), Some(Cell::new(3, 2)));
/// assert_eq!(Cell::new(0, 0).neighbor(Direction::North), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Columns from the west.
    pub x: u16,
    /// Rows from the north.
    pub y: u16,
}

impl Cell {
    /// The cell in column `x` and row `y`.
    pub const fn new(x: u16, y: u16) -> Cell {
        Cell { x, y }
    }

    /// Its middle.
    #[inline]
    pub fn center(self) -> Point {
        Point::new(f64::from(self.x), f64::from(self.y))
    }

    /// The cell next to it; `None` beyond the northern and western border.
    pub fn neighbor(self, direction: Direction) -> Option<Cell> {
        let (x, y) = direction.offset();
        let x = self.x.checked_add_signed(x)?;
        let y = self.y.checked_add_signed(y)?;
        Some(Cell { x, y })
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}
