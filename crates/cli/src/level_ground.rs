//! A scenario as those see it who look over demonstrations.

use apprentice::experience::{Ground, Place, Unit};
use apprentice::search::{Budget, Heuristic, Problem};
use apprentice::world::{
    Cell, DistanceField, Gait, GridMap, Point, Scenario, ShortestPath, StraightLine, Thing, World,
};

use crate::demonstrations::top_speed;
use crate::scenario_source::Source;
use crate::standpoint::Standpoint;

/// A scenario as those see it who look over demonstrations: walls count, doors and enemies don't.
pub(crate) struct LevelGround<'a> {
    id: &'a str,
    scenario: &'a Scenario,
    /// Ways on a grid lead both ways, so what leads to the start also leads from it.
    from_start: DistanceField,
    /// Seconds to the goal from every cell, along the shortest way.
    to_goal: Vec<f64>,
    straight: f64,
}

/// Places off the map or inside a wall belong to the nearest free cells within this distance.
const REACH: f64 = 5.0;
/// How many of them are tried.
const CELLS_TRIED: usize = 4;

impl<'a> LevelGround<'a> {
    pub(crate) fn new(source: &'a Source) -> LevelGround<'a> {
        let scenario = &source.scenario;
        let grid = scenario.grid();
        let world = World::new(scenario);
        let standpoint = Standpoint {
            scenario,
            world: &world,
            goal: scenario.goal(),
        };
        let start = standpoint.start();
        let mut from_start = DistanceField::to(grid, [start], top_speed(scenario));
        from_start.sweep(grid, &mut Budget::unlimited());
        let mut path = ShortestPath::default();
        path.prepare(&standpoint, &mut Budget::unlimited());
        let cells = (0..grid.len()).map(|index| grid.cell(index));
        let to_goal = cells.map(|cell| path.estimate(&standpoint, &cell).as_seconds());
        LevelGround {
            id: &source.id,
            scenario,
            from_start,
            to_goal: to_goal.collect(),
            straight: StraightLine.estimate(&standpoint, &start).as_seconds(),
        }
    }

    fn grid(&self) -> &GridMap {
        self.scenario.grid()
    }

    fn cell(&self, place: Place) -> Option<Cell> {
        self.grid().cell_at(point(place))
    }

    /// The nearest free cells to a place and how far they are; the nearest of all cells if there is
    /// no free one nearby.
    fn nearest(&self, place: Place) -> Vec<(f64, Cell)> {
        let grid = self.grid();
        let clamp = |value: f64, last: u16| value.clamp(0.0, f64::from(last)).round() as u16;
        let (last_x, last_y) = (grid.width() - 1, grid.height() - 1);
        let mut cells = Vec::new();
        for y in clamp(place.y - REACH, last_y)..=clamp(place.y + REACH, last_y) {
            for x in clamp(place.x - REACH, last_x)..=clamp(place.x + REACH, last_x) {
                let cell = Cell::new(x, y);
                let distance = cell.center().distance_to(point(place));
                if grid.is_free(cell) && distance <= REACH {
                    cells.push((distance, cell));
                }
            }
        }
        cells.sort_by(|a, b| a.0.total_cmp(&b.0));
        cells.truncate(CELLS_TRIED);
        cells
    }
}

fn point(place: Place) -> Point {
    Point::new(place.x, place.y)
}

impl Ground for LevelGround<'_> {
    fn level(&self) -> (&str, Unit) {
        (self.id, Unit::Cell)
    }

    fn is_on_map(&self, place: Place) -> bool {
        self.cell(place).is_some()
    }

    fn is_free(&self, place: Place) -> bool {
        self.cell(place)
            .is_some_and(|cell| self.grid().is_free(cell))
    }

    fn is_walkable(&self, from: Place, to: Place) -> bool {
        is_clear(self.grid(), point(from), point(to))
    }

    fn top_speed(&self) -> f64 {
        top_speed(self.scenario)
    }

    fn time_from_start(&self, place: Place) -> f64 {
        self.from_start.from(self.grid(), point(place))
    }

    fn time_to_goal(&self, place: Place) -> f64 {
        let value = |cell: Cell| self.to_goal[self.grid().index(cell)];
        let cell = self.cell(place).filter(|cell| self.grid().is_free(*cell));
        if let Some(cell) = cell.filter(|cell| cell.center() == point(place)) {
            return value(cell);
        }
        let near = self.nearest(place);
        let ways = near
            .iter()
            .map(|(distance, cell)| distance / self.top_speed() + value(*cell));
        if near.is_empty() {
            // Too far from anywhere to know a way: at least what is needed to come back to the map.
            let grid = self.grid();
            let all = grid.free_cells();
            let distance = |cell: Cell| cell.center().distance_to(point(place));
            let nearest = all.min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
            return nearest.map_or(f64::INFINITY, |cell| {
                distance(cell) / self.top_speed() + value(cell)
            });
        }
        ways.fold(f64::INFINITY, f64::min)
    }

