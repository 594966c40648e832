//! `apprentice rate` reads matches and results, tells ratings to people and to programs, draws them, and
//! says what is wrong with a file line by line.

use std::path::Path;

use crate::command::{Ended, file, folder, run};
use serde_json::Value;

const FOLDER: &str = "ratings";

fn rate(text: &str, name: &str, arguments: &[&str]) -> Ended {
    let path = file(FOLDER, name, text);
    run(&[&["rate", &path], arguments].concat())
}

fn json(text: &str, name: &str, arguments: &[&str]) -> Value {
    let ended = rate(text, name, &[arguments, &["--format", "json"]].concat());
    assert_eq!(ended.code, 0, "{}", ended.err);
    ended.json()
}

/// The rating, deviation and conservative rating of somebody.
fn numbers(document: &Value, name: &str) -> [f64; 3] {
    let rows = document["ratings"].as_array().expect("rows");
    let row = rows
        .iter()
        .find(|row| row["name"] == name)
        .expect("somebody");
    ["rating", "deviation", "conservative"].map(|key| row[key].as_f64().expect("a number"))
}

fn published() -> String {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/ratings");
    std::fs::read_to_string(data.join("published_margins.csv")).expect("it is there")
}

#[test]
fn one_match_by_the_published_numbers() {
    let trueskill = ["--system", "trueskill", "--profile", "standard"];
    let document = json("winners,losers\na,b\n", "one.csv", &trueskill);
    assert_eq!(document["system"], "trueskill");
    assert_eq!(document["profile"], "standard");
    assert_eq!(document["matches"], 1);
    let [rating, deviation, conservative] = numbers(&document, "a");
    assert!((rating - 29.39583).abs() < 5e-5 && (deviation - 7.17148).abs() < 5e-5);
    assert!((conservative - (rating - 3.0 * deviation)).abs() < 1e-6);
    let glicko = json("winners,losers\na,b\n", "one.csv", &["--system", "glicko"]);
    assert_eq!(glicko["profile"], Value::Null);
    assert!((numbers(&glicko, "a")[0] - 1662.2).abs() < 0.1);
}

#[test]
fn every_system_has_numbers_for_all() {
    let text = "winners,losers,score,weights,draw\na,b+c,2,,\nb,a,,0.5+1,\nc,a,,,yes\n";
    for system in [
        "weng-lin",
        "trueskill",
        "score",
        "elo",
        "elo-margin",
        "glicko",
        "glicko2",
        "bradley-terry",
        "win-rate",
    ] {
        let document = json(text, "all.csv", &["--system", system]);
        for name in ["a", "b", "c"] {
            assert!(
                numbers(&document, name).iter().all(|it| it.is_finite()),
                "{system}"
            );
        }
    }
}

#[test]
fn the_same_seed_says_the_same_and_the_order_of_the_file_is_kept_if_asked() {
    let text = "winners,losers\na,b\nb,c\nc,a\na,c\nb,a\n";
    let with = |arguments: &[&str]| json(text, "seeds.csv", arguments);
    assert_eq!(with(&["--seed", "4"]), with(&["--seed", "4"]));
    let turned = "winners,losers\nb,a\na,c\nc,a\nb,c\na,b\n";
    let kept = ["--in-file-order", "--system", "elo"];
    let one = numbers(&json(text, "seeds.csv", &kept), "a")[0];
    let other = numbers(&json(turned, "turned.csv", &kept), "a")[0];
    assert_ne!(one, other);
}

#[test]
fn results_are_rated_by_limits_as_hard_as_the_published_ones() {
    let text = published();
    let seconds = [
        "--measure",
        "seconds",
        "--system",
        "trueskill",
        "--profile",
        "dissertation",
    ];
    let document = json(&text, "results.csv", &seconds);
    assert_eq!(document["matches"], 600);
    assert_eq!(document["trials"], 60);
    assert_eq!(document["passes"], 10);
    assert_eq!(document["ratings"][0]["name"], "mha");
    let literal = [&seconds[..], &["--limits", "3,6,9,12,15,18,21,24,27,30"]].concat();
    let document = json(&text, "results.csv", &literal);
    assert_eq!(document["beyond_shortest"], 42);
    // Each level with its limit as one opponent: 3 planners and 50 of these.
    let as_one = [&literal[..], &["--as-one"]].concat();
    let document = json(&text, "results.csv", &as_one);
    assert_eq!(document["ratings"].as_array().map(Vec::len), Some(53));
    assert!(numbers(&document, "k5d5+limit 3")[0] > numbers(&document, "exact+limit 30")[0]);
    let told = rate(&text, "results.csv", &literal);
    assert!(
        told.out
            .contains("42 of 60 trials exceed the shortest (published 42 of 60), 2 the longest")
    );
}

