//! Formatting changes nothing but the layout, and formatting twice changes nothing more. Reading
//! never fails badly, whatever the text.

use apprentice_htn::language::tree::Tree;
use apprentice_htn::language::{format, parse};
use proptest::prelude::*;

#[track_caller]
fn check(text: &str) {
    let (tree, wrong) = parse(text, 0);
    if !wrong.is_empty() {
        return;
    }
    let formatted = format(&tree);
    let (again, wrong) = parse(&formatted, 0);
    assert!(wrong.is_empty(), "{wrong:?}\n{formatted}");
    assert_eq!(tree.decls, again.decls, "{text}\n---\n{formatted}");
    let words = |tree: &Tree| -> Vec<String> {
        let comments = tree.comments.iter();
        comments
            .map(|comment| comment.text.split_whitespace().collect())
            .collect()
    };
    assert_eq!(words(&tree), words(&again), "{text}\n---\n{formatted}");
    assert_eq!(format(&again), formatted, "{text}");
}

#[test]
fn the_domains_of_the_project_are_formatted() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../domains");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("it is there").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("it can be read");
        let (tree, wrong) = parse(&text, 0);
        assert!(wrong.is_empty(), "{wrong:?}");
        assert_eq!(
            format(&tree),
            text,
            "{:?}: run `apprentice htn fmt --write`",
            entry.path()
        );
        check(&text);
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn comments_stay_where_they_belong() {
    let text = "// first\ntype A; // after a\n/* two\n   lines */\ntask T() { // opens\n method m { // why\n  true; // because\n  // before\n  ordered(); /* after */ }\n // last\n}\n// end";
    let (tree, wrong) = parse(text, 0);
    assert!(wrong.is_empty());
    assert_eq!(
        format(&tree),
        "// first\ntype A; // after a\n\n/* two\n lines */\ntask T() { // opens\n  method m { // why\n    true; // because\n    // before\n    ordered(); /* after */\n  }\n  // last\n}\n// end\n"
    );
    check(text);
}

/// Fuzzing found that the second comment became a part of the first.
#[test]
fn comments_at_the_end_of_one_statement_stay_two() {
    let text =
        "fluent int // a\nx; // b\ntype T; /* c */ /* d */\nfluent /* e\n */ T /* f */ y; // g";
    let (tree, wrong) = parse(text, 0);
    assert!(wrong.is_empty());
    assert_eq!(
        format(&tree),
        "fluent int x; // a\n\n// b\ntype T; /* c */ /* d */\n\nfluent T y; /* e\n */\n/* f */\n// g\n"
    );
    check(text);
    check("fluent t//\nl;//");
    check("fluent t/**/\n//\nl;/*\n*/\n/**//**/task A() { /*\n*/ //\n{ true //\n; //\n} } //\n//");
}

fn expr() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("true".to_owned()),
        Just("x".to_owned()),
        Just("none".to_owned()),
        Just("1.5".to_owned()),
        Just("7".to_owned()),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            inner.clone().prop_map(|a| format!("({a})")),
            inner.clone().prop_map(|a| format!("not {a}")),
            inner.clone().prop_map(|a| format!("(- {a})")),
            (
                two.clone(),
                prop::sample::select(vec![
                    "and", "or", "=>", "implies", "&&", "||", "+", "-", "*", "/", "%", "<", ">=",
                    "=="
                ])
            )
                .prop_map(|((a, b), sign)| format!("({a} {sign} {b})")),
            (
                two.clone(),
                prop::sample::select(vec!["and", "or", "implies", "+", "-", "*"])
            )
                .prop_map(|((a, b), sign)| format!("{a} {sign} {b}")),
            two.clone().prop_map(|(a, b)| format!("f({a}, {b})")),
            two.clone().prop_map(|(a, b)| format!("max({a}, {b})")),
            (two, inner.clone()).prop_map(|((a, b), c)| format!("(if {a} then {b} else {c})")),
            inner.clone().prop_map(|a| format!("exists (T t) ({a})")),
            inner.prop_map(|a| format!("forall (T t, S s) ({a})")),
        ]
    })
}

fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "type",
        "instance",
        "fluent",
        "constant",
        "function",
        "external",
        "task",
        "cost",
        "method",
        "branch",
        "exists",
        "forall",
        "first",
        "sort-by",
        "ordered",
        "unordered",
        "if",
        "then",
        "else",
        "and",
        "not",
        "true",
        "none",
        "init",
        "problem",
        "goal",
        "include",
        "when",
        "bool",
        "int",
        "A",
        "b",
        "T",
        "1",
        "2.5",
        "\"s\"",
        ":=",
        ":->",
        "==",
        "<",
        "+",
        "-",
        "(",
        ")",
        "{",
        "}",
        ",",
        ";",
        "?",
        "// c\n",
        "/* c */",
        "/* d\n e */",
        "\n",
        "é",
        "\"",
        "/*",
    ]);
    prop::collection::vec(word, 0..60).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn expressions_keep_their_meaning(a in expr(), b in expr()) {
        check(&format!("task A() {{ cost := {a}; {{ {b}; x == {a} :-> {b}; forall (T q) when ({a}) {{ x(q) := {b}; }} }} }}"));
        check(&format!("task A() {{ method m {{ {a}; sort-by (T t; {b}; >) {{ {a}; unordered(B({b}), ordered()); }} }} }}"));
    }

    #[test]
    fn any_text_can_be_read(text in words()) {
        check(&text);
        check(&format!("task A() {{ method m {{ {text} }} }}"));
        check(&format!("task A() {{ {{ {text} }} }} init {{ {text} }}"));
        let _ = apprentice_htn::language::read("any.htn", &text).report();
    }

    #[test]
    fn any_bytes_can_be_read(text in "\\PC*") {
        let _ = apprentice_htn::language::read("any.htn", &text).report();
    }
}
