//! The map of a scenario as demonstrations ask about it: how long it takes from here to there.

use std::collections::BTreeMap;
use std::sync::Arc;

use apprentice_experience::{Place, Ways, WaysTo};
use apprentice_search::Budget;
use apprentice_world::{DistanceField, Map, Point};

/// A point of the map as demonstrations see it.
pub(crate) fn place_of(point: Point) -> Place {
    Place::flat(point.x, point.y)
}

/// Shortest ways over a map. Each target takes a sweep over the map, in [`Ground::get_ready`], so
/// that it can be done a little at a time.
#[derive(Clone)]
pub(crate) struct Ground {
    map: Arc<Map>,
    speed: f64,
    known: BTreeMap<[u64; 2], Arc<FieldTo>>,
    sweeping: Option<(Place, DistanceField)>,
}

/// The ways to one place, or to the nearest of some.
struct FieldTo {
    map: Arc<Map>,
    field: DistanceField,
    speed: f64,
    /// Where the last step off the map leads, and how long it takes; if the target is off the map.
    beyond: Option<(Place, f64)>,
}

impl Ground {
    pub(crate) fn new(map: Arc<Map>, speed: f64) -> Ground {
        Ground {
            map,
            speed,
            known: BTreeMap::new(),
            sweeping: None,
        }
    }

    /// The speed ways are taken at.
    pub(crate) fn speed(&self) -> f64 {
        self.speed
    }

    /// Sweeps the ways to a target if they are not known; one unit of budget for each place. False:
    /// the budget is spent, call again.
    pub(crate) fn get_ready(&mut self, target: Place, budget: &mut Budget<'_>) -> bool {
        if self.known.contains_key(&key(target)) {
            return true;
        }
        let mut field = match self.sweeping.take() {
            Some((swept, field)) if swept == target => field,
            _ => DistanceField::to(&self.map, self.nearest(target), self.speed),
        };
        if !field.sweep(&self.map, budget) {
            self.sweeping = Some((target, field));
            return false;
        }
        let ways = Arc::new(self.to_one(target, field));
        self.known.insert(key(target), ways);
        true
    }

    /// The ways to the nearest of some places, from a field that is swept.
    pub(crate) fn to_nearest(&self, field: DistanceField) -> Arc<dyn WaysTo> {
        Arc::new(FieldTo {
            map: self.map.clone(),
            field,
            speed: self.speed,
            beyond: None,
        })
    }

    fn nearest(&self, target: Place) -> Option<usize> {
        self.map.place_at(Point::new(target.x, target.y))
    }

    fn to_one(&self, target: Place, field: DistanceField) -> FieldTo {
        let last = self.nearest(target).map(|place| self.map.point_of(place));
        let rest = last.map_or(f64::INFINITY, |last| target.distance_to(place_of(last)));
        FieldTo {
            map: self.map.clone(),
            field,
            speed: self.speed,
            beyond: (rest > 0.0).then_some((target, rest / self.speed)),
        }
    }
}

fn key(place: Place) -> [u64; 2] {
    [place.x.to_bits(), place.y.to_bits()]
}

impl Ways for Ground {
    fn to(&self, target: Place) -> Arc<dyn WaysTo> {
        if let Some(known) = self.known.get(&key(target)) {
            return known.clone();
        }
        // Nobody said that this target would be asked for: the sweep is made here and now.
        let mut field = DistanceField::to(&self.map, self.nearest(target), self.speed);
        field.sweep(&self.map, &mut Budget::unlimited());
        Arc::new(self.to_one(target, field))
    }
}

impl WaysTo for FieldTo {
    fn from(&self, place: Place) -> f64 {
        match self.beyond {
            // Far off the map there is nothing but the straight line.
            Some((target, seconds)) if seconds.is_infinite() => {
                place.distance_to(target) / self.speed
            }
            Some((_, seconds)) => self.field.from(&self.map, point(place)) + seconds,
            None => self.field.from(&self.map, point(place)),
        }
    }

    fn way(&self, place: Place) -> Vec<Place> {
        let way = self.field.way(&self.map, point(place));
        let mut way: Vec<Place> = way.into_iter().map(place_of).collect();
        match self.beyond {
            Some((target, seconds)) if seconds.is_infinite() => vec![place, target],
            Some((target, _)) if !way.is_empty() => {
                way.push(target);
                way
            }
            _ => way,
        }
    }
}

fn point(place: Place) -> Point {
    Point::new(place.x, place.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use apprentice_world::GridMap;

    fn ground() -> Ground {
        let map = Map::Grid(GridMap::from_rows(&["...", ".#.", "..."]).unwrap());
        Ground::new(Arc::new(map), 1.0)
    }

    #[test]
    fn ways_go_around_walls_and_on_beyond_the_map() {
        let mut ground = ground();
        let target = Place::flat(2.0, -3.0);
        assert!(ground.get_ready(target, &mut Budget::unlimited()));
        let ways = ground.to(target);
        assert_eq!(ways.from(Place::flat(0.0, 0.0)), 5.0);
        let way = ways.way(Place::flat(0.0, 0.0));
        assert_eq!(way.last(), Some(&target));
        assert_eq!(way.len(), 4);
    }

    #[test]
    fn far_from_the_map_ways_are_straight() {
        let ground = ground();
        let ways = ground.to(Place::flat(100.0, 0.0));
        assert_eq!(ways.from(Place::flat(0.0, 0.0)), 100.0);
        assert_eq!(ways.way(Place::flat(0.0, 0.0)).len(), 2);
    }

    #[test]
    fn a_sweep_keeps_its_budget() {
        let mut ground = ground();
        let target = Place::flat(2.0, 2.0);
        let mut calls = 1;
        while !ground.get_ready(target, &mut Budget::expansions(3)) {
            calls += 1;
        }
        assert_eq!(calls, 3);
    }
}
