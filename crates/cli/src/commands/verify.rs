//! `apprentice verify`: checks a scenario, or lives through a plan without any search code.

use std::path::PathBuf;
use std::time::Duration;

use apprentice::world::{
    AnyQuest, Enemy, Invalid, Manner, Margins, Order, Scenario, Verified, World, rehearse, verify,
};

use crate::commands::verify_all;
use crate::demonstrations::{self, DemonstrationArguments};
use crate::exit::{Exit, Failure, note, print};
use crate::plan_file;
use crate::player_model::PlayerModelSource;
use crate::scenario_source;
use apprentice::report::document::start_of_plans;
use apprentice::report::numbers::{counted, grouped, short};

/// Check a scenario, or live through a plan without any search code.
#[derive(clap::Args)]
#[command(
    after_help = "Exit codes: 0 valid, 1 the plan is invalid or a test has failed, 3 a file is broken."
)]
pub(crate) struct Arguments {
    /// The scenario file; with --all, the folder to look through [default: .]
    #[arg(required_unless_present = "all")]
    scenario: Option<PathBuf>,

    /// A plan, as `apprentice plan --format json` writes it; without one, the scenario is checked
    plan: Option<PathBuf>,

    /// Run every test of a folder: levels with an `expect` table are played, and plans that lie beside
    /// levels (NAME.toml, NAME.plan.json) are lived through
    #[arg(long, conflicts_with_all = ["plan", "ticks"])]
    all: bool,

    /// Live through the plan in game ticks of this many milliseconds, too; it is invalid unless it
    /// works that way. Without it, plans for levels where others move are tried in ticks of 16 ms,
    /// and how that went is only said
    #[arg(long, value_name = "MS", requires = "plan", value_parser = clap::value_parser!(u64).range(1..=1000))]
    ticks: Option<u64>,
}

/// The ticks of a game that draws sixty pictures a second.
const USUAL_TICK: u64 = 16;

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if arguments.all {
        let here = PathBuf::from(".");
        return verify_all::run(arguments.scenario.as_ref().unwrap_or(&here));
    }
    let mut source = scenario_source::load(arguments.scenario.as_deref())?;
    let Some(path) = &arguments.plan else {
        // The files of its demonstrations are a part of it.
        demonstrations::load(&source, &DemonstrationArguments::default())?;
        print(&format!("valid: {}\n", describe(&source.scenario)))?;
        return Ok(Exit::Done);
    };
    let document = plan_file::load(path)?;
    if let Some(name) = &document.agent {
        source.scenario = scenario_source::planned_for(&source.scenario, name)?;
    }
    if let Some(style) = &document.player_model {
        source.scenario = PlayerModelSource::of(&source, style, None)?.scenario;
    }
    let orders = document
        .orders()
        .map_err(|why| Failure::input(format!("{}: {why}", path.display())))?;
    if let Some(status) = document
        .status
        .as_deref()
        .filter(|status| *status != "found")
    {
        print(&format!(
            "invalid: the document has no plan, its status is `{status}`\n"
        ))?;
        return Ok(Exit::Refuted);
    }
    let other = document.other_scenario(&source.id);
    let start = start_of_plans(&source.scenario).1;
    match document.live_through(&source.scenario, &orders) {
        Ok(lived) => {
            if let Some(other) = other {
                note(&format!(
                    "note: the plan was made for the scenario `{other}`; it also works in this one"
                ));
            }
            let mut text = format!(
                "valid: {}, {} s, the goal is met\n",
                counted(lived.steps.len(), "step"),
                short(lived.cost.as_seconds(), 3),
            );
            if has_margins(&source.scenario) {
                let plain = verify(&source.scenario, &start, &orders, source.scenario.goal());
                text += &match plain {
                    Ok(_) => "also without the planning margins\n".to_owned(),
                    Err(why) => format!("but not without the planning margins: {why}\n"),
                };
            }
            // Where nobody else moves, ticks make no difference.
            let moves = matches!(source.scenario.quest(), AnyQuest::Moving(_));
            let tick = arguments.ticks.or(moves.then_some(USUAL_TICK));
            let mut exit = Exit::Done;
            let shortest = shortest_step(&lived);
            if let Some(tick) = arguments.ticks.filter(|tick| *tick as f64 >= shortest) {
                return Err(Failure::input(format!(
                    "--ticks {tick}: the shortest step of the plan takes {} ms; try shorter ticks",
                    short(shortest, 0)
                )));
            }
            if let Some(tick) = tick.filter(|tick| (*tick as f64) < shortest) {
                let played = play(&source.scenario, &start, &orders, tick);
                text += &match &played {
                    Ok(end) => {
                        format!(
                            "also in game ticks of {tick} ms, with {} health\n",
                            short(*end, 1)
                        )
                    }
                    Err(why) => format!("but not in game ticks of {tick} ms: {why}\n"),
                };
                if let (Err(why), Some(_)) = (&played, arguments.ticks) {
                    text = format!("invalid in game ticks of {tick} ms: {why}\n");
                    exit = Exit::Refuted;
                }
            }
            print(&text)?;
            Ok(exit)
        }
        Err(why) => {
            print(&format!("invalid: {why}\n"))?;
            if let Some(other) = other {
                note(&format!(
                    "note: the plan was made for the scenario `{other}`, and this is `{}`; name the scenario it was made for, or plan this one",
                    source.id
                ));
            }
            Ok(Exit::Refuted)
        }
    }
}

