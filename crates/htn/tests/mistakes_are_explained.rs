//! Every mistake a designer can make has its code, its place and a hint.

use apprentice_htn::language::{read, read_files};
use apprentice_htn::{LoadedDomain, Planner};
use apprentice_search::{Budget, Status};

/// Declarations that most cases build on.
const BASE: &str = "type Room, Thing; type Key < Thing;\n\
    instance Room hall, cellar; instance Key red;\n\
    fluent Room at := hall; fluent Thing? hand; fluent bool open(Room r); fluent int coins;\n\
    constant float far(Room a, Room b); external float noise(Room r);\n\
    task Go(Room r) { { at := r; } }\n";

/// The case must give the code at a line and column of the text that follows [`BASE`], with these
/// words in the message or hint.
#[track_caller]
fn check(text: &str, code: &str, at: &str, words: &str) {
    let reading = read("case.htn", &format!("{BASE}{text}"));
    let report = reading.report();
    let base_lines = BASE.lines().count();
    let (line, column) = at.split_once(':').expect("line:column");
    let line: usize = line.parse().expect("a number");
    let place = format!("case.htn:{}:{column}  {code}", base_lines + line);
    assert!(report.contains(&place), "no `{place}` in:\n{report}");
    assert!(report.contains(words), "no `{words}` in:\n{report}");
}

#[test]
fn what_cannot_be_read() {
    check("task A( { }", "E001", "1:9", "expected");
    check(
        "task A() { { open(hall) } }",
        "E001",
        "1:23",
        "a `;` is missing",
    );
    check(
        "task A() { { open(hall); }",
        "E001",
        "1:27",
        "the file ends here",
    );
    check("task A() { { § } }", "E001", "1:14", "means nothing here");
    check("/* never closed", "E002", "1:1", "has no end");
    check("include \"rooms.htn;", "E002", "1:9", "close it");
    check(
        "task task() { { true; } }",
        "E001",
        "1:6",
        "word of the language",
    );
    check("task A() { { coins == 1 == 2; } }", "E001", "1:25", "");
}

/// All that is said about a text that follows [`BASE`].
fn said(text: &str) -> String {
    read("case.htn", &format!("{BASE}{text}")).report()
}

#[test]
fn common_slips_are_explained_once() {
    check(
        "task A() { { coins = 3; } }",
        "E001",
        "1:20",
        "write `==` to compare, or `:=` to give a value",
    );
    check(
        "task A() { coins := 3; }",
        "E001",
        "1:12",
        "stands in braces of its own: `{ { … } }`",
    );
    check(
        "task A() { methd m { ordered(); } }",
        "E001",
        "1:12",
        "did you mean `method`?",
    );
    check(
        "task A() { method m { if (open(hall)) { ordered(); } } }",
        "E001",
        "1:39",
        "a condition stands by itself",
    );
    check(
        "task A() { method m { ordered(Go(hall), B); } } task B() { { true; } }",
        "E001",
        "1:41",
        "write `B()`",
    );
    check(
        "task A() { method m { ordered(B(hand)); } } task B(Key k) { { hand == k; } }",
        "E020",
        "1:33",
        "",
    );
    check(
        "task A() { method m { ordered(B(hand)); } } task B(Thing k) { { hand == k; } }",
        "E020",
        "1:33",
        "bind it first: `first (Thing x) { x == …; … }`",
    );
    // Where it compares, it is no slip.
    check(
        "init { coins == 4; }",
        "E001",
        "1:8",
        "only a state variable",
    );
    for slip in [
        "task A() { { coins = 3; } }",
        "task A() { method m { coins = 3; ordered(Go(hall)); } }",
        "task A() { method m { ordered(Go(hall), B); } } task B() { { true; } }",
        "task A() { { coins := 3 } }",
        "fluent int steps = 3;",
        "constant int rooms(Room r) = 3;",
        "init { coins = 4; }",
        "init { forall (Room r) { open(r) = true; } }",
        "task A() { cost = 2; { true; } }",
        "problem p { init { coins = 4; } goal ordered(Go(hall)); }",
    ] {
        let said = said(slip);
        assert_eq!(said.matches("case.htn:").count(), 1, "{said}");
    }
}

