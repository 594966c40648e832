//! Shortest ways over a ground, as demonstrations ask for them: how long it takes from here to there.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use apprentice_experience::{Place, Straight, Ways, WaysTo};
use apprentice_game::{DistanceField, Game, Ground, OutwardField};
use apprentice_search::Budget;

/// A number for a level and the speed at which it is crossed: what is swept for one serves only there.
pub(crate) fn level_of<Q: Game>(game: &Q) -> u64 {
    game.level().wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ game.top_speed().to_bits()
}

/// The places at most `radius` from somewhere, on its floor.
pub(crate) fn around<G: Ground>(ground: &G, at: Place, radius: f64) -> Vec<usize> {
    let height = (!ground.is_flat()).then_some(at.z);
    ground.within(at.x, at.y, height, radius)
}

/// Shortest ways over a ground. Each target takes a sweep over the map, in [`GroundWays::get_ready`], so
/// that it can be done a little at a time.
#[derive(Clone)]
pub(crate) struct GroundWays<G> {
    ground: Arc<G>,
    speed: f64,
    known: BTreeMap<[u64; 3], Arc<FieldTo<G>>>,
    sweeping: Option<(Place, DistanceField)>,
    /// The ways from some places, for those who chase.
    outward: BTreeMap<[u64; 3], Arc<OutwardField>>,
    spreading: Option<(Place, OutwardField)>,
}

/// The ways to one place, or to the nearest of some.
struct FieldTo<G> {
    ground: Arc<G>,
    field: DistanceField,
    speed: f64,
    /// Where the last step off the map leads, and how long it takes; if the target is off the map.
    beyond: Option<(Place, f64)>,
}

impl<G: Ground> GroundWays<G> {
    pub(crate) fn new(ground: Arc<G>, speed: f64) -> GroundWays<G> {
        GroundWays {
            ground,
            speed,
            known: BTreeMap::new(),
            sweeping: None,
            outward: BTreeMap::new(),
            spreading: None,
        }
    }

    pub(crate) fn ground(&self) -> &Arc<G> {
        &self.ground
    }

    /// The least time between two places: nobody is faster through space.
    pub(crate) fn straight(&self) -> Straight {
        straight(&*self.ground, self.speed)
    }

    /// Sweeps the ways to a target if they are not known; one unit of budget for each place. False:
    /// the budget is spent, call again.
    pub(crate) fn get_ready(&mut self, target: Place, budget: &mut Budget<'_>) -> bool {
        if self.known.contains_key(&key(target)) {
            return true;
        }
        let mut field = match self.sweeping.take() {
            Some((swept, field)) if swept == target => field,
            _ => DistanceField::to(&*self.ground, self.ground.nearest(target), self.speed),
        };
        if !field.sweep(&*self.ground, budget) {
            self.sweeping = Some((target, field));
            return false;
        }
        let ways = Arc::new(self.to_one(target, field));
        self.known.insert(key(target), ways);
        true
    }

    /// Sweeps the ways from a place if they are not known, so that those from there to a goal that
    /// moves need no sweep, wherever it goes; one unit of budget for each place. False: the budget is
    /// spent, call again.
    pub(crate) fn get_ready_from(&mut self, from: Place, budget: &mut Budget<'_>) -> bool {
        if self.outward.contains_key(&key(from)) {
            return true;
        }
        let mut field = match self.spreading.take() {
            Some((swept, field)) if swept == from => field,
            _ => {
                let entrances = self.entrances(from).into_iter();
                OutwardField::from(entrances, self.speed)
            }
        };
        if !field.sweep(&*self.ground, budget) {
            self.spreading = Some((from, field));
            return false;
        }
        self.outward.insert(key(from), Arc::new(field));
        true
    }

    /// The places at which one who begins somewhere enters the map, and the seconds to them.
    fn entrances(&self, from: Place) -> Vec<(usize, f64)> {
        let nearest = self.ground.entrances(from);
        if let Some((0.0, place)) = nearest[0] {
            return vec![(place, 0.0)];
        }
        let nearest = nearest.into_iter().flatten();
        nearest
            .map(|(distance, place)| (place, distance / self.speed))
            .collect()
    }

