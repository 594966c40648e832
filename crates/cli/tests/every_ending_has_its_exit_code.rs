//! Scripts rely on exit codes: 0 found or valid, 1 impossible or invalid, 2 out of budget, 3 bad
//! input. (4, a bug, is tested beside the code that catches it: there is no way to ask for one.)

use std::path::Path;
use std::process::Stdio;

use crate::command::{PLANNERS, VAULT, apprentice, file, folder, run, scenario};

/// Runs the program and checks its code, and that stderr has all the words.
#[track_caller]
fn check(arguments: &[&str], code: i32, words: &[&str]) {
    let ended = run(arguments);
    assert_eq!(
        ended.code, code,
        "{arguments:?}\n{}\n{}",
        ended.out, ended.err
    );
    for word in words {
        assert!(ended.err.contains(word), "no `{word}` in: {}", ended.err);
    }
    if code == 3 {
        assert_eq!(ended.out, "", "bad input gives no result");
        assert!(!ended.err.contains("panicked"), "{}", ended.err);
    }
}

/// The small quest with something replaced.
fn vault(name: &str, from: &str, to: &str) -> String {
    assert!(VAULT.contains(from));
    file("broken", name, VAULT.replace(from, to))
}

#[test]
fn help_and_version_are_no_failure() {
    for arguments in [["--help"].as_slice(), &["--version"], &["plan", "--help"]] {
        let ended = run(arguments);
        assert_eq!(ended.code, 0);
        assert!(ended.out.contains("apprentice"), "{}", ended.out);
    }
}

#[test]
fn help_lists_every_planner() {
    let help = run(&["plan", "--help"]).out;
    for planner in PLANNERS {
        assert!(help.contains(planner), "{planner}");
    }
}

/// Whoever gives an option that changes nothing is told so, and gets the estimate all the same.
#[test]
fn options_that_mean_nothing_to_a_heuristic_are_pointed_out() {
    let close = scenario("k1d1_close.toml");
    let ask = |kind: &str, options: &[&str]| {
        let ask = ["heuristic", &close, "--at", "4,25", "--kind", kind];
        let ended = run(&[&ask[..], options].concat());
        assert_eq!(ended.code, 0, "{}", ended.err);
        assert!(ended.out.contains(" s\n"), "{}", ended.out);
        ended.err
    };
    for (kind, option, value) in [
        ("straight", "--epsilon", "3"),
        ("path", "--bound", "3"),
        ("errands", "--projection", "consistent"),
        ("egraph", "--corridor", "path"),
        ("tgraph", "--w1", "3"),
        ("tgraph", "--event-metric", "path"),
        ("event:red", "--extra-turns", "3"),
    ] {
        let told = ask(kind, &[option, value]);
        let note = format!("{option} means nothing to --kind {kind} here");
        assert!(told.contains(&note), "no `{note}` in: {told}");
    }
    // A bound says nothing more where the inflation is given; alone it does.
    assert!(ask("tgraph", &["--epsilon", "3", "--bound", "9"]).contains("--bound means nothing"));
    for (kind, options) in [
        (
            "tgraph",
            &["--bound", "9", "--projection", "consistent"][..],
        ),
        ("egraph", &["--epsilon", "9"]),
        (
            "event:red",
            &["--event-metric", "path", "--event-guide", "egraph"],
        ),
        ("straight", &[]),
    ] {
        assert_eq!(ask(kind, options), "", "{kind} {options:?}");
    }
    let told = ask("tgraph", &["--no-demos"]);
    assert!(told.contains("no demonstration to follow"), "{told}");
    assert!(ask("path", &["--no-demos"]).contains("--no-demos means nothing"));
}

#[test]
fn without_a_scenario_a_plan_is_printed_and_drawn() {
    let here = folder("without_a_scenario");
    let drawn = here.join("apprentice-plan.svg");
    let _ = std::fs::remove_file(&drawn);
    let output = apprentice().arg("plan").current_dir(&here).output();
    let output = output.expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success());
    assert!(text.contains("pick up the shield"), "{text}");
    assert!(text.contains("apprentice-plan.svg"), "{text}");
    assert!(drawn.exists());
}

