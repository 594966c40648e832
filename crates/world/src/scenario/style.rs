//! How players of one style go about a level.

use std::fmt;

use crate::{Drawn, Goal, Stance};

/// How players of one style go about a level, and what belongs to those who accompany them.
///
/// ```
/// use apprentice_world::Scenario;
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { within = { at = [4, 0], radius = 0.0 } }
///     map = { rows = ["....."] }
///     player = { at = [1, 0] }
///     demonstration = [{ points = [[0, 0], [4, 0]] }]
///     style = [{ id = "sneak", points = [[1, 0], [4, 0]], gait = "sneak", fights = false, demonstrations = [1] }]
/// "#)?;
/// let style = scenario.style("sneak").unwrap();
/// assert!(!style.stance.fights());
/// assert_eq!(scenario.style("sneek").unwrap_err().to_string(), "no style is called `sneek` here; did you mean `sneak`?");
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// What it is called; classes of plays go by the same name.
    pub id: String,
    /// How such a player goes: the exemplar of the class.
    pub shown: Drawn,
    /// How such a player carries itself where what is shown does not say, and whether it fights.
    pub stance: Stance,
    /// Which of the level's demonstrations are for those who accompany such a player, by number from 0;
    /// all, if none is named.
    pub demonstrations: Vec<usize>,
    /// What both are to achieve together; without one, the level's goal with the player where what is
    /// shown ends.
    pub goal: Option<Goal>,
    /// The ids of plays that went so, for classes that go by another name.
    pub plays: Vec<String>,
}

/// That a level has no style of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoStyle {
    /// The name.
    pub name: String,
    /// What was probably meant.
    pub suggestion: Option<String>,
    /// Those there are.
    pub known: Vec<String>,
}

impl fmt::Display for NoStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.known.is_empty() {
            return f.write_str(
                "this level tells of no styles; give it a [[style]] for each, with how such a player goes",
            );
        }
        write!(f, "no style is called `{}` here; ", self.name)?;
        match &self.suggestion {
            Some(suggestion) => write!(f, "did you mean `{suggestion}`?"),
            None => write!(f, "there is `{}`", self.known.join("`, `")),
        }
    }
}

impl std::error::Error for NoStyle {}
