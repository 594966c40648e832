//! What a search can prove about its solution, and why.

use std::fmt;

use crate::search::Standing;
use crate::{Cost, Weight};

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
#[non_exhaustive]
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
#[non_exhaustive]
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
