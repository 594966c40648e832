//! Demonstrations are recorded, looked into, simplified and looked over; scenarios and commands
//! find them where they are.

use std::path::Path;

use crate::command::{VAULT, apprentice, file, folder, given, run, scenario};
use serde_json::Value;

/// Runs the program with something to read, and returns its code and what it said.
fn run_with_input(arguments: &[&str], input: &str) -> (i32, String, String) {
    let output = given(apprentice().args(arguments), input);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let code = output.status.code().expect("it was not killed");
    (code, text(output.stdout), text(output.stderr))
}

/// A path in a folder of the test's own that does not exist yet.
fn fresh(folder_name: &str, name: &str) -> String {
    let path = folder(folder_name).join(name);
    let _ = std::fs::remove_file(&path);
    path.to_str().expect("text").to_owned()
}

/// Plans a scenario, records the plan, and returns the log's path and the plan.
fn recorded(folder_name: &str, name: &str) -> (String, Value) {
    let ended = run(&["plan", &scenario(name), "--format", "json"]);
    let plan = file(folder_name, &format!("{name}.json"), &ended.out);
    let log = fresh(folder_name, &format!("{name}.jsonl"));
    let done = run(&[
        "demo",
        "record",
        &scenario(name),
        "--plan",
        &plan,
        "-o",
        &log,
    ]);
    assert_eq!(done.code, 0, "{}", done.err);
    (log, ended.json())
}

fn samples(log: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(log).expect("a log");
    let lines = text.lines().skip(1);
    lines
        .map(|line| serde_json::from_str(line).expect("a sample"))
        .collect()
}

#[test]
fn a_recorded_plan_is_the_plan_sampled_twice_a_second() {
    for name in ["quest_compound", "bear_bypass", "bear_lever"] {
        let (log, plan) = recorded("recorded_plan", name);
        let samples = samples(&log);
        let steps = plan["steps"].as_array().expect("steps");
        let last = &samples[samples.len() - 1];
        let ends = &steps[steps.len() - 1];
        for (key, same) in [("t", "t"), ("x", "x"), ("y", "y"), ("health", "health")] {
            let (is, expected) = (last[key].as_f64(), ends[same].as_f64());
            // Plans take beasts to be worse than they are, so that who plans loses more health.
            let same = is.zip(expected).is_some_and(|(is, expected)| {
                (is - expected).abs() < 1e-5 || key == "health" && is >= expected
            });
            assert!(same, "{name} {key}: {is:?} {expected:?}");
        }
        for (number, sample) in samples[..samples.len() - 1].iter().enumerate() {
            let time = sample["t"].as_f64().expect("a time");
            assert!((time - number as f64 * 0.5).abs() < 1e-6, "{name}: {time}");
        }
        // Where the plan ends a step when a sample is taken, both are at the same place.
        let mut met = 0;
        for step in steps {
            let time = step["t"].as_f64().expect("a time");
            let sample = samples
                .iter()
                .find(|it| (it["t"].as_f64().expect("a time") - time).abs() < 1e-9);
            if let Some(sample) = sample {
                met += 1;
                for key in ["x", "y"] {
                    let (a, b) = (sample[key].as_f64(), step[key].as_f64());
                    assert!(
                        (a.expect("x") - b.expect("x")).abs() < 1e-5,
                        "{name} at {time}"
                    );
                }
            }
        }
        assert!(met >= 2, "{name}: {met}");
        // Everything that happened to the agent is told, in the same order.
        let events = |list: &[Value]| -> Vec<String> {
            let events = list
                .iter()
                .flat_map(|it| it["events"].as_array().into_iter().flatten());
            let texts = events.map(|event| event.as_str().expect("a text").to_owned());
            texts
                .filter(|it| it.contains("picked") || it.contains("opened") || it.contains("lever"))
                .collect()
        };
        assert_eq!(events(&samples), events(steps), "{name}");
    }
}

#[test]
fn a_recorded_plan_is_clean_and_attracts() {
    for name in ["quest_compound", "k1d1_close", "bear_bypass"] {
        let (log, _) = recorded("clean", name);
        let ended = run(&[
            "demo",
            "lint",
            &scenario(name),
            &log,
            "--format",
            "json",
            "--strict",
            "--epsilon",
            "10",
        ]);
        assert_eq!(ended.code, 0, "{}", ended.out);
        let document = ended.json();
        let only = &document["demonstrations"][0];
        assert_eq!(only["rank"], 1);
        assert_eq!(only["relevance"]["attracts"], true);
        assert_eq!(only["findings"].as_array().map(Vec::len), Some(0), "{only}");
    }
}

