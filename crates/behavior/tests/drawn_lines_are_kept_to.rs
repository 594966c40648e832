//! Whoever draws a straight line sees a plan that is as straight as the grid allows: no bumps, and
//! nowhere further from the line than a grid makes it.

use crate::quests::plan_with;
use apprentice_behavior::Settings;
use apprentice_experience::{Demonstration, Place, distance_to_line};
use apprentice_world::{Branching, Scenario};

/// A hall of 44 by 30 cells to cross from west to east, with a thing to fetch on request, so that
/// there are more advisers.
fn hall(more: &str) -> Scenario {
    let rows = vec![".".repeat(44); 30].join("\", \"");
    let text = format!(
        "format = 1\nstart = [2, 3]\ngoal = {{ within = {{ at = [41, 3], radius = 0.0 }} }}\nmap = {{ rows = [\"{rows}\"] }}\n{more}"
    );
    Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

/// The line by a corner, each leg with its ends.
fn legs(corner: Place) -> [(Place, Place); 2] {
    let (start, goal) = (Place::flat(2.0, 3.0), Place::flat(41.0, 3.0));
    [(start, corner), (corner, goal)]
}

/// So far from a corner, in cells, it may be cut: acute ones most.
const CORNER: f64 = 4.0;

#[track_caller]
fn check(scenario: &Scenario, corner: Place, faithful: f64) {
    let legs = legs(corner);
    let shown = Demonstration::drawn("line", [legs[0].0, corner, legs[1].1], 1.0);
    let settings = Settings {
        faithful: Some(faithful),
        ..Settings::default()
    };
    let found = plan_with(scenario, &[shown], &settings, Branching::Sixteen);
    let what = format!("by ({}, {}), faithful {faithful}", corner.x, corner.y);
    let is_free = |at: &Place| at.distance_to(corner) > CORNER;
    let distance = |at: &Place| {
        let distances = legs.map(|(from, to)| distance_to_line(*at, from, to));
        distances[0].min(distances[1])
    };
    let straight: Vec<&Place> = found.way.iter().filter(|at| is_free(at)).collect();
    let distances: Vec<f64> = straight.iter().map(|at| distance(at)).collect();
    let mean = distances.iter().sum::<f64>() / distances.len() as f64;
    let most = distances.iter().copied().fold(0.0, f64::max);
    // The best there is on a grid keeps half a cell, and a quarter on average.
    assert!(mean <= 0.36, "{what}: {mean:.2} from the line on average");
    assert!(most <= 0.9, "{what}: {most:.2} from the line");
    // A straight line on a grid has steps of two directions, and a bump adds a third.
    for leg in legs {
        let on_leg = |at: &Place| is_free(at) && distance_to_line(*at, leg.0, leg.1) <= 0.9;
        let mut directions: Vec<(i64, i64)> = found
            .way
            .windows(2)
            .filter(|pair| on_leg(&pair[0]) && on_leg(&pair[1]))
            .map(|pair| {
                (
                    (pair[1].x - pair[0].x) as i64,
                    (pair[1].y - pair[0].y) as i64,
                )
            })
            .collect();
        directions.sort_unstable();
        directions.dedup();
        assert!(directions.len() <= 2, "{what}: {directions:?}");
    }
    // Nobody looks aside on the way.
    let steps = found.way.len() as u64 - 1;
    assert_eq!(found.expanded(), steps, "{what}");
}

#[test]
fn oblique_lines_are_followed_without_bumps() {
    let scenario = hall("");
    for x in [8, 13, 17, 21, 24, 30, 36] {
        for y in [8, 12, 17, 23, 27] {
            for faithful in [0.5, 0.75, 1.0] {
                check(&scenario, Place::flat(f64::from(x), f64::from(y)), faithful);
            }
        }
    }
}

/// A key that lies elsewhere and opens nothing on the way, and its adviser, bend no line.
#[test]
fn other_advisers_leave_no_bumps() {
    let scenario = hall(
        "key = [{ id = \"red\", at = [22, 1], opens = [\"gate\"] }]\ndoor = [{ id = \"gate\", at = [[43, 29]] }]",
    );
    for (x, y) in [(13, 17), (21, 12), (30, 8), (24, 27)] {
        for faithful in [0.5, 1.0] {
            check(&scenario, Place::flat(f64::from(x), f64::from(y)), faithful);
        }
    }
}
