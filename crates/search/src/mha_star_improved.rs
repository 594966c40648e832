//! Improved MHA*: MHA*++, Focal-MHA* and Unconstrained-MHA*, which trust uncalibrated advisers.

use crate::advisers::{Advisers, Limit, Rank};
use crate::chores::{A_LOOK, Chores, Unfinished};
use crate::front::Entry;
use crate::mha_engine::{MhaEngine, MhaPolicy, Next, Outlook, search_by_mha_engine};
use crate::nodes::{NodeId, Nodes};
use crate::open_list::OpenList;
use crate::priority::Priority;
use crate::turns::Turn;
use crate::{
    BoxedHeuristic, Budget, Cost, Guarantee, Heuristic, Observer, Path, Problem, Search,
    Statistics, Status, Turns, WeakAnchor, Weight,
};

/// Improved Multi-Heuristic A*: advisers need not be of the anchor's scale, because they only rank
/// states among those that the anchor says may still lead to a good enough solution.
///
/// Turns go round: each adviser expands the candidate it likes best, then the anchor expands its own
/// first. A state is expanded at most twice, and the solution costs at most `weight` times the
/// optimum.
///
/// ```
/// use apprentice_search::{Blind, Budget, Cost, Estimate, ImprovedMhaStar, MhaForm, Promise, Search, Weight};
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
/// let steps_left = Estimate::new(Promise::None, |cell: &u32| Cost::from_ticks(u64::from(5 - cell)));
/// let mut search =
///     ImprovedMhaStar::new(MhaForm::Focal, Blind, vec![Box::new(steps_left)], Weight::new(2.0)?)?;
/// search.run(&Line, &mut Budget::unlimited());
/// assert_eq!(search.guarantee().factor(), Some(2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ImprovedMhaStar<P: Problem, A> {
    engine: MhaEngine<P, A, Candidates>,
}

/// The three forms of [`ImprovedMhaStar`]. `g` is the cost so far, `h` the anchor's estimate, `w` the
/// weight, and the lower bound the greatest value that the anchor's first priority ever had.
///
/// ```
/// use apprentice_search::{Blind, Budget, ImprovedMhaStar, MhaForm, Search, Status, Weight};
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
/// for form in MhaForm::ALL {
///     let mut search = ImprovedMhaStar::new(form, Blind, vec![Box::new(Blind)], Weight::ONE)?;
///     assert_eq!(search.run(&Line, &mut Budget::unlimited()), Status::Finished);
/// }
/// # Ok::<(), apprentice_search::WeakAnchor>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MhaForm {
    /// MHA*++: the anchor goes by `g + w·h`; advisers choose where `g + h` is within the lower bound.
    PlusPlus,
    /// Focal-MHA*: the anchor goes by `g + h`; advisers choose where that is within `w` times the
    /// lower bound.
    Focal,
    /// Unconstrained-MHA*: the anchor goes by `g + w·h`; advisers choose freely, except goals.
    Unconstrained,
}

impl MhaForm {
    /// All three.
    ///
    /// ```
    /// # use apprentice_search::MhaForm;
    /// assert_eq!(MhaForm::ALL, [MhaForm::PlusPlus, MhaForm::Focal, MhaForm::Unconstrained]);
    /// ```
    pub const ALL: [MhaForm; 3] = [MhaForm::PlusPlus, MhaForm::Focal, MhaForm::Unconstrained];
}

/// What an adviser of [`ImprovedMhaStar`] likes best.
///
/// ```
/// use apprentice_search::Ranking;
///
/// assert_eq!(Ranking::default(), Ranking::Uncalibrated);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ranking {
    /// The smallest estimate, then the smallest cost so far: for estimates of any scale.
    #[default]
    Uncalibrated,
    /// The smallest `g + w·h`: for estimates of the anchor's scale.
    Calibrated,
}

/// Which states the advisers may choose from, and by what they rank them.
struct Candidates {
    form: MhaForm,
    weight: Weight,
    ranking: Ranking,
    /// States the advisers may not have yet, by `g + h`.
    waiting: OpenList<Entry>,
    /// The greatest value that the anchor's first priority ever had, exactly.
    lower_bound: u128,
    /// It was raised, and not all have been told who may be had because of that.
    is_raised: bool,
}

