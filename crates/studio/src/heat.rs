//! What a heuristic estimates, place by place.

use apprentice::behavior::{EventHeuristic, KeyDoorHeuristic, Planner, event};
use apprentice::search::{Budget, Heuristic};
use apprentice::world::{QuestAtPlace, Scenario, ShortestPath, StraightLine, World};

/// The estimates of a heuristic everywhere, in seconds; none where no way leads to the goal.
pub(crate) fn estimates(
    scenario: &Scenario,
    planner: &Planner,
    estimate: &str,
) -> Result<Vec<Option<f32>>, String> {
    let world = World::new(scenario);
    // As bad as plans take enemies to be, because plans are what estimates are for.
    let scenario = scenario.for_planning();
    let there = QuestAtPlace::new(&scenario, &world, scenario.goal());
    let mut heuristic: Box<dyn Heuristic<QuestAtPlace<'_>> + '_> = match estimate {
        "straight" => Box::new(StraightLine),
        "path" => Box::new(ShortestPath::default()),
        "tgraph" => Box::new(planner.following()),
        "egraph" => Box::new(planner.recalling()),
        "errands" => Box::new(KeyDoorHeuristic::default()),
        _ => {
            let id = estimate.strip_prefix("event:");
            let id = id.ok_or_else(|| format!("there is no estimate called `{estimate}`"))?;
            let thing = event(&scenario, id).map_err(|error| error.to_string())?;
            Box::new(EventHeuristic::new(scenario.landmarks(), thing))
        }
    };
    heuristic.prepare(&there, &mut Budget::unlimited());
    let values = (0..scenario.map().places()).map(|place| {
        let seconds = heuristic.estimate(&there, &place).as_seconds();
        seconds.is_finite().then_some(seconds as f32)
    });
    Ok(values.collect())
}
