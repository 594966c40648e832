//! Looks for the place where a heuristic breaks its promise.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::fmt;

use crate::nodes::{NodeId, Nodes};
use crate::shelves::Shelves;
use crate::{Budget, Cost, Heuristic, Problem, Promise, Successors, Weight};

/// Looks whether a heuristic keeps its [promise](Heuristic::promise): every bound of every search
/// that relies on it does so unseen.
///
/// Goes from the start in the order of costs, a unit of budget for every state whose steps it lists.
/// Of a heuristic that swears to be consistent, every step is looked at, and every goal; of one that
/// swears to be admissible, every state on the way to a goal that is found. Estimates may exceed what
/// is promised by the heuristic's own [inflation](Heuristic::inflation), and then by a tick for
/// rounding. One that swears nothing breaks nothing.
///
/// This is for tests, on problems like those that will be searched. What is not looked at may still
/// be wrong: [`PromiseKept`] says how much was.
///
/// ```
/// use apprentice_search::{BrokenPromise, Budget, Cost, Estimate, Promise, check_consistency};
/// # use apprentice_search::{Problem, Successors};
/// # struct Line;
/// # impl Problem for Line {
/// #     type State = u32; type Key = u32; type Action = ();
/// #     fn start(&self) -> u32 { 0 }
/// #     fn key(&self, s: &u32) -> u32 { *s }
/// #     fn is_goal(&self, s: &u32) -> bool { *s == 5 }
/// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
/// #         if *s < 9 { out.push((), s + 1, Cost::from_seconds(1.0)); }
/// #     }
/// # }
///
/// // Somebody forgot that a cell takes a second, not half of one.
/// let mut twice = Estimate::new(Promise::Consistent, |cell: &u32| {
///     Cost::from_seconds(2.0 * f64::from(cell.abs_diff(5)))
/// });
/// let broken = check_consistency(&Line, &mut twice, &mut Budget::unlimited()).unwrap_err();
/// assert!(matches!(broken, BrokenPromise::Step { from: 0, to: 1, .. }));
/// assert_eq!(
///     broken.to_string(),
///     "the estimate drops from 10 s to 8 s with a step that costs 1 s; it may drop by that at most",
/// );
///
/// let mut right = Estimate::new(Promise::Consistent, |cell: &u32| {
///     Cost::from_seconds(f64::from(5u32.saturating_sub(*cell)))
/// });
/// let kept = check_consistency(&Line, &mut right, &mut Budget::unlimited()).unwrap();
/// assert!(kept.everywhere && kept.states == 10);
/// ```
///
/// # Errors
///
/// The first inequality that does not hold, with its state.
pub fn check_consistency<P: Problem, H: Heuristic<P> + ?Sized>(
    problem: &P,
    heuristic: &mut H,
    budget: &mut Budget<'_>,
) -> Result<PromiseKept, BrokenPromise<P::State, P::Action>> {
    let mut kept = PromiseKept::default();
    if !heuristic.prepare(problem, budget) {
        return Ok(kept);
    }
    let promise = heuristic.promise();
    let inflation = heuristic.inflation();
    let mut met = Met::new(problem, heuristic);
    let mut steps = Successors::new();
    while let Some(Reverse((cost, number))) = met.open.pop() {
        if met.places[number].cost < cost || met.places[number].is_expanded {
            continue;
        }
        if !budget.take() {
            return Ok(kept);
        }
        met.places[number].is_expanded = true;
        kept.states += 1;
        let state = met.places[number].state.clone();
        if problem.is_goal(&state) {
            kept.goals += 1;
            if promise >= Promise::Admissible {
                met.check_way_to(number, inflation)?;
            }
        }
        steps.clear();
        problem.successors(&state, &mut steps);
        for step in &steps {
            if !step.cost.is_finite() {
                continue;
            }
            kept.steps += 1;
            let before = met.places[number].estimate;
            let after = heuristic.estimate(problem, &step.state);
            if promise == Promise::Consistent && before > allowed(step.cost, inflation) + after {
                return Err(BrokenPromise::Step {
                    from: state,
                    action: step.action.clone(),
                    to: step.state.clone(),
                    cost: step.cost,
                    before,
                    after,
                });
            }
            met.reach(problem, number, &step.state, cost + step.cost, after);
        }
    }
    kept.everywhere = true;
    Ok(kept)
}

