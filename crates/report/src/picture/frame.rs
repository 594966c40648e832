//! Where on the paper the map is: from points of the world to pixels.

use apprentice_world::{Map, Point};

use super::labels::Area;

/// The map's place on the paper.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) top: f64,
    /// Pixels a cell or a metre.
    pub(crate) cell: f64,
    /// The least coordinates shown.
    pub(crate) first: Point,
    /// The greatest.
    pub(crate) last: Point,
}

/// The longest side of a map on the paper, in pixels.
const LONGEST_SIDE: f64 = 800.0;
/// Cells of small maps are not blown up beyond this.
const LARGEST_CELL: f64 = 36.0;

/// Metres of rock shown around a navmesh.
const ROCK: f64 = 2.0;

impl Frame {
    pub(crate) fn new(map: &Map, left: f64, top: f64) -> Frame {
        let (first, last) = map.bounds();
        // Half a cell around the centres of the outermost cells.
        let (first, last) = match map {
            Map::Grid(_) => (
                Point::new(first.x - 0.5, first.y - 0.5),
                Point::new(last.x + 0.5, last.y + 0.5),
            ),
            Map::Mesh(_) => (
                Point::new(first.x - ROCK, first.y - ROCK),
                Point::new(last.x + ROCK, last.y + ROCK),
            ),
        };
        let longest = (last.x - first.x).max(last.y - first.y);
        Frame {
            left,
            top,
            cell: (LONGEST_SIDE / longest).min(LARGEST_CELL),
            first,
            last,
        }
    }

    pub(crate) fn width(&self) -> f64 {
        (self.last.x - self.first.x) * self.cell
    }

    pub(crate) fn height(&self) -> f64 {
        (self.last.y - self.first.y) * self.cell
    }

    /// Where a point of the world is.
    pub(crate) fn place(&self, point: Point) -> (f64, f64) {
        (
            self.left + (point.x - self.first.x) * self.cell,
            self.top + (point.y - self.first.y) * self.cell,
        )
    }

    /// Where the north-western corner of a cell is.
    pub(crate) fn corner(&self, x: u16, y: u16) -> (f64, f64) {
        (
            self.left + f64::from(x) * self.cell,
            self.top + f64::from(y) * self.cell,
        )
    }

    /// The size of symbols: a little larger than a cell, and never too small to see.
    pub(crate) fn symbol(&self) -> f64 {
        (self.cell * 1.3).clamp(14.0, 26.0)
    }

    pub(crate) fn area(&self) -> Area {
        Area {
            x: self.left,
            y: self.top,
            width: self.width(),
            height: self.height(),
        }
    }
}
