//! What the saves of all crates have in common: their version, reals that come back bit by bit, and
//! why a save cannot be taken up.
//!
//! A save is plain data for `serde`, in whatever format a game likes. It never holds what can be worked
//! out again: a search in the middle is saved as what it began with and the units it was given, and
//! whoever loads it lets it take them again.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{BadWeight, Weight};

/// The version of a format, written first. Whoever reads another one is told so before anything else
/// is looked at.
///
/// ```
/// use apprentice_search::saved::Version;
///
/// let text = serde_json::to_string(&Version::<3>)?;
/// assert_eq!(text, "3");
/// assert!(serde_json::from_str::<Version<3>>(&text).is_ok());
/// let error = serde_json::from_str::<Version<4>>(&text).unwrap_err().to_string();
/// assert!(error.starts_with("this save is of version 3, and this program reads version 4;"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Version<const NUMBER: u32>;

impl<const NUMBER: u32> Serialize for Version<NUMBER> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(NUMBER)
    }
}

impl<'de, const NUMBER: u32> Deserialize<'de> for Version<NUMBER> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let saved = u32::deserialize(deserializer)?;
        if saved == NUMBER {
            return Ok(Version);
        }
        Err(serde::de::Error::custom(format_args!(
            "this save is of version {saved}, and this program reads version {NUMBER}; load it with the \
             program that wrote it"
        )))
    }
}

/// Why a save cannot be taken up.
///
/// ```
/// use apprentice_search::saved::LoadError;
///
/// let error = LoadError::AnotherLevel { saved: 7, given: 8 };
/// assert!(error.to_string().contains("another level"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// It was saved in another level or domain, or in another state of it.
    AnotherLevel {
        /// The number of the one it was saved in.
        saved: u64,
        /// The number of the one that was given.
        given: u64,
    },
    /// A planner or a character is not among those that were brought along.
    Missing {
        /// What it is.
        what: &'static str,
        /// The number it had when it was saved.
        digest: u64,
    },
    /// It says what cannot be: it was damaged, or made up.
    Unsound(String),
    /// What was worked out again is not what was saved: another version of the library plans otherwise,
    /// or the save was damaged.
    Otherwise {
        /// What went another way.
        what: &'static str,
    },
    /// The budget for loading is spent, and not everything was worked out again.
    Spent {
        /// How many units it takes in all.
        units: u64,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::AnotherLevel { saved, given } => write!(
                f,
                "this was saved in another level ({saved:016x}, and not {given:016x}); load it with the \
                 level as it was then"
            ),
            LoadError::Missing { what, digest } => write!(
                f,
                "a {what} of number {digest:016x} is in this save and was not brought along; bring the \
                 same {what} as it was made before, with the same settings"
            ),
            LoadError::Unsound(why) => {
                write!(f, "this save makes no sense: {why}; it may be damaged")
            }
            LoadError::Otherwise { what } => write!(
                f,
                "{what} came out otherwise than it was saved; load it with the version of the library \
                 that wrote it"
            ),
            LoadError::Spent { units } => write!(
                f,
                "the budget was spent before everything was worked out again; loading this takes {units} \
                 units"
            ),
        }
    }
}

impl std::error::Error for LoadError {}

/// Something that makes no sense.
pub fn unsound(why: impl Into<String>) -> LoadError {
    LoadError::Unsound(why.into())
}

impl From<Weight> for f64 {
    fn from(weight: Weight) -> f64 {
        weight.as_f64()
    }
}

impl TryFrom<f64> for Weight {
    type Error = BadWeight;

    /// The nearest weight, so that a format that loses the last bit of a number does no harm.
    fn try_from(weight: f64) -> Result<Weight, BadWeight> {
        Weight::new(weight)?;
        let steps = weight * f64::from(1u32 << Weight::FRACTION_BITS) + 0.5;
        Ok(Weight::from_steps(steps as u64))
    }
}

/// A real number by its bits, for `#[serde(with = "…")]`: some formats lose the last bit, and some know
/// no infinity.
pub mod real {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes it.
    ///
    /// # Errors
    ///
    /// If the format cannot.
    pub fn serialize<S: Serializer>(real: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        real.to_bits().serialize(serializer)
    }

    /// Reads it.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(f64::from_bits(u64::deserialize(deserializer)?))
    }
}

/// The same for a real there may be none of.
pub mod maybe_real {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes it.
    ///
    /// # Errors
    ///
    /// If the format cannot.
    pub fn serialize<S: Serializer>(real: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
        real.map(f64::to_bits).serialize(serializer)
    }

    /// Reads it.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<f64>, D::Error> {
        let bits = Option::<u64>::deserialize(deserializer)?;
        Ok(bits.map(f64::from_bits))
    }
}

/// The same for reals of 32 bits.
pub mod short_real {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes it.
    ///
    /// # Errors
    ///
    /// If the format cannot.
    pub fn serialize<S: Serializer>(real: &f32, serializer: S) -> Result<S::Ok, S::Error> {
        real.to_bits().serialize(serializer)
    }

    /// Reads it.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
        Ok(f32::from_bits(u32::deserialize(deserializer)?))
    }
}
