//! Finds plans for HDDL problems.

mod best_first;
mod binding;
mod conditions;
mod depth_first;
mod estimate;
mod facts;
mod grounded;
mod grounding;
mod instances;
mod lifted;
mod necessities;
mod outline;
mod summaries;

use std::fmt;

use apprentice_search::{Budget, Status};

use super::model::{Problem, Term};
use super::plan_file::PlanFile;
use best_first::BestFirst;
use binding::{View, evaluate};
use depth_first::{DepthFirst, Order};
use facts::{Facts, State};
use instances::{Instances, List, Lists};
use lifted::{Lifted, LiftedMethod};
use outline::Outline;

/// What one search says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Found,
    Impossible,
    /// It has nothing left to try, but has not tried everything.
    GaveUp,
    NotYet,
}

/// Why a problem cannot be planned for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannotPlan {
    /// The predicate with too many arguments for so many objects.
    pub predicate: String,
}

impl fmt::Display for CannotPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the predicate {} has too many arguments for so many objects; \
             split it into predicates of fewer arguments",
            self.predicate
        )
    }
}

impl std::error::Error for CannotPlan {}

/// Plans for an HDDL problem; can be paused and continued.
///
/// Several searches take turns, each with turns twice as long as the time before: what one of them
/// finds at once, another may not find in hours. The first goes into the depth as the text says;
/// one lists everything that could be done and follows an estimate of what is left; the others go
/// into the depth in other orders.
///
/// ```
/// use apprentice_hddl::{Planner, read_domain, read_problem};
/// use apprentice_search::{Budget, Status};
///
/// let domain = read_domain(
///     "lamp.hddl",
///     "(define (domain lamp) (:predicates (lit))
///        (:task light :parameters ())
///        (:method by-switch :task (light) :subtasks (press))
///        (:action press :precondition (not (lit)) :effect (lit)))",
/// )?;
/// let text = "(define (problem dark) (:domain lamp) (:htn :subtasks (light)) (:init) (:goal (lit)))";
/// let mut planner = Planner::new(&read_problem(&domain, "dark.hddl", text)?)?;
/// // A little in every frame: the answer is the same.
/// while planner.run(&mut Budget::units(1)) == Status::Paused {}
/// let plan = planner.plan().expect("the lamp can be lit");
/// assert_eq!(plan.to_string(), "==>\n0 press\nroot 1\n1 light -> by-switch 0\n<==\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Planner {
    lifted: Lifted,
    searches: Vec<Search>,
    turn: usize,
    /// Iterations left in this turn.
    left: u64,
    round: u32,
    /// How often chance may still be given another chance.
    chances: u32,
    /// Iterations that were taken from budgets.
    iterations: u64,
    /// Iterations that were worked and have not been taken from a budget yet.
    owed: u64,
    /// Longer plans are not made, in bytes of their text.
    largest_plan: usize,
    /// What was said in the end, to be said again.
    ended: Option<Status>,
    plan: Option<PlanFile>,
}

/// A way to look for a plan.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    DepthFirst(Order),
    BestFirst,
}

struct Search {
    way: Way,
    running: Option<Running>,
    gave_up: bool,
}

enum Running {
    DepthFirst(Box<DepthFirst>),
    BestFirst(Box<BestFirst>),
}

impl Running {
    fn new(lifted: &Lifted, way: Way) -> Self {
        match way {
            Way::DepthFirst(order) => Self::DepthFirst(Box::new(DepthFirst::new(lifted, order))),
            Way::BestFirst => Self::BestFirst(Box::new(BestFirst::new(lifted))),
        }
    }

    fn iterations(&self) -> u64 {
        match self {
            Self::DepthFirst(search) => search.iterations,
            Self::BestFirst(search) => search.iterations,
        }
    }

    fn run(&mut self, lifted: &Lifted, most: u64) -> Answer {
        match self {
            Self::DepthFirst(search) => match search.run(lifted, most) {
                Answer::NotYet if search.size() > LARGEST => Answer::GaveUp,
                answer => answer,
            },
            Self::BestFirst(search) => search.run(lifted, most),
        }
    }

    fn outline(&self) -> Option<Outline> {
        match self {
            Self::DepthFirst(search) => Some(search.outline()),
            Self::BestFirst(search) => search.outline(),
        }
    }
}

/// Iterations in a turn of the first round.
const FIRST_TURN: u64 = 3000;

/// A search that keeps more things than this in memory gives up.
const LARGEST: usize = 24_000_000;

/// After so many orders by chance gave up, the next would, too.
const CHANCES: u32 = 8;

