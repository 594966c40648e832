//! One page and what it asks: quick questions are answered at once, plans are made by somebody else.

use std::sync::Arc;

use apprentice::behavior::PlannerName;
use apprentice::report::document::PlanStatus;

use crate::clock::Clock;
use crate::demonstration_text::{Shown, ShownAs};
use crate::folder::{Folder, Found};
use crate::kept::Prepared;
use crate::logs::Logs;
use crate::playing::Stage;
use crate::protocol::{
    self, Answer, Ask, Detail, Files, Level, LevelPlanning, Line, ListedFile, ListedPlanner,
    Opened, PlanAsk, Refusal, Reply, Side,
};
use crate::tasks::Tasks;
use crate::{
    demonstration_text, demonstrations, fields, heat, imported_level, level, level_tasks,
    neighbours, new_level, picture, planning, planning_text, recording, scene, snapshot, trials,
    watching,
};

/// Letters of the name of a moment, as a file.
const LONGEST_STEM: usize = 60;

/// What becomes of a message of the page.
pub(crate) enum Heard {
    /// It is answered at once: what to send.
    Answered(String),
    /// A plan is asked for, which takes time: the number of the question, and the question.
    Plan(u64, Box<PlanAsk>),
}

/// A reply as it is sent.
pub(crate) fn reply(id: u64, answer: Answer) -> String {
    protocol::write(&Reply { id, answer })
}

/// What a page has under way besides plans.
pub(crate) struct Session {
    folder: Arc<Folder>,
    clock: Clock,
    stage: Option<Stage>,
    tasks: Tasks,
}

impl Session {
    pub(crate) fn new(folder: Arc<Folder>, clock: Clock) -> Session {
        Session {
            folder,
            clock,
            stage: None,
            tasks: Tasks::default(),
        }
    }

    /// Answers a message, unless it asks for a plan.
    pub(crate) fn hear(&mut self, text: &str) -> Heard {
        let question = match protocol::read(text) {
            Ok(question) => question,
            Err(message) => {
                let id = protocol::number_of(text);
                return Heard::Answered(reply(id, Answer::Refused(message.into())));
            }
        };
        match question.ask {
            Ask::Plan(ask) => Heard::Plan(question.id, ask),
            ask => {
                let answer = self.answer(ask).unwrap_or_else(Answer::Refused);
                Heard::Answered(reply(question.id, answer))
            }
        }
    }

