//! Traps hurt whoever ends a step in them, until a lever disarms them or, some of them, until they have
//! hurt somebody; and plans know that.

use std::time::Duration;

use crate::consistency::{MOST_STATES, check_consistency};
use crate::dungeon::{Dice, Inhabitants};
use apprentice_search::{BestFirst, Blind, Budget, Problem, Search, Status, Weight, astar};
use apprentice_world::{
    Abilities, AgentId, AnyQuest, Event, Observation, Order, Orders, Quest, QuestProblem, Scenario,
    ShortestPath, StraightLine, Thing, TrapId, Verified, World, rehearse, verify,
};
use proptest::prelude::*;

const SPEARS: TrapId = TrapId::new(0);

/// A passage with a trap in its middle, and a longer way around it.
fn around(more: &str, damage: f64) -> Scenario {
    let text = format!(
        "format = 1\nstart = [0, 1]\ngoal = {{ within = {{ at = [6, 1], radius = 0.0 }} }}\n\
         map = {{ rows = ['.......', '.#...#.', '.#.#.#.', '...#...'] }}\n\
         trap = [{{ id = 'spears', at = [[3, 0]], damage = {damage}{more} }}]\n"
    );
    parsed(&text)
}

fn parsed(text: &str) -> Scenario {
    Scenario::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A passage, with spears in its middle that reach from wall to wall.
fn passage(more: &str) -> Scenario {
    parsed(&format!(
        "format = 1\nstart = [2, 0]\ngoal = {{ within = {{ at = [8, 0], radius = 0.0 }} }}\n\
         map = {{ rows = ['.........'] }}\n{more}"
    ))
}

fn best_of<Q: Quest>(quest: &Q) -> Option<Verified> {
    let path = astar(quest, StraightLine)?;
    let orders: Vec<Order> = path.actions().copied().collect();
    let lived = verify(quest.scenario(), quest.start_world(), &orders, quest.goal());
    let lived = lived.unwrap_or_else(|invalid| panic!("{invalid}"));
    assert_eq!(lived.cost, path.cost);
    for tick in [16, 33] {
        let tick = Duration::from_millis(tick);
        let (scenario, start) = (quest.scenario(), quest.start_world());
        let played = rehearse(scenario, start, &orders, quest.goal(), tick);
        played.unwrap_or_else(|invalid| panic!("{tick:?}: {invalid}"));
    }
    Some(lived)
}

/// The best plan, which is the same whether states are whole worlds or eight bytes.
fn best(scenario: &Scenario) -> Option<Verified> {
    let AnyQuest::Still(still) = scenario.quest() else {
        panic!("nothing moves")
    };
    let world = World::new(scenario);
    let whole = QuestProblem::new(scenario, &world, scenario.goal(), Abilities::default());
    let (still, whole) = (best_of(&still), best_of(&whole));
    let cost = |lived: &Option<Verified>| lived.as_ref().map(|lived| lived.cost);
    assert_eq!(cost(&still), cost(&whole));
    still
}

fn hurts(lived: &Verified) -> usize {
    let events = lived.steps.iter().flat_map(|step| &step.events);
    let trapped = events.filter(|event| matches!(event, Event::Trapped { .. }));
    trapped.count()
}

#[test]
fn whoever_can_afford_it_goes_through_and_pays_with_health() {
    let scenario = passage("trap = [{ id = 'spears', at = [[4, 0], [5, 0]], damage = 30 }]");
    let lived = best(&scenario).expect("it lives");
    assert_eq!(hurts(&lived), 2);
    assert_eq!(lived.steps.last().expect("it goes").health, 40.0);
    assert!(
        lived
            .steps
            .iter()
            .any(|step| step.events.contains(&Event::Trapped {
                agent: AgentId::NPC,
                trap: SPEARS,
                damage: 30.0,
            }))
    );
}

#[test]
fn nobody_plans_to_die_in_one() {
    let deadly = passage("trap = [{ id = 'spears', at = [[4, 0]], damage = 100 }]");
    assert!(best(&deadly).is_none());
    let AnyQuest::Still(quest) = deadly.quest() else {
        panic!("nothing moves")
    };
    let mut search = BestFirst::astar(StraightLine);
    let status = search.run(&quest, &mut Budget::units(10_000));
    assert_eq!((status, search.path()), (Status::Unsolvable, None));
    let around = best(&around("", 100.0)).expect("there is another way");
    assert_eq!(hurts(&around), 0);
}

#[test]
fn health_that_has_a_price_is_worth_a_detour() {
    let cheap = around("", 10.0);
    assert_eq!(hurts(&best(&cheap).expect("there is a way")), 1);
    let prices = apprentice_world::Prices::new(1.0, 0.0).expect("it is a price");
    let dear = cheap.with_prices(prices);
    assert_eq!(hurts(&best(&dear).expect("there is a way")), 0);
}

#[test]
fn a_lever_disarms_it_for_good() {
    let scenario = passage(
        "trap = [{ id = 'spears', at = [[4, 0], [5, 0]], damage = 60 }]\n\
         lever = [{ id = 'winch', at = [0, 0], disarms = ['spears'] }]",
    );
    let lived = best(&scenario).expect("the lever is at hand");
    assert_eq!((hurts(&lived), lived.cost.as_seconds()), (0, 8.0));
    let armed = |world: &World| world.is_armed(SPEARS, &scenario);
    assert!(armed(&World::new(&scenario)));
    assert!(!armed(&lived.steps.last().expect("it goes").world));
    let names: Vec<_> = scenario.levers_against(SPEARS).map(Thing::Lever).collect();
    assert_eq!(names, [scenario.thing("winch").expect("it is there")]);
}

#[test]
fn some_hurt_once_and_never_again() {
    let scenario =
        passage("trap = [{ id = 'spears', at = [[4, 0], [5, 0]], damage = 60, once = true }]");
    let lived = best(&scenario).expect("it lives");
    assert_eq!(
        (hurts(&lived), lived.steps.last().expect("it goes").health),
        (1, 40.0)
    );
    // Whoever has sprung it may come back, and so may a game that begins then.
    let after = lived.steps.last().expect("it goes").world.clone();
    assert!(!after.is_armed(SPEARS, &scenario));
    let text = format!(
        "format = 1\nstart = [8, 0]\ngoal = {{ within = {{ at = [0, 0], radius = 0.0 }} }}\n\
         map = {{ rows = ['.........'] }}\n\
         trap = [{{ id = 'spears', at = [[4, 0], [5, 0]], damage = 60, once = true }}]\n{}",
        after.snapshot(&scenario)
    );
    let back = parsed(&text);
    assert!(!World::new(&back).is_armed(SPEARS, &back));
    assert_eq!(World::new(&back).digest(), after.digest());
    assert_eq!(hurts(&best(&back).expect("it is sprung")), 0);
    let mut again = World::new(&back);
    again.observe(&back, Observation::Sprung(SPEARS, false));
    assert!(again.is_armed(SPEARS, &back));
    again.observe(&back, Observation::Sprung(TrapId::new(9), true));
    again.observe(&back, Observation::Sprung(SPEARS, true));
    assert!(!again.is_armed(SPEARS, &back));
}

#[test]
fn what_hurts_others_is_told_of_others() {
    let scenario = passage(
        "trap = [{ id = 'spears', at = [[7, 0]], damage = 100 }]\n\
         player = { at = [8, 0], route = [[5, 0]] }",
    );
    let mut world = World::new(&scenario);
    let mut events = Vec::new();
    let wait = Orders::new(Order::WAIT);
    world.advance(&scenario, &wait, Duration::from_secs(3), &mut events);
    assert!(world.is_dead(AgentId::PLAYER, &scenario));
    assert!(events.contains(&Event::Died {
        agent: AgentId::PLAYER
    }));
}

#[test]
fn what_makes_no_sense_is_an_error() {
    for (more, said) in [
        ("trap = [{ id = 'a', at = [[1, 0]] }]", "damage"),
        (
            "trap = [{ id = 'a', at = [[1, 0]], damage = -1 }]",
            "damage",
        ),
        ("trap = [{ id = 'a', at = [[40, 0]], damage = 5 }]", "a"),
        (
            "trap = [{ id = 'a', at = [[1, 0]], damage = 5 }, { id = 'a', at = [[2, 0]], damage = 5 }]",
            "a",
        ),
        (
            "lever = [{ id = 'l', at = [1, 0], disarms = ['spers'] }]",
            "spers",
        ),
    ] {
        let text = format!(
            "format = 1\nstart = [0, 0]\ngoal = {{ all = [] }}\nmap = {{ rows = ['.....'] }}\n{more}"
        );
        let error = Scenario::parse(&text).expect_err(more).to_string();
        assert!(
            error.contains(said) && error.contains("line 5"),
            "{more}: {error}"
        );
    }
}

/// A random level with traps in it.
fn trapped(seed: u64, inhabitants: Inhabitants) -> (String, Scenario) {
    let (text, scenario) = crate::dungeon::random(seed, inhabitants);
    let mut dice = Dice::new(!seed);
    let map = scenario.map();
    let free: Vec<usize> = (0..map.places())
        .filter(|place| map.is_walkable(*place))
        .collect();
    let lever = scenario.thing("lever").is_some();
    let mut more = String::new();
    for number in 0..1 + dice.below(3) {
        let mut at = Vec::new();
        for _ in 0..1 + dice.below(4) {
            let point = map.point_of(free[dice.below(free.len())]);
            at.push(format!("[{}, {}]", point.x, point.y));
        }
        let damage = [10, 20, 35, 60, 100][dice.below(5)];
        more += &format!(
            "[[trap]]\nid = \"trap{number}\"\nat = [{}]\ndamage = {damage}\nonce = {}\n",
            at.join(", "),
            dice.once_in(2)
        );
    }
    let mut text = format!("{text}{more}");
    if lever && dice.once_in(2) {
        text = text.replace(
            "id = \"lever\"\n",
            "id = \"lever\"\ndisarms = [\"trap0\"]\n",
        );
    }
    let scenario = parsed(&text);
    (text, scenario)
}

fn check_bounds<Q: Quest>(quest: &Q, text: &str) {
    check_consistency(quest, &mut StraightLine, text);
    check_consistency(quest, &mut ShortestPath::default(), text);
}

fn check_plans<Q: Quest>(quest: &Q, text: &str) {
    let hurried = Weight::new(3.0).expect("it is a weight");
    let mut search = BestFirst::weighted_astar(ShortestPath::default(), hurried);
    search.run(quest, &mut Budget::units(2_000));
    let Some(path) = search.path() else { return };
    let orders: Vec<Order> = path.actions().copied().collect();
    let lived = verify(quest.scenario(), quest.start_world(), &orders, quest.goal());
    let lived = lived.unwrap_or_else(|invalid| panic!("{invalid}\n{text}"));
    assert_eq!(lived.cost, path.cost, "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bounds_hold_beside_traps(seed: u64, still: bool) {
        let inhabitants = if still { Inhabitants::Still } else { Inhabitants::Moving };
        let (text, scenario) = trapped(seed, inhabitants);
        match scenario.quest() {
            AnyQuest::Still(quest) => check_bounds(&quest, &text),
            AnyQuest::Moving(quest) => check_bounds(&quest, &text),
        }
    }

    #[test]
    fn plans_past_traps_are_lived_through(seed: u64, still: bool) {
        let inhabitants = if still { Inhabitants::Still } else { Inhabitants::Moving };
        let (text, scenario) = trapped(seed, inhabitants);
        match scenario.quest() {
            AnyQuest::Still(quest) => check_plans(&quest, &text),
            AnyQuest::Moving(quest) => check_plans(&quest, &text),
        }
    }

    /// States of eight bytes and whole worlds come to the same.
    #[test]
    fn small_states_follow_the_same_rules(seed: u64) {
        let (text, scenario) = trapped(seed, Inhabitants::Still);
        let AnyQuest::Still(still) = scenario.quest() else { return Ok(()) };
        let world = World::new(&scenario);
        let whole = QuestProblem::new(&scenario, &world, scenario.goal(), Abilities::default());
        let units = 40 * MOST_STATES;
        let mut first = BestFirst::astar(Blind);
        let mut second = BestFirst::astar(Blind);
        let first_status = first.run(&still, &mut Budget::units(units));
        let second_status = second.run(&whole, &mut Budget::units(units));
        if first_status == Status::Finished && second_status == Status::Finished {
            let cost = |path: Option<apprentice_search::Path<_, _>>| path.map(|path| path.cost);
            let second = second.path().map(|path| path.cost);
            assert_eq!(cost(first.path()), second, "{text}");
        }
        let _ = still.start();
    }
}
