//! Characters with a task: one step of it after the other becomes their goal.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use apprentice::htn::{LoadedDomain, LoadedState, Lookahead, Next, TaskExecutor};
use apprentice::search::Budget;
use apprentice::world::{AgentId, DoorId, ItemId, LeverId, Scenario, Thing, World};
use apprentice_session::{AskedGoal, Code, Refusal, Tasks};
use bevy_ecs::prelude::*;

use crate::messages::{TaskBegun, TaskDone, Tell};
use crate::{Apprentices, Doing, Part, Task};

/// A domain of tasks, and what its steps are to a character.
pub(crate) struct TaskBook {
    tasks: Tasks,
    goal_of: Box<GoalOf>,
    /// What the game said, by function and arguments.
    said: BTreeMap<(String, Vec<String>), String>,
    /// The domain with each goal that somebody has.
    domains: BTreeMap<Task, Arc<LoadedDomain>>,
    files: Vec<PathBuf>,
}

/// What a step is to a character, by its words; none if nobody knows.
type GoalOf = dyn Fn(&[String]) -> Option<AskedGoal> + Send + Sync;

/// A task of a character's.
pub(crate) struct Errand {
    task: Task,
    /// None until it begins, and when it is over.
    executor: Option<(Arc<LoadedDomain>, TaskExecutor<LoadedDomain>)>,
    step: Option<String>,
    /// What was so when nothing better was found than the step it is stuck at.
    stuck_in: Option<LoadedState>,
    is_over: bool,
}

impl TaskBook {
    pub(crate) fn read(
        texts: Vec<(String, String)>,
        goal_of: impl Fn(&[String]) -> Option<AskedGoal> + Send + Sync + 'static,
    ) -> Result<TaskBook, Refusal> {
        Ok(TaskBook {
            tasks: tasks_of(&texts)?,
            goal_of: Box::new(goal_of),
            said: BTreeMap::new(),
            domains: BTreeMap::new(),
            files: Vec::new(),
        })
    }

    pub(crate) fn load(
        files: Vec<PathBuf>,
        goal_of: impl Fn(&[String]) -> Option<AskedGoal> + Send + Sync + 'static,
    ) -> Result<TaskBook, Refusal> {
        let mut book = TaskBook::read(texts_of(&files)?, goal_of)?;
        book.files = files;
        Ok(book)
    }

    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    pub(crate) fn say(&mut self, function: &str, of: &[&str], value: &str) -> Result<(), Refusal> {
        let domain = self.tasks.domain();
        let mut state = domain.initial_state();
        if !domain.write(&mut state, function, of, value) {
            let what = format!("{function}({})", of.join(", "));
            let message = format!(
                "`{what}` cannot become `{value}`: no such state variable changes in the domain, \
                 or it has values of another type"
            );
            let code = Code::NoSuch;
            return Err(Refusal { code, message });
        }
        let of = of.iter().map(|it| (*it).to_owned()).collect();
        self.said
            .insert((function.to_owned(), of), value.to_owned());
        Ok(())
    }

