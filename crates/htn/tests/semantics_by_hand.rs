//! What the pages of testdata/htn say holds for domains that are written in Rust as well: each
//! page's plans once more, from the same domain written by hand.

use std::hash::Hash;

use apprentice_htn::{Aim, Direction, Domain, Memory, Network, Planner, Refinements, digest_of};
use apprentice_search::{Budget, Cost, Status};

/// A task and the objects it is about.
#[derive(Clone, Debug, PartialEq, Hash)]
struct Task(&'static str, Vec<&'static str>);

fn task(name: &'static str, args: &[&'static str]) -> Task {
    Task(name, args.to_vec())
}

/// How the tasks of one page are done.
type Refine<S> = fn(&Task, &S, &mut Refinements<S, Task>);

struct ByHand<S>(Refine<S>);

impl<S: Clone + Hash> Domain for ByHand<S> {
    type State = S;
    type Task = Task;

    fn refine(&self, task: &Task, state: &S, out: &mut Refinements<S, Task>) {
        (self.0)(task, state, out);
    }

    // With these two, planners remember dead ends here as in files.
    fn state_digest(&self, state: &S) -> Option<u64> {
        Some(digest_of(state))
    }

    fn task_digest(&self, task: &Task) -> Option<u64> {
        Some(digest_of(task))
    }
}

fn second() -> Cost {
    Cost::from_seconds(1.0)
}

/// On the first two pages nothing changes.
fn act(out: &mut Refinements<(), Task>) {
    out.act((), second());
}

/// Methods are alternatives: whatever can be used is offered.
fn alternatives(asked: &Task, (): &(), out: &mut Refinements<(), Task>) {
    let rain = false;
    match asked.0 {
        "Leave" => {
            out.method("by_bus").replace_by([task("Ride", &[])]);
            if !rain {
                out.method("if_dry").replace_by([task("Walk", &[])]);
            }
            out.method("by_car").replace_by([task("Drive", &[])]);
        }
        "Drive" => out.act((), Cost::from_seconds(5.0)),
        _ => act(out),
    }
}

/// Branches are else-if: what is chosen stays chosen, even if it comes to nothing.
fn branches(asked: &Task, (): &(), out: &mut Refinements<(), Task>) {
    let (rain, broken) = (true, true);
    match asked.0 {
        "Leave" if rain => out.method("wet").replace_by([task("Ride", &[])]),
        "Leave" => out.method("dry").replace_by([task("Walk", &[])]),
        "Ride" if broken => {}
        _ => act(out),
    }
}

/// A branch without any binding is passed over.
fn empty_branch(asked: &Task, (): &(), out: &mut Refinements<(), Task>) {
    let holding = |_key: &str| false;
    match asked.0 {
        "Open" => {
            let before = out.ways();
            for key in ["red", "blue"] {
                if holding(key) {
                    out.method("at_hand").replace_by([task("Turn", &[key])]);
                }
            }
            if out.ways() == before {
                let knock = task("Knock", &[]);
                out.method("none_at_hand").replace_by([knock]);
            }
        }
        _ => act(out),
    }
}

/// One way for each binding, the last variable fastest.
fn every_binding(asked: &Task, (): &(), out: &mut Refinements<(), Task>) {
    if asked.0 != "Carry" {
        return act(out);
    }
    for thing in ["rope", "lamp"] {
        for place in ["hall", "cellar"] {
            let bring = task("Bring", &[thing, place]);
            out.method("any").replace_by([bring]);
        }
    }
}

/// Only the first binding.
fn first_binding(asked: &Task, (): &(), out: &mut Refinements<(), Task>) {
    let burns = |thing: &str| thing != "rope";
    if asked.0 != "See" {
        return act(out);
    }
    let found = ["rope", "lamp", "torch"]
        .into_iter()
        .find(|thing| burns(thing));
    out.replace_by(found.map(|thing| task("Light", &[thing])));
}

/// Bindings in the order of a number, equal ones as they are declared.
fn sorted_bindings(asked: &Task, (): &(), out: &mut Refinements<(), Task>) {
    let direction = match asked.0 {
        "Take" => Direction::Ascending,
        "Drop" => Direction::Descending,
        _ => return act(out),
    };
    let begun = out.begin_sorted();
    for (thing, weight) in [("rope", 3), ("lamp", 1), ("torch", 3), ("map", 9)] {
        if weight < 9 {
            let start = out.ways();
            out.replace_by([task("Get", &[thing])]);
            out.sorted_ways(start, weight);
        }
    }
    out.end_sorted(&begun, direction);
}

/// Binders in binders, each with its own order.
fn nested_bindings(asked: &Task, (): &(), out: &mut Refinements<(), Task>) {
    let places = ["hall", "cellar"];
    if asked.0 != "Loot" {
        return act(out);
    }
    for place in places {
        let begun = out.begin_sorted();
        for (thing, tenths) in [("rope", -5), ("lamp", -15)] {
            if (thing, place) == ("lamp", "cellar") {
                continue;
            }
            let start = out.ways();
            if let Some(other) = places.into_iter().find(|other| *other != place) {
                out.replace_by([task("Move", &[thing, place, other])]);
            }
            out.sorted_ways(start, tenths);
        }
        out.end_sorted(&begun, Direction::Ascending);
    }
}

