//! Whoever looks on while a search works.

use crate::{Cost, NodeId, Problem};

/// Looks on while a search works. Every method does nothing by default, and `()` is the observer
/// that costs nothing.
///
/// ```
/// use apprentice_search::{Blind, BestFirst, Budget, Expansion, Observer, Search};
/// # use apprentice_search::{Cost, Problem, Successors};
/// # struct Line;
/// # impl Problem for Line {
/// #     type State = u32; type Key = u32; type Action = ();
/// #     fn start(&self) -> u32 { 0 }
/// #     fn key(&self, s: &u32) -> u32 { *s }
/// #     fn is_goal(&self, s: &u32) -> bool { *s == 3 }
/// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
/// #         out.push((), s + 1, Cost::from_seconds(1.0));
/// #     }
/// # }
///
/// struct Footprints(Vec<u32>);
///
/// impl Observer<Line> for Footprints {
///     fn expanded(&mut self, expansion: Expansion<'_, Line>) {
///         self.0.push(*expansion.state);
///     }
/// }
///
/// let mut footprints = Footprints(vec![]);
/// BestFirst::astar(Blind).run_observed(&Line, &mut Budget::unlimited(), &mut footprints);
/// assert_eq!(footprints.0, [0, 1, 2]);
/// ```
pub trait Observer<P: Problem + ?Sized> {
    /// A state is about to be expanded.
    ///
    /// ```
    /// # use apprentice_search::{BestFirst, Blind, Budget, Expansion, Observer, Search};
    /// # use apprentice_search::{Cost, Problem, Successors};
    /// # struct Line;
    /// # impl Problem for Line {
    /// #     type State = u32; type Key = u32; type Action = ();
    /// #     fn start(&self) -> u32 { 0 }
    /// #     fn key(&self, s: &u32) -> u32 { *s }
    /// #     fn is_goal(&self, s: &u32) -> bool { *s == 3 }
    /// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
    /// #         out.push((), s + 1, Cost::from_seconds(1.0));
    /// #     }
    /// # }
    /// #[derive(Default)]
    /// struct Expanded(Vec<u32>);
    ///
    /// impl Observer<Line> for Expanded {
    ///     fn expanded(&mut self, expansion: Expansion<'_, Line>) {
    ///         self.0.push(*expansion.state);
    ///     }
    /// }
    ///
    /// let mut seen = Expanded::default();
    /// BestFirst::astar(Blind).run_observed(&Line, &mut Budget::unlimited(), &mut seen);
    /// assert_eq!(seen.0, [0, 1, 2]);
    /// ```
    fn expanded(&mut self, _expansion: Expansion<'_, P>) {}

    /// A state was met for the first time, or a cheaper way to it was found.
    ///
    /// ```
    /// # use apprentice_search::{BestFirst, Blind, Budget, Observer, Search};
    /// # use apprentice_search::{Cost, Problem, Successors};
    /// # struct Line;
    /// # impl Problem for Line {
    /// #     type State = u32; type Key = u32; type Action = ();
    /// #     fn start(&self) -> u32 { 0 }
    /// #     fn key(&self, s: &u32) -> u32 { *s }
    /// #     fn is_goal(&self, s: &u32) -> bool { *s == 3 }
    /// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
    /// #         out.push((), s + 1, Cost::from_seconds(1.0));
    /// #     }
    /// # }
    /// #[derive(Default)]
    /// struct Met(Vec<u32>);
    ///
    /// impl Observer<Line> for Met {
    ///     fn improved(&mut self, state: &u32, _: Cost) {
    ///         self.0.push(*state);
    ///     }
    /// }
    ///
    /// let mut seen = Met::default();
    /// BestFirst::astar(Blind).run_observed(&Line, &mut Budget::unlimited(), &mut seen);
    /// assert_eq!(seen.0, [0, 1, 2, 3]);
    /// ```
    fn improved(&mut self, _state: &P::State, _cost: Cost) {}

    /// A solution was found, or one that costs less than the last.
    ///
    /// ```
    /// # use apprentice_search::{BestFirst, Blind, Budget, Observer, Search};
    /// # use apprentice_search::{Cost, Problem, Successors};
    /// # struct Line;
    /// # impl Problem for Line {
    /// #     type State = u32; type Key = u32; type Action = ();
    /// #     fn start(&self) -> u32 { 0 }
    /// #     fn key(&self, s: &u32) -> u32 { *s }
    /// #     fn is_goal(&self, s: &u32) -> bool { *s == 3 }
    /// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
    /// #         out.push((), s + 1, Cost::from_seconds(1.0));
    /// #     }
    /// # }
    /// #[derive(Default)]
    /// struct Solutions(Vec<Cost>);
    ///
    /// impl Observer<Line> for Solutions {
    ///     fn solved(&mut self, cost: Cost) {
    ///         self.0.push(cost);
    ///     }
    /// }
    ///
    /// let mut seen = Solutions::default();
    /// BestFirst::astar(Blind).run_observed(&Line, &mut Budget::unlimited(), &mut seen);
    /// assert_eq!(seen.0, [Cost::from_seconds(3.0)]);
    /// ```
    fn solved(&mut self, _cost: Cost) {}
}

/// One expansion, as an [`Observer`] sees it.
///
/// ```
/// use apprentice_search::{Blind, BestFirst, Budget, Expansion, Observer, Search};
/// # use apprentice_search::{Cost, Problem, Successors};
/// # struct Line;
/// # impl Problem for Line {
/// #     type State = u32; type Key = u32; type Action = ();
/// #     fn start(&self) -> u32 { 0 }
/// #     fn key(&self, s: &u32) -> u32 { *s }
/// #     fn is_goal(&self, s: &u32) -> bool { *s == 3 }
/// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
/// #         out.push((), s + 1, Cost::from_seconds(1.0));
/// #     }
/// # }
///
/// /// Notes where the search was, and what it had cost to get there.
/// #[derive(Default)]
/// struct Notes(Vec<(u32, Cost)>);
///
/// impl Observer<Line> for Notes {
///     fn expanded(&mut self, expansion: Expansion<'_, Line>) {
///         assert_eq!(expansion.by, 0);
///         self.0.push((*expansion.state, expansion.cost));
///     }
/// }
///
/// let mut notes = Notes::default();
/// BestFirst::astar(Blind).run_observed(&Line, &mut Budget::unlimited(), &mut notes);
/// assert_eq!(notes.0[2], (2, Cost::from_seconds(2.0)));
/// ```
pub struct Expansion<'a, P: Problem + ?Sized> {
    /// The state.
    pub state: &'a P::State,
    /// The cost of the cheapest way to it so far.
    pub cost: Cost,
    /// On whose behalf: 0 is the anchor, or the only heuristic.
    pub by: usize,
    /// The number this search gave the state when it first met it.
    pub node: NodeId,
    /// The number of the state the cheapest way comes from; `None` at the start.
    pub parent: Option<NodeId>,
}

impl<P: Problem + ?Sized> Observer<P> for () {}
