//! `apprentice demo record`: records a demonstration by carrying out orders in a world.

use std::io::{self, BufRead, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use apprentice::experience::{Json, LogHeader, LoggedAgent, LoggedSample, Place, Recorder, Unit};
use apprentice::world::{
    AgentId, Goal, Map, Order, Orders, Scenario, Stance, Thing, Verified, World, verify, where_is,
};

use super::log_file::{Beginning, LogFile};
use super::refuse_to_overwrite;
use crate::demonstrations::read_log;
use crate::exit::{Exit, Failure, note, print};
use crate::output_file::{self, cannot_write};
use crate::plan_file;
use crate::scenario_source::{self, Source};
use apprentice::report::document::start_of_plans;
use apprentice::report::events;
use apprentice::report::numbers::{counted, short};

/// Record a demonstration by carrying out a plan, or orders from the standard input.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The scenario file
    scenario: PathBuf,

    /// The log to write (.jsonl)
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Carry out this plan, as `apprentice plan --format json` writes it
    #[arg(long, value_name = "PLAN")]
    plan: Option<PathBuf>,

    /// Seconds between two samples; a log that is appended to keeps its own [default: 0.5]
    #[arg(
        long,
        value_name = "SECONDS",
        conflicts_with = "append",
        allow_hyphen_values = true
    )]
    interval: Option<f64>,

    /// Go on at the end of a log that is already there
    #[arg(long, conflicts_with = "force")]
    append: bool,

    /// Overwrite a log that is already there
    #[arg(long)]
    force: bool,
}

const HELP: &str = "\
Without --plan, orders are read from the standard input: one a line, as `walk east`, with a number
in front to repeat it: `12 sneak north-east`. Empty lines and those that begin with # are skipped.
Every sample is written at once, so that nothing that was recorded is lost: if apprentice is killed,
everything up to then is in the log, and if the power fails, everything up to the last second.
With --force, an old log stays as it is until the new one is complete; a recording that is
interrupted before is in a file of its own beside it.

Nothing is written before the first order can be carried out.

Exit codes: 0 recorded, 1 an order could not be carried out and the log ends before it, 3 bad input.";

/// More orders in a row are a mistake in typing.
const MOST_REPEATS: u32 = 10_000;
/// Longer lists of orders come from no keyboard.
const LARGEST_INPUT: u64 = 16 << 20;

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let source = scenario_source::load(Some(&arguments.scenario))?;
    let scenario = &source.scenario;
    let log = Log::prepare(arguments, &source.id, scenario)?;
    // Enemies are as they are, not as bad as plans take them to be.
    let (start, mut orders): (World, Box<dyn Iterator<Item = _>>) = match &arguments.plan {
        Some(path) => {
            let orders = orders_of_plan(path, &source)?.into_iter();
            (start_of_plans(scenario).1, Box::new(orders.map(Ok)))
        }
        None => (World::new(scenario), Box::new(listen())),
    };
    // Nothing is written before there is something to record.
    let Some(first) = orders.next().transpose()? else {
        return Err(Failure::input(format!(
            "there is nothing to record: {}",
            match &arguments.plan {
                Some(path) => format!("the plan in `{}` has no steps", path.display()),
                None => "no order was given; write one a line, as `walk east`".to_owned(),
            }
        )));
    };
    if let Err(why) = after(scenario, &start, &first) {
        note(&format!("nothing is recorded: {why}"));
        return Ok(Exit::Refuted);
    }
    let begin = place(scenario, &start, AgentId::NPC);
    if let Some(end) = log.end.filter(|end| end.distance_to(begin) > 1.0) {
        note(&format!(
            "note: the log ended at {end} and goes on at {begin}, where the scenario starts; a log of its own may follow better"
        ));
    }
    let path = &arguments.output;
    if !arguments.append {
        output_file::refuse_inputs(path)?;
    }
    let file = LogFile::begin(path, &log.beginning).map_err(|error| cannot_write(path, &error))?;
    if let Some(meanwhile) = file.meanwhile() {
        note(&format!(
            "note: until it is complete, the recording is in {}; {} stays as it is until then",
            meanwhile.display(),
            path.display()
        ));
    }
    let mut session = Session {
        scenario,
        world: start.clone(),
        recorder: log.recorder,
        file,
        path,
        samples: 0,
        now: 0.0,
        syncs_often: false,
    };
    // Whoever types has time, and may think about the next order for long.
    session.syncs_often = arguments.plan.is_none() && io::stdin().is_terminal();
    session.recorder.start(0.0);
    let outcome = session.sample_at(0.0, &start).and_then(|()| {
        std::iter::once(Ok(first))
            .chain(orders)
            .try_for_each(|heard| session.carry_out_all(&heard?))
    });
    let seconds = session.now;
    if let Err(Ended::Unwritten(error)) = &outcome {
        return Err(session.give_up(error));
    }
    let samples = session.finish()?;
    let told = format!(
        "{}, {} s, recorded to {}\n",
        counted(samples, "sample"),
        short(seconds, 3),
        arguments.output.display()
    );
    match outcome {
        Ok(()) => print(&told)?,
        Err(Ended::Impossible(why)) => {
            print(&told)?;
            note(&format!("note: the log ends before {why}"));
            return Ok(Exit::Refuted);
        }
        Err(Ended::Unwritten(error)) => return Err(cannot_write(path, &error)),
        Err(Ended::Failed(failure)) => {
            note(&format!("note: {}", told.trim_end()));
            return Err(failure);
        }
    }
    Ok(Exit::Done)
}

