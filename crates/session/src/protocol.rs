//! What is said line by line: questions, and what becomes of them. The only file that knows what they
//! look like.

use std::collections::BTreeMap;

use apprentice::report::document::{PlanDocument, TaskPlanDocument};
use apprentice::report::schema::Described;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::rooms::{ExplorerAsk, LookAsk, PlanRoomsAsk, RoomsPlanAnswer, StepAnswer};
use crate::{AskedGoal, Code, Intention, PlanAsk, Recruit, Refusal, Spent, TaskAsk, Told, Verdict};

/// What is said line by line, for those who want to know what it looks like.
pub const LINES: [Described; 2] = [
    Described::read::<Question>(
        "serve-question",
        "what apprentice serve --stdio reads, a line each",
        "ServeQuestion",
    ),
    Described::written::<Reply>(
        "serve-answer",
        "what apprentice serve --stdio answers, a line each",
        "ServeAnswer",
    ),
];

/// A question: a line.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Question {
    /// Anything; the answer has the same.
    #[serde(default)]
    pub n: Option<Value>,
    /// What is asked for.
    #[serde(flatten)]
    pub request: Request,
}

/// What is asked for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Request {
    /// Reads a level, in place of one of that name and of everybody in it.
    Level(LevelAsk),
    /// Shows something in a level, to characters who come later and to plans.
    Show(ShowAsk),
    /// Plans a quest.
    Plan(PlanIn),
    /// Lives through a plan.
    Verify(VerifyAsk),
    /// Somebody joins.
    Character(CharacterAsk),
    /// Somebody is after something else.
    Pursue(PursueAsk),
    /// Somebody leaves.
    Dismiss(Whom),
    /// Time passes, something is seen, everybody thinks, and has an order.
    Tick(TickAsk),
    /// What somebody means to do.
    Ahead(Whom),
    /// Reads a domain of tasks, in place of one of that name.
    Tasks(TasksAsk),
    /// Plans tasks.
    PlanTasks(PlanTasksIn),
    /// Plans in rooms full of things.
    PlanRooms(PlanRoomsAsk),
    /// Somebody explores rooms, in place of another of that name.
    Explorer(ExplorerAsk),
    /// An explorer sees something, thinks, and has a move.
    Look(LookAsk),
    /// Forgets a level with everybody in it, a domain, or an explorer.
    Forget(ForgetAsk),
}

/// A level: its text, or a file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LevelAsk {
    /// What it is to be called; of a file, its name without its ending if not given.
    #[serde(default)]
    pub level: Option<String>,
    /// A scenario file's text.
    #[serde(default)]
    pub text: Option<String>,
    /// Texts of the files it names, by their names.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// A scenario file, instead of a text.
    #[serde(default)]
    pub path: Option<String>,
}

/// Something that was shown: a log, or a line.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowAsk {
    /// The level.
    pub level: String,
    /// What it is to be called.
    pub name: String,
    /// A recorded log's text.
    #[serde(default)]
    pub log: Option<String>,
    /// A line's points, instead of a log.
    #[serde(default)]
    pub points: Option<Vec<Vec<f64>>>,
}

/// A quest in a level.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanIn {
    /// The level.
    pub level: String,
    /// What plan.
    #[serde(default)]
    pub ask: PlanAsk,
}

/// A plan in a level.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyAsk {
    /// The level.
    pub level: String,
    /// The plan, as `plan` answers.
    pub plan: Value,
}

/// Somebody in a level.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Whom {
    /// The level.
    pub level: String,
    /// Who.
    pub character: String,
}

/// Somebody who joins.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CharacterAsk {
    /// The level.
    pub level: String,
    /// What it is to be called.
    pub character: String,
    /// Who it is, and how it plans.
    #[serde(default, rename = "as")]
    pub recruit: Recruit,
}

/// What somebody is after from now on.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PursueAsk {
    /// The level.
    pub level: String,
    /// Who.
    pub character: String,
    /// What, as scenario files write goals.
    pub goal: AskedGoal,
}

/// A tick of the game.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TickAsk {
    /// The level.
    pub level: String,
    /// How many seconds have passed since the last tick, at most 60.
    #[serde(default)]
    pub seconds: f64,
    /// What is so now, after that time.
    #[serde(default)]
    pub seen: Vec<Seen>,
    /// So many units of budget may be spent by all of them together.
    #[serde(default)]
    pub units: u64,
    /// Whether only those are told whose order, plan or state has changed since this was asked last.
    #[serde(default)]
    pub changes: bool,
}

