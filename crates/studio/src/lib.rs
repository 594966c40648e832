//! The studio: one local page on the real planner.
//!
//! A browser draws demonstrations, drags things about, plays and saves; this crate plans, simulates
//! and keeps the files. It serves the loopback address only, answers no other origin, and reads and
//! writes nothing outside its working folder.
//!
//! ```no_run
//! use apprentice_studio::{Options, Studio};
//!
//! let studio = Studio::open(&Options { folder: ".".into(), port: None })?;
//! println!("{}", studio.address());
//! studio.serve();
//! # Ok::<(), std::io::Error>(())
//! ```

mod assets;
mod blockers;
mod connection;
mod demonstrations;
mod fields;
mod folder;
mod furnishing;
mod heat;
mod kept;
mod level;
mod lint;
mod logs;
mod mailbox;
mod moment;
mod new_level;
mod path_smoothing;
mod planning;
mod planning_text;
mod playing;
mod protocol;
mod recording;
mod references;
mod request;
mod scenario_text;
mod scene;
mod server;
mod session;
pub mod study;
mod tasks;
mod token;
mod trials;
mod walls;
mod watching;
pub mod whole_file;

pub use folder::FIRST_SCENARIO;
pub use protocol::MESSAGES;
pub use server::{Options, Studio};
pub use study::StudyOptions;