    /// Reads the domain anew, from texts or from its files, unless there is a mistake in it or somebody's
    /// goal is none in it.
    pub(crate) fn replace<'g>(
        &mut self,
        texts: Option<&[(String, String)]>,
        wanted: impl Iterator<Item = &'g Task>,
    ) -> Result<(), Refusal> {
        let tasks = match texts {
            Some(texts) => tasks_of(texts)?,
            None if self.files.is_empty() => {
                let message = "the tasks came from no file; give their texts".to_owned();
                let code = Code::BadFile;
                return Err(Refusal { code, message });
            }
            None => tasks_of(&texts_of(&self.files)?)?,
        };
        let mut domains = BTreeMap::new();
        for task in wanted {
            if !domains.contains_key(task) {
                domains.insert(task.clone(), Arc::new(domain_of(&tasks, task)?));
            }
        }
        (self.tasks, self.domains) = (tasks, domains);
        Ok(())
    }

    /// The domain with a goal. All who have the same share it.
    fn domain(&mut self, task: &Task) -> Result<Arc<LoadedDomain>, Refusal> {
        if let Some(domain) = self.domains.get(task) {
            return Ok(domain.clone());
        }
        let domain = Arc::new(domain_of(&self.tasks, task)?);
        self.domains.insert(task.clone(), domain.clone());
        Ok(domain)
    }

    /// What is so, in the words of the domain.
    fn observed(
        &self,
        domain: &LoadedDomain,
        (scenario, world, who): (&Scenario, &World, AgentId),
    ) -> LoadedState {
        let mut state = domain.initial_state();
        let mut write = |function: &str, thing: Thing, is: bool| {
            // A domain need not know of everything there is.
            let id = scenario.id_of(thing);
            let _ = domain.write(
                &mut state,
                function,
                &[id],
                if is { "true" } else { "false" },
            );
        };
        for item in (0..scenario.items().len() as u8).map(ItemId::new) {
            write("lying", Thing::Item(item), world.is_lying(item));
            write("holding", Thing::Item(item), world.holds(who, item));
        }
        for door in (0..scenario.doors().len() as u8).map(DoorId::new) {
            write("open", Thing::Door(door), world.is_open(door));
        }
        for lever in (0..scenario.levers().len() as u8).map(LeverId::new) {
            write("pulled", Thing::Lever(lever), world.is_on(lever));
        }
        let actors = (0..scenario.actors().len() as u16).map(AgentId::Actor);
        let enemies = (0..scenario.enemies().len() as u16).map(AgentId::Enemy);
        for agent in actors.chain(enemies) {
            write("dead", Thing::Agent(agent), world.is_dead(agent, scenario));
        }
        for ((function, of), value) in &self.said {
            let of: Vec<&str> = of.iter().map(|it| &**it).collect();
            // After a reload there may be no such variable any longer.
            let _ = domain.write(&mut state, function, &of, value);
        }
        state
    }
}

impl Errand {
    pub(crate) fn new(task: &Task) -> Errand {
        Errand {
            task: task.clone(),
            executor: None,
            step: None,
            stuck_in: None,
            is_over: false,
        }
    }

    pub(crate) fn task(&self) -> &Task {
        &self.task
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether no step is under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.step.is_none()
    }

    pub(crate) fn step(&self) -> Option<String> {
        self.step.clone()
    }

    /// Plans anew from what is so now, unless all is done.
    pub(crate) fn begin_again(&mut self) {
        (self.executor, self.step, self.stuck_in) = (None, None, None);
    }

    fn end(&mut self) {
        self.begin_again();
        self.is_over = true;
    }
}

/// So large a part of each frame may go to tasks, at most: bodies have to go on, too.
const PART_FOR_TASKS: u64 = 2;

impl Apprentices {
    /// Gives those their next step who have done the last, or cannot do it. Returns what that took.
    pub(crate) fn take_steps(&mut self, tell: &mut Tell<'_>) -> u64 {
        let Some(mut book) = self.book.take() else {
            for (entity, member) in &mut self.roster {
                if let Some(errand) = member.errand.as_mut().filter(|it| !it.is_over) {
                    errand.end();
                    let why = "there is no domain of tasks; give one by `with_tasks`";
                    tell.refuse(Part::Task, Some(*entity), why);
                }
            }
            return 0;
        };
        // Whoever had to wait comes first in the next frame.
        let first = self.turn.take();
        let (after, before): (Vec<Entity>, Vec<Entity>) = (self.roster.iter())
            .filter(|(_, member)| member.errand.as_ref().is_some_and(|it| !it.is_over))
            .map(|(entity, _)| *entity)
            .partition(|entity| first.is_none_or(|first| *entity >= first));
        let mut left = self.units / PART_FOR_TASKS;
        let given = left;
        for entity in after.into_iter().chain(before) {
            if left == 0 {
                self.turn = Some(entity);
                break;
            }
            left -= self.take_step(entity, &mut book, left, tell);
        }
        self.book = Some(book);
        given - left
    }

    fn take_step(
        &mut self,
        entity: Entity,
        book: &mut TaskBook,
        units: u64,
        tell: &mut Tell<'_>,
    ) -> u64 {
        let Some(number) = self.number(entity) else {
            return 0;
        };
        let Some((doing, _)) = self.cast().doing(number) else {
            return 0;
        };
        let Some(member) = self.roster.get_mut(&entity) else {
            return 0;
        };
        let Some(mut errand) = member.errand.take() else {
            return 0;
        };
        let mut taken = 0;
        if errand.step.is_none() || matches!(doing, Doing::Done | Doing::Stuck) {
            let who = (entity, number, doing);
            taken = self.next_step(who, &mut errand, book, units, tell);
        }
        if let Some(member) = self.roster.get_mut(&entity) {
            member.errand = Some(errand);
        }
        taken
    }

