//! Every run of every planner comes back, however tasks contain themselves, and has counted what it
//! did: a budget that is not looked at is none.

use apprentice_hddl::{Planner, Problem, compile, read_domain, read_problem, verify};
use apprentice_htn::{Limits, LoadedDomain};
use apprentice_search::{Budget, Status};
use proptest::prelude::*;

fn problem_of(domain: &str, problem: &str) -> Problem {
    let domain = read_domain("d.hddl", domain).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    read_problem(&domain, "p.hddl", problem).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// Runs the planner for HDDL a slice at a time, up to so many iterations; what it says, and that
/// every slice was one.
fn check(problem: &Problem, slice: u64, most: u64) -> Status {
    let mut planner = Planner::new(problem).expect("few arguments");
    let mut status = Status::Paused;
    while status == Status::Paused && planner.iterations() < most {
        let before = planner.iterations();
        let mut budget = Budget::units(slice);
        status = planner.run(&mut budget);
        let counted = planner.iterations() - before;
        assert_eq!(counted, budget.taken());
        assert!(counted <= slice, "{counted} instead of {slice}");
        assert!(counted == slice || status != Status::Paused);
    }
    if let Some(plan) = planner.plan() {
        let refusal = verify(problem, plan).err();
        assert!(refusal.is_none(), "{}", refusal.expect("it is some"));
    }
    // Whoever asks again hears the same.
    if status != Status::Paused {
        assert_eq!(planner.run(&mut Budget::units(slice)), status);
    }
    status
}

/// Runs the planner of all front ends in the same way.
fn check_general(problem: &Problem, slice: u64, most: u64) -> Status {
    let domain = LoadedDomain::new(compile(problem)).expect("a small model");
    let mut planner =
        apprentice_htn::Planner::new(domain.initial_state(), domain.goal()).limits(Limits {
            depth: 200,
            ..Limits::default()
        });
    let mut status = Status::Paused;
    while matches!(status, Status::Paused | Status::Improved)
        && planner.statistics().iterations < most
    {
        let before = planner.statistics().iterations;
        status = planner.run(&domain, &mut Budget::units(slice));
        let counted = planner.statistics().iterations - before;
        assert!(counted <= slice, "{counted} instead of {slice}");
        assert!(counted == slice || status != Status::Paused);
    }
    status
}

const ROADS: &str = "(define (domain roads)
    (:types place)
    (:predicates (at ?p - place) (road ?a ?b - place))
    (:task get_to :parameters (?b - place))
    (:method m_via :parameters (?a ?b - place) :task (get_to ?b)
      :precondition (road ?a ?b)
      :ordered-subtasks (and (get_to ?a) (drive ?a ?b)))
    (:method m_here :parameters (?p - place) :task (get_to ?p)
      :precondition (at ?p) :ordered-subtasks ())
    (:action drive :parameters (?a ?b - place)
      :precondition (and (at ?a) (road ?a ?b))
      :effect (and (not (at ?a)) (at ?b))))";

fn roads(places: &str, tasks: &str, init: &str) -> Problem {
    let text = format!(
        "(define (problem p) (:domain roads) (:objects {places} - place)
         (:htn :ordered-subtasks (and {tasks})) (:init {init}))"
    );
    problem_of(ROADS, &text)
}

#[test]
fn a_task_that_begins_with_itself_without_a_choice_is_a_dead_end() {
    // One gets to y, but not back: the only way to x leads over w, and the only way to w over x.
    let init = "(at x) (road x y) (road x w) (road w x)";
    let problem = roads("x y w", "(get_to y) (get_to x)", init);
    for slice in [1, 7, 1000] {
        assert_eq!(check(&problem, slice, 1_000_000), Status::Unsolvable);
    }
    assert_eq!(
        check(&roads("x y w", "(get_to y)", init), 10, 1_000_000),
        Status::Finished
    );
}

#[test]
fn a_circle_longer_than_a_step_is_a_dead_end_too() {
    // The way to the last place leads round all others, without an end.
    let places: Vec<String> = (0..700).map(|number| format!("p{number}")).collect();
    let mut init = String::from("(at p0) (road p0 p1)");
    for number in 2..700 {
        let next = if number == 699 { 2 } else { number + 1 };
        init += &format!(" (road p{number} p{next})");
    }
    let problem = roads(&places.join(" "), "(get_to p1) (get_to p300)", &init);
    assert_eq!(check(&problem, 100, 10_000_000), Status::Unsolvable);
}

