//! Logs of decisions that games write, also while they are still being written.

use apprentice::report::decision_log;

use crate::folder::Folder;
use crate::protocol::Decisions;

/// Lines that are handed over at once: the page asks for the next.
const MOST_LINES: usize = 5_000;

/// The files of the folder that are such logs.
pub(crate) fn list(folder: &Folder) -> Vec<String> {
    let found = folder.list("jsonl").into_iter();
    let logs = found.filter(|found| {
        let first = found.text.lines().next().unwrap_or_default();
        decision_log::read(&format!("{first}\n")).is_ok()
    });
    logs.map(|found| found.path).collect()
}

/// What is in a log from a byte on. A file that is shorter than that was begun anew, and is read from
/// its beginning.
pub(crate) fn read(folder: &Folder, path: &str, from: usize) -> Result<Decisions, String> {
    let text = folder.read(path)?;
    let wrong = |error: decision_log::NoDecisionLog| format!("`{path}`: {error}");
    let is_anew = from == 0 || from > text.len() || !text.is_char_boundary(from);
    let (level, mut lines, mut read) = if is_anew {
        let all = decision_log::read(&text).map_err(wrong)?;
        (Some(all.level), all.lines, all.read)
    } else {
        let (lines, read) = decision_log::read_more(&text[from..]).map_err(wrong)?;
        (None, lines, from + read)
    };
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES);
        let begin = if is_anew { 0 } else { from };
        let told = MOST_LINES + usize::from(is_anew);
        let bytes: usize = (text[begin..].split_inclusive('\n').take(told))
            .map(str::len)
            .sum();
        read = begin + bytes;
    }
    Ok(Decisions {
        path: path.to_owned(),
        level,
        lines,
        read,
    })
}

#[cfg(test)]
mod tests {
    use apprentice::report::decision_log::DecisionLog;

    use super::*;

    #[test]
    fn a_log_that_grows_is_read_on_where_it_was() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = Folder::open(root.path()).expect("it is one");
        let mut log = DecisionLog::new("hall");
        log.happened("anna", 1.0, "picked_up:key");
        folder
            .write("game.jsonl", &log.text())
            .expect("there is room");
        folder.write("other.jsonl", "{}\n").expect("there is room");
        assert_eq!(list(&folder), ["game.jsonl"]);
        let first = read(&folder, "game.jsonl", 0).expect("it can be read");
        assert_eq!(
            (first.level.as_deref(), first.lines.len()),
            (Some("hall"), 1)
        );
        for _ in 0..MOST_LINES + 7 {
            log.happened("anna", 2.0, "door_opened:gate");
        }
        let text = log.text();
        folder.write("game.jsonl", &text).expect("there is room");
        let more = read(&folder, "game.jsonl", first.read).expect("it can be read");
        assert_eq!(more.lines.len(), MOST_LINES);
        let rest = read(&folder, "game.jsonl", more.read).expect("it can be read");
        assert_eq!((rest.lines.len(), rest.read), (7, text.len()));
    }
}
