//! A search that can be stopped and continued.

use crate::{Budget, Guarantee, Observer, Path, Problem, Statistics, Status};

/// A search that can be stopped and continued. One value is one search *and* its memory.
///
/// The problem is lent to each run, not stored: a search has no lifetime and fits a component, a
/// handle or an object of another language.
///
/// **Order.** Every open list is a total order: smaller priority, then smaller estimate, then
/// larger cost so far, then the state that was met first. Successors are met in the order the
/// problem pushes them. So the same problem, heuristics and budget give the same path and the same
/// statistics, in one run or in many slices.
///
/// **Edge cases.** A budget of 0 makes no expansion. A start that is a goal is a solution of no
/// steps. A step of infinite cost is never taken. If nothing is left to expand, the answer is
/// [`Status::Unsolvable`].
///
/// ```
/// use apprentice_search::{BestFirst, Blind, Budget, Search, Status};
/// # use apprentice_search::{Cost, Problem, Successors};
/// # struct Line;
/// # impl Problem for Line {
/// #     type State = u32; type Key = u32; type Action = ();
/// #     fn start(&self) -> u32 { 0 }
/// #     fn key(&self, s: &u32) -> u32 { *s }
/// #     fn is_goal(&self, s: &u32) -> bool { *s == 1_000 }
/// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
/// #         out.push((), s + 1, Cost::from_seconds(1.0));
/// #     }
/// # }
/// let mut search = BestFirst::astar(Blind);
/// let mut frames = 1;
/// while search.run(&Line, &mut Budget::units(100)) == Status::Paused {
///     frames += 1; // draw a frame, then go on searching
/// }
/// assert_eq!(frames, 10);
/// assert_eq!(search.path().unwrap().steps.len(), 1_000);
/// ```
pub trait Search<P: Problem> {
    /// Searches until there is something to say or the budget is spent.
    ///
    /// ```
    /// # use apprentice_search::{BestFirst, Blind, Budget, Search, Status};
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
    /// let mut search = BestFirst::astar(Blind);
    /// assert_eq!(search.run(&Line, &mut Budget::units(3)), Status::Paused);
    /// assert_eq!(search.run(&Line, &mut Budget::units(3)), Status::Finished);
    /// ```
    fn run(&mut self, problem: &P, budget: &mut Budget<'_>) -> Status;

    /// The same, with somebody looking on.
    ///
    /// ```
    /// # use apprentice_search::{BestFirst, Blind, Budget, Expansion, Observer, Search};
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
    /// struct Count(u64);
    ///
    /// impl Observer<Line> for Count {
    ///     fn expanded(&mut self, _: Expansion<'_, Line>) {
    ///         self.0 += 1;
    ///     }
    /// }
    ///
    /// let mut count = Count(0);
    /// BestFirst::astar(Blind).run_observed(&Line, &mut Budget::units(3), &mut count);
    /// assert_eq!(count.0, 3);
    /// ```
    fn run_observed(
        &mut self,
        problem: &P,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer<P>,
    ) -> Status;

    /// The best solution so far. Allocates; call it when you need it.
    ///
    /// ```
    /// # use apprentice_search::{BestFirst, Blind, Budget, Search};
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
    /// let mut search = BestFirst::astar(Blind);
    /// assert!(search.path().is_none());
    /// search.run(&Line, &mut Budget::unlimited());
    /// assert_eq!(search.path().unwrap().end(), &5);
    /// ```
    fn path(&self) -> Option<Path<P::State, P::Action>>;

    /// What was done so far.
    ///
    /// ```
    /// # use apprentice_search::{BestFirst, Blind, Budget, Search};
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
    /// let mut search = BestFirst::astar(Blind);
    /// search.run(&Line, &mut Budget::units(3));
    /// assert_eq!(search.statistics().expanded, 3);
    /// ```
    fn statistics(&self) -> &Statistics;

    /// What is proven about the solution, and why.
    ///
    /// ```
    /// # use apprentice_search::{BestFirst, Blind, Budget, Guarantee, Search};
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
    /// let mut search = BestFirst::astar(Blind);
    /// assert_eq!(search.guarantee(), Guarantee::NoSolution);
    /// search.run(&Line, &mut Budget::unlimited());
    /// assert_eq!(search.guarantee().factor(), Some(1.0));
    /// ```
    fn guarantee(&self) -> Guarantee;

    /// Forgets the problem, keeps the memory: the next run begins anew and allocates only what it
    /// needs beyond that.
    ///
    /// ```
    /// # use apprentice_search::{BestFirst, Blind, Budget, Search};
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
    /// let mut search = BestFirst::astar(Blind);
    /// search.run(&Line, &mut Budget::unlimited());
    /// search.restart();
    /// assert!(search.path().is_none());
    /// assert_eq!(search.statistics().expanded, 0);
    /// ```
    fn restart(&mut self);
}

/// A search of any kind, which a component can hold and another thread can continue.
///
/// ```
/// use apprentice_search::{BestFirst, Blind, BoxedSearch};
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
/// let mut search: BoxedSearch<Line> = Box::new(BestFirst::astar(Blind));
/// std::thread::spawn(move || search.run(&Line, &mut apprentice_search::Budget::unlimited()))
///     .join()
///     .expect("it ends well");
/// ```
pub type BoxedSearch<P> = Box<dyn Search<P> + Send + Sync>;

impl<P: Problem, S: Search<P> + ?Sized> Search<P> for Box<S> {
    fn run(&mut self, problem: &P, budget: &mut Budget<'_>) -> Status {
        (**self).run(problem, budget)
    }
    fn run_observed(
        &mut self,
        problem: &P,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer<P>,
    ) -> Status {
        (**self).run_observed(problem, budget, observer)
    }
    fn path(&self) -> Option<Path<P::State, P::Action>> {
        (**self).path()
    }
    fn statistics(&self) -> &Statistics {
        (**self).statistics()
    }
    fn guarantee(&self) -> Guarantee {
        (**self).guarantee()
    }
    fn restart(&mut self) {
        (**self).restart();
    }
}

/// The two ways to run a search, by its own `search`, which is generic over the observer: so the one
/// without an observer is compiled without a trace of one.
macro_rules! run_by_search {
    () => {
        fn run(&mut self, problem: &P, budget: &mut Budget<'_>) -> Status {
            self.search(problem, budget, &mut ())
        }

        fn run_observed(
            &mut self,
            problem: &P,
            budget: &mut Budget<'_>,
            observer: &mut dyn Observer<P>,
        ) -> Status {
            self.search(problem, budget, observer)
        }
    };
}
pub(crate) use run_by_search;

/// How a search stands between two runs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Standing {
    /// The revision of the problem the search began with.
    revision: Option<u64>,
    begun: bool,
    outcome: Option<Status>,
}

