//! Does cells on all cores, and writes each to the journal as soon as it is done.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::cell::Cell;
use crate::journal::{Journal, JournalError};
use crate::levels::Levels;
use crate::measure::{MeasureError, measure};
use crate::measured::Row;

/// How often what was done is brought to the disk: often enough that losing power costs little, and
/// seldom enough that small cells do not wait for it.
const BETWEEN_SYNCS: Duration = Duration::from_secs(2);

/// Does cells that are not in a journal yet.
#[derive(Clone, Copy, Debug)]
pub struct Runner<'a> {
    /// Where cells are done.
    pub levels: &'a Levels,
    /// On how many threads.
    pub threads: usize,
}

/// How far a run has come.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Cells that are done, and were before.
    pub done: usize,
    /// All cells.
    pub all: usize,
    /// How long it has been running.
    pub elapsed: Duration,
    /// How long the rest may take, going by what has been done of each kind.
    pub remaining: Option<Duration>,
    /// What was done last.
    pub last: String,
}

/// Why a run ended before its end. Whatever was done is in the journal.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunError {
    /// A cell came to nothing.
    Cell(MeasureError),
    /// A cell panicked: a mistake of ours.
    Panic {
        /// Which.
        cell: String,
    },
    /// The journal does not take more.
    Journal(JournalError),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Cell(error) => error.fmt(f),
            RunError::Panic { cell } => write!(f, "{cell} panicked"),
            RunError::Journal(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {}

impl Runner<'_> {
    /// Does all cells that are not in the journal, in any order, and tells how far it has come. A cell
    /// that is asked for twice is done once.
    ///
    /// # Errors
    ///
    /// If a cell comes to nothing, or the journal cannot be written. Whatever was done before is kept.
    pub fn run(
        &self,
        cells: &[&Cell],
        journal: &mut Journal,
        mut tell: impl FnMut(&Progress),
    ) -> Result<(), RunError> {
        let begun = Instant::now();
        let mut seen = std::collections::BTreeSet::new();
        let all: Vec<&Cell> = cells
            .iter()
            .copied()
            .filter(|cell| seen.insert(cell.key()))
            .collect();
        let left: Vec<&Cell> = all
            .iter()
            .copied()
            .filter(|cell| journal.find(&cell.key()).is_none())
            .collect();
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let mut estimate = Estimate::of(&left, journal.rows());
        let mut synced = Instant::now();
        let mut done = all.len() - left.len();
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..self.threads.max(1) {
                let sender = sender.clone();
                let (next, stop, left) = (&next, &stop, &left);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(cell) = left.get(number) else { break };
                        let row = catch_unwind(AssertUnwindSafe(|| measure(self.levels, cell)));
                        if sender.send((*cell, row)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut failure = None;
            for (cell, row) in receiver {
                let added = match row {
                    Ok(Ok(row)) => {
                        estimate.done(&row);
                        journal.add(row).map_err(RunError::Journal)
                    }
                    Ok(Err(error)) => Err(RunError::Cell(error)),
                    Err(_) => Err(RunError::Panic {
                        cell: cell.in_words(),
                    }),
                };
                if let Err(error) = added {
                    // Those that are under way come to their end, and what they come to is kept if it can be.
                    stop.store(true, Ordering::Relaxed);
                    failure.get_or_insert(error);
                    continue;
                }
                done += 1;
                if synced.elapsed() > BETWEEN_SYNCS {
                    let _ = journal.sync();
                    synced = Instant::now();
                }
                tell(&Progress {
                    done,
                    all: all.len(),
                    elapsed: begun.elapsed(),
                    remaining: estimate.remaining(self.threads.max(1)),
                    last: cell.in_words(),
                });
            }
            let synced = journal.sync().map_err(RunError::Journal);
            failure.map_or(synced, Err)
        })
    }
}

/// How long what is left may take: as long as others of the same level and task did, or as all did.
struct Estimate {
    /// By kind of cell: how many are left, how many were done, and how many milliseconds these took.
    kinds: std::collections::BTreeMap<String, (usize, usize, f64)>,
}

impl Estimate {
    fn of(left: &[&Cell], done: &[Row]) -> Estimate {
        let mut estimate = Estimate {
            kinds: Default::default(),
        };
        for cell in left {
            estimate.kinds.entry(kind(cell)).or_default().0 += 1;
        }
        for row in done {
            estimate.count(row);
        }
        estimate
    }

    fn count(&mut self, row: &Row) {
        let (_, done, took) = self.kinds.entry(kind(&row.cell)).or_default();
        *done += 1;
        *took += row.clocks.time_ms;
    }

    fn done(&mut self, row: &Row) {
        if let Some((left, _, _)) = self.kinds.get_mut(&kind(&row.cell)) {
            *left = left.saturating_sub(1);
        }
        self.count(row);
    }

    fn remaining(&self, threads: usize) -> Option<Duration> {
        let (mut all, mut took) = (0, 0.0);
        for (_, done, time) in self.kinds.values() {
            all += done;
            took += time;
        }
        if all == 0 {
            return None;
        }
        let usual = took / all as f64;
        let left = self.kinds.values().map(|(left, done, took)| {
            let each = if *done > 0 {
                took / *done as f64
            } else {
                usual
            };
            *left as f64 * each
        });
        let milliseconds: f64 = left.sum();
        Some(Duration::from_secs_f64(milliseconds / 1e3 / threads as f64))
    }
}

/// Cells that take about as long as each other.
fn kind(cell: &Cell) -> String {
    let planning = cell.planning();
    let (planner, branching) = planning.map_or((String::new(), 0), |planning| {
        (planning.planner.planner.clone(), planning.branching)
    });
    format!("{} {branching} {planner}", cell.scenario)
}
