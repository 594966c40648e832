//! What the pages of testdata/htn say of methods, branches and binders holds for domains that are
//! written in Rust as well: each page's plans once more, from the same domain written by hand.

mod semantics;

use apprentice_htn::{Aim, Direction, Domain, Memory, Network, Planner, Refinements};
use apprentice_search::{Budget, Cost, Status};

/// A task and the objects it is about.
#[derive(Clone, Debug, PartialEq)]
struct Task(&'static str, Vec<&'static str>);

fn task(name: &'static str, args: &[&'static str]) -> Task {
    Task(name, args.to_vec())
}

/// How the tasks of one page are done. Nothing changes on these pages, so there is no state.
type Refine = fn(&Task, &mut Refinements<(), Task>);

struct ByHand(Refine);

impl Domain for ByHand {
    type State = ();
    type Task = Task;

    fn refine(&self, task: &Task, (): &(), out: &mut Refinements<(), Task>) {
        (self.0)(task, out);
    }
}

fn act(out: &mut Refinements<(), Task>) {
    out.act((), Cost::from_seconds(1.0));
}

/// Methods are alternatives: whatever can be used is offered.
fn alternatives(asked: &Task, out: &mut Refinements<(), Task>) {
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
fn branches(asked: &Task, out: &mut Refinements<(), Task>) {
    let (rain, broken) = (true, true);
    match asked.0 {
        "Leave" if rain => out.method("wet").replace_by([task("Ride", &[])]),
        "Leave" => out.method("dry").replace_by([task("Walk", &[])]),
        "Ride" if broken => {}
        _ => act(out),
    }
}

/// A branch without any binding is passed over.
fn empty_branch(asked: &Task, out: &mut Refinements<(), Task>) {
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
fn every_binding(asked: &Task, out: &mut Refinements<(), Task>) {
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
fn first_binding(asked: &Task, out: &mut Refinements<(), Task>) {
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
fn sorted_bindings(asked: &Task, out: &mut Refinements<(), Task>) {
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
fn nested_bindings(asked: &Task, out: &mut Refinements<(), Task>) {
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

#[test]
fn the_pages_are_right_for_rust_too() {
    let by_hand: [(&str, &[&str], Refine); 7] = [
        ("methods_and_branches_a", &["Leave"], alternatives),
        ("methods_and_branches_b", &["Leave"], branches),
        ("methods_and_branches_c", &["Open"], empty_branch),
        ("binders_a", &["Carry"], every_binding),
        ("binders_b", &["See"], first_binding),
        ("binders_c", &["Take", "Drop"], sorted_bindings),
        ("binders_d", &["Loot"], nested_bindings),
    ];
    let cases = semantics::cases();
    for case in &cases {
        let is_of_these = !case.name.starts_with("effects");
        let is_here = by_hand.iter().any(|(name, ..)| *name == case.name);
        assert_eq!(is_here, is_of_these, "{} is new: write it here", case.name);
    }
    for (name, goal, refine) in by_hand {
        let case = cases.iter().find(|case| case.name == name);
        let case = case.expect("the page exists");
        for memory in [Memory::Nothing, Memory::DeadEnds] {
            let goal = Network::ordered(goal.iter().map(|name| task(name, &[])));
            let mut planner = Planner::new((), goal).aim(Aim::Every).memory(memory);
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
    }
}
