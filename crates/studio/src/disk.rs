//! A folder of the disk: no link leads out of it, and files are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::folder::{Files, LARGEST_FILE, ends_like};
use crate::whole_file;

/// Deeper folders are not looked through.
const DEEPEST: usize = 3;
/// More files are not listed.
const MOST_FILES: usize = 500;

/// A folder of the disk.
pub(crate) struct Disk {
    root: PathBuf,
}

impl Disk {
    pub(crate) fn open(root: &Path) -> io::Result<Disk> {
        let root = root.canonicalize()?;
        if !root.is_dir() {
            return Err(io::Error::new(
                io::ErrorKind::NotADirectory,
                "the working folder is no folder",
            ));
        }
        Ok(Disk { root })
    }

    /// Where a file really is: inside the folder.
    fn inside(&self, path: &str) -> Result<PathBuf, String> {
        let real = self
            .root
            .join(path)
            .canonicalize()
            .map_err(|error| format!("`{path}` cannot be read: {error}"))?;
        if !real.starts_with(&self.root) {
            return Err(format!("`{path}` leads out of the working folder"));
        }
        Ok(real)
    }

    /// Makes the folders of a path, one by one, and follows no link out.
    fn make_folders(&self, folder: &Path) -> Result<(), String> {
        let below = folder.strip_prefix(&self.root).unwrap_or(Path::new(""));
        let mut at = self.root.clone();
        for name in below.components() {
            at.push(name);
            if fs::symlink_metadata(&at).is_err() {
                fs::create_dir(&at).map_err(|error| error.to_string())?;
            }
            let real = at.canonicalize().map_err(|error| error.to_string())?;
            if !real.starts_with(&self.root) || !real.is_dir() {
                return Err("its folder leads out of the working folder".to_owned());
            }
        }
        Ok(())
    }
}

impl Files for Disk {
    fn read(&self, path: &str) -> Result<String, String> {
        let real = self.inside(path)?;
        read_text(&real).map_err(|why| format!("`{path}` cannot be read: {why}"))
    }

    fn write(&self, path: &str, text: &str) -> Result<(), String> {
        let inside = self.root.join(path);
        let parent = inside.parent().unwrap_or(&self.root);
        self.make_folders(parent)
            .map_err(|why| format!("`{path}` cannot be written: {why}"))?;
        // What is there may be replaced if it is a file; a link could lead anywhere.
        if let Ok(about) = fs::symlink_metadata(&inside)
            && !about.is_file()
        {
            return Err(format!("`{path}` is there already and no file"));
        }
        whole_file::write(&inside, text.as_bytes())
            .map_err(|error| format!("`{path}` cannot be written: {error}"))
    }

    fn read_bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        let real = self.inside(path)?;
        read_bytes(&real).map_err(|why| format!("`{path}` cannot be read: {why}"))
    }

    fn stamp(&self, path: &str) -> Option<String> {
        let about = fs::metadata(self.inside(path).ok()?).ok()?;
        let since = about.modified().ok()?.duration_since(std::time::UNIX_EPOCH);
        let changed = since.map_or(0, |since| since.as_nanos());
        Some(format!("{changed} {}", about.len()))
    }

    fn has(&self, path: &str) -> bool {
        fs::symlink_metadata(self.root.join(path)).is_ok()
    }

    fn list(&self, kind: &str) -> Vec<String> {
        let mut paths = Vec::new();
        look_through(&self.root, "", 0, kind, &mut paths);
        paths
    }
}

fn look_through(folder: &Path, below: &str, depth: usize, kind: &str, paths: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let (Ok(about), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else {
            continue;
        };
        let path = format!("{below}{name}");
        let is_hidden = name.starts_with('.') || name == "target" || name == "node_modules";
        if is_hidden || paths.len() >= MOST_FILES {
            continue;
        }
        if about.is_dir() && depth < DEEPEST {
            look_through(&entry.path(), &format!("{path}/"), depth + 1, kind, paths);
        } else if about.is_file() && ends_like(&name, kind) {
            paths.push(path);
        }
    }
}

/// The text of a file, or why there is none.
fn read_text(path: &Path) -> Result<String, String> {
    String::from_utf8(read_bytes(path)?).map_err(|_| "it is no text".to_owned())
}

/// What is in a file, or why there is nothing.
fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    let about = fs::metadata(path).map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("it is no file".to_owned());
    }
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(format!("it is larger than {} MiB", LARGEST_FILE >> 20));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Folder;

    #[test]
    fn saving_takes_nothing_else_away_and_keeps_rights() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = Folder::open(root.path()).expect("it is one");
        let file = |name: &str| root.path().join(name);
        fs::write(file("a.toml"), "old").expect("there is room");
        fs::write(file(".a.toml.draft"), "somebody's own").expect("there is room");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let rights = fs::Permissions::from_mode(0o640);
            fs::set_permissions(file("a.toml"), rights).expect("it is ours");
        }
        folder.write("a.toml", "new").expect("it can be written");
        let read = |name: &str| fs::read_to_string(file(name)).expect("it is there");
        assert_eq!(read("a.toml"), "new");
        assert_eq!(read(".a.toml.draft"), "somebody's own");
        assert_eq!(fs::read_dir(root.path()).expect("a folder").count(), 2);
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let about = fs::metadata(file("a.toml")).expect("it is there");
            assert_eq!(about.mode() & 0o7777, 0o640);
        }
    }
}
