//! Why something that was asked for was not done.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// What kind of thing is wrong. Words stay; programs go by them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Code {
    /// The line is no JSON.
    NotJson,
    /// It is JSON, and no question: a word or a field is missing, or nobody knows it.
    NotUnderstood,
    /// Nothing, or nobody, of that name is there.
    NoSuch,
    /// A file cannot be read, or a level, a log, a plan or a domain has a mistake in it.
    BadFile,
    /// A planner, its numbers or its events make no sense here.
    BadSettings,
    /// A number or a place makes no sense.
    BadValue,
    /// A mistake of ours.
    Bug,
}

/// Why something was not done, and what to try.
///
/// ```
/// use apprentice_session::{Code, NamedLevel};
///
/// let refusal = NamedLevel::read("hall", "format = 1", |_| Err(String::new())).unwrap_err();
/// assert_eq!(refusal.code, Code::BadFile);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of thing is wrong.
    pub code: Code,
    /// What is wrong, in words.
    pub message: String,
}

impl Refusal {
    pub(crate) fn new(code: Code, message: impl fmt::Display) -> Refusal {
        let message = message.to_string();
        Refusal { code, message }
    }

    /// Nothing of that name is there; the nearest name is suggested.
    pub(crate) fn no_such<'n>(
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Refusal {
        let known: Vec<&str> = known.into_iter().collect();
        let near = |it: &&&str| strsim::damerau_levenshtein(it, name) <= name.len().div_ceil(3);
        let message = match known
            .iter()
            .filter(near)
            .min_by_key(|it| strsim::damerau_levenshtein(it, name))
        {
            Some(meant) => format!("there is no {what} `{name}`; did you mean `{meant}`?"),
            None if known.is_empty() => format!("there is no {what} `{name}`, nor any other"),
            None => {
                // Nobody reads thousands of names.
                let some: Vec<&str> = known.iter().take(12).copied().collect();
                let more = if known.len() > 12 { ", …" } else { "" };
                format!(
                    "there is no {what} `{name}`; there is `{}`{more}",
                    some.join("`, `")
                )
            }
        };
        Refusal::new(Code::NoSuch, message)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}
