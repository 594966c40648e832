//! Any problem, as one in which observations have to be explained on the way.

use std::cell::RefCell;

use apprentice_search::{BestFirst, Budget, Cost, Heuristic, Problem, Search, Status, Successors};

use crate::Costs;

/// What becomes of an observation that no plan explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gaps {
    /// It must be explained: what was observed is certain.
    None,
    /// It may be left out at this price: observers make mistakes.
    For(Cost),
}

/// A problem whose plans explain observations, in order, by what is done in them.
///
/// `explains` says whether a step from a state to the next explains an observation, by its number.
/// Between observations anything may happen, so the first step that explains the next one always may:
/// whoever waits for another one can do no more.
///
/// ```
/// use apprentice_recognition::{Explaining, Gaps};
/// use apprentice_search::{Blind, Cost, Problem, Successors, astar};
///
/// /// A street of ten houses; one begins at the fifth and wants to get to `goal`.
/// struct Street { goal: i32 }
/// impl Problem for Street {
///     type State = i32;
///     type Key = i32;
///     type Action = ();
///     fn start(&self) -> i32 { 5 }
///     fn key(&self, house: &i32) -> i32 { *house }
///     fn is_goal(&self, house: &i32) -> bool { *house == self.goal }
///     fn successors(&self, house: &i32, out: &mut Successors<i32, ()>) {
///         for next in [house - 1, house + 1] {
///             if (0..10).contains(&next) {
///                 out.push((), next, Cost::from_seconds(1.0));
///             }
///         }
///     }
/// }
///
/// // Seen at house 7: for whoever wants to get to house 2 that is a detour of four.
/// let seen = [7];
/// let street = Street { goal: 2 };
/// let explaining = Explaining::new(&street, seen.len(), Gaps::None, |seen_at, _, (), to| {
///     *to == seen[seen_at]
/// });
/// assert_eq!(astar(&explaining, Blind).unwrap().cost, Cost::from_seconds(7.0));
/// ```
pub struct Explaining<'a, P: Problem, F> {
    problem: &'a P,
    observations: usize,
    gaps: Gaps,
    explains: F,
    /// Steps of the problem, listed here first; its memory is kept from one state to the next.
    steps: RefCell<Successors<P::State, P::Action>>,
}

/// A state, and how many observations were explained or left out on the way to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Explained<S> {
    /// The state.
    pub state: S,
    /// So many observations are behind it.
    pub observations: u32,
}

impl<'a, P, F> Explaining<'a, P, F>
where
    P: Problem,
    F: Fn(usize, &P::State, &P::Action, &P::State) -> bool,
{
    /// The problem with so many observations.
    pub fn new(problem: &'a P, observations: usize, gaps: Gaps, explains: F) -> Self {
        Explaining {
            problem,
            observations,
            gaps,
            explains,
            steps: RefCell::default(),
        }
    }
}

impl<P, F> Problem for Explaining<'_, P, F>
where
    P: Problem,
    F: Fn(usize, &P::State, &P::Action, &P::State) -> bool,
{
    type State = Explained<P::State>;
    type Key = Explained<P::Key>;
    /// `None`: an observation is left out.
    type Action = Option<P::Action>;

    fn start(&self) -> Self::State {
        Explained {
            state: self.problem.start(),
            observations: 0,
        }
    }

    fn key(&self, state: &Self::State) -> Self::Key {
        Explained {
            state: self.problem.key(&state.state),
            observations: state.observations,
        }
    }

    fn is_goal(&self, state: &Self::State) -> bool {
        state.observations as usize == self.observations && self.problem.is_goal(&state.state)
    }

    fn successors(&self, state: &Self::State, out: &mut Successors<Self::State, Self::Action>) {
        let mut steps = self.steps.take();
        steps.clear();
        self.problem.successors(&state.state, &mut steps);
        let next = state.observations as usize;
        for step in steps.iter() {
            let explained = next < self.observations
                && (self.explains)(next, &state.state, &step.action, &step.state);
            let then = Explained {
                state: step.state.clone(),
                observations: state.observations + u32::from(explained),
            };
            out.push(Some(step.action.clone()), then, step.cost);
        }
        if let Gaps::For(price) = self.gaps
            && next < self.observations
        {
            let then = Explained {
                state: state.state.clone(),
                observations: state.observations + 1,
            };
            out.push(None, then, price);
        }
        self.steps.replace(steps);
    }

    fn revision(&self) -> u64 {
        self.problem.revision()
    }
}

/// An estimate for a problem, asked about the same states while observations are explained: explaining
/// them costs nothing less, so it promises what it promised.
struct Without<H>(H);

impl<P, F, H> Heuristic<Explaining<'_, P, F>> for Without<H>
where
    P: Problem,
    F: Fn(usize, &P::State, &P::Action, &P::State) -> bool,
    H: Heuristic<P>,
{
    fn estimate(&mut self, explaining: &Explaining<'_, P, F>, state: &Explained<P::State>) -> Cost {
        self.0.estimate(explaining.problem, &state.state)
    }

    fn promise(&self) -> apprentice_search::Promise {
        self.0.promise()
    }

    fn prepare(&mut self, explaining: &Explaining<'_, P, F>, budget: &mut Budget<'_>) -> bool {
        self.0.prepare(explaining.problem, budget)
    }
}

/// What a goal costs at best, and with the observations explained. The heuristic promises to be
/// consistent, and is made anew for each of the two searches, so that nothing of the one is in the
/// other. `None`: the budget ran out.
pub fn costs_of<P, F, H>(
    problem: &P,
    observations: usize,
    gaps: Gaps,
    explains: F,
    mut heuristic: impl FnMut() -> H,
    budget: &mut Budget<'_>,
) -> Option<Costs>
where
    P: Problem,
    F: Fn(usize, &P::State, &P::Action, &P::State) -> bool,
    H: Heuristic<P>,
{
    let at_best = cost_of(&mut BestFirst::astar(heuristic()), problem, budget)?;
    if observations == 0 || at_best == Cost::INFINITE {
        return Some(Costs {
            at_best,
            explaining: at_best,
            settled: true,
        });
    }
    let explaining = Explaining::new(problem, observations, gaps, explains);
    let mut search = BestFirst::astar(Without(heuristic()));
    Some(Costs {
        at_best,
        explaining: cost_of(&mut search, &explaining, budget)?,
        settled: true,
    })
}

/// The cost of what a search finds; infinite if there is nothing.
fn cost_of<P: Problem, H: Heuristic<P>>(
    search: &mut BestFirst<P, H>,
    problem: &P,
    budget: &mut Budget<'_>,
) -> Option<Cost> {
    match search.run(problem, budget) {
        Status::Finished => Some(search.path().map_or(Cost::INFINITE, |path| path.cost)),
        Status::Unsolvable => Some(Cost::INFINITE),
        _ => None,
    }
}
