//! Whoever makes a mistake is told what is wrong, where, and what to try; and loses nothing.

use std::path::Path;
use std::process::Stdio;

use crate::command::{VAULT, apprentice, file, folder, given, run, scenario};

/// Runs the program in a folder with something to read, and checks how it ends, what it says in all,
/// and what it does not say.
#[track_caller]
fn check(place: &str, arguments: &[&str], input: &str, code: i32, says: &[&str], not: &[&str]) {
    let mut command = apprentice();
    let output = given(command.current_dir(folder(place)).args(arguments), input);
    let said = [output.stderr, output.stdout].concat();
    let said = String::from_utf8(said).expect("text");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{said}");
    for word in says {
        assert!(said.contains(word), "no `{word}` in: {said}");
    }
    for word in not {
        assert!(!said.contains(word), "`{word}` in: {said}");
    }
}

const OWN_LINE: &str = "points = [[1, 3], [9, 4], [8, 0]]";

#[test]
fn a_demonstration_that_is_not_there_is_pointed_out_in_the_scenario() {
    let place = "lost_demonstration";
    let text = VAULT.replace(OWN_LINE, "file = \"nope.jsonl\"");
    let path = file(place, "lost.toml", text);
    let says = [
        "lost.toml:25:8: `nope.jsonl` cannot be read: there is no such file",
        "it is looked for beside the scenario",
        "25 | file = \"nope.jsonl\"\n     |        ^",
    ];
    for command in [&["plan"][..], &["verify"], &["demo", "lint"]] {
        let arguments = [command, &[&path]].concat();
        check(place, &arguments, "", 3, &says, &["os error"]);
    }
    // One with nearly this name may be meant.
    file(place, "nopes.jsonl", "{\"format\":1}\n");
    let says = ["did you mean", "nopes.jsonl`?", "beside the scenario"];
    check(place, &["plan", &path], "", 3, &says, &[]);
}

#[test]
fn a_file_that_is_not_there_has_neighbours() {
    let place = "neighbours";
    std::fs::create_dir_all(folder(place).join("scenarios")).expect("a folder");
    file(place, "scenarios/k1d1_close.toml", VAULT);
    file(place, "scenarios/k5d1.toml", VAULT);
    file(place, "night.htn", "task A() { { true; } }");
    let meant = "did you mean `scenarios/k1d1_close.toml`?";
    for name in [
        "k1d1_close",
        "k1d1_clsoe",
        "k1d1",
        "k1d1_clos.toml",
        "scenarios/k1d1_clos.toml",
        "scenarios/K1D1_close.toml",
        "elsewhere/k1d1_close.toml",
    ] {
        check(place, &["plan", name], "", 3, &[name, meant], &["os error"]);
        check(place, &["verify", name], "", 3, &[name, meant], &[]);
    }
    let there = "in `scenarios` there is `k1d1_close.toml`, `k5d1.toml`";
    check(place, &["plan", "marsh.toml"], "", 3, &[there], &["mean"]);
    check(
        place,
        &["plan", "scenarios"],
        "",
        3,
        &["a folder", there],
        &[],
    );
    let no_folder = "there is no folder `elsewhere`";
    check(
        place,
        &["plan", "elsewhere/marsh.toml"],
        "",
        3,
        &[no_folder],
        &[],
    );
    let night = ["did you mean `night.htn`?"];
    check(place, &["htn", "plan", "nihgt.htn"], "", 3, &night, &[]);
}

