//! A moment of a game as a scenario that begins midway, so that it can be a test.

use std::time::Duration;

use apprentice::world::{AgentId, Order, Orders, Scenario, World};
use toml_edit::DocumentMut;

use crate::scenario_text::{self, Spot};
use crate::scene;

/// Nobody is under way for longer: the longest link at the slowest pace.
const LONGEST_STEP: Duration = Duration::from_secs(120);
/// How finely the end of a step is looked for.
const GRAIN: Duration = Duration::from_millis(50);

/// A moment, told as a scenario.
pub(crate) struct Told {
    pub(crate) text: String,
    /// What a scenario cannot say, or says differently, in words.
    pub(crate) notes: Vec<String>,
}

/// Tells a moment of the game that is played in the level of `text`.
pub(crate) fn tell(
    scenario: &Scenario,
    world: &World,
    text: &str,
    name: &str,
) -> Result<Told, String> {
    let mut notes = Vec::new();
    let mut world = *world;
    let waited = finish_step(scenario, &mut world)?;
    if waited > Duration::ZERO {
        notes.push(format!(
            "the character was in the middle of a step; the test begins {:.1} s later, when it is over",
            waited.as_secs_f64()
        ));
    }
    let mut moves = vec![("start", spot(scenario, &world, AgentId::NPC))];
    if scenario.actors().len() > 1 {
        moves.push(("player", spot(scenario, &world, AgentId::PLAYER)));
        notes.push(
            "nobody plays in a test: the player goes its route if it has one, and waits otherwise"
                .to_owned(),
        );
    }
    let moved = scenario_text::with_moved(text, &moves)?;
    let midway = world.midway(scenario).parse::<DocumentMut>();
    let midway = midway.map_err(|error| error.to_string())?;
    let text = scenario_text::changed(&moved, |document| {
        document.insert("name", toml_edit::value(name));
        // What was needed may have been used.
        document.remove("needs");
        for (key, table) in midway.iter() {
            document.insert(key, table.clone());
        }
    })?;
    Ok(Told { text, notes })
}

/// Lets time pass until the character stands; returns how much.
fn finish_step(scenario: &Scenario, world: &mut World) -> Result<Duration, String> {
    let mut waited = Duration::ZERO;
    let orders = Orders::new(Order::WAIT).with_player(Order::WAIT);
    while scene::footing(scenario, world) != world.position(AgentId::NPC, scenario) {
        if waited >= LONGEST_STEP {
            return Err("the character doesn't come to a stand".to_owned());
        }
        world.advance(scenario, &orders, GRAIN, &mut ());
        waited += GRAIN;
    }
    if world.is_dead(AgentId::NPC, scenario) {
        return Err("the character is dead, so there is nothing to expect".to_owned());
    }
    Ok(waited)
}

/// Where somebody stands, with the height where there are several.
fn spot(scenario: &Scenario, world: &World, agent: AgentId) -> Spot {
    let map = scenario.map();
    let place = world.place(agent, scenario);
    let at = map.point_of(place);
    Spot {
        x: at.x,
        y: at.y,
        height: scene::height_of(scenario, place),
    }
}
