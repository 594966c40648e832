//! The folder of the results: a file for each participant, where they were, and tables for other programs.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::design::{self, STATEMENTS, Seventh};
use super::journal::{self, Entry, FORMAT, Journal, JournalError};
use super::participant::{Participant, Record};
use crate::whole_file;

/// More participants than a folder can be asked to hold.
const MOST_PARTICIPANTS: usize = 100_000;

/// A folder of results.
#[derive(Debug)]
pub(crate) struct Results {
    folder: PathBuf,
}

impl Results {
    /// A folder, which is made if it is not there.
    pub(crate) fn open(folder: &Path) -> io::Result<Results> {
        fs::create_dir_all(folder)?;
        Ok(Results {
            folder: folder.canonicalize()?,
        })
    }

    /// A folder that is there.
    pub(crate) fn open_existing(folder: &Path) -> Result<Results, JournalError> {
        let found = folder.canonicalize();
        let folder = found.map_err(|error| JournalError::Io(folder.to_owned(), error))?;
        Ok(Results { folder })
    }

    /// The folder, for people.
    pub(crate) fn name(&self) -> String {
        self.folder.display().to_string()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// What those who take part agree to.
    pub(crate) fn consent(&self) -> String {
        let own = fs::read_to_string(self.path("consent.txt"));
        own.map_or_else(|_| design::CONSENT.to_owned(), |own| own.trim().to_owned())
    }

    fn journals(&self) -> Result<Vec<PathBuf>, JournalError> {
        let io = |error| JournalError::Io(self.folder.clone(), error);
        let mut paths = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(io)? {
            let path = entry.map_err(io)?.path();
            if path.extension().is_some_and(|end| end == "jsonl") {
                paths.push(path);
            }
        }
        paths.sort();
        Ok(paths)
    }

    /// Everybody who took part, by number.
    pub(crate) fn read_all(&self) -> Result<Vec<Record>, JournalError> {
        let mut records = Vec::new();
        let mut ids = BTreeSet::new();
        for path in self.journals()? {
            let record = Record::of(&journal::read(&path)?);
            if !ids.insert(record.id.clone()) {
                return Err(JournalError::Twice(record.id));
            }
            records.push(record);
        }
        if records.is_empty() {
            return Err(JournalError::Empty(self.folder.clone()));
        }
        records.sort_by(|one, other| (one.number, &one.id).cmp(&(other.number, &other.id)));
        Ok(records)
    }

    /// Everybody whose file can be read, and what is wrong with the others.
    pub(crate) fn read_some(&self) -> (Vec<Record>, Vec<String>) {
        let (mut records, mut wrong) = (Vec::new(), Vec::new());
        match self.journals() {
            Err(error) => wrong.push(error.to_string()),
            Ok(paths) => {
                for path in paths {
                    match journal::read(&path) {
                        Ok(lines) => records.push(Record::of(&lines)),
                        Err(error) => wrong.push(error.to_string()),
                    }
                }
            }
        }
        records.sort_by_key(|record| record.number);
        (records, wrong)
    }

    /// Somebody new.
    pub(crate) fn begin(
        &self,
        seventh: Seventh,
        times_shown: bool,
        hurried: f64,
    ) -> Result<Participant, String> {
        let (known, _) = self.read_some();
        let last = known.iter().map(|record| record.number).max();
        // Letters of chance, so that the folders of two computers can be put together.
        let mut chance = [0; 4];
        getrandom::fill(&mut chance).map_err(|error| error.to_string())?;
        let letters: String = (chance.iter())
            .map(|byte| char::from(b"abcdefghjkmnpqrstuvwxyz23456789-"[usize::from(byte % 31)]))
            .collect();
        let number = last.unwrap_or(0) + 1;
        if number > MOST_PARTICIPANTS {
            return Err("this folder is full; begin another one".to_owned());
        }
        let id = format!("p{number:02}-{letters}");
        let begun = Entry::Begun {
            format: FORMAT,
            id: id.clone(),
            number,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            trials: design::trials(number),
            seventh,
            times_shown,
            hurried,
        };
        let path = self.path(&format!("{id}.jsonl"));
        let (journal, line) = Journal::create(&path, begun)
            .map_err(|error| format!("`{}` cannot be written: {error}", path.display()))?;
        Ok(Participant::new(Record::of(&[line]), journal))
    }

    /// Somebody who was interrupted.
    pub(crate) fn resume(&self, id: &str) -> Result<Participant, String> {
        for path in self.journals().map_err(|error| error.to_string())? {
            let Ok(lines) = journal::read(&path) else {
                continue;
            };
            let record = Record::of(&lines);
            if record.id == id {
                let journal = Journal::resume(&path)
                    .map_err(|error| format!("`{}` cannot be written: {error}", path.display()))?;
                return Ok(Participant::new(record, journal));
            }
        }
        Err(format!("there is no participant `{id}` in this folder"))
    }

    /// The file of where a participant was.
    pub(crate) fn positions(&self, id: &str) -> io::Result<Positions> {
        Positions::open(&self.path(&format!("{id}.positions.csv")))
    }

    /// Writes the tables for other programs.
    pub(crate) fn write_tables(&self, all: &[Record]) -> Result<(), JournalError> {
        for (name, text) in [("answers.csv", answers(all)), ("remarks.csv", remarks(all))] {
            let path = self.path(name);
            whole_file::write(&path, text.as_bytes())
                .map_err(|error| JournalError::Io(path, error))?;
        }
        Ok(())
    }

    /// The same, with everybody whose file can be read.
    pub(crate) fn refresh_tables(&self) {
        // They can be made again at any time: `study report` does, and says what is wrong.
        let _ = self.write_tables(&self.read_some().0);
    }
}

/// A cell of a CSV file (RFC 4180). What a spreadsheet would take for a formula is kept a text.
fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = match is_formula && text.parse::<f64>().is_err() {
        true => format!("'{text}"),
        false => text.to_owned(),
    };
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

fn row(text: &mut String, cells: impl IntoIterator<Item = String>) {
    let cells: Vec<String> = cells.into_iter().map(|it| cell(&it)).collect();
    let _ = writeln!(text, "{}", cells.join(","));
}

fn shown<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// A word of ours as it stands in the files.
fn word<T: serde::Serialize>(value: T) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

/// One row for each trial of each participant.
fn answers(all: &[Record]) -> String {
    let mut text = "participant,number,trial,map,npc,label,attempts,planning_seconds,seconds,\
        player_seconds,npc_seconds,given_up,q1,q2,q3,q4,q5,q6,q7,seventh,comment,withdrawn,hurried\n"
        .to_owned();
    for record in all {
        for planned in &record.plan {
            let Some(trial) = record.trials.get(&planned.trial) else {
                continue;
            };
            let done = trial.done;
            let cells = [
                record.id.clone(),
                record.number.to_string(),
                planned.trial.to_string(),
                word(planned.map),
                word(planned.npc),
                planned.label.clone(),
                trial.attempts.to_string(),
                shown(trial.plan_ready),
                shown(done.map(|done| done.seconds)),
                shown(done.and_then(|done| done.player_seconds)),
                shown(done.and_then(|done| done.npc_seconds)),
                shown(done.map(|done| done.given_up)),
            ];
            let answers = (1..=STATEMENTS).map(|statement| shown(trial.answers.get(&statement)));
            let rest = [
                word(record.seventh),
                trial.comment.clone(),
                record.withdrawn.to_string(),
                record.hurried.to_string(),
            ];
            row(&mut text, cells.into_iter().chain(answers).chain(rest));
        }
    }
    text
}

fn remarks(all: &[Record]) -> String {
    let mut text = "participant,trial,seconds,remark\n".to_owned();
    for record in all {
        for remark in &record.remarks {
            let cells = [
                record.id.clone(),
                shown(remark.trial),
                shown(remark.seconds),
                remark.text.clone(),
            ];
            row(&mut text, cells);
        }
        for comment in record.comment.iter().filter(|comment| !comment.is_empty()) {
            let cells = [
                record.id.clone(),
                String::new(),
                String::new(),
                comment.clone(),
            ];
            row(&mut text, cells);
        }
    }
    text
}

/// Where everybody was, ten times a second.
#[derive(Debug)]
pub(crate) struct Positions {
    file: File,
}

impl Positions {
    /// Goes on where the file ends, or begins one.
    fn open(path: &Path) -> io::Result<Positions> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        file.set_len(journal::whole_lines(&bytes) as u64)?;
        file.seek(SeekFrom::End(0))?;
        if file.stream_position()? == 0 {
            let head = "trial,attempt,seconds,player_x,player_y,npc_x,npc_y,npc\n";
            file.write_all(head.as_bytes())?;
        }
        Ok(Positions { file })
    }