    /// The ways to a goal that is there for a while. From where [`GroundWays::get_ready_from`] has been
    /// they are looked up; from elsewhere they are swept when they are first asked for.
    pub(crate) fn chased(self: &Arc<GroundWays<G>>, target: Place) -> Arc<dyn WaysTo> {
        let place = self.ground.nearest(target);
        let last = place.map(|place| self.ground.at(place));
        Arc::new(WaysToChased {
            ways: self.clone(),
            target,
            rest: last.map_or(0.0, |last| last.distance_to(target) / self.speed),
            place,
            swept: OnceLock::new(),
        })
    }

    /// Where somebody is, to the whole cell or metre and on its floor, and a number for it: whoever
    /// moves is looked for square by square.
    pub(crate) fn square_of(&self, at: Place) -> (u64, Place) {
        let at = Place {
            x: at.x.round(),
            y: at.y.round(),
            z: at.z,
        };
        // Where floors lie above each other, its height says which is its own.
        if !self.ground.is_flat()
            && let Some(place) = self.ground.nearest(at)
        {
            return (u64::MAX - place as u64, self.ground.at(place));
        }
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
            ground: self.ground.clone(),
            field,
            speed: self.speed,
            beyond: None,
        })
    }

    fn to_one(&self, target: Place, field: DistanceField) -> FieldTo<G> {
        let last = self.ground.nearest(target);
        let last = last.map(|place| self.ground.at(place));
        let rest = last.map_or(f64::INFINITY, |last| target.distance_to(last));
        FieldTo {
            ground: self.ground.clone(),
            field,
            speed: self.speed,
            beyond: (rest > 0.0).then_some((target, rest / self.speed)),
        }
    }
}

/// The least time between two places at a speed over the ground.
pub(crate) fn straight<G: Ground>(ground: &G, speed: f64) -> Straight {
    Straight {
        top_speed: ground.speed_through_space(speed),
    }
}

fn key(place: Place) -> [u64; 3] {
    [place.x, place.y, place.z].map(f64::to_bits)
}

impl<G: Ground> Ways for GroundWays<G> {
    fn to(&self, target: Place) -> Arc<dyn WaysTo> {
        if let Some(known) = self.known.get(&key(target)) {
            return known.clone();
        }
        // Nobody said that this target would be asked for: the sweep is made here and now.
        let mut field = DistanceField::to(&*self.ground, self.ground.nearest(target), self.speed);
        field.sweep(&*self.ground, &mut Budget::unlimited());
        Arc::new(self.to_one(target, field))
    }
}

/// The ways to a goal that moves, while it is in one square.
struct WaysToChased<G> {
    ways: Arc<GroundWays<G>>,
    target: Place,
    /// The place the square belongs to, and the seconds from there to its middle.
    place: Option<usize>,
    rest: f64,
    swept: OnceLock<Arc<dyn WaysTo>>,
}

impl<G: Ground> WaysToChased<G> {
    /// The ways from a place that were swept beforehand, and where they are to lead.
    fn outward(&self, from: Place) -> Option<(&OutwardField, usize)> {
        let field = self.ways.outward.get(&key(from))?;
        Some((field, self.place?))
    }

    fn swept(&self) -> &dyn WaysTo {
        &**self.swept.get_or_init(|| self.ways.to(self.target))
    }
}

impl<G: Ground> WaysTo for WaysToChased<G> {
    fn from(&self, place: Place) -> f64 {
        match self.outward(place) {
            Some((field, to)) => field.at(to).as_seconds() + self.rest,
            None => self.swept().from(place),
        }
    }

