//! The level with everybody in it, and how what the game says comes to them and what they mean to do
//! comes back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use apprentice::behavior::{Doing, Membership};
use apprentice::experience::{Demonstration, Place};
use apprentice_session::{AskedGoal, Cast, Code, NamedLevel, Observation, Recruit, Refusal, Spent};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;

use crate::errand::{Errand, TaskBook};
use crate::messages::{Arrived, NoPlan, PlanBroke, PlanChanged, Reloaded, Tell};
use crate::{Character, Importance, Observed, Order, Part, PlanState, Reload, Task};

/// The level, and everybody in it. Without this resource nobody thinks; another one in its place is
/// another level, which everybody joins.
///
/// ```
/// use bevy_apprentice::Apprentices;
///
/// let text = "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['...'] }";
/// let mut apprentices = Apprentices::read("hall", text)?;
/// apprentices.units = 500;
/// assert!(Apprentices::read("hall", "format = 1").is_err());
/// # Ok::<(), bevy_apprentice::Refusal>(())
/// ```
#[derive(Resource)]
pub struct Apprentices {
    /// How many units all characters together may spend in a frame. A unit is about a microsecond;
    /// they are counted, not measured, so that a game is the same on every machine.
    pub units: u64,
    level: NamedLevel,
    cast: Cast,
    pub(crate) roster: BTreeMap<Entity, Member>,
    /// What the game has said to everybody, for those who come later: the last word about each thing.
    facts: BTreeMap<(&'static str, String), Observation>,
    pub(crate) book: Option<TaskBook>,
    /// Whose task is looked at first.
    pub(crate) turn: Option<Entity>,
    spent: Spent,
    file: Option<PathBuf>,
    /// The files that the level's names, as they are written in it.
    named: Vec<String>,
}

/// A character, as the plugin knows it.
pub(crate) struct Member {
    /// Its number in the cast; none if it was refused.
    pub(crate) number: Option<usize>,
    /// What was told of it last.
    doing: Doing,
    plans: u32,
    has_plan: bool,
    /// Plans it made in levels that were replaced since.
    plans_before: u32,
    /// Why it was refused, or what was said of it, so that nobody hears the same in every frame.
    refused: Option<String>,
    misseen: Option<String>,
    /// Where it was in the level that was replaced.
    was_at: Option<Place>,
    /// What the game said of it last. Bevy says only what may have changed.
    character: Character,
    goal: Option<AskedGoal>,
    importance: Option<Importance>,
    /// Where it was to join.
    tried_at: Option<Vec<f64>>,
    pub(crate) errand: Option<Errand>,
}

/// What the game says of a character.
pub(crate) struct Said<'a> {
    pub(crate) character: &'a Character,
    pub(crate) goal: Option<&'a AskedGoal>,
    pub(crate) task: Option<&'a Task>,
    pub(crate) importance: Option<Importance>,
    pub(crate) observed: Option<&'a Observed>,
    /// Whether the task was given just now, even if it is the same again.
    pub(crate) has_new_task: bool,
}

/// What all may spend in a frame unless something else is said: about a millisecond.
const USUAL_UNITS: u64 = 1_000;

impl Apprentices {
    /// A level from a text, which goes by a name.
    ///
    /// # Errors
    ///
    /// If there is a mistake in it, or it names files.
    pub fn read(name: &str, text: &str) -> Result<Apprentices, Refusal> {
        let files = |_: &str| Err("it is not beside the text; use `read_with`".to_owned());
        Apprentices::read_with(name, text, files)
    }

