//! What is learned from demonstrations a little at a time is what is learned from them at once, to
//! the bit; and no slice is long, however long a demonstration is.

use std::sync::Arc;

use crate::map::{STRAIGHT, graphs, maps, places, settings};
use apprentice_experience::*;
use apprentice_search::{Budget, Weight};
use proptest::prelude::*;

const SIZE: i32 = 12;

/// Calls until all is done, with that much budget each time; how many units that took.
fn sliced(units: u64, mut go_on: impl FnMut(&mut Budget<'_>) -> bool) -> u64 {
    let mut taken = 0;
    loop {
        let mut budget = Budget::units(units);
        let is_done = go_on(&mut budget);
        taken += budget.taken();
        assert!(budget.taken() <= units);
        if is_done {
            // And it stays done.
            assert!(go_on(&mut Budget::units(0)));
            return taken;
        }
        assert_eq!(
            budget.taken(),
            units,
            "it stops only when the budget is spent"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn on_odd_graphs(
        graph in graphs(SIZE), map in maps(SIZE), settings in settings(), units in 1u64..4,
        start in places(SIZE), goal in places(SIZE),
        questions in prop::collection::vec(places(SIZE), 1..20),
    ) {
        let graph = Arc::new(graph);
        let ways = map.to(goal);
        let journey = Journey { start: Some(start), goal: ways.clone(), ways: &map };

        let whole = TrainingGraph::new(graph.clone(), STRAIGHT, settings, &journey);
        let mut learning = TrainingGraphBuilder::new(graph.clone(), STRAIGHT, settings, &journey);
        sliced(units, |budget| learning.go_on(&map, budget));
        let training = learning.finish();

        let chased = MovingGoal::new(&graph, STRAIGHT, settings, Some(start), &map);
        let mut learning = MovingGoalBuilder::new(&graph, STRAIGHT, settings, Some(start));
        sliced(units, |budget| learning.go_on(&graph, &map, budget));
        let chase = learning.finish();

        let order = InOrderSettings::with_inflation(settings.inflation);
        let ordered = InOrder::new(&graph, 0, STRAIGHT, order, &journey);
        let mut learning = InOrderBuilder::new(0, STRAIGHT, order);
        sliced(units, |budget| learning.go_on(&graph, &journey, budget));
        let in_order = learning.finish();
        prop_assert_eq!(in_order.length().to_bits(), ordered.length().to_bits());

        let to_goal = |at: Place| STRAIGHT.between(at, goal);
        let inflation = settings.inflation;
        let paired = ExperienceGraph::new(graph.clone(), STRAIGHT, inflation, to_goal);
        let mut pairing = Pairing::new(graph, STRAIGHT, inflation, to_goal);
        sliced(units, |budget| pairing.go_on(budget));
        let experience = pairing.finish();

        let there = chased.goal_at(ways);
        for at in &questions {
            let straight = to_goal(*at);
            let (sliced, whole) = (training.attribute(*at, straight), whole.attribute(*at, straight));
            prop_assert_eq!(sliced, whole);
            let (sliced, whole) =
                (chase.seconds(*at, straight, &there), chased.seconds(*at, straight, &there));
            prop_assert_eq!(sliced.to_bits(), whole.to_bits());
            for progress in [0.0, 5.0, 50.0] {
                let (sliced, whole) =
                    (in_order.seconds(*at, straight, progress), ordered.seconds(*at, straight, progress));
                prop_assert_eq!(sliced.to_bits(), whole.to_bits());
            }
            let (sliced, whole) = (experience.seconds(*at, straight), paired.seconds(*at, straight));
            prop_assert_eq!(sliced.to_bits(), whole.to_bits());
        }
    }
}

/// A walk around in circles, with a rest now and then.
fn long_walk(samples: usize) -> Demonstration {
    let mut points = vec![Place::flat(0.0, 0.0)];
    while points.len() < samples {
        let last = points[points.len() - 1];
        let step = match points.len() / 7 % 5 {
            0 => (0.3, 0.1),
            1 => (-0.2, 0.3),
            2 => (0.0, 0.0),
            3 => (-0.1, -0.2),
            _ => (0.2, -0.1),
        };
        points.push(Place::flat(last.x + step.0, last.y + step.1));
    }
    Demonstration::drawn("long walk", points, 1.0)
}

/// Counters instead of clocks: all that takes time with the length of a demonstration is paid for.
#[test]
fn long_demonstrations_take_many_slices() {
    let shown = long_walk(5000);
    let mut whole = DemonstrationGraph::default();
    whole.add(&shown);
    let mut graph = DemonstrationGraph::default();
    let mut adding = DemonstrationGraphBuilder::default();
    let units = sliced(1, |budget| adding.go_on(&mut graph, &shown, budget));
    assert_eq!(units, 5000u64.div_ceil(32));
    assert_eq!((adding.trace, &graph), (Some(0), &whole));

    let ground = OpenGround { top_speed: 1.0 };
    let goal = Place::flat(50.0, 20.0);
    let settings = TrainingSettings {
        pieces: Pieces::Apart,
        ..TrainingSettings::with_inflation(Weight::new(10.0).unwrap())
    };
    let graph = Arc::new(graph);
    let journey = Journey {
        start: Some(Place::flat(-3.0, 0.0)),
        goal: ground.to(goal),
        ways: &ground,
    };
    let mut learning = TrainingGraphBuilder::new(graph.clone(), STRAIGHT, settings, &journey);
    let units = sliced(1, |budget| learning.go_on(&ground, budget));
    // Opened, swept, laid, surveyed, bundled, measured; and the tiles.
    assert!(units > 5 * 5000 / 64 + 5000 / 8, "{units}");

    let mut learning = MovingGoalBuilder::new(&graph, STRAIGHT, settings, None);
    let units = sliced(1, |budget| learning.go_on(&graph, &ground, budget));
    assert!(units > 5 * 5000 / 64 + 5000 / 8, "{units}");

    let order = InOrderSettings::with_inflation(settings.inflation);
    let mut learning = InOrderBuilder::new(0, STRAIGHT, order);
    let units = sliced(1, |budget| learning.go_on(&graph, &journey, budget));
    assert!(units > 5 * 5000 / 64, "{units}");
}
