//! Plans and estimates, drawn on their maps.

use apprentice_behavior::{EGraphHeuristic, PlannerName, Settings};
use apprentice_experience::{Demonstration, ExperienceMode};
use apprentice_game::{ShortestPath, StraightLine};
use apprentice_report::Report;
use apprentice_report::picture::Picture;
use apprentice_search::{Budget, Heuristic, Weight};
use apprentice_world::{Drawn, QuestAtPlace, World, drawn_line};

use crate::cell::Planning;
use crate::definition::PictureSpec;
use crate::levels::{Level, Levels};
use crate::measure::{Footprints, planned};

/// More than any plan of a picture takes.
const LIMIT: u64 = 20_000_000;

/// Draws what a specification asks for, as SVG text.
///
/// # Errors
///
/// If there is no such level, estimate or plan.
pub(crate) fn draw(spec: &PictureSpec, levels: &Levels) -> Result<String, String> {
    let level = levels.find(&spec.scenario);
    let level = level.ok_or_else(|| format!("there is no level `{}`", spec.scenario))?;
    match &spec.estimate {
        _ if spec.styles => styles(spec, level),
        Some(kind) => estimates(spec, level, kind),
        None => plan(spec, level),
    }
}

fn styles(spec: &PictureSpec, level: &Level) -> Result<String, String> {
    let scenario = &level.scenario;
    let shown = scenario.styles().iter().map(|style| match &style.shown {
        Drawn::Points(points) => Ok(drawn_line(scenario, &*style.id, points)),
        Drawn::File { name, .. } => Err(format!(
            "the style `{}` is a recording, `{name}`; draw it",
            style.id
        )),
    });
    let shown: Vec<Demonstration> = shown.collect::<Result<_, String>>()?;
    let start = World::new(scenario);
    Ok(Picture::of_level(scenario, &shown, &start, &spec.title).draw())
}

fn plan(spec: &PictureSpec, level: &Level) -> Result<String, String> {
    let planning = Planning {
        branching: 16,
        limit: LIMIT,
        planner: spec.planner.clone(),
        ..Planning::default()
    };
    let footprints = if spec.expanded {
        Footprints::Yes
    } else {
        Footprints::No
    };
    let planned = planned(level, &planning, footprints)?;
    let report = Report {
        scenario_id: &level.name,
        scenario: &planned.scenario,
        demonstrations: &planned.demonstrations,
        planner: &planned.planner,
        limits: None,
        explains: false,
        outcome: &planned.outcome,
    };
    Ok(Picture::of_plan(&report).draw())
}

fn estimates(spec: &PictureSpec, level: &Level, kind: &str) -> Result<String, String> {
    let world = World::new(&level.scenario);
    let scenario = level.scenario.for_planning();
    let there = QuestAtPlace::new(&scenario, &world, scenario.goal());
    let weight = |number: Option<f64>| {
        let weight = number.map(Weight::new).transpose();
        weight.map_err(|error| error.to_string())
    };
    let settings = Settings {
        planner: PlannerName::Tgraph,
        w: weight(spec.planner.w)?,
        epsilon: weight(spec.planner.epsilon)?,
        ..Settings::default()
    };
    let checked = settings.check(&scenario, &level.demonstrations[..]);
    let planner = checked.map_err(|error| error.to_string())?.planner;
    let recalling =
        |mode| EGraphHeuristic::new(planner.demonstrations().clone(), planner.epsilon(), mode);
    let mut heuristic: Box<dyn Heuristic<QuestAtPlace<'_>> + '_> = match kind {
        "straight" => Box::new(StraightLine),
        "path" => Box::new(ShortestPath::default()),
        "egraph" => Box::new(planner.recalling()),
        "egraph-heuristic" => Box::new(recalling(ExperienceMode::HeuristicOnly)),
        "tgraph" => Box::new(planner.following()),
        other => return Err(format!("there is no estimate `{other}`")),
    };
    heuristic.prepare(&there, &mut Budget::unlimited());
    let places = 0..scenario.map().places();
    let values: Vec<f64> = places
        .map(|place| heuristic.estimate(&there, &place).as_seconds())
        .collect();
    let picture = Picture::of_estimates(
        &level.scenario,
        &level.demonstrations,
        &world,
        &spec.title,
        &values,
        &[],
    );
    Ok(picture.draw())
}
