//! What the page and the studio say to each other. This is the only file that knows JSON.
//!
//! Every question has a number, and its answers bear it.

mod shown;

use std::fmt;

use apprentice::report::decision_log::DecisionLine;
use apprentice::report::schema::Described;
use apprentice::report::visible;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

pub(crate) use shown::*;

/// What the page and the studio say to each other, for those who want to know what it looks like.
pub const MESSAGES: [Described; 2] = [
    Described::read::<Question>(
        "studio-question",
        "what the page of apprentice studio asks",
        "StudioQuestion",
    ),
    Described::written::<Reply>(
        "studio-answer",
        "what apprentice studio answers",
        "StudioAnswer",
    ),
];

/// A question of the page.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Question {
    /// Its number.
    pub(crate) id: u64,
    #[serde(flatten)]
    pub(crate) ask: Ask,
}

/// What can be asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub(crate) enum Ask {
    /// Which files, planners and estimates there are.
    Files,
    /// The text of a scenario, and what is in it.
    Open { path: String },
    /// A level of this size with nothing in it but a start and a goal. It is in no file yet.
    New {
        #[serde(deserialize_with = "visible_name")]
        name: String,
        width: u64,
        height: u64,
    },
    /// A level made of a map that was drawn with Tiled or LDtk, with the objects on it. It is in no file
    /// yet. Without a text, that of the file.
    Import {
        path: String,
        #[serde(default)]
        text: Option<String>,
    },
    /// Whether files are still what they were: a number for each, which is another when the file is.
    Stamps { paths: Vec<String> },
    /// A picture of the folder, to lie under a level.
    Picture { path: String },
    /// Changes a scenario's text.
    Edit {
        #[serde(flatten)]
        level: Level,
    },
    /// What the file says about a thing; about the level itself if the thing has no name.
    Inspect {
        #[serde(flatten)]
        level: Level,
        thing: String,
    },
    /// A plan.
    Plan(Box<PlanAsk>),
    /// What a heuristic estimates everywhere.
    Heat {
        #[serde(flatten)]
        level: Level,
        estimate: String,
        demonstrations: Vec<Line>,
        settings: PlannerSettings,
    },
    /// What may be wrong with demonstrations, for plans that are made like this.
    Lint {
        #[serde(flatten)]
        level: Level,
        demonstrations: Vec<Line>,
        #[serde(default)]
        settings: PlannerSettings,
    },
    /// Whether a log can be read.
    ReadLog { text: String },
    /// A drawn line as a log.
    WriteLog {
        #[serde(flatten)]
        level: Level,
        demonstration: Line,
    },
    /// Begins to play.
    Play(Box<PlayAsk>),
    /// Lets time pass.
    Go(Go),
    /// Goes back to an earlier frame, or to a later one that was seen before. Whoever `stays` there is
    /// told what the character was about to do, which takes a while.
    Seek {
        frame: usize,
        #[serde(default)]
        stays: bool,
    },
    /// Changes the world while it is played.
    Disturb(Disturb),
    /// Changes the level while it is played.
    Rearrange { edits: Vec<Edit> },
    /// Gives other tasks while they are carried out, or none. A mistake in them changes nothing.
    Retask {
        #[serde(default)]
        tasks: Option<PlayedTasks>,
    },
    /// Tasks for what is in a level, to begin with.
    TasksFor {
        #[serde(flatten)]
        level: Level,
    },
    /// The log of what a person has played.
    Recorded {
        #[serde(flatten)]
        level: Level,
        recording: Vec<Ordered>,
    },
    /// Writes a file. Without `replace`, one that is there is left alone, unless it is still what it
    /// was.
    Save {
        path: String,
        text: String,
        #[serde(default)]
        was: Option<String>,
        #[serde(default)]
        replace: bool,
    },
    /// Writes a scenario with its demonstrations. Recorded ones become files beside it.
    SaveScenario {
        #[serde(flatten)]
        level: Level,
        save_as: String,
        demonstrations: Vec<Line>,
        /// How plans are to be made; without it, as the text says.
        #[serde(default)]
        planning: Option<LevelPlanning>,
        #[serde(default)]
        was: Option<String>,
        #[serde(default)]
        replace: bool,
    },
    /// Writes the moment that is being played as a scenario and the plan that must work in it.
    SaveMoment {
        #[serde(deserialize_with = "visible_name")]
        name: String,
    },
    /// The levels of the folder that are tests.
    Tests,
    /// Runs one of them.
    RunTest { path: String },
    /// The files of the folder in which games have written down what their characters decide.
    DecisionLogs,
    /// What is in such a file from a byte on.
    Decisions {
        path: String,
        #[serde(default)]
        from: usize,
    },
    /// Checks, formats and plans with a domain of tasks.
    Tasks(TasksAsk),
    /// The text of a file of tasks.
    OpenTasks { path: String },
}

