//! Every estimate is what it swears to be: zero at goals, and never dropping by more than a step
//! costs; so never more than the cost that really remains.

use std::time::Duration;

use crate::consistency::{MOST_STATES, check_consistency};
use crate::dungeon::{Dice, Inhabitants};
use apprentice_behavior::KeyDoorHeuristic;
use apprentice_search::{BestFirst, Blind, Budget, Heuristic, Problem, Promise, Search, Status};
use apprentice_world::{
    Abilities, AgentId, AnyQuest, Branching, DoorId, Gait, ItemId, LeverId, Observation, Order,
    Orders, Quest, Scenario, ShortestPath, Stance, StraightLine, World,
};
use proptest::prelude::*;

fn check<Q: Quest>(quest: &Q, text: &str) {
    let mut errands = KeyDoorHeuristic::default();
    assert!(errands.prepare(quest, &mut Budget::unlimited()));
    assert_eq!(Heuristic::<Q>::promise(&errands), Promise::Consistent);
    check_consistency(quest, &mut errands, text);
    let around = errands.estimate(quest, &quest.start());
    // Blind search knows the truth.
    let mut search = BestFirst::astar(Blind);
    search.run(quest, &mut Budget::units(MOST_STATES));
    if let Some(found) = search.path() {
        assert!(
            around <= found.cost,
            "{around} promised, {} needed\n{text}",
            found.cost
        );
    }
}

fn check_scenario(scenario: &Scenario, branching: Branching, text: &str) {
    check_world(scenario, &World::new(scenario), branching, text);
}

fn check_world(scenario: &Scenario, world: &World, branching: Branching, text: &str) {
    let abilities = Abilities {
        branching,
        waits: true,
        ..Abilities::default()
    };
    match AnyQuest::new(scenario, world, scenario.goal(), abilities) {
        AnyQuest::Still(quest) => check(&quest, text),
        AnyQuest::Moving(quest) => check(&quest, text),
    }
}

/// What may have happened to doors, keys and levers before somebody plans, told in order.
fn disturbances(scenario: &Scenario, dice: &mut Dice) -> Vec<Observation> {
    let doors = scenario.doors().len().max(1);
    let items = scenario.items().len().max(1);
    let disturbance = |dice: &mut Dice| {
        let door = DoorId::new(dice.below(doors) as u8);
        let item = ItemId::new(dice.below(items) as u8);
        match dice.below(8) {
            0..3 => Observation::Open(door),
            3 => Observation::Shut(door),
            4 => Observation::Give(AgentId::NPC, item),
            5 => Observation::Return(item),
            6 => Observation::Remove(item),
            _ => Observation::Pulled(LeverId::new(0), dice.once_in(2)),
        }
    };
    (0..1 + dice.below(5)).map(|_| disturbance(dice)).collect()
}

