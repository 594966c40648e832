//! Styles are learned from logs and told, goals are recognised, and mistakes are explained.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::command::{apprentice, file, folder, run};
use serde_json::Value;

/// Plays of two styles, as lines of JSON.
fn plays(label: bool) -> String {
    let mut text = String::new();
    for (number, letters) in ["SSSG", "SSG", "SSSSG", "CCG", "CCCG", "CG"]
        .iter()
        .enumerate()
    {
        let events: Vec<String> = letters
            .chars()
            .enumerate()
            .map(|(second, letter)| format!("{{\"t\":{second},\"e\":\"{letter}\"}}"))
            .collect();
        let label = match (label, number < 3) {
            (false, _) => "",
            (true, true) => "\"label\":\"sneaks\",",
            (true, false) => "\"label\":\"fights\",",
        };
        let _ = writeln!(
            text,
            "{{\"id\":\"play {number}\",{label}\"events\":[{}]}}",
            events.join(",")
        );
    }
    text
}

fn text(path: &(impl AsRef<Path> + ?Sized)) -> &str {
    path.as_ref().to_str().expect("a name")
}

/// A model of plays, labelled or not.
fn model(folder_name: &str, labelled: bool) -> PathBuf {
    let plays = file(folder_name, "plays.jsonl", plays(labelled));
    let model = folder(folder_name).join("model.json");
    let mut arguments = vec!["playstyle", "learn", text(&plays), "-o", text(&model)];
    if labelled {
        arguments.push("--labelled");
    }
    let ended = run(&arguments);
    assert_eq!(ended.code, 0, "{}", ended.err);
    model
}

#[test]
fn styles_are_found_told_and_watched() {
    let name = "styles_are_found";
    let plays = file(name, "plays.jsonl", plays(false));
    let learned = run(&["playstyle", "learn", text(&plays), "--format", "json"]);
    assert_eq!(learned.code, 0, "{}", learned.err);
    let document = learned.json();
    assert_eq!(document["classes"].as_array().map(Vec::len), Some(2));
    assert_eq!(document["classes"][0]["plays"][0]["id"], "play 0");
    assert_eq!(document["unclassified"], serde_json::json!([]));
    let said = run(&["playstyle", "learn", text(&plays)]).out;
    assert!(said.contains("style-1: 3 plays"), "{said}");
    assert!(said.contains("telling: S"), "{said}");

    let model = model(name, false);
    let asked = file(name, "asked.csv", "time,event\n0,S\n1,S\n2,S\n3,G\n");
    let told = run(&[
        "playstyle",
        "classify",
        text(&model),
        text(&asked),
        "--format",
        "json",
    ]);
    let told = told.json();
    assert_eq!(told[0]["id"], "asked");
    assert_eq!(told[0]["class"], "style-1");
    assert_eq!(told[0]["known"], true);
    let probabilities = told[0]["probabilities"].as_object().expect("by class");
    let sum: f64 = probabilities.values().filter_map(Value::as_f64).sum();
    assert!((sum - 1.0).abs() < 1e-6);

    let chart = folder(name).join("belief.svg");
    let watched = run(&[
        "playstyle",
        "watch",
        text(&model),
        text(&asked),
        "--svg",
        text(&chart),
        "--format",
        "json",
    ]);
    assert_eq!(watched.code, 0, "{}", watched.err);
    assert_eq!(watched.json()["moments"].as_array().map(Vec::len), Some(4));
    let drawn = std::fs::read_to_string(&chart).expect("it was drawn");
    let drawn = roxmltree::Document::parse(&drawn).expect("it is well-formed");
    let lines = drawn
        .descendants()
        .filter(|node| node.has_tag_name("polyline"));
    assert_eq!(lines.count(), 4); // two styles, so far and lately
}

#[test]
fn labels_are_styles_and_beginnings_are_enough() {
    let model = model("labels_are_styles", true);
    let asked = file(
        "labels_are_styles",
        "asked.jsonl",
        "{\"t\":0,\"e\":\"C\"}\n{\"t\":1,\"e\":\"C\"}\n",
    );
    for until in [&[][..], &["--until", "0.5"]] {
        let mut arguments = vec!["playstyle", "classify", text(&model), text(&asked)];
        arguments.extend(until);
        let ended = run(&arguments);
        assert_eq!(ended.code, 0, "{}", ended.err);
        assert!(ended.out.contains("asked: fights"), "{}", ended.out);
    }
}

