//! Sixteen successors in the open, 32 where a plan decides whether to fight and 256 with all modes; 6, 12
//! and 96 in a corner; always in the same order.

use apprentice_experience as experience;
use apprentice_game::Game;
use apprentice_search::{Problem, Successors};
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
        (Branching::ThirtyTwo, 32, 12),
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
    assert_eq!(listed([1, 1], waits(Branching::ThirtyTwo)).len(), 36);
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

#[test]
fn fighting_or_not_comes_after_the_gait() {
    let listed = listed([1, 1], abilities(Branching::ThirtyTwo));
    for (number, orders) in listed.chunks(4).enumerate() {
        let found = orders.iter().map(|order| {
            assert!(
                matches!(order, Order::Step(direction, _) if *direction == Direction::ALL[number])
            );
            let stance = order.stance();
            assert!(stance.heading() == 0 && !stance.blocks());
            (stance.gait(), stance.fights())
        });
        let expected = [Gait::Walk, Gait::Sneak].map(|gait| [(gait, false), (gait, true)]);
        assert_eq!(found.collect::<Vec<_>>(), expected.concat());
    }
}

/// Fighting and blocking that was shown is imitated where a plan decides about it, and there only.
#[test]
fn what_was_shown_is_gone_about_alike() {
    let shown = |flags: &[&str]| experience::Stance {
        gait: Some("walk".to_owned()),
        flags: (flags.iter().map(|it| ((*it).to_owned(), "true".to_owned()))).collect(),
        ..experience::Stance::default()
    };
    for (branching, decided) in [
        (Branching::Sixteen, &[][..]),
        (Branching::ThirtyTwo, &["fighting"]),
        (Branching::TwoHundredFiftySix, &["fighting", "blocking"]),
    ] {
        let scenario = room([1, 1]);
        let AnyQuest::Still(quest) = scenario.quest_with(abilities(branching)) else {
            panic!("nothing moves")
        };
        assert!(quest.is_usual(&shown(&[])), "{branching:?}");
        let mut steps = Successors::new();
        quest.successors(&quest.start(), &mut steps);
        for flag in ["fighting", "blocking"] {
            let is_decided = decided.contains(&flag);
            assert_eq!(
                quest.is_usual(&shown(&[flag])),
                !is_decided,
                "{branching:?}"
            );
            for step in steps.iter() {
                let stance = step.action.stance();
                let does = match flag {
                    "fighting" => stance.fights(),
                    _ => stance.blocks(),
                };
                let walks = stance.gait() == Gait::Walk;
                let goes = quest.goes_as(&step.state, &shown(&[flag]));
                assert_eq!(
                    goes,
                    walks && (does || !is_decided),
                    "{branching:?} {stance}"
                );
            }
        }
    }
}
