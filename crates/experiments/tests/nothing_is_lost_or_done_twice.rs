//! Whoever is interrupted at any moment goes on where it was: no cell is lost, none is done twice, and the
//! table is the same on one thread and on several, in one piece and in parts.

use std::path::Path;

use apprentice_experiments::{
    Catalogue, Cell, Definition, Extent, Header, Journal, JournalError, Results, Row, Runner,
};
use proptest::prelude::*;

/// A small experiment with a little of everything.
const SMALL: &str = "
format = 1
id = 'small'
title = 'Small'
about = ''
[[grid]]
scenarios = ['k1d1_exact', 'k5d1']
bounds = [10, 100]
repeats = 2
planners = [{ planner = 'wastar' }, { planner = 'mha' }]
[[grid]]
scenarios = ['k1d1_close']
bounds = [100]
random_events = [0, 3]
cuts = [0, 2]
planners = [{ planner = 'mha' }]
[[grid]]
scenarios = ['k1d1_exact']
layouts = 3
planners = [{ planner = 'auto' }]
[[probe]]
probe = 'first-plan'
scenarios = ['-']
numbers = [10]
seeds = 3
";

struct Bench {
    catalogue: Catalogue,
    definition: Definition,
}

impl Bench {
    fn new() -> Bench {
        Bench {
            catalogue: Catalogue::shipped(),
            definition: Definition::parse(SMALL).expect("it is well written"),
        }
    }

    fn cells(&self) -> Vec<Cell> {
        let cells = self
            .definition
            .cells(self.catalogue.levels(), Extent::Full, 7);
        cells
            .expect("its levels are there")
            .into_iter()
            .map(|it| it.cell)
            .collect()
    }

    /// Runs what is missing; says how many cells that were.
    fn run(&self, folder: &Path, cells: &[Cell], threads: usize) -> usize {
        let mut journal = Journal::open(folder).expect("it can be written");
        let before = journal.rows().len();
        let runner = Runner {
            levels: self.catalogue.levels(),
            threads,
        };
        let cells: Vec<&Cell> = cells.iter().collect();
        let mut told = 0;
        let ended = runner.run(&cells, &mut journal, |progress| {
            told += 1;
            assert!(progress.done <= progress.all && progress.remaining.is_some());
        });
        ended.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(told, journal.rows().len() - before);
        told
    }

