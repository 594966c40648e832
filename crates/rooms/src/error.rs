//! What can be wrong with a level of rooms, said so that it can be put right.

use std::fmt;

/// What is wrong with a level of rooms.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RoomsError {
    /// There are no rows, rows of several lengths, or more cells than can be told apart.
    Rows {
        /// The first row that is otherwise, from 0.
        row: usize,
        /// How many cells it has.
        cells: usize,
        /// How many it should have.
        wanted: usize,
    },
    /// A character that stands for nothing.
    Character {
        /// What was found.
        found: char,
        /// Its column and row.
        at: [u32; 2],
    },
    /// Something is where it cannot be.
    Place {
        /// What.
        what: String,
        /// Where.
        at: [u32; 2],
        /// Why not.
        because: &'static str,
    },
    /// Two have the same name.
    Twice {
        /// The name.
        id: String,
    },
    /// A name that nothing has.
    Unknown {
        /// The name.
        id: String,
    },
    /// There is more than can be told apart.
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// A recording that cannot be followed.
    Demonstration {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        wrong: String,
    },
    /// A thing neither lies anywhere, nor is carried, nor is inside another; or more than one of these.
    Whereabouts {
        /// Which.
        id: String,
    },
}

impl fmt::Display for RoomsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RoomsError::Rows { wanted: 0, .. } => {
                f.write_str("there is no map; give `rows` of at least one cell")
            }
            RoomsError::Rows { row, cells, wanted } => write!(
                f,
                "row {row} has {cells} cells and should have {wanted}; fill it up with `#`"
            ),
            RoomsError::Character { found, at } => write!(
                f,
                "`{found}` in column {} of row {} stands for nothing; write `#`, `.`, `~` or `?`",
                at[0], at[1]
            ),
            RoomsError::Place { what, at, because } => {
                write!(
                    f,
                    "{what} cannot be in column {} of row {}: {because}",
                    at[0], at[1]
                )
            }
            RoomsError::Twice { id } => write!(f, "`{id}` is there twice; give each its own id"),
            RoomsError::Unknown { id } => {
                write!(f, "nothing has the id `{id}`; name one of `things`")
            }
            RoomsError::TooMany { what, most } => {
                write!(
                    f,
                    "there are too many {what}; at most {most} can be told apart"
                )
            }
            RoomsError::Demonstration { line, wrong } => {
                write!(f, "line {line} of the demonstration: {wrong}")
            }
            RoomsError::Whereabouts { id } => write!(
                f,
                "`{id}` must be in one place: give it an `at`, name it in `carries`, or in the \
                 `inside` of another"
            ),
        }
    }
}

impl std::error::Error for RoomsError {}
