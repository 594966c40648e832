//! A companion goes on in another level with what it believes of the player, and with nothing else.

use std::time::Duration;

use apprentice_behavior::Settings;
use apprentice_companion::{Cave, Companion, Said, Watched};
use apprentice_search::Budget;
use apprentice_world::{Orders, PlayerModel, Scenario, World};

const TICK: Duration = Duration::from_millis(100);

/// A hall with something to fetch, and a wolf at a place of its own.
fn hall(item: &str, wolf: u32) -> Cave {
    let floor = ".".repeat(25);
    let text = format!(
        r#"
format = 1
start = [0, 1]
goal = {{ within = {{ at = [24, 1], radius = 1.0 }} }}
map = {{ rows = ["{floor}", "{floor}", "{floor}"] }}
player = {{ at = [0, 0] }}
item = [{{ id = "{item}", at = [20, 0] }}]
enemy = [{{ id = "grey", kind = "wolf", at = [{wolf}, 0] }}]
style = [
    {{ id = "fight", points = [[0, 0], [24, 1]] }},
    {{ id = "sneak", points = [[0, 0], [6, 2], [24, 2]], gait = "sneak", fights = false }},
]
"#
    );
    let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    Cave::of(item, &scenario).expect("all of it is drawn")
}

/// Plays a level from its beginning beside a player who fights; which styles were joined.
fn play(cave: &Cave, companion: &mut Companion) -> Vec<String> {
    let scenario = &cave.scenario;
    let stance = scenario.styles()[0].stance;
    let player = PlayerModel::new(scenario, &cave.exemplars[0], stance).expect("it fits");
    let (mut world, mut events) = (World::new(scenario), Vec::new());
    let mut joined = Vec::new();
    while world.time() < Duration::from_secs(40) {
        let watched = Watched {
            world: &world,
            events: &events,
        };
        let order = companion.decide(scenario, watched, &mut Budget::units(2_000));
        joined.extend(companion.style().map(str::to_owned));
        events.clear();
        let orders = Orders::new(order).with_script(&player);
        world.advance(scenario, &orders, TICK, &mut events);
    }
    joined.dedup();
    joined
}

#[test]
fn it_joins_in_anew_although_it_went_by_itself_in_the_end() {
    let (first, second) = (hall("gold", 12), hall("silver", 16));
    let mut companion = first.companion().expect("somebody is accompanied");
    let joined = play(&first, &mut companion);
    assert_eq!(joined.last().map(String::as_str), Some("fight"));
    assert_eq!(companion.style(), None, "the player has arrived");

    let (shown, settings) = (&second.demonstrations, Settings::default());
    let changed = companion.change_level(&second.scenario, &second.exemplars, shown, &settings);
    changed.expect("somebody is accompanied here, too");
    assert_eq!(*companion.said(), Said::Beside);
    assert_eq!(companion.belief().probabilities().len(), 2);
    // What there is to be after is already that of the level it is in.
    let after = companion.after();
    let names: Vec<&str> = after.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["the goal", "silver", "grey"]);
    let sum: f64 = after.iter().map(|(_, part)| part).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{after:?}");

    // Its clock begins at zero, and it looks where the player goes all the same.
    let joined = play(&second, &mut companion);
    assert_eq!(joined.last().map(String::as_str), Some("fight"));
}