/// What a run does first.
pub(crate) enum Enter {
    /// Nothing: this is the answer.
    Answer(Status),
    /// Prepares, and then meets the start.
    Begin,
    /// Goes on where it stopped.
    Continue,
}

impl Standing {
    pub(crate) fn enter<P: Problem>(&mut self, problem: &P) -> Enter {
        let revision = problem.revision();
        match self.revision {
            Some(known) if known != revision => return Enter::Answer(Status::ProblemChanged),
            _ => self.revision = Some(revision),
        }
        match self.outcome {
            Some(outcome) => Enter::Answer(outcome),
            None if self.begun => Enter::Continue,
            None => Enter::Begin,
        }
    }

    /// The start has been met.
    pub(crate) fn begin(&mut self) {
        self.begun = true;
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.outcome.is_some()
    }

    /// The search is over; every later run gives the same answer.
    pub(crate) fn end(&mut self, outcome: Status) -> Status {
        self.outcome = Some(outcome);
        outcome
    }

    /// The same if there is an outcome; otherwise the budget was spent on the way to it.
    pub(crate) fn end_with(&mut self, outcome: Option<Status>) -> Status {
        outcome.map_or(Status::Paused, |outcome| self.end(outcome))
    }

    pub(crate) fn is_unsolvable(&self) -> bool {
        self.outcome == Some(Status::Unsolvable)
    }

    /// The same problem from its start.
    pub(crate) fn anew(&mut self) {
        self.begun = false;
        self.outcome = None;
    }

    /// There is more work to do on the same problem.
    pub(crate) fn reopen(&mut self) {
        self.outcome = None;
    }

    /// Accepts a changed problem, and is open for more work.
    pub(crate) fn accept<P: Problem>(&mut self, problem: &P) {
        self.revision = Some(problem.revision());
        self.outcome = None;
    }
}