/// An order, how often it is to be carried out, and the line of the input it is from.
struct Heard {
    order: Order,
    repeats: u32,
    line: Option<usize>,
}

/// The orders of a plan. One that was made for another scenario must be true here word for word:
/// otherwise it would record something that nobody has shown.
fn orders_of_plan(path: &Path, source: &Source) -> Result<Vec<Heard>, Failure> {
    let shown = path.display();
    let document = plan_file::load(path)?;
    let orders = document.orders();
    let orders = orders.map_err(|why| Failure::input(format!("{shown}: {why}")))?;
    if let Some(other) = document.other_scenario(&source.id)
        && let Err(why) = document.live_through(&source.scenario, &orders)
    {
        return Err(Failure::input(format!(
            "`{shown}` is a plan for the scenario `{other}`, and this is `{}`, where it is wrong: {why}; name the scenario it was made for, or plan this one",
            source.id
        )));
    }
    let heard = |order| Heard {
        order,
        repeats: 1,
        line: None,
    };
    Ok(orders.into_iter().map(heard).collect())
}

/// Orders from the standard input, until it ends.
fn listen() -> impl Iterator<Item = Result<Heard, Failure>> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        note("one order a line, as `walk east` or `12 sneak north-east`; end with Ctrl-D");
    }
    let lines = (1..).zip(stdin.lock().take(LARGEST_INPUT).lines());
    lines.filter_map(|(number, line)| {
        let at = |why: String| Failure::input(format!("standard input, line {number}: {why}"));
        let line = match line {
            Ok(line) => line,
            Err(error) => return Some(Err(at(error.to_string()))),
        };
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let heard = read_order(line).map(|(repeats, order)| Heard {
            order,
            repeats,
            line: Some(number),
        });
        Some(heard.map_err(at))
    })
}

/// What comes of carrying out an order once, or why that cannot be.
fn after(scenario: &Scenario, world: &World, heard: &Heard) -> Result<Verified, String> {
    let nothing = Goal::All(Vec::new());
    let order = heard.order;
    verify(scenario, world, &[order], &nothing).map_err(|invalid| {
        let why = invalid.to_string();
        let why = why.split_once(": ").map_or(why.as_str(), |(_, why)| why);
        match heard.line {
            Some(line) => format!("line {line}, `{order}`: {why}"),
            None => format!("`{order}`: {why}"),
        }
    })
}

/// A log that can be written, and is not yet: a new one, or one that is already there and goes on
/// after its last whole line.
struct Log {
    recorder: Recorder,
    beginning: Beginning,
    /// Where the old log ended.
    end: Option<Place>,
}

