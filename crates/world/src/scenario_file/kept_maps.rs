//! Maps that were made already, for those who read nearly the same level again and again.

use std::sync::Arc;

use crate::hunting_ground::{HuntingGround, radius_for};
use crate::{Enemy, GridMap, Manner, Map, NavMeshParts, Scenario};

/// Maps that were made already, by what they were made of, and what was worked out about the grounds
/// of enemies on them. An editor reads a level anew whenever something in it is moved; putting a mesh
/// together, and finding the ways enemies take on it, is most of that work.
///
/// ```
/// use apprentice_world::{KeptMaps, Scenario};
///
/// let level = |x: u32| format!(
///     "format = 1\nstart = [{x}, 1]\ngoal = {{ all = [] }}\nmap = {{ file = 'hall.mesh' }}"
/// );
/// let mesh = "mesh\n2\n4 1\n0 0 1 0\n9 0 1 0\n9 9 1 0\n0 9 1 0\n4 0 1 2 3 -1 -1 -1 -1\n";
/// let mut kept = KeptMaps::default();
/// let mut read = |x| Scenario::parse_keeping(&level(x), |_| Ok(mesh.to_owned()), &mut kept);
/// let (first, second) = (read(1)?, read(2)?);
/// assert!(std::ptr::eq(first.map(), second.map()));
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
#[derive(Debug, Default)]
pub struct KeptMaps {
    /// The last first.
    maps: Vec<KeptMap>,
    /// The level geometry that was read last, and what one can walk on there.
    geometry: Option<(String, NavMeshParts)>,
}

#[derive(Debug)]
struct KeptMap {
    made_of: MadeOf,
    map: Arc<Map>,
    digest: u64,
    /// The grounds of the last scenario on it, with their homes and how far they reach.
    grounds: Vec<(u32, f64, Arc<HuntingGround>)>,
}

/// What a map is made of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MadeOf {
    Grid(GridMap),
    Mesh(Box<NavMeshParts>),
}

/// Two levels side by side, each with another before it.
const MOST: usize = 4;

impl KeptMaps {
    /// What one can walk on in level geometry, read by `read` unless it was read last.
    pub(super) fn walkable<E>(
        &mut self,
        text: &str,
        read: impl FnOnce(&str) -> Result<NavMeshParts, E>,
    ) -> Result<NavMeshParts, E> {
        if let Some((last, parts)) = &self.geometry
            && last == text
        {
            return Ok(parts.clone());
        }
        let parts = read(text)?;
        self.geometry = Some((text.to_owned(), parts.clone()));
        Ok(parts)
    }

    /// The map that was made of the same.
    pub(super) fn find(&mut self, made_of: &MadeOf) -> Option<Arc<Map>> {
        let place = self.maps.iter().position(|kept| kept.made_of == *made_of)?;
        let kept = self.maps.remove(place);
        let map = Arc::clone(&kept.map);
        self.maps.insert(0, kept);
        Some(map)
    }

    /// Keeps a map that was made.
    pub(super) fn keep(&mut self, made_of: MadeOf, map: &Arc<Map>) {
        self.maps.truncate(MOST - 1);
        let kept = KeptMap {
            made_of,
            map: Arc::clone(map),
            digest: map.digest(),
            grounds: Vec::new(),
        };
        self.maps.insert(0, kept);
    }

    /// What is known of a map: its digest, and the grounds of enemies who live where others did.
    pub(super) fn lend(&self, map: &Arc<Map>, enemies: &mut [Enemy]) -> Option<u64> {
        let kept = self.maps.iter().find(|kept| Arc::ptr_eq(&kept.map, map))?;
        for enemy in enemies {
            let Manner::Beast(beast) = &enemy.kind.manner else {
                continue;
            };
            let radius = radius_for(beast.leash, beast.reach);
            let mut grounds = kept.grounds.iter();
            let same = grounds.find(|(home, far, _)| *home == enemy.place && *far == radius);
            enemy.ground = same.map(|(.., ground)| Arc::clone(ground));
        }
        Some(kept.digest)
    }

    /// Keeps the grounds of a scenario that was read, instead of those of the one before.
    pub(super) fn take_over(&mut self, scenario: &Scenario) {
        let mut maps = self.maps.iter_mut();
        let Some(kept) = maps.find(|kept| Arc::ptr_eq(&kept.map, &scenario.map)) else {
            return;
        };
        let grounds = scenario.enemies.iter().filter_map(|enemy| {
            let Manner::Beast(beast) = &enemy.kind.manner else {
                return None;
            };
            let ground = Arc::clone(enemy.ground.as_ref()?);
            Some((enemy.place, radius_for(beast.leash, beast.reach), ground))
        });
        kept.grounds = grounds.collect();
    }
}
