//! The file of one participant: JSON Lines, only ever added to. Each line is on the disk before anybody
//! is told that it was taken, so that whoever is interrupted loses nothing that was answered.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{error, fmt};

use serde::{Deserialize, Serialize};

use super::design::{Planned, Seventh};

/// The format these files are written in.
pub(crate) const FORMAT: u32 = 1;

/// Larger files are none of ours: a whole participant takes a hundredth of this.
const LARGEST: u64 = 16 << 20;

/// Something that is written down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "snake_case")]
pub(crate) enum Entry {
    /// The first line.
    Begun {
        format: u32,
        id: String,
        /// The so manieth participant of the folder, from 1: decides the order of the trials.
        number: usize,
        version: String,
        trials: Vec<Planned>,
        seventh: Seventh,
        times_shown: bool,
        /// How many times faster than people play it was played: 1 but for rehearsals by programs.
        hurried: f64,
    },
    Consented {
        to: String,
    },
    Practised {
        seconds: f64,
    },
    /// A line on the map. The last one counts.
    Drawn {
        points: Vec<[f64; 2]>,
    },
    DrawingDone,
    TrialBegun {
        trial: usize,
        attempt: usize,
    },
    /// The character has its first plan, so long after the trial began.
    PlanReady {
        trial: usize,
        attempt: usize,
        seconds: f64,
    },
    Happened {
        trial: usize,
        attempt: usize,
        seconds: f64,
        what: String,
    },
    TrialDone {
        trial: usize,
        attempts: usize,
        seconds: f64,
        player_seconds: Option<f64>,
        npc_seconds: Option<f64>,
        /// The participant saw no way to go on.
        given_up: bool,
    },
    /// An answer, from -2 to 2. The last one to a statement counts.
    Answered {
        trial: usize,
        statement: usize,
        answer: i8,
    },
    /// A comment. The last one on a trial counts.
    Commented {
        trial: usize,
        text: String,
    },
    QuestionsDone {
        trial: usize,
    },
    /// A note of the experimenter, and the moment it is about.
    Remarked {
        trial: Option<usize>,
        seconds: Option<f64>,
        text: String,
    },
    Ended {
        comment: String,
    },
    Withdrawn,
}

/// A line of the file: when, in milliseconds since 1970, and what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) at: u64,
    #[serde(flatten)]
    pub(crate) entry: Entry,
}

/// What is wrong with results.
#[derive(Debug)]
#[non_exhaustive]
pub enum JournalError {
    /// A file or the folder cannot be read or written.
    Io(PathBuf, io::Error),
    /// There is nothing in the folder that a study has written.
    Empty(PathBuf),
    /// A file does not begin as those of a study do.
    Foreign(PathBuf),
    /// A file is of a format that this version does not know.
    Format(PathBuf, u32),
    /// A line in the middle of a file is broken.
    Line(PathBuf, usize, String),
    /// Two files are of the same participant.
    Twice(String),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::Io(path, error) => write!(f, "`{}`: {error}", path.display()),
            JournalError::Empty(path) => write!(
                f,
                "there are no results in `{}`; `apprentice study --out {0}` writes them",
                path.display()
            ),
            JournalError::Foreign(path) => write!(
                f,
                "`{}` was not written by a study: its first line does not say who takes part; \
                 move it out of the folder",
                path.display()
            ),
            JournalError::Format(path, format) => write!(
                f,
                "`{}` has format {format}, and this version knows format {FORMAT}; \
                 use the version that wrote it, or a newer one",
                path.display()
            ),
            JournalError::Line(path, line, why) => write!(
                f,
                "`{}`, line {line}: {why}; mend the line, or move the file out of the folder",
                path.display()
            ),
            JournalError::Twice(id) => write!(
                f,
                "the participant `{id}` has two files; keep the longer one in the folder"
            ),
        }
    }
}

impl error::Error for JournalError {}

/// Reads the lines of a file. A last line without an end was cut off and is left out; it was promised
/// to nobody.
pub(crate) fn read(path: &Path) -> Result<Vec<Line>, JournalError> {
    let io = |error| JournalError::Io(path.to_owned(), error);
    let file = File::open(path).map_err(io)?;
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes).map_err(io)?;
    parse(path, &bytes)
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Vec<Line>, JournalError> {
    let mut lines: Vec<Line> = Vec::new();
    let whole = &bytes[..whole_lines(bytes)];
    let texts = whole.split(|byte| *byte == b'\n').enumerate();
    for (number, text) in texts.filter(|(_, text)| !text.is_empty()) {
        match serde_json::from_slice::<Line>(text) {
            Ok(line) => lines.push(line),
            Err(_) if lines.is_empty() => return Err(unknown(path, text)),
            Err(error) => {
                return Err(JournalError::Line(
                    path.to_owned(),
                    number + 1,
                    error.to_string(),
                ));
            }
        }
    }
    match lines.first().map(|line| &line.entry) {
        Some(Entry::Begun { format, .. }) if *format == FORMAT => Ok(lines),
        Some(Entry::Begun { format, .. }) => Err(JournalError::Format(path.to_owned(), *format)),
        _ => Err(JournalError::Foreign(path.to_owned())),
    }
}

