//! Why each method was taken or refused.

use crate::domain::{Label, Note, Verdict};

/// What a planner met, in order, up to a number of events.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace<T> {
    /// What happened.
    pub events: Vec<Event<T>>,
    /// How many tasks it says nothing about, or not all there was to say, because it was full.
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
    /// The line that says so, counted from 1, in domains that were read from a text.
    pub line: Option<usize>,
}

/// What was found out about a task.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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

    /// How many notes about the next task are wanted: one more than there is room for tells that
    /// something was left out. None once it is full, so that nobody finds out what nobody will read.
    pub(crate) fn notes_wanted(&self) -> usize {
        match self.limit - self.events.len() {
            0 => 0,
            room => room.saturating_add(1),
        }
    }

    /// Writes down what was said about a task, and whether anything can be done about it.
    pub(crate) fn take_notes(
        &mut self,
        task: &T,
        depth: usize,
        notes: &mut Vec<Note>,
        is_hopeless: bool,
    ) {
        if self.limit == 0 {
            return;
        }
        let said = notes.drain(..).map(|note| match note.verdict {
            Verdict::Offered(with) => (Happened::Offered(note.label, with), note.line),
            Verdict::Refused(because) => (Happened::Refused(note.label, because), note.line),
        });
        let room = self.limit - self.events.len();
        let hopeless = is_hopeless.then_some((Happened::Nothing, None));
        let mut events = said.chain(hopeless);
        let shown = events.by_ref().take(room);
        self.events.extend(shown.map(|(what, line)| Event {
            task: task.clone(),
            depth,
            what,
            line,
        }));
        self.left_out += u64::from(room == 0 || events.next().is_some());
    }
}
