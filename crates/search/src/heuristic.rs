//! Guesses of the cost that remains, and what they swear about themselves.

use crate::{Budget, Cost, Problem, Weight};

/// Guesses the cost that remains.
///
/// ```
/// use apprentice_search::{Cost, Heuristic, Problem, Promise};
/// # use apprentice_search::Successors;
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
///
/// /// On a line of cells, how far it is to `goal` at one cell a second.
/// struct Remaining {
///     goal: u32,
/// }
///
/// impl<P: Problem<State = u32>> Heuristic<P> for Remaining {
///     fn estimate(&mut self, _: &P, cell: &u32) -> Cost {
///         Cost::round_down(f64::from(cell.abs_diff(self.goal)))
///     }
///     fn promise(&self) -> Promise {
///         Promise::Consistent
///     }
/// }
///
/// assert_eq!(Remaining { goal: 5 }.estimate(&Line, &2), Cost::from_seconds(3.0));
/// ```
pub trait Heuristic<P: Problem + ?Sized> {
    /// The cost from `state` to the nearest goal, as far as this heuristic can tell.
    /// `Cost::INFINITE`: no goal can be reached from here. Searches drop such a state where the
    /// heuristic promises to be admissible, and try it last where it doesn't. Where it is one of
    /// several advisers, only this adviser leaves the state alone, or has it last
    /// ([`ImprovedMhaStar`](crate::ImprovedMhaStar)).
    ///
    /// ```
    /// # use apprentice_search::{Cost, Estimate, Heuristic, Promise};
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
    /// let mut to_five = Estimate::new(Promise::Consistent, |cell: &u32| {
    ///     Cost::round_down(f64::from(cell.abs_diff(5)))
    /// });
    /// assert_eq!(to_five.estimate(&Line, &2), Cost::from_seconds(3.0));
    /// ```
    fn estimate(&mut self, problem: &P, state: &P::State) -> Cost;

    /// The estimates of several states, in order, as [`estimate`](Heuristic::estimate) gives them.
    /// Searches with many heuristics ask about many states at once; one that has its heuristics in
    /// boxes then makes one indirect call for all of them.
    ///
    /// Override it where several estimates together cost less than one by one.
    ///
    /// ```
    /// # use apprentice_search::{Cost, Estimate, Heuristic, Promise};
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
    /// let mut to_five = Estimate::new(Promise::Consistent, |cell: &u32| {
    ///     Cost::round_down(f64::from(cell.abs_diff(5)))
    /// });
    /// let mut estimates = [Cost::ZERO; 2];
    /// to_five.estimate_all(&Line, &[&2, &4], &mut estimates);
    /// assert_eq!(estimates, [Cost::from_seconds(3.0), Cost::from_seconds(1.0)]);
    /// ```
    fn estimate_all(&mut self, problem: &P, states: &[&P::State], estimates: &mut [Cost]) {
        for (state, estimate) in states.iter().zip(estimates) {
            *estimate = self.estimate(problem, state);
        }
    }

    /// What the estimates, divided by [`inflation`](Heuristic::inflation), can be relied on for.
    ///
    /// ```
    /// # use apprentice_search::{Blind, Heuristic, Promise};
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
    /// assert_eq!(Heuristic::<Line>::promise(&Blind), Promise::Consistent);
    /// ```
    fn promise(&self) -> Promise {
        Promise::None
    }

    /// The factor by which estimates may exceed what is promised. A search that relies on the
    /// promise multiplies its bound by this factor. Rounding inflated estimates to whole ticks may add
    /// a tick for each step of a path.
    ///
    /// ```
    /// # use apprentice_search::{Blind, Heuristic, Scaled};
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
    /// let twice = Scaled::new(Blind, 2.0).unwrap();
    /// assert_eq!(Heuristic::<Line>::inflation(&twice).as_f64(), 2.0);
    /// ```
    fn inflation(&self) -> Weight {
        Weight::ONE
    }

