//! Finds cheap ways through anything that can list its successors.
//!
//! A search here can be paused after any expansion and continued later, keeps its memory, says what
//! it did in numbers without a clock, and can prove how far from the best its answer may be.

mod advised_list;
mod advisers;
mod ara_star;
mod best_first;
mod broken_promise;
mod budget;
mod chores;
mod cost;
mod debt;
mod dense_table;
mod front;
mod guarantee;
mod hashed_table;
mod heuristic;
mod in_parts;
mod lpa_star;
mod mha_engine;
mod mha_star;
mod mha_star_anytime;
mod mha_star_improved;
mod mha_star_independent;
mod news;
mod nodes;
mod observer;
mod open_list;
mod path;
mod priority;
mod problem;
#[cfg(feature = "serde")]
pub mod saved;
mod search;
mod shelves;
mod statistics;
mod status;
mod turns;

pub use ara_star::{AraSchedule, AraStar, BadSchedule};
pub use best_first::{BestFirst, Reopening};
pub use broken_promise::{BrokenPromise, PromiseKept, check_consistency};
pub use budget::{Budget, Spent};
pub use cost::{BadCost, BadWeight, Cost, Weight};
pub use debt::Debt;
pub use guarantee::{Because, Guarantee, NoBound};
pub use heuristic::{Blind, BoxedHeuristic, Estimate, Heuristic, Highest, Promise, Scaled};
pub use lpa_star::{LpaStar, Reuse};
pub use mha_star::{MhaStar, MhaWeights, WeakAnchor};
pub use mha_star_anytime::AnytimeMhaStar;
pub use mha_star_improved::{ImprovedMhaStar, MhaForm, Ranking};
pub use mha_star_independent::IndependentMhaStar;
pub use nodes::NodeId;
pub use observer::{Expansion, Observer};
pub use path::Path;
pub use problem::{Problem, Successor, Successors};
pub use search::{BoxedSearch, Search};
pub use statistics::Statistics;
pub use status::Status;
pub use turns::Turns;

/// Finds the cheapest way, in one line, when pausing does not matter. `None`: there is none.
///
/// ```
/// use apprentice_search::{Blind, astar};
/// # use apprentice_search::{Cost, Problem, Successors};
/// # struct Line;
/// # impl Problem for Line {
/// #     type State = u32; type Key = u32; type Action = ();
/// #     fn start(&self) -> u32 { 0 }
/// #     fn key(&self, s: &u32) -> u32 { *s }
/// #     fn is_goal(&self, s: &u32) -> bool { *s == 5 }
/// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
/// #         out.push((), s + 1, Cost::from_seconds(1.0));
/// #     }
/// # }
/// let path = astar(&Line, Blind).expect("there is a way");
/// assert_eq!(path.cost, Cost::from_seconds(5.0));
/// ```
pub fn astar<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: H,
) -> Option<Path<P::State, P::Action>> {
    astar_search(problem, heuristic).path()
}

/// Runs A* to its end and returns the whole search, for its statistics and its guarantee.
///
/// ```
/// use apprentice_search::{Blind, Search, astar_search};
/// # use apprentice_search::{Cost, Problem, Successors};
/// # struct Line;
/// # impl Problem for Line {
/// #     type State = u32; type Key = u32; type Action = ();
/// #     fn start(&self) -> u32 { 0 }
/// #     fn key(&self, s: &u32) -> u32 { *s }
/// #     fn is_goal(&self, s: &u32) -> bool { *s == 5 }
/// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
/// #         out.push((), s + 1, Cost::from_seconds(1.0));
/// #     }
/// # }
/// assert_eq!(astar_search(&Line, Blind).statistics().expanded, 5);
/// ```
pub fn astar_search<P: Problem, H: Heuristic<P>>(problem: &P, heuristic: H) -> BestFirst<P, H> {
    let mut search = BestFirst::astar(heuristic);
    search.run(problem, &mut Budget::unlimited());
    search
}
