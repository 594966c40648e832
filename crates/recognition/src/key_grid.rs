//! A world of places, keys and locks, in which every deed costs the same.
//!
//! One stands in a place and goes to a connected one, unless it is locked; picks up keys and keeps
//! them; and unlocks a connected place with a key of its shape, which stays open.

use apprentice_search::{Cost, Problem, Successors};

/// A key: where it lies at first, and what it fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name.
    pub name: String,
    /// Where it lies.
    pub place: usize,
    /// What it fits.
    pub shape: usize,
}

/// A place that is locked at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lock {
    /// Which place.
    pub place: usize,
    /// The shape of keys that open it.
    pub shape: usize,
}

/// What can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Deed {
    /// Going from a place to the next.
    Move {
        /// From where.
        from: u16,
        /// Where to.
        to: u16,
    },
    /// Picking up a key.
    PickUp {
        /// Which one, by its number.
        key: u16,
    },
    /// Opening a lock from a connected place.
    Unlock {
        /// From where.
        from: u16,
        /// Which lock, by its number.
        lock: u16,
        /// With which key.
        key: u16,
    },
}

/// Where somebody is, what they hold, and what is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GridState {
    /// The place.
    pub place: u16,
    /// The keys that were picked up, a bit each.
    pub keys: u64,
    /// The locks that are open, a bit each.
    pub open: u64,
}

/// The world, and a goal in it: as a [`Problem`] it is searched plainly, deed by deed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyGrid {
    /// The names of places.
    pub places: Vec<String>,
    /// Which places one can go to from each, if they are open.
    pub connected: Vec<Vec<u16>>,
    /// All keys; at most 64.
    pub keys: Vec<Key>,
    /// All locks; at most 64.
    pub locks: Vec<Lock>,
    /// Where one begins.
    pub start: usize,
    /// Where one wants to get to.
    pub goal: usize,
    /// The lock of each place that has one.
    pub lock_of: Vec<Option<u16>>,
}

impl KeyGrid {
    /// What every deed costs: a second.
    pub const A_DEED: Cost = Cost::from_ticks(1_000_000_000);

    /// Whether one can enter a place when these locks are open.
    pub(crate) fn is_open(&self, place: u16, open: u64) -> bool {
        self.lock_of[usize::from(place)].is_none_or(|lock| open >> lock & 1 == 1)
    }

    /// A key that is held and fits, the one with the smallest number.
    pub(crate) fn fitting(&self, lock: u16, held: u64) -> Option<u16> {
        let shape = self.locks[usize::from(lock)].shape;
        let keys = self.keys.iter().enumerate();
        let mut fitting = keys.filter(|(key, it)| held >> key & 1 == 1 && it.shape == shape);
        fitting.next().map(|(key, _)| key as u16)
    }
}

impl Problem for KeyGrid {
    type State = GridState;
    type Key = GridState;
    type Action = Deed;

    fn start(&self) -> GridState {
        GridState {
            place: self.start as u16,
            keys: 0,
            open: 0,
        }
    }

    fn key(&self, state: &GridState) -> GridState {
        *state
    }

    fn is_goal(&self, state: &GridState) -> bool {
        usize::from(state.place) == self.goal
    }

    fn successors(&self, state: &GridState, out: &mut Successors<GridState, Deed>) {
        let from = state.place;
        for to in &self.connected[usize::from(from)] {
            if self.is_open(*to, state.open) {
                let then = GridState {
                    place: *to,
                    ..*state
                };
                out.push(Deed::Move { from, to: *to }, then, KeyGrid::A_DEED);
            } else if let Some(lock) = self.lock_of[usize::from(*to)] {
                let shape = self.locks[usize::from(lock)].shape;
                for (key, it) in self.keys.iter().enumerate() {
                    if state.keys >> key & 1 == 1 && it.shape == shape {
                        let then = GridState {
                            open: state.open | 1 << lock,
                            ..*state
                        };
                        let key = key as u16;
                        out.push(Deed::Unlock { from, lock, key }, then, KeyGrid::A_DEED);
                    }
                }
            }
        }
        for (key, it) in self.keys.iter().enumerate() {
            if it.place == usize::from(from) && state.keys >> key & 1 == 0 {
                let then = GridState {
                    keys: state.keys | 1 << key,
                    ..*state
                };
                out.push(Deed::PickUp { key: key as u16 }, then, KeyGrid::A_DEED);
            }
        }
    }
}
