//! Goals whose parts are to be met one after the other: each once, after the one before it.

use std::time::Duration;

use crate::consistency::{MOST_STATES, check_consistency};
use crate::dungeon::{Dice, Inhabitants};
use apprentice_search::{BestFirst, Blind, Budget, Heuristic, Problem, Search, astar};
use apprentice_world::{
    AgentId, AnyQuest, Goal, GoalError, ItemId, Order, Point, Quest, QuestProblem, Scenario,
    ShortestPath, StraightLine, Verified, Why, World, rehearse, verify,
};
use proptest::prelude::*;

fn parsed(text: &str) -> Scenario {
    Scenario::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A passage of eleven cells, with the start in its middle and a ring near its east end.
fn passage(goal: &str) -> Scenario {
    parsed(&format!(
        "format = 1\nstart = [5, 0]\ngoal = {goal}\nmap = {{ rows = ['...........'] }}\n\
         item = [{{ id = 'ring', at = [8, 0] }}]"
    ))
}

fn quest(scenario: &Scenario) -> QuestProblem {
    match scenario.quest() {
        AnyQuest::Moving(quest) => quest,
        AnyQuest::Still(_) => panic!("what was met before is part of states"),
    }
}

fn best(scenario: &Scenario) -> (Vec<Order>, Verified) {
    let quest = quest(scenario);
    let path = astar(&quest, StraightLine).expect("there is a way");
    let orders: Vec<Order> = path.actions().copied().collect();
    let (start, goal) = (quest.start_world(), quest.goal());
    let lived = verify(quest.scenario(), start, &orders, goal);
    let lived = lived.unwrap_or_else(|invalid| panic!("{invalid}"));
    assert_eq!(lived.cost, path.cost);
    for tick in [16, 33] {
        let tick = Duration::from_millis(tick);
        let played = rehearse(quest.scenario(), start, &orders, goal, tick);
        played.unwrap_or_else(|invalid| panic!("{tick:?}: {invalid}"));
    }
    (orders, lived)
}

const WEST: &str = "{ within = { at = [0, 0], radius = 0.0 } }";
const EAST: &str = "{ within = { at = [10, 0], radius = 0.0 } }";

#[test]
fn first_one_end_and_then_the_other() {
    for (first, then) in [(WEST, EAST), (EAST, WEST)] {
        let scenario = passage(&format!("{{ in_order = [{first}, {then}] }}"));
        let (_, lived) = best(&scenario);
        assert_eq!(lived.cost.as_seconds(), 15.0);
    }
    let thrice = passage(&format!("{{ in_order = [{EAST}, {WEST}, {EAST}] }}"));
    assert_eq!(best(&thrice).1.cost.as_seconds(), 25.0);
}

#[test]
fn what_was_met_need_not_stay_so_and_what_is_met_already_is_met() {
    let ring = passage(&format!("{{ in_order = [{{ holds = 'ring' }}, {WEST}] }}"));
    assert_eq!(best(&ring).1.cost.as_seconds(), 11.0);
    // Whoever takes it on the way to what comes first has it when its turn comes.
    let on_the_way = passage(&format!("{{ in_order = [{EAST}, {{ holds = 'ring' }}] }}"));
    assert_eq!(best(&on_the_way).1.cost.as_seconds(), 5.0);
    let there = "{ within = { at = [5, 0], radius = 0.0 } }";
    let at_once = passage(&format!("{{ in_order = [{there}, {WEST}] }}"));
    assert_eq!(best(&at_once).1.cost.as_seconds(), 5.0);
}

#[test]
fn an_order_may_be_one_of_several_parts() {
    let all = passage(&format!(
        "{{ all = [{{ in_order = [{WEST}, {EAST}] }}, {{ holds = 'ring' }}] }}"
    ));
    assert_eq!(best(&all).1.cost.as_seconds(), 15.0);
    // The order is over and done with when the other part is met.
    let back = passage(&format!(
        "{{ all = [{{ in_order = [{EAST}, {WEST}] }}, {EAST}] }}"
    ));
    assert_eq!(best(&back).1.cost.as_seconds(), 25.0);
    let any = passage(&format!(
        "{{ any = [{{ in_order = [{WEST}, {EAST}] }}, {{ holds = 'ring' }}] }}"
    ));
    assert_eq!(best(&any).1.cost.as_seconds(), 3.0);
    let nested = passage(&format!(
        "{{ in_order = [{{ in_order = [{EAST}, {WEST}] }}, {EAST}] }}"
    ));
    assert_eq!(nested.goal().order().map(<[Goal]>::len), Some(3));
}

#[test]
fn the_wrong_way_round_does_not_do() {
    let scenario = passage(&format!("{{ in_order = [{WEST}, {EAST}] }}"));
    let east: Order = "walk east".parse().expect("it is an order");
    let orders = vec![east; 5];
    let world = World::new(&scenario);
    let error = verify(&scenario, &world, &orders, scenario.goal()).unwrap_err();
    assert!(matches!(error.why, Why::GoalNotMet { .. }), "{error}");
}

#[test]
fn nobody_arrives_where_nobody_can() {
    let text = "format = 1\nstart = [0, 0]\n\
                goal = { in_order = [{ within = { at = [4, 0], radius = 0.0 } }, { within = { at = [0, 0], radius = 0.0 } }] }\n\
                map = { rows = ['..#..'] }";
    let scenario = parsed(text);
    assert!(astar(&quest(&scenario), StraightLine).is_none());
    assert!(astar(&quest(&scenario), ShortestPath::default()).is_none());
}

#[test]
fn one_list_in_a_goal_and_not_where_it_says_nothing() {
    for goal in [
        format!("{{ not = {{ in_order = [{WEST}, {EAST}] }} }}"),
        format!("{{ all = [{{ in_order = [{WEST}] }}, {{ in_order = [{EAST}] }}] }}"),
        format!("{{ in_order = [{{ all = [{{ in_order = [{WEST}, {EAST}] }}] }}, {EAST}] }}"),
        format!("{{ in_order = [{}] }}", [WEST; 16].join(", ")),
    ] {
        let text = format!(
            "format = 1\nstart = [5, 0]\ngoal = {goal}\nmap = {{ rows = ['...........'] }}"
        );
        let error = Scenario::parse(&text).expect_err(&goal).to_string();
        assert!(
            error.contains("line 3") && error.contains("in order"),
            "{error}"
        );
    }
    let scenario = passage(WEST);
    let part = Goal::InOrder(vec![Goal::Holds(ItemId::new(0))]);
    let both = Goal::All(vec![part.clone(), part.clone()]);
    assert_eq!(both.check(&scenario), Err(GoalError::Order));
    assert_eq!(part.check(&scenario), Ok(()));
    let missing = Goal::InOrder(vec![Goal::Holds(ItemId::new(7))]);
    assert!(missing.check(&scenario).is_err());
}

/// A random level whose goal has an order: places, and what can be had.
fn ordered(seed: u64, inhabitants: Inhabitants) -> (String, Scenario, Goal) {
    let (text, scenario) = crate::dungeon::random(seed, inhabitants);
    let mut dice = Dice::new(!seed);
    let map = scenario.map();
    let free: Vec<usize> = (0..map.places())
        .filter(|place| map.is_walkable(*place))
        .collect();
    let part = |dice: &mut Dice| {
        if dice.once_in(3) && !scenario.items().is_empty() {
            let item = dice.below(scenario.items().len()) as u8;
            return Goal::Holds(ItemId::new(item));
        }
        let at: Point = map.point_of(free[dice.below(free.len())]);
        let radius = [0.0, 1.0, 2.0][dice.below(3)];
        Goal::Within {
            at,
            height: None,
            radius,
        }
    };
    let parts = 1 + dice.below(4);
    let order = Goal::InOrder((0..parts).map(|_| part(&mut dice)).collect());
    let goal = match dice.below(3) {
        0 => Goal::All(vec![order, part(&mut dice)]),
        _ => order,
    };
    (format!("{goal:?}\n{text}"), scenario, goal)
}

fn check(seed: u64, inhabitants: Inhabitants) {
    let (text, scenario, goal) = ordered(seed, inhabitants);
    let world = World::new(&scenario);
    let quest = AnyQuest::new(&scenario, &world, &goal, Default::default());
    let AnyQuest::Moving(quest) = quest else {
        panic!("what was met before is part of states")
    };
    let mut along = ShortestPath::default();
    check_consistency(&quest, &mut StraightLine, &text);
    check_consistency(&quest, &mut along, &text);
    let promised = along.estimate(&quest, &quest.start());
    let mut search = BestFirst::astar(Blind);
    search.run(&quest, &mut Budget::units(4 * MOST_STATES));
    let Some(path) = search.path() else { return };
    assert!(
        promised <= path.cost,
        "{promised} promised, {} needed\n{text}",
        path.cost
    );
    let orders: Vec<Order> = path.actions().copied().collect();
    let lived = verify(quest.scenario(), quest.start_world(), &orders, quest.goal());
    let lived = lived.unwrap_or_else(|invalid| panic!("{invalid}\n{text}"));
    assert_eq!(lived.cost, path.cost, "{text}");
    // Whoever plays and goes on with what is left has nothing left in the end.
    let mut left = goal;
    let worlds = std::iter::once(quest.start_world()).chain(lived.steps.iter().map(|it| &it.world));
    let mut is_met = false;
    for world in worlds {
        let view = world.seen_in(quest.scenario());
        is_met = left.is_met(&view);
        left = world
            .left_of(&left, AgentId::NPC, quest.scenario())
            .unwrap_or(left);
    }
    assert!(is_met, "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bounds_hold_where_nobody_else_moves(seed: u64) {
        check(seed, Inhabitants::Still);
    }

    #[test]
    fn bounds_hold_where_others_move(seed: u64) {
        check(seed, Inhabitants::Moving);
    }
}
