//! How tasks get done: the one trait that loaded files, generated Rust and hand-written Rust meet.

use std::any::Any;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use apprentice_search::Cost;

use crate::model::Span;
use crate::network::{Network, Order, Piece};

/// How tasks get done.
///
/// A domain never changes while it is used, so one is shared by many characters and threads; what
/// a planner needs to remember is in the planner.
///
/// ```
/// use apprentice_htn::{Domain, Network, Planner, Refinements};
/// use apprentice_search::{Budget, Cost, Status};
///
/// struct Pantry;
///
/// #[derive(Clone, Debug, PartialEq)]
/// enum Chore { Eat, Open, Take }
///
/// impl Domain for Pantry {
///     type State = bool; // whether the door is open
///     type Task = Chore;
///     fn refine(&self, chore: &Chore, open: &bool, out: &mut Refinements<bool, Chore>) {
///         match (chore, open) {
///             (Chore::Eat, true) => out.method("grab").replace_by([Chore::Take]),
///             (Chore::Eat, false) => out.method("open first").replace_by([Chore::Open, Chore::Take]),
///             (Chore::Open, false) => out.act(true, Cost::from_seconds(1.0)),
///             (Chore::Take, true) => out.act(true, Cost::from_seconds(1.0)),
///             _ => {} // cannot be done here
///         }
///     }
/// }
///
/// let mut planner = Planner::new(false, Network::from(Chore::Eat));
/// assert_eq!(planner.run(&Pantry, &mut Budget::unlimited()), Status::Improved);
/// let plan = planner.plan().expect("there is a plan");
/// assert_eq!(plan.tasks().collect::<Vec<_>>(), [&Chore::Open, &Chore::Take]);
/// ```
pub trait Domain {
    /// All that may change.
    type State: Clone;
    /// A task with its arguments.
    type Task: Clone;

    /// Says what becomes of `task` in `state`: [`Refinements::act`] if it is done by itself, or one
    /// [`Refinements::replace_by`] for each way to do it by other tasks, best first. Saying nothing
    /// means that it cannot be done here.
    fn refine(
        &self,
        task: &Self::Task,
        state: &Self::State,
        out: &mut Refinements<Self::State, Self::Task>,
    );

    /// A number that stands for the state: equal states have equal numbers, and different ones
    /// practically never; [`digest_of`] makes such numbers. Planners need it, and that of tasks, to
    /// notice that they were here before. `None`: they can't.
    fn state_digest(&self, state: &Self::State) -> Option<u64> {
        let _ = state;
        None
    }

    /// A number that stands for the task, as [`state_digest`](Domain::state_digest) for the state.
    /// `None`: planners take it for a task they have never met.
    fn task_digest(&self, task: &Self::Task) -> Option<u64> {
        let _ = task;
        None
    }

    /// A number that stands for the task and everything in the state that doing it may ever look
    /// at. Where it failed once, it fails again. `None`: nothing is known.
    fn situation(&self, task: &Self::Task, state: &Self::State) -> Option<u64> {
        let _ = (task, state);
        None
    }

    /// What doing the task costs at least, in whatever state.
    fn least_cost(&self, task: &Self::Task) -> Cost {
        let _ = task;
        Cost::ZERO
    }

    /// How a method that goes by number is called.
    fn method_name(&self, task: &Self::Task, number: u32) -> String {
        let _ = task;
        format!("method {}", number + 1)
    }
}

impl<D: Domain + ?Sized> Domain for &D {
    type State = D::State;
    type Task = D::Task;
    fn refine(&self, task: &D::Task, state: &D::State, out: &mut Refinements<D::State, D::Task>) {
        (**self).refine(task, state, out);
    }
    fn state_digest(&self, state: &D::State) -> Option<u64> {
        (**self).state_digest(state)
    }
    fn task_digest(&self, task: &D::Task) -> Option<u64> {
        (**self).task_digest(task)
    }
    fn situation(&self, task: &D::Task, state: &D::State) -> Option<u64> {
        (**self).situation(task, state)
    }
    fn least_cost(&self, task: &D::Task) -> Cost {
        (**self).least_cost(task)
    }
    fn method_name(&self, task: &D::Task, number: u32) -> String {
        (**self).method_name(task, number)
    }
}

/// A number that stands for a state or a task, whatever it is made of.
///
/// ```
/// use apprentice_htn::digest_of;
///
/// assert_eq!(digest_of(&("open", 3)), digest_of(&("open", 3)));
/// assert_ne!(digest_of(&("open", 3)), digest_of(&("open", 4)));
/// ```
pub fn digest_of<W: Hash + ?Sized>(what: &W) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// Which method, by the name that was given to it or by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// By name.
    Named(&'static str),
    /// By number; [`Domain::method_name`] knows its name.
    Number(u32),
}

/// Something is wrong with the domain: it cannot say what becomes of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub message: String,
    /// Where, if the domain was read from a file.
    pub span: Option<Span>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

