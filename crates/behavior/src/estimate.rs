//! What searches that are not led by demonstrations go by.

/// The estimate that `wastar` and `ara` go by, and that anchors the MHA* family as published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Estimate {
    /// As the crow flies.
    #[default]
    Straight,
    /// Along the shortest way, as if all doors were open and nobody were about.
    Path,
}

impl Estimate {
    /// Its name on the command line and in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Estimate::Straight => "straight",
            Estimate::Path => "path",
        }
    }
}
