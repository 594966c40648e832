//! Tasks that are carried out in a level: what is so in the world is so in the domain, and what a task
//! brings about there becomes the goal of the character.
//!
//! A domain and a level meet in six words, each of one thing: `holding`, `lying`, `open`, `pulled`,
//! `dead` and `near`. An object of the domain is the thing of the level that has its name.

use std::sync::Arc;

use apprentice::behavior::{Character, Doing};
use apprentice::htn::language;
use apprentice::htn::model::{Function, Model, ValueType};
use apprentice::htn::{LoadedDomain, LoadedState, LoadedTask, Lookahead, Next, TaskExecutor};
use apprentice::search::Budget;
use apprentice::world::{AgentId, Goal, Point, Scenario, Thing, World};

use crate::folder::Folder;
use crate::level_tasks::DESTINATION;
use crate::protocol::{PlayedTasks, Refusal, ShownErrand};

/// What deciding on a task may take in a moment.
const DECISIONS: u64 = 2_000;
/// Tasks that change nothing in the level are done at once, but no more than these in a moment.
const MOST_AT_ONCE: usize = 64;
/// How near is near: the same as in goals that give no radius.
const NEAR: f64 = 2.0;

/// The words in which a domain and a level meet.
const HOLDING: &str = "holding";
const LYING: &str = "lying";
const OPEN: &str = "open";
const PULLED: &str = "pulled";
const DEAD: &str = "dead";
const NEARBY: &str = "near";
const WORDS: [&str; 6] = [HOLDING, LYING, OPEN, PULLED, DEAD, NEARBY];

/// A domain with a goal, and who is to do it.
pub(super) struct TaskBook {
    domain: Arc<LoadedDomain>,
    who: String,
}

impl TaskBook {
    /// Reads it. One with a mistake in it is refused, with its place.
    pub(super) fn read(folder: &Folder, tasks: &PlayedTasks) -> Result<TaskBook, Refusal> {
        let text = crate::tasks::asking(&tasks.text, &tasks.goal);
        let find = |name: &str| folder.read(name).ok();
        let reading = language::read_files(&[(&tasks.path, &text)], &find);
        let report = reading.report();
        let Some(model) = reading.model else {
            let first = report.lines().next().unwrap_or("the tasks have a mistake");
            return Err(format!("{first}; mend the tasks first").into());
        };
        if model.problem.is_none() {
            return Err(format!("`{}` asks for nothing; write a goal", tasks.path).into());
        }
        let domain = LoadedDomain::new(model).map_err(|why| Refusal::from(why.to_string()))?;
        Ok(TaskBook {
            domain: Arc::new(domain),
            who: tasks.who.clone().unwrap_or_else(|| "npc".to_owned()),
        })
    }

    /// Who is to do it.
    pub(super) fn agent(&self, scenario: &Scenario) -> Result<AgentId, String> {
        scenario.actor(&self.who).map_err(|error| error.to_string())
    }
}

/// How far somebody has come with it.
pub(super) struct Errand {
    domain: Arc<LoadedDomain>,
    executor: TaskExecutor<LoadedDomain>,
    /// What is so as far as the domain knows.
    state: LoadedState,
    /// What is being done.
    step: Option<LoadedTask>,
    end: End,
}

/// Whether it has come to an end.
#[derive(Clone, PartialEq)]
enum End {
    /// It goes on.
    Open,
    Done,
    /// It cannot be done, and why.
    Failed(String),
}