fn check_midway(seed: u64, inhabitants: Inhabitants) {
    let (text, scenario) = crate::dungeon::random(seed, inhabitants);
    let disturbances = disturbances(&scenario, &mut Dice::new(!seed));
    let mut world = World::new(&scenario);
    for disturbance in &disturbances {
        world.observe(&scenario, *disturbance);
    }
    let text = format!("{disturbances:?}\n{text}");
    check_world(&scenario, &world, Branching::Sixteen, &text);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn where_nothing_moves(seed: u64) {
        let (text, scenario) = crate::dungeon::random(seed, Inhabitants::Still);
        check_scenario(&scenario, Branching::Sixteen, &text);
    }

    #[test]
    fn where_others_move(seed: u64) {
        let (text, scenario) = crate::dungeon::random(seed, Inhabitants::Moving);
        check_scenario(&scenario, Branching::Sixteen, &text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    /// Where one may run, and among traps and areas in which a second counts as more or less.
    #[test]
    fn where_one_runs_and_places_matter(seed: u64, still: bool, runs: bool) {
        let inhabitants = if still { Inhabitants::Still } else { Inhabitants::Moving };
        let (text, scenario) = crate::dungeon::furnished(seed, inhabitants);
        let abilities = Abilities { runs, ..Abilities::default() };
        match scenario.quest_with(abilities) {
            AnyQuest::Still(quest) => check(&quest, &text),
            AnyQuest::Moving(quest) => check(&quest, &text),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn where_somebody_has_opened_and_shut_doors(seed: u64) {
        check_midway(seed, Inhabitants::Still);
    }

    #[test]
    fn where_somebody_has_opened_and_shut_doors_and_others_move(seed: u64) {
        check_midway(seed, Inhabitants::Moving);
    }
}

/// A passage, mostly open, and somebody at home in it who is to die, or need not.
fn passage(dice: &mut Dice) -> String {
    let long = 30 + dice.below(30);
    let row = |dice: &mut Dice| -> String {
        let cell = |dice: &mut Dice| if dice.once_in(4) { '#' } else { '.' };
        (0..long).map(|_| cell(dice)).collect()
    };
    let (north, south) = (row(dice), row(dice));
    let middle = ".".repeat(long);
    let at = |dice: &mut Dice| dice.below(long);
    let (start, goal, home) = (at(dice), at(dice), at(dice));
    let leash = dice.below(4);
    let attackers = 1 + dice.below(5) / 4;
    let place = format!("{{ within = {{ at = [{goal}, 1], radius = 0.0 }} }}");
    let aim = match dice.below(3) {
        0 => "{ dead = \"it\" }".to_owned(),
        1 => format!("{{ any = [{{ dead = \"it\" }}, {place}] }}"),
        _ => format!("{{ all = [{{ dead = \"it\" }}, {place}] }}"),
    };
    let player = match dice.below(4) {
        0 => format!("player = {{ at = [{}, 1] }}\n", at(dice)),
        1 => format!("player = {{ at = [{}, 1], fights = false }}\n", at(dice)),
        _ => String::new(),
    };
    format!(
        r##"
format = 1
start = [{start}, 1]
goal = {aim}
{player}map = {{ rows = ["{north}", "{middle}", "{south}"] }}

[kinds.thing]
like = "wolf"
leash = {leash}.0
attackers = {attackers}

[[enemy]]
id = "it"
kind = "thing"
at = [{home}, 1]
"##
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn where_somebody_is_to_be_killed(seed: u64) {
        let text = passage(&mut Dice::new(seed));
        let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        check_scenario(&scenario, Branching::Sixteen, &text);
    }
}

/// Whoever is to be killed must be met where it hunts, unless somebody else might do it.
#[test]
fn whoever_is_to_be_killed_is_met_where_it_hunts() {
    let seconds = |player: &str, players: Option<Stance>| {
        let text = format!(
            r##"
format = 1
start = [0, 0]
goal = {{ dead = "it" }}
{player}
map = {{ rows = ["{}"] }}
kinds = {{ thing = {{ like = "wolf", leash = 3.0 }} }}
enemy = [{{ id = "it", kind = "thing", at = [70, 0] }}]
"##,
            ".".repeat(80)
        );
        let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let mut world = World::new(&scenario);
        if let Some(stance) = players {
            let orders = Orders::new(Order::WAIT).with_player(Order::Wait(stance));
            world.advance(&scenario, &orders, Duration::from_millis(100), &mut ());
        }
        let abilities = Abilities::default();
        let quest = AnyQuest::new(&scenario, &world, scenario.goal(), abilities);
        let AnyQuest::Moving(quest) = quest else {
            panic!("it moves")
        };
        let mut errands = KeyDoorHeuristic::default();
        assert!(errands.prepare(&quest, &mut Budget::unlimited()));
        errands.estimate(&quest, &quest.start()).as_seconds()
    };
    let (peaceful, fights) = (
        "player = { at = [60, 0], fights = false }",
        "player = { at = [60, 0] }",
    );
    let alone = seconds("", None);
    assert!((50.0..70.0).contains(&alone), "{alone}");
    assert_eq!(seconds(peaceful, None), alone);
    assert_eq!(seconds(fights, None), 0.0);
    // What it was told last is over with its next step.
    assert_eq!(seconds(fights, Some(Stance::new(Gait::Walk))), 0.0);
}

/// Neither what opened a door nor what could open it matters where it stands open, and a lever may
/// shut it again.
#[test]
fn doors_that_stand_open_midway_are_no_errand() {
    let text = |open: &str| {
        format!(
            r##"
format = 1
start = [2, 0]
goal = {{ within = {{ at = [6, 0], radius = 0.0 }} }}
map = {{ rows = [".......", ".######"] }}
key = [{{ id = "red", at = [0, 1], opens = ["keyed"] }}]
lever = [{{ id = "crank", at = [0, 0], toggles = ["cranked"] }}]
door = [
    {{ id = "bare", at = [[3, 0]] }},
    {{ id = "keyed", at = [[4, 0]] }},
    {{ id = "cranked", at = [[5, 0]] }},
]
midway = {{ open = [{open}] }}
"##
        )
    };
    let seconds = |open: &str| {
        let text = text(open);
        let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        check_scenario(&scenario, Branching::Sixteen, &text);
        let AnyQuest::Moving(quest) = scenario.quest() else {
            panic!("there is a lever that shuts")
        };
        let mut errands = KeyDoorHeuristic::default();
        assert!(errands.prepare(&quest, &mut Budget::unlimited()));
        errands.estimate(&quest, &quest.start()).as_seconds()
    };
    assert!(!seconds("'keyed', 'cranked'").is_finite());
    assert_eq!(seconds("'bare', 'keyed', 'cranked'"), 4.0);
    // A step back to where the lever can be reached, and five onwards.
    assert_eq!(seconds("'bare', 'keyed'"), 6.0);
    assert!(seconds("'bare', 'cranked'") > 6.0);
}

/// In a level with nothing but walls, doors and keys, the errands are the whole quest.
#[test]
fn errands_are_exact_where_only_doors_matter() {
    let scenario = Scenario::parse(
        r##"
        format = 1
        start = [0, 2]
        goal = { within = { at = [8, 2], radius = 0.0 } }

        [map]
        rows = ["...#...#.",
                "...#.....",
                ".......#.",
                "...#...#.",
                "...#...#."]

        [[key]]
        id = "red"
        at = [1, 4]
        opens = ["west"]

        [[key]]
        id = "blue"
        at = [5, 0]
        opens = ["east"]

        [[door]]
        id = "west"
        at = [[3, 2]]

        [[door]]
        id = "east"
        at = [[7, 1]]
        "##,
    )
    .unwrap();
    let AnyQuest::Still(quest) = scenario.quest() else {
        panic!("nothing moves here")
    };
    let (mut errands, mut path) = (KeyDoorHeuristic::default(), ShortestPath::default());
    assert!(errands.prepare(&quest, &mut Budget::unlimited()));
    assert!(path.prepare(&quest, &mut Budget::unlimited()));
    let mut search = BestFirst::astar(Blind);
    search.run(&quest, &mut Budget::unlimited());
    let best = search.path().expect("it can be done").cost;
    assert_eq!(errands.estimate(&quest, &quest.start()), best);
    assert!(path.estimate(&quest, &quest.start()) < best);
}

/// A key that opens two doors and is used up by the second: the first stays open, although nobody
/// holds its key any more.
#[test]
fn doors_stay_open_when_their_key_is_used_up() {
    let text = r##"
format = 1
start = [0, 0]
goal = { all = [ { holds = "gem" }, { within = { at = [0, 0], radius = 0.0 } } ] }
map = { rows = [".........."] }
key = [{ id = "red", at = [2, 0], opens = ["one", "two"] }]
door = [{ id = "one", at = [[4, 0]] }, { id = "two", at = [[6, 0]], consume_key = true }]
item = [{ id = "gem", at = [9, 0] }]
"##;
    let scenario = Scenario::parse(text).unwrap_or_else(|error| panic!("{error}"));
    check_scenario(&scenario, Branching::Sixteen, text);
}

/// Where footholds are far apart, an item can be picked up from the nearest, and every estimate
/// knows.
#[test]
fn an_item_between_footholds_can_be_picked_up() {
    let text = r##"
format = 1
start = [1, 3]
goal = { holds = "gem" }
map = { file = "room.mesh", spacing = 3.0 }
item = [{ id = "gem", at = [10.9, 2.9] }]
"##;
    let mesh =
        "mesh\n2\n4 1\n0 0 2 0 -1\n20 0 2 0 -1\n20 6 2 0 -1\n0 6 2 0 -1\n4 0 1 2 3 -1 -1 -1 -1\n";
    let scenario = Scenario::parse_with(text, |_| Ok(mesh.to_owned()))
        .unwrap_or_else(|error| panic!("{error}"));
    let AnyQuest::Moving(quest) = scenario.quest() else {
        panic!("meshes have no still quests")
    };
    check(&quest, text);
    check_consistency(&quest, &mut StraightLine, text);
    let mut search = BestFirst::astar(StraightLine);
    assert_eq!(
        search.run(&quest, &mut Budget::unlimited()),
        Status::Finished
    );
}
