//! What is proven of estimates that may jump between demonstrated places.

use std::sync::Arc;

use crate::map::{Map, STRAIGHT, Walk, graphs, maps, places};
use apprentice_experience::*;
use apprentice_search::{
    BestFirst, Budget, Cost, Estimate, Heuristic, Problem, Promise, Search, Successor, Weight,
    astar,
};
use proptest::prelude::*;

const SIZE: i32 = 12;

fn weight(factor: f64) -> Weight {
    Weight::new(factor).unwrap()
}

fn experience(graph: &DemonstrationGraph, inflation: f64, goal: Place) -> ExperienceGraph {
    let graph = Arc::new(graph.clone());
    ExperienceGraph::new(graph, STRAIGHT, weight(inflation), |at| {
        at.distance_to(goal)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_fast_graph_is_the_one_of_the_definition(
        graph in graphs(SIZE), inflation in 1.0..50.0f64, goal in places(SIZE),
        questions in prop::collection::vec(places(SIZE), 1..10),
    ) {
        let fast = experience(&graph, inflation, goal);
        let shared = Arc::new(graph.clone());
        let to_goal = |at: Place| at.distance_to(goal);
        let plain = ExperienceGraph::by_definition(shared, STRAIGHT, weight(inflation), to_goal);
        let mut hint = Hint::default();
        for place in 0..graph.places().len() as u32 {
            let (fast, plain) = (fast.remaining(place), plain.remaining(place));
            prop_assert!((fast - plain).abs() <= 1e-9 * (1.0 + plain), "{fast} {plain}");
        }
        for at in questions {
            let straight = at.distance_to(goal);
            let (near, by_definition) = (fast.seconds(at, straight), plain.seconds(at, straight));
            prop_assert!((near - by_definition).abs() <= 1e-9 * (1.0 + near));
            prop_assert!(near >= straight && near <= straight * weight(inflation).as_f64());
            let straight = Cost::round_down(straight);
            prop_assert_eq!(fast.estimate(at, straight), fast.estimate_near(at, straight, &mut hint));
        }
    }

    #[test]
    fn no_move_lowers_an_estimate_by_more_than_the_inflation(
        graph in graphs(SIZE), inflation in 1.0..50.0f64, goal in places(SIZE),
        moves in prop::collection::vec((places(SIZE), places(SIZE)), 10),
    ) {
        let experience = experience(&graph, inflation, goal);
        let estimate = |at: Place| experience.seconds(at, at.distance_to(goal));
        for (from, to) in moves {
            let drop = estimate(from) - estimate(to);
            prop_assert!(drop <= inflation * from.distance_to(to) + 1e-9);
        }
    }

    #[test]
    fn without_inflation_nothing_is_followed(
        graph in graphs(SIZE), goal in places(SIZE), at in places(SIZE),
    ) {
        let straight = at.distance_to(goal);
        prop_assert_eq!(experience(&graph, 1.0, goal).seconds(at, straight), straight);
    }

    #[test]
    fn steps_around_walls_are_never_less_than_straight_lines(
        graph in graphs(SIZE), map in maps(SIZE), inflation in 1.0..20.0f64, goal in 0u32..144,
    ) {
        let graph = graph.moved(|place| Cells::cell(&map, place).map(|cell| map.place(cell)));
        let around = DownProjected::new(&map, &graph, &STRAIGHT, weight(inflation), [goal]);
        // Only what lies on the map is followed there.
        let mut on_map = graph;
        on_map.revise(|from, to| {
            Cells::cell(&map, from).is_some() && Cells::cell(&map, to).is_some()
        });
        let straight = experience(&on_map, inflation, map.place(goal));
        let factor = around.inflation().as_f64();
        for cell in 0..map.cells() {
            let at = map.place(cell);
            let least = straight.seconds(at, at.distance_to(map.place(goal)));
            prop_assert!(around.seconds(cell) >= least - 1e-9);
            // And no step lowers it by more than the inflation.
            map.steps(cell, |next, cost| {
                let drop = around.seconds(cell) - around.seconds(next);
                assert!(drop.is_nan() || drop <= factor * cost + 1e-9 || map.walls[cell as usize]);
            });
        }
    }

    #[test]
    fn shortcuts_are_found_and_bounds_still_hold(
        graph in graphs(SIZE), map in maps(SIZE), inflation in 1.0..10.0f64,
        from in 0u32..144, to in 0u32..144, reach in 0.0..3.0f64,
    ) {
        let mut map = map;
        map.walls[from as usize] = false;
        map.walls[to as usize] = false;
        let walk = Roam { map: &map, walk: Walk { map: &map, from, to } };
        let shortcuts = WithShortcuts::new(&walk, &graph, reach);
        let goal = map.place(to);
        let best = astar(&shortcuts, OnShortcuts(straight_to(&map, goal)));
        let without = astar(&walk, straight_to(&map, goal));
        prop_assert!(without.is_none() || best.as_ref().map(|path| path.cost) <= without.map(|path| path.cost));
        let experience = experience(&graph, inflation, goal);
        let guided = Guided { experience: &experience, goal };
        let mut search = BestFirst::astar(OnShortcuts(guided));
        search.run(&shortcuts, &mut Budget::unlimited());
        prop_assert_eq!(search.path().is_some(), best.is_some());
        if let (Some(found), Some(best)) = (search.path(), best) {
            let ticks = Cost::from_ticks(found.steps.len() as u64);
            prop_assert!(weight(inflation).allows(found.cost, best.cost + ticks));
        }
    }
}

/// Walking on a map on which one may also stand anywhere between the cells.
struct Roam<'a> {
    map: &'a Map,
    walk: Walk<'a>,
}

/// A cell, and where exactly one stands.
#[derive(Clone, Debug, PartialEq)]
struct Stand {
    cell: u32,
    place: Place,
}

impl Problem for Roam<'_> {
    type State = Stand;
    type Key = (u32, u64, u64);
    type Action = u32;

    fn start(&self) -> Stand {
        let cell = self.walk.start();
        let place = self.map.place(cell);
        Stand { cell, place }
    }
    fn key(&self, stand: &Stand) -> Self::Key {
        (stand.cell, stand.place.x.to_bits(), stand.place.y.to_bits())
    }
    fn is_goal(&self, stand: &Stand) -> bool {
        stand.cell == self.walk.to && stand.place == self.map.place(stand.cell)
    }
    fn successors(&self, stand: &Stand, out: &mut apprentice_search::Successors<Stand, u32>) {
        let middle = self.map.place(stand.cell);
        if stand.place != middle {
            let cost = Cost::round_up(stand.place.distance_to(middle));
            let place = middle;
            let cell = stand.cell;
            out.push(cell, Stand { cell, place }, cost);
            return;
        }
        self.map.steps(stand.cell, |cell, cost| {
            let place = self.map.place(cell);
            out.push(cell, Stand { cell, place }, Cost::round_up(cost));
        });
    }
}