#[test]
fn what_changes_for_ever_without_a_choice_leaves_others_their_turn() {
    // Turning a switch over and over is no way to be done, and looks like one for long; the other
    // way is short.
    let domain = "(define (domain d) (:predicates (on) (off) (wet) (done))
        (:task go :parameters ()) (:task turn :parameters ())
        (:method round :task (go) :ordered-subtasks (and (turn) (dry) (finish)))
        (:method straight :task (go) :ordered-subtasks (and (rest) (rest) (rest) (finish)))
        (:method over :task (turn) :precondition (off)
          :ordered-subtasks (and (switch_on) (turn) (dry)))
        (:method back :task (turn) :precondition (on)
          :ordered-subtasks (and (switch_off) (turn) (dry)))
        (:method enough :task (turn) :precondition (done) :ordered-subtasks ())
        (:action switch_on :precondition (off) :effect (and (on) (not (off))))
        (:action switch_off :precondition (on) :effect (and (off) (not (on))))
        (:action dry :effect (not (wet)))
        (:action rest)
        (:action finish :effect (done)))";
    let problem = problem_of(
        domain,
        "(define (problem p) (:domain d) (:htn :ordered-subtasks (and (go))) (:init (off) (wet)))",
    );
    assert_eq!(check(&problem, 50, 10_000_000), Status::Finished);
}

/// Numbers that decide about everything in a small random problem.
#[derive(Clone, Debug)]
struct Dice(Vec<u8>, usize);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.1 += 1;
        usize::from(self.0[self.1 % self.0.len()]) % sides
    }
}

/// Compound tasks that mostly begin with compound tasks, often with a single method each, so that
/// most of what is done leaves no choice and much of it has no end.
fn recursive(dice: &mut Dice) -> Problem {
    const FACTS: usize = 4;
    const TASKS: usize = 5;
    const ACTIONS: usize = 4;
    let fact = |dice: &mut Dice| match dice.roll(3) {
        0 => format!("(not (f{}))", dice.roll(FACTS)),
        _ => format!("(f{})", dice.roll(FACTS)),
    };
    let mut text = String::from("(define (domain d) (:predicates");
    for number in 0..FACTS {
        text += &format!(" (f{number})");
    }
    text += ")\n";
    for task in 0..TASKS {
        text += &format!("(:task t{task} :parameters ())\n");
    }
    for task in 0..TASKS {
        for method in 0..1 + dice.roll(2) {
            let condition = match dice.roll(3) {
                0 => String::new(),
                _ => fact(dice),
            };
            let mut subtasks = String::new();
            for place in 0..dice.roll(4) {
                let kinds = if place == 0 { 3 } else { 2 };
                subtasks += &match dice.roll(kinds) {
                    0 => format!(" (a{})", dice.roll(ACTIONS)),
                    _ => format!(" (t{})", dice.roll(TASKS)),
                };
            }
            text += &format!(
                "(:method m{task}{method} :task (t{task}) :precondition (and {condition})
                   :ordered-subtasks (and{subtasks}))\n"
            );
        }
    }
    for action in 0..ACTIONS {
        let condition = if dice.roll(2) == 0 {
            fact(dice)
        } else {
            String::new()
        };
        let effect = fact(dice);
        text += &format!(
            "(:action a{action} :precondition (and {condition}) :effect (and {effect}))\n"
        );
    }
    text += ")";
    let init = format!("(f{})", dice.roll(FACTS));
    let goal = fact(dice);
    problem_of(
        &text,
        &format!(
            "(define (problem p) (:domain d) (:htn :ordered-subtasks (and (t0) (t1)))
             (:init {init}) (:goal {goal}))"
        ),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn recursion_keeps_to_the_budget(
        numbers in prop::collection::vec(any::<u8>(), 40..160),
        slice in 1_u64..300,
    ) {
        let problem = recursive(&mut Dice(numbers, 0));
        let of_hddl = check(&problem, slice, 1_000_000);
        // With so few states it is known in the end, recursion or not.
        prop_assert!(matches!(of_hddl, Status::Finished | Status::Unsolvable), "{of_hddl:?}");
        let status = check_general(&problem, slice, 20_000);
        if status == Status::Unsolvable {
            prop_assert_ne!(of_hddl, Status::Finished);
        }
        if status == Status::Finished {
            prop_assert_ne!(of_hddl, Status::Unsolvable);
        }
    }
}
