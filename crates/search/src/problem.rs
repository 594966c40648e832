//! What can be searched: anything that has a start, a goal, and can list the steps that leave a
//! state.

use std::hash::Hash;

use crate::Cost;

/// What to search: where it starts, where it may go, where it may stop.
///
/// ```
/// use apprentice_search::{Cost, Problem, Successors, astar, Blind};
///
/// /// From 1, reach a number by adding one or doubling.
/// struct Reach(u32);
///
/// impl Problem for Reach {
///     type State = u32;
///     type Key = u32;
///     type Action = &'static str;
///
///     fn start(&self) -> u32 {
///         1
///     }
///     fn key(&self, state: &u32) -> u32 {
///         *state
///     }
///     fn is_goal(&self, state: &u32) -> bool {
///         *state == self.0
///     }
///     fn successors(&self, state: &u32, out: &mut Successors<u32, &'static str>) {
///         if *state < self.0 {
///             out.push("add one", state + 1, Cost::from_seconds(1.0));
///             out.push("double", state * 2, Cost::from_seconds(1.0));
///         }
///     }
/// }
///
/// let path = astar(&Reach(10), Blind).expect("10 can be reached");
/// assert_eq!(path.cost, Cost::from_seconds(4.0)); // 1, 2, 4, 5, 10
/// ```
pub trait Problem {
    /// A situation, with everything that matters for what may follow.
    type State: Clone;
    /// What makes two states the same state. Coarser than the state where the world is continuous:
    /// the cheapest state met then stands for its key. Where states with the same key cannot do the
    /// same, every bound, and that there is no solution, is proven only of what the keys tell apart.
    type Key: Clone + Eq + Hash;
    /// What is done to get from one state to the next.
    type Action: Clone;

    /// Where the search starts.
    ///
    /// ```
    /// # use apprentice_search::{Cost, Problem, Successors};
    /// # struct Grid { width: u32 }
    /// # impl Problem for Grid {
    /// #     type State = (u32, u32); type Key = (u32, u32); type Action = ();
    /// #     fn start(&self) -> (u32, u32) { (0, 0) }
    /// #     fn key(&self, cell: &(u32, u32)) -> (u32, u32) { *cell }
    /// #     fn is_goal(&self, cell: &(u32, u32)) -> bool { *cell == (2, 2) }
    /// #     fn successors(&self, (x, y): &(u32, u32), out: &mut Successors<(u32, u32), ()>) {
    /// #         if *x + 1 < self.width { out.push((), (x + 1, *y), Cost::from_seconds(1.0)); }
    /// #         if *y < 9 { out.push((), (*x, y + 1), Cost::from_seconds(1.0)); }
    /// #     }
    /// # }
    /// let grid = Grid { width: 10 };
    /// assert_eq!(grid.start(), (0, 0));
    /// ```
    fn start(&self) -> Self::State;

    /// What makes `state` the state it is.
    ///
    /// ```
    /// # use apprentice_search::{Cost, Problem, Successors};
    /// # struct Grid { width: u32 }
    /// # impl Problem for Grid {
    /// #     type State = (u32, u32); type Key = (u32, u32); type Action = ();
    /// #     fn start(&self) -> (u32, u32) { (0, 0) }
    /// #     fn key(&self, cell: &(u32, u32)) -> (u32, u32) { *cell }
    /// #     fn is_goal(&self, cell: &(u32, u32)) -> bool { *cell == (2, 2) }
    /// #     fn successors(&self, (x, y): &(u32, u32), out: &mut Successors<(u32, u32), ()>) {
    /// #         if *x + 1 < self.width { out.push((), (x + 1, *y), Cost::from_seconds(1.0)); }
    /// #         if *y < 9 { out.push((), (*x, y + 1), Cost::from_seconds(1.0)); }
    /// #     }
    /// # }
    /// let grid = Grid { width: 10 };
    /// assert_eq!(grid.key(&(3, 1)), (3, 1));
    /// ```
    fn key(&self, state: &Self::State) -> Self::Key;

