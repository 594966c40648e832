//! Files that are written: whether that will work, asked before the work, and why it did not. None is
//! ever half written, and none that was read is written over.

use std::io;
use std::path::Path;

use apprentice_studio::whole_file::{self, Target};

use crate::exit::Failure;
use crate::input_file;

/// Finds out whether a file can be written, and leaves everything as it is. Nobody wants to wait for
/// a result first to hear that it cannot be kept.
pub(crate) fn check(path: &Path) -> Result<(), Failure> {
    refuse_inputs(path)?;
    whole_file::check(path).map_err(|error| cannot_write(path, &error))
}

/// Writes a text to a file, whole or not at all.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    refuse_inputs(path)?;
    replace(path, text)
}

/// The same, also if the file was read: for those who were told to change it.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    whole_file::write(path, text.as_bytes()).map_err(|error| cannot_write(path, &error))
}

/// That a file is not written over which was read in the same run: what is in it would be lost.
pub(crate) fn refuse_inputs(path: &Path) -> Result<(), Failure> {
    match Target::of(path) {
        Ok(Target::File(end)) if input_file::was_read(&end) => Err(Failure::input(format!(
            "`{}` is one of the files this is made from, and would be lost; name another file to write",
            path.display()
        ))),
        _ => Ok(()),
    }
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
    if path.is_dir() {
        return is_a_folder(path);
    }
    let end = match Target::of(path) {
        Ok(Target::File(end)) => end,
        Ok(Target::Stream) => path.to_owned(),
        Err(_) => {
            return Failure::input(format!(
                "`{}` cannot be written: it is a link, and its links lead in a circle; name another file",
                path.display()
            ));
        }
    };
    let parent = end.parent().filter(|it| !it.as_os_str().is_empty());
    let why = match (error.kind(), parent) {
        (io::ErrorKind::NotFound, Some(parent)) if !parent.exists() => {
            let parent = parent.display();
            format!("there is no folder `{parent}`; make it, or name another one")
        }
        (io::ErrorKind::PermissionDenied, _) => {
            "you have no right to write there; name a file in a folder of your own".to_owned()
        }
        (io::ErrorKind::StorageFull, _) => {
            "there is no room left on its disk; make some, or name a file on another one".to_owned()
        }
        _ => error.to_string(),
    };
    Failure::input(format!("`{}` cannot be written: {why}", path.display()))
}