/// What a first line that cannot be read is: ours of another format, or nobody knows what.
fn unknown(path: &Path, text: &[u8]) -> JournalError {
    #[derive(Deserialize)]
    struct Any {
        entry: String,
        format: u32,
    }
    match serde_json::from_slice::<Any>(text) {
        Ok(any) if any.entry == "begun" && any.format != FORMAT => {
            JournalError::Format(path.to_owned(), any.format)
        }
        _ => JournalError::Foreign(path.to_owned()),
    }
}

/// How many bytes there are up to the end of the last line that has one.
pub(crate) fn whole_lines(bytes: &[u8]) -> usize {
    let end = bytes.iter().rposition(|byte| *byte == b'\n');
    end.map_or(0, |end| end + 1)
}

/// A file that is being added to.
#[derive(Debug)]
pub(crate) struct Journal {
    file: File,
}

impl Journal {
    /// A new file. There must be none of this name.
    pub(crate) fn create(path: &Path, first: Entry) -> io::Result<(Journal, Line)> {
        let file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .open(path)?;
        let mut journal = Journal { file };
        let line = journal.add(first)?;
        // The name must be on the disk, too.
        if let Some(folder) = path.parent().and_then(|folder| File::open(folder).ok()) {
            // Not every system can do that for folders.
            let _ = folder.sync_all();
        }
        Ok((journal, line))
    }

    /// Goes on where a file ends. A line that was cut off is taken away.
    pub(crate) fn resume(path: &Path) -> io::Result<Journal> {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = whole_lines(&bytes);
        if whole < bytes.len() {
            file.set_len(whole as u64)?;
            file.sync_all()?;
        }
        file.seek(SeekFrom::End(0))?;
        Ok(Journal { file })
    }

    /// Adds a line. When this returns it is on the disk.
    pub(crate) fn add(&mut self, entry: Entry) -> io::Result<Line> {
        let line = Line { at: now(), entry };
        let mut text = serde_json::to_string(&line)?;
        text.push('\n');
        let before = self.file.seek(SeekFrom::End(0))?;
        let written = (self.file.write_all(text.as_bytes())).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // Half a line would swallow the next one.
            let _ = self.file.set_len(before);
            return Err(error);
        }
        Ok(line)
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::design;

    fn begun() -> Entry {
        Entry::Begun {
            format: FORMAT,
            id: "p01-test".to_owned(),
            number: 1,
            version: "0".to_owned(),
            trials: design::trials(1),
            seventh: Seventh::default(),
            times_shown: true,
            hurried: 1.0,
        }
    }

    #[test]
    fn wherever_a_file_was_cut_off_all_whole_lines_are_read_and_added_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p01.jsonl");
        let (mut journal, _) = Journal::create(&path, begun()).unwrap();
        for statement in 1..=4 {
            let answer = statement as i8 - 2;
            let trial = 1;
            let entry = Entry::Answered {
                trial,
                statement,
                answer,
            };
            journal.add(entry).unwrap();
        }
        let bytes = std::fs::read(&path).unwrap();
        let all = read(&path).unwrap();
        assert_eq!(all.len(), 5);
        let first = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        for end in first..=bytes.len() {
            let cut = folder.path().join(format!("cut{end}.jsonl"));
            std::fs::write(&cut, &bytes[..end]).unwrap();
            let whole = bytes[..end].iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(read(&cut).unwrap(), all[..whole]);
            Journal::resume(&cut)
                .unwrap()
                .add(Entry::DrawingDone)
                .unwrap();
            let read = read(&cut).unwrap();
            assert_eq!(read[..whole], all[..whole]);
            assert_eq!(read[whole].entry, Entry::DrawingDone);
        }
    }

    #[test]
    fn what_is_none_of_ours_is_told_with_its_place() {
        let check = |text: &str| {
            parse(Path::new("x.jsonl"), text.as_bytes())
                .unwrap_err()
                .to_string()
        };
        let begun = serde_json::to_string(&Line {
            at: 0,
            entry: begun(),
        })
        .unwrap();
        for foreign in [
            "",
            "\n",
            "{}\n",
            "hello\n",
            "[1, 2]\n",
            "{\"t\":0,\"x\":1,\"y\":1}\n",
        ] {
            assert!(
                check(foreign).contains("was not written by a study"),
                "{foreign}"
            );
        }
        let newer = begun.replace("\"format\":1", "\"format\":9");
        assert!(check(&format!("{newer}\n")).contains("has format 9"));
        let newer = "{\"at\":1,\"entry\":\"begun\",\"format\":3,\"people\":[]}\n";
        assert!(check(newer).contains("has format 3"));
        let broken = format!("{begun}\n{{\"at\":1,\"entry\":\"sung\"}}\n{begun}\n");
        assert!(
            check(&broken).contains("line 2: unknown variant `sung`"),
            "{}",
            check(&broken)
        );
        assert!(check("{\"at\":1,\"entry\":\"drawing_done\"}\n").contains("was not written"));
    }
}
