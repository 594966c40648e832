//! The planner for HDDL finds only valid plans, agrees with the planner of all front ends about
//! what is possible, and is the same whether run at once or in slices.

use apprentice_hddl::{Planner, Problem, compile, plan_file, read_domain, read_problem, verify};
use apprentice_htn::LoadedDomain;
use apprentice_search::{Budget, Status};
use proptest::prelude::*;

/// Numbers that decide about everything in a small random problem.
#[derive(Clone, Debug)]
struct Dice(Vec<u8>, usize);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.1 += 1;
        usize::from(self.0[self.1 % self.0.len()]) % sides
    }
}

const PREDICATES: [(&str, usize); 4] = [("p", 0), ("q", 1), ("r", 1), ("s", 2)];
const TASKS: usize = 3;
const ACTIONS: usize = 3;

fn literal(dice: &mut Dice, terms: &[&str], is_effect: bool) -> String {
    let (name, arity) = PREDICATES[dice.roll(PREDICATES.len())];
    let mut fact = format!("({name}");
    for _ in 0..arity {
        fact += " ";
        fact += terms[dice.roll(terms.len())];
    }
    fact += ")";
    match dice.roll(if is_effect { 3 } else { 8 }) {
        0 => format!("(not {fact})"),
        3 => format!("(or {fact} (p))"),
        4 => format!("(not (= {} {}))", terms[dice.roll(terms.len())], terms[0]),
        5 => format!("(forall (?z - sort) (imply (q ?z) {fact}))"),
        _ => fact,
    }
}

fn many(dice: &mut Dice, most: usize, mut one: impl FnMut(&mut Dice) -> String) -> String {
    let count = dice.roll(most + 1);
    (0..count).map(|_| one(dice)).collect::<Vec<_>>().join(" ")
}

/// A domain with three actions and three compound tasks of one parameter each, and a problem.
fn random_problem(dice: &mut Dice) -> Problem {
    let mut text = "(define (domain d) (:types sort kind - object)
        (:constants a - sort b - kind)
        (:predicates (p) (q ?x - object) (r ?x - object) (s ?x ?y - object))\n"
        .to_owned();
    for task in 0..TASKS {
        text += &format!("(:task t{task} :parameters (?x - object))\n");
    }
    for action in 0..ACTIONS {
        let condition = many(dice, 2, |dice| literal(dice, &["?x", "a", "b"], false));
        let effect = many(dice, 3, |dice| {
            let effect = literal_effect(dice);
            match dice.roll(5) {
                0 => format!("(when (q ?x) {effect})"),
                1 => format!("(forall (?z - sort) (when (r ?z) {effect}))"),
                _ => effect,
            }
        });
        text += &format!(
            "(:action a{action} :parameters (?x - {}) :precondition (and {condition}) :effect (and {effect}))\n",
            ["object", "sort"][dice.roll(2)]
        );
    }
    for task in 0..TASKS {
        for method in 0..1 + dice.roll(3) {
            let terms = ["?x", "?y", "a", "b"];
            let condition = many(dice, 2, |dice| literal(dice, &terms, false));
            let subtasks = many(dice, 3, |dice| {
                let name = match dice.roll(TASKS + 2 * ACTIONS) {
                    number if number < TASKS => format!("t{number}"),
                    number => format!("a{}", number % ACTIONS),
                };
                format!("({name} {})", ["?x", "?y"][dice.roll(2)])
            });
            text += &format!(
                "(:method m{task}{method} :parameters (?x - {} ?y - {}) :task (t{task} ?x) \
                 :precondition (and {condition}) :ordered-subtasks (and {subtasks}))\n",
                ["object", "kind"][dice.roll(2)],
                ["object", "sort"][dice.roll(2)]
            );
        }
    }
    text += ")";
    let init = many(dice, 6, |dice| {
        let terms = ["a", "b", "c"];
        let (name, arity) = PREDICATES[dice.roll(PREDICATES.len())];
        let arguments: Vec<&str> = (0..arity).map(|_| terms[dice.roll(3)]).collect();
        format!("({name} {})", arguments.join(" "))
    });
    let goal = many(dice, 1, |dice| literal(dice, &["a", "c"], false));
    let problem = format!(
        "(define (problem p) (:domain d) (:objects c - sort)
         (:htn :parameters (?v ?w - sort) :ordered-subtasks (and (t0 ?v) (t{} ?w)))
         (:init {init}) (:goal (and {goal})))",
        dice.roll(TASKS)
    );
    let domain = read_domain("d.hddl", &text).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    read_problem(&domain, "p.hddl", &problem).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn literal_effect(dice: &mut Dice) -> String {
    let (name, arity) = PREDICATES[dice.roll(PREDICATES.len())];
    let arguments: Vec<&str> = (0..arity).map(|_| ["?x", "a", "b"][dice.roll(3)]).collect();
    let fact = format!("({name} {})", arguments.join(" "));
    if dice.roll(3) == 0 {
        format!("(not {fact})")
    } else {
        fact
    }
}

