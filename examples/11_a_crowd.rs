//! A crowd that shares one budget a frame: whoever walks takes nothing, and a shut door wakes those who
//! meant to pass it.

use std::time::Duration;

use apprentice::behavior::{Character, Crew, Doing, Membership, Settings};
use apprentice::search::Budget;
use apprentice::world::{
    Abilities, AgentId, Observation, Orders, Point, Scenario, ScenarioError, Thing, World,
};

const FRAME: Duration = Duration::from_millis(16);
/// What all of them together may spend in a frame.
const UNITS: u64 = 200;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scenario = hall()?;
    let planner = Settings::default().check(&scenario, [])?.planner;
    let Some(Thing::Door(north)) = scenario.thing("north") else {
        return Err("there is a door in the north".into());
    };

    // Everybody in a crew shares what depends on the level only. Each sees a world of its own.
    let mut crew = Crew::default();
    let mut worlds = Vec::new();
    for number in 0..30 {
        let id = crew.add(Character::new(planner.clone(), Abilities::default()));
        if number == 0 {
            // Somebody the player looks at: its turn comes sooner, and it looks up in every frame.
            let importance = 10;
            let looks_every = Duration::ZERO;
            crew.set(
                id,
                Membership {
                    importance,
                    looks_every,
                },
            );
        }
        let mut world = World::new(&scenario);
        let at = Point::new(f64::from(number % 6), f64::from(number / 6));
        world.observe(&scenario, Observation::Move(AgentId::NPC, at, None));
        worlds.push(world);
    }

    let (mut all, mut most) = (0, 0);
    for frame in 0_u32.. {
        let mut budget = Budget::units(UNITS);
        let thought = crew.think(&scenario, |id| &worlds[id.index()], &mut budget);
        (all, most) = (all + thought.units, most.max(thought.units));
        if thought.planned > 0 {
            println!(
                "frame {frame:4}: {} set out, {} think, {} wait for their turn",
                thought.planned, thought.thinking, thought.waiting
            );
        }
        for id in crew.ids() {
            let world = &mut worlds[id.index()];
            let Some(order) = crew.order(id, &scenario, world) else {
                continue;
            };
            world.advance(&scenario, &Orders::new(order), FRAME, &mut ());
            if frame == 200 {
                world.observe(&scenario, Observation::Shut(north));
            }
        }
        if crew.members().all(|(_, who)| who.doing() == Doing::Done) {
            break;
        }
    }
    println!("{all} units in all, at most {most} in a frame");
    assert!(most <= UNITS);
    Ok(())
}

fn hall() -> Result<Scenario, ScenarioError> {
    Scenario::parse(
        r#"
        format = 1
        start = [0, 0]
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
