//! All layers together, in one budget a frame: a quest is taken apart into tasks, a task is a goal
//! for tactics, tactics are orders. When the key is stolen on the way there, the next best task is.

use std::time::Duration;

use apprentice::behavior::{Character, Doing, Settings};
use apprentice::htn::{LoadedDomain, LoadedState, Lookahead, Next, TaskExecutor, language};
use apprentice::search::Budget;
use apprentice::world::{Abilities, AgentId, Goal, Observation, Orders, Scenario, Thing, World};

/// What there is to do, as a designer writes it.
const DOMAIN: &str = "
type Item; instance Item red, blue, crown;
constant bool unlocks(Item i);
fluent bool lying(Item i); fluent bool holding(Item i); fluent bool open;
task Heist() { method sneak_in { ordered(GetIn(), Fetch(crown), Leave()); } }
task GetIn() {
  method by_the_open_door { open; ordered(); }
  method with_a_key { exists (Item k) { unlocks(k); lying(k); ordered(Fetch(k), Unlock(k)); } }
}
task Fetch(Item i) { { lying(i) == true :-> false; holding(i) := true; } }
task Unlock(Item k) { { holding(k); open == false :-> true; } }
task Leave() { { holding(crown); } }
problem night { init { unlocks(red) := true; unlocks(blue) := true; } goal ordered(Heist()); }";

/// Where it is to be done.
const LEVEL: &str = r#"
format = 1
start = [1, 2]
goal = { within = { at = [1, 2], radius = 0.0 } }
map = { rows = ["...........#....", "...........#....", "................",
                "...........#....", "...........#...."] }
key = [{ id = "red", at = [6, 0], opens = ["gate"] }, { id = "blue", at = [2, 4], opens = ["gate"] }]
item = [{ id = "crown", at = [14, 2] }]
door = [{ id = "gate", at = [[11, 2]] }]"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let reading = language::read("heist.htn", DOMAIN);
    let model = reading.model.ok_or("the tasks have mistakes")?;
    let domain = LoadedDomain::new(model)?;
    let level = Scenario::parse(LEVEL)?;
    let mut world = World::new(&level);
    let mut tasks = TaskExecutor::new(domain.goal(), 0, Lookahead::None);
    let mut character = Character::new(
        Settings::default().check(&level, [])?.planner,
        Abilities::default(),
    );
    let mut done = Vec::new();

    for frame in 0_u32.. {
        let mut budget = Budget::units(50);
        // The task is done, or cannot be done: what is next, as the world is now?
        if done.is_empty() || matches!(character.doing(), Doing::Done | Doing::Stuck) {
            match tasks.next(&domain, &observed(&domain, &level, &world), &mut budget) {
                Next::Do(task) => {
                    let words = domain.words(&task);
                    println!("frame {frame:3}: {}", domain.show(&task));
                    character.pursue(goal_of(&words, &level).ok_or("nobody knows how")?);
                    done.push(domain.show(&task));
                }
                Next::Thinking => {}
                Next::Done => break,
                Next::Impossible | Next::GaveUp => return Err("the crown is out of reach".into()),
            }
        }
        let order = character.decide(&level, &world, &mut budget);
        world.advance(
            &level,
            &Orders::new(order),
            Duration::from_millis(100),
            &mut (),
        );
        if let (20, Some(Thing::Item(red))) = (frame, level.thing("red")) {
            println!("frame {frame:3}: somebody takes the red key away");
            world.observe(&level, Observation::Remove(red));
        }
    }
    assert_eq!(
        done,
        [
            "Fetch(red)",
            "Fetch(blue)",
            "Unlock(blue)",
            "Fetch(crown)",
            "Leave()"
        ]
    );
    Ok(())
}

/// What a task is to the planner of tactics.
fn goal_of(words: &[String], level: &Scenario) -> Option<Goal> {
    match (
        words[0].as_str(),
        words.get(1).and_then(|id| level.thing(id)),
    ) {
        ("Fetch", Some(Thing::Item(item))) => Some(Goal::Holds(item)),
        ("Unlock", _) => match level.thing("gate") {
            Some(Thing::Door(gate)) => Some(Goal::DoorOpen(gate)),
            _ => None,
        },
        ("Leave", _) => Some(level.goal().clone()),
        _ => None,
    }
}

/// The world, in the words of the tasks.
fn observed(domain: &LoadedDomain, level: &Scenario, world: &World) -> LoadedState {
    let mut state = domain.initial_state();
    let mut write = |function: &str, of: &[&str], is: bool| {
        assert!(domain.write(&mut state, function, of, &is.to_string()));
    };
    for id in ["red", "blue", "crown"] {
        if let Some(Thing::Item(item)) = level.thing(id) {
            write("lying", &[id], world.is_lying(item));
            write("holding", &[id], world.holds(AgentId::NPC, item));
        }
    }
    if let Some(Thing::Door(gate)) = level.thing("gate") {
        write("open", &[], world.is_open(gate));
    }
    state
}
