//! Executors of tasks as they are saved.

use apprentice_search::saved::{LoadError, Version, unsound};
use apprentice_search::{Budget, Status};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Attempt, Otherwise, Repairs, TaskExecutor, Thought};
use crate::domain::{Domain, Refinements};
use crate::network::{Network, Order, Piece};
use crate::planner::Planner;
use crate::prefix::Lookahead;
use crate::request::Aim;

/// A domain whose executors can be saved: its states and tasks are written and read by `serde`, and it
/// can tell itself from others. [Loaded](crate::LoadedDomain) domains are.
pub trait SavableDomain:
    Domain<
        State: Serialize + DeserializeOwned + PartialEq,
        Task: Serialize + DeserializeOwned + PartialEq,
    >
{
    /// A number that two domains share only if everything in them means the same, the same on every
    /// machine. What was saved with another domain is refused.
    fn digest(&self) -> u64;

    /// Whether a task that was read can be one of this domain.
    ///
    /// # Errors
    ///
    /// What cannot be, in words.
    fn check_task(&self, _task: &Self::Task) -> Result<(), String> {
        Ok(())
    }

    /// The same for a state.
    ///
    /// # Errors
    ///
    /// What cannot be, in words.
    fn check_state(&self, _state: &Self::State) -> Result<(), String> {
        Ok(())
    }
}

/// An executor as it is saved, with the steps in its hands and in the middle of planning: plain data for
/// `serde`, in any format. Loaded in another process it says the same as the one that was saved.
///
/// Planning is saved as what it began with and how many units it has taken; the
/// [`load`](SavedExecutor::load) repeats it.
///
/// ```
/// use apprentice_htn::language::read;
/// use apprentice_htn::{LoadedDomain, Lookahead, Next, SavedExecutor, TaskExecutor};
/// use apprentice_search::Budget;
///
/// let text = "task A() { { true; } } task B() { method m { ordered(A(), A()); } }
///             problem p { goal ordered(A(), B()); }";
/// let domain = LoadedDomain::new(read("p.htn", text).model.expect("no mistakes"))?;
/// let state = domain.initial_state();
/// let mut executor = TaskExecutor::new(domain.goal(), 0, Lookahead::None);
/// assert_eq!(executor.next(&domain, &state, &mut Budget::units(2)), Next::Thinking);
/// let text = serde_json::to_string(&executor.save(&domain))?;
///
/// let saved: SavedExecutor<LoadedDomain> = serde_json::from_str(&text)?;
/// let mut again = saved.load(&domain, &mut Budget::unlimited())?;
/// for _ in 0..4 {
///     let next = executor.next(&domain, &state, &mut Budget::unlimited());
///     assert_eq!(again.next(&domain, &state, &mut Budget::unlimited()), next);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Deserialize)]
#[serde(bound = "D: SavableDomain")]
pub struct SavedExecutor<D: SavableDomain> {
    version: Version<1>,
    domain: u64,
    goal: Network<D::Task>,
    steps: Vec<(D::Task, Option<u32>)>,
    done: u32,
    rest: Network<D::Task>,
    rest_parents: Vec<Option<u32>>,
    history: Vec<(D::Task, Option<u32>)>,
    at_a_time: u64,
    lookahead: Lookahead,
    thought: Option<SavedThought>,
    planning: Option<SavedPlanning<D>>,
    repairs: Repairs,
}

