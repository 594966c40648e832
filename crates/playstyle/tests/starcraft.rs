//! Games of people, where they are beside the project: the style is told from the first minutes.

use std::io::Write;
use std::path::{Path, PathBuf};

use apprentice_playstyle::{Growing, Method, cross_validate, read_first_times};

/// Frames in a second.
const A_SECOND: f64 = 23.81;

/// The tables of the folder that `APPRENTICE_DATA` names, or of the one beside the project.
fn tables() -> Vec<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("APPRENTICE_DATA").map_or(beside, PathBuf::from);
    let files = std::fs::read_dir(folder.join("recognition"));
    let files = files.into_iter().flatten().flatten();
    let mut tables: Vec<PathBuf> = files
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "arff"))
        .collect();
    tables.sort();
    tables
}

/// A quick form of `apprentice experiment run starcraft`: fewer trees and folds.
#[test]
fn openings_are_told_from_the_first_minutes() {
    let tables = tables();
    if tables.is_empty() {
        // Not by a macro: of a test that passes, what those print is not shown.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: there is no published `recognition/*.arff` here; APPRENTICE_DATA says in which folder to look"
        );
        return;
    }
    let quick = Method::Recogniser(Growing {
        trees: 30,
        tries: 40,
        seed: 1,
    });
    let mean = |method: Method, minutes: f64| {
        let accuracies = tables.iter().map(|table| {
            let text = std::fs::read_to_string(table).expect("a table");
            let plays = read_first_times(&text, A_SECOND).expect("plays");
            let told = cross_validate(&plays, method, minutes * 60.0, 4, 1);
            told.expect("labels").accuracy()
        });
        accuracies.sum::<f64>() / tables.len() as f64
    };
    let (at_five, at_eight) = (mean(quick, 5.0), mean(quick, 8.0));
    let formula = mean(Method::Formula, 8.0);
    let neighbours = mean(Method::Neighbours, 8.0);
    println!("5 min {at_five:.3}, 8 min {at_eight:.3}; {formula:.3}, {neighbours:.3}");
    assert!(at_five >= 0.8, "{at_five}");
    assert!(at_eight >= 0.88, "{at_eight}");
    assert!(
        at_eight > neighbours && neighbours > formula,
        "{neighbours} {formula}"
    );
}
