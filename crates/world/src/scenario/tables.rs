//! What is worked out once from a scenario, so that rules need not look through lists.

use std::sync::{Arc, OnceLock};

use super::Counts;
use super::hindrances::Hindrances;
use crate::hunting_ground::{HuntingGround, radius_for};
use crate::regions::Regions;
use crate::{
    AgentId, Beast, Enemy, GridMap, ItemId, ItemKind, LeverId, Manner, Obstacle, Point, Scenario,
};

/// What is worked out once, so that rules need not look through lists.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    /// What is special about each place: a set of `marks`.
    marks: Vec<u8>,
    /// Carriers of a shield hold one of these.
    pub(crate) shields: u32,
    /// Enemies by their slot.
    pub(crate) beasts: Vec<u16>,
    pub(crate) guards: Vec<u16>,
    /// How much a second counts where, for each of those who take orders; empty where there are no areas.
    pub(crate) counts: Vec<Option<Counts>>,
    /// Whether there is anybody whom plans must not let die.
    pub(crate) some_must_survive: bool,
    /// A number that tells this map from others.
    pub(crate) map_digest: u64,
    /// West and north of everything there is, at whole metres.
    pub(crate) origin: Point,
    /// After this many nanoseconds everything that goes by the clock repeats; 1 if nothing does.
    pub(crate) repeats_after: u64,
    /// Only where somebody hunts.
    pub(crate) hindrances: Hindrances,
    /// Worked out when the first quest in which nothing moves is made.
    regions: OnceLock<Regions>,
}

/// What can be special about a place.
pub(crate) mod marks {
    /// A door, or the path of an obstacle.
    pub(crate) const SHUTS: u8 = 1;
    /// Beside such a place: a diagonal step may be cut off.
    pub(crate) const NEAR_SHUTS: u8 = 2;
    /// An item is within reach.
    pub(crate) const ITEM: u8 = 4;
    /// A lever is within reach.
    pub(crate) const LEVER: u8 = 8;
    /// A guard or a trap may strike here.
    pub(crate) const DANGER: u8 = 16;
}

impl Scenario {
    /// How many bits tell which traps have sprung for good: none where none does.
    pub(crate) fn bits_of_traps(&self) -> u32 {
        let last = self.traps.iter().rposition(|trap| trap.springs_once);
        last.map_or(0, |last| last as u32 + 1)
    }

    #[inline]
    pub(crate) fn marks_at(&self, index: usize) -> u8 {
        self.tables.marks[index]
    }

    /// What is special about each place.
    pub(crate) fn marks(&self) -> &[u8] {
        &self.tables.marks
    }

    /// The parts of this scenario's grid.
    pub(crate) fn regions(&self, grid: &GridMap) -> &Regions {
        let regions = &self.tables.regions;
        regions.get_or_init(|| Regions::new(self, grid))
    }

    #[inline]
    pub(crate) fn beast(&self, slot: usize) -> (&Enemy, &Beast) {
        let enemy = &self.enemies[usize::from(self.tables.beasts[slot])];
        match &enemy.kind.manner {
            Manner::Beast(beast) => (enemy, beast),
            Manner::Guard(_) => unreachable!("only beasts have a slot"),
        }
    }

    /// Must be called after anything has moved, come or gone.
    pub(crate) fn work_out_tables(&mut self) {
        // The map never changes, and telling it takes longer than all the rest.
        let known = (!self.tables.marks.is_empty()).then_some(self.tables.map_digest);
        self.work_out_tables_with(known);
    }