    /// Changes when estimates change although the goal does not, as those of a heuristic that looks
    /// at the walls do when a door is opened. Searches that learn from their solutions then know
    /// that what they have learned no longer holds.
    ///
    /// ```
    /// # use apprentice_search::{Cost, Heuristic};
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
    /// /// As long as the door is shut, cell 3 is no way.
    /// struct Door {
    ///     is_open: bool,
    /// }
    ///
    /// impl Heuristic<Line> for Door {
    ///     fn estimate(&mut self, _: &Line, cell: &u32) -> Cost {
    ///         if *cell == 3 && !self.is_open { Cost::INFINITE } else { Cost::ZERO }
    ///     }
    ///     fn revision(&self) -> u64 {
    ///         u64::from(self.is_open)
    ///     }
    /// }
    ///
    /// assert_ne!(Door { is_open: true }.revision(), Door { is_open: false }.revision());
    /// ```
    fn revision(&self) -> u64 {
        0
    }

    /// Work before the first estimate, such as a backward sweep; one unit of budget for each state
    /// it looks at. False: the budget is spent, call again.
    ///
    /// Called at the start of every search, so it should be quick when nothing has changed.
    ///
    /// ```
    /// # use apprentice_search::{BestFirst, Budget, Cost, Heuristic, Search, Status};
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
    /// /// Has to look at a hundred states first.
    /// struct Sweeping {
    ///     to_look_at: u32,
    /// }
    ///
    /// impl Heuristic<Line> for Sweeping {
    ///     fn estimate(&mut self, _: &Line, _: &u32) -> Cost {
    ///         Cost::ZERO
    ///     }
    ///     fn prepare(&mut self, _: &Line, budget: &mut Budget<'_>) -> bool {
    ///         while self.to_look_at > 0 && budget.take() {
    ///             self.to_look_at -= 1;
    ///         }
    ///         self.to_look_at == 0
    ///     }
    /// }
    ///
    /// let mut search = BestFirst::astar(Sweeping { to_look_at: 100 });
    /// assert_eq!(search.run(&Line, &mut Budget::units(60)), Status::Paused);
    /// assert_eq!(search.statistics().expanded, 0);
    /// assert_eq!(search.run(&Line, &mut Budget::units(60)), Status::Finished);
    /// ```
    fn prepare(&mut self, _problem: &P, _budget: &mut Budget<'_>) -> bool {
        true
    }
}

/// A heuristic of any kind, which can go with its search to another thread.
///
/// ```
/// use apprentice_search::{Blind, BoxedHeuristic, Heuristic, Problem};
/// # use apprentice_search::{Cost, Successors};
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
///
/// fn know_nothing<P: Problem>() -> BoxedHeuristic<P> {
///     Box::new(Blind)
/// }
///
/// assert_eq!(know_nothing().estimate(&Line, &2), Cost::ZERO);
/// ```
pub type BoxedHeuristic<P> = Box<dyn Heuristic<P> + Send + Sync>;

impl<P: Problem + ?Sized, H: Heuristic<P> + ?Sized> Heuristic<P> for Box<H> {
    fn estimate(&mut self, problem: &P, state: &P::State) -> Cost {
        (**self).estimate(problem, state)
    }
    fn estimate_all(&mut self, problem: &P, states: &[&P::State], estimates: &mut [Cost]) {
        (**self).estimate_all(problem, states, estimates);
    }
    fn promise(&self) -> Promise {
        (**self).promise()
    }
    fn inflation(&self) -> Weight {
        (**self).inflation()
    }
    fn revision(&self) -> u64 {
        (**self).revision()
    }
    fn prepare(&mut self, problem: &P, budget: &mut Budget<'_>) -> bool {
        (**self).prepare(problem, budget)
    }
}

/// What a heuristic swears. Searches rely on it for their bounds; conformance tests check it
/// ([`check_consistency`](crate::check_consistency)).
///
/// # Panics
///
/// In debug builds, searches panic where a step they take shows that the heuristic they rely on breaks
/// its promise: otherwise they would call what they find the best there is. [`LpaStar`](crate::LpaStar)
/// does not look.
///
/// ```
/// use apprentice_search::Promise;
///
/// assert!(Promise::Consistent > Promise::Admissible);
/// assert!(Promise::Admissible > Promise::None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Promise {
    /// Anything may be returned.
    None,
    /// Never more than the cost that really remains.
    Admissible,
    /// Never drops by more than the cost of a step, and zero at every goal. Implies admissible.
    Consistent,
}