/// How much was looked at without finding a broken promise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PromiseKept {
    /// States whose steps were looked at.
    pub states: u64,
    /// Steps that were looked at.
    pub steps: u64,
    /// Goals that were found.
    pub goals: u64,
    /// Whether that was everything that can be reached from the start.
    pub everywhere: bool,
}

/// Where a heuristic breaks its promise, and by how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenPromise<S, A> {
    /// The estimate drops by more than a step costs.
    Step {
        /// Where the step begins.
        from: S,
        /// The step.
        action: A,
        /// Where it ends.
        to: S,
        /// What it costs.
        cost: Cost,
        /// The estimate where it begins.
        before: Cost,
        /// The estimate where it ends.
        after: Cost,
    },
    /// The estimate is more than what remains: a way to a goal was found that costs less. At a goal
    /// nothing remains.
    TooHigh {
        /// The state.
        state: S,
        /// The estimate there.
        estimate: Cost,
        /// What the way to a goal costs from there.
        remains: Cost,
    },
}

impl<S, A> fmt::Display for BrokenPromise<S, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BrokenPromise::Step {
                cost,
                before,
                after,
                ..
            } => write!(
                f,
                "the estimate drops from {before} to {after} with a step that costs {cost}; it may drop by that at most"
            ),
            BrokenPromise::TooHigh {
                estimate, remains, ..
            } if *remains == Cost::ZERO => {
                write!(
                    f,
                    "the estimate at a goal is {estimate}; nothing remains there"
                )
            }
            BrokenPromise::TooHigh {
                estimate, remains, ..
            } => write!(
                f,
                "the estimate is {estimate}, and a way to a goal costs {remains} from there; it must not be more"
            ),
        }
    }
}

impl<S: fmt::Debug, A: fmt::Debug> std::error::Error for BrokenPromise<S, A> {}

/// Debug builds look at what a search relies on while it goes; others do nothing here. The estimates
/// are kept as they were given, so that no heuristic is asked once more than without a watch.
#[derive(Debug)]
pub(crate) struct Watch {
    /// For each node.
    estimates: Shelves<Cost>,
}

impl Default for Watch {
    fn default() -> Self {
        let estimates = Shelves::new();
        Watch { estimates }
    }
}

impl Watch {
    /// A node was met, or a cheaper way to it was found: has the estimate dropped too far with the
    /// step that leads there, or is it more than nothing at a goal?
    ///
    /// # Panics
    ///
    /// If so. Otherwise the search would call what it finds the best there is.
    #[inline]
    pub(crate) fn met<P: Problem, H: Heuristic<P> + ?Sized>(
        &mut self,
        problem: &P,
        heuristic: &H,
        nodes: &Nodes<P>,
        node: NodeId,
        estimate: Cost,
    ) {
        if !cfg!(debug_assertions) {
            return;
        }
        // What is left of an earlier run is written over: nodes are met after their parents.
        let parent = nodes.parent(node);
        while self.estimates.len() <= node.index() {
            self.estimates.push(Cost::ZERO);
        }
        self.estimates[node.index()] = estimate;
        let (promise, inflation) = (heuristic.promise(), heuristic.inflation());
        let is_too_high = estimate > allowed(Cost::ZERO, inflation);
        if promise >= Promise::Admissible && is_too_high && problem.is_goal(nodes.state(node)) {
            give_away(&BrokenPromise::TooHigh {
                state: (),
                estimate,
                remains: Cost::ZERO,
            });
        }
        if let (Promise::Consistent, Some(parent)) = (promise, parent) {
            let before = self.estimates[parent.index()];
            let cost = nodes.cost(node).less(nodes.cost(parent));
            if before > allowed(cost, inflation) + estimate {
                give_away(&BrokenPromise::Step {
                    from: (),
                    action: (),
                    to: (),
                    cost,
                    before,
                    after: estimate,
                });
            }
        }
    }

