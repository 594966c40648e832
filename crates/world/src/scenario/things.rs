//! Things with an id that lie, stand or move on a map: items, doors, levers, traps and obstacles.

use std::fmt;

use crate::{AgentId, Map, Point, Situation, Spot};

/// An item, by its place in [`Scenario::items`](crate::Scenario::items).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ItemId(u8);

/// A door, by its place in [`Scenario::doors`](crate::Scenario::doors).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DoorId(u8);

/// A lever, by its place in [`Scenario::levers`](crate::Scenario::levers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LeverId(u8);

/// A trap, by its place in [`Scenario::traps`](crate::Scenario::traps).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TrapId(u8);

macro_rules! numbered {
    ($($name:ident)*) => {$(
        impl $name {
            /// The one of this number.
            pub const fn new(number: u8) -> Self {
                $name(number)
            }

            /// Its number.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// Its bit in a set of them; none if no level can have so many.
            #[inline]
            pub(crate) const fn bit(self) -> u32 {
                match 1u32.checked_shl(self.0 as u32) {
                    Some(bit) => bit,
                    None => 0,
                }
            }
        }
    )*};
}
numbered!(ItemId DoorId LeverId TrapId);

/// Something a scenario file gives an id to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Thing {
    /// A key, a shield, a health pack or any other item.
    Item(ItemId),
    /// A door.
    Door(DoorId),
    /// A lever.
    Lever(LeverId),
    /// An agent.
    Agent(AgentId),
}

impl Thing {
    /// Whether what can happen to it has happened: the item is held, the door open, the lever
    /// pulled, the agent dead.
    pub fn is_settled<S: Situation>(self, situation: &S) -> bool {
        match self {
            Thing::Item(item) => situation.holds(item),
            Thing::Door(door) => situation.is_open(door),
            Thing::Lever(lever) => situation.is_on(lever),
            Thing::Agent(agent) => situation.is_dead(agent),
        }
    }
}

/// Something that lies around until somebody walks over it.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What the scenario file calls it.
    pub id: String,
    /// What it is good for.
    pub kind: ItemKind,
    /// Where it lies.
    pub at: Point,
    pub(crate) place: u32,
}

impl Item {
    /// Whether somebody in this place can pick it up.
    #[inline]
    pub(crate) fn is_at_hand(&self, map: &Map, place: u32) -> bool {
        let reach = map.reach_of_hands();
        let place_at = map.point_of(place as usize);
        self.place == place
            || reach > 0.0
                && map.apart((place_at, place as usize), (self.at, self.place as usize)) <= reach
    }
}

/// What an item is good for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ItemKind {
    /// Opens doors.
    Key,
    /// Halves the damage to whoever carries it.
    Shield,
    /// Is wanted for its own sake.
    Treasure,
    /// Restores health, and is used up.
    Pack {
        /// How much health.
        health: f64,
    },
}

impl ItemKind {
    /// What people call it.
    pub const fn name(&self) -> &'static str {
        match self {
            ItemKind::Key => "key",
            ItemKind::Shield => "shield",
            ItemKind::Treasure => "item",
            ItemKind::Pack { .. } => "health pack",
        }
    }
}

impl fmt::Display for ItemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Places that are closed until a key, a lever or the clock opens them.
#[derive(Clone, Debug, PartialEq)]
pub struct Door {
    /// What the scenario file calls it.
    pub id: String,
    /// Where the scenario file puts it, point by point, and the place of each.
    pub at: Vec<(Point, usize)>,
    /// The places it closes: those, and on a navmesh what is near them.
    pub places: Vec<usize>,
    /// Whether it is open at the beginning.
    pub starts_open: bool,
    /// Whether the key that opens it is gone.
    pub consumes_key: bool,
    /// Opens and shuts by itself.
    pub cycle: Option<Cycle>,
    /// The items that open it, a bit each.
    pub(crate) keys: u32,
}

