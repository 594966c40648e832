//! Every estimate is what it swears to be, on random maps with random demonstrations: through
//! walls, off the map, in loops. And searches that rely on it keep their bounds.
//!
//! Estimates are inflated and rounded to whole ticks, so that a step may lower one by a tick more
//! than the inflation allows.

use std::sync::Arc;

use crate::map::{Map, STRAIGHT, Walk, graphs, maps, settings};
use apprentice_experience::*;
use apprentice_search::{
    BestFirst, Budget, Cost, Guarantee, Heuristic, Promise, Reopening, Search, Weight,
};
use proptest::prelude::*;

const SIZE: i32 = 12;

/// An estimate by cell, and what is sworn of it.
struct Sworn<'a> {
    name: &'static str,
    promise: Promise,
    inflation: Weight,
    estimate: Box<dyn Fn(u32) -> Cost + 'a>,
}

impl Heuristic<Walk<'_>> for &Sworn<'_> {
    fn estimate(&mut self, _: &Walk<'_>, cell: &u32) -> Cost {
        (self.estimate)(*cell)
    }
    fn promise(&self) -> Promise {
        self.promise
    }
    fn inflation(&self) -> Weight {
        self.inflation
    }
}

fn everything<'a>(
    map: &'a Map,
    graph: &Arc<DemonstrationGraph>,
    settings: TrainingSettings,
    from: u32,
    to: u32,
) -> Vec<Sworn<'a>> {
    let goal = map.place(to);
    let straight = move |at: Place| Cost::round_down(STRAIGHT.between(at, goal));
    let journey = Journey {
        start: Some(map.place(from)),
        goal: map.to(goal),
        ways: map,
    };
    let inflation = settings.inflation;
    let mut all = Vec::new();
    let training = TrainingGraph::new(graph.clone(), STRAIGHT, settings, &journey);
    if let Some(factor) = training.consistency() {
        let training = training.clone();
        all.push(Sworn {
            name: "training graph",
            promise: Promise::Consistent,
            inflation: factor,
            estimate: Box::new(move |cell| {
                let at = map.place(cell);
                training.estimate(at, straight(at))
            }),
        });
    }
    all.push(Sworn {
        name: "training graph of any kind",
        promise: Promise::Admissible,
        inflation: training.inflation(),
        estimate: Box::new(move |cell| {
            let at = map.place(cell);
            training.estimate(at, straight(at))
        }),
    });
    let moving = MovingGoal::new(graph, STRAIGHT, settings, journey.start, map);
    let there = moving.goal_at(journey.goal.clone());
    all.push(Sworn {
        name: "moving goal",
        promise: Promise::Admissible,
        inflation: moving.inflation(),
        estimate: Box::new(move |cell| {
            let at = map.place(cell);
            moving.estimate(at, straight(at), &there, &mut MovingHint::default())
        }),
    });
    let experience = ExperienceGraph::new(graph.clone(), STRAIGHT, inflation, move |at| {
        STRAIGHT.between(at, goal)
    });
    all.push(Sworn {
        name: "experience graph",
        promise: Promise::Consistent,
        inflation: experience.inflation(),
        estimate: Box::new(move |cell| {
            let at = map.place(cell);
            experience.estimate(at, straight(at))
        }),
    });
    let around = DownProjected::new(map, graph, &STRAIGHT, inflation, [to]);
    all.push(Sworn {
        name: "down-projected experience graph",
        promise: Promise::Consistent,
        inflation: around.inflation(),
        estimate: Box::new(move |cell| around.estimate(cell)),
    });
    let how = InOrderSettings::with_inflation(inflation);
    let in_order = InOrder::new(graph, 0, STRAIGHT, how, &journey);
    all.push(Sworn {
        name: "in order, whatever the progress",
        promise: Promise::Admissible,
        inflation: in_order.inflation(),
        estimate: Box::new(move |cell| {
            let at = map.place(cell);
            let progress = f64::from(cell % 40);
            in_order.estimate(at, straight(at), progress, &mut Hint::default())
        }),
    });
    all
}

/// What each cell really costs, by sweeping from the goal with steps rounded as searches round them.
fn truth(map: &Map, to: u32) -> Vec<Cost> {
    let mut costs = vec![Cost::INFINITE; map.cells() as usize];
    costs[to as usize] = Cost::ZERO;
    loop {
        let mut changed = false;
        for cell in 0..map.cells() {
            if !costs[cell as usize].is_finite() {
                continue;
            }
            map.steps(cell, |next, seconds| {
                let through = costs[cell as usize] + Cost::round_up(seconds);
                if through < costs[next as usize] {
                    costs[next as usize] = through;
                    changed = true;
                }
            });
        }
        if !changed {
            return costs;
        }
    }
}

fn check(map: &Map, sworn: &Sworn<'_>, from: u32, to: u32, weight: f64) {
    let name = sworn.name;
    let truth = truth(map, to);
    let tick = Cost::from_ticks(1);
    for cell in (0..map.cells()).filter(|cell| !map.walls[*cell as usize]) {
        let here = (sworn.estimate)(cell);
        let really = truth[cell as usize];
        if really.is_finite() {
            assert!(
                sworn.inflation.allows(here, really),
                "{name}: {here} for {really}"
            );
        }
        if sworn.promise == Promise::Consistent {
            map.steps(cell, |next, seconds| {
                let step = sworn.inflation.inflate(Cost::round_up(seconds));
                let there = (sworn.estimate)(next);
                assert!(
                    here <= step + there + tick,
                    "{name}: {here} by {step} to {there}"
                );
            });
        }
    }
    assert_eq!((sworn.estimate)(to), Cost::ZERO, "{name} at the goal");
    let reopening = match sworn.promise {
        Promise::Consistent => Reopening::Never,
        _ => Reopening::Always,
    };
    let weight = Weight::new(weight).unwrap();
    let mut search = BestFirst::weighted_astar(sworn, weight).with_reopening(reopening);
    search.run(&Walk { map, from, to }, &mut Budget::unlimited());
    assert_eq!(search.path().is_some(), truth[from as usize].is_finite());
    if let Some(path) = search.path() {
        let Guarantee::Within { factor, .. } = search.guarantee() else {
            panic!("{name}: nothing is proven");
        };
        let ticks = Cost::from_ticks(path.steps.len() as u64);
        let best = truth[from as usize];
        assert!(
            factor.allows(path.cost, best + ticks),
            "{name}: {} for {best}",
            path.cost
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn on_random_maps_with_random_demonstrations(
        map in maps(SIZE), graph in graphs(SIZE), settings in settings(),
        ends in (0u32..144, 0u32..144), weight in 1.0..5.0f64,
    ) {
        let (from, to) = ends;
        let mut map = map;
        map.walls[from as usize] = false;
        map.walls[to as usize] = false;
        for sworn in everything(&map, &Arc::new(graph), settings, from, to) {
            check(&map, &sworn, from, to, weight);
        }
    }
}