#[test]
fn orders_are_heard_and_a_bad_one_keeps_what_was_recorded() {
    let place = scenario("empty_tutorial");
    let log = fresh("orders", "a.jsonl");
    let record = ["demo", "record", &place, "-o", &log];
    let (code, _, err) = run_with_input(
        &record,
        "# three steps\n\n3 walk east\nhop west\nwalk east\n",
    );
    assert_eq!(code, 3);
    assert!(err.contains("line 4") && err.contains("hop"), "{err}");
    assert_eq!(samples(&log).len(), 7);
    // It is not overwritten, but can be appended to, and cut lines are mended.
    let (code, _, err) = run_with_input(&record, "walk east\n");
    assert_eq!(code, 3);
    assert!(err.contains("--append") && err.contains("--force"), "{err}");
    let whole = std::fs::read_to_string(&log).expect("a log");
    std::fs::write(&log, &whole[..whole.len() - 20]).expect("it can be cut");
    let (code, _, err) = run_with_input(&[&record[..], &["--append"]].concat(), "walk north\n");
    assert_eq!(code, 0, "{err}");
    assert!(err.contains(":8:") && err.contains("left out"), "{err}");
    assert!(err.contains("goes on at (4, 10)"), "{err}");
    let times: Vec<f64> = samples(&log)
        .iter()
        .map(|it| it["t"].as_f64().expect("a time"))
        .collect();
    assert_eq!(times, [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]);
    // A log that has lost only its last line end goes on in a line of its own.
    let whole = std::fs::read_to_string(&log).expect("a log");
    std::fs::write(&log, whole.trim_end()).expect("it can be cut");
    let (code, ..) = run_with_input(&[&record[..], &["--append"]].concat(), "walk north\n");
    assert_eq!((code, samples(&log).len()), (0, 12));
}

#[test]
fn an_order_that_cannot_be_carried_out_ends_the_log() {
    let place = scenario("empty_tutorial");
    let log = fresh("impossible", "a.jsonl");
    let (code, out, err) = run_with_input(&["demo", "record", &place, "-o", &log], "9 walk west\n");
    assert_eq!(code, 1);
    assert!(out.contains("4 s"), "{out}");
    assert!(
        err.contains("line 1") && err.contains("one cannot go west"),
        "{err}"
    );
    assert_eq!(run(&["demo", "inspect", &log]).code, 0);
}

#[test]
fn inspect_counts_what_is_there() {
    let (log, _) = recorded("inspect", "quest_compound");
    let document = run(&["demo", "inspect", &log, "--format", "json"]).json();
    assert_eq!(document["scenario"], "quest_compound");
    assert_eq!(document["interval"], 0.5);
    assert_eq!(
        document["samples"].as_u64(),
        Some(samples(&log).len() as u64)
    );
    let gaits = document["gaits"].as_object().expect("gaits");
    let sum: f64 = gaits.values().map(|it| it.as_f64().expect("seconds")).sum();
    assert!((sum - document["duration"].as_f64().expect("seconds")).abs() < 1e-6);
    let events = document["events"].as_array().expect("events");
    assert!(
        events.iter().any(|it| it["event"] == "picked_up:shield"),
        "{events:?}"
    );
    let text = run(&["demo", "inspect", &log]).out;
    assert!(
        text.contains("shield from") && text.contains("door_opened:room"),
        "{text}"
    );
}

