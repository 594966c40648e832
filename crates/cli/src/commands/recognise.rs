//! `apprentice recognise`: says what somebody is after, from where they were seen.

use std::fmt::Write;
use std::path::PathBuf;

use apprentice::recognition::{Likelihood, Recognition};
use apprentice::search::{Budget, Cost};
use apprentice::world::{Goal, Point, Scenario, Thing};
use apprentice_session::Sightings;
use serde_json::json;

use crate::commands::plan::Format;
use crate::demonstrations::read_log;
use crate::exit::{Exit, Failure, note, print, print_exactly};
use crate::scenario_source;
use apprentice::report::numbers::{counted, finite, short};

/// Say what somebody is after, from where they were seen.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The scenario file
    scenario: PathBuf,

    /// A goal they may have: `NAME=X,Y` or `NAME=X,Y,HEIGHT` for a place, `NAME=ID` for something to be
    /// fetched, pulled, opened or killed; may be given again and again
    #[arg(long = "goal", value_name = "NAME=GOAL", required = true)]
    goals: Vec<String>,

    /// Where they were seen: a recorded demonstration, or some of its lines
    #[arg(long, value_name = "LOG")]
    observed: PathBuf,

    /// An observation that fits no plan may be a mistake, and counts as a detour of so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 4.0)]
    mistake: f64,

    /// How many states may be looked at for each goal
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    expansions: u64,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let source = scenario_source::load(Some(&arguments.scenario))?;
    let scenario = &source.scenario;
    let price = Cost::try_from_seconds(arguments.mistake).map_err(|_| {
        let given = arguments.mistake;
        Failure::input(format!(
            "--mistake {given} is no time; give seconds, such as 4"
        ))
    })?;
    let goals: Vec<(String, Goal)> = arguments
        .goals
        .iter()
        .map(|text| goal(scenario, text))
        .collect::<Result<_, _>>()?;
    let sightings = sightings(scenario, arguments)?;
    let mut costs = Vec::new();
    for (name, goal) in &goals {
        let mut budget = Budget::units(arguments.expansions);
        let found = sightings.costs(scenario, goal, price, &mut budget);
        let Some(found) = found else {
            note(&format!(
                "after {} expansions it is not known what `{name}` costs; --expansions allows more",
                arguments.expansions
            ));
            return Ok(Exit::BudgetSpent);
        };
        costs.push(found);
    }
    let recognition = Recognition::of(costs, None, &Likelihood::default());
    let told = Told {
        scenario: &source.id,
        goals: &goals,
        seen: sightings.places.len(),
        recognition: &recognition,
    };
    match arguments.format {
        Format::Text => print(&told.text())?,
        Format::Json => print_exactly(&format!("{:#}\n", told.document()))?,
    }
    Ok(Exit::Done)
}

/// Where the log says that somebody was.
fn sightings(scenario: &Scenario, arguments: &Arguments) -> Result<Sightings, Failure> {
    let log = read_log(&arguments.observed)?.log;
    let sightings = Sightings::in_log(scenario.map(), &log);
    if sightings.off_the_map > 0 {
        note(&format!(
            "note: {} off the map and left out",
            match sightings.off_the_map {
                1 => "1 observation is".to_owned(),
                more => format!("{more} observations are"),
            }
        ));
    }
    Ok(sightings)
}

fn goal(scenario: &Scenario, text: &str) -> Result<(String, Goal), Failure> {
    let wrong = |why: String| Failure::input(format!("--goal {text}: {why}"));
    let Some((name, goal)) = text.split_once('=') else {
        return Err(wrong(
            "write NAME=X,Y or NAME=ID, as in gate=12,4 or gold=chest".to_owned(),
        ));
    };
    if let Some(thing) = scenario.thing(goal) {
        let goal = match thing {
            Thing::Item(item) => Goal::Holds(item),
            Thing::Door(door) => Goal::DoorOpen(door),
            Thing::Lever(lever) => Goal::LeverOn(lever),
            Thing::Agent(agent) => Goal::Dead(agent),
        };
        return Ok((name.to_owned(), goal));
    }
    let numbers: Option<Vec<f64>> = goal
        .split(',')
        .map(|number| number.trim().parse().ok().filter(|it: &f64| it.is_finite()))
        .collect();
    let (at, height) = match numbers.as_deref() {
        Some([x, y]) => (Point::new(*x, *y), None),
        Some([x, y, height]) => (Point::new(*x, *y), Some(*height)),
        _ => {
            return Err(wrong(format!(
                "there is no `{goal}` in the scenario; name a thing in it, or a place as in 12,4"
            )));
        }
    };
    // As near as one can stand on any kind of map.
    let radius = 0.5;
    if scenario
        .map()
        .places_on_floor(at, height, radius)
        .is_empty()
    {
        return Err(wrong(
            "nobody can stand there; name a place on the map".to_owned(),
        ));
    }
    Ok((name.to_owned(), Goal::Within { at, height, radius }))
}

struct Told<'a> {
    scenario: &'a str,
    goals: &'a [(String, Goal)],
    seen: usize,
    recognition: &'a Recognition,
}

impl Told<'_> {
    fn text(&self) -> String {
        let mut text = format!(
            "{}: {} of where they were\n",
            self.scenario,
            counted(self.seen, "observation")
        );
        let mut order: Vec<usize> = (0..self.goals.len()).collect();
        let likely = &self.recognition.distribution;
        order.sort_by(|a, b| likely.of(*b).total_cmp(&likely.of(*a)).then(a.cmp(b)));
        for goal in order {
            let costs = self.recognition.costs[goal];
            let why = if costs.at_best == Cost::INFINITE {
                "cannot be reached".to_owned()
            } else if costs.detour() == Cost::ZERO {
                format!(
                    "{} s away, and they are on the best way",
                    short(costs.at_best.as_seconds(), 1)
                )
            } else {
                format!(
                    "{} s away, and where they were is a detour of {} s",
                    short(costs.at_best.as_seconds(), 1),
                    short(costs.detour().as_seconds(), 1)
                )
            };
            let _ = writeln!(
                text,
                "  {:>3} %  {}: {why}",
                short(likely.of(goal) * 100.0, 0),
                self.goals[goal].0
            );
        }
        text
    }

    fn document(&self) -> serde_json::Value {
        let seconds = |cost: Cost| (cost < Cost::INFINITE).then(|| finite(cost.as_seconds()));
        let goals = self.goals.iter().enumerate().map(|(number, (name, _))| {
            let costs = self.recognition.costs[number];
            json!({
                "name": name,
                "probability": finite(self.recognition.distribution.of(number)),
                "cost": seconds(costs.at_best),
                "cost_as_observed": seconds(costs.explaining),
                "detour": seconds(costs.detour()),
            })
        });
        let named = self.recognition.named.iter();
        let named: Vec<&str> = named.map(|goal| self.goals[*goal].0.as_str()).collect();
        json!({
            "scenario": self.scenario,
            "observations": self.seen,
            "goals": goals.collect::<Vec<_>>(),
            "named": named,
            "explained": self.recognition.explained,
        })
    }
}
