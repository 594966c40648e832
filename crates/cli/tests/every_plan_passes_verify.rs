//! What `plan --format json` writes keeps its contract, and `verify` agrees with every plan.

use std::path::Path;

use crate::command::{PLANNERS, SCENARIOS, VAULT, file, folder, run, scenario, yard};
use serde_json::{Value, json};

/// Plans with a planner and checks every field of the document.
#[track_caller]
fn plan(name: &str, planner: &str, more: &[&str]) -> Value {
    let path = scenario(name);
    let mut arguments = vec!["plan", &path, "--planner", planner, "--format", "json"];
    arguments.extend(more);
    let ended = run(&arguments);
    assert_eq!(ended.code, 0, "{arguments:?}: {}", ended.err);
    let document = ended.json();
    check_fields(&document, name, planner);
    document
}

#[track_caller]
fn check_fields(document: &Value, name: &str, planner: &str) {
    assert_eq!(document["scenario"], name);
    assert_eq!(document["planner"], planner);
    assert!(document["parameters"].is_object());
    assert_eq!(document["status"], "found");
    assert!(document["cost"].as_f64().is_some_and(|cost| cost > 0.0));
    let bound = document["bound"].as_f64();
    assert!(bound.map_or(planner == "tgraph", |bound| bound >= 1.0));
    assert!(
        document["guarantee"]
            .as_str()
            .is_some_and(|text| !text.is_empty())
    );
    for count in ["expansions", "reexpansions", "generated", "states"] {
        assert!(document[count].is_u64(), "{count}");
    }
    assert!(
        document["bytes_per_state"]
            .as_f64()
            .is_some_and(|bytes| bytes > 0.0)
    );
    let count = |name: &str| document[name].as_u64().expect("a count");
    assert_eq!(
        count("budget_spent"),
        count("preparation") + count("expansions") + count("upkeep")
    );
    // Sorting thousands of open states at once costs a unit; between its rounds ARA* sorts them all.
    // Where others move, what they do meanwhile is paid, too.
    let is_small = count("upkeep") <= count("expansions") / 64;
    let others_move = name.starts_with("bear");
    assert!(
        is_small || others_move || planner == "ara",
        "{planner}: {document}"
    );
    let starts_at_once = ["astar", "wastar", "ara"].contains(&planner);
    assert_eq!(count("preparation") == 0, starts_at_once, "{planner}");
    let ms = |name: &str| document[name].as_f64().expect("a time");
    assert!(ms("preparation_ms") <= ms("time_ms"));
    let followed = document["followed"].as_f64().expect("a number");
    assert!((0.0..=1.0).contains(&followed));
    let by = document["expanded_by"].as_object().expect("an object");
    let sum: u64 = by
        .values()
        .map(|count| count.as_u64().expect("a count"))
        .sum();
    assert_eq!(document["expansions"], sum, "{by:?}");
    let has_advisers = planner.starts_with("mha") || planner == "auto";
    assert_eq!(by.len() > 1, has_advisers, "{by:?}");
    check_steps(document);
}

#[track_caller]
fn check_steps(document: &Value) {
    let steps = document["steps"].as_array().expect("a list");
    assert_eq!(steps[0]["t"], 0.0);
    assert_eq!(steps[0]["action"], "start");
    let last = steps.last().expect("the start at least");
    assert_eq!(last["t"], document["cost"]);
    let mut time = -1.0;
    for step in steps {
        let t = step["t"].as_f64().expect("a number");
        assert!(t > time);
        time = t;
        assert!(step["action"].is_string());
        assert!(step["x"].is_u64() && step["y"].is_u64());
        assert!(["walk", "sneak", "run"].contains(&step["gait"].as_str().expect("text")));
        assert!(step["health"].as_f64().is_some_and(|health| health > 0.0));
        assert!(
            step["holding"]
                .as_array()
                .is_some_and(|ids| ids.iter().all(Value::is_string))
        );
        assert!(
            step["events"]
                .as_array()
                .is_some_and(|events| events.iter().all(Value::is_string))
        );
    }
}

