//! Sixteen successors in the open and 256 with all modes; 6 and 96 in a corner; always in the same
//! order.

use apprentice_search::Successors;
use apprentice_world::{
    Abilities, AnyQuest, Branching, Direction, Gait, Order, Quest, QuestProblem, Scenario, World,
};

fn room(start: [u16; 2]) -> Scenario {
    Scenario::parse(&format!(
        "format = 1\nstart = {start:?}\ngoal = {{ all = [] }}\nmap = {{ rows = [\"...\", \"...\", \"...\"] }}"
    ))
    .unwrap()
}

fn orders<Q: Quest>(quest: &Q) -> Vec<Order> {
    let mut out = Successors::new();
    quest.successors(&quest.start(), &mut out);
    out.iter().map(|step| step.action).collect()
}

/// The orders of both engines, which are the same.
fn listed(start: [u16; 2], abilities: Abilities) -> Vec<Order> {
    let scenario = room(start);
    let world = World::new(&scenario);
    let whole = QuestProblem::new(&scenario, &world, scenario.goal(), abilities);
    let AnyQuest::Still(still) = scenario.quest_with(abilities) else {
        panic!("nothing moves")
    };
    assert_eq!(orders(&still), orders(&whole));
    orders(&still)
}

fn abilities(branching: Branching) -> Abilities {
    Abilities {
        branching,
        ..Abilities::default()
    }
}

#[test]
fn in_the_open_and_in_a_corner() {
    for (branching, open, corner) in [
        (Branching::Sixteen, 16, 6),
        (Branching::TwoHundredFiftySix, 256, 96),
    ] {
        assert_eq!(listed([1, 1], abilities(branching)).len(), open);
        assert_eq!(listed([0, 0], abilities(branching)).len(), corner);
        assert_eq!(listed([2, 2], abilities(branching)).len(), corner);
    }
}

#[test]
fn waiting_adds_one_for_each_stance() {
    let waits = |branching| Abilities {
        waits: true,
        ..abilities(branching)
    };
    assert_eq!(listed([1, 1], waits(Branching::Sixteen)).len(), 18);
    assert_eq!(
        listed([1, 1], waits(Branching::TwoHundredFiftySix)).len(),
        288
    );
}

#[test]
fn moves_come_counter_clockwise_from_the_east_and_walking_before_sneaking() {
    let listed = listed([1, 1], abilities(Branching::Sixteen));
    let mut expected = Vec::new();
    for direction in Direction::ALL {
        expected.extend([(direction, Gait::Walk), (direction, Gait::Sneak)]);
    }
    let found: Vec<_> = listed
        .into_iter()
        .map(|order| match order {
            Order::Step(direction, stance) => (direction, stance.gait()),
            other => panic!("{other} is no step"),
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn modes_come_gait_first_then_heading_then_fighting_then_blocking() {
    let listed = listed([1, 1], abilities(Branching::TwoHundredFiftySix));
    let mut expected = Vec::new();
    for gait in [Gait::Walk, Gait::Sneak] {
        for heading in 0..4 {
            for fights in [false, true] {
                for blocks in [false, true] {
                    expected.push((gait, heading, fights, blocks));
                }
            }
        }
    }
    for (number, orders) in listed.chunks(32).enumerate() {
        let found: Vec<_> = orders
            .iter()
            .map(|order| {
                assert!(matches!(order, Order::Step(direction, _) if *direction == Direction::ALL[number]));
                let stance = order.stance();
                (stance.gait(), stance.heading(), stance.fights(), stance.blocks())
            })
            .collect();
        assert_eq!(found, expected);
    }
}