/// What became of one task in one state. The buffer is kept from task to task, so that filling it
/// allocates nothing.
#[derive(Clone, Debug)]
pub struct Refinements<S, T> {
    pub(crate) pieces: Vec<Piece<T>>,
    pub(crate) choices: Vec<Choice<S>>,
    pub(crate) spare: Vec<S>,
    pub(crate) fault: Option<Fault>,
    pub(crate) notes: Vec<Note>,
    /// As many notes are wanted of one task; no more are made.
    pub(crate) notes_wanted: usize,
    /// While traced: the variables that were bound for each of the choices.
    pub(crate) words: Vec<String>,
    /// Which of the tasks that could be done now is being refined.
    pub(crate) ready: u32,
    scratch: Kept,
    /// Values of variables that were tried, in domains that count them.
    pub(crate) tried: u64,
    groups: Vec<Group>,
    moved: Vec<Choice<S>>,
    label: Option<Label>,
    unnamed: u32,
    began: usize,
}

/// Memory of whichever domain is asked. It means nothing from task to task, so copies go without.
#[derive(Default)]
struct Kept(Option<Box<dyn Any + Send + Sync>>);

impl Clone for Kept {
    fn clone(&self) -> Kept {
        Kept::default()
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kept")
    }
}

/// Where ways began that are to be sorted.
#[derive(Clone, Copy, Debug)]
pub struct SortedWays {
    first: usize,
    groups: usize,
}

/// Which of the sorted ways come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Those with the smallest key.
    Ascending,
    /// Those with the greatest key.
    Descending,
}

/// Ways that have one key.
#[derive(Clone, Copy, Debug)]
struct Group {
    key: i64,
    start: usize,
    end: usize,
}

/// One thing that can become of a task.
#[derive(Clone, Debug)]
pub(crate) struct Choice<S> {
    pub(crate) ready: u32,
    /// Which of all choices at a decision it is; known once all of them are.
    pub(crate) number: u32,
    pub(crate) kind: ChoiceKind<S>,
}

#[derive(Clone, Debug)]
pub(crate) enum ChoiceKind<S> {
    Act {
        state: S,
        cost: Cost,
    },
    Replace {
        label: Label,
        start: usize,
        end: usize,
    },
}

/// What a domain says about one of its methods while it is traced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Which method.
    pub label: Label,
    /// What it says.
    pub verdict: Verdict,
    /// The line that says so, counted from 1, in domains that were read from a text: of its first file.
    pub line: Option<usize>,
}

/// What became of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It can be used, with these variables bound; empty if there are none.
    Offered(String),
    /// It cannot be used, because of this.
    Refused(String),
}

impl<S: Clone, T> Refinements<S, T> {
    /// An empty buffer.
    pub fn new() -> Refinements<S, T> {
        Refinements {
            pieces: Vec::new(),
            choices: Vec::new(),
            spare: Vec::new(),
            fault: None,
            notes: Vec::new(),
            notes_wanted: 0,
            words: Vec::new(),
            ready: 0,
            scratch: Kept::default(),
            tried: 0,
            groups: Vec::new(),
            moved: Vec::new(),
            label: None,
            unnamed: 0,
            began: 0,
        }
    }

    /// The task is done by itself: the state afterwards, and what it cost.
    pub fn act(&mut self, next: S, cost: Cost) {
        self.choices.push(Choice {
            ready: self.ready,
            number: 0,
            kind: ChoiceKind::Act { state: next, cost },
        });
    }

    /// A copy of `state` to change and to give to [`act`](Refinements::act). It uses memory of
    /// states that are no longer needed.
    pub fn copy_of(&mut self, state: &S) -> S {
        match self.spare.pop() {
            Some(mut copy) => {
                copy.clone_from(state);
                copy
            }
            None => state.clone(),
        }
    }

    /// Gives back a copy that turned out not to be needed.
    pub fn recycle(&mut self, state: S) {
        self.spare.push(state);
    }

    /// Names the method that the next ways belong to.
    pub fn method(&mut self, name: &'static str) -> &mut Self {
        self.label = Some(Label::Named(name));
        self
    }

    /// Names the method that the next ways belong to by a number, for [`Domain::method_name`].
    pub fn numbered_method(&mut self, number: u32) -> &mut Self {
        self.label = Some(Label::Number(number));
        self
    }

    /// One way to do the task by others, one after the other. Best first.
    pub fn replace_by<I: IntoIterator<Item = T>>(&mut self, tasks: I) {
        self.begin_network();
        self.open_ordered();
        for task in tasks {
            self.task(task);
        }
        self.close_ordered();
        self.end_network();
    }

    /// One way to do the task by a network of others. Best first.
    pub fn replace_by_network(&mut self, mut network: Network<T>) {
        self.begin_network();
        self.pieces.append(&mut network.pieces);
        self.end_network();
    }

    /// Begins one way to do the task by others; tasks follow.
    pub fn begin_network(&mut self) {
        self.began = self.pieces.len();
    }