/// What is being planned for.
#[derive(Serialize, Deserialize)]
struct SavedThought {
    parents: Vec<Option<u32>>,
    otherwise: SavedOtherwise,
    attempt: Attempt,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum SavedOtherwise {
    Repair(Option<u32>),
    Above(Option<u32>),
    Nothing,
}

/// What was planned last, or is being planned, and how far that is.
#[derive(Serialize, Deserialize)]
#[serde(bound = "D: SavableDomain")]
struct SavedPlanning<D: SavableDomain> {
    state: D::State,
    goal: Network<D::Task>,
    units: u64,
}

fn written(part: Option<usize>) -> Option<u32> {
    part.map(|part| part as u32)
}

impl<D: SavableDomain> TaskExecutor<D> {
    /// This executor, to be written down. It goes on as if nobody had asked.
    pub fn save(&self, domain: &D) -> SavedExecutor<D> {
        let numbered = |tasks: &[(D::Task, Option<usize>)]| {
            let tasks = tasks.iter();
            let tasks = tasks.map(|(task, part)| (task.clone(), written(*part)));
            tasks.collect()
        };
        let parents = |parents: &[Option<usize>]| parents.iter().copied().map(written).collect();
        SavedExecutor {
            version: Version,
            domain: domain.digest(),
            goal: self.goal.clone(),
            steps: numbered(&self.steps),
            done: self.done as u32,
            rest: self.rest.clone(),
            rest_parents: parents(&self.rest_parents),
            history: numbered(&self.history),
            at_a_time: self.at_a_time as u64,
            lookahead: self.lookahead,
            thought: self.thought.as_ref().map(|thought| SavedThought {
                parents: parents(&thought.parents),
                otherwise: match thought.otherwise {
                    Otherwise::Repair(part) => SavedOtherwise::Repair(written(part)),
                    Otherwise::Above(part) => SavedOtherwise::Above(written(part)),
                    Otherwise::Nothing => SavedOtherwise::Nothing,
                },
                attempt: thought.attempt,
            }),
            planning: self.planner.as_ref().map(|planner| {
                let (state, goal) = planner.beginning();
                SavedPlanning {
                    state: state.clone(),
                    goal: goal.clone(),
                    units: planner.statistics().iterations,
                }
            }),
            repairs: self.repairs,
        }
    }
}

impl<D: SavableDomain> SavedExecutor<D> {
    /// The executor that was saved, for the domain as it was. What it takes of the budget is to plan
    /// again what was being planned: [`units`](SavedExecutor::units) in all.
    ///
    /// # Errors
    ///
    /// If it is of another domain, if it makes no sense, or if the budget is spent.
    pub fn load(self, domain: &D, budget: &mut Budget<'_>) -> Result<TaskExecutor<D>, LoadError> {
        let (saved, given) = (self.domain, domain.digest());
        if saved != given {
            return Err(LoadError::AnotherLevel { saved, given });
        }
        let count = self.history.len();
        // Outer tasks come before inner ones.
        let part_below = |part: Option<u32>, below: usize| match part {
            Some(part) if part as usize >= below => Err(unsound("a task is part of none")),
            part => Ok(part.map(|part| part as usize)),
        };
        let task = |task: &D::Task| domain.check_task(task).map_err(unsound);
        let mut history = Vec::new();
        for (number, (part, above)) in self.history.into_iter().enumerate() {
            task(&part)?;
            history.push((part, part_below(above, number)?));
        }
        let mut steps = Vec::new();
        for (step, parent) in self.steps {
            task(&step)?;
            steps.push((step, part_below(parent, count)?));
        }
        let parents = |parents: Vec<Option<u32>>, of: &Network<D::Task>| {
            if parents.len() != of.tasks().count() {
                return Err(unsound("tasks and what they are parts of are not as many"));
            }
            let parents = parents.into_iter().map(|it| part_below(it, count));
            parents.collect::<Result<Vec<_>, _>>()
        };
        check_network(domain, &self.goal)?;
        check_network(domain, &self.rest)?;
        let rest_parents = parents(self.rest_parents, &self.rest)?;
        let done = self.done as usize;
        if done > steps.len() || self.at_a_time == 0 {
            return Err(unsound("more steps are done than there are"));
        }
        if self.repairs.most() > u64::MAX / 2 {
            return Err(unsound("it was repaired more often than anybody could"));
        }
        let at_a_time = usize::try_from(self.at_a_time).unwrap_or(usize::MAX);
        let mut executor = TaskExecutor {
            goal: self.goal,
            steps,
            done,
            rest: self.rest,
            rest_parents,
            history,
            at_a_time,
            lookahead: self.lookahead,
            thought: None,
            planner: None,
            repairs: self.repairs,
            out: Refinements::new(),
        };
        let Some(planning) = self.planning else {
            return match self.thought {
                Some(_) => Err(unsound("somebody plans without a planner")),
                None => Ok(executor),
            };
        };
        domain.check_state(&planning.state).map_err(unsound)?;
        check_network(domain, &planning.goal)?;
        if let Some(thought) = self.thought {
            executor.thought = Some(Thought {
                state: planning.state.clone(),
                goal: planning.goal.clone(),
                parents: parents(thought.parents, &planning.goal)?,
                otherwise: match thought.otherwise {
                    SavedOtherwise::Repair(part) => Otherwise::Repair(part_below(part, count)?),
                    SavedOtherwise::Above(part) => Otherwise::Above(part_below(part, count)?),
                    SavedOtherwise::Nothing => Otherwise::Nothing,
                },
                attempt: thought.attempt,
            });
        }
        let prefix = (self.lookahead == Lookahead::None).then_some(at_a_time);
        let is_under_way = executor.thought.is_some();
        executor.planner = Some(planning.repeat(domain, prefix, is_under_way, budget)?);
        Ok(executor)
    }

    /// How many units of budget it takes to load it.
    pub fn units(&self) -> u64 {
        self.planning.as_ref().map_or(0, |planning| planning.units)
    }
}

impl<D: SavableDomain> SavedPlanning<D> {
    /// Plans again what was planned, as far.
    fn repeat(
        self,
        domain: &D,
        prefix: Option<usize>,
        is_under_way: bool,
        budget: &mut Budget<'_>,
    ) -> Result<Planner<D>, LoadError> {
        let mut planner = Planner::new(self.state, self.goal).aim(Aim::First);
        planner.prefix = prefix;
        // Whoever comes to an end need not stop for want of a unit.
        let most = self.units.saturating_add(u64::from(!is_under_way));
        let status = budget.at_most(most, |budget| planner.run(domain, budget));
        let is_as_far = planner.statistics().iterations == self.units;
        if is_as_far && (status == Status::Paused) == is_under_way {
            return Ok(planner);
        }
        Err(match budget.spent_by() {
            Some(_) => LoadError::Spent { units: self.units },
            None => LoadError::Otherwise { what: "a plan" },
        })
    }
}

/// Nobody nests tasks more deeply.
const DEEPEST: usize = 10_000;

/// A network that can be one.
fn check_network<D: SavableDomain>(
    domain: &D,
    network: &Network<D::Task>,
) -> Result<(), LoadError> {
    let mut open: Vec<Order> = Vec::new();
    for piece in &network.pieces {
        match piece {
            Piece::Task(task) => domain.check_task(task).map_err(unsound)?,
            Piece::Open(order) => open.push(*order),
            Piece::Close(order) if open.pop() == Some(*order) => {}
            Piece::Close(_) => return Err(unsound("tasks are nested as nothing can be")),
        }
        if open.len() > DEEPEST {
            return Err(unsound("tasks are nested too deeply"));
        }
    }
    match open.is_empty() {
        true => Ok(()),
        false => Err(unsound("tasks are nested as nothing can be")),
    }
}

impl Repairs {
    fn most(&self) -> u64 {
        self.broken.max(self.levels).max(self.from_scratch)
    }
}
