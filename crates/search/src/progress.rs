//! What a search reports: how it stands, what it did, what it can prove.

use std::fmt;

use crate::search::Standing;
use crate::{Cost, NodeId, Problem, Weight};

/// What a search, or a planner, has to say when it hands control back.
///
/// ```
/// use apprentice_search::Status;
///
/// assert!(Status::Paused.is_unfinished());
/// assert!(!Status::Finished.is_unfinished());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The budget is spent. Run again to continue; unless it was the memory that was spent
    /// ([`Budget::spent_by`](crate::Budget::spent_by)): more of the same brings nothing more.
    Paused,
    /// There is a solution, or a better one than before. Run again to look for a better one yet.
    Improved,
    /// There is a solution, and this search will not find a better one.
    Finished,
    /// There is no solution, and that is proven.
    Unsolvable,
    /// The problem's [`revision`](Problem::revision) is not the one this search began with, so
    /// nothing was done. Restart, or tell a replanning search what changed.
    ProblemChanged,
    /// A limit the search was given, or a mistake in the problem, ended it before anything was
    /// proven. Running again brings nothing more; the search says what it was. A search for a path
    /// gives up where ways became too dear to be counted (584 years) and a cheaper one might do.
    GaveUp,
}

impl Status {
    /// Whether running again can bring more.
    ///
    /// ```
    /// # use apprentice_search::Status;
    /// assert!(Status::Improved.is_unfinished());
    /// assert!(!Status::Unsolvable.is_unfinished());
    /// ```
    pub const fn is_unfinished(self) -> bool {
        matches!(self, Status::Paused | Status::Improved)
    }
}

/// What a search did. There is no clock in it: the same search gives the same statistics on every
/// machine, in one run or in many slices.
///
/// ```
/// use apprentice_search::{Blind, BestFirst, Budget, Search};
/// # use apprentice_search::{Cost, Problem, Successors};
/// # struct Line;
/// # impl Problem for Line {
/// #     type State = u32; type Key = u32; type Action = ();
/// #     fn start(&self) -> u32 { 0 }
/// #     fn key(&self, s: &u32) -> u32 { *s }
/// #     fn is_goal(&self, s: &u32) -> bool { *s == 9 }
/// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
/// #         out.push((), s + 1, Cost::from_seconds(1.0));
/// #     }
/// # }
/// let mut search = BestFirst::astar(Blind);
/// search.run(&Line, &mut Budget::unlimited());
/// assert_eq!(search.statistics().expanded, 9);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// States whose successors were listed. The start counts, the goal that ends a search doesn't.
    pub expanded: u64,
    /// Those of them that had been expanded before.
    pub reexpanded: u64,
    /// Units of budget that were taken for other work than expansions since the start was met: for
    /// listing steps where that takes longer than a unit pays for, for sorting what is open between the
    /// rounds of an anytime search, or thousands of states at once, or for looking again whether
    /// something was left out. Advisers that get ready when their turn comes are not counted.
    pub upkeep: u64,
    /// Successors listed.
    pub generated: u64,
    /// Estimates asked for, of all heuristics together.
    pub evaluated: u64,
    /// Different states met.
    pub states: u64,
    /// The most entries all open lists held at once. An entry that was overtaken by a better one
    /// counts until it is cleared away; a state that advisers may expand counts once for each of
    /// them.
    pub peak_open: u64,
    /// Bytes held for the states met: the states themselves, their bookkeeping, the table that
    /// finds them, and the open lists at their longest.
    pub bytes: u64,
    /// Expansions on behalf of each heuristic: the anchor first, then the advisers. A search with
    /// one heuristic has one entry.
    pub expanded_by: Vec<u64>,
}

impl Statistics {
    /// Bytes held for each state met.
    ///
    /// ```
    /// # use apprentice_search::Statistics;
    /// let statistics = Statistics { states: 10, bytes: 640, ..Statistics::default() };
    /// assert_eq!(statistics.bytes_per_state(), 64.0);
    /// ```
    pub fn bytes_per_state(&self) -> f64 {
        if self.states == 0 {
            0.0
        } else {
            self.bytes as f64 / self.states as f64
        }
    }

    /// Nothing yet, for a search with that many heuristics.
    pub(crate) fn by(heuristics: usize) -> Statistics {
        Statistics {
            expanded_by: vec![0; heuristics],
            ..Statistics::default()
        }
    }

    /// Back to nothing, keeping the memory.
    pub(crate) fn clear(&mut self) {
        let mut expanded_by = std::mem::take(&mut self.expanded_by);
        expanded_by.fill(0);
        *self = Statistics {
            expanded_by,
            ..Statistics::default()
        };
    }

    /// The same as `other`, keeping the memory.
    pub(crate) fn become_like(&mut self, other: &Statistics) {
        let mut expanded_by = std::mem::take(&mut self.expanded_by);
        expanded_by.clear();
        expanded_by.extend_from_slice(&other.expanded_by);
        *self = Statistics {
            expanded_by,
            ..*other
        };
    }