    /// Whether the search may stop at `state`. Goals may be partially specified: any state that
    /// satisfies the predicate will do. States with the same key are all goals, or none is.
    ///
    /// ```
    /// # use apprentice_search::{Cost, Problem, Successors};
    /// # struct Grid { width: u32 }
    /// # impl Problem for Grid {
    /// #     type State = (u32, u32); type Key = (u32, u32); type Action = ();
    /// #     fn start(&self) -> (u32, u32) { (0, 0) }
    /// #     fn key(&self, cell: &(u32, u32)) -> (u32, u32) { *cell }
    /// #     fn is_goal(&self, cell: &(u32, u32)) -> bool { *cell == (2, 2) }
    /// #     fn successors(&self, (x, y): &(u32, u32), out: &mut Successors<(u32, u32), ()>) {
    /// #         if *x + 1 < self.width { out.push((), (x + 1, *y), Cost::from_seconds(1.0)); }
    /// #         if *y < 9 { out.push((), (*x, y + 1), Cost::from_seconds(1.0)); }
    /// #     }
    /// # }
    /// let grid = Grid { width: 10 };
    /// assert!(grid.is_goal(&(2, 2)) && !grid.is_goal(&(0, 0)));
    /// ```
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Pushes every step that leaves `state`, in the same order whenever it is asked; among equals
    /// the step pushed first is met first. `out` arrives empty and its memory is reused.
    ///
    /// ```
    /// # use apprentice_search::{Cost, Problem, Successors};
    /// # struct Grid { width: u32 }
    /// # impl Problem for Grid {
    /// #     type State = (u32, u32); type Key = (u32, u32); type Action = ();
    /// #     fn start(&self) -> (u32, u32) { (0, 0) }
    /// #     fn key(&self, cell: &(u32, u32)) -> (u32, u32) { *cell }
    /// #     fn is_goal(&self, cell: &(u32, u32)) -> bool { *cell == (2, 2) }
    /// #     fn successors(&self, (x, y): &(u32, u32), out: &mut Successors<(u32, u32), ()>) {
    /// #         if *x + 1 < self.width { out.push((), (x + 1, *y), Cost::from_seconds(1.0)); }
    /// #         if *y < 9 { out.push((), (*x, y + 1), Cost::from_seconds(1.0)); }
    /// #     }
    /// # }
    /// let grid = Grid { width: 10 };
    /// let mut out = Successors::new();
    /// grid.successors(&(9, 3), &mut out);
    /// assert_eq!(out.iter().next().unwrap().state, (9, 4)); // the map ends in the east
    /// ```
    fn successors(&self, state: &Self::State, out: &mut Successors<Self::State, Self::Action>);

    /// Whether listing the steps that leave a state may take much longer than an expansion usually
    /// does, and [`successors_from`](Problem::successors_from) lists them in parts. Searches then pay
    /// for each part, and can stop after any of them.
    const LISTS_IN_PARTS: bool = false;

