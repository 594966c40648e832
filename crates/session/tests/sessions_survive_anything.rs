//! Whatever a line says, there is one answer, it is a line, and the session goes on.

use std::time::Duration;

use apprentice_session::{Clock, Session};
use proptest::prelude::*;
use serde_json::{Value, json};

const CLOCK: Clock<'static> = &|| Duration::ZERO;

const HALL: &str = r#"
    format = 1
    start = [0, 1]
    goal = { within = { at = [8, 1], radius = 0.0 } }
    map = { rows = ["....#....", ".........", "....#....", "........."] }
    door = [{ id = "gate", at = [[4, 1]], open = true }]
    key = [{ id = "red", at = [2, 0], opens = ["gate"] }]
    lever = [{ id = "winch", at = [0, 3], opens = ["gate"] }]
    enemy = [{ id = "grey", kind = "wolf", at = [8, 3] }]
"#;

fn ask(session: &mut Session<'_>, question: &Value) -> Value {
    let answer = session.answer(&question.to_string());
    assert!(!answer.contains('\n'), "{answer}");
    serde_json::from_str(&answer).expect("a document")
}

fn with_hall() -> Session<'static> {
    let mut session = Session::new(CLOCK);
    let answer = ask(
        &mut session,
        &json!({"do": "level", "level": "hall", "text": HALL}),
    );
    assert_eq!(answer["is"], "level", "{answer}");
    session
}

#[track_caller]
fn check(question: &Value, code: &str, said: &str) {
    let mut session = with_hall();
    let anna = json!({"do": "character", "level": "hall", "character": "anna"});
    assert_eq!(ask(&mut session, &anna)["is"], "done");
    let before = ask(
        &mut session,
        &json!({"do": "tick", "level": "hall", "units": 5000}),
    );
    let answer = ask(&mut session, question);
    assert_eq!(
        (&answer["is"], &answer["code"]),
        (&json!("error"), &json!(code)),
        "{answer}"
    );
    let message = answer["message"].as_str().expect("words");
    assert!(message.contains(said), "{message}");
    // Nothing has changed by what was refused.
    let after = ask(
        &mut session,
        &json!({"do": "tick", "level": "hall", "units": 5000}),
    );
    assert_eq!(before["orders"], after["orders"]);
}

