//! Rooms full of things: a game in which things stand in the way, are carried one at a time, hide in
//! boxes and are put beside each other, and in which much has not been seen yet.
//!
//! A [`RoomLevel`] says what is known, [`Rooms`] is the search problem it poses, and [`plan`] solves it
//! with a proven bound. An [`Explorer`] knows only what it was told it sees: it plans through what nobody
//! has looked at as if it were free, looks, and plans again.
//!
//! ```
//! use apprentice_rooms::{Action, Asked, RoomLevel, Rooms, Status, plan};
//!
//! // The ball stands in the doorway, the key opens the door, and one has one hand.
//! let level: RoomLevel = serde_json::from_str(r##"{
//!     "rows": ["...#...",
//!              ".......",
//!              "...#..."],
//!     "start": [0, 0],
//!     "things": [{"id": "key", "kind": "key", "colour": "red", "at": [1, 2]},
//!                {"id": "ball", "kind": "ball", "colour": "blue", "at": [2, 1]},
//!                {"id": "box", "kind": "box", "colour": "green", "at": [5, 0]}],
//!     "doors": [{"id": "door", "colour": "red", "at": [3, 1], "is": "locked"}],
//!     "goal": [[{"take": {"kind": "box"}}]]
//! }"##)?;
//! let rooms = Rooms::new(&level)?;
//! let plan = plan(&rooms, &Asked::default());
//! assert_eq!(plan.status, Status::Found);
//! let taken = plan.steps.iter().filter(|step| step.action == Action::Take).count();
//! assert_eq!(taken, 3); // the ball, the key and the box
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arrangement;
mod demonstration;
mod error;
mod explorer;
mod guide;
mod imitation;
mod level;
mod lower_bound;
mod objective;
mod planning;
mod rooms;

pub use demonstration::RoomDemonstration;
pub use error::RoomsError;
pub use explorer::{Explorer, News, Sight, Sighting};
pub use level::{Contents, DoorState, Facing, Moves, RoomDoor, RoomLevel, RoomThing};
pub use objective::{Objective, Wanted};
pub use planning::{Asked, RoomPlan, RoomStep, Status, plan};
pub use rooms::{Action, RoomState, Rooms};