impl Errand {
    /// From the beginning. What was so in the domain of another errand, and changes nowhere else, is
    /// still so.
    pub(super) fn new(book: &TaskBook, before: Option<&Errand>) -> Errand {
        let domain = Arc::clone(&book.domain);
        let mut state = domain.initial_state();
        if let Some(before) = before {
            carry_over(before, &domain, &mut state);
        }
        Errand {
            executor: TaskExecutor::new(domain.goal(), 0, Lookahead::None),
            state,
            domain,
            step: None,
            end: End::Open,
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.end != End::Open
    }

    /// Gives the character its next goal once it has brought about the last.
    pub(super) fn go_on(
        &mut self,
        mind: &mut Character<Scenario>,
        (scenario, world, who): (&Scenario, &World, AgentId),
    ) {
        if self.is_over() {
            return;
        }
        let here = (scenario, world, who);
        for _ in 0..MOST_AT_ONCE {
            if let Some(step) = &self.step {
                if mind.doing() != Doing::Done {
                    return;
                }
                if let Some(after) = self.domain.after(step, &self.state) {
                    self.state = after;
                }
                self.step = None;
            }
            observe(&self.domain, &mut self.state, here);
            let mut budget = Budget::units(DECISIONS);
            match self.executor.next(&self.domain, &self.state, &mut budget) {
                Next::Do(task) => match goal_of(&self.domain, &task, &self.state, scenario) {
                    Ok(None) => {
                        if let Some(after) = self.domain.after(&task, &self.state) {
                            self.state = after;
                        }
                    }
                    Ok(Some(goal)) => {
                        self.step = Some(task);
                        mind.pursue(goal);
                        return;
                    }
                    Err(why) => {
                        let task = self.domain.show(&task);
                        return self.stop(mind, End::Failed(format!("{task}: {why}")));
                    }
                },
                // It stands until it knows.
                Next::Thinking => return mind.pursue(Goal::All(Vec::new())),
                Next::Done => return self.stop(mind, End::Done),
                Next::Impossible => {
                    let why = "there is no way to do that, as things are".to_owned();
                    return self.stop(mind, End::Failed(why));
                }
                Next::GaveUp => {
                    let fault = self.executor.fault().map(ToString::to_string);
                    let why = fault.unwrap_or_else(|| "planning it takes too much".to_owned());
                    return self.stop(mind, End::Failed(why));
                }
            }
        }
    }

    fn stop(&mut self, mind: &mut Character<Scenario>, end: End) {
        self.end = end;
        mind.pursue(Goal::All(Vec::new()));
    }

    /// How it is told.
    pub(super) fn shown(&self) -> ShownErrand {
        ShownErrand {
            state: match &self.end {
                End::Open => "doing",
                End::Done => "done",
                End::Failed(_) => "failed",
            },
            step: self.step.as_ref().map(|step| self.domain.show(step)),
            why: match &self.end {
                End::Failed(why) => Some(why.clone()),
                _ => None,
            },
        }
    }
}

/// The functions of a domain that are about things of the level.
fn about_things(model: &Model) -> impl Iterator<Item = &Function> {
    let functions = model.functions.iter();
    functions.filter(|function| {
        WORDS.contains(&&*function.name)
            && function.result == ValueType::Bool
            && matches!(function.params[..], [ValueType::Object(_)])
    })
}

/// Writes down what is so in the world.
fn observe(
    domain: &LoadedDomain,
    state: &mut LoadedState,
    (scenario, world, who): (&Scenario, &World, AgentId),
) {
    for function in about_things(domain.model()) {
        for object in &domain.model().objects {
            let id = &*object.name;
            let Some(is) = is_so(&function.name, id, (scenario, world, who)) else {
                continue;
            };
            // Objects of other types are none of its business.
            let value = if is { "true" } else { "false" };
            let _ = domain.write(state, &function.name, &[id], value);
        }
    }
}

/// Whether something is so of a thing of the level; none if there is no such thing.
fn is_so(
    word: &str,
    id: &str,
    (scenario, world, who): (&Scenario, &World, AgentId),
) -> Option<bool> {
    if word == NEARBY {
        let to = place_of(id, scenario, Some(world))?;
        let at = world.position(who, scenario);
        let (x, y) = (to.x - at.x, to.y - at.y);
        return Some((x * x + y * y).sqrt() <= NEAR);
    }
    match (word, scenario.thing(id)?) {
        (HOLDING, Thing::Item(item)) => Some(world.holds(who, item)),
        (LYING, Thing::Item(item)) => Some(world.is_lying(item)),
        (OPEN, Thing::Door(door)) => Some(world.is_open(door)),
        (PULLED, Thing::Lever(lever)) => Some(world.is_on(lever)),
        (DEAD, Thing::Agent(agent)) => Some(world.is_dead(agent, scenario)),
        _ => None,
    }
}

/// Where a thing is; the start and the goal are places, too.
fn place_of(id: &str, scenario: &Scenario, world: Option<&World>) -> Option<Point> {
    match id {
        "start" => return Some(scenario.position_of(Thing::Agent(AgentId::NPC))),
        DESTINATION => {
            let leaves = scenario.goal().leaves();
            return leaves.into_iter().find_map(|leaf| match leaf {
                Goal::Within { at, .. } | Goal::AgentWithin { at, .. } => Some(*at),
                _ => None,
            });
        }
        _ => {}
    }
    let thing = scenario.thing(id)?;
    match (thing, world) {
        (Thing::Agent(agent), Some(world)) => Some(world.position(agent, scenario)),
        (Thing::Door(door), _) => Some(scenario.doors()[door.index()].at[0].0),
        (thing, _) => Some(scenario.position_of(thing)),
    }
}

/// What a character has to bring about to have done a task: whatever the task changes in the level;
/// none if that is nothing.
fn goal_of(
    domain: &LoadedDomain,
    task: &LoadedTask,
    state: &LoadedState,
    scenario: &Scenario,
) -> Result<Option<Goal>, String> {
    let Some(after) = domain.after(task, state) else {
        return Err("it cannot be done as things are".to_owned());
    };
    let mut goals = Vec::new();
    for function in about_things(domain.model()) {
        for object in &domain.model().objects {
            let (word, id) = (&*function.name, &*object.name);
            // Nobody brings that about who has not taken it, which is another word.
            if word == LYING {
                continue;
            }
            let is = |state: &LoadedState| domain.read(state, word, &[id]);
            let (was, is) = (is(state), is(&after));
            if was == is || is.is_none() {
                continue;
            }
            let goal = goal_about(word, id, scenario)?;
            goals.push(match is.as_deref() {
                Some("true") => goal,
                _ => Goal::Not(Box::new(goal)),
            });
        }
    }
    Ok(match goals.len() {
        0 => None,
        1 => goals.pop(),
        _ => Some(Goal::All(goals)),
    })
}

/// The goal that something is so.
fn goal_about(word: &str, id: &str, scenario: &Scenario) -> Result<Goal, String> {
    let none = |what: &str| format!("no {what} of the level is called `{id}`");
    let thing = scenario.thing(id);
    match (word, thing) {
        (HOLDING, Some(Thing::Item(item))) => Ok(Goal::Holds(item)),
        (HOLDING, _) => Err(none("item")),
        (OPEN, Some(Thing::Door(door))) => Ok(Goal::DoorOpen(door)),
        (OPEN, _) => Err(none("door")),
        (PULLED, Some(Thing::Lever(lever))) => Ok(Goal::LeverOn(lever)),
        (PULLED, _) => Err(none("lever")),
        (DEAD, Some(Thing::Agent(agent))) => Ok(Goal::Dead(agent)),
        (DEAD, _) => Err(none("enemy or character")),
        (_, Some(Thing::Agent(agent))) => Ok(Goal::Near {
            agent,
            radius: NEAR,
        }),
        _ => {
            let at = place_of(id, scenario, None).ok_or_else(|| none("thing"))?;
            Ok(Goal::Within {
                at,
                height: None,
                radius: NEAR,
            })
        }
    }
}

/// What is so in one domain is so in another, as far as both have words for it: truths about nothing
/// or about one object.
fn carry_over(from: &Errand, domain: &LoadedDomain, state: &mut LoadedState) {
    let model = domain.model();
    for function in &model.functions {
        let objects: Vec<Vec<&str>> = match function.params.len() {
            0 => vec![Vec::new()],
            1 => model.objects.iter().map(|it| vec![&*it.name]).collect(),
            _ => continue,
        };
        for of in objects {
            if let Some(value) = from.domain.read(&from.state, &function.name, &of) {
                let _ = domain.write(state, &function.name, &of, &value);
            }
        }
    }
}
