//! A grid of square cells.

use std::fmt;

use crate::{Cell, Direction, Point};

/// Square cells, each a wall or free, with everything beyond the border a wall.
///
/// Moves go to the eight neighbours. A diagonal move needs both cells beside it to be free: nobody
/// cuts corners.
///
/// ```
/// use apprentice_world::{Cell, Direction, GridMap};
///
/// let grid = GridMap::from_rows(&[
///     "..#",
///     "...",
/// ])?;
/// assert!(grid.is_free(Cell::new(1, 0)));
/// assert!(!grid.is_free(Cell::new(2, 0)));
/// assert!(grid.has_exit(Cell::new(1, 0), Direction::South));
/// assert!(!grid.has_exit(Cell::new(1, 0), Direction::SouthEast)); // would cut the corner
/// # Ok::<(), apprentice_world::MapError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridMap {
    width: u16,
    height: u16,
    free: Vec<bool>,
    /// Bit i: one may leave in direction i, as far as walls are concerned.
    exits: Vec<u8>,
    /// 2^40 divided by the width, rounded up. With at most 2^22 cells and 2^12 columns, the product
    /// with the number of a cell is off by less than what would change its row.
    reciprocal: u64,
    /// By how much the number of a cell changes in each direction.
    strides: [isize; 8],
}

const RECIPROCAL_BITS: u32 = 40;

/// Why rows of characters are not a grid.
///
/// ```
/// use apprentice_world::{GridMap, MapError};
///
/// assert_eq!(
///     GridMap::from_rows(&["...", ".?."]).unwrap_err(),
///     MapError::Character { row: 1, column: 1, found: '?' },
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MapError {
    /// There is no cell.
    Empty,
    /// A character that means nothing; row and column count from 0.
    Character {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// What is there.
        found: char,
    },
    /// A row is longer or shorter than the first.
    Ragged {
        /// The row.
        row: usize,
        /// Its length.
        length: usize,
        /// The length of the first row.
        expected: usize,
    },
    /// More cells than can be kept.
    TooLarge {
        /// The width asked for.
        width: u64,
        /// The height asked for.
        height: u64,
    },
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MapError::Empty => f.write_str("the map has no cells; write at least one row of them"),
            MapError::Character { found, .. } => {
                write!(
                    f,
                    "the map contains {found:?}; write '#' for a wall and '.' for floor"
                )
            }
            MapError::Ragged {
                row,
                length,
                expected,
            } => write!(
                f,
                "row {} of the map has {length} cells, the first row has {expected}",
                row + 1
            ),
            MapError::TooLarge { width, height } => write!(
                f,
                "a map of {width} by {height} cells is too large; at most {} on a side and {} in all",
                GridMap::LONGEST_SIDE,
                GridMap::MOST_CELLS
            ),
        }
    }
}

impl std::error::Error for MapError {}

impl GridMap {
    /// Longer sides would not fit the packed states of a search.
    pub const LONGEST_SIDE: u64 = 4096;
    /// Four million cells are more than any published benchmark map has.
    pub const MOST_CELLS: u64 = 1 << 22;

    /// Reads rows of characters: `#` is a wall, `.` is floor.
    pub fn from_rows<R: AsRef<str>>(rows: &[R]) -> Result<GridMap, MapError> {
        let width = rows.first().map_or(0, |row| row.as_ref().chars().count());
        GridMap::check_size(width as u64, rows.len() as u64)?;
        let mut free = Vec::with_capacity(width * rows.len());
        for (row, text) in rows.iter().enumerate() {
            for (column, found) in text.as_ref().chars().enumerate() {
                match found {
                    '.' => free.push(true),
                    '#' => free.push(false),
                    _ => return Err(MapError::Character { row, column, found }),
                }
            }
            let length = text.as_ref().chars().count();
            if length != width {
                return Err(MapError::Ragged {
                    row,
                    length,
                    expected: width,
                });
            }
        }
        Ok(GridMap::new(width as u16, rows.len() as u16, free))
    }

    /// Whether a map of this size can be kept.
    pub(crate) fn check_size(width: u64, height: u64) -> Result<(), MapError> {
        if width == 0 || height == 0 {
            return Err(MapError::Empty);
        }
        let longest = width.max(height);
        if longest > Self::LONGEST_SIDE || width * height > Self::MOST_CELLS {
            return Err(MapError::TooLarge { width, height });
        }
        Ok(())
    }