    /// What follows is done one after the other.
    pub fn open_ordered(&mut self) {
        self.pieces.push(Piece::Open(Order::Ordered));
    }

    /// Ends what [`open_ordered`](Refinements::open_ordered) began.
    pub fn close_ordered(&mut self) {
        self.pieces.push(Piece::Close(Order::Ordered));
    }

    /// What follows is done in any order.
    pub fn open_unordered(&mut self) {
        self.pieces.push(Piece::Open(Order::Unordered));
    }

    /// Ends what [`open_unordered`](Refinements::open_unordered) began.
    pub fn close_unordered(&mut self) {
        self.pieces.push(Piece::Close(Order::Unordered));
    }

    /// One task of the network that was begun.
    pub fn task(&mut self, task: T) {
        self.pieces.push(Piece::Task(task));
    }

    /// Ends the network that was begun: it is one way to do the task.
    pub fn end_network(&mut self) {
        let label = self.label.unwrap_or_else(|| {
            self.unnamed += 1;
            Label::Number(self.unnamed - 1)
        });
        self.choices.push(Choice {
            ready: self.ready,
            number: 0,
            kind: ChoiceKind::Replace {
                label,
                start: self.began,
                end: self.pieces.len(),
            },
        });
    }

    /// How many ways there are so far, of this task and of all others that were put off.
    pub fn ways(&self) -> usize {
        self.choices.len()
    }

    /// Begins ways that are to be sorted by a key.
    pub fn begin_sorted(&mut self) -> SortedWays {
        SortedWays {
            first: self.choices.len(),
            groups: self.groups.len(),
        }
    }

    /// The ways from `start` on belong together, and have this key.
    pub fn sorted_ways(&mut self, start: usize, key: i64) {
        self.groups.push(Group {
            key,
            start,
            end: self.choices.len(),
        });
    }

    /// Sorts the ways since `begun`: smallest key first, or greatest; equal keys stay in order.
    pub fn end_sorted(&mut self, begun: &SortedWays, direction: Direction) {
        let first = begun.first;
        let groups = &mut self.groups[begun.groups..];
        if groups.len() > 1 {
            // `start` grows from group to group, so equal keys stay in order.
            groups.sort_unstable_by(|a, b| {
                let keys = match direction {
                    Direction::Ascending => a.key.cmp(&b.key),
                    Direction::Descending => b.key.cmp(&a.key),
                };
                keys.then(a.start.cmp(&b.start))
            });
            // Generated code says what was bound only afterwards.
            let has_words = !self.words.is_empty() && self.words.len() == self.choices.len();
            self.moved.clear();
            self.moved.extend(self.choices.drain(first..));
            let mut words = Vec::new();
            if has_words {
                words = self.words.split_off(first);
            }
            for group in groups.iter() {
                let group = group.start - first..group.end - first;
                self.choices.extend_from_slice(&self.moved[group.clone()]);
                if has_words {
                    self.words.extend_from_slice(&words[group]);
                }
            }
        }
        self.groups.truncate(begun.groups);
    }

    /// The domain is wrong: nobody can say what becomes of the task. Ends the planning.
    pub fn fault(&mut self, fault: Fault) {
        self.fault.get_or_insert(fault);
    }

    /// Whether anybody wants to know why methods are offered or refused. If not, or if enough was
    /// said, don't find out.
    pub fn is_traced(&self) -> bool {
        self.notes.len() < self.notes_wanted
    }

    /// Says why a method is offered or refused, if [anybody wants to know](Refinements::is_traced).
    pub fn note(&mut self, label: Label, verdict: Verdict) {
        self.note_at(label, verdict, None);
    }

    /// The same, with the line of the text that says so.
    pub(crate) fn note_at(&mut self, label: Label, verdict: Verdict, line: Option<usize>) {
        if self.is_traced() {
            self.notes.push(Note {
                label,
                verdict,
                line,
            });
        }
    }

    /// Memory that a domain works in, as it was [left](Refinements::keep_scratch) by the task before;
    /// empty if it is the first. Whoever gives it back allocates it once for a whole plan.
    pub fn take_scratch<M: Default + Send + Sync + 'static>(&mut self) -> Box<M> {
        let kept = self.scratch.0.take();
        kept.and_then(|kept| kept.downcast().ok())
            .unwrap_or_default()
    }

    /// Leaves the memory to the next task.
    pub fn keep_scratch<M: Send + Sync + 'static>(&mut self, scratch: Box<M>) {
        self.scratch.0 = Some(scratch);
    }

    /// The method that was named last.
    pub(crate) fn current_label(&self) -> Label {
        self.label.unwrap_or(Label::Number(0))
    }

    /// Starts with another task.
    pub(crate) fn begin_task(&mut self, ready: u32) {
        self.ready = ready;
        self.label = None;
        self.unnamed = 0;
    }
}

impl<S: Clone, T> Default for Refinements<S, T> {
    fn default() -> Self {
        Refinements::new()
    }
}
