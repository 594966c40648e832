//! Experiment files are read, or it is said what is wrong with them and where.

use std::collections::BTreeSet;

use apprentice_experiments::{Catalogue, Definition, Extent, Level, Levels};

/// An experiment with something changed.
fn changed(from: &str, to: &str) -> String {
    const TEXT: &str = "format = 1\nid = \"mine\"\ntitle = \"Mine\"\nabout = \"\"\n\
                        [[grid]]\nscenarios = [\"k5d1\"]\nbounds = [10]\nplanners = [{ planner = \"auto\" }]\n\
                        [[chart]]\ntitle = \"all\"\nx = \"bound\"\ny = \"expansions\"\n";
    assert!(TEXT.contains(from), "{from}");
    TEXT.replace(from, to)
}

#[test]
fn what_is_wrong_is_said() {
    let cases = [
        ("format = 1", "format = 2", "format 2"),
        ("id = \"mine\"", "id = \"../mine\"", "letters, digits"),
        (
            "title = \"Mine\"",
            "tilte = \"Mine\"",
            "unknown field `tilte`",
        ),
        ("bounds = [10]", "bounds = [0.5]", "the bound 0.5"),
        (
            "bounds = [10]",
            "bounds = [10]\nbranching = [17]",
            "branching 17",
        ),
        (
            "bounds = [10]",
            "bounds = [10]\nrepeats = 0",
            "nothing would be run",
        ),
        ("\"auto\"", "\"dijkstra\"", "no planner `dijkstra`"),
        ("x = \"bound\"", "x = \"weather\"", "x = \"weather\""),
        (
            "y = \"expansions\"",
            "y = \"expansions\"\nlog = [\"z\"]",
            "axis `z`",
        ),
        (
            "[[chart]]",
            "[[probe]]\nprobe = \"luck\"\nscenarios = []\n[[chart]]",
            "no measurement `luck`",
        ),
        (
            "[[chart]]",
            "[[form]]\ncaption = ''\ncolumns = []\n[[form.measured]]\nscenario = 'k5d1'\n\
             planner = { planner = 'auto' }\ncells = ['{fuond} of {count}']\n[[chart]]",
            "a table asks for `{fuond}`; there is found, count",
        ),
        ("[[grid]]", "[[grid]", "line 5"),
    ];
    for (from, to, expected) in cases {
        let error = Definition::parse(&changed(from, to))
            .expect_err(to)
            .to_string();
        assert!(error.contains(expected), "{to}: {error}");
    }
    let definition = Definition::parse(&changed("k5d1", "k9d9")).expect("it is well written");
    let catalogue = Catalogue::shipped();
    let error = definition
        .cells(catalogue.levels(), Extent::Full, 1)
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("there is no level `k9d9`; there is bear_bypass, ")
    );
}

#[test]
fn every_assertion_of_the_papers_has_its_place() {
    let catalogue = Catalogue::shipped();
    let mut places = BTreeSet::new();
    for definition in catalogue.definitions() {
        for id in &definition.asserts {
            assert!(
                places.insert(id.clone()),
                "{id} is read off two experiments"
            );
        }
    }
    assert!((1..=38).all(|number| places.contains(&format!("A{number}"))));
    assert!((1..=6).all(|number| places.contains(&format!("B{number}"))));
}

#[test]
fn quick_is_a_part_of_full_but_for_repeats() {
    let catalogue = Catalogue::shipped();
    for definition in catalogue.definitions() {
        let keys = |extent| -> BTreeSet<String> {
            let cells = definition
                .cells(catalogue.levels(), extent, 1)
                .expect("its levels are there");
            cells.iter().map(|it| it.cell.key()).collect()
        };
        let (quick, full) = (keys(Extent::Quick), keys(Extent::Full));
        assert!(quick.is_subset(&full), "{}", definition.id);
        assert!(!full.is_empty(), "{}", definition.id);
    }
}

#[test]
fn other_seeds_draw_other_layouts_and_nothing_else() {
    let catalogue = Catalogue::shipped();
    let drawn = catalogue.find("figure-5-10").expect("it is there");
    let table = catalogue.find("table-4-1").expect("it is there");
    let keys = |definition: &Definition, seed| -> Vec<String> {
        let cells = definition
            .cells(catalogue.levels(), Extent::Quick, seed)
            .expect("levels");
        cells.iter().map(|it| it.cell.key()).collect()
    };
    assert_ne!(keys(drawn, 1), keys(drawn, 1000));
    assert_eq!(keys(table, 1), keys(table, 1000));
}

#[test]
fn a_level_can_be_like_another_one() {
    let mut levels = Levels::shipped();
    let elsewhere = "[[key]]\nid = 'red'\nat = [21, 8]\nopens = ['vault']\n";
    let added = levels.add_like("mine", "k1d1_exact", elsewhere);
    added.unwrap_or_else(|error| panic!("{error}"));
    let [mine, other] = ["mine", "k1d1_exact"].map(|name| levels.find(name).expect("it is there"));
    assert_ne!(mine.digest, other.digest);
    assert_eq!(mine.scenario.map().places(), other.scenario.map().places());
    assert_eq!(mine.demonstrations.len(), other.demonstrations.len());
    let place = |level: &Level| {
        let mut marks = level.scenario.landmarks().iter();
        let key = marks.find(|mark| &*mark.name == "red");
        key.expect("there is a key").place
    };
    assert_eq!(place(mine), place(other) + 1);
    for (like, text, expected) in [
        ("k1d1", elsewhere, "there is no level `k1d1` to be like"),
        ("k1d1_exact", "[[key]", "the level `broken`"),
        ("k1d1_exact", "start = [90, 90]", "the level `broken`"),
    ] {
        let error = levels.add_like("broken", like, text).expect_err(expected);
        assert!(error.to_string().contains(expected), "{error}");
    }
}