/// Knows nothing: estimates zero everywhere, which is always consistent. A* with it is Dijkstra's
/// algorithm.
///
/// ```
/// use apprentice_search::{Blind, Heuristic, Promise};
/// # use apprentice_search::{Cost, Problem, Successors};
/// # struct Nothing;
/// # impl Problem for Nothing {
/// #     type State = (); type Key = (); type Action = ();
/// #     fn start(&self) {} fn key(&self, _: &()) {} fn is_goal(&self, _: &()) -> bool { true }
/// #     fn successors(&self, _: &(), _: &mut Successors<(), ()>) {}
/// # }
/// assert_eq!(Heuristic::<Nothing>::promise(&Blind), Promise::Consistent);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Blind;

impl<P: Problem + ?Sized> Heuristic<P> for Blind {
    #[inline]
    fn estimate(&mut self, _: &P, _: &P::State) -> Cost {
        Cost::ZERO
    }
    fn promise(&self) -> Promise {
        Promise::Consistent
    }
}

/// A function used as a heuristic, with the promise its author makes for it.
///
/// ```
/// use apprentice_search::{Cost, Estimate, Heuristic, Promise};
/// # use apprentice_search::{Problem, Successors};
/// # struct Line;
/// # impl Problem for Line {
/// #     type State = u32; type Key = u32; type Action = ();
/// #     fn start(&self) -> u32 { 0 }
/// #     fn key(&self, s: &u32) -> u32 { *s }
/// #     fn is_goal(&self, s: &u32) -> bool { *s == 10 }
/// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
/// #         out.push((), s + 1, Cost::from_seconds(1.0));
/// #     }
/// # }
///
/// let mut to_ten = Estimate::new(Promise::Consistent, |cell: &u32| {
///     Cost::round_down(f64::from(cell.abs_diff(10)))
/// });
/// assert_eq!(to_ten.estimate(&Line, &7), Cost::from_seconds(3.0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Estimate<F> {
    promise: Promise,
    function: F,
}

impl<F> Estimate<F> {
    /// Wraps `function`, which its author swears to be what `promise` says.
    ///
    /// ```
    /// # use apprentice_search::{Cost, Estimate, Heuristic, Promise};
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
    /// let mut nothing_known = Estimate::new(Promise::Consistent, |_: &u32| Cost::ZERO);
    /// assert_eq!(nothing_known.estimate(&Line, &2), Cost::ZERO);
    /// assert_eq!(Heuristic::<Line>::promise(&nothing_known), Promise::Consistent);
    /// ```
    pub const fn new(promise: Promise, function: F) -> Self {
        Estimate { promise, function }
    }
}

impl<P, F> Heuristic<P> for Estimate<F>
where
    P: Problem + ?Sized,
    F: FnMut(&P::State) -> Cost,
{
    #[inline]
    fn estimate(&mut self, _: &P, state: &P::State) -> Cost {
        (self.function)(state)
    }
    fn promise(&self) -> Promise {
        self.promise
    }
}

/// A heuristic multiplied by a factor, as when an adviser is calibrated against the anchor.
///
/// A factor of at most 1 keeps whatever was promised. A greater one keeps it with the factor as
/// further [`inflation`](Heuristic::inflation).
///
/// ```
/// use apprentice_search::{Cost, Estimate, Heuristic, Promise, Scaled};
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
///
/// let to_five = Estimate::new(Promise::Consistent, |cell: &u32| {
///     Cost::round_down(f64::from(cell.abs_diff(5)))
/// });
/// let mut half = Scaled::new(to_five, 0.5).unwrap();
/// assert_eq!(half.estimate(&Line, &1), Cost::from_seconds(2.0));
/// assert_eq!(Heuristic::<Line>::promise(&half), Promise::Consistent);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Scaled<H> {
    inner: H,
    /// In steps of 2⁻³², as estimates times a float would round differently for large costs.
    factor: u64,
}

impl<H> Scaled<H> {
    const FRACTION_BITS: u32 = 32;

    /// Multiplies the estimates of `inner` by `factor`; `None` unless 0 ≤ `factor` < 2³².
    ///
    /// ```
    /// # use apprentice_search::{Blind, Scaled};
    /// assert!(Scaled::new(Blind, 1.0 / 20.0).is_some());
    /// assert!(Scaled::new(Blind, -1.0).is_none());
    /// assert!(Scaled::new(Blind, f64::NAN).is_none());
    /// ```
    pub fn new(inner: H, factor: f64) -> Option<Scaled<H>> {
        let in_range = (0.0..(1u64 << 32) as f64).contains(&factor);
        let steps = factor * (1u64 << Self::FRACTION_BITS) as f64;
        in_range.then_some(Scaled {
            inner,
            factor: steps as u64,
        })
    }
}