impl Grounded for Roam<'_> {
    fn place(&self, stand: &Stand) -> Place {
        stand.place
    }
    fn go(&self, stand: &Stand, to: Place) -> Option<Successor<Stand, u32>> {
        let cell = Cells::cell(self.map, to)?;
        // Looks at the ground in small steps, as nobody walks through walls.
        let far = stand.place.distance_to(to);
        let looks = (far * 4.0).ceil() as u32;
        let mut way =
            (1..=looks).map(|look| stand.place.toward(to, f64::from(look) / f64::from(looks)));
        let is_free = way.all(|place| Cells::cell(self.map, place).is_some());
        is_free.then(|| Successor {
            action: cell,
            state: Stand { cell, place: to },
            cost: Cost::round_up(far),
        })
    }
}

struct Guided<'a> {
    experience: &'a ExperienceGraph,
    goal: Place,
}

impl Heuristic<Roam<'_>> for Guided<'_> {
    fn estimate(&mut self, _: &Roam<'_>, stand: &Stand) -> Cost {
        let straight = Cost::round_down(stand.place.distance_to(self.goal));
        self.experience.estimate(stand.place, straight)
    }
    fn promise(&self) -> Promise {
        Promise::Consistent
    }
    fn inflation(&self) -> Weight {
        self.experience.inflation()
    }
}