/// Open for a while, shut for a while, and again. Times are in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    pub(crate) open: u64,
    pub(crate) closed: u64,
    /// How far into the cycle the run begins.
    pub(crate) offset: u64,
}

impl Cycle {
    /// Seconds open, seconds shut.
    pub fn seconds(&self) -> (f64, f64) {
        (self.open as f64 / 1e9, self.closed as f64 / 1e9)
    }

    pub(crate) fn length(&self) -> u64 {
        self.open + self.closed
    }

    pub(crate) fn is_open_at(&self, time: u64) -> bool {
        let length = self.length();
        (time % length + self.offset % length) % length < self.open
    }
}

/// Something to pull. It stays pulled.
#[derive(Clone, Debug, PartialEq)]
pub struct Lever {
    /// What the scenario file calls it.
    pub id: String,
    /// Where it is. It is pulled by whoever stands there or right beside it.
    pub at: Point,
    pub(crate) place: u32,
    /// The doors it opens for good, a bit each.
    pub(crate) opens: u32,
    /// The doors it opens if shut and shuts if open, a bit each.
    pub(crate) toggles: u32,
}

impl Lever {
    /// Whether somebody in this place can pull it.
    #[inline]
    pub(crate) fn is_at_hand(&self, map: &Map, place: usize) -> bool {
        let near = self.place as usize;
        near == place || map.apart((self.at, near), (map.point_of(place), place)) <= LEVER_REACH
    }
}

/// Places that hurt whoever takes orders and ends a step there, until a lever disarms them. Enemies know
/// where to tread.
#[derive(Clone, Debug, PartialEq)]
pub struct Trap {
    /// What the scenario file calls it.
    pub id: String,
    /// Where the scenario file puts it, point by point, and the place of each.
    pub at: Vec<(Point, usize)>,
    /// The places in which it hurts, in ascending order: those, and on a navmesh what is near them.
    pub places: Vec<usize>,
    /// The health each step into it costs. Neither shields nor blocking help.
    pub damage: f64,
    /// Whether it hurts once, and never again.
    pub springs_once: bool,
    /// The levers that disarm it for good, a bit each.
    pub(crate) levers: u32,
}

impl Trap {
    /// Whether somebody who ends a step in this place is in it.
    #[inline]
    pub(crate) fn is_in(&self, place: usize) -> bool {
        self.places.binary_search(&place).is_ok()
    }
}

/// Something that moves from place to place by the clock and is in the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// What the scenario file calls it.
    pub id: String,
    /// The places it visits, over and over.
    pub path: Vec<usize>,
    /// How many nanoseconds it stays in each.
    pub(crate) dwell: u64,
    /// How far around it is in the way: on grids, not beyond its cell.
    pub(crate) radius: f64,
}

impl Obstacle {
    pub(crate) fn place_at(&self, time: u64) -> usize {
        self.path[(time / self.dwell % self.path.len() as u64) as usize]
    }

    pub(crate) fn length(&self) -> u64 {
        self.dwell * self.path.len() as u64
    }
}

/// How far from a lever one can pull it.
pub(crate) const LEVER_REACH: f64 = 1.0;

/// A demonstration that a scenario file has, whether it is followed or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// What people call it, if it has a name.
    pub name: Option<String>,
    /// Whether it is one of the [demonstrations](crate::Scenario::demonstrations), or left out for now.
    pub is_used: bool,
    /// The line, or the log.
    pub drawn: Drawn,
}

/// A demonstration that comes with a scenario.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawn {
    /// A line on the map. Points may lie off the map and inside walls. Where floors lie above each
    /// other they say which is meant.
    Points(Vec<Spot>),
    /// The name of a recorded log, for whoever reads those, and where the scenario file has it.
    File {
        /// The name of the log.
        name: String,
        /// The line it stands in, from 1.
        line: usize,
        /// The column, in characters from 1.
        column: usize,
    },
}