#[test]
fn a_picture_is_refused_before_anything_is_planned() {
    let place = "early_refusal";
    let quest = scenario("quest_compound");
    let says = ["`no/such/a.svg` cannot be written: there is no folder `no/such`"];
    // So few expansions that the budget would run out first.
    let plan = [
        "plan",
        &quest,
        "--expansions",
        "1",
        "--svg",
        "no/such/a.svg",
    ];
    check(place, &plan, "", 3, &says, &["No plan yet"]);
    check(
        place,
        &["plan", &quest, "--svg", "."],
        "",
        3,
        &["it is a folder"],
        &[],
    );
    // What is asked first leaves no trace, and what is there stays until there is something better.
    let old = file(place, "old.svg", "old");
    let broken = ["plan", &quest, "--events", "nobody", "--svg"];
    check(
        place,
        &[&broken[..], &[&old]].concat(),
        "",
        3,
        &["nobody"],
        &[],
    );
    check(
        place,
        &[&broken[..], &["new.svg"]].concat(),
        "",
        3,
        &["nobody"],
        &[],
    );
    assert_eq!(std::fs::read_to_string(&old).expect("it is there"), "old");
    assert!(!folder(place).join("new.svg").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_picture_that_fails_takes_no_plan_with_it() {
    // A device that can be opened, and takes nothing.
    let close = scenario("k1d1_close");
    let plan = ["plan", &close, "--svg", "/dev/full"];
    let says = ["pick up", "`/dev/full` cannot be written"];
    check("late_failure", &plan, "", 3, &says, &[]);
}

#[test]
fn a_plan_of_another_scenario_is_refused_by_name() {
    let place = "another_scenario";
    let plan = run(&["plan", &scenario("k5d1"), "--format", "json"]).out;
    let plan = file(place, "k5d1.json", plan);
    let close = scenario("k1d1_close");
    let verify = ["verify", &close, &plan];
    let says = [
        "invalid: ",
        "made for the scenario `k5d1`, and this is `k1d1_close`",
    ];
    check(place, &verify, "", 1, &says, &[]);
    let log = folder(place).join("k5d1.jsonl");
    let _ = std::fs::remove_file(&log);
    let record = [
        "demo",
        "record",
        &close,
        "--plan",
        &plan,
        "-o",
        "k5d1.jsonl",
    ];
    let says = ["is a plan for the scenario `k5d1`, and this is `k1d1_close`"];
    check(place, &record, "", 3, &says, &["samples"]);
    assert!(!log.exists());
    // A copy is no other scenario to a plan that works in it.
    let copy = std::fs::read_to_string(scenario("k5d1")).expect("it is there");
    let copy = file(place, "copy.toml", copy);
    check(
        place,
        &["verify", &copy, &plan],
        "",
        0,
        &["valid: ", "made for the scenario `k5d1`"],
        &[],
    );
    let record = ["demo", "record", &copy, "--plan", &plan, "-o", "k5d1.jsonl"];
    check(place, &record, "", 0, &["recorded to"], &[]);
}

#[test]
fn nothing_is_recorded_before_the_first_order_is_good() {
    let place = "first_order";
    let tutorial = scenario("empty_tutorial");
    let log = folder(place).join("a.jsonl");
    let _ = std::fs::remove_file(&log);
    let record = ["demo", "record", &tutorial, "-o", "a.jsonl"];
    for (input, code, says) in [
        (
            "walk est\n",
            3,
            "line 1: `est` is no part of an order; did you mean `east`?",
        ),
        ("wlak east\n", 3, "did you mean `walk`?"),
        ("walk\n", 3, "the order ends too early"),
        ("", 3, "there is nothing to record: no order was given"),
        ("\n# later\n", 3, "there is nothing to record"),
        (
            "walk east facing up\n",
            3,
            "`up` is no part of an order; write",
        ),
        ("walk leap\n", 1, "nothing is recorded: line 1, `walk leap`"),
    ] {
        check(place, &record, input, code, &[says], &["recorded to"]);
        assert!(!log.exists(), "{input}");
    }
    check(place, &record, "walk east\n", 0, &["3 samples, 1 s"], &[]);
    // Nor is anything overwritten.
    let before = std::fs::read(&log).expect("a log");
    for how in ["--force", "--append"] {
        let arguments = [&record[..], &[how]].concat();
        check(place, &arguments, "hop\n", 3, &["hop"], &[]);
        check(place, &arguments, "", 3, &["nothing to record"], &[]);
        assert_eq!(std::fs::read(&log).expect("a log"), before, "{how}");
    }
}

#[test]
fn what_does_nothing_is_mentioned() {
    let place = "does_nothing";
    let vault = file(place, "vault.toml", VAULT);
    let empty = file(place, "empty.jsonl", "{\"format\":1}\n");
    let says = ["the demonstration `empty` has no samples"];
    check(
        place,
        &["plan", &vault, "--demo", &empty],
        "",
        0,
        &says,
        &[],
    );
    let says = ["--show-expanded does nothing without a picture; --svg FILE"];
    let shown = ["plan", &vault, "--show-expanded"];
    check(place, &shown, "", 0, &says, &[]);
    check(
        place,
        &[&shown[..], &["--svg", "a.svg"]].concat(),
        "",
        0,
        &[],
        &says,
    );
}

#[test]
fn what_is_no_log_is_not_called_a_broken_one() {
    let place = "no_log";
    for (name, bytes) in [
        ("picture.jsonl", &b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"[..]),
        ("zip.jsonl", b"PK\x03\x04\x14\x00\x00\x00\x00\x00\xff\xfe"),
        ("nulls.jsonl", &[0; 64]),
        ("words.jsonl", b"walk east"),
    ] {
        let path = file(place, name, bytes);
        let inspect = ["demo", "inspect", &path];
        let says = [name, "this is no demonstration log; one is text"];
        check(place, &inspect, "", 3, &says, &["record it again"]);
    }
}

#[test]
fn a_file_for_another_command_is_sent_there() {
    let place = "wrong_command";
    let vault = file(place, "vault.toml", VAULT);
    let tasks = file(place, "guard.htn", "task A() { { true; } }");
    let log = file(place, "anna.jsonl", "{\"format\":1}\n");
    let is_scenario = format!("`apprentice plan {vault}` plans it");
    for command in ["plan", "check", "fmt", "compile"] {
        // First of all: what a reader of tasks has to say about it comes after that.
        let says = [
            "error: by its name, ",
            &is_scenario,
            "\nread as a file of tasks: ",
            "errors more",
        ];
        check(place, &["htn", command, &vault], "", 3, &says, &[]);
    }
    let has_tasks = format!("`apprentice htn plan {tasks}` plans them");
    let is_log = format!("--demo {log}");
    for command in ["plan", "verify"] {
        check(place, &[command, &tasks], "", 3, &[&has_tasks], &[]);
        check(place, &[command, &log], "", 3, &[&is_log], &[]);
    }
}

/// Counts to a number, one task inside the other.
fn counting(to: u32) -> String {
    format!(
        "fluent int n;
        task Count() {{
          method enough {{ n >= {to}; ordered(); }}
          method more {{ n < {to}; ordered(Add(), Count()); }}
        }}
        task Add() {{ {{ true; n := n + 1; }} }}
        problem p {{ goal ordered(Count()); }}"
    )
}

#[test]
fn a_limit_is_named_and_can_be_raised() {
    let place = "limits";
    let path = file(place, "count.htn", counting(40));
    let plan = ["htn", "plan", &path];
    check(place, &plan, "", 0, &["40  Add()"], &[]);
    let says = [
        "more than 30 deep",
        "`--depth 300` allows more",
        "no plan was found within the limits",
    ];
    check(
        place,
        &[&plan[..], &["--depth", "30"]].concat(),
        "",
        2,
        &says,
        &["budget"],
    );
    let json = run(&["htn", "plan", &path, "--depth", "30", "--format", "json"]).json();
    assert_eq!(json["limit"], "depth");
    assert_eq!(json["status"], "limit");
    assert_eq!(json["plan"], serde_json::json!([]));
    let spent = ["--iterations", "5", "--format", "json"];
    let json = run(&[&plan[..], &spent].concat()).json();
    assert_eq!(json["status"], "budget");
    assert!(json["limit"].is_null());
    let deep = file(place, "deep.htn", counting(20_000));
    check(
        place,
        &["htn", "plan", &deep],
        "",
        2,
        &["more than 10,000 deep"],
        &["budget"],
    );
    for depth in ["100000", "0"] {
        let plan = ["htn", "plan", &deep, "--depth", depth];
        check(place, &plan, "", 0, &["20000  Add()"], &[]);
    }
}

/// A domain and a problem with a plan of one step.
const DOMAIN: &str = "(define (domain d) (:requirements :hierarchy) (:predicates (p))\n\
    (:task t :parameters ()) (:task u :parameters ())\n\
    (:method m :parameters () :task (t) :ordered-subtasks (u))\n\
    (:method n :parameters () :task (u) :ordered-subtasks (a))\n\
    (:action a :parameters () :effect (p)))";
const PROBLEM: &str = "(define (problem q) (:domain d) (:htn :ordered-subtasks (t)) (:init))";

#[test]
fn a_depth_that_makes_no_difference_is_pointed_out() {
    let place = "idle_depth";
    let (domain, problem) = (
        file(place, "domain.hddl", DOMAIN),
        file(place, "q.hddl", PROBLEM),
    );
    let plan = ["htn", "plan", &domain, &problem];
    let idle = "--depth makes no difference here";
    check(place, &plan, "", 0, &["1  a()"], &[idle]);
    let deep = [&plan[..], &["--depth", "1"]].concat();
    check(
        place,
        &deep,
        "",
        0,
        &["1  a()", idle, "--plain or --svg"],
        &[],
    );
    // There it does.
    let says = ["more than 1 deep", "`--depth 10` allows more"];
    let plain = [&deep[..], &["--plain"]].concat();
    check(place, &plain, "", 2, &says, &[idle]);
}

#[test]
fn a_file_of_another_kind_is_named_with_the_command_that_takes_it() {
    let place = "other_kinds";
    let scenario = file(place, "vault.toml", VAULT);
    let plan = file(
        place,
        "plan.json",
        run(&["plan", &scenario, "--format", "json"]).out,
    );
    let log = "{\"format\":1}\n{\"t\":0,\"x\":1,\"y\":3}\n";
    file(place, "anna.jsonl", log);
    file(
        place,
        "night.htn",
        "task A() { { true; } } problem p { goal ordered(A()); }",
    );
    file(place, "domain.hddl", DOMAIN);
    file(place, "q.hddl", PROBLEM);
    file(place, "cave.mesh", "mesh\n2\n0 0\n");
    let of_tasks = run(&[
        "htn",
        "plan",
        &file(
            place,
            "n.htn",
            "task A() { { true; } } problem p { goal ordered(A()); }",
        ),
        "--format",
        "json",
    ]);
    file(place, "tasks.json", of_tasks.out);
    for (arguments, says) in [
        (
            &["plan", "vault.toml", "--demo", "vault.toml"][..],
            &[
                "`vault.toml` is a scenario, and a demonstration is needed",
                "`apprentice plan vault.toml`",
            ][..],
        ),
        (
            &["plan", "vault.toml", "--demo", "plan.json"],
            &[
                "`plan.json` is a plan, and a demonstration is needed",
                "`apprentice verify SCENARIO plan.json`",
            ],
        ),
        (
            &["demo", "inspect", "night.htn"],
            &[
                "is a file of tasks, and a demonstration is needed",
                "`apprentice htn plan night.htn`",
            ],
        ),
        (
            &["verify", "vault.toml", "anna.jsonl"],
            &[
                "`anna.jsonl` is a demonstration, and a plan is needed",
                "`apprentice demo inspect anna.jsonl`",
                "`--demo anna.jsonl`",
            ],
        ),
        (
            &["verify", "vault.toml", "vault.toml"],
            &["`vault.toml` is a scenario, and a plan is needed"],
        ),
        (
            &["verify", "vault.toml", "tasks.json"],
            &["`tasks.json` is a plan of tasks", "`apprentice htn verify"],
        ),
        (
            &["htn", "plan", "plan.json"],
            &[
                "`plan.json` is a plan, and a file of tasks is needed",
                "`apprentice verify SCENARIO plan.json`",
            ],
        ),
        (
            &["htn", "check", "anna.jsonl"],
            &["`anna.jsonl` is a demonstration, and a file of tasks is needed"],
        ),
        (
            &["htn", "plan", "domain.hddl"],
            &[
                "`domain.hddl` is HDDL",
                "`apprentice htn plan DOMAIN PROBLEM`",
            ],
        ),
        (
            &["htn", "verify", "night.htn", "q.hddl", "plan.json"],
            &["`night.htn` is a file of tasks, and HDDL is needed"],
        ),
        (
            &["htn", "verify", "domain.hddl", "q.hddl", "plan.json"],
            &[
                "`plan.json` is no plan with its decomposition",
                "--format ipc` writes one",
            ],
        ),
        (
            &["plan", "cave.mesh"],
            &[
                "`cave.mesh` is a map, and a scenario is needed",
                "map = { file = \"cave.mesh\" }",
            ],
        ),
    ] {
        check(place, arguments, "", 3, says, &[]);
    }
    // Names are no reason to refuse what is right.
    file(place, "anna.json", log);
    check(
        place,
        &["demo", "inspect", "anna.json"],
        "",
        0,
        &[],
        &["error"],
    );
    let copy = file(
        place,
        "plan.jsonl",
        std::fs::read(&plan).expect("it is there"),
    );
    check(
        place,
        &["verify", "vault.toml", &copy],
        "",
        0,
        &["valid"],
        &[],
    );
    file(place, "vault.map", VAULT);
    check(place, &["plan", "vault.map"], "", 0, &[], &["error"]);
    file(place, "tea.json", "task A() { { true; } }");
    for command in ["check", "fmt"] {
        check(
            place,
            &["htn", command, "tea.json"],
            "",
            0,
            &[],
            &["needed"],
        );
    }
}

/// A name that misleads hides no mistake: what it tells comes first, and then what is wrong where.
#[test]
fn a_misleading_name_hides_no_mistake() {
    let place = "misleading_names";
    file(place, "vault.toml", VAULT);
    file(place, "domain.hddl", DOMAIN);
    let log = "{\"format\":1}\n{\"t\":0,\"x\":1,\"y\":3}\n{\"t\":1,\"x\":tow,\"y\":3}\n{\"t\":2,\"x\":3,\"y\":3}\n";
    file(place, "anna.json", log);
    file(place, "vault.map", VAULT.replace("goal =", "gaol ="));
    file(place, "plan.jsonl", "{\n  \"steps\": [\n    oops\n  ]\n}\n");
    file(place, "tea.json", "task A() {\n    { Nobody(); }\n}\n");
    file(place, "slip.json", "task A() {\n    { true; }\n");
    file(
        place,
        "domain.toml",
        DOMAIN.replace("(:action a", "(:actoin a"),
    );
    file(place, "q.json", PROBLEM.replace("(t)", "(v)"));
    for (arguments, name, mistake) in [
        (&["demo", "inspect", "anna.json"][..], "anna.json", ":3:"),
        (
            &["plan", "vault.toml", "--demo", "anna.json"],
            "anna.json",
            ":3:",
        ),
        (&["plan", "vault.map"], "vault.map", "gaol"),
        (
            &["verify", "vault.toml", "plan.jsonl"],
            "plan.jsonl",
            ":3:5",
        ),
        (&["htn", "check", "tea.json"], "tea.json", ":2:7"),
        (&["htn", "plan", "tea.json"], "tea.json", ":2:7"),
        (&["htn", "compile", "tea.json"], "tea.json", ":2:7"),
        (&["htn", "fmt", "slip.json"], "slip.json", ":3:1"),
        (
            &["htn", "verify", "domain.toml", "q.json", "plan"],
            "domain.toml",
            "actoin",
        ),
        (
            &["htn", "verify", "domain.hddl", "q.json", "plan"],
            "q.json",
            ":1:58: there is no task",
        ),
    ] {
        let mut command = apprentice();
        let output = given(command.current_dir(folder(place)).args(arguments), "");
        let said = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(3), "{arguments:?}\n{said}");
        let (first, rest) = said.split_once('\n').expect("more than a line");
        let by_its_name = format!("error: by its name, `{name}` is ");
        assert!(first.starts_with(&by_its_name), "{said}");
        assert!(rest.starts_with("read as "), "{said}");
        assert!(rest.contains(name) && rest.contains(mistake), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn a_picture_can_be_drawn_to_where_a_link_leads() {
    let place = "links";
    let vault = file(place, "vault.toml", VAULT);
    let link = |name: &str, to: &str| {
        let path = folder(place).join(name);
        let _ = std::fs::remove_file(&path);
        std::os::unix::fs::symlink(to, path).expect("a link can be made");
    };
    let _ = std::fs::remove_file(folder(place).join("later.svg"));
    link("first.svg", "second.svg");
    link("second.svg", "later.svg");
    let draw = ["plan", &vault, "--svg", "first.svg"];
    check(place, &draw, "", 0, &["drawn to first.svg"], &[]);
    let drawn = std::fs::read_to_string(folder(place).join("later.svg"));
    assert!(drawn.expect("it is there").starts_with("<svg"));
    link("lost.svg", "no/such/a.svg");
    let draw = ["plan", &vault, "--svg", "lost.svg"];
    let says = ["`lost.svg` cannot be written: there is no folder `no/such`"];
    check(place, &draw, "", 3, &says, &["os error"]);
    link("round.svg", "round.svg");
    let draw = ["plan", &vault, "--svg", "round.svg"];
    let says = ["its links lead in a circle"];
    check(place, &draw, "", 3, &says, &["os error"]);
}

#[test]
fn numbers_below_zero_are_numbers_that_are_not_allowed() {
    let place = "below_zero";
    let vault = file(place, "vault.toml", VAULT);
    let tasks = file(place, "night.htn", counting(1));
    for arguments in [
        &["plan", &vault, "--expansions", "-1"][..],
        &["plan", &vault, "--bound", "-2.5"],
        &["verify", &vault, "plan.json", "--ticks", "-1"],
        &["htn", "plan", &tasks, "--depth", "-1"],
        &["htn", "simplefps", "--areas", "-1"],
    ] {
        let says = [format!(
            "invalid value '{}'",
            arguments[arguments.len() - 1]
        )];
        check(place, arguments, "", 3, &[&says[0]], &["use '--"]);
    }
    let off = ["heuristic", &vault, "--kind", "path", "--at", "-1,3"];
    check(place, &off, "", 3, &["(-1, 3) is off the map"], &[]);
}

#[test]
fn a_folder_is_no_file_and_a_file_no_folder() {
    let place = "folders";
    let vault = file(place, "vault.toml", VAULT);
    let record = ["demo", "record", &vault, "-o", "."];
    check(
        place,
        &record,
        "",
        3,
        &["`.` cannot be written: it is a folder"],
        &["--force"],
    );
    let coverage = ["htn", "coverage", "nowhere"];
    check(
        place,
        &coverage,
        "",
        3,
        &["there is no such folder"],
        &["os error"],
    );
    let coverage = ["htn", "coverage", &vault];
    check(
        place,
        &coverage,
        "",
        3,
        &["it is a file; name the folder"],
        &["os error"],
    );
}

#[test]
fn without_a_plan_why_is_a_hint_and_says_everything_once() {
    let place = "why_not";
    let text = "fluent bool key; task Open() { { key; } } problem p { goal ordered(Open()); }";
    let path = file(place, "shut.htn", text);
    let hint = "`--why` says what was tried";
    check(place, &["htn", "plan", &path], "", 1, &[hint], &[]);
    let why = ["htn", "plan", &path, "--why"];
    let says = ["Open() cannot be done: line 1: key is false\n"];
    check(place, &why, "", 1, &says, &[hint, "cannot be done\n"]);
}

#[test]
fn numbers_and_names_are_as_people_write_them() {
    let place = "in_words";
    let one = file(place, "one.htn", "fluent bool a; task A() { { b; } }");
    let says = ["1 error, 0 warnings"];
    check(
        place,
        &["htn", "check", &one],
        "",
        3,
        &says,
        &["did you mean"],
    );
    let one = file(place, "one_warning.htn", "fluent bool a; task A() { { } }");
    let says = ["W043  warning", "no errors, 1 warning: 1 task, 1 function"];
    check(place, &["htn", "check", &one], "", 0, &says, &["E0"]);
    let log = file(
        place,
        "one.jsonl",
        "{\"format\":1}\n{\"t\":0,\"x\":1,\"y\":1}\n",
    );
    check(
        place,
        &["demo", "inspect", &log],
        "",
        0,
        &["one: 1 sample, 0 s"],
        &[],
    );
    check(
        place,
        &["plan", "--bound", "1e300"],
        "",
        3,
        &["this is 1e300;"],
        &["000000"],
    );
    let says = ["[default: the root of 10, about 3.16]"];
    check(
        place,
        &["demo", "lint", "--help"],
        "",
        0,
        &says,
        &["3.1622"],
    );
}

#[test]
fn there_is_one_empty_line_before_there_is_no_plan() {
    let shut = VAULT.replace("opens = [\"vault\"]", "opens = []");
    let path = file("no_plan", "shut.toml", shut);
    let says = ["The vault\n\nThere is no plan"];
    check("no_plan", &["plan", &path], "", 1, &says, &[]);
}

#[test]
fn without_a_plan_it_is_said_what_stands_in_the_way() {
    let place = "in_the_way";
    for (name, from, to, says) in [
        (
            "walls.toml",
            "\"............\",\n    \"........#",
            "\"........#...\",\n    \"........#",
            "Even with every door open, no way leads to what the goal asks for",
        ),
        (
            "doors.toml",
            "at = [10, 4]",
            "at = [10, 2]",
            "the keys and levers that can be reached open no way to the goal",
        ),
    ] {
        assert!(VAULT.contains(from), "{from}");
        let text = VAULT.replace(from, to);
        // A door is no door in a wall.
        let text = match name {
            "walls.toml" => text.replace("at = [[8, 0]]", "at = [[5, 0]]"),
            _ => text,
        };
        let path = file(place, name, text);
        for planner in ["auto", "astar"] {
            let plan = ["plan", &path, "--planner", planner];
            check(place, &plan, "", 1, &["There is no plan", says], &[]);
        }
    }
    // A guard whom nobody passes without the shield, which is gone.
    let text = std::fs::read_to_string(scenario("quest_shield")).expect("it is there");
    let without = ["events = [\"shield\"]", "needs = [\"shield\"]"];
    let text = without
        .iter()
        .fold(text, |text, line| text.replace(line, ""));
    let text = text.replace("[[shield]]\nid = \"shield\"\nat = [17, 10]\n", "");
    let path = file(place, "guard.toml", text);
    let says = ["There is no plan", "look at the enemies"];
    check(place, &["plan", &path], "", 1, &says, &["Even"]);
}

/// What the studio says first, with these programs to start.
#[cfg(target_os = "linux")]
fn studio_says(programs: &Path) -> String {
    use std::io::{BufRead, BufReader};
    let mut child = apprentice()
        .arg("studio")
        .env("PATH", programs)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut said = String::new();
    let read = BufReader::new(child.stderr.take().expect("it speaks")).read_line(&mut said);
    child.kill().expect("it was there");
    child.wait().expect("it is gone");
    read.expect("text");
    said
}

#[cfg(target_os = "linux")]
#[test]
fn the_studio_says_whether_a_browser_was_opened() {
    let none = folder("no_browser");
    assert!(studio_says(&none).contains("No browser could be started"));
    let some = folder("a_browser");
    let _ = std::os::unix::fs::symlink("/bin/true", some.join("xdg-open"));
    assert!(studio_says(&some).contains("browser was asked to open it"));
}

#[test]
fn what_nobody_can_see_in_a_name_is_seen_or_left_out() {
    let place = "invisible";
    // An order to the terminal, a space without width, and a change of direction.
    let hidden = VAULT
        .replace("The vault", "The \\u001b[31mvault\\u202e")
        .replace("\"red\"", "\"re\\u200bd\"");
    let path = file(place, "va\u{200b}ult.toml", hidden);
    let invisible = |text: &str| text.contains(['\u{1b}', '\u{200b}', '\u{202e}']);
    let ended = run(&["plan", &path, "--svg", "picture.svg"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(!invisible(&ended.out) && !invisible(&ended.err));
    assert!(ended.out.starts_with("The \\u{1b}[31mvault\\u{202e}\n"));
    assert!(ended.out.contains("re\\u{200b}d"), "{}", ended.out);
    let picture = folder("anywhere").join("picture.svg");
    let picture = std::fs::read_to_string(picture).expect("it was drawn");
    assert!(!invisible(&picture));
    // For programs, names are what they are.
    let document = run(&["plan", &path, "--format", "json"]).json();
    assert_eq!(document["scenario"], "vault");
    let steps = document["steps"].to_string();
    assert!(steps.contains("re\u{200b}d"), "{steps}");
    // Messages about mistakes come from files, too.
    let broken = file(place, "broken.toml", "format = 1\nna\u{202e}me = 3\n");
    let ended = run(&["plan", &broken]);
    assert_eq!(ended.code, 3);
    assert!(!invisible(&ended.err), "{}", ended.err);
}