    fn way(&self, place: Place) -> Vec<Place> {
        let Some((field, to)) = self.outward(place) else {
            return self.swept().way(place);
        };
        let ground = &*self.ways.ground;
        let way = field.way(ground, to).into_iter();
        let mut way: Vec<Place> = way.map(|place| ground.at(place)).collect();
        match way.first() {
            Some(first) if *first != place => way.insert(0, place),
            Some(_) => {}
            None => return way,
        }
        if self.rest > 0.0 {
            way.push(self.target);
        }
        way
    }
}

impl<G: Ground> WaysTo for FieldTo<G> {
    fn from(&self, place: Place) -> f64 {
        match self.beyond {
            // Far off the map there is nothing but the straight line.
            Some((target, seconds)) if seconds.is_infinite() => {
                place.distance_to(target) / self.speed
            }
            Some((_, seconds)) => self.field.from(&*self.ground, place) + seconds,
            None => self.field.from(&*self.ground, place),
        }
    }

    fn way(&self, place: Place) -> Vec<Place> {
        let mut way = self.field.way(&*self.ground, place);
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
    use apprentice_world::{GridMap, Map};

    fn ground() -> GroundWays<Map> {
        let map = Map::Grid(GridMap::from_rows(&["...", ".#.", "..."]).unwrap());
        GroundWays::new(Arc::new(map), 1.0)
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
    fn whoever_chases_needs_no_sweep_for_each_square() {
        let mut rows = vec![".".repeat(30); 20];
        for row in &mut rows[3..17] {
            row.replace_range(12..13, "#");
        }
        let map = Map::Grid(GridMap::from_rows(&rows).unwrap());
        let mut ground = GroundWays::new(Arc::new(map), 1.5);
        // On a place, between places, and off the map.
        let ends = [(2.0, 10.0), (3.4, 8.7), (-2.0, 5.0)].map(|(x, y)| Place::flat(x, y));
        for end in ends {
            let mut calls = 1;
            while !ground.get_ready_from(end, &mut Budget::units(100)) {
                calls += 1;
            }
            // One unit a place, and a hundred in each call.
            assert_eq!(calls, (20 * 30 - 14) / 100 + 1);
        }
        let ground = Arc::new(ground);
        let place = ground.ground.nearest(ends[0]);
        for (x, y) in [
            (20.0, 10.0),
            (13.0, 4.0),
            (2.0, 10.0),
            (12.0, 10.0),
            (29.0, 20.0),
        ] {
            let goal = Place::flat(x, y);
            let plain = ground.to(goal);
            let chased = WaysToChased {
                ways: ground.clone(),
                target: goal,
                rest: 0.0,
                place,
                swept: OnceLock::new(),
            };
            let looked_up = ground.chased(goal);
            for end in ends {
                let (one, other) = (looked_up.from(end), plain.from(end));
                assert!(
                    (one - other).abs() < 2e-9,
                    "{one} and {other} from {end} to {goal}"
                );
                let length = |way: &[Place]| -> f64 {
                    let pieces = way.windows(2);
                    pieces.map(|pair| pair[0].distance_to(pair[1])).sum()
                };
                let (way, same) = (looked_up.way(end), plain.way(end));
                assert!(
                    (length(&way) - length(&same)).abs() < 1e-6,
                    "{way:?} and {same:?}"
                );
                assert_eq!((way.first(), way.last()), (same.first(), same.last()));
                // Whatever was made ready is looked up.
                chased.from(end);
                chased.way(end);
            }
            assert!(chased.swept.get().is_none(), "nothing was swept");
            // Elsewhere it is swept.
            let here = Place::flat(5.0, 5.0);
            assert_eq!(looked_up.from(here), plain.from(here));
            chased.from(here);
            assert!(chased.swept.get().is_some());
        }
    }

    #[test]
    fn a_sweep_keeps_its_budget() {
        let mut ground = ground();
        let target = Place::flat(2.0, 2.0);
        let mut calls = 1;
        while !ground.get_ready(target, &mut Budget::units(3)) {
            calls += 1;
        }
        assert_eq!(calls, 3);
    }
}
