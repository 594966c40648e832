//! Files that are written: whether that will work, asked before the work, and why it did not.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// Finds out whether a file can be written, and leaves everything as it is. Nobody wants to wait for
/// a result first to hear that it cannot be kept.
pub(crate) fn check(path: &Path) -> Result<(), Failure> {
    let end = end_of_links(path);
    check_end(&end).map_err(|error| cannot_write(path, &error))
}

/// More links in a row than any system follows.
const MOST_LINKS: usize = 64;

/// Where a link leads that leads to nothing yet, and so what will be made. Everything else is
/// itself.
fn end_of_links(path: &Path) -> PathBuf {
    let mut end = path.to_owned();
    for _ in 0..MOST_LINKS {
        match std::fs::read_link(&end) {
            Ok(to) if !end.exists() => end = end.parent().unwrap_or(Path::new("")).join(to),
            _ => break,
        }
    }
    end
}

fn check_end(path: &Path) -> io::Result<()> {
    let about = path.metadata();
    let is_new = about.is_err();
    // Pipes and devices take what comes, and may wait for somebody at the other end.
    if about.is_ok_and(|about| !about.is_file() && !about.is_dir()) {
        return Ok(());
    }
    let mut options = OpenOptions::new();
    // What is there already is opened without changing a byte of it.
    let opened = options.append(true).create_new(is_new).open(path);
    match opened {
        Ok(_) if is_new => std::fs::remove_file(path),
        opened => opened.map(drop),
    }
}

/// Writes a text to a file.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| cannot_write(path, &error))
}

/// That a folder is no file.
pub(crate) fn is_a_folder(path: &Path) -> Failure {
    Failure::input(format!(
        "`{}` cannot be written: it is a folder; name a file in it",
        path.display()
    ))
}

/// Why a file cannot be written, and what to try.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    let end = end_of_links(path);
    let parent = end.parent().filter(|it| !it.as_os_str().is_empty());
    let why = match (error.kind(), parent) {
        (io::ErrorKind::NotFound, Some(parent)) if !parent.exists() => {
            let parent = parent.display();
            format!("there is no folder `{parent}`; make it, or name another one")
        }
        (io::ErrorKind::PermissionDenied, _) => {
            "you have no right to write there; name a file in a folder of your own".to_owned()
        }
        _ if end.is_symlink() && !end.exists() => {
            "it is a link, and its links lead in a circle; name another file".to_owned()
        }
        _ if path.is_dir() => return is_a_folder(path),
        _ => error.to_string(),
    };
    Failure::input(format!("`{}` cannot be written: {why}", path.display()))
}
