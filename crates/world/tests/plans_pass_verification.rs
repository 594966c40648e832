//! Every plan a search returns works when it is lived through without the search.

use std::time::Duration;

use crate::dungeon::{Dice, Inhabitants};
use apprentice_search::{BestFirst, Budget, Search, Weight};
use apprentice_world::{
    Abilities, AnyQuest, Branching, Order, Quest, Rehearsal, Scenario, ShortestPath, StraightLine,
    Verified, VerifiedStep, Why, World, rehearse, verify,
};
use proptest::prelude::*;

/// Plans with A* and hurriedly, lives through both plans, and hands them on.
fn check<Q: Quest>(quest: &Q, text: &str, mut look: impl FnMut(&[Order], &Verified)) {
    let searches: [Box<dyn Search<Q>>; 2] = [
        Box::new(BestFirst::astar(StraightLine)),
        Box::new(BestFirst::weighted_astar(
            ShortestPath::default(),
            Weight::new(5.0).unwrap(),
        )),
    ];
    for mut search in searches {
        search.run(quest, &mut Budget::units(2_000));
        let Some(path) = search.path() else { continue };
        let orders: Vec<Order> = path.actions().copied().collect();
        let lived = verify(quest.scenario(), quest.start_world(), &orders, quest.goal());
        let lived = lived.unwrap_or_else(|invalid| panic!("{invalid}\n{text}"));
        assert_eq!(lived.cost, path.cost, "{text}");
        let places: Vec<_> = lived.steps.iter().map(|step| step.place).collect();
        let planned: Vec<_> = path
            .states()
            .skip(1)
            .map(|state| quest.place(state))
            .collect();
        assert_eq!(places, planned, "{text}");
        look(&orders, &lived);
    }
}

/// A game may cut time as it likes: where nobody else moves, the same steps lead to the same.
fn check_in_ticks<Q: Quest>(quest: &Q, tick: Duration, text: &str) {
    check(quest, text, |orders, lived| {
        let (scenario, start) = (quest.scenario(), quest.start_world());
        let played = rehearse(scenario, start, orders, quest.goal(), tick);
        let played = played.unwrap_or_else(|invalid| panic!("{tick:?}: {invalid}\n{text}"));
        let look = |step: &VerifiedStep| (step.time, step.place, step.health, step.holding.clone());
        // A goal may be met before the step that leads to it ends.
        let before_last = &played.steps[..played.steps.len().saturating_sub(1)];
        assert!(orders.is_empty() || !played.steps.is_empty(), "{text}");
        let looks = |steps: &[VerifiedStep]| steps.iter().map(look).collect::<Vec<_>>();
        let planned = &lived.steps[..before_last.len()];
        assert_eq!(looks(before_last), looks(planned), "{tick:?}\n{text}");
    });
}

/// However it ends, a rehearsal in slices ends as one at once does.
fn check_in_slices<Q: Quest>(quest: &Q, tick: Duration, text: &str) {
    check(quest, text, |orders, _| {
        let (scenario, start) = (quest.scenario(), quest.start_world());
        let whole = rehearse(scenario, start, orders, quest.goal(), tick);
        let mut all = Budget::unlimited();
        let begun = || Rehearsal::new(start, orders.to_vec(), tick);
        let at_once = begun().go_on(scenario, quest.goal(), &mut all);
        assert_eq!(at_once.as_ref(), Some(&whole), "{tick:?}\n{text}");
        let mut rehearsal = begun();
        let mut slices = 0;
        let sliced = loop {
            slices += 1;
            let budget = &mut Budget::units(1);
            if let Some(outcome) = rehearsal.go_on(scenario, quest.goal(), budget) {
                break outcome;
            }
        };
        assert!(slices <= all.taken() + 1, "{text}");
        assert_eq!(sliced, whole, "{tick:?}\n{text}");
    });
}

