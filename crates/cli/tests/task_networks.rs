//! `apprentice htn`: what it prints, and how it ends.

use crate::command::{file, folder, run};

const WALK: &str = "type Room; instance Room a, b, c; fluent Room at := a;\n\
    constant bool way(Room x, Room y);\n\
    task Go(Room r) {\n\
      method there { at == r; ordered(); }\n\
      method step { at != r; exists (Room n) { way(at, n); ordered(Step(n), Go(r)); } }\n\
    }\n\
    task Step(Room r) { { way(at, r); at := r; } }\n";

fn problem(ways: &str) -> String {
    let init: String = ways
        .split_whitespace()
        .map(|way| format!("way({}) := true; ", way.replace('-', ", ")))
        .collect();
    format!("{WALK}problem p {{ init {{ {init} }} goal ordered(Go(c)); }}\n")
}

#[test]
fn plans_have_their_exit_codes_and_their_json() {
    let found = file("htn", "found.htn", problem("a-b b-a b-c a-c"));
    let ended = run(&["htn", "plan", &found, "--best", "--format", "json"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let json = ended.json();
    assert_eq!(json["status"], "found");
    assert_eq!(json["cost"], 1.0);
    assert_eq!(json["plan"], serde_json::json!([["Step", "c"]]));
    let improvements = json["improvements"].as_array().expect("a list");
    assert_eq!(improvements.len(), 2);
    assert_eq!(improvements[0]["cost"], 2.0);
    assert!(json["iterations"].as_u64() >= improvements[1]["iterations"].as_u64());
    assert!(json["time_us"].is_u64());

    let impossible = file("htn", "impossible.htn", problem("a-b b-a"));
    let ended = run(&["htn", "plan", &impossible, "--format", "json"]);
    assert_eq!(
        (ended.code, &ended.json()["status"]),
        (1, &"impossible".into())
    );
    assert_eq!(run(&["htn", "plan", &impossible, "--plain"]).code, 1);
    let ended = run(&["htn", "plan", &impossible, "--why"]);
    assert!(ended.out.contains("`there` refused"), "{}", ended.out);

    let ended = run(&[
        "htn",
        "plan",
        &found,
        "--iterations",
        "2",
        "--format",
        "json",
    ]);
    assert_eq!((ended.code, &ended.json()["status"]), (2, &"budget".into()));
    assert_eq!(ended.json()["iterations"], 2);
}

#[test]
fn the_competition_format_has_the_decomposition() {
    let found = file("htn", "ipc.htn", problem("a-b b-c"));
    let ended = run(&["htn", "plan", &found, "--format", "ipc"]);
    assert_eq!(
        ended.out,
        "==>\n0 Step b\n1 Step c\nroot 2\n2 Go c -> step 0 3\n3 Go c -> step 1 4\n4 Go c -> there\n<==\n"
    );
}

#[test]
fn a_goal_can_be_given_on_the_command_line() {
    let domain = file(
        "htn",
        "domain.htn",
        format!("{WALK}init {{ way(a, b) := true; }}"),
    );
    let ended = run(&["htn", "plan", &domain, "unordered(Go(b), Step(c))"]);
    assert_eq!(ended.code, 1, "{}", ended.err);
    let ended = run(&["htn", "plan", &domain, "ordered(Go(b))"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(ended.out.contains("Step(b)"));
    assert_eq!(run(&["htn", "plan", &domain]).code, 3);
    assert_eq!(run(&["htn", "plan", &domain, "ordered(Fly(b))"]).code, 3);
}

#[test]
fn bad_files_are_bad_input() {
    let broken = file("htn", "broken.htn", "task A( { }");
    for arguments in [
        vec!["htn", "check", &broken],
        vec!["htn", "plan", &broken],
        vec!["htn", "fmt", &broken],
        vec!["htn", "compile", &broken],
        vec!["htn", "check", "nowhere.htn"],
    ] {
        let ended = run(&arguments);
        assert_eq!((ended.code, ended.out.as_str()), (3, ""), "{arguments:?}");
        assert!(!ended.err.contains("panicked"), "{}", ended.err);
    }
    let fault = "fluent int i; task A() { { i == 1 / i; } } problem p { goal ordered(A()); }";
    let ended = run(&["htn", "plan", &file("htn", "fault.htn", fault)]);
    assert_eq!(ended.code, 3);
    assert!(
        ended.err.contains("fault.htn:1:33  division by zero"),
        "{}",
        ended.err
    );
}

#[test]
fn files_are_formatted_and_compiled() {
    let path = file("htn", "layout.htn", "task A(){{true;}} // done");
    assert_eq!(run(&["htn", "fmt", &path, "--write"]).code, 0);
    let ended = run(&["htn", "fmt", &path]);
    assert_eq!(ended.out, "task A() {\n  {\n    true;\n  }\n} // done\n");
    assert_eq!(
        ended.out,
        std::fs::read_to_string(&path).expect("it is there")
    );

    let rust = folder("htn").join("layout.rs");
    let ended = run(&["htn", "compile", &path, "-o", rust.to_str().expect("text")]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let text = std::fs::read_to_string(rust).expect("it was written");
    assert!(text.contains("pub struct Layout"), "{text}");
}

#[test]
fn included_files_are_found_beside_the_file() {
    file("htn", "walk_rules.htn", WALK);
    let main = "include \"walk_rules.htn\"; problem p { init { way(a, b) := true; } goal ordered(Go(b)); }";
    let ended = run(&["htn", "plan", &file("htn", "walk_main.htn", main)]);
    assert_eq!(ended.code, 0, "{}", ended.err);
}