    /// Pushes the steps that leave `state`, those that [`successors`](Problem::successors) pushes and in
    /// the same order, beginning with the part `from`; the first part is 0.
    ///
    /// After each part, `go_on` is told how many nanoseconds that takes, about and by count: what is
    /// measured would differ from machine to machine. It says whether there may be more. If not, the
    /// part that comes next is returned, and the search asks again when it may go on. `None`: that was
    /// all.
    ///
    /// ```
    /// # use apprentice_search::{BestFirst, Blind, Budget, Cost, Problem, Search, Successors};
    /// /// From everywhere one can go far, and each way there takes as long to work out as four
    /// /// expansions.
    /// struct Dear;
    ///
    /// impl Problem for Dear {
    ///     type State = u32;
    ///     type Key = u32;
    ///     type Action = ();
    ///     const LISTS_IN_PARTS: bool = true;
    ///
    ///     fn start(&self) -> u32 {
    ///         0
    ///     }
    ///     fn key(&self, state: &u32) -> u32 {
    ///         *state
    ///     }
    ///     fn is_goal(&self, state: &u32) -> bool {
    ///         *state == 10
    ///     }
    ///     fn successors(&self, state: &u32, out: &mut Successors<u32, ()>) {
    ///         self.successors_from(state, 0, out, &mut |_| true);
    ///     }
    ///     fn successors_from(
    ///         &self,
    ///         state: &u32,
    ///         from: usize,
    ///         out: &mut Successors<u32, ()>,
    ///         go_on: &mut dyn FnMut(u64) -> bool,
    ///     ) -> Option<usize> {
    ///         for part in from..3 {
    ///             out.push((), state + part as u32, Cost::from_seconds(1.0)); // worked out
    ///             if !go_on(20_000) {
    ///                 return Some(part + 1);
    ///             }
    ///         }
    ///         None
    ///     }
    /// }
    ///
    /// let (mut search, mut budget) = (BestFirst::astar(Blind), Budget::unlimited());
    /// search.run(&Dear, &mut budget);
    /// let statistics = search.statistics();
    /// assert_eq!(statistics.upkeep, 3 * 4 * statistics.expanded);
    /// assert_eq!(budget.taken(), statistics.expanded + statistics.upkeep);
    /// ```
    fn successors_from(
        &self,
        state: &Self::State,
        _from: usize,
        out: &mut Successors<Self::State, Self::Action>,
        _go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Option<usize> {
        self.successors(state, out);
        None
    }

    /// A small number unique to the key, where one is cheap (a cell's number on a grid). It saves
    /// the hash table. What was met together should have numbers close together: memory is kept for
    /// stretches of sixteen, and a quarter of a byte for every number up to the largest one met.
    /// All keys have one, or none has.
    ///
    /// ```
    /// # use apprentice_search::{Cost, Problem, Successors};
    /// # struct Grid { width: u32 }
    /// # impl Problem for Grid {
    /// #     type State = (u32, u32); type Key = (u32, u32); type Action = ();
    /// #     fn start(&self) -> (u32, u32) { (0, 0) }
    /// #     fn key(&self, cell: &(u32, u32)) -> (u32, u32) { *cell }
    /// #     fn is_goal(&self, cell: &(u32, u32)) -> bool { *cell == (2, 2) }
    /// #     fn successors(&self, (x, y): &(u32, u32), out: &mut Successors<(u32, u32), ()>) {
    /// #         if *x + 1 < self.width { out.push((), (x + 1, *y), Cost::from_seconds(1.0)); }
    /// #         if *y < 9 { out.push((), (*x, y + 1), Cost::from_seconds(1.0)); }
    /// #     }
    /// #     fn index(&self, (x, y): &(u32, u32)) -> Option<u32> { Some(y * self.width + x) }
    /// # }
    /// let grid = Grid { width: 10 };
    /// assert_eq!(grid.index(&(3, 1)), Some(13));
    /// ```
    fn index(&self, _key: &Self::Key) -> Option<u32> {
        None
    }

    /// Changes when the start, the goals or the steps change. A paused search refuses to continue
    /// across revisions, with [`Status::ProblemChanged`](crate::Status::ProblemChanged).
    ///
    /// ```
    /// # use apprentice_search::{BestFirst, Blind, Budget, Search, Status};
    /// # use apprentice_search::{Cost, Problem, Successors};
    /// # struct Grid { width: u32, revision: u64 }
    /// # impl Problem for Grid {
    /// #     type State = (u32, u32); type Key = (u32, u32); type Action = ();
    /// #     fn start(&self) -> (u32, u32) { (0, 0) }
    /// #     fn key(&self, cell: &(u32, u32)) -> (u32, u32) { *cell }
    /// #     fn is_goal(&self, cell: &(u32, u32)) -> bool { *cell == (2, 2) }
    /// #     fn successors(&self, (x, y): &(u32, u32), out: &mut Successors<(u32, u32), ()>) {
    /// #         if *x + 1 < self.width { out.push((), (x + 1, *y), Cost::from_seconds(1.0)); }
    /// #         if *y < 9 { out.push((), (*x, y + 1), Cost::from_seconds(1.0)); }
    /// #     }
    /// #     fn revision(&self) -> u64 { self.revision }
    /// # }
    /// let mut grid = Grid { width: 10, revision: 0 };
    /// let mut search = BestFirst::astar(Blind);
    /// search.run(&grid, &mut Budget::units(3));
    ///
    /// grid.width = 8;
    /// grid.revision += 1;
    /// assert_eq!(search.run(&grid, &mut Budget::unlimited()), Status::ProblemChanged);
    /// ```
    fn revision(&self) -> u64 {
        0
    }
}

/// One step that leaves a state.
///
/// ```
/// # use apprentice_search::{Cost, Successor};
/// let step = Successor { action: 'e', state: (1, 0), cost: Cost::from_seconds(1.0) };
/// assert!(step.cost.is_finite());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Successor<S, A> {
    /// What is done.
    pub action: A,
    /// Where it leads.
    pub state: S,
    /// What it costs. A step of infinite cost is forbidden: no path contains it.
    pub cost: Cost,
}

