//! A plan is accepted only if every step, every decomposition and the goal are right, and a refusal
//! says which of them is not and why.

use apprentice_hddl::{PlanFile, Problem, read_domain, read_problem, verify};

const DOMAIN: &str = "
(define (domain parcels)
  (:requirements :typing :hierarchy)
  (:types place thing - object  van parcel - thing)
  (:constants depot - place)
  (:predicates (at ?t - thing ?p - place) (in ?x - parcel ?v - van) (road ?a ?b - place) (tired))
  (:task deliver :parameters (?x - parcel ?to - place))
  (:task fetch :parameters (?v - van ?to - place))
  (:task rest-all :parameters ())
  (:method carry
    :parameters (?x - parcel ?from ?to - place ?v - van)
    :task (deliver ?x ?to)
    :precondition (and (at ?x ?from) (not (= ?from ?to)))
    :subtasks (and (a (fetch ?v ?from)) (c (fetch ?v ?to)) (b (load ?x ?v ?from))
                   (d (unload ?x ?v ?to)))
    :ordering (and (< a b) (< b c) (< c d)))
  (:method there
    :parameters (?x - parcel ?to - place)
    :task (deliver ?x ?to)
    :precondition (at ?x ?to)
    :subtasks ())
  (:method drive-there
    :parameters (?v - van ?from ?to - place)
    :task (fetch ?v ?to)
    :precondition (and (at ?v ?from) (road ?from ?to))
    :ordered-subtasks (drive ?v ?from ?to))
  (:method stay
    :parameters (?v - van ?to - place)
    :task (fetch ?v ?to)
    :precondition (at ?v ?to)
    :ordered-subtasks (and))
  (:method sleep :parameters () :task (rest-all) :subtasks (rest))
  (:action drive
    :parameters (?v - van ?from ?to - place)
    :precondition (and (at ?v ?from) (or (road ?from ?to) (road ?to ?from)))
    :effect (and (not (at ?v ?from)) (at ?v ?to)
                 (forall (?x - parcel) (when (in ?x ?v) (tired)))))
  (:action load
    :parameters (?x - parcel ?v - van ?p - place)
    :precondition (and (at ?x ?p) (at ?v ?p))
    :effect (and (not (at ?x ?p)) (in ?x ?v)))
  (:action unload
    :parameters (?x - parcel ?v - van ?p - place)
    :precondition (and (in ?x ?v) (at ?v ?p))
    :effect (and (not (in ?x ?v)) (at ?x ?p)))
  (:action rest
    :parameters ()
    :precondition (tired)
    :effect (not (tired))))
";

const PROBLEM: &str = "
(define (problem one) (:domain parcels)
  (:objects shop - place  red blue - van  gift - parcel)
  (:htn :parameters (?p - parcel) :ordered-subtasks (and (deliver ?p shop) (rest-all)))
  (:init (at red depot) (at blue shop) (at gift depot) (road depot shop))
  (:goal (and (at gift shop) (forall (?x - parcel) (not (in ?x red))) (not (tired)))))
";

const PLAN: &str = "\
==>
0 load gift red depot
1 drive red depot shop
2 unload gift red shop
3 rest
root 10 20
10 deliver gift shop -> carry 11 0 12 2
11 fetch red depot -> stay
12 fetch red shop -> drive-there 1
20 rest-all -> sleep 3
<==
";

fn problem(text: &str) -> Problem {
    let domain = read_domain("parcels.hddl", DOMAIN).expect("a right domain");
    read_problem(&domain, "one.hddl", text).expect("a right problem")
}

#[track_caller]
fn refusal(problem: &Problem, plan: &str) -> String {
    let plan = PlanFile::read("plan", plan).expect("a plan in form");
    verify(problem, &plan)
        .expect_err("a wrong plan")
        .to_string()
}

/// Replaces one text by another in the plan and compares what the checker says.
#[track_caller]
fn check(from: &str, to: &str, at: &str, why: &str) {
    assert!(PLAN.contains(from), "{from}");
    let says = refusal(&problem(PROBLEM), &PLAN.replacen(from, to, 1));
    assert_eq!(says, format!("{at}: {why}"));
}

#[test]
fn a_right_plan_is_accepted() {
    let plan = PlanFile::read("plan", PLAN).expect("a plan in form");
    let verdict = verify(&problem(PROBLEM), &plan).expect("a right plan");
    assert_eq!((verdict.steps, verdict.decompositions), (4, 4));
    assert_eq!(plan.to_string(), PLAN);
}

#[test]
fn names_are_compared_without_regard_to_case() {
    let plan = PLAN.to_uppercase().replace("ROOT", "root");
    let plan = PlanFile::read("plan", &plan).expect("a plan in form");
    assert!(verify(&problem(PROBLEM), &plan).is_ok());
}

#[test]
fn unknown_names_are_named() {
    check(
        "3 rest",
        "3 nap",
        "step 4 (id 3), nap()",
        "the domain has no task or action nap",
    );
    let at = "step 1 (id 0), load(gift, green, depot)";
    check(
        "load gift red",
        "load gift green",
        at,
        "there is no object green",
    );
    let at = "task 20, rest-all()";
    check("sleep", "snore", at, "the domain has no method snore");
    check("-> sleep", "-> stay", at, "the method stay is one of fetch");
}

