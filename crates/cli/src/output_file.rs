//! Files that are written: whether that will work, asked before the work, and why it did not.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;

use crate::exit::Failure;

/// Finds out whether a file can be written, and leaves everything as it is. Nobody wants to wait for
/// a result first to hear that it cannot be kept.
pub(crate) fn check(path: &Path) -> Result<(), Failure> {
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
        Ok(_) if is_new => std::fs::remove_file(path).map_err(|error| cannot_write(path, &error)),
        Ok(_) => Ok(()),
        Err(error) => Err(cannot_write(path, &error)),
    }
}

/// Writes a text to a file.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| cannot_write(path, &error))
}

/// Why a file cannot be written, and what to try.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    let parent = path.parent().filter(|it| !it.as_os_str().is_empty());
    let why = match (error.kind(), parent) {
        (io::ErrorKind::NotFound, Some(parent)) if !parent.exists() => {
            let parent = parent.display();
            format!("there is no folder `{parent}`; make it, or name another one")
        }
        (io::ErrorKind::PermissionDenied, _) => {
            "you have no right to write there; name a file in a folder of your own".to_owned()
        }
        _ if path.is_dir() => "it is a folder; name a file in it".to_owned(),
        _ => error.to_string(),
    };
    Failure::input(format!("`{}` cannot be written: {why}", path.display()))
}