impl Log {
    /// Finds out whether a log can be written, and changes nothing.
    fn prepare(arguments: &Arguments, id: &str, scenario: &Scenario) -> Result<Log, Failure> {
        let path = &arguments.output;
        if arguments.append && path.exists() {
            // It goes on in the file that is read here, so that one may be written to; another one,
            // as the scenario, must not.
            output_file::check(path)?;
            let read = read_log(path)?;
            return Ok(Log {
                recorder: Recorder::resume(&read.log),
                beginning: Beginning::After(read.intact as u64),
                end: read.log.samples.last().map(|sample| sample.place),
            });
        }
        if !arguments.force {
            refuse_to_overwrite(path, "--append goes on at its end, --force overwrites it")?;
        }
        let header = LogHeader {
            scenario: Some(id.to_owned()),
            interval: arguments.interval,
            unit: Some(match scenario.map() {
                Map::Grid(_) => Unit::Cell,
                Map::Mesh(_) => Unit::Metre,
            }),
            ..LogHeader::default()
        };
        let (recorder, line) = Recorder::new(header)
            .map_err(|error| Failure::input(format!("--interval: {}", error.wrong)))?;
        output_file::check(path)?;
        Ok(Log {
            recorder,
            beginning: Beginning::New(line),
            end: None,
        })
    }
}

/// A world in which orders are carried out, and the log of it.
struct Session<'a> {
    scenario: &'a Scenario,
    world: World,
    recorder: Recorder,
    file: LogFile,
    path: &'a Path,
    samples: usize,
    /// Seconds since the recording began.
    now: f64,
    /// Whether samples are on the disk after every order.
    syncs_often: bool,
}

/// Why a recording ended before all orders were carried out.
enum Ended {
    /// An order cannot be carried out.
    Impossible(String),
    /// There is no room for more, or no more disk.
    Unwritten(io::Error),
    Failed(Failure),
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Ended {
        Ended::Failed(failure)
    }
}

impl Session<'_> {
    /// Carries out an order as often as it says.
    fn carry_out_all(&mut self, heard: &Heard) -> Result<(), Ended> {
        (0..heard.repeats).try_for_each(|_| self.carry_out(heard))?;
        if self.syncs_often {
            self.file.sync().map_err(Ended::Unwritten)?;
        }
        Ok(())
    }

    /// Carries out one order, and samples the world on the way.
    fn carry_out(&mut self, heard: &Heard) -> Result<(), Ended> {
        let lived = after(self.scenario, &self.world, heard).map_err(Ended::Impossible)?;
        let order = heard.order;
        let begun = self.now;
        let end = begun + lived.time().as_seconds();
        let mut told = 0;
        // Each sample looks ahead in a copy of the world, so that looking changes nothing.
        while let Some(moment) = self.recorder.due_in(self.now).map(|due| self.now + due) {
            if moment >= end {
                break;
            }
            let mut events = Vec::new();
            let mut ahead = self.world.clone();
            let elapsed = Duration::from_secs_f64(moment - begun);
            ahead.advance(self.scenario, &Orders::new(order), elapsed, &mut events);
            for event in events.iter().skip(told) {
                self.recorder.happened(events::word(self.scenario, *event));
            }
            told = told.max(events.len());
            self.now = moment;
            self.sample_at(moment, &ahead)?;
        }
        let Some(step) = lived.steps.last() else {
            return Ok(());
        };
        for event in step.events.iter().skip(told) {
            self.recorder.happened(events::word(self.scenario, *event));
        }
        self.world = step.world.clone();
        self.now = end;
        self.sample_at(end, &step.world)?;
        Ok(())
    }

    /// Writes a sample if one is due.
    fn sample_at(&mut self, now: f64, world: &World) -> Result<(), Ended> {
        let line = self.recorder.see(now, || sample(self.scenario, world));
        let line = line.map_err(|wrong| Failure::Bug(wrong.to_string()))?;
        self.write(line).map_err(Ended::Unwritten)
    }

    fn finish(mut self) -> Result<usize, Failure> {
        let (now, world) = (self.now, self.world.clone());
        let line = self.recorder.stop(now, || sample(self.scenario, &world));
        let line = line.map_err(|wrong| Failure::Bug(wrong.to_string()))?;
        if let Err(error) = self.write(line).and_then(|()| self.file.sync()) {
            return Err(self.give_up(&error));
        }
        let told = self.where_it_is();
        self.file.finish().map_err(|error| {
            note(&told);
            cannot_write(self.path, &error)
        })?;
        Ok(self.samples)
    }

    /// What cannot be written any more is no reason to lose what was.
    fn give_up(self, error: &io::Error) -> Failure {
        if self.samples > 0 {
            note(&self.where_it_is());
        }
        cannot_write(self.path, error)
    }

    fn where_it_is(&self) -> String {
        let place = self.file.meanwhile();
        let place = place.as_deref().unwrap_or(self.path).display();
        let samples = counted(self.samples, "sample");
        format!("note: {samples} until then, recorded to {place}")
    }

    /// Writes a line, if there is one.
    fn write(&mut self, line: Option<String>) -> io::Result<()> {
        if let Some(line) = line {
            self.file.write(&line)?;
            self.samples += 1;
        }
        Ok(())
    }
}

