//! Files with what is expected. `UPDATE_GOLDEN=1` writes them anew, to be read in review.

// Every test uses some of it.
#![allow(dead_code, unreachable_pub)]

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Whether files are to be written instead of compared.
pub fn is_updating() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some()
}

/// Compares a text with a file under `testdata`, or writes the file.
pub fn check(name: &str, found: &str) {
    let path = root().join("testdata").join(name);
    if is_updating() {
        std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
        std::fs::write(&path, found).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return;
    }
    let expected = read(&path);
    for (number, (found, expected)) in (1..).zip(found.lines().zip(expected.lines())) {
        assert_eq!(
            found, expected,
            "{name}, line {number}: look at it, then UPDATE_GOLDEN=1"
        );
    }
    assert_eq!(
        found.lines().count(),
        expected.lines().count(),
        "{name}: UPDATE_GOLDEN=1?"
    );
}

/// The text of a file.
pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files in a folder with this ending, in order.
pub fn files(folder: impl AsRef<Path>, ending: &str) -> Vec<PathBuf> {
    let folder = root().join(folder);
    let entries = std::fs::read_dir(&folder);
    let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut files: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|other| other == ending))
        .collect();
    files.sort();
    files
}

/// The name of a file without folder and ending.
pub fn stem(path: &Path) -> String {
    path.file_stem()
        .expect("it has a name")
        .to_string_lossy()
        .into_owned()
}