/// Who may have a state is settled before the advisers hear of it.
impl Rank for Candidates {
    #[inline]
    fn priority(&self, cost: Cost, estimate: Cost) -> Priority {
        match self.ranking {
            Ranking::Uncalibrated => Priority::nearest(cost, estimate),
            Ranking::Calibrated => Priority::weighted(cost, self.weight, estimate),
        }
    }

    #[inline]
    fn whole(&self, cost: Cost, estimate: Cost) -> u128 {
        match self.ranking {
            Ranking::Uncalibrated => u128::from(estimate.ticks()),
            Ranking::Calibrated => Priority::weighted_whole(cost, self.weight, estimate),
        }
    }

    #[inline]
    fn estimate(&self, priority: Priority) -> Cost {
        match self.ranking {
            Ranking::Uncalibrated => priority.whole(),
            Ranking::Calibrated => priority.estimate(),
        }
    }

    #[inline]
    fn admits(&self, _priority: Priority, _estimate: Cost, _limit: Limit) -> bool {
        true
    }
}

/// Every adviser has its turns and then the anchor has one; who has no candidate passes.
impl MhaPolicy for Candidates {
    #[inline]
    fn anchor_weight(&self) -> Weight {
        match self.form {
            MhaForm::Focal => Weight::ONE,
            MhaForm::PlusPlus | MhaForm::Unconstrained => self.weight,
        }
    }

    fn bound(&self) -> Weight {
        self.weight
    }

    #[inline]
    fn offer<P: Problem>(
        &mut self,
        advisers: &mut Advisers<P>,
        problem: &P,
        nodes: &Nodes<P>,
        node: NodeId,
        _priority: Priority,
        estimate: Cost,
    ) {
        let (version, cost) = (nodes.version(node), nodes.cost(node));
        let through = cost + estimate;
        match self.form {
            MhaForm::Unconstrained if problem.is_goal(nodes.state(node)) => {}
            _ if self.is_candidate(through) => advisers.tell(node, version, cost, Limit::NONE),
            _ => {
                advisers.withdraw(node);
                self.waiting.push(Entry {
                    priority: Priority::pair(through, cost),
                    node,
                    version,
                });
            }
        }
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
        self.raise_lower_bound(advisers, nodes, anchored.priority.exact(), chores)?;
        if solution.is_some_and(|cost| self.is_good_enough(cost)) {
            return Ok(Next::Enough);
        }
        let (by, entry) = match turns.whose() {
            Turn::Anchor => (0, Some(anchored)),
            Turn::Adviser(adviser) => {
                let first = advisers.first(adviser, problem, nodes, self, budget, chores)?;
                (adviser + 1, first)
            }
        };
        let Some(entry) = entry else {
            // Nothing it may choose from, and the anchor must go on before there is.
            turns.pass();
            return Ok(Next::Nothing);
        };
        Ok(Next::Expand { by, entry })
    }

    fn waiting(&self) -> usize {
        self.waiting.len()
    }

    #[inline]
    fn tidy<P: Problem>(&mut self, nodes: &Nodes<P>) {
        self.waiting.tidy(nodes);
    }

    fn clear(&mut self) {
        self.waiting.clear();
        (self.lower_bound, self.is_raised) = (0, false);
    }
}

impl Candidates {
    /// The anchor's first priority is this one. The advisers may have what a higher bound allows.
    fn raise_lower_bound<P: Problem>(
        &mut self,
        advisers: &mut Advisers<P>,
        nodes: &Nodes<P>,
        first: u128,
        chores: &mut Chores,
    ) -> Result<(), Unfinished> {
        if first > self.lower_bound {
            (self.lower_bound, self.is_raised) = (first, true);
        }
        while self.is_raised {
            chores.go_on()?;
            let entry = self.waiting.first(nodes, chores)?;
            let entry = entry.filter(|entry| self.is_candidate(entry.priority.whole()));
            let Some(Entry { node, version, .. }) = entry else {
                self.is_raised = false;
                break;
            };
            chores.note(2 * A_LOOK);
            self.waiting.pop();
            advisers.tell(node, version, nodes.cost(node), Limit::NONE);
        }
        Ok(())
    }

