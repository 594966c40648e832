//! The experiments there are: those of the papers, and those of files.

use std::fmt;
use std::path::Path;

use crate::definition::{Definition, DefinitionError, OwnLevel};
use crate::levels::{LevelError, Levels};

/// Experiments, and the levels they are made in.
#[derive(Clone, Debug)]
pub struct Catalogue {
    definitions: Vec<Definition>,
    levels: Levels,
}

/// That there is no such experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownExperiment {
    /// Nothing goes by that name.
    Name {
        /// Which.
        name: String,
        /// Those there are.
        known: Vec<String>,
    },
    /// A file cannot be read.
    File {
        /// Which.
        file: String,
        /// What the system says.
        why: String,
    },
    /// A file holds none.
    Definition {
        /// Which.
        file: String,
        /// What is wrong with it.
        error: DefinitionError,
    },
    /// A level that a file names is not there, or is none.
    Level {
        /// The file.
        file: String,
        /// What is wrong.
        error: LevelError,
    },
}

impl fmt::Display for UnknownExperiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownExperiment::Name { name, known } => write!(
                f,
                "there is no experiment `{name}`; there is {}, `all`, or name a file that ends in `.toml`",
                known.join(", ")
            ),
            UnknownExperiment::File { file, why } => write!(f, "`{file}` cannot be read: {why}"),
            UnknownExperiment::Definition { file, error } => write!(f, "`{file}`: {error}"),
            UnknownExperiment::Level { file, error } => write!(f, "`{file}`: {error}"),
        }
    }
}

impl std::error::Error for UnknownExperiment {}

macro_rules! definitions {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../definitions/", $name)))),*]
    };
}

/// The experiments of the papers, in the order of the report.
const SHIPPED: [(&str, &str); 13] = definitions![
    "bypass_and_grotto.toml",
    "training_figures.toml",
    "adaptation_figures.toml",
    "parameter_balance.toml",
    "key_and_door.toml",
    "edges_and_events.toml",
    "compound_quest.toml",
    "random_items.toml",
    "company.toml",
    "ratings.toml",
    "study.toml",
    "task_networks.toml",
    "lever_key_chest.toml",
];

/// Adds a level that an experiment brings along.
fn add(levels: &mut Levels, level: &OwnLevel) -> Result<(), LevelError> {
    match &level.like {
        Some(like) => levels.add_like(&level.name, like, &level.text),
        None => levels.add_text(&level.name, &level.text),
    }
}

impl Catalogue {
    /// Those of the papers.
    ///
    /// # Panics
    ///
    /// Never: tests read all of them.
    pub fn shipped() -> Catalogue {
        let definitions = SHIPPED.map(|(file, text)| {
            Definition::parse(text).unwrap_or_else(|error| panic!("{file}: {error}"))
        });
        let mut levels = Levels::shipped();
        for level in definitions.iter().flat_map(|definition| &definition.level) {
            let added = add(&mut levels, level);
            added.unwrap_or_else(|error| panic!("{error}"));
        }
        Catalogue {
            definitions: definitions.into(),
            levels,
        }
    }

    /// All experiments, in order.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// The levels they are made in.
    pub fn levels(&self) -> &Levels {
        &self.levels
    }

    /// The experiment of this name.
    pub fn find(&self, id: &str) -> Option<&Definition> {
        self.definitions
            .iter()
            .find(|definition| definition.id == id)
    }

    /// Adds the experiment of a file, and the levels beside it that it names.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is none, or names a level that is none.
    pub fn add_file(&mut self, path: &Path) -> Result<&Definition, UnknownExperiment> {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| UnknownExperiment::File {
            file: file.clone(),
            why: error.to_string(),
        })?;
        let definition = Definition::parse(&text);
        let definition = definition.map_err(|error| UnknownExperiment::Definition {
            file: file.clone(),
            error,
        })?;
        for level in &definition.level {
            let added = add(&mut self.levels, level);
            added.map_err(|error| UnknownExperiment::Level {
                file: file.clone(),
                error,
            })?;
        }
        for level in definition.level_files() {
            let added = self.levels.add_file(level, &path.with_file_name(level));
            added.map_err(|error| UnknownExperiment::Level {
                file: file.clone(),
                error,
            })?;
        }
        self.definitions.retain(|known| known.id != definition.id);
        self.definitions.push(definition);
        Ok(&self.definitions[self.definitions.len() - 1])
    }

    /// The experiments that are named; `all` is those of the papers.
    ///
    /// # Errors
    ///
    /// If there is none of a name.
    pub fn chosen(&self, names: &[String]) -> Result<Vec<&Definition>, UnknownExperiment> {
        let mut chosen: Vec<&Definition> = Vec::new();
        for name in names {
            if name == "all" {
                chosen.extend(&self.definitions);
                continue;
            }
            let found = self.find(name).ok_or_else(|| UnknownExperiment::Name {
                name: name.clone(),
                known: self.definitions.iter().map(|it| it.id.clone()).collect(),
            })?;
            chosen.push(found);
        }
        let mut seen = std::collections::BTreeSet::new();
        chosen.retain(|definition| seen.insert(&definition.id));
        Ok(chosen)
    }
}
