//! The eight ways to leave a cell.

use std::fmt;

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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

    /// The direction back.
    ///
    /// ```
    /// # use apprentice_world::Direction;
    /// assert_eq!(Direction::NorthEast.opposite(), Direction::SouthWest);
    /// ```
    #[inline]
    pub const fn opposite(self) -> Direction {
        Direction::ALL[(self as usize + 4) & 7]
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

    pub(crate) const fn name(self) -> &'static str {
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
