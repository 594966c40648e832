//! A scenario as those see it who look over demonstrations.

use apprentice_experience::{Ground, Place, Unit};
use apprentice_game::DistanceField;
use apprentice_search::{Budget, Heuristic, Problem};

use crate::{
    Cell, Gait, GridMap, Map, Point, QuestAtPlace, Scenario, ShortestPath, StraightLine, Thing,
    World,
};

/// A scenario as those see it who look over demonstrations: walls count, doors and enemies don't.
pub struct LevelGround<'a> {
    id: &'a str,
    scenario: &'a Scenario,
    start: usize,
    /// Seconds to the goal from every place of the map, along the shortest way.
    to_goal: Vec<f64>,
    straight: f64,
}

/// How many places of the map are tried for one that is off it or inside a wall.
const PLACES_TRIED: usize = 4;

impl<'a> LevelGround<'a> {
    /// The ground of a scenario that goes by the name `id`.
    pub fn new(id: &'a str, scenario: &'a Scenario) -> LevelGround<'a> {
        let world = World::new(scenario);
        let standpoint = QuestAtPlace::new(scenario, &world, scenario.goal());
        let start = standpoint.start();
        let mut path = ShortestPath::default();
        path.prepare(&standpoint, &mut Budget::unlimited());
        let places = 0..scenario.map().places();
        let to_goal = places.map(|place| path.estimate(&standpoint, &place).as_seconds());
        LevelGround {
            id,
            scenario,
            start,
            to_goal: to_goal.collect(),
            straight: StraightLine.estimate(&standpoint, &start).as_seconds(),
        }
    }

    fn map(&self) -> &Map {
        self.scenario.map()
    }

    /// The greatest speed over the ground.
    fn speed(&self) -> f64 {
        self.scenario.rules().top_speed()
    }

    /// The best way between a place anywhere and the map, if `seconds` says how long the rest takes
    /// from or to a place of the map.
    fn by_the_map(&self, place: Place, seconds: impl Fn(usize) -> f64) -> f64 {
        let spot = self.map().spot_at(place);
        let near = self.map().nearest_places::<PLACES_TRIED>(spot);
        let mut known: Vec<(f64, usize)> = near.into_iter().flatten().collect();
        match known.first() {
            // Whoever stands on a place of the map needs no other.
            Some((0.0, _)) => known.truncate(1),
            Some(_) => {}
            None => {
                let places = (0..self.map().places()).filter(|it| self.map().is_walkable(*it));
                let far = places.map(|it| (self.map().spot_of(it).distance_to(spot), it));
                known.extend(far.min_by(|a, b| a.0.total_cmp(&b.0)));
            }
        }
        let ways = known
            .iter()
            .map(|(distance, it)| distance / self.speed() + seconds(*it));
        ways.fold(f64::INFINITY, f64::min)
    }
}

/// Whether somebody can stand here: on the map, and not in a wall.
pub(crate) fn is_free(map: &Map, at: Point) -> bool {
    match map.grid() {
        Some(grid) => grid.cell_at(at).is_some_and(|cell| grid.is_free(cell)),
        None => map.is_on(at),
    }
}

fn point(place: Place) -> Point {
    Point::new(place.x, place.y)
}

impl Ground for LevelGround<'_> {
    fn level(&self) -> (&str, Unit) {
        let unit = match self.map().grid() {
            Some(_) => Unit::Cell,
            None => Unit::Metre,
        };
        (self.id, unit)
    }

    fn is_on_map(&self, place: Place) -> bool {
        self.map().is_on(point(place))
    }

    fn is_free(&self, place: Place) -> bool {
        is_free(self.map(), point(place))
    }

    fn is_walkable(&self, from: Place, to: Place) -> bool {
        if let Some(grid) = self.map().grid() {
            return is_clear(grid, point(from), point(to));
        }
        let count = from.distance_to(to) / self.map().spacing() * LOOKS;
        let count = count.ceil().clamp(1.0, MOST_LOOKS) as u32;
        let mut parts = (0..=count).map(|part| f64::from(part) / f64::from(count));
        parts.all(|part| self.is_free(from.toward(to, part)))
    }

    fn top_speed(&self) -> f64 {
        self.map().speed_through_space(self.speed())
    }

    fn time_from_start(&self, place: Place) -> f64 {
        // A sweep for each place that is asked about, because ways need not lead back.
        self.by_the_map(place, |target| {
            let mut field = DistanceField::to(self.map(), [target], self.speed());
            field.sweep(self.map(), &mut Budget::unlimited());
            field.at(self.start).as_seconds()
        })
    }

    fn time_to_goal(&self, place: Place) -> f64 {
        self.by_the_map(place, |from| self.to_goal[from])
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

/// How often a line is looked at between two places of a map that is no grid.
const LOOKS: f64 = 4.0;
/// Longer lines are looked at less closely.
const MOST_LOOKS: f64 = 1e4;

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