/// Everything is worked out in the state before, then all changes happen at once.
fn at_once(asked: &Task, &(a, b): &(i64, i64), out: &mut Refinements<(i64, i64), Task>) {
    match (asked.0, asked.1.as_slice()) {
        ("Swap", _) => out.act((b, a), second()),
        ("Check", [x, y]) if (a.to_string(), b.to_string()) == (x.to_string(), y.to_string()) => {
            out.act((a, b), second());
        }
        _ => {}
    }
}

/// What needs an old value cannot be done twice.
fn transition(asked: &Task, shows: &&'static str, out: &mut Refinements<&'static str, Task>) {
    if asked.0 == "Go" && *shows == "red" {
        out.act("green", second());
    }
}

const LAMPS: [&str; 3] = ["a", "b", "c"];

/// Which lamps are lit, and how many somebody counted.
type Lamps = ([bool; 3], i64);

/// Many variables change at once, some of them under a condition.
fn many_changes(asked: &Task, &(lit, count): &Lamps, out: &mut Refinements<Lamps, Task>) {
    let broken = |lamp: usize| LAMPS[lamp] == "b";
    match asked.0 {
        "AllOn" => {
            let on = std::array::from_fn(|lamp| lit[lamp] || !broken(lamp));
            out.act((on, if count == 0 { count + 3 } else { count }), second());
        }
        "Count" => {
            for lamp in (0..3).filter(|lamp| lit[*lamp]) {
                out.method("m").replace_by([task("See", &[LAMPS[lamp]])]);
            }
        }
        _ => {
            let seen = LAMPS.iter().position(|lamp| *lamp == asked.1[0]);
            let is_lit = seen.is_some_and(|lamp| lit[lamp]);
            if is_lit && count == 3 && (0..3).all(|lamp| lit[lamp] || broken(lamp)) {
                out.act((lit, count), second());
            }
        }
    }
}

/// Arguments are those of the moment in which the method was used.
fn early_arguments(asked: &Task, at: &&'static str, out: &mut Refinements<&'static str, Task>) {
    match asked.0 {
        "Tour" => {
            let steps = [task("Go", &["cellar"]), task("Remember", &[*at])];
            out.method("m").replace_by(steps);
        }
        "Go" => out.act(asked.1[0], second()),
        _ if asked.1[0] != *at => out.act(*at, second()),
        _ => {}
    }
}

/// A network in a network, interleaved.
fn interleaved(asked: &Task, done: &u8, out: &mut Refinements<u8, Task>) {
    match asked.0 {
        "Both" => {
            let in_order = Network::ordered([task("A", &[]), task("B", &[])]);
            let beside = Network::from(task("C", &[]));
            out.replace_by_network(Network::unordered([in_order, beside]));
        }
        "C" if *done >= 2 => {}
        _ => out.act(done + 1, second()),
    }
}

type Hand = Option<&'static str>;

/// Numbers are those of Rust.
fn numbers(_: &Task, hand: &Hand, out: &mut Refinements<Hand, Task>) {
    let (seven, x) = (7_i64, 2.0_f64);
    let rope = Some("rope");
    let holds = |thing: &str| thing == "lamp";
    let all = [
        seven / 2 == 3,
        -seven / 2 == -3,
        seven % 4 == 3,
        seven as f64 / 2.0 == 3.5,
        seven.min(1).min(2) == 1,
        1.0_f64.max(2.5) == 2.5,
        (3 - seven).abs() == 4,
        (if x > 1.0 { 10 } else { 20 }) == 10,
        hand.is_none(),
        *hand != rope,
        !hand.is_some_and(holds),
        ["rope"].contains(&"rope"),
    ];
    if all.into_iter().all(|is_true| is_true) {
        out.act(rope, second());
    }
}

/// What is optional is handed on, also when it is none.
fn handed_on(asked: &Task, hand: &Hand, out: &mut Refinements<Hand, Task>) {
    let thing = asked.1[0];
    let named = (thing != "none").then_some(thing);
    match asked.0 {
        "Swap" => {
            let held = hand.unwrap_or("none");
            let steps = [task("Put", &[held]), task("Hold", &[thing])];
            out.method("with").replace_by(steps);
        }
        "Put" if *hand == named => out.act(None, second()),
        "Hold" if hand.is_none() && named != Some("rope") => out.act(named, second()),
        _ => {}
    }
}

/// Names are words in quotes here.
fn only_names(asked: &Task, &is_moved: &bool, out: &mut Refinements<bool, Task>) {
    match asked.0 {
        "Task" => {
            let last = task("move", &[asked.1[0]]);
            let first = task("Move", &["next", "some", "3"]);
            out.method("before").replace_by([first, last.clone()]);
            for thing in ["self", "type_", "Type", "Other", "r", "next"] {
                for other in ["self", "Type"].into_iter().filter(|other| *other != thing) {
                    let first = task("MOVE", &[other, thing]);
                    out.method("Before").replace_by([first, last.clone()]);
                }
            }
        }
        "move" if is_moved => {}
        "move" => out.act(true, second()),
        _ => out.act(is_moved, second()),
    }
}

