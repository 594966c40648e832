//! How a player plays, and what they are after, is told by where they go, also where nothing is done.

use std::time::Duration;

use apprentice_companion::{Cave, Companion, Watched};
use apprentice_search::Budget;
use apprentice_world::{
    AgentId, Direction, Gait, ItemId, Order, Orders, PlayerModel, Scenario, Script, Stance, World,
};

use crate::coop_cave::coop_cave;

const TICK: Duration = Duration::from_millis(100);

/// Plays so long; what is seen in every tick is looked at.
fn play(
    cave: &Cave,
    seconds: u64,
    mut player: impl FnMut(&World) -> Order,
    mut look: impl FnMut(&Companion, &World),
) {
    let scenario = &cave.scenario;
    let mut companion = cave.companion().expect("somebody is accompanied");
    let (mut world, mut events) = (World::new(scenario), Vec::new());
    while world.time() < Duration::from_secs(seconds) {
        let watched = Watched {
            world: &world,
            events: &events,
        };
        let order = companion.decide(scenario, watched, &mut Budget::units(2_000));
        look(&companion, &world);
        let asked = player(&world);
        events.clear();
        let orders = Orders::new(order).with_player(asked);
        world.advance(scenario, &orders, TICK, &mut events);
    }
}

#[test]
fn who_stands_still_for_a_moment_plays_as_before() {
    let cave = coop_cave();
    let scenario = &cave.scenario;
    let style = &scenario.styles()[1];
    let model = PlayerModel::new(scenario, &cave.exemplars[1], style.stance).expect("it fits");
    let (mut memory, mut changes) = (0, 0);
    let player = |world: &World| match world.time().as_secs() {
        // Upright, and so no longer as somebody who sneaks.
        12..16 => Order::Wait(Stance::new(Gait::Walk).fighting()),
        _ => model.order(scenario, world, AgentId::PLAYER, &mut memory),
    };
    play(&cave, 24, player, |companion, world| {
        changes = companion.changes();
        if world.time().as_secs() >= 3 {
            assert_eq!(companion.style(), Some("sneak"), "{:?}", world.time());
        }
    });
    assert_eq!(changes, 1);
}

/// Two rings, and somebody who goes to one of them.
#[test]
fn who_goes_straight_to_something_is_after_it() {
    let text = r#"
format = 1
start = [10, 7]
goal = { within = { at = [12, 9], radius = 0.5 } }
player = { at = [12, 5] }
map = { rows = [
    ".........................", ".........................", ".........................",
    ".........................", ".........................", ".........................",
    ".........................", ".........................", ".........................",
    ".........................",
] }
item = [{ id = "gold", at = [1, 5] }, { id = "silver", at = [23, 5] }]
enemy = [{ id = "grey", kind = "wolf", at = [23, 9] }]
style = [
    { id = "fight", points = [[12, 5], [20, 9], [12, 9]] },
    { id = "sneak", points = [[12, 5], [18, 7], [12, 9]], gait = "sneak", fights = false },
]
"#;
    let scenario = Scenario::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let cave = Cave::of("rings", &scenario).expect("all of it is drawn");
    let west = Order::Step(Direction::West, Stance::new(Gait::Walk));
    let mut after = Vec::new();
    let look = |companion: &Companion, _: &World| {
        let named = companion.after().into_iter();
        after = named.map(|(name, part)| (name.to_owned(), part)).collect();
    };
    play(&cave, 6, |_| west, look);
    let sum: f64 = after.iter().map(|(_, part)| part).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{after:?}");
    let of = |name: &str| {
        after
            .iter()
            .find(|(it, _)| it == name)
            .map(|(_, part)| *part)
    };
    assert!(of("gold") > Some(0.9), "{after:?}");
    assert!(of("silver") < Some(0.01), "{after:?}");
    assert!(of("grey").is_some() && of("the goal").is_some());
    // What was fetched is nothing they are after any more.
    let mut gold = None;
    play(
        &cave,
        16,
        |_| west,
        |companion, world| {
            let named = companion
                .after()
                .into_iter()
                .find(|(name, _)| *name == "gold");
            gold = named.map(|(_, part)| (world.is_lying(ItemId::new(0)), part));
        },
    );
    assert_eq!(gold, Some((false, 0.0)));
}
