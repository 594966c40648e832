//! Estimates on a fixed scene, value by value: a change here is a change for everybody.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::map::{Map, STRAIGHT};
use apprentice_experience::*;
use apprentice_search::Weight;

const ROWS: [&str; 12] = [
    "................",
    "................",
    "....########....",
    "...........#....",
    "...........#....",
    "....#......#....",
    "....#......#....",
    "....#...........",
    "....#######.....",
    "................",
    "................",
    "................",
];

fn scene() -> (Map, Arc<DemonstrationGraph>) {
    let mut graph = DemonstrationGraph::default();
    // Around the walls; one that crosses it, through a wall and off the map; and one in a loop.
    let traces: [&[(f64, f64)]; 3] = [
        &[(1.0, 6.0), (2.0, 1.0), (13.0, 0.0), (14.0, 8.0)],
        &[(0.0, 3.0), (9.0, 3.0), (18.0, 5.0)],
        &[
            (6.0, 10.0),
            (9.0, 10.0),
            (9.0, 7.0),
            (6.0, 7.0),
            (6.0, 10.0),
            (12.0, 11.0),
        ],
    ];
    for (number, trace) in traces.iter().enumerate() {
        let points = trace.iter().map(|(x, y)| Place::flat(*x, *y));
        graph.add(&Demonstration::drawn(format!("{number}"), points, 0.8));
    }
    (Map::drawn(&ROWS), Arc::new(graph))
}

fn estimates() -> String {
    let (map, graph) = scene();
    let (start, goal) = (Place::flat(1.0, 9.0), Place::flat(9.0, 5.0));
    let journey = Journey {
        start: Some(start),
        goal: map.to(goal),
        ways: &map,
    };
    let mut text = String::new();
    let mut table = |title: String, estimate: &dyn Fn(Place) -> f64| {
        writeln!(text, "{title}").unwrap();
        for y in 0..4 {
            for x in 0..6 {
                let at = Place::flat(f64::from(x) * 3.0, f64::from(y) * 3.5);
                write!(text, " {:10.5}", estimate(at)).unwrap();
            }
            text.push('\n');
        }
    };
    let straight = |at: Place| STRAIGHT.between(at, goal);
    for inflation in [2.0, 10.0] {
        let inflation = Weight::new(inflation).unwrap();
        for projection in [Projection::Perpendicular, Projection::Consistent] {
            for corridor in [Corridor::Field, Corridor::Path] {
                for start_edge in [StartEdge::Start, StartEdge::Query, StartEdge::Off] {
                    let settings = TrainingSettings {
                        inflation,
                        projection,
                        corridor,
                        start_edge,
                        ..TrainingSettings::default()
                    };
                    let training = TrainingGraph::new(graph.clone(), STRAIGHT, settings, &journey);
                    let title = format!(
                        "training graph: {inflation} {projection:?} {corridor:?} {start_edge:?}"
                    );
                    table(title, &|at| training.seconds(at, straight(at)));
                }
            }
        }
        let experience = ExperienceGraph::new(graph.clone(), STRAIGHT, inflation, straight);
        table(format!("experience graph: {inflation}"), &|at| {
            experience.seconds(at, straight(at))
        });
        let how = InOrderSettings::with_inflation(inflation);
        let in_order = InOrder::new(&graph, 2, STRAIGHT, how, &journey);
        for progress in [0.0, 20.0] {
            table(
                format!("in order: {inflation}, progress {progress}"),
                &|at| in_order.seconds(at, straight(at), progress),
            );
        }
    }
    text
}

#[test]
fn estimates_on_a_fixed_scene_are_what_they_were() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../testdata/experience/estimates.txt"
    );
    let text = estimates();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    for (number, (line, expected)) in (1..).zip(text.lines().zip(expected.lines())) {
        assert_eq!(
            line, expected,
            "line {number}: look at it, then UPDATE_GOLDEN=1"
        );
    }
    assert_eq!(
        text.lines().count(),
        expected.lines().count(),
        "UPDATE_GOLDEN=1?"
    );
}
