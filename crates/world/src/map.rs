//! Where one can stand: points, cells, directions, and the map itself.

mod distance_field;
mod grid;
mod movingai_file;

use std::fmt;

pub use distance_field::DistanceField;
pub use grid::{GridMap, MapError};
pub use movingai_file::MovingAiError;

/// The level's geometry.
///
/// ```
/// use apprentice_world::{GridMap, Map};
///
/// let map = Map::Grid(GridMap::from_rows(&["..#.", "...."])?);
/// let Map::Grid(grid) = &map;
/// assert_eq!((grid.width(), grid.height()), (4, 2));
/// # Ok::<(), apprentice_world::MapError>(())
/// ```
#[derive(Clone, Debug)]
pub enum Map {
    /// Square cells, each a wall or free.
    Grid(GridMap),
}

/// A place in the world: x to the east, y to the south. On grids cell centres have whole numbers.
///
/// ```
/// use apprentice_world::Point;
///
/// assert_eq!(Point::new(0.0, 0.0).distance_to(Point::new(3.0, 4.0)), 5.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// To the east.
    pub x: f64,
    /// To the south.
    pub y: f64,
}

impl Point {
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

/// One of the eight ways to leave a cell.
///
/// ```
/// use apprentice_world::Direction;
///
/// assert_eq!(Direction::NorthWest.offset(), (-1, -1));
/// assert_eq!(Direction::East.length(), 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Direction {
    /// x + 1
    East,
    /// x + 1, y - 1
    NorthEast,
    /// y - 1
    North,
    /// x - 1, y - 1
    NorthWest,
    /// x - 1
    West,
    /// x - 1, y + 1
    SouthWest,
    /// y + 1
    South,
    /// x + 1, y + 1
    SouthEast,
}

impl Direction {
    /// All eight, in the order in which successors are listed: counter-clockwise from the east.
    pub const ALL: [Direction; 8] = [
        Direction::East,
        Direction::NorthEast,
        Direction::North,
        Direction::NorthWest,
        Direction::West,
        Direction::SouthWest,
        Direction::South,
        Direction::SouthEast,
    ];

    /// How far it leads east and south.
    #[inline]
    pub const fn offset(self) -> (i16, i16) {
        match self {
            Direction::East => (1, 0),
            Direction::NorthEast => (1, -1),
            Direction::North => (0, -1),
            Direction::NorthWest => (-1, -1),
            Direction::West => (-1, 0),
            Direction::SouthWest => (-1, 1),
            Direction::South => (0, 1),
            Direction::SouthEast => (1, 1),
        }
    }

    /// Whether it leads across a corner.
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        self as u8 & 1 == 1
    }

    /// The distance between the centres: 1, or the square root of 2.
    #[inline]
    pub const fn length(self) -> f64 {
        if self.is_diagonal() {
            std::f64::consts::SQRT_2
        } else {
            1.0
        }
    }

    /// The direction one eighth of a turn counter-clockwise.
    #[inline]
    pub(crate) const fn left(self) -> Direction {
        Direction::ALL[(self as usize + 1) & 7]
    }

    /// The direction one eighth of a turn clockwise.
    #[inline]
    pub(crate) const fn right(self) -> Direction {
        Direction::ALL[(self as usize + 7) & 7]
    }

    /// The direction of this name, as [`Display`](fmt::Display) writes it.
    ///
    /// ```
    /// # use apprentice_world::Direction;
    /// assert_eq!(Direction::from_name("north-east"), Some(Direction::NorthEast));
    /// ```
    pub fn from_name(name: &str) -> Option<Direction> {
        Direction::ALL
            .into_iter()
            .find(|direction| direction.name() == name)
    }

    const fn name(self) -> &'static str {
        match self {
            Direction::East => "east",
            Direction::NorthEast => "north-east",
            Direction::North => "north",
            Direction::NorthWest => "north-west",
            Direction::West => "west",
            Direction::SouthWest => "south-west",
            Direction::South => "south",
            Direction::SouthEast => "south-east",
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