    /// The same where the digest of the map may be known.
    pub(crate) fn work_out_tables_with(&mut self, map_digest: Option<u64>) {
        let map = Arc::clone(&self.map);
        let (first, _) = map.bounds();
        let map_digest = map_digest.unwrap_or_else(|| map.digest());
        let mut tables = Tables {
            marks: vec![0; map.places()],
            repeats_after: 1,
            map_digest,
            some_must_survive: self.actors.iter().any(|actor| actor.must_survive),
            origin: Point::new(first.x.floor() - 1.0, first.y.floor() - 1.0),
            ..Tables::default()
        };
        if !self.areas.is_empty() {
            let actors = (0..self.actors.len() as u16).map(AgentId::Actor);
            let counts = actors.map(|actor| Counts::new(&self.areas, actor, map.places()));
            tables.counts = counts.collect();
        }
        let mut shuts: Vec<usize> = Vec::new();
        shuts.extend(self.doors.iter().flat_map(|door| &door.places));
        for obstacle in &*self.obstacles {
            let around = |place: &usize| map.places_within(map.point_of(*place), obstacle.radius);
            shuts.extend(obstacle.path.iter().flat_map(around));
        }
        let is_beast = |enemy: &Enemy| matches!(enemy.kind.manner, Manner::Beast(_));
        if self.enemies.iter().any(is_beast) {
            tables.hindrances = Hindrances::new(&map, &shuts);
        }
        for place in shuts {
            tables.marks[place] |= marks::SHUTS | marks::NEAR_SHUTS;
            for near in map.places_beside(place) {
                tables.marks[near] |= marks::NEAR_SHUTS;
            }
        }
        for (number, item) in self.items.iter().enumerate() {
            let bit = ItemId::new(number as u8).bit();
            if self.absent & bit == 0 {
                for place in self.places_at_hand(ItemId::new(number as u8)) {
                    tables.marks[place] |= marks::ITEM;
                }
            }
            if item.kind == ItemKind::Shield {
                tables.shields |= bit;
            }
        }
        for lever in (0..self.levers.len() as u8).map(LeverId::new) {
            for place in self.places_at_lever(lever) {
                tables.marks[place] |= marks::LEVER;
            }
        }
        for trap in &*self.traps {
            for place in &trap.places {
                tables.marks[*place] |= marks::DANGER;
            }
        }
        let mut slots = Vec::new();
        for (number, enemy) in self.enemies.iter().enumerate() {
            match &enemy.kind.manner {
                Manner::Guard(guard) => {
                    tables.guards.push(number as u16);
                    let radius = guard.radius.max(guard.sneak_radius);
                    for place in map.places_within(enemy.home, radius) {
                        tables.marks[place] |= marks::DANGER;
                    }
                    slots.push(None);
                }
                Manner::Beast(_) => {
                    slots.push(Some(tables.beasts.len() as u16));
                    tables.beasts.push(number as u16);
                }
            }
        }
        let lengths = self
            .doors
            .iter()
            .filter_map(|door| door.cycle)
            .map(|cycle| cycle.length());
        for length in lengths.chain(self.obstacles.iter().map(Obstacle::length)) {
            tables.repeats_after = least_common_multiple(tables.repeats_after, length);
        }
        for (enemy, slot) in Arc::make_mut(&mut self.enemies).iter_mut().zip(slots) {
            enemy.slot = slot;
        }
        self.tables = Arc::new(tables);
        self.known = Arc::default();
        self.work_out_hunting_grounds();
    }

    fn work_out_hunting_grounds(&mut self) {
        let map = Arc::clone(&self.map);
        for enemy in Arc::make_mut(&mut self.enemies) {
            let Manner::Beast(beast) = &enemy.kind.manner else {
                continue;
            };
            if enemy.ground.is_none() {
                let radius = radius_for(beast.leash, beast.reach);
                let ground = HuntingGround::around(&map, enemy.place as usize, radius);
                enemy.ground = Some(Arc::new(ground));
            }
        }
    }
}

/// Saturates: what repeats after 584 years does not repeat.
fn least_common_multiple(a: u64, b: u64) -> u64 {
    let (mut divisor, mut rest) = (a, b);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (a / divisor.max(1)).saturating_mul(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_repeat_together() {
        assert_eq!(least_common_multiple(1, 6), 6);
        assert_eq!(least_common_multiple(4, 6), 12);
        assert_eq!(least_common_multiple(u64::MAX, 2), u64::MAX);
    }
}