    fn straight_time(&self) -> f64 {
        self.straight
    }

    fn knows_gait(&self, gait: &str) -> bool {
        Gait::from_name(gait).is_some_and(|gait| self.scenario.rules().speed(gait) > 0.0)
    }

    fn knows_item(&self, id: &str) -> bool {
        matches!(self.scenario.thing(id), Some(Thing::Item(_)))
    }
}

/// Two crossings nearer than this happen at a corner.
const CORNER: f64 = 1e-9;

/// Whether a straight line touches free cells only. At a corner, as in a step, all four cells must
/// be free.
fn is_clear(grid: &GridMap, from: Point, to: Point) -> bool {
    let free = |x: i64, y: i64| {
        let cell = u16::try_from(x).ok().zip(u16::try_from(y).ok());
        cell.is_some_and(|(x, y)| grid.is_free(Cell::new(x, y)))
    };
    let index = |value: f64| (value + 0.5).floor() as i64;
    let (mut x, mut y) = (index(from.x), index(from.y));
    let (last_x, last_y) = (index(to.x), index(to.y));
    let way = (to.x - from.x, to.y - from.y);
    let step = |way: f64| if way > 0.0 { 1 } else { -1 };
    let (step_x, step_y) = (step(way.0), step(way.1));
    // The part of the line after which the next column, or row, begins.
    let next = |cell: i64, step: i64, from: f64, way: f64| {
        if way == 0.0 {
            f64::INFINITY
        } else {
            (cell as f64 + 0.5 * step as f64 - from) / way
        }
    };
    while free(x, y) {
        if (x, y) == (last_x, last_y) {
            return true;
        }
        let (to_x, to_y) = (
            next(x, step_x, from.x, way.0),
            next(y, step_y, from.y, way.1),
        );
        if to_x.min(to_y) > 1.0 {
            // Rounding may end a line just before its last cell.
            return free(last_x, last_y);
        }
        if (to_x - to_y).abs() < CORNER {
            if !free(x + step_x, y) || !free(x, y + step_y) {
                return false;
            }
            x += step_x;
            y += step_y;
        } else if to_x < to_y {
            x += step_x;
        } else {
            y += step_y;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_clear_if_all_cells_it_touches_are_free() {
        let rows = ["....", ".##.", "...."];
        let grid = GridMap::from_rows(&rows).expect("a map");
        for (from, to, expected) in [
            ((0.0, 0.0), (3.0, 0.0), true),
            ((0.0, 1.0), (3.0, 1.0), false),
            ((0.0, 0.0), (3.0, 2.0), false),
            ((0.0, 0.0), (0.0, 2.0), true),
            ((0.0, 0.4), (3.0, 0.4), true),
            ((0.0, 0.6), (3.0, 0.4), false),
            // Past the corner of a wall, as no step can go.
            ((0.0, 1.0), (1.0, 0.0), false),
            ((0.0, 1.0), (0.0, 1.0), true),
            ((2.0, 0.0), (9.0, 0.0), false),
        ] {
            for (from, to) in [(from, to), (to, from)] {
                let (from, to) = (Point::new(from.0, from.1), Point::new(to.0, to.1));
                assert_eq!(is_clear(&grid, from, to), expected, "{from} to {to}");
            }
        }
    }

    #[test]
    fn lines_in_any_direction_agree_with_looking_closely() {
        let rows = [".....#..", "..#.....", ".....#..", ".#......", "....#..."];
        let grid = GridMap::from_rows(&rows).expect("a map");
        let mut seed = 7u64;
        let mut number = |most: f64| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 40) as f64 / (1u64 << 24) as f64 * most
        };
        let (mut clear, mut blocked) = (0, 0);
        for _ in 0..2000 {
            let from = Point::new(number(7.0), number(4.0));
            let to = Point::new(number(7.0), number(4.0));
            let looked = (0..=4000).all(|part| {
                let part = f64::from(part) / 4000.0;
                let at = Point::new(
                    from.x + (to.x - from.x) * part,
                    from.y + (to.y - from.y) * part,
                );
                grid.cell_at(at).is_some_and(|cell| grid.is_free(cell))
            });
            let found = is_clear(&grid, from, to);
            // Looking from place to place may miss a corner that is touched, never the reverse.
            assert!(looked || !found, "{from} to {to}");
            if found == looked {
                clear += u32::from(found);
                blocked += u32::from(!found);
            }
        }
        assert!(clear + blocked >= 1995, "{clear} and {blocked}");
        assert!(clear > 100 && blocked > 100, "{clear} and {blocked}");
    }
}
