//! The study: people play beside four kinds of characters, without knowing which is which, and say what
//! they think of them.
//!
//! The protocol is that of the published study (dissertation, 7.1.1): a room to practise in, five doors
//! four times, a line drawn on a map, and the lever behind the bear four times; the statements of a
//! questionnaire after each. Everything is written down at once, one file a participant.

mod design;
mod friedman;
mod journal;
mod latin_square;
mod messages;
mod participant;
mod published;
mod results;
mod room;
mod rule_based;
mod tables;
mod talk;
mod thinking;
mod trial;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::connection::{Inbox, Outbox};

pub use design::Npc;
pub use journal::JournalError;
pub use tables::{CellDocument, FriedmanDocument, RowDocument, StudyDocument};

use participant::Participant;
use results::Results;
use trial::Trial;

/// Where the study keeps its results and listens.
#[derive(Clone, Debug)]
pub struct StudyOptions {
    /// The folder of the results. It is made if it is not there.
    pub out: PathBuf,
    /// The port, as for the studio.
    pub port: Option<u16>,
}

/// A study that goes on: at most one participant at a time.
pub(crate) struct Study {
    results: Results,
    now: Mutex<Now>,
}

/// Who takes part now.
#[derive(Default)]
struct Now {
    /// The page that has the word; whoever opens another takes it from this one.
    page: u64,
    participant: Option<Participant>,
    trial: Option<Trial>,
}

impl Study {
    pub(crate) fn open(out: &Path) -> io::Result<Study> {
        Ok(Study {
            results: Results::open(out)?,
            now: Mutex::default(),
        })
    }

    /// Answers a page until it is gone.
    pub(crate) fn talk(self: &Arc<Self>, inbox: Inbox, outbox: &Outbox) {
        talk::run(self, inbox, outbox);
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the participants of a folder said and how long they took, beside what was published.
///
/// # Errors
///
/// If the folder holds no results, or a file in it is broken or none of ours.
pub fn report(folder: &Path) -> Result<StudyDocument, JournalError> {
    let results = Results::open_existing(folder)?;
    let all = results.read_all()?;
    results.write_tables(&all)?;
    Ok(tables::document(&all))
}