    /// The table without its clocks.
    fn table(&self, folder: &Path) -> String {
        let rows = Journal::read(folder).expect("it can be read");
        let still: Vec<Row> = rows
            .into_iter()
            .map(|row| Row {
                clocks: Default::default(),
                ..row
            })
            .collect();
        let header = Header {
            seed: 7,
            ..Header::default()
        };
        let levels = self.catalogue.levels();
        let results = Results::of(&[&self.definition], levels, Extent::Full, &still, header);
        results.expect("its levels are there").csv()
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

fn journal_of(folder: &Path) -> std::path::PathBuf {
    folder.join("journal.jsonl")
}

#[test]
fn one_thread_and_four_make_the_same_table() {
    let bench = Bench::new();
    let (one, four) = (folder(), folder());
    let cells = bench.cells();
    assert_eq!(bench.run(one.path(), &cells, 1), cells.len());
    assert_eq!(bench.run(four.path(), &cells, 4), cells.len());
    let table = bench.table(one.path());
    assert_eq!(table, bench.table(four.path()));
    assert_eq!(table.lines().count(), cells.len() + 5);
    // Again there is nothing to do.
    assert_eq!(bench.run(one.path(), &cells, 2), 0);
}

#[test]
fn parts_that_are_merged_make_the_same_table() {
    let bench = Bench::new();
    let (whole, first, second, merged) = (folder(), folder(), folder(), folder());
    let cells = bench.cells();
    bench.run(whole.path(), &cells, 2);
    let part =
        |number: usize| -> Vec<Cell> { cells.iter().skip(number).step_by(2).cloned().collect() };
    bench.run(first.path(), &part(0), 1);
    bench.run(second.path(), &part(1), 1);
    let mut journal = Journal::open(merged.path()).expect("it can be written");
    let counts = [&first, &second, &first].map(|part| journal.merge(part.path()).expect("it fits"));
    assert_eq!((counts[0] + counts[1], counts[2]), (cells.len(), 0));
    drop(journal);
    assert_eq!(bench.table(whole.path()), bench.table(merged.path()));
}

#[test]
fn parts_that_contradict_each_other_are_refused() {
    let bench = Bench::new();
    let (one, other) = (folder(), folder());
    let cells = &bench.cells()[..1];
    bench.run(one.path(), cells, 1);
    bench.run(other.path(), cells, 1);
    let path = journal_of(other.path());
    let text = std::fs::read_to_string(&path).expect("it is there");
    let count = Journal::read(one.path()).expect("it is there")[0]
        .measured
        .expansions;
    let changed = text.replace(
        &format!("\"expansions\":{count}"),
        &format!("\"expansions\":{}", count + 1),
    );
    assert_ne!(text, changed);
    std::fs::write(&path, changed).expect("it can be written");
    let mut journal = Journal::open(one.path()).expect("it can be written");
    let error = journal.merge(other.path()).expect_err("they differ");
    assert!(
        matches!(error, JournalError::Contradiction { .. }),
        "{error}"
    );
    assert_eq!(journal.rows().len(), 1);
}

#[test]
fn what_is_no_journal_of_ours_is_refused_and_left_as_it_is() {
    let bench = Bench::new();
    let place = folder();
    bench.run(place.path(), &bench.cells()[..3], 1);
    let path = journal_of(place.path());
    let text = std::fs::read_to_string(&path).expect("it is there");
    let version = format!("\"version\":\"{}\"", apprentice_experiments::VERSION);
    let cases = [
        (
            text.replacen(&version, "\"version\":\"9.9.9\"", 1),
            "holds results of version 9.9.9",
        ),
        (
            text.replacen("{\"cell\"", "{\"call\"", 1),
            "line 2 is no result",
        ),
        ("scenario,planner\n".to_owned(), "line 1 is no result"),
    ];
    for (changed, expected) in cases {
        assert_ne!(text, changed);
        std::fs::write(&path, &changed).expect("it can be written");
        let error = Journal::open(place.path()).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(
            std::fs::read_to_string(&path).expect("it is there"),
            changed
        );
    }
}

#[test]
fn nobody_else_writes_to_a_journal_in_use() {
    let place = folder();
    let journal = Journal::open(place.path()).expect("it can be written");
    let error = Journal::open(place.path()).expect_err("it is in use");
    assert!(matches!(error, JournalError::InUse { .. }), "{error}");
    drop(journal);
    assert!(Journal::open(place.path()).is_ok());
}

#[test]
fn a_file_in_the_way_is_named() {
    let place = folder();
    let file = place.path().join("results");
    std::fs::write(&file, "").expect("it can be written");
    let error = Journal::open(&file)
        .expect_err("it is no folder")
        .to_string();
    assert!(error.contains("name another one with --out"), "{error}");
}

#[test]
fn a_cell_that_comes_to_nothing_ends_the_run_and_loses_nothing() {
    let bench = Bench::new();
    let place = folder();
    let mut cells = bench.cells();
    cells.truncate(4);
    cells[3].scenario = "nowhere".to_owned();
    let mut journal = Journal::open(place.path()).expect("it can be written");
    let runner = Runner {
        levels: bench.catalogue.levels(),
        threads: 1,
    };
    let all: Vec<&Cell> = cells.iter().collect();
    let error = runner
        .run(&all, &mut journal, |_| {})
        .expect_err("there is no such level");
    assert!(error.to_string().contains("nowhere"), "{error}");
    drop(journal);
    assert_eq!(Journal::read(place.path()).expect("it is there").len(), 3);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Killed while any byte was being written: everything on whole lines is kept, the rest is done again.
    #[test]
    fn whatever_was_cut_off_is_done_again(cut in 0.0..1.0f64) {
        let bench = Bench::new();
        let place = folder();
        let cells: Vec<Cell> = bench.cells().into_iter().filter(|it| it.scenario != "-").collect();
        let cells = &cells[..8];
        bench.run(place.path(), cells, 1);
        let path = journal_of(place.path());
        let bytes = std::fs::read(&path).expect("it is there");
        let end = (bytes.len() as f64 * cut) as usize;
        std::fs::write(&path, &bytes[..end]).expect("it can be written");
        let lines = bytes[..end].iter().filter(|byte| **byte == b'\n').count();
        let kept = lines.saturating_sub(1);
        prop_assert_eq!(bench.run(place.path(), cells, 2), cells.len() - kept);
        let rows = Journal::read(place.path()).expect("it is there");
        let keys: std::collections::BTreeSet<String> = rows.iter().map(|row| row.cell.key()).collect();
        prop_assert_eq!((rows.len(), keys.len()), (cells.len(), cells.len()));
    }
}
