//! What was done so far, in a file that only grows: whoever is interrupted, killed or out of room loses
//! nothing that was done, and does nothing twice.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::VERSION;
use crate::measured::Row;

/// The name of a journal in the folder of its results.
const FILE: &str = "journal.jsonl";

/// The version of its lines.
const FORMAT: u32 = 1;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct FirstLine {
    journal: u32,
    version: String,
}

/// Cells that were done: in memory, and on the disk as soon as they are added.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// How long the file is with whole lines only.
    whole: u64,
    rows: Vec<Row>,
    by_key: BTreeMap<String, usize>,
}

/// What is wrong with a journal.
#[derive(Debug)]
#[non_exhaustive]
pub enum JournalError {
    /// Its file or its folder cannot be read or written.
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It was begun by another version.
    Version {
        /// The file.
        path: PathBuf,
        /// By which.
        version: String,
    },
    /// Somebody else writes to it.
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// A line is none of a journal.
    Line {
        /// The file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// Two journals say different things of one cell.
    Contradiction {
        /// The other file.
        path: PathBuf,
        /// The cell.
        cell: String,
    },
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::File { path, error } => {
                let what = match error.kind() {
                    io::ErrorKind::StorageFull
                    | io::ErrorKind::QuotaExceeded
                    | io::ErrorKind::FileTooLarge => {
                        "there is no room left on its disk; make some and run the same again: it goes on with what is missing".to_owned()
                    }
                    io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                        "you have no right to write there; name another folder with --out".to_owned()
                    }
                    io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
                        "something is in the way that is no folder with results; name another one with --out".to_owned()
                    }
                    _ => error.to_string(),
                };
                write!(f, "`{}`: {what}", path.display())
            }
            JournalError::Version { path, version } => write!(
                f,
                "`{}` holds results of version {version}, and this is {VERSION}; their counts may differ. \
                 Name another folder with --out, or keep that one and run it with its own version",
                path.display()
            ),
            JournalError::InUse { path } => write!(
                f,
                "`{}` is being written by another run; wait for it, or name another folder with --out",
                path.display()
            ),
            JournalError::Line { path, line, why } => write!(
                f,
                "`{}` line {line} is no result ({why}); nothing was changed. Remove the line to have its cell run again",
                path.display()
            ),
            JournalError::Contradiction { path, cell } => write!(
                f,
                "`{}` says something else of {cell} than what is here: they are of different builds. Merge only what one build made",
                path.display()
            ),
        }
    }
}

impl std::error::Error for JournalError {}

impl Journal {
    /// Opens the journal of a folder, or begins one; makes the folder if there is none. What is no whole
    /// line at its end, because somebody was killed while it was written, is taken away.
    ///
    /// # Errors
    ///
    /// If it cannot be read or written, is of another version, is in use, or holds something else than
    /// results. Then nothing is changed.
    pub fn open(folder: &Path) -> Result<Journal, JournalError> {
        let path = folder.join(FILE);
        let failed = |error| JournalError::File {
            path: path.clone(),
            error,
        };
        std::fs::create_dir_all(folder).map_err(|error| JournalError::File {
            path: folder.to_owned(),
            error,
        })?;
        // A device or a pipe would be read for ever.
        if std::fs::metadata(&path).is_ok_and(|it| !it.is_file()) {
            return Err(failed(io::ErrorKind::NotADirectory.into()));
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse { path }),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let Lines { rows, whole } = lines(&path, &bytes)?;
        let mut journal = Journal {
            path: path.clone(),
            file,
            whole: whole as u64,
            rows: Vec::new(),
            by_key: BTreeMap::new(),
        };
        if (whole as u64) < bytes.len() as u64 {
            journal.file.set_len(whole as u64).map_err(failed)?;
        }
        for row in rows {
            journal.keep(row);
        }
        if whole == 0 {
            let first = FirstLine {
                journal: FORMAT,
                version: VERSION.to_owned(),
            };
            journal.append(&first)?;
        }
        Ok(journal)
    }

