//! A demonstration that crosses itself is followed in order, and bounds hold all the same.

use std::sync::Arc;

use crate::map::{Map, STRAIGHT, Walk, graphs, maps, places};
use apprentice_experience::*;
use apprentice_search::{
    BestFirst, Blind, Budget, Cost, Heuristic, Promise, Reopening, Search, Weight, astar,
};
use proptest::prelude::*;

const SIZE: i32 = 12;

fn settings(inflation: f64, ahead: f64, tolerance: f64, pace: f64) -> InOrderSettings {
    InOrderSettings {
        inflation: Weight::new(inflation).unwrap(),
        ahead,
        tolerance,
        pace,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_step_lowers_an_estimate_by_more_than_its_factor(
        graph in graphs(SIZE), map in maps(SIZE), start in prop::option::of(places(SIZE)),
        goal in places(SIZE), inflation in 1.0..20.0f64, ahead in 0.0..9.0f64,
        tolerance in 0.0..4.0f64, pace in 0.5..3.0f64,
        walk in prop::collection::vec((places(SIZE), 0.0..1.0f64), 20),
    ) {
        let journey = Journey { start, goal: map.to(goal), ways: &map };
        let how = settings(inflation, ahead, tolerance, pace);
        let in_order = InOrder::new(&graph, 0, STRAIGHT, how, &journey);
        let factor = in_order.consistency().unwrap().as_f64();
        let mut at = walk[0].0;
        let mut progress = 0.0;
        let mut hint = Hint::default();
        for (toward, part) in walk {
            let next = at.toward(toward, part);
            let seconds = STRAIGHT.between(at, next);
            let further = in_order.advance(progress, next, seconds);
            prop_assert!(further >= progress && further <= progress + pace * seconds + 1e-9);
            let (here, there) = (at.distance_to(goal), next.distance_to(goal));
            let before = in_order.seconds(at, here, progress);
            let after = in_order.seconds(next, there, further);
            prop_assert!(before >= here && before <= in_order.inflation().as_f64() * here);
            prop_assert!(before - after <= factor * seconds + 1e-6, "{before} {after} {seconds}");
            // More progress never makes it worse.
            prop_assert!(in_order.seconds(at, here, progress + 1.0) <= before + 1e-9);
            let straight = Cost::round_down(here);
            let near = in_order.estimate(at, straight, progress, &mut hint);
            prop_assert_eq!(near, in_order.estimate(at, straight, progress, &mut Hint::default()));
            (at, progress) = (next, further);
        }
    }
}

struct Following {
    goal: Place,
    hint: Hint,
}

impl<'m, F: Fn(&Walk<'m>, &u32) -> Place> Heuristic<WithProgress<Walk<'m>, F>> for Following {
    fn estimate(
        &mut self,
        problem: &WithProgress<Walk<'m>, F>,
        state: &ProgressState<u32>,
    ) -> Cost {
        let at = problem.problem().map.place(state.state);
        let straight = Cost::round_down(at.distance_to(self.goal));
        problem
            .in_order()
            .estimate(at, straight, state.progress, &mut self.hint)
    }
    fn promise(&self) -> Promise {
        Promise::Admissible
    }
    fn inflation(&self) -> Weight {
        Weight::new(10.0).unwrap()
    }
}

/// Out to the east, around, back through where it began, and on to the north.
#[test]
fn a_loop_is_gone_around_before_the_way_on() {
    let map = Map::open(40, 40);
    let (from, to) = (map.cell(5, 30).unwrap(), map.cell(5, 2).unwrap());
    let (start, goal) = (map.place(from), map.place(to));
    let points = [
        (5.0, 30.0),
        (25.0, 30.0),
        (25.0, 20.0),
        (5.0, 20.0),
        (5.0, 30.0),
        (2.0, 16.0),
        (5.0, 2.0),
    ];
    let mut graph = DemonstrationGraph::default();
    graph.add(&Demonstration::drawn(
        "lure",
        points.map(|(x, y)| Place::flat(x, y)),
        1.0,
    ));
    let journey = Journey {
        start: Some(start),
        goal: map.to(goal),
        ways: &map,
    };
    let went_around = |path: &apprentice_search::Path<ProgressState<u32>, u32>| {
        path.states().any(|state| map.place(state.state).x >= 22.0)
    };
    let in_order = Arc::new(InOrder::new(
        &graph,
        0,
        STRAIGHT,
        InOrderSettings::with_inflation(Weight::new(10.0).unwrap()),
        &journey,
    ));
    let walk = Walk {
        map: &map,
        from,
        to,
    };
    let problem = WithProgress::new(
        walk,
        in_order.clone(),
        |walk: &Walk<'_>, cell: &u32| walk.map.place(*cell),
        1.0,
    );
    for reopening in [Reopening::Never, Reopening::Always] {
        let guide = Following {
            goal,
            hint: Hint::default(),
        };
        let mut search = BestFirst::astar(guide).with_reopening(reopening);
        search.run(&problem, &mut Budget::unlimited());
        let path = search.path().expect("the map is open");
        assert!(went_around(&path), "{reopening:?}");
        assert!(path.end().progress > in_order.length() - 4.0);
        // The bound holds for the detour as for everything else.
        let best = astar(problem.problem(), Blind).unwrap();
        assert!(Weight::new(10.0).unwrap().allows(path.cost, best.cost));
        assert!(
            search.statistics().expanded < 1500,
            "{}",
            search.statistics().expanded
        );
    }
    // Credit that does not ask how far one has come cuts it short.
    let training = TrainingGraph::new(
        Arc::new(graph),
        STRAIGHT,
        TrainingSettings::with_inflation(Weight::new(10.0).unwrap()),
        &journey,
    );
    let guide = apprentice_search::Estimate::new(Promise::None, |cell: &u32| {
        let at = map.place(*cell);
        training.estimate(at, Cost::round_down(at.distance_to(goal)))
    });
    let path = astar(problem.problem(), guide).unwrap();
    assert!(path.states().all(|cell| map.place(*cell).x < 10.0));
}

#[test]
fn what_cannot_be_followed_leaves_the_straight_line() {
    let ground = OpenGround { top_speed: 1.0 };
    let goal = Place::flat(9.0, 0.0);
    let journey = Journey {
        start: None,
        goal: ground.to(goal),
        ways: &ground,
    };
    let mut graph = DemonstrationGraph::default();
    let how = settings(3.0, 5.0, 1.0, 2.0);
    let nothing = InOrder::new(&graph, 0, STRAIGHT, how, &journey);
    assert_eq!(nothing.seconds(Place::flat(0.0, 0.0), 9.0, 0.0), 27.0);
    assert_eq!(nothing.advance(f64::NAN, Place::flat(0.0, 0.0), 1.0), 0.0);
    graph.add(&Demonstration::drawn(
        "x",
        [Place::flat(0.0, 0.0), goal],
        1.0,
    ));
    let shown = InOrder::new(&graph, 0, STRAIGHT, how, &journey);
    assert_eq!(shown.seconds(Place::flat(8.0, 0.0), 1.0, 9.0), 1.0);
    for odd in [f64::NAN, f64::INFINITY, -1.0, 1e300] {
        assert!(!shown.seconds(Place::flat(odd, 0.0), 1.0, odd).is_nan());
        assert!(shown.advance(odd, Place::flat(0.0, odd), odd) >= 0.0);
    }
}
