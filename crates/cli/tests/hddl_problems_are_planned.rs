//! `apprentice htn` reads HDDL, plans, writes plans with their decomposition, and checks them.

use crate::command::{file, folder, run};

const DOMAIN: &str = "(define (domain lamps) (:types lamp) (:predicates (lit ?l - lamp) (power))
  (:task light :parameters (?l - lamp))
  (:method already :parameters (?l - lamp) :task (light ?l) :precondition (lit ?l) :subtasks ())
  (:method by-switch :parameters (?l - lamp) :task (light ?l) :precondition (not (lit ?l))
    :subtasks (press ?l))
  (:action press :parameters (?l - lamp) :precondition (power) :effect (lit ?l)))";

const PROBLEM: &str = "(define (problem dark) (:domain lamps) (:objects hall cellar - lamp)
  (:htn :ordered-subtasks (and (light hall) (light cellar)))
  (:init (power) (lit cellar)) (:goal (and (lit hall) (lit cellar))))";

fn files(name: &str) -> (String, String) {
    (
        file(name, "domain.hddl", DOMAIN),
        file(name, "dark.hddl", PROBLEM),
    )
}

#[test]
fn a_plan_in_the_competitions_form_passes_the_checker() {
    let (domain, problem) = files("hddl_passes");
    let ended = run(&["htn", "plan", &domain, &problem, "--format", "ipc"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert_eq!(
        ended.out,
        "==>\n0 press hall\nroot 1 2\n1 light hall -> by-switch 0\n2 light cellar -> already\n<==\n"
    );
    let plan = file("hddl_passes", "plan", &ended.out);
    let checked = run(&["htn", "verify", &domain, &problem, &plan]);
    assert_eq!(checked.code, 0, "{}", checked.err);
    assert_eq!(
        checked.out,
        "valid: 1 step from 2 decompositions, the goal holds\n"
    );
}

#[test]
fn a_wrong_plan_is_refused_with_the_step_and_the_reason() {
    let (domain, problem) = files("hddl_refused");
    let wrong = "==>\n0 press cellar\nroot 1 2\n1 light hall -> by-switch 0\n2 light cellar -> already\n<==\n";
    let plan = file("hddl_refused", "plan", wrong);
    let checked = run(&["htn", "verify", &domain, &problem, &plan]);
    assert_eq!(checked.code, 1);
    assert!(
        checked
            .out
            .starts_with("invalid: task 1, light(hall): the argument cellar"),
        "{}",
        checked.out
    );
}

#[test]
fn plans_are_printed_for_people_and_for_programs() {
    let (domain, problem) = files("hddl_formats");
    let text = run(&["htn", "plan", &domain, &problem]);
    assert_eq!((text.code, text.out.as_str()), (0, "   1  press(hall)\n"));
    assert!(text.err.contains("a plan was found"), "{}", text.err);
    let json = run(&["htn", "plan", &domain, &problem, "--format", "json"]).json();
    assert_eq!(json["status"], "found");
    assert_eq!(json["cost"], 1);
    assert_eq!(json["plan"], serde_json::json!([["press", "hall"]]));
}

#[test]
fn every_ending_has_its_exit_code() {
    let (domain, problem) = files("hddl_codes");
    let dark = file(
        "hddl_codes",
        "no_power.hddl",
        PROBLEM.replace("(power)", ""),
    );
    let impossible = run(&["htn", "plan", &domain, &dark, "--format", "json"]);
    assert_eq!(impossible.code, 1, "{}", impossible.err);
    assert_eq!(impossible.json()["status"], "impossible");
    let spent = run(&["htn", "plan", &domain, &problem, "--iterations", "1"]);
    assert_eq!((spent.code, spent.out.as_str()), (2, ""));
    let broken = file(
        "hddl_codes",
        "broken.hddl",
        PROBLEM.replace("hall)", "hal)"),
    );
    let ended = run(&["htn", "plan", &domain, &broken]);
    assert_eq!((ended.code, ended.out.as_str()), (3, ""));
    assert!(ended.err.contains("broken.hddl:2:"), "{}", ended.err);
    assert!(ended.err.contains("did you mean hall?"), "{}", ended.err);
    let no_plan = run(&["htn", "verify", &domain, &problem, &problem]);
    assert_eq!(no_plan.code, 3, "{}", no_plan.out);
}

#[test]
fn coverage_counts_what_is_solved_and_checks_every_plan() {
    files("hddl_coverage");
    let at = folder("hddl_coverage");
    let ended = run(&[
        "htn",
        "coverage",
        at.to_str().expect("text"),
        "--time",
        "60",
    ]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let last = ended.out.lines().last().expect("a summary");
    assert_eq!(
        last,
        "1 of 1 solved within 60 s each (100 %), 0 plans rejected by the checker"
    );
}

#[test]
fn plans_as_large_as_the_planner_writes_them_are_checked() {
    let (domain, problem) = files("hddl_large");
    let plan = run(&["htn", "plan", &domain, &problem, "--format", "ipc"]).out;
    // What stands before the plan is part of the file.
    let large = format!("{}{plan}", "; nothing of a plan\n".repeat(1 << 20));
    let plan = file("hddl_large", "plan", large);
    let checked = run(&["htn", "verify", &domain, &problem, &plan]);
    std::fs::remove_file(&plan).expect("it is there");
    assert_eq!(checked.code, 0, "{}", checked.err);
    let large = format!("{}{DOMAIN}", "; nothing of a domain\n".repeat(1 << 20));
    let domain = file("hddl_large", "large.hddl", large);
    let checked = run(&["htn", "check", &domain]);
    std::fs::remove_file(&domain).expect("it is there");
    assert_eq!(checked.code, 0, "{}", checked.err);
}

#[test]
fn a_task_that_begins_with_itself_ends_with_an_answer() {
    let domain = "(define (domain roads) (:types place)
      (:predicates (at ?p - place) (road ?a ?b - place))
      (:task get_to :parameters (?b - place))
      (:method m_via :parameters (?a ?b - place) :task (get_to ?b) :precondition (road ?a ?b)
        :ordered-subtasks (and (get_to ?a) (drive ?a ?b)))
      (:method m_here :parameters (?p - place) :task (get_to ?p) :precondition (at ?p)
        :ordered-subtasks ())
      (:action drive :parameters (?a ?b - place) :precondition (and (at ?a) (road ?a ?b))
        :effect (and (not (at ?a)) (at ?b))))";
    let problem = "(define (problem round) (:domain roads) (:objects x y w - place)
      (:htn :ordered-subtasks (and (get_to y) (get_to x)))
      (:init (at x) (road x y) (road x w) (road w x)))";
    let domain = file("hddl_round", "domain.hddl", domain);
    let problem = file("hddl_round", "round.hddl", problem);
    let ended = run(&["htn", "plan", &domain, &problem]);
    assert_eq!(ended.code, 1, "{}", ended.err);
    let said = "it is proven that there is no plan";
    assert!(ended.err.contains(said), "{}", ended.err);
    // As far as it was allowed, and no further.
    let ended = run(&["htn", "plan", &domain, &problem, "--iterations", "50"]);
    assert_eq!(ended.code, 2, "{}", ended.err);
    let plain = [
        "htn",
        "plan",
        &domain,
        &problem,
        "--plain",
        "--iterations",
        "5000",
    ];
    assert_eq!(run(&plain).code, 2);
}