impl Planner {
    /// Prepares to plan.
    ///
    /// # Errors
    ///
    /// If a predicate has too many arguments for so many objects.
    pub fn new(problem: &Problem) -> Result<Self, CannotPlan> {
        let domain = &problem.domain;
        let (objects, count) = (domain.objects.len(), domain.predicates.len());
        let too_long = domain.predicates.iter().find(|predicate| {
            let arity = predicate.parameters.len();
            arity > binding::MOST_ARGUMENTS || !Facts::fits(objects, count, arity)
        });
        if let Some(predicate) = too_long {
            return Err(CannotPlan {
                predicate: predicate.name.clone(),
            });
        }
        let searches = [
            Way::DepthFirst(Order::Text),
            Way::BestFirst,
            Way::DepthFirst(Order::Shortest),
            Way::DepthFirst(Order::Reversed),
            Way::DepthFirst(Order::Shuffled(0)),
        ]
        .map(|way| Search {
            way,
            running: None,
            gave_up: false,
        });
        Ok(Self {
            lifted: Lifted::new(problem),
            searches: searches.into(),
            turn: 0,
            left: FIRST_TURN,
            round: 0,
            chances: CHANCES,
            iterations: 0,
            owed: 0,
            largest_plan: PlanFile::LARGEST,
            ended: None,
            plan: None,
        })
    }

    /// Plans until the budget is spent or there is something to say. An iteration looks at one state
    /// with tasks still to do; where very many values of variables must be tried, or very many facts
    /// asked about, that counts as several. Cut into slices it does the same.
    ///
    /// [`Status::Finished`]: there is a plan, and no other will come; [`Status::Unsolvable`]: it is
    /// proven that there is none; [`Status::GaveUp`]: every search it has gave up, because there is
    /// too much to list or to remember (a few gigabytes in all), or because the plan would be
    /// [too long](PlanFile::LARGEST); there may be a plan.
    pub fn run(&mut self, budget: &mut Budget<'_>) -> Status {
        loop {
            while self.owed > 0 {
                if !budget.take() {
                    return Status::Paused;
                }
                self.owed -= 1;
                self.iterations += 1;
            }
            if let Some(status) = self.ended {
                return status;
            }
            if !budget.take() {
                return Status::Paused;
            }
            self.iterations += 1;
            let turn = self.turn;
            let (ended, worked) = self.step();
            if self.turn != turn {
                // The other search is another kind of work.
                budget.change_pace();
            }
            self.owed = worked.saturating_sub(1);
            self.ended = ended;
            if ended.is_some() {
                // Nothing is looked for any more, and the searches have a lot of memory.
                for search in &mut self.searches {
                    search.running = None;
                }
            }
        }
    }

    /// One iteration of the search whose turn it is: what there is to say afterwards, and how many
    /// iterations it counts as.
    fn step(&mut self) -> (Option<Status>, u64) {
        if self.left == 0 && !self.next_turn() {
            return (Some(Status::GaveUp), 0);
        }
        let search = &mut self.searches[self.turn];
        let running = search
            .running
            .get_or_insert_with(|| Running::new(&self.lifted, search.way));
        let before = running.iterations();
        let answer = running.run(&self.lifted, 1);
        let worked = running.iterations() - before;
        self.left = self.left.saturating_sub(worked);
        match answer {
            Answer::Found => {
                let outline = running.outline();
                let outline = outline.filter(|outline| outline.len() < self.largest_plan / 4);
                let plan = outline.map(|outline| outline.plan(&self.lifted));
                self.plan = plan.filter(|plan| plan.text_len() <= self.largest_plan);
                if self.plan.is_some() {
                    return (Some(Status::Finished), worked);
                }
            }
            Answer::Impossible => return (Some(Status::Unsolvable), worked),
            Answer::NotYet => return (None, worked),
            Answer::GaveUp => {}
        }
        search.gave_up = true;
        search.running = None;
        self.left = 0;
        (None, worked)
    }

    /// False if every search gave up.
    fn next_turn(&mut self) -> bool {
        for _ in 0..self.searches.len() {
            self.turn += 1;
            if self.turn == self.searches.len() {
                self.turn = 0;
                self.round += 1;
            }
            let search = &mut self.searches[self.turn];
            if let Way::DepthFirst(Order::Shuffled(_)) = search.way
                && self.chances > 0
            {
                // Chance gets a new chance.
                self.chances -= u32::from(search.gave_up);
                search.way = Way::DepthFirst(Order::Shuffled(u64::from(self.round) + 1));
                search.running = None;
                search.gave_up = false;
            }
            if !search.gave_up {
                // What has much to prepare gets more, and is the best hope where the first fails.
                let factor = if search.way == Way::BestFirst { 6 } else { 1 };
                self.left = factor * (FIRST_TURN << self.round.min(40));
                return true;
            }
        }
        false
    }

