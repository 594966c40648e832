//! Plans run where the level has a speed for it and they may: as long as stamina lasts, which comes back.

use std::time::Duration;

use crate::consistency::{MOST_STATES, check_consistency};
use crate::dungeon::Inhabitants;
use apprentice_search::{
    BestFirst, Blind, Budget, Heuristic, Problem, Search, Successors, Weight, astar,
};
use apprentice_world::{
    Abilities, AgentId, AnyQuest, Branching, Gait, Order, Quest, QuestProblem, Scenario,
    ShortestPath, StraightLine, Verified, World, rehearse, verify,
};
use proptest::prelude::*;

const RUNS: Abilities = Abilities {
    branching: Branching::Sixteen,
    fights: true,
    waits: false,
    runs: true,
};

/// A passage so many cells long, in which one runs twice as fast as one walks.
fn passage(cells: usize, more: &str) -> Scenario {
    let text = format!(
        "format = 1\nstart = [0, 0]\ngoal = {{ within = {{ at = [{}, 0], radius = 0.0 }} }}\n\
         map = {{ rows = [\"{}\"] }}\nrules = {{ run = 2.0 }}\n{more}",
        cells - 1,
        ".".repeat(cells)
    );
    Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn moving(scenario: &Scenario, abilities: Abilities) -> QuestProblem {
    match scenario.quest_with(abilities) {
        AnyQuest::Moving(quest) => quest,
        AnyQuest::Still(_) => panic!("stamina goes and comes back"),
    }
}

fn planned(quest: &QuestProblem) -> (Vec<Order>, Verified) {
    let path = astar(quest, StraightLine).expect("there is a way");
    let orders: Vec<Order> = path.actions().copied().collect();
    let lived = verify(quest.scenario(), quest.start_world(), &orders, quest.goal());
    let lived = lived.unwrap_or_else(|invalid| panic!("{invalid}"));
    assert_eq!(lived.cost, path.cost);
    (orders, lived)
}

fn runs_in(orders: &[Order]) -> usize {
    let run = orders.iter().filter(|it| it.stance().gait() == Gait::Run);
    run.count()
}

#[test]
fn a_short_way_is_run_and_a_long_one_as_far_as_stamina_lasts() {
    let short = passage(11, "");
    let (orders, lived) = planned(&moving(&short, RUNS));
    assert_eq!((runs_in(&orders), lived.cost.as_seconds()), (10, 5.0));
    // Ten points a second are lost at a run, and five come back: a run of 19.9 s at most.
    let long = passage(61, "");
    let quest = moving(&long, RUNS);
    let (orders, lived) = planned(&quest);
    let seconds = lived.cost.as_seconds();
    assert!((40.0..44.0).contains(&seconds), "{seconds} s");
    let stamina = |world: &World| world.stamina(AgentId::NPC);
    assert!(lived.steps.iter().all(|step| stamina(&step.world) >= 0.0));
    assert!(lived.steps.iter().any(|step| stamina(&step.world) < 10.0));
    for tick in [16, 33] {
        let tick = Duration::from_millis(tick);
        let played = rehearse(&long, quest.start_world(), &orders, quest.goal(), tick);
        let played = played.unwrap_or_else(|invalid| panic!("{tick:?}: {invalid}"));
        let end = played.steps.last().map(|step| step.world.time());
        let late = end.expect("it goes").as_secs_f64() - seconds;
        assert!(late < 0.5, "{late} s late in ticks of {tick:?}");
    }
}

#[test]
fn nobody_runs_who_may_not_or_where_nobody_does() {
    let scenario = passage(11, "");
    let AnyQuest::Still(_) = scenario.quest() else {
        panic!("without running nothing changes but the place")
    };
    let slow = Scenario::parse(
        "format = 1\nstart = [0, 0]\ngoal = { within = { at = [3, 0], radius = 0.0 } }\n\
         map = { rows = ['....'] }",
    );
    let slow = slow.expect("it is a level");
    assert!(matches!(slow.quest_with(RUNS), AnyQuest::Still(_)));
}

#[test]
fn a_level_may_say_that_one_runs_in_it() {
    let scenario = passage(11, "planning = { run = true }\n");
    let (orders, _) = planned(&moving(&scenario, Abilities::default()));
    assert_eq!(runs_in(&orders), 10);
    let text = "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['..'] }\n\
                planning = { run = true }\n";
    let error = Scenario::parse(text).expect_err("nobody runs there");
    let said = error.to_string();
    assert!(
        said.contains("one runs at 0 and walks at 1"),
        "it says why: {said}"
    );
}

#[test]
fn running_is_a_third_gait_of_every_step() {
    let text = "format = 1\nstart = [1, 1]\ngoal = { all = [] }\n\
                map = { rows = ['...', '...', '...'] }\nrules = { run = 2.0 }";
    let scenario = Scenario::parse(text).expect("it is a level");
    let count = |abilities: Abilities| {
        let quest = moving(&scenario, abilities);
        let mut out = Successors::new();
        quest.successors(&quest.start(), &mut out);
        out.len()
    };
    assert_eq!(count(RUNS), 24);
    let (all, waits) = (Branching::TwoHundredFiftySix, true);
    assert_eq!(count(Abilities { waits, ..RUNS }), 26);
    let branching = all;
    assert_eq!(count(Abilities { branching, ..RUNS }), 384);
}

/// Somebody who has run until nothing is left walks, and what was asked for is no step.
#[test]
fn whoever_is_spent_does_not_plan_to_run() {
    let scenario = passage(41, "");
    let mut world = World::new(&scenario);
    let east: Order = "run east".parse().expect("it is an order");
    let orders = apprentice_world::Orders::new(east);
    world.advance(&scenario, &orders, Duration::from_secs(10), &mut ());
    assert_eq!(world.stamina(AgentId::NPC), 0.0);
    let quest = QuestProblem::new(&scenario, &world, scenario.goal(), RUNS);
    let mut out = Successors::new();
    quest.successors(&quest.start(), &mut out);
    let gaits: Vec<Gait> = out
        .into_iter()
        .map(|it| it.action.stance().gait())
        .collect();
    assert!(
        !gaits.is_empty() && !gaits.contains(&Gait::Run),
        "{gaits:?}"
    );
}

fn running(seed: u64, inhabitants: Inhabitants) -> (String, Scenario) {
    let (text, _) = crate::dungeon::random(seed, inhabitants);
    let text = text.replace("run = 2.0", "");
    let text = text.replace("[rules]\n", "[rules]\nrun = 2.5\n");
    let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    (text, scenario)
}

/// No estimate promises more than what blind search finds to be needed, nor drops by more than a step
/// costs.
fn check_bounds(seed: u64, inhabitants: Inhabitants) {
    let (text, scenario) = running(seed, inhabitants);
    let AnyQuest::Moving(quest) = scenario.quest_with(RUNS) else {
        panic!("stamina goes and comes back")
    };
    let mut along = ShortestPath::default();
    check_consistency(&quest, &mut StraightLine, &text);
    check_consistency(&quest, &mut along, &text);
    let promised = Heuristic::<QuestProblem>::estimate(&mut along, &quest, &quest.start());
    let mut search = BestFirst::astar(Blind);
    search.run(&quest, &mut Budget::units(MOST_STATES));
    if let Some(found) = search.path() {
        assert!(promised <= found.cost, "{promised} promised\n{text}");
    }
}

/// What is planned can be lived through in whole steps, and in ticks wherever nobody else moves.
fn check_plans(seed: u64, inhabitants: Inhabitants, tick: Duration) {
    let (text, scenario) = running(seed, inhabitants);
    let AnyQuest::Moving(quest) = scenario.quest_with(RUNS) else {
        panic!("stamina goes and comes back")
    };
    let hurried = Weight::new(3.0).expect("it is a weight");
    let mut search = BestFirst::weighted_astar(ShortestPath::default(), hurried);
    search.run(&quest, &mut Budget::units(2_000));
    let Some(path) = search.path() else { return };
    let orders: Vec<Order> = path.actions().copied().collect();
    let (scenario, start) = (quest.scenario(), quest.start_world());
    let lived = verify(scenario, start, &orders, quest.goal());
    let lived = lived.unwrap_or_else(|invalid| panic!("{invalid}\n{text}"));
    assert_eq!(lived.cost, path.cost, "{text}");
    if inhabitants == Inhabitants::Still {
        let played = rehearse(scenario, start, &orders, quest.goal(), tick);
        played.unwrap_or_else(|invalid| panic!("{tick:?}: {invalid}\n{text}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bounds_hold_where_nobody_else_moves(seed: u64) {
        check_bounds(seed, Inhabitants::Still);
    }

    #[test]
    fn bounds_hold_where_others_move(seed: u64) {
        check_bounds(seed, Inhabitants::Moving);
    }

    #[test]
    fn plans_are_lived_through(seed: u64, still: bool, tick in 1..100u64) {
        let inhabitants = if still { Inhabitants::Still } else { Inhabitants::Moving };
        check_plans(seed, inhabitants, Duration::from_millis(tick));
    }
}
