//! The studio: one local page on the real planner.
//!
//! A browser draws demonstrations, drags things about, plays and saves; this crate plans, simulates
//! and keeps the files. It serves the loopback address only, answers no other origin, and reads and
//! writes nothing outside its working folder.
//!
//! Without the feature `server` there is only what answers messages ([`InPage`]): a page that has its
//! planner inside needs neither sockets nor threads.
//!
//! ```no_run
//! use apprentice_studio::{Options, Studio};
//!
//! let studio = Studio::open(&Options { folder: ".".into(), port: None })?;
//! println!("{}", studio.address());
//! studio.serve();
//! # Ok::<(), std::io::Error>(())
//! ```

#[cfg(feature = "server")]
mod assets;
mod blockers;
mod clock;
#[cfg(feature = "server")]
mod connection;
mod demonstration_text;
mod demonstrations;
#[cfg(any(feature = "server", test))]
mod disk;
mod editor_text;
mod fields;
mod folder;
mod furnishing;
mod heat;
mod imported_level;
mod in_page;
mod kept;
mod level;
mod level_tasks;
mod lint;
mod logs;
#[cfg(feature = "server")]
mod mailbox;
mod memory;
mod midway_text;
mod neighbours;
mod new_level;
mod path_smoothing;
mod picture;
mod planning;
mod planning_text;
mod playing;
mod protocol;
mod recording;
mod references;
#[cfg(feature = "server")]
mod request;
mod scenario_text;
mod scene;
#[cfg(feature = "server")]
mod server;
mod session;
mod sliding;
mod snapshot;
#[cfg(feature = "server")]
pub mod study;
#[cfg(feature = "server")]
mod talk;
mod tasks;
#[cfg(feature = "server")]
mod token;
mod trials;
mod walls;
mod watching;
#[cfg(any(feature = "server", test))]
pub mod whole_file;

pub use clock::Clock;
pub use folder::FIRST_SCENARIO;
pub use in_page::InPage;
pub use protocol::MESSAGES;
#[cfg(feature = "server")]
pub use server::{Options, Studio};
#[cfg(feature = "server")]
pub use study::StudyOptions;
