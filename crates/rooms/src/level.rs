//! RoomLevel: what is known of some rooms, as a file or another program has it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Objective;

/// Rooms, things and doors, and what is to be done in them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoomLevel {
    /// The map, a row each, from the north: `#` is a wall, `.` is floor, `~` is deadly, and nobody has
    /// looked at `?` yet.
    pub rows: Vec<String>,
    /// The cell it begins in: column and row, from 0.
    pub start: [u32; 2],
    /// Where one looks at the beginning.
    #[serde(default)]
    pub facing: Facing,
    /// How one moves.
    #[serde(default)]
    pub moves: Moves,
    /// The thing that is carried at the beginning, by its id.
    #[serde(default)]
    pub carries: Option<String>,
    /// Whatever lies about.
    #[serde(default)]
    pub things: Vec<RoomThing>,
    /// Doors.
    #[serde(default)]
    pub doors: Vec<RoomDoor>,
    /// What is to be done: groups one after the other, and each group's parts in any order.
    pub goal: Vec<Vec<Objective>>,
    /// How many parts of the goal are done already, a bit each, in the order in which they are listed.
    #[serde(default)]
    pub done: u32,
}

/// Something that lies about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoomThing {
    /// Its name, which no other thing and no door has.
    pub id: String,
    /// What it is: `key`, `ball`, `box`, or any other word.
    pub kind: String,
    /// Its colour, or any other word that tells things of a kind apart.
    #[serde(default)]
    pub colour: String,
    /// Where it lies; nowhere if it is carried or inside another.
    #[serde(default)]
    pub at: Option<[u32; 2]>,
    /// Whether nobody can lift it.
    #[serde(default)]
    pub fixed: bool,
    /// Whether one walks over it, and takes it from where one stands. Otherwise it is in the way.
    #[serde(default)]
    pub flat: bool,
    /// What comes out when it is opened, which it does not survive.
    #[serde(default)]
    pub inside: Contents,
}

/// What comes out of a thing that is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Contents {
    /// It cannot be opened, or there is no use in it.
    #[default]
    Nothing,
    /// Nobody has looked yet.
    Unseen,
    /// This thing, by its id.
    Thing(String),
}

/// A door.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoomDoor {
    /// Its name, which no other door and no thing has.
    pub id: String,
    /// Its colour. Things of the kind `key` and the same colour unlock it.
    #[serde(default)]
    pub colour: String,
    /// Where it is.
    pub at: [u32; 2],
    /// How it is at the beginning.
    #[serde(default)]
    pub is: DoorState,
}

/// How a door is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DoorState {
    /// One walks through.
    Open,
    /// It is opened without a key.
    #[default]
    Shut,
    /// It is opened by whoever carries a key of its colour.
    Locked,
}

/// Where somebody looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Facing {
    /// To the right of the map.
    #[default]
    East,
    /// Down the map.
    South,
    /// To the left of the map.
    West,
    /// Up the map.
    North,
}

impl Facing {
    /// All four, each a quarter turn to the right of the one before.
    pub const ALL: [Facing; 4] = [Facing::East, Facing::South, Facing::West, Facing::North];

    /// The one that is so many quarter turns to the right.
    #[must_use]
    pub const fn turned(self, quarters: usize) -> Facing {
        Facing::ALL[(self as usize + quarters) % 4]
    }

    /// Where a step leads: columns and rows.
    pub const fn offset(self) -> (i32, i32) {
        match self {
            Facing::East => (1, 0),
            Facing::South => (0, 1),
            Facing::West => (-1, 0),
            Facing::North => (0, -1),
        }
    }
}

/// How one moves. Whatever one does takes one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Moves {
    /// Forward only, and turning takes a move.
    #[default]
    Turning,
    /// To the four sides.
    Four,
}
