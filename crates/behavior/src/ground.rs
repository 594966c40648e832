//! The map of a scenario as demonstrations ask about it: how long it takes from here to there.

use std::collections::BTreeMap;
use std::sync::Arc;

use apprentice_experience::{Place, Straight, Ways, WaysTo};
use apprentice_search::Budget;
use apprentice_world::{AgentId, DistanceField, Map, Quest, Situation, Spot};

/// A place of the map as demonstrations see it. Where floors lie above each other it is as high as
/// its floor; on a flat level heights mean nothing, and all of it is at height 0.
///
/// ```
/// use apprentice_behavior::place_in;
/// use apprentice_experience::Place;
/// use apprentice_world::{GridMap, Map};
///
/// let map = Map::Grid(GridMap::from_rows(&["....", "...."])?);
/// assert_eq!(place_in(&map, 5), Place::flat(1.0, 1.0));
/// # Ok::<(), apprentice_world::MapError>(())
/// ```
pub fn place_in(map: &Map, place: usize) -> Place {
    seen(map, map.spot_of(place))
}

/// Where one is in a state of a quest, as demonstrations see it.
#[inline]
pub(crate) fn place_of<Q: Quest>(quest: &Q, state: &Q::State) -> Place {
    let at = quest.position(state);
    match quest.scenario().map() {
        Map::Mesh(mesh) if !mesh.is_flat() => {
            let height = quest.scenario().map().height_of(quest.place(state));
            Place::new(at.x, at.y, height)
        }
        _ => Place::flat(at.x, at.y),
    }
}

/// A spot of the map as demonstrations see it.
pub(crate) fn seen(map: &Map, spot: Spot) -> Place {
    let height = spot.height.filter(|_| !map.is_flat());
    Place::new(spot.x, spot.y, height.unwrap_or(0.0))
}

/// Where on the map something is that a demonstration shows.
pub(crate) fn spot_of(map: &Map, place: Place) -> Spot {
    Spot {
        x: place.x,
        y: place.y,
        height: (!map.is_flat()).then_some(place.z),
    }
}

/// The place of the map nearest to one that a demonstration shows, on the same floor.
pub(crate) fn nearest_place(map: &Map, place: Place) -> Option<usize> {
    let spot = spot_of(map, place);
    map.place_on_floor(spot.point(), spot.height)
}

/// Shortest ways over a map. Each target takes a sweep over the map, in [`Ground::get_ready`], so
/// that it can be done a little at a time.
#[derive(Clone)]
pub(crate) struct Ground {
    map: Arc<Map>,
    speed: f64,
    known: BTreeMap<[u64; 3], Arc<FieldTo>>,
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

    /// The least time between two places: nobody is faster through space.
    pub(crate) fn straight(&self) -> Straight {
        straight(&self.map, self.speed)
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

    /// Where an agent is, to the whole cell or metre and on its floor, and a number for it: whoever
    /// moves is looked for square by square, a sweep for each.
    pub(crate) fn square_of<S: Situation>(&self, situation: &S, agent: AgentId) -> (u64, Place) {
        let at = situation.position(agent);
        let at = Spot {
            x: at.x.round(),
            y: at.y.round(),
            height: Some(situation.height(agent)),
        };
        let at = seen(&self.map, at);
        // Squares of one floor are nearer to each other than storeys are.
        let floor = (at.z / Place::STOREY).round();
        let at = Place {
            z: floor * Place::STOREY,
            ..at
        };
        let part = |value: f64, bits: u32| value as i64 as u64 & ((1 << bits) - 1);
        let number = part(at.x, 24) << 40 | part(at.y, 24) << 16 | part(floor, 16);
        (number, at)
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
        nearest_place(&self.map, target)
    }

    fn to_one(&self, target: Place, field: DistanceField) -> FieldTo {
        let last = self.nearest(target);
        let last = last.map(|place| place_in(&self.map, place));
        let rest = last.map_or(f64::INFINITY, |last| target.distance_to(last));
        FieldTo {
            map: self.map.clone(),
            field,
            speed: self.speed,
            beyond: (rest > 0.0).then_some((target, rest / self.speed)),
        }
    }
}

/// The least time between two places of a map at a speed over the ground.
pub(crate) fn straight(map: &Map, speed: f64) -> Straight {
    Straight {
        top_speed: map.speed_through_space(speed),
    }
}

fn key(place: Place) -> [u64; 3] {
    [place.x, place.y, place.z].map(f64::to_bits)
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
            Some((_, seconds)) => self.field.from(&self.map, spot_of(&self.map, place)) + seconds,
            None => self.field.from(&self.map, spot_of(&self.map, place)),
        }
    }

    fn way(&self, place: Place) -> Vec<Place> {
        let way = self.field.way(&self.map, spot_of(&self.map, place));
        let way = way.into_iter().map(|spot| seen(&self.map, spot));
        let mut way: Vec<Place> = way.collect();
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
