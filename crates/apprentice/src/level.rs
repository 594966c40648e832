//! A level with everything that belongs to it, in one call.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use apprentice_experience::{Demonstration, DemonstrationLog, LogError};
use apprentice_world::{Drawn, Scenario, ScenarioError, drawn_line};

/// A scenario and what was shown in it: as the studio saves it, and as
/// [`Settings::check`](crate::behavior::Settings::check) wants it.
///
/// ```
/// use apprentice::Level;
/// use apprentice::behavior::Settings;
///
/// # let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
/// let Level { scenario, demonstrations, .. } = Level::load(folder.join("quest_compound.toml"))?;
/// assert_eq!(demonstrations.len(), 2);
/// let planner = Settings::default().check(&scenario, demonstrations)?.planner;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Level {
    /// What there is, and what is wanted.
    pub scenario: Scenario,
    /// What was shown, in the order of the file: lines that were drawn are called `drawn 1` and so
    /// on, recordings go by the name of their file.
    pub demonstrations: Vec<Demonstration>,
    /// How players of each [style](Scenario::styles) go, in the order of the file.
    pub exemplars: Vec<Demonstration>,
}

impl Level {
    /// Reads a scenario, and the maps and recordings that it names, which lie beside it. Of a
    /// recording that was interrupted everything up to there counts. Names may lead to other folders:
    /// for levels made by strangers use [`Level::read`], and decide which files they may have.
    ///
    /// ```
    /// # use apprentice::Level;
    /// let error = Level::load("nowhere.toml").unwrap_err();
    /// assert!(error.to_string().starts_with("`nowhere.toml` cannot be read: "));
    /// ```
    pub fn load(path: impl AsRef<Path>) -> Result<Level, LevelError> {
        let path = path.as_ref();
        let text =
            |path: &Path| String::from_utf8(read(path)?).map_err(|_| "it is not text".to_owned());
        let unreadable = |why| LevelError::Unreadable {
            file: path.to_owned(),
            why,
        };
        let scenario = Scenario::parse_with(&text(path).map_err(unreadable)?, |name| {
            text(&path.with_file_name(name))
        })
        .map_err(|error| LevelError::Scenario {
            file: Some(path.to_owned()),
            error: Box::new(error),
        })?;
        Level::of(scenario, |name| read(&path.with_file_name(name)))
    }

    /// Reads a scenario for those who have files of their own, in a package or in memory. `files` is
    /// given a name as it is written and returns what is in the file, or why there is none.
    ///
    /// ```
    /// # use apprentice::Level;
    /// let text = r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { within = { at = [2, 0], radius = 0.0 } }
    ///     map = { rows = ["..."] }
    ///     demonstration = [{ points = [[0, 0], [2, 0]] }, { file = "anna.jsonl" }]
    /// "#;
    /// let recorded = "{\"format\":1}\n{\"t\":0,\"x\":0,\"y\":0}\n{\"t\":2,\"x\":2,\"y\":0}\n";
    /// let level = Level::read(text, |name| match name {
    ///     "anna.jsonl" => Ok(recorded.as_bytes().to_vec()),
    ///     _ => Err("no such file".to_owned()),
    /// })?;
    /// let names: Vec<&str> = level.demonstrations.iter().map(|shown| &*shown.name).collect();
    /// assert_eq!(names, ["drawn 1", "anna"]);
    /// # Ok::<(), apprentice::LevelError>(())
    /// ```
    pub fn read(
        text: &str,
        mut files: impl FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Level, LevelError> {
        let scenario = Scenario::parse_with(text, |name| {
            String::from_utf8(files(name)?).map_err(|_| "it is not text".to_owned())
        })
        .map_err(|error| LevelError::Scenario {
            file: None,
            error: Box::new(error),
        })?;
        Level::of(scenario, files)
    }

    /// A scenario that was read already, with its recordings from `files`.
    ///
    /// ```
    /// # use apprentice::{Level, world::Scenario};
    /// let scenario = Scenario::parse(
    ///     "format = 1\nstart = [0, 0]\ngoal = { within = { at = [1, 0], radius = 0.0 } }\n\
    ///      map = { rows = [\"..\"] }\ndemonstration = [{ points = [[0, 0], [1, 0]] }]",
    /// )?;
    /// let level = Level::of(scenario, |_| Err("there are no files here".to_owned()))?;
    /// assert_eq!(level.demonstrations[0].name, "drawn 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        scenario: Scenario,
        mut files: impl FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Level, LevelError> {
        let mut load = |name: String, shown: &Drawn| match shown {
            Drawn::Points(points) => Ok(drawn_line(&scenario, name, points)),
            Drawn::File { name, .. } => recorded(name, files(name)),
        };
        let numbered = (1..).zip(scenario.demonstrations());
        let demonstrations = numbered
            .map(|(number, shown)| {
                let mut shown = load(format!("drawn {number}"), shown)?;
                if let Some(name) = scenario.demonstration_name(number - 1) {
                    shown.name = name.into();
                }
                Ok(shown)
            })
            .collect::<Result<_, _>>()?;
        let styles = scenario.styles().iter();
        let exemplars = styles
            .map(|style| load(style.id.clone(), &style.shown))
            .collect::<Result<_, _>>()?;
        Ok(Level {
            demonstrations,
            exemplars,
            scenario,
        })
    }
}

/// No file of a level is larger; what is, is none.
const LARGEST: u64 = 64 << 20;

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let mut content = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(LARGEST + 1).read_to_end(&mut content))
        .map_err(|error| error.to_string())?;
    if content.len() as u64 > LARGEST {
        return Err("it is larger than 64 MiB".to_owned());
    }
    Ok(content)
}

fn recorded(file: &str, content: Result<Vec<u8>, String>) -> Result<Demonstration, LevelError> {
    let path = PathBuf::from(file);
    let name = path
        .file_stem()
        .unwrap_or(path.as_os_str())
        .to_string_lossy();
    let read = match content {
        Ok(content) => DemonstrationLog::read(content),
        Err(why) => return Err(LevelError::Unreadable { file: path, why }),
    };
    match read {
        Ok(read) => Ok(read.log.demonstration(name)),
        Err(error) => Err(LevelError::Recording { file: path, error }),
    }
}

/// Why a level cannot be had.
///
/// ```
/// # use apprentice::{Level, LevelError};
/// let error = Level::read("format = 1\nstrat = [0, 0]\n", |_| Err(String::new())).unwrap_err();
/// assert!(matches!(error, LevelError::Scenario { .. }));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LevelError {
    /// A file is not there, or is not text where it should be.
    Unreadable {
        /// The file, as it was named.
        file: PathBuf,
        /// What the system, or whoever was asked for it, says.
        why: String,
    },
    /// There is a mistake in the scenario, or in a map that it names.
    Scenario {
        /// The file, if it came from one.
        file: Option<PathBuf>,
        /// What is wrong, and where.
        error: Box<ScenarioError>,
    },
    /// There is a mistake in a recording.
    Recording {
        /// The file, as the scenario names it.
        file: PathBuf,
        /// What is wrong, and where.
        error: LogError,
    },
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LevelError::Unreadable { file, why } => {
                write!(f, "`{}` cannot be read: {why}", file.display())
            }
            LevelError::Scenario { file: None, error } => error.fmt(f),
            LevelError::Scenario {
                file: Some(file),
                error,
            } => write!(f, "`{}`, {error}", file.display()),
            LevelError::Recording { file, error } => write!(f, "`{}`, {error}", file.display()),
        }
    }
}

impl std::error::Error for LevelError {}
