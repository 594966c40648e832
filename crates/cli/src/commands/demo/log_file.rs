//! The file a recording goes to: every line at once, so that nothing is lost whatever happens, and
//! without taking an old log away before the new one is complete.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use apprentice_studio::whole_file::{Draft, Target};

/// How a log begins.
pub(super) enum Beginning {
    /// With its first line.
    New(String),
    /// After so many bytes of the log that is there.
    After(u64),
}

/// A log that is being recorded.
pub(super) struct LogFile {
    to: To,
    /// When everything was on the disk.
    synced: Instant,
    is_synced: bool,
}

enum To {
    /// The log itself.
    File(File),
    /// A file beside an old log, which it will replace.
    Draft(Box<Draft>),
    /// Something that takes what comes.
    Stream(File),
}

/// What was written is in the hands of the system at once, and so safe from whatever happens to this
/// program. It is on the disk, and so safe from a failing power, after at most this long, while
/// samples come.
const BETWEEN_SYNCS: Duration = Duration::from_secs(1);

impl LogFile {
    /// The file, ready for the first sample.
    pub(super) fn begin(path: &Path, beginning: &Beginning) -> io::Result<LogFile> {
        let to = match (beginning, Target::of(path)?) {
            (Beginning::New(header), Target::Stream) => {
                let mut stream = OpenOptions::new().append(true).open(path)?;
                stream.write_all(header.as_bytes())?;
                To::Stream(stream)
            }
            (Beginning::New(header), Target::File(end)) => {
                let is_new = !end.exists();
                let mut draft = Draft::named(&end, "recording-", ".jsonl")?;
                draft.file().write_all(header.as_bytes())?;
                if is_new {
                    To::File(draft.finish()?)
                } else {
                    To::Draft(Box::new(draft))
                }
            }
            (Beginning::After(intact), _) => To::File(reopen(path, *intact)?),
        };
        Ok(LogFile {
            to,
            synced: Instant::now(),
            is_synced: false,
        })
    }

    /// Where the recording is until it takes the place of an old log.
    pub(super) fn meanwhile(&self) -> Option<PathBuf> {
        match &self.to {
            To::Draft(draft) => Some(draft.path()),
            To::File(_) | To::Stream(_) => None,
        }
    }

    /// Writes a whole line at once.
    pub(super) fn write(&mut self, line: &str) -> io::Result<()> {
        let file = match &mut self.to {
            To::File(file) | To::Stream(file) => file,
            To::Draft(draft) => {
                draft.survive();
                draft.file()
            }
        };
        file.write_all(line.as_bytes())?;
        file.flush()?;
        self.is_synced = false;
        if self.synced.elapsed() >= BETWEEN_SYNCS {
            self.sync()?;
        }
        Ok(())
    }

    /// Sees to it that everything is on the disk.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        if !self.is_synced {
            match &mut self.to {
                To::File(file) => file.sync_data()?,
                To::Draft(draft) => draft.file().sync_data()?,
                To::Stream(_) => {}
            }
            self.is_synced = true;
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// The log is complete: from now on it is under its own name.
    pub(super) fn finish(self) -> io::Result<()> {
        match self.to {
            To::Draft(draft) => draft.finish().map(drop),
            To::File(_) | To::Stream(_) => Ok(()),
        }
    }
}

/// A log that goes on after so many bytes.
fn reopen(path: &Path, intact: u64) -> io::Result<File> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    // What was cut off would be in the middle of the log otherwise, where nobody may leave it out.
    file.set_len(intact)?;
    let mut content = Vec::new();
    file.read_to_end(&mut content)?;
    if !content.ends_with(b"\n") {
        file.write_all(b"\n")?;
    }
    Ok(file)
}
