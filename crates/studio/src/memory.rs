//! A folder in the memory of a page: the browser keeps what is in it, and is told what was written.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::folder::{Files, LARGEST_FILE, ends_like, may_be_read};

/// Files by their paths. Clones are the same folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    inside: Arc<Mutex<Inside>>,
}

#[derive(Debug, Default)]
struct Inside {
    texts: BTreeMap<String, String>,
    /// What was written since somebody asked.
    written: BTreeSet<String>,
}

impl Memory {
    /// Puts a file in that the browser has kept, or a person has brought along.
    pub(crate) fn put(&self, path: &str, text: String) -> Result<(), String> {
        may_be_read(path)?;
        self.insert(path, text)
    }

    /// Takes a file out.
    pub(crate) fn remove(&self, path: &str) {
        self.lock().texts.remove(path);
    }

    /// What was written since this was last asked: paths and texts.
    pub(crate) fn take_written(&self) -> Vec<(String, String)> {
        let mut inside = self.lock();
        let written = std::mem::take(&mut inside.written).into_iter();
        let with_texts = written.filter_map(|path| {
            let text = inside.texts.get(&path)?.clone();
            Some((path, text))
        });
        with_texts.collect()
    }

    fn insert(&self, path: &str, text: String) -> Result<(), String> {
        if text.len() as u64 > LARGEST_FILE {
            let most = LARGEST_FILE >> 20;
            return Err(format!("`{path}` is larger than {most} MiB"));
        }
        let mut inside = self.lock();
        // On a disk a name is a file's or a folder's; whoever exports files finds them there.
        let is_folder = |above: &str, below: &str| {
            let rest = below.strip_prefix(above);
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let mut others = inside.texts.keys();
        if others.any(|other| is_folder(path, other) || is_folder(other, path)) {
            return Err(format!(
                "`{path}` cannot be written: one of its names is a file's and a folder's"
            ));
        }
        inside.texts.insert(path.to_owned(), text);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Files for Memory {
    fn read(&self, path: &str) -> Result<String, String> {
        let inside = self.lock();
        let text = inside.texts.get(path).cloned();
        text.ok_or_else(|| format!("`{path}` cannot be read: there is no such file"))
    }

    fn read_bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        self.read(path).map(String::into_bytes)
    }

    fn stamp(&self, path: &str) -> Option<String> {
        let inside = self.lock();
        let text = inside.texts.get(path)?;
        let digest = text
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |digest, byte| {
                (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        Some(format!("{digest:x} {}", text.len()))
    }

    fn write(&self, path: &str, text: &str) -> Result<(), String> {
        self.insert(path, text.to_owned())?;
        self.lock().written.insert(path.to_owned());
        Ok(())
    }

    fn has(&self, path: &str) -> bool {
        self.lock().texts.contains_key(path)
    }

    fn list(&self, kind: &str) -> Vec<String> {
        let inside = self.lock();
        let paths = inside.texts.keys().filter(|path| ends_like(path, kind));
        paths.cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Folder;

    #[test]
    fn what_is_written_is_told_once_and_what_is_brought_along_is_not() {
        let memory = Memory::default();
        let folder = Folder::of(memory.clone());
        memory.put("b.toml", "brought".to_owned()).expect("a path");
        folder.write("a/c.toml", "old").expect("a path");
        folder.write("a/c.toml", "new").expect("a path");
        let paths: Vec<String> = folder.list("toml").into_iter().map(|it| it.path).collect();
        assert_eq!(paths, ["a/c.toml", "b.toml"]);
        let written = [("a/c.toml".to_owned(), "new".to_owned())];
        assert_eq!(memory.take_written(), written);
        assert!(memory.take_written().is_empty());
        memory.remove("b.toml");
        assert!(!folder.has("b.toml") && folder.read("b.toml").is_err());
    }

    #[test]
    fn names_are_those_a_disk_could_have() {
        let memory = Memory::default();
        let folder = Folder::of(memory.clone());
        for path in ["../a.toml", "/a.toml", "a.exe", "", "con.toml", "a\\b.toml"] {
            assert!(memory.put(path, String::new()).is_err(), "{path}");
            assert!(folder.write(path, "").is_err(), "{path}");
        }
        folder.write("a.toml", "").expect("a path");
        assert!(folder.write("a.toml/b.toml", "").is_err());
        let large = "a".repeat(1 + LARGEST_FILE as usize);
        assert!(folder.write("large.toml", &large).is_err());
    }
}
