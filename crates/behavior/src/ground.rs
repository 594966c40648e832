//! The map of a scenario as demonstrations ask about it: how long it takes from here to there.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use apprentice_experience::{Place, Straight, Ways, WaysTo};
use apprentice_search::Budget;
use apprentice_world::{
    AgentId, DistanceField, Map, OutwardField, Quest, Scenario, Situation, Spot, World,
};

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

/// Where somebody is in a world, as demonstrations see it.
///
/// ```
/// use apprentice_behavior::where_is;
/// use apprentice_experience::Place;
/// use apprentice_world::{AgentId, Scenario, World};
///
/// let level = Scenario::parse(
///     "format = 1\nstart = [1, 0]\ngoal = { all = [] }\nmap = { rows = [\"...\"] }",
/// )?;
/// let place = where_is(&level, &World::new(&level), AgentId::NPC);
/// assert_eq!(place, Place::flat(1.0, 0.0));
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
pub fn where_is(scenario: &Scenario, world: &World, agent: AgentId) -> Place {
    let (at, map) = (world.position(agent, scenario), scenario.map());
    let spot = Spot {
        height: Some(map.height_of(world.place(agent, scenario))),
        ..at.into()
    };
    // In the middle of a step it is between two heights.
    let height = map.floor_at(spot).filter(|_| !map.is_flat());
    Place::new(at.x, at.y, height.unwrap_or(0.0))
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
    /// The ways from some places, for those who chase.
    outward: BTreeMap<[u64; 3], Arc<OutwardField>>,
    spreading: Option<(Place, OutwardField)>,
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
            outward: BTreeMap::new(),
            spreading: None,
        }
    }

    pub(crate) fn map(&self) -> &Arc<Map> {
        &self.map
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

    /// Forgets the ways to a target.
    pub(crate) fn forget(&mut self, target: Place) {
        self.known.remove(&key(target));
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
        if !field.sweep(&self.map, budget) {
            self.spreading = Some((from, field));
            return false;
        }
        self.outward.insert(key(from), Arc::new(field));
        true
    }

    /// The places at which one who begins somewhere enters the map, and the seconds to them.
    fn entrances(&self, from: Place) -> Vec<(usize, f64)> {
        let nearest = self
            .map
            .nearest_places::<ENTRANCES>(spot_of(&self.map, from));
        if let Some((0.0, place)) = nearest[0] {
            return vec![(place, 0.0)];
        }
        let nearest = nearest.into_iter().flatten();
        nearest
            .map(|(distance, place)| (place, distance / self.speed))
            .collect()
    }

    /// The ways to a goal that is there for a while. From where [`Ground::get_ready_from`] has been
    /// they are looked up; from elsewhere they are swept when they are first asked for.
    pub(crate) fn chased(self: &Arc<Ground>, target: Place) -> Arc<dyn WaysTo> {
        let place = self.nearest(target);
        let last = place.map(|place| place_in(&self.map, place));
        Arc::new(WaysToChased {
            ground: self.clone(),
            target,
            rest: last.map_or(0.0, |last| last.distance_to(target) / self.speed),
            place,
            swept: OnceLock::new(),
        })
    }

    /// Where an agent is, to the whole cell or metre and on its floor, and a number for it: whoever
    /// moves is looked for square by square.
    pub(crate) fn square_of<S: Situation>(&self, situation: &S, agent: AgentId) -> (u64, Place) {
        let at = situation.position(agent);
        let at = Spot {
            x: at.x.round(),
            y: at.y.round(),
            height: Some(situation.height(agent)),
        };
        let at = seen(&self.map, at);
        // Where floors lie above each other, its height says which is its own.
        if !self.map.is_flat()
            && let Some(place) = self.nearest(at)
        {
            return (u64::MAX - place as u64, place_in(&self.map, place));
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

/// As many places are tried for a way that begins off the map as by [`DistanceField::from`].
const ENTRANCES: usize = 4;

/// The ways to a goal that moves, while it is in one square.
struct WaysToChased {
    ground: Arc<Ground>,
    target: Place,
    /// The place the square belongs to, and the seconds from there to its middle.
    place: Option<usize>,
    rest: f64,
    swept: OnceLock<Arc<dyn WaysTo>>,
}

impl WaysToChased {
    /// The ways from a place that were swept beforehand, and where they are to lead.
    fn outward(&self, from: Place) -> Option<(&OutwardField, usize)> {
        let field = self.ground.outward.get(&key(from))?;
        Some((field, self.place?))
    }

    fn swept(&self) -> &dyn WaysTo {
        &**self.swept.get_or_init(|| self.ground.to(self.target))
    }
}

impl WaysTo for WaysToChased {
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
        let map = &self.ground.map;
        let way = field.way(map, to).into_iter();
        let mut way: Vec<Place> = way.map(|place| place_in(map, place)).collect();
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
    fn whoever_chases_needs_no_sweep_for_each_square() {
        let mut rows = vec![".".repeat(30); 20];
        for row in &mut rows[3..17] {
            row.replace_range(12..13, "#");
        }
        let map = Map::Grid(GridMap::from_rows(&rows).unwrap());
        let mut ground = Ground::new(Arc::new(map), 1.5);
        // On a place, between places, and off the map.
        let ends = [(2.0, 10.0), (3.4, 8.7), (-2.0, 5.0)].map(|(x, y)| Place::flat(x, y));
        for end in ends {
            let mut calls = 1;
            while !ground.get_ready_from(end, &mut Budget::expansions(100)) {
                calls += 1;
            }
            // One unit a place, and a hundred in each call.
            assert_eq!(calls, (20 * 30 - 14) / 100 + 1);
        }
        let ground = Arc::new(ground);
        let place = nearest_place(&ground.map, ends[0]);
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
                ground: ground.clone(),
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
        while !ground.get_ready(target, &mut Budget::expansions(3)) {
            calls += 1;
        }
        assert_eq!(calls, 3);
    }
}