    /// A level from a text, for those who have files of their own, such as assets; `files` is asked for
    /// whatever it names.
    ///
    /// # Errors
    ///
    /// If there is a mistake in it, or a file is not there.
    pub fn read_with(
        name: &str,
        text: &str,
        files: impl FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Apprentices, Refusal> {
        let level = NamedLevel::read(name, text, files)?;
        Ok(Apprentices {
            units: USUAL_UNITS,
            cast: Cast::new(&level),
            level,
            roster: BTreeMap::new(),
            facts: BTreeMap::new(),
            book: None,
            turn: None,
            spent: Spent {
                units: 0,
                looked: 0,
                planned: 0,
                thinking: 0,
                waiting: 0,
            },
            file: None,
            named: Vec::new(),
        })
    }

    /// A level from a file, with whatever it names from beside it.
    ///
    /// # Errors
    ///
    /// If a file is not there, or has a mistake in it.
    pub fn load(path: impl AsRef<Path>) -> Result<Apprentices, Refusal> {
        let path = path.as_ref();
        let (level, named) = level_of(path)?;
        let mut apprentices = Apprentices {
            file: Some(path.to_owned()),
            named,
            ..Apprentices::read(&level.id, NOTHING)?
        };
        apprentices.cast = Cast::new(&level);
        apprentices.level = level;
        Ok(apprentices)
    }

    /// The same with a domain of tasks, from texts with their names. `goal_of` says what a step is to a
    /// character: `["Fetch", "red"]` may be [`AskedGoal::Holds`] of `red`.
    ///
    /// What is so in the level comes to the domain by these names, as far as it has them: `lying(item)`,
    /// `holding(item)`, `open(door)`, `pulled(lever)`, `dead(somebody)`; the rest is
    /// [said](Apprentices::say) by the game.
    ///
    /// # Errors
    ///
    /// If there are mistakes in the texts; all are told, with their places.
    pub fn with_tasks(
        mut self,
        texts: &[(&str, &str)],
        goal_of: impl Fn(&[String]) -> Option<AskedGoal> + Send + Sync + 'static,
    ) -> Result<Apprentices, Refusal> {
        let texts = texts.iter();
        let texts = texts.map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        self.book = Some(TaskBook::read(texts.collect(), goal_of)?);
        Ok(self)
    }

    /// The same from files.
    ///
    /// # Errors
    ///
    /// If a file is not there, or there are mistakes in it.
    pub fn with_task_files<P: AsRef<Path>>(
        mut self,
        paths: &[P],
        goal_of: impl Fn(&[String]) -> Option<AskedGoal> + Send + Sync + 'static,
    ) -> Result<Apprentices, Refusal> {
        let paths = paths.iter().map(|path| path.as_ref().to_owned()).collect();
        self.book = Some(TaskBook::load(paths, goal_of)?);
        Ok(self)
    }

    /// Says something to the domain of tasks that the level does not know: the value of a state variable,
    /// such as `"night"`, `[]`, `"true"`. It counts whenever a task is planned from now on.
    ///
    /// # Errors
    ///
    /// If there is no such variable, it never changes, or the value is not of its type.
    pub fn say(&mut self, function: &str, of: &[&str], value: &str) -> Result<(), Refusal> {
        let missing = || Refusal {
            code: Code::NoSuch,
            message: "there is no domain of tasks; give one by `with_tasks`".to_owned(),
        };
        self.book
            .as_mut()
            .ok_or_else(missing)?
            .say(function, of, value)
    }

    /// Those who play, for whoever wants to know more of them; their numbers are told by
    /// [`number`](Apprentices::number).
    pub fn cast(&self) -> &Cast {
        &self.cast
    }

    /// The number of an entity in the [cast](Apprentices::cast); none if it is no character, has not joined
    /// yet, or was refused.
    pub fn number(&self, entity: Entity) -> Option<usize> {
        self.roster.get(&entity)?.number
    }

    /// How many characters there are, with those who were refused.
    pub fn len(&self) -> usize {
        self.roster.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.roster.is_empty()
    }

    /// What was shown in the level.
    pub fn demonstrations(&self) -> &[Demonstration] {
        &self.level.level.demonstrations
    }

    /// What the last frame's budget went to, with what tasks took.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// The files that the level and the tasks came from, for whoever watches them.
    pub(crate) fn files(&self) -> [(Reload, Vec<PathBuf>); 2] {
        let level = self.file.iter().flat_map(|file| {
            let beside = self.named.iter().map(|name| file.with_file_name(name));
            std::iter::once(file.clone()).chain(beside)
        });
        let tasks = self.book.as_ref().map_or(&[][..], TaskBook::files);
        [
            (Reload::LevelFile, level.collect()),
            (Reload::TaskFiles, tasks.to_vec()),
        ]
    }

    /// Reads something anew; if there is a mistake in it, everything stays as it is.
    pub(crate) fn reload(&mut self, reload: &Reload, tell: &mut Tell<'_>) {
        let (part, result) = match reload {
            Reload::Level { text, files } => {
                let read = NamedLevel::read(&self.level.id, text, |name| {
                    let bytes = files.get(name).cloned();
                    bytes.ok_or_else(|| format!("`{name}` was not given beside the level"))
                });
                let replaced = read.map(|level| self.replace_level(level, Vec::new(), tell));
                (Part::Level, replaced)
            }
            Reload::LevelFile => {
                let read = match &self.file {
                    Some(file) => level_of(file),
                    None => Err(no_file("the level")),
                };
                let replaced = read.map(|(level, named)| self.replace_level(level, named, tell));
                (Part::Level, replaced)
            }
            Reload::Tasks(texts) => (Part::Tasks, self.replace_tasks(Some(texts))),
            Reload::TaskFiles => (Part::Tasks, self.replace_tasks(None)),
        };
        match result {
            Ok(()) => {
                tell.reloaded.write(Reloaded { part });
            }
            Err(refusal) => tell.refuse(part, None, refusal),
        }
    }

    /// Everybody joins another level, where it is now, and knows what it knew.
    fn replace_level(&mut self, level: NamedLevel, named: Vec<String>, tell: &mut Tell<'_>) {
        let before = std::mem::replace(&mut self.cast, Cast::new(&level));
        (self.level, self.named) = (level, named);
        for (entity, member) in &mut self.roster {
            if let Some(number) = member.number.take() {
                member.was_at = before.place(number);
                member.plans_before += member.plans;
            }
            if member.has_plan {
                let why = "the level has changed".to_owned();
                let entity = *entity;
                tell.broke.write(PlanBroke { entity, why });
            }
            (member.doing, member.plans, member.has_plan) = (Doing::Thinking, 0, false);
            member.refused = None;
            if let Some(errand) = &mut member.errand {
                errand.begin_again();
            }
        }
        let cast = &self.cast;
        self.facts.retain(|_, fact| match cast.check(fact) {
            Ok(()) => true,
            Err(refusal) => {
                tell.refuse(Part::Observation, None, refusal);
                false
            }
        });
    }

    fn replace_tasks(&mut self, texts: Option<&[(String, String)]>) -> Result<(), Refusal> {
        let Some(book) = &mut self.book else {
            return Err(no_file("the tasks"));
        };
        let errands = self.roster.values().filter_map(|it| it.errand.as_ref());
        let wanted = errands.filter(|it| !it.is_over()).map(Errand::task);
        book.replace(texts, wanted)?;
        for member in self.roster.values_mut() {
            if let Some(errand) = &mut member.errand {
                errand.begin_again();
            }
        }
        Ok(())
    }

    /// Those leave who are no characters any longer.
    pub(crate) fn let_go(&mut self, is_here: impl Fn(Entity) -> bool) {
        let cast = &mut self.cast;
        self.roster.retain(|entity, member| {
            let stays = is_here(*entity);
            if let (false, Some(number)) = (stays, member.number) {
                // It is there, so it can be let go.
                let _ = cast.dismiss(number);
            }
            stays
        });
    }

    /// Time passes: everybody goes on as it was ordered, in the world it sees.
    pub(crate) fn pass(&mut self, time: Duration) {
        /// Whoever was away for longer is told where everybody is.
        const LONGEST: Duration = Duration::from_secs(60);
        // No time within that is refused.
        let _ = self.cast.pass(time.min(LONGEST).as_secs_f64());
    }

    /// What the game says of somebody: it joins, or changes its mind.
    pub(crate) fn hear(&mut self, entity: Entity, said: &Said<'_>, tell: &mut Tell<'_>) {
        let Some(member) = self.roster.get_mut(&entity) else {
            return self.join(entity, said, tell);
        };
        let is_another = member.character != *said.character;
        let has_new_goal = member.goal.as_ref() != said.goal;
        let has_new_importance = member.importance != said.importance;
        let Some(number) = member.number else {
            // It is worth another try if something was said that was not tried yet.
            let is_elsewhere = member.tried_at != said.observed.and_then(Observed::place);
            let is_untried = member.refused.is_none();
            if is_untried || is_another || has_new_goal || is_elsewhere {
                self.join(entity, said, tell);
            }
            return;
        };
        if is_another {
            return self.join(entity, said, tell);
        }
        if has_new_goal {
            member.goal = said.goal.cloned();
        }
        if has_new_importance {
            member.importance = said.importance;
            // It is there.
            let _ = self.cast.set(number, membership(said));
        }
        match (said.task, &member.errand) {
            (Some(task), errand) if said.has_new_task || errand.is_none() => {
                member.errand = Some(Errand::new(task));
            }
            (Some(_), _) => {}
            (None, None) if !has_new_goal => {}
            (None, _) => {
                // What it was after before its task, it is after again.
                member.errand = None;
                self.pursue(entity, number, said.goal, tell);
            }
        }
    }

    fn join(&mut self, entity: Entity, said: &Said<'_>, tell: &mut Tell<'_>) {
        let known = self.roster.remove(&entity);
        let former = known.as_ref().and_then(|member| member.number);
        let was_at = match former {
            Some(number) => self.cast.place(number),
            None => known.as_ref().and_then(|member| member.was_at),
        };
        if let Some(number) = former {
            // It is there, so it can be let go.
            let _ = self.cast.dismiss(number);
        }
        let seen_at = said.observed.and_then(Observed::place);
        let is_flat = self.cast.scenario().map().is_flat();
        let was = was_at.map(|at| match is_flat {
            true => vec![at.x, at.y],
            false => vec![at.x, at.y, at.z],
        });
        let goal = match said.task {
            // Until its first step is known it is after nothing.
            Some(_) => Some(AskedGoal::All(Vec::new())),
            None => said.goal.cloned(),
        };
        let looks_every = said.character.looks_every.map(|it| it.as_secs_f64());
        let recruit = Recruit {
            agent: said.character.agent.clone(),
            at: seen_at.or(was),
            goal,
            settings: said.character.settings.clone(),
            importance: said.importance.map(|it| it.0),
            looks_every,
            no_demos: said.character.no_demos,
            ..Recruit::default()
        };
        let joined = self.cast.add(&entity.to_string(), &recruit);
        let mut member = known.unwrap_or_default();
        member.character.clone_from(said.character);
        member.goal = said.goal.cloned();
        member.importance = said.importance;
        member.tried_at = said.observed.and_then(Observed::place);
        match (&mut member.errand, said.task) {
            (Some(errand), Some(_)) if !said.has_new_task => errand.begin_again(),
            (errand, task) => *errand = task.map(Errand::new),
        }
        if former.is_some() {
            member.plans_before += member.plans;
        }
        (member.doing, member.plans, member.has_plan) = (Doing::Thinking, 0, false);
        match joined {
            Ok(number) => {
                (member.number, member.refused, member.was_at) = (Some(number), None, None);
                for fact in self.facts.values() {
                    // It was heard before, so it makes sense.
                    let _ = self.cast.observe(Some(number), fact);
                }
            }
            Err(refusal) => {
                (member.number, member.was_at) = (None, was_at);
                let why = refusal.to_string();
                if member.refused.as_ref() != Some(&why) {
                    tell.refuse(Part::Character, Some(entity), &why);
                }
                member.refused = Some(why);
            }
        }
        self.roster.insert(entity, member);
    }

    /// Somebody is after something else; after the goal of the level, if nothing is given.
    pub(crate) fn pursue(
        &mut self,
        entity: Entity,
        number: usize,
        goal: Option<&AskedGoal>,
        tell: &mut Tell<'_>,
    ) -> bool {
        let pursued = match goal {
            Some(goal) => self.cast.pursue(number, goal),
            None => self.cast.pursue_own(number),
        };
        match pursued {
            Ok(()) => {
                if let Some(member) = self.roster.get_mut(&entity) {
                    // Even if that is done at once, it is news.
                    if member.doing == Doing::Done {
                        member.doing = Doing::Thinking;
                    }
                }
                true
            }
            Err(refusal) => {
                tell.refuse(Part::Goal, Some(entity), refusal);
                false
            }
        }
    }

    /// Something in the level is so.
    pub(crate) fn see(&mut self, by: Option<Entity>, what: &Observation, tell: &mut Tell<'_>) {
        let number = match by {
            None => None,
            Some(entity) => match self.number(entity) {
                Some(number) => Some(number),
                None => {
                    let why = "whoever sees this is no character, or was refused";
                    tell.refuse(Part::Observation, by, why);
                    return;
                }
            },
        };
        match self.cast.observe(number, what) {
            Ok(()) if number.is_none() => {
                if let Some(about) = about(what) {
                    self.facts.insert(about, what.clone());
                }
            }
            Ok(()) => {}
            Err(refusal) => tell.refuse(Part::Observation, by, refusal),
        }
    }

    /// What the game sees of a character itself.
    pub(crate) fn observe(&mut self, entity: Entity, observed: &Observed, tell: &mut Tell<'_>) {
        let Some(member) = self.roster.get_mut(&entity) else {
            return;
        };
        let Some(number) = member.number else {
            return;
        };
        let seen = Observation::Agent {
            id: None,
            at: observed.place(),
            health: observed.health.map(f64::from),
            holding: observed.holding.clone(),
        };
        match self.cast.observe(Some(number), &seen) {
            Ok(()) => member.misseen = None,
            Err(refusal) => {
                let why = refusal.to_string();
                if member.misseen.as_ref() != Some(&why) {
                    tell.refuse(Part::Observation, Some(entity), &why);
                }
                member.misseen = Some(why);
            }
        }
    }

    /// Everybody thinks who has to, within one budget.
    pub(crate) fn think(&mut self, tell: &mut Tell<'_>) {
        let taken = self.take_steps(tell);
        self.spent = self.cast.think(self.units - taken);
        self.spent.units += taken;
    }

    /// What somebody is to do, and what it is at.
    pub(crate) fn report(&mut self, entity: Entity, tell: &mut Tell<'_>) -> (Order, PlanState) {
        let Some(member) = self.roster.get_mut(&entity) else {
            return (Order::default(), PlanState::default());
        };
        let found = member.number.and_then(|number| {
            let (doing, plans) = self.cast.doing(number)?;
            Some((number, doing, plans))
        });
        let Some((number, doing, plans)) = found else {
            let state = PlanState {
                doing: Doing::Stuck,
                plans: member.plans_before,
                why: member.refused.clone(),
                ..PlanState::default()
            };
            return (Order::default(), state);
        };
        let why = self.cast.why(number);
        let steps = self.cast.steps_ahead(number);
        let is_idle = member.errand.as_ref().is_some_and(Errand::is_idle);
        let left = self.cast.why_left(number);
        let reasons = (left.as_deref(), why.as_deref());
        member.tell(entity, (doing, plans, steps), reasons, is_idle, tell);
        let state = PlanState {
            doing,
            plans: member.plans_before + plans,
            steps_ahead: steps,
            why,
            task: member.errand.as_ref().and_then(Errand::step),
        };
        (self.order(number), state)
    }

    fn order(&self, number: usize) -> Order {
        let Some(deed) = self.cast.order(number) else {
            return Order::default();
        };
        let destination = self.cast.destination(number);
        let to = destination.or_else(|| self.cast.place(number));
        let under_way = (self.cast.world(number).zip(self.cast.agent(number)))
            .filter(|(world, who)| world.is_under_way(*who))
            .and_then(|(world, who)| world.stance(who));
        let gait = under_way.unwrap_or(deed.stance()).gait();
        Order {
            deed,
            to: to.map(flat),
            height: to.map_or(0.0, |to| to.z as f32),
            speed: self.cast.scenario().rules().speed(gait) as f32,
        }
    }
}

impl Default for Member {
    /// Somebody who has just come.
    fn default() -> Member {
        Member {
            number: None,
            doing: Doing::Thinking,
            plans: 0,
            has_plan: false,
            plans_before: 0,
            refused: None,
            misseen: None,
            was_at: None,
            character: Character::default(),
            goal: None,
            importance: None,
            tried_at: None,
            errand: None,
        }
    }
}

impl Member {
    /// Tells what is new of it. A plan may break and another be made between two frames; then both are
    /// told.
    fn tell(
        &mut self,
        entity: Entity,
        (doing, plans, steps): (Doing, u32, usize),
        (left, why): (Option<&str>, Option<&str>),
        is_idle: bool,
        tell: &mut Tell<'_>,
    ) {
        let is_new = plans != self.plans;
        let is_left = match doing {
            Doing::Following => is_new,
            Doing::Thinking | Doing::Stuck | Doing::Dead => true,
            Doing::Done => false,
        };
        if self.has_plan && is_left {
            let why = match doing {
                Doing::Dead => "it died",
                _ => left.or(why).unwrap_or("there is another plan"),
            };
            let why = why.to_owned();
            tell.broke.write(PlanBroke { entity, why });
        }
        if doing == Doing::Following && (is_new || !self.has_plan) {
            let plans = self.plans_before + plans;
            tell.changed.write(PlanChanged {
                entity,
                plans,
                steps,
            });
        }
        if doing != self.doing {
            match doing {
                Doing::Stuck => {
                    let why = why.unwrap_or("there is no plan").to_owned();
                    tell.no_plan.write(NoPlan { entity, why });
                }
                Doing::Done if !is_idle => {
                    tell.arrived.write(Arrived { entity });
                }
                _ => {}
            }
        }
        (self.doing, self.plans) = (doing, plans);
        self.has_plan = doing == Doing::Following;
    }
}

impl Observed {
    /// Where it is, as levels have it.
    fn place(&self) -> Option<Vec<f64>> {
        let at = self.at?;
        let mut place = vec![f64::from(at.x), f64::from(at.y)];
        place.extend(self.height.map(f64::from));
        Some(place)
    }
}

/// The smallest level there is.
const NOTHING: &str = "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['.'] }";

/// The level in a file, and the files that it names.
fn level_of(path: &Path) -> Result<(NamedLevel, Vec<String>), Refusal> {
    // The mistakes in it are told with the file's name.
    let level = NamedLevel::load(path)?;
    let mut named = Vec::new();
    let text = std::fs::read_to_string(path).unwrap_or_default();
    // Once more, for the names only: what is wrong was told above.
    let _ = NamedLevel::read(&level.id, &text, |name| {
        named.push(name.to_owned());
        std::fs::read(path.with_file_name(name)).map_err(|error| error.to_string())
    });
    Ok((level, named))
}

fn no_file(what: &str) -> Refusal {
    let message = format!("{what} came from no file; give its text");
    Refusal {
        code: Code::BadFile,
        message,
    }
}

fn membership(said: &Said<'_>) -> Membership {
    let usual = Membership::default();
    Membership {
        importance: said.importance.map_or(usual.importance, |it| it.0),
        looks_every: said.character.looks_every.unwrap_or(usual.looks_every),
    }
}

/// What an observation is about, if whoever comes later should know of it.
fn about(what: &Observation) -> Option<(&'static str, String)> {
    match what {
        Observation::Door { id, .. } => Some(("door", id.clone())),
        Observation::Item { id, .. } => Some(("item", id.clone())),
        Observation::Lever { id, .. } => Some(("lever", id.clone())),
        Observation::Agent { id, .. } => Some(("agent", id.clone()?)),
    }
}

/// From above.
pub(crate) fn flat(place: Place) -> Vec2 {
    Vec2::new(place.x as f32, place.y as f32)
}