/// Something that is so in the game.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Seen {
    /// Who sees it; everybody if not given.
    pub by: Option<String>,
    /// Something about somebody.
    pub agent: Option<SeenAgent>,
    /// Something about a door.
    pub door: Option<SeenDoor>,
    /// Something about an item.
    pub item: Option<SeenItem>,
    /// Something about a lever.
    pub lever: Option<SeenLever>,
}

/// Where somebody is, how well, and what it holds, as far as that is said.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SeenAgent {
    /// Who, by its id in the level; the one who sees it if not given.
    pub id: Option<String>,
    /// Where: two coordinates, or three with a height.
    pub at: Option<Vec<f64>>,
    /// From 0, which is dead.
    pub health: Option<f64>,
    /// The ids of all it holds.
    pub holding: Option<Vec<String>>,
}

/// Whether a door is open.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenDoor {
    /// Which.
    pub id: String,
    /// Whether it is.
    pub open: bool,
}

/// Whether an item lies where it lay at the beginning.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenItem {
    /// Which.
    pub id: String,
    /// Whether it does.
    pub lies: bool,
}

/// Whether a lever was pulled.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenLever {
    /// Which.
    pub id: String,
    /// Whether it was.
    pub pulled: bool,
}

/// A domain of tasks.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TasksAsk {
    /// What it is to be called.
    pub tasks: String,
    /// Its text; or several, which are read as one.
    pub texts: Vec<String>,
}

/// A problem in a domain of tasks.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanTasksIn {
    /// The domain.
    pub tasks: String,
    /// What plan.
    #[serde(default)]
    pub ask: TaskAsk,
}

/// What is forgotten.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForgetAsk {
    /// A level.
    #[serde(default)]
    pub level: Option<String>,
    /// A domain.
    #[serde(default)]
    pub tasks: Option<String>,
    /// An explorer.
    #[serde(default)]
    pub explorer: Option<String>,
}

/// An answer: a line.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Reply {
    /// What the question had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n: Option<Value>,
    /// What became of it.
    #[serde(flatten)]
    pub answer: Answer,
}

/// What became of a question.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Answer {
    /// A level was read.
    Level(LevelAnswer),
    /// A plan, or that there is none.
    Plan(Box<PlanAnswer>),
    /// Whether a plan works.
    Verdict(Verdict),
    /// What everybody is to do.
    Orders(OrdersAnswer),
    /// What somebody means to do.
    Ahead(AheadAnswer),
    /// A domain was read.
    Tasks(TasksAnswer),
    /// A plan of tasks, or that there is none.
    TaskPlan(TaskPlanAnswer),
    /// A plan in rooms, or that there is none.
    RoomsPlan(RoomsPlanAnswer),
    /// What an explorer does next.
    Step(StepAnswer),
    /// It was done, and there is nothing to say.
    Done(Nothing),
    /// It was not done.
    Error(ErrorAnswer),
}

/// Nothing to say.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Nothing {}

/// A level that was read.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LevelAnswer {
    /// What it is called here.
    pub level: String,
    /// Its name for people.
    pub name: String,
    /// Those who take orders.
    pub actors: Vec<String>,
    /// Enemies.
    pub enemies: Vec<String>,
    /// Items.
    pub items: Vec<String>,
    /// Doors.
    pub doors: Vec<String>,
    /// Levers.
    pub levers: Vec<String>,
    /// What was shown in it.
    pub demonstrations: Vec<String>,
}

/// A plan.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlanAnswer {
    /// The document that `apprentice plan --format json` prints.
    pub plan: PlanDocument,
}

/// What everybody is to do.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OrdersAnswer {
    /// What the budget went to.
    pub spent: Spent,
    /// Everybody, or everybody of whom there is something new.
    pub orders: Vec<Intention>,
}

/// What somebody means to do.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AheadAnswer {
    /// Step by step.
    pub steps: Vec<Told>,
}

/// A domain that was read.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TasksAnswer {
    /// What it is called here.
    pub tasks: String,
    /// What looks wrong, and is no error; mostly nothing.
    pub warnings: String,
}

/// A plan of tasks.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TaskPlanAnswer {
    /// The document that `apprentice htn plan --format json` prints.
    pub plan: TaskPlanDocument,
}

/// Why something was not done.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ErrorAnswer {
    /// What kind of thing is wrong, in a word that stays.
    pub code: Code,
    /// What is wrong, and what to try.
    pub message: String,
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Answer {
        Answer::Error(ErrorAnswer {
            code: refusal.code,
            message: refusal.message,
        })
    }
}
