//! Every published problem of every map beside the project is solved with its published length.

use apprentice_search::{BestFirst, Budget, Guarantee, Search, Status};

use crate::grid::{Octile, Walk, published};

#[test]
fn astar_finds_the_published_length_of_every_line() {
    let Some(maps) = published() else { return };
    assert!(
        !maps.is_empty(),
        "the folder of published maps is there, but holds none"
    );
    for map in &maps {
        let mut search = BestFirst::astar(Octile);
        for (number, line) in map.lines.iter().enumerate() {
            search.restart();
            let status = search.run(
                &Walk::new(&map.grid, line.from, line.to),
                &mut Budget::unlimited(),
            );
            let place = format!("{}, problem {number}", map.name);
            assert_eq!(status, Status::Finished, "{place}");
            assert_eq!(search.guarantee().factor(), Some(1.0), "{place}");
            let path = search.path().expect("a finished search has a path");
            let length = path.cost.as_seconds();
            // The lengths are printed with two digits, or with six significant ones.
            let tolerance = 0.006 + line.length * 1e-5;
            assert!(
                (length - line.length).abs() < tolerance,
                "{place}: {length}, published {}",
                line.length
            );
            assert!(
                !matches!(search.guarantee(), Guarantee::None { .. }),
                "{place}"
            );
        }
        println!("{}: {} problems", map.name, map.lines.len());
    }
}

/// Whoever sees that a test was skipped has never heard of the folder.
#[test]
fn what_is_missing_is_said_with_where_it_comes_from() {
    let message = crate::grid::published_data::missing("maps");
    let parts = ["SKIPPED", "`maps`", "CONTRIBUTING.md", "APPRENTICE_DATA"];
    assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    assert!(!message.contains(".."), "{message}");
    let text = include_str!("../../../CONTRIBUTING.md");
    for told in [
        "`APPRENTICE_DATA`",
        "| `maps` |",
        "| `meshes` |",
        "| `htn/ipc2020-total-order` |",
        "| `htn/simplefps` |",
    ] {
        assert!(text.contains(told), "{told}");
    }
}