    fn answer(&mut self, ask: Ask) -> Result<Answer, Refusal> {
        let folder = &*self.folder;
        Ok(match ask {
            Ask::Files => Answer::Files(files(folder)),
            Ask::Open { path } => open(folder, path)?,
            Ask::Edit { level } => {
                let read = level::read(folder, &level)?;
                Answer::Edited {
                    scene: Box::new(scene::scene_of(&read.scenario, &read.text)),
                    text: read.text,
                    notes: read.notes,
                }
            }
            Ask::New {
                name,
                width,
                height,
            } => {
                let (path, text) = new_level::write(folder, &name, width, height)?;
                let scenario = level::parse(folder, &path, &text)?;
                Answer::Opened(Box::new(Opened {
                    scene: scene::scene(&scenario),
                    path,
                    text,
                    demonstrations: Vec::new(),
                    planning: LevelPlanning::default(),
                    notes: Vec::new(),
                }))
            }
            Ask::Import { path, text } => {
                let drawn = match text {
                    Some(text) => text,
                    None => folder.read(&path)?,
                };
                let made = imported_level::read(folder, &path, &drawn)?;
                let scenario = level::parse(folder, &made.path, &made.text)?;
                Answer::Opened(Box::new(Opened {
                    scene: scene::scene(&scenario),
                    path: made.path,
                    text: made.text,
                    demonstrations: made.lines,
                    planning: LevelPlanning::default(),
                    notes: made.notes,
                }))
            }
            Ask::Stamps { paths } => Answer::Stamps {
                stamps: paths.iter().map(|path| folder.stamp(path)).collect(),
            },
            Ask::Picture { path } => Answer::Picture {
                data: picture::read(folder, &path)?,
                path,
            },
            Ask::Inspect { level, thing } => {
                let read = level::read(folder, &level)?;
                let fields = fields::of(&read, &thing)?;
                Answer::Inspected { thing, fields }
            }
            Ask::Heat {
                level,
                estimate,
                demonstrations,
                settings,
            } => {
                let read = level::read(folder, &level)?;
                let shown = demonstrations::read(&folder.kept, &read.scenario, &demonstrations)?;
                let planner = planning::planner(&read.scenario, &settings, &shown)?.planner;
                let values = heat::estimates(&read.scenario, &planner, &estimate)?;
                Answer::Heat { estimate, values }
            }
            Ask::Lint {
                level,
                demonstrations,
                settings,
            } => {
                let read = level::read(folder, &level)?;
                let findings =
                    crate::lint::findings(&folder.kept, &read, &demonstrations, &settings)?;
                Answer::Lint { findings }
            }
            Ask::ReadLog { text } => {
                let log = demonstrations::read_log(&text)?;
                let (text, note) = demonstrations::whole_lines(text);
                Answer::Log {
                    name: log.header.scenario.unwrap_or_default(),
                    note,
                    text,
                }
            }
            Ask::WriteLog {
                level,
                demonstration,
            } => {
                let read = level::read(folder, &level)?;
                let name = level::short_name(&read.path);
                Answer::Log {
                    text: demonstrations::write_log(&read.scenario, name, &demonstration)?,
                    name: demonstration.name,
                    note: None,
                }
            }
            Ask::Play(ask) => {
                let stage = Stage::open(folder, &ask)?;
                let frame = stage.frame(&[]);
                self.stage = Some(stage);
                Answer::Frame(Box::new(frame))
            }
            Ask::Go(go) => Answer::Frame(Box::new(on(&mut self.stage)?.go(&go)?)),
            Ask::Seek { frame, stays } => {
                Answer::Frame(Box::new(on(&mut self.stage)?.seek(frame, stays)?))
            }
            Ask::Disturb(disturb) => {
                let frame = on(&mut self.stage)?.disturb(folder, &disturb)?;
                Answer::Frame(Box::new(frame))
            }
            Ask::Rearrange { edits } => {
                let frame = on(&mut self.stage)?.rearrange(folder, &edits)?;
                Answer::Frame(Box::new(frame))
            }
            Ask::Retask { tasks } => {
                let frame = on(&mut self.stage)?.retask(folder, tasks.as_ref())?;
                Answer::Frame(Box::new(frame))
            }
            Ask::TasksFor { level } => {
                let read = level::read(folder, &level)?;
                Answer::TasksFile {
                    text: level_tasks::text(&read.scenario),
                    path: format!("{}.htn", level::short_name(&read.path)),
                }
            }
            Ask::Recorded { level, recording } => Answer::Log {
                text: recording::log(&level::read(folder, &level)?, &recording)?,
                name: String::new(),
                note: None,
            },
            Ask::Save {
                path,
                text,
                was,
                replace,
            } => {
                if !replace && folder.has_other_than(&path, was.as_deref()) {
                    return Ok(Answer::Exists { path });
                }
                folder.write(&path, &text)?;
                Answer::Saved {
                    paths: vec![path],
                    notes: Vec::new(),
                }
            }
            Ask::SaveScenario {
                level,
                save_as,
                demonstrations,
                planning,
                was,
                replace,
            } => {
                if !replace && folder.has_other_than(&save_as, was.as_deref()) {
                    return Ok(Answer::Exists { path: save_as });
                }
                let read = level::read(folder, &level)?;
                let text = match &planning {
                    Some(planning) => planning_text::with_planning(&read.text, planning)?,
                    None => read.text,
                };
                let from = (read.path.as_str(), text.as_str());
                Answer::Saved {
                    paths: write_scenario(folder, from, &save_as, &demonstrations)?,
                    notes: Vec::new(),
                }
            }
            Ask::SaveMoment { name } => {
                save_moment((folder, self.clock), on(&mut self.stage)?, &name)?
            }
            Ask::Tests => Answer::Tests {
                tests: trials::list(folder),
            },
            Ask::RunTest { path } => Answer::Tested(trials::run(folder, &path)?),
            Ask::DecisionLogs => Answer::DecisionLogs {
                paths: watching::list(folder),
            },
            Ask::Decisions { path, from } => {
                Answer::Decisions(watching::read(folder, &path, from)?)
            }
            Ask::Tasks(ask) => Answer::Tasks(Box::new(self.tasks.answer(folder, &ask))),
            Ask::OpenTasks { path } => Answer::TasksFile {
                text: folder.read(&path)?,
                path,
            },
            Ask::Plan(_) => return Err("plans are made elsewhere".into()),
        })
    }
}

