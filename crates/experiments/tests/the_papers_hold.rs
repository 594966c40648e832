//! What the papers say and counters decide, on the quick form of the experiments. Times are never compared.

use apprentice_experiments::{
    Catalogue, Cell, Extent, Header, Journal, Results, Runner, Verdict, verdicts,
};

fn judged(ids: &[&str]) -> Vec<Verdict> {
    let catalogue = Catalogue::shipped();
    let levels = catalogue.levels();
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut journal = Journal::open(folder.path()).expect("it can be written");
    let definitions: Vec<_> = ids
        .iter()
        .map(|id| catalogue.find(id).expect("it is there"))
        .collect();
    let mut cells: Vec<Cell> = Vec::new();
    for definition in &definitions {
        let planned = definition
            .cells(levels, Extent::Quick, 1)
            .expect("its levels are there");
        cells.extend(planned.into_iter().map(|it| it.cell));
    }
    let cells: Vec<&Cell> = cells.iter().collect();
    let runner = Runner { levels, threads: 2 };
    runner
        .run(&cells, &mut journal, |_| {})
        .unwrap_or_else(|error| panic!("{error}"));
    let header = Header {
        seed: 1,
        ..Header::default()
    };
    let results = Results::of(&definitions, levels, Extent::Quick, journal.rows(), header);
    verdicts(&results.expect("its levels are there"))
}

#[track_caller]
fn check(ids: &[&str], expected: &[(&str, bool)]) {
    let verdicts = judged(ids);
    for (id, holds) in expected {
        let verdict = verdicts
            .iter()
            .find(|it| it.id == *id)
            .expect("it is there");
        println!(
            "{id}: {:?}, {}; {}",
            verdict.holds, verdict.measured, verdict.why
        );
        assert_eq!(
            verdict.holds,
            Some(*holds),
            "{id}: {}; {}",
            verdict.measured,
            verdict.why
        );
    }
}

#[test]
fn following_one_demonstration() {
    check(
        &["table-4-1", "figures-7-1-to-7-4", "figures-5-1-to-5-6"],
        &[
            ("A1", true),
            ("A2", true),
            ("A3", true),
            ("A4", true),
            ("A5", true),
            ("A6", true),
            ("A37", true),
            ("A7", true),
            ("A8", true),
            ("A9", true),
            ("A10", true),
            ("A11", true),
            ("A12", true),
            ("A13", true),
            ("A18", true),
        ],
    );
}

#[test]
fn sharing_out_a_bound() {
    check(&["figures-7-6-to-7-8"], &[("A20", true)]);
}

#[test]
fn one_line_for_every_place_of_the_key() {
    check(&["rival"], &[("R1", true)]);
}