/// The steps that leave one state: a buffer that is filled again and again.
///
/// ```
/// # use apprentice_search::{Cost, Successors};
/// let mut out = Successors::new();
/// out.push("east", (1, 0), Cost::from_seconds(1.0));
/// assert_eq!(out.len(), 1);
/// assert_eq!(out.iter().next().unwrap().state, (1, 0));
/// ```
#[derive(Clone, Debug)]
pub struct Successors<S, A> {
    steps: Vec<Successor<S, A>>,
}

impl<S, A> Successors<S, A> {
    /// An empty buffer.
    ///
    /// ```
    /// # use apprentice_search::Successors;
    /// assert!(Successors::<u32, ()>::new().is_empty());
    /// ```
    pub const fn new() -> Self {
        Successors { steps: Vec::new() }
    }

    /// Adds a step.
    ///
    /// ```
    /// # use apprentice_search::{Cost, Successors};
    /// let mut out = Successors::new();
    /// out.push((), 7, Cost::ZERO);
    /// assert_eq!(out.len(), 1);
    /// ```
    #[inline]
    pub fn push(&mut self, action: A, state: S, cost: Cost) {
        self.steps.push(Successor {
            action,
            state,
            cost,
        });
    }

    /// How many steps there are.
    ///
    /// ```
    /// # use apprentice_search::Successors;
    /// assert_eq!(Successors::<u32, ()>::new().len(), 0);
    /// ```
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether no step leaves.
    ///
    /// ```
    /// # use apprentice_search::Successors;
    /// assert!(Successors::<u32, ()>::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Looks at the steps in the order they were pushed.
    ///
    /// ```
    /// # use apprentice_search::{Cost, Successors};
    /// let mut out = Successors::new();
    /// out.push('a', 1, Cost::ZERO);
    /// out.push('b', 2, Cost::ZERO);
    /// assert_eq!(out.iter().map(|step| step.action).collect::<String>(), "ab");
    /// ```
    pub fn iter(&self) -> std::slice::Iter<'_, Successor<S, A>> {
        self.steps.iter()
    }

    /// Forgets the steps, keeps the memory.
    ///
    /// ```
    /// # use apprentice_search::{Cost, Successors};
    /// let mut out = Successors::new();
    /// out.push((), 7, Cost::ZERO);
    /// out.clear();
    /// assert!(out.is_empty());
    /// ```
    #[inline]
    pub fn clear(&mut self) {
        self.steps.clear();
    }
}

impl<S: Clone, A: Clone> Successors<S, A> {
    /// Takes the steps out, in order, and keeps the memory.
    #[inline]
    pub(crate) fn drain(&mut self) -> std::vec::Drain<'_, Successor<S, A>> {
        self.steps.drain(..)
    }
}

/// A step that can be had. One that owns memory is moved out of its listing; a copy of one that
/// doesn't costs nothing, and is made only when it is wanted.
pub(crate) trait Taking<S, A> {
    fn step(&self) -> &Successor<S, A>;
    fn take(self) -> Successor<S, A>;
}

impl<S, A> Taking<S, A> for Successor<S, A> {
    #[inline]
    fn step(&self) -> &Successor<S, A> {
        self
    }
    #[inline]
    fn take(self) -> Successor<S, A> {
        self
    }
}

impl<S: Clone, A: Clone> Taking<S, A> for &Successor<S, A> {
    #[inline]
    fn step(&self) -> &Successor<S, A> {
        self
    }
    #[inline]
    fn take(self) -> Successor<S, A> {
        self.clone()
    }
}

/// Adds many steps in order. Where their number is known beforehand, that is a little faster than
/// pushing one by one.
///
/// ```
/// # use apprentice_search::{Cost, Successor, Successors};
/// let mut out = Successors::new();
/// out.extend((1..4).map(|state| Successor { action: (), state, cost: Cost::ZERO }));
/// assert_eq!(out.len(), 3);
/// ```
impl<S, A> Extend<Successor<S, A>> for Successors<S, A> {
    #[inline]
    fn extend<I: IntoIterator<Item = Successor<S, A>>>(&mut self, steps: I) {
        self.steps.extend(steps);
    }
}

impl<S, A> Default for Successors<S, A> {
    fn default() -> Self {
        Successors::new()
    }
}

impl<'a, S, A> IntoIterator for &'a Successors<S, A> {
    type Item = &'a Successor<S, A>;
    type IntoIter = std::slice::Iter<'a, Successor<S, A>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