fn dice() -> impl Strategy<Value = Dice> {
    prop::collection::vec(any::<u8>(), 40..160).prop_map(|numbers| Dice(numbers, 0))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn plans_are_valid_and_both_planners_agree(mut dice in dice()) {
        let problem = random_problem(&mut dice);
        let mut planner = Planner::new(&problem).expect("short facts");
        let of_hddl = planner.run(&mut Budget::units(20_000));
        if let Some(plan) = planner.plan() {
            prop_assert_eq!(verify(&problem, plan).map_err(|refusal| refusal.to_string()).err(), None);
        }
        let loaded = LoadedDomain::new(compile(&problem)).expect("a small model");
        let mut general = apprentice_htn::Planner::new(loaded.initial_state(), loaded.goal());
        let status = general.run(&loaded, &mut Budget::units(20_000));
        if let Some(plan) = general.plan() {
            let plan = plan_file(&loaded, plan);
            prop_assert_eq!(verify(&problem, &plan).map_err(|refusal| refusal.to_string()).err(), None);
            prop_assert_ne!(of_hddl, Status::Unsolvable, "the general planner has a plan");
        }
        if status == Status::Unsolvable {
            prop_assert_ne!(of_hddl, Status::Finished, "the general planner says there is none");
        }
    }

    #[test]
    fn slices_make_no_difference(mut dice in dice(), slice in 1_u64..40) {
        let problem = random_problem(&mut dice);
        let mut whole = Planner::new(&problem).expect("short facts");
        let whole_status = whole.run(&mut Budget::units(3000));
        let mut sliced = Planner::new(&problem).expect("short facts");
        let mut status = Status::Paused;
        while status == Status::Paused && sliced.iterations() < 3000 {
            let left = 3000 - sliced.iterations();
            status = sliced.run(&mut Budget::units(slice.min(left)));
        }
        prop_assert_eq!(status, whole_status);
        prop_assert_eq!(sliced.iterations(), whole.iterations());
        prop_assert_eq!(sliced.plan(), whole.plan());
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[ ()?:a-z<=;\n-]{0,80}") {
        let _ = read_domain("d.hddl", &text);
        let whole = format!("(define (domain d) (:types t) (:predicates (p ?x - t)) {text})");
        let _ = read_domain("d.hddl", &whole);
        let action = format!("(define (domain d) (:predicates (p)) (:task t :parameters ()) (:action a :precondition ({text}) :effect ({text})) (:method m :task (t) :subtasks ({text})))");
        let _ = read_domain("d.hddl", &action);
    }
}

/// A problem with objects `o0`, `o1`, … of a domain with these sections; the first task is `go`.
fn problem_with(sections: &str, objects: usize, init: &str) -> Result<Problem, String> {
    let domain = format!("(define (domain d) {sections})");
    let domain = read_domain("domain", &domain).map_err(|mistakes| mistakes.to_string())?;
    let names: Vec<String> = (0..objects).map(|number| format!("o{number}")).collect();
    let text = format!(
        "(define (problem p) (:domain d) (:objects {}) (:htn :ordered-subtasks (and (go))) (:init {init}))",
        names.join(" ")
    );
    read_problem(&domain, "problem", &text).map_err(|mistakes| mistakes.to_string())
}

