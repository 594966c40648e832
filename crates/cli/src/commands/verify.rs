//! `apprentice verify`: checks a scenario, or lives through a plan without any search code.

use std::path::PathBuf;

use apprentice::world::{Enemy, Manner, Margins, Scenario, verify};

use crate::demonstrations::{self, DemonstrationArguments};
use crate::exit::{Exit, Failure, note, print};
use crate::numbers::{counted, grouped, short};
use crate::plan_document::{PlanDocument, start_of_plans};
use crate::scenario_source;

/// Check a scenario, or live through a plan without any search code.
#[derive(clap::Args)]
#[command(after_help = "Exit codes: 0 valid, 1 the plan is invalid, 3 a file is broken.")]
pub(crate) struct Arguments {
    /// The scenario file
    scenario: PathBuf,

    /// A plan, as `apprentice plan --format json` writes it; without one, the scenario is checked
    plan: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let source = scenario_source::load(Some(&arguments.scenario))?;
    let Some(path) = &arguments.plan else {
        // The files of its demonstrations are a part of it.
        demonstrations::load(&source, &DemonstrationArguments::default())?;
        print(&format!("valid: {}\n", describe(&source.scenario)))?;
        return Ok(Exit::Done);
    };
    let document = PlanDocument::load(path)?;
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
    let other = document.other_scenario(&source);
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
                let start = start_of_plans(&source.scenario).1;
                let plain = verify(&source.scenario, &start, &orders, source.scenario.goal());
                text += &match plain {
                    Ok(_) => "also without the planning margins\n".to_owned(),
                    Err(why) => format!("but not without the planning margins: {why}\n"),
                };
            }
            print(&text)?;
            Ok(Exit::Done)
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
