//! What characters saw, planned and did, and why, moment by moment: JSON Lines that any game writes
//! and the studio opens as a timeline.
//!
//! A game that wants none has none, and pays nothing: a [`DecisionLog`] looks at characters from
//! outside, after they have decided. It keeps the newest lines, and writes each at once to whatever it
//! is given, so that a running game can be watched. Besides where everybody is now and then, only what
//! changes is written.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io::{self, Write};

use apprentice_behavior::{Character, Crew, Deviation, Doing, MemberId};
use apprentice_game::Live;
use apprentice_htn::{Domain, Next, TaskExecutor};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Lines that are kept unless somebody says otherwise: some minutes of a busy game.
const USUAL_MOST: usize = 10_000;
/// Seconds between two lines about where somebody is.
const INTERVAL: f64 = 0.5;

/// Writes down what characters decide.
///
/// ```
/// use std::time::Duration;
/// use apprentice_behavior::{Character, Doing, Settings};
/// use apprentice_report::decision_log::{Decision, DecisionLog, DoingWord, read};
/// use apprentice_search::Budget;
/// use apprentice_world::{Abilities, Orders, Scenario, World};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { within = { at = [4, 0], radius = 0.0 } }
///     map = { rows = ["....."] }
/// "#)?;
/// let planner = Settings::default().check(&scenario, [])?.planner;
/// let mut character = Character::new(planner, Abilities::default());
/// let mut world = World::new(&scenario);
/// let mut log = DecisionLog::new("corridor");
/// while character.doing() != Doing::Done {
///     let order = character.decide(&scenario, &world, &mut Budget::units(100));
///     log.saw("npc", &scenario, &world, &character);
///     world.advance(&scenario, &Orders::new(order), Duration::from_millis(100), &mut ());
/// }
/// let lines = read(&log.text())?.lines;
/// assert!(matches!(lines[0].decision, Decision::Plan { plans: 1, .. }));
/// let is_done = |decision: &Decision| matches!(decision, Decision::Doing { doing: DoingWord::Done, .. });
/// assert!(lines.iter().any(|line| is_done(&line.decision)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DecisionLog {
    header: String,
    lines: VecDeque<String>,
    most: usize,
    out: Option<Box<dyn Write + Send>>,
    failure: Option<io::Error>,
    known: BTreeMap<String, Known>,
}

/// What is known of somebody, to write down only what changes.
#[derive(Default)]
struct Known {
    plans: u32,
    doing: Option<Doing>,
    at: f64,
    is_placed: bool,
}

/// One line of a log: when, who, and what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionLine {
    /// Seconds since the game began.
    pub t: f64,
    /// Whom the game calls so.
    pub who: String,
    /// What.
    #[serde(flatten)]
    pub decision: Decision,
}

/// What there is to tell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "what", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Decision {
    /// Where somebody is.
    At {
        /// To the east.
        x: f64,
        /// To the south.
        y: f64,
        /// Health, where a game has any.
        health: Option<f64>,
    },
    /// It has a new plan.
    Plan {
        /// How many it has had.
        plans: u32,
        /// Why the one before was left.
        why: Option<Cause>,
        /// Where it is.
        from: [f64; 2],
        /// The way ahead.
        ahead: Vec<[f64; 2]>,
    },
    /// It is at something else than before.
    Doing {
        /// What.
        doing: DoingWord,
        /// Why, if a plan was left.
        why: Option<Cause>,
        /// Where it is.
        at: [f64; 2],
    },
    /// Something happened to it, in the game's own word.
    Event {
        /// What.
        event: String,
    },
    /// It was given a task, or has none.
    Task {
        /// What to do; nothing where there is no task.
        task: Option<String>,
        /// How that came about: `do`, `done`, `impossible`, `gave_up`, `thinking`.
        outcome: TaskOutcome,
        /// Plans that broke so far.
        broken: u64,
    },
}

/// Why a plan was left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cause {
    /// The thing it is about, as the level calls it.
    pub thing: Option<String>,
    /// In words.
    pub text: String,
}

/// What a character is at, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum DoingWord {
    Following,
    Thinking,
    Done,
    Stuck,
    Dead,
}

/// What came of asking for the next task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum TaskOutcome {
    Do,
    Done,
    Impossible,
    GaveUp,
    Thinking,
}

