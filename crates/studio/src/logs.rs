//! The files of recorded demonstrations beside a scenario that is saved. None that is there is ever
//! written over: what somebody recorded cannot be made again.

use std::collections::HashSet;

use crate::folder::Folder;
use crate::{demonstration_text, demonstrations, level, neighbours};

/// Finds names for the logs of one scenario.
pub(crate) struct Logs<'a> {
    folder: &'a Folder,
    /// Where the scenario came from, and where it is to be.
    from: &'a str,
    path: &'a str,
    /// What the scenario called its logs.
    named: Vec<String>,
    /// Names that are some log's already.
    taken: HashSet<String>,
    /// The files that are to be written: path and text.
    pub(crate) new: Vec<(String, &'a str)>,
}

impl<'a> Logs<'a> {
    pub(crate) fn beside(
        folder: &'a Folder,
        (from, text): (&'a str, &str),
        path: &'a str,
    ) -> Result<Logs<'a>, String> {
        if !path.ends_with(".toml") {
            return Err("a scenario's name ends in .toml".to_owned());
        }
        Ok(Logs {
            folder,
            from,
            path,
            named: demonstration_text::log_files(text)?,
            taken: HashSet::new(),
            new: Vec::new(),
        })
    }

    /// What the scenario calls the log of its demonstration of this number: the name it had, if it
    /// is still in that file; otherwise one with the number, or the next that nothing else has.
    pub(crate) fn name_for(&mut self, number: u64, log: &'a str) -> String {
        let own = if self.from == self.path {
            &self.named[..]
        } else {
            &[]
        };
        let short = level::short_name(self.path);
        let numbered = (number..).map(|number| format!("{short}-{number}.jsonl"));
        for name in own.iter().cloned().chain(numbered) {
            let Some(path) = neighbours::beside(self.path, &name) else {
                continue;
            };
            if self.taken.contains(&name) {
                continue;
            }
            let is_there = self.folder.has(&path);
            if is_there && self.folder.read(&path).ok().as_deref() == Some(log) {
                self.taken.insert(name.clone());
                return name;
            }
            // A file that is missing may come back.
            if !is_there && !self.named.contains(&name) {
                self.new.push((path, log));
                self.taken.insert(name.clone());
                return name;
            }
        }
        unreachable!("there are more numbers than files")
    }

    /// What the scenario calls a log that was left out when it was opened, because it cannot be
    /// read: it is not for us to take it out.
    pub(crate) fn name_if_left_out(&self, name: &str) -> Option<String> {
        let read = self.folder.read_beside(self.from, name);
        if read.is_ok_and(|text| demonstrations::read_log(&text).is_ok()) {
            return None;
        }
        if self.from == self.path || Folder::is_built_in(self.from) {
            return Some(name.to_owned());
        }
        let there = neighbours::beside(self.from, name);
        Some(there.map_or_else(
            || name.to_owned(),
            |there| neighbours::from_beside(self.path, &there),
        ))
    }
}
