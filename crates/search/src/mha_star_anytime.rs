//! Shared MHA* again and again: a solution soon, better ones while there is time.

use crate::mha_engine::MhaEngine;
use crate::search::run_by_search;
use crate::{
    BoxedHeuristic, Budget, Cost, Guarantee, Heuristic, MhaStar, MhaWeights, Observer, Path,
    Problem, Search, Statistics, Status, Weight,
};

/// [`MhaStar`] with ever smaller weights: the first solution comes as soon as its weights allow,
/// then what exceeds 1 is halved and the search begins anew, until the best is proven. The cheapest
/// solution and the strongest proof are kept.
///
/// ```
/// use apprentice_search::{AnytimeMhaStar, Blind, Budget, Cost, MhaWeights, Search, Status, Weight};
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
/// let weights = MhaWeights { inflation: Weight::new(3.0)?, trust: Weight::ONE };
/// let mut search = AnytimeMhaStar::new(Blind, vec![Box::new(Blind)], weights)?;
/// assert_eq!(search.run(&Line, &mut Budget::unlimited()), Status::Improved);
/// assert_eq!(search.guarantee().factor(), Some(3.0));
/// while search.run(&Line, &mut Budget::unlimited()) == Status::Improved {}
/// assert_eq!(search.guarantee().factor(), Some(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AnytimeMhaStar<P: Problem, A> {
    engine: MhaEngine<P, A, MhaWeights>,
    first: MhaWeights,
    weights: MhaWeights,
    /// The best solution, and what is proven about it.
    best: Option<Proven<P>>,
    /// The steps of a solution that is no longer wanted. Kept for their memory.
    steps: Vec<(P::Action, P::State)>,
    /// What the searches before this one did.
    before: Statistics,
    /// What all of them did.
    statistics: Statistics,
}

/// A solution, and what is proven about it.
struct Proven<P: Problem> {
    path: Path<P::State, P::Action>,
    guarantee: Guarantee,
}

impl<P: Problem, A: Heuristic<P>> AnytimeMhaStar<P, A> {
    /// A search that begins with these weights. For other [`Turns`](crate::Turns), make it from a
    /// [`MhaStar`] that has them.
    ///
    /// # Errors
    ///
    /// If the anchor does not promise to be consistent.
    ///
    /// ```
    /// # use apprentice_search::{AnytimeMhaStar, Blind, Budget, MhaStar, MhaWeights, Search, Turns};
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
    /// let weights = MhaWeights::default();
    /// let mut search = AnytimeMhaStar::new(Blind, vec![Box::new(Blind)], weights)?;
    /// while search.run(&Line, &mut Budget::unlimited()).is_unfinished() {}
    /// assert_eq!(search.guarantee().factor(), Some(1.0));
    ///
    /// let adaptive = MhaStar::new(Blind, vec![Box::new(Blind)], weights)?
    ///     .with_turns(Turns::adaptive(1));
    /// let mut search = AnytimeMhaStar::from(adaptive);
    /// while search.run(&Line, &mut Budget::unlimited()).is_unfinished() {}
    /// assert_eq!(search.guarantee().factor(), Some(1.0));
    /// # Ok::<(), apprentice_search::WeakAnchor>(())
    /// ```
    pub fn new(
        anchor: A,
        advisers: Vec<BoxedHeuristic<P>>,
        weights: MhaWeights,
    ) -> Result<Self, crate::WeakAnchor> {
        Ok(AnytimeMhaStar::from(MhaStar::new(
            anchor, advisers, weights,
        )?))
    }

    fn search<O: Observer<P> + ?Sized>(
        &mut self,
        problem: &P,
        budget: &mut Budget<'_>,
        observer: &mut O,
    ) -> Status {
        let status = self.engine.search(problem, budget, observer);
        self.add_up();
        if status != Status::Finished {
            return status;
        }
        self.keep_best();
        if self.weights.bound() == Weight::ONE {
            return Status::Finished;
        }
        self.weights = MhaWeights {
            inflation: nearer_one(self.weights.inflation),
            trust: nearer_one(self.weights.trust),
        };
        self.before.become_like(&self.statistics);
        self.engine.begin_anew(self.weights);
        Status::Improved
    }