impl From<Doing> for DoingWord {
    fn from(doing: Doing) -> DoingWord {
        match doing {
            Doing::Following => DoingWord::Following,
            Doing::Thinking => DoingWord::Thinking,
            Doing::Done => DoingWord::Done,
            Doing::Stuck => DoingWord::Stuck,
            Doing::Dead => DoingWord::Dead,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: u32,
    log: String,
    level: String,
}

impl DecisionLog {
    /// An empty log of a game in a level of this name.
    #[must_use]
    pub fn new(level: &str) -> DecisionLog {
        let header = Header {
            format: 1,
            log: "decisions".to_owned(),
            level: level.to_owned(),
        };
        DecisionLog {
            header: written(&header),
            lines: VecDeque::new(),
            most: USUAL_MOST,
            out: None,
            failure: None,
            known: BTreeMap::new(),
        }
    }

    /// The same, keeping so many lines at most: older ones go.
    #[must_use]
    pub fn keeping(mut self, most: usize) -> DecisionLog {
        self.most = most;
        self
    }

    /// The same, writing every line at once, too, beginning with those there are: a file that grows can
    /// be watched. When that fails, it is not tried again ([`DecisionLog::failure`]); the game goes on.
    #[must_use]
    pub fn writing_to(mut self, out: impl Write + Send + 'static) -> DecisionLog {
        self.out = Some(Box::new(out));
        let text = self.text();
        self.write(&text);
        self
    }

    /// Why lines are no longer written, if they are not.
    #[must_use]
    pub fn failure(&self) -> Option<&io::Error> {
        self.failure.as_ref()
    }

    /// The lines that are kept, with the one all begin with.
    #[must_use]
    pub fn text(&self) -> String {
        let lines = self.lines.iter().map(String::as_str);
        let all = std::iter::once(self.header.as_str()).chain(lines);
        all.flat_map(|line| [line, "\n"]).collect()
    }

    /// Looks at a character that has just decided.
    pub fn saw<L: Live>(
        &mut self,
        who: &str,
        level: &L,
        world: &L::World,
        character: &Character<L>,
    ) {
        let t = level.time(world).as_secs_f64();
        let point = |world: &L::World| {
            let place = level.at(character.who(), world);
            [thousandths(place.x), thousandths(place.y)]
        };
        let known = self.known.entry(who.to_owned()).or_default();
        let (doing, plans) = (character.doing(), character.plans());
        let is_new = plans > known.plans;
        let is_other = known.doing != Some(doing);
        let is_due = !known.is_placed || t - known.at >= INTERVAL || t < known.at;
        if !is_new && !is_other && !is_due {
            return;
        }
        let here = point(world);
        (known.plans, known.doing) = (plans, Some(doing));
        (known.at, known.is_placed) = (t, true);
        let cause = || character.deviation().map(|why| cause(why, level.things()));
        let mut told = Vec::new();
        if is_new {
            let ahead = character.ahead(level);
            told.push(Decision::Plan {
                plans,
                why: cause().filter(|_| plans > 1),
                from: here,
                ahead: ahead.iter().map(|step| point(&step.world)).collect(),
            });
        } else if is_other {
            let is_left = matches!(doing, Doing::Thinking | Doing::Stuck);
            told.push(Decision::Doing {
                doing: doing.into(),
                why: cause().filter(|_| is_left),
                at: here,
            });
        }
        if is_due {
            let health = level.health(character.who(), world);
            told.push(Decision::At {
                x: here[0],
                y: here[1],
                health: health.is_finite().then(|| thousandths(health)),
            });
        }
        for decision in told {
            self.tell(who, t, decision);
        }
    }

    /// Looks at all members of a crew in one world. `name` says what the game calls them.
    pub fn saw_crew<L: Live>(
        &mut self,
        level: &L,
        world: &L::World,
        crew: &Crew<L>,
        name: impl Fn(MemberId) -> String,
    ) {
        for (id, character) in crew.members() {
            self.saw(&name(id), level, world, character);
        }
    }

    /// What came of asking somebody's tasks for the next. Thinking is told once, and so is whatever else
    /// stays as it is. `name` says what a task is called.
    pub fn asked_task<D: Domain>(
        &mut self,
        who: &str,
        t: f64,
        executor: &TaskExecutor<D>,
        next: &Next<D::Task>,
        name: impl Fn(&D::Task) -> String,
    ) {
        let broken = executor.repairs().broken;
        let (task, outcome) = match next {
            Next::Do(task) => (Some(name(task)), TaskOutcome::Do),
            Next::Done => (None, TaskOutcome::Done),
            Next::Impossible => (None, TaskOutcome::Impossible),
            Next::GaveUp => (None, TaskOutcome::GaveUp),
            Next::Thinking => (None, TaskOutcome::Thinking),
        };
        let decision = Decision::Task {
            task,
            outcome,
            broken,
        };
        let line = DecisionLine {
            t,
            who: who.to_owned(),
            decision,
        };
        let last = self.lines.back().and_then(|line| parsed(line));
        let is_same = last.is_some_and(|last| {
            last.who == line.who && outcome != TaskOutcome::Do && last.decision == line.decision
        });
        if !is_same {
            self.add(&line);
        }
    }

    /// Something happened to somebody, in the game's own word.
    pub fn happened(&mut self, who: &str, t: f64, event: &str) {
        let event = event.to_owned();
        self.tell(who, t, Decision::Event { event });
    }

    fn tell(&mut self, who: &str, t: f64, decision: Decision) {
        let who = who.to_owned();
        self.add(&DecisionLine { t, who, decision });
    }

    fn add(&mut self, line: &DecisionLine) {
        let mut text = written(line);
        while self.lines.len() >= self.most.max(1) {
            self.lines.pop_front();
        }
        self.lines.push_back(text.clone());
        text.push('\n');
        self.write(&text);
    }

    fn write(&mut self, text: &str) {
        let Some(out) = &mut self.out else {
            return;
        };
        if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            self.failure = Some(error);
            self.out = None;
        }
    }
}

impl fmt::Debug for DecisionLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.lines.len();
        f.debug_struct("DecisionLog")
            .field("lines", &lines)
            .finish_non_exhaustive()
    }
}

