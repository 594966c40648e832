//! Objective: one part of what is to be done.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One part of what is to be done. It is done when it happens, and stays done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Objective {
    /// Stand on one of these cells.
    Reach(Vec<[u32; 2]>),
    /// Stand right before something, and look at it.
    Face(Wanted),
    /// Lift something.
    Take(Wanted),
    /// Open a door, whether or not it was open before.
    Open(Wanted),
    /// Lay something down beside something else.
    Put {
        /// What is laid down.
        what: Wanted,
        /// What it then lies beside.
        beside: Wanted,
        /// Whether touching by a corner will do.
        #[serde(default)]
        corners: bool,
    },
}

/// A thing or a door, by what is known of it: whatever fits every word that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// What it is: `door`, or the kind of a thing.
    #[serde(default)]
    pub kind: Option<String>,
    /// Its colour.
    #[serde(default)]
    pub colour: Option<String>,
    /// One of these, by their ids.
    #[serde(default)]
    pub ids: Option<Vec<String>>,
}

impl Wanted {
    /// Whether something fits.
    pub fn fits(&self, id: &str, kind: &str, colour: &str) -> bool {
        self.kind.as_deref().is_none_or(|it| it == kind)
            && self.colour.as_deref().is_none_or(|it| it == colour)
            && (self.ids.as_ref()).is_none_or(|ids| ids.iter().any(|it| it == id))
    }
}