#[test]
fn a_missing_semicolon_hides_no_other_mistake() {
    let said = said("fluent bool dark\ntask A() { { drk } }\ntask B() { { opn(hall); } }");
    assert_eq!(said.matches("a `;` is missing").count(), 2, "{said}");
    assert!(said.contains("did you mean `dark`?"), "{said}");
    assert!(said.contains("did you mean `open`?"), "{said}");
    assert_eq!(said.matches("case.htn:").count(), 4, "{said}");
}

#[test]
fn an_equals_sign_alone_hides_no_other_mistake() {
    let text = "fluent int steps = many; init { coins = 1.5; }\n\
                task A() { cost = at; { coins = 3; opn(hall); } }";
    let said = said(text);
    assert_eq!(said.matches("`=` alone").count(), 4, "{said}");
    for mistake in ["called `many`", "called `opn`", "E020", "E023"] {
        assert!(said.contains(mistake), "no {mistake} in {said}");
    }
    assert_eq!(said.matches("case.htn:").count(), 8, "{said}");
}

#[test]
fn what_could_not_be_read_brings_no_echo() {
    // Nobody knows what `dark` was going to be.
    let said = said("fluent bol? ! dark; task A() { { dark } }");
    assert!(!said.contains("E011"), "{said}");
}

#[test]
fn names_and_types() {
    check(
        "instance Rom attic;",
        "E010",
        "1:10",
        "did you mean `Room`?",
    );
    check(
        "task A() { { opn(hall); } }",
        "E011",
        "1:14",
        "did you mean `open`?",
    );
    check("type Room;", "E012", "1:6", "the first is at case.htn:1:6");
    check("type A < B; type B < A;", "E013", "1:6", "kind of itself");
    check(
        "task A() { { at := red; } }",
        "E020",
        "1:20",
        "expected `Room`, found `Key`",
    );
    check(
        "task A() { { coins := 1.5; } }",
        "E020",
        "1:23",
        "expected a whole number",
    );
    check("task A() { { at := none; } }", "E020", "1:20", "write `?`");
    check("task A() { { open(); } }", "E021", "1:14", "one parameter");
    check("task A() { { coins; } }", "E022", "1:14", "true or false");
    check(
        "task A() { cost := at; { true; } }",
        "E023",
        "1:20",
        "a cost must be a number",
    );
    check(
        "task A() { method m { sort-by (Room r; r; <) { open(r); ordered(); } } }",
        "E023",
        "1:40",
        "sort key",
    );
    check(
        "task A() { { at == red; } }",
        "E024",
        "1:14",
        "cannot be compared",
    );
    check("task A() { { at == none; } }", "E024", "1:14", "never none");
    check(
        "fluent int steps(int i);",
        "E080",
        "1:18",
        "number as its argument",
    );
    check(
        "task A() { method m { exists (int i) { i > 3; ordered(); } } }",
        "E080",
        "1:31",
        "endlessly many",
    );
}

#[test]
fn what_tasks_must_not_do() {
    check(
        "task A() { { far(hall, cellar) := 2; } }",
        "E030",
        "1:14",
        "is a constant",
    );
    check(
        "task A(Room r) { { r := hall; } }",
        "E031",
        "1:20",
        "not of the state",
    );
    check(
        "task A() { { noise(hall) := 2; } }",
        "E031",
        "1:14",
        "belongs to the game",
    );
    check(
        "task A() { { at := hall; at := cellar; } }",
        "E032",
        "1:26",
        "gets two values",
    );
    check(
        "task A() { { at == hall :-> hall; } }",
        "W033",
        "1:14",
        "the same",
    );
    check(
        "task A() { { at := hall; } method m { ordered(); } }",
        "E040",
        "1:28",
        "by itself and by other tasks",
    );
    check("task A() { }", "E041", "1:12", "has no method");
    check(
        "task A() { method m { open(hall); } }",
        "E042",
        "1:35",
        "what to do",
    );
    check("task A() { { } }", "W043", "1:6", "changes nothing");
    check(
        "task A() { method m { ordered(Og(hall)); } }",
        "E044",
        "1:31",
        "did you mean `Go`?",
    );
    check(
        "task A() { method m { ordered(Go()); } }",
        "E044",
        "1:31",
        "one parameter",
    );
    check(
        "task A(Room r) { method m { exists (Room r) { open(r); ordered(); } } }",
        "E050",
        "1:42",
        "another name",
    );
    check(
        "task A() { method m { exists (Room r) { ordered(); } } }",
        "W051",
        "1:36",
        "never used",
    );
    check(
        "task A() { method m { branch { ordered(); } branch { ordered(Go(hall)); } } }",
        "W052",
        "1:45",
        "else-if",
    );
    check(
        "task A() { method m { ordered(A()); } }",
        "W071",
        "1:1",
        "never comes to an end",
    );
    check(
        "task A() { method { ordered(); } }",
        "W045",
        "1:12",
        "no name",
    );
}