/// What a text holds.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadDecisions {
    /// The level that was played in, as the game called it.
    pub level: String,
    /// Everything that was told.
    pub lines: Vec<DecisionLine>,
    /// Bytes of the text up to the end of its last whole line: the rest is still being written.
    pub read: usize,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoDecisionLog {
    /// The line, from 1.
    pub line: usize,
    /// What, in words.
    pub why: String,
}

impl fmt::Display for NoDecisionLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for NoDecisionLog {}

/// Reads a log. A last line without an end is still being written, and is left for the next time.
///
/// # Errors
///
/// If it is no log of decisions, or a line of it is broken.
pub fn read(text: &str) -> Result<ReadDecisions, NoDecisionLog> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let mut lines = (1..).zip(text[..whole].lines());
    let wrong = |line: usize, why: String| NoDecisionLog { line, why };
    let header = lines.next().map_or("", |(_, header)| header);
    let is_known = |header: &Header| header.format == 1 && header.log == "decisions";
    let header: Header = serde_json::from_str(header)
        .ok()
        .filter(is_known)
        .ok_or_else(|| {
            let why =
                "this is no log of decisions: those begin with {\"format\":1,\"log\":\"decisions\"";
            wrong(1, why.to_owned())
        })?;
    Ok(ReadDecisions {
        level: header.level,
        lines: more(lines)?,
        read: whole,
    })
}

/// Reads lines that were written after those that were read before.
///
/// # Errors
///
/// If one of them is broken.
pub fn read_more(text: &str) -> Result<(Vec<DecisionLine>, usize), NoDecisionLog> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    Ok((more((1..).zip(text[..whole].lines()))?, whole))
}

fn more<'t>(
    lines: impl Iterator<Item = (usize, &'t str)>,
) -> Result<Vec<DecisionLine>, NoDecisionLog> {
    let told = lines.filter(|(_, line)| !line.trim().is_empty());
    let told = told.map(|(number, line)| {
        serde_json::from_str(line).map_err(|error| NoDecisionLog {
            line: number,
            why: error.to_string(),
        })
    });
    told.collect()
}

fn parsed(line: &str) -> Option<DecisionLine> {
    serde_json::from_str(line).ok()
}

fn written(line: &impl Serialize) -> String {
    // Nothing in it can fail to be written: names are texts, and numbers are finite or null.
    serde_json::to_string(line).unwrap_or_default()
}

fn cause(why: &Deviation, things: &[apprentice_game::Landmark]) -> Cause {
    let landmark = match why {
        Deviation::Flag { landmark, .. }
        | Deviation::EnemyElsewhere { landmark, .. }
        | Deviation::Noticed { landmark } => Some(landmark),
        _ => None,
    };
    let thing = landmark.and_then(|landmark| things.get(landmark.index()));
    Cause {
        thing: thing.map(|thing| thing.name.clone()),
        text: why.in_words(things),
    }
}

/// Nobody measures a game finer than that.
fn thousandths(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("nobody panics").extend(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_newest_lines_are_kept_and_all_are_written() {
        let out = Shared::default();
        let mut log = DecisionLog::new("hall").keeping(3).writing_to(out.clone());
        for number in 0..10 {
            log.happened("anna", f64::from(number), &format!("step:{number}"));
        }
        let kept = read(&log.text()).expect("it can be read");
        assert_eq!(kept.level, "hall");
        let times: Vec<f64> = kept.lines.iter().map(|line| line.t).collect();
        assert_eq!(times, [7.0, 8.0, 9.0]);
        let bytes = out.0.lock().expect("nobody panics").clone();
        let all = String::from_utf8(bytes).expect("it is text");
        assert_eq!(read(&all).expect("it can be read").lines.len(), 10);
    }

    #[test]
    fn a_line_that_is_still_being_written_is_left_for_the_next_time() {
        let mut log = DecisionLog::new("hall");
        log.happened("anna", 1.0, "picked_up:key");
        let text = log.text();
        let half = &text[..text.len() - 5];
        let first = read(half).expect("its beginning can be read");
        assert!(first.lines.is_empty());
        let (rest, read_bytes) = read_more(&text[first.read..]).expect("so can its end");
        assert_eq!(rest.len(), 1);
        assert_eq!(first.read + read_bytes, text.len());
    }

    #[test]
    fn what_is_no_log_is_refused_with_its_line() {
        assert_eq!(read("{}\n").unwrap_err().line, 1);
        let text = format!("{}nonsense\n", DecisionLog::new("hall").text());
        assert_eq!(read(&text).unwrap_err().line, 2);
    }

    /// A writer that is always full.
    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("no space is left"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_does_not_stop_a_game() {
        let mut log = DecisionLog::new("hall").writing_to(Full);
        log.happened("anna", 1.0, "picked_up:key");
        assert!(log.failure().is_some());
        assert_eq!(read(&log.text()).expect("it is kept").lines.len(), 1);
    }
}
