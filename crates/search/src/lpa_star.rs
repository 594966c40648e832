//! LPA*: finds a way, and when the world has changed, mends what it knows instead of starting over.
//!
//! Three things are kept from one run to the next. The steps that were listed, so that no state is
//! asked for them twice. The costs of all states that a change does not reach: what lies behind a
//! step that is gone or dearer is *withdrawn* first, down the tree of ways, except where another way
//! of the same cost is at hand. And what the last run has learned about the cost that remains: a
//! state at cost `g` cannot be nearer the goal than the solution's cost less `g`. With that estimate
//! (of Generalized Adaptive A*: Sun, Koenig and Yeoh, 2008) a state is looked at again only if it
//! became less dear than the goal did. Where steps have become cheaper, what was learned is discounted by
//! as much as it can be wrong.
//!
//! The original LPA* withdraws in the order of its open list and so visits most states twice.

mod changes;
mod learned_h;
mod ways;

use crate::chores::Chores;
use crate::front::Entry;
use crate::in_parts::InParts;
use crate::nodes::{NodeId, Nodes};
use crate::open_list::OpenList;
use crate::priority::Priority;
use crate::search::{Enter, Standing, run_by_search};
use crate::shelves::Shelves;
use crate::{
    Because, Budget, Cost, Expansion, Guarantee, Heuristic, NoBound, Observer, Path, Problem,
    Promise, Search, Statistics, Status, Successors, Weight,
};

pub use changes::Reuse;
use learned_h::LearnedH;
use ways::{Length, NO_STEP, Place, Steps};

/// Lifelong Planning A* (Koenig, Likhachev and Furcy, 2004), the forward relative of D* Lite: the
/// cheapest way, kept up to date while steps, goal and start change.
///
/// Tell it what changed, then run it again. It looks only at states whose cost is no longer what it
/// was and that may matter; a small change near the way costs a small part of a new search. The
/// price is memory: it keeps every step it has listed. And keys must be exact: of two states with the
/// same key it keeps the first, whichever is cheaper.
///
/// Telling it of a change is not part of any budget. It takes time for each state that is changed, and a
/// little for each state that is known: some ten nanoseconds, more where the start is another.
///
/// ```
/// use apprentice_search::{Blind, Budget, Cost, LpaStar, Problem, Reuse, Search, Status, Successors};
///
/// /// A row of cells. Stepping onto cell 3 costs what the door there costs.
/// struct Row {
///     door: f64,
///     revision: u64,
/// }
///
/// impl Problem for Row {
///     type State = u32;
///     type Key = u32;
///     type Action = ();
///     fn start(&self) -> u32 { 0 }
///     fn key(&self, cell: &u32) -> u32 { *cell }
///     fn is_goal(&self, cell: &u32) -> bool { *cell == 5 }
///     fn successors(&self, cell: &u32, out: &mut Successors<u32, ()>) {
///         let seconds = if *cell == 2 { self.door } else { 1.0 };
///         out.push((), cell + 1, Cost::from_seconds(seconds));
///     }
///     fn revision(&self) -> u64 { self.revision }
/// }
///
/// let mut row = Row { door: 1.0, revision: 0 };
/// let mut search = LpaStar::new(Blind);
/// search.run(&row, &mut Budget::unlimited());
/// assert_eq!(search.path().unwrap().cost, Cost::from_seconds(5.0));
///
/// row.door = 7.0;
/// row.revision += 1;
/// assert_eq!(search.run(&row, &mut Budget::unlimited()), Status::ProblemChanged);
/// assert_eq!(search.steps_changed(&row, &[2]), Reuse::Kept);
/// search.run(&row, &mut Budget::unlimited());
/// assert_eq!(search.path().unwrap().cost, Cost::from_seconds(11.0));
/// ```
pub struct LpaStar<P: Problem, H> {
    heuristic: H,
    /// Finds states and keeps them; what they cost is kept below.
    nodes: Nodes<P>,
    places: Shelves<Place>,
    steps: Steps<P::Action>,
    open: OpenList<Entry>,
    chores: Chores,
    start: Option<NodeId>,
    goals: Vec<NodeId>,
    learned_h: LearnedH,
    /// The revision of the heuristic by which the present solution was found, as long as there is
    /// something to learn from it.
    solved_by: Option<u64>,
    /// States from which a step has become cheaper since the last run.
    cheaper: Vec<NodeId>,
    /// Something has changed since the last run.
    changed: bool,
    withdrawn: u64,
    listing: Successors<P::State, P::Action>,
    in_parts: InParts,
    standing: Standing,
    statistics: Statistics,
}

