//! RoomDemonstration: how somebody did it in some rooms, as what they did in which order.
//!
//! Rooms of a family are never the same twice, so that places mean nothing: what was lifted, laid down
//! and opened, and in which order, is what carries over (the tactic, told by the kinds of what was done).

use apprentice_search::Problem;
use serde::{Deserialize, Serialize};

use crate::rooms::{NONE, NOWHERE, RoomState};
use crate::{Action, Facing, RoomLevel, Rooms, RoomsError};

/// What somebody did, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoomDemonstration {
    pub(crate) deeds: Vec<ShownDeed>,
}

/// One thing that was done: lifted, laid down or opened, and what kind of thing it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShownDeed {
    pub(crate) action: Action,
    pub(crate) kind: String,
}

/// A line of a recording after its first.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    action: Action,
    #[serde(default)]
    facing: Facing,
}

impl RoomDemonstration {
    /// Reads a recording, JSON Lines: the rooms, and then an action a line.
    ///
    /// ```
    /// use apprentice_rooms::RoomDemonstration;
    ///
    /// let shown = RoomDemonstration::read(r##"{"rows": ["..."], "start": [0, 0], "goal": [], "things": [{"id": "k", "kind": "key", "at": [1, 0]}]}
    /// {"action": "take"}"##)?;
    /// assert_eq!(shown.len(), 1);
    /// # Ok::<(), apprentice_rooms::RoomsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a line is no JSON, the rooms make no sense, or an action cannot be done where it is said to have
    /// been done.
    pub fn read(text: &str) -> Result<RoomDemonstration, RoomsError> {
        let wrong = |line: usize, wrong: String| RoomsError::Demonstration { line, wrong };
        let mut lines = (1..)
            .zip(text.lines())
            .filter(|(_, line)| !line.trim().is_empty());
        let Some((number, first)) = lines.next() else {
            return Err(wrong(1, "it is empty; begin with the rooms".to_owned()));
        };
        let level: RoomLevel =
            serde_json::from_str(first).map_err(|error| wrong(number, error.to_string()))?;
        let rooms = Rooms::new(&level)?;
        let mut state = rooms.start();
        let mut deeds = Vec::new();
        for (number, line) in lines {
            let line: Line =
                serde_json::from_str(line).map_err(|error| wrong(number, error.to_string()))?;
            let Some(next) = rooms.after(&state, line.action, line.facing) else {
                let what = "this cannot be done there; record it anew, or end before it";
                return Err(wrong(number, what.to_owned()));
            };
            deeds.extend(deed(&level, &state, &next, line.action));
            state = next;
        }
        Ok(RoomDemonstration { deeds })
    }

    /// How many things were done.
    pub fn len(&self) -> usize {
        self.deeds.len()
    }

    /// Whether nothing was.
    pub fn is_empty(&self) -> bool {
        self.deeds.is_empty()
    }
}

/// What was done between two states.
fn deed(
    level: &RoomLevel,
    before: &RoomState,
    after: &RoomState,
    action: Action,
) -> Option<ShownDeed> {
    let thing = match action {
        Action::Take => after.carries,
        Action::Put => before.carries,
        Action::Open if before.doors != after.doors => {
            let kind = "door".to_owned();
            return Some(ShownDeed { action, kind });
        }
        Action::Open => {
            let places = before.places.iter().zip(&after.places);
            let opened = places
                .enumerate()
                .find(|(_, (a, b))| **a != NOWHERE && **b == NOWHERE);
            opened.map_or(NONE, |(number, _)| number as u8)
        }
        Action::TurnLeft | Action::TurnRight | Action::Forward => return None,
    };
    let thing = level.things.get(usize::from(thing))?;
    let kind = thing.kind.clone();
    Some(ShownDeed { action, kind })
}