    fn next_step(
        &mut self,
        (entity, number, doing): (Entity, usize, Doing),
        errand: &mut Errand,
        book: &mut TaskBook,
        units: u64,
        tell: &mut Tell<'_>,
    ) -> u64 {
        if errand.executor.is_none() {
            match book.domain(&errand.task) {
                Ok(domain) => {
                    let executor = TaskExecutor::new(domain.goal(), 0, Lookahead::None);
                    errand.executor = Some((domain, executor));
                }
                Err(refusal) => {
                    errand.end();
                    tell.refuse(Part::Task, Some(entity), refusal);
                    return 0;
                }
            }
        }
        let (Some((domain, executor)), Some(world), Some(who)) = (
            &mut errand.executor,
            self.cast().world(number),
            self.cast().agent(number),
        ) else {
            return 0;
        };
        let observed = book.observed(domain, (self.cast().scenario(), world, who));
        let is_stuck = doing == Doing::Stuck;
        if is_stuck && errand.stuck_in.as_ref() == Some(&observed) {
            // Nothing has changed for the task. The character itself looks whether it can go on.
            return 0;
        }
        let mut budget = Budget::units(units);
        let next = executor.next(domain, &observed, &mut budget);
        let taken = budget.taken();
        match next {
            Next::Do(task) => {
                let (words, shown) = (domain.words(&task), domain.show(&task));
                if is_stuck && errand.step.as_ref() == Some(&shown) {
                    errand.stuck_in = Some(observed);
                    return taken;
                }
                errand.stuck_in = None;
                match (book.goal_of)(&words) {
                    Some(goal) if self.pursue(entity, number, Some(&goal), tell) => {
                        errand.step = Some(shown.clone());
                        let task = shown;
                        tell.begun.write(TaskBegun { entity, task });
                    }
                    // Why not was told.
                    Some(_) => errand.end(),
                    None => {
                        errand.end();
                        let why = format!("nobody said what `{shown}` is to a character");
                        tell.refuse(Part::Task, Some(entity), why);
                    }
                }
            }
            Next::Thinking => {}
            Next::Done => {
                errand.end();
                tell.done.write(TaskDone { entity });
            }
            Next::Impossible => {
                let why = format!("{} cannot be done, however it is tried", errand.task);
                errand.end();
                tell.refuse(Part::Task, Some(entity), why);
            }
            Next::GaveUp => {
                let fault = executor.fault().map(ToString::to_string);
                let fault = fault.unwrap_or_else(|| "planning it takes too much".to_owned());
                let why = format!("{}: {fault}", errand.task);
                errand.end();
                tell.refuse(Part::Task, Some(entity), why);
            }
        }
        taken
    }
}

fn domain_of(tasks: &Tasks, task: &Task) -> Result<LoadedDomain, Refusal> {
    match &task.goal {
        Some(goal) => tasks.with_goal(goal),
        None if tasks.domain().model().problem.is_some() => Ok(tasks.domain().clone()),
        None => Err(Refusal {
            code: Code::BadValue,
            message: "there is no problem in the tasks; give a goal by `Task::new`".to_owned(),
        }),
    }
}

fn tasks_of(texts: &[(String, String)]) -> Result<Tasks, Refusal> {
    let texts: Vec<(&str, &str)> = (texts.iter())
        .map(|(name, text)| (&**name, &**text))
        .collect();
    Tasks::read(&texts)
}

fn texts_of(files: &[PathBuf]) -> Result<Vec<(String, String)>, Refusal> {
    let text = |file: &Path| {
        let text = std::fs::read_to_string(file).map_err(|error| Refusal {
            code: Code::BadFile,
            message: format!("`{}` cannot be read: {error}", file.display()),
        })?;
        Ok((file.display().to_string(), text))
    };
    files.iter().map(|file| text(file)).collect()
}