/// A scenario as the page has it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct Level {
    /// Where it came from, so that files it names are found.
    pub(crate) path: String,
    pub(crate) text: String,
    /// Changes that are being tried.
    #[serde(default)]
    pub(crate) edits: Vec<Edit>,
}

/// A change of a scenario.
#[derive(Clone, Debug, Deserialize, PartialEq, JsonSchema)]
#[serde(tag = "edit", rename_all = "snake_case")]
pub(crate) enum Edit {
    /// Puts a thing elsewhere. `start`, `goal` and `player` are things too.
    Move {
        thing: String,
        x: f64,
        y: f64,
        /// On which floor; without it, on the one it is on.
        #[serde(default)]
        height: Option<f64>,
        /// How high each of its cells is then, of a door on uneven ground.
        #[serde(default)]
        heights: Vec<f64>,
    },
    /// Opens a door for the beginning, or shuts it.
    Door { thing: String, open: bool },
    /// Puts a player into the level.
    AddPlayer {
        x: f64,
        y: f64,
        #[serde(default)]
        height: Option<f64>,
    },
    /// Takes the player out.
    RemovePlayer,
    /// Makes cells of a grid walls or floor. No wall is put where something stands.
    Paint { with: Cover, cells: Vec<[u32; 2]> },
    /// The same for all cells between two corners.
    PaintRectangle {
        with: Cover,
        from: [u32; 2],
        to: [u32; 2],
    },
    /// The same for all cells that hang together with one and are what it is.
    PaintFill { with: Cover, at: [u32; 2] },
    /// Puts something new into the level. A door in a wall makes an opening.
    Add {
        /// key, door, shield, item, pack, lever, player, character, or a kind of enemy.
        what: String,
        x: f64,
        y: f64,
        #[serde(default)]
        height: Option<f64>,
        /// Of a door: the key that opens it.
        #[serde(default)]
        opened_by: Option<String>,
    },
    /// Puts another of the same kind, and with the same numbers, into the level.
    Copy {
        thing: String,
        x: f64,
        y: f64,
        #[serde(default)]
        height: Option<f64>,
    },
    /// Takes a thing out. Who referred to it no longer does, and that is said; what the goal asks for
    /// stays.
    Remove { thing: String },
    /// Writes what is expected of whoever plays in the level; nothing, if nothing is.
    Expect {
        #[serde(default)]
        expect: Option<ShownExpectation>,
    },
    /// Writes how many seconds a point of lost health counts in plans.
    Price { harm: f64 },
    /// Writes which picture lies under the level; nothing, if none does.
    Underlay {
        #[serde(default)]
        picture: Option<Underlay>,
    },
    /// Writes which tasks are done in the level when it is played; nothing, if its goal is.
    Bind {
        #[serde(default)]
        tasks: Option<BoundTasks>,
    },
    /// Writes what the file says about a thing, as a person types it. Without a value nothing is said.
    Set {
        thing: String,
        field: String,
        #[serde(default)]
        value: Option<String>,
    },
}

/// What is expected of whoever plays in a level.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, JsonSchema)]
pub(crate) struct ShownExpectation {
    pub(crate) arrives: bool,
    /// In so many seconds at most.
    #[serde(default)]
    pub(crate) within: Option<f64>,
    /// With so much health at least.
    #[serde(default)]
    pub(crate) health: Option<f64>,
    #[serde(default)]
    pub(crate) unnoticed: bool,
    /// How much of what was shown it passes by at least, from 0 to 1.
    #[serde(default)]
    pub(crate) followed: Option<f64>,
}

/// A picture that lies under a level, so that it can be painted over.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, JsonSchema)]
pub(crate) struct Underlay {
    /// Its file, as seen from that of the level.
    pub(crate) file: String,
    /// Where its left upper corner is, in cells or metres.
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// How wide it is, in the same.
    pub(crate) width: f64,
}

