//! Where to look from where: the ground in square tiles, each with the strands that promise most as
//! seen from its middle, so that nobody has to come down from the fan around everything.
//!
//! A tile rules nothing out by itself. No bound changes by more than the inflation for each second,
//! so who is asked for takes off as much as he is away from the middle, and looks on until what was
//! found is less; also in the tree of all fans, if the list of the tile ends before.
//!
//! A tile takes 64 bytes, and there is one for four segments.

use super::lanes::Bundle;
use super::node::{Bounds, Fan, ROUNDING};

/// So many segments for each tile. With twice as many an estimate would take a thirtieth more, and
/// getting ready a sixth less.
const RAILS_FOR_A_TILE: usize = 4;

/// How far beyond the segments there are tiles on each side, as a part of how far they reach.
const MARGIN: f64 = 0.125;

/// So many strands are listed, which makes a tile as large as a line of the cache.
const LISTED: usize = 7;

#[derive(Clone, Debug)]
pub(crate) struct Tiles {
    /// The corner all coordinates count from, and how high the middles are. In seconds.
    corner: [f64; 2],
    height: f64,
    side: f64,
    /// Sides for each second.
    for_each: f64,
    columns: usize,
    rows: usize,
    tiles: Vec<Tile>,
}

/// The strands that promise most as seen from the middle of a tile.
#[repr(align(64))]
#[derive(Clone, Debug)]
pub(crate) struct Tile {
    strands: [u32; LISTED],
    bounds: [f32; LISTED],
    count: u32,
    /// What an estimate in the middle is at least by way of anything that is not listed.
    rest: f32,
}

/// All strands, and the fans around them.
pub(crate) struct Tree<'a> {
    pub strands: &'a [Bundle],
    pub levels: &'a [Vec<Fan>],
    pub inflation: f32,
    pub spread: f32,
}

impl Tiles {
    /// No tile yet, for so many segments in a box.
    pub(crate) fn new(segments: usize, around: &Bounds, scale: f64) -> Tiles {
        let (low, high) = around.extent();
        let reach = |axis: usize| (high[axis] - low[axis]) * scale;
        let margin = reach(0).max(reach(1)) * MARGIN;
        let (width, depth) = (reach(0) + 2.0 * margin, reach(1) + 2.0 * margin);
        let count = (segments / RAILS_FOR_A_TILE).max(1) as f64;
        let side = (width * depth / count).sqrt();
        // Where all segments are at one point, there is one tile of any size.
        let side = if side.is_normal() { side } else { 1.0 };
        let along = |length: f64| (length / side).ceil().max(1.0) as usize;
        let (columns, rows) = (along(width), along(depth));
        Tiles {
            corner: [low[0] * scale - margin, low[1] * scale - margin],
            height: (low[2] + high[2]) / 2.0 * scale,
            side,
            for_each: 1.0 / side,
            columns,
            rows,
            tiles: Vec::with_capacity(columns * rows),
        }
    }

    /// Adds the next tile. False: there is none.
    pub(crate) fn add<const AXES: usize>(&mut self, tree: &Tree<'_>) -> bool {
        let number = self.tiles.len();
        if number == self.columns * self.rows {
            return false;
        }
        let middle = self.middle(number % self.columns, number / self.columns);
        let mut tile = Tile {
            strands: [0; LISTED],
            bounds: [f32::INFINITY; LISTED],
            count: 0,
            rest: f32::INFINITY,
        };
        tile.list::<AXES>(tree, tree.levels.len(), 0, middle);
        // Now they hold in spite of rounding.
        let less = |bound: f32| bound * (1.0 - ROUNDING as f32);
        (tile.bounds, tile.rest) = (tile.bounds.map(less), less(tile.rest));
        self.tiles.push(tile);
        true
    }

    /// The tile somebody at `at` is in, and how far from its middle that is, all in seconds.
    #[inline(always)]
    pub(crate) fn at<const AXES: usize>(&self, at: [f64; 3]) -> Option<(&Tile, f64)> {
        let column = (at[0] - self.corner[0]) * self.for_each;
        let row = (at[1] - self.corner[1]) * self.for_each;
        // As whole numbers, what is less than nothing is nothing.
        if !(column >= 0.0 && row >= 0.0) {
            return None;
        }
        let (column, row) = (column as usize, row as usize);
        if column >= self.columns {
            return None;
        }
        // Far beyond the map there is no such number.
        let number = row.checked_mul(self.columns)?.checked_add(column)?;
        let tile = self.tiles.get(number)?;
        let middle = self.middle(column, row);
        let mut square = 0.0;
        for axis in 0..AXES {
            square += (at[axis] - middle[axis]) * (at[axis] - middle[axis]);
        }
        Some((tile, square.sqrt()))
    }

    #[inline(always)]
    fn middle(&self, column: usize, row: usize) -> [f64; 3] {
        [
            self.corner[0] + (column as f64 + 0.5) * self.side,
            self.corner[1] + (row as f64 + 0.5) * self.side,
            self.height,
        ]
    }
}

impl Tile {
    /// Strands, those first that promise most, each with what an estimate in the middle of the tile
    /// is at least by way of it.
    #[inline(always)]
    pub(crate) fn strands(&self) -> impl Iterator<Item = (u32, f64)> {
        let bounds = self.bounds.iter().map(|bound| f64::from(*bound));
        let strands = self.strands.iter().copied().zip(bounds);
        strands.take(self.count as usize)
    }

    /// What it is at least by way of any other.
    #[inline(always)]
    pub(crate) fn rest(&self) -> f64 {
        f64::from(self.rest)
    }

    /// Lists what is in a fan of that level, if it promises more than what is listed. Level 0 is that
    /// of the strands.
    fn list<const AXES: usize>(
        &mut self,
        tree: &Tree<'_>,
        level: usize,
        number: u32,
        at: [f64; 3],
    ) {
        let Some(below) = level.checked_sub(1) else {
            let strand = &tree.strands[number as usize];
            let least = strand.least::<AXES>(at, tree.inflation);
            return self.insert(number, least as f32);
        };
        let fan = &tree.levels[below][number as usize];
        let promises = fan.promises::<AXES>(at.map(|x| x as f32), tree.spread);
        let unseen = promises.look(
            self,
            |tile| match tile.count as usize {
                LISTED => tile.bounds[LISTED - 1],
                _ => f32::MAX,
            },
            |tile, child| {
                let inner = fan.first + child as u32;
                tile.list::<AXES>(tree, below, inner, at);
            },
        );
        self.rest = self.rest.min(unseen);
    }

    fn insert(&mut self, strand: u32, bound: f32) {
        let listed = &self.bounds[..self.count as usize];
        let place = listed.partition_point(|other| *other <= bound);
        if self.count as usize == LISTED {
            let last = if place == LISTED {
                bound
            } else {
                self.bounds[LISTED - 1]
            };
            self.rest = self.rest.min(last);
            if place == LISTED {
                return;
            }
        } else {
            self.count += 1;
        }
        let end = self.count as usize;
        self.strands.copy_within(place..end - 1, place + 1);
        self.bounds.copy_within(place..end - 1, place + 1);
        (self.strands[place], self.bounds[place]) = (strand, bound);
    }
}
