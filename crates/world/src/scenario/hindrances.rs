//! Where nothing can be in the way, told for a whole rectangle at once.

use crate::map::Map;
use crate::{Cell, Point};

/// How many walls, doors and paths of obstacles there are in every rectangle that begins in the
/// corner of the map (a summed-area table), so that four looks tell whether one has none.
///
/// Whether enemies see somebody and may walk straight is asked thousands of times in every search, and
/// nearly always across open floor.
#[derive(Debug, Default)]
pub(crate) struct Hindrances {
    /// One more than there are squares in a row; the first of each row, and the first row, are 0.
    stride: usize,
    sums: Vec<u32>,
    /// The corner of the first square, and how long its sides are.
    origin: Point,
    side: f64,
}

/// More squares than that are made larger instead: on a navmesh they need not be small.
const MOST_SQUARES: f64 = 1e6;

impl Hindrances {
    /// Of a map, and of all places on it that may be shut.
    pub(crate) fn new(map: &Map, shuts: &[usize]) -> Hindrances {
        match map {
            Map::Grid(grid) => {
                let (width, height) = (usize::from(grid.width()), usize::from(grid.height()));
                let mut is_open: Vec<bool> = (0..width * height)
                    .map(|index| grid.is_free_index(index))
                    .collect();
                shuts.iter().for_each(|place| is_open[*place] = false);
                let hindrances: Vec<u32> =
                    is_open.iter().map(|is_open| u32::from(!is_open)).collect();
                Hindrances {
                    stride: width + 1,
                    sums: sums(&hindrances, width),
                    origin: Point::default(),
                    side: 1.0,
                }
            }
            Map::Mesh(mesh) => {
                let (first, last) = mesh.bounds();
                let (wide, high) = (last.x - first.x, last.y - first.y);
                let side = f64::max(1.0, (wide * high / MOST_SQUARES).sqrt());
                let (width, height) = ((wide / side) as usize + 1, (high / side) as usize + 1);
                let mut hindrances = vec![0; width * height];
                let mut found = Hindrances {
                    stride: width + 1,
                    sums: Vec::new(),
                    origin: first,
                    side,
                };
                for place in shuts {
                    let at = map.point_of(*place);
                    let (column, row) = (
                        found.column(at.x).min(width - 1),
                        found.row(at.y).min(height - 1),
                    );
                    hindrances[row * width + column] += 1;
                }
                found.sums = sums(&hindrances, width);
                found
            }
        }
    }

    /// Whether there is none between two cells of a grid, or in them.
    #[inline]
    pub(crate) fn spare_cells(&self, one: Cell, other: Cell) -> bool {
        let between =
            |one: u16, other: u16| (usize::from(one.min(other)), usize::from(one.max(other)));
        self.spare(between(one.x, other.x), between(one.y, other.y))
    }

    /// Whether there is none so near the rectangle between two points of a navmesh.
    pub(crate) fn spare_points(&self, one: Point, other: Point, margin: f64) -> bool {
        let columns = (
            self.column(one.x.min(other.x) - margin),
            self.column(one.x.max(other.x) + margin),
        );
        let rows = (
            self.row(one.y.min(other.y) - margin),
            self.row(one.y.max(other.y) + margin),
        );
        self.spare(columns, rows)
    }

    /// Whether there is none from one column and row to another. What lies beyond the last is cut off.
    #[inline]
    fn spare(&self, columns: (usize, usize), rows: (usize, usize)) -> bool {
        let Some(last_row) = (self.sums.len() / self.stride.max(1)).checked_sub(2) else {
            return false;
        };
        let (first, last) = (columns.0, columns.1.min(self.stride - 2) + 1);
        let above = rows.0 * self.stride;
        let below = (rows.1.min(last_row) + 1) * self.stride;
        if first >= last || above >= below {
            return true;
        }
        // Both sums of a row are taken off in the same order, so none is below zero.
        self.sums[below + last] - self.sums[below + first]
            == self.sums[above + last] - self.sums[above + first]
    }

    fn column(&self, x: f64) -> usize {
        ((x - self.origin.x) / self.side) as usize
    }

    fn row(&self, y: f64) -> usize {
        ((y - self.origin.y) / self.side) as usize
    }
}

/// The sums of all rectangles that begin in the corner.
fn sums(counts: &[u32], width: usize) -> Vec<u32> {
    let stride = width + 1;
    let mut sums = vec![0; stride];
    for row in counts.chunks(width) {
        let above = sums.len() - stride;
        let mut along = 0;
        sums.push(0);
        for (column, count) in row.iter().enumerate() {
            along += count;
            sums.push(sums[above + column + 1] + along);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GridMap;

    /// Against looking at every cell.
    #[test]
    fn a_rectangle_is_spared_if_every_cell_is() {
        let rows = ["....#...", "........", ".#......", "......#.", "........"];
        let grid = GridMap::from_rows(&rows).unwrap();
        let door = 8 + 3;
        let found = Hindrances::new(&Map::Grid(grid), &[door]);
        let grid = GridMap::from_rows(&rows).unwrap();
        for one in 0..40 {
            for other in 0..40 {
                let (a, b) = (grid.cell(one), grid.cell(other));
                let mut is_spared = true;
                for x in a.x.min(b.x)..=a.x.max(b.x) {
                    for y in a.y.min(b.y)..=a.y.max(b.y) {
                        let cell = Cell::new(x, y);
                        is_spared &= grid.is_free(cell) && grid.index(cell) != door;
                    }
                }
                assert_eq!(found.spare_cells(a, b), is_spared, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn who_knows_nothing_spares_nothing() {
        let nothing = Hindrances::default();
        assert!(!nothing.spare_cells(Cell::new(0, 0), Cell::new(1, 1)));
        assert!(!nothing.spare_points(Point::default(), Point::default(), 1.0));
    }
}
