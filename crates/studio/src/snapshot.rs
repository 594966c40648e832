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

/// Of whom nothing more can be told.
const IS_DEAD: &str = "the character is dead, so there is nothing to expect";

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
    let mut world = world.clone();
    let waited = finish_step(scenario, &mut world)?;
    if waited > Duration::ZERO {
        notes.push(format!(
            "the character was in the middle of a step; the test begins {:.1} s later, when it is over",
            waited.as_secs_f64()
        ));
    }
    let mut moves = vec![("start", spot(scenario, &world, AgentId::NPC))];
    for (agent, id) in scene::others(scenario) {
        moves.push((id, spot(scenario, &world, agent)));
    }
    if scene::has_player(scenario) {
        moves.push(("player", spot(scenario, &world, AgentId::PLAYER)));
        notes.push(
            "nobody plays in a test: the player goes its route if it has one, and waits otherwise"
                .to_owned(),
        );
    }
    let moved = scenario_text::with_moved(text, &moves)?;
    let midway = world.snapshot(scenario).parse::<DocumentMut>();
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
    let mut orders = Orders::new(Order::WAIT);
    // Without a player the second is somebody else, who goes on as before.
    if scene::has_player(scenario) {
        orders = orders.with_player(Order::WAIT);
    }
    loop {
        // Also in the middle of a step, which nobody finishes then.
        if world.is_dead(AgentId::NPC, scenario) {
            return Err(IS_DEAD.to_owned());
        }
        if scene::footing(scenario, world) == world.position(AgentId::NPC, scenario) {
            return Ok(waited);
        }
        if waited >= LONGEST_STEP {
            return Err("the character doesn't come to a stand".to_owned());
        }
        world.advance(scenario, &orders, GRAIN, &mut ());
        waited += GRAIN;
    }
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use apprentice::Level;
    use apprentice::behavior::{Character, Settings};
    use apprentice::search::Budget;
    use apprentice::world::{Abilities, Direction, Gait, Stance};

    use super::*;

    /// In seconds of the game: whatever happens in a shipped level has happened by then.
    const LONGEST: u32 = 60;
    const TICK: Duration = Duration::from_millis(33);
    /// Ticks between two moments that are saved: no whole number of them is a second.
    const APART: u32 = 29;

    fn beside(file: &str) -> Result<String, String> {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios"));
        std::fs::read_to_string(folder.join(file)).map_err(|error| error.to_string())
    }

    fn shipped() -> Vec<String> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios");
        let files = std::fs::read_dir(folder).expect("the scenarios are there");
        let names = files.map(|file| file.expect("it can be looked at").file_name());
        let names = names.filter_map(|name| name.into_string().ok());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".toml")).collect();
        names.sort();
        assert!(!names.is_empty());
        names
    }

    /// Saves a moment, if the character lives to see the end of its step, and reads it back.
    /// Returns whether it was saved.
    fn save_and_read(name: &str, text: &str, scenario: &Scenario, world: &World) -> bool {
        let told = match tell(scenario, world, text, "saved") {
            Ok(told) => told,
            Err(why) if why == IS_DEAD => return false,
            Err(why) => panic!("{name}: {why}"),
        };
        let mut expected = world.clone();
        finish_step(scenario, &mut expected).expect("it was told");
        let again = Scenario::parse_with(&told.text, beside)
            .unwrap_or_else(|error| panic!("{name}: {error}\n{}", told.text));
        let begun = World::new(&again);
        for agent in [AgentId::NPC, AgentId::PLAYER] {
            let is_there = agent == AgentId::NPC || scene::has_player(scenario);
            if is_there {
                let [here, there] = [(scenario, &expected), (&again, &begun)]
                    .map(|(scenario, world)| world.place(agent, scenario));
                assert_eq!(here, there, "{name}: {agent:?}");
            }
        }
        assert_eq!(
            begun.snapshot(&again),
            expected.snapshot(scenario),
            "{name}"
        );
        true
    }

    /// Plays a level with whatever gives the orders; returns how many moments were saved.
    fn play(
        name: &str,
        text: &str,
        scenario: &Scenario,
        mut order: impl FnMut(&World) -> (Order, Order),
    ) -> u32 {
        let mut world = World::new(scenario);
        let mut saved = 0;
        for tick in 0..LONGEST * 1000 / TICK.as_millis() as u32 {
            let (npc, player) = order(&world);
            let orders = Orders::new(npc).with_player(player);
            world.advance(scenario, &orders, TICK, &mut ());
            if world.is_dead(AgentId::NPC, scenario) {
                break;
            }
            if tick % APART == 0 {
                saved += u32::from(save_and_read(name, text, scenario, &world));
            }
        }
        saved
    }

    #[test]
    fn whatever_is_saved_of_a_shipped_level_can_be_read() {
        for name in shipped() {
            let text = beside(&name).expect("it is there");
            let Level {
                scenario,
                demonstrations,
                ..
            } = Level::read(&text, |file| beside(file).map(String::into_bytes))
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            // As the character plays it.
            let checked = Settings::default().check(&scenario, demonstrations);
            let planner = checked.expect("the settings fit").planner;
            let mut character = Character::new(planner, Abilities::default());
            let saved = play(&name, &text, &scenario, |world| {
                let mut budget = Budget::units(20_000);
                (character.decide(&scenario, world, &mut budget), Order::WAIT)
            });
            assert!(saved > 10, "{name}: {saved}");
            // Blindly, and the player, too; in the same way in every run.
            let mut random = 7_u32;
            let mut orders = (Order::WAIT, Order::WAIT);
            let mut ticks = 0;
            let saved = play(&name, &text, &scenario, |_| {
                let mut any = || {
                    random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let number = (random >> 16) as usize;
                    let stance = Stance::new(Gait::ALL[number % 3]);
                    Order::Step(Direction::ALL[number / 3 % 8], stance)
                };
                if ticks % 40 == 0 {
                    orders = (any(), any());
                }
                ticks += 1;
                orders
            });
            assert!(saved > 0, "{name}: {saved}");
        }
    }
}
