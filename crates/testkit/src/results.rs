//! Games that were played, a line each in a file: whoever is interrupted goes on where it was.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use crate::simulation::{Ending, Extent, Fault, Law, Played, Took};

/// A file of results: what it held, and where more is added.
pub struct Results {
    file: File,
    /// The games that were played before.
    pub known: Vec<(Extent, u64, Played)>,
}

impl Results {
    /// Opens a file or begins one. What is no whole line, because somebody was interrupted while it
    /// was written, counts as not played.
    ///
    /// # Errors
    ///
    /// If it can be neither read nor written.
    pub fn open(path: &Path) -> io::Result<Results> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let known = whole.lines().filter_map(parse).collect();
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        if whole.len() < text.len() {
            file.write_all(b"\n")?;
        }
        Ok(Results { file, known })
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn add(&mut self, extent: Extent, seed: u64, played: &Played) -> io::Result<()> {
        let line = line(extent, seed, played);
        self.file.write_all(line.as_bytes())?;
        self.file.flush()
    }
}

/// A game as a line: extent, seed, ending, digest, units, microseconds by what they were taken for,
/// what was played, and each law that was broken with its moment and how.
///
/// ```
/// use apprentice_testkit::results::{line, parse};
/// use apprentice_testkit::simulation::{Extent, play};
///
/// let played = play(7, Extent::Short);
/// let (extent, seed, read) = parse(line(Extent::Short, 7, &played).trim_end()).expect("a game");
/// assert_eq!((extent, seed, read.ending), (Extent::Short, 7, played.ending));
/// assert_eq!((read.digest, read.units, read.about), (played.digest, played.units, played.about));
/// assert!(parse("short 7").is_none());
/// ```
pub fn line(extent: Extent, seed: u64, played: &Played) -> String {
    let plain = |text: &str| text.replace(['\t', '\n', '\r'], " ");
    let took = played.took.parts().map(|(_, took)| took.as_micros());
    let took = took.map(|took| took.to_string()).join(" ");
    let mut line = format!(
        "{extent}\t{seed}\t{}\t{:x}\t{}\t{took}\t{}",
        played.ending.word(),
        played.digest,
        played.units,
        plain(&played.about)
    );
    for fault in &played.faults {
        let at = fault.at.as_micros();
        line += &format!("\t{}\t{at}\t{}", fault.law, plain(&fault.what));
    }
    line + "\n"
}

/// Reads such a line; none if it is no game.
pub fn parse(line: &str) -> Option<(Extent, u64, Played)> {
    let mut fields = line.split('\t');
    let extent = Extent::named(fields.next()?)?;
    let seed = fields.next()?.parse().ok()?;
    let word = fields.next()?;
    let ending = Ending::ALL.into_iter().find(|it| it.word() == word)?;
    let digest = u64::from_str_radix(fields.next()?, 16).ok()?;
    let units = fields.next()?.parse().ok()?;
    let took: Vec<Duration> = fields
        .next()?
        .split(' ')
        .map(|took| took.parse().ok().map(Duration::from_micros))
        .collect::<Option<_>>()?;
    let about = fields.next()?.to_owned();
    let mut faults = Vec::new();
    while let Some(law) = fields.next() {
        faults.push(Fault {
            law: Law::ALL.into_iter().find(|it| it.to_string() == law)?,
            at: Duration::from_micros(fields.next()?.parse().ok()?),
            what: fields.next()?.to_owned(),
        });
    }
    let played = Played {
        ending,
        faults,
        digest,
        units,
        about,
        took: Took::from_parts(took.try_into().ok()?),
    };
    Some((extent, seed, played))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_interrupted_loses_at_most_the_line_that_was_being_written() -> io::Result<()> {
        let path = std::env::temp_dir().join(format!("results-{}", std::process::id()));
        let played = Played {
            ending: Ending::GaveUp,
            faults: vec![Fault {
                law: Law::Frozen,
                at: Duration::from_millis(1500),
                what: "a\ttab and\na line".to_owned(),
            }],
            digest: u64::MAX,
            units: 12,
            about: "rooms".to_owned(),
            took: Took::default(),
        };
        let mut results = Results::open(&path)?;
        results.add(Extent::Full, 3, &played)?;
        let cut = line(Extent::Short, 4, &played);
        results.file.write_all(&cut.as_bytes()[..cut.len() / 2])?;
        let mut again = Results::open(&path)?;
        again.add(Extent::Short, 5, &played)?;
        let known = Results::open(&path)?.known;
        std::fs::remove_file(&path)?;
        let seeds: Vec<_> = known
            .iter()
            .map(|(extent, seed, _)| (*extent, *seed))
            .collect();
        assert_eq!(seeds, [(Extent::Full, 3), (Extent::Short, 5)]);
        let (_, _, read) = &known[0];
        assert_eq!(
            (read.ending, read.digest, read.units),
            (Ending::GaveUp, u64::MAX, 12)
        );
        assert_eq!(read.faults[0].law, Law::Frozen);
        assert_eq!(read.faults[0].at, Duration::from_millis(1500));
        assert_eq!(read.faults[0].what, "a tab and a line");
        Ok(())
    }
}