    /// The caller has checked the size and brings `width * height` cells.
    pub(crate) fn new(width: u16, height: u16, free: Vec<bool>) -> GridMap {
        debug_assert_eq!(free.len(), usize::from(width) * usize::from(height));
        let strides = Direction::ALL.map(|direction| {
            let (x, y) = direction.offset();
            isize::from(y) * width as isize + isize::from(x)
        });
        let mut grid = GridMap {
            strides,
            width,
            height,
            exits: vec![0; free.len()],
            free,
            reciprocal: (1u64 << RECIPROCAL_BITS).div_ceil(u64::from(width)),
        };
        for index in 0..grid.free.len() {
            grid.exits[index] = grid.count_exits(grid.cell(index));
        }
        grid
    }

    fn count_exits(&self, from: Cell) -> u8 {
        let leads_on = |direction| from.neighbor(direction).is_some_and(|to| self.is_free(to));
        let mut exits = 0;
        for direction in Direction::ALL {
            let corners = !direction.is_diagonal()
                || leads_on(direction.left()) && leads_on(direction.right());
            if self.is_free(from) && leads_on(direction) && corners {
                exits |= 1 << direction as u8;
            }
        }
        exits
    }

    /// Cells in a row.
    pub fn width(&self) -> u16 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u16 {
        self.height
    }

    /// How many cells there are, walls included.
    pub fn len(&self) -> usize {
        self.free.len()
    }

    /// Never: every map has a cell.
    pub fn is_empty(&self) -> bool {
        self.free.is_empty()
    }

    /// Whether `cell` is on the map and no wall.
    #[inline]
    pub fn is_free(&self, cell: Cell) -> bool {
        self.contains(cell) && self.free[self.index(cell)]
    }

    /// Whether `cell` is on the map.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    /// Whether walls allow leaving `cell` in this direction.
    ///
    /// # Panics
    ///
    /// If `cell` is not on the map.
    #[inline]
    pub fn has_exit(&self, cell: Cell, direction: Direction) -> bool {
        self.exits[self.index(cell)] >> direction as u8 & 1 == 1
    }

    /// Bit i: walls allow leaving the cell of this number in direction i.
    #[inline]
    pub(crate) fn exits(&self, index: usize) -> u8 {
        self.exits[index]
    }