fn on(stage: &mut Option<Stage>) -> Result<&mut Stage, String> {
    stage
        .as_mut()
        .ok_or_else(|| "nothing is being played".to_owned())
}

fn files(folder: &Folder) -> Files {
    let listed = |found: &Found, built_in| {
        let parsed = level::parse(folder, &found.path, &found.text);
        let short = level::short_name(&found.path).to_owned();
        match parsed {
            Ok(scenario) => ListedFile {
                path: found.path.clone(),
                name: Some(scenario.name().to_owned())
                    .filter(|name| !name.is_empty())
                    .unwrap_or(short),
                built_in,
                wrong: None,
            },
            Err(wrong) => ListedFile {
                path: found.path.clone(),
                name: short,
                built_in,
                wrong: Some(wrong.to_string()),
            },
        }
    };
    // Other programs write .toml files too. A scenario has a format and, unless that is what is wrong
    // with it, a map, a start and a goal.
    let is_scenario = |found: &&Found| {
        let words = ["map", "start", "goal"];
        let known = words.iter().filter(|word| found.text.contains(**word));
        found.text.contains("format") && known.count() >= 2
    };
    let own = folder.list("toml");
    let own = own.iter().filter(is_scenario);
    let mut scenarios: Vec<ListedFile> = own.map(|found| listed(found, false)).collect();
    let built_in = Folder::built_in();
    scenarios.extend(built_in.iter().map(|found| listed(found, true)));
    let own = folder.list("htn").into_iter().map(|found| (found, false));
    let built_in = Folder::built_in_tasks()
        .into_iter()
        .map(|found| (found, true));
    let tasks = own.chain(built_in).map(|(found, built_in)| ListedFile {
        name: level::short_name(&found.path).to_owned(),
        path: found.path,
        built_in,
        wrong: None,
    });
    let drawn = imported_level::READ.into_iter();
    let maps = drawn
        .flat_map(|kind| folder.list(kind))
        .map(|found| found.path);
    let pictures = picture::READ.into_iter();
    let pictures = pictures.flat_map(|kind| folder.names(kind));
    let planners = PlannerName::ALL.into_iter().map(|planner| ListedPlanner {
        name: planner.name(),
        about: planner.about(),
        has_advisers: planner.has_advisers(),
        follows: planner.follows(),
    });
    Files {
        scenarios,
        tasks: tasks.collect(),
        maps: maps.collect(),
        pictures: pictures.collect(),
        planners: planners.collect(),
        planner: planning::DEFAULT.name(),
        version: env!("CARGO_PKG_VERSION"),
    }
}

/// Opens a level; one that is broken with what is wrong with it, so that it can be mended.
fn open(folder: &Folder, path: String) -> Result<Answer, Refusal> {
    let text = folder.read(&path)?;
    let scenario = match level::parse(folder, &path, &text) {
        Ok(scenario) => scenario,
        Err(Refusal { message, place }) => {
            return Ok(Answer::Broken {
                path,
                text,
                message,
                place,
            });
        }
    };
    let (demonstrations, notes) = demonstrations::own(folder, &path, &scenario);
    let planning = scenario.planning();
    Ok(Answer::Opened(Box::new(Opened {
        scene: scene::scene_of(&scenario, &text),
        path,
        text,
        demonstrations,
        planning: LevelPlanning {
            planner: planning.planner.clone(),
            faithful: planning.faithful,
        },
        notes,
    })))
}

