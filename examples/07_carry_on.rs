//! A character in a game's loop: it does as it was shown, and carries on when a door is shut.

use std::time::Duration;

use apprentice::behavior::{Character, Doing, Settings};
use apprentice::experience::{Demonstration, Place};
use apprentice::search::Budget;
use apprentice::world::{
    Abilities, AgentId, Observation, Orders, Point, Scenario, ScenarioError, Thing, World,
};

const FRAME: Duration = Duration::from_millis(16);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scenario = house()?;
    let shown = [(1.0, 4.0), (6.0, 1.0), (12.0, 1.0), (18.0, 4.0)];
    let shown = Demonstration::drawn("north", shown.map(|(x, y)| Place::flat(x, y)), 1.0);
    let planner = Settings::default().check(&scenario, vec![shown])?.planner;
    let Some(Thing::Door(north)) = scenario.thing("north") else {
        return Err("there is a door in the north".into());
    };

    let mut character = Character::new(planner, Abilities::default());
    let mut world = World::new(&scenario);
    let mut was = None;
    let mut most = 0;
    for frame in 0_u32.. {
        // What one character may spend in a frame. There is always an order.
        let mut budget = Budget::units(100);
        let order = character.decide(&scenario, &world, &mut budget);
        most = most.max(budget.taken());
        world.advance(&scenario, &Orders::new(order), FRAME, &mut ());

        let position = world.position(AgentId::NPC, &scenario);
        if was != Some(character.doing()) {
            was = Some(character.doing());
            let why = character
                .deviation()
                .map(|why| format!(": {}", why.in_words(scenario.landmarks())));
            let why = why.filter(|_| character.doing() == Doing::Thinking);
            println!(
                "frame {frame:4}, at ({:.1}, {:.1}): {:?}{}",
                position.x,
                position.y,
                character.doing(),
                why.unwrap_or_default()
            );
        }
        // Somebody shuts the door in its face.
        if frame == 400 {
            world.observe(&scenario, Observation::Shut(north));
        }
        if matches!(character.doing(), Doing::Done | Doing::Stuck | Doing::Dead) {
            break;
        }
    }
    println!(
        "{} plans, at most {most} expansions in a frame",
        character.plans()
    );
    let goal = Point::new(18.0, 4.0);
    assert_eq!(world.position(AgentId::NPC, &scenario), goal);
    Ok(())
}

fn house() -> Result<Scenario, ScenarioError> {
    Scenario::parse(
        r#"
        format = 1
        start = [1, 4]
        goal = { within = { at = [18, 4], radius = 0.0 } }
        map = { rows = [
            "....................",
            "....................",
            "..........#.........",
            "..........#.........",
            "..........#.........",
            "..........#.........",
            "..........#.........",
            "....................",
        ] }
        door = [
            { id = "north", at = [[10, 0], [10, 1]], open = true },
            { id = "south", at = [[10, 7]], open = true },
        ]
        "#,
    )
}