    /// The number of a cell on the map: row by row.
    #[inline]
    pub fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * usize::from(self.width) + usize::from(cell.x)
    }

    /// The cell of a number.
    #[inline]
    pub fn cell(&self, index: usize) -> Cell {
        // A multiplication instead of a division, which would take several times as long.
        let y = (index as u64 * self.reciprocal) >> RECIPROCAL_BITS;
        let x = index - y as usize * usize::from(self.width);
        Cell::new(x as u16, y as u16)
    }

    /// By how much the number of a cell changes in each direction.
    #[inline]
    pub(crate) fn strides(&self) -> &[isize; 8] {
        &self.strides
    }

    /// Whether the cell of this number is on the map and no wall.
    #[inline]
    pub(crate) fn is_free_index(&self, index: usize) -> bool {
        self.free.get(index).copied().unwrap_or(false)
    }

    /// The number of the cell next to one that has an exit in this direction.
    #[inline]
    pub(crate) fn beside(&self, index: usize, direction: Direction) -> usize {
        let (x, y) = direction.offset();
        (index as isize + isize::from(y) * self.width as isize + isize::from(x)) as usize
    }

    /// The free cells whose centres are at most `radius` from a point, row by row, by their numbers and
    /// with their distances.
    pub(crate) fn for_each_within(
        &self,
        at: Point,
        radius: f64,
        mut visit: impl FnMut(usize, f64),
    ) {
        let clamp = |value: f64, side: u16| value.max(0.0).min(f64::from(side)) as u16;
        let columns = clamp(at.x - radius, self.width)..clamp(at.x + radius + 1.0, self.width);
        let rows = clamp(at.y - radius, self.height)..clamp(at.y + radius + 1.0, self.height);
        for y in rows {
            for x in columns.clone() {
                let cell = Cell::new(x, y);
                let index = self.index(cell);
                let distance = cell.center().distance_to(at);
                if self.free[index] && distance <= radius {
                    visit(index, distance);
                }
            }
        }
    }

    /// The cell a point lies in, if that is on the map.
    pub fn cell_at(&self, point: Point) -> Option<Cell> {
        let (x, y) = (point.x + 0.5, point.y + 0.5);
        let inside =
            x >= 0.0 && y >= 0.0 && x < f64::from(self.width) && y < f64::from(self.height);
        inside.then(|| Cell::new(x as u16, y as u16))
    }

    /// All free cells, row by row.
    pub fn free_cells(&self) -> impl Iterator<Item = Cell> {
        (0..self.free.len())
            .filter(|index| self.free[*index])
            .map(|index| self.cell(index))
    }

    /// The rows as `from_rows` reads them.
    ///
    /// ```
    /// # use apprentice_world::GridMap;
    /// let grid = GridMap::from_rows(&["..#", "..."])?;
    /// assert_eq!(grid.rows().collect::<Vec<_>>(), ["..#", "..."]);
    /// # Ok::<(), apprentice_world::MapError>(())
    /// ```
    pub fn rows(&self) -> impl Iterator<Item = String> {
        let rows = self.free.chunks(usize::from(self.width));
        rows.map(|row| {
            row.iter()
                .map(|free| if *free { '.' } else { '#' })
                .collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_not_cut() {
        let grid = GridMap::from_rows(&["...", ".#.", "..."]).unwrap();
        let exits: Vec<_> = Direction::ALL
            .into_iter()
            .filter(|direction| grid.has_exit(Cell::new(1, 0), *direction))
            .collect();
        assert_eq!(exits, [Direction::East, Direction::West]);
    }

    #[test]
    fn the_border_is_a_wall() {
        let grid = GridMap::from_rows(&["...", "...", "..."]).unwrap();
        assert_eq!(grid.exits(grid.index(Cell::new(0, 0))).count_ones(), 3);
        assert_eq!(grid.exits(grid.index(Cell::new(1, 1))).count_ones(), 8);
        assert_eq!(grid.exits(grid.index(Cell::new(2, 1))).count_ones(), 5);
    }

    #[test]
    fn a_billion_cells_are_refused_before_any_is_kept() {
        let claimed = GridMap::check_size(100_000, 10_000);
        assert_eq!(
            claimed,
            Err(MapError::TooLarge {
                width: 100_000,
                height: 10_000
            })
        );
    }

    #[test]
    fn numbers_and_cells_are_each_others_inverse() {
        for (width, height) in [(1, 4096), (4096, 1024), (3, 5), (1023, 4096), (4095, 1024)] {
            let size = usize::from(width) * usize::from(height);
            let grid = GridMap::new(width, height, vec![true; size]);
            for index in (0..size).filter(|index| index % 97 == 0 || index % usize::from(width) < 2)
            {
                let divided = Cell::new(
                    (index % usize::from(width)) as u16,
                    (index / usize::from(width)) as u16,
                );
                assert_eq!(grid.cell(index), divided);
                assert_eq!(grid.index(divided), index);
            }
        }
    }

    #[test]
    fn a_disc_is_the_set_of_its_cells() {
        let grid = GridMap::from_rows(&["...", "...", ".#."]).unwrap();
        let count = |x, y, radius| {
            let mut count = 0;
            grid.for_each_within(Point::new(x, y), radius, |_, _| count += 1);
            count
        };
        assert_eq!(count(1.0, 1.0, 0.0), 1);
        assert_eq!(count(1.0, 1.0, 1.0), 4);
        assert_eq!(count(0.0, 0.0, 1.5), 4);
        assert_eq!(count(-3.0, 0.0, 2.0), 0);
        assert_eq!(count(1.0, 1.0, 1e18), 8);
    }

    #[test]
    fn points_belong_to_the_cell_they_are_nearest_to() {
        let grid = GridMap::from_rows(&["...", "..."]).unwrap();
        assert_eq!(grid.cell_at(Point::new(1.4, 0.6)), Some(Cell::new(1, 1)));
        assert_eq!(grid.cell_at(Point::new(-0.6, 0.0)), None);
        assert_eq!(grid.cell_at(Point::new(f64::NAN, 0.0)), None);
    }
}
