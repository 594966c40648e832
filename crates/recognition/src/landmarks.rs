//! Which keys and locks nobody can do without.
//!
//! Whatever is in every way to something must be had before it: of a place, what all ways into it have
//! in common; of a key, what its place needs; of a lock, what all ways to open it have in common. That
//! is a fixed point from above (Keyder, Richter & Helmert 2010), over keys and locks only.

use crate::KeyGrid;

/// Keys and locks, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Things {
    pub(crate) keys: u64,
    pub(crate) locks: u64,
}

impl Things {
    pub(crate) const NONE: Things = Things { keys: 0, locks: 0 };
    const ALL: Things = Things {
        keys: u64::MAX,
        locks: u64::MAX,
    };

    pub(crate) fn and(self, other: Things) -> Things {
        Things {
            keys: self.keys | other.keys,
            locks: self.locks | other.locks,
        }
    }

    pub(crate) fn common(self, other: Things) -> Things {
        Things {
            keys: self.keys & other.keys,
            locks: self.locks & other.locks,
        }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.keys | self.locks == 0
    }
}

/// What must be had before each place, key and lock, itself included. `None`: it cannot be reached.
#[derive(Clone, Debug)]
pub(crate) struct Landmarks {
    pub(crate) places: Vec<Option<Things>>,
    pub(crate) keys: Vec<Option<Things>>,
    pub(crate) locks: Vec<Option<Things>>,
}

impl Landmarks {
    pub(crate) fn of(grid: &KeyGrid) -> Landmarks {
        let mut known = Landmarks {
            places: vec![None; grid.places.len()],
            keys: vec![None; grid.keys.len()],
            locks: vec![None; grid.locks.len()],
        };
        known.places[grid.start] = Some(Things::NONE);
        // Each round only takes things away, so it ends.
        while known.round(grid) {}
        known
    }

    /// Works everything out again from what is known; whether anything changed.
    fn round(&mut self, grid: &KeyGrid) -> bool {
        let mut changed = false;
        for (number, key) in grid.keys.iter().enumerate() {
            let own = Things {
                keys: 1 << number,
                locks: 0,
            };
            let new = self.places[key.place].map(|needed| needed.and(own));
            changed |= replace(&mut self.keys[number], new);
        }
        for (from, connected) in grid.connected.iter().enumerate() {
            let Some(here) = self.places[from] else {
                continue;
            };
            for to in connected.iter().map(|to| usize::from(*to)) {
                let mut needed = here;
                if let Some(lock) = grid.lock_of[to].map(usize::from) {
                    let own = Things {
                        keys: 0,
                        locks: 1 << lock,
                    };
                    let shape = grid.locks[lock].shape;
                    let keys = grid.keys.iter().zip(&self.keys);
                    let fitting = keys.filter(|(key, _)| key.shape == shape);
                    let fitting = fitting.filter_map(|(_, needed)| *needed);
                    let key = fitting.fold(None, |common: Option<Things>, needed| {
                        Some(common.unwrap_or(Things::ALL).common(needed))
                    });
                    let Some(key) = key else {
                        continue;
                    };
                    let opening = here.and(key).and(own);
                    changed |= narrow(&mut self.locks[lock], opening);
                    needed = self.locks[lock].unwrap_or(opening).and(here);
                }
                if to != grid.start {
                    changed |= narrow(&mut self.places[to], needed);
                }
            }
        }
        changed
    }
}

fn narrow(known: &mut Option<Things>, needed: Things) -> bool {
    let new = known.map_or(needed, |known| known.common(needed));
    replace(known, Some(new))
}

fn replace(known: &mut Option<Things>, new: Option<Things>) -> bool {
    let changed = *known != new;
    *known = new;
    changed
}