#[test]
fn every_planner_on_every_sort_of_quest() {
    for name in SCENARIOS {
        let best = plan(name, "astar", &[]);
        for planner in PLANNERS {
            let document = plan(name, planner, &[]);
            let ratio = document["cost"].as_f64().unwrap() / best["cost"].as_f64().unwrap();
            // The published form of the T-Graph proves nothing, and says so.
            match document["bound"].as_f64() {
                Some(bound) => assert!(ratio <= bound + 1e-9, "{name} {planner}: {ratio}"),
                None => assert_eq!(planner, "tgraph", "{name}"),
            }
            let written = file(
                "plans",
                &format!("{name}.{planner}.json"),
                document.to_string(),
            );
            let verified = run(&["verify", &scenario(name), &written]);
            assert_eq!(verified.code, 0, "{name} {planner}: {}", verified.out);
        }
    }
}

#[test]
fn plans_with_all_modes_pass_too() {
    for planner in ["astar", "mha"] {
        let document = plan("k1d1_close", planner, &["--branching", "256"]);
        assert_eq!(document["parameters"]["branching"], 256);
        let written = file(
            "plans",
            &format!("modes.{planner}.json"),
            document.to_string(),
        );
        assert_eq!(run(&["verify", &scenario("k1d1_close"), &written]).code, 0);
    }
}

#[test]
fn the_budget_that_was_spent_is_enough_and_one_less_is_not() {
    for planner in PLANNERS.into_iter().filter(|planner| *planner != "ara") {
        let path = scenario("k1d1_close");
        let document = plan("k1d1_close", planner, &[]);
        let spent = document["budget_spent"].as_u64().expect("a count");
        let within = |most: u64| {
            let most = most.to_string();
            run(&["plan", &path, "--planner", planner, "--expansions", &most])
        };
        assert_eq!(within(spent).code, 0, "{planner} {spent}");
        assert_eq!(within(spent - 1).code, 2, "{planner} {spent}");
        let preparation = document["preparation"].as_u64().expect("a count");
        if preparation > 1 {
            let said = within(preparation - 1).out;
            assert!(said.contains("ran out while getting ready"), "{said}");
            let said = within(preparation + 1).out;
            assert!(!said.contains("while getting ready"), "{said}");
        }
    }
}

#[test]
fn budgets_are_kept() {
    for planner in PLANNERS {
        for most in ["0", "1", "57", "5000"] {
            let path = scenario("quest_compound");
            let options = [
                "--planner",
                planner,
                "--expansions",
                most,
                "--format",
                "json",
            ];
            let ended = run(&[&["plan", path.as_str()], options.as_slice()].concat());
            let document = ended.json();
            let expansions = document["expansions"].as_u64().expect("a count");
            assert!(
                expansions <= most.parse().unwrap(),
                "{planner} {most}: {expansions}"
            );
            if ended.code == 2 {
                assert_eq!(document["status"], "budget");
                assert_eq!(
                    (&document["cost"], &document["bound"]),
                    (&Value::Null, &Value::Null)
                );
                assert_eq!(document["steps"], json!([]));
            }
        }
    }
}

#[test]
fn the_impossible_is_said_so() {
    let shut = VAULT.replace("opens = [\"vault\"]", "opens = []");
    let ended = run(&[
        "plan",
        &file("plans", "shut.toml", shut),
        "--format",
        "json",
    ]);
    assert_eq!(
        (ended.code, ended.json()["status"].as_str()),
        (1, Some("impossible"))
    );
}

#[test]
fn weights_follow_from_the_bound() {
    let parameters =
        |planner: &str, more: &[&str]| plan("k1d1_close", planner, more)["parameters"].clone();
    assert_eq!(parameters("wastar", &[])["w"], 10.0);
    assert_eq!(parameters("wastar", &["--bound", "3"])["w"], 3.0);
    assert_eq!(
        parameters("wastar", &["--bound", "3", "--w", "2"])["w"],
        2.0
    );
    let mha = parameters("mha", &["--bound", "6"]);
    assert_eq!((&mha["w1"], &mha["w2"]), (&json!(6.0), &json!(1.0)));
    let mha = parameters("mha", &["--bound", "6", "--w2", "2"]);
    assert_eq!((&mha["w1"], &mha["bound"]), (&json!(3.0), &json!(6.0)));
    assert_eq!(parameters("mha-focal", &["--bound", "4"])["w"], 4.0);
}