#[test]
fn what_is_wrong_is_said() {
    let tick = |seen: Value| json!({"do": "tick", "level": "hall", "seconds": 1.0, "seen": [seen]});
    for (question, code, said) in [
        (json!([]), "not_understood", "missing field `do`"),
        (
            json!({"do": "fly"}),
            "not_understood",
            "unknown variant `fly`",
        ),
        (
            json!({"do": "tick"}),
            "not_understood",
            "missing field `level`",
        ),
        (
            json!({"do": "tick", "level": "hall", "second": 1}),
            "not_understood",
            "unknown field `second`",
        ),
        (
            json!({"do": "tick", "level": "hal"}),
            "no_such",
            "did you mean `hall`?",
        ),
        (
            json!({"do": "tick", "level": "hall", "seconds": -1}),
            "bad_value",
            "from 0 to 60",
        ),
        (
            json!({"do": "tick", "level": "hall", "seconds": 1e300}),
            "bad_value",
            "from 0 to 60",
        ),
        (
            tick(json!({"by": "ann"})),
            "no_such",
            "did you mean `anna`?",
        ),
        (
            tick(json!({"door": {"id": "gat", "open": false}})),
            "no_such",
            "did you mean `gate`?",
        ),
        (
            tick(json!({"item": {"id": "gate", "lies": false}})),
            "no_such",
            "no item `gate`",
        ),
        (
            tick(json!({"lever": {"id": "x", "pulled": true}})),
            "no_such",
            "there is `winch`",
        ),
        (
            tick(json!({"agent": {"id": "grey", "at": [1]}})),
            "bad_value",
            "two coordinates",
        ),
        (
            tick(json!({"agent": {"at": [1e300, 0]}})),
            "bad_value",
            "nowhere",
        ),
        (
            tick(json!({"agent": {"at": [99, 99]}})),
            "bad_value",
            "nobody can stand near",
        ),
        (
            tick(json!({"agent": {"holding": ["blue"]}})),
            "no_such",
            "no item `blue`",
        ),
        (
            json!({"do": "level", "level": "hall", "text": "format = 1\nstrat = [0, 0]"}),
            "bad_file",
            "strat",
        ),
        (
            json!({"do": "level", "text": HALL}),
            "not_understood",
            "add `level`",
        ),
        (
            json!({"do": "level", "level": "hall"}),
            "not_understood",
            "`text`, or as a `path`",
        ),
        (
            json!({"do": "level", "path": "nowhere.toml"}),
            "bad_file",
            "cannot be read",
        ),
        (
            json!({"do": "show", "level": "hall", "name": "x"}),
            "not_understood",
            "`log`, or `points`",
        ),
        (
            json!({"do": "show", "level": "hall", "name": "x", "points": []}),
            "bad_value",
            "has points",
        ),
        (
            json!({"do": "show", "level": "hall", "name": "x", "log": "{}"}),
            "bad_file",
            "the log",
        ),
        (
            json!({"do": "plan", "level": "hall", "ask": {"settings": {"planner": "aut"}}}),
            "bad_settings",
            "did you mean `auto`?",
        ),
        (
            json!({"do": "plan", "level": "hall", "ask": {"settings": {"bound": 0.5}}}),
            "bad_settings",
            "`bound`",
        ),
        (
            json!({"do": "plan", "level": "hall", "ask": {"settings": {"events": ["rod"]}}}),
            "bad_settings",
            "rod",
        ),
        (
            json!({"do": "plan", "level": "hall", "ask": {"branching": 17}}),
            "bad_settings",
            "16, 32 or 256 successors",
        ),
        (
            json!({"do": "plan", "level": "hall", "ask": {"agent": "bob"}}),
            "no_such",
            "bob",
        ),
        (
            json!({"do": "verify", "level": "hall", "plan": {}}),
            "bad_file",
            "no plan",
        ),
        (
            json!({"do": "character", "level": "hall", "character": "anna"}),
            "bad_value",
            "already",
        ),
        (
            json!({"do": "character", "level": "hall", "character": "b", "as": {"goal": {"holds": "gold"}}}),
            "no_such",
            "no item `gold`",
        ),
        (
            json!({"do": "character", "level": "hall", "character": "b", "as": {"tick": 1e9}}),
            "bad_value",
            "`tick`",
        ),
        (
            json!({"do": "pursue", "level": "hall", "character": "anna", "goal": {"within": {"at": [40, 40]}}}),
            "bad_value",
            "larger radius",
        ),
        (
            json!({"do": "ahead", "level": "hall", "character": "bob"}),
            "no_such",
            "`anna`",
        ),
        (
            json!({"do": "tasks", "tasks": "day", "texts": ["task A( {"]}),
            "bad_file",
            "E0",
        ),
        (
            json!({"do": "plan_tasks", "tasks": "day"}),
            "no_such",
            "nor any other",
        ),
        (
            json!({"do": "forget", "level": "hull"}),
            "no_such",
            "did you mean `hall`?",
        ),
    ] {
        check(&question, code, said);
    }
}

#[test]
fn what_is_no_json_is_answered_and_numbers_come_back() {
    let mut session = Session::new(CLOCK);
    for line in [
        "",
        "hello",
        "{",
        "{\"do\":\"tick\"",
        "\u{0}",
        "nul",
        "[[[[",
        "\"x",
    ] {
        let answer: Value = serde_json::from_str(&session.answer(line)).expect("a document");
        assert_eq!(answer["code"], "not_json", "{line}");
    }
    let deep = "[".repeat(100_000);
    assert!(session.answer(&deep).contains("not_json"));
    for n in [json!(7), json!("seven"), json!({"seven": [7]}), json!(null)] {
        let answer = ask(&mut session, &json!({"n": n, "do": "forget", "level": "x"}));
        assert_eq!(answer["n"], n);
    }
    assert!(
        ask(&mut session, &json!({"do": "forget", "level": "x"}))
            .get("n")
            .is_none()
    );
}

