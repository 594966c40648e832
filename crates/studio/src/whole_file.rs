//! Files that are written as a whole or not at all: whoever is interrupted, or runs out of room,
//! leaves what was there before.
//!
//! What is written goes to a fresh file in the same folder, which takes the place of the old one when
//! it is complete and on the disk. Where the name is a link, what it leads to is replaced. What is
//! no file, as a pipe or a device, is never replaced: it takes what comes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// Writes a file, whole or not at all.
///
/// # Errors
///
/// If that cannot be done. Then a file that was there is as it was before.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("level.toml");
/// apprentice_studio::whole_file::write(&path, b"name = \"yard\"")?;
/// assert_eq!(std::fs::read(&path)?, b"name = \"yard\"");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match Target::of(path)? {
        Target::Stream => {
            let mut stream = OpenOptions::new().append(true).open(path)?;
            stream.write_all(bytes)?;
            stream.flush()
        }
        Target::File(end) => {
            let mut draft = Draft::hidden(&end)?;
            draft.file().write_all(bytes)?;
            draft.finish().map(drop)
        }
    }
}

/// Finds out whether a file can be written, and leaves everything as it is.
///
/// # Errors
///
/// If it cannot.
pub fn check(path: &Path) -> io::Result<()> {
    match Target::of(path)? {
        // Pipes and devices may wait for somebody at the other end.
        Target::Stream => Ok(()),
        Target::File(end) => {
            may_be_changed(&end)?;
            // A file without a name, of which nothing is left whatever happens.
            tempfile::tempfile_in(folder_of(&end)).map(drop)
        }
    }
}

/// What a name stands for, for those who write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A file that is there or may be made; if the name is a link, what it leads to.
    File(PathBuf),
    /// A pipe, a device, or something this program has been given as one: it takes what comes.
    Stream,
}

/// More links in a row than any system follows.
const MOST_LINKS: usize = 64;

impl Target {
    /// Follows links, also one that leads to nothing yet.
    ///
    /// # Errors
    ///
    /// If it is a folder, or links lead in a circle.
    pub fn of(path: &Path) -> io::Result<Target> {
        if let Ok(about) = fs::metadata(path) {
            if about.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            if !about.is_file() {
                return Ok(Target::Stream);
            }
        }
        let mut end = path.to_owned();
        for _ in 0..MOST_LINKS {
            let Ok(to) = fs::read_link(&end) else {
                return Ok(Target::File(end));
            };
            end = end.parent().unwrap_or(Path::new("")).join(to);
            // What is open already must not be taken away from under those who have it open.
            if end.starts_with("/proc") || end.starts_with("/dev/fd") {
                return Ok(Target::Stream);
            }
        }
        Err(io::Error::other("its links lead in a circle"))
    }
}

/// A fresh file that will take the place of another. Unless it does, nothing is left of it, except
/// where that is [wanted](Draft::survive).
pub struct Draft {
    file: NamedTempFile,
    end: PathBuf,
    was: Option<fs::Metadata>,
}

impl Draft {
    /// A draft of a file, itself no link, that people don't see.
    fn hidden(end: &Path) -> io::Result<Draft> {
        Draft::named(end, ".apprentice-", ".part")
    }

    /// A draft of a file, itself no link, with a name that begins and ends like this and has
    /// something in between that nobody has thought of.
    ///
    /// # Errors
    ///
    /// If no file can be made there, or if the one that is there must not be changed.
    pub fn named(end: &Path, begins: &str, ends: &str) -> io::Result<Draft> {
        let was = may_be_changed(end)?;
        let mut builder = Builder::new();
        builder.prefix(begins).suffix(ends);
        // What becomes of an old file is nobody else's business until it has its rights.
        #[cfg(unix)]
        if was.is_none() {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder_of(end))?;
        Ok(Draft {
            file,
            end: end.to_owned(),
            was,
        })
    }

    /// What to write to.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Where it is for now.
    pub fn path(&self) -> PathBuf {
        let name = self.file.path().file_name().unwrap_or_default();
        self.end.with_file_name(name)
    }

    /// Takes the place of the file, with its rights, once everything is on the disk. What is returned
    /// is still open to be written to.
    ///
    /// # Errors
    ///
    /// If that cannot be done. Then nothing has changed.
    pub fn finish(self) -> io::Result<File> {
        let file = self.file.as_file();
        if let Some(was) = &self.was {
            keep_rights(file, was)?;
        }
        file.sync_all()?;
        let file = self.file.persist(&self.end).map_err(|error| error.error)?;
        sync_folder(folder_of(&self.end));
        Ok(file)
    }

    /// Is left where it is if it does not take the file's place after all: from now on there is
    /// something in it that must not be lost.
    pub fn survive(&mut self) {
        self.file.disable_cleanup(true);
    }
}

/// What is known of a file that is there. An error if it must not be changed: replacing it needs
/// no right to it, only to its folder, so that somebody has to ask.
fn may_be_changed(end: &Path) -> io::Result<Option<fs::Metadata>> {
    match OpenOptions::new().append(true).open(end) {
        Ok(file) => file.metadata().map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(unix)]
fn keep_rights(file: &File, was: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    let is = file.metadata()?;
    if (is.uid(), is.gid()) != (was.uid(), was.gid()) {
        // Whoever may not give a file away keeps it; the rights are what counts.
        let _ = fchown(file, Some(was.uid()), Some(was.gid()));
    }
    file.set_permissions(fs::Permissions::from_mode(was.permissions().mode()))
}

#[cfg(not(unix))]
fn keep_rights(file: &File, was: &fs::Metadata) -> io::Result<()> {
    file.set_permissions(was.permissions())
}

/// A new name is on the disk only when its folder is. Where folders cannot be synced, the system
/// sees to it.
fn sync_folder(folder: &Path) {
    if cfg!(unix)
        && let Ok(folder) = File::open(folder)
    {
        let _ = folder.sync_all();
    }
}
