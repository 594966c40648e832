//! The packed states of a still quest and the whole worlds of the general one are two engines with
//! one contract: the same steps, at the same cost, with the same effects.

use crate::dungeon::{Dice, Inhabitants};
use apprentice_game::Game;
use apprentice_search::Search;
use apprentice_search::{Problem, Successors, astar_search};
use apprentice_world::{
    Abilities, AgentId, AnyQuest, Branching, DoorId, Goal, ItemId, LeverId, Prices, Quest,
    QuestProblem, Scenario, Situation, StraightLine, World,
};
use proptest::prelude::*;

fn abilities(branching: Branching) -> Abilities {
    Abilities {
        branching,
        waits: true,
        ..Abilities::default()
    }
}

/// Walks at random through both and compares every list of successors.
fn check(seed: u64, scenario: &Scenario, abilities: Abilities, text: &str) {
    let AnyQuest::Still(still) = scenario.quest_with(abilities) else {
        panic!("this is a still quest\n{text}");
    };
    let start = World::new(scenario);
    let whole = QuestProblem::new(scenario, &start, scenario.goal(), abilities);
    let (mut state, mut world) = (still.start(), whole.start());
    let mut dice = Dice::new(seed);
    let (mut steps, mut expected) = (Successors::new(), Successors::new());
    for _ in 0..60 {
        steps.clear();
        expected.clear();
        still.successors(&state, &mut steps);
        whole.successors(&world, &mut expected);
        let orders: Vec<_> = steps.iter().map(|step| (step.action, step.cost)).collect();
        let expected_orders: Vec<_> = expected
            .iter()
            .map(|step| (step.action, step.cost))
            .collect();
        assert_eq!(orders, expected_orders, "from {}\n{text}", state.cell());
        for (step, other) in steps.iter().zip(&expected) {
            let view = still.view(&step.state);
            let seen = whole.view(&other.state);
            let context = || format!("after {} from {}\n{text}", step.action, state.cell());
            assert_eq!(
                still.place(&step.state),
                whole.place(&other.state),
                "{}",
                context()
            );
            assert_eq!(
                step.state.stance(),
                whole.world(&other.state).stance(AgentId::NPC).unwrap(),
                "{}",
                context()
            );
            let health = whole.world(&other.state).health(AgentId::NPC, scenario);
            assert_eq!(view.health(), health, "{}", context());
            for item in (0..scenario.items().len() as u8).map(ItemId::new) {
                assert_eq!(view.holds(item), seen.holds(item), "{}", context());
            }
            for lever in (0..scenario.levers().len() as u8).map(LeverId::new) {
                assert_eq!(view.is_on(lever), seen.is_on(lever), "{}", context());
            }
            let mentioned = scenario
                .goal()
                .leaves()
                .into_iter()
                .filter_map(|leaf| match leaf {
                    Goal::DoorOpen(door) => Some(*door),
                    _ => None,
                });
            for door in mentioned.collect::<Vec<DoorId>>() {
                assert_eq!(view.is_open(door), seen.is_open(door), "{}", context());
            }
            let met = (still.is_goal(&step.state), whole.is_goal(&other.state));
            assert_eq!(met.0, met.1, "{}", context());
            assert!(
                still.index(&still.key(&step.state)).is_some(),
                "{}",
                context()
            );
        }
        if steps.is_empty() {
            break;
        }
        let choice = dice.below(steps.len());
        let (step, other) = (
            steps.iter().nth(choice).unwrap(),
            expected.iter().nth(choice).unwrap(),
        );
        (state, world) = (step.state, other.state.clone());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn step_by_step(seed: u64, modes in 0..3usize, harm in 0..3u8) {
        let (text, scenario) = crate::dungeon::random(seed, Inhabitants::Still);
        let scenario = scenario.with_prices(Prices::new(f64::from(harm) * 0.3, 2.0).unwrap());
        check(seed, &scenario, abilities(Branching::ALL[modes]), &text);
    }

    #[test]
    fn to_the_goal_at_the_same_cost(seed: u64, harm in 0..3u8) {
        let (text, scenario) = crate::dungeon::random(seed, Inhabitants::Still);
        let scenario = scenario.with_prices(Prices::new(f64::from(harm) * 0.3, 2.0).unwrap());
        let abilities = Abilities::default();
        let AnyQuest::Still(still) = scenario.quest_with(abilities) else { panic!("{text}") };
        let start = World::new(&scenario);
        let whole = QuestProblem::new(&scenario, &start, scenario.goal(), abilities);
        let cost = astar_search(&still, StraightLine).path().map(|path| path.cost);
        let expected = astar_search(&whole, StraightLine).path().map(|path| path.cost);
        assert_eq!(cost, expected, "{text}");
    }

    #[test]
    fn numbers_belong_to_one_state_each(seed: u64, fights_or_not: bool) {
        let (text, scenario) = crate::dungeon::random(seed, Inhabitants::Still);
        let branching = Branching::ALL[usize::from(fights_or_not)];
        let abilities = Abilities { branching, ..Abilities::default() };
        let AnyQuest::Still(quest) = scenario.quest_with(abilities) else { panic!("{text}") };
        let mut states = std::collections::HashMap::new();
        let mut open = vec![quest.start()];
        let mut steps = Successors::new();
        while let Some(state) = open.pop() {
            let index = quest.index(&state).expect("small quests are numbered");
            let first = states.insert(index, state);
            assert!(first.is_none_or(|first| first == state), "{index} twice\n{text}");
            if first.is_some() {
                continue;
            }
            steps.clear();
            quest.successors(&state, &mut steps);
            open.extend(steps.iter().map(|step| step.state));
        }
    }
}