#[test]
fn arguments_must_fit_in_number_and_type() {
    let at = "step 1 (id 0), load(gift, red)";
    check("red depot", "red", at, "load takes 3 arguments, here are 2");
    let at = "step 1 (id 0), load(red, gift, depot)";
    check(
        "load gift red",
        "load red gift",
        at,
        "red is not of the type ?x needs",
    );
}

#[test]
fn actions_and_compound_tasks_are_not_exchanged() {
    let at = "step 4 (id 3), rest-all()";
    check(
        "3 rest",
        "3 rest-all",
        at,
        "rest-all is no action: the plan must say how it is done",
    );
    let at = "task 20, rest()";
    check(
        "20 rest-all",
        "20 rest",
        at,
        "rest is an action: it has no method",
    );
}

#[test]
fn a_step_whose_precondition_is_false_is_refused() {
    let both = problem(&PROBLEM.replace("(at gift depot)", "(at gift depot) (at gift shop)"));
    let says = refusal(
        &both,
        "==>\n0 rest\nroot 1 2\n1 deliver gift shop -> there\n2 rest-all -> sleep 0\n<==",
    );
    let why = "its precondition does not hold: tired() is false";
    assert_eq!(says, format!("step 1 (id 0), rest(): {why}"));
}

#[test]
fn the_order_of_the_plan_is_that_of_the_decomposition() {
    check(
        "0 load gift red depot\n1 drive red depot shop",
        "1 drive red depot shop\n0 load gift red depot",
        "step 2 (id 0), load(gift, red, depot)",
        "the decomposition asks for it as step 1: the order of the plan differs",
    );
    check(
        "carry 11 0 12 2",
        "carry 11 12 0 2",
        "task 10, deliver(gift, shop)",
        "subtask 2 of the method carry is load, the plan gives task 12, fetch(red, shop)",
    );
    check(
        "root 10 20",
        "root 20 10",
        "the first task network",
        "subtask 1 of it is deliver, the plan gives task 20, rest-all()",
    );
}

#[test]
fn a_methods_precondition_is_asked_where_its_first_subtask_starts() {
    let false_at_start = "does not hold where its first subtask starts";
    check(
        "12 fetch red shop -> drive-there 1",
        "12 fetch red shop -> stay",
        "task 12, fetch(red, shop)",
        &format!("the precondition of the method stay {false_at_start}: at(red, shop) is false"),
    );
    check(
        "-> carry 11 0 12 2",
        "-> there",
        "task 10, deliver(gift, shop)",
        &format!("the precondition of the method there {false_at_start}: at(gift, shop) is false"),
    );
}

#[test]
fn variables_have_one_value_each() {
    check(
        "11 fetch red depot",
        "11 fetch blue depot",
        "task 10, deliver(gift, shop)",
        "the argument red of subtask 2, step 1 (id 0), load(gift, red, depot), contradicts the \
         values that the other tasks of the method carry give its variables",
    );
}

#[test]
fn ids_exist_and_are_used_once() {
    let at = "task 12, fetch(red, shop)";
    check("20 rest-all", "12 rest-all", at, "the id 12 is given twice");
    let at = "the first task network";
    check(
        "root 10 20",
        "root 10 21",
        at,
        "the plan has no task with the id 21",
    );
    let at = "task 20, rest-all()";
    check(
        "sleep 3",
        "sleep",
        at,
        "the method sleep has 1 subtasks, the plan gives 0",
    );
}

#[test]
fn what_nobody_asked_for_is_refused() {
    let why = "no task asks for it: it is part of no decomposition";
    check("3 rest\n", "3 rest\n4 rest\n", "step 5 (id 4), rest()", why);
    check(
        "<==",
        "99 fetch red shop -> stay\n<==",
        "task 99, fetch(red, shop)",
        "no task asks for it: it is part of no other decomposition",
    );
}

#[test]
fn the_goal_must_hold_at_the_end() {
    let elsewhere =
        problem(&PROBLEM.replace("(:goal (and (at gift shop)", "(:goal (and (at gift depot)"));
    let why = "the goal does not hold at the end: at(gift, depot) is false";
    assert_eq!(refusal(&elsewhere, PLAN), format!("the plan: {why}"));
}

#[test]
fn files_that_are_no_plan_are_no_invalid_plan() {
    for (text, place) in [
        ("", "plan:1:1: no line ==> begins the plan"),
        ("==>\n0 rest\n", "plan:2:1: no line `root …`"),
        ("==>\nroot 0\n", "plan:2:1: no line <== ends"),
        ("==>\nx rest\nroot 0\n<==", "plan:2:1: expected the number"),
        (
            "==>\n0 a -> \nroot 0\n<==",
            "plan:2:5: the method of task 0 is missing",
        ),
    ] {
        let mistakes = PlanFile::read("plan", text)
            .expect_err("no plan")
            .to_string();
        assert!(mistakes.starts_with(place), "{mistakes}");
    }
}
