//! Every table and figure by one command: experiments with planners, what came of them, charts,
//! verdicts and a report.
//!
//! A [`Definition`] says which levels, bounds and planners there are; each combination is a [`Cell`].
//! A [`Runner`] does the cells on all cores and writes each to a [`Journal`] as soon as it is done, so
//! that whoever is interrupted goes on where it was: nothing is lost and nothing done twice. [`Results`]
//! are what a journal holds, in the order of the definitions, whatever order they came in: as a table, as
//! [`charts`](chart), as [verdicts](mod@verdicts) on what the papers say, and as one page to read.
//!
//! Everything but the clocks is the same on every machine, on one core and on many.
//!
//! ```
//! use apprentice_experiments::{Catalogue, Extent};
//!
//! let catalogue = Catalogue::shipped();
//! let table = catalogue.find("table-4-1").expect("it is there");
//! let cells = table.cells(catalogue.levels(), Extent::Quick, 1)?;
//! assert!(cells.iter().any(|planned| planned.cell.scenario == "bear_bypass"));
//! # Ok::<(), apprentice_experiments::DefinitionError>(())
//! ```

mod catalogue;
mod cell;
mod definition;
mod levels;
mod scattered;

mod journal;
mod measure;
mod measured;
mod probe;
mod results;
mod runner;
mod stopwatch;

pub mod chart;
pub mod form;
mod lab;
mod pictures;
mod report;
pub mod verdicts;

pub use catalogue::{Catalogue, UnknownExperiment};
pub use cell::{Cell, PlannerSpec, Planning, Probing, Task};
pub use definition::{
    ChartSpec, Definition, DefinitionError, Extent, Form, Grid, Lists, MeasuredLine, OwnLevel,
    PictureSpec, PlannedCell, ProbeGrid, ProbeLists, Published,
};
pub use journal::{Journal, JournalError};
pub use lab::{hyperqueue_script, lab_script};
pub use levels::{Level, LevelError, Levels};
pub use measure::{MeasureError, finely_cut, measure};
pub use measured::{Clocks, Measured, Row};
pub use report::{Pictures, Report};
pub use results::{Header, Outcome, Question, Results, read_header};
pub use runner::{Progress, RunError, Runner};
pub use verdicts::{Verdict, verdicts};

/// The version that results carry: those of another one are not mixed with ours.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