#[test]
fn simplified_logs_are_shorter_and_take_as_long() {
    let (log, _) = recorded("simplify", "quest_compound");
    let simple = fresh("simplify", "simple.jsonl");
    let ended = run(&["demo", "simplify", &log, "-o", &simple]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let inspect = |path: &str| run(&["demo", "inspect", path, "--format", "json"]).json();
    let (before, after) = (inspect(&log), inspect(&simple));
    assert_eq!(before["duration"], after["duration"]);
    assert_eq!(before["events"], after["events"]);
    assert_eq!(before["holdings"], after["holdings"]);
    assert!(after["samples"].as_u64() < before["samples"].as_u64().map(|it| it / 4));
    let limited = fresh("simplify", "limited.jsonl");
    let ended = run(&["demo", "simplify", &log, "-o", &limited, "--segments", "20"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(inspect(&limited)["samples"].as_u64() <= Some(21));
    let ended = run(&[
        "demo",
        "simplify",
        &log,
        "-o",
        &limited,
        "--segments",
        "2",
        "--force",
    ]);
    assert_eq!(ended.code, 3);
    assert!(ended.err.contains("--segments"), "{}", ended.err);
    assert_eq!(run(&["demo", "simplify", &log, "-o", &limited]).code, 3);
}

#[test]
fn scenarios_and_options_bring_demonstrations() {
    let name = "brought";
    let there = file(
        name,
        "there.jsonl",
        "{\"format\":1}\n{\"t\":0,\"x\":1,\"y\":3}\n{\"t\":9,\"x\":9,\"y\":4}\n{\"t\":15,\"x\":8,\"y\":0}\n",
    );
    let drawn = file(name, "drawn.toml", VAULT);
    let logged = VAULT.replace(
        "points = [[1, 3], [9, 4], [8, 0]]",
        "file = \"there.jsonl\"",
    );
    let logged = file(name, "logged.toml", logged);
    let bare = VAULT.split("[[demonstration]]").next().expect("a start");
    let bare = file(name, "bare.toml", bare);
    let followed = |arguments: &[&str]| {
        let fixed = ["plan", "--planner", "astar", "--format", "json"];
        let ended = run(&[&fixed[..], arguments].concat());
        assert_eq!(ended.code, 0, "{}", ended.err);
        ended.json()["followed"].as_f64().expect("a number")
    };
    let by_drawing = followed(&[&drawn]);
    assert!(by_drawing > 0.5);
    assert_eq!(followed(&[&logged]), by_drawing);
    assert_eq!(followed(&[&bare, "--demo", &there]), by_drawing);
    assert_eq!(
        followed(&[&drawn, "--no-demos", "--demo", &there]),
        by_drawing
    );
    assert_eq!(followed(&[&bare]), 0.0);
    assert_eq!(followed(&[&drawn, "--no-demos"]), 0.0);
    // They are drawn in pictures.
    let picture = |scenario: &str, more: &[&str]| {
        let path = fresh(name, "a.svg");
        let fixed = ["heuristic", scenario, "--kind", "path", "--svg", &path];
        assert_eq!(run(&[&fixed[..], more].concat()).code, 0);
        std::fs::read_to_string(path).expect("a picture")
    };
    assert_eq!(picture(&drawn, &[]), picture(&logged, &[]));
    assert_eq!(picture(&bare, &["--demo", &there]), picture(&drawn, &[]));
    assert!(!picture(&drawn, &["--no-demos"]).contains("a demonstration"));
}

#[test]
fn broken_logs_are_refused_wherever_they_come_from() {
    let name = "broken_logs";
    let log = file(
        name,
        "bad.jsonl",
        "{\"format\":1}\n{\"t\":0,\"x\":1,\"y\":\"south\"}\n",
    );
    let place = file(
        name,
        "bad.toml",
        VAULT.replace("points = [[1, 3], [9, 4], [8, 0]]", "file = \"bad.jsonl\""),
    );
    let good = file(name, "good.toml", VAULT);
    let out = fresh(name, "out.jsonl");
    for arguments in [
        ["plan", &place].as_slice(),
        &["verify", &place],
        &["plan", &good, "--demo", &log],
        &["heuristic", &place, "--kind", "path", "--at", "1,1"],
        &["demo", "inspect", &log],
        &["demo", "lint", &good, &log],
        &["demo", "lint", &place],
        &["demo", "simplify", &log, "-o", &out],
        &["demo", "record", &good, "-o", &log, "--append"],
    ] {
        let ended = run(arguments);
        assert_eq!(ended.code, 3, "{arguments:?}: {}", ended.err);
        assert_eq!(ended.out, "");
        assert!(
            ended.err.contains("bad.jsonl:2:18: `y` must be a number"),
            "{}",
            ended.err
        );
        assert!(ended.err.contains("| {\"t\":0"), "{}", ended.err);
    }
    let missing = file(
        name,
        "missing.toml",
        VAULT.replace(
            "points = [[1, 3], [9, 4], [8, 0]]",
            "file = \"nowhere.jsonl\"",
        ),
    );
    let ended = run(&["plan", &missing]);
    assert_eq!(ended.code, 3);
    assert!(ended.err.contains("nowhere.jsonl"), "{}", ended.err);
    assert!(!Path::new(&out).exists());
}

#[test]
fn every_malformed_log_is_refused_by_name() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/demonstrations/malformed");
    let files = std::fs::read_dir(folder).expect("a folder");
    let paths = files.map(|entry| entry.expect("a file").path());
    let logs = paths.filter(|path| path.extension().is_some_and(|it| it == "jsonl"));
    let mut count = 0;
    for path in logs {
        let name = path.file_name().expect("a name").to_str().expect("text");
        let ended = run(&["demo", "inspect", path.to_str().expect("text")]);
        assert_eq!(ended.code, 3, "{name}");
        assert!(ended.err.contains(name), "{}", ended.err);
        count += 1;
    }
    assert!(count >= 45);
}

#[test]
fn lint_says_what_is_wrong_and_fails_only_if_asked() {
    let far = scenario("far_demo");
    let ended = run(&["demo", "lint", &far, "--epsilon", "5"]);
    assert_eq!(ended.code, 0);
    assert!(
        ended.out.contains("a search ignores it at the start"),
        "{}",
        ended.out
    );
    assert!(
        ended.out.contains("not below 5 × 12 s = 60 s"),
        "{}",
        ended.out
    );
    // The epsilon it asks for is enough.
    let needed = ended
        .out
        .split("--epsilon ")
        .nth(1)
        .and_then(|it| it.split(' ').next());
    let needed = needed.expect("a number");
    let ended = run(&["demo", "lint", &far, "--epsilon", needed, "--strict"]);
    assert_eq!(ended.code, 0, "{}", ended.out);
    assert!(
        ended.out.contains("attracts a search, rank 1"),
        "{}",
        ended.out
    );
    assert_eq!(
        run(&["demo", "lint", &far, "--epsilon", "5", "--strict"]).code,
        1
    );
    // Notes alone are no failure.
    let ended = run(&[
        "demo",
        "lint",
        &scenario("k5d5"),
        "--epsilon",
        "10",
        "--strict",
    ]);
    assert_eq!(ended.code, 0, "{}", ended.out);
    assert!(ended.out.contains("through a wall"), "{}", ended.out);
}

#[test]
fn options_of_demo_that_make_no_sense_are_refused() {
    let place = scenario("k1d1_close");
    let log =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/demonstrations/quest.jsonl");
    let log = log.to_str().expect("text");
    let out = fresh("senseless", "out.jsonl");
    for arguments in [
        ["demo"].as_slice(),
        &["demo", "record", &place],
        &["demo", "record", &place, "-o", &out, "--interval", "0"],
        &["demo", "record", &place, "-o", &out, "--interval", "-1"],
        &["demo", "record", &place, "-o", &out, "--interval", "NaN"],
        &[
            "demo",
            "record",
            &place,
            "-o",
            &out,
            "--plan",
            "nowhere.json",
        ],
        &["demo", "record", &place, "-o", &out, "--append", "--force"],
        &["demo", "record", &place, "-o", "no/such/folder/a.jsonl"],
        &["demo", "inspect", "nowhere.jsonl"],
        &["demo", "simplify", log, "-o", &out, "--tolerance", "-1"],
        &["demo", "simplify", log, "-o", &out, "--tolerance", "NaN"],
        &["demo", "simplify", log, "-o", &out, "--segments", "0"],
        &["demo", "simplify", log, "-o", "no/such/folder/a.jsonl"],
        &["demo", "lint", &place, "--epsilon", "0.5"],
        &["demo", "lint", &place, "--epsilon", "NaN"],
    ] {
        let ended = run(arguments);
        assert_eq!(ended.code, 3, "{arguments:?}: {}", ended.err);
        assert_eq!(ended.out, "", "{arguments:?}");
        assert!(!ended.err.contains("panicked"), "{}", ended.err);
    }
    assert!(!Path::new(&out).exists());
}

/// A yard with a bridge over it, and ramps at both ends.
const YARD: &str = "\
v 0 0 0\nv 30 0 0\nv 30 0 8\nv 0 0 8
v 2 0 3\nv 2 0 5\nv 8 3 5\nv 8 3 3
v 22 3 3\nv 22 3 5\nv 28 0 3\nv 28 0 5
f 1 4 3 2
f 5 6 7 8
f 8 7 10 9
f 9 10 12 11
";

#[test]
fn heights_are_recorded_and_asked_for() {
    file("floors", "yard.obj", YARD);
    let over = "format = 1\nstart = [1, 4]\nmap = { file = \"yard.obj\" }\n\
        goal = { within = { at = [29, 4], radius = 0.5 } }\n\
        demonstration = [{ points = [[1, 4], [22, 4, 3], [29, 4]] }]\n";
    let over = file("floors", "over.toml", over);
    // What is recorded on the bridge is high, and what it says is in metres.
    let plan = run(&["plan", &over, "--format", "json"]);
    assert_eq!(plan.json()["followed"], 1.0, "{}", plan.out);
    let plan = file("floors", "plan.json", &plan.out);
    let log = fresh("floors", "over.jsonl");
    let done = run(&["demo", "record", &over, "--plan", &plan, "-o", &log]);
    assert_eq!(done.code, 0, "{}", done.err);
    let samples = samples(&log);
    let high = samples
        .iter()
        .filter(|it| it["z"].as_f64().is_some_and(|z| z > 2.0));
    assert!(high.count() >= 5, "{samples:?}");
    let text = std::fs::read_to_string(&log).expect("a log");
    assert!(text.starts_with('{') && text.lines().next().is_some_and(|it| it.contains("metre")));
    let linted = run(&["demo", "lint", &over, &log]);
    assert_eq!(linted.code, 0, "{}{}", linted.out, linted.err);
    let again = [
        "plan",
        &over,
        "--no-demos",
        "--demo",
        &log,
        "--format",
        "json",
    ];
    assert_eq!(run(&again).json()["followed"], 1.0);
    let ask = |at: &[&str]| {
        let mut ask = vec!["heuristic", &over, "--kind", "tgraph", "--format", "json"];
        at.iter().for_each(|at| ask.extend(["--at", at]));
        run(&ask)
    };
    let readings = ask(&["15,4", "15,4,3", "15,4,0"]).json();
    let value = |number: usize| readings[number]["value"].as_f64().expect("a number");
    assert_eq!(
        value(0),
        value(2),
        "without a height the lowest floor is meant"
    );
    assert!(value(1) < value(0), "{readings}");
    assert!(
        readings[1]["z"].as_f64().is_some_and(|z| z > 2.9),
        "{readings}"
    );
    let nowhere = ask(&["15,4,9"]);
    assert_eq!(nowhere.code, 3);
    assert!(
        nowhere.err.contains("no floor at (15, 4, 9)"),
        "{}",
        nowhere.err
    );
    assert!(nowhere.err.contains("write 15,4,3"), "{}", nowhere.err);
    let vault = file("floors", "vault.toml", VAULT);
    let flat = run(&["heuristic", &vault, "--kind", "path", "--at", "1,1,3"]);
    assert_eq!(flat.code, 3);
    assert!(flat.err.contains("write 1,1"), "{}", flat.err);
}

#[test]
fn a_log_in_another_unit_than_the_level_gets_a_word() {
    let place = "units";
    let vault = file(place, "vault.toml", VAULT);
    let yard = crate::command::yard(place);
    let log = |name: &str, unit: &str| {
        let text = format!(
            "{{\"format\":1{unit}}}\n{{\"t\":0,\"x\":1,\"y\":3}}\n{{\"t\":5,\"x\":6,\"y\":4}}\n"
        );
        file(place, name, text)
    };
    let metres = log("metres.jsonl", ",\"unit\":\"metre\"");
    let cells = log("cells.jsonl", ",\"unit\":\"cell\"");
    let any = log("any.jsonl", "");
    let says = |level: &str, log: &str| {
        let ended = run(&["plan", level, "--demo", log]);
        assert_eq!(ended.code, 0, "{}", ended.err);
        ended.err
    };
    let said = says(&vault, &metres);
    assert!(
        said.contains("`metres`: its coordinates are given in metres"),
        "{said}"
    );
    assert!(
        said.contains("convert its coordinates, or record it here"),
        "{said}"
    );
    let said = says(&yard, &cells);
    assert!(
        said.contains("`cells`: its coordinates are given in cells"),
        "{said}"
    );
    for (level, log) in [
        (&vault, &cells),
        (&yard, &metres),
        (&vault, &any),
        (&yard, &any),
    ] {
        let said = says(level, log);
        assert!(!said.contains("coordinates"), "{said}");
    }
}