#[test]
fn what_problems_must_say() {
    check(
        "fluent Room home; problem p { goal ordered(Go(hall)); }",
        "E060",
        "1:27",
        "`home` has no value",
    );
    check(
        "problem p { goal ordered(Go(hall)); } task Unused() { { open(hall); } }",
        "W070",
        "1:39",
        "never leads to `Unused`",
    );
    check(
        "problem p { goal ordered(Go(hal)); }",
        "E011",
        "1:29",
        "did you mean `hall`?",
    );
    check("problem p { }", "E042", "1:9", "has no goal");
}

#[test]
fn files_include_each_other_once() {
    let find = |name: &str| match name {
        "maps/rooms.htn" => Some("include \"doors.htn\"; type Room;".to_owned()),
        "maps/doors.htn" => Some("type Door; include \"../again.htn\";".to_owned()),
        "again.htn" => Some("include \"maps/rooms.htn\";".to_owned()),
        _ => None,
    };
    let good = |name: &str| find(name).map(|text| text.replace("include \"../again.htn\";", ""));
    let twice =
        "include \"maps/rooms.htn\"; include \"maps/doors.htn\"; instance Room a; instance Door b;";
    let reading = read_files(&[("main.htn", twice)], &good);
    assert!(!reading.has_errors(), "{}", reading.report());

    let reading = read_files(&[("main.htn", "include \"maps/rooms.htn\";")], &find);
    assert!(
        reading.report().contains("again.htn:1:9  E014"),
        "{}",
        reading.report()
    );
    let reading = read_files(&[("main.htn", "include \"nowhere.htn\";")], &find);
    assert!(
        reading.report().contains("main.htn:1:9  E014"),
        "{}",
        reading.report()
    );
}

#[test]
fn at_most_twenty_errors_are_reported() {
    let text: String = (0..50)
        .map(|i| format!("task A{i}() {{ {{ nothing{i}; }} }}\n"))
        .collect();
    assert_eq!(read("many.htn", &text).diagnostics.len(), 20);
    let text = "task ; ".repeat(1000);
    assert!(read("many.htn", &text).diagnostics.len() <= 20);
}

#[test]
fn the_parser_recovers_at_the_next_statement() {
    let text = format!(
        "{BASE}task A() {{ {{ open(; coins == 1 1; open(hall); }} }}\ntask B() {{ {{ open(hall }} }}"
    );
    let codes: Vec<_> = read("case.htn", &text)
        .diagnostics
        .iter()
        .map(|one| one.code)
        .collect();
    assert_eq!(codes, ["E001", "E001", "E001"]);
}