#[test]
fn bad_logs_are_refused_and_nothing_is_lost() {
    let name = "bad_logs";
    let model = model(name, true);
    for (log, told) in [
        ("", "there is no event in it"),
        (
            "time,event\n2,a\n1,b\n",
            "line 3: times run backwards in the play `log`, from 2 s to 1 s",
        ),
        ("{\"t\":1}\n", "line 1: an event has no name"),
        ("{\"t\":1,\"e\":", "line 1: EOF"),
    ] {
        let log = file(name, "log.jsonl", log);
        for command in [
            &["playstyle", "learn", text(&log)][..],
            &["playstyle", "classify", text(&model), text(&log)],
            &["playstyle", "watch", text(&model), text(&log)],
        ] {
            let ended = run(command);
            assert_eq!(ended.code, 3, "{}", ended.err);
            assert!(ended.err.contains(told), "{}", ended.err);
            assert!(ended.out.is_empty());
        }
    }
    let one = file(name, "one.csv", "time,event\n1,S\n");
    let ended = run(&["playstyle", "learn", text(&one)]);
    assert_eq!(ended.code, 3);
    assert!(
        ended.err.contains("give at least two plays"),
        "{}",
        ended.err
    );
    let watched = run(&["playstyle", "watch", text(&model), text(&one)]);
    assert_eq!(watched.code, 0, "{}", watched.err);

    let strange = file(name, "strange.csv", "time,event\n1,S\n2,dance\n3,dance\n");
    let ended = run(&["playstyle", "classify", text(&model), text(&strange)]);
    assert_eq!(ended.code, 0);
    assert!(ended.err.contains("`dance` (2)"), "{}", ended.err);

    let ended = run(&["playstyle", "classify", text(&one), text(&one)]);
    assert_eq!(ended.code, 3);
    assert!(
        ended.err.contains("`apprentice playstyle learn"),
        "{}",
        ended.err
    );
    let ended = run(&[
        "playstyle",
        "classify",
        text(&model),
        text(&one),
        "--until",
        "-3",
    ]);
    assert_eq!(ended.code, 3);

    // A model is not written over what it is made from.
    let plays = file(name, "again.jsonl", plays(true));
    let ended = run(&["playstyle", "learn", text(&plays), "-o", text(&plays)]);
    assert_eq!(ended.code, 3);
    assert_eq!(
        std::fs::read_to_string(&plays).expect("it is there"),
        self::plays(true)
    );
}

const LEVEL: &str = r#"
format = 1
start = [1, 3]
goal = { within = { at = [11, 1], radius = 0.5 } }

[map]
rows = [
    ".............",
    ".............",
    ".............",
    ".............",
    ".............",
    ".............",
    ".............",
]
"#;

#[test]
fn goals_are_recognised_from_where_somebody_was() {
    let name = "goals_are_recognised";
    let level = file(name, "hall.toml", LEVEL);
    let seen = "{\"format\":1,\"unit\":\"cell\"}\n\
                {\"t\":0,\"x\":1,\"y\":3}\n{\"t\":2,\"x\":3,\"y\":2}\n{\"t\":4,\"x\":5,\"y\":1}\n";
    let seen = file(name, "seen.jsonl", seen);
    let goals = [
        "--goal",
        "north=11,1",
        "--goal",
        "south=11,5",
        "--goal",
        "back=1,5",
    ];
    let mut arguments = vec!["recognise", text(&level), "--observed", text(&seen)];
    arguments.extend(goals);
    let said = run(&arguments);
    assert_eq!(said.code, 0, "{}", said.err);
    let first = said.out.lines().nth(1).expect("a goal");
    assert!(first.contains("north"), "{}", said.out);
    arguments.extend(["--format", "json"]);
    let document = run(&arguments).json();
    assert_eq!(document["named"], serde_json::json!(["north"]));
    assert_eq!(document["observations"], 3);
    assert_eq!(document["explained"], true);
    assert!(
        document["goals"][0]["probability"].as_f64() > document["goals"][1]["probability"].as_f64()
    );

    for (goal, told) in [
        ("north", "write NAME=X,Y or NAME=ID"),
        ("north=40,40", "nobody can stand there"),
        ("gold=chest", "there is no `chest` in the scenario"),
    ] {
        let ended = run(&[
            "recognise",
            text(&level),
            "--observed",
            text(&seen),
            "--goal",
            goal,
        ]);
        assert_eq!(ended.code, 3, "{}", ended.err);
        assert!(ended.err.contains(told), "{}", ended.err);
    }
    let mut arguments = vec![
        "recognise",
        text(&level),
        "--observed",
        text(&seen),
        "--expansions",
        "2",
    ];
    arguments.extend(goals);
    assert_eq!(run(&arguments).code, 2);
}

/// A file of the published data, if it is there; that it is not is said.
fn published(what: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("APPRENTICE_DATA").map_or(beside, PathBuf::from);
    let found = Some(folder.join(what)).filter(|path| path.exists());
    if found.is_none() {
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: there is no published `{what}` here; APPRENTICE_DATA says in which folder to look"
        );
    }
    found
}

