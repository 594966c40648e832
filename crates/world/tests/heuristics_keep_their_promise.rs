//! Every estimate is what it swears to be: zero at goals, and never dropping by more than a step
//! costs; so never more than the cost that really remains.

use crate::consistency::{MOST_STATES, check_consistency};
use crate::dungeon::Inhabitants;
use apprentice_search::{
    BestFirst, Blind, Budget, Heuristic, Problem, Promise, Search, Successors,
};
use apprentice_world::{
    Abilities, AgentId, AnyQuest, Branching, Cell, Point, Quest, Scenario, ShortestPath,
    StraightLine, WalkProblem,
};
use proptest::prelude::*;

fn check<Q: Quest>(quest: &Q, text: &str) {
    let mut path = ShortestPath::default();
    assert!(path.prepare(quest, &mut Budget::unlimited()));
    assert_eq!(Heuristic::<Q>::promise(&StraightLine), Promise::Consistent);
    assert_eq!(Heuristic::<Q>::promise(&path), Promise::Consistent);
    check_consistency(quest, &mut StraightLine, text);
    check_consistency(quest, &mut path, text);
    let start = quest.start();
    let straight = StraightLine.estimate(quest, &start);
    let along = path.estimate(quest, &start);
    assert!(
        straight <= along,
        "as the crow flies {straight}, along the ways {along}\n{text}"
    );
    // Blind search knows the truth.
    let mut search = BestFirst::astar(Blind);
    search.run(quest, &mut Budget::units(MOST_STATES));
    if let Some(found) = search.path() {
        assert!(
            along <= found.cost,
            "{along} promised, {} needed\n{text}",
            found.cost
        );
    }
}

fn check_scenario(scenario: &Scenario, branching: Branching, text: &str) {
    match scenario.quest_with(Abilities {
        branching,
        waits: true,
        ..Abilities::default()
    }) {
        AnyQuest::Still(quest) => check(&quest, text),
        AnyQuest::Moving(quest) => check(&quest, text),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whoever is planned for, and however many others there are.
    #[test]
    fn for_anybody_in_a_crowd(seed: u64, who: u16) {
        let (text, scenario) = crate::dungeon::random(seed, Inhabitants::Crowded);
        let who = AgentId::Actor(who % scenario.actors().len() as u16);
        let scenario = scenario.for_agent(who).expect("it takes orders");
        check_scenario(&scenario, Branching::Sixteen, &format!("{who:?}\n{text}"));
    }

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

    #[test]
    fn with_all_modes(seed: u64) {
        let (text, scenario) = crate::dungeon::random(seed, Inhabitants::Still);
        check_scenario(&scenario, Branching::TwoHundredFiftySix, &text);
    }

    #[test]
    fn for_positions_only(seed: u64, x in 0u16..9, y in 0u16..8, radius in 0.0..3.0f64) {
        let (text, scenario) = crate::dungeon::random(seed, Inhabitants::Still);
        let place = scenario.map().place_at(scenario.actors()[0].start).unwrap();
        let to = Cell::new(x, y).center();
        check(&WalkProblem::new(&scenario, place, to, radius), &text);
    }
}

#[test]
fn rounding_breaks_no_promise_along_any_diagonal() {
    // Along a diagonal the estimate falls by exactly what a step costs: there is no slack to hide
    // a wrongly rounded tick in.
    let rows = vec![".".repeat(600); 600];
    let text = format!(
        "format = 1\nstart = [0, 0]\ngoal = {{ all = [] }}\nmap = {{ rows = [\"{}\"] }}",
        rows.join("\", \"")
    );
    let scenario = Scenario::parse(&text).unwrap();
    let walk = WalkProblem::new(&scenario, 0, Point::new(599.0, 599.0), 0.0);
    let mut steps = Successors::new();
    for place in 0..599 {
        let cell = place * 601;
        let here = StraightLine.estimate(&walk, &cell);
        steps.clear();
        walk.successors(&cell, &mut steps);
        for step in &steps {
            assert!(
                here <= step.cost + StraightLine.estimate(&walk, &step.state),
                "in {cell}"
            );
        }
    }
}