    /// Whether a state with that `g + h` may lead to a good enough solution.
    fn is_candidate(&self, through: Cost) -> bool {
        match self.form {
            MhaForm::PlusPlus => exactly(through) <= self.lower_bound,
            MhaForm::Focal => self.is_within_weight(through),
            MhaForm::Unconstrained => true,
        }
    }

    /// Whether a solution of that cost is within the bound.
    fn is_good_enough(&self, cost: Cost) -> bool {
        match self.form {
            MhaForm::Focal => self.is_within_weight(cost),
            MhaForm::PlusPlus | MhaForm::Unconstrained => exactly(cost) <= self.lower_bound,
        }
    }

    /// Whether a cost is at most the weight times the lower bound, compared without rounding.
    fn is_within_weight(&self, cost: Cost) -> bool {
        let bound = self.lower_bound * u128::from(self.weight.steps());
        exactly(cost) << Weight::FRACTION_BITS <= bound
    }
}

/// A cost in the steps that exact priorities are counted in.
fn exactly(cost: Cost) -> u128 {
    u128::from(cost.ticks()) << Weight::FRACTION_BITS
}

impl<P: Problem, A: Heuristic<P>> ImprovedMhaStar<P, A> {
    /// A search of that form. Without advisers it is weighted A* or, for [`MhaForm::Focal`], an A*
    /// that stops at a good enough solution.
    ///
    /// # Errors
    ///
    /// If the anchor does not promise to be consistent.
    ///
    /// ```
    /// # use apprentice_search::{Blind, Budget, ImprovedMhaStar, MhaForm, Search, Weight};
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
    /// let weight = Weight::new(2.0)?;
    /// let mut search = ImprovedMhaStar::new(MhaForm::PlusPlus, Blind, vec![], weight)?;
    /// search.run(&Line, &mut Budget::unlimited());
    /// assert_eq!(search.guarantee().factor(), Some(2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        form: MhaForm,
        anchor: A,
        advisers: Vec<BoxedHeuristic<P>>,
        weight: Weight,
    ) -> Result<Self, WeakAnchor> {
        let candidates = Candidates {
            form,
            weight,
            ranking: Ranking::default(),
            waiting: OpenList::new(),
            lower_bound: 0,
            is_raised: false,
        };
        let engine = MhaEngine::new(anchor, advisers, candidates)?;
        Ok(ImprovedMhaStar { engine })
    }

    /// Says how turns are shared among the advisers; the anchor always has the last of a round.
    ///
    /// ```
    /// # use apprentice_search::{Blind, Budget, ImprovedMhaStar, MhaForm, Search, Status, Turns, Weight};
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
    /// let mut search = ImprovedMhaStar::new(MhaForm::Focal, Blind, vec![Box::new(Blind)], Weight::ONE)?
    ///     .with_turns(Turns::with_repeats([4]));
    /// assert_eq!(search.run(&Line, &mut Budget::unlimited()), Status::Finished);
    /// assert_eq!(search.statistics().expanded_by, [1, 4]);
    /// # Ok::<(), apprentice_search::WeakAnchor>(())
    /// ```
    #[must_use]
    pub fn with_turns(mut self, turns: Turns) -> Self {
        self.engine.set_turns(turns);
        self
    }

    /// Says what advisers like best.
    ///
    /// ```
    /// # use apprentice_search::{Blind, Budget, ImprovedMhaStar, MhaForm, Ranking, Search, Status, Weight};
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
    /// let mut search = ImprovedMhaStar::new(MhaForm::Focal, Blind, vec![Box::new(Blind)], Weight::ONE)?
    ///     .with_ranking(Ranking::Calibrated);
    /// assert_eq!(search.run(&Line, &mut Budget::unlimited()), Status::Finished);
    /// # Ok::<(), apprentice_search::WeakAnchor>(())
    /// ```
    #[must_use]
    pub fn with_ranking(mut self, ranking: Ranking) -> Self {
        self.engine.policy().ranking = ranking;
        self
    }
}

impl<P: Problem, A: Heuristic<P>> Search<P> for ImprovedMhaStar<P, A> {
    search_by_mha_engine!();
}