#[test]
fn tasks_are_planned() {
    let mut session = Session::new(CLOCK);
    let text = "task Nap() { { true; } }";
    let read = ask(
        &mut session,
        &json!({"do": "tasks", "tasks": "day", "texts": [text]}),
    );
    assert_eq!(read["is"], "tasks", "{read}");
    let none = ask(&mut session, &json!({"do": "plan_tasks", "tasks": "day"}));
    assert_eq!(none["code"], "bad_value", "{none}");
    let question =
        json!({"do": "plan_tasks", "tasks": "day", "ask": {"goal": "ordered(Nap(), Nap())"}});
    let found = ask(&mut session, &question);
    assert_eq!(found["plan"]["plan"], json!([["Nap"], ["Nap"]]), "{found}");
}

/// A question, or nearly one.
fn question() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec![
        "hall", "anna", "bob", "gate", "red", "winch", "grey", "npc", "",
    ]);
    let number = prop_oneof![
        Just(0.0),
        Just(-1.0),
        Just(0.016),
        Just(1.0),
        Just(61.0),
        -10.0..10.0,
        Just(1e308)
    ];
    let leaf = prop_oneof![
        name.prop_map(|it| json!(it)),
        number.prop_map(|it| json!(it)),
        any::<bool>().prop_map(|it| json!(it)),
        prop::collection::vec(-2.0..10.0f64, 0..4).prop_map(|it| json!(it)),
        Just(Value::Null),
    ];
    let key = prop::sample::select(vec![
        "level",
        "character",
        "seconds",
        "units",
        "seen",
        "as",
        "goal",
        "ask",
        "by",
        "agent",
        "door",
        "item",
        "lever",
        "id",
        "open",
        "lies",
        "pulled",
        "at",
        "health",
        "holding",
        "within",
        "radius",
        "points",
        "name",
        "settings",
        "planner",
        "expansions",
        "plan",
        "changes",
        "n",
    ]);
    let object = move |inner: BoxedStrategy<Value>| {
        let pairs = prop::collection::vec((key.clone(), inner), 0..5);
        pairs.prop_map(|pairs| {
            Value::Object(
                pairs
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect(),
            )
        })
    };
    let value = leaf.prop_recursive(3, 24, 5, move |inner| {
        prop_oneof![
            2 => object(inner.clone().boxed()),
            1 => prop::collection::vec(inner, 0..3).prop_map(Value::Array),
        ]
    });
    let word = prop::sample::select(vec![
        "tick",
        "tick",
        "character",
        "pursue",
        "dismiss",
        "ahead",
        "show",
        "verify",
        "forget",
        "fly",
    ]);
    (word, value).prop_map(|(word, mut value)| {
        if let Some(fields) = value.as_object_mut() {
            fields.insert("do".to_owned(), json!(word));
            fields.entry("level").or_insert(json!("hall"));
            fields.entry("character").or_insert(json!("anna"));
            if word == "tick" {
                fields.remove("character");
                fields.insert("units".to_owned(), json!(300));
            }
        }
        value
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_line_has_its_answer_and_the_same_lines_the_same(questions in prop::collection::vec(question(), 1..20)) {
        let mut told = Vec::new();
        for _ in 0..2 {
            let mut session = with_hall();
            let anna = json!({"do": "character", "level": "hall", "character": "anna"});
            ask(&mut session, &anna);
            let mut answers = Vec::new();
            for question in &questions {
                let answer = ask(&mut session, question);
                prop_assert_ne!(&answer["code"], "bug", "{} {}", question, answer);
                if let Some(units) = answer["spent"]["units"].as_u64() {
                    prop_assert!(units <= 300);
                }
                answers.push(answer);
            }
            told.push(answers);
        }
        prop_assert_eq!(&told[0], &told[1]);
    }
}
