//! A session: levels with everybody in them, and domains of tasks, by name.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use apprentice::world::{AgentId, DoorId, ItemId, LeverId, Scenario, Thing};
use serde_json::Value;

use crate::protocol::{
    AheadAnswer, Answer, CharacterAsk, ForgetAsk, LevelAnswer, LevelAsk, Nothing, OrdersAnswer,
    PlanAnswer, Reply, Request, Seen, ShowAsk, TaskPlanAnswer, TasksAnswer, TasksAsk, TickAsk,
};
use crate::rooms::{Explorers, plan_rooms};
use crate::{Cast, Clock, Code, NamedLevel, Observation, Refusal, Tasks, plan, verify};

/// Levels with everybody in them, and domains of tasks, by name: what a program on the other side of a
/// pipe talks to.
pub struct Session<'c> {
    levels: BTreeMap<String, Stage>,
    tasks: BTreeMap<String, Tasks>,
    explorers: Explorers,
    /// How much time has passed since some moment; only documents have it.
    clock: Clock<'c>,
}

struct Stage {
    level: NamedLevel,
    cast: Cast,
}

impl<'c> Session<'c> {
    /// One that knows nothing yet.
    pub fn new(clock: Clock<'c>) -> Session<'c> {
        Session {
            levels: BTreeMap::new(),
            tasks: BTreeMap::new(),
            explorers: Explorers::default(),
            clock,
        }
    }

    /// What becomes of a line: always a line, without its end. What makes no sense is answered with an
    /// error, and the session goes on.
    pub fn answer(&mut self, line: &str) -> String {
        let (n, answer) = match serde_json::from_str::<Value>(line) {
            Err(error) => {
                let refusal = Refusal::new(Code::NotJson, format!("this is no JSON: {error}"));
                (None, refusal.into())
            }
            Ok(mut question) => {
                let fields = question.as_object_mut();
                let n = fields.and_then(|fields| fields.remove("n"));
                (n, self.answer_to(question))
            }
        };
        let text = serde_json::to_string(&Reply { n, answer });
        // Every document has names for keys, so that it can be written.
        text.unwrap_or_else(|_| r#"{"is":"error","code":"bug","message":"no answer"}"#.to_owned())
    }

    fn answer_to(&mut self, question: Value) -> Answer {
        let request = match serde_json::from_value::<Request>(question) {
            Ok(request) => request,
            Err(error) => return Refusal::new(Code::NotUnderstood, error).into(),
        };
        let done = catch_unwind(AssertUnwindSafe(|| self.handle(request)));
        match done {
            Ok(answer) => answer.unwrap_or_else(Answer::from),
            Err(_) => {
                // Nobody knows what is half done.
                (self.levels, self.tasks) = (BTreeMap::new(), BTreeMap::new());
                self.explorers = Explorers::default();
                let wrong = "a bug in apprentice: please report it, with the lines until here; \
                             every level, domain and explorer is forgotten";
                Refusal::new(Code::Bug, wrong).into()
            }
        }
    }

    fn handle(&mut self, request: Request) -> Result<Answer, Refusal> {
        Ok(match request {
            Request::Level(ask) => Answer::Level(self.read_level(&ask)?),
            Request::Show(ask) => {
                self.show(&ask)?;
                Answer::Done(Nothing {})
            }
            Request::Plan(asked) => {
                let clock = self.clock;
                let stage = self.stage(&asked.level)?;
                let plan = plan(&stage.level, &asked.ask, clock)?;
                Answer::Plan(Box::new(PlanAnswer { plan }))
            }
            Request::Verify(ask) => {
                let stage = self.stage(&ask.level)?;
                Answer::Verdict(verify(&stage.level, &ask.plan.to_string())?)
            }
            Request::Character(CharacterAsk {
                level,
                character,
                recruit,
            }) => {
                self.stage(&level)?.cast.add(&character, &recruit)?;
                Answer::Done(Nothing {})
            }
            Request::Pursue(ask) => {
                let (cast, number) = self.whom(&ask.level, &ask.character)?;
                cast.pursue(number, &ask.goal)?;
                Answer::Done(Nothing {})
            }
            Request::Dismiss(whom) => {
                let (cast, number) = self.whom(&whom.level, &whom.character)?;
                cast.dismiss(number)?;
                Answer::Done(Nothing {})
            }
            Request::Tick(ask) => Answer::Orders(self.tick(&ask)?),
            Request::Ahead(whom) => {
                let (cast, number) = self.whom(&whom.level, &whom.character)?;
                let steps = cast.ahead(number)?;
                Answer::Ahead(AheadAnswer { steps })
            }
            Request::Tasks(ask) => Answer::Tasks(self.read_tasks(ask)?),
            Request::PlanTasks(asked) => {
                let known = self.tasks.keys().map(String::as_str);
                let missing = || Refusal::no_such("domain", &asked.tasks, known);
                let tasks = self.tasks.get(&asked.tasks).ok_or_else(missing)?;
                let plan = tasks.plan(&asked.ask, self.clock)?;
                Answer::TaskPlan(TaskPlanAnswer { plan })
            }
            Request::PlanRooms(ask) => Answer::RoomsPlan(plan_rooms(&ask, self.clock)?),
            Request::Explorer(ask) => {
                self.explorers.join(ask)?;
                Answer::Done(Nothing {})
            }
            Request::Look(ask) => Answer::Step(self.explorers.look(ask, self.clock)?),
            Request::Forget(ask) => {
                self.forget(&ask)?;
                Answer::Done(Nothing {})
            }
        })
    }

    fn read_level(&mut self, ask: &LevelAsk) -> Result<LevelAnswer, Refusal> {
        let level = match (&ask.text, &ask.path) {
            (Some(text), None) => {
                let Some(id) = &ask.level else {
                    let wrong = "a level from a text needs a name; add `level`";
                    return Err(Refusal::new(Code::NotUnderstood, wrong));
                };
                NamedLevel::read(id, text, |name| match ask.files.get(name) {
                    Some(text) => Ok(text.clone().into_bytes()),
                    None => Err("it is not among `files`".to_owned()),
                })?
            }
            (None, Some(path)) => {
                let mut level = NamedLevel::load(Path::new(path))?;
                if let Some(id) = &ask.level {
                    level.id.clone_from(id);
                }
                level
            }
            _ => {
                let wrong = "give a level as `text`, or as a `path`, and not both";
                return Err(Refusal::new(Code::NotUnderstood, wrong));
            }
        };
        let answer = described(&level);
        let cast = Cast::new(&level);
        self.levels.insert(level.id.clone(), Stage { level, cast });
        Ok(answer)
    }

    fn show(&mut self, ask: &ShowAsk) -> Result<(), Refusal> {
        let stage = self.stage(&ask.level)?;
        match (&ask.log, &ask.points) {
            (Some(log), None) => stage.level.show_log(&ask.name, log.as_bytes())?,
            (None, Some(points)) => stage.level.show_line(&ask.name, points)?,
            _ => {
                let wrong = "show a `log`, or `points`, and not both";
                return Err(Refusal::new(Code::NotUnderstood, wrong));
            }
        }
        stage.cast.shown(&stage.level);
        Ok(())
    }

    fn tick(&mut self, ask: &TickAsk) -> Result<OrdersAnswer, Refusal> {
        let cast = &mut self.stage(&ask.level)?.cast;
        // Everything is looked up first: a line that is refused has changed nothing.
        let mut seen = Vec::new();
        for one in &ask.seen {
            let by = one.by.as_deref();
            let by = by.map(|name| find(cast, name)).transpose()?;
            for observation in one.observations() {
                cast.check(&observation)?;
                seen.push((by, observation));
            }
        }
        cast.pass(ask.seconds)?;
        for (by, observation) in &seen {
            cast.observe(*by, observation)?;
        }
        let spent = cast.think(ask.units);
        let orders = match ask.changes {
            true => cast.changes(),
            false => (0..cast.len())
                .filter_map(|number| cast.intention(number))
                .collect(),
        };
        Ok(OrdersAnswer { spent, orders })
    }

    fn read_tasks(&mut self, ask: TasksAsk) -> Result<TasksAnswer, Refusal> {
        let names: Vec<String> = (1..=ask.texts.len())
            .map(|number| format!("{}.{number}", ask.tasks))
            .collect();
        let texts = names.iter().zip(&ask.texts);
        let texts: Vec<(&str, &str)> = texts.map(|(name, text)| (&**name, &**text)).collect();
        let tasks = Tasks::read(&texts)?;
        let warnings = tasks.warnings.clone();
        self.tasks.insert(ask.tasks.clone(), tasks);
        Ok(TasksAnswer {
            tasks: ask.tasks,
            warnings,
        })
    }

    fn forget(&mut self, ask: &ForgetAsk) -> Result<(), Refusal> {
        if let Some(name) = &ask.level {
            self.stage(name)?;
            self.levels.remove(name);
        }
        if let Some(name) = &ask.tasks
            && self.tasks.remove(name).is_none()
        {
            let known = self.tasks.keys().map(String::as_str);
            return Err(Refusal::no_such("domain", name, known));
        }
        if let Some(name) = &ask.explorer {
            self.explorers.forget(name)?;
        }
        Ok(())
    }

    fn stage(&mut self, name: &str) -> Result<&mut Stage, Refusal> {
        if !self.levels.contains_key(name) {
            let known = self.levels.keys().map(String::as_str);
            return Err(Refusal::no_such("level", name, known));
        }
        let missing = || Refusal::no_such("level", name, []);
        self.levels.get_mut(name).ok_or_else(missing)
    }

    fn whom(&mut self, level: &str, name: &str) -> Result<(&mut Cast, usize), Refusal> {
        let cast = &mut self.stage(level)?.cast;
        let number = find(cast, name)?;
        Ok((cast, number))
    }
}

fn find(cast: &Cast, name: &str) -> Result<usize, Refusal> {
    let missing = || Refusal::no_such("character", name, cast.names());
    cast.find(name).ok_or_else(missing)
}

impl Seen {
    /// Each of the things it says.
    pub fn observations(&self) -> impl Iterator<Item = Observation> {
        let agent = self.agent.as_ref().map(|it| Observation::Agent {
            id: it.id.clone(),
            at: it.at.clone(),
            health: it.health,
            holding: it.holding.clone(),
        });
        let door = self.door.as_ref().map(|it| Observation::Door {
            id: it.id.clone(),
            open: it.open,
        });
        let item = self.item.as_ref().map(|it| Observation::Item {
            id: it.id.clone(),
            lies: it.lies,
        });
        let lever = self.lever.as_ref().map(|it| Observation::Lever {
            id: it.id.clone(),
            pulled: it.pulled,
        });
        [agent, door, item, lever].into_iter().flatten()
    }
}

fn described(level: &NamedLevel) -> LevelAnswer {
    let scenario: &Scenario = &level.level.scenario;
    let ids = |things: &mut dyn Iterator<Item = Thing>| {
        things
            .map(|thing| scenario.id_of(thing).to_owned())
            .collect::<Vec<String>>()
    };
    let actors = (0..scenario.actors().len() as u16).map(AgentId::Actor);
    let enemies = (0..scenario.enemies().len() as u16).map(AgentId::Enemy);
    let items = (0..scenario.items().len() as u8).map(ItemId::new);
    let doors = (0..scenario.doors().len() as u8).map(DoorId::new);
    let levers = (0..scenario.levers().len() as u8).map(LeverId::new);
    let shown = level.level.demonstrations.iter();
    LevelAnswer {
        level: level.id.clone(),
        name: scenario.name().to_owned(),
        actors: ids(&mut actors.map(Thing::Agent)),
        enemies: ids(&mut enemies.map(Thing::Agent)),
        items: ids(&mut items.map(Thing::Item)),
        doors: ids(&mut doors.map(Thing::Door)),
        levers: ids(&mut levers.map(Thing::Lever)),
        demonstrations: shown.map(|it| it.name.clone()).collect(),
    }
}
