//! The ground around an enemy's home, and its ways over it.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::{Map, Point};

/// The places around an enemy's home that it may come to, and for each of them the ways that lead
/// there. A way is worked out when it is first asked for and kept from then on, so that a search
/// that simulates thousands of hunts looks them up.
#[derive(Debug)]
pub(crate) struct HuntingGround {
    /// In ascending order.
    places: Vec<u32>,
    /// The ranks of all places from the first to the last of them.
    ranks: Vec<u16>,
    /// The ranks of each place's neighbours by direction; diagonals have odd numbers.
    neighbors: Vec<[u16; 8]>,
    /// For each target, the rank of the next place on the way there from each place.
    ways: Vec<OnceLock<Box<[u16]>>>,
}

/// Enough for a disc of twenty metres on half-metre footholds, and few enough that the ways between
/// all of them could be kept.
const MOST_PLACES: usize = 8192;
/// No place, no way.
const NONE: u16 = u16::MAX;
/// The lengths of straight and of diagonal steps: the square root of two to four digits. In whole
/// numbers, ways can be worked out in one pass over a ring of buckets.
const LENGTHS: [usize; 2] = [29, 41];
/// One more than the longest step.
const BUCKETS: usize = LENGTHS[1] + 1;

impl HuntingGround {
    /// The ground at most `radius` from a home, as far as one can walk there and back.
    pub(crate) fn around(map: &Map, home: usize, radius: f64) -> HuntingGround {
        let middle = map.point_of(home);
        let mut places = vec![home as u32];
        let mut met = BTreeSet::from([home as u32]);
        let mut next = 0;
        // Step by step around the home, so that what is left out is what is farthest.
        while let Some(place) = places.get(next).copied() {
            next += 1;
            for (_, to) in map.level_steps(place as usize) {
                let is_near = map.point_of(to).distance_to(middle) <= radius;
                if is_near && places.len() < MOST_PLACES && met.insert(to as u32) {
                    places.push(to as u32);
                }
            }
        }
        places.sort_unstable();
        let first = places[0] as usize;
        let last = places[places.len() - 1] as usize;
        let mut ranks = vec![NONE; last - first + 1];
        for (rank, place) in places.iter().enumerate() {
            ranks[*place as usize - first] = rank as u16;
        }
        let rank = |place: usize| {
            let rank = place
                .checked_sub(first)
                .and_then(|number| ranks.get(number));
            rank.copied().unwrap_or(NONE)
        };
        let around = |place: &u32| {
            let mut beside = [NONE; 8];
            for (direction, to) in map.level_steps(*place as usize) {
                beside[direction as usize] = rank(to);
            }
            beside
        };
        HuntingGround {
            neighbors: places.iter().map(around).collect(),
            ways: places.iter().map(|_| OnceLock::new()).collect(),
            places,
            ranks,
        }
    }

    pub(crate) fn places(&self) -> &[u32] {
        &self.places
    }

    pub(crate) fn contains(&self, place: usize) -> bool {
        self.rank(place).is_some()
    }

    fn rank(&self, place: usize) -> Option<usize> {
        let number = place.checked_sub(self.places[0] as usize)?;
        let rank = *self.ranks.get(number)?;
        (rank != NONE).then_some(usize::from(rank))
    }

    /// The next place on the shortest way between two; `None` if they are the same, or one of them
    /// is elsewhere.
    pub(crate) fn next(&self, from: usize, to: usize) -> Option<usize> {
        let (from, to) = (self.rank(from)?, self.rank(to)?);
        if from == to {
            return None;
        }
        let way = self.ways[to].get_or_init(|| self.work_out(to));
        (way[from] != NONE).then(|| self.places[usize::from(way[from])] as usize)
    }

    /// The next place from everywhere to one target. Level steps lead both ways, so the sweep from
    /// the target outwards is also the sweep towards it.
    fn work_out(&self, target: usize) -> Box<[u16]> {
        let mut lengths = vec![usize::MAX; self.places.len()];
        let mut next = vec![NONE; self.places.len()].into_boxed_slice();
        let mut ring: [Vec<u16>; BUCKETS] = std::array::from_fn(|_| Vec::new());
        lengths[target] = 0;
        ring[0].push(target as u16);
        let (mut length, mut empty) = (0, 0);
        while empty < BUCKETS {
            let bucket = std::mem::take(&mut ring[length % BUCKETS]);
            empty = if bucket.is_empty() { empty + 1 } else { 0 };
            for rank in bucket {
                if lengths[usize::from(rank)] != length {
                    continue;
                }
                for (direction, from) in self.neighbors[usize::from(rank)].iter().enumerate() {
                    let longer = length + LENGTHS[direction & 1];
                    if *from != NONE && longer < lengths[usize::from(*from)] {
                        lengths[usize::from(*from)] = longer;
                        next[usize::from(*from)] = rank;
                        ring[longer % BUCKETS].push(*from);
                    }
                }
            }
            length += 1;
        }
        next
    }
}

/// How far from its home the ground of an enemy reaches: the leash, and room to go round what is in
/// the way.
pub(crate) fn radius_for(leash: f64, reach: f64) -> f64 {
    leash + reach + 5.0
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
        while let Some(next) = ground.next(place, 18) {
            place = next;
            way.push(next);
        }
        assert_eq!(way, [11, 12, 17, 18]);
        assert_eq!(ground.next(10, 13), None, "a wall is no target");
    }

    #[test]
    fn the_ground_ends_at_its_radius() {
        let map = Map::Grid(GridMap::from_rows(&[".........."]).unwrap());
        let ground = HuntingGround::around(&map, 0, 3.0);
        assert_eq!(ground.places, [0, 1, 2, 3]);
        assert_eq!(ground.next(0, 5), None);
    }
}
