//! Sneak together: a companion sees how its player goes, joins in, and changes its mind when they do.

use std::time::Duration;

use apprentice::Level;
use apprentice::behavior::{Doing, Settings};
use apprentice::companion::{Companion, Watched, plays_of};
use apprentice::playstyle::Playstyles;
use apprentice::search::Budget;
use apprentice::world::{AgentId, Orders, PlayerModel, World};

/// A hall with a wolf in the middle: players, who are a little ahead, go straight at it, or round it on
/// tiptoe.
const LEVEL: &str = r#"
format = 1
start = [1, 6]
goal = { within = { at = [28, 5], radius = 2.0 } }
player = { at = [6, 4] }
enemy = [{ id = "grey", kind = "wolf", at = [14, 2] }]
demonstration = [{ points = [[1, 6], [14, 2], [28, 5]] }, { points = [[1, 6], [8, 10], [20, 10], [28, 5]] }]
style = [
    { id = "fight", points = [[6, 4], [14, 2], [28, 5]], demonstrations = [1] },
    { id = "sneak", points = [[6, 4], [8, 8], [20, 8], [28, 5]], gait = "sneak", fights = false, demonstrations = [2] },
]
[map]
rows = [
    "..............................", "..............................",
    "..............................", "..............................",
    "..............................", "..............................",
    "..............................", "..............................",
    "..............................", "..............................",
    "..............................", "..............................",
]"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let level = Level::read(LEVEL, |name| Err(format!("there is no {name}")))?;
    let (scenario, exemplars) = (&level.scenario, &level.exemplars);
    // Nobody has played yet, so styles are told by how their exemplars go.
    let styles = Playstyles::learn_labelled(&plays_of(scenario, exemplars)?)?;
    let shown = &level.demonstrations;
    let mut companion = Companion::new(scenario, exemplars, shown, styles, &Settings::default())?;

    // A player who sneaks; your game has a real one.
    let sneak = &scenario.styles()[1];
    let player = PlayerModel::new(scenario, &exemplars[1], sneak.stance)?;
    let (mut world, mut events) = (World::new(scenario), Vec::new());
    let (mut said, mut joined) = (String::new(), None);
    for _ in 0..3_000 {
        let watched = Watched {
            world: &world,
            events: &events,
        };
        let order = companion.decide(scenario, watched, &mut Budget::units(2_000));
        if companion.said().to_string() != said {
            said = companion.said().to_string();
            println!("{:>5.1} s  {said}", world.time().as_secs_f64());
        }
        // When the player is there, it comes along by itself.
        joined = companion.style().map(str::to_owned).or(joined);
        if companion.character().doing() == Doing::Done && joined.is_some() {
            break;
        }
        events.clear();
        let orders = Orders::new(order).with_script(&player);
        world.advance(scenario, &orders, Duration::from_millis(33), &mut events);
    }
    assert_eq!(joined.as_deref(), Some("sneak"));
    assert_eq!(world.health(AgentId::NPC, scenario), 100.0);
    assert_eq!(world.health(AgentId::PLAYER, scenario), 100.0);
    Ok(())
}