fn check_scenario(scenario: &Scenario, branching: Branching, waits: bool, text: &str) {
    match scenario.quest_with(Abilities {
        branching,
        waits,
        ..Abilities::default()
    }) {
        AnyQuest::Still(quest) => check(&quest, text, |_, _| {}),
        AnyQuest::Moving(quest) => check(&quest, text, |_, _| {}),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn where_nothing_moves(seed: u64, waits: bool) {
        let (text, scenario) = crate::dungeon::random(seed, Inhabitants::Still);
        check_scenario(&scenario, Branching::Sixteen, waits, &text);
    }

    #[test]
    fn where_others_move(seed: u64, waits: bool) {
        let (text, scenario) = crate::dungeon::random(seed, Inhabitants::Moving);
        check_scenario(&scenario, Branching::Sixteen, waits, &text);
    }

    #[test]
    fn and_however_a_game_cuts_time(seed: u64, still: bool, tick in 1..250u64) {
        let inhabitants = if still { Inhabitants::Still } else { Inhabitants::Moving };
        let (text, scenario) = crate::dungeon::random(seed, inhabitants);
        let tick = Duration::from_millis(tick);
        match scenario.quest() {
            AnyQuest::Still(quest) => check_in_ticks(&quest, tick, &text),
            AnyQuest::Moving(quest) => check_in_slices(&quest, tick, &text),
        }
    }

    #[test]
    fn with_more_modes(seed: u64, still: bool, all: bool) {
        let inhabitants = if still { Inhabitants::Still } else { Inhabitants::Moving };
        let (text, scenario) = crate::dungeon::random(seed, inhabitants);
        let more = if all { Branching::TwoHundredFiftySix } else { Branching::ThirtyTwo };
        check_scenario(&scenario, more, false, &text);
    }

    #[test]
    fn and_any_orders_at_all_can_be_judged(seed: u64) {
        let (_, scenario) = crate::dungeon::random(seed, Inhabitants::Moving);
        let mut dice = Dice::new(seed);
        let words = ["walk", "sneak", "run"];
        let directions = ["east", "north-west", "south", "south-east", "west"];
        let orders: Vec<Order> = (0..12)
            .map(|_| format!("{} {}", words[dice.below(3)], directions[dice.below(5)]))
            .map(|text| text.parse().unwrap())
            .collect();
        let _ = verify(&scenario, &World::new(&scenario), &orders, scenario.goal());
    }
}

#[test]
fn what_does_not_work_is_named_with_its_step() {
    let scenario = Scenario::parse(
        "format = 1\nstart = [0, 0]\ngoal = { within = { at = [3, 0], radius = 0.0 } }\n\
         map = { rows = [\"....\", \"#...\"] }\nenemy = [{ id = \"guard\", kind = \"deadly\", at = [2, 1] }]\n\
         kinds.deadly = { like = \"guard\", radius = 0.5, damage = 200 }",
    )
    .unwrap();
    let world = World::new(&scenario);
    let judge = |plan: &[&str]| {
        let orders: Vec<Order> = plan.iter().map(|order| order.parse().unwrap()).collect();
        verify(&scenario, &world, &orders, scenario.goal())
            .map(|lived| lived.steps.len())
            .map_err(|invalid| (invalid.step, invalid.why.clone(), invalid.to_string()))
    };
    assert_eq!(judge(&["walk east", "walk east", "walk east"]), Ok(3));
    let (step, _, message) = judge(&["walk east", "walk north"]).unwrap_err();
    assert_eq!(
        (step, message.as_str()),
        (2, "step 2: one cannot go north from (1, 0)")
    );
    let (step, _, message) = judge(&["walk south-east"]).unwrap_err();
    assert_eq!(
        (step, message.as_str()),
        (1, "step 1: one cannot go south-east from (0, 0)")
    );
    let (step, why, _) = judge(&["walk east", "walk south-east", "walk north-east"]).unwrap_err();
    assert!(step == 2 && matches!(why, Why::Dies { .. }));
    let (step, _, message) = judge(&["walk east"]).unwrap_err();
    assert_eq!(
        (step, message.as_str()),
        (1, "step 1: the plan ends at (1, 0) and the goal is not met")
    );
    assert_eq!(judge(&[]).unwrap_err().0, 0);
    let (step, why, _) = judge(&["walk east", "run east"]).unwrap_err();
    assert_eq!((step, why), (2, Why::NobodyRuns));
}
