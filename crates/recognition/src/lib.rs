//! What somebody is after, from some of what they did.
//!
//! Whoever wants something goes there on a good way. So of each possible goal it is asked what it costs
//! at best, and what it costs if what was observed has to happen on the way: the less that adds, the
//! more likely is the goal (Ramírez & Geffner 2009, 2010). Observations may have gaps, and some of them
//! may be wrong.
//!
//! Any [`Problem`](apprentice_search::Problem) will do: [`Explaining`] makes it one in which
//! observations are explained, any search finds the costs, and [`Recognition`] weighs them.
//! [`KeyGrid`] is a world of places, keys and locks in which that takes milliseconds. [`Belief`] joins
//! it with how somebody plays.

mod belief;
mod explaining;
mod grid_costs;
mod grid_problem_file;
mod key_grid;
mod landmarks;
mod recognition;

pub use belief::{Belief, Habits};
pub use explaining::{Explained, Explaining, Gaps, costs_of};
pub use grid_costs::{GridQuest, RemainingRound, recognise_on_grid};
pub use grid_problem_file::{BadGridProblem, GridProblem, read_grid_problem};
pub use key_grid::{Deed, GridState, Key, KeyGrid, Lock};
pub use recognition::{Costs, Likelihood, Recognition};
