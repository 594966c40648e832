//! Shortest paths on the Moving AI benchmark maps cost what the collection says. The maps are not
//! part of the repository, and without them nothing is tested.

use apprentice_search::astar;
use apprentice_world::{Cell, GridMap, Scenario, ShortestPath, WalkProblem};

/// Problems tried on each map, evenly spread over the file.
const PROBLEMS: usize = 40;

#[test]
fn on_every_map_that_is_there() {
    let Some(folder) = crate::published_data::find_or_say("maps") else {
        return;
    };
    for map in crate::golden::files(&folder, "map") {
        let name = crate::golden::stem(&map);
        let text = crate::golden::read(&map);
        let grid = GridMap::from_movingai(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let start = grid.free_cells().next().expect("there is floor");
        let scenario = format!(
            "format = 1\nstart = [{}, {}]\ngoal = {{ all = [] }}\nmap = {{ file = \"{name}.map\" }}",
            start.x, start.y
        );
        let scenario = Scenario::parse_with(&scenario, |_| Ok(text.clone())).unwrap();
        let problems = crate::golden::read(&map.with_extension("map.scen"));
        let problems: Vec<&str> = problems
            .lines()
            .skip(1)
            .filter(|line| !line.is_empty())
            .collect();
        for problem in problems.iter().step_by((problems.len() / PROBLEMS).max(1)) {
            let fields: Vec<&str> = problem.split_whitespace().collect();
            let number = |place: usize| fields[place].parse::<u16>().expect("a coordinate");
            let (from, to) = (
                Cell::new(number(4), number(5)),
                Cell::new(number(6), number(7)),
            );
            let expected: f64 = fields[8].parse().expect("a cost");
            let walk = WalkProblem::new(&scenario, grid.index(from), to.center(), 0.0);
            let cost = astar(&walk, ShortestPath::default()).map(|path| path.cost.as_seconds());
            let cost = cost.unwrap_or_else(|| panic!("{name}: no way from {from} to {to}"));
            // Some are published with two digits after the point.
            assert!(
                (cost - expected).abs() < 0.01,
                "{name}, {from} to {to}: {cost}, not {expected}"
            );
        }
    }
}
