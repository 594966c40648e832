//! What a companion did once, done again by the clock: the baseline that knows a whole play, and nothing
//! of the one it is in.

use std::time::Duration;

use apprentice_search::Budget;
use apprentice_world::{AgentId, PlayerModel, Recording, Replayed, World};

use crate::noisy_player::as_shown;
use crate::{Cave, CompanionError, Watched};

const TICK: Duration = Duration::from_millis(33);
const UNITS: u64 = 2_000;
const LONGEST: Duration = Duration::from_secs(300);

/// For each style of a level, the orders of a companion beside a player who went exactly as was shown,
/// until both were there: what is recorded and handed out where nothing is planned.
pub(crate) fn recordings(cave: &Cave) -> Result<Vec<Replayed>, CompanionError> {
    let scenario = &cave.scenario;
    let styles = scenario.styles().iter().zip(&cave.exemplars);
    let recordings = styles.map(|(style, shown)| {
        let model = PlayerModel::new(scenario, shown, style.stance);
        let model = model.map_err(|error| CompanionError::Style {
            style: style.id.clone(),
            why: error.to_string(),
        })?;
        record(cave, &model)
    });
    recordings.collect()
}

fn record(cave: &Cave, model: &PlayerModel) -> Result<Replayed, CompanionError> {
    let scenario = &cave.scenario;
    let mut companion = cave.companion()?;
    let (mut world, mut events) = (World::new(scenario), Vec::new());
    let (mut recording, mut memory) = (Recording::begin(scenario), 0);
    while world.time() < LONGEST && !cave.is_over(&world) {
        let watched = Watched {
            world: &world,
            events: &events,
        };
        let order = companion.decide(scenario, watched, &mut Budget::units(UNITS));
        let asked = as_shown(model, scenario, &world, &mut memory);
        events.clear();
        recording.advance(&mut world, scenario, order, Some(asked), TICK, &mut events);
    }
    let script = recording.script_of(AgentId::NPC, Duration::ZERO);
    Ok(script.unwrap_or_default())
}