impl<P: Problem, H: Heuristic<P>> LpaStar<P, H> {
    /// A search by `heuristic`, which should be admissible: then the way is the cheapest.
    ///
    /// ```
    /// # use apprentice_search::{Blind, Budget, LpaStar, Search};
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
    /// let mut search = LpaStar::new(Blind);
    /// search.run(&Line, &mut Budget::unlimited());
    /// assert_eq!(search.path().unwrap().cost, Cost::from_seconds(5.0));
    /// ```
    pub fn new(heuristic: H) -> Self {
        LpaStar {
            heuristic,
            nodes: Nodes::new(),
            places: Shelves::new(),
            steps: Steps::new(),
            open: OpenList::new(),
            chores: Chores::new(),
            start: None,
            goals: Vec::new(),
            learned_h: LearnedH::default(),
            solved_by: None,
            cheaper: Vec::new(),
            changed: false,
            withdrawn: 0,
            listing: Successors::new(),
            in_parts: InParts::default(),
            standing: Standing::default(),
            statistics: Statistics {
                expanded_by: vec![0],
                ..Statistics::default()
            },
        }
    }

    /// The heuristic, for telling it of a change. What was learned by its estimates is forgotten, and
    /// the next run looks again.
    ///
    /// ```
    /// # use apprentice_search::{Budget, Cost, Estimate, LpaStar, Promise, Search, Status};
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
    /// let at_pace = |pace: f64| {
    ///     Estimate::new(Promise::Consistent, move |cell: &u32| {
    ///         Cost::round_down(f64::from(cell.abs_diff(5)) / pace)
    ///     })
    /// };
    /// let mut search = LpaStar::new(at_pace(2.0));
    /// search.run(&Line, &mut Budget::unlimited());
    /// *search.heuristic() = at_pace(1.0);
    /// assert!(search.path().is_none());
    /// assert_eq!(search.run(&Line, &mut Budget::unlimited()), Status::Finished);
    /// ```
    pub fn heuristic(&mut self) -> &mut H {
        self.learned_h = LearnedH::default();
        self.solved_by = None;
        // What is open has to be put in another order, and an answer by the old estimates is none.
        self.changed = self.start.is_some();
        self.standing.reopen();
        self.in_parts.forget();
        &mut self.heuristic
    }

    /// How many states were withdrawn so far: states of which a change made it uncertain what they
    /// cost. That takes neither a list of successors nor a place in the open list, so they do not
    /// count as expansions, but it is work all the same.
    ///
    /// ```
    /// # use apprentice_search::{Blind, Budget, Cost, LpaStar, Search};
    /// # use apprentice_search::{Problem, Successors};
    /// # struct Row { start: u32, goal: u32, door: f64, revision: u64 }
    /// # impl Problem for Row {
    /// #     type State = u32; type Key = u32; type Action = ();
    /// #     fn start(&self) -> u32 { self.start }
    /// #     fn key(&self, s: &u32) -> u32 { *s }
    /// #     fn is_goal(&self, s: &u32) -> bool { *s == self.goal }
    /// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
    /// #         let seconds = if *s == 2 { self.door } else { 1.0 };
    /// #         out.push((), s + 1, Cost::from_seconds(seconds));
    /// #     }
    /// #     fn revision(&self) -> u64 { self.revision }
    /// # }
    /// let mut row = Row { start: 0, goal: 5, door: 1.0, revision: 0 };
    /// let mut search = LpaStar::new(Blind);
    /// search.run(&row, &mut Budget::unlimited());
    /// assert_eq!(search.withdrawn(), 0);
    ///
    /// row.door = 7.0; // on the way from cell 2
    /// row.revision += 1;
    /// let _ = search.steps_changed(&row, &[2]);
    /// assert_eq!(search.withdrawn(), 2); // cells 3 and 4
    /// ```
    pub fn withdrawn(&self) -> u64 {
        self.withdrawn
    }

    /// Whether the heuristic is a lower bound, so that something can be learned from a solution.
    fn is_trusted(&self) -> bool {
        self.heuristic.promise() >= Promise::Admissible && self.heuristic.inflation() == Weight::ONE
    }

    /// Learns from the solution, if there is one: what costs `g` to get to is at least the rest of
    /// the solution's cost away from the goal.
    fn learn(&mut self) {
        let Some(revision) = self.solved_by.take().filter(|_| self.is_trusted()) else {
            return;
        };
        let Some(goal) = self.best_goal() else { return };
        if self.learned_h.revision != revision {
            self.learned_h = LearnedH {
                revision,
                ..LearnedH::default()
            };
        }
        let cost = self.places[goal.index()].real.cost();
        let remains = &mut self.learned_h.remains;
        remains.resize(self.places.len(), Cost::ZERO);
        for (remains, place) in remains.iter_mut().zip(self.places.iter()) {
            if place.is_settled() {
                *remains = (*remains).max(cost.less(place.told.cost()));
            }
        }
    }

