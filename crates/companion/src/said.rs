//! What a companion says about what it does.

use std::fmt;

/// Why a companion does what it does, in one sentence.
///
/// ```
/// use apprentice_companion::Said;
///
/// let said = Said::Joins { style: "sneak".into(), percent: 87, instead_of: None };
/// assert_eq!(said.to_string(), "You play as `sneak` does (87 % sure), so I do, too.");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Said {
    /// It has no idea yet how the player plays, and stays with them.
    Beside,
    /// There is nobody left to accompany.
    Alone,
    /// The player is there, and it comes.
    Comes,
    /// It believes that the player follows a style, and joins in.
    Joins {
        /// The style.
        style: String,
        /// How sure it is.
        percent: u32,
        /// The style it thought of before.
        instead_of: Option<String>,
    },
    /// The player is not where it was expected.
    Elsewhere {
        /// The style it goes on with.
        style: String,
        /// How far from there the player is.
        metres: f64,
    },
    /// Somebody is after one of the two, and no plan meets that.
    InDanger {
        /// What it does because that works out best: `fight at your side`, `draw away`.
        does: &'static str,
    },
    /// It sees no way for both as players of a style go, and stays with the player.
    NoWay {
        /// The style it gave up on.
        style: String,
        /// Why there is no way.
        why: String,
    },
    /// It sees no way at all.
    Stuck {
        /// Why.
        why: String,
    },
    /// The goal is met.
    Done,
    /// It died.
    Dead,
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Said::Beside => f.write_str("I do not know yet how you play, so I stay with you."),
            Said::Alone => f.write_str("You are dead, so I go by myself."),
            Said::Comes => f.write_str("You are there, so I come, too."),
            Said::Joins {
                style,
                percent,
                instead_of: None,
            } => write!(
                f,
                "You play as `{style}` does ({percent} % sure), so I do, too."
            ),
            Said::Joins {
                style,
                percent,
                instead_of: Some(before),
            } => write!(
                f,
                "You no longer play as `{before}` does but as `{style}` ({percent} % sure), so I do, too."
            ),
            Said::Elsewhere { style, metres } => write!(
                f,
                "You are {metres:.0} m from where players of `{style}` would be by now, so I stay with you and plan again."
            ),
            Said::InDanger { does } => {
                write!(f, "Somebody is after us, so I {does}: that works out best.")
            }
            Said::NoWay { style, why } => write!(
                f,
                "I see no way for both of us as `{style}` plays ({why}), so I stay with you."
            ),
            Said::Stuck { why } => write!(f, "I wait, because {why}."),
            Said::Done => f.write_str("We are there."),
            Said::Dead => f.write_str("I am dead."),
        }
    }
}