    /// Counts an expansion on behalf of heuristic `by`.
    #[inline]
    pub(crate) fn count_expansion(&mut self, by: usize, again: bool) {
        self.expanded += 1;
        self.reexpanded += u64::from(again);
        self.expanded_by[by] += 1;
    }
}

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

/// What a search can prove about the solution it has, and why. Its `Display` is one sentence.
///
/// ```
/// use apprentice_search::{astar_search, Blind, Budget, Search};
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
/// let search = astar_search(&Line, Blind);
/// assert_eq!(search.guarantee().factor(), Some(1.0));
/// assert_eq!(
///     search.guarantee().to_string(),
///     "the best there is: the heuristic is consistent",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guarantee {
    /// The solution costs at most `factor` times the optimum.
    Within {
        /// How many times the optimum, at most.
        factor: Weight,
        /// Why.
        because: Because,
    },
    /// Nothing is proven about the solution's cost.
    None {
        /// Why not.
        because: NoBound,
    },
    /// There is no solution yet.
    NoSolution,
    /// There is none to be found: every state that can be reached was looked at.
    Impossible,
}

/// Why a bound holds.
///
/// ```
/// # use apprentice_search::Because;
/// assert_eq!(Because::Consistent.to_string(), "the heuristic is consistent");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Because {
    /// The heuristic is consistent, so that the first expansion of a state is good enough.
    Consistent,
    /// The heuristic is admissible, and states were expanded again when a cheaper way was found.
    AdmissibleAndReopened,
    /// The anchor is consistent; advisers cannot weaken what it proves.
    Anchored,
    /// No unexplored way can cost less than the solution divided by the factor.
    LowerBound,
    /// The start is a goal, or costs nothing to leave: nothing can cost less than nothing.
    Free,
}

/// Why no bound is known.
///
/// ```
/// # use apprentice_search::NoBound;
/// assert_eq!(NoBound::NoPromise.to_string(), "the heuristic promises nothing");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoBound {
    /// The search follows the estimate alone.
    Greedy,
    /// The bound is beyond all numbers.
    TooLoose,
    /// A solution is known, but the search has not yet shown how good it is.
    Unfinished,
    /// The heuristic promises nothing.
    NoPromise,
    /// The heuristic is admissible only, and states were not expanded again.
    NotReopened,
}

impl Guarantee {
    /// The solution costs at most `factor` times the optimum; a factor too great to be written is
    /// none.
    pub(crate) fn within(factor: Weight, because: Because) -> Guarantee {
        if factor == Weight::MAX {
            return Guarantee::None {
                because: NoBound::TooLoose,
            };
        }
        Guarantee::Within { factor, because }
    }

    /// What a consistent anchor proves about a solution of that cost.
    pub(crate) fn anchored(factor: Weight, cost: Option<Cost>, standing: &Standing) -> Guarantee {
        match cost {
            None => Guarantee::without_solution(standing.is_unsolvable()),
            Some(Cost::ZERO) => Guarantee::Within {
                factor: Weight::ONE,
                because: Because::Free,
            },
            Some(_) if standing.has_ended() => Guarantee::within(factor, Because::Anchored),
            Some(_) => Guarantee::None {
                because: NoBound::Unfinished,
            },
        }
    }

    pub(crate) fn without_solution(unsolvable: bool) -> Guarantee {
        if unsolvable {
            Guarantee::Impossible
        } else {
            Guarantee::NoSolution
        }
    }

    /// How many times the optimum the solution may cost; `None` where nothing is proven.
    ///
    /// ```
    /// # use apprentice_search::Guarantee;
    /// assert_eq!(Guarantee::NoSolution.factor(), None);
    /// ```
    pub fn factor(&self) -> Option<f64> {
        match self {
            Guarantee::Within { factor, .. } => Some(factor.as_f64()),
            _ => None,
        }
    }
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Guarantee::Within {
                factor: Weight::ONE,
                because,
            } => {
                write!(f, "the best there is: {because}")
            }
            Guarantee::Within { factor, because } => {
                write!(f, "at most {factor} times the best: {because}")
            }
            Guarantee::None { because } => write!(f, "no bound is proven: {because}"),
            Guarantee::NoSolution => f.write_str("there is no solution yet"),
            Guarantee::Impossible => {
                f.write_str("there is no solution: every state that can be reached was looked at")
            }
        }
    }
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Because::Consistent => "the heuristic is consistent",
            Because::AdmissibleAndReopened => {
                "the heuristic is admissible and states were expanded again when a cheaper way was found"
            }
            Because::Anchored => "the anchor is consistent, and advisers cannot weaken it",
            Because::LowerBound => "no unexplored way can be cheaper than that allows",
            Because::Free => "nothing costs less than nothing",
        })
    }
}

impl fmt::Display for NoBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoBound::TooLoose => "the bound is beyond all numbers",
            NoBound::Unfinished => "the search has not yet shown how good it is",
            NoBound::Greedy => "the search follows the estimate alone",
            NoBound::NoPromise => "the heuristic promises nothing",
            NoBound::NotReopened => {
                "the heuristic is admissible but not consistent, and states were not expanded again"
            }
        })
    }
}
