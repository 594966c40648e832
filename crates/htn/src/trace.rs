//! Why each method was taken or refused.

use crate::domain::{Label, Note, Verdict};

/// What a planner met, in order, up to a number of events.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace<T> {
    /// What happened.
    pub events: Vec<Event<T>>,
    /// How many more events there were.
    pub left_out: u64,
    limit: usize,
}

/// Something a planner met.
#[derive(Clone, Debug, PartialEq)]
pub struct Event<T> {
    /// The task that was looked at.
    pub task: T,
    /// How many decompositions came before.
    pub depth: usize,
    /// What was found out about it.
    pub what: Happened,
}

/// What was found out about a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happened {
    /// A method can be used, with these variables bound.
    Offered(Label, String),
    /// A method cannot be used, because of this.
    Refused(Label, String),
    /// Nothing can be done about the task.
    Nothing,
}

impl<T: Clone> Trace<T> {
    pub(crate) fn new() -> Trace<T> {
        Trace::with_limit(0)
    }

    pub(crate) fn with_limit(limit: usize) -> Trace<T> {
        Trace {
            events: Vec::new(),
            left_out: 0,
            limit,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.events.clear();
        self.left_out = 0;
    }

    pub(crate) fn add(&mut self, event: impl FnOnce() -> Event<T>) {
        if self.limit == 0 {
            return;
        }
        if self.events.len() < self.limit {
            self.events.push(event());
        } else {
            self.left_out += 1;
        }
    }

    pub(crate) fn take_notes(&mut self, task: &T, depth: usize, notes: &mut Vec<Note>) {
        for note in notes.drain(..) {
            self.add(|| Event {
                task: task.clone(),
                depth,
                what: match note.verdict {
                    Verdict::Offered(with) => Happened::Offered(note.label, with),
                    Verdict::Refused(because) => Happened::Refused(note.label, because),
                },
            });
        }
    }
}