/// An order and how often it is to be carried out.
fn read_order(line: &str) -> Result<(u32, Order), String> {
    let (repeats, order) = match line.split_once(char::is_whitespace) {
        Some((first, rest)) if first.starts_with(|it: char| it.is_ascii_digit()) => {
            let repeats = first
                .parse()
                .ok()
                .filter(|it| (1..=MOST_REPEATS).contains(it));
            let repeats = repeats
                .ok_or_else(|| format!("`{first}` must be a number from 1 to {MOST_REPEATS}"))?;
            (repeats, rest)
        }
        _ => (1, line),
    };
    let order = order.parse().map_err(|why| format!("{why}"))?;
    Ok((repeats, order))
}

/// Everything a log says about a moment.
fn sample(scenario: &Scenario, world: &World) -> LoggedSample {
    let stance = world.stance(AgentId::NPC);
    let flags = [
        ("fighting", stance.is_some_and(Stance::fights)),
        ("blocking", stance.is_some_and(Stance::blocks)),
    ];
    let others = (1..scenario.actors().len()).map(|actor| AgentId::Actor(actor as u16));
    let enemies = (0..scenario.enemies().len()).map(|enemy| AgentId::Enemy(enemy as u16));
    let agent = |agent: AgentId| {
        let logged = LoggedAgent {
            place: place(scenario, world, agent),
            health: Some(tidy(world.health(agent, scenario))).filter(|it| it.is_finite()),
            mode: world
                .mode(agent, scenario)
                .map(|mode| format!("{mode:?}").to_lowercase()),
            ..LoggedAgent::default()
        };
        (scenario.id_of(Thing::Agent(agent)).to_owned(), logged)
    };
    LoggedSample {
        place: place(scenario, world, AgentId::NPC),
        gait: stance.map(|stance| stance.gait().to_string()),
        health: Some(tidy(world.health(AgentId::NPC, scenario))),
        stamina: Some(tidy(world.stamina(AgentId::NPC))),
        holding: world
            .holding(AgentId::NPC)
            .map(|item| scenario.id_of(Thing::Item(item)).to_owned())
            .collect(),
        flags: flags
            .into_iter()
            .filter(|(_, is_set)| *is_set)
            .filter_map(|(name, _)| Some((name.to_owned(), Json::parse("true")?)))
            .collect(),
        agents: others.chain(enemies).map(agent).collect(),
        ..LoggedSample::default()
    }
}

/// Where an agent is; where floors lie above each other, as high as the floor it is on.
fn place(scenario: &Scenario, world: &World, agent: AgentId) -> Place {
    let at = where_is(scenario, world, agent);
    Place::new(tidy(at.x), tidy(at.y), tidy(at.z))
}

/// Without noise in the last digits.
fn tidy(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
