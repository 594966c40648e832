//! Shared MHA*: many advisers, one sworn anchor.

use crate::advisers::{Advisers, Limit, Rank};
use crate::chores::{Chores, Unfinished};
use crate::front::Entry;
use crate::mha_engine::{MhaEngine, MhaPolicy, Next, Outlook, search_by_mha_engine};
use crate::nodes::{NodeId, Nodes};
use crate::priority::Priority;
use crate::turns::Turn;
use crate::{
    BoxedHeuristic, Budget, Cost, Guarantee, Heuristic, Observer, Path, Problem, Promise, Search,
    Statistics, Status, Turns, Weight,
};

/// Shared Multi-Heuristic A* (Aine et al., 2014): any number of advisers pull the search where they
/// think best, and one consistent anchor keeps what they find within `inflation · trust` times the
/// optimum, whatever they say.
///
/// All advisers share what is known of a state, so that a way found by one is continued by another.
/// A state is expanded at most twice: once for an adviser, once for the anchor. An adviser takes
/// some four bytes for each state met; a state that it estimates to be infinitely far from the goal
/// is left to the others.
///
/// Which search with advisers is the right one?
///
/// | search | advisers estimate | what they find costs at most | choose it |
/// |---|---|---|---|
/// | [`MhaStar`] | costs, as the anchor does | `inflation · trust` times the optimum | first |
/// | [`AnytimeMhaStar`](crate::AnytimeMhaStar) | the same | less and less, down to the optimum | if there is time left after the first answer |
/// | [`IndependentMhaStar`](crate::IndependentMhaStar) | the same | `inflation · trust` times the optimum | if no adviser should be led astray by another; it takes the memory of as many searches |
/// | [`ImprovedMhaStar`](crate::ImprovedMhaStar) | anything: only their order matters | `weight` times the optimum | if advisers cannot be brought to the anchor's scale |
///
/// If the anchor's estimates are [inflated](Heuristic::inflation), so is the bound.
///
/// ```
/// use apprentice_search::{Blind, Budget, Cost, Estimate, MhaStar, MhaWeights, Promise, Search, Weight};
/// # use apprentice_search::{Problem, Successors};
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
/// let hunch = Estimate::new(Promise::None, |cell: &u32| Cost::from_seconds(f64::from(5 - cell)));
/// let weights = MhaWeights { inflation: Weight::new(10.0)?, trust: Weight::ONE };
/// let mut search = MhaStar::new(Blind, vec![Box::new(hunch)], weights)?;
/// search.run(&Line, &mut Budget::unlimited());
/// assert_eq!(search.guarantee().factor(), Some(10.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MhaStar<P: Problem, A> {
    pub(crate) engine: MhaEngine<P, A, MhaWeights>,
}

/// How much [`MhaStar`] and [`IndependentMhaStar`](crate::IndependentMhaStar) may exceed the
/// optimum: by the product of the two.
///
/// ```
/// use apprentice_search::{MhaWeights, Weight};
///
/// let weights = MhaWeights { inflation: Weight::new(10.0)?, trust: Weight::ONE };
/// assert_eq!(weights.bound().as_f64(), 10.0);
/// # Ok::<(), apprentice_search::BadWeight>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MhaWeights {
    /// How many times estimates count (w₁ in the literature).
    pub inflation: Weight,
    /// How many times the anchor's priority an adviser's may be (w₂). Advisers whose estimates are
    /// costs like the anchor's need no more than 1; with less trust than they need they are not
    /// heard, and the anchor works alone.
    pub trust: Weight,
}

impl MhaWeights {
    /// The product of both.
    ///
    /// ```
    /// # use apprentice_search::MhaWeights;
    /// assert_eq!(MhaWeights::default().bound().as_f64(), 1.0);
    /// ```
    pub fn bound(&self) -> Weight {
        self.inflation.times(self.trust)
    }

    /// How high an adviser's priority may be beside the anchor's, without rounding.
    #[inline]
    fn trusted(&self, anchor: Priority) -> Limit {
        let limit = anchor.exact() * u128::from(self.trust.steps());
        Limit::up_to(limit >> Weight::FRACTION_BITS)
    }

    /// Whether a cost is within the bound where this is the anchor's least priority.
    #[inline]
    fn covers(&self, cost: Cost, anchor: Priority) -> bool {
        let limit = anchor.exact() * u128::from(self.trust.steps());
        u128::from(cost.ticks()) << Weight::FRACTION_BITS <= limit >> Weight::FRACTION_BITS
    }

    /// Whether an adviser's priority is close enough to the anchor's.
    #[inline]
    pub(crate) fn trusts(&self, adviser: Priority, anchor: Priority) -> bool {
        self.trusted(anchor).admits(adviser)
    }
}

/// An adviser has a state at `g + w₁·h` if that is at most `w₂` times the anchor's priority.
/// (The test is on the successor's own anchor priority; the dissertation's listing prints that of
/// the expanded state.)
impl Rank for MhaWeights {
    #[inline]
    fn priority(&self, cost: Cost, estimate: Cost) -> Priority {
        Priority::weighted(cost, self.inflation, estimate)
    }

    #[inline]
    fn whole(&self, cost: Cost, estimate: Cost) -> u128 {
        Priority::weighted_whole(cost, self.inflation, estimate)
    }

    #[inline]
    fn estimate(&self, priority: Priority) -> Cost {
        priority.estimate()
    }

    #[inline]
    fn admits(&self, priority: Priority, estimate: Cost, limit: Limit) -> bool {
        estimate.is_finite() && limit.admits(priority)
    }
}

