//! Whoever writes an HDDL file with a mistake in it is told the place, the line and what to try.

use apprentice_hddl::{read_domain, read_problem};

const BEGINNING: &str = "(define (domain d) (:types a b - c)
(:predicates (p ?x - a) (q))
(:task t :parameters (?x - a))
(:action act :parameters (?x - a) :effect (p ?x))
";

/// What is said about a domain with these sections, which begin in line 5.
#[track_caller]
fn check(sections: &str, says: &[&str]) {
    let text = format!("{BEGINNING}{sections}\n)");
    let mistakes = read_domain("d.hddl", &text)
        .expect_err("a mistake")
        .to_string();
    for part in says {
        assert!(mistakes.contains(part), "no {part:?} in:\n{mistakes}");
    }
}

#[test]
fn unknown_names_come_with_the_nearest() {
    check(
        "(:action go :parameters (?x - a) :precondition (pp ?x))",
        &["d.hddl:5:49: there is no predicate pp", "did you mean p?"],
    );
    check(
        "(:method m :parameters (?x - a) :task (t ?x) :subtasks (actt ?x))",
        &[
            "d.hddl:5:57: there is no task or action actt",
            "did you mean act?",
        ],
    );
    check(
        "(:action go :parameters (?x - zz))",
        &["d.hddl:5:31: there is no type zz"],
    );
    check(
        "(:action go :parameters (?long - a) :effect (p ?lon))",
        &[
            "d.hddl:5:48: there is no variable ?lon here",
            "did you mean ?long?",
        ],
    );
    check(
        "(:action go :effect (p thing))",
        &["there is no object thing"],
    );
    check(
        "(:action go :precond (q))",
        &["found :precond", "known here: :parameters"],
    );
    check("(:actoin go)", &["found :actoin", "did you mean :action?"]);
}

#[test]
fn the_line_and_the_place_in_it_are_shown() {
    check(
        "(:action go :effect (r))",
        &["  | (:action go :effect (r))\n  |                      ^"],
    );
}

#[test]
fn all_mistakes_are_told_at_once() {
    check(
        "(:action one :effect (r))\n(:action two :effect (s))\n(:method m :task (u) :subtasks ())",
        &[":5:23: ", ":6:23: ", ":7:19: "],
    );
}

#[test]
fn what_contradicts_itself_is_refused() {
    check("(:action act)", &["act is declared twice"]);
    check(
        "(:action go :parameters (?x ?X - a))",
        &["?X is declared twice"],
    );
    check(
        "(:method m :subtasks ())",
        &["does not say which task it does"],
    );
    check(
        "(:method m :parameters (?x - a) :task (act ?x) :subtasks ())",
        &["act is an action"],
    );
    check(
        "(:action go :effect (p))",
        &["p takes 1 arguments, here are 0"],
    );
    check(
        "(:method m :parameters (?x - a) :task (t ?x) :subtasks (and (one (t ?x)) (two (t ?x))))",
        &["no total order", ":ordered-subtasks"],
    );
    check(
        "(:method m :parameters (?x - a) :task (t ?x) :subtasks (and (one (t ?x)) (two (t ?x)))
          :ordering (and (< one two) (< two one)))",
        &["in a circle"],
    );
    check("(:types c - a)", &["c would descend from itself"]);
}

#[test]
fn a_problem_without_its_network_or_of_another_domain_is_refused() {
    let domain = read_domain("d.hddl", "(define (domain d) (:predicates (q)))").expect("right");
    let say = |text: &str| {
        let mistakes = read_problem(&domain, "p.hddl", text).expect_err("a mistake");
        mistakes.to_string()
    };
    assert!(say("(define (problem p) (:domain d) (:init))").contains("no first task network"));
    assert!(say("(define (problem p) (:domain e) (:htn) (:init))").contains("domain given is d"));
    assert!(say("(define (domain d))").contains("were two files exchanged?"));
    assert!(say("(define (problem p) (:htn) (:init (r)))").contains("there is no predicate r"));
}

#[test]
fn a_file_of_ten_megabytes_is_read() {
    let facts = "(q)\n".repeat(2_500_000);
    let domain = read_domain("d.hddl", "(define (domain d) (:predicates (q)))").expect("right");
    let text = format!("(define (problem p) (:domain d) (:htn :subtasks ()) (:init {facts}))");
    let problem = read_problem(&domain, "p.hddl", &text).expect("long, but right");
    assert_eq!(problem.init.len(), 2_500_000);
}
