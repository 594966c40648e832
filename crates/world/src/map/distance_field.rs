//! How long it takes at least from anywhere on a grid to the nearest of some cells.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use apprentice_search::{Budget, Cost};

use crate::{Cell, Direction, GridMap, Point};

/// The cost of the shortest way from every cell to the nearest target, by one sweep of Dijkstra's
/// algorithm from the targets backwards. Walls count; doors, enemies and everything else that
/// changes doesn't.
///
/// ```
/// use apprentice_search::{Budget, Cost};
/// use apprentice_world::{Cell, DistanceField, GridMap};
///
/// let grid = GridMap::from_rows(&["...", ".#.", "..."])?;
/// let mut field = DistanceField::to(&grid, [Cell::new(2, 1)], 1.0);
/// assert!(field.sweep(&grid, &mut Budget::unlimited()));
/// assert_eq!(field.at(&grid, Cell::new(0, 1)), Cost::from_seconds(4.0));
/// # Ok::<(), apprentice_world::MapError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DistanceField {
    costs: Vec<Cost>,
    open: BinaryHeap<Reverse<(Cost, u32)>>,
    straight: Cost,
    diagonal: Cost,
    speed: f64,
    target: Option<Point>,
}

/// A point off the map belongs to the nearest of its cells within this distance.
const REACH_OFF_THE_MAP: f64 = 5.0;
/// How many of them are tried.
const CELLS_TRIED: usize = 4;

impl DistanceField {
    /// Begins a field for these targets at `speed` cells a second. Nothing is known before the
    /// [`sweep`](DistanceField::sweep). Targets that are walls or off the map are left out.
    pub fn to(grid: &GridMap, targets: impl IntoIterator<Item = Cell>, speed: f64) -> Self {
        let step = |direction: Direction| Cost::round_up(direction.length() / speed);
        let mut field = DistanceField {
            costs: vec![Cost::INFINITE; grid.len()],
            open: BinaryHeap::new(),
            straight: step(Direction::East),
            diagonal: step(Direction::NorthEast),
            speed,
            target: None,
        };
        for target in targets {
            if grid.is_free(target) {
                let index = grid.index(target);
                field.costs[index] = Cost::ZERO;
                field.open.push(Reverse((Cost::ZERO, index as u32)));
                field.target = Some(target.center());
            }
        }
        field
    }

    /// Goes on with the sweep; one unit of budget for each cell. False: the budget is spent, call
    /// again.
    pub fn sweep(&mut self, grid: &GridMap, budget: &mut Budget<'_>) -> bool {
        let strides = grid.strides();
        while let Some(Reverse((cost, index))) = self.open.peek().copied() {
            if cost > self.costs[index as usize] {
                self.open.pop();
                continue;
            }
            if !budget.take() {
                return false;
            }
            self.open.pop();
            // Moves on a grid lead both ways, so the exits of a cell are also its entrances.
            let exits = grid.exits(index as usize);
            for direction in Direction::ALL {
                if exits >> direction as u8 & 1 == 0 {
                    continue;
                }
                let from = (index as isize + strides[direction as usize]) as usize;
                let step = if direction.is_diagonal() {
                    self.diagonal
                } else {
                    self.straight
                };
                if cost + step < self.costs[from] {
                    self.costs[from] = cost + step;
                    self.open.push(Reverse((cost + step, from as u32)));
                }
            }
        }
        true
    }

    /// The cost from a cell to the nearest target; infinite from walls and from where no way leads.
    #[inline]
    pub fn at(&self, grid: &GridMap, cell: Cell) -> Cost {
        if grid.contains(cell) {
            self.costs[grid.index(cell)]
        } else {
            Cost::INFINITE
        }
    }

    /// The seconds from any point, also off the map or inside a wall: by way of the best of the
    /// four nearest free cells within five cells; as the crow flies if there is none.
    ///
    /// ```
    /// # use apprentice_search::Budget;
    /// # use apprentice_world::{Cell, DistanceField, GridMap, Point};
    /// let grid = GridMap::from_rows(&["..."])?;
    /// let mut field = DistanceField::to(&grid, [Cell::new(2, 0)], 1.0);
    /// field.sweep(&grid, &mut Budget::unlimited());
    /// assert_eq!(field.from(&grid, Point::new(2.0, -3.0)), 3.0); // north of the map
    /// assert_eq!(field.from(&grid, Point::new(2.0, -9.0)), 9.0); // too far from any cell
    /// # Ok::<(), apprentice_world::MapError>(())
    /// ```
    pub fn from(&self, grid: &GridMap, point: Point) -> f64 {
        let on_center = point.x == point.x.floor() && point.y == point.y.floor();
        if let Some(cell) = grid
            .cell_at(point)
            .filter(|cell| on_center && grid.is_free(*cell))
        {
            return self.at(grid, cell).as_seconds();
        }
        let mut nearest = [(f64::INFINITY, Cell::new(0, 0)); CELLS_TRIED];
        let clamp = |value: f64, last: u16| value.max(0.0).min(f64::from(last)) as u16;
        let (last_x, last_y) = (grid.width() - 1, grid.height() - 1);
        let columns =
            clamp(point.x - REACH_OFF_THE_MAP, last_x)..=clamp(point.x + REACH_OFF_THE_MAP, last_x);
        for y in
            clamp(point.y - REACH_OFF_THE_MAP, last_y)..=clamp(point.y + REACH_OFF_THE_MAP, last_y)
        {
            for x in columns.clone() {
                let cell = Cell::new(x, y);
                let distance = cell.center().distance_to(point);
                if distance > REACH_OFF_THE_MAP || !grid.is_free(cell) {
                    continue;
                }
                if let Some(place) = nearest.iter().position(|(other, _)| distance < *other) {
                    nearest[place..].rotate_right(1);
                    nearest[place] = (distance, cell);
                }
            }
        }
        let known = nearest.iter().filter(|(distance, _)| distance.is_finite());
        let ways =
            known.map(|(distance, cell)| distance / self.speed + self.at(grid, *cell).as_seconds());
        let best = ways.fold(f64::INFINITY, f64::min);
        match self.target {
            Some(target) if nearest[0].0.is_infinite() => point.distance_to(target) / self.speed,
            _ => best,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_in_slices_is_the_same_sweep() {
        let grid = GridMap::from_rows(&[".....", ".###.", "...#.", "..#.."]).unwrap();
        let target = [Cell::new(4, 3)];
        let mut whole = DistanceField::to(&grid, target, 1.0);
        assert!(whole.sweep(&grid, &mut Budget::unlimited()));
        let mut sliced = DistanceField::to(&grid, target, 1.0);
        let mut slices = 0;
        while !sliced.sweep(&grid, &mut Budget::expansions(3)) {
            slices += 1;
        }
        assert!(slices >= 4);
        assert_eq!(whole.costs, sliced.costs);
    }

    #[test]
    fn no_way_is_infinite() {
        let grid = GridMap::from_rows(&[".#."]).unwrap();
        let mut field = DistanceField::to(&grid, [Cell::new(2, 0)], 1.0);
        field.sweep(&grid, &mut Budget::unlimited());
        assert_eq!(field.at(&grid, Cell::new(0, 0)), Cost::INFINITE);
        assert_eq!(field.at(&grid, Cell::new(7, 7)), Cost::INFINITE);
    }
}
