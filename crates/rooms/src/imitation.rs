//! Imitation: draws a search to what was shown, in the order in which it was shown.
//!
//! It is a second adviser beside the [`Guide`], and as free to be wrong: what is proven does not depend on
//! it, and a demonstration that does not fit here costs some states and nothing else.

use apprentice_search::{Cost, Heuristic};

use crate::guide::{Guide, HOPELESS};
use crate::rooms::{RoomState, Rooms, TICKS};

/// What the guide says, and more for everything that was shown and is not done yet.
pub(crate) struct Imitation {
    guide: Guide,
}

/// So many moves are worth going out of one's way for a deed that was shown: about what it takes to turn
/// aside, do it, and turn back.
const WORTH: u32 = 4;

impl Imitation {
    pub(crate) fn new() -> Imitation {
        Imitation {
            guide: Guide::new(),
        }
    }
}

impl Heuristic<Rooms> for Imitation {
    fn estimate(&mut self, rooms: &Rooms, state: &RoomState) -> Cost {
        let left = (rooms.shown.len() - rooms.followed(state)) as u32;
        match self.guide.moves_left(rooms, state) {
            HOPELESS => Cost::INFINITE,
            // Whoever is done is done, whatever was not followed.
            0 => Cost::ZERO,
            moves => Cost::from_ticks(u64::from(moves + WORTH * left) * TICKS),
        }
    }
}