#[test]
fn who_was_trained_is_rated_by_what_was_followed() {
    let text = "planner,scenario,work,fidelity\nauto,cave,40,0.9\nauto,hall,50,0.8\n\
                wastar,cave,30,0.2\nwastar,hall,45,0.3\n";
    let fast = json(text, "trained.csv", &["--limits", "35"]);
    assert!(numbers(&fast, "wastar")[0] > numbers(&fast, "auto")[0]);
    let followed = json(
        text,
        "trained.csv",
        &["--limits", "60", "--at-least", "fidelity=0.5"],
    );
    assert!(numbers(&followed, "auto")[0] > numbers(&followed, "wastar")[0]);
}

#[test]
fn predictions_and_matches_that_never_were() {
    let text = "winners,losers\na,b\na,b\nb,c\nb,c\n";
    let arguments = [
        "--predict",
        "a",
        "c",
        "--untried",
        "5",
        "--system",
        "bradley-terry",
    ];
    let document = json(text, "untried.csv", &arguments);
    let expected = &document["predictions"][0];
    assert!(expected["probability"].as_f64().expect("a number") > 0.6);
    assert_eq!(expected["met"], 0);
    assert_eq!(document["untried"].as_array().map(Vec::len), Some(1));
    let told = rate(text, "untried.csv", &arguments);
    assert!(told.out.contains("a wins against c in "), "{}", told.out);
    let wrong = rate(text, "untried.csv", &["--predict", "a", "cc"]);
    assert_eq!(wrong.code, 3);
    assert!(wrong.err.contains("did you mean `c`?"), "{}", wrong.err);
}

#[test]
fn pictures_are_drawn_and_never_over_what_was_read() {
    let path = folder(FOLDER).join("drawn.svg");
    let _ = std::fs::remove_file(&path);
    let path = path.to_str().expect("text");
    let ended = rate("winners,losers\n<a>,b\n", "drawn.csv", &["--svg", path]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let picture = std::fs::read_to_string(path).expect("it was drawn");
    let picture = roxmltree::Document::parse(&picture).expect("XML");
    let mut texts = picture.descendants().filter_map(|node| node.text());
    assert!(texts.any(|text| text == "<a>"));
    let table = file(FOLDER, "kept.csv", "winners,losers\na,b\n");
    let ended = run(&["rate", &table, "--svg", &table]);
    assert_eq!(ended.code, 3);
    assert_eq!(
        std::fs::read_to_string(&table).expect("it is there"),
        "winners,losers\na,b\n"
    );
}

#[test]
fn mistakes_have_their_lines_and_exit_code() {
    for (text, said) in [
        ("", "line 1: there is nothing in it"),
        ("a,b\n", "line 1: there is no column `winners`"),
        (
            "winners,losers,elo\na,b,3\n",
            "line 1: nobody knows what the column `elo` means",
        ),
        (
            "winners,losers,weights\na,b,1+-1\n",
            "line 2: the weight of `b` is -1",
        ),
        (
            "winners,losers,score\na,b,3\na,b,NaN\n",
            "line 3: the score is NaN",
        ),
        (
            "winners,losers,weights\na,b,0+1\n",
            "line 2: the winners did not play",
        ),
        (
            "planner,scenario\nauto,cave\n",
            "line 1: there is no column `work`",
        ),
    ] {
        let ended = rate(text, "wrong.csv", &[]);
        assert_eq!(ended.code, 3, "{text}");
        assert!(ended.err.contains(said), "{text}: {}", ended.err);
        assert!(ended.out.is_empty());
    }
    let many: String = (0..40).map(|_| "a,a\n").collect();
    let ended = rate(&format!("winners,losers\n{many}"), "many.csv", &[]);
    assert!(ended.err.contains("and 28 more mistakes"), "{}", ended.err);
    assert_eq!(run(&["rate", "nowhere.csv"]).code, 3);
    assert_eq!(
        rate("winners,losers\na,b\n", "one.csv", &["--system", "dice"]).code,
        3
    );
}

#[test]
fn nothing_played_is_no_mistake() {
    let document = json("winners,losers\n", "empty.csv", &[]);
    assert_eq!(document["ratings"].as_array().map(Vec::len), Some(0));
    assert!(
        rate("winners,losers\n", "empty.csv", &[])
            .out
            .contains("Nobody has played.")
    );
}

#[test]
fn a_way_is_compared_with_what_was_shown() {
    let log = |y: f64| {
        let samples = (0..=8).map(|x| format!("{{\"t\":{x},\"x\":{x},\"y\":{y}}}\n"));
        format!("{{\"format\":1}}\n{}", samples.collect::<String>())
    };
    let way = file(FOLDER, "way.jsonl", log(0.5));
    let shown = file(FOLDER, "shown.jsonl", log(0.0));
    let far = file(FOLDER, "far.jsonl", log(9.0));
    let ended = run(&["demo", "compare", &way, &far, &shown, "--format", "json"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let document = ended.json();
    assert_eq!(document["demonstration"], "shown");
    assert_eq!(document["frechet"], 0.5);
    assert_eq!(document["followed"], true);
    let ended = run(&["demo", "compare", &way, &far]);
    assert!(ended.out.contains("not followed"), "{}", ended.out);
}
