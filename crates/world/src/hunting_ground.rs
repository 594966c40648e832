//! The ground around an enemy's home, and its ways over it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::OnceLock;

use crate::{Map, Point};

/// The places around an enemy's home that it may come to, and for each of them the ways that lead
/// there. A way is worked out when it is first asked for and kept from then on, so that a search
/// that simulates thousands of hunts looks them up.
#[derive(Debug)]
pub(crate) struct HuntingGround {
    /// In ascending order.
    places: Vec<u32>,
    /// For each target, the rank of the next place on the way there from each place.
    ways: Vec<OnceLock<Box<[u16]>>>,
}

/// Enough for a disc of twenty metres on half-metre footholds, and few enough that the ways between
/// all of them could be kept.
const MOST_PLACES: usize = 8192;
/// No way.
const NO_WAY: u16 = u16::MAX;

impl HuntingGround {
    /// The ground at most `radius` from a home, as far as one can walk there and back.
    pub(crate) fn around(map: &Map, home: usize, radius: f64) -> HuntingGround {
        let middle = map.point_of(home);
        let mut places = vec![home as u32];
        let mut met = std::collections::BTreeSet::from([home as u32]);
        let mut next = 0;
        // Step by step around the home, so that what is left out is what is farthest.
        while let Some(place) = places.get(next).copied() {
            next += 1;
            for step in map.level_steps(place as usize) {
                let is_near = map.point_of(step.place).distance_to(middle) <= radius;
                if is_near && places.len() < MOST_PLACES && met.insert(step.place as u32) {
                    places.push(step.place as u32);
                }
            }
        }
        places.sort_unstable();
        let ways = places.iter().map(|_| OnceLock::new()).collect();
        HuntingGround { places, ways }
    }

    /// The next place on the shortest way between two; `None` if they are the same, or one of them
    /// is elsewhere.
    pub(crate) fn next(&self, map: &Map, from: usize, to: usize) -> Option<usize> {
        let rank = |place: usize| self.places.binary_search(&(place as u32)).ok();
        let (from, to) = (rank(from)?, rank(to)?);
        if from == to {
            return None;
        }
        let way = self.ways[to].get_or_init(|| self.work_out(map, to));
        (way[from] != NO_WAY).then(|| self.places[usize::from(way[from])] as usize)
    }

    /// The next place from everywhere to one target. Level steps lead both ways, so the sweep from
    /// the target outwards is also the sweep towards it.
    fn work_out(&self, map: &Map, target: usize) -> Box<[u16]> {
        let mut lengths = vec![f64::INFINITY; self.places.len()];
        let mut next = vec![NO_WAY; self.places.len()].into_boxed_slice();
        lengths[target] = 0.0;
        let mut open = BinaryHeap::from([Reverse((Length(0.0), target as u32))]);
        while let Some(Reverse((Length(length), rank))) = open.pop() {
            let rank = rank as usize;
            if length > lengths[rank] {
                continue;
            }
            for step in map.level_steps(self.places[rank] as usize) {
                let Ok(from) = self.places.binary_search(&(step.place as u32)) else {
                    continue;
                };
                let longer = length + step.length;
                if longer < lengths[from] {
                    lengths[from] = longer;
                    next[from] = rank as u16;
                    open.push(Reverse((Length(longer), from as u32)));
                }
            }
        }
        next
    }
}

/// How long a way is; never not a number.
#[derive(Clone, Copy, PartialEq)]
struct Length(f64);

impl Eq for Length {}

impl PartialOrd for Length {
    fn partial_cmp(&self, other: &Length) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Length {
    fn cmp(&self, other: &Length) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// How far from its home the ground of an enemy reaches: the leash, and room to go round what is in
/// the way.
pub(crate) fn radius_for(leash: f64, reach: f64) -> f64 {
    1.5 * leash + reach + 5.0
}

/// A point that is `far` from one point towards another, or that other point if it is nearer.
pub(crate) fn towards(from: Point, to: Point, far: f64) -> Point {
    let distance = from.distance_to(to);
    if distance <= far {
        return to;
    }
    let part = far / distance;
    Point::new(
        from.x + (to.x - from.x) * part,
        from.y + (to.y - from.y) * part,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GridMap;

    #[test]
    fn the_way_goes_round_a_wall() {
        let grid = GridMap::from_rows(&[".....", ".###.", "...#.", ".#..."]).unwrap();
        let map = Map::Grid(grid);
        let ground = HuntingGround::around(&map, 10, 20.0);
        let (mut place, mut way) = (10, Vec::new());
        while let Some(next) = ground.next(&map, place, 18) {
            place = next;
            way.push(next);
        }
        assert_eq!(way, [11, 12, 17, 18]);
        assert_eq!(ground.next(&map, 10, 13), None, "a wall is no target");
    }

    #[test]
    fn the_ground_ends_at_its_radius() {
        let map = Map::Grid(GridMap::from_rows(&[".........."]).unwrap());
        let ground = HuntingGround::around(&map, 0, 3.0);
        assert_eq!(ground.places, [0, 1, 2, 3]);
        assert_eq!(ground.next(&map, 0, 5), None);
    }
}
