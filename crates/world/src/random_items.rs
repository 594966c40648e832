//! The same scenario with its items elsewhere.

use std::sync::Arc;

use crate::scenario::marks;
use crate::{ItemId, ItemKind, Scenario};

impl Scenario {
    /// The same scenario with every key and shield at a random place that can be reached from the
    /// start without passing a door or coming near a guard. The same seed gives the same places.
    ///
    /// ```
    /// # use apprentice_world::Scenario;
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['....', '....'] }\nshield = [{ id = 'round', at = [1, 0] }]").unwrap();
    /// let one = scenario.with_random_items(7);
    /// assert_eq!(one.items()[0].at, scenario.with_random_items(7).items()[0].at);
    /// assert_eq!(one.seed(), 7);
    /// ```
    #[must_use]
    pub fn with_random_items(&self, seed: u64) -> Scenario {
        let mut places = self.safe_places();
        let mut random = Random(seed);
        let mut scenario = self.clone();
        scenario.seed = seed;
        scenario.known = Arc::default();
        for (number, item) in self.items.iter().enumerate() {
            if !matches!(item.kind, ItemKind::Key | ItemKind::Shield) || places.is_empty() {
                continue;
            }
            let place = places.swap_remove(random.below(places.len()));
            scenario = scenario.with_item_at(ItemId::new(number as u8), place);
        }
        scenario
    }

    /// Every place but the start that can be reached from there without passing a door or coming
    /// near a guard, in the order of their numbers.
    fn safe_places(&self) -> Vec<usize> {
        let start = self.actors[0].place as usize;
        let is_safe = |place: usize| self.marks_at(place) & (marks::SHUTS | marks::DANGER) == 0;
        let mut met = vec![false; self.map.places()];
        met[start] = true;
        let mut open = vec![start];
        while let Some(place) = open.pop() {
            for step in self.map.steps_from(place) {
                if is_safe(step.place) && !met[step.place] {
                    met[step.place] = true;
                    open.push(step.place);
                }
            }
        }
        met[start] = false;
        (0..met.len()).filter(|place| met[*place]).collect()
    }
}

/// The generator SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// Evenly among the numbers below `limit`, as evenly as 64 bits divide.
    fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
}