/// The keys that are shown: red, blue and white.
type Shown = [bool; 3];

/// Names that are nearly the same.
fn similar_names(asked: &Task, shown: &Shown, out: &mut Refinements<Shown, Task>) {
    let keys = ["red", "blue", "white"];
    let opens = |key: &str, lock: &str| lock == "door" || key == "red";
    match asked.0 {
        "Choose" => {
            let chosen = asked.1[0];
            for one in keys {
                for other in keys.into_iter().filter(|key| ![one, chosen].contains(key)) {
                    let steps = [task("Show", &[one, other, chosen])];
                    out.method("by_pair").replace_by(steps);
                }
            }
            for lock in ["door", "gate"] {
                if keys.iter().all(|key| opens(key, lock)) {
                    out.method("by_lock").replace_by([task("Lock", &[lock])]);
                }
            }
        }
        "Look" => {
            for (key, _) in keys.iter().zip(shown).filter(|(_, is_shown)| !**is_shown) {
                out.method("around").replace_by([task("See", &[key])]);
            }
        }
        // Nothing is shown before.
        "Show" => out.act(keys.map(|key| key != asked.1[1]), second()),
        _ => out.act(*shown, second()),
    }
}

/// The pages, and which of them were written here.
struct Pages {
    cases: Vec<crate::semantics::Case>,
    checked: Vec<&'static str>,
}

impl Pages {
    /// Compares the plans of a page with those of the same domain in Rust.
    #[track_caller]
    fn check<S: Clone + Hash>(
        &mut self,
        name: &'static str,
        start: S,
        goal: &[Task],
        refine: Refine<S>,
    ) {
        let case = self.cases.iter().find(|case| case.name == name);
        let case = case.expect("the page exists");
        for memory in [Memory::Nothing, Memory::DeadEnds] {
            let goal = Network::ordered(goal.iter().cloned());
            let mut planner = Planner::new(start.clone(), goal)
                .aim(Aim::Every)
                .memory(memory);
            let mut plans = Vec::new();
            while planner.run(&ByHand(refine), &mut Budget::unlimited()) == Status::Improved {
                let plan = planner.plan().expect("there is one");
                let steps = plan
                    .tasks()
                    .map(|Task(name, args)| format!("{name}({})", args.join(", ")));
                plans.push(steps.collect::<Vec<_>>().join(" "));
            }
            assert_eq!(plans, case.plans, "{name}");
        }
        self.checked.push(name);
    }
}

#[test]
fn the_pages_are_right_for_rust_too() {
    let named = |names: &[&'static str]| -> Vec<Task> {
        names.iter().map(|name| task(name, &[])).collect()
    };
    let mut pages = Pages {
        cases: crate::semantics::cases(),
        checked: Vec::new(),
    };

    let leave = named(&["Leave"]);
    pages.check("methods_and_branches_a", (), &leave, alternatives);
    pages.check("methods_and_branches_b", (), &leave, branches);
    pages.check(
        "methods_and_branches_c",
        (),
        &named(&["Open"]),
        empty_branch,
    );

    pages.check("binders_a", (), &named(&["Carry"]), every_binding);
    pages.check("binders_b", (), &named(&["See"]), first_binding);
    pages.check("binders_c", (), &named(&["Take", "Drop"]), sorted_bindings);
    pages.check("binders_d", (), &named(&["Loot"]), nested_bindings);

    let check = |x, y| task("Check", &[x, y]);
    let swap = task("Swap", &[]);
    let swaps = [swap.clone(), check("2", "1"), swap, check("1", "2")];
    pages.check("effects_and_values_a", (1, 2), &swaps, at_once);
    pages.check(
        "effects_and_values_b",
        "red",
        &named(&["Go", "Go"]),
        transition,
    );
    let lamps = named(&["AllOn", "Count"]);
    pages.check(
        "effects_and_values_c",
        ([false; 3], 0),
        &lamps,
        many_changes,
    );
    pages.check(
        "effects_and_values_d",
        "hall",
        &named(&["Tour"]),
        early_arguments,
    );
    pages.check("effects_and_values_e", 0, &named(&["Both"]), interleaved);
    pages.check("effects_and_values_f", None, &named(&["T"]), numbers);
    let swaps = [task("Swap", &["lamp"]), task("Swap", &["none"])];
    pages.check("effects_and_values_g", Some("rope"), &swaps, handed_on);

    let names = [task("Task", &["r", "none_"])];
    pages.check("names_a", false, &names, only_names);
    let choice = [task("Choose", &["red"]), task("Look", &[])];
    pages.check("names_b", [false; 3], &choice, similar_names);

    for case in &pages.cases {
        let is_here = pages.checked.contains(&case.name.as_str());
        assert!(is_here, "{} is new: write it here", case.name);
    }
}