#[test]
fn with_a_scenario_nothing_is_drawn_unless_asked_for() {
    let here = folder("nothing_drawn");
    let plan = apprentice()
        .args(["plan", &scenario("k1d1_close")])
        .current_dir(&here)
        .output();
    assert!(plan.expect("it runs").status.success());
    assert_eq!(std::fs::read_dir(&here).expect("a folder").count(), 0);
}

#[test]
fn a_plan_that_is_found_ends_with_zero() {
    for planner in PLANNERS {
        check(
            &["plan", &scenario("k1d1_close"), "--planner", planner],
            0,
            &[],
        );
    }
}

#[test]
fn what_is_impossible_ends_with_one() {
    let shut = vault("no_key.toml", "opens = [\"vault\"]", "opens = []");
    for planner in PLANNERS {
        check(&["plan", &shut, "--planner", planner], 1, &[]);
    }
    let said = run(&["plan", &shut, "--planner", "astar"]).out;
    let why = "No key and no lever opens `vault`.";
    assert!(said.contains(why), "{said}");
}

#[test]
fn a_budget_that_runs_out_ends_with_two() {
    for planner in PLANNERS {
        let far = scenario("quest_compound");
        check(
            &["plan", &far, "--planner", planner, "--expansions", "10"],
            2,
            &[],
        );
        check(
            &["plan", &far, "--planner", planner, "--expansions", "0"],
            2,
            &[],
        );
        check(&["plan", &far, "--planner", planner, "--time", "0"], 2, &[]);
    }
}

#[test]
fn an_anytime_planner_with_a_plan_has_found_it_when_the_budget_ends() {
    let far = scenario("quest_compound");
    let ended = run(&["plan", &far, "--planner", "ara", "--expansions", "20000"]);
    assert_eq!(ended.code, 0, "{}", ended.out);
    assert!(ended.out.contains("ran out"), "{}", ended.out);
}

#[test]
fn unknown_planners_are_refused_with_a_suggestion() {
    check(&["plan", "--planner", "astr"], 3, &["astr", "astar"]);
    check(&["plan", "--planner", "magic"], 3, &["magic"]);
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let place = scenario("k1d1_close");
    for arguments in [
        ["plan", "--w", "0.5"].as_slice(),
        &["plan", "--w", "NaN"],
        &["plan", "--w", "-1"],
        &["plan", "--w", "much"],
        &["plan", "--bound", "0"],
        &["plan", "--w1", "0.99"],
        &["plan", "--w2", "0.99"],
        &["plan", "--branching", "8"],
        &["plan", "--expansions", "-1"],
        &["plan", "--expansions", "many"],
        &["plan", "--time", "1.5"],
        &["plan", "--format", "xml"],
        &["plan", "--events", "nobody"],
        &["plan", "--frobnicate"],
        &["plan", "one.toml", "two.toml"],
        &["plan", "--svg"],
        &["frobnicate"],
        &[],
        &["heuristic", &place, "--at", "1,1"],
        &["heuristic", &place, "--kind", "straight"],
        &["heuristic", &place, "--kind", "guess", "--at", "1,1"],
        &["heuristic", &place, "--kind", "event:nobody", "--at", "1,1"],
        &["heuristic", &place, "--kind", "path", "--at", "1"],
        &["heuristic", &place, "--kind", "path", "--at", "1.5,2"],
        &["heuristic", &place, "--kind", "path", "--at", "50,0"],
        &["heuristic", &place, "--kind", "path", "--at", "-1,0"],
        &["verify"],
    ] {
        check(arguments, 3, &[]);
    }
    check(&["plan", "--w", "0.5"], 3, &["0.5", "--w"]);
}