    /// A way to a goal was found: nowhere on it may more be estimated than the rest of it costs.
    ///
    /// # Panics
    ///
    /// If it is.
    #[inline]
    pub(crate) fn solved<P: Problem, H: Heuristic<P> + ?Sized>(
        &self,
        heuristic: &H,
        nodes: &Nodes<P>,
        goal: NodeId,
    ) {
        if !cfg!(debug_assertions) || heuristic.promise() < Promise::Admissible {
            return;
        }
        let mut at = Some(goal);
        while let Some(node) = at {
            let remains = nodes.cost(goal).less(nodes.cost(node));
            let estimate = self.estimates[node.index()];
            if estimate > allowed(remains, heuristic.inflation()) {
                give_away(&BrokenPromise::TooHigh {
                    state: (),
                    estimate,
                    remains,
                });
            }
            at = nodes.parent(node);
        }
    }
}

#[cold]
fn give_away(broken: &BrokenPromise<(), ()>) -> ! {
    panic!(
        "{broken}; a bound that rests on this estimate is void: `check_consistency` says where it \
         breaks its promise, and `Promise::None` promises nothing"
    )
}

/// By how much an estimate may drop where this much is paid. Inflated estimates are rounded, which
/// may take a tick at either end.
fn allowed(cost: Cost, inflation: Weight) -> Cost {
    match inflation {
        Weight::ONE => cost,
        _ => inflation.inflate(cost) + Cost::from_ticks(2),
    }
}

/// The states that were met.
struct Met<P: Problem> {
    places: Vec<Place<P::State>>,
    numbers: HashMap<P::Key, usize>,
    open: BinaryHeap<Reverse<(Cost, usize)>>,
}

struct Place<S> {
    state: S,
    /// From the start.
    cost: Cost,
    estimate: Cost,
    /// The place before it on the cheapest way that is known.
    before: Option<usize>,
    is_expanded: bool,
}

impl<P: Problem> Met<P> {
    fn new<H: Heuristic<P> + ?Sized>(problem: &P, heuristic: &mut H) -> Met<P> {
        let state = problem.start();
        Met {
            numbers: HashMap::from([(problem.key(&state), 0)]),
            open: BinaryHeap::from([Reverse((Cost::ZERO, 0))]),
            places: vec![Place {
                estimate: heuristic.estimate(problem, &state),
                state,
                cost: Cost::ZERO,
                before: None,
                is_expanded: false,
            }],
        }
    }

    /// Somebody who comes from `before` is in a state that costs so much.
    fn reach(&mut self, problem: &P, before: usize, state: &P::State, cost: Cost, estimate: Cost) {
        let place = || Place {
            state: state.clone(),
            cost,
            estimate,
            before: Some(before),
            is_expanded: false,
        };
        let next = self.places.len();
        let number = *self.numbers.entry(problem.key(state)).or_insert(next);
        if number == next {
            self.places.push(place());
        } else if cost < self.places[number].cost && !self.places[number].is_expanded {
            self.places[number] = place();
        } else {
            return;
        }
        self.open.push(Reverse((cost, number)));
    }

    /// Whether no state on the way to a goal is estimated higher than what the way costs from there.
    fn check_way_to(
        &self,
        goal: usize,
        inflation: Weight,
    ) -> Result<(), BrokenPromise<P::State, P::Action>> {
        let mut at = Some(goal);
        while let Some(place) = at.map(|number| &self.places[number]) {
            let remains = self.places[goal].cost.less(place.cost);
            if place.estimate > allowed(remains, inflation) {
                return Err(BrokenPromise::TooHigh {
                    state: place.state.clone(),
                    estimate: place.estimate,
                    remains,
                });
            }
            at = place.before;
        }
        Ok(())
    }
}