#[test]
fn events_can_be_chosen() {
    let by = |more: &[&str]| {
        let document = plan("quest_compound", "mha", more);
        let by = document["expanded_by"]
            .as_object()
            .expect("an object")
            .clone();
        by.keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(by(&[]), ["event:key", "event:shield", "straight"]);
    assert_eq!(by(&["--events", "shield"]), ["event:shield", "straight"]);
    // Somebody has to advise: the demonstrations, or the shortest way.
    assert_eq!(by(&["--events", ""]), ["straight", "tgraph"]);
    assert_eq!(by(&["--events", "", "--no-demos"]), ["path", "straight"]);
}

#[test]
fn a_plan_that_lies_is_invalid() {
    let document = plan("k1d1_close", "astar", &[]);
    let spoil = |name: &str, spoil: &dyn Fn(&mut Value)| {
        let mut spoilt = document.clone();
        spoil(&mut spoilt);
        let path = file("plans", name, spoilt.to_string());
        run(&["verify", &scenario("k1d1_close"), &path])
    };
    type Change = &'static dyn Fn(&mut Value);
    let cases: [(&str, Change, &str); 7] = [
        (
            "short.json",
            &|it| drop(it["steps"].as_array_mut().unwrap().pop()),
            "goal is not met",
        ),
        (
            "turned.json",
            &|it| it["steps"][1]["action"] = json!("walk west"),
            "step 1",
        ),
        (
            "moved.json",
            &|it| it["steps"][4]["x"] = json!(40),
            "step 4: `x`",
        ),
        (
            "late.json",
            &|it| it["steps"][2]["t"] = json!(0.0),
            "step 2: `t`",
        ),
        (
            "held.json",
            &|it| it["steps"][3]["holding"] = json!(["red"]),
            "step 3: `holding`",
        ),
        ("cheap.json", &|it| it["cost"] = json!(1.0), "cost"),
        ("none.json", &|it| it["status"] = json!("budget"), "budget"),
    ];
    for (name, change, word) in cases {
        let ended = spoil(name, change);
        assert_eq!(ended.code, 1, "{name}: {} {}", ended.out, ended.err);
        assert!(ended.out.contains(word), "{name}: {}", ended.out);
    }
    let elsewhere = file("plans", "elsewhere.json", document.to_string());
    assert_eq!(run(&["verify", &scenario("k5d5"), &elsewhere]).code, 1);
}

#[test]
fn steps_say_how_high_they_are_where_levels_are_not_flat() {
    let yard = yard("heights");
    let mut document = run(&["plan", &yard, "--format", "json"]).json();
    let steps = document["steps"].as_array_mut().expect("steps");
    let height = |step: &Value| step["z"].as_f64().expect("a height");
    let (first, last) = (height(&steps[0]), height(&steps[steps.len() - 1]));
    assert!(
        first < 0.5 && (2.5..3.5).contains(&last),
        "{first} to {last}"
    );
    let plan = |document: &Value| file("heights", "plan.json", document.to_string());
    assert_eq!(run(&["verify", &yard, &plan(&document)]).code, 0);
    let last = document["steps"].as_array().expect("steps").len() - 1;
    document["steps"][last]["z"] = json!(0.0);
    let ended = run(&["verify", &yard, &plan(&document)]);
    assert_eq!(ended.code, 1);
    assert!(ended.out.contains("`z` is said to be 0"), "{}", ended.out);
    // A grid is flat.
    let grid = run(&[
        "plan",
        &file("heights", "vault.toml", VAULT),
        "--format",
        "json",
    ]);
    assert!(grid.json()["steps"][0].get("z").is_none());
}

/// The best plan with whole steps leaves the bear's ground a tenth of a second before its second
/// bite; in a game it is bitten first.
#[test]
fn a_plan_is_also_lived_through_in_game_ticks() {
    let level = scenario("lured_bear");
    let planned = run(&["plan", &level, "--format", "json"]);
    let path = file("plans", "bitten.json", &planned.out);
    let told = run(&["verify", &level, &path]);
    assert_eq!(told.code, 0, "{}{}", told.out, told.err);
    let dies = "but not in game ticks of 16 ms: step 35: the agent dies at";
    assert!(told.out.contains(dies), "{}", told.out);
    for tick in ["5", "16", "250"] {
        let refused = run(&["verify", &level, &path, "--ticks", tick]);
        let dies = format!("invalid in game ticks of {tick} ms: step 35: the agent dies at");
        assert_eq!(refused.code, 1, "{}", refused.out);
        assert!(refused.out.starts_with(&dies), "{}", refused.out);
    }
    let document = plan("k1d1_close", "astar", &[]);
    let path = file("plans", "ticks.json", document.to_string());
    let valid = run(&["verify", &scenario("k1d1_close"), &path, "--ticks", "33"]);
    assert_eq!(valid.code, 0, "{}", valid.out);
    let also = "also in game ticks of 33 ms, with 100 health";
    assert!(valid.out.contains(also), "{}", valid.out);
    let too_long = run(&["verify", &scenario("k1d1_close"), &path, "--ticks", "1000"]);
    assert_eq!(too_long.code, 3, "{}", too_long.out);
    assert!(too_long.err.contains("shorter ticks"), "{}", too_long.err);
    let too_fine = run(&["verify", &scenario("k1d1_close"), &path, "--ticks", "0"]);
    assert_eq!(too_fine.code, 3, "{}", too_fine.err);
}

#[test]
fn what_is_no_plan_is_bad_input() {
    for (name, text, word) in [
        ("empty.json", "", "empty.json:1"),
        ("list.json", "[1, 2]", "list.json:1"),
        ("steps.json", "{\n\"steps\": 7}", "steps.json:2"),
        (
            "action.json",
            "{\"steps\": [{\"action\": \"fly north\"}]}",
            "fly",
        ),
        (
            "number.json",
            "{\"steps\": [{\"action\": \"wait\", \"x\": \"a\"}]}",
            "number.json:1",
        ),
    ] {
        let ended = run(&[
            "verify",
            &scenario("k1d1_close"),
            &file("plans", name, text),
        ]);
        assert_eq!(ended.code, 3, "{name}: {}", ended.err);
        assert!(ended.err.contains(word), "{name}: {}", ended.err);
    }
}

#[test]
fn estimates_are_given_in_seconds() {
    let path = scenario("k1d1_close");
    let at = ["--at", "45,25", "--at", "42,21", "--at", "38,0"];
    let values = |kind: &str| {
        let options = ["--kind", kind, "--format", "json"];
        run(&[&["heuristic", path.as_str()], options.as_slice(), &at].concat()).json()
    };
    let straight = values("straight");
    assert_eq!(straight[0], json!({ "x": 45, "y": 25, "value": 0.0 }));
    assert_eq!(straight[1], json!({ "x": 42, "y": 21, "value": 5.0 }));
    // From inside a wall there is no way, and what is infinite is null.
    assert_eq!(values("path")[2], json!({ "x": 38, "y": 0, "value": null }));
    let by_key = values("event:red");
    assert!(
        by_key[0]["value"]
            .as_f64()
            .is_some_and(|value| value > 60.0),
        "{by_key}"
    );
}

#[test]
fn the_same_question_has_the_same_answer() {
    for planner in ["ara", "mha", "mha-focal"] {
        let [mut first, mut second] = [(); 2].map(|()| plan("bear_lever", planner, &[]));
        for time in ["time_ms", "preparation_ms"] {
            first[time] = Value::Null;
            second[time] = Value::Null;
        }
        assert_eq!(first, second);
    }
}

/// Whoever is planned for: the plan says who it is, and is checked for that one.
#[test]
fn plans_for_others_are_checked_for_them() {
    let level = file(
        "companions",
        "companions.toml",
        "format = 1\nstart = [0, 0]\ngoal = { within = { at = [4, 0], radius = 0.0 } }\n\
         map = { rows = ['.........'] }\nkey = [{ id = 'red', at = [8, 0], opens = [] }]\n\
         actor = [{ id = 'anna', at = [6, 0], goal = { holds = 'red' } }]\n",
    );
    let ended = run(&["plan", &level, "--agent", "anna", "--format", "json"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let document = ended.json();
    assert_eq!(document["agent"], "anna");
    assert_eq!(document["cost"], 2.0);
    assert_eq!(document["steps"][0]["x"].as_f64(), Some(6.0));
    assert_eq!(document["steps"][2]["events"], json!(["picked_up:red"]));
    let written = file("companions", "annas_plan.json", &ended.out);
    assert_eq!(run(&["verify", &level, &written]).code, 0);
    let other = ended.out.replace("\"anna\"", "\"npc\"");
    let taken_for_another = file("companions", "npcs_plan.json", other);
    assert_eq!(run(&["verify", &level, &taken_for_another]).code, 1);

    let own = run(&["plan", &level, "--format", "json"]);
    assert_eq!(own.json().get("agent"), None);
    let ended = run(&["plan", &level, "--agent", "ana"]);
    assert_eq!(ended.code, 3);
    assert!(ended.err.contains("did you mean `anna`?"), "{}", ended.err);
}

#[test]
fn every_test_of_a_folder_is_run_also_after_one_that_cannot_be_read() {
    let folder = folder("tests_of_a_folder");
    let level = |expect: &str| {
        format!(
            "format = 1\nstart = [0, 0]\nmap = {{ rows = ['.........'] }}\ngoal = {{ within = {{ at = [8, 0], radius = 0.0 }} }}\n{expect}"
        )
    };
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    write("1_arrives.toml", &level("expect = { within = 60 }\n"));
    write("2_broken.toml", &level("expect = { within = 'soon' }\n"));
    write("3_late.toml", &level("[expect]\nwithin = 0.5\n"));
    write("4_no_test.toml", &level(""));
    write("5_of_another_program.toml", "expected = 1\n");
    write("6_plan.toml", &level(""));
    write("6_plan.plan.json", "{");
    let ended = run(&["verify", "--all", folder.to_str().expect("text")]);
    assert_eq!(ended.code, 1, "{}{}", ended.out, ended.err);
    let lines: Vec<&str> = ended.out.lines().collect();
    assert!(lines[0].starts_with("ok ") && lines[0].contains("1_arrives"));
    for (number, name) in ["2_broken", "3_late", "6_plan"].iter().enumerate() {
        let line = lines.iter().find(|line| line.contains(name));
        let line = line.unwrap_or_else(|| panic!("{number}: {}", ended.out));
        assert!(line.starts_with("FAILED "), "{line}");
    }
    assert_eq!(lines.last(), Some(&"4 tests, 3 failed"), "{}", ended.out);
}

/// What plans say and what play does agree, on every level that is shipped: whoever goes as planned is
/// at the goal, alive, in the ticks of a game at 60 and at 30 frames a second.
#[test]
fn shipped_levels_are_played_as_planned() {
    let levels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut played = 0;
    for entry in std::fs::read_dir(levels).expect("it is there") {
        let level = entry.expect("a file").path();
        if level.extension().is_none_or(|end| end != "toml") {
            continue;
        }
        let level = level.to_str().expect("text");
        let planned = run(&["plan", level, "--format", "json"]);
        assert_eq!(planned.code, 0, "{level}: {}", planned.err);
        let path = file("plans", "as_planned.json", &planned.out);
        for tick in ["16", "33"] {
            let told = run(&["verify", level, &path, "--ticks", tick]);
            assert_eq!(told.code, 0, "{level}: {}{}", told.out, told.err);
            let also = format!("also in game ticks of {tick} ms");
            assert!(told.out.contains(&also), "{level}: {}", told.out);
        }
        played += 1;
    }
    assert!(played >= 18, "only {played} levels");
}

/// Which way is gone on a level with a way that was drawn and shorter ones that were closed then: who
/// asks nobody takes a shorter one, who is taught goes as shown.
#[test]
fn openings_that_were_not_shown_are_taken_by_who_was_not_taught() {
    for bound in ["100", "1000"] {
        for (planner, more_than, less_than) in [("wastar", 0.0, 0.6), ("tgraph", 0.9, 1.01)] {
            let document = plan("bear_lever", planner, &["--bound", bound]);
            let followed = document["followed"].as_f64().expect("a share");
            assert!(
                more_than < followed && followed < less_than,
                "{planner} at {bound}: {followed}"
            );
        }
    }
}