    /// Reads a journal without changing it, for reports and for merging.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is of another version, or holds something else.
    pub fn read(folder: &Path) -> Result<Vec<Row>, JournalError> {
        let path = folder.join(FILE);
        let bytes = std::fs::read(&path).map_err(|error| JournalError::File {
            path: path.clone(),
            error,
        })?;
        Ok(lines(&path, &bytes)?.rows)
    }

    /// What was done, in the order in which it was.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// What came of a cell, if it was done.
    pub fn find(&self, key: &str) -> Option<&Row> {
        self.by_key.get(key).map(|number| &self.rows[*number])
    }

    /// Adds what was done. Returns when it is with the system, so that not even being killed loses it.
    ///
    /// # Errors
    ///
    /// If it cannot be written. Then the file is as it was.
    pub fn add(&mut self, row: Row) -> Result<(), JournalError> {
        self.append(&row)?;
        self.keep(row);
        Ok(())
    }

    /// Waits until everything is on the disk, so that not even losing power loses it.
    ///
    /// # Errors
    ///
    /// If the disk does not take it.
    pub fn sync(&self) -> Result<(), JournalError> {
        self.file.sync_data().map_err(|error| JournalError::File {
            path: self.path.clone(),
            error,
        })
    }

    /// Adds what another journal holds and this one does not; says how many cells that were.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or both have a cell and do not agree on it but for the clocks.
    pub fn merge(&mut self, folder: &Path) -> Result<usize, JournalError> {
        let mut added = 0;
        for row in Journal::read(folder)? {
            match self.find(&row.cell.key()) {
                None => {
                    self.add(row)?;
                    added += 1;
                }
                Some(known) if known.measured == row.measured => {}
                Some(_) => {
                    return Err(JournalError::Contradiction {
                        path: folder.join(FILE),
                        cell: row.cell.in_words(),
                    });
                }
            }
        }
        self.sync()?;
        Ok(added)
    }

    fn keep(&mut self, row: Row) {
        self.by_key.entry(row.cell.key()).or_insert(self.rows.len());
        self.rows.push(row);
    }

    fn append(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let failed = |path: &Path, error| JournalError::File {
            path: path.to_owned(),
            error,
        };
        let mut text =
            serde_json::to_vec(line).map_err(|error| failed(&self.path, error.into()))?;
        text.push(b'\n');
        let at_end = self.file.seek(SeekFrom::Start(self.whole));
        if let Err(error) = at_end.and_then(|_| self.file.write_all(&text)) {
            // A part of the line may be there: it must not stand before the next one.
            let _ = self.file.set_len(self.whole);
            return Err(failed(&self.path, error));
        }
        self.whole += text.len() as u64;
        Ok(())
    }
}

/// What stands in a journal: its rows, and how many bytes are whole lines.
struct Lines {
    rows: Vec<Row>,
    whole: usize,
}

fn lines(path: &Path, bytes: &[u8]) -> Result<Lines, JournalError> {
    let whole = bytes
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |end| end + 1);
    let wrong = |line: usize, why: String| JournalError::Line {
        path: path.to_owned(),
        line,
        why,
    };
    let text = std::str::from_utf8(&bytes[..whole]).map_err(|error| wrong(1, error.to_string()))?;
    let mut rows = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if number == 1 {
            let first: FirstLine =
                serde_json::from_str(line).map_err(|error| wrong(1, error.to_string()))?;
            if first.journal != FORMAT || first.version != VERSION {
                let version = if first.journal == FORMAT {
                    first.version
                } else {
                    format!("{} (journal {})", first.version, first.journal)
                };
                return Err(JournalError::Version {
                    path: path.to_owned(),
                    version,
                });
            }
            continue;
        }
        rows.push(serde_json::from_str(line).map_err(|error| wrong(number, error.to_string()))?);
    }
    Ok(Lines { rows, whole })
}