    /// The cost that remains from a state, by the heuristic and by what was learned.
    fn estimate(&mut self, problem: &P, node: NodeId) -> Cost {
        self.statistics.evaluated += 1;
        let estimate = self.heuristic.estimate(problem, self.nodes.state(node));
        estimate.max(self.learned_h.remains(node))
    }

    fn search<O: Observer<P> + ?Sized>(
        &mut self,
        problem: &P,
        budget: &mut Budget<'_>,
        observer: &mut O,
    ) -> Status {
        match self.standing.enter(problem) {
            Enter::Answer(status) => return status,
            Enter::Begin => {
                if !self.heuristic.prepare(problem, budget) {
                    return Status::Paused;
                }
                budget.change_pace();
                let start = self.nodes.insert_start(problem);
                self.places.push(Place {
                    real: Length::ZERO,
                    ..Place::UNREACHED
                });
                self.start = Some(start);
                if problem.is_goal(self.nodes.state(start)) {
                    self.goals.push(start);
                }
                observer.improved(self.nodes.state(start), Cost::ZERO);
                self.open_if_unsettled(problem, start);
                self.standing.begin();
            }
            Enter::Continue if self.changed => {
                if !self.heuristic.prepare(problem, budget) {
                    return Status::Paused;
                }
                budget.change_pace();
                self.take_up_changes(problem);
            }
            Enter::Continue => {}
        }
        let status = self.settle(problem, budget, observer);
        self.note_size();
        status
    }

    /// Settles states, the most promising first, until the cheapest way is known.
    fn settle<O: Observer<P> + ?Sized>(
        &mut self,
        problem: &P,
        budget: &mut Budget<'_>,
        observer: &mut O,
    ) -> Status {
        loop {
            let goal = self
                .best_goal()
                .map(|goal| self.places[goal.index()].real.cost());
            let places = &self.places;
            let is_current = |entry: &Entry| places[entry.node.index()].version == entry.version;
            let next = self.open.peek(
                is_current,
                |entry| is_current(&entry).then_some(entry),
                &mut self.chores,
            );
            let Ok(next) = next else {
                if !self.chores.pay(budget, &mut self.statistics.upkeep) {
                    return Status::Paused;
                }
                continue;
            };
            let Some(Entry { node, priority, .. }) = next else {
                return match goal {
                    Some(cost) => self.solved(cost, observer),
                    None => self.standing.end(Status::Unsolvable),
                };
            };
            if let Some(cost) = goal
                && cost <= priority.whole()
            {
                return self.solved(cost, observer);
            }
            if P::LISTS_IN_PARTS && !self.places[node.index()].listed {
                let (state, listing) = (self.nodes.state(node), &mut self.listing);
                let (of, upkeep) = ((0, node), &mut self.statistics.upkeep);
                if !(self.in_parts).list(problem, of, state, listing, budget, upkeep) {
                    return Status::Paused;
                }
            }
            if !budget.take_holding(self.nodes.has_numbers(), || self.bytes()) {
                return Status::Paused;
            }
            self.chores.renew();
            self.open.pop();
            let place = self.places[node.index()];
            observer.expanded(Expansion {
                state: self.nodes.state(node),
                cost: place.real.cost(),
                by: 0,
                node,
                parent: self.came_from(node),
            });
            self.statistics.count_expansion(0, place.listed);
            self.tell(problem, node, observer);
            self.statistics.peak_open = self.statistics.peak_open.max(self.open.len() as u64);
            if self.open.len() > 4 * self.nodes.len() {
                let places = &self.places;
                self.open
                    .sweep(|entry| places[entry.node.index()].version == entry.version);
            }
        }
    }

    fn solved<O: Observer<P> + ?Sized>(&mut self, cost: Cost, observer: &mut O) -> Status {
        observer.solved(cost);
        self.solved_by = Some(self.heuristic.revision());
        self.standing.end(Status::Finished)
    }

    /// A state that costs less than its neighbours were told tells them.
    fn tell<O: Observer<P> + ?Sized>(&mut self, problem: &P, node: NodeId, observer: &mut O) {
        let place = &mut self.places[node.index()];
        place.told = place.real;
        place.version = place.version.wrapping_add(1);
        if !place.listed {
            self.list(problem, node);
        }
        let told = self.places[node.index()].told;
        let mut at = self.places[node.index()].leaving;
        while at != NO_STEP {
            let step = &self.steps[at];
            let (to, next) = (step.to, step.next_leaving);
            let length = told.plus(step.cost);
            // Fewer steps at the same cost are not worth telling everybody beyond.
            if length.cost() < self.places[to.index()].real.cost() && Some(to) != self.start {
                let place = &mut self.places[to.index()];
                (place.real, place.by) = (length, at);
                observer.improved(self.nodes.state(to), length.cost());
                self.open_if_unsettled(problem, to);
            }
            at = next;
        }
    }