/// Advisers go round, and the anchor works when one of them may not.
impl MhaPolicy for MhaWeights {
    #[inline]
    fn anchor_weight(&self) -> Weight {
        self.inflation
    }

    fn bound(&self) -> Weight {
        MhaWeights::bound(self)
    }

    #[inline]
    fn offer<P: Problem>(
        &mut self,
        advisers: &mut Advisers<P>,
        _problem: &P,
        nodes: &Nodes<P>,
        node: NodeId,
        priority: Priority,
        _estimate: Cost,
    ) {
        let limit = self.trusted(priority);
        advisers.tell(node, nodes.version(node), nodes.cost(node), limit);
    }

    #[inline]
    fn next<P: Problem>(
        &mut self,
        advisers: &mut Advisers<P>,
        turns: &mut Turns,
        outlook: Outlook<'_, P>,
        budget: &mut Budget<'_>,
        chores: &mut Chores,
    ) -> Result<Next, Unfinished> {
        let Outlook {
            problem,
            nodes,
            anchored,
            solution,
        } = outlook;
        // The anchor has no turn of its own.
        if turns.whose() == Turn::Anchor {
            turns.taken(false);
        }
        let (mut by, mut entry) = (0, anchored);
        if let Turn::Adviser(adviser) = turns.whose() {
            let first = advisers.first(adviser, problem, nodes, self, budget, chores)?;
            let is_trusted = |first: &Entry| self.trusts(first.priority, anchored.priority);
            if let Some(first) = first.filter(is_trusted) {
                (by, entry) = (adviser + 1, first);
            }
        }
        // The optimum costs at least the anchor's least priority without its inflation. Trust is for
        // advisers: where there are none, this is weighted A*.
        let is_advised = turns.whose() != Turn::Anchor;
        let is_enough = |cost: Cost| {
            cost <= entry.priority.whole() || is_advised && self.covers(cost, anchored.priority)
        };
        if solution.is_some_and(is_enough) {
            return Ok(Next::Enough);
        }
        Ok(Next::Expand { by, entry })
    }
}

/// An anchor that does not promise to be consistent proves nothing.
///
/// ```
/// use apprentice_search::{Cost, Estimate, MhaStar, MhaWeights, Promise};
/// # use apprentice_search::{Problem, Successors};
/// # struct Line;
/// # impl Problem for Line {
/// #     type State = u32; type Key = u32; type Action = ();
/// #     fn start(&self) -> u32 { 0 }
/// #     fn key(&self, s: &u32) -> u32 { *s }
/// #     fn is_goal(&self, s: &u32) -> bool { *s == 5 }
/// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {}
/// # }
/// let hunch = Estimate::new(Promise::None, |_: &u32| Cost::ZERO);
/// let refused = MhaStar::<Line, _>::new(hunch, vec![], MhaWeights::default());
/// assert!(refused.err().unwrap().to_string().contains("consistent"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeakAnchor {
    /// What the anchor promises.
    pub promise: Promise,
}

impl WeakAnchor {
    pub(crate) fn check<P: Problem>(anchor: &impl Heuristic<P>) -> Result<(), WeakAnchor> {
        let promise = anchor.promise();
        if promise == Promise::Consistent {
            Ok(())
        } else {
            Err(WeakAnchor { promise })
        }
    }
}

impl std::fmt::Display for WeakAnchor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let promise = match self.promise {
            Promise::None => "nothing",
            Promise::Admissible => "only to be admissible",
            Promise::Consistent => "to be consistent",
        };
        write!(
            f,
            "an anchor must promise to be consistent, but this one promises {promise}; make it an adviser, and use a straight-line estimate or `Blind` as the anchor"
        )
    }
}

impl std::error::Error for WeakAnchor {}

impl<P: Problem, A: Heuristic<P>> MhaStar<P, A> {
    /// A search that `advisers` pull and `anchor` holds. Without advisers it is weighted A*.
    ///
    /// # Errors
    ///
    /// If the anchor does not promise to be consistent.
    ///
    /// ```
    /// # use apprentice_search::{Blind, Budget, MhaStar, MhaWeights, Search};
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
    /// let mut search = MhaStar::new(Blind, vec![Box::new(Blind)], MhaWeights::default())?;
    /// search.run(&Line, &mut Budget::unlimited());
    /// assert_eq!(search.path().unwrap().cost, Cost::from_seconds(5.0));
    /// # Ok::<(), apprentice_search::WeakAnchor>(())
    /// ```
    pub fn new(
        anchor: A,
        advisers: Vec<BoxedHeuristic<P>>,
        weights: MhaWeights,
    ) -> Result<Self, WeakAnchor> {
        let engine = MhaEngine::new(anchor, advisers, weights)?;
        Ok(MhaStar { engine })
    }

    /// Says how turns are shared among the advisers.
    ///
    /// ```
    /// # use apprentice_search::{Blind, Budget, MhaStar, MhaWeights, Search, Status, Turns};
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
    /// let mut search = MhaStar::new(Blind, vec![Box::new(Blind)], MhaWeights::default())?
    ///     .with_turns(Turns::adaptive(1));
    /// assert_eq!(search.run(&Line, &mut Budget::unlimited()), Status::Finished);
    /// # Ok::<(), apprentice_search::WeakAnchor>(())
    /// ```
    #[must_use]
    pub fn with_turns(mut self, turns: Turns) -> Self {
        self.engine.set_turns(turns);
        self
    }
}

impl<P: Problem, A: Heuristic<P>> Search<P> for MhaStar<P, A> {
    search_by_mha_engine!();
}
