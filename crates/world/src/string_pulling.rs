//! Walks at any angle: a way from place to place, pulled straight like a string.

use crate::perception;
use crate::scenario::marks;
use crate::{Manner, Map, Point, Scenario};

impl Scenario {
    /// The same way with fewer corners: from each corner straight to the last of the following
    /// places that can be reached so, without leaving the floor, cutting corners, touching a door or
    /// the path of an obstacle that the way itself keeps off, or coming nearer to the home of an
    /// enemy that would notice. Falls and leaps stay as they are.
    ///
    /// Plans are made and carried out from place to place; this is how somebody would go who need not
    /// keep to places. It may be far from where the plan leads, so it is no picture of the plan.
    ///
    /// ```
    /// # use apprentice_world::{Point, Scenario};
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['......', '......', '......'] }").unwrap();
    /// // Three cells east, then two diagonally.
    /// let way = scenario.pulled_straight(&[0, 1, 2, 3, 10, 17]);
    /// assert_eq!(way, [Point::new(0.0, 0.0), Point::new(5.0, 2.0)]);
    /// ```
    pub fn pulled_straight(&self, places: &[usize]) -> Vec<Point> {
        let Some(first) = places.first() else {
            return Vec::new();
        };
        let mut way = vec![self.map.point_of(*first)];
        let mut from = 0;
        while from + 1 < places.len() {
            let mut to = from + 1;
            while to + 1 < places.len()
                && self.is_level(places[to - 1], places[to])
                && self.is_level(places[to], places[to + 1])
                && self.is_straight_way(places, from, to + 1)
            {
                to += 1;
            }
            way.push(self.map.point_of(places[to]));
            from = to;
        }
        way
    }

    /// Whether a step is neither a fall nor a leap.
    fn is_level(&self, from: usize, to: usize) -> bool {
        self.map.level_steps(from).any(|(_, place)| place == to)
    }

    fn is_straight_way(&self, places: &[usize], from: usize, to: usize) -> bool {
        let footing = |place: usize| (self.map.point_of(places[place]), places[place]);
        let (start, end) = (footing(from), footing(to));
        let is_free = match &*self.map {
            Map::Grid(grid) => perception::line_of_cells(grid, start.0, end.0, |cell| {
                grid.is_free(cell) && self.keeps_to(places, grid.index(cell))
            }),
            Map::Mesh(mesh) => mesh.is_in_sight(start, end) && !mesh.crosses_ledge(start.0, end.0),
        };
        is_free
            && (self.map.grid().is_some() || self.keeps_off_doors(places, start.0, end.0))
            && self.keeps_from_enemies(&places[from..=to], start.0, end.0)
    }

    /// Whether a straight way comes no nearer to an enemy that would notice than the places it
    /// replaces: who goes round a bear must not be drawn through it.
    fn keeps_from_enemies(&self, places: &[usize], from: Point, to: Point) -> bool {
        // From place to place one never goes quite straight.
        let slack = 0.5 * self.map.spacing();
        self.enemies.iter().all(|enemy| {
            let radius = match enemy.kind.manner {
                Manner::Guard(guard) => guard.radius,
                Manner::Beast(beast) => beast.radius,
            };
            let straight = enemy.home.distance_to_line(from, to) + slack;
            let is_as_near =
                |place: &usize| self.map.point_of(*place).distance_to(enemy.home) <= straight;
            enemy.ignores(self.agent) || straight >= radius || places.iter().any(is_as_near)
        })
    }

    /// Whether nothing shuts in a place, or the way leads through it anyway.
    fn keeps_to(&self, places: &[usize], place: usize) -> bool {
        self.marks_at(place) & marks::SHUTS == 0 || places.contains(&place)
    }

    fn keeps_off_doors(&self, places: &[usize], from: Point, to: Point) -> bool {
        if self.doors.is_empty() && self.obstacles.is_empty() {
            return true;
        }
        let count = (from.distance_to(to) / (0.5 * self.map.spacing())).ceil() as u32;
        (1..count).all(|number| {
            let part = f64::from(number) / f64::from(count);
            let (x, y) = (
                from.x + (to.x - from.x) * part,
                from.y + (to.y - from.y) * part,
            );
            let place = self.map.place_at(Point::new(x, y));
            place.is_none_or(|place| self.keeps_to(places, place))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_round_a_bear_is_not_pulled_through_it() {
        let level = |enemy: &str| {
            let map = "map = { rows = ['.......', '.......', '.......', '.......'] }";
            let text = format!("format = 1\nstart = [0, 3]\ngoal = {{ all = [] }}\n{map}\n{enemy}");
            Scenario::parse(&text).unwrap()
        };
        // Up, along the first row, and down again.
        let way = [21, 15, 9, 3, 11, 19, 27];
        let bear = level("[[enemy]]\nid = 'bear'\nkind = 'bear'\nat = [3, 3]");
        let drawn = bear.pulled_straight(&way);
        assert!(drawn.contains(&Point::new(3.0, 0.0)), "{drawn:?}");
        let (start, end) = (Point::new(0.0, 3.0), Point::new(6.0, 3.0));
        assert_eq!(level("").pulled_straight(&way), [start, end]);
    }
}
