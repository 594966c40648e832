//! `apprentice recognise`: says what somebody is after, from where they were seen.

use std::fmt::Write;
use std::path::PathBuf;

use apprentice::game::Game;
use apprentice::recognition::{Costs, Gaps, Likelihood, Recognition, costs_of};
use apprentice::search::{Budget, Cost};
use apprentice::world::{
    Abilities, AnyQuest, Goal, Point, Quest, Scenario, ShortestPath, Thing, World,
};
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
    let seen = places_seen(scenario, arguments)?;
    let world = World::new(scenario);
    let mut costs = Vec::new();
    for (name, goal) in &goals {
        let mut budget = Budget::expansions(arguments.expansions);
        let quest = AnyQuest::new(scenario, &world, goal, Abilities::default());
        let found = match &quest {
            AnyQuest::Still(quest) => costs_in(quest, &seen, price, &mut budget),
            AnyQuest::Moving(quest) => costs_in(quest, &seen, price, &mut budget),
        };
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
        seen: seen.len(),
        recognition: &recognition,
    };
    match arguments.format {
        Format::Text => print(&told.text())?,
        Format::Json => print_exactly(&format!("{:#}\n", told.document()))?,
    }
    Ok(Exit::Done)
}

fn costs_in<Q: Quest + Game>(
    quest: &Q,
    seen: &[usize],
    price: Cost,
    budget: &mut Budget<'_>,
) -> Option<Costs> {
    // Where they begin, everybody is; whatever they are after.
    let began = Game::place(quest, &quest.start());
    let seen = match seen.split_first() {
        Some((first, rest)) if *first == began => rest,
        _ => seen,
    };
    let explains = |number: usize, _: &Q::State, _: &Q::Action, to: &Q::State| {
        Game::place(quest, to) == seen[number]
    };
    let estimate = ShortestPath::default;
    costs_of(
        quest,
        seen.len(),
        Gaps::For(price),
        explains,
        estimate,
        budget,
    )
}

/// More places than these tell nothing more, and take longer.
const PLACES: usize = 48;

/// The places where somebody was seen, in order.
fn places_seen(scenario: &Scenario, arguments: &Arguments) -> Result<Vec<usize>, Failure> {
    let log = read_log(&arguments.observed)?.log;
    let map = scenario.map();
    let mut places: Vec<usize> = Vec::new();
    let mut off_the_map = 0;
    for sample in &log.samples {
        let point = Point::new(sample.place.x, sample.place.y);
        // Where floors lie above each other, the height tells which one is meant.
        let near = map.places_on_floor(point, Some(sample.place.z), 0.75);
        let place = near
            .into_iter()
            .min_by(|a, b| {
                let away = |place: usize| map.point_of(place).distance_to(point);
                away(*a).total_cmp(&away(*b))
            })
            .or_else(|| map.place_at(point));
        match place {
            Some(place) if places.last() != Some(&place) => places.push(place),
            Some(_) => {}
            None => off_the_map += 1,
        }
    }
    if off_the_map > 0 {
        note(&format!(
            "note: {} off the map and left out",
            match off_the_map {
                1 => "1 observation is".to_owned(),
                more => format!("{more} observations are"),
            }
        ));
    }
    let step = places.len().div_ceil(PLACES).max(1);
    if step > 1 {
        // From the end, so that the latest is among them.
        let mut kept: Vec<usize> = places.iter().rev().step_by(step).copied().collect();
        kept.reverse();
        places = kept;
    }
    Ok(places)
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