#[test]
fn broken_scenarios_are_refused_with_file_and_line() {
    let place = "at = [10, 1], radius = 0.0";
    for (path, place) in [
        (
            vault("off.toml", place, "at = [99, 1], radius = 0.0"),
            "off.toml:4:",
        ),
        (
            vault("wall.toml", place, "at = [8, 1], radius = 0.0"),
            "wall.toml:4:",
        ),
        (
            vault("both.toml", "[map]", "[map]\nfile = \"a.map\""),
            "both.toml:",
        ),
        (
            vault("empty.toml", "[[1, 3], [9, 4], [8, 0]]", "[]"),
            "empty.toml:25:",
        ),
        (vault("typo.toml", "opens", "opnes"), "typo.toml:18:"),
        (
            vault("id.toml", "opens = [\"vault\"]", "opens = [\"vualt\"]"),
            "id.toml:18:",
        ),
        (
            vault("toml.toml", "start = [1, 3]", "start = [1, 3"),
            "toml.toml:",
        ),
        (
            vault("version.toml", "format = 1", "format = 2"),
            "version.toml:1:",
        ),
        (file("broken", "nothing.toml", ""), "nothing.toml:1:"),
        (
            file("broken", "control.toml", "format = 1\u{1}\n"),
            "control.toml:1:",
        ),
    ] {
        check(&["plan", &path], 3, &[place]);
        check(&["verify", &path], 3, &[place]);
        check(
            &["heuristic", &path, "--kind", "path", "--at", "0,0"],
            3,
            &[place],
        );
    }
}

#[test]
fn every_malformed_scenario_is_refused_by_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/scenarios/malformed");
    let files = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("a file").path());
    let files: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|it| it == "toml"))
        .collect();
    assert!(files.len() >= 50, "{}", files.len());
    for path in files {
        let name = path.file_name().expect("a name").to_str().expect("text");
        check(&["plan", path.to_str().expect("text")], 3, &[name]);
    }
}

#[test]
fn files_that_cannot_be_read_are_refused_by_name() {
    let garbage: Vec<u8> = (0..4096u32)
        .map(|number| (number * 31 % 251) as u8 | 0x80)
        .collect();
    let garbage = file("broken", "garbage.toml", garbage);
    let folder = folder("broken");
    let folder = folder.to_str().expect("text");
    check(&["plan", "nowhere.toml"], 3, &["nowhere.toml"]);
    check(&["plan", folder], 3, &["broken"]);
    check(&["plan", &garbage], 3, &["garbage.toml", "line 1"]);
    let map = vault("map.toml", "[map]", "[map]\nfile = \"none.map\"\n[other]");
    check(&["plan", &map], 3, &["map.toml"]);
}

#[test]
fn whoever_forgets_the_ending_of_a_scenario_is_reminded() {
    let path = file("broken", "forgotten.toml", VAULT);
    let short = path.strip_suffix(".toml").expect("its ending");
    let meant = format!("did you mean `{path}`?");
    check(&["plan", short], 3, &[&meant]);
}

#[test]
fn what_is_no_plan_has_a_place_and_a_remedy() {
    let cut = file("broken", "cut.json", "{\n");
    let path = file("broken", "vault.toml", VAULT);
    let words = [
        "cut.json:2:1: ",
        "`apprentice plan --format json` writes one",
    ];
    check(&["verify", &path, &cut], 3, &words);
}

#[test]
fn a_map_that_is_not_there_is_looked_for_beside_the_scenario() {
    let text = "format = 1\nstart = [0, 0]\ngoal = { within = { at = [1, 0] } }\n\
        map = { file = \"lost.map\" }\n";
    let path = file("broken", "lost.toml", text);
    let words = ["lost.toml:4:16: ", "it is looked for beside the scenario"];
    check(&["verify", &path], 3, &words);
}

#[test]
fn a_picture_that_cannot_be_written_is_refused() {
    let place = scenario("k1d1_close");
    check(
        &["plan", &place, "--svg", "no/such/folder/a.svg"],
        3,
        &["a.svg"],
    );
    check(
        &[
            "heuristic",
            &place,
            "--kind",
            "path",
            "--svg",
            "no/such/folder/a.svg",
        ],
        3,
        &["a.svg"],
    );
}

#[test]
fn an_option_that_does_nothing_is_mentioned() {
    let place = scenario("k1d1_close");
    check(
        &["plan", &place, "--planner", "astar", "--w1", "3"],
        0,
        &["--w1"],
    );
    check(
        &[
            "plan",
            &place,
            "--planner",
            "wastar",
            "--bound",
            "2",
            "--w",
            "5",
        ],
        0,
        &["that was asked for"],
    );
}

#[test]
fn a_reader_that_has_heard_enough_is_no_error() {
    for arguments in [
        ["plan", "--format", "json"].as_slice(),
        &["plan"],
        &["--help"],
    ] {
        let mut child = apprentice()
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {err}");
        assert!(!err.contains("error"), "{err}");
    }
}