/// Writes a scenario that came from another path, with these demonstrations. Returns the paths of
/// all files that were written, its own first.
fn write_scenario(
    folder: &Folder,
    (from, text): (&str, &str),
    path: &str,
    lines: &[Line],
) -> Result<Vec<String>, String> {
    let mut logs = Logs::beside(folder, (from, text), path)?;
    let mut paths = Vec::new();
    let text = if Folder::is_built_in(from) {
        paths.extend(write_map(folder, from, text, path)?);
        text.to_owned()
    } else {
        neighbours::with_map_from(text, from, path)?
    };
    let shown = (1..).zip(lines).map(|(number, line)| {
        let what = match &line.log {
            Some(log) => ShownAs::File(logs.name_for(number, log)),
            None => ShownAs::Points(&line.points),
        };
        Shown {
            what,
            name: &line.name,
            hidden: line.hidden,
        }
    });
    let shown: Vec<Shown<'_>> = shown.collect();
    let text =
        demonstration_text::with_demonstrations(&text, &shown, |name| logs.name_if_left_out(name))?;
    for (path, log) in logs.new {
        folder.write(&path, log)?;
        paths.push(path);
    }
    folder.write(path, &text)?;
    paths.insert(0, path.to_owned());
    Ok(paths)
}

/// Writes the map of a built-in scenario beside where the scenario is to be, unless it is there.
fn write_map(
    folder: &Folder,
    from: &str,
    text: &str,
    path: &str,
) -> Result<Option<String>, String> {
    let Some(name) = neighbours::map_file(text)? else {
        return Ok(None);
    };
    let map = folder.read_beside(from, &name)?;
    let beside = neighbours::beside(path, &name).unwrap_or_default();
    if !folder.has(&beside) {
        folder.write(&beside, &map)?;
        return Ok(Some(beside));
    }
    if folder.read(&beside)? != map {
        return Err(format!(
            "there is another `{beside}`; save the level into another folder"
        ));
    }
    Ok(None)
}

/// Writes the moment that is shown as a scenario, and the plan that must work in it.
fn save_moment(
    (folder, clock): (&Folder, Clock),
    stage: &Stage,
    name: &str,
) -> Result<Answer, String> {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let stem = words.join("_").to_lowercase();
    if stem.is_empty() {
        return Err("name the moment with a few letters from a to z, or digits".to_owned());
    }
    if stem.len() > LONGEST_STEM {
        return Err(format!(
            "the name is too long for a file; {LONGEST_STEM} letters are enough"
        ));
    }
    let path = format!("moments/{stem}.toml");
    let expected = format!("moments/{stem}.plan.json");
    for path in [&path, &expected] {
        if folder.has(path) {
            let path = path.clone();
            return Ok(Answer::Exists { path });
        }
    }
    let (read, lines) = (stage.level(), stage.lines());
    let told = snapshot::tell(&read.scenario, stage.world(), &read.text, name)?;
    let ask = PlanAsk {
        level: Level {
            // Files it names lie beside the level it came from.
            path: read.path.clone(),
            text: told.text.clone(),
            edits: Vec::new(),
        },
        demonstrations: lines.to_vec(),
        settings: stage.settings().clone(),
        side: Side::Left,
        detail: Detail::Live,
    };
    let mut plan = None;
    let never = std::sync::atomic::AtomicBool::new(false);
    let nothing = &mut Prepared::default();
    planning::plan((folder, clock), nothing, &ask, &never, |answer| {
        plan = Some(answer.plan);
    })
    .map_err(|why| format!("this moment cannot be told as a scenario: {why}"))?;
    let plan = plan.filter(|plan| plan.status == PlanStatus::Found);
    let mut plan =
        plan.ok_or("no plan leads from this moment to the goal, so there is nothing to expect")?;
    plan.scenario.clone_from(&stem);
    let mut paths = write_scenario(folder, (&read.path, &told.text), &path, lines)?;
    let text = plan.to_text().map_err(|error| error.to_string())?;
    folder.write(&expected, &text)?;
    paths.insert(1, expected);
    let notes = told.notes;
    Ok(Answer::Saved { paths, notes })
}