/// Tasks that are done in a level when it is played.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, JsonSchema)]
pub(crate) struct BoundTasks {
    /// Their file, as seen from that of the level.
    pub(crate) file: String,
    /// What is to be done; empty: what the file itself asks for.
    #[serde(default)]
    pub(crate) goal: String,
    /// Who does it; without it, the character at `start`.
    #[serde(default)]
    pub(crate) who: Option<String>,
}

/// What a cell can be.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Cover {
    Wall,
    Floor,
}

/// A point of a line: x, y and, where floors lie above each other, how high.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Dot {
    Low([f64; 2]),
    High([f64; 3]),
}

impl Dot {
    pub(crate) fn new(x: f64, y: f64, height: Option<f64>) -> Dot {
        height.map_or(Dot::Low([x, y]), |height| Dot::High([x, y, height]))
    }

    pub(crate) fn seen_from_above(self) -> [f64; 2] {
        let (Dot::Low([x, y]) | Dot::High([x, y, _])) = self;
        [x, y]
    }

    pub(crate) fn height(self) -> Option<f64> {
        match self {
            Dot::Low(_) => None,
            Dot::High([_, _, height]) => Some(height),
        }
    }

    pub(crate) fn is_finite(self) -> bool {
        let finite = self.seen_from_above().into_iter().chain(self.height());
        finite.into_iter().all(f64::is_finite)
    }
}

/// A name without what nobody can see in it.
fn visible_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    Ok(visible::only(&name).into_owned())
}

/// A demonstration as the page has it.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq)]
pub(crate) struct Line {
    #[serde(deserialize_with = "visible_name")]
    pub(crate) name: String,
    /// A drawn line.
    #[serde(default)]
    pub(crate) points: Vec<Dot>,
    /// A recorded log; its samples count instead of the points.
    #[serde(default)]
    pub(crate) log: Option<String>,
    /// Whether it is left out for now. Only what is saved can be.
    #[serde(default)]
    pub(crate) hidden: bool,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct PlanAsk {
    #[serde(flatten)]
    pub(crate) level: Level,
    pub(crate) demonstrations: Vec<Line>,
    pub(crate) settings: PlannerSettings,
    /// Which of the two plans side by side.
    #[serde(default)]
    pub(crate) side: Side,
    #[serde(default)]
    pub(crate) detail: Detail,
}

/// Which of two plans side by side, or the best plan there is, to hold the others against.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Side {
    #[default]
    Left,
    Right,
    Best,
}

impl Side {
    pub(crate) const ALL: [Side; 3] = [Side::Left, Side::Right, Side::Best];
}

/// How plans in a level are to be made, as its file says.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq)]
pub(crate) struct LevelPlanning {
    /// The name of a planner; without it, the one that is used unless another is chosen.
    #[serde(default)]
    pub(crate) planner: Option<String>,
    /// From 0, the best plan, to 1, what was shown.
    #[serde(default)]
    pub(crate) faithful: Option<f64>,
}

/// How much is wanted.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Detail {
    /// The first plan, at once: something is being dragged.
    #[default]
    Live,
    /// The best plan there is time for, and how it was found.
    Full,
}

/// A planner and its numbers; what is missing follows from the bound.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq)]
pub(crate) struct PlannerSettings {
    pub(crate) planner: String,
    /// From 0, the best plan, to 1, what was shown.
    pub(crate) faithful: Option<f64>,
    pub(crate) w: Option<f64>,
    pub(crate) epsilon: Option<f64>,
    pub(crate) w1: Option<f64>,
    pub(crate) w2: Option<f64>,
    #[serde(default)]
    pub(crate) reopen: bool,
    pub(crate) events: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) no_calibration: bool,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct PlayAsk {
    #[serde(flatten)]
    pub(crate) level: Level,
    pub(crate) demonstrations: Vec<Line>,
    pub(crate) settings: PlannerSettings,
    /// If the person plays the character, to have it recorded: all it was ordered to do so far.
    #[serde(default)]
    pub(crate) recording: Option<Vec<Ordered>>,
    /// The tasks somebody is to do instead of what the level asks for.
    #[serde(default)]
    pub(crate) tasks: Option<PlayedTasks>,
}

/// Tasks that are carried out in a level.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct PlayedTasks {
    pub(crate) path: String,
    pub(crate) text: String,
    /// What is to be done; empty: what the file itself asks for.
    #[serde(default)]
    pub(crate) goal: String,
    /// Who is to do it, as the level calls it; without it, the character at `start`.
    #[serde(default)]
    pub(crate) who: Option<String>,
}

/// An order, and for how many moments it was given.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct Ordered(pub(crate) String, pub(crate) u32);