    /// How many iterations it has taken from budgets.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// The plan found.
    #[must_use]
    pub fn plan(&self) -> Option<&PlanFile> {
        self.plan.as_ref()
    }
}

/// The facts a problem begins with, and the state in which they hold.
fn first_state(lifted: &Lifted) -> (Facts, State) {
    let domain = &lifted.problem.domain;
    let arities: Vec<usize> = domain
        .predicates
        .iter()
        .map(|predicate| predicate.parameters.len())
        .collect();
    let mut facts = Facts::new(domain.objects.len(), &arities);
    let mut state = State::default();
    for (predicate, arguments) in &lifted.problem.init {
        let arguments: Vec<u32> = arguments.iter().map(|object| *object as u32).collect();
        let fact = facts.meet(*predicate, &arguments);
        state.set(fact, true);
    }
    (facts, state)
}

fn goal_holds(lifted: &Lifted, facts: &Facts, state: &State, asked: &mut u64) -> bool {
    let view = View {
        domain: &lifted.problem.domain,
        facts,
        state,
    };
    evaluate(view, &lifted.problem.goal, &mut Vec::new(), asked)
}

/// The list of a method's subtasks with these values before the rest.
fn put_subtasks(
    instances: &mut Instances,
    lists: &mut Lists,
    method: &LiftedMethod,
    values: &[u32],
    rest: List,
) -> List {
    method
        .subtasks
        .iter()
        .rev()
        .fold(rest, |list, (task, arguments)| {
            let arguments = arguments.iter().map(|term| value(*term, values));
            let instance = instances.meet(*task, arguments);
            lists.put(instance, list)
        })
}

fn value(term: Term, values: &[u32]) -> u32 {
    match term {
        Term::Object(object) => object as u32,
        Term::Variable(variable) => values[variable],
    }
}

#[cfg(test)]
mod tests {
    use super::super::{read_domain, read_problem};
    use super::*;

    #[test]
    fn plans_longer_than_anybody_reads_are_not_made() {
        let domain = read_domain(
            "d",
            "(define (domain d) (:predicates (on)) (:task go :parameters ())
               (:method m :task (go) :ordered-subtasks (and (turn) (turn) (turn)))
               (:action turn :effect (on)))",
        );
        let text = "(define (problem p) (:domain d) (:htn :ordered-subtasks (and (go))) (:init))";
        let problem = read_problem(&domain.expect("a domain"), "p", text).expect("a problem");
        let mut planner = Planner::new(&problem).expect("few arguments");
        let budget = || Budget::units(1_000_000);
        assert_eq!(planner.run(&mut budget()), Status::Finished);
        let text = planner.plan().expect("it was found").to_string();
        for (largest, status) in [
            (text.len(), Status::Finished),
            (text.len() - 1, Status::GaveUp),
        ] {
            let mut planner = Planner::new(&problem).expect("few arguments");
            planner.largest_plan = largest;
            assert_eq!(planner.run(&mut budget()), status);
            assert_eq!(planner.plan().is_some(), status == Status::Finished);
        }
    }
    #[test]
    fn what_nobody_could_look_through_nobody_tries_to() {
        // A method for any two objects, with a condition that asks about all pairs of objects, nearly
        // all of which are near, before it fails.
        let domain = read_domain(
            "d",
            "(define (domain d) (:predicates (p ?x) (near ?a ?b) (done))
               (:task go :parameters ())
               (:method any :parameters (?x ?y) :task (go)
                 :precondition (or (p ?x) (forall (?a ?b) (or (near ?a ?b) (near ?b ?a))))
                 :ordered-subtasks (and (stop ?x ?y)))
               (:action stop :parameters (?x ?y) :effect (done)))",
        );
        let objects: String = (0..700).map(|number| format!(" o{number}")).collect();
        let pairs: String = (0..700 * 700 - 1)
            .map(|pair| format!("(near o{} o{})", pair / 700, pair % 700))
            .collect();
        let text = format!(
            "(define (problem p) (:domain d) (:objects {objects})
               (:htn :ordered-subtasks (and (go))) (:init {pairs}))"
        );
        let problem = read_problem(&domain.expect("a domain"), "p", &text).expect("a problem");
        let mut planner = Planner::new(&problem).expect("few arguments");
        let status = planner.run(&mut Budget::units(1));
        assert_eq!(status, Status::Paused);
        // At first, and when nothing was found: about as many as in one condition.
        let counted = (planner.iterations + planner.owed) * 32;
        assert!((700 * 700..6 * 700 * 700).contains(&counted), "{counted}");
    }
}