impl<P: Problem + ?Sized, H: Heuristic<P>> Heuristic<P> for Scaled<H> {
    #[inline]
    fn estimate(&mut self, problem: &P, state: &P::State) -> Cost {
        let estimate = self.inner.estimate(problem, state);
        if !estimate.is_finite() {
            return estimate;
        }
        let scaled = u128::from(estimate.ticks()) * u128::from(self.factor);
        let ticks = u64::try_from(scaled >> Self::FRACTION_BITS).unwrap_or(u64::MAX);
        Cost::from_ticks(ticks.min(u64::MAX - 1))
    }

    fn promise(&self) -> Promise {
        self.inner.promise()
    }

    fn inflation(&self) -> Weight {
        let one = 1u64 << Self::FRACTION_BITS;
        if self.factor <= one {
            return self.inner.inflation();
        }
        let shift = Self::FRACTION_BITS - Weight::FRACTION_BITS;
        let factor = Weight::from_steps(self.factor.div_ceil(1 << shift));
        factor.times(self.inner.inflation())
    }

    fn revision(&self) -> u64 {
        self.inner.revision()
    }

    fn prepare(&mut self, problem: &P, budget: &mut Budget<'_>) -> bool {
        self.inner.prepare(problem, budget)
    }
}

/// The highest of several estimates. If all are lower bounds, so is the highest, and it is the
/// best-informed of them.
///
/// ```
/// use apprentice_search::{Blind, Heuristic, Highest};
/// # use apprentice_search::{Cost, Problem, Successors};
/// # struct Nothing;
/// # impl Problem for Nothing {
/// #     type State = (); type Key = (); type Action = ();
/// #     fn start(&self) {} fn key(&self, _: &()) {} fn is_goal(&self, _: &()) -> bool { true }
/// #     fn successors(&self, _: &(), _: &mut Successors<(), ()>) {}
/// # }
/// let mut none: Highest<Nothing> = Highest::new(vec![Box::new(Blind), Box::new(Blind)]);
/// assert_eq!(none.estimate(&Nothing, &()), Cost::ZERO);
/// ```
pub struct Highest<P: Problem + ?Sized> {
    members: Vec<BoxedHeuristic<P>>,
}

impl<P: Problem + ?Sized> Highest<P> {
    /// Combines the members; without any, it estimates zero.
    ///
    /// ```
    /// # use apprentice_search::{Blind, Heuristic, Highest, Promise};
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
    /// let none = Highest::<Line>::new(vec![]);
    /// assert_eq!(none.promise(), Promise::Consistent);
    /// let mut one = Highest::<Line>::new(vec![Box::new(Blind)]);
    /// assert_eq!(one.estimate(&Line, &2), Cost::ZERO);
    /// ```
    pub fn new(members: Vec<BoxedHeuristic<P>>) -> Self {
        Highest { members }
    }
}

impl<P: Problem + ?Sized> Heuristic<P> for Highest<P> {
    fn estimate(&mut self, problem: &P, state: &P::State) -> Cost {
        let estimates = self
            .members
            .iter_mut()
            .map(|member| member.estimate(problem, state));
        estimates.max().unwrap_or(Cost::ZERO)
    }

    /// What the weakest member promises.
    fn promise(&self) -> Promise {
        self.members
            .iter()
            .map(|member| member.promise())
            .min()
            .unwrap_or(Promise::Consistent)
    }

    fn inflation(&self) -> Weight {
        self.members
            .iter()
            .map(|member| member.inflation())
            .max()
            .unwrap_or(Weight::ONE)
    }

    fn revision(&self) -> u64 {
        // A plain sum would not notice that one went up by as much as another went down.
        let mix = |sum: u64, revision: u64| {
            sum.wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .wrapping_add(revision)
        };
        let revisions = self.members.iter().map(|member| member.revision());
        revisions.fold(0, mix)
    }

    fn prepare(&mut self, problem: &P, budget: &mut Budget<'_>) -> bool {
        self.members
            .iter_mut()
            .all(|member| member.prepare(problem, budget))
    }
}
