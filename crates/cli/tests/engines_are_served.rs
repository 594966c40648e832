//! `apprentice serve --stdio`: one answer a line, the same plans as `apprentice plan`, and nothing that
//! is said ends the session but its end.

use serde_json::{Value, json};

use crate::command::{Ended, file, run, scenario};

/// The answers to some questions, and what was said besides.
fn serve(questions: &[Value]) -> Vec<Value> {
    let lines: String = questions.iter().map(|it| format!("{it}\n")).collect();
    let ended = Ended::of_input(&["serve", "--stdio"], &lines);
    assert_eq!((ended.code, &*ended.err), (0, ""));
    let answers = ended.out.lines();
    let answers: Vec<Value> = answers
        .map(|line| serde_json::from_str(line).expect("a document"))
        .collect();
    assert_eq!(answers.len(), questions.len(), "one answer a line");
    answers
}

fn without_clocks(mut document: Value) -> Value {
    for field in ["time_ms", "preparation_ms", "time_us"] {
        if let Some(fields) = document.as_object_mut() {
            fields.remove(field);
        }
    }
    document
}

#[test]
fn plans_are_those_of_the_command_line() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let entries = std::fs::read_dir(folder).expect("there are scenarios");
    let paths = entries.map(|entry| entry.expect("a file").path());
    let mut names: Vec<String> = paths
        .filter(|path| path.extension().is_some_and(|it| it == "toml"))
        .map(|path| {
            path.file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    let mut questions = Vec::new();
    for name in &names {
        questions.push(json!({"do": "level", "path": scenario(name)}));
        let ask = json!({"expansions": 200_000, "explain": true});
        questions.push(json!({"do": "plan", "level": name, "ask": ask}));
    }
    let answers = serve(&questions);
    let mut verified = Vec::new();
    for (name, answer) in names.iter().zip(answers.iter().skip(1).step_by(2)) {
        let words = [
            "plan",
            &scenario(name),
            "--explain",
            "--expansions",
            "200000",
            "--format",
            "json",
        ];
        let said = without_clocks(run(&words).json());
        let served = without_clocks(answer["plan"].clone());
        assert_eq!(served, said, "{name}");
        verified.push(json!({"do": "level", "path": scenario(name)}));
        verified.push(json!({"do": "verify", "level": name, "plan": answer["plan"]}));
    }
    assert!(names.len() > 10);
    for (name, verdict) in names.iter().zip(serve(&verified).iter().skip(1).step_by(2)) {
        assert_eq!(verdict["is"], "verdict", "{name}: {verdict}");
    }
}

#[test]
fn bad_lines_are_answered_and_the_session_goes_on() {
    let level = json!({"do": "level", "path": scenario("quest_key")}).to_string();
    let mut input = Vec::new();
    for line in [
        &b"hello"[..],
        b"",
        b"  \t ",
        b"\xff\xfe",
        b"{\"do\":\"dance\"}",
        level.as_bytes(),
        b"{\"n\":1,\"do\":\"plan\",\"level\":\"quest_key\"}",
    ] {
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    // A last line without its end is a line, too.
    input.extend_from_slice(b"{\"n\":2,\"do\":\"forget\",\"level\":\"quest_key\"}");
    let ended = Ended::of_input(&["serve", "--stdio"], &input);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let answers: Vec<Value> = (ended.out.lines())
        .map(|line| serde_json::from_str(line).expect("a document"))
        .collect();
    let kinds: Vec<&str> = answers
        .iter()
        .map(|it| it["is"].as_str().expect("a word"))
        .collect();
    assert_eq!(kinds, ["error", "error", "error", "level", "plan", "done"]);
    assert_eq!((&answers[4]["n"], &answers[5]["n"]), (&json!(1), &json!(2)));
}

#[test]
fn the_same_game_is_the_same_twice_and_no_budget_is_exceeded() {
    let hall = "format = 1\nstart = [0, 1]\ngoal = { within = { at = [8, 1], radius = 0.0 } }\n\
                map = { rows = [\"....#....\", \".........\", \"....#....\", \".........\"] }\n\
                door = [{ id = \"gate\", at = [[4, 1]], open = true }]";
    let mut questions = vec![json!({"do": "level", "level": "hall", "text": hall})];
    for number in 0..20 {
        let at = json!([number % 4, number / 5]);
        let recruit = json!({"at": at, "importance": 1 + number % 3});
        let name = format!("guest {number}");
        questions
            .push(json!({"do": "character", "level": "hall", "character": name, "as": recruit}));
    }
    for tick in 0..400 {
        let seen = match tick {
            60 => json!([{"door": {"id": "gate", "open": false}}]),
            _ => json!([]),
        };
        questions.push(json!({
            "do": "tick", "level": "hall", "seconds": 0.05, "units": 40, "seen": seen,
        }));
    }
    let answers = serve(&questions);
    assert_eq!(answers, serve(&questions));
    let ticks = &answers[21..];
    assert!(ticks.iter().all(|it| {
        it["spent"]["units"]
            .as_u64()
            .is_some_and(|units| units <= 40)
    }));
    let last = ticks.last().expect("there are ticks")["orders"]
        .as_array()
        .expect("orders");
    assert_eq!(last.len(), 20);
    assert!(last.iter().all(|it| it["doing"] == "done"), "{last:?}");
    let heard = |why: &str| {
        ticks
            .iter()
            .any(|it| it["orders"].to_string().contains(why))
    };
    assert!(heard("`gate` is shut"));
}

#[test]
fn what_is_written_for_tasks_is_planned_as_on_the_command_line() {
    let text = "task Nap() { { true; } } problem p { goal ordered(Nap(), Nap()); }";
    let path = file("served_tasks", "nap.htn", text);
    let said = without_clocks(run(&["htn", "plan", &path, "--format", "json"]).json());
    let answers = serve(&[
        json!({"do": "tasks", "tasks": "nap", "texts": [text]}),
        json!({"do": "plan_tasks", "tasks": "nap"}),
    ]);
    let mut plan = without_clocks(answers[1]["plan"].clone());
    let mut said = said;
    for document in [&mut plan, &mut said] {
        for one in document["improvements"].as_array_mut().expect("a list") {
            *one = without_clocks(one.clone());
        }
    }
    assert_eq!(plan, said);
}

#[test]
fn whoever_says_nothing_about_how_is_told() {
    let ended = run(&["serve"]);
    assert_eq!(ended.code, 3);
    assert!(ended.err.contains("--stdio"), "{}", ended.err);
}