fn straight_to(_: &Map, goal: Place) -> Estimate<impl FnMut(&Stand) -> Cost> {
    Estimate::new(Promise::Consistent, move |stand: &Stand| {
        Cost::round_down(stand.place.distance_to(goal))
    })
}

/// Along a demonstrated way of length ten with places only at its ends: the E-Graph's estimate first
/// rises, because one is drawn back to the place behind; the T-Graph's falls all the way.
#[test]
fn between_sparse_places_only_training_graphs_lead_on() {
    let ground = OpenGround { top_speed: 1.0 };
    let goal = Place::flat(40.0, 30.0);
    let points = [
        (0.0, 0.0),
        (10.0, 0.0),
        (20.0, 0.0),
        (40.0, 0.0),
        (40.0, 30.0),
    ];
    let mut graph = DemonstrationGraph::default();
    graph.add(&Demonstration::drawn(
        "shown",
        points.map(|(x, y)| Place::flat(x, y)),
        1.0,
    ));
    let inflation = 10.0;
    let experience = experience(&graph, inflation, goal);
    for projection in [Projection::Perpendicular, Projection::Consistent] {
        let training = TrainingGraph::new(
            Arc::new(graph.clone()),
            STRAIGHT,
            TrainingSettings {
                projection,
                ..TrainingSettings::with_inflation(weight(inflation))
            },
            &Journey {
                start: None,
                goal: ground.to(goal),
                ways: &ground,
            },
        );
        let along = (0..=100).map(|step| Place::flat(f64::from(step) / 10.0, 0.0));
        let falls = |estimate: &dyn Fn(Place) -> f64| {
            let values: Vec<f64> = along.clone().map(estimate).collect();
            values.windows(2).all(|pair| pair[1] < pair[0])
        };
        assert!(falls(&|at| training.seconds(at, at.distance_to(goal))));
        assert!(!falls(&|at| experience.seconds(at, at.distance_to(goal))));
    }
    let at = |x: f64| {
        let place = Place::flat(x, 0.0);
        experience.seconds(place, place.distance_to(goal))
    };
    assert!(at(2.0) > at(0.0), "drawn back to where it came from");
}

#[test]
fn a_demonstrator_faster_than_the_character_is_not_believed() {
    let mut graph = DemonstrationGraph::default();
    let (here, there) = (
        graph.add_place(Place::flat(0.0, 0.0)),
        graph.add_place(Place::flat(10.0, 0.0)),
    );
    graph.add_way(here, there, 0.1);
    let goal = Place::flat(10.0, 0.0);
    assert_eq!(
        experience(&graph, 3.0, goal).seconds(Place::flat(0.0, 0.0), 10.0),
        10.0
    );
}

#[test]
fn a_closed_way_offers_nothing() {
    let mut graph = DemonstrationGraph::default();
    let points = [Place::flat(0.0, 0.0), Place::flat(10.0, 0.0)];
    graph.add(&Demonstration::drawn("through the door", points, 1.0));
    let goal = Place::flat(10.0, 0.0);
    let at = Place::flat(0.0, 0.0);
    assert_eq!(experience(&graph, 3.0, goal).seconds(at, 10.0), 10.0);
    graph.revise(|_, _| false);
    assert_eq!(experience(&graph, 3.0, goal).seconds(at, 10.0), 30.0);
}