    /// The cheaper of two solutions, with the stronger of what is proven. A proof about one holds
    /// for the other if that costs no more.
    fn keep_best(&mut self) {
        let guarantee = self.engine.guarantee();
        let Some(cost) = self.engine.cost() else {
            return;
        };
        if let Some(best) = &mut self.best
            && best.path.cost <= cost
        {
            if is_stronger(guarantee, best.guarantee) {
                best.guarantee = guarantee;
            }
            return;
        }
        self.forget_best();
        let path = self.engine.path_in(std::mem::take(&mut self.steps));
        self.best = path.map(|path| Proven { path, guarantee });
    }

    /// Keeps its memory.
    fn forget_best(&mut self) {
        if let Some(best) = self.best.take() {
            self.steps = best.path.steps;
        }
    }

    fn add_up(&mut self) {
        let (before, now) = (&self.before, self.engine.statistics());
        self.statistics.expanded = before.expanded + now.expanded;
        self.statistics.reexpanded = before.reexpanded + now.reexpanded;
        self.statistics.upkeep = before.upkeep + now.upkeep;
        self.statistics.generated = before.generated + now.generated;
        self.statistics.evaluated = before.evaluated + now.evaluated;
        self.statistics.states = before.states.max(now.states);
        self.statistics.peak_open = before.peak_open.max(now.peak_open);
        self.statistics.bytes = before.bytes.max(now.bytes);
        self.statistics.expanded_by.clear();
        self.statistics
            .expanded_by
            .extend_from_slice(&now.expanded_by);
        for (sum, before) in self
            .statistics
            .expanded_by
            .iter_mut()
            .zip(&before.expanded_by)
        {
            *sum += before;
        }
    }
}

impl<P: Problem, A: Heuristic<P>> From<MhaStar<P, A>> for AnytimeMhaStar<P, A> {
    /// The same search, which then goes on to better solutions. It should not have been run.
    fn from(search: MhaStar<P, A>) -> Self {
        let mut engine = search.engine;
        let weights = *engine.policy();
        AnytimeMhaStar {
            statistics: engine.statistics().clone(),
            engine,
            first: weights,
            weights,
            best: None,
            steps: Vec::new(),
            before: Statistics::default(),
        }
    }
}

/// Halves what exceeds 1; what is close to 1 becomes 1.
fn nearer_one(weight: Weight) -> Weight {
    const CLOSE: f64 = 1.0 / 16.0;
    let excess = (weight.as_f64() - 1.0) / 2.0;
    if excess < CLOSE {
        Weight::ONE
    } else {
        Weight::new(1.0 + excess).unwrap_or(Weight::ONE)
    }
}

fn is_stronger(one: Guarantee, other: Guarantee) -> bool {
    match (one.factor(), other.factor()) {
        (Some(one), Some(other)) => one < other,
        (one, other) => one.is_some() && other.is_none(),
    }
}

impl<P: Problem, A: Heuristic<P>> Search<P> for AnytimeMhaStar<P, A> {
    run_by_search!();

    fn path(&self) -> Option<Path<P::State, P::Action>> {
        // A search that is under way may have met a cheaper goal already.
        let under_way = self.engine.cost();
        match &self.best {
            Some(best) if under_way.is_none_or(|cost: Cost| best.path.cost <= cost) => {
                Some(best.path.clone())
            }
            _ => self.engine.path(),
        }
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn guarantee(&self) -> Guarantee {
        match &self.best {
            Some(best) => best.guarantee,
            None => self.engine.guarantee(),
        }
    }

    fn restart(&mut self) {
        self.weights = self.first;
        *self.engine.policy() = self.first;
        self.engine.restart();
        self.forget_best();
        self.before.clear();
        self.statistics.clear();
    }
}