    /// Finds the cheapest way to a state by what its neighbours have told.
    fn find_way(&mut self, node: NodeId) {
        if Some(node) != self.start {
            let (real, by) = self.steps.cheapest_way(&self.places, node);
            let place = &mut self.places[node.index()];
            (place.real, place.by) = (real, by);
        }
    }

    /// Opens a state that costs less than its neighbours were told, and closes any other.
    fn open_if_unsettled(&mut self, problem: &P, node: NodeId) {
        let place = &mut self.places[node.index()];
        place.version = place.version.wrapping_add(1);
        if place.told == place.real {
            return;
        }
        let (cost, version) = (place.real.cost(), place.version);
        let estimate = self.estimate(problem, node);
        if estimate.is_finite() || self.heuristic.promise() < Promise::Admissible {
            let priority = Priority::weighted(cost, Weight::ONE, estimate);
            self.open.push(Entry {
                priority,
                node,
                version,
            });
        }
    }

    /// Lists the steps that leave a state.
    fn list(&mut self, problem: &P, node: NodeId) {
        let mut listing = std::mem::take(&mut self.listing);
        if !self.in_parts.take(node) {
            listing.clear();
            problem.successors(self.nodes.state(node), &mut listing);
        }
        self.statistics.generated += listing.len() as u64;
        for step in listing.drain() {
            if !step.cost.is_finite() {
                continue;
            }
            let Some(to) = self.nodes.meet(problem, step.state) else {
                continue;
            };
            if to.index() == self.places.len() {
                self.places.push(Place::UNREACHED);
                if problem.is_goal(self.nodes.state(to)) {
                    self.goals.push(to);
                }
            }
            self.steps
                .link(&mut self.places, node, to, step.cost, step.action);
        }
        self.places[node.index()].listed = true;
        self.listing = listing;
    }

    fn came_from(&self, node: NodeId) -> Option<NodeId> {
        let by = self.places[node.index()].by;
        (by != NO_STEP).then(|| self.steps[by].from)
    }

    fn best_goal(&self) -> Option<NodeId> {
        let reached = |goal: &&NodeId| self.places[goal.index()].real != Length::INFINITE;
        let goals = self.goals.iter().filter(reached);
        goals
            .min_by_key(|goal| self.places[goal.index()].real)
            .copied()
    }

    fn note_size(&mut self) {
        self.statistics.states = self.nodes.states_met();
        self.statistics.bytes = self.bytes();
    }

    fn bytes(&self) -> u64 {
        self.nodes.bytes()
            + (self.places.len() * size_of::<Place>()) as u64
            + self.steps.bytes()
            + size_of_val(self.learned_h.remains.as_slice()) as u64
            + self.statistics.peak_open * size_of::<Entry>() as u64
    }
}

impl<P: Problem, H: Heuristic<P>> Search<P> for LpaStar<P, H> {
    run_by_search!();

    /// The cheapest way. While a change is being worked in there is none to be relied on.
    fn path(&self) -> Option<Path<P::State, P::Action>> {
        if !self.standing.has_ended() {
            return None;
        }
        let mut steps = Vec::new();
        let mut at = self.best_goal()?;
        // With a heuristic that promises nothing, part of the way may have become cheaper since the
        // goal was told of it; so the steps are added up.
        let mut cost = Cost::ZERO;
        while Some(at) != self.start {
            let step = self.steps.get(self.places[at.index()].by)?;
            steps.push((step.action.clone(), self.nodes.state(at).clone()));
            cost = cost + step.cost;
            at = step.from;
        }
        steps.reverse();
        Some(Path {
            start: self.nodes.state(at).clone(),
            steps,
            cost,
        })
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn guarantee(&self) -> Guarantee {
        let goal = if self.standing.has_ended() {
            self.best_goal()
        } else {
            None
        };
        let Some(goal) = goal else {
            return Guarantee::without_solution(self.standing.is_unsolvable());
        };
        if self.places[goal.index()].real.cost() == Cost::ZERO {
            return Guarantee::Within {
                factor: Weight::ONE,
                because: Because::Free,
            };
        }
        let factor = self.heuristic.inflation();
        match self.heuristic.promise() {
            Promise::None => Guarantee::None {
                because: NoBound::NoPromise,
            },
            Promise::Admissible => Guarantee::within(factor, Because::AdmissibleAndReopened),
            Promise::Consistent => Guarantee::within(factor, Because::Consistent),
        }
    }

    fn restart(&mut self) {
        self.nodes.clear();
        self.in_parts.forget();
        self.places.clear_into_one();
        self.steps.clear();
        self.open.clear();
        self.chores.renew();
        self.start = None;
        self.goals.clear();
        self.learned_h = LearnedH::default();
        self.solved_by = None;
        self.cheaper.clear();
        self.changed = false;
        self.withdrawn = 0;
        self.standing = Standing::default();
        self.statistics.clear();
    }
}