    /// Adds a line. Where somebody was in the last moments before a crash is no answer: it is not
    /// waited for the disk.
    pub(crate) fn add(
        &mut self,
        (trial, attempt): (usize, usize),
        seconds: f64,
        player: [f64; 2],
        npc: [f64; 2],
        doing: &str,
    ) -> io::Result<()> {
        let line = format!(
            "{trial},{attempt},{seconds:.1},{:.2},{:.2},{:.2},{:.2},{doing}\n",
            player[0], player[1], npc[0], npc[1]
        );
        self.file.write_all(line.as_bytes())
    }

    /// Sees to it that everything so far is on the disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_people_write_is_one_cell() {
        for (text, expected) in [
            ("plain", "plain"),
            ("a, b", "\"a, b\""),
            ("she said \"no\"", "\"she said \"\"no\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("=1+1", "'=1+1"),
            ("-2", "-2"),
            ("-2 is my answer", "'-2 is my answer"),
        ] {
            assert_eq!(cell(text), expected);
        }
    }

    #[test]
    fn everybody_gets_the_next_number_and_can_be_taken_up_again() {
        let folder = tempfile::tempdir().unwrap();
        let results = Results::open(&folder.path().join("new/folder")).unwrap();
        assert!(matches!(results.read_all(), Err(JournalError::Empty(_))));
        let first = results.begin(Seventh::default(), true, 1.0).unwrap();
        let second = results.begin(Seventh::default(), false, 1.0).unwrap();
        assert_eq!((first.record.number, second.record.number), (1, 2));
        let again = results.resume(&first.record.id).unwrap();
        assert_eq!(again.record, first.record);
        assert!(results.resume("nobody").is_err());
        fs::write(folder.path().join("new/folder/notes.jsonl"), "{}\n").unwrap();
        assert!(matches!(results.read_all(), Err(JournalError::Foreign(_))));
        let (known, wrong) = results.read_some();
        assert_eq!((known.len(), wrong.len()), (2, 1));
    }
}