/// Lets time pass, in tenths of a second.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct Go {
    pub(crate) moments: u32,
    /// What the person wants: of the character while recording, of the player otherwise.
    #[serde(default)]
    pub(crate) order: Option<String>,
    /// Whom the person holds in its hand meanwhile.
    #[serde(default)]
    pub(crate) held: Option<Held>,
}

/// Somebody who is carried about.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct Held {
    pub(crate) thing: String,
    pub(crate) x: f64,
    pub(crate) y: f64,
    #[serde(default)]
    pub(crate) height: Option<f64>,
}

/// Something that nobody planned for.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(tag = "disturbance", rename_all = "snake_case")]
pub(crate) enum Disturb {
    Open {
        thing: String,
    },
    Shut {
        thing: String,
    },
    Remove {
        thing: String,
    },
    Return {
        thing: String,
    },
    /// Somebody is in a hand.
    Move(Held),
    /// Somebody is put down. An enemy lives there from then on.
    Settle(Held),
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct TasksAsk {
    pub(crate) path: String,
    pub(crate) text: String,
    /// What is to be done; empty: what the file itself asks for.
    #[serde(default)]
    pub(crate) goal: String,
    /// Whether the canonical layout is wanted.
    #[serde(default)]
    pub(crate) format: bool,
}

/// An answer, with the number of its question.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Reply {
    pub(crate) id: u64,
    #[serde(flatten)]
    pub(crate) answer: Answer,
}

/// What can be answered.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub(crate) enum Answer {
    Files(Files),
    Opened(Box<Opened>),
    /// A level that cannot be read: its text, and what is wrong with it where.
    Broken {
        path: String,
        text: String,
        message: String,
        place: Option<TextPlace>,
    },
    Stamps {
        /// In the order of the question; null for what is not there.
        stamps: Vec<Option<String>>,
    },
    Picture {
        path: String,
        /// All of it, as the address of an image.
        data: String,
    },
    Edited {
        text: String,
        scene: Box<Scene>,
        /// What else had to be changed, or was left as it was, in words.
        notes: Vec<String>,
    },
    Inspected {
        thing: String,
        fields: Vec<Field>,
    },
    Plan(Box<PlanAnswer>),
    Heat {
        estimate: String,
        /// Seconds, place by place; null where no way leads to the goal.
        values: Vec<Option<f32>>,
    },
    Lint {
        findings: Vec<LintFinding>,
    },
    Log {
        text: String,
        name: String,
        /// What was cut off, if something was.
        note: Option<String>,
    },
    Frame(Box<Frame>),
    Tests {
        tests: Vec<ListedTest>,
    },
    Tested(Tested),
    DecisionLogs {
        paths: Vec<String>,
    },
    Decisions(Decisions),
    Saved {
        paths: Vec<String>,
        /// What could not be kept, or is different, in words.
        notes: Vec<String>,
    },
    /// There is a file of that name, or what was in it has changed.
    Exists {
        path: String,
    },
    Tasks(Box<TasksAnswer>),
    TasksFile {
        path: String,
        text: String,
    },
    /// It cannot be done, and why.
    Refused(Refusal),
    /// A newer question took its place.
    Superseded,
}

/// Why something cannot be done.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Refusal {
    /// In words, without the place.
    pub(crate) message: String,
    /// Where in the text of the level, if that is where the mistake is.
    pub(crate) place: Option<TextPlace>,
}