/// The milliseconds of the shortest step: ticks must be shorter, or steps would be skipped.
fn shortest_step(lived: &Verified) -> f64 {
    let mut before = 0.0;
    let mut shortest = f64::INFINITY;
    for step in &lived.steps {
        let now = step.time.as_seconds() * 1000.0;
        shortest = shortest.min(now - before);
        before = now;
    }
    shortest
}

/// Lives through a plan as a game does; the health that is left in the end.
fn play(scenario: &Scenario, start: &World, orders: &[Order], tick: u64) -> Result<f64, Invalid> {
    let tick = Duration::from_millis(tick);
    let played = rehearse(scenario, start, orders, scenario.goal(), tick)?;
    let end = played.steps.last().map_or(start, |step| &step.world);
    Ok(end.health(scenario.agent(), scenario))
}

/// Whether plans are made in a worse world than the game is. Only enemies that move are taken to be
/// worse than they are.
fn has_margins(scenario: &Scenario) -> bool {
    let moves = |enemy: &Enemy| matches!(enemy.kind.manner, Manner::Beast(_));
    scenario.margins() != Margins::NONE && scenario.enemies().iter().any(moves)
}

/// What there is in a scenario.
fn describe(scenario: &Scenario) -> String {
    let counts = [
        (scenario.items().len(), "item"),
        (scenario.doors().len(), "door"),
        (scenario.levers().len(), "lever"),
        (scenario.traps().len(), "trap"),
        (scenario.areas().len(), "area"),
        (scenario.obstacles().len(), "obstacle"),
        (scenario.enemies().len(), "enemy"),
        (scenario.demonstrations().len(), "demonstration"),
    ];
    let mut text = scenario.name().to_owned();
    if let Some(grid) = scenario.grid() {
        text += &format!(", {} by {} cells", grid.width(), grid.height());
    }
    if let Some(mesh) = scenario.map().mesh() {
        let (first, last) = mesh.bounds();
        let (width, height) = (last.x - first.x, last.y - first.y);
        text += &format!(
            ", {width:.0} by {height:.0} m, {} polygons, {} footholds",
            grouped(mesh.polygons() as u64),
            grouped(scenario.map().places() as u64)
        );
    }
    for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
        text += &format!(", {}", counted(count, what));
    }
    text
}