#[test]
fn experiments_print_one_document() {
    assert!(run(&["experiment", "list"]).out.contains("grid-goals"));
    if let Some(data) = published("recognition/grid-goals.jsonl") {
        let command = [
            "experiment",
            "run",
            "grid-goals",
            "--data",
            text(&data),
            "--quick",
        ];
        let document = run(&[&command[..], &["--format", "json"]].concat()).json();
        assert_eq!(document["problems"], 38);
        assert!(document["right"].as_f64() >= Some(0.98), "{document}");
        assert!(document["spread"].as_f64() <= Some(1.3), "{document}");
        assert!(document["by_observed"]["10"]["problems"].as_u64() > Some(0));
        assert!(document["ms_median"].is_number() && document["ms_p99"].is_number());
        assert!(run(&command).out.contains("for comparison"));
    }
    if let Some(data) = published("recognition/scmTvT_Terran.arff") {
        let command = [
            "experiment",
            "run",
            "starcraft",
            "--data",
            text(&data),
            "--quick",
        ];
        let document = run(&[&command[..], &["--format", "json"]].concat()).json();
        assert_eq!(document["games"], 424);
        assert_eq!(document["classes"], 7);
        assert!(document["accuracy"]["8"].as_f64() > document["neighbours"]["8"].as_f64());
        assert!(document["ms_per_update"].is_number());
    }
    let broken = file("experiments", "broken.arff", "hello");
    let ended = run(&["experiment", "run", "starcraft", "--data", text(&broken)]);
    assert_eq!(ended.code, 3);
    assert!(
        ended.err.contains("line 1: `hello` is not expected here"),
        "{}",
        ended.err
    );
    let ended = apprentice()
        .args(["experiment", "run", "alchemy", "--data", "x"])
        .output();
    assert_eq!(ended.expect("it runs").status.code(), Some(3));
}

#[test]
fn a_companion_and_its_player_are_planned_for_together() {
    let level = crate::command::scenario("coop_cave");
    for style in ["combat", "sneak"] {
        let planned = run(&["plan", &level, "--player-model", style, "--format", "json"]);
        assert_eq!(planned.code, 0, "{}", planned.err);
        let document = planned.json();
        assert_eq!(document["player_model"], style);
        let events = document["steps"].to_string();
        let falls = events.contains("bear:died");
        assert_eq!(falls, style == "combat", "{style}");
        let heard = events.contains("noticed_by");
        assert_eq!(heard, style == "combat", "{style}");
        let path = file("planned_together", &format!("{style}.json"), &planned.out);
        for tick in ["16", "33"] {
            let told = run(&["verify", &level, &path, "--ticks", tick]);
            assert_eq!(told.code, 0, "{style}: {}{}", told.out, told.err);
        }
    }
}

#[test]
fn classes_that_were_learned_are_styles_of_the_level() {
    let name = "classes_are_styles";
    let plays = plays(true)
        .replace("sneaks", "sneak")
        .replace("fights", "style-2");
    let plays = file(name, "plays.jsonl", plays);
    let model = folder(name).join("model.json");
    let learned = run(&[
        "playstyle",
        "learn",
        text(&plays),
        "--labelled",
        "-o",
        text(&model),
    ]);
    assert_eq!(learned.code, 0, "{}", learned.err);
    let level = file(
        name,
        "hall.toml",
        "format = 1\nstart = [0, 0]\ngoal = { within = { at = [4, 0], radius = 0.0 } }\n\
         map = { rows = [\".....\"] }\nplayer = { at = [1, 0] }\n\
         style = [{ id = \"sneak\", points = [[1, 0], [4, 0]] }, { id = \"brawl\", points = [[1, 0], [3, 0]], plays = [\"play 4\"] }]\n",
    );
    let plan = |class: &str| {
        run(&[
            "plan",
            &level,
            "--player-model",
            class,
            "--plays",
            text(&model),
            "--format",
            "json",
        ])
    };
    assert_eq!(plan("sneak").json()["player_model"], "sneak");
    // Its plays are named by a style that goes by another name.
    assert_eq!(plan("style-2").json()["player_model"], "brawl");
    let unknown = plan("hide");
    assert_eq!(unknown.code, 3);
    assert!(
        unknown
            .err
            .contains("knows no class `hide`; it knows `sneak`, `style-2`"),
        "{}",
        unknown.err
    );
    let misspelled = run(&["plan", &level, "--player-model", "snaek"]);
    assert_eq!(misspelled.code, 3);
    assert!(
        misspelled.err.contains("did you mean `sneak`?"),
        "{}",
        misspelled.err
    );
    let none = run(&[
        "plan",
        &crate::command::scenario("k1d1_close"),
        "--player-model",
        "sneak",
    ]);
    assert_eq!(none.code, 3);
    assert!(
        none.err.contains("this level tells of no styles"),
        "{}",
        none.err
    );
}

#[test]
fn the_table_of_companions_comes_out_of_one_command() {
    let out = folder("table-of-companions").join("results");
    let _ = std::fs::remove_dir_all(&out);
    let ended = run(&[
        "experiment",
        "run",
        "table-6.1",
        "--quick",
        "--format",
        "json",
        "--out",
        out.to_str().expect("it is text"),
    ]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let document = ended.json();
    let table = std::fs::read_to_string(out.join("results.csv")).expect("it is there");
    let plans = table
        .lines()
        .filter(|line| line.starts_with("table-6.1,coop_cave,16,"));
    assert_eq!(plans.count(), 10, "{table}");
    let verdicts = document.as_array().expect("a list");
    for id in ["A33", "A35", "A36", "A38"] {
        let verdict = verdicts.iter().find(|verdict| verdict["id"] == id);
        assert_eq!(
            verdict.map(|it| &it["holds"]),
            Some(&Value::Bool(true)),
            "{id}: {document:#}"
        );
    }
}