#[test]
fn deep_and_large_texts_are_refused_or_read() {
    for (open, close) in [
        ("(", ")"),
        ("not ", ""),
        ("-", ""),
        ("if true then ", ""),
        ("exists (Room r) (", ")"),
        ("min(", ")"),
    ] {
        let text = format!(
            "{BASE}task A() {{ {{ {}true{}; }} }}",
            open.repeat(100_000),
            close.repeat(100_000)
        );
        assert!(read("deep.htn", &text).has_errors());
    }
    for word in [
        "ordered(",
        "unordered(",
        "exists (Room r) { ",
        "{ ",
        "method m { branch { ",
    ] {
        let text = format!("{BASE}task A() {{ method m {{ {}", word.repeat(100_000));
        assert!(read("deep.htn", &text).has_errors());
    }
    for chain in [
        "coins == 1 or ",
        "coins == 1 and ",
        "1 + ",
        "1 * ",
        "true implies ",
    ] {
        let text = format!(
            "{BASE}task A() {{ {{ {}coins == 1; }} }}",
            chain.repeat(100_000)
        );
        assert!(read("long.htn", &text).has_errors());
    }
    let conditions = "open(hall);\n".repeat(900_000);
    let large = format!("{BASE}task A() {{ {{ {conditions} }} }}");
    assert!(large.len() > 10_000_000);
    assert!(!read("large.htn", &large).has_errors());
}

#[test]
fn faults_while_planning_name_their_place() {
    for (task, words) in [
        (
            "{ coins == 1 / (coins - coins); at := hall; }",
            "division by zero",
        ),
        ("{ coins := 9223372036854775807 + coins + 1; }", "too large"),
        ("cost := 0 - 1; { at := hall; }", "cost of A() is -1"),
        ("{ heavy(hand); at := hall; }", "applied to none"),
        (
            "{ when (coins == 0) { at := hall; } when (not open(hall)) { at := cellar; } }",
            "different values",
        ),
    ] {
        let base = BASE.replace("external float noise(Room r);", "");
        let text = format!(
            "{base}fluent bool heavy(Thing t);\ntask A() {{ {task} }}\nproblem p {{ goal ordered(A()); }}"
        );
        let reading = read("fault.htn", &text);
        assert!(!reading.has_errors(), "{}", reading.report());
        let domain = LoadedDomain::new(reading.model.expect("no errors")).expect("it loads");
        let mut planner = Planner::new(domain.initial_state(), domain.goal());
        assert_eq!(
            planner.run(&domain, &mut Budget::unlimited()),
            Status::GaveUp
        );
        let fault = planner.fault().expect("there is one");
        assert!(fault.message.contains(words), "{fault}");
        let place = domain
            .model()
            .place(fault.span.expect("it has a place"))
            .expect("in the file");
        assert_eq!(place.line, 7, "{task}");
    }
}

#[test]
fn externals_must_be_registered() {
    let text = format!(
        "{BASE}task A() {{ {{ noise(hall) < 3; at := hall; }} }}\nproblem p {{ goal ordered(A()); }}"
    );
    let model = read("case.htn", &text).model.expect("no errors");
    let error = LoadedDomain::new(model.clone()).expect_err("nobody registered it");
    assert!(error.to_string().contains("E061"), "{error}");
    for (level, status) in [(2.0, Status::Improved), (5.0, Status::Unsolvable)] {
        let domain = LoadedDomain::with_externals(model.clone(), |name| {
            assert_eq!(name, "noise");
            Some(std::sync::Arc::new(move |_: &[i64]| {
                apprentice_htn::model::float(level)
            }))
        })
        .expect("it loads");
        let mut planner = Planner::new(domain.initial_state(), domain.goal());
        assert_eq!(planner.run(&domain, &mut Budget::unlimited()), status);
    }
}

#[test]
fn a_warning_leaves_the_start_as_it_is_written() {
    // The variable nobody uses is worth a word, and the coins are there nevertheless.
    let text = format!(
        "{BASE}task A() {{ {{ coins == 4; at := hall; }} }}\n\
         problem p {{ init {{ forall (Room r) {{ coins := 4; }} }} goal ordered(A()); }}"
    )
    .replace("external float noise(Room r);", "");
    let reading = read("case.htn", &text);
    assert!(reading.report().contains("W051"), "{}", reading.report());
    let domain = LoadedDomain::new(reading.model.expect("no errors")).expect("it loads");
    let mut planner = Planner::new(domain.initial_state(), domain.goal());
    let status = planner.run(&domain, &mut Budget::unlimited());
    assert_eq!(status, Status::Improved);
}