#[test]
fn more_combinations_than_anybody_could_list_end_with_an_answer() {
    // Sixty objects to the sixth, and no combination will do.
    let sections = "(:predicates (near ?a ?b) (done))
        (:task go :parameters ())
        (:method any :parameters (?a ?b ?c ?d ?e ?f) :task (go)
          :precondition (and (not (near ?a ?b)) (not (near ?b ?c)) (not (near ?c ?d))
                             (not (near ?d ?e)) (not (near ?e ?f)) (= ?a ?f) (not (= ?a ?f)))
          :ordered-subtasks (and (stop ?a ?b ?c ?d ?e ?f)))
        (:action stop :parameters (?a ?b ?c ?d ?e ?f) :effect (done))";
    let problem = problem_with(sections, 60, "").expect("it can be read");
    for slice in [1, 100_000, u64::MAX] {
        let mut planner = Planner::new(&problem).expect("few arguments");
        let mut status = Status::Paused;
        while status == Status::Paused && planner.iterations() < 1_000_000 {
            status = planner.run(&mut Budget::units(slice));
        }
        // Nobody knows: nothing was looked through to its end.
        assert_eq!(status, Status::GaveUp);
    }
}

/// A method for any two objects, with a condition that asks about all pairs of objects, nearly all
/// of which are near, before it fails.
fn asks_about_all_pairs(objects: usize) -> Problem {
    let sections = "(:predicates (p ?x) (near ?a ?b) (done))
        (:task go :parameters ())
        (:method any :parameters (?x ?y) :task (go)
          :precondition (or (p ?x) (forall (?a ?b) (or (near ?a ?b) (near ?b ?a))))
          :ordered-subtasks (and (stop ?x ?y)))
        (:action stop :parameters (?x ?y) :effect (done))";
    let pairs = (0..objects * objects - 1)
        .map(|pair| format!("(near o{} o{})", pair / objects, pair % objects));
    problem_with(sections, objects, &pairs.collect::<String>()).expect("it can be read")
}

#[test]
fn facts_that_conditions_ask_about_count() {
    // Looked through to the end: for each of twenty pairs squared, all pairs.
    let mut planner = Planner::new(&asks_about_all_pairs(20)).expect("few arguments");
    assert_eq!(planner.run(&mut Budget::unlimited()), Status::Unsolvable);
    let asked = 20_u64.pow(4);
    let counted = planner.iterations() * 32;
    assert!((asked..asked * 2).contains(&counted), "{counted}");
}

#[test]
fn a_condition_that_asks_about_much_hides_no_other_method() {
    let method = |name: &str| {
        format!(
            "(:method {name} :task (go) :precondition (or (done) (exists (?a ?b) (near ?a ?b)))
               :ordered-subtasks (and (stop)))"
        )
    };
    let sections = format!(
        "(:predicates (near ?a ?b) (done)) (:task go :parameters ()) {} {} (:action stop :effect (done))",
        method("one"),
        method("other")
    );
    let problem = problem_with(&sections, 900, "").expect("it can be read");
    let mut planner = Planner::new(&problem).expect("few arguments");
    // Both were looked at, by the search that goes first, in its first turn.
    assert_eq!(planner.run(&mut Budget::unlimited()), Status::Unsolvable);
}

#[test]
fn conditions_and_effects_that_speak_of_too_much_are_refused() {
    let quantified = "(forall (?a ?b ?c ?d) (near ?a ?b ?c ?d))";
    let sections = |condition: &str, effect: &str| {
        format!(
            "(:predicates (near ?a ?b ?c ?d))
             (:task go :parameters ())
             (:method m :task (go) :ordered-subtasks (and (act)))
             (:action act :precondition {condition} :effect {effect})"
        )
    };
    let nothing = "(and)";
    let cases = [
        (sections(quantified, nothing), "the precondition of act"),
        (sections(nothing, quantified), "the effect of act"),
    ];
    for (sections, what) in cases {
        let said = problem_with(&sections, 100, "").expect_err("that is too much");
        let wanted = format!("{what} speaks of 100000000 facts");
        assert!(said.contains(&wanted), "{said}");
        assert!(problem_with(&sections, 10, "").is_ok());
    }
    let types: Vec<String> = (0..20_000)
        .map(|number| format!("t{} - t{number}", number + 1))
        .collect();
    let sections = format!("(:types {})", types.join("\n"));
    let said = problem_with(&sections, 0, "").expect_err("that is too much");
    assert!(said.contains("more than 5000 types"), "{said}");
}