/// A place in a text, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct TextPlace {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl<T: Into<String>> From<T> for Refusal {
    fn from(message: T) -> Refusal {
        Refusal {
            message: message.into(),
            place: None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(TextPlace { line, column }) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.message)
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Files {
    pub(crate) scenarios: Vec<ListedFile>,
    pub(crate) tasks: Vec<ListedFile>,
    /// Maps of level editors, of which levels can be made.
    pub(crate) maps: Vec<String>,
    /// Pictures that can lie under a level.
    pub(crate) pictures: Vec<String>,
    pub(crate) planners: Vec<ListedPlanner>,
    /// The planner that is used unless another is chosen.
    pub(crate) planner: &'static str,
    pub(crate) version: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListedFile {
    pub(crate) path: String,
    pub(crate) name: String,
    pub(crate) built_in: bool,
    /// What is wrong with it, if it cannot be read.
    pub(crate) wrong: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListedPlanner {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// Whether it listens to advisers.
    pub(crate) has_advisers: bool,
    /// Whether demonstrations draw it.
    pub(crate) follows: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Opened {
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) scene: Scene,
    pub(crate) demonstrations: Vec<OwnLine>,
    pub(crate) planning: LevelPlanning,
    /// What could not be read, in words.
    pub(crate) notes: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListedTest {
    pub(crate) path: String,
    pub(crate) name: String,
    pub(crate) expects: Option<ShownExpectation>,
    /// Whether a plan lies beside it that must work.
    pub(crate) has_plan: bool,
}

/// How a test went.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Tested {
    pub(crate) path: String,
    pub(crate) passed: bool,
    /// What was expected and did not happen, in words.
    pub(crate) unmet: Vec<String>,
    pub(crate) time: Option<f64>,
    pub(crate) health: Option<f64>,
    pub(crate) followed: Option<f64>,
}

/// What a game has written down.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Decisions {
    pub(crate) path: String,
    /// The level it was played in, where the file is read from its beginning.
    pub(crate) level: Option<String>,
    pub(crate) lines: Vec<DecisionLine>,
    /// From which byte on to ask the next time.
    pub(crate) read: usize,
}

/// Something the file says about a thing, or may say, in its own word.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) sort: FieldSort,
    /// As a person would type it; empty if the file says nothing.
    pub(crate) value: String,
    /// What it is if the file says nothing.
    pub(crate) usual: Option<String>,
    /// What can be chosen from.
    pub(crate) options: Vec<String>,
    /// In words, for people.
    pub(crate) about: String,
    /// Of a kind of enemy: its name. It is the same for all of that kind.
    pub(crate) of_kind: Option<String>,
}

/// How a field is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FieldSort {
    Number,
    Text,
    /// true or false.
    Flag,
    /// One of the options.
    Choice,
    /// Any of the options, with commas between them.
    Several,
    /// Two or three numbers with commas between them.
    Place,
    /// Whatever the file may say there, as the file says it.
    Written,
}

/// A demonstration that came with a scenario.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct OwnLine {
    pub(crate) name: String,
    /// Whether it is left out for now.
    pub(crate) hidden: bool,
    pub(crate) points: Vec<Dot>,
    pub(crate) log: Option<String>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct LintFinding {
    /// The number of the demonstration.
    pub(crate) demonstration: usize,
    pub(crate) severity: String,
    /// What it is, in one word for programs: `pauses`, `irrelevant`, `in-a-wall`…
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) at: Option<[f64; 2]>,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct TasksAnswer {
    pub(crate) diagnostics: Vec<TaskDiagnostic>,
    pub(crate) formatted: Option<String>,
    /// Whether what follows comes from the last text without mistakes.
    pub(crate) stale: bool,
    pub(crate) found: bool,
    pub(crate) status: String,
    pub(crate) steps: Vec<String>,
    pub(crate) cost: Option<f64>,
    /// How the goal was taken apart, and why each method was refused or taken.
    pub(crate) why: Vec<TaskLine>,
}

/// Something wrong with a text; places are counted in UTF-16 units, as browsers do.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TaskDiagnostic {
    pub(crate) severity: &'static str,
    pub(crate) code: &'static str,
    /// The file, if it is another than the one that is written.
    pub(crate) file: Option<String>,
    /// Whether it is about the goal that was asked for beside the file.
    pub(crate) in_goal: bool,
    pub(crate) line: usize,
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) message: String,
    pub(crate) hint: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TaskLine {
    pub(crate) depth: usize,
    /// task, refused, taken.
    pub(crate) kind: &'static str,
    pub(crate) text: String,
    /// The line of the text it is about, counted from 1.
    pub(crate) line: Option<usize>,
}

/// The question in a message, or what is wrong with it.
pub(crate) fn read(text: &str) -> Result<Question, String> {
    serde_json::from_str(text).map_err(|error| format!("the message is no question: {error}"))
}

/// The number of a question that could not be read, if at least that is there.
pub(crate) fn number_of(text: &str) -> u64 {
    #[derive(Deserialize)]
    struct Numbered {
        id: u64,
    }
    serde_json::from_str::<Numbered>(text).map_or(0, |numbered| numbered.id)
}

/// The message of a reply.
pub(crate) fn write(reply: &Reply) -> String {
    serde_json::to_string(reply).unwrap_or_else(|error| {
        let id = reply.id;
        format!(
            r#"{{"id":{id},"answer":"refused","message":"the answer cannot be written: {error}"}}"#
        )
    })
}
