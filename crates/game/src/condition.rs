//! How a landmark is.

use std::fmt;

/// How a landmark is, as far as plans depend on it.
///
/// ```
/// use apprentice_game::Condition;
///
/// assert_eq!(Condition::NotPulled.to_string(), "not pulled");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Condition {
    /// Not done yet.
    Undone,
    /// Done.
    Done,
    /// The character has it.
    Held,
    /// It lies where it lay.
    Lying,
    /// Neither of both.
    Gone,
    /// Open.
    Open,
    /// Shut.
    Shut,
    /// Pulled.
    Pulled,
    /// Not pulled.
    NotPulled,
    /// Alive.
    Alive,
    /// Dead.
    Dead,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Condition::Undone => "not done",
            Condition::Done => "done",
            Condition::Held => "held",
            Condition::Lying => "lying where it lay",
            Condition::Gone => "gone",
            Condition::Open => "open",
            Condition::Shut => "shut",
            Condition::Pulled => "pulled",
            Condition::NotPulled => "not pulled",
            Condition::Alive => "alive",
            Condition::Dead => "dead",
        })
    }
}
