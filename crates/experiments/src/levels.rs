//! Levels by name: those that come with the experiments, and those beside an experiment file.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use apprentice_experience::Demonstration;
use apprentice_world::{Drawn, Scenario, drawn_line};

/// A level: what there is, what was shown, and the number of its text.
#[derive(Clone, Debug)]
pub struct Level {
    /// Its short name.
    pub name: String,
    /// What there is, and what is wanted.
    pub scenario: Scenario,
    /// What was shown.
    pub demonstrations: Vec<Demonstration>,
    /// The number of its text and of the maps it names.
    pub digest: String,
    /// Its text.
    pub(crate) text: String,
}

/// Levels by name.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    levels: BTreeMap<String, Level>,
}

/// Why there is no such level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelError {
    /// Which.
    pub name: String,
    /// What is wrong.
    pub why: String,
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the level `{}`: {}", self.name, self.why)
    }
}

impl std::error::Error for LevelError {}

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../shipped/", $name)))),*]
    };
}

/// The levels of the papers, and the maps they name.
const SHIPPED: [(&str, &str); 21] = shipped![
    "bear_bypass.toml",
    "bear_lever.toml",
    "cave_left.mesh",
    "cave_left.toml",
    "cave_offgraph.toml",
    "coop_cave.mesh",
    "coop_cave.toml",
    "empty_tutorial.toml",
    "far_demo.toml",
    "grotto.mesh",
    "grotto.toml",
    "k1d1_close.toml",
    "k1d1_exact.toml",
    "k1d1_far.toml",
    "k5d1.toml",
    "k5d5.toml",
    "lever_key_chest.toml",
    "multi_demo.toml",
    "quest_compound.toml",
    "quest_key.toml",
    "quest_shield.toml",
];

/// The tasks of SimpleFPS, as designers wrote them.
pub(crate) const SIMPLE_FPS: &str = include_str!("../shipped/simplefps.htn");

impl Levels {
    /// Those that come with the experiments.
    ///
    /// # Panics
    ///
    /// Never: tests read all of them.
    pub fn shipped() -> Levels {
        let mut levels = Levels::default();
        let beside = |name: &str| {
            let found = SHIPPED.iter().find(|(file, _)| *file == name);
            let found = found.map(|(_, text)| (*text).to_owned());
            found.ok_or_else(|| "it does not come with the experiments".to_owned())
        };
        for (file, text) in SHIPPED {
            let Some(name) = file.strip_suffix(".toml") else {
                continue;
            };
            let level = Level::read(name, text, beside);
            let level = level.unwrap_or_else(|error| panic!("{error}"));
            levels.levels.insert(name.to_owned(), level);
        }
        levels
    }

    /// Adds the level of a file, under the name by which an experiment file calls it.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is none.
    pub fn add_file(&mut self, name: &str, path: &Path) -> Result<(), LevelError> {
        let read = |path: PathBuf| {
            std::fs::read_to_string(&path)
                .map_err(|error| format!("`{}` cannot be read: {error}", path.display()))
        };
        let text = read(path.to_owned()).map_err(|why| LevelError {
            name: name.to_owned(),
            why,
        })?;
        let level = Level::read(name, &text, |file| read(path.with_file_name(file)))?;
        self.levels.insert(name.to_owned(), level);
        Ok(())
    }

    /// Adds a level that an experiment file brings along; it names no maps.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn add_text(&mut self, name: &str, text: &str) -> Result<(), LevelError> {
        let level = Level::read(name, text, |_| {
            Err("a level inside an experiment file has its map in `rows`".to_owned())
        })?;
        self.levels.insert(name.to_owned(), level);
        Ok(())
    }

    /// Adds a level that an experiment file brings along and that is like another one but for what its own
    /// text says: each table or list in it takes the place of the other's.
    ///
    /// # Errors
    ///
    /// If there is no such other level, or what comes of it is none.
    pub fn add_like(&mut self, name: &str, like: &str, text: &str) -> Result<(), LevelError> {
        let wrong = |why: String| LevelError {
            name: name.to_owned(),
            why,
        };
        let other = self.find(like);
        let other = other.ok_or_else(|| wrong(format!("there is no level `{like}` to be like")))?;
        let read = |text: &str| toml::from_str(text).map_err(|error| wrong(error.to_string()));
        let mut table: toml::Table = read(&other.text)?;
        table.extend(read(text)?);
        let text = toml::to_string(&table).map_err(|error| wrong(error.to_string()))?;
        self.add_text(name, &text)
    }

    /// The level of this name.
    pub fn find(&self, name: &str) -> Option<&Level> {
        self.levels.get(name)
    }

    /// Their names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.levels.keys().map(|name| &**name)
    }
}

impl Level {
    /// Reads a level; `beside` has the maps it names.
    ///
    /// # Errors
    ///
    /// If it is none, or shows something that is in no file here.
    pub fn read(
        name: &str,
        text: &str,
        mut beside: impl FnMut(&str) -> Result<String, String>,
    ) -> Result<Level, LevelError> {
        let wrong = |why: String| LevelError {
            name: name.to_owned(),
            why,
        };
        let mut digest = Digest::default();
        digest.add(text.as_bytes());
        let scenario = Scenario::parse_with(text, |file| {
            let text = beside(file)?;
            digest.add(text.as_bytes());
            Ok(text)
        });
        let scenario = scenario.map_err(|error| wrong(error.to_string()))?;
        let mut demonstrations = Vec::new();
        for (number, shown) in (1..).zip(scenario.demonstrations()) {
            match shown {
                Drawn::Points(points) => {
                    demonstrations.push(drawn_line(&scenario, format!("drawn {number}"), points));
                }
                Drawn::File { name: file, .. } => {
                    return Err(wrong(format!(
                        "it shows the recording `{file}`; experiments take lines that are drawn in the level"
                    )));
                }
            }
        }
        Ok(Level {
            name: name.to_owned(),
            scenario,
            demonstrations,
            digest: digest.to_string(),
            text: text.to_owned(),
        })
    }
}

/// A number of bytes that is the same everywhere (FNV-1a, 64 bits).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
